"""Structured kernels of LibTorch in tapes, beside the operators themselves, bit for bit.

PyTorch's own samples of inputs run under a dispatch mode. Each overload that has such a kernel is captured on copies of
its arguments, and replayed on other values in the same places. What comes out, and what became of the arguments, is
compared with the operator's own. The overloads with `out` and in place are called with what the functional one was.
"""

from __future__ import annotations

import re
import sys
import types
import unittest
import warnings
from collections import Counter, defaultdict
from itertools import islice
from unittest.mock import patch

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from tests.harness.capi import BUILD, CtorchError, ffi, handles, lib, ok, out, string, tensor

pytestmark = pytest.mark.slow(2)

NULL = ffi.NULL
TABLE = (BUILD / "generated/structured_table.cpp").read_text()
OVERLOADS = set(re.findall(r'^    \{"aten::([\w.]+)", ', TABLE, re.MULTILINE))
DTYPES = (torch.float32, torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64)
SAMPLES = 8  # of an operator and a dtype
CALLS = 8  # of an overload
# Of the database: for other devices, and what calls the same operators as others.
ELSEWHERE = ("fft", "jiterator", "masked", "nn.functional.scaled_dot", "signal", "sparse", "_refs")
# Operators that read wherever their arguments tell them, or that write beyond an `out` of unusual strides (upsample of
# bytes, triu, tril): they get samples as they are, and fractions of them.
DELICATE = ("convert_indices", "ldl", "linalg", "lu_", "pool", "triangular", "tril", "triu", "upsample")


def op_db():
    """torch.testing's operators; what is not installed with torch and only decorates its tests is left out."""
    if "expecttest" not in sys.modules:
        stub = types.ModuleType("expecttest")
        stub.TestCase, stub.assert_expected_inline = unittest.TestCase, None
        sys.modules["expecttest"] = stub
    from torch.testing._internal.common_methods_invocations import op_db

    return op_db


def numbers(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.arange(1, 1 + torch.Size(shape).numel()).reshape(shape).to(dtype) / 4


# What no sample leads to.
A = torch.ops.aten
MORE = [
    (A._addmm_activation, (numbers(3), numbers(2, 4), numbers(4, 3)), {}),
    (A._addmm_activation, (numbers(3), numbers(2, 4), numbers(4, 3)), {"beta": 0.5, "alpha": 2, "use_gelu": True}),
    (A._convert_indices_from_coo_to_csr, (torch.tensor([0, 0, 1, 2]), 4), {}),
    (A._convert_indices_from_coo_to_csr, (torch.tensor([0, 0, 1, 2]), 4), {"out_int32": True}),
    (A._convert_indices_from_csr_to_coo, (torch.tensor([0, 2, 3]), torch.tensor([0, 1, 1])), {}),
    *(
        (getattr(A, f"_upsample_{kind}2d_aa"), (numbers(1, 2, 4, 5), [3, 7], False), {})
        for kind in ("bicubic", "lanczos")
        if hasattr(A, f"_upsample_{kind}2d_aa")
    ),
    *(
        (getattr(A, f"_upsample_{kind}2d_aa_backward"), (numbers(1, 2, 3, 7), [3, 7], [1, 2, 4, 5], False), {})
        for kind in ("bicubic", "lanczos")
        if hasattr(A, f"_upsample_{kind}2d_aa_backward")
    ),
    (A._upsample_nearest_exact3d, (numbers(1, 2, 2, 3, 4), [3, 3, 2]), {}),
    (A._upsample_nearest_exact3d_backward, (numbers(1, 2, 3, 3, 2), [3, 3, 2], [1, 2, 2, 3, 4]), {}),
    (A.clamp_max, (numbers(2, 3), 1), {}),
    (A.clamp_max, (numbers(2, 3, dtype=torch.int64), 0.5), {}),
    (A.clamp_min, (numbers(2, 3), 1), {}),
    (A.isin.Tensor_Scalar, (numbers(2, 5), 0.5), {"invert": True}),
    (A.norm.ScalarOpt_dim_dtype, (numbers(2, 3), 2, [1], True), {"dtype": torch.float64}),
    (A.reflection_pad3d, (numbers(2, 3, 4, 5), [1, 2, 0, 1, 2, 0]), {}),
    (A.reflection_pad3d_backward, (numbers(2, 5, 5, 8), numbers(2, 3, 4, 5), [1, 2, 0, 1, 2, 0]), {}),
    (A.replication_pad3d, (numbers(2, 3, 4, 5), [1, 2, 0, 1, 2, 0]), {}),
    (A.scatter.value_reduce, (numbers(3, 4), 1, torch.tensor([[0, 2], [1, 1]]), 0.5), {"reduce": "add"}),
    (A.slow_conv_transpose2d, (numbers(1, 2, 3, 3), numbers(2, 3, 2, 2), [2, 2], numbers(3), [2, 2]), {}),
    (A.upsample_nearest3d, (numbers(1, 2, 2, 3, 4), [3, 3, 2]), {}),
    (A.upsample_nearest3d_backward, (numbers(1, 2, 3, 3, 2), [3, 3, 2], [1, 2, 2, 3, 4]), {}),
]


class Copies:
    """Copies of tensors that share their memory as the tensors do."""

    def __init__(self) -> None:
        self.storages: dict[int, torch.UntypedStorage] = {}
        self.tensors: dict[int, torch.Tensor] = {}

    def __call__(self, value):
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) not in self.tensors:
            own = value.untyped_storage()
            storage = self.storages.setdefault(own._cdata, own.clone())
            copy = torch.empty(0, dtype=value.dtype).set_(storage, value.storage_offset(), value.size(), value.stride())
            copy = torch._conj(copy) if value.is_conj() else copy
            self.tensors[id(value)] = torch._neg_view(copy) if value.is_neg() else copy
        return self.tensors[id(value)]

    def change(self, generator: torch.Generator, delicate: bool) -> None:
        """Other values, that are as good as those that were there."""
        dtypes = {t.untyped_storage()._cdata: t.dtype for t in self.tensors.values()}
        for storage in self.storages.values():
            dtype = dtypes[storage._cdata]
            flat = torch.empty(0, dtype=dtype).set_(storage, 0, (storage.nbytes() // dtype.itemsize,), (1,))
            if flat.numel() > 1 and not delicate:
                flat.copy_(flat[torch.randperm(len(flat), generator=generator)])
            elif dtype.is_floating_point:
                flat.mul_(0.75)

    def take(self, other: Copies) -> None:
        for key, storage in self.storages.items():
            storage.copy_(other.storages[key])


def equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Bit for bit."""
    if (a.shape, a.dtype) != (b.shape, b.dtype):
        return False
    a, b = (t.resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format).reshape(-1) for t in (a, b))
    return a.numel() == 0 or torch.equal(a.view(torch.uint8), b.view(torch.uint8))


def tensors_of(*values) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)]


class Tape:
    """An operator captured with these arguments."""

    def __init__(self, func, args, kwargs) -> None:
        made = out("ctorch_tape *")
        ok(lib.ctorch_tape_begin(made, NULL, 0, False, False))
        self.tape = ffi.gc(made[0], lib.ctorch_tape_release)
        first = ()
        try:
            first = tensors_of(func(*args, **kwargs))
        finally:
            error = lib.ctorch_tape_end(self.tape, *handles(first))
        ok(error)
        results = out("ctorch_tensor_list *")
        ok(lib.ctorch_tape_outputs(results, self.tape))
        self.outputs = []
        for i in range(lib.ctorch_tensor_list_len(results[0])):
            own = out("ctorch_tensor *")
            ok(lib.ctorch_tensor_list_get(own, results[0], i))
            self.outputs.append(tensor(own[0]))
        lib.ctorch_tensor_list_release(results[0])

    def replay(self) -> None:
        ok(lib.ctorch_tape_replay(self.tape, NULL, 0))

    @property
    def is_structured(self) -> bool:
        listing = out("ctorch_string *")
        ok(lib.ctorch_tape_text(listing, self.tape))
        return " structured " in string(listing[0])


class Report:
    def __init__(self) -> None:
        self.calls: dict[str, Counter[str]] = defaultdict(Counter)
        self.problems: list[str] = []
        self.seen: dict[str, set] = defaultdict(set)
        self.generator = torch.Generator().manual_seed(0)
        self.siblings = defaultdict(set)
        for overload, factory in re.findall(r'\{"aten::([\w.]+)", (\w+)\}', TABLE):
            self.siblings[factory].add(overload)
        self.siblings = {o: group for group in self.siblings.values() for o in group}

    def add(self, func, args, kwargs) -> None:
        """Compare the overload, those that share its kernel, and all of them with other strides."""
        name = name_of(func)
        if name not in OVERLOADS or not self.is_new(name, args, kwargs):
            return
        results = self.compare(name, func, args, kwargs)
        if results is None or is_written(func):
            return
        for laid in () if is_delicate(name) else (across, broadcast):
            self.compare(name, func, tree_map(laid, args), kwargs)
        for other in self.siblings[name] - {name}:
            base, _, overload = other.partition(".")
            sibling = getattr(getattr(torch.ops.aten, base), overload or "default")
            names = [a.name for a in sibling._schema.arguments if a.is_out]
            for laid in (lambda t: t,) if is_delicate(name) else (lambda t: t, across):
                given = {n: torch.zeros_like(laid(r)) for n, r in zip(names, results, strict=False)}
                self.compare(other, sibling, tree_map(laid, args), {**kwargs, **given})

    def is_new(self, name: str, args, kwargs) -> bool:
        kind = tuple((t.dtype, t.dim(), t.numel() == 0, t.is_contiguous()) for t in tensors_of(args, kwargs))
        if kind in self.seen[name] or len(self.seen[name]) >= CALLS:
            return False
        self.seen[name].add(kind)
        return True

    def compare(self, name: str, func, args, kwargs) -> list[torch.Tensor] | None:
        """The operator's results; None if it fails."""
        eager, taped = Copies(), Copies()
        eager_args, eager_kwargs = tree_map(eager, (args, kwargs))
        taped_args, taped_kwargs = tree_map(taped, (args, kwargs))
        try:
            results = tensors_of(func(*eager_args, **eager_kwargs))
        except Exception:
            self.calls[name]["fails"] += 1
            return None
        try:
            tape = Tape(func, taped_args, taped_kwargs)
        except CtorchError as error:
            self.calls[name]["refused"] += 1
            if error.kind != "UNSUPPORTED":
                self.problems.append(f"{name}: {error}")
            return results
        way = "structured" if tape.is_structured else "otherwise"
        for _ in range(2):
            eager.change(self.generator, is_delicate(name))
            taped.take(eager)
            try:
                fresh = tensors_of(func(*eager_args, **eager_kwargs))
            except Exception as error:
                with pytest.raises(CtorchError):
                    tape.replay()
                self.calls[name]["fails with other values"] += 1
                del error
                return results
            tape.replay()
            pairs = [*zip(fresh, tape.outputs, strict=True)]
            pairs += zip(tensors_of(eager_args, eager_kwargs), tensors_of(taped_args, taped_kwargs), strict=True)
            if not all(equal(a, b) for a, b in pairs):
                self.problems.append(f"{name} ({way}): {described(args, kwargs)}")
                return results
        self.calls[name][way] += 1
        return results


def name_of(func) -> str:
    schema = func._schema
    return schema.name.removeprefix("aten::") + (f".{schema.overload_name}" if schema.overload_name else "")


def is_delicate(name: str) -> bool:
    return any(word in name for word in DELICATE)


def is_written(func) -> bool:
    return any(a.alias_info is not None and a.alias_info.is_write for a in func._schema.arguments)


def across(value):
    """The same values, the first dimension next to each other."""
    if not isinstance(value, torch.Tensor) or value.dim() < 2:
        return value
    return value.transpose(0, -1).contiguous().transpose(0, -1)


def broadcast(value):
    """As large, but one slice over and over."""
    if not isinstance(value, torch.Tensor) or value.dim() == 0 or value.size(0) == 0:
        return value
    return value[:1].clone().expand_as(value)


def described(args, kwargs) -> str:
    def text(value):
        if not isinstance(value, torch.Tensor):
            return value
        return f"{str(value.dtype)[6:]}{list(value.shape)} {list(value.stride())}"

    return str(tree_map(text, (args, kwargs)))


class Comparing(TorchDispatchMode):
    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        plain = all(
            t.layout == torch.strided and t.device.type == "cpu" and not t.is_quantized
            for t in tensors_of(args, kwargs)
        )
        if func.namespace == "aten" and plain:
            self.report.add(func, args, kwargs)
        return func(*args, **kwargs)


def run_samples(report: Report, info, dtype: torch.dtype) -> None:
    differentiable = dtype == torch.float32 and info.supports_autograd
    for sample in islice(info.sample_inputs("cpu", dtype, requires_grad=differentiable), SAMPLES):
        try:
            with Comparing(report):
                results = tensors_of(info.op(sample.input, *sample.args, **sample.kwargs))
                results = [r for r in results if r.requires_grad]
                if differentiable and results:
                    torch.autograd.backward(results, [torch.randn_like(r) for r in results])
        except Exception:  # a sample that has to fail
            pass


@pytest.fixture(scope="module")
def report():
    made = Report()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    infos = op_db()
    # PyTorch looks for its own test on the stack at each operator, which takes far longer than the operator.
    without_search = patch("torch.testing._internal.opinfo.core.extract_test_fn", lambda: None)
    with warnings.catch_warnings(), without_search:
        warnings.simplefilter("ignore")
        for packet, args, kwargs in MORE:
            func = packet if hasattr(packet, "_schema") else packet.default
            made.add(func, args, kwargs)
        for info in infos:
            for dtype in DTYPES if not info.name.startswith(ELSEWHERE) else ():
                if info.supports_dtype(dtype, "cpu"):
                    run_samples(made, info, dtype)
    torch.set_num_threads(threads)
    return made


def test_replays_equal_the_operators(report):
    total = sum(report.calls.values(), Counter())
    print(f"\n{total}")
    assert not report.problems, f"{len(report.problems)} problems:\n" + "\n".join(report.problems[:50])


def test_each_overload_is_replayed_by_its_kernel(report):
    missing = sorted(o for o in OVERLOADS if not report.calls[o]["structured"])
    assert not missing, {o: dict(report.calls[o]) for o in missing}
