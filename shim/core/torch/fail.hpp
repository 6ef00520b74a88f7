// Errors of what differs between versions of LibTorch. The room abi defines them, which itself uses headers of this
// folder.
#pragma once

#include <string>

#include "ctorch/abi/error.h"

namespace ctorch {

[[noreturn]] void fail(ctorch_error_kind code, std::string message);

namespace libtorch {

/// UNSUPPORTED: `what` came with LibTorch `since`.
[[noreturn]] void fail_older(const std::string &what, const char *since);

}  // namespace libtorch
}  // namespace ctorch
