"""Tensors that are marked as images, videos, masks, boxes or keypoints, as torchvision.tv_tensors has them.

    boxes = tv_tensors.BoundingBoxes([[0, 0, 10, 20]], format="XYXY", canvas_size=(32, 32))
    image, boxes = transforms.RandomHorizontalFlip(p=1)(tv_tensors.Image(pixels), boxes)

Transforms, and the functions of `transforms.functional`, give what they got; operators give plain tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any

from . import raw
from .construction import tensor
from .library import native
from .tensor import Tensor

_by_number: dict[int, type[Tensor]] = {}
NUMBERS = {"Image": 1, "Video": 2, "Mask": 3, "BoundingBoxes": 4, "KeyPoints": 5}


class BoundingBoxFormat(str, Enum):  # noqa: UP042 Python 3.10 has no StrEnum
    """What the numbers of bounding boxes are. The texts themselves do as well."""

    XYXY = "XYXY"
    XYWH = "XYWH"
    CXCYWH = "CXCYWH"
    XYWHR = "XYWHR"
    CXCYWHR = "CXCYWHR"
    XYXYXYXY = "XYXYXYXY"


class TVTensor(Tensor):
    """A tensor with a mark."""

    __slots__ = ()


class WithCanvas(TVTensor):
    __slots__ = ()

    @property
    def canvas_size(self) -> tuple[int, int]:
        """Height and width of the image that it is about."""
        return raw.tv_tensor_canvas_size(self)


class Boxes(WithCanvas):
    __slots__ = ()

    @property
    def format(self) -> BoundingBoxFormat:
        """What the numbers are."""
        return BoundingBoxFormat(raw.tv_tensor_format(self))

    @property
    def clamping_mode(self) -> str | None:
        """How transforms keep boxes inside the image."""
        return raw.tv_tensor_clamping_mode(self)


BASES = {"BoundingBoxes": Boxes, "KeyPoints": WithCanvas}


def tv_tensor(name: str, make: Callable[..., Any]) -> type[Tensor]:
    """The class of tensors with a mark, around the function of C's that marks one."""
    taken = inspect.signature(make).parameters

    def __init__(self: Any, data: Any, **options: Any) -> None:
        if not isinstance(data, Tensor):
            data = tensor(data)
        if options.get("clamping_mode", "") is None:
            options["clamping_mode"] = "none"
        if isinstance(options.get("format"), Enum):
            options["format"] = options["format"].value
        self._tensor = make(data, **options)._tensor

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    __init__.__signature__ = inspect.Signature([own, *taken.values()])  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": make.__doc__, "__slots__": (), "__module__": "ctorch.tv_tensors"}
    made = type(name, (BASES.get(name, TVTensor),), members)
    _by_number[NUMBERS[name]] = made
    return made


def from_marked(handle: Any) -> Any:
    """The object for a tensor that may have a mark."""
    if not handle:
        return None
    kind = _by_number.get(native.ctorch_tv_tensor_kind_of(handle), Tensor)
    made = kind.__new__(kind)
    made._tensor = handle
    return made
