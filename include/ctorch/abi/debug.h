/**
 * Finding mistakes with handles: those that were not given back, and those that are used afterwards. And whether errors
 * note where they arose.
 *
 * Handles are counted and looked at if the environment has CTORCH_DEBUG_HANDLES=1 when the library is loaded. Off, it
 * costs nothing; on, a call takes some microseconds more.
 *
 * - When the process ends, a report of what is left goes to standard error: a line for each place where handles were
 *   made, with the function that called and how many there are. Scopes that were never ended are in it with what they
 *   held until their thread ended: an early return, as of CTORCH_TRY, is the usual reason.
 * - A handle that was released, or whose scope has ended, and whose object is no more, is refused by every function
 *   that can fail: INVALID_HANDLE, with where it was made and where released. So is a handle of another kind. A second
 *   release, and the retain of what is gone, do nothing and say so on standard error; accessors answer as for NULL, or
 *   what they would have answered before.
 * - What a callback answers without ctorch_scope_keep, so that its scope's end released it, is refused at once where
 *   autograd and `torch.func` call back: hooks, functions of your own, checkpoint, gradcheck, vmap and its like. Data
 *   sets, modules, transforms and others hand it on, and the first function that uses it refuses it.
 * - What is known is remembered of the latest 8,192 handles that were released: as long the memory of the object itself
 *   is kept, but not what it held. Of sparse, quantized and nested tensors and of the wrappers of transforms, which
 *   cannot give up what they hold, nothing is remembered. A handle of which nothing is known, such as an element of a
 *   list, is never refused.
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
