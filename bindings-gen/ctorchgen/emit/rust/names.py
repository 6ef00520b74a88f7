"""How C names and C types are spelled in Rust."""

from __future__ import annotations

from ...api import Param
from ...names import short
from ...vocabulary import ITERATOR

KEYWORDS = frozenset(
    """as async await box break const continue dyn else enum extern false final fn for if impl in let loop macro match
    mod move mut override priv pub ref return static struct trait true try type typeof unsafe unsized use virtual where
    while yield""".split()
)
NUMBERS = {
    "bool": "bool",
    "double": "f64",
    "size_t": "usize",
    "int32_t": "i32",
    "int64_t": "i64",
    "uint8_t": "u8",
    "uint16_t": "u16",
    "uint32_t": "u32",
    "uint64_t": "u64",
}
RENAMED = {ITERATOR: "ValueIterator"}  # Iterator is a trait that every program sees


def sys_params(params: tuple[Param, ...]) -> str:
    return ", ".join(f"{identifier(p.name)}: {sys_type(p.c_type)}" for p in params)


def sys_name(c_name: str) -> str:
    return {"void": "c_void", "char": "c_char"}.get(c_name) or c_name.removeprefix("struct ")


def sys_type(c_type: str) -> str:
    if "(*)" in c_type:  # the only unnamed function pointer of the API
        assert c_type == "void (*)(void *payload)", c_type
        return 'Option<unsafe extern "C" fn(payload: *mut c_void)>'
    base, *pointers = c_type.replace("*", " * ").split("*")
    words = base.split()
    constant = "const" in words
    name = " ".join(w for w in words if w != "const")
    result = NUMBERS.get(name, sys_name(name))
    for pointer in pointers:
        result = f"*{'const' if constant else 'mut'} {result}"
        constant = "const" in pointer.split()
    return result


def identifier(name: str) -> str:
    if name in ("self", "Self", "crate", "super"):
        return f"{name}_"
    return f"r#{name}" if name in KEYWORDS else name


def type_name(c_name: str) -> str:
    return RENAMED.get(c_name) or "".join(w.capitalize() for w in short(c_name).split("_"))
