/* What every check_*.c shares: assertions on ctorch calls, test cases named after their claim, and a main in one line.
 *
 *     START_TEST(adding_nothing_changes_nothing) {
 *       ck_ok(ctorch_aten_add_Scalar(&y, x, CTORCH_INT(0), NULL));
 *       ck_fails(ctorch_aten_add_Scalar(&y, NULL, CTORCH_INT(0), NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
 *     }
 *     END_TEST
 *
 *     int main(void) {
 *       Suite *suite = suite_create("add");
 *       ck_case(suite, adding_nothing_changes_nothing);
 *       return ck_main(suite);
 *     }
 *
 * Whether each test runs in a process of its own is check's choice: CK_FORK=no in the environment turns it off. */
#ifndef CTORCH_TESTS_CHECK_H
#define CTORCH_TESTS_CHECK_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctorch.h"

/* Seconds after which check gives a test up; CK_TIMEOUT_MULTIPLIER stretches it for slow tools. */
enum { CK_TIMEOUT = 120 };

/** Fail the test with code, function and message if the call fails. */
#define ck_ok(expression)                                                                                        \
  do {                                                                                                           \
    ctorch_error *ck_error = (expression);                                                                       \
    if (ck_error != NULL) {                                                                                      \
      ck_abort_msg(                                                                                              \
          "%s\n  failed with %s in %s: %s", #expression, ctorch_error_kind_name(ctorch_error_kind_of(ck_error)), \
          ctorch_error_function(ck_error), ctorch_error_message(ck_error));                                      \
    }                                                                                                            \
  } while (0)

/** Fail the test unless the call fails with this code and a message that contains `substring` (NULL: any). */
#define ck_fails(expression, code, substring)                                                                      \
  do {                                                                                                             \
    ctorch_error *ck_error = (expression);                                                                         \
    const char *ck_substring = (substring);                                                                        \
    if (ck_error == NULL) {                                                                                        \
      ck_abort_msg("%s\n  succeeded, expected %s", #expression, ctorch_error_kind_name(code));                     \
    }                                                                                                              \
    if (ctorch_error_kind_of(ck_error) != (code) ||                                                                \
        (ck_substring != NULL && strstr(ctorch_error_message(ck_error), ck_substring) == NULL)) {                  \
      ck_abort_msg(                                                                                                \
          "%s\n  failed with %s in %s: %s\n  expected %s: …%s…", #expression,                                      \
          ctorch_error_kind_name(ctorch_error_kind_of(ck_error)), ctorch_error_function(ck_error),                 \
          ctorch_error_message(ck_error), ctorch_error_kind_name(code), ck_substring == NULL ? "" : ck_substring); \
    }                                                                                                              \
    ctorch_error_release(ck_error);                                                                                \
  } while (0)

/** As ck_fails, and the error names the function that was called: `ck_call_fails(ctorch_op_find, (&op, NULL, NULL), …)`. */
#define ck_call_fails(function, arguments, code, substring)         \
  do {                                                              \
    ctorch_error *ck_refusal = function arguments;                  \
    ck_assert_str_eq(ctorch_error_function(ck_refusal), #function); \
    ck_fails(ck_refusal, code, substring);                          \
  } while (0)

/** Whether this is LibTorch major.minor or a later one. */
static inline bool ck_torch_at_least(int major, int minor) {
  int have[2] = {0, 0};
  sscanf(ctorch_version_torch_compiled(), "%d.%d", &have[0], &have[1]);
  return have[0] > major || (have[0] == major && have[1] >= minor);
}

/** As ck_ok, for what came with LibTorch major.minor: an older one must say so, and there the test ends. */
#define ck_ok_since(major, minor, expression)                         \
  do {                                                                \
    if (!ck_torch_at_least(major, minor)) {                           \
      ck_fails(expression, CTORCH_ERROR_UNSUPPORTED, " LibTorch 2."); \
      return;                                                         \
    }                                                                 \
    ck_ok(expression);                                                \
  } while (0)

/** Whether this LibTorch has the dtype. */
static inline bool ck_has_dtype(ctorch_dtype dtype) {
  return dtype < CTORCH_DTYPE_FLOAT8_E8M0FNU || (dtype == CTORCH_DTYPE_FLOAT8_E8M0FNU && ck_torch_at_least(2, 7)) ||
         (dtype == CTORCH_DTYPE_FLOAT4_E2M1FN_X2 && ck_torch_at_least(2, 8)) ||
         (dtype == CTORCH_DTYPE_BCOMPLEX32 && ck_torch_at_least(2, 14));
}

/** The first number that is no dtype of this LibTorch. */
static inline ctorch_dtype ck_no_dtype(void) {
  return ck_has_dtype(CTORCH_DTYPE_BCOMPLEX32) ? CTORCH_DTYPE_BCOMPLEX32 + 1 : CTORCH_DTYPE_BCOMPLEX32;
}

/** What an operator tells of a tensor. */
#define CK_OPERATOR(type, name)                               \
  static inline type ck_##name(const ctorch_tensor *tensor) { \
    type ck_value;                                            \
    ck_ok(ctorch_aten_##name(&ck_value, tensor));             \
    return ck_value;                                          \
  }
CK_OPERATOR(bool, retains_grad)
CK_OPERATOR(bool, is_inference)
CK_OPERATOR(int64_t, output_nr)

/** Add a test as a case of its own. */
#define ck_case(suite, test) ck_case_loop(suite, test, 1)

/** Add a test that runs for `_i` from 0 to `count` - 1, each time as a test of its own. */
#define ck_case_loop(suite, test, count)                  \
  do {                                                    \
    TCase *ck_tcase = tcase_create(#test);                \
    tcase_set_timeout(ck_tcase, CK_TIMEOUT);              \
    tcase_add_loop_test(ck_tcase, test, 0, (int)(count)); \
    suite_add_tcase(suite, ck_tcase);                     \
  } while (0)

/** Run the suite and give main its result. */
static inline int ck_main(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
