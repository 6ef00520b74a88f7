"""What a tape refuses: each message is in docs/tapes.md, and what by its name could be run once is replayed right."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
import torch

from tests.tape.capi import capture, refusal, same

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/tapes.md").read_text()
SECTION = re.search(r"^## Why does a tape refuse this\n(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)[1]
SPANS = re.findall(r"`([^`]+)`", "\n".join(row.split(" | ")[0] for row in re.findall(r"^\| .*", SECTION, re.MULTILINE)))
CALL = re.compile(r"\b(refuse|capture_refuse|refuse_in_capture|fail|fail_refused|fail_argument|fail_tensor)\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
HEAD = "the step cannot be replayed"
OPERATORS = "shim/core/tape/fast/"  # errors of operators there, as LibTorch words them


def argument(code: str, start: int) -> str:
    """What is between the parenthesis that ends at `start` and its counterpart."""
    depth, end = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        end += 1
    return code[start : end - 1]


def texts(code: str, calls: re.Pattern = CALL) -> list[str]:
    """The texts in calls that refuse. One that a variable holds is what was assigned to it or printed into it."""
    found = []
    for call in calls.finditer(code):
        given = argument(code, call.end())
        if re.fullmatch(r"\w+", given):
            given = " ".join(re.findall(rf"\b{given}(?: = |, sizeof {given}, )([^;\n]*)", code))
        found += LITERAL.findall(given)
    return found


@functools.cache
def refusals() -> set[str]:
    """All texts of the tapes' own code, and those by which other rooms refuse to be captured; without lone words."""
    found = []
    for path in sorted((ROOT / "shim").rglob("*.*")):
        if path.suffix in (".c", ".cpp", ".hpp") and not str(path.relative_to(ROOT)).startswith(OPERATORS):
            in_tape = path.parent.name == "tape"
            found += texts(path.read_text(), CALL if in_tape else re.compile(r"\b(capture_refuse|refuse_in_capture)\("))
    parts = (part.strip() for text in found for part in re.split("%s|: ", text))
    return {part for part in parts if " " in part and "see docs" not in part}


def test_texts_are_found_in_calls_and_variables():
    code = 'refuse(name(a) + " reads it"); char r[8]; snprintf(r, sizeof r, "%s is odd", x); capture_refuse(r); f("no")'
    assert texts(code) == [" reads it", "%s is odd"]


def test_each_refusal_is_explained():
    found = refusals()
    assert len(found) > 30
    assert sorted(text for text in found if not any(text in span for span in [*SPANS, HEAD])) == []


def test_each_explanation_is_of_a_refusal():
    known = refusals()
    pieces = {piece.strip(" :,()") for span in SPANS for piece in span.split("…")}
    assert sorted(p for p in pieces if " " in p and not any(p in text or text in p for text in known)) == []


X, Y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([-5.0, 0.5, 7.0])


@pytest.mark.parametrize(
    "step",
    [
        lambda a: torch.linspace(a[0], a[2], 4) * 2,
        lambda a: torch.linspace(a[1], 9.0, 4) * 2,
        lambda a: torch.linspace(-9.0, a[1], 4) * 2,
        lambda a: torch.logspace(a[0], a[1], 4) * 2,
    ],
)
def test_ranges_between_tensors_are_refused_or_right(step):
    kind, message = refusal(step, X)
    if kind == "OK":
        tape, (result,) = capture(step, X)
        tape.replay(Y)
        assert same(result, step(Y))
    else:
        assert kind == "UNSUPPORTED" and "reads values" in message
