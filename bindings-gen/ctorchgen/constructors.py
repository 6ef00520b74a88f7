"""schema/*.schema: what the layers written in C offer, as functions of the model.

Each file, or folder of files, is a namespace of Python's (nn, optim, init, functional) and a kind of function: an entry
`nn.Conv2d(…)` of `nn/convolution.schema` becomes `ctorch_nn_Conv2d`, declared in `ctorch/generated/nn.h`. The grammar
is that of native_functions.yaml's schemas with the types Module, Optimizer, LRScheduler, Dataset, Sampler, Loader,
Iterator, Transform, Metric, Value and Callback, which torchgen's parser refuses:

    ## What it does, for the documentation.
    nn.Conv2d(int in_channels, int out_channels, int[2] kernel_size, …, *, Device? device=None) -> Module
      forward(Tensor input) -> Tensor

A text in `##` lines stands before each entry; an entry may take several lines while a parenthesis is open. What makes a
Module is followed by the signature of its forward; unless that is from one Tensor to one, it becomes a function too,
`ctorch_nn_LSTM_forward`. Results in parentheses of their own are a tuple inside the tuple that Python gives:
`-> (Tensor output, (Tensor h_n, Tensor c_n))`. `forward() -> ()` is for what cannot be applied. Where Python takes one
type or another, there are two overloads: `nn.Conv2d` has `int[2] padding`, and `nn.Conv2d.padding` has `str padding`.
What changes a tensor and returns it takes `Tensor(a!)` and gives `Tensor(a!)`. `#` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from . import names, types
from .api import Function, Param
from .lock import Entry
from .schema import Argument, GeneratorError, Return, Type
from .vocabulary import (
    DATASET,
    ERROR,
    GENERATOR,
    ITERATOR,
    KERNEL_CALLBACK,
    LOADER,
    LR_SCHEDULER,
    METRIC,
    MODULE,
    OPTIMIZER,
    SAMPLER,
    TENSOR,
    TENSOR_LIST,
    TRANSFORM,
    VALUE,
)

# Handles that no operator takes or gives; what stands in a C declaration for one of them as an argument.
HANDLES = {
    "Module": f"{MODULE} *",
    "Optimizer": f"{OPTIMIZER} *",
    "LRScheduler": f"{LR_SCHEDULER} *",
    "Dataset": f"{DATASET} *",
    "Sampler": f"{SAMPLER} *",
    "Loader": f"{LOADER} *",
    "Iterator": f"{ITERATOR} *",
    "Transform": f"const {TRANSFORM} *",
    "Metric": f"{METRIC} *",
    "Value": f"const {VALUE} *",
    "Generator": f"{GENERATOR} *",
}
CALLBACK = (
    (KERNEL_CALLBACK, "callback"),
    ("void (*)(void *payload)", "callback"),
    ("void *", "payload"),
)
BASES = frozenset("Tensor Callback int float bool str Scalar ScalarType Layout Device".split()) | HANDLES.keys()

NO_FORWARD = "() -> ()"  # of a module that cannot be applied, as a list of modules

TOKEN = re.compile(r"""\s*(?:([A-Za-z_]\w*|->|\(a!\)|[()\[\],*=?.])|('[^'\n]*'|"[^"\n]*"|-?\d[\w.+-]*))""")
PUNCTUATION = frozenset(["(", ")", "[", "]", ",", "*", "=", "?", ".", "->", "(a!)"])


@dataclass(frozen=True)
class Signature:
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    nesting: tuple | int = 0  # how the results stand in tuples, by their numbers: (0, (1, 2))


@dataclass(frozen=True)
class Constructor:
    """One entry of a schema file. It answers as an Operator where types.py asks one for its errors and defaults."""

    namespace: str  # nn
    name: str  # Conv2d.padding
    text: str  # the entry without its documentation, on one line
    doc: str
    signature: Signature
    forward: str | None  # "(Tensor input) -> Tensor"
    location: str
    applies: str | None = None  # of the forward of a module: the name of its class

    def error(self, message: str) -> GeneratorError:
        return GeneratorError(f"{self.location}: {self.namespace}.{self.name}: {message}")

    @property
    def identifier(self) -> str:
        """`nn_Conv2d_padding`: of the function without its prefix, and of what C has for it inside."""
        return f"{self.namespace}_{self.name.replace('.', '_')}"


def read_schemas(folder: Path) -> list[Constructor]:
    """The entries of all files, sorted by file and name."""
    files: dict[str, list[Path]] = {}
    for path in sorted([*folder.glob("*.schema"), *folder.glob("*/*.schema")]):
        files.setdefault(path.stem if path.parent == folder else path.parent.name, []).append(path)
    found = [c for namespace, paths in files.items() for c in _read(namespace, paths)]
    return sorted([*found, *_forwards(found)], key=lambda c: (c.namespace, c.name))


def build(constructors: list[Constructor], locks: dict[str, dict[str, Entry]], since: str) -> list[Function]:
    """The functions of the entries; `locks` has one lock for each kind."""
    return [_function(c, locks.get(c.namespace, {}), since) for c in constructors]


# Entries.


def _read(namespace: str, paths: list[Path]) -> Iterator[Constructor]:
    seen: dict[str, Constructor] = {}
    for constructor in (c for path in paths for c in _read_file(namespace, path)):
        other = seen.setdefault(constructor.identifier.lower(), constructor)
        if other is not constructor:
            raise constructor.error(f"has the symbol of {other.name} ({other.location}), case aside")
        yield constructor


def _read_file(namespace: str, path: Path) -> Iterator[Constructor]:
    for number, text, doc, forward in _entries(path):
        where = f"{path.name}:{number}"
        path_, signature = _Parser(text, where).entry()
        if len(path_) not in (2, 3) or path_[0] != namespace:
            raise GeneratorError(f"{where}: {'.'.join(path_)}: expected {namespace}.name or {namespace}.name.overload")
        constructor = Constructor(namespace, ".".join(path_[1:]), _one_line(text), doc, signature, None, where)
        if not doc:
            raise constructor.error("no documentation: lines of `## ` before it")
        makes_module = [str(r.type) for r in signature.returns] == ["Module"]
        if forward is None and makes_module:
            raise constructor.error("makes a Module: the signature of its forward is missing, `  forward(…) -> …`")
        if forward is not None:
            if not makes_module:
                raise constructor.error("has a forward, but makes no Module")
            path_, _ = _Parser(forward, where).entry()
            if path_ != ["forward"]:
                raise constructor.error(f"expected forward, got {'.'.join(path_)}")
            forward = _one_line(forward).removeprefix("forward")
            constructor = replace(constructor, forward=None if forward == NO_FORWARD else forward)
        yield constructor


def _forwards(constructors: list[Constructor]) -> Iterator[Constructor]:
    """The typed forward of each module, unless ctorch_module_forward does it; overloads of one module share it."""
    seen: dict[str, Constructor] = {}
    for c in constructors:
        if c.forward is None:
            continue
        name = c.name.partition(".")[0]
        first = seen.setdefault(f"{c.namespace}.{name}", c)
        if first.forward != c.forward:
            raise c.error(f"another forward than that of {first.name} ({first.location})")
        _, signature = _Parser(f"forward{c.forward}", c.location).entry()
        if first is not c or _is_plain(signature):
            continue
        if any(a.name == "self" for a in signature.arguments):
            raise c.error("an argument of forward is called self, as the module is")
        self = Argument("self", Type("Module"), None, False, False)
        called = ", ".join(a.name for a in signature.arguments)
        yield Constructor(
            c.namespace,
            f"{name}_forward",
            f"{c.namespace}.{name}_forward({', '.join(filter(None, ['Module self', c.forward[1:]]))}",
            f"Apply an {c.namespace}.{name}: `self({called})`, with its hooks.\n\n"
            f"Errors: TYPE (another module), and those of {c.namespace}.{name}'s operators.",
            Signature((self, *signature.arguments), signature.returns, signature.nesting),
            None,
            c.location,
            applies=name,
        )


def _is_plain(signature: Signature) -> bool:
    """Whether one tensor goes in and one comes out."""
    types_ = [str(x.type) for x in (*signature.arguments, *signature.returns)]
    return len(signature.arguments) == 1 and types_ == ["Tensor", "Tensor"]


def _entries(path: Path) -> Iterator[tuple[int, str, str, str | None]]:
    """(line number, entry, documentation, forward) for each, as text."""
    lines = list(enumerate(path.read_text().splitlines(), 1))
    doc: list[str] = []
    at = 0

    def statement() -> tuple[int, str]:
        """The lines from here on to the one that closes the last parenthesis."""
        nonlocal at
        first, text = lines[at][0], ""
        while at < len(lines):
            line = lines[at][1]
            at += 1
            text += line + "\n"
            if "->" in line and _depth(text) == 0:
                return first, text
            if not line.strip():
                break
        raise GeneratorError(f"{path.name}:{first}: an entry without its end: `name(arguments) -> results`")

    while at < len(lines):
        number, line = lines[at]
        if line.startswith("## "):
            doc.append(line[3:].rstrip())
            at += 1
        elif line.rstrip() == "##":
            doc.append("")
            at += 1
        elif not line.strip() or line.startswith("#"):
            if doc:
                raise GeneratorError(f"{path.name}:{number}: documentation without an entry below it")
            at += 1
        elif line[0].isspace():
            raise GeneratorError(f"{path.name}:{number}: an indented line that belongs to no entry")
        else:
            number, text = statement()
            forward = statement()[1] if at < len(lines) and lines[at][1][:1] == " " else None
            yield number, text, "\n".join(doc), forward
            doc = []
    if doc:
        raise GeneratorError(f"{path.name}: documentation without an entry below it")


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("( ", "(")


def _depth(text: str) -> int:
    bare = re.sub(r"""'[^'\n]*'|"[^"\n]*\"""", "", text)
    return bare.count("(") - bare.count(")")


def _is_flat(nesting: tuple | int) -> bool:
    return isinstance(nesting, int) or all(isinstance(n, int) for n in nesting)


class _Parser:
    """`name(arguments) -> results`, by recursive descent."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self.tokens: list[str] = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                raise GeneratorError(f"{where}: not understood: `{text[at:].strip().splitlines()[0]}`")
            self.tokens.append(found[1] or found[2])
            at = found.end()
        self.at = 0

    def entry(self) -> tuple[list[str], Signature]:
        name = [self._identifier("a name")]
        while self._accept("."):
            name.append(self._identifier("a name"))
        arguments = self._arguments()
        self._expect("->")
        returns, nesting = self._returns([a.name for a in arguments if a.mutated])
        if self.at != len(self.tokens):
            raise self._error(f"`{self.tokens[self.at]}` after the end")
        if name != ["forward"] and not _is_flat(nesting):
            raise self._error("results inside parentheses of their own are for a forward alone")
        return name, Signature(arguments, returns, nesting)

    def _arguments(self) -> tuple[Argument, ...]:
        self._expect("(")
        arguments: list[Argument] = []
        keyword_only = False
        while not self._accept(")"):
            if arguments or keyword_only:
                self._expect(",")
            if self._accept("*"):
                if keyword_only:
                    raise self._error("a second `*`")
                keyword_only = True
                continue
            argument = self._argument(keyword_only)
            if any(a.name == argument.name for a in arguments):
                raise self._error(f"two arguments are called {argument.name}")
            before = [a for a in arguments if not a.keyword_only and a.default is not None]
            if before and argument.default is None and not keyword_only:
                raise self._error(f"{argument.name} has no default, but {before[0].name} before it has")
            arguments.append(argument)
        if keyword_only and not any(a.keyword_only for a in arguments):
            raise self._error("nothing after the `*`")
        return tuple(arguments)

    def _argument(self, keyword_only: bool) -> Argument:
        type_, mutated = self._type()
        name = self._identifier(f"a name after {type_}")
        default = None
        if self._accept("="):
            default = self._literal()
        return Argument(name, type_, default, mutated, keyword_only)

    def _type(self) -> tuple[Type, bool]:
        base = self._identifier("a type")
        if base not in BASES:
            raise self._error(f"unknown type {base}")
        mutated = self._accept("(a!)")
        if mutated and base != "Tensor":
            raise self._error(f"{base} takes no (a!): it is changed as its documentation says")
        type_ = Type(base)
        if self._accept("?"):
            type_ = replace(type_, optional=True)
        if self._accept("["):
            size = None
            if not self._accept("]"):
                size = int(self._number("a size or ]"))
                self._expect("]")
            type_ = Type(base, True, size, False, type_.optional)
            if self._accept("?"):
                type_ = replace(type_, optional=True)
        return type_, mutated

    def _literal(self) -> str:
        if not self._accept("["):
            return self._next("a default")
        values: list[str] = []
        while not self._accept("]"):
            if values:
                self._expect(",")
            values.append(self._number("a number"))
        return f"[{', '.join(values)}]"

    def _returns(self, mutated: list[str]) -> tuple[tuple[Return, ...], tuple | int]:
        if not self._accept("("):
            type_, is_argument = self._type()
            if is_argument and len(mutated) != 1:
                raise self._error(f"which argument is returned? {len(mutated)} have an (a!)")
            return (Return(None, type_, mutated[0] if is_argument else None),), 0
        returns: list[Return] = []
        nesting = self._results(returns)
        return tuple(returns), nesting

    def _results(self, returns: list[Return]) -> tuple:
        """What stands in parentheses, of which the first is read; its results go to `returns`."""
        nesting: list[tuple | int] = []
        while not self._accept(")"):
            if nesting:
                self._expect(",")
            if self._accept("("):
                nesting.append(self._results(returns))
                continue
            type_, is_argument = self._type()
            if is_argument:
                raise self._error("an argument is returned alone: `-> Tensor(a!)`")
            name = None if self._peek() in (",", ")") else self._identifier("a name")
            nesting.append(len(returns))
            returns.append(Return(name, type_, None))
        return tuple(nesting)

    # Tokens.

    def _peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next(self, what: str) -> str:
        token = self._peek()
        if token is None or token in PUNCTUATION:
            raise self._error(f"expected {what}, got {f'`{token}`' if token else 'the end'}")
        self.at += 1
        return token

    def _identifier(self, what: str) -> str:
        token = self._next(what)
        if not re.fullmatch(r"[A-Za-z_]\w*", token):
            raise self._error(f"expected {what}, got `{token}`")
        return token

    def _number(self, what: str) -> str:
        token = self._next(what)
        if not re.fullmatch(r"-?\d[\w.+-]*", token):
            raise self._error(f"expected {what}, got `{token}`")
        return token

    def _accept(self, token: str) -> bool:
        found = self._peek() == token
        self.at += found
        return found

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            raise self._error(f"expected `{token}`, got {f'`{self._peek()}`' if self._peek() else 'the end'}")

    def _error(self, message: str) -> GeneratorError:
        return GeneratorError(f"{self.where}: {message}")


# Functions.


def _function(c: Constructor, locked: dict[str, Entry], since: str) -> Function:
    if sum(a.type.base == "Callback" for a in c.signature.arguments) > 1:
        raise c.error("two callbacks, but one destroy and one payload")
    arguments = tuple(p for a in c.signature.arguments for p in params_of(c, a))
    taken = {p.name for p in arguments}
    new = [r for r in c.signature.returns if r.argument is None]
    outputs = names.output_names([r.name for r in new], taken)
    results = tuple(_result(c, r, n) for r, n in zip(new, outputs))
    for name in [p.name for p in (*results, *arguments)]:
        if names.is_reserved(name) or [p.name for p in (*results, *arguments)].count(name) > 1:
            raise c.error(f"no parameter can be called {name}")
    name = names.PREFIX + c.identifier
    return Function(
        name=name,
        header=f"ctorch/generated/{c.namespace}.h",
        kind=c.namespace,
        returns=f"{ERROR} *",
        returns_nullable=True,
        params=(*results, *arguments),
        returned_arguments=tuple(r.argument for r in c.signature.returns if r.argument is not None),
        doc=c.doc,
        schema=c.text,
        forward=c.forward,
        since=locked[name].since if name in locked else since,
        constructor=c,
    )


def params_of(c: Constructor, argument: Argument) -> tuple[Param, ...]:
    """How one argument crosses: its C parameters."""
    t, name = argument.type, argument.name
    has_default = argument.default is not None and argument.default != "None"
    if argument.default == "None" and not t.optional:
        raise c.error(f"default None of argument {name}, whose type {t} has no `?`")
    unknown = c.error(
        f"unknown type {t} of argument {name}{f' with default {argument.default}' if has_default else ''}"
    )

    def param(c_type: str, nullable: bool) -> Param:
        return Param(
            name,
            c_type,
            "in",
            type=str(t),
            nullable=nullable,
            mutated=argument.mutated,
            keyword_only=argument.keyword_only,
            default=None if t.base == "Value" else types.default_value(c, argument),
            default_text=argument.default,
        )

    def listed(c_type: str) -> tuple[Param, ...]:
        return param(c_type, True), Param(names.length_name(name), "size_t", "len", len_of=name)

    const = "" if argument.mutated else "const "
    if t.base == "Callback":
        if t.is_list or has_default or argument.keyword_only:
            raise unknown
        (c_type, role), (destroy, _), (payload, _) = CALLBACK
        return (
            Param(name, c_type, role, type=str(t), nullable=t.optional, default_text=argument.default),
            Param("destroy", destroy, "callback", nullable=True),
            Param("payload", payload, "payload", nullable=True),
        )
    if t.base == "Tensor" or t.base in HANDLES:
        c_type = f"{const}{TENSOR} *" if t.base == "Tensor" else HANDLES[t.base]
        if has_default and str(t) == "Value?":  # NULL stands for it, and None is a value
            return (param(c_type, True),)
        if has_default or (argument.mutated and (t.optional or t.optional_elements)):
            raise unknown
        if not t.is_list:
            return (param(c_type, t.optional),)
        if t.size is not None or ((t.optional or t.optional_elements) and t.base != "Tensor"):
            raise unknown
        return listed(f"{c_type}const *")
    if t.optional_elements:
        raise unknown
    if t.is_list:
        if t.base not in types.LISTS or (has_default and t.size is None):
            raise unknown
        return listed(types.LISTS[t.base][0])
    value = types.VALUES[t.base]
    if value.by_pointer:
        return (param(value.c_type, t.optional or has_default),)
    return (param(f"const {value.c_type} *" if t.optional else value.c_type, t.optional),)


def _result(c: Constructor, result: Return, name: str) -> Param:
    t = result.type
    given = {name: c_type.removeprefix("const ").removesuffix(" *") for name, c_type in HANDLES.items()}
    given["Tensor"] = TENSOR_LIST if t.is_list else TENSOR
    # A tensor may be absent; nothing but tensors comes as a list.
    is_known = not t.is_list and not t.optional if t.base != "Tensor" else not (t.is_list and t.optional)
    if t.base in given and is_known:
        return Param(name, f"{given[t.base]} **", "out", type=str(t), owned=True, nullable=t.optional)
    if t.is_list or t.optional or t.base not in types.VALUES or not types.VALUES[t.base].result:
        raise c.error(f"unknown result type {t}")
    return Param(name, f"{types.VALUES[t.base].result} *", "out", type=str(t))
