// The failing path of from::enumerated, and the proof that ctorch/abi/enums.h has PyTorch's numbers. What no header of
// LibTorch defines is proven against Python in tests/abi/test_enums.py.
#include "core/abi/enumeration.hpp"

#include <ATen/BlasBackend.h>
#include <ATen/PadNd.h>
#include <ATen/SDPBackend.h>
#include <ATen/core/Reduction.h>
#include <ATen/native/EmbeddingBag.h>
#include <ATen/native/GridSamplerUtils.h>
#include <ATen/native/SpectralOpsUtils.h>
#include <ATen/native/transformers/sdp_utils_cpp.h>
#include <c10/core/QScheme.h>

#include "core/torch/scaling.hpp"
#include "ctorch/abi/enums.h"
#include "ctorch/settings/settings.h"

namespace ctorch::from {

void fail_enumerator(const char *name, const char *type, int64_t value, int64_t last) {
  fail_argument(name, std::to_string(value) + " is no " + type + ", which are 0 to " + std::to_string(last));
}

}  // namespace ctorch::from

namespace {

template <typename T>
constexpr bool same(int32_t ours, T theirs) {
  return ours == static_cast<int64_t>(theirs);
}

static_assert(same(CTORCH_REDUCTION_NONE, at::Reduction::None));
static_assert(same(CTORCH_REDUCTION_MEAN, at::Reduction::Mean));
static_assert(same(CTORCH_REDUCTION_SUM, at::Reduction::Sum));
static_assert(same(CTORCH_REDUCTION_SUM + 1, at::Reduction::END));

using at::native::GridSamplerInterpolation;
static_assert(same(CTORCH_GRID_SAMPLER_INTERPOLATION_BILINEAR, GridSamplerInterpolation::Bilinear));
static_assert(same(CTORCH_GRID_SAMPLER_INTERPOLATION_NEAREST, GridSamplerInterpolation::Nearest));
static_assert(same(CTORCH_GRID_SAMPLER_INTERPOLATION_BICUBIC, GridSamplerInterpolation::Bicubic));

using at::native::GridSamplerPadding;
static_assert(same(CTORCH_GRID_SAMPLER_PADDING_ZEROS, GridSamplerPadding::Zeros));
static_assert(same(CTORCH_GRID_SAMPLER_PADDING_BORDER, GridSamplerPadding::Border));
static_assert(same(CTORCH_GRID_SAMPLER_PADDING_REFLECTION, GridSamplerPadding::Reflection));

static_assert(same(CTORCH_PADDING_MODE_REFLECT, at::padding_mode::reflect));
static_assert(same(CTORCH_PADDING_MODE_REPLICATE, at::padding_mode::replicate));
static_assert(same(CTORCH_PADDING_MODE_CIRCULAR, at::padding_mode::circular));
static_assert(same(CTORCH_PADDING_MODE_CONSTANT, at::padding_mode::constant));

using at::native::EmbeddingBagMode;
static_assert(same(CTORCH_EMBEDDING_BAG_MODE_SUM, EmbeddingBagMode::SUM));
static_assert(same(CTORCH_EMBEDDING_BAG_MODE_MEAN, EmbeddingBagMode::MEAN));
static_assert(same(CTORCH_EMBEDDING_BAG_MODE_MAX, EmbeddingBagMode::MAX));

using at::native::fft_norm_mode;
static_assert(same(CTORCH_FFT_NORM_MODE_NONE, fft_norm_mode::none));
static_assert(same(CTORCH_FFT_NORM_MODE_BY_ROOT_N, fft_norm_mode::by_root_n));
static_assert(same(CTORCH_FFT_NORM_MODE_BY_N, fft_norm_mode::by_n));

static_assert(same(CTORCH_CUSTOM_MASK_TYPE_NO_CUSTOM_MASK, sdp::CustomMaskType::NoCustomMask));
static_assert(same(CTORCH_CUSTOM_MASK_TYPE_CAUSAL_FROM_TOP_LEFT, sdp::CustomMaskType::CausalFromTopLeft));
static_assert(same(CTORCH_CUSTOM_MASK_TYPE_CAUSAL_FROM_BOTTOM_RIGHT, sdp::CustomMaskType::CausalFromBottomRight));
static_assert(same(CTORCH_CUSTOM_MASK_TYPE_CAUSAL_FROM_BOTTOM_RIGHT + 1, sdp::CustomMaskType::NumCustomMaskTypes));

using ctorch::libtorch::ScalingType;
static_assert(same(CTORCH_SCALING_TYPE_TENSOR_WISE, ScalingType::TensorWise));
static_assert(same(CTORCH_SCALING_TYPE_ROW_WISE, ScalingType::RowWise));
static_assert(same(CTORCH_SCALING_TYPE_BLOCK_WISE_1X16, ScalingType::BlockWise1x16));
static_assert(same(CTORCH_SCALING_TYPE_BLOCK_WISE_1X32, ScalingType::BlockWise1x32));
static_assert(same(CTORCH_SCALING_TYPE_BLOCK_WISE_1X128, ScalingType::BlockWise1x128));
static_assert(same(CTORCH_SCALING_TYPE_BLOCK_WISE_128X128, ScalingType::BlockWise128x128));

static_assert(same(CTORCH_SWIZZLE_TYPE_NO_SWIZZLE, ctorch::libtorch::SwizzleType::NO_SWIZZLE));
static_assert(same(CTORCH_SWIZZLE_TYPE_SWIZZLE_32_4_4, ctorch::libtorch::SwizzleType::SWIZZLE_32_4_4));

static_assert(same(CTORCH_QSCHEME_PER_TENSOR_AFFINE, c10::QScheme::PER_TENSOR_AFFINE));
static_assert(same(CTORCH_QSCHEME_PER_CHANNEL_AFFINE, c10::QScheme::PER_CHANNEL_AFFINE));
static_assert(same(CTORCH_QSCHEME_PER_TENSOR_SYMMETRIC, c10::QScheme::PER_TENSOR_SYMMETRIC));
static_assert(same(CTORCH_QSCHEME_PER_CHANNEL_SYMMETRIC, c10::QScheme::PER_CHANNEL_SYMMETRIC));
static_assert(same(CTORCH_QSCHEME_PER_CHANNEL_AFFINE_FLOAT_QPARAMS, c10::QScheme::PER_CHANNEL_AFFINE_FLOAT_QPARAMS));
static_assert(same(CTORCH_QSCHEME_PER_CHANNEL_AFFINE_FLOAT_QPARAMS + 1, c10::QScheme::COMPILE_TIME_NUM_QSCHEMES));

static_assert(same(CTORCH_SDP_BACKEND_MATH, at::SDPBackend::math));
static_assert(same(CTORCH_SDP_BACKEND_FLASH_ATTENTION, at::SDPBackend::flash_attention));
static_assert(same(CTORCH_SDP_BACKEND_EFFICIENT_ATTENTION, at::SDPBackend::efficient_attention));
static_assert(same(CTORCH_SDP_BACKEND_CUDNN_ATTENTION, at::SDPBackend::cudnn_attention));
static_assert(same(CTORCH_SDP_BACKEND_OVERRIDEABLE, at::SDPBackend::overrideable));

}  // namespace
