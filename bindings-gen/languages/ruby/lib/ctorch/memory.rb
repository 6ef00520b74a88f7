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
    # call that needed it is then tried again.
    def collect_under_pressure(threshold)
      memory_pressure_set_callback(threshold) { GC.start }
    end
  end
end
