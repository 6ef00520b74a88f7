"""structured_<n>.cpp: which kernels there are, what they are given, and that LibTorch has them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import samples
from ctorchgen import operators, schema
from ctorchgen.api import Api
from ctorchgen.emit.c import structured
from ctorchgen.policy import Group, Policy
from ctorchgen.schema import GeneratorError, Structured

NOTHING = Api("0.1.0", "2.13.0", (), (), (), (), ())

SMALL = """\
- func: turn(Tensor self, int dim) -> Tensor
  structured_delegate: turn.out
- func: turn_(Tensor(a!) self, int dim) -> Tensor(a!)
  structured_delegate: turn.out
- func: turn.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA: turn_out
- func: pool(Tensor self, int[2] size, bool flat) -> (Tensor, Tensor)
  structured_delegate: pool.out
- func: pool.out(Tensor self, int[2] size, bool flat, *, Tensor(a!) out, Tensor(b!) at) -> (Tensor(a!), Tensor(b!))
  structured: True
  precomputed:
  - size -> int height, int width
  - int batch
  dispatch:
    CPU: pool_out_cpu
- func: elsewhere(Tensor self) -> Tensor
  structured_delegate: elsewhere.out
- func: elsewhere.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CUDA: elsewhere_out_cuda
- func: plain(Tensor self) -> Tensor
  dispatch:
    CPU: plain_cpu
"""

POOL = Structured(
    "at::native::structured_pool_out_cpu", "pool", ("pool", "pool.out"), (0, "height", "width", 2, "batch")
)
TURN = Structured("at::native::structured_turn_out", "turn", ("turn", "turn.out", "turn_"), None)


@pytest.fixture
def small(tmp_path) -> list[Structured]:
    (tmp_path / "tags.yaml").write_text("[]\n")
    (tmp_path / "small.yaml").write_text(SMALL)
    return schema.read_structured(tmp_path / "small.yaml")


@pytest.fixture(scope="module")
def all_kernels() -> list[Structured]:
    return schema.read_structured(schema.native_functions_path())


def test_kernels_for_the_cpu_are_read(small):
    assert small == [POOL, TURN]


def test_what_meta_gives_stands_where_impl_takes_it():
    text = structured._definition(POOL)
    assert "using Given = at::native::structured_pool_out_cpu::meta_return_ty;" in text
    assert (
        "prebuilt<at::native::structured_pool_out_cpu, 0, &Given::height, &Given::width, 2, &Given::batch>(call)"
        in text
    )
    assert "prebuilt<at::native::structured_turn_out>(call)" in structured._definition(TURN)


def test_each_kernel_is_in_one_shard_and_each_overload_in_the_table(small):
    files = structured.StructuredCpp(small).emit(NOTHING)
    table = files.pop("structured_table.cpp")
    assert len(files) == structured.SHARDS
    assert "".join(files.values()).count("prebuilt<") == len(small)
    rows = re.findall(r'\{"aten::(\S+)", (\w+)\}', table)
    assert rows == sorted(rows)
    assert dict(rows) == {
        **dict.fromkeys(POOL.overloads, "make_structured_pool_out_cpu"),
        **dict.fromkeys(TURN.overloads, "make_structured_turn_out"),
    }


def test_the_policy_leaves_kernels_out(small):
    def left(*names: str) -> list[Structured]:
        return operators.prebuilt(small, Policy(not_prebuilt=(Group(names, "policy.toml:1: not_prebuilt"),)))

    assert left("pool.out") == [TURN]
    with pytest.raises(GeneratorError, match="^policy.toml:1: not_prebuilt: no structured kernel is of plain$"):
        left("plain")


def test_as_many_shards_are_compiled():
    cmake = (Path(__file__).parents[1] / "generator.cmake").read_text()
    (last,) = re.findall(r"foreach\(i RANGE (\d+)\) # SHARDS in ctorchgen/emit/c/structured.py", cmake)
    assert int(last) == structured.SHARDS - 1


def test_libtorch_exports_each_kernel(all_kernels):
    library = samples.torch_folder() / "lib/libtorch_cpu.so"
    symbols = subprocess.run(["nm", "-DC", library], check=True, capture_output=True, text=True).stdout
    exported = set(re.findall(r" T (at::native::structured_\w+)::impl\(", symbols))
    assert len(all_kernels) > 250
    assert [k.kernel for k in all_kernels if k.kernel not in exported] == []
