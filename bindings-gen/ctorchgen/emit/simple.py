"""The Simple files that follow from the word ABI alone: raw.spl, ffi.spl and constants.spl.

simple_operators.py makes the typed layer above them; what does not follow from the model lies in languages/simple/.
Only forms of Simple that its own sources use are emitted; tests/consumers/simple checks and runs them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..api import Api
from ..names import PREFIX, constant
from ..word import NAMED, RUNTIME, WordApi, WordFunction
from .simple_names import parameters
from .simple_operators import exports, namespace, operators, tensor
from .simple_tensor import TENSOR_CALLS, TENSOR_CONSTANTS

FOLDER = "bindings/simple"
# Where the functions of a schema file lie: those of torch.nn below it.
PLACES = {"nn": "nn/modules", "init": "nn/init", "utils": "nn/utils", "functional": "nn/functional"}
OWN_NAMES = frozenset(f.name.removeprefix("rt_") for f in RUNTIME)  # of the word library itself


class Simple:
    """Everything of bindings/simple that is derived from the model, except the table of symbols (word_table.py)."""

    functions = NAMED | frozenset(TENSOR_CALLS) - OWN_NAMES
    constants = frozenset(PREFIX.upper() + name for name in TENSOR_CONSTANTS)

    def emit(self, api: Api) -> dict[str, str]:
        words = WordApi.of(api)
        files = {
            "ml/torch/raw.spl": _raw(words),
            "ml/torch/ffi.spl": _dyn(words),
            "ml/torch/constants.spl": _constants(api),
            "ml/torch/tensor.spl": tensor(words),
            "ml/torch/ops.spl": operators(words),
        }
        for name in api.namespaces:
            files[f"ml/torch/{PLACES.get(name, name)}.spl"] = namespace(words, name)
        return {f"{FOLDER}/{path}": "".join(f"{line}\n" for line in lines) for path, lines in files.items()}


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
    head, _, rest = _DYN_HEAD.strip("\n").partition("<exports>")
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
    body = _DYN_CALLS.strip("\n")
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

_DYN_HEAD = '''
"""Every function of libspl_ctorch.so, loaded at run time: nothing has to be linked.

    match load_ctorch("build/libspl_ctorch.so"):
        case Ok(count): print("{count} functions")
        case Err(message): panic(message)

`load_ctorch` resolves every symbol and fails with the name of one that is missing, so that no call can meet a null
pointer. The functions carry words, which `symbols.sdn` explains: handles, plain numbers, number words. Err has the text
of the failure; errors.spl has more of it. Text and doubles cross by the functions below, everything else as a word.

No closure of Simple can be given to C, so hooks, functions with a backward of their own and the like take the address
of a C function here (ctorch_address_new), or are composed of operators.
"""

<exports>

@unsafe(reason: "opens a library that the caller names", capabilities: [ffi])
extern fn spl_dlopen(path: text) -> i64
@unsafe(reason: "resolves a symbol; load checks each for null", capabilities: [ffi, raw_ptr])
extern fn spl_dlsym(handle: i64, name: text) -> i64
@unsafe(reason: "calls i64(i64 ...), which every companion is", capabilities: [ffi, raw_ptr])
extern fn spl_wffi_call_i64(fptr: i64, args: [i64], nargs: i64) -> i64
@unsafe(reason: "calls f64(f64 ...), which every rt_ctorch_f_ companion is", capabilities: [ffi, raw_ptr])
extern fn spl_wffi_call_f64(fptr: i64, args: [f64], nargs: i64) -> f64
@unsafe(reason: "address of a text until the next one of this thread", capabilities: [ffi, raw_ptr])
extern fn spl_str_ptr(value: text) -> i64
@unsafe(reason: "copies the C string of an address that the library gave", capabilities: [ffi, raw_ptr])
extern fn rt_cstring_to_text(ptr: i64) -> text
extern fn rt_env_get(key: text) -> text?
extern fn rt_file_exists(path: text) -> bool

# Addresses of the symbols below; empty until `load` has found all of them.
var ctorch_slots: [i64] = []
'''

_DYN_CALLS = '''
fn default_library_path() -> text:
    """Where Simple looks for such libraries: $SIMPLE_SFFI_PATH, or the folder `build`."""
    val folder = unsafe(capabilities: [ffi]):
        rt_env_get("SIMPLE_SFFI_PATH")
    if folder == nil:
        return "build/libspl_ctorch.so"
    if folder == "":
        return "build/libspl_ctorch.so"
    "{folder}/libspl_ctorch.so"

fn load_ctorch(path: text = "") -> Result<i64, text>:
    """Open the library and resolve every symbol; gives their number. Loading it again does nothing."""
    if ctorch_slots.len() > 0:
        return Ok(ctorch_slots.len())
    val file = if path == "": default_library_path() else: path
    val there = unsafe(capabilities: [ffi]):
        rt_file_exists(file)
    if not there:
        return Err("there is no {file}")
    val opened = unsafe(capabilities: [ffi]):
        spl_dlopen(file)
    if opened <= 0:
        return Err("{file} cannot be loaded: does it find libctorch.so?")
    var found: [i64] = []
    for symbol in CTORCH_SYMBOLS:
        val address = unsafe(capabilities: [ffi, raw_ptr]):
            spl_dlsym(opened, symbol)
        if address == 0:
            return Err("{file} has no {symbol}: it is of another version than these files")
        found.push(address)
    if not transport_works(found):
        return Err("this runtime does not carry eight words of 61 bits to {file} and one back")
    ctorch_slots = found
    Ok(ctorch_slots.len())

fn transport_works(addresses: [i64]) -> bool:
    """Whether a call gets its words: where the runtime rejects one, it answers 0, which would pass for success."""
    val list = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(addresses[<ints_of>], [7, 1, 2, 3, 4, 5, 6, 1125899906842623], 8)
    if list <= 0:
        return false
    val last = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(addresses[<ints_get>], [list, 6], 2)
    val released = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(addresses[<release>], [list], 1)
    last == 5629499534213120 + 1125899906842623 and released > 0

fn call_any_slot(slot: i64, words: [i64]) -> Result<i64, text>:
    """A call of which any word may be the result."""
    if ctorch_slots.len() == 0:
        return Err("ctorch is not loaded: call load_ctorch() first")
    val word = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(ctorch_slots[slot], words, words.len())
    if code_of_last_error() == 0: Ok(word) else: Err(text_of_last_error())

fn call_slot(slot: i64, words: [i64]) -> Result<i64, text>:
    if ctorch_slots.len() == 0:
        return Err("ctorch is not loaded: call load_ctorch() first")
    val word = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(ctorch_slots[slot], words, words.len())
    if word < 0: Err(text_of_last_error()) else: Ok(word)

fn call_slot_with_doubles(slot: i64, values: [f64]) -> Result<i64, text>:
    if ctorch_slots.len() == 0:
        return Err("ctorch is not loaded: call load_ctorch() first")
    val word = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_f64(ctorch_slots[slot], values, values.len())
    if word < 0.0: Err(text_of_last_error()) else: Ok(word as i64)

fn call_slot_for_double(slot: i64, values: [f64]) -> Result<f64, text>:
    """NaN is a value too: only then the code of the last failure is asked for."""
    if ctorch_slots.len() == 0:
        return Err("ctorch is not loaded: call load_ctorch() first")
    val value = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_f64(ctorch_slots[slot], values, values.len())
    if value != value and code_of_last_error() != 0: Err(text_of_last_error()) else: Ok(value)

fn code_of_last_error() -> i64:
    unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(ctorch_slots[<last_error_code>], [], 0)

fn text_of_last_error() -> text:
    val address = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(ctorch_slots[<last_error>], [], 0)
    if address > 0: text_at_address(address) else: "unknown error"

fn text_at_address(address: i64) -> text:
    unsafe(capabilities: [ffi, raw_ptr]):
        rt_cstring_to_text(address)

fn word_of_text(value: text) -> i64:
    """A handle of a copy of this text, or minus an error code."""
    val address = unsafe(capabilities: [ffi, raw_ptr]):
        spl_str_ptr(value)
    word_or_code(call_slot(<text_from_address>, [address]))

fn word_or_code(outcome: Result<i64, text>) -> i64:
    """The word, or minus the error code: for words that are arguments of another call, which then fails."""
    match outcome:
        case Ok(word): word
        case Err(message): if ctorch_slots.len() > 0: 0 - code_of_last_error() else: panic(message)
'''


# What is exported of it beside the functions of the library.
_DYN_NAMES = (
    "load_ctorch default_library_path call_slot call_any_slot call_slot_with_doubles call_slot_for_double "
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
