// Close, the garbage collector, and its memory.
import { readFileSync } from "node:fs";
import {
  aten,
  C,
  collect,
  core,
  Dataset,
  fromData,
  heldBytes,
  heldCallbacks,
  liveHandles,
  nn,
  tensor,
} from "ctorch";
import { done, equal, fails, that } from "./check.mjs";

const MEGABYTE = 2 ** 20;
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;

await that("close twice", () => {
  const before = liveHandles();
  const t = aten.ones([2]);
  equal(liveHandles(), before + 1);
  t.close();
  t.close();
  equal([liveHandles(), t.closed, `${t}`], [before, true, "Tensor (closed)"]);
});

await that("Symbol.dispose closes", () => {
  const t = aten.ones([2]);
  t[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  equal(t.closed, true);
});

await that("what is forgotten is closed, in the middle of a task as well", () => {
  const before = liveHandles();
  for (let i = 0; i < 1000; i++) {
    aten.add(aten.ones([2]), 1);
  }
  equal(liveHandles() - before <= 2, true); // what the last turn left in registers
});

await that("what is still used is not closed", () => {
  const kept = Array.from({ length: 100 }, (_, i) => tensor([i]));
  collect();
  collect();
  equal(
    kept.map((t) => t.item()),
    Array.from({ length: 100 }, (_, i) => i),
  );
});

await that("the finalizer closes between tasks", async () => {
  const before = liveHandles();
  (() => Array.from({ length: 100 }, () => aten.ones([2])))();
  for (let i = 0; i < 5; i++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  equal(liveHandles() - before <= 2, true);
});

await that("other handles close as well", () => {
  const before = liveHandles();
  const [generator, storage] = [core.generator_new("cpu"), core.storage_new(16)];
  equal(liveHandles(), before + 2);
  generator.close();
  generator.close();
  storage.close();
  equal(liveHandles(), before);
  fails("INVALID_HANDLE", "closed", core.generator_manual_seed, generator, 1);
});

await that("a handle of another kind is refused", () => {
  const generator = core.generator_new("cpu");
  for (const value of [generator, {}, 5, "x", 0n, -1n, () => {}, Symbol("x")]) {
    fails("TYPE", "", aten.neg.default, value);
  }
  generator.close();
});

await that("memory that a tensor borrows lives as long as it", () => {
  let t = (() =>
    core.tensor_from_buffer(
      Float32Array.from({ length: 1000 }, (_, i) => i),
      [1000],
      null,
      "float32",
    ))();
  collect();
  Array.from({ length: 100 }, () => new Float32Array(1000).fill(7));
  equal(t.sum().item(), 499500);
  t.close();
  equal(heldCallbacks(), 0);
});

await that("a list of strides has a length of its own", () => {
  const storage = core.storage_new(24);
  core.tensor_from_storage(storage, 0, [6], null, "float32").copy_(aten.arange(6));
  const t = core.tensor_from_storage(storage, 0, [2, 3], [1, 2], "float32");
  equal([t.toArray(), t.strides], [[[0, 2, 4], [1, 3, 5]], [1, 2]]); // prettier-ignore
  for (const strides of [[], [1], [1, 2, 1]]) {
    const message = `${strides.length} strides for 2 sizes`;
    fails("INVALID_ARGUMENT", message, core.tensor_from_storage, storage, 0, [2, 3], strides, "float32");
  }
  fails("TYPE", "", core.tensor_from_storage, storage, 0, [2, 3], 1, "float32");
  t.close();
  storage.close();
});

// Temporaries of 10 MB in one task, in which no finalizer runs: 2,000 would take 20 GB. CTORCH_TEMPORARIES=10000 makes
// more.
await that("garbage stays under the threshold", () => {
  const before = resident();
  let highest = 0;
  for (let i = 0; i < Number(process.env.CTORCH_TEMPORARIES ?? 2000); i++) {
    aten.empty([10 * MEGABYTE], { dtype: "uint8" });
    if (i % 5 === 0) {
      highest = Math.max(highest, heldBytes());
    }
  }
  equal([highest <= 400 * MEGABYTE, highest >= 100 * MEGABYTE], [true, true]);
  equal(resident() - before < 800 * MEGABYTE, true);
});

await that("garbage that was written to is given back as well", () => {
  const before = resident();
  for (let i = 0; i < 100; i++) {
    aten.ones([10 * MEGABYTE], { dtype: "uint8" });
  }
  equal(resident() - before < 600 * MEGABYTE, true);
});

await that("data is copied", () => {
  const data = new Float32Array([1, 2]);
  const t = fromData(data, [2], "float32");
  data[0] = 9;
  equal(t.toArray(), [1, 2]);
});

// How many handles are given back by `close` in the middle of a call: none.
const givenBack = (close) => {
  const before = C.ctorch_debug_live_handles();
  close();
  return Number(before - C.ctorch_debug_live_handles());
};

await that("a call on a worker thread keeps what is closed meanwhile", async () => {
  const [a, b] = [aten.full([300, 300], 2.5), aten.full([300, 300], 0.5)];
  const pending = [aten.mm.async(a, b), aten.cat.async([a, b]), core.tensor_size.async(a, 0)];
  equal(
    givenBack(() => [a, b, a].forEach((handle) => handle.close())),
    0,
  );
  fails("INVALID_HANDLE", "closed", () => aten.neg(a));
  const [product, joined, size] = await Promise.all(pending);
  equal([product.at(0, 0).item(), joined.shape, size], [375, [600, 300], 300]);
  const before = Number(C.ctorch_debug_live_handles());
  await aten.mm.async(product, product).then((made) => made.close());
  equal(Number(C.ctorch_debug_live_handles()), before);
});

await that("a handle of any type is kept", async () => {
  const generator = core.generator_new("cpu");
  const drawn = aten.rand.generator.async([2000], { generator });
  const value = core.value_from_int(7);
  const read = core.value_to_int.async(value);
  const module = nn.Linear(2, 2);
  const applied = core.module_forward.async(module, aten.ones([1, 2]));
  equal(
    givenBack(() => [generator, value, module].forEach((handle) => handle.close())),
    0,
  );
  equal([(await drawn).shape, await read, (await applied).shape], [[2000], 7, [1, 2]]);
});

await that("a call keeps what its callback closes", () => {
  const x = tensor([3], { requiresGrad: true });
  const y = x.mul(x);
  let returned;
  y.registerHook(() => {
    returned = givenBack(() => y.close());
  });
  y.backward();
  equal([returned, y.closed, x.grad.toArray()], [0, true, [6]]);
  const dataset = Dataset.from({ length: 2, at: (i) => ((returned = givenBack(() => dataset.close())), i) });
  equal([dataset.at(1), returned, dataset.closed], [1, 0, true]);
});

await that("a call that fails lets go of what it was given", () => {
  const [x, closed] = [aten.ones([2]), aten.ones([2])];
  closed.close();
  fails("INVALID_HANDLE", "closed", () => aten.cat([x, closed]));
  fails("SHAPE_MISMATCH", "", () => aten.add(x, aten.ones([3])));
  equal(
    givenBack(() => x.close()),
    1,
  );
});

await done();
