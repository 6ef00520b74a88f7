/**
 * Finding mistakes with handles: those that were not given back, and those that are used afterwards. And whether errors
 * note where they arose.
 *
 * Handles are counted and checked if the environment has CTORCH_DEBUG_HANDLES=1 when the library is loaded: at the end
 * of the process a report of what is left goes to standard error, and a handle that was released is refused, with where
 * it was made and where released. Off, it costs nothing; on, a call takes some microseconds more.
 *
 * docs/handles.md, "Finding mistakes with handles", says what is found.
 */
#ifndef CTORCH_DEBUG_H
#define CTORCH_DEBUG_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * References that are handed out and not given back, over all threads and kinds of handle.
 *
 * @return a count; -1 if counting is off.
 */
CTORCH_API int64_t ctorch_debug_live_handles(void);

/**
 * One line for each place where live handles were made: their kind, the ctorch function that made them, what called
 * that, and how many there are, if more than one.
 *
 * @param[out] out  owned; itself not listed. Empty if nothing is live.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (counting is off).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_debug_report(ctorch_string **out);

/**
 * Whether errors note the stack from now on, for ctorch_error_backtrace. They do at first.
 *
 * For the whole process, Python's torch in it included. A failing call is cheaper without, and a runtime whose frames
 * cannot be walked needs it: LuaJIT's compiled code ends the process when LibTorch looks up the stack. Call it while no
 * other thread fails. With CTORCH_DEBUG_HANDLES=1, where handles are made and released is not known meanwhile either.
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
