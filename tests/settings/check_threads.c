/* Numbers of threads, and handles used by several threads. */
#include <limits.h>
#include <pthread.h>

#include "harness/values.h"

START_TEST(the_number_of_threads_can_be_set) {
  ck_assert_int_ge(ctorch_threads_num(), 1);
  ck_ok(ctorch_threads_set_num(3));
  ck_assert_int_eq(ctorch_threads_num(), 3);
  ck_ok(ctorch_threads_set_num(1));
  ck_assert_int_eq(ctorch_threads_num(), 1);
}
END_TEST

START_TEST(less_than_one_thread_is_refused) {
  const int32_t before = ctorch_threads_num();
  static const int32_t wrong[] = {0, -1, INT_MIN};
  for (int i = 0; i < 3; i++) {
    ck_fails(ctorch_threads_set_num(wrong[i]), CTORCH_ERROR_INVALID_ARGUMENT, "at least 1");
    ck_fails(ctorch_threads_set_num_interop(wrong[i]), CTORCH_ERROR_INVALID_ARGUMENT, "at least 1");
  }
  ck_assert_int_eq(ctorch_threads_num(), before);
}
END_TEST

/* In this order: a second setting is too late, whether the first was this test's or another's. */
START_TEST(the_number_of_interop_threads_can_be_set_once) {
  ck_assert_int_ge(ctorch_threads_num_interop(), 1);
  ctorch_error_release(ctorch_threads_set_num_interop(2));
  ck_fails(ctorch_threads_set_num_interop(2), CTORCH_ERROR_RUNTIME, "interop");
}
END_TEST

enum { THREADS = 4, ROUNDS = 500 };

static void *retains_and_releases(void *tensor) {
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_tensor_retain(tensor);
    ctorch_tensor *view = NULL;
    ck_ok(ctorch_aten_narrow(&view, tensor, 0, 0, 1));
    ck_ok(ctorch_aten_add_Tensor(&view, view, tensor, NULL));
    ctorch_tensor_release(tensor);
  }
  return NULL;
}

static void *fails(void *tensor) {
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_tensor *out = NULL;
    ck_fails(ctorch_aten_view(&out, tensor, CTORCH_INTS(3)), CTORCH_ERROR_SHAPE_MISMATCH, "'[3]'");
  }
  return NULL;
}

static void run_side_by_side(void *(*function)(void *), void *argument) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, function, argument), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
}

static void *in_a_scope(void *tensor) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  retains_and_releases(tensor);
  ctorch_scope_end(scope);
  return NULL;
}

START_TEST(a_const_tensor_may_be_used_by_several_threads) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  run_side_by_side(in_a_scope, x);
  ck_floats(x, CTORCH_INTS(2), 1, 2);
}
END_TEST

START_TEST(errors_belong_to_the_call_not_to_the_thread) { run_side_by_side(fails, floats(CTORCH_INTS(2), 1, 2)); }
END_TEST

static void *renders(void *error) {
  const char *text = ctorch_error_backtrace(error);
  ck_assert_ptr_nonnull(text);
  return NULL;
}

START_TEST(a_backtrace_may_be_asked_for_by_several_threads) {
  ctorch_tensor *out = NULL;
  ctorch_error *error = ctorch_aten_view(&out, floats(CTORCH_INTS(2), 1, 2), CTORCH_INTS(3));
  ck_assert_ptr_nonnull(error);
  run_side_by_side(renders, error);
  ctorch_error_release(error);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("threads");
  ck_scoped_case(suite, the_number_of_threads_can_be_set);
  ck_scoped_case(suite, less_than_one_thread_is_refused);
  ck_scoped_case(suite, the_number_of_interop_threads_can_be_set_once);
  ck_scoped_case(suite, a_const_tensor_may_be_used_by_several_threads);
  ck_scoped_case(suite, errors_belong_to_the_call_not_to_the_thread);
  ck_scoped_case(suite, a_backtrace_may_be_asked_for_by_several_threads);
  return ck_main(suite);
}
