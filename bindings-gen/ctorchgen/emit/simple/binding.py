"""The Simple files that follow from the word ABI alone: raw.spl, ffi.spl and constants.spl.

operators.py makes the typed layer above them; what does not follow from the model lies in languages/simple/.
Only forms of Simple that its own sources use are emitted; tests/languages/simple checks and runs them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api
from ...names import PREFIX, constant
from ...vocabulary import DTYPE
from ...word import NAMED, RUNTIME, WordApi, WordFunction
from .names import parameters
from .operators import exports, namespace, operators, tensor
from .packages import packages, place
from .tensor import TENSOR_CALLS, TENSOR_CONSTANTS, simple_text

FOLDER = "bindings/simple"
OWN_NAMES = frozenset(f.name.removeprefix("rt_") for f in RUNTIME)  # of the word library itself


class Simple:
    """Everything of bindings/simple that is derived from the model, except the table of symbols (word_table.py)."""

    functions = NAMED | frozenset(TENSOR_CALLS) - OWN_NAMES
    constants = frozenset(PREFIX.upper() + name for name in TENSOR_CONSTANTS)

    def emit(self, api: Api) -> dict[str, str]:
        words = WordApi.of(api)
        files = {
            "ml/torch/raw": _raw(words),
            "ml/torch/ffi": _dyn(words),
            "ml/torch/constants": _constants(api),
            "ml/torch/dtypes": _dtypes(api),
            "ml/torch/tensor": tensor(words),
            "ml/torch/ops": operators(words),
        }
        for name in api.namespaces:
            files[place(name)] = namespace(words, name)
        files |= packages(files)
        return {f"{FOLDER}/{path}.spl": "".join(f"{line}\n" for line in lines) for path, lines in files.items()}


_CHECKED_BEFORE = ("ctorch_ints_of",)  # by words.spl


def _plain(function: WordFunction) -> str:
    """Its name in ffi.spl."""
    return function.name.removeprefix("rt_")


def _raw(words: WordApi) -> Iterator[str]:
    yield '"""Every function of libspl_ctorch.so as the lanes of Simple see it that link or preload the library.'
    yield ""
    yield "Programs that load it at run time, which needs no help of the compiler, use ffi.spl instead. `symbols.sdn`"
    yield "tells what the words mean; a result below 0 is minus an error code."
    yield '"""'
    yield ""
    yield from exports([f.name for f in words.all])
    for function in words.all:
        yield ""
        if function.function is not None and function.function.schema:
            yield f"# {function.function.schema}"
        if function.packed:
            yield f"# A pack of {', '.join(s.name for s in function.slots)}."
        yield '@unsafe(reason: "words of the ctorch ABI; every handle is checked by the library", capabilities: [ffi])'
        yield f"extern fn {function.name}({_typed(function)}) -> {_word_type(function.transport)}"


def _word_type(transport: str) -> str:
    return "i64" if transport == "i64" else "f64"


def _typed(function: WordFunction) -> str:
    return ", ".join(f"{name}: {_word_type(function.transport)}" for name in parameters(function))


def _dyn(words: WordApi) -> Iterator[str]:
    functions = words.all
    symbols = {f.name: i for i, f in enumerate(functions)}
    head, _, rest = simple_text("ffi_head").strip("\n").partition("<exports>")
    yield from head.rstrip("\n").split("\n")
    yield ""
    yield from exports([*_DYN_NAMES, *(_plain(f) for f in functions)])
    yield from rest.split("\n")
    yield ""
    yield "# The place of a symbol here is its place in `ctorch_slots`."
    yield "val CTORCH_SYMBOLS: [text] = ["
    for number, function in enumerate(functions):
        yield f'    "{function.name}"{"," if number < len(functions) - 1 else ""}'
    yield "]"
    fixed = {name: symbols[f"rt_{PREFIX}{name}"] for name in _FIXED}
    body = simple_text("ffi_calls").strip("\n")
    for name, index in fixed.items():
        body = body.replace(f"<{name}>", str(index))
    yield ""
    yield from body.split("\n")
    for index, function in enumerate(functions):
        yield ""
        yield from _dyn_function(index, function)


def _dyn_function(index: int, function: WordFunction) -> Iterator[str]:
    names = parameters(function)
    name = _plain(function)
    if function.packed:
        yield f"# A pack of {', '.join(s.name for s in function.slots)}."
    if function.transport == "i64":
        signature = ", ".join(f"{n}: i64" for n in names)
        call = "call_any_slot" if function.result.kind == "int" else "call_slot"
        if any(s.kind == "int" for s in function.slots) and not function.packed and name not in _CHECKED_BEFORE:
            call = call.replace("_slot", "_checked_slot")  # plain integers, which may be too large for the lane
        yield f"fn {name}({signature}) -> Result<i64, text>:"
        yield f"    {call}({index}, [{', '.join(names)}])"
        return
    kinds = ["f64" if s.kind == "f64" else "i64" for s in function.slots]
    signature = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds))
    given = ", ".join(n if k == "f64" else f"{n} as f64" for n, k in zip(names, kinds))
    double = function.result.kind == "f64"
    yield f"fn {name}({signature}) -> Result<{'f64' if double else 'i64'}, text>:"
    yield f"    {'call_slot_for_double' if double else 'call_slot_with_doubles'}({index}, [{given}])"


# The functions that the head of ffi.spl calls by their place.
_FIXED = ("last_error", "last_error_code", "text_from_address", "ints_of", "ints_get", "release")

# What is exported of it beside the functions of the library.
_DYN_NAMES = (
    "load_ctorch default_library_path call_slot call_any_slot call_checked_slot call_any_checked_slot words_fit "
    "call_slot_with_doubles call_slot_for_double "
    "code_of_last_error text_of_last_error text_at_address word_of_text word_or_code"
).split()


def _constants(api: Api) -> Iterator[str]:
    yield '"""The numbers of ctorch\'s enumerations, which are PyTorch\'s own."""'
    yield ""
    yield from exports([constant(name) for enum in api.enums for name, _ in enum.values])
    for enum in api.enums:
        yield ""
        yield f"# {enum.name}"
        for name, number in enum.values:
            yield f"val {constant(name)}: i64 = {number}"


def _dtypes(api: Api) -> Iterator[str]:
    names = next((e.values for e in api.enums if e.name == DTYPE), ())
    variants = [("".join(p.capitalize() for p in constant(n).removeprefix("DTYPE_").split("_")), v) for n, v in names]
    yield '"""What the elements of a tensor are: `Tensor.zeros([3], DType.Float64)`, `x.to(dtype: DType.Int64)`."""'
    yield ""
    yield "export DType, dtype_number, dtype_of_number"
    yield ""
    yield "# By PyTorch's names; Other is one that a later PyTorch has, by its number."
    yield "enum DType:"
    yield from (f"    {name}" for name, _ in variants)
    yield "    Other(i64)"
    yield ""
    yield "fn dtype_number(dtype: DType) -> i64:"
    yield '    """The number of constants.spl."""'
    yield "    match dtype:"
    yield from (f"        case DType.{name}: {number}" for name, number in variants)
    yield "        case DType.Other(number): number"
    yield ""
    yield "fn dtype_of_number(number: i64) -> DType:"
    for name, number in variants:
        yield f"    if number == {number}:"
        yield f"        return DType.{name}"
    yield "    DType.Other(number)"
