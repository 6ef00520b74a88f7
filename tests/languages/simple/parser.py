"""Reads the subset of Simple that the binding is written in: tokens first, then recursive descent.

What it does not know is an error, also where Simple itself has it: the point is that emitted files stay within forms
that Simple's own sources use.
"""

from __future__ import annotations

from . import tree
from .tokens import ESCAPES, SyntaxFault, Token, tokens
from .tree import Node, Type

PRIMITIVES = frozenset("i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 bool text".split())
WORDS = frozenset(
    "use export extern pub fn me static class enum val var if elif else while for in match case return unsafe defer "
    "pass break continue and or not true false nil as".split()
)
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/="))


def parse(text: str, path: str = "input.spl") -> tree.File:
    return _Parser(tokens(text, path), path).file()


class _Parser:
    def __init__(self, found: list[Token], path: str) -> None:
        self.tokens = found
        self.path = path
        self.at = 0

    # Tokens.

    def fault(self, message: str) -> SyntaxFault:
        return SyntaxFault(self.path, self.tokens[self.at][2], message)

    @property
    def line(self) -> int:
        return self.tokens[self.at][2]

    def sees(self, *values: str) -> bool:
        kind, value, _ = self.tokens[self.at]
        return value in values and kind in ("name", "operator")

    def sees_kind(self, kind: str) -> bool:
        return self.tokens[self.at][0] == kind

    def take(self, value: str) -> bool:
        kind, found, _ = self.tokens[self.at]
        if found == value and kind in ("name", "operator"):
            self.at += 1
            return True
        return False

    def expect(self, value: str) -> None:
        if not self.take(value):
            raise self.fault(f"expected {value!r}, found {self.found()}")

    def expect_kind(self, kind: str) -> str:
        found, value, _ = self.tokens[self.at]
        if found != kind:
            raise self.fault(f"expected {kind}, found {self.found()}")
        self.at += 1
        return value

    def found(self) -> str:
        kind, value, _ = self.tokens[self.at]
        return repr(value) if value else kind

    def name(self) -> str:
        value = self.expect_kind("name")
        if value in WORDS:
            self.at -= 1
            raise self.fault(f"{value!r} is a word of the language, not a name")
        return value

    # Declarations.

    def file(self) -> tree.File:
        items: list[Node] = []
        while not self.sees_kind("end"):
            if self.sees_kind("doc"):
                self.at += 1
                self.expect_kind("newline")
            else:
                items.append(self.declaration())
        return tree.File(1, self.path, items)

    def declaration(self) -> Node:
        attributes = self.attributes()
        line = self.line
        self.take("pub")
        if self.sees("extern", "fn"):
            return self.function(attributes)
        if attributes:
            raise self.fault("an attribute before something else than a function")
        if self.take("use"):
            return self.use(line, exported=False)
        if self.take("mod"):
            name = self.name()
            self.expect_kind("newline")
            return tree.Mod(line, name)
        if self.take("export"):
            if self.take("use"):
                return self.use(line, exported=True)
            names = [self.name()]
            while self.take(","):
                names.append(self.name())
            self.expect_kind("newline")
            return tree.Export(line, names)
        if self.take("class"):
            return self.class_(line)
        if self.take("enum"):
            return self.enum(line)
        if self.sees("val", "var"):
            return self.statement()
        raise self.fault(f"expected a declaration, found {self.found()}")

    def attributes(self) -> list[tree.Attributes]:
        out = []
        while self.sees("@"):
            line = self.line
            self.at += 1
            name = self.name() if not self.sees("unsafe") else self.expect_kind("name")
            arguments = {}
            if self.take("("):
                while not self.take(")"):
                    argument = self.name()
                    self.expect(":")
                    arguments[argument] = self.expression()
                    if not self.sees(")"):
                        self.expect(",")
            self.expect_kind("newline")
            out.append(tree.Attributes(line, name, arguments))
        return out

    def use(self, line: int, exported: bool) -> tree.Use:
        parts, names, everything = [self.name()], [], False
        while self.take("."):
            if self.take("*"):
                everything = True
                break
            if self.take("{"):
                names.append(self.name())
                while self.take(",") and not self.sees("}"):
                    names.append(self.name())
                self.expect("}")
                break
            parts.append(self.name())
        self.expect_kind("newline")
        return tree.Use(line, ".".join(parts), names, everything, exported)

    def function(self, attributes: list[tree.Attributes], owner: str | None = None) -> tree.Function:
        line = self.line
        kind = "fn"
        if self.take("extern"):
            kind = "extern"
            self.expect("fn")
        elif self.take("static"):
            kind = "static"
            self.expect("fn")
        elif self.take("me"):
            kind = "me"
        else:
            self.expect("fn")
        name = self.name()
        self.expect("(")
        parameters = []
        while not self.take(")"):
            parameters.append(self.parameter())
            if not self.sees(")"):
                self.expect(",")
        result = self.type() if self.take("->") else None
        body = None
        if kind == "extern":
            self.expect_kind("newline")
        else:
            self.expect(":")
            body = self.block()
        return tree.Function(line, name, parameters, result, body, kind, attributes, owner)

    def parameter(self) -> tree.Parameter:
        line = self.line
        name = self.expect_kind("name")  # the checker refuses reserved ones, with a better message
        self.expect(":")
        type_ = self.type()
        default = self.expression() if self.take("=") else None
        return tree.Parameter(line, name, type_, default)

    def class_(self, line: int) -> tree.Class:
        name = self.name()
        self.expect(":")
        self.expect_kind("newline")
        self.expect_kind("indent")
        fields, methods = [], []
        while not self.sees_kind("dedent"):
            if self.sees_kind("doc"):
                self.at += 1
                self.expect_kind("newline")
            elif self.sees("@", "fn", "me", "static"):
                methods.append(self.function(self.attributes(), name))
            else:
                fields.append(self.parameter())
                self.expect_kind("newline")
        self.at += 1
        return tree.Class(line, name, fields, methods)

    def enum(self, line: int) -> tree.Enum:
        name = self.name()
        self.expect(":")
        self.expect_kind("newline")
        self.expect_kind("indent")
        variants: dict[str, list[Type]] = {}
        while not self.sees_kind("dedent"):
            if self.sees_kind("doc"):
                self.at += 1
                self.expect_kind("newline")
                continue
            variant = self.name()
            if variant in variants:
                raise self.fault(f"{name}.{variant} is there twice")
            types = []
            if self.take("("):
                types.append(self.type())
                while self.take(","):
                    types.append(self.type())
                self.expect(")")
            self.expect_kind("newline")
            variants[variant] = types
        self.at += 1
        return tree.Enum(line, name, variants)

    def type(self) -> Type:
        if self.take("["):
            item = self.type()
            self.expect("]")
            out: Type = ("list", item)
        elif self.take("*"):
            word = self.expect_kind("name")
            if word not in ("const", "mut"):
                raise self.fault(f"*{word} is no pointer type")
            return ("pointer", f"*{word}", self.type())
        elif self.take("("):
            parts = [] if self.sees(")") else [self.type()]
            while self.take(","):
                parts.append(self.type())
            self.expect(")")
            out = ("tuple", *parts) if parts else ("nothing",)
        elif self.take("fn"):
            return self.function_type()
        else:
            name = self.name()
            arguments = []
            if self.take("<"):
                arguments.append(self.type())
                while self.take(","):
                    arguments.append(self.type())
                self.expect(">")
            out = (name, *arguments)
        while self.take("?"):
            out = ("optional", out)
        return out

    def function_type(self) -> Type:
        """`fn(A, B) -> R`; without `->` it gives nothing."""
        parameters = []
        self.expect("(")
        while not self.take(")"):
            parameters.append(self.type())
            if not self.sees(")"):
                self.expect(",")
        return ("function", self.type() if self.take("->") else ("nothing",), *parameters)

    # Statements.

    def block(self) -> list[Node]:
        """An indented block, or one statement on the same line, whose newline the caller takes."""
        if not self.sees_kind("newline"):
            return [self.simple_statement()]
        self.at += 1
        self.expect_kind("indent")
        out = []
        while not self.sees_kind("dedent"):
            if self.sees_kind("doc"):
                self.at += 1
                self.expect_kind("newline")
            else:
                out.append(self.statement())
        self.at += 1
        if not out:
            raise self.fault("an empty block")
        return out

    def statement(self) -> Node:
        out = self.simple_statement()
        if self.tokens[self.at - 1][0] != "dedent":
            self.expect_kind("newline")
        elif not isinstance(out, (tree.If, tree.Match, tree.Unsafe, tree.While, tree.For)) and self.sees("(", "[", "-"):
            raise self.fault("Simple reads this line as the end of the block's value in front of it")
        return out

    def simple_statement(self) -> Node:
        kind, word, line = self.tokens[self.at]
        if kind == "name":
            if word in ("val", "var"):
                self.at += 1
                name = self.name()
                type_ = self.type() if self.take(":") else None
                self.expect("=")
                return tree.Let(line, name, type_, self.expression(), word == "var")
            if word == "return":
                self.at += 1
                value = None if self.sees_kind("newline") else self.expression()
                return tree.Return(line, value)
            if word == "while":
                self.at += 1
                condition = self.expression()
                self.expect(":")
                return tree.While(line, condition, self.block())
            if word == "for":
                self.at += 1
                name = self.name()
                self.expect("in")
                items = self.expression()
                self.expect(":")
                return tree.For(line, name, items, self.block())
            if word == "defer":
                self.at += 1
                return tree.Defer(line, self.expression())
            if word in ("pass", "break", "continue"):
                self.at += 1
                return tree.Jump(line, word)
        value = self.expression()
        if self.tokens[self.at][1] in ASSIGNMENTS and self.sees_kind("operator"):
            if not isinstance(value, (tree.Name, tree.Attribute, tree.Index)):
                raise self.fault("this cannot be assigned to")
            operator = self.tokens[self.at][1]
            self.at += 1
            return tree.Assign(line, value, operator, self.expression())
        return value

    # Expressions, loosest first.

    def expression(self) -> Node:
        kind, word, line = self.tokens[self.at]
        if kind == "name":
            if word == "if":
                return self.if_(line)
            if word == "match":
                return self.match(line)
            if word == "unsafe":
                return self.unsafe(line)
        return self.or_()

    def if_(self, line: int) -> tree.If:
        branches, otherwise = [], None
        self.expect("if")
        while True:
            condition = self.or_()
            self.expect(":")
            branches.append((condition, self.block()))
            if self.sees_kind("newline") and self.tokens[self.at + 1][1] in ("elif", "else"):
                self.at += 1  # `if x: y` and `else: z` on lines of their own
            if self.take("elif"):
                continue
            if self.take("else"):
                self.expect(":")
                otherwise = self.block()
            return tree.If(line, branches, otherwise)

    def match(self, line: int) -> tree.Match:
        self.expect("match")
        subject = self.or_()
        self.expect(":")
        self.expect_kind("newline")
        self.expect_kind("indent")
        arms = []
        while not self.sees_kind("dedent"):
            self.expect("case")
            pattern = self.pattern()
            self.expect(":")
            arms.append((pattern, self.block()))
            if self.tokens[self.at - 1][0] != "dedent":
                self.expect_kind("newline")
        self.at += 1
        return tree.Match(line, subject, arms)

    def unsafe(self, line: int) -> tree.Unsafe:
        self.expect("unsafe")
        self.expect("(")
        if self.name() != "capabilities":
            raise self.fault("expected 'capabilities'")
        self.expect(":")
        self.expect("[")
        capabilities = [self.name()]
        while self.take(","):
            capabilities.append(self.name())
        self.expect("]")
        self.expect(")")
        self.expect(":")
        return tree.Unsafe(line, capabilities, self.block())

    def pattern(self) -> tree.Pattern:
        kind, word, line = self.tokens[self.at]
        if kind in ("number", "real", "text") or word in ("true", "false", "nil", "-"):
            return tree.Pattern(line, "literal", value=self.unary())
        name = self.name()
        if name == "_":
            return tree.Pattern(line, "any")
        while self.take("."):
            name += "." + self.name()
        fields = None
        if self.take("("):
            fields = []
            while not self.take(")"):
                fields.append(self.pattern())
                if not self.sees(")"):
                    self.expect(",")
        if fields is None and name[0].islower():
            return tree.Pattern(line, "bind", name)
        return tree.Pattern(line, "variant", name, fields=fields)

    def or_(self) -> Node:
        left = self.and_()
        while self.sees("or"):
            line = self.line
            self.at += 1
            left = tree.Binary(line, "or", left, self.and_())
        return left

    def and_(self) -> Node:
        left = self.comparison()
        while self.sees("and"):
            line = self.line
            self.at += 1
            left = tree.Binary(line, "and", left, self.comparison())
        return left

    def comparison(self) -> Node:
        left = self.range()
        kind, operator, line = self.tokens[self.at]
        if kind == "operator" and operator in COMPARISONS:
            self.at += 1
            return tree.Binary(line, operator, left, self.range())
        return left

    def range(self) -> Node:
        left = self.matmul()
        if self.sees(".."):
            line = self.line
            self.at += 1
            return tree.Binary(line, "..", left, self.matmul())
        return left

    def matmul(self) -> Node:
        """`@` binds looser than `+`: `x @ w + b` is `x @ (w + b)`."""
        left = self.sum()
        while self.sees("@"):
            line = self.line
            self.at += 1
            left = tree.Binary(line, "@", left, self.sum())
        return left

    def sum(self) -> Node:
        left = self.product()
        while self.sees("+", "-"):
            _, operator, line = self.tokens[self.at]
            self.at += 1
            left = tree.Binary(line, operator, left, self.product())
        return left

    def product(self) -> Node:
        left = self.unary()
        while self.sees("*", "/", "%"):
            _, operator, line = self.tokens[self.at]
            self.at += 1
            left = tree.Binary(line, operator, left, self.unary())
        return left

    def unary(self) -> Node:
        line = self.line
        if self.take("-"):
            operand = self.unary()
            if isinstance(operand, (tree.Number, tree.Real)):
                operand.value = -operand.value
                return operand
            return tree.Unary(line, "-", operand)
        if self.take("not"):  # tighter than any operator: `not a == b` is `(not a) == b`
            return tree.Unary(line, "not", self.unary())
        value = self.postfix()
        while self.take("as"):
            value = tree.Cast(line, value, self.type())
        return value

    def postfix(self) -> Node:
        value = self.atom()
        while self.sees_kind("operator"):
            line = self.line
            if self.take("("):
                arguments, names = [], []
                while not self.take(")"):
                    after = self.tokens[self.at + 1]
                    named = self.sees_kind("name") and after[0] == "operator" and after[1] == ":"
                    names.append(self.expect_kind("name") if named else None)
                    if named:
                        self.expect(":")
                    arguments.append(self.expression())
                    if not self.sees(")"):
                        self.expect(",")
                value = tree.Call(line, value, arguments, names)
            elif self.take("["):
                value = tree.Index(line, value, self.expression())
                self.expect("]")
            elif self.take("."):
                value = tree.Attribute(line, value, self.name())
            elif self.take("?"):
                value = tree.Try(line, value)
            else:
                break
        return value

    def atom(self) -> Node:
        kind, word, line = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return tree.Number(line, int(word, 0) if word.startswith("0x") else int(word))
        if kind == "real":
            return tree.Real(line, float(word))
        if kind == "text":
            return tree.Text(line, self.interpolated(word[1:-1], line))
        if kind == "name":
            if word in ("true", "false"):
                return tree.Bool(line, word == "true")
            if word == "nil":
                return tree.Nil(line)
            if word not in WORDS:
                return tree.Name(line, word)
        elif word == "(":
            value = self.expression()
            self.expect(")")
            return value
        elif word == "[":
            items = []
            while not self.take("]"):
                items.append(self.expression())
                if not self.sees("]"):
                    self.expect(",")
            return tree.List(line, items)
        elif word == "\\":
            parameters = []
            while not self.take(":"):
                parameters.append(self.name())
                if not self.sees(":"):
                    self.expect(",")
            return tree.Closure(line, parameters, self.expression())
        elif word == "&":
            if self.expect_kind("name") != "mut":
                raise self.fault("expected '&mut'")
            return tree.Reference(line, self.name())
        self.at -= 1
        raise self.fault(f"expected an expression, found {self.found()}")

    def interpolated(self, text: str, line: int) -> list[str | Node]:
        parts: list[str | Node] = []
        plain = ""
        at = 0
        while at < len(text):
            letter = text[at]
            if letter == "\\":
                if text[at + 1] not in ESCAPES:
                    raise SyntaxFault(self.path, line, f"unknown escape \\{text[at + 1]}")
                plain += ESCAPES[text[at + 1]]
                at += 2
            elif letter == "{":
                end = text.find("}", at)
                if end < 0:
                    raise SyntaxFault(self.path, line, "a '{' without '}' in a text")
                if plain:
                    parts.append(plain)
                    plain = ""
                inner = _Parser(tokens(text[at + 1 : end].strip(), self.path), self.path)
                value = inner.expression()
                inner.expect_kind("newline")
                parts.append(value)
                at = end + 1
            elif letter == "}":
                raise SyntaxFault(self.path, line, "a '}' without '{' in a text")
            else:
                plain += letter
                at += 1
        if plain or not parts:
            parts.append(plain)
        return parts
