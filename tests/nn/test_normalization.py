"""Normalisation beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import across, compare, ctorch, from_value, one_thread, raw, refuses, theirs, to_value

DTYPES = [torch.float32, torch.float64, torch.bfloat16]
BOTH = ("train", "eval", "train")
BATCHES = {
    "BatchNorm1d": [(5, 4), (5, 4, 3)],
    "BatchNorm2d": [(3, 4, 5, 6)],
    "BatchNorm3d": [(2, 4, 3, 4, 5)],
    "SyncBatchNorm": [(5, 4), (2, 4, 3)],
    "InstanceNorm1d": [(3, 4, 5), (4, 5)],
    "InstanceNorm2d": [(3, 4, 5, 6), (4, 5, 6)],
    "InstanceNorm3d": [(2, 4, 3, 4, 5), (4, 3, 4, 5)],
}
OPTIONS = [
    {},
    {"eps": 0.1, "momentum": 0.3},
    {"affine": False},
    {"affine": True, "track_running_stats": True},
    {"affine": True, "track_running_stats": False, "bias": False},
    {"momentum": None, "track_running_stats": True},
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", BATCHES)
def test_by_statistics(name, options, dtype):
    for shape in BATCHES[name]:
        torch.manual_seed(0)
        x = torch.randn(shape, dtype=dtype, requires_grad=True)
        compare(name, {"args": (4,)} | options, [x], dtype=dtype, modes=BOTH)


LAYERS = [
    ("LayerNorm", {"args": (6,)}),
    ("LayerNorm", {"args": ((4, 6),), "eps": 0.1}),
    ("LayerNorm", {"args": ([4, 6],), "bias": False}),
    ("LayerNorm", {"args": (6,), "elementwise_affine": False}),
    ("RMSNorm", {"args": (6,)}),
    ("RMSNorm", {"args": ((4, 6),), "eps": 0.1}),
    ("RMSNorm", {"args": (6,), "elementwise_affine": False}),
    ("GroupNorm", {"args": (2, 4)}),
    ("GroupNorm", {"args": (4, 4), "eps": 0.1, "bias": False}),
    ("GroupNorm", {"args": (1, 4), "affine": False}),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name, options", LAYERS, ids=str)
def test_by_layer(name, options, dtype):
    for shape in ((3, 4, 6), (2, 4, 4, 6)):
        torch.manual_seed(0)
        compare(name, options, [torch.randn(shape, dtype=dtype, requires_grad=True)], dtype=dtype, modes=BOTH)


@pytest.mark.parametrize("options", [{"args": (2,)}, {"args": (3, 0.1, 0.5, 2.0)}], ids=str)
def test_by_neighbours(options):
    for shape in ((2, 5, 6), (2, 5, 3, 4), (2, 5, 3, 4, 2), (0, 5, 6)):
        compare("LocalResponseNorm", options, [torch.randn(shape, requires_grad=True)])


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
@pytest.mark.parametrize("options", [{"args": (3,)}, {"args": (4, 0.1, 0.5, 2.0)}, {"args": (5, 0.5)}], ids=str)
def test_by_neighbours_across_maps(options, dtype):
    for shape in ((2, 7, 3, 4), (1, 2, 3, 3)):
        torch.manual_seed(0)
        # Python prints the default `k`, which is 1 there, without a point.
        x = torch.randn(shape, dtype=dtype, requires_grad=True)
        compare("CrossMapLRN2d", options, [x], text=len(options["args"]) > 3)


@one_thread()
@pytest.mark.parametrize("options", [{}, {"p": 1.0, "dim": 0}, {"p": 3.0, "dim": -1, "eps": 2.0}], ids=str)
def test_normalize(options):
    x = torch.randn(3, 4, 5)
    expected = torch.nn.functional.normalize(x, **options)
    assert torch.equal(theirs(ctorch.functional.normalize(ctorch.from_dlpack(x), **options)), expected)


@pytest.mark.parametrize(
    "name, options, shape",
    [
        ("BatchNorm1d", {"args": (4,)}, (4,)),
        ("BatchNorm1d", {"args": (4,)}, (1, 4)),
        ("BatchNorm1d", {"args": (4,)}, (5, 3)),
        ("BatchNorm1d", {"args": (4,), "eps": 0.0}, (5, 4)),
        ("BatchNorm2d", {"args": (4,)}, (4, 4, 4)),
        ("BatchNorm2d", {"args": (4,)}, (1, 4, 1, 1)),
        ("BatchNorm3d", {"args": (4,)}, (4, 4, 4, 4)),
        ("BatchNorm2d", {"args": (-1,)}, None),
        ("SyncBatchNorm", {"args": (4,)}, (4,)),
        ("SyncBatchNorm", {"args": (0,)}, (4, 0)),
        ("InstanceNorm1d", {"args": (4,)}, (4,)),
        ("InstanceNorm1d", {"args": (4,)}, (2, 4, 1)),
        ("InstanceNorm2d", {"args": (4,), "affine": True}, (2, 3, 4, 4)),
        ("InstanceNorm3d", {"args": (4,)}, (2, 3, 4)),
        ("LayerNorm", {"args": (4,)}, (2, 3)),
        ("LayerNorm", {"args": (-4,)}, None),
        ("LayerNorm", {"args": ((),)}, (2, 3)),
        ("RMSNorm", {"args": (4,)}, (2, 3)),
        ("GroupNorm", {"args": (3, 4)}, None),
        ("GroupNorm", {"args": (2, 4)}, (4,)),
        ("GroupNorm", {"args": (2, 4)}, (3, 6)),
        ("GroupNorm", {"args": (2, 2)}, (1, 2)),
        ("CrossMapLRN2d", {"args": (2,)}, (4, 4)),
        ("LocalResponseNorm", {"args": (2,)}, (4, 4)),
        ("LocalResponseNorm", {"args": (0,)}, (4, 4, 4)),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, options, shape):
    refuses(name, options, None if shape is None else [torch.randn(shape)])


def load(module, state):
    return raw.module_load_state_dict(module, to_value({k: across(v) for k, v in state.items()}), None, True, False)


def test_a_checkpoint_without_the_number_of_batches():
    state = {k: v for k, v in torch.nn.BatchNorm1d(2).state_dict().items() if k != "num_batches_tracked"}
    module = ctorch.nn.BatchNorm1d(2)
    load(module, state)
    old = raw.module_state_dict(module, None, False)[0]
    assert "num_batches_tracked" in from_value(old)


def test_a_checkpoint_with_statistics_that_are_not_tracked():
    state = torch.nn.InstanceNorm1d(2, track_running_stats=True).state_dict()
    state.pop("num_batches_tracked")
    with pytest.raises(RuntimeError, match="running_mean.*\n?.*track_running_stats=False"):
        load(ctorch.nn.InstanceNorm1d(2), state)


def test_no_groups_are_a_bad_value():
    """A division by zero in Python."""
    refuses("GroupNorm", {"args": (0, 4)}, kind=ValueError)
