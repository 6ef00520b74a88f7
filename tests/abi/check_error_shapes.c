/* SHAPE_MISMATCH: every wording of PyTorch that carries the shape expected and the shape given. */
#include "abi/error_rows.h"

enum {
  mean = 1,     /* reduction of a loss */
  bilinear = 0, /* interpolation of grid_sampler */
};

START_TEST(shapes_of_broadcasting_and_views) {
  shapes(ctorch_aten_add_Tensor(&o, f32(2), f32(3), NULL), "The size of tensor a (2) must match", EXPECT(2), GOT(3));
  shapes(ctorch_aten_add_Tensor(&o, f32(2, 3), f32(4, 5), NULL), "at non-singleton dimension 1", EXPECT(3), GOT(5));
  shapes(ctorch_aten_add__Tensor(f32(2), f32(4, 2), NULL), "doesn't match the broadcast shape", EXPECT(4, 2), GOT(2));
  shapes(
      ctorch_aten_expand(&o, f32(2, 3), CTORCH_INTS(4, 5), false), "The expanded size of the tensor", EXPECT(4, 5),
      GOT(2, 3));
  shapes(ctorch_aten_view(&o, f32(7), CTORCH_INTS(2, 3)), "is invalid for input of size 7", EXPECT(7), GOT(2, 3));
  shapes(ctorch_aten_reshape(&o, f32(7), CTORCH_INTS(-1, 3)), "is invalid for input of size 7", EXPECT(7), GOT(-1, 3));
  shapes(ctorch_aten_unflatten_int(&o, f32(7), 0, CTORCH_INTS(2, 3)), "don't multiply up to", EXPECT(7), GOT(2, 3));
  shapes(
      ctorch_aten_split_with_sizes(&list, f32(5), CTORCH_INTS(2, 2), 0), "to sum exactly to 5", EXPECT(5), GOT(2, 2));
  shapes(
      ctorch_aten_slice_scatter(&o, f32(3, 4), f32(2, 4), 0, NULL, NULL, 1), "size equal to the slice", EXPECT(3, 4),
      GOT(2, 4));
  shapes(
      ctorch_aten_repeat_interleave_self_Tensor(&o, f32(3), i64(2), CTORCH_SOME(int64_t, 0), NULL),
      "repeats must have the same size", EXPECT(3), GOT(2));
  shapes(
      ctorch_aten_cat(&o, CTORCH_TENSORS(f32(2, 3), f32(2, 4)), 0), "Sizes of tensors must match except", EXPECT(3),
      GOT(4));
  only_code(
      ctorch_aten_cat(&o, CTORCH_TENSORS(f32(2), f32(2, 4)), 0), "Tensors must have same number of dimensions",
      SHAPE_MISMATCH);
  shapes(
      ctorch_aten_stack(&o, CTORCH_TENSORS(f32(2, 3), f32(2, 4)), 0), "each tensor to be equal size", EXPECT(2, 3),
      GOT(2, 4));
}
END_TEST

START_TEST(shapes_of_products) {
  shapes(
      ctorch_aten_mm(&o, f32(2, 3), f32(4, 5)), "shapes cannot be multiplied (2x3 and 4x5)", EXPECT(3, 5), GOT(4, 5));
  shapes(
      ctorch_aten_linear(&o, f32(2, 3), f32(5, 4), NULL), "shapes cannot be multiplied (2x3 and 4x5)", EXPECT(3, 5),
      GOT(4, 5));
  shapes(ctorch_aten_mv(&o, f32(2, 3), f32(4)), "size mismatch, got input (2), mat (2x3), vec (4)", EXPECT(3), GOT(4));
  shapes(
      ctorch_aten_addmv(&o, f32(5), f32(2, 3), f32(3), NULL, NULL), "size mismatch, got input (5)", EXPECT(2), GOT(5));
  shapes(ctorch_aten_dot(&o, f32(3), f32(4)), "inconsistent tensor size", EXPECT(3), GOT(4));
  shapes(ctorch_aten_bmm(&o, f32(2, 3, 4), f32(3, 4, 5)), "first two dimensions of batch2", EXPECT(2, 4), GOT(3, 4));
  shapes(
      ctorch_aten_addbmm(&o, f32(3, 5), f32(2, 3, 4), f32(3, 4, 5), NULL, NULL), "same number of batches", EXPECT(2),
      GOT(3));
  shapes(
      ctorch_aten_addbmm(&o, f32(3, 5), f32(2, 3, 4), f32(2, 6, 5), NULL, NULL), "Incompatible matrix sizes for bmm",
      EXPECT(4, 5), GOT(6, 5));
  shapes(
      ctorch_aten_bilinear(&o, f32(2, 3), f32(2, 4), f32(5, 3, 3), NULL), "input2 size does not match weight",
      EXPECT(3), GOT(4));
  shapes(
      ctorch_aten_bilinear(&o, f32(2, 3), f32(3, 4), f32(5, 3, 4), NULL), "input batch dimensions do not match",
      EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_tensordot(&o, f32(2, 3), f32(4, 5), CTORCH_INTS(1), CTORCH_INTS(0)),
      "contracted dimensions need to match", EXPECT(3), GOT(4));
  shapes(
      ctorch_aten_einsum(&o, "ij,jk->ik", CTORCH_TENSORS(f32(2, 3), f32(4, 5)), no_ints),
      "does not broadcast with previously seen", EXPECT(3), GOT(4));
  shapes(ctorch_aten_inner(&o, f32(2, 3), f32(2, 4)), "the last dimension must match", EXPECT(2, 3), GOT(2, 4));
  shapes(
      ctorch_aten_linalg_multi_dot(&o, CTORCH_TENSORS(f32(2, 3), f32(4, 5))), "cannot be multiplied", EXPECT(3, 5),
      GOT(4, 5));
  shapes(ctorch_aten_cdist(&o, f32(2, 3), f32(2, 4), 2.0, NULL), "same number of columns", EXPECT(3), GOT(4));
  shapes(ctorch_aten_linalg_cross(&o, f32(3, 4), f32(3, 3), -1), "must have length 3. Got 4 and 3", EXPECT(3), GOT(4));
  shapes(ctorch_aten_linalg_cross(&o, f32(3, 3), f32(3, 4), -1), "must have length 3. Got 3 and 4", EXPECT(3), GOT(4));
  shapes(ctorch_aten__sparse_mm(&o, sparse(f32(2, 3)), f32(4, 5)), "Expected dim 0 size 3, got 4", EXPECT(3), GOT(4));
  shapes(
      ctorch_aten_add_Tensor(&o, sparse(f32(2, 3)), sparse(f32(2, 4)), NULL), "expected sizes of 'self' and 'other'",
      EXPECT(2, 3), GOT(2, 4));
  shapes(
      ctorch_aten_add_Tensor(&o, f32(2, 3), sparse(f32(2, 4)), NULL), "'self' and 'other' to have same size",
      EXPECT(2, 3), GOT(2, 4));
  shapes(ctorch_aten_sparse_mask(&o, f32(2), sparse(f32(3))), "operands have incompatible sizes", EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_sparse_coo_tensor_indices_size(&o, i64(1, 3), f32(4), CTORCH_INTS(2), NULL, NULL, NULL, NULL, NULL),
      "must have same nnz", EXPECT(3), GOT(4));
}
END_TEST

START_TEST(shapes_of_linear_algebra) {
  shapes(
      ctorch_aten_linalg_solve(&o, f32(3, 3), f32(4, 2), true), "for the equation AX = B (3x3 and 4x2)", EXPECT(3, 2),
      GOT(4, 2));
  shapes(
      ctorch_aten_linalg_solve(&o, f32(3, 3), f32(2, 4), false), "for the equation XA = B (3x3 and 2x4)", EXPECT(3),
      GOT(4));
  shapes(
      ctorch_aten_cholesky_solve(&o, f32(3, 1), f32(4, 4), false), "Incompatible matrix sizes for cholesky_solve",
      EXPECT(4, 1), GOT(3, 1));
  only_code(
      ctorch_aten_linalg_lstsq(&o, &o2, &o3, &o4, f32(3, 2), f32(4, 1), NULL, NULL), "input.size(-2) should match",
      SHAPE_MISMATCH);
  only_code(
      ctorch_aten_ormqr(&o, f32(3, 2), f32(2), f32(4, 2), true, false), "must be equal to input.shape[-2]",
      SHAPE_MISMATCH);
  only_code(
      ctorch_aten_ormqr(&o, f32(2, 3, 2), f32(3, 2), f32(2, 3, 2), true, false), "Expected batch dimensions of tau",
      SHAPE_MISMATCH);
  only_code(
      ctorch_aten_linalg_ldl_solve(&o, f32(3, 3), i32(4), f32(3, 2), false), "pivots.shape to be the same",
      SHAPE_MISMATCH);
  only_code(
      ctorch_aten_linalg_lu_solve(&o, f32(3, 3), i32(4), f32(3, 2), true, false), "Number of pivots per batch",
      SHAPE_MISMATCH);
  shapes(
      ctorch_aten_cov(&o, f32(2, 3), 1, i64(4), NULL), "expected fweights to have the same numel", EXPECT(3), GOT(4));
}
END_TEST

START_TEST(shapes_of_indexing) {
  shapes(
      ctorch_aten_gather(&o, f32(2, 3), 0, i64(4, 5), false), "Size does not match at dimension 1", EXPECT(2, 3),
      GOT(4, 5));
  shapes(
      ctorch_aten_scatter_src(&o, f32(5, 3), 0, i64(2, 3), f32(1, 3)), "no larger size than src [1, 3]", EXPECT(1, 3),
      GOT(2, 3));
  shapes(
      ctorch_aten_scatter_add(&o, f32(2, 3), 0, i64(2, 9), f32(5, 9)), "no larger than self [2, 3]", EXPECT(2, 3),
      GOT(2, 9));
  only_code(
      ctorch_aten_gather(&o, f32(2, 3), 0, i64(4), false), "Index tensor must have the same number", SHAPE_MISMATCH);
  only_code(
      ctorch_aten_take_along_dim(&o, f32(2, 3), i64(2), CTORCH_SOME(int64_t, 0)),
      "input and indices should have the same number", SHAPE_MISMATCH);
  shapes(
      ctorch_aten_index_add(&o, f32(2, 3), 0, i64(2), f32(3, 3), NULL), "Number of indices (2) should be equal",
      EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_index_copy(&o, f32(2, 3), 0, i64(2), f32(3, 3)), "Number of indices (2) should be equal", EXPECT(2),
      GOT(3));
  shapes(
      ctorch_aten_index_add(&o, f32(2, 3), 0, i64(2), f32(2, 4), NULL), "source tensor shape must match", EXPECT(2, 3),
      GOT(2, 4));
  shapes(
      ctorch_aten_index_copy(&o, f32(2, 3, 4), 0, i64(2), f32(2, 4, 5)), "must have same slice shapes", EXPECT(3, 4),
      GOT(4, 5));
  only_code(
      ctorch_aten_index_copy(&o, f32(2, 3), 0, i64(2), f32(2, 3, 1)), "their dimensionality must match",
      SHAPE_MISMATCH);
  shapes(
      ctorch_aten_put(&o, f32(3), i64(2), f32(3), false), "source and index to have the same number of elements",
      EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_index_Tensor(&o, f32(2, 3), CTORCH_TENSORS(i64(2), i64(3))),
      "indexing tensors could not be broadcast", EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_index_put(&o, f32(2, 3), CTORCH_TENSORS(i64(2)), f32(5), false), "value tensor of shape [5] cannot",
      EXPECT(2, 3), GOT(5));
  shapes(
      ctorch_aten_index_Tensor(&o, f32(2, 3), CTORCH_TENSORS(b8(3))), "The shape of the mask [3]", EXPECT(2, 3),
      GOT(3));
  shapes(
      ctorch_aten_searchsorted_Tensor(&o, f32(2, 3), f32(3, 3), false, false, NULL, NULL),
      "boundaries tensor should be 1 dimension", EXPECT(3, 3), GOT(2, 3));
  shapes(
      ctorch_aten_searchsorted_Tensor(&o, f32(2, 3), f32(2, 3), false, false, NULL, i64(2, 4)),
      "boundary and sorter must have the same size", EXPECT(2, 3), GOT(2, 4));
  only_code(
      ctorch_aten_histogramdd(&o, &list, f32(3, 2), CTORCH_INTS(2, 2), NULL, 0, f32(4), false),
      "it should have the same shape", SHAPE_MISMATCH);
  only_code(
      ctorch_aten_bincount(&o, i64(3), f32(4), 0), "weights should be 1-d and have the same length", SHAPE_MISMATCH);
  shapes(
      ctorch_aten__pack_padded_sequence(&o, &o2, f32(3, 2, 2), i64(3), false), "to be equal to batch_size", EXPECT(2),
      GOT(3));
}
END_TEST

START_TEST(shapes_of_layers) {
  shapes(
      ctorch_aten_conv2d(&o, f32(1, 3, 8, 8), f32(4, 5, 3, 3), NULL, conv2d_defaults), "Given groups=1",
      EXPECT(1, 5, 8, 8), GOT(1, 3, 8, 8));
  shapes(
      ctorch_aten_conv2d(&o, f32(1, 3, 8, 8), f32(4, 3, 3, 3), f32(5), conv2d_defaults),
      "expected bias to be 1-dimensional", EXPECT(4), GOT(5));
  shapes(
      ctorch_aten_conv_transpose2d_input(
          &o, f32(1, 3, 8, 8), f32(4, 5, 3, 3), NULL, no_ints, no_ints, no_ints, 1, no_ints),
      "Given transposed=1", EXPECT(1, 4, 8, 8), GOT(1, 3, 8, 8));
  shapes(
      ctorch_aten_conv_transpose2d_input(
          &o, f32(1, 3, 8, 8), f32(3, 5, 3, 3), f32(2), no_ints, no_ints, no_ints, 1, no_ints),
      "Given transposed=1", EXPECT(5), GOT(2));
  shapes(
      ctorch_aten_batch_norm(&o, f32(2, 3, 4), NULL, NULL, f32(4), f32(4), true, 0.1, 1e-5, false),
      "running_mean should contain 3 elements not 4", EXPECT(3), GOT(4));
  shapes(
      ctorch_aten_group_norm(&o, f32(2, 6, 4), 3, f32(5), NULL, 1e-5, false),
      "Expected weight to be a vector of size equal", EXPECT(6), GOT(5));
  only_code(
      ctorch_aten_group_norm(&o, f32(2, 6, 4), 3, f32(6), f32(5), 1e-5, false),
      "Expected bias to be a vector of size equal", SHAPE_MISMATCH);
  shapes(
      ctorch_aten_layer_norm(&o, f32(2, 3), CTORCH_INTS(4), NULL, NULL, 1e-5, false), "Given normalized_shape=[4]",
      EXPECT(4), GOT(2, 3));
  shapes(
      ctorch_aten_layer_norm(&o, f32(2, 3), CTORCH_INTS(3), f32(4), NULL, 1e-5, false),
      "same shape as normalized_shape", EXPECT(3), GOT(4));
  shapes(
      ctorch_aten_prelu(&o, f32(2, 3), f32(4)), "Mismatch of parameter numbers and input channel size", EXPECT(3),
      GOT(4));
  shapes(
      ctorch_aten_gru_cell(&o, f32(2, 3), f32(2, 4), f32(12, 5), f32(12, 4), NULL, NULL), "inconsistent input_size",
      EXPECT(5), GOT(3));
  shapes(
      ctorch_aten_rnn_tanh_cell(&o, f32(2, 3), f32(2, 5), f32(4, 3), f32(4, 4), NULL, NULL), "inconsistent hidden_size",
      EXPECT(4), GOT(5));
  shapes(
      ctorch_aten_gru_cell(&o, f32(2, 3), f32(3, 4), f32(12, 3), f32(12, 4), NULL, NULL),
      "doesn't match hidden0 batch size", EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_max_unpool2d(&o, f32(1, 1, 2, 2), i64(1, 1, 2, 3), CTORCH_INTS(4, 4)), "Expected shape of indices",
      EXPECT(1, 1, 2, 2), GOT(1, 1, 2, 3));
  shapes(
      ctorch_aten_grid_sampler(&o, f32(1, 1, 2, 2), f32(2, 2, 2, 2), bilinear, 0, false), "to have same batch size",
      EXPECT(1, 1, 2, 2), GOT(2, 2, 2, 2));
  only_code(
      ctorch_aten_grid_sampler(&o, f32(1, 1, 2, 2), f32(1, 2, 2, 3), bilinear, 0, false),
      "expected grid to have size 2", SHAPE_MISMATCH);
  shapes(
      ctorch_aten_quantize_per_channel(&o, f32(2, 3), f32(3), i64(3), 0, CTORCH_DTYPE_QINT8),
      "length of scales must equal to channel", EXPECT(2), GOT(3));
}
END_TEST

START_TEST(shapes_of_losses) {
  shapes(
      ctorch_aten_cross_entropy_loss(&o, f32(4, 3), i64(5), NULL, mean, -100, 0),
      "Expected input batch_size (4) to match", EXPECT(4), GOT(5));
  if (ck_torch_at_least(2, 9)) {
    shapes(
        ctorch_aten_nll_loss_nd(&o, f32(3), i64(2), NULL, mean, -100), "1D target must have size 1", EXPECT(1), GOT(2));
  }
  shapes(
      ctorch_aten_nll_loss_nd(&o, f32(4, 3, 2), i64(4, 3), NULL, mean, -100), "Expected target size [4, 2]",
      EXPECT(4, 2), GOT(4, 3));
  shapes(
      ctorch_aten_nll_loss(&o, f32(4, 3), i64(5), NULL, mean, -100), "size mismatch (got input: [4, 3], target",
      EXPECT(4), GOT(5));
  shapes(
      ctorch_aten_nll_loss2d(&o, f32(4, 3, 2, 2), i64(4, 3, 2), NULL, mean, -100),
      "size mismatch (got input: [4, 3, 2, 2] ,", EXPECT(4, 2, 2), GOT(4, 3, 2));
  shapes(
      ctorch_aten_nll_loss(&o, f32(4, 3), i64(4), f32(2), mean, -100), "should be defined either for all 3 classes",
      EXPECT(3), GOT(2));
  if (ck_torch_at_least(2, 12)) {
    shapes(
        ctorch_aten_multi_margin_loss(&o, f32(3, 4), i64(2), NULL, NULL, NULL, mean),
        "Expected target size [3], but got [2]", EXPECT(3), GOT(2));
  }
  shapes(
      ctorch_aten_multi_margin_loss(&o, f32(3, 4), i64(3), NULL, NULL, f32(2), mean), "inconsistent weight size",
      EXPECT(4), GOT(2));
  shapes(
      ctorch_aten_multilabel_margin_loss(&o, f32(3, 4), i64(3, 3), mean), "inconsistent target size", EXPECT(3, 4),
      GOT(3, 3));
  shapes(
      ctorch_aten_ctc_loss_IntList(&o, f32(5, 2, 3), i64(3, 2), CTORCH_INTS(5, 5), CTORCH_INTS(2, 2), 0, mean, false),
      "Expected tensor to have size 2 at dimension 0", EXPECT(2), GOT(3));
}
END_TEST

START_TEST(shapes_of_gradients) {
  shapes(
      ctorch_aten__softmax_backward_data(&o, f32(3), f32(4), 0, CTORCH_DTYPE_FLOAT32),
      "to have same size as tensor for", EXPECT(4), GOT(3));
  shapes(
      ctorch_aten_max_pool2d_with_indices_backward(
          &o, f32(1, 1, 2, 2), f32(1, 1, 4, 4), CTORCH_INTS(2, 2), CTORCH_INTS(2, 2), CTORCH_INTS(0, 0),
          CTORCH_INTS(1, 1), false, i64(1, 1, 3, 3)),
      "Expected a tensor of dimension 4", EXPECT(2), GOT(3));
  shapes(
      ctorch_aten_upsample_nearest2d_backward(
          &o, f32(1, 1, 4, 5), CTORCH_INTS(4, 4), CTORCH_INTS(1, 1, 2, 2), NULL, NULL),
      "Expected grad_output to have the same shape", EXPECT(4), GOT(5));
  ctorch_tensor *leaf = f32(3);
  ctorch_tensor *result = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(leaf, true));
  ck_ok(ctorch_aten_mul_Scalar(&result, leaf, CTORCH_INT(2)));
  shapes(
      ctorch_tensor_backward(result, f32(4), NULL, false), "grad_output[0] has a shape of torch.Size([4])", EXPECT(3),
      GOT(4));
  shapes(ctorch_tensor_set_grad(leaf, f32(3, 1)), "", EXPECT(3), GOT(3, 1));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("error shapes");
  add_rows(suite, shapes_of_broadcasting_and_views);
  add_rows(suite, shapes_of_products);
  add_rows(suite, shapes_of_linear_algebra);
  add_rows(suite, shapes_of_indexing);
  add_rows(suite, shapes_of_layers);
  add_rows(suite, shapes_of_losses);
  add_rows(suite, shapes_of_gradients);
  return ck_main(suite);
}
