/* Sparse tensors out of their parts. That they are Python's, and what else is refused, is proven in
 * abi/test_conversion.py. */
#include "harness/values.h"

#define NOT_GIVEN NULL, NULL

START_TEST(coordinates_and_values_make_a_tensor) {
  ctorch_tensor *x = NULL, *dense = NULL;
  ctorch_tensor *indices = ints(CTORCH_INTS(2, 3), 0, 1, 1, 2, 0, 1), *values = floats(CTORCH_INTS(3), 1, 2, 3);
  ck_ok(ctorch_tensor_sparse_coo(&x, indices, values, CTORCH_INTS(2, 4), NULL, NULL, NULL));
  ck_assert_int_eq(ctorch_tensor_layout(x), CTORCH_LAYOUT_SPARSE_COO);
  ck_ok(ctorch_aten_to_dense(&dense, x, NULL, NULL));
  ck_floats(dense, CTORCH_INTS(2, 4), 0, 0, 1, 0, 2, 3, 0, 0);
  ck_ok(ctorch_tensor_sparse_coo(
      &x, indices, values, CTORCH_DEFAULT_LIST, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT64), CPU,
      CTORCH_SOME(bool, true)));
  ck_shape(x, CTORCH_INTS(2, 3));
  bool coalesced = false;
  ck_ok(ctorch_aten_is_coalesced(&coalesced, x));
  ck_assert(coalesced);
  ck_ok(ctorch_aten_to_dense(&dense, x, NULL, NULL));
  ck_ints(dense, CTORCH_INTS(2, 3), 0, 0, 1, 2, 3, 0);
}
END_TEST

START_TEST(no_sizes_make_a_0_dimensional_tensor) {
  ctorch_tensor *x = NULL, *none = NULL;
  const int64_t nothing = 0;
  ck_ok(ctorch_aten_reshape(&none, ints(CTORCH_INTS(1), 0), CTORCH_INTS(1, 1)));
  ck_ok(ctorch_aten_narrow(&none, none, 0, 0, 0));
  ck_ok(ctorch_tensor_sparse_coo(&x, none, floats(CTORCH_INTS(1), 4), &nothing, 0, NULL, NULL, NULL));
  ck_shape(x, NO_DIMS);
}
END_TEST

START_TEST(rows_columns_and_values_make_a_tensor) {
  ctorch_tensor *x = NULL, *dense = NULL;
  ctorch_tensor *rows = ints(CTORCH_INTS(3), 0, 1, 3), *columns = ints(CTORCH_INTS(3), 2, 0, 1);
  ctorch_tensor *values = floats(CTORCH_INTS(3), 1, 2, 3);
  ck_ok(ctorch_tensor_sparse_compressed(
      &x, rows, columns, values, CTORCH_INTS(2, 3), CTORCH_LAYOUT_SPARSE_CSR, NOT_GIVEN));
  ck_assert_int_eq(ctorch_tensor_layout(x), CTORCH_LAYOUT_SPARSE_CSR);
  ck_ok(ctorch_aten_to_dense(&dense, x, NULL, NULL));
  ck_floats(dense, CTORCH_INTS(2, 3), 0, 0, 1, 2, 3, 0);
  ck_ok(ctorch_tensor_sparse_compressed(
      &x, rows, columns, values, CTORCH_DEFAULT_LIST, CTORCH_LAYOUT_SPARSE_CSC, NOT_GIVEN));
  ck_ok(ctorch_aten_to_dense(&dense, x, NULL, NULL));
  ck_floats(dense, CTORCH_INTS(3, 2), 0, 2, 0, 3, 1, 0);
  ctorch_tensor *blocks = floats(CTORCH_INTS(3, 1, 2), 1, 2, 3, 4, 5, 6);
  ck_ok(ctorch_tensor_sparse_compressed(
      &x, rows, columns, blocks, CTORCH_INTS(2, 6), CTORCH_LAYOUT_SPARSE_BSR,
      CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT64), CPU));
  ck_ok(ctorch_aten_to_dense(&dense, x, NULL, NULL));
  ck_ints(dense, CTORCH_INTS(2, 6), 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0);
}
END_TEST

START_TEST(parts_that_do_not_fit_are_refused) {
  ctorch_tensor *x = NULL, *values = floats(CTORCH_INTS(2), 1, 2);
  ck_fails(
      ctorch_tensor_sparse_coo(&x, ints(CTORCH_INTS(1, 2), 0, 5), values, CTORCH_INTS(3), NULL, NULL, NULL),
      CTORCH_ERROR_RUNTIME, "for dim 0, size is 3 but found index 5");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, ints(CTORCH_INTS(1, 2), 0, -1), values, CTORCH_INTS(3), NULL, NULL, NULL),
      CTORCH_ERROR_RUNTIME, "negative index -1");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, values, values, CTORCH_INTS(3), NULL, NULL, NULL), CTORCH_ERROR_TYPE, "integers");
  ck_fails(
      ctorch_tensor_sparse_coo(
          &x, ints(CTORCH_INTS(1, 2), 1, 0), values, CTORCH_INTS(3), NULL, NULL, CTORCH_SOME(bool, true)),
      CTORCH_ERROR_RUNTIME, "is_coalesced");
  ctorch_tensor *rows = ints(CTORCH_INTS(3), 0, 1, 2);
  ck_fails(
      ctorch_tensor_sparse_compressed(
          &x, rows, ints(CTORCH_INTS(2), 0, 9), values, CTORCH_INTS(2, 3), CTORCH_LAYOUT_SPARSE_CSR, NOT_GIVEN),
      CTORCH_ERROR_RUNTIME, "col_indices < ncols");
  ck_fails(
      ctorch_tensor_sparse_compressed(
          &x, rows, ints(CTORCH_INTS(2), 0, 1), values, CTORCH_INTS(2, 3), CTORCH_LAYOUT_STRIDED, NOT_GIVEN),
      CTORCH_ERROR_RUNTIME, "layout");
  ck_assert_ptr_null(x);
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  ctorch_tensor *x = NULL, *indices = ints(CTORCH_INTS(1, 1), 0), *values = floats(CTORCH_INTS(1), 1);
  ctorch_tensor *rows = ints(CTORCH_INTS(2), 0, 1), *columns = ints(CTORCH_INTS(1), 0);
  const ctorch_dtype unknown = 99;
  const ctorch_device nowhere = {77, 0};
  const ctorch_layout csr = CTORCH_LAYOUT_SPARSE_CSR;
#define COO_SIZE CTORCH_INTS(1)
#define CSR_SIZE CTORCH_INTS(1, 1)
  ck_fails(
      ctorch_tensor_sparse_coo(NULL, indices, values, COO_SIZE, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, NULL, values, COO_SIZE, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "indices");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, indices, NULL, COO_SIZE, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "values");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, indices, values, NULL, 1, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "size");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, indices, values, COO_SIZE, &unknown, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "dtype");
  ck_fails(
      ctorch_tensor_sparse_coo(&x, indices, values, COO_SIZE, NULL, &nowhere, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "device");
  ck_fails(
      ctorch_tensor_sparse_compressed(NULL, rows, columns, values, CSR_SIZE, csr, NOT_GIVEN),
      CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(
      ctorch_tensor_sparse_compressed(&x, NULL, columns, values, CSR_SIZE, csr, NOT_GIVEN), CTORCH_ERROR_NULL_ARGUMENT,
      "compressed_indices");
  ck_fails(
      ctorch_tensor_sparse_compressed(&x, rows, NULL, values, CSR_SIZE, csr, NOT_GIVEN), CTORCH_ERROR_NULL_ARGUMENT,
      "plain_indices");
  ck_fails(
      ctorch_tensor_sparse_compressed(&x, rows, columns, NULL, CSR_SIZE, csr, NOT_GIVEN), CTORCH_ERROR_NULL_ARGUMENT,
      "values");
  ck_fails(
      ctorch_tensor_sparse_compressed(&x, rows, columns, values, CSR_SIZE, 99, NOT_GIVEN),
      CTORCH_ERROR_INVALID_ARGUMENT, "layout");
  ck_fails(
      ctorch_tensor_sparse_compressed(&x, rows, columns, values, CSR_SIZE, csr, &unknown, NULL),
      CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_assert_ptr_null(x);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sparse");
  ck_scoped_case(suite, coordinates_and_values_make_a_tensor);
  ck_scoped_case(suite, no_sizes_make_a_0_dimensional_tensor);
  ck_scoped_case(suite, rows_columns_and_values_make_a_tensor);
  ck_scoped_case(suite, parts_that_do_not_fit_are_refused);
  ck_scoped_case(suite, bad_arguments_are_refused);
  return ck_main(suite);
}
