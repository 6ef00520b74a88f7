"""Random steps: operators with aliasing, writes in place, views, reductions and random numbers, captured and replayed.

Each step is a list of instructions, made from a seed and run by `run`. What fails is made smaller, one instruction less
at a time, and printed. More than the usual run: `TAPE_SEQUENCES=20000 TAPE_SEED=1000 pytest tests/tape/test_fuzz.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from tests.tape.capi import Tape, same

SEQUENCES = int(os.environ.get("TAPE_SEQUENCES", "600"))
SEED = int(os.environ.get("TAPE_SEED", "0"))
PARTS = 6
T = torch.Tensor


@dataclass(frozen=True)
class Instruction:
    name: str
    picks: tuple[int, ...]  # which tensors, counted from the last ones
    numbers: tuple[float, ...]  # from 0 to 1


def _dim(t: T, n: float) -> int:
    return int(n * t.dim())


def _alike(a: T, b: T) -> T:
    """Another tensor with the sizes of the first."""
    return b if b.shape == a.shape else b.reshape(-1)[:1].sum().expand(a.shape)


def _bounded(t: T) -> T:
    return torch.nan_to_num(t, 1, 2, -2).clamp(-100, 100)


def _square(t: T) -> T:
    return t.reshape(-1)[:9].sum() * torch.eye(3) + torch.ones(3, 3)


def _slice(t: T, a: float, b: float) -> T:
    d = _dim(t, a)
    size = t.shape[d]
    start = int(b * size)
    return t.narrow(d, start, size - start)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b, n, m: a + _alike(a, b) * n,
    "sub": lambda a, b, n, m: torch.sub(a, _alike(a, b), alpha=2),
    "mul": lambda a, b, n, m: a * _alike(a, b),
    "div": lambda a, b, n, m: a / (_alike(a, b).abs() + 1),
    "sigmoid": lambda a, b, n, m: a.sigmoid(),
    "tanh": lambda a, b, n, m: a.tanh(),
    "relu": lambda a, b, n, m: a.relu(),
    "gelu": lambda a, b, n, m: F.gelu(a, approximate="tanh" if n > 0.5 else "none"),
    "exp": lambda a, b, n, m: (-a.abs()).exp(),
    "bounded": lambda a, b, n, m: _bounded(a),
    "maximum": lambda a, b, n, m: torch.maximum(a, _alike(a, b)),
    "where": lambda a, b, n, m: torch.where(a > n, a, _alike(a, b)),
    "sum": lambda a, b, n, m: a.sum(_dim(a, n), keepdim=m > 0.5) if a.dim() > 1 else a + a.sum(),
    "mean": lambda a, b, n, m: a.mean(_dim(a, n), keepdim=True) if a.dim() else a.mean(),
    "max": lambda a, b, n, m: a.max(_dim(a, n), keepdim=True)[0] if a.dim() else a.max(),
    "argmax": lambda a, b, n, m: a.argmax(_dim(a, n), keepdim=True).float() if a.dim() else a,
    "sort": lambda a, b, n, m: a.sort(dim=_dim(a, n), stable=True)[0] if a.dim() else a.clone(),
    "cumsum": lambda a, b, n, m: a.cumsum(_dim(a, n)) if a.dim() else a + 1,
    "softmax": lambda a, b, n, m: a.softmax(_dim(a, n)) if a.dim() else a.softmax(0),
    "layer_norm": lambda a, b, n, m: F.layer_norm(a, a.shape[-1:]) if a.dim() else a,
    "cat": lambda a, b, n, m: torch.cat([a, _alike(a, b)], _dim(a, n))[tuple(slice(0, s) for s in a.shape)],
    "stack": lambda a, b, n, m: torch.stack([a, _alike(a, b), a]).sum(0),
    "matmul": lambda a, b, n, m: _square(a) @ _square(b),
    "linear": lambda a, b, n, m: F.linear(_square(a), _square(b), a.reshape(-1)[:1].expand(3)),
    "index": lambda a, b, n, m: a[torch.tensor([0, a.shape[0] - 1])] if a.dim() else a + 1,
    "gather": lambda a, b, n, m: a.gather(0, (a > n).long() * (a.shape[0] - 1)) if a.dim() else a + 1,
    "embedding": lambda a, b, n, m: F.embedding((a.reshape(-1)[:4] > n).long(), _square(b)),
    "double": lambda a, b, n, m: (a.double() * 1.5).float(),
    "contiguous": lambda a, b, n, m: a.contiguous(),
    "clone": lambda a, b, n, m: a.clone(),
    "zeros": lambda a, b, n, m: torch.zeros_like(a),
    "full": lambda a, b, n, m: torch.full(a.shape, n),
    "number": lambda a, b, n, m: a + torch.tensor(n),
    "dropout": lambda a, b, n, m: F.dropout(a, 0.3),
    "rand": lambda a, b, n, m: a + torch.rand(a.shape),
    "normal": lambda a, b, n, m: torch.randn_like(a) * n,
    # views
    "t": lambda a, b, n, m: a.transpose(0, -1) if a.dim() > 1 else a,
    "flat": lambda a, b, n, m: a.reshape(-1),
    "slice": lambda a, b, n, m: _slice(a, n, m) if a.dim() else a,
    "select": lambda a, b, n, m: a.select(_dim(a, n), -1) if a.dim() > 1 else a,
    "unsqueeze": lambda a, b, n, m: a.unsqueeze(0) if a.dim() < 3 else a.squeeze(),
    "step": lambda a, b, n, m: a[::2] if a.dim() else a,
    "split": lambda a, b, n, m: a.split(max(1, (a.shape[0] + 1) // 2))[-1] if a.dim() else a,
    "unsafe_split": lambda a, b, n, m: a.unsafe_split(max(1, (a.shape[0] + 1) // 2))[0] if a.dim() else a,
    "unbind": lambda a, b, n, m: a.unbind(0)[0] if a.dim() > 1 else a,
    "diagonal": lambda a, b, n, m: a.diagonal() if a.dim() == 2 else a,
    "expand": lambda a, b, n, m: a.unsqueeze(0).expand(2, *a.shape) if a.dim() < 3 else a,
    # in place
    "add_": lambda a, b, n, m: a.add_(_alike(a, b).clone(), alpha=n),
    "mul_": lambda a, b, n, m: a.mul_(_bounded(_alike(a, b)) * 0.5),
    "copy_": lambda a, b, n, m: a.copy_(_alike(a, b).clone()),
    "fill_": lambda a, b, n, m: a.fill_(n),
    "zero_": lambda a, b, n, m: a.zero_(),
    "sigmoid_": lambda a, b, n, m: a.sigmoid_(),
    "relu_": lambda a, b, n, m: a.relu_(),
    "clamp_": lambda a, b, n, m: a.clamp_(-1, n),
    "uniform_": lambda a, b, n, m: a.uniform_(),
    "bernoulli_": lambda a, b, n, m: a.bernoulli_(0.5),
    "set": lambda a, b, n, m: a.__setitem__(0, n) if a.dim() else a.fill_(m),
    "index_add_": lambda a, b, n, m: a.index_add_(0, torch.tensor([0]), a[:1].clone()) if a.dim() else a,
    "foreach_": lambda a, b, n, m: torch._foreach_add_([a, b], n) if a.data_ptr() != b.data_ptr() else a,
    "out": lambda a, b, n, m: torch.mul(a, n, out=torch.zeros(a.shape)),
    "out of a view": lambda a, b, n, m: torch.add(a.clone(), 1, out=a),
    "gradient": lambda a, b, n, m: _gradient(a, b),
}
NAMES = sorted(FUNCTIONS)


def _gradient(a: T, b: T) -> T:
    with torch.enable_grad():
        leaf = a.detach().clone().requires_grad_()
        loss = (leaf * _alike(a, b).detach().clone()).sigmoid().square().sum()
        return torch.autograd.grad(loss, leaf)[0]


def instructions(seed: int) -> list[Instruction]:
    draw = random.Random(seed)
    return [
        Instruction(
            draw.choice(NAMES),
            (min(int(draw.expovariate(0.4)), 12), draw.randrange(12)),
            (draw.random(), draw.random()),
        )
        for _ in range(draw.randrange(3, 25))
    ]


def shapes(seed: int) -> list[tuple[int, ...]]:
    draw = random.Random(-seed - 1)
    return [tuple(draw.randrange(1, 5) for _ in range(draw.randrange(4))) for _ in range(2)]


def tensors(seed: int, values: int) -> list[T]:
    generator = torch.Generator().manual_seed(values)
    return [torch.randn(shape, generator=generator) for shape in shapes(seed)]


def run(steps: list[Instruction], inputs: list[T], weight: T) -> list[T]:
    """All tensors that came about; what an operator refuses changes nothing, whatever the values are."""
    made = [*inputs, weight]
    for step in steps:
        a, b = (made[-1 - pick % len(made)] for pick in step.picks)
        overlaps = step.name.endswith("_") or step.name in ("set", "out of a view")
        if overlaps and any(s == 0 and n > 1 for n, s in zip(a.shape, a.stride())):
            continue
        if a.numel() > 200:
            a = a.reshape(-1)[:50]
        result = FUNCTIONS[step.name](a, b, *step.numbers)
        if isinstance(result, T):
            made.append(result)
    return made[len(inputs) + 1 :]


def problem(seed: int, steps: list[Instruction], replays: int = 3) -> str | None:
    """What is wrong with a replay of these instructions."""
    ours, theirs = torch.full((2, 3), 0.5), torch.full((2, 3), 0.5)
    kept = [i for i in range(len(steps)) if (seed + i) % 3 == 0]
    torch.manual_seed(seed)
    state = torch.get_rng_state()
    try:
        expected = run(steps, tensors(seed, 0), theirs)
    except (RuntimeError, IndexError):
        return None
    torch.set_rng_state(state)
    inputs = tensors(seed, 0)
    tape = Tape(*inputs, verify=seed % 2 == 0)
    made = run(steps, inputs, ours)
    kept = [i for i in kept if i < len(made)] + [len(made) - 1] * (len(made) > 0)
    try:
        places = tape.end(*(made[i] for i in kept))
    except Exception as error:
        return f"the end answers {error}"
    del made
    for k in range(1, replays + 1):
        given, wanted = tensors(seed, k), tensors(seed, k)
        if k == 2:
            given = [torch.cat([g.reshape(-1, 1)] * 2, 1)[:, 0].view_as(g).clone() for g in given]
        state = torch.get_rng_state()
        expected = run(steps, wanted, theirs)
        drawn = torch.get_rng_state()
        torch.set_rng_state(state)
        try:
            tape.replay(*given)
        except Exception as error:
            return f"replay {k} answers {error}"
        for i, place in zip(kept, places):
            if not same(place, expected[i]):
                return f"replay {k}: result {i} is {place}, not {expected[i]}"
        for i, (a, b) in enumerate(zip([*given, ours], [*wanted, theirs])):
            if not same(a, b):
                return f"replay {k}: input {i} is {a}, not {b}"
        if not torch.equal(drawn, torch.get_rng_state()):
            return f"replay {k} draws other random numbers"
    return None


def smaller(seed: int, steps: list[Instruction]) -> list[Instruction]:
    """Without the instructions that are not needed to fail."""
    i = 0
    while i < len(steps):
        fewer = steps[:i] + steps[i + 1 :]
        if problem(seed, fewer) is not None:
            steps, i = fewer, 0
        else:
            i += 1
    return steps


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
@pytest.mark.parametrize("part", range(PARTS))
def test_random_steps_are_replayed_as_they_were(part, mode):
    failures = []
    with mode():
        for seed in range(SEED + part, SEED + SEQUENCES // 3, PARTS):
            steps = instructions(seed)
            if problem(seed, steps) is not None:
                least = smaller(seed, steps)
                failures.append(f"seed {seed}, {shapes(seed)}: {least}: {problem(seed, least)}")
    assert not failures, "\n".join(failures[:5])


def test_most_random_steps_run():
    def runs(seed: int) -> bool:
        try:
            run(instructions(seed), tensors(seed, 0), torch.full((2, 3), 0.5))
        except (RuntimeError, IndexError):
            return False
        return True

    with torch.no_grad():
        assert sum(map(runs, range(200))) > 140
