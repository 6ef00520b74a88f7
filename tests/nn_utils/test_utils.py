"""torch.nn.utils beside Python's, through the Python package: norms and limits of gradients, parameters as a vector,
padded and packed sequences, batch norms as part of the layer before them."""

from __future__ import annotations

import inspect
import math

import pytest
import torch
from torch.nn import utils
from torch.nn.utils import fusion, rnn

from tests.nn.test_nn import ctorch, theirs


def ours(tensor):
    if tensor is None:
        return None
    own = ctorch.from_dlpack(tensor.detach().clone(memory_format=torch.preserve_format))
    return own.requires_grad_() if tensor.requires_grad else own


def same(mine, expected) -> bool:
    if expected is None:
        return mine is None
    found = theirs(mine)
    return found.dtype == expected.dtype and torch.equal(found.nan_to_num(7), expected.detach().nan_to_num(7))


def both(shapes=((3, 4), (5,), (), (0, 2), (2, 1, 3)), dtypes=(torch.float32,), without=(1,), seed=0, scale=1.0):
    """Parameters with gradients, Python's and ours: some without one."""
    torch.manual_seed(seed)
    expected = []
    for i, shape in enumerate(shapes):
        p = torch.randn(shape, dtype=dtypes[i % len(dtypes)], requires_grad=True)
        if i not in without:
            p.grad = torch.randn_like(p) * scale
        expected.append(p)
    mine = [ours(p) for p in expected]
    for a, b in zip(mine, expected):
        if b.grad is not None:
            a.grad = ours(b.grad)
    return expected, mine


def same_gradients(mine, expected) -> bool:
    return all(same(a.grad, b.grad) for a, b in zip(mine, expected))


FOREACH = (None, True, False)


@pytest.mark.parametrize("foreach", FOREACH)
@pytest.mark.parametrize("norm", [2.0, 1.0, 0.5, 3.0, math.inf, -math.inf, 0.0])
@pytest.mark.parametrize("dtypes", [(torch.float32,), (torch.float64,), (torch.bfloat16,), (torch.complex64,)], ids=str)
@pytest.mark.parametrize("most", [0.5, 1e3, 0.0])
def test_clip_grad_norm(most, dtypes, norm, foreach):
    shapes = ((3, 4), (5,), (), (2, 1, 3))  # minus infinity has no value for a tensor without elements
    expected, mine = both(shapes, dtypes)
    want = utils.clip_grad_norm_(expected, most, norm, foreach=foreach)
    got = ctorch.utils.clip_grad_norm_(mine, most, norm, foreach=foreach)
    assert same(got, want) and not got.requires_grad
    assert same_gradients(mine, expected)


@pytest.mark.parametrize("foreach", FOREACH)
def test_clip_grad_norm_of_several_dtypes(foreach):
    expected, mine = both(dtypes=(torch.float32, torch.float64, torch.float16))
    want = utils.clip_grad_norm_(expected, 0.7, foreach=foreach)
    got = ctorch.utils.clip_grad_norm_(mine, 0.7, foreach=foreach)
    # Python adds the groups up in the order of a hash table.
    assert theirs(got).dtype == want.dtype and torch.allclose(theirs(got), want, rtol=1e-6)
    for a, b in zip(mine, expected):
        assert (a.grad is None) == (b.grad is None)
        assert b.grad is None or torch.allclose(theirs(a.grad), b.grad, rtol=1e-3)


def test_clip_grad_norm_of_nothing():
    for dtype in (torch.float32, torch.float64):
        torch.set_default_dtype(dtype)
        try:
            assert same(ctorch.utils.clip_grad_norm_([], 1.0), utils.clip_grad_norm_([], 1.0))
            expected, mine = both(without=range(5))
            assert same(ctorch.utils.clip_grad_norm_(mine, 1.0), utils.clip_grad_norm_(expected, 1.0))
            assert same(ctorch.utils.get_total_norm([]), utils.get_total_norm([]))
        finally:
            torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_norm_that_is_not_finite(bad):
    expected, mine = both()
    for parameters in (expected, mine):
        parameters[0].grad[1, 2] = bad
    before = [p.grad.clone() for p in expected if p.grad is not None]
    with pytest.raises(RuntimeError, match="non-finite"):
        utils.clip_grad_norm_(expected, 1.0, error_if_nonfinite=True)
    with pytest.raises(RuntimeError, match="order 2 .*non-finite") as caught:
        ctorch.utils.clip_grad_norm_(mine, 1.0, error_if_nonfinite=True)
    assert caught.value.function == "ctorch_utils_clip_grad_norm_"
    kept = [p.grad for p in mine if p.grad is not None]
    assert all(same(a, b) for a, b in zip(kept, before))
    assert torch.is_grad_enabled()  # one mode for both
    want, got = utils.clip_grad_norm_(expected, 1.0), ctorch.utils.clip_grad_norm_(mine, 1.0)
    assert same(got, want) and same_gradients(mine, expected)


@pytest.mark.parametrize("foreach", FOREACH)
def test_total_norm_and_clipping_apart(foreach):
    expected, mine = both(scale=3.0)
    want = utils.get_total_norm([p.grad for p in expected if p.grad is not None], 3.0, foreach=foreach)
    got = ctorch.utils.get_total_norm([p.grad for p in mine if p.grad is not None], 3.0, foreach=foreach)
    assert same(got, want)
    utils.clip_grads_with_norm_(expected, 0.2, want, foreach=foreach)
    ctorch.utils.clip_grads_with_norm_(mine, 0.2, got, foreach=foreach)
    assert same_gradients(mine, expected)


@pytest.mark.parametrize("foreach", FOREACH)
@pytest.mark.parametrize("value", [0.3, 0.0, 1e9, math.inf, math.nan])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_clip_grad_value(dtype, value, foreach):
    expected, mine = both(dtypes=(dtype,))
    utils.clip_grad_value_(expected, value, foreach=foreach)
    ctorch.utils.clip_grad_value_(mine, value, foreach=foreach)
    assert same_gradients(mine, expected)


def test_complex_gradients_have_no_order():
    expected, mine = both(dtypes=(torch.complex64,))
    with pytest.raises(RuntimeError, match="complex"):
        utils.clip_grad_value_(expected, 1.0)
    with pytest.raises(RuntimeError, match="complex"):
        ctorch.utils.clip_grad_value_(mine, 1.0)


def test_foreach_is_for_devices_that_have_it():
    with pytest.raises(RuntimeError, match="foreach"):
        utils.get_total_norm([torch.ones(2, device="meta")], foreach=True)
    meta = ctorch.empty(2, device="meta")
    with pytest.raises(RuntimeError, match="foreach"):
        ctorch.utils.get_total_norm([meta], foreach=True)
    assert ctorch.utils.get_total_norm([meta]).shape == ()


def test_parameters_to_vector_and_back():
    expected, mine = both()
    want, got = utils.parameters_to_vector(expected), ctorch.utils.parameters_to_vector(mine)
    assert same(got, want)
    weight = torch.randn_like(want)
    for p in (*expected, *mine):
        p.grad = None
    want.backward(weight)
    got.backward(ours(weight))
    assert same_gradients(mine, expected)  # the gradients flow back
    vector = torch.arange(want.numel(), dtype=torch.float32)
    own = ours(vector)
    utils.vector_to_parameters(vector, expected)
    ctorch.utils.vector_to_parameters(own, mine)
    assert all(same(a.detach(), b) and a.requires_grad and a.is_leaf for a, b in zip(mine, expected))
    vector[0] = own[0] = 99.0  # the parameters look at the vector's memory
    assert same(mine[0].detach(), expected[0]) and expected[0][0, 0] == 99


def test_vectors_that_do_not_fit():
    expected, mine = both()
    short = torch.zeros(13)
    with pytest.raises(RuntimeError):
        utils.vector_to_parameters(short, expected)
    with pytest.raises(RuntimeError):
        ctorch.utils.vector_to_parameters(ours(short), mine)
    assert all(same(a.detach(), b) for a, b in zip(mine, expected))
    with pytest.raises(ValueError, match="non-empty"):
        utils.parameters_to_vector([])
    with pytest.raises(ValueError, match="non-empty"):
        ctorch.utils.parameters_to_vector([])
    turned = torch.randn(3, 4).t()
    with pytest.raises(RuntimeError, match="view"):
        utils.parameters_to_vector([turned])
    with pytest.raises(RuntimeError, match="view"):
        ctorch.utils.parameters_to_vector([ctorch.randn(3, 4).t()])


def sequences(lengths, dtype=torch.float32, tail=(2,)):
    torch.manual_seed(sum(lengths))
    made = [torch.randn(n, *tail).to(dtype) for n in lengths]
    return made, [ours(t) for t in made]


LENGTHS = [(4, 3, 1), (1,), (2, 2, 2), (5, 5, 4, 1, 1)]


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", [*LENGTHS, (1, 3, 2), (0, 2)], ids=str)
def test_pad_and_unpad_sequences(lengths, batch_first, side):
    for dtype, tail in ((torch.float32, (2,)), (torch.int64, ()), (torch.bfloat16, (2, 1))):
        expected, mine = sequences(lengths, dtype, tail)
        want = rnn.pad_sequence(expected, batch_first, 7.0, side)
        got = ctorch.utils.pad_sequence(mine, batch_first, 7.0, side)
        assert same(got, want)
        if side == "right":
            counts = torch.tensor(lengths)
            back = ctorch.utils.unpad_sequence(got, ours(counts), batch_first)
            assert all(same(a, b) for a, b in zip(back, expected)) and len(back) == len(expected)
            assert same(got, want)  # and the argument is not turned, as Python's is


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("as_numbers", [False, True])
def test_pack_what_is_sorted(as_numbers, lengths, batch_first):
    expected, mine = sequences(lengths)
    padded, own = rnn.pad_sequence(expected, batch_first), ctorch.utils.pad_sequence(mine, batch_first)
    counts = list(lengths) if as_numbers else torch.tensor(lengths, dtype=torch.int32)
    want = rnn.pack_padded_sequence(padded, counts, batch_first)
    got = ctorch.utils.pack_padded_sequence(own, counts if as_numbers else ours(counts), batch_first)
    assert all(same(a, b) for a, b in zip(got, want)) and got[2] is None and got[3] is None
    for total in (None, max(lengths), max(lengths) + 2):
        want_back = rnn.pad_packed_sequence(want, batch_first, -1.5, total)
        got_back = ctorch.utils.pad_packed_sequence(got[0], got[1], got[3], batch_first, -1.5, total)
        assert all(same(a, b) for a, b in zip(got_back, want_back))


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", [*LENGTHS, (1, 3, 2), (2, 5, 5, 1)], ids=str)
def test_pack_what_is_not_sorted(lengths, batch_first):
    expected, mine = sequences(lengths)
    padded = rnn.pad_sequence(expected, batch_first).requires_grad_()
    own = ours(padded)
    want = rnn.pack_padded_sequence(padded, lengths, batch_first, enforce_sorted=False)
    got = ctorch.utils.pack_padded_sequence(own, list(lengths), batch_first, enforce_sorted=False)
    assert all(same(a.detach(), b) for a, b in zip(got, want))
    weight = torch.randn_like(want.data)
    want.data.backward(weight)
    got[0].backward(ours(weight))
    assert same(own.grad, padded.grad)
    back, counts = ctorch.utils.pad_packed_sequence(got[0], got[1], got[3], batch_first)
    assert same(back.detach(), padded) and theirs(counts).tolist() == list(lengths)
    each = ctorch.utils.unpack_sequence(got[0], got[1], got[3])
    assert all(same(a.detach(), b) for a, b in zip(each, rnn.unpack_sequence(want)))
    packed = ctorch.utils.pack_sequence(mine, enforce_sorted=False)
    assert all(same(a, b) for a, b in zip(packed, rnn.pack_sequence(expected, enforce_sorted=False)))


def test_invert_permutation():
    for order in ([], [0], [2, 0, 1], [3, 1, 0, 2]):
        permutation = torch.tensor(order, dtype=torch.int64)
        assert same(ctorch.utils.invert_permutation(ours(permutation)), rnn.invert_permutation(permutation))


def test_sequences_that_cannot_be_packed():
    padded = torch.randn(3, 2, 4)
    own = ours(padded)
    for lengths in ([1, 3], [3], [3, 0], [3, -1], [], [3, 2, 1]):
        with pytest.raises(RuntimeError):
            rnn.pack_padded_sequence(padded, torch.tensor(lengths, dtype=torch.int64))
        with pytest.raises(RuntimeError):
            ctorch.utils.pack_padded_sequence(own, ours(torch.tensor(lengths, dtype=torch.int64)))
        with pytest.raises(RuntimeError):
            ctorch.utils.pack_padded_sequence(own, lengths)
    packed = ctorch.utils.pack_padded_sequence(own, [3, 2])
    with pytest.raises(ValueError, match="total_length must be at least .* 3, got 2"):
        ctorch.utils.pad_packed_sequence(packed[0], packed[1], total_length=2)
    with pytest.raises(RuntimeError):
        ctorch.utils.pad_sequence([])
    with pytest.raises(RuntimeError, match="padding_side"):
        ctorch.utils.pad_sequence([own], padding_side="up")
    with pytest.raises(ValueError, match="expected 2 of them, one a sequence, got 3"):
        ctorch.utils.unpad_sequence(own, ours(torch.tensor([1, 1, 1])))


BATCH_SIZES = {
    "another dtype": torch.tensor([2, 2, 1], dtype=torch.int32),
    "a scalar": torch.tensor(5),
    "a matrix": torch.tensor([[2, 2, 1]]),
    "none": torch.zeros(0, dtype=torch.int64),
    "not on the CPU": torch.tensor([2, 2, 1], device="meta"),
    "zero": torch.tensor([3, 2, 0]),
    "negative": torch.tensor([7, -2]),
    "increasing": torch.tensor([2, 3]),
    "too many": torch.tensor([3, 3]),
    "beyond 64 bits": torch.tensor([2**63 - 1, 2**63 - 1, 7]),
    "too few": torch.tensor([2, 2]),
}


@pytest.mark.parametrize("sizes", BATCH_SIZES.values(), ids=BATCH_SIZES)
def test_batch_sizes_that_packing_cannot_have_given(sizes):
    """PyTorch's operator takes them for indexes without a look."""
    data = ctorch.zeros([5, 2])
    mine = ctorch.zeros(list(sizes.shape), dtype=ctorch.int64, device="meta") if sizes.is_meta else ours(sizes)
    for call in (ctorch.utils.pad_packed_sequence, ctorch.utils.unpack_sequence):
        with pytest.raises(ValueError, match="batch_sizes"):
            call(data, mine)
        with pytest.raises(ValueError, match="data: expected a dimension"):
            call(ctorch.zeros([]), ours(torch.tensor([1])))
    apart = ours(torch.tensor([2, 0, 2, 0, 1]))[::2]
    padded, lengths = ctorch.utils.pad_packed_sequence(data, apart)
    assert list(padded.shape) == [3, 2, 2] and theirs(lengths).tolist() == [3, 2]


def test_batches_without_a_dimension_for_the_time():
    one = ours(torch.tensor([1]))
    with pytest.raises(ValueError, match="padded_sequences: expected at least 2 dimensions, got 1"):
        ctorch.utils.unpad_sequence(ctorch.zeros([1]), one, batch_first=True)
    with pytest.raises(ValueError, match="lengths: expected a dimension"):
        ctorch.utils.unpad_sequence(ctorch.zeros([1, 1]), ours(torch.tensor(1)))


CONVOLUTIONS = [
    (torch.nn.Conv1d(2, 3, 2), torch.nn.BatchNorm1d(3)),
    (torch.nn.Conv2d(2, 4, 3, groups=2, bias=False), torch.nn.BatchNorm2d(4)),
    (torch.nn.Conv3d(1, 2, 2), torch.nn.BatchNorm3d(2, affine=False)),
    (torch.nn.ConvTranspose2d(2, 3, 2), torch.nn.BatchNorm2d(3, eps=0.1)),
]


@pytest.mark.parametrize("index", range(len(CONVOLUTIONS)))
@pytest.mark.parametrize("frozen", [False, True])
def test_fuse_conv_bn_weights(index, frozen):
    torch.manual_seed(index)
    conv, bn = CONVOLUTIONS[index]
    bn.running_mean.normal_()
    bn.running_var.uniform_(0.5, 2)
    for p in (*conv.parameters(), *bn.parameters()):
        torch.nn.init.normal_(p)
        p.requires_grad_(not frozen)
    given = (conv.weight, conv.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    transpose = isinstance(conv, torch.nn.ConvTranspose2d)
    want = fusion.fuse_conv_bn_weights(*given, transpose)
    own = [t if isinstance(t, float) else ours(t) for t in given]
    for got in (ctorch.utils.fuse_conv_bn_weights(*own, transpose),):
        for a, b in zip(got, want):
            assert same(a.detach(), b) and a.requires_grad == b.requires_grad and a.is_leaf


@pytest.mark.parametrize("bias", [False, True])
def test_fuse_linear_bn_weights(bias):
    torch.manual_seed(bias)
    linear, bn = torch.nn.Linear(3, 4, bias=bias), torch.nn.BatchNorm1d(4)
    bn.running_mean.normal_()
    bn.running_var.uniform_(0.5, 2)
    given = (linear.weight, linear.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    want = fusion.fuse_linear_bn_weights(*given)
    got = ctorch.utils.fuse_linear_bn_weights(*(t if isinstance(t, float) else ours(t) for t in given))
    for a, b in zip(got, want):
        assert same(a.detach(), b) and a.requires_grad == b.requires_grad


# What works on modules needs them; the deprecated names are Python's past.
ABSENT = {
    "clip_grad_norm",  # deprecated
    "fuse_conv_bn_eval",
    "fuse_linear_bn_eval",
    "skip_init",  # nn.skip_init, by name
    "stateless",
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
    "PackedSequence",  # its four tensors instead
}


def test_every_name_of_pythons_is_here_or_listed():
    have = {name for name in dir(ctorch.utils) if not name.startswith("_")}
    public = {*utils.__all__, *rnn.__all__}
    assert public - have == ABSENT & public
    for name in have & public:
        found = getattr(utils, name, None) or getattr(rnn, name)
        assert inspect.isfunction(found) or (inspect.ismodule(found) and inspect.ismodule(getattr(ctorch.utils, name)))
