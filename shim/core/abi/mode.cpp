// The pushes of a thread in their order.
//
// Nothing tells which push a pop is meant for. It takes the last of its kind, wherever that was made; and where a scope
// has taken one back that nobody had popped, the pop may still come, late, and must not take an earlier push in its
// place. So an earlier push remembers how many such there may be, and refuses as many pops. None is expected after a
// call has failed in between: then the pop was left out on the way to the scope's end, which is what scopes are for.
#include "core/abi/mode.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/error_object.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/thread.hpp"

namespace ctorch {

namespace {

struct Push {
  uint64_t number;
  const ModeKind *kind;
  const ctorch_scope *scope;  // null if none was open. Those of inner scopes come after those of outer ones
  uint64_t failures;          // of this thread until then
  size_t late_pops;           // to be refused before this push is popped
  uintptr_t token;
};

struct Pushes final : PerThread {
  std::vector<Push> pushes;
  uint64_t pushes_so_far = 0;
};

/// The last push of a kind, or the end.
std::vector<Push>::iterator last_of(std::vector<Push> &pushes, const ModeKind &kind) {
  const auto last = std::find_if(pushes.rbegin(), pushes.rend(), [&](const Push &push) { return push.kind == &kind; });
  return last == pushes.rend() ? pushes.end() : std::prev(last.base());
}

std::vector<Push>::iterator of_number(std::vector<Push> &pushes, uint64_t number) {
  const auto push =
      std::lower_bound(pushes.begin(), pushes.end(), number, [](const Push &p, uint64_t n) { return p.number < n; });
  return push != pushes.end() && push->number == number ? push : pushes.end();
}

void take_back_last(std::vector<Push> &pushes) noexcept {
  const Push push = pushes.back();
  pushes.pop_back();
  if (const auto earlier = last_of(pushes, *push.kind); earlier != pushes.end()) {
    earlier->late_pops += push.late_pops + (push.failures == failures_of_this_thread() ? 1 : 0);
  }
  if (!push.kind->needs_libtorch || thread_phase != THREAD_ENDING) {
    push.kind->take_back(push.token);  // last, because it may call back
  }
}

}  // namespace

uint64_t note_push(const ModeKind &kind) {
  auto &thread = per_thread<Pushes>();
  const uint64_t number = thread.pushes_so_far + 1;
  thread.pushes.push_back({number, &kind, open_scope, failures_of_this_thread(), 0, 0});
  return thread.pushes_so_far = number;
}

void note_token(uint64_t push, uintptr_t token) noexcept {
  if (auto *thread = find_per_thread<Pushes>()) {
    if (const auto found = of_number(thread->pushes, push); found != thread->pushes.end()) {
      found->token = token;
    }
  }
}

void forget_push(uint64_t push) noexcept {
  if (auto *thread = find_per_thread<Pushes>()) {
    if (const auto found = of_number(thread->pushes, push); found != thread->pushes.end()) {
      thread->pushes.erase(found);
    }
  }
}

uint64_t push_to_pop(const ModeKind &kind) {
  auto *thread = find_per_thread<Pushes>();
  if (thread == nullptr) {
    return 0;
  }
  const auto last = last_of(thread->pushes, kind);
  if (last == thread->pushes.end()) {
    return 0;
  }
  if (last->late_pops > 0) {
    last->late_pops--;
    fail(
        CTORCH_ERROR_RUNTIME, std::string("the end of its scope has taken back the last ") + kind.name +
                                  " that was pushed on this thread; the one pushed before it stays");
  }
  return last->number;
}

bool take_back_push_of(const ctorch_scope *innermost) noexcept {
  auto *thread = find_per_thread<Pushes>();
  if (thread == nullptr || thread->pushes.empty() || thread->pushes.back().scope != innermost) {
    return false;
  }
  take_back_last(thread->pushes);
  return true;
}

uint64_t latest_push() noexcept {
  const auto *thread = find_per_thread<Pushes>();
  return thread == nullptr ? 0 : thread->pushes_so_far;
}

void take_back_pushes_after(uint64_t number) noexcept {
  auto *thread = find_per_thread<Pushes>();
  while (thread != nullptr && !thread->pushes.empty() && thread->pushes.back().number > number) {
    take_back_last(thread->pushes);
  }
}

}  // namespace ctorch
