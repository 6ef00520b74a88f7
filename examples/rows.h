/** Rows of arrays in C as tensors. */
#ifndef EXAMPLES_ROWS_H
#define EXAMPLES_ROWS_H

#include <ctorch.h>

/** Those rows of an array of `len` rows and `width` columns that `places` names. */
ctorch_error *rows_of(
    ctorch_tensor **out, void *data, int64_t len, int64_t width, ctorch_dtype dtype, const ctorch_tensor *places);

#endif
