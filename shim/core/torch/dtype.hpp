// The dtypes that came after LibTorch 2.6: their numbers, and what C++ has for their elements.
#pragma once

#include <c10/core/ScalarType.h>

#include "core/torch/version.hpp"

namespace ctorch::libtorch {

// Where LibTorch lacks one, no tensor has it; its number is above those that LibTorch knows.
#if TORCH_VERSION_AT_LEAST(2, 7)
constexpr auto FLOAT8_E8M0FNU = at::ScalarType::Float8_e8m0fnu;
using Float8_e8m0fnu = c10::Float8_e8m0fnu;
#else
constexpr auto FLOAT8_E8M0FNU = static_cast<at::ScalarType>(44);
using Float8_e8m0fnu = uint8_t;
#endif

/// Before, `isfinite` is true of its NaN.
constexpr bool KNOWS_NAN_OF_FLOAT8_E8M0FNU = TORCH_VERSION_AT_LEAST(2, 15);

#if TORCH_VERSION_AT_LEAST(2, 8)
constexpr auto FLOAT4_E2M1FN_X2 = at::ScalarType::Float4_e2m1fn_x2;
#else
constexpr auto FLOAT4_E2M1FN_X2 = static_cast<at::ScalarType>(45);
#endif

#if TORCH_VERSION_AT_LEAST(2, 14)
constexpr auto BCOMPLEX32 = at::ScalarType::BComplex32;
#else
constexpr auto BCOMPLEX32 = static_cast<at::ScalarType>(46);
#endif

/// Whether the LibTorch at hand has it.
constexpr bool has_dtype(at::ScalarType dtype) {
  return static_cast<int>(dtype) < static_cast<int>(at::ScalarType::Undefined);
}

}  // namespace ctorch::libtorch
