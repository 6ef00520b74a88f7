// The caching allocators, by LibTorch's interface for all backends.
#include "core/device/allocators.hpp"

#include "core/torch/allocators.hpp"

namespace ctorch::allocators {

void add_counter(
    Numbers &numbers, const std::string &name, int64_t current, int64_t peak, int64_t allocated, int64_t freed) {
  numbers.emplace_back(name + ".current", current);
  numbers.emplace_back(name + ".peak", peak);
  numbers.emplace_back(name + ".allocated", allocated);
  numbers.emplace_back(name + ".freed", freed);
}

namespace {

/// A counter of LibTorch's, an array of them by pool, or a duration. They are told by what they have: their classes
/// differ between versions.
template <class Stat>
auto add(Numbers &numbers, const std::string &name, const Stat &stat) -> decltype(stat.current, void()) {
  add_counter(numbers, name, stat.current, stat.peak, stat.allocated, stat.freed);
}

template <class Stats>
auto add(Numbers &numbers, const std::string &name, const Stats &stats) -> decltype(stats.size(), void()) {
  constexpr const char *POOLS[] = {"all", "small_pool", "large_pool"};
  for (size_t i = 0; i < stats.size(); i++) {
    add(numbers, name + "." + POOLS[i], stats[i]);
  }
}

template <class Duration>
auto add(Numbers &numbers, const std::string &name, const Duration &duration) -> decltype(duration.total, void()) {
  numbers.emplace_back(name + ".total", duration.total);
  numbers.emplace_back(name + ".max", duration.max);
  numbers.emplace_back(name + ".min", duration.min);
  numbers.emplace_back(name + ".count", duration.count);
  numbers.emplace_back(name + ".avg", duration.count == 0 ? 0 : duration.total / duration.count);
}

/// `use` with the allocator of the device, which answers nothing before it is initialised; CUDA's crashes.
template <class Use>
void if_used(at::Device device, const Use &use) {
  libtorch::with_device_allocator(device, [&](auto &allocator) {
    if (allocator.initialized()) {
      use(allocator);
    }
  });
}

/// Likewise with the allocator of the pinned memory for the device.
template <class Use>
void if_host_used(at::Device device, const Use &use) {
  libtorch::with_host_allocator(device, [&](auto &allocator) { if_used(device, [&](auto &) { use(allocator); }); });
}

}  // namespace

Numbers device_stats(at::Device device) {
  Numbers numbers;
  if_used(device, [&](auto &allocator) {
    auto stats = allocator.getDeviceStats(device.index());
    add(numbers, "allocation", stats.allocation);
    add(numbers, "segment", stats.segment);
    add(numbers, "active", stats.active);
    add(numbers, "inactive_split", stats.inactive_split);
    add(numbers, "allocated_bytes", stats.allocated_bytes);
    add(numbers, "reserved_bytes", stats.reserved_bytes);
    add(numbers, "active_bytes", stats.active_bytes);
    add(numbers, "inactive_split_bytes", stats.inactive_split_bytes);
    add(numbers, "requested_bytes", stats.requested_bytes);
    add(numbers, "oversize_allocations", stats.oversize_allocations);
    add(numbers, "oversize_segments", stats.oversize_segments);
    numbers.emplace_back("num_alloc_retries", stats.num_alloc_retries);
    numbers.emplace_back("num_ooms", stats.num_ooms);
    numbers.emplace_back("num_sync_all_streams", stats.num_sync_all_streams);
    numbers.emplace_back("num_device_alloc", stats.num_device_alloc);
    numbers.emplace_back("num_device_free", stats.num_device_free);
    numbers.emplace_back("max_split_size", stats.max_split_size);
  });
  return numbers;
}

Numbers host_stats(at::Device device) {
  Numbers numbers;
  if_host_used(device, [&](auto &allocator) {
    auto stats = allocator.get_stats();
    add(numbers, "active_requests", stats.active_requests);
    add(numbers, "active_bytes", stats.active_bytes);
    add(numbers, "allocations", stats.allocations);
    add(numbers, "allocated_bytes", stats.allocated_bytes);
    add(numbers, "host_alloc_time", stats.host_alloc_time);
    add(numbers, "host_free_time", stats.host_free_time);
    numbers.emplace_back("num_host_alloc", stats.num_host_alloc);
    numbers.emplace_back("num_host_free", stats.num_host_free);
  });
  return numbers;
}

void reset_device_peaks(at::Device device) {
  if_used(device, [&](auto &allocator) { allocator.resetPeakStats(device.index()); });
}

void reset_device_totals(at::Device device) {
  if_used(device, [&](auto &allocator) { allocator.resetAccumulatedStats(device.index()); });
}

void reset_host_peaks(at::Device device) {
  if_host_used(device, [](auto &allocator) { allocator.reset_peak_stats(); });
}

void reset_host_totals(at::Device device) {
  if_host_used(device, [](auto &allocator) { allocator.reset_accumulated_stats(); });
}

void empty_device_cache(at::Device device) {
  if_used(device, [](auto &allocator) { allocator.emptyCache(); });
}

void empty_host_cache(at::Device device) {
  if_host_used(device, [](auto &allocator) { allocator.empty_cache(); });
}

std::pair<size_t, size_t> memory_info(at::Device device) {
  std::pair<size_t, size_t> info;
  libtorch::with_device_allocator(device, [&](auto &allocator) { info = allocator.getMemoryInfo(device.index()); });
  return info;
}

void set_settings(const std::string &settings) { libtorch::set_allocator_settings(settings); }

std::string settings() { return libtorch::allocator_settings(); }

}  // namespace ctorch::allocators
