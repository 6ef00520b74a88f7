"""What `torch.export.save` writes, by the names of `torch.export`: a graph of operators with its weights.

program = ctorch.export.load("model.pt2")
model = program.module()                        # a module like any other
y = model(x)                                    # x: a ctorch.Tensor
"""

from __future__ import annotations

from typing import Any

from . import objects, raw
from .streams import reading
from .tensor import Tensor
from .values import from_value


class ExportedProgram(objects.ExportedProgram):
    """A program that can be looked at, and run as a module."""

    __slots__ = ()

    def __init__(self, made: objects.ExportedProgram) -> None:
        self._exported_program = made._exported_program

    def module(self) -> Any:
        """A module that runs the graph on the program's weights; each has its own."""
        return raw.exported_program_module(self)

    @property
    def state_dict(self) -> dict[str, Tensor]:
        return from_value(raw.exported_program_state_dict(self))

    @property
    def constants(self) -> dict[str, Tensor]:
        return from_value(raw.exported_program_constants(self))

    @property
    def example_inputs(self) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        return from_value(raw.exported_program_example_inputs(self))

    @property
    def range_constraints(self) -> dict[str, list[int | None]]:
        return from_value(raw.exported_program_range_constraints(self))

    @property
    def metadata(self) -> dict[str, Any]:
        return from_value(raw.exported_program_metadata(self))

    def missing_operators(self) -> list[str]:
        """The operators that it calls and that are not here."""
        return from_value(raw.exported_program_missing_operators(self))

    def __str__(self) -> str:
        return str(raw.exported_program_text(self))


def load(f: Any, model_name: str | None = None) -> ExportedProgram:
    """Read a program from a path, a stream or bytes."""
    with reading(f) as file:
        return ExportedProgram(raw.exported_program_open(file, model_name))


__all__ = ["ExportedProgram", "load"]
