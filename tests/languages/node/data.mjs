// Datasets, samplers, loaders, transforms and the trainer: what they show, take and refuse. data_sample.mjs has what they
// load and compute. The argument is a folder.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  aten,
  capture,
  collect,
  core,
  data,
  DataLoader,
  Dataset,
  datasets,
  fromValue,
  heldCallbacks,
  liveHandles,
  manualSeed,
  nn,
  noGrad,
  optim,
  Sampler,
  setMemoryThreshold,
  Snapshots,
  tensor,
  toValue,
  Trainer,
  Transform,
  transforms,
  Tuple,
  tv_tensors,
} from "ctorch";
import { done, equal, fails, raises, that } from "./check.mjs";

const folder = process.argv[2];
const floats = (length) => aten.arange(length, { dtype: "float32" });
const arrays = (batches) => Array.from(batches, (batch) => batch.toArray());

// What C keeps is made where it captures nothing else.
const throwing = (value) => () => {
  throw value;
};
const text = () => "text";
const inPairs = () => [[0, 4], [2]]; // prettier-ignore
const numbers = (length) => Dataset.from(Array.from({ length }, (_, i) => i));
const breaking = (value, at) => ({
  length: 8,
  at(i) {
    if (i === at) {
      throw value;
    }
    return i;
  },
});

// A generator that tells when it begins and ends.
const telling = (log, end) =>
  function* () {
    log.begun += 1;
    try {
      for (let i = 0; i < end; i++) {
        yield i;
      }
    } finally {
      log.left += 1;
    }
  };

await that("datasets have lengths, samples, names and attributes", () => {
  const [x, y] = [floats(6).reshape([3, 2]), aten.arange(3)];
  const rows = data.TensorDataset([x, y]);
  equal([rows.length, rows.name, `${rows}`, rows.isIterable], [3, "TensorDataset", "TensorDataset", false]);
  equal([rows instanceof data.TensorDataset, rows instanceof Dataset, rows instanceof data.Subset], [true, true, false]);
  equal(new data.TensorDataset([y]) instanceof data.TensorDataset, true);
  const [row, label] = rows.at(-1);
  equal([row.toArray(), label.item(), rows.at(0) instanceof Tuple], [[4, 5], 2, true]);
  equal(Array.from(rows, ([, { item }]) => typeof item), Array(3).fill("function"));
  fails("INDEX", "", () => rows.at(3));
  fails("INDEX", "no attribute 'classes'", () => rows.attribute("classes"));
  fails("VALUE", "", data.TensorDataset, []);
  const named = data.StackDataset.named([rows, rows], ["a", "b"]);
  equal([...named.at(1).keys()], ["a", "b"]);
  equal(arrays(data.default_collate([[1, 2], [3, 4]])), [[1, 3], [2, 4]]); // prettier-ignore
});

await that("what a function of a dataset throws arrives, and the loader goes on", () => {
  const value = new Error("mine");
  for (const num_workers of [0, 2]) {
    const batches = data.DataLoader(Dataset.from(breaking(value, 3)), 2, { num_workers }).iterate();
    equal(batches.next().value.toArray(), [0, 1]);
    equal(raises(() => batches.next()) === value, true);
    equal(arrays(batches), [
      [4, 5],
      [6, 7],
    ]);
    equal(batches.next().done, true);
    batches.close();
  }
  fails("TYPE", "a sample", () => Dataset.from({ length: 1, at: () => Symbol("s") }).at(0));
  fails("TYPE", "length and at", Dataset.from, 5);
});

await that("a dataset that is gone through by each worker", () => {
  for (const num_workers of [0, 2]) {
    const log = [];
    const source = Dataset.fromIterable(
      function* () {
        const { id, numWorkers } = data.getWorkerInfo() ?? { id: 0, numWorkers: 1 };
        for (let i = id; i < 6; i += numWorkers) {
          yield i;
        }
      },
      { length: 6 },
    );
    const loader = data.DataLoader(source, 2, { num_workers, worker_init_fn: (id) => log.push(id) });
    equal([source.isIterable, source.length, loader.length], [true, 6, 3]);
    equal(
      arrays(loader).flat().sort(),
      [0, 1, 2, 3, 4, 5],
    );
    equal(log.sort(), num_workers === 0 ? [] : [0, 1]);
  }
  fails("TYPE", "can be iterated", Dataset.fromIterable, 3);
  fails("TYPE", "not number 3", () => [...Dataset.fromIterable(() => 3)]);
  fails("TYPE", "length", () => Dataset.fromIterable([].values()).length);
});

await that("who leaves early leaves nothing behind", () => {
  for (const num_workers of [0, 2]) {
    const [live, held] = [liveHandles(), heldCallbacks()];
    const log = { begun: 0, left: 0 };
    const source = Dataset.fromIterable(telling(log, 1000));
    const loader = data.DataLoader(source, 3, { num_workers });
    for (const batch of loader) {
      equal(batch.toArray(), [0, 1, 2]);
      batch.close();
      break;
    }
    equal([log.begun > 0, log.left], [true, log.begun]);
    [loader, source].forEach((handle) => handle.close());
    equal([liveHandles(), heldCallbacks()], [live, held]);
  }
});

await that("samplers of the library and of one's own", () => {
  const mine = Sampler.from([3, 1, 2]);
  equal([[...mine], mine.length, mine.name, [...mine]], [[3, 1, 2], 3, "Sampler", [3, 1, 2]]);
  const batches = data.BatchSampler(mine, 2, false);
  equal([[...batches], batches.length, batches instanceof data.BatchSampler], [[[3, 1], [2]], 2, true]);
  equal(arrays(data.DataLoader(numbers(5), 2, { sampler: mine })), [[3, 1], [2]]); // prettier-ignore
  const pairs = Sampler.from(inPairs);
  equal(arrays(data.DataLoader(numbers(5), { batch_sampler: pairs })), [[0, 4], [2]]); // prettier-ignore
  fails("TYPE", "length", () => pairs.length);
  fails("INDEX", "set_epoch", () => mine.setEpoch(1));
  fails("TYPE", "iterated", Sampler.from, null);
  const value = new Error("order");
  equal(raises(() => [...data.DataLoader(numbers(5), { sampler: Sampler.from(throwing(value)) })]) === value, true);
});

await that("batches made in one's own way", () => {
  for (const num_workers of [0, 2]) {
    const loader = data.DataLoader(numbers(5), 2, { num_workers, collate_fn: (samples) => samples.join("+") });
    equal([[...loader], loader.length], [["0+1", "2+3", "4"], 3]);
    const value = new Error("init");
    const failing = data.DataLoader(numbers(5), { num_workers, worker_init_fn: throwing(value) });
    if (num_workers > 0) {
      equal(raises(() => [...failing]) === value, true);
    }
  }
  const { batches, consumerWaited, workersWaited, workersWorked } = data.DataLoader(numbers(2)).statistics;
  equal([batches, consumerWaited, workersWaited, workersWorked], [0, 0, 0, 0]);
  fails("VALUE", "batch_size", data.DataLoader, numbers(5), -1);
  fails("TYPE", "no argument batchSize", data.DataLoader, numbers(5), { batchSize: 2 });
  fails("TYPE", "dataset", data.DataLoader, [1, 2]);
  fails("TYPE", "a function", data.DataLoader, numbers(5), { collate_fn: 5 });
});

await that("a loader of one's own", () => {
  const loader = DataLoader.from([1, [2, "three"]]);
  equal([[...loader], loader.length, loader instanceof DataLoader], [[1, [2, "three"]], 2, true]);
  const named = DataLoader.from(() => [{ a: 1 }], { length: 1 });
  equal([...named][0].get("a"), 1);
});

await that("a position is saved, and gone on from", () => {
  for (const num_workers of [0, 2]) {
    manualSeed(3);
    const loader = data.DataLoader(numbers(9), 2, { shuffle: true, num_workers });
    const batches = loader.iterate();
    batches.next();
    batches.next();
    const state = batches.stateDict();
    const rest = arrays(batches);
    equal(arrays(loader.iterateFrom(state)), rest);
    const other = loader.iterate();
    other.loadStateDict(state);
    equal(arrays(other), rest);
    fails("RUNTIME", "taken", () => other.loadStateDict(state));
    fails("INDEX", "", () => loader.iterateFrom({}));
    [batches, other].forEach((iterator) => iterator.close());
  }
});

await that("an iterator of one's own knows where it is", () => {
  class Numbers {
    at = 0;

    [Symbol.iterator]() {
      return new Numbers();
    }

    next() {
      return this.at < 4 ? { value: this.at++, done: false } : { done: true };
    }

    stateDict() {
      return { at: this.at };
    }

    loadStateDict(state) {
      this.at = state.get("at");
    }
  }
  const loader = DataLoader.from(new Numbers());
  const batches = loader.iterate();
  equal([batches.next().value, batches.next().value], [0, 1]);
  const state = batches.stateDict();
  const again = loader.iterateFrom(state);
  equal([[...batches], [...again]], [[2, 3], [2, 3]]); // prettier-ignore
  fails("UNSUPPORTED", "where it is", () => DataLoader.from([1]).iterate().stateDict());
});

await that("transforms are called, and draw from a generator", () => {
  const image = floats(48).reshape([3, 4, 4]);
  const flip = transforms.RandomHorizontalFlip(1);
  equal(flip(image).toArray(), image.flip([2]).toArray());
  equal([flip.name, `${flip}`, typeof flip], ["RandomHorizontalFlip", "RandomHorizontalFlip(p=1.0)", "function"]);
  equal([flip instanceof transforms.RandomHorizontalFlip, flip instanceof Transform, flip instanceof transforms.Resize], [true, true, false]); // prettier-ignore
  const generator = core.generator_new("cpu");
  const draw = (transform) => {
    core.generator_manual_seed(generator, 4);
    return Array.from({ length: 5 }, () => transform(image, { generator }).toArray());
  };
  const crop = transforms.RandomCrop([2]);
  const mine = Transform.from((x, given) => crop(x, { generator: given }), { name: "Mine" });
  equal(draw(mine), draw(crop));
  core.generator_manual_seed(generator, 4);
  const [raw] = [core.transform_call_tensor(crop, image, generator)];
  equal(raw.toArray(), draw(crop)[0]);
  equal(`${mine}`, "Mine()");
  equal(transforms.FiveCrop([2])(image).length, 5);
});

await that("what is in a sample is transformed as what it is marked as", () => {
  const boxes = tv_tensors.BoundingBoxes(tensor([[0, 0, 1, 2]]), { format: "XYXY", canvas_size: [4, 4] });
  const flip = transforms.RandomHorizontalFlip(1);
  const sample = flip({ image: tv_tensors.Image(aten.zeros([3, 4, 4])), boxes, label: "cat" });
  equal([sample.get("label"), sample.get("boxes").toArray()], ["cat", [[3, 0, 4, 2]]]);
  equal(core.tv_tensor_kind_of(sample.get("boxes")), "bounding_boxes");
  const [image, label] = flip(floats(2).reshape([1, 1, 2]), 7);
  equal([image.toArray(), label], [[[[1, 0]]], 7]); // prettier-ignore
  equal(transforms.functional.horizontal_flip(floats(2).reshape([1, 1, 2])).toArray(), [[[1, 0]]]);
});

await that("functions stand for transforms, by names, in values", () => {
  const double = (x) => x.mul(2);
  const both = transforms.Compose([double, transforms.Lambda((x) => x.add(1), ["Tensor"])]);
  equal(both(tensor([1, 2])).toArray(), [3, 5]);
  equal(`${both}`.split("\n")[1].trim(), "double()");
  const rows = data.TransformedDataset(numbers(3), { transform: (i) => i * 10 });
  for (const num_workers of [0, 2]) {
    equal(arrays(data.DataLoader(rows, 2, { num_workers })), [[0, 10], [20]]); // prettier-ignore
  }
  const made = Transform.create("Compose", [transforms.Identity(), Transform.create("Resize", [32])]);
  equal([made.name, /Resize\(size=\[32\]/.test(`${made}`)], ["Compose", true]);
  const held = fromValue(toValue([both]))[0];
  equal(held(tensor([1, 2])).toArray(), [3, 5]);
  const value = new Error("mine");
  equal(raises(transforms.Compose([throwing(value)]), tensor([1])) === value, true);
  fails("VALUE", "", transforms.Compose, []);
  fails("TYPE", "a transform", transforms.Compose, [5]);
  fails("INDEX", "", Transform.create, "NoSuch");
  fails("TYPE", "", transforms.RandomErasing(1), tensor([1]));
});

await that("a folder of images", () => {
  for (const [name, value] of [["cats", 10], ["dogs", 200]]) {
    mkdirSync(join(folder, "images", name), { recursive: true });
    for (let i = 0; i < 3; i++) {
      const image = aten.full([3, 4, 5], value + i).to({ dtype: "uint8" });
      core.image_encode_png_file(image, 6, join(folder, "images", name, `${i}.png`));
    }
  }
  const images = datasets.ImageFolder(join(folder, "images"), {
    transform: transforms.ToDtype("float32", { scale: true }),
    target_transform: (label) => label + 1,
  });
  equal([images.length, images.attribute("classes")], [6, ["cats", "dogs"]]);
  equal(images.attribute("targets").toArray(), [0, 0, 0, 1, 1, 1]);
  for (const num_workers of [0, 2]) {
    const [[pixels, labels]] = [...data.DataLoader(images, 6, { num_workers })];
    equal([pixels.shape, labels.toArray()], [[6, 3, 4, 5], [1, 1, 1, 2, 2, 2]]); // prettier-ignore
    equal(pixels.mul(255).round().at("...", 0, 0, 0).toArray(), [10, 11, 12, 200, 201, 202]);
  }
  equal(core.image_decode_file(join(folder, "images", "cats", "1.png"), "gray", 0, 0).shape, [1, 4, 5]);
  fails("IO", "nowhere", datasets.ImageFolder, "nowhere");
});

// A trainer of four weights, its batches and its optimizer.
function begin() {
  manualSeed(1);
  const model = nn.Linear(3, 1);
  const optimizer = new optim.SGD(model.parameters(), { lr: 0.01 });
  const batches = data.DataLoader(data.TensorDataset([floats(24).reshape([8, 3]), aten.ones([8, 1])]), 4);
  return [new Trainer(model, optimizer).setLoss(nn.MSELoss()).setLength({ epochs: 2 }), batches, optimizer];
}

// Functions of the trainer, which take it as an argument.
const mse = (_, model, [x, y]) => model(x).sub(y).pow(2).mean();
const stopAt = (steps) => (trainer) => void (trainer.step === steps && trainer.stop());

await that("a trainer calls back at all points", () => {
  const [trainer, batches] = begin();
  const log = [];
  const note = (_, event) => log.push(event);
  trainer.setValidation(batches);
  for (const event of ["begin", "epoch_begin", "batch_end", "gradients", "step", "validation", "epoch_end", "end"]) {
    trainer.on(event, note);
  }
  trainer.fit(batches);
  const step = ["batch_end", "gradients", "step"];
  const epoch = ["epoch_begin", ...step, ...step, "validation", "epoch_end"];
  equal(log, ["begin", ...epoch, ...epoch, "end"]);
  equal([trainer.epoch, trainer.step, trainer.stopped], [2, 4, false]);
  equal(Object.keys(trainer.history[1]).sort(), ["epoch", "loss", "step", "val_loss"]);
});

await that("a step and metrics of one's own", () => {
  const [plain, batches] = begin();
  plain.fit(batches);
  const [trainer] = begin();
  trainer.setStep(mse);
  trainer.fit(batches);
  equal(trainer.history, plain.history);
  trainer.setStep(null).addMetric("half", (output, [, y]) => output.size(0) / 2 - y.size(0) / 4);
  equal(trainer.evaluate(batches).half, 1);
  equal(trainer.evaluate(DataLoader.from([[aten.zeros([2, 3]), aten.zeros([2, 1])]])).half, 0.5);
});

await that("what a callback of the trainer throws arrives", () => {
  const value = new Error("mine");
  const calls = [
    (trainer) => trainer.setStep(throwing(value)),
    (trainer) => trainer.addMetric("mine", throwing(value)),
    (trainer) => trainer.on("step", throwing(value)),
  ];
  for (const call of calls) {
    const [trainer, batches] = begin();
    equal(raises(() => call(trainer).fit(batches)) === value, true);
  }
  const [trainer, batches] = begin();
  fails("TYPE", "must return a number", () => trainer.addMetric("text", text).fit(batches));
  fails("TYPE", "a function", () => trainer.on("step", 5));
  fails("TYPE", "a function", () => trainer.setStep(5));
  fails("TYPE", "a trainer_event", () => trainer.on("lunch", mse));
  fails("VALUE", "a metric text already", () => trainer.addMetric("text"));
  fails("INVALID_ARGUMENT", "", () => trainer.setLength({ epochs: 0 }));
  fails("VALUE", "", () => begin()[0].loss);
});

await that("a trainer stops, and early", () => {
  const [trainer, batches] = begin();
  trainer.on("step", stopAt(1)).fit(batches);
  equal([trainer.step, trainer.stopped, trainer.epoch], [1, true, 0]);
  trainer.fit(batches);
  equal([trainer.step, trainer.stopped, trainer.epoch], [4, false, 2]);
  const [early] = begin();
  early.setLength({ epochs: 50 }).setEarlyStopping("loss", { maximize: true, patience: 1 }).fit(batches);
  equal([early.epoch < 50, early.stopped], [true, true]);
});

await that("all settings of a trainer", () => {
  const [trainer, batches, optimizer] = begin();
  const scheduler = new optim.lr_scheduler.StepLR(optimizer, 1);
  trainer
    .setAccumulation(2)
    .setAutocast("cpu", { dtype: "bfloat16" })
    .setClipping({ maxNorm: 1 })
    .setLRScheduler(scheduler, { eachStep: true })
    .setValidation(batches, { everySteps: 1 })
    .setGradScaler(null)
    .setProgress("none")
    .setInterruptible()
    .setSnapshots(new Snapshots(join(folder, "settings")), { everySteps: 1, metric: "val_loss" })
    .fit(batches);
  equal([trainer.step, scheduler.lastEpoch], [2, 2]);
});

await that("steps are captured", () => {
  const losses = [0, 2].map((most) => {
    const [trainer, batches] = begin();
    trainer.setLength({ epochs: 4 }).setTape(most).fit(batches);
    return trainer.history.map((epoch) => epoch.loss);
  });
  equal(losses[0], losses[1]);
  const model = nn.Linear(3, 2);
  noGrad(() => {
    const step = capture([aten.zeros([1, 3])], (x) => [model(x), aten.neg(x)]);
    const x = floats(3).reshape([1, 3]);
    const expected = [model(x), aten.neg(x)].map((y) => y.toArray());
    equal(
      step.replay([x]).map((y) => y.toArray()),
      expected,
    );
    equal([step.text.includes("aten::neg"), step.bytes > 0], [true, true]);
    model.setTape();
    for (let i = 0; i < 4; i++) {
      equal(model(x).toArray(), expected[0]);
    }
  });
  fails("UNSUPPORTED", "aten::nonzero", capture, [aten.zeros([3])], (x) => aten.nonzero(x));
});

await that("trainers and what they call are let go", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  const [live, held] = [liveHandles(), heldCallbacks()];
  (() => {
    const [trainer, batches] = begin();
    trainer.setStep(mse).on("step", stopAt(3)).addMetric("none").setStep(null);
    trainer.fit(batches);
  })();
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  equal([liveHandles() - live <= 2, heldCallbacks() <= held], [true, true]);
});

await that("memory that workers take is collected on this thread", () => {
  setMemoryThreshold(2 ** 20);
  try {
    const rows = data.TensorDataset([aten.ones([40, 100_000])]);
    let count = 0;
    for (const [batch] of data.DataLoader(rows, { batch_size: 4, num_workers: 2 })) {
      count += batch.size(0);
    }
    equal(count, 40);
  } finally {
    setMemoryThreshold(128 * 2 ** 20);
  }
});

await done();
