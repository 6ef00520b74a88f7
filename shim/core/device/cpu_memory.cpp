// What was recorded of the CPU's memory, under PyTorch's names, and what the machine has.
#include "core/device/cpu_memory.hpp"

#include "core/abi/cpu_allocator.hpp"
#include "core/abi/error.hpp"
#include "core/abi/machine.hpp"

namespace ctorch::cpu_memory {

allocators::Numbers stats() {
  const cpu_allocator::Statistics statistics = cpu_allocator::statistics();
  allocators::Numbers numbers;
  auto add = [&](const char *name, const cpu_allocator::Counter &counter) {
    allocators::add_counter(numbers, name, counter.current, counter.peak, counter.allocated, counter.freed);
  };
  add("allocation.all", statistics.allocations);
  add("allocated_bytes.all", statistics.bytes);
  return numbers;
}

std::pair<size_t, size_t> machine_info() {
  const auto memory = machine::memory();
  if (!memory) {
    fail(CTORCH_ERROR_UNSUPPORTED, "this system does not tell how much memory it has");
  }
  return {memory->available, memory->total};
}

}  // namespace ctorch::cpu_memory
