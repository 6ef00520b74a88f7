/** Arrays that grow by one entry at a time: their capacity is the smallest power of two that holds what is in them. */
#ifndef CTORCH_SHIM_BASE_ARRAY_H
#define CTORCH_SHIM_BASE_ARRAY_H

#include <stddef.h>

#include "ctorch/abi/error.h"

/**
 * Make room for one entry more behind `len`.
 *
 * @param array  address of the pointer to the entries, which is NULL at first and freed with free.
 * @param size   of an entry.
 */
ctorch_error *array_grow(const char *function, void *array, size_t len, size_t size)
    __attribute__((warn_unused_result));

/** Room for `len` entries, filled with zeros, that array_grow goes on with; NULL is out of memory. */
void *array_new(size_t len, size_t size);

#endif
