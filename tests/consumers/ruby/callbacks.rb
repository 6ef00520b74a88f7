# C calls Ruby: what it gives and gets, and what becomes of exceptions.
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

    private

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
