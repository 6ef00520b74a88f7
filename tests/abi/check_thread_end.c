/* The end of a thread, and of the process: what calls ctorch then, in whatever order, finds it as it should be.
 *
 * C++ destroys a thread's objects first, LibTorch's among them; destructors of pthread keys run later, and on the main
 * thread the functions of atexit. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>
#include <string.h>

#include "harness/values.h"

static float memory[2] = {1, 2};
static ctorch_tensor *shared; /* of the main thread, for all */

static void make_shared(void) { shared = floats(CTORCH_INTS(2), 3, 4); }
static void release_shared(void) { ctorch_tensor_release(shared); }

static void count(void *payload) { ++*(int *)payload; }

static ctorch_tensor *with_destroy(void (*destroy)(void *payload), void *payload) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_from_buffer(
      &out, memory, CTORCH_INTS(2), CTORCH_DEFAULT_LIST, CTORCH_DTYPE_FLOAT32, destroy, payload));
  return out;
}

/** Push and pop every mode that is kept per thread and needs nothing of LibTorch's that ends before the thread. */
static void use_modes(void) {
  const bool was_enabled = ctorch_grad_mode_enabled();
  ck_ok(ctorch_grad_mode_push(!was_enabled));
  ck_ok(ctorch_inference_mode_push(true));
  ck_ok(ctorch_multithreading_mode_push(false));
  ck_ok(ctorch_anomaly_mode_push(false, false));
  ck_assert(ctorch_inference_mode_enabled() && !ctorch_multithreading_mode_enabled());
  ck_ok(ctorch_anomaly_mode_pop());
  ck_ok(ctorch_multithreading_mode_pop());
  ck_ok(ctorch_inference_mode_pop());
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(ctorch_grad_mode_enabled() == was_enabled);
  ck_fails(ctorch_grad_mode_pop(), CTORCH_ERROR_RUNTIME, "was pushed on this thread");

  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL));
  ck_assert(ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));
  ck_ok(ctorch_autocast_pop());
  ck_assert(!ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));

  ck_ok(ctorch_defaults_device_push(META));
  ctorch_device device = {0};
  ck_ok(ctorch_defaults_device(&device));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_META);
  ck_ok(ctorch_defaults_device_pop());

  ctorch_scope *scope = NULL; /* its end takes back what was pushed in it */
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_grad_mode_push(!was_enabled));
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL));
  ctorch_scope_end(scope);
  ck_assert(ctorch_grad_mode_enabled() == was_enabled && !ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));

  ctorch_warnings *warnings = NULL;
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "collected"));
  ck_ok(ctorch_warnings_pop(&warnings));
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 1);
  ctorch_warnings_release(warnings);
}

/** What needs nothing of LibTorch's thread, beside the modes. */
static void use_handles(void) {
  ctorch_error *error = NULL;
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_error_new(&error, CTORCH_ERROR_CALLBACK, "mine"));
  ctorch_error_release(error);
  ctorch_tensor_retain(shared);
  ctorch_tensor_release(shared);
  ck_assert_int_eq(ctorch_tensor_numel(shared), 2);
  ctorch_scope *scope = NULL, *inner = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_scope_begin(&inner));
  ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(shared, shared)));
  ck_ok(ctorch_scope_keep(inner, list));
  ctorch_scope_end(inner);
  ck_assert_uint_eq(ctorch_tensor_list_len(list), 2);
  ctorch_scope_end(scope);
}

/** Operators and the like work, and leave the thread as it was. */
static void use_operators(void) {
  ctorch_tensor *x = NULL, *y = NULL, *loss = NULL;
  ctorch_op *op = NULL;
  ctorch_value *argument = NULL, *result = NULL;
  ck_ok(ctorch_aten_clone(&x, shared, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_aten_mul_Tensor(&y, x, x));
  ck_ok(ctorch_aten_sum(&loss, y, NULL));
  ck_ok(ctorch_tensor_backward(loss, NULL, NULL, false));
  ck_ok(ctorch_random_fork(NULL, 0));
  ck_ok(ctorch_random_join());
  ck_ok(ctorch_record_function_push("range", NULL));
  ck_ok(ctorch_record_function_pop());
  ck_ok(ctorch_dual_level_push());
  ck_ok(ctorch_dual_level_pop());
  ck_ok(ctorch_op_find(&op, "aten::neg", NULL));
  ck_ok(ctorch_value_from_tensor(&argument, shared));
  ck_ok(ctorch_op_call(&result, op, (const ctorch_value *const[]){argument}, 1));
  ctorch_value_release(result);
  ctorch_value_release(argument);
  ctorch_op_release(op);
  ctorch_tensor_release(loss);
  ctorch_tensor_release(y);
  ctorch_tensor_release(x);
}

#define ck_refused(call) ck_fails(call, CTORCH_ERROR_RUNTIME, "this thread is ending")

/** What needs LibTorch's thread-local objects is refused, and changes nothing. */
static void is_refused_operators(void) {
  ctorch_tensor *y = shared;
  ck_refused(ctorch_aten_neg(&y, shared));
  ck_refused(ctorch_aten_add__Scalar(shared, CTORCH_INT(1), NULL));
  ck_refused(ctorch_tensor_from_data(&y, memory, sizeof memory, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT32));
  ck_refused(ctorch_tensor_backward(shared, NULL, NULL, false));
  ck_refused(ctorch_random_fork(NULL, 0));
  ck_refused(ctorch_record_function_push("range", NULL));
  ck_refused(ctorch_saved_tensors_hooks_push_save_on_cpu(false));
  ck_refused(ctorch_dual_level_push());
  ctorch_op *op = NULL;
  ck_refused(ctorch_op_find(&op, "aten::neg", NULL));
  ck_assert_ptr_eq(y, shared);
}

/* Destructors of keys ---------------------------------------------------------------------------------------------- */

static pthread_key_t key;
static int runs;

static void run_thread(void *(*function)(void *)) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, function, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static void make_key(void (*destructor)(void *)) {
  ck_assert_int_eq(pthread_key_create(&key, destructor), 0);
  runs = 0;
}

/** It asks for a second round. */
static void uses_what_works(void *value) {
  static int second;
  use_modes();
  use_handles();
  is_refused_operators();
  runs++;
  ck_assert_int_eq(pthread_setspecific(key, value == &second ? NULL : &second), 0);
}

static void *uses_all(void *nothing) {
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  use_modes();
  use_operators();
  use_handles();
  return nothing;
}

START_TEST(modes_work_after_the_threads_objects_are_gone_and_operators_are_refused) {
  make_key(uses_what_works);
  for (int i = 0; i < 20; i++) {
    run_thread(uses_all);
  }
  ck_assert_int_eq(runs, 40);
}
END_TEST

static void *leaves_modes_pushed(void *nothing) {
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  ck_ok(ctorch_grad_mode_push(true));
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL));
  ck_ok(ctorch_defaults_device_push(CPU));
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_random_fork(NULL, 0));
  ck_ok(ctorch_record_function_push("range", NULL));
  ck_ok(ctorch_dual_level_push());
  return nothing;
}

static void warns(void *nothing) {
  (void)nothing;
  ck_fails(ctorch_warnings_pop(NULL), CTORCH_ERROR_RUNTIME, "no collecting of warnings was pushed");
  ck_fails(ctorch_grad_mode_pop(), CTORCH_ERROR_RUNTIME, "no grad mode was pushed");
  ck_fails(ctorch_autocast_pop(), CTORCH_ERROR_RUNTIME, "no autocast region was pushed");
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_grad_mode_push(false)); /* and once more they are left */
  runs++;
}

START_TEST(modes_that_a_thread_leaves_end_with_it) {
  make_key(warns);
  run_thread(leaves_modes_pushed);
  ck_assert_int_eq(runs, 1);
  ck_assert_int_eq(ctorch_dual_level_current(), -1); /* levels are the process's */
  ck_ok(ctorch_dual_level_push());
  ck_ok(ctorch_dual_level_pop());
}
END_TEST

static void *only_operates(void *nothing) {
  ctorch_tensor *y = NULL;
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  ck_ok(ctorch_aten_neg(&y, shared));
  ctorch_tensor_release(y);
  return nothing;
}

static void *only_changes(void *nothing) {
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  ck_ok(ctorch_aten_add__Scalar(shared, CTORCH_INT(1), NULL));
  return nothing;
}

static void operates(void *nothing) {
  (void)nothing;
  is_refused_operators();
  runs++;
}

START_TEST(the_end_of_a_thread_that_used_operators_alone_is_known) {
  make_key(operates);
  run_thread(only_operates);
  run_thread(only_changes);
  ck_assert_int_eq(runs, 2);
}
END_TEST

#ifdef __SANITIZE_ADDRESS__
void __lsan_disable(void);
void __lsan_enable(void);
#else
#define __lsan_disable() (void)0
#define __lsan_enable() (void)0
#endif

static void uses_modes_first(void *nothing) {
  (void)nothing;
  __lsan_disable(); /* what LibTorch makes thread_local now, the C library destroys no more */
  use_modes();
  use_handles();
  use_modes();
  __lsan_enable();
  runs++;
}

static void *sets_key(void *nothing) {
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  return nothing;
}

START_TEST(the_first_call_of_a_thread_may_be_one_of_its_last) {
  make_key(uses_modes_first);
  run_thread(sets_key);
  ck_assert_int_eq(runs, 1);
}
END_TEST

static int released;

static void leaves_a_scope(void *nothing) {
  (void)nothing;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor_retain(shared);
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_tensor_list_new(&list, (const ctorch_tensor *const[]){shared}, 1));
  runs++;
}

static void *has_an_object(void *nothing) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  (void)with_destroy(count, &released);
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  return nothing;
}

START_TEST(a_scope_opened_at_the_very_end_is_ended_too) {
  released = 0;
  make_key(leaves_a_scope);
  ctorch_tensor *const mine = shared;
  shared = with_destroy(count, &released);
  run_thread(has_an_object);
  ck_assert_int_eq(runs, 1);
  ck_assert_int_eq(released, 1);
  ctorch_tensor_release(shared); /* the last reference, if the scope gave its own back */
  ck_assert_int_eq(released, 2);
  shared = mine;
}
END_TEST

/* Scopes that are left open ---------------------------------------------------------------------------------------- */

static void uses_everything(void *payload) {
  use_modes();
  use_handles();
  use_operators();
  ++*(int *)payload;
}

static void *leaves_a_scope_open(void *nothing) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope)); /* before LibTorch has made any of its objects */
  (void)with_destroy(uses_everything, &runs);
  use_operators();
  use_modes();
  ck_ok(ctorch_scope_begin(&scope));
  (void)with_destroy(uses_everything, &runs);
  return nothing;
}

START_TEST(what_a_scope_gives_back_at_the_end_of_its_thread_may_use_everything) {
  runs = 0;
  for (int i = 0; i < 20; i++) {
    run_thread(leaves_a_scope_open);
  }
  ck_assert_int_eq(runs, 40);
}
END_TEST

static void leaves_things(void *payload) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  (void)with_destroy(count, payload);
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_record_function_push("range", NULL));
}

static void *leaves_callbacks(void *nothing) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  (void)with_destroy(leaves_things, &runs);
  (void)with_destroy(leaves_things, &runs);
  return nothing;
}

START_TEST(what_callbacks_leave_at_the_end_of_a_thread_ends_as_well) {
  runs = 0;
  run_thread(leaves_callbacks);
  ck_assert_int_eq(runs, 2);
}
END_TEST

/* The process ------------------------------------------------------------------------------------------------------ */

enum { RIGHT = 42 };

static void calls_at_exit(void) {
  use_modes();
  use_handles();
  is_refused_operators();
  leaves_a_scope(NULL);
  _Exit(RIGHT); /* who gets here is through */
}

START_TEST(atexit_functions_may_call_ctorch) {
  ck_assert_int_eq(atexit(calls_at_exit), 0);
  use_modes();
  use_operators();
  (void)leaves_callbacks(NULL);
  exit(EXIT_FAILURE);
}
END_TEST

#define ck_ending_case(suite, test)                                   \
  do {                                                                \
    TCase *ck_tcase = tcase_create(#test);                            \
    tcase_set_timeout(ck_tcase, CK_TIMEOUT);                          \
    tcase_add_checked_fixture(ck_tcase, make_shared, release_shared); \
    tcase_add_test(ck_tcase, test);                                   \
    suite_add_tcase(suite, ck_tcase);                                 \
  } while (0)

int main(void) {
  Suite *suite = suite_create("thread_end");
  ck_ending_case(suite, modes_work_after_the_threads_objects_are_gone_and_operators_are_refused);
  ck_ending_case(suite, modes_that_a_thread_leaves_end_with_it);
  ck_ending_case(suite, the_end_of_a_thread_that_used_operators_alone_is_known);
  ck_ending_case(suite, the_first_call_of_a_thread_may_be_one_of_its_last);
  ck_ending_case(suite, a_scope_opened_at_the_very_end_is_ended_too);
  ck_ending_case(suite, what_a_scope_gives_back_at_the_end_of_its_thread_may_use_everything);
  ck_ending_case(suite, what_callbacks_leave_at_the_end_of_a_thread_ends_as_well);
  const char *forks = getenv("CK_FORK");
  if (forks == NULL || strcmp(forks, "no") != 0) {
    TCase *tcase = tcase_create("atexit_functions_may_call_ctorch");
    tcase_add_checked_fixture(tcase, make_shared, release_shared);
    tcase_add_exit_test(tcase, atexit_functions_may_call_ctorch, RIGHT);
    suite_add_tcase(suite, tcase);
  }
  return ck_main(suite);
}
