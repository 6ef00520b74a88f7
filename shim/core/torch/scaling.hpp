// How scaled matrix products are scaled, which came with LibTorch 2.10.
#pragma once

#include <ATen/BlasBackend.h>

#include "core/torch/version.hpp"

namespace ctorch::libtorch {

#if TORCH_VERSION_AT_LEAST(2, 10)
using at::blas::ScalingType;
using at::blas::SwizzleType;
#else  // for operators that are not there
enum class ScalingType { TensorWise, RowWise, BlockWise1x16, BlockWise1x32, BlockWise1x128, BlockWise128x128 };
enum class SwizzleType { NO_SWIZZLE, SWIZZLE_32_4_4 };
#endif

}  // namespace ctorch::libtorch
