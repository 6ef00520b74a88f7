// Calling back into C.
//
// A service keeps the caller's function beside a Payload and calls it through run_callback(), which turns a failure
// into an exception: that crosses LibTorch and becomes the error of the outer call, the very object that the callback
// made.
#pragma once

#include <utility>

#include "core/abi/error.hpp"
#include "core/abi/outside_scopes.hpp"
#include "ctorch/abi/types.h"

namespace ctorch {

/// The payload of a callback. It stays the caller's until own() is called, because a function that fails takes nothing;
/// from then on it is destroyed with this object, on whichever thread that is.
class Payload {
 public:
  Payload(void (*destroy)(void *payload), void *payload) noexcept : destroy_(destroy), payload_(payload) {}
  Payload(const Payload &) = delete;
  Payload &operator=(const Payload &) = delete;
  ~Payload() {
    if (owned_ && destroy_ != nullptr) {
      const OutsideScopes outside;
      destroy_(payload_);
    }
  }

  /// For a deleter of LibTorch's: `self` was made by new.
  static void destroy(void *self) noexcept { delete static_cast<Payload *>(self); }

  void *get() const noexcept { return payload_; }
  void own() noexcept { owned_ = true; }

 private:
  void (*destroy_)(void *payload);
  void *payload_;
  bool owned_ = false;
};

/// Throw what a callback failed with: its error, which is taken over, or CALLBACK if it left none.
[[noreturn]] void fail_callback(const char *name, ctorch_callback_status status, ctorch_error *error);

/// `call(&error)` calls the C function and returns its answer; `name` is what a message calls it.
template <class Call>
void run_callback(const char *name, Call &&call) {
  ctorch_error *error = nullptr;
  ctorch_callback_status status = std::forward<Call>(call)(&error);
  if (status != CTORCH_CALLBACK_OK || error != nullptr) {
    fail_callback(name, status, error);
  }
}

}  // namespace ctorch
