module Ctorch
  # What ends a call that waits: Ctrl-C and other signals, Thread#raise, Thread#kill, Timeout.
  #
  # C asks Ruby several times a second whether to wait on. What has come for the thread is taken up there, as in any block
  # that C calls.
  module Interrupts
    class << self
      # The answer of the block, which is a call of C.
      def end_call
        thread = Thread.current
        return yield if thread.thread_variable_get(:ctorch_asks) # this call is made while another one asks

        begin
          thread.thread_variable_set(:ctorch_asks, true)
          Call.new.check(Raw.ctorch_interrupt_set_callback(Callbacks.interrupt, nil, nil))
          yield
        ensure
          Raw.ctorch_interrupt_clear_callback
          thread.thread_variable_set(:ctorch_asks, nil)
        end
      end
    end
  end
end
