"""Weights in files of `torch.save`: each tensor by the way that leads to it, read when it is asked for."""

from __future__ import annotations

import collections
import io
import threading
import warnings
import zipfile

import numpy as np
import pytest
import torch

from tests.harness.capi import CtorchError
from tests.pt.contents import CONTENTS
from tests.pt.saving import python_save
from tests.pt.test_load import Call, Storage, an_old_tar_file, pickled, saved, with_pickle
from tests.weights.weights import SOURCES, Weights, same

warnings.filterwarnings("ignore", message=".*(TypedStorage|nested tensor|[Ss]parse|ComplexHalf|quantized|protocol).*")


def leaves(item, name=""):
    """Tensors and other things by dotted names, as Python finds them."""
    inner = (
        item.items()
        if isinstance(item, dict)
        else ((str(i), x) for i, x in enumerate(item))
        if isinstance(item, (list, tuple)) and not isinstance(item, torch.Size)
        else None
    )
    if inner is None:
        return {name: item}
    result = {}
    for key, entry in inner:
        part = key if isinstance(key, str) else repr(key)
        result.update(leaves(entry, f"{name}.{part}" if name else part))
    return result


def check(item, data, source):
    expected = leaves(item)
    tensors = {n: x for n, x in expected.items() if isinstance(x, torch.Tensor)}
    with Weights(data, source) as file:
        assert file.format == "pt" and file.names() == list(tensors)
        for name, x in tensors.items():
            assert file.dtype(name) == x.dtype and file.shape(name) == tuple(x.shape), name
            assert file.type(name) == str(x.dtype)
            got = file.tensor(name)
            if x.layout != torch.strided or x.is_quantized:
                assert str(got) == str(x) and got.layout == x.layout, name
                continue
            assert got.requires_grad == x.requires_grad, name
            if x.device.type == "meta":
                assert got.device == x.device
                continue
            same(x, got, name)
            assert got.stride() == x.stride(), name
        others = {n: x for n, x in expected.items() if not isinstance(x, (torch.Tensor, torch.UntypedStorage))}
        assert len(file.metadata()) == len(others)
        return file.metadata()


NAMES = [
    n
    for n in CONTENTS
    if n.startswith(
        (
            "tensor",
            "view",
            "empty tensor",
            "meta",
            "expanded",
            "scalar",
            "channels",
            "overlapping",
            "leaf",
            "conj",
            "negated",
            "imag",
            "parameter",
            "tied",
            "state",
            "optim",
            "sched",
            "coo",
            "torch.sparse",
            "quantized",
            "batched",
            "hybrid",
            "coalesced",
            "csr",
            "layouts",
            "nested",
            "text",
            "int",
        )
    )
    and n != "nested_tensor"
    and "surrogate" not in n
    and n not in ("text 7", "text 8", "text 5", "nested", "layouts")
]


@pytest.mark.parametrize("name", NAMES)
def test_contents(name):
    item = {"a": CONTENTS[name](), "b": [1]}
    for source in ("copy", "callback"):
        check(item, python_save(item), source)
    try:
        data = saved(item, _use_new_zipfile_serialization=False)
        torch.load(io.BytesIO(data), weights_only=False)
    except (RuntimeError, AttributeError):
        return
    check(item, data, "callback")


def test_names():
    x, y = torch.ones(2), torch.zeros(3)
    item = {
        "model": collections.OrderedDict([("layer.weight", x), ("layer.bias", y)]),
        "list": [x, (y, {"deep": x})],
        3: y,
        (1, "a"): x,
        None: y,
        "": {"": x},
        "lr": 0.1,
        "size": torch.Size([2, 3]),
        "text": "größe",
        "none": None,
        "dtype": torch.float16,
        "array": np.arange(6.0).reshape(2, 3),
        "set": {1},
        "empty": [],
        "storage": torch.ones(5).untyped_storage(),
    }
    with Weights(python_save(item)) as file:
        assert file.names() == [
            "model.layer.weight",
            "model.layer.bias",
            "list.0",
            "list.1.0",
            "list.1.1.deep",
            "3",
            "(1, 'a')",
            "None",
            ".",
            "array",
        ]
        same(torch.from_numpy(item["array"]), file.tensor("array"))
        assert file.shape("array") == (2, 3) and file.dtype("array") == torch.float64
        assert file.metadata() == {
            "lr": 0.1,
            "size": torch.Size([2, 3]),
            "text": "größe",
            "none": None,
            "dtype": torch.float16,
            "set": {1},
        }
        loaded = file.load()
        assert list(loaded) == file.names()
    with Weights(python_save(x)) as file:
        assert file.names() == [""]
        same(x, file.tensor(""))


class Block(torch.nn.Module):
    """No class that ctorch knows."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3, bias=False)
        self.norm = torch.nn.BatchNorm2d(2)
        self.register_buffer("table", torch.arange(3), persistent=False)
        self.register_buffer("kept", torch.arange(2))
        self.register_parameter("none", None)


@pytest.mark.parametrize("zipped", [True, False])
def test_modules_that_were_saved_whole(zipped):
    model = torch.nn.Sequential(Block(), torch.nn.Linear(2, 3))
    model.tied = model[1]
    for item, before in ((model, ""), ({"model": model, "epoch": 1}, "model.")):
        with Weights(saved(item, _use_new_zipfile_serialization=zipped)) as file:
            assert file.names() == [before + name for name in model.state_dict()]
            for name, x in model.state_dict().items():
                same(x, file.tensor(before + name).detach())
            assert file.metadata() == ({"epoch": 1} if before else {})


class Plain:
    pass


def test_objects_are_named():
    item = {
        "x": torch.ones(1),
        "a": [Plain(), Plain],
        "size": torch.Size([1]),
        "set": {1},
        "device": torch.device("cpu"),
    }
    with Weights(python_save(item)) as file:
        of = f"{__name__}.Plain"
        assert file.objects() == [("a.0", of), ("a.1", of), ("size", "torch.Size")]


def test_dicts_that_were_made_of_pairs():
    """As Python 2 wrote an OrderedDict, and a Counter and a defaultdict are written."""
    x, y = torch.ones(2), torch.zeros(3)
    pairs = Call(collections.OrderedDict, [["x", x], ["y", y]])
    item = {"pairs": pairs, "count": collections.Counter("aab"), "default": collections.defaultdict(list, {"x": x})}
    with Weights(python_save(item)) as file:
        assert file.names() == ["pairs.x", "pairs.y", "default.x"]
        assert file.metadata() == {"count.a": 2, "count.b": 1}


def test_no_more_is_read_than_is_asked_for():
    big, small = torch.arange(200000), torch.arange(1000)
    views = torch.arange(100000.0).view(100, 1000)
    item = {"big": big, "small": small, "row": views[7], "rows": views[10:20]}
    for options in ({}, {"_use_new_zipfile_serialization": False}):
        data = saved(item, **options)
        with Weights(data, "callback") as file:
            opened = file.reader.nbytes_read
            assert opened < 200000  # of 2 MB
            same(small, file.tensor("small"))
            same(views[7], file.tensor("row"))
            assert file.reader.nbytes_read - opened < 8000 + 4000 + 1000
            before = file.reader.nbytes_read
            same(views[12:14, 5:10], file.slice("rows", (2, 4), (5, 10)))
            assert file.reader.nbytes_read - before <= 2 * 1000 * 4
            before = file.reader.nbytes_read
            same(big[100:110], file.slice("big", (100, 110)))
            assert file.reader.nbytes_read - before <= 200
            assert file.nbytes("rows") == 40000


@pytest.mark.parametrize("source", SOURCES)
def test_slices(source):
    x = torch.arange(60).view(3, 4, 5)
    item = {"x": x, "t": x.permute(2, 0, 1), "c": torch.arange(4.0).to(torch.complex64).conj(), "s": x[1]}
    packed = io.BytesIO()
    plain = python_save(item)
    with zipfile.ZipFile(io.BytesIO(plain)) as file, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as to:
        for name in file.namelist():
            to.writestr(name, file.read(name))
    for data in (plain, packed.getvalue(), saved(item, _use_new_zipfile_serialization=False)):
        with Weights(data, source) as file:
            same(x[1:, :2], file.slice("x", (1, 3), (0, 2)))
            same(item["t"][-2:, 1:2], file.slice("t", (-2, 5), (1, 2)))
            same(item["c"][1:3], file.slice("c", (1, 3)))
            same(x[1][:, 2:4], file.slice("s", (0, 99), (2, 4)))
            same(x, file.slice("x"))
            assert file.slice("x", (2, 1)).shape == (0, 4, 5)


def test_the_other_order_of_bytes():
    x = torch.arange(7, dtype=torch.int32)
    with zipfile.ZipFile(io.BytesIO(python_save({"x": x}))) as file:
        records = {n.split("/", 1)[1]: file.read(n) for n in file.namelist()}
    records |= {"byteorder": b"big", "data/0": x.numpy().byteswap().tobytes()}
    with Weights(with_pickle(records.pop("data.pkl"), **records)) as file:
        same(x, file.tensor("x"))
        same(x[2:4], file.slice("x", (2, 4)))


def test_before_0_2():
    with Weights(an_old_tar_file(), "callback") as file:
        assert file.names() == ["a", "b", "again", "view"]
        same(torch.arange(6.0).view(2, 3), file.tensor("a"))
        same(torch.tensor([3.0, 4.0]), file.tensor("view"))
        assert file.shape("view") == (2,) and file.dtype("b") == torch.int64


def test_several_threads():
    item = {str(i): torch.full((100, 10), float(i)) for i in range(20)}
    errors = []
    with Weights(python_save(item), "callback") as file:

        def read():
            try:
                for name, x in item.items():
                    same(x, file.tensor(name))
            except BaseException as e:
                errors.append(e)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


def refused(data, *words):
    for source in ("copy", "callback"):
        with pytest.raises(CtorchError) as e:
            Weights(data, source)
        assert e.value.kind == "FORMAT"
        for word in words:
            assert word in e.value.message, e.value.message


def test_tensors_made_of_tensors():
    """Parts that are shared: each level would take three times as long."""
    item = torch.ones(2)
    for _ in range(9):
        item = Call(torch._utils._rebuild_sparse_tensor, torch.sparse_csr, (item, item, item, (2, 2)))
    with pytest.raises(CtorchError, match="nested too deep") as refusal:
        Weights(python_save(item))
    assert refusal.value.kind == "FORMAT"


def test_elements_of_less_than_a_byte():
    """They take no more than the storage has; as a tensor that is not quantized they are read nowhere else."""
    storage = Storage("storage", torch.QUInt4x2Storage, "0", "cpu", 6)
    scheme = (torch.per_channel_affine_float_qparams, [1.0, 1.0], [0.0, 0.0], 0)
    q = Call(torch._utils._rebuild_qtensor, storage, 0, (2, 6), (6, 1), scheme, False, {})
    plain = Call(torch._utils._rebuild_tensor_v2, storage, 0, (12,), (1,), False, {})
    half = Call(torch._utils._rebuild_tensor_v2, storage, 3, (5,), (1,), False, {})
    data = with_pickle(pickled({"q": q, "plain": plain, "half": half}), **{"data/0": bytes(range(6))})
    with Weights(data) as file:
        assert [file.nbytes(name) for name in ("q", "plain", "half")] == [6, 6, 3]


def test_hostile_files():
    x = torch.ones(2)
    shared = {"x": x}
    for _ in range(40):
        shared = {"a": shared, "b": shared}
    refused(python_save(shared), "memory")  # 2^40 names
    circle = [x]
    circle.append(circle)
    refused(python_save(circle), "nested")
    refused(python_save({"a.b": x, "a": {"b": x}}), "two tensors")
    views = torch.ones(1 << 20)
    refused(python_save([views[: len(views) - i] for i in range(200)]), "memory")  # 800 MiB of 4

    class Unknown:
        pass

    globals()["Unknown"] = Unknown
    Unknown.__qualname__ = "Unknown"
    with Weights(python_save({"x": x, "y": Unknown()})) as file:  # what is no tensor is only named
        assert file.names() == ["x"]
        assert torch.equal(file.tensor("x"), x)
    data = python_save({"x": x})
    for n in range(0, len(data), 13):
        with pytest.raises(CtorchError) as e:
            Weights(data[:n])
        assert e.value.kind == "FORMAT"
