# Modules: torch.nn's classes, classes of one's own, and what they hold.
module ModulesTest
  A = Ctorch::Aten
  NN = Ctorch::NN
  T = Ctorch::Tensor

  class Block < Ctorch::Module
    attr_reader :note

    def initialize(size)
      super()
      @note = [1]
      self.linear = NN.Linear(size, size)
      self.scale = Ctorch::Parameter.of(A.full([size], 2.5))
      register_buffer("offset", A.ones([size]))
      register_buffer("cache", A.ones([1]), persistent: false)
    end

    def forward(x, residual: true)
      y = (linear.call(x) * scale) + offset
      residual ? x + y : y
    end

    def extra_repr
      "mine"
    end
  end

  class Twice < Ctorch::Module
    def forward(x)
      x * 2
    end

    def right_inverse(y)
      y * 0.5
    end
  end

  class Failing < Ctorch::Module
    def forward(_)
      raise KeyError, "not today"
    end
  end

  class Counting < Ctorch::Module
    attr_accessor :extra_state

    def reset_parameters
      self.extra_state = 7
    end
  end

  class << self
    def a_class_of_ones_own_computes_and_prints
      Ctorch.manual_seed(1)
      block = Block.new(2)
      Ctorch.manual_seed(1)
      linear = NN.Linear(2, 2)
      x = T.of([[1.0, 2.0]])
      Checks.equal((x + ((linear.(x) * 2.5) + A.ones([2]))).to_a, block.(x).to_a)
      Checks.equal(((linear.(x) * 2.5) + A.ones([2])).to_a, block.call(x, residual: false).to_a)
      Checks.equal("Block(\n  mine\n  (linear): Linear(in_features=2, out_features=2, bias=True)\n)", block.to_s)
      Checks.equal(%w[scale linear.weight linear.bias], block.named_parameters.map(&:first))
      Checks.equal(%w[scale offset linear.weight linear.bias], block.state_dict.keys)
      Checks.equal({ "version" => 1 }, block.state_and_metadata.last["linear"])
      block.(x).sum.backward
      Checks.equal([2], block.scale.grad.sizes)
      block.zero_grad
      Checks.equal(nil, block.scale.grad)
    end

    def attributes_are_what_was_assigned
      block = Block.new(2)
      Checks.that(block.linear.equal?(block.linear) && block.linear.class_name == "Linear", "the same object")
      block.offset = A.zeros([2])
      block.scale = nil
      Checks.equal([nil, [0.0, 0.0], 2], [block.scale, block.offset.to_a, block.parameters.size])
      block.unregister(:linear)
      Checks.that(!block.respond_to?(:linear), "gone")
      Checks.fails(NoMethodError, "linear") { block.linear }
      Checks.fails(::TypeError, "parameter scale: cannot assign") { block.scale = A.ones([2]) }
      Checks.fails(::TypeError, "buffer offset: expected a tensor") { block.offset = "text" }
      Checks.fails(::TypeError, "register_buffer makes a buffer") { block.other = A.ones([2]) }
      Checks.fails(::TypeError, "expected a Ctorch::Parameter") { block.register_parameter("p", A.ones([2])) }
      Checks.fails(Ctorch::IndexError, "can't contain") { block.register_module("a.b", NN.ReLU) }
      Checks.fails(Ctorch::IndexError, "no attribute") { block.get_submodule("nothing") }
    end

    def containers_take_what_they_hold
      net = NN.Sequential(NN.Linear(2, 3), NN.ReLU) << NN.Linear(3, 1)
      net.insert(1, NN.Tanh)
      names = []
      net.each { |inner| names << inner.class_name }
      Checks.equal([4, %w[Linear Tanh ReLU Linear], "ReLU"], [net.size, names, net.at(-2).class_name])
      Checks.equal(3, net.remove_at(0).size)
      Checks.equal("first", NN.Sequential(first: NN.ReLU).named_children[0][0])
      list = NN.ModuleList([NN.ReLU, Block.new(2)])
      Checks.that(list.at(1).is_a?(Block), "the object")
      Checks.equal(%w[a b], NN.ModuleDict(a: NN.ReLU, b: NN.Tanh).named_children.map(&:first))
      Checks.equal(%w[0], NN.ParameterList([Ctorch::Parameter.of(A.ones([2]))]).named_parameters.map(&:first))
      Checks.equal(%w[x], NN.ParameterDict(x: Ctorch::Parameter.of(A.ones([2]))).named_parameters.map(&:first))
      Checks.fails(Ctorch::NotImplementedError, "missing the required") { list.(T.of([1.0])) }
    end

    def modules_take_and_give_several_values
      output, (h, c) = NN.LSTM(3, 4).(A.ones([5, 2, 3]))
      Checks.equal([[5, 2, 4], [1, 2, 4], [1, 2, 4]], [output.sizes, h.sizes, c.sizes])
      Checks.equal([[1, 3]], NN.MaxPool1d([2], return_indices: true).(T.of([[1.0, 5.0, 2.0, 3.0]]))[1].to_a)
    end

    def modes_moves_and_copies
      net = NN.Sequential(Block.new(2), NN.Dropout).eval
      Checks.equal([false, false, true], [net.training?, net.at(1).training?, net.train.training?])
      Checks.that(net.requires_grad!(false).parameters.none?(&:requires_grad), "none")
      Checks.equal(:float64, net.to(dtype: :float64).parameters[0].dtype)
      seen = []
      net.apply { |inner| seen << inner.class_name }
      Checks.equal([%w[Linear Block Dropout Sequential], 8], [seen, net.num_parameters])
      copy = net.copy
      Ctorch.no_grad { net.at(0).scale.zero_ }
      Checks.equal([[2.5, 2.5], [1], true], [copy.at(0).scale.to_a, copy.at(0).note, copy.at(0).is_a?(Block)])
      Checks.that(!copy.at(0).note.equal?(net.at(0).note), "variables are copied")
      Checks.equal([1, 2], copy.eval.(A.ones([1, 2], dtype: :float64)).sizes)
    end

    def state_goes_through_state_dicts
      a, b = Block.new(2), Block.new(2)
      Checks.equal([[], []], b.load_state_dict(a.state_dict).to_a)
      Checks.equal(a.linear.weight, b.linear.weight)
      Checks.fails(Ctorch::RuntimeError, "Missing key") { b.load_state_dict({}) }
      Checks.equal(["x"], b.load_state_dict({ "x" => T.of([1.0]) }, strict: false).unexpected_keys)
      one, other = Counting.new, Counting.new
      one.reset_parameters
      Checks.equal({ "_extra_state" => 7 }, one.state_dict)
      other.load_state_dict(one.state_dict)
      Checks.equal(7, other.extra_state)
      fresh = Counting.new
      Ctorch.module_reset_parameters(NN.Sequential(fresh))
      Checks.equal(7, fresh.extra_state)
    end

    def hooks_see_and_replace
      block = Block.new(2)
      log = []
      hooks = [
        block.register_forward_pre_hook { |_, args, _| log << args.size; nil },
        block.register_forward_hook { |_, _, kwargs, output| log << kwargs.keys; output.abs * 0 },
        block.register_full_backward_hook { |_, inputs, outputs| log << [inputs.size, outputs.size]; nil }
      ]
      y = block.call(A.ones([1, 2]).requires_grad!, residual: true)
      Checks.equal([[0.0, 0.0]], y.to_a)
      y.sum.backward
      y.close # its graph has the hooks, and blocks hold the variables around them
      Checks.equal([1, [:residual], [1, 1]], log)
      hooks.each { |hook| hook.remove; hook.close }
      block.(A.ones([1, 2]))
      Checks.equal(3, log.size)
    end

    def modules_are_values
      linear = NN.Linear(2, 2)
      net = Ctorch.nn_create("Sequential", [linear, NN.ReLU()], nil)
      Checks.equal([1, 2], net.(A.ones([1, 2])).sizes)
      Checks.fails(Ctorch::TypeError, "must be Module, not int") { Ctorch.nn_create("Sequential", [3], nil) }
    end

    def options_are_attributes
      conv = NN.Conv2d(1, 2, 3, padding: 1, bias: false)
      Checks.equal([1, "zeros", [3, 3], nil], [conv.in_channels, conv.padding_mode, conv.kernel_size.to_a, conv.bias])
      conv.stride = [2, 2]
      Checks.equal([1, 2, 3, 3], conv.(A.ones([1, 1, 5, 5])).sizes)
      dropout = NN.Dropout(p: 0.5)
      dropout.p = 0
      Checks.equal([1, 1], dropout.(A.ones([2])).to_a)
      Checks.fails(Ctorch::ValueError, "p") { dropout.p = 2 }
      Checks.equal(0, dropout.p)
    end

    def a_weight_may_be_computed_by_a_module
      linear = NN.Linear(1, 1)
      twice = Twice.new
      Ctorch.module_register_parametrization(linear, "weight", twice, unsafe: false)
      linear.weight = A.full([1, 1], 3.0)
      Checks.equal([[3.0]], linear.weight.to_a)
      Checks.equal([[1.5]], linear.parametrizations.weight.original.to_a)
      Checks.equal((linear.bias + 3).reshape([1, 1]).to_a, linear.(A.ones([1, 1])).to_a)
      Checks.fails(::TypeError, "which is computed") { linear.weight = NN.ReLU }
      normed = NN.Linear(1, 1)
      Ctorch.module_weight_norm(normed, 0)
      Checks.equal([1, 1], normed.weight.sizes)
    end

    def what_a_forward_raises_comes_out
      Checks.fails(KeyError, "not today") { NN.Sequential(Failing.new).(T.of([1.0])) }
      Checks.fails(Ctorch::NotImplementedError, "Module [Counting] is missing") { Counting.new.(T.of([1.0])) }
    end
  end
end
