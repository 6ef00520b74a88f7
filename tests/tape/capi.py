"""Tapes through cffi: what Python's torch does in this thread is captured, and replayed beside it.

tape = Tape(x)
(y,) = tape.end(model(x))
tape.replay(batch)
assert torch.equal(y, model(batch))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import torch

from tests.harness.capi import CtorchError, ffi, handles, lib, ok, out, string, tensor

__all__ = ["CtorchError", "Tape", "assert_same", "bits", "capture", "refusal", "same"]


class Tape:
    def __init__(self, *inputs: torch.Tensor, fast: bool = False, verify: bool = False):
        begun = out("ctorch_tape *")
        ok(lib.ctorch_tape_begin(begun, *handles(list(inputs)), fast, verify))
        self.owned = ffi.gc(begun[0], lib.ctorch_tape_release)

    def end(self, *outputs: torch.Tensor) -> list[torch.Tensor]:
        ok(lib.ctorch_tape_end(self.owned, *handles(list(outputs))))
        return self.outputs()

    def outputs(self) -> list[torch.Tensor]:
        listed = out("ctorch_tensor_list *")
        ok(lib.ctorch_tape_outputs(listed, self.owned))
        tensors = []
        for i in range(lib.ctorch_tensor_list_len(listed[0])):
            one = out("ctorch_tensor *")
            ok(lib.ctorch_tensor_list_get(one, listed[0], i))
            tensors.append(tensor(one[0]))
        lib.ctorch_tensor_list_release(listed[0])
        return tensors

    def replay(self, *inputs: torch.Tensor) -> None:
        ok(lib.ctorch_tape_replay(self.owned, *handles(list(inputs))))

    def text(self) -> str:
        made = out("ctorch_string *")
        ok(lib.ctorch_tape_text(made, self.owned))
        return string(made[0])

    def bytes(self) -> int:
        return lib.ctorch_tape_bytes(self.owned)

    def steps(self) -> list[tuple[str, str]]:
        """Each operator, and by which way it is run again."""
        rows = [line.split() for line in self.text().splitlines()[2:]]
        return [(row[1].removeprefix("aten::"), row[2]) for row in rows]

    def ways(self) -> Counter[str]:
        return Counter(way for _, way in self.steps())

    def release(self) -> None:
        ffi.release(self.owned)


def capture(step: Callable[..., Any], *inputs: torch.Tensor, **options: bool) -> tuple[Tape, list[torch.Tensor]]:
    """The tape of `step(*inputs)`, and where its outputs are found. An error of the step is raised."""
    tape = Tape(*inputs, **options)
    try:
        made = step(*inputs)
    except BaseException:
        tape.release()
        raise
    made = () if made is None else (made,) if isinstance(made, torch.Tensor) else made
    return tape, tape.end(*(t.detach() for t in made))


def refusal(step: Callable[..., Any], *inputs: torch.Tensor) -> tuple[str, str]:
    """The kind and the message of the error that the end of this step answers."""
    tape = Tape(*inputs)
    try:
        step(*inputs)
    finally:
        try:
            tape.end()
        except CtorchError as error:
            answer = error.kind, error.message
        else:
            answer = "OK", ""
    return answer


def bits(t: torch.Tensor) -> torch.Tensor:
    """The bytes of the values, in their order."""
    t = t.detach().resolve_conj().resolve_neg()
    return torch.empty(t.shape, dtype=t.dtype).copy_(t).flatten().view(torch.uint8)


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors are the same, bit for bit."""
    return a.shape == b.shape and a.dtype == b.dtype and torch.equal(bits(a), bits(b))


def assert_same(found: Iterable[torch.Tensor], expected: Iterable[torch.Tensor], what: str = "") -> None:
    found, expected = list(found), list(expected)
    assert len(found) == len(expected), what
    for i, (a, b) in enumerate(zip(found, expected)):
        assert same(a, b), f"{what} {i}: {a} is not {b}"
