"""Parameters, the tensors of a module that are trained, and buffers, as torch.nn.parameter has them."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from .construction import tensor as make_tensor
from .creation import empty
from .tensor import Tensor

_known: WeakValueDictionary[int, Parameter] = WeakValueDictionary()  # by the address of the tensor in C


class Parameter(Tensor):
    """A tensor that a module takes for one of its parameters when it is assigned to it: `self.weight = Parameter(x)`.

    It shares the memory of `data`, is a leaf of the graph, and requires gradients unless `requires_grad` is False.
    """

    __slots__ = ()

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        if data is None:
            data = empty(0)
        elif not isinstance(data, Tensor):
            data = make_tensor(data)
        super().__init__(data.detach()._tensor)
        self.requires_grad_(requires_grad)
        _known[self._tensor.value] = self  # type: ignore[index]

    def __repr__(self) -> str:
        return "<ctorch.nn.Parameter closed>" if self.closed else f"Parameter containing:\n{super().__repr__()}"

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        memo[id(self)] = copy = Parameter(self.detach().clone(), self.requires_grad)
        return copy


class Buffer(Tensor):
    """A tensor that a module takes for one of its buffers when it is assigned to it: `self.mean = Buffer(x)`.

    It shares the memory of `data`; without `persistent` it is in no state dict.
    """

    __slots__ = ("persistent",)

    def __init__(self, data: Any = None, *, persistent: bool = True) -> None:
        data = empty(0) if data is None else data
        super().__init__((data if isinstance(data, Tensor) else make_tensor(data)).detach()._tensor)
        self.persistent = persistent


def parameter_of(tensor: Tensor | None) -> Parameter | None:
    """The parameter that a tensor of C's is: the object that it was, if that is still there."""
    if tensor is None:
        return None
    address: int = tensor._tensor.value  # type: ignore[assignment]
    found = _known.get(address)
    if found is None or found.closed:
        found = Parameter.__new__(Parameter)
        found._tensor = tensor._tensor
        _known[address] = found
    return found
