"""Files of exported programs: of older PyTorch, damaged, hostile, and with what is not here."""

from __future__ import annotations

import io
import json
import random
import zipfile

import pytest
import torch

from tests.export.program_models import exported
from tests.export.programs import Program
from tests.harness.capi import CtorchError

REFUSED = {"FORMAT", "UNSUPPORTED", "INVALID_ARGUMENT", "OUT_OF_MEMORY"}


def saved(program) -> bytes:
    file = io.BytesIO()
    torch.export.save(program, file)
    return file.getvalue()


@pytest.fixture(scope="module")
def looping() -> bytes:
    return saved(exported("looping"))


@pytest.fixture(scope="module")
def trees() -> bytes:
    return saved(exported("trees"))


def records(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def archive(entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, data in entries.items():
            made.writestr(name, data)
    return file.getvalue()


def document_of(entries: dict[str, bytes]) -> tuple[str, dict]:
    (name,) = [name for name in entries if name.endswith("models/model.json")]
    return name, json.loads(entries[name])


def with_document(data: bytes, change) -> bytes:
    """The file with its document changed."""
    entries = records(data)
    name, document = document_of(entries)
    change(document)
    return archive(entries | {name: json.dumps(document).encode()})


def old(data: bytes, state: dict, constants: dict) -> bytes:
    """The file as PyTorch 2.5 to 2.7 wrote it: three files of torch.save beside the document, in no folder."""
    entries = {
        "version": b"8.3",
        "serialized_exported_program.json": json.dumps(document_of(records(data))[1]).encode(),
    }
    for name, part in [("state_dict", state), ("constants", constants)]:
        file = io.BytesIO()
        torch.save(part, file)
        entries[f"serialized_{name}.pt"] = file.getvalue()
    return archive(entries | {"serialized_example_inputs.pt": b""})


def test_files_of_older_pytorch():
    program = exported("trees")
    state = {name: t.detach().requires_grad_(t.requires_grad) for name, t in program.state_dict.items()}
    ours = Program(old(saved(program), state, program.constants))
    model = ours.module()
    args, kwargs = program.example_inputs
    expected, result = program.module()(*args, **kwargs), model.call(*args, **kwargs)
    assert torch.equal(result["z"], expected["z"]) and torch.equal(result["a"][1][0], expected["a"][1][0])
    assert ours.told("example_inputs") is None
    assert ours.told("state_dict").keys() == state.keys() == model.state_dict().keys()


def test_an_operator_that_is_not_here_is_named(trees):
    def change(document):
        document["graph_module"]["graph"]["nodes"][3]["target"] = "torch.ops.mine.scale.default"

    program = Program(with_document(trees, change))
    assert program.told("missing_operators") == ["mine::scale"]
    assert "mine::scale" in program.told("operators")
    assert len(program.told("state_dict")) == 1
    args, kwargs = exported("trees").example_inputs
    with pytest.raises(CtorchError, match="mine.scale.default.*this LibTorch has no such operator") as raised:
        program.module().call(*args, **kwargs)
    assert raised.value.kind == "UNSUPPORTED"


def test_an_operator_that_a_library_has_registered_is_found(trees):
    with torch.library._scoped_library("exported_tests", "DEF") as library:
        library.define("doubled(Tensor self, Tensor other) -> Tensor")
        library.impl("doubled", lambda self, other: self * other * 2, "CompositeExplicitAutograd")

        def change(document):
            node = next(n for n in document["graph_module"]["graph"]["nodes"] if "mul.Tensor" in n["target"])
            node["target"] = "torch.ops.exported_tests.doubled.default"

        program = exported("trees")
        args, kwargs = program.example_inputs
        ours = Program(with_document(trees, change)).module().call(*args, **kwargs)
        assert not torch.equal(ours["z"], program.module()(*args, **kwargs)["z"])


def test_objects_of_classes_are_named_and_weights_read(trees):
    def change(document):
        graph = document["graph_module"]["graph"]
        graph["nodes"][2]["inputs"][0]["arg"] = {"as_custom_obj": {"name": "obj", "class_fqn": "mine.Thing"}}

    program = Program(with_document(trees, change))
    assert list(program.told("state_dict")) == ["weight"]
    with pytest.raises(CtorchError, match="an object of a class of one's own") as raised:
        program.module()
    assert raised.value.kind == "UNSUPPORTED"


def test_a_compiled_package_is_told_from_one(trees):
    entries = {"p/archive_format": b"pt2", "p/data/aotinductor/model/metadata.json": b"{}"}
    with pytest.raises(CtorchError, match="no exported program is in it, but compiled code") as raised:
        Program(archive(entries))
    assert raised.value.kind == "FORMAT"


def test_weights_that_are_not_in_the_file_are_named(trees):
    entries = {name: data for name, data in records(trees).items() if not name.endswith("weight_0")}
    with pytest.raises(CtorchError, match="weight") as raised:
        Program(archive(entries)).module()
    assert raised.value.kind == "FORMAT"


def test_weights_beyond_their_bytes_are_refused(trees):
    entries = records(trees)
    (name,) = [name for name in entries if name.endswith("model_weights_config.json")]
    config = json.loads(entries[name])
    config["config"]["weight"]["tensor_meta"]["sizes"] = [{"as_int": 5}]
    with pytest.raises(CtorchError, match="weight") as raised:
        Program(archive(entries | {name: json.dumps(config).encode()})).module()
    assert raised.value.kind == "FORMAT"


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_ends_early_is_refused(trees, part):
    with pytest.raises(CtorchError) as raised:
        Program(trees[: int(len(trees) * part)])
    assert raised.value.kind == "FORMAT"


def places(json_value, path=()):
    """The paths to all that a document holds."""
    yield path
    if isinstance(json_value, (dict, list)):
        for key, entry in json_value.items() if isinstance(json_value, dict) else enumerate(json_value):
            yield from places(entry, (*path, key))


def changed(document, chance: random.Random):
    """The document with one place removed, or another thing in it."""
    *path, last = chance.choice([place for place in places(document) if place])
    inner = document
    for key in path:
        inner = inner[key]
    if chance.random() < 0.3:
        del inner[last]
    else:
        inner[last] = chance.choice(
            [
                None,
                True,
                -1,
                2**62,
                1e308,
                "",
                "x",
                "torch.ops.aten.add.Tensor",
                [],
                {},
                {"as_int": 7},
                [[[]]],
                "[1, {}]",
            ]
            + [{"as_tensor": {"name": name}} for name in ("x", "add", "weight")]
        )


@pytest.mark.parametrize("name", ["looping", "trees"])
def test_documents_changed_at_random_are_refused_or_run(name, request):
    """Whatever comes of it, it is an error or a result."""
    data, chance = request.getfixturevalue(name), random.Random(name)
    entries = records(data)
    place, document = document_of(entries)
    args, kwargs = exported(name).example_inputs
    outcomes = set()
    for _ in range(400):
        copied = json.loads(json.dumps(document))
        changed(copied, chance)
        text = json.dumps(copied).encode()
        try:
            program = Program(archive(entries | {place: text}))
            model = program.module()
        except CtorchError as e:
            assert e.kind in REFUSED, e
            outcomes.add(e.kind)
            continue
        program.text()
        program.told("metadata")
        program.told("missing_operators")
        if b'"_operator' in text or b"while_loop" in text:
            continue  # it could run for ever
        try:
            model.call(*args, **kwargs)
            outcomes.add("ran")
        except CtorchError:
            outcomes.add("failed")
    assert "FORMAT" in outcomes
    assert name == "looping" or {"ran", "failed"} <= outcomes


def test_bytes_changed_at_random_are_refused_or_read(trees):
    chance = random.Random(7)
    refused = 0
    for _ in range(300):
        data = bytearray(trees)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            Program(bytes(data)).module()
        except CtorchError as e:
            assert e.kind in REFUSED, e
            refused += 1
    assert refused > 200
