// The modes of autograd.h.
//
// A push notes which parts of LibTorch's state it changes, and what they were. A pop takes its push out of that history
// as if it had never been: a part that was changed again afterwards keeps the later value, and returns to the earlier
// one when the later push ends. Ended in the order in which they nest, that is a plain restore; ended in another, no
// mode is left behind.
#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/anomaly_mode.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/torch/autograd.hpp"
#include "ctorch/autograd/autograd.h"

using namespace ctorch;
using c10::DispatchKey;
using c10::DispatchKeySet;
using torch::autograd::AnomalyMode;

namespace {

c10::AutogradState &state() { return c10::AutogradState::get_tls_state(); }

/// One part of the state that a mode may change.
struct Part {
  uint64_t (*get)();
  void (*set)(uint64_t value);
};

constexpr Part backward_grad = {
    [] { return uint64_t{state().get_grad_mode()}; }, [](uint64_t value) { state().set_grad_mode(value != 0); }};
constexpr Part forward_grad = {
    [] { return uint64_t{state().get_fw_grad_mode()}; }, [](uint64_t value) { state().set_fw_grad_mode(value != 0); }};
constexpr Part inference = {
    [] { return uint64_t{state().get_inference_mode()}; },
    [](uint64_t value) { state().set_inference_mode(value != 0); }};
constexpr Part multithreading = {
    [] { return uint64_t{state().get_multithreading_enabled()}; },
    [](uint64_t value) { state().set_multithreading_enabled(value != 0); }};
constexpr Part grad_layout = {
    [] { return uint64_t{libtorch::grad_layout_enforced()}; },
    [](uint64_t value) { libtorch::enforce_grad_layout(value != 0); }};
/// Whether operators take the way that tracks views and versions.
constexpr Part tracking = {
    [] { return uint64_t{c10::impl::tls_is_dispatch_key_included(DispatchKey::ADInplaceOrView)}; },
    [](uint64_t value) { c10::impl::tls_set_dispatch_key_included(DispatchKey::ADInplaceOrView, value != 0); }};
/// Which of the keys that record are skipped.
constexpr Part skipped = {
    [] { return (c10::impl::tls_local_dispatch_key_set().excluded_ & c10::autograd_dispatch_keyset).raw_repr(); },
    [](uint64_t value) {
      auto keys = c10::impl::tls_local_dispatch_key_set();
      keys.excluded_ = (keys.excluded_ - c10::autograd_dispatch_keyset) | DispatchKeySet(DispatchKeySet::RAW, value);
      c10::impl::_force_tls_local_dispatch_key_set(keys);
    }};

constexpr Part anomaly_enabled = {
    [] { return uint64_t{AnomalyMode::is_enabled()}; },
    [](uint64_t value) { AnomalyMode::set_enabled(value != 0, AnomalyMode::should_check_nan()); }};
constexpr Part anomaly_check_nan = {
    [] { return uint64_t{AnomalyMode::should_check_nan()}; },
    [](uint64_t value) { AnomalyMode::set_enabled(AnomalyMode::is_enabled(), value != 0); }};

/// What was pushed and not popped yet. `Key` tells pushes apart: a pop ends the last one with its key.
template <class Key>
class History {
 public:
  using Change = std::pair<const Part *, uint64_t>;

  void push(Key key, std::initializer_list<Change> changes) {
    Push push{key, {}};
    for (const auto &[part, value] : changes) {
      push.before.emplace_back(part, part->get());
    }
    pushes_.push_back(std::move(push));
    for (const auto &[part, value] : changes) {
      part->set(value);
    }
  }

  bool pop(Key key) {
    const auto last = std::find_if(pushes_.rbegin(), pushes_.rend(), [&](const Push &push) { return push.key == key; });
    if (last == pushes_.rend()) {
      return false;
    }
    for (const auto &[part, value] : last->before) {
      if (uint64_t *later = value_before(part, last.base())) {
        *later = value;
      } else {
        part->set(value);
      }
    }
    pushes_.erase(std::next(last).base());
    return true;
  }

 private:
  struct Push {
    Key key;
    std::vector<Change> before;
  };

  /// What the first push from `from` on that changed a part changed it from.
  uint64_t *value_before(const Part *part, typename std::vector<Push>::iterator from) {
    for (; from != pushes_.end(); ++from) {
      for (auto &[changed, value] : from->before) {
        if (changed == part) {
          return &value;
        }
      }
    }
    return nullptr;
  }

  std::vector<Push> pushes_;
};

enum class Mode { Grad, Inference, Multithreading, GradLayout };

struct Modes final : PerThread {
  History<Mode> history;
};

template <Mode MODE>
void take_back(uintptr_t) noexcept {
  per_thread<Modes>().history.pop(MODE);
}

const ModeKind grad_mode = {"grad mode", take_back<Mode::Grad>, false};
const ModeKind inference_mode = {"inference mode", take_back<Mode::Inference>, false};
const ModeKind multithreading_mode = {"multithreading mode", take_back<Mode::Multithreading>, false};
const ModeKind grad_layout_policy = {"grad layout policy", take_back<Mode::GradLayout>, false};

void push(const ModeKind &kind, Mode mode, std::initializer_list<History<Mode>::Change> changes) {
  push_mode(kind, [&] {
    per_thread<Modes>().history.push(mode, changes);
    return 0;
  });
}

void pop(const ModeKind &kind, Mode mode) {
  pop_mode(kind, [&] {
    if (!per_thread<Modes>().history.pop(mode)) {
      fail(CTORCH_ERROR_RUNTIME, std::string("no ") + kind.name + " was pushed on this thread");
    }
  });
}

Mutex &anomaly_mutex = *new Mutex(LockOrder::AnomalyModes);
History<std::thread::id> anomaly_modes;

bool pop_anomaly_mode() {
  const std::lock_guard lock(anomaly_mutex);
  return anomaly_modes.pop(std::this_thread::get_id());
}

const ModeKind anomaly_mode = {"anomaly mode", [](uintptr_t) noexcept { (void)pop_anomaly_mode(); }, false};

}  // namespace

ctorch_error *ctorch_grad_mode_push(bool enabled) {
  return guard_while_ending(__func__, [&] { push(grad_mode, Mode::Grad, {{&backward_grad, enabled}}); });
}

ctorch_error *ctorch_grad_mode_pop(void) {
  return guard_while_ending(__func__, [&] { pop(grad_mode, Mode::Grad); });
}

bool ctorch_grad_mode_enabled(void) { return state().get_grad_mode(); }

// What c10::InferenceMode does; that one restores all of a thread's dispatch keys, also those of other modes.
ctorch_error *ctorch_inference_mode_push(bool enabled) {
  return guard_while_ending(__func__, [&] {
    push(
        inference_mode, Mode::Inference,
        {{&backward_grad, !enabled},
         {&forward_grad, !enabled},
         {&inference, enabled},
         {&multithreading, !enabled},
         {&tracking, !enabled},
         {&skipped, enabled ? c10::DispatchKeySet(c10::autograd_dispatch_keyset).raw_repr() : 0}});
  });
}

ctorch_error *ctorch_inference_mode_pop(void) {
  return guard_while_ending(__func__, [&] { pop(inference_mode, Mode::Inference); });
}

bool ctorch_inference_mode_enabled(void) { return state().get_inference_mode(); }

ctorch_error *ctorch_multithreading_mode_push(bool enabled) {
  return guard_while_ending(
      __func__, [&] { push(multithreading_mode, Mode::Multithreading, {{&multithreading, enabled}}); });
}

ctorch_error *ctorch_multithreading_mode_pop(void) {
  return guard_while_ending(__func__, [&] { pop(multithreading_mode, Mode::Multithreading); });
}

bool ctorch_multithreading_mode_enabled(void) { return state().get_multithreading_enabled(); }

ctorch_error *ctorch_grad_layout_policy_push(bool enabled) {
  return guard_while_ending(__func__, [&] {
    if (!libtorch::HAS_GRAD_LAYOUT_POLICY) {
      libtorch::fail_older("the layout policy of gradients", "2.13");
    }
    push(grad_layout_policy, Mode::GradLayout, {{&grad_layout, enabled}});
  });
}

bool ctorch_grad_layout_policy_enabled(void) { return libtorch::grad_layout_enforced(); }

ctorch_error *ctorch_grad_layout_policy_pop(void) {
  return guard_while_ending(__func__, [&] { pop(grad_layout_policy, Mode::GradLayout); });
}

ctorch_error *ctorch_anomaly_mode_push(bool enabled, bool check_nan) {
  return guard_while_ending(__func__, [&] {
    push_mode(anomaly_mode, [&] {
      const std::lock_guard lock(anomaly_mutex);
      anomaly_modes.push(std::this_thread::get_id(), {{&anomaly_enabled, enabled}, {&anomaly_check_nan, check_nan}});
      return 0;
    });
  });
}

ctorch_error *ctorch_anomaly_mode_pop(void) {
  return guard_while_ending(__func__, [&] {
    pop_mode(anomaly_mode, [] {
      if (!pop_anomaly_mode()) {
        fail(CTORCH_ERROR_RUNTIME, "no anomaly mode was pushed on this thread");
      }
    });
  });
}

bool ctorch_anomaly_mode_enabled(void) { return AnomalyMode::is_enabled(); }

bool ctorch_anomaly_mode_check_nan(void) { return AnomalyMode::should_check_nan(); }
