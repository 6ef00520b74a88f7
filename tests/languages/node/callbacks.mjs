// JavaScript functions that C calls: custom functions, hooks, kernels, warnings; and what happens when they fail.
import { aten, core, customFunction, grad, heldCallbacks, liveHandles, noGrad, tensor } from "ctorch";
import { done, equal, fails, raises, that } from "./check.mjs";

const leaf = (...values) => tensor(values, { requiresGrad: true });

// What throws, made where it captures nothing else: a function that C keeps, and that refers to what keeps it there, is
// never collected.
const throwing = (value) => () => {
  throw value;
};
const failingBackward = (value) => customFunction({ forward: (_, [x]) => x.mul(1), backward: throwing(value) });
const failingForward = (body) => customFunction({ forward: body, backward: () => null });

const makeCube = () =>
  customFunction({
    name: "Cube",
    forward(context, [x]) {
      context.saveForBackward(x);
      return x.pow(3);
    },
    backward(context, [gradOutput]) {
      const [x] = context.savedTensors();
      return gradOutput.mul(x).mul(x).mul(3);
    },
  });

await that("a custom function, its gradient and its node", () => {
  const x = leaf(1, 2, -3);
  const [y] = makeCube()(x);
  equal([y.toArray(), core.node_name(y.gradFn)], [[1, 8, -27], "CubeBackward"]);
  y.sum().backward();
  equal(x.grad.toArray(), [3, 12, 27]);
});

await that("a custom function is differentiated twice", () => {
  const x = leaf(2);
  const [first] = grad(makeCube()(x), [x], { createGraph: true });
  equal(first.item(), 12);
  equal(grad([first], [x])[0].item(), 12);
});

await that("several inputs and outputs, and null", () => {
  const pair = customFunction({
    forward: (_, [a, b]) => [a.mul(2), b.mul(3)],
    backward: (_, [a]) => [a.mul(2), null],
  });
  const [a, b] = [leaf(1), leaf(1)];
  const [x, y] = pair(a, b);
  x.add(y).sum().backward();
  equal([a.grad.item(), b.grad], [2, null]);
});

await that("the very value that a backward throws comes out of backward()", () => {
  for (const value of [new Error("mine"), "text", 42, { mine: true }, null, undefined, Symbol("s")]) {
    const caught = raises(() => failingBackward(value)(leaf(1))[0].sum().backward());
    equal(Object.is(caught, value), true);
  }
});

await that("a failing forward", () => {
  const value = new Error("forward");
  equal(raises(failingForward(throwing(value)), leaf(1)) === value, true);
});

await that("an error of ctorch inside a callback is that error outside", () => {
  let inner;
  const failing = failingForward((_, [x]) => {
    inner = raises(aten.mm, x, x);
    throw inner;
  });
  equal(raises(failing, leaf(1)) === inner, true);
  failing.close();
});

await that("wrong results of a callback are errors", () => {
  fails(
    "TYPE",
    "what the callback returned",
    failingForward(() => 5),
    leaf(1),
  );
});

await that("a hook sees the gradient and replaces it", () => {
  const x = leaf(1, 2);
  let seen;
  const hook = x.registerHook((g) => {
    seen = g.toArray();
    return g.mul(10);
  });
  x.mul(3).sum().backward();
  equal(
    [seen, x.grad.toArray()],
    [
      [3, 3],
      [30, 30],
    ],
  );
  core.hook_remove(hook);
  x.grad = null;
  x.mul(3).sum().backward();
  equal(x.grad.toArray(), [3, 3]);
});

await that("a failing hook stops backward and leaves no gradient", () => {
  const [x, value] = [leaf(1), new Error("hook")];
  x.registerHook(throwing(value));
  equal([raises(() => x.mul(2).backward()) === value, x.grad], [true, null]);
});

await that("functions are let go with what they belong to", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  liveHandles();
  const before = heldCallbacks();
  for (let i = 0; i < 10000; i++) {
    // more than koffi has room for, if each were a function pointer of its own
    const x = leaf(1);
    x.registerHook(() => null).close();
    x.close();
  }
  equal(heldCallbacks() <= before, true);
});

await that("a kernel of a custom operator", () => {
  const library = core.library_new("node_test");
  core.library_define(library, "twice(Tensor x) -> Tensor");
  core.library_implement(library, "twice", "CPU", ([x]) => core.value_to_tensor(x).mul(2));
  const op = core.op_find("node_test::twice", null);
  const result = core.op_call(op, [core.value_from_tensor(tensor([1, 2]))]);
  equal(core.value_to_tensor(result).toArray(), [2, 4]);
  library.close();
});

await that("warnings", () => {
  const seen = [];
  core.warning_set_callback((kind, message) => seen.push([kind, message]));
  core.warning_emit("deprecation", "mind this");
  core.warning_set_callback(() => {
    throw new Error("stop");
  });
  core.warning_emit("user", "a failing callback stops no warning");
  equal(seen, [["deprecation", "mind this"]]);
  core.warning_set_callback(() => {});
});

await that("saved tensors are packed and unpacked by JavaScript", () => {
  let packed = 0;
  const before = heldCallbacks();
  const x = leaf(3);
  core.saved_tensors_hooks_push(
    (t) => {
      packed++;
      return { list: t.toArray() };
    },
    ({ list }) => tensor(list),
  );
  const y = x.mul(x);
  core.saved_tensors_hooks_pop();
  y.sum().backward();
  equal([packed, x.grad.item()], [2, 6]);
  y.close();
  equal(heldCallbacks() <= before, true);
});

await that("functions that are only called during the call", () => {
  const before = heldCallbacks();
  equal(core.func_grad(([x]) => x.pow(3).sum(), [leaf(2)], [0], 0)[0][0].item(), 12);
  const value = new Error("inside");
  equal(
    raises(
      core.func_grad,
      () => {
        throw value;
      },
      [leaf(2)],
      [0],
      0,
    ) === value,
    true,
  );
  equal(heldCallbacks(), before);
});

await that("callbacks that are nested too deep fail before PyTorch leaves the thread", () => {
  let depth = 0;
  const deep = customFunction({
    forward: (_, [x]) => x.mul(1),
    backward: (_, [g]) => {
      depth++;
      core.grad_mode_push(true);
      try {
        deep(leaf(1))[0].backward();
      } finally {
        core.grad_mode_pop();
      }
      return g;
    },
  });
  fails("RUNTIME", "nested", () => deep(leaf(1))[0].backward());
  equal(depth, 50);
  deep.close();
});

await that("no gradients inside noGrad", () => {
  const x = leaf(1);
  equal(
    noGrad(() => x.mul(2).requiresGrad),
    false,
  );
  const value = new Error("x");
  equal(
    raises(() =>
      noGrad(() => {
        throw value;
      }),
    ) === value,
    true,
  );
  equal(core.grad_mode_enabled(), true);
});

await done();
