"""What to say about arguments that a function does not take: which one, and what it should have been."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import arguments
from .arguments import DEFAULT, NOT_AN_ARGUMENT

CONVERSIONS = {
    "int": arguments.as_int64,
    "SymInt": arguments.as_int64,
    "DeviceIndex": arguments.as_int32,
    "float": arguments.as_double,
    "bool": arguments.as_bool,
    "str": arguments.as_text,
    "Scalar": arguments.as_scalar,
    "number": arguments.as_scalar,
    "ScalarType": arguments.as_dtype,
    "dtype": arguments.as_dtype,
    "Layout": arguments.as_layout,
    "layout": arguments.as_layout,
    "MemoryFormat": arguments.as_memory_format,
    "memory_format": arguments.as_memory_format,
    "Device": arguments.as_device,
    "device": arguments.as_device,
    "Stream": arguments.as_stream,
    "address": arguments.as_address,
    "Buffer": arguments.as_bytes,
    "WritableBuffer": arguments.as_buffer,
}
PYTHON_NAMES = {
    "SymInt": "int",
    "DeviceIndex": "int",
    "Scalar": "number",
    "ScalarType": "dtype",
    "Layout": "layout",
    "MemoryFormat": "memory_format",
    "Device": "device",
}


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str  # as the schema writes it, without alias marks: `Tensor?[]`
    mutated: bool = False


def parameters(function: Any) -> Iterator[Parameter]:
    """The parameters of an emitted function: by the schema in its doc, or by its annotations."""
    names = inspect.signature(function).parameters
    schema = re.match(r"\s*[\w.]+\((.*)\) -> ", (function.__doc__ or "").rpartition("\n\n")[2])
    if schema is None:
        for name in names:
            yield Parameter(name, _schema_type(function.__annotations__.get(name, "")))
        return
    texts = re.sub(r"\((\w!?)(?: -> \w+)?(?:\|\w)*\)|\((?:\w\|?)*!? -> \*\)", "", schema[1])
    types = re.findall(r"(?:^|, )(\w+\??(?:\[\d*\])?\??) (\w+)", texts)
    by_name = {name: type_ for type_, name in types}
    mutated = set(re.findall(r"!(?: -> \w+)?\)\S* (\w+)", schema[1]))
    for name in names:
        yield Parameter(name, by_name.get(name) or by_name.get(name.removesuffix("_"), ""), name in mutated)


def _schema_type(annotation: str) -> str:
    """`Sequence[Tensor | None] | None` -> `Tensor?[]?`: one way of writing for both kinds of functions."""
    inner = annotation.removesuffix(" | None")
    mark = "?" if inner != annotation else ""
    if inner.startswith("Sequence["):
        return _schema_type(inner.removeprefix("Sequence[").removesuffix("]")) + "[]" + mark
    return inner + mark


def explanation(function: Any, values: dict[str, Any], reason: str) -> str:
    for position, parameter in enumerate(parameters(function), 1):
        value = values.get(parameter.name, DEFAULT)
        problem = wrong(parameter.type, value)
        if problem is not None:
            return f"{called(function)}(): argument '{parameter.name}' (position {position}) {problem}"
    return f"{called(function)}(): {reason or 'the arguments do not fit'}"


def wrong(type_: str, value: Any) -> str | None:
    """What is wrong with a value; None if it is fine."""
    if value is DEFAULT or (value is None and type_.endswith("?")):
        return None
    inner = type_.removesuffix("?")
    if inner.endswith("]"):
        return _wrong_list(inner, value)
    problem = ""
    try:
        _convert(inner, value)
        return None
    except NOT_AN_ARGUMENT as error:
        problem = str(error) if isinstance(error, arguments.NotAnArgument) else ""
    return problem or f"must be {readable(type_)}, not {type(value).__name__}"


def _convert(type_: str, value: Any) -> None:
    convert = CONVERSIONS.get(type_) or arguments.OBJECTS.get(type_)
    if convert is not None:
        convert(value)
    elif type_ in ("Callable", "object", ""):
        if type_ == "Callable" and not callable(value):
            raise arguments.NotAnArgument
    else:  # an object that owns a handle
        getattr(value, "_" + re.sub(r"(?<!^)(?=[A-Z])", "_", type_).lower().replace("_object", ""))


def _wrong_list(type_: str, value: Any) -> str | None:
    element, _, count = type_.removesuffix("]").rpartition("[")
    if count and not isinstance(value, list | tuple) and wrong(element, value) is None:
        return None
    try:
        entries = arguments.sequence(value)
    except NOT_AN_ARGUMENT:
        return f"must be {readable(type_)}, not {type(value).__name__}"
    for index, entry in enumerate(entries):
        problem = wrong(element, entry)
        if problem is not None:
            return f"must be {readable(type_)}; element {index} {problem}"
    return None


def readable(type_: str) -> str:
    """`Tensor?[]` -> `list of (Tensor or None)`."""
    if type_.endswith("?"):
        return f"{readable(type_[:-1])} or None"
    if type_.endswith("]"):
        element = readable(type_.rpartition("[")[0])
        return f"list of {f'({element})' if ' ' in element else element}"
    return PYTHON_NAMES.get(type_, type_)


def called(function: Any) -> str:
    """What a caller names a function: `add.Tensor`, `abs`."""
    return function.__qualname__.removesuffix(".default")
