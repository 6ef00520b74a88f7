// Hooks of tensors and nodes: the lists of abi/hook.hpp behind LibTorch's.
#pragma once

#include <memory>
#include <vector>

#include "core/abi/hook.hpp"

namespace ctorch {

/// Held while one of LibTorch's lists is looked through and gets its entry.
extern Mutex &registering_hooks;

/// PyTorch's conditions on what a hook makes of a gradient; a message calls the hook `name`.
void check_replacement(const at::Tensor &grad, const at::Tensor &replacement, const char *name);

/// Our entry in one of LibTorch's lists, made if there is none.
template <class Entry, class Base>
Entry &entry_in(std::vector<std::unique_ptr<Base>> &hooks) {
  for (const auto &hook : hooks) {
    if (auto *entry = dynamic_cast<Entry *>(hook.get())) {
      return *entry;
    }
  }
  auto entry = std::make_unique<Entry>();
  Entry &result = *entry;
  hooks.push_back(std::move(entry));
  return result;
}

}  // namespace ctorch
