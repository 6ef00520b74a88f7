"""The trainer beside a plain loop in Python: the same losses, parameters and states to the last bit."""

from __future__ import annotations

import gc
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.utils import data

from tests.data.objects import (
    Loader,
    Object,
    attempt,
    begin,
    forget,
    kept,
    live,
    loader,
    optional,
    payload,
    tensor_dataset,
)
from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out, tensor
from tests.harness.values import made, python, value

EVENTS = ["BEGIN", "EPOCH_BEGIN", "BATCH_END", "GRADIENTS", "STEP", "VALIDATION", "EPOCH_END", "SNAPSHOT", "END"]
torch.manual_seed(0)
X, Y = torch.randn(50, 4), torch.randint(3, (50,))
VX, VY = torch.randn(20, 4), torch.randint(3, (20,))


class Model(Object):
    type = "module"

    def parameters(self):
        place = out("ctorch_tensor_list *")
        ok(lib.ctorch_module_parameters(place, self.pointer, True))
        result = []
        for i in range(lib.ctorch_tensor_list_len(place[0])):
            one = out("ctorch_tensor *")
            ok(lib.ctorch_tensor_list_get(one, place[0], i))
            result.append(tensor(one[0]))
        lib.ctorch_tensor_list_release(place[0])
        return result


class Optimizer(Object):
    type = "optimizer"


class Scheduler(Object):
    type = "lr_scheduler"


class Scaler(Object):
    type = "grad_scaler"


class Snapshots(Object):
    type = "snapshots"


def module(name, *args, **kwargs):
    return Model.made("ctorch_nn_create", name.encode(), value(list(args)), value(kwargs))


def network():
    parts = [module("Linear", 4, 8), module("Dropout", 0.25), module("Tanh"), module("Linear", 8, 3)]
    result = Model.made("ctorch_nn_Sequential")
    for part in parts:
        ok(lib.ctorch_module_append(result.pointer, part.pointer))
    return result


def network_of_python():
    return nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.25), nn.Tanh(), nn.Linear(8, 3))


def optimizer(model, name="SGD", **kwargs):
    return Optimizer.made("ctorch_optim_create", name.encode(), value([model.parameters()]), value(kwargs))


@ffi.callback("ctorch_callback_status(ctorch_trainer *, ctorch_trainer_event, ctorch_error **, void *)")
def on_event(_trainer, event, error_place, payload_):
    (call,) = kept(payload_)
    return attempt(lambda: call(EVENTS[event]), error_place)


@ffi.callback(
    "ctorch_callback_status(ctorch_tensor **, ctorch_trainer *, ctorch_module *, const ctorch_value *, "
    "ctorch_error **, void *)"
)
def on_step(place, _trainer, model, batch, error_place, payload_):
    (call,) = kept(payload_)

    def run():
        loss = call(model, python(batch))
        place[0] = handle(loss)
        lib.ctorch_tensor_retain(place[0])

    return attempt(run, error_place)


@ffi.callback("ctorch_callback_status(double *, const ctorch_value *, const ctorch_value *, ctorch_error **, void *)")
def on_metric(place, output, batch, error_place, payload_):
    (call,) = kept(payload_)

    def run():
        place[0] = call(python(output), python(batch))

    return attempt(run, error_place)


class Trainer(Object):
    type = "trainer"

    def set(self, name, *args):
        ok(getattr(lib, f"ctorch_trainer_set_{name}")(self.pointer, *args))

    def on(self, event, call):
        number = EVENTS.index(event)
        ok(lib.ctorch_trainer_add_callback(self.pointer, number, on_event, forget, payload(call)))

    def metric(self, name, call=None):
        given = (ffi.NULL,) * 3 if call is None else (on_metric, forget, payload(call))
        ok(lib.ctorch_trainer_add_metric(self.pointer, name.encode(), *given))

    def fit(self, loader_):
        ok(lib.ctorch_trainer_fit(self.pointer, loader_.pointer))

    def evaluate(self, loader_):
        return python(made("ctorch_trainer_evaluate", self.pointer, loader_.pointer))

    def history(self):
        return python(made("ctorch_trainer_history", self.pointer))

    def loss(self):
        return self.number("ctorch_trainer_loss", "double")

    @property
    def epoch(self):
        return lib.ctorch_trainer_epoch(self.pointer)

    @property
    def step(self):
        return lib.ctorch_trainer_step(self.pointer)

    @property
    def stopped(self):
        return bool(lib.ctorch_trainer_stopped(self.pointer))


def trainer(model, optimizer_, epochs=3, steps=0):
    result = Trainer.made("ctorch_trainer_new", model.pointer, optimizer_.pointer)
    result.set("loss", module("CrossEntropyLoss").pointer)
    result.set("length", epochs, steps)
    return result


class Ours:
    """A run of ctorch, of settings by name."""

    def __init__(self, workers=0, optim=("SGD", {"lr": 0.1, "momentum": 0.9, "foreach": False}), **settings):
        self.settings = settings
        torch.manual_seed(1)
        self.model = network()
        self.optimizer = optimizer(self.model, optim[0], **optim[1])
        self.trainer = trainer(self.model, self.optimizer, settings.get("epochs", 3), settings.get("steps", 0))
        self.losses = []
        self.trainer.on("BATCH_END", lambda _: self.losses.append(self.trainer.loss()))
        self.loader = loader(tensor_dataset(X, Y), 8, shuffle=True, num_workers=workers)
        self.validation = loader(tensor_dataset(VX, VY), 8)
        self.scheduler = self.scaler = None
        if "accumulation" in settings:
            self.trainer.set("accumulation", settings["accumulation"])
        if "clipping" in settings:
            self.trainer.set("clipping", *settings["clipping"])
        if settings.get("autocast"):
            self.trainer.set("autocast", lib.c.CTORCH_DEVICE_TYPE_CPU, True, ffi.NULL)
        if settings.get("scaler"):
            self.scaler = Scaler.made("ctorch_grad_scaler_new", b"cpu", 8.0, 2.0, 0.5, 4, True)
            self.trainer.set("grad_scaler", self.scaler.pointer)
        if "scheduler" in settings:
            name, kwargs, each_step = settings["scheduler"]
            arguments = name.encode(), self.optimizer.pointer, ffi.NULL, value(kwargs)
            self.scheduler = Scheduler.made("ctorch_lr_scheduler_create", *arguments)
            self.trainer.set("lr_scheduler", self.scheduler.pointer, each_step, ffi.NULL)
        if settings.get("validation"):
            self.trainer.metric("accuracy")
            self.trainer.set("validation", self.validation.pointer, 0)

    def run(self):
        self.trainer.fit(self.loader)
        return self.losses, [p.detach() for p in self.model.parameters()], torch.get_rng_state()


def plain_loop(optim=("SGD", {"lr": 0.1, "momentum": 0.9, "foreach": False}), **settings):
    torch.manual_seed(1)
    model = network_of_python()
    optimizer_ = getattr(torch.optim, optim[0])(model.parameters(), **optim[1])
    loss_of = nn.CrossEntropyLoss()
    batches = data.DataLoader(data.TensorDataset(X, Y), 8, shuffle=True)
    validation = data.DataLoader(data.TensorDataset(VX, VY), 8)
    scaler = torch.amp.GradScaler("cpu", 8.0, 2.0, 0.5, 4) if settings.get("scaler") else None
    name, kwargs, each_step = settings.get("scheduler", (None, None, None))
    scheduler = getattr(torch.optim.lr_scheduler, name)(optimizer_, **kwargs) if name else None
    accumulation = settings.get("accumulation", 1)
    max_norm, norm_type, clip_value = settings.get("clipping", (0, 0, 0))
    losses, history, steps = [], [], 0

    def step():
        nonlocal steps
        if max_norm or clip_value:
            if scaler:
                scaler.unscale_(optimizer_)
            if max_norm:
                nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type)
            if clip_value:
                nn.utils.clip_grad_value_(model.parameters(), clip_value)
        if scaler:
            scaler.step(optimizer_)
            scaler.update()
        else:
            optimizer_.step()
        optimizer_.zero_grad()
        if scheduler and each_step:
            scheduler.step()
        steps += 1

    for epoch in range(settings.get("epochs", 3) or 1000):
        model.train()
        of_epoch, hits, gathered = [], 0, 0
        for x, y in batches:
            with torch.autocast("cpu", enabled=bool(settings.get("autocast"))):
                output = model(x)
                loss = loss_of(output, y)
            hits += (output.argmax(1) == y).sum().item()
            of_epoch.append(loss.item())
            loss = loss / accumulation if accumulation > 1 else loss
            (scaler.scale(loss) if scaler else loss).backward()
            gathered += 1
            if gathered == accumulation:
                gathered = 0
                step()
                if settings.get("steps") and steps >= settings["steps"]:
                    break
        losses += of_epoch
        if settings.get("steps") and steps >= settings["steps"]:
            break
        if gathered:
            step()
        entry = {}
        if settings.get("validation"):
            model.eval()
            with torch.no_grad():
                outputs = [(model(vx), vy) for vx, vy in validation]
                entry["val_loss"] = sum(loss_of(o, vy).item() for o, vy in outputs) / len(outputs)
                entry["val_accuracy"] = sum((o.argmax(1) == vy).sum().item() for o, vy in outputs) / len(VY)
        entry["loss"] = sum(of_epoch) / len(of_epoch)
        if settings.get("validation"):
            entry["accuracy"] = hits / len(Y)
        if scheduler and not each_step:
            plateau = name == "ReduceLROnPlateau"
            scheduler.step(*([entry.get("val_loss", entry["loss"])] if plateau else []))
        history.append({**entry, "epoch": epoch + 1, "step": steps})
    return losses, [p.detach() for p in model.parameters()], torch.get_rng_state(), history


SETTINGS = {
    "plain": {},
    "steps": {"epochs": 0, "steps": 10},
    "steps in an epoch": {"epochs": 5, "steps": 3},
    "accumulation": {"accumulation": 3},
    "clipped norm": {"clipping": (0.3, 2.0, 0)},
    "clipped norm without end": {"clipping": (0.1, math.inf, 0)},
    "clipped values": {"clipping": (0, 0, 0.02)},
    "clipped both": {"clipping": (0.3, 2.0, 0.05)},
    "autocast": {"autocast": True},
    "scaler": {"scaler": True},
    "scaler, clipped, accumulated": {"scaler": True, "clipping": (0.3, 2.0, 0), "accumulation": 2},
    "StepLR of epochs": {"scheduler": ("StepLR", {"step_size": 1, "gamma": 0.5}, False)},
    "OneCycleLR of steps": {"scheduler": ("OneCycleLR", {"max_lr": 0.2, "total_steps": 30}, True)},
    "ReduceLROnPlateau": {"scheduler": ("ReduceLROnPlateau", {"patience": 0}, False)},
    "ReduceLROnPlateau of validation": {"scheduler": ("ReduceLROnPlateau", {"patience": 0}, False), "validation": True},
    "validation": {"validation": True},
    "AdamW": {"optim": ("AdamW", {"lr": 0.01, "foreach": False}), "validation": True},
}


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("name", SETTINGS)
def test_it_is_the_plain_loop(name, workers):
    settings = SETTINGS[name]
    losses, parameters, state, history = plain_loop(**settings)
    ours = Ours(workers, **settings)
    our_losses, our_parameters, our_state = ours.run()
    assert our_losses == losses
    assert all(map(torch.equal, our_parameters, parameters))
    if not workers:
        assert torch.equal(our_state, state)
    if "steps" not in settings:
        assert len(ours.trainer.history()) == len(history)
        for a, b in zip(ours.trainer.history(), history):
            assert list(a) == list(b)
            assert all(math.isclose(a[k], b[k], rel_tol=1e-12) for k in b)


def test_events_and_their_order():
    ours = Ours(epochs=2, validation=True, accumulation=4)
    seen = []
    for event in EVENTS:
        ours.trainer.on(event, seen.append)
    ours.run()
    epoch = ["EPOCH_BEGIN", *(["BATCH_END"] * 4 + ["GRADIENTS", "STEP"]), *(["BATCH_END"] * 3 + ["GRADIENTS", "STEP"])]
    assert seen == ["BEGIN", *(epoch + ["VALIDATION", "EPOCH_END"]) * 2, "END"]


def test_a_step_of_ones_own():
    losses, parameters, *_ = plain_loop()
    ours = Ours()
    loss_of = module("CrossEntropyLoss")

    def step(model, batch):
        x, y = batch
        place, loss = out("ctorch_tensor *"), out("ctorch_tensor *")
        ok(lib.ctorch_module_forward(place, model, handle(x)))
        output = tensor(place[0])
        ok(lib.ctorch_nn_CrossEntropyLoss_forward(loss, loss_of.pointer, handle(output), handle(y)))
        return tensor(loss[0])

    ours.trainer.set("step", on_step, forget, payload(step))
    assert ours.run()[0] == losses
    assert all(map(torch.equal, ours.model.parameters(), parameters))


def test_metrics_of_ones_own():
    ours = Ours(epochs=1)
    ours.trainer.metric("mean", lambda output, batch: output.mean().item())
    ours.trainer.metric("rows", lambda output, batch: len(batch[0]))
    ours.run()
    (entry,) = ours.trainer.history()
    assert entry["rows"] == (6 * 8 * 8 + 2 * 2) / 50
    assert set(entry) == {"loss", "mean", "rows", "epoch", "step"}
    evaluated = ours.trainer.evaluate(ours.validation)
    assert set(evaluated) == {"loss", "mean", "rows"}


def test_early_stopping():
    for patience in (0, 2):
        ours = Ours(epochs=100, optim=("SGD", {"lr": 0.0, "foreach": False}))
        ours.trainer.set("validation", ours.validation.pointer, 0)
        ours.trainer.set("early_stopping", b"val_loss", False, patience, 0.0)
        ours.run()
        assert (ours.trainer.epoch, ours.trainer.stopped) == (2 + patience, True)


def test_validation_after_steps():
    ours = Ours(epochs=1)
    seen = []
    ours.trainer.on("VALIDATION", lambda _: seen.append(ours.trainer.step))
    ours.trainer.set("validation", ours.validation.pointer, 3)
    ours.run()
    assert seen == [3, 6, 7]


def test_going_on_for_longer():
    losses, parameters, *_ = plain_loop(epochs=5)
    ours = Ours(epochs=2)
    ours.run()
    ours.trainer.set("length", 5, 0)
    ours.run()
    assert ours.losses == losses
    assert all(map(torch.equal, ours.model.parameters(), parameters))


def test_stopping_from_a_callback():
    ours = Ours(epochs=2)
    ours.trainer.on("STEP", lambda _: ours.trainer.step == 4 and lib.ctorch_trainer_stop(ours.trainer.pointer))
    ours.run()
    assert (ours.trainer.step, ours.trainer.epoch, ours.trainer.stopped) == (4, 0, True)
    ours.run()
    assert (ours.trainer.step, ours.trainer.epoch, ours.trainer.stopped) == (14, 2, False)
    assert ours.losses == plain_loop(epochs=2)[0]


def with_snapshots(ours, folder, every=0, metric=None):
    snapshots = Snapshots.made("ctorch_snapshots_open", str(folder).encode())
    name = ffi.NULL if metric is None else metric.encode()
    ours.trainer.set("snapshots", snapshots.pointer, every, name)
    ours.snapshots = snapshots
    return ours


RESUMED = ["plain", "accumulation", "scaler", "StepLR of epochs", "OneCycleLR of steps", "validation", "AdamW"]


@pytest.mark.parametrize("workers", [(0, 0), (2, 0), (0, 2)])
@pytest.mark.parametrize("stop", [1, 7, 9, 14])
@pytest.mark.parametrize("name", RESUMED)
def test_a_run_that_was_stopped_goes_on_to_the_last_bit(name, stop, workers, tmp_path):
    """In another process it would be the same: nothing but the snapshot is handed on."""
    settings = SETTINGS[name]
    losses, parameters, _, history = plain_loop(**settings)
    first = with_snapshots(Ours(workers[0], **settings), tmp_path)
    first.trainer.on("STEP", lambda _: first.trainer.step == stop and lib.ctorch_trainer_stop(first.trainer.pointer))
    head = first.run()[0]
    torch.manual_seed(1234)
    second = with_snapshots(Ours(workers[1], **settings), tmp_path)
    for p in second.model.parameters():
        p.data.zero_()
    tail = second.run()[0]
    assert head + tail == losses
    assert all(map(torch.equal, second.model.parameters(), parameters))
    ours = second.trainer.history()
    assert [h["step"] for h in ours] == [h["step"] for h in history]
    assert all(math.isclose(a["loss"], b["loss"], rel_tol=1e-12) for a, b in zip(ours, history))


def test_snapshots_by_steps_and_by_metric(tmp_path):
    ours = with_snapshots(Ours(epochs=2, validation=True), tmp_path, 3, "val_loss")
    ours.run()
    files = sorted(p.name for p in tmp_path.glob("*.pt"))
    assert [int(f.split("-")[1].split(".")[0]) for f in files] == [3, 6, 7, 9, 12, 14]
    saved = torch.load(tmp_path / files[-1])
    assert saved["metric"] == ours.trainer.history()[-1]["val_loss"]
    assert saved["parts"]["trainer.loop"]["step"] == 14


def test_snapshots_outlive_the_trainer(tmp_path):
    ours = with_snapshots(Ours(epochs=1), tmp_path)
    ours.run()
    ours.trainer.release()
    with pytest.raises(CtorchError, match="RUNTIME: .*the trainer is gone"):
        ok(lib.ctorch_snapshots_save(ours.snapshots.pointer, 9, 9, ffi.NULL))


SCRIPT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which whoever runs the tests may ignore
sys.path[:0] = {path!r}
from tests.trainer.test_trainer import Ours, with_snapshots
ours = with_snapshots(Ours(epochs=1000), {folder!r})
ours.trainer.set("interruptible", True)
ours.trainer.on("STEP", lambda _: ours.trainer.step == 5 and os.kill(os.getpid(), signal.SIGINT))
ours.run()
print(ours.trainer.step, ours.trainer.stopped, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_an_interrupt_stops_it_with_everything_saved(tmp_path):
    script = SCRIPT.format(path=sys.path, folder=str(tmp_path / "run"))
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root, env=os.environ)
    assert done.stdout.split() == ["5", "True", "True"], done.stderr
    assert [p.name for p in (tmp_path / "run").glob("*.pt")] == ["snapshot-000000000005.pt"]


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
def test_progress(kind, capfd):
    ours = Ours(epochs=2, validation=True)
    ours.trainer.set("progress", kind)
    ours.run()
    lines = capfd.readouterr().err
    if kind == 0:
        assert lines == ""
        return
    lines = [line.split("\r")[-1].replace("\x1b[K", "") for line in lines.split("\n")[:-1]]
    assert len(lines) == 2
    assert lines[0].startswith("epoch 1/2  val_loss ") and "accuracy" in lines[0] and "batches/s" in lines[0]


@pytest.mark.parametrize("knows_length", [False, True])
def test_any_source_of_batches(knows_length):
    source = [[X[:10], Y[:10]], [X[10:], Y[10:]]]
    length = optional("int64_t", 2 if knows_length else None)
    arguments = length, begin, forget, payload(lambda: source)
    batches = Loader.made("ctorch_loader_from_callback", *arguments)
    ours = Ours(epochs=2)
    ours.trainer.fit(batches)
    assert ours.trainer.step == 4 and len(ours.losses) == 4
    with pytest.raises(CtorchError, match="RUNTIME: a loader of a callback makes its batches itself"):
        batches.set_collate(len)
    empty = Loader.made("ctorch_loader_from_callback", length, begin, forget, payload(lambda: []))
    ours.trainer.set("length", 3, 0)
    with pytest.raises(CtorchError, match="VALUE: loader: it gave no batches"):
        ours.trainer.fit(empty)


def test_failures():
    ours = Ours()
    bad = Trainer.made("ctorch_trainer_new", ours.model.pointer, ours.optimizer.pointer)
    with pytest.raises(CtorchError, match="VALUE: the trainer has neither a loss nor a step"):
        bad.fit(ours.loader)
    with pytest.raises(CtorchError, match="VALUE: a batch is a list of inputs and a target"):
        ours.trainer.fit(loader(tensor_dataset(X), 8))
    ours.trainer.set("early_stopping", b"val_loss", False, 1, 0.0)
    with pytest.raises(CtorchError, match="VALUE: there is no metric val_loss"):
        ours.run()
    ours.trainer.set("early_stopping", ffi.NULL, False, 1, 0.0)
    ours.trainer.on("STEP", lambda _: 1 / 0)
    ours.trainer.set("length", 10, 0)
    with pytest.raises(CtorchError, match="division"):
        ours.run()
    inside = Ours(epochs=1)
    inside.trainer.on("STEP", lambda _: inside.trainer.set("length", 2, 0))
    with pytest.raises(CtorchError, match="RUNTIME: .*the trainer is at work"):
        inside.run()


def test_arguments_that_are_refused():
    ours = Ours()
    cases = [
        ("length", (-1, 0)), ("length", (0, 0)), ("accumulation", (0,)), ("clipping", (-1.0, 2.0, 0.0)),
        ("clipping", (math.nan, 2.0, 0.0)), ("validation", (ffi.NULL, -1)), ("progress", (9,)),
        ("early_stopping", (b"x", False, -1, 0.0)), ("early_stopping", (b"\xff", False, 1, 0.0)),
        ("snapshots", (ffi.NULL, -1, ffi.NULL)), ("autocast", (77, True, ffi.NULL)),
    ]  # fmt: skip
    for name, arguments in cases:
        with pytest.raises(CtorchError, match="INVALID_ARGUMENT"):
            ours.trainer.set(name, *arguments)
    with pytest.raises(CtorchError, match="NULL_ARGUMENT: loss"):
        ours.trainer.set("loss", ffi.NULL)
    ours.trainer.metric("a")
    for name in ("a", "loss"):
        with pytest.raises(CtorchError, match="VALUE: name: there is a metric"):
            ours.trainer.metric(name)
    with pytest.raises(CtorchError, match="INVALID_ARGUMENT: event"):
        ok(lib.ctorch_trainer_add_callback(ours.trainer.pointer, 99, on_event, ffi.NULL, ffi.NULL))
    with pytest.raises(CtorchError, match="VALUE: there was no batch yet"):
        ours.trainer.loss()


def test_nothing_is_left_behind():
    gc.collect()
    before = len(live)
    ours = Ours(epochs=1)
    ours.run()
    for item in (ours.trainer, ours.loader, ours.validation):
        item.release()
    assert len(live) == before
