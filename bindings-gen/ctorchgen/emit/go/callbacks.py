"""callbacks.h and callbacks.c: a C function for each callback, which leads to the one function of Go that C calls.

As a call is a frame of words, so is a callback: Go gets a place for the result, and the other C parameters as words in
their order, without `error` and `payload`. What the words mean is told where a callback is given away.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Callback
from ...names import PREFIX, bare
from ...surface import Result, Surface
from ...vocabulary import CALLBACK_STATUS, ERROR

# Callbacks that are written by hand, in bridge.c.
BY_HAND = {"saved_tensors_destroy": "cannot fail, and its payload is what was packed"}

HEAD = """/* ctorch {version}: generated. The C functions that call Go's. */
#ifndef {guard}
#define {guard}

#include <stdint.h>

enum {{
{names},
}};
/* The C function that stands for a Go one in a call, for a word of a frame. */
uint64_t {prefix}go_callback(int which);

#endif
"""
BODY = """/* ctorch {version}: generated. */
#include "callbacks.h"

#include <ctorch.h>
#include <string.h>

#include "_cgo_export.h"
#include "bridge.h"

#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

static inline uint64_t bits(double x) {{
  uint64_t word;
  memcpy(&word, &x, sizeof word);
  return word;
}}

static {status} run(int which, void *payload, void *out, uint64_t *words, size_t len, {error} **error) {{
  *error = ({error} *)(uintptr_t){prefix}go_run((uintptr_t)payload, which, out, words, len);
  return *error == NULL ? {ok} : 0;
}}

{functions}
uint64_t {prefix}go_callback(int which) {{
  switch (which) {{
{cases}
    default:
      return 0;
  }}
}}
"""


def constant(callback: str) -> str:
    """`ctorch_tensor_hook_callback` -> `CTORCH_GO_TENSOR_HOOK`."""
    return f"{PREFIX}go_{bare(callback)}".upper()


class Callbacks:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._emitted = [c for c in api.callbacks if bare(c.name) not in BY_HAND]

    def header(self) -> str:
        names = [constant(c.name) for c in self._api.callbacks] + [f"{PREFIX}GO_DESTROY".upper()]
        names = ",\n".join(f"  {name}" for name in (f"{names[0]} = 1", *names[1:]))
        guard = f"{PREFIX}go_callbacks_h".upper()
        return HEAD.format(version=self._api.version, guard=guard, names=names, prefix=PREFIX)

    def source(self) -> str:
        by_hand = [
            (constant(c.name), f"{PREFIX}go_{bare(c.name)}") for c in self._api.callbacks if bare(c.name) in BY_HAND
        ]
        by_hand.append((f"{PREFIX}GO_DESTROY".upper(), f"{PREFIX}go_forget"))
        functions = [(constant(c.name), bare(c.name)) for c in self._emitted] + by_hand
        return BODY.format(
            version=self._api.version,
            prefix=PREFIX,
            status=CALLBACK_STATUS,
            error=ERROR,
            ok=next(n for e in self._api.enums if e.name == CALLBACK_STATUS for n, _ in e.values if n.endswith("_OK")),
            functions="".join(f"{line}\n" for c in self._emitted for line in self._function(c)),
            cases="\n".join(f"    case {which}:\n      return WORD({function});" for which, function in functions),
        )

    def _function(self, callback: Callback) -> Iterator[str]:
        surface = Surface.of(callback, self._api)
        doubles = {a.name for a in surface.arguments if (a.kind, a.type) == ("value", "double")}
        (out,) = [r for r in surface.results if r.name != "error"] or [None]
        words = []
        for p in callback.params:
            if p.name in ("error", "payload") or (out and p.name == out.name):
                continue
            words.append(f"bits({p.name})" if p.name in doubles else _word(p.name, p.c_type))
        parameters = ", ".join(p.declaration for p in callback.params)
        yield f"static {callback.returns} {bare(callback.name)}({parameters}) {{"
        if words:
            yield f"  uint64_t words[] = {{{', '.join(words)}}};"
        given = f"words, {len(words)}" if words else "NULL, 0"
        if out is not None and out.kind in ("value", "struct"):
            yield from self._through_a_word(callback, out, given)
        else:
            place = "NULL" if out is None else out.name
            yield f"  return run({constant(callback.name)}, payload, {place}, {given}, error);"
        yield "}"
        yield ""

    @staticmethod
    def _through_a_word(callback: Callback, out: Result, given: str) -> Iterator[str]:
        """What is smaller than a word, or not as aligned, lies in one for Go."""
        yield "  uint64_t word = 0;"
        if out.kind == "struct":  # it may say what C would do by itself
            yield f"  memcpy(&word, {out.name}, sizeof *{out.name});"
        yield f"  {callback.returns} status = run({constant(callback.name)}, payload, &word, {given}, error);"
        yield (
            f"  *{out.name} = word != 0;" if out.type == "bool" else f"  memcpy({out.name}, &word, sizeof *{out.name});"
        )
        yield "  return status;"


def _word(name: str, c_type: str) -> str:
    return f"WORD({name})" if "*" in c_type else f"(uint64_t){name}"
