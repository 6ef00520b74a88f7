/* What LibTorch was built with. tests/runtime/test_build.py compares it with Python's answers. */
#include "harness/values.h"

typedef ctorch_error *(*text_function)(ctorch_string **);

START_TEST(each_text_says_something) {
  static const struct {
    text_function function;
    const char *contains;
  } texts[] = {
      {ctorch_build_config, "PyTorch built with"},
      {ctorch_build_cxx_flags, "-O"},
      {ctorch_build_parallel_info, "at::get_num_threads"},
      {ctorch_build_cpu_capability, ""}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ctorch_string *text = NULL;
    ck_ok(texts[i].function(&text));
    ck_assert_uint_gt(ctorch_string_len(text), 0);
    ck_assert_ptr_nonnull(strstr(ctorch_string_data(text), texts[i].contains));
    ctorch_string_release(text);
    ck_fails(texts[i].function(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  }
}
END_TEST

START_TEST(features_are_known_by_number) {
  ck_assert(!ctorch_build_has_feature(0) && !ctorch_build_has_feature(-1) && !ctorch_build_has_feature(INT32_MAX));
  ck_assert(!ctorch_build_has_feature(INT32_MIN) && !ctorch_build_has_feature(30));
  ck_assert(ctorch_build_has_feature(CTORCH_FEATURE_CUDA) == ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA));
  ck_assert(ctorch_build_has_feature(CTORCH_FEATURE_XPU) == ctorch_device_is_built(CTORCH_DEVICE_TYPE_XPU));
  ctorch_string *config = NULL;
  ck_ok(ctorch_build_config(&config));
  ck_assert(
      ctorch_build_has_feature(CTORCH_FEATURE_OPENMP) == (strstr(ctorch_string_data(config), "OpenMP 2") != NULL));
  ctorch_string_release(config);
}
END_TEST

START_TEST(versions_of_what_is_not_there_are_unsupported) {
  int64_t version = 7;
  ck_fails(ctorch_build_cuda_version(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_build_cudnn_version(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  if (ctorch_build_has_feature(CTORCH_FEATURE_CUDA)) {
    ck_ok(ctorch_build_cuda_version(&version));
    ck_assert_int_ge(version, 9000);
  } else {
    ck_fails(ctorch_build_cuda_version(&version), CTORCH_ERROR_UNSUPPORTED, "without CUDA");
    ck_fails(ctorch_build_cudnn_version(&version), CTORCH_ERROR_UNSUPPORTED, "without cuDNN");
    ck_assert_int_eq(version, 7);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("build");
  ck_case(suite, each_text_says_something);
  ck_case(suite, features_are_known_by_number);
  ck_case(suite, versions_of_what_is_not_there_are_unsupported);
  return ck_main(suite);
}
