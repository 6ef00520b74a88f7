"""Settings are PyTorch's own: set in C and read in Python, set in Python and read in C."""

import pytest
import torch
from torch.backends import cuda, cudnn, mkldnn, nnpack, quantized

from tests.harness.capi import ffi, lib, ok, out

C = torch._C


@pytest.fixture(autouse=True)
def _restored():
    """Whatever a test changes is put back."""
    readers = [(get, set_) for get, set_ in PYTHON.values() if get not in MIXED]
    before = [(set_, get()) for get, set_ in readers]
    precisions = [(pair, C._get_fp32_precision_getter(*pair)) for pair in PAIRS]
    yield
    C._set_cudnn_allow_tf32(True)
    for pair, precision in precisions:
        C._set_fp32_precision_setter(*pair, precision)
    C._set_float32_matmul_precision("highest")
    for set_, value in before:
        set_(value)


def c_value(name):
    """Read a setting, whether its function answers or hands out."""
    function = getattr(lib, name)
    if not ffi.typeof(function).args:
        return bool(function())
    value = out("bool")
    extra = [ffi.NULL] * (len(ffi.typeof(function).args) - 1)
    ok(function(value, *extra))
    return bool(value[0])


# Setting in C -> Python's getter and setter.
PYTHON = {
    "deterministic_fill_uninitialized_memory": (
        C._get_deterministic_fill_uninitialized_memory,
        C._set_deterministic_fill_uninitialized_memory,
    ),
    "cuda_matmul_allow_tf32": (C._get_cublas_allow_tf32, C._set_cublas_allow_tf32),
    "cudnn_allow_tf32": (C._get_cudnn_allow_tf32, C._set_cudnn_allow_tf32),
    "cuda_matmul_allow_fp16_accumulation": (
        C._get_cublas_allow_fp16_accumulation,
        C._set_cublas_allow_fp16_accumulation,
    ),
    "sdp_math_allow_fp16_bf16_reduction": (
        cuda.fp16_bf16_reduction_math_sdp_allowed,
        cuda.allow_fp16_bf16_reduction_math_sdp,
    ),
    "cudnn_enabled": (C._get_cudnn_enabled, C._set_cudnn_enabled),
    "cudnn_benchmark": (C._get_cudnn_benchmark, C._set_cudnn_benchmark),
    "cudnn_deterministic": (C._get_cudnn_deterministic, C._set_cudnn_deterministic),
    "mkldnn_enabled": (C._get_mkldnn_enabled, C._set_mkldnn_enabled),
    "mkldnn_deterministic": (C._get_mkldnn_deterministic, C._set_mkldnn_deterministic),
    "nnpack_enabled": (C._get_nnpack_enabled, C._set_nnpack_enabled),
    "check_sparse_tensor_invariants": (
        C._check_sparse_tensor_invariants,
        C._set_check_sparse_tensor_invariants,
    ),
}
MIXED = {C._get_cudnn_allow_tf32, C._get_cublas_allow_tf32}
PAIRS = [(b, o) for b in ("cuda", "mkldnn") for o in ("all", "conv", "rnn", "matmul")] + [("generic", "all")]


@pytest.mark.parametrize("name", PYTHON)
def test_a_switch_is_pythons(name):
    get, set_ = PYTHON[name]
    for value in (True, False, True, False):
        set_(value)
        assert c_value(f"ctorch_settings_{name}") is value
    for value in (True, False, True, False):
        ok(getattr(lib, f"ctorch_settings_set_{name}")(value))
        assert bool(get()) is value


def test_the_objects_of_torch_backends_see_them():
    ok(lib.ctorch_settings_set_cudnn_enabled(False))
    ok(lib.ctorch_settings_set_cudnn_benchmark(True))
    ok(lib.ctorch_settings_set_cudnn_deterministic(True))
    ok(lib.ctorch_settings_set_mkldnn_enabled(False))
    ok(lib.ctorch_settings_set_mkldnn_deterministic(True))
    assert (cudnn.enabled, cudnn.benchmark, cudnn.deterministic) == (False, True, True)
    assert (mkldnn.enabled, mkldnn.deterministic) == (False, True)
    with cudnn.flags(enabled=True, benchmark=False, deterministic=False):
        assert (
            lib.ctorch_settings_cudnn_enabled()
            and not lib.ctorch_settings_cudnn_benchmark()
            and not lib.ctorch_settings_cudnn_deterministic()
        )
    with mkldnn.flags(enabled=True, deterministic=False):
        assert lib.ctorch_settings_mkldnn_enabled() and not lib.ctorch_settings_mkldnn_deterministic()
    with nnpack.flags(enabled=False):
        assert not lib.ctorch_settings_nnpack_enabled()
    assert lib.ctorch_settings_nnpack_enabled()
    with torch.sparse.check_sparse_tensor_invariants():
        assert lib.ctorch_settings_check_sparse_tensor_invariants()
    assert not lib.ctorch_settings_check_sparse_tensor_invariants()


def test_deterministic_algorithms():
    try:
        for enabled, warn_only in ((True, False), (True, True), (False, False), (False, True)):
            torch.use_deterministic_algorithms(enabled, warn_only=warn_only)
            python = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
            c = lib.ctorch_settings_deterministic_algorithms(), lib.ctorch_settings_deterministic_algorithms_warn_only()
            assert c == python
            torch.use_deterministic_algorithms(not enabled)
            ok(lib.ctorch_settings_set_deterministic_algorithms(enabled, warn_only))
            assert (
                torch.are_deterministic_algorithms_enabled(),
                torch.is_deterministic_algorithms_warn_only_enabled(),
            ) == python
    finally:
        torch.use_deterministic_algorithms(False)


def c_precision(backend, op):
    value = out("const char *")
    ok(lib.ctorch_settings_fp32_precision(value, backend.encode(), op.encode()))
    return ffi.string(value[0]).decode()


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_precision_is_pythons(pair):
    for precision in ("ieee", "tf32", "bf16", "none"):
        if precision == "bf16" and pair[0] == "cuda":
            continue
        C._set_fp32_precision_setter(*pair, precision)
        assert [c_precision(*p) for p in PAIRS] == [C._get_fp32_precision_getter(*p) for p in PAIRS]
        C._set_fp32_precision_setter(*pair, "none")
        ok(lib.ctorch_settings_set_fp32_precision(pair[0].encode(), pair[1].encode(), precision.encode()))
        assert C._get_fp32_precision_getter(*pair) == precision or precision == "none"
        assert [c_precision(*p) for p in PAIRS] == [C._get_fp32_precision_getter(*p) for p in PAIRS]
    torch.backends.mkldnn.matmul.fp32_precision = "bf16"
    assert c_precision("mkldnn", "matmul") == "bf16"


def test_the_precision_of_matrix_products_is_pythons():
    value = out("const char *")
    for precision in ("high", "medium", "highest"):
        torch.set_float32_matmul_precision(precision)
        ok(lib.ctorch_settings_float32_matmul_precision(value))
        assert ffi.string(value[0]).decode() == precision
    for precision in ("high", "medium", "highest"):
        ok(lib.ctorch_settings_set_float32_matmul_precision(precision.encode()))
        assert torch.get_float32_matmul_precision() == precision
        assert lib.ctorch_settings_cuda_matmul_allow_tf32(out("bool")) == ffi.NULL
        assert cuda.matmul.allow_tf32 == (precision != "highest")


@pytest.mark.parametrize("dtype", ["fp16", "bf16"])
def test_reductions_of_cublas_are_pythons(dtype):
    get = getattr(C, f"_get_cublas_allow_{dtype}_reduced_precision_reduction")
    set_ = getattr(C, f"_set_cublas_allow_{dtype}_reduced_precision_reduction")
    c_get = getattr(lib, f"ctorch_settings_cuda_matmul_allow_{dtype}_reduction")
    c_set = getattr(lib, f"ctorch_settings_set_cuda_matmul_allow_{dtype}_reduction")
    allow, split = out("bool"), out("bool")
    for pair in ((False, True), (False, False), (True, True)):
        set_(*pair)
        ok(c_get(allow, split))
        assert (allow[0], split[0]) == pair
        set_(True, True)
        ok(c_set(pair[0], ffi.new("bool *", pair[1])))
        assert get() == pair


SDP = ["math", "flash", "mem_efficient", "cudnn", "overrideable"]


def test_ways_to_compute_attention_are_pythons():
    for i, name in enumerate(SDP):
        get = getattr(C, f"_get_{name}_sdp_enabled")
        set_ = getattr(C, "_set_sdp_use_" + name)
        for value in (False, True):
            set_(value)
            assert lib.ctorch_settings_sdp_enabled(i) is value
            set_(not value)
            ok(lib.ctorch_settings_set_sdp_enabled(i, value))
            assert get() is value


def test_the_order_of_ways_to_compute_attention_is_pythons():
    before = C._get_sdp_priority_order()
    try:
        for order in ([4, 3, 2, 1, 0], [0, 1, 2, 3, 4], [2, 0, 4, 1, 3]):
            C._set_sdp_priority_order(order)
            assert [lib.ctorch_settings_sdp_priority(i) for i in range(6)] == order + [-1]
            C._set_sdp_priority_order(before)
            ok(lib.ctorch_settings_set_sdp_priority(order, len(order)))
            assert C._get_sdp_priority_order() == order
    finally:
        C._set_sdp_priority_order(before)


def test_sdp_backends_have_pythons_numbers():
    from torch.nn.attention import SDPBackend

    for name, backend in SDPBackend.__members__.items():
        if name != "ERROR":
            assert getattr(lib.c, f"CTORCH_SDP_BACKEND_{name}") == backend.value


def test_libraries_that_are_preferred_are_pythons():
    assert {n: v.value for n, v in C._LinalgBackend.__members__.items()} == {
        n: getattr(lib.c, f"CTORCH_LINALG_LIBRARY_{n.upper()}") for n in ("Default", "Cusolver", "Magma")
    }
    assert {n: v.value for n, v in C._BlasBackend.__members__.items()} == {
        n: getattr(lib.c, f"CTORCH_BLAS_LIBRARY_{n.upper()}") for n in ("Default", "Cublas", "Cublaslt", "Ck")
    }
    assert lib.ctorch_settings_preferred_linalg_library() == cuda.preferred_linalg_library().value
    blas, before = out("ctorch_blas_library"), cuda.preferred_blas_library()
    ok(lib.ctorch_settings_preferred_blas_library(blas))
    assert blas[0] == before.value
    try:
        ok(lib.ctorch_settings_set_preferred_blas_library(lib.c.CTORCH_BLAS_LIBRARY_CK))
        assert cuda.preferred_blas_library().value == lib.c.CTORCH_BLAS_LIBRARY_CK
        cuda.preferred_blas_library("cublas")
        ok(lib.ctorch_settings_preferred_blas_library(blas))
        assert blas[0] == lib.c.CTORCH_BLAS_LIBRARY_CUBLAS
    finally:
        C._set_blas_preferred_backend(before)


def test_quantized_engines_are_pythons():
    from torch.backends.quantized import _get_qengine_id

    before = quantized.engine
    names = {_get_qengine_id(n): n for n in ("none", "fbgemm", "qnnpack", "onednn", "x86")}
    supported = [names[i] for i in range(5) if lib.ctorch_settings_quantized_engine_supported(i)]
    assert sorted(supported) == sorted(set(quantized.supported_engines))
    try:
        for number, name in names.items():
            if name in supported:
                quantized.engine = name
                assert lib.ctorch_settings_quantized_engine() == number
        for number, name in names.items():
            if name in supported:
                ok(lib.ctorch_settings_set_quantized_engine(number))
                assert quantized.engine == name
    finally:
        quantized.engine = before


def test_denormal_numbers():
    tiny = torch.tensor([2.2250738585072014e-308], dtype=torch.float64)
    try:
        assert torch.set_flush_denormal(True)
        assert lib.ctorch_settings_flush_denormal()
        torch.set_flush_denormal(False)
        assert not lib.ctorch_settings_flush_denormal()
        ok(lib.ctorch_settings_set_flush_denormal(True))
        assert (tiny / 2).item() == 0
        ok(lib.ctorch_settings_set_flush_denormal(False))
        assert (tiny / 2).item() != 0
    finally:
        torch.set_flush_denormal(False)


def test_the_depthwise_kernel():
    try:
        for kernel in ("cudnn", "native", "auto"):
            ok(lib.ctorch_settings_set_cudnn_depthwise_kernel(kernel.encode()))
            assert C._get_cudnn_depthwise_kernel() == kernel
            C._set_cudnn_depthwise_kernel("auto")
            C._set_cudnn_depthwise_kernel(kernel)
            assert ffi.string(lib.ctorch_settings_cudnn_depthwise_kernel()).decode() == kernel
    finally:
        C._set_cudnn_depthwise_kernel("auto")
