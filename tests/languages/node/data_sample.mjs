// Loads, transforms and trains what data_sample.py does, and prints it. Its argument is a folder for snapshots.
import { join } from "node:path";
import { aten, data, Dataset, manualSeed, nn, optim, Snapshots, tensor, Trainer, transforms, Tuple } from "ctorch";
import { done } from "./check.mjs";

function* flat(item) {
  if (item?.kind === "tensor") {
    yield* item.flatten().toArray();
  } else if (item instanceof Map) {
    yield* flat([...item.values()]);
  } else if (Array.isArray(item)) {
    for (const part of item) {
      yield* flat(part);
    }
  } else {
    yield item;
  }
}

const print = (name, workers, item) => console.log(name, workers, ...[...flat(item)].map(String));

const DICTS = {
  length: 7,
  at: (i) => ({ number: i, pair: Tuple.of(i / 2, tensor([BigInt(i), BigInt(i + 1)])) }),
};

// Not inside what refers to the transform: functions of one place keep all that any of them refers to.
const double = (x) => x.mul(2);

function trained(workers, folder) {
  manualSeed(0);
  const [x, y, vx, vy] = [aten.randn([50, 4]), aten.randint(3, [50]), aten.randn([20, 4]), aten.randint(3, [20])];
  const batches = data.DataLoader(data.TensorDataset([x, y]), 8, { shuffle: true, num_workers: workers });
  const validation = data.DataLoader(data.TensorDataset([vx, vy]), 20, { num_workers: workers });
  const make = (epochs) => {
    const model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3));
    const optimizer = new optim.SGD(model.parameters(), { lr: 0.1, momentum: 0.9, foreach: false });
    const trainer = new Trainer(model, optimizer)
      .setLoss(nn.CrossEntropyLoss())
      .setLength({ epochs })
      .addMetric("accuracy")
      .setClipping({ maxNorm: 0.5 })
      .setLRScheduler(new optim.lr_scheduler.StepLR(optimizer, 1, { gamma: 0.5 }))
      .setValidation(validation);
    return [trainer, model];
  };
  const history = (trainer) =>
    trainer.history.map(({ loss, accuracy, val_loss, val_accuracy }) => [loss, accuracy, val_loss, val_accuracy]);

  manualSeed(1);
  const [trainer, model] = make(2);
  const losses = [];
  trainer.on("batch_end", ({ loss }) => losses.push(loss));
  trainer.fit(batches);
  print("trained", workers, [losses, model.parameters()]);
  print("history", workers, history(trainer));

  manualSeed(1);
  const [first] = make(1);
  first.setSnapshots(new Snapshots(folder)).fit(batches);
  manualSeed(2);
  const [second] = make(2);
  second.setSnapshots(new Snapshots(folder)).fit(batches);
  print("resumed", workers, history(second));
}

function loaded(workers) {
  const rows = data.TensorDataset([aten.arange(20, { dtype: "float32" }).reshape([10, 2]), aten.arange(10)]);
  const load = (dataset, given) => data.DataLoader(dataset, { ...given, num_workers: workers });
  manualSeed(5);
  const loader = load(rows, { batch_size: 4, shuffle: true });
  print("shuffled", workers, [[...loader], [...loader]]);

  manualSeed(6);
  const sampler = data.RandomSampler(rows, true, 7);
  print("drawn", workers, [...load(rows, { batch_size: 4, sampler, drop_last: true })]);

  manualSeed(7);
  const weights = [1, 2, 3, 4, 0.5, 0, 1, 1, 1, 1];
  const batch_sampler = data.BatchSampler(data.WeightedRandomSampler(weights, 8), 3, false);
  print("weighted", workers, [...load(rows, { batch_sampler })]);

  const part = data.DistributedSampler(rows, 3, 1, { seed: 4 });
  const orders = [0, 3].map((epoch) => {
    part.setEpoch(epoch);
    return [...part];
  });
  print("distributed", workers, orders);

  manualSeed(8);
  const parts = [[7, 3], [0.5, 0.5]].flatMap((lengths) => data.random_split(rows, lengths)); // prettier-ignore
  print("split", workers, parts.map((subset) => [...subset])); // prettier-ignore

  print("collated", workers, [...load(Dataset.from(DICTS), { batch_size: 3 })]);

  manualSeed(9);
  const transform = transforms.Compose([
    transforms.RandomCrop([3]),
    transforms.RandomHorizontalFlip(),
    transforms.Lambda(double),
  ]);
  const image = aten.arange(48, { dtype: "float32" }).reshape([3, 4, 4]);
  print("transformed", workers, Array.from({ length: 4 }, () => transform(image)));

}

for (const workers of [0, 2]) {
  loaded(workers);
  trained(workers, join(process.argv[2], `run${workers}`));
}

await done();
