"""What torch.nn.functional has besides losses, beside Python's: values, gradients, draws, and what is refused."""

from __future__ import annotations

import inspect

import pytest
import torch
from torch.nn import functional

from tests.nn.compare import flat, one_thread
from tests.nn.test_losses import _no_warnings, bits, build, classes, fixed, ours, outcome, real, whole  # noqa: F401
from tests.nn.test_nn import ctorch, raw, theirs

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


def number(shape, most):
    return lambda dtype: torch.randint(most, shape)


def pooled(dims, *shape, **options):
    """The input of max_unpool, and the indices, from one pooling."""

    def part(index):
        def make(dtype):
            found = getattr(functional, f"max_pool{dims}d")(
                torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(3)),
                return_indices=True,
                **options,
            )[index]
            return found.requires_grad_() if index == 0 else found

        return make

    return [part(0), part(1)]


def samples(*shape):
    return lambda dtype: torch.rand(shape, dtype=dtype)


SHAPES = {1: (2, 3, 9), 2: (2, 3, 8, 9), 3: (1, 2, 6, 8, 9)}
CASES = [
    *((name, [real(*shape)], {"dim": dim}) for name in ("softmax", "log_softmax", "softmin")
      for shape, dim in (((3, 4), -1), ((2, 3, 4), 1), ((3, 4), None), ((5,), None), ((2, 3, 4), None), ((), None))),
    *((name, [real(3, 4)], {"dim": 0, "dtype": torch.float64}) for name in ("softmax", "log_softmax", "softmin")),
    *((name, [real(3, 4)], {}) for name in ("softsign", "tanhshrink")),
    *((name, [real(*shape)], options)
      for name, shapes in (("dropout", [(3, 4), ()]), ("dropout1d", [(2, 3, 4), (3, 4)]),
                           ("dropout2d", [(2, 3, 4, 4), (2, 3, 4)]), ("dropout3d", [(2, 3, 2, 2, 2), (3, 2, 2, 2)]),
                           ("alpha_dropout", [(3, 4)]), ("feature_alpha_dropout", [(3, 4, 2)]))
      for shape in shapes for options in ({}, {"p": 0.3, "training": True}, {"training": False}, {"p": 1.0})),
    *((name, [fixed(4, 3, 4, 2)], {"inplace": True, "training": True})
      for name in ("dropout", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")),
    ("dropout1d", [fixed(4, 3)], {"inplace": True}),
    ("batch_norm", [real(4, 3, 5), fixed(3), samples(3)], {}),
    ("batch_norm", [real(4, 3, 5), fixed(3), samples(3)],
     {"weight": real(3), "bias": real(3), "training": True, "momentum": 0.3, "eps": 1e-3}),
    ("batch_norm", [real(4, 3), None, None], {"training": True}),
    ("instance_norm", [real(4, 3, 5)], {}),
    ("instance_norm", [real(4, 3, 5)], {"weight": real(3), "bias": real(3), "eps": 0.1}),
    ("instance_norm", [real(4, 3, 5), fixed(3), samples(3)], {"use_input_stats": False}),
    ("instance_norm", [real(4, 3, 5), fixed(3), samples(3)], {"momentum": 0.5}),
    ("group_norm", [real(4, 6, 5), 3], {}),
    ("group_norm", [real(4, 6), 2], {"weight": real(6), "bias": real(6), "eps": 0.01}),
    *((f"lp_pool{n}d", [real(*SHAPES[n]), p, 2], options) for n in (1, 2, 3)
      for p, options in ((2.0, {}), (3.0, {"stride": 1}), (float("inf"), {"stride": 3, "ceil_mode": True}),
                         (float("-inf"), {}), (1.5, {"ceil_mode": True}))),
    *((f"max_unpool{n}d", [*pooled(n, *SHAPES[n][:-1], 8, kernel_size=2), 2], {}) for n in (1, 2, 3)),
    *((f"max_unpool{n}d", [*pooled(n, *SHAPES[n], kernel_size=3, stride=2, padding=1), 3],
       {"stride": 2, "padding": 1, "output_size": size(SHAPES[n])}) for n in (1, 2, 3)
      for size in (list, lambda shape: list(shape[2:]))),
    ("max_unpool1d", [*pooled(1, 3, 8, kernel_size=2), 2], {}),
    *((f"fractional_max_pool{n}d{suffix}", [real(*SHAPES[n]), 2], options) for n in (2, 3)
      for suffix in ("", "_with_indices")
      for options in ({"output_size": 3}, {"output_ratio": (0.5,) * n}, {"output_size": (4, 3, 5)[:n]},
                      {"output_ratio": (0.7, 0.5, 0.6)[:n]}, {"output_size": 2, "output_ratio": (0.9,) * n},
                      {"output_size": 3, "_random_samples": samples(*SHAPES[n][:2], n)})),
    ("fractional_max_pool2d", [real(3, 8, 9), 2], {"output_size": 3}),
    *(("affine_grid", [real(2, 2, 3), [2, 3, 4, 5]], {"align_corners": align}) for align in (None, False, True)),
    *(("affine_grid", [real(2, 3, 4), [2, 3, 4, 5, 3]], {"align_corners": align}) for align in (False, True)),
    ("affine_grid", [real(2, 2, 3), [2, 3, 1, 1]], {"align_corners": True}),
    *(("grid_sample", [real(2, 3, 5, 6), real(2, 4, 3, 2)],
       {"mode": mode, "padding_mode": padding, "align_corners": align})
      for mode in ("bilinear", "nearest", "bicubic") for padding in ("zeros", "border", "reflection")
      for align in (None, False, True)),
    *(("grid_sample", [real(2, 3, 4, 5, 6), real(2, 2, 4, 3, 3)], {"mode": mode, "align_corners": True})
      for mode in ("bilinear", "nearest")),
    ("unfold", [real(2, 3, 6, 7), 2], {}),
    ("unfold", [real(3, 6, 7), (2, 3)], {"dilation": (2, 1), "padding": 1, "stride": (1, 2)}),
    ("fold", [real(2, 12, 30), (6, 7), 2], {}),
    ("fold", [real(12, 12), (6, 7), (2, 2)], {"dilation": 2, "padding": 1, "stride": 2}),
    ("grouped_mm", [fixed(2, 16, 32), fixed(2, 32, 16)], {}),
    ("grouped_mm", [fixed(16, 32), fixed(2, 32, 16)], {"offs": lambda d: torch.tensor([7, 16], dtype=torch.int32)}),
]  # fmt: skip


def across(value):
    return ctorch.float64 if value is torch.float64 else ours(value)


def arguments(case, dtype, seed):
    torch.manual_seed(seed)
    _, makers, options = case
    make = lambda x: x(dtype) if callable(x) else x  # noqa: E731
    return [make(x) for x in makers], {k: make(v) for k, v in options.items()}


def same(a, b) -> bool:
    got = theirs(a)
    return got.dtype == b.dtype and got.shape == b.shape and torch.equal(got.nan_to_num(7), b.detach().nan_to_num(7))


@one_thread()
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda i: f"{CASES[i][0]} {i}")
def test_values_and_gradients(case, dtype):
    name = CASES[case][0]
    positional, options = arguments(CASES[case], dtype, case)
    mine, own = [across(x) for x in positional], {k: across(v) for k, v in options.items()}
    torch.manual_seed(case)
    expected = outcome(lambda: getattr(functional, name)(*positional, **options))
    if expected is not None:
        with pytest.raises(expected):
            getattr(ctorch.functional, name)(*mine, **own)
        return
    positional, options = arguments(CASES[case], dtype, case)
    torch.manual_seed(case)
    want = flat(getattr(functional, name)(*positional, **options))
    after = torch.rand(2)
    torch.manual_seed(case)
    got = flat(getattr(ctorch.functional, name)(*mine, **own))
    assert torch.equal(torch.rand(2), after), "another number of draws"
    assert len(got) == len(want)
    for a, b in zip(got, want):
        assert same(a, b) and a.requires_grad == b.requires_grad
    tensors = [
        (a, b) for a, b in zip((*mine, *own.values()), (*positional, *options.values())) if isinstance(b, torch.Tensor)
    ]
    if want[0].requires_grad:
        by = torch.rand_like(want[0])
        want[0].backward(by)
        got[0].backward(ours(by))
    for a, b in tensors:
        assert same(a, b), "changed otherwise than in Python"
        if b.requires_grad:
            assert (a.grad is None) == (b.grad is None)
            assert b.grad is None or same(a.grad, b.grad)


def test_the_cases_are_no_errors_in_python():
    failing = []
    for number_, case in enumerate(CASES):
        positional, options = arguments(case, torch.float32, number_)
        if outcome(lambda: getattr(functional, case[0])(*positional, **options)):  # noqa: B023
            failing.append((number_, case[0]))
    assert failing == []


REFUSED = [
    ("softmax", [real(3, 4)], {"dim": 2}),
    ("softmin", [real(3, 4)], {"dim": -3}),
    ("log_softmax", [number((3,), 5)], {"dim": 0}),
    *((name, [real(2, 3, 4)], {"p": p}) for p in (-0.1, 1.1) for name in (
        "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")),
    ("dropout1d", [real(3)], {}),
    ("dropout1d", [real(2, 3, 4, 5)], {}),
    ("batch_norm", [real(1, 3), None, None], {"training": True}),
    ("batch_norm", [real(), None, None], {"training": True}),
    ("batch_norm", [real(4, 3), None, None], {}),
    ("batch_norm", [real(4, 3), fixed(3), samples(3)], {"eps": -1.0}),
    ("batch_norm", [real(4, 3), None, None], {"training": True, "eps": 0.0}),
    ("batch_norm", [real(4, 3), fixed(4), samples(4)], {}),
    ("instance_norm", [real(4, 3, 1)], {}),
    ("instance_norm", [real(4, 3, 5)], {"use_input_stats": False}),
    ("group_norm", [real(4), 2], {}),
    ("group_norm", [real(1, 2), 2], {}),
    ("group_norm", [real(4, 6), 4], {}),
    ("lp_pool1d", [real(2, 3, 4), 2.0, 0], {}),
    ("lp_pool2d", [real(2, 3, 4, 4), 2.0, 5], {}),
    ("max_unpool1d", [real(2, 3, 4), number((2, 3, 4), 4), 2], {"output_size": [20]}),
    ("max_unpool1d", [real(2, 3, 4), number((2, 3, 4), 4), 2], {"output_size": [8, 8]}),
    ("max_unpool2d", [real(2, 3, 4, 4), number((2, 3, 4, 3), 4), 2], {}),
    ("max_unpool2d", [real(2, 3, 4, 4), number((2, 3, 4, 4), 4), 2], {"padding": 9}),
    ("max_unpool3d", [real(3), number((3,), 4), 2], {}),
    ("fractional_max_pool2d", [real(2, 3, 5, 5), 2], {}),
    ("fractional_max_pool3d", [real(2, 3, 5, 5, 5), 2], {}),
    ("fractional_max_pool2d", [real(2, 3, 5, 5), 2], {"output_size": 7}),
    ("fractional_max_pool2d_with_indices", [real(2, 3, 5, 5), 2], {"output_size": 2, "_random_samples": samples(2, 3)}),
    ("affine_grid", [real(2, 2, 3), [2, 3, 4]], {"align_corners": True}),
    ("affine_grid", [real(2, 3, 3), [2, 3, 4, 4]], {"align_corners": True}),
    ("affine_grid", [real(2, 2, 3), [2, 3, 4, 4, 4]], {"align_corners": True}),
    ("affine_grid", [real(2, 3), [2, 3, 4, 4]], {"align_corners": True}),
    ("affine_grid", [number((2, 2, 3), 4), [2, 3, 4, 4]], {"align_corners": True}),
    ("affine_grid", [real(2, 2, 3), [2, 3, 0, 4]], {"align_corners": True}),
    ("affine_grid", [real(2, 2, 3), [2, 0, 4, 4]], {"align_corners": False}),
    ("grid_sample", [real(2, 3, 5, 6), real(2, 4, 3, 2)], {"mode": "linear"}),
    ("grid_sample", [real(2, 3, 5, 6), real(2, 4, 3, 2)], {"padding_mode": "zero"}),
    ("grid_sample", [real(2, 3, 5, 6), real(3, 4, 3, 2)], {"align_corners": True}),
    ("grid_sample", [real(2, 3, 4, 5, 6), real(2, 2, 4, 3, 3)], {"mode": "bicubic", "align_corners": True}),
    ("unfold", [real(2, 3), 2], {}),
    ("unfold", [real(2, 3, 4, 4), 5], {}),
    ("fold", [real(2, 12, 29), (6, 7), 2], {}),
    ("grouped_mm", [fixed(2, 16, 32), fixed(3, 32, 16)], {}),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(REFUSED)), ids=lambda i: f"{REFUSED[i][0]} {i}")
def test_what_python_refuses_is_refused(case):
    name = REFUSED[case][0]
    positional, options = arguments(REFUSED[case], torch.float32, 0)
    expected = outcome(lambda: getattr(functional, name)(*positional, **options))
    assert expected is not None
    mine, own = [across(x) for x in positional], {k: across(v) for k, v in options.items()}
    with pytest.raises((expected, ctorch.errors.ShapeMismatchError)) as raised:
        getattr(ctorch.functional, name)(*mine, **own)
    assert str(raised.value)


def test_order_zero_and_no_groups_are_refused_as_values():
    """Python's ZeroDivisionErrors."""
    with pytest.raises(ValueError, match="norm_type"):
        ctorch.functional.lp_pool1d(ctorch.aten.ones([1, 1, 4]), 0.0, 2)
    with pytest.raises(ValueError, match="num_groups"):
        ctorch.functional.group_norm(ctorch.aten.ones([2, 4]), 0)


def test_in_place_gives_the_input_back():
    x = ctorch.aten.ones([4, 3, 2])
    for name in ("dropout", "alpha_dropout", "feature_alpha_dropout", "dropout1d"):
        y = getattr(ctorch.functional, name)(x, 0.5, True, True)
        assert theirs(y).data_ptr() == theirs(x).data_ptr()


@pytest.mark.parametrize("rows", [False, True])
def test_scaled_mm(rows):
    kind = functional.ScalingType.RowWise if rows else functional.ScalingType.TensorWise
    torch.manual_seed(0)
    a, b = (torch.randn(16, 32).to(torch.float8_e4m3fn) for _ in range(2))
    scale_a, scale_b = (torch.rand(16, 1), torch.rand(1, 16)) if rows else (torch.tensor(0.5), torch.tensor(2.0))
    mine = [ours(a.view(torch.uint8)), ours(b.view(torch.uint8))]
    mine = [ctorch.aten.view(x, dtype=ctorch.float8_e4m3fn) for x in mine]
    for dtype, own in ((torch.bfloat16, None), (torch.float32, ctorch.float32)):
        want = functional.scaled_mm(a, b.t(), scale_a, kind, scale_b, kind, output_dtype=dtype)
        got = ctorch.functional.scaled_mm(
            mine[0], mine[1].t(), [ours(scale_a)], kind.name, [ours(scale_b)], f" {kind.name} ", output_dtype=own
        )
        assert same(got, want)


@pytest.mark.parametrize("name", ["scaled_mm", "scaled_grouped_mm"])
def test_scaled_products_refuse_unknown_names(name):
    x = ctorch.aten.ones([16, 16])
    f, names = getattr(ctorch.functional, name), {"scale_recipe_a": "RowWise", "scale_recipe_b": "RowWise"}
    for argument in ("scale_recipe_a", "scale_recipe_b", "swizzle_a", "swizzle_b"):
        for wrong in ("", "rowwise", "RowWise,", "RowWise,Columns", ",".join(["RowWise"] * 17)):
            given = {**names, argument: wrong.replace("RowWise", "NO_SWIZZLE") if "swizzle" in argument else wrong}
            with pytest.raises(ValueError, match=argument):
                f(x, x, scale_a=[x], scale_b=[x], **given)
    with pytest.raises((RuntimeError, ValueError, NotImplementedError)):
        f(x, x, scale_a=[x], scale_b=[x], **names)


def test_the_names_of_recipes_are_pythons():
    """Each name reaches the operator: what it says is not that the name is unknown."""
    x = ctorch.aten.ones([16, 16])
    for kind, argument in ((functional.ScalingType, "scale_recipe_a"), (functional.SwizzleType, "swizzle_a")):
        for name in kind.__members__:
            names = {"scale_recipe_a": "RowWise", "scale_recipe_b": "RowWise", argument: name}
            with pytest.raises((RuntimeError, ValueError, NotImplementedError)) as raised:
                ctorch.functional.scaled_mm(x, x, scale_a=[x], scale_b=[x], **names)
            assert "expected names such as" not in str(raised.value)


WARNING = [
    ("softmin", lambda x: [x], {}),
    ("affine_grid", lambda x: [ctorch.aten.ones([1, 2, 3]), [1, 1, 2, 2]], {}),
    ("affine_grid", lambda x: [ctorch.aten.ones([1, 2, 3]), [1, 1, 1, 2]], {"align_corners": True}),
    ("grid_sample", lambda x: [ctorch.aten.ones([1, 1, 2, 2]), ctorch.aten.ones([1, 1, 1, 2])], {}),
    ("dropout2d", lambda x: [ctorch.aten.ones([1, 1, 2])], {}),
    ("dropout3d", lambda x: [ctorch.aten.ones([1, 2])], {}),
]


@pytest.mark.parametrize("name, make, options", WARNING, ids=[f"{w[0]} {i}" for i, w in enumerate(WARNING)])
def test_what_python_warns_of(name, make, options):
    raw.warnings_push()
    try:
        getattr(ctorch.functional, name)(*make(ctorch.aten.ones([2, 2])), **options)
    finally:
        collected = raw.warnings_pop()
    assert raw.warnings_len(collected) == 1


NAMES = sorted({name for name, _, _ in CASES})


@pytest.mark.parametrize("name", NAMES)
def test_names_order_and_defaults_are_pythons(name):
    """Without `_stacklevel`, and `return_indices`, which is another entry."""
    found = getattr(functional, name)
    if name in ("fractional_max_pool2d", "fractional_max_pool3d"):
        found = getattr(functional, f"{name}_with_indices")
    wanted = inspect.signature(found).parameters
    expected = {n: p.default for n, p in wanted.items() if n not in ("_stacklevel", "return_indices")}
    found = inspect.signature(getattr(ctorch.functional, name)).parameters
    assert list(expected) == list(found)
    for n, default in expected.items():
        assert (found[n].default is inspect.Parameter.empty) == (default is inspect.Parameter.empty)
        if isinstance(default, (int, float)) and str(found[n].default) != "DEFAULT":  # C's own, of lists
            assert found[n].default == default
