"""Run a model that torch wrote, without torch, on lists of Python: ../run_model.c in Python.

python run_model.py script model.pt         torch.jit.save
python run_model.py program model.pt2       torch.export.save
python run_model.py package model.pt2       torch._inductor.aoti_compile_and_package
"""

from __future__ import annotations

import sys
from pathlib import Path

import ctorch

FEATURES = [[0.0, 0.1, 0.2, 0.3], [0.4, 0.5, 0.6, 0.7]]


def load(kind: str, path: str):
    if kind == "package":
        return ctorch.package.load(path)
    data = Path(path).read_bytes()
    return ctorch.jit.load(data) if kind == "script" else ctorch.export.load(data).module()


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: run_model.py script|program|package MODEL")
    model = load(*sys.argv[1:])
    for row in model(ctorch.tensor(FEATURES)).tolist():
        for score in row:
            print(f"{score:.9g}")


if __name__ == "__main__":
    main()
