"""The hand-written public headers, as the model of api.py: declarations read by libclang, meaning by doc comments.

What a C declaration cannot say stands in its comment, in a form that is checked here:

* Every parameter has a `@param name  text`, in the order of the declaration; an output has `@param[out]`. A function
  that returns something has `@return`; one that can fail (it returns `ctorch_error *`) has `@since` too.
* Nullable: a pointer argument may be NULL if and only if its text mentions NULL ("may be NULL", "NULL for 1"). "NULL
  elements" are about the entries of a list and do not count. A text that mentions NULL to forbid it, or the NULL of
  another parameter, has two readings and is an error: what says nothing about NULL may not be NULL. A list (an `x` with
  an `x_len`) may always be NULL: with length 0 that is an empty list.
* For an output that means two things, so the words differ: "may be NULL" and "NULL is allowed" are about the argument
  (the caller does not want the output); any other mention is about the value written, which only a `T **` can have.
  Both at once is an error.
* Lengths: a list is `x, x_len` (or `x, x_nbytes`), an output list `T **x, size_t *x_len`. A pointer to a number that
  has no length is one number that may be left out, so it has to be nullable, and its text must not speak of entries.
  What returns an array says in `@return` which accessor of the same object counts it: "`ctorch_tensor_ndim` entries".
* Returned pointers: NULL may come back if and only if the text of `@return` mentions NULL; "for NULL" is about the
  argument and does not count ("NULL for NULL", but `"" for NULL`). A `ctorch_error *` is NULL on success.
* Payloads are what the user gave, so they may always be NULL.
* Owned: the text of an output `T **` of an opaque type starts with "owned" or "borrowed". Of the arguments, only that
  of a release function starts with "owned"; one that another function takes over, also if it fails, with "consumed".
* Mutated: the text of an argument that is not const starts with "exclusive".
* A struct of another library's header is declared as `struct X;` and used as `struct X *`; FOREIGN lists them.

Anything else that the contract in ctorch.h rules out (a struct by value, a union, `int`, …) is an error as well; all
errors of a run are reported together.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clang.cindex import Cursor, CursorKind, Diagnostic, Index, TranslationUnit, TypeKind

from .api import Callback, Enum, Function, Opaque, Param, Struct
from .schema import GeneratorError

# libclang from PyPI has no headers of its own, and those of the machine would do: but these spell the types as ours do.
STANDARD_HEADERS = {
    "stdbool.h": "typedef _Bool bool;\n",
    "stddef.h": "typedef __SIZE_TYPE__ size_t;\n#define NULL ((void *)0)\n",
    "stdint.h": "".join(
        f"typedef __INT{n}_TYPE__ int{n}_t;\ntypedef __UINT{n}_TYPE__ uint{n}_t;\n" for n in (8, 16, 32, 64)
    ),
}
STANDARD_DIR = "/ctorch-standard-headers"

INTEGERS = {f"{sign}int{n}_t" for sign in ("", "u") for n in (8, 16, 32, 64)} | {"size_t"}
VALUES = INTEGERS | {"bool", "double"}
SHORTHAND = "ctorch/abi/shorthand.h"  # inline functions for C programs
RELEASE = {"ctorch_scope": "ctorch_scope_end"}  # the others: ctorch_<type>_release
# Structs that other headers define, known here by their pointers only, and what releases one.
FOREIGN = {
    "DLManagedTensor": "ctorch_dlpack_unversioned_release",
    "DLManagedTensorVersioned": "ctorch_dlpack_release",
    "DLPackExchangeAPI": None,
}
COUNTS = ("_len", "_nbytes")
FUNCTION_KINDS = (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO)

NULL = re.compile(r"\bNULL\b")
NULL_ENTRY = re.compile(r"\bNULL (?:elements?|entry|entries)\b")
NULL_ARGUMENT = re.compile(r"\bmay be NULL\b|\bNULL is allowed\b")
NULL_GIVEN = re.compile(r"\bfor NULL\b")
COUNTED_BY = re.compile(r"`(ctorch_\w+)` entries")
ENTRIES = re.compile(r"\bentr(?:y|ies)\b|\bone for each\b|`\w+_len`")
NULL_OTHERWISE = re.compile(r"\b(?:not|non|never|no|except|unless|without)[ -](?:be )?NULL\b|`\w+`(?: is)? NULL\b")


class HeaderError(GeneratorError):
    """What the headers get wrong: one `file:line: function: what` a line."""


@dataclass(frozen=True)
class HandWritten:
    """Everything that the hand-written headers declare, sorted by header, then as declared."""

    version: str  # of version.h; "" without that header
    enums: tuple[Enum, ...]
    structs: tuple[Struct, ...]
    opaque: tuple[Opaque, ...]
    callbacks: tuple[Callback, ...]
    functions: tuple[Function, ...]


def hand_written(include_dir: Path) -> list[Path]:
    """The headers of the rooms that declare functions of the ABI, sorted by their names, which are unique."""
    found = {
        path.name: path for path in sorted((include_dir / "ctorch").rglob("*.h")) if path.parent.name != "generated"
    }
    found.pop(Path(SHORTHAND).name, None)
    return [found[name] for name in sorted(found)]


def read_headers(include_dir: Path) -> HandWritten:
    """Read `ctorch.h` and `ctorch/*.h` below include_dir; those in ctorch/generated/ need not exist."""
    reader = _Reader(Path(include_dir))
    result = reader.read()
    if reader.problems:
        raise HeaderError("\n".join(reader.problems))
    return result


@dataclass(frozen=True)
class _ParamDoc:
    name: str
    out: bool
    text: str

    def starts_with(self, word: str) -> bool:
        return re.match(rf"{word}\b", self.text) is not None


@dataclass
class _Doc:
    """A doc comment: its clean text, and its parts."""

    text: str
    params: list[_ParamDoc]
    returns: str | None
    since: str | None
    problems: list[str]

    @classmethod
    def parse(cls, raw: str | None) -> _Doc:
        lines = re.sub(r"^/\*\*|\*/$", "", raw or "").splitlines()
        text = "\n".join(re.sub(r"^\s*\* ?", "", line).rstrip() for line in lines).strip()
        doc = cls(text, [], None, None, [])
        # A tag reaches to the next one or to an empty line; text before the first tag is prose.
        for tag in re.findall(r"^@.*(?:\n(?!@)(?=.).*)*", text, re.MULTILINE):
            words = " ".join(tag.split())
            if m := re.fullmatch(r"@param(\[out\])? (\w+) (.+)", words):
                doc.params.append(_ParamDoc(m[2], m[1] is not None, m[3]))
            elif m := re.fullmatch(r"@return (.+)", words):
                doc.returns = m[1]
            elif m := re.fullmatch(r"@since (\d+\.\d+)", words):
                doc.since = m[1]
            else:
                doc.problems.append(f"not understood: `{words}`")
        return doc


class _Reader:
    def __init__(self, include_dir: Path) -> None:
        self.include_dir = include_dir
        self.headers = [include_dir / "ctorch.h", *hand_written(include_dir)]
        self.problems: list[str] = []
        self.by_value: set[str] = set(VALUES)  # what may travel by value: a number, an enumeration, a callback
        self.by_pointer: set[str] = {"void", "char"}  # what may not: text, opaque types, structs
        self.opaque: set[str] = set()
        self.callbacks: set[str] = set()

    def read(self) -> HandWritten:
        unit = self._parse()
        self._check_diagnostics(unit)
        if self.problems:  # what follows would only repeat them
            return HandWritten("", (), (), (), (), ())
        version = ""
        declarations: list[Cursor] = []
        for cursor in unit.cursor.get_children():
            if cursor.kind == CursorKind.ENUM_CONSTANT_DECL or cursor.location.file is None:
                continue
            path = Path(cursor.location.file.name)
            if path in self.headers:
                declarations.append(cursor)
            elif path == self._main and cursor.kind == CursorKind.ENUM_DECL:
                version = ".".join(str(c.enum_value) for c in cursor.get_children())
        declarations.sort(key=lambda c: (self.headers.index(Path(c.location.file.name)), c.location.offset))
        self._check_included(unit)

        enums, structs, opaque = [], [], []
        callbacks: list[Cursor] = []
        functions: list[Cursor] = []
        for previous, cursor in itertools.pairwise([None, *declarations]):
            if cursor.kind == CursorKind.FUNCTION_DECL:
                functions.append(cursor)
            elif cursor.kind == CursorKind.TYPEDEF_DECL:
                self._check_name(cursor)
                aliased = cursor.underlying_typedef_type
                if aliased.spelling == "int32_t":
                    self.by_value.add(cursor.spelling)
                    enums.append(self._enum(cursor, self._following(cursor, declarations)))
                elif aliased.kind == TypeKind.POINTER and aliased.get_pointee().kind in FUNCTION_KINDS:
                    self.by_value.add(cursor.spelling)
                    self.callbacks.add(cursor.spelling)
                    callbacks.append(cursor)
                elif aliased.spelling != f"struct {cursor.spelling}":
                    self._problem(cursor, f"a typedef of `{aliased.spelling}`, not of int32_t, a struct or a callback")
                elif aliased.get_declaration().is_definition():
                    self.by_pointer.add(cursor.spelling)
                    structs.append(self._struct(cursor))
                else:
                    self.by_pointer.add(cursor.spelling)
                    self.opaque.add(cursor.spelling)
                    opaque.append(cursor)
            elif cursor.kind == CursorKind.ENUM_DECL:
                self._check_enum_has_typedef(previous, cursor)
            elif cursor.kind == CursorKind.STRUCT_DECL and cursor.spelling in FOREIGN and not cursor.is_definition():
                self.by_pointer.add(f"struct {cursor.spelling}")
                self.opaque.add(f"struct {cursor.spelling}")
                opaque.append(cursor)
            elif cursor.kind == CursorKind.STRUCT_DECL:
                self._check_name(cursor)
            elif cursor.kind == CursorKind.UNION_DECL:
                self._problem(cursor, "a union")
            else:
                self._problem(cursor, "neither a type nor a function")

        read_functions = tuple(self._function(c) for c in functions)
        self._check_counts(functions, read_functions)
        return HandWritten(
            version=version,
            enums=tuple(enums),
            structs=tuple(structs),
            opaque=tuple(self._opaque(c, {f.name for f in read_functions}) for c in opaque),
            callbacks=tuple(self._callback(c) for c in callbacks),
            functions=read_functions,
        )

    # The translation unit.

    @property
    def _main(self) -> Path:
        return self.include_dir / "ctorch-all-headers.c"

    def _parse(self) -> TranslationUnit:
        main = '#include "ctorch.h"\n#ifdef CTORCH_VERSION_MAJOR\nenum {\n'
        main += "".join(f"  version_{p.lower()} = CTORCH_VERSION_{p},\n" for p in ("MAJOR", "MINOR", "PATCH"))
        unsaved = [(str(self._main), main + "};\n#endif\n")]
        unsaved += [(f"{STANDARD_DIR}/{name}", text) for name, text in STANDARD_HEADERS.items()]
        # The generated headers are made from what is read here, and the shorthands are no part of the ABI, so both are
        # taken to be empty.
        include = re.compile(rf'^#include "(ctorch/generated/.+|{re.escape(SHORTHAND)})"', re.MULTILINE)
        generated = {name for header in self.headers for name in include.findall(header.read_text())}
        unsaved += [(str(self.include_dir / name), "") for name in sorted(generated)]
        arguments = ["-xc", "-std=c11", "-nostdinc", f"-I{self.include_dir}", f"-isystem{STANDARD_DIR}"]
        # One target on every machine: nothing here may depend on it.
        arguments.append("--target=x86_64-unknown-linux-gnu")
        return Index.create().parse(str(self._main), args=arguments, unsaved_files=unsaved)

    def _check_diagnostics(self, unit: TranslationUnit) -> None:
        functions = [c for c in unit.cursor.get_children() if c.kind == CursorKind.FUNCTION_DECL]
        for d in unit.diagnostics:
            if d.severity < Diagnostic.Warning:
                continue
            where, what = "", d.spelling
            if d.location.file is not None:
                file, line = d.location.file.name, d.location.line
                where = f"{file}:{line}: "
                for f in functions:
                    start, end = f.extent.start, f.extent.end
                    if start.file and start.file.name == file and start.line <= line <= end.line:
                        where += f"{f.spelling}: "
            self.problems.append(where + what)

    def _check_included(self, unit: TranslationUnit) -> None:
        included = {Path(i.include.name) for i in unit.get_includes()}
        for header in self.headers:
            if header not in included:
                self.problems.append(f"{header}:1: ctorch.h does not include it")

    def _problem(self, cursor: Cursor, what: str) -> None:
        location = cursor.location
        name = "" if cursor.is_anonymous() else f"{cursor.spelling}: "
        self.problems.append(f"{location.file.name}:{location.line}: {name}{what}")

    def _check_name(self, cursor: Cursor) -> None:
        if not re.fullmatch(r"ctorch_[a-z0-9_]+", cursor.spelling):
            self._problem(cursor, "a public name starts with ctorch_ and is in lower case")

    @staticmethod
    def _following(cursor: Cursor, declarations: list[Cursor]) -> Cursor | None:
        at = declarations.index(cursor) + 1
        return declarations[at] if at < len(declarations) else None

    # Types.

    def _doc(self, cursor: Cursor) -> _Doc:
        raw = cursor.raw_comment
        doc = _Doc.parse(raw)
        if not raw or not raw.startswith("/**") or not doc.text:
            self._problem(cursor, "no doc comment `/** … */`")
        for problem in doc.problems:
            self._problem(cursor, problem)
        return doc

    def _enum(self, typedef: Cursor, constants: Cursor | None) -> Enum:
        values: list[tuple[str, int]] = []
        if constants is None or constants.kind != CursorKind.ENUM_DECL or not constants.is_anonymous():
            self._problem(typedef, "a typedef of int32_t without the `enum { … };` of its constants after it")
        else:
            for c in constants.get_children():
                if not c.spelling.startswith("CTORCH_"):
                    self._problem(c, "a constant starts with CTORCH_")
                if not list(c.get_children()):
                    self._problem(c, "a constant without its number written out")
                if c.enum_value in (v for _, v in values):
                    self._problem(c, f"the number {c.enum_value} a second time")
                values.append((c.spelling, c.enum_value))
        return Enum(typedef.spelling, tuple(values), self._doc(typedef).text)

    def _check_enum_has_typedef(self, previous: Cursor | None, cursor: Cursor) -> None:
        if (
            not cursor.is_anonymous()
            or previous is None
            or previous.kind != CursorKind.TYPEDEF_DECL
            or previous.underlying_typedef_type.spelling != "int32_t"
            or previous.location.file.name != cursor.location.file.name
        ):
            self._problem(cursor, "an enumeration is `typedef int32_t ctorch_…;` and an `enum { … };` without a name")

    def _struct(self, typedef: Cursor) -> Struct:
        """The doc of a struct goes on with a line for each field, `name: text`."""
        fields: list[tuple[str, str]] = []
        text = self._doc(typedef).text + "\n"
        for c in typedef.underlying_typedef_type.get_declaration().get_children():
            if c.kind != CursorKind.FIELD_DECL:
                self._problem(c, f"a {c.kind.name.split('_')[0].lower()} inside struct {typedef.spelling}")
                continue
            if c.type.spelling not in VALUES:
                self._problem(c, f"field of type `{c.type.spelling}`; structs hold plain numbers")
            fields.append((c.spelling, c.type.spelling))
            text += f"\n{c.spelling}: " + " ".join(self._doc(c).text.split())
        return Struct(typedef.spelling, tuple(fields), text)

    def _opaque(self, declaration: Cursor, functions: set[str]) -> Opaque:
        name = declaration.spelling
        release = _release(name)
        retain = f"{name}_retain"
        if release is not None and release not in functions:
            self._problem(declaration, f"an opaque type without {release}")
        return Opaque(
            f"struct {name}" if name in FOREIGN else name,
            release if release in functions else None,
            retain if retain in functions else None,
            self._doc(declaration).text,
        )

    def _check_type(self, cursor: Cursor, spelling: str, what: str) -> None:
        words = re.sub(r"\bconst\b|\*", " ", spelling).split()
        name = " ".join(words)
        if name in self.by_value or (name in self.by_pointer and "*" in spelling):
            return
        if name in self.by_pointer - {"void", "char"}:
            self._problem(cursor, f"{what}: `{spelling}` by value; it travels by pointer")
        else:
            self._problem(cursor, f"{what}: `{spelling}` is no type of the ABI")

    # Functions.

    def _function(self, cursor: Cursor) -> Function:
        self._check_name(cursor)
        doc = self._doc(cursor)
        returns = cursor.result_type.spelling
        fallible = returns == "ctorch_error *"
        marks = {c.kind for c in cursor.get_children()}
        if cursor.type.kind == TypeKind.FUNCTIONNOPROTO:
            self._problem(cursor, "`()` leaves the parameters open; write `(void)`")
        elif cursor.type.is_function_variadic():
            self._problem(cursor, "variadic")
        if cursor.is_definition():
            self._problem(cursor, "a body; a foreign language can call exported functions only")
        if CursorKind.VISIBILITY_ATTR not in marks:
            self._problem(cursor, "marked with neither CTORCH_API nor CTORCH_EXPORT")
        elif (CursorKind.WARN_UNUSED_RESULT_ATTR in marks) != (returns != "void"):
            self._problem(cursor, "CTORCH_API is for functions that return something, CTORCH_EXPORT for the others")
        if fallible and doc.since is None:
            self._problem(cursor, "can fail, but has no @since")
        params = self._params(cursor, list(cursor.get_arguments()), doc, returns)
        return Function(
            name=cursor.spelling,
            header=Path(cursor.location.file.name).relative_to(self.include_dir).as_posix(),
            kind="core",
            returns=returns,
            params=params,
            returns_nullable=fallible or self._returns_nullable(cursor, returns, doc),
            returns_len=self._returns_len(cursor, returns, doc),
            doc=doc.text,
            since=doc.since or Function.since,
        )

    def _returns_nullable(self, function: Cursor, returns: str, doc: _Doc) -> bool:
        text = NULL_GIVEN.sub("", doc.returns or "")
        if not returns.endswith("*") or not NULL.search(text):
            return False
        if NULL_OTHERWISE.search(text):
            self._problem(function, f"@return mentions NULL only where it comes back: `{doc.returns}`")
        return True

    def _returns_len(self, function: Cursor, returns: str, doc: _Doc) -> str | None:
        pointee = returns.removeprefix("const ").removesuffix("*").rstrip()
        is_array = returns.endswith("*") and (pointee in self.by_value or "*" in pointee)
        counted = COUNTED_BY.findall(doc.returns or "")
        if is_array and len(counted) != 1:
            self._problem(function, "@return names the accessor that counts the array: `ctorch_…` entries")
        elif counted and not is_array:
            self._problem(function, f"@return speaks of entries, but `{returns}` is no array")
        return counted[0] if is_array and counted else None

    def _check_counts(self, cursors: list[Cursor], functions: tuple[Function, ...]) -> None:
        """The accessor that counts a returned array exists, and is called with the same argument."""
        by_name = {f.name: f for f in functions}
        for cursor, function in zip(cursors, functions):
            if function.returns_len is None:
                continue
            count = by_name.get(function.returns_len)
            if count is None:
                self._problem(cursor, f"no function `{function.returns_len}` counts the array")
            elif count.returns not in INTEGERS or [p.c_type.removeprefix("const ") for p in count.params] != [
                p.c_type.removeprefix("const ") for p in function.params
            ]:
                self._problem(cursor, f"`{count.name}` does not count for the same arguments")

    def _callback(self, cursor: Cursor) -> Callback:
        doc = self._doc(cursor)
        pointee = cursor.underlying_typedef_type.get_pointee()
        if pointee.kind == TypeKind.FUNCTIONNOPROTO:
            self._problem(cursor, "`()` leaves the parameters open; write `(void)`")
        elif pointee.is_function_variadic():
            self._problem(cursor, "variadic")
        returns = pointee.get_result().spelling
        params = self._params(cursor, list(_parameters(cursor)), doc, returns)
        if "payload" not in (p.role for p in params):
            self._problem(cursor, "a callback without `void *payload`")
        return Callback(cursor.spelling, returns, params, doc.text)

    def _params(self, cursor: Cursor, arguments: list[Cursor], doc: _Doc, returns: str) -> tuple[Param, ...]:
        """Check the documentation against the declaration, then put them together."""
        if returns != "void":
            self._check_type(cursor, returns, "result")
            if doc.returns is None:
                self._problem(cursor, "returns something, but has no @return")
        elif doc.returns is not None:
            self._problem(cursor, "@return of a function that returns nothing")
        names = [a.spelling for a in arguments]
        documented = [p.name for p in doc.params]
        for i, name in enumerate(names):
            if not name:
                self._problem(cursor, f"parameter {i + 1} has no name")
            elif name not in documented:
                self._problem(cursor, f"parameter `{name}` is not documented")
        for name in documented:
            if name not in names:
                self._problem(cursor, f"documents `{name}`, which is no parameter")
            elif documented.count(name) > 1:
                self._problem(cursor, f"documents `{name}` more than once")
        if sorted(documented) != sorted(names):
            return ()
        if documented != names:
            self._problem(cursor, f"documents its parameters in another order than they have: {', '.join(names)}")
        docs = {p.name: p for p in doc.params}
        pointers = {a.spelling for a in arguments if "*" in a.type.spelling}
        params = tuple(self._param(cursor, a, docs[a.spelling], pointers, names) for a in arguments)
        roles = [p.role for p in params]
        if "callback" in roles and "payload" not in roles:
            self._problem(cursor, "a callback without `void *payload`")
        return params

    def _param(self, function: Cursor, argument: Cursor, doc: _ParamDoc, pointers: set[str], names: list[str]) -> Param:
        name, c_type = argument.spelling, argument.type.spelling
        about = f"parameter `{name}`"
        is_callback = c_type in self.callbacks
        if argument.type.kind == TypeKind.POINTER and argument.type.get_pointee().kind in FUNCTION_KINDS:
            is_callback = True
            c_type = self._function_pointer(function, argument)
        else:
            self._check_type(function, c_type, about)

        len_of = None
        if doc.out:
            role = "out"
            if c_type == "size_t *" and name.endswith("_len"):
                len_of = name.removesuffix("_len")
                if len_of not in pointers:
                    self._problem(function, f"{about}: the length of `{len_of}`, which is no parameter")
        elif is_callback:
            role = "callback"
        elif c_type == "void *" and re.fullmatch(r"(\w+_)?payload", name):
            role = "payload"
        else:
            role = "in"
            len_of = next((s for s in (name.removesuffix(c) for c in COUNTS) if s != name and s in pointers), None)
            if len_of is not None:
                role = "len"
                if c_type != "size_t":
                    self._problem(function, f"{about}: the length of `{len_of}` is a size_t, not `{c_type}`")

        self._check_direction(function, c_type, role, doc, about)
        nullable = self._nullable(function, c_type, role, doc, about)
        is_list = f"{name}_len" in names
        if role == "in" and not is_list and c_type.startswith("const ") and self._points_to_number(c_type):
            if not nullable:
                self._problem(function, f"{about}: one number that may be left out; say what NULL means")
            elif ENTRIES.search(doc.text):
                self._problem(function, f"{about}: a list without a length of its own, `size_t {name}_len`")
        return Param(
            name=name,
            c_type=c_type,
            role=role,
            len_of=len_of,
            nullable=nullable or (role == "in" and is_list) or role == "payload",
            owned=(role == "out" and doc.starts_with("owned")) or (role == "in" and doc.starts_with("consumed")),
            mutated=role == "in" and doc.starts_with("exclusive"),
        )

    def _points_to_number(self, c_type: str) -> bool:
        return c_type.endswith(" *") and c_type[:-2].removeprefix("const ") in self.by_value

    def _function_pointer(self, function: Cursor, argument: Cursor) -> str:
        """The type of a parameter like `void (*destroy)(void *payload)`, with the names of its own parameters."""
        pointee = argument.type.get_pointee()
        if pointee.kind == TypeKind.FUNCTIONNOPROTO or pointee.is_function_variadic():
            self._problem(function, f"parameter `{argument.spelling}`: a callback with open parameters")
        returns = pointee.get_result().spelling
        if returns != "void":
            self._check_type(function, returns, f"parameter `{argument.spelling}`")
        inner = []
        for p in _parameters(argument):
            self._check_type(function, p.type.spelling, f"parameter `{argument.spelling}`")
            inner.append(Param(p.spelling, p.type.spelling, "in").declaration.strip())
        return f"{returns}{'' if returns.endswith('*') else ' '}(*)({', '.join(inner) or 'void'})"

    def _check_direction(self, function: Cursor, c_type: str, role: str, doc: _ParamDoc, about: str) -> None:
        """What the text says of ownership and direction fits the type."""
        pointee = c_type[:-1].rstrip() if c_type.endswith("*") else None
        to_handle = pointee is not None and pointee.removesuffix(" *") in self.opaque and pointee.endswith("*")
        writable = pointee is not None and not (
            pointee.endswith("*const") or (pointee.startswith("const ") and "*" not in pointee)
        )
        if role == "out":
            if not writable:
                self._problem(function, f"{about}: @param[out] of `{c_type}`, which cannot be written through")
            elif to_handle and not (doc.starts_with("owned") or doc.starts_with("borrowed")):
                self._problem(function, f"{about}: the text of an output handle starts with `owned` or `borrowed`")
            elif doc.starts_with("owned") and not to_handle:
                self._problem(function, f"{about}: `owned`, but `{c_type}` is no output of a handle")
        elif role == "in":
            if writable and pointee not in self.opaque | {"void"}:
                self._problem(function, f"{about}: `{c_type}` can be written through; mark it @param[out]")
            if doc.starts_with("exclusive") and not writable:
                self._problem(function, f"{about}: `exclusive`, but `{c_type}` is not to be changed")
            if doc.starts_with("consumed") and not (writable and pointee in self.opaque):
                self._problem(function, f"{about}: `consumed`, but `{c_type}` is no handle that could be released")
            releases = {_release(t.removeprefix("struct ")) for t in self.opaque}
            if doc.starts_with("owned") and function.spelling not in releases:
                self._problem(function, f"{about}: `owned`, but only release functions take over an argument")

    def _nullable(self, function: Cursor, c_type: str, role: str, doc: _ParamDoc, about: str) -> bool:
        """The rule is at the top of this file."""
        text = NULL_ENTRY.sub("", doc.text)
        if not NULL.search(text):
            return False
        if NULL_OTHERWISE.search(text):
            self._problem(function, f"{about}: mention NULL only to allow it for this parameter: `{doc.text}`")
        if "*" not in c_type and c_type not in self.callbacks:
            self._problem(function, f"{about}: mentions NULL, but `{c_type}` is no pointer")
        if role != "out":
            return True
        argument = NULL_ARGUMENT.search(text) is not None
        value = NULL.search(NULL_ARGUMENT.sub("", text)) is not None
        if argument and value:
            self._problem(function, f"{about}: is the argument NULL or the value? `{doc.text}`")
        elif value and not c_type.endswith("**"):
            self._problem(function, f"{about}: no `{c_type}` gets the value NULL; for the argument write `may be NULL`")
        return argument


def _release(name: str) -> str | None:
    """The function that releases an opaque type."""
    return FOREIGN[name] if name in FOREIGN else RELEASE.get(name, f"{name}_release")


def _parameters(cursor: Cursor) -> Iterator[Cursor]:
    """The parameters of a function pointer that cursor declares."""
    return (c for c in cursor.get_children() if c.kind == CursorKind.PARM_DECL)
