/* What a user puts in the place of a class's own: its forward, its name, its text, its version. */
#include "harness/check.h"

static void count(void *payload) { ++*(int *)payload; }

static ctorch_module *relu(void) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_ReLU(&module, false));
  return module;
}

static ctorch_tensor *minus_one(void) {
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_aten_full(&tensor, CTORCH_INTS(1), CTORCH_FLOAT(-1), NULL, NULL, NULL, NULL));
  return tensor;
}

static double value_of(ctorch_module *module) {
  ctorch_tensor *x = minus_one(), *y = NULL;
  double number = 0;
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_ok(ctorch_tensor_item_double(&number, y));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return number;
}

/* What the class gives, less one. */
static ctorch_callback_status less(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  ctorch_value *inner = NULL;
  ctorch_tensor *tensor = NULL, *changed = NULL;
  (void)payload;
  *error = ctorch_module_forward_of_class(&inner, module, args, kwargs);
  *error = *error != NULL ? *error : ctorch_value_to_tensor(&tensor, inner);
  *error = *error != NULL ? *error : ctorch_aten_sub_Scalar(&changed, tensor, CTORCH_INT(1), NULL);
  *error = *error != NULL ? *error : ctorch_value_from_tensor(out, changed);
  ctorch_value_release(inner);
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(changed);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status text(ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)module;
  *error = ctorch_value_from_string(out, payload);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status number(ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)module, (void)payload;
  *error = ctorch_value_from_int(out, 1);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status nothing(ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)out, (void)module, (void)error, (void)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status give_forward(ctorch_module *module, ctorch_error **error, void *payload) {
  (void)payload;
  *error = ctorch_module_set_forward(module, less, NULL, NULL);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void check_text(const ctorch_module *module, const char *expected) {
  ctorch_string *string = NULL;
  ck_ok(ctorch_module_repr(&string, module));
  ck_assert_str_eq(ctorch_string_data(string), expected);
  ctorch_string_release(string);
}

START_TEST(a_forward_stands_in_for_the_classs) {
  int destroyed = 0;
  ctorch_module *module = relu(), *copy = NULL;
  ck_ok(ctorch_module_set_forward(module, less, count, &destroyed));
  ck_assert_double_eq(value_of(module), -1);
  ck_ok(ctorch_module_copy(&copy, module));
  ck_assert_double_eq(value_of(copy), 0); /* the class's own again */
  ck_ok(ctorch_module_set_forward(module, NULL, NULL, NULL));
  ck_assert_int_eq(destroyed, 1);
  ck_assert_double_eq(value_of(module), 0);
  ctorch_module_release(copy);
  ctorch_module_release(module);
}
END_TEST

START_TEST(whoever_is_told_of_copies_can_see_to_them) {
  int destroyed = 0;
  ctorch_module *module = relu(), *copy = NULL;
  ck_ok(ctorch_module_set_copied(module, give_forward, count, &destroyed));
  ck_ok(ctorch_module_copy(&copy, module));
  ck_assert_double_eq(value_of(module), 0);
  ck_assert_double_eq(value_of(copy), -1);
  ctorch_module_release(copy);
  ctorch_module_release(module);
  ck_assert_int_eq(destroyed, 1);
}
END_TEST

START_TEST(texts_are_used_as_they_are) {
  static char whole[] = "Mine\n  of two lines", part[] = "slope=0";
  int destroyed = 0;
  ctorch_module *module = relu(), *net = NULL, *copy = NULL;
  ctorch_string *string = NULL;
  ck_ok(ctorch_nn_Sequential(&net));
  ck_ok(ctorch_module_append(net, module));
  ck_ok(ctorch_module_set_extra_repr(module, text, NULL, part));
  check_text(net, "Sequential(\n  (0): ReLU(slope=0)\n)");
  ck_ok(ctorch_module_set_repr(module, text, NULL, whole));
  check_text(net, "Sequential(\n  (0): Mine\n    of two lines\n)");
  ck_ok(ctorch_module_repr_of_class(&string, module));
  ck_assert_str_eq(ctorch_string_data(string), "ReLU(slope=0)");
  ctorch_string_release(string);
  ck_ok(ctorch_module_copy(&copy, net));
  check_text(copy, "Sequential(\n  (0): ReLU()\n)");
  ck_ok(ctorch_module_set_repr(module, NULL, count, &destroyed));
  ck_assert_int_eq(destroyed, 1); /* what has no callback has no payload to keep */
  ck_ok(ctorch_module_set_extra_repr(module, NULL, NULL, NULL));
  check_text(module, "ReLU()");
  ctorch_module_release(copy);
  ctorch_module_release(net);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_text_that_is_none_is_an_error) {
  ctorch_module *module = relu();
  ctorch_string *string = NULL;
  ck_ok(ctorch_module_set_repr(module, number, NULL, NULL));
  ck_call_fails(ctorch_module_repr, (&string, module), CTORCH_ERROR_TYPE, "the callback repr gave int, no text");
  ck_ok(ctorch_module_set_repr(module, nothing, NULL, NULL));
  ck_call_fails(ctorch_module_repr, (&string, module), CTORCH_ERROR_CALLBACK, "repr answered success, but gave no");
  ck_ok(ctorch_module_set_extra_repr(module, nothing, NULL, NULL));
  ck_call_fails(ctorch_module_repr_of_class, (&string, module), CTORCH_ERROR_CALLBACK, "extra_repr answered success");
  ck_call_fails(ctorch_module_set_repr, (NULL, number, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_set_extra_repr, (NULL, number, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_repr_of_class, (NULL, module), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_module_repr_of_class, (&string, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ctorch_module_release(module);
}
END_TEST

START_TEST(names_and_versions) {
  ctorch_module *module = relu();
  ck_ok(ctorch_module_set_class_name(module, "Rectifier"));
  check_text(module, "Rectifier()");
  ck_call_fails(ctorch_module_set_class_name, (module, ""), CTORCH_ERROR_VALUE, "a class has a name");
  ck_call_fails(ctorch_module_set_class_name, (module, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_call_fails(ctorch_module_set_class_name, (NULL, "A"), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_ok(ctorch_module_set_class_name(module, NULL));
  check_text(module, "ReLU()");
  ck_ok(ctorch_module_set_version(module, 3));
  ck_call_fails(ctorch_module_set_version, (module, 0), CTORCH_ERROR_VALUE, "version");
  ck_call_fails(ctorch_module_set_version, (NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_set_forward, (NULL, less, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_module_set_copied, (NULL, give_forward, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_derived");
  ck_case(suite, a_forward_stands_in_for_the_classs);
  ck_case(suite, whoever_is_told_of_copies_can_see_to_them);
  ck_case(suite, texts_are_used_as_they_are);
  ck_case(suite, a_text_that_is_none_is_an_error);
  ck_case(suite, names_and_versions);
  return ck_main(suite);
}
