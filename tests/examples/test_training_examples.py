"""The programs of examples/ that train something: they learn as the same programs do in Python, or reach their goal.

The drawings and texts that they end with are drawn by chance; what is compared is the losses, and how good they get.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy
import pytest

from tests.examples.test_examples import EXAMPLES, output, pytestmark, torch  # noqa: F401 the mark is this module's too

F = torch.nn.functional


@contextmanager
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def numbers(pattern: str, text: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, text)]


def idx(name: str) -> torch.Tensor:
    data = (EXAMPLES / "data" / name).read_bytes()
    shape = numpy.frombuffer(data, ">i4", data[3], 4).tolist()
    return torch.from_numpy(numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).copy()).view(shape)


def vae_in_python() -> list[float]:
    images = (idx("train-images-idx3-ubyte").unsqueeze(1) / 16).flatten(1)
    torch.manual_seed(0)
    encoder, decoder = (
        torch.nn.Sequential(torch.nn.Linear(a, 128), torch.nn.SiLU(), torch.nn.Linear(128, b))
        for a, b in ((64, 8), (4, 64))
    )
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=3e-3, fused=True)
    losses = []
    for _ in range(20):
        total = 0.0
        for batch in torch.randperm(len(images)).split(64):
            x = images[batch]
            mean, log_variance = encoder(x).chunk(2, 1)
            deviation = (log_variance / 2).exp()
            scores = decoder(mean + deviation * torch.randn_like(deviation))
            loss = F.binary_cross_entropy_with_logits(scores, x, reduction="sum")
            loss = loss + (mean.square() + log_variance.exp() - log_variance - 1).sum() / 2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() / len(images)
        losses.append(total)
    return losses[4::5]


def test_the_vae_learns_as_in_python():
    text = output("vae", str(EXAMPLES / "data"))
    with one_thread():
        expected = vae_in_python()
    got = numbers(r"epoch \d+: loss ([\d.]+)", text)
    assert got == pytest.approx(expected, abs=0.05)
    assert got[-1] < 25.5
    drawn = text.splitlines()[4:]
    assert [len(row) for row in drawn] == [4 * 8 + 3 * 2] * 8
    assert {*"".join(drawn)} <= {*" .:oO@"} and "@" in "".join(drawn)


def lstm_in_python() -> list[float]:
    text = torch.tensor([*(EXAMPLES / "data/sonnets.txt").read_bytes()])
    torch.manual_seed(1)
    embedding = torch.nn.Embedding(256, 32)
    lstm = torch.nn.LSTM(32, 128, 2, batch_first=True)
    scores = torch.nn.Linear(128, 256)
    params = [*embedding.parameters(), *lstm.parameters(), *scores.parameters()]
    optimizer = torch.optim.AdamW(params, lr=1e-2, fused=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 200, 1e-3)
    losses = []
    for step in range(1, 201):
        rows = text[torch.randint(len(text) - 64, (16, 1)) + torch.arange(65)]
        loss = F.cross_entropy(scores(lstm(embedding(rows[:, :-1]))[0]).transpose(1, 2), rows[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1)
        optimizer.step()
        scheduler.step()
        if step % 50 == 0:
            losses.append(loss.item())
    return losses


def cost_of_the_best_table_of_pairs(text: bytes) -> float:
    """The entropy of a byte given the one before: what memory longer than a byte has to beat. In nats."""
    pairs, firsts = Counter(pairwise(text)), Counter(text[:-1])
    return -sum(n * math.log(n / firsts[first]) for (first, _), n in pairs.items()) / (len(text) - 1)


@pytest.mark.turns
def test_the_lstm_learns_as_in_python_and_writes_a_text():
    text = output("lstm_text", str(EXAMPLES / "data/sonnets.txt"))
    with one_thread():
        expected = lstm_in_python()
    got = numbers(r"step \d+: loss ([\d.]+)", text)
    assert got == pytest.approx(expected, abs=0.05)
    assert got[-1] < cost_of_the_best_table_of_pairs((EXAMPLES / "data/sonnets.txt").read_bytes())
    assert len(text.split("\n", 4)[4]) == 200


@pytest.mark.turns
def test_bert_learns_to_fill_gaps():
    text = output("bert", str(EXAMPLES / "data/sonnets.txt"))
    losses = numbers(r"step \d+: loss ([\d.]+)", text)
    assert len(losses) == 3 and losses[-1] < losses[0] < 3.6
    assert losses[-1] < 2.6
    gaps, filled = text.splitlines()[3:]
    first = (EXAMPLES / "data/sonnets.txt").read_text()[:32]
    assert gaps == "".join("_" if i % 7 == 3 else letter for i, letter in enumerate(first)).replace("\n", "/")
    assert len(filled) == len(gaps) == 32
    assert all(a == b for a, b in zip(gaps, filled) if a != "_")


def test_the_gan_comes_to_the_circle():
    far = numbers(r"step \d+: ([\d.]+) from the circle", output("gan"))
    assert len(far) == 4 and far[0] > 0.5 and far[-1] < 0.15


@pytest.mark.parametrize("name", ["dqn", "ppo"])
def test_the_pole_stands(name):
    scores = numbers(r"score ([\d.]+)", output(name))
    assert scores[0] < 60 and scores[-1] >= 195
