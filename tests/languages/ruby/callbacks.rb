# C calls Ruby: what it gives and gets, and what becomes of exceptions and other ways out.
require "timeout"

module CallbacksTest
  T = Ctorch::Tensor
  A = Ctorch::Aten

  class << self
    def a_function_of_ones_own
      Ctorch.scope do # a block holds every variable around it, so it does not go by itself
        x = T.of([2.0, -3.0], dtype: :float64).requires_grad!
        y = cube.apply([x]).first
        Checks.equal(["CubeBackward", [8.0, -27.0]], [y.grad_fn.name, y.detach.to_a])
        y.sum.backward
        Checks.equal([12.0, 27.0], x.grad.to_a)
        Checks.equal([true, nil], Ctorch.gradcheck([x], 0.0) { |inputs| cube.apply(inputs) }.then { |ok, _| [ok, nil] })
        nil
      end
    end

    def what_a_function_raises_arrives
      Ctorch.scope do # a block holds every variable around it, so it does not go by itself
        in_forward = ::IOError.new("forward")
        in_backward = ::NoMemoryError.new("backward")
        first = Ctorch::AutogradFunction.create("First", forward: ->(_, _) { raise in_forward })
        x = A.ones([1]).requires_grad!
        Checks.that(Checks.fails(::IOError) { first.apply([x]) }.equal?(in_forward), "another object")
        second = Ctorch::AutogradFunction.create("Second", forward: ->(_, i) { [i[0] * 2] }, backward: ->(_, _) { raise in_backward })
        y = second.apply([x]).first
        Checks.that(Checks.fails(::NoMemoryError) { y.backward }.equal?(in_backward), "another object")
        Checks.equal(nil, x.grad)
        third = Ctorch::AutogradFunction.create("Third", forward: ->(_, i) { [i[0].matmul(A.zeros([3]))] })
        Checks.fails(Ctorch::ShapeMismatchError) { third.apply([A.zeros([2])]) }
        fourth = Ctorch::AutogradFunction.create("Fourth", forward: ->(_, _) { 7 })
        Checks.fails(::TypeError, "got Integer") { fourth.apply([x]) }
        nil
      end
    end

    def hooks
      Ctorch.scope do # a block holds every variable around it, so it does not go by itself
        x = T.of([1.0, 2]).requires_grad!
        seen = []
        doubling = x.register_hook { |grad| grad * 2 }
        x.register_hook { |grad| seen << grad.to_a && nil }
        (x * 3).sum.backward
        Checks.equal([[6.0, 6.0], [[6.0, 6.0]]], [x.grad.to_a, seen])
        doubling.remove
        x.set_grad(nil)
        x.register_post_accumulate_grad_hook { |leaf| seen << leaf.grad.sum.item }
        (x * 3).sum.backward
        Checks.equal(6.0, seen.last)
        nil
      end
    end

    def what_a_hook_raises_arrives
      Ctorch.scope do # a block holds every variable around it, so it does not go by itself
        x = A.ones([1]).requires_grad!
        raised = ::Exception.new("with \u4f60\u597d and \0 in it")
        x.register_hook { raise raised }
        Checks.that(Checks.fails(::Exception) { (x * 2).backward }.equal?(raised), "another object")
        y = A.ones([1]).requires_grad!
        own = Ctorch::ValueError.new("mine")
        y.register_hook { raise own }
        Checks.that(Checks.fails(Ctorch::ValueError, "mine") { (y * 2).backward }.equal?(own), "another object")
        nil
      end
    end

    def transforms_kernels_and_packed_tensors
      Ctorch.scope do # a block holds every variable around it, so it does not go by itself
        x = T.of([1.0, 2, 3], dtype: :float64)
        grads, = Ctorch.func_grad([x], nil, 0) { |inputs| [(inputs[0]**3).sum] }
        Checks.equal([3.0, 12.0, 27.0], grads[0].to_a)
        Checks.fails(::IOError, "inside") { Ctorch.func_grad([x], nil, 0) { raise ::IOError, "inside" } }
        library = Ctorch::Library.create("rubytest")
        library.define("twice(Tensor x) -> Tensor")
        library.implement("twice", dispatch_key: "CPU") { |args| Ctorch::Value.from_tensor(args[0].to_tensor * 2) }
        op = Ctorch::Op.find("rubytest::twice")
        Checks.equal([2.0, 4.0], op.call([Ctorch::Value.from_tensor(T.of([1.0, 2.0]))]).then { |r| r.kind_of == :tuple ? r.get(0) : r }.to_tensor.to_a)
        packed = 0
        Ctorch.saved_tensors_hooks_push(pack: ->(t) { (packed += 1) && (t * 1).detach }, unpack: ->(object) { object })
        w = T.of([3.0]).requires_grad!
        z = w * w
        Ctorch.saved_tensors_hooks_pop
        z.backward
        Checks.equal([[6.0], 2], [w.grad.to_a, packed])
        nil
      end
    end

    # A thread fails with a shape of its own, and gets just that.
    def each_thread_gets_its_own_error
      threads = (2..9).map do |rows|
        Thread.new do
          100.times do
            e = Checks.fails(Ctorch::ShapeMismatchError) { A.zeros([rows, rows + 1]).matmul(A.zeros([rows + 100, 1])) }
            Checks.equal([rows + 100, 1], e.got_shape)
            mine = ::ArgumentError.new("thread #{rows}")
            x = A.ones([1]).requires_grad!
            x.register_hook { raise mine }
            Checks.that(Checks.fails(::ArgumentError) { (x * 2).backward }.equal?(mine), "another thread's exception")
            x.close # the block holds x, and x the block
          end
        end
      end
      threads.each(&:join)
    end

    # C made the thread.
    def callbacks_on_foreign_threads
      raised = ::IOError.new("on a thread of C's")
      20.times do
        got = here = nil
        body = FFI::Function.new(:pointer, [:pointer]) do
          here = Thread.current
          x = A.ones([1]).requires_grad!
          x.register_hook { raise raised }
          got = Checks.fails(::IOError) { (x * 2).backward }
          x.close # the block above holds x, and x the block
          nil
        rescue ::Exception => e
          got = e
          nil
        end
        id = FFI::MemoryPointer.new(:ulong)
        Checks.equal(0, Pthread.pthread_create(id, nil, body, nil))
        Checks.equal(0, Pthread.pthread_join(id.read_ulong, nil))
        Checks.that(got.equal?(raised) && here != Thread.current, "got #{got.inspect}")
      end
    end

    def payloads_go_with_what_holds_them
      before = Ctorch::Callbacks.size
      x = A.ones([1]).requires_grad!
      x.register_hook { |grad| grad }.close
      Checks.equal(before + 1, Ctorch::Callbacks.size)
      x.close
      Checks.equal(before, Ctorch::Callbacks.size)
    end

    # Afterwards grad mode, which is off in `forward`, is on, and the trainer is not at work.
    def a_throw_out_of_a_block_goes_on_outside
      thrown = catch(:done) do
        within_forward { throw :done, 5 }
        :not_thrown
      end
      Checks.equal([5, true], [thrown, Ctorch.grad_mode_enabled])
      inner = within_forward { catch(:inner) { throw :inner, A.ones([1]) } } # one that C does not see
      Checks.equal([1.0], inner.to_a)
      Checks.fails(::UncaughtThrowError, "uncaught throw :nowhere") { within_forward { throw :nowhere } }
      nested = catch(:nested) { within_forward { within_forward { throw :nested, 7 } } }
      Checks.equal([7, true], [nested, Ctorch.grad_mode_enabled])
    end

    def return_and_break_are_errors
      wording = "a block that C calls was left by throw, return or break"
      Checks.fails(::LocalJumpError, wording) { returning }
      Checks.fails(::LocalJumpError, wording) { Ctorch.checkpoint([A.ones([1])]) { break } }
      Checks.equal([6.0], within_forward { next A.full([1], 6.0) }.to_a)
      Checks.equal(true, Ctorch.grad_mode_enabled)
    end

    def timeouts_end_blocks
      Checks.fails(::Timeout::Error, "execution expired") do
        ::Timeout.timeout(0.01) { within_forward { sleep } }
      end
      Checks.fails(::Timeout::Error, "execution expired") do
        ::Timeout.timeout(0.01) { within_forward { A.ones([1]) } while true }
      end
      Checks.equal(true, Ctorch.grad_mode_enabled)
    end

    # Another thread raises in this one, and ends it; what it did is undone in either case.
    def what_other_threads_ask_for
      entered = Queue.new
      asked = lambda do |&ask|
        Thread.new do
          within_forward { entered << true && sleep }
        rescue ::IOError => raised
          [raised.message, Ctorch.grad_mode_enabled]
        ensure
          entered << Ctorch.grad_mode_enabled
        end.tap { |thread| entered.pop && ask.call(thread) }
      end
      Checks.equal(["stop", true], asked.call { |thread| thread.raise(::IOError, "stop") }.value)
      entered.pop
      killed = asked.call(&:kill)
      Checks.fails(Ctorch::Jump, "the end of its thread") { killed.join }
      Checks.equal([true, false], [entered.pop, killed.alive?])
    end

    def a_trainer_that_was_left_is_not_at_work
      model = Ctorch::NN.Linear(1, 1)
      batches = Ctorch::Loader.from([[A.ones([1, 1]), A.ones([1, 1])]] * 3)
      trainer = Ctorch::Trainer.new(model, Ctorch::Optim::SGD.new(model.parameters, lr: 0.1))
                               .set_loss(Ctorch::NN.MSELoss()).set_length(epochs: 1)
      leave = true
      trainer.on(:step) { throw :left if leave }
      catch(:left) { trainer.fit(batches) }
      leave = false
      trainer.fit(batches)
      Checks.equal([1, true], [trainer.epoch, Ctorch.grad_mode_enabled])
      trainer.close
    end

    private

    # What a function of one's own gives, whose forward is the block.
    def within_forward(&block)
      Ctorch::AutogradFunction.create("Within", forward: ->(_, _) { [block.call] }).apply([A.ones([1]).requires_grad!]).first.detach
    end

    def returning
      Ctorch.checkpoint([A.ones([1])]) { |_| return 3 }
    end

    def cube
      Ctorch::AutogradFunction.create(
        "Cube",
        forward: lambda { |context, inputs|
          context.save_for_backward([inputs[0]])
          [inputs[0]**3]
        },
        backward: ->(context, grads) { [(context.saved_tensors[0]**2) * 3 * grads[0]] }
      )
    end
  end

  # What makes a thread that Ruby does not know.
  module Pthread
    extend FFI::Library
    ffi_lib FFI::Library::LIBC
    attach_function :pthread_create, %i[pointer pointer pointer pointer], :int
    attach_function :pthread_join, %i[ulong pointer], :int, blocking: true
  end
end
