"""Added tokens, truncation, padding, batches and streams, beside the tokenizers package."""

from __future__ import annotations

import itertools
import json
import math

import pytest
import tokenizers as hf
from tokenizers import decoders, models, normalizers

from tests.harness.capi import CtorchError, fails, ffi, lib, ok, out, tensor
from tests.tokenizers.hard_texts import TEXTS
from tests.tokenizers.test_tokenizer import MADE, pair_of
from tests.tokenizers.tokenizers_capi import Tokenizer, assert_same, python_of, read_string

KINDS = ["bert", "gpt2", "roberta", "unigram", "sentencepiece bpe", "word level"]


def fresh(name: str) -> tuple[hf.Tokenizer, Tokenizer]:
    text = pair_of(name)[0].to_str()
    return hf.Tokenizer.from_str(text), Tokenizer(text)


class Score(float):
    """A number of a tokenizer.json, of which the package reads the last digit as it comes."""

    def __eq__(self, other) -> bool:
        return math.isclose(self, other, rel_tol=1e-13)


def described(text: str) -> dict:
    return json.loads(text, parse_float=Score)


ADDED = [
    dict(content="quick"),
    dict(content="ow", single_word=True),
    dict(content="<left>", lstrip=True),
    dict(content="<right>", rstrip=True),
    dict(content="<both>", lstrip=True, rstrip=True, normalized=False),
    dict(content="Brown Fox", normalized=True),
    dict(content="ÜML", normalized=True, special=True),
    dict(content="[MASK]", lstrip=True, special=True, normalized=False),
    dict(content="world!", normalized=False),
    dict(content="worldwide", normalized=False),
]
WITH_ADDED = TEXTS + [
    "a quick, quickly quick", "ow row owl ow", "x  <left>  y <left>z", "x <right>   y<right>", "a  <both>  b", "<both><both>",  # noqa: E501
    "the brown fox and the Brown Fox", "ümlaut ÜML Üml", "  [MASK]  [MASK]", "world!wide worldwide world! worldwid",
    "<right>  <left>  <both>",
]  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_added_tokens(name):
    theirs, ours = fresh(name)
    for flags in ADDED:
        special = flags.get("special", False)
        token = hf.AddedToken(**{k: v for k, v in flags.items()})
        (theirs.add_special_tokens if special else theirs.add_tokens)([token])
        ok(lib.ctorch_tokenizer_add_token(
            ours.handle, flags["content"].encode(), token.single_word, token.lstrip, token.rstrip, token.normalized, special  # noqa: E501
        ))  # fmt: skip
    for text in WITH_ADDED:
        assert_same(ours.encode(text), theirs.encode(text), text)
        ids = theirs.encode(text).ids
        if ids:
            assert ours.decode(ids) == theirs.decode(ids)
            assert ours.decode(ids, False) == theirs.decode(ids, skip_special_tokens=False)
    again = Tokenizer(ours.to_json())
    for text in WITH_ADDED:
        assert again.encode(text).ids == theirs.encode(text).ids
    for token in ["quick", "[MASK]", "ÜML", "nothing of this kind"]:
        number = ffi.new("int64_t *", -1)
        if theirs.token_to_id(token) is None:
            assert (
                fails(lib.ctorch_tokenizer_token_to_id(number, ours.handle, token.encode(), len(token.encode())))[0]
                == "INDEX"
            )
        else:
            ok(lib.ctorch_tokenizer_token_to_id(number, ours.handle, token.encode(), len(token.encode())))
            assert number[0] == theirs.token_to_id(token)
    for size in (True, False):
        assert lib.ctorch_tokenizer_vocab_size(ours.handle, size) == theirs.get_vocab_size(size)
    for i in range(theirs.get_vocab_size()):
        text = out("ctorch_string *")
        ok(lib.ctorch_tokenizer_id_to_token(text, ours.handle, i))
        assert read_string(text[0]) == theirs.id_to_token(i)


def test_special_tokens_may_be_encoded_as_text():
    theirs, ours = fresh("bert")
    theirs.encode_special_tokens = True
    ok(lib.ctorch_tokenizer_set_encode_special_tokens(ours.handle, True))
    for text in WITH_ADDED:
        assert_same(ours.encode(text), theirs.encode(text), text)


@pytest.mark.turns
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("direction", ["right", "left"])
@pytest.mark.parametrize("strategy", ["longest_first", "only_first", "only_second"])
def test_truncation(name, direction, strategy):
    theirs, ours = fresh(name)
    for length, stride in [(8, 0), (14, 3), (40, 10)]:
        theirs.enable_truncation(length, stride=stride, strategy=strategy, direction=direction)
        ok(lib.ctorch_tokenizer_enable_truncation(ours.handle, length, stride, strategy.encode(), direction.encode()))
        for text, pair in itertools.chain(zip(TEXTS, TEXTS[1:]), ((t, None) for t in TEXTS)):
            try:
                expected = theirs.encode(text, pair)
            except BaseException:  # the package panics where a stride leaves nothing
                with pytest.raises(CtorchError) as failure:
                    ours.encode(text, pair)
                assert failure.value.kind == "VALUE"
            else:
                assert_same(ours.encode(text, pair), expected, (text, pair, length, stride))


@pytest.mark.turns
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("direction", ["right", "left"])
@pytest.mark.parametrize("length", [None, 20])
@pytest.mark.parametrize("multiple", [None, 8])
def test_padding_of_batches(name, direction, length, multiple):
    theirs, ours = fresh(name)
    theirs.enable_padding(direction=direction, pad_id=3, pad_type_id=5, pad_token="[PAD]", length=length, pad_to_multiple_of=multiple)  # fmt: skip  # noqa: E501
    ok(lib.ctorch_tokenizer_enable_padding(
        ours.handle, 3, 5, b"[PAD]", -1 if length is None else length, multiple or 0, direction.encode()))  # fmt: skip
    for one, other in zip(ours.encode_batch(TEXTS), theirs.encode_batch(TEXTS)):
        assert_same(one, other, name)
    plain = [t.replace("\0", "") for t in TEXTS]
    theirs.enable_truncation(12, stride=2)
    ok(lib.ctorch_tokenizer_enable_truncation(ours.handle, 12, 2, ffi.NULL, ffi.NULL))
    for one, other in zip(ours.encode_batch(plain, plain[::-1]), theirs.encode_batch(list(zip(plain, plain[::-1])))):
        assert_same(one, other, name)
    assert described(ours.to_json()) == described(theirs.to_str())


def test_a_batch_is_the_same_on_any_number_of_threads():
    theirs, ours = fresh("gpt2")
    texts = TEXTS * 8
    expected = [e.ids for e in theirs.encode_batch(texts)]
    for threads in (0, 1, 3, 16):
        assert [e.ids for e in ours.encode_batch(texts, num_threads=threads)] == expected


def test_a_batch_is_a_tensor_and_back():
    theirs, ours = fresh("bert")
    texts = [t for t in TEXTS if "\0" not in t]
    kept = [ffi.new("char[]", t.encode()) for t in texts]
    batch, ids, mask, decoded = (
        out("ctorch_encoding_batch *"),
        out("ctorch_tensor *"),
        out("ctorch_tensor *"),
        out("ctorch_value *"),
    )
    ok(lib.ctorch_tokenizer_encode_batch(
        batch, ours.handle, ffi.new("char *[]", kept), len(kept), ffi.NULL, 0, ffi.NULL, 0, True, 0))  # fmt: skip
    ok(lib.ctorch_encoding_batch_tensor(ids, batch[0], b"ids", 3))
    ok(lib.ctorch_encoding_batch_tensor(mask, batch[0], b"attention_mask", 0))
    ok(lib.ctorch_tokenizer_decode_batch(decoded, ours.handle, ids[0], True))
    theirs.enable_padding(pad_id=3)
    expected = theirs.encode_batch(texts)
    assert tensor(ids[0]).tolist() == [e.ids for e in expected]
    assert tensor(mask[0]).tolist() == [e.attention_mask for e in expected]
    assert lib.ctorch_value_len(decoded[0]) == len(texts)
    lib.ctorch_value_release(decoded[0])
    lib.ctorch_encoding_batch_release(batch[0])


def test_ids_alone_are_a_tensor():
    theirs, ours = fresh("gpt2")
    for text in TEXTS:
        ids = out("ctorch_tensor *")
        ok(lib.ctorch_tokenizer_encode_tensor(ids, ours.handle, text.encode(), len(text.encode()), True))
        assert tensor(ids[0]).tolist() == theirs.encode(text).ids


@pytest.mark.parametrize("name", ["gpt2", "bert", "unigram", "sentencepiece bpe", "llama 3"])
def test_streams_give_what_the_packages_give(name):
    theirs, ours = pair_of(name)
    for text in TEXTS:
        stream, expected = out("ctorch_decode_stream *"), hf.decoders.DecodeStream(skip_special_tokens=True)
        ok(lib.ctorch_decode_stream_new(stream, ours.handle, True))
        for token in theirs.encode(text).ids:
            piece = out("ctorch_string *")
            ok(lib.ctorch_decode_stream_step(piece, stream[0], token))
            got = None if piece[0] == ffi.NULL else read_string(piece[0])
            assert got == expected.step(theirs, token), text
        lib.ctorch_decode_stream_release(stream[0])


def test_what_is_wrong_is_refused():
    _, ours = fresh("bert")
    for data in (b"\xff", b"a\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe4\xbd"):
        code, message = fails(lib.ctorch_tokenizer_encode(
            out("ctorch_encoding *"), ours.handle, data, len(data), ffi.NULL, 0, True), "ctorch_tokenizer_encode")  # fmt: skip  # noqa: E501
        assert code == "INVALID_ARGUMENT" and message.startswith("text")
    assert fails(lib.ctorch_tokenizer_enable_truncation(ours.handle, 4, 3, ffi.NULL, ffi.NULL))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_tokenizer_enable_truncation(ours.handle, 4, 0, b"best", ffi.NULL))[0] == "INVALID_ARGUMENT"


assert set(KINDS) <= set(MADE)


@pytest.mark.parametrize("function", ["truncation", "padding"])
@pytest.mark.parametrize(
    "settings",
    [
        {"truncation": dict(max_length=9, stride=2, strategy="only_first", direction="left")},
        {"truncation": dict(max_length=30)},
        {"padding": dict(direction="left", pad_id=3, pad_type_id=1, pad_token="[P]", length=12, pad_to_multiple_of=8)},
        {"padding": dict(pad_token="")},
        {},
    ],
)
def test_what_was_set_is_told(function, settings):
    theirs = fresh("bert")[0]
    if "truncation" in settings:
        theirs.enable_truncation(**settings["truncation"])
    if "padding" in settings:
        theirs.enable_padding(**settings["padding"])
    ours, value = Tokenizer(theirs.to_str()), out("ctorch_value *")
    ok(getattr(lib, f"ctorch_tokenizer_{function}")(value, ours.handle))
    assert python_of(value[0]) == getattr(theirs, function)


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_written_as_a_whole(name, tmp_path):
    theirs, ours = fresh(name)
    path = tmp_path / "tokenizer.json"
    for pretty in (False, True):
        ok(lib.ctorch_tokenizer_save(ours.handle, str(path).encode(), pretty))
        assert path.read_text(encoding="utf8") == ours.to_json(pretty)
        assert described(hf.Tokenizer.from_file(str(path)).to_str()) == described(theirs.to_str())
        assert list(tmp_path.iterdir()) == [path]
    assert fails(lib.ctorch_tokenizer_save(ours.handle, b"/nowhere/tokenizer.json", True))[0] == "IO"


def test_encoding_special_tokens_as_text_is_told():
    ours = fresh("bert")[1]
    assert not lib.ctorch_tokenizer_encode_special_tokens(ours.handle)
    ok(lib.ctorch_tokenizer_set_encode_special_tokens(ours.handle, True))
    assert lib.ctorch_tokenizer_encode_special_tokens(ours.handle)
    assert not lib.ctorch_tokenizer_encode_special_tokens(ffi.NULL)


# Dropout: what comes out is chance, but not all of it.


def dropped(ours: Tokenizer, dropout: float, seed: int = 0) -> list[list[int]]:
    ok(lib.ctorch_tokenizer_set_dropout(ours.handle, dropout, seed))
    return [ours.encode(text, add_special_tokens=False).ids for text in TEXTS]


@pytest.mark.parametrize("name", ["gpt2", "sentencepiece bpe"])
def test_dropout_of_nothing_and_of_everything(name):
    theirs, ours = fresh(name)
    plain = [theirs.encode(text, add_special_tokens=False).ids for text in TEXTS]
    assert dropped(ours, 0.0) == plain
    theirs.model.dropout = 1.0
    assert dropped(ours, 1.0) == [theirs.encode(text, add_special_tokens=False).ids for text in TEXTS] != plain
    assert dropped(ours, 0.0) == plain


@pytest.mark.parametrize("dropout", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_dropout_leaves_texts_alone(dropout):
    theirs, ours = fresh("gpt2")
    for text, ids in zip(TEXTS, dropped(ours, dropout), strict=True):
        assert ours.decode(ids) == theirs.decode(theirs.encode(text, add_special_tokens=False).ids)


def test_a_seed_gives_the_same_tokens_whatever_threads_do():
    ours = fresh("gpt2")[1]
    first, again, other = dropped(ours, 0.3, 5), dropped(ours, 0.3, 5), dropped(ours, 0.3, 6)
    assert first == again != other
    for threads in (1, 3):
        ok(lib.ctorch_tokenizer_set_dropout(ours.handle, 0.3, 5))
        batch = ours.encode_batch([t for t in TEXTS if "\0" not in t], add_special_tokens=False, num_threads=threads)
        assert [e.ids for e in batch][:20] == first[:20]
    texts = ["walking talkers"] * 60
    assert len({tuple(e.ids) for e in ours.encode_batch(texts)}) > 5


def test_more_dropout_makes_more_tokens():
    """A word that is one merge is whole with the probability 1 - p: the mean of 4000 lies within five deviations."""
    base = hf.Tokenizer(hf.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    ours = Tokenizer(base.to_str())
    for dropout in (0.1, 0.5, 0.9):
        ok(lib.ctorch_tokenizer_set_dropout(ours.handle, dropout, 1))
        whole = sum(len(e.ids) == 1 for e in ours.encode_batch(["ab"] * 4000))
        assert abs(whole / 4000 - (1 - dropout)) < 5 * (dropout * (1 - dropout) / 4000) ** 0.5


def test_dropout_is_in_the_file():
    theirs = fresh("gpt2")[0]
    theirs.model.dropout = 0.25
    ours = Tokenizer(theirs.to_str())
    assert lib.ctorch_tokenizer_dropout(ours.handle) == 0.25
    assert json.loads(ours.to_json())["model"]["dropout"] == 0.25
    ok(lib.ctorch_tokenizer_set_dropout(ours.handle, 0.5, 0))
    assert json.loads(ours.to_json())["model"]["dropout"] == 0.5
    ok(lib.ctorch_tokenizer_set_dropout(ours.handle, 0.0, 0))
    assert json.loads(ours.to_json())["model"]["dropout"] is None
    for wrong in (-0.1, 1.5, float("nan")):
        assert fails(lib.ctorch_tokenizer_set_dropout(ours.handle, wrong, 0))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_tokenizer_set_dropout(fresh("bert")[1].handle, 0.1, 0))[0] == "UNSUPPORTED"
    wrong = json.loads(theirs.to_str())
    wrong["model"]["dropout"] = 1.5
    with pytest.raises(CtorchError, match="dropout"):
        Tokenizer(json.dumps(wrong))


def limited(normalizer=None, decoder=None, padding=None) -> Tokenizer:
    """A tokenizer of words whose rules make more of a text than it has."""
    theirs = hf.Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    if normalizer is not None:
        theirs.normalizer = normalizer
    if decoder is not None:
        theirs.decoder = decoder
    if padding is not None:
        theirs.enable_padding(**padding)
    return Tokenizer(theirs.to_str())


def beyond_the_limit(call) -> None:
    with pytest.raises(CtorchError, match="raise the tokenizer's limit") as failure:
        call()
    assert failure.value.kind == "VALUE"


DOUBLED = [("a", "aa")] * 28  # 2^28 characters of one


def test_replacements_that_multiply_have_a_limit():
    ours = limited(normalizers.Sequence([normalizers.Replace(*pair) for pair in DOUBLED]))
    beyond_the_limit(lambda: ours.encode("a"))
    beyond_the_limit(lambda: ours.encode_batch(["b", "a"]))
    ours = limited(decoder=decoders.Sequence([decoders.Replace(*pair) for pair in DOUBLED]))
    beyond_the_limit(lambda: ours.decode([1]))


def test_an_added_token_that_multiplies_is_refused():
    doubled = normalizers.Sequence([normalizers.Replace(*pair) for pair in DOUBLED])
    file = json.loads(limited(doubled).to_json())
    token = {"id": 2, "content": "aa", "single_word": False, "lstrip": False, "rstrip": False}
    file["added_tokens"] = [{**token, "normalized": True, "special": False}]
    with pytest.raises(CtorchError, match='bytes of the added token "aa"') as failure:
        Tokenizer(json.dumps(file))
    assert failure.value.kind == "FORMAT"


@pytest.mark.parametrize("padding", [{"length": 2**30}, {"pad_to_multiple_of": 2**30}])
def test_paddings_that_multiply_have_a_limit(padding):
    ours = limited(padding=padding)
    beyond_the_limit(lambda: ours.encode("a"))
    beyond_the_limit(lambda: ours.encode_batch(["a"]))
    ours = limited(padding={"length": 200_000})  # for each text little
    assert len(ours.encode("a").ids) == 200_000
    beyond_the_limit(lambda: ours.encode_batch(["a"] * 200))


def test_the_limit_can_be_set():
    ours = limited(normalizers.Sequence([normalizers.Replace(*pair) for pair in DOUBLED[:14]]))
    assert ours.encode("a").ids == [0]
    ok(lib.ctorch_tokenizer_set_limit(ours.handle, 0))
    beyond_the_limit(lambda: ours.encode("a"))
    ok(lib.ctorch_tokenizer_set_limit(ours.handle, 1 << 30))
    assert ours.encode("a").ids == [0]
    with pytest.raises(CtorchError, match="limit: expected a number of bytes from 0 on, got -1"):
        ok(lib.ctorch_tokenizer_set_limit(ours.handle, -1))
