// The book of LEAKS: every live reference and where it was made (count_up, count_down in handle.hpp).
#pragma once

#include <stddef.h>

#include <string>

namespace ctorch {

size_t live_handles();
/// A line for each.
std::string live_handles_text();

/// Whether LibTorch's errors, and what is counted, note the stack.
void set_notes_stacks(bool enabled);
bool notes_stacks() noexcept;

}  // namespace ctorch
