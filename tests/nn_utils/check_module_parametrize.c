/* Tensors that modules compute: closed forms and error paths. The numbers are compared with Python in
 * tests/nn_utils/test_parametrize.py. */
#include "harness/check.h"

/* A layer of two features whose weight is (3, 4). */
static ctorch_module *linear(void) {
  ctorch_module *module = NULL;
  ctorch_tensor *weight = NULL;
  const float numbers[] = {3, 4};
  ck_ok(ctorch_nn_Linear(&module, 2, 1, false, NULL, NULL));
  ck_ok(ctorch_tensor_from_data(&weight, numbers, sizeof numbers, CTORCH_INTS(1, 2), CTORCH_DTYPE_FLOAT32));
  ck_ok(ctorch_tensor_set_requires_grad(weight, true));
  ck_ok(ctorch_module_register_parameter(module, "weight", weight));
  ctorch_tensor_release(weight);
  return module;
}

static double sum_of(ctorch_tensor *tensor) {
  ctorch_tensor *sum = NULL;
  double value = 0;
  ck_ok(ctorch_aten_sum(&sum, tensor, NULL));
  ck_ok(ctorch_tensor_item_double(&value, sum));
  ctorch_tensor_release(sum);
  return value;
}

static double of_ones(ctorch_module *module) {
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  double value = sum_of(y);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return value;
}

/* The sum of what stands under a name. */
static double at(ctorch_module *module, const char *name) {
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_module_get_tensor(&tensor, module, name));
  double value = sum_of(tensor);
  ctorch_tensor_release(tensor);
  return value;
}

static int computations;

static ctorch_callback_status twice(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)module, (void)payload;
  computations++;
  *error = ctorch_aten_mul_Scalar(out, input, CTORCH_FLOAT(2));
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status half(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  (void)module, (void)payload;
  ctorch_value *value = NULL;
  ctorch_tensor *tensor = NULL, *result = NULL;
  ck_assert_uint_eq(ctorch_value_len(args), 1);
  ck_assert_uint_eq(ctorch_value_len(kwargs), 0);
  ck_ok(ctorch_value_get(&value, args, 0));
  ck_ok(ctorch_value_to_tensor(&tensor, value));
  ck_ok(ctorch_aten_mul_Scalar(&result, tensor, CTORCH_FLOAT(0.5)));
  *error = ctorch_value_from_tensor(out, result);
  ctorch_value_release(value);
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(result);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status not_implemented(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  (void)out, (void)module, (void)args, (void)kwargs, (void)payload;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_NOT_IMPLEMENTED, "no inverse"));
  return 0;
}

static ctorch_module *doubling(ctorch_module_call_callback right_inverse) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_module_new(&module, "Twice", twice, NULL, NULL));
  ck_ok(ctorch_module_set_right_inverse(module, right_inverse, NULL, NULL));
  return module;
}

START_TEST(a_weight_is_computed_from_its_original) {
  ctorch_module *module = linear(), *by = doubling(NULL), *copy = NULL;
  ck_ok(ctorch_module_register_parametrization(module, "weight", by, false));
  ck_assert_double_eq(of_ones(module), 14);
  ck_assert_double_eq(at(module, "weight"), 14);
  ck_assert_double_eq(at(module, "parametrizations.weight.original"), 7);
  ck_ok(ctorch_module_register_parametrization(module, "weight", by, false));
  ck_assert_double_eq(of_ones(module), 28);
  ck_ok(ctorch_module_copy(&copy, module));
  ck_ok(ctorch_module_remove_parametrizations(module, "weight", false));
  ck_assert_double_eq(of_ones(module), 7);
  ck_assert_double_eq(of_ones(copy), 28);
  ck_ok(ctorch_module_remove_parametrizations(copy, "weight", true));
  ck_assert_double_eq(of_ones(copy), 28);
  ck_assert_str_eq(ctorch_module_name(copy), "Linear");
  ctorch_module_release(by);
  ctorch_module_release(module);
  ctorch_module_release(copy);
}
END_TEST

START_TEST(a_right_inverse_keeps_the_value) {
  ctorch_module *module = linear(), *by = doubling(half), *none = doubling(not_implemented);
  ctorch_tensor *value = NULL;
  ck_ok(ctorch_module_register_parametrization(module, "weight", by, false));
  ck_assert_double_eq(of_ones(module), 7);
  ck_assert_double_eq(at(module, "parametrizations.weight.original"), 3.5);
  ck_ok(ctorch_aten_ones(&value, CTORCH_INTS(1, 2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_set_parametrized(module, "weight", value));
  ck_assert_double_eq(of_ones(module), 2);
  ck_ok(ctorch_module_register_parametrization(module, "weight", none, false));
  ck_assert_double_eq(of_ones(module), 4);
  ck_fails(ctorch_module_set_parametrized(module, "weight", value), CTORCH_ERROR_NOT_IMPLEMENTED, "no inverse");
  ctorch_tensor_release(value);
  ctorch_module_release(by);
  ctorch_module_release(none);
  ctorch_module_release(module);
}
END_TEST

START_TEST(what_is_cached_is_computed_once) {
  ctorch_module *module = linear(), *by = doubling(NULL);
  ck_ok(ctorch_module_register_parametrization(module, "weight", by, false));
  computations = 0;
  ck_ok(ctorch_module_cached_push());
  ck_ok(ctorch_module_cached_push());
  ck_assert_double_eq(of_ones(module), 14);
  ck_ok(ctorch_module_cached_pop());
  ck_assert_double_eq(at(module, "weight"), 14);
  ck_assert_int_eq(computations, 1);
  ck_ok(ctorch_module_cached_pop());
  ck_assert_double_eq(of_ones(module), 14);
  ck_assert_int_eq(computations, 2);
  ck_fails(ctorch_module_cached_pop(), CTORCH_ERROR_RUNTIME, "nothing was pushed");
  ctorch_module_release(by);
  ctorch_module_release(module);
}
END_TEST

static float ones[] = {1, 1};

static void count(void *gone) { ++*(int *)gone; }

static ctorch_callback_status borrowed(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *gone) {
  (void)module, (void)input;
  *error = ctorch_tensor_from_buffer(out, ones, CTORCH_INTS(1, 2), NULL, 0, CTORCH_DTYPE_FLOAT32, count, gone);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

START_TEST(nothing_that_a_call_computed_is_kept) {
  int gone = 0;
  ctorch_module *module = linear(), *by = NULL;
  ck_ok(ctorch_module_new(&by, "Ones", borrowed, NULL, &gone));
  ck_ok(ctorch_module_register_parametrization(module, "weight", by, true));
  for (int i = 1; i <= 3; i++) {
    ck_assert_double_eq(of_ones(module), 2);
    ck_assert_int_eq(gone, i);
  }
  ctorch_module_release(by);
  ctorch_module_release(module);
}
END_TEST

START_TEST(what_fails_changes_nothing) {
  ctorch_module *module = linear(), *by = doubling(half);
  ctorch_tensor *tensor = NULL;
  ck_fails(ctorch_module_register_parametrization(NULL, "weight", by, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_register_parametrization(module, NULL, by, false), CTORCH_ERROR_NULL_ARGUMENT, "tensor_name");
  ck_fails(
      ctorch_module_register_parametrization(module, "weight", NULL, false), CTORCH_ERROR_NULL_ARGUMENT,
      "parametrization");
  ck_fails(ctorch_module_register_parametrization(module, "\xff", by, false), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_fails(ctorch_module_register_parametrization(module, "odd", by, false), CTORCH_ERROR_VALUE, "'odd'");
  ck_fails(ctorch_module_register_parametrization(module, "bias", by, false), CTORCH_ERROR_TYPE, "None");
  ck_fails(ctorch_module_register_parametrization(module, "weight", module, true), CTORCH_ERROR_RUNTIME, "itself");
  ck_fails(ctorch_module_remove_parametrizations(module, "weight", true), CTORCH_ERROR_VALUE, "on weight");
  ck_fails(ctorch_module_get_tensor(&tensor, module, "odd"), CTORCH_ERROR_INDEX, "odd");
  ck_fails(ctorch_module_get_tensor(&tensor, module, "a.weight"), CTORCH_ERROR_INDEX, "a");
  ck_assert(tensor == NULL);
  ck_ok(ctorch_module_register_buffer(module, "parametrizations", NULL, true));
  ck_fails(ctorch_module_register_parametrization(module, "weight", by, false), CTORCH_ERROR_INDEX, "already exists");
  ck_assert_double_eq(of_ones(module), 7);
  ck_assert_str_eq(ctorch_module_name(module), "Linear");
  ck_ok(ctorch_module_unregister(module, "parametrizations"));
  ck_ok(ctorch_module_register_parametrization(module, "weight", by, false));
  ck_fails(ctorch_module_unregister(module, "weight"), CTORCH_ERROR_INDEX, "parametrized");
  ck_fails(ctorch_module_register_parametrization(module, "weight", module, true), CTORCH_ERROR_RUNTIME, "itself");
  ck_assert_double_eq(of_ones(module), 7);
  ctorch_module_release(by);
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_parametrize");
  ck_case(suite, a_weight_is_computed_from_its_original);
  ck_case(suite, a_right_inverse_keeps_the_value);
  ck_case(suite, what_is_cached_is_computed_once);
  ck_case(suite, nothing_that_a_call_computed_is_kept);
  ck_case(suite, what_fails_changes_nothing);
  return ck_main(suite);
}
