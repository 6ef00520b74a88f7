/** Objects made by the name of their class, from a tuple and a dict of values. */
#ifndef CTORCH_SHIM_BASE_CREATION_H
#define CTORCH_SHIM_BASE_CREATION_H

#include <ctorch.h>

/**
 * The checks of a function that creates an object by the name of its class: NULL_ARGUMENT for `out` or `name`, `name`
 * is UTF-8, and TYPE unless `*args` is a tuple or list and `*kwargs` a dict. None among the last two becomes NULL, as
 * languages write no arguments.
 */
ctorch_error *creation_check(
    const char *function, const void *out, const char *name, const ctorch_value **args, const ctorch_value **kwargs)
    __attribute__((warn_unused_result));

#endif
