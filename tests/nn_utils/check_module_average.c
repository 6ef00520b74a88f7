/* Averages of models: closed forms, ownership and error paths. The numbers are compared with Python in
 * tests/nn_utils/test_average.py. */
#include "harness/check.h"

static ctorch_module *linear(void) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_Linear(&module, 1, 1, false, NULL, NULL));
  return module;
}

static void set(const ctorch_module *module, double value) {
  ctorch_tensor *weight = NULL;
  ck_ok(ctorch_module_get_parameter(&weight, module, "weight"));
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_aten_fill__Scalar(weight, CTORCH_FLOAT(value)));
  ck_ok(ctorch_grad_mode_pop());
  ctorch_tensor_release(weight);
}

static double get(const ctorch_module *average) {
  ctorch_tensor *weight = NULL;
  double value = 0;
  ck_ok(ctorch_module_get_parameter(&weight, average, "module.weight"));
  ck_ok(ctorch_tensor_item_double(&value, weight));
  ctorch_tensor_release(weight);
  return value;
}

static double average_of_1_to_4(ctorch_module *average, ctorch_module *model) {
  for (int i = 1; i <= 4; i++) {
    set(model, i);
    ck_ok(ctorch_module_update_parameters(average, model));
  }
  return get(average);
}

START_TEST(averages_have_their_closed_forms) {
  const double decay = 0.5, too_much = 2;
  const bool foreach = true, one_by_one = false;
  ctorch_module *model = linear(), *average = NULL;
  for (int i = 0; i < 4; i++) {
    const bool *how = i % 2 == 0 ? &foreach : &one_by_one;
    ck_ok(ctorch_module_averaged_model(&average, model, NULL, i < 2 ? NULL : &decay, how, false));
    /* 1/8 + 2/8 + 3/4 + 4/2 with a decay */
    ck_assert_double_eq_tol(average_of_1_to_4(average, model), i < 2 ? 2.5 : 3.125, 1e-6);
    ctorch_module_release(average);
    average = NULL;
  }
  ck_fails(
      ctorch_module_averaged_model(&average, model, NULL, &too_much, NULL, false), CTORCH_ERROR_VALUE,
      "Invalid decay value 2.0");
  ck_fails(ctorch_module_averaged_model(&average, NULL, NULL, NULL, NULL, false), CTORCH_ERROR_NULL_ARGUMENT, "model");
  ck_fails(ctorch_module_update_parameters(model, model), CTORCH_ERROR_TYPE, "AveragedModel, not Linear");
  ck_fails(ctorch_module_update_parameters(NULL, model), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_ptr_null(average);
  ctorch_module_release(model);
}
END_TEST

/* The larger one; the payload counts how often it was asked, and is -1 when it was destroyed. */
static ctorch_callback_status larger(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  ctorch_tensor *result = NULL;
  ck_assert_uint_eq(inputs_len, 3);
  ++*(int *)payload;
  *error = ctorch_aten_maximum(&result, inputs[0], inputs[1]);
  if (*error == NULL) {
    *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(result));
  }
  ctorch_tensor_release(result);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void destroy(void *payload) { *(int *)payload = -1; }

START_TEST(a_function_lives_as_long_as_the_averages_that_need_it) {
  int count = 0, other = 0;
  ctorch_module *model = linear(), *average = NULL, *copy = NULL;
  ck_ok(ctorch_module_averaged_model_by(&average, model, NULL, larger, false, false, destroy, &count));
  ck_assert_double_eq(average_of_1_to_4(average, model), 4);
  ck_assert_int_eq(count, 3);
  ck_ok(ctorch_module_copy(&copy, average));
  ctorch_module_release(average);
  ck_assert_int_eq(count, 3);
  ck_ok(ctorch_module_update_parameters(copy, model));
  ctorch_module_release(copy);
  ck_assert_int_eq(count, -1);
  ck_fails(
      ctorch_module_averaged_model_by(&average, model, NULL, NULL, false, false, destroy, &other),
      CTORCH_ERROR_NULL_ARGUMENT, "function");
  const ctorch_device nowhere = {.type = 99};
  ck_fails(
      ctorch_module_averaged_model_by(&average, model, &nowhere, larger, false, false, destroy, &other),
      CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_assert_int_eq(other, 0);
  ctorch_module_release(model);
}
END_TEST

START_TEST(statistics_are_the_means_of_all_batches) {
  ctorch_module *norm = NULL;
  ctorch_tensor *batches[2] = {NULL}, *mean = NULL;
  double value = 0;
  ck_ok(ctorch_nn_create(&norm, "Identity", NULL, NULL));
  ck_ok(ctorch_module_update_bn(norm, NULL, 0, NULL));
  ctorch_module_release(norm);
  ck_ok(ctorch_nn_BatchNorm1d(&norm, 1, 1e-5, 0.1, true, true, NULL, NULL, true));
  for (int i = 0; i < 2; i++) {
    ck_ok(ctorch_aten_full(&batches[i], CTORCH_INTS(2, 1), CTORCH_FLOAT(1 + 2 * i), NULL, NULL, NULL, NULL));
  }
  ck_ok(ctorch_module_train(norm, false));
  ck_ok(ctorch_module_update_bn(norm, CTORCH_TENSORS(batches[0], batches[1]), NULL));
  ck_assert(!ctorch_module_training(norm));
  ck_ok(ctorch_module_get_buffer(&mean, norm, "running_mean"));
  ck_ok(ctorch_tensor_item_double(&value, mean));
  ck_assert_double_eq_tol(value, 2, 1e-6);
  ck_fails(
      ctorch_module_update_bn(norm, CTORCH_TENSORS(batches[0], NULL), NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "element 1");
  ck_fails(ctorch_module_update_bn(norm, NULL, 1, NULL), CTORCH_ERROR_NULL_ARGUMENT, "batches");
  ck_fails(ctorch_module_update_bn_from(norm, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "loader");
  ctorch_tensor_release(mean);
  ctorch_tensor_release(batches[0]);
  ctorch_tensor_release(batches[1]);
  ctorch_module_release(norm);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_average");
  ck_case(suite, averages_have_their_closed_forms);
  ck_case(suite, a_function_lives_as_long_as_the_averages_that_need_it);
  ck_case(suite, statistics_are_the_means_of_all_batches);
  return ck_main(suite);
}
