"""Train a small convolutional network on handwritten digits: examples/train_digits.c in Python, with the same losses.

The package must be found: PYTHONPATH=build/cmake/generated/bindings/python, or an installed wheel.
"""

import argparse
import math
import struct
import sys
from pathlib import Path

import ctorch
from ctorch import aten, nn, optim

MOMENTUM, WEIGHT_DECAY, DISTORTION = 0.9, 1e-3, 0.2
CLASSES, SIZE = 10, 8
MEAN, BILINEAR, ZEROS = 1, 0, 0


class Network(nn.Module):
    """Images (N, 1, 8, 8) to a score for each class (N, 10)."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.fc1 = nn.Linear(64 * 4 * 4, 128)
        self.fc2 = nn.Linear(128, CLASSES)

    def forward(self, images):
        x = self.conv2(self.conv1(images).relu()).relu()
        x = aten.max_pool2d(x, 2).flatten(1)
        return self.fc2(self.fc1(x).relu())


def distort(images):
    """Each image turned, sheared, stretched and shifted a little, anew each time."""
    count = images.shape[0]
    maps = aten.empty([count, 2, 3]).uniform_(-DISTORTION, DISTORTION)
    maps += aten.eye(2, 3)
    grid = aten.affine_grid_generator(maps, [count, 1, SIZE, SIZE], align_corners=False)
    return aten.grid_sampler(images, grid, BILINEAR, ZEROS, align_corners=False)


def train_epoch(network, optimizer, images, labels, batch_size):
    """One pass over the images in a new order; gives the mean loss."""
    total = 0.0
    for batch in aten.split(aten.randperm(images.shape[0]), batch_size):
        scores = network(distort(images.index_select(0, batch)))
        loss = aten.cross_entropy_loss(scores, labels.index_select(0, batch), reduction=MEAN)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not math.isfinite(loss.item()):
            raise SystemExit(f"train_digits: the loss is {loss.item()}: try a smaller --lr")
        total += loss.item() * batch.numel()
    return total / images.shape[0]


def confusion(network, images, labels):
    """A row for each label, a column for each prediction."""
    with ctorch.no_grad():
        cells = labels * CLASSES + network(images).argmax(1)
        return cells.bincount(minlength=CLASSES * CLASSES).view(CLASSES, CLASSES).tolist()


def read(folder, part):
    """Images (count, 1, 8, 8) from 0 to 1 and labels (count), from a pair of IDX files (see data/README.md)."""
    images = read_idx(folder / f"{part}-images-idx3-ubyte", ndim=3)
    labels = read_idx(folder / f"{part}-labels-idx1-ubyte", ndim=1)
    if images.shape[1:] != (SIZE, SIZE) or images.shape[:1] != labels.shape or images.max() > 16 or labels.max() > 9:
        raise SystemExit(f"train_digits: {folder}: these are not images of {SIZE} x {SIZE} with their labels")
    return images.unsqueeze(1) / 16, labels.to(ctorch.int64)


def read_idx(path, ndim):
    data = bytearray(path.read_bytes())
    shape = struct.unpack_from(f">{ndim}I", data, 4) if len(data) >= 4 + 4 * ndim else ()
    if data[:4] != bytes([0, 0, 8, ndim]) or len(data) != 4 + 4 * ndim + math.prod(shape):
        raise SystemExit(f"train_digits: {path}: no IDX file of bytes with {ndim} dimensions")
    return ctorch.frombuffer(data, dtype=ctorch.uint8, offset=4 + 4 * ndim).view(*shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-e", "--epochs", type=int, default=30, help="passes over the training images")
    parser.add_argument("-b", "--batch-size", type=int, default=32, help="images per step")
    parser.add_argument("--lr", type=float, default=0.05, help="learning rate at the start; it falls linearly to 0")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, order and distortion")
    parser.add_argument("-t", "--threads", type=int, default=1, help="threads that LibTorch computes with")
    parser.add_argument("-d", "--data", type=Path, default=Path(__file__).parents[1] / "data", help="the IDX files")
    parser.add_argument("--losses", type=argparse.FileType("w"), help="where the mean loss of each epoch goes")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    options = parser.parse_args()

    ctorch.raw.threads_set_num(options.threads)
    ctorch.manual_seed(options.seed)
    test = read(options.data, "t10k")
    network = Network()
    optimizer = optim.SGD(network.parameters(), options.lr, momentum=MOMENTUM, weight_decay=WEIGHT_DECAY)
    images, labels = read(options.data, "train")
    for epoch in range(options.epochs):
        for group in optimizer.param_groups:
            group["lr"] = options.lr * (1 - epoch / options.epochs)
        loss = train_epoch(network, optimizer, images, labels, options.batch_size)
        if not options.quiet:
            print(f"epoch {epoch + 1:2}/{options.epochs}  loss {loss:.4f}", file=sys.stderr)
        if options.losses:
            print(f"{loss:.17g}", file=options.losses)

    matrix = confusion(network, *test)
    print("confusion matrix: a row for each label, a column for each prediction")
    print("     " + "".join(f"{digit:4}" for digit in range(CLASSES)))
    for label, row in enumerate(matrix):
        print(f"{label:4} " + "".join(f"{count or '.':>4}" for count in row))
    right, total = sum(matrix[i][i] for i in range(CLASSES)), sum(map(sum, matrix))
    print(f"test accuracy {100 * right / total:.2f} % ({right} of {total})")


if __name__ == "__main__":
    main()
