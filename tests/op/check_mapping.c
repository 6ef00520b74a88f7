/* How arguments reach an operator: NULL, lists, numbers, enumerations, text, devices and handles.
 *
 * One test for each row of the mapping from schema types to C, on an operator that shows the difference by its result.
 * Where the expected numbers are not obvious they are what Python's torch.ops.aten gives for the same call. */
#include "harness/values.h"

static ctorch_tensor *arange(double end, const int64_t *sizes, size_t sizes_len) {
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_aten_arange(&x, CTORCH_FLOAT(end), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_view(&y, x, sizes, sizes_len));
  return y;
}

/* Tensors --------------------------------------------------------------------------------------------------------- */

START_TEST(null_for_a_tensor_is_an_error_that_names_function_and_argument) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = x;
  ctorch_error *error = ctorch_aten_add_Tensor(&y, x, NULL, NULL);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_NULL_ARGUMENT);
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_aten_add_Tensor");
  ck_assert_str_eq(ctorch_error_message(error), "other must not be NULL");
  ctorch_error_release(error);
  ck_fails(ctorch_aten_add_Tensor(&y, NULL, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_add_Tensor(NULL, x, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_aten_relu_(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_add_out(x, x, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_eq(y, x);
}
END_TEST

START_TEST(null_for_an_optional_tensor_is_none) {
  ctorch_tensor *x = arange(4, CTORCH_INTS(1, 1, 2, 2)), *weight = floats(CTORCH_INTS(1, 1, 2, 2), 1, 1, 1, 1);
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_conv2d(&y, x, weight, NULL, NULL, 0, NULL, 0, NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 1, 1), 6);
  ck_ok(ctorch_aten_conv2d(&y, x, weight, floats(CTORCH_INTS(1), 10), NULL, 0, NULL, 0, NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 1, 1), 16);
}
END_TEST

START_TEST(a_list_of_tensors) {
  ctorch_tensor *a = floats(CTORCH_INTS(1), 1), *b = floats(CTORCH_INTS(2), 2, 3), *y = NULL;
  ck_ok(ctorch_aten_cat(&y, CTORCH_TENSORS(a, b, a), 0));
  ck_floats(y, CTORCH_INTS(4), 1, 2, 3, 1);
}
END_TEST

START_TEST(null_elements_of_a_list_of_tensors_are_refused) {
  ctorch_tensor *a = floats(CTORCH_INTS(1), 1), *y = a;
  ck_fails(ctorch_aten_cat(&y, CTORCH_TENSORS(a, NULL, a), 0), CTORCH_ERROR_NULL_ARGUMENT, "tensors[1]");
  ck_fails(ctorch_aten_cat(&y, NULL, 2, 0), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(
      ctorch_aten__foreach_add__Scalar((ctorch_tensor *const[]){NULL}, 1, CTORCH_INT(1)), CTORCH_ERROR_NULL_ARGUMENT,
      "self[0]");
  ck_fails(ctorch_aten_stack(&y, NULL, 0, 0), CTORCH_ERROR_RUNTIME, "non-empty");
  ck_assert_ptr_eq(y, a);
}
END_TEST

START_TEST(a_length_that_no_list_has_is_refused) {
  ctorch_tensor *a = floats(CTORCH_INTS(1), 1), *y = NULL;
  ctorch_tensor_list *list = NULL;
  const ctorch_tensor *one[] = {a};
  const int64_t size = 1;
  const double range = 1;
  const bool mask = true;
  const ctorch_scalar number = {0};
  const size_t absurd[] = {SIZE_MAX, SIZE_MAX / 8 + 1, (size_t)1 << 40};
  for (size_t i = 0; i < 3; i++) {
    const size_t len = absurd[i];
    ck_fails(ctorch_aten_cat(&y, one, len, 0), CTORCH_ERROR_INVALID_ARGUMENT, "tensors: absurd length");
    ck_fails(ctorch_aten_index_Tensor(&y, a, one, len), CTORCH_ERROR_INVALID_ARGUMENT, "indices: absurd length");
    ck_fails(ctorch_aten_view(&y, a, &size, len), CTORCH_ERROR_INVALID_ARGUMENT, "size: absurd length");
    ck_fails(ctorch_aten_flip(&y, a, &size, len), CTORCH_ERROR_INVALID_ARGUMENT, "dims: absurd length");
    ck_fails(
        ctorch_aten_sum_dim_IntList(&y, a, &size, len, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
        "dim: absurd length");
    ck_fails(
        ctorch_aten_upsample_nearest1d_vec(&y, a, NULL, 0, &range, len), CTORCH_ERROR_INVALID_ARGUMENT,
        "scale_factors: absurd length");
    ck_fails(
        ctorch_aten_native_layer_norm_backward(&y, &y, &y, a, a, &size, 1, a, a, NULL, NULL, &mask, len),
        CTORCH_ERROR_INVALID_ARGUMENT, "output_mask");
    ck_fails(
        ctorch_aten__foreach_add_ScalarList(&list, one, 1, &number, len), CTORCH_ERROR_INVALID_ARGUMENT,
        "scalars: absurd length");
  }
  ck_assert(y == NULL && list == NULL);
}
END_TEST

START_TEST(null_elements_of_a_list_of_optional_tensors_are_none) {
  ctorch_tensor *x = ints(CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5), *columns = ints(CTORCH_INTS(2), 2, 0), *y = NULL;
  ck_ok(ctorch_aten_index_Tensor(&y, x, CTORCH_TENSORS(NULL, columns)));
  ck_ints(y, CTORCH_INTS(2, 2), 2, 0, 5, 3);
  ck_ok(ctorch_aten_index_Tensor(&y, x, CTORCH_TENSORS(ints(CTORCH_INTS(1), 1))));
  ck_ints(y, CTORCH_INTS(1, 3), 3, 4, 5);
  ck_ok(ctorch_aten_index_put_(x, CTORCH_TENSORS(NULL, columns), ints(CTORCH_INTS(1), 9), false));
  ck_ints(x, CTORCH_INTS(2, 3), 9, 1, 9, 9, 4, 9);
  ck_fails(ctorch_aten_index_Tensor(&y, x, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "indices");
}
END_TEST

/* Integers and lists of them -------------------------------------------------------------------------------------- */

START_TEST(null_for_an_optional_int_is_none) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *min = NULL, *max = NULL;
  ck_ok(ctorch_aten_aminmax(&min, &max, x, NULL, false));
  ck_floats(min, NO_DIMS, 1);
  ck_ok(ctorch_aten_aminmax(&min, &max, x, CTORCH_SOME(int64_t, 0), false));
  ck_floats(min, CTORCH_INTS(2), 1, 2);
  ck_floats(max, CTORCH_INTS(2), 3, 4);
}
END_TEST

START_TEST(null_for_an_optional_list_is_none_and_an_empty_list_is_empty) {
  const int64_t empty[] = {0};
  ctorch_tensor *x = bools(CTORCH_INTS(2, 2), true, false, true, true), *y = NULL;
  ck_ok(ctorch_aten_all_dims(&y, x, NULL, 0, false));
  ck_bools(y, NO_DIMS, false);
  ck_ok(ctorch_aten_all_dims(&y, x, empty, 0, false));
  ck_bools(y, CTORCH_INTS(2, 2), true, false, true, true);
  ck_ok(ctorch_aten_all_dims(&y, x, CTORCH_INTS(0), false));
  ck_bools(y, CTORCH_INTS(2), true, false);
  ck_fails(ctorch_aten_all_dims(&y, x, NULL, 1, false), CTORCH_ERROR_NULL_ARGUMENT, "dim");
  /* sum takes both for every dimension */
  ctorch_tensor *z = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4);
  ck_ok(ctorch_aten_sum_dim_IntList(&y, z, NULL, 0, false, NULL));
  ck_floats(y, NO_DIMS, 10);
  ck_ok(ctorch_aten_sum_dim_IntList(&y, z, empty, 0, true, NULL));
  ck_floats(y, CTORCH_INTS(1, 1), 10);
}
END_TEST

START_TEST(null_for_a_list_without_default_is_empty) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_ones(&y, NULL, 0, NULL, NULL, NULL, NULL));
  ck_floats(y, NO_DIMS, 1);
  ck_ok(ctorch_aten_flip(&y, floats(CTORCH_INTS(2), 1, 2), NULL, 0));
  ck_floats(y, CTORCH_INTS(2), 1, 2);
  ck_fails(ctorch_aten_ones(&y, NULL, 3, NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "size");
}
END_TEST

START_TEST(null_for_a_list_with_default_is_the_default) {
  ctorch_tensor *x = arange(16, CTORCH_INTS(1, 1, 4, 4)), *weight = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&weight, CTORCH_INTS(1, 1, 2, 2), NULL, NULL, NULL, NULL));
  /* int[2] stride=1: 1 in both dimensions */
  ck_ok(ctorch_aten_conv2d(&y, x, weight, NULL, NULL, 0, NULL, 0, NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 3, 3), 10, 14, 18, 26, 30, 34, 42, 46, 50);
  /* int[2] stride=[]: the kernel's size; padding=0 */
  ck_ok(ctorch_aten_avg_pool2d(&y, x, CTORCH_INTS(2, 2), NULL, 0, NULL, 0, false, true, NULL));
  ck_floats(y, CTORCH_INTS(1, 1, 2, 2), 2.5F, 4.5F, 10.5F, 12.5F);
}
END_TEST

START_TEST(one_entry_stands_for_all_of_a_list_with_a_size) {
  ctorch_tensor *x = arange(16, CTORCH_INTS(1, 1, 4, 4)), *weight = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&weight, CTORCH_INTS(1, 1, 2, 2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_conv2d(&y, x, weight, NULL, CTORCH_INTS(2), NULL, 0, NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 2, 2), 10, 18, 42, 50);
  ck_ok(ctorch_aten_conv2d(&y, x, weight, NULL, CTORCH_INTS(2, 1), NULL, 0, NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 2, 3), 10, 14, 18, 42, 46, 50);
}
END_TEST

START_TEST(an_integer_that_libtorch_would_take_for_a_pointer_is_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  ctorch_tensor_list *list = NULL;
  const int64_t lowest = -(INT64_C(1) << 62), below = lowest - 1;
  ck_fails(
      ctorch_aten_eye(&y, below, NULL, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "n: -4611686018427387905");
  ck_fails(ctorch_aten_eye(&y, INT64_MIN, NULL, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "-2^62");
  ck_fails(ctorch_aten_split_Tensor(&list, x, below, 0), CTORCH_ERROR_INVALID_ARGUMENT, "split_size");
  ck_fails(ctorch_aten_view(&y, x, CTORCH_INTS(2, below)), CTORCH_ERROR_INVALID_ARGUMENT, "size[1]");
  ck_fails(
      ctorch_aten_upsample_nearest1d_vec(&y, x, CTORCH_INTS(INT64_MIN), NULL, 0), CTORCH_ERROR_INVALID_ARGUMENT,
      "output_size[0]");
  /* -2^62 itself is a number, and PyTorch says what it thinks of it. */
  ck_fails(
      ctorch_aten_eye(&y, lowest, NULL, NULL, NULL, NULL), CTORCH_ERROR_RUNTIME, "n must be greater or equal to 0");
  /* A plain int has no such limit. */
  ck_fails(ctorch_aten_max_dim(&y, &y, x, INT64_MIN, false), CTORCH_ERROR_INDEX, "range");
  ck_assert(y == NULL && list == NULL);
}
END_TEST

/* Numbers --------------------------------------------------------------------------------------------------------- */

START_TEST(null_for_a_float_or_bool_is_its_default) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 1, 1, 2), 1, 1), *two = NULL, *output = NULL, *logsumexp = NULL;
  ck_ok(ctorch_aten_cat(&two, CTORCH_TENSORS(x, x), 2));
  /* float? scale=None means 1 / sqrt(2): logsumexp is sqrt(2) + log 2. With 0 it is log 2. */
  ck_ok(ctorch_aten__scaled_dot_product_flash_attention_for_cpu(
      &output, &logsumexp, two, two, two, 0, false, NULL, NULL));
  ck_floats_near(logsumexp, 1e-6, 2.10736075F, 2.10736075F);
  ck_ok(ctorch_aten__scaled_dot_product_flash_attention_for_cpu(
      &output, &logsumexp, two, two, two, 0, false, NULL, CTORCH_SOME(double, 0)));
  ck_floats_near(logsumexp, 1e-6, 0.69314718F, 0.69314718F);
  /* bool? pin_memory */
  ck_ok(ctorch_aten_ones(&output, CTORCH_INTS(1), NULL, NULL, NULL, CTORCH_SOME(bool, false)));
  ck_floats(output, CTORCH_INTS(1), 1);
}
END_TEST

START_TEST(a_list_of_floats) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 1, 2), 1, 2), *y = NULL;
  ck_ok(ctorch_aten_upsample_nearest1d_vec(&y, x, NULL, 0, CTORCH_DOUBLES(2.0)));
  ck_floats(y, CTORCH_INTS(1, 1, 4), 1, 1, 2, 2);
  ck_ok(ctorch_aten_upsample_nearest1d_vec(&y, x, CTORCH_INTS(6), NULL, 0));
  ck_floats(y, CTORCH_INTS(1, 1, 6), 1, 1, 1, 2, 2, 2);
  ck_fails(ctorch_aten_upsample_nearest1d_vec(&y, x, NULL, 0, NULL, 0), CTORCH_ERROR_RUNTIME, "exactly one");
  ck_fails(ctorch_aten_upsample_nearest1d_vec(&y, x, NULL, 0, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "scale_factors");
}
END_TEST

START_TEST(null_for_a_scalar_is_its_default) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  ck_ok(ctorch_aten_add_Tensor(&y, x, x, NULL)); /* Scalar alpha=1 */
  ck_floats(y, CTORCH_INTS(2), 2, 4);
  ck_ok(ctorch_aten_add_Tensor(&y, x, x, CTORCH_FLOAT(0.5)));
  ck_floats(y, CTORCH_INTS(2), 1.5F, 3);
  ck_fails(ctorch_aten_mul_Scalar(&y, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "other");
}
END_TEST

START_TEST(null_for_an_optional_scalar_is_none) {
  ctorch_tensor *x = floats(CTORCH_INTS(3), -3, 0, 3), *y = NULL;
  ck_ok(ctorch_aten_clamp(&y, x, CTORCH_INT(-1), NULL));
  ck_floats(y, CTORCH_INTS(3), -1, 0, 3);
  ck_ok(ctorch_aten_clamp(&y, x, NULL, CTORCH_INT(1)));
  ck_floats(y, CTORCH_INTS(3), -3, 0, 1);
  ck_fails(ctorch_aten_clamp(&y, x, NULL, NULL), CTORCH_ERROR_RUNTIME, "must not be None");
}
END_TEST

/* The product with an int16 tensor shows which kind of number arrived; the result is PyTorch's type promotion. */
static const struct {
  ctorch_scalar number;
  ctorch_dtype dtype;
  double re, im;
} scalars[] = {
    {{CTORCH_SCALAR_INT, 0, -2, 9, 9}, CTORCH_DTYPE_INT16, -6, 0},
    {{CTORCH_SCALAR_FLOAT, 0, 9, 0.5, 9}, CTORCH_DTYPE_FLOAT32, 1.5, 0},
    {{CTORCH_SCALAR_BOOL, 0, 5, 9, 9}, CTORCH_DTYPE_INT16, 3, 0},
    {{CTORCH_SCALAR_BOOL, 0, 0, 9, 9}, CTORCH_DTYPE_INT16, 0, 0},
    {{CTORCH_SCALAR_COMPLEX, 0, 9, 1, -2}, CTORCH_DTYPE_COMPLEX64, 3, -6},
};

START_TEST(a_scalar_of_every_kind) {
  const int16_t three = 3;
  ctorch_tensor *x = values_new(CTORCH_DTYPE_INT16, &three, sizeof three, CTORCH_INTS(1)), *y = NULL;
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
    ck_ok(ctorch_aten_mul_Scalar(&y, x, &scalars[i].number));
    ck_assert_int_eq(ctorch_tensor_dtype(y), scalars[i].dtype);
    double re = 99, im = 99;
    ck_ok(ctorch_tensor_item_complex(&re, &im, y));
    ck_assert(re == scalars[i].re && im == scalars[i].im);
  }
}
END_TEST

START_TEST(a_scalar_from_2_to_the_63) {
  const uint64_t big = UINT64_C(9223372036854775809);
  const ctorch_scalar number = {CTORCH_SCALAR_UINT, 0, (int64_t)big, 0, 0};
  ctorch_tensor *y = NULL;
  ck_ok(
      ctorch_aten_full(&y, CTORCH_INTS(1), &number, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_UINT64), NULL, NULL, NULL));
  ck_values(__LINE__, y, CTORCH_DTYPE_UINT64, &big, sizeof big, CTORCH_INTS(1));
  ctorch_scalar back;
  ck_ok(ctorch_aten_item(&back, y));
  ck_assert(back.kind == CTORCH_SCALAR_UINT && (uint64_t)back.i == big);
}
END_TEST

START_TEST(an_unknown_kind_of_scalar_is_refused) {
  const ctorch_scalar low = {-1, 0, 1, 1, 1}, high = {5, 0, 1, 1, 1};
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
  ctorch_tensor_list *list = NULL;
  ck_fails(ctorch_aten_mul_Scalar(&y, x, &low), CTORCH_ERROR_INVALID_ARGUMENT, "other: unknown scalar kind -1");
  ck_fails(ctorch_aten_mul_Scalar(&y, x, &high), CTORCH_ERROR_INVALID_ARGUMENT, "kind 5");
  ck_fails(ctorch_aten_clamp(&y, x, &high, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "min: ");
  ck_fails(
      ctorch_aten__foreach_add_ScalarList(&list, CTORCH_TENSORS(x), &high, 1), CTORCH_ERROR_INVALID_ARGUMENT,
      "scalars[0]");
}
END_TEST

START_TEST(a_list_of_scalars_of_several_kinds) {
  ctorch_tensor *a = floats(CTORCH_INTS(1), 1), *b = ints(CTORCH_INTS(1), 2), *y = NULL;
  const ctorch_scalar numbers[] = {{.kind = CTORCH_SCALAR_FLOAT, .re = 1.5}, {.kind = CTORCH_SCALAR_INT, .i = 2}};
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten__foreach_add_ScalarList(&list, CTORCH_TENSORS(a, b), numbers, 2));
  ck_ok(ctorch_tensor_list_get(&y, list, 0));
  ck_floats(y, CTORCH_INTS(1), 2.5F);
  ck_ok(ctorch_tensor_list_get(&y, list, 1));
  ck_ints(y, CTORCH_INTS(1), 4);
}
END_TEST

START_TEST(a_list_of_bools_has_a_fixed_length) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 2), 1, 3), *one = floats(CTORCH_INTS(1, 1), 1), *y = NULL;
  ck_fails(
      ctorch_aten_native_layer_norm_backward(
          &y, &y, &y, x, x, CTORCH_INTS(2), one, one, NULL, NULL, CTORCH_BOOLS(true, true)),
      CTORCH_ERROR_INVALID_ARGUMENT, "output_mask: expected 3 entries, got 2");
  ck_fails(
      ctorch_aten_native_layer_norm_backward(
          &y, &y, &y, x, x, CTORCH_INTS(2), one, one, NULL, NULL, CTORCH_BOOLS(true, true, true, true)),
      CTORCH_ERROR_INVALID_ARGUMENT, "expected 3 entries, got 4");
  ck_fails(
      ctorch_aten_native_layer_norm_backward(&y, &y, &y, x, x, CTORCH_INTS(2), one, one, NULL, NULL, NULL, 0),
      CTORCH_ERROR_INVALID_ARGUMENT, "expected 3 entries, got 0");
  ck_assert_ptr_null(y);
}
END_TEST

/* Enumerations, devices, text ------------------------------------------------------------------------------------- */

START_TEST(null_for_a_dtype_is_its_default) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_randperm(&y, 3, NULL, NULL, NULL, NULL)); /* ScalarType? dtype=long */
  ck_assert_int_eq(ctorch_tensor_dtype(y), CTORCH_DTYPE_INT64);
  ck_ok(ctorch_aten_randperm(&y, 3, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT32), NULL, NULL, NULL));
  ck_assert_int_eq(ctorch_tensor_dtype(y), CTORCH_DTYPE_FLOAT32);
  ck_ok(ctorch_aten_sum(&y, bools(CTORCH_INTS(2), true, true), NULL)); /* None: as the operator sees fit */
  ck_ints(y, NO_DIMS, 2);
  ck_ok(ctorch_aten_sum(&y, bools(CTORCH_INTS(2), true, true), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT64)));
  ck_doubles(y, NO_DIMS, 2);
}
END_TEST

START_TEST(layouts_and_memory_formats) {
  ctorch_tensor *x = NULL, *y = NULL;
  bool contiguous = false;
  const ctorch_memory_format channels_last = CTORCH_MEMORY_FORMAT_CHANNELS_LAST;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(1, 2, 3, 3), NULL, NULL, NULL, NULL, &channels_last));
  ck_assert_int_eq(ctorch_tensor_strides(x)[1], 1);
  ck_ok(ctorch_aten_clone(&y, x, NULL)); /* None: preserve */
  ck_assert_int_eq(ctorch_tensor_strides(y)[1], 1);
  ck_ok(ctorch_aten_contiguous(&y, x, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  ck_assert_int_eq(ctorch_tensor_strides(y)[1], 9);
  ck_ok(ctorch_aten_is_contiguous_memory_format(&contiguous, x, CTORCH_MEMORY_FORMAT_CHANNELS_LAST));
  ck_assert(contiguous);
  /* MemoryFormat? memory_format=contiguous_format */
  const ctorch_dtype qint8 = CTORCH_DTYPE_QINT8;
  ck_ok(ctorch_aten__empty_affine_quantized(&y, CTORCH_INTS(1, 2, 3, 3), &qint8, NULL, NULL, NULL, 1, 0, NULL));
  ck_assert_int_eq(ctorch_tensor_strides(y)[1], 9);
  ck_ok(
      ctorch_aten__empty_affine_quantized(&y, CTORCH_INTS(1, 2, 3, 3), &qint8, NULL, NULL, NULL, 1, 0, &channels_last));
  ck_assert_int_eq(ctorch_tensor_strides(y)[1], 1);
  /* Layout? */
  ck_ok(ctorch_aten_to_sparse(
      &y, floats(CTORCH_INTS(1, 2), 0, 1), CTORCH_SOME(ctorch_layout, CTORCH_LAYOUT_SPARSE_CSC), NULL, 0, NULL));
  ck_assert_int_eq(ctorch_tensor_layout(y), CTORCH_LAYOUT_SPARSE_CSC);
}
END_TEST

START_TEST(unknown_enumerators_are_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
  bool b = false;
  ctorch_dtype dtype = -7;
  const int32_t strange[] = {-1, ck_no_dtype(), 47, 127, 128, 255, 256, 9999, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    const int32_t value = strange[i];
    const ctorch_device device = {value, -1};
    ck_fails(ctorch_aten_promote_types(&dtype, 0, value), CTORCH_ERROR_INVALID_ARGUMENT, "type2: unknown dtype");
    ck_fails(ctorch_aten_sum(&y, x, &value), CTORCH_ERROR_INVALID_ARGUMENT, "dtype: unknown dtype");
    ck_fails(ctorch_aten_to_sparse(&y, x, &value, NULL, 0, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "layout");
    ck_fails(ctorch_aten_clone(&y, x, &value), CTORCH_ERROR_INVALID_ARGUMENT, "memory_format");
    ck_fails(
        ctorch_aten_is_contiguous_memory_format(&b, x, value), CTORCH_ERROR_INVALID_ARGUMENT, "unknown memory format");
    ck_fails(
        ctorch_aten__validate_sparse_compressed_tensor_args(x, x, x, NULL, 0, value, NULL),
        CTORCH_ERROR_INVALID_ARGUMENT, "layout");
    ck_fails(
        ctorch_aten_ones(&y, CTORCH_INTS(1), NULL, NULL, &device, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
        "device: unknown device type");
  }
  ck_assert(y == NULL && dtype == -7);
}
END_TEST

START_TEST(devices) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  ctorch_device device = {99, 99};
  const ctorch_device cpu0 = {CTORCH_DEVICE_TYPE_CPU, 0}, cpu1 = {CTORCH_DEVICE_TYPE_CPU, 1},
                      far = {CTORCH_DEVICE_TYPE_META, 128}, below = {CTORCH_DEVICE_TYPE_META, -2};
  ck_ok(ctorch_aten_to_device(&y, x, META, CTORCH_DTYPE_FLOAT32, false, false, NULL));
  ck_ok(ctorch_tensor_device(&device, y));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_META);
  ck_ok(ctorch_aten_to_device(&y, x, &cpu0, CTORCH_DTYPE_FLOAT64, false, false, NULL));
  ck_doubles(y, CTORCH_INTS(2), 1, 2);
  ck_fails(
      ctorch_aten_to_device(&y, x, &cpu1, CTORCH_DTYPE_FLOAT32, false, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "device: no device index 1 of type cpu");
  ck_fails(
      ctorch_aten_to_device(&y, x, &far, CTORCH_DTYPE_FLOAT32, false, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "128");
  ck_fails(
      ctorch_aten_to_device(&y, x, &below, CTORCH_DTYPE_FLOAT32, false, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "-2");
  ck_fails(
      ctorch_aten_to_device(&y, x, NULL, CTORCH_DTYPE_FLOAT32, false, false, NULL), CTORCH_ERROR_NULL_ARGUMENT,
      "device");
}
END_TEST

START_TEST(device_indices) {
  int64_t size = 77;
  ck_fails(ctorch_aten__cufft_get_plan_cache_size(&size, 128), CTORCH_ERROR_INVALID_ARGUMENT, "device_index");
  ck_fails(ctorch_aten__cufft_get_plan_cache_size(&size, -2), CTORCH_ERROR_INVALID_ARGUMENT, "device_index");
  ck_assert_int_eq(size, 77);
}
END_TEST

START_TEST(text) {
  ctorch_tensor *x = ints(CTORCH_INTS(2), -3, 3), *two = ints(CTORCH_INTS(1), 2), *y = NULL;
  ck_ok(ctorch_aten_div_Tensor_mode(&y, x, two, "floor"));
  ck_ints(y, CTORCH_INTS(2), -2, 1);
  ck_ok(ctorch_aten_div_Tensor_mode(&y, x, two, "trunc"));
  ck_ints(y, CTORCH_INTS(2), -1, 1);
  ck_ok(ctorch_aten_div_Tensor_mode(&y, x, two, NULL)); /* str? : None divides truly */
  ck_floats(y, CTORCH_INTS(2), -1.5F, 1.5F);
  ck_fails(ctorch_aten_div_Tensor_mode(&y, x, two, "bogus"), CTORCH_ERROR_RUNTIME, "but found 'bogus'");
  ck_fails(ctorch_aten_div_Tensor_mode(&y, x, two, ""), CTORCH_ERROR_RUNTIME, "but found ''");
  ck_ok(ctorch_aten_linalg_norm_ord_str(&y, floats(CTORCH_INTS(1, 2), 3, 4), "fro", NULL, 0, false, NULL));
  ck_floats_near(y, 1e-6, 5);
  ck_fails(ctorch_aten_linalg_norm_ord_str(&y, x, NULL, NULL, 0, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "ord");
}
END_TEST

START_TEST(null_for_text_with_default_is_the_default) {
  ctorch_tensor *x = arange(9, CTORCH_INTS(1, 1, 3, 3)), *weight = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&weight, CTORCH_INTS(1, 1, 3, 3), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_conv2d_padding(&y, x, weight, NULL, NULL, 0, NULL, NULL, 0, 1)); /* "valid" */
  ck_floats(y, CTORCH_INTS(1, 1, 1, 1), 36);
  ck_ok(ctorch_aten_conv2d_padding(&y, x, weight, NULL, NULL, 0, "same", NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 3, 3), 8, 15, 12, 21, 36, 27, 20, 33, 24);
}
END_TEST

/** What bindings-gen/policy.toml bounds is bounded in every entry. */
START_TEST(a_huge_entry_of_a_bounded_list_is_refused) {
  ctorch_tensor *x = NULL, *out = NULL, *indices = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(1, 2, 4, 4), NULL, NULL, NULL, NULL));
  for (int place = 0; place < 3; place++) {
    int64_t output_size[] = {1, 1, 1};
    ck_ok(ctorch_aten_adaptive_max_pool3d(&out, &indices, x, output_size, 3));
    output_size[place] = INT64_C(1) << 62;
    ck_fails(
        ctorch_aten_adaptive_max_pool3d(&out, &indices, x, output_size, 3), CTORCH_ERROR_INVALID_ARGUMENT,
        "output_size: 4611686018427387904 is more than 2147483647");
  }
}
END_TEST

START_TEST(text_that_is_not_utf_8_is_refused) {
  static const char *const broken[] = {
      "\xff", "abc\x80", "\xc3", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"};
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    ck_fails(
        ctorch_aten_div_Tensor_mode(&y, x, x, broken[i]), CTORCH_ERROR_INVALID_ARGUMENT, "rounding_mode: not UTF-8");
    ck_fails(
        ctorch_aten_linalg_norm_ord_str(&y, x, broken[i], NULL, 0, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
        "ord: not UTF-8");
  }
  /* Well-formed text of every length gets through to PyTorch. */
  ck_fails(
      ctorch_aten_div_Tensor_mode(&y, x, x, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), CTORCH_ERROR_RUNTIME,
      "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
}
END_TEST

/* Handles --------------------------------------------------------------------------------------------------------- */

START_TEST(null_for_a_generator_is_the_default_generator) {
  ctorch_tensor *a = NULL, *b = NULL;
  ctorch_generator *generator = NULL;
  ck_ok(ctorch_generator_default(&generator, NULL));
  ck_ok(ctorch_generator_manual_seed(generator, 0));
  ck_ok(ctorch_aten_rand_generator(&a, CTORCH_INTS(3), NULL, NULL, NULL, NULL, NULL));
  ck_ok(ctorch_generator_manual_seed(generator, 0));
  ck_ok(ctorch_aten_rand_generator(&b, CTORCH_INTS(3), generator, NULL, NULL, NULL, NULL));
  /* torch.manual_seed(0); torch.rand(3) */
  ck_floats(a, CTORCH_INTS(3), 0x1.fc2abp-2F, 0x1.89545ep-1F, 0x1.6a675p-4F);
  ck_floats(b, CTORCH_INTS(3), 0x1.fc2abp-2F, 0x1.89545ep-1F, 0x1.6a675p-4F);
}
END_TEST

START_TEST(a_storage) {
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4), *y = floats(CTORCH_INTS(1), 0), *z = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_aten_set__source_Storage(y, storage));
  ck_floats(y, CTORCH_INTS(4), 1, 2, 3, 4);
  ck_ok(ctorch_aten_set__source_Storage_storage_offset(y, storage, 1, CTORCH_INTS(2), CTORCH_INTS(2)));
  ck_floats(y, CTORCH_INTS(2), 2, 4);
  ck_ok(ctorch_aten_fill__Scalar(y, CTORCH_INT(9)));
  ck_floats(x, CTORCH_INTS(4), 1, 9, 3, 9);
  ck_ok(ctorch_aten_set_source_Storage(&z, y, storage));
  ck_floats(z, CTORCH_INTS(4), 1, 9, 3, 9);
  ck_fails(ctorch_aten_set__source_Storage(y, NULL), CTORCH_ERROR_NULL_ARGUMENT, "source");
  /* The storage outlives the tensors that shared it. */
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 16);
}
END_TEST

START_TEST(a_stream) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ctorch_stream stream = {9, 9, 9};
  ck_ok(ctorch_stream_default(&stream, NULL));
  ck_fails(ctorch_aten_record_stream(x, &stream), CTORCH_ERROR_NOT_IMPLEMENTED, "record_stream");
  ck_fails(ctorch_aten_record_stream(x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "s must not be NULL");
  stream.device_type = 21;
  ck_fails(ctorch_aten_record_stream(x, &stream), CTORCH_ERROR_INVALID_ARGUMENT, "s: unknown device type 21");
  stream.device_type = CTORCH_DEVICE_TYPE_CUDA;
  stream.device_index = -1;
  ck_fails(ctorch_aten_record_stream(x, &stream), CTORCH_ERROR_INVALID_ARGUMENT, "s: ");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mapping");
  ck_scoped_case(suite, null_for_a_tensor_is_an_error_that_names_function_and_argument);
  ck_scoped_case(suite, null_for_an_optional_tensor_is_none);
  ck_scoped_case(suite, a_list_of_tensors);
  ck_scoped_case(suite, null_elements_of_a_list_of_tensors_are_refused);
  ck_scoped_case(suite, a_length_that_no_list_has_is_refused);
  ck_scoped_case(suite, null_elements_of_a_list_of_optional_tensors_are_none);
  ck_scoped_case(suite, null_for_an_optional_int_is_none);
  ck_scoped_case(suite, null_for_an_optional_list_is_none_and_an_empty_list_is_empty);
  ck_scoped_case(suite, null_for_a_list_without_default_is_empty);
  ck_scoped_case(suite, null_for_a_list_with_default_is_the_default);
  ck_scoped_case(suite, one_entry_stands_for_all_of_a_list_with_a_size);
  ck_scoped_case(suite, an_integer_that_libtorch_would_take_for_a_pointer_is_refused);
  ck_scoped_case(suite, null_for_a_float_or_bool_is_its_default);
  ck_scoped_case(suite, a_list_of_floats);
  ck_scoped_case(suite, null_for_a_scalar_is_its_default);
  ck_scoped_case(suite, null_for_an_optional_scalar_is_none);
  ck_scoped_case(suite, a_scalar_of_every_kind);
  ck_scoped_case(suite, a_scalar_from_2_to_the_63);
  ck_scoped_case(suite, an_unknown_kind_of_scalar_is_refused);
  ck_scoped_case(suite, a_list_of_scalars_of_several_kinds);
  ck_scoped_case(suite, a_list_of_bools_has_a_fixed_length);
  ck_scoped_case(suite, null_for_a_dtype_is_its_default);
  ck_scoped_case(suite, layouts_and_memory_formats);
  ck_scoped_case(suite, unknown_enumerators_are_refused);
  ck_scoped_case(suite, devices);
  ck_scoped_case(suite, device_indices);
  ck_scoped_case(suite, text);
  ck_scoped_case(suite, null_for_text_with_default_is_the_default);
  ck_scoped_case(suite, a_huge_entry_of_a_bounded_list_is_refused);
  ck_scoped_case(suite, text_that_is_not_utf_8_is_refused);
  ck_scoped_case(suite, null_for_a_generator_is_the_default_generator);
  ck_scoped_case(suite, a_storage);
  ck_scoped_case(suite, a_stream);
  return ck_main(suite);
}
