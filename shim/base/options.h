/**
 * The arguments of functions that come from schema files, checked and made whole. The generated functions call these,
 * one after another; the first thing that is wrong becomes `*error`, and what follows does nothing.
 *
 * `function` is the exported function, `name` the argument; both stand in the message.
 */
#ifndef CTORCH_SHIM_BASE_OPTIONS_H
#define CTORCH_SHIM_BASE_OPTIONS_H

#include <ctorch.h>

/** NULL_ARGUMENT for a NULL. */
void option_output(ctorch_error **error, const char *function, const char *name, const void *out);
void option_required(ctorch_error **error, const char *function, const char *name, const void *value);
void option_callback(ctorch_error **error, const char *function, const char *name, bool given);

/** A list whose entries the function reads where they are: NULL or an absurd length are refused. */
void option_list(
    ctorch_error **error, const char *function, const char *name, const void *data, size_t len, size_t entry_size);

/** A list of handles; `optional` if its entries may be NULL. */
void option_handles(
    ctorch_error **error, const char *function, const char *name, const void *const *data, size_t len, bool optional);

/**
 * A list of `size` numbers, copied to `to`: as many are given, or one that stands for all. NULL with length 0 is
 * `otherwise`, unless that is NULL.
 */
void option_ints(
    ctorch_error **error,
    const char *function,
    const char *name,
    int64_t *to,
    size_t size,
    const int64_t *data,
    size_t len,
    const int64_t *otherwise);
void option_doubles(
    ctorch_error **error,
    const char *function,
    const char *name,
    double *to,
    size_t size,
    const double *data,
    size_t len,
    const double *otherwise);
void option_bools(
    ctorch_error **error,
    const char *function,
    const char *name,
    bool *to,
    size_t size,
    const bool *data,
    size_t len,
    const bool *otherwise);

/** INVALID_ARGUMENT for a nested tensor, which has no sizes; NULL is left. */
void option_tensor(ctorch_error **error, const char *function, const char *name, const ctorch_tensor *value);

/** INVALID_ARGUMENT for a number that is no constant of the enumeration, or text that is not UTF-8; NULL is left. */
void option_dtype(ctorch_error **error, const char *function, const char *name, const ctorch_dtype *value);
void option_layout(ctorch_error **error, const char *function, const char *name, const ctorch_layout *value);
void option_device(ctorch_error **error, const char *function, const char *name, const ctorch_device *value);
void option_scalar(ctorch_error **error, const char *function, const char *name, const ctorch_scalar *value);
void option_text(ctorch_error **error, const char *function, const char *name, const char *value);

#endif
