/** Errors of callbacks. */
#ifndef CTORCH_SHIM_BASE_CALLBACK_H
#define CTORCH_SHIM_BASE_CALLBACK_H

#include "ctorch/abi/error.h"

/**
 * The error of a callback that returned: NULL for success, the callback's own error, which is taken over, or CALLBACK
 * if it failed without one.
 *
 * @param name  of the callback, as the message names it.
 */
ctorch_error *callback_error(const char *function, const char *name, ctorch_callback_status status, ctorch_error *error)
    __attribute__((warn_unused_result));

#endif
