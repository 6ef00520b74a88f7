"""Every naming rule of the C ABI."""

from __future__ import annotations

PREFIX = "ctorch_"
OPERATOR_PREFIX = PREFIX + "aten_"

# What no parameter can be called: the keywords of C and C++, macros and types that the declarations are written with,
# and functions that the bodies call unqualified. No operator has such an argument; the generator refuses the first.
RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int
    long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor xor_eq
    NULL int32_t int64_t linux size_t unix
    guard unsupported
    """.split()
)


def is_reserved(parameter_name: str) -> bool:
    leading = parameter_name[:2]
    return parameter_name in RESERVED or leading == "__" or (leading[:1] == "_" and leading[1:].isupper())


def function_name(schema_name: str) -> str:
    """`add_.Tensor` -> `ctorch_aten_add__Tensor`. Underscores are never tidied: 124 names would collide."""
    return OPERATOR_PREFIX + schema_name.replace(".", "_")


def short(name: str) -> str:
    """`ctorch_tensor_list` -> `tensor_list`"""
    return name.removeprefix(PREFIX)


def constant(name: str) -> str:
    """`CTORCH_DTYPE_FLOAT32` -> `DTYPE_FLOAT32`"""
    return name.removeprefix(PREFIX.upper())


def bare(c_type: str) -> str:
    """The same without what says that it is a struct of another library, or a callback."""
    return short(c_type).removeprefix("struct ").removesuffix("_callback")


def operator_part(function: str) -> str:
    """`ctorch_aten_add__Tensor` -> `add__Tensor`"""
    return function.removeprefix(OPERATOR_PREFIX)


def header_name(schema_name: str) -> str:
    """Operators whose name starts with an underscore are PyTorch's private ones."""
    return f"ctorch/generated/{'aten_private' if schema_name.startswith('_') else 'aten'}.h"


# Those that lie elsewhere than in torch.nn.
_PYTHON = {name: f"torch.{name}" for name in "nn optim distributed amp jit".split()} | {
    "data": "torch.utils.data",
    "lr_scheduler": "torch.optim.lr_scheduler",
    "vision": "torchvision",
    "datasets": "torchvision.datasets",
    "transforms": "torchvision.transforms.v2",
    "transforms_functional": "torchvision.transforms.v2.functional",
    "tv_tensors": "torchvision.tv_tensors",
    "metrics": "torchmetrics",
}


def python_namespace(namespace: str) -> str:
    """Where Python has what a schema file offers: `torch.nn`, `torch.nn.init`."""
    return _PYTHON.get(namespace, f"torch.nn.{namespace}")


def length_name(list_name: str) -> str:
    return f"{list_name}_len"


def mutable_name(argument_name: str) -> str:
    """The local variable of a body that owns a mutated tensor during the call."""
    return f"{argument_name}_"


# The local variable of a body that keeps the results until the mutated arguments are written back.
RETURNED = "returned_"


def output_names(return_names: list[str | None], argument_names: set[str]) -> list[str]:
    """`out` for a single result, else `out_<name>` or `out0`, `out1`; `result` in place of a name that is taken."""
    if len(return_names) == 1:
        names = ["out"]
    else:
        names = [f"out_{name}" if name else f"out{i}" for i, name in enumerate(return_names)]
    return [name.replace("out", "result", 1) if name in argument_names else name for name in names]
