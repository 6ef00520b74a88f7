"""The harness itself: tensors cross without copies, errors arrive."""

import torch

from tests.harness.capi import fails, ffi, handle, lib, ok, out, tensor


def test_a_tensor_crosses_and_comes_back():
    a = torch.arange(3.0)
    y = out("ctorch_tensor *")
    ok(lib.ctorch_aten_add_Tensor(y, handle(a), handle(a), ffi.NULL))
    assert torch.equal(tensor(y[0]), torch.tensor([0.0, 2.0, 4.0]))


def test_an_error_has_code_and_message():
    y = out("ctorch_tensor *")
    kind, message = fails(lib.ctorch_aten_neg(y, ffi.NULL))
    assert kind == "NULL_ARGUMENT"
    assert "self" in message
