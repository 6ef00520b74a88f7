"""What the programs `text` of the languages make of a tokenizer, of ranks, metrics and event files, and what
`rate_reviews` prints and logs: beside the packages tokenizers, tiktoken, torchmetrics and tensorboard.

text_sample.write(folder)
text_sample.assert_equal(folder, output of `text FOLDER`)
text_sample.assert_rated(folder, output of `rate_reviews FOLDER/tokenizer.json FOLDER/log`)
"""

from __future__ import annotations

import base64
import sys
from functools import cache
from pathlib import Path

import tiktoken
import tokenizers
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.harness.vision import has_torchvision, torchvision  # noqa: E402

TEXT = "A great film, déjà vu 🙂!"
BATCH = ["not bad", "great fun, and a great film", ""]
PREDS = torch.tensor([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4]])
TARGET = torch.tensor([0, 1, 2, 2])
REVIEWS = [
    [("A great film, and great fun", 1), ("A bad film", 0), ("Dull and bad", 0)],
    [("Great, not bad", 1), ("Fun for all of us", 1), ("not great", 0)],
]
LEXICON = {"great": 1.0, "fun": 1.0, "bad": -1.0, "dull": -1.0}
PATTERN = r"\p{L}+|\s|[^\s\p{L}]+"
SPECIAL = {"<|end|>": 300}


@cache
def tokenizer() -> tokenizers.Tokenizer:
    """BERT's way, but for accents: words and their pieces, in lower case."""
    words = "a great film fun bad dull not and for all of us".split()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, ",", "!", "d", "##é", "##j", "##à", "v", "##u"]
    vocab = {piece: i for i, piece in enumerate(pieces)}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocab, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.decoder = tokenizers.decoders.WordPiece()
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    made.post_processor = tokenizers.processors.TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ends
    )
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return made


@cache
def ranks() -> tiktoken.Encoding:
    found = {bytes([i]): i for i in range(256)} | {b"fi": 256, b"lm": 257, b"film": 258, b"gr": 259, b"ea": 260}
    return tiktoken.Encoding("reviews", pat_str=PATTERN, mergeable_ranks=found, special_tokens=SPECIAL)


def write(folder: Path) -> None:
    tokenizer().save(str(folder / "tokenizer.json"))
    lines = (b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in ranks()._mergeable_ranks.items())
    (folder / "ranks.tiktoken").write_bytes(b"".join(lines))


@cache
def classification():
    """torchmetrics.classification, whose import takes a while."""
    if has_torchvision():
        torchvision("ops")  # torchmetrics imports it
    import torchmetrics.classification

    return torchmetrics.classification


def joined(values) -> str:
    return " ".join(map(str, values))


def expected() -> list[str]:
    """The lines of `text`, one for each thing that it tries."""
    ours = tokenizers.Tokenizer.from_str(tokenizer().to_str())
    one, pair = ours.encode(TEXT), ours.encode("not bad", "great fun")
    stream = tokenizers.decoders.DecodeStream(ids=[], skip_special_tokens=True)
    pieces = [stream.step(ours, id) or "" for id in one.ids]
    ours.enable_padding(pad_token="[PAD]")
    batch = ours.encode_batch(BATCH)
    ids = [e.ids for e in batch]
    ours.no_padding()
    ours.enable_truncation(4)
    tokens = ranks().encode("a great film<|end|>", allowed_special="all")
    accuracy = classification().MulticlassAccuracy(3, average="none")
    both = {
        "f1": classification().MulticlassF1Score(3),
        "accuracy": classification().MulticlassAccuracy(3, average="micro"),
    }
    for metric in (accuracy, *both.values()):
        metric.update(PREDS[:2], TARGET[:2])
        metric.update(PREDS[2:], TARGET[2:])
    return [
        f"tokens {joined(one.tokens)}",
        f"ids {joined(one.ids)}",
        f"offsets {joined(f'{start}-{end}' for start, end in one.offsets)}",
        f"pair {joined(pair.type_ids)}",
        f"batch {len(batch)} {joined(sum(ids, []))}",
        f"mask {joined(sum((e.attention_mask for e in batch), []))}",
        f"decoded {ours.decode(one.ids)}",
        f"rows {'|'.join(ours.decode_batch(ids))}",
        f"stream {'|'.join(pieces)}",
        f"great {ours.token_to_id('great')}",
        "missing none",
        f"cut {joined(ours.encode(TEXT).ids)}",
        f"tiktoken {joined(tokens)}",
        f"text {ranks().decode(tokens)}",
        f"accuracy {joined(f'{value:.6f}' for value in accuracy.compute().tolist())}",
        f"f1 {both['f1'].compute():.6f}",
        f"micro {both['accuracy'].compute():.6f}",
        "updates 2 0",
        "event loss 1 scalar 0.50",
        "event loss 2 scalar 0.25",
        "event note/text_summary 3 text good",
        "event weights 4 histogram 4",
        "refused FORMAT",
        "refused INDEX",
    ]


def assert_equal(folder: Path, printed: str) -> None:
    assert printed.splitlines() == expected()
    found = EventAccumulator(str(folder / "events")).Reload()
    assert [(e.step, e.value) for e in found.Scalars("loss")] == [(1, 0.5), (2, 0.25)]
    assert found.Histograms("weights")[0].histogram_value.num == 4


def assert_rated(folder: Path, printed: str) -> None:
    """What is predicted is positive if words of praise outnumber those of blame."""
    ours = tokenizers.Tokenizer.from_str(tokenizer().to_str())
    metric = classification().BinaryAccuracy()
    lines, values, scores = [], [], []
    for batch in REVIEWS:
        for text, _ in batch:
            tokens = ours.encode(text).tokens
            scores.append(sum(LEXICON.get(token, 0) for token in tokens))
            lines.append(f"{scores[-1]:+.0f} {joined(tokens)}")
        preds = torch.tensor(scores[-len(batch) :]).sigmoid()
        metric.update(preds, torch.tensor([label for _, label in batch]))
        values.append(float(metric.compute()))
        lines.append(f"accuracy {values[-1]:.4f}")
    assert printed.splitlines() == lines
    found = EventAccumulator(str(folder / "log"), size_guidance={"tensors": 0, "histograms": 0}).Reload()
    assert [(e.step, e.value) for e in found.Scalars("accuracy")] == list(enumerate(values, 1))
    assert [e.histogram_value.sum for e in found.Histograms("scores")] == [sum(scores[:3]), sum(scores[3:])]
    noted = found.Tensors("wrong/text_summary")
    assert [(e.step, e.tensor_proto.string_val[0].decode()) for e in noted] == [(2, "Great, not bad\n\nnot great")]
