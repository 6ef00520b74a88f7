/* Encodings as they are kept: columns of numbers, one entry a token. */
#ifndef CTORCH_SHIM_TOKENIZERS_ENCODING_H
#define CTORCH_SHIM_TOKENIZERS_ENCODING_H

#include "ctorch/tokenizers/encoding.h"
#include "tokenizers/draft.h"

/* An object from a draft, and from what was cut off of it; no handle yet. */
ctorch_error *encoding_new(
    const char *function, ctorch_encoding **out, const struct draft *draft, const struct token_model *model)
    __attribute__((warn_unused_result));
/* Pad one, and what was cut off of it. */
ctorch_error *encoding_pad(const char *function, ctorch_encoding *self, size_t length, const struct padding *how)
    __attribute__((warn_unused_result));
/* An object of encodings, which it takes over; those that are NULL are set later. */
ctorch_error *encoding_batch_new(const char *function, ctorch_encoding_batch **out, size_t len)
    __attribute__((warn_unused_result));
ctorch_encoding **encoding_batch_data(ctorch_encoding_batch *self);
/* Make a 1-D tensor of int64 of so many numbers, and say where they are to be written. */
ctorch_error *encoding_new_tensor(
    const char *function, ctorch_tensor **out, int64_t **out_data, const int64_t *sizes, size_t sizes_len)
    __attribute__((warn_unused_result));

#endif
