"""Whole models: inference with fresh inputs, and a hundred steps of training beside an eager twin, bit for bit."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tests.tape.capi import assert_same, capture, refusal, same

STEPS = 100


def batch(*shape: int, dtype: torch.dtype = torch.float32) -> Callable[[], list[torch.Tensor]]:
    return lambda: [torch.randn(shape).to(dtype)]


def words(*shape: int) -> Callable[[], list[torch.Tensor]]:
    return lambda: [torch.randint(20, shape)]


class Recurrent(nn.Module):
    def __init__(self, made: nn.Module):
        super().__init__()
        self.made, self.head = made, nn.Linear(8 * (2 if made.bidirectional else 1), 3)

    def forward(self, x):
        return self.head(self.made(x)[0][:, -1])


class Cells(nn.Module):
    def __init__(self, cell: type[nn.Module]):
        super().__init__()
        self.cell, self.head = cell(5, 8), nn.Linear(8, 3)

    def forward(self, x):
        state = None
        for t in range(x.shape[1]):
            state = self.cell(x[:, t], state)
        return self.head(state[0] if isinstance(state, tuple) else state)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(4, 4, 3, padding=1, groups=4), nn.Conv2d(4, 4, 1)
        self.norm, self.head = nn.BatchNorm2d(4), nn.Linear(4, 3)

    def forward(self, x):
        x = x + F.hardswish(self.norm(self.second(F.silu(self.first(x)))))
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Language(nn.Module):
    """Causal attention over words, as a small GPT has it."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(20, 16), nn.Embedding(6, 16)
        self.project, self.out, self.head = nn.Linear(16, 48), nn.Linear(16, 16), nn.Linear(16, 20)
        self.norms = nn.ModuleList(nn.LayerNorm(16) for _ in range(2))
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, i):
        x = self.words(i) + self.places(torch.arange(i.shape[1]))
        q, k, v = (t.view(*i.shape, 2, 8).transpose(1, 2) for t in self.project(self.norms[0](x)).chunk(3, dim=-1))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape)
        x = x + self.out(attended)
        return self.head(x + self.mlp(self.norms[1](x)))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 2, 32, 0.1, batch_first=True), 1)
        self.memory = nn.Parameter(torch.randn(1, 3, 16))

    def forward(self, x):
        return self.decoder(x, self.memory.expand(x.shape[0], -1, -1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.made = nn.MultiheadAttention(16, 4, batch_first=True)

    def forward(self, x):
        return self.made(x, x, x, need_weights=False)[0]


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(6, 4) for _ in range(3))
        self.gate, self.both, self.slope = nn.Linear(6, 3), nn.Bilinear(4, 6, 4), nn.PReLU()

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        mixed = torch.stack([e(x) for e in self.experts], 1).mul(weights.unsqueeze(-1)).sum(1)
        return F.glu(self.slope(self.both(mixed, x)), -1) + F.cosine_similarity(x[:, :2], x[:, 2:4]).unsqueeze(1)


def encoder() -> nn.Module:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, 0.1, batch_first=True), 2)


def sequence(*parts: nn.Module) -> nn.Module:
    return nn.Sequential(*parts)


MODELS: dict[str, tuple[Callable[[], nn.Module], Callable[[], list[torch.Tensor]]]] = {
    "MLP": (lambda: sequence(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 3)), batch(4, 8)),
    "MLP of one": (lambda: sequence(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3), nn.LogSoftmax(-1)), batch(1, 8)),
    "MLP with layer norm": (
        lambda: sequence(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Dropout(0.2), nn.Linear(16, 3)),
        batch(4, 8),
    ),
    "MLP in bfloat16": (
        lambda: sequence(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 3)).bfloat16(),
        batch(4, 8, dtype=torch.bfloat16),
    ),
    "MLP in double": (
        lambda: sequence(nn.Linear(8, 16), nn.ELU(), nn.BatchNorm1d(16), nn.Linear(16, 3)).double(),
        batch(4, 8, dtype=torch.double),
    ),
    "LeNet": (
        lambda: sequence(
            nn.Conv2d(1, 4, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(4, 6, 3),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(24, 3),
        ),
        batch(3, 1, 8, 8),
    ),
    "LeNet of one": (
        lambda: sequence(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(36, 3)),
        batch(1, 1, 8, 8),
    ),
    "convolutions with batch norm": (
        lambda: sequence(
            nn.Conv2d(2, 8, 3, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(True),
            nn.Dropout2d(0.2),
            nn.Conv2d(8, 4, 3, stride=2),
        ),
        batch(4, 2, 9, 9),
    ),
    "depthwise convolutions": (Residual, batch(3, 4, 6, 6)),
    "convolutions of sound": (
        lambda: sequence(
            nn.Conv1d(1, 6, 5, stride=2), nn.GroupNorm(2, 6), nn.LeakyReLU(), nn.AvgPool1d(2), nn.Conv1d(6, 3, 3)
        ),
        batch(2, 1, 40),
    ),
    "convolutions of volumes": (
        lambda: sequence(nn.Conv3d(1, 4, 3), nn.InstanceNorm3d(4, affine=True), nn.Mish(), nn.Conv3d(4, 2, 2)),
        batch(2, 1, 6, 6, 6),
    ),
    "a generator of images": (
        lambda: sequence(
            nn.ConvTranspose2d(6, 8, 3, stride=2),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.Upsample(scale_factor=2),
            nn.Conv2d(8, 4, 3),
            nn.PixelShuffle(2),
            nn.Sigmoid(),
        ),
        batch(2, 6, 3, 3),
    ),
    "LSTM": (lambda: Recurrent(nn.LSTM(5, 8, batch_first=True)), batch(3, 6, 5)),
    "LSTM in both directions": (
        lambda: Recurrent(nn.LSTM(5, 8, 2, batch_first=True, bidirectional=True, dropout=0.2)),
        batch(3, 6, 5),
    ),
    "GRU": (lambda: Recurrent(nn.GRU(5, 8, batch_first=True)), batch(3, 6, 5)),
    "RNN": (lambda: Recurrent(nn.RNN(5, 8, batch_first=True)), batch(3, 6, 5)),
    "LSTM cells": (lambda: Cells(nn.LSTMCell), batch(3, 4, 5)),
    "GRU cells": (lambda: Cells(nn.GRUCell), batch(3, 4, 5)),
    "transformer encoder": (encoder, batch(2, 5, 16)),
    "transformer decoder": (Decoder, batch(2, 4, 16)),
    "attention": (Attention, batch(2, 5, 16)),
    "language model": (Language, words(2, 6)),
    "bag of words": (lambda: sequence(nn.EmbeddingBag(20, 8, mode="mean"), nn.Linear(8, 3)), words(4, 5)),
    "mixture": (Mixture, batch(5, 6)),
    "parametrized": (
        lambda: sequence(
            nn.utils.parametrizations.weight_norm(nn.Linear(8, 8)),
            nn.Softplus(),
            nn.utils.parametrizations.orthogonal(nn.Linear(8, 8)),
            nn.RMSNorm(8),
        ),
        batch(4, 8),
    ),
}
OPTIMIZERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "fused AdamW": partial(torch.optim.AdamW, lr=1e-2, fused=True),
    "fused Adam, AMSGrad": partial(torch.optim.Adam, lr=1e-2, fused=True, amsgrad=True),
    "fused SGD": partial(torch.optim.SGD, lr=1e-2, fused=True, momentum=0.9, weight_decay=0.1),
    "foreach SGD": partial(torch.optim.SGD, lr=1e-2, foreach=True, momentum=0.9),
    "plain SGD": partial(torch.optim.SGD, lr=1e-2, foreach=False, nesterov=True, momentum=0.9),
    "fused Adagrad": partial(torch.optim.Adagrad, lr=1e-2, fused=True),
    "foreach RMSprop": partial(torch.optim.RMSprop, lr=1e-3, foreach=True, centered=True),
}
CASES = [(model, list(OPTIMIZERS)[i % len(OPTIMIZERS)]) for i, model in enumerate(MODELS)]
CASES += [("MLP", optimizer) for optimizer in OPTIMIZERS if optimizer != CASES[0][1]]


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("name", MODELS)
def test_inference(name: str, mode: Any) -> None:
    torch.manual_seed(0)
    make, inputs = MODELS[name]
    model = make().eval()
    with mode():
        tape, (result,) = capture(model, *inputs(), verify=True)
        fast, (found,) = capture(model, *inputs())
        for _ in range(8):
            given = inputs()
            expected = model(*given)
            tape.replay(*given)
            fast.replay(*given)
            assert same(result, expected) and same(found, expected)


@pytest.mark.parametrize(("name", "by"), CASES)
def test_training(name: str, by: str) -> None:
    torch.manual_seed(0)
    make, inputs = MODELS[name]
    ours = make()
    theirs = copy.deepcopy(ours)
    optimizers = [OPTIMIZERS[by](m.parameters()) for m in (ours, theirs)]

    def step(model, optimizer, *given):
        optimizer.zero_grad()
        made = model(*given)
        loss = made.float().square().mean() + F.huber_loss(made, torch.ones_like(made)).float()
        loss.backward()
        optimizer.step()
        return loss

    def both(call, given):
        state = torch.get_rng_state()
        expected = step(theirs, optimizers[1], *given).detach()
        drawn = torch.get_rng_state()
        torch.set_rng_state(state)
        found = call(given)
        assert torch.equal(torch.get_rng_state(), drawn)
        return found, expected

    for _ in range(2):  # gradients and the optimizer's state come about
        both(lambda given: step(ours, optimizers[0], *given), inputs())
    (tape, (loss,)), expected = both(
        lambda given: capture(partial(step, ours, optimizers[0]), *given, verify=name.endswith("one")), inputs()
    )
    assert same(loss, expected)
    for _ in range(STEPS):
        _, expected = both(lambda given: tape.replay(*given), inputs())
        assert same(loss, expected)
    assert torch.isfinite(loss).all()
    assert_same(ours.state_dict().values(), theirs.state_dict().values())
    states = [[t for s in o.state.values() for t in s.values() if isinstance(t, torch.Tensor)] for o in optimizers]
    assert_same(*states)
    step(ours, optimizers[0], *inputs())  # and on as ever
    torch.manual_seed(1)


def test_attention_with_a_cache() -> None:
    torch.manual_seed(0)
    project, out = nn.Linear(8, 24), nn.Linear(8, 8)

    def decode(cache, at, x):
        q, k, v = project(x).view(3, 1, 2, 1, 4)
        cache[0].index_copy_(2, at, k)
        cache[1].index_copy_(2, at, v)
        mask = (torch.arange(6) <= at).view(1, 6)
        at.add_(1)
        return out(F.scaled_dot_product_attention(q, cache[0], cache[1], attn_mask=mask).reshape(1, 8))

    with torch.no_grad():
        ours, theirs = ((torch.zeros(2, 1, 2, 6, 4), torch.tensor([0])) for _ in range(2))
        tape, (result,) = capture(partial(decode, *ours), x := torch.randn(1, 8), verify=True)
        assert same(result, decode(*theirs, x))
        for _ in range(5):
            tape.replay(x := torch.randn(1, 8))
            assert same(result, decode(*theirs, x))
        assert_same(ours, theirs)


def test_an_optimizer_that_reads_its_count_is_refused() -> None:
    model = nn.Linear(3, 3)
    optimizer = torch.optim.Adam(model.parameters(), foreach=True)
    model(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    kind, message = refusal(lambda: optimizer.step())
    assert kind == "UNSUPPORTED" and "_local_scalar_dense" in message


def test_packed_sequences_are_refused() -> None:
    """Their lengths are read from memory, by no operator."""
    model = nn.LSTM(5, 4)

    def step(x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths)
        return model(packed)[0].data

    with torch.no_grad():
        kind, message = refusal(step, torch.randn(4, 2, 5), torch.tensor([4, 2]))
        assert kind == "UNSUPPORTED" and "_pack_padded_sequence" in message
        packed = nn.utils.rnn.pack_padded_sequence(torch.randn(4, 2, 5), torch.tensor([4, 2]))
        kind, message = refusal(lambda: model(packed))
        assert kind == "UNSUPPORTED" and ("lstm.data" in message or "reads values" in message)
