/* Weights with a spectral norm of 1: closed forms and error paths. The numbers are compared with Python in
 * tests/nn_utils/test_spectral_norm.py and tests/nn_utils/test_parametrizations.py. */
#include "harness/check.h"

/* A layer of two features whose weight is (3, 4): of one row, so that its singular value is 5. */
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

START_TEST(the_weight_is_divided_by_its_singular_value) {
  ctorch_module *module = linear(), *copy = NULL;
  ck_ok(ctorch_module_spectral_norm(module, NULL, 1, 1e-12, NULL));
  ck_assert_double_eq_tol(of_ones(module), 1.4, 1e-5);
  ck_ok(ctorch_module_copy(&copy, module));
  ck_ok(ctorch_module_train(copy, false));
  ck_assert_double_eq_tol(of_ones(copy), 1.4, 1e-5);
  ck_ok(ctorch_module_remove_spectral_norm(module, "weight"));
  ck_assert_double_eq_tol(of_ones(module), 1.4, 1e-5);
  ck_assert_double_eq_tol(of_ones(copy), 1.4, 1e-5);
  ctorch_module_release(module);
  ctorch_module_release(copy);
}
END_TEST

START_TEST(so_it_is_by_each_parametrization) {
  ctorch_module *spectral = linear(), *norm = linear(), *orthogonal = linear();
  ck_ok(ctorch_module_parametrize_spectral_norm(spectral, NULL, 1, 1e-12, NULL));
  ck_assert_double_eq_tol(of_ones(spectral), 1.4, 1e-5);
  ck_ok(ctorch_module_remove_parametrizations(spectral, "weight", true));
  ck_assert_double_eq_tol(of_ones(spectral), 1.4, 1e-5);
  ck_ok(ctorch_module_parametrize_weight_norm(norm, NULL, 0));
  ck_assert_double_eq_tol(of_ones(norm), 7, 1e-5);
  ctorch_tensor *length = NULL;
  double value = 0;
  ck_ok(ctorch_module_get_parameter(&length, norm, "parametrizations.weight.original0"));
  ck_ok(ctorch_tensor_item_double(&value, length));
  ck_assert_double_eq_tol(value, 5, 1e-6);
  ctorch_tensor_release(length);
  for (int i = 0; i < 2; i++) {
    ck_ok(ctorch_module_parametrize_orthogonal(orthogonal, NULL, "householder", i == 0));
    ck_assert_double_eq_tol(of_ones(orthogonal), 1.4, 1e-5);
    ck_ok(ctorch_module_remove_parametrizations(orthogonal, "weight", true));
  }
  ctorch_module_release(spectral);
  ctorch_module_release(norm);
  ctorch_module_release(orthogonal);
}
END_TEST

START_TEST(an_old_state_dict_is_loaded) {
  ctorch_module *module = linear();
  ctorch_value *state = NULL, *weight = NULL, *key = NULL;
  ck_ok(ctorch_module_spectral_norm(module, NULL, 1, 1e-12, NULL));
  ck_ok(ctorch_module_state_dict(&state, NULL, module, NULL, false));
  ck_ok(ctorch_value_dict_at(&weight, state, "weight_orig"));
  ck_ok(ctorch_value_dict_put(state, "weight", weight));
  ck_ok(ctorch_value_from_string(&key, "weight_v"));
  ck_ok(ctorch_value_dict_remove(state, key));
  ck_ok(ctorch_module_load_state_dict(NULL, NULL, module, state, NULL, true, false));
  ck_ok(ctorch_module_train(module, false));
  ck_assert_double_eq_tol(of_ones(module), 7, 1e-4); /* its norm was 1 by that account */
  ctorch_value_release(key);
  ctorch_value_release(weight);
  ctorch_value_release(state);
  ctorch_module_release(module);
}
END_TEST

START_TEST(what_fails_changes_nothing) {
  ctorch_module *module = linear();
  const int64_t two = 2;
  int64_t count = 0;
  ck_fails(ctorch_module_spectral_norm(NULL, NULL, 1, 0, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_spectral_norm(module, "\xff", 1, 0, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_fails(ctorch_module_spectral_norm(module, "odd", 1, 0, NULL), CTORCH_ERROR_INDEX, "odd");
  ck_fails(ctorch_module_spectral_norm(module, "bias", 1, 0, NULL), CTORCH_ERROR_VALUE, "None");
  ck_fails(ctorch_module_spectral_norm(module, NULL, 0, 0, NULL), CTORCH_ERROR_VALUE, "n_power_iterations=0");
  ck_fails(ctorch_module_spectral_norm(module, NULL, 1, 0, &two), CTORCH_ERROR_RUNTIME, "dim");
  ck_fails(ctorch_module_remove_spectral_norm(module, NULL), CTORCH_ERROR_VALUE, "not found in Linear");
  ck_fails(ctorch_module_parametrize_weight_norm(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_parametrize_weight_norm(module, "bias", 0), CTORCH_ERROR_VALUE, "'bias'");
  ck_fails(ctorch_module_parametrize_spectral_norm(module, NULL, 1, 0, &two), CTORCH_ERROR_INDEX, "Dimension");
  ck_fails(ctorch_module_parametrize_spectral_norm(module, NULL, -1, 0, NULL), CTORCH_ERROR_VALUE, "-1");
  ck_fails(ctorch_module_parametrize_orthogonal(module, NULL, "odd", true), CTORCH_ERROR_VALUE, "Got: odd");
  ck_fails(ctorch_module_parametrize_orthogonal(module, "\xff", NULL, true), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_ok(ctorch_module_register_parameter(module, "weight_v", NULL));
  ck_fails(ctorch_module_spectral_norm(module, NULL, 1, 0, NULL), CTORCH_ERROR_INDEX, "'weight_v' already exists");
  ck_ok(ctorch_module_unregister(module, "weight_v"));
  ck_ok(ctorch_module_num_parameters(&count, module, true));
  ck_assert_int_eq(count, 2);
  ck_assert_double_eq(of_ones(module), 7);
  ck_ok(ctorch_module_spectral_norm(module, NULL, 1, 1e-12, NULL));
  ck_fails(ctorch_module_spectral_norm(module, NULL, 1, 0, NULL), CTORCH_ERROR_RUNTIME, "Cannot register two");
  ck_fails(ctorch_module_weight_norm(module, NULL, 0), CTORCH_ERROR_RUNTIME, "computed already");
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_spectral_norm");
  ck_case(suite, the_weight_is_divided_by_its_singular_value);
  ck_case(suite, so_it_is_by_each_parametrization);
  ck_case(suite, an_old_state_dict_is_loaded);
  ck_case(suite, what_fails_changes_nothing);
  return ck_main(suite);
}
