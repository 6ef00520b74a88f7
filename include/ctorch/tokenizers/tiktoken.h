/**
 * tiktoken: byte pair encoding by ranks, as OpenAI's tiktoken has it.
 *
 *     ctorch_tiktoken *encoding = NULL;
 *     ctorch_tensor *ids = NULL;
 *     CTORCH_TRY(ctorch_tiktoken_open_named(&encoding, ranks, "cl100k_base"));
 *     CTORCH_TRY(ctorch_tiktoken_encode_ordinary(&ids, encoding, text, strlen(text)));
 *
 * Ranks are lines of a token in base64, a space and its rank, as `.tiktoken` files have them. A pattern, in the words
 * of Rust's fancy-regex, divides texts into words; special tokens are found before.
 *
 * An object does not change, and several threads may use it at once. Without PCRE2 it is UNSUPPORTED.
 */
#ifndef CTORCH_TIKTOKEN_H
#define CTORCH_TIKTOKEN_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/string.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"

CTORCH_BEGIN_DECLS

/** Ranks, a pattern and special tokens. */
typedef struct ctorch_tiktoken ctorch_tiktoken;

/**
 * Read ranks.
 *
 * @param[out] out          owned.
 * @param ranks             borrowed; of a `.tiktoken` file.
 * @param pattern           borrowed; UTF-8.
 * @param special_tokens    borrowed; UTF-8.
 * @param special_tokens_len  how many.
 * @param special_ids       their ids.
 * @param special_ids_len   `special_tokens_len`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (other than one id for each token), FORMAT (a line that is none, a
 *         byte without a rank, no pattern), UNSUPPORTED (a pattern that PCRE2 has not, no PCRE2), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tiktoken_open(
    ctorch_tiktoken **out,
    const ctorch_reader *ranks,
    const char *pattern,
    const char *const *special_tokens,
    size_t special_tokens_len,
    const int64_t *special_ids,
    size_t special_ids_len);

/**
 * Read ranks of an encoding whose pattern and special tokens were published. The file is yours to bring.
 *
 * @param[out] out  owned.
 * @param ranks     borrowed; of a `.tiktoken` file.
 * @param name      borrowed; "gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base" or
 *                  "o200k_harmony".
 * @return NULL, or INVALID_ARGUMENT (`name`), or what ctorch_tiktoken_open answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tiktoken_open_named(
    ctorch_tiktoken **out, const ctorch_reader *ranks, const char *name);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tiktoken_retain(const ctorch_tiktoken *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tiktoken_release(ctorch_tiktoken *self);

/**
 * Encode a text in which nothing is special.
 *
 * @param[out] out  owned; int64, one dimension, on the CPU.
 * @param self      borrowed.
 * @param text      borrowed; UTF-8.
 * @param text_len  bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, more than 2 GiB), RUNTIME (a search that takes too
 *         long), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tiktoken_encode_ordinary(
    ctorch_tensor **out, const ctorch_tiktoken *self, const char *text, size_t text_len);

/**
 * Encode a text with special tokens.
 *
 * @param[out] out         owned; int64, one dimension, on the CPU.
 * @param self             borrowed.
 * @param text             borrowed; UTF-8.
 * @param text_len         bytes.
 * @param allowed          borrowed; special tokens that become their ids. "all" alone stands for all.
 * @param allowed_len      how many.
 * @param disallowed       borrowed; special tokens that the text must not have. "all" alone stands for all that are not
 *                         allowed, which is tiktoken's default.
 * @param disallowed_len   how many.
 * @return NULL, or VALUE (a special token that is disallowed), or what ctorch_tiktoken_encode_ordinary answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tiktoken_encode(
    ctorch_tensor **out,
    const ctorch_tiktoken *self,
    const char *text,
    size_t text_len,
    const char *const *allowed,
    size_t allowed_len,
    const char *const *disallowed,
    size_t disallowed_len);

/**
 * The bytes of tokens, which need not be UTF-8.
 *
 * @param[out] out  owned; uint8, one dimension, on the CPU.
 * @param self      borrowed.
 * @param ids       borrowed.
 * @param ids_len   how many.
 * @return NULL, or NULL_ARGUMENT, INDEX (an id that no token has), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tiktoken_decode_bytes(
    ctorch_tensor **out, const ctorch_tiktoken *self, const int64_t *ids, size_t ids_len);

/**
 * The text of tokens; what is no UTF-8 becomes U+FFFD.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param ids       borrowed.
 * @param ids_len   how many.
 * @return NULL, or NULL_ARGUMENT, INDEX (an id that no token has), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tiktoken_decode(
    ctorch_string **out, const ctorch_tiktoken *self, const int64_t *ids, size_t ids_len);

/**
 * One more than the highest id.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_tiktoken_vocab_size(const ctorch_tiktoken *self);

CTORCH_END_DECLS

#endif
