/* Norms and limits of gradients, parameters as a vector, packed sequences: what is left behind when they fail, and in
 * scopes. What the numbers are is compared with Python in tests/nn. */
#include <math.h>

#include "harness/check.h"

/* A leaf with two elements and a gradient (3, 4), or none. */
static ctorch_tensor *parameter(bool with_gradient) {
  ctorch_tensor *self = NULL, *gradient = NULL;
  ck_ok(ctorch_tensor_from_data(&self, (double[]){1, 2}, 2 * sizeof(double), CTORCH_INTS(2), CTORCH_DTYPE_FLOAT64));
  ck_ok(ctorch_tensor_set_requires_grad(self, true));
  if (with_gradient) {
    ck_ok(
        ctorch_tensor_from_data(&gradient, (double[]){3, 4}, 2 * sizeof(double), CTORCH_INTS(2), CTORCH_DTYPE_FLOAT64));
    ck_ok(ctorch_tensor_set_grad(self, gradient));
    ctorch_tensor_release(gradient);
  }
  return self;
}

static void ck_gradient(const ctorch_tensor *self, double first, double second) {
  ctorch_tensor *gradient = NULL;
  double found[2];
  ck_ok(ctorch_tensor_grad(&gradient, self));
  ck_ok(ctorch_tensor_copy_to_buffer(gradient, found, sizeof found, CTORCH_DTYPE_FLOAT64));
  ctorch_tensor_release(gradient);
  ck_assert(found[0] == first || fabs(found[0] - first) < 1e-6);
  ck_assert(found[1] == second || fabs(found[1] - second) < 1e-6);
}

START_TEST(gradients_are_scaled_to_a_norm) {
  ctorch_tensor *parameters[] = {parameter(true), parameter(false)};
  ctorch_tensor *norm = NULL;
  double value = 0;
  ck_ok(ctorch_utils_clip_grad_norm_(&norm, parameters, 2, 2.5, 2, false, NULL));
  ck_ok(ctorch_tensor_item_double(&value, norm));
  ck_assert_double_eq(value, 5);
  ck_gradient(parameters[0], 1.5, 2);
  ck_ok(ctorch_utils_clip_grad_value_(parameters, 2, 1.75, NULL));
  ck_gradient(parameters[0], 1.5, 1.75);
  ck_ok(ctorch_utils_clip_grads_with_norm_(parameters, 2, 5, norm, (bool[]){false}));
  ck_gradient(parameters[0], 1.5, 1.75); /* they are never made greater */
  ctorch_tensor_release(norm);
  ctorch_tensor_release(parameters[0]);
  ctorch_tensor_release(parameters[1]);
}
END_TEST

START_TEST(a_failure_leaves_gradients_and_mode) {
  ctorch_tensor *parameters[] = {parameter(true)};
  ctorch_tensor *norm = NULL, *gradient = NULL;
  ck_ok(ctorch_tensor_grad(&gradient, parameters[0]));
  ck_ok(ctorch_aten_mul__Scalar(gradient, CTORCH_FLOAT(INFINITY)));
  ctorch_tensor_release(gradient);
  ck_fails(ctorch_utils_clip_grad_norm_(&norm, parameters, 1, 1, 2, true, NULL), CTORCH_ERROR_RUNTIME, "non-finite");
  ck_assert_ptr_null(norm);
  ck_assert(ctorch_grad_mode_enabled());
  ck_gradient(parameters[0], INFINITY, INFINITY);
  ck_fails(ctorch_utils_clip_grad_norm_(NULL, parameters, 1, 1, 2, true, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(
      ctorch_utils_clip_grad_norm_(&norm, (ctorch_tensor *[]){NULL}, 1, 1, 2, true, NULL), CTORCH_ERROR_NULL_ARGUMENT,
      "parameters");
  ck_fails(ctorch_utils_clip_grads_with_norm_(parameters, 1, 1, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "total_norm");
  ctorch_tensor_release(parameters[0]);
}
END_TEST

START_TEST(parameters_share_the_memory_of_a_vector) {
  ctorch_tensor *parameters[] = {parameter(false), parameter(false)};
  ctorch_tensor *vector = NULL;
  const void *whole = NULL, *second = NULL;
  ck_ok(ctorch_utils_parameters_to_vector(&vector, CTORCH_CONST_TENSORS(parameters)));
  ck_assert_int_eq(ctorch_tensor_numel(vector), 4);
  ctorch_tensor *leaf = NULL;
  ck_ok(ctorch_aten_detach(&leaf, vector));
  ck_ok(ctorch_utils_vector_to_parameters(leaf, parameters, 2));
  ck_ok(ctorch_tensor_const_data(&whole, leaf));
  ck_ok(ctorch_tensor_const_data(&second, parameters[1]));
  ck_assert_ptr_eq(second, (const double *)whole + 2);
  ck_assert(ctorch_tensor_is_leaf(parameters[1]) && ctorch_tensor_requires_grad(parameters[1]));
  ctorch_tensor_release(leaf);
  ctorch_tensor_release(vector);
  ctorch_tensor_release(parameters[0]);
  ctorch_tensor_release(parameters[1]);
}
END_TEST

START_TEST(sequences_are_packed_and_come_back) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *input = NULL, *data = NULL, *sizes = NULL, *sorted = NULL, *unsorted = NULL;
  ctorch_tensor *padded = NULL, *lengths = NULL;
  bool same = false;
  ck_ok(ctorch_aten_randn(&input, CTORCH_INTS(3, 2, 4), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_utils_pack_padded_sequence_lengths(
      &data, &sizes, &sorted, &unsorted, input, CTORCH_INTS(2, 3), false, false));
  ck_assert_int_eq(ctorch_tensor_sizes(data)[0], 5);
  ck_ok(ctorch_utils_pad_packed_sequence(&padded, &lengths, data, sizes, unsorted, false, 0, NULL));
  ck_ok(ctorch_aten_equal(&same, padded, input));
  ck_assert(!same);            /* the last element of the first sequence was none */
  sorted = unsorted = lengths; /* what no call touches */
  ctorch_tensor *untouched = lengths;
  ck_fails(
      ctorch_utils_pack_padded_sequence_lengths(
          &data, &sizes, &sorted, &unsorted, input, CTORCH_INTS(2, 3), false, true),
      CTORCH_ERROR_RUNTIME, "sorted");
  ck_assert(sorted == untouched && unsorted == untouched);
  ctorch_scope_end(scope);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("clip");
  ck_case(suite, gradients_are_scaled_to_a_norm);
  ck_case(suite, a_failure_leaves_gradients_and_mode);
  ck_case(suite, parameters_share_the_memory_of_a_vector);
  ck_case(suite, sequences_are_packed_and_come_back);
  return ck_main(suite);
}
