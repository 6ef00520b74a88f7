// Calling back what a caller gave to destroy something.
//
// Such a callback runs when a last reference goes, which is wherever that happens: in the middle of another call, or at
// the end of a scope. What it releases was the caller's, kept beyond every scope; a scope that happens to have another
// reference to the same handle must not take that for its own. So while it runs, the thread has no scope open.
#pragma once

#include <memory>

#include "core/abi/handle.hpp"
#include "core/abi/thread.hpp"

namespace ctorch {

/// Hides the scopes of this thread while it exists. Scopes that are opened meanwhile are ended with it, and modes that
/// are pushed meanwhile are taken back.
class OutsideScopes {
 public:
  OutsideScopes() noexcept : hidden_(open_scope) {
    if (hidden_ != nullptr) {
      hide();
    }
  }
  OutsideScopes(const OutsideScopes &) = delete;
  OutsideScopes &operator=(const OutsideScopes &) = delete;
  ~OutsideScopes() {
    if (hidden_ != nullptr) {
      show();
    }
  }

  /// The innermost of this thread that hides scopes, or null.
  static OutsideScopes *innermost() noexcept;

  /// The scopes that are opened meanwhile.
  std::unique_ptr<PerThread> own;

 private:
  void hide() noexcept;
  void show() noexcept;

  ctorch_scope *const hidden_;
  OutsideScopes *outer_ = nullptr;
  uint64_t latest_push_ = 0;  // before
};

}  // namespace ctorch
