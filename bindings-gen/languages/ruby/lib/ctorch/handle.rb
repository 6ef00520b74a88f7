module Ctorch
  # An object of the library. It ends when it is closed and no call uses it any more, or some time after nothing refers
  # to it. Closing twice does no harm; a call with a closed one raises ClosedError.
  #
  # Threads need no lock: Ruby runs one of them at a time, and a method of an Array is one step. A call notes itself
  # before it looks whether the handle is closed, `close` closes it before it looks for calls, and of those who then find
  # that nobody uses it the first one alone finds the pointer.
  class Handle
    ClosedError = Class.new(IOError)

    class << self
      # The name of the type in C: "tensor".
      attr_reader :c_type

      # Takes over a reference; nil for NULL.
      def take(pointer)
        pointer.null? ? nil : new(pointer)
      end

      # One more reference to what C lends; nil for NULL.
      def retained(pointer)
        return if pointer.null?

        Raw.public_send(COUNTING.fetch(c_type.to_sym)[1], pointer)
        new(pointer)
      end

      private :new

      def inherited(subclass)
        super
        subclass.private_class_method :new
      end
    end

    def initialize(pointer)
      @owned = [pointer, COUNTING.fetch(self.class.c_type.to_sym)[0]]
      @calls = [] # an entry for each that uses it
      @closed = false
      ObjectSpace.define_finalizer(self, Handle.finalizer(@owned))
      Thread.current[:ctorch_scope]&.push(self)
    end

    def self.finalizer(owned)
      proc { release(owned) }
    end

    # `slice!` is one step: whoever comes second finds nothing.
    def self.release(owned)
      pointer, release = owned.slice!(0, 2)
      Thread.handle_interrupt(Jump::LATER) { Raw.public_send(release, pointer) } if pointer
    end

    def close
      return if @closed

      @closed = true
      ObjectSpace.undefine_finalizer(self)
      Handle.release(@owned) if @calls.empty?
      nil
    end

    def closed?
      @closed
    end

    # The C pointer, for Ctorch::Raw; it is good until the handle is closed.
    def pointer
      raise ClosedError, "#{self.class.name} is closed" if @closed

      @owned.first
    end

    # Calls the block with the C pointer, which is good until the block ends, whoever closes the handle meanwhile.
    def use
      pointer = begin_call
      yield pointer
    ensure
      end_call if pointer
    end

    # The C pointer, which is good until `end_call`.
    def begin_call
      @calls.push(true)
      return @owned.first unless @closed

      end_call
      raise ClosedError, "#{self.class.name} is closed"
    end

    def end_call
      @calls.pop
      Handle.release(@owned) if @closed && @calls.empty?
    end

    def inspect
      closed? ? "#<#{self.class.name} closed>" : "#<#{self.class.name}>"
    end

    # A dup would be given back twice.
    undef_method :dup, :clone
  end

  # The handles that are something else in Ruby: an exception, a String, an Array; and Ctorch.scope.
  NO_HANDLES = %i[error string tensor_list scope].freeze

  HANDLES = COUNTING.keys.reject { |type| NO_HANDLES.include?(type) }.to_h do |type|
    name = type.to_s.split("_").map(&:capitalize).join
    handle = Class.new(Handle) { @c_type = type.to_s }
    const_set(name, handle)
    Raw.prepare(COUNTING[type][0])
    [type.to_s, handle]
  end.freeze
end
