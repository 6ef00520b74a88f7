"""Calls of operators for other languages to repeat: 300 of the cases of tests/operators, drawn with a fixed seed.

`draw()` gives each call as plain data (operator, overload, arguments by name) and what PyTorch's Python makes of it as
lines of text, in which tensors are bytes. A consumer makes the calls through its binding and prints the same lines, so
that equal results are equal texts. A value is an object with one key that tells its kind:

    {"tensor": [dtype, shape, bytes in hex]}  {"int": "-3"}  {"float": its 8 bytes in hex}  {"bool": true}
    {"text": "mean"}  {"none": true}  {"list": […]}  {"generator": seed}
    {"scalar": a value of kind int, float or bool}  {"complex": [two floats in hex]}
"""

from __future__ import annotations

import ctypes
import random
import struct
import sys
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.operators import expectations, operators, values, worker
from tests.operators.cases import Case, Cases  # noqa: E402

COUNT = 300
SEED = 2013
CALL_SEED = 4


class NotEncodable(Exception):
    """A value that the sample leaves out, such as a sparse tensor."""


@dataclass(frozen=True)
class Call:
    operator: str
    overload: str
    arguments: dict[str, Any]  # by name, encoded
    keywords: list[str]  # names of those that are keyword-only
    expected: list[str]  # lines

    def to_json(self) -> dict[str, Any]:
        return {
            "operator": self.operator,
            "overload": self.overload,
            "arguments": self.arguments,
            "keywords": self.keywords,
        }


@lru_cache
def draw(api_path: str, count: int = COUNT) -> list[Call]:
    """The calls, in the order drawn: at most one for each operator overload."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    everything = operators.load(api_path)
    cases = Cases(everything)
    order = list(everything)
    random.Random(SEED).shuffle(order)
    without_values = expectations.load()["addresses"]  # bytes that mean nothing elsewhere
    order = [o for o in order if o.name not in without_values and "empty" not in o.name]
    calls: list[Call] = []
    for operator in order:
        for case in (cases.own(operator) + cases.of_family(operator))[:3]:
            call = _call(cases, case) if "rng_state" not in case.text else None
            if call is not None:
                calls.append(call)
                break
        if len(calls) == count:
            return calls
    raise AssertionError(f"only {len(calls)} calls to draw from")


def _call(cases: Cases, case: Case) -> Call | None:
    """The call of a case, or None if PyTorch refuses it or plain data cannot tell it."""
    operator = case.operator
    if case.mode or "FILE" in case.text:
        return None
    schema_types = {p["name"]: p["type"] for p in operator.function["params"] if p["role"] == "in"}
    keywords = [p["name"] for p in operator.function["params"] if p["keyword_only"]]
    side = worker.PyTorch()
    side.notes = []
    try:
        bound = case.bind(cases.functional(operator))
        bound = {n: v for n, v in bound.items() if v is not None}
        arguments = {n: encode(v, schema_types[n]) for n, v in bound.items()}
        prepared = side.prepare(bound)
        torch.manual_seed(CALL_SEED)
        results = side.call(operator, prepared)
        expected = [line for r in results for line in describe(r)]
        for name in sorted(bound):
            for tensor in _tensors(prepared[name]):
                expected += describe(tensor)
    except Exception:  # refused by PyTorch, or a value that is not plain
        return None
    base, _, overload = operator.name.partition(".")
    return Call(base, overload or "default", arguments, keywords, expected)


def _tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [v for v in value if isinstance(v, torch.Tensor)] if isinstance(value, list | tuple) else []


def encode(value: Any, schema_type: str) -> dict[str, Any]:
    if value is None:
        return {"none": True}
    if isinstance(value, torch.Tensor):
        return {"tensor": [_dtype(value), list(value.shape), _bytes(value).hex()]}
    if isinstance(value, list | tuple):
        return {"list": [encode(v, schema_type.partition("[")[0]) for v in value]}
    if isinstance(value, values.Generator):
        return {"generator": value.seed}
    if isinstance(value, torch.dtype | torch.layout):
        return {"text": str(value).removeprefix("torch.").removeprefix("_")}
    if isinstance(value, torch.memory_format):
        return {"text": str(value).removeprefix("torch.").removesuffix("_format")}
    if isinstance(value, torch.device):
        return {"text": str(value)}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, complex):
        return {"complex": [_float(value.real), _float(value.imag)]}
    if isinstance(value, bool | int | float):
        return _number(value, schema_type)
    raise NotEncodable(type(value))


def _number(value: bool | int | float, schema_type: str) -> dict[str, Any]:
    if schema_type.startswith("Scalar") and not schema_type.startswith("ScalarType"):
        return {"scalar": _number(value, "")}
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, float) or schema_type.startswith("float"):
        return {"float": _float(value)}
    return {"int": str(value)}


def _float(value: float) -> str:
    return struct.pack("<d", value).hex()


def _dtype(tensor: torch.Tensor) -> str:
    plain = tensor.layout == torch.strided and tensor.device.type == "cpu" and not tensor.is_nested
    if not plain or tensor.is_quantized or tensor.requires_grad or tensor._is_zerotensor():
        raise NotEncodable(tensor.layout)
    return str(tensor.dtype).removeprefix("torch.")


def _bytes(tensor: torch.Tensor) -> bytes:
    whole = tensor.resolve_conj().resolve_neg().contiguous()
    return ctypes.string_at(whole.data_ptr(), whole.nbytes) if whole.numel() else b""


def describe(result: Any) -> list[str]:
    """A result as lines."""
    if isinstance(result, list | tuple):
        return [f"list {len(result)}"] + [line for r in result for line in describe(r)]
    if result is None:
        return ["none"]
    if isinstance(result, torch.Tensor):
        return [f"tensor {_dtype(result)} {list(result.shape)} {_bytes(result).hex()}".replace(", ", ",")]
    if isinstance(result, bool):
        return [f"bool {str(result).lower()}"]
    if isinstance(result, torch.dtype):
        return [f"text {str(result).removeprefix('torch.')}"]
    if isinstance(result, float):
        return [f"float {_float(result)}"]
    if isinstance(result, int):
        return [f"int {result}"]
    raise NotEncodable(type(result))
