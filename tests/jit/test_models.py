"""Files that Python's `torch.jit.save` writes, run by ctorch beside Python: the results are equal bit for bit."""

from __future__ import annotations

import io
import warnings

import pytest
import torch

from tests.harness.capi import CtorchError, fails, ffi, lib, ok, text
from tests.harness.values import made, python, value, values
from tests.harness.vision import has_torchvision, torchvision
from tests.jit.models import ROWS, Call, Row
from tests.jit.script import Module, in_python, load, reader, same, saved, written

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def scripted(row: Row) -> torch.jit.ScriptModule:
    torch.manual_seed(0)
    model = row.build().eval()
    return torch.jit.trace(model, row.calls()[0].args) if row.trace else torch.jit.script(model)


def run(module: torch.jit.ScriptModule, call: Call):
    return (module if call.method is None else getattr(module, call.method))(*call.args, **call.kwargs)


def compare(mine: Module, theirs: torch.jit.ScriptModule, calls: list[Call]) -> None:
    for _ in range(3):  # what LibTorch runs the first time is another program than later
        for call in calls:
            same(mine.call(call.method, *call.args, **call.kwargs), run(theirs, call))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_loaded_models_compute_what_python_does(row: Row) -> None:
    theirs = scripted(row)
    mine = load(saved(theirs))
    compare(mine, theirs, row.calls())
    assert {n: p.shape for n, p in mine.parameters().items()} == {n: p.shape for n, p in theirs.named_parameters()}
    buffers = mine.value("named_buffers", True)
    assert list(buffers) == [n for n, b in theirs.named_buffers() if b is not None]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_ctorch_saves_python_loads(row: Row) -> None:
    theirs = scripted(row)
    again = in_python(written(load(saved(theirs))))
    for call in row.calls():
        same(run(again, call), run(theirs, call))


def rows(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", [r for r in ROWS if r.name in names], ids=lambda row: row.name)


@rows("cnn", "gpt", "lstm", "types")
def test_frozen_models_compute_what_python_s_do(row: Row) -> None:
    theirs = scripted(row)
    names = [call.method for call in row.calls() if call.method]
    texts = [ffi.new("char[]", name.encode()) for name in names]
    kept = ffi.new("char *[]", texts)
    frozen = load(saved(theirs)).made("freeze", kept, len(names), True)
    compare(frozen, torch.jit.freeze(theirs, preserved_attrs=names), row.calls())
    assert frozen.parameters() == {}


@rows("cnn", "gpt")
def test_models_optimized_for_inference_compute_what_python_s_do(row: Row) -> None:
    theirs = scripted(row)
    fast = load(saved(theirs)).made("optimize_for_inference", ffi.NULL, 0)
    compare(fast, torch.jit.optimize_for_inference(theirs), row.calls())


def test_a_model_trains_as_in_python() -> None:
    row = ROWS[0]
    theirs = scripted(row).train()
    mine = load(saved(theirs))
    x = torch.randn(4, 3, 16, 16)
    parameters = mine.parameters()
    for module, given in ((mine, parameters), (theirs, dict(theirs.named_parameters()))):
        optimizer = torch.optim.SGD(given.values(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            module(x).square().mean().backward()
            optimizer.step()
    same(parameters, dict(theirs.named_parameters()))
    same(mine.value("named_buffers", True), dict(theirs.named_buffers()))
    mine.train(False)
    same(mine(x), theirs.eval()(x))


def test_extra_files_are_those_of_python() -> None:
    data = saved(scripted(ROWS[0]), **{"labels.txt": "cat", "raw": b"\0\xff"})
    assert python(made("ctorch_jit_extra_files", reader(data))) == {"labels.txt": b"cat", "raw": b"\0\xff"}
    ours = written(load(data), "ctorch_jit_save_with_extra_files", value({"a/b.json": "{}", "c": b"\1"}))
    files = {"a/b.json": "", "c": ""}
    torch.jit.load(io.BytesIO(ours), _extra_files=files)
    assert files == {"a/b.json": b"{}", "c": b"\1"}


class Fails(torch.nn.Module):
    def forward(self, x: torch.Tensor, how: int) -> torch.Tensor:
        if how == 0:
            raise ValueError("a value that is wrong")
        if how == 1:
            raise NotImplementedError("not yet")
        if how == 2:
            return x.view(7)
        return x[9]


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        (0, "VALUE", "a value that is wrong"),
        (1, "NOT_IMPLEMENTED", "not yet"),
        (2, "SHAPE_MISMATCH", "shape '[7]' is invalid"),
        (3, "RUNTIME", "index 9 out of range"),
    ],
)
def test_errors_inside_carry_the_traceback(how: int, kind: str, message: str) -> None:
    mine = load(saved(torch.jit.script(Fails())))
    with pytest.raises(CtorchError) as caught:
        mine(torch.ones(2), how)
    assert caught.value.kind in (kind, "RUNTIME", "INDEX") if how >= 2 else caught.value.kind == kind
    assert message in caught.value.message
    assert "Traceback of TorchScript" in caught.value.message and "test_models.py" in caught.value.message


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "missing a value for argument 'tokens'"),
        ((1,), {}, "argument 'tokens' must be Tensor, not int"),
        ((torch.ones(1), torch.ones(1)), {}, "argument 'state' must be Optional"),
        ((torch.ones(1),), {"other": 1}, "unexpected argument 'other'"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(args: tuple, kwargs: dict, message: str) -> None:
    mine = load(saved(scripted(ROWS[2])))
    with pytest.raises(CtorchError, match=message) as caught:
        mine(*args, **kwargs)
    assert caught.value.kind == "TYPE" and caught.value.function == "ctorch_jit_module_call"


def test_text_of_methods_is_python_s() -> None:
    for row in ROWS:
        theirs = scripted(row)
        mine = load(saved(theirs))
        again = in_python(saved(theirs))
        assert mine.text("code", ffi.NULL) == again.code
        assert mine.text("graph", ffi.NULL, False) == str(again.graph)
        assert mine.text("schema", ffi.NULL).split("self, ")[1] == str(again.forward.schema).split("self, ")[1]
        assert mine.value("module_names", True) == [n for n, _ in again.named_modules() if n]


def test_saving_for_mobile_is_python_s() -> None:
    mobile = pytest.importorskip("torch.jit.mobile")
    theirs = scripted(ROWS[0])
    ours = written(load(saved(theirs)), "ctorch_jit_save_for_mobile", ffi.NULL, False)
    (x,) = ROWS[0].calls()[0].args
    same(mobile._load_for_lite_interpreter(io.BytesIO(ours))(x), theirs(x))


@pytest.mark.turns
@pytest.mark.skipif(not has_torchvision(), reason="no torchvision for this torch")
@pytest.mark.parametrize("name", ["resnet18", "mobilenet_v3_small", "googlenet", "vit_b_16", "convnext_tiny"])
def test_torchvision_s_models(name: str) -> None:
    torch.manual_seed(0)
    size = 224 if name == "vit_b_16" else 64
    options = {"init_weights": False} if name == "googlenet" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = getattr(torchvision("models"), name)(weights=None, **options).eval()
        theirs = torch.jit.script(model)
    mine = load(saved(theirs))
    with torch.no_grad():
        for n in (1, 2):
            x = torch.randn(n, 3, size, size)
            got, expected = mine(x), theirs(x)
            same(got, tuple(expected) if isinstance(expected, tuple) else expected)


def test_to_moves_and_converts_as_python_does() -> None:
    theirs = scripted(ROWS[0])
    mine = load(saved(theirs))
    ok(lib.ctorch_jit_module_to(mine.handle, ffi.NULL, ffi.new("ctorch_dtype *", lib.c.CTORCH_DTYPE_FLOAT64), False))
    x = torch.randn(2, 3, 16, 16, dtype=torch.float64)
    same(mine(x), theirs.double()(x))


def test_fields_of_a_named_tuple_have_their_names() -> None:
    row = next(row for row in ROWS if row.name == "types")
    mine = load(saved(scripted(row)))
    given, given_len, _kept = values(row.calls()[0].args)
    point = made("ctorch_jit_module_call", mine.handle, ffi.NULL, given, given_len, ffi.NULL)
    expected = run(scripted(row), row.calls()[0])
    assert text(lib.ctorch_value_tuple_name(point)) == type(expected).__name__ == "Point"
    names = [text(lib.ctorch_value_field_name(point, i)) for i in range(2)]
    assert tuple(names) == expected._fields and lib.ctorch_value_field_name(point, 2) == ffi.NULL
    for name in names:
        same(python(made("ctorch_value_field", point, name.encode())), getattr(expected, name))
    result = ffi.new("ctorch_value **")
    kind, message = fails(lib.ctorch_value_field(result, point, b"z"))
    assert kind == "INDEX" and "no field 'z'" in message
    plain = value((1, 2))
    assert lib.ctorch_value_tuple_name(plain) == lib.ctorch_value_field_name(plain, 0) == ffi.NULL
    assert lib.ctorch_value_tuple_name(ffi.NULL) == lib.ctorch_value_field_name(ffi.NULL, 0) == ffi.NULL
    assert fails(lib.ctorch_value_field(result, plain, b"x"))[0] == "TYPE"
