/** What parametrizations computed, kept for a while (ctorch_module_cached_push). */
#ifndef CTORCH_SHIM_MODULE_PARAMETRIZE_CACHED_H
#define CTORCH_SHIM_MODULE_PARAMETRIZE_CACHED_H

#include "module/module.h"

/** Whether this thread keeps what is computed; then what it has of a module's tensor, borrowed, or NULL. */
bool parametrize_cached_find(ctorch_tensor **out, const ctorch_module *module, const char *name);

/** Keep one more. */
ctorch_error *parametrize_cached_add(
    const char *function, const ctorch_module *module, const char *name, const ctorch_tensor *tensor)
    __attribute__((warn_unused_result));

#endif
