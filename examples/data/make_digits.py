#!/usr/bin/env python3
"""Write the four IDX files of this folder from scikit-learn's copy of the handwritten digits.

    python3 examples/data/make_digits.py [FOLDER]        # needs scikit-learn; FOLDER is this one by default

The images keep the order of the data set, which goes form by form: 14 filled-in forms of 124 to 130 digits, each with
the same sequence of digits. The last three forms are the test part, so that no test image comes from a form that the
network has been trained on. That is harder than a shuffled split, where every form is in both parts.

IDX is the format of MNIST: two zero bytes, 8 for "unsigned byte", the number of dimensions, each dimension as a
big-endian 32-bit integer, then the elements row by row.
"""

import struct
import sys
from pathlib import Path

import numpy
from sklearn.datasets import load_digits

TRAIN_IMAGES = 1415  # the first eleven forms


def write_idx(path: Path, array: numpy.ndarray) -> None:
    header = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    path.write_bytes(header + array.astype(numpy.uint8).tobytes())


def main(folder: Path) -> None:
    digits = load_digits()
    train, test = slice(TRAIN_IMAGES), slice(TRAIN_IMAGES, None)
    for name, part in (("train", train), ("t10k", test)):
        write_idx(folder / f"{name}-images-idx3-ubyte", digits.images[part])
        write_idx(folder / f"{name}-labels-idx1-ubyte", digits.target[part])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
