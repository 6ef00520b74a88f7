/* Pruned parameters: closed forms and error paths. The masks are compared with Python's in tests/nn_utils/test_prune.py. */
#include "harness/check.h"

/* A layer of four features whose weight is (1, -4, 3, -2). */
static ctorch_module *linear(void) {
  ctorch_module *module = NULL;
  ctorch_tensor *weight = NULL;
  const float numbers[] = {1, -4, 3, -2};
  ck_ok(ctorch_nn_Linear(&module, 4, 1, false, NULL, NULL));
  ck_ok(ctorch_tensor_from_data(&weight, numbers, sizeof numbers, CTORCH_INTS(1, 4), CTORCH_DTYPE_FLOAT32));
  ck_ok(ctorch_tensor_set_requires_grad(weight, true));
  ck_ok(ctorch_module_register_parameter(module, "weight", weight));
  ctorch_tensor_release(weight);
  return module;
}

static double of_ones(ctorch_module *module) {
  ctorch_tensor *x = NULL, *y = NULL;
  double value = 0;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(4), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_ok(ctorch_tensor_item_double(&value, y));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return value;
}

static bool is_pruned(const ctorch_module *module) {
  bool answer = false;
  ck_ok(ctorch_module_is_pruned(&answer, module));
  return answer;
}

START_TEST(the_smallest_go_first_and_stay_away) {
  ctorch_module *module = linear(), *copy = NULL;
  ck_ok(ctorch_module_prune_identity(module, "weight"));
  ck_assert_double_eq(of_ones(module), -2);
  ck_ok(ctorch_module_prune_l1_unstructured(module, "weight", CTORCH_FLOAT(0.25), NULL));
  ck_assert_double_eq(of_ones(module), -3); /* without the 1 */
  ck_ok(ctorch_module_prune_l1_unstructured(module, "weight", CTORCH_INT(1), NULL));
  ck_assert_double_eq(of_ones(module), -1); /* without the -2 */
  ck_ok(ctorch_module_copy(&copy, module));
  ck_ok(ctorch_module_prune_ln_structured(copy, "weight", CTORCH_INT(1), 2, 1, NULL));
  ck_assert_double_eq(of_ones(copy), -4); /* of two channels that are left the smaller one */
  ck_assert(is_pruned(module));
  ck_ok(ctorch_module_prune_remove(module, "weight"));
  ck_assert(!is_pruned(module) && is_pruned(copy));
  ck_assert_double_eq(of_ones(module), -1);
  ctorch_module_release(module);
  ctorch_module_release(copy);
}
END_TEST

START_TEST(scores_and_masks_decide) {
  ctorch_module *module = linear();
  ctorch_tensor *scores = NULL, *mask = NULL;
  const float numbers[] = {9, 1, 8, 7};
  const bool stays[] = {true, true, false, true};
  ck_ok(ctorch_tensor_from_data(&scores, numbers, sizeof numbers, CTORCH_INTS(1, 4), CTORCH_DTYPE_FLOAT32));
  ck_ok(ctorch_tensor_from_data(&mask, stays, sizeof stays, CTORCH_INTS(1, 4), CTORCH_DTYPE_BOOL));
  ck_ok(ctorch_module_prune_l1_unstructured(module, "weight", CTORCH_INT(1), scores));
  ck_assert_double_eq(of_ones(module), 2); /* without the -4 */
  ck_ok(ctorch_module_prune_custom_from_mask(module, "weight", mask));
  ck_assert_double_eq(of_ones(module), -1); /* nor the 3 */
  ctorch_tensor_release(scores);
  ctorch_tensor_release(mask);
  ctorch_module_release(module);
}
END_TEST

/* A mask that leaves the first element alone. */
static ctorch_callback_status first_alone(
    ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t len, ctorch_error **error, void *calls) {
  ctorch_tensor *mask = NULL, *rest = NULL;
  const int64_t one = 1;
  ck_assert_uint_eq(len, 2);
  ++*(int *)calls;
  *error = ctorch_aten_clone(&mask, inputs[1], NULL);
  if (*error == NULL) {
    *error = ctorch_aten_slice_Tensor(&rest, mask, 0, &one, NULL, 1);
  }
  if (*error == NULL) {
    *error = ctorch_aten_zero_(rest);
  }
  if (*error == NULL) {
    *error = ctorch_tensor_list_new(out, (const ctorch_tensor *const[]){mask}, 1);
  }
  ctorch_tensor_release(mask);
  ctorch_tensor_release(rest);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status refuse(
    ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t len, ctorch_error **error, void *payload) {
  (void)out, (void)inputs, (void)len, (void)error, (void)payload;
  return 0;
}

START_TEST(a_method_of_ones_own) {
  ctorch_module *module = linear();
  int calls = 0;
  ck_fails(
      ctorch_module_prune_by(module, "weight", refuse, NULL, "global", NULL, NULL), CTORCH_ERROR_CALLBACK,
      "compute_mask");
  ck_assert(!is_pruned(module));
  ck_ok(ctorch_module_prune_l1_unstructured(module, "weight", CTORCH_INT(1), NULL));
  ck_ok(ctorch_module_prune_by(module, "weight", first_alone, &calls, "unstructured", NULL, NULL));
  ck_assert_double_eq(of_ones(module), -4); /* the first that was left */
  ck_ok(ctorch_module_prune_global_by(module, (const char *const[]){"weight"}, 1, first_alone, &calls, NULL, 0));
  ck_assert_double_eq(of_ones(module), -4);
  ck_assert_int_eq(calls, 2);
  ctorch_module_release(module);
}
END_TEST

START_TEST(several_parameters_as_one) {
  ctorch_module *sequence = NULL, *one = linear(), *other = linear();
  const char *const names[] = {"0.weight", "1.weight"};
  ctorch_tensor *scores = NULL;
  ck_ok(ctorch_nn_Sequential(&sequence));
  ck_ok(ctorch_module_append(sequence, one));
  ck_ok(ctorch_module_append(sequence, other));
  ck_ok(ctorch_aten_full(&scores, CTORCH_INTS(1, 4), CTORCH_FLOAT(5), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_prune_global_unstructured(
      sequence, names, 2, "L1Unstructured", CTORCH_FLOAT(0.5), (const ctorch_tensor *const[]){NULL, scores}, 2));
  ck_assert_double_eq(of_ones(one), 0); /* all of it: its scores are 4 at most */
  ck_assert_double_eq(of_ones(other), -2);
  ck_fails(
      ctorch_module_prune_global_unstructured(sequence, names, 2, "LnStructured", CTORCH_INT(1), NULL, 0),
      CTORCH_ERROR_TYPE, "of type structured");
  ck_fails(
      ctorch_module_prune_global_unstructured(sequence, names, 0, "Identity", NULL, NULL, 0), CTORCH_ERROR_VALUE,
      "names");
  ck_fails(
      ctorch_module_prune_global_unstructured(sequence, names, 2, "L1Unstructured", NULL, NULL, 0),
      CTORCH_ERROR_NULL_ARGUMENT, "amount");
  ctorch_tensor_release(scores);
  ctorch_module_release(one);
  ctorch_module_release(other);
  ctorch_module_release(sequence);
}
END_TEST

START_TEST(what_fails_changes_nothing) {
  ctorch_module *module = linear();
  int64_t count = 0;
  ck_fails(ctorch_module_prune_identity(NULL, "weight"), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_prune_identity(module, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_fails(ctorch_module_prune_identity(module, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_fails(ctorch_module_prune_identity(module, "odd"), CTORCH_ERROR_INDEX, "odd");
  ck_fails(ctorch_module_prune_identity(module, "bias"), CTORCH_ERROR_TYPE, "None");
  ck_fails(ctorch_module_prune_random_unstructured(module, "weight", NULL), CTORCH_ERROR_NULL_ARGUMENT, "amount");
  ck_fails(
      ctorch_module_prune_l1_unstructured(module, "weight", CTORCH_INT(5), NULL), CTORCH_ERROR_VALUE,
      "amount=5 should be smaller than the number of parameters to prune=4");
  ck_fails(
      ctorch_module_prune_random_structured(module, "weight", CTORCH_FLOAT(1.5), 0), CTORCH_ERROR_VALUE,
      "amount=1.5 should either be a float in the range [0, 1] or a non-negative integer");
  ck_fails(
      ctorch_module_prune_ln_structured_str(module, "weight", CTORCH_INT(1), "nuc", 0, NULL), CTORCH_ERROR_RUNTIME, "");
  ck_fails(ctorch_module_prune_remove(module, "weight"), CTORCH_ERROR_VALUE, "has to be pruned");
  ck_ok(ctorch_module_num_parameters(&count, module, true));
  ck_assert_int_eq(count, 4);
  ck_assert_double_eq(of_ones(module), -2);
  ck_ok(ctorch_module_prune_identity(module, "weight"));
  ck_ok(ctorch_module_unregister(module, "weight_mask"));
  ck_fails(
      ctorch_module_prune_l1_unstructured(module, "weight", CTORCH_INT(1), NULL), CTORCH_ERROR_RUNTIME, "weight_mask");
  ck_fails(ctorch_module_prune_remove(module, "weight"), CTORCH_ERROR_RUNTIME, "weight_mask");
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_prune");
  ck_case(suite, the_smallest_go_first_and_stay_away);
  ck_case(suite, scores_and_masks_decide);
  ck_case(suite, a_method_of_ones_own);
  ck_case(suite, several_parameters_as_one);
  ck_case(suite, what_fails_changes_nothing);
  return ck_main(suite);
}
