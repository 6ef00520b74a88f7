"""Optimizers, as torch.optim.Optimizer has them.

    optimizer = optim.AdamW(model.parameters(), lr=1e-3)
    for images, labels in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()

`params` may be tensors, pairs of a name and a tensor, or dicts, each a group with options of its own. What an optimizer
keeps stands in C: `param_groups` and `state` show it, and what is assigned to their entries goes there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from . import objects, raw
from .hooks import RemovableHook
from .optimizer_objects import optimizers
from .parameters import Parameter, parameter_of
from .tensor import Tensor
from .values import from_value


class ParamGroup(MutableMapping[str, Any]):
    """The options of a group, and its "params"."""

    def __init__(self, optimizer: Optimizer, index: int) -> None:
        self._optimizer, self._index = optimizer, index

    def __getitem__(self, name: str) -> Any:
        if name == "params":
            return [parameter_of(p) for p in raw.optimizer_params(self._optimizer, self._index)]
        try:
            return from_value(raw.optimizer_get_option(self._optimizer, self._index, name))
        except IndexError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, value: Any) -> None:
        raw.optimizer_set_option(self._optimizer, self._index, name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"an option of a group cannot be deleted: '{name}'")

    def __iter__(self) -> Iterator[str]:
        yield "params"
        yield from from_value(raw.optimizer_options(self._optimizer, self._index))

    def __len__(self) -> int:
        return 1 + len(from_value(raw.optimizer_options(self._optimizer, self._index)))

    def __repr__(self) -> str:
        return repr(dict(self))


class State(MutableMapping[Tensor, Any]):
    """What an optimizer remembers, by parameter: dicts, which are assigned as a whole."""

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer

    def __getitem__(self, parameter: Tensor) -> Any:
        try:
            return from_value(raw.optimizer_state(self._optimizer, parameter))
        except IndexError:
            raise KeyError(parameter) from None

    def __setitem__(self, parameter: Tensor, state: Mapping[str, Any]) -> None:
        raw.optimizer_set_state(self._optimizer, parameter, dict(state))

    def __delitem__(self, parameter: Tensor) -> None:
        self[parameter] = {}

    def __iter__(self) -> Iterator[Tensor]:
        for group in self._optimizer.param_groups:
            yield from (p for p in group["params"] if self[p])

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Optimizer(objects.Optimizer):
    """What all optimizers have: groups of parameters, a state for each parameter, steps."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("an optimizer is of one of the classes of ctorch.optim")

    # Steps

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters by their gradients. `closure` computes the loss anew, which is what step gives then."""
        if closure is None:
            raw.optimizer_step(self)
            return None
        return self._with_closure(lambda call: raw.optimizer_step_closure(self, call), closure)

    @staticmethod
    def _with_closure(step: Callable[[Callable[[], Tensor | None]], Any], closure: Callable[[], Any]) -> Any:
        """A step with a closure, which may give something else than a tensor: what it gave first."""
        given: list[Any] = []

        def call() -> Tensor | None:
            given.append(closure())
            return given[-1] if isinstance(given[-1], Tensor) else None

        step(call)
        return given[0] if given else None

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters."""
        raw.optimizer_zero_grad(self, set_to_none)

    def set_tape(self, most: int = 4, fast: bool = False) -> None:
        """Capture steps and replay them, one tape for each set of gradients, `most` of them; 0 for none."""
        raw.optimizer_set_tape(self, most, fast)

    # Groups and state

    @property
    def param_groups(self) -> list[ParamGroup]:
        """The groups: mappings from options to values, which may be assigned."""
        return [ParamGroup(self, i) for i in range(raw.optimizer_num_groups(self))]

    def add_param_group(self, param_group: Mapping[str, Any]) -> None:
        """One more group: a dict with "params" and those options that it does not share."""
        if not isinstance(param_group, Mapping):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        raw.optimizer_add_param_group(self, _group(param_group))

    @property
    def defaults(self) -> dict[str, Any]:
        """The options of a group that names none."""
        return from_value(raw.optimizer_defaults(self))

    @property
    def state(self) -> State:
        """What is remembered of each parameter."""
        return State(self)

    def state_dict(self) -> dict[str, Any]:
        """States and options, with numbers in the place of parameters, to be saved."""
        return from_value(raw.optimizer_state_dict(self))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take states and options over."""
        raw.optimizer_load_state_dict(self, dict(state_dict))

    # Hooks

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHook:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        return RemovableHook(
            raw.optimizer_register_step_pre_hook(self, lambda optimizer: _none(hook(optimizer, (), {})))
        )

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHook:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return RemovableHook(
            raw.optimizer_register_step_post_hook(self, lambda optimizer: _none(hook(optimizer, (), {})))
        )

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHook:
        """Call `hook(optimizer)` before a state dict is made."""
        return RemovableHook(
            raw.optimizer_register_state_dict_pre_hook(self, lambda optimizer: _none(hook(optimizer)), prepend)
        )

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHook:
        """Call `hook(optimizer, state_dict)` with each one that is made; what it returns replaces it."""
        return RemovableHook(raw.optimizer_register_state_dict_post_hook(self, _on_dict(hook), prepend))

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHook:
        """Call `hook(optimizer, state_dict)` before one is loaded; what it returns replaces it."""
        return RemovableHook(raw.optimizer_register_load_state_dict_pre_hook(self, _on_dict(hook), prepend))

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHook:
        """Call `hook(optimizer)` after a state dict was loaded."""
        return RemovableHook(
            raw.optimizer_register_load_state_dict_post_hook(self, lambda optimizer: _none(hook(optimizer)), prepend)
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} closed>" if self.closed else str(raw.optimizer_repr(self))


optimizers.classes["Optimizer"] = Optimizer


def optimizer(name: str, make: Callable[..., Any]) -> type[Optimizer]:
    """The class of an optimizer. `make` says what it takes: C gets the arguments by name, as values."""
    taken = inspect.signature(getattr(make, "default", make)).parameters

    def __init__(self: Optimizer, params: Iterable[Any], *args: Any, **kwargs: Any) -> None:
        made = raw.optim_create(name, (_params(params), *args), kwargs)
        optimizers.adopt(self, made._optimizer)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    __init__.__signature__ = inspect.Signature([own, *taken.values()])  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": make.__doc__, "__module__": "ctorch.optim", "__qualname__": name}
    optimizers.classes[name] = made = type(name, (Optimizer,), members)
    return made


def _params(params: Any) -> list[Any]:
    """What a constructor takes: an iterable of tensors, of pairs, or of dicts."""
    if isinstance(params, Tensor):
        raise TypeError(
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but got a Tensor"
        )
    return [_group(p) if isinstance(p, Mapping) else p for p in params]


def _group(group: Mapping[str, Any]) -> dict[str, Any]:
    """A group whose "params" may be anything that can be iterated over."""
    made = dict(group)
    params = made.get("params")
    if params is not None and not isinstance(params, (Tensor, set)):
        made["params"] = list(params)
    return made


def _none(_: Any) -> None:
    """Hooks of this kind give nothing."""


def _on_dict(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook that gets the state dict as a dict, and whose changes to it count."""

    def call(optimizer: Any, value: Any) -> Any:
        state_dict = from_value(value)
        answer = hook(optimizer, state_dict)
        return state_dict if answer is None else answer

    return call


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHook:
    """Call `hook(optimizer, args, kwargs)` before each step of any optimizer."""
    return RemovableHook(raw.optimizer_register_step_pre_hook_for_all(lambda optimizer: _none(hook(optimizer, (), {}))))


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHook:
    """Call `hook(optimizer, args, kwargs)` after each step of any optimizer."""
    return RemovableHook(
        raw.optimizer_register_step_post_hook_for_all(lambda optimizer: _none(hook(optimizer, (), {})))
    )


__all__ = ["Optimizer", "Parameter", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook"]
