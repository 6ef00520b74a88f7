"""The word ABI: every function as `int64_t rt_ctorch_<name>(int64_t, …)`, for FFIs that know nothing but 64-bit words.

Some languages call C only as `int64_t f(int64_t × n)` with n at most 8, or as `double f(double × n)`: no pointers, no
structs, no strings, no callbacks. `libspl_ctorch.so` gives them the whole of ctorch. This module decides how each
function looks there; the emitters write the C, the table of symbols and the Simple files from it.

Words
-----
A word is an int64. It is one of

plain      a number, a flag (0 or 1) or an enum by its number, where the C function takes it by value.
handle     from 2^24 to 2^52: a slot in a table and its generation. A handle that was released stays invalid for ever;
           no small number is a handle. Whatever is no live handle of the kind that is asked for is INVALID_HANDLE.
number     for every number that may be left out (`int?`, `bool?`, `dtype?`), every double, every Scalar:
           2^52 + 2^50 + n is the integer n, for -2^50 <= n < 2^50, and owns nothing. `rt_ctorch_number_int(n)` makes
           one, or a handle of kind NUMBER where n is larger. Doubles, complex numbers and bools are such handles.
device     2^52 + 2^51 + type * 2^16 + index + 1; owns nothing. `rt_ctorch_device_word(type, index)` makes one.
0          nothing: None, or the default of the schema.

All of them but plain ones lie below 2^53, so a double carries them exactly, as do lanes that keep 61 bits. A plain
integer is as wide as it is: what a lane shortens cannot be said there. `rt_ctorch_number_int_halves` makes number words
of any width.

Arguments
---------
Slots are the arguments in the order of the schema (`Slot.kind`):

flag       0 or 1
int        an integer that fits `type`; a uint64_t is given by its bits
enum       a number of the enum `type`
double     a number word of any real kind
number     optional `type` (an integer, bool, double or enum): a number word, or 0
scalar     a number word of any kind
device     a device word
stream     a handle of kind STREAM
text       a handle of kind TEXT or STRING, without NUL inside
bytes      a handle of kind TEXT or STRING; of kind INTS or DOUBLES for its memory, 8 bytes an entry
ints       a handle of kind INTS, whose entries must fit `type` (int64_t, bool, an enum …)
doubles, scalars, devices, texts, values   a handle of that kind
tensors    a handle of kind TENSORS or TENSOR_LIST
handles    a handle of kind INTS, whose entries are handles of the kind `Slot.handle_kind`
handle     a handle of the kind `Slot.handle_kind`; a `struct` of DLPack may also be an ADDRESS
address    a handle of kind ADDRESS: a machine address that somebody vouched for by `rt_ctorch_address_new`; also a C
           function, where a callback is asked for (`Slot.argument.kind` is callback or destroy), and its payload
room       how many bytes to read; the result is a TEXT
any        any handle
word       any word, checked when it is used
f64        double transport only: a double as it is

A function with more than 8 slots takes one word: a handle of kind PACK.

An `optional` slot takes 0: None, or the schema's default. Lists are always optional: 0 is the schema's default, None or
the empty list, as a NULL pointer is in C. Plain slots have no such word, so a caller gives `Slot.default` itself.

A pack holds the words of a function with more than 8 arguments. `rt_ctorch_pack_push` appends one,
`rt_ctorch_pack_set(pack, index, word)` sets one; slots that were never set take their default, plain ones too, and are
an error NULL_ARGUMENT if they have none. A pack owns nothing and may be used again.

A handle stays the caller's, and may be used by several threads at once; a call keeps alive what it uses, whoever
releases it meanwhile. `T **out` results, lists and packs are released by `rt_ctorch_release`, or by the function of
their kind (`rt_ctorch_tensor_release`). `_retain` answers the same handle, which then needs one release more.
`rt_ctorch_scope_begin` … `_scope_end` release every handle that this thread was given in between, of any kind but
ERROR and SCOPE, and that was not released before; what was retained stays.
Only an argument whose `Argument.param.owned` is set is consumed: its handle is invalid afterwards, also on failure.

Results
-------
A result below 0 is minus a ctorch_error_kind: -33 is INVALID_HANDLE. Otherwise (`Result.kind`):

status     1: done. For functions without a result, and for operators that change their arguments
flag       0 or 1
count      a number that is never negative
enum       a number of the enum `type`
number     any other number: a number word (never 0), to be released like a handle: nothing happens if it is an integer
           that fits, so most programs need not
handle     a handle of the kind `type`; 0 where C has NULL (an undefined tensor, None)
text       a handle of kind TEXT; 0 where C has NULL
ints       a handle of kind INTS
tensors    a handle of kind TENSORS
device     a device word
stream     a handle of kind STREAM
address    the machine address itself; 0 for NULL
f64        double transport only: a double as it is
any        a word of whatever kind went in; int: an integer as it is, which number_to_int alone answers
tuple      a handle of kind TUPLE, one item for each of `items`, in C's order. `rt_ctorch_tuple_take(tuple, index)`
           moves an item out. Items are words of their kind, except that flag, count, enum and address are number words

`optional` means that 0 also says "there is none", for kinds that have no other use for it.

After a failure `rt_ctorch_last_error*` tell what happened, until the next failure on the same thread.
`rt_ctorch_last_error_take` gives it as a handle of kind ERROR, to be read by the `rt_ctorch_error_*` functions:
message, expected and got shape, bytes.

The double transport
--------------------
`double rt_ctorch_f_*(double × n)` (`transport` is f64) carries doubles in and out; handles and number words are exact
in it. A failure is minus the code where the result is a word. Where the result is a double, it is NaN, and
`rt_ctorch_last_error_code` tells it from a value: these functions set it to 0 when they succeed.

Callbacks
---------
The transport cannot call back into the language. Where C takes a function, give the address of a C function; for 0 the
function is left out where C allows it. `rt_ctorch_operator_callback` is the one that calls an operator, so that
derivatives, batches and checkpoints of an operator need no other library.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from . import names
from .api import Api, Function
from .schema import GeneratorError
from .surface import Argument, Surface
from .surface import Result as SurfaceResult
from .vocabulary import DEVICE, SCALAR, SCOPE, STREAM, TENSOR, VALUE, functions_of, named
from .word_runtime import OWN

PREFIX = "rt_" + names.PREFIX
MAX_WORDS = 8

# The library's own kinds of handle, numbered from 1. Those of objects have the numbers of abi/word.lock, from
# FIRST_OBJECT_KIND. `rt_ctorch_kind` answers the number. A kind keeps it: add new ones at the end.
RUNTIME_KINDS = """
    NUMBER TEXT INTS DOUBLES SCALARS DEVICES TEXTS TENSORS VALUES STREAM ADDRESS PACK TUPLE DEVICE
    """.split()

# Functions whose integers are never negative, so that they need no number word. Of operators policy.toml tells it.
NEVER_NEGATIVE = frozenset(
    named(
        """
        build_cuda_version build_cudnn_version dataset_len settings_cudnn_benchmark_limit device_count
        device_multiprocessor_count loader_len memory_pressure_allocated_bytes memory_pressure_held_bytes
        node_num_inputs node_num_outputs sampler_len threads_num_interop threads_num storage_shared_descriptor
        tensor_ndim tensor_numel tensor_size tensor_storage_offset trainer_epoch trainer_step
        """
    )
)
# Enums that answer -1 for "there is none".
MAY_BE_NEGATIVE = frozenset(
    named(
        """
        profiler_averages_device_type profiler_result_event_device_type settings_sdp_priority tensor_grad_dtype
        warnings_kind
        """
    )
)
UNSIGNED = frozenset("size_t uint8_t uint16_t uint32_t".split())
# What the word library treats by name, for the emitters' attribute `functions`.
NAMED = NEVER_NEGATIVE | MAY_BE_NEGATIVE


@dataclass(frozen=True)
class Slot:
    """One word that a caller gives, see above."""

    name: str
    kind: str
    type: str = ""  # C type, enum or opaque type behind it
    optional: bool = False  # 0 is allowed: None, or the default
    default: Any = None  # plain kinds: what to give for the schema's default, as in api.json; None if there is none
    argument: Argument | None = None
    room: SurfaceResult | None = None  # kind room: the result that it bounds

    @property
    def handle_kind(self) -> str:
        """Kind handle: its name among `WordApi.kinds`."""
        return kind_name(self.type)

    @property
    def plain(self) -> bool:
        return self.kind in ("flag", "int", "enum", "room", "word", "f64")


@dataclass(frozen=True)
class Result:
    """What comes back, see above."""

    kind: str
    type: str = ""
    optional: bool = False
    items: tuple[Result, ...] = ()  # kind tuple
    name: str = ""  # of the item, as in the schema
    source: SurfaceResult | None = None

    @property
    def handle_kind(self) -> str:
        """Kind handle: its name among `WordApi.kinds`."""
        return kind_name(self.type)


@dataclass(frozen=True)
class WordFunction:
    """One exported function of the library.

    body: call     convert, call `function`, convert
          retain   of a handle of the kind `slots[0].type`
          release
          runtime  written by hand in shim/word
    """

    name: str
    slots: tuple[Slot, ...]
    result: Result
    body: str = "call"
    transport: str = "i64"
    doc: str = ""
    function: Function | None = None
    surface: Surface | None = None

    @property
    def packed(self) -> bool:
        return len(self.slots) > MAX_WORDS

    @property
    def arity(self) -> int:
        """Words that the C function takes."""
        return 1 if self.packed else len(self.slots)

    @property
    def parameters(self) -> tuple[str, ...]:
        return ("pack",) if self.packed else tuple(s.name for s in self.slots)


@dataclass(frozen=True)
class WordApi:
    api: Api
    kinds: tuple[tuple[str, int], ...]  # (TENSOR, 33) …
    functions: tuple[WordFunction, ...]  # those of the API in its order
    runtime: tuple[WordFunction, ...]  # those of the word library itself

    @property
    def all(self) -> tuple[WordFunction, ...]:
        return self.functions + self.runtime

    @staticmethod
    def of(api: Api) -> WordApi:
        if WordApi not in api.memo:
            api.memo[WordApi] = WordApi._made(api)
        return api.memo[WordApi]

    @staticmethod
    def _made(api: Api) -> WordApi:
        functions = tuple(word_function(f, api) for f in api.functions)
        every = [f.name for f in functions + RUNTIME]
        twice = {n for n in every if every.count(n) > 1} if len(set(every)) < len(every) else set()
        if twice:
            raise GeneratorError(f"word ABI: {', '.join(sorted(twice))} is both a function of ctorch and of its own")
        return WordApi(api, kinds(api), functions, RUNTIME)


def kind_name(opaque: str) -> str:
    """`ctorch_tensor_list` -> TENSOR_LIST, `struct DLManagedTensor` -> DLMANAGEDTENSOR."""
    return names.bare(opaque).upper()


def kinds(api: Api) -> tuple[tuple[str, int], ...]:
    objects = [o for o in api.opaque if o.release]
    for opaque in objects:
        if opaque.kind is None:
            raise GeneratorError(
                f"word ABI: {opaque.name} has no number in abi/word.lock: `gen.py --update-lock` gives it the next one"
            )
    own = [(name, i + 1) for i, name in enumerate(RUNTIME_KINDS)]
    return (*own, *sorted(((kind_name(o.name), o.kind) for o in objects), key=lambda kind: kind[1]))


def _by_hand(function: Function) -> bool:
    """Scopes are of the word library's own handles, not of C's."""
    return functions_of((SCOPE,), function.name)


def word_function(function: Function, api: Api) -> WordFunction:
    surface = Surface.of(function, api)
    enums = {e.name for e in api.enums}
    releases = {o.release: o.name for o in api.opaque if o.release}
    retains = {o.retain: o.name for o in api.opaque if o.retain}
    owned = {o.name for o in api.opaque if o.release}
    name = "rt_" + function.name
    common = {"doc": function.doc, "function": function, "surface": surface}

    if function.name in releases or function.name in retains:
        opaque = releases.get(function.name) or retains[function.name]
        slots = (Slot("self", "handle", opaque, argument=surface.arguments[0]),)
        if function.name in releases:
            body = "runtime" if _by_hand(function) else "release"
            return WordFunction(name, slots, Result("status"), body, **common)
        return WordFunction(name, slots, Result("handle", opaque), "retain", **common)

    slots: list[Slot] = []
    results: list[Result] = []
    for result in surface.results:
        if result.kind == "address" and result.param.c_type == "void *":  # memory of a foreign struct
            slots.append(Slot(result.name, "address", "void", room=result))
        elif result.kind == "buffer":
            slots.append(Slot(result.name, "room", "size_t", room=result))
            results.append(Result("text", name=result.name, source=result))
        elif result.param.len_of is not None:
            continue  # a TEXT knows its length
        else:
            results.append(_result(function, result, enums, owned))
    for argument in surface.arguments:
        slots.append(_slot(function, argument, enums, owned))
    if function.returns_len is not None:
        result = Result("ints" if surface.returned == "list" else "tensors", optional=True)
    elif surface.returned in ("error", "nothing"):
        result = _joined(results)
    elif surface.returned == "value" and surface.returned_type == "bool" and results:
        result = replace(_joined([replace(r, kind=_optional_kind(r)) for r in results]), optional=True)
    elif results:
        raise GeneratorError(f"word ABI: {function.name} has both a value and outputs")
    elif surface.returned == "string":
        result = Result("text", optional=True)
    elif surface.returned == "address":
        result = Result("address", surface.returned_type, optional=True)
    elif surface.returned == "value":
        result = Result(_value_kind(function, surface.returned_type, enums), surface.returned_type)
    else:
        raise GeneratorError(f"word ABI: no word for the result of {function.name}: {function.returns}")
    body = "runtime" if _by_hand(function) else "call"
    return WordFunction(name, _in_order(function, slots), result, body, **common)


def _in_order(function: Function, slots: list[Slot]) -> tuple[Slot, ...]:
    """As in the C declaration: a buffer that is filled stands where C has it."""
    order = {p.name: i for i, p in enumerate(function.params)}
    return tuple(sorted(slots, key=lambda s: order[s.name]))


def _joined(results: list[Result]) -> Result:
    if not results:
        return Result("status")
    if len(results) == 1:
        return results[0]
    return Result("tuple", items=tuple(results))


def _optional_kind(result: Result) -> str:
    """Of a result that may be missing, which 0 says: a plain 0 would be mistaken for it."""
    return "number" if result.kind in ("flag", "count", "enum") else result.kind


def _value_kind(function: Function, c_type: str, enums: set[str]) -> str:
    if c_type == "bool":
        return "flag"
    if c_type in enums:
        return "number" if function.name in MAY_BE_NEGATIVE else "enum"
    return "count" if c_type in UNSIGNED or function.never_negative or function.name in NEVER_NEGATIVE else "number"


def _result(function: Function, result: SurfaceResult, enums: set[str], owned: set[str]) -> Result:
    common = {"name": result.name, "source": result}
    if result.kind == "value":
        return Result(_value_kind(function, result.type, enums), result.type, **common)
    if result.kind == "struct":
        kind = {SCALAR: "number", DEVICE: "device", STREAM: "stream"}[result.type]
        return Result(kind, result.type, **common)
    if result.kind == "handle" or result.kind == "address" and result.type in owned:
        return Result("handle", result.type, optional=True, **common)
    if result.kind == "string":
        return Result("text", optional=True, **common)
    if result.kind == "list":
        return Result("ints", result.type, **common)
    if result.kind == "address":
        return Result("address", result.type, optional=True, **common)
    raise GeneratorError(f"word ABI: no word for the result {result.name} of {function.name} ({result.kind})")


def _slot(function: Function, argument: Argument, enums: set[str], owned: set[str]) -> Slot:
    name, type_, optional = argument.name, argument.type, argument.optional
    if _by_hand(function) and argument.kind == "address":
        return Slot(name, "any", argument=argument)
    match argument.kind:
        case "value":
            if type_ == "double":
                return Slot(name, "double", type_, argument.has_default, argument.param.default, argument)
            kind = "flag" if type_ == "bool" else "enum" if type_ in enums else "int"
            return Slot(name, kind, type_, False, argument.param.default, argument)
        case "pointer":
            structs = {SCALAR: "scalar", DEVICE: "device", STREAM: "stream"}
            return Slot(name, structs.get(type_, "number"), type_, optional, argument=argument)
        case "list":
            lists = {"double": "doubles", SCALAR: "scalars", DEVICE: "devices"}
            return Slot(name, lists.get(type_, "ints"), type_, True, argument=argument)
        case "string":
            return Slot(name, "text", type_, optional, argument=argument)
        case "strings":
            return Slot(name, "texts", type_, True, argument=argument)
        case "bytes":
            return Slot(name, "bytes", type_, optional, argument=argument)
        case "handle":
            # An accessor of C answers something for NULL; here nothing is never what was meant.
            required = function.kind == "core" and name == "self" and not _by_hand(function)
            return Slot(name, "handle", type_, optional and not required, argument=argument)
        case "handles":
            kind = {TENSOR: "tensors", VALUE: "values"}.get(type_, "handles")
            return Slot(name, kind, type_, True, argument=argument)
        case "address":
            if type_ in owned:
                return Slot(name, "handle", type_, optional, argument=argument)
            return Slot(name, "address", type_, optional, argument=argument)
        case "callback" | "destroy" | "payload":
            return Slot(name, "address", type_, optional, argument=argument)
    raise GeneratorError(f"word ABI: no word for {name} of {function.name} ({argument.kind})")


def _own(name: str, slots: str, result: str, doc: str) -> WordFunction:
    """From an entry of word_runtime.py."""
    words = []
    for slot in slots.split():
        label, _, kind = slot.partition(":")
        optional, kind = kind.endswith("?"), kind.rstrip("?")
        words.append(Slot(label, *(("handle", kind) if kind.isupper() else (kind, "int64_t")), optional))
    transport = "f64" if name.startswith("f_") else "i64"
    optional, result = result.endswith("?"), result.rstrip("?")
    answer = Result("handle", result, optional) if result.isupper() else Result(result, "int64_t", optional)
    return WordFunction(PREFIX + name, tuple(words), answer, "runtime", transport, doc)


RUNTIME = tuple(_own(*entry) for entry in OWN)
