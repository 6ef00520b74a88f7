/* Functions of tensors for check_func*.c, and tests that end without a live handle.
 *
 *     FUNCTION(square, 1) { return ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[0]); }
 *     …
 *     ck_ok(ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
 *     ck_floats(at(out, 0), CTORCH_INTS(2), 1, 4);
 */
#ifndef CTORCH_TESTS_FUNCTIONS_H
#define CTORCH_TESTS_FUNCTIONS_H

#include <stdio.h>
#include <unistd.h>

#include "harness/self.h"
#include "harness/values.h"

#define UNUSED __attribute__((unused))

/** A ctorch_tensors_callback whose body returns an error or NULL, and in that case has written the list. */
#define LIST_FUNCTION(name)                                                                                  \
  static ctorch_error *name##_body(                                                                          \
      ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t inputs_len, void *payload);       \
  static UNUSED ctorch_callback_status name(                                                                 \
      ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t inputs_len, ctorch_error **error, \
      void *payload) {                                                                                       \
    *error = name##_body(out, inputs, inputs_len, payload);                                                  \
    return *error == NULL ? CTORCH_CALLBACK_OK : 0;                                                          \
  }                                                                                                          \
  static ctorch_error *name##_body(                                                                          \
      ctorch_tensor_list **out UNUSED, const ctorch_tensor *const *inputs UNUSED, size_t inputs_len UNUSED,  \
      void *payload UNUSED)

/** The same for a body that writes `count` outputs, tensors each. */
#define FUNCTION(name, count)                                                                              \
  static ctorch_error *name##_outputs(                                                                     \
      ctorch_tensor **outputs, const ctorch_tensor *const *inputs, size_t inputs_len, void *payload);      \
  LIST_FUNCTION(name) {                                                                                    \
    ctorch_tensor *outputs[count] = {NULL};                                                                \
    ctorch_error *error = name##_outputs(outputs, inputs, inputs_len, payload);                            \
    if (error == NULL) {                                                                                   \
      error = ctorch_tensor_list_new(out, ctorch_const_tensors(outputs), count);                           \
    }                                                                                                      \
    for (size_t i = 0; i < count; i++) {                                                                   \
      ctorch_tensor_release(outputs[i]);                                                                   \
    }                                                                                                      \
    return error;                                                                                          \
  }                                                                                                        \
  static ctorch_error *name##_outputs(                                                                     \
      ctorch_tensor **outputs UNUSED, const ctorch_tensor *const *inputs UNUSED, size_t inputs_len UNUSED, \
      void *payload UNUSED)

/** An output that is one of the inputs. */
static inline ctorch_error *same(ctorch_tensor **output, const ctorch_tensor *input) {
  ctorch_tensor_retain(input);
  *output = (ctorch_tensor *)input;
  return NULL;
}

/** An element of a list that is long enough. */
static inline ctorch_tensor *at(ctorch_tensor_list *list, size_t i) {
  ck_assert_uint_lt(i, ctorch_tensor_list_len(list));
  return ctorch_tensor_list_mutable_data(list)[i];
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
  if (ctorch_debug_live_handles() >= 0) {
    return 1;
  }
  if (setenv("CTORCH_DEBUG_HANDLES", "1", 1) == 0) {
    exec_self(argv);
  }
  return 0;
}

#endif
