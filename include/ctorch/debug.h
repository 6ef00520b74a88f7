/**
 * Finding leaks: count the handles that were handed out and not given back. And whether errors note where they arose.
 *
 * Counting is off unless the environment has CTORCH_DEBUG_HANDLES=1 when the library is loaded. It then also writes a
 * report of what is left to standard error when the process ends.
 */
#ifndef CTORCH_DEBUG_H
#define CTORCH_DEBUG_H

#include "ctorch/base.h"

CTORCH_BEGIN_DECLS

/**
 * References that are handed out and not given back, over all threads and kinds of handle.
 *
 * @return a count; -1 if counting is off.
 */
CTORCH_API int64_t ctorch_debug_live_handles(void);

/**
 * One line for each live handle: kind, the ctorch function that made it, and what called that.
 *
 * @param[out] out  owned; itself not listed. Empty if nothing is live.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (counting is off).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_debug_report(ctorch_string **out);

/**
 * Whether the errors that LibTorch raises from now on note the stack, for ctorch_error_backtrace. They do at first.
 *
 * For the whole process, Python's torch in it included. A failing call is cheaper without, and a runtime whose frames
 * cannot be walked needs it: LuaJIT's compiled code ends the process when LibTorch looks up the stack. Call it while no
 * other thread fails.
 *
 * @param enabled  false: ctorch_error_backtrace of such an error is "" beyond its message.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_debug_set_error_backtraces(bool enabled);

/**
 * Whether errors note the stack.
 *
 * @return what ctorch_debug_set_error_backtraces was last told; true at first.
 */
CTORCH_API bool ctorch_debug_error_backtraces(void);

CTORCH_END_DECLS

#endif
