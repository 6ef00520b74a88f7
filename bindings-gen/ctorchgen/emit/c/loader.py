"""loader/functions.h: every function of the ABI, for the loader (shim/loader/) to include with macros of its own."""

from __future__ import annotations

from ...api import Api
from ...vocabulary import ERROR, ERROR_KIND

HEAD = f"""\
/*
 * Every function of the ABI: FALLIBLE(name) where it returns a {ERROR} *, TEXT(name) for a const char *,
 * NUMBER(type, name) for another value or pointer, NOTHING(name) for void. KIND(name, number) for each kind of error.
 * Whoever includes this defines what it needs; the rest stays empty, and all of it is undefined at the end.
 */
"""
MACROS = {"FALLIBLE": "name", "TEXT": "name", "NUMBER": "type, name", "NOTHING": "name", "KIND": "name, number"}


class Loader:
    def emit(self, api: Api) -> dict[str, str]:
        lines = [f"#ifndef {macro}\n#define {macro}({arguments})\n#endif" for macro, arguments in MACROS.items()]
        for f in sorted(api.functions, key=lambda f: f.name):
            macro = {f"{ERROR} *": "FALLIBLE", "const char *": "TEXT", "void": "NOTHING"}.get(f.returns)
            lines.append(f"{macro}({f.name})" if macro else f"NUMBER({f.returns}, {f.name})")
        kinds = next(enum for enum in api.enums if enum.name == ERROR_KIND)
        lines += [f"KIND({short.upper()}, {name})" for name, short in kinds.short_names.items()]
        lines += [f"#undef {macro}" for macro in MACROS]
        return {"loader/functions.h": HEAD + "\n".join(lines) + "\n"}
