"""Which object stands for which trainer of C's, as callbacks get it."""

from __future__ import annotations

from .optimizer_objects import Objects

trainers = Objects("Trainer", "_trainer", lambda handle: b"Trainer")
from_trainer = trainers.of
