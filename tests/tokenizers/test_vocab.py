"""Vocabularies of words: what torchtext's build_vocab_from_iterator and Vocab do, counted by collections.Counter."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import torch

from tests.harness.capi import fails, ffi, lib, ok, out, tensor
from tests.tokenizers.hard_texts import TEXTS, corpus
from tests.tokenizers.tokenizers_capi import python_of, read_string, texts_of


def expected(tokens, min_freq=1, specials=(), special_first=True, max_tokens=None) -> list[str]:
    ordered = sorted(Counter(tokens).items(), key=lambda item: (-item[1], item[0]))
    kept = ordered if max_tokens is None else ordered[: max_tokens - len(specials)]
    words = [word for word, count in kept if count >= min_freq and word not in specials]
    return [*specials, *words] if special_first else [*words, *specials]


class Vocab:
    def __init__(self, handle) -> None:
        self.handle = ffi.gc(handle, lib.ctorch_vocab_release)

    @classmethod
    def of(cls, tokens) -> Vocab:
        handle = out("ctorch_vocab *")
        ok(lib.ctorch_vocab_new(handle, *texts_of(tokens)))
        return cls(handle[0])

    @classmethod
    def built(cls, texts, min_freq=1, specials=(), special_first=True, max_tokens=None) -> Vocab:
        counter, handle = out("ctorch_vocab_counter *"), out("ctorch_vocab *")
        ok(lib.ctorch_vocab_counter_new(counter))
        try:
            for tokens in texts:
                ok(lib.ctorch_vocab_counter_update(counter[0], *texts_of(tokens)))
            most = ffi.NULL if max_tokens is None else ffi.new("int64_t *", max_tokens)
            ok(lib.ctorch_vocab_counter_build(handle, counter[0], min_freq, most, *texts_of(specials), special_first))
        finally:
            lib.ctorch_vocab_counter_release(counter[0])
        return cls(handle[0])

    def default(self, index: int | None) -> None:
        ok(lib.ctorch_vocab_set_default_index(self.handle, ffi.NULL if index is None else ffi.new("int64_t *", index)))

    def index(self, token: str) -> int:
        index = ffi.new("int64_t *")
        ok(lib.ctorch_vocab_lookup_index(index, self.handle, token.encode(), len(token.encode())))
        return index[0]

    def indices(self, tokens) -> torch.Tensor:
        result = out("ctorch_tensor *")
        ok(lib.ctorch_vocab_lookup_indices(result, self.handle, *texts_of(tokens)))
        return tensor(result[0])

    def token(self, index: int) -> str:
        result = out("ctorch_string *")
        ok(lib.ctorch_vocab_lookup_token(result, self.handle, index))
        return read_string(result[0])

    def tokens(self, indices) -> list[str]:
        result = out("ctorch_value *")
        ok(lib.ctorch_vocab_lookup_tokens(result, self.handle, list(indices), len(indices)))
        return python_of(result[0])

    def itos(self) -> list[str]:
        result = out("ctorch_value *")
        ok(lib.ctorch_vocab_itos(result, self.handle))
        return python_of(result[0])

    def append(self, token: str) -> None:
        ok(lib.ctorch_vocab_append_token(self.handle, token.encode(), len(token.encode())))

    def insert(self, token: str, index: int) -> None:
        ok(lib.ctorch_vocab_insert_token(self.handle, token.encode(), len(token.encode()), index))


LINES = [line.split() for line in corpus(1500)]
TOKENS = [token for line in LINES for token in line]


@pytest.mark.parametrize("special_first", [True, False])
@pytest.mark.parametrize("min_freq, max_tokens", [(1, None), (3, None), (2, 60), (1, 10), (1, 100000)])
def test_tokens_come_by_frequency_and_then_by_their_characters(min_freq, max_tokens, special_first):
    specials = ["<unk>", "<pad>", "running"]  # a word of the texts, too
    options = {"min_freq": min_freq, "specials": specials, "special_first": special_first, "max_tokens": max_tokens}
    ours = Vocab.built(LINES, **options)
    assert ours.itos() == expected(TOKENS, **options)
    assert lib.ctorch_vocab_len(ours.handle) == len(ours.itos())


def test_a_vocabulary_without_texts_has_its_special_tokens():
    assert Vocab.built([], specials=["<unk>"]).itos() == ["<unk>"]
    assert Vocab.built([]).itos() == []


def test_lookups():
    vocab = Vocab.built(LINES, specials=["<unk>"])
    words = vocab.itos()
    some = random.Random(3).choices(range(len(words)), k=200)
    assert vocab.indices([words[i] for i in some]).tolist() == some
    assert vocab.indices([]).shape == (0,) and vocab.indices(["<unk>"]).dtype == torch.int64
    assert vocab.tokens(some) == [words[i] for i in some]
    assert [vocab.index(words[i]) for i in some[:20]] == some[:20]
    assert [vocab.token(i) for i in some[:20]] == [words[i] for i in some[:20]]
    assert lib.ctorch_vocab_contains(vocab.handle, b"<unk>", 5)
    assert not lib.ctorch_vocab_contains(vocab.handle, b"<unk>", 4)
    index = ffi.new("int64_t *")
    assert fails(lib.ctorch_vocab_lookup_index(index, vocab.handle, b"never", 5))[0] == "RUNTIME"
    string = out("ctorch_string *")
    for wrong in (-1, len(words)):
        assert fails(lib.ctorch_vocab_lookup_token(string, vocab.handle, wrong))[0] == "INDEX"


def test_the_default_index_stands_for_what_is_not_there():
    vocab, is_set, index = Vocab.of(["a", "b"]), ffi.new("bool *"), ffi.new("int64_t *", 7)
    ok(lib.ctorch_vocab_default_index(index, is_set, vocab.handle))
    assert (is_set[0], index[0]) == (False, 0)
    vocab.default(-1)
    assert vocab.indices(["a", "never", "b"]).tolist() == [0, -1, 1]
    ok(lib.ctorch_vocab_default_index(index, is_set, vocab.handle))
    assert (is_set[0], index[0]) == (True, -1)
    vocab.default(None)
    result = out("ctorch_tensor *")
    assert fails(lib.ctorch_vocab_lookup_indices(result, vocab.handle, *texts_of(["never"])))[0] == "RUNTIME"


def test_tokens_are_appended_and_inserted_as_in_a_list():
    generator, words, vocab = random.Random(5), [], Vocab.of([])
    for word in sorted(set(TOKENS))[:200]:
        at = generator.randint(0, len(words))
        if generator.random() < 0.5:
            words.insert(at, word)
            vocab.insert(word, at)
        else:
            words.append(word)
            vocab.append(word)
    assert vocab.itos() == words
    assert vocab.indices(words).tolist() == list(range(len(words)))
    assert fails(lib.ctorch_vocab_append_token(vocab.handle, words[3].encode(), len(words[3].encode())))[0] == "RUNTIME"
    for wrong in (-1, len(words) + 1):
        assert fails(lib.ctorch_vocab_insert_token(vocab.handle, b"!new", 4, wrong))[0] == "INDEX"
    assert vocab.itos() == words


def test_a_file_is_read_again(tmp_path):
    words = ["<special>", "", " ", *sorted({t for text in TEXTS for t in text.replace("\0", "").split() if t})]
    path = tmp_path / "vocab.txt"
    vocab, again = Vocab.of(words), out("ctorch_vocab *")
    ok(lib.ctorch_vocab_save(vocab.handle, str(path).encode()))
    assert path.read_bytes() == "".join(word + "\n" for word in words).encode()
    ok(lib.ctorch_vocab_open_file(again, str(path).encode()))
    assert Vocab(again[0]).itos() == words
    path.write_bytes(b"a\r\nb\r\nc")
    ok(lib.ctorch_vocab_open_file(again, str(path).encode()))
    assert Vocab(again[0]).itos() == ["a", "b", "c"]


@pytest.mark.parametrize("content", [b"a\nb\na\n", b"\xff\n", b"a\0\n"])
def test_a_file_that_is_no_vocabulary(tmp_path, content):
    path, handle = tmp_path / "vocab.txt", out("ctorch_vocab *")
    path.write_bytes(content)
    kind, message = fails(lib.ctorch_vocab_open_file(handle, str(path).encode()))
    assert kind == "FORMAT" and "vocab.txt" in message


@pytest.mark.parametrize("token", ["two\nlines", "end\r"])
def test_a_token_that_breaks_its_line_is_not_written(tmp_path, token):
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"before")
    assert fails(lib.ctorch_vocab_save(Vocab.of(["a", token]).handle, str(path).encode()))[0] == "VALUE"
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]


def test_arguments():
    handle = out("ctorch_vocab *")
    assert fails(lib.ctorch_vocab_new(handle, *texts_of(["a", "a"])))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_vocab_new(handle, [ffi.new("char[]", b"\xff")], 1))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_vocab_new(handle, ffi.NULL, 1))[0] == "NULL_ARGUMENT"
    some = ffi.new("char *[1]")
    assert fails(lib.ctorch_vocab_new(handle, some, 1 << 62))[0] == "INVALID_ARGUMENT"
    counter = out("ctorch_vocab_counter *")
    ok(lib.ctorch_vocab_counter_new(counter))
    build, texts = lib.ctorch_vocab_counter_build, texts_of(["<unk>"])
    assert "min_freq" in fails(build(handle, counter[0], 0, ffi.NULL, *texts, True))[1]
    assert "max_tokens" in fails(build(handle, counter[0], 1, ffi.new("int64_t *", 1), *texts, True))[1]
    assert "specials" in fails(build(handle, counter[0], 1, ffi.NULL, *texts_of(["a", "a"]), True))[1]
    lib.ctorch_vocab_counter_release(counter[0])


def test_all_tokens_with_their_indices():
    vocab, result = Vocab.of(["b", "a", ""]), out("ctorch_value *")
    ok(lib.ctorch_vocab_stoi(result, vocab.handle))
    assert python_of(result[0]) == {"b": 0, "a": 1, "": 2}
