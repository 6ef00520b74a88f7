"""Devices, build information and allocator settings beside Python's answers to the same questions."""

import pytest
import torch

from tests.harness.capi import ffi, lib, ok, out, string

CPU, CUDA = 0, 1


def text_of(function) -> str:
    result = out("ctorch_string *")
    ok(function(result))
    return string(result[0])


@pytest.mark.parametrize(
    ("function", "python"),
    [
        ("ctorch_build_config", torch.__config__.show),
        ("ctorch_build_parallel_info", torch.__config__.parallel_info),
        ("ctorch_build_cxx_flags", torch._C._cxx_flags),
        ("ctorch_build_cpu_capability", torch.backends.cpu.get_cpu_capability),
    ],
)
def test_texts_are_pythons(function, python):
    assert text_of(getattr(lib, function)) == python()


def test_features_are_pythons():
    engines = torch.backends.quantized.supported_engines
    for feature, expected in {
        "MKL": torch.backends.mkl.is_available(),
        "MKLDNN": torch.backends.mkldnn.is_available(),
        "OPENMP": torch.backends.openmp.is_available(),
        "LAPACK": torch._C.has_lapack,
        "NNPACK": torch.backends.nnpack.is_available(),
        "FBGEMM": "fbgemm" in engines,
        "QNNPACK": "qnnpack" in engines,
        "CUDA": torch.backends.cuda.is_built(),
        "CUDNN": torch._C._has_cudnn,
        "MPS": torch.backends.mps.is_built(),
    }.items():
        assert lib.ctorch_build_has_feature(getattr(lib.c, f"CTORCH_FEATURE_{feature}")) == expected, feature


def test_the_accelerator_is_pythons():
    accelerator = torch.accelerator.current_accelerator()
    name = ffi.string(lib.ctorch_device_type_name(lib.ctorch_device_accelerator_type())).decode()
    assert name == ("cpu" if accelerator is None else accelerator.type)
    assert lib.ctorch_device_cuda_is_available() == torch.cuda.is_available()
    assert lib.ctorch_device_count(CUDA) == torch.cuda.device_count()
    assert lib.ctorch_device_count(CPU) == torch.cpu.device_count()


def test_allocator_settings_are_shared_with_python():
    ok(lib.ctorch_memory_set_allocator_settings(b"max_split_size_mb:64"))
    assert torch._C._accelerator_getAllocatorSettings() == "max_split_size_mb:64"
    torch._C._accelerator_setAllocatorSettings("max_split_size_mb:128")
    assert text_of(lib.ctorch_memory_allocator_settings) == "max_split_size_mb:128"
    torch._C._accelerator_setAllocatorSettings("")
