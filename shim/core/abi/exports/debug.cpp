// debug.h: counting handles, reporting them, and whether errors note the stack.
#include "ctorch/abi/debug.h"

#include "core/abi/debug.hpp"
#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/stack.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

int64_t ctorch_debug_live_handles(void) { return keeps(LEAKS) ? static_cast<int64_t>(live_handles()) : -1; }

ctorch_error *ctorch_debug_report(ctorch_string **out) {
  return guard_while_ending(__func__, [&] {
    to::require(out, "out");
    if (!keeps(LEAKS)) {
      fail(CTORCH_ERROR_UNSUPPORTED, "set CTORCH_DEBUG_HANDLES=1 in the environment before ctorch is loaded");
    }
    to::give(live_handles_text(), out);
  });
}

ctorch_error *ctorch_debug_set_error_backtraces(bool enabled) {
  return guard_while_ending(__func__, [&] { set_notes_stacks(enabled); });
}

bool ctorch_debug_error_backtraces(void) { return notes_stacks(); }
