// Which LibTorch this was compiled for, and which one is loaded.
#pragma once

#include "core/torch/version.hpp"

#define CTORCH_TEXT_OF(x) #x
#define CTORCH_TEXT(x) CTORCH_TEXT_OF(x)
#define TORCH_VERSION_COMPILED \
  CTORCH_TEXT(TORCH_VERSION_MAJOR) "." CTORCH_TEXT(TORCH_VERSION_MINOR) "." CTORCH_TEXT(TORCH_VERSION_PATCH)

namespace ctorch {

/// "2.13.0".
const char *loaded_torch_version();

}  // namespace ctorch
