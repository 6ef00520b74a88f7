// Counting the memory of CPU tensors, which LibTorch itself does only for its profiler.
#pragma once

#include "device/allocators.hpp"

namespace ctorch::cpu_memory {

/// Count what is allocated from now on, or no longer. UNSUPPORTED if the allocator in place cannot be wrapped.
void record(bool enabled);

/// UNSUPPORTED if nothing was ever recorded.
allocators::Numbers stats();
void reset_peaks();
void reset_totals();

/// Bytes of this machine: what can be had without swapping, and all.
std::pair<size_t, size_t> machine_info();

}  // namespace ctorch::cpu_memory
