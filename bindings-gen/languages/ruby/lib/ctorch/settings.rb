module Ctorch
  # Modes, seeds and threads, by the names that users of PyTorch know.
  class << self
    # Without recording for backward, on this thread.
    def no_grad(&block)
      with_mode(:grad_mode, false, &block)
    end

    # With recording for backward, on this thread: within no_grad.
    def enable_grad(&block)
      with_mode(:grad_mode, true, &block)
    end

    # Nothing is recorded on this thread, and what the block makes never can be.
    def inference_mode(&block)
      with_mode(:inference_mode, true, &block)
    end

    def grad_enabled?
      grad_mode_enabled
    end

    # Seeds the default generators of the CPU and of every device; answers that of the CPU.
    def manual_seed(seed)
      random_manual_seed(seed % (2**64))
      Generator.default
    end

    # What the default generator of the CPU was last seeded with.
    def initial_seed
      random_initial_seed
    end

    # How many threads an operator may use on the CPU.
    def set_num_threads(number)
      threads_set_num(number)
    end

    def get_num_threads
      threads_num
    end

    private

    def with_mode(mode, enabled)
      public_send(:"#{mode}_push", enabled)
      begin
        yield
      ensure
        public_send(:"#{mode}_pop")
      end
    end
  end
end
