// The answer where this LibTorch is older than what was asked for.
#pragma once

#include <string>

#include "abi/error.hpp"
#include "abi/version.hpp"

namespace ctorch::libtorch {

/// UNSUPPORTED: `what` came with LibTorch `since`.
[[noreturn]] inline void fail_older(const std::string &what, const char *since) {
  fail(
      CTORCH_ERROR_UNSUPPORTED,
      what + " came with LibTorch " + since + "; this ctorch is for LibTorch " TORCH_VERSION_COMPILED);
}

}  // namespace ctorch::libtorch
