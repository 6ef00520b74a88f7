"""Operators defined in C, called by Python's torch.ops, TorchScript, torch.func and opcheck in the same process."""

import ctypes
import enum
import gc
import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
import torch

from tests.harness.capi import BUILD, OK, CtorchError, error, fails, ffi, handle, lib, ok, out
from tests.harness.functions import Ctorch, kind_of, message_of
from tests.harness.values import (
    call,
    call_boxed,
    entries,
    equal,
    find,
    kind,
    made,
    owned,
    python,
    repr_of,
    type_of,
    value,
)
from tests.value.test_value import nested


class Library:
    """A ctorch_library whose kernels are Python callables; they get and return Python objects."""

    def __init__(self, name_space: str = "shop") -> None:
        pointer = out("ctorch_library *")
        ok(lib.ctorch_library_new(pointer, name_space.encode()))
        self.pointer, self.kernels, self.destroyed = pointer[0], [], []
        self.name_space = name_space

    def define(self, schema: str) -> None:
        ok(lib.ctorch_library_define(self.pointer, schema.encode()))

    def implement(self, name: str, key: str | None, kernel: Callable[..., Any], convert: Any = python) -> None:
        @ffi.callback("ctorch_kernel_callback")
        def call_back(results: Any, results_len: int, args: Any, args_len: int, failure: Any, payload: Any) -> int:
            try:
                returned = kernel(*(convert(args[i]) for i in range(args_len)))
                several = returned if results_len != 1 else (returned,)
                for i, result in enumerate(several or ()):
                    results[i] = owned(result)
                return OK
            except Exception as exception:
                failure[0] = error(kind_of(exception), message_of(exception))
                return 0

        @ffi.callback("void(void *)")
        def destroy(payload: Any) -> None:
            self.destroyed.append(name)

        c_key = ffi.NULL if key is None else ffi.new("char[]", key.encode())
        ok(lib.ctorch_library_implement(self.pointer, name.encode(), c_key, call_back, destroy, ffi.NULL))
        self.kernels += [call_back, destroy]

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *_: Any) -> None:
        lib.ctorch_library_release(self.pointer)
        if self.name_space != "aten":
            vars(torch.ops).pop(self.name_space, None)  # Python caches operators, and calls those that are gone
        assert len(self.destroyed) == len(self.kernels) // 2


def scaled(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


@pytest.fixture
def shop():
    with Library() as library:
        library.define("scale(Tensor x, float by=2.0) -> Tensor")
        library.implement("scale", "CPU", scaled)
        library.implement("scale", "Meta", lambda x, by: torch.empty_like(x))
        yield library


def test_python_calls_it(shop):
    x = torch.tensor([1.0, 2.0])
    assert torch.equal(torch.ops.shop.scale(x), 2 * x)
    assert torch.equal(torch.ops.shop.scale(x, by=3), 3 * x)
    assert torch.ops.shop.scale(x.to("meta")).shape == (2,)
    assert str(torch.ops.shop.scale.default._schema) == "shop::scale(Tensor x, float by=2.) -> Tensor"
    with pytest.raises(RuntimeError, match="missing value for argument 'x'"):
        torch.ops.shop.scale()


def test_torchscript_calls_it(shop):
    @torch.jit.script
    def twice(x: torch.Tensor) -> torch.Tensor:
        return torch.ops.shop.scale(torch.ops.shop.scale(x), 5.0)

    assert "shop::scale" in str(twice.graph)
    assert torch.equal(twice(torch.ones(2)), torch.full((2,), 10.0))


def test_an_operator_compiled_from_a_string_calls_it(shop):
    unit = torch.jit.CompilationUnit("def f(x: Tensor):\n  return torch.ops.shop.scale(x, by=0.5)\n")
    assert torch.equal(unit.f(torch.ones(2)), torch.full((2,), 0.5))


def test_traces_record_it(shop):
    traced = torch.jit.trace(lambda x: torch.ops.shop.scale(x, 4.0), torch.ones(2))
    assert "shop::scale" in str(traced.graph)
    assert torch.equal(traced(torch.ones(3)), torch.full((3,), 4.0))


def with_gradient(library: Library) -> None:
    """The gradient formula of scale: a ctorch_autograd_function whose forward computes below autograd."""
    below = find("shop::scale")

    def apply(x: torch.Tensor, by: float) -> torch.Tensor:
        def forward(ctx: Any, tensor: torch.Tensor) -> torch.Tensor:
            result = out("ctorch_value *")
            args = [value(tensor), value(by)]
            ok(lib.ctorch_op_call_below_autograd(result, below, ffi.new("ctorch_value *[]", args), 2))
            return python(ffi.gc(result[0], lib.ctorch_value_release))

        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            return torch.ops.shop.scale(grad, by)

        return Ctorch.function("Scale", forward, backward).apply(x)

    library.implement("scale", "Autograd", apply)


def test_a_gradient_formula_in_callbacks(shop):
    with_gradient(shop)
    x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
    y = torch.ops.shop.scale(x, 3.0)
    assert type(y.grad_fn).__name__ == "ScaleBackward" or y.grad_fn.name() == "ScaleBackward"
    (grad,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(grad, torch.full((2,), 3.0, dtype=torch.double))
    assert torch.autograd.gradcheck(lambda t: torch.ops.shop.scale(t, 0.7), x)
    assert torch.autograd.gradgradcheck(lambda t: torch.ops.shop.scale(t, 0.7), x)
    call_result = call("shop::scale", x, 3.0)
    assert call_result.requires_grad and torch.equal(call_result, 3 * x)


def test_opcheck_accepts_it(shop):
    with_gradient(shop)
    for requires_grad in (False, True):
        x = torch.randn(3, requires_grad=requires_grad)
        answers = torch.library.opcheck(
            torch.ops.shop.scale.default,
            (x, 2.5),
            test_utils=("test_schema", "test_autograd_registration", "test_faketensor"),
        )
        assert set(answers.values()) == {"SUCCESS"}


def test_opcheck_notices_a_kernel_that_breaks_its_schema():
    with Library("broken") as library:
        library.define("write(Tensor x) -> Tensor")
        library.implement("write", "CPU", lambda x: x.add_(1).clone())
        with pytest.raises(torch.testing._internal.optests.generate_tests.OpCheckError):
            torch.library.opcheck(torch.ops.broken.write.default, (torch.ones(2),), test_utils="test_schema")


def test_without_a_formula_python_s_backward_fails_or_warns(shop):
    x = torch.ones(2, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        y = torch.ops.shop.scale(x)
        if y.requires_grad:
            y.sum().backward()
    assert not y.requires_grad or any("shop::scale" in str(w.message) for w in caught)
    ok(lib.ctorch_library_autograd_not_implemented(shop.pointer, b"scale"))
    with pytest.raises(RuntimeError, match="derivative for shop::scale is not implemented"):
        torch.ops.shop.scale(x).sum().backward()


def test_errors_reach_python(shop):
    def refuse(x):
        raise CtorchError("IO", "the shop is closed", "")

    shop.define("refuse(Tensor x) -> Tensor")
    shop.implement("refuse", "CPU", refuse)
    with pytest.raises(RuntimeError, match="the shop is closed"):
        torch.ops.shop.refuse(torch.ones(1))
    with pytest.raises(CtorchError) as caught:
        call("shop::refuse", torch.ones(1))
    assert (caught.value.kind, caught.value.message) == ("IO", "the shop is closed")

    @torch.jit.script
    def scripted(x: torch.Tensor) -> torch.Tensor:
        return torch.ops.shop.refuse(x)

    with pytest.raises(RuntimeError, match="the shop is closed"):
        scripted(torch.ones(1))


def test_a_wrong_result_is_python_s_error_too(shop):
    shop.define("wrong(Tensor x) -> (Tensor, int)")
    shop.implement("wrong", "CPU", lambda x: (x, "text"))
    with pytest.raises(TypeError, match="kernel of shop::wrong for CPU: result 1 must be int, not str"):
        torch.ops.shop.wrong(torch.ones(1))


def test_arguments_can_be_changed_in_place(shop):
    shop.define("fill_(Tensor(a!) x, float v) -> Tensor(a!)")
    shop.define("fill.out(float v, *, Tensor(a!) out) -> Tensor(a!)")
    shop.implement("fill_", "CPU", lambda x, v: None if x.fill_(v) is None else None)
    shop.implement("fill.out", "CPU", lambda v, target: target.fill_(v))
    x = torch.zeros(2)
    assert torch.ops.shop.fill_(x, 3.0) is x and torch.equal(x, torch.full((2,), 3.0))
    assert torch.ops.shop.fill.out(4.0, out=x) is x and torch.equal(x, torch.full((2,), 4.0))


def test_cuda_and_composite_kernels_are_registered(shop):
    for key in ("CUDA", "CompositeExplicitAutograd", "AutogradCUDA", "AutogradCPU"):
        shop.implement("scale", key, scaled)
        assert torch._C._dispatch_has_kernel_for_dispatch_key("shop::scale", key)
    assert torch.equal(torch.func.vmap(lambda t: torch.ops.shop.scale(t))(torch.ones(2, 2)), torch.full((2, 2), 2.0))


def test_dispatch_goes_back_when_a_library_goes():
    before = torch._C._dispatch_dump("aten::threshold")
    with Library("aten") as library:
        library.implement("threshold", "CPU", lambda x, threshold, replacement: x + 100)
        assert torch.equal(torch.ops.aten.threshold(torch.ones(1), 0, 0), torch.full((1,), 101.0))
    assert torch._C._dispatch_dump("aten::threshold") == before
    assert torch.equal(torch.ops.aten.threshold(torch.ones(1), 0, 0), torch.ones(1))


def test_what_is_gone_is_gone():
    before = set(torch._C._dispatch_get_all_op_names())
    with Library("ghosts") as library:
        library.define("boo(Tensor x) -> Tensor")
        library.implement("boo", "CPU", lambda x: x.clone())
        cached = find("ghosts::boo")
        assert set(torch._C._dispatch_get_all_op_names()) - before == {"ghosts::boo"}
    assert set(torch._C._dispatch_get_all_op_names()) == before
    args = ffi.new("ctorch_value *[]", [x := value(torch.ones(1))])
    assert fails(lib.ctorch_op_call(ffi.NULL, cached, args, 1))[0] == "UNSUPPORTED"
    assert x and torch._C._jit_get_operation("ghosts::boo")[0] is None


def test_an_operator_of_python_s_torch_library_is_found_and_goes():
    library = torch.library.Library("snakes", "DEF")
    library.define("hiss(Tensor x, int n=2) -> Tensor")
    library.impl("hiss", lambda x, n=2: x * n, "CPU")
    op = find("snakes::hiss")
    assert torch.equal(call(op, torch.ones(1)), torch.full((1,), 2.0))
    library._destroy()
    del library
    gc.collect()
    args = ffi.new("ctorch_value *[]", [x := value(torch.ones(1))])
    assert fails(lib.ctorch_op_call(ffi.NULL, op, args, 1)) == (
        "UNSUPPORTED",
        "operator snakes::hiss is gone: its library was released",
    )
    assert x


@torch.library.custom_op("snakes2::bite", mutates_args=())
def bite(x: torch.Tensor, factors: Sequence[float], times: int = 1) -> torch.Tensor:
    return x + times + sum(factors)


def test_a_custom_op_of_python_is_called_by_name():
    assert torch.equal(call("snakes2::bite", torch.zeros(1), [1, 0.5], 3), torch.full((1,), 4.5))


# What a kernel gets -------------------------------------------------------------------------------------------------

ECHOES = [
    ("int", [0, -1, 2**63 - 1, -(2**63)]),
    ("float", [0.5, 2, -(2**40)]),
    ("bool", [True, False]),
    ("complex", [1 + 2j, 3, 0.5]),
    ("Scalar", [1, 2.5, True, 1j]),
    ("str", ["", "größe", "a\0b"]),
    ("Device", [torch.device("cpu"), torch.device("cuda:1")]),
    ("int?", [None, 4]),
    ("str?", [None, "x"]),
    ("int[]", [[], [1, 2], (3,)]),
    ("int[2]", [[1, 2], 7]),
    ("float[]", [[0.5], [1, 2]]),
    ("float[]?", [None, [1, 0.5]]),
    ("bool[]", [[True]]),
    ("str[]", [["a", "b"], []]),
    ("Scalar[]", [[1, 2.5]]),
    ("int[][]", [[[1], []], [(2,)]]),
    ("Dict(str, int)", [{}, {"b": 1, "a": 2}]),
    ("Dict(int, float[])", [{1: [2, 0.5]}]),
    ("(int, float)", [(1, 2), (1, 0.5)]),
    ("(int, (str, bool[]))", [(1, ("x", [True]))]),
]


@pytest.mark.parametrize(("schema_type", "samples"), ECHOES, ids=[t for t, _ in ECHOES])
def test_a_kernel_gets_what_it_gets_from_python(schema_type, samples):
    got: list[str] = []
    with Library("echo") as library:
        library.define(f"echo({schema_type} x) -> ()")
        library.implement("echo", "CompositeExplicitAutograd", lambda x: got.append(repr_of(x)), lambda h: h)
        for sample in samples:
            torch.ops.echo.echo(sample)
            call("echo::echo", sample)
            assert got[-2] == got[-1]
    assert len(got) == 2 * len(samples)


def test_any_value_crosses_as_it_is():
    rng = random.Random(5)
    with Library("echo") as library:
        library.define("any(Any x) -> Any")
        library.implement("any", "CompositeExplicitAutograd", lambda x: x, lambda h: h)
        for _ in range(300):
            item = nested(rng)
            assert repr(call("echo::any", item)) == repr(item)


class Point(NamedTuple):
    x: int
    y: torch.Tensor


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.start = start


def test_what_only_torchscript_makes_has_text_identity_and_copies():
    seen: dict[str, Any] = {}

    def look(x: Any, t: Any) -> Any:
        lib.ctorch_value_retain(x)
        seen[kind(x)] = seen.get(kind(x), []) + [ffi.gc(ffi.cast("ctorch_value *", x), lib.ctorch_value_release)]
        return t

    with Library("look") as library:
        library.define("look(Any x, Tensor t) -> Tensor")
        library.implement("look", "CPU", look, lambda h: ffi.cast("ctorch_value *", h))

        @torch.jit.script
        def script(t: torch.Tensor) -> torch.Tensor:
            s = torch.ops.look.look(Point(3, t), t)  # what has no use is left out of the program
            s = torch.ops.look.look(Point(3, s), s)
            s = torch.ops.look.look(Color.RED, s)
            s = torch.ops.look.look(Color.RED, s)
            s = torch.ops.look.look(Color.BLUE, s)
            s = torch.ops.look.look(Counter(5), s)
            s = torch.ops.look.look(torch.jit.fork(torch.relu, t), s)
            s = torch.ops.look.look([[1], [2]], s)
            return torch.ops.look.look({"a": t}, s)

        script(torch.ones(1))
    point, point_too = seen["tuple"]
    assert repr_of(point) == "Point(x=3, y=tensor([1.]))" and "Point" in type_of(point)
    assert equal(point, point_too) and not lib.ctorch_value_is(point, point_too)
    copied = made("ctorch_value_deep_copy", point)
    assert repr_of(copied) == repr_of(point) and "Point" in type_of(copied)
    red, red_too, blue, counter, future = seen["object"]
    assert equal(red, red_too) and not equal(red, blue) and not equal(red, counter)
    assert "Color.RED" in repr_of(red) and "Counter" in repr_of(counter) and "Future" in repr_of(future)
    assert equal(counter, counter) and equal(future, future) and not equal(counter, future)
    assert type_of(future) == "Future[Tensor]"
    copied = made("ctorch_value_deep_copy", counter)
    assert not equal(copied, counter) and not lib.ctorch_value_is(copied, counter)
    (numbers,), (named,) = seen["list"], seen["dict"]
    assert type_of(numbers) == "List[List[int]]" and type_of(named) == "Dict[str, Tensor]"
    assert fails(lib.ctorch_value_list_append(numbers, value([1.5]))) == (
        "TYPE",
        "value[0]: expected int, found float",
    )
    ok(lib.ctorch_value_list_append(numbers, value([3])))
    assert repr_of(numbers) == "[[1], [2], [3]]" and type_of(entries(numbers)[2]) == "List[int]"
    assert fails(lib.ctorch_value_dict_put(named, b"b", value(1)))[0] == "TYPE"
    assert fails(lib.ctorch_value_dict_set(named, value(1), value(torch.ones(1))))[0] == "TYPE"


TENSORS = torch.tensor([1.0]), torch.tensor([2])


@pytest.mark.parametrize(
    ("schema_type", "sample"),
    [
        ("Tensor[]", [*TENSORS]),
        ("Tensor?[]", [TENSORS[0], None]),
        ("Tensor?", None),
        ("Dict(str, Tensor)", {"a": TENSORS[0]}),
        ("Tensor[][]", [[TENSORS[0]], []]),
    ],
)
def test_tensors_in_containers_are_the_same_tensors(schema_type, sample):
    with Library("echo") as library:
        library.define(f"echo({schema_type} x) -> {schema_type}")
        library.implement("echo", "CompositeExplicitAutograd", lambda x: x)
        assert repr(call("echo::echo", sample)) == repr(sample)
        returned = call_boxed("echo::echo", sample)
        if kind(returned) == "list" and len(entries(returned)) == 2 and kind(entries(returned)[0]) == "Tensor":
            assert python(entries(returned)[0]) is TENSORS[0]


def test_a_list_is_the_kernel_s_own_only_if_it_has_the_type():
    """A generic list is converted, a typed one is passed as it is: as in TorchScript, a kernel may change that."""
    with Library("echo") as library:
        library.define("grow(int[] x) -> ()")

        def grow(x: Any) -> None:
            ok(lib.ctorch_value_list_append(x, value(9)))

        library.implement("grow", "CompositeExplicitAutograd", grow, lambda h: ffi.cast("ctorch_value *", h))
        generic, typed = value([1]), out("ctorch_value *")
        ok(lib.ctorch_value_from_ints(typed, [1], 1))
        call("echo::grow", generic)
        call("echo::grow", typed[0])
        assert repr_of(generic) == "[1]" and repr_of(typed[0]) == "[1, 9]"
        lib.ctorch_value_release(typed[0])


def test_a_released_handle_of_a_tensor_is_not_kept(shop):
    x = torch.ones(2)
    before = x._use_count()
    call("shop::scale", x)
    torch.ops.shop.scale(x)
    gc.collect()
    assert x._use_count() == before
    assert handle(x) != ffi.NULL


# The example -------------------------------------------------------------------------------------------------------

EXAMPLE = BUILD / "examples" / "libsquareplus.so"


def squareplus_formula(x: torch.Tensor, b: float = 4.0) -> torch.Tensor:
    return (x + (x * x + b).sqrt()) / 2


@pytest.fixture
def squareplus():
    example = ctypes.CDLL(str(EXAMPLE))
    example.define_squareplus.restype = ctypes.c_void_p
    library = ctypes.c_void_p()
    assert example.define_squareplus(ctypes.byref(library)) is None
    yield torch.ops.examples.squareplus
    lib.ctorch_library_release(ffi.cast("ctorch_library *", library.value))
    vars(torch.ops).pop("examples")


@pytest.mark.skipif(not EXAMPLE.exists(), reason="the examples are not built")
def test_the_example_is_an_operator_like_any_other(squareplus):
    x = torch.linspace(-3, 3, 12).reshape(3, 4)
    for sample in (x, x.double(), x.t(), x[:, ::2], torch.empty(0)):
        assert torch.allclose(squareplus(sample, 2.0), squareplus_formula(sample, 2.0), rtol=1e-6)
    assert squareplus(x.to("meta")).shape == (3, 4)
    with pytest.raises(RuntimeError, match="float32 or float64 only"):
        squareplus(x.half())

    @torch.jit.script
    def scripted(t: torch.Tensor) -> torch.Tensor:
        return torch.ops.examples.squareplus(t, b=1.0) + 1

    assert torch.allclose(scripted(x), squareplus_formula(x, 1.0) + 1)
    leaf = x.double().requires_grad_()
    assert torch.autograd.gradcheck(lambda t: squareplus(t, 0.5), leaf)
    assert torch.autograd.gradgradcheck(lambda t: squareplus(t, 0.5), leaf)
    tests = ("test_schema", "test_autograd_registration", "test_faketensor")
    assert set(torch.library.opcheck(squareplus.default, (leaf,), test_utils=tests).values()) == {"SUCCESS"}
