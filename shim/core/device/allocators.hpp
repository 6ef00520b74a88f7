// The caching allocators of accelerators and of pinned memory, by LibTorch's interface for all backends.
//
// Each function takes a device that is there and answers UNSUPPORTED where its backend has no such allocator, or this
// LibTorch no such interface.
#pragma once

#include <c10/core/Device.h>

#include <string>
#include <utility>
#include <vector>

namespace ctorch::allocators {

using Numbers = std::vector<std::pair<std::string, int64_t>>;

/// Empty while no device of the type was used.
Numbers device_stats(at::Device device);
Numbers host_stats(at::Device device);

void reset_device_peaks(at::Device device);
void reset_device_totals(at::Device device);
void reset_host_peaks(at::Device device);
void reset_host_totals(at::Device device);

void empty_device_cache(at::Device device);
void empty_host_cache(at::Device device);

/// Free and total bytes.
std::pair<size_t, size_t> memory_info(at::Device device);

void set_settings(const std::string &settings);
std::string settings();

/// The four numbers of a counter, under PyTorch's names: "<name>.current" …
void add_counter(
    Numbers &numbers, const std::string &name, int64_t current, int64_t peak, int64_t allocated, int64_t freed);

}  // namespace ctorch::allocators
