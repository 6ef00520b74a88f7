"""Modules that hold others, or parameters: torch.nn.Sequential, ModuleList, ModuleDict, ParameterList, …Dict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import objects, raw
from .modules import Module
from .parameters import Parameter
from .tensor import Tensor


def _place(self: Any, index: int) -> int:
    """An index from 0 on, of one that may be counted from the end."""
    if not -len(self) <= index < len(self):
        raise IndexError(f"index {index} is out of range")
    return index + len(self) if index < 0 else index


class ModulesInOrder(Module):
    """What Sequential and ModuleList have in common: the modules "0", "1", …"""

    def _entries(self) -> list[Module]:
        return [self[i] for i in range(len(self))]

    def _hold(self) -> None:
        """The names were counted anew."""
        object.__setattr__(self, "_held", dict(self.named_children()))

    def __len__(self) -> int:
        return raw.module_len(self)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._slice(index)
        return raw.module_at(self, _place(self, index))

    def _slice(self, index: slice) -> Any:
        return type(self)(self._entries()[index])

    def __setitem__(self, index: int, module: objects.Module) -> None:
        self.register_module(self._names()[_place(self, index)], module)

    def __delitem__(self, index: Any) -> None:
        places = range(len(self))[index] if isinstance(index, slice) else [_place(self, index)]
        for place in sorted(places, reverse=True):
            raw.module_remove_at(self, place)
        self._hold()

    def _names(self) -> list[str]:
        """Also of what stands in several places."""
        found = raw.module_named_modules(self, None, False)
        names = [raw.named_modules_name(found, i) for i in range(1, raw.named_modules_len(found))]
        return [name for name in names if name and "." not in name]

    def append(self, module: objects.Module):
        """Add a module at the end."""
        if not isinstance(module, objects.Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        raw.module_append(self, module)
        self._hold()
        return self

    def insert(self, index: int, module: objects.Module):
        """Add a module before another one."""
        if not isinstance(module, objects.Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        raw.module_insert(self, index, module)
        self._hold()
        return self

    def extend(self, modules: Iterable[objects.Module]):
        """Add several modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(f"extend() should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, index: int = -1) -> Any:
        """Take a module out, and give it."""
        module = self[index]
        del self[index]
        return module

    def __iadd__(self, modules: Iterable[objects.Module]) -> Any:
        return self.extend(modules)

    def __add__(self, modules: Iterable[objects.Module]) -> Any:
        return type(self)(*self._arguments([*self, *modules]))

    @staticmethod
    def _arguments(modules: list[Any]) -> tuple[Any, ...]:
        return (modules,)


class SequentialBase(ModulesInOrder):
    """Modules one after another: each takes what the one before gave."""

    def _fill(self, *modules: Any) -> None:
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            for name, module in modules[0].items():
                self.register_module(name, module)
        else:
            for module in modules:
                self.append(module)

    def _slice(self, index: slice) -> Any:
        made = type(self)()
        for name in self._names()[index]:
            made.register_module(name, self.get_submodule(name))
        return made

    @staticmethod
    def _arguments(modules: list[Any]) -> tuple[Any, ...]:
        return tuple(modules)


class ModuleListBase(ModulesInOrder):
    """Modules in a list."""

    def _fill(self, modules: Iterable[Any] | None = None) -> None:
        self.extend(modules or ())


class ModuleDictBase(Module):
    """Modules by name."""

    def _fill(self, modules: Any = None) -> None:
        self.update(modules or {})

    def update(self, modules: Any) -> None:
        """Put modules in: from a mapping, or from pairs of a name and a module."""
        for name, module in list(modules.items() if hasattr(modules, "items") else modules):
            self[name] = module

    def __len__(self) -> int:
        return raw.module_len(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return self.get_submodule(name)

    def __setitem__(self, name: str, module: Any) -> None:
        self.register_module(name, module)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        delattr(self, name)

    def keys(self) -> list[str]:
        """The names."""
        return ModulesInOrder._names(self)  # type: ignore[arg-type]

    def values(self) -> list[Any]:
        """The modules."""
        return [self[name] for name in self.keys()]

    def items(self) -> list[tuple[str, Any]]:
        """The names, each with its module."""
        return [(name, self[name]) for name in self.keys()]

    def pop(self, name: str) -> Any:
        """Take a module out, and give it."""
        module = self[name]
        del self[name]
        return module

    def clear(self) -> None:
        """Take all modules out."""
        for name in self.keys():
            del self[name]


def _parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


class ParameterListBase(Module):
    """Parameters in a list."""

    def _fill(self, values: Iterable[Any] | None = None) -> None:
        self.extend(values or ())

    def __len__(self) -> int:
        return len(raw.module_parameters(self, False))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self.get_parameter(str(_place(self, index)))

    def __setitem__(self, index: int, value: Any) -> None:
        self.register_parameter(str(_place(self, index)), _parameter(value))

    def append(self, value: Any):
        """Add a parameter at the end; a tensor becomes one."""
        self.register_parameter(str(len(self)), _parameter(value))
        return self

    def extend(self, values: Iterable[Any]):
        """Add several parameters at the end."""
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> Any:
        return self.extend(values)


class ParameterDictBase(Module):
    """Parameters by name."""

    def _fill(self, values: Any = None) -> None:
        self.update(values or {})

    def update(self, values: Any) -> None:
        """Put parameters in: from a mapping, or from pairs of a name and a parameter; a tensor becomes one."""
        for name, value in list(values.items() if hasattr(values, "items") else values):
            self[name] = value

    def __len__(self) -> int:
        return len(self.keys())

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return self.get_parameter(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.register_parameter(name, _parameter(value))

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        delattr(self, name)

    def keys(self) -> list[str]:
        """The names."""
        return [name for name, _ in self.named_parameters(recurse=False, remove_duplicate=False)]

    def values(self) -> list[Any]:
        """The parameters."""
        return [self[name] for name in self.keys()]

    def items(self) -> list[tuple[str, Any]]:
        """The names, each with its parameter."""
        return [(name, self[name]) for name in self.keys()]

    def pop(self, name: str) -> Any:
        """Take a parameter out, and give it."""
        value = self[name]
        del self[name]
        return value

    def clear(self) -> None:
        """Take all parameters out."""
        for name in self.keys():
            del self[name]
