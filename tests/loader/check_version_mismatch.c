/* Another LibTorch than the one ctorch was compiled for is refused by every function that can fail.
 *
 * ctorch asks LibTorch's aoti_torch_abi_version for the version. This program defines a function of that name, and the
 * dynamic linker takes a program's own definition before a library's: ctorch finds LibTorch 2.99.7 here. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdio.h>

#include "harness/check.h"

uint64_t aoti_torch_abi_version(void);
uint64_t aoti_torch_abi_version(void) { return (UINT64_C(2) << 56) | (UINT64_C(99) << 48) | (UINT64_C(7) << 40); }

static void refuses(ctorch_error *error, const char *function) {
  ck_assert_msg(error != NULL, "%s succeeded", function);
  ck_assert_msg(
      ctorch_error_kind_of(error) == CTORCH_ERROR_UNSUPPORTED, "%s failed with %s", function,
      ctorch_error_kind_name(ctorch_error_kind_of(error)));
  ck_assert_str_eq(ctorch_error_function(error), function);
  ck_assert_msg(
      strstr(ctorch_error_message(error), "LibTorch 2.99.7") != NULL &&
          strstr(ctorch_error_message(error), ctorch_version_torch_compiled()) != NULL,
      "%s: the message lacks a version: %s", function, ctorch_error_message(error));
  ctorch_error_release(error);
}

/* With arguments that would be errors of their own: the refusal comes first. */
#define ck_refuses(function, ...) refuses(function(__VA_ARGS__), #function)

START_TEST(the_versions_can_be_read) {
  ck_assert_str_eq(ctorch_version_torch(), "2.99.7");
  ck_assert_str_ne(ctorch_version_torch_compiled(), ctorch_version_torch());
  ck_assert_ptr_nonnull(ctorch_version());
}
END_TEST

/* All that fail are in the lock. The refusal looks at no argument, so any that fill the registers will do. */
START_TEST(every_hand_written_function_that_can_fail_refuses) {
  typedef ctorch_error *(*function)(
      size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t);
  FILE *lock = fopen(CORE_LOCK, "r");
  ck_assert_ptr_nonnull(lock);
  char line[2048], name[256], since[16];
  int seen = 0;
  while (fgets(line, sizeof line, lock) != NULL) {
    if (sscanf(line, "%255s %15s ctorch_error *", name, since) != 2 || strstr(line, "\tctorch_error * (") == NULL) {
      continue;
    }
    function call;
    *(void **)&call = dlsym(RTLD_DEFAULT, name);
    ck_assert_msg(call != NULL, "%s is locked, but not exported", name);
    refuses(call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), name);
    seen++;
  }
  fclose(lock);
  ck_assert_int_ge(seen, 40);
}
END_TEST

/* One of each shape: the generated functions are all made alike, and the sweep calls every one of them. */
START_TEST(generated_functions_refuse) {
  ck_refuses(ctorch_aten_add_Tensor, NULL, NULL, NULL, NULL);
  ck_refuses(ctorch_aten_add__Tensor, NULL, NULL, NULL);
  ck_refuses(ctorch_aten_add_out, NULL, NULL, NULL, NULL);
  ck_refuses(ctorch_aten_max_dim, NULL, NULL, NULL, 0, false);
  ck_refuses(ctorch_aten_split_Tensor, NULL, NULL, 0, 0);
  ck_refuses(ctorch_aten__foreach_add__Scalar, NULL, 0, NULL);
  ck_refuses(ctorch_aten__choose_qparams_per_tensor, NULL, NULL, NULL, false);
  ck_refuses(ctorch_aten_promote_types, NULL, 0, 0);
}
END_TEST

START_TEST(what_cannot_fail_still_answers) {
  ck_assert_int_eq(ctorch_tensor_ndim(NULL), 0);
  ck_assert_str_eq(ctorch_dtype_name(CTORCH_DTYPE_FLOAT32), "float32");
  ctorch_tensor_release(NULL);
  ctorch_scope_end(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("version_mismatch");
  ck_case(suite, the_versions_can_be_read);
  ck_case(suite, every_hand_written_function_that_can_fail_refuses);
  ck_case(suite, generated_functions_refuse);
  ck_case(suite, what_cannot_fail_still_answers);
  return ck_main(suite);
}
