"""Emitters: each takes the model and returns files as text. No disk, no clock, no order of its own."""

from __future__ import annotations

from typing import Protocol

from ..api import Api


class Emitter(Protocol):
    """It may have two attributes: `functions` and `constants`, sets of the C names that it treats in a way of its own.
    vocabulary.py checks that the API has them.
    """

    def emit(self, api: Api) -> dict[str, str]:
        """Path, relative to the emitter's output folder -> text."""
        ...
