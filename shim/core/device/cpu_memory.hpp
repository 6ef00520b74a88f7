// The memory of the CPU in the form in which a device's is told.
#pragma once

#include "core/device/allocators.hpp"

namespace ctorch::cpu_memory {

/// UNSUPPORTED if nothing was ever recorded; see abi/cpu_allocator.hpp.
allocators::Numbers stats();

/// Bytes of this machine: what can be had without swapping, and all.
std::pair<size_t, size_t> machine_info();

}  // namespace ctorch::cpu_memory
