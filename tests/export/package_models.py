"""Models that tests compile to packages, each of a form of its own, and the packages, which the build folder keeps.

Each is a module with the arguments that it is exported with, and others that it is run with. A package is compiled
again when this file or LibTorch changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import OrderedDict, namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch.utils._pytree as pytree
from torch import nn

# Compiling takes most of the time of these tests: the wrapper's code is not what they measure.
CONFIG = {"aot_inductor.compile_wrapper_opt_level": "O0"}


@dataclass
class Model:
    make: Callable[[], nn.Module]
    args: Callable[[], tuple]  # to export and to run with
    kwargs: Callable[[], dict] = dict
    dynamic: Any = None
    others: tuple[Callable[[], tuple], ...] = ()  # more arguments to run with
    digits: float = 1e-5  # how far from eager results, relative and absolute
    config: dict[str, Any] = field(default_factory=dict)


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(8 * 8 * 8, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 4))

    def forward(self, x):
        return self.layers(x)


class Gpt(nn.Module):
    """A block of a transformer that takes its cache and gives it back longer."""

    def __init__(self, vocabulary=50, width=32, heads=2):
        super().__init__()
        self.heads = heads
        self.embedding = nn.Embedding(vocabulary, width)
        self.norm, self.last_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, tokens, cache):
        keys, values = cache
        x = self.embedding(tokens)
        q, k, v = (self.split(part) for part in self.qkv(self.norm(x)).chunk(3, -1))
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        attended = nn.functional.scaled_dot_product_attention(q, keys, values)
        x = x + self.out(attended.transpose(1, 2).flatten(2))
        return self.last_norm(x) @ self.embedding.weight.T, (keys, values)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 7, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return {"y": y, "state": [h, c]}


Result = namedtuple("Result", ["total", "rest"])
pytree._register_namedtuple(Result, serialized_type_name="models.Result")


class Trees(nn.Module):
    """Dicts, tuples and lists in and out, an optional argument, and one that is no tensor."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, 4))
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 3.0, 4.0]))

    def forward(self, x, pair, names, factor=2, *, bias=None, missing=None):
        first, (second,) = pair
        y = x * self.weight * self.scale + first - second + names["b"] * factor
        if bias is not None:
            y = y + bias
        if missing is not None:
            y = y * missing
        return OrderedDict(z=y, a=Result(y.sum(), [y.amax(0), names["a"] * 2]))


class Products(nn.Module):
    """Sizes that depend on one another: sums and products of symbols."""

    def forward(self, x, y, z):
        return torch.cat([x, y]).flatten().cumsum(0) + z


class Cached(nn.Module):
    """A buffer that each call changes, and an input that is changed in place."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        self.count.add_(1)
        x.mul_(2)
        return x + self.count


MODELS = {
    "cnn": Model(Cnn, lambda: (torch.randn(2, 3, 16, 16),), dynamic={"x": {0: torch.export.Dim("n", min=1, max=32)}},
                 others=(lambda: (torch.randn(1, 3, 16, 16),), lambda: (torch.randn(9, 3, 16, 16),))),
    # Its constants are replaced: none may be folded into the code.
    "mlp": Model(Mlp, lambda: (torch.randn(4, 16),), config={"aot_inductor.use_runtime_constant_folding": True}),
    "gpt": Model(Gpt, lambda: (torch.randint(50, (2, 1)), (torch.randn(2, 2, 5, 16), torch.randn(2, 2, 5, 16))),
                 dynamic={"tokens": {}, "cache": ({2: torch.export.Dim("past", min=2, max=100)},) * 2},
                 others=(lambda: (torch.randint(50, (2, 1)), (torch.randn(2, 2, 9, 16), torch.randn(2, 2, 9, 16))),)),
    "lstm": Model(Lstm, lambda: (torch.randn(3, 6, 5),)),
    "trees": Model(Trees, lambda: (torch.randn(3, 4), (torch.randn(4), [torch.randn(3, 1)]),
                                   {"b": torch.randn(4), "a": torch.randn(2)}, 3),
                   kwargs=lambda: {"bias": torch.randn(4)}),
    "products": Model(Products, lambda: (torch.randn(3, 4), torch.randn(5, 4), torch.randn(1)),
                      dynamic={"x": {0: torch.export.Dim("n", min=2, max=40)},
                               "y": {0: torch.export.Dim("m", min=2, max=40)}, "z": {}},
                      others=(lambda: (torch.randn(7, 4), torch.randn(2, 4), torch.randn(1)),)),
    "cached": Model(Cached, lambda: (torch.randn(2, 3),)),
}  # fmt: skip


def eager(name: str) -> nn.Module:
    torch.manual_seed(0)
    return MODELS[name].make().eval()


def exported(name: str) -> torch.export.ExportedProgram:
    model = MODELS[name]
    torch.manual_seed(1)
    return torch.export.export(eager(name), model.args(), model.kwargs(), dynamic_shapes=model.dynamic)


def kept(name: str, make: Callable[[str], None]) -> Path:
    """A file of the build folder that `make(path)` makes, if it is not there yet."""
    digest = hashlib.sha256(Path(__file__).read_bytes() + torch.__version__.encode()).hexdigest()[:16]
    folder = Path(os.environ["CTORCH_BUILD"]) / "packages" / digest
    path = folder / f"{name}.pt2"
    if not path.exists():
        for old in folder.parent.glob("*") if not folder.exists() else []:
            shutil.rmtree(old)
        folder.mkdir(parents=True, exist_ok=True)
        make(str(folder / f"unfinished_{os.getpid()}_{name}.pt2"))
        (folder / f"unfinished_{os.getpid()}_{name}.pt2").rename(path)
    return path


def package(name: str, **config: Any) -> Path:
    """With `config`, a package of its own: options of aot_inductor."""

    def make(path: str) -> None:
        options = {f"aot_inductor.{option}": value for option, value in config.items()}
        torch._inductor.aoti_compile_and_package(
            exported(name), package_path=path, inductor_configs=CONFIG | MODELS[name].config | options
        )

    return kept("_".join((name, *map(str, config.values()))), make)
