"""Transforms of ctorch and torchvision's, with the same arguments.

    call("transforms_functional_adjust_hue", image, 0.1)      # a tensor; Python's names and defaults
    make("RandomInvert", p=1.0)(image)                        # and from a seed: torch.manual_seed is that of both
    assert same(ours, theirs)                                 # dtype, shape, mark, bits

A tensor of ctorch's is a tensor of Python's: a mark lies on the tensor object, so `mark(image, "Video")` gives a tensor
of Python's class Tensor, which ctorch sees as a video.
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

import torch

from tests.harness.capi import BUILD, CtorchError, ffi, handle, handles, lib, ok, out, string, tensor, text
from tests.harness.functions import kind_of
from tests.harness.values import python, value
from tests.harness.vision import torchvision

API = {
    f["name"]: f
    for f in json.loads(Path(os.environ.get("CTORCH_API", BUILD / "generated" / "api.json")).read_text())["functions"]
}
KINDS = ("Tensor", "Image", "Video", "Mask", "BoundingBoxes", "KeyPoints")
REFINED = {"SHAPE_MISMATCH", "DTYPE_MISMATCH", "DEVICE_MISMATCH", "NOT_IMPLEMENTED", "STD"}


def _argument(param: dict[str, Any], given: Any, kept: list[Any]) -> Any:
    """A value as C takes it; `kept` outlives the call."""
    if given is None:
        return ffi.NULL
    base = param["type"].split("[")[0].rstrip("?")
    if base == "Value" and not isinstance(given, ffi.CData):
        kept.append(value(given))
        return kept[-1]
    if isinstance(given, torch.Tensor):
        return handle(given)
    if isinstance(given, Transform):
        return given.pointer
    if isinstance(given, str):
        return given.encode()
    if isinstance(given, (list, tuple)):
        kept.append(
            ffi.new("ctorch_transform *[]", [t.pointer for t in given])
            if base == "Transform"
            else handles(list(given))[0]
            if base == "Tensor"
            else ffi.new({"int": "int64_t[]", "float": "double[]", "bool": "bool[]"}[base], list(given))
        )
    elif param["c_type"].endswith("*") and not isinstance(given, ffi.CData):
        kept.append(ffi.new({"int": "int64_t *", "float": "double *", "bool": "bool *"}[base], given))
    else:
        return given
    return kept[-1]


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """What ctorch_<name> gives, with Python's arguments."""
    function = API[f"ctorch_{name}"]
    params = [p for p in function["params"] if p["role"] not in ("out", "len")]
    given = dict(zip((p["name"] for p in params), args, strict=False)) | kwargs
    assert given.keys() <= {p["name"] for p in params}, given
    lengths, kept, arguments, results = {}, [], [], []
    for param in function["params"]:
        if param["role"] == "out":
            results.append(out(param["c_type"].removesuffix("*").strip()))
            arguments.append(results[-1])
        elif param["role"] == "len":
            arguments.append(lengths[param["len_of"]])
        else:
            item = given.get(param["name"])
            if item is None and not param["nullable"] and param["name"] not in given:
                item = param["default"]
            if "[" in (param["type"] or "") and item is not None and not isinstance(item, (list, tuple)):
                item = [item]
            lengths[param["name"]] = len(item) if isinstance(item, (list, tuple)) else 0
            arguments.append(_argument(param, item, kept))
    ok(getattr(lib, function["name"])(*arguments))
    return results[0][0]


def functional(name: str, *args: Any, **kwargs: Any) -> torch.Tensor:
    return tensor(call(f"transforms_functional_{name}", *args, **kwargs))


class Transform:
    def __init__(self, pointer: Any, generator: Any = ffi.NULL) -> None:
        self.pointer, self.generator = ffi.gc(pointer, lib.ctorch_transform_release), generator

    def __call__(self, *sample: Any) -> Any:
        """Of one tensor by ctorch_transform_call_tensor, else by values."""
        if len(sample) == 1 and isinstance(sample[0], torch.Tensor):
            result = out("ctorch_tensor *")
            ok(lib.ctorch_transform_call_tensor(self.pointer, result, handle(sample[0]), self.generator))
            return tensor(result[0])
        made = out("ctorch_value *")
        given = value(sample if len(sample) > 1 else sample[0])
        ok(lib.ctorch_transform_call(self.pointer, made, given, self.generator))
        return python(ffi.gc(made[0], lib.ctorch_value_release))

    def __repr__(self) -> str:
        result = out("ctorch_string *")
        ok(lib.ctorch_transform_repr(result, self.pointer))
        return string(result[0])


def make(name: str, *args: Any, **kwargs: Any) -> Transform:
    """By the typed function: `RandomErasing`, or an overload, `RandomErasing_random`."""
    return Transform(call(f"transforms_{name}", *args, **kwargs))


def create(name: str, *args: Any, **kwargs: Any) -> Transform:
    """By the name of the class, from values."""
    result = out("ctorch_transform *")
    ok(lib.ctorch_transform_create(result, name.encode(), value(tuple(args)), value(kwargs)))
    return Transform(result[0])


def mark(data: torch.Tensor, kind: str) -> torch.Tensor:
    if kind == "Tensor":
        return data
    options = {"canvas_size": [7, 9], "format": "XYXY"} if kind == "BoundingBoxes" else {}
    options |= {"canvas_size": [7, 9]} if kind == "KeyPoints" else {}
    return tensor(call(f"tv_tensors_{kind}", data, **options))


def marked(data: torch.Tensor, kind: str) -> torch.Tensor:
    """The same of torchvision."""
    if kind == "Tensor":
        return data
    options = {"canvas_size": (7, 9), "format": "XYXY"} if kind == "BoundingBoxes" else {}
    options |= {"canvas_size": (7, 9)} if kind == "KeyPoints" else {}
    return getattr(torchvision("tv_tensors"), kind)(data, **options)


def kind(data: torch.Tensor) -> str:
    return text(lib.ctorch_tv_tensor_kind_name(lib.ctorch_tv_tensor_kind_of(handle(data))))


def same(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    """To the bit, NaNs among them, and the same mark."""
    assert kind(ours) == type(theirs).__name__
    ours, theirs = ours.detach(), theirs.as_subclass(torch.Tensor).detach()
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    return (
        ours.contiguous().view(torch.uint8).equal(theirs.contiguous().view(torch.uint8))
        if ours.ndim
        else bool(ours.eq(theirs))
    )


def outcome(action: Any, *args: Any, **kwargs: Any) -> Any:
    """The result, or the kind of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return action(*args, **kwargs)
        except Exception as error:  # noqa: BLE001
            found = kind_of(error)
            return "RUNTIME" if found in REFINED else found


def agree(ours: Any, theirs: Any) -> None:
    """The same tensor, or the same kind of error."""
    if isinstance(ours, str) or isinstance(theirs, str):
        assert ours == theirs
    else:
        assert same(ours, theirs)


__all__ = [
    "KINDS",
    "CtorchError",
    "agree",
    "call",
    "create",
    "functional",
    "kind",
    "make",
    "mark",
    "marked",
    "outcome",
    "same",
]
