// Refusals: errors of tapes that docs/tapes.md explains ("Why does a tape refuse this").
#pragma once

#include <string>

#include "core/abi/error.hpp"

namespace ctorch::tape {

/// A step that cannot be captured, or not be replayed as things are now.
[[noreturn]] inline void fail_refused(ctorch_error_kind kind, const std::string &message) {
  fail(kind, message + " (see docs/tapes.md)");
}

}  // namespace ctorch::tape
