"""Looks in files of the subset for what a compiler of Simple would refuse, and for what its runtime would let pass.

Grammar and indentation are the parser's. Here: every name is declared or imported, once; a call has the arguments that
the declaration asks for, of its types; every path of a function that returns something ends in a value of that type;
`val`s and parameters are not assigned to; an extern function is called in an `unsafe` block only (an unknown symbol is
nil at run time, silently); a Result is looked at; no name is a reserved word.
"""

from __future__ import annotations

from . import tree
from .bodies import BUILTINS, RESERVED, Body, Names


def check(files: dict[str, tree.File], only: str | None = None) -> list[str]:
    """Complaints about modules by name, as `path:line: text`, in the order of the files; about one if it is named."""
    types: dict[str, tree.Class | tree.Enum] = {}
    modules = {name: _Module(name, file, types) for name, file in files.items()}
    complaints: list[str] = []
    for module in modules.values():
        module.declare(complaints)
    for module in modules.values():
        module.import_(modules, complaints)
    for module in modules.values():
        if only in (None, module.name):
            module.check(complaints)
    return complaints


class _Module(Names):
    def declare(self, complaints: list[str]) -> None:
        for item in self.file.items:
            if not isinstance(item, (tree.Function, tree.Class, tree.Enum, tree.Let)):
                continue
            if item.name in self.own or item.name in BUILTINS:
                self.complain(complaints, item.line, f"{item.name} is declared twice")
            if item.name in RESERVED:
                self.complain(complaints, item.line, f"{item.name} is a reserved word")
            self.own[item.name] = item
            if isinstance(item, (tree.Class, tree.Enum)):
                if self.types.setdefault(item.name, item) is not item:
                    self.complain(complaints, item.line, f"another module has a type {item.name} too")
        self.names = dict(self.own)

    def import_(self, modules: dict[str, _Module], complaints: list[str]) -> None:
        for item in self.file.items:
            if not isinstance(item, tree.Use):
                continue
            module = modules.get(item.module)
            if module is None:
                self.complain(complaints, item.line, f"no module {item.module}")
                continue
            if not item.names and not item.everything:
                self.names[item.module.rsplit(".")[-1]] = module
                continue
            available = {**module.own, **module.exports}
            for name in item.names or available:
                if name not in available:
                    self.complain(complaints, item.line, f"{item.module} has no {name}")
                    continue
                if name in self.names and self.names[name] is not available[name]:
                    self.complain(complaints, item.line, f"{name} is declared twice")
                self.names[name] = available[name]
                if item.exported:
                    self.exports[name] = available[name]

    def check(self, complaints: list[str]) -> None:
        for item in self.file.items:
            if isinstance(item, tree.Export):
                for name in item.names:
                    if self.look_up(name) is None:
                        self.complain(complaints, item.line, f"{name} is exported and not declared")
            elif isinstance(item, tree.Function):
                Body(self, complaints).function(item)
            elif isinstance(item, tree.Class):
                self._class(item, complaints)
            elif isinstance(item, tree.Enum):
                for types in item.variants.values():
                    for type_ in types:
                        Body(self, complaints).known(type_, item.line)
            elif isinstance(item, tree.Let):
                Body(self, complaints).let(item)
        for item in self.file.items:
            if isinstance(item, tree.Use) and not item.exported:
                for name in item.names:
                    if name not in self.used:
                        self.complain(complaints, item.line, f"{name} is imported and not used")

    def _class(self, node: tree.Class, complaints: list[str]) -> None:
        seen = set()
        body = Body(self, complaints)
        for member in (*node.fields, *node.methods):
            if member.name in seen:
                self.complain(complaints, member.line, f"{node.name}.{member.name} is declared twice")
            seen.add(member.name)
        for field in node.fields:
            body.known(field.type, field.line)
            if field.name in RESERVED:
                self.complain(complaints, field.line, f"{field.name} is a reserved word")
        for method in node.methods:
            Body(self, complaints).function(method)
