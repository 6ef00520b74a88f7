/**
 * What the LibTorch at hand was built with, for bug reports and for choosing what to call.
 */
#ifndef CTORCH_BUILD_H
#define CTORCH_BUILD_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** A library or backend that LibTorch may have. Backends of devices count if LibTorch has them, device or not. */
typedef int32_t ctorch_feature;
enum {
  CTORCH_FEATURE_MKL = 1,
  CTORCH_FEATURE_MKLDNN = 2,
  CTORCH_FEATURE_OPENMP = 3,
  CTORCH_FEATURE_LAPACK = 4,
  CTORCH_FEATURE_EIGEN_SPARSE = 5,
  CTORCH_FEATURE_KLEIDIAI = 6,
  CTORCH_FEATURE_FBGEMM = 7,
  CTORCH_FEATURE_QNNPACK = 8,
  CTORCH_FEATURE_NNPACK = 9,
  CTORCH_FEATURE_CUDA = 20,
  CTORCH_FEATURE_CUDNN = 21,
  CTORCH_FEATURE_CUSOLVER = 22,
  CTORCH_FEATURE_CUBLASLT = 23,
  CTORCH_FEATURE_MAGMA = 24,
  CTORCH_FEATURE_ROCM = 25,
  CTORCH_FEATURE_MIOPEN = 26,
  CTORCH_FEATURE_XPU = 40,
  CTORCH_FEATURE_MPS = 41,
  CTORCH_FEATURE_MTIA = 42,
  CTORCH_FEATURE_HPU = 43,
  CTORCH_FEATURE_XLA = 44
};

/**
 * Whether LibTorch has a feature (`torch.backends.….is_available`).
 *
 * @param feature  any number.
 * @return false for an unknown one.
 */
CTORCH_API bool ctorch_build_has_feature(ctorch_feature feature);

/**
 * The versions, flags and settings that LibTorch was built with (`torch.__config__.show()`).
 *
 * @param[out] out  owned; several lines.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_build_config(ctorch_string **out);

/**
 * The C++ flags that LibTorch was compiled with.
 *
 * @param[out] out  owned.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_build_cxx_flags(ctorch_string **out);

/**
 * How LibTorch computes with threads (`torch.__config__.parallel_info()`).
 *
 * @param[out] out  owned; several lines.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_build_parallel_info(ctorch_string **out);

/**
 * The instruction set that operators on the CPU use: "AVX2", "AVX512", "DEFAULT"
 * (`torch.backends.cpu.get_cpu_capability`).
 *
 * @param[out] out  owned.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_build_cpu_capability(ctorch_string **out);

/**
 * Version of the CUDA runtime in use: 13000 for 13.0.
 *
 * @param[out] out  1000 * major + 10 * minor.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (LibTorch was built without CUDA).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_build_cuda_version(int64_t *out);

/**
 * Version of cuDNN in use: 91002 for 9.10.2 (`torch.backends.cudnn.version`).
 *
 * @param[out] out  10000 * major + 100 * minor + patch.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (LibTorch was built without cuDNN).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_build_cudnn_version(int64_t *out);

CTORCH_END_DECLS

#endif
