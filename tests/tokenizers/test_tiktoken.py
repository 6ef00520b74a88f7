"""tiktoken's encodings beside the tiktoken package, with ranks that a trained BPE gives."""

from __future__ import annotations

import base64
import random

import pytest
import tiktoken
from tiktoken_ext import openai_public
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from tokenizers.models import BPE  # noqa: F401

from tests.harness.capi import CtorchError, fails, ffi, lib, ok, out, tensor
from tests.tokenizers.hard_texts import TEXTS, corpus, random_texts

ALL = TEXTS + random_texts()
NAMED = ["gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony"]
SPECIAL = {"<|endoftext|>": 5000, "<|endofprompt|>": 5001, "<|end|>": 5002}


def ranks() -> dict[bytes, int]:
    """Tokens as bytes, by the order in which a byte-level BPE learnt them."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(
        corpus(),
        trainers.BpeTrainer(
            vocab_size=900, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=[], show_progress=False
        ),
    )
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in plain]
    byte = {chr(b): b for b in plain} | {chr(256 + i): b for i, b in enumerate(others)}
    tokens = [bytes(byte[c] for c in tokenizer.id_to_token(i)) for i in range(tokenizer.get_vocab_size())]
    return {token: i for i, token in enumerate(sorted(tokens, key=lambda t: (len(t) > 1, tokens.index(t))))}


RANKS = ranks()
FILE = b"".join(base64.b64encode(t) + b" %d\n" % r for t, r in RANKS.items())


def published(name: str, monkeypatch) -> dict:
    """Pattern and special tokens as the package has them; it loads no ranks."""
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: RANKS)
    monkeypatch.setattr(openai_public, "data_gym_to_mergeable_bpe_ranks", lambda *_, **__: RANKS)
    return getattr(openai_public, name)()


class Encoding:
    def __init__(self, name: str | None = None, pattern: str = "", special: dict[str, int] | None = None, file=FILE):
        reader, handle = out("ctorch_reader *"), out("ctorch_tiktoken *")
        ok(lib.ctorch_reader_from_data(reader, file, len(file), ffi.NULL, ffi.NULL))
        try:
            if name is not None:
                ok(lib.ctorch_tiktoken_open_named(handle, reader[0], name.encode()))
            else:
                special = special or {}
                kept = [ffi.new("char[]", t.encode()) for t in special]
                ok(lib.ctorch_tiktoken_open(
                    handle, reader[0], pattern.encode(), kept, len(kept), list(special.values()), len(kept)))  # fmt: skip  # noqa: E501
        finally:
            lib.ctorch_reader_release(reader[0])
        self.handle = ffi.gc(handle[0], lib.ctorch_tiktoken_release)

    def encode_ordinary(self, text: str) -> list[int]:
        ids = out("ctorch_tensor *")
        ok(lib.ctorch_tiktoken_encode_ordinary(ids, self.handle, text.encode(), len(text.encode())))
        return tensor(ids[0]).tolist()

    def encode(self, text: str, allowed=(), disallowed=("all",)) -> list[int]:
        ids = out("ctorch_tensor *")
        a, d = [ffi.new("char[]", t.encode()) for t in allowed], [ffi.new("char[]", t.encode()) for t in disallowed]
        ok(lib.ctorch_tiktoken_encode(ids, self.handle, text.encode(), len(text.encode()), a, len(a), d, len(d)))
        return tensor(ids[0]).tolist()

    def decode_bytes(self, ids: list[int]) -> bytes:
        result = out("ctorch_tensor *")
        ok(lib.ctorch_tiktoken_decode_bytes(result, self.handle, ids, len(ids)))
        return bytes(tensor(result[0]).tolist())

    def decode(self, ids: list[int]) -> str:
        result = out("ctorch_string *")
        ok(lib.ctorch_tiktoken_decode(result, self.handle, ids, len(ids)))
        text = ffi.buffer(lib.ctorch_string_data(result[0]), lib.ctorch_string_len(result[0]))[:].decode()
        lib.ctorch_string_release(result[0])
        return text


@pytest.mark.parametrize("name", NAMED)
def test_published_encodings(name, monkeypatch):
    made = published(name, monkeypatch)
    theirs = tiktoken.Encoding(
        "test", pat_str=made["pat_str"], mergeable_ranks=RANKS, special_tokens=made["special_tokens"]
    )
    ours = Encoding(name)
    assert lib.ctorch_tiktoken_vocab_size(ours.handle) == theirs.n_vocab
    for text in ALL:
        ids = theirs.encode_ordinary(text)
        assert ours.encode_ordinary(text) == ids, text
        assert ours.decode_bytes(ids) == text.encode()
        with_special = text + "<|endoftext|>" + text[::-1]
        assert ours.encode(with_special, ["all"]) == theirs.encode(with_special, allowed_special="all"), text


def test_special_tokens_are_allowed_or_not():
    pattern = openai_public.r50k_pat_str
    theirs = tiktoken.Encoding("test", pat_str=pattern, mergeable_ranks=RANKS, special_tokens=SPECIAL)
    ours = Encoding(pattern=pattern, special=SPECIAL)
    text = "a<|endoftext|><|endofprompt|> b <|end|> <|end"
    for allowed in [(), ("<|end|>",), ("<|endoftext|>", "<|end|>"), ("all",)]:
        for disallowed in [(), ("<|end|>",), ("<|endofprompt|>",), ("all",)]:
            given = {
                "allowed_special": "all" if allowed == ("all",) else set(allowed),
                "disallowed_special": "all" if disallowed == ("all",) else set(disallowed),
            }
            try:
                expected = theirs.encode(text, **given)
            except ValueError:
                with pytest.raises(CtorchError, match="disallowed") as failure:
                    ours.encode(text, allowed, disallowed)
                assert failure.value.kind == "VALUE"
            else:
                assert ours.encode(text, allowed, disallowed) == expected, given


def test_long_words_and_random_bytes():
    generator = random.Random(3)
    pattern = r"(?s:.+)"
    theirs = tiktoken.Encoding("test", pat_str=pattern, mergeable_ranks=RANKS, special_tokens={})
    ours = Encoding(pattern=pattern)
    for length in (1, 2, 99, 100, 101, 500, 5000):
        text = "".join(generator.choice("abcdeilnrstu éß漢") for _ in range(length))
        assert ours.encode_ordinary(text) == theirs.encode_ordinary(text)


def test_tokens_that_are_no_utf8_are_decoded_with_replacements():
    ours, theirs = Encoding("gpt2"), tiktoken.Encoding("t", pat_str=".", mergeable_ranks=RANKS, special_tokens={})
    generator = random.Random(5)
    for _ in range(200):
        ids = [generator.randrange(300) for _ in range(generator.randint(0, 12))]
        assert ours.decode_bytes(ids) == theirs.decode_bytes(ids)
        assert ours.decode(ids) == theirs.decode(ids)
    assert fails(lib.ctorch_tiktoken_decode(out("ctorch_string *"), ours.handle, [123456], 1))[0] == "INDEX"


@pytest.mark.parametrize("file", [b"YQ==\n", b"YQ== x\n", b"Y!== 1\n", b"YQ== 1", b"YQ== 99999999999\n", b" 1\n"])
def test_ranks_that_are_wrong_are_refused(file):
    with pytest.raises(CtorchError) as failure:
        Encoding("gpt2", file=file)
    assert failure.value.kind == "FORMAT"


def test_special_tokens_of_all_lengths_are_found():
    """The longest at each place, as the package's pattern of them has it, and reserved ones by their numbers."""
    special = {"<|a|>": 5000, "<|a|>b": 5001, "<|": 5002, "<|reserved_7|>": 5003}
    pattern, text = r"\w+|\W", "x<|a|>b<|a|>c<|reserved_7|><|q"
    ours = Encoding(pattern=pattern, special=special)
    assert ours.encode(text, ["all"]) == [
        *ours.encode_ordinary("x"), 5001, 5000, *ours.encode_ordinary("c"), 5003, 5002, *ours.encode_ordinary("q")]  # fmt: skip  # noqa: E501
    result = out("ctorch_tensor *")
    for allowed, disallowed, is_refused in (
        ([], ["all"], True), (["<|a|>b"], ["all"], True), (list(special), ["all"], False), ([], ["<|a|>"], True),
        ([], ["none"], False),
    ):  # fmt: skip
        kept = [[ffi.new("char[]", t.encode()) for t in some] for some in (allowed, disallowed)]
        error = lib.ctorch_tiktoken_encode(
            result, ours.handle, text.encode(), len(text), kept[0], len(kept[0]), kept[1], len(kept[1])
        )
        if is_refused:
            assert fails(error)[0] == "VALUE"
        else:
            ok(error)
            lib.ctorch_tensor_release(result[0])
