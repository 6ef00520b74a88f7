"""Tensors: n-dimensional arrays, as torch.Tensor has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import aten, indexing, raw, ufuncs
from .arguments import PYTHON_TYPES, as_another
from .buffer import array_interface, view
from .capsules import capsule
from .constants import bfloat16, complex64, complex128, float16, float32, float64, int8, int16, int32, int64, uint8
from .constants import bool as bool_
from .elements import to_list
from .handle import Resource
from .hooks import RemovableHook
from .methods import Methods
from .objects import TensorHandle
from .operators.names import METHODS
from .plain_data import device as device_
from .plain_data import dtype as dtype_

NUMBERS = (int, float, complex)
# Methods that take their list of integers as separate arguments too: `x.view(2, 3)`.
SPREAD = frozenset(
    "view reshape permute expand repeat flip tile movedim new_empty new_zeros new_ones sum_to_size unflatten".split()
)


class _Method:
    """An operator as a method, which is loaded and takes this one's place when it is first asked for."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        operator = getattr(aten, self.name)
        method = _spreading(operator) if self.name in SPREAD else operator
        setattr(Methods, self.name, method)
        return method.__get__(instance, owner)


def _spreading(operator: Callable[..., Any]) -> Callable[..., Any]:
    """`x.view(2, 3)` for `x.view((2, 3))`."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 and all(isinstance(arg, int) for arg in args):
            try:
                return operator(self, args, **kwargs)
            except TypeError:
                pass  # the integers were several arguments after all
        elif len(args) == 1 and isinstance(args[0], int):
            try:
                return operator(self, *args, **kwargs)
            except TypeError:
                return operator(self, args, **kwargs)
        return operator(self, *args, **kwargs)

    method.__doc__ = operator.__doc__
    return method


# `x.float()`, as torch.Tensor has them; `chalf` is an operator.
CONVERSIONS = {
    "float": float32,
    "double": float64,
    "half": float16,
    "bfloat16": bfloat16,
    "int": int32,
    "long": int64,
    "short": int16,
    "char": int8,
    "byte": uint8,
    "bool": bool_,
    "cfloat": complex64,
    "cdouble": complex128,
}
DTYPE_IN_REPR = re.compile(r"\b(dtype|layout)=torch\.")


def _conversion(name: str, dtype: dtype_) -> Callable[..., Any]:
    def method(self: Any, memory_format: Any = None) -> Any:
        return self.to(dtype, memory_format=memory_format)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Tensor.{name}", f"`x.to({dtype})`"
    return method


# Before there is a class derived from Methods, which would have to learn of each.
for _name in METHODS:
    if not _name.startswith("__"):
        setattr(Methods, _name, _Method(_name))
for _name, _dtype in CONVERSIONS.items():
    setattr(Methods, _name, _conversion(_name, _dtype))


class Tensor(Resource, Methods):
    """An n-dimensional array, made by `ctorch.tensor`, `ctorch.from_dlpack` or an operator such as `ctorch.aten.zeros`.

    Every operator whose first argument is called `self` is a method: `x.sum(dim=1)` is `ctorch.aten.sum(x, dim=1)`.
    """

    __slots__ = ("_tensor",)
    _slot = "_tensor"

    def __init__(self, handle: TensorHandle) -> None:
        if type(handle) is not TensorHandle:
            raise TypeError("Tensor() is made by operators: ctorch.tensor(data) makes one of Python's numbers")
        self._tensor = handle

    # What it is

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        sizes = raw.tensor_sizes(self)
        if sizes is None:
            raise RuntimeError("a nested tensor has no single shape")
        return sizes

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        return self.shape if dim is None else raw.tensor_size(self, dim)

    def stride(self, dim: int | None = None) -> Any:
        """The distance of neighbours in each dimension, or in one, in elements."""
        strides = raw.tensor_strides(self)
        if strides is None:
            raise RuntimeError("this tensor has no strides")
        if dim is None:
            return strides
        raw.tensor_size(self, dim)  # says what is wrong with a dimension that is not there
        return strides[dim]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return raw.tensor_ndim(self)

    def dim(self) -> int:
        """The number of dimensions."""
        return self.ndim

    def numel(self) -> int:
        """The number of elements."""
        return raw.tensor_numel(self)

    nelement = numel

    @property
    def dtype(self) -> Any:
        return raw.tensor_dtype(self)

    @property
    def layout(self) -> Any:
        return raw.tensor_layout(self)

    @property
    def device(self) -> Any:
        return raw.tensor_device(self)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return raw.tensor_itemsize(self)

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return raw.tensor_nbytes(self)

    def storage_offset(self) -> int:
        """Elements between the start of the storage and the first element."""
        return raw.tensor_storage_offset(self)

    def is_contiguous(self, *, memory_format: Any = None) -> bool:
        """Whether the elements lie row by row without gaps, or as a memory format has them."""
        if memory_format is not None:
            return aten.is_contiguous.memory_format(self, memory_format)
        return raw.tensor_is_contiguous(self)

    def data_ptr(self) -> int:
        """Address of the first element; 0 without elements."""
        return raw.tensor_data(self) or 0

    def storage(self) -> raw.Storage:
        """The memory behind the tensor."""
        return raw.storage_from_tensor(self)

    @property
    def is_quantized(self) -> bool:
        return raw.tensor_is_quantized(self)

    @property
    def is_nested(self) -> bool:
        return raw.tensor_is_nested(self)

    @property
    def is_sparse(self) -> bool:
        return self.layout.name == "sparse_coo"

    @property
    def is_cpu(self) -> bool:
        return raw.tensor_device_type(self) == 0

    @property
    def is_cuda(self) -> bool:
        return raw.tensor_device_type(self) == 1

    @property
    def is_meta(self) -> bool:
        return self.device.type == "meta"

    # Its elements

    def item(self) -> Any:
        """The only element as a Python number."""
        return raw.tensor_item(self)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; a number if there are no dimensions."""
        return to_list(self)

    def __bool__(self) -> bool:
        return raw.tensor_item_bool(self)

    def __int__(self) -> int:
        return int(raw.tensor_item(self))

    def __float__(self) -> float:
        return raw.tensor_item_double(self)

    def __complex__(self) -> complex:
        return complex(*raw.tensor_item_complex(self))

    def __index__(self) -> int:
        if self.numel() != 1 or self.dtype.is_floating_point or self.dtype.is_complex:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(raw.tensor_item(self))

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(aten.unbind(self))

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, Tensor | int | float | complex):
            raise TypeError(f"Tensor.__contains__ only supports Tensor or number, not {type(element).__name__}")
        return bool(aten.any.default(self == element))

    def __getitem__(self, index: Any) -> Tensor:
        return indexing.get(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        indexing.put(self, index, value)

    def __repr__(self) -> str:
        if self.closed:
            return "<ctorch.Tensor closed>"
        return DTYPE_IN_REPR.sub(r"\1=ctorch.", str(raw.tensor_repr(self)))

    def __format__(self, spec: str) -> str:
        if self.ndim == 0 and spec:
            return format(self.item(), spec)
        return format(repr(self), spec)

    __hash__ = object.__hash__

    def __copy__(self) -> Tensor:
        return as_another(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "only tensors that the user made can be copied with their place in the graph; detach() it"
            )
        copy = self.detach().clone().requires_grad_(self.requires_grad)
        memo[id(self)] = copy
        return copy

    # Conversions

    def to(
        self,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: bool = False,
        copy: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        """With another dtype, on another device, or both: `x.to(ctorch.float64)`, `x.to("cuda")`, `x.to(other)`.

        After these may stand `non_blocking` and `copy`.
        """
        rest = list(args)
        if rest and isinstance(rest[0], Tensor):
            other = rest.pop(0)
            non_blocking, copy = _flags(rest, non_blocking, copy)
            return raw.tensor_to_other(self, other, non_blocking, copy, memory_format)
        if rest and isinstance(rest[0], str | device_):
            device = device_(rest.pop(0))
        if rest and (isinstance(rest[0], dtype_) or rest[0] in PYTHON_TYPES):
            dtype = rest.pop(0)
        non_blocking, copy = _flags(rest, non_blocking, copy)
        return raw.tensor_to(self, dtype, device, non_blocking, copy, memory_format)

    def type(self, dtype: Any = None) -> Any:
        """With another dtype; the dtype itself if none is given."""
        return self.dtype if dtype is None else self.to(dtype)

    def cpu(self) -> Tensor:
        return self.to("cpu")

    def cuda(self, index: int | None = None) -> Tensor:
        return self.to("cuda" if index is None else f"cuda:{index}")

    # Gradients

    @property
    def requires_grad(self) -> bool:
        """Whether operators on this tensor are recorded."""
        return raw.tensor_requires_grad(self)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        raw.tensor_set_requires_grad(self, value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for a gradient of this tensor, or no longer."""
        raw.tensor_set_requires_grad(self, requires_grad)
        return self

    @property
    def is_leaf(self) -> bool:
        return raw.tensor_is_leaf(self)

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward has accumulated."""
        return raw.tensor_grad(self)

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        raw.tensor_set_grad(self, value)

    @property
    def grad_fn(self) -> raw.Node | None:
        """The node of the graph that computes the gradient of this tensor's inputs; None for a leaf."""
        return raw.tensor_grad_fn(self)

    @property
    def data(self) -> Tensor:
        """The same data outside the graph."""
        return aten.data(self)

    @data.setter
    def data(self, value: Tensor) -> None:
        aten.set_data(self, value)

    @property
    def _version(self) -> int:
        return aten._version(self)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Accumulate gradients into the leaves that this tensor was computed from."""
        raw.autograd_backward([self], listed(gradient), retain_graph, create_graph, listed(inputs))

    def retain_grad(self) -> None:
        """Keep the gradient of a tensor that is no leaf."""
        aten.retain_grad(self)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Call back when the gradient of this tensor was computed; what the hook returns replaces it."""
        return RemovableHook(raw.tensor_register_hook(self, hook))

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Any:
        """Call back when a gradient was accumulated into this leaf."""
        return RemovableHook(raw.tensor_register_post_accumulate_grad_hook(self, hook))

    # Views that are properties

    @property
    def T(self) -> Tensor:  # noqa: N802
        return aten.numpy_T(self)

    @property
    def mT(self) -> Tensor:  # noqa: N802
        return aten.mT(self)

    @property
    def H(self) -> Tensor:  # noqa: N802
        return aten.matrix_H(self)

    @property
    def mH(self) -> Tensor:  # noqa: N802
        return aten.mH(self)

    @property
    def real(self) -> Tensor:
        return aten.real(self)

    @property
    def imag(self) -> Tensor:
        return aten.imag(self)

    # Other libraries

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        return capsule(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return raw.tensor_dlpack_device(self)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return array_interface(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return ufuncs.apply(ufunc, method, inputs, options)

    def __buffer__(self, flags: int) -> memoryview:
        return view(self)

    def memoryview(self) -> memoryview:
        """The elements as a buffer that shares and keeps their memory; `memoryview(x)` works from Python 3.12 on."""
        return view(self)

    def numpy(self) -> Any:
        """A NumPy array that shares the memory."""
        import numpy

        return numpy.asarray(self)


def _flags(rest: list[Any], non_blocking: bool, copy: bool) -> tuple[bool, bool]:
    if len(rest) > 2 or not all(isinstance(flag, bool) for flag in rest):
        raise TypeError(f"to() received an invalid combination of arguments: {rest[0]!r} is no dtype, device or Tensor")
    return (*rest, *(non_blocking, copy)[len(rest) :])  # type: ignore[return-value]


def listed(values: Tensor | Sequence[Tensor | None] | None) -> list[Tensor | None] | None:
    """One tensor, or several, as a list."""
    return None if values is None else [values] if isinstance(values, Tensor) else list(values)


def wrapped_number(value: Any) -> Tensor:
    """The tensor that PyTorch makes of a number in an expression: it takes part in type promotion like the number."""
    return raw.tensor_wrapped_number(value)


# Operators of Python. A number has an overload of its own where PyTorch has one.


def _binary(operator: str, tensor: str = "Tensor", scalar: str = "Scalar") -> Callable[[Tensor, Any], Any]:
    name = operator

    def apply(self: Tensor, other: Any) -> Any:
        function = getattr(aten, name)
        if isinstance(other, Tensor):
            return getattr(function, tensor)(self, other)
        if isinstance(other, NUMBERS) or _is_number(other):
            return getattr(function, scalar)(self, other)
        if ufuncs.is_array(other):
            return getattr(function, tensor)(self, ufuncs.as_tensor(other))
        return NotImplemented

    return apply


def _reflected(operator: str, overload: str) -> Callable[[Tensor, Any], Any]:
    """`2 - x`: with an overload that takes the number first."""
    name = operator

    def apply(self: Tensor, other: Any) -> Any:
        if isinstance(other, NUMBERS) or _is_number(other):
            return getattr(getattr(aten, name), overload)(other, self)
        return NotImplemented

    return apply


def _is_number(value: Any) -> bool:
    """A number of NumPy's; not an array, nor a tensor of another library."""
    return type(value).__module__ == "numpy" and not hasattr(value, "__len__") and hasattr(value, "__float__")


def _unary(operator: str) -> Callable[[Tensor], Tensor]:
    name = operator

    def apply(self: Tensor) -> Tensor:
        return getattr(aten, name)(self)

    return apply


def _subtract_from(self: Tensor, other: Any) -> Any:
    return aten.rsub.Scalar(self, other) if isinstance(other, NUMBERS) or _is_number(other) else NotImplemented


def _divide(self: Tensor, other: Any) -> Any:
    if isinstance(other, NUMBERS) or _is_number(other):
        return aten.mul.Scalar(aten.reciprocal(self), other)
    return NotImplemented


def _divide_floor(self: Tensor, other: Any) -> Any:
    if isinstance(other, NUMBERS) or _is_number(other):
        return aten.floor_divide.default(wrapped_number(other), self)
    return NotImplemented


def _matmul(self: Tensor, other: Any) -> Any:
    if isinstance(other, Tensor):
        return aten.matmul.default(self, other)
    return aten.matmul.default(self, ufuncs.as_tensor(other)) if ufuncs.is_array(other) else NotImplemented


def _change(operator: str, tensor: str = "Tensor", scalar: str = "Scalar") -> Callable[[Tensor, Any], Any]:
    """`x += y`: in place."""
    return _binary(operator + "_", tensor, scalar)


_PYTHON_OPERATORS: dict[str, Callable[..., Any]] = {
    "__add__": _binary("add"),
    "__radd__": _binary("add"),
    "__iadd__": _change("add"),
    "__sub__": _binary("sub"),
    "__rsub__": _subtract_from,
    "__isub__": _change("sub"),
    "__mul__": _binary("mul"),
    "__rmul__": _binary("mul"),
    "__imul__": _change("mul"),
    "__truediv__": _binary("div"),
    "__rtruediv__": _divide,
    "__itruediv__": _change("div"),
    "__floordiv__": _binary("floor_divide", "default"),
    "__rfloordiv__": _divide_floor,
    "__ifloordiv__": _change("floor_divide"),
    "__mod__": _binary("remainder"),
    "__rmod__": _reflected("remainder", "Scalar_Tensor"),
    "__imod__": _change("remainder"),
    "__pow__": _binary("pow", "Tensor_Tensor", "Tensor_Scalar"),
    "__rpow__": _reflected("pow", "Scalar"),
    "__ipow__": _change("pow"),
    "__matmul__": _matmul,
    "__and__": _binary("bitwise_and"),
    "__rand__": _binary("bitwise_and"),
    "__iand__": _change("bitwise_and"),
    "__or__": _binary("bitwise_or"),
    "__ror__": _binary("bitwise_or"),
    "__ior__": _change("bitwise_or"),
    "__xor__": _binary("bitwise_xor"),
    "__rxor__": _binary("bitwise_xor"),
    "__ixor__": _change("bitwise_xor"),
    "__lshift__": _binary("bitwise_left_shift", "Tensor", "Tensor_Scalar"),
    "__rlshift__": _reflected("bitwise_left_shift", "Scalar_Tensor"),
    "__ilshift__": _change("bitwise_left_shift", "Tensor", "Tensor_Scalar"),
    "__rshift__": _binary("bitwise_right_shift", "Tensor", "Tensor_Scalar"),
    "__rrshift__": _reflected("bitwise_right_shift", "Scalar_Tensor"),
    "__irshift__": _change("bitwise_right_shift", "Tensor", "Tensor_Scalar"),
    "__eq__": _binary("eq"),
    "__ne__": _binary("ne"),
    "__lt__": _binary("lt"),
    "__le__": _binary("le"),
    "__gt__": _binary("gt"),
    "__ge__": _binary("ge"),
    "__neg__": _unary("neg"),
    "__abs__": _unary("abs"),
    "__invert__": _unary("bitwise_not"),
    "__pos__": _unary("positive"),
}
for _name, _function in _PYTHON_OPERATORS.items():
    _function.__name__ = _name
    _function.__qualname__ = f"Tensor.{_name}"
    setattr(Tensor, _name, _function)
