"""Automatic differentiation: modes, gradients, functions of your own, hooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ContextDecorator
from typing import Any

from . import raw
from .hooks import RemovableHook as RemovableHook
from .tensor import Tensor, listed


class _Mode(ContextDecorator):
    """A mode of the calling thread: `with no_grad():`, or `@no_grad()` above a function. It nests."""

    def __init__(self, push: Callable[[], Any], pop: Callable[[], Any]) -> None:
        self._push, self._pop = push, pop

    def __enter__(self) -> None:
        self._push()

    def __exit__(self, *exception: object) -> None:
        self._pop()


def _mode(push: Callable[..., Any], pop: Callable[[], Any], *arguments: Any) -> _Mode:
    return _Mode(lambda: push(*arguments), pop)


def set_grad_enabled(mode: bool) -> _Mode:
    """Switch recording on or off."""
    return _mode(raw.grad_mode_push, raw.grad_mode_pop, mode)


def no_grad() -> _Mode:
    """Record nothing."""
    return set_grad_enabled(False)


def enable_grad() -> _Mode:
    """Record, inside no_grad."""
    return set_grad_enabled(True)


def inference_mode(mode: bool = True) -> _Mode:
    """Record nothing, and keep neither track of views nor of versions."""
    return _mode(raw.inference_mode_push, raw.inference_mode_pop, mode)


def set_multithreading_enabled(mode: bool) -> _Mode:
    """Whether backward passes may use a thread for each device."""
    return _mode(raw.multithreading_mode_push, raw.multithreading_mode_pop, mode)


def detect_anomaly(check_nan: bool = True) -> _Mode:
    """Look for the operator at fault when backward fails."""
    return _mode(raw.anomaly_mode_push, raw.anomaly_mode_pop, True, check_nan)


def is_grad_enabled() -> bool:
    return raw.grad_mode_enabled()


def is_inference_mode_enabled() -> bool:
    return raw.inference_mode_enabled()


class saved_tensors_hooks(_Mode):  # noqa: N801
    """Keep something else than the tensors that backward needs: `pack(tensor)` makes it, `unpack(packed)` undoes it."""

    def __init__(self, pack: Callable[[Tensor], Any], unpack: Callable[[Any], Tensor]) -> None:
        super().__init__(lambda: raw.saved_tensors_hooks_push(pack, unpack), raw.saved_tensors_hooks_pop)


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Accumulate the gradients of tensors into the leaves that they were computed from."""
    raw.autograd_backward(listed(tensors), listed(grad_tensors), retain_graph, create_graph, listed(inputs))


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of outputs by inputs: one for each input, None for one that was not used."""
    return tuple(
        raw.autograd_grad(
            listed(outputs),
            listed(inputs),
            listed(grad_outputs),
            retain_graph,
            create_graph,
            allow_unused,
            is_grads_batched,
            materialize_grads,
        )
    )


class FunctionContext:
    """What the forward of one call leaves for its backward: `ctx`. Attributes of your own are kept too."""

    def __init__(self, arguments: tuple[Any, ...], positions: list[int]) -> None:
        self._arguments, self._positions = arguments, positions
        self._context: raw.AutogradContext | None = None

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward, which checks that they were not changed in place since."""
        raw.autograd_context_save_for_backward(self._context, tensors)

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for jvp."""
        raw.autograd_context_save_for_forward(self._context, tensors)

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        return tuple(raw.autograd_context_saved_tensors(self._context))

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare which inputs forward changes in place; each must be returned."""
        raw.autograd_context_mark_dirty(self._context, tensors)

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare outputs through which no gradient flows."""
        raw.autograd_context_mark_non_differentiable(self._context, tensors)

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros where there is no gradient (as is the default), or None."""
        raw.autograd_context_set_materialize_grads(self._context, value)

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """For each argument of `apply` whether its gradient is wanted."""
        wanted = {
            position: raw.autograd_context_needs_input_grad(self._context, index)
            for index, position in enumerate(self._positions)
        }
        return tuple(wanted.get(position, False) for position in range(len(self._arguments)))


class Function:
    """A differentiable function of your own, as torch.autograd.Function.

    Derive a class with the static methods `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`, and call
    `apply(*args)`. Arguments may be of any type; backward returns one gradient for each, None where there is none.
    An optional `jvp(ctx, *tangents)` is for forward mode; `once_differentiable = True` forbids higher derivatives.
    """

    once_differentiable = False

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        raise NotImplementedError("a Function needs a static method forward")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise NotImplementedError("a Function needs a static method backward to be differentiated")

    jvp: Callable[..., Any] | None = None

    @classmethod
    def apply(cls, *args: Any) -> Any:
        positions = [index for index, argument in enumerate(args) if isinstance(argument, Tensor)]
        outputs = _Outputs()
        call = _Call(cls, args, positions, outputs)
        results = list(raw.autograd_function_apply(_definition(cls), [args[index] for index in positions], call))
        return outputs.restore(results)


class _Outputs:
    """How forward returned its outputs: one alone or a tuple, with what is no tensor in its place."""

    single = True
    values: list[Any]

    def take(self, returned: Any) -> list[Tensor | None]:
        self.single = not isinstance(returned, tuple | list)
        values = [returned] if self.single else list(returned)
        self.values = [None if isinstance(value, Tensor) else value for value in values]
        return [value if isinstance(value, Tensor) else None for value in values]

    def restore(self, results: list[Tensor | None]) -> Any:
        values = [value if result is None else result for value, result in zip(self.values, results)]
        return values[0] if self.single else tuple(values)


class _Call:
    """One call of a function: the payload of its context."""

    def __init__(
        self, function: type[Function], args: tuple[Any, ...], positions: list[int], outputs: _Outputs
    ) -> None:
        self.function, self.args, self.outputs = function, args, outputs
        self.context = FunctionContext(args, positions)
        self.count = len(args)


def _entered(context: raw.AutogradContext) -> tuple[_Call, FunctionContext]:
    """The call that a context of C belongs to, with a ctx that may use it."""
    call = raw.autograd_context_payload(context)
    ctx = FunctionContext.__new__(FunctionContext)
    ctx.__dict__ = call.context.__dict__ | {"_context": context}
    return call, ctx


def _forward(context: raw.AutogradContext, inputs: list[Tensor | None]) -> list[Tensor | None]:
    call, ctx = _entered(context)
    args = list(call.args)
    for position, tensor in zip(call.context._positions, inputs):
        args[position] = tensor
    returned = call.outputs.take(call.function.forward(ctx, *args))
    kept = {name: value for name, value in vars(ctx).items() if name != "_context"}
    vars(call.context).update(kept)  # the tensors of the call are the graph's from here on, not ours
    call.args = ()
    vars(call.context)["_arguments"] = (None,) * call.count
    return returned


def _backward(context: raw.AutogradContext, grad_outputs: list[Tensor | None]) -> list[Tensor | None]:
    call, ctx = _entered(context)
    returned = call.function.backward(ctx, *grad_outputs)
    grads = list(returned) if isinstance(returned, tuple | list) else [returned]
    if len(grads) > call.count and all(grad is None for grad in grads[call.count :]):
        grads = grads[: call.count]
    if len(grads) != call.count:
        raise RuntimeError(
            f"function {call.function.__name__}Backward returned an incorrect number of gradients "
            f"(expected {call.count}, got {len(grads)})"
        )
    positions = call.context._positions
    for position, gradient in enumerate(grads):
        if gradient is not None and position not in positions:
            raise RuntimeError(
                f"function {call.function.__name__}Backward returned a gradient different than None at position "
                f"{position + 1}, but the corresponding forward input was not a Tensor"
            )
    return [grads[position] for position in positions]


def _jvp(context: raw.AutogradContext, tangents: list[Tensor | None]) -> list[Tensor | None]:
    call, ctx = _entered(context)
    given: list[Tensor | None] = [None] * call.count
    for position, tangent in zip(call.context._positions, tangents):
        given[position] = tangent
    assert call.function.jvp is not None
    returned = call.function.jvp(ctx, *given)
    return list(returned) if isinstance(returned, tuple | list) else [returned]


def _definition(cls: type[Function]) -> raw.Function:
    """The C definition of a class, made when it is first applied."""
    definition = cls.__dict__.get("_definition")
    if definition is None:
        jvp = _jvp if cls.jvp is not None else None
        definition = raw.autograd_function_new(cls.__name__, _forward, _backward, jvp, cls.once_differentiable)
        cls._definition = definition  # type: ignore[attr-defined]
    return definition
