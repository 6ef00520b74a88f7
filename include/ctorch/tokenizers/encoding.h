/**
 * Encodings: what a tokenizer makes of a text, one entry a token.
 *
 *     const int64_t *ids = NULL;
 *     size_t ids_len = 0;
 *     CTORCH_TRY(ctorch_encoding_column(&ids, &ids_len, encoding, "ids"));
 *
 * The columns, which have a number for each token:
 *
 * - "ids".
 * - "type_ids": which segment it is of, as BERT has it; the post-processor decides.
 * - "word_ids": which word it is of, as the pre-tokenizer divided the text or as words were given; -1 for none.
 * - "sequence_ids": which text of a pair it is of: 0, 1, or -1 for a special token.
 * - "attention_mask": 1, or 0 for padding.
 * - "special_tokens_mask": 1 for what the post-processor or padding added.
 * - "starts", "ends": where it stands in its text, in characters (code points), as the tokenizers package for Python
 *   counts; 0 for what is not of a text.
 * - "byte_starts", "byte_ends": the same in bytes of the text's UTF-8, as a C program counts.
 *
 * An encoding does not change, and several threads may read it at once. It needs its tokenizer no more.
 */
#ifndef CTORCH_ENCODING_H
#define CTORCH_ENCODING_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** The tokens of a text or of a pair of texts. */
typedef struct ctorch_encoding ctorch_encoding;

/** Encodings of several texts. */
typedef struct ctorch_encoding_batch ctorch_encoding_batch;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_encoding_retain(const ctorch_encoding *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_encoding_release(ctorch_encoding *self);

/**
 * How many tokens there are.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_encoding_len(const ctorch_encoding *self);

/**
 * A column.
 *
 * @param[out] out      borrowed from `self`.
 * @param[out] out_len  `ctorch_encoding_len`.
 * @param self          borrowed.
 * @param name          borrowed; see above.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`name`).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_encoding_column(
    const int64_t **out, size_t *out_len, const ctorch_encoding *self, const char *name);

/**
 * The text of a token as the vocabulary has it: "##ing", "Ġthe".
 *
 * @param[out] out      borrowed from `self`; UTF-8, with a NUL behind it.
 * @param[out] out_len  bytes, without that NUL.
 * @param self          borrowed.
 * @param index         from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_encoding_token(
    const char **out, size_t *out_len, const ctorch_encoding *self, size_t index);

/**
 * How many parts truncation cut off.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_encoding_overflowing_len(const ctorch_encoding *self);

/**
 * A part that truncation cut off, with special tokens of its own.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_encoding_overflowing(ctorch_encoding **out, const ctorch_encoding *self, size_t index);

/**
 * A column as a tensor.
 *
 * @param[out] out  owned; int64, one dimension, on the CPU.
 * @param self      borrowed.
 * @param name      borrowed; see above.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`name`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_encoding_tensor(ctorch_tensor **out, const ctorch_encoding *self, const char *name);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_encoding_batch_retain(const ctorch_encoding_batch *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_encoding_batch_release(ctorch_encoding_batch *self);

/**
 * How many encodings there are.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_encoding_batch_len(const ctorch_encoding_batch *self);

/**
 * An encoding.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_encoding_batch_at(
    ctorch_encoding **out, const ctorch_encoding_batch *self, size_t index);

/**
 * A column of all encodings as one tensor, a row each. With padding enabled all are as long as each other; else shorter
 * ones are filled up behind their tokens.
 *
 * @param[out] out    owned; int64, [encodings, tokens of the longest], on the CPU.
 * @param self        borrowed.
 * @param name        borrowed; see above.
 * @param fill_value  what shorter ones are filled up with: the id of the padding token, 0 for a mask.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`name`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_encoding_batch_tensor(
    ctorch_tensor **out, const ctorch_encoding_batch *self, const char *name, int64_t fill_value);

CTORCH_END_DECLS

#endif
