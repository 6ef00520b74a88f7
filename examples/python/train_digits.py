"""Train a small convolutional network on handwritten digits: examples/train_digits.c in Python, with the same losses.

The package must be found: PYTHONPATH=build/cmake/generated/bindings/python, or an installed wheel.
"""

import argparse
from pathlib import Path

import ctorch
from ctorch import data, datasets, nn, optim, transforms

MOMENTUM, WEIGHT_DECAY = 0.9, 1e-3


def network():
    """Images (N, 1, 8, 8) to a score for each class (N, 10). One pooling instead of LeNet's two, for small images."""
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1),
        nn.ReLU(inplace=True),
        nn.Conv2d(32, 64, 3, padding=1),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64 * 4 * 4, 128),
        nn.ReLU(inplace=True),
        nn.Linear(128, 10),
    )


def batches_of(options, part):
    """Batches of a part of the data, "train" or "t10k" as MNIST calls them."""
    parts = [transforms.ToDtype(ctorch.float32), transforms.Normalize([0], [16])]  # pixels from 0 to 1
    if part == "train":  # a few hundred digits of each kind would otherwise be learned by heart
        parts.append(transforms.RandomAffine(10, (0.1, 0.1), (0.85, 1.15), 10, interpolation="bilinear"))
    images, labels = (f"{options.data}/{part}-{what}-ubyte" for what in ("images-idx3", "labels-idx1"))
    dataset = datasets.IDXFile(images, labels, transforms.Compose(parts))
    return data.DataLoader(dataset, options.batch_size, shuffle=part == "train", num_workers=options.workers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-e", "--epochs", type=int, default=30, help="passes over the training images")
    parser.add_argument("-b", "--batch-size", type=int, default=32, help="images per step")
    parser.add_argument("--lr", type=float, default=0.05, help="learning rate at the start; it falls linearly to 0")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, order and distortion")
    parser.add_argument("-t", "--threads", type=int, default=1, help="threads that LibTorch computes with")
    parser.add_argument("-w", "--workers", type=int, default=0, help="threads that load images")
    parser.add_argument("-d", "--data", type=Path, default=Path(__file__).parents[1] / "data", help="the IDX files")
    parser.add_argument("--snapshots", help="folder of a snapshot after each epoch; it goes on from the last one there")
    parser.add_argument("--losses", type=argparse.FileType("w"), help="where the mean loss of each epoch goes")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    options = parser.parse_args()

    ctorch.set_num_threads(options.threads)
    ctorch.manual_seed(options.seed)
    model = network()
    optimizer = optim.SGD(model.parameters(), options.lr, momentum=MOMENTUM, weight_decay=WEIGHT_DECAY)
    trainer = ctorch.Trainer(model, optimizer, nn.CrossEntropyLoss(), epochs=options.epochs)
    trainer.add_metric("accuracy")
    trainer.set_lr_scheduler(optim.lr_scheduler.LinearLR(optimizer, 1, 0, options.epochs))
    trainer.set_progress("none" if options.quiet else "auto")
    if options.snapshots:
        trainer.set_snapshots(ctorch.Snapshots(options.snapshots))
    trainer.set_interruptible()  # Ctrl-C ends it in order, with a snapshot
    trainer.fit(batches_of(options, "train"))
    if options.losses:
        options.losses.writelines(f"{epoch['loss']:.17g}\n" for epoch in trainer.history)

    found = trainer.evaluate(batches_of(options, "t10k"))
    print(f"test loss {found['loss']:.4f}, accuracy {100 * found['accuracy']:.2f} %")


if __name__ == "__main__":
    main()
