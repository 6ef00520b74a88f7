/* Modules whose first input tells their sizes. */
#include "harness/check.h"

static ctorch_module *lazy(void) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_LazyLinear(&module, 3, true, NULL, NULL));
  return module;
}

static ctorch_tensor *ones(int64_t rows, int64_t columns) {
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_aten_ones(&tensor, CTORCH_INTS(rows, columns), NULL, NULL, NULL, NULL));
  return tensor;
}

static ctorch_tensor *weight_of(const ctorch_module *module) {
  ctorch_tensor *weight = NULL;
  ck_ok(ctorch_module_get_parameter(&weight, module, "weight"));
  return weight;
}

START_TEST(the_first_call_gives_the_very_tensors_their_sizes) {
  ctorch_module *module = lazy();
  ctorch_tensor *x = ones(2, 5), *y = NULL, *weight = weight_of(module);
  ck_assert(ctorch_module_has_uninitialized_params(module));
  ck_assert_str_eq(ctorch_module_name(module), "LazyLinear");
  ck_assert_int_eq(ctorch_tensor_numel(weight), 0);
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_assert(!ctorch_module_has_uninitialized_params(module));
  ck_assert_str_eq(ctorch_module_name(module), "Linear");
  ck_assert_int_eq(ctorch_tensor_sizes(weight)[0], 3);
  ck_assert_int_eq(ctorch_tensor_sizes(weight)[1], 5);
  ctorch_tensor_release(weight);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_module_release(module);
}
END_TEST

START_TEST(values_that_were_drawn_are_those_of_the_layer) {
  ctorch_module *module = lazy(), *linear = NULL;
  ctorch_tensor *x = ones(2, 5), *y = NULL, *one = NULL, *other = NULL;
  bool equal = false;
  ck_ok(ctorch_random_manual_seed(7));
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_ok(ctorch_random_manual_seed(7));
  ck_ok(ctorch_nn_Linear(&linear, 5, 3, true, NULL, NULL));
  one = weight_of(module);
  other = weight_of(linear);
  ck_ok(ctorch_aten_equal(&equal, one, other));
  ck_assert(equal);
  ctorch_tensor_release(one);
  ctorch_tensor_release(other);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_module_release(linear);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_state_dict_gives_sizes_too) {
  ctorch_module *module = lazy(), *linear = NULL;
  ctorch_value *state = NULL;
  ctorch_tensor *x = ones(2, 5), *y = NULL, *wrong = ones(2, 4), *weight = NULL;
  ck_ok(ctorch_nn_Linear(&linear, 5, 3, true, NULL, NULL));
  ck_ok(ctorch_module_state_dict(&state, NULL, linear, NULL, false));
  ck_ok(ctorch_module_load_state_dict(NULL, NULL, module, state, NULL, true, false));
  weight = weight_of(module);
  ck_assert_int_eq(ctorch_tensor_sizes(weight)[1], 5);
  ck_assert_str_eq(ctorch_module_name(module), "LazyLinear");
  ck_fails(
      ctorch_module_forward(&y, module, wrong), CTORCH_ERROR_RUNTIME,
      "The in_features inferred from input: 4 is not equal to in_features from self.weight: 5");
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_assert_str_eq(ctorch_module_name(module), "Linear");
  ctorch_value_release(state);
  ctorch_tensor_release(weight);
  ctorch_tensor_release(wrong);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_module_release(linear);
  ctorch_module_release(module);
}
END_TEST

START_TEST(what_has_no_values_is_refused) {
  ctorch_module *module = lazy(), *net = NULL;
  ctorch_tensor *scalar = NULL, *y = NULL;
  ck_ok(ctorch_nn_Sequential(&net));
  ck_ok(ctorch_module_append(net, module));
  ck_ok(ctorch_aten_scalar_tensor(&scalar, CTORCH_FLOAT(1), NULL, NULL, NULL, NULL));
  ck_fails(ctorch_module_forward(&y, module, scalar), CTORCH_ERROR_INDEX, "takes its size from the last dimension");
  ck_assert(ctorch_module_has_uninitialized_params(module));
  ck_assert(!ctorch_module_has_uninitialized_params(net)); /* itself, as in Python */
  ck_assert(!ctorch_module_has_uninitialized_params(NULL));
  ctorch_tensor_release(scalar);
  ctorch_module_release(net);
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_lazy");
  ck_case(suite, the_first_call_gives_the_very_tensors_their_sizes);
  ck_case(suite, values_that_were_drawn_are_those_of_the_layer);
  ck_case(suite, a_state_dict_gives_sizes_too);
  ck_case(suite, what_has_no_values_is_refused);
  return ck_main(suite);
}
