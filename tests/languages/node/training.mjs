// Trains a linear layer in the ways of training_sample.py, and prints the losses and what it learned.
import { amp, aten, optim, tensor } from "ctorch";
import { done } from "./check.mjs";

const { AdamW, Adam, SGD } = optim;
const { CyclicLR, LambdaLR, LinearLR, ReduceLROnPlateau, SequentialLR, StepLR } = optim.lr_scheduler;
const STEPS = 12;

function train(name, makeOptimizer, makeScheduler, makeScaler = () => null) {
  const weight = tensor([[0.5, -1.25, 2]], { requiresGrad: true });
  const bias = tensor([0.125], { requiresGrad: true });
  const inputs = tensor([[1, 2, 3], [4, 5, 6], [7, 8, 10], [-1, 0, 2]]).div(8); // prettier-ignore
  const targets = tensor([[1], [0], [2], [-1]]);
  const make = () => {
    const optimizer = makeOptimizer(weight, bias);
    return [optimizer, makeScheduler(optimizer), makeScaler()];
  };
  let [optimizer, scheduler, scaler] = make();
  const numbers = [];
  for (let step = 1; step <= STEPS; step++) {
    if (step === STEPS / 2) {
      const states = [optimizer.stateDict(), scheduler.stateDict(), scaler?.stateDict()];
      [optimizer, scheduler, scaler] = make();
      optimizer.loadStateDict(states[0]);
      scheduler.loadStateDict(states[1]);
      scaler?.loadStateDict(states[2]);
    }
    optimizer.zeroGrad();
    const loss = aten.mse_loss(aten.linear(inputs, weight, bias), targets);
    numbers.push(loss.item());
    if (scaler === null) {
      loss.backward();
      optimizer.step();
    } else {
      scaler.scale(loss).backward();
      scaler.step(optimizer);
      scaler.update();
    }
    scheduler.step(scheduler instanceof ReduceLROnPlateau ? loss : null);
  }
  numbers.push(...weight.toArray()[0], ...bias.toArray(), ...optimizer.paramGroups.map(({ lr }) => lr));
  console.log(name, ...[...numbers, scaler?.getScale() ?? 1].map(String));
}

train(
  "groups",
  (weight, bias) =>
    new AdamW([{ params: [weight], lr: 0.1 }, { params: [bias] }], {
      lr: 0.05,
      betas: [0.75, 0.875],
      weight_decay: 0.125,
      amsgrad: true,
      fused: true,
    }),
  (optimizer) => new LambdaLR(optimizer, [(epoch) => 1 / (1 + epoch), (epoch) => 1 - epoch / 16]),
);

train(
  "sequence",
  (weight, bias) => new SGD([weight, bias], 0.05, { momentum: 0.9, weight_decay: 0.01, nesterov: true }),
  (optimizer) => {
    const linear = new LinearLR(optimizer, 0.5, { total_iters: 3 });
    return new SequentialLR(optimizer, [linear, new StepLR(optimizer, 2, { gamma: 0.5 })], [3]);
  },
);

train(
  "plateau",
  (weight, bias) => new Adam([weight, bias], { lr: 0.75 }),
  (optimizer) => new ReduceLROnPlateau(optimizer, { factor: 0.5, patience: 0 }),
);

train(
  "scaled",
  (weight, bias) => new SGD([weight, bias], 0.1, { momentum: 0.5, foreach: false }),
  (optimizer) =>
    new CyclicLR(optimizer, 0.01, 0.2, { step_size_up: 3, scale_fn: (cycle) => 1 / cycle, base_momentum: 0.5 }),
  () => new amp.GradScaler("cpu", { init_scale: 4, growth_interval: 2 }),
);

await done();
