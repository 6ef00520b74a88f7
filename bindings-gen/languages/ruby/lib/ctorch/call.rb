module Ctorch
  # What one call of C needs: arguments as C has them, memory for results, and what may not be collected meanwhile.
  class Call
    WRITERS = {
      "int64_t" => :write_array_of_int64, "uint64_t" => :write_array_of_uint64, "int32_t" => :write_array_of_int32,
      "double" => :write_array_of_double
    }.freeze
    SIZES = { "bool" => 1, "int32_t" => 4, "scalar" => 32, "device" => 8, "stream" => 16 }.freeze

    def initialize
      @kept = []
      @used = []
    end

    # Ends the call.
    def finish
      @used.each(&:end_call)
      @made&.each(&:close)
    end

    def check(error)
      return if error.null?

      failure = Error.take(error)
      failure.go_on if failure.is_a?(Jump)
      raise failure
    end

    # Arguments.

    def handle(value, type)
      return if value.nil?

      value = made_of(value) if type == "transform" && !value.is_a?(Handle) && value.respond_to?(:call)
      raise ::TypeError, "expected a #{HANDLES[type].name}, got #{value.class}" unless value.is_a?(HANDLES[type])

      pointer = value.begin_call
      @used << value
      pointer
    end

    # A transform for the call, of a function that stands for one.
    def made_of(function)
      (@made ||= []) << Transform.from(function)
      @made.last
    end

    # A value, or one made for the call of what it can hold; nil is None.
    #
    # @param where  function and argument, for errors
    def value(object, where)
      return handle(object, "value") if object.is_a?(Value)

      made = Value::Writer.open(where) { |writer| Value.retained(writer.write(object)) }
      (@made ||= []) << made
      made.pointer
    end

    def values(objects, where)
      list(objects) { |all| memory(8, all.size).write_array_of_pointer(all.map { |object| value(object, where) }) }
    end

    def handles(values, type)
      list(values) { |all| memory(8, all.size).write_array_of_pointer(all.map { |value| handle(value, type) }) }
    end

    # Sets what `length` answers.
    def list(values)
      @length = 0
      return if values.nil?
      raise ::TypeError, "expected a list, got #{values.class}" unless values.is_a?(Array)

      @length = values.size
      values.empty? ? memory(8, 1) : yield(values)
    end

    attr_reader :length

    def numbers(values, type)
      values = [values] unless values.nil? || values.is_a?(Array) # one stands for a list of it
      list(values) { |all| array(all, type) }
    end

    def pointer(value, type)
      value.nil? ? nil : array([value], type)
    end

    def texts(values)
      list(values) { |all| memory(8, all.size).write_array_of_pointer(all.map { |value| text(value) }) }
    end

    def text(value)
      return if value.nil?

      string = value.to_str.encode("UTF-8")
      raise ::ArgumentError, "a text with a NUL in it cannot be given to C" if string.include?("\0")

      @kept << FFI::MemoryPointer.from_string(string)
      @kept.last
    end

    def bytes(value)
      @length = 0
      return if value.nil?

      @length = value.bytesize
      memory(1, [@length, 1].max).put_bytes(0, value)
    end

    # A number for a parameter that is passed by value.
    def number(value, type)
      case type
      when "bool"
        raise ::TypeError, "expected true or false, got #{value.inspect}" unless [true, false].include?(value)

        value
      when "double" then Float(value)
      when *Raw::NUMBERS.keys then integer(value)
      else constant(value, type)
      end
    end

    def integer(value)
      raise ::TypeError, "expected a whole number, got #{value.inspect}" unless value.is_a?(Integer)

      value
    end

    def constant(value, type)
      return integer(value) unless value.is_a?(Symbol)

      CONSTANTS.fetch(type.to_sym).fetch(value) { raise ::ArgumentError, "no #{type}: #{value.inspect}" }
    end

    # Results.

    def out(type = nil)
      memory([SIZES.fetch(type, 8), 8].max, 1)
    end

    def room(string)
      @length = string.bytesize
      memory(1, [@length, 1].max)
    end

    def read(out, kind, type, length = nil)
      case kind
      when "handle" then read_handle(out.read_pointer, type)
      when "string" then read_text(out.read_pointer, length)
      when "list" then out.read_pointer.read_array_of_int64(length.read_uint64)
      when "address" then out.read_pointer
      else read_value(out, type)
      end
    end

    def read_value(out, type)
      case type
      when "scalar" then read_scalar(out)
      when "device" then device(out)
      when "stream" then Stream.new(out.read_int64, device(out + 8))
      when "bool" then out.read_uint8 != 0
      when "size_t" then out.read_uint64
      when *Raw::NUMBERS.keys then out.public_send(:"read_#{type.delete_suffix('_t')}")
      else Call.symbol(out.read_int32, type)
      end
    end

    # The symbol of a constant; nil if there is none, as for -1.
    def self.symbol(number, type)
      %i[profiler_options dlpack_flag].include?(type.to_sym) ? number : CONSTANTS.fetch(type.to_sym).key(number)
    end

    def self.take_tensors(list)
      count = Raw.ctorch_tensor_list_len(list)
      Call.tensors(Raw.ctorch_tensor_list_data(list), count)
    ensure
      Raw.ctorch_tensor_list_release(list)
    end

    def self.tensors(array, count)
      count.zero? ? [] : array.read_array_of_pointer(count).map { |pointer| Tensor.retained(pointer) }
    end

    private

    def memory(size, count)
      @kept << FFI::MemoryPointer.new(size, count)
      @kept.last
    end

    def size(type)
      SIZES.fetch(type, Raw::NUMBERS.key?(type) ? 8 : 4)
    end

    def array(values, type)
      target = memory(size(type), values.size)
      if WRITERS.key?(type)
        target.public_send(WRITERS[type], values.map { |value| number(value, type) })
      else
        values.each_with_index { |value, i| write(target + (i * size(type)), value, type) }
        target
      end
    end

    def write(at, value, type)
      case type
      when "bool" then at.write_uint8(number(value, type) ? 1 : 0)
      when "scalar" then write_scalar(at, value)
      when "device" then write_device(at, Device.of(value))
      when "stream"
        at.write_int64(value.id)
        write_device(at + 8, value.device)
      else at.write_int32(constant(value, type))
      end
    end

    def write_device(at, device)
      at.write_int32(constant(device.type, "device_type"))
      (at + 4).write_int32(device.index)
    end

    def write_scalar(at, value)
      kinds = CONSTANTS[:scalar_kind]
      case value
      when Integer then write_integer(at, value, kinds)
      when true, false then scalar(at, kinds[:bool], value ? 1 : 0)
      when Complex then scalar(at, kinds[:complex], 0, value.real.to_f, value.imaginary.to_f)
      when Numeric then scalar(at, kinds[:float], 0, value.to_f)
      else raise ::TypeError, "expected a number, got #{value.inspect}"
      end
    end

    def write_integer(at, value, kinds)
      if value.between?(-(2**63), (2**63) - 1)
        scalar(at, kinds[:int], value)
      elsif value.between?(2**63, (2**64) - 1)
        scalar(at, kinds[:uint], value - (2**64))
      else
        raise ::RangeError, "#{value} has more than 64 bits"
      end
    end

    def scalar(at, kind, whole, real = 0.0, imaginary = 0.0)
      at.write_array_of_int32([kind, 0])
      (at + 8).write_int64(whole)
      (at + 16).write_array_of_double([real, imaginary])
    end

    def read_scalar(at)
      whole = (at + 8).read_int64
      real, imaginary = (at + 16).read_array_of_double(2)
      case CONSTANTS[:scalar_kind].key(at.read_int32)
      when :int then whole
      when :uint then whole + (2**64)
      when :bool then whole != 0
      when :complex then Complex(real, imaginary)
      else real
      end
    end

    def device(at)
      Device.new(Call.symbol(at.read_int32, "device_type"), (at + 4).read_int32)
    end

    def read_handle(pointer, type)
      return if pointer.null?

      case type
      when "tensor_list" then Call.take_tensors(pointer)
      when "string" then take_string(pointer)
      else HANDLES.fetch(type).take(pointer)
      end
    end

    def take_string(string)
      Raw.ctorch_string_data(string).read_bytes(Raw.ctorch_string_len(string)).force_encoding("UTF-8")
    ensure
      Raw.ctorch_string_release(string)
    end

    def read_text(pointer, length)
      return if pointer.null?

      (length ? pointer.read_bytes(length.read_uint64) : pointer.read_string).force_encoding("UTF-8")
    end
  end
end
