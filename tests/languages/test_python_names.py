"""What the Python package calls things: the names of Python's torch, and ctorch's own where they are ctorch's."""

import math
import pickle
import re
import traceback

import numpy
import pytest
import torch

from tests.languages.test_python import ROOT, aten, ctorch, ours, raw, run, same


def test_the_conversions_of_torch_are_methods():
    x = torch.tensor([0.0, 1.5, -2.0])
    for name in "float double half bfloat16 int long short char bool cfloat cdouble chalf".split():
        same(getattr(ours(x), name)(), getattr(x, name)())
    same(ours(x.abs()).byte(), x.abs().byte())
    images = torch.ones(1, 2, 3, 3)
    converted = ours(images).double(memory_format=ctorch.channels_last)
    assert converted.stride() == images.double(memory_format=torch.channels_last).stride()
    a = ours(x)
    assert a.float().data_ptr() == a.data_ptr()


def test_the_short_names_of_dtypes():
    for name in "half float double chalf cfloat cdouble short int long".split():
        theirs = repr(getattr(torch, name)).removeprefix("torch.")
        assert repr(getattr(ctorch, name)) == f"ctorch.{theirs}"
    names = {}
    exec("from ctorch import *", names)
    assert not {"float", "int", "bool", "complex", "double"} & names.keys()  # builtins stay what they are
    assert {"zeros", "randn", "tensor", "float32"} <= names.keys()


def test_tensors_are_made_as_in_torch():
    for name in "zeros ones empty rand randn".split():
        ours_, theirs_ = getattr(ctorch, name), getattr(torch, name)
        for size in ((2, 3), ((2, 3),), ([2, 3],), (4,), ((),), ((0,),), (torch.Size([2]),), (numpy.int64(2), 3)):
            assert ours_(*size).shape == tuple(theirs_(*size).shape)
        assert ours_(size=(2, 3)).shape == (2, 3)
        a = ours_(2, dtype=ctorch.float64, device="cpu", requires_grad=True)
        assert a.requires_grad and a.is_leaf and a.dtype is ctorch.float64
        with pytest.raises(TypeError):
            ours_("2")
    same(ctorch.zeros(2, 3, dtype=ctorch.int16), torch.zeros(2, 3, dtype=torch.int16))
    same(ctorch.full((2,), 7), torch.full((2,), 7))
    same(ctorch.eye(2, 3), torch.eye(2, 3))
    same(ctorch.arange(5), torch.arange(5))
    same(ctorch.arange(1, 2, 0.5, requires_grad=True), torch.arange(1, 2, 0.5))
    same(ctorch.linspace(0, 1, 3), torch.linspace(0, 1, 3))
    same(ctorch.logspace(0, 2, 3), torch.logspace(0, 2, 3))
    for name, args in (("randint", (3, (4,))), ("randint", (2, 9, (4,))), ("randperm", (6,)), ("randn", (2, 2))):
        ctorch.manual_seed(5)
        found = getattr(ctorch, name)(*args)
        torch.manual_seed(5)  # the same generator, if it is the same LibTorch
        same(found, getattr(torch, name)(*args))
    a = ctorch.tensor([[1.0, 2.0]])
    same(ctorch.zeros_like(a), torch.zeros(1, 2))
    same(ctorch.full_like(a, 3, dtype=ctorch.int64), torch.full((1, 2), 3))
    assert ctorch.randn_like(a, requires_grad=True).requires_grad
    out = ctorch.empty(2)
    assert ctorch.ones(2, out=out) is out and out.tolist() == [1, 1]


def test_operators_are_at_the_top_of_the_package():
    a = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert ctorch.cat is aten.cat and ctorch.matmul is aten.matmul
    same(ctorch.softmax(a, -1), torch.tensor([[1.0, 2.0], [3.0, 4.0]]).softmax(-1))
    assert {"cat", "where", "relu_"} <= set(dir(ctorch))
    for name in ("_foreach_add", "no_such_operator", "__wrapped__"):
        with pytest.raises(AttributeError, match="module 'ctorch' has no attribute"):
            getattr(ctorch, name)


def test_the_names_of_numpy_stand_for_dim_and_keepdim():
    x = torch.tensor([[3.0, 1.0], [2.0, 5.0]])
    a = ours(x)
    same(a.sum(axis=0), x.sum(axis=0))
    same(a.mean(axis=(0, 1), keepdims=True), x.mean(dim=(0, 1), keepdim=True))
    same(a.cumsum(axis=1), x.cumsum(axis=1))  # one overload
    same(a.softmax(axis=0), x.softmax(0))
    same(ctorch.cat([a, a], axis=1), torch.cat([x, x], axis=1))
    same(aten.argmax(a, axis=1, keepdims=True), torch.argmax(x, dim=1, keepdim=True))
    same(a.max(axis=0)[0], x.max(0).values)
    for call in (lambda: a.sum(axis=0, dim=1), lambda: a.cumsum(axis=0, dim=1), lambda: a.relu(axis=0)):
        with pytest.raises(TypeError, match="axis"):
            call()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda m, x: x.max(1), "max"),
        (lambda m, x: x.min(dim=0, keepdim=True), "min"),
        (lambda m, x: x.sort(), "sort"),
        (lambda m, x: x.topk(2), "topk"),
        (lambda m, x: x.median(1), "median"),
        (lambda m, x: x.mode(), "mode"),
        (lambda m, x: x.kthvalue(2), "kthvalue"),
        (lambda m, x: x.cummax(0), "cummax"),
        (lambda m, x: x.aminmax(), "aminmax"),
        (lambda m, x: x.frexp(), "frexp"),
        (lambda m, x: m.linalg_slogdet(x) if m is aten else torch.linalg.slogdet(x), "linalg_slogdet"),
        (lambda m, x: m.linalg_svd(x) if m is aten else torch.linalg.svd(x), "linalg_svd"),
        (lambda m, x: m.linalg_qr(x) if m is aten else torch.linalg.qr(x), "linalg_qr"),
    ],
)
def test_several_results_have_the_names_that_torch_gives_them(call, name):
    x = torch.tensor([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0], [4.0, 5.0, 1.0]])
    found, expected = call(aten, ours(x)), call(torch, x)
    fields = type(expected).__match_args__
    assert found._fields == fields
    for field in fields:
        same(getattr(found, field), getattr(expected, field))
    for mine, theirs in zip(found, expected, strict=True):
        same(mine, theirs)
    assert isinstance(found, tuple) and type(found) is getattr(ctorch.return_types, name)
    assert repr(found).replace("ctorch.", "torch.") == repr(expected).replace("linalg.", "linalg_") or "linalg" in name


def test_named_results_elsewhere():
    a = ctorch.tensor([3.0, 1.0, 2.0])
    values, indices = ctorch.empty(0), ctorch.empty(0, dtype=ctorch.long)
    result = aten.sort(a, values=values, indices=indices)
    assert result.values is values and result.indices is indices
    assert type(aten.std_mean(a)) is tuple  # the schema has no names
    match a.max(0):
        case ctorch.return_types.max(values, indices):
            assert (values.item(), indices.item()) == (3, 0)
    assert a.max(0)._asdict().keys() == {"values", "indices"}
    assert type(pickle.loads(pickle.dumps(ctorch.return_types.max((1, 2))))) is ctorch.return_types.max
    with pytest.raises(AttributeError):
        a.max(0).value
    with pytest.raises(AttributeError):
        ctorch.return_types.add


def test_a_tensor_says_its_dtype_as_ctorch_calls_it():
    assert repr(ctorch.tensor([1.0]).half()) == "tensor([1.], dtype=ctorch.float16)"
    assert repr(ctorch.tensor([1.0, math.nan]).double()) == "tensor([1., nan], dtype=ctorch.float64)"
    sparse = ctorch.tensor([[0.0, 2.0]]).double().to_sparse()
    assert "layout=ctorch.sparse_coo" in repr(sparse) and "torch.float64" not in repr(sparse).replace("ctorch", "")
    assert f"{ctorch.tensor([1], dtype=ctorch.int8)}" == "tensor([1], dtype=ctorch.int8)"
    # the C function writes what PyTorch does
    assert str(raw.tensor_repr(ctorch.tensor([1.0]).half())) == repr(torch.tensor([1.0]).half())


def test_exceptions_are_called_by_their_public_names():
    a = ctorch.tensor([[1.0, 2.0]])
    calls = {
        "ctorch.errors.ShapeMismatchError: ": lambda: a @ a,
        "ctorch.errors.IndexError: ": lambda: a[7],
        "ctorch.errors.ArgumentError: matmul(): argument 'other' (position 2)": lambda: aten.matmul.default(a, 3),
        "ctorch.errors.ArgumentError: tensor_size(): ": lambda: raw.tensor_size(a, "x"),
        "TypeError: add(): no overload takes these arguments": lambda: aten.add(a, "x"),
    }
    for text, call in calls.items():
        try:
            call()
        except Exception as error:
            last = "".join(traceback.format_exception_only(error))
            assert last.startswith(text)
            name = type(error).__name__
            assert type(error).__module__ in ("builtins", "ctorch.errors")
            assert type(error).__module__ == "builtins" or getattr(ctorch.errors, name) is type(error)
            assert "<function" not in repr(error)


def test_the_first_program_of_the_readme(tmp_path):
    text = (ROOT / "bindings-gen/languages/python/README.md").read_text()
    (tmp_path / "program.py").write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])
    *_, dtype, shapes = run(tmp_path / "program.py").stdout.split("\n")[:-1]
    assert dtype.endswith("ctorch.float32") and re.fullmatch(r"\([\d, ]+\) \([\d, ]+\)", shapes)
