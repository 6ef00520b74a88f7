/* How results come back: outputs in order, lists, numbers beside tensors, undefined tensors as NULL, and operators that
 * write to their arguments. Expected numbers are closed forms, or Python's torch.ops.aten for the same call. */
#include "harness/values.h"

static ctorch_tensor *element(const ctorch_tensor_list *list, size_t index) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_list_get(&out, list, index));
  return out;
}

static const ctorch_dtype QINT8 = CTORCH_DTYPE_QINT8;

/* Outputs --------------------------------------------------------------------------------------------------------- */

START_TEST(several_outputs_come_in_the_schemas_order) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 5, 2, 9, 0, 3), *values = NULL, *indices = NULL;
  ck_ok(ctorch_aten_max_dim(&values, &indices, x, 1, false));
  ck_floats(values, CTORCH_INTS(2), 5, 9);
  ck_ints(indices, CTORCH_INTS(2), 1, 0);
  /* A diagonal matrix is its own decomposition. */
  ctorch_tensor *d = floats(CTORCH_INTS(2, 2), 3, 0, 0, 2), *u = NULL, *s = NULL, *v = NULL, *us = NULL, *back = NULL;
  ck_ok(ctorch_aten_svd(&u, &s, &v, d, true, true));
  ck_floats_near(s, 1e-6, 3, 2);
  ck_ok(ctorch_aten_mul_Tensor(&us, u, s));
  ck_ok(ctorch_aten_t(&v, v));
  ck_ok(ctorch_aten_mm(&back, us, v));
  ck_floats_near(back, 1e-6, 3, 0, 0, 2);
}
END_TEST

START_TEST(no_output_may_be_null_and_none_is_touched_on_failure) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *values = x, *indices = x;
  ck_fails(ctorch_aten_max_dim(NULL, &indices, x, 0, false), CTORCH_ERROR_NULL_ARGUMENT, "out_values");
  ck_fails(ctorch_aten_max_dim(&values, NULL, x, 0, false), CTORCH_ERROR_NULL_ARGUMENT, "out_indices");
  ck_fails(ctorch_aten_max_dim(&values, &indices, x, 5, false), CTORCH_ERROR_INDEX, "range");
  ck_assert(values == x && indices == x);
  ctorch_tensor_list *list = NULL;
  double scale = 7;
  int64_t zero_point = 7;
  ck_fails(ctorch_aten_split_Tensor(&list, x, -1, 0), CTORCH_ERROR_RUNTIME, "non-negative");
  ck_fails(ctorch_aten__choose_qparams_per_tensor(&scale, NULL, x, false), CTORCH_ERROR_NULL_ARGUMENT, "out1");
  ck_fails(
      ctorch_aten__choose_qparams_per_tensor(&scale, &zero_point, NULL, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert(list == NULL && scale == 7 && zero_point == 7);
}
END_TEST

/* An operator with side effects must not have run when an output pointer turns out to be missing. */
START_TEST(output_pointers_are_checked_before_the_operator_runs) {
  ctorch_tensor *mean = floats(CTORCH_INTS(1), 0), *var = floats(CTORCH_INTS(1), 1);
  ctorch_tensor *x = floats(CTORCH_INTS(2, 1), 1, 3), *a = NULL, *b = NULL;
  ck_fails(
      ctorch_aten_native_batch_norm(&a, &b, NULL, x, NULL, NULL, mean, var, true, 0.5, 0), CTORCH_ERROR_NULL_ARGUMENT,
      "out2");
  ck_floats(mean, CTORCH_INTS(1), 0);
  ck_floats(var, CTORCH_INTS(1), 1);
}
END_TEST

START_TEST(numbers_as_outputs) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6), *q = NULL;
  bool yes = false;
  int64_t i = 0;
  double d = 0;
  ctorch_scalar number;
  ck_ok(ctorch_aten_equal(&yes, x, x));
  ck_assert(yes);
  ck_ok(ctorch_aten_is_floating_point(&yes, ints(NO_DIMS, 1)));
  ck_assert(!yes);
  ck_ok(ctorch_aten_sym_size_int(&i, x, -1)); /* SymInt */
  ck_assert_int_eq(i, 3);
  ck_ok(ctorch_aten_sym_numel(&i, x));
  ck_assert_int_eq(i, 6);
  ck_ok(ctorch_aten_quantize_per_tensor(&q, x, 0.5, 3, QINT8));
  ck_ok(ctorch_aten_q_scale(&d, q));
  ck_assert(d == 0.5);
  ck_ok(ctorch_aten_q_zero_point(&i, q));
  ck_assert_int_eq(i, 3);
  ck_ok(ctorch_aten_item(&number, floats(NO_DIMS, 2.5F)));
  ck_assert(number.kind == CTORCH_SCALAR_FLOAT && number.re == 2.5);
  ck_ok_since(2, 9, ctorch_aten_sym_is_contiguous(&yes, x, CTORCH_MEMORY_FORMAT_CONTIGUOUS)); /* SymBool */
  ck_assert(yes);
}
END_TEST

START_TEST(enumerations_as_outputs) {
  ctorch_dtype dtype = -1;
  int32_t qscheme = -1;
  ctorch_tensor *q = NULL, *i16 = NULL;
  ck_ok(ctorch_aten_promote_types(&dtype, CTORCH_DTYPE_INT64, CTORCH_DTYPE_FLOAT16));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_FLOAT16);
  ck_ok(ctorch_aten_ones(&i16, CTORCH_INTS(1), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT16), NULL, NULL, NULL));
  ck_ok(ctorch_aten_result_type_Tensor(&dtype, i16, floats(NO_DIMS, 1)));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_FLOAT32);
  ck_ok(ctorch_aten_result_type_Scalar(&dtype, i16, CTORCH_INT(2)));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_INT16);
  ck_ok(ctorch_aten_result_type_Scalar_Scalar(&dtype, CTORCH_INT(1), CTORCH_COMPLEX(1, 1)));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_COMPLEX64);
  ck_ok(ctorch_aten_quantize_per_tensor(&q, floats(CTORCH_INTS(1), 1), 0.5, 0, QINT8));
  ck_ok(ctorch_aten_qscheme(&qscheme, q));
  ck_assert_int_eq(qscheme, 0); /* c10::kPerTensorAffine */
}
END_TEST

START_TEST(float_and_int_together) {
  double scale = 0;
  int64_t zero_point = 0;
  ck_ok(ctorch_aten__choose_qparams_per_tensor(&scale, &zero_point, floats(CTORCH_INTS(3), -1, 0, 3), false));
  ck_assert_double_eq_tol(scale, 4.0 / 255, 1e-9);
  ck_assert_int_eq(zero_point, 64);
}
END_TEST

START_TEST(tensors_and_an_int_together) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *y = NULL, *mean = NULL, *invstd = NULL, *reserve = NULL;
  int64_t backend = 99;
  ck_ok(ctorch_aten__batch_norm_impl_index(
      &y, &mean, &invstd, &reserve, &backend, x, NULL, NULL, NULL, NULL, true, 0.1, 0, false));
  ck_floats(y, CTORCH_INTS(2, 2), -1, -1, 1, 1);
  ck_floats(mean, CTORCH_INTS(2), 2, 3);
  ck_floats(invstd, CTORCH_INTS(2), 1, 1);
  ck_shape(reserve, CTORCH_INTS(0));
  ck_assert_int_eq(backend, 0);
}
END_TEST

START_TEST(a_tensor_and_a_list_together) {
  ctorch_tensor *points = floats(CTORCH_INTS(3, 2), 0, 1, 1, 0, 1, 1), *hist = NULL;
  ctorch_tensor_list *edges = NULL;
  ck_ok(ctorch_aten_histogramdd(&hist, &edges, points, CTORCH_INTS(2, 2), NULL, 0, NULL, false));
  ck_floats(hist, CTORCH_INTS(2, 2), 0, 1, 1, 1);
  ck_assert_uint_eq(ctorch_tensor_list_len(edges), 2);
  ck_floats(element(edges, 0), CTORCH_INTS(3), 0, 0.5F, 1);
  ck_ok(ctorch_aten_histogramdd(&hist, &edges, points, CTORCH_INTS(2, 2), CTORCH_DOUBLES(0, 2, 0, 4), NULL, false));
  ck_floats(hist, CTORCH_INTS(2, 2), 1, 0, 2, 0);
  ck_floats(element(edges, 1), CTORCH_INTS(3), 0, 2, 4);
  ctorch_tensor_list *none = NULL;
  ck_fails(
      ctorch_aten_histogramdd(&hist, NULL, points, CTORCH_INTS(2, 2), NULL, 0, NULL, false), CTORCH_ERROR_NULL_ARGUMENT,
      "out_bin_edges");
  ck_assert_ptr_null(none);
}
END_TEST

START_TEST(a_list_feeds_straight_into_the_next_call) {
  ctorch_tensor *x = floats(CTORCH_INTS(5), 1, 2, 3, 4, 5), *y = NULL;
  ctorch_tensor_list *parts = NULL;
  ck_ok(ctorch_aten_split_Tensor(&parts, x, 2, 0));
  ck_assert_uint_eq(ctorch_tensor_list_len(parts), 3);
  ck_floats(element(parts, 2), CTORCH_INTS(1), 5);
  ck_ok(ctorch_aten_cat(&y, ctorch_tensor_list_data(parts), ctorch_tensor_list_len(parts), 0));
  ck_floats(y, CTORCH_INTS(5), 1, 2, 3, 4, 5);
  /* The parts look at x, and operators that change a list in place take it too. */
  ck_ok(ctorch_aten__foreach_add__Scalar(
      ctorch_tensor_list_mutable_data(parts), ctorch_tensor_list_len(parts), CTORCH_INT(10)));
  ck_floats(x, CTORCH_INTS(5), 11, 12, 13, 14, 15);
  ck_ok(ctorch_aten_unbind_int(&parts, floats(CTORCH_INTS(2, 1), 7, 8), 0));
  ck_ok(ctorch_aten_stack(&y, ctorch_tensor_list_data(parts), ctorch_tensor_list_len(parts), 1));
  ck_floats(y, CTORCH_INTS(1, 2), 7, 8);
  /* Without elements it is a list too: torch.split_with_sizes(torch.zeros(0), []) */
  ck_ok(ctorch_aten_split_with_sizes(&parts, values_new(CTORCH_DTYPE_FLOAT32, NULL, 0, CTORCH_INTS(0)), NULL, 0, 0));
  ck_assert_ptr_nonnull(parts);
  ck_assert_uint_eq(ctorch_tensor_list_len(parts), 0);
}
END_TEST

START_TEST(undefined_results_are_null) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 2), 1, 3), *y = NULL, *mean = NULL, *rstd = NULL;
  ck_ok(ctorch_aten_native_layer_norm(&y, &mean, &rstd, x, CTORCH_INTS(2), NULL, NULL, 0));
  ck_floats(y, CTORCH_INTS(1, 2), -1, 1);
  ctorch_tensor *one = floats(CTORCH_INTS(2), 1, 1), *grad = floats(CTORCH_INTS(1, 2), 1, 0);
  ctorch_tensor *of_input = x, *of_weight = x, *of_bias = x;
  ck_ok(ctorch_aten_native_layer_norm_backward(
      &of_input, &of_weight, &of_bias, grad, x, CTORCH_INTS(2), mean, rstd, one, one, CTORCH_BOOLS(true, false, true)));
  ck_floats(of_input, CTORCH_INTS(1, 2), 0, 0);
  ck_assert_ptr_null(of_weight);
  ck_floats(of_bias, CTORCH_INTS(2), 1, 0);

  ctorch_tensor *two = floats(CTORCH_INTS(1, 1, 1, 1), 2), *three = floats(CTORCH_INTS(1, 1, 1, 1), 3);
  ctorch_tensor *unit = floats(CTORCH_INTS(1, 1, 1, 1), 1);
  ck_ok(ctorch_aten_convolution_backward(
      &of_input, &of_weight, &of_bias, unit, two, three, CTORCH_INTS(1), CTORCH_INTS(1, 1), CTORCH_INTS(0, 0),
      CTORCH_INTS(1, 1), false, CTORCH_INTS(0, 0), 1, CTORCH_BOOLS(true, false, false)));
  ck_floats(of_input, CTORCH_INTS(1, 1, 1, 1), 3);
  ck_assert(of_weight == NULL && of_bias == NULL);
  ck_ok(ctorch_aten_convolution_backward(
      &of_input, &of_weight, &of_bias, unit, two, three, NULL, 0, CTORCH_INTS(1, 1), CTORCH_INTS(0, 0),
      CTORCH_INTS(1, 1), false, CTORCH_INTS(0, 0), 1, CTORCH_BOOLS(false, true, false)));
  ck_assert(of_input == NULL && of_bias == NULL);
  ck_floats(of_weight, CTORCH_INTS(1, 1, 1, 1), 2);
}
END_TEST

START_TEST(complex_results) {
  const float z[] = {3, 4, 0, -2};
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_abs(&y, values_new(CTORCH_DTYPE_COMPLEX64, z, sizeof z, CTORCH_INTS(2))));
  ck_floats(y, CTORCH_INTS(2), 5, 2);
  ck_ok(ctorch_aten_complex(&y, floats(CTORCH_INTS(2), 3, 0), floats(CTORCH_INTS(2), 4, -2)));
  ck_values(__LINE__, y, CTORCH_DTYPE_COMPLEX64, z, sizeof z, CTORCH_INTS(2));
}
END_TEST

/* Arguments that are written to ------------------------------------------------------------------------------------ */

START_TEST(in_place_the_argument_is_the_result) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), -1, 2);
  void *before = NULL, *after = NULL;
  ck_ok(ctorch_tensor_data(&before, x));
  ck_ok(ctorch_aten_add__Tensor(x, x, CTORCH_INT(2)));
  ck_ok(ctorch_aten_relu_(x));
  ck_floats(x, CTORCH_INTS(2), 0, 6);
  ck_ok(ctorch_tensor_data(&after, x));
  ck_assert_ptr_eq(before, after);
}
END_TEST

START_TEST(out_is_resized_and_written) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out = values_new(CTORCH_DTYPE_FLOAT32, NULL, 0, CTORCH_INTS(0));
  ck_ok(ctorch_aten_add_out(x, x, CTORCH_INT(3), out));
  ck_floats(out, CTORCH_INTS(2), 4, 8);
  ctorch_tensor *values = values_new(CTORCH_DTYPE_FLOAT32, NULL, 0, CTORCH_INTS(0));
  ctorch_tensor *indices = values_new(CTORCH_DTYPE_INT64, NULL, 0, CTORCH_INTS(0));
  ck_ok(ctorch_aten_max_dim_max(x, 0, true, values, indices));
  ck_floats(values, CTORCH_INTS(1), 2);
  ck_ints(indices, CTORCH_INTS(1), 1);
  ck_fails(ctorch_aten_add_out(x, x, NULL, ints(CTORCH_INTS(2), 0, 0)), CTORCH_ERROR_DTYPE_MISMATCH, "cast");
}
END_TEST

START_TEST(a_list_of_outs) {
  ctorch_tensor *a = floats(CTORCH_INTS(2), 0, 0), *b = floats(CTORCH_INTS(1), 0);
  ctorch_tensor *const outs[] = {a, b};
  ck_ok(ctorch_aten_split_copy_Tensor_out(floats(CTORCH_INTS(3), 1, 2, 3), 2, 0, outs, 2));
  ck_floats(a, CTORCH_INTS(2), 1, 2);
  ck_floats(b, CTORCH_INTS(1), 3);
}
END_TEST

/* Some kernels assign another tensor to their `out` instead of writing to it. The caller's handle must hold the result
 * afterwards and still have its reference: without it the tensor would be freed, and using it or ending the test's
 * scope would crash. */
static void ck_alive(ctorch_tensor *x) {
  ctorch_tensor *view = NULL;
  ck_ok(ctorch_aten_alias(&view, x));
  ck_assert_int_eq(ctorch_tensor_numel(view), ctorch_tensor_numel(x));
}

START_TEST(an_out_that_the_kernel_replaces_holds_the_result) {
  ctorch_tensor *q = NULL, *out = NULL, *stored = NULL;
  ck_ok(ctorch_aten_quantize_per_tensor(&q, floats(CTORCH_INTS(3), -5, 0, 5), 0.1, 0, QINT8));
  ck_ok(ctorch_aten__empty_affine_quantized(&out, CTORCH_INTS(3), &QINT8, NULL, NULL, NULL, 0.1, 0, NULL));
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_aten_hardtanh_out(q, NULL, NULL, out));
    ck_ok(ctorch_aten_int_repr(&stored, out));
    const int8_t expected[] = {-10, 0, 10}; /* -1, 0 and 1 in steps of 0.1 */
    ck_values(__LINE__, stored, CTORCH_DTYPE_INT8, expected, sizeof expected, CTORCH_INTS(3));
    ck_alive(out);
  }
}
END_TEST

START_TEST(an_out_on_meta_that_the_kernel_replaces_has_the_results_shape) {
  ctorch_tensor *x = NULL, *out = NULL;
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(2, 3, 3), NULL, NULL, META, NULL, NULL));
  ck_ok(ctorch_aten_empty_memory_format(&out, CTORCH_INTS(0), &int64, NULL, META, NULL, NULL));
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_aten_linalg_matrix_rank_out(x, 1e-3, false, out));
    ck_shape(out, CTORCH_INTS(2));
    ck_assert_int_eq(ctorch_tensor_dtype(out), int64);
    ck_alive(out);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mapping_results");
  ck_scoped_case(suite, several_outputs_come_in_the_schemas_order);
  ck_scoped_case(suite, no_output_may_be_null_and_none_is_touched_on_failure);
  ck_scoped_case(suite, output_pointers_are_checked_before_the_operator_runs);
  ck_scoped_case(suite, numbers_as_outputs);
  ck_scoped_case(suite, enumerations_as_outputs);
  ck_scoped_case(suite, float_and_int_together);
  ck_scoped_case(suite, tensors_and_an_int_together);
  ck_scoped_case(suite, a_tensor_and_a_list_together);
  ck_scoped_case(suite, a_list_feeds_straight_into_the_next_call);
  ck_scoped_case(suite, undefined_results_are_null);
  ck_scoped_case(suite, complex_results);
  ck_scoped_case(suite, in_place_the_argument_is_the_result);
  ck_scoped_case(suite, out_is_resized_and_written);
  ck_scoped_case(suite, a_list_of_outs);
  ck_scoped_case(suite, an_out_that_the_kernel_replaces_holds_the_result);
  ck_scoped_case(suite, an_out_on_meta_that_the_kernel_replaces_has_the_results_shape);
  return ck_main(suite);
}
