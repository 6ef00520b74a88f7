"""Metrics of texts beside torchmetrics, and by hand where that needs what is not there."""

from __future__ import annotations

import itertools
import random

import pytest
import torch

from tests.metrics.measures import CtorchError, agree, ours, same, theirs

WORDS = "the a cat dog sat on mat Mat, über straße 日本 naïve re-do x1 K İstanbul".split()
SPACES = (" ", "  ", "\t", "\n", " ", " ", "　")


def sentence(chance: random.Random, most: int = 12) -> str:
    return "".join(chance.choice(WORDS) + chance.choice(SPACES) for _ in range(chance.randint(0, most)))


def pairs(seed: int, len_: int = 6):
    chance = random.Random(seed)
    for _ in range(3):
        target = [sentence(chance) + "end" for _ in range(len_)]
        preds = []
        for text in target:
            words = text.split(" ")
            chance.random() < 0.5 and chance.shuffle(words)
            preds.append(
                " ".join(words[: chance.randint(0, len(words))]) if chance.random() < 0.7 else sentence(chance)
            )
        yield preds, target


@pytest.mark.parametrize(
    "name", ["WordErrorRate", "CharErrorRate", "MatchErrorRate", "WordInfoLost", "WordInfoPreserved"]
)
def test_error_rates(name):
    for seed in range(20):
        agree(name, list(pairs(seed)))
    agree(name, [("one text", "another text")])


@pytest.mark.parametrize("n_gram", [1, 2, 4])
@pytest.mark.parametrize("smooth", [False, True])
def test_bleu(n_gram, smooth):
    for seed in range(15):
        chance = random.Random(seed)
        batches = [(p, [[t, sentence(chance), t[::-1]][: chance.randint(1, 3)] for t in ts]) for p, ts in pairs(seed)]
        agree("BLEUScore", batches, n_gram=n_gram, smooth=smooth)
    weights = [0.5, 0.3, 0.1, 0.1][:n_gram]
    agree(
        "BLEUScore",
        [(["the cat is on the mat"], [["the cat is on the mat today", "a cat"]])],
        n_gram=n_gram,
        weights=weights,
    )


def test_bleu_of_the_paper():
    """Papineni et al. 2002, examples 1 and 2: clipped precisions of one and two words."""
    one = ours("BLEUScore", n_gram=1)
    one.update(["the the the the the the the"], [["the cat is on the mat", "there is a cat on the mat"]])
    state = one.state_dict()
    assert state["numerator"].tolist() == [2] and state["denominator"].tolist() == [7]
    good = "It is a guide to action which ensures that the military always obeys the commands of the party"
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    two = ours("BLEUScore", n_gram=2)
    two.update([good], [references])
    state = two.state_dict()
    assert state["numerator"].tolist() == [17, 10] and state["denominator"].tolist() == [18, 17]


@pytest.mark.parametrize("accumulate", ["best", "avg"])
def test_rouge(accumulate):
    keys = ("rouge1", "rouge2", "rouge3", "rougeL")
    for seed in range(20):
        chance = random.Random(seed)
        batches = [
            (p, [[t, sentence(chance), sentence(chance)][: chance.randint(1, 3)] for t in ts]) for p, ts in pairs(seed)
        ]
        agree("ROUGEScore", batches, 1e-6, accumulate=accumulate, rouge_keys=keys)
    agree("ROUGEScore", [("My name is John", "Is your name John")], accumulate=accumulate, rouge_keys=keys)
    agree("ROUGEScore", [("a b c", ["b c", "a"])], accumulate=accumulate, rouge_keys="rouge1")


def test_rouge_of_sentences_is_that_of_lines():
    """Lin 2004, section 3.2: w1 … w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5: a union of 4 words."""
    metric = ours("ROUGEScore", rouge_keys="rougeLsum")
    metric.update("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    scores = metric.compute()
    assert scores["rougeLsum_recall"] == torch.tensor(4 / 5) and scores["rougeLsum_precision"] == torch.tensor(4 / 10)
    one = ours("ROUGEScore", rouge_keys=["rougeLsum", "rougeL"])
    for preds, target in pairs(3):
        one.update([" ".join(p.split()) for p in preds], [" ".join(t.split()) for t in target])
    scores = one.compute()  # of one line each, both are the same where no word comes twice
    assert list(scores) == [f"{k}_{s}" for k in ("rougeLsum", "rougeL") for s in ("fmeasure", "precision", "recall")]


def test_rouge_refuses_a_stemmer():
    with pytest.raises(CtorchError, match="UNSUPPORTED: use_stemmer"):
        ours("ROUGEScore", use_stemmer=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("ignored", [None, -100, 2])
def test_perplexity(dtype, ignored):
    for seed, (rows, len_, vocabulary) in itertools.product(range(5), ((2, 4, 7), (1, 1, 3), (3, 9, 20))):
        generator = torch.Generator().manual_seed(seed)
        batches = []
        for _ in range(3):
            target = torch.randint(0, vocabulary, (rows, len_), generator=generator)
            if ignored is not None:
                target[torch.rand(target.shape, generator=generator) < 0.3] = ignored
            batches.append((torch.randn(rows, len_, vocabulary, generator=generator, dtype=dtype), target))
        agree("Perplexity", batches, ignore_index=ignored)


def test_texts_are_refused_before_anything_is_counted():
    metric = ours("WordErrorRate")
    metric.update(["a b"], ["a c"])
    for preds, target in ((["a"], ["a", "b"]), ([1], ["a"]), (["a"], 3), (torch.ones(1), ["a"])):
        with pytest.raises(CtorchError):
            metric.update(preds, target)
    with pytest.raises(CtorchError, match="expected `preds` and `target`"):
        metric.update(["a"])
    assert metric.compute() == 0.5 and metric.update_count == 1
    assert same(theirs("WordErrorRate")(["a b"], ["a c"]), metric.compute())
