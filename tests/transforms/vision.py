"""Transforms of ctorch beside torchvision's, in one process and from one generator of random numbers.

compare("RandomCrop", image(), 8, padding=2)   # texts, results and draws are the same, bit for bit
refuses("RandomCrop", "VALUE", image(), 100)   # torchvision refuses it too
compare_functional("resize", image(), size=[8, 9])

Samples are Python's, with its tv_tensors; `ours` marks tensors for ctorch, `theirs` reads them back.
"""

from __future__ import annotations

import functools
import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.harness import values
from tests.harness.capi import BUILD, CtorchError, ffi, handle, lib, ok, out, string, tensor, text
from tests.harness.vision import has_torchvision, torchvision

needs_torchvision = pytest.mark.skipif(not has_torchvision(), reason="no torchvision for this torch")
if has_torchvision():
    v2, tv = torchvision("transforms.v2"), torchvision("tv_tensors")
    F = torchvision("transforms.v2.functional")

# The error of ctorch for an exception of Python's.
KINDS = {
    "TYPE": TypeError,
    "VALUE": (ValueError, ZeroDivisionError),
    "RUNTIME": RuntimeError,
    "DTYPE_MISMATCH": RuntimeError,
    "SHAPE_MISMATCH": RuntimeError,
    "INDEX": (IndexError, KeyError, AttributeError, ValueError),
    "NOT_IMPLEMENTED": NotImplementedError,
}


@functools.cache
def declarations() -> dict[str, dict[str, Any]]:
    path = Path(os.environ.get("CTORCH_API", BUILD / "generated" / "api.json"))
    return {f["name"]: f for f in json.loads(path.read_text())["functions"]}


# Across.


def ours(item: Any) -> Any:
    """A sample with tensors that ctorch knows the marks of."""
    if isinstance(item, dict):
        return {k: ours(v) for k, v in item.items()}
    if isinstance(item, (list, tuple)):
        return type(item)(ours(v) for v in item)
    return mark(item) if isinstance(item, tv.TVTensor) else item


def mark(item: Any) -> torch.Tensor:
    plain, name = item.as_subclass(torch.Tensor), type(item).__name__
    meta: dict[str, Any] = {}
    if name in ("BoundingBoxes", "KeyPoints"):
        meta["canvas_size"] = list(item.canvas_size)
    if name == "BoundingBoxes":
        meta |= {"format": item.format.value, "clamping_mode": item.clamping_mode or "none"}
    return call(f"ctorch_tv_tensors_{name}", plain, **meta)


def theirs(item: Any) -> Any:
    """What ctorch gave, with torchvision's tv_tensors."""
    if isinstance(item, dict):
        return {k: theirs(v) for k, v in item.items()}
    if isinstance(item, (list, tuple)):
        return type(item)(theirs(v) for v in item)
    return unmark(item) if isinstance(item, torch.Tensor) else item


def unmark(item: torch.Tensor) -> torch.Tensor:
    name = text(lib.ctorch_tv_tensor_kind_name(lib.ctorch_tv_tensor_kind_of(handle(item))))
    if name == "Tensor":
        return item
    meta: dict[str, Any] = {}
    if name in ("BoundingBoxes", "KeyPoints"):
        height, width = out("int64_t"), out("int64_t")
        ok(lib.ctorch_tv_tensor_canvas_size(height, width, handle(item)))
        meta["canvas_size"] = (height[0], width[0])
    if name == "BoundingBoxes":
        mode = lib.ctorch_tv_tensor_clamping_mode(handle(item))
        meta |= {
            "format": text(lib.ctorch_tv_tensor_format(handle(item))),
            "clamping_mode": None if mode == ffi.NULL else text(mode),
        }
        return tv.BoundingBoxes._wrap(item, check_dims=False, format=meta["format"], **{
            k: meta[k] for k in ("canvas_size", "clamping_mode")
        })  # fmt: skip
    if name == "KeyPoints":
        return tv.KeyPoints._wrap(item, check_dims=False, **meta)
    return item.as_subclass(getattr(tv, name))


def same(got: Any, expected: Any, where: str = "result") -> None:
    """Bit for bit, with types, marks and containers."""
    assert type(got) is type(expected), f"{where}: {type(got)} for {type(expected)}"
    if isinstance(expected, dict):
        assert list(got) == list(expected), where
        for key in expected:
            same(got[key], expected[key], f"{where}[{key!r}]")
    elif isinstance(expected, (list, tuple)):
        assert len(got) == len(expected), where
        for i, (a, b) in enumerate(zip(got, expected, strict=True)):
            same(a, b, f"{where}[{i}]")
    elif isinstance(expected, torch.Tensor):
        for attribute in ("format", "canvas_size", "clamping_mode"):
            a, b = getattr(got, attribute, None), getattr(expected, attribute, None)
            assert (tuple(a) if isinstance(a, list) else a) == (tuple(b) if isinstance(b, list) else b), where
        a, b = got.as_subclass(torch.Tensor), expected.as_subclass(torch.Tensor)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), f"{where}: {a.dtype} {a.shape} for {b.dtype} {b.shape}"
        torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)
    else:
        assert got == expected, where


# Calls by Python's names: of functions of schema files.


def _number(kind: str, item: Any) -> int:
    return getattr(lib.c, f"CTORCH_{kind}_" + str(item).removeprefix("torch.").upper())


def _argument(param: dict[str, Any], given: Any, kept: list[Any]) -> list[Any]:
    """The C arguments of one of Python's; lists have a length besides."""
    kind = param["type"].removesuffix("?")
    is_list, base = "[" in kind, kind.partition("[")[0].partition("(")[0]
    if is_list:
        if given is None:
            return [ffi.NULL, 0]
        items = list(given) if isinstance(given, (list, tuple)) else [given]
        if base == "Transform":
            items = [t.handle for t in items]
        array = ffi.new(param["c_type"].removesuffix("*").replace("const *", "*") + "[]", items)
        kept.append(array)
        return [array, len(items)]
    if given is None:
        return [ffi.NULL]
    if base == "Tensor":
        return [handle(given)]
    if base == "Transform":
        return [given.handle]
    if base == "Value":
        kept.append(values.value(as_value(given)))
        return [kept[-1]]
    if base == "str":
        kept.append(ffi.new("char[]", given.encode()))
        return [kept[-1]]
    if base == "ScalarType":
        given = _number("DTYPE", given)
    if base == "Device":
        kept.append(values.device(given))
        return [kept[-1]]
    if param["c_type"].endswith("*"):
        kept.append(ffi.new(param["c_type"].removeprefix("const "), given))
        return [kept[-1]]
    return [given]


def call(function: str, *args: Any, **kwargs: Any) -> Any:
    """A function of a schema file, with Python's arguments; its results."""
    declaration = declarations()[function]
    outputs = [p for p in declaration["params"] if p["role"] == "out"]
    inputs = [p for p in declaration["params"] if p["role"] == "in"]
    given = dict(zip([p["name"] for p in inputs], args)) | kwargs
    assert len(given) == len(args) + len(kwargs) and given.keys() <= {p["name"] for p in inputs}, (function, given)
    places = [ffi.new(p["c_type"]) for p in outputs]
    kept: list[Any] = []
    arguments = []
    for param in inputs:
        default = param["default"]
        is_pointer = param["c_type"].endswith("*")
        value = given.get(param["name"], None if is_pointer else default)
        arguments += _argument(param, value, kept)
    ok(getattr(lib, function)(*places, *arguments))
    results = [_result(p["type"], place[0]) for p, place in zip(outputs, places)]
    return results[0] if len(results) == 1 else tuple(results)


def _result(kind: str, given: Any) -> Any:
    if kind == "Tensor":
        return tensor(given)
    if kind == "Tensor[]":
        items = [
            tensor(_retained(lib.ctorch_tensor_list_data(given)[i])) for i in range(lib.ctorch_tensor_list_len(given))
        ]
        lib.ctorch_tensor_list_release(given)
        return tuple(items)
    return Ours(given) if kind == "Transform" else given


def _retained(address: Any) -> Any:
    address = ffi.cast("ctorch_tensor *", address)
    lib.ctorch_tensor_retain(address)
    return address


# Transforms.


class Ours:
    """A transform of ctorch's."""

    def __init__(self, owned: Any) -> None:
        self.handle = ffi.gc(owned, lib.ctorch_transform_release)

    def __call__(self, *sample: Any, generator: Any = ffi.NULL) -> Any:
        return theirs(self.raw(ours(sample if len(sample) > 1 else sample[0]), generator))

    def raw(self, sample: Any, generator: Any = ffi.NULL) -> Any:
        made = out("ctorch_value *")
        ok(lib.ctorch_transform_call(self.handle, made, values.value(sample), generator))
        return values.python(ffi.gc(made[0], lib.ctorch_value_release))

    def __repr__(self) -> str:
        made = out("ctorch_string *")
        ok(lib.ctorch_transform_repr(made, self.handle))
        return string(made[0])

    @property
    def may_thread(self) -> bool:
        return lib.ctorch_transform_may_thread(self.handle)

    def value(self) -> Any:
        return values.made("ctorch_value_from_transform", self.handle)


def as_value(item: Any) -> Any:
    """An argument as values have it: types by their names, enumerations by their values."""
    if isinstance(item, Ours):
        return item.value()
    if isinstance(item, type):
        return item.__name__
    if isinstance(item, dict):
        return {as_value(k): as_value(v) for k, v in item.items()}
    if isinstance(item, (list, tuple)):
        return type(item)(as_value(v) for v in item)
    return item


def make(name: str, *args: Any, **kwargs: Any) -> Ours:
    made = out("ctorch_transform *")
    ok(
        lib.ctorch_transform_create(
            made, name.encode(), values.value(as_value(list(args))), values.value(as_value(kwargs))
        )
    )
    return Ours(made[0])


def seeded(seed: int, function: Any, *args: Any) -> tuple[Any, torch.Tensor]:
    """A result, and where the generator is afterwards."""
    torch.manual_seed(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = function(*args)
    return result, torch.get_rng_state()


def both(name: str, *args: Any, **kwargs: Any) -> tuple[Any, Ours]:
    """torchvision's transform and ours; transforms among the arguments are made of (name, …) in `of`."""
    return getattr(v2, name)(*args, **kwargs), make(name, *args, **kwargs)


def compare(name: str, sample: Any, *args: Any, seeds: int = 3, text: bool = True, **kwargs: Any) -> None:
    reference, own = both(name, *args, **kwargs)
    if text:
        assert repr(own) == repr(reference)
    compare_made(reference, own, sample, seeds)


def compare_made(reference: Any, own: Ours, sample: Any, seeds: int = 3) -> None:
    for seed in range(seeds):
        expected, state = seeded(seed, reference, sample)
        got, own_state = seeded(seed, own, sample)
        same(got, expected)
        assert torch.equal(own_state, state), "another number of draws"


def refuses(name: str, kind: str, sample: Any, *args: Any, **kwargs: Any) -> None:
    """Neither makes it, or applies it."""
    with pytest.raises(KINDS[kind]):
        seeded(0, getattr(v2, name)(*args, **kwargs), sample)
    with pytest.raises(CtorchError) as failure:
        seeded(0, make(name, *args, **kwargs), sample)
    assert failure.value.kind == kind, failure.value


def functional(name: str, inpt: Any, **kwargs: Any) -> Any:
    first = [p for p in declarations()[f"ctorch_transforms_functional_{name}"]["params"] if p["role"] == "in"][0]
    return theirs(call(f"ctorch_transforms_functional_{name}", **{first["name"]: ours(inpt)}, **kwargs))


def compare_functional(name: str, inpt: Any, **kwargs: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(F, name)(inpt, **kwargs)
    if isinstance(expected, list):
        expected = tuple(expected)
    got = functional(name, inpt, **kwargs)
    same(got, expected)


def functional_refuses(name: str, kind: str, inpt: Any, **kwargs: Any) -> None:
    with pytest.raises(KINDS[kind]):
        getattr(F, name)(inpt, **kwargs)
    with pytest.raises(CtorchError) as failure:
        functional(name, inpt, **kwargs)
    assert failure.value.kind == kind, failure.value
    assert failure.value.function == f"ctorch_transforms_functional_{name}"


# Samples.

IMAGE_TYPES = [torch.uint8, torch.float32, torch.float64, torch.int64, torch.int16, torch.bool, torch.float16]
FORMATS = ["XYXY", "XYWH", "CXCYWH", "XYWHR", "CXCYWHR", "XYXYXYXY"]
SIZE = (17, 23)


def pixels(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    shape = shape or (3, *SIZE)
    if dtype is torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if dtype.is_floating_point:
        return torch.rand(shape, generator=generator, dtype=torch.float64).to(dtype)
    return torch.randint(0, 256 if dtype is torch.uint8 else 100, shape, generator=generator, dtype=dtype)


def image(*shape: int, **kwargs: Any) -> Any:
    return tv.Image(pixels(*shape, **kwargs))


def video(*shape: int, **kwargs: Any) -> Any:
    return tv.Video(pixels(*(shape or (2, 4, 3, *SIZE)), **kwargs))


def mask(*shape: int, **kwargs: Any) -> Any:
    return tv.Mask(pixels(*(shape or (2, *SIZE)), **{"dtype": torch.uint8, **kwargs}))


def boxes(format: str = "XYXY", dtype: torch.dtype = torch.float32, count: int = 5, size=SIZE, mode="soft") -> Any:
    """Boxes that lie in the image, some of them reaching out."""
    generator = torch.Generator().manual_seed(3)
    height, width = size
    corner = torch.rand(count, 2, generator=generator) * torch.tensor([width, height]) - 2
    sides = torch.rand(count, 2, generator=generator) * torch.tensor([width, height]) * 0.6 + 1
    if format in ("XYXY", "XYWH", "CXCYWH"):
        numbers = torch.cat([corner, sides], 1)
        if format == "XYXY":
            numbers[:, 2:] += numbers[:, :2]
        numbers = numbers.round() if not dtype.is_floating_point else numbers
        return tv.BoundingBoxes(numbers.to(dtype), format=format, canvas_size=size, clamping_mode=mode)
    angle = torch.rand(count, 1, generator=generator) * 360 - 180
    numbers = torch.cat([corner + sides / 2, sides, angle], 1).to(dtype)
    made = tv.BoundingBoxes(numbers, format="CXCYWHR", canvas_size=size, clamping_mode=mode)
    return F.convert_bounding_box_format(made, new_format=format)


def keypoints(*shape: int, dtype: torch.dtype = torch.float32, size=SIZE) -> Any:
    generator = torch.Generator().manual_seed(4)
    points = torch.rand(*(shape or (6, 2)), generator=generator) * torch.tensor([size[1], size[0]])
    return tv.KeyPoints(points.to(dtype), canvas_size=size)


def everything(format: str = "XYXY") -> dict[str, Any]:
    """A sample of all kinds, and what is none."""
    return {
        "image": image(),
        "more": [video(), (mask(), "text", None)],
        "boxes": boxes(format),
        "points": keypoints(),
        "label": torch.tensor([1, 2]),
        "number": 3,
    }
