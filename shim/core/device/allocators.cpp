// The caching allocators, by LibTorch's interface for all backends.
#include "device/allocators.hpp"

#include "abi/error.hpp"
#include "torch/allocators.hpp"
#include "torch/older.hpp"

namespace ctorch::allocators {

void add_counter(
    Numbers &numbers, const std::string &name, int64_t current, int64_t peak, int64_t allocated, int64_t freed) {
  numbers.emplace_back(name + ".current", current);
  numbers.emplace_back(name + ".peak", peak);
  numbers.emplace_back(name + ".allocated", allocated);
  numbers.emplace_back(name + ".freed", freed);
}

#if LIBTORCH_HAS_ALLOCATORS

namespace {

using c10::CachingAllocator::DurationStat;
using c10::CachingAllocator::Stat;
using c10::CachingAllocator::StatArray;

c10::DeviceAllocator &device_allocator(at::Device device) {
  auto *allocator = device.is_cpu() ? nullptr : dynamic_cast<c10::DeviceAllocator *>(c10::GetAllocator(device.type()));
  if (allocator == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, device.str() + " has no caching allocator that LibTorch knows of");
  }
  return *allocator;
}

at::HostAllocator &host_allocator(at::Device device) {
  auto *allocator = device.is_cpu() ? nullptr : at::getHostAllocator(device.type());
  if (allocator == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, device.str() + " has no allocator of pinned memory that LibTorch knows of");
  }
  return *allocator;
}

/// CUDA's allocators answer no question before they are initialised.
bool is_used(at::Device device) { return device_allocator(device).initialized(); }

void add(Numbers &numbers, const std::string &name, const Stat &stat) {
  add_counter(numbers, name, stat.current, stat.peak, stat.allocated, stat.freed);
}

void add(Numbers &numbers, const std::string &name, const StatArray &stats) {
  constexpr const char *POOLS[] = {"all", "small_pool", "large_pool"};
  for (size_t i = 0; i < stats.size(); i++) {
    add(numbers, name + "." + POOLS[i], stats[i]);
  }
}

void add(Numbers &numbers, const std::string &name, const DurationStat &duration) {
  numbers.emplace_back(name + ".total", duration.total);
  numbers.emplace_back(name + ".max", duration.max);
  numbers.emplace_back(name + ".min", duration.min);
  numbers.emplace_back(name + ".count", duration.count);
  numbers.emplace_back(name + ".avg", duration.count == 0 ? 0 : duration.total / duration.count);
}

}  // namespace

Numbers device_stats(at::Device device) {
  Numbers numbers;
  if (is_used(device)) {
    auto stats = device_allocator(device).getDeviceStats(device.index());
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
  }
  return numbers;
}

Numbers host_stats(at::Device device) {
  Numbers numbers;
  at::HostAllocator &allocator = host_allocator(device);
  if (is_used(device)) {
    auto stats = allocator.get_stats();
    add(numbers, "active_requests", stats.active_requests);
    add(numbers, "active_bytes", stats.active_bytes);
    add(numbers, "allocations", stats.allocations);
    add(numbers, "allocated_bytes", stats.allocated_bytes);
    add(numbers, "host_alloc_time", stats.host_alloc_time);
    add(numbers, "host_free_time", stats.host_free_time);
    numbers.emplace_back("num_host_alloc", stats.num_host_alloc);
    numbers.emplace_back("num_host_free", stats.num_host_free);
  }
  return numbers;
}

void reset_device_peaks(at::Device device) {
  if (is_used(device)) {
    device_allocator(device).resetPeakStats(device.index());
  }
}

void reset_device_totals(at::Device device) {
  if (is_used(device)) {
    device_allocator(device).resetAccumulatedStats(device.index());
  }
}

void reset_host_peaks(at::Device device) {
  at::HostAllocator &allocator = host_allocator(device);
  if (is_used(device)) {
    allocator.reset_peak_stats();
  }
}

void reset_host_totals(at::Device device) {
  at::HostAllocator &allocator = host_allocator(device);
  if (is_used(device)) {
    allocator.reset_accumulated_stats();
  }
}

void empty_device_cache(at::Device device) {
  if (is_used(device)) {
    device_allocator(device).emptyCache();
  }
}

void empty_host_cache(at::Device device) {
  at::HostAllocator &allocator = host_allocator(device);
  if (is_used(device)) {
    allocator.empty_cache();
  }
}

std::pair<size_t, size_t> memory_info(at::Device device) {
  return device_allocator(device).getMemoryInfo(device.index());
}

void set_settings(const std::string &settings) { c10::CachingAllocator::setAllocatorSettings(settings); }

std::string settings() { return c10::CachingAllocator::getAllocatorSettings(); }

#else

namespace {

[[noreturn]] void fail_unsupported() {
  libtorch::fail_older("the interface for the allocators of all devices", LIBTORCH_ALLOCATORS_SINCE);
}

}  // namespace

Numbers device_stats(at::Device) { fail_unsupported(); }
Numbers host_stats(at::Device) { fail_unsupported(); }
void reset_device_peaks(at::Device) { fail_unsupported(); }
void reset_device_totals(at::Device) { fail_unsupported(); }
void reset_host_peaks(at::Device) { fail_unsupported(); }
void reset_host_totals(at::Device) { fail_unsupported(); }
void empty_device_cache(at::Device) { fail_unsupported(); }
void empty_host_cache(at::Device) { fail_unsupported(); }
std::pair<size_t, size_t> memory_info(at::Device) { fail_unsupported(); }
void set_settings(const std::string &) { fail_unsupported(); }
std::string settings() { fail_unsupported(); }

#endif

}  // namespace ctorch::allocators
