// memory.h: what allocators hold, and snapshots of it.
#include "ctorch/device/memory.h"

#include <algorithm>

#include "core/abi/c_locale.hpp"
#include "core/abi/cpu_allocator.hpp"
#include "core/abi/error.hpp"
#include "core/abi/file.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/device/allocators.hpp"
#include "core/device/cpu_memory.hpp"
#include "core/device/device.hpp"
#include "core/torch/cuda.hpp"

struct ctorch_memory_stats final : ctorch::Object {
  explicit ctorch_memory_stats(ctorch::allocators::Numbers &&given) : numbers(std::move(given)) {
    std::sort(numbers.begin(), numbers.end());
  }
  const char *type_name() const noexcept override { return "memory_stats"; }

  ctorch::allocators::Numbers numbers;  // sorted by name
};

using namespace ctorch;

namespace {

/// The current device of a type.
at::Device some_device(ctorch_device_type type) {
  device_type(type, "type");
  ctorch_device current = {type, -1};
  return existing_device(&current, "type");
}

void give_stats(allocators::Numbers &&numbers, ctorch_memory_stats **out) {
  to::give(c10::make_intrusive<ctorch_memory_stats>(std::move(numbers)), out);
}

}  // namespace

ctorch_error *ctorch_memory_info(uint64_t *out_free, uint64_t *out_total, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out_free, "out_free");
    to::require(out_total, "out_total");
    at::Device where = existing_device(device, "device");
    auto [free, total] = where.is_cpu() ? cpu_memory::machine_info() : allocators::memory_info(where);
    *out_free = free;
    *out_total = total;
  });
}

ctorch_error *ctorch_memory_stats_of_device(ctorch_memory_stats **out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Device where = existing_device(device, "device");
    give_stats(where.is_cpu() ? cpu_memory::stats() : allocators::device_stats(where), out);
  });
}

ctorch_error *ctorch_memory_stats_of_host(ctorch_memory_stats **out, ctorch_device_type type) {
  return guard(__func__, [&] {
    to::require(out, "out");
    give_stats(allocators::host_stats(some_device(type)), out);
  });
}

void ctorch_memory_stats_retain(const ctorch_memory_stats *self) { retain_object(self); }

void ctorch_memory_stats_release(ctorch_memory_stats *self) { release_object(self); }

size_t ctorch_memory_stats_len(const ctorch_memory_stats *self) { return is_there(self) ? self->numbers.size() : 0; }

const char *ctorch_memory_stats_name(const ctorch_memory_stats *self, size_t index) {
  return index < ctorch_memory_stats_len(self) ? self->numbers[index].first.c_str() : nullptr;
}

int64_t ctorch_memory_stats_value(const ctorch_memory_stats *self, size_t index) {
  return index < ctorch_memory_stats_len(self) ? self->numbers[index].second : 0;
}

bool ctorch_memory_stats_find(const ctorch_memory_stats *self, const char *name, int64_t *out) {
  if (!is_there(self) || name == nullptr) {
    return false;
  }
  auto before = [](const auto &number, const char *text) { return number.first < text; };
  auto found = std::lower_bound(self->numbers.begin(), self->numbers.end(), name, before);
  if (found == self->numbers.end() || found->first != name) {
    return false;
  }
  if (out != nullptr) {
    *out = found->second;
  }
  return true;
}

ctorch_error *ctorch_memory_reset_peak_stats(const ctorch_device *device) {
  return guard(__func__, [&] {
    at::Device where = existing_device(device, "device");
    where.is_cpu() ? cpu_allocator::reset_peaks() : allocators::reset_device_peaks(where);
  });
}

ctorch_error *ctorch_memory_reset_accumulated_stats(const ctorch_device *device) {
  return guard(__func__, [&] {
    at::Device where = existing_device(device, "device");
    where.is_cpu() ? cpu_allocator::reset_totals() : allocators::reset_device_totals(where);
  });
}

ctorch_error *ctorch_memory_reset_host_peak_stats(ctorch_device_type type) {
  return guard(__func__, [&] { allocators::reset_host_peaks(some_device(type)); });
}

ctorch_error *ctorch_memory_reset_host_accumulated_stats(ctorch_device_type type) {
  return guard(__func__, [&] { allocators::reset_host_totals(some_device(type)); });
}

ctorch_error *ctorch_memory_empty_cache(ctorch_device_type type) {
  return guard(__func__, [&] {
    at::Device where = some_device(type);
    if (!where.is_cpu()) {
      allocators::empty_device_cache(where);
    }
  });
}

ctorch_error *ctorch_memory_empty_host_cache(ctorch_device_type type) {
  return guard(__func__, [&] {
    at::Device where = some_device(type);
    if (!where.is_cpu()) {
      allocators::empty_host_cache(where);
    }
  });
}

ctorch_error *ctorch_memory_set_allocator_settings(const char *settings) {
  return guard(__func__, [&] {
    CLocale locale;
    allocators::set_settings(std::string(from::string(settings, "settings")));
  });
}

ctorch_error *ctorch_memory_allocator_settings(ctorch_string **out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(allocators::settings(), out);
  });
}

ctorch_error *ctorch_memory_record_history(bool enabled, uint64_t max_entries) {
  return guard(__func__, [&] {
    libtorch::cuda::record_memory_history(enabled, static_cast<int64_t>(std::min<uint64_t>(max_entries, INT64_MAX)));
  });
}

ctorch_error *ctorch_memory_snapshot(const char *path) {
  return guard(__func__, [&] {
    std::string file(from::string(path, "path"));
    write_file(file, libtorch::cuda::memory_snapshot());
  });
}

ctorch_error *ctorch_memory_record_cpu(bool enabled) {
  return guard(__func__, [&] { cpu_allocator::record(enabled); });
}
