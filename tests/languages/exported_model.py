"""A model that Python's torch writes in three ways, for the examples `run_model` of the languages.

for kind, path in exported_model.files():
    exported_model.assert_equal(kind, output of `run_model KIND PATH`)
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

FOLDER = (
    Path(os.environ.get("CTORCH_BUILD", Path(__file__).resolve().parents[2] / "build/cmake"))
    / "consumers"
    / "exported_model"
)
X = torch.tensor([[0.0, 0.1, 0.2, 0.3], [0.4, 0.5, 0.6, 0.7]])


@cache
def model() -> torch.nn.Module:
    torch.manual_seed(5)
    layers = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.GELU(), torch.nn.Linear(16, 3), torch.nn.Softmax(1))
    return layers.eval()


def write_package(path: Path) -> None:
    torch._inductor.aoti_compile_and_package(torch.export.export(model(), (X,)), package_path=str(path))


WRITERS = {
    "script": lambda path: torch.jit.script(model()).save(str(path)),
    "program": lambda path: torch.export.save(torch.export.export(model(), (X,)), str(path)),
    "package": write_package,
}


def file(kind: str) -> Path:
    """One of the files, which is written once for this version of torch: another process may be at it too."""
    path = FOLDER / f"{torch.__version__}_{kind}.{'pt' if kind == 'script' else 'pt2'}"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        made = path.with_stem(f"{path.stem}_{os.getpid()}")
        WRITERS[kind](made)
        made.rename(path)
    return path


def files() -> list[tuple[str, Path]]:
    return [(kind, file(kind)) for kind in WRITERS]


class Scripted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((3, 2), 2.0))
        self.bias = torch.nn.Parameter(torch.ones(2))

    def forward(self, x, names: list[str]):
        return x @ self.weight + self.bias, "-".join(names)


class Found(NamedTuple):
    logits: torch.Tensor
    count: int  # what an array has as well


class Finds(torch.nn.Module):
    def forward(self, x) -> Found:
        return Found(x * 2, 3)


def write_named(folder: Path) -> None:
    """named.pt, a model that returns twice its input and 3 in a NamedTuple, and named.txt: the name of the tuple and
    those of its fields, one a line."""
    model = torch.jit.script(Finds())
    model.save(str(folder / "named.pt"))
    found = model(torch.ones(2))
    (folder / "named.txt").write_text("\n".join([type(found).__name__, *found._fields]))


def write(folder: Path) -> None:
    """Files for the programs `deployment` of the languages."""
    torch.jit.script(Scripted()).save(str(folder / "scripted.pt"))
    write_named(folder)
    for kind in ("program", "package"):
        (folder / f"{kind}.pt2").symlink_to(file(kind).absolute())


def check(folder: Path) -> None:
    """What they wrote: a traced layer."""
    assert torch.jit.load(folder / "traced.pt")(torch.ones(4, 3)).shape == (4, 2)


def assert_equal(kind: str, printed: str) -> None:
    """The numbers, one a line: bit for bit, but for those of the compiled model, whose code is another."""
    found = torch.tensor([float(line) for line in printed.split()]).view(2, 3)
    with torch.no_grad():
        expected = model()(X)
    if kind == "package":
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
    else:
        assert torch.equal(found, expected), (found, expected)
