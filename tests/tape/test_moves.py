"""Copies, fills and lookups by loops of ctorch's own: in plain tapes too, for they are the same bit for bit."""

from __future__ import annotations

import pytest
import torch

from tests.tape.capi import CtorchError, assert_same, capture

torch.manual_seed(0)
SPECIAL = torch.tensor([0x7FC00001, 0x7F800001, -0x80000000, 0x00000001, 0x7F800000], dtype=torch.int32).view(
    torch.float32
)
DTYPES = [
    torch.float32,
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
]


def made(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    return (4 * torch.randn(shape, dtype=torch.complex64 if dtype.is_complex else torch.float32)).to(dtype)


def replayed(step, *inputs: torch.Tensor) -> None:
    """Two replays with what stands behind the first half of the inputs."""
    first, later = inputs[: len(inputs) // 2], inputs[len(inputs) // 2 :]
    tape, found = capture(step, *(i.clone() for i in first))
    for given in (later, first):
        tape.replay(*(i.clone() for i in given))
        expected = step(*(i.clone() for i in given))
        assert_same(found, [expected])
    assert "move" in tape.ways(), tape.text()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "view",
    [
        lambda t: t,
        lambda t: t.t(),
        lambda t: t[1:, ::2],
        lambda t: t[:, :1].expand(5, 6),
        lambda t: t[0].expand(4, 6),
        lambda t: t[:0],
        lambda t: t.reshape(5, 2, 3).permute(2, 0, 1),
    ],
    ids=["dense", "transposed", "strided", "repeated", "row by row", "empty", "three dimensions"],
)
def test_copies(view, dtype):
    replayed(
        lambda t: view(t).clone(memory_format=torch.contiguous_format), made(5, 6, dtype=dtype), made(5, 6, dtype=dtype)
    )


def test_the_bits_of_special_values_are_kept():
    replayed(lambda t: t.clone(), torch.zeros(5), SPECIAL)
    replayed(lambda t: torch.zeros(5, 5).copy_(t), torch.zeros(5), SPECIAL)


@pytest.mark.parametrize("to", DTYPES, ids=str)
@pytest.mark.parametrize("of", [torch.float32, torch.int64, torch.bool, torch.float64], ids=str)
def test_conversions(of, to):
    if of == to:
        pytest.skip("nothing is converted")
    replayed(
        lambda t: t.to(to), made(3, 7, dtype=torch.float32).abs().to(of), made(3, 7, dtype=torch.float32).abs().to(of)
    )


@pytest.mark.parametrize("number", [0, 0.0, -0.0, 1, 2.5, -3, float("nan"), float("inf"), 16777217])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
def test_fills(dtype, number):
    def step(t: torch.Tensor) -> torch.Tensor:
        filled = t.clone()
        filled[1:, ::2].fill_(number)
        return torch.cat([filled, t.clone().fill_(number)])

    replayed(step, made(3, 4, dtype=dtype), made(3, 4, dtype=dtype))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64], ids=str)
def test_lookups(dtype):
    tables = [made(7, 5, dtype=dtype) for _ in range(2)]
    rows = [torch.tensor([6, 0, 6, 3]), torch.tensor([1, 1, 5, 0])]
    columns = [torch.tensor([4, 0]), torch.tensor([1, 3])]
    both = [torch.tensor([[4, 0], [1, 1], [2, 3]]), torch.tensor([[0, 4], [3, 2], [1, 1]])]
    replayed(lambda t, i: t.index_select(0, i), tables[0], rows[0], tables[1], rows[1])
    replayed(lambda t, i: t.index_select(1, i), tables[0], columns[0], tables[1], columns[1])
    replayed(lambda t, i: torch.embedding(t, i), tables[0], rows[0], tables[1], rows[1])
    replayed(lambda t, i: t.clone().index_copy_(1, i, t[:, 1:3] + 1), tables[0], columns[0], tables[1], columns[1])
    replayed(lambda t, i: t.clone()[:3].gather(1, i), tables[0], both[0], tables[1], both[1])


@pytest.mark.parametrize("index", [7, -1, 2**40, -(2**40)])
def test_an_index_out_of_range_is_an_error(index):
    table = torch.randn(7, 5)
    for step in (
        lambda i: table.index_select(0, i),
        lambda i: torch.embedding(table, i),
        lambda i: torch.zeros(7, 5).index_copy_(0, i, table[:2]),
        lambda i: table[:2].gather(1, i.view(2, 1)),
    ):
        tape, _ = capture(step, torch.tensor([1, 2]))
        with pytest.raises(CtorchError) as caught:
            tape.replay(torch.tensor([1, index]))
        assert caught.value.kind == "INDEX"


def test_products_of_which_the_first_matrix_is_the_bias_itself():
    """Where the bias is an input, broadcast, transposed or weighed, and where it is what the step made before."""
    a, b = made(3, 4, dtype=torch.float32), made(3, 4, dtype=torch.float32)
    weight = torch.randn(4, 6)
    for bias in (
        torch.randn(6),
        torch.randn(3, 6),
        torch.randn(6, 3).t(),
        torch.randn(1, 6),
        torch.randn(3, 1),
        torch.randn(()),
    ):
        for beta, alpha in ((1, 1), (0.5, 2), (0, 1), (-1, 0.25)):
            step = lambda t: torch.addmm(bias, t, weight, beta=beta, alpha=alpha)  # noqa: B023, E731
            tape, found = capture(step, a.clone())
            tape.replay(b)
            assert_same(found, [step(b)])
    tape, found = capture(lambda t: torch.addmm(t[:, :3], t, weight[:, :3]), a.clone())
    tape.replay(b)
    assert_same(found, [torch.addmm(b[:, :3], b, weight[:, :3])])
    batch = torch.randn(2, 4, 6)
    for bias in (torch.randn(6), torch.randn(2, 3, 6), torch.randn(3, 1)):
        tape, found = capture(lambda t: torch.baddbmm(bias, t.expand(2, 3, 4), batch, beta=0.5), a.clone())  # noqa: B023
        tape.replay(b)
        assert_same(found, [torch.baddbmm(bias, b.expand(2, 3, 4), batch, beta=0.5)])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.complex64], ids=str)
def test_numbers_and_whole_sums(dtype):
    steps = [
        lambda t: t + 3,
        lambda t: t - 3,
        lambda t: t * 3,
        lambda t: t / 3,
        lambda t: torch.add(t, 2, alpha=3),
        lambda t: torch.sub(t, 2, alpha=3),
        lambda t: torch.rsub(t, 2, alpha=3),
        lambda t: torch.rsub(t, t * 2),
        lambda t: t.clone().add_(2, alpha=3).sub_(1).mul_(5),
        lambda t: t.sum(),
        lambda t: t.sum(dtype=torch.complex128 if dtype.is_complex else torch.float64),
    ]
    if dtype != torch.complex64:
        steps += [lambda t: torch.div(t, 3, rounding_mode="floor"), lambda t: torch.div(t, 3, rounding_mode="trunc")]
    if dtype != torch.int64:
        steps += [lambda t: t.mean(), lambda t: t.clone().div_(3), lambda t: t * 2.5 + 0.1]
    for step in steps:
        a, b = made(4, 33, dtype=dtype), made(4, 33, dtype=dtype)
        tape, found = capture(step, a.clone())
        tape.replay(b)
        assert_same(found, [step(b)])
