/* Counting handles. ctorch reads CTORCH_DEBUG_HANDLES when it is loaded, so this program runs itself again with it:
 *
 *     check_debug            checks that counting is off, then executes itself with the variable set
 *     check_debug leak       with the variable set: leaves a tensor behind and exits
 *     check_debug scope      the same: leaves a scope open
 *     check_debug references the same: leaves a scope open that has one tensor many times */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/self.h"
#include "harness/values.h"

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
  ck_reported(report(), "tensor made by ctorch_aten_neg, called from the_caller_is_named");
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

/* Use of what is no more ------------------------------------------------------------------------------------------ */

/** What a function writes to standard error. */
static const char *said(void (*function)(void *), void *argument) {
  static char text[4096];
  FILE *file = tmpfile();
  const int original = dup(STDERR_FILENO);
  ck_assert(file != NULL && original >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
  function(argument);
  fflush(stderr);
  ck_assert_int_ge(dup2(original, STDERR_FILENO), 0);
  close(original);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static __attribute__((noinline)) ctorch_tensor *made_here(void) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  ck_assert_ptr_nonnull(x);
  return x;
}

static __attribute__((noinline)) void released_here(ctorch_tensor *x) {
  ctorch_tensor_release(x);
  ck_assert_ptr_nonnull(x);
}

static void release_tensor(void *x) { ctorch_tensor_release(x); }
static void release_list(void *x) { ctorch_tensor_list_release(x); }
static void release_storage(void *x) { ctorch_storage_release(x); }
static void release_generator(void *x) { ctorch_generator_release(x); }
static void release_string(void *x) { ctorch_string_release(x); }
static void release_error(void *x) { ctorch_error_release(x); }
static void release_value(void *x) { ctorch_value_release(x); }
static void retain_tensor(void *x) { ctorch_tensor_retain(x); }
static void retain_value(void *x) { ctorch_value_retain(x); }
static void end_scope(void *x) { ctorch_scope_end(x); }

#define INVALID CTORCH_ERROR_INVALID_HANDLE

START_TEST(a_released_tensor_is_refused_with_where_it_was_made_and_released) {
  ctorch_tensor *x = made_here(), *y = made_here(), *out = NULL;
  released_here(x);
  ctorch_error *error = ctorch_aten_add_Tensor(&out, y, x, NULL);
  ck_assert_ptr_null(out);
  ck_assert_int_eq(ctorch_error_kind_of(error), INVALID);
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_aten_add_Tensor");
  const char *message = ctorch_error_message(error);
  ck_reported(message, "other: this tensor was released: made by ctorch_aten_ones, called from made_here+0x");
  ck_reported(message, "; released by ctorch_tensor_release, called from released_here+0x");
  ck_assert_ptr_null(strchr(message, '\n'));
  ctorch_error_release(error);
  ck_fails(ctorch_aten_add__Tensor(x, y, NULL), INVALID, "self: this tensor was released");
  ck_fails(ctorch_aten_add__Tensor(y, x, NULL), INVALID, "other: this tensor was released");
  ck_fails(ctorch_aten_add_out(y, y, NULL, x), INVALID, "out: this tensor was released");
  ck_fails(ctorch_aten_cat(&out, CTORCH_TENSORS(y, x), 0), INVALID, "tensors[1]: this tensor was released");
  ck_fails(ctorch_aten_linear(&out, y, y, x), INVALID, "bias: this tensor was released");
  ck_fails(ctorch_aten_index_Tensor(&out, y, CTORCH_TENSORS(x)), INVALID, "indices[0]: this tensor was released");
  ck_fails(ctorch_tensor_backward(x, NULL, NULL, false), INVALID, "this tensor was released");
  ck_fails(ctorch_tensor_set_requires_grad(x, true), INVALID, "this tensor was released");
  ck_fails(ctorch_tensor_copy_to_buffer(x, NULL, 0, CTORCH_DTYPE_FLOAT32), INVALID, "this tensor was released");
  ctorch_tensor_list *list = NULL;
  ck_fails(ctorch_tensor_list_new(&list, CTORCH_TENSORS(y, x)), INVALID, "tensors[1]: this tensor was released");
  ctorch_tensor_release(y);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

/** LuaJIT switches that off, for one: then nothing that looks like a place is told. */
START_TEST(without_noted_stacks_no_place_is_named) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_debug_set_error_backtraces(false));
  ctorch_tensor *x = made_here();
  ck_assert_str_eq(report(), "tensor made by a call of which no stack was noted\n");
  ck_ok(ctorch_debug_set_error_backtraces(true));
  released_here(x);
  ck_fails(
      ctorch_aten_neg(&out, x), INVALID,
      "made by a call of which no stack was noted; released by ctorch_tensor_release, called from released_here+0x");
}
END_TEST

START_TEST(a_tensor_of_a_scope_that_has_ended_is_refused) {
  ctorch_scope *scope = NULL;
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = made_here();
  ctorch_scope_end(scope);
  ck_fails(ctorch_aten_neg(&out, x), INVALID, "released by ctorch_scope_end");
  ck_fails(ctorch_scope_keep(NULL, x), INVALID, "this tensor was released");
}
END_TEST

START_TEST(what_was_released_and_lives_on_is_not_refused) {
  ctorch_tensor *x = made_here(), *square = NULL, *found = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_aten_mul_Tensor(&square, x, x));
  released_here(x); /* the graph has it */
  ck_ok(ctorch_aten_neg(&found, x));
  ctorch_tensor_release(found);
  ck_assert_str_eq(said(retain_tensor, x), "");
  ctorch_tensor_release(x);
  ctorch_tensor_release(square);
  ck_fails(ctorch_aten_neg(&found, x), INVALID, "this tensor was released");
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(handles_that_nobody_made_are_not_refused) {
  ctorch_tensor *x = made_here(), *out = NULL;
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten_split_Tensor(&list, x, 1, 0));
  ck_ok(ctorch_aten_neg(&out, ctorch_tensor_list_data(list)[1]));
  ctorch_tensor_release(out);
  const ctorch_tensor *element = ctorch_tensor_list_data(list)[1];
  ctorch_tensor_list_release(list);
  ck_fails(ctorch_aten_neg(&out, element), INVALID, "released by ctorch_tensor_list_release");
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(a_second_release_is_told_and_does_nothing) {
  ctorch_tensor *x = made_here(), *alias = NULL;
  released_here(x);
  const char *text = said(release_tensor, x);
  ck_reported(text, "ctorch: ctorch_tensor_release, called from ");
  ck_reported(text, "this tensor was released: made by ctorch_aten_ones, called from made_here+0x");
  ck_reported(text, "; released by ctorch_tensor_release, called from released_here+0x");
  ck_assert_int_eq(lines_of(text), 1);

  x = made_here();
  ck_ok(ctorch_aten_view(&alias, x, CTORCH_INTS(2)));
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_tensor *square = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&square, x, x));
  released_here(x);
  ck_reported(said(release_tensor, x), "this tensor was released"); /* the reference that is left is the graph's */
  ck_ok(ctorch_tensor_backward(square, alias, NULL, false));
  ctorch_tensor_release(alias);
  ctorch_tensor_release(square);

  ck_reported(said(retain_tensor, x), "this tensor was released");
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(a_second_release_of_any_kind_is_told) {
  ctorch_tensor *x = made_here();
  ctorch_tensor_list *list = NULL;
  ctorch_storage *storage = NULL;
  ctorch_generator *generator = NULL;
  ctorch_string *string = NULL;
  ctorch_value *value = NULL;
  ctorch_scope *scope = NULL;
  ctorch_error *error = NULL;
  void *data = NULL;
  uint64_t seed = 0;
  int64_t number = 0;
  ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(x)));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_generator_new(&generator, NULL));
  ck_ok(ctorch_tensor_repr(&string, x, NULL, NULL, NULL, NULL, NULL));
  ck_ok(ctorch_value_from_int(&value, 7));
  ck_ok(ctorch_error_new(&error, CTORCH_ERROR_IO, "mine"));
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_scope_end(scope);
  ctorch_tensor_release(x);
  ctorch_tensor_list_release(list);
  ctorch_storage_release(storage);
  ctorch_generator_release(generator);
  ctorch_string_release(string);
  ctorch_value_release(value);
  ctorch_error_release(error);
  ck_reported(said(release_list, list), "this tensor_list was released");
  ck_reported(said(release_storage, storage), "this storage was released");
  ck_reported(said(release_generator, generator), "this generator was released");
  ck_reported(said(release_string, string), "this string was released");
  ck_reported(said(release_value, value), "this value was released");
  ck_reported(said(release_error, error), "this error was released");
  ck_reported(said(end_scope, scope), "this scope was released: made by ctorch_scope_begin");
  ck_reported(said(retain_value, value), "this value was released");
  ck_fails(ctorch_tensor_list_get(&x, list, 0), INVALID, "self: this tensor_list was released");
  ck_fails(ctorch_storage_data(&data, storage), INVALID, "self: this storage was released");
  ck_fails(ctorch_generator_initial_seed(&seed, generator), INVALID, "self: this generator was released");
  ck_fails(ctorch_aten_rand_generator(&x, CTORCH_INTS(1), generator, NULL, NULL, NULL, NULL), INVALID, "generator: ");
  ck_fails(ctorch_value_to_int(&number, value), INVALID, "self: this value was released");
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);

  /* Accessors, which cannot fail, have nothing to tell. */
  ck_assert_uint_eq(ctorch_tensor_list_len(list), 0);
  ck_assert_ptr_null(ctorch_tensor_list_data(list));
  ck_assert_str_eq(ctorch_string_data(string), "");
  ck_assert_int_eq(ctorch_value_kind_of(value), CTORCH_VALUE_NONE);
  ck_assert_uint_ge(ctorch_storage_nbytes(storage), 0);
  ck_assert_ptr_nonnull(ctorch_error_message(error));
  ck_assert_ptr_nonnull(ctorch_error_trace(error));
}
END_TEST

START_TEST(accessors_of_a_released_tensor_do_not_crash) {
  ctorch_tensor *x = made_here();
  released_here(x);
  ck_assert_int_eq(ctorch_tensor_ndim(x), 1);
  ck_assert_int_eq(ctorch_tensor_numel(x), 2);
  ck_assert_ptr_nonnull(ctorch_tensor_sizes(x));
  ck_assert_ptr_nonnull(ctorch_tensor_strides(x));
  ck_assert_int_eq(ctorch_tensor_storage_offset(x), 0);
  ck_assert_int_eq(ctorch_tensor_dtype(x), CTORCH_DTYPE_FLOAT32);
  ck_assert_int_eq(ctorch_tensor_itemsize(x), 4);
  ck_assert_int_eq(ctorch_tensor_layout(x), CTORCH_LAYOUT_STRIDED);
  ck_assert_int_eq(ctorch_tensor_device_type(x), CTORCH_DEVICE_TYPE_CPU);
  ck_assert(ctorch_tensor_defined(x) && ctorch_tensor_is_contiguous(x));
  ck_assert(!ctorch_tensor_is_quantized(x) && !ctorch_tensor_is_nested(x) && !ctorch_tensor_requires_grad(x));
  ck_assert(ctorch_tensor_is_leaf(x) && !ctorch_tensor_is_view(x) && !ctorch_tensor_is_shared(x));
  ck_assert_int_eq(ctorch_tensor_nbytes(x), 8);
  (void)!ctorch_tensor_memory_nbytes(x);
  (void)!ctorch_tensor_suggested_memory_format(x);
}
END_TEST

START_TEST(a_handle_of_another_kind_is_refused) {
  ctorch_tensor *x = made_here(), *out = NULL;
  ctorch_storage *storage = NULL;
  ctorch_value *value = NULL;
  ctorch_index *index = NULL;
  int64_t number = 0;
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_value_from_int(&value, 7));
  ck_ok(ctorch_index_new(&index));
  ck_fails(
      ctorch_aten_neg(&out, (ctorch_tensor *)(void *)storage), INVALID,
      "self: this is a handle of another kind, a storage made by ctorch_storage_from_tensor");
  ck_fails(ctorch_aten_neg(&out, (ctorch_tensor *)(void *)value), INVALID, "a value made by ctorch_value_from_int");
  ck_fails(ctorch_value_to_int(&number, (ctorch_value *)(void *)x), INVALID, "a tensor made by ctorch_aten_ones");
  ck_fails(ctorch_value_to_int(&number, (ctorch_value *)(void *)index), INVALID, "of type ctorch_index");
  ck_reported(said(release_tensor, storage), "this is a handle of another kind, a storage");
  ck_reported(said(release_string, x), "this is a handle of another kind, a tensor");
  ck_assert_int_eq(ctorch_debug_live_handles(), 4);
  ctorch_index_release(index);
  ctorch_value_release(value);
  ctorch_storage_release(storage);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

/** Answers a tensor of a scope that it ends. */
static ctorch_callback_status forgets_to_keep(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  ctorch_tensor *replacement = NULL;
  *error = ctorch_scope_begin(&scope);
  if (*error == NULL) {
    *error = ctorch_aten_neg(&replacement, grad);
    *out = replacement;
  }
  ctorch_scope_end(scope);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

START_TEST(a_callbacks_result_that_was_not_kept_is_refused) {
  ctorch_tensor *x = made_here(), *sum = NULL;
  ctorch_hook *hook = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_tensor_register_hook(&hook, x, forgets_to_keep, NULL, NULL));
  ck_ok(ctorch_aten_sum(&sum, x, NULL));
  ck_fails(
      ctorch_tensor_backward(sum, NULL, NULL, false), INVALID,
      "this tensor was released: made by ctorch_aten_neg, called from forgets_to_keep");
  ctorch_hook_release(hook);
  ctorch_tensor_release(sum);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

static void set_true(void *flag) { *(bool *)flag = true; }

START_TEST(what_a_tensor_holds_goes_with_it_at_once) {
  bool freed = false;
  ctorch_tensor *x = NULL;
  float data[2] = {1, 2};
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, set_true, &freed));
  ctorch_tensor_release(x);
  ck_assert(freed);

  freed = false; /* a sparse tensor holds others */
  ctorch_tensor *sparse = NULL, *rows = ints(CTORCH_INTS(2), 0, 2), *columns = ints(CTORCH_INTS(2), 0, 1);
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, set_true, &freed));
  ck_ok(ctorch_aten_sparse_csr_tensor_crow_col_value_size(
      &sparse, rows, columns, x, CTORCH_INTS(1, 2), NULL, NULL, NULL, NULL));
  ctorch_tensor_release(x);
  ctorch_tensor_release(rows);
  ctorch_tensor_release(columns);
  ck_assert(!freed);
  ctorch_tensor_release(sparse);
  ck_assert(freed);
}
END_TEST

START_TEST(the_quarantine_is_bounded) {
  ctorch_tensor *out = NULL, *first = made_here();
  ctorch_tensor_release(first);
  for (int i = 0; i < 50000; i++) {
    ctorch_tensor_release(made_here());
  }
  ctorch_tensor *last = made_here();
  ctorch_tensor_release(last);
  ck_fails(ctorch_aten_neg(&out, last), INVALID, "released");
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(what_is_discarded_is_no_longer_live) {
  ctorch_scope *scope = NULL;
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = made_here();
  ck_assert_int_eq(ctorch_debug_live_handles(), 2);
  ctorch_scope_discard(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 1);
  ck_fails(ctorch_aten_neg(&out, x), INVALID, "released by ctorch_scope_discard");
  ctorch_scope_end(scope);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

static size_t bytes_in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/** A list whose element is given back while the list has it, then handed out and given back once more. */
static void use_an_element(ctorch_tensor *x) {
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten_split_Tensor(&list, x, 1, 0));
  ctorch_tensor *element = ctorch_tensor_list_mutable_data(list)[0];
  for (int i = 0; i < 2; i++) {
    ctorch_tensor_retain(element);
    ctorch_tensor_release(element);
  }
  ctorch_tensor_list_release(list);
}

static void use_an_error(ctorch_tensor *x) {
  ctorch_error *error = ctorch_aten_view(&x, x, CTORCH_INTS(3));
  ck_assert_ptr_nonnull(error);
  ctorch_error_release(error);
}

static void use_a_string(ctorch_tensor *x) {
  ctorch_string *text = NULL;
  ck_ok(ctorch_tensor_repr(&text, x, NULL, NULL, NULL, NULL, NULL));
  ctorch_string_release(text);
}

static void use_a_value(ctorch_tensor *x) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_value_from_tensor(&value, x));
  ctorch_value_release(value);
}

/** As many as it holds push out as many: the memory in use stays as it is. */
START_TEST(what_leaves_the_quarantine_is_freed) {
  static void (*const uses[])(ctorch_tensor *) = {use_an_element, use_an_error, use_a_string, use_a_value};
  enum { MORE_THAN_IT_HOLDS = 10000 };
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  size_t before = 0;
  for (int i = 0; i < 2 * MORE_THAN_IT_HOLDS; i++) {
    if (i == MORE_THAN_IT_HOLDS) {
      before = bytes_in_use();
    }
    uses[_i](x);
  }
  const size_t after = bytes_in_use(); /* 0 where a tool has replaced the allocator */
  ck_assert_msg(after < before + 30 * MORE_THAN_IT_HOLDS, "%zu bytes for each", (after - before) / MORE_THAN_IT_HOLDS);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

/** Elements of a list, which nobody made: each call looks for them in all that is known. */
static void *uses_elements(void *list) {
  const ctorch_tensor *const *elements = ctorch_tensor_list_data(list);
  for (int i = 0; i < 20000; i++) {
    ctorch_scalar number = {0};
    ck_ok(ctorch_tensor_item(&number, elements[i % 2]));
    if (number.re != i % 2 + 1) {
      return "an element changed";
    }
  }
  return NULL;
}

START_TEST(threads_look_at_handles_that_nobody_made) {
  pthread_t threads[4];
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten_split_Tensor(&list, x, 1, 0));
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, uses_elements, list), 0);
  }
  for (int i = 0; i < 4; i++) {
    void *problem = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &problem), 0);
    ck_assert_msg(problem == NULL, "%s", (const char *)problem);
  }
  ctorch_tensor_list_release(list);
  ctorch_tensor_release(x);
  ck_assert_int_eq(ctorch_debug_live_handles(), 0);
}
END_TEST

START_TEST(the_report_counts_those_of_one_place_together) {
  ctorch_tensor *many[5], *other = floats(CTORCH_INTS(1), 1);
  for (int i = 0; i < 5; i++) {
    many[i] = made_here();
  }
  const char *lines = report();
  ck_assert_int_eq(lines_of(lines), 2);
  ck_assert_ptr_eq(strstr(lines, "tensor made by ctorch_aten_ones, called from made_here+0x"), lines); /* most first */
  ck_reported(lines, "(check_debug), 5 times\n");
  ctorch_tensor_release(other);
  for (int i = 0; i < 5; i++) {
    ctorch_tensor_release(many[i]);
  }
}
END_TEST

static __attribute__((noinline)) ctorch_error *returns_early(int count) {
  ctorch_scope *scope = NULL;
  ctorch_tensor *x = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  for (int i = 0; i < count; i++) {
    CTORCH_TRY(ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  }
  CTORCH_TRY(ctorch_aten_mm(&x, x, x)); /* fails */
  ctorch_scope_end(scope);
  return NULL;
}

static int leave_a_scope(void) {
  ctorch_error_release(returns_early(2000));
  return 0;
}

/** More than the scope looks through one by one, and a handle that is not among them: so it counts them. */
static __attribute__((noinline)) int leave_references(void) {
  ctorch_scope *scope = NULL;
  ctorch_tensor *outside = floats(CTORCH_INTS(1), 1), *x = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  for (int i = 1; i < 100; i++) {
    ctorch_tensor_retain(x);
  }
  ctorch_tensor_release(outside);
  return 0;
}

static __attribute__((noinline)) int leak(void) {
  ctorch_tensor *x = NULL;
  const float one = 1;
  return ctorch_tensor_from_data(&x, &one, sizeof one, CTORCH_INTS(1), CTORCH_DTYPE_FLOAT32) == NULL ? 0 : 1;
}

/** What this program says on standard error when it is run in another way. */
static const char *said_by(const char *way) {
  static char text[8192];
  size_t len = 0;
  int ends[2], status = -1;
  ck_assert_int_eq(pipe(ends), 0);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    char *argv[] = {"check_debug", (char *)way, NULL};
    exec_self(argv);
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
  return text;
}

START_TEST(what_is_left_is_reported_when_the_process_ends) {
  const char *text = said_by("leak");
  ck_reported(text, "ctorch: handles that were not released:\n");
  ck_reported(text, "tensor made by ctorch_tensor_from_data, called from leak+0x");
}
END_TEST

START_TEST(a_scope_that_was_not_ended_is_reported_with_what_it_held) {
  const char *text = said_by("scope");
  ck_reported(
      text, "ctorch: scopes that were not ended:\nscope made by ctorch_scope_begin, called from returns_early+0x");
  ck_reported(text, "tensor made by ctorch_aten_ones, called from returns_early+0x");
  ck_reported(text, ", 2000 times\n");
}
END_TEST

START_TEST(each_reference_that_a_scope_held_is_reported) {
  const char *text = said_by("references");
  ck_reported(text, "ctorch: what they held until their thread ended:\ntensor made by ctorch_tensor_retain");
  ck_reported(text, ", 100 times\n");
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
  ck_case(suite, a_released_tensor_is_refused_with_where_it_was_made_and_released);
  ck_case(suite, without_noted_stacks_no_place_is_named);
  ck_case(suite, a_tensor_of_a_scope_that_has_ended_is_refused);
  ck_case(suite, what_was_released_and_lives_on_is_not_refused);
  ck_case(suite, handles_that_nobody_made_are_not_refused);
  ck_case(suite, a_second_release_is_told_and_does_nothing);
  ck_case(suite, a_second_release_of_any_kind_is_told);
  ck_case(suite, accessors_of_a_released_tensor_do_not_crash);
  ck_case(suite, a_handle_of_another_kind_is_refused);
  ck_case(suite, a_callbacks_result_that_was_not_kept_is_refused);
  ck_case(suite, what_a_tensor_holds_goes_with_it_at_once);
  ck_case(suite, the_quarantine_is_bounded);
  ck_case(suite, the_report_counts_those_of_one_place_together);
  ck_case(suite, what_is_discarded_is_no_longer_live);
  ck_case_loop(suite, what_leaves_the_quarantine_is_freed, 4);
  ck_case(suite, threads_look_at_handles_that_nobody_made);
  ck_case(suite, a_scope_that_was_not_ended_is_reported_with_what_it_held);
  ck_case(suite, each_reference_that_a_scope_held_is_reported);
  ck_case(suite, what_is_left_is_reported_when_the_process_ends);
  return ck_main(suite);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "leak") == 0) {
    return leak();
  }
  if (argc > 1 && strcmp(argv[1], "scope") == 0) {
    return leave_a_scope();
  }
  if (argc > 1 && strcmp(argv[1], "references") == 0) {
    return leave_references();
  }
  const char *value = getenv(VARIABLE);
  if (value != NULL && strcmp(value, "1") == 0) {
    return run_with_the_variable();
  }
  if (unsetenv(VARIABLE) != 0 || run_without_the_variable() != EXIT_SUCCESS || setenv(VARIABLE, "1", 1) != 0) {
    return EXIT_FAILURE;
  }
  exec_self(argv);
  return EXIT_FAILURE;
}
