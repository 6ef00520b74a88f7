"""Models for TorchScript: what its language has, each with the inputs that show it.

A row is a name, a model that Python scripts or traces, and calls: arguments by position, and by keyword.
"""

# ruff: noqa: UP006, UP007, UP035, UP045 - TorchScript reads the annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn


@dataclass
class Call:
    args: tuple = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    method: str | None = None


@dataclass
class Row:
    name: str
    build: Callable[[], nn.Module]
    calls: Callable[[], list[Call]]
    trace: bool = False


class Cnn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU())
        self.left = nn.Conv2d(8, 8, 3, padding=1)
        self.right = nn.Conv2d(8, 8, 1)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = self.stem(x)
        x = torch.relu(self.left(x) + self.right(x))
        return self.head(torch.flatten(nn.functional.adaptive_avg_pool2d(x, 1), 1))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(20, 6)
        self.lstm = nn.LSTM(6, 7, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, tokens: Tensor, state: Optional[Tuple[Tensor, Tensor]] = None):
        return self.lstm(self.embedding(tokens), state)


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor, cache: Optional[Tuple[Tensor, Tensor]]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(c // self.heads)
        mask = torch.ones(t, k.size(2), dtype=torch.bool, device=x.device).tril(k.size(2) - t)
        scores = scores.masked_fill(~mask, -1e9)
        y = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c)
        return self.out(y), (k, v)


class Gpt(nn.Module):
    """With its cache: a list of keys and values, one pair a layer."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(30, 16), nn.Embedding(12, 16)
        self.norms = nn.ModuleList([nn.LayerNorm(16) for _ in range(2)])
        self.layers = nn.ModuleList([Attention(16, 4) for _ in range(2)])
        self.head = nn.Linear(16, 30, bias=False)

    def forward(
        self, tokens: Tensor, cache: Optional[List[Tuple[Tensor, Tensor]]] = None
    ) -> Tuple[Tensor, List[Tuple[Tensor, Tensor]]]:
        start = 0 if cache is None else cache[0][0].size(2)
        x = self.tokens(tokens) + self.places(torch.arange(start, start + tokens.size(1)))
        after: List[Tuple[Tensor, Tensor]] = []
        for i, (norm, layer) in enumerate(zip(self.norms, self.layers)):
            y, pair = layer(norm(x), None if cache is None else cache[i])
            x = x + y
            after.append(pair)
        return self.head(x), after


class Flow(nn.Module):
    def forward(self, x: Tensor, n: int = 3, names: Optional[List[str]] = None):
        total = torch.zeros_like(x)
        for i in range(n):
            if i % 2 == 0:
                total = total + x * i
            else:
                total = total - x
        while bool(total.sum() > 10):
            total = total / 2
        label = "none" if names is None else "-".join(names)
        return total, label, len(label), total.size(0) > 1, 0.5 * n


class Containers(nn.Module):
    def forward(self, data: Dict[str, Tensor], pairs: List[Tuple[int, Tensor]], by: Dict[int, float]):
        out: Dict[str, Tensor] = {}
        for name, x in data.items():
            out[name + "!"] = x * 2
        for i, x in pairs:
            out[str(i)] = x * by[i]
        return out, [i for i, _ in pairs], (len(data), by)


class Point(NamedTuple):
    x: Tensor
    y: Tensor


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@torch.jit.script
class Scale:
    def __init__(self, by: float):
        self.by = by

    def apply(self, x: Tensor) -> Tensor:
        return x * self.by


@torch.jit.interface
class Activation(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Sine(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.sin(x)


class Types(nn.Module):
    activation: Activation
    table: Dict[str, int]

    def __init__(self) -> None:
        super().__init__()
        self.activation = Sine()
        self.table = {"a": 1, "b": 2}
        self.color = Color.BLUE
        self.register_buffer("offset", torch.arange(2.0))
        self.register_buffer("nothing", None)

    def forward(self, x: Tensor) -> Point:
        scale = Scale(2.5)
        if self.color == Color.BLUE:
            x = self.activation(scale.apply(x))
        return Point(x=x + self.offset, y=x * self.table["b"])

    @torch.jit.export
    def count(self, key: str, otherwise: int = -1) -> int:
        return self.table[key] if key in self.table else otherwise


class Numbers(nn.Module):
    def forward(self, i: int, f: float, b: bool, s: str, c: complex, d: torch.device, dtype: torch.dtype, any: Any):
        return i + 1, f * 2, not b, s + "!", c * 2, d.type, torch.zeros(2, dtype=dtype), any


def inputs(*shapes: tuple[int, ...]) -> list[Tensor]:
    torch.manual_seed(1)
    return [torch.randn(shape) for shape in shapes]


def images() -> list[Call]:
    return [Call((x,)) for x in inputs((1, 3, 16, 16), (4, 3, 16, 16), (2, 3, 33, 20))]


def texts() -> list[Call]:
    state = tuple(inputs((4, 3, 7), (4, 3, 7)))
    tokens = torch.arange(15).view(3, 5)
    return [Call((tokens,)), Call((tokens, state)), Call((tokens[:, :2],), {"state": state}), Call((tokens, None))]


def prompts() -> list[Call]:
    cache = [tuple(inputs((1, 4, 5, 4), (1, 4, 5, 4))) for _ in range(2)]
    tokens = torch.tensor([[3, 1, 4, 1, 5]])
    return [Call((tokens,)), Call((tokens[:, :1], cache)), Call((tokens,), {"cache": [*map(list, cache)]})]


def flows() -> list[Call]:
    (x,) = inputs((3, 2))
    return [Call((x,)), Call((x.abs() * 9, 6)), Call((x,), {"names": ["a", "b"]}), Call((x, 0, []))]


def containers() -> list[Call]:
    x, y = inputs((2,), (3,))
    return [Call(({"x": x}, [(1, y), (2, x)], {1: 0.5, 2: 3}))]


def types() -> list[Call]:
    return [
        Call(tuple(inputs((3, 2)))),
        Call(("a",), method="count"),
        Call(("z",), method="count"),
        Call(("z", 7), method="count"),
    ]


def numbers() -> list[Call]:
    return [
        Call((1, 2.5, True, "é", 1 + 2j, torch.device("cpu"), torch.float64, {"a": [1, 2]})),
        Call((-(2**62), 3, False, "", 4, torch.device("cpu"), torch.int8, inputs((1,))[0])),
    ]


ROWS = [
    Row("cnn", Cnn, images),
    Row("cnn_traced", Cnn, images, trace=True),
    Row("lstm", Recurrent, texts),
    Row("gpt", Gpt, prompts),
    Row("flow", Flow, flows),
    Row("containers", Containers, containers),
    Row("types", Types, types),
    Row("numbers", Numbers, numbers),
]
