// Lists of hooks that objects made in C keep: c/hook.h.
#include <memory>
#include <vector>

#include "core/abi/hook.hpp"
#include "core/c/hook.h"

using namespace ctorch;

namespace {

struct CHook : Hook<hook_callback> {
  CHook(const struct hook &hook, void (*destroy)(void *payload))
      : Hook(hook.callback, destroy, hook.payload), flags(hook.flags) {}

  uint32_t flags;
};

/// What stands behind `hooks`: hooks that stay alive, and how C sees them.
struct Read {
  std::vector<std::shared_ptr<void>> kept;
  std::vector<struct hook> seen;
};

}  // namespace

struct hook_list {
  std::shared_ptr<HookList> list = std::make_shared<HookList>();
};

hook_list *hook_list_new(const hook_list *other) {
  try {
    auto made = std::make_unique<hook_list>();
    if (other != nullptr) {
      for (auto &hook : other->list->snapshot()) {
        made->list->add(std::move(hook));
      }
    }
    return made.release();
  } catch (...) {  // out of memory
    return nullptr;
  }
}

void hook_list_free(hook_list *self) { delete self; }

bool hook_list_is_empty(const hook_list *self) { return self == nullptr || self->list->is_empty(); }

ctorch_error *hook_list_add(
    const char *function,
    ctorch_hook **out,
    hook_list *self,
    const struct hook *hook,
    bool first,
    void (*destroy)(void *payload)) {
  return guard(function, [&] {
    auto added = std::make_shared<CHook>(*hook, destroy);
    put_on(self->list, added, first, out);
    added->payload.own();
  });
}

ctorch_error *hook_list_read(const char *function, struct hooks *out, const hook_list *self, const hook_list *then) {
  *out = {};
  if (hook_list_is_empty(self) && hook_list_is_empty(then)) {
    return nullptr;
  }
  refuse_in_capture("a hook is called");
  return guard(function, [&] {
    auto read = std::make_unique<Read>();
    size_t first = 0;
    for (const hook_list *list : {self, then}) {
      if (list != nullptr) {
        for (auto &hook : list->list->snapshot()) {
          const auto *given = static_cast<const CHook *>(hook.get());
          read->seen.push_back({given->callback, given->payload.get(), given->flags});
          read->kept.push_back(std::move(hook));
        }
      }
      first = list == self ? read->seen.size() : first;
    }
    *out = {read->seen.data(), read->seen.size(), first, read.get()};
    (void)read.release();
  });
}

void hooks_end(struct hooks *self) {
  delete static_cast<Read *>(self->owner);
  *self = {};
}
