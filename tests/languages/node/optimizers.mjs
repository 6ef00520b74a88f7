// Optimizers, schedulers and the scaler: what they show, take and refuse. training.mjs has what they compute.
import { amp, core, nn, optim, tensor } from "ctorch";
import { done, equal, fails, raises, that } from "./check.mjs";

const { Adam, AdamW, Optimizer, SGD } = optim;
const { ChainedScheduler, ConstantLR, LambdaLR, LRScheduler, MultiplicativeLR, ReduceLROnPlateau, StepLR } =
  optim.lr_scheduler;

const weights = () => tensor([1.5, 2], { requiresGrad: true });

function stepped(optimizer, weight) {
  optimizer.zeroGrad();
  weight.pow(2).sum().backward();
  optimizer.step();
}

await that("groups show and take their options", () => {
  const [a, b] = [weights(), weights()];
  const optimizer = new SGD([{ params: [a], lr: 0.5 }, { params: [b] }], 0.25, { momentum: 0.5 });
  equal([optimizer.name, optimizer.paramGroups.length, optimizer.defaults.lr], ["SGD", 2, 0.25]);
  equal(
    optimizer.paramGroups.map(({ lr }) => lr),
    [0.5, 0.25],
  );
  const [first, second] = optimizer.paramGroups;
  equal(first.params[0].toArray(), [1.5, 2]);
  second.lr = 0.125;
  second.note = [1, "two"];
  equal([optimizer.paramGroups[1].lr, optimizer.paramGroups[1].note], [0.125, [1, "two"]]);
  equal([first.note, "note" in first, "note" in second, Object.keys(first)[0]], [undefined, false, true, "params"]);
  equal({ ...second }.momentum, 0.5);
  optimizer.addParamGroup({ params: [weights()], nesterov: true });
  equal([optimizer.paramGroups.length, optimizer.paramGroups[2].nesterov], [3, true]);
  stepped(optimizer, a);
  equal(a.toArray(), [0, 0]);
  fails("VALUE", "cannot be replaced", () => {
    first.params = [];
  });
  fails("TYPE", "cannot be deleted", () => delete first.lr);
});

await that("names come with parameters", () => {
  const model = nn.Linear(2, 1);
  const optimizer = new AdamW(model.namedParameters(), { lr: 0.1 });
  equal(optimizer.paramGroups[0].param_names, ["weight", "bias"]);
  const grouped = new AdamW([{ params: model.namedParameters(), lr: 1 }]);
  equal(grouped.paramGroups[0].param_names, ["weight", "bias"]);
  equal(/lr: [\d.]+/.exec(`${new SGD(new Set([weights()]), 0.5)}`)[0], "lr: 0.5");
  equal([optimizer instanceof AdamW, optimizer instanceof Optimizer, optimizer instanceof SGD], [true, true, false]);
});

await that("a class may be derived from one", () => {
  class Mine extends SGD {
    constructor(params) {
      super(params, { lr: 0.25 });
    }
  }
  const weight = weights();
  const optimizer = new Mine([weight]);
  stepped(optimizer, weight);
  equal([weight.toArray(), optimizer.name], [[0.75, 1], "SGD"]);
  fails("TYPE", "none of the optimizers", () => new Optimizer([weight]));
});

await that("a learning rate may be a tensor", () => {
  const rate = tensor(0.5);
  const weight = weights();
  const optimizer = new SGD([weight], rate);
  rate.fill_(0.25);
  stepped(optimizer, weight);
  equal(weight.toArray(), [0.75, 1]);
});

await that("a closure computes the loss", () => {
  const weight = weights();
  const optimizer = new SGD([weight], 0.25);
  const loss = optimizer.step(() => {
    optimizer.zeroGrad();
    const sum = weight.pow(2).sum();
    sum.backward();
    return sum;
  });
  equal([loss.item(), weight.toArray()], [6.25, [0.75, 1]]);
  equal(
    optimizer.step(() => 3),
    3,
  );
  const mine = new Error("mine");
  const failing = () => {
    throw mine;
  };
  equal(raises(() => optimizer.step(failing)) === mine, true);
});

await that("states are seen, changed, and go through state dicts", () => {
  const weight = weights();
  const optimizer = new Adam([weight]);
  equal(optimizer.state.get(weight), {});
  stepped(optimizer, weight);
  equal([optimizer.state.get(weight).step.item(), optimizer.state.get(weight).exp_avg.shape], [1, [2]]);
  equal([...optimizer.state].length, 1);
  const saved = optimizer.stateDict();
  equal(saved.get("param_groups")[0].get("params"), [0]);
  const other = new Adam([weights()], { lr: 7 });
  other.loadStateDict(saved);
  const [group] = other.paramGroups;
  equal([group.lr, other.state.get(group.params[0]).step.item()], [0.001, 1]);
  optimizer.state.set(weight, {});
  equal(optimizer.state.get(weight).step, undefined);
  fails("INDEX", "param_groups", () => other.loadStateDict({ state: {} }));
});

await that("hooks see steps and state dicts", () => {
  const weight = weights();
  const log = [];
  const optimizer = new SGD([weight], 0.25);
  const hooks = [
    optimizer.registerStepPreHook((seen) => log.push(seen === optimizer)),
    optimizer.registerStepPostHook(() => log.push("post")),
    optim.registerOptimizerStepPreHook(() => log.push("all")),
    optim.registerOptimizerStepPostHook(() => log.push("all after")),
    optimizer.registerStateDictPreHook(() => log.push("saving")),
    optimizer.registerStateDictPostHook((_, state) => void state.set("mine", 7)),
    optimizer.registerLoadStateDictPreHook((_, state) => state.get("inner")),
    optimizer.registerLoadStateDictPostHook(() => log.push("loaded"), { prepend: true }),
  ];
  const inner = new SGD([weight], 0.5).stateDict();
  optimizer.step();
  equal(optimizer.stateDict().get("mine"), 7);
  optimizer.loadStateDict({ inner });
  equal(log, ["all", true, "post", "all after", "saving", "loaded"]);
  equal(optimizer.paramGroups[0].lr, 0.5);
  hooks.forEach((hook) => core.hook_remove(hook));
  optimizer.step();
  equal(log.length, 6);
});

await that("what does not fit is refused", () => {
  fails("VALUE", "empty parameter list", () => new SGD([], 0.1));
  fails("TYPE", "unexpected keyword argument 'rate'", () => new SGD([weights()], { rate: 1 }));
  fails("VALUE", "", () => new SGD([weights()], -1));
  fails("TYPE", "", () => new SGD([3], 0.1));
  fails("TYPE", "", () => new SGD(weights(), 0.1));
  fails("TYPE", "needs parameters", () => new SGD());
  const optimizer = new SGD([weights()], 0.1);
  optimizer.close();
  optimizer.close();
  fails("INVALID_HANDLE", "closed", () => optimizer.step());
  equal([optim.NoSuch, optim.lr_scheduler.NoSuch], [undefined, undefined]);
});

await that("schedulers set the learning rates", () => {
  const optimizer = new SGD([weights()], 1);
  const scheduler = new StepLR(optimizer, 2, { gamma: 0.5 });
  equal([scheduler.name, scheduler.get("step_size"), scheduler.lastEpoch], ["StepLR", 2, 0]);
  optimizer.step();
  scheduler.step();
  scheduler.step();
  equal([optimizer.paramGroups[0].lr, scheduler.getLastLr(), scheduler.get("base_lrs")], [0.5, [0.5], [1]]);
  scheduler.set("gamma", 0.25);
  equal([scheduler.get("gamma"), scheduler.get("nothing"), scheduler.optimizer === optimizer], [0.25, undefined, true]);
  const other = new StepLR(optimizer, 9);
  other.loadStateDict(scheduler.stateDict());
  equal([other.get("step_size"), other.lastEpoch, other instanceof LRScheduler], [2, 2, true]);
  fails("VALUE", "expected 1 functions", () => new LambdaLR(optimizer, [Math.abs, Math.abs]));
  fails("TYPE", "a function", () => new LambdaLR(optimizer, 3));
  fails("TYPE", "a number", () => new LambdaLR(optimizer, () => "text"));
  fails("TYPE", "unexpected", () => new StepLR(optimizer, 2, { factor: 1 }));
  fails("TYPE", "none of the schedulers", () => new LRScheduler(optimizer));
  scheduler.close();
  fails("INVALID_HANDLE", "closed", () => scheduler.step());
});

await that("several schedulers, and functions", () => {
  const optimizer = new SGD([weights()], 1);
  const chained = new ChainedScheduler([
    new MultiplicativeLR(optimizer, () => 0.5),
    new ConstantLR(optimizer, 0.25, { total_iters: 1 }),
  ]);
  equal(optimizer.paramGroups[0].lr, 0.25);
  optimizer.step();
  chained.step();
  equal(optimizer.paramGroups[0].lr, 0.5);
  const plateau = new ReduceLROnPlateau(optimizer, { factor: 0.5, patience: 0 });
  plateau.step(tensor(1.5));
  plateau.step(1.5);
  equal([optimizer.paramGroups[0].lr, plateau.get("num_bad_epochs")], [0.25, 0]);
  fails("TYPE", "metric", () => plateau.step());
  equal(new LambdaLR(optimizer, (epoch) => tensor(0.5 + epoch)).lastEpoch, 0);
  const mine = new Error("mine");
  const failing = () => {
    throw mine;
  };
  equal(raises(() => new LambdaLR(optimizer, failing)) === mine, true);
});

await that("a scaler scales, unscales and leaves steps out", () => {
  const weight = weights();
  const optimizer = new SGD([weight], 0.25);
  const scaler = new amp.GradScaler("cpu", { init_scale: 8 });
  equal([scaler.isEnabled(), scaler.getScale(), scaler.getGrowthInterval()], [true, 8, 2000]);
  scaler.scale(weight.pow(2).sum()).backward();
  equal(weight.grad.toArray(), [24, 32]);
  scaler.unscale_(optimizer);
  equal(weight.grad.toArray(), [3, 4]);
  scaler.step(optimizer);
  scaler.update();
  equal(weight.toArray(), [0.75, 1]);
  optimizer.zeroGrad();
  scaler.scale(weight.div(0).sum()).backward();
  scaler.step(optimizer);
  scaler.update();
  equal([weight.toArray(), scaler.getScale()], [[0.75, 1], 4]);
  equal(scaler.scale([tensor(1.5), tensor(2.5)])[1].item(), 10);
  scaler.update(16);
  scaler.setGrowthFactor(3);
  const other = new amp.GradScaler("cpu");
  other.loadStateDict(scaler.stateDict());
  equal([other.getScale(), other.getGrowthFactor()], [16, 3]);
  const off = new amp.GradScaler("cpu", { enabled: false });
  equal(
    off.step(optimizer, () => 5),
    5,
  );
  off.loadStateDict(off.stateDict());
  fails("RUNTIME", "", () => scaler.step(optimizer, () => null));
  fails("VALUE", "", () => new amp.GradScaler("cpu", { growth_factor: 1 }));
});

await done();
