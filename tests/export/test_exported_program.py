"""What torch.export.save writes, read by ctorch: as Python's torch.export.load has it."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
import torch

from tests.export import package_models as models
from tests.export.program_calls import Program
from tests.harness.capi import CtorchError, ffi, lib, ok, out
from tests.harness.values import made, python


def saved(name: str) -> bytes:
    buffer = io.BytesIO()
    torch.export.save(models.exported(name), buffer)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def files():
    return {name: (models.exported(name), saved(name)) for name in ("cnn", "gpt", "trees", "cached")}


def assert_same(a: dict, b: dict):
    assert a.keys() == b.keys()
    for name, tensor in b.items():
        assert a[name].dtype == tensor.dtype and a[name].stride() == tensor.stride()
        assert torch.equal(a[name], tensor.detach())


@pytest.mark.parametrize("name", ["cnn", "gpt", "trees", "cached"])
def test_tensors_and_signature(name, files):
    exported, data = files[name]
    with Program(data) as program:
        assert_same(program.state_dict(), exported.state_dict)
        assert_same(program.constants(), exported.constants)
        signature = exported.graph_signature
        inputs = program.inputs()
        kinds = [i["kind"].replace("constant_input", "user_input") for i in inputs]  # a kind of the file's alone
        assert kinds == [spec.kind.name.lower() for spec in signature.input_specs]
        assert [i.get("target") for i in inputs] == [spec.target for spec in signature.input_specs]
        assert [i.get("name") for i in inputs] == [spec.arg.name for spec in signature.input_specs]
        outputs = program.outputs()
        assert [o["kind"] for o in outputs] == [spec.kind.name.lower() for spec in signature.output_specs]
        assert [o["name"] for o in outputs] == [spec.arg.name for spec in signature.output_specs]
        for node in exported.graph.nodes:
            if node.op == "placeholder" and isinstance(node.meta["val"], torch.Tensor):
                (given,) = [i for i in inputs if i.get("name") == node.name]
                assert given["dtype"] == str(node.meta["val"].dtype).removeprefix("torch.")
                assert [str(size) for size in given["sizes"]] == [str(size) for size in node.meta["val"].shape]
                assert given["device"] == "cpu"


@pytest.mark.parametrize("name", ["cnn", "gpt", "trees", "cached"])
def test_operators(name, files):
    exported, data = files[name]
    targets = {str(node.target) for node in exported.graph.nodes if node.op == "call_function"}
    expected = {t.replace(".", "::", 1).removesuffix(".default") for t in targets if t.startswith("aten.")}
    with Program(data) as program:
        operators = program.operators()
        assert operators == sorted(operators)
        assert {o for o in operators if "::" in o} == expected
        assert program.missing_operators() == []
        text = program.text()
        calls = [node for node in exported.graph.nodes if node.op == "call_function"]
        nodes = [node for node in calls if "getitem" not in str(node.target)]  # those are names of results in the file
        assert len(re.findall(r" = |^  [\w:.]+\(", text, re.MULTILINE)) == len(nodes)
        for node in nodes:
            assert re.search(rf"\b{node.name}\b", text)


def test_metadata_and_ranges(files):
    exported, data = files["gpt"]
    with Program(data) as program:
        metadata = program.metadata()
        assert metadata["torch_version"] == torch.__version__
        assert metadata["schema_version"][0] == 8
        assert metadata["opset_version"] == {"aten": torch._C._get_max_operator_version()}
        ranges = {str(k): [v.lower, v.upper] for k, v in exported.range_constraints.items()}
        assert program.range_constraints() == ranges
        args, kwargs = program.example_inputs()
        expected = exported.example_inputs
        assert torch.equal(args[0], expected[0][0]) and torch.equal(args[1][0], expected[0][1][0])
        assert kwargs == {}
        assert "s" in str(program.inputs()[-1]["sizes"][2])


def test_a_constant_input_has_its_value(files):
    with Program(files["trees"][1]) as program:
        (factor,) = [i for i in program.inputs() if i["kind"] == "constant_input"]
        assert factor == {"kind": "constant_input", "name": "factor", "value": 3}


def test_what_running_it_takes(files):
    with Program(files["cnn"][1]) as program:
        text = program.requirements()
        assert f"Exported by torch {torch.__version__}, schema 8." in text
        assert "aoti_compile_and_package" in text and "process has not" not in text


class Branches(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda y: y + 1, lambda y: y * 2, (x,))


def test_graphs_inside(tmp_path):
    torch.export.save(torch.export.export(Branches(), (torch.randn(3),)), tmp_path / "branches.pt2")
    with Program(tmp_path / "branches.pt2") as program:
        assert "higher_order::cond" in program.operators()
        assert {"aten::add.Tensor", "aten::mul.Tensor"} <= set(program.operators())
        assert program.missing_operators() == []
        assert "Higher-order operators" not in program.requirements()
        assert re.search(r"^    true_graph_0\(", program.text(), re.MULTILINE)


def rewritten(data: bytes, change) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            changed = change(name, old.read(name))
            if changed is not None:
                new.writestr(name, changed)
    return buffer.getvalue()


def edited(end: str, edit):
    def change(name, data):
        if not name.endswith(end):
            return data
        document = json.loads(data)
        edit(document)
        return json.dumps(document).encode()

    return change


def test_graphs_inside_of_what_python_alone_has(tmp_path):
    def rename(document):
        (node,) = [n for n in document["graph_module"]["graph"]["nodes"] if "higher_order" in n["target"]]
        node["target"] = "torch.ops.higher_order.other"

    torch.export.save(torch.export.export(Branches(), (torch.randn(3),)), tmp_path / "branches.pt2")
    with Program(rewritten((tmp_path / "branches.pt2").read_bytes(), edited("models/model.json", rename))) as program:
        assert program.missing_operators() == ["higher_order::other"]
        assert "Higher-order operators that Python's torch alone has: higher_order::other\n" in program.requirements()


def test_an_operator_that_is_not_there(files):
    def rename(document):
        document["graph_module"]["graph"]["nodes"][0]["target"] = "torch.ops.other.thing.default"

    with Program(rewritten(files["trees"][1], edited("models/model.json", rename))) as program:
        assert program.missing_operators() == ["other::thing"]
        assert "process has not, of a newer LibTorch or an extension: other::thing\n" in program.requirements()


def newer(document):
    document["schema_version"]["major"] = 9


DAMAGED = {
    "newer": (edited("models/model.json", newer), "UNSUPPORTED", "schema version 9, newer than 8"),
    "no object": (lambda n, d: b"[]" if n.endswith("model.json") else d, "FORMAT", "is no exported program"),
    "no json": (lambda n, d: b"{" if n.endswith("model.json") else d, "FORMAT", "JSON, line 1"),
    "no program": (lambda n, d: None if n.endswith("model.json") else d, "FORMAT", "no exported program is in it"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_programs(what, files):
    change, kind, message = DAMAGED[what]
    with pytest.raises(CtorchError, match=re.escape(message)) as error:
        Program(rewritten(files["trees"][1], change))
    assert error.value.kind == kind and error.value.function == "ctorch_exported_program_open"


def weight(**change):
    def edit(document):
        entry = document["config"]["weight"]
        for key, value in change.items():
            if key in entry:
                entry[key] = value
            else:
                entry["tensor_meta"][key] = value

    return edited("weights_config.json", edit)


WEIGHTS = {
    "larger": (weight(sizes=[{"as_int": 1000}]), "FORMAT", "fewer than its tensor"),
    "huge": (
        weight(sizes=[{"as_int": 2**62}, {"as_int": 2**62}], strides=[{"as_int": 2**62}, {"as_int": 1}]),
        "FORMAT",
        "fewer than its tensor",
    ),
    "negative": (weight(sizes=[{"as_int": -1}]), "FORMAT", "its description is damaged"),
    "offset": (weight(storage_offset={"as_int": 3}), "FORMAT", "fewer than its tensor"),
    "strides": (weight(strides=[]), "FORMAT", "its description is damaged"),
    "dtype": (weight(dtype=99), "UNSUPPORTED", "a dtype that PyTorch has not"),
    "path": (weight(path_name="../model.json"), "FORMAT", "no record with its bytes is there"),
}


@pytest.mark.parametrize("what", WEIGHTS)
def test_damaged_weights(what, files):
    change, kind, message = WEIGHTS[what]
    with Program(rewritten(files["trees"][1], change)) as program:
        with pytest.raises(CtorchError, match=re.escape(message)) as error:
            program.state_dict()
        assert error.value.kind == kind and "'weight'" in error.value.message


def test_several_programs_in_one_file(tmp_path):
    programs = {"one": models.exported("mlp"), "two": models.exported("trees")}
    path = tmp_path / "both.pt2"
    torch.export.pt2_archive._package.package_pt2(str(path), exported_programs=programs)
    for name, exported in programs.items():
        with Program(path, name) as program:
            assert_same(program.state_dict(), exported.state_dict)
    with pytest.raises(CtorchError, match="no exported program 'model'") as error:
        Program(path)
    assert error.value.kind == "INDEX"


def older(name: str) -> bytes:
    """A file as LibTorch 2.6 lays it out."""
    exported, buffer = models.exported(name), io.BytesIO()

    def pickled(value) -> bytes:
        file = io.BytesIO()
        torch.save(value, file)
        return file.getvalue()

    with zipfile.ZipFile(io.BytesIO(saved(name))) as new, zipfile.ZipFile(buffer, "w") as old:
        old.writestr("version", "8.2")
        document = next(n for n in new.namelist() if n.endswith("models/model.json"))
        old.writestr("serialized_exported_program.json", new.read(document))
        old.writestr("serialized_state_dict.pt", pickled(dict(exported.state_dict)))
        old.writestr("serialized_constants.pt", pickled(exported.constants))
        old.writestr("serialized_example_inputs.pt", pickled(exported.example_inputs))
    return buffer.getvalue()


def test_the_layout_of_older_files():
    exported = models.exported("trees")
    with Program(older("trees")) as program:
        assert_same(program.state_dict(), exported.state_dict)
        assert program.constants().keys() == exported.constants.keys()
        assert torch.equal(program.example_inputs()[0][0], exported.example_inputs[0][0])
        assert program.inputs()[0]["kind"] == "parameter"


def test_tensors_one_by_one(files, tmp_path):
    path = tmp_path / "model.pt2"
    path.write_bytes(files["cnn"][1])
    exported = files["cnn"][0]
    weights = out("ctorch_weights *")
    ok(lib.ctorch_weights_open_file(weights, str(path).encode(), True))
    owned = ffi.gc(weights[0], lib.ctorch_weights_release)
    assert ffi.string(lib.ctorch_weights_format(owned)) == b"pt2"
    loaded = python(made("ctorch_weights_load", owned, ffi.NULL))
    assert_same(loaded, exported.state_dict | exported.constants)
    metadata = python(made("ctorch_weights_metadata", owned))
    assert metadata["torch_version"] == torch.__version__
