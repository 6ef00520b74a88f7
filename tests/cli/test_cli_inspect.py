"""`ctorch inspect` of hostile files: what it takes is linear in the file, because it makes no values of it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest
import torch

from tests.cli.test_cli import BUILD, as_json, ctorch
from tests.harness import collisions
from tests.pt.test_load import with_pickle

# A process of its own, because the peak of a child begins with that of its parent.
PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


def peak(path):
    """The most memory that `ctorch inspect` has."""
    command = [sys.executable, "-S", "-c", PEAK, BUILD / "ctorch", "inspect", path]
    status, nbytes = map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert status == 0
    return nbytes


STORAGE = (
    b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0" + b"0X\3\0\0\0cpuK\0tq\0"  # ("storage", class, "0", "cpu", 0)
)


@pytest.mark.parametrize(
    "pickled",
    [
        b"(" + b"}" * 1_000_000 + b"l.",
        b"(" + b"]" * 1_000_000 + b"l.",
        b"ccollections\nOrderedDict\nq\0000(" + b"h\0)R" * 300_000 + b"l.",
        b"cx\nY\nq\0000(" + b"h\0)\x81}b" * 200_000 + b"l.",
        STORAGE + b"0(" + b"h\0Q" * 300_000 + b"l.",
        b"}(" + b"".join(b"G\x7f\xf8" + bytes(6) + b"N" for _ in range(100_000)) + b"u.",
    ],
    ids=["dicts", "lists", "ordered dicts", "objects", "storages", "NaN as keys"],
)
def test_memory_is_linear_in_the_file(tmp_path, pickled):
    (tmp_path / "small.pt").write_bytes(with_pickle(b"}."))
    data = with_pickle(b"\x80\2" + pickled, **{"data/0": b""})
    (tmp_path / "x.pt").write_bytes(data)
    assert peak(tmp_path / "x.pt") - peak(tmp_path / "small.pt") < 80 * len(data)


@pytest.mark.parametrize("keys", [[float("nan")] * 60, collisions.ints(60), collisions.texts(60)])
def test_keys_that_collide_are_listed(tmp_path, keys):
    with_tensors = {k: torch.ones(1) for k in keys} if len({*keys}) == 60 else {}
    torch.save(with_tensors, tmp_path / "x.pt")
    assert [t["name"] for t in as_json("inspect", tmp_path / "x.pt")["tensors"]] == [*map(str, with_tensors)]
    pickled = b"\x80\2}(" + b"".join(pickle.dumps(k, 2)[2:-1] + b"N" for k in keys) + b"u."
    (tmp_path / "y.pt").write_bytes(with_pickle(pickled))
    assert ctorch("inspect", tmp_path / "y.pt") == "pt: 0 tensors, 0 elements, 0 B\n"


class Node:
    """What may hold itself."""


def test_metadata_that_hold_themselves_end(tmp_path):
    node, deep = Node(), []
    node.same = [node, {"node": node}]
    for _ in range(200):
        deep = Node(), {1: deep}
    torch.save({"w": torch.ones(1), "node": node, "deep": {(1, "a"): deep}}, tmp_path / "x.pt")
    command = [BUILD / "ctorch", "inspect", "--metadata", tmp_path / "x.pt"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert "'node': " in done.stdout
