"""The Simple files that follow from the word ABI alone: raw.spl, dyn.spl, constants.spl and manifest.sdn.

simple_operators.py makes the typed layer above them; what does not follow from the model lies in languages/simple/.
Only forms of Simple that its own sources use are emitted; tests/consumers/simple checks and runs them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..api import Api
from ..names import PREFIX, constant
from ..word import NAMED, RUNTIME, WordApi, WordFunction
from .simple_names import parameters
from .simple_operators import namespace, operators, tensor
from .simple_tensor import TENSOR_CALLS, TENSOR_CONSTANTS

FOLDER = "bindings/simple"
OWN_NAMES = frozenset(f.name.removeprefix("rt_") for f in RUNTIME)  # of the word library itself


class Simple:
    """Everything of bindings/simple that is derived from the model, except the table of symbols (word_table.py)."""

    functions = NAMED | frozenset(TENSOR_CALLS) - OWN_NAMES
    constants = frozenset(PREFIX.upper() + name for name in TENSOR_CONSTANTS)

    def emit(self, api: Api) -> dict[str, str]:
        words = WordApi.of(api)
        files = {
            "ctorch/raw.spl": _raw(words),
            "ctorch/dyn.spl": _dyn(words),
            "ctorch/constants.spl": _constants(api),
            "ctorch/tensor.spl": tensor(words),
            "ctorch/ops.spl": operators(words),
            "manifest.sdn": _manifest(words),
        }
        for name in api.namespaces:
            files[f"ctorch/{name}.spl"] = namespace(words, name)
        return {f"{FOLDER}/{path}": "".join(f"{line}\n" for line in lines) for path, lines in files.items()}


def _plain(function: WordFunction) -> str:
    """Its name in dyn.spl."""
    return function.name.removeprefix("rt_")


def _raw(words: WordApi) -> Iterator[str]:
    yield '"""Every function of libspl_ctorch.so as the lanes of Simple see it that link or preload the library.'
    yield ""
    yield "Programs that load it at run time, which needs no help of the compiler, use dyn.spl instead. `symbols.sdn`"
    yield "tells what the words mean; a result below 0 is minus an error code."
    yield '"""'
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
    yield from _DYN_HEAD.strip("\n").split("\n")
    yield ""
    yield "# The place of a symbol here is its place in `slots`."
    yield "val SYMBOLS: [text] = ["
    for number, function in enumerate(functions):
        yield f'    "{function.name}"{"," if number < len(functions) - 1 else ""}'
    yield "]"
    fixed = {name: symbols[f"rt_{PREFIX}{name}"] for name in ("last_error", "last_error_code", "text_from_address")}
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
        call = "call_any" if function.result.kind == "int" else "call"
        yield f"fn {name}({signature}) -> Result<i64, text>:"
        yield f"    {call}({index}, [{', '.join(names)}])"
        return
    kinds = ["f64" if s.kind == "f64" else "i64" for s in function.slots]
    signature = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds))
    given = ", ".join(n if k == "f64" else f"{n} as f64" for n, k in zip(names, kinds))
    double = function.result.kind == "f64"
    yield f"fn {name}({signature}) -> Result<{'f64' if double else 'i64'}, text>:"
    yield f"    {'call_for_double' if double else 'call_with_doubles'}({index}, [{given}])"


_DYN_HEAD = '''
"""Every function of libspl_ctorch.so, loaded at run time: nothing has to be linked.

    match load("build/libspl_ctorch.so"):
        case Ok(count): print("{count} functions")
        case Err(message): panic(message)

`load` resolves every symbol and fails with the name of one that is missing, so that no call can meet a null pointer.
The functions carry words, which `symbols.sdn` explains: handles, plain numbers, number words. Err has the text of the
failure; errors.spl has more of it. Text and doubles cross by the functions below, everything else as a word.

No closure of Simple can be given to C, so hooks, functions with a backward of their own and the like take the address
of a C function here (ctorch_address_new), or are composed of operators.
"""

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

# Addresses of the symbols below; empty until `load` has found all of them.
var slots: [i64] = []
'''

_DYN_CALLS = '''
fn default_path() -> text:
    """Where Simple looks for such libraries: $SIMPLE_SFFI_PATH, or the folder `build`."""
    val folder = unsafe(capabilities: [ffi]):
        rt_env_get("SIMPLE_SFFI_PATH")
    match folder:
        case Some(given): if given == "": "build/libspl_ctorch.so" else: "{given}/libspl_ctorch.so"
        case nil: "build/libspl_ctorch.so"

fn load(path: text = "") -> Result<i64, text>:
    """Open the library and resolve every symbol; gives their number. Loading it again does nothing."""
    if slots.len() > 0:
        return Ok(slots.len())
    val file = if path == "": default_path() else: path
    val opened = unsafe(capabilities: [ffi]):
        spl_dlopen(file)
    if opened <= 0:
        return Err("{file} cannot be loaded; does it exist, and does it find libctorch.so?")
    var found: [i64] = []
    for symbol in SYMBOLS:
        val address = unsafe(capabilities: [ffi, raw_ptr]):
            spl_dlsym(opened, symbol)
        if address == 0:
            return Err("{file} has no {symbol}: it is of another version than these files")
        found.push(address)
    for address in found:
        slots.push(address)
    Ok(slots.len())

fn call_any(slot: i64, words: [i64]) -> Result<i64, text>:
    """A call of which any word may be the result."""
    if slots.len() == 0:
        return Err("ctorch is not loaded: call load() first")
    val word = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(slots[slot], words, words.len())
    if last_error_code() == 0: Ok(word) else: Err(last_error())

fn call(slot: i64, words: [i64]) -> Result<i64, text>:
    if slots.len() == 0:
        return Err("ctorch is not loaded: call load() first")
    val word = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(slots[slot], words, words.len())
    if word < 0: Err(last_error()) else: Ok(word)

fn call_with_doubles(slot: i64, values: [f64]) -> Result<i64, text>:
    if slots.len() == 0:
        return Err("ctorch is not loaded: call load() first")
    val word = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_f64(slots[slot], values, values.len())
    if word < 0.0: Err(last_error()) else: Ok(word as i64)

fn call_for_double(slot: i64, values: [f64]) -> Result<f64, text>:
    """NaN is a value too: only then the code of the last failure is asked for."""
    if slots.len() == 0:
        return Err("ctorch is not loaded: call load() first")
    val value = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_f64(slots[slot], values, values.len())
    if value != value and last_error_code() != 0: Err(last_error()) else: Ok(value)

fn last_error_code() -> i64:
    unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(slots[<last_error_code>], [], 0)

fn last_error() -> text:
    val address = unsafe(capabilities: [ffi, raw_ptr]):
        spl_wffi_call_i64(slots[<last_error>], [], 0)
    if address > 0: cstring(address) else: "unknown error"

fn cstring(address: i64) -> text:
    unsafe(capabilities: [ffi, raw_ptr]):
        rt_cstring_to_text(address)

fn word_of_text(value: text) -> i64:
    """A handle of a copy of this text, or minus an error code."""
    val address = unsafe(capabilities: [ffi, raw_ptr]):
        spl_str_ptr(value)
    word_or_code(call(<text_from_address>, [address]))

fn word_or_code(result: Result<i64, text>) -> i64:
    """The word, or minus the error code: for words that are arguments of another call, which then fails."""
    match result:
        case Ok(word): word
        case Err(message): if slots.len() > 0: 0 - last_error_code() else: panic(message)
'''


def _constants(api: Api) -> Iterator[str]:
    yield '"""The numbers of ctorch\'s enumerations, which are PyTorch\'s own."""'
    for enum in api.enums:
        yield ""
        yield f"# {enum.name}"
        for name, number in enum.values:
            yield f"val {constant(name)}: i64 = {number}"


def _manifest(words: WordApi) -> Iterator[str]:
    """For ~/.simple/plugins/manifest.sdn; a double cannot be given on that way."""
    yield "# Append this to ~/.simple/plugins/manifest.sdn, or name this file in SIMPLE_PLUGIN_MANIFEST, after putting"
    yield "# the path of the library in. The interpreter then finds the functions of ctorch/raw.spl."
    yield "plugins:"
    yield "    -"
    yield "        name: ctorch"
    yield "        library: libspl_ctorch.so"
    yield f'        version: "{words.api.version}"'
    names = [f.name for f in words.all if f.transport == "i64"]
    yield f"        functions: [{', '.join(names)}]"
