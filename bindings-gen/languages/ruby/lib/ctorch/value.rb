require "set"

module Ctorch
  # Python's tuple: an Array of its own kind.
  class Tuple < Array
  end

  # A NamedTuple of TorchScript: a tuple of a class of that name, with `members` as a Struct has. Its fields are
  # `found[0]`, `found[:x]` and, unless an Array has a method of that name, `found.x`; patterns match by name too.
  class NamedTuple < Tuple
    @made = {}

    class << self
      attr_reader :members

      # The class for a name and fields.
      def named(name, fields)
        NamedTuple.instance_variable_get(:@made)[[name, fields]] ||= Class.new(NamedTuple) do
          @members = fields.map(&:to_sym).freeze
          define_singleton_method(:name) { name }
          define_singleton_method(:inspect) { name }
          @members.each_with_index do |field, index|
            define_method(field) { at(index) } unless NamedTuple.method_defined?(field)
          end
        end
      end
    end

    def members = self.class.members

    def [](*index)
      return super unless index.size == 1 && (index[0].is_a?(Symbol) || index[0].is_a?(String))

      at(members.index(index[0].to_sym) || raise(::NameError, "no field '#{index[0]}' in #{self.class.name}"))
    end

    def to_h
      block_given? ? super : members.zip(self).to_h
    end

    def deconstruct_keys(_names) = to_h
    def inspect = "#<#{self.class.name} #{members.zip(self).map { |field, entry| "#{field}=#{entry.inspect}" }.join(', ')}>"
    alias_method :to_s, :inspect
  end

  # Python's OrderedDict, as state dicts are: a Hash, and what Python keeps beside it, such as "_metadata".
  class OrderedDict < Hash
    attr_accessor :attributes
  end

  # An object of a class of Python's as a file describes it: `module.name(*args)`, then its items, then its state. Nothing
  # is imported or called. Without `args` it stands for the class or function itself.
  PythonObject = Struct.new(:module, :name, :args, :items, :state) do
    def initialize(module_, name, args = nil, items: nil, state: nil)
      super(module_, name, args && Tuple.new(args), items, state)
    end

    # The state where it is a Hash, as it mostly is; else empty.
    def attributes
      state.is_a?(Hash) ? state : {}
    end

    def inspect
      "#<#{self.module}.#{name}#{"(#{args.map(&:inspect).join(', ')})" if args}>"
    end
    alias_method :to_s, :inspect
  end

  # Ruby objects as values of the C API, and back: what operators called by name and custom operators exchange.
  #
  # nil, true, false, Integer of any size, Float, Complex; a String is a str, a binary one (ASCII-8BIT) bytes; a Symbol is
  # the dtype, layout or memory format of that name; Array, Tuple, Hash, Set; Device, Stream, PythonObject; Tensor,
  # Generator, Storage, Module, Transform. Methods that take a value take any of these; what they answer is a Value, which shows the very
  # list or dict that C holds: `to_ruby` copies it.
  class Value
    DEEPEST = 500 # Ruby's own stack ends not far behind

    # Whose the symbols are. No two of these enumerations have a name in common.
    CONSTANTS_IN_VALUES = %i[dtype layout memory_format].freeze

    class << self
      # The value that holds what `object` does.
      def of(object)
        Writer.open("Value.of: object") { |writer| retained(writer.write(object)) }
      end
    end

    # What the value holds, in Ruby; the value itself for what has no form there, as an object of TorchScript.
    def to_ruby
      use { |pointer| Reader.new.read(pointer) }
    end

    # Makes values for one conversion, and gives them back at its end. What lies in two places is made once.
    class Writer
      def self.open(where)
        writer = new(where)
        yield writer
      ensure
        writer.close
      end

      # @param where  function and argument, for errors
      def initialize(where)
        @where = where
        @call = Call.new
        @made = []
        @known = {}.compare_by_identity
        @depth = 0
      end

      def close
        @call.finish
        @made.each { |pointer| Raw.ctorch_value_release(pointer) }
      end

      # The pointer of the value, which lives until `close`.
      def write(object)
        case object
        when nil then make("none")
        when true, false then make("bool", object)
        when Integer then integer(object)
        when Float then make("double", object)
        when ::Complex then make("complex", object.real.to_f, object.imaginary.to_f)
        when Numeric then make("double", object.to_f)
        when String then text(object)
        when Symbol then constant(object)
        when Device, Stream then plain(object)
        when Handle then handle(object)
        when Array, Hash, ::Set, PythonObject then once(object) { container(object) }
        else raise ::TypeError, "#{@where}: no value can hold a #{object.class}"
        end
      end

      private

      def make(name, *arguments)
        out = FFI::MemoryPointer.new(:pointer)
        @call.check(Raw.public_send("ctorch_value_from_#{name}", out, *arguments))
        @made << out.read_pointer
        @made.last
      end

      def integer(number)
        return make("int", number) if number.between?(-(2**63), (2**63) - 1)

        # two's complement with the lowest byte first; the last byte has the sign
        data = Array.new((number.bit_length / 8) + 1) { |i| (number >> (8 * i)) & 255 }.pack("C*")
        make("int_bytes", data, data.bytesize)
      end

      def text(string)
        return make("bytes", *memory(string)) if string.encoding == ::Encoding::BINARY

        make("string_data", *memory(string.encode("UTF-8")))
      end

      def memory(string)
        [FFI::MemoryPointer.new(1, [string.bytesize, 1].max).put_bytes(0, string), string.bytesize]
      end

      def constant(name)
        type = CONSTANTS_IN_VALUES.find { |enumeration| CONSTANTS[enumeration].key?(name) }
        raise ::TypeError, "#{@where}: no dtype, layout or memory format #{name.inspect}; texts are Strings" unless type

        make(type, CONSTANTS[type][name])
      end

      def plain(object)
        type = object.is_a?(Device) ? "device" : "stream"
        make(type, @call.pointer(object, type))
      end

      def handle(object)
        type = [Value, Tensor, Generator, Storage, Transform, Module].find { |kind| object.is_a?(kind) }&.c_type
        raise ::TypeError, "#{@where}: no value can hold a #{object.class}" unless type

        pointer = @call.handle(object, type)
        type == "value" ? pointer : make(type, pointer)
      end

      def once(object)
        known = @known.fetch(object) do
          raise nested if @depth == DEEPEST

          @known[object] = nil
          @depth += 1
          @known[object] = yield
          @depth -= 1
          @known[object]
        end
        known or raise nested
      end

      def nested
        ::ArgumentError.new("#{@where}: nested more than #{DEEPEST} deep, or contains itself")
      end

      def container(object)
        case object
        when Tuple then make("tuple", *all(object))
        when Array then make("list", *all(object))
        when OrderedDict then ordered_dict(object)
        when Hash then make("dict", *all(object.keys), *all(object.values))
        when ::Set then make("set", *all(object.to_a))
        else python_object(object)
        end
      end

      def ordered_dict(object)
        state = object.attributes.nil? || object.attributes.empty? ? nil : object.attributes
        python_object(PythonObject.new("collections", "OrderedDict", [], items: {}.merge!(object), state: state))
      end

      def all(objects)
        pointers = objects.map { |object| write(object) }
        memory = FFI::MemoryPointer.new(:pointer, [pointers.size, 1].max)
        [memory.write_array_of_pointer(pointers), pointers.size]
      end

      def python_object(object)
        names = [object.module, object.name]
        unless names.all? { |name| name.is_a?(String) && !name.include?("\0") }
          raise ::TypeError, "#{@where}: a Python object of no name: #{names.inspect}"
        end
        args = object.args && write(Tuple.new(object.args))
        items, state = [object.items, object.state].map { |part| part.nil? ? nil : write(part) }
        texts = names.map { |name| FFI::MemoryPointer.from_string(name.encode("UTF-8")) }
        make("python_object", *texts, args, items, state)
      end
    end

    # Reads what a value holds.
    class Reader
      PARTS = %w[args items state].freeze

      def initialize
        @call = Call.new
        @depth = 0
      end

      def read(value)
        raise ::ArgumentError, "to_ruby: nested more than #{DEEPEST} deep, or contains itself" if @depth > DEEPEST

        @depth += 1
        kind = CONSTANTS[:value_kind].key(Raw.ctorch_value_kind_of(value))
        send(:"read_#{kind}", value).tap { @depth -= 1 }
      end

      private

      def take(function, *arguments)
        out = FFI::MemoryPointer.new(:pointer)
        @call.check(Raw.public_send("ctorch_value_#{function}", out, *arguments))
        out.read_pointer
      end

      # What C makes of the value by a function is read, and given back.
      def using(function, *arguments)
        made = take(function, *arguments)
        made.null? ? nil : yield(made)
      ensure
        Raw.ctorch_value_release(made) if made
      end

      def number(type, function, value)
        out = @call.out(type)
        @call.check(Raw.public_send("ctorch_value_to_#{function}", out, value))
        @call.read_value(out, type)
      end

      def entries(value)
        found = []
        while found.size < Raw.ctorch_value_len(value) # without a block: what is nested takes less of Ruby's stack
          entry = take("get", value, found.size)
          begin
            found << read(entry)
          ensure
            Raw.ctorch_value_release(entry)
          end
        end
        found
      end

      def read_none(_value) = nil
      def read_tensor(value) = owned(value, "tensor")
      def read_generator(value) = owned(value, "generator")
      def read_storage(value) = owned(value, "storage")
      def read_module(value) = owned(value, "module")
      def read_transform(value) = owned(value, "transform")
      def read_object(value) = Value.retained(value)
      def read_double(value) = number("double", "double", value)
      def read_bool(value) = number("bool", "bool", value)
      def read_device(value) = number("device", "device", value)
      def read_stream(value) = number("stream", "stream", value)
      def read_dtype(value) = number("dtype", "dtype", value)
      def read_layout(value) = number("layout", "layout", value)
      def read_memory_format(value) = number("memory_format", "memory_format", value)
      def read_list(value) = entries(value)

      def read_tuple(value)
        name = Raw.ctorch_value_tuple_name(value)
        found = entries(value)
        return Tuple.new(found) if name.null?

        fields = found.each_index.map { |index| text(Raw.ctorch_value_field_name(value, index)) }
        NamedTuple.named(text(name), fields).new(found)
      end

      def text(pointer) = pointer.read_string.force_encoding("UTF-8")

      def owned(value, type)
        out = @call.out
        @call.check(Raw.public_send("ctorch_value_to_#{type}", out, value))
        HANDLES.fetch(type).take(out.read_pointer)
      end

      def read_int(value)
        out = @call.out
        failed = Raw.ctorch_value_to_int(out, value)
        return out.read_int64 if failed.null?

        Raw.ctorch_error_release(failed) # more than 64 bits, or what the next call says as well
        data = using("to_int_bytes", value) { |bytes| read_bytes(bytes) }
        unsigned = data.each_byte.with_index.sum { |byte, i| byte << (8 * i) }
        data.getbyte(-1) > 127 ? unsigned - (1 << (8 * data.bytesize)) : unsigned
      end

      def read_complex(value)
        real, imaginary = @call.out, @call.out
        @call.check(Raw.ctorch_value_to_complex(real, imaginary, value))
        Complex(real.read_double, imaginary.read_double)
      end

      def read_string(value)
        out, length = @call.out, @call.out
        @call.check(Raw.ctorch_value_to_string(out, length, value))
        out.read_pointer.read_bytes(length.read_uint64).force_encoding("UTF-8")
      end

      def read_bytes(value)
        length = Raw.ctorch_value_len(value)
        memory = FFI::MemoryPointer.new(1, [length, 1].max)
        @call.check(Raw.ctorch_value_read_bytes(value, memory, length))
        memory.read_bytes(length)
      end

      def read_dict(value)
        keys = using("dict_keys", value) { |list| entries(list) }
        values = using("dict_values", value) { |list| entries(list) }
        distinct(keys.zip(values).to_h, keys)
      end

      def read_set(value)
        found = using("set_values", value) { |list| entries(list) }
        distinct(found.to_set, found)
      end

      # A str and bytes of the same letters are two keys in C, and one in Ruby.
      def distinct(made, keys)
        return made if made.size == keys.size

        raise ::ArgumentError, "to_ruby: entries that are equal in Ruby, as a text and the same bytes"
      end

      def read_python_object(value)
        args, items, state = PARTS.map { |part| using("python_#{part}", value) { |made| read(made) } }
        names = %w[module name].map { |word| text(Raw.public_send("ctorch_value_python_#{word}", value)) }
        return ordered_dict(items, state) if names == %w[collections OrderedDict] && args == [] && plain?(items, state)

        PythonObject.new(*names, args, items: items, state: state)
      end

      def plain?(items, state)
        [items, state].all? { |part| part.nil? || part.instance_of?(Hash) }
      end

      def ordered_dict(items, state)
        OrderedDict.new.merge!(items || {}).tap { |made| made.attributes = state || {} }
      end
    end
  end
end
