"""Texts that tokenizers stumble over: scripts, emoji, control characters, spaces, and what looks like tokens."""

from __future__ import annotations

import random

TEXTS = [
    "",
    " ",
    "   ",
    "\n",
    "a",
    "Hello, world!",
    "Hello,   world!  ",
    "  leading and trailing  ",
    "I'm we'll they've he'd it's don't CAN'T I'LL",
    "The quick brown fox jumps over the lazy dog.",
    "tabs\tand\nnewlines\r\nand\x0bvertical\x0cfeeds",
    "\n\n\n  \n text \n\n",
    "numbers 1 12 123 1234 12345 3.14 1,000,000 ½ ² Ⅷ ٣ 五",
    "Hello world, ümlaut Straße ÀÉÎÕÜ naïve façade",
    "e\u0301 a\u0300\u0301 o\u0302\u0323 \u0301alone q\u0307\u0323",
    "\u1e9b\u0323 ﬁ ﬀ Å Ω ① ㎏ ｆｕｌｌ ｗｉｄｔｈ ﷺ",
    "İstanbul ISPARTA ıi ẞ ǅ Σας ΣΑΣ",
    "Привет, мир! Съешь ещё этих мягких французских булок",
    "Ελληνικά γράμματα άέήίόύώ",
    "שלום עולם עִבְרִית",
    "مرحبا بالعالم اللُّغَة",
    "नमस्ते दुनिया क्षत्रिय",
    "สวัสดีชาวโลก",
    "你好，世界！漢字とかな混じり文。カタカナー ﾊﾝｶｸ",
    "안녕하세요 세계 \u1112\u1161\u11ab",
    "மிழ் বাংলা ગુજરાતી ಕನ್ನಡ മലയാളം",
    "😀 😃👍🏽 👨‍👩‍👧‍👦 🇩🇪🇫🇷 ❤️ 1️⃣",
    "𝕳𝖊𝖑𝖑𝖔 𐍈 𠀋 𪛟",
    "zero\u200bwidth\u200djoiner\u200cnon \ufeffbom \u00adsoft",
    "nul\x00byte \x01\x02\x1f\x7f\x80\x9f \ufffd",
    "nbsp\u00a0thin\u2009ideographic\u3000ogham\u1680line\u2028para\u2029nel\x85end",
    "…—–-“quotes” ‘single’ «guillemets» ¿¡ ·",
    "snake_case camelCase kebab-case SCREAMING __dunder__ a_b",
    "https://example.com/path?q=1&r=2#frag user@example.org",
    "def f(x):\n    return x**2  # comment\n\tif True:\n\t\tpass",
    "<s>not special</s> [CLS] [SEP] [MASK] <|endoftext|> <unk> <pad> [UNK]",
    "before[MASK]after [MASK]  spaced  [MASK] end[MASK]",
    "▁metaspace ▁▁double Ġbyte ##piece </w>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",  # noqa: E501
    "abcabcabcabc" * 40,
    "$100 €50 £30 ¥20 + − × ÷ = ≠ ≤ ≥ ∑ ∫ √ ∞",
    "x" + " " * 50 + "y",
    "!!!???...,,,;;;:::",
    "mixedСкриптыinоneword漢字abc123",
    "a\u0323\u0307\u0301 \u1ea5\u0323 \u0344 \u0958 \uac00\u11a8",
    "\U0001d15e \u2126 \u212b \ufb1d \uf900 \u2f800",
]


def corpus(words: int = 4000, seed: int = 0) -> list[str]:
    """Lines of a small language, with words from the texts above: what models are trained on. Without NUL, which
    jansson has not in the keys of objects."""
    generator = random.Random(seed)
    stems = ["run", "walk", "talk", "think", "quick", "slow", "bright", "dark", "token", "model", "train", "learn"]
    ends = ["", "s", "ed", "ing", "er", "ers", "ly", "ness", "able"]
    given = [w for t in TEXTS for w in t.split()]
    lines, line = [], []
    for _ in range(words):
        choice = generator.random()
        word = generator.choice(stems) + generator.choice(ends) if choice < 0.8 else generator.choice(given)
        line.append(word.capitalize() if generator.random() < 0.1 else word)
        if generator.random() < 0.1:
            lines.append(" ".join(line) + generator.choice([".", "!", "?", ",", ""]))
            line = []
    return [line.replace("\0", "") for line in lines + [" ".join(line)] + TEXTS]


def random_texts(count: int = 200, seed: int = 1) -> list[str]:
    """Characters from everywhere, in short texts."""
    generator = random.Random(seed)
    ranges = [(0x20, 0x7E)] * 6 + [
        (0, 0x1F), (0x80, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x590, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F),
        (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x2100, 0x218F), (0x3000, 0x30FF), (0x4E00, 0x9FFF),
        (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFB00, 0xFDFF), (0xFF00, 0xFFEF), (0x1F300, 0x1F64F), (0x20000, 0x2A6DF),
    ]  # fmt: skip
    texts = []
    for _ in range(count):
        picked = [generator.choice(ranges) for _ in range(generator.randint(1, 4))]
        texts.append(
            "".join(chr(generator.randint(*generator.choice(picked))) for _ in range(generator.randint(1, 40)))
        )
    return texts
