/* Gradient checks: a right derivative, a wrong one, what a report says, every refusal. */
#include "harness/values.h"

/* What the function under test of these tests does; its payload. */
typedef struct {
  double hidden;             /* factor of a part of the output whose derivative backward does not see */
  ctorch_error_kind failure; /* what it fails with; 0 for nothing, -1 for no error at all */
  int calls_before_failure;
  int calls_before_silence; /* after which it hands over no outputs; 0 for never */
  bool writes_null;
  int calls;
} plan;

/** x^2, and on top hidden * x outside of the graph: then backward says 2 x where 2 x + hidden is right. */
static ctorch_callback_status squares(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  plan *self = payload;
  ctorch_tensor *square = NULL, *detached = NULL, *result = NULL;
  ck_assert_uint_eq(inputs_len, 1);
  self->calls++;
  if (self->failure != 0 && self->calls > self->calls_before_failure) {
    if (self->failure > 0) {
      ck_ok(ctorch_error_new(error, self->failure, "no squares today"));
    }
    return 0;
  }
  if (self->calls_before_silence > 0 && self->calls > self->calls_before_silence) {
    return CTORCH_CALLBACK_OK;
  }
  ck_ok(ctorch_aten_mul_Tensor(&square, inputs[0], inputs[0]));
  ck_ok(ctorch_aten_detach(&detached, inputs[0]));
  ck_ok(ctorch_aten_add_Tensor(&result, square, detached, CTORCH_FLOAT(self->hidden)));
  ck_ok(ctorch_tensor_list_new(out, CTORCH_TENSORS(self->writes_null ? NULL : result)));
  return CTORCH_CALLBACK_OK;
}

static ctorch_tensor *parameter(void) {
  ctorch_tensor *x = doubles(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

#define DEFAULTS NULL, NULL, NULL, 0.0, NULL, false, false, false, false, NULL, false, false

START_TEST(a_right_derivative_passes) {
  plan right = {0};
  ctorch_tensor *x = parameter();
  ctorch_string *report = NULL;
  bool passed = false;
  ck_ok(ctorch_gradcheck(&passed, &report, squares, &right, CTORCH_TENSORS(x), DEFAULTS));
  ck_assert(passed);
  ck_assert_str_eq(ctorch_string_data(report), "");
  ck_ok(ctorch_gradcheck(NULL, NULL, squares, &right, CTORCH_TENSORS(x), DEFAULTS));
  ck_doubles(x, CTORCH_INTS(2), 1, 2);
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_assert_ptr_null(grad);
}
END_TEST

START_TEST(a_wrong_derivative_is_reported) {
  /* d/dx (x^2 + 0.5 x) is 2.5 at 1, and backward says 2 */
  plan wrong = {.hidden = 0.5};
  ctorch_tensor *x = parameter();
  ctorch_string *report = NULL;
  bool passed = true;
  ck_ok(ctorch_gradcheck(&passed, &report, squares, &wrong, CTORCH_TENSORS(x), DEFAULTS));
  ck_assert(!passed);
  const char *text = ctorch_string_data(report);
  ck_assert_ptr_nonnull(strstr(text, "Jacobian mismatch for output 0 with respect to input 0"));
  ck_assert_ptr_nonnull(strstr(text, "numerical:tensor([[2.5000, 0.0000],\n        [0.0000, 4.5000]]"));
  ck_assert_ptr_nonnull(strstr(text, "analytical:tensor([[2., 0.],\n        [0., 4.]]"));
  ck_assert_ptr_nonnull(strstr(text, "difference is: 0.5"));
  ck_doubles(x, CTORCH_INTS(2), 1, 2);
  ck_fails(
      ctorch_gradcheck(NULL, &report, squares, &wrong, CTORCH_TENSORS(x), DEFAULTS), CTORCH_ERROR_RUNTIME,
      "Jacobian mismatch");
  ck_ok(ctorch_gradcheck(
      &passed, NULL, squares, &wrong, CTORCH_TENSORS(x), NULL, CTORCH_SOME(double, 1), NULL, 0.0, NULL, false, false,
      false, false, NULL, false, false));
  ck_assert(passed); /* within a tolerance of 1 */
}
END_TEST

/** How often the function runs for one complex input in forward mode. */
static int calls_in_forward_mode(bool check_undefined_grad) {
  plan right = {0};
  const double numbers[] = {1, 2, -1, 0.5};
  ctorch_tensor *x = NULL;
  bool passed = false;
  ck_ok(ctorch_tensor_from_data(&x, numbers, sizeof numbers, CTORCH_INTS(2), CTORCH_DTYPE_COMPLEX128));
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_gradcheck(
      &passed, NULL, squares, &right, CTORCH_TENSORS(x), NULL, NULL, NULL, 0.0, CTORCH_SOME(bool, check_undefined_grad),
      false, false, false, true, CTORCH_SOME(bool, false), false, false));
  ck_assert(passed);
  return right.calls;
}

START_TEST(undefined_tangents_of_complex_inputs_are_tried_only_if_wanted) {
  const int without = calls_in_forward_mode(false), with = calls_in_forward_mode(true);
  ck_assert_int_gt(without, 0);
  ck_assert_int_gt(with, without);
}
END_TEST

START_TEST(second_derivatives) {
  /* what is hidden from backward is linear: its second derivative is right all the same */
  plan wrong_first = {.hidden = 0.5};
  ctorch_tensor *x = parameter(), *start = doubles(CTORCH_INTS(2), 1, -1);
  ck_ok(ctorch_tensor_set_requires_grad(start, true));
  bool passed = false;
  ck_ok(ctorch_gradcheck_double_backward(
      &passed, NULL, squares, &wrong_first, CTORCH_TENSORS(x), NULL, 0, NULL, NULL, NULL, false, 0.0, NULL, false,
      false, false, NULL, false, false));
  ck_assert(passed);
  ck_ok(ctorch_gradcheck_double_backward(
      NULL, NULL, squares, &wrong_first, CTORCH_TENSORS(x), CTORCH_TENSORS(start), NULL, NULL, NULL, false, 0.0, NULL,
      false, false, false, NULL, false, false));
  ck_fails(
      ctorch_gradcheck_double_backward(
          &passed, NULL, squares, &wrong_first, CTORCH_TENSORS(x), CTORCH_TENSORS(start, start), NULL, NULL, NULL,
          false, 0.0, NULL, false, false, false, NULL, false, false),
      CTORCH_ERROR_RUNTIME, "got 1 tensors and 2 gradients");
}
END_TEST

START_TEST(a_failing_function_ends_the_check) {
  ctorch_tensor *x = parameter();
  for (int calls = 0; calls < 9; calls++) {
    plan fails = {.failure = CTORCH_ERROR_INDEX, .calls_before_failure = calls};
    bool passed = true;
    ctorch_error *error = ctorch_gradcheck(&passed, NULL, squares, &fails, CTORCH_TENSORS(x), DEFAULTS);
    ck_assert_int_eq(ctorch_error_kind_of(error), fails.calls > calls ? CTORCH_ERROR_INDEX : 0);
    ctorch_error_release(error);
    ck_assert(passed);
    ck_doubles(x, CTORCH_INTS(2), 1, 2); /* put back */
  }
  plan silent = {.failure = -1};
  ck_fails(
      ctorch_gradcheck(NULL, NULL, squares, &silent, CTORCH_TENSORS(x), DEFAULTS), CTORCH_ERROR_CALLBACK,
      "gradcheck function answered 0");
  plan null = {.writes_null = true};
  ck_fails(
      ctorch_gradcheck(NULL, NULL, squares, &null, CTORCH_TENSORS(x), DEFAULTS), CTORCH_ERROR_INVALID_ARGUMENT,
      "output 0 is NULL");
}
END_TEST

START_TEST(the_number_of_outputs_must_not_change) {
  ctorch_tensor *x = parameter();
  for (int calls = 1; calls < 12; calls++) {
    for (int variant = 0; variant < 4; variant++) {
      const bool forward = variant % 2 == 1, fast = variant >= 2;
      plan falls_silent = {.calls_before_silence = calls};
      ctorch_error *error = ctorch_gradcheck(
          NULL, NULL, squares, &falls_silent, CTORCH_TENSORS(x), NULL, NULL, NULL, 0.0, NULL, false, true, forward,
          forward, NULL, fast, false);
      if (error != NULL) {
        ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_RUNTIME);
        ck_assert_ptr_nonnull(strstr(ctorch_error_message(error), "output"));
      }
      ck_assert(error != NULL || calls > 2);
      ctorch_error_release(error);
    }
  }
}
END_TEST

START_TEST(refusals) {
  plan right = {0};
  ctorch_tensor *x = parameter(), *plain = doubles(CTORCH_INTS(2), 1, 2), *flat = NULL, *leaf = NULL;
  ctorch_string *report = NULL;
  bool passed = true;
  ck_fails(
      ctorch_gradcheck(&passed, &report, NULL, &right, CTORCH_TENSORS(x), DEFAULTS), CTORCH_ERROR_NULL_ARGUMENT,
      "callback");
  ck_fails(
      ctorch_gradcheck(&passed, &report, squares, &right, NULL, 1, DEFAULTS), CTORCH_ERROR_NULL_ARGUMENT, "inputs");
  ck_fails(
      ctorch_gradcheck(&passed, &report, squares, &right, CTORCH_TENSORS(NULL), DEFAULTS), CTORCH_ERROR_NULL_ARGUMENT,
      "inputs[0]");
  ck_fails(
      ctorch_gradcheck(&passed, &report, squares, &right, NULL, 0, DEFAULTS), CTORCH_ERROR_VALUE, "at least one input");
  ck_fails(
      ctorch_gradcheck(&passed, &report, squares, &right, CTORCH_TENSORS(plain), DEFAULTS), CTORCH_ERROR_VALUE,
      "at least one input");
  ck_ok(ctorch_aten_expand(&flat, doubles(CTORCH_INTS(1), 1), CTORCH_INTS(2), false));
  ck_ok(ctorch_aten_detach(&leaf, flat));
  ck_ok(ctorch_tensor_set_requires_grad(leaf, true));
  ck_fails(
      ctorch_gradcheck(&passed, &report, squares, &right, CTORCH_TENSORS(leaf), DEFAULTS), CTORCH_ERROR_RUNTIME,
      "stride 0");
  ck_fails(
      ctorch_gradcheck(
          &passed, &report, squares, &right, CTORCH_TENSORS(x), NULL, NULL, NULL, 0.0, NULL, false, false, false, false,
          CTORCH_SOME(bool, false), false, false),
      CTORCH_ERROR_INVALID_ARGUMENT, "at least one of check_forward_ad or check_backward_ad");
  ck_fails(
      ctorch_gradcheck_double_backward(
          &passed, &report, NULL, &right, CTORCH_TENSORS(x), NULL, 0, NULL, NULL, NULL, false, 0.0, NULL, false, false,
          false, NULL, false, false),
      CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_assert(passed);
  ck_assert_ptr_null(report);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("gradcheck");
  ck_scoped_case(suite, a_right_derivative_passes);
  ck_scoped_case(suite, a_wrong_derivative_is_reported);
  ck_scoped_case(suite, second_derivatives);
  ck_scoped_case(suite, a_failing_function_ends_the_check);
  ck_scoped_case(suite, the_number_of_outputs_must_not_change);
  ck_scoped_case(suite, refusals);
  ck_scoped_case(suite, undefined_tangents_of_complex_inputs_are_tried_only_if_wanted);
  return ck_main(suite);
}
