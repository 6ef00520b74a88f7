"""Emitters: each takes the model and returns files as text. No disk, no clock, no order of its own."""

from __future__ import annotations

from typing import Protocol

from ..api import Api


class Emitter(Protocol):
    def emit(self, api: Api) -> dict[str, str]:
        """Path, relative to the emitter's output folder -> text."""
        ...
