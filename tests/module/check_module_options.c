/* What a module was made with: <ctorch/module/module_options.h>. */
#include "harness/check.h"

static ctorch_module *conv(void) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_Conv2d(
      &module, 2, 4, CTORCH_INTS(3, 5), NULL, 0, CTORCH_INTS(1), NULL, 0, 2, false, "circular", NULL, NULL));
  return module;
}

static ctorch_module *dropout(double p) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_Dropout(&module, p, false));
  return module;
}

static int64_t entry(const ctorch_value *tuple, size_t i) {
  ctorch_value *value = NULL;
  int64_t number = 0;
  ck_ok(ctorch_value_get(&value, tuple, i));
  ck_ok(ctorch_value_to_int(&number, value));
  ctorch_value_release(value);
  return number;
}

static double number_of(const ctorch_module *module, const char *name) {
  ctorch_value *value = NULL;
  double number = 0;
  ck_ok(ctorch_module_get_option(&value, module, name));
  ck_ok(ctorch_value_to_double(&number, value));
  ctorch_value_release(value);
  return number;
}

static ctorch_error *set_double(ctorch_module *module, const char *name, double number) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_value_from_double(&value, number));
  ctorch_error *error = ctorch_module_set_option(module, name, value);
  ctorch_value_release(value);
  return error;
}

START_TEST(options_are_what_the_constructor_was_given) {
  ctorch_module *module = conv();
  ctorch_value *value = NULL, *all = NULL, *keys = NULL;
  const char *text = NULL;
  bool truth = true;
  ck_ok(ctorch_module_get_option(&value, module, "kernel_size"));
  ck_assert_int_eq(ctorch_value_kind_of(value), CTORCH_VALUE_TUPLE);
  ck_assert(ctorch_value_len(value) == 2 && entry(value, 0) == 3 && entry(value, 1) == 5);
  ctorch_value_release(value);
  ck_ok(ctorch_module_get_option(&value, module, "padding_mode"));
  ck_ok(ctorch_value_to_string(&text, NULL, value));
  ck_assert_str_eq(text, "circular");
  ctorch_value_release(value);
  ck_ok(ctorch_module_get_option(&value, module, "bias"));
  ck_ok(ctorch_value_to_bool(&truth, value));
  ck_assert(!truth);
  ctorch_value_release(value);
  ck_ok(ctorch_module_options(&all, module));
  ck_assert_int_eq(ctorch_value_len(all), 9); /* without dtype and device */
  ck_ok(ctorch_value_dict_keys(&keys, all));
  ck_ok(ctorch_value_get(&value, keys, 1));
  ck_ok(ctorch_value_to_string(&text, NULL, value));
  ck_assert_str_eq(text, "out_channels");
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "groups"), CTORCH_MODULE_MEMBER_OPTION);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "bias"), CTORCH_MODULE_MEMBER_PARAMETER);
  ctorch_value_release(value);
  ctorch_value_release(keys);
  ctorch_value_release(all);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_change_is_used_and_leaves_the_rest) {
  ctorch_module *module = dropout(0.5), *copy = NULL;
  ctorch_tensor *x = NULL, *y = NULL;
  bool equal = false;
  ck_ok(ctorch_module_copy(&copy, module));
  ck_ok(set_double(module, "p", 0));
  ck_assert_double_eq(number_of(module, "p"), 0);
  ck_assert_double_eq(number_of(copy, "p"), 0.5);
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(50), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_ok(ctorch_aten_equal(&equal, x, y));
  ck_assert(equal);
  ctorch_tensor_release(y);
  ck_ok(ctorch_module_forward(&y, copy, x));
  ck_ok(ctorch_aten_equal(&equal, x, y));
  ck_assert(!equal);
  ctorch_tensor_release(y);
  ctorch_tensor_release(x);
  ctorch_module_release(copy);
  ctorch_module_release(module);
}
END_TEST

START_TEST(allocated_options_are_changed_too) {
  ctorch_module *module = NULL;
  ctorch_value *sizes = NULL;
  ctorch_tensor *x = NULL, *y = NULL, *row = NULL;
  ck_ok(ctorch_nn_LayerNorm(&module, CTORCH_INTS(3), 1e-5, true, true, NULL, NULL));
  ck_ok(ctorch_value_from_ints(&sizes, CTORCH_INTS(2, 3)));
  ck_ok(ctorch_module_set_option(module, "normalized_shape", sizes));
  ctorch_value_release(sizes);
  ck_ok(ctorch_aten_ones(&row, CTORCH_INTS(2, 3), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_register_parameter(module, "weight", row)); /* the tensors are the caller's to replace */
  ck_ok(ctorch_module_register_parameter(module, "bias", row));
  ck_ok(ctorch_aten_rand(&x, CTORCH_INTS(4, 2, 3), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  ctorch_tensor_release(row);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_module_release(module);
}
END_TEST

START_TEST(what_cannot_be_changed_is_refused) {
  ctorch_module *lstm = NULL, *custom = NULL, *drop = dropout(0.5);
  ctorch_value *value = NULL;
  ck_ok(ctorch_nn_LSTM(&lstm, 2, 3, 2, true, false, 0, false, 0, NULL, NULL));
  ck_ok(ctorch_value_from_int(&value, 3));
  ck_call_fails(
      ctorch_module_set_option, (lstm, "num_layers", value), CTORCH_ERROR_RUNTIME,
      "num_layers of LSTM cannot be changed: it says which tensors there are");
  ck_call_fails(
      ctorch_module_set_option, (lstm, "kernel_size", value), CTORCH_ERROR_INDEX,
      "'LSTM' object has no attribute 'kernel_size'");
  ck_fails(set_double(drop, "p", 1.5), CTORCH_ERROR_VALUE, "probability");
  ck_assert_double_eq(number_of(drop, "p"), 0.5);
  ck_ok(ctorch_module_new_of_values(&custom, "Own", NULL, NULL, NULL));
  ck_call_fails(
      ctorch_module_set_option, (custom, "p", value), CTORCH_ERROR_INDEX, "'Own' object has no attribute 'p'");
  ctorch_value_release(value);
  ctorch_module_release(custom);
  ctorch_module_release(lstm);
  ctorch_module_release(drop);
}
END_TEST

START_TEST(arguments_are_checked) {
  ctorch_module *module = dropout(0.5);
  ctorch_value *value = NULL;
  ck_call_fails(ctorch_module_options, (NULL, module), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_module_options, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_get_option, (NULL, module, "p"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_module_get_option, (&value, NULL, "p"), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_get_option, (&value, module, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_call_fails(ctorch_module_get_option, (&value, module, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_call_fails(ctorch_module_get_option, (&value, module, ""), CTORCH_ERROR_INDEX, "no attribute ''");
  ck_ok(ctorch_value_from_none(&value));
  ck_call_fails(ctorch_module_set_option, (NULL, "p", value), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_set_option, (module, NULL, value), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_call_fails(ctorch_module_set_option, (module, "p", NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_call_fails(ctorch_module_set_option, (module, "p", value), CTORCH_ERROR_TYPE, "'p'");
  ctorch_value_release(value);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_lazy_module_learns_its_size) {
  ctorch_module *module = NULL;
  ctorch_tensor *x = NULL, *y = NULL;
  ctorch_value *value = NULL;
  int64_t features = 0;
  ck_ok(ctorch_nn_LazyLinear(&module, 3, true, NULL, NULL));
  ck_call_fails(ctorch_module_get_option, (&value, module, "in_features"), CTORCH_ERROR_INDEX, "in_features");
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2, 7), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_ok(ctorch_module_get_option(&value, module, "in_features"));
  ck_ok(ctorch_value_to_int(&features, value));
  ck_assert_int_eq(features, 7);
  ctorch_value_release(value);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_options");
  ck_case(suite, options_are_what_the_constructor_was_given);
  ck_case(suite, a_change_is_used_and_leaves_the_rest);
  ck_case(suite, allocated_options_are_changed_too);
  ck_case(suite, what_cannot_be_changed_is_refused);
  ck_case(suite, arguments_are_checked);
  ck_case(suite, a_lazy_module_learns_its_size);
  return ck_main(suite);
}
