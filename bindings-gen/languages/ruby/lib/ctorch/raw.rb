require "ffi"

module Ctorch
  # Every C function by its name, as it is: pointers in, pointers out. One is bound when it is called first.
  module Raw
    extend FFI::Library

    ffi_lib ENV.fetch("CTORCH_LIBRARY", "libctorch.so.0")

    FUNCTIONS = File.read(File.join(__dir__, "functions.txt"), encoding: "UTF-8").freeze
    NUMBERS = {
      "bool" => :bool, "double" => :double, "size_t" => :size_t, "int32_t" => :int32, "int64_t" => :int64,
      "uint8_t" => :uint8, "uint16_t" => :uint16, "uint32_t" => :uint32, "uint64_t" => :uint64
    }.freeze
    # Functions that may wait for other threads, which may have to call Ruby meanwhile, or for a disk.
    WAITING = /
      backward|autograd|grad|function|checkpoint|func_|op_call|synchronize|
      \Actorch_(?:serialization|safetensors|np[yz]|sharded|snapshots_(?:save|step|wait|resume|set_async))|
      \Actorch_(?:weights_(?:open|tensor|slice|load)|reader_read\z|writer_(?:write|finish))|
      \Actorch_(?:iterator_(?:next|load)|loader_iterate|dataset_(?:get|iterate)|datasets_|trainer_(?:fit|evaluate))|
      \Actorch_(?:iterator|loader|dataset|trainer|snapshots)_release\z
    /x
    # Those among them that ask whether to wait on: see Interrupts.
    ASKING = /\Actorch_(?:iterator_(?:next|load)|loader_iterate|dataset_iterate|trainer_(?:fit|evaluate))/

    Parameter = Struct.new(:name, :kind, :type, :mark, :result) do
      # The type that ffi passes.
      def ffi_type
        return :pointer if result || !%w[value len].include?(kind)

        NUMBERS.fetch(type, :int32) # an enumeration
      end
    end

    Signature = Struct.new(:name, :returned, :type, :parameters, :same) do
      def ffi_result
        case returned
        when "nothing" then :void
        when "value" then NUMBERS.fetch(type, :int32)
        else :pointer
        end
      end
    end

    @signatures = {}
    @lock = Mutex.new

    class << self
      # What is known of a function or callback; nil if there is none of that name.
      def signature(name)
        @signatures[name] ||= begin
          line = FUNCTIONS[/^#{Regexp.escape(name)} .*/]
          line && parse(line)
        end
      end

      # The names of all functions.
      def names
        FUNCTIONS.scan(/^ctorch_\w+/).select { |name| callable?(name) }
      end

      # Binds a function now: a finalizer may not wait for the lock that this takes.
      def prepare(name)
        bind(signature(name.to_s)) unless singleton_methods(false).include?(name.to_sym)
      end

      def method_missing(name, *arguments)
        signature = signature(name.to_s)
        return super unless signature && callable?(name.to_s)

        bind(signature)
        public_send(name, *arguments)
      end

      def respond_to_missing?(name, include_private = false)
        !signature(name.to_s).nil? || super
      end

      private

      def callable?(name)
        name.match?(/_(?:add|clear|from|from_stateful|set|set_thread)_callback\z/) || !name.match?(/_callback\z|\Actorch_optimizer_closure\z/)
      end

      def bind(signature)
        @lock.synchronize do
          types = signature.parameters.map(&:ffi_type)
          attach_function signature.name, types, signature.ffi_result, blocking: WAITING.match?(signature.name)
        end
      end

      def parse(line)
        line, same = line.split(" -> ")
        name, returned, *words = line.split
        returned, type = returned.split(":")
        parameters = words.map do |word|
          result = word.delete_prefix!(">")
          /\A(?<parameter>\w+):(?<kind>\w+):(?<c_type>\w+)(?<mark>.*)\z/ =~ word
          Parameter.new(parameter, kind, c_type, mark, !result.nil?)
        end
        Signature.new(name, returned, type, parameters, same.to_s.split)
      end
    end
  end
end
