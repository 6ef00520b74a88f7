/* Errors through the public API: codes, messages, functions, backtraces, and what a failed call leaves behind.
 * The details of shapes, devices, dtypes and memory: check_error_shapes.c and check_error_dtypes.c. */
#include <math.h>
#include <pthread.h>

#include "harness/check.h"

static ctorch_tensor *ones(const int64_t *sizes, size_t sizes_len) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_ones(&out, sizes, sizes_len, NULL, NULL, NULL, NULL));
  return out;
}

/* An error with a typed detail: adding shapes [2] and [3]. */
static ctorch_error *shape_error(void) {
  ctorch_tensor *a = ones(CTORCH_INTS(2)), *b = ones(CTORCH_INTS(3)), *out = NULL;
  ctorch_error *error = ctorch_aten_add_Tensor(&out, a, b, NULL);
  ck_assert_ptr_nonnull(error);
  ctorch_tensor_release(a);
  ctorch_tensor_release(b);
  return error;
}

/* The numbers are the ABI: they are written out here a second time, so that one cannot change by itself. */
static const struct {
  ctorch_error_kind code;
  int32_t number;
  const char *name;
} codes[] = {
    {CTORCH_ERROR_RUNTIME, 1, "RUNTIME"},
    {CTORCH_ERROR_INDEX, 2, "INDEX"},
    {CTORCH_ERROR_VALUE, 3, "VALUE"},
    {CTORCH_ERROR_TYPE, 4, "TYPE"},
    {CTORCH_ERROR_NOT_IMPLEMENTED, 5, "NOT_IMPLEMENTED"},
    {CTORCH_ERROR_LINALG, 6, "LINALG"},
    {CTORCH_ERROR_OUT_OF_MEMORY, 7, "OUT_OF_MEMORY"},
    {CTORCH_ERROR_SYNTAX, 8, "SYNTAX"},
    {CTORCH_ERROR_BUFFER, 9, "BUFFER"},
    {CTORCH_ERROR_ACCELERATOR, 10, "ACCELERATOR"},
    {CTORCH_ERROR_DIST, 11, "DIST"},
    {CTORCH_ERROR_DIST_BACKEND, 12, "DIST_BACKEND"},
    {CTORCH_ERROR_DIST_STORE, 13, "DIST_STORE"},
    {CTORCH_ERROR_DIST_NETWORK, 14, "DIST_NETWORK"},
    {CTORCH_ERROR_DIST_QUEUE_EMPTY, 15, "DIST_QUEUE_EMPTY"},
    {CTORCH_ERROR_SHAPE_MISMATCH, 20, "SHAPE_MISMATCH"},
    {CTORCH_ERROR_DEVICE_MISMATCH, 21, "DEVICE_MISMATCH"},
    {CTORCH_ERROR_DTYPE_MISMATCH, 22, "DTYPE_MISMATCH"},
    {CTORCH_ERROR_NULL_ARGUMENT, 30, "NULL_ARGUMENT"},
    {CTORCH_ERROR_INVALID_ARGUMENT, 31, "INVALID_ARGUMENT"},
    {CTORCH_ERROR_UNSUPPORTED, 32, "UNSUPPORTED"},
    {CTORCH_ERROR_INVALID_HANDLE, 33, "INVALID_HANDLE"},
    {CTORCH_ERROR_IO, 34, "IO"},
    {CTORCH_ERROR_FORMAT, 35, "FORMAT"},
    {CTORCH_ERROR_CALLBACK, 36, "CALLBACK"},
    {CTORCH_ERROR_PYTHON, 37, "PYTHON"},
    {CTORCH_ERROR_STD, 90, "STD"},
    {CTORCH_ERROR_INTERNAL, 91, "INTERNAL"},
    {CTORCH_ERROR_UNKNOWN, 92, "UNKNOWN"},
};
enum { CODES = sizeof codes / sizeof *codes };

START_TEST(every_code_has_its_fixed_number_and_name) {
  for (int i = 0; i < CODES; ++i) {
    ck_assert_int_eq(codes[i].code, codes[i].number);
    ck_assert_str_eq(ctorch_error_kind_name(codes[i].number), codes[i].name);
  }
}
END_TEST

START_TEST(any_other_number_has_no_name) {
  int named = 0;
  for (int32_t code = -1000; code <= 1000; ++code) {
    named += ctorch_error_kind_name(code) != NULL;
  }
  ck_assert_int_eq(named, CODES);
  ck_assert_ptr_null(ctorch_error_kind_name(0));
  ck_assert_ptr_null(ctorch_error_kind_name(INT32_MIN));
  ck_assert_ptr_null(ctorch_error_kind_name(INT32_MAX));
}
END_TEST

START_TEST(an_error_can_be_made_of_every_code) {
  for (int i = 0; i < CODES; ++i) {
    ctorch_error *error = NULL;
    ck_ok(ctorch_error_new(&error, codes[i].number, "größer als Ω 🙂"));
    ck_assert_int_eq(ctorch_error_kind_of(error), codes[i].number);
    ck_assert_str_eq(ctorch_error_message(error), "größer als Ω 🙂");
    ck_assert_str_eq(ctorch_error_function(error), "");
    ctorch_error_release(error);
  }
}
END_TEST

START_TEST(a_made_error_keeps_its_code_whatever_its_text) {
  ctorch_error *error = NULL;
  ck_ok(ctorch_error_new(
      &error, CTORCH_ERROR_RUNTIME, "The size of tensor a (2) must match the size of tensor b (3) at …"));
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_RUNTIME);
  ck_assert(!ctorch_error_expected_shape(error, NULL, NULL));
  ctorch_error_release(error);
}
END_TEST

START_TEST(the_message_of_a_made_error_is_a_copy) {
  char text[] = "before";
  ctorch_error *error = NULL;
  ck_ok(ctorch_error_new(&error, CTORCH_ERROR_IO, text));
  memcpy(text, "after ", sizeof "after ");
  ck_assert_str_eq(ctorch_error_message(error), "before");
  ctorch_error_release(error);
}
END_TEST

START_TEST(bad_arguments_for_a_new_error_are_errors_themselves) {
  ctorch_error *const untouched = (ctorch_error *)&codes;
  ctorch_error *error = untouched;
  ck_call_fails(ctorch_error_new, (NULL, CTORCH_ERROR_IO, "x"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_error_new, (&error, CTORCH_ERROR_IO, NULL), CTORCH_ERROR_NULL_ARGUMENT, "message");
  ck_call_fails(ctorch_error_new, (&error, 0, "x"), CTORCH_ERROR_INVALID_ARGUMENT, "kind");
  ck_call_fails(ctorch_error_new, (&error, -1, "x"), CTORCH_ERROR_INVALID_ARGUMENT, "kind");
  ck_call_fails(ctorch_error_new, (&error, 9999, "x"), CTORCH_ERROR_INVALID_ARGUMENT, "9999");
  ck_assert_ptr_eq(error, untouched);
}
END_TEST

/* RFC 3629: stray and missing continuation bytes, overlong forms, surrogates, beyond U+10FFFF. */
static const char *const not_utf8[] = {
    "\xff", "a\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x99",
};

START_TEST(text_that_is_not_utf8_is_refused) {
  ctorch_error *error = NULL;
  ck_call_fails(ctorch_error_new, (&error, CTORCH_ERROR_IO, not_utf8[_i]), CTORCH_ERROR_INVALID_ARGUMENT, "UTF-8");
  ck_assert_ptr_null(error);
  ctorch_tensor *x = ones(CTORCH_INTS(2, 2)), *out = NULL;
  ck_fails(
      ctorch_aten_einsum(&out, not_utf8[_i], CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_INVALID_ARGUMENT, "equation");
  ck_assert_ptr_null(out);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(null_is_success_and_carries_nothing) {
  const int64_t *const dims = (const int64_t *)&codes;
  const int64_t *out_dims = dims;
  size_t len = 77;
  ctorch_device device = {77, 78};
  ctorch_dtype dtype = 79;
  uint64_t bytes = 80;
  ctorch_error_release(NULL);
  ck_assert_int_eq(ctorch_error_kind_of(NULL), 0);
  ck_assert_str_eq(ctorch_error_message(NULL), "");
  ck_assert_str_eq(ctorch_error_function(NULL), "");
  ck_assert_str_eq(ctorch_error_backtrace(NULL), "");
  ck_assert(!ctorch_error_expected_shape(NULL, &out_dims, &len));
  ck_assert(!ctorch_error_got_shape(NULL, &out_dims, &len));
  ck_assert(!ctorch_error_expected_device(NULL, &device));
  ck_assert(!ctorch_error_got_device(NULL, &device));
  ck_assert(!ctorch_error_expected_dtype(NULL, &dtype));
  ck_assert(!ctorch_error_got_dtype(NULL, &dtype));
  ck_assert(!ctorch_error_requested_bytes(NULL, &bytes));
  ck_assert(!ctorch_error_available_bytes(NULL, &bytes));
  ck_assert_ptr_eq(out_dims, dims);
  ck_assert_uint_eq(len, 77);
  ck_assert_int_eq(device.type, 77);
  ck_assert_int_eq(device.index, 78);
  ck_assert_int_eq(dtype, 79);
  ck_assert_uint_eq(bytes, 80);
}
END_TEST

START_TEST(an_error_carries_only_the_details_of_its_kind) {
  ctorch_error *error = shape_error();
  ctorch_device device = {77, 78};
  ctorch_dtype dtype = 79;
  uint64_t bytes = 80;
  const int64_t *dims = NULL;
  size_t len = 0;
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_SHAPE_MISMATCH);
  ck_assert(ctorch_error_expected_shape(error, NULL, NULL));
  ck_assert(ctorch_error_expected_shape(error, &dims, &len));
  ck_assert_uint_eq(len, 1);
  ck_assert_int_eq(dims[0], 2);
  ck_assert(ctorch_error_got_shape(error, NULL, NULL));
  ck_assert(ctorch_error_got_shape(error, &dims, &len));
  ck_assert_uint_eq(len, 1);
  ck_assert_int_eq(dims[0], 3);
  ck_assert(!ctorch_error_expected_device(error, &device));
  ck_assert(!ctorch_error_got_device(error, &device));
  ck_assert(!ctorch_error_expected_dtype(error, &dtype));
  ck_assert(!ctorch_error_got_dtype(error, &dtype));
  ck_assert(!ctorch_error_requested_bytes(error, &bytes));
  ck_assert(!ctorch_error_available_bytes(error, &bytes));
  ck_assert_int_eq(device.type, 77);
  ck_assert_int_eq(dtype, 79);
  ck_assert_uint_eq(bytes, 80);
  ctorch_error_release(error);
}
END_TEST

/* Messages as Python PyTorch 2.13 gives them for the same call. */
START_TEST(the_message_is_exactly_pytorchs) {
  ctorch_error *error = shape_error();
  ck_assert_str_eq(
      ctorch_error_message(error),
      "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
  ctorch_error_release(error);
  ctorch_tensor *x = ones(CTORCH_INTS(2, 3)), *y = ones(CTORCH_INTS(4, 5)), *out = NULL;
  error = ctorch_aten_mm(&out, x, y);
  const char *expected = ck_torch_at_least(2, 15) ? "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
                                                  : "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)";
  ck_assert_str_eq(ctorch_error_message(error), expected);
  ctorch_error_release(error);
  error = ctorch_aten_select_int(&out, x, 0, 7);
  ck_assert_str_eq(
      ctorch_error_message(error), "select(): index 7 out of range for tensor of size [2, 3] at dimension 0");
  ctorch_error_release(error);
  error = ctorch_aten_linalg_inv(&out, x);
  ck_assert_str_eq(
      ctorch_error_message(error), "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices");
  ctorch_error_release(error);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
}
END_TEST

START_TEST(each_kind_of_pytorch_error_has_its_code) {
  ctorch_tensor *x = ones(CTORCH_INTS(2, 3)), *zero = NULL, *mask = NULL, *out = NULL;
  const ctorch_dtype boolean = CTORCH_DTYPE_BOOL;
  ck_ok(ctorch_aten_zeros(&zero, CTORCH_INTS(2, 2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_ones(&mask, CTORCH_INTS(2), &boolean, NULL, NULL, NULL));

  ck_fails(ctorch_aten_chunk(&(ctorch_tensor_list *){NULL}, x, 0, 0), CTORCH_ERROR_RUNTIME, "`chunks`");
  ck_fails(ctorch_aten_transpose_int(&out, x, 0, 4), CTORCH_ERROR_INDEX, "Dimension out of range");
  if (ck_torch_at_least(2, 12)) {
    ck_fails(ctorch_aten__scaled_mm(&out, x, x, x, x, NULL, NULL, NULL, false), CTORCH_ERROR_VALUE, "Invalid scaling");
  }
  ck_fails(
      ctorch_aten_bitwise_and_Tensor(&out, x, x),
      ck_torch_at_least(2, 8) ? CTORCH_ERROR_NOT_IMPLEMENTED : CTORCH_ERROR_RUNTIME, "not implemented for 'Float'");
  ck_fails(ctorch_aten_linalg_inv(&out, zero), CTORCH_ERROR_LINALG, "singular");
  ck_fails(
      ctorch_aten_sub_Tensor(&out, mask, mask, NULL),
      ck_torch_at_least(2, 14) ? CTORCH_ERROR_NOT_IMPLEMENTED : CTORCH_ERROR_RUNTIME, "two bool tensors");
  ck_assert_ptr_null(out);

  ctorch_tensor_release(x);
  ctorch_tensor_release(zero);
  ctorch_tensor_release(mask);
}
END_TEST

START_TEST(a_missing_argument_is_named_with_its_function) {
  ctorch_tensor *x = ones(CTORCH_INTS(2)), *out = NULL;
  ck_call_fails(ctorch_aten_add_Tensor, (NULL, x, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_aten_add_Tensor, (&out, NULL, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_aten_add_Tensor, (&out, x, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "other");
  ctorch_error *error = ctorch_aten_mul_Scalar(&out, x, NULL);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_NULL_ARGUMENT);
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_aten_mul_Scalar");
  ck_assert_str_eq(ctorch_error_message(error), "other must not be NULL"); /* not the function a second time */
  ctorch_error_release(error);
  ck_fails(ctorch_aten_einsum(&out, NULL, CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "equation");
  ck_fails(ctorch_aten_view(&out, x, NULL, 2), CTORCH_ERROR_NULL_ARGUMENT, "size");
  ck_fails(ctorch_aten_cat(&out, CTORCH_TENSORS(x, NULL), 0), CTORCH_ERROR_NULL_ARGUMENT, "tensors[1]");
  ck_assert_ptr_null(out);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(an_unknown_number_of_an_enumeration_is_invalid) {
  ctorch_tensor *out = NULL;
  const ctorch_dtype bad[] = {-1, 9999};
  for (int i = 0; i < 2; ++i) {
    const ctorch_device device = {bad[i], -1};
    const ctorch_scalar scalar = {bad[i], 0, 0, 0.0, 0.0};
    ck_fails(ctorch_aten_ones(&out, CTORCH_INTS(2), &bad[i], NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
    ck_fails(
        ctorch_aten_ones(&out, CTORCH_INTS(2), NULL, &bad[i], NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "layout");
    ck_fails(
        ctorch_aten_ones(&out, CTORCH_INTS(2), NULL, NULL, &device, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(
        ctorch_aten_full(&out, CTORCH_INTS(2), &scalar, NULL, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
        "fill_value");
  }
  ck_assert_ptr_null(out);
}
END_TEST

START_TEST(an_error_names_the_function_that_failed) {
  ctorch_error *error = shape_error();
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_aten_add_Tensor");
  ctorch_error_release(error);
  error = ctorch_tensor_item(NULL, NULL);
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_tensor_item");
  ctorch_error_release(error);
}
END_TEST

START_TEST(a_failed_call_leaves_its_outputs_untouched) {
  ctorch_tensor *x = ones(CTORCH_INTS(2, 3));
  ctorch_tensor *const untouched = (ctorch_tensor *)&codes;
  ctorch_tensor *out = untouched, *out1 = untouched;
  ctorch_tensor_list *const untouched_list = (ctorch_tensor_list *)&codes;
  ctorch_tensor_list *list = untouched_list;
  double number = 12.5;
  ck_fails(ctorch_aten_linalg_inv(&out, x), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_aten_max_dim(&out, &out1, x, 9, false), CTORCH_ERROR_INDEX, NULL);
  ck_fails(ctorch_aten_max_dim(&out, NULL, x, 0, false), CTORCH_ERROR_NULL_ARGUMENT, "out_indices");
  ck_fails(ctorch_aten_split_with_sizes(&list, x, CTORCH_INTS(7), 0), CTORCH_ERROR_SHAPE_MISMATCH, NULL);
  ck_fails(ctorch_tensor_item_double(&number, x), CTORCH_ERROR_RUNTIME, NULL);
  ck_assert_ptr_eq(out, untouched);
  ck_assert_ptr_eq(out1, untouched);
  ck_assert_ptr_eq(list, untouched_list);
  ck_assert_double_eq(number, 12.5);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(an_error_outlives_the_scope_it_was_made_in) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = ones(CTORCH_INTS(2)), *y = ones(CTORCH_INTS(3)), *out = NULL;
  ctorch_error *error = ctorch_aten_add_Tensor(&out, x, y, NULL);
  ctorch_error *made = NULL;
  ck_ok(ctorch_error_new(&made, CTORCH_ERROR_IO, "made in a scope"));
  ctorch_scope_end(scope);
  const int64_t *dims = NULL;
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_SHAPE_MISMATCH);
  ck_assert(ctorch_error_got_shape(error, &dims, NULL));
  ck_assert_int_eq(dims[0], 3);
  ck_assert_str_eq(ctorch_error_message(made), "made in a scope");
  ctorch_error_release(error);
  ctorch_error_release(made);
}
END_TEST

START_TEST(the_backtrace_has_symbol_names_and_stays_where_it_is) {
  ctorch_error *error = shape_error();
  const char *backtrace = ctorch_error_backtrace(error);
  ck_assert_msg(
      strstr(backtrace, "at::") != NULL || strstr(backtrace, "c10::") != NULL, "no symbol of LibTorch in: %s",
      backtrace);
  ck_assert_ptr_nonnull(strstr(backtrace, "ctorch_aten_add_Tensor"));
  ck_assert_ptr_eq(ctorch_error_backtrace(error), backtrace);
  ck_assert_ptr_null(strstr(ctorch_error_message(error), "frame"));
  ctorch_error_release(error);
}
END_TEST

START_TEST(errors_need_not_note_the_stack) {
  ck_assert(ctorch_debug_error_backtraces());
  ctorch_error *before = shape_error();
  ck_ok(ctorch_debug_set_error_backtraces(false));
  ck_assert(!ctorch_debug_error_backtraces());
  ctorch_error *error = shape_error();
  ck_assert_ptr_null(strstr(ctorch_error_backtrace(error), "frame"));
  ck_assert_str_eq(ctorch_error_message(error), ctorch_error_message(before));
  ck_assert_ptr_nonnull(strstr(ctorch_error_backtrace(before), "ctorch_aten_add_Tensor"));
  ctorch_error_release(error);
  ctorch_error_release(before);
  ck_ok(ctorch_debug_set_error_backtraces(true));
  error = shape_error();
  ck_assert_ptr_nonnull(strstr(ctorch_error_backtrace(error), "ctorch_aten_add_Tensor"));
  ctorch_error_release(error);
}
END_TEST

static void *ask_for_backtrace(void *error) { return (void *)(uintptr_t)ctorch_error_backtrace(error); }

START_TEST(two_threads_that_ask_for_the_backtrace_get_the_same_text) {
  ctorch_error *error = shape_error();
  pthread_t threads[2];
  void *texts[2] = {NULL, NULL};
  for (int i = 0; i < 2; ++i) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_for_backtrace, error), 0);
  }
  for (int i = 0; i < 2; ++i) {
    ck_assert_int_eq(pthread_join(threads[i], &texts[i]), 0);
  }
  ck_assert_ptr_eq(texts[0], texts[1]);
  ck_assert_uint_gt(strlen(texts[0]), 0);
  ctorch_error_release(error);
}
END_TEST

/** Not inlined, and not exported: its name stands in the program's own table of symbols alone. */
static __attribute__((noinline)) ctorch_error *refused_in_here(void) {
  ctorch_error *error = ctorch_tensor_item(NULL, NULL);
  ck_assert_ptr_nonnull(error); /* something after the call, so that it is no jump */
  return error;
}

START_TEST(a_refusal_by_ctorch_has_a_backtrace_from_the_function_that_refused) {
  ctorch_error *error = refused_in_here();
  const char *backtrace = ctorch_error_backtrace(error), frame[] = "frame #0: ctorch_tensor_item+";
  ck_assert_msg(strncmp(backtrace, frame, strlen(frame)) == 0, "%s", backtrace);
  ck_assert_msg(strstr(backtrace, "\nframe #1: refused_in_here+0x") != NULL, "%s", backtrace);
  ck_assert_msg(strstr(backtrace, "(check_error)\n") != NULL, "%s", backtrace);
  ck_assert_ptr_eq(ctorch_error_backtrace(error), backtrace);
  /* The offset is counted from where the function begins, which is short. */
  const unsigned long offset = strtoul(strstr(backtrace, "refused_in_here+") + strlen("refused_in_here+"), NULL, 16);
  ck_assert_msg(offset > 0 && offset < 512, "%s", backtrace);
  ctorch_error_release(error);
}
END_TEST

START_TEST(an_error_made_by_the_caller_has_a_backtrace) {
  ctorch_error *error = NULL;
  ck_ok(ctorch_error_new(&error, CTORCH_ERROR_IO, "mine"));
  ck_assert_ptr_nonnull(strstr(ctorch_error_backtrace(error), "frame #0: ctorch_error_new+"));
  ctorch_error_release(error);
}
END_TEST

START_TEST(without_noted_stacks_there_is_no_backtrace) {
  ck_ok(ctorch_debug_set_error_backtraces(false));
  ctorch_error *error = refused_in_here();
  ck_assert_str_eq(ctorch_error_backtrace(error), "");
  ctorch_error_release(error);
  ck_ok(ctorch_debug_set_error_backtraces(true));
}
END_TEST

static ctorch_error *innermost(ctorch_error *error) {
  CTORCH_TRY(error);
  return NULL;
}
static const int INNERMOST = __LINE__ - 3;

static ctorch_error *with_cleanup(ctorch_error *error) {
  ctorch_error *met;
  CTORCH_TRY_GOTO(met, innermost(error), done);
done:
  return met;
}
static const int WITH_CLEANUP = __LINE__ - 4;

static ctorch_error *outermost(ctorch_error *error, ctorch_tensor **variable) {
  CTORCH_REPLACE(variable, with_cleanup(error));
  return NULL;
}
static const int OUTERMOST = __LINE__ - 3;

START_TEST(an_error_notes_the_places_that_it_comes_by) {
  char expected[1024];
  ctorch_tensor *none = NULL;
  ctorch_error *error = ctorch_tensor_item(NULL, NULL);
  ck_assert_str_eq(ctorch_error_trace(error), "");
  ck_assert_ptr_eq(outermost(error, &none), error);
  snprintf(
      expected, sizeof expected, "%s:%d: innermost\n%s:%d: with_cleanup\n%s:%d: outermost\n", __FILE__, INNERMOST,
      __FILE__, WITH_CLEANUP, __FILE__, OUTERMOST);
  ck_assert_str_eq(ctorch_error_trace(error), expected);
  ctorch_error_release(error);
  ck_assert_ptr_null(outermost(NULL, &none));
}
END_TEST

/** `len` bytes of a character of three. */
static char *long_text(size_t len) {
  char *text = malloc(len + 1);
  ck_assert_ptr_nonnull(text);
  for (size_t i = 0; i < len; i++) {
    text[i] = "\xE2\x82\xAC"[i % 3];
  }
  text[len / 3 * 3] = '\0';
  return text;
}

START_TEST(a_frame_tells_as_much_as_is_known) {
  ctorch_error *error = shape_error();
  ctorch_error_add_frame(error, NULL, 0, NULL);
  ck_assert_str_eq(ctorch_error_trace(error), "");
  ctorch_error_add_frame(error, "model.lua", 3, NULL);
  ctorch_error_add_frame(error, NULL, 7, "step");
  ctorch_error_add_frame(error, "train.lua", 0, "main");
  ctorch_error_add_frame(error, "\xff.lua", -1, NULL);
  ck_assert_str_eq(ctorch_error_trace(error), "model.lua:3\nstep\ntrain.lua: main\n\xEF\xBF\xBD.lua\n");
  ctorch_error_release(error);
  error = shape_error();
  char *name = long_text(1 << 20); /* of each the ends, as in messages */
  ctorch_error_add_frame(error, name, 3, name);
  ck_assert_uint_le(strlen(ctorch_error_trace(error)), 2 * 256 + 16);
  ck_assert_ptr_nonnull(strstr(ctorch_error_trace(error), "...\xE2\x82\xAC"));
  free(name);
  ctorch_error_release(error);
  ctorch_error_add_frame(NULL, "a", 1, "b");
  ck_assert_str_eq(ctorch_error_trace(NULL), "");
}
END_TEST

START_TEST(of_very_many_frames_the_first_and_the_last_are_kept) {
  char function[32];
  ctorch_error *error = shape_error();
  for (int i = 0; i < 100000; i++) {
    snprintf(function, sizeof function, "f%d", i);
    ctorch_error_add_frame(error, NULL, 0, function);
  }
  const char *trace = ctorch_error_trace(error);
  ck_assert_ptr_eq(strstr(trace, "f0\nf1\n"), trace);
  ck_assert_ptr_nonnull(strstr(trace, "f31\n... 99936 more ...\nf99968\n"));
  ck_assert_str_eq(trace + strlen(trace) - strlen("f99998\nf99999\n"), "f99998\nf99999\n");
  ctorch_error_release(error);
}
END_TEST

START_TEST(a_format_makes_a_message) {
  ctorch_error *error = ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: %d bytes, %.2f", "a.idx", -7, 0.125);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_FORMAT);
  ck_assert_str_eq(ctorch_error_message(error), "a.idx: -7 bytes, 0.12");
  ctorch_error_release(error);

  error = ctorch_error_format(CTORCH_ERROR_IO, "%01000d|", 5); /* longer than a line */
  ck_assert_uint_eq(strlen(ctorch_error_message(error)), 1001);
  ck_assert_str_eq(ctorch_error_message(error) + 999, "5|");
  ctorch_error_release(error);

  error = ctorch_error_format(CTORCH_ERROR_IO, "%s%01000d", "caf\xe9 ", 5); /* Latin-1 */
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_IO);
  ck_assert_int_eq(strncmp(ctorch_error_message(error), "caf? 000", 8), 0);
  ctorch_error_release(error);

  error = ctorch_error_format(CTORCH_ERROR_IO, "%s", "caf\xc3\xa9");
  ck_assert_str_eq(ctorch_error_message(error), "caf\xc3\xa9");
  ctorch_error_release(error);
  ck_fails(ctorch_error_format(4711, "%s", "x"), CTORCH_ERROR_INVALID_ARGUMENT, "4711");
}
END_TEST

START_TEST(of_two_failures_the_first_is_kept) {
  ctorch_error *one = shape_error(), *other = shape_error();
  ck_assert_ptr_null(ctorch_error_first(NULL, NULL));
  ck_assert_ptr_eq(ctorch_error_first(one, NULL), one);
  ck_assert_ptr_eq(ctorch_error_first(NULL, other), other);
  ck_assert_ptr_eq(ctorch_error_first(one, one), one);
  ck_assert_ptr_eq(ctorch_error_first(one, other), one);
  ctorch_error_release(one);
}
END_TEST

START_TEST(a_callback_is_finished_with_its_error) {
  ctorch_scope *scope = NULL, *outer = NULL;
  ctorch_error *error = NULL;
  ck_assert_int_eq(ctorch_callback_finish(&error, NULL, NULL), CTORCH_CALLBACK_OK);
  ck_assert_ptr_null(error);

  ck_ok(ctorch_scope_begin(&outer));
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *result = ones(CTORCH_INTS(2));
  ck_assert_int_eq(ctorch_callback_finish(&error, scope, result), CTORCH_CALLBACK_OK);
  ck_assert(ctorch_scope_owns(result)); /* now the outer one does */

  ck_ok(ctorch_scope_begin(&scope));
  error = shape_error();
  ctorch_error *const failure = error;
  ck_assert_int_ne(ctorch_callback_finish(&error, scope, NULL), CTORCH_CALLBACK_OK);
  ck_assert_ptr_eq(error, failure);
  ck_fails(ctorch_scope_keep(scope, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "not open"); /* ended all the same */
  ctorch_error_release(error);

  error = NULL; /* a scope that is not this thread's innermost any more */
  ck_assert_int_ne(ctorch_callback_finish(&error, scope, result), CTORCH_CALLBACK_OK);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_INVALID_ARGUMENT);
  ctorch_error_release(error);
  ctorch_scope_end(outer);
}
END_TEST

START_TEST(an_error_is_printed_with_its_function_and_its_way) {
  char text[512];
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  ctorch_error *error = ctorch_tensor_item(NULL, NULL), *own = ctorch_error_format(CTORCH_ERROR_IO, "mine");
  ctorch_error_add_frame(error, "a.c", 1, "f");
  ctorch_error_add_frame(error, "b.c", 2, "g");
  ctorch_error_print(file, error);
  ctorch_error_print(file, own);
  ctorch_error_print(file, NULL);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  ck_assert_str_eq(text, "ctorch_tensor_item: out must not be NULL\n  at a.c:1: f\n  at b.c:2: g\nmine\n");
  fclose(file);
  ctorch_error_release(error);
  ctorch_error_release(own);
}
END_TEST

START_TEST(an_array_of_tensors_is_a_list_with_its_length) {
  ctorch_tensor *x = ones(CTORCH_INTS(2)), *parts[3] = {x, x, x}, *joined = NULL;
  const ctorch_tensor *borrowed[] = {x, x};
  ck_ok(ctorch_aten_cat(&joined, CTORCH_CONST_TENSORS(parts), 0));
  ck_assert_int_eq(ctorch_tensor_sizes(joined)[0], 6);
  ctorch_tensor_release(joined);
  ck_ok(ctorch_aten_cat(&joined, CTORCH_CONST_TENSORS(borrowed), 0));
  ck_assert_int_eq(ctorch_tensor_sizes(joined)[0], 4);
  ctorch_tensor_release(joined);
  ck_ok(ctorch_aten_cat(&joined, ctorch_const_tensors(parts + 1), 1, 0));
  ck_assert_int_eq(ctorch_tensor_sizes(joined)[0], 2);
  ctorch_tensor_release(joined);
  ctorch_tensor_release(x);
}
END_TEST

static void *fail_and_hand_over(void *unused) {
  (void)unused;
  return shape_error();
}

/** The message, which must be UTF-8, at most `most` bytes long, with the middle cut out; ctorch_error_new knows UTF-8.
 */
static void ck_cut(ctorch_error *error, size_t most) {
  ctorch_error *again = NULL;
  ck_assert_ptr_nonnull(error);
  const char *message = ctorch_error_message(error);
  ck_assert_uint_le(strlen(message), most);
  ck_assert_ptr_nonnull(strstr(message, "\xE2\x82\xAC...\xE2\x82\xAC"));
  ck_ok(ctorch_error_new(&again, CTORCH_ERROR_VALUE, message));
  ctorch_error_release(again);
  ctorch_error_release(error);
}

START_TEST(messages_quote_the_ends_of_long_texts) {
  char *text = long_text(1 << 24);
  ctorch_op *op = NULL;
  ctorch_library *library = NULL;
  ctorch_value *dict = NULL, *value = NULL, *key = NULL;
  ctorch_tensor *x = NULL;
  bool found = false;
  enum { ONE = 256 + 128, TWO = 2 * 256 + 128 };
  ck_cut(ctorch_op_find(&op, text, text), TWO);
  ck_cut(ctorch_op_find(&op, text, NULL), ONE);
  ck_cut(ctorch_library_new(&library, text), ONE);
  ck_ok(ctorch_op_find(&op, "aten::relu", NULL));
  ck_cut(ctorch_op_has_kernel(&found, op, text), ONE);
  ck_cut(
      ctorch_op_call_named(NULL, op, NULL, 0, (const char *const[]){text}, 1, (const ctorch_value *const[]){NULL}, 1),
      ONE);
  ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ck_cut(ctorch_value_dict_at(&value, dict, text), ONE);
  ck_ok(ctorch_value_from_string(&key, text));
  ck_cut(ctorch_value_dict_get(&value, dict, key), ONE);
  ck_cut(ctorch_value_dict_remove(dict, key), ONE);
  ck_ok(ctorch_aten_ones(&x, NULL, 0, NULL, NULL, NULL, NULL));
  ck_cut(ctorch_print_set_options(text, NULL, NULL, NULL, NULL, NULL), ONE);
  ck_cut(ctorch_settings_set_float32_matmul_precision(text), ONE);
  ctorch_storage *storage = NULL;
  ck_cut(ctorch_storage_from_shared_name(&storage, text, 1), ONE);
  ctorch_tensor_release(x);
  ctorch_value_release(key);
  ctorch_value_release(dict);
  ctorch_op_release(op);
  free(text);
}
END_TEST

START_TEST(pytorchs_messages_have_a_bound_too) {
  char *text = long_text(1 << 24);
  ctorch_tensor *x = NULL, *y = NULL;
  ctorch_library *library = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2, 2), NULL, NULL, NULL, NULL));
  ctorch_tensor *index = NULL;
  const ctorch_dtype dtype = CTORCH_DTYPE_INT64;
  ck_ok(ctorch_aten_zeros(&index, CTORCH_INTS(2, 2), &dtype, NULL, NULL, NULL));
  ck_cut(ctorch_aten_scatter_reduce_two(&y, x, 0, index, x, text, true), 65536);
  ctorch_tensor_release(index);
  ck_ok(ctorch_library_new(&library, "long"));
  text[1000000 / 3 * 3] = '\0';
  ck_cut(ctorch_library_define(library, text), 65536);
  ctorch_tensor_release(x);
  ctorch_library_release(library);
  free(text);
}
END_TEST

/** Bytes that are no UTF-8 become characters of three bytes each: the bound is of what comes out. */
START_TEST(messages_are_bounded_as_utf8) {
  enum { LEN = 1 << 20 };
  char *bytes = malloc(LEN);
  ctorch_tensor *x = NULL, *index = NULL;
  const ctorch_dtype dtype = CTORCH_DTYPE_INT64;
  ctorch_op *op = NULL;
  ctorch_value *arguments[5] = {NULL}, *out = NULL;
  ck_assert_ptr_nonnull(bytes);
  memset(bytes, 0xFF, LEN);
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(1), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_zeros(&index, CTORCH_INTS(1), &dtype, NULL, NULL, NULL));
  ck_ok(ctorch_op_find(&op, "aten::scatter_reduce", "two"));
  ck_ok(ctorch_value_from_tensor(&arguments[0], x));
  ck_ok(ctorch_value_from_int(&arguments[1], 0));
  ck_ok(ctorch_value_from_tensor(&arguments[2], index));
  ck_ok(ctorch_value_from_tensor(&arguments[3], x));
  ck_ok(ctorch_value_from_string_data(&arguments[4], bytes, LEN));
  ctorch_error *error = ctorch_op_call(&out, op, (const ctorch_value *const *)arguments, 5), *again = NULL;
  ck_assert_ptr_nonnull(error);
  ck_assert_uint_gt(strlen(ctorch_error_message(error)), 65000);
  ck_assert_uint_le(strlen(ctorch_error_message(error)), 65536);
  ck_ok(ctorch_error_new(&again, CTORCH_ERROR_VALUE, ctorch_error_message(error))); /* it is UTF-8 */
  ctorch_error_release(again);
  ctorch_error_release(error);
  for (int i = 0; i < 5; i++) {
    ctorch_value_release(arguments[i]);
  }
  ctorch_op_release(op);
  ctorch_tensor_release(index);
  ctorch_tensor_release(x);
  free(bytes);
}
END_TEST

/** Wherever the cut falls, it leaves characters whole, of any length that UTF-8 has. */
START_TEST(a_cut_leaves_characters_whole) {
  static const char *const characters[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x94\xA5"};
  char text[1200];
  for (size_t c = 0; c < 3; c++) {
    const size_t bytes = strlen(characters[c]);
    for (size_t before = 0; before < 4; before++) {
      for (size_t behind = 0; behind < 4; behind++) {
        ctorch_op *op = NULL;
        ctorch_error *again = NULL;
        size_t len = 0;
        memset(text, 'a', before);
        for (len = before; len + bytes + 4 < sizeof text; len += bytes) {
          memcpy(text + len, characters[c], bytes);
        }
        memset(text + len, 'z', behind);
        text[len + behind] = '\0';
        ctorch_error *error = ctorch_op_find(&op, text, NULL);
        const char *cut = error == NULL ? NULL : strstr(ctorch_error_message(error), "...");
        ck_assert_ptr_nonnull(cut);
        ck_assert_mem_eq(cut - bytes, characters[c], bytes);
        ck_assert_mem_eq(cut + 3, characters[c], bytes);
        ck_ok(ctorch_error_new(&again, CTORCH_ERROR_VALUE, ctorch_error_message(error)));
        ctorch_error_release(again);
        ctorch_error_release(error);
      }
    }
  }
}
END_TEST

/** Fails with this code and exactly this message. */
static void ck_says(ctorch_error *error, ctorch_error_kind code, const char *message) {
  ck_assert_ptr_nonnull(error);
  ck_assert_str_eq(ctorch_error_message(error), message);
  ck_assert_int_eq(ctorch_error_kind_of(error), code);
  ctorch_error_release(error);
}

/* The dispatcher's own answer lists every backend that there is. Expected is what Python says of factories. */
START_TEST(an_absent_accelerator_is_told_in_one_line) {
  static const struct {
    ctorch_device_type type;
    const char *message;
  } absent[] = {
      {CTORCH_DEVICE_TYPE_CUDA, "Torch not compiled with CUDA enabled"},
      {CTORCH_DEVICE_TYPE_XPU, "Torch not compiled with XPU enabled"},
      {CTORCH_DEVICE_TYPE_MTIA, "Torch not compiled with MTIA enabled"},
      {CTORCH_DEVICE_TYPE_MPS, "PyTorch is not linked with support for mps devices"},
      {CTORCH_DEVICE_TYPE_VULKAN, "PyTorch is not linked with support for vulkan devices"},
      {CTORCH_DEVICE_TYPE_XLA, "PyTorch is not linked with support for xla devices"},
      {CTORCH_DEVICE_TYPE_HPU, "PyTorch is not linked with support for hpu devices"},
      {CTORCH_DEVICE_TYPE_VE, "PyTorch is not linked with support for ve devices"},
      {CTORCH_DEVICE_TYPE_IPU, "PyTorch is not linked with support for ipu devices"},
      {CTORCH_DEVICE_TYPE_LAZY, "PyTorch is not linked with support for lazy devices"},
      {CTORCH_DEVICE_TYPE_PRIVATEUSE1, "PyTorch is not linked with support for privateuseone devices"},
  };
  ctorch_tensor *x = NULL, *y = NULL;
  ctorch_op *op = NULL;
  ctorch_value *size = NULL, *value = NULL, *place = NULL, *out = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_op_find(&op, "aten::empty.memory_format", NULL));
  ck_ok(ctorch_value_from_ints(&size, CTORCH_INTS(2)));
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
    if (ctorch_device_is_built(absent[i].type)) {
      continue;
    }
    for (int32_t index = -1; index < 2; index++) {
      const ctorch_device device = {absent[i].type, index};
      const char *message = absent[i].message;
      ck_says(
          ctorch_aten_empty_memory_format(&y, CTORCH_INTS(2), NULL, NULL, &device, NULL, NULL), CTORCH_ERROR_RUNTIME,
          message);
      ck_says(ctorch_aten_ones(&y, CTORCH_INTS(2), NULL, NULL, &device, NULL), CTORCH_ERROR_RUNTIME, message);
      ck_ok(ctorch_value_from_device(&place, &device));
      ck_says(
          ctorch_op_call_named(
              &out, op, (const ctorch_value *const[]){size}, 1, (const char *const[]){"device"}, 1,
              (const ctorch_value *const[]){place}, 1),
          CTORCH_ERROR_RUNTIME, message);
      ctorch_value_release(place);
      ctorch_error *others[] = {
          ctorch_aten_zeros_like(&y, x, NULL, NULL, &device, NULL, NULL),
          ctorch_aten_randperm(&y, 3, NULL, NULL, &device, NULL),
          ctorch_aten__to_copy(&y, x, NULL, NULL, &device, NULL, false, NULL),
          ctorch_aten_to_device(&y, x, &device, CTORCH_DTYPE_FLOAT32, false, false, NULL),
          ctorch_tensor_to(&y, x, NULL, &device, false, false, NULL),
      };
      for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
        ck_assert_ptr_nonnull(others[j]);
        const char *said = ctorch_error_message(others[j]);
        ck_assert_msg(
            strcmp(said, message) == 0 || strncmp(said, "PyTorch is not linked with support for ", 39) == 0,
            "%s, not %s", said, message);
        ck_assert_int_eq(ctorch_error_kind_of(others[j]), CTORCH_ERROR_RUNTIME);
        ctorch_error_release(others[j]);
      }
      ctorch_generator *generator = NULL;
      ctorch_stream stream;
      ctorch_event *event = NULL;
      ctorch_error *services[] = {
          ctorch_generator_new(&generator, &device), ctorch_generator_default(&generator, &device),
          ctorch_stream_current(&stream, &device),   ctorch_stream_new(&stream, 0, &device),
          ctorch_device_set_current(&device),
      };
      for (size_t j = 0; j < sizeof services / sizeof *services; j++) {
        ck_assert_ptr_nonnull(services[j]);
        const char *said = ctorch_error_message(services[j]);
        ck_assert_ptr_null(strchr(said, '\n'));
        ck_assert_msg(ctorch_error_kind_of(services[j]) == CTORCH_ERROR_RUNTIME, "service %zu: %s", j, said);
        ctorch_error_release(services[j]);
      }
      ctorch_error *error = ctorch_event_new(&event, device.type, true);
      if (error == NULL) {
        error = ctorch_event_record(event, NULL);
        ctorch_event_release(event);
      }
      ck_assert_ptr_nonnull(error);
      ck_assert_ptr_null(strchr(ctorch_error_message(error), '\n'));
      ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_RUNTIME);
      ctorch_error_release(error);
    }
  }
  ctorch_value_release(size);
  ctorch_value_release(value);
  ctorch_op_release(op);
  ctorch_tensor_release(x);
}
END_TEST

/* A backend that is there keeps the dispatcher's answer. */
START_TEST(an_operator_without_a_kernel_is_not_implemented) {
  ctorch_tensor *x = NULL, *y = NULL, *coo = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2, 2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_to_sparse(&coo, x, NULL, NULL, 0, NULL));
  ck_fails(ctorch_aten_tril(&y, coo, 0), CTORCH_ERROR_NOT_IMPLEMENTED, "Could not run 'aten::tril");
  ctorch_tensor_release(coo);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(the_message_of_a_made_error_is_never_cut) {
  char *text = long_text(1 << 20);
  ctorch_error *error = NULL;
  ck_ok(ctorch_error_new(&error, CTORCH_ERROR_VALUE, text));
  ck_assert_str_eq(ctorch_error_message(error), text);
  ctorch_error_release(error);
  free(text);
}
END_TEST

START_TEST(an_error_may_be_read_and_released_on_another_thread) {
  pthread_t thread;
  void *error = NULL;
  ck_assert_int_eq(pthread_create(&thread, NULL, fail_and_hand_over, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, &error), 0);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_SHAPE_MISMATCH);
  ck_assert_uint_gt(strlen(ctorch_error_backtrace(error)), 0);
  ctorch_error_release(error);
}
END_TEST

static ctorch_error *tried(ctorch_tensor **out, const ctorch_tensor *x) {
  CTORCH_TRY(ctorch_aten_neg(out, x));
  CTORCH_TRY(ctorch_aten_transpose_int(out, x, 0, 4));
  ck_abort_msg("CTORCH_TRY went on after an error");
}

START_TEST(try_returns_the_first_error_and_try_goto_jumps_with_it) {
  ctorch_tensor *x = ones(CTORCH_INTS(2)), *out = NULL;
  ck_fails(tried(&out, x), CTORCH_ERROR_INDEX, "Dimension out of range");
  ctorch_error *error = NULL;
  CTORCH_TRY_GOTO(error, ctorch_aten_transpose_int(&out, x, 0, 4), done);
  ck_abort_msg("CTORCH_TRY_GOTO went on after an error");
done:
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_INDEX);
  ctorch_error_release(error);
  ctorch_tensor_release(x);
  ctorch_tensor_release(out);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("error");
  ck_case(suite, every_code_has_its_fixed_number_and_name);
  ck_case(suite, any_other_number_has_no_name);
  ck_case(suite, an_error_can_be_made_of_every_code);
  ck_case(suite, a_made_error_keeps_its_code_whatever_its_text);
  ck_case(suite, the_message_of_a_made_error_is_a_copy);
  ck_case(suite, bad_arguments_for_a_new_error_are_errors_themselves);
  ck_case_loop(suite, text_that_is_not_utf8_is_refused, sizeof not_utf8 / sizeof *not_utf8);
  ck_case(suite, null_is_success_and_carries_nothing);
  ck_case(suite, an_error_carries_only_the_details_of_its_kind);
  ck_case(suite, the_message_is_exactly_pytorchs);
  ck_case(suite, each_kind_of_pytorch_error_has_its_code);
  ck_case(suite, a_missing_argument_is_named_with_its_function);
  ck_case(suite, an_unknown_number_of_an_enumeration_is_invalid);
  ck_case(suite, an_error_names_the_function_that_failed);
  ck_case(suite, a_failed_call_leaves_its_outputs_untouched);
  ck_case(suite, an_error_outlives_the_scope_it_was_made_in);
  ck_case(suite, the_backtrace_has_symbol_names_and_stays_where_it_is);
  ck_case(suite, errors_need_not_note_the_stack);
  ck_case(suite, two_threads_that_ask_for_the_backtrace_get_the_same_text);
  ck_case(suite, a_refusal_by_ctorch_has_a_backtrace_from_the_function_that_refused);
  ck_case(suite, an_error_made_by_the_caller_has_a_backtrace);
  ck_case(suite, without_noted_stacks_there_is_no_backtrace);
  ck_case(suite, an_error_notes_the_places_that_it_comes_by);
  ck_case(suite, a_frame_tells_as_much_as_is_known);
  ck_case(suite, of_very_many_frames_the_first_and_the_last_are_kept);
  ck_case(suite, a_format_makes_a_message);
  ck_case(suite, of_two_failures_the_first_is_kept);
  ck_case(suite, a_callback_is_finished_with_its_error);
  ck_case(suite, an_error_is_printed_with_its_function_and_its_way);
  ck_case(suite, an_array_of_tensors_is_a_list_with_its_length);
  ck_case(suite, messages_quote_the_ends_of_long_texts);
  ck_case(suite, pytorchs_messages_have_a_bound_too);
  ck_case(suite, messages_are_bounded_as_utf8);
  ck_case(suite, a_cut_leaves_characters_whole);
  ck_case(suite, the_message_of_a_made_error_is_never_cut);
  ck_case(suite, an_absent_accelerator_is_told_in_one_line);
  ck_case(suite, an_operator_without_a_kernel_is_not_implemented);
  ck_case(suite, an_error_may_be_read_and_released_on_another_thread);
  ck_case(suite, try_returns_the_first_error_and_try_goto_jumps_with_it);
  return ck_main(suite);
}
