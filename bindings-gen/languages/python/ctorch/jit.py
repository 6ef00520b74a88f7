"""TorchScript, by the names of `torch.jit`: modules that are programs, in one file with their weights.

model = ctorch.jit.load("model.pt")
y = model(x)                                    # x: a ctorch.Tensor
ctorch.jit.save(model.eval(), "again.pt")

traced = ctorch.jit.trace(net, (x,))            # of a ctorch.nn.Module or a function of tensors
traced.save("net.pt")                           # torch.jit.load("net.pt") runs and trains it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import objects, raw
from .module_hooks import IncompatibleKeys
from .modules import Module
from .plain_data import device as Device
from .plain_data import dtype as Dtype
from .streams import reading, writing
from .tensor import Tensor
from .values import from_value, to_value

ExtraFiles = Mapping[str, str | bytes]


class ScriptModule(objects.JitModule):
    """A module of TorchScript. What it has, parameters, modules and methods, are attributes of it."""

    __slots__ = ()

    def __init__(self, made: objects.JitModule) -> None:
        self._jit_module = made._jit_module

    # Calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("forward", args, kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("forward", args, kwargs)

    def _call(self, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return from_value(raw.jit_module_call(self, method, list(args), kwargs or None))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_jit"):
            raise AttributeError(name)
        if raw.jit_module_has_method(self, name):
            return lambda *args, **kwargs: self._call(name, args, kwargs)
        try:
            return ScriptModule(raw.jit_module_get_module(self, name))
        except IndexError:
            pass
        try:
            return from_value(raw.jit_module_get_attribute(self, name))
        except IndexError:
            raise AttributeError(f"{self.original_name} has no attribute '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_jit"):
            super().__setattr__(name, value)
        else:
            raw.jit_module_set_attribute(self, name, value)

    def set_attribute(self, name: str, value: Any) -> None:
        """Give an attribute, parameter or buffer another value; the name may be dotted."""
        raw.jit_module_set_attribute(self, name, value)

    # What is in it

    @property
    def original_name(self) -> str:
        """The name of its class."""
        return str(raw.jit_module_name(self)).rpartition(".")[2]

    @property
    def training(self) -> bool:
        return raw.jit_module_is_training(self)

    def named_parameters(self, recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        return iter(from_value(raw.jit_module_named_parameters(self, recurse)).items())

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        return (tensor for _, tensor in self.named_parameters(recurse))

    def named_buffers(self, recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        return iter(from_value(raw.jit_module_named_buffers(self, recurse)).items())

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        return (tensor for _, tensor in self.named_buffers(recurse))

    def named_modules(self) -> Iterator[tuple[str, ScriptModule]]:
        yield "", self
        for name in from_value(raw.jit_module_module_names(self, True)):
            yield name, self.get_submodule(name)

    def modules(self) -> Iterator[ScriptModule]:
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, ScriptModule]]:
        return ((name, self.get_submodule(name)) for name in from_value(raw.jit_module_module_names(self, False)))

    def children(self) -> Iterator[ScriptModule]:
        return (module for _, module in self.named_children())

    def state_dict(self) -> dict[str, Tensor]:
        """The parameters and buffers, which share their memory with the module's, without their graphs."""
        tensors = dict(self.named_parameters(False)) | dict(self.named_buffers(False))
        for child, module in self.named_children():
            tensors |= {f"{child}.{name}": tensor for name, tensor in module.state_dict().items()}
        return {name: tensor.detach() for name, tensor in tensors.items()}

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Copy the values of a state dict; tells which keys were missing and unexpected."""
        own = self.state_dict()
        missing, unexpected = [key for key in own if key not in state_dict], [k for k in state_dict if k not in own]
        wrong = [
            f"size mismatch for {key}: {state_dict[key].shape} in the state dict, {tensor.shape} in the module"
            for key, tensor in own.items()
            if key in state_dict and tuple(state_dict[key].shape) != tuple(tensor.shape)
        ]
        if strict:
            wrong += [f"missing key: {key}" for key in missing] + [f"unexpected key: {key}" for key in unexpected]
        if wrong:
            raise RuntimeError(f"Error(s) in loading state_dict for {self.original_name}:\n\t" + "\n\t".join(wrong))
        for key, tensor in own.items():
            if key in state_dict:
                tensor.copy_(state_dict[key])
        return IncompatibleKeys((missing, unexpected))

    def get_submodule(self, target: str) -> ScriptModule:
        return ScriptModule(raw.jit_module_get_module(self, target)) if target else self

    def method_names(self) -> list[str]:
        return from_value(raw.jit_module_method_names(self))

    @property
    def code(self) -> str:
        """The source of forward."""
        return str(raw.jit_module_code(self, None))

    @property
    def graph(self) -> str:
        """The graph of forward, as a text."""
        return str(raw.jit_module_graph(self, None, False))

    @property
    def inlined_graph(self) -> str:
        return str(raw.jit_module_graph(self, None, True))

    def schema(self, method: str = "forward") -> str:
        """A method's parameters and results."""
        return str(raw.jit_module_schema(self, method))

    # Changing it

    def define(self, source: str) -> None:
        """Add methods."""
        raw.jit_module_define(self, source)

    def train(self, mode: bool = True) -> ScriptModule:
        raw.jit_module_train(self, mode)
        return self

    def eval(self) -> ScriptModule:
        return self.train(False)

    def to(
        self, device: str | Device | None = None, dtype: Dtype | None = None, non_blocking: bool = False
    ) -> ScriptModule:
        raw.jit_module_to(self, device, dtype, non_blocking)
        return self

    def copy(self) -> ScriptModule:
        """A copy with tensors of its own."""
        return ScriptModule(raw.jit_module_copy(self))

    def save(self, f: Any, _extra_files: ExtraFiles | None = None) -> None:
        save(self, f, _extra_files)

    def __repr__(self) -> str:
        return f"ScriptModule(original_name={self.original_name})"


def load(f: Any, map_location: str | Device | None = None, _extra_files: dict[str, Any] | None = None) -> ScriptModule:
    """Read a module from a path, a stream or bytes. The files beside it that `_extra_files` names are put there."""
    with reading(f) as file:
        module = ScriptModule(raw.jit_load(file, map_location))
        if _extra_files:
            found = from_value(raw.jit_extra_files(file))
            _extra_files.update({name: found[name] for name in _extra_files if name in found})
    return module


def save(m: ScriptModule, f: Any, _extra_files: ExtraFiles | None = None) -> None:
    """Write a module to a path or a stream, with files beside it."""
    with writing(f) as file:
        raw.jit_save_with_extra_files(m, file, dict(_extra_files or {}))


def compile(source: str) -> ScriptModule:  # noqa: A001
    """A module whose methods are the functions of a source text (`torch.jit.CompilationUnit`)."""
    return ScriptModule(raw.jit_compile(source))


def trace(
    func: Module | Callable[..., Any],
    example_inputs: Tensor | Sequence[Any],
    *,
    check_trace: bool = True,
    check_inputs: Sequence[Sequence[Any]] = (),
    check_tolerance: float = 1e-5,
) -> ScriptModule:
    """Run a module or a function once with these inputs, and keep the operators that it calls on tensors.

    With `check_trace` what came out is compared with it: on these inputs, and on each of `check_inputs`.
    """
    inputs = _inputs(example_inputs)
    is_module = isinstance(func, Module)
    traced = ScriptModule(raw.jit_trace_module(func, inputs) if is_module else raw.jit_trace(_noted(func), inputs))
    for given in ([inputs] if check_trace else []) + [_inputs(other) for other in check_inputs]:
        if is_module:
            raw.jit_check_trace_module(traced, func, given, check_tolerance, check_tolerance)
        else:
            raw.jit_check_trace(traced, None, _noted(func), given, check_tolerance, check_tolerance)
    return traced


def freeze(mod: ScriptModule, preserved_attrs: Sequence[str] = (), optimize_numerics: bool = True) -> ScriptModule:
    """A module whose attributes have become constants."""
    return ScriptModule(raw.jit_module_freeze(mod, list(preserved_attrs), optimize_numerics))


def optimize_for_inference(mod: ScriptModule, other_methods: Sequence[str] = ()) -> ScriptModule:
    """A frozen module that is made faster for this machine."""
    return ScriptModule(raw.jit_module_optimize_for_inference(mod, list(other_methods)))


def _inputs(given: Any) -> list[Any]:
    return [given] if isinstance(given, Tensor) else list(given)


def _noted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as C calls it: a list of values to one."""
    return lambda args: [to_value(function(*(from_value(arg) for arg in args)))]


__all__ = ["ScriptModule", "compile", "freeze", "load", "optimize_for_inference", "save", "trace"]
