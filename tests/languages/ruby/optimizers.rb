# Optimizers, schedulers and the scaler: what they show, take and refuse. training.rb has what they compute.
module OptimizersTest
  NN = Ctorch::NN
  Optim = Ctorch::Optim
  Schedulers = Optim::LRScheduler
  T = Ctorch::Tensor

  class << self
    def groups_show_and_take_their_options
      a = weights
      optimizer = Optim::SGD.new([{ params: [a], lr: 0.5 }, { params: [weights] }], 0.25, momentum: 0.5)
      Checks.equal([2, 0.25], [optimizer.param_groups.size, optimizer.defaults[:lr]])
      first, second = optimizer.param_groups
      Checks.equal([0.5, 0.25, [1.5, 2.0]], [first[:lr], second["lr"], first[:params][0].to_a])
      second[:lr] = 0.125
      second[:note] = [1, "two"]
      Checks.equal([0.125, [1, "two"]], [optimizer.param_groups[1][:lr], optimizer.param_groups[1][:note]])
      Checks.equal([nil, :params, 0.5], [first[:note], first.keys[0], second.to_h[:momentum]])
      optimizer.add_param_group({ params: [weights], nesterov: true })
      Checks.equal([3, true], [optimizer.param_groups.size, optimizer.param_groups[2][:nesterov]])
      stepped(optimizer, a)
      Checks.equal([0.0, 0.0], a.to_a)
      Checks.fails(Ctorch::ValueError, "cannot be replaced") { first[:params] = [] }
    end

    def names_come_with_parameters
      model = NN.Linear(2, 1)
      optimizer = Optim::AdamW.new(model.named_parameters, lr: 0.1)
      Checks.equal(%w[weight bias], optimizer.param_groups[0][:param_names])
      grouped = Optim::AdamW.new([{ params: model.named_parameters, lr: 1 }])
      Checks.equal(%w[weight bias], grouped.param_groups[0][:param_names])
      Checks.equal("lr: 0.5", Optim::SGD.new([weights], 0.5).to_s[/lr: [\d.]+/])
      Checks.equal([true, false], [optimizer.is_a?(Optim::Optimizer), optimizer.is_a?(Optim::SGD)])
    end

    def a_class_may_be_derived_from_one
      mine = Class.new(Optim::SGD) { def initialize(params) = super(params, lr: 0.25) }
      weight = weights
      optimizer = mine.new([weight])
      stepped(optimizer, weight)
      Checks.equal([0.75, 1.0], weight.to_a)
    end

    def a_learning_rate_may_be_a_tensor
      rate = T.of(0.5)
      weight = weights
      optimizer = Optim::SGD.new([weight], rate)
      rate.fill_(0.25)
      stepped(optimizer, weight)
      Checks.equal([0.75, 1.0], weight.to_a)
    end

    def a_closure_computes_the_loss
      weight = weights
      optimizer = Optim::SGD.new([weight], 0.25)
      loss = optimizer.step { stepless(optimizer, weight) }
      Checks.equal([6.25, [0.75, 1.0]], [loss.item, weight.to_a])
      Checks.equal(3, optimizer.step { 3 })
      Checks.fails(KeyError, "mine") { optimizer.step { raise KeyError, "mine" } }
    end

    def states_are_seen_and_go_through_state_dicts
      weight = weights
      optimizer = Optim::Adam.new([weight])
      Checks.equal({}, optimizer.state[weight])
      stepped(optimizer, weight)
      Checks.equal([1.0, [2]], [optimizer.state[weight][:step].item, optimizer.state[weight][:exp_avg].sizes])
      saved = optimizer.state_dict
      Checks.equal([0], saved["param_groups"][0]["params"])
      other = Optim::Adam.new([weights], lr: 7)
      other.load_state_dict(saved)
      group = other.param_groups[0]
      Checks.equal([0.001, 1.0], [group[:lr], other.state[group[:params][0]][:step].item])
      optimizer.state[weight] = {}
      Checks.equal(nil, optimizer.state[weight][:step])
      Checks.fails(Ctorch::IndexError, "param_groups") { other.load_state_dict({ "state" => {} }) }
    end

    def hooks_see_steps_and_state_dicts
      log = []
      optimizer = Optim::SGD.new([weights], 0.25)
      inner = Optim::SGD.new([weights], 0.5).state_dict
      hooks = [*step_hooks(optimizer, log), *state_hooks(optimizer, log)]
      optimizer.step
      Checks.equal(7, optimizer.state_dict["mine"])
      optimizer.load_state_dict({ "inner" => inner })
      Checks.equal(["all", optimizer.class, "post", "all after", "saving", "loaded"], log)
      Checks.equal(0.5, optimizer.param_groups[0][:lr])
      hooks.each(&:remove)
      optimizer.step
      Checks.equal(6, log.size)
    end

    def what_does_not_fit_is_refused
      Checks.fails(Ctorch::ValueError, "empty parameter list") { Optim::SGD.new([], 0.1) }
      Checks.fails(Ctorch::TypeError, "unexpected keyword argument 'rate'") { Optim::SGD.new([weights], rate: 1) }
      Checks.fails(Ctorch::ValueError) { Optim::SGD.new([weights], -1) }
      Checks.fails(Ctorch::TypeError) { Optim::SGD.new([3], 0.1) }
      Checks.fails(NameError, "Nothing") { Optim::Nothing }
      Checks.fails(NameError, "Nothing") { Schedulers::Nothing }
      optimizer = Optim::SGD.new([weights], 0.1)
      2.times { optimizer.close }
      Checks.fails(Ctorch::Handle::ClosedError) { optimizer.step }
      Checks.fails(NoMethodError, "private method") { Optim::Optimizer.new([weights]) }
    end

    def schedulers_set_the_learning_rates
      optimizer = Optim::SGD.new([weights], 1)
      scheduler = Schedulers::StepLR.new(optimizer, 2, gamma: 0.5)
      Checks.equal([2, 0, nil], [scheduler[:step_size], scheduler.last_epoch, scheduler[:nothing]])
      optimizer.step
      2.times { scheduler.step }
      Checks.equal([0.5, [0.5], [1]], [optimizer.param_groups[0][:lr], scheduler.get_last_lr, scheduler[:base_lrs]])
      scheduler[:gamma] = 0.25
      Checks.equal([0.25, true], [scheduler[:gamma], scheduler.optimizer.equal?(optimizer)])
      other = Schedulers::StepLR.new(optimizer, 9)
      other.load_state_dict(scheduler.state_dict)
      Checks.equal([2, 2], [other[:step_size], other.last_epoch])
      Checks.fails(::ArgumentError, "expected 1 functions") { Schedulers::LambdaLR.new(optimizer, [:a.to_proc] * 2) }
      Checks.fails(::TypeError, "a function") { Schedulers::LambdaLR.new(optimizer, 3) }
      Checks.fails(::TypeError, "a number") { Schedulers::LambdaLR.new(optimizer) { "text" } }
      Checks.fails(Ctorch::TypeError, "unexpected") { Schedulers::StepLR.new(optimizer, 2, factor: 1) }
      scheduler.close
      Checks.fails(Ctorch::Handle::ClosedError) { scheduler.step }
    end

    def several_schedulers_and_functions
      optimizer = Optim::SGD.new([weights], 1)
      half = Schedulers::MultiplicativeLR.new(optimizer, &halving)
      chained = Schedulers::ChainedScheduler.new([half, Schedulers::ConstantLR.new(optimizer, 0.25, total_iters: 1)])
      Checks.equal(0.25, optimizer.param_groups[0][:lr])
      optimizer.step
      chained.step
      Checks.equal(0.5, optimizer.param_groups[0][:lr])
      plateau = Schedulers::ReduceLROnPlateau.new(optimizer, factor: 0.5, patience: 0)
      plateau.step(T.of(1.5))
      plateau.step(1.5)
      Checks.equal([0.25, 0], [optimizer.param_groups[0][:lr], plateau[:num_bad_epochs]])
      Checks.fails(Ctorch::TypeError, "metric") { plateau.step }
      Checks.equal(0, Schedulers::LambdaLR.new(optimizer, rising).last_epoch)
      Checks.fails(KeyError, "mine") { Schedulers::LambdaLR.new(optimizer) { raise KeyError, "mine" } }
    end

    def a_scaler_scales_and_unscales
      weight = weights
      optimizer = Optim::SGD.new([weight], 0.25)
      scaler = Ctorch::Amp::GradScaler.new(:cpu, init_scale: 8.0)
      Checks.equal([true, 8.0, 2000], [scaler.enabled?, scaler.get_scale, scaler.get_growth_interval])
      scaler.scale(weight.pow(2).sum).backward
      Checks.equal([24.0, 32.0], weight.grad.to_a)
      scaler.unscale!(optimizer)
      Checks.equal([3.0, 4.0], weight.grad.to_a)
      scaler.step(optimizer)
      scaler.update
      Checks.equal([0.75, 1.0], weight.to_a)
      Checks.equal(20.0, scaler.scale([T.of(1.5), T.of(2.5)])[1].item)
    end

    def a_scaler_leaves_steps_out_and_has_a_state
      weight = weights
      optimizer = Optim::SGD.new([weight], 0.25)
      scaler = Ctorch::Amp::GradScaler.new("cpu", init_scale: 8.0)
      scaler.scale((weight / 0).sum).backward
      scaler.step(optimizer)
      scaler.update
      Checks.equal([[1.5, 2.0], 4.0], [weight.to_a, scaler.get_scale])
      scaler.update(16.0)
      scaler.set_growth_factor(3.0)
      other = Ctorch::Amp::GradScaler.new(:cpu)
      other.load_state_dict(scaler.state_dict)
      Checks.equal([16.0, 3.0], [other.get_scale, other.get_growth_factor])
      off = Ctorch::Amp::GradScaler.new(:cpu, enabled: false)
      Checks.equal(5, off.step(optimizer) { 5 })
      off.load_state_dict(off.state_dict)
      Checks.fails(Ctorch::RuntimeError) { scaler.step(optimizer) { nil } }
      Checks.fails(Ctorch::ValueError) { Ctorch::Amp::GradScaler.new(:cpu, growth_factor: 1.0) }
    end

    private

    # Made here, since a block holds the variables around it.
    def halving
      ->(_) { 0.5 }
    end

    def rising
      ->(epoch) { T.of(0.5 + epoch) }
    end

    def weights
      T.of([1.5, 2.0]).requires_grad!
    end

    def stepless(optimizer, weight)
      optimizer.zero_grad
      weight.pow(2).sum.tap(&:backward)
    end

    def stepped(optimizer, weight)
      stepless(optimizer, weight)
      optimizer.step
    end

    def step_hooks(optimizer, log)
      [
        optimizer.register_step_pre_hook { |seen| log << seen.class },
        optimizer.register_step_post_hook { log << "post" },
        Optim.register_optimizer_step_pre_hook { log << "all" },
        Optim.register_optimizer_step_post_hook { log << "all after" }
      ]
    end

    def state_hooks(optimizer, log)
      [
        optimizer.register_state_dict_pre_hook { log << "saving" },
        optimizer.register_state_dict_post_hook { |_, state| state["mine"] = 7 },
        optimizer.register_load_state_dict_pre_hook { |_, state| state["inner"] },
        optimizer.register_load_state_dict_post_hook(prepend: true) { log << "loaded" }
      ]
    end
  end
end
