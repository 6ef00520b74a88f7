// An allocator in front of LibTorch's for the CPU that counts: for the statistics of ctorch_memory_record_cpu, each
// allocation by its size, and for memory pressure, the total alone, which is cheap enough to be always on.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <algorithm>

namespace ctorch::cpu_allocator {

struct Counter {
  int64_t current = 0, peak = 0, allocated = 0, freed = 0;

  void rise(int64_t by) {
    current += by;
    allocated += by;
    peak = std::max(peak, current);
  }
  void fall(int64_t by) {
    current -= by;
    freed += by;
  }
};
struct Statistics {
  Counter allocations, bytes;
};

/// Count what is allocated from now on, or no longer. UNSUPPORTED if the allocator in place cannot be wrapped.
void record(bool enabled);
/// UNSUPPORTED if nothing was ever recorded.
Statistics statistics();
void reset_peaks();
void reset_totals();

/// From now on, total() follows what LibTorch allocates on the CPU. Does nothing if its allocator cannot be wrapped or
/// does not tell the size of a block.
void begin_total();
/// What was allocated and not freed since, rounded up as malloc does, and what was noted besides.
uint64_t total() noexcept;
/// Add what else handles keep alive, or take it away; on any thread.
void note(ptrdiff_t nbytes) noexcept;

}  // namespace ctorch::cpu_allocator
