"""Parts of a model that are not trained: what requires no gradients, and batch norms that stay in evaluation, beside
Python's."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tests.nn.net import make, raw, sequential
from tests.nn.test_nn import theirs
from tests.nn_utils.test_utils import ours, same


def net():
    torch.manual_seed(0)
    expected = nn.Sequential(
        nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU()),
        nn.Linear(6, 6),
        nn.BatchNorm1d(6),
        nn.Linear(6, 2),
    )
    mine = sequential(
        sequential(make("Linear", 4, 6), make("BatchNorm1d", 6), make("ReLU")),
        make("Linear", 6, 6),
        make("BatchNorm1d", 6),
        make("Linear", 6, 2),
    )
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    return expected, mine


def step(expected, mine):
    """One plain step of what has gradients; what has none has none in both."""
    x = torch.randn(5, 4)
    want, got = expected(x), mine(ours(x))
    assert same(got, want) and got.requires_grad == want.requires_grad
    want.square().sum().backward()
    (got * got).sum().backward()
    for (name, a), (other, b) in zip(mine.named_parameters(), expected.named_parameters(), strict=True):
        assert name == other and a.requires_grad == b.requires_grad
        assert (a.grad is None) == (b.grad is None), name
        if b.grad is not None:
            assert same(a.grad, b.grad), name
            with torch.no_grad():
                b -= 0.1 * b.grad
                theirs(a).sub_(0.1 * theirs(a.grad))
            a.grad = b.grad = None


def freeze_module(expected, mine):
    expected[0].requires_grad_(False)
    mine.get_submodule("0").requires_grad_(False)


def freeze_by_prefix(expected, mine):
    for module in (expected, mine):
        for name, p in module.named_parameters():
            if name.startswith(("0.", "1.b")):
                p.requires_grad_(False)


def freeze_statistics(expected, mine):
    freeze_module(expected, mine)
    for name, module in expected.named_modules():
        if isinstance(module, nn.BatchNorm1d):
            module.eval()
            mine.get_submodule(name).eval()


def thaw(expected, mine):
    freeze_module(expected, mine)
    step(expected, mine)
    expected.requires_grad_(True)
    mine.requires_grad_(True)


@pytest.mark.parametrize("freeze", [freeze_module, freeze_by_prefix, freeze_statistics, thaw])
def test_frozen_parts_stay_as_they_are(freeze):
    expected, mine = net()
    freeze(expected, mine)
    before = {k: v.clone() for k, v in expected.state_dict().items()}
    for _ in range(10):
        step(expected, mine)
    found, wanted = mine.state_dict(), expected.state_dict()
    assert list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)
    frozen = [name for name, p in expected.named_parameters() if not p.requires_grad]
    assert all(torch.equal(before[name], wanted[name]) for name in frozen)
    if freeze is freeze_statistics:
        assert all(torch.equal(before[name], wanted[name]) for name in wanted if "running" in name)
    else:
        assert not any(torch.equal(before[name], wanted[name]) for name in wanted if "running" in name)
    trained = sum(p.numel() for p in expected.parameters() if p.requires_grad)
    assert raw.module_num_parameters(mine.module, True) == trained


def test_no_graph_of_what_is_frozen():
    expected, mine = net()
    freeze_module(expected, mine)
    x = torch.randn(5, 4)
    inner = mine.get_submodule("0")(ours(x))
    assert not inner.requires_grad and inner.is_leaf
    assert not expected[0](x).requires_grad
    mine.requires_grad_(False)
    out = mine(ours(x))
    assert not out.requires_grad and out.is_leaf
    with pytest.raises(RuntimeError, match="does not require grad"):
        out.sum().backward()
