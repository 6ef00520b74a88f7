/* Functions of tensors for check_func*.c, and tests that end without a live handle.
 *
 *     FUNCTION(square) { return ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[0]); }
 *     …
 *     ck_ok(ctorch_func_grad(&grad, 1, NULL, 0, square, NULL, CTORCH_TENSORS(x), NULL, 0));
 */
#ifndef CTORCH_TESTS_FUNCTIONS_H
#define CTORCH_TESTS_FUNCTIONS_H

#include <stdio.h>
#include <unistd.h>

#include "values.h"

#define UNUSED __attribute__((unused))

/** A ctorch_func_callback whose body returns an error or NULL. */
#define FUNCTION(name)                                                                                      \
  static ctorch_error *name##_body(                                                                         \
      ctorch_tensor **outputs, size_t outputs_len, const ctorch_tensor *const *inputs, size_t inputs_len,   \
      void *payload);                                                                                       \
  static ctorch_callback_status name(                                                                       \
      ctorch_tensor **outputs, size_t outputs_len, const ctorch_tensor *const *inputs, size_t inputs_len,   \
      ctorch_error **error, void *payload) {                                                                \
    *error = name##_body(outputs, outputs_len, inputs, inputs_len, payload);                                \
    return *error == NULL ? CTORCH_CALLBACK_OK : 0;                                                         \
  }                                                                                                         \
  static ctorch_error *name##_body(                                                                         \
      ctorch_tensor **outputs UNUSED, size_t outputs_len UNUSED, const ctorch_tensor *const *inputs UNUSED, \
      size_t inputs_len UNUSED, void *payload UNUSED)

/** An output that is one of the inputs. */
static inline ctorch_error *same(ctorch_tensor **output, const ctorch_tensor *input) {
  ctorch_tensor_retain(input);
  *output = (ctorch_tensor *)input;
  return NULL;
}

static inline void no_handle_is_left(void) {
  close_a_scope();
  ck_assert_uint_eq(ctorch_func_depth(), 0);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}

/** Add a test that runs in a scope of its own, after which no handle is live and no transform open. */
#define ck_function_case(suite, test)                                     \
  do {                                                                    \
    TCase *ck_tcase = tcase_create(#test);                                \
    tcase_set_timeout(ck_tcase, CK_TIMEOUT);                              \
    tcase_add_checked_fixture(ck_tcase, open_a_scope, no_handle_is_left); \
    tcase_add_test(ck_tcase, test);                                       \
    suite_add_tcase(suite, ck_tcase);                                     \
  } while (0)

/** Whether handles are counted; if not, this program runs itself again with them counted and does not return. */
static inline int handles_are_counted(char **argv) {
  static char self[4096];
  if (ctorch_debug_live_handles() >= 0) {
    return 1;
  }
  /* Read from the link, as the link itself would execute valgrind when run under it. */
  if (setenv("CTORCH_DEBUG_HANDLES", "1", 1) != 0 || readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
    return 0;
  }
  execv(self, argv);
  perror(self);
  return 0;
}

#endif
