// Train on a folder of images: ../image_folder.c in JavaScript. The folder has `train` and `test`, which have a folder
// for each class. Worker threads read, decode and transform the images; the result does not depend on their number.
//
//     node image_folder.mjs [FOLDER]
import { fileURLToPath } from "node:url";
import { data, datasets, manualSeed, nn, optim, setNumThreads, Trainer, transforms } from "ctorch";

const folder = process.argv[2] ?? fileURLToPath(new URL("../data/shapes", import.meta.url));

// Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer.
function network(classes) {
  const convolution = (from, to) => nn.Conv2d(from, to, 3, { padding: 1 });
  const halved = (from, to) => [convolution(from, to), nn.BatchNorm2d(to), nn.ReLU(true), nn.MaxPool2d(2)];
  const layers = [...halved(3, 16), ...halved(16, 32), ...halved(32, 64)];
  return nn.Sequential(...layers, nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(64, classes));
}

// Numbers from -1 to 1; and in training a part of the image, of another size, flipped or not, in other colours.
const numbers = [
  transforms.ToDtype("float32", { scale: true }),
  transforms.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
];
const augmentation = [
  transforms.RandomResizedCrop([32], { scale: [0.8, 1] }),
  transforms.RandomHorizontalFlip(),
  transforms.ColorJitter({ brightness: [0.2], contrast: [0.2], hue: [0.5] }),
];

setNumThreads(1); // the tensors are too small for more
manualSeed(0);
const images = datasets.ImageFolder(`${folder}/train`, transforms.Compose([...augmentation, ...numbers]));
const testImages = datasets.ImageFolder(`${folder}/test`, transforms.Compose(numbers));
const classes = images.attribute("classes");
console.log(`classes [${classes.map((name) => `'${name}'`).join(", ")}]`);

const model = network(classes.length);
const trainer = new Trainer(model, new optim.AdamW(model.parameters(), { lr: 3e-3 }))
  .setLoss(nn.CrossEntropyLoss())
  .addMetric("accuracy")
  .setLength({ epochs: 15 })
  .setValidation(data.DataLoader(testImages, 20, { num_workers: 2 }));
trainer.fit(data.DataLoader(images, 20, { shuffle: true, num_workers: 2 }));
trainer.history.forEach((metrics, i) => {
  const shown = ["loss", "val_loss", "val_accuracy"].map((name) => `  ${name} ${metrics[name].toFixed(4)}`);
  console.log(`epoch ${String(i + 1).padStart(2)}${shown.join("")}`);
});
