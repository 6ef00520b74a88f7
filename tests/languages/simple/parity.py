"""Every function of ops.spl beside the same operator of Python's torch, on the same arguments and the same seed.

    python -m simple.parity PACKAGE LIBRARY API_JSON POLICY_TOML [EVERY]

Both run in one process and so on one LibTorch. An operator that fails must fail in both; one that gives something must
give the same: shapes and values, and what in-place operators made of their arguments. Prints a line for each
difference, and the counts. Operators on whose nonsense PyTorch crashes are left out. EVERY 5 tries every fifth one.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tomllib
import warnings
from collections import Counter
from pathlib import Path

import torch

from .interpreter import Program
from .runtime import runtime
from .transport import Transport
from .values import Fault, Instance, Variant

ROOT = Path(__file__).resolve().parents[3]
VALUES = ([0.5, 1.5, 2.5, 3.25], [2, 2])
# Results that no seed fixes: memory as it was found, handles, the clock.
UNDEFINED = (
    "empty",
    "resize",
    "_debug",
    "_version",
    "get_device",
    "from_file",
    "_cslt",
    "_make_dep_token",
    "fbgemm_pack",
    "_nested",
)
DTYPES = {number: getattr(torch, name) for name, number in (("uint8", 0), ("int8", 1), ("int64", 4), ("float32", 6))}


class Parity:
    def __init__(self, package: Path, library: Path) -> None:
        self.program = Program([package], runtime(Transport(), []))
        loaded = self.program.call("ml.torch.ffi", "load_ctorch", str(library))
        if loaded.name != "Ok":
            raise SystemExit(loaded.fields[0])
        self.ops = self.program.module("ml.torch.ops")
        tensors = self.program.module("ml.torch.tensor").names
        self.tensor, self.scope = tensors["Tensor"], tensors["Scope"]
        self.classes = self.program.module("ml.torch.words").names

    def method(self, value: Instance, name: str, *arguments: object) -> object:
        return value.type.methods[name].call([value, *arguments])

    def sample(self, type_: tuple, length: int = 1) -> object:
        """An argument for Simple; the length is that of a list."""
        kind = type_[0]
        if kind == "optional":
            return None
        if kind == "list":
            return [self.sample(type_[1])] * length
        if kind == "Tensor":
            return self.tensor.methods["from_array"].call([*VALUES]).fields[0]
        if kind == "Scalar":
            return Variant("Scalar", "Int", (1,))
        if kind == "DType":
            return self.program.call("ml.torch.dtypes", "dtype_of_number", 1)
        if kind == "Device":
            return Instance(self.classes["Device"], {"kind": 0, "index": -1})
        return {"i64": 1, "f64": 0.5, "bool": False, "text": "mean"}[kind]

    def items(self, value: Instance, results: tuple) -> list[object]:
        """What a Tuple holds."""
        readers = {"number": {"double": "double", "int64_t": "integer"}}
        out = []
        for index, result in enumerate(results):
            if result.kind == "handle":
                reader = {"TENSOR": "tensor", "TENSOR_LIST": "tensors"}[result.handle_kind]
            else:
                reader = readers[result.kind][result.type]
            out.append(self.method(value, reader, index).fields[0])
        self.method(value, "drop")
        return out

    def shown(self, value: object) -> object:
        """A result of Simple as shapes and numbers."""
        if isinstance(value, Instance) and value.type.name == "Tensor":
            if not self.method(value, "defined"):
                return None
            numbers = self.method(value, "to_floats")
            return (self.method(value, "shape"), numbers.fields[0]) if numbers.name == "Ok" else "no numbers"
        if isinstance(value, list):
            return [self.shown(v) for v in value]
        if isinstance(value, Variant) and value.enum == "DType":
            return self.program.call("ml.torch.dtypes", "dtype_number", value)
        if isinstance(value, Variant):
            return value.fields[0]
        return value


def python_sample(type_: str, length: int = 1) -> object:
    """The same argument for torch; the type is that of the schema, the length that of a list."""
    if type_.startswith("Optional") or type_.endswith("?"):
        return None
    if type_.startswith("List["):
        item = type_[5:-1].removeprefix("Optional[").removesuffix("]")
        return [python_sample(item)] * length
    if type_ == "Tensor":
        return torch.tensor([VALUES[0][:2], VALUES[0][2:]])
    if type_ == "Device":
        return torch.device("cpu")
    return {"int": 1, "float": 0.5, "bool": False, "str": "mean", "number": 1}[type_]


def python_arguments(schema: torch.FunctionSchema, parameters: list) -> tuple[list, dict]:
    """The schema's default where Simple has it too, or where it is given nil; else the same sample."""
    positional, named = [], {}
    for argument, parameter in zip(schema.arguments, parameters, strict=True):
        if argument.has_default_value() and (parameter.default is not None or parameter.type[0] == "optional"):
            value = argument.default_value
        else:
            value = python_sample(str(argument.type), argument.N or 1)
            if str(argument.real_type) == "ScalarType":
                value = DTYPES[1]
        if argument.kwarg_only:
            named[argument.name] = value
        else:
            positional.append(value)
    return positional, named


def python_shown(value: object) -> object:
    if isinstance(value, torch.Tensor):
        try:
            return (list(value.shape), value.to(torch.float64).contiguous().flatten().tolist())
        except Exception:
            return "no numbers"
    if isinstance(value, (list, tuple)):
        return [python_shown(v) for v in value]
    if isinstance(value, torch.dtype):
        return next((number for number, dtype in DTYPES.items() if dtype == value), value)
    return value


def same(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, (float, int)):
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6) or math.isnan(a) and math.isnan(b)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def alike(mine: str, theirs: str) -> bool:
    """Whether two messages say the same: PyTorch's own, where importing Python's torch changes how types are called."""
    mine, theirs = (re.sub(r"(Sparse)?CPU(\w+)Type|torch\.(sparse\.)?(\w+)Tensor", "T", m) for m in (mine, theirs))
    if "is no ctorch_" in mine:  # a number that its enumeration has not is refused before PyTorch is asked
        return True
    return mine.split("\n")[0] in theirs or theirs in mine


def compare(parity: Parity, operator, crashes: set[str]) -> tuple[str, str]:
    """What came of one operator, and if that is a difference, which."""
    surface, function = operator.function.surface, parity.ops.names[operator.name]
    full = surface.name + (f".{surface.overload}" if surface.overload else "")
    parameters = function.node.parameters
    if full in crashes or {"Storage", "Stream"} & {p.type[0] for p in parameters}:
        return "left out", ""
    print(operator.name, file=sys.stderr, flush=True)
    call = getattr(getattr(torch.ops.aten, surface.name, None), surface.overload or "default", None)
    if call is None:
        return "not in this PyTorch", ""
    scope = parity.scope.methods["begin"].call([]).fields[0]
    arguments = [
        parity.sample(p.type, a.N or 1) if p.default is None else function.prepared_default(p.name)
        for p, a in zip(parameters, call._schema.arguments, strict=True)
    ]
    torch.manual_seed(0)
    got = function.call(arguments)
    here = got.name == "Ok"
    mine = got.fields[0] if here else got.fields[0].fields["message"]
    if isinstance(mine, Instance) and mine.type.name == "Tuple":
        mine = parity.items(mine, operator.function.result.items)
    mine = parity.shown(mine)
    changed = [parity.shown(a) for a in arguments if isinstance(a, Instance) and a.type.name == "Tensor"]
    parity.method(scope, "end")

    positional, named = python_arguments(call._schema, parameters)
    torch.manual_seed(0)
    try:
        theirs, there = python_shown(call(*positional, **named)), True
    except Exception as exception:
        theirs, there = str(exception).split("\n")[0], False
    if here != there:
        return "difference", f"{operator.name}: {mine} here, {theirs} in Python"[:300]
    if not here:
        if not alike(mine, theirs):
            return "difference", f"{operator.name}: {mine!r} here, {theirs!r} in Python"[:300]
        return "fails in both", ""
    if any(u in operator.name for u in UNDEFINED):
        return "undefined", ""
    if operator.function.result.kind != "status" and not same(mine, theirs):
        return "difference", f"{operator.name}: {mine} here, {theirs} in Python"[:300]
    tensors = [a for a in (*positional, *named.values()) if isinstance(a, torch.Tensor)]
    if not same(changed, python_shown(tensors)):
        return "difference", f"{operator.name}: it changed its arguments in another way"
    return "the same", ""


def main() -> int:
    package, library, api, policy = map(Path, sys.argv[1:5])
    every = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    sys.path.insert(0, str(ROOT / "bindings-gen"))
    from ctorchgen.api import Api
    from ctorchgen.emit.simple.operators import readable
    from ctorchgen.word import WordApi

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    crashes = {e["operator"] for e in tomllib.loads(policy.read_text())["upstream_crash"]}
    operators = readable(WordApi.of(Api.from_json(json.loads(api.read_text()))))
    parity = Parity(package, library)
    counts: Counter[str] = Counter()
    for operator in operators[::every]:
        try:
            outcome, line = compare(parity, operator, crashes)
        except Fault as fault:
            outcome, line = "fault", f"{operator.name}: {fault}"
        counts[outcome] += 1
        if line:
            print(line)
    print(json.dumps(counts))
    return 1 if counts["difference"] or counts["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
