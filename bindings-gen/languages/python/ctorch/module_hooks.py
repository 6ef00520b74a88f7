"""Hooks of modules as Python writes them, as the callbacks that C calls; and the hooks for all modules."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from . import raw
from .hooks import RemovableHook
from .values import from_value


class IncompatibleKeys(tuple):
    """What load_state_dict found: `missing_keys` and `unexpected_keys`."""

    __slots__ = ()
    missing_keys = property(lambda self: self[0])
    unexpected_keys = property(lambda self: self[1])

    def __repr__(self) -> str:
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


# Of calls and gradients


def before(hook: Callable[..., Any], with_kwargs: bool) -> Callable[..., Any]:
    def call(module: Any, args: Any, kwargs: Any) -> Any:
        given = (from_value(args), from_value(kwargs)) if with_kwargs else (from_value(args),)
        return hook(module, *given)

    return call


def after(hook: Callable[..., Any], with_kwargs: bool) -> Callable[..., Any]:
    def call(module: Any, args: Any, kwargs: Any, output: Any) -> Any:
        given = (from_value(args), from_value(kwargs)) if with_kwargs else (from_value(args),)
        return hook(module, *given, from_value(output))

    return call


def of_gradients(hook: Callable[..., Any]) -> Callable[..., Any]:
    def call(module: Any, *gradients: Any) -> Any:
        return hook(module, *map(tuple, gradients))

    return call


# Of states


def before_state(hook: Callable[..., Any]) -> Callable[..., Any]:
    return lambda module, prefix, keep_vars: hook(module, prefix, bool(keep_vars))


def after_state(hook: Callable[..., Any]) -> Callable[..., Any]:
    def call(module: Any, state_dict: Any, prefix: str, metadata: Any) -> None:
        state, local = OrderedDict(from_value(state_dict)), from_value(metadata)
        if hook(module, state, prefix, local) is not None:
            raise RuntimeError("state_dict post-hook must return None")
        _put_entries(state_dict, state)
        _put_entries(metadata, local)

    return call


def before_loading(hook: Callable[..., Any]) -> Callable[..., Any]:
    def call(module: Any, state_dict: Any, prefix: str, version: int, missing: Any, unexpected: Any) -> None:
        state, errors = from_value(state_dict), []
        keys = from_value(missing), from_value(unexpected)
        local = {} if version < 0 else {"version": version}
        hook(module, state, prefix, local, True, *keys, errors)  # which Python calls strict in any case
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t" + "\n\t".join(errors))
        _put_entries(state_dict, state)
        _put_elements(missing, keys[0])
        _put_elements(unexpected, keys[1])

    return call


def after_loading(hook: Callable[..., Any]) -> Callable[..., Any]:
    def call(module: Any, missing: Any, unexpected: Any) -> None:
        keys = IncompatibleKeys([from_value(missing), from_value(unexpected)])
        hook(module, keys)
        _put_elements(missing, keys[0])
        _put_elements(unexpected, keys[1])

    return call


def _put_entries(value: Any, entries: dict[Any, Any]) -> None:
    raw.value_clear(value)
    for key, entry in entries.items():
        raw.value_dict_put(value, key, entry)


def _put_elements(value: Any, elements: list[Any]) -> None:
    raw.value_clear(value)
    for element in elements:
        raw.value_list_append(value, element)


# For all modules, as in torch.nn.modules.module


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHook:
    """Call `hook(module, args)` before the forward of any module; what it returns replaces the arguments."""
    return RemovableHook(raw.module_hooks_register_global_forward_pre_hook(before(hook, False), False))


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHook:
    """Call `hook(module, args, output)` after the forward of any module; what it returns replaces the output."""
    return RemovableHook(raw.module_hooks_register_global_forward_hook(after(hook, with_kwargs), always_call))


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHook:
    """Call `hook(module, grad_output)` when the gradients of the output of any module are there."""
    return RemovableHook(raw.module_hooks_register_global_backward_pre_hook(of_gradients(hook)))


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHook:
    """Call `hook(module, grad_input, grad_output)` when the gradients of the input of any module are there."""
    return RemovableHook(raw.module_hooks_register_global_backward_hook(of_gradients(hook)))
