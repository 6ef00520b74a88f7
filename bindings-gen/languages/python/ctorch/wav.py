"""Sounds in WAV files: `sound, sample_rate = ctorch.wav.load("cat.wav")`, as torchaudio.load."""

from __future__ import annotations

from typing import Any

from . import raw
from .streams import reading, writing
from .tensor import Tensor


def save(file: Any, sound: Tensor, sample_rate: int) -> None:
    """Write a sound (channels, frames) to a path or a stream, in the encoding of its dtype."""
    with writing(file) as writer:
        raw.wav_write(writer, sound, sample_rate)


def load(file: Any, frame_offset: int = 0, num_frames: int = -1, normalize: bool = True) -> tuple[Tensor, int]:
    """Read the sound of a path, a stream or bytes: (channels, frames), and its frames per second.

    With `normalize` it is float32 from -1 to 1, otherwise what is stored.
    """
    with reading(file) as reader:
        return raw.wav_read(reader, frame_offset, num_frames, normalize)  # type: ignore[return-value]


__all__ = ["load", "save"]
