module Ctorch
  # Closing many tensors at once, and having Ruby collect those that were forgotten.
  class << self
    # Closes what this thread makes in the block, but for what the block answers: a handle, or an array of them.
    def scope
      outer = Thread.current[:ctorch_scope]
      made = Thread.current[:ctorch_scope] = []
      answer = yield
    ensure
      Thread.current[:ctorch_scope] = outer
      kept = [answer].flatten.select { |value| value.is_a?(Handle) }
      (made || []).each { |handle| kept.any? { |k| k.equal?(handle) } ? outer&.push(handle) : handle.close }
    end

    # Has Ruby collect garbage each time that what tensors hold has grown by so many bytes, or when memory runs out; the
    # call that needed it is then tried again. Loading ctorch does it with DEFAULT_PRESSURE, or CTORCH_COLLECT in the
    # environment: bytes, or "off".
    #
    # C calls back on this thread alone: another one, such as a loader's worker, would wait for Ruby's lock, which a call
    # that waits for the worker may hold.
    def collect_under_pressure(threshold)
      memory_pressure_set_thread_callback(threshold) { GC.start }
    end

    # Takes that back.
    def ignore_pressure
      memory_pressure_clear_callback
    end
  end

  DEFAULT_PRESSURE = 128 << 20

  setting = ENV.fetch("CTORCH_COLLECT", "")
  unless setting == "off"
    collect_under_pressure(Integer(setting, exception: false) || DEFAULT_PRESSURE)
    at_exit { ignore_pressure } # Ruby cannot be called any more
  end
end
