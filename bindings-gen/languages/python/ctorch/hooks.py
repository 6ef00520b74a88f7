"""Hooks on tensors and on nodes of the graph."""

from __future__ import annotations

from . import raw


class RemovableHook:
    """A registered hook. `remove()`, or the end of a `with` block, takes it away; forgetting the object does not."""

    def __init__(self, hook: raw.Hook) -> None:
        self._hook = hook

    def remove(self) -> None:
        raw.hook_remove(self._hook)

    def __enter__(self) -> RemovableHook:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()
