// Train a small convolutional network on handwritten digits: ../train_digits.c in JavaScript, step by step the same, so
// that the same options give the same losses.
//
//     node train_digits.mjs [--epochs N] [--batch-size N] [--lr X] [--seed N] [--threads N] [--data DIR] [--losses FILE]
//
// Tensors that nobody uses any more are closed when garbage is collected.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { aten, core, fromData, liveHandles, Module, nn, noGrad, optim } from "ctorch";

const [CLASSES, SIZE, MAX_PIXEL] = [10, 8, 16];
const [MOMENTUM, WEIGHT_DECAY, DISTORTION] = [0.9, 1e-3, 0.2];

// Data: a pair of IDX files (data/README.md)

function readIdx(path, ndim) {
  const bytes = readFileSync(path);
  if (bytes.length < 4 + 4 * ndim || bytes.readUInt32BE(0) !== 0x800 + ndim) {
    throw new Error(`${path}: no IDX file of bytes`);
  }
  const shape = Array.from({ length: ndim }, (_, i) => bytes.readUInt32BE(4 + 4 * i));
  if (bytes.length !== 4 + 4 * ndim + shape.reduce((a, b) => a * b)) {
    throw new Error(`${path}: truncated`);
  }
  return fromData(bytes.subarray(4 + 4 * ndim), shape, "uint8");
}

// Images (count, 1, 8, 8) from 0 (paper) to 1 (ink), and their labels.
function readDigits(folder, part) {
  const images = readIdx(`${folder}/${part}-images-idx3-ubyte`, 3);
  const labels = readIdx(`${folder}/${part}-labels-idx1-ubyte`, 1);
  const count = images.size(0);
  if (images.size(1) !== SIZE || images.size(2) !== SIZE || labels.size(0) !== count) {
    throw new Error(`${folder}: not such images and labels`);
  }
  if (images.max().item() > MAX_PIXEL || labels.max().item() >= CLASSES) {
    throw new Error(`${folder}: a value out of range`);
  }
  return { images: images.unsqueeze(1).div(MAX_PIXEL), labels: labels.to({ dtype: "int64" }), count };
}

class Network extends Module {
  constructor() {
    super();
    this.conv1 = nn.Conv2d(1, 32, 3, { padding: 1 });
    this.conv2 = nn.Conv2d(32, 64, 3, { padding: 1 });
    this.fc1 = nn.Linear(64 * 4 * 4, 128);
    this.fc2 = nn.Linear(128, CLASSES);
  }

  // Images (N, 1, 8, 8) to a score for each class (N, 10).
  forward(images) {
    const x = this.conv2(this.conv1(images).relu()).relu().max_pool2d([2, 2]).flatten(1, -1);
    return this.fc2(this.fc1(x).relu());
  }
}

// Training

// Each image turned, sheared, stretched and shifted a little, anew each time.
function distort(images) {
  const [BILINEAR, ZEROS] = [0, 0];
  const count = images.size(0);
  const identity = aten.eye(2, 3);
  const maps = aten.empty([count, 2, 3]).uniform_(-DISTORTION, DISTORTION).add_(identity);
  const grid = aten.affine_grid_generator(maps, [count, 1, SIZE, SIZE], false);
  return aten.grid_sampler(images, grid, BILINEAR, ZEROS, false);
}

function trainStep(net, optimizer, data, batch) {
  const images = distort(data.images.index_select(0, batch));
  const labels = data.labels.index_select(0, batch);
  const loss = aten.cross_entropy_loss(net(images), labels);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

// One pass over the images in a new order; the mean loss.
function trainEpoch(net, optimizer, data, batchSize) {
  let sum = 0;
  for (const batch of aten.randperm(data.count).split(batchSize)) {
    const loss = trainStep(net, optimizer, data, batch);
    if (!Number.isFinite(loss)) {
      throw new Error(`the loss is ${loss}: try a smaller --lr`);
    }
    sum += loss * batch.size(0);
  }
  return sum / data.count;
}

// Testing

// Predictions counted by label and prediction.
function test(net, data) {
  return noGrad(() => {
    const predictions = net(data.images).argmax(1);
    return data.labels
      .mul(CLASSES)
      .add(predictions)
      .bincount({ minlength: CLASSES * CLASSES })
      .toArray();
  });
}

function printResult(counts) {
  console.log("confusion matrix: a row for each label, a column for each prediction");
  console.log("        0   1   2   3   4   5   6   7   8   9");
  let right = 0;
  for (let label = 0; label < CLASSES; label++) {
    const row = counts.slice(label * CLASSES, (label + 1) * CLASSES);
    console.log(`${String(label).padStart(4)} ${row.map((n) => (n === 0 ? "." : String(n)).padStart(4)).join("")}`);
    right += row[label];
  }
  const total = counts.reduce((a, b) => a + b);
  console.log(`test accuracy ${((100 * right) / total).toFixed(2)} % (${right} of ${total})`);
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
  const data = fileURLToPath(new URL("../data", import.meta.url));
  const options = { epochs: 30, "batch-size": 32, lr: 0.05, seed: 0, threads: 1, data, losses: "" };
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

function main(options) {
  core.threads_set_num(options.threads);
  core.random_manual_seed(options.seed);
  const testData = readDigits(options.data, "t10k");
  const net = new Network();
  const optimizer = new optim.SGD(net.parameters(), options.lr, { momentum: MOMENTUM, weight_decay: WEIGHT_DECAY });
  const data = readDigits(options.data, "train");
  const losses = options.losses === "" ? null : openSync(options.losses, "w");
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    optimizer.paramGroups[0].lr = options.lr * (1 - epoch / options.epochs);
    const loss = trainEpoch(net, optimizer, data, options["batch-size"]);
    console.log(`epoch ${String(epoch + 1).padStart(2)}/${options.epochs}  loss ${loss.toFixed(4)}`);
    if (losses !== null) {
      writeSync(losses, `${allDigits(loss)}\n`);
    }
  }
  if (losses !== null) {
    closeSync(losses);
  }
  printResult(test(net, testData));
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
