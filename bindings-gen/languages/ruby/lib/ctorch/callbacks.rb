module Ctorch
  # Ruby procs that C calls. What one raises is raised by the call that it ran in, as that very object: nothing may leave
  # a callback, so it becomes an error of C's on the way.
  #
  # There is one C function for each kind of callback, made when it is needed first and never freed. C hands it a number,
  # the payload, by which it finds the proc.
  module Callbacks
    FAILED = 0

    # A handle that was made for a callback to answer, and that nobody else needs.
    Made = Struct.new(:handle)

    @objects = {}
    @last = 0
    @functions = {}
    @lock = Mutex.new

    class << self
      # Keeps an object for C; answers the payload.
      def add(object)
        @lock.synchronize do
          @objects[@last += 1] = object
          FFI::Pointer.new(@last)
        end
      end

      def remove(payload)
        address = payload.address
        object = @objects.delete(address) # one step; a finalizer may call it while this thread holds the lock
        step = object.is_a?(Hash) ? object["iterator_next"] : nil
        Jump.out_of { step.leave } if step.respond_to?(:leave)
      end

      def size
        @objects.size
      end

      # The C function for procs of a kind: "tensor_hook".
      def function(kind)
        @functions[kind] ||= at_once { kind == "saved_tensors_destroy" ? destroy_packed : make(kind) }
      end

      # The C function that only has Ruby look for what has come for this thread.
      def interrupt
        @functions["interrupt"] ||= at_once do
          FFI::Function.new(:int32, %i[pointer pointer]) { |error, _payload| guard(error) { Thread.pass } }
        end
      end

      # `void (*destroy)(void *payload)`
      def destroy
        @functions["destroy"] ||= at_once { FFI::Function.new(:void, [:pointer]) { |payload| remove(payload) } }
      end

      private

      # With the first function ffi starts a Thread, which would wait for ever when the process ends if it inherited that
      # Thread#kill is to wait.
      def at_once(&make)
        Thread.handle_interrupt(Jump::AT_ONCE, &make)
      end

      def destroy_packed
        FFI::Function.new(:void, %i[pointer pointer]) { |packed, _payload| remove(packed) }
      end

      def make(kind)
        signature = Raw.signature("ctorch_#{kind}_callback") || Raw.signature("ctorch_#{kind}")
        FFI::Function.new(:int32, signature.parameters.map(&:ffi_type)) do |*values|
          given = signature.parameters.map(&:name).zip(values).to_h
          guard(given["error"]) { run(kind, signature, given) }
        end
      end

      def guard(error, &block)
        left = Jump.out_of(&block)
        return CONSTANTS[:callback_status][:ok] unless left

        begin
          error.write_pointer(Error.give(left))
        rescue ::StandardError
          nil # C then finds no error, and makes one that says just that
        end
        FAILED
      end

      def run(kind, signature, given)
        answer = @objects.fetch(given["payload"].address).fetch(kind).call(*arguments(signature, given))
        results(signature, given, answer)
      end

      # Memory that C wants read or filled is an address and a number of bytes, which a proc that fills it is told.
      def memory?(parameter)
        parameter.kind == "address" && parameter.name == "data"
      end

      def arguments(signature, given)
        reads = signature.parameters.any? { |p| memory?(p) && !p.result }
        wanted = signature.parameters.reject do |p|
          p.result || %w[len payload].include?(p.kind) || (reads && p.name == "nbytes")
        end
        wanted.map do |p|
          value = given[p.name]
          case p.kind
          when "handle" then HANDLES.fetch(p.type).retained(value)
          when "handles" then entries(value, given["#{p.name}_len"], p.type)
          when "string" then value.null? ? nil : text(value)
          when "strings" then pointers(value, given["#{p.name}_len"]).map { |pointer| text(pointer) }
          when "list" then numbers(value, given["#{p.name}_len"], p.type)
          when "address" then memory?(p) ? value.read_bytes(given["nbytes"]) : @objects.fetch(value.address)
          else CONSTANTS.key?(p.type.to_sym) ? Call.symbol(value, p.type) : value
          end
        end
      end

      def entries(array, count, type)
        pointers(array, count).map { |pointer| HANDLES.fetch(type).retained(pointer) }
      end

      def pointers(array, count)
        count.zero? ? [] : array.read_array_of_pointer(count)
      end

      def text(pointer)
        pointer.read_string.force_encoding("UTF-8")
      end

      def numbers(array, count, type)
        return [] if count.zero?

        type == "double" ? array.read_array_of_double(count) : array.read_array_of_int64(count)
      end

      def results(signature, given, answer)
        signature.parameters.select { |p| p.result && p.name != "error" }.each do |p|
          out = given[p.name]
          case p.kind
          when "address" then memory?(p) ? fill(out, answer, given["nbytes"]) : out.write_pointer(add(answer))
          when "value" then p.type == "bool" ? out.write_uint8(truth(answer)) : out.write_double(number(answer))
          when "struct" then device(out, answer)
          when "handles" then hand_over_all(out, given["#{p.name}_len"], answer || [])
          else hand_over(out, answer, p.type)
          end
        end
      end

      # The bytes of which C has said how many it wants.
      def fill(out, answer, nbytes)
        raise ::TypeError, "the proc must answer a String of bytes, not a #{answer.class}" unless answer.is_a?(String)

        size = answer.bytesize
        raise ::ArgumentError, "the proc must answer #{nbytes} bytes, not #{size}" unless size == nbytes

        out.put_bytes(0, answer)
      end

      def truth(answer)
        return answer ? 1 : 0 if [true, false].include?(answer)

        raise ::TypeError, "the proc must answer true or false, not #{answer.inspect}"
      end

      # A device; nil leaves what is there.
      def device(out, answer)
        return if answer.nil?
        unless [Symbol, String, Device].any? { |type| answer.is_a?(type) }
          raise ::TypeError, "the proc must answer a device, not #{answer.inspect}"
        end

        call = Call.new
        out.put_bytes(0, call.pointer(answer, "device").read_bytes(8))
      end

      # A number that a proc computed; a tensor of one element is one.
      def number(answer)
        answer = answer.item if answer.is_a?(Tensor)
        raise ::TypeError, "the proc must answer a number, not a #{answer.class}" unless answer.is_a?(Numeric)

        answer.to_f
      end

      def hand_over(out, answer, type)
        return if answer.nil?

        if answer.is_a?(Made)
          hand_over(out, answer.handle, type)
          return answer.handle.close
        end

        call = Call.new
        if type == "tensor_list"
          call.check(Raw.ctorch_tensor_list_new(out, call.handles(Array(answer), "tensor"), call.length))
        else
          pointer = call.handle(answer, type)
          Raw.public_send(COUNTING.fetch(type.to_sym)[1], pointer)
          out.write_pointer(pointer)
        end
      ensure
        call&.finish
      end

      def hand_over_all(out, count, answer)
        answer = [answer] unless answer.is_a?(Array)
        raise ArgumentError, "expected #{count} results, got #{answer.size}" unless answer.size == count

        answer.each_with_index do |object, i|
          value = object.nil? || object.is_a?(Value) ? object : Value.of(object)
          hand_over(out + (8 * i), value, "value")
        end
      end
    end
  end
end
