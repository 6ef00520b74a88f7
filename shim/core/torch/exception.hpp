// The exceptions that came with LibTorch 2.9: before, nothing throws them.
#pragma once

#include <c10/util/Exception.h>

#include "core/torch/version.hpp"

namespace ctorch::libtorch {

#if TORCH_VERSION_AT_LEAST(2, 9)
using c10::AcceleratorError;
using c10::BufferError;
using c10::DistQueueEmptyError;
using c10::SyntaxError;
#else
struct AcceleratorError : c10::Error {
  using Error::Error;
};
struct BufferError : c10::Error {
  using Error::Error;
};
struct DistQueueEmptyError : c10::Error {
  using Error::Error;
};
struct SyntaxError : c10::Error {
  using Error::Error;
};
#endif

}  // namespace ctorch::libtorch
