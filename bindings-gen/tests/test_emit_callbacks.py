"""Every callback of the headers has what C calls, emitted, in each language; or it is listed with a reason."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from ctorchgen import headers, lock
from ctorchgen.api import Api, Callback
from ctorchgen.emit.go import callbacks as go
from ctorchgen.emit.go.binding import Go
from ctorchgen.emit.java import stubs as java
from ctorchgen.emit.java.binding import Java
from ctorchgen.emit.luajit.binding import LuaJit
from ctorchgen.emit.node.binding import Node
from ctorchgen.emit.python.binding import Python
from ctorchgen.emit.ruby.binding import Ruby
from ctorchgen.emit.rust import stubs as rust
from ctorchgen.emit.rust.binding import Rust
from ctorchgen.names import bare

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ROOT / "bindings-gen/languages"

# Where no C function is emitted for a callback.
ELSEWHERE = {
    "fortran": "a procedure of the program's with bind(C) is what C calls",
    "simple": "a program is called through words, in shim/word/",
}
# The file with what C calls, and the line of a callback there. Four languages convert by that line at run time.
EMITTED = {
    "go": (Go, "go/callbacks.c", lambda c: rf"    case {go.constant(c.name)}:$"),
    "java": (Java, "java/src/org/ctorch/Stubs.java", lambda c: rf"  static final class {java.stub_class(c.name)} {{$"),
    "luajit": (LuaJit, "luajit/ctorch/generated/callbacks.lua", lambda c: rf' *\["{bare(c.name)}"\] = '),
    "node": (Node, "node/generated/callbacks.json", lambda c: rf' *"{bare(c.name)}": '),
    "python": (Python, "python/ctorch/declarations.py", lambda c: rf'    "{c.name}": \($'),
    "ruby": (Ruby, "ruby/lib/ctorch/functions.txt", lambda c: rf"{c.name} "),
    "rust": (Rust, "rust/ctorch/src/stubs.rs", lambda c: rf"pub\(crate\) fn {bare(c.name)}<"),
}
# What is written by hand instead, in these files; and what no function of the language takes.
BY_HAND = {
    "go": (go.BY_HAND, "go/bridge.c", r"void ctorch_go_{snake}\("),
    "java": (java.BY_HAND, "java/src/org/ctorch/Lent.java", r"static void {camel}\("),
    "rust": (rust.BY_HAND, "rust/ctorch/src/*.rs", r"sys::(?:{function})\("),
}
NOT_TAKEN = {"rust": rust.NOT_TAKEN}


@pytest.fixture(scope="module")
def api() -> Api:
    h = headers.read_headers(ROOT / "include")
    return Api("0.1.0", "2.13.0", h.enums, h.structs, lock.number({}, h.opaque)[0], h.callbacks, h.functions)


def test_every_language_is_here():
    assert {*EMITTED, *ELSEWHERE} == {path.name for path in LANGUAGES.iterdir() if path.is_dir()}


def added(api: Api) -> Callback:
    """A callback that no header has, which nothing by hand can know."""
    (model,) = [c for c in api.callbacks if bare(c.name) == "tensor_hook"]
    return replace(model, name=model.name.replace("tensor_hook", "unheard_of"))


@pytest.mark.parametrize("language", EMITTED)
def test_every_callback_is_emitted(language, api):
    emitter, path, line = EMITTED[language]
    api = replace(api, callbacks=(*api.callbacks, added(api)))
    text = emitter().emit(api)[f"bindings/{path}"]
    assert len(api.callbacks) > 55
    missing = {bare(c.name) for c in api.callbacks if not re.search(f"^{line(c)}", text, re.M)}
    by_hand = set(BY_HAND[language][0]) if language in BY_HAND else set()
    assert missing <= by_hand | NOT_TAKEN.get(language, frozenset())


@pytest.mark.parametrize("language", BY_HAND)
def test_what_is_by_hand_is_a_callback_and_is_there(language, api):
    listed, path, line = BY_HAND[language]
    text = "".join(file.read_text() for file in sorted(LANGUAGES.glob(path)))
    for snake in listed:
        takers = [f for f in api.functions if any(bare(p.c_type) == snake for p in f.params)]
        function = "|".join(f.name for f in takers)
        camel = re.sub("_(.)", lambda m: m[1].upper(), snake)
        assert snake in {bare(c.name) for c in api.callbacks}
        assert re.search(line.format(snake=snake, camel=camel, function=function), text), snake


def test_what_no_function_takes_is_a_callback(api):
    known = {bare(c.name) for c in api.callbacks}
    assert all(names <= known for names in NOT_TAKEN.values())


def test_go_gets_each_parameter_in_a_word(api):
    """One that is the place of a result goes besides; `error` and `payload` are the bridge's."""
    text = Go().emit(api)["bindings/go/callbacks.c"]
    bodies = dict(re.findall(r"^static \w+ (\w+)\((?:.*)\) \{\n((?:  .*\n)*)\}", text, re.M))
    for callback in api.callbacks:
        if bare(callback.name) in go.BY_HAND:
            continue
        names = [p.name for p in callback.params if p.name not in ("error", "payload")]
        place = [p.name for p in callback.params if p.role == "out" and p.name != "error"]
        words = re.findall(r"(?:WORD|bits)\((\w+)\)|\(uint64_t\)(\w+)", bodies[bare(callback.name)])
        assert ["".join(w) for w in words] == [n for n in names if n not in place[:1]], callback.name
