"""The losses of torch.nn.functional beside Python's, through the Python package: values and gradients, in every
reduction, for several dtypes and sizes; what Python refuses is refused."""

from __future__ import annotations

import inspect
import warnings

import pytest
import torch
from torch.nn import functional

from tests.nn.test_init import outcome
from tests.nn.test_nn import ctorch, raw, theirs

REDUCTIONS = ("mean", "sum", "none")
DTYPES = (torch.float32, torch.float64, torch.bfloat16)


def real(*shape):
    return lambda dtype: torch.randn(shape, dtype=dtype, requires_grad=True)


def fixed(*shape):
    return lambda dtype: torch.randn(shape, dtype=dtype)


def positive(*shape):
    return lambda dtype: (torch.rand(shape, dtype=dtype) + 0.1).requires_grad_()


def probability(*shape):
    return lambda dtype: torch.rand(shape, dtype=dtype).clamp(0.05, 0.95).requires_grad_()


def log_probability(*shape):
    return lambda dtype: torch.randn(shape, dtype=dtype).log_softmax(-1).requires_grad_()


def classes(n, *shape):
    return lambda dtype: torch.randint(n, shape)


def signs(*shape):
    return lambda dtype: torch.randint(2, shape).mul(2).sub(1).to(dtype)


def bits(*shape):
    return lambda dtype: torch.randint(2, shape).to(dtype)


def whole(*numbers):
    return lambda dtype: torch.tensor(numbers)


# name, what makes the tensors, and the options with which each is tried. A function as an option makes a tensor.
CASES = [
    *(
        (name, [real(3, 4), real(3, 4)], options)
        for name in ("l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss", "kl_div")
        for options in [{}]
    ),
    *((name, [real(3, 1), real(4)], {}) for name in ("l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss")),
    *((name, [real(), real()], {}) for name in ("l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss", "kl_div")),
    *((name, [real(0, 2), real(0, 2)], {}) for name in ("l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss")),
    *((name, [real(3, 4), fixed(3, 4)], {"weight": positive(3, 4)}) for name in ("l1_loss", "mse_loss", "huber_loss")),
    ("mse_loss", [real(3, 4), fixed(4)], {"weight": positive(3, 4)}),
    ("huber_loss", [real(3, 4), real(3, 4)], {"delta": 0.3}),
    ("huber_loss", [real(3, 4), real(3, 4)], {"delta": 0.3, "weight": positive(3, 4)}),
    ("smooth_l1_loss", [real(3, 4), real(3, 4)], {"beta": 0.3}),
    ("smooth_l1_loss", [real(3, 4), real(3, 4)], {"beta": 0.0}),
    ("nll_loss", [log_probability(5, 3), classes(3, 5)], {}),
    ("nll_loss", [log_probability(3), classes(3)], {}),
    (
        "nll_loss",
        [log_probability(5, 3), classes(3, 5)],
        {"weight": lambda d: torch.rand(3, dtype=d), "ignore_index": 1},
    ),
    ("nll_loss", [real(2, 3, 4, 5), classes(3, 2, 4, 5)], {"weight": lambda d: torch.rand(3, dtype=d)}),
    ("cross_entropy", [real(5, 3), classes(3, 5)], {}),
    ("cross_entropy", [real(3), classes(3)], {"label_smoothing": 0.2}),
    ("cross_entropy", [real(5, 3), classes(3, 5)], {"weight": lambda d: torch.rand(3, dtype=d), "ignore_index": 2}),
    ("cross_entropy", [real(2, 3, 4), classes(3, 2, 4)], {"label_smoothing": 0.1, "ignore_index": 0}),
    ("cross_entropy", [real(5, 3), probability(5, 3)], {"label_smoothing": 0.3}),
    ("kl_div", [log_probability(5, 3), positive(5, 3)], {}),
    ("kl_div", [log_probability(5, 3), log_probability(5, 3)], {"log_target": True}),
    ("poisson_nll_loss", [real(3, 4), positive(3, 4)], {}),
    ("poisson_nll_loss", [positive(3, 4), lambda d: torch.arange(12.0).reshape(3, 4).to(d)], {"log_input": False}),
    ("poisson_nll_loss", [real(3, 4), lambda d: torch.arange(12.0).reshape(3, 4).to(d)], {"full": True}),
    ("poisson_nll_loss", [positive(3, 4), fixed(3, 4)], {"log_input": False, "eps": 0.5}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(3, 4)], {}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(3)], {"full": True}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(3, 1)], {"eps": 0.5}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(1, 4)], {}),
    ("gaussian_nll_loss", [real(4), real(4), positive()], {}),
    ("gaussian_nll_loss", [real(3, 4), fixed(4)], {"var": 0.7, "full": True}),
    ("gaussian_nll_loss", [real(3, 4), fixed(3, 4)], {"var": 0.0}),
    ("binary_cross_entropy", [probability(3, 4), probability(3, 4)], {}),
    ("binary_cross_entropy", [probability(3, 4), bits(3, 4)], {"weight": lambda d: torch.rand(4, dtype=d)}),
    ("binary_cross_entropy_with_logits", [real(3, 4), bits(3, 4)], {}),
    ("binary_cross_entropy_with_logits", [real(3, 4), bits(3, 4)], {"weight": lambda d: torch.rand(4, dtype=d)}),
    ("binary_cross_entropy_with_logits", [real(3, 4), bits(3, 4)], {"pos_weight": lambda d: torch.rand(4, dtype=d)}),
    ("hinge_embedding_loss", [real(3, 4), signs(3, 4)], {}),
    ("hinge_embedding_loss", [real(3, 4), signs(3, 4)], {"margin": 0.4}),
    ("cosine_embedding_loss", [real(3, 4), real(3, 4), signs(3)], {}),
    ("cosine_embedding_loss", [real(4), real(4), signs()], {"margin": 0.4}),
    ("margin_ranking_loss", [real(5), real(5), signs(5)], {}),
    ("margin_ranking_loss", [real(5), real(5), signs(5)], {"margin": 0.4}),
    ("soft_margin_loss", [real(3, 4), signs(3, 4)], {}),
    ("multilabel_margin_loss", [real(4), whole(3, 0, -1, 1)], {}),
    ("multilabel_margin_loss", [real(2, 3), lambda d: torch.tensor([[0, -1, 1], [2, 1, -1]])], {}),
    ("multilabel_soft_margin_loss", [real(3, 4), bits(3, 4)], {}),
    ("multilabel_soft_margin_loss", [real(4), bits(4)], {}),
    ("multilabel_soft_margin_loss", [real(3, 4), real(3, 4)], {"weight": positive(4)}),
    ("multi_margin_loss", [real(3, 4), classes(4, 3)], {}),
    ("multi_margin_loss", [real(4), classes(4)], {"p": 2, "margin": 0.5}),
    ("multi_margin_loss", [real(3, 4), classes(4, 3)], {"weight": lambda d: torch.rand(4, dtype=d)}),
    ("triplet_margin_loss", [real(3, 4), real(3, 4), real(3, 4)], {}),
    ("triplet_margin_loss", [real(4), real(4), real(4)], {"margin": 3.5, "p": 1.0, "eps": 0.01, "swap": True}),
    (
        "ctc_loss",
        [log_probability(6, 2, 4), lambda d: torch.tensor([[1, 2, 1], [3, 2, 0]]), whole(6, 5), whole(3, 2)],
        {},
    ),
    (
        "ctc_loss",
        [log_probability(6, 2, 4), whole(1, 2, 2, 0, 1), whole(6, 2), whole(3, 2)],
        {"blank": 3, "zero_infinity": True},
    ),
]


def build(case, dtype, seed):
    _, makers, options = case
    torch.manual_seed(seed)
    return [make(dtype) for make in makers], {k: v(dtype) if callable(v) else v for k, v in options.items()}


def ours(x):
    if not isinstance(x, torch.Tensor):
        return x
    own = ctorch.from_dlpack(x.detach().clone(memory_format=torch.preserve_format))
    return own.requires_grad_() if x.requires_grad else own


@pytest.fixture(autouse=True)
def _no_warnings():
    raw.warnings_push()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    raw.warnings_pop()


def offered(name, options) -> bool:
    """Whether this version of Python's has the options: weights of l1_loss and others are new."""
    return set(options) <= set(inspect.signature(getattr(functional, name)).parameters)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda i: f"{CASES[i][0]} {i}")
def test_values_and_gradients(number, dtype):
    name = CASES[number][0]
    for reduction in (*REDUCTIONS, *(["batchmean"] if name == "kl_div" else [])):
        inputs, options = build(CASES[number], dtype, number)
        if not offered(name, options):
            pytest.skip("not in this version of Python's")
        mine, own = [ours(x) for x in inputs], {k: ours(v) for k, v in options.items()}
        call = lambda: getattr(functional, name)(*inputs, **options, reduction=reduction)  # noqa: E731
        expected = outcome(call)
        if expected is not None:
            with pytest.raises(expected):
                getattr(ctorch.functional, name)(*mine, **own, reduction=reduction)
            continue
        want, got = call(), getattr(ctorch.functional, name)(*mine, **own, reduction=reduction)
        assert theirs(got).dtype == want.dtype and torch.equal(theirs(got).nan_to_num(7), want.detach().nan_to_num(7))
        assert got.requires_grad == want.requires_grad
        if not want.requires_grad:
            continue
        by = torch.rand_like(want)
        want.backward(by)
        got.backward(ours(by))
        for a, b in zip((*mine, *own.values()), (*inputs, *options.values())):
            if isinstance(b, torch.Tensor) and b.requires_grad:
                assert (a.grad is None) == (b.grad is None)
                assert b.grad is None or torch.equal(theirs(a.grad).nan_to_num(7), b.grad.nan_to_num(7))


def test_the_cases_are_no_errors_in_python():
    failing = []
    for number, (name, _, _) in enumerate(CASES):
        inputs, options = build(CASES[number], torch.float32, number)
        if offered(name, options) and outcome(lambda: getattr(functional, name)(*inputs, **options)):  # noqa: B023
            failing.append((number, name))
    assert failing == []


NAMES = sorted({name for name, _, _ in CASES})


@pytest.mark.parametrize("name", NAMES)
def test_another_reduction_is_refused(name):
    number = next(i for i, case in enumerate(CASES) if case[0] == name)
    for reduction in ("average", "", "Mean", "batchmean"):
        if name == "kl_div" and reduction == "batchmean":
            continue
        inputs, options = build(CASES[number], torch.float32, 0)
        with pytest.raises(ValueError):
            getattr(functional, name)(*inputs, **options, reduction=reduction)
        with pytest.raises(ValueError, match="reduction must be none, mean or sum"):
            getattr(ctorch.functional, name)(
                *(ours(x) for x in inputs), **{k: ours(v) for k, v in options.items()}, reduction=reduction
            )


REFUSED = [
    ("l1_loss", [real(3, 4), real(3)], {}),
    ("l1_loss", [real(3, 4), real(3, 4)], {"weight": positive(4)}),
    ("mse_loss", [real(3, 4), real(3, 4)], {"weight": positive(4)}),
    ("huber_loss", [real(3, 4), real(3, 4)], {"weight": positive(4)}),
    ("huber_loss", [real(3), real(3)], {"delta": 0.0}),
    ("huber_loss", [real(3), real(3)], {"delta": -1.0}),
    ("smooth_l1_loss", [real(3), real(3)], {"beta": -1.0}),
    ("smooth_l1_loss", [real(3), real(4)], {}),
    ("nll_loss", [real(5, 3), classes(3, 4)], {}),
    ("nll_loss", [real(2, 3), whole(0, 3)], {}),
    ("nll_loss", [real(2, 3), whole(0, 1)], {"weight": fixed(2)}),
    ("cross_entropy", [real(2, 3), whole(0, 3)], {}),
    ("cross_entropy", [real(2, 3), whole(0, 1)], {"label_smoothing": 1.5}),
    ("cross_entropy", [real(2, 3), whole(0, 1, 2)], {}),
    ("gaussian_nll_loss", [real(3), real(3)], {"var": -1.0}),
    ("gaussian_nll_loss", [real(3), real(3), lambda d: torch.tensor([1.0, -1.0, 1.0])], {}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(4)], {}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(1, 1)], {}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive()], {}),
    ("gaussian_nll_loss", [real(3, 4), real(3, 4), positive(3, 4, 1)], {}),
    ("binary_cross_entropy", [probability(3), probability(3, 1)], {}),
    ("binary_cross_entropy", [lambda d: torch.tensor([2.0]), bits(1)], {}),
    ("binary_cross_entropy", [probability(3), bits(3)], {"weight": fixed(2)}),
    ("binary_cross_entropy_with_logits", [real(3), bits(1)], {}),
    ("margin_ranking_loss", [real(3), real(3), signs(3, 1)], {}),
    ("margin_ranking_loss", [real(3), real(3, 1), signs(3)], {}),
    ("multilabel_soft_margin_loss", [real(), bits()], {}),
    ("multilabel_margin_loss", [real(3), whole(0, 1)], {}),
    ("multi_margin_loss", [real(3, 4), classes(4, 3)], {"p": 3}),
    ("multi_margin_loss", [real(3, 4), classes(4, 3)], {"weight": fixed(4, 1)}),
    ("multi_margin_loss", [real(3, 4), classes(4, 2)], {}),
    ("triplet_margin_loss", [real(3), real(3), real(3)], {"margin": 0.0}),
    ("triplet_margin_loss", [real(3), real(3, 1), real(3)], {}),
    ("cosine_embedding_loss", [real(3, 4), real(3, 4), signs(2)], {}),
    ("ctc_loss", [log_probability(6, 2, 4), whole(1, 2), whole(6), whole(1, 1)], {}),
    ("ctc_loss", [log_probability(6, 2, 4), whole(1, 2), whole(6, 6), whole(1, 1)], {"blank": 4}),
]


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=lambda i: f"{REFUSED[i][0]} {i}")
def test_what_python_refuses_is_refused(number):
    name = REFUSED[number][0]
    inputs, options = build(REFUSED[number], torch.float32, 0)
    if not offered(name, options):
        pytest.skip("not in this version of Python's")
    expected = outcome(lambda: getattr(functional, name)(*inputs, **options))
    assert expected is not None
    # Operators report sizes that do not fit as SHAPE_MISMATCH, whatever LibTorch throws.
    with pytest.raises((expected, ctorch.errors.ShapeMismatchError)):
        getattr(ctorch.functional, name)(*(ours(x) for x in inputs), **{k: ours(v) for k, v in options.items()})


def test_lengths_as_numbers():
    for probabilities in (log_probability(6, 2, 4)(torch.float32), log_probability(6, 2, 4)(torch.float64)):
        targets = torch.tensor([[1, 2, 1], [3, 2, 0]])
        want = functional.ctc_loss(probabilities, targets, (6, 5), (3, 2))
        assert torch.equal(theirs(ctorch.functional.ctc_loss(ours(probabilities), ours(targets), [6, 5], [3, 2])), want)


def test_warnings():
    x, y = ctorch.aten.zeros([2, 1]), ctorch.aten.zeros([2])
    raw.warnings_push()
    for name in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss"):
        getattr(ctorch.functional, name)(x, y)
        getattr(ctorch.functional, name)(x, x)
    ctorch.functional.kl_div(x, x)
    ctorch.functional.kl_div(x, x, reduction="batchmean")
    collected = raw.warnings_pop()
    texts = [raw.warnings_message(collected, i) for i in range(raw.warnings_len(collected))]
    assert len(texts) == 2 and "other sizes" in texts[0] and "batchmean" in texts[1]  # each once


@pytest.mark.parametrize("name", NAMES)
def test_names_order_and_defaults_are_pythons(name):
    """Without `size_average` and `reduce`, which are deprecated."""
    wanted = inspect.signature(getattr(functional, name)).parameters
    expected = {n: p.default for n, p in wanted.items() if n not in ("size_average", "reduce")}
    found = getattr(ctorch.functional, name)
    found = inspect.signature(getattr(found, "default", found)).parameters
    assert list(expected) == [n for n in found if n in expected]
    for n, default in expected.items():
        assert (found[n].default is inspect.Parameter.empty) == (default is inspect.Parameter.empty)
        if isinstance(default, (int, float)):
            assert found[n].default == default
