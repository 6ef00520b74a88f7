/* Modules, and functions of schema files: what stands between the C call and the layer. What the numbers are is compared
 * with Python in tests/nn. */
#include <math.h>

#include "harness/check.h"

static ctorch_module *conv2d(int64_t in, int64_t out, int64_t kernel) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_Conv2d(&module, in, out, CTORCH_INTS(kernel), NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL));
  return module;
}

START_TEST(a_module_applies) {
  ctorch_module *module = conv2d(2, 3, 3);
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(4, 2, 5, 6), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  const int64_t *sizes = ctorch_tensor_sizes(y);
  ck_assert_int_eq(ctorch_tensor_ndim(y), 4);
  ck_assert(sizes[0] == 4 && sizes[1] == 3 && sizes[2] == 3 && sizes[3] == 4);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_module_release(module);
}
END_TEST

START_TEST(parameters_are_those_that_it_computes_with) {
  ctorch_module *module = conv2d(1, 1, 1);
  ctorch_tensor_list *parameters = NULL;
  ck_ok(ctorch_module_parameters(&parameters, module, true));
  ck_assert_uint_eq(ctorch_tensor_list_len(parameters), 2);
  ctorch_tensor *const *data = ctorch_tensor_list_mutable_data(parameters);
  ck_assert(ctorch_tensor_requires_grad(data[0]) && ctorch_tensor_is_leaf(data[0]));
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_aten_fill__Scalar(data[0], CTORCH_FLOAT(2)));
  ck_ok(ctorch_aten_fill__Scalar(data[1], CTORCH_FLOAT(0.5)));
  ck_ok(ctorch_grad_mode_pop());
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(1, 1, 1, 1), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  double number = 0;
  ck_ok(ctorch_tensor_item_double(&number, y));
  ck_assert_double_eq(number, 2.5);
  ctorch_module_release(module);
  ck_assert_int_eq(ctorch_tensor_ndim(data[0]), 4); /* the list has references of its own */
  ctorch_tensor_list_release(parameters);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
}
END_TEST

START_TEST(a_module_outlives_the_scope_it_was_kept_from) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_module *module = conv2d(1, 1, 1);
  ck_ok(ctorch_scope_keep(scope, module));
  conv2d(1, 1, 1); /* the scope's */
  ctorch_scope_end(scope);
  ctorch_tensor_list *parameters = NULL;
  ck_ok(ctorch_module_parameters(&parameters, module, false));
  ck_assert_int_eq(ctorch_tensor_ndim(ctorch_tensor_list_data(parameters)[0]), 4);
  ctorch_tensor_list_release(parameters);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_module_has_references) {
  ctorch_module *module = conv2d(1, 1, 1);
  ctorch_module_retain(module);
  ctorch_module_release(module);
  ctorch_tensor_list *parameters = NULL;
  ck_ok(ctorch_module_parameters(&parameters, module, false));
  ctorch_tensor_list_release(parameters);
  ctorch_module_release(module);
  ctorch_module_retain(NULL);
  ctorch_module_release(NULL);
}
END_TEST

#define FAILS(kind, message, function, ...)                \
  do {                                                     \
    ctorch_module *out = (ctorch_module *)&marker;         \
    ctorch_module **output = &out;                         \
    ck_call_fails(function, (__VA_ARGS__), kind, message); \
    ck_assert_ptr_eq(out, (ctorch_module *)&marker);       \
  } while (0)

static char marker;

START_TEST(bad_arguments_are_named) {
  const int64_t three[] = {3, 3, 3};

  FAILS(
      CTORCH_ERROR_NULL_ARGUMENT, "kernel_size must not be NULL", ctorch_nn_Conv2d, output, 1, 1, NULL, 0, NULL, 0,
      NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_NULL_ARGUMENT, "kernel_size must not be NULL", ctorch_nn_Conv2d, output, 1, 1, NULL, 2, NULL, 0,
      NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "kernel_size: expected 1 or 2 entries, got 3", ctorch_nn_Conv2d, output, 1, 1,
      three, 3, NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "kernel_size: expected 1 or 2 entries, got 0", ctorch_nn_Conv2d, output, 1, 1,
      three, 0, NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_NULL_ARGUMENT, "stride must not be NULL", ctorch_nn_Conv2d, output, 1, 1, three, 1, NULL, 2, NULL, 0,
      NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "stride: absurd length 18446744073709551615", ctorch_nn_Conv2d, output, 1, 1,
      three, 1, three, SIZE_MAX, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "padding_mode: not UTF-8", ctorch_nn_Conv2d, output, 1, 1, three, 1, NULL, 0, NULL,
      0, NULL, 0, 1, true, "z\xC0\x80", NULL, NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "device: unknown device type 99", ctorch_nn_Conv2d, output, 1, 1, three, 1, NULL,
      0, NULL, 0, NULL, 0, 1, true, NULL, (&(ctorch_device){99, 0}), NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "device: no device index 1", ctorch_nn_Conv2d, output, 1, 1, three, 1, NULL, 0,
      NULL, 0, NULL, 0, 1, true, NULL, &(ctorch_device){0, 1}, NULL);
  FAILS(
      CTORCH_ERROR_INVALID_ARGUMENT, "dtype: unknown dtype 999", ctorch_nn_Conv2d, output, 1, 1, three, 1, NULL, 0,
      NULL, 0, NULL, 0, 1, true, NULL, NULL, &(ctorch_dtype){999});
  FAILS(
      CTORCH_ERROR_VALUE, "groups must be positive, got 0", ctorch_nn_Conv2d, output, 1, 1, three, 1, NULL, 0, NULL, 0,
      NULL, 0, 0, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_VALUE, "in_channels must be divisible by groups, got 3 and 2", ctorch_nn_Conv2d, output, 3, 2, three,
      1, NULL, 0, NULL, 0, NULL, 0, 2, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_VALUE, "padding_mode must be zeros, reflect, replicate or circular, got 'zero'", ctorch_nn_Conv2d,
      output, 1, 1, three, 1, NULL, 0, NULL, 0, NULL, 0, 1, true, "zero", NULL, NULL);
  FAILS(
      CTORCH_ERROR_VALUE, "padding must be numbers, valid or same, got 'full'", ctorch_nn_Conv2d_padding, output, 1, 1,
      three, 1, NULL, 0, "full", NULL, 0, 1, true, NULL, NULL, NULL);
  FAILS(
      CTORCH_ERROR_VALUE, "padding 'same' goes with a stride of 1 alone", ctorch_nn_Conv2d_padding, output, 1, 1, three,
      1, CTORCH_INTS(2), "same", NULL, 0, 1, true, NULL, NULL, NULL);
  ck_call_fails(
      ctorch_nn_Conv2d, (NULL, 1, 1, three, 1, NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL),
      CTORCH_ERROR_NULL_ARGUMENT, "out must not be NULL");
}
END_TEST

START_TEST(a_failure_half_way_leaves_nothing) {
  ctorch_module *out = NULL;
  /* the weight can be made, the bias cannot */
  ctorch_error *error =
      ctorch_nn_Conv2d(&out, 0, -1, CTORCH_INTS(1), NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL);
  ck_assert_ptr_nonnull(error);
  ck_assert_ptr_null(out);
  ctorch_error_release(error);
}
END_TEST

START_TEST(a_function_without_a_result_changes_its_argument) {
  ctorch_tensor *weight = NULL, *largest = NULL;
  ck_ok(ctorch_aten_zeros(&weight, CTORCH_INTS(20, 30), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_init_kaiming_uniform_(weight, 0, "FAN_OUT", "relu", NULL));
  ck_ok(ctorch_aten_abs(&largest, weight));
  ctorch_tensor_release(weight);
  ck_ok(ctorch_aten_max(&weight, largest));
  double number = 0;
  ck_ok(ctorch_tensor_item_double(&number, weight));
  ck_assert_double_le(number, sqrt(2) * sqrt(3.0 / 20));
  ck_assert_double_ge(number, 0.8 * sqrt(2) * sqrt(3.0 / 20));
  ctorch_tensor_release(weight);
  ctorch_tensor_release(largest);
  ck_call_fails(
      ctorch_init_kaiming_uniform_, (NULL, 0, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "tensor must not be NULL");
}
END_TEST

/* Quadratic in its children, this takes longer than a test may. */
START_TEST(a_module_of_many_children_is_copied) {
  enum { MANY = 1000000 };
  ctorch_module *outer = NULL, *copy = NULL;
  ck_ok(ctorch_nn_ModuleList(&outer));
  for (int i = 0; i < MANY; i++) {
    ctorch_module *child = NULL;
    ck_ok(ctorch_nn_Identity(&child));
    ck_ok(ctorch_module_append(outer, child));
    ctorch_module_release(child);
  }
  ck_ok(ctorch_module_copy(&copy, outer));
  ck_assert_uint_eq(ctorch_module_len(copy), MANY);
  ctorch_module_release(copy);
  ctorch_module_release(outer);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module");
  ck_case(suite, a_module_applies);
  ck_case(suite, parameters_are_those_that_it_computes_with);
  ck_case(suite, a_module_outlives_the_scope_it_was_kept_from);
  ck_case(suite, a_module_has_references);
  ck_case(suite, bad_arguments_are_named);
  ck_case(suite, a_failure_half_way_leaves_nothing);
  ck_case(suite, a_function_without_a_result_changes_its_argument);
  ck_case(suite, a_module_of_many_children_is_copied);
  return ck_main(suite);
}
