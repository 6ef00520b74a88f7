// build.h: how LibTorch was built.
#include "ctorch/device/build.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <ATen/ops/_nnpack_available_ops.h>

#include <algorithm>

#include "core/abi/error.hpp"
#include "core/abi/to.hpp"
#include "core/torch/context.hpp"
#include "ctorch/device/device.h"

using namespace ctorch;

namespace {

bool has_engine(at::QEngine engine) {
  const auto &engines = at::globalContext().supportedQEngines();
  return std::find(engines.begin(), engines.end(), engine) != engines.end();
}

bool has(ctorch_feature feature) {
  switch (feature) {
    case CTORCH_FEATURE_MKL:
      return at::Context::hasMKL();
    case CTORCH_FEATURE_MKLDNN:
      return at::Context::hasMKLDNN();
    case CTORCH_FEATURE_OPENMP:
      return at::Context::hasOpenMP();
    case CTORCH_FEATURE_LAPACK:
      return at::Context::hasLAPACK();
    case CTORCH_FEATURE_EIGEN_SPARSE:
      return libtorch::has_eigen_sparse();
    case CTORCH_FEATURE_KLEIDIAI:
      return libtorch::has_kleidiai();
    case CTORCH_FEATURE_FBGEMM:
      return has_engine(at::QEngine::FBGEMM);
    case CTORCH_FEATURE_QNNPACK:
      return has_engine(at::QEngine::QNNPACK);
    case CTORCH_FEATURE_NNPACK:
      return at::_ops::_nnpack_available::call();
    case CTORCH_FEATURE_CUDA:
      return ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA);
    case CTORCH_FEATURE_CUDNN:
      return at::detail::getCUDAHooks().compiledWithCuDNN();
    case CTORCH_FEATURE_CUSOLVER:
      return at::Context::hasCuSOLVER();
    case CTORCH_FEATURE_CUBLASLT:
      return at::Context::hasCuBLASLt();
    case CTORCH_FEATURE_MAGMA:
      return at::Context::hasMAGMA();
    case CTORCH_FEATURE_ROCM:
      return at::Context::hasROCM();
    case CTORCH_FEATURE_MIOPEN:
      return at::detail::getCUDAHooks().compiledWithMIOpen();
    case CTORCH_FEATURE_XPU:
      return ctorch_device_is_built(CTORCH_DEVICE_TYPE_XPU);
    case CTORCH_FEATURE_MPS:
      return ctorch_device_is_built(CTORCH_DEVICE_TYPE_MPS);
    case CTORCH_FEATURE_MTIA:
      return ctorch_device_is_built(CTORCH_DEVICE_TYPE_MTIA);
    case CTORCH_FEATURE_HPU:
      return ctorch_device_is_built(CTORCH_DEVICE_TYPE_HPU);
    case CTORCH_FEATURE_XLA:
      return ctorch_device_is_built(CTORCH_DEVICE_TYPE_XLA);
    default:
      return false;
  }
}

template <class Text>
void give_text(ctorch_string **out, Text &&text) {
  to::require(out, "out");
  to::give(text(), out);
}

}  // namespace

bool ctorch_build_has_feature(ctorch_feature feature) {
  try {
    return has(feature);
  } catch (...) {  // what cannot be asked is not there
    return false;
  }
}

ctorch_error *ctorch_build_config(ctorch_string **out) {
  return guard(__func__, [&] { give_text(out, at::show_config); });
}

ctorch_error *ctorch_build_cxx_flags(ctorch_string **out) {
  return guard(__func__, [&] { give_text(out, at::get_cxx_flags); });
}

ctorch_error *ctorch_build_parallel_info(ctorch_string **out) {
  return guard(__func__, [&] { give_text(out, at::get_parallel_info); });
}

ctorch_error *ctorch_build_cpu_capability(ctorch_string **out) {
  return guard(__func__, [&] { give_text(out, at::get_cpu_capability); });
}

ctorch_error *ctorch_build_cuda_version(int64_t *out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    if (!ctorch_build_has_feature(CTORCH_FEATURE_CUDA)) {
      fail(CTORCH_ERROR_UNSUPPORTED, "this LibTorch was built without CUDA");
    }
    *out = at::detail::getCUDAHooks().versionCUDART();
  });
}

ctorch_error *ctorch_build_cudnn_version(int64_t *out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    if (!ctorch_build_has_feature(CTORCH_FEATURE_CUDNN)) {
      fail(CTORCH_ERROR_UNSUPPORTED, "this LibTorch was built without cuDNN");
    }
    *out = at::detail::getCUDAHooks().versionCuDNN();
  });
}
