module Ctorch
  # Makes a method for a C function, in Ruby, when it is called first.
  #
  # Operators and what schema files offer: what the schema has a default for is a keyword, everything else is positional. Functions of the runtime:
  # a bool and what may be nil are keywords, but for lists, and unless there is nothing else to give; so are callbacks,
  # of which the first may be a block. Several results are an array; an operator returns what it changes.
  module Methods
    RESERVED = %w[
      __ENCODING__ __FILE__ __LINE__ BEGIN END alias and begin break case class def defined? do else elsif end ensure
      false for if in module next nil not or redo rescue retry return self super then true undef unless until when while
      yield call
    ].freeze

    # Functions that are left to Ctorch::Raw: those of the handles that are something else in Ruby, those that give
    # handles back, and those that are about memory of C's or about payloads.
    RAW_ONLY = /\Actorch_(#{NO_HANDLES.join('|')})_|\Actorch_tensor_(from_buffer|from_storage|from_dltensor|to_dltensor)\z/
    # Those whose schema says what may be left out.
    DESCRIBED = /\Actorch_(aten|#{NAMESPACES.keys.join('|')})_/
    COUNTERS = COUNTING.values.flatten.compact.map(&:to_s).freeze

    class << self
      # What is known of a function that has a method; nil if there is none.
      def signature(name)
        RAW_ONLY.match?(name) || COUNTERS.include?(name) ? nil : Raw.signature(name)
      end

      # Defines `name` on `target`, for the function of that signature.
      #
      # @param self_type  the handle that the method belongs to: it is the argument `self`
      def define(target, name, signature, self_type: nil)
        target.class_eval(Writer.new(name, signature, self_type).source, "(#{signature.name})", 1)
      end
    end

    # The text of one method.
    class Writer
      def initialize(name, signature, self_type)
        @name = name
        @signature = signature
        @described = DESCRIBED.match?(signature.name)
        parameters = signature.parameters
        @self = parameters.find { |p| p.name == "self" && p.type == self_type && !p.result }
        @arguments = parameters.select { |p| !p.result && !%w[len payload destroy].include?(p.kind) && p != @self }
        @arguments.reject! { |p| p.type == "saved_tensors_destroy" || p.name == "may_thread" }
        @results = parameters.select { |p| p.result && p.kind != "len" && !length_of_text?(p) }
        @callbacks = @arguments.select { |p| p.kind == "callback" }
        @kept = !@callbacks.empty? && parameters.any? { |p| p.kind == "destroy" }
      end

      def source
        <<~RUBY
          def #{@name}(#{declaration})
            Thread.handle_interrupt(Ctorch::Jump::LATER) do
              call = Ctorch::Call.new
              #{payload}#{outputs}#{'answer = ' unless @signature.returned == 'nothing'}#{called}
              #{checked}#{returned}
            ensure
              #{finished}
            end
          end
        RUBY
      end

      private

      def called
        call = "Ctorch::Raw.#{@signature.name}(#{@signature.parameters.map { |p| passed(p) }.join(', ')})"
        Raw::ASKING.match?(@signature.name) ? "Ctorch::Interrupts.end_call { #{call} }" : call
      end

      # A text may have NUL in it: its length comes as a result of its own.
      def length_of_text?(parameter)
        @signature.parameters.any? { |p| p.result && p.kind == "string" && "#{p.name}_len" == parameter.name }
      end

      # `A` is `a`: a name that begins with a capital is a constant.
      def variable(parameter)
        name = parameter.name
        name = name.downcase if name.match?(/\A[A-Z]/)
        RESERVED.include?(name) ? "#{name}_" : name
      end

      def declaration
        positional, keywords = (@arguments - @callbacks).partition { |p| positional?(p) }
        words = optional_at_the_end(positional)
        words += @results.select { |p| p.kind == "buffer" }.map { |p| variable(p) }
        words += [*@callbacks, *keywords].map { |p| "#{variable(p)}: #{default(p)}" }
        words << "&block" unless @callbacks.empty?
        words.join(", ")
      end

      # What may be left out can be, if nothing follows it that may not.
      def optional_at_the_end(positional)
        last = positional.rindex { |p| @described || !p.mark.start_with?("~") } || -1
        positional.each_with_index.map { |p, i| i > last ? "#{variable(p)} = nil" : variable(p) }
      end

      def positional?(parameter)
        return !parameter.mark.start_with?("=", "?") if @described
        return true if %w[bytes list handles strings].include?(parameter.kind) || @arguments - @callbacks == [parameter]

        parameter.mark.empty? && parameter.type != "bool"
      end

      def default(parameter)
        return parameter.mark[1..] if parameter.mark.start_with?("=")

        parameter.kind == "value" && parameter.type == "bool" ? "false" : "nil"
      end

      def payload
        return "" if @callbacks.empty?

        first = variable(@callbacks.first)
        procs = @callbacks.map { |p| "#{p.type.inspect} => #{variable(p)}" }.join(", ")
        "#{first} ||= block; procs = { #{procs} }.compact; payload = procs.empty? ? nil : Ctorch::Callbacks.add(procs); "
      end

      def outputs
        @signature.parameters.select(&:result).reject { |p| p.kind == "buffer" }
                  .map { |p| "#{p.name}_at = call.out(#{p.type.inspect}); " }.join
      end

      def passed(parameter)
        name = parameter.name
        return "(#{name}_at = call.room(#{variable(parameter)}))" if parameter.kind == "buffer"
        return "#{name}_at" if parameter.result

        return "false" if name == "may_thread" # Ruby is not called on other threads than its own

        given = parameter == @self ? "self" : variable(parameter)
        type = parameter.type.inspect
        case parameter.kind
        when "len" then "call.length"
        when "value" then "call.number(#{given}, #{type})"
        when "pointer" then "call.pointer(#{given}, #{type})"
        when "list" then "call.numbers(#{given}, #{type})"
        when "string" then "call.text(#{given})"
        when "strings" then "call.texts(#{given})"
        when "bytes" then "call.bytes(#{given})"
        when "handle", "handles" then handed(parameter, given)
        when "payload" then @callbacks.empty? ? "nil" : "payload"
        when "destroy" then @callbacks.empty? ? "nil" : "payload && Ctorch::Callbacks.destroy"
        when "callback" then callback(parameter)
        else given
        end
      end

      def handed(parameter, given)
        return "call.#{parameter.kind}(#{given}, #{parameter.type.inspect})" if parameter.type != "value" || given == "self"

        where = "#{@signature.name.delete_prefix('ctorch_')}: #{parameter.name}"
        made = "call.#{parameter.kind == 'handle' ? 'value' : 'values'}(#{given}, #{where.inspect})"
        parameter.kind == "handle" && parameter.mark.start_with?("~", "?") ? "(#{given}.nil? ? nil : #{made})" : made
      end

      def callback(parameter)
        function = "Ctorch::Callbacks.function(#{parameter.type.inspect})"
        parameter.type == "saved_tensors_destroy" ? function : "#{variable(parameter)} && #{function}"
      end

      def checked
        @signature.returned == "error" ? "call.check(answer); #{'given = true; ' if @kept}" : ""
      end

      def finished
        forget = if @callbacks.empty? then ""
                 elsif @kept then "Ctorch::Callbacks.remove(payload) if payload && !given; "
                 else "Ctorch::Callbacks.remove(payload) if payload; "
                 end
        "#{forget}call&.finish"
      end

      def returned
        filled = @results.find { |p| p.kind == "buffer" }
        return "#{variable(filled)}.replace(#{filled.name}_at.read_bytes(#{variable(filled)}.bytesize))" if filled

        read = @results.map { |p| reading(p) }
        case @signature.returned
        when "error", "nothing" then read.size > 1 ? "[#{read.join(', ')}]" : read.first || same
        when "string" then "answer.null? ? nil : answer.read_string.force_encoding('UTF-8')"
        when "value" then read.empty? ? value : "answer ? #{read.first} : nil"
        else "answer"
        end
      end

      def value
        Raw::NUMBERS.key?(@signature.type) ? "answer" : "Ctorch::Call.symbol(answer, #{@signature.type.inspect})"
      end

      def reading(result)
        length = "#{result.name}_len"
        sized = @signature.parameters.any? { |p| p.name == length && p.result } ? ", #{length}_at" : ""
        "call.read(#{result.name}_at, #{result.kind.inspect}, #{result.type.inspect}#{sized})"
      end

      # The arguments that an operator changes and returns.
      def same
        changed = @signature.same.map { |name| @self&.name == name ? "self" : variable(named(name)) }
        changed.size > 1 ? "[#{changed.join(', ')}]" : changed.first || "nil"
      end

      def named(name)
        @arguments.find { |p| p.name == name }
      end
    end
  end

  # An operator with several overloads: a call takes the first one that its arguments fit.
  class Overloads
    TABLE = File.read(File.join(__dir__, "overloads.txt"), encoding: "UTF-8").freeze

    # Those of an operator, but for the ones that write to `out`; nil if it has one overload of its own name, or none.
    def self.of(name)
      line = TABLE[/^#{Regexp.escape(name)} .*/]
      return unless line

      # What has the name itself comes first: scatter.reduce has that of the operator scatter_reduce, and keeps it.
      names = [name, *line.split.drop(1)].uniq.map { |overload| "ctorch_aten_#{overload}" }
      new(name, names.map { |overload| Raw.signature(overload) }.compact)
    end

    attr_reader :signatures

    def initialize(name, signatures)
      @name = name
      @signatures = signatures
      @candidates = signatures.map do |signature|
        arguments = signature.parameters.reject { |p| p.result || p.kind == "len" }
        [signature, *arguments.partition { |p| !p.mark.start_with?("=", "?") }]
      end
    end

    # The name of the overload for a call.
    def choose(arguments, options)
      found = [true, false].lazy.filter_map do |strict| # a number stands for a list of it, where nothing fits better
        @candidates.find { |_, positional, keywords| fit?(positional, keywords, arguments, options, strict) }
      end.first
      found = found ? found.first : @signatures.find { |signature| signature.name == "ctorch_aten_#{@name}" }
      return found.name.delete_prefix("ctorch_aten_") if found # its own name's may say best what it does not take

      names = @signatures.map { |signature| signature.name.delete_prefix("ctorch_aten_") }
      given = (arguments.map(&:class) + options.map { |key, value| "#{key}: #{value.class}" }).join(", ")
      raise ::ArgumentError, "#{@name}: none of #{names.join(', ')} takes (#{given})"
    end

    private

    def fit?(positional, keywords, arguments, options, strict)
      return false if arguments.size > positional.size

      rest = positional.drop(arguments.size)
      return false unless rest.all? { |p| p.mark.start_with?("~") }
      return false unless arguments.each_with_index.all? { |value, i| fits?(positional[i], value, strict) }

      options.all? { |key, value| (p = keywords.find { |k| k.name == key.to_s }) && fits?(p, value, strict) }
    end

    def fits?(parameter, value, strict)
      return parameter.mark.start_with?("~", "?") if value.nil?

      type = parameter.type
      case parameter.kind
      when "handle" then value.is_a?(HANDLES[type])
      when "handles" then value.is_a?(Array) && value.all? { |v| v.nil? || v.is_a?(HANDLES[type]) }
      when "list" then value.is_a?(Array) ? value.all? { |v| plain?(type, v) } : !strict && plain?(type, value)
      when "string" then value.is_a?(String)
      when "strings" then value.is_a?(Array) && value.all?(String)
      else plain?(type, value)
      end
    end

    def plain?(type, value)
      case type
      when "bool" then [true, false].include?(value)
      when "double" then value.is_a?(Numeric)
      when "scalar" then value.is_a?(Numeric) || [true, false].include?(value)
      when "device" then [Symbol, String, Device].any? { |k| value.is_a?(k) }
      when *Raw::NUMBERS.keys then value.is_a?(Integer)
      else !value.is_a?(Handle) && !value.is_a?(Array)
      end
    end
  end

  # Every operator, by the name of its schema with `.` as `_`: Ctorch::Aten.add_Tensor(x, y, alpha: 2). Without the
  # overload, Ctorch::Aten.add(x, y), the first one that the arguments fit.
  module Aten
    class << self
      undef_method :clone # an operator too

      def method_missing(name, *arguments, **options)
        if (overloads = Overloads.of(name.to_s))
          dispatch(name, overloads)
        elsif (signature = Raw.signature("ctorch_aten_#{name}"))
          Methods.define(singleton_class, name, signature)
        else
          return super
        end
        public_send(name, *arguments, **options)
      end

      def respond_to_missing?(name, include_private = false)
        !Raw.signature("ctorch_aten_#{name}").nil? || !Overloads.of(name.to_s).nil? || super
      end

      # Whether there is an operator of that name whose first argument is a tensor.
      def operator_of_tensor?(name)
        signatures = Overloads.of(name)&.signatures || [Raw.signature("ctorch_aten_#{name}")].compact
        signatures.any? do |signature|
          first = signature.parameters.find { |p| !p.result && p.kind != "len" }
          first && first.kind == "handle" && first.type == "tensor"
        end
      end

      private

      # An overload that has the operator's own name gets another one, which the choice knows.
      def dispatch(name, overloads)
        plain = :"#{name}_default"
        own = overloads.signatures.find { |signature| signature.name == "ctorch_aten_#{name}" }
        Methods.define(singleton_class, plain, own) if own
        define_singleton_method(name) do |*arguments, **options|
          chosen = overloads.choose(arguments, options)
          public_send(chosen == name.to_s ? plain : chosen, *arguments, **options)
        end
      end
    end
  end

  # What schema files offer, with overloads as `_name`: Ctorch::NN.Conv2d_padding(1, 32, 3, padding: "same")
  NAMESPACES.each do |namespace, name|
    const_set(name, ::Module.new).singleton_class.class_eval do
      define_method(:method_missing) do |member, *arguments, **options|
        signature = Raw.signature("ctorch_#{namespace}_#{member}")
        return super(member, *arguments, **options) unless signature

        Methods.define(singleton_class, member, signature)
        public_send(member, *arguments, **options)
      end

      define_method(:respond_to_missing?) do |member, include_private = false|
        !Raw.signature("ctorch_#{namespace}_#{member}").nil? || super(member, include_private)
      end
    end
  end

  # The methods of a handle: the functions whose name begins with its type's.
  class Handle
    def method_missing(name, *arguments, **options, &block)
      signature = self.class.signature(name)
      return super unless signature&.parameters&.any? { |p| p.name == "self" }

      Methods.define(self.class, name, signature, self_type: self.class.c_type)
      public_send(name, *arguments, **options, &block)
    end

    def respond_to_missing?(name, include_private = false)
      !self.class.signature(name).nil? || super
    end

    class << self
      # `create` is C's `new`.
      def signature(name)
        Methods.signature("ctorch_#{c_type}_#{name == :create ? 'new' : name}")
      end

      def method_missing(name, *arguments, **options, &block)
        signature = c_type && signature(name)
        return super if signature.nil? || signature.parameters.any? { |p| p.name == "self" }

        Methods.define(singleton_class, name, signature)
        public_send(name, *arguments, **options, &block)
      end

      def respond_to_missing?(name, include_private = false)
        (!c_type.nil? && !signature(name).nil?) || super
      end
    end
  end

  # The functions of the runtime that belong to no object: Ctorch.random_manual_seed(1)
  class << self
    def method_missing(name, *arguments, **options, &block)
      signature = Methods.signature("ctorch_#{name}")
      return super unless signature

      Methods.define(singleton_class, name, signature)
      public_send(name, *arguments, **options, &block)
    end

    def respond_to_missing?(name, include_private = false)
      !Methods.signature("ctorch_#{name}").nil? || super
    end
  end
end
