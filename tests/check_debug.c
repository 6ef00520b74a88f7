/* Counting handles. ctorch reads CTORCH_DEBUG_HANDLES when it is loaded, so this program runs itself again with it:
 *
 *     check_debug            checks that counting is off, then executes itself with the variable set
 *     check_debug leak       with the variable set: leaves a tensor behind and exits */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "values.h"

/* This program's path: read from the link, as the link itself would execute valgrind when run under it. */
static char self[4096];
static const char VARIABLE[] = "CTORCH_DEBUG_HANDLES";

START_TEST(without_the_variable_nothing_is_counted) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ctorch_string *report = NULL;
  ck_assert_int_eq(ctorch_debug_live_handles(), -1);
  ck_fails(ctorch_debug_report(&report), CTORCH_ERROR_UNSUPPORTED, VARIABLE);
  ck_assert_ptr_null(report);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), -1);
}
END_TEST

/** What the report says, without a handle of its own staying behind. */
static const char *report(void) {
  static char text[1 << 16];
  ctorch_string *out = NULL;
  ck_ok(ctorch_debug_report(&out));
  ck_assert_uint_lt(ctorch_string_len(out), sizeof text);
  memcpy(text, ctorch_string_data(out), ctorch_string_len(out) + 1);
  ctorch_string_release(out);
  return text;
}

static int lines_of(const char *text) {
  int lines = 0;
  for (const char *end = strchr(text, '\n'); end != NULL; end = strchr(end + 1, '\n')) {
    lines++;
  }
  return lines;
}

#define ck_reported(text, substring) \
  ck_assert_msg(strstr(text, substring) != NULL, "the report lacks \"%s\":\n%s", substring, text)

START_TEST(nothing_is_live_at_first) {
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
  ck_assert_str_eq(report(), "");
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(every_kind_of_handle_is_counted_and_reported) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *bad = NULL;
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten_split_Tensor(&list, x, 1, 0));
  ck_assert_int_eq(ctorch_debug_live_handles(), 2); /* a list is one handle, however long */
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_assert_int_eq(ctorch_debug_live_handles(), 3);
  ctorch_generator *generator = NULL;
  ck_ok(ctorch_generator_new(&generator, NULL));
  ck_assert_int_eq(ctorch_debug_live_handles(), 4);
  ctorch_string *text = NULL;
  ck_ok(ctorch_tensor_repr(&text, x, NULL, NULL, NULL, NULL, NULL));
  ck_assert_int_eq(ctorch_debug_live_handles(), 5);
  ctorch_error *error = ctorch_aten_view(&bad, x, CTORCH_INTS(3));
  ck_assert_int_eq(ctorch_debug_live_handles(), 6);
  ctorch_error *own = NULL;
  ck_ok(ctorch_error_new(&own, CTORCH_ERROR_CALLBACK, "mine"));
  ck_assert_int_eq(ctorch_debug_live_handles(), 7);
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_assert_int_eq(ctorch_debug_live_handles(), 8);

  const char *lines = report();
  ck_reported(lines, "tensor made by ctorch_tensor_from_data, called from ");
  ck_reported(lines, "tensor_list made by ctorch_aten_split_Tensor, called from ");
  ck_reported(lines, "storage made by ctorch_storage_from_tensor, called from ");
  ck_reported(lines, "generator made by ctorch_generator_new, called from ");
  ck_reported(lines, "string made by ctorch_tensor_repr, called from ");
  ck_reported(lines, "error made by ctorch_aten_view, called from ");
  ck_reported(lines, "error made by ctorch_error_new, called from ");
  ck_reported(lines, "scope made by ctorch_scope_begin, called from ");
  ck_reported(lines, "check_debug");
  ck_assert_int_eq(lines_of(lines), 8);

  ctorch_scope_end(scope);
  ctorch_error_release(own);
  ctorch_error_release(error);
  ctorch_string_release(text);
  ctorch_generator_release(generator);
  ctorch_storage_release(storage);
  ctorch_tensor_list_release(list);
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(each_reference_counts) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ctorch_tensor_retain(x);
  ctorch_tensor_retain(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 3);
  ck_reported(report(), "tensor made by ctorch_tensor_retain");
  ctorch_tensor_release(x);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

static ctorch_callback_status ignore(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)reason, (void)held, (void)requested, (void)error, (void)payload;
  return CTORCH_CALLBACK_OK;
}

START_TEST(the_caller_is_named_also_if_memory_pressure_is_watched) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
  ck_ok(ctorch_memory_pressure_set_callback(ignore, 0, NULL, NULL));
  ck_ok(ctorch_aten_neg(&y, x));
  ck_reported(report(), "tensor made by ctorch_aten_neg, called from check_debug");
  ctorch_memory_pressure_clear_callback();
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(several_outputs_count_and_undefined_ones_do_not) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *values = NULL, *indices = NULL, *grad = NULL;
  ck_ok(ctorch_aten_max_dim(&values, &indices, x, 0, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_assert_int_eq(ctorch_debug_live_handles(), 3);
  ctorch_tensor_release(x);
  ctorch_tensor_release(values);
  ctorch_tensor_release(indices);
  ctorch_tensor_release(grad);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(a_failed_call_leaves_no_more_than_its_error) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  ck_fails(ctorch_aten_view(&out, x, CTORCH_INTS(3)), CTORCH_ERROR_SHAPE_MISMATCH, NULL);
  ck_fails(ctorch_aten_view(NULL, x, CTORCH_INTS(2)), CTORCH_ERROR_NULL_ARGUMENT, NULL);
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(a_scope_brings_the_count_back) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *kept = NULL;
  for (int i = 0; i < 100; i++) {
    ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
    ck_ok(ctorch_aten_add_Tensor(&y, x, x, NULL));
    kept = y;
  }
  ck_assert_int_eq(ctorch_debug_live_handles(), 201);
  ck_ok(ctorch_scope_keep(scope, kept));
  ctorch_tensor_retain(kept);
  ctorch_tensor_release(kept);
  ctorch_scope_end(scope);
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ctorch_tensor_release(kept);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

/** Released inside the scope, the reference that goes is the scope's (scope.h). */
START_TEST(what_a_scope_gave_back_for_the_caller_is_left_over_and_reported) {
  ctorch_tensor *y = floats(CTORCH_INTS(2), 1, 2), *same = NULL;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_aten_contiguous(&same, y, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  ck_assert_ptr_eq(same, y);
  ctorch_tensor_release(y);
  ctorch_scope_end(scope);
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ck_reported(report(), "tensor made by ctorch_tensor_from_data");
  ctorch_tensor_release(y);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(a_training_loop_ends_with_none) {
  ctorch_tensor *w = floats(CTORCH_INTS(2, 1), 0.5F, -0.5F), *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4);
  ck_ok(ctorch_tensor_set_requires_grad(w, true));
  for (int step = 0; step < 20; step++) {
    ctorch_scope *scope = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ctorch_tensor *y = NULL, *loss = NULL, *grad = NULL;
    ck_ok(ctorch_aten_mm(&y, x, w));
    ck_ok(ctorch_aten_mul_Tensor(&y, y, y));
    ck_ok(ctorch_aten_sum(&loss, y, NULL));
    ck_ok(ctorch_tensor_backward(loss, NULL, NULL, false));
    ck_ok(ctorch_tensor_grad(&grad, w));
    ck_ok(ctorch_grad_mode_push(false));
    ck_ok(ctorch_aten_add__Tensor(w, grad, CTORCH_FLOAT(-0.01)));
    ck_ok(ctorch_grad_mode_pop());
    ck_ok(ctorch_tensor_set_grad(w, NULL));
    ctorch_scope_end(scope);
    ck_assert_int_eq(ctorch_debug_live_handles(), 2);
  }
  ctorch_tensor_release(w);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

static void *makes_two(void *out) {
  ctorch_tensor **pair = out;
  pair[0] = floats(CTORCH_INTS(1), 1);
  pair[1] = floats(CTORCH_INTS(1), 1);
  ctorch_tensor_release(pair[0]);
  return NULL;
}

START_TEST(all_threads_are_counted_together) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  ctorch_tensor *pairs[THREADS][2];
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, makes_two, pairs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
  ck_assert_int_eq(ctorch_debug_live_handles(), THREADS);
  for (int i = 0; i < THREADS; i++) {
    ctorch_tensor_release(pairs[i][1]); /* here, not where it was made */
  }
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(the_report_refuses_null) {
  ck_fails(ctorch_debug_report(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

static int leak(void) {
  ctorch_tensor *x = NULL;
  const float one = 1;
  return ctorch_tensor_from_data(&x, &one, sizeof one, CTORCH_INTS(1), CTORCH_DTYPE_FLOAT32) == NULL ? 0 : 1;
}

START_TEST(what_is_left_is_reported_when_the_process_ends) {
  char text[8192];
  size_t len = 0;
  int ends[2], status = -1;
  ck_assert_int_eq(pipe(ends), 0);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(self, "check_debug", "leak", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  for (ssize_t n; len < sizeof text - 1 && (n = read(ends[0], text + len, sizeof text - 1 - len)) > 0;) {
    len += (size_t)n;
  }
  text[len] = '\0';
  close(ends[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ck_reported(text, "ctorch: handles that were not released:\n");
  ck_reported(text, "tensor made by ctorch_tensor_from_data, called from ");
}
END_TEST

static int run_without_the_variable(void) {
  Suite *suite = suite_create("debug, counting off");
  ck_case(suite, without_the_variable_nothing_is_counted);
  return ck_main(suite);
}

static int run_with_the_variable(void) {
  Suite *suite = suite_create("debug, counting on");
  ck_case(suite, nothing_is_live_at_first);
  ck_case(suite, every_kind_of_handle_is_counted_and_reported);
  ck_case(suite, each_reference_counts);
  ck_case(suite, the_caller_is_named_also_if_memory_pressure_is_watched);
  ck_case(suite, several_outputs_count_and_undefined_ones_do_not);
  ck_case(suite, a_failed_call_leaves_no_more_than_its_error);
  ck_case(suite, a_scope_brings_the_count_back);
  ck_case(suite, what_a_scope_gave_back_for_the_caller_is_left_over_and_reported);
  ck_case(suite, a_training_loop_ends_with_none);
  ck_case(suite, all_threads_are_counted_together);
  ck_case(suite, the_report_refuses_null);
  ck_case(suite, what_is_left_is_reported_when_the_process_ends);
  return ck_main(suite);
}

int main(int argc, char **argv) {
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
    perror("/proc/self/exe");
    return EXIT_FAILURE;
  }
  if (argc > 1 && strcmp(argv[1], "leak") == 0) {
    return leak();
  }
  const char *value = getenv(VARIABLE);
  if (value != NULL && strcmp(value, "1") == 0) {
    return run_with_the_variable();
  }
  if (unsetenv(VARIABLE) != 0 || run_without_the_variable() != EXIT_SUCCESS || setenv(VARIABLE, "1", 1) != 0) {
    return EXIT_FAILURE;
  }
  execv(self, argv);
  perror(self);
  return EXIT_FAILURE;
}
