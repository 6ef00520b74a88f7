/* Transforms of functions where things go wrong: functions that fail at any depth, arguments that do not fit, tensors
 * that outlive their transform, threads. After each test no handle is live and no transform open. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>

#include "functions.h"

#define UNTOUCHED ((ctorch_tensor *)&scope_of_the_test)

FUNCTION(square) { return ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[0]); }
FUNCTION(sum) { return ctorch_aten_sum(&outputs[0], inputs[0], NULL); }

static void the_next_call_works(void) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL, *tangent = NULL;
  ck_assert_uint_eq(ctorch_func_depth(), 0);
  ck_assert(ctorch_grad_mode_enabled());
  ck_ok(ctorch_func_vmap(&out, 1, square, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(out, CTORCH_INTS(2), 1, 4);
  ck_ok(ctorch_func_grad(&out, 1, NULL, 0, sum, NULL, CTORCH_TENSORS(x), NULL, 0));
  ck_floats(out, CTORCH_INTS(2), 1, 1);
  ck_ok(ctorch_func_jvp(&out, 1, &tangent, 1, NULL, 0, square, NULL, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true));
  ck_floats(tangent, CTORCH_INTS(2), 2, 8);
}

/* A tower of transforms, whose innermost function fails. */

enum { VMAP, GRAD, VJP, JVP, JACREV, JACFWD, HESSIAN, LINEARIZE, TRANSFORMS };

typedef struct tower {
  const int *kinds; /* from the outside */
  size_t height;
  ctorch_func_callback innermost;
  size_t reached;
} tower;

FUNCTION(storey) {
  tower *self = payload;
  const size_t depth = ctorch_func_depth();
  if (self->height == 0) {
    self->reached = depth;
    ctorch_error *error = NULL;
    const ctorch_callback_status status = self->innermost(outputs, outputs_len, inputs, inputs_len, &error, payload);
    ck_assert(status != CTORCH_CALLBACK_OK || error == NULL);
    return error;
  }
  tower rest = {self->kinds + 1, self->height - 1, self->innermost, 0};
  ctorch_tensor *other = NULL;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  ctorch_error *error = NULL;
  switch (self->kinds[0]) {
    case VMAP:
      error = ctorch_func_vmap(outputs, 1, storey, &rest, inputs, 1, NULL, 0, NULL, 0, 0, NULL);
      break;
    case GRAD:
      error = ctorch_func_grad(outputs, 1, NULL, 0, storey, &rest, inputs, 1, NULL, 0);
      break;
    case VJP:
      error = ctorch_func_vjp(outputs, 1, &vjp, NULL, 0, storey, &rest, inputs, 1);
      break;
    case JVP:
      error = ctorch_func_jvp(outputs, 1, &other, 1, NULL, 0, storey, &rest, inputs, 1, inputs, 1, false);
      break;
    case JACREV:
      error = ctorch_func_jacrev(outputs, 1, NULL, 0, storey, &rest, inputs, 1, NULL, 0, NULL);
      break;
    case JACFWD:
      error = ctorch_func_jacfwd(outputs, 1, NULL, 0, storey, &rest, inputs, 1, NULL, 0, 0, NULL);
      break;
    case HESSIAN:
      error = ctorch_func_hessian(outputs, 1, storey, &rest, inputs, 1, NULL, 0);
      break;
    default:
      error = ctorch_func_linearize(outputs, 1, &jvp, storey, &rest, inputs, 1);
      break;
  }
  self->reached = rest.reached;
  ck_assert_uint_eq(ctorch_func_depth(), depth);
  return error;
}

static ctorch_error *the_error;

FUNCTION(fail_with_an_error) {
  ck_ok(ctorch_error_new(&the_error, CTORCH_ERROR_DIST_STORE, "on purpose"));
  return the_error;
}

START_TEST(an_error_arrives_unchanged_through_every_transform) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2, 1, 1, 1, 1, 1), NULL, NULL, NULL, NULL));
  for (int outer = 0; outer < TRANSFORMS; outer++) {
    for (int inner = 0; inner < TRANSFORMS; inner++) {
      const int kinds[] = {outer, inner, VMAP};
      for (size_t height = 1; height <= 3; height++) {
        tower self = {kinds, height, fail_with_an_error, 0};
        ctorch_tensor *out = UNTOUCHED;
        ctorch_error *error = storey_body(&out, 1, (const ctorch_tensor *const *)&x, 1, &self);
        ck_assert_ptr_eq(error, the_error);
        ck_assert_int_eq(ctorch_error_code(error), CTORCH_ERROR_DIST_STORE);
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
    ctorch_tensor **outputs UNUSED,
    size_t outputs_len UNUSED,
    const ctorch_tensor *const *inputs UNUSED,
    size_t inputs_len UNUSED,
    ctorch_error **error UNUSED,
    void *payload UNUSED) {
  return 0;
}

static ctorch_callback_status leave_an_error_and_succeed(
    ctorch_tensor **outputs,
    size_t outputs_len UNUSED,
    const ctorch_tensor *const *inputs,
    size_t inputs_len UNUSED,
    ctorch_error **error,
    void *payload UNUSED) {
  ck_ok(same(&outputs[0], inputs[0]));
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "after all"));
  return CTORCH_CALLBACK_OK;
}

FUNCTION(write_all_and_fail) {
  for (size_t i = 0; i < outputs_len; i++) {
    CTORCH_TRY(ctorch_aten_mul_Tensor(&outputs[i], inputs[0], inputs[0]));
  }
  return ctorch_aten_matmul(&outputs[0], inputs[0], NULL); /* fails, and leaves the output as it is */
}

FUNCTION(write_only_the_last) { return ctorch_aten_sum(&outputs[outputs_len - 1], inputs[0], NULL); }

/** One function for every transform, each of which must refuse it. */
static void every_transform_fails(ctorch_func_callback function, ctorch_error_kind code, const char *substring) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out[2] = {UNTOUCHED, UNTOUCHED}, *more[2] = {UNTOUCHED, UNTOUCHED};
  ctorch_tensor *value = UNTOUCHED;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  ck_fails(ctorch_func_vmap(out, 2, function, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL), code, substring);
  ck_fails(
      ctorch_func_vmap(out, 2, function, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, CTORCH_SOME(int64_t, 1)), code,
      substring);
  ck_fails(ctorch_func_grad(out, 1, more, 1, function, NULL, CTORCH_TENSORS(x), NULL, 0), code, substring);
  ck_fails(
      ctorch_func_grad_and_value(out, 1, &value, more, 1, function, NULL, CTORCH_TENSORS(x), NULL, 0), code, substring);
  ck_fails(ctorch_func_vjp(out, 1, &vjp, more, 1, function, NULL, CTORCH_TENSORS(x)), code, substring);
  ck_fails(
      ctorch_func_jvp(out, 2, more, 2, NULL, 0, function, NULL, CTORCH_TENSORS(x), CTORCH_TENSORS(x), false), code,
      substring);
  ck_fails(ctorch_func_linearize(out, 2, &jvp, function, NULL, CTORCH_TENSORS(x)), code, substring);
  ck_fails(ctorch_func_jacrev(out, 2, NULL, 0, function, NULL, CTORCH_TENSORS(x), NULL, 0, NULL), code, substring);
  ck_fails(ctorch_func_jacfwd(out, 2, NULL, 0, function, NULL, CTORCH_TENSORS(x), NULL, 0, 0, NULL), code, substring);
  ck_fails(ctorch_func_hessian(out, 2, function, NULL, CTORCH_TENSORS(x), NULL, 0), code, substring);
  for (int i = 0; i < 2; i++) {
    ck_assert_ptr_eq(out[i], UNTOUCHED);
    ck_assert_ptr_eq(more[i], UNTOUCHED);
  }
  ck_assert_ptr_eq(value, UNTOUCHED);
  ck_assert_ptr_null(vjp);
  ck_assert_ptr_null(jvp);
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
  every_transform_fails(write_all_and_fail, CTORCH_ERROR_NULL_ARGUMENT, "other");
}
END_TEST

START_TEST(an_output_left_null_is_an_error) {
  every_transform_fails(write_only_the_last, CTORCH_ERROR_RUNTIME, "left output 0 NULL");
}
END_TEST

START_TEST(arguments_are_checked_before_the_function_runs) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out[3] = {NULL}, *more[3] = {NULL}, *value = NULL;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  const ctorch_func_callback f = fail_without_an_error; /* it is never called */
  const ctorch_error_kind null = CTORCH_ERROR_NULL_ARGUMENT, invalid = CTORCH_ERROR_INVALID_ARGUMENT;
#define X CTORCH_TENSORS(x)
  ck_fails(ctorch_func_vmap(NULL, 1, f, NULL, X, NULL, 0, NULL, 0, 0, NULL), null, "outputs");
  ck_fails(ctorch_func_vmap(out, SIZE_MAX, f, NULL, X, NULL, 0, NULL, 0, 0, NULL), invalid, "outputs");
  ck_fails(ctorch_func_vmap(out, 1, NULL, NULL, X, NULL, 0, NULL, 0, 0, NULL), null, "function");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, NULL, 1, NULL, 0, NULL, 0, 0, NULL), null, "inputs");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, NULL, 0, NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_VALUE, "no inputs");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, X, NULL, 1, NULL, 0, 0, NULL), null, "in_dims");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, X, CTORCH_INTS(0, 0), NULL, 0, 0, NULL), invalid, "in_dims");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, X, NULL, 0, CTORCH_INTS(0, 0), 0, NULL), invalid, "out_dims");
  ck_fails(
      ctorch_func_vmap(out, 1, f, NULL, X, CTORCH_INTS(INT64_MIN), NULL, 0, 0, NULL), CTORCH_ERROR_VALUE, "in_dim");
  ck_fails(
      ctorch_func_vmap(out, 1, f, NULL, X, CTORCH_INTS(INT64_MAX), NULL, 0, 0, NULL), CTORCH_ERROR_VALUE, "in_dim");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, X, NULL, 0, NULL, 0, 3, NULL), invalid, "randomness");
  ck_fails(ctorch_func_vmap(out, 1, f, NULL, X, NULL, 0, NULL, 0, -1, NULL), invalid, "randomness");
  ck_fails(
      ctorch_func_vmap(out, 1, f, NULL, X, NULL, 0, NULL, 0, 0, CTORCH_SOME(int64_t, 0)), CTORCH_ERROR_VALUE,
      "chunk_size");

  ck_fails(ctorch_func_grad(NULL, 1, NULL, 0, f, NULL, X, NULL, 0), null, "grads");
  ck_fails(ctorch_func_grad(out, 2, NULL, 0, f, NULL, X, NULL, 0), invalid, "grads");
  ck_fails(ctorch_func_grad(out, 1, NULL, 1, f, NULL, X, NULL, 0), null, "aux");
  ck_fails(ctorch_func_grad(out, 1, NULL, 0, NULL, NULL, X, NULL, 0), null, "function");
  ck_fails(ctorch_func_grad(out, 1, NULL, 0, f, NULL, X, NULL, 1), null, "argnums");
  ck_fails(ctorch_func_grad(out, 0, NULL, 0, f, NULL, X, (const int64_t[]){0}, 0), CTORCH_ERROR_RUNTIME, "argnums");
  ck_fails(
      ctorch_func_grad(out, 1, NULL, 0, f, NULL, X, CTORCH_INTS(INT64_MIN)), CTORCH_ERROR_RUNTIME,
      "argnum=-9223372036854775808");
  ck_fails(ctorch_func_grad_and_value(out, 1, NULL, NULL, 0, f, NULL, X, NULL, 0), null, "out_value");
  ck_fails(ctorch_func_grad_and_value(out, 1, &value, NULL, 0, f, NULL, NULL, 0, NULL, 0), CTORCH_ERROR_RUNTIME, "0");

  ck_fails(ctorch_func_vjp(NULL, 1, &vjp, NULL, 0, f, NULL, X), null, "outputs");
  ck_fails(ctorch_func_vjp(out, 1, NULL, NULL, 0, f, NULL, X), null, "out_vjp");
  ck_fails(ctorch_func_vjp(out, 1, &vjp, NULL, 0, NULL, NULL, X), null, "function");
  ck_fails(ctorch_func_vjp(out, 1, &vjp, NULL, 0, f, NULL, CTORCH_TENSORS(NULL)), null, "primals");
  ck_fails(ctorch_func_vjp(out, 1, &vjp, NULL, 0, f, NULL, NULL, 0), CTORCH_ERROR_RUNTIME, "nothing");

  ck_fails(ctorch_func_jvp(NULL, 1, more, 1, NULL, 0, f, NULL, X, X, false), null, "outputs");
  ck_fails(ctorch_func_jvp(out, 1, NULL, 1, NULL, 0, f, NULL, X, X, false), null, "output_tangents");
  ck_fails(ctorch_func_jvp(out, 1, more, 2, NULL, 0, f, NULL, X, X, false), invalid, "output_tangents");
  ck_fails(ctorch_func_jvp(out, 1, more, 1, NULL, 0, f, NULL, X, CTORCH_TENSORS(x, x), false), invalid, "tangents");
  ck_fails(ctorch_func_jvp(out, 1, more, 1, NULL, 0, f, NULL, X, CTORCH_TENSORS(NULL), false), null, "tangents");
  ck_fails(
      ctorch_func_jvp(out, 1, more, 1, NULL, 0, f, NULL, NULL, 0, NULL, 0, false), CTORCH_ERROR_RUNTIME, "nothing");

  ck_fails(ctorch_func_linearize(out, 1, NULL, f, NULL, X), null, "out_jvp");
  ck_fails(ctorch_func_linearize(out, 1, &jvp, f, NULL, NULL, 0), CTORCH_ERROR_RUNTIME, "nothing");

  ck_fails(ctorch_func_jacrev(NULL, 0, NULL, 0, f, NULL, X, NULL, 0, NULL), invalid, "jacobians_len");
  ck_fails(
      ctorch_func_jacrev(out, 3, NULL, 0, f, NULL, CTORCH_TENSORS(x, x), CTORCH_INTS(0, 1), NULL), invalid,
      "jacobians_len");
  ck_fails(
      ctorch_func_jacrev(out, 1, NULL, 0, f, NULL, X, NULL, 0, CTORCH_SOME(int64_t, -1)), CTORCH_ERROR_VALUE,
      "chunk_size");
  ck_fails(ctorch_func_jacfwd(out, 1, NULL, 0, f, NULL, X, NULL, 0, 7, NULL), invalid, "randomness");
  ck_fails(
      ctorch_func_jacfwd(out, 1, NULL, 0, f, NULL, X, NULL, 0, 0, CTORCH_SOME(int64_t, 0)), CTORCH_ERROR_VALUE,
      "chunk_size");
  ck_fails(ctorch_func_hessian(out, 2, f, NULL, CTORCH_TENSORS(x, x), CTORCH_INTS(0, 1)), invalid, "hessians_len");
#undef X
  the_next_call_works();
}
END_TEST

START_TEST(kept_functions_check_their_arguments) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL, *out[2] = {NULL}, *z = NULL, *d = NULL;
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  ck_ok(ctorch_func_vjp(&y, 1, &vjp, NULL, 0, square, NULL, CTORCH_TENSORS(x)));
  ck_ok(ctorch_func_linearize(&y, 1, &jvp, square, NULL, CTORCH_TENSORS(x)));
  z = floats(CTORCH_INTS(1, 2), 1, 2);
  d = doubles(CTORCH_INTS(2), 1, 2);
  ctorch_error *error = ctorch_vjp_function_call(out, 1, vjp, CTORCH_TENSORS(z), NULL, NULL);
  const int64_t *dims = NULL;
  size_t len = 0;
  ck_assert_int_eq(ctorch_error_code(error), CTORCH_ERROR_SHAPE_MISMATCH);
  ck_assert(ctorch_error_expected_shape(error, &dims, &len) && len == 1 && dims[0] == 2);
  ck_assert(ctorch_error_got_shape(error, &dims, &len) && len == 2 && dims[0] == 1 && dims[1] == 2);
  ctorch_error_release(error);
  ck_fails(ctorch_vjp_function_call(out, 1, NULL, CTORCH_TENSORS(x), NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_vjp_function_call(NULL, 1, vjp, CTORCH_TENSORS(x), NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "grads");
  ck_fails(
      ctorch_vjp_function_call(out, 2, vjp, CTORCH_TENSORS(x), NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "grads");
  ck_fails(
      ctorch_vjp_function_call(out, 1, vjp, CTORCH_TENSORS(x, x), NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "cotangents");
  ck_fails(
      ctorch_vjp_function_call(out, 1, vjp, CTORCH_TENSORS(NULL), NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT,
      "cotangents");
  ck_fails(ctorch_jvp_function_call(out, 1, NULL, CTORCH_TENSORS(x)), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_jvp_function_call(out, 1, jvp, CTORCH_TENSORS(z)), CTORCH_ERROR_SHAPE_MISMATCH, "tangents[0]");
  ck_fails(ctorch_jvp_function_call(out, 1, jvp, CTORCH_TENSORS(d)), CTORCH_ERROR_DTYPE_MISMATCH, "tangents[0]");
  ck_fails(ctorch_jvp_function_call(out, 2, jvp, CTORCH_TENSORS(x)), CTORCH_ERROR_INVALID_ARGUMENT, "output_tangents");
  ck_fails(ctorch_jvp_function_call(out, 1, jvp, CTORCH_TENSORS(x, x)), CTORCH_ERROR_INVALID_ARGUMENT, "tangents");
  ctorch_vjp_function_retain(NULL);
  ctorch_vjp_function_release(NULL);
  ctorch_jvp_function_retain(NULL);
  ctorch_jvp_function_release(NULL);
}
END_TEST

/* What a function must not do. */

FUNCTION(call_backward) {
  ctorch_tensor *total = NULL;
  CTORCH_TRY(ctorch_aten_sum(&total, inputs[0], NULL));
  return ctorch_tensor_backward(total, NULL, NULL, false);
}

FUNCTION(ask_for_a_gradient) {
  ctorch_tensor *copy = NULL;
  CTORCH_TRY(ctorch_aten_clone(&copy, inputs[0], NULL));
  return ctorch_tensor_set_requires_grad(copy, true);
}

FUNCTION(read_a_number) {
  double number = 0;
  ctorch_tensor *total = NULL;
  CTORCH_TRY(ctorch_aten_sum(&total, inputs[0], NULL));
  CTORCH_TRY(ctorch_tensor_item_double(&number, total));
  return ctorch_aten_mul_Scalar(&outputs[0], total, CTORCH_FLOAT(number));
}

FUNCTION(read_memory) {
  const void *memory = NULL;
  return ctorch_tensor_const_data(&memory, inputs[0]);
}

FUNCTION(change_the_payload) {
  CTORCH_TRY(ctorch_aten_add__Tensor(payload, inputs[0], NULL));
  return same(&outputs[0], payload);
}

START_TEST(what_a_transformed_function_must_not_do_is_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *c = floats(CTORCH_INTS(2), 5, 6), *out = NULL, *tangent = NULL;
  ck_fails(
      ctorch_func_grad(&out, 1, NULL, 0, call_backward, NULL, CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_RUNTIME,
      "backward() called inside");
  ck_fails(
      ctorch_func_vmap(&out, 1, call_backward, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_RUNTIME, "backward() called inside");
  ck_fails(
      ctorch_func_grad(&out, 1, NULL, 0, ask_for_a_gradient, NULL, CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_RUNTIME,
      "requires_grad_()");
  ck_fails(
      ctorch_func_vmap(&out, 1, read_a_number, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_RUNTIME, "item");
  ck_ok(ctorch_func_grad(&out, 1, NULL, 0, read_a_number, NULL, CTORCH_TENSORS(x), NULL, 0));
  ck_floats(out, CTORCH_INTS(2), 3, 3);
  ck_fails(
      ctorch_func_vmap(&out, 1, read_memory, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_RUNTIME,
      "storage");
  ck_fails(
      ctorch_func_grad(&out, 1, NULL, 0, read_memory, NULL, CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_RUNTIME,
      "storage");
  ck_fails(
      ctorch_func_grad(&out, 1, NULL, 0, change_the_payload, c, CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_RUNTIME,
      "mutate a captured Tensor");
  ck_fails(
      ctorch_func_jvp(
          &out, 1, &tangent, 1, NULL, 0, change_the_payload, c, CTORCH_TENSORS(x), CTORCH_TENSORS(x), false),
      CTORCH_ERROR_RUNTIME, "mutate a captured Tensor");
  ck_fails(
      ctorch_func_vmap(&out, 1, change_the_payload, c, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_SHAPE_MISMATCH, "broadcast");
  ck_floats(c, CTORCH_INTS(2), 5, 6);
  ck_fails(
      ctorch_func_grad(&out, 1, NULL, 0, square, NULL, CTORCH_TENSORS(x), NULL, 0), CTORCH_ERROR_RUNTIME, "1 dims");
  the_next_call_works();
}
END_TEST

/* Tensors that outlive their transform. */

FUNCTION(keep_the_input) {
  ctorch_tensor **kept = payload;
  CTORCH_TRY(same(kept, inputs[0]));
  CTORCH_TRY(ctorch_scope_keep(NULL, *kept));
  return ctorch_aten_sum(&outputs[0], inputs[0], NULL);
}

FUNCTION(grad_that_keeps_the_input) {
  return ctorch_func_grad(outputs, 1, NULL, 0, keep_the_input, payload, inputs, inputs_len, NULL, 0);
}

FUNCTION(vmap_that_keeps_the_input) {
  ctorch_tensor *sums = NULL;
  CTORCH_TRY(ctorch_func_vmap(&sums, 1, keep_the_input, payload, inputs, inputs_len, NULL, 0, NULL, 0, 0, NULL));
  return ctorch_aten_sum(&outputs[0], sums, NULL);
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
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *x = floats(CTORCH_INTS(2), 1, 1);
  ctorch_tensor *kept = NULL, *out = NULL;
  double number = 0;
  ck_ok(ctorch_func_vmap(&out, 1, keep_the_input, &kept, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(out, CTORCH_INTS(3), 3, 7, 11);
  every_accessor_survives(kept, false);
  const char *const escaped = "escaped";
  ck_fails(ctorch_aten_add_Tensor(&out, kept, x, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_add_Tensor(&out, x, kept, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_add__Tensor(kept, x, NULL), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_aten_sum(&out, kept, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_aten_cat(&out, CTORCH_TENSORS(kept, x), 0), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_aten_clone(&out, kept, NULL), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_tensor_detach(&out, kept), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(ctorch_tensor_item_double(&number, kept), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_tensor_backward(kept, NULL, NULL, false), CTORCH_ERROR_RUNTIME, NULL);
  /* In another transform it is as foreign. */
  ck_fails(ctorch_func_grad(&out, 1, NULL, 0, sum, NULL, CTORCH_TENSORS(kept), NULL, 0), CTORCH_ERROR_RUNTIME, escaped);
  ck_fails(
      ctorch_func_vmap(&out, 1, square, NULL, CTORCH_TENSORS(kept), NULL, 0, NULL, 0, 0, NULL), CTORCH_ERROR_RUNTIME,
      NULL);
  ck_ok(ctorch_func_debug_unwrap(&out, kept, true));
  ck_assert_ptr_eq(out, xs);
  ctorch_tensor_release(kept);
  the_next_call_works();
}
END_TEST

START_TEST(what_outlives_a_derivative_acts_as_the_tensor_in_it) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *kept = NULL, *out = NULL, *tangent = NULL;
  for (int forward = 0; forward < 2; forward++) {
    if (forward) {
      ck_ok(ctorch_func_jvp(
          &out, 1, &tangent, 1, NULL, 0, keep_the_input, &kept, CTORCH_TENSORS(x), CTORCH_TENSORS(x), false));
    } else {
      ck_ok(ctorch_func_grad(&out, 1, NULL, 0, keep_the_input, &kept, CTORCH_TENSORS(x), NULL, 0));
      every_accessor_survives(kept, true);
    }
    ck_ok(ctorch_aten_mul_Tensor(&out, kept, kept));
    ck_floats(out, CTORCH_INTS(2), 1, 4);
    ck_ok(ctorch_func_vmap(&out, 1, square, NULL, CTORCH_TENSORS(kept), NULL, 0, NULL, 0, 0, NULL));
    ck_floats(out, CTORCH_INTS(2), 1, 4);
    ck_ok(ctorch_func_grad(&out, 1, NULL, 0, sum, NULL, CTORCH_TENSORS(kept), NULL, 0));
    ck_floats(out, CTORCH_INTS(2), 1, 1);
    ctorch_tensor_release(kept);
  }
  the_next_call_works();
}
END_TEST

START_TEST(what_outlives_two_transforms_does_no_harm) {
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *kept = NULL, *out = NULL;
  ck_ok(ctorch_func_vmap(&out, 1, grad_that_keeps_the_input, &kept, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  every_accessor_survives(kept, true);
  ck_fails(ctorch_aten_sum(&out, kept, NULL), CTORCH_ERROR_RUNTIME, "escaped");
  ctorch_tensor_release(kept);
  ck_ok(ctorch_func_grad(&out, 1, NULL, 0, vmap_that_keeps_the_input, &kept, CTORCH_TENSORS(xs), NULL, 0));
  every_accessor_survives(kept, false);
  ck_fails(ctorch_aten_sum(&out, kept, NULL), CTORCH_ERROR_RUNTIME, "escaped");
  ctorch_tensor_release(kept);
  the_next_call_works();
}
END_TEST

/** Returns what an inner grad has left behind, which is the input of this function again. */
FUNCTION(return_what_the_inner_grad_kept) {
  ctorch_tensor *kept = NULL, *grad = NULL;
  CTORCH_TRY(ctorch_func_grad(&grad, 1, NULL, 0, keep_the_input, &kept, inputs, inputs_len, NULL, 0));
  outputs[0] = kept;
  return NULL;
}

START_TEST(a_wrapper_of_an_inner_derivative_may_be_returned) {
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  ck_ok(
      ctorch_func_vmap(&out, 1, return_what_the_inner_grad_kept, NULL, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(out, CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6);
  ck_ok(ctorch_func_jacrev(&out, 1, NULL, 0, return_what_the_inner_grad_kept, NULL, CTORCH_TENSORS(x), NULL, 0, NULL));
  ck_floats(out, CTORCH_INTS(2, 2), 1, 0, 0, 1);
  ck_ok(
      ctorch_func_jacfwd(&out, 1, NULL, 0, return_what_the_inner_grad_kept, NULL, CTORCH_TENSORS(x), NULL, 0, 0, NULL));
  ck_floats(out, CTORCH_INTS(2, 2), 1, 0, 0, 1);
}
END_TEST

/** Returns a sample of an inner vmap that has ended. */
FUNCTION(return_what_the_inner_vmap_kept) {
  ctorch_tensor *kept = NULL, *sums = NULL;
  CTORCH_TRY(ctorch_func_vmap(&sums, 1, keep_the_input, &kept, inputs, inputs_len, NULL, 0, NULL, 0, 0, NULL));
  outputs[0] = kept;
  return NULL;
}

START_TEST(a_sample_of_an_inner_vmap_cannot_be_returned) {
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2, 1), 1, 2, 3, 4, 5, 6), *out = NULL;
  ck_fails(
      ctorch_func_vmap(&out, 1, return_what_the_inner_vmap_kept, NULL, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_RUNTIME, "has ended");
  the_next_call_works();
}
END_TEST

typedef struct kept_functions {
  ctorch_vjp_function *vjp;
  ctorch_jvp_function *jvp;
} kept_functions;

FUNCTION(keep_functions) {
  kept_functions *kept = payload;
  CTORCH_TRY(ctorch_func_vjp(&outputs[0], 1, &kept->vjp, NULL, 0, square, NULL, inputs, 1));
  CTORCH_TRY(ctorch_scope_keep(NULL, kept->vjp));
  ctorch_tensor *y = NULL;
  CTORCH_TRY(ctorch_func_linearize(&y, 1, &kept->jvp, square, NULL, inputs, 1));
  CTORCH_TRY(ctorch_scope_keep(NULL, kept->jvp));
  return NULL;
}

START_TEST(a_kept_function_that_outlives_its_vmap_fails) {
  ctorch_tensor *xs = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  kept_functions kept = {NULL, NULL};
  ck_ok(ctorch_func_vmap(&out, 1, keep_functions, &kept, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(out, CTORCH_INTS(3, 2), 1, 4, 9, 16, 25, 36);
  ck_fails(ctorch_vjp_function_call(&out, 1, kept.vjp, CTORCH_TENSORS(x), NULL, NULL), CTORCH_ERROR_RUNTIME, "escaped");
  ck_fails(ctorch_jvp_function_call(&out, 1, kept.jvp, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME, "escaped");
  ctorch_vjp_function_release(kept.vjp);
  ctorch_jvp_function_release(kept.jvp);
  the_next_call_works();
}
END_TEST

FUNCTION(open_a_scope_and_forget_it) {
  ctorch_scope *scope = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  return ctorch_aten_sum(&outputs[0], inputs[0], NULL);
}

START_TEST(a_scope_that_a_function_forgets_does_not_own_the_result) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  ck_ok(ctorch_func_grad(&out, 1, NULL, 0, open_a_scope_and_forget_it, NULL, CTORCH_TENSORS(x), NULL, 0));
  ck_floats(out, CTORCH_INTS(2), 1, 1);
}
END_TEST

/* Threads: each has transforms of its own. */

enum { THREADS = 4, ROUNDS = 60 };

FUNCTION(cube) {
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
    ctorch_tensor *x = floats(CTORCH_INTS(2), number, -number), *out = NULL, *tangent = NULL;
    ck_ok(ctorch_func_jvp(&out, 1, &tangent, 1, NULL, 0, cube, NULL, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true));
    ck_floats(tangent, CTORCH_INTS(2), 3 * number * number * number, -3 * number * number * number);
    ck_ok(ctorch_func_hessian(&out, 1, cube, NULL, CTORCH_TENSORS(x), NULL, 0));
    ck_floats_near(out, 0, 6 * number, 0, 0, 0, 0, 0, 0, -6 * number);
    ck_ok(ctorch_func_vmap(&out, 1, cube, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
    ck_floats(out, CTORCH_INTS(2), number * number * number, -number * number * number);
    ctorch_error *error =
        ctorch_func_jacfwd(&out, 1, NULL, 0, fail_without_an_error, NULL, CTORCH_TENSORS(x), NULL, 0, 0, NULL);
    ck_assert_int_eq(ctorch_error_code(error), CTORCH_ERROR_CALLBACK);
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
    ctorch_tensor *grad = NULL;
    ck_ok(ctorch_vjp_function_call(&grad, 1, what->vjp, CTORCH_TENSORS(what->cotangent), NULL, NULL));
    ck_floats(grad, CTORCH_INTS(2), 2, 40);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(threads_share_a_vjp_function) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *c = floats(CTORCH_INTS(2), 1, 10), *y = NULL;
  ctorch_vjp_function *vjp = NULL;
  ck_ok(ctorch_func_vjp(&y, 1, &vjp, NULL, 0, square, NULL, CTORCH_TENSORS(x)));
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
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  ctorch_vjp_function *vjp = NULL;
  pthread_t thread;
  ck_ok(ctorch_func_vjp(&y, 1, &vjp, NULL, 0, square, NULL, CTORCH_TENSORS(x)));
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
