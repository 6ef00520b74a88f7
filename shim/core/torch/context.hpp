// The switches of at::Context that came, or took another form, after LibTorch 2.6.
#pragma once

#include <ATen/Context.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"
#include "ctorch/settings/settings.h"

namespace ctorch::libtorch {

// What LibTorch was built with ----------------------------------------------------------------------------------------

inline bool has_eigen_sparse() {
#if TORCH_VERSION_AT_LEAST(2, 9)
  return at::Context::hasEigenSparse();
#else
  return false;
#endif
}

inline bool has_kleidiai() {
#if TORCH_VERSION_AT_LEAST(2, 7)
  return at::Context::hasKleidiAI();
#else
  return false;
#endif
}

// The precision of float32, by backend and operation ------------------------------------------------------------------

#if TORCH_VERSION_AT_LEAST(2, 10)

/// As text whose memory outlives the call.
inline const char *float32_precision(const std::string &backend, const std::string &op) {
  switch (at::globalContext().float32Precision(at::str2backend(backend), at::str2op(op))) {
    case at::Float32Precision::IEEE:
      return "ieee";
    case at::Float32Precision::TF32:
      return "tf32";
    case at::Float32Precision::BF16:
      return "bf16";
    default:
      return "none";
  }
}

inline void set_float32_precision(const std::string &backend, const std::string &op, const std::string &precision) {
  at::globalContext().setFloat32Precision(at::str2backend(backend), at::str2op(op), at::str2precision(precision));
}

#elif TORCH_VERSION_AT_LEAST(2, 9)

inline const char *float32_precision(const std::string &backend, const std::string &op) {
  const std::string precision = at::globalContext().float32Precision(backend, op);
  for (const char *known : {"ieee", "tf32", "bf16"}) {
    if (precision == known) {
      return known;
    }
  }
  return "none";
}

inline void set_float32_precision(const std::string &backend, const std::string &op, const std::string &precision) {
  at::globalContext().setFloat32Precision(backend, op, precision);
}

#else

inline const char *float32_precision(const std::string &, const std::string &) {
  fail_older("the precision of float32 by backend and operation", "2.9");
}

inline void set_float32_precision(const std::string &, const std::string &, const std::string &) {
  fail_older("the precision of float32 by backend and operation", "2.9");
}

#endif

inline bool allow_tf32_onednn() {
#if TORCH_VERSION_AT_LEAST(2, 7)
  return at::globalContext().allowTF32OneDNN();
#else
  return false;
#endif
}

inline void set_allow_tf32_onednn([[maybe_unused]] bool allow) {
#if TORCH_VERSION_AT_LEAST(2, 7)
  at::globalContext().setAllowTF32OneDNN(allow);
#else
  fail_older("TensorFloat32 in oneDNN", "2.7");
#endif
}

// Sums of matrix products in less than float32 ------------------------------------------------------------------------

/// Whether they are allowed, and whether splitting the sum is, which cannot be forbidden before 2.10.
struct Reduction {
  bool allowed;
  bool split_k;
};

#if TORCH_VERSION_AT_LEAST(2, 10)

inline Reduction reduction_of(at::CuBLASReductionOption option) {
  return {
      option == at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK,
      option != at::CuBLASReductionOption::DisallowReducedPrecisionDisallowSplitK};
}
inline Reduction fp16_reduction() { return reduction_of(at::globalContext().allowFP16ReductionCuBLAS()); }
inline Reduction bf16_reduction() { return reduction_of(at::globalContext().allowBF16ReductionCuBLAS()); }
inline void set_fp16_reduction(Reduction wanted) {
  at::globalContext().setAllowFP16ReductionCuBLAS(wanted.allowed, wanted.split_k);
}
inline void set_bf16_reduction(Reduction wanted) {
  at::globalContext().setAllowBF16ReductionCuBLAS(wanted.allowed, wanted.split_k);
}

#else

inline Reduction fp16_reduction() { return {at::globalContext().allowFP16ReductionCuBLAS(), true}; }
inline Reduction bf16_reduction() { return {at::globalContext().allowBF16ReductionCuBLAS(), true}; }
inline void check_reduction(Reduction wanted) {
  if (!wanted.split_k) {
    fail_older("forbidding to split the sums of matrix products", "2.10");
  }
}
inline void set_fp16_reduction(Reduction wanted) {
  check_reduction(wanted);
  at::globalContext().setAllowFP16ReductionCuBLAS(wanted.allowed);
}
inline void set_bf16_reduction(Reduction wanted) {
  check_reduction(wanted);
  at::globalContext().setAllowBF16ReductionCuBLAS(wanted.allowed);
}

#endif

inline bool allow_fp16_accumulation() {
#if TORCH_VERSION_AT_LEAST(2, 7)
  return at::globalContext().allowFP16AccumulationCuBLAS();
#else
  return false;
#endif
}

inline void set_allow_fp16_accumulation(bool allow) {
#if TORCH_VERSION_AT_LEAST(2, 7)
  at::globalContext().setAllowFP16AccumulationCuBLAS(allow);
#else
  if (allow) {
    fail_older("accumulating matrix products in float16", "2.7");
  }
#endif
}

// Backends ------------------------------------------------------------------------------------------------------------

inline const char *cudnn_depthwise_kernel() {
#if TORCH_VERSION_AT_LEAST(2, 13)
  switch (at::globalContext().cudnnDepthwiseKernel()) {
    case at::CuDNNDepthwiseKernel::CUDNN:
      return "cudnn";
    case at::CuDNNDepthwiseKernel::NATIVE:
      return "native";
    default:
      return "auto";
  }
#else
  return "auto";
#endif
}

inline void set_cudnn_depthwise_kernel(const std::string &kernel) {
#if TORCH_VERSION_AT_LEAST(2, 13)
  at::globalContext().setCuDNNDepthwiseKernel(at::str2cudnn_depthwise(kernel));
#else
  if (kernel != "auto") {
    fail_older("choosing the kernel of depthwise convolutions", "2.13");
  }
#endif
}

/// Ours are the numbers since 2.7, when `Default` came in front of the others.
#if TORCH_VERSION_AT_LEAST(2, 7)
static_assert(static_cast<int>(at::BlasBackend::Default) == CTORCH_BLAS_LIBRARY_DEFAULT);
static_assert(static_cast<int>(at::BlasBackend::Cublas) == CTORCH_BLAS_LIBRARY_CUBLAS);
static_assert(static_cast<int>(at::BlasBackend::Cublaslt) == CTORCH_BLAS_LIBRARY_CUBLASLT);
static_assert(static_cast<int>(at::BlasBackend::Ck) == CTORCH_BLAS_LIBRARY_CK);

inline ctorch_blas_library blas_library() {
  return static_cast<ctorch_blas_library>(at::globalContext().blasPreferredBackend());
}
inline void set_blas_library(ctorch_blas_library library) {
  at::globalContext().setBlasPreferredBackend(static_cast<at::BlasBackend>(library));
}
#else
inline ctorch_blas_library blas_library() {
  switch (at::globalContext().blasPreferredBackend()) {
    case at::BlasBackend::Cublaslt:
      return CTORCH_BLAS_LIBRARY_CUBLASLT;
    case at::BlasBackend::Ck:
      return CTORCH_BLAS_LIBRARY_CK;
    default:
      return CTORCH_BLAS_LIBRARY_CUBLAS;
  }
}
/// The default of 2.6 is cuBLAS.
inline void set_blas_library(ctorch_blas_library library) {
  at::globalContext().setBlasPreferredBackend(
      library == CTORCH_BLAS_LIBRARY_CUBLASLT ? at::BlasBackend::Cublaslt
      : library == CTORCH_BLAS_LIBRARY_CK     ? at::BlasBackend::Ck
                                              : at::BlasBackend::Cublas);
}
#endif

/// Nothing was said of it: false. LibTorch before 2.11 tells no more.
inline bool check_sparse_tensor_invariants() {
  const std::optional<bool> checked = at::globalContext().checkSparseTensorInvariants();
  return checked.value_or(false);
}

// Ways to compute attention -------------------------------------------------------------------------------------------

/// Up to 2.8 LibTorch's own list ends too early: math, which is 0, stands in the last place again.
inline std::array<at::SDPBackend, at::num_sdp_backends> sdp_priority() {
  auto order = at::globalContext().sDPPriorityOrder();
#if !TORCH_VERSION_AT_LEAST(2, 9)
  if (std::count(order.begin(), order.end(), at::SDPBackend::math) == 2) {
    order.back() = at::SDPBackend::overrideable;
  }
#endif
  return order;
}

}  // namespace ctorch::libtorch
