"""Checks the body of one function, class by class of node: names, types, arity, what each path gives."""

from __future__ import annotations

from pathlib import Path

from . import tree
from .parser import PRIMITIVES
from .tree import Node, Type
from .values import METHODS as OPERATOR_METHODS

_LIST = Path(__file__).resolve().parents[3] / "bindings-gen/ctorchgen/emit/simple/reserved.txt"
RESERVED = frozenset(
    word for line in _LIST.read_text().splitlines() if not line.startswith("#") for word in line.split()
)
# The parser's expect_method_name takes these, and simple-os has methods of these names.
METHODS = frozenset(("new", "slice", "to"))
TRANSPORT_ARGUMENTS = 8

I64, F64, BOOL, TEXT = ("i64",), ("f64",), ("bool",), ("text",)
NOTHING, NEVER, NIL = ("nothing",), ("never",), ("nil",)
_LIST_METHODS = {"len": ((), I64), "push": ((None,), NOTHING), "contains": ((None,), BOOL), "pop": ((), None)}
_TEXT_METHODS = {
    "len": ((), I64),
    "contains": ((TEXT,), BOOL),
    "starts_with": ((TEXT,), BOOL),
    "ends_with": ((TEXT,), BOOL),
    "trim": ((), TEXT),
    "split": ((TEXT,), ("list", TEXT)),
    "parse_int": ((), ("optional", I64)),
}
# What operators call, beside methods that come before them and take every right side there is.
_DUNDERS = {operator: methods[-1] for operator, methods in OPERATOR_METHODS.items()}
_SCALAR_METHODS = frozenset(m for methods in OPERATOR_METHODS.values() for m in methods[:-1])
# Functions of the interpreter that come before a program's own (src/compiler_rust/compiler/src/interpreter_call/
# builtins.rs of ormastes/simple at 0b4ca8b4), `expect` and the words of its specifications; then names of its library,
# which lie in the same table.
FLAT = frozenset(
    "describe it before_each after_each range Some None Ok Err len freeze send recv reply join spawn "
    "spawn_isolated async future expect abs min max sqrt floor ceil pow call load release must pop print "
    "panic".split()
)
BUILTINS = frozenset(("print", "panic", "Ok", "Err"))


def show(type_: Type | None) -> str:
    if type_ is None:
        return "unknown"
    if type_[0] == "list":
        return f"[{show(type_[1])}]"
    if type_[0] == "optional":
        return f"{show(type_[1])}?"
    if type_[0] == "tuple":
        return f"({', '.join(map(show, type_[1:]))})"
    if type_[0] == "function":
        return f"fn({', '.join(map(show, type_[2:]))}) -> {show(type_[1])}"
    return type_[0] + (f"<{', '.join(map(show, type_[1:]))}>" if len(type_) > 1 else "")


def fits(given: Type | None, wanted: Type | None) -> bool:
    """Whether a value of one type may stand where the other is wanted; what is unknown may."""
    if given is None or wanted is None or given == wanted or given == NEVER:
        return True
    if wanted[0] == "optional":
        return given == NIL or fits(given[1] if given[0] == "optional" else given, wanted[1])
    return given[0] == wanted[0] and len(given) == len(wanted) and all(map(fits, given[1:], wanted[1:]))


class Names:
    """What a module declares and imports."""

    def __init__(self, name: str, file: tree.File, types: dict[str, tree.Class | tree.Enum]) -> None:
        self.name, self.file = name, file
        self.types = types  # of all modules: a value may be of a type that is not imported
        self.used: set[str] = set()
        self.own: dict[str, object] = {}  # tree.Function, Class, Enum, Let
        self.names: dict[str, object] = {}  # own, imported, Names of modules
        self.exports: dict[str, object] = {}

    def complain(self, complaints: list[str], line: int, message: str) -> None:
        complaints.append(f"{self.file.path}:{line}: {message}")

    def look_up(self, name: str) -> object:
        self.used.add(name)
        return self.names.get(name)


class Body:
    """Checks one function; an expression's type is what its method returns, None if it cannot be told."""

    def __init__(self, module: Names, complaints: list[str]) -> None:
        self.module, self.complaints = module, complaints
        self.scopes: list[dict[str, tuple[Type | None, bool]]] = [{}]  # type, may be assigned to
        self.function_node: tree.Function | None = None
        self.unsafe = False
        self.used = True  # whether somebody takes the value of the statement that is looked at
        self.loops = 0
        self.deferred = False  # whether something was deferred in this function
        self.closures = 0
        self.expected: Type | None = None  # of the argument that is looked at, for a closure's parameters

    def complain(self, node: Node | int, message: str) -> None:
        self.module.complain(self.complaints, node if isinstance(node, int) else node.line, message)

    # Declarations.

    def function(self, node: tree.Function) -> None:
        self.function_node = node
        where = f"{node.owner}.{node.name}" if node.owner else node.name
        if node.name in RESERVED and not (node.owner and node.name in METHODS):
            self.complain(node, f"{where} is a reserved word")
        if node.name.startswith("__") and node.name not in (*_DUNDERS.values(), "__neg__"):
            self.complain(node, f"no operator calls {node.name}")
        if node.owner and node.name in _SCALAR_METHODS:
            self.complain(node, f"{node.name} takes the operator, whatever stands on its right side")
        self.unsafe = any(a.name == "unsafe" for a in node.attributes)
        if node.owner and node.kind != "static":
            self.scopes[-1]["self"] = ((node.owner,), False)
        optional = False
        for parameter in node.parameters:
            if parameter.name in RESERVED:
                self.complain(parameter, f"{where}: the parameter {parameter.name} is a reserved word")
            if parameter.name in self.scopes[-1]:
                self.complain(parameter, f"{where}: the parameter {parameter.name} is there twice")
            self.known(parameter.type, parameter.line)
            if parameter.default is not None:
                optional = True
                self.wants(parameter.default, self.type(parameter.default), parameter.type, parameter.name)
            elif optional:
                self.complain(parameter, f"{where}: {parameter.name} after a parameter with a default needs one too")
            self.scopes[-1][parameter.name] = (parameter.type, False)
        if node.result is not None:
            self.known(node.result, node.line)
        if node.body is None:
            self.extern(node)
            return
        found = self.block(node.body, new_scope=False, value=node.result is not None)
        if node.result is not None and node.result != NOTHING:
            if found == NOTHING:
                self.complain(node, f"{where}: a path ends without a value")
            else:
                self.wants(node.body[-1], found, node.result, f"the result of {where}")

    def extern(self, node: tree.Function) -> None:
        if not node.name.startswith("rt_ctorch_"):
            return
        if len(node.parameters) > TRANSPORT_ARGUMENTS:
            self.complain(node, f"{node.name}: more than {TRANSPORT_ARGUMENTS} parameters")
        types = {p.type for p in node.parameters} | {node.result}
        if types not in ({I64}, {F64}):
            self.complain(node, f"{node.name}: a companion has only i64, or only f64")

    def known(self, type_: Type, line: int) -> None:
        head, *rest = type_
        if head == "pointer":
            rest = rest[1:]
        elif head not in ("list", "optional", "nothing", "Result", "function", "tuple") and head not in PRIMITIVES:
            if not isinstance(self.module.look_up(head), (tree.Class, tree.Enum)):
                self.complain(line, f"no type {head}")
        if head == "Result" and len(rest) != 2:
            self.complain(line, "Result has two types")
        for part in rest:
            self.known(part, line)

    # Statements. What a block gives is what its last statement gives.

    def block(self, statements: list[Node], new_scope: bool = True, value: bool = True) -> Type | None:
        if new_scope:
            self.scopes.append({})
        found: Type | None = NOTHING
        for number, statement in enumerate(statements):
            if found == NEVER:
                self.complain(statement, "this is never reached")
            used = value and number == len(statements) - 1
            before, self.used = self.used, used
            found = self.type(statement)
            self.used = before
            if found and found[0] == "Result" and not used:
                self.complain(statement, "a Result that nobody looks at")
        if new_scope:
            self.scopes.pop()
        return found

    def type(self, node: Node) -> Type | None:
        before = self.used
        self.used = before or not isinstance(node, (tree.If, tree.Match, tree.Unsafe))
        found = _KINDS[type(node)](self, node)
        self.used = before
        return found

    def let(self, node: tree.Let) -> Type:
        found = self.type(node.value)
        if node.type is not None:
            self.known(node.type, node.line)
            self.wants(node.value, found, node.type, node.name)
        elif found == NOTHING:
            self.complain(node, f"{node.name} gets no value")
        if node.name in RESERVED:
            self.complain(node, f"{node.name} is a reserved word")
        if any(node.name in scope for scope in self.scopes):
            self.complain(node, f"{node.name} is declared twice")
        if node.name != "_":
            self.scopes[-1][node.name] = (node.type or found, node.mutable)
        return NOTHING

    def assign(self, node: tree.Assign) -> Type:
        found = self.type(node.value)
        target = node.target
        if isinstance(target, tree.Name):
            declared = self.module.look_up(target.name)
            local = next((s[target.name] for s in reversed(self.scopes) if target.name in s), None)
            if local is None and isinstance(declared, tree.Let):
                local = (declared.type, declared.mutable)
            if local is None:
                self.complain(node, f"{target.name} is not declared")
                return NOTHING
            if not local[1]:
                self.complain(node, f"{target.name} is not a var")
            wanted = local[0]
        else:
            wanted = self.type(target)
            inner = target.value
            own = isinstance(inner, tree.Name) and inner.name == "self"
            if isinstance(target, tree.Attribute) and own and self.function_node.kind != "me":
                self.complain(node, f"self.{target.name} is changed in a method that is not `me`")
        if node.operator != "=":
            found = self.arithmetic(node, node.operator[0], wanted, found)
        self.wants(node.value, found, wanted, "the assigned value")
        return NOTHING

    def wants(self, node: Node, given: Type | None, wanted: Type | None, what: str) -> None:
        if not fits(given, wanted):
            self.complain(node, f"{what} is {show(given)}, expected {show(wanted)}")

    def return_(self, node: tree.Return) -> Type:
        result = self.function_node.result
        if node.value is None:
            if result not in (None, NOTHING):
                self.complain(node, "return without a value")
        elif result in (None, NOTHING):
            self.complain(node, "return with a value from a function that has no result")
            self.type(node.value)
        else:
            self.wants(node.value, self.type(node.value), result, "the returned value")
        return NEVER

    def if_(self, node: tree.If) -> Type | None:
        types, used = [], self.used
        refuted: dict[str, tuple[Type | None, bool]] = {}  # what is no nil where no branch was taken so far
        for condition, block in node.branches:
            self.scopes.append(dict(refuted))
            self.used = True
            self.wants(condition, self.type(condition), BOOL, "the condition")
            self.used = used and node.otherwise is not None
            there, name, narrowed = self.nil_test(condition)
            self.scopes[-1].update({name: narrowed} if there == "!=" else {})
            types.append(self.block(block, value=self.used))
            self.scopes.pop()
            refuted.update({name: narrowed} if there == "==" else {})
        self.scopes.append(dict(refuted))
        types.append(self.block(node.otherwise, value=used) if node.otherwise is not None else NOTHING)
        self.scopes.pop()
        if all(t == NEVER for t in types[:-1]):
            self.scopes[-1].update(refuted)
        return self.common(node, types, used)

    def nil_test(self, node: Node) -> tuple[str | None, str, tuple[Type | None, bool]]:
        """`x == nil` or `x != nil` of an optional: the operator, the name, and what it is where it is no nil."""
        if isinstance(node, tree.Binary) and node.operator in ("==", "!=") and isinstance(node.right, tree.Nil):
            if isinstance(node.left, tree.Name):
                for scope in reversed(self.scopes):
                    found, is_var = scope.get(node.left.name, (None, False))
                    if found and found[0] == "optional":
                        return node.operator, node.left.name, (found[1], is_var)
        return None, "", (None, False)

    def common(self, node: Node, types: list[Type | None], used: bool) -> Type | None:
        """The type of branches that meet; none if nobody takes their values."""
        types = [t for t in types if t != NEVER]
        if not types:
            return NEVER
        if NOTHING in types or not used:
            return NOTHING
        found = types[0]
        for other in types[1:]:
            if not fits(other, found) and not fits(found, other):
                if found == NIL or other == NIL:
                    found = ("optional", other if found == NIL else found)
                    continue
                self.complain(node, f"one branch gives {show(found)}, another {show(other)}")
                return None
            found = _merge(found, other)
        return found

    def while_(self, node: tree.While) -> Type:
        self.wants(node.condition, self.type(node.condition), BOOL, "the condition")
        self.loop(node.body)
        return NOTHING

    def for_(self, node: tree.For) -> Type:
        items = self.type(node.items)
        item = items[1] if items and items[0] == "list" else I64 if items == ("range",) else None
        if items is not None and items[0] not in ("list", "range"):
            self.complain(node, f"{show(items)} cannot be walked through")
        if node.name in RESERVED:
            self.complain(node, f"{node.name} is a reserved word")
        self.scopes.append({node.name: (item, False)})
        self.loop(node.body)
        self.scopes.pop()
        return NOTHING

    def loop(self, body: list[Node]) -> None:
        self.loops += 1
        self.block(body, value=False)
        self.loops -= 1

    def jump(self, node: tree.Jump) -> Type:
        if node.word == "pass":
            return NOTHING
        if not self.loops:
            self.complain(node, f"{node.word} outside a loop")
        return NEVER

    def defer(self, node: tree.Defer) -> Type:
        self.type(node.value)
        self.deferred = True
        return NOTHING

    def unsafe_block(self, node: tree.Unsafe) -> Type | None:
        before, self.unsafe = self.unsafe, True
        found = self.block(node.body, value=self.used)
        self.unsafe = before
        return found

    # Patterns.

    def match(self, node: tree.Match) -> Type | None:
        used, self.used = self.used, True
        subject = self.type(node.subject)
        self.used = used
        types, seen, total = [], set(), False
        for pattern, block in node.arms:
            if total:
                self.complain(pattern, "a case after one that takes everything")
            self.scopes.append({})
            total |= self.pattern(pattern, subject, seen)
            types.append(self.block(block, value=used))
            self.scopes.pop()
        missing = self.variants(subject) - seen if self.variants(subject) else {"_"}
        if not total and missing:
            self.complain(node, f"no case for {', '.join(sorted(missing))}")
        return self.common(node, types, used)

    def variants(self, type_: Type | None) -> set[str]:
        if type_ is None:
            return set()
        if type_[0] == "Result":
            return {"Ok", "Err"}
        if type_[0] == "optional":
            return {"a value that is tested with == nil", "nil"}
        if type_ == BOOL:
            return {"true", "false"}
        declared = self.module.types.get(type_[0])
        return set(declared.variants) if isinstance(declared, tree.Enum) else set()

    def pattern(self, node: tree.Pattern, type_: Type | None, seen: set[str]) -> bool:
        """Declare what it binds; whether it takes everything."""
        if node.kind == "any":
            return True
        if node.kind == "bind":
            if node.name in RESERVED:
                self.complain(node, f"the pattern {node.name} is a reserved word")
            self.scopes[-1][node.name] = (type_, False)
            return True
        if node.kind == "literal":
            found = self.type(node.value)
            if found == NIL:
                seen.add("nil")
            elif found == BOOL:
                seen.add("true" if node.value.value else "false")
            else:
                self.wants(node, found, type_, "the pattern")
            return False
        enum, _, variant = node.name.rpartition(".")
        fields = self.fields(node, enum, variant, type_)
        if fields is not None:
            if len(fields) != len(node.fields or []):
                self.complain(node, f"{variant} carries {len(fields)}, the pattern has {len(node.fields or [])}")
            inner = [self.pattern(f, t, set()) for f, t in zip(node.fields or [], fields)]
            if all(inner):
                seen.add(variant)
        return False

    def fields(self, node: tree.Pattern, enum: str, variant: str, type_: Type | None) -> list[Type | None] | None:
        if variant in ("Ok", "Err") and not enum:
            if type_ is None:
                return [None]
            if type_[0] == "Result":
                return [type_[1] if variant == "Ok" else type_[2]]
        elif variant == "Some" and not enum:
            self.complain(node, "Some(…) never matches an enum, nor with older compilers anything: test with == nil")
            return None
        else:
            declared = self.module.look_up(enum)
            if isinstance(declared, tree.Enum) and variant in declared.variants:
                self.wants(node, (declared.name,), type_, "the pattern")
                return declared.variants[variant]
        self.complain(node, f"{node.name} is no variant of {show(type_)}")
        return None

    # Expressions.

    def number(self, node: tree.Number) -> Type:
        if not -(2**63) <= node.value < 2**63:
            self.complain(node, f"{node.value} does not fit in an i64")
        return I64

    def real(self, node: tree.Real) -> Type:
        return F64

    def bool(self, node: tree.Bool) -> Type:
        return BOOL

    def nil(self, node: tree.Nil) -> Type:
        return NIL

    def text(self, node: tree.Text) -> Type:
        for part in node.parts:
            if not isinstance(part, str):
                self.type(part)
        return TEXT

    def name(self, node: tree.Name) -> Type | None:
        for scope in reversed(self.scopes):
            if node.name in scope:
                return scope[node.name][0]
        declared = self.module.look_up(node.name)
        if declared is None:
            self.complain(node, f"{node.name} is not declared")
        elif isinstance(declared, tree.Let):
            return declared.type or _literal(declared.value)
        else:
            self.complain(node, f"{node.name} is no value")
        return None

    def list(self, node: tree.List) -> Type:
        found: Type | None = None
        for item in node.items:
            type_ = self.type(item)
            if not fits(type_, found):
                self.complain(item, f"a list of {show(found)} with {show(type_)}")
            found = found or type_
        return ("list", found)

    def index(self, node: tree.Index) -> Type | None:
        items = self.type(node.value)
        self.wants(node.index, self.type(node.index), I64, "the index")
        if items is not None and items[0] == "tuple" and isinstance(node.index, tree.Number):
            if 0 <= node.index.value < len(items) - 1:
                return items[node.index.value + 1]
        if items is not None and items[0] != "list":
            self.complain(node, f"{show(items)} has no entries")
        return items[1] if items and items[0] == "list" else None

    def attribute(self, node: tree.Attribute) -> Type | None:
        declared = self.declared(node.value)
        if isinstance(declared, tree.Enum):
            if declared.variants.get(node.name) != []:
                self.complain(node, f"{declared.name} has no {node.name} without fields")
            return (declared.name,)
        if isinstance(declared, Names):
            found = declared.own.get(node.name) or declared.exports.get(node.name)
            if not isinstance(found, tree.Let):
                self.complain(node, f"{declared.name} has no value {node.name}")
                return None
            return found.type or _literal(found.value)
        owner = self.type(node.value)
        if owner is None:
            return None
        class_ = self.class_of(owner)
        field = next((f for f in class_.fields if f.name == node.name), None) if class_ else None
        if field is None:
            self.complain(node, f"{show(owner)} has no field {node.name}")
            return None
        return field.type

    def declared(self, node: Node) -> object:
        """What a name that is no value stands for."""
        if isinstance(node, tree.Name) and not any(node.name in s for s in self.scopes):
            found = self.module.look_up(node.name)
            return None if isinstance(found, tree.Let) else found
        if isinstance(node, tree.Attribute):
            module = self.declared(node.value)
            if isinstance(module, Names):
                found = module.own.get(node.name) or module.exports.get(node.name)
                return None if isinstance(found, tree.Let) else found
        return None

    def class_of(self, type_: Type) -> tree.Class | None:
        found = self.module.types.get(type_[0])
        return found if isinstance(found, tree.Class) else None

    def call(self, node: tree.Call) -> Type | None:
        function = node.function
        if isinstance(function, tree.Name) and function.name in BUILTINS and function.name not in self.module.names:
            return self.builtin(node, function.name)
        if isinstance(function, tree.Name) and any(function.name in s for s in self.scopes):
            return self.call_value(node, function)
        declared = self.declared(function)
        if isinstance(declared, tree.Class):
            return self.construct(node, declared)
        if isinstance(declared, tree.Function):
            if declared.kind == "extern" and not self.unsafe:
                self.complain(node, f"the extern function {declared.name} is called outside an unsafe block")
            return self.given(node, declared)
        if isinstance(function, tree.Attribute):
            return self.method(node, function)
        self.complain(node, f"{getattr(function, 'name', 'this')} is not a function that is declared")
        for argument in node.arguments:
            self.type(argument)
        return None

    def call_value(self, node: tree.Call, function: tree.Name) -> Type | None:
        """A parameter that holds a function. Functions of all modules come before it."""
        found = self.name(function)
        types = [self.type(a) for a in node.arguments]
        if found is None or found[0] != "function":
            self.complain(node, f"{function.name} is {show(found)}, and not a function that is declared")
            return None
        if function.name in FLAT or self.module.has_function(function.name):
            self.complain(node, f"this calls the function {function.name}, not what the name holds here")
        if len(types) != len(found) - 2 or any(node.names):
            self.complain(node, f"{function.name} takes {len(found) - 2} arguments, {len(types)} given")
        for argument, given, wanted in zip(node.arguments, types, found[2:]):
            self.wants(argument, given, wanted, f"{function.name}: the argument")
        return found[1]

    def closure(self, node: tree.Closure) -> Type:
        """A copy of the names around it: what it sets nobody sees, and `?` in it leaves the function that calls it."""
        wanted = self.expected if self.expected and self.expected[0] == "function" else None
        types = wanted[2:] if wanted and len(wanted) - 2 == len(node.parameters) else [None] * len(node.parameters)
        self.scopes.append({name: (type_, False) for name, type_ in zip(node.parameters, types)})
        self.closures, self.expected = self.closures + 1, None
        for name in node.parameters:
            if name in RESERVED:
                self.complain(node, f"the parameter {name} of a closure is a reserved word")
        found = self.type(node.body)
        self.closures -= 1
        self.scopes.pop()
        return ("function", found, *types)

    def builtin(self, node: tree.Call, name: str) -> Type | None:
        types = [self.type(a) for a in node.arguments]
        if len(types) != 1 or any(node.names):
            self.complain(node, f"{name} takes one argument, {len(types)} given")
            return None
        if name == "panic":
            self.wants(node, types[0], TEXT, "the message")
            return NEVER
        return {"print": NOTHING, "Ok": ("Result", types[0], None), "Err": ("Result", None, types[0])}[name]

    def construct(self, node: tree.Call, class_: tree.Class) -> Type:
        wanted = {f.name: f.type for f in class_.fields}
        if None in node.names or len(set(node.names)) != len(node.names) or set(node.names) != set(wanted):
            self.complain(node, f"{class_.name} is made of {', '.join(wanted)}, each by name and once")
        for name, argument in zip(node.names, node.arguments):
            self.wants(argument, self.type(argument), wanted.get(name), f"{class_.name}.{name}")
        return (class_.name,)

    def given(self, node: tree.Call, function: tree.Function) -> Type:
        parameters = {p.name: p for p in function.parameters}
        order = list(parameters)
        seen: set[str] = set()
        positional = True
        for position, (name, argument) in enumerate(zip(node.names, node.arguments)):
            if name is None:
                if not positional:
                    self.complain(argument, f"{function.name}: an argument without a name after one with a name")
                name = order[position] if position < len(order) else None
            else:
                positional = False
            self.expected = parameters[name].type if name in parameters else None
            found = self.type(argument)
            self.expected = None
            if name not in parameters:
                what = f"no parameter {name}" if name else f"{len(node.arguments)} arguments, expected {len(order)}"
                self.complain(argument, f"{function.name}: {what}")
                break
            if name in seen:
                self.complain(argument, f"{function.name}: {name} is given twice")
            seen.add(name)
            self.wants(argument, found, parameters[name].type, f"{function.name}: {name}")
        missing = [p.name for p in function.parameters if p.name not in seen and p.default is None]
        if missing and len(node.arguments) <= len(order):
            self.complain(node, f"{function.name}: {', '.join(missing)} missing")
        return function.result or NOTHING

    def method(self, node: tree.Call, function: tree.Attribute) -> Type | None:
        name = function.name
        declared = self.declared(function.value)
        if isinstance(declared, tree.Class):
            return self.known_method(node, declared, name, static=True)
        if isinstance(declared, tree.Enum):
            types = declared.variants.get(name)
            if types is None or len(types) != len(node.arguments):
                self.complain(node, f"{declared.name} has no {name} with {len(node.arguments)} fields")
            for argument, wanted in zip(node.arguments, types or []):
                self.wants(argument, self.type(argument), wanted, f"{declared.name}.{name}")
            return (declared.name,)
        if isinstance(declared, Names):
            self.complain(node, f"{declared.name} has no {name}")
            return None
        owner = self.type(function.value)
        if owner is None:
            for argument in node.arguments:
                self.type(argument)
            return None
        if owner[0] in ("list", "text"):
            methods = _LIST_METHODS if owner[0] == "list" else _TEXT_METHODS
            return self.builtin_method(node, methods, owner, name)
        if owner[0] == "Result" and name in ("is_ok", "is_err") and not node.arguments:
            return BOOL
        class_ = self.class_of(owner)
        if class_ is None:
            self.complain(node, f"{show(owner)} has no method {name}")
            return None
        return self.known_method(node, class_, name, static=False)

    def builtin_method(self, node: tree.Call, methods: dict, owner: Type, name: str) -> Type | None:
        types = [self.type(a) for a in node.arguments]
        if name not in methods:
            self.complain(node, f"{show(owner)} has no method {name}")
            return None
        wanted, result = methods[name]
        if len(wanted) != len(types):
            self.complain(node, f"{name}: {len(types)} arguments, expected {len(wanted)}")
        item = owner[1] if owner[0] == "list" else None
        for argument, given, type_ in zip(node.arguments, types, wanted):
            self.wants(argument, given, type_ or item, f"{name}: the argument")
        return item if name == "pop" else result

    def known_method(self, node: tree.Call, class_: tree.Class, name: str, static: bool) -> Type | None:
        method = next((m for m in class_.methods if m.name == name and (m.kind == "static") == static), None)
        if method is None:
            self.complain(node, f"{class_.name} has no {'static ' if static else ''}method {name}")
            for argument in node.arguments:
                self.type(argument)
            return None
        return self.given(node, method)

    def unary(self, node: tree.Unary) -> Type | None:
        found = self.type(node.operand)
        if node.operator == "not":
            self.wants(node, found, BOOL, "the operand of not")
            return BOOL
        if found is not None and found not in (I64, F64):
            class_ = self.class_of(found)
            if class_ is None or not any(m.name == "__neg__" for m in class_.methods):
                self.complain(node, f"-{show(found)}")
        return found

    def binary(self, node: tree.Binary) -> Type | None:
        left, right = self.type(node.left), self.type(node.right)
        operator = node.operator
        if operator in ("and", "or"):
            self.wants(node.left, left, BOOL, f"the operand of {operator}")
            self.wants(node.right, right, BOOL, f"the operand of {operator}")
            return BOOL
        if operator == "..":
            self.wants(node.left, left, I64, "the start of the range")
            self.wants(node.right, right, I64, "the end of the range")
            return ("range",)
        if operator in ("==", "!=", "<", "<=", ">", ">="):
            overloaded = self.operator_method(operator, left)
            if overloaded is not None and right != NIL:
                self.wants(node.right, right, overloaded.parameters[0].type, f"the right side of {operator}")
                return overloaded.result
            if operator not in ("==", "!=") and left is not None and left not in (I64, F64, TEXT):
                self.complain(node, f"{show(left)} {operator} {show(right)}")
            if not fits(left, right) and not fits(right, left):
                self.complain(node, f"{show(left)} {operator} {show(right)}")
            return BOOL
        return self.arithmetic(node, operator, left, right)

    def arithmetic(self, node: Node, operator: str, left: Type | None, right: Type | None) -> Type | None:
        if left is None or right is None:
            return left
        if left == right and (
            left in (I64, F64) and operator != "@" or operator == "+" and left[0] in ("text", "list")
        ):
            return left
        method = self.operator_method(operator, left)
        if method is None or not fits(right, method.parameters[0].type):
            self.complain(node, f"{show(left)} {operator} {show(right)}")
            return None
        return method.result

    def operator_method(self, operator: str, left: Type | None) -> tree.Function | None:
        class_ = self.class_of(left) if left is not None and left[0] not in PRIMITIVES else None
        return next((m for m in class_.methods if m.name == _DUNDERS[operator]), None) if class_ else None

    def cast(self, node: tree.Cast) -> Type:
        found = self.type(node.value)
        if found is not None and found not in (I64, F64, BOOL) or node.type not in (I64, F64):
            self.complain(node, f"{show(found)} as {show(node.type)}")
        return node.type

    def try_(self, node: tree.Try) -> Type | None:
        found = self.type(node.value)
        result = self.function_node.result if self.function_node else None
        if self.deferred:
            self.complain(node, "'?' leaves the function without what was deferred before it")
        if self.closures:
            self.complain(node, "'?' in a closure leaves the function that calls it")
        if found is not None and found[0] != "Result":
            self.complain(node, f"'?' after {show(found)}")
            return None
        if result is None or result[0] != "Result":
            self.complain(node, "'?' in a function that returns no Result")
        elif found is not None:
            self.wants(node, found[2], result[2], "the error of '?'")
        return found[1] if found else None

    def reference(self, node: tree.Reference) -> Type | None:
        return self.name(tree.Name(node.line, node.name))


def _literal(node: Node) -> Type | None:
    return {tree.Number: I64, tree.Real: F64, tree.Bool: BOOL, tree.Text: TEXT}.get(type(node))


def _merge(first: Type | None, second: Type | None) -> Type | None:
    """Both are the same as far as they are known."""
    if first is None or second is None or len(first) != len(second):
        return first or second
    return tuple(a if i == 0 or isinstance(a, str) else _merge(a, b) for i, (a, b) in enumerate(zip(first, second)))


_KINDS = {
    tree.Assign: Body.assign,
    tree.Attribute: Body.attribute,
    tree.Binary: Body.binary,
    tree.Bool: Body.bool,
    tree.Call: Body.call,
    tree.Cast: Body.cast,
    tree.Closure: Body.closure,
    tree.Defer: Body.defer,
    tree.For: Body.for_,
    tree.If: Body.if_,
    tree.Index: Body.index,
    tree.Jump: Body.jump,
    tree.Let: Body.let,
    tree.List: Body.list,
    tree.Match: Body.match,
    tree.Name: Body.name,
    tree.Nil: Body.nil,
    tree.Number: Body.number,
    tree.Real: Body.real,
    tree.Reference: Body.reference,
    tree.Return: Body.return_,
    tree.Text: Body.text,
    tree.Try: Body.try_,
    tree.Unary: Body.unary,
    tree.Unsafe: Body.unsafe_block,
    tree.While: Body.while_,
}
