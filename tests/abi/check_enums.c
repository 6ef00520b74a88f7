/* Numbers with a meaning that operators take as `int`. That every such argument of every operator is checked, and that
 * PyTorch means the same numbers, is proven in abi/test_enums.py and shim/core/abi/enumeration.cpp. */
#include "harness/values.h"

/* A number that fits, the next one on either side, and the ones that are furthest away. */
static const int64_t OUTSIDE[] = {-1, INT64_MIN, INT64_MAX, INT64_C(1) << 32};

START_TEST(a_reduction_is_what_it_is_called) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *zero = floats(CTORCH_INTS(2), 0, 0), *loss = NULL;
  ck_ok(ctorch_aten_mse_loss(&loss, x, zero, CTORCH_REDUCTION_NONE));
  ck_floats(loss, CTORCH_INTS(2), 1, 4);
  ck_ok(ctorch_aten_mse_loss(&loss, x, zero, CTORCH_REDUCTION_MEAN));
  ck_floats(loss, NO_DIMS, 2.5);
  ck_ok(ctorch_aten_mse_loss(&loss, x, zero, CTORCH_REDUCTION_SUM));
  ck_floats(loss, NO_DIMS, 5);
}
END_TEST

/* PyTorch takes 7 for a sum in the first, and ends in an internal assertion in the second. */
START_TEST(a_reduction_without_a_name_is_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *loss = x, *target = ints(CTORCH_INTS(2), 0, 1);
  ck_fails(
      ctorch_aten_nll_loss(&loss, x, target, NULL, 7, -100), CTORCH_ERROR_INVALID_ARGUMENT,
      "reduction: 7 is no ctorch_reduction, which are 0 to 2");
  ck_call_fails(ctorch_aten_mse_loss, (&loss, x, x, 7), CTORCH_ERROR_INVALID_ARGUMENT, "reduction: 7");
  for (size_t i = 0; i < sizeof OUTSIDE / sizeof *OUTSIDE; i++) {
    ck_call_fails(
        ctorch_aten_mse_loss, (&loss, x, x, OUTSIDE[i]), CTORCH_ERROR_INVALID_ARGUMENT, "is no ctorch_reduction");
    ck_fails(ctorch_aten_kl_div(&loss, x, x, OUTSIDE[i], false), CTORCH_ERROR_INVALID_ARGUMENT, "reduction: ");
  }
  ck_assert_ptr_eq(loss, x);
}
END_TEST

START_TEST(nothing_has_changed_when_a_number_is_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *loss = floats(CTORCH_INTS(1), 7);
  ck_fails(ctorch_aten_mse_loss_out(x, x, 3, loss), CTORCH_ERROR_INVALID_ARGUMENT, "reduction: 3");
  ck_floats(loss, CTORCH_INTS(1), 7);
}
END_TEST

START_TEST(modes_that_may_be_left_out_are_checked_if_they_are_given) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 1), 0, 3), *distances = NULL;
  const int64_t modes[] = {
      CTORCH_CDIST_COMPUTE_MODE_USE_MM_FOR_EUCLID_DIST_IF_NECESSARY, CTORCH_CDIST_COMPUTE_MODE_USE_MM_FOR_EUCLID_DIST,
      CTORCH_CDIST_COMPUTE_MODE_DONOT_USE_MM_FOR_EUCLID_DIST};
  ck_ok(ctorch_aten_cdist(&distances, x, x, 2, NULL));
  for (size_t i = 0; i < 3; i++) {
    ck_ok(ctorch_aten_cdist(&distances, x, x, 2, &modes[i]));
    ck_floats(distances, CTORCH_INTS(2, 2), 0, 3, 3, 0);
  }
  ck_fails(
      ctorch_aten_cdist(&distances, x, x, 2, CTORCH_SOME(int64_t, 3)), CTORCH_ERROR_INVALID_ARGUMENT,
      "compute_mode: 3 is no ctorch_cdist_compute_mode");
}
END_TEST

START_TEST(bags_are_joined_as_their_mode_is_called) {
  ctorch_tensor *weight = floats(CTORCH_INTS(2, 1), 2, 6), *out[4] = {NULL};
  ctorch_tensor *indices = ints(CTORCH_INTS(2), 0, 1), *offsets = ints(CTORCH_INTS(1), 0);
  const float joined[] = {8, 4, 6};
  for (int64_t mode = CTORCH_EMBEDDING_BAG_MODE_SUM; mode <= CTORCH_EMBEDDING_BAG_MODE_MAX; mode++) {
    ck_ok(ctorch_aten_embedding_bag(
        &out[0], &out[1], &out[2], &out[3], weight, indices, offsets, false, mode, false, NULL, false));
    ck_floats(out[0], CTORCH_INTS(1, 1), joined[mode]);
  }
  ck_fails(
      ctorch_aten_embedding_bag(
          &out[0], &out[1], &out[2], &out[3], weight, indices, offsets, false, 3, false, NULL, false),
      CTORCH_ERROR_INVALID_ARGUMENT, "mode: 3 is no ctorch_embedding_bag_mode");
}
END_TEST

START_TEST(lists_of_numbers_are_checked_one_by_one) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 1), 1), *out = NULL;
  const ctorch_tensor *scale[] = {x};
  const bool has_it = ck_torch_at_least(2, 10);
  ck_fails(
      ctorch_aten__scaled_mm_v2(
          &out, x, x, scale, 1, CTORCH_INTS(CTORCH_SCALING_TYPE_TENSOR_WISE, 6), CTORCH_INTS(0), scale, 1,
          CTORCH_INTS(0), CTORCH_INTS(0), NULL, NULL, NO_DIMS, false),
      has_it ? CTORCH_ERROR_INVALID_ARGUMENT : CTORCH_ERROR_UNSUPPORTED,
      has_it ? "recipe_a: 6 is no ctorch_scaling_type" : "does not exist in LibTorch");
  if (!has_it) {
    return;
  }
  ck_fails(
      ctorch_aten__scaled_mm_v2(
          &out, x, x, scale, 1, CTORCH_INTS(0), CTORCH_INTS(0), scale, 1, CTORCH_INTS(0),
          CTORCH_INTS(CTORCH_SWIZZLE_TYPE_SWIZZLE_32_4_4, -1), NULL, NULL, NO_DIMS, false),
      CTORCH_ERROR_INVALID_ARGUMENT, "swizzle_b: -1 is no ctorch_swizzle_type");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("enums");
  ck_scoped_case(suite, a_reduction_is_what_it_is_called);
  ck_scoped_case(suite, a_reduction_without_a_name_is_refused);
  ck_scoped_case(suite, nothing_has_changed_when_a_number_is_refused);
  ck_scoped_case(suite, modes_that_may_be_left_out_are_checked_if_they_are_given);
  ck_scoped_case(suite, bags_are_joined_as_their_mode_is_called);
  ck_scoped_case(suite, lists_of_numbers_are_checked_one_by_one);
  return ck_main(suite);
}
