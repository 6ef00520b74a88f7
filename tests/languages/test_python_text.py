"""Tokenizers as a user of the Python package has them, beside the packages `tokenizers` and `tiktoken`."""

import base64
import collections

import pytest
import tiktoken
import tokenizers

from tests.languages import text_sample
from tests.languages.test_python import ROOT, ctorch, run

TEXTS = ["The quick brown fox", "jumps over the lazy dog, déjà vu 🙂!", "", "a\tb\n  c"]


@pytest.fixture(scope="module")
def theirs():
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=["[UNK]", "[PAD]", "[CLS]", "[SEP]"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(TEXTS * 4, trainer)
    ids = [(name, made.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    made.post_processor = tokenizers.processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ids)
    return made


COLUMNS = "ids type_ids tokens offsets attention_mask special_tokens_mask word_ids sequence_ids".split()


def columns(encoding):
    return {name: getattr(encoding, name) for name in COLUMNS}


def test_texts_become_what_the_package_makes_of_them(theirs, tmp_path):
    theirs.save(str(tmp_path / "tokenizer.json"))
    data = (tmp_path / "tokenizer.json").read_bytes()
    for ours in (
        ctorch.text.Tokenizer.from_file(tmp_path / "tokenizer.json"),
        ctorch.text.Tokenizer.from_str(data.decode()),
        ctorch.text.Tokenizer.from_buffer(data),
        ctorch.text.Tokenizer.from_str(ctorch.text.Tokenizer.from_buffer(data).to_str()),
    ):
        for text in TEXTS:
            assert columns(ours.encode(text)) == columns(theirs.encode(text))
            assert columns(ours.encode(text, TEXTS[0])) == columns(theirs.encode(text, TEXTS[0]))
            ids = theirs.encode(text).ids
            assert ours.encode_tensor(text).tolist() == ids
            assert ours.decode(ids) == theirs.decode(ids)
            assert "".join(ours.decode_stream(ids)) == theirs.decode(ids)
        words = ["fox", "dog"]
        assert columns(ours.encode(words, is_pretokenized=True)) == columns(theirs.encode(words, is_pretokenized=True))
        assert ours.encode(TEXTS[1]).byte_offsets[-2][1] == len(TEXTS[1].encode())
        assert ours.get_vocab() == theirs.get_vocab()
        assert ours.get_vocab_size() == theirs.get_vocab_size()
        assert (ours.token_to_id("[CLS]"), ours.token_to_id("nothing")) == (theirs.token_to_id("[CLS]"), None)
        assert (ours.id_to_token(0), ours.id_to_token(10**6)) == ("[UNK]", None)


def test_batches_are_padded_and_cut(theirs):
    text = theirs.to_str()
    ours, twin = ctorch.text.Tokenizer.from_str(text), tokenizers.Tokenizer.from_str(text)
    for one in (ours, twin):
        one.add_tokens(["lazy dog"])
        one.add_special_tokens(["<mask>"])
        one.enable_truncation(8, stride=2)
        one.enable_padding(pad_id=1, pad_token="[PAD]", pad_to_multiple_of=4)
    batch, expected = ours.encode_batch(TEXTS, num_threads=2), twin.encode_batch(TEXTS)
    assert [columns(one) for one in batch] == [columns(one) for one in expected]
    assert len(batch) == len(TEXTS) and columns(batch[-1]) == columns(expected[-1])
    assert [len(one.overflowing) for one in batch] == [len(one.overflowing) for one in expected]
    assert batch.tensor().tolist() == [one.ids for one in expected]
    assert batch.tensor("attention_mask").tolist() == [one.attention_mask for one in expected]
    assert ours.decode_batch(batch.tensor()) == [twin.decode(one.ids) for one in expected]
    with pytest.raises(IndexError):
        batch[len(TEXTS)]
    for one in (ours, twin):
        one.no_truncation()
        one.no_padding()
    assert ours.encode("a <mask> lazy dog").ids == twin.encode("a <mask> lazy dog").ids


def test_what_is_no_tokenizer_is_refused():
    with pytest.raises(ctorch.Error, match="model: expected an object"):
        ctorch.text.Tokenizer.from_str("[]")
    with pytest.raises(ctorch.Error, match="Mystery"):
        ctorch.text.Tokenizer.from_str('{"model": {"type": "Mystery"}}')


def test_tiktoken():
    ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256, b"abc": 257, b"  ": 258, b"lo": 259}
    file = b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
    pattern, special = r"\p{L}+|\s+|[^\s\p{L}]+", {"<|end|>": 300}
    theirs = tiktoken.Encoding("small", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
    ours = ctorch.text.Tiktoken(file, pat_str=pattern, special_tokens=special)
    for text in [*TEXTS, "abc  hello<|end|>"]:
        assert ours.encode_ordinary(text) == theirs.encode_ordinary(text)
        assert ours.encode(text, allowed_special="all") == theirs.encode(text, allowed_special="all")
        assert ours.decode_bytes(theirs.encode_ordinary(text)) == text.encode()
    assert ours.encode("<|end|>", disallowed_special=()) == theirs.encode("<|end|>", disallowed_special=())
    assert ours.decode([0xF0, 0x41]) == theirs.decode([0xF0, 0x41])
    assert ours.decode([97, 0, 98]) == theirs.decode([97, 0, 98])
    assert ours.n_vocab == theirs.n_vocab
    with pytest.raises(ValueError, match="end"):
        ours.encode("<|end|>")
    with pytest.raises(TypeError):
        ctorch.text.Tiktoken(file)


def test_vocabularies():
    lines = [text.replace("\0", "").split() for text in TEXTS] * 2
    vocab = ctorch.text.build_vocab_from_iterator(iter(lines), min_freq=2, specials=["<unk>", "<pad>"])
    counts = collections.Counter(token for line in lines for token in line)
    words = sorted(counts, key=lambda token: (-counts[token], token))
    assert vocab.get_itos() == ["<unk>", "<pad>", *words]
    assert vocab.get_stoi() == {token: i for i, token in enumerate(vocab.get_itos())}
    assert vocab(words[:5]) == [2, 3, 4, 5, 6] == vocab.lookup_tensor(words[:5]).tolist()
    assert vocab.lookup_tokens([1, 2]) == ["<pad>", words[0]] and vocab.lookup_token(0) == "<unk>"
    assert "never" not in vocab and "<unk>" in vocab and vocab.get_default_index() is None
    with pytest.raises(RuntimeError, match="never"):
        vocab["never"]
    vocab.set_default_index(vocab["<unk>"])
    assert vocab["never"] == 0 == vocab.get_default_index()
    vocab.insert_token("never", 0)
    vocab.append_token("last")
    assert vocab.lookup_tokens([0, 1, len(vocab) - 1]) == ["never", "<unk>", "last"]


def test_a_vocabulary_in_a_file(tmp_path):
    vocab = ctorch.text.Vocab(["a", "b ä", ""])
    vocab.save(str(tmp_path / "vocab.txt"))
    assert (tmp_path / "vocab.txt").read_text(encoding="utf8") == "a\nb ä\n\n"
    assert ctorch.text.Vocab.from_file(tmp_path / "vocab.txt").get_itos() == ["a", "b ä", ""]


def test_trainers(tmp_path):
    lines = ["low low lower lowest new newer newest wide wider widest"] * 3
    base = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="[UNK]"))
    base.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    ours = ctorch.text.train_from_iterator(
        ctorch.text.Tokenizer.from_str(base.to_str()), lines, vocab_size=8, special_tokens=["[UNK]"]
    )
    base.train_from_iterator(
        lines, tokenizers.trainers.WordLevelTrainer(vocab_size=8, special_tokens=["[UNK]"], show_progress=False)
    )
    ours.save(str(tmp_path / "tokenizer.json"))
    assert tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json")).to_str() == base.to_str()
    base.model = tokenizers.models.Unigram()
    pieces = ctorch.text.train_from_iterator(
        ctorch.text.Tokenizer.from_str(base.to_str()), lines, vocab_size=40, unk_token="<unk>", max_piece_length=4
    )
    assert pieces.get_vocab(False)["<unk>"] == 0 and max(map(len, pieces.get_vocab(False))) == 5
    with pytest.raises(ctorch.Error, match="limits"):
        ctorch.text.train_from_iterator(pieces, lines, limit_alphabet=3)


def test_what_was_set_is_told():
    ours = ctorch.text.Tokenizer.from_str(
        tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])).to_str()
    )
    assert ours.truncation is None and ours.padding is None and ours.dropout == 0
    ours.enable_truncation(5, stride=1)
    ours.enable_padding(length=8)
    assert ours.truncation == {"max_length": 5, "stride": 1, "strategy": "longest_first", "direction": "right"}
    assert ours.padding is not None and ours.padding["length"] == 8 and ours.padding["pad_token"] == "[PAD]"
    ours.no_padding()
    ours.set_dropout(1.0)
    assert ours.encode("ab").ids == [0, 1] and ours.dropout == 1
    ours.encode_special_tokens = True
    assert ours.encode_special_tokens
    ours.enable_padding(length=100_000)
    ours.set_limit(0)
    with pytest.raises(ValueError, match="ctorch_tokenizer_set_limit"):
        ours.encode("a")


def test_reviews_are_rated(tmp_path):
    text_sample.write(tmp_path)
    rate = ROOT / "examples/python/rate_reviews.py"
    rated = run(rate, tmp_path / "tokenizer.json", tmp_path / "log")
    text_sample.assert_rated(tmp_path, rated.stdout)


def test_batches_of_lists_and_of_pairs(theirs):
    mine = ctorch.text.Tokenizer.from_str(theirs.to_str())
    ids = [encoding.ids for encoding in theirs.encode_batch(TEXTS)]
    assert mine.decode_batch(ids) == theirs.decode_batch(ids)
    assert mine.decode_batch([]) == []
    pairs = [(TEXTS[0], TEXTS[1]), (TEXTS[2], TEXTS[3])]
    for given in (pairs, [list(pair) for pair in pairs]):
        assert [columns(e) for e in mine.encode_batch(given)] == [columns(e) for e in theirs.encode_batch(pairs)]
    mixed = [TEXTS[0], (TEXTS[1], TEXTS[2]), TEXTS[3], (TEXTS[3], TEXTS[0])]
    for tokenizer in (mine, theirs):
        tokenizer.enable_padding()
    assert [columns(e) for e in mine.encode_batch(mixed)] == [columns(e) for e in theirs.encode_batch(mixed)]
    for wrong in ((TEXTS[0],), (TEXTS[0], TEXTS[1], TEXTS[2]), (TEXTS[0], 3)):
        for tokenizer in (mine, theirs):
            with pytest.raises(TypeError):
                tokenizer.encode_batch([TEXTS[0], wrong])
    with pytest.raises(TypeError, match="encode_batch\\(\\): argument 'texts' must hold texts, and pairs of texts"):
        mine.encode_batch([3, (TEXTS[0], TEXTS[1])])
