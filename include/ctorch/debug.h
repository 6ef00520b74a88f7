/**
 * Finding leaks: count the handles that were handed out and not given back.
 *
 * Off unless the environment has CTORCH_DEBUG_HANDLES=1 when the library is loaded. It then also writes a report of
 * what is left to standard error when the process ends.
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

CTORCH_END_DECLS

#endif
