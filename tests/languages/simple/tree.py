"""What the parser makes of a file: one class for each thing that the subset has."""

from __future__ import annotations

from dataclasses import dataclass, field

# A type as written: ("i64",), ("list", T), ("optional", T), ("pointer", "*mut", T), ("Result", T, E), ("Tensor",),
# ("function", result, parameter, …), ("tuple", T, …).
Type = tuple


@dataclass(slots=True)
class Node:
    line: int


@dataclass(slots=True)
class Number(Node):
    value: int


@dataclass(slots=True)
class Real(Node):
    value: float


@dataclass(slots=True)
class Text(Node):
    parts: list[str | Node]  # "x = {x}" is ["x = ", Name x]


@dataclass(slots=True)
class Bool(Node):
    value: bool


@dataclass(slots=True)
class Nil(Node):
    pass


@dataclass(slots=True)
class Name(Node):
    name: str


@dataclass(slots=True)
class List(Node):
    items: list[Node]


@dataclass(slots=True)
class Attribute(Node):
    value: Node
    name: str


@dataclass(slots=True)
class Index(Node):
    value: Node
    index: Node


@dataclass(slots=True)
class Call(Node):
    function: Node
    arguments: list[Node]
    names: list[str | None]  # of the arguments that are given by name


@dataclass(slots=True)
class Unary(Node):
    operator: str
    operand: Node


@dataclass(slots=True)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class Cast(Node):
    value: Node
    type: Type


@dataclass(slots=True)
class Try(Node):
    """`result?`: the value of Ok, or return the Err from the function."""

    value: Node


@dataclass(slots=True)
class Closure(Node):
    """`\\x, y: value`, `\\: value`: one expression over a copy of the names around it."""

    parameters: list[str]
    body: Node


@dataclass(slots=True)
class Reference(Node):
    """`&mut name`."""

    name: str


@dataclass(slots=True)
class Let(Node):
    name: str
    type: Type | None
    value: Node
    mutable: bool


@dataclass(slots=True)
class Assign(Node):
    target: Node
    operator: str  # "=" or "+=" …
    value: Node


@dataclass(slots=True)
class Return(Node):
    value: Node | None


@dataclass(slots=True)
class If(Node):
    branches: list[tuple[Node, list[Node]]]
    otherwise: list[Node] | None


@dataclass(slots=True)
class While(Node):
    condition: Node
    body: list[Node]


@dataclass(slots=True)
class For(Node):
    name: str
    items: Node
    body: list[Node]


@dataclass(slots=True)
class Pattern(Node):
    """`_`, a name that is bound, a literal, or a variant with patterns for what it carries."""

    kind: str  # any | bind | literal | variant
    name: str = ""  # bind: the name; variant: its name, with that of the enum before it if written: "Color.Red"
    value: Node | None = None
    fields: list[Pattern] | None = None  # None: written without parentheses


@dataclass(slots=True)
class Match(Node):
    subject: Node
    arms: list[tuple[Pattern, list[Node]]]


@dataclass(slots=True)
class Unsafe(Node):
    capabilities: list[str]
    body: list[Node]


@dataclass(slots=True)
class Defer(Node):
    value: Node


@dataclass(slots=True)
class Jump(Node):
    word: str  # pass | break | continue


@dataclass(slots=True)
class Parameter(Node):
    name: str
    type: Type
    default: Node | None = None


@dataclass(slots=True)
class Attributes(Node):
    name: str
    arguments: dict[str, Node]


@dataclass(slots=True)
class Use(Node):
    """`use a.b.{ x, y }`, `use a.b.*`, or `use a.b`, which makes `b` a name for the module."""

    module: str
    names: list[str]
    everything: bool
    exported: bool


@dataclass(slots=True)
class Export(Node):
    names: list[str]


@dataclass(slots=True)
class Mod(Node):
    """A module of this package, which lies beside the file that says so."""

    name: str


@dataclass(slots=True)
class Function(Node):
    name: str
    parameters: list[Parameter]
    result: Type | None
    body: list[Node] | None  # None: extern
    kind: str = "fn"  # fn | me | static | extern
    attributes: list[Attributes] = field(default_factory=list)
    owner: str | None = None  # the class of a method


@dataclass(slots=True)
class Class(Node):
    name: str
    fields: list[Parameter]
    methods: list[Function]


@dataclass(slots=True)
class Enum(Node):
    name: str
    variants: dict[str, list[Type]]


@dataclass(slots=True)
class File(Node):
    path: str
    items: list[Node]
