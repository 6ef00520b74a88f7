"""Files that Python's torch, safetensors and NumPy write for a program of another language, and what they read of its.

The program is given a folder. It reads `python.*`, and writes what it has read under the names that `check` reads.
"""

import argparse
import collections
import io
from pathlib import Path

import numpy
import safetensors.torch
import torch

TENSORS = {
    "flags": torch.tensor([True, False]),
    "half": torch.ones(2, 1, dtype=torch.bfloat16),
    "number": torch.tensor(7),
    "weight": torch.arange(12.0).reshape(3, 4),
}
ARRAYS = {name: tensor.numpy() for name, tensor in TENSORS.items() if name != "half"}


def content():
    """`python.pt`."""
    return {
        "epoch": 3,
        "lr": 0.5,
        "name": "größe",
        "data": b"a\0\xff",
        "list": [1, None, True, 2**70],
        "tuple": (1, "two"),
        "tensors": TENSORS,
    }


def model():
    """`python.state.pt` has its state dict: two layers that share their weight."""
    torch.manual_seed(3)
    found = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    found[1].weight = found[0].weight
    return found


def write(folder: Path) -> None:
    torch.save(content(), folder / "python.pt")
    damaged = (folder / "python.pt").read_bytes()
    (folder / "python.damaged.pt").write_bytes(damaged[: len(damaged) // 2])
    torch.save(model().state_dict(), folder / "python.state.pt")
    torch.save({"args": argparse.Namespace(lr=0.5)}, folder / "python.class.pt")
    safetensors.torch.save_file(TENSORS, folder / "python.safetensors", metadata={"format": "pt"})
    safetensors.torch.save_model(model(), folder / "python.model.safetensors")
    numpy.save(folder / "python.npy", ARRAYS["weight"])
    numpy.savez(folder / "python.npz", **ARRAYS)
    (folder / "sharded").mkdir()


def same(found, expected) -> None:
    assert list(found) == list(expected)
    for name, tensor in expected.items():
        assert found[name].dtype == tensor.dtype and torch.equal(found[name], tensor)


def check(folder: Path) -> None:
    """`archive.pt` and `bytes.pt` are `python.pt`, by a path and as bytes, and so on for the others."""
    assert (folder / "archive.pt").read_bytes() == (folder / "bytes.pt").read_bytes()
    found, expected = torch.load(folder / "archive.pt"), content()
    same({name: found["tensors"][name] for name in TENSORS}, expected.pop("tensors"))
    del found["tensors"]
    assert found == expected
    state = torch.load(folder / "state.pt")
    same(state, model().state_dict())
    assert isinstance(state, collections.OrderedDict) and state._metadata == model().state_dict()._metadata
    for name in ("safetensors", "npy", "model.safetensors"):
        assert (folder / f"out.{name}").read_bytes() == (folder / f"python.{name}").read_bytes(), name
    assert (folder / "bytes.safetensors").read_bytes() == (folder / "python.safetensors").read_bytes()
    for file in ("out.npz", "compressed.npz"):
        with numpy.load(folder / file) as arrays:
            assert set(arrays) == set(ARRAYS)
            assert all((arrays[name] == array).all() for name, array in ARRAYS.items())
    assert len(list((folder / "sharded").glob("*-of-*.safetensors"))) > 1
    parts = {}
    for file in (folder / "sharded").glob("*-of-*.safetensors"):
        parts |= safetensors.torch.load_file(file)
    same({name: parts[name] for name in TENSORS}, TENSORS)
    snapshots = sorted((folder / "run").iterdir())
    assert [file.name for file in snapshots] == ["snapshot-000000000004.pt", "snapshot-000000000006.pt"]
    snapshot = torch.load(io.BytesIO(snapshots[1].read_bytes()))
    assert snapshot["step"] == 6 and set(snapshot["parts"]) == {"model", "optimizer", "scheduler", "scaler", "mine"}
    assert snapshot["parts"]["mine"] == {"batches": 6}
