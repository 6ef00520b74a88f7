"""Gradient checks: the decision on each function, and the error or report, are those of torch.autograd.gradcheck."""

import itertools
import re
import warnings

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.autograd.gradcheck import GradcheckError

from tests.autograd.test_autograd import KINDS, NONE, flag
from tests.harness.capi import OK, CtorchError, borrowed, error, ffi, handle, handles, lib, ok, out, string

Function = torch.autograd.Function


def number(value):
    return ffi.NULL if value is None else ffi.new("double *", value)


def c_function(f):
    """A C callback that runs a Python function of tensors."""

    @ffi.callback("int32_t(ctorch_tensor_list **, const ctorch_tensor *const *, size_t, ctorch_error **, void *)")
    def callback(out_list, inputs, inputs_len, error_place, _):
        try:
            result = f(*(borrowed(inputs[i]) for i in range(inputs_len)))
            result = tuple(result) if isinstance(result, (tuple, list)) else (result,)
            ok(lib.ctorch_tensor_list_new(out_list, *handles(result)))
        except Exception as e:
            names = {NotImplementedError: "NOT_IMPLEMENTED", torch.linalg.LinAlgError: "LINALG"}
            kind = e.kind if isinstance(e, CtorchError) else names.get(type(e))
            kind = kind or type(e).__name__.removesuffix("Error").upper()
            error_place[0] = error(kind if kind in ("INDEX", "VALUE", "TYPE") else "RUNTIME", str(e))
            return 0
        return OK

    return callback


def check(
    f,
    inputs,
    eps=None,
    atol=None,
    rtol=None,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=None,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=None,
    fast_mode=False,
    masked=False,
):
    """ctorch_gradcheck with the arguments of Python's; the report beside the decision."""
    decision, report, callback = out("bool"), out("ctorch_string *"), c_function(f)
    ok(
        lib.ctorch_gradcheck(
            ffi.NULL if raise_exception else decision,
            report,
            callback,
            ffi.NULL,
            *handles(list(inputs)),
            number(eps),
            number(atol),
            number(rtol),
            nondet_tol,
            flag(check_undefined_grad),
            check_grad_dtypes,
            check_batched_grad,
            check_batched_forward_grad,
            check_forward_ad,
            flag(check_backward_ad),
            fast_mode,
            masked,
        )
    )
    return raise_exception or decision[0], string(report[0])


def check_twice(
    f,
    inputs,
    grad_outputs=None,
    eps=None,
    atol=None,
    rtol=None,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=None,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=None,
    fast_mode=False,
    masked=False,
):
    """ctorch_gradcheck_double_backward with the arguments of Python's."""
    decision, report, callback = out("bool"), out("ctorch_string *"), c_function(f)
    starts = NONE if grad_outputs is None else handles(list(grad_outputs))
    ok(
        lib.ctorch_gradcheck_double_backward(
            ffi.NULL if raise_exception else decision,
            report,
            callback,
            ffi.NULL,
            *handles(list(inputs)),
            *starts,
            number(eps),
            number(atol),
            number(rtol),
            gen_non_contig_grad_outputs,
            nondet_tol,
            flag(check_undefined_grad),
            check_grad_dtypes,
            check_batched_grad,
            check_fwd_over_rev,
            flag(check_rev_over_rev),
            fast_mode,
            masked,
        )
    )
    return raise_exception or decision[0], string(report[0])


def values(*shape, seed=0, dtype=torch.float64, low=0.1, requires_grad=True):
    t = torch.rand(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype) + low
    return t.requires_grad_(requires_grad)


def complex_values(*shape, seed=0):
    return values(*shape, seed=seed, dtype=torch.complex128)


# Functions with wrong derivatives, and other trouble ------------------------------------------------------------------


def differentiable(forward, backward, jvp=None):
    """A function of one tensor with a derivative of its own."""

    class Custom(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.x = x
            return forward(x)

        @staticmethod
        def backward(ctx, g):
            return backward(g, *ctx.saved_tensors)

    if jvp is not None:
        Custom.jvp = staticmethod(lambda ctx, tangent: jvp(tangent, ctx.x))
    return Custom.apply


class TwoOutputsOneWrong(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * 2, y * 3

    @staticmethod
    def backward(ctx, a, b):
        return a * 2, b * 4


class NeedsDefinedGrads(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        if g is None:
            raise RuntimeError("no gradient")
        return g * 2


class UndefinedGivesOnes(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return torch.ones_like(ctx.saved_tensors[0]) if g is None else g * 2


class NotBatchable(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2 if g.sum().item() > -1e9 else g


class Nondeterministic(Function):
    @staticmethod
    def forward(ctx, x, jitter):
        ctx.jitter = jitter
        return x * 2

    @staticmethod
    def backward(ctx, g):
        Nondeterministic.calls += 1
        return g * 2 * (1 + ctx.jitter * (Nondeterministic.calls % 7)), None

    calls = 0


wrong = differentiable(lambda x: x.sin(), lambda g, x: g * x.cos() * 1.1)
right = differentiable(lambda x: x.sin(), lambda g, x: g * x.cos())
right_both = differentiable(lambda x: x.sin(), lambda g, x: g * x.cos(), lambda t, x: t * x.cos())
wrong_jvp = differentiable(lambda x: x.sin(), lambda g, x: g * x.cos(), lambda t, x: t * x.sin())
negative = differentiable(lambda x: x**2, lambda g, x: -2 * g * x)
constant_grad = differentiable(lambda x: x**2, lambda g, x: torch.ones_like(x))
detached_grad = differentiable(lambda x: x**3, lambda g, x: g * (3 * x.detach() ** 2))
forgotten_conj = differentiable(lambda z: z * z, lambda g, z: g * 2 * z)
right_conj = differentiable(lambda z: z * z, lambda g, z: g * (2 * z).conj())
wrong_imag = differentiable(lambda z: z.real * 2 + 3j * z.imag, lambda g, z: torch.complex(2 * g.real, 4 * g.imag))
float_grad = differentiable(lambda x: x * 2, lambda g, x: g * 2)

F = torch.nn.functional
CASES = {
    # name: (function, inputs)
    "sin": (torch.sin, lambda: [values(3)]),
    "a scalar": (torch.exp, lambda: [values()]),
    "no elements": (torch.exp, lambda: [values(0, 3)]),
    "one of many": (lambda x, y: x * y, lambda: [values(2, 3), values(3, requires_grad=False)]),
    "broadcast": (lambda x, y: x / y, lambda: [values(2, 3), values(3, seed=1)]),
    "the same input twice": (lambda x: x * x, lambda: [values(3)]),
    "matmul": (torch.matmul, lambda: [values(2, 3), values(3, 2, seed=1)]),
    "solve": (torch.linalg.solve, lambda: [values(3, 3) + torch.eye(3), values(3, 2, seed=1)]),
    "svd": (lambda x: torch.linalg.svdvals(x), lambda: [values(3, 2)]),
    "cholesky": (lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(3)), lambda: [values(3, 3)]),
    "several outputs": (lambda x: (x.sin(), x.sum(), x.t()), lambda: [values(2, 2)]),
    "an integer output": (lambda x: x.max(1), lambda: [values(2, 3)]),
    "an output without grad": (lambda x: (x * 2, x.detach() * 3), lambda: [values(2)]),
    "an output without grad first": (lambda x: (x.detach() * 0 + 1, x * 2), lambda: [values(2)]),
    "conv": (lambda x, w, b: F.conv2d(x, w, b, padding=1), lambda: [values(1, 2, 4, 4), values(3, 2, 3, 3), values(3)]),
    "layer norm": (lambda x: F.layer_norm(x, (4,)), lambda: [values(2, 4)]),
    "softmax": (lambda x: x.softmax(1), lambda: [values(2, 3)]),
    "cross entropy": (lambda x: F.cross_entropy(x, torch.tensor([0, 2])), lambda: [values(2, 3)]),
    "in place": (lambda x: x.clone().mul_(2).add_(x), lambda: [values(3)]),
    "views": (lambda x: x.t()[1:].reshape(-1), lambda: [values(2, 3)]),
    "a transposed input": (lambda x: x.exp(), lambda: [values(2, 3).detach().t().requires_grad_()]),
    "prod with a zero": (lambda x: x.prod(), lambda: [torch.tensor([0.0, 2.0, 3.0]).double().requires_grad_()]),
    "right": (right, lambda: [values(3)]),
    "right both ways": (right_both, lambda: [values(3)]),
    "wrong": (wrong, lambda: [values(3)]),
    "wrong forward": (wrong_jvp, lambda: [values(3)]),
    "the sign": (negative, lambda: [values(3)]),
    "a gradient that ignores its start": (constant_grad, lambda: [torch.full((3,), 0.5).double().requires_grad_()]),
    "one output of two": (TwoOutputsOneWrong.apply, lambda: [values(2), values(2, seed=1)]),
    "only the first derivative": (detached_grad, lambda: [values(3)]),
    "undefined gradients fail": (NeedsDefinedGrads.apply, lambda: [values(2)]),
    "undefined gradients count": (UndefinedGivesOnes.apply, lambda: [values(2)]),
    "not for a batch": (NotBatchable.apply, lambda: [values(2)]),
    "nondeterministic": (lambda x: Nondeterministic.apply(x, 1e-3), lambda: [values(3)]),
    "a little nondeterministic": (lambda x: Nondeterministic.apply(x, 1e-9), lambda: [values(3)]),
    "not differentiable": (lambda x: x.abs(), lambda: [torch.zeros(2).double().requires_grad_()]),
    "relu at zero": (torch.relu, lambda: [torch.tensor([0.0, 1.0]).double().requires_grad_()]),
    "a step": (lambda x: x.sign() + x * 0, lambda: [torch.zeros(2).double().requires_grad_()]),
    "detached": (lambda x: x.detach() * 2, lambda: [values(2)]),
    "constant": (lambda x: x.detach() * 0, lambda: [values(2)]),
    "floor": (lambda x: x.floor(), lambda: [values(3)]),
    "single precision": (torch.sin, lambda: [values(3, dtype=torch.float32)]),
    "nan": (lambda x: x.log(), lambda: [torch.tensor([-1.0, 1.0]).double().requires_grad_()]),
    "inf": (lambda x: 1 / x, lambda: [torch.tensor([0.0, 1.0]).double().requires_grad_()]),
    "complex mul": (lambda z, w: z * w, lambda: [complex_values(2), complex_values(2, seed=1)]),
    "complex conj": (lambda z: z.conj() * z, lambda: [complex_values(2)]),
    "complex exp": (torch.exp, lambda: [complex_values(3)]),
    "complex to real": (torch.abs, lambda: [complex_values(3)]),
    "real to complex": (lambda x: torch.polar(x, x * 2), lambda: [values(3)]),
    "complex and real": (lambda z, x: (z * x, x.sum()), lambda: [complex_values(2), values(2)]),
    "complex matmul": (torch.matmul, lambda: [complex_values(2, 2), complex_values(2, 2, seed=1)]),
    "fft": (lambda x: torch.fft.rfft(x), lambda: [values(5)]),
    "a conj input": (lambda z: z * 2, lambda: [complex_values(2).detach().conj().requires_grad_()]),
    "a right complex one": (right_conj, lambda: [complex_values(2)]),
    "a conj is forgotten": (forgotten_conj, lambda: [complex_values(2)]),
    "the imaginary part is wrong": (wrong_imag, lambda: [complex_values(2)]),
    "sparse": (
        lambda x, y: torch.sparse.mm(x, y),
        lambda: [torch.eye(3).double().to_sparse().requires_grad_(), values(3, 2)],
    ),
    "sparse to dense": (lambda x: x.to_dense() * 2, lambda: [torch.eye(2).double().to_sparse().requires_grad_()]),
    "sparse to dense masked": (
        lambda x: x.to_dense(masked_grad=True) * 2,
        lambda: [torch.eye(2).double().to_sparse().requires_grad_()],
    ),
    "hybrid sparse": (
        lambda x: x.to_dense(masked_grad=False).sin(),
        lambda: [torch.tensor([[1.0, 2.0], [0.0, 0.0]]).double().to_sparse(1).requires_grad_()],
    ),
    "csr": (
        lambda x: x.to_dense(masked_grad=False),
        lambda: [torch.tensor([[1.0, 2.0], [0.0, 3.0]]).double().to_sparse_csr().requires_grad_()],
    ),
    "csc": (
        lambda x: x.to_dense(masked_grad=False) * 3,
        lambda: [torch.tensor([[1.0, 2.0], [0.0, 3.0]]).double().to_sparse_csc().requires_grad_()],
    ),
    "bsr": (
        lambda x: x.to_dense(masked_grad=False) * 3,
        lambda: [torch.arange(16.0).reshape(4, 4).double().tril().to_sparse_bsr((2, 2)).requires_grad_()],
    ),
    "bsc": (
        lambda x: x.to_dense(masked_grad=False) * 3,
        lambda: [torch.arange(16.0).reshape(4, 4).double().tril().to_sparse_bsc((2, 2)).requires_grad_()],
    ),
    # errors
    "no input requires grad": (torch.sin, lambda: [values(2, requires_grad=False)]),
    "stride 0": (torch.sin, lambda: [values(1).detach().expand(3).requires_grad_()]),
    "a sparse output": (lambda x: x.to_sparse(), lambda: [values(2, 2)]),
    "a failing function": (lambda x: x @ x, lambda: [values(2, 3)]),
    "a shape that changes": (
        lambda x: x.repeat(1 + int((x.sum() * 1e9) % 7)),
        lambda: [values(3)],
    ),
}
OPTIONS = {
    "default": {},
    "fast": {"fast_mode": True},
    "forward": {"check_forward_ad": True},
    "forward only": {"check_forward_ad": True, "check_backward_ad": False, "check_undefined_grad": False},
    "fast forward": {"check_forward_ad": True, "check_backward_ad": False, "fast_mode": True},
    "batched": {"check_batched_grad": True},
    "batched forward": {"check_forward_ad": True, "check_batched_forward_grad": True},
    "undefined not checked": {"check_undefined_grad": False, "check_grad_dtypes": True},
    "tolerant": {"atol": 1.0, "rtol": 0.5, "nondet_tol": 1e-6},
    "strict": {"eps": 1e-4, "atol": 1e-12, "rtol": 1e-12},
    "masked": {"masked": True},
    "fast masked": {"masked": True, "fast_mode": True},
}
# Where Python's gradcheck trips over itself: it takes the first outputs for the differentiable ones, and cannot report
# on one that is not.
PYTHON_TRIPS = {("an output without grad first", option) for option in OPTIONS}
PYTHON_TRIPS |= {("an output without grad", "fast forward"), ("detached", "fast forward")}
REPORT = re.compile(
    r"Jacobian (computed with forward mode )?mismatch for output \d+ with respect to input \d+|"
    r"not reentrant|not multiplied by grad_output|expected to be zero|handle undefined output grads|"
    r"undefined or zero|batched grad|dtype mismatch|While considering the (real|imaginary) part of complex \w+ only"
)


def outcome(run):
    """Its decision, or the kind of its error; with the report where there is one."""
    Nondeterministic.calls = 0
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return run()
        except GradcheckError as e:
            return False, str(e)
        except AssertionError as e:
            return "RUNTIME", str(e)
        except CtorchError as e:
            kind = "RUNTIME" if e.kind.endswith("MISMATCH") or e.kind in ("NOT_IMPLEMENTED", "LINALG") else e.kind
            return kind, e.message
        except Exception as e:
            kinds = (k for t, names in KINDS.items() if isinstance(e, t) for k in names if "_" not in k)
            return next(kinds, type(e).__name__), str(e)


def said(report):
    return [said for said, _ in itertools.groupby(m.group() for m in REPORT.finditer(report))]


compared = [
    (case, option)
    for case, option in itertools.product(CASES, OPTIONS)
    if (case, option) not in PYTHON_TRIPS
    and not ("masked" in option and "sparse" not in case and case not in ("sin", "wrong"))
]


@pytest.mark.turns
@pytest.mark.parametrize(("case", "option"), compared, ids=lambda x: x)
def test_the_decision_is_pythons(case, option):
    function, inputs = CASES[case]
    options = OPTIONS[option]
    expected = outcome(lambda: (gradcheck(function, inputs(), **options), ""))
    got = outcome(lambda: check(function, inputs(), raise_exception=False, **options))
    assert got[0] == expected[0], (got, expected)
    if got[0] is False:
        assert said(got[1]) == said(expected[1]) != [], (got, expected)
    elif got[0] is True:
        assert got[1] == ""


@pytest.mark.parametrize("case", CASES)
def test_inputs_are_put_back(case):
    function, inputs = CASES[case]
    given = inputs()
    before = [t.detach().to_dense().clone() for t in given]
    for options in ({}, OPTIONS["fast"], OPTIONS["forward only"]):
        outcome(lambda options=options: check(function, given, raise_exception=False, **options))
        assert all(torch.equal(a, t.detach().to_dense()) for a, t in zip(before, given, strict=True))


def test_decisions_differ():
    """The table above would be worth little if all its answers were alike."""
    answers = [outcome(lambda c=c: check(*(CASES[c][0], CASES[c][1]()), raise_exception=False))[0] for c in CASES]
    assert answers.count(True) >= 30 and answers.count(False) >= 12
    assert {"RUNTIME", "VALUE"} <= set(map(str, answers))


@pytest.mark.parametrize(("case", "option"), sorted(PYTHON_TRIPS), ids=lambda x: x)
def test_outputs_without_grad_are_left_out_unless_there_are_no_others(case, option):
    function, inputs = CASES[case]
    options = {"atol": None, "rtol": None, "eps": None, **OPTIONS[option]}
    if option == "strict":
        options |= {"atol": 1e-6}
    assert check(function, inputs(), raise_exception=False, **options)[0] is (case != "detached")


GRADGRAD = [
    "sin",
    "a scalar",
    "broadcast",
    "matmul",
    "several outputs",
    "an integer output",
    "conv",
    "layer norm",
    "softmax",
    "right",
    "wrong",
    "only the first derivative",
    "one output of two",
    "complex mul",
    "complex exp",
    "complex to real",
    "real to complex",
    "a right complex one",
    "a conj is forgotten",
    "nondeterministic",
    "no input requires grad",
    "a failing function",
]
GRADGRAD_OPTIONS = {
    "default": {},
    "fast": {"fast_mode": True},
    "forward over reverse": {"check_fwd_over_rev": True},
    "only forward over reverse": {
        "check_fwd_over_rev": True,
        "check_rev_over_rev": False,
        "check_undefined_grad": False,
    },
    "batched": {"check_batched_grad": True},
    "gaps": {"gen_non_contig_grad_outputs": True},
    "undefined not checked": {"check_undefined_grad": False},
}


@pytest.mark.parametrize("option", GRADGRAD_OPTIONS)
@pytest.mark.parametrize("case", GRADGRAD)
def test_the_decision_on_second_derivatives_is_pythons(case, option):
    function, inputs = CASES[case]
    options = GRADGRAD_OPTIONS[option]
    expected = outcome(lambda: (gradgradcheck(function, inputs(), **options), ""))
    got = outcome(lambda: check_twice(function, inputs(), raise_exception=False, **options))
    assert got[0] == expected[0], (got, expected)
    if got[0] is False:
        assert said(got[1]) == said(expected[1]) != [], (got, expected)


def test_second_derivatives_of_given_grad_outputs():
    x = values(3)
    start = [values(3, seed=5)]
    assert check_twice(torch.sin, [x], start) == (True, "")
    assert gradgradcheck(torch.sin, [x], start)
    assert check_twice(detached_grad, [x], start, raise_exception=False)[0] is False
    with pytest.raises(CtorchError, match="got 1 tensors and 2 gradients"):
        check_twice(torch.sin, [x], [*start, *start])


def test_a_report_tells_where_and_how_far():
    right_answer, report = check(TwoOutputsOneWrong.apply, [values(2), values(2, seed=1)], raise_exception=False)
    assert right_answer is False
    with pytest.raises(GradcheckError) as expected:
        gradcheck(TwoOutputsOneWrong.apply, [values(2), values(2, seed=1)])
    assert report.startswith(str(expected.value))
    assert "for output 1 with respect to input 1" in report
    assert float(re.search(r"max per-element difference is: ([\d.e+-]+)\.\n", report)[1]) == pytest.approx(1, rel=1e-6)


def test_fast_mode_adds_whole_jacobians_to_its_report():
    with pytest.raises(GradcheckError) as expected:
        gradcheck(wrong, [values(3)], fast_mode=True)
    _, report = check(wrong, [values(3)], fast_mode=True, raise_exception=False)
    theirs, ours = (text.split("The above quantities")[1] for text in (str(expected.value), report))
    assert theirs.split("The max")[0] == ours.split("The max")[0]
    first = [text.split("\n")[0] for text in (str(expected.value), report)]
    assert first[0] == first[1]


def test_wrong_derivatives_are_an_error_if_nobody_asks():
    with pytest.raises(CtorchError) as failure:
        check(wrong, [values(3)])
    assert failure.value.kind == "RUNTIME"
    assert failure.value.message.startswith("Jacobian mismatch for output 0 with respect to input 0")


@pytest.mark.parametrize(
    ("run", "options"),
    [
        (check, {"check_backward_ad": False}),
        (check, {"check_backward_ad": False, "check_forward_ad": True, "check_batched_grad": True}),
        (check, {"check_batched_forward_grad": True}),
        (check_twice, {"check_rev_over_rev": False}),
        (check_twice, {"check_rev_over_rev": False, "check_fwd_over_rev": True}),
        (
            check_twice,
            {
                "check_rev_over_rev": False,
                "check_fwd_over_rev": True,
                "check_undefined_grad": False,
                "check_batched_grad": True,
            },
        ),
    ],
)
def test_options_must_fit_each_other(run, options):
    with pytest.raises(AssertionError) as expected:
        (gradcheck if run is check else gradgradcheck)(torch.sin, [values(2)], **options)
    with pytest.raises(CtorchError) as got:
        run(torch.sin, [values(2)], **options)
    assert got.value.kind == "INVALID_ARGUMENT" and str(expected.value) in got.value.message


@pytest.mark.parametrize("kind", ["VALUE", "INDEX", "RUNTIME"])
def test_the_error_of_the_function_arrives(kind):
    exception = {"VALUE": ValueError, "INDEX": IndexError, "RUNTIME": RuntimeError}[kind]
    x = values(3)
    before = x.detach().clone()
    calls = []

    def third_time(t):
        calls.append(1)
        if len(calls) == 3:
            raise exception("the third time")
        return t * 2

    with pytest.raises(CtorchError) as got:
        check(third_time, [x], raise_exception=False)
    assert (got.value.kind, got.value.message) == (kind, "the third time")
    assert torch.equal(x.detach(), before)  # put back although it failed in the middle of a step


def test_mkldnn_inputs():
    def f(x):
        return x.to_dense() * 2

    for options in ({}, {"fast_mode": True}, {"check_forward_ad": True, "check_backward_ad": False}):
        inputs = [torch.ones(2, 2).to_mkldnn().requires_grad_()]
        expected = outcome(lambda: (gradcheck(f, inputs, eps=1e-2, **options), ""))
        got = outcome(lambda: check(f, inputs, eps=1e-2, raise_exception=False, **options))
        assert got[0] == expected[0], (got, expected)


def test_missing_outputs_and_arguments():
    decision, report = out("bool"), out("ctorch_string *")
    x = values(2)
    rest = (ffi.NULL, ffi.NULL, ffi.NULL, 0.0, ffi.NULL, False, False, False, False, ffi.NULL, False, False)
    null = ffi.cast("ctorch_tensors_callback", 0)
    error_ = lib.ctorch_gradcheck(decision, report, null, ffi.NULL, *handles([x]), *rest)
    with pytest.raises(CtorchError, match="callback"):
        ok(error_)

    @ffi.callback("int32_t(ctorch_tensor_list **, const ctorch_tensor *const *, size_t, ctorch_error **, void *)")
    def null_output(out_list, inputs, inputs_len, error_place, _):
        ok(lib.ctorch_tensor_list_new(out_list, ffi.new("ctorch_tensor *[]", [ffi.NULL]), 1))
        return OK

    with pytest.raises(CtorchError, match="output 0 is NULL") as failure:
        ok(lib.ctorch_gradcheck(decision, report, null_output, ffi.NULL, *handles([x]), *rest))
    assert failure.value.kind == "INVALID_ARGUMENT"

    @ffi.callback("int32_t(ctorch_tensor_list **, const ctorch_tensor *const *, size_t, ctorch_error **, void *)")
    def silent(out_list, inputs, inputs_len, error_place, _):
        return 0

    with pytest.raises(CtorchError) as failure:
        ok(lib.ctorch_gradcheck(decision, report, silent, ffi.NULL, *handles([x]), *rest))
    assert failure.value.kind == "CALLBACK"
    assert report[0] == ffi.NULL
    assert handle(x)
