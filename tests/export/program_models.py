"""Models to export: each of a form of its own, with the arguments to export it with and others to call it with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


@dataclass
class Case:
    make: Callable[[], nn.Module]
    args: Callable[[], tuple]
    kwargs: Callable[[], dict] = dict
    dynamic: Any = None
    others: tuple[Callable[[], tuple], ...] = ()  # more arguments to call it with
    decomposed: bool = True  # also after run_decompositions()


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, padding=1, groups=2)

    def forward(self, x):
        return F.relu(x + self.second(F.relu(self.norm(self.first(x)))))


class Resnet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2)
        self.blocks = nn.Sequential(Block(8), nn.MaxPool2d(2, ceil_mode=True), Block(8))
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        return self.head(F.adaptive_avg_pool2d(self.blocks(self.stem(x)), 1).flatten(1)).softmax(-1)


class Gpt(nn.Module):
    """Two blocks that take their caches and give them back longer; the head is the embedding."""

    def __init__(self, vocabulary=31, width=16, heads=2):
        super().__init__()
        self.heads = heads
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.randn(64, width) * 0.1)
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(5)])
        self.qkv = nn.ModuleList([nn.Linear(width, 3 * width) for _ in range(2)])
        self.out = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.mlp = nn.ModuleList([nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, width)) for _ in "12"])
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.embedding.weight

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, tokens, caches):
        past = caches[0][0].shape[2]
        x = self.embedding(tokens) + self.positions[past : past + tokens.shape[1]]
        made = []
        for i, (keys, values) in enumerate(caches):
            q, k, v = (self.split(part) for part in self.qkv[i](self.norms[2 * i](x)).chunk(3, -1))
            keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
            attended = F.scaled_dot_product_attention(q, keys, values).transpose(1, 2).flatten(2)
            x = x + self.out[i](attended)
            x = x + self.mlp[i](self.norms[2 * i + 1](x))
            made.append((keys, values))
        return self.head(self.norms[4](x)), made


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 7, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, x, state=None):
        y, (h, c) = self.lstm(x, state)
        return {"y": y, "state": [h, c]}


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x, mask):
        return self.encoder(x, src_key_padding_mask=mask)


class Trees(nn.Module):
    """Dicts, tuples and lists in and out, optional arguments, and some that are no tensors."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, 4))
        self.register_buffer("scale", torch.arange(4.0), persistent=False)
        self.constant = torch.tensor([1.0, 0.5, 0.25, 0.125])

    def forward(self, x, pair, names, factor=2, mode="sum", *, bias=None, missing=None):
        first, (second,) = pair
        y = x * self.weight * self.scale + first - second + names["b"] * factor + self.constant
        y = y if bias is None else y + bias
        y = y if missing is None else y * missing
        return {"z": y.sum() if mode == "sum" else y, "a": (None, [y.amax(0), names["a"] * 2], factor)}


class Counting(nn.Module):
    """A buffer and an input that each call changes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x, given):
        self.count.add_(1)
        given.mul_(2)
        return self.norm(x) + self.count, given


class Sizes(nn.Module):
    """Numbers that are computed from sizes."""

    def forward(self, x, n):
        b, t = x.shape[0], x.shape[1]
        rows = x.new_zeros(b * 2 + t % 3, torch.sym_max(b, t) - torch.sym_min(b, t) + 1)
        scaled = x * (t + 0.5) / (b - 0.25) + b**2 - (t // 2) * (-b) + torch.sym_float(t) / 3
        whole = scaled.sum() + n * 2 - torch.sym_int(n / 2)
        return rows, whole, b * t, (b + t) / 2, scaled.view(-1, b * t), torch.arange(b, b * 2 + 1), x.mean() * n


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        def shrink(x):
            return self.one(x).tanh(), x * 2

        def grow(x):
            return self.other(x).exp(), torch.cond(x.amax() > 5, lambda x: x + 1, lambda x: x - 1, (x,))

        return torch.cond(x.sum() > 0, shrink, grow, (x,))


class Looping(nn.Module):
    def forward(self, x, steps):
        def goes_on(i, x, total):
            return i < steps

        def step(i, x, total):
            return i + 1, x * 0.5 + total.mean(), total + x

        i, x, total = torch._higher_order_ops.while_loop(goes_on, step, (torch.tensor(0), x, torch.zeros_like(x)))
        return x, total, i


class Modes(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        with torch.no_grad():
            y = self.linear(x)
        with torch.autocast("cpu", torch.bfloat16):
            z = self.linear(x)
        return y, z, self.linear(x)


class Indices(nn.Module):
    """Lists with None in them, empty lists, dtypes, devices, layouts, and numbers that JSON does not have."""

    def forward(self, x, index):
        picked = x[:, index] + x[index][:, :2].sum()
        filled = torch.full((2, 2), -math.inf).masked_fill(torch.eye(2, dtype=torch.bool), math.inf)
        made = torch.arange(3, dtype=torch.float64, device="cpu") * 2
        kept = x.to(memory_format=torch.contiguous_format).clone(memory_format=torch.preserve_format)
        reduced = x.sum(dim=[]) + x.permute([1, 0]).std(dim=(0,), correction=0)
        return picked, filled, made, kept, reduced, torch.fft.rfft(x) * (1 + 2j), x.clamp(min=math.nan)


class Many(nn.Module):
    """Operators with several results, lists of tensors in and out, and results that nobody uses."""

    def forward(self, x):
        values, indices = x.topk(2)
        rows = torch.unbind(x)
        parts = torch.split(x, [1, 2], 1)
        u, s, _ = torch.linalg.svd(x, full_matrices=False)
        normed, _ = torch.max(x, 1)
        stacked = torch.stack(rows[::-1]) + torch.cat(parts[::-1], 1)
        return values, indices, stacked, (u * s).abs(), normed, torch.meshgrid(rows[0], rows[1], indexing="ij")


class Doubles(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4, dtype=torch.float64).t())
        self.register_buffer("low", torch.randn(4).bfloat16())
        self.register_buffer("short", torch.tensor([[1, 2], [3, 4]], dtype=torch.int16)[:, 1])
        self.register_buffer("mask", torch.tensor([True, False, True, True]))
        self.register_buffer("empty", torch.empty(0, 3))

    def forward(self, x):
        return (x.double() @ self.weight * self.low)[:, self.mask] + self.short.sum() + self.empty.numel()


def caches(n):
    return [tuple(torch.randn(1, 2, n, 8) for _ in "kv") for _ in range(2)]


PAST = Dim("past", min=2, max=50)
CASES = {
    "mlp": Case(lambda: nn.Sequential(nn.Linear(6, 8), nn.SiLU(), nn.Dropout(), nn.Linear(8, 2)),
                lambda: (torch.randn(3, 6),)),
    "resnet": Case(Resnet, lambda: (torch.randn(2, 3, 20, 20),),
                   dynamic=({0: Dim("n", min=1, max=32)},),
                   others=(lambda: (torch.randn(1, 3, 20, 20),), lambda: (torch.randn(7, 3, 20, 20),))),
    "gpt": Case(Gpt, lambda: (torch.randint(31, (1, 1)), caches(5)),
                dynamic=({}, [({2: PAST},) * 2] * 2),
                others=(lambda: (torch.randint(31, (1, 1)), caches(9)),)),
    "lstm": Case(Lstm, lambda: (torch.randn(3, 6, 5),)),
    "encoder": Case(Encoder, lambda: (torch.randn(2, 5, 16), torch.tensor([[False] * 5, [False] * 3 + [True] * 2]))),
    "trees": Case(Trees, lambda: (torch.randn(3, 4), (torch.randn(4), [torch.randn(3, 1)]),
                                  {"b": torch.randn(4), "a": torch.randn(2)}, 3),
                  kwargs=lambda: {"bias": torch.randn(4)}),
    "counting": Case(Counting, lambda: (torch.randn(4, 3), torch.ones(2))),
    "sizes": Case(Sizes, lambda: (torch.randn(3, 5), 4),
                  dynamic=({0: Dim("b", min=2, max=9), 1: Dim("t", min=2, max=9)}, Dim.DYNAMIC),
                  others=(lambda: (torch.randn(4, 7), 1), lambda: (torch.randn(2, 9), 11))),
    "branches": Case(Branches, lambda: (torch.ones(2, 4),),
                     others=(lambda: (-torch.ones(2, 4),), lambda: (torch.tensor([[9.0, -99, 0, 0]] * 2),))),
    "looping": Case(Looping, lambda: (torch.randn(3), torch.tensor(4)),
                    others=(lambda: (torch.randn(3), torch.tensor(0)), lambda: (torch.randn(3), torch.tensor(9)))),
    "modes": Case(Modes, lambda: (torch.randn(2, 4),), decomposed=False),
    "indices": Case(Indices, lambda: (torch.randn(3, 3), torch.tensor([2, 0]))),
    "many": Case(Many, lambda: (torch.randn(3, 3),)),
    "doubles": Case(Doubles, lambda: (torch.randn(2, 4),)),
}  # fmt: skip


def eager(name: str) -> nn.Module:
    torch.manual_seed(0)
    return CASES[name].make().eval()


def exported(name: str, decomposed: bool = False) -> torch.export.ExportedProgram:
    case = CASES[name]
    torch.manual_seed(1)
    program = torch.export.export(eager(name), case.args(), case.kwargs(), dynamic_shapes=case.dynamic)
    return program.run_decompositions() if decomposed else program
