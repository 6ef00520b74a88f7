"""Packages that Python compiled, run by ctorch: bit for bit as Python runs them, and as eager code to stated digits."""

from __future__ import annotations

import gc
import glob
import json
import os
import tempfile
import threading
import zipfile
from collections import OrderedDict
from pathlib import Path

import pytest
import torch
import torch.utils._pytree as pytree

from tests.export import package_models as models
from tests.export.packages import Package, model_names
from tests.harness.capi import CtorchError, lib, ok


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(2)


def plain(item):
    """Named tuples as tuples, OrderedDicts as dicts: as results come from ctorch."""
    if isinstance(item, dict):
        return {key: plain(entry) for key, entry in item.items()}
    if isinstance(item, tuple | list):
        return (list if isinstance(item, list) else tuple)(plain(entry) for entry in item)
    return item


def copies(item):
    return pytree.tree_map_only(torch.Tensor, torch.clone, item)


def assert_close(got, expected, digits):
    got, expected = plain(got), plain(expected)
    assert pytree.tree_structure(got) == pytree.tree_structure(expected)
    for a, b in zip(pytree.tree_leaves(got), pytree.tree_leaves(expected), strict=True):
        torch.testing.assert_close(a, b, rtol=digits, atol=digits)


@pytest.mark.turns
@pytest.mark.parametrize("name", models.MODELS)
def test_results_are_those_of_python(name, compiled):
    model = models.MODELS[name]
    python = torch._inductor.aoti_load_package(str(compiled(name)))
    with Package(compiled(name)) as package, torch.no_grad():
        for args in (model.args, *model.others):
            arguments, named = args(), model.kwargs()
            got = package.call(*copies(arguments), **copies(named))
            same = python(*copies(arguments), **copies(named))
            assert_close(got, same, 0)
            assert_close(got, models.eager(name)(*copies(arguments), **copies(named)), model.digits)


def test_what_a_package_tells(compiled):
    with Package(compiled("cnn")) as package:
        assert package.metadata()["AOTI_DEVICE_KEY"] == "cpu"
        assert package.metadata() == torch._inductor.aoti_load_package(str(compiled("cnn"))).loader.get_metadata()
        (x,) = package.inputs()
        x.pop("name")
        assert x == {
            "dtype": "float32",
            "device": "cpu",
            "sizes": [None, 3, 16, 16],
            "strides": [768, 256, 16, 1],
            "least": [2, None, None, None],  # PyTorch's assumption
            "most": [x["most"][0], None, None, None],  # the compiler's own, which may be less than what was exported
        }
        assert 9 <= x["most"][0] <= 32
        python = torch._inductor.aoti_load_package(str(compiled("cnn"))).loader
        assert list(package.call_spec()) == [json.loads(spec) for spec in python.get_call_spec()]
        assert package.constant_names() == sorted(python.get_constant_fqns())
    assert model_names(compiled("cnn")) == ["model"]


# Inputs that are wrong ----------------------------------------------------------------------------------------------

X = torch.randn(2, 3, 16, 16)
BOUND = (
    ": a bound that PyTorch's compiler set, which may be narrower than that of the export. To run it as Python does, "
    "which does not look, turn the checks of inputs off (ctorch_package_set_check_inputs)"
)
WRONG = {
    "number": ((X, X), "INVALID_ARGUMENT", "inputs: the model takes 1 tensors, got 2"),
    "none": ((None,), "NULL_ARGUMENT", "inputs[0] must not be NULL"),
    "dtype": ((X.double(),), "DTYPE_MISMATCH", "inputs[0]: the model takes float32, got float64"),
    "device": ((X.to("meta"),), "DEVICE_MISMATCH", "inputs[0]: the model takes tensors on cpu, got one on meta"),
    "dimensions": ((X[0],), "SHAPE_MISMATCH", "inputs[0]: the model takes 4 dimensions, got 3"),
    "scalar": ((torch.tensor(1.0),), "SHAPE_MISMATCH", "inputs[0]: the model takes 4 dimensions, got 0"),
    "size": ((X[..., :15],), "SHAPE_MISMATCH", "inputs[0]: the model takes a size 16 in dimension 3, got 15"),
    "too few": (
        (X[:0],),
        "SHAPE_MISMATCH",
        "inputs[0]: the compiled code is for a size of at least 1 in dimension 0, got 0" + BOUND,
    ),
    "too many": (
        (X[:1].repeat(33, 1, 1, 1),),
        "SHAPE_MISMATCH",
        "inputs[0]: the compiled code is for a size of at most {most} in dimension 0, got 33" + BOUND,
    ),
    "strides": (
        (X.transpose(2, 3),),
        "INVALID_ARGUMENT",
        "inputs[0]: the model takes stride 16 in dimension 2, got 1: "
        "the tensor is laid out otherwise than the one that it was compiled with",
    ),
    "sparse": (
        (X.to_sparse(),), "INVALID_ARGUMENT", "inputs: [0]: compiled code takes tensors with strides alone",
    ),
    "negated": (
        (torch._neg_view(X),),
        "INVALID_ARGUMENT",
        "inputs[0]: it is conjugated or negated lazily: give what resolve_conj and resolve_neg make of it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_wrong_inputs_are_errors(what, compiled):
    inputs, kind, message = WRONG[what]
    with Package(compiled("cnn")) as package:
        message = message.format(most=package.inputs()[0]["most"][0])
        with pytest.raises(CtorchError) as error:
            package.run(*inputs)
        assert (error.value.kind, error.value.message) == (kind, message)
        assert error.value.function == "ctorch_package_run"
        assert package.run(X)[0].shape == (2, 10)


def test_callers_are_trusted_where_they_ask_for_it(compiled):
    """The export says up to 32, the compiler may say less, and Python runs 33 as well."""
    x = torch.randn(33, 3, 16, 16)
    python = torch._inductor.aoti_load_package(str(compiled("cnn")))
    with Package(compiled("cnn")) as package:
        ok(lib.ctorch_package_set_check_inputs(package.owned, False))
        assert torch.equal(package.run(x)[0], python(x))
        with pytest.raises(CtorchError, match="takes 1 tensors, got 2"):
            package.run(x, x)
        ok(lib.ctorch_package_set_check_inputs(package.owned, True))
        with pytest.raises(CtorchError, match="a size of at most"):
            package.run(x)


def test_a_stride_that_is_not_gone_is_no_error(compiled):
    with Package(compiled("cnn")) as package:
        x = X[:1].as_strided((1, 3, 16, 16), (5, 256, 16, 1))
        assert torch.equal(package.run(x)[0], package.run(X[:1])[0])


def test_sizes_that_belong_together(compiled):
    """The cache's two halves have one length, of which no line of the source tells but by its symbol."""
    tokens, (keys, values) = models.MODELS["gpt"].args()
    with Package(compiled("gpt")) as package:
        with pytest.raises(CtorchError, match=r"inputs\[2\]: the model takes a size 5 in dimension 2, got 4") as error:
            package.run(tokens, keys, values[:, :, :4].contiguous())
        assert error.value.kind == "SHAPE_MISMATCH"


# Calls by trees -----------------------------------------------------------------------------------------------------


def trees():
    (x, pair, names, factor), kwargs = models.MODELS["trees"].args(), models.MODELS["trees"].kwargs()
    return x, pair, names, factor, kwargs["bias"]


def test_dicts_in_another_order_and_tuples_for_lists(compiled):
    x, (first, [second]), names, factor, bias = trees()
    with Package(compiled("trees")) as package:
        expected = package.call(x, (first, [second]), names, factor, bias=bias)
        turned = dict(reversed(names.items()))
        assert_close(package.call(x, [first, (second,)], turned, factor, bias=bias), expected, 0)
        assert_close(package.call(x, (first, [second]), OrderedDict(names), factor, bias=bias), expected, 0)
        assert_close(package.call(x, (first, [second]), names, None, bias=bias), expected, 0)  # 3 is in the code


TREES = {
    "fewer": (lambda x, p, n, f, b: ((x, p, n), {"bias": b}), "the model takes 4 positional arguments, got 3"),
    "by name": (lambda x, p, n, f, b: ((x, p, n, f), {}), "kwargs: ['bias']: missing, and the model takes it"),
    "unknown": (
        lambda x, p, n, f, b: ((x, p, n, f), {"bias": b, "missing": b}),
        "kwargs: the model takes the keys [\"bias\"], got ['bias', 'missing']",
    ),
    "longer": (
        lambda x, p, n, f, b: ((x, (p[0], [p[1][0], b]), n, f), {"bias": b}),
        "args[1]: [1]: the model takes 1 entries, got 2",
    ),
    "no tuple": (
        lambda x, p, n, f, b: ((x, b, n, f), {"bias": b}), "args[1]: the model takes a list or tuple, got Tensor",
    ),
    "no dict": (lambda x, p, n, f, b: ((x, p, [b], f), {"bias": b}), "args[2]: the model takes a dict, got list"),
    "a list": (
        lambda x, p, n, f, b: (([x], p, n, f), {"bias": b}),
        "args[0]: the model takes a tensor or what stood for one, got list",
    ),
    "a key": (
        lambda x, p, n, f, b: ((x, p, {"a": n["a"]}, f), {"bias": b}),
        "args[2]: ['b']: missing, and the model takes it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TREES)
def test_arguments_of_another_form(what, compiled):
    make, message = TREES[what]
    args, kwargs = make(*trees())
    with Package(compiled("trees")) as package, pytest.raises(CtorchError) as error:
        package.call(*args, **kwargs)
    assert (error.value.kind, error.value.message) == ("TYPE", message)
    assert error.value.function == "ctorch_package_call"


def test_a_number_for_a_tensor(compiled):
    x, pair, names, factor, _bias = trees()
    with Package(compiled("trees")) as package, pytest.raises(CtorchError, match="takes 6 tensors, got 5"):
        package.call(x, pair, names, factor, bias=1.0)


# Constants ----------------------------------------------------------------------------------------------------------


def mlp():
    model = models.eager("mlp")
    for i, parameter in enumerate(model.parameters()):
        parameter.data.fill_(0.1 * (i + 1))
    return model.requires_grad_(False)


def test_constants_are_read_and_replaced(compiled):
    x, other = torch.randn(4, 16), mlp()
    with Package(compiled("mlp")) as package:
        eager = models.eager("mlp")
        before = package.run(x)[0]
        assert set(package.constant_names()) == set(eager.state_dict())
        for name, tensor in package.constants().items():
            assert torch.equal(tensor, eager.state_dict()[name])
        package.update(other.state_dict())
        assert_close(package.run(x)[0], other(x), 1e-5)
        package.update(eager.state_dict(), inactive=True)
        assert_close(package.run(x)[0], other(x), 1e-5)
        package.swap()
        assert torch.equal(package.run(x)[0], before)
        package.swap()
        assert_close(package.run(x)[0], other(x), 1e-5)
        package.update({"layers.2.bias": torch.zeros(4)}, full=False)
        other.layers[2].bias.zero_()
        assert_close(package.run(x)[0], other(x), 1e-5)
        package.free_inactive()
        with pytest.raises(CtorchError, match="no inactive constants"):
            package.swap()


def test_constants_of_any_layout_are_copied_and_no_others_shared(compiled):
    x, other = torch.randn(4, 16), mlp()
    torch.nn.init.normal_(other.layers[0].weight)
    state = other.state_dict()
    storage = torch.zeros(1000)  # more than the code has room for
    storage[7 : 7 + 32 * 16].view(16, 32).copy_(state["layers.0.weight"].T)
    state["layers.0.weight"] = storage[7 : 7 + 32 * 16].view(16, 32).T
    with Package(compiled("mlp")) as package:
        package.update(state)
        assert_close(package.run(x)[0], other(x), 1e-5)
        with pytest.raises(CtorchError, match="its memory cannot be shared: it is laid out otherwise") as error:
            package.update(state, user_managed=True)
        assert error.value.kind == "INVALID_ARGUMENT"


@pytest.mark.turns
@pytest.mark.parametrize("form", ["pickle_weights", "binary_blob"])
def test_weights_beside_the_library(form, compiled):
    path = compiled("mlp", package_constants_in_so=False, package_constants_on_disk_format=form)
    with zipfile.ZipFile(path) as archive:
        beside = [Path(name).name for name in archive.namelist() if "weight" in Path(name).name]
    assert len(beside) == {"pickle_weights": 5, "binary_blob": 1}[form]
    x, other = torch.randn(4, 16), mlp()
    with Package(path) as package:
        assert_close(package.run(x)[0], models.eager("mlp")(x).detach(), 1e-5)
        package.update(other.state_dict())
        assert_close(package.run(x)[0], other(x), 1e-5)


def test_weights_that_packages_share(compiled):
    x, shared = torch.randn(4, 16), mlp()
    with Package(compiled("mlp")) as one, Package(compiled("mlp")) as two:
        for package in (one, two):
            package.update(shared.state_dict(), user_managed=True)
        shared.layers[0].weight.data.mul_(2)
        shared.layers[2].bias.data.add_(1)
        for package in (one, two):
            assert_close(package.run(x)[0], shared(x), 1e-5)


CONSTANTS = {
    "name": ({"weight": torch.zeros(1)}, "INVALID_ARGUMENT", "constants: the package has no constant 'weight'"),
    "sizes": (
        {"layers.0.bias": torch.zeros(31)},
        "SHAPE_MISMATCH",
        "constants: 'layers.0.bias': the model has a tensor of other sizes",
    ),
    "dtype": (
        {"layers.0.bias": torch.zeros(32).double()},
        "DTYPE_MISMATCH",
        "constants: 'layers.0.bias': the model has float32, got float64",
    ),
    "type": ({"layers.0.bias": 1}, "TYPE", "constants: 'layers.0.bias': expected a tensor, got int"),
    "key": ({1: torch.zeros(32)}, "TYPE", "constants: a name that is no text"),
}


@pytest.mark.parametrize("what", CONSTANTS)
def test_wrong_constants_are_errors(what, compiled):
    constants, kind, message = CONSTANTS[what]
    x = torch.randn(4, 16)
    with Package(compiled("mlp")) as package:
        before = package.run(x)[0]
        with pytest.raises(CtorchError) as error:
            package.update(constants, full=False)
        assert (error.value.kind, error.value.message) == (kind, message)
        with pytest.raises(CtorchError, match=r"constants: 'layers\.0\.bias' is missing"):
            package.update({})
        assert torch.equal(package.run(x)[0], before)


# Threads ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_runners", [1, 3])
def test_many_threads(num_runners, compiled):
    inputs = [torch.randn(4, 16) for _ in range(8)]
    with Package(compiled("mlp"), num_runners=num_runners) as package:
        expected = [package.run(x)[0] for x in inputs]
        wrong = []

        def run(index):
            for _ in range(200):
                if not torch.equal(package.run(inputs[index])[0], expected[index]):
                    wrong.append(index)

        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(inputs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


def test_swaps_while_threads_run(compiled):
    x, other = torch.randn(4, 16), mlp()
    with Package(compiled("mlp"), num_runners=2) as package:
        before = package.run(x)[0]
        package.update(other.state_dict(), inactive=True)
        package.swap()
        after = package.run(x)[0]
        torn, done = [], threading.Event()

        def run():
            while not done.is_set():
                y = package.run(x)[0]
                if not torch.equal(y, before) and not torch.equal(y, after):
                    torn.append(y)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(100):
            package.swap()
        done.set()
        for thread in threads:
            thread.join()
        assert torn == []


def test_single_threaded_is_guarded(compiled):
    """Two threads at once: an error, and never a wrong result."""
    x = torch.randn(9, 3, 16, 16)
    with Package(compiled("cnn"), single_threaded=True) as package:
        expected = package.run(x)[0]
        refused, wrong = [], []
        barrier = threading.Barrier(4)

        def run():
            barrier.wait()
            for _ in range(300):
                try:
                    if not torch.equal(package.run(x)[0], expected):
                        wrong.append(1)
                except CtorchError as error:
                    refused.append((error.kind, error.message))

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert set(refused) == {
            (
                "RUNTIME",
                "the package runs in another thread, and was loaded to run in one at a time (single_threaded)",
            )
        }


# Files --------------------------------------------------------------------------------------------------------------


def folders():
    return glob.glob(os.path.join(tempfile.gettempdir(), "ctorch-package-*"))


def test_no_temporary_files_stay(compiled, tmp_path):
    before = folders()
    with Package(compiled("mlp")) as package:
        assert folders() == before
        package.run(torch.randn(4, 16))
    damaged = rewritten(compiled("mlp"), tmp_path, lambda name, data: data[:-5000] if name.endswith(".so") else data)
    with pytest.raises(CtorchError, match=r"damaged|cannot|no shared library"):
        Package(damaged)
    assert folders() == before


def rewritten(path, tmp_path, change, extra=()):
    """A copy of an archive with other records; None leaves one out."""
    copy = tmp_path / "changed.pt2"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
        for name, data in extra:
            new.writestr(zipfile.ZipInfo(name), data)
    return copy


def refused(path, name=None):
    with pytest.raises(CtorchError) as error:
        Package(path, name)
    assert error.value.function == "ctorch_package_load"
    return error.value.kind, error.value.message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a//b", "a/./b", "a\\b", "a/"])
def test_names_that_lead_elsewhere(name, compiled, tmp_path):
    path = rewritten(compiled("mlp"), tmp_path, lambda _, data: data, [("package/data/" + name, b"x")])
    kind, message = refused(path)
    assert kind == "FORMAT" and "has a name that leads out of a folder it is unpacked into" in message


def metadata(change):
    def changed(name, data):
        return json.dumps(json.loads(data) | change).encode() if name.endswith("_metadata.json") else data

    return changed


MACHINES = {
    "platform": ({"AOTI_PLATFORM": "win32"}, "compiled for another machine: its operating system is win32"),
    "machine": ({"AOTI_MACHINE": "riscv64"}, "compiled for another machine: its processor is riscv64"),
}


@pytest.mark.parametrize("what", MACHINES)
def test_packages_of_other_machines(what, compiled, tmp_path):
    change, message = MACHINES[what]
    kind, text = refused(rewritten(compiled("mlp"), tmp_path, metadata(change)))
    assert kind == "UNSUPPORTED" and text.startswith(message)


def library(change):
    return lambda name, data: change(data) if name.endswith(".so") else data


LIBRARIES = {
    "text": (lambda data: b"x" * 100, "FORMAT", "is no shared library"),
    "nothing": (lambda data: b"", "FORMAT", "is no shared library"),
    "cut": (lambda data: data[: len(data) // 2], "FORMAT", "is a damaged shared library"),
    "machine": (lambda data: data[:18] + b"\xf3\x00" + data[20:], "UNSUPPORTED", "for another processor"),
    "class": (lambda data: data[:4] + b"\x01" + data[5:], "UNSUPPORTED", "for another processor"),
    "program": (lambda data: data[:16] + b"\x02" + data[17:], "FORMAT", "is a damaged shared library"),
}


@pytest.mark.parametrize("what", LIBRARIES)
def test_damaged_libraries(what, compiled, tmp_path):
    change, kind, message = LIBRARIES[what]
    got, text = refused(rewritten(compiled("mlp"), tmp_path, library(change)))
    assert got == kind and message in text


def test_a_flipped_bit_is_found_by_its_checksum(compiled, tmp_path):
    with zipfile.ZipFile(compiled("mlp")) as archive:
        info = next(info for info in archive.infolist() if info.filename.endswith(".so"))
    data = bytearray(compiled("mlp").read_bytes())
    data[info.header_offset + 5000 + info.file_size // 2] ^= 1
    damaged = tmp_path / "damaged.pt2"
    damaged.write_bytes(data)
    kind, message = refused(damaged)
    assert kind == "FORMAT" and "its checksum is another" in message


def test_damaged_archives(compiled, tmp_path):
    data = compiled("mlp").read_bytes()
    path = tmp_path / "damaged.pt2"
    for damaged in (b"", b"x" * 1000, data[:100], data[: len(data) // 2], data[:-10], data[1000:]):
        path.write_bytes(damaged)
        assert refused(path)[0] == "FORMAT"


def test_no_library(compiled, tmp_path):
    without = rewritten(compiled("mlp"), tmp_path, lambda name, data: None if name.endswith(".so") else data)
    assert refused(without) == (
        "FORMAT",
        "model 'model' has no shared library: it was packaged as source alone",
    )


def test_without_its_source_the_number_alone_is_checked(compiled, tmp_path):
    bare = rewritten(compiled("mlp"), tmp_path, lambda name, data: None if name.endswith(".cpp") else data)
    x = torch.randn(4, 16)
    with Package(bare) as package, Package(compiled("mlp")) as whole:
        assert package.inputs() == [{}]
        assert torch.equal(package.run(x)[0], whole.run(x)[0])
        with pytest.raises(CtorchError, match="takes 1 tensors, got 0"):
            package.run()


def test_no_such_file_and_name(compiled, tmp_path):
    assert refused(tmp_path / "missing.pt2")[0] == "IO"
    assert refused(compiled("mlp"), "other") == (
        "INDEX",
        "no compiled model 'other' (ctorch_package_model_names lists them)",
    )
    with pytest.raises(CtorchError, match="compiled for cpu, asked to run on cuda"):
        Package(compiled("mlp"), device=torch.device("cuda:0"))
    with Package(compiled("mlp"), device=torch.device("cpu")) as package:
        assert package.run(torch.randn(4, 16))[0].shape == (4, 4)


def test_several_models_in_one_file(compiled, tmp_path):
    both = tmp_path / "both.pt2"
    with zipfile.ZipFile(both, "w") as new:
        for name in ("mlp", "cnn"):
            with zipfile.ZipFile(compiled(name)) as old:
                for record in old.namelist():
                    inner = record.split("/", 1)[1].replace("aotinductor/model/", f"aotinductor/{name}/")
                    if f"both/{inner}" not in new.namelist():
                        new.writestr(f"both/{inner}", old.read(record))
    assert model_names(both) == ["cnn", "mlp"]
    x, image = torch.randn(4, 16), torch.randn(2, 3, 16, 16)
    with Package(both, "mlp") as one, Package(both, "cnn") as two:
        assert_close(one.run(x)[0], models.eager("mlp")(x), 1e-5)
        assert_close(two.run(image)[0], models.eager("cnn")(image), 1e-5)


# Memory -------------------------------------------------------------------------------------------------------------


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(run, times):
    """The least of three: the process has other memory that comes and goes, and a leak grows in each."""
    least = None
    for _ in range(3):
        gc.collect()
        before = resident()
        run(times)
        gc.collect()
        found = resident() - before
        least = found if least is None else min(least, found)
    return least


def test_memory_stays_flat_over_many_runs(compiled):
    from tests.harness.capi import ffi, handles, lib, out

    x = torch.randn(4, 16)
    inputs, listed = handles([x]), out("ctorch_tensor_list *")
    with Package(compiled("mlp")) as package:

        def run(times):
            for _ in range(times):
                assert lib.ctorch_package_run(listed, package.owned, *inputs) == ffi.NULL
                lib.ctorch_tensor_list_release(listed[0])

        run(5_000)
        assert growth(run, 10_000) < 10_000 * 16


def test_memory_stays_flat_over_updates_and_errors(compiled):
    state, x = mlp().state_dict(), torch.randn(3, 16)
    with Package(compiled("mlp")) as package:

        def run(times):
            for _ in range(times):
                package.update(state)
                with pytest.raises(CtorchError):
                    package.run(x)

        run(300)
        assert growth(run, 700) < 1 << 20
