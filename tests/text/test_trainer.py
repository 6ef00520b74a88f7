"""The BPE trainer beside tokenizers.trainers.BpeTrainer: the same merges in the same order."""

from __future__ import annotations

import json

import pytest
import tokenizers as hf
from runtime.capi import ffi, lib, ok, out
from tokenizers import models, normalizers, pre_tokenizers, trainers

from text.hard_texts import TEXTS, corpus
from text.tokenizers_capi import Tokenizer, read_string

SPECIAL = ["[UNK]", "[CLS]", "<s>"]


def empty(normalizer=None, pre_tokenizer=None) -> hf.Tokenizer:
    tokenizer = hf.Tokenizer(models.BPE())
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer or pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def trained(base: hf.Tokenizer, lines: list[str], vocab_size: int, min_frequency: int = 0, special=SPECIAL, alphabet: str = "",  # noqa: E501
            bytes: bool = False, limit: int = -1, length: int = -1, prefix=None, suffix=None) -> dict:  # fmt: skip
    tokenizer = Tokenizer(base.to_str())
    trainer, result, text = out("ctorch_tokenizer_trainer *"), out("ctorch_tokenizer *"), out("ctorch_string *")
    ok(lib.ctorch_tokenizer_trainer_new(trainer, tokenizer.handle, vocab_size, min_frequency))
    kept = [ffi.new("char[]", t.encode()) for t in special]
    ok(lib.ctorch_tokenizer_trainer_add_special_tokens(trainer[0], kept, len(kept)))
    ok(lib.ctorch_tokenizer_trainer_set_initial_alphabet(trainer[0], alphabet.encode(), len(alphabet.encode()), bytes))
    ok(lib.ctorch_tokenizer_trainer_set_limits(trainer[0], limit, length))
    ok(
        lib.ctorch_tokenizer_trainer_set_affixes(
            trainer[0], *(ffi.NULL if a is None else a.encode() for a in (prefix, suffix))
        )
    )
    for line in lines:
        ok(lib.ctorch_tokenizer_trainer_feed(trainer[0], line.encode(), len(line.encode())))
    ok(lib.ctorch_tokenizer_trainer_train(result, trainer[0]))
    ok(lib.ctorch_tokenizer_to_json(text, result[0], False))
    lib.ctorch_tokenizer_trainer_release(trainer[0])
    lib.ctorch_tokenizer_release(result[0])
    return json.loads(read_string(text[0]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("vocab_size, min_frequency", [(300, 0), (700, 2), (2000, 5), (5000, 0)])
def test_merges_are_those_of_the_package(seed, vocab_size, min_frequency):
    base, lines = empty(), corpus(seed=seed)
    ours = trained(base, lines, vocab_size, min_frequency, bytes=True)
    base.train_from_iterator(lines, trainers.BpeTrainer(
        vocab_size=vocab_size, min_frequency=min_frequency, special_tokens=SPECIAL, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))  # fmt: skip
    assert ours == json.loads(base.to_str())


@pytest.mark.parametrize("length", [2, 4, 7])
def test_tokens_are_at_most_so_long(length):
    base, lines = empty(normalizers.NFKC(), pre_tokenizers.Metaspace()), corpus()
    ours = trained(base, lines, 900, length=length, alphabet="äöü漢")
    base.train_from_iterator(lines, trainers.BpeTrainer(
        vocab_size=900, special_tokens=SPECIAL, show_progress=False, max_token_length=length, initial_alphabet=list("äöü漢")))  # fmt: skip  # noqa: E501
    assert ours == json.loads(base.to_str())


@pytest.mark.parametrize("prefix, suffix", [("##", None), (None, "</w>"), ("##", "</w>")])
def test_affixes(prefix, suffix):
    """The package numbers marked characters in an order of chance, which breaks ties: merges of equal frequency
    may be others there each time."""
    base, lines = (
        empty(None, pre_tokenizers.WhitespaceSplit()),
        ["low low low low lower lower newest newest newest widest"] * 5,
    )
    ours = trained(base, lines, 60, prefix=prefix, suffix=suffix)
    options = {
        k: v for k, v in (("continuing_subword_prefix", prefix), ("end_of_word_suffix", suffix)) if v is not None
    }
    base.train_from_iterator(
        lines, trainers.BpeTrainer(vocab_size=60, special_tokens=SPECIAL, show_progress=False, **options)
    )
    theirs = json.loads(base.to_str())
    bare = [
        {t for t in made["model"]["vocab"] if len(t.removeprefix("##").removesuffix("</w>")) == 1}
        for made in (ours, theirs)
    ]
    assert bare[0] == bare[1] and len(bare[0]) > 7
    assert len(ours["model"]["vocab"]) == len(theirs["model"]["vocab"])
    assert {k: ours["model"][k] for k in ("continuing_subword_prefix", "end_of_word_suffix")} == {
        k: theirs["model"][k] for k in ("continuing_subword_prefix", "end_of_word_suffix")
    }


def test_an_alphabet_is_limited_to_the_most_frequent():
    lines = ["aaaa bbb cc d"] * 3
    base = empty(None, pre_tokenizers.WhitespaceSplit())
    ours = trained(base, lines, 100, limit=2)
    base.train_from_iterator(lines, trainers.BpeTrainer(
        vocab_size=100, special_tokens=SPECIAL, show_progress=False, limit_alphabet=2))  # fmt: skip
    assert ours == json.loads(base.to_str())


def test_nothing_gives_nothing_but_special_tokens():
    assert list(trained(empty(), [], 100)["model"]["vocab"]) == SPECIAL
    assert len(TEXTS) > 0
