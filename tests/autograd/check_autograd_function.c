/* Custom functions: gradients against their closed forms, what a callback may ask of its context, failures that arrive
 * as the very object that was made, payloads that are destroyed once, and functions applied by several threads.
 * tests/runtime/test_function.py compares the rest with Python's autograd.Function. */
#include <pthread.h>
#include <stdatomic.h>

#include "harness/values.h"

/* Callbacks ---------------------------------------------------------------------------------------------------------*/

/** Hand over a list of tensors that become the list's: the references are given up. */
static ctorch_error *hand_over(ctorch_tensor_list **out, ctorch_tensor **tensors, size_t tensors_len) {
  ctorch_error *error = ctorch_tensor_list_new(out, ctorch_const_tensors(tensors), tensors_len);
  for (size_t i = 0; i < tensors_len; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  return error;
}

/** What a callback answers. */
static ctorch_callback_status answer(ctorch_error **out, ctorch_error *error) {
  *out = error;
  return error == NULL ? CTORCH_CALLBACK_OK : 0;
}

#define FORWARD(name)                                                                                  \
  static ctorch_callback_status name(                                                                  \
      ctorch_tensor_list **out, ctorch_autograd_context *context, const ctorch_tensor *const *tensors, \
      size_t tensors_len, ctorch_error **error, void *payload)
#define BACKWARD(name)                                                                                       \
  static ctorch_callback_status name(                                                                        \
      ctorch_tensor_list **out, const ctorch_autograd_context *context, const ctorch_tensor *const *tensors, \
      size_t tensors_len, ctorch_error **error, void *payload)
#define UNUSED (void)out, (void)context, (void)tensors, (void)tensors_len, (void)error, (void)payload

/** x^3, with x saved. */
static ctorch_error *cube_of(
    ctorch_tensor_list **out, ctorch_autograd_context *context, const ctorch_tensor *const *x) {
  ctorch_tensor *y = NULL;
  CTORCH_TRY(ctorch_autograd_context_save_for_backward(context, x, 1));
  CTORCH_TRY(ctorch_aten_pow_Tensor_Scalar(&y, x[0], CTORCH_INT(3)));
  return hand_over(out, &y, 1);
}

/** 3 x^2 times the gradient. */
static ctorch_error *cube_gradient(
    ctorch_tensor_list **out, const ctorch_autograd_context *context, const ctorch_tensor *grad) {
  ctorch_tensor_list *saved = NULL;
  ctorch_tensor *square = NULL, *slope = NULL, *result = NULL;
  ctorch_error *error = NULL;
  CTORCH_TRY(ctorch_autograd_context_saved_tensors(&saved, context));
  const ctorch_tensor *x = ctorch_tensor_list_data(saved)[0];
  CTORCH_TRY_GOTO(error, ctorch_aten_mul_Tensor(&square, x, x), done);
  CTORCH_TRY_GOTO(error, ctorch_aten_mul_Scalar(&slope, square, CTORCH_INT(3)), done);
  CTORCH_TRY_GOTO(error, ctorch_aten_mul_Tensor(&result, grad, slope), done);
  error = hand_over(out, &result, 1);
done:
  ctorch_tensor_release(slope);
  ctorch_tensor_release(square);
  ctorch_tensor_list_release(saved);
  return error;
}

FORWARD(cube) {
  UNUSED;
  return answer(error, cube_of(out, context, tensors));
}

BACKWARD(cube_backward) {
  UNUSED;
  return answer(error, cube_gradient(out, context, tensors[0]));
}

/** Its inputs, as they are. */
FORWARD(pass) {
  UNUSED;
  return answer(error, ctorch_tensor_list_new(out, tensors, tensors_len));
}

BACKWARD(pass_backward) {
  UNUSED;
  return answer(error, ctorch_tensor_list_new(out, tensors, tensors_len));
}

/* What the tests share ----------------------------------------------------------------------------------------------*/

static ctorch_autograd_function *function_of(
    const char *name,
    ctorch_autograd_function_forward_callback forward,
    ctorch_autograd_function_backward_callback backward) {
  ctorch_autograd_function *function = NULL;
  ck_ok(ctorch_autograd_function_new(&function, name, forward, backward, NULL, false, NULL, NULL));
  return function;
}

static ctorch_tensor *parameter(double value) {
  ctorch_tensor *x = doubles(CTORCH_INTS(1), value);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

/** The single output of a function of one tensor. */
static ctorch_tensor *apply(const ctorch_autograd_function *function, const ctorch_tensor *x) {
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), NULL, NULL));
  ck_assert_uint_eq(ctorch_tensor_list_len(outputs), 1);
  ck_ok(ctorch_tensor_list_get(&y, outputs, 0));
  ctorch_tensor_list_release(outputs);
  return y;
}

static ctorch_tensor *grad_of(const ctorch_tensor *x) {
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  return grad;
}

static ctorch_error *backward(const ctorch_tensor *y) { return ctorch_tensor_backward(y, NULL, NULL, false); }
static ctorch_error *backward_again(const ctorch_tensor *y) {
  return ctorch_tensor_backward(y, NULL, CTORCH_SOME(bool, true), false);
}

static void count(void *counter) { atomic_fetch_add((atomic_int *)counter, 1); }

/* Gradients ---------------------------------------------------------------------------------------------------------*/

START_TEST(the_gradient_is_what_backward_says) {
  ctorch_autograd_function *function = function_of("Cube", cube, cube_backward);
  ctorch_tensor *x = parameter(2), *y = apply(function, x);
  ck_doubles(y, CTORCH_INTS(1), 8);
  ck_assert(ctorch_tensor_requires_grad(y) && !ctorch_tensor_is_leaf(y));
  ck_ok(backward(y));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 12);
}
END_TEST

START_TEST(backward_may_be_differentiated) {
  ctorch_tensor *x = parameter(2), *y = apply(function_of("Cube", cube, cube_backward), x);
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, true));
  ctorch_tensor *first = grad_of(x);
  ck_doubles(first, CTORCH_INTS(1), 12);
  ck_ok(ctorch_tensor_set_grad(x, NULL));
  ck_ok(backward(first));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 12); /* 6 x */
}
END_TEST

START_TEST(once_differentiable_says_so_instead_of_being_wrong) {
  ctorch_autograd_function *function = NULL;
  ck_ok(ctorch_autograd_function_new(&function, "Cube", cube, cube_backward, NULL, true, NULL, NULL));
  ctorch_tensor *x = parameter(2), *w = parameter(1), *y = apply(function, x), *z = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&z, y, w));
  ck_ok(ctorch_tensor_backward(z, NULL, NULL, true));
  ck_fails(backward(grad_of(x)), CTORCH_ERROR_RUNTIME, "differentiate twice");
  ck_ok(ctorch_tensor_set_grad(x, NULL)); /* which refers to x */
  ck_ok(ctorch_tensor_set_grad(w, NULL));
}
END_TEST

START_TEST(a_graph_is_used_once_unless_it_is_retained) {
  ctorch_tensor *x = parameter(2), *y = apply(function_of("Cube", cube, cube_backward), x);
  ck_ok(backward_again(y));
  ck_ok(backward(y));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 24);
  ck_fails(backward(y), CTORCH_ERROR_RUNTIME, "backward through the graph a second time");
}
END_TEST

START_TEST(a_saved_tensor_must_not_change) {
  ctorch_tensor *x = parameter(2), *twice = NULL;
  ck_ok(ctorch_aten_mul_Scalar(&twice, x, CTORCH_INT(2)));
  ctorch_tensor *y = apply(function_of("Cube", cube, cube_backward), twice);
  ck_ok(ctorch_aten_add__Scalar(twice, CTORCH_INT(1), NULL));
  ck_fails(backward(y), CTORCH_ERROR_RUNTIME, "modified by an inplace operation");
}
END_TEST

START_TEST(a_call_without_grad_mode_is_not_recorded) {
  ctorch_autograd_function *function = function_of("Cube", cube, cube_backward);
  ctorch_tensor *x = parameter(2);
  ck_ok(ctorch_grad_mode_push(false));
  ctorch_tensor *y = apply(function, x);
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(!ctorch_tensor_requires_grad(y) && ctorch_tensor_is_leaf(y));
}
END_TEST

/* sum_i (i + 1) x_i over however many inputs there are, some of them missing */
FORWARD(weighted_sum) {
  UNUSED;
  double sum = 0;
  ctorch_tensor *y = NULL;
  for (size_t i = 0; i < tensors_len; i++) {
    double value = 0;
    if (tensors[i] != NULL) {
      ck_ok(ctorch_tensor_copy_to_buffer(tensors[i], &value, sizeof value, CTORCH_DTYPE_FLOAT64));
    }
    ck_assert_int_eq(ctorch_autograd_context_needs_input_grad(context, i), ctorch_tensor_requires_grad(tensors[i]));
    sum += (double)(i + 1) * value;
  }
  ck_assert(!ctorch_autograd_context_needs_input_grad(context, tensors_len));
  ck_assert_uint_eq(ctorch_autograd_context_inputs_len(context), tensors_len);
  y = doubles(CTORCH_INTS(1), sum);
  return answer(error, hand_over(out, &y, 1));
}

BACKWARD(weighted_sum_backward) {
  UNUSED;
  ctorch_tensor *gradients[8] = {0};
  const size_t inputs_len = ctorch_autograd_context_inputs_len(context);
  ck_assert_uint_le(inputs_len, 8);
  for (size_t i = 0; i < inputs_len; i++) {
    if (ctorch_autograd_context_needs_input_grad(context, i)) {
      ck_ok(ctorch_aten_mul_Scalar(&gradients[i], tensors[0], CTORCH_INT((int64_t)i + 1)));
    }
  }
  return answer(error, hand_over(out, gradients, inputs_len));
}

START_TEST(inputs_may_be_missing_and_gradients_too) {
  ctorch_autograd_function *function = function_of("WeightedSum", weighted_sum, weighted_sum_backward);
  ctorch_tensor *x = parameter(1), *constant = doubles(CTORCH_INTS(1), 10), *z = parameter(100), *y = NULL;
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(NULL, x, constant, NULL, z), NULL, NULL));
  ck_ok(ctorch_tensor_list_get(&y, outputs, 0));
  ck_doubles(y, CTORCH_INTS(1), 2 + 30 + 500);
  ck_ok(backward(y));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 2);
  ck_doubles(grad_of(z), CTORCH_INTS(1), 5);
  ck_assert_ptr_null(grad_of(constant));
}
END_TEST

FORWARD(nothing) {
  UNUSED;
  return CTORCH_CALLBACK_OK;
}

BACKWARD(nothing_backward) {
  UNUSED;
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_null_list_has_no_outputs_and_no_gradients) {
  ctorch_tensor *x = parameter(1);
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_autograd_function_apply(
      &outputs, function_of("Nothing", nothing, nothing_backward), CTORCH_TENSORS(x), NULL, NULL));
  ck_assert_uint_eq(ctorch_tensor_list_len(outputs), 0);
  ck_ok(
      ctorch_autograd_function_apply(&outputs, function_of("Nothing", nothing, nothing_backward), NULL, 0, NULL, NULL));
  ck_assert_uint_eq(ctorch_tensor_list_len(outputs), 0);
  ctorch_tensor *y = apply(function_of("Block", pass, nothing_backward), x);
  ck_ok(backward(y));
  ck_assert_ptr_null(grad_of(x));
}
END_TEST

BACKWARD(two_gradients) {
  UNUSED;
  return answer(error, ctorch_tensor_list_new(out, CTORCH_TENSORS(tensors[0], tensors[0])));
}

START_TEST(the_number_of_gradients_is_the_number_of_inputs) {
  ctorch_tensor *y = apply(function_of("Wrong", pass, two_gradients), parameter(1));
  ck_fails(
      backward(y), CTORCH_ERROR_RUNTIME,
      "function WrongBackward returned an incorrect number of gradients (expected 1, got 2)");
}
END_TEST

BACKWARD(gradient_of_another_shape) {
  UNUSED;
  ctorch_tensor *wrong = doubles(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  return answer(error, hand_over(out, &wrong, 1));
}

START_TEST(a_gradient_has_the_shape_of_its_input) {
  ctorch_tensor *x = doubles(CTORCH_INTS(2), 1, 2), *sum = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_tensor *y = apply(function_of("Wrong", pass, gradient_of_another_shape), x);
  ck_ok(ctorch_aten_sum(&sum, y, NULL));
  ck_fails(backward(sum), CTORCH_ERROR_RUNTIME, "Function WrongBackward returned an invalid gradient at index 0");
}
END_TEST

START_TEST(without_a_backward_there_is_no_reverse_mode) {
  ctorch_autograd_function *function = NULL;
  ck_ok(ctorch_autograd_function_new(&function, "Cube", cube, NULL, NULL, false, NULL, NULL));
  ctorch_tensor *y = apply(function, parameter(2));
  ck_doubles(y, CTORCH_INTS(1), 8);
  ck_fails(backward(y), CTORCH_ERROR_NOT_IMPLEMENTED, "Cube: You must implement the backward callback");
}
END_TEST

/* The context -------------------------------------------------------------------------------------------------------*/

FORWARD(keeps_its_context) {
  ctorch_autograd_context_retain(context);
  *(ctorch_autograd_context **)ctorch_autograd_context_payload(context) = context;
  return cube(out, context, tensors, tensors_len, error, payload);
}

START_TEST(a_context_speaks_only_while_forward_runs_and_may_outlive_the_graph) {
  ctorch_autograd_function *function = function_of("Cube", keeps_its_context, cube_backward);
  ctorch_autograd_context *context = NULL;
  ctorch_tensor *x = parameter(2);
  ctorch_tensor_list *outputs = NULL, *saved = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), NULL, &context));
  ck_assert_ptr_nonnull(context);
  ck_assert_ptr_eq(ctorch_autograd_context_payload(context), &context);
  ck_assert(ctorch_autograd_context_needs_input_grad(context, 0));

  ck_fails(
      ctorch_autograd_context_save_for_backward(context, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME, "forward is over");
  ck_fails(
      ctorch_autograd_context_save_for_forward(context, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME, "forward is over");
  ck_fails(ctorch_autograd_context_mark_dirty(context, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME, "forward is over");
  ck_fails(
      ctorch_autograd_context_mark_non_differentiable(context, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME,
      "forward is over");
  ck_fails(ctorch_autograd_context_set_materialize_grads(context, false), CTORCH_ERROR_RUNTIME, "forward is over");

  ck_ok(ctorch_autograd_context_saved_tensors(&saved, context));
  ck_assert_uint_eq(ctorch_tensor_list_len(saved), 1);
  ck_assert_ptr_eq(ctorch_tensor_list_data(saved)[0], x);

  ctorch_tensor_list_release(outputs);
  saved = NULL;
  ck_fails(ctorch_autograd_context_saved_tensors(&saved, context), CTORCH_ERROR_RUNTIME, NULL);
  ck_assert_ptr_null(saved);
  ck_assert_uint_eq(ctorch_autograd_context_inputs_len(context), 1);
  ck_assert(ctorch_autograd_context_needs_input_grad(context, 0));
  ctorch_autograd_context_release(context);
}
END_TEST

START_TEST(saved_tensors_are_freed_with_the_buffers) {
  ctorch_autograd_function *function = function_of("Cube", keeps_its_context, cube_backward);
  ctorch_autograd_context *context = NULL;
  ctorch_tensor *y = NULL;
  ctorch_tensor_list *outputs = NULL, *saved = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(parameter(2)), NULL, &context));
  ck_ok(ctorch_tensor_list_get(&y, outputs, 0));
  ck_ok(backward(y));
  ck_fails(
      ctorch_autograd_context_saved_tensors(&saved, context), CTORCH_ERROR_RUNTIME,
      "directly access saved tensors after they have already been freed");
  ctorch_autograd_context_release(context);
}
END_TEST

FORWARD(tries_what_is_wrong) {
  const ctorch_tensor *holes[2] = {NULL, tensors[0]};
  ctorch_tensor_list *saved = NULL;
  ck_fails(ctorch_autograd_context_mark_dirty(context, holes, 2), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(ctorch_autograd_context_mark_non_differentiable(context, holes, 2), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_ok(ctorch_autograd_context_save_for_backward(context, holes, 2));
  ck_ok(ctorch_autograd_context_save_for_forward(context, holes, 2));
  ck_ok(ctorch_autograd_context_save_for_backward(context, NULL, 0));
  ck_fails(ctorch_autograd_context_save_for_backward(context, NULL, 3), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(ctorch_autograd_context_save_for_forward(context, NULL, 3), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(ctorch_autograd_context_mark_dirty(context, NULL, 3), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(
      ctorch_autograd_context_save_for_backward(context, tensors, SIZE_MAX / 2), CTORCH_ERROR_INVALID_ARGUMENT,
      "tensors");
  ck_fails(
      ctorch_autograd_context_mark_dirty(context, tensors, SIZE_MAX / 2), CTORCH_ERROR_INVALID_ARGUMENT, "tensors");
  ck_fails(ctorch_autograd_context_saved_tensors(NULL, context), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_ok(ctorch_autograd_context_saved_tensors(&saved, context));
  ck_assert_uint_eq(ctorch_tensor_list_len(saved), 0);
  return pass(out, context, tensors, tensors_len, error, payload);
}

START_TEST(bad_arguments_are_refused) {
  ctorch_autograd_function *function = function_of("Cube", cube, cube_backward), *untouched = NULL;
  ctorch_tensor_list *outputs = NULL;
  const ctorch_tensor *x = parameter(2);
  atomic_int destroyed = 0;
  ck_fails(
      ctorch_autograd_function_new(NULL, "F", cube, cube_backward, NULL, false, count, &destroyed),
      CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(
      ctorch_autograd_function_new(&untouched, NULL, cube, cube_backward, NULL, false, count, &destroyed),
      CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_fails(
      ctorch_autograd_function_new(&untouched, "F", NULL, cube_backward, NULL, false, count, &destroyed),
      CTORCH_ERROR_NULL_ARGUMENT, "forward");
  ck_fails(
      ctorch_autograd_function_new(&untouched, "\xff", cube, cube_backward, NULL, false, count, &destroyed),
      CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_fails(
      ctorch_autograd_function_apply(NULL, function, CTORCH_TENSORS(x), count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT,
      "out");
  ck_fails(
      ctorch_autograd_function_apply(&outputs, NULL, CTORCH_TENSORS(x), count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT,
      "self");
  ck_fails(
      ctorch_autograd_function_apply(&outputs, function, NULL, 2, count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT,
      "inputs");
  ck_fails(
      ctorch_autograd_function_apply(&outputs, function, &x, SIZE_MAX, count, &destroyed),
      CTORCH_ERROR_INVALID_ARGUMENT, "inputs");
  ck_assert_ptr_null(untouched);
  ck_assert_ptr_null(outputs);
  ck_assert_int_eq(destroyed, 0);

  apply(function_of("Tries", tries_what_is_wrong, pass_backward), x);
  ck_fails(ctorch_autograd_context_save_for_backward(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_autograd_context_save_for_forward(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_autograd_context_saved_tensors(&outputs, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_autograd_context_mark_dirty(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_autograd_context_mark_non_differentiable(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_autograd_context_set_materialize_grads(NULL, true), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert(!ctorch_autograd_context_needs_input_grad(NULL, 0));
  ck_assert_uint_eq(ctorch_autograd_context_inputs_len(NULL), 0);
  ck_assert_ptr_null(ctorch_autograd_context_payload(NULL));
  ck_assert_str_eq(ctorch_autograd_function_name(NULL), "");
  ck_assert_str_eq(ctorch_autograd_function_name(function), "Cube");
  ctorch_autograd_function_retain(NULL);
  ctorch_autograd_function_release(NULL);
  ctorch_autograd_context_retain(NULL);
  ctorch_autograd_context_release(NULL);
}
END_TEST

/* In place ----------------------------------------------------------------------------------------------------------*/

FORWARD(add_one) {
  UNUSED;
  ctorch_tensor *x = (ctorch_tensor *)tensors[0]; /* which is what mark_dirty declares */
  if ((*error = ctorch_aten_add__Scalar(x, CTORCH_INT(1), NULL)) == NULL &&
      (*error = ctorch_autograd_context_mark_dirty(context, tensors, 1)) == NULL) {
    *error = ctorch_tensor_list_new(out, tensors, 1);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

START_TEST(an_input_that_is_changed_is_the_output) {
  ctorch_tensor *x = parameter(2), *y = NULL;
  ck_ok(ctorch_aten_mul_Scalar(&y, x, CTORCH_INT(5)));
  ctorch_tensor *z = apply(function_of("AddOne", add_one, pass_backward), y);
  ck_assert_ptr_eq(z, y);
  ck_doubles(y, CTORCH_INTS(1), 11);
  ck_ok(backward(y));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 5);
}
END_TEST

START_TEST(a_leaf_must_not_be_changed) {
  ctorch_tensor *x = parameter(2);
  ctorch_tensor_list *outputs = NULL;
  ck_fails(
      ctorch_autograd_function_apply(
          &outputs, function_of("AddOne", add_one, pass_backward), CTORCH_TENSORS(x), NULL, NULL),
      CTORCH_ERROR_RUNTIME, "a leaf Variable that requires grad");
  ck_assert_ptr_null(outputs);
}
END_TEST

/* Payloads ----------------------------------------------------------------------------------------------------------*/

START_TEST(payloads_are_destroyed_once_when_the_graph_is_gone) {
  atomic_int functions = 0, calls = 0;
  ctorch_autograd_function *function = NULL;
  ck_ok(ctorch_autograd_function_new(&function, "Cube", cube, cube_backward, NULL, false, count, &functions));
  ctorch_tensor *x = parameter(2), *y = NULL;
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), count, &calls));
  ck_ok(ctorch_tensor_list_get(&y, outputs, 0));
  ctorch_autograd_function_retain(function);
  ctorch_autograd_function_release(function);
  ctorch_autograd_function_release(function);
  ctorch_tensor_list_release(outputs);
  ck_ok(backward(y));
  ck_assert_int_eq(functions, 0);
  ck_assert_int_eq(calls, 0);
  ctorch_tensor_release(y);
  ck_assert_int_eq(functions, 1);
  ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(a_call_that_is_not_recorded_needs_its_payload_no_longer) {
  atomic_int calls = 0;
  ctorch_autograd_function *function = function_of("Cube", cube, cube_backward);
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(doubles(CTORCH_INTS(1), 2)), count, &calls));
  ck_assert_int_eq(calls, 1);
}
END_TEST

/** Saves its output, which refers to the node that saves it. */
FORWARD(saves_its_output) {
  UNUSED;
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_exp(&y, tensors[0]));
  ck_ok(ctorch_autograd_context_save_for_backward(context, CTORCH_TENSORS(y)));
  return answer(error, hand_over(out, &y, 1));
}

START_TEST(a_saved_output_makes_no_cycle) {
  atomic_int calls = 0;
  ctorch_autograd_function *function = function_of("Exp", saves_its_output, pass_backward);
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(parameter(2)), count, &calls));
  ck_assert_int_eq(calls, 0);
  ctorch_tensor_list_release(outputs);
  ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(a_deep_graph_is_freed_without_deep_recursion) {
  enum { DEPTH = 50000 };
  atomic_int calls = 0;
  ctorch_autograd_function *function = function_of("Exp", saves_its_output, pass_backward);
  ctorch_scope *scope = NULL;
  ctorch_tensor *y = parameter(0);
  for (int i = 0; i < DEPTH; i++) {
    ctorch_tensor_list *outputs = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(y), count, &calls));
    ctorch_tensor *next = NULL;
    ck_ok(ctorch_tensor_list_get(&next, outputs, 0));
    ck_ok(ctorch_scope_keep(scope, next));
    ctorch_scope_end(scope);
    ctorch_tensor_release(y);
    y = next;
  }
  ck_assert_int_eq(calls, 0);
  ctorch_tensor_release(y);
  ck_assert_int_eq(calls, DEPTH);
}
END_TEST

/* Failures ----------------------------------------------------------------------------------------------------------*/

/* The error that the next failing callback hands over, and what it answers with it. */
static _Thread_local ctorch_error *next_error;
static _Thread_local ctorch_callback_status next_status;

static ctorch_error *fresh_error(void) {
  ctorch_error *error = NULL;
  ck_ok(ctorch_error_new(&error, CTORCH_ERROR_IO, "the disk is full"));
  return error;
}

FORWARD(fails) {
  UNUSED;
  ck_ok(ctorch_tensor_list_new(out, tensors, tensors_len)); /* must not leak */
  *error = next_error;
  return next_status;
}

BACKWARD(fails_backward) {
  UNUSED;
  ck_ok(ctorch_tensor_list_new(out, tensors, tensors_len));
  *error = next_error;
  return next_status;
}

START_TEST(a_failing_callback_hands_its_error_to_the_caller) {
  ctorch_autograd_function *function = function_of("Fails", fails, NULL),
                           *late = function_of("Late", pass, fails_backward);
  ctorch_tensor *x = parameter(1), *y = apply(late, x);
  ctorch_tensor_list *outputs = NULL;
  atomic_int calls = 0;
  /* An error counts, whatever the status says; no status but CTORCH_CALLBACK_OK is success. */
  static const ctorch_callback_status statuses[] = {0, -1, CTORCH_CALLBACK_OK, 7};
  for (size_t i = 0; i < 4; i++) {
    next_status = statuses[i];
    next_error = fresh_error();
    ctorch_error *error = ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), count, &calls);
    ck_assert_ptr_eq(error, next_error);
    ck_assert_str_eq(ctorch_error_message(error), "the disk is full");
    ctorch_error_release(error);
    next_error = fresh_error();
    error = backward_again(y);
    ck_assert_ptr_eq(error, next_error);
    ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_IO);
    ctorch_error_release(error);
  }
  next_error = NULL;
  next_status = 0;
  ck_fails(
      ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), count, &calls), CTORCH_ERROR_CALLBACK,
      "Fails.forward");
  ck_fails(backward_again(y), CTORCH_ERROR_CALLBACK, "Late.backward");
  ck_assert_ptr_null(outputs);
  ck_assert_int_eq(calls, 0);
  ck_assert_ptr_null(grad_of(x));
}
END_TEST

static void *fails_on_a_thread(void *y) {
  next_status = 0;
  next_error = fresh_error();
  ctorch_error *error = backward_again(y);
  ck_assert_ptr_eq(error, next_error);
  ctorch_error_release(error);
  return NULL;
}

START_TEST(an_error_arrives_on_the_thread_that_ran_backward) {
  ctorch_tensor *y = apply(function_of("Late", pass, fails_backward), parameter(1));
  pthread_t thread;
  ck_ok(ctorch_scope_keep(NULL, y));
  for (int i = 0; i < 10; i++) {
    ck_assert_int_eq(pthread_create(&thread, NULL, fails_on_a_thread, y), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
  }
  ctorch_tensor_release(y);
}
END_TEST

/* A backward that runs backward, to a depth at which LibTorch goes on with another thread; the innermost one fails. */
enum { DEEPEST = 80 };
typedef struct {
  ctorch_autograd_function *function;
  int depth;
  int fail_at;
  ctorch_error *failed_with;
} descent;

BACKWARD(descend) {
  UNUSED;
  descent *self = payload;
  if (++self->depth == self->fail_at) {
    *error = self->failed_with = fresh_error();
    return 0;
  }
  if (self->depth < DEEPEST) {
    ctorch_scope *scope = NULL;
    ctorch_error *inner = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ck_ok(ctorch_grad_mode_push(true));
    inner = backward(apply(self->function, parameter(1)));
    ck_ok(ctorch_grad_mode_pop());
    ctorch_scope_end(scope);
    if (inner != NULL) {
      *error = inner;
      return 0;
    }
  }
  return answer(error, ctorch_tensor_list_new(out, tensors, tensors_len));
}

START_TEST(backward_may_run_backward_and_errors_cross_all_of_it) {
  descent self = {NULL, 0, 0, NULL};
  ck_ok(ctorch_autograd_function_new(&self.function, "Descend", pass, descend, NULL, false, NULL, &self));
  ctorch_tensor *x = parameter(1);
  ck_ok(backward(apply(self.function, x)));
  ck_assert_int_eq(self.depth, DEEPEST);
  ck_doubles(grad_of(x), CTORCH_INTS(1), 1);

  self.depth = 0;
  self.fail_at = DEEPEST - 5;
  ctorch_error *error = backward(apply(self.function, x));
  ck_assert_ptr_nonnull(error);
  ck_assert_ptr_eq(error, self.failed_with);
  ck_assert_str_eq(ctorch_error_message(error), "the disk is full");
  ctorch_error_release(error);
}
END_TEST

/* Threads -----------------------------------------------------------------------------------------------------------*/

enum { THREADS = 4, ROUNDS = 100 };

static void *applies(void *function) {
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ctorch_tensor *x = parameter(i % 4), *y = apply(function, apply(function, x));
    ck_ok(backward_again(y));
    ck_ok(backward(y));
    ck_doubles(grad_of(x), CTORCH_INTS(1), 2 * 9 * pow(i % 4, 8)); /* of x^9, twice */
    ctorch_scope_end(scope);
  }
  return NULL;
}

static void *runs_backward(void *y) {
  for (int i = 0; i < ROUNDS; i++) {
    ck_ok(backward_again(y));
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

START_TEST(a_function_may_be_applied_by_several_threads) {
  atomic_int destroyed = 0;
  ctorch_autograd_function *function = NULL;
  ck_ok(ctorch_autograd_function_new(&function, "Cube", cube, cube_backward, NULL, false, count, &destroyed));
  run_side_by_side(applies, function);
  ck_assert_int_eq(destroyed, 0);
  ctorch_autograd_function_release(function);
  ck_assert_int_eq(destroyed, 1);
}
END_TEST

START_TEST(several_threads_may_run_backward_through_one_graph) {
  ctorch_tensor *x = parameter(2), *y = apply(function_of("Cube", cube, cube_backward), x);
  run_side_by_side(runs_backward, y);
  ck_doubles(grad_of(x), CTORCH_INTS(1), 12.0 * THREADS * ROUNDS);
}
END_TEST

static void *fails_or_frees(void *y) {
  ctorch_error *error = backward(y); /* the first to finish frees what the others read */
  if (error != NULL) {
    ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_RUNTIME);
    ck_assert_ptr_nonnull(strstr(ctorch_error_message(error), "second time"));
    ctorch_error_release(error);
  }
  return NULL;
}

START_TEST(a_graph_that_one_thread_frees_fails_for_the_others) {
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_tensor *x = parameter(2), *y = apply(function_of("Cube", cube, cube_backward), x);
    run_side_by_side(fails_or_frees, y);
    ck_assert_ptr_nonnull(grad_of(x));
  }
}
END_TEST

/* Tangents ------------------------------------------------------------------------------------------------------ */

static bool materializes;
static int zeros_seen, nulls_seen;

FORWARD(adds_two) {
  UNUSED;
  ctorch_tensor *y = NULL;
  *error = materializes ? NULL : ctorch_autograd_context_set_materialize_grads(context, false);
  if (*error == NULL && (*error = ctorch_aten_add_Tensor(&y, tensors[0], tensors[1], NULL)) == NULL) {
    *error = hand_over(out, &y, 1);
  }
  return answer(error, *error);
}

/** The tangent of the sum, of which the second part is missing. */
BACKWARD(adds_two_tangents) {
  UNUSED;
  ck_assert_uint_eq(tensors_len, 2);
  ck_floats(tensors[0], CTORCH_INTS(1), 5);
  if (tensors[1] == NULL) {
    nulls_seen++;
  } else {
    ck_floats(tensors[1], CTORCH_INTS(1), 0);
    zeros_seen++;
  }
  return answer(error, ctorch_tensor_list_new(out, CTORCH_TENSORS(tensors[0])));
}

START_TEST(tangents_that_are_missing_are_zeros_or_null) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 2), *y = floats(CTORCH_INTS(1), 1), *along = floats(CTORCH_INTS(1), 5);
  ctorch_autograd_function *function = NULL;
  ck_ok(ctorch_autograd_function_new(&function, "Sum", adds_two, NULL, adds_two_tangents, false, NULL, NULL));
  for (int i = 0; i < 2; i++) {
    ctorch_tensor *dual = NULL, *primal = NULL, *tangent = NULL;
    ctorch_tensor_list *outputs = NULL;
    materializes = i == 0;
    ck_ok(ctorch_dual_level_push());
    ck_ok(ctorch_tensor_make_dual(&dual, x, along, NULL));
    ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(dual, y), NULL, NULL));
    ck_ok(ctorch_tensor_unpack_dual(&primal, &tangent, ctorch_tensor_list_data(outputs)[0], NULL));
    ck_floats(primal, CTORCH_INTS(1), 3);
    ck_floats(tangent, CTORCH_INTS(1), 5);
    ck_ok(ctorch_dual_level_pop());
  }
  ck_assert(zeros_seen == 1 && nulls_seen == 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("function");
  ck_scoped_case(suite, the_gradient_is_what_backward_says);
  ck_scoped_case(suite, backward_may_be_differentiated);
  ck_scoped_case(suite, once_differentiable_says_so_instead_of_being_wrong);
  ck_scoped_case(suite, a_graph_is_used_once_unless_it_is_retained);
  ck_scoped_case(suite, a_saved_tensor_must_not_change);
  ck_scoped_case(suite, a_call_without_grad_mode_is_not_recorded);
  ck_scoped_case(suite, inputs_may_be_missing_and_gradients_too);
  ck_scoped_case(suite, a_null_list_has_no_outputs_and_no_gradients);
  ck_scoped_case(suite, the_number_of_gradients_is_the_number_of_inputs);
  ck_scoped_case(suite, a_gradient_has_the_shape_of_its_input);
  ck_scoped_case(suite, without_a_backward_there_is_no_reverse_mode);
  ck_scoped_case(suite, a_context_speaks_only_while_forward_runs_and_may_outlive_the_graph);
  ck_scoped_case(suite, saved_tensors_are_freed_with_the_buffers);
  ck_scoped_case(suite, bad_arguments_are_refused);
  ck_scoped_case(suite, an_input_that_is_changed_is_the_output);
  ck_scoped_case(suite, a_leaf_must_not_be_changed);
  ck_scoped_case(suite, payloads_are_destroyed_once_when_the_graph_is_gone);
  ck_scoped_case(suite, a_call_that_is_not_recorded_needs_its_payload_no_longer);
  ck_scoped_case(suite, a_saved_output_makes_no_cycle);
  ck_scoped_case(suite, a_deep_graph_is_freed_without_deep_recursion);
  ck_scoped_case(suite, a_failing_callback_hands_its_error_to_the_caller);
  ck_scoped_case(suite, an_error_arrives_on_the_thread_that_ran_backward);
  ck_scoped_case(suite, backward_may_run_backward_and_errors_cross_all_of_it);
  ck_scoped_case(suite, a_function_may_be_applied_by_several_threads);
  ck_scoped_case(suite, several_threads_may_run_backward_through_one_graph);
  ck_scoped_case(suite, a_graph_that_one_thread_frees_fails_for_the_others);
  ck_scoped_case(suite, tangents_that_are_missing_are_zeros_or_null);
  return ck_main(suite);
}
