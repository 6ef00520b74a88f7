"""Everything that a summary writer adds, beside torch.utils.tensorboard's: the messages are the same field by field."""

import math

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from torch.utils.tensorboard import SummaryWriter

from tests.harness.capi import fails, lib, out
from tests.tensorboard.events import NULL, Writer, argument, chars, files, floats, messages, records, same, texts, wall


def test_a_file_begins_with_its_version_and_has_the_name_of_pythons(tmp_path):
    with Writer(tmp_path / "a" / "b", suffix=".mine") as writer:
        writer.close()
    (path,) = files(tmp_path / "a" / "b")
    assert path.name.startswith("events.out.tfevents.") and path.name.endswith(".mine")
    (event,) = map(Event.FromString, records(path))
    assert event.file_version == "brain.Event:2"


@pytest.mark.parametrize("value", [0.0, 1.5, -1e-3, 3e38, math.inf, 123456789])
def test_scalars(tmp_path, value):
    def theirs(writer):
        writer.add_scalar("loss/train", value, 7, 12.5)
        writer.add_scalar("ü", value, 8, 13, new_style=True)
        writer.add_scalar("c", value, -1, 13, new_style=True, double_precision=True)

    def ours(writer):
        writer.add_scalar("loss/train", value, 7, wall(12.5), False, False)
        writer.add_scalar("ü", value, 8, wall(13), True, False)
        writer.add_scalar("c", value, -1, wall(13), True, True)

    same(tmp_path, theirs, ours)


def test_nan_and_the_tags_of_several(tmp_path):
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_scalars("run/14h", {"sin x": 0.5, "cos": math.nan}, 3, 99.0)
        writer.add_scalars("run/14h", {"cos": 1.0}, 4, 100.0)
    with Writer(tmp_path / "ours") as writer:
        writer.add_scalars("run/14h", *texts(["sin x", "cos"]), *floats([0.5, math.nan]), 3, wall(99))
        writer.add_scalars("run/14h", *texts(["cos"]), *floats([1]), 4, wall(100))
        writer.close()
    for folder in ("run_14h_sin x", "run_14h_cos"):
        expected, got = messages(tmp_path / "theirs" / folder), messages(tmp_path / "ours" / folder)
        assert str(got) == str(expected) and len(got) == (2 if folder.endswith("cos") else 1)


def test_purge_step(tmp_path):
    with SummaryWriter(str(tmp_path / "theirs"), purge_step=5):
        pass
    with Writer(tmp_path / "ours", purge_step=5):
        pass
    for name in "theirs", "ours":
        (path,) = files(tmp_path / name)
        events = list(map(Event.FromString, records(path)))
        assert [(e.step, e.WhichOneof("what")) for e in events] == [
            (0, "file_version"),
            (5, "file_version"),
            (5, "session_log"),
        ]
        assert events[2].session_log.status == 1


TENSORS = [
    torch.arange(6, dtype=torch.float32).reshape(2, 3),
    torch.tensor(2.5, dtype=torch.float64),
    torch.tensor([-1, 2], dtype=torch.int8),
    torch.tensor([-300, 2], dtype=torch.int16),
    torch.tensor([[-70000]], dtype=torch.int32),
    torch.tensor([1 << 40, -1]),
    torch.tensor([0, 255], dtype=torch.uint8),
    torch.tensor([True, False]),
    torch.tensor([1 + 2j, -3j]),
    torch.tensor([1 + 2j, -3j], dtype=torch.complex128),
    torch.empty(0, 3),
    torch.arange(6.0).reshape(2, 3).t(),
    torch.tensor([1 + 2j, -3j]).conj(),
    torch.tensor([1.0, 2], requires_grad=True),
]


@pytest.mark.parametrize("tensor", TENSORS, ids=lambda t: f"{t.dtype}{tuple(t.shape)}".replace("torch.", ""))
def test_tensors(tmp_path, tensor):
    same(
        tmp_path,
        lambda writer: writer.add_tensor("t", tensor.resolve_conj(), 3, 4.0),
        lambda writer: writer.add_tensor("t", tensor, 3, wall(4)),
    )


def test_half_floats_are_what_tensorboard_reads(tmp_path):
    from tensorboard.util.tensor_util import make_ndarray

    with Writer(tmp_path) as writer:
        for dtype in torch.float16, torch.bfloat16:
            writer.add_tensor("t", torch.tensor([1.5, -2, 0], dtype=dtype), 0, None)
        writer.close()
    half, brain = (event.summary.value[0].tensor for event in messages(tmp_path))
    assert make_ndarray(half).tolist() == [1.5, -2, 0]
    assert list(brain.half_val) == [0x3FC0, 0xC000, 0]


def test_dtypes_that_tensorboard_has_not_are_refused(tmp_path):
    with Writer(tmp_path) as writer:
        tensor = torch.zeros(2, dtype=torch.complex32)
        error = lib.ctorch_summary_writer_add_tensor(writer.handle, b"t", argument(tensor), 0, NULL)
        assert fails(error, "ctorch_summary_writer_add_tensor")[0] == "VALUE"


def close(expected, got):
    """Histograms whose sums are added up in another order."""
    assert len(expected) == len(got)
    for left, right in zip(expected, got, strict=True):
        a, b = left.summary.value[0].histo, right.summary.value[0].histo
        assert (a.min, a.max, a.num) == (b.min, b.max, b.num)
        assert b.sum == pytest.approx(a.sum, rel=1e-12) and b.sum_squares == pytest.approx(a.sum_squares, rel=1e-12)
        assert list(a.bucket_limit) == pytest.approx(list(b.bucket_limit), rel=1e-14)
        assert list(a.bucket) == list(b.bucket)
        for name in "sum", "sum_squares":
            setattr(b, name, getattr(a, name))
        del b.bucket_limit[:]
        b.bucket_limit.extend(a.bucket_limit)
        assert left == right


BINS = ["tensorflow", "auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges", 1, 30]


@pytest.mark.filterwarnings("ignore:The number of bins estimated")
@pytest.mark.parametrize("bins", BINS)
@pytest.mark.parametrize("max_bins", [None, 1, 7, 64])
def test_histograms(tmp_path, bins, max_bins):
    torch.manual_seed(0)
    samples = [
        torch.randn(1000),
        torch.randn(40, 50, dtype=torch.float64) * 1e-3,
        torch.randint(-5, 6, (300,)),
        torch.zeros(5),
        torch.tensor(3.0),
        torch.rand(257).bfloat16(),
    ]
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        for i, sample in enumerate(samples):
            writer.add_histogram("h", sample, i, bins=bins, walltime=1.0, max_bins=max_bins)
    with Writer(tmp_path / "ours") as writer:
        for i, sample in enumerate(samples):
            writer.add_histogram("h", sample, i, str(bins), wall(1), max_bins or 0)
        writer.close()
    close(messages(tmp_path / "theirs"), messages(tmp_path / "ours"))


def test_histograms_over_given_edges(tmp_path):
    torch.manual_seed(0)
    sample, edges = torch.randn(500), [-1, -0.5, 0.0, 0.25, 3]
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_histogram("h", sample, 1, bins=edges, walltime=1.0)
    with Writer(tmp_path / "ours") as writer:
        writer.add_histogram_edges("h", sample, 1, *floats(edges), wall(1), 0)
        writer.close()
    close(messages(tmp_path / "theirs"), messages(tmp_path / "ours"))


def test_histograms_that_were_counted(tmp_path):
    numbers = {"min": -1.0, "max": 3.5, "num": 7, "sum": 2.25, "sum_squares": 20.0}
    same(
        tmp_path,
        lambda w: w.add_histogram_raw("h", **numbers, bucket_limits=[0, 1, 4], bucket_counts=[1, 2, 4], walltime=2.0),
        lambda w: w.add_histogram_raw("h", *numbers.values(), *floats([0, 1, 4]), *floats([1, 2, 4]), 0, wall(2)),
    )


def test_values_that_make_no_histogram_are_refused(tmp_path):
    with Writer(tmp_path) as writer:

        def refused(values, bins):
            add = lib.ctorch_summary_writer_add_histogram
            return fails(add(writer.handle, b"h", argument(values), 0, argument(bins), NULL, 0))

        assert refused(torch.empty(0), None) == ("VALUE", "values: the input has no element")
        assert refused(torch.tensor([1e30]), None)[0] == "VALUE"
        assert refused(torch.tensor([math.nan]), "auto")[0] == "VALUE"
        assert refused(torch.tensor([1.0]), "brick")[0] == "VALUE"
        assert refused(torch.tensor([1j]), None)[0] == "TYPE"


def pixels(event):
    """An image as it is decoded, and the rest of its message."""
    from io import BytesIO

    from PIL import Image

    value = event.summary.value[0]
    picture = np.asarray(Image.open(BytesIO(value.image.encoded_image_string)))
    value.image.ClearField("encoded_image_string")
    return picture, event


IMAGES = [
    (torch.rand(3, 5, 7) * 1.2 - 0.1, "CHW"),
    (torch.rand(5, 7, 3, dtype=torch.float64), "HWC"),
    (torch.rand(5, 7), "HW"),
    (torch.rand(7, 5), "wh"),
    (torch.rand(1, 5, 7), "CHW"),
    (torch.rand(4, 5, 7), "CHW"),
    (torch.randint(0, 256, (3, 5, 7), dtype=torch.uint8), "CHW"),
    (torch.rand(11, 3, 5, 7), "NCHW"),
    (torch.rand(3, 5, 7, 1).bfloat16(), "NHWC"),
    (torch.rand(2, 7, 3, 5).transpose(1, 2), "NCWH"),
]


@pytest.mark.parametrize(("image", "dataformats"), IMAGES, ids=[f"{i}-{f}" for i, (_, f) in enumerate(IMAGES)])
def test_images(tmp_path, image, dataformats):
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_image("i", image, 3, 4.0, dataformats=dataformats)
    with Writer(tmp_path / "ours") as writer:
        writer.add_image("i", image, 3, wall(4), dataformats)
        writer.close()
    (expected,), (got,) = map(messages, (tmp_path / "theirs", tmp_path / "ours"))
    (left, left_event), (right, right_event) = pixels(expected), pixels(got)
    assert left.shape == right.shape and (left == right).all()
    assert left_event == right_event


BOXES = [[1, 2, 9, 7], [3, 3, 3, 8], [5, 6, 5, 6], [8, 7, 2, 1], [-4, -3, 30, 40], [6.9, 0.5, 10.2, 11.7], [0, 0, 1, 1]]


def with_boxes(tmp_path, image, boxes, rescale, dataformats):
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        writer.add_image_with_boxes("i", image, boxes, 3, 4.0, rescale=rescale, dataformats=dataformats)
    with Writer(tmp_path / "ours") as writer:
        writer.add_image_with_boxes("i", image, boxes, 3, wall(4), rescale, dataformats)
        writer.close()
    (expected,), (got,) = map(messages, (tmp_path / "theirs", tmp_path / "ours"))
    (left, left_event), (right, right_event) = pixels(expected), pixels(got)
    assert left.shape == right.shape and (left == right).all()
    assert left_event == right_event


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_images_with_boxes(tmp_path, channels):
    torch.manual_seed(0)
    image = torch.rand(channels, 12, 15)
    for i, box in enumerate(BOXES):
        with_boxes(tmp_path / str(i), image, torch.tensor([box]), 1, "CHW")
    with_boxes(tmp_path / "all", image, torch.tensor(BOXES), 1, "CHW")
    with_boxes(tmp_path / "none", image, torch.zeros(0, 4), 1, "CHW")


@pytest.mark.parametrize("rescale", [0.5, 0.21, 1.7, 3, 1.05])
def test_images_with_boxes_of_another_size(tmp_path, rescale):
    torch.manual_seed(0)
    boxes = torch.tensor(BOXES, dtype=torch.float64)
    with_boxes(tmp_path / "one", torch.rand(13, 17, 3), boxes, rescale, "HWC")
    with_boxes(tmp_path / "grid", torch.randint(0, 256, (9, 1, 6, 5), dtype=torch.uint8), boxes, rescale, "NCHW")


def test_boxes_that_cannot_be_drawn_are_refused(tmp_path):
    with Writer(tmp_path) as writer:

        def refused(channels=3, boxes=((1.0, 1, 2, 2),), rescale=1.0):
            add = lib.ctorch_summary_writer_add_image_with_boxes
            image, boxes = torch.rand(channels, 5, 7), boxes and torch.tensor(boxes)
            return fails(add(writer.handle, b"i", argument(image), argument(boxes), 0, NULL, rescale, NULL))

        assert refused(boxes=None) == ("NULL_ARGUMENT", "box_tensor must not be NULL")
        assert refused(boxes=[1.0, 1, 2, 2])[0] == "VALUE"
        assert refused(boxes=[[1.0, 1, 2, math.nan]]) == ("VALUE", "box_tensor: box 0 is not finite")
        for rescale in 0.1, 1e6, -1, math.nan, math.inf:
            assert refused(rescale=rescale)[0] == "VALUE"
        assert refused(channels=4, rescale=2.0)[0] == "UNSUPPORTED"


def test_images_that_do_not_fit_their_format_are_refused(tmp_path):
    with Writer(tmp_path) as writer:
        for image, dataformats in (torch.rand(5, 7), "CHW"), (torch.rand(3, 5, 7), "CCW"), (torch.rand(3, 5, 7), "CHX"):
            add = lib.ctorch_summary_writer_add_image
            error = add(writer.handle, b"i", argument(image), 0, NULL, argument(dataformats))
            assert fails(error) == (
                "VALUE",
                f"dataformats: '{dataformats}' does not fit a tensor of {image.ndim} dimensions",
            )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_sounds(tmp_path, dtype):
    sound = 1.5 * torch.sin(torch.arange(1000, dtype=dtype) / 10).reshape(1, -1)  # some of it is clipped
    same(
        tmp_path,
        lambda writer: writer.add_audio("a", sound, 3, 8000, 4.0),
        lambda writer: writer.add_audio("a", sound, 3, 8000, wall(4)),
    )


def test_texts(tmp_path):
    same(
        tmp_path,
        lambda writer: writer.add_text("t", "**größer** | als\n", 3, 4.0),
        lambda writer: writer.add_text("t", "**größer** | als\n", 3, wall(4)),
    )


def test_tensorboard_reads_what_was_written(tmp_path):
    with Writer(tmp_path) as writer:
        for step in range(100):
            writer.add_scalar("loss", 1 / (step + 1), step, wall(step), False, False)
        writer.add_histogram("h", torch.arange(10.0), 5, None, None, 0)
        writer.close()
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert events.Tags()["scalars"] == ["loss"] and events.Tags()["histograms"] == ["h"]
    assert [(e.wall_time, e.step, e.value) for e in events.Scalars("loss")] == [
        (step, step, np.float32(1 / (step + 1))) for step in range(100)
    ]


def test_arguments_are_checked(tmp_path):
    with Writer(tmp_path) as writer:
        scalar = lib.ctorch_summary_writer_add_scalar
        assert fails(scalar(writer.handle, NULL, 1, 0, NULL, False, False))[0] == "NULL_ARGUMENT"
        assert fails(scalar(writer.handle, b"\xff", 1, 0, NULL, False, False))[0] == "INVALID_ARGUMENT"
        assert fails(scalar(NULL, b"x", 1, 0, NULL, False, False))[0] == "NULL_ARGUMENT"
        writer.close()
        assert fails(scalar(writer.handle, b"x", 1, 0, NULL, False, False)) == ("RUNTIME", "self: the writer is closed")
        writer.close()
    place = out("ctorch_summary_writer *")
    folder = chars(tmp_path / "file" / "x")
    (tmp_path / "file").write_text("")
    kind, message = fails(lib.ctorch_summary_writer_open(place, folder, NULL, NULL, 10, 1, NULL))
    assert kind == "IO" and "file/x" in message and place[0] == NULL
