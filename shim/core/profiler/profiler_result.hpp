// What a profile is made of. profiler.cpp collects it, profile_events.cpp makes of Kineto's events what Python's
// torch.autograd.profiler makes of them, profile.cpp hands it out, profiler_table.cpp writes it as text.
//
// Where numbers are added, they are added as Python adds them, in microseconds and in its order: the last digit that a
// table shows depends on it.
#pragma once

#include <c10/core/DeviceType.h>
#include <stdint.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/abi/object.hpp"
#include "ctorch/profiler/profiler_result.h"

namespace torch::autograd::profiler {
struct ProfilerResult;
}

namespace ctorch::profile {

/// FunctionEvent of torch/autograd/profiler_util.py.
struct Event {
  double cpu_time_total() const { return device_type == c10::DeviceType::CPU ? end_us - start_us : 0; }
  double self_cpu_time_total() const;
  double device_time_total() const;
  double self_device_time_total() const;
  int64_t self_cpu_memory() const;
  int64_t self_device_memory() const;

  uint64_t id = 0;
  std::string name, overload_name;
  int64_t start_ns = 0, end_ns = 0;
  double start_us = 0, end_us = 0;
  uint64_t thread = 0, forward_thread = 0;
  int64_t sequence_number = -1;
  int32_t scope = 0;
  c10::DeviceType device_type = c10::DeviceType::CPU;
  int32_t device_index = 0;
  bool is_async = false;
  bool is_user_annotation = false;
  bool uses_device = false;             // the profile has a device beside the CPU
  bool is_legacy = false;               // its one kernel is its own time on the device
  std::vector<double> kernel_times_us;  // of the kernels that it launched
  int64_t cpu_memory = 0, device_memory = 0;
  uint64_t flops = 0;
  std::vector<std::vector<int64_t>> input_shapes;
  std::vector<std::string> input_dtypes;
  std::vector<std::string> stack;

  Event *parent = nullptr;
  std::vector<Event *> children;
  size_t number = 0;  // its place in the profile
};

/// What the program asked for, as far as it shows in tables.
struct Settings {
  std::optional<c10::DeviceType> device;  // beside the CPU
  bool profile_memory = false;
  bool with_flops = false;
};

/// FunctionEventAvg of torch/autograd/profiler_util.py.
struct Row {
  double cpu_time() const { return count == 0 ? 0 : cpu_time_total / static_cast<double>(count); }
  double device_time() const { return count == 0 ? 0 : device_time_total / static_cast<double>(count); }

  std::string key, overload_name, input_shapes;
  std::vector<std::string> stack;
  c10::DeviceType device_type = c10::DeviceType::CPU;
  bool is_async = false, is_user_annotation = false, is_legacy = false, has_parent = false;
  size_t count = 0;
  double cpu_time_total = 0, self_cpu_time_total = 0, device_time_total = 0, self_device_time_total = 0;
  int64_t cpu_memory = 0, self_cpu_memory = 0, device_memory = 0, self_device_memory = 0;
  uint64_t flops = 0;
};

/// The arguments of EventList.table; a width of nothing is without a limit.
struct TableLayout {
  std::optional<std::string> sort_by, header, time_unit;
  int64_t row_limit = 100;
  std::optional<size_t> source_width = 75, name_width = 55, shapes_width = 80;
  bool top_level_only = false;
};

/// Whether a table can be sorted by this.
bool is_sort_key(const std::string &name);
std::string table(const std::vector<Row> &rows, const Settings &settings, const TableLayout &layout);

std::vector<std::unique_ptr<Event>> events_of(
    const torch::autograd::profiler::ProfilerResult &result, const Settings &settings);

}  // namespace ctorch::profile

struct ctorch_profiler_result final : ctorch::Object {
  ctorch_profiler_result(
      std::unique_ptr<torch::autograd::profiler::ProfilerResult> result, const ctorch::profile::Settings &settings);
  ~ctorch_profiler_result() override;
  const char *type_name() const noexcept override { return "profile"; }

  std::unique_ptr<torch::autograd::profiler::ProfilerResult> result;
  ctorch::profile::Settings settings;
  std::vector<std::unique_ptr<ctorch::profile::Event>> events;
};

struct ctorch_profiler_averages final : ctorch::Object {
  const char *type_name() const noexcept override { return "profile_averages"; }

  ctorch::profile::Settings settings;
  std::vector<ctorch::profile::Row> rows;
};
