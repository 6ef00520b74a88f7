"""The tool `ctorch`, run as a user does."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import pty
import resource
import struct
import subprocess
import termios
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch

from tests.harness.build import BUILD


def ctorch(*arguments, status=0):
    given = os.environ | {"CTORCH_API": str(BUILD / "generated/api.json")}
    done = subprocess.run([BUILD / "ctorch", *map(str, arguments)], env=given, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert done.stdout == ""
        assert done.stderr
        return done.stderr
    assert done.stderr == ""
    return done.stdout


def as_json(*arguments, status=0):
    return json.loads(ctorch(*arguments, "--json", status=status))


@pytest.fixture
def state():
    torch.manual_seed(0)
    return {
        "module.0.weight": torch.randn(3, 4),
        "module.0.bias": torch.randn(4, dtype=torch.float64),
        "module.1.count": torch.tensor(7),
        "module.1.half": torch.randn(2, 2).to(torch.bfloat16),
    }


@pytest.fixture
def file(state, tmp_path):
    torch.save(state, tmp_path / "model.pt")
    return tmp_path / "model.pt"


def test_info():
    info = as_json("info", "--build")
    assert info["torch_version"] == torch.__version__.split("+")[0]
    assert info["formats"] == dict.fromkeys("npy gguf npz pt2 pt safetensors sharded png jpeg pnm gzip".split(), True)
    assert info["cpu_capability"] == torch.backends.cpu.get_cpu_capability()
    assert info["devices"][0] == {"type": "cpu", "index": 0, "name": ""}
    assert info["build"] == torch.__config__.show()
    text = ctorch("info")
    assert f"LibTorch  {info['torch_version']}" in text
    assert "formats   npy gguf npz pt2 pt safetensors sharded png jpeg pnm gzip\n" in text


def test_ops():
    text = ctorch("ops", "aten::add.Tensor")
    assert text.startswith("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n")
    assert "    ctorch_error *ctorch_aten_add_Tensor(ctorch_tensor **out, const ctorch_tensor *self," in text
    names = [function["name"] for function in as_json("ops", "conv2d*")]
    assert "ctorch_aten_conv2d" in names
    assert all(name.startswith("ctorch_aten_conv2d") for name in names)
    assert "ctorch_nn_Conv2d" in [function["name"] for function in as_json("ops", "nn.conv2d")]
    assert ctorch("ops", "no_such_operator", status=1) == ""


def test_inspect(file, state):
    found = as_json("inspect", file)
    assert found["format"] == "pt"
    assert {t["name"]: (t["dtype"], t["shape"]) for t in found["tensors"]} == {
        name: (str(tensor.dtype).removeprefix("torch."), list(tensor.shape)) for name, tensor in state.items()
    }
    assert found["nbytes"] == sum(tensor.nbytes for tensor in state.values())
    assert found["elements"] == sum(tensor.numel() for tensor in state.values())
    text = ctorch("inspect", file)
    assert text.splitlines()[0].split() == ["module.0.weight", "torch.float32", "[3,", "4]", "48", "B"]
    assert text.splitlines()[-1] == "pt: 4 tensors, 21 elements, 96 B"
    tree = ctorch("inspect", "--tree", file).splitlines()
    assert tree[:4] == ["module", "  0", "    weight  torch.float32 [3, 4]", "    bias  torch.float64 [4]"]


def test_inspect_tells_what_is_no_tensor(tmp_path):
    torch.save({"epoch": 3, "weights": {"w": torch.ones(2)}, "name": "a\nb"}, tmp_path / "x.pt")
    assert as_json("inspect", "--metadata", tmp_path / "x.pt")["metadata"] == {"epoch": 3, "name": "a\nb"}
    assert "'epoch': 3\n" in ctorch("inspect", "--metadata", tmp_path / "x.pt")


class Settings:
    def __init__(self):
        self.rate = 0.1
        self.hidden = torch.ones(2)


@pytest.mark.parametrize("zipped", [True, False])
def test_objects_of_other_classes_are_left_out_with_a_line(state, tmp_path, zipped):
    path = tmp_path / "x.pt"
    held = {"model": state, "settings": Settings(), "arguments": argparse.Namespace(a=1)}
    torch.save(held, path, _use_new_zipfile_serialization=zipped)
    for arguments in (["inspect", path], ["convert", path, tmp_path / "y.safetensors"], ["diff", path, path]):
        done = subprocess.run([BUILD / "ctorch", *arguments], capture_output=True, text=True)
        assert done.returncode == 0
        said = {*done.stderr.splitlines()}
        assert said == {
            f"ctorch: {path}: left out 'settings', an object of Python's class {__name__}.Settings",
            f"ctorch: {path}: left out 'arguments', an object of Python's class argparse.Namespace",
        }
    same(read(tmp_path / "y.safetensors"), {f"model.{name}": tensor for name, tensor in state.items()})
    shown = subprocess.run([BUILD / "ctorch", "inspect", "--metadata", path], capture_output=True, text=True).stdout
    assert "'settings': " in shown
    assert "0.1" in shown


class Harm:
    def __reduce__(self):
        return os.system, ("false",)


def test_what_would_run_a_program_is_refused(tmp_path):
    torch.save({"w": torch.ones(1), "x": Harm()}, tmp_path / "x.pt")
    assert "nothing of module 'posix' may be in a file" in ctorch("inspect", tmp_path / "x.pt", status=2)


def test_a_terminal_does_not_obey_names(tmp_path):
    name, shown = "\x1b[2J.\x9b2J", r"\x1b[2J.\xc2\x9b2J"
    torch.save({name: torch.ones(1), "ä": torch.ones(1), "m": name}, tmp_path / "x.pt")
    torch.save({name: torch.zeros(1), "ä": torch.ones(1)}, tmp_path / "y.pt")
    lines = ctorch("inspect", tmp_path / "x.pt").splitlines()
    assert lines[0].startswith(shown + "  torch.float32")
    assert lines[1].startswith("ä".ljust(len(shown)) + "  torch.float32")  # a letter of two bytes
    assert ctorch("inspect", "--tree", tmp_path / "x.pt").splitlines()[0] == shown.split(".")[0]
    told = [
        ctorch("inspect", "--metadata", tmp_path / "x.pt"),
        ctorch("inspect", "--tree", tmp_path / "x.pt"),
        ctorch("diff", tmp_path / "x.pt", tmp_path / "y.pt", status=1),
        ctorch("convert", "--rename", "ä=" + name, tmp_path / "x.pt", tmp_path / "z.pt", status=2),
    ]
    for text in told:
        assert not any(c in text for c in "\x1b\x9b")
    assert [t["name"] for t in as_json("inspect", tmp_path / "x.pt")["tensors"]] == [name, "ä"]


HIDDEN = "\u202e\u2066\u200b\u00ad\ufeff\ufe0f\u3164\U000e0041"  # directions, invisible blanks and marks, a tag


def test_what_hides_in_names_is_shown(tmp_path):
    shown = "".join(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in HIDDEN)
    torch.save({f"a{HIDDEN}é中": torch.ones(1), "m": HIDDEN}, tmp_path / "x.pt")
    torch.save({"b": torch.ones(1)}, tmp_path / "y.pt")
    told = [
        ctorch("inspect", "--metadata", tmp_path / "x.pt"),
        ctorch("inspect", "--tree", tmp_path / "x.pt"),
        ctorch("diff", tmp_path / "x.pt", tmp_path / "y.pt", status=1),
    ]
    for text in told:
        assert f"a{shown}é中" in text
        assert not any(c in text for c in HIDDEN)


def test_one_long_name_does_not_make_every_line_long(tmp_path):
    torch.save({"x" * 200_000: torch.ones(1)} | {str(i): torch.ones(1) for i in range(100)}, tmp_path / "x.pt")
    text = ctorch("inspect", tmp_path / "x.pt")
    assert len(text) < 230_000
    assert "x" * 200_000 in text  # to a pipe it is whole


def on_a_terminal(columns, *arguments):
    """What is printed on a terminal of some columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([BUILD / "ctorch", *map(str, arguments)], stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):  # when the last one has closed it
            while more := os.read(ours, 1 << 16):
                text += more
        os.close(ours)
    assert process.returncode == 0
    return text.decode().replace("\r\n", "\n")


def test_names_are_cut_to_the_width_of_the_terminal(tmp_path):
    torch.save({"weight." + "ä" * 500: torch.ones(1, 2), "short": torch.ones(1)}, tmp_path / "x.pt")
    for way in ([], ["--tree"]):
        lines = on_a_terminal(80, "inspect", *way, tmp_path / "x.pt").splitlines()
        assert any("ää…" in line for line in lines)
        assert max(map(len, lines[:-1])) <= 80 + 30 * len(way)  # of a tree the name alone is cut
    lines = on_a_terminal(80, "inspect", tmp_path / "x.pt").splitlines()
    assert len(lines[0]) == len(lines[1]) == 80
    assert lines[1].startswith("short ")


def test_metadata_whose_values_share_their_parts_end(tmp_path):
    """2^40 ways lead through them; Python would print each."""
    bomb = "x"
    for _ in range(40):
        bomb = (bomb, bomb)
    torch.save({"w": torch.ones(1), "m": [bomb]}, tmp_path / "x.pt")
    names = ctorch("inspect", tmp_path / "x.pt", status=2)
    assert "x.pt" in names


def test_output_beyond_the_limit_of_files_is_an_error(file, tmp_path):
    with (tmp_path / "out").open("w") as out:
        done = subprocess.run(
            [BUILD / "ctorch", "inspect", "--json", file],
            stdout=out,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        )
    assert done.returncode == 2
    assert b"cannot write" in done.stderr


def test_a_name_of_dots_is_no_flood(tmp_path):
    torch.save({"." * 3000: torch.ones(1)}, tmp_path / "x.pt")
    assert len(ctorch("inspect", "--tree", tmp_path / "x.pt")) < 100 * 3000


def test_a_type_that_pytorch_has_not_has_no_dtype(tmp_path):
    header = b'{"x":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,3]}}'
    (tmp_path / "x.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + b"abc")
    found = as_json("inspect", tmp_path / "x.safetensors")["tensors"]
    assert found == [{"name": "x", "type": "F6_E2M3", "dtype": None, "shape": [4], "nbytes": 3}]


def test_long_metadata_end_with_a_whole_character(tmp_path):
    torch.save({"x": torch.ones(1), "m": "ä" * 200}, tmp_path / "x.pt")
    assert ctorch("inspect", "--metadata", tmp_path / "x.pt").endswith("ä…\n")


def read(path):
    if path.suffix == ".safetensors":
        return safetensors.torch.load_file(path)
    if path.suffix == ".npz":
        return {name: torch.from_numpy(array) for name, array in np.load(path).items()}
    return torch.load(path)


def same(a, b):
    assert a.keys() == b.keys()
    for name in a:
        assert a[name].dtype == b[name].dtype
        assert torch.equal(a[name], b[name])


@pytest.mark.parametrize("end", [".pt", ".pth", ".bin", ".safetensors", ".npz"])
def test_convert(file, state, tmp_path, end):
    target = tmp_path / f"out{end}"
    options = []
    if end == ".npz":  # NumPy has no bfloat16
        options = ["--dtype", "float32"]
        state = {name: t.float() if t.is_floating_point() else t for name, t in state.items()}
    assert ctorch("convert", *options, file, target) == ""
    same(read(target), state)
    back = tmp_path / "back.pt"
    ctorch("convert", target, back)
    same(torch.load(back), state)


def test_convert_renames_and_casts(file, state, tmp_path):
    target = tmp_path / "out.safetensors"
    ctorch("convert", "--dtype", "f16", "--rename", r"^module\.=", "--rename", r"([01])\.(.*)=\2_\1", file, target)
    found = safetensors.torch.load_file(target)
    assert sorted(found) == ["bias_0", "count_1", "half_1", "weight_0"]
    assert torch.equal(found["weight_0"], state["module.0.weight"].half())
    assert found["count_1"].dtype == torch.int64


def test_convert_makes_shards(file, state, tmp_path):
    ctorch("convert", "--shard", "60", file, tmp_path / "shards")
    index = json.loads((tmp_path / "shards/model.safetensors.index.json").read_text())
    assert sorted(index["weight_map"]) == sorted(state)
    assert len(set(index["weight_map"].values())) > 1
    assert ctorch("diff", file, tmp_path / "shards").endswith("4 tensors compared, 0 differ\n")


def test_convert_writes_one_array(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3))
    ctorch("convert", "--dtype", "float32", tmp_path / "a.npy", tmp_path / "b.npy")
    assert np.load(tmp_path / "b.npy").dtype == np.float32


def test_a_compressed_archive_is_smaller(tmp_path):
    torch.save({"x": torch.zeros(10000)}, tmp_path / "x.pt")
    ctorch("convert", tmp_path / "x.pt", tmp_path / "a.npz")
    ctorch("convert", "--compressed", tmp_path / "x.pt", tmp_path / "b.npz")
    assert (tmp_path / "b.npz").stat().st_size < (tmp_path / "a.npz").stat().st_size / 10
    assert not np.load(tmp_path / "b.npz")["x"].any()


def test_diff(file, state, tmp_path):
    assert ctorch("diff", file, file) == "4 tensors compared, 0 differ\n"
    other = dict(state)
    other["module.0.weight"] = state["module.0.weight"] + 0.5
    other["module.0.bias"] = state["module.0.bias"].float()
    other["module.1.count"] = torch.tensor([7])
    other["more"] = other.pop("module.1.half")
    torch.save(other, tmp_path / "other.pt")
    found = as_json("diff", file, tmp_path / "other.pt", status=1)
    assert {d["name"]: d["what"] for d in found["differences"]} == {
        "module.0.weight": "values",
        "module.0.bias": "dtype",
        "module.1.count": "shape",
        "module.1.half": "only in the first",
        "more": "only in the second",
    }
    assert found["compared"] == 3
    largest = (other["module.0.weight"].double() - state["module.0.weight"].double()).abs().max().item()
    values = next(d for d in found["differences"] if d["what"] == "values")
    assert values["absolute"] == largest
    text = ctorch("diff", file, tmp_path / "other.pt", status=1)
    assert "module.0.bias: dtype\n" in text
    assert text.endswith("3 tensors compared, 5 differ\n")


def test_diff_allows_what_it_is_told_to(tmp_path):
    torch.save({"x": torch.tensor([1.0, 100.0, float("nan")])}, tmp_path / "a.pt")
    torch.save({"x": torch.tensor([1.25, 101.0, float("nan")])}, tmp_path / "b.pt")
    ctorch("diff", "--atol", "1", tmp_path / "a.pt", tmp_path / "b.pt")
    ctorch("diff", "--rtol", "0.25", tmp_path / "a.pt", tmp_path / "b.pt")
    ctorch("diff", "--atol", "0.5", tmp_path / "a.pt", tmp_path / "b.pt", status=1)


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint64])
def test_diff_compares_integers_exactly(tmp_path, dtype):
    """Of which float64 has no more than 53 bits."""
    a = torch.tensor([2**53, 2**62, 5, 0], dtype=dtype)
    torch.save({"x": a, "b": torch.tensor([True])}, tmp_path / "a.pt")
    torch.save(
        {"x": torch.tensor([2**53 + 1, 2**62 + 300, 5, 0], dtype=dtype), "b": torch.tensor([True])}, tmp_path / "b.pt"
    )
    assert ctorch("diff", tmp_path / "a.pt", tmp_path / "a.pt") == "2 tensors compared, 0 differ\n"
    found = as_json("diff", tmp_path / "a.pt", tmp_path / "b.pt", status=1)
    assert [(d["name"], d["absolute"]) for d in found["differences"]] == [("x", 300)]
    ctorch("diff", "--atol", "300", tmp_path / "a.pt", tmp_path / "b.pt")
    ctorch("diff", "--atol", "299", tmp_path / "a.pt", tmp_path / "b.pt", status=1)
    ctorch("diff", "--rtol", "1e-17", tmp_path / "a.pt", tmp_path / "b.pt", status=1)
    ends = torch.tensor([2**63 - 1, 0, 5, 0] if dtype == torch.int64 else [2**64 - 1, 0, 5, 0], dtype=dtype)
    torch.save({"x": ends, "b": torch.tensor([False])}, tmp_path / "c.pt")
    other = -ends if dtype == torch.int64 else torch.zeros(4, dtype=dtype)
    torch.save({"x": other, "b": torch.tensor([True])}, tmp_path / "d.pt")
    found = as_json("diff", tmp_path / "c.pt", tmp_path / "d.pt", status=1)
    assert {d["name"]: d["absolute"] for d in found["differences"]} == {"x": 2.0**64, "b": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Usage"),
        (["nothing"], "no command 'nothing'"),
        (["help", "nothing"], "no command 'nothing'"),
        (["info", "x"], "takes no argument"),
        (["info", "--nothing"], "nothing"),
        (["ops"], "takes a pattern"),
        (["inspect"], "takes one file"),
        (["inspect", "/no/such/file"], "/no/such/file"),
        (["inspect", "/etc/passwd"], "no format"),
        (["convert", "a.pt"], "takes two files"),
        (["convert", "a.pt", "b.xyz"], "does not tell a format"),
        (["convert", "--to", "gguf", "a.pt", "b"], "no format that is written"),
        (["convert", "--dtype", "float33", "a.pt", "b.pt"], "float33"),
        (["convert", "--rename", "x", "a.pt", "b.pt"], "PATTERN=REPLACEMENT"),
        (["convert", "--rename", "(=x", "a.pt", "b.pt"], "'('"),
        (["convert", "--shard", "5XB", "a.pt", "b.pt"], "5XB"),
        (["convert", "--shard", "5", "a.pt", "b.npz"], "not sharded"),
        (["diff", "a.pt"], "takes two files"),
        (["diff", "--atol", "-1", "a.pt", "b.pt"], "--atol"),
    ],
)
def test_misuse_is_told(arguments, said):
    assert said in ctorch(*arguments, status=2)


def test_two_names_that_become_one_are_refused(file, tmp_path):
    said = ctorch("convert", "--rename", ".*=x", file, tmp_path / "b.pt", status=2)
    assert "one name after --rename: x\n" in said
    assert not (tmp_path / "b.pt").exists()


@pytest.mark.parametrize("command", ["info", "ops", "inspect", "convert", "diff"])
def test_help(command):
    text = ctorch(command, "--help")
    assert text == ctorch("help", command)
    assert text.startswith(f"Usage: ctorch {command} ")
    page = (Path(__file__).parents[2] / "shim/cli/ctorch.1").read_text().replace("\\-", "-")
    for line in text.splitlines():
        if line.startswith("  --"):
            assert line.split()[0] in page, "the manual page has every option"
