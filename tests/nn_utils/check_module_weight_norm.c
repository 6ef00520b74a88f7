/* Weights as a direction and a length: closed forms and error paths. The numbers are compared with Python in
 * tests/nn_utils/test_weight_norm.py. */
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

static double of_ones(ctorch_module *module) {
  ctorch_tensor *x = NULL, *y = NULL;
  double value = 0;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_ok(ctorch_tensor_item_double(&value, y));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return value;
}

static ctorch_tensor *length_of(const ctorch_module *module) {
  ctorch_tensor *length = NULL;
  ck_ok(ctorch_module_get_parameter(&length, module, "weight_g"));
  return length;
}

START_TEST(the_length_scales_the_weight) {
  ctorch_module *module = linear(), *copy = NULL;
  ck_ok(ctorch_module_weight_norm(module, NULL, 0));
  ck_assert_double_eq_tol(of_ones(module), 7, 1e-5);
  ctorch_tensor *length = length_of(module);
  double value = 0;
  ck_ok(ctorch_tensor_item_double(&value, length));
  ck_assert_double_eq_tol(value, 5, 1e-6);
  ck_ok(ctorch_module_copy(&copy, module));
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_aten_fill__Scalar(length, CTORCH_FLOAT(10)));
  ck_ok(ctorch_grad_mode_pop());
  ck_assert_double_eq_tol(of_ones(module), 14, 1e-5);
  ck_assert_double_eq_tol(of_ones(copy), 7, 1e-5);
  ck_ok(ctorch_module_remove_weight_norm(module, "weight"));
  ck_assert_double_eq_tol(of_ones(module), 14, 1e-5);
  ctorch_tensor_release(length);
  ctorch_module_release(module);
  ctorch_module_release(copy);
}
END_TEST

START_TEST(what_fails_changes_nothing) {
  ctorch_module *module = linear();
  int64_t count = 0;
  ck_fails(ctorch_module_weight_norm(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_weight_norm(module, "\xff", 0), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_fails(ctorch_module_weight_norm(module, "odd", 0), CTORCH_ERROR_INDEX, "odd");
  ck_fails(ctorch_module_weight_norm(module, "bias", 0), CTORCH_ERROR_TYPE, "None");
  ck_fails(ctorch_module_remove_weight_norm(module, NULL), CTORCH_ERROR_VALUE, "not found in Linear");
  ck_ok(ctorch_module_register_buffer(module, "weight_v", NULL, true));
  ck_fails(ctorch_module_weight_norm(module, NULL, 0), CTORCH_ERROR_INDEX, "'weight_v' already exists");
  ck_ok(ctorch_module_num_parameters(&count, module, true));
  ck_assert_int_eq(count, 2);
  ck_assert_double_eq(of_ones(module), 7);
  ck_ok(ctorch_module_unregister(module, "weight_v"));
  ck_ok(ctorch_module_weight_norm(module, NULL, -1));
  ck_fails(ctorch_module_weight_norm(module, NULL, 0), CTORCH_ERROR_RUNTIME, "Cannot register two");
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_weight_norm");
  ck_case(suite, the_length_scales_the_weight);
  ck_case(suite, what_fails_changes_nothing);
  return ck_main(suite);
}
