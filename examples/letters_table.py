"""Writes letters_table.h: what BERT's normalizer makes of each character, asked of the package `tokenizers`.

build/venv/bin/python examples/letters_table.py
"""

from __future__ import annotations

from pathlib import Path

from tokenizers import normalizers, pre_tokenizers

COLUMNS = 118
HANGUL = range(0xAC00, 0xD7A4)  # letters.c computes their parts


def ranges(numbers: list[int]) -> list[str]:
    """Runs of consecutive numbers as C initializers."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"{{{first:#x}, {last:#x}}}," for first, last in runs]


def text(characters: str) -> str:
    """A C string literal: a hexadecimal escape would take letters that follow it in, so that each ends its literal."""
    if characters.isascii():
        return f'"{characters}"'
    return '"' + "".join(f"\\{byte:03o}" for byte in characters.encode()) + '"'


def array(declaration: str, entries: list[str]) -> list[str]:
    lines = [f"static const {declaration}[] = {{", "   "]
    for entry in entries:
        if len(lines[-1]) + 1 + len(entry) > COLUMNS:
            lines.append("   ")
        lines[-1] += f" {entry}"
    return [*lines, "};"]


def table() -> str:
    normalizer, splitter = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    dropped, spaces, ideographs, punctuation, changed = [], [], [], [], []
    for number in range(1, 0x110000):
        if 0xD800 <= number < 0xE000:
            continue
        character = chr(number)
        becomes = normalizer.normalize_str(character)
        assert len(becomes.encode()) <= 3 * len(character.encode())  # LETTERS_GROWTH
        if becomes == "":
            dropped.append(number)
        elif becomes == " ":
            spaces.append(number)
        elif becomes[0] == " ":
            ideographs.append(number)
            becomes = becomes[1:-1]
        if becomes.strip() and becomes != character and number not in HANGUL:
            changed.append(f"{{{number:#x}, {text(becomes)}}},")
        if len(splitter.pre_tokenize_str(f"a{character}a")) == 3:
            punctuation.append(number)
    lines = [
        "/* What BERT's normalizer makes of each character; letters_table.py wrote it. */",
        "/* clang-format off */",
        *array("range dropped", ranges(dropped)),
        *array("range spaces", ranges(spaces)),
        *array("range ideographs", ranges(ideographs)),
        *array("range punctuation", ranges(punctuation)),
        *array("change changes", changed),
        "/* clang-format on */",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(__file__).with_suffix(".h").write_text(table())
