/* Warnings: the callback of the process, collecting on a thread, what is raised once. That LibTorch's own threads are
 * heard is in warning_threads_test.cpp, what Python makes of warnings in tests/settings/test_warning.py. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/values.h"

enum { OK = CTORCH_CALLBACK_OK };

/** What a callback has seen. */
static struct seen {
  int calls, destroyed;
  ctorch_warning_kind kind;
  char message[1000], file[300], function[100];
  uint32_t line;
  const void *payload;
} seen;

static ctorch_callback_status record(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  ck_assert_ptr_null(*error);
  seen.calls++;
  seen.kind = kind;
  snprintf(seen.message, sizeof seen.message, "%s", message);
  snprintf(seen.file, sizeof seen.file, "%s", file);
  snprintf(seen.function, sizeof seen.function, "%s", function);
  seen.line = line;
  seen.payload = payload;
  return OK;
}

static void count_destruction(void *payload) {
  ck_assert_ptr_eq(payload, &seen);
  seen.destroyed++;
}

static void set_callback(ctorch_warning_callback callback) {
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  memset(&seen, 0, sizeof seen);
  ck_ok(ctorch_warning_set_callback(callback, count_destruction, &seen));
}

/** Have an operator warn: it has no deterministic form. */
static void operator_warns(void) {
  ctorch_tensor *x = NULL, *places = NULL, *source = NULL;
  static const int64_t one = 1, place = 0;
  static const float value = 1;
  ck_ok(ctorch_tensor_from_data(&x, &value, sizeof value, &one, 1, CTORCH_DTYPE_FLOAT32));
  ck_ok(ctorch_tensor_from_data(&source, &value, sizeof value, &one, 1, CTORCH_DTYPE_FLOAT32));
  ck_ok(ctorch_tensor_from_data(&places, &place, sizeof place, NULL, 0, CTORCH_DTYPE_INT64));
  ck_ok(ctorch_settings_set_deterministic_algorithms(true, true));
  ck_ok(ctorch_aten_put_(x, places, source, false));
  ck_ok(ctorch_settings_set_deterministic_algorithms(false, false));
  ctorch_tensor_release(x);
  ctorch_tensor_release(places);
  ctorch_tensor_release(source);
}

/** What is printed on stderr during a call. */
static const char *printed_by(void (*call)(void)) {
  static char text[4000];
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  fflush(stderr);
  const int saved = dup(2);
  dup2(fileno(file), 2);
  call();
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static void warn(void) { ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "mind the gap")); }

START_TEST(the_callback_hears_an_operator) {
  set_callback(record);
  ck_assert_str_eq(printed_by(operator_warns), "");
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_int_eq(seen.kind, CTORCH_WARNING_USER);
  ck_assert_ptr_nonnull(strstr(seen.message, "put_ does not have a deterministic implementation"));
  ck_assert_ptr_nonnull(strstr(seen.file, "Context.cpp"));
  ck_assert_str_eq(seen.function, "alertNotDeterministic");
  ck_assert_uint_gt(seen.line, 0);
  ck_assert_ptr_eq(seen.payload, &seen);
}
END_TEST

START_TEST(the_callback_hears_a_programs_own_warnings) {
  set_callback(record);
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_DEPRECATION, "alt \xc3\xa4lter"));
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_int_eq(seen.kind, CTORCH_WARNING_DEPRECATION);
  ck_assert_str_eq(seen.message, "alt \xc3\xa4lter");
  warn();
  ck_assert_int_eq(seen.calls, 2);
  ck_assert_int_eq(seen.kind, CTORCH_WARNING_USER);
}
END_TEST

START_TEST(without_a_callback_it_is_printed) {
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_assert_ptr_nonnull(strstr(printed_by(warn), "mind the gap"));
  set_callback(record);
  ck_assert_str_eq(printed_by(warn), "");
  ck_assert_int_eq(seen.calls, 1);
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_assert_int_eq(seen.destroyed, 1);
  ck_assert_ptr_nonnull(strstr(printed_by(warn), "mind the gap"));
  ck_assert_int_eq(seen.calls, 1);
}
END_TEST

START_TEST(a_payload_is_destroyed_once_when_it_is_replaced) {
  set_callback(record);
  ck_ok(ctorch_warning_set_callback(record, count_destruction, &seen));
  ck_assert_int_eq(seen.destroyed, 1);
  ck_ok(ctorch_warning_set_callback(record, NULL, NULL));
  ck_assert_int_eq(seen.destroyed, 2);
  warn();
  ck_assert_ptr_null(seen.payload);
  ck_ok(ctorch_warning_set_callback(NULL, count_destruction, &seen)); /* nothing to keep */
  ck_assert_int_eq(seen.destroyed, 2);
}
END_TEST

static void *warns(void *unused) {
  (void)unused;
  warn();
  operator_warns();
  return NULL;
}

START_TEST(the_callback_hears_every_thread) {
  pthread_t thread;
  set_callback(record);
  for (int i = 1; i <= 3; i++) {
    ck_assert_int_eq(pthread_create(&thread, NULL, warns, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(seen.calls, 2 * i);
  }
}
END_TEST

/** A payload of its own memory, which its destruction frees. */
static atomic_int payloads_made, payloads_destroyed, wrong_payloads;
enum { ALIVE = 0x600D };

static ctorch_callback_status look_at_payload(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind, (void)message, (void)file, (void)function, (void)line, (void)error;
  atomic_fetch_add(&wrong_payloads, *(const int *)payload != ALIVE);
  return OK;
}

static void free_payload(void *payload) {
  *(int *)payload = 0;
  free(payload);
  atomic_fetch_add(&payloads_destroyed, 1);
}

static atomic_bool warns_no_more;

static void *warns_until_told(void *nothing) {
  while (!atomic_load(&warns_no_more)) {
    warn();
  }
  return nothing;
}

START_TEST(the_callback_may_be_replaced_while_threads_warn) {
  enum { TIMES = 20000 };
  pthread_t threads[2];
  atomic_store(&warns_no_more, false);
  for (int i = -2; i < TIMES; i++) {
    int *payload = malloc(sizeof *payload);
    ck_assert_ptr_nonnull(payload);
    *payload = ALIVE;
    atomic_fetch_add(&payloads_made, 1);
    ck_ok(ctorch_warning_set_callback(look_at_payload, free_payload, payload));
    if (i < 0) {
      ck_assert_int_eq(pthread_create(&threads[i + 2], NULL, warns_until_told, NULL), 0);
    }
  }
  atomic_store(&warns_no_more, true);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_assert_int_eq(payloads_destroyed, payloads_made);
  ck_assert_int_eq(wrong_payloads, 0);
}
END_TEST

static ctorch_callback_status fails_with_an_error(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  record(kind, message, file, function, line, error, payload);
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "the disk is full"));
  return 0;
}

static ctorch_callback_status fails_without_an_error(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  record(kind, message, file, function, line, error, payload);
  return -7;
}

START_TEST(what_a_callback_fails_with_is_printed_behind_the_warning) {
  set_callback(fails_with_an_error);
  const char *text = printed_by(operator_warns);
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_ptr_nonnull(strstr(text, "put_ does not have a deterministic implementation"));
  ck_assert_ptr_nonnull(strstr(text, "the callback of warnings failed: the disk is full"));
  set_callback(fails_without_an_error);
  text = printed_by(operator_warns);
  ck_assert_ptr_nonnull(strstr(text, "put_ does not have a deterministic implementation"));
  ck_assert_ptr_nonnull(strstr(text, "answered -7 without an error"));
}
END_TEST

static ctorch_callback_status warns_again(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  record(kind, message, file, function, line, error, payload);
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "from within"));
  return OK;
}

START_TEST(what_a_callback_warns_of_is_printed) {
  set_callback(warns_again);
  ck_assert_ptr_nonnull(strstr(printed_by(warn), "from within"));
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_ptr_nonnull(strstr(printed_by(warn), "from within")); /* and it is called again */
  ck_assert_int_eq(seen.calls, 2);
}
END_TEST

static ctorch_callback_status removes_itself(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_assert_int_eq(seen.destroyed, 0); /* it still runs */
  return record(kind, message, file, function, line, error, payload);
}

START_TEST(a_callback_may_remove_itself) {
  set_callback(removes_itself);
  warn();
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_int_eq(seen.destroyed, 1);
  ck_assert_ptr_nonnull(strstr(printed_by(warn), "mind the gap"));
}
END_TEST

START_TEST(warnings_are_collected_with_their_number) {
  ctorch_warnings *warnings = NULL;
  set_callback(record);
  ck_ok(ctorch_warnings_push());
  warn();
  operator_warns();
  warn();
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_DEPRECATION, "mind the gap"));
  warn();
  ck_ok(ctorch_warnings_pop(&warnings));
  ck_assert_int_eq(seen.calls, 0);
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 3);
  ck_assert_str_eq(ctorch_warnings_message(warnings, 0), "mind the gap");
  ck_assert_uint_eq(ctorch_warnings_count(warnings, 0), 3);
  ck_assert_int_eq(ctorch_warnings_kind(warnings, 0), CTORCH_WARNING_USER);
  ck_assert_ptr_nonnull(strstr(ctorch_warnings_message(warnings, 1), "put_ does not have"));
  ck_assert_ptr_nonnull(strstr(ctorch_warnings_file(warnings, 1), "Context.cpp"));
  ck_assert_str_eq(ctorch_warnings_function(warnings, 1), "alertNotDeterministic");
  ck_assert_uint_gt(ctorch_warnings_line(warnings, 1), 0);
  ck_assert_uint_eq(ctorch_warnings_count(warnings, 1), 1);
  ck_assert_int_eq(ctorch_warnings_kind(warnings, 2), CTORCH_WARNING_DEPRECATION);
  ck_assert_uint_eq(ctorch_warnings_count(warnings, 2), 1);
  ctorch_warnings_retain(warnings);
  ctorch_warnings_release(warnings);
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 3);
  ctorch_warnings_release(warnings);
  warn();
  ck_assert_int_eq(seen.calls, 1);
}
END_TEST

START_TEST(collecting_nests) {
  ctorch_warnings *outer = NULL, *inner = NULL;
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "one"));
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "two"));
  ck_ok(ctorch_warnings_pop(&inner));
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "three"));
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "four"));
  ck_ok(ctorch_warnings_pop(NULL)); /* forgotten */
  ck_ok(ctorch_warnings_pop(&outer));
  ck_assert_uint_eq(ctorch_warnings_len(inner), 1);
  ck_assert_str_eq(ctorch_warnings_message(inner, 0), "two");
  ck_assert_uint_eq(ctorch_warnings_len(outer), 2);
  ck_assert_str_eq(ctorch_warnings_message(outer, 0), "one");
  ck_assert_str_eq(ctorch_warnings_message(outer, 1), "three");
  ctorch_warnings_release(inner);
  ctorch_warnings_release(outer);
  ctorch_warnings *none = NULL;
  ck_fails(ctorch_warnings_pop(&none), CTORCH_ERROR_RUNTIME, "no collecting of warnings was pushed on this thread");
  ck_assert_ptr_null(none);
}
END_TEST

static void *collects_and_ends(void *unused) {
  (void)unused;
  ck_fails(ctorch_warnings_pop(NULL), CTORCH_ERROR_RUNTIME, "on this thread");
  warn();
  ck_assert_int_eq(seen.calls, 1); /* not collected by the other thread */
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_warnings_push());
  warn();
  return NULL; /* and the thread ends */
}

START_TEST(collecting_belongs_to_its_thread) {
  pthread_t thread;
  ctorch_warnings *warnings = NULL;
  set_callback(record);
  ck_ok(ctorch_warnings_push());
  ck_assert_int_eq(pthread_create(&thread, NULL, collects_and_ends, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_ok(ctorch_warnings_pop(&warnings));
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 0);
  ck_assert_int_eq(seen.calls, 1);
  ctorch_warnings_release(warnings);
}
END_TEST

static pthread_key_t key;

static void warn_at_the_end(void *nothing) {
  (void)nothing;
  warn();
}

static void *leaves_two_open(void *nothing) {
  ck_assert_int_eq(pthread_setspecific(key, &key), 0);
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_warnings_push());
  warn();
  return nothing;
}

START_TEST(a_thread_that_leaves_two_open_warns_as_before) {
  pthread_t thread;
  set_callback(record);
  ck_assert_int_eq(pthread_key_create(&key, warn_at_the_end), 0);
  ck_assert_int_eq(pthread_create(&thread, NULL, leaves_two_open, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_int_eq(seen.calls, 1); /* after both collectors have gone with the thread */
}
END_TEST

static ctorch_callback_status hook_warns(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)out, (void)grad, (void)error, (void)payload;
  warn();
  return OK;
}

START_TEST(warnings_of_backward_arrive_on_its_thread) {
  ctorch_scope *scope = NULL;
  ctorch_warnings *warnings = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 3), *y = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_tensor_register_hook(NULL, x, hook_warns, NULL, NULL));
  ck_ok(ctorch_aten_mul_Tensor(&y, x, x));
  set_callback(record);
  ck_ok(ctorch_tensor_backward(y, NULL, CTORCH_SOME(bool, true), false));
  ck_assert_int_eq(seen.calls, 1);
  ck_ok(ctorch_warnings_push());
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ck_ok(ctorch_warnings_pop(&warnings));
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 1);
  ck_assert_str_eq(ctorch_warnings_message(warnings, 0), "mind the gap");
  ctorch_scope_end(scope);
}
END_TEST

static void make_a_sparse_tensor(void) {
  ctorch_tensor *rows = ints(CTORCH_INTS(2), 0, 1), *columns = ints(CTORCH_INTS(1), 0),
                *one = floats(CTORCH_INTS(1), 1);
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten__sparse_csr_tensor_unsafe(&out, rows, columns, one, CTORCH_INTS(1, 1), NULL, NULL, NULL, NULL));
}

START_TEST(some_is_said_once_unless_it_is_said_always) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  set_callback(record);
  make_a_sparse_tensor();
  const int at_first = seen.calls; /* another test may have been there before */
  make_a_sparse_tensor();
  ck_assert_int_eq(seen.calls, at_first);
  ck_assert(!ctorch_warning_always());
  ck_ok(ctorch_warning_set_always(true));
  ck_assert(ctorch_warning_always());
  for (int i = 1; i <= 3; i++) {
    make_a_sparse_tensor();
    ck_assert_int_eq(seen.calls, at_first + i);
    ck_assert_ptr_nonnull(strstr(seen.message, "Sparse CSR tensor support is in beta state"));
  }
  ck_ok(ctorch_warning_set_always(false));
  make_a_sparse_tensor();
  ck_assert_int_eq(seen.calls, at_first + 3);
  ck_assert(!ctorch_warning_always());
  ctorch_scope_end(scope);
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  static const ctorch_warning_kind unknown[] = {-1, 2, INT32_MIN, INT32_MAX};
  ctorch_warnings *warnings = NULL;
  ck_ok(ctorch_warnings_push());
  for (int i = 0; i < 4; i++) {
    ck_fails(ctorch_warning_emit(unknown[i], "text"), CTORCH_ERROR_INVALID_ARGUMENT, "kind");
  }
  ck_fails(ctorch_warning_emit(CTORCH_WARNING_USER, NULL), CTORCH_ERROR_NULL_ARGUMENT, "message");
  ck_fails(ctorch_warning_emit(CTORCH_WARNING_USER, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "message");
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, ""));
  ck_ok(ctorch_warnings_pop(&warnings));
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 1);
  static const size_t beyond[] = {1, 2, SIZE_MAX};
  for (int i = 0; i < 6; i++) {
    const ctorch_warnings *self = i < 3 ? warnings : NULL;
    ck_assert_int_eq(ctorch_warnings_kind(self, beyond[i % 3]), -1);
    ck_assert_str_eq(ctorch_warnings_message(self, beyond[i % 3]), "");
    ck_assert_str_eq(ctorch_warnings_file(self, beyond[i % 3]), "");
    ck_assert_str_eq(ctorch_warnings_function(self, beyond[i % 3]), "");
    ck_assert_uint_eq(ctorch_warnings_line(self, beyond[i % 3]), 0);
    ck_assert_uint_eq(ctorch_warnings_count(self, beyond[i % 3]), 0);
  }
  ck_assert_uint_eq(ctorch_warnings_len(NULL), 0);
  ctorch_warnings_release(warnings);
  ctorch_warnings_retain(NULL);
  ctorch_warnings_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("warning");
  ck_case(suite, the_callback_hears_an_operator);
  ck_case(suite, the_callback_hears_a_programs_own_warnings);
  ck_case(suite, without_a_callback_it_is_printed);
  ck_case(suite, a_payload_is_destroyed_once_when_it_is_replaced);
  ck_case(suite, the_callback_hears_every_thread);
  ck_case(suite, the_callback_may_be_replaced_while_threads_warn);
  ck_case(suite, what_a_callback_fails_with_is_printed_behind_the_warning);
  ck_case(suite, what_a_callback_warns_of_is_printed);
  ck_case(suite, a_callback_may_remove_itself);
  ck_case(suite, warnings_are_collected_with_their_number);
  ck_case(suite, collecting_nests);
  ck_case(suite, collecting_belongs_to_its_thread);
  ck_case(suite, warnings_of_backward_arrive_on_its_thread);
  ck_case(suite, some_is_said_once_unless_it_is_said_always);
  ck_case(suite, bad_arguments_are_refused);
  ck_case(suite, a_thread_that_leaves_two_open_warns_as_before);
  return ck_main(suite);
}
