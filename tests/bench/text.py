#!/usr/bin/env python3
"""Tokenizers beside the packages for Python on one thread: the best of several turns; ratios below 1 are ours.

    tests/bench/text.py [BYTES]

Ours is called through cffi and gives encodings, or ids as a tensor; the package gives encodings, or lists of ids
(tiktoken). Models are trained on the text's first part.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import tiktoken  # noqa: E402
import tokenizers as hf  # noqa: E402
from tiktoken_ext import openai_public  # noqa: E402

from tests.harness.capi import ffi, lib, ok, out  # noqa: E402
from tests.tokenizers.hard_texts import corpus  # noqa: E402
from tests.tokenizers.test_tiktoken import RANKS, Encoding  # noqa: E402
from tests.tokenizers.test_tokenizer import MADE, shipped  # noqa: E402
from tests.tokenizers.tokenizers_capi import Tokenizer  # noqa: E402

TURNS = 7


def best(*calls) -> list[float]:
    times = [float("inf")] * len(calls)
    for _ in range(TURNS):
        for i, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            times[i] = min(times[i], time.perf_counter() - begin)
    return times


def encoded(tokenizer: Tokenizer, data: bytes) -> None:
    result = out("ctorch_encoding *")
    ok(lib.ctorch_tokenizer_encode(result, tokenizer.handle, data, len(data), ffi.NULL, 0, True))
    lib.ctorch_encoding_release(result[0])


def batch(tokenizer: Tokenizer, texts, lens) -> None:
    result = out("ctorch_encoding_batch *")
    ok(
        lib.ctorch_tokenizer_encode_batch(
            result, tokenizer.handle, texts, len(lens), lens, len(lens), ffi.NULL, 0, True, 1
        )
    )
    lib.ctorch_encoding_batch_release(result[0])


def tokens(encoding: Encoding, data: bytes) -> None:
    ids = out("ctorch_tensor *")
    ok(lib.ctorch_tiktoken_encode_ordinary(ids, encoding.handle, data, len(data)))
    lib.ctorch_tensor_release(ids[0])


def report(name: str, ours: float, theirs: float, count: int, unit: str = "MB/s") -> None:
    print(f"{name:44} {count / ours / 1e6:8.1f} {unit}  {count / theirs / 1e6:8.1f} {unit}  {ours / theirs:6.2f}")


def main() -> None:
    nbytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    lines: list[str] = []
    while sum(map(len, lines)) < nbytes:
        lines += corpus(seed=len(lines))
    text = "\n".join(lines)
    data = text.encode()
    kept = [ffi.new("char[]", line.encode()) for line in lines]
    texts, lens = ffi.new("char *[]", kept), ffi.new("int64_t[]", [len(line.encode()) for line in lines])
    print(f"{'':44} {'ctorch':>13}  {'package':>13}  ratio")
    made = {n: MADE[n]() for n in ("bert", "gpt2", "llama 3", "unigram", "sentencepiece bpe", "word level")}
    made["all-MiniLM-L6-v2"] = hf.Tokenizer.from_file(str(shipped()))
    for name, theirs in made.items():
        theirs.no_truncation()
        theirs.no_padding()
        ours = Tokenizer(theirs.to_str())
        if name != "sentencepiece bpe":  # one word of a megabyte
            report(f"{name}, encode", *best(lambda: encoded(ours, data), lambda: theirs.encode(text)), len(data))
        report(
            f"{name}, encode_batch",
            *best(lambda: batch(ours, texts, lens), lambda: theirs.encode_batch(lines)),
            len(data),
        )
        ids = theirs.encode_batch(lines)[0].ids * 1000
        report(f"{name}, decode", *best(lambda: ours.decode(ids), lambda: theirs.decode(ids)), len(ids), "M ids/s")
    for name in ("r50k_base", "cl100k_base", "o200k_base"):
        openai_public.load_tiktoken_bpe = lambda *_, **__: RANKS
        made_ = getattr(openai_public, name)()
        other = tiktoken.Encoding("bench", pat_str=made_["pat_str"], mergeable_ranks=RANKS, special_tokens={})
        one = Encoding(name)
        report(f"tiktoken {name}", *best(lambda: tokens(one, data), lambda: other.encode_ordinary(text)), len(data))


if __name__ == "__main__":
    main()
