// scope.h: scopes as C sees them.
#include "ctorch/abi/scope.h"

#include "core/abi/debug.hpp"
#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/scope.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

ctorch_error *ctorch_scope_begin(ctorch_scope **out) {
  return guard_while_ending(__func__, [&] {
    to::require(out, "out");
    *out = begin_scope();
  });
}

void ctorch_scope_end(ctorch_scope *self) {
  end_scope(self);
  __asm__ volatile("");  // no jump in place of the call: LEAKS looks for the frame of this function
}

ctorch_error *ctorch_scope_keep(ctorch_scope *self, const void *handle) {
  return guard_while_ending(__func__, [&] {
    if (keeps(LEAKS)) {
      check_not_destroyed(handle, "handle");
    }
    if (!keep_beyond(self, handle)) {
      fail_argument("self", "this scope is not open on this thread");
    }
  });
}

bool ctorch_scope_owns(const void *handle) { return innermost_owns(handle); }

void ctorch_scope_discard(const void *handle) {
  discard(handle);
  __asm__ volatile("");
}
