"""Weights in several files, as Hugging Face has them.

ctorch.sharded.save(model.state_dict(), "folder", max_shard_size=2 * 10**9)
model.load_state_dict(ctorch.sharded.load("folder"))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import raw
from .plain_data import device as Device
from .streams import path_of
from .tensor import Tensor
from .weights import Weights


def save(
    tensors: Mapping[str, Tensor],
    path: Any,
    metadata: Mapping[str, str] | None = None,
    *,
    format: str = "safetensors",  # noqa: A002
    max_shard_size: int = 0,
) -> None:
    """Write tensors to a folder that is there, or by the path of an index (`huggingface_hub.save_torch_state_dict`).

    `format` is "safetensors" or "pt". A file has at most `max_shard_size` bytes of tensors; 0 is 5 GB.
    """
    made = None if metadata is None else dict(metadata)
    raw.sharded_write(dict(tensors), made, path_of(path), format, max_shard_size)


def load(path: Any, device: str | Device = "cpu") -> dict[str, Tensor]:
    """Read all tensors of a folder, of the files that an index lists, or of one file."""
    with Weights(path) as weights:
        return weights.load(device)


__all__ = ["load", "save"]
