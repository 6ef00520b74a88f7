"""Hugging Face's safetensors files, by the names of the package `safetensors.torch`.

ctorch.safetensors.save_file({"weight": weight}, "model.safetensors", metadata={"format": "pt"})
tensors = ctorch.safetensors.load_file("model.safetensors")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import raw
from .modules import Module
from .plain_data import device as Device
from .streams import writing, written
from .tensor import Tensor
from .values import from_value
from .weights import Weights, opened


def save(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a file with these tensors."""
    return written(lambda file: raw.safetensors_write(file, dict(tensors), _dict(metadata)))


def save_file(tensors: Mapping[str, Tensor], filename: Any, metadata: Mapping[str, str] | None = None) -> None:
    """Write tensors to a path or a stream."""
    with writing(filename) as file:
        raw.safetensors_write(file, dict(tensors), _dict(metadata))


def load(data: Any) -> dict[str, Tensor]:
    """The tensors of a file that is there as bytes."""
    with opened(data, "load", "safetensors") as weights:
        return weights.load()


def load_file(filename: Any, device: str | Device = "cpu") -> dict[str, Tensor]:
    """The tensors of a file or a stream."""
    with opened(filename, "load_file", "safetensors") as weights:
        return weights.load(device)


def save_model(model: Module, filename: Any, metadata: Mapping[str, str] | None = None) -> None:
    """Write the state dict of a model whose tensors may share memory: of those that do, one."""
    with writing(filename) as file:
        raw.safetensors_write_model(file, model, _dict(metadata))


def load_model(model: Module, filename: Any, strict: bool = True) -> tuple[list[str], list[str]]:
    """Load a model whose tensors may share memory, from a file of any format; the names that the file lacks, and those
    that the model lacks.
    """
    with Weights(filename) as weights:
        missing, unexpected = raw.safetensors_load_model(model, weights, strict)
    return from_value(missing), from_value(unexpected)


def safe_open(filename: Any, framework: str = "pt", device: str = "cpu") -> Weights:
    """The tensors of a file by their names, each read when it is asked for."""
    if framework not in ("pt", "torch", "pytorch") or str(device) != "cpu":
        raise ValueError("safe_open() reads tensors of torch to the CPU")
    return Weights(filename)


def _dict(metadata: Mapping[str, str] | None) -> dict[str, str] | None:
    return None if metadata is None else dict(metadata)


__all__ = ["load", "load_file", "load_model", "safe_open", "save", "save_file", "save_model"]
