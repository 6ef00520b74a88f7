"""Rate reviews by the words in them: texts become tokens, tokens a score; how often that is right is counted over
batches, and logged for TensorBoard.

    python rate_reviews.py tokenizer.json runs/reviews

The tokenizer is one of Hugging Face's in lower case, as that of bert-base-uncased.
"""

import sys

import ctorch

BATCHES = (
    (("A great film, and great fun", 1), ("A bad film", 0), ("Dull and bad", 0)),
    (("Great, not bad", 1), ("Fun for all of us", 1), ("not great", 0)),
)
LEXICON = {"great": 1.0, "fun": 1.0, "bad": -1.0, "dull": -1.0}


def main(path: str, folder: str) -> None:
    tokenizer = ctorch.text.Tokenizer.from_file(path)
    tokenizer.enable_padding()
    weights = [0.0] * tokenizer.get_vocab_size()
    for word, value in LEXICON.items():
        weights[tokenizer.token_to_id(word)] = value
    weight = ctorch.tensor(weights)
    accuracy = ctorch.metrics.BinaryAccuracy()
    with ctorch.summary.SummaryWriter(folder) as board:
        for step, batch in enumerate(BATCHES, 1):
            texts, labels = zip(*batch, strict=True)
            encodings = tokenizer.encode_batch(texts)
            scores = (weight.take(encodings.tensor()) * encodings.tensor("attention_mask")).sum(1)
            for encoding, score in zip(encodings, scores.tolist(), strict=True):
                tokens = [token for token, mask in zip(encoding.tokens, encoding.attention_mask, strict=True) if mask]
                print(f"{score:+.0f}", *tokens)

            accuracy.update(scores.sigmoid(), ctorch.tensor(labels))
            share = accuracy.compute().item()
            print(f"accuracy {share:.4f}")
            board.add_scalar("accuracy", share, step)
            board.add_histogram("scores", scores, step)
            guesses = (score > 0 for score in scores.tolist())
            wrong = [text for text, label, guess in zip(texts, labels, guesses, strict=True) if guess != label]
            if wrong:
                board.add_text("wrong", "\n\n".join(wrong), step)


if len(sys.argv) != 3:
    sys.exit("usage: rate_reviews.py TOKENIZER FOLDER")
main(*sys.argv[1:])
