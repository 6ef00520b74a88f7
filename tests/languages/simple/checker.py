"""Looks in files of the subset for what a compiler of Simple would refuse, and for what its runtime would let pass.

Grammar and indentation are the parser's. Here: every name is declared or imported, once; a call has the arguments that
the declaration asks for, of its types; every path of a function that returns something ends in a value of that type;
`val`s and parameters are not assigned to; an extern function is called in an `unsafe` block only (an unknown symbol is
nil at run time, silently); a Result is looked at; no name is a reserved word.
"""

from __future__ import annotations

from . import tree
from .bodies import BUILTINS, FLAT, RESERVED, Body, Names


def check(files: dict[str, tree.File], only: str | None = None) -> list[str]:
    """Complaints about modules by name, as `path:line: text`, in the order of the files; about one if it is named."""
    types: dict[str, tree.Class | tree.Enum] = {}
    modules = {name: _Module(name, file, types) for name, file in files.items()}
    for module in modules.values():
        module.modules = modules
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
        self.visible = {n for i in self.file.items if isinstance(i, tree.Export) for n in i.names}

    def flat(self, item: tree.Function, complaints: list[str]) -> None:
        """The interpreter looks among its own functions first, then in one table for all modules of the program."""
        if item.name in FLAT:
            self.complain(complaints, item.line, f"{item.name} is a function of the interpreter, which comes first")
        if item.kind != "extern":
            for other in self.closure():
                if isinstance(other.own.get(item.name), tree.Function):
                    self.complain(complaints, item.line, f"{item.name} is a function of {other.name} too: one table")

    def has_function(self, name: str) -> bool:
        return any(isinstance(m.own.get(name), tree.Function) for m in (self, *self.closure()))

    def closure(self) -> list[_Module]:
        """The other modules that come with this one."""
        found: dict[str, _Module] = {self.name: self}
        waiting = [self]
        while waiting:
            for item in waiting.pop().file.items:
                name = item.module if isinstance(item, tree.Use) else None
                if name in self.modules and name not in found:
                    found[name] = self.modules[name]
                    waiting.append(found[name])
        return [m for m in found.values() if m is not self]

    def import_(self, modules: dict[str, _Module], complaints: list[str]) -> None:
        for item in self.file.items:
            if not isinstance(item, tree.Use):
                continue
            module = modules.get(item.module)
            if module is None:
                self.complain(complaints, item.line, f"no module {item.module}")
                continue
            if not item.names and not item.everything:
                self.complain(complaints, item.line, f"use {item.module}: name what is imported, in braces")
                continue
            available = {n: d for n, d in {**module.own, **module.exports}.items() if n in module.visible}
            for name in item.names or available:
                if name in module.own and name not in available:
                    self.complain(complaints, item.line, f"{item.module} does not export {name}")
                    continue
                if name not in available:
                    self.complain(complaints, item.line, f"{item.module} has no {name}")
                    continue
                if name in self.names and self.names[name] is not available[name]:
                    self.complain(complaints, item.line, f"{name} is declared twice")
                self.names[name] = available[name]
                if item.exported:
                    self.exports[name] = available[name]
                    self.visible.add(name)

    def check(self, complaints: list[str]) -> None:
        for item in self.file.items:
            if isinstance(item, tree.Mod):
                if f"{self.name}.{item.name}" not in self.modules:
                    self.complain(complaints, item.line, f"no module {self.name}.{item.name}")
            elif isinstance(item, tree.Export):
                for name in item.names:
                    if self.look_up(name) is None:
                        self.complain(complaints, item.line, f"{name} is exported and not declared")
            elif isinstance(item, tree.Function):
                self.flat(item, complaints)
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
