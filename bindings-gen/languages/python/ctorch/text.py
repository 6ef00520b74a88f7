"""Tokenizers, with the names of the packages `tokenizers` and `tiktoken`.

tokenizer = ctorch.text.Tokenizer.from_file("tokenizer.json")
encoding = tokenizer.encode("a text", "and another")
print(encoding.tokens, encoding.ids, encoding.offsets)
ids = tokenizer.encode_tensor("a text")          # a ctorch.Tensor of int64
batch = tokenizer.encode_batch(["one", "two texts"])
print(tokenizer.decode(encoding.ids))

gpt4 = ctorch.text.Tiktoken("cl100k_base.tiktoken", "cl100k_base")
print(gpt4.decode(gpt4.encode("a text")))
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import objects, raw
from .streams import reading
from .tensor import Tensor
from .values import from_value


class Encoding(objects.Encoding):
    """What a tokenizer makes of a text: columns with an entry for each token."""

    __slots__ = ()

    def __init__(self, made: objects.Encoding) -> None:
        self._encoding = made._encoding

    def __len__(self) -> int:
        return raw.encoding_len(self)

    def _column(self, name: str) -> list[int]:
        return list(raw.encoding_column(self, name))

    def _optional_column(self, name: str) -> list[int | None]:
        return [None if number < 0 else number for number in raw.encoding_column(self, name)]

    @property
    def ids(self) -> list[int]:
        return self._column("ids")

    @property
    def type_ids(self) -> list[int]:
        return self._column("type_ids")

    @property
    def attention_mask(self) -> list[int]:
        return self._column("attention_mask")

    @property
    def special_tokens_mask(self) -> list[int]:
        return self._column("special_tokens_mask")

    @property
    def word_ids(self) -> list[int | None]:
        return self._optional_column("word_ids")

    @property
    def sequence_ids(self) -> list[int | None]:
        return self._optional_column("sequence_ids")

    @property
    def tokens(self) -> list[str]:
        return [raw.encoding_token(self, i) for i in range(len(self))]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Where the tokens stand in their text, in characters."""
        return list(zip(self._column("starts"), self._column("ends"), strict=True))

    @property
    def byte_offsets(self) -> list[tuple[int, int]]:
        """The same in bytes of UTF-8."""
        return list(zip(self._column("byte_starts"), self._column("byte_ends"), strict=True))

    @property
    def overflowing(self) -> list[Encoding]:
        """What truncation has cut off."""
        return [Encoding(raw.encoding_overflowing(self, i)) for i in range(raw.encoding_overflowing_len(self))]

    def tensor(self, column: str = "ids") -> Tensor:
        """A column as a tensor of int64."""
        return raw.encoding_tensor(self, column)  # type: ignore[no-any-return]


class EncodingBatch(objects.EncodingBatch):
    """Encodings of several texts."""

    __slots__ = ()

    def __init__(self, made: objects.EncodingBatch) -> None:
        self._encoding_batch = made._encoding_batch

    def __len__(self) -> int:
        return raw.encoding_batch_len(self)

    def __getitem__(self, index: int) -> Encoding:
        len_ = len(self)
        if not -len_ <= index < len_:
            raise IndexError(index)
        return Encoding(raw.encoding_batch_at(self, index % len_))

    def __iter__(self) -> Iterator[Encoding]:
        return (self[i] for i in range(len(self)))

    def tensor(self, column: str = "ids", fill_value: int = 0) -> Tensor:
        """A column of all of them, [encodings, tokens of the longest]; shorter ones are filled up."""
        return raw.encoding_batch_tensor(self, column, fill_value)  # type: ignore[no-any-return]


class Tokenizer(objects.Tokenizer):
    """What a `tokenizer.json` describes. Several threads may encode and decode with it at once."""

    __slots__ = ()

    def __init__(self, made: objects.Tokenizer) -> None:
        self._tokenizer = made._tokenizer

    @classmethod
    def from_file(cls, f: Any) -> Tokenizer:
        """Read a path or a stream."""
        with reading(f) as file:
            return cls(raw.tokenizer_open(file))

    @classmethod
    def from_str(cls, json: str) -> Tokenizer:
        return cls.from_buffer(json.encode())

    @classmethod
    def from_buffer(cls, data: bytes) -> Tokenizer:
        with reading(data) as file:
            return cls(raw.tokenizer_open(file))

    def to_str(self, pretty: bool = False) -> str:
        return str(raw.tokenizer_to_json(self, pretty))

    def encode(
        self,
        sequence: str | Sequence[str],
        pair: str | Sequence[str] | None = None,
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> Encoding:
        if is_pretokenized:
            return Encoding(raw.tokenizer_encode_words(self, sequence, pair, add_special_tokens))
        return Encoding(raw.tokenizer_encode(self, _bytes(sequence), _bytes(pair), add_special_tokens))

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        add_special_tokens: bool = True,
        num_threads: int = 0,
    ) -> EncodingBatch:
        """Encode several texts on so many threads; 0: as many as there are processors."""
        return EncodingBatch(raw.tokenizer_encode_batch(self, texts, None, pairs, add_special_tokens, num_threads))

    def encode_tensor(self, text: str, add_special_tokens: bool = True) -> Tensor:
        """The ids alone, as a tensor of int64."""
        return raw.tokenizer_encode_tensor(self, text.encode(), add_special_tokens)  # type: ignore[no-any-return]

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return str(raw.tokenizer_decode(self, list(ids), skip_special_tokens))

    def decode_batch(self, ids: Tensor, skip_special_tokens: bool = True) -> list[str]:
        """The texts of the rows of a tensor."""
        return from_value(raw.tokenizer_decode_batch(self, ids, skip_special_tokens))  # type: ignore[no-any-return]

    def token_to_id(self, token: str) -> int | None:
        try:
            return raw.tokenizer_token_to_id(self, token.encode())
        except IndexError:
            return None

    def id_to_token(self, id: int) -> str | None:
        try:
            return str(raw.tokenizer_id_to_token(self, id))
        except IndexError:
            return None

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        return raw.tokenizer_vocab_size(self, with_added_tokens)

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        return from_value(raw.tokenizer_vocab(self, with_added_tokens))  # type: ignore[no-any-return]

    def add_tokens(self, tokens: Sequence[str]) -> int:
        """Add tokens, and say how many are new."""
        return raw.tokenizer_add_tokens(self, tokens, False)

    def add_special_tokens(self, tokens: Sequence[str]) -> int:
        return raw.tokenizer_add_tokens(self, tokens, True)

    def enable_truncation(
        self, max_length: int, stride: int = 0, strategy: str = "longest_first", direction: str = "right"
    ) -> None:
        raw.tokenizer_enable_truncation(self, max_length, stride, strategy, direction)

    def no_truncation(self) -> None:
        raw.tokenizer_no_truncation(self)

    def enable_padding(
        self,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",
        length: int | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> None:
        """Pad to a length, or without one to the longest of a batch."""
        raw.tokenizer_enable_padding(
            self, pad_id, pad_type_id, pad_token, -1 if length is None else length, pad_to_multiple_of or 0, direction
        )

    def no_padding(self) -> None:
        raw.tokenizer_no_padding(self)

    def decode_stream(self, ids: Iterable[int], skip_special_tokens: bool = True) -> Iterator[str]:
        """The text of one id after the other, as soon as its characters are complete."""
        stream = raw.decode_stream_new(self, skip_special_tokens)
        for id in ids:
            text = raw.decode_stream_step(stream, id)
            if text is not None:
                yield str(text)


class Tiktoken(objects.Tiktoken):
    """tiktoken's encoding of the ranks in a file: one that is published by its name, or of a pattern of your own."""

    __slots__ = ()

    def __init__(
        self,
        ranks: Any,
        name: str | None = None,
        *,
        pat_str: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
    ) -> None:
        if (name is None) == (pat_str is None):
            raise TypeError("Tiktoken: one of name and pat_str is needed")
        with reading(ranks) as file:
            if name is not None:
                made = raw.tiktoken_open_named(file, name)
            else:
                special = special_tokens or {}
                made = raw.tiktoken_open(file, pat_str, list(special), list(special.values()))
        self._tiktoken = made._tiktoken

    def encode_ordinary(self, text: str) -> list[int]:
        return raw.tiktoken_encode_ordinary(self, text.encode()).tolist()  # type: ignore[no-any-return]

    def encode(
        self,
        text: str,
        *,
        allowed_special: str | Collection[str] = (),
        disallowed_special: str | Collection[str] = "all",
    ) -> list[int]:
        """As in tiktoken: a special token in a text is an error, unless it is allowed or not disallowed."""
        allowed, disallowed = _choice(allowed_special), _choice(disallowed_special)
        return raw.tiktoken_encode(self, text.encode(), allowed, disallowed).tolist()  # type: ignore[no-any-return]

    def decode(self, ids: Iterable[int]) -> str:
        """A text; bytes that are no UTF-8 become U+FFFD."""
        return str(raw.tiktoken_decode(self, list(ids)))

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        return bytes(raw.tiktoken_decode_bytes(self, list(ids)).tolist())

    @property
    def n_vocab(self) -> int:
        return raw.tiktoken_vocab_size(self)


def _bytes(text: Any) -> bytes | None:
    return None if text is None else text.encode()


def _choice(special: str | Collection[str]) -> list[str]:
    return ["all"] if special == "all" else list(special)


__all__ = ["Encoding", "EncodingBatch", "Tiktoken", "Tokenizer"]
