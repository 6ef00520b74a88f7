"""Each normalizer and pre-tokenizer by itself, character by character: what it becomes, where it comes from, where its
words end. The vocabulary is all characters that come out."""

from __future__ import annotations

import base64
import json
import struct
import unicodedata

import pytest
import tokenizers as hf
from tokenizers import decoders, models, normalizers, pre_tokenizers

from tests.harness.capi import CtorchError
from tests.tokenizers.hard_texts import TEXTS, random_texts
from tests.tokenizers.tokenizers_capi import Tokenizer, assert_same

ALL = TEXTS + random_texts(300, seed=7)


def charsmap(pairs: dict[str, str]) -> bytes:
    """SentencePiece's precompiled map: a double array as Darts has it, and the texts that its leaves lead to."""
    texts, offsets = b"", {}
    for text in sorted(set(pairs.values())):
        offsets[text] = len(texts)
        texts += text.encode() + b"\0"
    trie: dict = {}
    for key, text in pairs.items():
        node = trie
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[None] = offsets[text]
    units: dict[int, int] = {0: 0}
    free = 1

    def place(node: dict, at: int) -> None:
        """Children stand at `at ^ offset ^ label`; a leaf's value at `at ^ offset`."""
        nonlocal free
        labels = [0 if k is None else k for k in node]
        offset = free - free % 256
        while offset == 0 or any(((at ^ offset) ^ label) in units for label in labels):
            offset += 256
        assert offset < 1 << 21
        free = max(free, offset)
        units[at] |= offset << 10 | (0x100 if None in node else 0)
        for key, child in node.items():
            position = (at ^ offset) ^ (0 if key is None else key)
            units[position] = child | 1 << 31 if key is None else key
        for key, child in node.items():
            if key is not None:
                place(child, (at ^ offset) ^ key)

    place(trie, 0)
    array = [units.get(i, 0xFF) for i in range(max(units) + 1)]
    data = struct.pack(f"<{len(array)}I", *array)
    return struct.pack("<I", len(data)) + data + texts


MAP = {"ﬁ": "fi", "①": "1", "é": "e\u0301x", "e\u0301": "é", "\u200b": "", "Å": "A", "　": " ", "ｆ": "f", "字": "zi"}
NORMALIZERS = {
    "nfc": normalizers.NFC(),
    "nfd": normalizers.NFD(),
    "nfkc": normalizers.NFKC(),
    "nfkd": normalizers.NFKD(),
    "lowercase": normalizers.Lowercase(),
    "nmt": normalizers.Nmt(),
    "strip": normalizers.Strip(),
    "strip left": normalizers.Strip(right=False),
    "strip right": normalizers.Strip(left=False),
    "strip accents": normalizers.StripAccents(),
    "bert": normalizers.BertNormalizer(),
    "bert, cased": normalizers.BertNormalizer(lowercase=False),
    "bert, bare": normalizers.BertNormalizer(False, False, True, False),
    "replace": normalizers.Replace("l", "<long>"),
    "replace by nothing": normalizers.Replace("e", ""),
    "replace spaces": normalizers.Replace(hf.Regex(r"\s+"), " "),
    "replace behind": normalizers.Replace(hf.Regex(r"(?<=[a-z])(\d|o)"), "é"),
    "prepend": normalizers.Prepend("▁é"),
    "byte level": normalizers.ByteLevel(),
    "precompiled": normalizers.Precompiled(charsmap(MAP)),
    "sequence": normalizers.Sequence([
        normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase(), normalizers.NFKC(),
        normalizers.Replace(" ", "▁"), normalizers.Prepend("▁"), normalizers.Strip(),
    ]),
}  # fmt: skip
BEHAVIORS = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
PRE_TOKENIZERS = {
    "bert": pre_tokenizers.BertPreTokenizer(),
    "whitespace": pre_tokenizers.Whitespace(),
    "whitespace split": pre_tokenizers.WhitespaceSplit(),
    "delimiter": pre_tokenizers.CharDelimiterSplit("e"),
    "digits": pre_tokenizers.Digits(individual_digits=False),
    "single digits": pre_tokenizers.Digits(individual_digits=True),
    "fixed length": pre_tokenizers.FixedLength(length=4),
    "scripts": pre_tokenizers.UnicodeScripts(),
    "metaspace": pre_tokenizers.Metaspace(),
    "metaspace, first": pre_tokenizers.Metaspace(prepend_scheme="first"),
    "metaspace, never": pre_tokenizers.Metaspace(prepend_scheme="never", split=False),
    "byte level": pre_tokenizers.ByteLevel(),
    "byte level, no prefix": pre_tokenizers.ByteLevel(add_prefix_space=False),
    "byte level, whole": pre_tokenizers.ByteLevel(use_regex=False),
    "sequence": pre_tokenizers.Sequence([
        pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation(), pre_tokenizers.ByteLevel(use_regex=False)]),
    "byte level in between": pre_tokenizers.Sequence([
        pre_tokenizers.ByteLevel(), pre_tokenizers.Split("Ġ", "merged_with_next")]),
    **{f"punctuation {b}": pre_tokenizers.Punctuation(b) for b in BEHAVIORS},
    **{f"split {b}": pre_tokenizers.Split("l", b) for b in BEHAVIORS},
    **{f"split by a pattern {b}": pre_tokenizers.Split(hf.Regex(r"\s|\d+"), b) for b in BEHAVIORS},
    **{f"split by no pattern {b}": pre_tokenizers.Split(hf.Regex(r"\w+"), b, invert=True) for b in BEHAVIORS},
}  # fmt: skip


def of_characters(normalizer=None, pre_tokenizer=None) -> hf.Tokenizer:
    seen = set()
    for text in ALL:
        text = text if normalizer is None else normalizer.normalize_str(text)
        seen |= set(text) if pre_tokenizer is None else set("".join(w for w, _ in pre_tokenizer.pre_tokenize_str(text)))
    vocabulary = {c: i + 1 for i, c in enumerate(sorted(seen - {"\0"}))}
    tokenizer = hf.Tokenizer(models.BPE({"[UNK]": 0} | vocabulary, [], unk_token="[UNK]"))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    return tokenizer


@pytest.mark.parametrize("name", NORMALIZERS)
def test_normalizers(name):
    theirs = of_characters(NORMALIZERS[name])
    ours = Tokenizer(theirs.to_str())
    for text in ALL:
        assert_same(ours.encode(text), theirs.encode(text), text)


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
def test_pre_tokenizers(name):
    theirs = of_characters(None, PRE_TOKENIZERS[name])
    ours = Tokenizer(theirs.to_str())
    for text in TEXTS if name == "scripts" else ALL:  # the package's table of scripts is an older one
        assert_same(ours.encode(text), theirs.encode(text), text)


# Characters that Unicode 15 has and the crates' older or newer tables tell apart from it.
def is_known(character: str) -> bool:
    return unicodedata.category(character) not in ("Cn", "Cs")


@pytest.mark.turns
@pytest.mark.parametrize("name", ["nfd", "nfkc", "lowercase", "strip accents", "bert", "nmt"])
def test_normalizers_on_every_character(name):
    """Of all of Unicode, no more than a few that the tables of the package's crates do not know yet."""
    ours = Tokenizer(hf.Tokenizer(models.BPE({"[UNK]": 0}, [], unk_token="[UNK]")).to_str().replace(
        '"normalizer":null', f'"normalizer":{json_of(NORMALIZERS[name])}'))  # fmt: skip
    theirs = of_characters(NORMALIZERS[name])
    theirs.model = models.BPE({"[UNK]": 0}, [], unk_token="[UNK]")
    different = [
        character
        for code in [*range(1, 0xAC01), *range(0xD7A3, 0x20000)]
        if is_known(character := chr(code))
        if ours.encode(character).offsets != theirs.encode(character).offsets
    ]
    assert len(different) < 60, [hex(ord(c)) for c in different]


def json_of(component) -> str:
    return component.__getstate__().decode()


PATTERNS = [
    r"\h+", r"\H", r"\w+", r"\W+", r"\d{1,3}", r"[^\s\p{L}]+", r"^\S+", r"\S+$", r"a|b|c", r"(?i:HELLO|l)", r"(?m:o.)",
    r"(?<!\S)\S", r"l{2}", r"l{1,2}+", r"[\w']+|l", r"\p{Lu}\p{Ll}*", r"\p{Han}|\p{Hiragana}+", r"[[:digit:]]+",
    r"\bt", r"o\b", r"x*", r"(?>a+)b", r"(l)\1", r"\R", r"[\d\-.]+", r"\p{^L}+", r"\P{L}+", r"[ \t]+(?=\S)", r"é|\u00e9",  # noqa: E501
    r"[a-f\h]+", r"[\S]+", r"\x{1F600}", r"\p{Digit}+", r"(?:ab){2,}", r"{", r"\p{Emoji}",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match_what_onigurumas_match(pattern):
    try:
        theirs = of_characters(None, pre_tokenizers.Split(hf.Regex(pattern), "isolated"))
    except Exception:
        pytest.skip("Oniguruma refuses it")
    try:
        ours = Tokenizer(theirs.to_str())
    except CtorchError as error:
        assert error.kind in ("UNSUPPORTED", "FORMAT")
        pytest.skip(error.message)
    for text in ALL:
        assert_same(ours.encode(text), theirs.encode(text), (pattern, text))


@pytest.mark.parametrize("pattern", [r"[a[bc]]", r"[a-z&&[^b]]", r"(?~abc)", r"(?(1)a|b)", r"\y"])
def test_patterns_that_pcre2_has_not_are_refused(pattern):
    description = of_characters(None, pre_tokenizers.Split("a", "isolated")).to_str()
    changed = description.replace('{"String":"a"}', json.dumps({"Regex": pattern}, separators=(",", ":")))
    assert changed != description
    with pytest.raises(CtorchError) as failure:
        Tokenizer(changed)
    assert failure.value.kind == "UNSUPPORTED"


DECODERS = {
    "byte level": decoders.ByteLevel(),
    "word piece": decoders.WordPiece(),
    "word piece, plain": decoders.WordPiece(prefix="l", cleanup=False),
    "metaspace": decoders.Metaspace(),
    "metaspace, never": decoders.Metaspace(prepend_scheme="never"),
    "bpe": decoders.BPEDecoder(suffix="o"),
    "ctc": decoders.CTC(pad_token="l", word_delimiter_token="e"),
    "ctc, plain": decoders.CTC(pad_token="l", word_delimiter_token="e", cleanup=False),
    "fuse": decoders.Fuse(),
    "strip": decoders.Strip("l", 1, 1),
    "replace": decoders.Replace(hf.Regex("[aeiou]"), "-"),
    "byte fallback": decoders.ByteFallback(),
    "sequence": decoders.Sequence([
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]),
}  # fmt: skip
WORDS = [
    "Hello", "l", "lo", "##lo", " .", "'s", " do not", "▁the", "▁", "Ġa", "Ã©", "ä½", "ł", "é", "<0x0A>", "<0xE4>", "<0xBD>",  # noqa: E501
    "<0xA0>", "<0xFF>", "e", "ello", "o</w>", "漢", "ab", "  ", "l l", ", ", " n't", "?",
]  # fmt: skip


@pytest.mark.parametrize("name", DECODERS)
def test_decoders(name):
    theirs = hf.Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="l"))
    theirs.decoder = DECODERS[name]
    ours = Tokenizer(theirs.to_str())
    for first in range(len(WORDS)):
        for length in (1, 2, 5, len(WORDS)):
            ids = [(first + i * i) % len(WORDS) for i in range(length)]
            try:
                expected = theirs.decode(ids)
            except BaseException:  # Strip panics on a token that both ends cut
                assert name == "strip" and isinstance(ours.decode(ids), str)
            else:
                assert ours.decode(ids) == expected, [WORDS[i] for i in ids]
    assert ours.decode([2, 2, 999, 3]) == theirs.decode([2, 2, 999, 3])


def test_a_charsmap_that_is_damaged_is_refused_or_harmless():
    good = base64.b64encode(charsmap(MAP)).decode()
    description = of_characters(normalizers.Precompiled(charsmap(MAP))).to_str()
    assert good in description
    for bad in ("", "AA", "!!!!", good[:-40], base64.b64encode(b"\xff\xff\xff\xff" + charsmap(MAP)[4:]).decode()):
        with pytest.raises(CtorchError) as failure:
            Tokenizer(description.replace(good, bad))
        assert failure.value.kind == "FORMAT"
