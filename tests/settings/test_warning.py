"""Warnings beside Python: what Python code causes stays Python's, what C code causes goes to C."""

import contextlib
import warnings

import torch

from tests.harness.capi import OK, error, fails, ffi, handle, lib, ok, out, text

USER, DEPRECATION = lib.c.CTORCH_WARNING_USER, lib.c.CTORCH_WARNING_DEPRECATION


@contextlib.contextmanager
def callback(answer=OK, failure=None):
    """Register a callback; yields what it hears as (kind, message)."""
    heard = []

    @ffi.callback("ctorch_warning_callback")
    def function(kind, message, file, function_name, line, out_error, payload):
        heard.append((kind, text(message)))
        if failure is not None:
            out_error[0] = error(*failure)
        return answer

    ok(lib.ctorch_warning_set_callback(function, ffi.NULL, ffi.NULL))
    try:
        yield heard
    finally:
        ok(lib.ctorch_warning_set_callback(ffi.NULL, ffi.NULL, ffi.NULL))


@contextlib.contextmanager
def warn_only():
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


def warn_in_c():
    x, places = torch.zeros(3), torch.tensor([1])
    with warn_only():
        source = torch.ones(1)
        ok(lib.ctorch_aten_put_(handle(x), handle(places), handle(source), False))


def warn_in_python():
    with warn_only():
        torch.zeros(3).put_(torch.tensor([1]), torch.ones(1))


def test_python_keeps_its_warnings():
    with callback() as heard, warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        warn_in_python()
        assert [w.category for w in recorded] == [UserWarning]
        assert "put_ does not have a deterministic implementation" in str(recorded[0].message)
        assert heard == []
        warn_in_c()
        assert len(recorded) == 1
        assert len(heard) == 1 and heard[0][0] == USER
        # The same text, but for the place in C++ that Python appends.
        assert str(recorded[0].message).startswith(heard[0][1])
        warn_in_python()
        assert len(recorded) == 2 and len(heard) == 1


def test_collecting_leaves_python_alone():
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        ok(lib.ctorch_warnings_push())
        warn_in_python()
        warn_in_c()
        warn_in_c()
        collected = out("ctorch_warnings *")
        ok(lib.ctorch_warnings_pop(collected))
        assert len(recorded) == 1
        assert lib.ctorch_warnings_len(collected[0]) == 1
        assert lib.ctorch_warnings_count(collected[0], 0) == 2
        assert str(recorded[0].message).startswith(text(lib.ctorch_warnings_message(collected[0], 0)))
        lib.ctorch_warnings_release(collected[0])


def test_a_failing_callback_does_not_fail_the_operator(capfd):
    with callback(0, ("VALUE", "no such luck")) as heard:
        warn_in_c()
    with callback(17):
        warn_in_c()
    assert len(heard) == 1
    printed = capfd.readouterr().err
    assert printed.count("put_ does not have a deterministic implementation") == 2
    assert "failed: no such luck" in printed and "answered 17 without an error" in printed


def test_python_sees_what_c_raises_while_python_calls():
    """A warning of C code that runs inside a call of Python's torch is Python's."""

    class Warns(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            ok(lib.ctorch_warning_emit(DEPRECATION, b"from backward"))
            return grad

    with callback() as heard, warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        Warns.apply(torch.ones(1, requires_grad=True)).sum().backward()
        assert [(w.category, str(w.message)) for w in recorded] == [(DeprecationWarning, "from backward")]
        assert heard == []
        ok(lib.ctorch_warning_emit(DEPRECATION, b"from C"))
        assert heard == [(DEPRECATION, "from C")] and len(recorded) == 1


def test_saying_always_is_one_switch():
    assert lib.ctorch_warning_always() == torch.is_warn_always_enabled() is False
    torch.set_warn_always(True)
    assert lib.ctorch_warning_always()
    ok(lib.ctorch_warning_set_always(False))
    assert not torch.is_warn_always_enabled()
    ok(lib.ctorch_warning_set_always(True))
    assert torch.is_warn_always_enabled()
    torch.set_warn_always(False)
    assert not lib.ctorch_warning_always()


def test_a_pop_without_a_push_fails():
    assert fails(lib.ctorch_warnings_pop(ffi.NULL))[0] == "RUNTIME"
