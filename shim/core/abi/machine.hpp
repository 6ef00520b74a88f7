// What the system tells of the machine. It is asked in one place, since each system has a way of its own.
#pragma once

#include <stdint.h>

#include <optional>
#include <string>

namespace ctorch::machine {

/// Bytes of the host's memory.
struct Memory {
  uint64_t total;
  uint64_t available;
};

/// Nothing where the system does not tell. It allocates nothing: there may be no memory left.
std::optional<Memory> memory() noexcept;

/// "cpu" where the system does not tell.
std::string processor_name();

/// A link to the file that the program was started from.
constexpr const char *PROGRAM = "/proc/self/exe";

}  // namespace ctorch::machine
