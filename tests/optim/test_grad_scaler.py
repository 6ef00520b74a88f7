"""GradScaler beside Python's: the same factors, gradients, parameters and states, step by step, with gradients that are
not finite now and then."""

from __future__ import annotations

import copy
import itertools
import math
import os
import warnings

import pytest
import torch

from tests.nn.test_nn import ctorch, raw, theirs
from tests.optim.compare import Pair, across, back, from_value, ours, same, to_value

STEPS = 40
STATE = {"growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 3}


class Scalers:
    """The same scaler twice."""

    def __init__(self, init_scale=2.0**10, enabled=True, device="cpu", **kwargs):
        given = {"init_scale": init_scale, **STATE, **kwargs}
        self.torch = torch.amp.GradScaler(device, enabled=enabled, **given)
        self.ctorch = raw.grad_scaler_new(device, *given.values(), enabled)

    def state(self):
        return from_value(raw.grad_scaler_state_dict(self.ctorch))

    def check(self, where=""):
        assert self.state() == self.torch.state_dict(), where
        assert raw.grad_scaler_get_scale(self.ctorch) == self.torch.get_scale(), where
        assert [type(v) for v in self.state().values()] == [type(v) for v in self.torch.state_dict().values()]

    def scale(self, loss):
        return self.torch.scale(loss), raw.grad_scaler_scale(self.ctorch, ours(loss))

    def unscale(self, pair):
        self.torch.unscale_(pair.torch)
        raw.grad_scaler_unscale_(self.ctorch, pair.ctorch)

    def step(self, pair):
        self.torch.step(pair.torch)
        raw.grad_scaler_step(self.ctorch, pair.ctorch)

    def update(self, new_scale=None):
        self.torch.update(new_scale)
        if isinstance(new_scale, torch.Tensor):
            raw.grad_scaler_update_tensor(self.ctorch, ours(new_scale))
        else:
            raw.grad_scaler_update(self.ctorch, new_scale)


def parameters(seed=2):
    torch.manual_seed(seed)
    return [torch.randn(4, 3, requires_grad=True), torch.randn(3, requires_grad=True)]


def pair_of(name, seed=2, **kwargs):
    return Pair(name, parameters(seed), **kwargs)


def gradients(pair, scale, bad=None, seed=0):
    """Scaled gradients; one of them is not finite if `bad` says so."""
    generator = torch.Generator().manual_seed(seed)
    grads = [scale * torch.randn(p.shape, generator=generator) for p in pair.torch_params]
    if bad is not None:
        grads[seed % len(grads)].view(-1)[1] = bad
    return grads


def check_gradients(pair, where):
    for i, (p, q) in enumerate(zip(pair.torch_params, pair.ctorch_params)):
        if p.grad is not None:
            same(p.grad, theirs(q.grad), f"{where}gradient {i}")


BAD = [None, None, math.inf, None, None, None, math.nan, None, -math.inf, math.inf]
OPTIMIZERS = {
    "SGD": ("SGD", {"lr": 0.1, "momentum": 0.9, "foreach": False}),
    "SGD fused": ("SGD", {"lr": 0.1, "momentum": 0.9, "fused": True}),
    "Adam": ("Adam", {"lr": 0.01, "foreach": False}),
    "Adam fused": ("Adam", {"lr": 0.01, "fused": True}),
    "AdamW foreach": ("AdamW", {"lr": 0.01, "foreach": True}),
    "AdamW fused": ("AdamW", {"lr": 0.01, "fused": True, "amsgrad": True}),
}


@pytest.mark.parametrize("unscales", [False, True], ids=["step alone", "unscale_ and clip"])
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_trajectories(kind, unscales):
    name, kwargs = OPTIMIZERS[kind]
    scalers, pair = Scalers(), pair_of(name, **kwargs)
    for i in range(STEPS):
        where = f"step {i}: "
        same(scalers.scale(torch.tensor(0.5))[0], theirs(scalers.scale(torch.tensor(0.5))[1]), where)
        pair.give([g.clone() for g in gradients(pair, scalers.torch.get_scale(), BAD[i % len(BAD)], i)])
        if unscales:
            scalers.unscale(pair)
            check_gradients(pair, f"{where}unscaled ")
            torch.nn.utils.clip_grad_norm_(pair.torch_params, 1.0)
            ctorch.utils.clip_grad_norm_(pair.ctorch_params, 1.0)
        scalers.step(pair)
        check_gradients(pair, where)
        pair.check(where)
        scalers.update()
        scalers.check(where)


def test_whole_steps_with_backward_and_accumulation():
    scalers, pair = Scalers(init_scale=8.0), pair_of("SGD", lr=0.05, foreach=False)
    x = torch.randn(5, 4)
    own = ours(x)
    for i in range(12):
        for _ in range(2):  # two batches, one step
            loss = (x @ pair.torch_params[0] + pair.torch_params[1]).pow(2).mean() / 2
            scalers.torch.scale(loss).backward()
            product = ctorch.aten.add(ctorch.aten.matmul(own, pair.ctorch_params[0]), pair.ctorch_params[1])
            mine = ctorch.aten.div(ctorch.aten.mean(ctorch.aten.pow(product, 2)), 2)
            raw.tensor_backward(raw.grad_scaler_scale(scalers.ctorch, mine), None, None, False)
        check_gradients(pair, f"step {i}: ")
        scalers.step(pair)
        scalers.update()
        pair.check(f"step {i}: ")
        scalers.check(f"step {i}: ")
        pair.torch.zero_grad()
        raw.optimizer_zero_grad(pair.ctorch, True)


def test_several_optimizers():
    scalers = Scalers()
    pairs = [pair_of("SGD", 1, lr=0.1, foreach=False), pair_of("Adam", 2, lr=0.01, fused=True)]
    for i in range(30):
        scalers.scale(torch.tensor(1.0))
        for j, pair in enumerate(pairs):
            bad = BAD[i % len(BAD)] if i % 2 == j else None
            pair.give([g.clone() for g in gradients(pair, scalers.torch.get_scale(), bad, i + j)])
        if i % 3 == 0:
            scalers.unscale(pairs[0])
        for pair in pairs:
            scalers.step(pair)
            pair.check(f"step {i}: ")
        scalers.update()
        scalers.check(f"step {i}: ")


def test_gradients_of_several_dtypes_and_none():
    torch.manual_seed(1)
    dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.float32)
    pair = Pair("SGD", [torch.randn(3, dtype=d, requires_grad=True) for d in dtypes], lr=0.1, foreach=False)
    scalers = Scalers()
    for i in range(10):
        scalers.scale(torch.tensor(1.0))
        grads = [scalers.torch.get_scale() * torch.randn(3).to(d) for d in dtypes]
        grads[-1] = None
        if i % 4 == 2:
            grads[i % 3][0] = math.inf
        pair.give(grads)
        scalers.step(pair)
        check_gradients(pair, f"step {i}: ")
        scalers.update()
        pair.check(f"step {i}: ")
        scalers.check(f"step {i}: ")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
def test_sparse_gradients(dtype):
    weight = torch.zeros(5, 2, dtype=dtype, requires_grad=True)
    pair = Pair("SGD", [weight], lr=0.1, foreach=False)
    scalers = Scalers()
    for i in range(6):
        scalers.scale(torch.tensor(1.0))
        values = torch.full((3, 2), 40000.0 if i == 3 else 512.0, dtype=dtype)
        grad = torch.sparse_coo_tensor(torch.tensor([[1, 1, 4]]), values, (5, 2))
        pair.torch_params[0].grad = grad
        pair.ctorch_params[0].grad = ours(grad)
        if dtype == torch.float16:
            with pytest.raises(ValueError):
                scalers.torch.step(pair.torch)
            with pytest.raises(ValueError, match="float16"):
                raw.grad_scaler_step(scalers.ctorch, pair.ctorch)
            return
        scalers.step(pair)
        scalers.update()
        pair.check(f"step {i}: ")
        scalers.check(f"step {i}: ")


def test_sparse_gradients_of_float16_are_added_up_before_they_are_looked_at():
    """That is for optimizers whose kernels unscale; they refuse sparse gradients afterwards, in both."""
    weight = torch.zeros(5, 2, dtype=torch.float16, requires_grad=True)
    pair = Pair("Adam", [weight], lr=0.1, fused=True)
    scalers = Scalers()
    scalers.scale(torch.tensor(1.0))
    grad = torch.sparse_coo_tensor(torch.tensor([[1, 1]]), torch.full((2, 2), 40000.0, dtype=torch.float16), (5, 2))
    pair.torch_params[0].grad = grad
    pair.ctorch_params[0].grad = ours(grad)
    with pytest.raises(RuntimeError):
        scalers.torch.step(pair.torch)
    with pytest.raises(RuntimeError, match="sparse"):
        raw.grad_scaler_step(scalers.ctorch, pair.ctorch)
    assert pair.torch_params[0].grad.is_coalesced() and ctorch.aten.is_coalesced(pair.ctorch_params[0].grad)
    scalers.update()
    scalers.check()
    assert raw.grad_scaler_get_scale(scalers.ctorch) == 2.0**9


def test_lists_of_outputs():
    scalers = Scalers(init_scale=4.0)
    x = torch.tensor([1.0, 2.0])
    outputs = [x, (x + 1, [x * 2])]
    expected = scalers.torch.scale(outputs)
    got = back(from_value(raw.grad_scaler_scale_value(scalers.ctorch, to_value(across(outputs)))))
    same(expected, got, "outputs")
    assert type(got[1]) is tuple and type(got[1][1]) is list
    got = back(from_value(raw.grad_scaler_scale_value(scalers.ctorch, to_value({"loss": ours(x)}))))
    same({"loss": x * 4}, got, "a dict")
    with pytest.raises(ValueError):
        scalers.torch.scale([x, 4])
    with pytest.raises(ValueError, match="outputs"):
        raw.grad_scaler_scale_value(scalers.ctorch, to_value([ours(x), 4]))
    own = to_value([ours(x)])
    disabled = raw.grad_scaler_new("cpu", 4.0, 2.0, 0.5, 1, False)
    same([x], back(from_value(raw.grad_scaler_scale_value(disabled, own))), "disabled")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16], ids=str)
def test_dtypes_of_outputs(dtype):
    scalers = Scalers(init_scale=3.3)
    x = torch.tensor([1.5, -2.25], dtype=dtype)
    expected, got = scalers.scale(x)
    same(expected, theirs(got), "outputs")
    scalars = torch.tensor(0.7, dtype=dtype)
    expected, got = scalers.scale(scalars)
    same(expected, theirs(got), "a number")


@pytest.mark.parametrize("growth, backoff, interval", [*itertools.product([1.5, 2.0], [0.25, 0.9], [1, 4])])
def test_factors(growth, backoff, interval):
    scalers = Scalers(growth_factor=growth, backoff_factor=backoff, growth_interval=interval)
    pair = pair_of("SGD", lr=0.1, foreach=False)
    for i in range(20):
        scalers.scale(torch.tensor(1.0))
        pair.give(gradients(pair, 1.0, BAD[i % len(BAD)], i))
        scalers.step(pair)
        scalers.update()
        scalers.check(f"step {i}: ")


def test_factors_that_are_changed_and_factors_that_are_given():
    scalers, pair = Scalers(), pair_of("SGD", lr=0.1, foreach=False)
    for i in range(12):
        scalers.scale(torch.tensor(1.0))
        pair.give(gradients(pair, 1.0, BAD[i % len(BAD)], i))
        scalers.step(pair)
        if i == 3:
            scalers.torch.set_growth_factor(3.0)
            raw.grad_scaler_set_growth_factor(scalers.ctorch, 3.0)
            scalers.torch.set_backoff_factor(0.1)
            raw.grad_scaler_set_backoff_factor(scalers.ctorch, 0.1)
            scalers.torch.set_growth_interval(1)
            raw.grad_scaler_set_growth_interval(scalers.ctorch, 1)
        scalers.update({5: 77.7, 7: torch.tensor(123.4)}.get(i))
        scalers.check(f"step {i}: ")
        assert raw.grad_scaler_get_growth_factor(scalers.ctorch) == scalers.torch.get_growth_factor()
        assert raw.grad_scaler_get_backoff_factor(scalers.ctorch) == scalers.torch.get_backoff_factor()
        assert raw.grad_scaler_get_growth_interval(scalers.ctorch) == scalers.torch.get_growth_interval()
    for bad in (torch.ones(2), torch.ones(1, requires_grad=True), torch.ones(1, device="meta")):
        with pytest.raises(AssertionError):
            scalers.torch.update(bad)
        own = ours(bad) if bad.device.type == "cpu" else ctorch.aten.empty([1], device="meta")
        with pytest.raises(ValueError, match="new_scale"):
            raw.grad_scaler_update_tensor(scalers.ctorch, own)


def test_a_state_saved_in_one_continues_in_the_other():
    first, pair = Scalers(), pair_of("SGD", lr=0.1, foreach=False)

    def run(scalers, steps):
        for i in range(steps):
            scalers.scale(torch.tensor(1.0))
            pair.give(gradients(pair, 1.0, BAD[i % len(BAD)], i))
            scalers.step(pair)
            scalers.update()
            scalers.check(f"step {i}: ")

    first.check("new: ")
    run(first, 5)
    for begun in (False, True):
        second = Scalers(init_scale=1.0)
        if begun:
            second.scale(torch.tensor(1.0))
        own = copy.deepcopy(first.state())
        raw.grad_scaler_load_state_dict(second.ctorch, to_value(first.torch.state_dict()))
        second.torch.load_state_dict(own)
        second.check("loaded: ")
        run(second, 8)


def test_stages():
    scalers, pair = Scalers(), pair_of("SGD", lr=0.1, foreach=False)
    other = pair_of("SGD", 5, lr=0.1, foreach=False)

    def both(theirs_, own, kind, code, text):
        with pytest.raises(kind):
            theirs_()
        with pytest.raises(code, match=text):
            own()

    s, c = scalers.torch, scalers.ctorch
    for theirs_, own in (
        (lambda: s.step(pair.torch), lambda: raw.grad_scaler_step(c, pair.ctorch)),
        (lambda: s.unscale_(pair.torch), lambda: raw.grad_scaler_unscale_(c, pair.ctorch)),
        (s.update, lambda: raw.grad_scaler_update(c, None)),
    ):
        both(theirs_, own, AssertionError, ValueError, "nothing was scaled")
    scalers.scale(torch.tensor(1.0))
    both(s.update, lambda: raw.grad_scaler_update(c, None), AssertionError, ValueError, "no optimizer")
    both(
        lambda: s.step(pair.torch), lambda: raw.grad_scaler_step(c, pair.ctorch), AssertionError, ValueError, "gradient"
    )
    scalers = Scalers()
    s, c = scalers.torch, scalers.ctorch
    scalers.scale(torch.tensor(1.0))
    for one in (pair, other):
        one.give(gradients(one, 1.0))
    scalers.unscale(pair)
    both(
        lambda: s.unscale_(pair.torch), lambda: raw.grad_scaler_unscale_(c, pair.ctorch),
        RuntimeError, RuntimeError, "have been unscaled",
    )  # fmt: skip
    scalers.unscale(other)
    scalers.step(pair)
    both(
        lambda: s.step(pair.torch), lambda: raw.grad_scaler_step(c, pair.ctorch), RuntimeError, RuntimeError, "stepped"
    )
    both(
        lambda: s.unscale_(pair.torch), lambda: raw.grad_scaler_unscale_(c, pair.ctorch),
        RuntimeError, RuntimeError, "before its step",
    )  # fmt: skip
    scalers.update()
    scalers.unscale(pair)
    closure = lambda: None  # noqa: E731
    both(
        lambda: s.step(pair.torch, closure=closure), lambda: raw.grad_scaler_step_closure(c, pair.ctorch, closure),
        RuntimeError, RuntimeError, "closure",
    )  # fmt: skip


def test_disabled():
    scalers, pair = Scalers(enabled=False), pair_of("SGD", lr=0.1, foreach=False)
    assert not raw.grad_scaler_is_enabled(scalers.ctorch) and not scalers.torch.is_enabled()
    for i in range(4):
        same(*(theirs(t) if not isinstance(t, torch.Tensor) else t for t in scalers.scale(torch.tensor(0.5))), "loss")
        pair.give(gradients(pair, 1.0, seed=i))
        scalers.unscale(pair)
        scalers.step(pair)
        scalers.update()
        pair.check(f"step {i}: ")
    scalers.check()
    raw.grad_scaler_load_state_dict(scalers.ctorch, to_value({}))
    with pytest.raises(AttributeError):
        scalers.torch.get_growth_factor()
    with pytest.raises(IndexError, match="growth_factor"):
        raw.grad_scaler_get_growth_factor(scalers.ctorch)
    raw.grad_scaler_set_growth_factor(scalers.ctorch, 4.0)
    assert raw.grad_scaler_get_growth_factor(scalers.ctorch) == 4.0
    calls = []
    raw.grad_scaler_step_closure(scalers.ctorch, pair.ctorch, lambda: calls.append(1))
    assert calls == [1]


def test_bad_arguments():
    for growth, backoff in ((1.0, 0.5), (2.0, 1.0)):
        with pytest.raises(AssertionError):
            torch.amp.GradScaler("cpu", growth_factor=growth, backoff_factor=backoff)
        with pytest.raises(ValueError, match="factor"):
            raw.grad_scaler_new("cpu", 1.0, growth, backoff, 1, True)
        raw.grad_scaler_new("cpu", 1.0, growth, backoff, 1, False)
    scaler = Scalers().ctorch
    state = from_value(raw.grad_scaler_state_dict(scaler))
    for bad, kind, text in (
        ({}, RuntimeError, "empty"),
        ({k: v for k, v in state.items() if k != "scale"}, IndexError, "scale"),
        ({**state, "growth_interval": 1.5}, TypeError, "growth_interval"),
        ({**state, "scale": "x"}, TypeError, "scale"),
        ([1], TypeError, "dict"),
    ):
        with pytest.raises(kind, match=text):
            raw.grad_scaler_load_state_dict(scaler, to_value(bad))
        assert from_value(raw.grad_scaler_state_dict(scaler)) == state


@pytest.mark.skipif(torch.cuda.is_available() or os.environ.get("CTORCH_PRETENDED_CUDA"), reason="there is CUDA")
def test_without_cuda_a_scaler_for_it_is_disabled_with_a_warning():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        theirs_ = torch.amp.GradScaler("cuda")
        own = raw.grad_scaler_new(None, 1.0, 2.0, 0.5, 1, True)
    assert len(caught) == 2 and all("CUDA" in str(w.message) for w in caught)
    assert not theirs_.is_enabled() and not raw.grad_scaler_is_enabled(own)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA")
def test_on_cuda():
    scaler, own = torch.amp.GradScaler("cuda", **STATE), raw.grad_scaler_new("cuda", 2.0**16, 2.0, 0.5, 3, True)
    pair = Pair("Adam", [torch.zeros(3, device="cuda", requires_grad=True)], lr=0.1, fused=True)
    for i in range(20):
        scaler.scale(torch.ones((), device="cuda"))
        raw.grad_scaler_scale(own, ours(torch.ones((), device="cuda")))
        grad = torch.full((3,), math.inf if i % 5 == 2 else 3.0, device="cuda")
        pair.give([grad])
        scaler.step(pair.torch), raw.grad_scaler_step(own, pair.ctorch)
        scaler.update(), raw.grad_scaler_update(own, None)
        pair.check(f"step {i}: ")
        assert from_value(raw.grad_scaler_state_dict(own)) == scaler.state_dict()
