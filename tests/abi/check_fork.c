/* fork(): after LibTorch has computed with several threads, the child goes on with one; and while other threads are in
 * ctorch, the child finds nothing locked. For handles that are counted this program runs itself again with
 * CTORCH_DEBUG_HANDLES=1, which ctorch reads when it is loaded. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/self.h"
#include "harness/values.h"

enum { N = 256 }; /* large enough for LibTorch to use its threads */

/* 256 x 256 ones squared: every element is 256, and the gradient of their sum by either factor too. */
static ctorch_error *multiplies(const ctorch_tensor *ones, bool *out_right) {
  ctorch_tensor *x = NULL, *product = NULL, *total = NULL, *grad = NULL, *sum = NULL;
  ctorch_scalar value = {0};
  CTORCH_TRY(ctorch_aten_detach(&x, ones));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(x, true));
  CTORCH_TRY(ctorch_aten_mm(&product, x, ones));
  CTORCH_TRY(ctorch_aten_sum(&total, product, NULL));
  CTORCH_TRY(ctorch_tensor_backward(total, NULL, NULL, false));
  CTORCH_TRY(ctorch_tensor_grad(&grad, x));
  CTORCH_TRY(ctorch_aten_sum(&sum, grad, NULL));
  CTORCH_TRY(ctorch_aten_item(&value, sum));
  *out_right = value.re == (double)N * N * N;
  return NULL;
}

/* What a child answers: 0 if `body` is right there. It is killed if it hangs. */
static int in_a_child(int (*body)(const ctorch_tensor *ones), const ctorch_tensor *ones) {
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(CK_TIMEOUT / 2);
    _exit(body(ones));
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status), "the child was killed by signal %d", WTERMSIG(status));
  return WEXITSTATUS(status);
}

/* Where LibTorch was built for Vulkan, it keeps a thread for the backward pass of that, and then runs none in a child. */
static int computes(const ctorch_tensor *ones) {
  bool right = false;
  ctorch_error *error = multiplies(ones, &right);
  if (error != NULL && ctorch_device_is_built(CTORCH_DEVICE_TYPE_VULKAN)) {
    right = strstr(ctorch_error_message(error), "Autograd-and-Fork") != NULL;
    ctorch_error_release(error);
    return right ? 0 : 1;
  }
  return error == NULL && right ? 0 : 1;
}

static int has_one_thread(const ctorch_tensor *ones) {
  (void)ones;
  ctorch_tensor *y = NULL;
  return ctorch_aten_ones(&y, CTORCH_INTS(1), NULL, NULL, NULL, NULL) == NULL && ctorch_threads_num() == 1 ? 0 : 1;
}

static int forks_again(const ctorch_tensor *ones) { return computes(ones) == 0 ? in_a_child(computes, ones) : 1; }

static int gets_errors(const ctorch_tensor *ones) {
  ctorch_tensor *y = NULL;
  ctorch_error *error = ctorch_aten_view(&y, ones, CTORCH_INTS(7));
  return error != NULL && strstr(ctorch_error_message(error), "shape '[7]' is invalid") != NULL && y == NULL ? 0 : 1;
}

static ctorch_tensor *ones;

static void compute_with_threads(void) {
  open_a_scope();
  ck_ok(ctorch_threads_set_num(4));
  ck_ok(ctorch_aten_ones(&ones, CTORCH_INTS(N, N), NULL, NULL, NULL, NULL));
  bool right = false;
  ck_ok(multiplies(ones, &right));
  ck_assert(right);
}

START_TEST(a_child_computes) { ck_assert_int_eq(in_a_child(computes, ones), 0); }
END_TEST
START_TEST(a_child_has_one_thread) {
  ck_assert_int_eq(in_a_child(has_one_thread, ones), 0);
  ck_assert_int_eq(ctorch_threads_num(), 4);
}
END_TEST
START_TEST(a_child_of_a_child_computes) { ck_assert_int_eq(in_a_child(forks_again, ones), 0); }
END_TEST
START_TEST(a_child_gets_errors) { ck_assert_int_eq(in_a_child(gets_errors, ones), 0); }
END_TEST

START_TEST(the_parent_goes_on_with_its_threads) {
  bool right = false;
  ck_assert_int_eq(in_a_child(computes, ones), 0);
  ck_ok(multiplies(ones, &right));
  ck_assert(right);
}
END_TEST

/* Forks while other threads call ------------------------------------------------------------------------------------ */

static atomic_bool stop;

static ctorch_callback_status does_nothing(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)reason, (void)held, (void)requested, (void)error, (void)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status keeps_gradient(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)grad, (void)error, (void)payload;
  *out = NULL;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status hears_warning(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind, (void)message, (void)file, (void)function, (void)line, (void)error, (void)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_error *fills_with_one(
    ctorch_tensor **out, const ctorch_tensor *tensor) { /* an operator without a thread pool or a generator */
  return ctorch_aten_ones_like(out, tensor, NULL, NULL, NULL, NULL, NULL);
}

/** Calls that take each of the locks that a process of ours has. */
static ctorch_error *calls_all(const ctorch_tensor *tensor) {
  ctorch_tensor *x = NULL, *y = NULL, *leaf = NULL;
  ctorch_tensor_list *list = NULL;
  ctorch_op *op = NULL;
  ctorch_hook *hook = NULL;
  ctorch_string *text = NULL;
  CTORCH_TRY(fills_with_one(&x, tensor));
  CTORCH_TRY(ctorch_aten_add_Tensor(&y, x, x, NULL));
  CTORCH_TRY(ctorch_tensor_list_new(&list, CTORCH_TENSORS(x, y)));
  CTORCH_TRY(ctorch_aten_detach(&leaf, x));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(leaf, true));
  CTORCH_TRY(ctorch_tensor_register_hook(&hook, leaf, keeps_gradient, NULL, NULL));
  ctorch_hook_remove(hook);
  ctorch_hook_release(hook);
  CTORCH_TRY(ctorch_anomaly_mode_push(false, false));
  CTORCH_TRY(ctorch_anomaly_mode_pop());
  CTORCH_TRY(ctorch_op_find(&op, "aten::neg", NULL));
  ctorch_op_release(op);
  CTORCH_TRY(ctorch_print_set_options(NULL, NULL, NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_warning_set_callback(hears_warning, NULL, NULL));
  CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "heard"));
  CTORCH_TRY(ctorch_tensor_repr(&text, x, NULL, NULL, NULL, NULL, NULL));
  ctorch_string_release(text);
  ctorch_tensor_list_release(list);
  ctorch_tensor_release(leaf);
  ctorch_tensor_release(y);
  ctorch_tensor_release(x);
  return NULL;
}

static int calls_in_the_child(const ctorch_tensor *tensor) {
  for (int i = 0; i < 20; i++) {
    if (calls_all(tensor) != NULL) {
      return 1;
    }
  }
  return ctorch_memory_pressure_set_callback(does_nothing, 1, NULL, NULL) == NULL && calls_all(tensor) == NULL ? 0 : 2;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { THREADS = 3, FORKS = 150 };

static void *hammers(void *tensor) {
  while (!atomic_load(&stop)) {
    ctorch_error *error = calls_all(tensor);
    if (error != NULL) {
      return error;
    }
  }
  return NULL;
}

START_TEST(a_child_finds_nothing_locked_by_other_threads) {
  pthread_t threads[THREADS];
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4);
  atomic_store(&stop, false);
  ck_ok(ctorch_memory_pressure_set_callback(does_nothing, 1, NULL, NULL)); /* called for each tensor */
  ck_ok(ctorch_memory_record_cpu(true));
  ck_ok(calls_all(x)); /* what LibTorch initialises on first use is no affair of ours */
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, hammers, x), 0);
  }
  for (int i = 0; i < FORKS; i++) {
    ck_assert_int_eq(in_a_child(calls_in_the_child, x), 0);
  }
  atomic_store(&stop, true);
  for (int i = 0; i < THREADS; i++) {
    void *error = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &error), 0);
    ck_assert_ptr_null(error);
  }
  ck_ok(ctorch_memory_record_cpu(false));
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ctorch_memory_pressure_clear_callback();
  ctorch_tensor_release(x);
}
END_TEST

#endif

/** A callback that forks: the locks of the call that it came from are its own. */
static ctorch_callback_status forks(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)reason, (void)held, (void)requested, (void)error;
  ctorch_memory_pressure_clear_callback();
  return in_a_child(calls_in_the_child, payload) == 0 ? CTORCH_CALLBACK_OK : 0;
}

START_TEST(a_callback_may_fork) {
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4), *y = NULL;
  ck_ok(ctorch_memory_pressure_set_callback(forks, 1, NULL, x));
  ck_ok(fills_with_one(&y, x));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
}
END_TEST

static int the_callback_runs;

static ctorch_callback_status counts_runs(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)reason, (void)held, (void)requested, (void)error;
  the_callback_runs++;
  if (payload != NULL && the_callback_runs == 1) {
    atomic_store(&stop, true);
    while (atomic_load(&stop)) { /* until the other thread has forked */
      sched_yield();
    }
  }
  return CTORCH_CALLBACK_OK;
}

static void *makes_one(void *tensor) {
  ctorch_tensor *y = NULL;
  ctorch_error *error = fills_with_one(&y, tensor);
  ctorch_tensor_release(y);
  return error;
}

static int is_called_back(const ctorch_tensor *tensor) {
  ctorch_tensor *y = NULL;
  return fills_with_one(&y, tensor) == NULL && the_callback_runs == 2 ? 0 : 1;
}

static pid_t forked;

static ctorch_callback_status forks_and_returns(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)reason, (void)held, (void)requested, (void)error, (void)payload;
  if (++the_callback_runs == 1) {
    forked = fork();
  }
  return CTORCH_CALLBACK_OK;
}

/** Both return from it: the child too has left the callback then, and may be called back again. */
START_TEST(a_child_that_the_callback_forked_is_called_back) {
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4), *y = NULL;
  int status = 0;
  the_callback_runs = 0;
  forked = -1;
  ck_ok(ctorch_memory_pressure_set_callback(forks_and_returns, 1, NULL, NULL));
  ctorch_error *error = fills_with_one(&y, x);
  if (forked == 0) {
    alarm(CK_TIMEOUT / 2);
    _exit(error == NULL ? is_called_back(x) : 2);
  }
  ck_ok(error);
  ck_assert_int_eq(waitpid(forked, &status, 0), forked);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), 0);
  ctorch_memory_pressure_clear_callback();
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
}
END_TEST

START_TEST(a_child_is_called_back_though_another_thread_was_in_the_callback) {
  pthread_t thread;
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4);
  the_callback_runs = 0;
  atomic_store(&stop, false);
  ck_ok(ctorch_memory_pressure_set_callback(counts_runs, 1, NULL, x));
  ck_assert_int_eq(pthread_create(&thread, NULL, makes_one, x), 0);
  while (!atomic_load(&stop)) {
    sched_yield();
  }
  ck_assert_int_eq(in_a_child(is_called_back, x), 0);
  atomic_store(&stop, false);
  void *error = NULL;
  ck_assert_int_eq(pthread_join(thread, &error), 0);
  ck_assert_ptr_null(error);
  ctorch_memory_pressure_clear_callback();
  ctorch_tensor_release(x);
}
END_TEST

int main(int argc, char **argv) {
  (void)argc;
  Suite *suite = suite_create("fork");
  TCase *tcase = tcase_create("fork");
  tcase_set_timeout(tcase, CK_TIMEOUT);
  tcase_add_checked_fixture(tcase, compute_with_threads, close_a_scope);
  tcase_add_test(tcase, a_child_computes);
  tcase_add_test(tcase, a_child_has_one_thread);
  tcase_add_test(tcase, a_child_of_a_child_computes);
  tcase_add_test(tcase, a_child_gets_errors);
  tcase_add_test(tcase, the_parent_goes_on_with_its_threads);
  suite_add_tcase(suite, tcase);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their own locks are not safe */
  ck_case(suite, a_child_finds_nothing_locked_by_other_threads);
#endif
  ck_case(suite, a_callback_may_fork);
  ck_case(suite, a_child_is_called_back_though_another_thread_was_in_the_callback);
  ck_case(suite, a_child_that_the_callback_forked_is_called_back);
  const int status = ck_main(suite);
  const char VARIABLE[] = "CTORCH_DEBUG_HANDLES";
  if (status != EXIT_SUCCESS || getenv(VARIABLE) != NULL) {
    return status;
  }
  if (setenv(VARIABLE, "1", 1) == 0) {
    exec_self(argv);
  }
  return EXIT_FAILURE;
}
