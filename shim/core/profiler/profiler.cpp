// profiler.h: starting and stopping Kineto, and ranges of the caller's own.
#include "ctorch/profiler/profiler.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/record_function.h>
#include <c10/core/DeviceType.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <atomic>
#include <mutex>
#include <set>
#include <unordered_set>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"
#include "core/profiler/profiler_result.hpp"
#include "core/torch/accelerator.hpp"
#include "core/torch/profiler.hpp"

using namespace ctorch;
namespace kineto = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;

namespace {

constexpr ctorch_profiler_options ALL_OPTIONS = CTORCH_PROFILER_RECORD_SHAPES | CTORCH_PROFILER_PROFILE_MEMORY |
                                                CTORCH_PROFILER_WITH_STACK | CTORCH_PROFILER_WITH_FLOPS |
                                                CTORCH_PROFILER_WITH_MODULES | CTORCH_PROFILER_ALL_THREADS |
                                                CTORCH_PROFILER_OVERLOAD_NAMES;

// Activities ----------------------------------------------------------------------------------------------------------

struct Device {
  c10::DeviceType type;
  ActivityType activity;
  bool (*is_here)();
};
constexpr Device DEVICES[] = {
    {c10::kCUDA, ActivityType::CUDA, [] { return at::getNumGPUs() > 0; }},
    {c10::kXPU, ActivityType::XPU, [] { return at::hasXPU(); }},
    {c10::kMTIA, ActivityType::MTIA, [] { return at::hasMTIA(); }},
    {c10::kHPU, libtorch::HPU_ACTIVITY, [] { return at::hasHPU(); }},
    {c10::kPrivateUse1, ActivityType::PrivateUse1, [] { return c10::is_privateuse1_backend_registered(); }},
};

struct Activities {
  std::set<ActivityType> activities;
  std::optional<c10::DeviceType> device;
};

Activities all_activities() {
  Activities all{{ActivityType::CPU}, std::nullopt};
  for (const Device &device : DEVICES) {
    if (!all.device && device.is_here()) {
      all.activities.insert(device.activity);
      all.device = device.type;
    }
  }
  return all;
}

void add_activity(Activities &activities, ctorch_device_type type, const std::string &name) {
  if (ctorch_device_type_name(type) == nullptr) {
    fail_argument(name.c_str(), "unknown device type " + std::to_string(type));
  }
  if (type == CTORCH_DEVICE_TYPE_CPU) {
    activities.activities.insert(ActivityType::CPU);
    return;
  }
  for (const Device &device : DEVICES) {
    if (device.type == static_cast<c10::DeviceType>(type) && device.is_here()) {
      if (activities.device && activities.device != device.type) {
        fail_argument(name.c_str(), "a second device beside the CPU");
      }
      activities.activities.insert(device.activity);
      activities.device = device.type;
      return;
    }
  }
  fail(CTORCH_ERROR_UNSUPPORTED, std::string("there is no ") + ctorch_device_type_name(type) + " to profile here");
}

Activities activities_of(const ctorch_device_type *types, size_t len) {
  from::check_list(types, len, "activities");
  if (types == nullptr) {
    return all_activities();
  }
  Activities activities;
  for (size_t i = 0; i < len; i++) {
    add_activity(activities, types[i], "activities[" + std::to_string(i) + "]");
  }
  if (activities.activities.empty()) {
    fail_argument("activities", "expected at least one");
  }
  return activities;
}

// The profile that is running -----------------------------------------------------------------------------------------

std::atomic<bool> running{false};

/// What a thread has begun: ranges, and maybe the profile. If the thread ends before them, so do they.
struct Begun final : PerThread {
  ~Begun() override {
    for (auto &range : ranges) {
      (void)range.release();  // begun by a callback when LibTorch's records of the thread were about to go
    }
  }
  void thread_ends(bool with_libtorch) noexcept override {
    if (!with_libtorch) {
      return;
    }
    while (!ranges.empty()) {
      ranges.pop_back();
    }
    if (std::exchange(profile, false)) {
      try {
        kineto::disableProfiler();
      } catch (...) {  // there is nobody to tell
      }
      running = false;
    }
  }

  std::vector<std::unique_ptr<at::RecordFunction>> ranges;
  bool profile = false;
  profile::Settings settings;
};

Begun &begun() { return per_thread<Begun>(); }

void take_back(uintptr_t) noexcept {
  if (auto &ranges = begun().ranges; !ranges.empty()) {
    ranges.pop_back();
  }
}

const ModeKind named_range = {"range", take_back, true};

torch::profiler::impl::ProfilerConfig config_of(ctorch_profiler_options options) {
  auto has = [&](ctorch_profiler_options option) { return (options & option) != 0; };
  torch::profiler::impl::ExperimentalConfig experimental;
  libtorch::profile_all_threads(experimental, has(CTORCH_PROFILER_ALL_THREADS));
  libtorch::capture_overload_names(experimental, has(CTORCH_PROFILER_OVERLOAD_NAMES));
  return torch::profiler::impl::ProfilerConfig(
      torch::profiler::impl::ProfilerState::KINETO,
      has(CTORCH_PROFILER_RECORD_SHAPES) || has(CTORCH_PROFILER_WITH_FLOPS), has(CTORCH_PROFILER_PROFILE_MEMORY),
      has(CTORCH_PROFILER_WITH_STACK), has(CTORCH_PROFILER_WITH_FLOPS), has(CTORCH_PROFILER_WITH_MODULES),
      std::move(experimental));
}

/// The right to the one profile that there may be, given back unless the profile runs on.
class Claim {
 public:
  Claim() {
    if (running.exchange(true)) {
      fail(CTORCH_ERROR_RUNTIME, "a profile is running");
    }
    if (torch::profiler::impl::profilerEnabled() || kineto::isProfilerEnabledInMainThread()) {
      running = false;
      fail(CTORCH_ERROR_RUNTIME, "a profile is running that this library did not start");
    }
  }
  /// Of the profile that is being stopped.
  explicit Claim(std::adopt_lock_t) {}
  ~Claim() {
    if (!keep) {
      running = false;
    }
  }

  bool keep = false;
};

}  // namespace

ctorch_error *ctorch_profiler_start(
    const ctorch_device_type *activities, size_t activities_len, ctorch_profiler_options options) {
  return guard(__func__, [&] {
    Activities wanted = activities_of(activities, activities_len);
    if ((options & ~ALL_OPTIONS) != 0) {
      fail_argument("options", "unknown option in " + std::to_string(options));
    }
    Claim claim;
    Begun &mine = begun();
    auto config = config_of(options);
    kineto::prepareProfiler(config, wanted.activities);
    kineto::enableProfiler(config, wanted.activities);
    claim.keep = mine.profile = true;
    mine.settings = {wanted.device, config.profile_memory, config.with_flops};
  });
}

ctorch_error *ctorch_profiler_stop(ctorch_profiler_result **out) {
  return guard(__func__, [&] {
    Begun &mine = begun();
    if (!mine.profile) {
      fail(CTORCH_ERROR_RUNTIME, running ? "another thread started the profile" : "no profile is running");
    }
    if (mine.settings.device) {
      libtorch::synchronize_accelerator();
    }
    Claim claim(std::adopt_lock);
    mine.profile = false;
    std::unique_ptr<kineto::ProfilerResult> result = kineto::disableProfiler();
    if (result == nullptr || result->trace_start_ns() == 0) {  // empty, and saving it would crash
      fail(CTORCH_ERROR_RUNTIME, "somebody else has ended the profile");
    }
    if (out != nullptr) {
      to::give(c10::make_intrusive<ctorch_profiler_result>(std::move(result), mine.settings), out);
    }
  });
}

bool ctorch_profiler_running(void) { return running; }

ctorch_error *ctorch_record_function_push(const char *name, const char *args) {
  return guard(__func__, [&] {
    std::string_view text = from::string(name, "name");
    std::optional<std::string_view> input = from::optional_string(args, "args");
    auto range = std::make_unique<at::RecordFunction>(at::RecordScope::USER_SCOPE);
    if (range->isActive()) {
      if (input && range->needsInputs()) {
        c10::IValue value{std::string(*input)};
        range->before(libtorch::range_name(text), c10::ArrayRef<const c10::IValue>(value));
        range->invalidateInputs();
      } else {
        range->before(libtorch::range_name(text));
      }
    }
    push_mode(named_range, [&] {
      begun().ranges.push_back(std::move(range));
      return 0;
    });
  });
}

ctorch_error *ctorch_record_function_pop(void) {
  return guard(__func__, [&] {
    pop_mode(named_range, [] {
      auto &ranges = begun().ranges;
      if (ranges.empty()) {
        fail(CTORCH_ERROR_RUNTIME, "no range was begun on this thread");
      }
      ranges.pop_back();
    });
  });
}
