// settings.h: the switches of at::Context, each read and set.
#include "ctorch/settings/settings.h"

#include <ATen/Context.h>

#include <limits>
#include <string>

#include "core/abi/error.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/torch/context.hpp"

using namespace ctorch;

namespace {

at::Context &context() { return at::globalContext(); }

/// Text whose memory outlives the call.
const char *precision_name(at::Float32MatmulPrecision precision) {
  switch (precision) {
    case at::Float32MatmulPrecision::HIGH:
      return "high";
    case at::Float32MatmulPrecision::MEDIUM:
      return "medium";
    default:
      return "highest";
  }
}

void give_reduction(libtorch::Reduction reduction, bool *out, bool *out_split_k) {
  to::require(out, "out");
  *out = reduction.allowed;
  if (out_split_k != nullptr) {
    *out_split_k = reduction.split_k;
  }
}

void check_library(const char *what, int32_t library, int32_t last) {
  if (library < 0 || library > last) {
    fail_argument("library", std::string("unknown ") + what + " library " + std::to_string(library));
  }
}

void check_backend(const std::string &argument, ctorch_sdp_backend backend) {
  if (backend < 0 || backend >= at::num_sdp_backends) {
    fail_argument(argument.c_str(), "unknown way to compute attention " + std::to_string(backend));
  }
}

}  // namespace

// Determinism ---------------------------------------------------------------------------------------------------------

bool ctorch_settings_deterministic_algorithms(void) { return context().deterministicAlgorithms(); }

bool ctorch_settings_deterministic_algorithms_warn_only(void) { return context().deterministicAlgorithmsWarnOnly(); }

ctorch_error *ctorch_settings_set_deterministic_algorithms(bool enabled, bool warn_only) {
  return guard(__func__, [&] { context().setDeterministicAlgorithms(enabled, warn_only); });
}

bool ctorch_settings_deterministic_fill_uninitialized_memory(void) {
  return context().deterministicFillUninitializedMemory();
}

ctorch_error *ctorch_settings_set_deterministic_fill_uninitialized_memory(bool enabled) {
  return guard(__func__, [&] { context().setDeterministicFillUninitializedMemory(enabled); });
}

// Precision -----------------------------------------------------------------------------------------------------------

ctorch_error *ctorch_settings_float32_matmul_precision(const char **out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = precision_name(context().float32MatmulPrecision());
  });
}

ctorch_error *ctorch_settings_set_float32_matmul_precision(const char *precision) {
  return guard(__func__, [&] {
    std::string name(from::string(precision, "precision"));
    if (name != "highest" && name != "high" && name != "medium") {  // of which LibTorch would only warn
      fail_argument("precision", "expected highest, high or medium, got '" + excerpt(name) + "'");
    }
    context().setFloat32MatmulPrecision(name);
  });
}

ctorch_error *ctorch_settings_fp32_precision(const char **out, const char *backend, const char *op) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out =
        libtorch::float32_precision(std::string(from::string(backend, "backend")), std::string(from::string(op, "op")));
  });
}

ctorch_error *ctorch_settings_set_fp32_precision(const char *backend, const char *op, const char *precision) {
  return guard(__func__, [&] {
    const std::string backend_name(from::string(backend, "backend")), name(from::string(precision, "precision"));
    const std::string op_name(from::string(op, "op"));
    libtorch::float32_precision(backend_name, op_name);  // throws for an unknown backend or operation
    // Of these LibTorch only warns.
    if (name == "bf16" && backend_name == "cuda") {
      fail(CTORCH_ERROR_RUNTIME, "backend 'cuda' does not support precision 'bf16'");
    }
    if (name != "ieee" && name != "tf32" && name != "bf16" && name != "none") {
      fail(CTORCH_ERROR_RUNTIME, "Unknown precision: " + excerpt(name));
    }
    libtorch::set_float32_precision(backend_name, op_name, name);
  });
}

ctorch_error *ctorch_settings_cuda_matmul_allow_tf32(bool *out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = context().allowTF32CuBLAS();
  });
}

ctorch_error *ctorch_settings_set_cuda_matmul_allow_tf32(bool allow) {
  return guard(__func__, [&] { context().setAllowTF32CuBLAS(allow); });
}

ctorch_error *ctorch_settings_cudnn_allow_tf32(bool *out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = context().allowTF32CuDNN();
  });
}

ctorch_error *ctorch_settings_set_cudnn_allow_tf32(bool allow) {
  return guard(__func__, [&] { context().setAllowTF32CuDNN(allow); });
}

bool ctorch_settings_mkldnn_allow_tf32(void) { return libtorch::allow_tf32_onednn(); }

ctorch_error *ctorch_settings_set_mkldnn_allow_tf32(bool allow) {
  return guard(__func__, [&] {
    if (context().hasXPU()) {
      libtorch::set_allow_tf32_onednn(allow);
    } else if (allow) {  // of which LibTorch would only warn
      fail(CTORCH_ERROR_UNSUPPORTED, "oneDNN has TensorFloat32 on Intel GPUs only, which this LibTorch lacks");
    }
  });
}

ctorch_error *ctorch_settings_cuda_matmul_allow_fp16_reduction(bool *out, bool *out_split_k) {
  return guard(__func__, [&] { give_reduction(libtorch::fp16_reduction(), out, out_split_k); });
}

ctorch_error *ctorch_settings_set_cuda_matmul_allow_fp16_reduction(bool allow, const bool *allow_split_k) {
  return guard(__func__, [&] { libtorch::set_fp16_reduction({allow, from::optional(allow_split_k).value_or(true)}); });
}

ctorch_error *ctorch_settings_cuda_matmul_allow_bf16_reduction(bool *out, bool *out_split_k) {
  return guard(__func__, [&] { give_reduction(libtorch::bf16_reduction(), out, out_split_k); });
}

ctorch_error *ctorch_settings_set_cuda_matmul_allow_bf16_reduction(bool allow, const bool *allow_split_k) {
  return guard(__func__, [&] { libtorch::set_bf16_reduction({allow, from::optional(allow_split_k).value_or(true)}); });
}

bool ctorch_settings_cuda_matmul_allow_fp16_accumulation(void) { return libtorch::allow_fp16_accumulation(); }

ctorch_error *ctorch_settings_set_cuda_matmul_allow_fp16_accumulation(bool allow) {
  return guard(__func__, [&] { libtorch::set_allow_fp16_accumulation(allow); });
}

bool ctorch_settings_flush_denormal(void) {
  volatile double least = std::numeric_limits<double>::min();  // volatile, or the compiler does the division
  return least / 2 == 0;
}

ctorch_error *ctorch_settings_set_flush_denormal(bool enabled) {
  return guard(__func__, [&] {
    if (!at::Context::setFlushDenormal(enabled) && enabled) {
      fail(CTORCH_ERROR_UNSUPPORTED, "this CPU cannot flush denormal numbers");
    }
  });
}

// Scaled dot product attention ----------------------------------------------------------------------------------------

bool ctorch_settings_sdp_enabled(ctorch_sdp_backend backend) {
  switch (backend) {
    case CTORCH_SDP_BACKEND_MATH:
      return context().userEnabledMathSDP();
    case CTORCH_SDP_BACKEND_FLASH_ATTENTION:
      return context().userEnabledFlashSDP();
    case CTORCH_SDP_BACKEND_EFFICIENT_ATTENTION:
      return context().userEnabledMemEfficientSDP();
    case CTORCH_SDP_BACKEND_CUDNN_ATTENTION:
      return context().userEnabledCuDNNSDP();
    case CTORCH_SDP_BACKEND_OVERRIDEABLE:
      return context().userEnabledOverrideableSDP();
    default:
      return false;
  }
}

ctorch_error *ctorch_settings_set_sdp_enabled(ctorch_sdp_backend backend, bool enabled) {
  return guard(__func__, [&] {
    check_backend("backend", backend);
    switch (backend) {
      case CTORCH_SDP_BACKEND_MATH:
        return context().setSDPUseMath(enabled);
      case CTORCH_SDP_BACKEND_FLASH_ATTENTION:
        return context().setSDPUseFlash(enabled);
      case CTORCH_SDP_BACKEND_EFFICIENT_ATTENTION:
        return context().setSDPUseMemEfficient(enabled);
      case CTORCH_SDP_BACKEND_CUDNN_ATTENTION:
        return context().setSDPUseCuDNN(enabled);
      case CTORCH_SDP_BACKEND_OVERRIDEABLE:
        return context().setSDPUseOverrideable(enabled);
    }
  });
}

ctorch_sdp_backend ctorch_settings_sdp_priority(size_t place) {
  return place < at::num_sdp_backends ? static_cast<ctorch_sdp_backend>(libtorch::sdp_priority()[place]) : -1;
}

ctorch_error *ctorch_settings_set_sdp_priority(const ctorch_sdp_backend *order, size_t order_len) {
  return guard(__func__, [&] {
    // LibTorch keeps whatever it is given.
    from::check_list(order, order_len, "order");
    std::array<bool, at::num_sdp_backends> seen{};
    for (size_t i = 0; i < order_len; i++) {
      check_backend("order[" + std::to_string(i) + "]", order[i]);
      if (std::exchange(seen[order[i]], true)) {
        fail_argument("order", "the backend " + std::to_string(order[i]) + " is there twice");
      }
    }
    if (order_len != at::num_sdp_backends) {
      fail_argument(
          "order",
          "expected all " + std::to_string(at::num_sdp_backends) + " backends, got " + std::to_string(order_len));
    }
    context().setSDPPriorityOrder(std::vector<int64_t>(order, order + order_len));
  });
}

bool ctorch_settings_sdp_math_allow_fp16_bf16_reduction(void) { return context().allowFP16BF16ReductionMathSDP(); }

ctorch_error *ctorch_settings_set_sdp_math_allow_fp16_bf16_reduction(bool allow) {
  return guard(__func__, [&] { context().setAllowFP16BF16ReductionMathSDP(allow); });
}

// Backends ------------------------------------------------------------------------------------------------------------

bool ctorch_settings_cudnn_enabled(void) { return context().userEnabledCuDNN(); }

ctorch_error *ctorch_settings_set_cudnn_enabled(bool enabled) {
  return guard(__func__, [&] { context().setUserEnabledCuDNN(enabled); });
}

bool ctorch_settings_cudnn_benchmark(void) { return context().benchmarkCuDNN(); }

ctorch_error *ctorch_settings_set_cudnn_benchmark(bool enabled) {
  return guard(__func__, [&] { context().setBenchmarkCuDNN(enabled); });
}

int32_t ctorch_settings_cudnn_benchmark_limit(void) { return context().benchmarkLimitCuDNN(); }

ctorch_error *ctorch_settings_set_cudnn_benchmark_limit(int32_t limit) {
  return guard(__func__, [&] {
    if (limit < 0) {
      fail_argument("limit", "expected at least 0, got " + std::to_string(limit));
    }
    context().setBenchmarkLimitCuDNN(limit);
  });
}

bool ctorch_settings_cudnn_deterministic(void) { return context().deterministicCuDNN(); }

ctorch_error *ctorch_settings_set_cudnn_deterministic(bool enabled) {
  return guard(__func__, [&] { context().setDeterministicCuDNN(enabled); });
}

const char *ctorch_settings_cudnn_depthwise_kernel(void) { return libtorch::cudnn_depthwise_kernel(); }

ctorch_error *ctorch_settings_set_cudnn_depthwise_kernel(const char *kernel) {
  return guard(__func__, [&] { libtorch::set_cudnn_depthwise_kernel(std::string(from::string(kernel, "kernel"))); });
}

bool ctorch_settings_mkldnn_enabled(void) { return context().userEnabledMkldnn(); }

ctorch_error *ctorch_settings_set_mkldnn_enabled(bool enabled) {
  return guard(__func__, [&] { context().setUserEnabledMkldnn(enabled); });
}

bool ctorch_settings_mkldnn_deterministic(void) { return context().deterministicMkldnn(); }

ctorch_error *ctorch_settings_set_mkldnn_deterministic(bool enabled) {
  return guard(__func__, [&] { context().setDeterministicMkldnn(enabled); });
}

bool ctorch_settings_nnpack_enabled(void) { return context().userEnabledNNPACK(); }

ctorch_error *ctorch_settings_set_nnpack_enabled(bool enabled) {
  return guard(__func__, [&] { context().setUserEnabledNNPACK(enabled); });
}

ctorch_linalg_library ctorch_settings_preferred_linalg_library(void) {
  return static_cast<ctorch_linalg_library>(context().linalgPreferredBackend());
}

ctorch_error *ctorch_settings_set_preferred_linalg_library(ctorch_linalg_library library) {
  return guard(__func__, [&] {
    check_library("linear algebra", library, CTORCH_LINALG_LIBRARY_MAGMA);
    at::LinalgBackend before = context().linalgPreferredBackend();
    try {
      context().setLinalgPreferredBackend(static_cast<at::LinalgBackend>(library));
    } catch (...) {  // it refuses a library that is missing, but has stored it by then
      context().setLinalgPreferredBackend(before);
      throw;
    }
  });
}

ctorch_error *ctorch_settings_preferred_blas_library(ctorch_blas_library *out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = libtorch::blas_library();
  });
}

ctorch_error *ctorch_settings_set_preferred_blas_library(ctorch_blas_library library) {
  return guard(__func__, [&] {
    check_library("matrix product", library, CTORCH_BLAS_LIBRARY_CK);
    libtorch::set_blas_library(library);
  });
}

ctorch_qengine ctorch_settings_quantized_engine(void) { return static_cast<ctorch_qengine>(context().qEngine()); }

ctorch_error *ctorch_settings_set_quantized_engine(ctorch_qengine engine) {
  return guard(__func__, [&] {
    if (engine < CTORCH_QENGINE_NONE || engine > CTORCH_QENGINE_X86) {
      fail_argument("engine", "unknown engine " + std::to_string(engine));
    }
    context().setQEngine(static_cast<at::QEngine>(engine));
  });
}

bool ctorch_settings_quantized_engine_supported(ctorch_qengine engine) {
  for (at::QEngine supported : at::Context::supportedQEngines()) {
    if (static_cast<ctorch_qengine>(supported) == engine) {
      return true;
    }
  }
  return false;
}

bool ctorch_settings_check_sparse_tensor_invariants(void) { return libtorch::check_sparse_tensor_invariants(); }

ctorch_error *ctorch_settings_set_check_sparse_tensor_invariants(bool enabled) {
  return guard(__func__, [&] { context().setCheckSparseTensorInvariants(enabled); });
}
