"""Summary readers: what Python's SummaryWriter wrote is found again, and files that are cut, damaged or hostile."""

import math
import struct

import pytest
import torch
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.summary.writer.record_writer import masked_crc32c
from torch.utils.tensorboard import SummaryWriter

from tests.harness.capi import fails, ffi, lib, ok, out, tensor, text
from tests.harness.values import made, python
from tests.tensorboard.events import Reader, Writer, files, messages, wall

KINDS = "NONE VERSION SCALAR HISTOGRAM IMAGE AUDIO TEXT TENSOR METADATA GRAPH RUN_METADATA SESSION OTHER".split()


def everything(path):
    """(kind, tag, step) of all values."""
    with Reader(path) as reader:
        found = []
        while reader.next():
            kind, tag, step, _ = reader.where()
            found.append((KINDS[kind], tag, step))
        return found


def crc(data):
    return struct.pack("<I", masked_crc32c(data))


def record(data):
    length = struct.pack("<Q", len(data))
    return length + crc(length) + data + crc(data)


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    with SummaryWriter(str(folder)) as writer:
        writer.add_scalar("a", 1.5, 1, 10.0)
        writer.add_scalar("b", 2.5, 2, 11.0, new_style=True)
        writer.add_scalar("c", 0.1, 3, 12.0, new_style=True, double_precision=True)
        writer.add_histogram("h", torch.arange(4.0), 4, walltime=13.0)
        writer.add_text("t", "wörter\0ende", 5, 14.0)
        writer.add_image("i", torch.zeros(3, 2, 2), 6, 15.0)
        writer.add_audio("s", torch.zeros(8), 7, 8000, 16.0)
        writer.add_tensor("x", torch.arange(6).reshape(2, 3), 8, 17.0)
    return folder


def test_what_python_wrote_is_found(run):
    expected = [("VERSION", "", 0), ("SCALAR", "a", 1), ("SCALAR", "b", 2), ("SCALAR", "c", 3), ("HISTOGRAM", "h", 4)]
    expected += [("TEXT", "t/text_summary", 5), ("IMAGE", "i", 6), ("AUDIO", "s", 7), ("TENSOR", "x", 8)]
    assert everything(run) == expected
    assert everything(files(run)[0]) == expected


def test_values_are_those_of_the_messages(run):
    events = {event.summary.value[0].tag: event.summary.value[0] for event in messages(run)}
    seen = {}
    with Reader(run) as reader:
        assert reader.next() and text(lib.ctorch_summary_reader_text(reader.handle)) == "brain.Event:2"
        while reader.next():
            kind, tag, step, seconds = reader.where()
            assert seconds == 9.0 + step
            assert text(lib.ctorch_summary_reader_plugin(reader.handle)) == events[tag].metadata.plugin_data.plugin_name
            if KINDS[kind] == "SCALAR":
                seen[tag] = lib.ctorch_summary_reader_scalar(reader.handle)
            elif KINDS[kind] == "TEXT":
                data, length = out("const char *"), out("size_t")
                ok(lib.ctorch_summary_reader_data(data, length, reader.handle))
                seen[tag] = ffi.buffer(data[0], length[0])[:].decode()
                assert text(lib.ctorch_summary_reader_text(reader.handle)) == seen[tag].partition("\0")[0]
            elif KINDS[kind] == "TENSOR":
                place = out("ctorch_tensor *")
                ok(lib.ctorch_summary_reader_tensor(place, reader.handle))
                seen[tag] = tensor(place[0])
            elif KINDS[kind] == "HISTOGRAM":
                numbers = [out("double") for _ in range(5)]
                ok(lib.ctorch_summary_reader_histogram(*numbers, reader.handle))
                limits, counts = out("ctorch_tensor *"), out("ctorch_tensor *")
                ok(lib.ctorch_summary_reader_bins(limits, counts, reader.handle))
                histogram = events[tag].histo
                assert [n[0] for n in numbers] == [getattr(histogram, n) for n in "min max num sum sum_squares".split()]
                assert tensor(limits[0]).tolist() == list(histogram.bucket_limit)
                assert tensor(counts[0]).tolist() == list(histogram.bucket)
            else:
                data, length = out("const char *"), out("size_t")
                ok(lib.ctorch_summary_reader_data(data, length, reader.handle))
                value = events[tag].image.encoded_image_string or events[tag].audio.encoded_audio_string
                assert ffi.buffer(data[0], length[0])[:] == value
    assert seen["a"] == 1.5 and seen["b"] == 2.5 and seen["c"] == 0.1 and seen["t/text_summary"] == "wörter\0ende"
    assert torch.equal(seen["x"], torch.arange(6).reshape(2, 3))


@pytest.mark.parametrize(
    "value",
    [
        torch.randn(2, 3),
        torch.randn(3, dtype=torch.float64),
        torch.tensor([-1, 2], dtype=torch.int8),
        torch.tensor([-300, 2], dtype=torch.int16),
        torch.tensor([[-70000]], dtype=torch.int32),
        torch.tensor([0, 255], dtype=torch.uint8),
        torch.tensor([True, False]),
        torch.randn(3).half(),
        torch.randn(3).bfloat16(),
        torch.randn(3, dtype=torch.complex64),
        torch.randn(2, 1, dtype=torch.complex128),
        torch.tensor(4.5),
        torch.empty(0, 3),
    ],
    ids=lambda t: f"{t.dtype}{tuple(t.shape)}".replace("torch.", ""),
)
def test_tensors_come_back(tmp_path, value):
    with Writer(tmp_path) as writer:
        writer.add_tensor("x", value, 0, None)
        writer.close()
    with Reader(tmp_path) as reader:
        assert reader.next() and reader.next()
        place = out("ctorch_tensor *")
        ok(lib.ctorch_summary_reader_tensor(place, reader.handle))
        got = tensor(place[0])
    assert got.dtype == value.dtype and got.shape == value.shape and torch.equal(got, value)


def test_a_tail_is_there_when_the_rest_of_it_is(run):
    (path,) = files(run)
    whole = path.read_bytes()
    expected = everything(path)
    for cut in [*range(1, 200), len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:cut])
        with Reader(path) as reader:
            found = 0
            while reader.next():
                found += 1
            torn = lib.ctorch_summary_reader_torn_nbytes(reader.handle)
            assert found < len(expected) and torn < cut + 1
            path.write_bytes(whole)
            while reader.next():
                found += 1
            assert found == len(expected) and lib.ctorch_summary_reader_torn_nbytes(reader.handle) == 0


def test_new_files_of_a_folder_are_found(tmp_path):
    with Reader(tmp_path) as reader:
        assert not reader.next()
        for step in 1, 2:
            with SummaryWriter(str(tmp_path), filename_suffix=f".{step}") as writer:
                writer.add_scalar("a", 0, step)
            first = files(tmp_path)[-1]
            first.rename(tmp_path / f"events.out.tfevents.{step}")
            assert reader.next() and reader.next() and reader.where()[1:3] == ("a", step)
            assert not reader.next()


def damage(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_what_is_damaged_is_said_and_the_next_file_read(tmp_path):
    for step in 1, 2:
        with SummaryWriter(str(tmp_path), filename_suffix=f".{step}") as writer:
            writer.add_scalar("a", 0, step)
            writer.add_scalar("b", 0, step)
        files(tmp_path)[-1].rename(tmp_path / f"events.out.tfevents.{step}")
    first = tmp_path / "events.out.tfevents.1"
    whole = first.read_bytes()
    for at in range(len(whole)):
        first.write_bytes(damage(whole, at))
        with Reader(tmp_path) as reader:
            there, found, errors = out("bool"), [], []
            for _ in range(10):
                error = lib.ctorch_summary_reader_next(there, reader.handle)
                if error != ffi.NULL:
                    errors.append(fails(error, "ctorch_summary_reader_next"))
                elif not there[0]:
                    break
                else:
                    found.append(reader.where()[2])
        assert len(errors) == 1 and errors[0][0] == "FORMAT" and str(first) in errors[0][1]
        assert found[-3:] == [0, 2, 2]


def test_a_length_beyond_the_file_takes_no_memory(tmp_path):
    path = tmp_path / "events.tfevents"
    for claimed in 1 << 62, (1 << 64) - 1, 1 << 40:
        length = struct.pack("<Q", claimed)
        path.write_bytes(length + crc(length) + b"x" * 100)
        with Reader(path) as reader:
            assert not reader.next()
            assert lib.ctorch_summary_reader_torn_nbytes(reader.handle) == 112


def test_records_that_are_no_events_are_left_out(tmp_path):
    path = tmp_path / "events.tfevents"
    good = Event(step=3, wall_time=1)
    good.summary.value.add(tag="a", simple_value=math.inf)
    bad = good.SerializeToString().replace(b"a", b"\xff")
    path.write_bytes(record(b"\x09") + record(bad) + record(b"") + record(good.SerializeToString()))
    with Reader(path) as reader:
        there = out("bool")
        assert "is no event" in fails(lib.ctorch_summary_reader_next(there, reader.handle))[1]
        assert "not UTF-8" in fails(lib.ctorch_summary_reader_next(there, reader.handle))[1]
        assert reader.next() and KINDS[reader.where()[0]] == "OTHER"
        assert reader.next() and lib.ctorch_summary_reader_scalar(reader.handle) == math.inf


def test_shapes_that_do_not_fit_are_refused(tmp_path):
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    def shaped(*sizes, **values):
        proto = TensorProto(dtype="DT_FLOAT", **values)
        for size in sizes:
            proto.tensor_shape.dim.add(size=size)
        return proto

    protos = [
        shaped(2, 3, float_val=[1, 2]),
        shaped(-1, float_val=[1]),
        shaped(1 << 62, 1 << 62, float_val=[1]),
        shaped(2, tensor_content=b"1234567"),
        shaped(2, string_val=[b"x", b"y"]),
    ]
    path = tmp_path / "events.tfevents"
    events = []
    for proto in [*protos, shaped(1 << 20, 1 << 20, float_val=[2.5])]:
        events.append(Event())
        events[-1].summary.value.add(tag="a", tensor=proto)
    path.write_bytes(b"".join(record(event.SerializeToString()) for event in events))
    place = out("ctorch_tensor *")
    with Reader(path) as reader:
        for _ in protos:
            assert reader.next()
            assert fails(lib.ctorch_summary_reader_tensor(place, reader.handle))[0] == "FORMAT"
        assert reader.next()
        ok(lib.ctorch_summary_reader_tensor(place, reader.handle))
        repeated = tensor(place[0])
    assert repeated.shape == (1 << 20, 1 << 20) and repeated[5, 7] == 2.5


def test_the_runs_below_a_folder(tmp_path):
    for name in "a/b", "a", "c d", ".":
        with SummaryWriter(str(tmp_path / name)):
            pass
    (tmp_path / "empty").mkdir()
    assert python(made("ctorch_summary_reader_runs", str(tmp_path).encode())) == [".", "a", "a/b", "c d"]


def test_a_file_is_gone_on_with_and_a_torn_tail_cut_off(tmp_path):
    path = tmp_path / "x.tfevents"
    sizes = []
    for step in range(5):
        place = out("ctorch_summary_writer *")
        ok(lib.ctorch_summary_writer_open_file(place, str(path).encode(), 10, 10))
        ok(lib.ctorch_summary_writer_add_scalar(place[0], b"a", step, step, wall(1), False, False))
        ok(lib.ctorch_summary_writer_finish(place[0]))
        lib.ctorch_summary_writer_release(place[0])
        sizes.append(path.stat().st_size)
        path.write_bytes(path.read_bytes() + b"\x18\0\0\0\0\0\0\0" + crc(b"\x18\0\0\0\0\0\0\0") + b"half"[:step])
    assert [step for kind, _, step in everything(path) if kind == "SCALAR"] == list(range(5))
    assert everything(path)[0][0] == "VERSION" and everything(path)[1:] == [("SCALAR", "a", s) for s in range(5)]
    (tmp_path / "other").write_bytes(b"no event file at all, but some text that is long enough")
    place = out("ctorch_summary_writer *")
    error = lib.ctorch_summary_writer_open_file(place, str(tmp_path / "other").encode(), 10, 10)
    assert fails(error)[0] == "FORMAT" and (tmp_path / "other").read_bytes().startswith(b"no event")
