"""Tokenizers, with the names of the packages `tokenizers` and `tiktoken`, and vocabularies, with torchtext's.

tokenizer = ctorch.text.Tokenizer.from_file("tokenizer.json")
encoding = tokenizer.encode("a text", "and another")
print(encoding.tokens, encoding.ids, encoding.offsets)
ids = tokenizer.encode_tensor("a text")          # a ctorch.Tensor of int64
batch = tokenizer.encode_batch(["one", "two texts"])
print(tokenizer.decode(encoding.ids))

gpt4 = ctorch.text.Tiktoken("cl100k_base.tiktoken", "cl100k_base")
print(gpt4.decode(gpt4.encode("a text")))

vocab = ctorch.text.build_vocab_from_iterator((line.split() for line in lines), specials=["<unk>"])
vocab.set_default_index(vocab["<unk>"])
indices = vocab(["a", "text"])

trained = ctorch.text.train_from_iterator(tokenizer, lines, vocab_size=8000, special_tokens=["[UNK]"])
trained.save("tokenizer.json")
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from ctypes import byref, c_bool, c_int64
from typing import Any

from . import objects, raw
from .arguments import NOTHING, NotAnArgument, as_texts
from .library import native
from .streams import reading
from .tensor import Tensor
from .values import checked, from_value


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

    def save(self, path: str, pretty: bool = True) -> None:
        """Write a `tokenizer.json`: it is there as a whole, or what was there before."""
        raw.tokenizer_save(self, path, pretty)

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
        texts: Sequence[str | tuple[str, str]],
        pairs: Sequence[str] | None = None,
        add_special_tokens: bool = True,
        num_threads: int = 0,
    ) -> EncodingBatch:
        """Encode several texts and pairs of texts, on so many threads; 0: as many as there are processors."""
        if pairs is None and any(isinstance(text, tuple | list) for text in texts):
            both = [text if isinstance(text, tuple | list) else (text, None) for text in texts]
            if not all(len(pair) == 2 for pair in both):
                raise TypeError("encode_batch(): argument 'texts' must hold texts, and pairs of texts")
            return self._encode_pairs(both, add_special_tokens, num_threads)
        return EncodingBatch(raw.tokenizer_encode_batch(self, texts, None, pairs, add_special_tokens, num_threads))

    def _encode_pairs(
        self, both: list[Sequence[str | None]], add_special_tokens: bool, num_threads: int
    ) -> EncodingBatch:
        """Where a text has no second one, C gets NULL for it."""
        handle = objects.EncodingBatchHandle()
        try:
            texts, texts_len = as_texts([first for first, _ in both])
            pairs, pairs_len = as_texts(["" if second is None else second for _, second in both])
        except NotAnArgument as error:
            why = str(error) or "must hold texts, and pairs of texts"
            raise TypeError(f"encode_batch(): argument 'texts' {why}") from None
        for i, (_, second) in enumerate(both):
            if second is None:
                pairs[i] = None
        given = (texts, texts_len, *NOTHING, pairs, pairs_len, c_bool(add_special_tokens), c_int64(num_threads))
        checked(native.ctorch_tokenizer_encode_batch(byref(handle), self._tokenizer, *given))
        return EncodingBatch(objects.EncodingBatch(handle))

    def encode_tensor(self, text: str, add_special_tokens: bool = True) -> Tensor:
        """The ids alone, as a tensor of int64."""
        return raw.tokenizer_encode_tensor(self, text.encode(), add_special_tokens)  # type: ignore[no-any-return]

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return str(raw.tokenizer_decode(self, list(ids), skip_special_tokens))

    def decode_batch(self, ids: Tensor | Sequence[Iterable[int]], skip_special_tokens: bool = True) -> list[str]:
        """The texts of the rows of a tensor, or of lists of ids, which may differ in length."""
        if not isinstance(ids, Tensor):
            return [self.decode(row, skip_special_tokens) for row in ids]
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

    @property
    def truncation(self) -> dict[str, Any] | None:
        """What enable_truncation was told."""
        return from_value(raw.tokenizer_truncation(self))  # type: ignore[no-any-return]

    @property
    def padding(self) -> dict[str, Any] | None:
        """What enable_padding was told."""
        return from_value(raw.tokenizer_padding(self))  # type: ignore[no-any-return]

    @property
    def encode_special_tokens(self) -> bool:
        """Whether special tokens in texts are treated like any other text."""
        return raw.tokenizer_encode_special_tokens(self)

    @encode_special_tokens.setter
    def encode_special_tokens(self, value: bool) -> None:
        raw.tokenizer_set_encode_special_tokens(self, value)

    @property
    def dropout(self) -> float:
        """With which probability a merge of BPE is left out."""
        return raw.tokenizer_dropout(self)

    def set_dropout(self, dropout: float, seed: int = 0) -> None:
        """Leave merges of BPE out by chance; a seed gives the same tokens again."""
        raw.tokenizer_set_dropout(self, dropout, seed)

    def set_limit(self, limit: int) -> None:
        """How many bytes a call may take for a text, beyond 1,024 for each of its bytes; ValueError beyond."""
        raw.tokenizer_set_limit(self, limit)

    def decode_stream(self, ids: Iterable[int], skip_special_tokens: bool = True) -> Iterator[str]:
        """The text of one id after the other, as soon as its characters are complete."""
        stream = raw.decode_stream_new(self, skip_special_tokens)
        for id in ids:
            text = raw.decode_stream_step(stream, id)
            if text is not None:
                yield str(text)


def train_from_iterator(
    tokenizer: Tokenizer,
    iterator: Iterable[str],
    *,
    vocab_size: int = 30000,
    min_frequency: int = 0,
    special_tokens: Sequence[str] = (),
    initial_alphabet: Iterable[str] = (),
    byte_level: bool = False,
    limit_alphabet: int | None = None,
    max_token_length: int | None = None,
    continuing_subword_prefix: str | None = None,
    end_of_word_suffix: str | None = None,
    unk_token: str | None = None,
    shrinking_factor: float = 0.75,
    max_piece_length: int = 16,
    n_sub_iterations: int = 2,
) -> Tokenizer:
    """A tokenizer like this one, whose model's vocabulary is learnt from texts.

    The options are those of tokenizers' BpeTrainer, WordPieceTrainer, WordLevelTrainer or UnigramTrainer: what another
    kind of model has must not be given. `byte_level` adds the characters that stand for bytes to the initial alphabet.
    """
    trainer = raw.tokenizer_trainer_new(tokenizer, vocab_size, min_frequency)
    raw.tokenizer_trainer_add_special_tokens(trainer, list(special_tokens))
    alphabet = "".join(initial_alphabet)
    if alphabet or byte_level:
        raw.tokenizer_trainer_set_initial_alphabet(trainer, alphabet.encode(), byte_level)
    if limit_alphabet is not None or max_token_length is not None:
        limits = [-1 if limit is None else limit for limit in (limit_alphabet, max_token_length)]
        raw.tokenizer_trainer_set_limits(trainer, *limits)
    if continuing_subword_prefix is not None or end_of_word_suffix is not None:
        raw.tokenizer_trainer_set_affixes(trainer, continuing_subword_prefix, end_of_word_suffix)
    unigram = (unk_token, shrinking_factor, max_piece_length, n_sub_iterations)
    if unigram != (None, 0.75, 16, 2):
        raw.tokenizer_trainer_set_unigram(trainer, *unigram)
    for text in iterator:
        raw.tokenizer_trainer_feed(trainer, text.encode())
    return Tokenizer(raw.tokenizer_trainer_train(trainer))


class Vocab(objects.Vocab):
    """Tokens with the indices 0, 1, 2 …, as torchtext's Vocab has them."""

    __slots__ = ()

    def __init__(self, tokens: Iterable[str] | objects.Vocab = ()) -> None:
        made = tokens if isinstance(tokens, objects.Vocab) else raw.vocab_new(list(tokens))
        self._vocab = made._vocab

    @classmethod
    def from_file(cls, f: Any) -> Vocab:
        """Read a path or a stream: a token a line."""
        with reading(f) as file:
            return cls(raw.vocab_open(file))

    def save(self, path: str) -> None:
        raw.vocab_save(self, path)

    def __len__(self) -> int:
        return raw.vocab_len(self)

    def __contains__(self, token: str) -> bool:
        return raw.vocab_contains(self, token.encode())

    def __getitem__(self, token: str) -> int:
        return raw.vocab_lookup_index(self, token.encode())

    def __call__(self, tokens: Sequence[str]) -> list[int]:
        return self.lookup_indices(tokens)

    def lookup_indices(self, tokens: Sequence[str]) -> list[int]:
        return self.lookup_tensor(tokens).tolist()  # type: ignore[no-any-return]

    def lookup_tensor(self, tokens: Sequence[str]) -> Tensor:
        """The indices as a tensor of int64."""
        return raw.vocab_lookup_indices(self, list(tokens))  # type: ignore[no-any-return]

    def lookup_token(self, index: int) -> str:
        return str(raw.vocab_lookup_token(self, index))

    def lookup_tokens(self, indices: Iterable[int]) -> list[str]:
        return from_value(raw.vocab_lookup_tokens(self, list(indices)))  # type: ignore[no-any-return]

    def append_token(self, token: str) -> None:
        raw.vocab_append_token(self, token.encode())

    def insert_token(self, token: str, index: int) -> None:
        raw.vocab_insert_token(self, token.encode(), index)

    def set_default_index(self, index: int | None) -> None:
        """What stands for tokens that are not there; None: they are an error."""
        raw.vocab_set_default_index(self, index)

    def get_default_index(self) -> int | None:
        index, is_set = raw.vocab_default_index(self)
        return index if is_set else None

    def get_itos(self) -> list[str]:
        return from_value(raw.vocab_itos(self))  # type: ignore[no-any-return]

    def get_stoi(self) -> dict[str, int]:
        return from_value(raw.vocab_stoi(self))  # type: ignore[no-any-return]


def build_vocab_from_iterator(
    iterator: Iterable[Sequence[str]],
    min_freq: int = 1,
    specials: Sequence[str] | None = None,
    special_first: bool = True,
    max_tokens: int | None = None,
) -> Vocab:
    """The most frequent tokens of texts that are divided already, as torchtext counts them."""
    counter = raw.vocab_counter_new()
    for tokens in iterator:
        raw.vocab_counter_update(counter, list(tokens))
    return Vocab(raw.vocab_counter_build(counter, min_freq, max_tokens, list(specials or ()), special_first))


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


__all__ = [
    "Encoding",
    "EncodingBatch",
    "Tiktoken",
    "Tokenizer",
    "Vocab",
    "build_vocab_from_iterator",
    "train_from_iterator",
]
