// Calls on worker threads: results, errors of their own, callbacks, arguments that stay alive; and worker_threads.
import { Worker } from "node:worker_threads";
import { aten, collect, core, customFunction, data, nn, optim, tensor, Trainer } from "ctorch";
import { done, equal, expectError, that } from "./check.mjs";

const rejection = (promise) =>
  promise.then(
    () => {
      throw new Error("nothing was thrown");
    },
    (failure) => failure,
  );

await that("results", async () => {
  const a = tensor([1, 2]);
  equal((await aten.add.async(a, a, { alpha: 2 })).toArray(), [3, 6]);
  equal(
    (await aten.max.dim.async(a, 0)).map((t) => t.item()),
    [2, 1],
  );
  equal(await core.tensor_size.async(a, 0), 2);
});

await that("each failing call gets its own error", async () => {
  const calls = Array.from({ length: 200 }, (_, i) =>
    i % 2 ? aten.mm.async(aten.ones([2, 3 + i]), aten.ones([2, 3])) : aten.add.async(aten.ones([i + 2]), 1),
  );
  const settled = await Promise.allSettled(calls);
  settled.forEach((outcome, i) => {
    if (i % 2) {
      expectError(outcome.reason, "SHAPE_MISMATCH", `2x${3 + i}`);
    } else {
      equal(outcome.value.shape, [i + 2]);
    }
  });
});

await that("operators that need a deep stack", async () => {
  const x = tensor([1], { requiresGrad: true });
  let y = x;
  for (let i = 0; i < 3000; i++) {
    y = y.mul(1);
  }
  await core.tensor_backward.async(y.sum(), null, null, false);
  equal(x.grad.item(), 1);
  const m = aten.rand([60, 60]);
  equal((await aten.linalg_svd.async(m))[1].shape, [60]);
  equal((await aten.sort.async(aten.rand([100000])))[0].shape, [100000]);
});

await that("bad arguments reject", async () => {
  expectError(await rejection(aten.neg.default.async(5)), "TYPE", "expected a tensor");
  expectError(await rejection(aten.neg.async("x")), "TYPE", "no overload");
});

await that("arguments stay alive until the call is done", async () => {
  const pending = Array.from({ length: 50 }, () => aten.mm.async(aten.ones([100, 100]), aten.ones([100, 100])));
  collect();
  equal(
    (await Promise.all(pending)).map((t) => t.at(0, 0).item()),
    new Array(50).fill(100),
  );
});

await that("the event loop runs meanwhile", async () => {
  const big = aten.ones([700, 700]);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  let product = big;
  for (let i = 0; i < 20; i++) {
    product = await aten.mm.async(product, big);
  }
  clearInterval(timer);
  equal(ticks > 0, true);
});

await that("a callback of an asynchronous call, and its failure", async () => {
  const x = tensor([2], { requiresGrad: true });
  const square = customFunction({
    forward: (context, [t]) => {
      context.saveForBackward(t);
      return t.mul(t);
    },
    backward: (context, [g]) => g.mul(context.savedTensors()[0]).mul(2),
  });
  const [y] = square(x);
  await core.tensor_backward.async(y, null, null, false);
  equal(x.grad.item(), 4);
  const value = new Error("mine");
  x.registerHook(() => {
    throw value;
  });
  equal((await rejection(core.tensor_backward.async(x.mul(1), null, null, false))) === value, true);
});

await that("memory of asynchronous calls is collected", async () => {
  for (let i = 0; i < 200; i++) {
    await aten.empty.async([10 * 2 ** 20], { dtype: "uint8" });
  }
});

await that("worker_threads with failing calls", async () => {
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.url).then(({ aten, collect }) => {
      const found = new Set();
      for (let i = 0; i < 200; i++) {
        try {
          aten.mm(aten.ones([2, workerData.columns]), aten.ones([2, 3]));
        } catch (failure) {
          found.add(failure.message);
        }
        aten.ones([4]).close();
      }
      collect();
      parentPort.postMessage([...found]);
    });`;
  const messages = await Promise.all(
    [5, 6, 7].map(
      (columns) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(source, {
            eval: true,
            workerData: { columns, url: import.meta.resolve("ctorch") },
          });
          worker.on("message", (found) => worker.once("exit", () => resolve(found)));
          worker.on("error", reject);
        }),
    ),
  );
  equal(
    messages.map((found) => found.length),
    [1, 1, 1],
  );
  messages.forEach(([message], i) => equal(message.includes(`2x${5 + i}`), true));
});

await that("a handler of a signal ends training", async () => {
  const model = nn.Linear(1, 1);
  const trainer = new Trainer(model, new optim.SGD(model.parameters(), { lr: 0.1 }));
  trainer.setLoss(nn.MSELoss()).setLength({ steps: 2 ** 50 });
  const loader = data.DataLoader(data.TensorDataset([aten.zeros([8, 1]), aten.zeros([8, 1])]), 4);
  const interrupt = () => core.interrupt();
  process.on("SIGINT", interrupt);
  const look = setInterval(() => {
    if (trainer.step > 0) {
      clearInterval(look);
      process.kill(process.pid, "SIGINT");
    }
  });
  expectError(await rejection(core.trainer_fit.async(trainer, loader)), "RUNTIME", "interrupted");
  process.off("SIGINT", interrupt);
  const steps = trainer.step;
  trainer.setLength({ steps: steps + 1 }).fit(loader);
  equal(trainer.step, steps + 1);
});

await done();
