// Ints of 2^63 and more, which LibTorch's values have from 2.9 on; before, ctorch keeps them as it does larger ones.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>

#include "core/torch/version.hpp"

namespace ctorch::libtorch {

/// That of a value of LibTorch's own.
inline std::optional<uint64_t> large_int([[maybe_unused]] const c10::IValue &value) {
#if TORCH_VERSION_AT_LEAST(2, 9)
  if (!value.isInt() && value.isUnsigned()) {
    return value.toUInt();
  }
#endif
  return std::nullopt;
}

/// A value of LibTorch's own, where it can be one.
inline std::optional<c10::IValue> from_large_int([[maybe_unused]] uint64_t value) {
#if TORCH_VERSION_AT_LEAST(2, 9)
  return c10::IValue(value);
#else
  return std::nullopt;
#endif
}

}  // namespace ctorch::libtorch
