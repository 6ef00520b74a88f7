"""ctorch.cdef.h: the declarations alone, for FFIs that read C without a preprocessor (cffi, LuaJIT, PHP, koffi).

No preprocessor lines, attributes or `extern "C"`. Everything is declared before it is used, and an entry is one line.
Since koffi reads no more of a parameter than a type's name and stars, a structure and a type of function go by a name,
also where ctorch.h spells them out.

Those FFIs know `int32_t`, `size_t` and `bool` by themselves, and refuse to be told. A compiler of C does not: ctorch.i,
preprocessed C as compilers call it, begins with what those names are where ctorch runs (64-bit Linux), and is the same
otherwise. D's ImportC, bindgen or `cc -fsyntax-only` read it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...api import Api, Param
from ...names import PREFIX
from ...schema import GeneratorError

# As glibc has them: C allows a typedef to be repeated if it says the same.
STANDARD = (
    ("int8_t", "signed char"),
    ("uint8_t", "unsigned char"),
    ("int16_t", "short"),
    ("uint16_t", "unsigned short"),
    ("int32_t", "int"),
    ("uint32_t", "unsigned int"),
    ("int64_t", "long"),
    ("uint64_t", "unsigned long"),
    ("uintptr_t", "unsigned long"),
    ("size_t", "unsigned long"),
    ("bool", "_Bool"),
)
DESTROY = PREFIX + "destroy_callback"  # no name of the headers: they spell this type out


STANDALONE = (
    "/* ctorch {}: generated declarations as preprocessed C, complete in themselves; C programs include ctorch.h. */"
)


class CDef:
    def emit(self, api: Api) -> dict[str, str]:
        note, *declarations = self._lines(api)
        standard = [f"typedef {c_type} {name};" for name, c_type in STANDARD]
        return {
            "ctorch.cdef.h": "".join(f"{line}\n" for line in [note, *declarations]),
            "ctorch.i": "".join(f"{line}\n" for line in [STANDALONE.format(api.version), *standard, *declarations]),
        }

    @staticmethod
    def _lines(api: Api) -> Iterator[str]:
        yield f"/* ctorch {api.version}: generated declarations for FFIs that read C; C programs include ctorch.h. */"
        for enum in api.enums:
            yield f"typedef int32_t {enum.name};"
            yield "enum { " + ", ".join(f"{name} = {number}" for name, number in enum.values) + " };"
        for opaque in api.opaque:
            name = _plain(opaque.name)
            yield f"typedef struct {name} {name};"
        for struct in api.structs:
            fields = " ".join(f"{c_type} {name};" for name, c_type in struct.fields)
            yield f"typedef struct {struct.name} {{ {fields} }} {struct.name};"
        if DESTROY in (c.name for c in api.callbacks):
            raise GeneratorError(f"cdef.py: {DESTROY} is now a callback of the headers: let them alone name it")
        yield f"typedef void (*{DESTROY})(void *payload);"
        for callback in api.callbacks:
            yield f"typedef {_declaration(callback.returns, f'(*{callback.name})', callback.params)};"
        for function in api.functions:
            yield f"{_declaration(function.returns, function.name, function.params)};"


def _declaration(returns: str, name: str, params: tuple[Param, ...]) -> str:
    space = "" if returns.endswith("*") else " "
    return f"{_plain(returns)}{space}{name}({', '.join(_plain(p.declaration) for p in params) or 'void'})"


def _plain(declaration: str) -> str:
    """The declaration without `struct`, and with a name for the function that destroys a payload."""
    return re.sub(r"void \(\*(\w+)\)\(void \*payload\)", rf"{DESTROY} \1", declaration).replace("struct ", "")
