// torch/autograd/profiler.py (_parse_kineto_results) and profiler_util.py (EventList._build_tree) of LibTorch 2.13.
#include <c10/util/Type.h>
#include <kineto/ActivityType.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "core/abi/error.hpp"
#include "core/profiler/profiler_result.hpp"
#include "core/torch/profiler.hpp"

namespace ctorch::profile {

namespace {

using torch::autograd::profiler::KinetoEvent;
using Events = std::vector<std::unique_ptr<Event>>;

constexpr std::string_view MEMORY = "[memory]", OUT_OF_MEMORY = "[OutOfMemory]";

bool is_shown(const KinetoEvent &event) {
  static constexpr std::string_view left_out[] = {
      MEMORY,
      OUT_OF_MEMORY,
      "profiler::_record_function_enter",
      "profiler::_record_function_enter_new",
      "profiler::_record_function_exit",
      "aten::is_leaf",
      "aten::output_nr",
      "aten::_version",
  };
  std::string name = event.name();
  return std::find(std::begin(left_out), std::end(left_out), name) == std::end(left_out) && !libtorch::is_hidden(event);
}

bool is_shown(const std::string &frame) {
  static constexpr std::string_view left_out[][2] = {
      {"autograd/__init__", "_make_grads"},
      {"autograd/__init__", "backward"},
      {"torch/tensor", "backward"},
      {"_internal/common_utils", "prof_callable"},
      {"_internal/common_utils", "prof_func_call"},
      {"_internal/common_utils", "prof_meth_call"},
  };
  return std::none_of(std::begin(left_out), std::end(left_out), [&](const auto &parts) {
    return frame.find(parts[0]) != std::string::npos && frame.find(parts[1]) != std::string::npos;
  });
}

std::string name_of(const KinetoEvent &event) {
  std::string name = event.name();
  name = name.size() > 1 ? c10::demangle(name.c_str()) : name;  // a single letter would be taken for a type
  return name.rfind("ProfilerStep#", 0) == 0 ? "ProfilerStep*" : name;
}

int64_t cpu_bytes(const KinetoEvent &record) {
  c10::DeviceType type = record.deviceType();
  bool is_cpu = type == c10::kCPU || type == c10::DeviceType::MKLDNN || type == c10::DeviceType::IDEEP;
  return is_cpu ? record.nBytes() : 0;
}

int64_t device_bytes(const KinetoEvent &record) {
  c10::DeviceType type = record.deviceType();
  bool is_device = type == c10::kCUDA || type == c10::kPrivateUse1 || type == c10::kHIP || type == c10::kXPU;
  return is_device ? record.nBytes() : 0;
}

void set_times(Event &event, int64_t start_ns, int64_t end_ns) {
  event.start_ns = start_ns;
  event.end_ns = end_ns;
  event.start_us = static_cast<double>(start_ns) / 1000;
  event.end_us = static_cast<double>(end_ns) / 1000;
}

/// Allocations, and which of them happened during an event.
class MemoryRecords {
 public:
  explicit MemoryRecords(const std::vector<KinetoEvent> &events) {
    for (const KinetoEvent &event : events) {
      if (event.name() == MEMORY) {
        records_.push_back({&event, static_cast<int64_t>(event.startNs()), false});
      }
    }
    by_time_.resize(records_.size());
    std::iota(by_time_.begin(), by_time_.end(), 0);
    std::stable_sort(by_time_.begin(), by_time_.end(), [&](size_t a, size_t b) {
      return records_[a].start_ns < records_[b].start_ns;
    });
  }

  void add_to(Event &event, int64_t start_ns, int64_t end_ns) {
    auto first = std::lower_bound(by_time_.begin(), by_time_.end(), start_ns, [&](size_t record, int64_t time) {
      return records_[record].start_ns < time;
    });
    for (; first != by_time_.end() && records_[*first].start_ns <= end_ns; ++first) {
      Record &record = records_[*first];
      event.cpu_memory += cpu_bytes(*record.event);
      event.device_memory += device_bytes(*record.event);
      record.is_part = true;
    }
  }

  std::vector<const KinetoEvent *> outside_of_events() const {
    std::vector<const KinetoEvent *> result;
    for (const Record &record : records_) {
      if (!record.is_part) {
        result.push_back(record.event);
      }
    }
    return result;
  }

 private:
  struct Record {
    const KinetoEvent *event;
    int64_t start_ns;
    bool is_part;
  };
  std::vector<Record> records_;
  std::vector<size_t> by_time_;
};

std::unique_ptr<Event> event_of(const KinetoEvent &from, int64_t trace_start_ns, bool uses_device) {
  auto event = std::make_unique<Event>();
  event->id = from.correlationId();
  event->name = name_of(from);
  event->overload_name = libtorch::overload_name(from);
  set_times(
      *event, static_cast<int64_t>(from.startNs()) - trace_start_ns,
      static_cast<int64_t>(from.endNs()) - trace_start_ns);
  event->thread = from.startThreadId();
  event->forward_thread = from.fwdThreadId();
  event->sequence_number = from.sequenceNr();
  event->scope = from.scope();
  event->device_type = from.deviceType();
  event->device_index = from.deviceIndex();
  event->is_async = from.isAsync() || from.startThreadId() != from.endThreadId();
  auto activity = static_cast<libkineto::ActivityType>(from.activityType());
  event->is_user_annotation =
      activity == libkineto::ActivityType::USER_ANNOTATION || activity == libkineto::ActivityType::GPU_USER_ANNOTATION;
  event->uses_device = uses_device;
  event->flops = from.flops();
  if (from.hasShapes()) {
    event->input_shapes = from.shapes().vec();
  }
  if (from.hasTypes()) {
    event->input_dtypes = from.dtypes().vec();
  }
  if (from.hasStack()) {
    for (const std::string &frame : from.stack()) {
      if (is_shown(frame)) {
        event->stack.push_back(frame);
      }
    }
  }
  return event;
}

/// An allocation that no event is responsible for is an event of its own.
std::unique_ptr<Event> memory_event(const KinetoEvent &from, uint64_t id, int64_t trace_start_ns, bool uses_device) {
  auto event = std::make_unique<Event>();
  event->id = id;
  event->name = from.name();
  int64_t start_ns = static_cast<int64_t>(from.startNs()) - trace_start_ns;
  set_times(*event, start_ns, start_ns);
  event->thread = event->forward_thread = from.startThreadId();
  event->uses_device = uses_device;
  event->cpu_memory = cpu_bytes(from);
  event->device_memory = device_bytes(from);
  return event;
}

/// Where Kineto could not watch the device, the event itself was timed there.
void add_fallback_time(Event &event, const KinetoEvent &from, c10::DeviceType device) {
  if (event.device_type != c10::kCPU || event.is_async) {
    return;
  }
  int64_t time_us = device == c10::kCUDA          ? from.cudaElapsedUs()
                    : device == c10::kPrivateUse1 ? from.privateuse1ElapsedUs()
                                                  : 0;
  if (time_us > 0) {
    event.kernel_times_us.push_back(static_cast<double>(time_us));
    event.is_legacy = true;
  }
}

/// Kernels and the calls of a device's runtime belong to the operator that made them.
void link_devices(
    const std::vector<Event *> &operators, const std::unordered_map<uint64_t, std::vector<Event *>> &linked) {
  for (Event *event : operators) {
    auto found = linked.find(event->id);
    if (event->device_type != c10::kCPU || event->is_async || found == linked.end()) {
      continue;
    }
    for (Event *other : found->second) {
      if (other->device_type == c10::kCUDA || other->device_type == c10::kPrivateUse1 ||
          other->device_type == c10::kXPU) {
        event->kernel_times_us.push_back(other->end_us - other->start_us);
      } else if (other->device_type == c10::kCPU) {
        other->thread = event->thread;
      }
    }
  }
}

bool begins_before(const Event *a, const Event *b) {
  return a->start_us != b->start_us ? a->start_us < b->start_us : a->end_us > b->end_us;
}

/// An event is a part of the innermost one on its thread that it lies within.
void find_parents(const Events &events) {
  std::map<uint64_t, std::vector<Event *>> by_thread;
  for (const auto &event : events) {
    if (!event->is_async && event->device_type == c10::kCPU) {
      by_thread[event->thread].push_back(event.get());
    }
  }
  for (auto &[thread, of_thread] : by_thread) {
    std::stable_sort(of_thread.begin(), of_thread.end(), begins_before);
    std::vector<Event *> open;
    for (Event *event : of_thread) {
      while (!open.empty() && (event->start_us >= open.back()->end_us || event->end_us > open.back()->end_us)) {
        open.pop_back();
      }
      if (!open.empty()) {
        event->parent = open.back();
        open.back()->children.push_back(event);
      }
      open.push_back(event);
    }
  }
}

/// An operator that does nothing but call itself with other arguments counts once.
void merge_calls_of_itself(Events &events) {
  while (true) {
    std::vector<bool> merged(events.size());
    for (size_t i = 0; i < events.size(); i++) {
      Event &event = *events[i];
      if (event.parent != nullptr && event.parent->name == event.name && event.parent->children.size() == 1) {
        Event *parent = event.parent;
        for (Event *child : event.children) {
          child->parent = parent;
        }
        parent->children = event.children;
        parent->kernel_times_us = event.kernel_times_us;
        merged[i] = true;
      }
    }
    if (std::find(merged.begin(), merged.end(), true) == merged.end()) {
      return;
    }
    Events kept;
    for (size_t i = 0; i < events.size(); i++) {
      if (!merged[i]) {
        kept.push_back(std::move(events[i]));
      }
    }
    events = std::move(kept);
  }
}

const Event *node_of_autograd_around(const Event *event) {
  while (event != nullptr && event->scope != 1) {
    event = event->parent;
  }
  return event;
}

/// What backward does was called where its forward operator was.
void set_stacks_of_backward(const Events &events) {
  std::map<std::pair<int64_t, uint64_t>, std::vector<std::string>> forward;
  for (const auto &event : events) {
    if (node_of_autograd_around(event.get()) == nullptr) {
      forward.try_emplace({event->sequence_number, event->thread}, event->stack);
    }
  }
  for (const auto &event : events) {
    if (const Event *node = node_of_autograd_around(event.get())) {
      auto found = forward.find({node->sequence_number, node->forward_thread});
      event->stack = found == forward.end() ? std::vector<std::string>() : found->second;
    }
  }
}

}  // namespace

std::vector<std::unique_ptr<Event>> events_of(
    const torch::autograd::profiler::ProfilerResult &result, const Settings &settings) {
  const auto trace_start_ns = static_cast<int64_t>(result.trace_start_ns());
  const bool uses_device = settings.device.has_value();
  MemoryRecords memory(result.events());
  Events events;
  std::vector<Event *> operators;
  std::unordered_map<uint64_t, std::vector<Event *>> linked;
  uint64_t last_id = 0;
  for (const KinetoEvent &from : result.events()) {
    if (!is_shown(from)) {
      continue;
    }
    auto event = event_of(from, trace_start_ns, uses_device);
    if (event->device_type == c10::kCPU) {
      memory.add_to(*event, static_cast<int64_t>(from.startNs()), static_cast<int64_t>(from.endNs()));
    }
    if (uses_device) {
      add_fallback_time(*event, from, *settings.device);
    }
    last_id = std::max(last_id, event->id);
    if (from.linkedCorrelationId() == 0) {
      operators.push_back(event.get());
    } else {
      linked[from.linkedCorrelationId()].push_back(event.get());
    }
    events.push_back(std::move(event));
  }
  link_devices(operators, linked);
  for (const KinetoEvent *record : memory.outside_of_events()) {
    events.push_back(memory_event(*record, ++last_id, trace_start_ns, uses_device));
  }
  for (const KinetoEvent &from : result.events()) {
    if (from.name() == OUT_OF_MEMORY) {
      events.push_back(memory_event(from, ++last_id, trace_start_ns, uses_device));
    }
  }
  std::stable_sort(
      events.begin(), events.end(), [](const auto &a, const auto &b) { return begins_before(a.get(), b.get()); });
  find_parents(events);
  merge_calls_of_itself(events);
  set_stacks_of_backward(events);
  for (size_t i = 0; i < events.size(); i++) {
    events[i]->number = i;
  }
  return events;
}

double Event::self_cpu_time_total() const {
  if (is_async || device_type != c10::DeviceType::CPU) {
    return 0;
  }
  double parts = 0;
  for (const Event *child : children) {
    parts += child->cpu_time_total();
  }
  return cpu_time_total() - parts;
}

double Event::device_time_total() const {
  if (is_async || !uses_device) {
    return 0;
  }
  if (device_type != c10::DeviceType::CPU) {
    return end_us - start_us;
  }
  double kernels = 0, parts = 0;
  for (double time : kernel_times_us) {
    kernels += time;
  }
  if (!is_legacy) {
    for (const Event *child : children) {
      parts += child->device_time_total();
    }
  }
  return kernels + parts;
}

double Event::self_device_time_total() const {
  if (is_async || !uses_device) {
    return 0;
  }
  double parts = 0;
  if (device_type == c10::DeviceType::CPU) {
    for (const Event *child : children) {
      parts += child->device_time_total();
    }
  }
  return device_time_total() - parts;
}

int64_t Event::self_cpu_memory() const {
  if (is_async || device_type != c10::DeviceType::CPU) {
    return 0;
  }
  int64_t parts = 0;
  for (const Event *child : children) {
    parts += child->cpu_memory;
  }
  return cpu_memory - parts;
}

int64_t Event::self_device_memory() const {
  if (is_async || device_type != c10::DeviceType::CPU) {
    return 0;
  }
  int64_t parts = 0;
  for (const Event *child : children) {
    parts += child->device_memory;
  }
  return device_memory - parts;
}

}  // namespace ctorch::profile
