// Lists of hooks.
#include "core/abi/hook.hpp"

#include <algorithm>

namespace ctorch {

Mutex &HookList::mutex = *new Mutex(LockOrder::HookLists);

void HookList::add(std::shared_ptr<void> hook, bool first) {
  const std::lock_guard lock(mutex);
  hooks_.insert(first ? hooks_.begin() : hooks_.end(), std::move(hook));
}

void HookList::remove(const void *hook) noexcept {
  std::shared_ptr<void> removed;  // goes after the lock: destroying a payload may call anything
  const std::lock_guard lock(mutex);
  const auto found =
      std::find_if(hooks_.begin(), hooks_.end(), [&](const auto &candidate) { return candidate.get() == hook; });
  if (found != hooks_.end()) {
    removed = std::move(*found);
    hooks_.erase(found);
  }
}

std::vector<std::shared_ptr<void>> HookList::snapshot() const {
  const std::lock_guard lock(mutex);
  return hooks_;
}

bool HookList::is_empty() const {
  const std::lock_guard lock(mutex);
  return hooks_.empty();
}

void put_on(const std::shared_ptr<HookList> &list, const std::shared_ptr<void> &hook, bool first, ctorch_hook **out) {
  auto handle = c10::make_intrusive<ctorch_hook>(list, hook);
  list->add(hook, first);
  if (out != nullptr) {
    try {
      to::give(std::move(handle), out);
    } catch (...) {
      list->remove(hook.get());
      throw;
    }
  }
}

}  // namespace ctorch
