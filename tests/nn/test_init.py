"""torch.nn.init beside Python's, through the Python package: the same seed draws the same numbers and leaves the
generator where Python does, for every dtype and layout; what Python refuses is refused."""

from __future__ import annotations

import inspect
import math
import warnings

import pytest
import torch
from torch.nn import init

from tests.nn.test_nn import ctorch, raw, theirs

# Each function with arguments to it; the tensors are those of TENSORS that Python takes.
CASES = [
    ("uniform_", {}),
    ("uniform_", {"a": -3.0, "b": 5.5}),
    ("uniform_", {"a": 1.0, "b": 1.0}),
    ("normal_", {}),
    ("normal_", {"mean": -1.5, "std": 0.25}),
    ("normal_", {"std": 0.0}),
    ("trunc_normal_", {}),
    ("trunc_normal_", {"mean": 0.5, "std": 3.0, "a": -1.0, "b": 4.0}),
    ("trunc_normal_", {"std": 0.02}),
    ("trunc_normal_", {"a": 3.0, "b": 4.0}),
    ("trunc_normal_", {"mean": 1.0, "std": 0.5, "a": -9.0, "b": -3.0}),
    ("trunc_normal_", {"std": -1.0, "a": -0.5, "b": 0.75}),
    ("trunc_normal_", {"a": -0.1, "b": 0.1}),
    ("trunc_normal_", {"a": 1.0, "b": 1.0}),
    ("trunc_normal_", {"std": math.inf}),
    ("constant_", {"val": 0.3}),
    ("constant_", {"val": -7}),
    ("ones_", {}),
    ("zeros_", {}),
    ("eye_", {}),
    ("dirac_", {}),
    ("dirac_", {"groups": 2}),
    ("dirac_", {"groups": 3}),
    ("xavier_uniform_", {}),
    ("xavier_uniform_", {"gain": 0.3}),
    ("xavier_normal_", {}),
    ("xavier_normal_", {"gain": 2.5}),
    ("kaiming_uniform_", {"a": 0.1, "mode": "fan_out"}),
    ("kaiming_normal_", {}),
    ("kaiming_normal_", {"a": 0.1, "mode": "fan_out"}),
    ("kaiming_normal_", {"nonlinearity": "tanh", "mode": "Fan_In"}),
    ("orthogonal_", {}),
    ("orthogonal_", {"gain": 1.7}),
    ("sparse_", {"sparsity": 0.3}),
    ("sparse_", {"sparsity": 0.0, "std": 2.0}),
    ("sparse_", {"sparsity": 1.0}),
    ("sparse_", {"sparsity": 7.0}),
    ("sparse_", {"sparsity": -0.3}),
    ("sparse_", {"sparsity": -7.0}),
]


# Earlier versions of Python's draw truncated normal numbers otherwise, from one uniform number each.
by_rejection = "empty_like" in inspect.getsource(init._no_grad_trunc_normal_)
CASES = [(name, arguments) for name, arguments in CASES if by_rejection or name != "trunc_normal_"]


def gaps(*shape):
    """Every second element along the last dimension."""
    return lambda dtype: torch.zeros(*shape[:-1], 2 * shape[-1], dtype=dtype)[..., ::2]


TENSORS = {
    "()": lambda dtype: torch.zeros((), dtype=dtype),
    "(5,)": lambda dtype: torch.zeros(5, dtype=dtype),
    "(0,)": lambda dtype: torch.zeros(0, dtype=dtype),
    "(4, 6)": lambda dtype: torch.zeros(4, 6, dtype=dtype),
    "(6, 4)": lambda dtype: torch.zeros(6, 4, dtype=dtype),
    "(40, 50)": lambda dtype: torch.zeros(40, 50, dtype=dtype),
    "transposed": lambda dtype: torch.zeros(6, 4, dtype=dtype).t(),
    "gaps": gaps(6, 4),
    "(0, 3)": lambda dtype: torch.zeros(0, 3, dtype=dtype),
    "(3, 0)": lambda dtype: torch.zeros(3, 0, dtype=dtype),
    "(6, 2, 3)": lambda dtype: torch.zeros(6, 2, 3, dtype=dtype),
    "(6, 4, 0)": lambda dtype: torch.zeros(6, 4, 0, dtype=dtype),
    "(6, 0, 3)": lambda dtype: torch.zeros(6, 0, 3, dtype=dtype),
    "(6, 4, 3, 2)": lambda dtype: torch.zeros(6, 4, 3, 2, dtype=dtype),
    "channels last": lambda dtype: torch.zeros(6, 4, 3, 2, dtype=dtype).contiguous(memory_format=torch.channels_last),
    "4 with gaps": gaps(6, 2, 3, 3),
    "(4, 2, 1, 2, 3)": lambda dtype: torch.zeros(4, 2, 1, 2, 3, dtype=dtype),
}
# Every tensor as float32; of the other dtypes some.
DTYPES = [torch.float64, torch.bfloat16, torch.float16, torch.complex64, torch.int64, torch.uint8, torch.bool]
PLACES = [(name, torch.float32) for name in TENSORS]
PLACES += [(name, dtype) for dtype in DTYPES for name in ("(4, 6)", "(6, 2, 3)")]
# Python's exceptions that are another in ctorch: what is no number is a bad value.
AS = {ZeroDivisionError: ValueError, OverflowError: ValueError}


def outcome(call):
    """What a call raises, None for nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except Exception as error:  # of any class: classes are compared
        return AS.get(type(error), type(error))
    return None


@pytest.fixture(autouse=True)
def _no_warnings():
    raw.warnings_push()
    yield
    raw.warnings_pop()


@pytest.mark.turns
@pytest.mark.parametrize("place, dtype", PLACES, ids=lambda x: str(x))
@pytest.mark.parametrize("name, arguments", CASES, ids=str)
def test_the_same_numbers(name, arguments, place, dtype):
    want = TENSORS[place](dtype)
    base = TENSORS[place](dtype)
    mine = ctorch.from_dlpack(base)
    torch.manual_seed(5)
    expected = outcome(lambda: getattr(init, name)(want, **arguments))
    drawn = torch.rand(3)
    torch.manual_seed(5)
    found = outcome(lambda: getattr(ctorch.init, name)(mine, **arguments))
    if expected is None:
        assert found is None
        assert torch.equal(base, want)
        assert torch.equal(torch.rand(3), drawn)
    else:
        assert found is not None and issubclass(found, expected)


REFUSED = [
    ("dirac_", (3, 2, 1), {"groups": 2}),
    ("dirac_", (4, 2, 1), {"groups": 0}),
    ("dirac_", (2, 2, 0), {}),
    ("dirac_", (2, 2), {}),
    ("dirac_", (2, 2, 1, 1, 1, 1), {}),
    ("eye_", (2,), {}),
    ("eye_", (2, 2, 2), {}),
    ("sparse_", (2, 2, 2), {"sparsity": 0.5}),
    ("sparse_", (2, 2), {"sparsity": math.nan}),
    ("sparse_", (2, 2), {"sparsity": math.inf}),
    ("sparse_", (2, 2), {"sparsity": 0.5, "std": -1.0}),
    ("orthogonal_", (2,), {}),
    ("xavier_uniform_", (2,), {}),
    ("xavier_normal_", (), {}),
    ("xavier_uniform_", (0, 0), {}),
    ("xavier_normal_", (0, 0, 4), {}),
    ("xavier_normal_", (2, 2), {"gain": -1.0}),
    ("kaiming_normal_", (2,), {}),
    ("kaiming_normal_", (2, 2), {"mode": "fan"}),
    ("kaiming_normal_", (2, 2), {"nonlinearity": "gelu"}),
    ("normal_", (2,), {"std": -1.0}),
    ("uniform_", (2,), {"a": 1.0, "b": 0.0}),
    ("uniform_", (2,), {"b": 1e300}),
    ("trunc_normal_", (2,), {"a": 1.0, "b": 0.0}),
    ("trunc_normal_", (2,), {"std": 0.0}),
    ("trunc_normal_", (2,), {"mean": 1e300}),
]


@pytest.mark.parametrize("name, shape, arguments", REFUSED, ids=str)
def test_what_python_refuses_is_refused(name, shape, arguments):
    tensor = ctorch.aten.zeros(shape)
    expected = outcome(lambda: getattr(init, name)(torch.zeros(shape), **arguments))
    assert expected is not None
    with pytest.raises(expected) as caught:
        getattr(ctorch.init, name)(tensor, **arguments)
    assert torch.is_grad_enabled()  # one mode for both
    assert caught.value.function


DRAWING = [(n, a) for n, a in CASES if "generator" in inspect.signature(getattr(init, n)).parameters]


@pytest.mark.parametrize("name, arguments", DRAWING, ids=str)
def test_numbers_from_a_generator_of_ones_own(name, arguments):
    torch.manual_seed(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(init, name)(torch.zeros(6, 5), generator=torch.Generator().manual_seed(11), **arguments)
    torch.manual_seed(3)
    generator = raw.generator_new()
    raw.generator_manual_seed(generator, 11)
    tensor = getattr(ctorch.init, name)(ctorch.aten.zeros([6, 5]), generator=generator, **arguments)
    assert torch.equal(theirs(tensor), expected)


@pytest.mark.parametrize("name, arguments", CASES, ids=str)
def test_the_tensor_itself_is_returned_and_no_graph_records_it(name, arguments):
    shape = [6, 2, 3] if name == "dirac_" else [6, 5]
    tensor = ctorch.aten.zeros(shape)
    tensor.requires_grad_()
    assert getattr(ctorch.init, name)(tensor, **arguments) is tensor
    assert tensor.requires_grad and raw.tensor_is_leaf(tensor)


@pytest.mark.parametrize("name, arguments", CASES, ids=str)
def test_a_tensor_of_the_device_meta(name, arguments):
    shape = [6, 2, 3] if name == "dirac_" else [6, 5]
    expected = outcome(lambda: getattr(init, name)(torch.zeros(shape, device="meta"), **arguments))
    assert expected is None
    tensor = ctorch.aten.zeros(shape, device="meta")
    assert getattr(ctorch.init, name)(tensor, **arguments) is tensor


GAINS = ["linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]
GAINS += ["sigmoid", "tanh", "relu", "leaky_relu", "selu"]


@pytest.mark.parametrize("nonlinearity", GAINS)
def test_calculate_gain(nonlinearity):
    assert ctorch.init.calculate_gain(nonlinearity) == init.calculate_gain(nonlinearity)
    for param in (0.0, 0.3, -2.0, 1e200, math.inf):
        try:
            expected = init.calculate_gain(nonlinearity, param)
        except OverflowError:  # Python's, of a square; it is infinite here
            expected = 0.0
        assert ctorch.init.calculate_gain(nonlinearity, param) == expected


@pytest.mark.parametrize("nonlinearity", ["gelu", "", "ReLU", "relu "])
def test_calculate_gain_of_another_nonlinearity(nonlinearity):
    with pytest.raises(ValueError):
        init.calculate_gain(nonlinearity)
    with pytest.raises(ValueError, match="unsupported nonlinearity"):
        ctorch.init.calculate_gain(nonlinearity)


def test_warnings():
    with pytest.warns(UserWarning, match="mean is more than 2 std"):
        init.trunc_normal_(torch.zeros(2), mean=5.0)
    raw.warnings_push()
    ctorch.init.trunc_normal_(ctorch.aten.zeros([2]), mean=5.0)
    ctorch.init.trunc_normal_(ctorch.aten.zeros([2]))
    ctorch.init.kaiming_normal_(ctorch.aten.zeros([0, 2]))
    collected = raw.warnings_pop()
    texts = [raw.warnings_message(collected, i) for i in range(raw.warnings_len(collected))]
    assert len(texts) == 2 and "mean is more than 2 std" in texts[0] and "zero-element" in texts[1]


def test_the_schema_has_pythons_functions_with_their_names_order_and_defaults():
    """Python's names without the underscore are deprecated, and no functions here."""
    public = {name for name in init.__all__ if name + "_" not in init.__all__}
    assert len(public) == 15 and public == {name for name in dir(ctorch.init) if not name.startswith("_")} & public
    for name in public:
        expected = inspect.signature(getattr(init, name)).parameters
        mine = inspect.signature(getattr(ctorch.init, name)).parameters
        assert list(mine) == list(expected)
        for parameter, wanted in zip(mine.values(), expected.values()):
            assert (parameter.default is inspect.Parameter.empty) == (wanted.default is inspect.Parameter.empty)
            if isinstance(wanted.default, (int, float)):
                assert parameter.default == wanted.default


def test_truncated_normal_numbers_that_are_never_drawn():
    """Python draws for ever: next to nothing of what is drawn from so long an interval is near its lower end."""
    with pytest.raises(ValueError, match=r"after 100000 rounds .* between 5 and 1e\+30"):
        ctorch.init.trunc_normal_(ctorch.zeros([1]), a=5.0, b=1e30)
