"""One custom function, written once in Python, as torch.autograd.Function and as ctorch_autograd_function.

A scenario gets an implementation, TORCH or CTORCH, and makes functions with it:

    cube = implementation.function("Cube", forward, backward)
    y = cube.apply(x)

forward, backward and jvp look as in a torch.autograd.Function. With CTORCH they are C callbacks, their `ctx` speaks to
a ctorch_autograd_context, and implementation.backward() is ctorch_tensor_backward.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import torch

from tests.harness.capi import OK, CtorchError, borrowed, error, ffi, handle, handles, lib, ok, out, tensor
from tests.harness.exceptions import EXCEPTIONS

Tensors = tuple[torch.Tensor | None, ...]


def kind_of(exception: Exception) -> str:
    """The code by which an exception travels through C."""
    if isinstance(exception, CtorchError):
        return exception.kind
    return next((EXCEPTIONS[c.__name__] for c in type(exception).__mro__ if c.__name__ in EXCEPTIONS), "UNKNOWN")


def message_of(exception: Exception) -> str:
    """The message; ctorch's own begin with the name of the function that failed, which Python's do not."""
    if isinstance(exception, CtorchError):
        return exception.message.removeprefix(f"{exception.function}: ")
    return str(exception)


def attempt(action: Callable[[], Any]) -> Any:
    """What the action returns, or kind and message of its failure."""
    try:
        return action()
    except Exception as exception:
        return "error", kind_of(exception), message_of(exception)


def many(value: Any) -> Tensors:
    return value if isinstance(value, tuple) else (value,)


def borrowed_tensors(data: Any, length: int) -> list[torch.Tensor | None]:
    """The tensors of an array; that of an empty list may be NULL."""
    return [borrowed(data[i]) for i in range(length)]


def tensors(owned_list: Any) -> list[torch.Tensor | None]:
    """The tensors of an owned list, which is released."""
    result = borrowed_tensors(lib.ctorch_tensor_list_data(owned_list), lib.ctorch_tensor_list_len(owned_list))
    lib.ctorch_tensor_list_release(owned_list)
    return result


def new_list(values: Tensors) -> Any:
    """An owned list, as a callback hands it over."""
    result = out("ctorch_tensor_list *")
    ok(lib.ctorch_tensor_list_new(result, *handles(list(values))))
    return result[0]


class Context:
    """A ctorch_autograd_context behind the interface of Python's ctx."""

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer

    def save_for_backward(self, *values: torch.Tensor | None) -> None:
        ok(lib.ctorch_autograd_context_save_for_backward(self.pointer, *handles(list(values))))

    def save_for_forward(self, *values: torch.Tensor | None) -> None:
        ok(lib.ctorch_autograd_context_save_for_forward(self.pointer, *handles(list(values))))

    def mark_dirty(self, *values: torch.Tensor) -> None:
        ok(lib.ctorch_autograd_context_mark_dirty(self.pointer, *handles(list(values))))

    def mark_non_differentiable(self, *values: torch.Tensor) -> None:
        ok(lib.ctorch_autograd_context_mark_non_differentiable(self.pointer, *handles(list(values))))

    def set_materialize_grads(self, value: bool) -> None:
        ok(lib.ctorch_autograd_context_set_materialize_grads(self.pointer, value))

    @property
    def saved_tensors(self) -> Tensors:
        result = out("ctorch_tensor_list *")
        ok(lib.ctorch_autograd_context_saved_tensors(result, self.pointer))
        return tuple(tensors(result[0]))

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        count = lib.ctorch_autograd_context_inputs_len(self.pointer)
        return tuple(lib.ctorch_autograd_context_needs_input_grad(self.pointer, i) for i in range(count))


def callback(c_type: str, function: Callable[..., Any]) -> Any:
    """A C callback that calls `function(ctx, *tensors)`."""

    @ffi.callback(c_type)
    def call(result: Any, context: Any, values: Any, values_len: int, failure: Any, payload: Any) -> int:
        try:
            result[0] = new_list(many(function(Context(context), *borrowed_tensors(values, values_len))))
            return OK
        except Exception as exception:
            kind = kind_of(exception)
            if kind == "UNKNOWN":
                traceback.print_exc()
            failure[0] = error(kind, message_of(exception))
            return 0

    return call


class CFunction:
    """A ctorch_autograd_function out of Python callables."""

    def __init__(self, name: str, forward: Any, backward: Any, jvp: Any, once_differentiable: bool) -> None:
        self.callbacks = [
            ffi.NULL if f is None else callback(f"ctorch_autograd_function_{which}_callback", f)
            for which, f in [("forward", forward), ("backward", backward), ("jvp", jvp)]
        ]
        pointer = out("ctorch_autograd_function *")
        ok(
            lib.ctorch_autograd_function_new(
                pointer, name.encode(), *self.callbacks, once_differentiable, ffi.NULL, ffi.NULL
            )
        )
        self.pointer = pointer[0]
        _alive.append(self)  # a graph may outlive every Python reference to it

    def apply(self, *inputs: torch.Tensor | None) -> Any:
        result = out("ctorch_tensor_list *")
        ok(lib.ctorch_autograd_function_apply(result, self.pointer, *handles(list(inputs)), ffi.NULL, ffi.NULL))
        outputs = tuple(tensors(result[0]))
        return outputs[0] if len(outputs) == 1 else outputs


_alive: list[CFunction] = []


class Ctorch:
    @staticmethod
    def function(name: str, forward: Any, backward: Any = None, jvp: Any = None, once_differentiable: bool = False):
        return CFunction(name, forward, backward, jvp, once_differentiable)

    @staticmethod
    def backward(
        value: torch.Tensor,
        gradient: torch.Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
    ) -> None:
        retain = ffi.NULL if retain_graph is None else ffi.new("bool *", retain_graph)
        ok(lib.ctorch_tensor_backward(handle(value), handle(gradient), retain, create_graph))


class Torch:
    @staticmethod
    def function(name: str, forward: Any, backward: Any = None, jvp: Any = None, once_differentiable: bool = False):
        members: dict[str, Any] = {"forward": staticmethod(forward)}
        if backward is not None:
            once = torch.autograd.function.once_differentiable if once_differentiable else lambda f: f
            members["backward"] = staticmethod(once(backward))
        if jvp is not None:
            members["jvp"] = staticmethod(jvp)
        return type(name, (torch.autograd.Function,), members)

    @staticmethod
    def backward(
        value: torch.Tensor,
        gradient: torch.Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
    ) -> None:
        value.backward(gradient, retain_graph=retain_graph, create_graph=create_graph)


def facts(value: Any) -> Any:
    """What two implementations must agree on: of a tensor its elements and how autograd sees it."""
    if isinstance(value, torch.Tensor):
        return (
            str(value.dtype),
            tuple(value.shape),
            value.detach().tolist(),
            dict(
                requires_grad=value.requires_grad,
                is_leaf=value.is_leaf,
                is_view=value._is_view(),
                version=value._version if not value.is_inference() else None,
                output_nr=value.output_nr,
                grad_fn=value.grad_fn.name() if value.grad_fn is not None else None,
            ),
        )
    if isinstance(value, (list, tuple)):
        return type(value)(facts(v) for v in value)
    if isinstance(value, dict):
        return {k: facts(v) for k, v in value.items()}
    return value


__all__ = ["Ctorch", "Torch", "attempt", "facts", "kind_of", "new_list", "tensor", "tensors"]
