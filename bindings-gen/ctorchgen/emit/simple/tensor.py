"""The parts of tensor.spl that do not follow from the model: what stands before, in and after the class Tensor.

They lie in text/. operators.py puts a method for each operator of a tensor at the end of the class; a
method that is there already wins.
"""

from __future__ import annotations

import re
from pathlib import Path

from ...vocabulary import names_in


def simple_text(name: str) -> str:
    """A file of text/."""
    return Path(__file__).with_name("text").joinpath(f"{name}.spl").read_text()


TENSOR_HEAD = simple_text("tensor_head")
TENSOR_CLASS = simple_text("tensor_class")
TENSOR_FUNCTIONS = simple_text("tensor_functions")
_WHOLE = TENSOR_HEAD + TENSOR_CLASS + TENSOR_FUNCTIONS
_DECLARED = re.findall(r"^fn (\w+)", _WHOLE, re.MULTILINE)

# What other modules may import.
TENSOR_EXPORTS = ["Scope", "Tensor", "Tuple", *_DECLARED]
# What these texts use of ffi.spl, of words.spl and of constants.spl.
TENSOR_CALLS = sorted(names_in(_WHOLE) - {"ctorch_block"})
TENSOR_WORDS = sorted(
    set(re.findall(r"\b(?:word_of_\w+|release_\w+|\w+_of_word)\b(?=\()", _WHOLE)) - set(_DECLARED) - {"word_of_text"}
)
TENSOR_CONSTANTS = sorted(set(re.findall(r"\b(?:DTYPE|DEVICE_TYPE|ERROR)_[A-Z0-9_]+\b", _WHOLE)))
