"""torchvision's models on ctorch: its source files, run with `torch` standing for ctorch."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import types
from pathlib import Path
from typing import Any

import torch

from tests.harness.vision import torchvision
from tests.nn.test_nn import ctorch


def unchanged(function, *_):
    return function


class Stand:
    """ctorch under the name of torch, with what of torch says nothing here: decorators of TorchScript and FX."""

    jit = types.SimpleNamespace(
        is_scripting=lambda: False, is_tracing=lambda: False, unused=unchanged, ignore=unchanged, export=unchanged,
        _overload_method=unchanged, annotate=lambda _, value: value,
    )  # fmt: skip
    _C = types.SimpleNamespace(_log_api_usage_once=lambda *_: None)
    fx = types.SimpleNamespace(wrap=unchanged)
    utils = types.SimpleNamespace(checkpoint=types.SimpleNamespace(checkpoint=None))
    _assert = staticmethod(unchanged)

    @staticmethod
    def meshgrid(*tensors: Any, indexing: str = "ij") -> Any:
        given = tensors[0] if isinstance(tensors[0], (list, tuple)) else tensors
        return ctorch.aten.meshgrid(given, indexing=indexing)

    @staticmethod
    def einsum(equation: str, *tensors: Any) -> Any:
        return ctorch.aten.einsum(equation, tensors)

    def __getattr__(self, name: str) -> Any:
        return getattr(ctorch, name)


STAND = Stand()
# Parts of torchvision that make modules; everything else of it is Python's own.
PARTS = ("torchvision.models.", "torchvision.ops.misc", "torchvision.ops.stochastic_depth")
API = "torchvision.models._api"
OWN = (API, "torchvision.models._meta", "torchvision.models._utils")
loaded: dict[str, types.ModuleType] = {}


class Api(types.ModuleType):
    """torchvision.models._api without the registration, which has each model already."""

    def __getattr__(self, name: str) -> Any:
        if name == "register_model":
            return lambda name=None: unchanged
        return getattr(importlib.import_module(self.__name__), name)


class Ops(types.ModuleType):
    """torchvision.ops with the modules of its parts."""

    def __getattr__(self, name: str) -> Any:
        parts = (load(part) for part in PARTS if not part.endswith("."))
        return next((getattr(part, name) for part in parts if hasattr(part, name)), None)


def load(name: str) -> types.ModuleType:
    if name not in loaded:
        spec = importlib.util.find_spec(name)
        module = types.ModuleType(name)
        module.__package__ = name.rpartition(".")[0]
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": import_for_ctorch}
        loaded[name] = module
        # A class looks itself up by its module's name where it has fields or annotations.
        source = Path(spec.origin).read_text()
        exec(compile(source, spec.origin, "exec"), module.__dict__)
    return loaded[name]


def stand_in(name: str) -> Any:
    found = STAND
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def import_for_ctorch(name, globals=None, locals=None, fromlist=(), level=0):
    if level:
        name = importlib.util.resolve_name("." * level + name, globals["__package__"])
    if name == "torch" or name.startswith("torch."):
        return stand_in(name) if fromlist or "." not in name else STAND
    if name == "torchvision.ops":
        return Ops(name)
    if name.startswith(PARTS) and name not in OWN:
        return load(name)
    if name == API:
        return Api(API)
    if level:
        return importlib.import_module(name)
    return builtins.__import__(name, globals, locals, fromlist)


def builder(t, name: str):
    """The function that builds a model, for torch or ctorch."""
    models = torchvision("models")
    wanted = models.get_model_builder(name)
    if t is torch:
        return wanted
    return getattr(load(wanted.__module__), wanted.__name__)
