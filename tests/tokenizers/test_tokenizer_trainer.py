"""Trainers beside tokenizers.trainers.

BPE and WordLevel give the same result. WordPiece and Unigram depend on chance there: the package's hash tables return
words in another order each time, which numbers WordPiece's marked characters, breaks ties, and changes the last bits of
Unigram's scores. WordPiece is compared with the package where nothing depends on ties, and everywhere with the same
algorithm in Python, which takes words in the order in which they come.
"""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
import tokenizers as hf
from tokenizers import models, normalizers, pre_tokenizers, trainers

from tests.harness.capi import fails, ffi, lib, ok, out
from tests.tokenizers.hard_texts import TEXTS, corpus
from tests.tokenizers.tokenizers_capi import Tokenizer, read_string

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


def train(base: hf.Tokenizer, lines: list[str], vocab_size: int, min_frequency: int = 0, special=SPECIAL, alphabet=None,
          unigram: dict | None = None, limit: int | None = None, affixes: tuple | None = None) -> dict:  # fmt: skip
    """What ours learns, with nothing set that is not given."""
    tokenizer = Tokenizer(base.to_str())
    trainer, result, text = out("ctorch_tokenizer_trainer *"), out("ctorch_tokenizer *"), out("ctorch_string *")
    ok(lib.ctorch_tokenizer_trainer_new(trainer, tokenizer.handle, vocab_size, min_frequency))
    made = ffi.gc(trainer[0], lib.ctorch_tokenizer_trainer_release)
    kept = [ffi.new("char[]", t.encode()) for t in special]
    ok(lib.ctorch_tokenizer_trainer_add_special_tokens(made, kept, len(kept)))
    if alphabet is not None:
        data = alphabet.encode()
        ok(lib.ctorch_tokenizer_trainer_set_initial_alphabet(made, data, len(data), False))
    if limit is not None:
        ok(lib.ctorch_tokenizer_trainer_set_limits(made, limit, -1))
    if affixes is not None:
        ok(lib.ctorch_tokenizer_trainer_set_affixes(made, *(ffi.NULL if a is None else a.encode() for a in affixes)))
    if unigram is not None:
        options = {"unk_token": None, "shrinking_factor": 0.75, "max_piece_length": 16, "n_sub_iterations": 2} | unigram
        unk, *numbers = options.values()
        ok(lib.ctorch_tokenizer_trainer_set_unigram(made, ffi.NULL if unk is None else unk.encode(), *numbers))
    for line in lines:
        ok(lib.ctorch_tokenizer_trainer_feed(made, line.encode(), len(line.encode())))
    ok(lib.ctorch_tokenizer_trainer_train(result, made))
    ok(lib.ctorch_tokenizer_to_json(text, result[0], False))
    lib.ctorch_tokenizer_release(result[0])
    return json.loads(read_string(text[0]))


def with_model(model, pre_tokenizer=None) -> hf.Tokenizer:
    tokenizer = hf.Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizer or pre_tokenizers.Whitespace()
    return tokenizer


@pytest.mark.parametrize("vocab_size, min_frequency", [(30000, 0), (200, 0), (30000, 3), (2, 0)])
@pytest.mark.parametrize("seed", range(2))
def test_words_are_those_of_the_package(seed, vocab_size, min_frequency):
    lines = [*corpus(seed=seed), "<s> <s> [UNK] <s>"]
    base = with_model(models.WordLevel(unk_token="[UNK]"), pre_tokenizers.WhitespaceSplit())
    ours = train(base, lines, vocab_size, min_frequency)
    base.train_from_iterator(lines, trainers.WordLevelTrainer(
        vocab_size=vocab_size, min_frequency=min_frequency, special_tokens=SPECIAL, show_progress=False))  # fmt: skip
    assert ours == json.loads(base.to_str())


def reference(lines: list[str], vocab_size: int, min_frequency: int, prefix: str, limit: int | None = None,
              ties: bool = True) -> dict[str, int]:  # fmt: skip
    """The tokens of WordPiece, by the definition: all pairs are counted again before each merge. Without ties it stops
    before the first merge that another pair of the same count could precede."""
    words = Counter(word for line in lines for word, _ in pre_tokenizers.Whitespace().pre_tokenize_str(line))
    letters = Counter(c for word in words.elements() for c in word)
    kept = {c for c, _ in letters.most_common(limit)}
    ids = {t: i for i, t in enumerate([*SPECIAL, *sorted(kept)])}
    parts = {w: [c if i == 0 else prefix + c for i, c in enumerate(w) if c in kept] for w in words}
    for word in parts:
        for part in parts[word]:
            ids.setdefault(part, len(ids))
    while len(ids) < vocab_size:
        pairs = Counter()
        for word, count in words.items():
            for pair in zip(parts[word], parts[word][1:]):
                pairs[pair] += count
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], ids[pair[0]], ids[pair[1]]))
        if pairs[best] < max(min_frequency, 1) or (not ties and list(pairs.values()).count(pairs[best]) > 1):
            break
        merged = best[0] + best[1].removeprefix(prefix)
        ids.setdefault(merged, len(ids))
        for word, old in parts.items():
            new: list[str] = []
            i = 0
            while i < len(old):
                is_pair = i + 1 < len(old) and (old[i], old[i + 1]) == best
                new.append(merged if is_pair else old[i])
                i += 2 if is_pair else 1
            parts[word] = new
    return ids


@pytest.mark.parametrize("vocab_size, min_frequency", [(400, 0), (3000, 8)])
@pytest.mark.parametrize("seed", range(2))
def test_word_pieces_are_those_of_the_definition(seed, vocab_size, min_frequency):
    lines = corpus(1200, seed=seed)
    ours = train(with_model(models.WordPiece(unk_token="[UNK]")), lines, vocab_size, min_frequency)["model"]
    assert ours["vocab"] == reference(lines, vocab_size, min_frequency, "##")
    assert ours["continuing_subword_prefix"] == "##" and ours["type"] == "WordPiece"


def runs_of(base, lines, trainer, count: int = 4) -> list[dict]:
    runs = []
    for _ in range(count):
        fresh = hf.Tokenizer.from_str(base.to_str())  # a trained one has special tokens, which words are divided at
        fresh.train_from_iterator(lines, trainer)
        runs.append(json.loads(fresh.to_str()))
    return runs


def uneven_words(seed: int) -> list[str]:
    """Words of few letters, each as often as no other: few pairs are equally frequent."""
    generator = random.Random(seed)
    words = {"".join(generator.choices("aeinst", k=generator.randint(2, 7))) + generator.choice("  xyz") for _ in range(90)}  # fmt: skip  # noqa: E501
    counts = generator.sample(range(20, 600), len(words))
    return [" ".join([word] * count) for word, count in zip(sorted(words), counts)]


@pytest.mark.parametrize("options", [{}, {"limit_alphabet": 5}, {"continuing_subword_prefix": "@"}])
@pytest.mark.parametrize("seed", [0, 2])
def test_word_pieces_are_those_of_the_package(seed, options):
    """As far as the package's result does not depend on chance."""
    base, lines = with_model(models.WordPiece(unk_token="[UNK]")), uneven_words(seed)
    limit, prefix = options.get("limit_alphabet"), options.get("continuing_subword_prefix")
    expected = reference(lines, 700, 2, prefix or "##", limit, ties=False)
    assert len(expected) > 40
    ours = train(base, lines, len(expected), 2, limit=limit, affixes=prefix and (prefix, None))
    base.train_from_iterator(lines, trainers.WordPieceTrainer(
        vocab_size=len(expected), min_frequency=2, special_tokens=SPECIAL, show_progress=False, **options))  # fmt: skip
    theirs = json.loads(base.to_str())
    assert ours["model"].pop("vocab") == expected
    assert set(theirs["model"].pop("vocab")) == set(expected)
    assert ours == theirs


def pieces_of_both(seed: int, vocab_size: int, options: dict) -> tuple[list, list]:
    """What ours learns and what the package does, as [piece, score] in their order; all else is the same."""
    lines, alphabet = corpus(2500, seed=seed), "äöü漢"
    base = with_model(models.Unigram(), pre_tokenizers.Metaspace())
    ours = train(base, lines, vocab_size, alphabet=alphabet, unigram=options)
    (theirs,) = runs_of(base, lines, trainers.UnigramTrainer(
        vocab_size=vocab_size, special_tokens=SPECIAL, show_progress=False, initial_alphabet=list(alphabet), **options), 1)  # fmt: skip  # noqa: E501
    made, other = ours["model"].pop("vocab"), theirs["model"].pop("vocab")
    assert ours == theirs
    head = len(SPECIAL) + (options.get("unk_token") == "<unk>")
    assert made[:head] == other[:head]
    return made, other


@pytest.mark.parametrize(
    "vocab_size, options",
    [(900, {"unk_token": "<unk>"}), (6000, {}), (6000, {"n_sub_iterations": 4}), (500, {"max_piece_length": 3})],
)
@pytest.mark.parametrize("seed", range(2))
def test_pieces_and_scores_are_those_of_the_package(seed, vocab_size, options):
    """With room for all that is fitted. Characters without a piece of their own have the lowest scores, which the
    package deals out by chance."""
    ours, theirs = pieces_of_both(seed, vocab_size, options)
    assert {t for t, _ in ours} == {t for t, _ in theirs}
    assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=1e-9)
    longer = [{t: score for t, score in made if len(t) > 1} for made in (ours, theirs)]
    assert longer[0] == pytest.approx(longer[1], abs=1e-9)


@pytest.mark.parametrize(
    "vocab_size, options",
    [
        (400, {"unk_token": "[UNK]"}),
        (450, {"unk_token": "[UNK]", "shrinking_factor": 0.5, "n_sub_iterations": 3}),
        (600, {"unk_token": "<unk>"}),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_pieces_that_are_left_out_are_mostly_those_of_the_package(seed, vocab_size, options):
    """Among pieces of nearly the same loss the package chooses others."""
    ours, theirs = ({t for t, _ in made} for made in pieces_of_both(seed, vocab_size, options))
    assert len(ours) == len(theirs) == vocab_size
    assert len(ours - theirs) < 0.06 * vocab_size  # at most 0.02 in 150 runs


def test_pieces_of_nothing_are_the_special_tokens():
    base = with_model(models.Unigram())
    model = train(base, [], 100, unigram={"unk_token": "<s>"})["model"]
    assert model["vocab"] == [[t, 0.0] for t in SPECIAL] and model["unk_id"] == 2


def test_more_characters_than_tokens_are_refused():
    base = with_model(models.Unigram())
    tokenizer, trainer, result = Tokenizer(base.to_str()), out("ctorch_tokenizer_trainer *"), out("ctorch_tokenizer *")
    ok(lib.ctorch_tokenizer_trainer_new(trainer, tokenizer.handle, 3, 0))
    ok(lib.ctorch_tokenizer_trainer_feed(trainer[0], b"abcd", 4))
    kind, message = fails(lib.ctorch_tokenizer_trainer_train(result, trainer[0]))
    assert kind == "VALUE" and "3 tokens" in message and "4 characters" in message
    lib.ctorch_tokenizer_trainer_release(trainer[0])


def test_what_a_model_has_not_is_refused():
    trainer = out("ctorch_tokenizer_trainer *")
    for model, refused in ((models.WordLevel(unk_token="a"), "LAU"), (models.Unigram(), "LA"), (models.BPE(), "U")):
        tokenizer = Tokenizer(with_model(model).to_str())
        ok(lib.ctorch_tokenizer_trainer_new(trainer, tokenizer.handle, 10, 0))
        calls = {
            "L": (lib.ctorch_tokenizer_trainer_set_limits, 1, 1),
            "A": (lib.ctorch_tokenizer_trainer_set_affixes, b"#", b"#"),
            "U": (lib.ctorch_tokenizer_trainer_set_unigram, b"a", 0.5, 1, 1),
        }
        for name, (function, *arguments) in calls.items():
            if name in refused:
                assert fails(function(trainer[0], *arguments))[0] == "UNSUPPORTED"
            else:
                ok(function(trainer[0], *arguments))
        lib.ctorch_tokenizer_trainer_release(trainer[0])
    tokenizer = Tokenizer(with_model(models.Unigram()).to_str())
    assert "min_frequency" in fails(lib.ctorch_tokenizer_trainer_new(trainer, tokenizer.handle, 10, 1))[1]
    ok(lib.ctorch_tokenizer_trainer_new(trainer, tokenizer.handle, 10, 0))
    for wrong in ((0.0, 1, 1), (1.0, 1, 1), (float("nan"), 1, 1), (0.5, 0, 1), (0.5, 1, 0)):
        assert fails(lib.ctorch_tokenizer_trainer_set_unigram(trainer[0], b"a", *wrong))[0] == "INVALID_ARGUMENT"
    lib.ctorch_tokenizer_trainer_release(trainer[0])
