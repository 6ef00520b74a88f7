"""Where the modules of schema files lie in the package ml, and the `__init__.spl` of each of its folders.

A folder is there as soon as something is in it: `torch.optim` of a schema file is ml/torch/optim/. Its `__init__.spl`
names the modules that are emitted and those that are written by hand (languages/simple), and exports what they export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ...names import python_namespace
from .tensor import simple_text

BY_HAND = Path(__file__).resolve().parents[3] / "languages/simple"
# Where Python's layout is not the one that users of Simple were promised.
_FOLDERS = {
    "torch.utils.data": "ml/torch/data",
    "torchvision.transforms.v2": "ml/vision/transforms",
    "torchvision": "ml/vision",
    "torchmetrics": "ml/torch/metrics",
}
# What a folder's own functions are called, if not functions.spl.
_MODULES = {
    "ml/torch/data": "loading",
    "ml/torch/nn": "modules",
    "ml/torch/optim": "optimizers",
    "ml/vision/transforms": "classes",
    "ml/torch/metrics": "classes",
}
_ABOUT = {
    "ml": "Machine learning. `ml.torch` is LibTorch.",
    "ml/torch/nn": "Modules: `val conv = nn_Conv2d(1, 32, [3])?`, then `conv.forward(image)?`; the rest of torch.nn.",
    "ml/torch/amp": "Automatic mixed precision.",
    "ml/torch/data": "Datasets, samplers and loaders.",
    "ml/torch/metrics": "Metrics: `val accuracy = metrics_BinaryAccuracy()?`, then `accuracy.update(preds, target)?`.",
    "ml/vision": "What is done to images, and datasets of them.",
    "ml/vision/transforms": "Transforms: `val flip = transforms_RandomHorizontalFlip()?`, then `flip.apply(image)?`.",
}


def place(namespace: str) -> str:
    """The path of the module for a schema file, without `.spl`: `ml/torch/nn/functional`."""
    python = python_namespace(namespace)
    for prefix, folder in _FOLDERS.items():
        if python == prefix or python.startswith(f"{prefix}."):
            parts = [*folder.split("/"), *python[len(prefix) :].split(".")[1:]]
            break
    else:
        parts = ["ml", *python.split(".")]
    if "/".join(parts) in _MODULES or len(parts) <= (2 if parts[1] == "vision" else 3):
        parts.append(_MODULES.get("/".join(parts), "functions"))
    return "/".join(parts)


def packages(emitted: Iterable[str], by_hand: Path = BY_HAND) -> dict[str, Iterator[str]]:
    """`__init__.spl` of each folder that these paths are in, or files that are written by hand."""
    written = [p.relative_to(by_hand).with_suffix("").as_posix() for p in sorted(by_hand.rglob("*.spl"))]
    members: dict[str, set[str]] = {}
    for path in (*emitted, *(w for w in written if w.startswith("ml/"))):
        while "/" in path:
            folder, _, name = path.rpartition("/")
            members.setdefault(folder, set()).add(name)
            path = folder
    return {f"{folder}/__init__": _init(folder, sorted(names), members) for folder, names in sorted(members.items())}


def _init(folder: str, names: list[str], members: dict[str, set[str]]) -> Iterator[str]:
    mods = [f"mod {name}" for name in names]
    if folder == "ml/torch":  # its modules export thousands of names, so it chooses
        yield from simple_text("torch_init").strip("\n").replace("<modules>", "\n".join(mods)).split("\n")
        return
    dotted = folder.replace("/", ".")
    about = _ABOUT.get(folder, f"What Python has in {dotted.removeprefix('ml.')}.")
    yield f'"""{about}"""'
    yield ""
    yield from mods
    exported = [name for name in names if f"{folder}/{name}" not in members]
    if exported:
        yield ""
        yield from (f"export use {dotted}.{name}.*" for name in exported)
