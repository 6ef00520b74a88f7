"""`ctorch run` and `ctorch bench`, run as a user does."""

from __future__ import annotations

import argparse
import json
import subprocess
import zipfile

import numpy as np
import torch

from tests.export import package_models as models
from tests.harness.build import BUILD


def ctorch(*arguments, status=0):
    done = subprocess.run([BUILD / "ctorch", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_one_tensor_in_and_out(compiled, tmp_path):
    x = torch.randn(4, 16)
    np.save(tmp_path / "x.npy", x.numpy())
    given = ("--input", tmp_path / "x.npy", "--threads", 1, compiled("mlp"))
    ctorch("run", "--output", tmp_path / "y.npz", *given)
    ctorch("run", "--output", tmp_path / "y.npy", *given)
    expected = torch._inductor.aoti_load_package(str(compiled("mlp")))(x)
    assert torch.equal(torch.from_numpy(np.load(tmp_path / "y.npz")["output"]), expected)
    assert torch.equal(torch.from_numpy(np.load(tmp_path / "y.npy")), expected)
    assert ctorch("run", *given) == "output  float32  [4, 4]\n"


def test_several_tensors(compiled, tmp_path):
    tokens, cache = models.MODELS["gpt"].args()
    np.save(tmp_path / "tokens.npy", tokens.numpy())
    np.savez(tmp_path / "cache.npz", keys=cache[0].numpy(), values=cache[1].numpy())
    out = tmp_path / "y.npz"
    ctorch("run", "--input", tmp_path / "tokens.npy", "--input", tmp_path / "cache.npz", "--output", out,
           compiled("gpt"))  # fmt: skip
    with torch.no_grad():
        logits, (keys, values) = models.eager("gpt")(tokens, cache)
    found = np.load(out)
    assert sorted(found) == ["output0", "output1", "output2"]
    for name, expected in zip(sorted(found), (logits, keys, values), strict=True):
        torch.testing.assert_close(torch.from_numpy(found[name]), expected, rtol=1e-5, atol=1e-5)


def test_arguments_of_any_form(compiled, tmp_path):
    model, args, kwargs = models.eager("trees"), models.MODELS["trees"].args(), models.MODELS["trees"].kwargs()
    torch.save(args, tmp_path / "args.pt")
    torch.save(kwargs, tmp_path / "kwargs.pt")
    torch.export.save(models.exported("trees"), tmp_path / "exported")
    given = ("--arguments", tmp_path / "args.pt", "--arguments", tmp_path / "kwargs.pt")
    with torch.no_grad():
        expected = model(*args, **kwargs)
    for path in (compiled("trees"), tmp_path / "exported"):
        ctorch("run", *given, "--output", tmp_path / "y.pt", path)
        found = torch.load(tmp_path / "y.pt")
        assert list(found) == ["z", "a"]
        total, (largest, doubled) = found["a"]
        torch.testing.assert_close(found["z"], expected["z"], rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(total, expected["a"].total, rtol=1e-5, atol=1e-5)
        torch.testing.assert_close([largest, doubled], expected["a"].rest, rtol=1e-5, atol=1e-5)
        ctorch("run", *given, "--output", tmp_path / "y.npz", path)
        flat = np.load(tmp_path / "y.npz")
        assert [flat[f"output{i}"].shape for i in range(4)] == [(3, 4), (), (4,), (2,)]
        assert json.loads(ctorch("bench", "--json", "--repeat", 3, *given, path))["runs"] == 3
    assert "missing" in ctorch("run", *given[:2], compiled("trees"), status=2)


def test_arguments_by_name_of_torchscript(tmp_path):
    class Scaled(torch.nn.Module):
        def forward(self, x, scale: float = 2.0, shift: torch.Tensor | None = None):
            y = x * scale
            return y if shift is None else y + shift

    x, shift = torch.randn(3), torch.randn(3)
    torch.jit.script(Scaled()).save(str(tmp_path / "script"))
    torch.save({"shift": shift, "scale": 3.0}, tmp_path / "kwargs.pt")
    torch.save([x], tmp_path / "args.pt")
    torch.save(x, tmp_path / "tensor.pt")
    torch.save((argparse.Namespace(),), tmp_path / "object.pt")
    np.save(tmp_path / "x.npy", x.numpy())
    args, kwargs = ("--arguments", tmp_path / "args.pt"), ("--arguments", tmp_path / "kwargs.pt")
    ctorch("run", *args, *kwargs, "--output", tmp_path / "y.pt", tmp_path / "script")
    assert torch.equal(torch.load(tmp_path / "y.pt"), x * 3 + shift)
    ctorch("run", *args, "--output", tmp_path / "y.npy", tmp_path / "script")
    assert torch.equal(torch.from_numpy(np.load(tmp_path / "y.npy")), x * 2)
    for wrong, message in (
        ((*args, *args), f"--arguments: {tmp_path}/args.pt: a second file of positional arguments"),
        ((*kwargs, *kwargs), f"--arguments: {tmp_path}/kwargs.pt: a second file of arguments by name"),
        (("--arguments", tmp_path / "tensor.pt"), f"--arguments: {tmp_path}/tensor.pt: expected a tuple or list"),
        (("--input", tmp_path / "x.npy", *args), "--input and --arguments exclude each other"),
        ((*args, "--input", tmp_path / "x.npy"), "--input and --arguments exclude each other"),
        (kwargs, "x"),
        (
            ("--arguments", tmp_path / "object.pt"),
            f"{tmp_path}/object.pt has an object of Python's class argparse.Namespace",
        ),
    ):
        for command in ("run", "bench"):
            assert message in ctorch(command, *wrong, tmp_path / "script", status=2)


def test_a_model_without_inputs_gets_those_of_an_empty_file(tmp_path):
    class Constant(torch.nn.Module):
        def forward(self):
            return torch.ones(3)

    torch.jit.script(Constant()).save(str(tmp_path / "script"))
    np.savez(tmp_path / "none.npz")
    torch.save((), tmp_path / "none.pt")
    for given in (("--input", tmp_path / "none.npz"), ("--arguments", tmp_path / "none.pt")):
        assert ctorch("run", *given, tmp_path / "script") == "output  float32  [3]\n"
        assert json.loads(ctorch("bench", "--json", "--repeat", 3, *given, tmp_path / "script"))["runs"] == 3
    assert "give --input" in ctorch("bench", tmp_path / "script", status=2)


def test_what_does_not_run(compiled, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((4, 15), np.float32))
    message = ctorch("run", "--input", tmp_path / "x.npy", compiled("mlp"), status=2)
    assert message == "ctorch: inputs[0]: the model takes a size 16 in dimension 1, got 15\n"
    assert "takes 1 tensors, got 0" in ctorch("run", compiled("mlp"), status=2)
    assert "run takes one model" in ctorch("run", status=2)
    assert "no compiled model 'x'" in ctorch("run", "--model", "x", compiled("mlp"), status=2)
    assert "--threads: expected a number from 1 on, got '0'" in ctorch("run", "--threads", "0", "x", status=2)
    (tmp_path / "no_model").write_bytes(b"PK\3\4 nothing")
    assert ctorch("run", tmp_path / "no_model", status=2).startswith("ctorch: ")


def test_what_is_no_model_is_named(tmp_path):
    torch.save({"w": torch.ones(3)}, tmp_path / "weights.pt")
    assert "the file has weights, and no model" in ctorch("run", tmp_path / "weights.pt", status=2)
    script = tmp_path / "script.pt"
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 3)), script)
    with zipfile.ZipFile(script) as file:
        records = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(script, "w") as file:
        for name, data in records.items():
            file.writestr(name, data.replace(b"def forward", b"fed forward"))
    said = ctorch("run", script, status=2)
    assert "script.pt" in said
    assert "exported program" not in said


def test_programs_that_are_not_compiled(tmp_path):
    tokens, cache = torch.randint(50, (2, 1)), (torch.randn(2, 2, 5, 16), torch.randn(2, 2, 5, 16))
    x = torch.randn(4, 16)
    np.save(tmp_path / "x.npy", x.numpy())
    torch.export.save(models.exported("mlp"), tmp_path / "model")
    torch.jit.trace(models.eager("mlp"), x).save(str(tmp_path / "script"))
    with torch.no_grad():
        expected = models.eager("mlp")(x)
    for name in ("model", "script"):
        ctorch("run", "--input", tmp_path / "x.npy", "--output", tmp_path / "y.npy", tmp_path / name)
        assert torch.equal(torch.from_numpy(np.load(tmp_path / "y.npy")), expected)
        told = json.loads(ctorch("bench", "--json", "--repeat", 3, "--input", tmp_path / "x.npy", tmp_path / name))
        assert told
        assert "give --input" in ctorch("bench", tmp_path / name, status=2)

    class Caching(torch.nn.Module):
        def forward(self, tokens, keys, values):
            logits, cache = self.gpt(tokens, (keys, values))
            return {"logits": logits, "cache": cache}

    gpt = Caching()
    gpt.gpt = models.eager("gpt")
    np.savez(tmp_path / "all.npz", tokens=tokens.numpy(), keys=cache[0].numpy(), values=cache[1].numpy())
    torch.export.save(torch.export.export(gpt, (tokens, *cache)), tmp_path / "gpt")
    ctorch("run", "--input", tmp_path / "all.npz", "--output", tmp_path / "y.npz", tmp_path / "gpt")
    with torch.no_grad():
        made = gpt(tokens, *cache)
    found = np.load(tmp_path / "y.npz")
    for name, one in zip(("output0", "output1", "output2"), (made["logits"], *made["cache"]), strict=True):
        assert torch.equal(torch.from_numpy(found[name]), one)
    (tmp_path / "text").write_text("text")
    ctorch("run", tmp_path / "text", status=2)


def test_bench(compiled):
    found = json.loads(ctorch("bench", "--json", "--warmup", 2, "--repeat", 50, compiled("cnn")))
    assert found["runs"] == 50
    latency = found["latency_ms"]
    assert 0 < latency["min"] <= latency["p50"] <= latency["p90"] <= latency["p99"] <= latency["max"]
    assert latency["min"] <= latency["mean"] <= latency["max"]
    assert abs(found["runs_per_second"] * latency["mean"] / 1000 - 1) < 1e-6
    assert found["peak_nbytes"] > 1 << 20 and found["load_ms"] > 0
    assert "p99       " in ctorch("bench", "--repeat", 5, compiled("cnn"))
    assert "--repeat: expected a number from 1 on" in ctorch("bench", "--repeat", 0, compiled("cnn"), status=2)


def test_inspect_and_convert_exported_programs(tmp_path):
    exported = models.exported("mlp")
    torch.export.save(exported, tmp_path / "model.pt2")
    found = json.loads(ctorch("inspect", "--json", tmp_path / "model.pt2"))
    assert found["format"] == "pt2"
    assert {t["name"] for t in found["tensors"]} == set(exported.state_dict)
    ctorch("convert", tmp_path / "model.pt2", tmp_path / "model.pt")
    loaded = torch.load(tmp_path / "model.pt")
    assert all(torch.equal(loaded[name], tensor) for name, tensor in exported.state_dict.items())
