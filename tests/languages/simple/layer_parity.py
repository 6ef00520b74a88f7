"""Each method of Tensor that is written by hand beside what Python's torch does, on one LibTorch in one process.

    python -m simple.layer_parity PACKAGE LIBRARY

Prints a line for each difference, and for each method that nothing here compares.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path

import torch

from . import tree
from .parity import Parity
from .values import Instance, Variant

WRITTEN = Path(__file__).resolve().parents[3] / "bindings-gen/ctorchgen/emit/simple/text/tensor_class.spl"
FLOAT32, FLOAT64, INT64, BFLOAT16, BOOL = (
    Variant("DType", name, ()) for name in "Float32 Float64 Int64 Bfloat16 Bool".split()
)


class Layer(Parity):
    """Tensors of Simple and of Python side by side."""

    def __init__(self, package: Path, library: Path) -> None:
        super().__init__(package, library)
        self.seen: set[str] = set()
        self.wrong: list[str] = []

    def make(self, name: str, *arguments: object, **named: object) -> object:
        """A static function of Tensor; what it gives, the Ok taken off."""
        return self.value(self.call(self.tensor.methods[name], arguments, named))

    def of(self, value: Instance, name: str, *arguments: object, **named: object) -> object:
        """A method; what it gives, the Ok taken off."""
        return self.value(self.call(value.type.methods[name], (value, *arguments), named))

    def call(self, function, arguments: tuple, named: dict) -> object:
        self.seen.add(function.node.name)
        names = [None] * len(arguments) + list(named)
        return function.call([*arguments, *named.values()], names[1:] if function.is_method and named else names)

    @staticmethod
    def value(outcome: object) -> object:
        if isinstance(outcome, Variant) and outcome.enum == "Result":
            return outcome.fields[0] if outcome.name == "Ok" else ("failed", outcome.fields[0].fields["message"])
        return outcome

    def tensor_of(self, values: torch.Tensor) -> Instance:
        numbers = values.to(torch.float64).flatten().tolist()
        made = self.tensor.methods["from_array"].call([numbers, list(values.shape), FLOAT64]).fields[0]
        return self.method(made, "to_dtype", DTYPES[values.dtype]).fields[0]

    def same(self, what: str, mine: object, theirs: object) -> None:
        if isinstance(mine, Instance) and mine.type.name == "Tensor":
            mine = (self.method(mine, "dtype"), self.method(mine, "shape"), self.method(mine, "to_floats").fields[0])
        if isinstance(theirs, torch.Tensor):
            flat = theirs.detach().to(torch.float64).flatten().tolist()
            theirs = (DTYPES[theirs.dtype], list(theirs.shape), flat)
        if not equal(mine, theirs):
            self.wrong.append(f"{what}: {mine} here, {theirs} in Python")


DTYPES = {
    torch.float32: FLOAT32,
    torch.float64: FLOAT64,
    torch.int64: INT64,
    torch.bool: BOOL,
    torch.bfloat16: BFLOAT16,
}


def equal(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return a == b or math.isnan(a) and math.isnan(b)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return type(a) is type(b) and a == b


def failure(call: Callable[[], object]) -> tuple[str, str]:
    """What the call fails with, as `Layer.value` tells it."""
    try:
        call()
    except Exception as exception:
        return "failed", str(exception).split("\n")[0]
    return "failed", "nothing"


def scalar(number: float) -> Variant:
    return Variant("Scalar", "Int" if isinstance(number, int) else "Float", (number,))


def creators(layer: Layer) -> None:
    make, same = layer.make, layer.same
    for shape in ([2, 3], [], [0, 4]):
        for name in ("zeros", "ones"):
            same(f"{name} {shape}", make(name, shape), getattr(torch, name)(shape))
            same(
                f"{name} {shape} int64", make(name, shape, dtype=INT64), getattr(torch, name)(shape, dtype=torch.int64)
            )
        for name in ("rand", "randn"):
            torch.manual_seed(5)
            mine = make(name, shape)
            torch.manual_seed(5)
            same(f"{name} {shape}", mine, getattr(torch, name)(shape))
        same(f"full {shape}", make("full", shape, scalar(2.5)), torch.full(shape, 2.5))
        same(f"full {shape} int", make("full", shape, scalar(3)), torch.full(shape, 3))
        same(f"empty {shape}", layer.of(make("empty", shape), "shape"), list(torch.empty(shape).shape))
    same("zeros of -1", make("zeros", [-1])[1].split("\n")[0], failure(lambda: torch.zeros([-1]))[1])
    same("arange", make("arange", 2, 11, 3), torch.arange(2, 11, 3))
    same("arange by 0", make("arange", 2, 11, 0), failure(lambda: torch.arange(2, 11, 0)))
    same("linspace", make("linspace", 0.0, 1.0, 7), torch.linspace(0.0, 1.0, 7))
    same("eye", make("eye", 3), torch.eye(3))
    numbers = [0.1, -2.5, math.inf, math.nan]
    same("from_array", make("from_array", numbers, [2, 2]), torch.tensor(numbers).reshape(2, 2))
    doubles = torch.tensor(numbers, dtype=torch.float64)
    same("from_array float64", make("from_array", numbers, [4], FLOAT64), doubles)
    same("from_array of another size", make("from_array", numbers, [3])[0], "failed")
    integers = [2**60 - 1, -(2**60), 0, 7]
    mine = make("from_ints", integers, [4])
    same("from_ints", (layer.of(mine, "to_ints"), layer.of(mine, "dtype")), (torch.tensor(integers).tolist(), INT64))
    same("scalar", make("scalar", scalar(2.5)), torch.tensor(2.5))
    same("scalar bfloat16", make("scalar", scalar(2.5), BFLOAT16), torch.tensor(2.5, dtype=torch.bfloat16))
    same("undefined", layer.of(make("undefined"), "defined"), False)


def accessors(layer: Layer) -> None:
    of, same = layer.of, layer.same
    for theirs in (
        torch.arange(24.0).reshape(2, 3, 4),
        torch.tensor(1.5),
        torch.ones(0, 3),
        torch.arange(6).reshape(2, 3).t(),
    ):
        mine = layer.tensor_of(theirs.contiguous())
        if not theirs.is_contiguous():
            mine = of(layer.tensor_of(theirs.t().contiguous()), "t")
        for name, expected in (
            ("ndim", theirs.ndim),
            ("numel", theirs.numel()),
            ("shape", list(theirs.shape)),
            ("strides", list(theirs.stride())),
            ("nbytes", theirs.nbytes),
            ("dtype", DTYPES[theirs.dtype]),
            ("is_contiguous", theirs.is_contiguous()),
            ("is_cuda", theirs.is_cuda),
            ("requires_grad", theirs.requires_grad),
            ("is_leaf", theirs.is_leaf),
            ("defined", True),
            ("to_text", repr(theirs)),
            ("to_floats", theirs.to(torch.float64).flatten().tolist()),
            ("to_ints", theirs.to(torch.int64).flatten().tolist()),
        ):
            same(f"{name} of {list(theirs.shape)}", of(mine, name), expected)
        if theirs.ndim:
            same("size", [of(mine, "size", 0), of(mine, "size", -1)], [theirs.size(0), theirs.size(-1)])
        if theirs.numel() == 1:
            same("item", [of(mine, "item"), of(mine, "item_int")], [theirs.item(), int(theirs.item())])
        else:
            same("item of many", of(mine, "item")[0], "failed")
            same("item_int of many", of(mine, "item_int")[0], "failed")
    mine, theirs = layer.tensor_of(torch.tensor([1.5, 2.5])), torch.tensor([1.5, 2.5])
    same("device", of(mine, "device").fields["kind"], 0)
    same("to_dtype", of(mine, "to_dtype", INT64), theirs.to(torch.int64))
    same("to", of(mine, "to", dtype=FLOAT64, copy=True), theirs.to(torch.float64))
    same("cpu", of(mine, "cpu"), theirs.cpu())
    cpu = layer.classes["Device"].methods["cpu"].call([])
    same("to_device", of(mine, "to_device", cpu), theirs)
    if not torch.cuda.is_available():
        same("cuda", of(mine, "cuda")[0], "failed")
    again = of(mine, "share")
    of(mine, "drop")
    same("share", again, theirs)


def indexing(layer: Layer) -> None:
    of, same = layer.of, layer.same
    theirs = torch.arange(24.0).reshape(2, 3, 4)
    mine = layer.tensor_of(theirs)
    for index in ("0", "-1, 1:", "..., ::2", ":, None, 1", "1, 2, 3", "0:1, ..., -2:", "::2"):
        same(f"at {index}", of(mine, "at", index), eval(f"theirs[{index}]"))
    for index in ("5", "0:0:0", "1, 2, 3, 4", "x", ""):
        outcome = of(mine, "at", index)
        same(f"at {index!r} fails", isinstance(outcome, tuple) and outcome[0] == "failed", True)
    row = torch.tensor([9.0, 8.0, 7.0, 6.0])
    same(
        "put_at",
        of(mine, "put_at", "1, 0", layer.tensor_of(row)),
        theirs.index_put((torch.tensor(1), torch.tensor(0)), row),
    )
    address = of(mine, "to_dlpack")
    same("dlpack", layer.make("from_dlpack", address), torch.tensor(layer.of(mine, "to_floats")).reshape(2, 3, 4))


def reductions(layer: Layer) -> None:
    of, same = layer.of, layer.same
    theirs = torch.tensor([[[1.5, -2.0], [3.25, 0.0]], [[5.0, 6.5], [-7.0, 8.0]]])
    mine = layer.tensor_of(theirs)
    for dims in ([0], [-1], [0, 2], [0, 1, 2]):
        for keep in (False, True):
            where = f"{dims} {keep}"
            for name in ("sum", "mean", "std"):
                expected = getattr(theirs, name)(dim=dims, keepdim=keep)
                same(f"{name} {where}", of(mine, name, dim=dims, keepdim=keep), expected)
            expected = theirs.var(dim=dims, correction=0, keepdim=keep)
            same(f"variance {where}", of(mine, "variance", dim=dims, correction=0.0, keepdim=keep), expected)
            for name in ("all", "any"):
                expected = getattr(torch, name)(theirs, dim=tuple(dims), keepdim=keep)
                same(f"{name} {where}", of(mine, name, dim=dims, keepdim=keep), expected)
    for name in ("sum", "mean", "std", "prod", "all", "any"):
        same(name, of(mine, name), getattr(theirs, name)())
    same("variance", of(mine, "variance"), theirs.var())
    same("prod of 1", of(mine, "prod", dim=1, keepdim=True, dtype=FLOAT64), theirs.prod(1, True, dtype=torch.float64))
    same("sum in float64", of(mine, "sum", dtype=FLOAT64), theirs.sum(dtype=torch.float64))
    integers = torch.arange(6)
    same("sum of int64", of(layer.tensor_of(integers), "sum"), integers.sum())
    same("mean of int64", of(layer.tensor_of(integers), "mean")[0], "failed")
    for name in ("sum", "mean", "std", "all", "any"):
        same(f"{name} of no such dimension", of(mine, name, dim=[3])[0], "failed")
    same("prod of no such dimension", of(mine, "prod", dim=3)[0], "failed")


def arithmetic(layer: Layer) -> None:
    of, same = layer.of, layer.same
    x, y = torch.tensor([[1.5, -2.0], [3.25, 0.5]]), torch.tensor([0.5, -2.0])
    a, b = layer.tensor_of(x), layer.tensor_of(y)
    for name, expected in (
        ("__add__", x + y),
        ("__sub__", x - y),
        ("__mul__", x * y),
        ("__div__", x / y),
        ("__matmul__", x @ y),
        ("__lt__", x < y),
        ("__le__", x <= y),
        ("__gt__", x > y),
        ("__ge__", x >= y),
    ):
        same(name, of(a, name, b), expected)
    same("__neg__", of(a, "__neg__"), -x)
    for n in (2.0, 0.1, -3.5):
        for name, expected in (
            ("plus", x + n),
            ("minus", x - n),
            ("times", x * n),
            ("over", x / n),
            ("power", x**n),
            ("subtracted_from", n - x),
            ("dividing", n / x),
            ("less_than", x < n),
            ("greater_than", x > n),
            ("equal_to", x == n),
        ):
            same(f"{name} {n}", of(a, name, n), expected)


def gradients(layer: Layer) -> None:
    of, same = layer.of, layer.same
    x = torch.tensor([1.5, -2.0, 3.0], requires_grad=True)
    a = of(layer.tensor_of(x.detach()), "set_requires_grad")
    same("requires_grad", of(a, "requires_grad"), True)
    same("no gradient yet", of(a, "grad"), None)
    same("undefined gradient", of(of(a, "gradient"), "defined"), False)
    y, b = (x * x).sum(), of(of(a, "__mul__", a), "sum")
    y.backward(retain_graph=True)
    same("backward", of(b, "backward", retain_graph=True), True)
    same("grad", of(a, "grad"), x.grad)
    y.backward()
    of(b, "backward")
    same("gradient, added", of(a, "gradient"), x.grad)
    same("backward twice", of(b, "backward")[1].split(",")[0], failure(y.backward)[1].split(",")[0])
    z, c = x * 2, of(a, "times", 2.0)
    same("is_leaf", [of(a, "is_leaf"), of(c, "is_leaf")], [x.is_leaf, z.is_leaf])
    z.retain_grad()
    of(c, "retain_grad")
    given = torch.tensor([1.0, 0.5, 0.0])
    z.backward(given)
    of(c, "backward_from", layer.tensor_of(given))
    same("backward_from", of(a, "grad"), x.grad)
    same("retain_grad", of(c, "grad"), z.grad)
    x.grad = torch.ones(3)
    of(a, "set_grad", layer.tensor_of(torch.ones(3)))
    same("set_grad", of(a, "grad"), x.grad)
    of(a, "zero_grad")
    same("zero_grad", of(a, "grad"), None)
    same("detach", of(of(c, "detach"), "requires_grad"), False)


def main() -> int:
    package, library = map(Path, sys.argv[1:3])
    sys.setrecursionlimit(20_000)
    layer = Layer(package, library)
    scope = layer.scope.methods["begin"].call([]).fields[0]
    for part in (creators, accessors, indexing, reductions, arithmetic, gradients):
        part(layer)
    layer.method(scope, "end")
    node = next(i for i in parsed().items if isinstance(i, tree.Class))
    missing = sorted({m.name for m in node.methods} - layer.seen)
    print("\n".join([*layer.wrong, *(f"{name} is compared with nothing" for name in missing)]))
    print(f"{len(layer.seen)} methods, {len(layer.wrong)} differences")
    return 1 if layer.wrong or missing else 0


def parsed() -> tree.File:
    from .parser import parse

    return parse(WRITTEN.read_text(), WRITTEN.name)


if __name__ == "__main__":
    sys.exit(main())
