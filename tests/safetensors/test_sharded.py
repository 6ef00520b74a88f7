"""Weights in several files beside huggingface_hub: the same split, the same names, the same bytes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from pathlib import Path

import huggingface_hub
import pytest
import safetensors.torch
import torch

from tests.harness.capi import CtorchError, ffi, lib, ok
from tests.harness.values import value
from tests.weights.weights import SOURCES, Weights, random_tensor, same, written


def save(tensors, folder, most=0, metadata=None, format_="safetensors"):
    kept = value(tensors), ffi.NULL if metadata is None else value(metadata)
    ok(lib.ctorch_sharded_write(*kept, str(folder).encode(), format_.encode(), most))


def contents(folder):
    return {p.name: p.read_bytes() for p in Path(folder).iterdir()}


def state(seed):
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    tensors = {}
    for i in range(rng.randint(1, 12)):
        name = rng.choice(["layer.", "\u00e4", 'q"', "b\n", "\U0001f600"]) + str(i)
        shape = [rng.choice([0, 1, 3, 8, 30]) for _ in range(rng.randint(0, 2))]
        tensors[name] = random_tensor(generator, rng.choice([torch.float32, torch.uint8, torch.float64]), tuple(shape))
        if rng.random() < 0.2:
            tensors["tied." + name] = tensors[name]
        if rng.random() < 0.1 and tensors[name].ndim == 2:
            tensors["view." + name] = tensors[name].t()
    names = list(tensors)
    rng.shuffle(names)
    return {n: tensors[n] for n in names}, rng.choice([10, 100, 1000, 4000, 10**6])


@pytest.mark.turns
@pytest.mark.parametrize("seed", range(300))
def test_files_are_those_of_huggingface_hub(seed, tmp_path):
    tensors, most = state(seed)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    metadata = [None, {"k\u00e4": 'v"'}][seed % 2] if not any("t" in n[:1] or "v" in n[:1] for n in tensors) else None
    try:
        huggingface_hub.save_torch_state_dict(dict(tensors), theirs, max_shard_size=most, metadata=dict(metadata or {}))
    except RuntimeError as error:  # Python cannot tell where a transposed tensor ends
        assert "view size" in str(error) and any(n.startswith("view.") for n in tensors)
        pytest.skip("refused by Python")
    save(tensors, ours, most, metadata)
    mine, expected = contents(ours), contents(theirs)
    assert sorted(mine) == sorted(expected)
    for name, data in expected.items():
        if name.endswith(".json") or b'"__metadata__":{"format":"pt"}' in data[:64]:
            assert mine[name] == data, name
        else:  # of several metadata the order is no matter in Python
            assert safetensors.torch.load(mine[name]).keys() == safetensors.torch.load(data).keys()
    with Weights(str(ours), ["mmap", "read"][seed % 2]) as file:
        assert set(file.names()) <= set(tensors)
        assert file.format == ("sharded" if len(expected) > 1 else "safetensors")
        if len(expected) > 1:
            index = json.loads(expected["model.safetensors.index.json"])
            assert file.names() == list(index["weight_map"]) and file.metadata() == index["metadata"]
        for name in file.names():
            same(tensors[name], file.tensor(name), name)
            assert (file.dtype(name), file.shape(name)) == (tensors[name].dtype, tuple(tensors[name].shape))
            assert file.nbytes(name) == tensors[name].nbytes and file.type(name) in ("F32", "U8", "F64")
            if tensors[name].ndim:
                same(tensors[name][0:1], file.slice(name, (0, 1)))
        loaded = file.load()
        assert list(loaded) == file.names()


@pytest.mark.parametrize("seed", range(100))
def test_the_split_for_pickles_is_that_of_huggingface_hub(seed, tmp_path):
    """Shared tensors stay together; the split is seen in the index, whoever writes the files."""
    tensors, most = state(seed)
    expected = huggingface_hub.split_torch_state_dict_into_shards(
        tensors, filename_pattern="pytorch_model{suffix}.bin", max_shard_size=most
    )
    save(tensors, tmp_path, most, format_="pt")
    assert sorted(n for n in os.listdir(tmp_path) if n.endswith(".bin")) == sorted(expected.filename_to_tensors)
    if expected.is_sharded:
        index = {"metadata": expected.metadata, "weight_map": expected.tensor_to_filename}
        assert (tmp_path / "pytorch_model.bin.index.json").read_text() == json.dumps(index, indent=2)
    for name, keys in expected.filename_to_tensors.items():
        found = torch.load(tmp_path / name)
        assert list(found) == keys
        for key in keys:
            same(tensors[key], found[key], key)
    with Weights(str(tmp_path), ["mmap", "read"][seed % 2]) as file:
        assert sorted(file.names()) == sorted(tensors)
        for key, tensor in tensors.items():
            same(tensor, file.tensor(key), key)


TENSORS = {f"x{i}": torch.full((10,), float(i)) for i in range(5)}
INDEX = "model.safetensors.index.json"


def read_all(path):
    with Weights(str(path)) as file:
        return {k: v.clone() for k, v in file.load().items()}


@pytest.mark.parametrize(("taken", "version"), [([], 1), ([2], 1), ([1, 2, 4, 2], 3), (list(range(1, 30001)), 30001)])
def test_the_first_version_that_the_index_has_not_is_taken(taken, version, tmp_path):
    names = ["model-00001-of-00002.safetensors" if v == 1 else f"model-{v}-00001-of-00002.safetensors" for v in taken]
    index = {
        f"x{i}": name
        for i, name in enumerate([*names, "other.safetensors", "model-999999999-00001-of-00002.safetensors"])
    }
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": index}))
    save({"a": torch.zeros(100), "b": torch.zeros(100)}, tmp_path, 400)
    found = json.loads((tmp_path / INDEX).read_text())["weight_map"]
    middle = "" if version == 1 else f"-{version}"
    assert found == {name: f"model{middle}-0000{i}-of-00002.safetensors" for i, name in ((1, "a"), (2, "b"))}


def test_a_folder_that_has_another_state_is_replaced(tmp_path):
    """Old files are removed, and names that the old index has are not written to before."""
    save(TENSORS, tmp_path, 80)
    first = set(os.listdir(tmp_path))
    assert first == {INDEX, *(f"model-0000{i}-of-00003.safetensors" for i in (1, 2, 3))}
    other = {k: v + 1 for k, v in TENSORS.items()}
    save(other, tmp_path, 80)
    assert set(os.listdir(tmp_path)) == {INDEX, *(f"model-2-0000{i}-of-00003.safetensors" for i in (1, 2, 3))}
    assert all(torch.equal(other[k], v) for k, v in read_all(tmp_path).items())
    save(TENSORS, tmp_path, 80)
    assert set(os.listdir(tmp_path)) == first
    save(TENSORS, tmp_path)
    assert os.listdir(tmp_path) == ["model.safetensors"] and len(read_all(tmp_path)) == 5
    save(TENSORS, tmp_path, 40)
    assert len(os.listdir(tmp_path)) == 6 and "model.safetensors" not in os.listdir(tmp_path)
    (tmp_path / "model.safetensors.backup").write_text("")
    (tmp_path / "model-00001-of-00001.safetensors").write_text("")
    (tmp_path / "model-x-00001-of-00001.safetensors").write_text("")
    save({}, tmp_path)
    kept = ["model-x-00001-of-00001.safetensors", "model.safetensors", "model.safetensors.backup"]
    assert sorted(os.listdir(tmp_path)) == kept


def test_what_is_interrupted_leaves_the_old_state(tmp_path):
    """Whichever of the new files is there, the old index and its files are, until the new index takes its name."""
    save(TENSORS, tmp_path, 80)
    old = contents(tmp_path)
    other = {k: v + 1 for k, v in TENSORS.items()}
    bad = {**other, "z": torch.zeros(2, dtype=torch.complex128)}  # which fails at the last file
    with pytest.raises(CtorchError):
        save(bad, tmp_path, 80)
    now = contents(tmp_path)
    assert {k: now[k] for k in old} == old and len(now) > len(old)
    assert all(torch.equal(TENSORS[k], v) for k, v in read_all(tmp_path).items())
    save(other, tmp_path, 80)
    assert all(torch.equal(other[k], v) for k, v in read_all(tmp_path).items())
    assert len(contents(tmp_path)) == len(old)


def test_an_index_of_another_name(tmp_path):
    save(TENSORS, tmp_path / "ema.safetensors.index.json", 80, {"a": "b"})
    shards = {f"ema-0000{i}-of-00003.safetensors" for i in (1, 2, 3)}
    assert set(os.listdir(tmp_path)) == {"ema.safetensors.index.json"} | shards
    for path in (tmp_path, tmp_path / "ema.safetensors.index.json"):
        assert read_all(path).keys() == TENSORS.keys()
    with Weights(str(tmp_path)) as file:
        assert file.metadata() == {"total_size": 200, "a": "b"}


@pytest.mark.parametrize(
    "path, kind",
    [
        ("missing", "IO"),
        ("missing/model.safetensors.index.json", "IO"),
        ("model.bin.index.json", "INVALID_ARGUMENT"),
        (".safetensors.index.json", "INVALID_ARGUMENT"),
    ],
)
def test_paths_that_cannot_be_written_to(path, kind, tmp_path):
    with pytest.raises(CtorchError) as error:
        save(TENSORS, tmp_path / path, 80)
    assert error.value.kind == kind and os.listdir(tmp_path) == []


@pytest.mark.parametrize("format_, kind", [("gguf", "INVALID_ARGUMENT"), ("", "INVALID_ARGUMENT")])
def test_formats_that_there_are_not(format_, kind, tmp_path):
    with pytest.raises(CtorchError, match="format") as error:
        save(TENSORS, tmp_path, format_=format_)
    assert error.value.kind == kind


# Reading.


def test_shards_are_opened_when_they_are_needed(tmp_path):
    save(TENSORS, tmp_path, 80)
    (tmp_path / "model-00002-of-00003.safetensors").unlink()
    with Weights(str(tmp_path)) as file:
        assert file.tensor("x0").tolist() == [0.0] * 10 and file.shape("x4") == (10,)
        for read in (file.tensor, file.dtype, file.shape, lambda _: file.load()):
            with pytest.raises(CtorchError, match="model-00002-of-00003.safetensors") as error:
                read("x2")
            assert error.value.kind == "IO"
        assert file.nbytes("x2") == 0 and lib.ctorch_weights_type(file.handle, file.index("x2")) == ffi.NULL


def test_a_tensor_that_its_shard_lacks(tmp_path):
    save(TENSORS, tmp_path, 80)
    index = json.loads((tmp_path / INDEX).read_text())
    index["weight_map"]["more"] = "model-00001-of-00003.safetensors"
    (tmp_path / INDEX).write_text(json.dumps(index))
    with Weights(str(tmp_path)) as file, pytest.raises(CtorchError, match='"more" is not in model-00001') as error:
        file.tensor("more")
    assert error.value.kind == "FORMAT"


@pytest.mark.parametrize(
    "name", ["../x.safetensors", "/etc/passwd", "a/b", "..", ".", "", "a\\b", "a\0b", 1, None, ["x"]]
)
def test_names_that_lead_elsewhere(name, tmp_path):
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {"x": name}}))
    with pytest.raises(CtorchError, match="file in the same folder") as error:
        Weights(str(tmp_path))
    assert error.value.kind == "FORMAT"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"weight_map": []}',
        '{"weight_map": {"a": "b"',
        '{"weight_map": {"a": "b", "a": "c"}}',
        '{"weight_map": {}} x',
        "{",
        "",
    ],
)
def test_what_is_no_index(text, tmp_path):
    (tmp_path / INDEX).write_text(text)
    with pytest.raises(CtorchError) as error:
        Weights(str(tmp_path / INDEX))
    assert error.value.kind == "FORMAT"


def test_an_index_that_lists_itself(tmp_path):
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {"x": INDEX}}))
    with Weights(str(tmp_path)) as file, pytest.raises(CtorchError, match="index of shards as a shard") as error:
        file.tensor("x")
    assert error.value.kind == "FORMAT"


def test_an_index_has_to_be_opened_by_its_path():
    for source in SOURCES:
        with pytest.raises(CtorchError, match="opened by its path") as error:
            Weights(b'{"metadata": {}, "weight_map": {}}', source)
        assert error.value.kind == "FORMAT"


def test_metadata_of_an_index_are_any_json(tmp_path):
    metadata = {"total_size": 2**40, "a": [1, 2.5, None, True, {"b": "\u00e4"}], "deep": {"c": {}}}
    (tmp_path / INDEX).write_text(json.dumps({"weight_map": {}, "metadata": metadata}))
    with Weights(str(tmp_path)) as file:
        assert file.metadata() == metadata and file.names() == [] and file.load() == {}
    (tmp_path / INDEX).write_text('{"weight_map": {}, "metadata": {"a": ' + "[" * 500 + "]" * 500 + "}}")
    with Weights(str(tmp_path)) as file, pytest.raises(CtorchError, match="deep"):
        file.metadata()


def test_shards_of_several_formats(tmp_path):
    (tmp_path / "a.safetensors").write_bytes(safetensors.torch.save({"x": torch.arange(3.0)}))
    (tmp_path / "b.npz").write_bytes(written("ctorch_npz_write", value({"y": torch.arange(4.0)}), True))
    (tmp_path / "m.index.json").write_text(json.dumps({"weight_map": {"y": "b.npz", "x": "a.safetensors"}}))
    assert {k: v.tolist() for k, v in read_all(tmp_path).items()} == {"y": [0, 1, 2, 3], "x": [0, 1, 2]}


def test_what_there_is_in_a_folder(tmp_path):
    def opened(*names):
        folder = tmp_path / "folder"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in names:
            x = torch.zeros(len(name))
            if name.endswith(".json"):
                (folder / name).write_text(json.dumps({"weight_map": {}, "metadata": {"name": name}}))
            else:
                safetensors.torch.save_file({name: x}, folder / name)
        with Weights(str(folder)) as file:
            return file.metadata().get("name") if file.format == "sharded" else file.names()[0]

    assert opened("model.safetensors") == "model.safetensors"
    assert opened("other.safetensors") == "other.safetensors"
    assert opened("other.safetensors", "model.safetensors", "zzz.safetensors") == "model.safetensors"
    assert opened("model.safetensors", INDEX) == INDEX
    assert opened("pytorch_model.bin.index.json", INDEX, "a.index.json") == INDEX
    assert opened("pytorch_model.bin") == "pytorch_model.bin"
    for names in ((), ("a.safetensors", "b.safetensors"), ("a.index.json", "b.index.json")):
        with pytest.raises(CtorchError, match="a folder with") as error:
            opened(*names)
        assert error.value.kind == "FORMAT"


@pytest.mark.parametrize("cut", range(0, 200, 7))
def test_an_index_cut_off(cut, tmp_path):
    save(TENSORS, tmp_path, 80)
    text = (tmp_path / INDEX).read_bytes()
    (tmp_path / INDEX).write_bytes(text[:cut])
    with pytest.raises(CtorchError) as error:
        Weights(str(tmp_path))
    assert error.value.kind == "FORMAT"


def test_a_process_that_is_killed_leaves_one_state(tmp_path):
    """Of states that are written one after the other, one is there as a whole, whenever the writer dies."""
    save(TENSORS, tmp_path, 80)
    rng = random.Random(1)
    for _ in range(25):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                for number in range(1000):
                    save({k: v + number for k, v in TENSORS.items()}, tmp_path, [80, 80, 200][number % 3])
                    os.write(writing, b".")
            finally:
                os._exit(1)
        for _ in range(rng.randint(1, 12)):
            os.read(reading, 1)
        for _ in range(rng.randint(0, 400)):  # it dies somewhere in the next one
            os.listdir(tmp_path)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
        found = read_all(tmp_path)
        assert found.keys() == TENSORS.keys()
        assert len({(found[k] - v).unique().item() for k, v in TENSORS.items()}) == 1
