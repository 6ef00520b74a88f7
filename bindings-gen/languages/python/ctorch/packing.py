"""Sequences of different lengths for recurrent modules, by the names of `torch.nn.utils.rnn`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import utils
from .tensor import Tensor


class PackedSequence(NamedTuple):
    """Sequences without padding, step by step: what recurrent modules take and give."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None = None
    unsorted_indices: Tensor | None = None

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The elements on another device or of another dtype; the sizes stay on the CPU."""
        data = self.data.to(*args, **kwargs)
        orders = [None if order is None else order.to(data.device) for order in self[2:]]
        return PackedSequence(data, self.batch_sizes, *orders)


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack a padded batch (T, B, *), or (B, T, *) if `batch_first`."""
    return PackedSequence(*utils.pack_padded_sequence(input, lengths, batch_first, enforce_sorted))


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """A padded batch, and the lengths, in the order in which the sequences were before they were packed."""
    data, batch_sizes, _, unsorted_indices = sequence
    return utils.pad_packed_sequence(  # type: ignore[no-any-return]
        data, batch_sizes, unsorted_indices, batch_first, padding_value, total_length
    )


def pad_sequence(
    sequences: Tensor | Sequence[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """One batch of sequences (L_i, *), with `padding_value` where they are over."""
    return utils.pad_sequence(list(sequences), batch_first, padding_value, padding_side)  # type: ignore[no-any-return]


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences of a padded batch."""
    return list(utils.unpad_sequence(padded_sequences, lengths, batch_first))


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences (L_i, *)."""
    return PackedSequence(*utils.pack_sequence(list(sequences), enforce_sorted))


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed, in their first order."""
    data, batch_sizes, _, unsorted_indices = packed_sequences
    return list(utils.unpack_sequence(data, batch_sizes, unsorted_indices))


__all__ = [
    "PackedSequence",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]
