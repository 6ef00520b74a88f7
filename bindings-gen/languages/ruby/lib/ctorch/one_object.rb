require "monitor"

module Ctorch
  # Kinds of handles that have a class for each name that C knows: there is one object for each handle of C's, as long as
  # something refers to it. What extends this answers `class_for(pointer)`.
  module OneObject
    def self.extended(kind)
      kind.instance_variable_set(:@known, ObjectSpace::WeakMap.new) # address in C -> object
      kind.instance_variable_set(:@lock, Monitor.new)
    end

    # The object for a reference that we own.
    def take(pointer)
      pointer.null? ? nil : object_for(pointer)
    end

    # The object for what C lends.
    def retained(pointer)
      return if pointer.null?

      Raw.public_send(COUNTING.fetch(c_type.to_sym)[1], pointer)
      object_for(pointer)
    end

    def object_for(pointer)
      @lock.synchronize do
        object = @known[pointer.address]
        if object && !object.closed?
          Raw.public_send(COUNTING.fetch(c_type.to_sym)[0], pointer)
          return object
        end
        made = class_for(pointer).allocate
        Handle.instance_method(:initialize).bind_call(made, pointer)
        @known[pointer.address] = made
      end
    end

    # Gives a new object the handle that the block makes.
    def adopt(object)
      @lock.synchronize do
        taken = yield
        pointer = taken.pointer
        Raw.public_send(COUNTING.fetch(c_type.to_sym)[1], pointer)
        taken.close
        Handle.instance_method(:initialize).bind_call(object, pointer)
        @known[pointer.address] = object
      end
    end

    def inherited(subclass)
      super
      subclass.instance_variable_set(:@c_type, c_type)
      subclass.public_class_method :new
    end

    # Ruby's object for a value, which is given back.
    def ruby(value)
      OneObject.ruby(value)
    end

    def self.ruby(value)
      value&.to_ruby
    ensure
      value&.close
    end
  end
end
