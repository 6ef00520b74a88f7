"""torchvision beside the torch of the tests, whose LibTorch its library of operators was not made for.

It asks for two of its operators when it is imported; they are declared before that, without an implementation. What
decodes images with its library is missing.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util

import torch

MISSING = ("nms", "qnms")


def has_torchvision() -> bool:
    """Whether one of the right version is there: each is made for one torch."""
    return torch.__version__.startswith("2.13.") and importlib.util.find_spec("torchvision") is not None


@functools.cache
def _operators() -> torch.library.Library:
    library = torch.library.Library("torchvision", "FRAGMENT")  # which is as long there as it has them
    for name in MISSING:
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


def torchvision(module: str):
    """`torchvision("models")`, `torchvision("transforms.v2")`."""
    _operators()
    return importlib.import_module(f"torchvision.{module}")
