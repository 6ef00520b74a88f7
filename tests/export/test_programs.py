"""Exported programs in C against what Python makes of the same file: the same bits, trees and weights."""

from __future__ import annotations

import copy
import threading

import pytest
import torch

from tests.export.program_models import CASES, exported
from tests.export.programs import Module, Program
from tests.harness.capi import CtorchError, ffi, lib, ok, out, tensor

FORMS = [(name, decomposed) for name, case in CASES.items() for decomposed in (False, True)[: 1 + case.decomposed]]


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """saved(name, decomposed) is the file of a model of the table, which is exported once."""
    made = {}

    def of(name, decomposed=False):
        if (name, decomposed) not in made:
            path = tmp_path_factory.mktemp("programs") / f"{name}.pt2"
            torch.export.save(exported(name, decomposed), path)
            made[name, decomposed] = path
        return made[name, decomposed]

    return of


def bits(tensor):
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8).tolist()


def assert_same(one, other):
    if isinstance(other, torch.Tensor):
        assert one.dtype == other.dtype and one.shape == other.shape
        assert bits(one) == bits(other)
        assert one.requires_grad == other.requires_grad
    elif isinstance(other, (list, tuple)):
        assert type(one) is type(other) and len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif isinstance(other, dict):
        assert list(one) == list(other)
        for key in other:
            assert_same(one[key], other[key])
    else:
        assert type(one) is type(other) and (one == other)


def calls(name):
    case = CASES[name]
    torch.manual_seed(2)
    return [(case.args(), case.kwargs())] + [(other(), {}) for other in case.others]


@pytest.mark.turns
@pytest.mark.parametrize(("name", "decomposed"), FORMS)
def test_results_are_those_of_python(saved, name, decomposed):
    path = saved(name, decomposed)
    theirs = torch.export.load(path).module()
    program = Program(path)
    assert program.told("missing_operators") == []
    ours = program.module()
    for args, kwargs in [*calls(name), *calls(name)]:  # twice, for models that write to their own tensors
        mine = copy.deepcopy((args, kwargs))
        with torch.set_grad_enabled(name != "branches"):  # of Python's cond all results require gradients
            assert_same(ours.call(*mine[0], **mine[1]), theirs(*args, **kwargs))
        assert_same(mine[0], args)  # what the model writes of its arguments


@pytest.mark.parametrize(("name", "decomposed"), FORMS)
def test_the_module_has_the_tensors_of_python(saved, name, decomposed):
    theirs = torch.export.load(saved(name, decomposed)).module()
    ours = Program(saved(name, decomposed)).module().state_dict()
    expected = theirs.state_dict(keep_vars=True)
    assert list(ours) == list(expected)
    for key, own in expected.items():
        assert bits(ours[key]) == bits(own)
        assert (ours[key].dtype, ours[key].stride()) == (own.dtype, own.stride())


def test_weights_that_share_memory_share_it(saved):
    state = Program(saved("gpt")).module().state_dict()
    assert state["head.weight"].data_ptr() == state["embedding.weight"].data_ptr()


def test_a_module_computes_with_the_tensors_that_it_shows(saved):
    ours = Program(saved("mlp")).module()
    x = torch.randn(3, 6, generator=torch.Generator().manual_seed(3))
    other = ours.copy()
    before = ours.call(x)
    with torch.no_grad():
        for own in ours.state_dict().values():
            own.zero_()
    assert torch.equal(ours.call(x), torch.zeros_like(before))
    assert torch.equal(other.call(x), before)
    assert torch.equal(Program(saved("mlp")).module().call(x), before)


def test_a_module_outlives_the_scope_that_it_was_made_in(saved):
    name = str(saved("gpt")).encode()
    scope, opened, place = out("ctorch_scope *"), out("ctorch_exported_program *"), out("ctorch_module *")
    ok(lib.ctorch_scope_begin(scope))
    try:
        ok(lib.ctorch_exported_program_open_file(opened, name, ffi.NULL))
        ok(lib.ctorch_exported_program_module(place, opened[0]))
        ok(lib.ctorch_scope_keep(ffi.NULL, place[0]))
    finally:
        lib.ctorch_scope_end(scope[0])
    ours, theirs = Module(place[0]), torch.export.load(saved("gpt")).module()
    for args, kwargs in calls("gpt"):
        assert_same(ours.copy().call(*args, **kwargs), theirs(*args, **kwargs))


def parameters_of(module):
    listed = out("ctorch_tensor_list *")
    ok(lib.ctorch_module_parameters(listed, module.owned, True))
    found = []
    for i in range(lib.ctorch_tensor_list_len(listed[0])):
        one = out("ctorch_tensor *")
        ok(lib.ctorch_tensor_list_get(one, listed[0], i))
        found.append(tensor(one[0]))
    lib.ctorch_tensor_list_release(listed[0])
    return found


def test_gradients_are_those_of_python(saved):
    theirs, ours = torch.export.load(saved("mlp")).module(), Program(saved("mlp")).module()
    x = torch.randn(3, 6, generator=torch.Generator().manual_seed(4))
    theirs(x).square().sum().backward()
    ours.call(x).square().sum().backward()
    for mine, parameter in zip(parameters_of(ours), theirs.parameters(), strict=True):
        assert torch.equal(mine.grad, parameter.grad)


@torch.no_grad()
@pytest.mark.parametrize("name", ["mlp", "resnet", "gpt", "counting"])
def test_a_module_can_be_taped(saved, name):
    theirs, ours = torch.export.load(saved(name)).module(), Program(saved(name)).module()
    ours.set_tape(2)
    for _ in range(5):
        args, kwargs = calls(name)[0]
        mine = copy.deepcopy((args, kwargs))
        assert_same(ours.call(*mine[0], **mine[1]), theirs(*args, **kwargs))


ARGUMENTS = {
    "too few": ((), {}, "TYPE", "the model takes 1 positional arguments, got 0"),
    "too many": ((torch.ones(2, 3, 20, 20), 1), {}, "TYPE", "the model takes 1 positional arguments, got 2"),
    "no tensor": ((3,), {}, "TYPE", "argument x: expected a tensor, got int"),
    "a tuple": (((torch.ones(2, 3, 20, 20),),), {}, "TYPE", "args[0]"),
    "dimensions": ((torch.ones(3, 20, 20),), {}, "SHAPE_MISMATCH", "expected a tensor of 4 dimensions, got 3"),
    "a fixed size": ((torch.ones(2, 3, 20, 21),), {}, "SHAPE_MISMATCH", "argument x: size 3: expected 20, got 21"),
    "beyond a range": ((torch.ones(33, 3, 20, 20),), {}, "SHAPE_MISMATCH", "size 0: expected at most 32, got 33"),
    "an unknown name": ((torch.ones(2, 3, 20, 20),), {"y": 1}, "TYPE", "kwargs"),
    "another dtype": ((torch.ones(2, 3, 20, 20).long(),), {}, "DTYPE_MISMATCH", "conv2d"),
}  # fmt: skip


@pytest.mark.parametrize("what", ARGUMENTS)
def test_unfit_arguments_are_refused(saved, what):
    args, kwargs, kind, message = ARGUMENTS[what]
    with pytest.raises(CtorchError) as raised:
        Program(saved("resnet")).module().call(*args, **kwargs)
    assert (raised.value.kind, raised.value.function) == (kind, "ctorch_module_call")
    assert message in raised.value.message


def test_what_was_fixed_at_the_export_has_to_be_the_same(saved):
    args, kwargs = calls("trees")[0]
    program = Program(saved("trees")).module()
    with pytest.raises(CtorchError, match="it has to be what it was at the export") as raised:
        program.call(*args[:3], 4, **kwargs)
    assert raised.value.kind == "VALUE"
    with pytest.raises(CtorchError, match="the model takes 4 positional arguments, got 3"):
        program.call(*args[:3], **kwargs)


def test_sizes_that_were_equal_have_to_be(saved):
    tokens, caches = calls("gpt")[0][0]
    caches[1] = tuple(torch.randn(1, 2, 6, 8) for _ in "kv")
    with pytest.raises(CtorchError, match="expected 5, as elsewhere, got 6") as raised:
        Program(saved("gpt")).module().call(tokens, caches)
    assert raised.value.kind == "SHAPE_MISMATCH"


def test_an_error_names_the_line_of_python(saved):
    with pytest.raises(CtorchError) as raised:
        Program(saved("indices")).module().call(torch.ones(3, 3), torch.tensor([7, 0]))
    assert raised.value.kind in ("INDEX", "INDEX_OUT_OF_RANGE")
    assert "torch.ops.aten.index.Tensor" in raised.value.message
    assert "picked = x[:, index] + x[index][:, :2].sum()" in raised.value.message


def test_threads_call_one_program(saved):
    program = Program(saved("lstm")).module()
    (args, kwargs) = calls("lstm")[0]
    expected = program.call(*args)
    failed = []

    def work():
        for _ in range(20):
            try:
                assert_same(program.call(*args), expected)
            except BaseException as e:
                failed.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
