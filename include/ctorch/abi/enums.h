/**
 * Numbers with a meaning that operators take as `int`: reductions, interpolations, modes.
 *
 * The schemas of PyTorch say `int` and leave the meaning to its Python; here each has a name. api.json tells which
 * argument takes which enumeration, and an operator that is given a number without a name answers INVALID_ARGUMENT
 * before it runs. The parameters are int64_t, as the schemas have it.
 */
#ifndef CTORCH_ENUMS_H
#define CTORCH_ENUMS_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** What a loss does with the losses of its elements (`reduction="mean"`, at::Reduction). */
typedef int32_t ctorch_reduction;
enum { CTORCH_REDUCTION_NONE = 0, CTORCH_REDUCTION_MEAN = 1, CTORCH_REDUCTION_SUM = 2 };

/** How `grid_sampler` reads between the pixels (`mode` of grid_sample, at::native::GridSamplerInterpolation). */
typedef int32_t ctorch_grid_sampler_interpolation;
enum {
  CTORCH_GRID_SAMPLER_INTERPOLATION_BILINEAR = 0,
  CTORCH_GRID_SAMPLER_INTERPOLATION_NEAREST = 1,
  CTORCH_GRID_SAMPLER_INTERPOLATION_BICUBIC = 2
};

/** What `grid_sampler` reads beyond the edge (`padding_mode` of grid_sample, at::native::GridSamplerPadding). */
typedef int32_t ctorch_grid_sampler_padding;
enum {
  CTORCH_GRID_SAMPLER_PADDING_ZEROS = 0,
  CTORCH_GRID_SAMPLER_PADDING_BORDER = 1,
  CTORCH_GRID_SAMPLER_PADDING_REFLECTION = 2
};

/** What `_pad_enum` puts around a tensor (`mode` of torch.nn.functional.pad, at::padding_mode). */
typedef int32_t ctorch_padding_mode;
enum {
  CTORCH_PADDING_MODE_REFLECT = 0,
  CTORCH_PADDING_MODE_REPLICATE = 1,
  CTORCH_PADDING_MODE_CIRCULAR = 2,
  CTORCH_PADDING_MODE_CONSTANT = 3
};

/** How `embedding_bag` joins the vectors of a bag (at::native::EmbeddingBagMode). */
typedef int32_t ctorch_embedding_bag_mode;
enum { CTORCH_EMBEDDING_BAG_MODE_SUM = 0, CTORCH_EMBEDDING_BAG_MODE_MEAN = 1, CTORCH_EMBEDDING_BAG_MODE_MAX = 2 };

/** What `_fft_*` divides by: nothing, the root of the signal's size, the size (at::native::fft_norm_mode). */
typedef int32_t ctorch_fft_norm_mode;
enum { CTORCH_FFT_NORM_MODE_NONE = 0, CTORCH_FFT_NORM_MODE_BY_ROOT_N = 1, CTORCH_FFT_NORM_MODE_BY_N = 2 };

/** How `cdist` computes Euclidean distances: through a matrix product for more than 25 rows, always, never. */
typedef int32_t ctorch_cdist_compute_mode;
enum {
  CTORCH_CDIST_COMPUTE_MODE_USE_MM_FOR_EUCLID_DIST_IF_NECESSARY = 0,
  CTORCH_CDIST_COMPUTE_MODE_USE_MM_FOR_EUCLID_DIST = 1,
  CTORCH_CDIST_COMPUTE_MODE_DONOT_USE_MM_FOR_EUCLID_DIST = 2
};

/** How `hash_tensor` joins the elements. */
typedef int32_t ctorch_hash_tensor_mode;
enum { CTORCH_HASH_TENSOR_MODE_XOR_SUM = 0 };

/** Kind of a recurrent layer, as cuDNN, MIOpen and oneDNN number it (torch.backends.cudnn.rnn.get_cudnn_mode). */
typedef int32_t ctorch_rnn_mode;
enum { CTORCH_RNN_MODE_RNN_RELU = 0, CTORCH_RNN_MODE_RNN_TANH = 1, CTORCH_RNN_MODE_LSTM = 2, CTORCH_RNN_MODE_GRU = 3 };

/** Who has computed a batch normalization (`impl_index` of _batch_norm_impl_index_backward). */
typedef int32_t ctorch_batch_norm_impl;
enum { CTORCH_BATCH_NORM_IMPL_NATIVE = 0, CTORCH_BATCH_NORM_IMPL_CUDNN = 1, CTORCH_BATCH_NORM_IMPL_MIOPEN = 2 };

/** What a mask of `_masked_softmax` is about: source positions (L, L), padded keys (B, L), the whole input. */
typedef int32_t ctorch_softmax_mask_type;
enum {
  CTORCH_SOFTMAX_MASK_TYPE_SRC_MASK = 0,
  CTORCH_SOFTMAX_MASK_TYPE_SRC_KEY_PADDING_MASK = 1,
  CTORCH_SOFTMAX_MASK_TYPE_DEFAULT_MASK = 2
};

/** The mask that `_efficient_attention_*` makes itself (sdp::CustomMaskType). */
typedef int32_t ctorch_custom_mask_type;
enum {
  CTORCH_CUSTOM_MASK_TYPE_NO_CUSTOM_MASK = 0,
  CTORCH_CUSTOM_MASK_TYPE_CAUSAL_FROM_TOP_LEFT = 1,
  CTORCH_CUSTOM_MASK_TYPE_CAUSAL_FROM_BOTTOM_RIGHT = 2
};

/** What one scale of `_scaled_mm_v2` is for (`torch.nn.functional.ScalingType`, at::blas::ScalingType). */
typedef int32_t ctorch_scaling_type;
enum {
  CTORCH_SCALING_TYPE_TENSOR_WISE = 0,
  CTORCH_SCALING_TYPE_ROW_WISE = 1,
  CTORCH_SCALING_TYPE_BLOCK_WISE_1X16 = 2,
  CTORCH_SCALING_TYPE_BLOCK_WISE_1X32 = 3,
  CTORCH_SCALING_TYPE_BLOCK_WISE_1X128 = 4,
  CTORCH_SCALING_TYPE_BLOCK_WISE_128X128 = 5
};

/** In which order the scales of `_scaled_mm_v2` lie (`torch.nn.functional.SwizzleType`, at::blas::SwizzleType). */
typedef int32_t ctorch_swizzle_type;
enum { CTORCH_SWIZZLE_TYPE_NO_SWIZZLE = 0, CTORCH_SWIZZLE_TYPE_SWIZZLE_32_4_4 = 1 };

/** How a tensor is quantized (`torch.qscheme`, c10::QScheme): what `ctorch_aten_qscheme` answers. */
typedef int32_t ctorch_qscheme;
enum {
  CTORCH_QSCHEME_PER_TENSOR_AFFINE = 0,
  CTORCH_QSCHEME_PER_CHANNEL_AFFINE = 1,
  CTORCH_QSCHEME_PER_TENSOR_SYMMETRIC = 2,
  CTORCH_QSCHEME_PER_CHANNEL_SYMMETRIC = 3,
  CTORCH_QSCHEME_PER_CHANNEL_AFFINE_FLOAT_QPARAMS = 4
};

CTORCH_END_DECLS

#endif
