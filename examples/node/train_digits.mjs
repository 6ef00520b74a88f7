// Train a small convolutional network on handwritten digits: ../train_digits.c in JavaScript, so that the same options
// give the same losses.
//
//     node train_digits.mjs [--epochs N] [--batch-size N] [--lr X] [--seed N] [--threads N] [--workers N] [--data DIR]
//                           [--losses FILE]
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { data, datasets, liveHandles, manualSeed, nn, optim, setNumThreads, Trainer, transforms } from "ctorch";

// Images (N, 1, 8, 8) to a score for each class (N, 10).
function network() {
  const relu = nn.ReLU(true); // one for all three places: it has no parameters
  return nn.Sequential({
    conv1: nn.Conv2d(1, 32, 3, { padding: 1 }),
    relu1: relu,
    conv2: nn.Conv2d(32, 64, 3, { padding: 1 }),
    relu2: relu,
    pool: nn.MaxPool2d(2),
    flatten: nn.Flatten(),
    fc1: nn.Linear(64 * 4 * 4, 128),
    relu3: relu,
    fc2: nn.Linear(128, 10),
  });
}

// Batches of a part of the data, "train" or "t10k" as MNIST calls them (../data/README.md): pixels from 0 to 1; and in
// training each image turned, shifted, stretched and sheared a little, anew each time.
function batchesOf(part, options) {
  const numbers = [transforms.ToDtype("float32"), transforms.Normalize([0], [16])];
  const affine = { translate: [0.1, 0.1], scale: [0.85, 1.15], shear: [10], interpolation: "bilinear" };
  const training = part === "train";
  const transform = transforms.Compose(training ? [...numbers, transforms.RandomAffine([10], affine)] : numbers);
  const [images, labels] = ["images-idx3", "labels-idx1"].map((name) => `${options.data}/${part}-${name}-ubyte`);
  const dataset = datasets.IDXFile(images, labels, { transform });
  return data.DataLoader(dataset, options["batch-size"], { shuffle: training, num_workers: options.workers });
}

function main(options) {
  setNumThreads(options.threads);
  manualSeed(options.seed);
  const model = network();
  const optimizer = new optim.SGD(model.parameters(), options.lr, { momentum: 0.9, weight_decay: 1e-3 });
  const scheduler = new optim.lr_scheduler.LinearLR(optimizer, 1, { end_factor: 0, total_iters: options.epochs });
  const trainer = new Trainer(model, optimizer)
    .setLoss(nn.CrossEntropyLoss())
    .setLRScheduler(scheduler)
    .setLength({ epochs: options.epochs })
    .setProgress("auto")
    .addMetric("accuracy");
  trainer.fit(batchesOf("train", options));
  if (options.losses !== "") {
    writeFileSync(options.losses, trainer.history.map(({ loss }) => `${allDigits(loss)}\n`).join(""));
  }
  const { loss, accuracy } = trainer.evaluate(batchesOf("t10k", options));
  console.log(`test loss ${loss.toFixed(4)}, accuracy ${(100 * accuracy).toFixed(2)} %`);
}

// A double with 17 digits, as C prints it with %.17g.
function allDigits(value) {
  const [, sign, first, rest, exponent] = /^(-?)(\d)\.(\d*)e([+-]\d+)$/.exec(value.toExponential(16));
  const power = Number(exponent);
  if (power < -4 || power > 16) {
    const digits = `${first}.${rest}`.replace(/\.?0+$/, "");
    return `${sign}${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const digits = power < 0 ? "0".repeat(-power) + first + rest : first + rest;
  const point = Math.max(power, 0) + 1;
  return sign + `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, "");
}

function parseOptions(given) {
  const folder = fileURLToPath(new URL("../data", import.meta.url));
  const options = { epochs: 30, "batch-size": 32, lr: 0.05, seed: 0, threads: 1, workers: 0, data: folder, losses: "" };
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i].replace(/^--/, "");
    const value = typeof options[name] === "number" ? Number(given[i + 1]) : given[i + 1];
    if (!Object.hasOwn(options, name) || value === undefined || Number.isNaN(value)) {
      console.error(`train_digits: bad option ${given[i]} ${given[i + 1]}`);
      process.exit(2);
    }
    options[name] = value;
  }
  return options;
}

try {
  main(parseOptions(process.argv.slice(2)));
  const leaked = liveHandles() ?? 0; // counted with CTORCH_DEBUG_HANDLES=1
  if (leaked > 0) {
    throw new Error(`${leaked} handles leaked`);
  }
} catch (failure) {
  console.error(`train_digits: ${failure.message}`);
  process.exit(1);
}
