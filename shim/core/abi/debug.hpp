// The book of LEAKS: every live reference and where it was made, and of the latest that were given back where they were
// made and where released (count_up, count_down, problem_with in handle.hpp).
#pragma once

#include <stddef.h>

#include <string>

namespace ctorch {

/// How what was behind a handle came to be no more, as problem_with() says it; empty if it is not known to be.
std::string how_destroyed(const void *handle);
/// INVALID_HANDLE for what was destroyed, of whatever kind.
void check_not_destroyed(const void *handle, const char *name);

size_t live_handles();
/// A line for each place where some were made.
std::string live_handles_text();

}  // namespace ctorch
