"""Use files of every kind in a folder, forget them, and print how many handles are left; and what was imported."""

import gc
import io
import sys
from pathlib import Path

import ctorch
from ctorch import raw

folder = Path(sys.argv[1])


def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except (ValueError, OSError, TypeError, LookupError):
        return
    raise SystemExit(f"{call.__name__}{arguments} should have failed")


def fail(*_):
    raise LookupError("no")


def work():
    tensors = {"a": ctorch.ones(3), "b": ctorch.zeros(2, 2)}
    buffer = io.BytesIO()
    ctorch.save({"tensors": tensors, "list": [1, "two"]}, buffer, progress=lambda n: None)
    ctorch.save(tensors, folder / "a.pt")
    data = buffer.getvalue()
    for f in (io.BytesIO(data), data, folder / "a.pt"):
        ctorch.load(f, map_location=lambda location: "cpu", allow={"a.B"}, progress=lambda n: None)
        if hasattr(f, "seek"):
            f.seek(0)
        ctorch.Weights(f).load()
    ctorch.load(folder / "a.pt", mmap=True)
    for bad in (io.BytesIO(data[:100]), data[:100], folder / "missing", folder):
        refused(ctorch.load, bad)
        refused(ctorch.Weights, bad if bad is not folder else folder / "missing")
    refused(ctorch.load, io.BytesIO(data), map_location=fail)
    refused(ctorch.load, io.BytesIO(data), progress=fail)
    refused(ctorch.save, object(), folder / "b.pt")
    refused(ctorch.save, 1, folder / "b.pt", progress=fail)
    ctorch.safetensors.save_file(tensors, folder / "a.safetensors")
    ctorch.safetensors.load(ctorch.safetensors.save(tensors))
    ctorch.npz.save(folder / "a.npz", tensors)
    refused(ctorch.npy.load, folder / "a.npz")
    ctorch.npy.save(folder / "a.npy", tensors["a"])
    ctorch.npy.load(folder / "a.npy")
    ctorch.sharded.save(tensors, folder, max_shard_size=1)
    ctorch.sharded.load(folder)
    model = ctorch.nn.Linear(2, 2)
    ctorch.safetensors.save_model(model, folder / "model.bin")
    ctorch.safetensors.load_model(model, folder / "model.bin")
    snapshots = ctorch.Snapshots(folder / "run", every=1, asynchronous=True)
    snapshots.add("model", model)
    snapshots.add("optimizer", ctorch.optim.SGD(model.parameters(), lr=0.1))
    snapshots.add("counts", {"a": 1})
    snapshots.step(0, 1)
    snapshots.wait()
    snapshots.resume()
    snapshots.add_callbacks("failing", fail, fail)
    refused(snapshots.save, 0, 2)


work()
gc.collect()
if raw.debug_live_handles():
    print(raw.debug_report(), file=sys.stderr)
print(raw.debug_live_handles(), "torch", "torch" in sys.modules, "numpy", "numpy" in sys.modules)
