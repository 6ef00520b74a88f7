"""Modules: layers, networks of them, and classes of your own, as torch.nn.Module has them.

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 32, 3, padding=1)
            self.scale = nn.Parameter(ctorch.ones(32, 1, 1))

        def forward(self, x):
            return ctorch.relu(self.conv(x)) * self.scale

What a module holds stands in C, where a class of your own is a module like any other: it may be part of a
`nn.Sequential`, be copied, printed, saved and loaded. The Python object of such a module lives as long as something in
Python needs it, or the object of a module around it.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from weakref import ref

from . import module_hooks, objects, raw
from .constants import ModuleMemberKind as Kind
from .constants import bfloat16, float16, float32, float64
from .hooks import RemovableHook
from .module_hooks import IncompatibleKeys
from .module_objects import adopt, become_all, classes, copies, lazy
from .parameters import Buffer, Parameter, parameter_of
from .plain_data import device as device_
from .plain_data import dtype as dtype_
from .plain_data import memory_format as memory_format_
from .tensor import Tensor
from .values import from_value


class Module(objects.Module):
    """What every layer is, and what a class of your own is derived from.

    Parameters, modules and buffers that are assigned to attributes become part of the module; `forward` says what it
    computes. Such a class may also have `extra_repr`, `__repr__`, `reset_parameters`, `get_extra_state` and
    `set_extra_state`, and `right_inverse` as a parametrization.
    """

    _one = False  # takes and gives one tensor, as C knows
    _is_lazy = False  # becomes another class when it is first called

    def __init__(self) -> None:
        _begin(self)

    # What it computes

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes. A class of your own has its own forward."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            if self._one and len(args) == 1 and not kwargs and isinstance(args[0], Tensor):
                return raw.module_forward(self, args[0])
            result = from_value(raw.module_call(self, args, kwargs))
            if args and type(args[0]).__name__ == "PackedSequence" and type(result) is tuple:  # a recurrent module
                return (type(args[0])(*result[0]), *result[1:])
            return result
        finally:
            if lazy:
                become_all()

    # Attributes

    def __getattr__(self, name: str) -> Any:
        if name in ("_module", "_held"):
            if self.__dict__.get("_closed"):
                raise AttributeError(f"this {type(self).__name__} was closed")
            raise AttributeError(f"cannot use a {type(self).__name__} before Module.__init__() was called")
        kind = _kind(self, name)
        if kind == Kind.NOTHING:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if kind == Kind.MODULE:
            return _found(raw.module_get_submodule, self, name)
        if kind == Kind.PARAMETER:
            return parameter_of(_found(raw.module_get_parameter, self, name))
        if kind == Kind.COMPUTED:
            return raw.module_get_tensor(self, name)
        if kind == Kind.OPTION:
            return from_value(raw.module_get_option(self, name))
        return _found(raw.module_get_buffer, self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Tensor) and "_held" in self.__dict__ and _kind(self, name) == Kind.COMPUTED:
            raw.module_set_parametrized(self, name, value)
        elif isinstance(value, (Parameter, objects.Module)) and name not in ("training", "_module", "_held"):
            self._forget(name, Kind.PARAMETER if isinstance(value, Parameter) else Kind.MODULE)
            register = self.register_parameter if isinstance(value, Parameter) else self.register_module
            register(name, value)
        elif isinstance(value, Buffer) and _kind(self, name) in (Kind.BUFFER, Kind.TRANSIENT_BUFFER):
            raw.module_register_buffer(self, name, value, value.persistent)
        elif isinstance(value, Buffer) and _kind(self, name) == Kind.NOTHING:
            self.register_buffer(name, value, value.persistent)
        elif name == "training" or name in self.__dict__:
            object.__setattr__(self, name, value)
        else:
            self._set_other(name, value)

    def _forget(self, name: str, kind: int) -> None:
        """Make room for a member of this kind: `self.downsample = None` may have stood there before."""
        registered = _kind(self, name)  # refuses an object whose Module.__init__() was not called
        if registered == Kind.COMPUTED:
            raise TypeError(f"cannot assign a module as '{name}', which is computed")
        if (registered, kind) == (Kind.PARAMETER, Kind.MODULE):
            raise TypeError(f"cannot assign a module as parameter '{name}' (Parameter or None expected)")
        self.__dict__.pop(name, None)
        if registered not in (Kind.NOTHING, Kind.OPTION, kind):
            self._held.pop(name, None)
            raw.module_unregister(self, name)

    def _set_other(self, name: str, value: Any) -> None:
        """None for what is registered, a tensor for a buffer, an option; anything else is the object's attribute."""
        kind = Kind.NOTHING if "_held" not in self.__dict__ else _kind(self, name)
        if kind == Kind.NOTHING:
            object.__setattr__(self, name, value)
        elif kind == Kind.OPTION:
            raw.module_set_option(self, name, value)
        elif kind == Kind.PARAMETER:
            if value is not None:
                raise TypeError(f"cannot assign '{_named(value)}' as parameter '{name}' (Parameter or None expected)")
            raw.module_register_parameter(self, name, None)
        elif kind == Kind.MODULE:
            if value is not None:
                raise TypeError(f"cannot assign '{_named(value)}' as child module '{name}' (Module or None expected)")
            self.register_module(name, None)
        elif kind != Kind.COMPUTED and (value is None or isinstance(value, Tensor)):
            raw.module_register_buffer(self, name, value, kind == Kind.BUFFER)
        else:
            what = "computed tensor" if kind == Kind.COMPUTED else "buffer"
            raise TypeError(f"cannot assign '{_named(value)}' as {what} '{name}' (Tensor or None expected)")

    def __delattr__(self, name: str) -> None:
        if name == "_module":
            self.__dict__["_closed"] = True
        if name == "_module" or name in self.__dict__ or _kind(self, name) == Kind.NOTHING:
            object.__delattr__(self, name)
        else:
            self._held.pop(name, None)
            raw.module_unregister(self, name)

    def __dir__(self) -> list[str]:
        names = {*super().__dir__()}
        if not self.closed:
            names |= {*dict(self.named_parameters(recurse=False)), *dict(self.named_buffers(recurse=False))}
            names |= {*dict(self.named_children()), *from_value(raw.module_options(self))}
        return sorted(names)

    # What it holds

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Give the module a parameter; None for a name that stands for nothing."""
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{_named(param)}' object to parameter '{name}' (Parameter or None required)"
            )
        _as(KeyError, raw.module_register_parameter, self, name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Give the module a tensor that is no parameter; without `persistent` it is in no state dict."""
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{_named(tensor)}' object to buffer '{name}' (Tensor or None required)")
        if name in self.__dict__ or (hasattr(type(self), name)):
            raise KeyError(f"attribute '{name}' already exists")
        _as(KeyError, raw.module_register_buffer, self, name, tensor, persistent)

    def register_module(self, name: str, module: objects.Module | None) -> None:
        """Put a module inside this one, under a name."""
        if module is not None and not isinstance(module, objects.Module):
            raise TypeError(f"{_named(module)} is not a Module subclass")
        _as(KeyError, raw.module_register_module, self, name, module)
        self._held.pop(name, None)
        if module is not None:
            self._held[name] = module

    add_module = register_module

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their dotted names, in the order in which they were registered."""
        found = raw.module_named_parameters(self, prefix, recurse, remove_duplicate)
        for i in range(raw.named_tensors_len(found)):
            yield raw.named_tensors_name(found, i), parameter_of(raw.named_tensors_get(found, i))  # type: ignore[misc]

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once: what an optimizer is given."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers with their dotted names."""
        found = raw.module_named_buffers(self, prefix, recurse, remove_duplicate)
        for i in range(raw.named_tensors_len(found)):
            yield raw.named_tensors_name(found, i), raw.named_tensors_get(found, i)  # type: ignore[misc]

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules that this one holds itself, with their names."""
        return _named_modules(raw.module_named_children(self))

    def children(self) -> Iterator[Module]:
        """The modules that this one holds itself."""
        return (module for _, module in self.named_children())

    def named_modules(self, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
        """This module and all inside it, with their dotted names."""
        return _named_modules(raw.module_named_modules(self, prefix, remove_duplicate))

    def modules(self) -> Iterator[Module]:
        """This module and all inside it."""
        return (module for _, module in self.named_modules())

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of a dotted name."""
        return parameter_of(_as(AttributeError, raw.module_get_parameter, self, target))  # type: ignore[return-value]

    def get_buffer(self, target: str) -> Tensor:
        """The buffer of a dotted name."""
        return _as(AttributeError, raw.module_get_buffer, self, target)

    def get_submodule(self, target: str) -> Module:
        """The module of a dotted name."""
        return _as(AttributeError, raw.module_get_submodule, self, target)

    def set_submodule(self, target: str, module: objects.Module, strict: bool = False) -> None:
        """Put a module under a dotted name, in the place of the one that is there."""
        _as(AttributeError, raw.module_set_submodule, self, target, module, strict)
        parent, _, name = target.rpartition(".")
        self.get_submodule(parent)._held[name] = module  # type: ignore[assignment]

    # What is done to all of it

    @property
    def training(self) -> bool:
        """Whether the module is in training mode. Assigning changes this module alone: train() and eval() go inside."""
        return raw.module_training(self)

    @training.setter
    def training(self, mode: bool) -> None:
        inside = [(module, module.training) for module in self.modules()][1:]
        raw.module_train(self, mode)
        for module, before in inside:  # a module before those inside it
            raw.module_train(module, before)

    def set_tape(self, most: int = 4, fast: bool = False):
        """Capture calls without gradients and replay them, one tape for each form of the inputs, `most` of them."""
        raw.module_set_tape(self, most, fast)
        return self

    def train(self, mode: bool = True):
        """Put the module, and all inside it, in training mode."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        raw.module_train(self, mode)
        return self

    def eval(self):
        """Put the module, and all inside it, in evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True):
        """Let all parameters require gradients, or none."""
        raw.module_requires_grad_(self, requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters."""
        raw.module_zero_grad(self, set_to_none)

    def to(self, *args: Any, **kwargs: Any):
        """Move all of it to a device, a dtype, or to those of a tensor; parameters stay the objects that they are."""
        options = _to_options(*args, **kwargs)
        raw.module_to(self, *options)
        return self

    def to_empty(self, *, device: Any, recurse: bool = True):
        """Move it to a device without its values."""
        raw.module_to_empty(self, device, recurse)
        return self

    def cpu(self):
        """Move it to the CPU."""
        return self.to("cpu")

    def cuda(self, device: Any = None):
        """Move it to a CUDA device."""
        return self.to(f"cuda:{device}" if isinstance(device, int) else device or "cuda")

    def share_memory(self):
        """Move parameters and buffers to memory that other processes can open."""
        for tensor in (*self.parameters(), *self.buffers()):
            raw.tensor_share_memory(tensor)
        return self

    def type(self, dst_type: dtype_):
        """Cast all parameters and buffers of floating point numbers."""
        return self.to(dst_type)

    def float(self):
        """Cast to float32."""
        return self.to(float32)

    def double(self):
        """Cast to float64."""
        return self.to(float64)

    def half(self):
        """Cast to float16."""
        return self.to(float16)

    def bfloat16(self):
        """Cast to bfloat16."""
        return self.to(bfloat16)

    def apply(self, fn: Callable[[Module], Any]):
        """Call a function with every module inside, and with this one as the last."""
        raw.module_apply(self, fn)
        return self

    def num_parameters(self, trainable: bool = False) -> int:
        """The number of elements of all parameters, or of those that require gradients."""
        return raw.module_num_parameters(self, trainable)

    # State

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> OrderedDict[str, Any]:
        """The parameters and persistent buffers by their dotted names; `_metadata` has the versions."""
        state, metadata = raw.module_state_dict(self, prefix, keep_vars)
        found = OrderedDict(from_value(state))
        found._metadata = OrderedDict(from_value(metadata))  # type: ignore[attr-defined]
        return found

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Take parameters and buffers over from a state dict; tells which keys were missing and unexpected."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        found = raw.module_load_state_dict(
            self, dict(state_dict), None if metadata is None else dict(metadata), strict, assign
        )
        return IncompatibleKeys(from_value(keys) for keys in found)

    # Hooks

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHook:
        """Call `hook(module, args)` before the forward; what it returns replaces the arguments."""
        call = module_hooks.before(hook, with_kwargs)
        return RemovableHook(raw.module_register_forward_pre_hook(self, call, with_kwargs, prepend))

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHook:
        """Call `hook(module, args, output)` after the forward; what it returns replaces the output."""
        call = module_hooks.after(hook, with_kwargs)
        return RemovableHook(raw.module_register_forward_hook(self, call, always_call, prepend))

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHook:
        """Call `hook(module, grad_output)` when the gradients of the output are there."""
        call = module_hooks.of_gradients(hook)
        return RemovableHook(raw.module_register_backward_pre_hook(self, call, prepend))

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHook:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the input are there."""
        call = module_hooks.of_gradients(hook)
        return RemovableHook(raw.module_register_backward_hook(self, call, prepend))

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHook:
        """Call `hook(module, prefix, keep_vars)` before the state dict is made."""
        return RemovableHook(raw.module_register_state_dict_pre_hook(self, module_hooks.before_state(hook)))

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHook:
        """Call `hook(module, state_dict, prefix, local_metadata)` when the state dict is made; it may change both."""
        return RemovableHook(raw.module_register_state_dict_hook(self, module_hooks.after_state(hook)))

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHook:
        """Call `hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`
        before the module takes its state over; what it puts into the lists and the dict is what counts."""
        return RemovableHook(raw.module_register_load_state_dict_pre_hook(self, module_hooks.before_loading(hook)))

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHook:
        """Call `hook(module, incompatible_keys)` after a state dict was loaded; what it takes out is no error."""
        return RemovableHook(raw.module_register_load_state_dict_post_hook(self, module_hooks.after_loading(hook)))

    # Its text, and copies

    def extra_repr(self) -> str:
        """What stands between the parentheses of its text. A class of your own may have its own."""
        return ""

    def __repr__(self) -> str:
        if self.closed:
            return f"<{type(self).__name__} closed>"
        is_own = type(self).__repr__ is not Module.__repr__  # so that this is its `super().__repr__()`
        return str(raw.module_repr_of_class(self) if is_own else raw.module_repr(self))

    def __copy__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} is copied with its tensors: copy.deepcopy(module)")

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        memo[id(self)] = made = raw.module_copy(self)
        return made


classes["Module"] = Module


# How an object stands for a module of C's


def _of(reference: Callable[[], Any], cls: type) -> Any:
    """The object that a callback is about."""
    found = reference()
    if found is None:
        raise RuntimeError(f"the object of this {cls.__name__} is gone: keep it, or one of a module around it")
    return found


def _begin(self: Module) -> None:
    """Make the module in C that an object of a class of one's own stands for."""
    cls, me = type(self), ref(self)

    def found() -> Any:
        return _of(me, cls)

    def call(_: Any, args: Any, kwargs: Any) -> Any:
        return found().forward(*from_value(args), **from_value(kwargs))

    has_forward = cls.forward is not Module.forward
    made = raw.module_new_of_values(cls.__name__, call if has_forward else None)
    adopt(self, made._module)
    _set_texts(self, Module)
    if cls.__repr__ is not Module.__repr__:
        raw.module_set_copied(self, lambda made: _set_texts(made, Module))
    if hasattr(cls, "reset_parameters"):
        raw.module_set_reset_parameters(self, lambda _: found().reset_parameters())
    if hasattr(cls, "right_inverse"):
        raw.module_set_right_inverse(self, lambda _, args, kwargs: found().right_inverse(*from_value(args)))
    if hasattr(cls, "get_extra_state") and hasattr(cls, "set_extra_state"):
        raw.module_set_extra_state(
            self, lambda _: found().get_extra_state(), lambda _, state: found().set_extra_state(from_value(state))
        )
    raw.module_set_copy(self, lambda _: _copy_of(found()))
    _set_version(self)


def derive(self: Module) -> None:
    """Make a layer in C one of a class of one's own, if this object is of one that is derived from the layer's."""
    cls, me = type(self), ref(self)
    layer = next(base for base in cls.__mro__ if base.__dict__.get("_is_layer"))
    if cls is layer or layer._is_lazy:  # which becomes the other layer, whatever its class was
        return

    def call(_: Any, args: Any, kwargs: Any) -> Any:
        return _of(me, cls).forward(*from_value(args), **from_value(kwargs))

    def copied(made: Any) -> None:
        made.__class__ = cls
        for name, value in getattr(me(), "__dict__", {}).items():
            if name not in ("_held", "_module"):
                made.__dict__[name] = copy.deepcopy(value)
        derive(made)
        copies.made.append(made)

    raw.module_set_class_name(self, cls.__name__)
    _set_texts(self, layer)
    if cls.forward is not layer.forward:
        raw.module_set_forward(self, call)
    raw.module_set_copied(self, copied)
    _set_version(self)


def _set_texts(self: Module, base: type[Module]) -> None:
    """Let C ask a class of one's own for its text where it has another than what it is derived from."""
    cls, me = type(self), ref(self)
    if cls.extra_repr is not base.extra_repr:
        raw.module_set_extra_repr(self, lambda _: _of(me, cls).extra_repr())
    if cls.__repr__ is not base.__repr__:
        raw.module_set_repr(self, lambda _: repr(_of(me, cls)))


def _set_version(self: Module) -> None:
    """A class may say which version of its state dict it is."""
    version = getattr(type(self), "_version", None)
    if isinstance(version, int):
        raw.module_set_version(self, version)


def _copy_of(self: Module) -> Module:
    """An object of the same class with copies of its attributes, and a module in C that holds nothing yet."""
    cls = type(self)
    made = cls.__new__(cls)
    for name, value in self.__dict__.items():
        if name not in ("_held", "_module"):
            made.__dict__[name] = copy.deepcopy(value)
    before, copies.made = copies.made, []
    _begin(made)
    copies.made = [*before, made]
    return made


# Small things


def _kind(self: Module, name: str) -> int:
    if "_held" not in self.__dict__:
        raise AttributeError(f"cannot assign parameters, buffers or modules before Module.__init__() call: '{name}'")
    return raw.module_member_kind_of(self, name)


def _found(function: Callable[..., Any], self: Module, name: str) -> Any:
    try:
        return function(self, name)
    except IndexError:  # registered as None
        return None


def _as(kind: type[Exception], function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives; what C calls INDEX is another exception in Python."""
    try:
        return function(*arguments)
    except IndexError as error:
        raise kind(str(error)) from None


def _named_modules(found: Any) -> Iterator[tuple[str, Module]]:
    for i in range(raw.named_modules_len(found)):
        yield raw.named_modules_name(found, i), raw.named_modules_get(found, i)  # type: ignore[misc]


def _named(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")


def _to_options(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool, Any]:
    """device, dtype, non_blocking and memory format of the ways in which Python's `to` is called."""
    options = dict(kwargs)
    tensor = options.pop("tensor", None)
    unknown = options.keys() - {"device", "dtype", "non_blocking", "memory_format"}
    if unknown:
        raise TypeError(f"to() got an unexpected keyword argument '{min(unknown)}'")
    rest = list(args)
    if rest and isinstance(rest[0], Tensor):
        tensor = rest.pop(0)
    elif rest and isinstance(rest[0], dtype_):
        options["dtype"] = rest.pop(0)
    elif rest and (rest[0] is None or isinstance(rest[0], str | int | device_)):
        options["device"] = rest.pop(0)
        if rest and (rest[0] is None or isinstance(rest[0], dtype_)):
            options["dtype"] = rest.pop(0)
    if tensor is not None:
        options["device"], options["dtype"] = tensor.device, tensor.dtype
    if rest and isinstance(rest[0], bool):
        options["non_blocking"] = rest.pop(0)
    if rest:
        raise TypeError(f"to() received an invalid combination of arguments: {', '.join(map(_named, args))}")
    device = options.get("device")
    if isinstance(device, int):
        device = f"cuda:{device}"
    dtype, memory_format = options.get("dtype"), options.get("memory_format")
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")
    if memory_format is not None and not isinstance(memory_format, memory_format_):
        raise TypeError(f"to(): argument 'memory_format' must be memory_format, not {_named(memory_format)}")
    return device, dtype, options.get("non_blocking", False), memory_format
