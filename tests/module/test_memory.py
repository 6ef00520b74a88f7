"""Memory at its peak, forward and backward, is no more than Python's: every class, whole models, a deep network.

ctorch counts what either allocates for tensors on the CPU (ctorch_memory_record_cpu), to the byte.
"""

from __future__ import annotations

import gc
import warnings

import pytest
import torch

from tests.nn.compare import across, copied, ctorch, flat, one_thread, ours, raw
from tests.nn.models import MODELS
from tests.nn.test_database import DATABASE, arguments, samples

MOST = 60  # samples of a class that are run


@pytest.fixture(scope="module", autouse=True)
def counted():
    raw.memory_record_cpu(True)
    yield
    raw.memory_record_cpu(False)


def allocated(what: str) -> int:
    return raw.memory_stats_find(raw.memory_stats_of_device(None), f"allocated_bytes.all.{what}")


def peak(run) -> int:
    """By how much the memory of tensors grew at most."""
    raw.memory_reset_peak_stats(None)
    before = allocated("current")
    run()
    return allocated("peak") - before


def backward(t, result) -> None:
    """From the first output that has a graph, which the others then need not have."""
    for tensor in flat(result):
        if isinstance(tensor, t.Tensor) and tensor.requires_grad:
            tensor.sum().backward()
            return


def run(t, module, args, keywords, trains) -> None:
    if trains:
        backward(t, module(*args, **keywords))
    else:
        with t.no_grad():
            module(*args, **keywords)


def compare(wanted, mine, args, keywords, trains) -> None:
    """Twice: what is set up at the first call is no part of it."""
    for _ in range(2):
        given = copied(tuple(args)), {k: copied(v) for k, v in keywords.items()}
        own = across(tuple(args)), {k: across(v) for k, v in keywords.items()}
        most = peak(lambda: run(torch, wanted, *given, trains))
        most_of_mine = peak(lambda: run(ctorch, mine, *own, trains))
        for parameter in (*wanted.parameters(), *mine.parameters()):
            parameter.grad = None
    assert most_of_mine <= most


def test_what_is_kept_counts():
    kept = []
    assert peak(lambda: torch.ones(1000).sum()) == peak(lambda: ctorch.ones(1000).sum()) == 4004
    assert peak(lambda: kept.append(ctorch.ones(1000).abs())) == 8000


@pytest.mark.turns(9)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("name", DATABASE)
@one_thread()
def test_class(name, training):
    gc.collect()
    found = [sample for sample in samples(DATABASE[name], training) if sample.forward_input is not None]
    for sample in found[:: len(found) // MOST + 1]:
        given, forward = sample.constructor_input, sample.forward_input
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            args, options = arguments(name, given)
            torch.manual_seed(3)
            wanted = getattr(torch.nn, name)(*given.args, **given.kwargs).to(torch.float32).train(training)
            torch.manual_seed(3)
            mine = getattr(ctorch.nn, name)(*args, **options).to(ctorch.float32).train(training)
            for trains in (False, True):
                compare(wanted, mine, forward.args, forward.kwargs, trains)


@pytest.mark.turns
@pytest.mark.parametrize("name", MODELS)
@one_thread()
def test_model(name):
    gc.collect()
    model, nets = MODELS[name], []
    for t in (torch, ctorch):
        torch.manual_seed(11)
        nets.append(model.build(t))
    torch.manual_seed(3)
    batch = model.batch()

    def most(t, net, batch, trains):
        torch.manual_seed(0)
        return peak(lambda: run(t, lambda: model.loss(t, net, *batch), (), {}, trains))

    for trains in (False, True):
        for _ in range(2):
            wanted = most(torch, nets[0], batch, trains)
            mine = most(ctorch, nets[1], [ours(x) for x in batch], trains)
            for net in nets:
                net.zero_grad()
        assert mine <= wanted, trains


def deep(t):
    nn = t.nn
    layers = [nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.Tanh()]
    for _ in range(15):
        layers += [nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.Tanh()]
    return nn.Sequential(*layers)


@one_thread()
def test_a_deep_network():
    x = torch.randn(1, 4, 256, 256, requires_grad=True)  # a MiB
    for trains in (False, True):
        compare(*(deep(t).train(trains) for t in (torch, ctorch)), (x,), {}, trains)


def test_inference_keeps_two_activations():
    """The one that a layer is applied to, and the one that it gives."""
    x = torch.randn(256, 1024)
    for t, given in ((torch, x), (ctorch, ours(x))):
        net = t.nn.Sequential(*[t.nn.Tanh() for _ in range(40)])
        assert peak(lambda: run(t, net, (given,), {}, False)) == 2 << 20
