// TorchScript's source text before LibTorch reads it: its compiler works by recursion, and ends the process where a
// stack ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ctorch::jit {

/// How deep brackets, blocks and what operators chain may be nested; what LibTorch writes itself stays below 50.
constexpr int MAX_SOURCE_NESTING = 500;

/// Why a source is refused; nothing if it may be read.
std::optional<std::string> problem_with_source(std::string_view source);

}  // namespace ctorch::jit
