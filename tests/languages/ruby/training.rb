# Trains a linear layer in the ways of training_sample.py, and prints the losses and what it learned.
require "ctorch"

A = Ctorch::Aten
Optim = Ctorch::Optim
Schedulers = Optim::LRScheduler
STEPS = 12

def make(way, weight, bias)
  optimizer = way[:optimizer].call(weight, bias)
  [optimizer, way[:scheduler].call(optimizer), way[:scaler]&.call]
end

def reload(way, objects, weight, bias)
  states = objects.map { |object| object&.state_dict }
  make(way, weight, bias).each_with_index { |object, i| object&.load_state_dict(states[i]) }
end

def train(way)
  weight = Ctorch::Tensor.of([[0.5, -1.25, 2.0]]).requires_grad!
  bias = Ctorch::Tensor.of([0.125]).requires_grad!
  inputs = Ctorch::Tensor.of([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0], [-1.0, 0.0, 2.0]]) / 8
  targets = Ctorch::Tensor.of([[1.0], [0.0], [2.0], [-1.0]])
  objects = make(way, weight, bias)
  losses = (1..STEPS).map do |step|
    objects = reload(way, objects, weight, bias) if step == STEPS / 2
    optimizer, scheduler, scaler = objects
    optimizer.zero_grad
    loss = A.mse_loss(A.linear(inputs, weight, bias: bias), targets)
    (scaler ? scaler.scale(loss) : loss).backward
    scaler ? scaler.step(optimizer) : optimizer.step
    scaler&.update
    scheduler.step(*(scheduler.is_a?(Schedulers::ReduceLROnPlateau) ? [loss] : []))
    loss.item
  end
  rates = objects[0].param_groups.map { |group| group[:lr] }
  [*losses, *weight.to_flat, *bias.to_flat, *rates, objects[2]&.get_scale || 1]
end

WAYS = {
  groups: {
    optimizer: lambda do |weight, bias|
      Optim::AdamW.new([{ params: [weight], lr: 0.1 }, { params: [bias] }],
                       lr: 0.05, betas: [0.75, 0.875], weight_decay: 0.125, amsgrad: true, fused: true)
    end,
    scheduler: lambda do |optimizer|
      Schedulers::LambdaLR.new(optimizer, [->(epoch) { 1.0 / (1 + epoch) }, ->(epoch) { 1 - (epoch / 16.0) }])
    end
  },
  sequence: {
    optimizer: lambda do |weight, bias|
      Optim::SGD.new([weight, bias], 0.05, momentum: 0.9, weight_decay: 0.01, nesterov: true)
    end,
    scheduler: lambda do |optimizer|
      linear = Schedulers::LinearLR.new(optimizer, 0.5, total_iters: 3)
      Schedulers::SequentialLR.new(optimizer, [linear, Schedulers::StepLR.new(optimizer, 2, gamma: 0.5)], [3])
    end
  },
  plateau: {
    optimizer: ->(weight, bias) { Optim::Adam.new([weight, bias], lr: 0.75) },
    scheduler: ->(optimizer) { Schedulers::ReduceLROnPlateau.new(optimizer, factor: 0.5, patience: 0) }
  },
  scaled: {
    optimizer: ->(weight, bias) { Optim::SGD.new([weight, bias], 0.1, momentum: 0.5, foreach: false) },
    scheduler: lambda do |optimizer|
      Schedulers::CyclicLR.new(optimizer, 0.01, 0.2, step_size_up: 3, base_momentum: 0.5) { |cycle| 1.0 / cycle }
    end,
    scaler: -> { Ctorch::Amp::GradScaler.new(:cpu, init_scale: 4.0, growth_interval: 2) }
  }
}.freeze

WAYS.each do |name, way|
  Ctorch.scope do
    puts "#{name} #{train(way).map { |number| format('%.17g', number) }.join(' ')}"
    nil
  end
end
GC.start
puts "live #{Ctorch.debug_live_handles}"
