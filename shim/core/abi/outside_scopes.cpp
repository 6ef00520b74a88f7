// Hiding scopes from what is called back to destroy something.
#include "core/abi/outside_scopes.hpp"

#include <utility>

#include "core/abi/mode.hpp"

namespace ctorch {

namespace {

__thread OutsideScopes *latest_outside = nullptr;

}  // namespace

OutsideScopes *OutsideScopes::innermost() noexcept { return latest_outside; }

void OutsideScopes::hide() noexcept {
  outer_ = std::exchange(latest_outside, this);
  latest_push_ = latest_push();
  open_scope = nullptr;
}

void OutsideScopes::show() noexcept {
  own.reset();
  take_back_pushes_after(latest_push_);
  latest_outside = outer_;
  open_scope = hidden_;
}

}  // namespace ctorch
