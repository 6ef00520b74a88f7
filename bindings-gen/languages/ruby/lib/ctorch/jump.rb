module Ctorch
  # A way out of a block that C calls which is not an exception: `throw` (and so Timeout), `return`, `break`, the end of
  # the thread. It may not leave C's frames, so it becomes an error of C's, and the call around it goes on with it.
  class Jump < ::Exception
    # What other threads ask of this one (Thread#raise, Thread#kill, Timeout) waits while C runs, and until what C made has
    # an owner; in blocks that C calls it does not.
    LATER = { Object => :never }.freeze # for Thread.handle_interrupt, around each call
    AT_ONCE = { Object => :immediate }.freeze

    class << self
      # Calls the block for C; what it is left by, if not by its end: an exception, or a Jump.
      def out_of(&block)
        thrown = raised = ended = nil
        outer = Thread.current[:ctorch_thrown] # here a signal's handler may raise
        thrown = Thread.current[:ctorch_thrown] = []
        Thread.handle_interrupt(AT_ONCE, &block)
        ended = true
        nil
      rescue ::Exception => e # rubocop:disable Lint/RescueException
        raised = e
      ensure
        Thread.current[:ctorch_thrown] = outer if thrown
        return raised || new(thrown) unless ended # rubocop:disable Lint/EnsureReturn
      end
    end

    # @param thrown  tag and value of the last `throw`, if there was one
    def initialize(thrown)
      @killed = Thread.current.status == "aborting"
      @thrown = thrown
      super("a block that C calls was left by #{@killed ? 'the end of its thread' : 'throw, return or break'}")
    end

    # Goes on, now that C has returned.
    def go_on
      throw(*@thrown) unless @killed || @thrown.empty?
      raise LocalJumpError, message unless @killed

      Thread.current.report_on_exception = false
      raise self # a Thread that was killed and did not end cannot be killed again
    end
  end

  # Notes what a block that C calls throws.
  module NotedThrow
    private

    def throw(tag, value = nil)
      Thread.current[:ctorch_thrown]&.replace([tag, value])
      super
    end
  end

  ::Kernel.prepend(NotedThrow)
end
