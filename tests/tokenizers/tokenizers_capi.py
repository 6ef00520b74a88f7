"""ctorch's tokenizers, beside those of the tokenizers package."""

from __future__ import annotations

from typing import Any

from tests.harness.capi import ffi, lib, ok, out


def read_string(string: Any) -> str:
    data = ffi.buffer(lib.ctorch_string_data(string), lib.ctorch_string_len(string))[:]
    lib.ctorch_string_release(string)
    return data.decode()


def python_of(value: Any) -> Any:
    """A dict, a list, a text, a number or None, as Python has it; the value is released."""
    data, length, number, made = ffi.new("char **"), ffi.new("size_t *"), ffi.new("int64_t *"), out("ctorch_value *")
    try:
        kind = lib.ctorch_value_kind_of(value)
        if kind == lib.CTORCH_VALUE_NONE:
            return None
        if kind == lib.CTORCH_VALUE_INT:
            ok(lib.ctorch_value_to_int(number, value))
            return number[0]
        if kind == lib.CTORCH_VALUE_STRING:
            ok(lib.ctorch_value_to_string(data, length, value))
            return ffi.buffer(data[0], length[0])[:].decode()
        if kind == lib.CTORCH_VALUE_LIST:
            entries = []
            for i in range(lib.ctorch_value_len(value)):
                ok(lib.ctorch_value_get(made, value, i))
                entries.append(python_of(made[0]))
            return entries
        ok(lib.ctorch_value_dict_keys(made, value))
        keys = python_of(made[0])
        ok(lib.ctorch_value_dict_values(made, value))
        return dict(zip(keys, python_of(made[0]), strict=True))
    finally:
        lib.ctorch_value_release(value)


COLUMNS = (
    "ids", "type_ids", "word_ids", "sequence_ids", "attention_mask", "special_tokens_mask", "starts", "ends",
    "byte_starts", "byte_ends",
)  # fmt: skip


class Encoding:
    """What an encoding has, read at once."""

    def __init__(self, handle: Any) -> None:
        for name in COLUMNS:
            numbers, length = ffi.new("int64_t **"), ffi.new("size_t *")
            ok(lib.ctorch_encoding_column(numbers, length, handle, name.encode()))
            setattr(self, name, ffi.unpack(numbers[0], length[0]) if length[0] else [])
        self.tokens = []
        for i in range(lib.ctorch_encoding_len(handle)):
            text, length = ffi.new("char **"), ffi.new("size_t *")
            ok(lib.ctorch_encoding_token(text, length, handle, i))
            self.tokens.append(ffi.buffer(text[0], length[0])[:].decode())
        self.overflowing = []
        for i in range(lib.ctorch_encoding_overflowing_len(handle)):
            part = out("ctorch_encoding *")
            ok(lib.ctorch_encoding_overflowing(part, handle, i))
            self.overflowing.append(Encoding(part[0]))
            lib.ctorch_encoding_release(part[0])

    @property
    def offsets(self) -> list[tuple[int, int]]:
        return list(zip(self.starts, self.ends))


class Tokenizer:
    def __init__(self, json: str | bytes) -> None:
        data = json.encode() if isinstance(json, str) else json
        reader, handle = out("ctorch_reader *"), out("ctorch_tokenizer *")
        ok(lib.ctorch_reader_from_data(reader, data, len(data), ffi.NULL, ffi.NULL))
        try:
            ok(lib.ctorch_tokenizer_open(handle, reader[0]))
        finally:
            lib.ctorch_reader_release(reader[0])
        self.handle = ffi.gc(handle[0], lib.ctorch_tokenizer_release)

    def encode(self, text, pair=None, add_special_tokens: bool = True) -> Encoding:
        result = out("ctorch_encoding *")
        if isinstance(text, str):
            a, b = text.encode(), ffi.NULL if pair is None else pair.encode()
            b = b if pair is None else ffi.from_buffer("char[]", b, require_writable=False) if b else ffi.new("char[1]")
            ok(lib.ctorch_tokenizer_encode(
                result, self.handle, a, len(a), b, 0 if pair is None else len(pair.encode()), add_special_tokens))  # fmt: skip  # noqa: E501
        else:
            ok(lib.ctorch_tokenizer_encode_words(
                result, self.handle, *texts_of(text), *((ffi.NULL, 0) if pair is None else texts_of(pair)),
                add_special_tokens))  # fmt: skip
        encoding = Encoding(result[0])
        lib.ctorch_encoding_release(result[0])
        return encoding

    def encode_batch(self, texts, pairs=None, add_special_tokens: bool = True, num_threads: int = 2) -> list[Encoding]:
        result = out("ctorch_encoding_batch *")
        data, length = texts_of(texts)
        lens = [len(t.encode()) for t in texts]
        ok(lib.ctorch_tokenizer_encode_batch(
            result, self.handle, data, length, lens, len(lens), *((ffi.NULL, 0) if pairs is None else texts_of(pairs)),
            add_special_tokens, num_threads))  # fmt: skip
        encodings = []
        for i in range(lib.ctorch_encoding_batch_len(result[0])):
            one = out("ctorch_encoding *")
            ok(lib.ctorch_encoding_batch_at(one, result[0], i))
            encodings.append(Encoding(one[0]))
            lib.ctorch_encoding_release(one[0])
        lib.ctorch_encoding_batch_release(result[0])
        return encodings

    def decode(self, ids: list[int], skip_special_tokens: bool = True) -> str:
        result = out("ctorch_string *")
        ok(lib.ctorch_tokenizer_decode(result, self.handle, ids, len(ids), skip_special_tokens))
        return read_string(result[0])

    def to_json(self, pretty: bool = False) -> str:
        result = out("ctorch_string *")
        ok(lib.ctorch_tokenizer_to_json(result, self.handle, pretty))
        return read_string(result[0])


def texts_of(texts) -> tuple[Any, int]:
    kept = [ffi.new("char[]", text.encode()) for text in texts]
    return ffi.gc(ffi.new("char *[]", kept), lambda _, k=kept: None), len(kept)


def byte_offsets(text: str, offsets: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Offsets in characters as those in bytes of UTF-8."""
    at = [0]
    for character in text:
        at.append(at[-1] + len(character.encode()))
    return [(at[a], at[b]) for a, b in offsets]


def assert_same(ours: Encoding, theirs: Any, about: Any, is_part: bool = False) -> None:
    """Every column of an encoding, and of what was cut off. The package's parts have parts of their own, which say the
    same again."""
    assert ours.ids == theirs.ids, about
    assert ours.tokens == theirs.tokens, about
    assert ours.offsets == theirs.offsets, about
    assert ours.type_ids == theirs.type_ids, about
    assert [None if w < 0 else w for w in ours.word_ids] == theirs.word_ids, about
    assert [None if s < 0 else s for s in ours.sequence_ids] == theirs.sequence_ids, about
    assert ours.attention_mask == theirs.attention_mask, about
    assert ours.special_tokens_mask == theirs.special_tokens_mask, about
    if is_part:
        assert ours.overflowing == [], about
        return
    assert len(ours.overflowing) == len(theirs.overflowing), about
    for one, other in zip(ours.overflowing, theirs.overflowing):
        assert_same(one, other, about, is_part=True)
