"""Files as a user of the Python package writes them: Python's torch, safetensors and NumPy wrote them, or read them."""

import argparse
import collections
import errno
import io
import re
import threading

import numpy
import pytest
import safetensors
import safetensors.torch
import torch

from tests.languages.test_python import PROGRAMS, ROOT, ctorch, run, same, theirs

errors = ctorch.errors


def tensors(package):
    return {
        "weight": package.arange(12, dtype=package.float32).reshape(3, 4),
        "half": package.ones(2, 1, dtype=package.bfloat16),
        "empty": package.zeros(0, 3),
        "flags": package.tensor([True, False]),
        "number": package.tensor(7),
    }


def numeric(package):
    return {name: tensor for name, tensor in tensors(package).items() if name != "half"}


def agree(found, expected):
    assert list(found) == list(expected)
    for name, tensor in expected.items():
        same(found[name], tensor)


def content(package):
    """What a file of torch.save may hold."""
    return collections.OrderedDict(
        tensors=tensors(package),
        plain=[1, 2**70, 0.5, 1 - 2j, "größe", b"\0\xff", None, True, (1, "two"), {3}],
        dtype=package.float16,
        device=package.device("cuda:1"),
        nested={1: {"a": [()]}},
    )


def compare(found, expected):
    found, expected = dict(found), dict(expected)
    agree(found.pop("tensors"), expected.pop("tensors"))
    assert str(found.pop("dtype")) == str(expected.pop("dtype")).replace("torch.", "ctorch.")
    assert str(found.pop("device")) == str(expected.pop("device"))
    assert found == expected


# torch.save


def test_what_torch_has_saved_is_loaded(tmp_path):
    path, buffer = tmp_path / "a.pt", io.BytesIO()
    torch.save(content(torch), path)
    torch.save(content(torch), buffer)
    buffer.seek(0)
    for f in (path, str(path), buffer, buffer.getvalue(), bytearray(buffer.getvalue()), open(path, "rb", buffering=0)):
        found = ctorch.load(f)
        assert type(found) is collections.OrderedDict
        compare(found, content(torch))
    mapped = ctorch.load(path, mmap=True)
    path.unlink()
    compare(mapped, content(torch))


def test_torch_loads_what_is_saved(tmp_path):
    path, buffer = tmp_path / "archive.pt", io.BytesIO()  # the name is in the file, and a stream has none
    ctorch.save(content(ctorch), path)
    ctorch.save(content(ctorch), buffer)
    assert path.read_bytes() == buffer.getvalue()
    found = torch.load(path)
    for name, tensor in tensors(torch).items():
        torch.testing.assert_close(found["tensors"][name], tensor, rtol=0, atol=0)
    assert type(found) is collections.OrderedDict and found["dtype"] is torch.float16
    assert found["plain"] == content(torch)["plain"] and found["nested"] == content(torch)["nested"]
    ctorch.save([ctorch.ones(1000)], path, crc32=False, skip_data=True)
    assert torch.load(path)[0].shape == (1000,)


def test_streams_are_read_from_where_they_stand_and_may_give_little_at_a_time(tmp_path):
    class Slow(io.RawIOBase):
        """Takes and gives 100 bytes at a time, and has something before the file."""

        def __init__(self, data):
            self.data = io.BytesIO(data)

        def readable(self):
            return True

        writable = seekable = readable

        def read(self, n=-1):
            return self.data.read(min(n, 100))

        def write(self, data):
            return self.data.write(bytes(data)[:100])

        def seek(self, *args):
            return self.data.seek(*args)

        def tell(self):
            return self.data.tell()

    stream = Slow(b"before")
    stream.seek(0, 2)
    ctorch.save(content(ctorch), stream)
    stream.seek(6)
    compare(ctorch.load(stream), content(torch))
    stream.seek(6)
    torch.load(io.BytesIO(stream.data.getvalue()[6:]))

    class Pipe:
        """Cannot go back."""

        def __init__(self, data):
            self.read = io.BytesIO(data).read

    compare(ctorch.load(Pipe(stream.data.getvalue()[6:])), content(torch))


def test_state_dicts_keep_their_metadata_and_parameters_stay_parameters(tmp_path):
    path = tmp_path / "a.pt"
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    torch.save(model.state_dict(), path)
    state = ctorch.load(path)
    assert state._metadata == model.state_dict()._metadata
    mine = ctorch.nn.Sequential(ctorch.nn.Linear(2, 3), ctorch.nn.BatchNorm1d(3))
    mine.load_state_dict(state)
    ctorch.save(mine.state_dict(), path)
    back = torch.load(path)
    assert back._metadata == model.state_dict()._metadata
    for name, tensor in model.state_dict().items():
        assert torch.equal(back[name], tensor)
    torch.save(dict(model.named_parameters()), path)
    found = ctorch.load(path)
    assert {type(p) for p in found.values()} == {ctorch.nn.Parameter}
    assert all(p.requires_grad for p in found.values())
    ctorch.save(found, path)
    assert {type(p) for p in torch.load(path).values()} == {torch.nn.Parameter}
    ctorch.save([ctorch.nn.Parameter(ctorch.ones(2)), *mine.parameters(), mine[0].weight], path)
    back = torch.load(path)
    assert {type(p) for p in back} == {torch.nn.Parameter} and back[1] is back[-1] and back[0].tolist() == [1, 1]
    assert torch.equal(back[1], model[0].weight)


def test_devices_are_mapped(tmp_path):
    path = tmp_path / "a.pt"
    torch.save([torch.ones(2, device="meta"), torch.ones(3)], path)
    asked = []
    for place in ("meta", ctorch.device("meta"), {"cpu": "meta"}, {ctorch.device("cpu"): ctorch.device("meta")}):
        assert ctorch.load(path, map_location=place)[1].device.type == "meta"
    assert ctorch.load(path, map_location=lambda location: asked.append(location))[1].tolist() == [1, 1, 1]
    assert ctorch.load(path, map_location=lambda location: "meta")[1].device.type == "meta"
    assert asked == ["cpu"]
    with pytest.raises(TypeError, match="must return a device, not 3"):
        ctorch.load(path, map_location=lambda location: 3)


def test_classes_are_allowed_by_name_or_by_a_function(tmp_path):
    path = tmp_path / "a.pt"
    torch.save({"args": argparse.Namespace(lr=0.5)}, path)
    with pytest.raises(errors.FormatError, match=r"argparse\.Namespace"):
        ctorch.load(path)
    asked = []
    for allow in ("argparse.Namespace", {"argparse.Namespace"}, lambda *name: not asked.append(name)):
        found = ctorch.load(path, map_location="cpu", allow=allow)["args"]
        assert isinstance(found, ctorch.PythonObject) and found.attributes == {"lr": 0.5}
    assert asked == [("argparse", "Namespace")]
    ctorch.save({"args": found}, path, weights_only=False)
    assert torch.load(path, weights_only=False) == {"args": argparse.Namespace(lr=0.5)}
    with pytest.raises(NotImplementedError, match="UNSUPPORTED|weights_only"):
        ctorch.save({"args": found}, path)
    with pytest.raises(TypeError, match="must return a bool, not str"):
        ctorch.load(path, allow=lambda *_: "yes")
    with pytest.raises(NotImplementedError, match="weights_only=False"):
        ctorch.load(path, weights_only=False)


def test_progress_is_heard_and_may_end_it(tmp_path):
    path, heard = tmp_path / "a.pt", []
    ctorch.save(tensors(ctorch), path, progress=heard.append)
    assert heard == sorted(heard) and heard[-1] == path.stat().st_size
    ctorch.load(path, progress=heard.append)
    before = path.read_bytes()

    def stop(nbytes):
        raise KeyboardInterrupt

    for attempt in (lambda: ctorch.save(1, path, progress=stop), lambda: ctorch.load(path, progress=stop)):
        with pytest.raises(KeyboardInterrupt):
            attempt()
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["a.pt"]


def test_what_fails_is_of_the_error_classes_and_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.pt"
    ctorch.save(content(ctorch), path)
    before = path.read_bytes()
    with pytest.raises(errors.FormatError, match=r"a\.pt") as caught:
        path.write_bytes(before[: len(before) // 2])
        ctorch.load(path)
    assert caught.value.code_name == "FORMAT" and isinstance(caught.value, ValueError)
    with pytest.raises(errors.FormatError):
        ctorch.load(before[: len(before) // 2])
    with pytest.raises(errors.IOError, match="missing") as caught:
        ctorch.load(tmp_path / "missing.pt")
    assert isinstance(caught.value, OSError)
    with pytest.raises(errors.IOError):
        ctorch.save(1, tmp_path / "no folder" / "a.pt")
    path.write_bytes(before)
    with pytest.raises(TypeError):
        ctorch.save({"a": object()}, path)
    assert path.read_bytes() == before

    class Full:
        def write(self, data):
            raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OSError, match="full") as caught:
        ctorch.save(1, Full())
    assert caught.value.errno == errno.ENOSPC

    class Short(io.BytesIO):
        def read(self, n=-1):
            return b""

    with pytest.raises(ValueError, match="must return"):
        ctorch.load(Short(before))
    for f, message in ((io.StringIO("text"), "bytes"), (3, "Buffer")):
        with pytest.raises((TypeError, ValueError), match=message):
            ctorch.load(f)
    with pytest.raises(TypeError, match="a path or an object with a method 'write', not int"):
        ctorch.save(1, 3)
    with pytest.raises(ValueError, match="mmap"):
        ctorch.load(io.BytesIO(before), mmap=True)


def test_memory_that_is_read_is_copied():
    buffer = io.BytesIO()
    torch.save(torch.ones(1000), buffer)
    data = bytearray(buffer.getvalue())
    found = ctorch.load(data)
    data[:] = b"\0" * len(data)
    assert found.sum().item() == 1000


# Weights


def test_weights_of_every_format(tmp_path):
    torch.save({"model": tensors(torch), "epoch": 3}, tmp_path / "a.pt")
    safetensors.torch.save_file(tensors(torch), tmp_path / "a.safetensors", metadata={"format": "pt"})
    numpy.savez(tmp_path / "a.npz", **{n: t.numpy() for n, t in numeric(torch).items()})
    with ctorch.Weights(tmp_path / "a.pt") as weights:
        assert weights.format == "pt" and "model.weight" in weights and "weight" not in weights
        same(weights["model.weight"], tensors(torch)["weight"])
        assert weights.metadata() == {"epoch": 3}
    for f in (tmp_path / "a.safetensors", (tmp_path / "a.safetensors").read_bytes()):
        with ctorch.Weights(f) as weights:
            assert weights.format == "safetensors" and len(weights) == 5 and set(weights) == set(tensors(torch))
            assert weights.shape("weight") == (3, 4) and weights.dtype("half") is ctorch.bfloat16
            assert weights.type("half") == "BF16" and weights.nbytes("weight") == 48
            assert weights.metadata() == {"format": "pt"}
            for name, tensor in tensors(torch).items():
                same(weights[name], tensor)
                same(weights.load()[name], tensor)
            with pytest.raises(KeyError, match="nothing"):
                weights["nothing"]
            assert "a\0b" not in weights and 3 not in weights
    with pytest.raises(ValueError, match="closed"):
        len(weights)
    with ctorch.Weights(open(tmp_path / "a.npz", "rb")) as weights:
        assert weights.format == "npz"
        agree(dict(weights), numeric(torch))
        assert weights.load("meta")["weight"].device.type == "meta"


def test_parts_are_read(tmp_path):
    whole = torch.arange(60.0).reshape(3, 4, 5)
    safetensors.torch.save_file({"a": whole}, tmp_path / "a.safetensors")
    with ctorch.safetensors.safe_open(tmp_path / "a.safetensors", framework="pt") as weights:
        part = weights.get_slice("a")
        assert part.get_shape() == [3, 4, 5] and part.get_dtype() == "F32" and part.shape == (3, 4, 5)
        for key in (
            numpy.s_[1:3],
            numpy.s_[1],
            numpy.s_[-1, :, 2:4],
            numpy.s_[:, -2],
            numpy.s_[..., -3:],
            numpy.s_[0, ..., 1],
            numpy.s_[2:1],
            numpy.s_[1, 2, 3],
            numpy.s_[...],
        ):
            same(part[key], whole[key])
        for key, error in ((numpy.s_[::2], ValueError), (3, IndexError), (numpy.s_[0, 0, 0, 0], IndexError)):
            with pytest.raises(error):
                part[key]
        assert set(weights.keys()) == {"a"} and theirs(weights.get_tensor("a")).equal(whole)


def test_several_threads_read_one_stream(tmp_path):
    expected = {f"t{i}": torch.full((10_000,), float(i)) for i in range(20)}
    stream = io.BytesIO(safetensors.torch.save(expected))
    weights, found = ctorch.Weights(stream), {}

    def work(names):
        for name in names:
            found[name] = weights[name]

    threads = [threading.Thread(target=work, args=(list(expected)[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, tensor in expected.items():
        same(found[name], tensor)


# Other formats


def test_safetensors_files(tmp_path):
    path, expected = tmp_path / "a.safetensors", safetensors.torch.save(tensors(torch), {"format": "pt"})
    ctorch.safetensors.save_file(tensors(ctorch), path, {"format": "pt"})
    assert path.read_bytes() == ctorch.safetensors.save(tensors(ctorch), {"format": "pt"}) == expected
    found = safetensors.torch.load_file(path)
    assert all(torch.equal(found[name], tensor) for name, tensor in tensors(torch).items())
    for again in (ctorch.safetensors.load(expected), ctorch.safetensors.load_file(path)):
        agree({name: again[name] for name in tensors(torch)}, tensors(torch))
    with pytest.raises(errors.FormatError):
        ctorch.safetensors.load(expected[:-1])
    with pytest.raises(RuntimeError, match="share memory"):
        shared = ctorch.ones(3)
        ctorch.safetensors.save({"a": shared, "b": shared})


class Tied:
    """A model whose two layers share their weight, in either package."""

    def __new__(cls, package):
        model = package.nn.Sequential(package.nn.Linear(3, 3), package.nn.Linear(3, 3))
        model[1].weight = model[0].weight
        return model


def test_models_with_shared_tensors(tmp_path):
    path = tmp_path / "a.safetensors"
    model, mine = Tied(torch), Tied(ctorch)
    safetensors.torch.save_model(model, path)
    assert ctorch.safetensors.load_model(mine, path) == ([], [])
    same(mine[1].weight, model[0].weight.detach())
    ctorch.safetensors.save_model(mine, tmp_path / "b.safetensors")
    assert (tmp_path / "b.safetensors").read_bytes() == path.read_bytes()
    other = ctorch.nn.Sequential(ctorch.nn.Linear(3, 3), ctorch.nn.Linear(3, 3), ctorch.nn.Linear(3, 1))
    missing, unexpected = ctorch.safetensors.load_model(other, path, strict=False)
    assert set(missing) >= {"2.weight", "2.bias"} and unexpected == []
    with pytest.raises(RuntimeError, match=r"2\.weight"):
        ctorch.safetensors.load_model(other, path)


def test_numpy_files(tmp_path):
    x = torch.arange(6.0).reshape(2, 3)
    numpy.save(tmp_path / "a.npy", x.numpy())
    same(ctorch.npy.load(tmp_path / "a.npy"), x)
    buffer = io.BytesIO()
    ctorch.npy.save(buffer, ctorch.arange(6, dtype=ctorch.float32).reshape(2, 3))
    assert buffer.getvalue() == (tmp_path / "a.npy").read_bytes()
    same(ctorch.npy.load(buffer.getvalue()), x)
    for compressed in (False, True):
        ctorch.npz.save(tmp_path / "a.npz", numeric(ctorch), compressed)
        with numpy.load(tmp_path / "a.npz") as found:
            for name, tensor in numeric(torch).items():
                assert (found[name] == tensor.numpy()).all() and found[name].dtype == tensor.numpy().dtype
        agree(ctorch.npz.load(tmp_path / "a.npz"), numeric(torch))
    with pytest.raises(errors.FormatError, match=r"load\(\): the format of the file is npz, not npy"):
        ctorch.npy.load(tmp_path / "a.npz")
    with pytest.raises(errors.UnsupportedError):
        ctorch.npy.save(tmp_path / "b.npy", ctorch.ones(2, dtype=ctorch.bfloat16))
    assert not (tmp_path / "b.npy").exists()


@pytest.mark.parametrize("format", ["safetensors", "pt"])
def test_several_files(tmp_path, format):
    expected = {f"t{i}": torch.full((100,), float(i)) for i in range(10)}
    ctorch.sharded.save(
        {name: ctorch.from_dlpack(tensor) for name, tensor in expected.items()},
        tmp_path,
        {"by": "test"},
        format=format,
        max_shard_size=1000,
    )
    assert len(list(tmp_path.glob("*-of-*"))) == 5
    agree(ctorch.sharded.load(tmp_path), expected)
    (index,) = tmp_path.glob("*.index.json")
    with ctorch.Weights(index) as weights:
        assert weights.format == "sharded" and weights.metadata()["by"] == "test"
        same(weights["t7"], expected["t7"])
    next(iter(sorted(tmp_path.glob("*-of-*")))).unlink()
    with pytest.raises(errors.IOError):
        ctorch.sharded.load(tmp_path)


# Snapshots


class Run:
    """A training run with everything that a snapshot may hold."""

    def __init__(self, folder, **options):
        ctorch.manual_seed(1)
        self.model = ctorch.nn.Sequential(ctorch.nn.Linear(4, 8), ctorch.nn.Dropout(0.5), ctorch.nn.Linear(8, 1))
        self.optimizer = ctorch.optim.AdamW(self.model.parameters(), lr=0.1)
        self.scheduler = ctorch.optim.lr_scheduler.StepLR(self.optimizer, 2, gamma=0.5)
        self.scaler = ctorch.amp.GradScaler("cpu", growth_interval=2)
        self.generator = ctorch.raw.generator_new()
        self.counts, self.losses, self.seen = {"batches": 0}, [], 0
        self.snapshots = ctorch.Snapshots(folder, **options)
        for name in ("model", "optimizer", "scheduler", "scaler", "generator", "counts"):
            self.snapshots.add(name, getattr(self, name))
        self.snapshots.add("run", Seen(self))

    def train(self, steps):
        _, step = self.snapshots.resume() or (0, 0)
        while step < steps:
            x = ctorch.randn(16, 4, generator=self.generator)
            loss = self.model(x).square().mean()
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.scheduler.step()
            self.losses.append(loss.item())
            self.counts["batches"] += 1
            self.seen += 16
            step += 1
            self.snapshots.step(0, step, metric=loss.item())
        return self


class Seen:
    """State of one's own."""

    def __init__(self, run):
        self.run = run

    def state_dict(self):
        return {"seen": self.run.seen}

    def load_state_dict(self, state):
        self.run.seen = state["seen"]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_run_that_goes_on_computes_what_it_would_have(tmp_path, asynchronous):
    whole = Run(tmp_path / "whole").train(9)
    Run(tmp_path / "run", every=2, asynchronous=asynchronous).train(5).snapshots.close()
    again = Run(tmp_path / "run", every=2, keep_last=1, keep_best=1)
    assert again.snapshots.steps == [2, 4]
    again.train(9)
    assert again.losses == whole.losses[4:]
    assert again.counts == {"batches": 9} and again.seen == 9 * 16
    assert again.scheduler.get_last_lr() == whole.scheduler.get_last_lr()
    assert again.scaler.state_dict() == whole.scaler.state_dict()
    for mine, expected in zip(again.model.parameters(), whole.model.parameters()):
        same(mine, theirs(expected))
    assert again.snapshots.steps[-1] == 8 and len(again.snapshots) in (1, 2)
    found = torch.load(again.snapshots.paths[-1])
    assert found["step"] == 8 and found["parts"]["run"] == {"seen": 128} and found["parts"]["counts"] == {"batches": 8}
    assert found["metric"] == again.snapshots.metrics[-1] == again.losses[3]


def test_snapshots_that_fail(tmp_path):
    snapshots = ctorch.Snapshots(tmp_path)
    assert snapshots.resume() is None and len(snapshots) == 0 and snapshots
    snapshots.add("mine", {"a": 1})
    with pytest.raises(ValueError, match="mine"):
        snapshots.add("mine", {})
    with pytest.raises(TypeError, match="object has no state_dict"):
        snapshots.add("other", object())

    def fail(*_):
        raise LookupError("nothing to save")

    snapshots.save(1, 2)
    assert snapshots.resume(snapshots.paths[0]) == (1, 2) == snapshots.resume("best")
    snapshots.add_callbacks("failing", fail, fail)
    with pytest.raises(LookupError, match="nothing to save"):
        snapshots.save(1, 3)
    assert snapshots.steps == [2]
    snapshots.close()
    with pytest.raises(ValueError, match="closed"):
        snapshots.save(1, 3)
    with pytest.raises(errors.FormatError):
        (tmp_path / "snapshot-000000000002.pt").write_bytes(b"damaged")
        ctorch.Snapshots(tmp_path).resume()


def test_nothing_is_left(tmp_path):
    assert run(PROGRAMS / "files.py", tmp_path).stdout == "0 torch False numpy False\n"


def test_the_third_program_of_the_readme(tmp_path):
    text = (ROOT / "bindings-gen/languages/python/README.md").read_text()
    program = tmp_path / "program.py"
    program.write_text(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[2].replace('"run"', f'"{tmp_path}"'))
    program.write_text(program.read_text().replace('"model.', f'"{tmp_path}/model.'))
    for _ in range(2):
        assert run(program).stdout.startswith("['bias', 'weight'] (1, 3) tensor([")
    assert [p.name for p in sorted(tmp_path.glob("snap*"))] == ["snapshot-000000000010.pt", "snapshot-000000000020.pt"]


def test_a_surrogate_alone_is_read_as_python_reads_it(tmp_path):
    texts = ["lone \ud800 surrogate", "\udcff", {"\udfff": 1}]
    torch.save(texts, tmp_path / "a.pt")
    assert ctorch.load(tmp_path / "a.pt") == texts
    ctorch.save(texts, tmp_path / "b.pt")
    assert torch.load(tmp_path / "b.pt") == texts
