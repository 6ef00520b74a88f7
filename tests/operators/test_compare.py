"""The comparison of test_values.py sees each kind of difference that it claims to see."""

import pytest
import torch

from tests.operators import compare


def nan(bits: int) -> torch.Tensor:
    return torch.tensor([bits], dtype=torch.int32).view(torch.float32)


DIFFERENT = {
    "value": (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 3.0])),
    "sign of zero": (torch.tensor([0.0]), torch.tensor([-0.0])),
    "payload of a nan": (nan(0x7FC00000), nan(0x7FC00001)),
    "dtype": (torch.zeros(2, dtype=torch.int32), torch.zeros(2, dtype=torch.int64)),
    "shape": (torch.zeros(1, 2), torch.zeros(2, 1)),
    "strides": (torch.ones(3, 3), torch.ones(3, 3).t()),
    "storage offset": (torch.zeros(4)[:2], torch.zeros(4)[1:3]),
    "storage size": (torch.zeros(2), torch.zeros(4)[:2]),
    "conj bit": (torch.zeros(1, dtype=torch.complex64), torch.zeros(1, dtype=torch.complex64).conj()),
    "requires_grad": (torch.zeros(1), torch.zeros(1, requires_grad=True)),
    "grad_fn": (torch.zeros(1, requires_grad=True) * 2, torch.zeros(1, requires_grad=True) + 2),
    "version": (torch.zeros(1), torch.zeros(1).add_(0)),
    "view": (torch.zeros(2), torch.zeros(2).view(2)),
    "layout": (torch.eye(2), torch.eye(2).to_sparse()),
    "sparse values": (torch.eye(2).to_sparse(), (2 * torch.eye(2)).to_sparse()),
    "coalesced": (torch.eye(2).to_sparse(), torch.eye(2).to_sparse()._coalesced_(False)),
    "device": (torch.zeros(2), torch.zeros(2, device="meta")),
    "undefined": (torch.zeros(1), None),
    "quantizer": tuple(torch.quantize_per_tensor(torch.zeros(2), s, 0, torch.quint8) for s in (0.1, 0.2)),
    "number": (1.0, 2.0),
    "type of a number": (1, 1.0),
    "truth and number": (1, True),
    "length of a list": ([torch.zeros(1)], [torch.zeros(1), torch.zeros(1)]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_a_difference_is_seen(pair):
    ours, theirs = (compare.observe([value], {}, []) for value in pair)
    assert compare.difference(ours, theirs) is not None
    assert compare.difference(ours, ours) is None


def test_the_first_difference_is_named():
    ours, theirs = (compare.observe([torch.tensor([x])], {}, []) for x in (1, 2))
    assert compare.difference(ours, theirs).startswith("results[0].data[4]: ctorch 01")


def test_a_copy_is_not_an_alias():
    x = torch.zeros(3)
    alias, copy, same = (compare.observe([r], {"self": x}, []) for r in (x.view(3), x.clone(), x))
    assert [o["sharing"] for o in (alias, copy, same)] == [[["shared"]], [[""]], [["same"]]]


def test_results_that_share_memory_are_seen():
    whole = torch.zeros(4)
    shared = compare.observe(list(whole.split(2)), {}, [])
    separate = compare.observe([whole[:2], torch.zeros(2)], {}, [])
    assert (shared["sharing among results"], separate["sharing among results"]) == ([0, 0], [0, 1])


def test_a_changed_argument_is_seen():
    before, after = (compare.observe([], {"self": x}, []) for x in (torch.zeros(2), torch.ones(2)))
    assert "arguments.self" in compare.difference(after, before)


def test_bytes_that_are_addresses_are_left_out():
    ours, theirs = (compare.observe([torch.tensor([x])], {}, ["0"]) for x in (1, 2))
    assert compare.difference(ours, theirs) is None


def test_a_reference_too_many_is_seen():
    x = torch.zeros(2)
    before = compare.reference_counts([x])
    view = x.detach()  # holds the storage
    assert view is not x
    assert compare.reference_counts([x]) != before
