// Hooks: the caller's functions, apart from where they are called.
//
// LibTorch walks its own lists of hooks without a lock, and a hook may add and remove others while it runs. So each of
// those lists gets one entry of ours that stays; behind it is a HookList, which has a lock, and of which a run sees the
// hooks that there were when it started. Objects made in C keep such lists too: c/hook.h.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/abi/callback.hpp"
#include "core/abi/capture.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "ctorch/autograd/hook.h"

namespace ctorch {

template <class Callback>
struct Hook {
  Hook(Callback callback, void (*destroy)(void *payload), void *payload) noexcept
      : callback(callback), payload(destroy, payload) {}

  Callback callback;
  Payload payload;
};

/// The hooks of one tensor or node. All are of one type, which the functions that name a type know.
class HookList {
 public:
  void add(std::shared_ptr<void> hook, bool first = false);
  void remove(const void *hook) noexcept;
  bool is_empty() const;
  /// Those that there are now, which stay alive with the answer.
  std::vector<std::shared_ptr<void>> snapshot() const;

  /// Call `run(hook)` for each in turn.
  template <class Callback, class Run>
  void for_each(Run &&run) const {
    for (const auto &hook : snapshot()) {
      refuse_in_capture("a hook is called");
      run(*static_cast<const Hook<Callback> *>(hook.get()));
    }
  }

 private:
  static Mutex &mutex;  // of all lists
  std::vector<std::shared_ptr<void>> hooks_;
};

}  // namespace ctorch

struct ctorch_hook final : ctorch::Object {
  ctorch_hook(const std::shared_ptr<ctorch::HookList> &list, const std::shared_ptr<void> &hook)
      : list(list), hook(hook) {}
  const char *type_name() const noexcept override { return "hook"; }

  std::weak_ptr<ctorch::HookList> list;
  std::weak_ptr<void> hook;
};

namespace ctorch {

/// Put a hook on a list, and hand out what removes it unless `out` is NULL.
void put_on(const std::shared_ptr<HookList> &list, const std::shared_ptr<void> &hook, bool first, ctorch_hook **out);

template <class Callback>
void register_hook(
    ctorch_hook **out,
    const std::shared_ptr<HookList> &list,
    Callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  auto hook = std::make_shared<Hook<Callback>>(callback, destroy, payload);
  put_on(list, hook, false, out);
  hook->payload.own();
}

}  // namespace ctorch
