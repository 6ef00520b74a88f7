/* Settings: each can be set and read back, and what is not a value of it is refused. That they are PyTorch's own is
 * compared with Python in tests/settings/test_settings.py; here is what they do, where that shows on a CPU. */
#include "harness/values.h"

typedef bool (*getter)(void);
typedef ctorch_error *(*setter)(bool);

static const struct {
  getter get;
  setter set;
  bool at_first;
} switches[] = {
    {ctorch_settings_deterministic_fill_uninitialized_memory,
     ctorch_settings_set_deterministic_fill_uninitialized_memory, true},
    {ctorch_settings_cuda_matmul_allow_fp16_accumulation, ctorch_settings_set_cuda_matmul_allow_fp16_accumulation,
     false},
    {ctorch_settings_flush_denormal, ctorch_settings_set_flush_denormal, false},
    {ctorch_settings_sdp_math_allow_fp16_bf16_reduction, ctorch_settings_set_sdp_math_allow_fp16_bf16_reduction, false},
    {ctorch_settings_cudnn_enabled, ctorch_settings_set_cudnn_enabled, true},
    {ctorch_settings_cudnn_benchmark, ctorch_settings_set_cudnn_benchmark, false},
    {ctorch_settings_cudnn_deterministic, ctorch_settings_set_cudnn_deterministic, false},
    {ctorch_settings_mkldnn_enabled, ctorch_settings_set_mkldnn_enabled, true},
    {ctorch_settings_mkldnn_deterministic, ctorch_settings_set_mkldnn_deterministic, false},
    {ctorch_settings_nnpack_enabled, ctorch_settings_set_nnpack_enabled, true},
    {ctorch_settings_check_sparse_tensor_invariants, ctorch_settings_set_check_sparse_tensor_invariants, false},
};

/* Its processor flushes nothing, whatever it is told. */
static bool under_valgrind(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

START_TEST(a_switch_is_what_it_was_set_to) {
  if (switches[_i].set == ctorch_settings_set_flush_denormal && under_valgrind()) {
    return;
  }
  ck_assert(switches[_i].get() == switches[_i].at_first);
  const int since = switches[_i].set == ctorch_settings_set_cuda_matmul_allow_fp16_accumulation ? 7 : 0;
  for (int round = 0; round < 2; round++) {
    ck_ok_since(2, since, switches[_i].set(!switches[_i].at_first));
    ck_assert(switches[_i].get() == !switches[_i].at_first);
    ck_ok(switches[_i].set(switches[_i].at_first));
    ck_assert(switches[_i].get() == switches[_i].at_first);
  }
}
END_TEST

START_TEST(what_is_not_deterministic_fails_or_warns) {
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4), *places = ints(CTORCH_INTS(2), 0, 1);
  ctorch_tensor *source = floats(CTORCH_INTS(2), 5, 6);
  ck_ok(ctorch_aten_put_(x, places, source, false));
  ck_ok(ctorch_settings_set_deterministic_algorithms(true, false));
  ck_assert(ctorch_settings_deterministic_algorithms() && !ctorch_settings_deterministic_algorithms_warn_only());
  ck_fails(ctorch_aten_put_(x, places, source, false), CTORCH_ERROR_RUNTIME, "deterministic");
  ck_ok(ctorch_settings_set_deterministic_algorithms(true, true));
  ck_assert(ctorch_settings_deterministic_algorithms() && ctorch_settings_deterministic_algorithms_warn_only());
  ck_ok(ctorch_aten_put_(x, places, source, false));
  ck_ok(ctorch_settings_set_deterministic_algorithms(false, false));
  ck_assert(!ctorch_settings_deterministic_algorithms() && !ctorch_settings_deterministic_algorithms_warn_only());
  ck_ok(ctorch_aten_put_(x, places, source, false));
}
END_TEST

START_TEST(new_memory_is_filled_while_operators_must_be_deterministic) {
  ctorch_tensor *x = NULL;
  ctorch_scalar item = {0};
  ck_ok(ctorch_settings_set_deterministic_algorithms(true, false));
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(1), NULL, NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_item(&item, x));
  ck_assert(isnan(item.re));
  ck_ok(ctorch_settings_set_deterministic_algorithms(false, false));
}
END_TEST

START_TEST(denormal_numbers_are_flushed) {
  if (under_valgrind()) {
    return;
  }
  ctorch_tensor *x = doubles(CTORCH_INTS(1), 0x1p-1022), *y = NULL;
  ck_ok(ctorch_aten_div_Scalar(&y, x, CTORCH_FLOAT(2)));
  ck_doubles(y, CTORCH_INTS(1), 0x1p-1023);
  ck_ok(ctorch_settings_set_flush_denormal(true));
  ck_ok(ctorch_aten_div_Scalar(&y, x, CTORCH_FLOAT(2)));
  ck_ok(ctorch_settings_set_flush_denormal(false));
  ck_doubles(y, CTORCH_INTS(1), 0);
}
END_TEST

static void ck_precision(const char *backend, const char *op, const char *expected) {
  const char *precision = NULL;
  ck_ok(ctorch_settings_fp32_precision(&precision, backend, op));
  ck_assert_str_eq(precision, expected);
}

static void ck_matmul_precision(const char *expected) {
  const char *precision = NULL;
  ck_ok(ctorch_settings_float32_matmul_precision(&precision));
  ck_assert_str_eq(precision, expected);
}

/* What the tests below change, as it was at first: with CK_FORK=no they share a process. */
static void restore_precisions(void) {
  static const char *const ops[] = {"all", "conv", "rnn", "matmul"};
  ck_ok(ctorch_settings_set_float32_matmul_precision("highest")); /* which also says ieee for matmul */
  for (int i = 0; i < 4; i++) {
    ck_ok(ctorch_settings_set_fp32_precision("mkldnn", ops[i], "none"));
    ck_ok(ctorch_settings_set_fp32_precision("cuda", ops[i], "none"));
  }
  ck_ok(ctorch_settings_set_fp32_precision("generic", "all", "none"));
  ck_ok(ctorch_settings_set_cudnn_allow_tf32(true));
}

START_TEST(the_precision_of_matrix_products) {
  bool tf32 = true;
  const char *untouched = "untouched";
  ck_matmul_precision("highest");
  ck_ok(ctorch_settings_set_float32_matmul_precision("medium"));
  ck_matmul_precision("medium");
  ck_ok(ctorch_settings_set_float32_matmul_precision("highest"));
  ck_ok_since(2, 9, ctorch_settings_fp32_precision(&untouched, "mkldnn", "matmul"));
  untouched = "untouched";
  ck_ok(ctorch_settings_set_float32_matmul_precision("medium"));
  ck_precision("mkldnn", "matmul", "bf16");
  ck_ok(ctorch_settings_set_float32_matmul_precision("high"));
  ck_matmul_precision("high");
  ck_precision("cuda", "matmul", "tf32");
  ck_ok(ctorch_settings_cuda_matmul_allow_tf32(&tf32));
  ck_assert(tf32);
  ck_ok(
      ctorch_settings_set_fp32_precision("cuda", "matmul", "ieee")); /* both ways at once: PyTorch refuses to answer */
  ck_fails(ctorch_settings_cuda_matmul_allow_tf32(&tf32), CTORCH_ERROR_RUNTIME, "mix of the legacy and new APIs");
  ck_ok(ctorch_settings_set_float32_matmul_precision("highest"));
  ck_matmul_precision("highest");
  for (size_t i = 0; i < 4; i++) {
    static const char *const wrong[] = {"", "Highest", "high ", "\xff"};
    ck_fails(ctorch_settings_set_float32_matmul_precision(wrong[i]), CTORCH_ERROR_INVALID_ARGUMENT, "precision");
  }
  ck_matmul_precision("highest");
  ck_fails(ctorch_settings_set_float32_matmul_precision(NULL), CTORCH_ERROR_NULL_ARGUMENT, "precision");
  ck_fails(ctorch_settings_float32_matmul_precision(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_settings_fp32_precision(NULL, "cuda", "all"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_settings_fp32_precision(&untouched, NULL, "all"), CTORCH_ERROR_NULL_ARGUMENT, "backend");
  ck_fails(ctorch_settings_fp32_precision(&untouched, "cuda", NULL), CTORCH_ERROR_NULL_ARGUMENT, "op");
  const bool is_2_9 = !ck_torch_at_least(2, 10);
  ck_fails(
      ctorch_settings_fp32_precision(&untouched, "gpu", "all"), CTORCH_ERROR_RUNTIME,
      is_2_9 ? "backend: gpu" : "Unknown backend: gpu");
  ck_fails(
      ctorch_settings_fp32_precision(&untouched, "cuda", "mm"), CTORCH_ERROR_RUNTIME,
      is_2_9 ? ": mm" : "Unknown op: mm");
  ck_fails(
      ctorch_settings_fp32_precision(&untouched, "generic", "conv"), CTORCH_ERROR_RUNTIME,
      is_2_9 ? "generic backend" : "Invalid (backend, op)");
  ck_fails(ctorch_settings_fp32_precision(&untouched, "\xff", "conv"), CTORCH_ERROR_INVALID_ARGUMENT, "backend");
  ck_assert_str_eq(untouched, "untouched");
  ck_fails(ctorch_settings_set_fp32_precision(NULL, "all", "ieee"), CTORCH_ERROR_NULL_ARGUMENT, "backend");
  ck_fails(ctorch_settings_set_fp32_precision("cuda", NULL, "ieee"), CTORCH_ERROR_NULL_ARGUMENT, "op");
  ck_fails(ctorch_settings_set_fp32_precision("cuda", "all", NULL), CTORCH_ERROR_NULL_ARGUMENT, "precision");
  ck_fails(ctorch_settings_set_fp32_precision("cuda", "all", "half"), CTORCH_ERROR_RUNTIME, "Unknown precision: half");
  ck_fails(
      ctorch_settings_set_fp32_precision("cuda", "all", "bf16"), CTORCH_ERROR_RUNTIME, "does not support precision");
  restore_precisions();
}
END_TEST

START_TEST(a_precision_follows_its_backend) {
  static const char *const ops[] = {"conv", "rnn", "matmul"};
  ck_ok_since(2, 9, ctorch_settings_set_fp32_precision("generic", "all", "bf16"));
  ck_precision("mkldnn", "all", "bf16");
  for (int i = 0; i < 3; i++) {
    ck_precision("mkldnn", ops[i], "bf16");
  }
  ck_ok(ctorch_settings_set_fp32_precision("mkldnn", "all", "tf32"));
  ck_ok(ctorch_settings_set_fp32_precision("mkldnn", "conv", "ieee"));
  ck_precision("mkldnn", "conv", "ieee");
  ck_precision("mkldnn", "rnn", "tf32");
  ck_precision("generic", "all", "bf16");
  restore_precisions();
}
END_TEST

START_TEST(tf32_of_the_backends) {
  bool allow = false;
  ck_ok(ctorch_settings_cudnn_allow_tf32(&allow));
  ck_assert(allow);
  ck_ok(ctorch_settings_set_cudnn_allow_tf32(false));
  ck_ok(ctorch_settings_cudnn_allow_tf32(&allow));
  ck_assert(!allow);
  ck_fails(ctorch_settings_cudnn_allow_tf32(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_ok(ctorch_settings_set_cuda_matmul_allow_tf32(true));
  ck_ok(ctorch_settings_cuda_matmul_allow_tf32(&allow));
  ck_assert(allow);
  ck_matmul_precision("high");
  ck_ok(ctorch_settings_set_cuda_matmul_allow_tf32(false));
  ck_ok(ctorch_settings_cuda_matmul_allow_tf32(&allow));
  ck_assert(!allow);
  ck_fails(ctorch_settings_cuda_matmul_allow_tf32(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert(!ctorch_settings_mkldnn_allow_tf32());
  ck_fails(ctorch_settings_set_mkldnn_allow_tf32(true), CTORCH_ERROR_UNSUPPORTED, "Intel GPUs");
  ck_assert(!ctorch_settings_mkldnn_allow_tf32());
  ck_ok_since(2, 9, ctorch_settings_set_fp32_precision("cuda", "conv", "tf32"));
  ck_fails(ctorch_settings_cudnn_allow_tf32(&allow), CTORCH_ERROR_RUNTIME, "different TF32 flags");
  ck_ok(ctorch_settings_set_mkldnn_allow_tf32(false));
  restore_precisions();
}
END_TEST

START_TEST(reductions_of_cublas) {
  static const struct {
    ctorch_error *(*get)(bool *, bool *);
    ctorch_error *(*set)(bool, const bool *);
  } both[] = {
      {ctorch_settings_cuda_matmul_allow_fp16_reduction, ctorch_settings_set_cuda_matmul_allow_fp16_reduction},
      {ctorch_settings_cuda_matmul_allow_bf16_reduction, ctorch_settings_set_cuda_matmul_allow_bf16_reduction}};
  const bool no = false, yes = true;
  bool allow = false, split = false;
  for (int i = 0; i < 2; i++) {
    ck_ok(both[i].get(&allow, &split));
    ck_assert(allow && split);
    ck_ok_since(2, 10, both[i].set(false, &no));
    ck_ok(both[i].get(&allow, &split));
    ck_assert(!allow && !split);
    ck_fails(both[i].set(true, &no), CTORCH_ERROR_RUNTIME, "allow_splitk");
    ck_ok(both[i].get(&allow, NULL));
    ck_assert(!allow);
    ck_ok(both[i].set(false, NULL));
    ck_ok(both[i].get(&allow, &split));
    ck_assert(!allow && split);
    ck_ok(both[i].set(true, &yes));
    ck_ok(both[i].get(&allow, &split));
    ck_assert(allow && split);
    ck_fails(both[i].get(NULL, &split), CTORCH_ERROR_NULL_ARGUMENT, "out");
  }
}
END_TEST

START_TEST(ways_to_compute_attention) {
  for (ctorch_sdp_backend backend = 0; backend < 5; backend++) {
    ck_assert(ctorch_settings_sdp_enabled(backend));
    ck_ok(ctorch_settings_set_sdp_enabled(backend, false));
    for (ctorch_sdp_backend other = 0; other < 5; other++) {
      ck_assert(ctorch_settings_sdp_enabled(other) == (other != backend));
    }
    ck_ok(ctorch_settings_set_sdp_enabled(backend, true));
  }
  static const ctorch_sdp_backend unknown[] = {-1, 5, INT32_MIN, INT32_MAX, 256};
  for (int i = 0; i < 5; i++) {
    ck_assert(!ctorch_settings_sdp_enabled(unknown[i]));
    ck_fails(ctorch_settings_set_sdp_enabled(unknown[i], true), CTORCH_ERROR_INVALID_ARGUMENT, "backend");
  }
}
END_TEST

START_TEST(the_order_of_ways_to_compute_attention) {
  static const ctorch_sdp_backend at_first[] = {1, 2, 0, 3, 4}, reversed[] = {4, 3, 2, 1, 0}, twice[] = {0, 1, 2, 3, 3},
                                  unknown[] = {0, 1, 2, 3, 5};
  for (size_t i = 0; i < 5; i++) {
    ck_assert_int_eq(ctorch_settings_sdp_priority(i), at_first[i]);
  }
  ck_ok(ctorch_settings_set_sdp_priority(reversed, 5));
  ck_fails(ctorch_settings_set_sdp_priority(twice, 5), CTORCH_ERROR_INVALID_ARGUMENT, "3 is there twice");
  ck_fails(ctorch_settings_set_sdp_priority(unknown, 5), CTORCH_ERROR_INVALID_ARGUMENT, "order[4]");
  ck_fails(ctorch_settings_set_sdp_priority(at_first, 4), CTORCH_ERROR_INVALID_ARGUMENT, "all 5");
  ck_fails(ctorch_settings_set_sdp_priority(NULL, 0), CTORCH_ERROR_INVALID_ARGUMENT, "all 5");
  ck_fails(ctorch_settings_set_sdp_priority(NULL, 5), CTORCH_ERROR_NULL_ARGUMENT, "order");
  ck_fails(ctorch_settings_set_sdp_priority(at_first, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "order");
  for (size_t i = 0; i < 5; i++) {
    ck_assert_int_eq(ctorch_settings_sdp_priority(i), reversed[i]);
  }
  ck_assert_int_eq(ctorch_settings_sdp_priority(5), -1);
  ck_assert_int_eq(ctorch_settings_sdp_priority(SIZE_MAX), -1);
  ck_ok(ctorch_settings_set_sdp_priority(at_first, 5));
}
END_TEST

START_TEST(the_limit_of_cudnns_benchmark) {
  ck_assert_int_eq(ctorch_settings_cudnn_benchmark_limit(), 10);
  ck_ok(ctorch_settings_set_cudnn_benchmark_limit(0));
  ck_assert_int_eq(ctorch_settings_cudnn_benchmark_limit(), 0);
  ck_fails(ctorch_settings_set_cudnn_benchmark_limit(-1), CTORCH_ERROR_INVALID_ARGUMENT, "at least 0");
  ck_fails(ctorch_settings_set_cudnn_benchmark_limit(INT32_MIN), CTORCH_ERROR_INVALID_ARGUMENT, "at least 0");
  ck_ok(ctorch_settings_set_cudnn_benchmark_limit(INT32_MAX));
  ck_assert_int_eq(ctorch_settings_cudnn_benchmark_limit(), INT32_MAX);
}
END_TEST

START_TEST(the_kernel_of_depthwise_convolutions) {
  static const char *const kernels[] = {"cudnn", "native", "auto"};
  ck_assert_str_eq(ctorch_settings_cudnn_depthwise_kernel(), "auto");
  for (int i = 0; i < 3; i++) {
    ck_ok_since(2, 13, ctorch_settings_set_cudnn_depthwise_kernel(kernels[i]));
    ck_assert_str_eq(ctorch_settings_cudnn_depthwise_kernel(), kernels[i]);
  }
  ck_fails(ctorch_settings_set_cudnn_depthwise_kernel("fast"), CTORCH_ERROR_RUNTIME, "fast");
  ck_fails(ctorch_settings_set_cudnn_depthwise_kernel(NULL), CTORCH_ERROR_NULL_ARGUMENT, "kernel");
  ck_fails(ctorch_settings_set_cudnn_depthwise_kernel("\xc3"), CTORCH_ERROR_INVALID_ARGUMENT, "kernel");
  ck_assert_str_eq(ctorch_settings_cudnn_depthwise_kernel(), "auto");
}
END_TEST

static void prefers_linalg_library(ctorch_linalg_library library, bool built, const char *name) {
  const ctorch_linalg_library before = ctorch_settings_preferred_linalg_library();
  if (built) {
    ck_ok(ctorch_settings_set_preferred_linalg_library(library));
    ck_assert_int_eq(ctorch_settings_preferred_linalg_library(), library);
    ck_ok(ctorch_settings_set_preferred_linalg_library(before));
  } else {
    ck_fails(ctorch_settings_set_preferred_linalg_library(library), CTORCH_ERROR_RUNTIME, name);
  }
  ck_assert_int_eq(ctorch_settings_preferred_linalg_library(), before);
}

/* Where LibTorch has no CUDA the refusals are PyTorch's own, and what was preferred stays. */
START_TEST(libraries_that_are_preferred) {
  const bool cuda = ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA);
  ctorch_blas_library blas = -1;
  ck_assert_int_eq(ctorch_settings_preferred_linalg_library(), CTORCH_LINALG_LIBRARY_DEFAULT);
  prefers_linalg_library(CTORCH_LINALG_LIBRARY_DEFAULT, true, "");
  prefers_linalg_library(CTORCH_LINALG_LIBRARY_CUSOLVER, cuda, "cuSOLVER");
  prefers_linalg_library(CTORCH_LINALG_LIBRARY_MAGMA, ctorch_build_has_feature(CTORCH_FEATURE_MAGMA), "MAGMA");
  ck_ok(ctorch_settings_preferred_blas_library(&blas));
  ck_assert_int_eq(blas, CTORCH_BLAS_LIBRARY_CUBLAS);
  if (cuda) {
    ck_ok(ctorch_settings_set_preferred_blas_library(CTORCH_BLAS_LIBRARY_CUBLASLT));
  } else {
    ck_fails(
        ctorch_settings_set_preferred_blas_library(CTORCH_BLAS_LIBRARY_CUBLASLT), CTORCH_ERROR_RUNTIME, "cuBLASLt");
  }
  ck_ok(ctorch_settings_preferred_blas_library(&blas));
  ck_assert_int_eq(blas, cuda ? CTORCH_BLAS_LIBRARY_CUBLASLT : CTORCH_BLAS_LIBRARY_CUBLAS);
  ck_ok(ctorch_settings_set_preferred_blas_library(CTORCH_BLAS_LIBRARY_CUBLAS));
  ck_ok(ctorch_settings_preferred_blas_library(&blas));
  ck_assert_int_eq(blas, CTORCH_BLAS_LIBRARY_CUBLAS);
  ck_fails(ctorch_settings_preferred_blas_library(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  static const int32_t unknown[] = {-1, 4, 256, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 5; i++) {
    ck_fails(ctorch_settings_set_preferred_linalg_library(unknown[i]), CTORCH_ERROR_INVALID_ARGUMENT, "library");
    ck_fails(ctorch_settings_set_preferred_blas_library(unknown[i]), CTORCH_ERROR_INVALID_ARGUMENT, "library");
  }
  ck_fails(ctorch_settings_set_preferred_linalg_library(3), CTORCH_ERROR_INVALID_ARGUMENT, "library");
}
END_TEST

START_TEST(quantized_engines) {
  const ctorch_qengine at_first = ctorch_settings_quantized_engine();
  ck_assert(ctorch_settings_quantized_engine_supported(at_first));
  for (ctorch_qengine engine = CTORCH_QENGINE_NONE; engine <= CTORCH_QENGINE_X86; engine++) {
    if (ctorch_settings_quantized_engine_supported(engine)) {
      ck_ok(ctorch_settings_set_quantized_engine(engine));
      ck_assert_int_eq(ctorch_settings_quantized_engine(), engine);
    } else {
      ck_fails(ctorch_settings_set_quantized_engine(engine), CTORCH_ERROR_RUNTIME, "is not supported");
    }
  }
  static const ctorch_qengine unknown[] = {-1, 5, 256, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 5; i++) {
    ck_assert(!ctorch_settings_quantized_engine_supported(unknown[i]));
    ck_fails(ctorch_settings_set_quantized_engine(unknown[i]), CTORCH_ERROR_INVALID_ARGUMENT, "engine");
  }
}
END_TEST

START_TEST(sparse_tensors_are_checked) {
  ctorch_tensor *rows = ints(CTORCH_INTS(2), 0, 1), *columns = ints(CTORCH_INTS(1), 7),
                *one = floats(CTORCH_INTS(1), 1);
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_settings_set_check_sparse_tensor_invariants(true));
  ck_fails(
      ctorch_aten__sparse_csr_tensor_unsafe(&out, rows, columns, one, CTORCH_INTS(1, 2), NULL, NULL, NULL, NULL),
      CTORCH_ERROR_RUNTIME, "col_indices < ncols");
  ck_ok(ctorch_settings_set_check_sparse_tensor_invariants(false));
  ck_ok(ctorch_aten__sparse_csr_tensor_unsafe(&out, rows, columns, one, CTORCH_INTS(1, 2), NULL, NULL, NULL, NULL));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("settings");
  ck_case_loop(suite, a_switch_is_what_it_was_set_to, sizeof switches / sizeof *switches);
  ck_scoped_case(suite, what_is_not_deterministic_fails_or_warns);
  ck_scoped_case(suite, new_memory_is_filled_while_operators_must_be_deterministic);
  ck_scoped_case(suite, denormal_numbers_are_flushed);
  ck_scoped_case(suite, the_precision_of_matrix_products);
  ck_scoped_case(suite, a_precision_follows_its_backend);
  ck_scoped_case(suite, tf32_of_the_backends);
  ck_scoped_case(suite, reductions_of_cublas);
  ck_scoped_case(suite, ways_to_compute_attention);
  ck_scoped_case(suite, the_order_of_ways_to_compute_attention);
  ck_scoped_case(suite, the_limit_of_cudnns_benchmark);
  ck_scoped_case(suite, the_kernel_of_depthwise_convolutions);
  ck_scoped_case(suite, libraries_that_are_preferred);
  ck_scoped_case(suite, quantized_engines);
  ck_scoped_case(suite, sparse_tensors_are_checked);
  return ck_main(suite);
}
