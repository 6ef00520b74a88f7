"""Loggers: what Python's csv and json read of their files, and what a trainer logs."""

import csv
import json
import math

import pytest
import torch

from tests.data.objects import Object, forget, loader, payload, tensor_dataset
from tests.harness.capi import OK, CtorchError, ffi, lib, ok, text
from tests.tensorboard.events import NULL, Writer, floats, messages, texts, wall
from tests.trainer.test_trainer import Snapshots, Trainer, X, Y, module, network, optimizer


class Logger(Object):
    type = "logger"

    def log(self, step, values, seconds=None):
        walltime = NULL if seconds is None else wall(seconds)
        ok(lib.ctorch_logger_log(self.pointer, *texts(list(values)), *floats(list(values.values())), step, walltime))


def csv_logger(path):
    return Logger.made("ctorch_logger_open_csv", str(path).encode())


def json_logger(path):
    return Logger.made("ctorch_logger_open_json_lines", str(path).encode())


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


NAMES = ["loss", "a,b", 'say "x"', "two\nlines", "ü"]


def test_csv_is_read_by_python(tmp_path):
    path = tmp_path / "log.csv"
    logger = csv_logger(path)
    for step in range(5):
        logger.log(step, {name: step + i / 10 for i, name in enumerate(NAMES)}, 100.25 + step)
    assert rows(path) == [
        {"step": str(s), "wall_time": repr(100.25 + s), **{n: repr(s + i / 10) for i, n in enumerate(NAMES)}}
        for s in range(5)
    ]


def test_the_header_of_csv_grows(tmp_path):
    path = tmp_path / "log.csv"
    logger = csv_logger(path)
    logger.log(0, {}, 1)
    logger.log(1, {"b": 1}, 2)
    logger.log(2, {"two\nlines": math.nan, "b": math.inf}, 3)
    logger = csv_logger(path)
    logger.log(3, {"c": -0.5}, 4)
    names = ["step", "wall_time", "b", "two\nlines", "c"]
    found = rows(path)
    assert list(found[0]) == names
    expected = [["0", "1.0", "", "", ""], ["1", "2.0", "1.0", "", ""], ["2", "3.0", "inf", "nan", ""]]
    assert [list(row.values()) for row in found] == [*expected, ["3", "4.0", "", "", "-0.5"]]


def test_half_a_line_is_cut_off(tmp_path):
    for make, name in (csv_logger, "log.csv"), (json_logger, "log.jsonl"):
        path = tmp_path / name
        make(path).log(1, {"a": 1}, 1)
        whole = path.read_bytes()
        path.write_bytes(whole + b"12,3")
        logger = make(path)
        assert path.read_bytes() == whole
        logger.log(1, {"a": 1}, 1)
        assert path.read_bytes().startswith(whole) and len(path.read_bytes()) > len(whole)


def test_files_that_are_no_logs_are_left_alone(tmp_path):
    path = tmp_path / "other.csv"
    for content in b"time,loss\n1,2\n", b'"step\n', b'step,wall_time"x"\n', b"step\n", b'step,"wall_time\n1':
        path.write_bytes(content)
        before = path.read_bytes()
        if b"\n" in before and before.endswith(b"\n"):
            with pytest.raises(CtorchError, match="FORMAT"):
                csv_logger(path)
            assert path.read_bytes() == before


def test_json_lines_are_read_by_python(tmp_path):
    path = tmp_path / "log.jsonl"
    logger = json_logger(path)
    logger.log(7, {name: i / 10 for i, name in enumerate([*NAMES, "\x01\\"])}, 100.25)
    logger.log(8, {"nan": math.nan, "inf": math.inf, "minus": -math.inf, "least": 5e-324})
    first, second = map(json.loads, path.read_text().splitlines())
    assert first == {"step": 7, "wall_time": 100.25} | {name: i / 10 for i, name in enumerate([*NAMES, "\x01\\"])}
    del second["wall_time"]
    assert second == {"step": 8, "nan": "NaN", "inf": "Infinity", "minus": "-Infinity", "least": 5e-324}
    assert float("NaN") != float(second["nan"])


def test_names_are_checked(tmp_path):
    logger = csv_logger(tmp_path / "x.csv")
    for names, kind in (["step"], "VALUE"), (["a", "a"], "VALUE"):
        error = lib.ctorch_logger_log(logger.pointer, *texts(names), *floats([0] * len(names)), 0, NULL)
        with pytest.raises(CtorchError, match=kind):
            ok(error)
    with pytest.raises(CtorchError, match="INVALID_ARGUMENT"):
        ok(lib.ctorch_logger_log(logger.pointer, *texts(["a"]), *floats([]), 0, NULL))
    with pytest.raises(CtorchError, match="IO.*no/such"):
        csv_logger("/no/such/folder.csv")


def test_to_event_files(tmp_path):
    with Writer(tmp_path) as writer:
        logger = Logger.made("ctorch_logger_from_summary_writer", writer.handle)
        logger.log(3, {"a": 0.5, "b": 1.5}, 9.0)
        ok(lib.ctorch_logger_flush(logger.pointer))
        events = messages(tmp_path)
        del logger
    found = [(e.summary.value[0].tag, e.summary.value[0].simple_value, e.step, e.wall_time) for e in events]
    assert found == [("a", 0.5, 3, 9.0), ("b", 1.5, 3, 9.0)]


@ffi.callback(
    "ctorch_callback_status(const char *const *, size_t, const double *, size_t, int64_t, double, ctorch_error **, "
    "void *)"
)
def on_log(names, names_len, numbers, _numbers_len, step, _walltime, _error, payload_):
    (found,) = ffi.from_handle(payload_)
    found.append((step, {text(names[i]): numbers[i] for i in range(names_len)}))
    return OK


def callback_logger(found):
    return Logger.made("ctorch_logger_from_callback", on_log, forget, payload(found))


def trained(logger, every_steps, epochs=3, prepare=None):
    torch.manual_seed(0)
    model = network()
    trainer = Trainer.made("ctorch_trainer_new", model.pointer, optimizer(model, lr=0.5).pointer)
    trainer.set("loss", module("CrossEntropyLoss").pointer)
    trainer.set("length", epochs, 0)
    trainer.set("validation", loader(tensor_dataset(X, Y), batch_size=10).pointer, 0)
    ok(lib.ctorch_trainer_add_metric(trainer.pointer, b"accuracy", NULL, NULL, NULL))
    ok(lib.ctorch_trainer_add_logger(trainer.pointer, logger.pointer, every_steps))
    if prepare is not None:
        prepare(trainer)
    ok(lib.ctorch_trainer_fit(trainer.pointer, loader(tensor_dataset(X, Y), batch_size=10).pointer))
    return trainer


def test_what_a_trainer_logs():
    found = []
    trainer = trained(callback_logger(found), 2)
    history = trainer.history() if hasattr(trainer, "history") else None
    epochs = [entry for entry in found if "epoch" in entry[1]]
    steps = [entry for entry in found if "loss/step" in entry[1]]
    assert [step for step, _ in epochs] == [5, 10, 15] and [step for step, _ in steps] == [2, 4, 6, 8, 10, 12, 14]
    for number, (_, values) in enumerate(epochs, 1):
        assert list(values)[0] == "epoch" and values["epoch"] == number and values["lr"] == 0.5
        assert set(values) == {
            *("epoch", "loss/train", "accuracy/train", "loss/val", "accuracy/val", "lr"),
            *("epoch_seconds", "batches_per_second", "samples_per_second"),
        }
        assert values["epoch_seconds"] > 0
        assert values["samples_per_second"] == pytest.approx(10 * values["batches_per_second"])
        if history is not None:
            assert values["loss/val"] == history[number - 1]["val_loss"]
    assert all(0 < values["loss/step"] < 10 for _, values in steps)


@ffi.callback("ctorch_callback_status(ctorch_trainer *, ctorch_trainer_event, ctorch_error **, void *)")
def on_snapshot(trainer, _event, _error, payload_):
    folder, found = ffi.from_handle(payload_)
    found.append((lib.ctorch_trainer_step(trainer), [event.step for event in messages(folder) if event.summary.value]))
    return OK


def test_what_is_older_than_a_snapshot_is_on_the_disk(tmp_path):
    """A run that is killed right after a snapshot, and goes on from it, has logged each step."""
    found = []

    def prepare(trainer):
        snapshots = Snapshots.made("ctorch_snapshots_open", str(tmp_path / "snapshots").encode())
        trainer.set("snapshots", snapshots.pointer, 2, NULL)
        held = payload(tmp_path / "log", found)
        event = lib.CTORCH_TRAINER_EVENT_SNAPSHOT
        ok(lib.ctorch_trainer_add_callback(trainer.pointer, event, on_snapshot, forget, held))

    with Writer(tmp_path / "log", max_queue=1000, flush_secs=1e6) as writer:
        trained(Logger.made("ctorch_logger_from_summary_writer", writer.handle), 1, 2, prepare)
    assert sorted({step for step, _ in found}) == [2, 4, 5, 6, 8, 10]
    for step, logged in found:
        assert {s for s in logged if s <= step} == set(range(1, step + 1))


def test_a_trainer_logs_to_several(tmp_path):
    path = tmp_path / "log.csv"
    trained(csv_logger(path), 0, 2)
    assert [(row["step"], row["epoch"]) for row in rows(path)] == [("5", "1.0"), ("10", "2.0")]


def test_an_error_of_a_logger_ends_the_loop():
    @ffi.callback(ffi.typeof(on_log))
    def fails(*_):
        return 0

    with pytest.raises(CtorchError, match="CALLBACK"):
        trained(Logger.made("ctorch_logger_from_callback", fails, NULL, NULL), 1)
    with pytest.raises(CtorchError, match="INVALID_ARGUMENT.*every_steps"):
        trained(callback_logger([]), -1)
