# What is closed, by whom, and what happens then.
module OwnershipTest
  A = Ctorch::Aten

  class << self
    def closing_twice_does_no_harm
      x = A.zeros([3])
      Checks.equal(1, Ctorch.debug_live_handles)
      x.close
      x.close
      Checks.equal([0, true, "Tensor(closed)"], [Ctorch.debug_live_handles, x.closed?, x.to_s])
    end

    def use_after_close_is_an_error
      x = A.zeros([3])
      x.close
      y = A.zeros([3])
      Checks.fails(Ctorch::Handle::ClosedError, "Ctorch::Tensor is closed") { A.add_Tensor(y, x) }
      Checks.fails(Ctorch::Handle::ClosedError) { x.sizes }
      Checks.fails(Ctorch::Handle::ClosedError) { A.cat([y, x]) }
      Checks.fails(::NoMethodError) { y.release }
      Checks.fails(::NoMethodError) { Ctorch.tensor_release(y) }
      Checks.fails(::NoMethodError) { Ctorch.scope_begin }
      Checks.equal([0.0, 0.0, 0.0], y.clone.to_a)
    end

    # The answer of a call in which the block closes what the call uses: nothing is given back before it ends.
    def a_call_keeps_what_its_block_closes
      x = Ctorch::Tensor.of([3.0]).requires_grad!
      y = x * x
      hook = y.register_hook { |_| nothing_is_given_back { y.close } }
      y.backward
      Checks.equal([true, [6.0]], [y.closed?, x.grad.to_a])
      Checks.fails(Ctorch::Handle::ClosedError) { y.backward }
      dataset = nil
      dataset = Ctorch::Data::Dataset.from(samples { |index| nothing_is_given_back { dataset.close } || index })
      Checks.equal([1, true], [dataset[1], dataset.closed?])
      applied = nil
      close = -> { nothing_is_given_back { applied.close } }
      applied = Class.new(Ctorch::Module) { define_method(:forward) { |input| close.call || input } }.new
      Checks.equal([3.0], applied.(x).to_a)
      [hook, x].each(&:close)
    end

    # A call in one thread waits until another one has closed what it uses.
    def a_call_keeps_what_another_thread_closes
      entered, closed = Queue.new, Queue.new
      inputs = [A.full([2], 1.5), A.full([2], 2.0)]
      caller = Thread.new do
        Ctorch.checkpoint(inputs) do |given|
          entered << true
          closed.pop
          [given[0] * given[1]]
        end
      end
      entered.pop
      nothing_is_given_back { inputs.each(&:close) }
      closed << true
      Checks.equal([3.0, 3.0], caller.value[0].to_a)
      Checks.fails(Ctorch::Handle::ClosedError) { A.cat(inputs) }
    end

    # Each call begins before the tensor is closed, and is right, or after that, and is an error.
    def threads_close_what_others_use
      500.times do
        x = A.full([2], 1.5)
        user = Thread.new do
          loop { Checks.equal([[3.0, 3.0], [2]], [(x + x).to_a, x.sizes]) }
        rescue Ctorch::Handle::ClosedError
          :closed
        end
        Thread.pass
        2.times.map { Thread.new { x.close } }.each(&:join)
        Checks.equal(:closed, user.value)
      end
    end

    # A data set waits, when it goes with its iterator, until another thread has seen that this one sleeps.
    def closing_lets_other_threads_run
      c = FFI::DynamicLibrary.open(nil, FFI::DynamicLibrary::RTLD_NOW)
      init, wait, post = %w[sem_init sem_wait sem_post].map { |name| c.find_function(name) }
      semaphore = FFI::MemoryPointer.new(64)
      FFI::Function.new(:int, %i[pointer int uint], init).call(semaphore, 0, 0)
      closing = Thread.current
      %i[itself iterate].each do |what|
        out = FFI::MemoryPointer.new(:pointer)
        error = Ctorch::Raw.ctorch_dataset_from_callback(out, 1, wait, true, wait, semaphore)
        Checks.that(error.null?, "no data set")
        dataset = Ctorch::Dataset.take(out.read_pointer)
        last = dataset.public_send(what)
        dataset.close unless last.equal?(dataset)
        other = Thread.new do
          Thread.pass until closing.status == "sleep"
          FFI::Function.new(:int, %i[pointer], post).call(semaphore)
        end
        last.close
        other.join
      end
    end

    def what_is_forgotten_is_collected
      1000.times { A.zeros([3]) }
      Checks.that(Checks.live_handles < 10, "#{Ctorch.debug_live_handles} are left")
    end

    def dup_is_a_copy
      x = A.ones([2])
      y = x.dup
      y.fill__Scalar(5)
      Checks.equal([[1.0, 1.0], [5.0, 5.0]], [x.to_a, y.to_a])
      x.close
      Checks.equal([5.0, 5.0], y.to_a)
      Checks.fails(::NoMethodError) { Ctorch::Value.of(1).dup }
      Checks.fails(Ctorch::Handle::ClosedError) { x.dup }
    end

    # A hook collects in the middle of a call whose lists nobody else refers to, and another thread all the time.
    def lists_outlive_their_last_use
      x = Ctorch::Tensor.of([1.0, 2.0]).requires_grad!
      y = x * 3
      hook = y.register_hook do |_|
        3.times { GC.start }
        nil
      end
      50.times do |round|
        grads = Ctorch.autograd_grad([y.sum], [x], [Ctorch::Tensor.of(round)], retain_graph: true)
        Checks.equal([3.0 * round, 3.0 * round], grads[0].to_a)
      end
      [hook, x, y].each(&:close) # the block holds them
      done = false
      collector = Thread.new { GC.start && Thread.pass until done }
      200.times do |round|
        sum = A.cat([A.full([1000], round), A.full([1000], 2), A.full([1000], 3)]).sum
        Checks.equal(1000.0 * (round + 5), sum.item)
        loss = Ctorch.checkpoint([A.full([10], round), A.full([10], 2)]) { |inputs| [(inputs[0] * inputs[1]).sum] }
        Checks.equal(20.0 * round, loss[0].item)
      end
    ensure
      done = true
      collector&.join
    end

    def a_scope_closes_what_its_thread_made
      kept = Ctorch.scope do
        a = A.zeros([2])
        inner = Ctorch.scope { [a + 1, a + 2] }
        Checks.equal([2.0, 2.0], inner[1].to_a)
        inner[0]
      end
      Checks.equal([1, [1.0, 1.0]], [Ctorch.debug_live_handles, kept.to_a])
      kept.close
      Checks.fails(::ZeroDivisionError) { Ctorch.scope { A.zeros([1]) && 1 / 0 } }
      Checks.equal(0, Ctorch.debug_live_handles)
    end

    # 10,000 temporaries of 10 MB, 100 GB in all; at no time do more than 1 GB of them live.
    def temporaries_stay_under_the_threshold
      Ctorch.collect_under_pressure(500_000_000)
      peak = 0
      10_000.times do
        A.empty_memory_format([2_500_000])
        peak = [peak, Ctorch.memory_pressure_held_bytes].max
      end
      Checks.that(peak.between?(10_000_000, 1_000_000_000), "held at most: #{peak}")
    ensure
      Ctorch.memory_pressure_clear_callback
    end

    # What the callback raises arrives at the call that made the memory grow.
    def a_failing_pressure_callback
      Ctorch.memory_pressure_set_callback(1_000_000) { raise ::IOError, "under pressure" }
      Checks.fails(::IOError, "under pressure") { A.empty_memory_format([10_000_000]) }
    ensure
      Ctorch.memory_pressure_clear_callback
    end

    private

    # Two samples, which the block makes.
    def samples(&made)
      Object.new.tap do |object|
        object.define_singleton_method(:size) { 2 }
        object.define_singleton_method(:[]) { |index| made.call(index) }
      end
    end

    def nothing_is_given_back
      before = Ctorch.debug_live_handles
      yield
      Checks.equal(before, Ctorch.debug_live_handles)
    end
  end
end
