/* What several threads may do at once: share const tensors, run backward, fail, keep scopes and modes of their own,
 * release what another thread made, and call back. `tests/slow race` runs this under ThreadSanitizer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "harness/values.h"

enum { THREADS = 6, ROUNDS = 40 };

/* Everything threads share. A pthread_barrier makes them start together. */
static pthread_barrier_t start;
static ctorch_tensor *shared;
static ctorch_tensor *slots[THREADS];

/* A failed assertion must end the test from any thread, and libcheck allows that only from the one that it started. */
static atomic_int failures;
#define expect(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      atomic_fetch_add(&failures, 1);                                 \
    }                                                                 \
  } while (0)

static void in_threads(void *(*body)(void *index)) {
  pthread_t threads[THREADS];
  ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (size_t i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, body, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
  pthread_barrier_destroy(&start);
  ck_assert_int_eq(atomic_load(&failures), 0);
}

static double item(const ctorch_tensor *tensor) {
  ctorch_scalar value = {0};
  expect(ctorch_aten_item(&value, tensor) == NULL);
  return value.re;
}

static void *reads(void *index) {
  (void)index;
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ctorch_tensor *view = NULL, *product = NULL, *sum = NULL;
    ctorch_string *text = NULL;
    const void *data = NULL;
    expect(ctorch_scope_begin(&scope) == NULL);
    expect(ctorch_aten_t(&view, shared) == NULL);
    expect(ctorch_aten_mm(&product, shared, view) == NULL);
    expect(ctorch_aten_sum(&sum, product, NULL) == NULL);
    expect(item(sum) == 64.0);
    expect(ctorch_tensor_const_data(&data, shared) == NULL && data != NULL);
    expect(ctorch_tensor_ndim(shared) == 2 && ctorch_tensor_numel(shared) == 16);
    expect(ctorch_tensor_repr(&text, shared, NULL, NULL, NULL, NULL, NULL) == NULL);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(const_tensors_are_shared) {
  shared = NULL;
  ck_ok(ctorch_aten_ones(&shared, CTORCH_INTS(4, 4), NULL, NULL, NULL, NULL));
  in_threads(reads);
  ctorch_tensor_release(shared);
}
END_TEST

static void *differentiates(void *index) {
  const double factor = (double)(size_t)index + 1;
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ctorch_tensor *x = NULL, *y = NULL, *grad = NULL, *total = NULL;
    expect(ctorch_scope_begin(&scope) == NULL);
    expect(ctorch_aten_ones(&x, CTORCH_INTS(3), NULL, NULL, NULL, NULL) == NULL);
    expect(ctorch_tensor_set_requires_grad(x, true) == NULL);
    expect(ctorch_aten_mul_Scalar(&y, x, CTORCH_FLOAT(factor)) == NULL);
    expect(ctorch_aten_sum(&total, y, NULL) == NULL);
    expect(ctorch_tensor_backward(total, NULL, NULL, false) == NULL);
    expect(ctorch_tensor_grad(&grad, x) == NULL);
    expect(ctorch_aten_sum(&total, grad, NULL) == NULL);
    expect(item(total) == 3 * factor);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(each_thread_runs_backward) { in_threads(differentiates); }
END_TEST

/* One leaf, graphs of several threads: the gradients accumulate under LibTorch's lock. */
static void *accumulates(void *index) {
  (void)index;
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_tensor *total = NULL;
    expect(ctorch_aten_sum(&total, shared, NULL) == NULL);
    expect(ctorch_tensor_backward(total, NULL, NULL, false) == NULL);
    ctorch_tensor_release(total);
  }
  return NULL;
}

START_TEST(gradients_of_several_threads_add_up) {
  shared = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(shared, true));
  in_threads(accumulates);
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, shared));
  ck_floats(grad, CTORCH_INTS(2), THREADS * ROUNDS, THREADS * ROUNDS);
  ctorch_tensor_release(grad);
  ctorch_tensor_release(shared);
}
END_TEST

static void *fails(void *index) {
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_tensor *out = NULL;
    char text[64];
    ctorch_error *error = ctorch_aten_view(&out, shared, CTORCH_INTS(7, (int64_t)(size_t)index + 2));
    snprintf(text, sizeof text, "[7, %d]", (int)(size_t)index + 2);
    expect(out == NULL && strstr(ctorch_error_message(error), text) != NULL);
    expect(strcmp(ctorch_error_function(error), "ctorch_aten_view") == 0);
    expect(ctorch_error_backtrace(error) != NULL);
    ctorch_error_release(error);
  }
  return NULL;
}

START_TEST(each_thread_gets_its_own_errors) {
  shared = floats(CTORCH_INTS(2), 1, 2);
  in_threads(fails);
  ctorch_tensor_release(shared);
}
END_TEST

/* One error read by all, the text that is made on demand included. */
static ctorch_error *shared_error;

static void *reads_the_error(void *index) {
  (void)index;
  pthread_barrier_wait(&start);
  const char *backtrace = ctorch_error_backtrace(shared_error);
  expect(strlen(backtrace) > 0);
  expect(ctorch_error_backtrace(shared_error) == backtrace);
  return NULL;
}

START_TEST(an_error_is_read_by_several) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  shared_error = ctorch_aten_mm(&out, x, x);
  ck_assert_ptr_nonnull(shared_error);
  in_threads(reads_the_error);
  ctorch_error_release(shared_error);
  ctorch_tensor_release(x);
}
END_TEST

static void *keeps_its_modes(void *index) {
  const bool enabled = (size_t)index % 2 == 0;
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    expect(ctorch_grad_mode_enabled());
    expect(ctorch_grad_mode_push(enabled) == NULL);
    ctorch_tensor *y = NULL;
    expect(ctorch_aten_neg(&y, shared) == NULL);
    expect(ctorch_tensor_requires_grad(y) == enabled);
    ctorch_tensor_release(y);
    expect(ctorch_grad_mode_pop() == NULL);
  }
  return NULL;
}

START_TEST(modes_belong_to_their_thread) {
  shared = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(shared, true));
  in_threads(keeps_its_modes);
  ctorch_tensor_release(shared);
}
END_TEST

/* Each thread releases what its neighbour made, graph and storage with it. */
static void *makes_and_gives_away(void *index) {
  const size_t i = (size_t)index;
  for (int round = 0; round < ROUNDS; round++) {
    ctorch_tensor *x = NULL;
    expect(ctorch_aten_ones(&x, CTORCH_INTS(8), NULL, NULL, NULL, NULL) == NULL);
    expect(ctorch_tensor_set_requires_grad(x, true) == NULL);
    expect(ctorch_aten_exp(&slots[i], x) == NULL);
    ctorch_tensor_release(x);
    pthread_barrier_wait(&start);
    ctorch_tensor_release(slots[(i + 1) % THREADS]);
    pthread_barrier_wait(&start);
  }
  return NULL;
}

START_TEST(what_one_thread_made_another_releases) { in_threads(makes_and_gives_away); }
END_TEST

/* The destroy function of a buffer runs on whichever thread drops the last reference, once. */
static atomic_int destroyed;
static void count_destroyed(void *payload) {
  (void)payload;
  atomic_fetch_add(&destroyed, 1);
}

static void *drops(void *index) {
  pthread_barrier_wait(&start);
  ctorch_tensor_release(slots[(size_t)index]);
  return NULL;
}

START_TEST(a_buffer_is_destroyed_once_by_the_last_thread) {
  static float data[4];
  for (int round = 0; round < ROUNDS; round++) {
    atomic_store(&destroyed, 0);
    ck_ok(ctorch_tensor_from_buffer(
        &slots[0], data, CTORCH_INTS(4), NULL, 0, CTORCH_DTYPE_FLOAT32, count_destroyed, NULL));
    for (int i = 1; i < THREADS; i++) {
      ck_ok(ctorch_aten_view(&slots[i], slots[0], CTORCH_INTS(2, 2)));
    }
    in_threads(drops);
    ck_assert_int_eq(atomic_load(&destroyed), 1);
  }
}
END_TEST

/* A leaf that all threads have in common has a hook; each thread puts further hooks on its own way there, one of which
 * fails, and takes them away again. */
static atomic_int hook_calls, hooks_destroyed;
static void count_a_hook(void *payload) {
  (void)payload;
  atomic_fetch_add(&hooks_destroyed, 1);
}

static ctorch_callback_status counts_calls(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)out, (void)grad, (void)error, (void)payload;
  atomic_fetch_add(&hook_calls, 1);
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status fails_by_name(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)out, (void)grad;
  char text[32];
  snprintf(text, sizeof text, "thread %d", (int)(size_t)payload);
  expect(ctorch_error_new(error, CTORCH_ERROR_VALUE, text) == NULL);
  return 0;
}

static void *hooks(void *index) {
  char text[32];
  snprintf(text, sizeof text, "thread %d", (int)(size_t)index);
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ctorch_tensor *y = NULL, *total = NULL;
    ctorch_hook *counting = NULL, *failing = NULL;
    expect(ctorch_scope_begin(&scope) == NULL);
    expect(ctorch_aten_mul_Scalar(&y, shared, CTORCH_INT(2)) == NULL);
    expect(ctorch_aten_sum(&total, y, NULL) == NULL);
    expect(ctorch_tensor_register_hook(&counting, y, counts_calls, count_a_hook, NULL) == NULL);
    expect(ctorch_tensor_register_hook(&failing, y, fails_by_name, count_a_hook, index) == NULL);
    ctorch_error *error = ctorch_tensor_backward(total, NULL, CTORCH_SOME(bool, true), false);
    expect(ctorch_error_kind_of(error) == CTORCH_ERROR_VALUE && strcmp(ctorch_error_message(error), text) == 0);
    ctorch_error_release(error);
    ctorch_hook_remove(failing);
    expect(ctorch_tensor_backward(total, NULL, NULL, false) == NULL);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(hooks_run_on_the_thread_that_runs_backward) {
  ctorch_hook *hook = NULL;
  shared = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(shared, true));
  ck_ok(ctorch_tensor_register_hook(&hook, shared, counts_calls, count_a_hook, NULL));
  in_threads(hooks);
  /* The thread's own hook runs in both passes, that of the leaf only in the one that gets there. */
  ck_assert_int_eq(atomic_load(&hook_calls), THREADS * ROUNDS * 3);
  ck_assert_int_eq(atomic_load(&hooks_destroyed), THREADS * ROUNDS * 2);
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, shared));
  ck_floats(grad, CTORCH_INTS(2), 2 * THREADS * ROUNDS, 2 * THREADS * ROUNDS);
  ctorch_tensor_release(grad);
  ctorch_tensor_release(shared);
  ctorch_hook_release(hook);
  ck_assert_int_eq(atomic_load(&hooks_destroyed), THREADS * ROUNDS * 2 + 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("concurrency");
  ck_case(suite, const_tensors_are_shared);
  ck_case(suite, each_thread_runs_backward);
  ck_case(suite, gradients_of_several_threads_add_up);
  ck_case(suite, each_thread_gets_its_own_errors);
  ck_case(suite, an_error_is_read_by_several);
  ck_case(suite, modes_belong_to_their_thread);
  ck_case(suite, what_one_thread_made_another_releases);
  ck_case(suite, a_buffer_is_destroyed_once_by_the_last_thread);
  ck_case(suite, hooks_run_on_the_thread_that_runs_backward);
  return ck_main(suite);
}
