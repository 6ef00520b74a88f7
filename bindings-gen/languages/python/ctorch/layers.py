"""The classes of torch.nn, each around the function of C's that makes one."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from . import raw
from .containers import ModuleDictBase, ModuleListBase, ParameterDictBase, ParameterListBase, SequentialBase
from .errors import Error
from .module_objects import adopt, classes
from .modules import Module, derive
from .values import from_value

CONTAINERS: dict[str, Any] = {
    "Sequential": SequentialBase,
    "ModuleList": ModuleListBase,
    "ModuleDict": ModuleDictBase,
    "ParameterList": ParameterListBase,
    "ParameterDict": ParameterDictBase,
}


def layer(name: str, make: Callable[..., Any], one: bool) -> type[Module]:
    """The class of a layer.

    `make` makes one, and what it takes is what the class takes; `one` says that the layer takes and gives one tensor.
    """
    taken = inspect.signature(getattr(make, "default", make)).parameters
    one = one and name not in CONTAINERS and "return_indices" not in taken
    members: dict[str, Any] = {
        "forward": forward_of_class,
        "_one": one,
        "_is_layer": True,
        "_is_lazy": name.startswith("Lazy"),
    }
    members |= {"__doc__": make.__doc__, "__module__": "ctorch.nn", "__qualname__": name}
    base = CONTAINERS.get(name, Module)
    members["__init__"] = _container(make) if name in CONTAINERS else _constructor(name, make, taken)
    if hasattr(make, "from_pretrained"):
        members["from_pretrained"] = classmethod(_from_pretrained(make.from_pretrained))
    classes[name] = made = type(name, (base,), members)
    return made


def forward_of_class(self: Module, *args: Any, **kwargs: Any) -> Any:
    """What the layer computes, without its hooks."""
    return from_value(raw.module_forward_of_class(self, args, kwargs))


def _constructor(name: str, make: Callable[..., Any], taken: Mapping[str, inspect.Parameter]) -> Callable[..., None]:
    functions = [getattr(make, name) for name in make.overloads() if name != "from_pretrained"]
    by_position = min(function.__code__.co_argcount for function in functions)
    floats = _floats(make, taken)

    def __init__(self: Module, *args: Any, **kwargs: Any) -> None:
        named = dict(zip(taken, args))
        if len(named) < len(args) or named.keys() & kwargs.keys():
            named = {}  # which `make` refuses
        else:
            if len(args) > by_position and len(functions) > 1:
                # An overload takes by name what the class takes by position: BatchNorm1d(10, 1e-3, None).
                kwargs = {key: named[key] for key in [*named][by_position:]} | kwargs
                args = args[:by_position]
            named |= kwargs
        made = None
        if any(type(named.get(key)) is int for key in floats):  # printed as they are given: Softplus(beta=2)
            with contextlib.suppress(Error):  # an error comes from `make`
                made = raw.nn_create(name, None, named)
        adopt(self, (make(*args, **kwargs) if made is None else made)._module)
        derive(self)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    __init__.__signature__ = inspect.Signature([own, *taken.values()])  # type: ignore[attr-defined]
    return __init__


def _floats(make: Callable[..., Any], taken: Mapping[str, inspect.Parameter]) -> list[str]:
    """The arguments that are floats, by the schema in the documentation."""
    schema = (getattr(make, "default", make).__doc__ or "").strip().rpartition("\n\n")[2]
    return [name for name in taken if re.search(rf"\bfloat\??\s+{name}\b", schema)]


def _container(make: Callable[..., Any]) -> Callable[..., None]:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        adopt(self, (make([]) if isinstance(self, ParameterListBase) else make())._module)
        derive(self)
        self._fill(*args, **kwargs)

    return __init__


def _from_pretrained(make: Callable[..., Any]) -> Callable[..., Module]:
    def from_pretrained(cls: type[Module], *args: Any, **kwargs: Any) -> Module:
        made = cls.__new__(cls)
        adopt(made, make(*args, **kwargs)._module)
        derive(made)
        return made

    from_pretrained.__doc__ = make.__doc__
    return from_pretrained
