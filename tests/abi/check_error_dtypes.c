/* DEVICE_MISMATCH, DTYPE_MISMATCH and OUT_OF_MEMORY: every wording of PyTorch that a CPU can provoke. A tensor on the
 * meta device stands for one on another device. */
#include <unistd.h>

#include "abi/error_rows.h"

enum { mean = 1 /* reduction of a loss */ };

#define rnn_options true, 1, 0.0, false, false, false

START_TEST(devices_that_do_not_fit) {
  ctorch_tensor *leaf = f32(3);
  ctorch_tensor *result = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(leaf, true));
  ck_ok(ctorch_aten_mul_Scalar(&result, leaf, CTORCH_INT(2)));
  devices(
      ctorch_tensor_backward(result, meta(3), NULL, false), "invalid gradient at index 0 - expected device", CPU, META);
  devices(ctorch_aten_add_Tensor(&o, meta(3), f32(3), NULL), "found at least two devices", META, CPU);
  devices(ctorch_aten_mm_out(f32(2, 3), f32(3, 4), meta(2, 4)), "Expected out tensor to have device cpu", CPU, META);
  devices(
      ctorch_aten_cholesky_solve(&o, f32(3, 1), meta(3, 3), false), "Expected b and A to be on the same device", META,
      CPU);
  devices(
      ctorch_aten_scaled_dot_product_attention(
          &o, f32(1, 2, 3, 4), meta(1, 2, 3, 4), f32(1, 2, 3, 4), NULL, 0, false, NULL, false),
      "to have the same device type", CPU, META);
  devices(
      ctorch_aten_scaled_dot_product_attention(
          &o, f32(1, 2, 3, 4), f32(1, 2, 3, 4), meta(1, 2, 3, 4), NULL, 0, false, NULL, false),
      "to have the same device type", CPU, META);
  devices(
      ctorch_aten_dot_out(f32(2), f32(2), meta(1)), "Expected the output and input tensors to be on the same", CPU,
      META);
  devices(
      ctorch_aten_gru_input(
          &o, &o2, f32(5, 2, 3), meta(1, 2, 4), CTORCH_TENSORS(f32(12, 3), f32(12, 4), f32(12), f32(12)), rnn_options),
      "Input and hidden tensors are not at the same device", CPU, META);
  devices(
      ctorch_aten_gru_input(
          &o, &o2, f32(5, 2, 3), f32(1, 2, 4), CTORCH_TENSORS(meta(12, 3), f32(12, 4), f32(12), f32(12)), rnn_options),
      "Input and parameter tensors are not at the same device", CPU, META);
  only_code(
      ctorch_aten_index_Tensor(&o, f32(3), CTORCH_TENSORS(meta64(2))), "indices should be either on cpu or on",
      DEVICE_MISMATCH);
  if (ck_torch_at_least(2, 13)) {
    devices(
        ctorch_aten_index_add(&o, f32(2, 3), 0, i64(2), meta(2, 3), NULL),
        "self, index and source expected to be in the same device", CPU, META);
    devices(
        ctorch_aten_index_add(&o, f32(2, 3), 0, meta64(2), f32(2, 3), NULL),
        "self, index and source expected to be in the same device", CPU, META);
  }
  devices(
      ctorch_aten_stft(&o, f32(10), 4, NULL, NULL, meta(4), false, NULL, CTORCH_SOME(bool, true), NULL),
      "stft input and window must be on", CPU, META);
  devices(
      ctorch_aten_istft(&o, c64(3, 3), 4, NULL, NULL, meta(4), true, false, NULL, NULL, false),
      "istft input and window must be on", CPU, META);
  devices(
      ctorch_aten_linalg_multi_dot(&o, CTORCH_TENSORS(f32(2, 3), meta(3, 4), f32(4, 5))),
      "all tensors must be on the same device but", CPU, META);
  devices(
      ctorch_aten_block_diag(&o, CTORCH_TENSORS(f32(2), meta(2))), "input tensors must all be on the same device", CPU,
      META);
  devices(
      ctorch_aten__weight_norm(&o, f32(2, 3), meta(2, 1), 0), "expected v_in and g_in to be on the same device", CPU,
      META);
  devices(
      ctorch_aten_sparse_coo_tensor_indices_size(&o, i64(1, 3), meta(3), CTORCH_INTS(4), NULL, NULL, NULL, NULL, NULL),
      "must match backend of values", META, CPU);
  devices(
      ctorch_aten_gradient_tensorarray(&list, f32(3), CTORCH_TENSORS(meta(3)), CTORCH_INTS(0), 1),
      "torch.gradient expected each tensor to be on the same", CPU, META);
  devices(
      ctorch_aten_set__source_Tensor(f32(3), meta(3)), "Attempted to set the storage of a tensor on device", CPU, META);
  only_code(
      ctorch_aten_meshgrid(&list, CTORCH_TENSORS(f32(2), meta(2))),
      "meshgrid expects all tensors to have the same device", DEVICE_MISMATCH);
  only_code(
      ctorch_aten_quantile(&o, f32(3), meta(1), NULL, false, "linear"), "q tensor must be on the same device",
      DEVICE_MISMATCH);
  only_code(
      ctorch_aten_quantile_out(f32(3), f32(1), NULL, false, "linear", meta(1)), "out tensor must be on the same device",
      DEVICE_MISMATCH);
  only_code(
      ctorch_aten_sparse_csr_tensor_crow_col_value_size(
          &o, i64(2), i64(1), meta(1), CTORCH_INTS(1, 1), NULL, NULL, NULL, NULL),
      "need to be on the same device", DEVICE_MISMATCH);
  devices(ctorch_tensor_set_grad(leaf, meta(3)), "", CPU, META);
}
END_TEST

START_TEST(dtypes_of_products_and_layers) {
  dtypes(ctorch_aten_mm(&o, f32(2, 3), f64(3, 4)), "expected m1 and m2 to have the same dtype", FLOAT32, FLOAT64);
  dtypes(ctorch_aten_mm(&o, i64(2, 3), f32(3, 4)), "long int != float", INT64, FLOAT32);
  dtypes(
      ctorch_aten_bmm(&o, f32(2, 3, 4), f64(2, 4, 5)), "expected scalar type Float but found Double", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_addmm(&o, f32(2, 4), f32(2, 3), f64(3, 4), NULL, NULL),
      "must have the same dtype, but got Float and Double", FLOAT32, FLOAT64);
  if (ck_torch_at_least(2, 12)) {
    dtypes(
        ctorch_aten_addmv(&o, f32(2), f32(2, 3), f64(3), NULL, NULL), "addmv input tensors must have the same dtype",
        FLOAT32, FLOAT64);
    dtypes(
        ctorch_aten_addmv(&o, f64(2), f32(2, 3), f32(3), NULL, NULL), "addmv input tensors must have the same dtype",
        FLOAT32, FLOAT64);
  }
  dtypes(
      ctorch_aten_baddbmm(&o, f64(2, 3, 5), f32(2, 3, 4), f32(2, 4, 5), NULL, NULL), "Input dtypes must be the same",
      FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_baddbmm(&o, f32(2, 3, 5), f64(2, 3, 4), f32(2, 4, 5), NULL, NULL), "Input dtypes must be the same",
      FLOAT64, FLOAT32);
  dtypes(ctorch_aten_dot(&o, f32(3), f64(3)), "expected both vectors to have same dtype", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_linalg_solve(&o, f32(3, 3), f64(3, 2), true), "Expected A and B to have the same dtype", FLOAT32,
      FLOAT64);
  dtypes(
      ctorch_aten_linalg_lstsq(&o, &o2, &o3, &o4, f32(3, 2), f64(3, 1), NULL, NULL),
      "Expected input and other to have the same dtype", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_sparse_sampled_addmm(&o, sparse_csr(f32(2, 2)), f32(2, 3), f64(3, 2), NULL, NULL),
      "Expected mat1 and mat2 to have the same dtype", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_conv2d(&o, f32(1, 3, 8, 8), f32(4, 3, 3, 3), f64(4), conv2d_defaults),
      "and bias type (double) should be the same", FLOAT64, FLOAT32);
  only_code(
      ctorch_aten_layer_norm(&o, f32(2, 3), CTORCH_INTS(3), f64(3), f64(3), 1e-5, false), "mixed dtype (CPU)",
      DTYPE_MISMATCH);
  dtypes(ctorch_aten_prelu(&o, f32(2, 3), f64(3)), "Type promoting not supported", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_scaled_dot_product_attention(
          &o, f32(1, 2, 3, 4), f64(1, 2, 3, 4), f32(1, 2, 3, 4), NULL, 0, false, NULL, false),
      "key.dtype: double", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_scaled_dot_product_attention(
          &o, f32(1, 2, 3, 4), f32(1, 2, 3, 4), f64(1, 2, 3, 4), NULL, 0, false, NULL, false),
      "value.dtype: double", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_scaled_dot_product_attention(
          &o, f32(1, 2, 3, 4), f32(1, 2, 3, 4), f32(1, 2, 3, 4), i64(3, 3), 0, false, NULL, false),
      "Expected attn_mask dtype", FLOAT32, INT64);
  if (ck_torch_at_least(2, 12)) {
    dtypes(
        ctorch_aten_nll_loss(&o, f32(4, 3), f32(4), NULL, mean, -100), "expected target dtype to be Long or Byte",
        INT64, FLOAT32);
  }
  dtypes(
      ctorch_aten_binary_cross_entropy(&o, f32(3), f64(3), NULL, mean), "Found dtype Double but expected Float",
      FLOAT32, FLOAT64);
}
END_TEST

START_TEST(dtypes_of_results) {
  dtypes(ctorch_aten_mul__Tensor(i64(3), f32(3)), "can't be cast to the desired output type Long", INT64, FLOAT32);
  dtypes(
      ctorch_aten_mm_out(f32(2, 3), f32(3, 4), f64(2, 4)), "Expected out tensor to have dtype float", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_lerp_Scalar(&o, f32(3), f64(3), CTORCH_FLOAT(0.5)), "expected dtype float for `end`", FLOAT32,
      FLOAT64);
  dtypes(ctorch_aten_complex(&o, f32(3), f64(3)), "Expected object of scalar type Float", FLOAT32, FLOAT64);
  dtypes(ctorch_aten_isclose(&o, f32(3), f64(3), 0, 0, false), "Float did not match Double", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_float_power__Tensor(f32(3), f32(3)), "the base given to float_power_ has dtype Float", FLOAT64,
      FLOAT32);
  only_code(ctorch_aten_heaviside(&o, f32(3), f64(3)), "heaviside is not yet implemented", DTYPE_MISMATCH);
  only_code(
      ctorch_aten_meshgrid(&list, CTORCH_TENSORS(f32(2), f64(2))),
      "meshgrid expects all tensors to have the same dtype", DTYPE_MISMATCH);
  only_code(
      ctorch_aten_quantile(&o, f32(3), f64(1), NULL, false, "linear"), "q tensor must be same dtype", DTYPE_MISMATCH);
  only_code(
      ctorch_aten_quantile_out(f32(3), f32(1), NULL, false, "linear", f64(1)), "out tensor must be same dtype",
      DTYPE_MISMATCH);
  dtypes(
      ctorch_aten_histogramdd(&o, &list, f32(3, 2), CTORCH_INTS(2, 2), NULL, 0, f64(3), false),
      "weight tensor should have the same dtype", FLOAT32, FLOAT64);
  dtypes(ctorch_tensor_set_grad(f32(3), f64(3)), "", FLOAT32, FLOAT64);
  double data[3] = {0};
  dtypes(ctorch_tensor_copy_to_buffer(f32(3), data, sizeof data, CTORCH_DTYPE_FLOAT64), "", FLOAT32, FLOAT64);
}
END_TEST

START_TEST(dtypes_of_indexing) {
  dtypes(
      ctorch_aten_embedding(&o, f32(4, 3), f32(2), -1, false, false), "one of the following scalar types: Long, Int",
      INT64, FLOAT32);
  only_code(
      ctorch_aten_scatter_src(&o, f32(2, 3), 0, i64(2, 3), f64(2, 3)), "Expected self.dtype to be equal to src.dtype",
      DTYPE_MISMATCH);
  dtypes(
      ctorch_aten_index_add(&o, f32(2, 3), 0, f32(2), f32(2, 3), NULL), "Expected dtype int32/int64 for index but got",
      INT64, FLOAT32);
  only_code(
      ctorch_aten_gather(&o, f32(2, 3), 0, f32(2, 3), false),
      ck_torch_at_least(2, 8) ? "Expected dtype int32/int64 for index" : "Expected dtype int64 for index",
      DTYPE_MISMATCH);
  only_code(
      ctorch_aten_index_select(&o, f32(2, 3), 0, f32(2)), "Expected dtype int32 or int64 for index", DTYPE_MISMATCH);
  only_code(
      ctorch_aten_index_fill_int_Scalar(&o, f32(2, 3), 0, f32(2), CTORCH_INT(1)), "Expected dtype int64 for index",
      DTYPE_MISMATCH);
  dtypes(ctorch_aten_take(&o, f32(3), f32(2)), "Expected a long tensor for index", INT64, FLOAT32);
  only_code(
      ctorch_aten_index_Tensor(&o, f32(3), CTORCH_TENSORS(f32(2))), "tensors used as indices must be long",
      DTYPE_MISMATCH);
  dtypes(
      ctorch_aten_max_unpool2d(&o, f32(1, 1, 2, 2), f32(1, 1, 2, 2), CTORCH_INTS(4, 4)),
      "elements in indices should be type int64", INT64, FLOAT32);
  dtypes(
      ctorch_aten_take_along_dim(&o, f32(2, 3), f32(2, 3), CTORCH_SOME(int64_t, 1)), "dtype of indices should be Long",
      INT64, FLOAT32);
  dtypes(
      ctorch_aten_searchsorted_Tensor(&o, f32(3), f32(3), false, false, NULL, f32(3)),
      "sorter must be a tensor of long dtype", INT64, FLOAT32);
  dtypes(
      ctorch_aten_index_add(&o, f32(2, 3), 0, i64(2), f64(2, 3), NULL), "must have the same scalar type", FLOAT32,
      FLOAT64);
  dtypes(
      ctorch_aten_index_copy(&o, f32(2, 3), 0, i64(2), f64(2, 3)), "but got (self) Float and (source) Double", FLOAT32,
      FLOAT64);
  dtypes(ctorch_aten_put(&o, f32(3), i64(2), f64(2), false), "but got self.dtype = Float", FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_index_put(&o, f32(2, 3), CTORCH_TENSORS(i64(2)), f64(2, 3), false), "Index put requires", FLOAT32,
      FLOAT64);
  only_code(ctorch_aten_masked_select(&o, f32(2, 3), f32(2, 3)), "expected BoolTensor for mask", DTYPE_MISMATCH);
  dtypes(
      ctorch_aten_masked_fill_Scalar(&o, f32(3), f32(3), CTORCH_INT(1)), "only supports boolean masks", BOOL, FLOAT32);
  dtypes(
      ctorch_aten_masked_scatter(&o, f32(2, 3), b8(2, 3), f64(6)), "expected self and source to have same dtypes",
      FLOAT32, FLOAT64);
  dtypes(
      ctorch_aten_where_self(&o, f32(2), f32(2), f32(2)), "where expected condition to be a boolean tensor", BOOL,
      FLOAT32);
}
END_TEST

START_TEST(out_of_memory_says_how_much_was_asked_for_and_how_much_there_is) {
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT32;
  ctorch_error *error = ctorch_aten_empty_memory_format(&o, CTORCH_INTS(1LL << 60), &dtype, NULL, NULL, NULL, NULL);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_OUT_OF_MEMORY);
  uint64_t bytes = 0;
  ck_assert(ctorch_error_requested_bytes(error, &bytes));
  ck_assert_uint_eq(bytes, UINT64_C(1) << 62);
  ck_assert(ctorch_error_available_bytes(error, &bytes));
  const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  ck_assert_uint_gt(bytes, 0);
  ck_assert_uint_le(bytes, memory);
  ctorch_error_release(error);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("error dtypes, devices, memory");
  add_rows(suite, devices_that_do_not_fit);
  add_rows(suite, dtypes_of_products_and_layers);
  add_rows(suite, dtypes_of_results);
  add_rows(suite, dtypes_of_indexing);
  add_rows(suite, out_of_memory_says_how_much_was_asked_for_and_how_much_there_is);
  return ck_main(suite);
}
