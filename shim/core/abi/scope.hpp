// Scopes: which references each gives back at its end.
//
// Taking handles in and striking them out is in handle.hpp (record, forget), because every call does it.
#pragma once

#include "ctorch/abi/scope.h"

namespace ctorch {

ctorch_scope *begin_scope();
/// Nothing if `self` is no open scope of this thread.
void end_scope(ctorch_scope *self) noexcept;

/// Let a handle outlive a scope, or all if that is NULL. False if it is not open on this thread.
bool keep_beyond(const ctorch_scope *self, const void *handle);

/// The innermost scope's reference to a handle: whether it has one, and give it up.
bool innermost_owns(const void *handle) noexcept;
void discard(const void *handle) noexcept;

}  // namespace ctorch
