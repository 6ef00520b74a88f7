"""Datasets of files beside torchvision's, on the same files."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import pickle
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.data.objects import loader
from tests.datasets.files import written
from tests.datasets.images import noise, pixels, saved
from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out, text
from tests.harness.values import made, owned, python, value
from tests.harness.vision import has_torchvision, torchvision

needs_torchvision = pytest.mark.skipif(not has_torchvision(), reason="no torchvision for this torch")


class Dataset:
    """`Dataset("MNIST", root, True, None, None, False)`: the arguments of the C function."""

    def __init__(self, name: str, *arguments: Any) -> None:
        place = out("ctorch_dataset *")
        kept = [a.encode() if isinstance(a, str) else ffi.NULL if a is None else a for a in map(plain, arguments)]
        ok(getattr(lib, f"ctorch_datasets_{name}")(place, *kept))
        self.pointer = ffi.gc(place[0], lib.ctorch_dataset_release)
        assert text(lib.ctorch_dataset_name(self.pointer)) == name

    def __len__(self) -> int:
        place = out("int64_t")
        ok(lib.ctorch_dataset_len(place, self.pointer))
        return place[0]

    def __getitem__(self, index: int) -> Any:
        return python(made("ctorch_dataset_get", self.pointer, index))

    def __getattr__(self, name: str) -> Any:
        return python(made("ctorch_dataset_attribute", self.pointer, name.encode()))


def plain(argument: Any) -> Any:
    return str(argument) if isinstance(argument, Path) else argument


def refused(kind: str, message: str, name: str, *arguments: Any) -> None:
    with pytest.raises(CtorchError) as failure:
        Dataset(name, *arguments)
    assert failure.value.kind == kind and message in failure.value.message, failure.value
    assert failure.value.function == f"ctorch_datasets_{name}"


@ffi.callback("ctorch_transform_callback")
def plus_one(place, input_, generator, error, payload):
    """What a transform of one's own does to images and to classes."""
    place[0] = owned(value(python_of(input_) + 1))
    return 1


def python_of(borrowed: Any) -> Any:
    lib.ctorch_value_retain(borrowed)
    return python(ffi.gc(borrowed, lib.ctorch_value_release))


def transform() -> Any:
    place = out("ctorch_transform *")
    ok(lib.ctorch_transform_from_callback(place, b"PlusOne", plus_one, False, ffi.NULL, ffi.NULL))
    return ffi.gc(place[0], lib.ctorch_transform_release)


def same_samples(ours: Dataset, theirs: Any) -> None:
    assert len(ours) == len(theirs)
    for i in range(-len(theirs), len(theirs)):
        image, target = ours[i]
        expected, expected_target = theirs[i % len(theirs)]
        assert type(target) is int and target == expected_target
        assert image.dtype == torch.uint8 and torch.equal(image, pixels(expected))
    with pytest.raises(CtorchError, match="INDEX"):
        ours[len(theirs)]


# MNIST and its like ---------------------------------------------------------------------------------------------------


def idx(array: np.ndarray) -> bytes:
    return struct.pack(">HBB", 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def write_mnist(folder: Path, prefix: str, seed: int, n: int = 7, packed: bool = False, labels: int | None = None):
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    images = rng.integers(0, 256, (n, 28, 28)).astype(np.uint8)
    targets = rng.integers(0, 10, n if labels is None else labels).astype(np.uint8)
    for name, array in [("images-idx3-ubyte", images), ("labels-idx1-ubyte", targets)]:
        path = folder / f"{prefix}-{name}{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(idx(array)) if packed else idx(array))


@needs_torchvision
@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("name", ["MNIST", "FashionMNIST", "KMNIST"])
def test_mnist(tmp_path, name, train):
    write_mnist(tmp_path / name / "raw", "train", 1)
    write_mnist(tmp_path / name / "raw", "t10k", 2, 5)
    theirs = getattr(torchvision("datasets"), name)(tmp_path, train)
    ours = Dataset(name, tmp_path, train, None, None, False)
    same_samples(ours, theirs)
    assert ours.classes == theirs.classes and ours.class_to_idx == theirs.class_to_idx
    assert torch.equal(ours.data, theirs.data) and torch.equal(ours.targets, theirs.targets)
    assert ours.targets.dtype == torch.int64


@needs_torchvision
@pytest.mark.parametrize("split", ["byclass", "bymerge", "balanced", "letters", "digits", "mnist"])
def test_emnist(tmp_path, split):
    for part, seed in [("train", 3), ("test", 4)]:
        write_mnist(tmp_path / "EMNIST" / "raw", f"emnist-{split}-{part}", seed)
        theirs = torchvision("datasets").EMNIST(tmp_path, split, train=part == "train")
        ours = Dataset("EMNIST", tmp_path, split, part == "train", None, None)
        same_samples(ours, theirs)
        assert ours.classes == theirs.classes


def test_idx_files(tmp_path):
    write_mnist(tmp_path / "MNIST" / "raw", "train", 1)
    write_mnist(tmp_path, "packed", 1, packed=True)
    write_mnist(tmp_path, "fewer", 1, labels=6)
    raw = tmp_path / "MNIST" / "raw"
    theirs = Dataset("MNIST", tmp_path, True, None, None, False)
    images, labels = "images-idx3-ubyte", "labels-idx1-ubyte"
    for ours in (
        Dataset("IDXFile", raw / f"train-{images}", raw / f"train-{labels}", None, None),
        Dataset("IDXFile", tmp_path / f"packed-{images}.gz", tmp_path / f"packed-{labels}.gz", None, None),
    ):
        assert len(ours) == 7 and torch.equal(ours[3][0], theirs[3][0]) and ours[3][1] == theirs[3][1]
        assert torch.equal(ours.data, theirs.data) and torch.equal(ours.targets, theirs.targets)
        with pytest.raises(CtorchError, match="INDEX: IDXFile has no attribute 'classes'"):
            ours.classes  # noqa: B018
    refused("IO", "none", "IDXFile", tmp_path / "none", raw / f"train-{labels}", None, None)
    refused("IO", "none", "IDXFile", raw / f"train-{images}", tmp_path / "none", None, None)
    refused(
        "FORMAT",
        "7 images, but 6 labels",
        "IDXFile",
        tmp_path / f"fewer-{images}",
        tmp_path / f"fewer-{labels}",
        None,
        None,
    )
    refused("FORMAT", "no images of uint8", "IDXFile", raw / f"train-{labels}", raw / f"train-{images}", None, None)


def test_emnist_of_another_split(tmp_path):
    refused("VALUE", "'letter'", "EMNIST", tmp_path, "letter", True, None, None)


def test_packed_files_are_read(tmp_path):
    write_mnist(tmp_path / "MNIST" / "raw", "train", 5)
    plain_ = Dataset("MNIST", tmp_path, True, None, None, False)
    write_mnist(tmp_path / "b" / "MNIST" / "raw", "train", 5, packed=True)
    packed = Dataset("MNIST", tmp_path / "b", True, None, None, False)
    assert torch.equal(plain_.data, packed.data) and torch.equal(plain_.targets, packed.targets)
    digest = hashlib.md5((tmp_path / "b/MNIST/raw/train-images-idx3-ubyte.gz").read_bytes()).hexdigest()
    refused("FORMAT", f"its MD5 is {digest}, expected f68b3c2dcbea", "MNIST", tmp_path / "b", True, None, None, True)


@pytest.mark.parametrize("nbytes", [0, 1, 55, 56, 63, 64, 65, 4095, 4096, 4097, 10000])
def test_md5_is_pythons(tmp_path, nbytes):
    folder = tmp_path / "MNIST" / "raw"
    write_mnist(folder, "train", 6, packed=True)
    data = random.Random(nbytes).randbytes(nbytes)
    (folder / "train-images-idx3-ubyte.gz").write_bytes(data)
    refused("FORMAT", hashlib.md5(data).hexdigest(), "MNIST", tmp_path, True, None, None, True)


def test_what_is_missing_says_where_it_comes_from(tmp_path):
    path = tmp_path / "MNIST/raw/train-images-idx3-ubyte"
    refused("IO", f"MNIST not found: no {path}", "MNIST", tmp_path, True, None, None, False)
    refused("IO", "https://ossci-datasets", "MNIST", tmp_path, True, None, None, False)
    refused("IO", "kriz/cifar.html", "CIFAR10", tmp_path, True, None, None, False)
    write_mnist(tmp_path / "MNIST" / "raw", "train", 7)
    refused("IO", "t10k", "MNIST", tmp_path, False, None, None, False)


def test_damaged_files_are_refused(tmp_path):
    folder = tmp_path / "MNIST" / "raw"
    write_mnist(folder, "train", 8, labels=6)
    refused("FORMAT", "7 images, but 6 labels", "MNIST", tmp_path, True, None, None, False)
    (folder / "train-labels-idx1-ubyte").write_bytes(b"\0\0\x08\x01\0\0\0\7")
    refused("FORMAT", "labels-idx1-ubyte: idx: ends early", "MNIST", tmp_path, True, None, None, False)
    write_mnist(folder, "train", 8)
    (folder / "train-images-idx3-ubyte").write_bytes(idx(np.zeros((7, 28), np.uint8)))
    refused("FORMAT", "no images", "MNIST", tmp_path, True, None, None, False)


def test_transforms(tmp_path):
    write_mnist(tmp_path / "MNIST" / "raw", "train", 9)
    without = Dataset("MNIST", tmp_path, True, None, None, False)
    plus = transform()
    both = Dataset("MNIST", tmp_path, True, plus, plus, False)
    ffi.release(plus)
    for i in range(len(without)):
        assert torch.equal(both[i][0], without[i][0] + 1) and both[i][1] == without[i][1] + 1


def test_a_sample_is_its_own(tmp_path):
    write_mnist(tmp_path / "MNIST" / "raw", "train", 10)
    dataset = Dataset("MNIST", tmp_path, True, None, None, False)
    before = dataset[0][0].clone()
    dataset[0][0].zero_()
    assert torch.equal(dataset[0][0], before)


# CIFAR ----------------------------------------------------------------------------------------------------------------


def write_cifar(root: Path, name: str, protocol: int, seed: int = 11, n: int = 4) -> None:
    rng = np.random.default_rng(seed)
    ten = name == "CIFAR10"
    folder = root / ("cifar-10-batches-py" if ten else "cifar-100-python")
    folder.mkdir(parents=True)
    files = [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"] if ten else ["train", "test"]
    for file in files:
        data = rng.integers(0, 256, (n, 3072)).astype(np.uint8)
        labels = rng.integers(0, 10, n).tolist()
        (folder / file).write_bytes(pickle.dumps({"data": data, "labels" if ten else "fine_labels": labels}, protocol))
    key = "label_names" if ten else "fine_label_names"
    names = {key: [f"class {i}" for i in range(10)]}
    (folder / ("batches.meta" if ten else "meta")).write_bytes(pickle.dumps(names, protocol))


@needs_torchvision
@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("protocol", [2, 4, 5])
@pytest.mark.parametrize("name", ["CIFAR10", "CIFAR100"])
def test_cifar(tmp_path, monkeypatch, name, protocol, train):
    write_cifar(tmp_path, name, protocol)
    datasets = torchvision("datasets")
    monkeypatch.setattr(datasets.cifar, "check_integrity", lambda *_: True)
    theirs = getattr(datasets, name)(tmp_path, train)
    ours = Dataset(name, tmp_path, train, None, None, False)
    same_samples(ours, theirs)
    assert ours.classes == theirs.classes and ours.class_to_idx == theirs.class_to_idx
    assert ours.targets.tolist() == theirs.targets
    assert torch.equal(ours.data, torch.from_numpy(theirs.data).permute(0, 3, 1, 2))
    refused("FORMAT", "is not the published file", name, tmp_path, train, None, None, True)


def python2(data: bytes, labels: list[int]) -> bytes:
    """The pickle that Python 2 made of {"data": an array, "labels": labels}."""
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\x85U\1btR"
    dtype = b"cnumpy\ndtype\n(U\2u1K\0K\1tR(K\3U\1|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
    state = b"(K\1K" + bytes([len(labels)]) + b"M\0\x0c\x86" + dtype + b"\x89T" + struct.pack("<I", len(data)) + data
    numbers = b"](" + b"".join(b"K" + bytes([label]) for label in labels) + b"e"
    return b"\x80\2}(U\4data" + array + state + b"tbU\6labels" + numbers + b"u."


@pytest.mark.parametrize("data", [np.random.default_rng(12).integers(0, 256, 6144).astype(np.uint8), np.full(6144, 65)])
def test_cifar_of_python_2(tmp_path, data):
    """Bytes were texts then, which some are."""
    data = data.astype(np.uint8)
    write_cifar(tmp_path, "CIFAR10", 2)
    file = python2(data.tobytes(), [3, 5])
    loaded = pickle.loads(file, encoding="latin1")
    assert np.array_equal(loaded["data"].ravel(), data) and loaded["labels"] == [3, 5]
    (tmp_path / "cifar-10-batches-py" / "test_batch").write_bytes(file)
    dataset = Dataset("CIFAR10", tmp_path, False, None, None, False)
    assert dataset.data.numpy().tobytes() == data.tobytes() and dataset.targets.tolist() == [3, 5]


@pytest.mark.parametrize("name", ["CIFAR10", "CIFAR100"])
def test_the_binary_version_of_cifar(tmp_path, name):
    rng, ten = np.random.default_rng(13), name == "CIFAR10"
    folder = tmp_path / ("cifar-10-batches-bin" if ten else "cifar-100-binary")
    folder.mkdir()
    (folder / ("batches.meta.txt" if ten else "fine_label_names.txt")).write_text("airplane\ncar\n\n")
    images, labels = [], []
    for file in [f"data_batch_{i}.bin" for i in range(1, 6)] if ten else ["train.bin"]:
        records = rng.integers(0, 256, (3, 3072 + (1 if ten else 2))).astype(np.uint8)
        records[:, : 1 if ten else 2] %= 2
        (folder / file).write_bytes(records.tobytes())
        images.append(records[:, -3072:])
        labels += records[:, 0 if ten else 1].tolist()
    ours = Dataset(name, tmp_path, True, None, None, False)
    assert ours.targets.tolist() == labels and ours.classes == ["airplane", "car"]
    assert ours.data.numpy().tobytes() == b"".join(part.tobytes() for part in images)
    assert ours[0][0].shape == (3, 32, 32)
    path = folder / ("data_batch_1.bin" if ten else "train.bin")
    path.write_bytes(path.read_bytes()[:-1])
    refused("FORMAT", "expected records", name, tmp_path, True, None, None, False)
    path.write_bytes(b"\7" * (3073 if ten else 3074))
    refused("FORMAT", "of class 7, of which there are 2", name, tmp_path, True, None, None, False)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        pickle.dumps([1, 2]),
        pickle.dumps({"data": 5, "labels": []}),
        pickle.dumps({"labels": [1]}),
        pickle.dumps({"data": np.zeros((2, 5), np.uint8), "labels": [1, 2]}),
        pickle.dumps({"data": np.zeros((2, 3072)), "labels": [1, 2]}),
        pickle.dumps({"data": np.zeros((2, 3072), np.uint8), "labels": [1]}),
        pickle.dumps({"data": np.zeros((2, 3072), np.uint8), "labels": [1, "a"]}),
        pickle.dumps({"data": np.zeros((2, 3072), np.uint8), "labels": [1, 99]}),
        pickle.dumps({"data": Path("x"), "labels": [1, 2]}),
    ],
)
def test_a_damaged_pickle_is_refused(tmp_path, content):
    write_cifar(tmp_path, "CIFAR10", 4)
    (tmp_path / "cifar-10-batches-py" / "test_batch").write_bytes(content)
    refused("FORMAT", "", "CIFAR10", tmp_path, False, None, None, False)


# Folders --------------------------------------------------------------------------------------------------------------


def write_images(root: Path) -> None:
    for i, path in enumerate(
        ["dog/a.PNG", "dog/b/z.png", "dog/b.ppm", "dog/a/c/d.jpg", "cat/2.jpeg", "cat/10.pgm", "cat/é.png", "Ant/x.jpg"]
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        kind = {"jpg": "JPEG", "jpeg": "JPEG", "png": "PNG"}.get(path.rsplit(".")[1].lower(), "PPM")
        (root / path).write_bytes(saved(noise(i, "L" if path.endswith("pgm") else "RGB", 9 + i, 7), kind))
    (root / "dog" / "notes.txt").write_text("not an image")
    (root / "dog" / "b" / "deep").mkdir()
    (root / "file.png").write_bytes(b"")


@needs_torchvision
def test_image_folder(tmp_path):
    write_images(tmp_path)
    theirs = torchvision("datasets").ImageFolder(tmp_path)
    ours = Dataset("ImageFolder", tmp_path, None, None, False)
    same_samples(ours, theirs)
    assert ours.classes == theirs.classes and ours.class_to_idx == theirs.class_to_idx
    assert ours.samples == theirs.samples and ours.targets.tolist() == theirs.targets
    for name in ("imgs", "x", ""):
        with pytest.raises(CtorchError, match="INDEX"):
            getattr(ours, name or "no such")
    slash = Dataset("ImageFolder", f"{tmp_path}/", None, None, False)
    assert slash.samples == theirs.samples


def test_image_folder_with_transforms(tmp_path):
    write_images(tmp_path)
    without, plus = Dataset("ImageFolder", tmp_path, None, None, False), transform()
    both = Dataset("ImageFolder", tmp_path, plus, plus, False)
    for i in range(len(without)):
        assert torch.equal(both[i][0], without[i][0] + 1) and both[i][1] == without[i][1] + 1


def test_image_folders_that_are_refused(tmp_path):
    refused("IO", "no such", "ImageFolder", tmp_path / "no such", None, None, False)
    refused("IO", "no class folder", "ImageFolder", tmp_path, None, None, False)
    write_images(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "bare").mkdir()
    refused(
        "IO", "for the classes bare, empty; their names may end in .jpg", "ImageFolder", tmp_path, None, None, False
    )
    assert Dataset("ImageFolder", tmp_path, None, None, True).classes == ["Ant", "bare", "cat", "dog", "empty"]
    (tmp_path / "bare" / "a.bmp").write_bytes(b"BM")
    (tmp_path / "empty" / "a.png").write_bytes(b"")
    dataset = Dataset("ImageFolder", tmp_path, None, None, False)
    for path, target in dataset.samples:
        if "bare" in path or "empty" in path:
            with pytest.raises(CtorchError, match=f"FORMAT: {path}"):
                dataset[dataset.targets.tolist().index(target)]


def test_links_are_followed(tmp_path):
    write_images(tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "wolf").symlink_to(tmp_path / "a" / "dog")
    assert len(Dataset("ImageFolder", tmp_path / "b", None, None, False)) == 4
    (tmp_path / "a" / "dog" / "again").symlink_to(tmp_path / "a" / "dog")
    with pytest.raises(CtorchError, match="IO"):
        raise_unless_finite(Dataset("ImageFolder", tmp_path / "b", None, None, False))


def raise_unless_finite(dataset: Dataset) -> None:
    """A circle of links ends where the system follows no more of them."""
    if len(dataset) < 1000:
        raise CtorchError("IO", "", "")


def test_wav_folder(tmp_path):
    for i, path in enumerate(["yes/b.wav", "yes/a.WAV", "no/c.wav"]):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        sound = torch.full((1, 4 + i), i, dtype=torch.int16)
        (tmp_path / path).write_bytes(written("ctorch_wav_write", handle(sound), 8000 + i))
    dataset = Dataset("WAVFolder", tmp_path, None, None, False)
    assert dataset.classes == ["no", "yes"] and len(dataset) == 3
    for i, (number, target) in enumerate([(2, 0), (1, 1), (0, 1)]):
        sound, rate, label = dataset[i]
        assert rate == 8000 + number and label == target
        assert torch.equal(sound, torch.full((1, 4 + number), number / 32768))
    plus = transform()
    assert Dataset("WAVFolder", tmp_path, plus, plus, False)[0][2] == 1


# Tables, texts, tokens ------------------------------------------------------------------------------------------------


def test_csv_file(tmp_path):
    path = tmp_path / "a.csv"
    rows = [{"name": "Ada, B", "age": 36, "height": 1.5}, {"name": "Cy", "age": 7, "height": -2.0}]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(stream.getvalue())
    dataset = Dataset("CSVFile", path, None, ",", True, None)
    assert [dataset[i] for i in range(len(dataset))] == rows
    assert type(dataset[0]["age"]) is int and type(dataset[0]["height"]) is float
    assert dataset.columns["age"].tolist() == [36, 7]
    path.write_text("1;\n2;3\n")
    dataset = Dataset("CSVFile", path, None, ";", False, ffi.new("double *", 9))
    assert [dataset[i] for i in range(2)] == [{"0": 1, "1": 9}, {"0": 2, "1": 3}]
    path.write_text("")
    assert len(Dataset("CSVFile", path, None, None, False, None)) == 0
    path.write_text("a\n1,2\n")
    refused("FORMAT", f"{path}: line 2", "CSVFile", path, None, None, True, None)
    refused("IO", "no such", "CSVFile", tmp_path / "no such", None, None, True, None)


def test_text_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("eins\r\n\nzwei ä".encode())
    dataset = Dataset("TextFile", path, None)
    assert [dataset[i] for i in range(len(dataset))] == ["eins", "", "zwei ä"]
    path.write_bytes(b"\xff")
    refused("FORMAT", f"{path}: line 1", "TextFile", path, None)


DTYPES = [getattr(torch, name) for name in "uint8 int8 uint16 int16 uint32 int32 uint64 int64".split()]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("n", "block", "stride"), [(10, 3, None), (10, 3, 1), (10, 9, None), (10, 10, 1), (0, 1, 1), (11, 2, 5)]
)
def test_token_file(tmp_path, dtype, n, block, stride):
    tokens = torch.randint(0, 128, (n,), generator=torch.Generator().manual_seed(14))
    path = tmp_path / "tokens.bin"
    tokens.to(dtype).numpy().tofile(path)
    number = {d: i for i, d in value_dtypes()}[dtype]
    dataset = Dataset(
        "TokenFile",
        path,
        block,
        None if dtype == torch.uint16 else ffi.new("ctorch_dtype *", number),
        None if stride is None else ffi.new("int64_t *", stride),
    )
    begins = range(0, n - block, stride or block)
    assert len(dataset) == len(begins)
    for i, begin in enumerate(begins):
        x, y = dataset[i]
        assert torch.equal(x, tokens[begin : begin + block]) and torch.equal(y, tokens[begin + 1 : begin + 1 + block])
        x.zero_()
        assert torch.equal(dataset[i][0], tokens[begin : begin + block])
    assert torch.equal(dataset.tokens.to(torch.int64), tokens)
    if len(dataset) > 0:
        theirs = torch.utils.data.default_collate([dataset[i] for i in range(len(dataset))])
        (ours,) = list(iter(loader(dataset, len(dataset))))
        assert len(ours) == 2 and all(map(torch.equal, ours, theirs)) and ours[0].dtype == torch.int64


def value_dtypes():
    from tests.harness.values import DTYPES as numbers

    return numbers.items()


def test_token_files_that_are_refused(tmp_path):
    path = tmp_path / "tokens.bin"
    path.write_bytes(bytes(5))
    refused("FORMAT", f"{path}: 5 bytes", "TokenFile", path, 2, None, None)
    refused("VALUE", "block_size", "TokenFile", path, 0, None, None)
    refused("VALUE", "stride", "TokenFile", path, 1, None, ffi.new("int64_t *", 0))
    refused("TYPE", "float32", "TokenFile", path, 1, ffi.new("ctorch_dtype *", lib.c.CTORCH_DTYPE_FLOAT32), None)
    refused("IO", "no such", "TokenFile", tmp_path / "no such", 1, None, None)


# Loaders --------------------------------------------------------------------------------------------------------------


def batches(dataset: Dataset, workers: int) -> list:
    loader, iterator = out("ctorch_loader *"), out("ctorch_iterator *")
    size = ffi.new("int64_t *", 3)
    null = ffi.NULL
    ok(lib.ctorch_data_DataLoader(
        loader, dataset.pointer, size, False, null, null, workers, False, False, 0, null, null, False, True
    ))  # fmt: skip
    owned_loader = ffi.gc(loader[0], lib.ctorch_loader_release)
    ok(lib.ctorch_loader_iterate(iterator, owned_loader))
    owned_iterator = ffi.gc(iterator[0], lib.ctorch_iterator_release)
    result = []
    while True:
        batch = out("ctorch_value *")
        ok(lib.ctorch_iterator_next(batch, owned_iterator))
        if batch[0] == ffi.NULL:
            return result
        result.append(python(ffi.gc(batch[0], lib.ctorch_value_release)))


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("transformed", [False, True])
def test_batches_are_samples_side_by_side(tmp_path, workers, transformed):
    """Taken at once, or one by one where there are transforms, which here run on this thread alone."""
    write_mnist(tmp_path / "MNIST" / "raw", "train", 15)
    plus = transform() if transformed else None
    dataset = Dataset("MNIST", tmp_path, True, plus, plus, False)
    images, targets = zip(*batches(dataset, workers), strict=True)
    assert [len(part) for part in targets] == [3, 3, 1]
    assert torch.equal(torch.cat(images), torch.stack([dataset[i][0] for i in range(7)]))
    assert torch.cat(targets).tolist() == [dataset[i][1] for i in range(7)]


def test_images_are_read_by_workers(tmp_path):
    for i in range(9):
        (tmp_path / "c").mkdir(exist_ok=True)
        (tmp_path / "c" / f"{i}.png").write_bytes(saved(noise(i, "RGB", 8, 6), "PNG"))
    dataset = Dataset("ImageFolder", tmp_path, None, None, False)
    images = torch.cat([images for images, _ in batches(dataset, 3)])
    assert torch.equal(images, torch.stack([pixels(noise(i, "RGB", 8, 6)) for i in range(9)]))
