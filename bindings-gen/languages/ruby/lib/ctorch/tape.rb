module Ctorch
  # Tapes: a step that runs once, and is replayed without dispatch, allocations and autograd.
  #
  #   step = Ctorch.capture(x) { |x| model.(x) }
  #   y = step.(batch) # as if the block had been called with `batch`
  #
  # What is noted are the operators that the block calls; what Ruby does between them is not done again.
  class Tape
    extend OneObject

    public_class_method :new

    def self.class_for(_)
      Tape
    end

    # Calls a block with these tensors, and captures what it does. With `fast` results may differ in the last digits; with
    # `verify` each replay is compared with the operators one by one.
    def initialize(*inputs, fast: false, verify: false)
      Tape.adopt(self) { Ctorch.tape_begin(inputs, fast: fast, verify: verify) }
      made = yield(*inputs)
      @single = made.is_a?(Tensor)
      Ctorch.tape_end(self, @single ? [made] : Array(made))
      @outputs = Ctorch.tape_outputs(self).to_a
    rescue ::StandardError
      close if @owned
      raise
    end

    # What the block gave: a tensor, or an Array of tensors. They are the same tensors after each call, with other values:
    # clone what is to be kept.
    def outputs
      @single ? @outputs.first : @outputs
    end

    # Make the step with these inputs, which are copied.
    def call(*inputs)
      Ctorch.tape_replay(self, inputs)
      outputs
    end

    # A table of its operators, and how each is run again.
    def to_s
      Ctorch.tape_text(self).to_s
    end

    # The memory that it keeps.
    def bytes
      Ctorch.tape_bytes(self)
    end
  end

  # A Tape of what a block does with these tensors.
  def self.capture(*inputs, fast: false, verify: false, &block)
    Tape.new(*inputs, fast: fast, verify: verify, &block)
  end
end
