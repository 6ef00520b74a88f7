"""Runs programs of the subset. A function becomes Python closures when it is first called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import tree
from .parser import parse
from .tree import Node
from .values import (
    BUILTIN_METHODS,
    BUILTINS,
    METHODS,
    OPERATORS,
    EnumType,
    Fault,
    Instance,
    Variant,
    integer,
    position,
    text_of,
    truth,
)

Frame = dict
Code = Callable[[Frame], object]


class _Return(Exception):
    def __init__(self, value: object) -> None:
        self.value = value


class _Propagated(_Return):
    """`?` after an Err: Simple's interpreter leaves the function at once, without what was deferred in it."""


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class ClassType:
    def __init__(self, node: tree.Class, module: Module) -> None:
        self.name = node.name
        self.fields = [f.name for f in node.fields]
        self.methods = {m.name: Function(m, module) for m in node.methods}

    def construct(self, values: list, names: list[str | None] | None) -> Instance:
        if names is None or None in names or sorted(names) != sorted(self.fields):
            raise Fault(f"{self.name} is made of {self.fields}, not of {names}")
        return Instance(self, dict(zip(names, values)))


class Function:
    """A function of the program, or one of the runtime's if it has no body."""

    def __init__(self, node: tree.Function, module: Module) -> None:
        self.node, self.module = node, module
        self.names = [p.name for p in node.parameters]
        self.is_method = node.owner is not None and node.kind != "static"
        if self.is_method:
            self.names = ["self", *self.names]
        self.code: Code | None = None
        self.defaults: dict[str, Code] = {}
        self.native: Callable | None = None

    def prepare(self) -> None:
        node = self.node
        if node.body is None:
            self.native = self.module.program.runtime.get(node.name)
            if self.native is None:
                raise Fault(f"extern fn {node.name}: the emulated runtime has no such function")
            return
        compiler = _Compiler(self.module)
        self.defaults = {p.name: compiler.expression(p.default) for p in node.parameters if p.default is not None}
        self.code = compiler.function(node)

    def prepared_default(self, name: str) -> object:
        if self.code is None:
            self.prepare()
        return self.defaults[name]({})

    def call(self, arguments: list, names: list[str | None] | None = None) -> object:
        if self.code is None and self.native is None:
            self.prepare()
        if self.native is not None:
            return self.native(*arguments)
        arguments = [a[:] if type(a) is list else a for a in arguments]  # an array is a value
        frame: Frame = {}
        mine = self.names
        if names is None and len(arguments) == len(mine):
            frame = dict(zip(mine, arguments))
        else:
            if len(arguments) > len(mine):
                raise Fault(f"{self.node.name}: {len(arguments)} arguments for {len(mine)} parameters")
            names = names or [None] * len(arguments)
            if self.is_method and len(names) < len(arguments):
                names = [None, *names]
            for position, (name, value) in enumerate(zip(names, arguments)):
                frame[name or mine[position]] = value
            for name in mine:
                if name not in frame:
                    if name not in self.defaults:
                        raise Fault(f"{self.node.name}: {name} is missing")
                    frame[name] = self.defaults[name](frame)
            if len(frame) != len(mine):
                raise Fault(f"{self.node.name}: no such parameter among {list(frame)}")
        try:
            return self.code(frame)
        except _Return as result:
            return result.value


class Closure:
    """`\\x: value`, with a copy of the names that were there when it was made."""

    def __init__(self, names: list[str], body: Code, captured: Frame) -> None:
        self.names, self.body, self.captured = names, body, captured

    def call(self, arguments: list) -> object:
        if len(arguments) > len(self.names):
            raise Fault(f"{len(arguments)} arguments for a closure of {len(self.names)}")
        missing = dict.fromkeys(self.names)  # nil
        return self.body({**self.captured, **missing, **dict(zip(self.names, arguments))})


class Module:
    def __init__(self, name: str, program: Program) -> None:
        self.name, self.program = name, program
        self.names: dict[str, object] = {}
        self.own: set[str] = set()
        self.exports: set[str] = set()

    def load(self, file: tree.File) -> None:
        compiler = _Compiler(self)
        names = self.names
        for item in file.items:
            if isinstance(item, tree.Function):
                names[item.name] = Function(item, self)
            elif isinstance(item, tree.Class):
                names[item.name] = ClassType(item, self)
            elif isinstance(item, tree.Enum):
                names[item.name] = EnumType(item)
        self.own = set(names)
        for item in file.items:
            if isinstance(item, tree.Use):
                self._use(item)
            elif isinstance(item, tree.Let):
                self.own.add(item.name)
                names[item.name] = compiler.expression(item.value)({})

    def _use(self, item: tree.Use) -> None:
        module = self.program.module(item.module)
        if not item.names and not item.everything:
            self.names[item.module.rsplit(".")[-1]] = module
            return
        for name in item.names or module.public():
            self.names.setdefault(name, module.get(name))
            if item.exported:
                self.exports.add(name)

    def public(self) -> list[str]:
        return [*self.own, *self.exports]

    def get(self, name: str) -> object:
        if name not in self.own and name not in self.exports:
            raise Fault(f"module {self.name} has no {name}")
        return self.names[name]


class Program:
    """Modules found in folders, over a runtime: the extern functions by name. `files` are parsed already."""

    def __init__(
        self, folders: list[Path], runtime: dict[str, Callable], files: dict[str, tree.File] | None = None
    ) -> None:
        self.folders, self.runtime, self.files = folders, runtime, files or {}
        self.modules: dict[str, Module] = {}

    def module(self, name: str) -> Module:
        if name not in self.modules:
            file = self.files.get(name)
            if file is None:
                path = self.find(name)
                file = parse(path.read_text(), str(path))
            module = self.modules[name] = Module(name, self)
            module.load(file)
        return self.modules[name]

    def has_function(self, name: str) -> bool:
        """Functions of all modules lie in one table, which comes before local names."""
        return any(isinstance(m.names.get(name), Function) and name in m.own for m in self.modules.values())

    def find(self, name: str) -> Path:
        parts = name.split(".")
        for folder in self.folders:
            for path in (folder.joinpath(*parts).with_suffix(".spl"), folder.joinpath(*parts, "__init__.spl")):
                if path.exists():
                    return path
        raise Fault(f"no module {name}")

    def run(self, path: Path, function: str = "main", *arguments: object) -> object:
        module = self.modules[str(path)] = Module(path.stem, self)
        module.load(parse(path.read_text(), str(path)))
        return module.names[function].call(list(arguments))

    def call(self, module: str, function: str, *arguments: object) -> object:
        return self.module(module).names[function].call(list(arguments))


class _Compiler:
    """Turns the nodes of one module into closures over a frame of local names."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def function(self, node: tree.Function) -> Code:
        body = list(node.body)
        if body and isinstance(body[-1], tree.Return) and body[-1].value is not None:
            body[-1] = body[-1].value
        code = self.block(body)
        if not _has_defer(node.body):
            return code

        def run(frame: Frame) -> object:
            frame["$deferred"] = []
            try:
                return code(frame)
            except _Propagated:
                frame["$deferred"] = []
                raise
            finally:
                for deferred in reversed(frame["$deferred"]):
                    deferred(frame)

        return run

    def block(self, statements: list[Node]) -> Code:
        codes = [self.statement(s) for s in statements]
        if len(codes) == 1:
            return codes[0]
        first, last = codes[:-1], codes[-1]

        def run(frame: Frame) -> object:
            for code in first:
                code(frame)
            return last(frame)

        return run

    def statement(self, node: Node) -> Code:
        return getattr(self, f"_{type(node).__name__.lower()}")(node)

    expression = statement

    def _let(self, node: tree.Let) -> Code:
        name, value = node.name, self.expression(node.value)

        def run(frame: Frame) -> None:
            found = value(frame)
            frame[name] = found[:] if type(found) is list else found

        return run

    def _assign(self, node: tree.Assign) -> Code:
        value = self.expression(node.value)
        if node.operator != "=":
            value = self._binary(tree.Binary(node.line, node.operator[0], node.target, node.value))
        target = node.target
        if isinstance(target, tree.Name):
            name, names = target.name, self.module.names

            def run(frame: Frame) -> None:
                if name in frame:
                    frame[name] = value(frame)
                else:
                    names[name] = value(frame)

        elif isinstance(target, tree.Attribute):
            owner, field = self.expression(target.value), target.name

            def run(frame: Frame) -> None:
                owner(frame).fields[field] = value(frame)

        else:
            items, index = self.expression(target.value), self.expression(target.index)

            def run(frame: Frame) -> None:
                items(frame)[position(index(frame))] = value(frame)

        return run

    def _return(self, node: tree.Return) -> Code:
        value = self.expression(node.value) if node.value is not None else None

        def run(frame: Frame) -> None:
            raise _Return(value(frame) if value else None)

        return run

    def _if(self, node: tree.If) -> Code:
        branches = [(self.expression(c), self.block(b)) for c, b in node.branches]
        otherwise = self.block(node.otherwise) if node.otherwise else None

        def run(frame: Frame) -> object:
            for condition, block in branches:
                if truth(condition(frame)):
                    return block(frame)
            return otherwise(frame) if otherwise else None

        return run

    def _while(self, node: tree.While) -> Code:
        condition, body = self.expression(node.condition), self.block(node.body)

        def run(frame: Frame) -> None:
            while truth(condition(frame)):
                try:
                    body(frame)
                except _Break:
                    break
                except _Continue:
                    continue

        return run

    def _for(self, node: tree.For) -> Code:
        name, items, body = node.name, self.expression(node.items), self.block(node.body)

        def run(frame: Frame) -> None:
            for item in items(frame):
                frame[name] = item
                try:
                    body(frame)
                except _Break:
                    break
                except _Continue:
                    continue

        return run

    def _match(self, node: tree.Match) -> Code:
        subject = self.expression(node.subject)
        arms = [(self._pattern(p), self.block(b)) for p, b in node.arms]
        line = node.line

        def run(frame: Frame) -> object:
            value = subject(frame)
            for matches, block in arms:
                if matches(value, frame):
                    return block(frame)
            raise Fault(f"{self.module.name}:{line}: no case for {value!r}")

        return run

    def _pattern(self, node: tree.Pattern) -> Callable[[object, Frame], bool]:
        if node.kind == "any":
            return lambda value, frame: True
        if node.kind == "bind":
            name = node.name

            def bind(value: object, frame: Frame) -> bool:
                frame[name] = value
                return True

            return bind
        if node.kind == "literal":
            literal = self.expression(node.value)
            return lambda value, frame: type(value) is type(literal(frame)) and value == literal(frame)
        variant = node.name.rsplit(".")[-1]
        fields = [self._pattern(f) for f in node.fields or []]
        if variant == "Some":  # an optional is nil or the value itself
            return lambda value, frame: value is not None and fields[0](value, frame)

        def matches(value: object, frame: Frame) -> bool:
            return (
                isinstance(value, Variant)
                and value.name == variant
                and all(f(v, frame) for f, v in zip(fields, value.fields, strict=True))
            )

        return matches

    def _unsafe(self, node: tree.Unsafe) -> Code:
        return self.block(node.body)

    def _defer(self, node: tree.Defer) -> Code:
        value = self.expression(node.value)

        def run(frame: Frame) -> None:
            frame["$deferred"].append(value)

        return run

    def _jump(self, node: tree.Jump) -> Code:
        if node.word == "pass":
            return lambda frame: None
        exception = _Break if node.word == "break" else _Continue

        def run(frame: Frame) -> None:
            raise exception

        return run

    def _number(self, node: tree.Number) -> Code:
        value = integer(node.value)
        return lambda frame: value

    def _real(self, node: tree.Real) -> Code:
        value = node.value
        return lambda frame: value

    def _bool(self, node: tree.Bool) -> Code:
        value = node.value
        return lambda frame: value

    def _nil(self, node: tree.Nil) -> Code:
        return lambda frame: None

    def _text(self, node: tree.Text) -> Code:
        if all(isinstance(p, str) for p in node.parts):
            value = "".join(node.parts)
            return lambda frame: value
        parts = [(lambda frame, p=p: p) if isinstance(p, str) else self.expression(p) for p in node.parts]
        return lambda frame: "".join(text_of(p(frame)) for p in parts)

    def _name(self, node: tree.Name) -> Code:
        name, names = node.name, self.module.names
        builtin = BUILTINS.get(name)

        def run(frame: Frame) -> object:
            if name in frame:
                return frame[name]
            if name in names:
                return names[name]
            if builtin is not None:
                return builtin
            raise Fault(f"{self.module.name}:{node.line}: no {name}")

        return run

    def _closure(self, node: tree.Closure) -> Code:
        names, body = node.parameters, self.expression(node.body)
        return lambda frame: Closure(names, body, dict(frame))

    def _list(self, node: tree.List) -> Code:
        items = [self.expression(i) for i in node.items]
        return lambda frame: [i(frame) for i in items]

    def _attribute(self, node: tree.Attribute) -> Code:
        owner, name, line = self.expression(node.value), node.name, node.line

        def run(frame: Frame) -> object:
            value = owner(frame)
            if isinstance(value, Instance) and name in value.fields:
                return value.fields[name]
            if isinstance(value, EnumType) and name in value.constants:
                return value.constants[name]
            if isinstance(value, Module):
                return value.get(name)
            raise Fault(f"{self.module.name}:{line}: {value!r} has no {name}")

        return run

    def _index(self, node: tree.Index) -> Code:
        items, index = self.expression(node.value), self.expression(node.index)

        def run(frame: Frame) -> object:
            values = items(frame)
            place = position(index(frame))
            if not -len(values) <= place < len(values):
                raise Fault(f"index {place} of {len(values)}")
            return values[place]

        return run

    def _call(self, node: tree.Call) -> Code:
        arguments = [self.expression(a) for a in node.arguments]
        names = node.names if any(node.names) else None
        if isinstance(node.function, tree.Attribute):
            return self._method_call(node, arguments, names)
        callee = self.expression(node.function)
        program = self.module.program

        def run(frame: Frame) -> object:
            function = callee(frame)
            values = [a(frame) for a in arguments]
            if isinstance(function, Closure):
                if isinstance(node.function, tree.Name) and program.has_function(node.function.name):
                    raise Fault(f"{self.module.name}:{node.line}: this calls the function {node.function.name}")
                return function.call(values)
            if isinstance(function, Function):
                return function.call(values, names)
            if isinstance(function, ClassType):
                return function.construct(values, names)
            if callable(function):
                return function(*values)
            raise Fault(f"{self.module.name}:{node.line}: {function!r} cannot be called")

        return run

    def _method_call(self, node: tree.Call, arguments: list[Code], names: list[str | None] | None) -> Code:
        owner, name, line = self.expression(node.function.value), node.function.name, node.line
        place = f"{self.module.name}:{line}"

        def run(frame: Frame) -> object:
            value = owner(frame)
            if isinstance(value, Instance):
                method = value.type.methods.get(name)
                if method is None or not method.is_method:
                    raise Fault(f"{place}: {value.type.name} has no method {name}")
                return method.call([value, *[a(frame) for a in arguments]], names)
            values = [a(frame) for a in arguments]
            if isinstance(value, ClassType):
                method = value.methods.get(name)
                if method is None or method.is_method:
                    raise Fault(f"{place}: {value.name} has no static {name}")
                return method.call(values, names)
            if isinstance(value, EnumType):
                return Variant(value.name, name, tuple(values))
            if isinstance(value, Module):
                function = value.get(name)
                return (function.call if isinstance(function, Function) else function.construct)(values, names)
            if isinstance(value, Variant) and value.enum == "Result" and name in ("is_ok", "is_err"):
                return value.name == ("Ok" if name == "is_ok" else "Err")
            method = BUILTIN_METHODS.get(type(value), {}).get(name)
            if method is None:
                raise Fault(f"{place}: {value!r} has no method {name}")
            return method(value, *values)

        return run

    def _unary(self, node: tree.Unary) -> Code:
        operand = self.expression(node.operand)
        if node.operator == "not":
            return lambda frame: not truth(operand(frame))

        def negate(frame: Frame) -> object:
            value = operand(frame)
            if isinstance(value, Instance):
                return value.type.methods["__neg__"].call([value])
            return integer(-value) if type(value) is int else -value

        return negate

    def _binary(self, node: tree.Binary) -> Code:
        left, right = self.expression(node.left), self.expression(node.right)
        if node.operator == "and":
            return lambda frame: truth(left(frame)) and truth(right(frame))
        if node.operator == "or":
            return lambda frame: truth(left(frame)) or truth(right(frame))
        operation, methods = OPERATORS.get(node.operator), METHODS.get(node.operator, ())
        equality = node.operator in ("==", "!=")

        def run(frame: Frame) -> object:
            a, b = left(frame), right(frame)
            if isinstance(a, Instance) and not (equality and b is None):
                found = self._operator_method(a, b, node, methods)
                if found is not None:
                    return found.call([a, b])
            if operation is None or not equality and (isinstance(a, Instance) or isinstance(b, Instance)):
                raise Fault(f"{self.module.name}:{node.line}: {a!r} {node.operator} {b!r}")
            return operation(a, b)

        return run

    def _operator_method(self, a: Instance, b: object, node: tree.Binary, methods: tuple) -> Function | None:
        """The first of the methods that the class has, whatever b is; but a double makes it a sum of doubles."""
        if type(b) is float and node.operator not in ("@", "==", "!="):
            raise Fault(f"{self.module.name}:{node.line}: {a!r} {node.operator} {b!r}: an object is no number")
        return next((a.type.methods[m] for m in methods if m in a.type.methods), None)

    def _cast(self, node: tree.Cast) -> Code:
        value, target = self.expression(node.value), node.type[0]

        def run(frame: Frame) -> object:
            number = value(frame)
            if target == "f64":
                return float(number)
            if target == "i64" and type(number) in (int, float, bool):
                return integer(int(number))
            raise Fault(f"{number!r} as {target}")

        return run

    def _try(self, node: tree.Try) -> Code:
        value = self.expression(node.value)

        def run(frame: Frame) -> object:
            result = value(frame)
            if not isinstance(result, Variant) or result.enum != "Result":
                raise Fault(f"{self.module.name}:{node.line}: '?' after {result!r}")
            if result.name == "Err":
                raise _Propagated(result)
            return result.fields[0]

        return run


def _has_defer(nodes: object) -> bool:
    if isinstance(nodes, tree.Defer):
        return True
    if isinstance(nodes, (list, tuple)):
        return any(_has_defer(n) for n in nodes)
    if isinstance(nodes, Node):
        return any(_has_defer(getattr(nodes, f)) for f in nodes.__slots__)
    return False
