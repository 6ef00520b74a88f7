"""Every naming rule of the C ABI."""

from __future__ import annotations

PREFIX = "ctorch_aten_"


def function_name(schema_name: str) -> str:
    """`add_.Tensor` -> `ctorch_aten_add__Tensor`. Underscores are never tidied: 124 names would collide."""
    return PREFIX + schema_name.replace(".", "_")


def header_name(schema_name: str) -> str:
    """Operators whose name starts with an underscore are PyTorch's private ones."""
    return f"ctorch/generated/{'aten_private' if schema_name.startswith('_') else 'aten'}.h"


def length_name(list_name: str) -> str:
    return f"{list_name}_len"


def output_names(return_names: list[str | None], argument_names: set[str]) -> list[str]:
    """`out` for a single result, else `out_<name>` or `out0`, `out1`; `result` in place of a name that is taken."""
    if len(return_names) == 1:
        names = ["out"]
    else:
        names = [f"out_{name}" if name else f"out{i}" for i, name in enumerate(return_names)]
    return [name.replace("out", "result", 1) if name in argument_names else name for name in names]
