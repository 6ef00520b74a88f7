"""Files that Python and a consumer exchange: what Python writes for one to read, and a look at what that one wrote.

A consumer is started with two folders. It reads the files that `give` puts in the first one, and fails unless they hold
what is said here; to the second one it writes those that `check` expects.
"""

import collections
import fractions
import json
import pathlib

import huggingface_hub
import numpy
import safetensors
import safetensors.torch
import torch

from tests.languages import exported_model

SAMPLE = {
    "weight": torch.arange(6, dtype=torch.float32).reshape(2, 3) / 4,
    "half": torch.tensor([1.0, -0.5], dtype=torch.bfloat16),
    "count": torch.tensor(7, dtype=torch.int64),
}


def state():
    """The dict that is given in state.pt, and that the consumer writes."""
    return {
        "weight": SAMPLE["weight"].clone(),
        "step": 7,
        "rate": 0.5,
        "name": "net",
        "flags": [True, None],
        "pair": (1, "x"),
    }


def give(folder):
    """state.pt, legacy.pt, unknown.pt (an object of fractions.Fraction), model.safetensors, x.npy, sample.npz, sharded/
    (two shards), named.pt and named.txt (exported_model.write_named), and damaged.pt, damaged.safetensors,
    damaged.npz."""
    folder = pathlib.Path(folder)
    folder.mkdir()
    torch.save(state(), folder / "state.pt")
    torch.save(state(), folder / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save({"third": fractions.Fraction(1, 3)}, folder / "unknown.pt")
    safetensors.torch.save_file(SAMPLE, folder / "model.safetensors", metadata={"by": "python"})
    numpy.save(folder / "x.npy", SAMPLE["weight"].numpy())
    numpy.savez_compressed(folder / "sample.npz", **{n: SAMPLE[n].numpy() for n in ("weight", "count")})
    (folder / "sharded").mkdir()
    huggingface_hub.save_torch_state_dict(SAMPLE, folder / "sharded", max_shard_size=24)
    exported_model.write_named(folder)
    for name in ("state.pt", "model.safetensors", "sample.npz"):
        data = (folder / name).read_bytes()
        (folder / f"damaged{pathlib.Path(name).suffix}").write_bytes(data[: len(data) - len(data) // 3])
    return folder


def same(a, b):
    """Whether two values are of the same types and hold the same, tensors bit by bit."""
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.dtype == b.dtype and torch.equal(a, b)
    if isinstance(a, collections.abc.Mapping):
        return type(a) is type(b) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def check(folder):
    """state.pt and bytes.pt (saved to a file, and to bytes), model.safetensors and bytes.safetensors (the sample, with
    "by": "consumer"), linear.safetensors (the model Linear(3, 2) of zeros), x.npy and bytes.npy (the weight),
    sample.npz and bytes.npz (weight and count, compressed), sharded/ (the sample in two shards), run/ (a snapshot of
    epoch 1, step 3 and metric 0.25)."""
    folder = pathlib.Path(folder)
    for name in ("state.pt", "bytes.pt"):  # whose bytes differ by the name of the file, as Python's do
        assert same(torch.load(folder / name), state())
    tensors = safetensors.torch.load_file(folder / "model.safetensors")
    assert same(dict(sorted(tensors.items())), dict(sorted(SAMPLE.items())))
    with safetensors.safe_open(folder / "model.safetensors", "pt") as file:
        assert file.metadata() == {"by": "consumer"}
    linear = torch.nn.Linear(3, 2)
    assert safetensors.torch.load_model(linear, folder / "linear.safetensors") == (set(), [])
    assert not linear.weight.any() and not linear.bias.any()
    weight, count = SAMPLE["weight"].numpy(), SAMPLE["count"].numpy()
    array = numpy.load(folder / "x.npy")
    assert array.dtype == weight.dtype and (array == weight).all()
    arrays = numpy.load(folder / "sample.npz")
    assert sorted(arrays) == ["count", "weight"]
    assert (arrays["weight"] == weight).all() and arrays["count"] == count
    for name in ("model.safetensors", "x.npy", "sample.npz"):
        suffix = pathlib.Path(name).suffix
        assert (folder / name).read_bytes() == (folder / f"bytes{suffix}").read_bytes(), name
    index = json.loads((folder / "sharded/model.safetensors.index.json").read_text())
    shards = sorted(set(index["weight_map"].values()))
    assert len(shards) == 2
    tensors = {}
    for shard in shards:
        tensors.update(safetensors.torch.load_file(folder / "sharded" / shard))
    assert same(dict(sorted(tensors.items())), dict(sorted(SAMPLE.items())))
    snapshot = torch.load(folder / "run/snapshot-000000000003.pt")
    assert (snapshot["epoch"], snapshot["step"], snapshot["metric"]) == (1, 3, 0.25)
    assert set(snapshot["parts"]["model"]) == {"weight", "bias"}
    assert snapshot["parts"]["optimizer"]["state"][0]["step"] == 3
