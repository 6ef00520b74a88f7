"""What Python calls what C has: functions, classes, constants; which functions stand together."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator

from ... import vocabulary
from ...api import Enum, Opaque
from ...names import short
from ...schema import GeneratorError
from ...surface import Surface
from ...vocabulary import DTYPE, LAYOUT, MEMORY_FORMAT, STRING, TENSOR, TENSOR_LIST

PACKAGE = "bindings/python/ctorch"
WIDTH = 120
CONSTANTS = {name: short(name) for name in (DTYPE, LAYOUT, MEMORY_FORMAT)}  # enumerations with a class of their own
STRUCTS = {name: short(name) for name in vocabulary.STRUCTS}
BY_HAND = (TENSOR, STRING, TENSOR_LIST)  # handles whose class is not emitted
CELLS = {
    "bool": "c_bool",
    "double": "c_double",
    "size_t": "c_size_t",
    "int32_t": "c_int32",
    "int64_t": "c_int64",
    "uint8_t": "c_uint8",
    "uint16_t": "c_uint16",
    "uint32_t": "c_uint32",
    "uint64_t": "c_uint64",
}


def parameter_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def python_name(surface: Surface) -> str:
    name = short(surface.function.name)
    if not surface.function.is_operator:
        return parameter_name(name)
    # `pad` has an argument `pad`, behind which it could not name itself
    hidden = any(f"aten_{a.name}" == name for a in surface.arguments)
    return parameter_name(name.removeprefix("aten_")) + ("_overload" if hidden else "")


def class_name(opaque: str) -> str:
    """`ctorch_tensor_list` -> `TensorList`; the class of error objects must not be taken for an exception."""
    words = short(opaque).split("_")
    return "".join(w.title() for w in words) if words != ["error"] else "ErrorObject"


def enum_class(enum: Enum) -> str:
    return "".join(w.title() for w in short(enum.name).split("_"))


def constant_names(enum: Enum) -> Iterator[tuple[str, int]]:
    """`CTORCH_DTYPE_INT64` -> `int64`: as Python's torch calls it."""
    for word, number in enum.short_values.items():
        yield word + ("_format" if word in ("contiguous", "preserve") else ""), number


def slot(opaque: Opaque | str) -> str:
    """The attribute that holds the handle. Each class has one of its own, so that having it tells the type."""
    name = opaque if isinstance(opaque, str) else opaque.name
    return "_" + short(name)


def shard(name: str) -> str:
    """The module of an operator: `a` for add, `_f` for _foreach_add."""
    letter = name.lstrip("_")[0].lower()
    return ("_" if name.startswith("_") else "") + letter


def operators_by_name(surfaces: Iterator[Surface]) -> dict[str, list[Surface]]:
    """The overloads of each operator, in the order in which a call tries them."""
    operators: dict[str, list[Surface]] = defaultdict(list)
    for surface in surfaces:
        operators[surface.name].append(surface)
    return {name: sorted(overloads, key=_specificity) for name, overloads in sorted(operators.items())}


def _specificity(surface: Surface) -> tuple:
    """Overloads that take a tensor where others take a number come first, as in PyTorch; those with `out=` last."""
    ranks = {"Tensor": 0, "Tensor?": 0, "bool": 1, "int": 2, "SymInt": 2, "float": 3, "Scalar": 4, "Scalar?": 5}
    positional = [ranks.get(a.param.type or "", 2) for a in surface.arguments if not a.keyword_only]
    outputs = any(a.keyword_only and a.param.mutated for a in surface.arguments)
    return outputs, positional, surface.overload


def is_method(overloads: list[Surface]) -> bool:
    return any(s.arguments and (s.arguments[0].name, s.arguments[0].kind) == ("self", "handle") for s in overloads)


def result_names(surface: Surface) -> tuple[str, ...]:
    """The names of several results, if the schema has one for each: `-> (Tensor values, Tensor indices)`.

    `self_out` is no name: torchgen calls them so where it derives an operator from one that works in place.
    """
    returned = surface.function.schema.rpartition(" -> ")[2] if surface.function.is_operator else ""
    if not returned.startswith("("):
        return ()
    entries = re.sub(r"\([^()]*\)", "", returned[1:-1]).split(", ")  # without alias marks
    names = [name for _, _, name in (entry.partition(" ") for entry in entries)]
    return tuple(names) if len(names) > 1 and all(names) and not names[0].endswith("_out") else ()


def structures(operators: dict[str, list[Surface]]) -> dict[str, tuple[str, ...]]:
    """The names of the results of each operator that has some. All its overloads with names have the same."""
    found: dict[str, tuple[str, ...]] = {}
    for name, overloads in operators.items():
        sets = {names for names in map(result_names, overloads) if names}
        if len(sets) > 1:
            raise GeneratorError(f"{name}: its overloads name their results differently: {sorted(sets)}")
        if sets:
            (found[name],) = sets
    return found


def namespaces(surfaces: list[Surface]) -> dict[str, dict[str, list[Surface]]]:
    """The functions of schema files: by namespace and name, overloads in the order in which a call tries them."""
    found: dict[str, dict[str, list[Surface]]] = {}
    for surface in surfaces:
        found.setdefault(surface.path[0], {}).setdefault(surface.member, []).append(surface)
    return {
        namespace: {member: sorted(overloads, key=_specificity) for member, overloads in sorted(members.items())}
        for namespace, members in sorted(found.items())
    }


def docstring(doc: str, indent: str = "    ") -> list[str]:
    text = doc.replace("\\", "\\\\").replace('"""', "'''").strip()
    lines = text.splitlines() or ["."]
    if len(lines) == 1 and len(lines[0]) + len(indent) + 6 <= WIDTH and not lines[0].endswith('"'):
        return [f'{indent}"""{lines[0]}"""']
    rest = textwrap.dedent("\n".join(lines[1:])).split("\n")
    return [f'{indent}"""{lines[0]}', *(f"{indent}{line}" if line else "" for line in rest), f'{indent}"""']
