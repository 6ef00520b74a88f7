// Modules: torch.nn's classes, classes of one's own, and what they hold.
import { aten, collect, core, heldCallbacks, manualSeed, Module, nn, noGrad, Parameter, tensor } from "ctorch";
import { done, equal, fails, raises, that } from "./check.mjs";

class Block extends Module {
  note = [1];

  constructor(size) {
    super();
    this.linear = nn.Linear(size, size);
    this.scale = new Parameter(aten.full([size], 2.5));
    this.registerBuffer("offset", aten.ones([size]));
    this.registerBuffer("cache", aten.ones([1]), { persistent: false });
  }

  forward(x, { residual = true } = {}) {
    const y = this.linear(x).mul(this.scale).add(this.offset);
    return residual ? y.add(x) : y;
  }

  extraRepr() {
    return "mine";
  }
}

await that("a class of one's own computes, prints, and has names", () => {
  manualSeed(1);
  const block = new Block(2);
  manualSeed(1);
  const linear = nn.Linear(2, 2);
  const x = tensor([[1, 2]]);
  equal(block(x).toArray(), linear(x).mul(2.5).add(1).add(x).toArray());
  equal(block(x, { residual: false }).toArray(), linear(x).mul(2.5).add(1).toArray());
  equal(`${block}`, "Block(\n  mine\n  (linear): Linear(in_features=2, out_features=2, bias=True)\n)");
  equal(
    block.namedParameters().map(([name]) => name),
    ["scale", "linear.weight", "linear.bias"],
  );
  equal([...block.stateDict().keys()], ["scale", "offset", "linear.weight", "linear.bias"]);
  equal(block.stateDict().metadata.get("linear"), new Map([["version", 1]]));
  equal(block.namedBuffers().length, 2);
  block(x).sum().backward();
  equal(block.scale.grad.shape, [2]);
  block.zeroGrad();
  equal(block.scale.grad, null);
});

await that("a name may stand for nothing first", () => {
  class Shortcut extends Module {
    shortcut = null;

    constructor() {
      super();
      this.scale = 1;
      this.scale = new Parameter(aten.ones([1]));
      this.shortcut = nn.Linear(1, 1);
    }
  }
  const made = new Shortcut();
  equal([...made.stateDict().keys()], ["scale", "shortcut.weight", "shortcut.bias"]);
  equal(made.shortcut instanceof nn.Linear, true);
  equal(made.scale.shape, [1]);
});

await that("attributes are what was assigned", () => {
  const block = new Block(2);
  equal(block.linear === block.linear, true);
  equal(block.linear instanceof nn.Linear, true);
  equal(block.linear instanceof nn.Conv2d, false);
  equal(block instanceof Module, true);
  equal(block instanceof nn.Linear, false);
  equal("linear" in block, true);
  equal("nothing" in block, false);
  equal(block.nothing, undefined);
  block.offset = aten.zeros([2]);
  block.scale = null;
  equal([block.scale, block.offset.toArray(), block.note], [null, [0, 0], [1]]);
  delete block.linear;
  equal(block.linear, undefined);
  fails("TYPE", "as parameter scale", () => (block.scale = aten.ones([2])));
  fails("TYPE", "as buffer offset", () => (block.offset = "text"));
  fails("TYPE", "expected a Parameter", () => block.registerParameter("p", aten.ones([2])));
  fails("INDEX", "can't contain", () => block.registerModule("a.b", nn.ReLU()));
  fails("INDEX", "no attribute", () => block.getSubmodule("nothing"));
});

await that("containers", () => {
  const net = nn.Sequential(nn.Linear(2, 3), nn.ReLU());
  net.append(nn.Linear(3, 1)).insert(1, nn.Tanh());
  equal([net.length, net.pop().name, net.at(-1).name, [...net].map((m) => m.name)], [4, "Linear", "ReLU", ["Linear", "Tanh", "ReLU"]]);
  equal(nn.Sequential({ first: nn.ReLU() }).namedChildren()[0][0], "first");
  const list = nn.ModuleList([nn.ReLU(), new Block(2)]);
  equal(list.at(1) instanceof Block, true);
  const dict = nn.ModuleDict({ a: nn.ReLU(), b: nn.Tanh() });
  equal([dict.keys(), dict.get("b").name, dict.get("c"), dict.delete("a"), dict.keys()], [["a", "b"], "Tanh", undefined, true, ["b"]]);
  const parameters = nn.ParameterList([new Parameter(aten.ones([2]))]).append(new Parameter(aten.zeros([1])));
  equal([parameters.length, parameters.at(-1).toArray()], [2, [0]]);
  equal(nn.ParameterDict({ x: new Parameter(aten.ones([1])) }).keys(), ["x"]);
  equal(new nn.ReLU().name, "ReLU");
  fails("NOT_IMPLEMENTED", 'missing the required "forward"', () => list(tensor([1])));
});

await that("modules of several values", () => {
  const [output, [h, c]] = nn.LSTM(3, 4)(aten.ones([5, 2, 3]));
  equal([output.shape, h.shape, c.shape], [[5, 2, 4], [1, 2, 4], [1, 2, 4]]);
  equal(nn.MaxPool1d(2, { return_indices: true })(tensor([[1, 5, 2, 3]]))[1].toArray(), [[1, 3]]);
  equal(nn.CrossEntropyLoss()(aten.zeros([1, 4]), tensor([1], { dtype: "int64" })).item().toFixed(4), "1.3863");
});

await that("modes, moves and copies", () => {
  const net = nn.Sequential(new Block(2), nn.Dropout(0.5)).eval();
  equal([net.training, net.at(1).training, net.train().training], [false, false, true]);
  equal(net.requiresGrad_(false).parameters().some((p) => p.requiresGrad), false);
  net.to({ dtype: "float64" });
  equal(net.parameters()[0].dtype, "float64");
  const seen = [];
  net.apply((module) => seen.push(module.name));
  equal([seen, net.numParameters()], [["Linear", "Block", "Dropout", "Sequential"], 8]);
  const copy = net.copy();
  noGrad(() => net.at(0).scale.zero_());
  equal([copy.at(0).scale.toArray(), copy.at(0).note, copy.at(0) instanceof Block], [[2.5, 2.5], [1], true]);
  equal(copy.eval()(aten.ones([1, 2], { dtype: "float64" })).shape, [1, 2]);
});

await that("state dicts and hooks", () => {
  const [a, b] = [new Block(2), new Block(2)];
  equal(b.loadStateDict(a.stateDict()), { missingKeys: [], unexpectedKeys: [] });
  equal(b.linear.weight.toArray(), a.linear.weight.toArray());
  fails("RUNTIME", "Missing key", () => b.loadStateDict({}));
  equal(b.loadStateDict({ x: tensor([1]) }, { strict: false }).unexpectedKeys, ["x"]);
  const log = [];
  const hooks = [
    a.registerForwardPreHook((_, args) => log.push(args.length) && undefined),
    a.registerForwardHook((_, args, kwargs, output) => (log.push(Object.keys(kwargs)), output.abs().mul(0))),
    a.registerFullBackwardHook((_, gradInputs, gradOutputs) => void log.push([gradInputs.length, gradOutputs.length])),
  ];
  const x = aten.ones([1, 2]).requiresGrad_();
  const y = a(x, { residual: true });
  equal(y.toArray(), [[0, 0]]);
  y.sum().backward();
  equal(log, [1, ["residual"], [1, 1]]);
  hooks.forEach((hook) => core.hook_remove(hook));
  a(x);
  equal(log.length, 3);
});

await that("what a forward throws comes out", () => {
  class Failing extends Module {
    forward() {
      throw new RangeError("not today");
    }
  }
  equal(raises(() => nn.Sequential(new Failing())(tensor([1]))).message.includes("not today"), true);
  class Wrong extends Module {
    forward() {
      return Symbol("no value");
    }
  }
  fails("TYPE", "no value can hold", () => new Wrong()(tensor([1])));
});

await that("a weight may be computed by a module", () => {
  class Twice extends Module {
    forward(x) {
      return x.mul(2);
    }
    rightInverse(y) {
      return y.mul(0.5);
    }
  }
  const linear = nn.Linear(1, 1);
  const twice = new Twice();
  core.module_register_parametrization(linear, "weight", twice, false);
  linear.weight = tensor([[3]]);
  equal(linear.weight.toArray(), [[3]]);
  equal(linear.parametrizations.weight.original.toArray(), [[1.5]]);
  equal(linear(aten.ones([1, 1])).toArray(), linear.bias.add(3).reshape([1, 1]).toArray());
  fails("TYPE", "which is computed", (at) => (at.weight = at), linear);
  const normed = nn.Linear(1, 1);
  core.module_weight_norm(normed, null, 0);
  equal(normed.weight.shape, [1, 1]);
});

await that("objects go when nobody needs them", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 5; i++) {
    collect(); // of the checks above
  }
  const before = heldCallbacks();
  let net = nn.Sequential(new Block(2), nn.Sequential(new Block(2)));
  let copy = net.copy();
  equal(heldCallbacks() > before, true);
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  equal(net.at(1).at(0)(aten.ones([1, 2])).shape, [1, 2]);
  equal(copy.at(1).at(0)(aten.ones([1, 2])).shape, [1, 2]);
  net = copy = null;
  await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 5; i++) {
    collect();
  }
  equal(heldCallbacks(), before);
});

await that("modules are values: what makes modules by name takes them", () => {
  const linear = nn.Linear(2, 2);
  const net = core.nn_create("Sequential", [linear, nn.ReLU()], null);
  equal(net.at(0) === linear, true);
  equal(net(aten.ones([1, 2])).shape, [1, 2]);
  fails("TYPE", "must be Module, not int", core.nn_create, "Sequential", [3], null);
});

await that("options are properties", () => {
  const conv = nn.Conv2d(1, 2, 3, { padding: 1, bias: false });
  equal([conv.in_channels, conv.padding_mode, [...conv.kernel_size], conv.bias], [1, "zeros", [3, 3], null]);
  conv.stride = [2, 2];
  equal(conv(aten.ones([1, 1, 5, 5])).shape, [1, 2, 3, 3]);
  const dropout = nn.Dropout(0.5);
  dropout.p = 0;
  equal(dropout(aten.ones([2])).toArray(), [1, 1]);
  fails("VALUE", "p", () => {
    dropout.p = 2;
  });
  equal(dropout.p, 0);
});

await done();
