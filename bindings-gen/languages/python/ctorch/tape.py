"""Tapes: a step that runs once, and is replayed without dispatch, allocations and autograd.

    @ctorch.capture(x)          # or: step = ctorch.capture(x)(model)
    def step(x):
        return model(x)

    y = step(batch)             # as if the function had been called with `batch`

What is noted are the operators that the function calls; what Python does between them is not done again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import objects, raw
from .tensor import Tensor


class Tape(objects.Tape):
    """A captured step, which is called with tensors like those that it was captured with.

    The outputs are the same tensors after each call, with other values: clone what is to be kept.
    """

    def __init__(
        self, function: Callable[..., Any], inputs: Sequence[Tensor] = (), *, fast: bool = False, verify: bool = False
    ) -> None:
        with raw.tape_begin(list(inputs), fast, verify) as made:  # closed by an error, it notes no more
            results = function(*inputs)
            self._single = isinstance(results, Tensor)
            raw.tape_end(made, [results] if self._single else list(results or ()))
            self._outputs = tuple(raw.tape_outputs(made))
            self._tape = made._tape

    @property
    def outputs(self) -> Any:
        """What the function gave: a tensor, or a tuple of tensors."""
        return self._outputs[0] if self._single else self._outputs

    def __call__(self, *inputs: Tensor) -> Any:
        """Make the step with these inputs, which are copied."""
        raw.tape_replay(self, list(inputs))
        return self.outputs

    @property
    def nbytes(self) -> int:
        """The memory that it keeps."""
        return raw.tape_bytes(self)

    def __str__(self) -> str:
        return str(raw.tape_text(self))


def capture(*inputs: Tensor, fast: bool = False, verify: bool = False) -> Callable[[Callable[..., Any]], Tape]:
    """What captures a function when it is called with it: the function runs once, with these inputs.

    With `fast` results may differ in the last digits; with `verify` each call is compared with the operators, one by
    one.
    """
    return lambda function: Tape(function, inputs, fast=fast, verify=verify)
