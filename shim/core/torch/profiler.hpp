// What LibTorch's profiler can do in some versions only.
#pragma once

#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/orchestration/observer.h>

#include <string>
#include <string_view>

#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"

namespace ctorch::libtorch {

#if TORCH_VERSION_AT_LEAST(2, 7)
constexpr auto HPU_ACTIVITY = torch::profiler::impl::ActivityType::HPU;
#else  // counted as a device that LibTorch knows nothing of
constexpr auto HPU_ACTIVITY = torch::profiler::impl::ActivityType::PrivateUse1;
#endif

inline void profile_all_threads([[maybe_unused]] torch::profiler::impl::ExperimentalConfig &config, bool wanted) {
#if TORCH_VERSION_AT_LEAST(2, 7)
  config.profile_all_threads = wanted;
#else
  if (wanted) {
    fail_older("a profile of all threads", "2.7");
  }
#endif
}

inline void capture_overload_names([[maybe_unused]] torch::profiler::impl::ExperimentalConfig &config, bool wanted) {
#if TORCH_VERSION_AT_LEAST(2, 7)
  config.capture_overload_names = wanted;
#else
  if (wanted) {
    fail_older("the names of overloads in a profile", "2.7");
  }
#endif
}

inline std::string overload_name([[maybe_unused]] const torch::autograd::profiler::KinetoEvent &event) {
#if TORCH_VERSION_AT_LEAST(2, 7)
  return event.overload_name();
#else
  return "";
#endif
}

inline bool is_hidden([[maybe_unused]] const torch::autograd::profiler::KinetoEvent &event) {
#if TORCH_VERSION_AT_LEAST(2, 9)
  return event.isHiddenEvent();
#else
  return false;
#endif
}

/// What at::RecordFunction::before takes.
#if TORCH_VERSION_AT_LEAST(2, 9)
inline std::string_view range_name(std::string_view name) { return name; }
#else
inline std::string range_name(std::string_view name) { return std::string(name); }
#endif

}  // namespace ctorch::libtorch
