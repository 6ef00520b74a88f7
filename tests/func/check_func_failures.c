/* Transforms of functions where things go wrong: functions that fail at any depth, arguments that do not fit, tensors
 * that outlive their transform, threads. After each test no handle is live and no transform open. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>

#include "func/functions.h"

#define UNTOUCHED ((ctorch_tensor_list *)&scope_of_the_test)

FUNCTION(square, 1) { return ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[0]); }
FUNCTION(sum, 1) { return ctorch_aten_sum(&outputs[0], inputs[0], NULL); }

static void the_next_call_works(void) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_tensor_list *out = NULL, *tangents = NULL;
  ck_assert_uint_eq(ctorch_func_depth(), 0);
  ck_assert(ctorch_grad_mode_enabled());
  ck_ok(ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 1, 4);
  ck_ok(ctorch_func_grad(&out, NULL, sum, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_floats(at(out, 0), CTORCH_INTS(2), 1, 1);
  ck_ok(ctorch_func_jvp(&out, &tangents, NULL, square, NULL, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true, 0));
  ck_floats(at(tangents, 0), CTORCH_INTS(2), 2, 8);
}

/* A tower of transforms, whose innermost function fails. */

enum { VMAP, GRAD, GRAD_AND_VALUE, VJP, JVP, JACREV, JACFWD, HESSIAN, LINEARIZE, TRANSFORMS };

typedef struct tower {
  const int *kinds; /* from the outside */
  size_t height;
  ctorch_tensors_callback innermost;
  size_t reached;
} tower;

LIST_FUNCTION(level) {
  tower *self = payload;
  const size_t depth = ctorch_func_depth();
  ctorch_error *error = NULL;
  if (self->height == 0) {
    self->reached = depth;
    const ctorch_callback_status status = self->innermost(out, inputs, inputs_len, &error, payload);
    ck_assert(status != CTORCH_CALLBACK_OK || error == NULL);
    return error;
  }
  tower rest = {self->kinds + 1, self->height - 1, self->innermost, 0};
  ctorch_tensor_list *tangents = NULL;
  ctorch_tensor *value = NULL;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  switch (self->kinds[0]) {
    case VMAP:
      error = ctorch_func_vmap(out, level, &rest, inputs, 1, NULL, 0, NULL, 0, 0, NULL);
      break;
    case GRAD:
      error = ctorch_func_grad(out, NULL, level, &rest, inputs, 1, NULL, 0, 0);
      break;
    case GRAD_AND_VALUE:
      error = ctorch_func_grad_and_value(out, &value, NULL, level, &rest, inputs, 1, NULL, 0, 0);
      break;
    case VJP:
      error = ctorch_func_vjp(out, &vjp, NULL, level, &rest, inputs, 1, 0);
      break;
    case JVP:
      error = ctorch_func_jvp(out, &tangents, NULL, level, &rest, inputs, 1, inputs, 1, false, 0);
      break;
    case JACREV:
      error = ctorch_func_jacrev(out, NULL, level, &rest, inputs, 1, NULL, 0, 0, NULL);
      break;
    case JACFWD:
      error = ctorch_func_jacfwd(out, NULL, level, &rest, inputs, 1, NULL, 0, 0, 0, NULL);
      break;
    case HESSIAN:
      error = ctorch_func_hessian(out, level, &rest, inputs, 1, NULL, 0);
      break;
    default:
      error = ctorch_func_linearize(out, &jvp, level, &rest, inputs, 1);
      break;
  }
  self->reached = rest.reached;
  ck_assert_uint_eq(ctorch_func_depth(), depth);
  return error;
}

static ctorch_error *the_error;

LIST_FUNCTION(fail_with_an_error) {
  ck_ok(ctorch_error_new(&the_error, CTORCH_ERROR_DIST_STORE, "on purpose"));
  return the_error;
}

START_TEST(an_error_arrives_unchanged_through_every_transform) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2, 1, 1, 1, 1, 1), NULL, NULL, NULL, NULL));
  for (int outer = 0; outer < TRANSFORMS; outer++) {
    for (int inner = 0; inner < TRANSFORMS; inner++) {
      const int kinds[] = {outer, inner, VMAP, GRAD};
      for (size_t height = 1; height <= 4; height++) {
        tower self = {kinds, height, fail_with_an_error, 0};
        ctorch_tensor_list *out = UNTOUCHED;
        ctorch_error *error = level_body(&out, CTORCH_TENSORS(x), &self);
        ck_assert_ptr_eq(error, the_error);
        ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_DIST_STORE);
        ck_assert_str_eq(ctorch_error_message(error), "on purpose");
        ck_assert_ptr_eq(out, UNTOUCHED);
        ck_assert_uint_ge(self.reached, height);
        ck_assert_uint_eq(ctorch_func_depth(), 0);
        ctorch_error_release(error);
      }
    }
  }
  the_next_call_works();
}
END_TEST

static ctorch_callback_status fail_without_an_error(
    ctorch_tensor_list **out UNUSED,
    const ctorch_tensor *const *inputs UNUSED,
    size_t inputs_len UNUSED,
    ctorch_error **error UNUSED,
    void *payload UNUSED) {
  return 0;
}

static ctorch_callback_status leave_an_error_and_succeed(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload UNUSED) {
  ck_ok(ctorch_tensor_list_new(out, inputs, inputs_len));
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "after all"));
  return CTORCH_CALLBACK_OK;
}

LIST_FUNCTION(write_the_list_and_fail) {
  ctorch_tensor *product = NULL;
  CTORCH_TRY(ctorch_tensor_list_new(out, inputs, inputs_len));
  return ctorch_aten_matmul(&product, inputs[0], NULL);
}

LIST_FUNCTION(leave_an_output_null) { return ctorch_tensor_list_new(out, CTORCH_TENSORS(inputs[0], NULL)); }

LIST_FUNCTION(return_nothing) { return NULL; }

LIST_FUNCTION(return_an_empty_list) { return ctorch_tensor_list_new(out, NULL, 0); }

/** Every transform, which must refuse the function. */
static void every_transform_fails(ctorch_tensors_callback function, ctorch_error_kind code, const char *substring) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *value = NULL;
  ctorch_tensor_list *out = UNTOUCHED, *aux = UNTOUCHED, *tangents = UNTOUCHED;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
#define X CTORCH_TENSORS(x)
  if (function != return_nothing && function != return_an_empty_list) {
    ck_fails(ctorch_func_vmap(&out, function, NULL, X, NULL, 0, NULL, 0, 0, NULL), code, substring);
    ck_fails(ctorch_func_vmap(&out, function, NULL, X, NULL, 0, NULL, 0, 0, CTORCH_SOME(int64_t, 1)), code, substring);
  }
  ck_fails(ctorch_func_grad(&out, &aux, function, NULL, X, NULL, 0, 0), code, substring);
  ck_fails(ctorch_func_grad_and_value(&out, &value, &aux, function, NULL, X, NULL, 0, 0), code, substring);
  ck_fails(ctorch_func_vjp(&out, &vjp, &aux, function, NULL, X, 0), code, substring);
  ck_fails(ctorch_func_jvp(&out, &tangents, &aux, function, NULL, X, X, false, 0), code, substring);
  ck_fails(ctorch_func_linearize(&out, &jvp, function, NULL, X), code, substring);
  ck_fails(ctorch_func_jacrev(&out, &aux, function, NULL, X, NULL, 0, 0, NULL), code, substring);
  ck_fails(ctorch_func_jacfwd(&out, &aux, function, NULL, X, NULL, 0, 0, 0, NULL), code, substring);
  ck_fails(ctorch_func_hessian(&out, function, NULL, X, NULL, 0), code, substring);
#undef X
  ck_assert(out == UNTOUCHED && aux == UNTOUCHED && tangents == UNTOUCHED);
  ck_assert(value == NULL && vjp == NULL && jvp == NULL);
  the_next_call_works();
}

START_TEST(a_function_that_fails_without_an_error_is_a_callback_error) {
  every_transform_fails(fail_without_an_error, CTORCH_ERROR_CALLBACK, "function");
}
END_TEST

START_TEST(an_error_counts_whatever_the_status) {
  every_transform_fails(leave_an_error_and_succeed, CTORCH_ERROR_IO, "after all");
}
END_TEST

START_TEST(what_a_failing_function_wrote_is_released) {
  every_transform_fails(write_the_list_and_fail, CTORCH_ERROR_NULL_ARGUMENT, "other");
}
END_TEST

START_TEST(an_output_left_null_is_an_error) {
  every_transform_fails(leave_an_output_null, CTORCH_ERROR_RUNTIME, "left output 1 NULL");
}
END_TEST

START_TEST(nothing_can_be_mapped_but_not_differentiated) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_tensor_list *out = NULL;
  every_transform_fails(return_nothing, CTORCH_ERROR_RUNTIME, "non-empty output");
  every_transform_fails(return_an_empty_list, CTORCH_ERROR_RUNTIME, "non-empty output");
  ck_ok(ctorch_func_vmap(&out, return_nothing, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_assert_uint_eq(ctorch_tensor_list_len(out), 0);
}
END_TEST

START_TEST(arguments_are_checked_before_the_function_runs) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *value = NULL;
  ctorch_tensor_list *out = UNTOUCHED, *more = UNTOUCHED;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  const ctorch_tensors_callback f = fail_without_an_error; /* it is never called */
  enum {
    NONE = CTORCH_ERROR_NULL_ARGUMENT,
    INVALID = CTORCH_ERROR_INVALID_ARGUMENT,
    VALUE = CTORCH_ERROR_VALUE,
    RUNTIME = CTORCH_ERROR_RUNTIME
  };
#define X CTORCH_TENSORS(x)
#define XX CTORCH_TENSORS(x, x)
#define NO_TENSOR CTORCH_TENSORS(NULL)
  ck_fails(ctorch_func_vmap(NULL, f, NULL, X, NULL, 0, NULL, 0, 0, NULL), NONE, "out");
  ck_fails(ctorch_func_vmap(&out, NULL, NULL, X, NULL, 0, NULL, 0, 0, NULL), NONE, "function");
  ck_fails(ctorch_func_vmap(&out, f, NULL, NULL, 1, NULL, 0, NULL, 0, 0, NULL), NONE, "inputs");
  ck_fails(
      ctorch_func_vmap(&out, f, NULL, ctorch_const_tensors(&value), SIZE_MAX, NULL, 0, NULL, 0, 0, NULL), INVALID,
      "inputs");
  ck_fails(ctorch_func_vmap(&out, f, NULL, NULL, 0, NULL, 0, NULL, 0, 0, NULL), VALUE, "no inputs");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, NULL, 1, NULL, 0, 0, NULL), NONE, "in_dims");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, CTORCH_INTS(0, 0), NULL, 0, 0, NULL), INVALID, "in_dims");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, (const int64_t[]){0}, 0, NULL, 0, 0, NULL), INVALID, "in_dims");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, NULL, 0, NULL, 1, 0, NULL), NONE, "out_dims");
  ck_fails(ctorch_func_vmap(&out, square, NULL, X, NULL, 0, CTORCH_INTS(0, 0), 0, NULL), INVALID, "out_dims");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, CTORCH_INTS(INT64_MIN), NULL, 0, 0, NULL), VALUE, "in_dim");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, CTORCH_INTS(INT64_MAX), NULL, 0, 0, NULL), VALUE, "in_dim");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, NULL, 0, NULL, 0, 3, NULL), INVALID, "randomness");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, NULL, 0, NULL, 0, -1, NULL), INVALID, "randomness");
  ck_fails(ctorch_func_vmap(&out, f, NULL, X, NULL, 0, NULL, 0, 0, CTORCH_SOME(int64_t, 0)), VALUE, "chunk_size");
  ck_fails(
      ctorch_func_vmap(&out, f, NULL, X, NULL, 0, CTORCH_INTS(CTORCH_VMAP_UNMAPPED), 0, CTORCH_SOME(int64_t, 1)), VALUE,
      "chunks");

  ck_fails(ctorch_func_grad(NULL, NULL, f, NULL, X, NULL, 0, 0), NONE, "out");
  ck_fails(ctorch_func_grad(&out, NULL, NULL, NULL, X, NULL, 0, 0), NONE, "function");
  ck_fails(ctorch_func_grad(&out, NULL, f, NULL, X, NULL, 1, 0), NONE, "argnums");
  ck_fails(ctorch_func_grad(&out, NULL, f, NULL, X, (const int64_t[]){0}, 0, 0), RUNTIME, "argnums");
  ck_fails(ctorch_func_grad(&out, NULL, f, NULL, X, CTORCH_INTS(INT64_MIN), 0), RUNTIME, "=-9223372036854775808");
  ck_fails(ctorch_func_grad(&out, NULL, f, NULL, X, CTORCH_INTS(0, -1), 0), RUNTIME, "unique");
  ck_fails(ctorch_func_grad(&out, NULL, square, NULL, X, NULL, 0, SIZE_MAX), RUNTIME, "18446744073709551615");
  ck_fails(ctorch_func_grad_and_value(&out, NULL, NULL, f, NULL, X, NULL, 0, 0), NONE, "out_value");
  ck_fails(ctorch_func_grad_and_value(&out, &value, NULL, f, NULL, NULL, 0, NULL, 0, 0), RUNTIME, "argnum=0");

  ck_fails(ctorch_func_vjp(NULL, &vjp, NULL, f, NULL, X, 0), NONE, "out");
  ck_fails(ctorch_func_vjp(&out, NULL, NULL, f, NULL, X, 0), NONE, "out_vjp");
  ck_fails(ctorch_func_vjp(&out, &vjp, NULL, NULL, NULL, X, 0), NONE, "function");
  ck_fails(ctorch_func_vjp(&out, &vjp, NULL, f, NULL, NO_TENSOR, 0), NONE, "primals");
  ck_fails(ctorch_func_vjp(&out, &vjp, NULL, f, NULL, NULL, 0, 0), RUNTIME, "nothing");
  ck_fails(ctorch_func_vjp(&out, &vjp, NULL, square, NULL, X, SIZE_MAX), RUNTIME, "non-empty");

  ck_fails(ctorch_func_jvp(NULL, &more, NULL, f, NULL, X, X, false, 0), NONE, "out");
  ck_fails(ctorch_func_jvp(&out, NULL, NULL, f, NULL, X, X, false, 0), NONE, "out_tangents");
  ck_fails(ctorch_func_jvp(&out, &more, NULL, f, NULL, X, XX, false, 0), INVALID, "tangents");
  ck_fails(ctorch_func_jvp(&out, &more, NULL, f, NULL, X, NO_TENSOR, false, 0), NONE, "tangents");
  ck_fails(ctorch_func_jvp(&out, &more, NULL, f, NULL, NULL, 0, NULL, 0, false, 0), RUNTIME, "nothing");
  ck_fails(ctorch_func_jvp(&out, &more, NULL, square, NULL, X, X, false, 1), RUNTIME, "non-empty");

  ck_fails(ctorch_func_linearize(&out, NULL, f, NULL, X), NONE, "out_jvp");
  ck_fails(ctorch_func_linearize(&out, &jvp, f, NULL, NULL, 0), RUNTIME, "nothing");

  ck_fails(ctorch_func_jacrev(NULL, NULL, f, NULL, X, NULL, 0, 0, NULL), NONE, "out");
  ck_fails(ctorch_func_jacrev(&out, NULL, f, NULL, X, NULL, 0, 0, CTORCH_SOME(int64_t, -1)), VALUE, "chunk_size");
  ck_fails(ctorch_func_jacfwd(&out, NULL, f, NULL, X, NULL, 0, 0, 7, NULL), INVALID, "randomness");
  ck_fails(ctorch_func_jacfwd(&out, NULL, f, NULL, X, NULL, 0, 0, 0, CTORCH_SOME(int64_t, 0)), VALUE, "chunk_size");
  ck_fails(ctorch_func_jacfwd(&out, NULL, square, NULL, X, NULL, 0, 4, 0, NULL), RUNTIME, "non-empty");
  ck_fails(ctorch_func_hessian(NULL, f, NULL, X, NULL, 0), NONE, "out");
#undef X
#undef XX
#undef NO_TENSOR
  ck_assert(out == UNTOUCHED && more == UNTOUCHED);
  the_next_call_works();
}
END_TEST

START_TEST(kept_functions_check_their_arguments) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *row = floats(CTORCH_INTS(1, 2), 1, 2);
  ctorch_tensor *in_doubles = doubles(CTORCH_INTS(2), 1, 2);
  ctorch_tensor_list *out = NULL;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  enum { NONE = CTORCH_ERROR_NULL_ARGUMENT, INVALID = CTORCH_ERROR_INVALID_ARGUMENT };
  ck_ok(ctorch_func_vjp(&out, &vjp, NULL, square, NULL, CTORCH_TENSORS(x), 0));
  ck_ok(ctorch_func_linearize(&out, &jvp, square, NULL, CTORCH_TENSORS(x)));
  ctorch_error *error = ctorch_vjp_function_call(&out, vjp, CTORCH_TENSORS(row), NULL, NULL);
  const int64_t *dims = NULL;
  size_t len = 0;
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_SHAPE_MISMATCH);
  ck_assert(ctorch_error_expected_shape(error, &dims, &len) && len == 1 && dims[0] == 2);
  ck_assert(ctorch_error_got_shape(error, &dims, &len) && len == 2 && dims[0] == 1 && dims[1] == 2);
  ctorch_error_release(error);
  ck_fails(ctorch_vjp_function_call(&out, NULL, CTORCH_TENSORS(x), NULL, NULL), NONE, "self");
  ck_fails(ctorch_vjp_function_call(NULL, vjp, CTORCH_TENSORS(x), NULL, NULL), NONE, "out");
  ck_fails(ctorch_vjp_function_call(&out, vjp, CTORCH_TENSORS(x, x), NULL, NULL), INVALID, "cotangents");
  ck_fails(ctorch_vjp_function_call(&out, vjp, CTORCH_TENSORS(NULL), NULL, NULL), NONE, "cotangents");
  ck_fails(ctorch_jvp_function_call(&out, NULL, CTORCH_TENSORS(x)), NONE, "self");
  ck_fails(ctorch_jvp_function_call(NULL, jvp, CTORCH_TENSORS(x)), NONE, "out");
  ck_fails(ctorch_jvp_function_call(&out, jvp, CTORCH_TENSORS(x, x)), INVALID, "tangents");
  ck_fails(ctorch_jvp_function_call(&out, jvp, CTORCH_TENSORS(row)), CTORCH_ERROR_SHAPE_MISMATCH, "tangents[0]");
  ck_fails(ctorch_jvp_function_call(&out, jvp, CTORCH_TENSORS(in_doubles)), CTORCH_ERROR_DTYPE_MISMATCH, "tangents[0]");
  ctorch_vjp_function_retain(NULL);
  ctorch_vjp_function_release(NULL);
  ctorch_jvp_function_retain(NULL);
  ctorch_jvp_function_release(NULL);
}
END_TEST

/* What a function must not do. */

FUNCTION(call_backward, 1) {
  ctorch_tensor *total = NULL;
  CTORCH_TRY(ctorch_aten_sum(&total, inputs[0], NULL));
  return ctorch_tensor_backward(total, NULL, NULL, false);
}

FUNCTION(ask_for_a_gradient, 1) {
  ctorch_tensor *copy = NULL;
  CTORCH_TRY(ctorch_aten_clone(&copy, inputs[0], NULL));
  return ctorch_tensor_set_requires_grad(copy, true);
}

FUNCTION(read_a_number, 1) {
  double number = 0;
  ctorch_tensor *total = NULL;
  CTORCH_TRY(ctorch_aten_sum(&total, inputs[0], NULL));
  CTORCH_TRY(ctorch_tensor_item_double(&number, total));
  return ctorch_aten_mul_Scalar(&outputs[0], total, CTORCH_FLOAT(number));
}

FUNCTION(read_memory, 1) {
  const void *memory = NULL;
  return ctorch_tensor_const_data(&memory, inputs[0]);
}

FUNCTION(change_the_payload, 1) {
  CTORCH_TRY(ctorch_aten_add__Tensor(payload, inputs[0], NULL));
  return same(&outputs[0], payload);
}

static ctorch_callback_status forward(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context UNUSED,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload UNUSED) {
  *error = ctorch_tensor_list_new(out, inputs, inputs_len);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

LIST_FUNCTION(apply_a_function_of_its_own) {
  ctorch_autograd_function *function = NULL;
  CTORCH_TRY(ctorch_autograd_function_new(&function, "Own", forward, NULL, NULL, false, NULL, NULL));
  return ctorch_autograd_function_apply(out, function, inputs, inputs_len, NULL, NULL);
}

START_TEST(what_a_transformed_function_must_not_do_is_refused) {
  ctorch_tensor_list *out = NULL, *tangent = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *c = floats(CTORCH_INTS(2), 5, 6);
  ck_fails(
      ctorch_func_grad(&out, NULL, call_backward, NULL, CTORCH_TENSORS(x), NULL, 0, 0), CTORCH_ERROR_RUNTIME,
      "backward() called inside");
  ck_fails(
      ctorch_func_vmap(&out, call_backward, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_RUNTIME,
      "backward() called inside");
  ck_fails(
      ctorch_func_grad(&out, NULL, ask_for_a_gradient, NULL, CTORCH_TENSORS(x), NULL, 0, 0), CTORCH_ERROR_RUNTIME,
      "requires_grad_()");
  ck_fails(
      ctorch_func_vmap(&out, read_a_number, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_RUNTIME,
      "item");
  ck_ok(ctorch_func_grad(&out, NULL, read_a_number, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_floats(at(out, 0), CTORCH_INTS(2), 3, 3);
  ck_fails(
      ctorch_func_vmap(&out, read_memory, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_RUNTIME,
      "storage");
  ck_fails(
      ctorch_func_grad(&out, NULL, read_memory, NULL, CTORCH_TENSORS(x), NULL, 0, 0), CTORCH_ERROR_RUNTIME, "storage");
  ck_fails(
      ctorch_func_grad(&out, NULL, change_the_payload, c, CTORCH_TENSORS(x), NULL, 0, 0), CTORCH_ERROR_RUNTIME,
      "mutate a captured Tensor");
  ck_fails(
      ctorch_func_jvp(&out, &tangent, NULL, change_the_payload, c, CTORCH_TENSORS(x), CTORCH_TENSORS(x), false, 0),
      CTORCH_ERROR_RUNTIME, "mutate a captured Tensor");
  ck_fails(
      ctorch_func_vmap(&out, change_the_payload, c, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_SHAPE_MISMATCH, "broadcast");
  ck_floats(c, CTORCH_INTS(2), 5, 6);
  ck_fails(
      ctorch_func_vmap(&out, apply_a_function_of_its_own, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_RUNTIME, "functorch transforms");
  ck_fails(
      ctorch_func_grad(&out, NULL, apply_a_function_of_its_own, NULL, CTORCH_TENSORS(x), NULL, 0, 0),
      CTORCH_ERROR_RUNTIME, "functorch transforms");
  ck_fails(ctorch_func_grad(&out, NULL, square, NULL, CTORCH_TENSORS(x), NULL, 0, 0), CTORCH_ERROR_RUNTIME, "1 dims");
  the_next_call_works();
}
END_TEST

/* Tensors that outlive their transform. */

FUNCTION(keep_the_input, 1) {
  ctorch_tensor **kept = payload;
  CTORCH_TRY(same(kept, inputs[0]));
  CTORCH_TRY(ctorch_scope_keep(NULL, *kept));
  return ctorch_aten_sum(&outputs[0], inputs[0], NULL);
}

LIST_FUNCTION(grad_that_keeps_the_input) {
  return ctorch_func_grad(out, NULL, keep_the_input, payload, inputs, inputs_len, NULL, 0, 0);
}

FUNCTION(vmap_that_keeps_the_input, 1) {
  ctorch_tensor_list *sums = NULL;
  CTORCH_TRY(ctorch_func_vmap(&sums, keep_the_input, payload, inputs, inputs_len, NULL, 0, NULL, 0, 0, NULL));
  return ctorch_aten_sum(&outputs[0], at(sums, 0), NULL);
}

/** Every accessor answers, and nothing that needs memory does. */
static void every_accessor_survives(ctorch_tensor *kept, bool requires_grad) {
  ctorch_string *text = NULL;
  ctorch_storage *storage = NULL;
  ctorch_tensor *grad = NULL;
  ctorch_device device = {-1, -1};
  void *data = NULL;
  const void *const_data = NULL;
  float numbers[2];
  ck_assert(ctorch_tensor_defined(kept));
  ck_assert_int_eq(ctorch_tensor_ndim(kept), 1);
  ck_assert_int_eq(ctorch_tensor_sizes(kept)[0], 2);
  ck_assert_int_eq(ctorch_tensor_strides(kept)[0], 1);
  ck_assert_int_eq(ctorch_tensor_dtype(kept), CTORCH_DTYPE_FLOAT32);
  ck_assert_int_eq(ctorch_tensor_layout(kept), CTORCH_LAYOUT_STRIDED);
  ck_assert_uint_eq(ctorch_tensor_itemsize(kept), 4);
  ck_assert_uint_eq(ctorch_tensor_nbytes(kept), (size_t)ctorch_tensor_numel(kept) * 4);
  ck_assert_int_eq(ctorch_tensor_storage_offset(kept), 0);
  ck_assert(ctorch_tensor_is_contiguous(kept));
  ck_assert(ctorch_tensor_is_leaf(kept));
  ck_assert(ctorch_tensor_requires_grad(kept) == requires_grad);
  ck_ok(ctorch_tensor_device(&device, kept));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_tensor_grad(&grad, kept));
  ck_assert_ptr_null(grad);
  ck_ok(ctorch_tensor_repr(&text, kept, NULL, NULL, NULL, NULL, NULL));
  ck_assert_ptr_nonnull(strstr(ctorch_string_data(text), "lvl="));
  ck_fails(ctorch_tensor_data(&data, kept), CTORCH_ERROR_RUNTIME, "storage");
  ck_fails(ctorch_tensor_const_data(&const_data, kept), CTORCH_ERROR_RUNTIME, "storage");
  ck_fails(ctorch_storage_from_tensor(&storage, kept), CTORCH_ERROR_NOT_IMPLEMENTED, "storage");
  if (strstr(ctorch_string_data(text), "BatchedTensor") != NULL) {
    ck_fails(
        ctorch_tensor_copy_to_buffer(kept, numbers, ctorch_tensor_nbytes(kept), CTORCH_DTYPE_FLOAT32),
        CTORCH_ERROR_RUNTIME, NULL);
  } else {
    ck_ok(ctorch_tensor_copy_to_buffer(kept, numbers, ctorch_tensor_nbytes(kept), CTORCH_DTYPE_FLOAT32));
    ck_assert(numbers[0] == 1);
  }
}

START_TEST(a_sample_that_outlives_vmap_is_refused_by_operators) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *x = floats(CTORCH_INTS(2), 1, 1);
  ctorch_tensor *kept = NULL, *y = NULL;
  double number = 0;
  ck_ok(ctorch_func_vmap(&out, keep_the_input, &kept, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3), 3, 7, 11);
  every_accessor_survives(kept, false);
  const char *const escaped = "escaped";
  ck_fails(ctorch_aten_add_Tensor(&y, kept, x, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_add_Tensor(&y, x, kept, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_add__Tensor(kept, x, NULL), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_aten_sum(&y, kept, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_cat(&y, CTORCH_TENSORS(kept, x), 0), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_aten_clone(&y, kept, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_detach(&y, kept), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_tensor_item_double(&number, kept), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_tensor_backward(kept, NULL, NULL, false), CTORCH_ERROR_RUNTIME, NULL);
  /* In another transform it is as foreign. */
  ck_fails(ctorch_func_grad(&out, NULL, sum, NULL, CTORCH_TENSORS(kept), NULL, 0, 0), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(
      ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(kept), NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_RUNTIME,
      escaped);
  ck_ok(ctorch_func_debug_unwrap(&y, kept, true));
  ck_assert_ptr_eq(y, xs);
  ctorch_tensor_release(kept);
  the_next_call_works();
}
END_TEST

START_TEST(what_outlives_a_derivative_acts_as_the_tensor_in_it) {
  ctorch_tensor_list *out = NULL, *tangent = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *kept = NULL, *y = NULL;
  for (int forward = 0; forward < 2; forward++) {
    if (forward) {
      ck_ok(
          ctorch_func_jvp(&out, &tangent, NULL, keep_the_input, &kept, CTORCH_TENSORS(x), CTORCH_TENSORS(x), false, 0));
    } else {
      ck_ok(ctorch_func_grad(&out, NULL, keep_the_input, &kept, CTORCH_TENSORS(x), NULL, 0, 0));
      every_accessor_survives(kept, true);
    }
    ck_ok(ctorch_aten_mul_Tensor(&y, kept, kept));
    ck_floats(y, CTORCH_INTS(2), 1, 4);
    ck_ok(ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(kept), NULL, 0, NULL, 0, 0, NULL));
    ck_floats(at(out, 0), CTORCH_INTS(2), 1, 4);
    ck_ok(ctorch_func_grad(&out, NULL, sum, NULL, CTORCH_TENSORS(kept), NULL, 0, 0));
    ck_floats(at(out, 0), CTORCH_INTS(2), 1, 1);
    ctorch_tensor_release(kept);
  }
  the_next_call_works();
}
END_TEST

START_TEST(what_outlives_two_transforms_does_no_harm) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *kept = NULL, *y = NULL;
  ck_ok(ctorch_func_vmap(&out, grad_that_keeps_the_input, &kept, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  every_accessor_survives(kept, true);
  ck_fails(ctorch_aten_sum(&y, kept, NULL), CTORCH_ERROR_RUNTIME, "escaped");
  ctorch_tensor_release(kept);
  ck_ok(ctorch_func_grad(&out, NULL, vmap_that_keeps_the_input, &kept, CTORCH_TENSORS(xs), NULL, 0, 0));
  every_accessor_survives(kept, false);
  ck_fails(ctorch_aten_sum(&y, kept, NULL), CTORCH_ERROR_RUNTIME, "escaped");
  ctorch_tensor_release(kept);
  the_next_call_works();
}
END_TEST

/** Returns what an inner grad has left behind, which is the input of this function again. */
LIST_FUNCTION(return_what_the_inner_grad_kept) {
  ctorch_tensor *kept = NULL;
  ctorch_tensor_list *grads = NULL;
  CTORCH_TRY(ctorch_func_grad(&grads, NULL, keep_the_input, &kept, inputs, inputs_len, NULL, 0, 0));
  ctorch_error *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(kept));
  ctorch_tensor_release(kept);
  return error;
}

START_TEST(a_wrapper_of_an_inner_derivative_may_be_returned) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_func_vmap(&out, return_what_the_inner_grad_kept, NULL, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6);
  ck_ok(ctorch_func_jacrev(&out, NULL, return_what_the_inner_grad_kept, NULL, CTORCH_TENSORS(x), NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 1, 0, 0, 1);
  ck_ok(ctorch_func_jacfwd(&out, NULL, return_what_the_inner_grad_kept, NULL, CTORCH_TENSORS(x), NULL, 0, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 1, 0, 0, 1);
}
END_TEST

/** Returns a sample of an inner vmap that has ended. */
LIST_FUNCTION(return_what_the_inner_vmap_kept) {
  ctorch_tensor *kept = NULL;
  ctorch_tensor_list *sums = NULL;
  CTORCH_TRY(ctorch_func_vmap(&sums, keep_the_input, &kept, inputs, inputs_len, NULL, 0, NULL, 0, 0, NULL));
  ctorch_error *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(kept));
  ctorch_tensor_release(kept);
  return error;
}

START_TEST(a_sample_of_an_inner_vmap_cannot_be_returned) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2, 1), 1, 2, 3, 4, 5, 6);
  ck_fails(
      ctorch_func_vmap(&out, return_what_the_inner_vmap_kept, NULL, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_RUNTIME, "has ended");
  the_next_call_works();
}
END_TEST

typedef struct kept_functions {
  ctorch_vjp_function *vjp;
  ctorch_jvp_function *jvp;
} kept_functions;

LIST_FUNCTION(keep_functions) {
  kept_functions *kept = payload;
  ctorch_tensor_list *y = NULL;
  CTORCH_TRY(ctorch_func_linearize(&y, &kept->jvp, square, NULL, inputs, 1));
  CTORCH_TRY(ctorch_scope_keep(NULL, kept->jvp));
  CTORCH_TRY(ctorch_func_vjp(out, &kept->vjp, NULL, square, NULL, inputs, 1, 0));
  return ctorch_scope_keep(NULL, kept->vjp);
}

START_TEST(a_kept_function_that_outlives_its_vmap_fails) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *x = floats(CTORCH_INTS(2), 1, 2);
  kept_functions kept = {NULL, NULL};
  ck_ok(ctorch_func_vmap(&out, keep_functions, &kept, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3, 2), 1, 4, 9, 16, 25, 36);
  ck_fails(ctorch_vjp_function_call(&out, kept.vjp, CTORCH_TENSORS(x), NULL, NULL), CTORCH_ERROR_RUNTIME, "escaped");
  ck_fails(ctorch_jvp_function_call(&out, kept.jvp, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME, "escaped");
  ctorch_vjp_function_release(kept.vjp);
  ctorch_jvp_function_release(kept.jvp);
  the_next_call_works();
}
END_TEST

FUNCTION(open_a_scope_and_forget_it, 1) {
  ctorch_scope *scope = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  return ctorch_aten_sum(&outputs[0], inputs[0], NULL);
}

START_TEST(a_scope_that_a_function_forgets_does_not_own_the_result) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_func_grad(&out, NULL, open_a_scope_and_forget_it, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_floats(at(out, 0), CTORCH_INTS(2), 1, 1);
}
END_TEST

/* Threads: each has transforms of its own. */

enum { THREADS = 4, ROUNDS = 60 };

FUNCTION(cube, 1) {
  ctorch_tensor *squares = NULL;
  CTORCH_TRY(ctorch_aten_mul_Tensor(&squares, inputs[0], inputs[0]));
  ctorch_error *error = ctorch_aten_mul_Tensor(&outputs[0], squares, inputs[0]);
  ctorch_tensor_release(squares);
  return error;
}

static void *derive(void *argument) {
  const float number = *(const float *)argument;
  ctorch_scope *scope = NULL;
  for (int round = 0; round < ROUNDS; round++) {
    ck_ok(ctorch_scope_begin(&scope));
    ctorch_tensor *x = floats(CTORCH_INTS(2), number, -number);
    ctorch_tensor_list *out = NULL, *tangent = NULL;
    ck_ok(ctorch_func_jvp(&out, &tangent, NULL, cube, NULL, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true, 0));
    ck_floats(at(tangent, 0), CTORCH_INTS(2), 3 * number * number * number, -3 * number * number * number);
    ck_ok(ctorch_func_hessian(&out, cube, NULL, CTORCH_TENSORS(x), NULL, 0));
    ck_floats_near(at(out, 0), 0, 6 * number, 0, 0, 0, 0, 0, 0, -6 * number);
    ck_ok(ctorch_func_vmap(&out, cube, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
    ck_floats(at(out, 0), CTORCH_INTS(2), number * number * number, -number * number * number);
    ctorch_error *error =
        ctorch_func_jacfwd(&out, NULL, fail_without_an_error, NULL, CTORCH_TENSORS(x), NULL, 0, 0, 0, NULL);
    ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_CALLBACK);
    ctorch_error_release(error);
    ck_assert_uint_eq(ctorch_func_depth(), 0);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(threads_transform_at_the_same_time) {
  pthread_t threads[THREADS];
  float numbers[THREADS] = {1, 2, 3, 4};
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, derive, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
}
END_TEST

typedef struct shared {
  const ctorch_vjp_function *vjp;
  const ctorch_tensor *cotangent;
} shared;

static void *multiply(void *argument) {
  const shared *what = argument;
  ctorch_scope *scope = NULL;
  for (int round = 0; round < ROUNDS; round++) {
    ck_ok(ctorch_scope_begin(&scope));
    ctorch_tensor_list *grad = NULL;
    ck_ok(ctorch_vjp_function_call(&grad, what->vjp, CTORCH_TENSORS(what->cotangent), NULL, NULL));
    ck_floats(at(grad, 0), CTORCH_INTS(2), 2, 40);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(threads_share_a_vjp_function) {
  ctorch_tensor_list *y = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *c = floats(CTORCH_INTS(2), 1, 10);
  ctorch_vjp_function *vjp = NULL;
  ck_ok(ctorch_func_vjp(&y, &vjp, NULL, square, NULL, CTORCH_TENSORS(x), 0));
  pthread_t threads[THREADS];
  shared what = {vjp, c};
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, multiply, &what), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
}
END_TEST

static void *release(void *argument) {
  ctorch_vjp_function_release(argument);
  return NULL;
}

START_TEST(another_thread_may_release_a_vjp_function) {
  ctorch_tensor_list *y = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_vjp_function *vjp = NULL;
  pthread_t thread;
  ck_ok(ctorch_func_vjp(&y, &vjp, NULL, square, NULL, CTORCH_TENSORS(x), 0));
  ck_ok(ctorch_scope_keep(NULL, vjp));
  ck_assert_int_eq(pthread_create(&thread, NULL, release, vjp), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

int main(int argc UNUSED, char **argv) {
  if (!handles_are_counted(argv)) {
    return EXIT_FAILURE;
  }
  Suite *suite = suite_create("func, failures");
  ck_function_case(suite, an_error_arrives_unchanged_through_every_transform);
  ck_function_case(suite, a_function_that_fails_without_an_error_is_a_callback_error);
  ck_function_case(suite, an_error_counts_whatever_the_status);
  ck_function_case(suite, what_a_failing_function_wrote_is_released);
  ck_function_case(suite, an_output_left_null_is_an_error);
  ck_function_case(suite, nothing_can_be_mapped_but_not_differentiated);
  ck_function_case(suite, arguments_are_checked_before_the_function_runs);
  ck_function_case(suite, kept_functions_check_their_arguments);
  ck_function_case(suite, what_a_transformed_function_must_not_do_is_refused);
  ck_function_case(suite, a_sample_that_outlives_vmap_is_refused_by_operators);
  ck_function_case(suite, what_outlives_a_derivative_acts_as_the_tensor_in_it);
  ck_function_case(suite, what_outlives_two_transforms_does_no_harm);
  ck_function_case(suite, a_wrapper_of_an_inner_derivative_may_be_returned);
  ck_function_case(suite, a_sample_of_an_inner_vmap_cannot_be_returned);
  ck_function_case(suite, a_kept_function_that_outlives_its_vmap_fails);
  ck_function_case(suite, a_scope_that_a_function_forgets_does_not_own_the_result);
  ck_function_case(suite, threads_transform_at_the_same_time);
  ck_function_case(suite, threads_share_a_vjp_function);
  ck_function_case(suite, another_thread_may_release_a_vjp_function);
  return ck_main(suite);
}
