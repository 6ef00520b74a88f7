/* Modules as functions of their parameters, in scopes and on error paths. The numbers are compared with Python in
 * tests/module/test_functional_call.py. */
#include "harness/check.h"

static ctorch_module *linear(int64_t in, int64_t out) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_Linear(&module, in, out, true, NULL, NULL));
  return module;
}

/* {"weight": full of `value`} for a linear layer of one feature. */
static ctorch_value *weight_of(double value) {
  ctorch_tensor *tensor = NULL;
  ctorch_value *given = NULL, *dict = NULL;
  ck_ok(ctorch_aten_full(&tensor, CTORCH_INTS(1, 1), CTORCH_FLOAT(value), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_value_from_tensor(&given, tensor));
  ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ck_ok(ctorch_value_dict_put(dict, "weight", given));
  ctorch_value_release(given);
  ctorch_tensor_release(tensor);
  return dict;
}

static ctorch_value *ones(int64_t features) {
  ctorch_tensor *x = NULL;
  ctorch_value *one = NULL, *args = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(1, features), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_value_from_tensor(&one, x));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *const[]){one}, 1));
  ctorch_value_release(one);
  ctorch_tensor_release(x);
  return args;
}

START_TEST(the_result_is_the_only_handle_of_the_scope) {
  ctorch_module *module = linear(1, 1);
  ctorch_tensor *bias = NULL, *y = NULL;
  ck_ok(ctorch_module_get_parameter(&bias, module, "bias"));
  double before = 0, after = 0;
  ck_ok(ctorch_tensor_item_double(&before, bias));
  ctorch_value *given = weight_of(3), *args = ones(1), *out = NULL;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_module_functional_call(&out, module, given, args, NULL, true, false));
  ck_assert(ctorch_scope_owns(out) && !ctorch_scope_owns(module) && !ctorch_scope_owns(bias));
  ck_ok(ctorch_scope_keep(scope, out));
  ctorch_scope_end(scope);
  ck_ok(ctorch_value_to_tensor(&y, out));
  ck_ok(ctorch_tensor_item_double(&after, y));
  ck_assert_double_eq_tol(after, 3 + before, 1e-6);
  ctorch_tensor_release(y);
  ctorch_tensor_release(bias);
  ctorch_value_release(out);
  ctorch_value_release(given);
  ctorch_value_release(args);
  ctorch_module_release(module);
}
END_TEST

START_TEST(what_fails_leaves_outputs_and_module_alone) {
  ctorch_module *module = linear(2, 2);
  ctorch_tensor *before = NULL, *after = NULL;
  ck_ok(ctorch_module_get_parameter(&before, module, "weight"));
  ctorch_value *given = weight_of(3), *args = ones(2), *out = NULL;
  ck_fails(
      ctorch_module_functional_call(&out, module, given, args, NULL, true, false), CTORCH_ERROR_SHAPE_MISMATCH,
      "shapes");
  ck_fails(
      ctorch_module_functional_call(&out, module, given, args, NULL, true, true), CTORCH_ERROR_RUNTIME, "Missing key");
  ck_fails(
      ctorch_module_functional_call(&out, module, args, args, NULL, true, false), CTORCH_ERROR_VALUE,
      "Expected all elements of parameters_and_buffers");
  ck_fails(
      ctorch_module_functional_call(&out, module, given, given, NULL, true, false), CTORCH_ERROR_TYPE, "expected a");
  ck_fails(
      ctorch_module_functional_call(&out, module, given, args, args, true, false), CTORCH_ERROR_TYPE, "expected a");
  ck_fails(
      ctorch_module_functional_call(NULL, module, given, args, NULL, true, false), CTORCH_ERROR_NULL_ARGUMENT,
      "must not be NULL");
  ck_fails(
      ctorch_module_functional_call(&out, NULL, given, args, NULL, true, false), CTORCH_ERROR_NULL_ARGUMENT,
      "must not be NULL");
  ck_fails(
      ctorch_module_functional_call(&out, module, NULL, args, NULL, true, false), CTORCH_ERROR_NULL_ARGUMENT,
      "must not be NULL");
  ck_assert_ptr_null(out);
  ck_ok(ctorch_module_get_parameter(&after, module, "weight"));
  ck_assert_ptr_eq(before, after);
  ctorch_tensor_release(before);
  ctorch_tensor_release(after);
  ctorch_value_release(given);
  ctorch_value_release(args);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_stack_has_one_dimension_more) {
  ctorch_module *models = NULL, *one = linear(2, 3), *other = linear(2, 3);
  ctorch_value *parameters = NULL, *buffers = NULL, *weight = NULL;
  ctorch_tensor *stacked = NULL;
  ck_ok(ctorch_nn_create(&models, "ModuleList", NULL, NULL));
  ck_fails(ctorch_module_stack_state(&parameters, &buffers, models), CTORCH_ERROR_RUNTIME, "at least one");
  ck_ok(ctorch_module_append(models, one));
  ck_ok(ctorch_module_append(models, other));
  ck_fails(ctorch_module_stack_state(NULL, &buffers, models), CTORCH_ERROR_NULL_ARGUMENT, "must not be NULL");
  ck_fails(ctorch_module_stack_state(&parameters, NULL, models), CTORCH_ERROR_NULL_ARGUMENT, "must not be NULL");
  ck_fails(ctorch_module_stack_state(&parameters, &buffers, NULL), CTORCH_ERROR_NULL_ARGUMENT, "must not be NULL");
  ck_ok(ctorch_module_stack_state(&parameters, &buffers, models));
  ck_assert_uint_eq(ctorch_value_len(parameters), 2);
  ck_assert_uint_eq(ctorch_value_len(buffers), 0);
  ck_ok(ctorch_value_dict_at(&weight, parameters, "weight"));
  ck_ok(ctorch_value_to_tensor(&stacked, weight));
  const int64_t *sizes = ctorch_tensor_sizes(stacked);
  ck_assert(ctorch_tensor_ndim(stacked) == 3 && sizes[0] == 2 && sizes[1] == 3 && sizes[2] == 2);
  ck_assert(ctorch_tensor_is_leaf(stacked) && ctorch_tensor_requires_grad(stacked));
  ctorch_tensor_release(stacked);
  ctorch_value_release(weight);
  ctorch_value_release(parameters);
  ctorch_value_release(buffers);
  ctorch_module_release(models);
  ctorch_module_release(one);
  ctorch_module_release(other);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_functional");
  ck_case(suite, the_result_is_the_only_handle_of_the_scope);
  ck_case(suite, what_fails_leaves_outputs_and_module_alone);
  ck_case(suite, a_stack_has_one_dimension_more);
  return ck_main(suite);
}
