/**
 * How LibTorch computes: determinism, precision, and which of its backends it uses.
 *
 * Every setting is PyTorch's own, for the whole process: Python's torch in the same process sees what is set here, and
 * the other way round. They are plain variables there, so set them before other threads compute. Settings of a device
 * that is missing here are kept all the same, unless their doc says otherwise.
 */
#ifndef CTORCH_SETTINGS_H
#define CTORCH_SETTINGS_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/* Determinism ------------------------------------------------------------------------------------------------------ */

/**
 * Whether operators must be deterministic (`torch.are_deterministic_algorithms_enabled`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_deterministic_algorithms(void);

/**
 * Whether an operator without a deterministic form only warns.
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_deterministic_algorithms_warn_only(void);

/**
 * Have operators use deterministic algorithms (`torch.use_deterministic_algorithms`).
 *
 * @param enabled    whether. Operators that have none then fail with RUNTIME.
 * @param warn_only  they warn instead.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_deterministic_algorithms(bool enabled, bool warn_only);

/**
 * Whether memory that nothing was written to is filled while operators must be deterministic
 * (`torch.utils.deterministic.fill_uninitialized_memory`).
 *
 * @return true unless set.
 */
CTORCH_API bool ctorch_settings_deterministic_fill_uninitialized_memory(void);

/**
 * Set whether new memory is filled, with NaN or the largest integer, while operators must be deterministic.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_deterministic_fill_uninitialized_memory(bool enabled);

/* Precision -------------------------------------------------------------------------------------------------------- */

/**
 * How precisely float32 matrices are multiplied (`torch.get_float32_matmul_precision`).
 *
 * @param[out] out  static text: "highest", "high" or "medium".
 * @return NULL, or NULL_ARGUMENT, RUNTIME (set by this setting and by ctorch_settings_set_fp32_precision at once).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_float32_matmul_precision(const char **out);

/**
 * Set how precisely float32 matrices are multiplied: "highest" computes in float32, "high" may use TensorFloat32 or two
 * bfloat16 numbers, "medium" one bfloat16 number (`torch.set_float32_matmul_precision`).
 *
 * @param precision  borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (none of the three).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_float32_matmul_precision(const char *precision);

/**
 * What a backend may compute float32 operators in (`torch.backends.cuda.matmul.fp32_precision` and its like).
 *
 * @param[out] out  static text: "none" (nothing is set), "ieee", "tf32" or "bf16".
 * @param backend   borrowed; "generic", "cuda" or "mkldnn".
 * @param op        borrowed; "all", "conv", "rnn" or "matmul"; "generic" has "all" only.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (no such backend or operator).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_fp32_precision(const char **out, const char *backend, const char *op);

/**
 * Set what a backend may compute float32 operators in. What is "none" follows its backend's "all", and that "generic".
 *
 * @param backend    borrowed; "generic", "cuda" (which includes cuDNN) or "mkldnn".
 * @param op         borrowed; "all", "conv", "rnn" or "matmul"; "generic" has "all" only.
 * @param precision  borrowed; "none", "ieee", "tf32" or, but for CUDA, "bf16".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (no such backend, operator or precision).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_fp32_precision(const char *backend, const char *op, const char *precision);

/**
 * Whether cuBLAS may multiply float32 matrices in TensorFloat32 (`torch.backends.cuda.matmul.allow_tf32`).
 *
 * @param[out] out  false unless set.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (set by this setting and by ctorch_settings_set_fp32_precision at once).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_cuda_matmul_allow_tf32(bool *out);

/**
 * Set whether cuBLAS may multiply float32 matrices in TensorFloat32.
 *
 * @param allow  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cuda_matmul_allow_tf32(bool allow);

/**
 * Whether cuDNN may compute float32 operators in TensorFloat32 (`torch.backends.cudnn.allow_tf32`).
 *
 * @param[out] out  true unless set.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (set by this setting and by ctorch_settings_set_fp32_precision at once).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_cudnn_allow_tf32(bool *out);

/**
 * Set whether cuDNN may compute float32 operators in TensorFloat32.
 *
 * @param allow  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cudnn_allow_tf32(bool allow);

/**
 * Whether oneDNN may compute float32 operators in TensorFloat32 on Intel GPUs (`torch.backends.mkldnn.allow_tf32`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_mkldnn_allow_tf32(void);

/**
 * Set whether oneDNN may compute float32 operators in TensorFloat32 on Intel GPUs.
 *
 * @param allow  whether.
 * @return NULL, or UNSUPPORTED (`allow` in a LibTorch without Intel GPUs).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_mkldnn_allow_tf32(bool allow);

/**
 * Whether cuBLAS may sum float16 products in float16 (`torch.backends.cuda.matmul
 * .allow_fp16_reduced_precision_reduction`).
 *
 * @param[out] out          true unless set.
 * @param[out] out_split_k  whether it may split the sum over blocks; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`out`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_cuda_matmul_allow_fp16_reduction(bool *out, bool *out_split_k);

/**
 * Set whether cuBLAS may sum float16 products in float16.
 *
 * @param allow          whether.
 * @param allow_split_k  whether it may split the sum over blocks; NULL for true.
 * @return NULL, or RUNTIME (the first without the second).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cuda_matmul_allow_fp16_reduction(bool allow, const bool *allow_split_k);

/**
 * Whether cuBLAS may sum bfloat16 products in bfloat16 (`torch.backends.cuda.matmul
 * .allow_bf16_reduced_precision_reduction`).
 *
 * @param[out] out          true unless set.
 * @param[out] out_split_k  whether it may split the sum over blocks; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`out`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_cuda_matmul_allow_bf16_reduction(bool *out, bool *out_split_k);

/**
 * Set whether cuBLAS may sum bfloat16 products in bfloat16.
 *
 * @param allow          whether.
 * @param allow_split_k  whether it may split the sum over blocks; NULL for true.
 * @return NULL, or RUNTIME (the first without the second).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cuda_matmul_allow_bf16_reduction(bool allow, const bool *allow_split_k);

/**
 * Whether cuBLAS may accumulate float16 products in float16 (`torch.backends.cuda.matmul.allow_fp16_accumulation`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_cuda_matmul_allow_fp16_accumulation(void);

/**
 * Set whether cuBLAS may accumulate float16 products in float16.
 *
 * @param allow  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cuda_matmul_allow_fp16_accumulation(bool allow);

/**
 * Whether the CPU flushes denormal numbers to zero on this thread.
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_flush_denormal(void);

/**
 * Set whether the CPU flushes denormal numbers to zero (`torch.set_flush_denormal`). Unlike the other settings this is
 * a state of the calling thread, which threads that it starts afterwards inherit.
 *
 * @param enabled  whether.
 * @return NULL, or UNSUPPORTED (this CPU cannot).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_flush_denormal(bool enabled);

/* Scaled dot product attention ------------------------------------------------------------------------------------- */

/** Ways to compute scaled dot product attention (`torch.nn.attention.SDPBackend`). */
typedef int32_t ctorch_sdp_backend;
enum {
  CTORCH_SDP_BACKEND_MATH = 0,
  CTORCH_SDP_BACKEND_FLASH_ATTENTION = 1,
  CTORCH_SDP_BACKEND_EFFICIENT_ATTENTION = 2,
  CTORCH_SDP_BACKEND_CUDNN_ATTENTION = 3,
  CTORCH_SDP_BACKEND_OVERRIDEABLE = 4
};

/**
 * Whether attention may be computed in a way (`torch.backends.cuda.flash_sdp_enabled` and its like).
 *
 * @param backend  any number.
 * @return true unless set; false for an unknown number.
 */
CTORCH_API bool ctorch_settings_sdp_enabled(ctorch_sdp_backend backend);

/**
 * Set whether attention may be computed in a way (`torch.backends.cuda.enable_flash_sdp` and its like).
 *
 * @param backend  which.
 * @param enabled  whether.
 * @return NULL, or INVALID_ARGUMENT (unknown backend).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_sdp_enabled(ctorch_sdp_backend backend, bool enabled);

/**
 * The way to compute attention that is tried at a place, 0 being the first.
 *
 * @param place  any number.
 * @return a ctorch_sdp_backend; -1 past the last.
 */
CTORCH_API ctorch_sdp_backend ctorch_settings_sdp_priority(size_t place);

/**
 * Set in which order the ways to compute attention are tried (`torch.nn.attention.sdpa_kernel` with `set_priority`).
 *
 * @param order      borrowed; each ctorch_sdp_backend once.
 * @param order_len  their number.
 * @return NULL, or NULL_ARGUMENT (`order` NULL with a length), INVALID_ARGUMENT (one is unknown, missing or there
 *         twice).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_sdp_priority(const ctorch_sdp_backend *order, size_t order_len);

/**
 * Whether the plain way to compute attention may sum float16 and bfloat16 products without widening them
 * (`torch.backends.cuda.fp16_bf16_reduction_math_sdp_allowed`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_sdp_math_allow_fp16_bf16_reduction(void);

/**
 * Set whether the plain way to compute attention may sum float16 and bfloat16 products without widening them.
 *
 * @param allow  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_sdp_math_allow_fp16_bf16_reduction(bool allow);

/* Backends --------------------------------------------------------------------------------------------------------- */

/**
 * Whether operators may use cuDNN (`torch.backends.cudnn.enabled`).
 *
 * @return true unless set.
 */
CTORCH_API bool ctorch_settings_cudnn_enabled(void);

/**
 * Set whether operators may use cuDNN.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cudnn_enabled(bool enabled);

/**
 * Whether cuDNN tries several algorithms and keeps the fastest (`torch.backends.cudnn.benchmark`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_cudnn_benchmark(void);

/**
 * Set whether cuDNN tries several algorithms and keeps the fastest.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cudnn_benchmark(bool enabled);

/**
 * How many algorithms cuDNN tries at most (`torch.backends.cudnn.benchmark_limit`).
 *
 * @return 10 unless set; 0 for all.
 */
CTORCH_API int32_t ctorch_settings_cudnn_benchmark_limit(void);

/**
 * Set how many algorithms cuDNN tries at most.
 *
 * @param limit  at least 0, which means all.
 * @return NULL, or INVALID_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cudnn_benchmark_limit(int32_t limit);

/**
 * Whether cuDNN uses deterministic algorithms only (`torch.backends.cudnn.deterministic`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_cudnn_deterministic(void);

/**
 * Set whether cuDNN uses deterministic algorithms only.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cudnn_deterministic(bool enabled);

/**
 * Which kernels compute depthwise convolutions on CUDA (`torch.backends.cudnn.depthwise_kernel`).
 *
 * @return static text: "auto", "cudnn" or "native".
 */
CTORCH_API const char *ctorch_settings_cudnn_depthwise_kernel(void);

/**
 * Set which kernels compute depthwise convolutions on CUDA.
 *
 * @param kernel  borrowed; "auto", "cudnn" or "native".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (none of the three).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_cudnn_depthwise_kernel(const char *kernel);

/**
 * Whether operators may use oneDNN (`torch.backends.mkldnn.enabled`).
 *
 * @return true unless set.
 */
CTORCH_API bool ctorch_settings_mkldnn_enabled(void);

/**
 * Set whether operators may use oneDNN.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_mkldnn_enabled(bool enabled);

/**
 * Whether oneDNN uses deterministic algorithms only (`torch.backends.mkldnn.deterministic`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_mkldnn_deterministic(void);

/**
 * Set whether oneDNN uses deterministic algorithms only.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_mkldnn_deterministic(bool enabled);

/**
 * Whether operators may use NNPACK (`torch.backends.nnpack`).
 *
 * @return true unless set.
 */
CTORCH_API bool ctorch_settings_nnpack_enabled(void);

/**
 * Set whether operators may use NNPACK.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_nnpack_enabled(bool enabled);

/** Libraries for linear algebra on CUDA (`torch.backends.cuda.preferred_linalg_library`). */
typedef int32_t ctorch_linalg_library;
enum { CTORCH_LINALG_LIBRARY_DEFAULT = 0, CTORCH_LINALG_LIBRARY_CUSOLVER = 1, CTORCH_LINALG_LIBRARY_MAGMA = 2 };

/**
 * The library that is preferred for linear algebra on CUDA.
 *
 * @return a ctorch_linalg_library.
 */
CTORCH_API ctorch_linalg_library ctorch_settings_preferred_linalg_library(void);

/**
 * Prefer a library for linear algebra on CUDA.
 *
 * @param library  which.
 * @return NULL, or INVALID_ARGUMENT (unknown library), RUNTIME (not in this LibTorch).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_preferred_linalg_library(ctorch_linalg_library library);

/** Libraries for matrix products on CUDA (`torch.backends.cuda.preferred_blas_library`). */
typedef int32_t ctorch_blas_library;
enum {
  CTORCH_BLAS_LIBRARY_DEFAULT = 0,
  CTORCH_BLAS_LIBRARY_CUBLAS = 1,
  CTORCH_BLAS_LIBRARY_CUBLASLT = 2,
  CTORCH_BLAS_LIBRARY_CK = 3
};

/**
 * The library that is preferred for matrix products on CUDA.
 *
 * @param[out] out  a ctorch_blas_library, never CTORCH_BLAS_LIBRARY_DEFAULT.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not on this GPU).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_preferred_blas_library(ctorch_blas_library *out);

/**
 * Prefer a library for matrix products on CUDA.
 *
 * @param library  which.
 * @return NULL, or INVALID_ARGUMENT (unknown library), RUNTIME (not in this LibTorch).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_preferred_blas_library(ctorch_blas_library library);

/** Engines for quantized operators (`torch.backends.quantized.engine`). */
typedef int32_t ctorch_qengine;
enum {
  CTORCH_QENGINE_NONE = 0,
  CTORCH_QENGINE_FBGEMM = 1,
  CTORCH_QENGINE_QNNPACK = 2,
  CTORCH_QENGINE_ONEDNN = 3,
  CTORCH_QENGINE_X86 = 4
};

/**
 * The engine that computes quantized operators.
 *
 * @return a ctorch_qengine.
 */
CTORCH_API ctorch_qengine ctorch_settings_quantized_engine(void);

/**
 * Set the engine that computes quantized operators.
 *
 * @param engine  which.
 * @return NULL, or INVALID_ARGUMENT (unknown engine), RUNTIME (not in this LibTorch).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_quantized_engine(ctorch_qengine engine);

/**
 * Whether this LibTorch has an engine (`torch.backends.quantized.supported_engines`).
 *
 * @param engine  any number.
 * @return false for an unknown one.
 */
CTORCH_API bool ctorch_settings_quantized_engine_supported(ctorch_qengine engine);

/**
 * Whether sparse tensors are checked even by operators that trust their caller
 * (`torch.sparse.check_sparse_tensor_invariants`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_settings_check_sparse_tensor_invariants(void);

/**
 * Set whether sparse tensors are checked even by operators that trust their caller, such as
 * ctorch_aten__sparse_csr_tensor_unsafe.
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_settings_set_check_sparse_tensor_invariants(bool enabled);

CTORCH_END_DECLS

#endif
