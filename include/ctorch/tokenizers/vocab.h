/**
 * Vocabularies of words: tokens with the indices 0, 1, 2 …, as torchtext's Vocab and build_vocab_from_iterator have it.
 *
 *     ctorch_vocab_counter *counter = NULL;
 *     ctorch_vocab *vocab = NULL;
 *     CTORCH_TRY(ctorch_vocab_counter_new(&counter));
 *     CTORCH_TRY(ctorch_vocab_counter_update(counter, words, words_len));   // as often as there are texts
 *     CTORCH_TRY(ctorch_vocab_counter_build(&vocab, counter, 1, NULL, special, 2, true));
 *     CTORCH_TRY(ctorch_vocab_set_default_index(vocab, &unk));
 *     CTORCH_TRY(ctorch_vocab_lookup_indices(&indices, vocab, words, words_len));
 *
 * A vocabulary is not changed by lookups, and several threads may look up at once. What changes it needs it for itself.
 */
#ifndef CTORCH_VOCAB_H
#define CTORCH_VOCAB_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/string.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** Tokens and their indices. */
typedef struct ctorch_vocab ctorch_vocab;

/** Tokens of texts, with how often they were met. */
typedef struct ctorch_vocab_counter ctorch_vocab_counter;

/**
 * A vocabulary of these tokens, in their order.
 *
 * @param[out] out    owned; without a default index.
 * @param tokens      borrowed; UTF-8, each another one.
 * @param tokens_len  how many.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a token twice), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_new(ctorch_vocab **out, const char *const *tokens, size_t tokens_len);

/**
 * Read a vocabulary: a token a line, whose index is the number of its line, from 0 on. A line ends with LF or CR LF.
 *
 * @param[out] out  owned; without a default index.
 * @param reader    borrowed; of such a text in UTF-8.
 * @return NULL, or NULL_ARGUMENT, FORMAT (not UTF-8, a NUL, a token twice), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_open(ctorch_vocab **out, const ctorch_reader *reader);

/**
 * Read a vocabulary from a file.
 *
 * @param[out] out  owned; without a default index.
 * @param path      borrowed; UTF-8.
 * @return NULL, or what ctorch_reader_open and ctorch_vocab_open answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_open_file(ctorch_vocab **out, const char *path);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_vocab_retain(const ctorch_vocab *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_vocab_release(ctorch_vocab *self);

/**
 * Write a file that ctorch_vocab_open_file reads: it is there as a whole, or what was there before (writer.h). The
 * default index is not in it.
 *
 * @param self  borrowed.
 * @param path  borrowed; UTF-8.
 * @return NULL, or VALUE (a token that breaks the line), or what ctorch_writer_open, _write and _finish answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_save(const ctorch_vocab *self, const char *path);

/**
 * How many tokens there are.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_vocab_len(const ctorch_vocab *self);

/**
 * Whether a token is in the vocabulary.
 *
 * @param self       borrowed; may be NULL.
 * @param token      borrowed; may be NULL.
 * @param token_len  bytes.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_vocab_contains(const ctorch_vocab *self, const char *token, size_t token_len);

/**
 * The index of a token, or the default index for one that is not there.
 *
 * @param[out] out   the index.
 * @param self       borrowed.
 * @param token      borrowed; UTF-8.
 * @param token_len  bytes.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (the token is not there, nor a default index).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_lookup_index(
    int64_t *out, const ctorch_vocab *self, const char *token, size_t token_len);

/**
 * The indices of tokens.
 *
 * @param[out] out    owned; int64, one dimension, on the CPU.
 * @param self        borrowed.
 * @param tokens      borrowed; UTF-8.
 * @param tokens_len  how many.
 * @return NULL, or INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY, or what ctorch_vocab_lookup_index answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_lookup_indices(
    ctorch_tensor **out, const ctorch_vocab *self, const char *const *tokens, size_t tokens_len);

/**
 * The token of an index.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     from 0 on.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_lookup_token(ctorch_string **out, const ctorch_vocab *self, int64_t index);

/**
 * The tokens of indices.
 *
 * @param[out] out     owned; a list of texts.
 * @param self         borrowed.
 * @param indices      borrowed.
 * @param indices_len  how many.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (an absurd length), INDEX (an index that no token has),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_lookup_tokens(
    ctorch_value **out, const ctorch_vocab *self, const int64_t *indices, size_t indices_len);

/**
 * All tokens, by their indices.
 *
 * @param[out] out  owned; a list of texts.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_itos(ctorch_value **out, const ctorch_vocab *self);

/**
 * All tokens with their indices.
 *
 * @param[out] out  owned; a dict from texts to numbers.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_stoi(ctorch_value **out, const ctorch_vocab *self);

/**
 * Put a token behind the others.
 *
 * @param self       exclusive.
 * @param token      borrowed; UTF-8.
 * @param token_len  bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a NUL in it), RUNTIME (the token is there),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_append_token(ctorch_vocab *self, const char *token, size_t token_len);

/**
 * Put a token before another, whose index becomes one more, as do those behind it.
 *
 * @param self       exclusive.
 * @param token      borrowed; UTF-8.
 * @param token_len  bytes.
 * @param index      its index, from 0 to ctorch_vocab_len.
 * @return NULL, or INDEX (`index`), or what ctorch_vocab_append_token answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_insert_token(
    ctorch_vocab *self, const char *token, size_t token_len, int64_t index);

/**
 * What stands for tokens that are not there. It stays as it is when tokens are inserted.
 *
 * @param self   exclusive.
 * @param index  any number; NULL for none, so that such a token is an error.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_set_default_index(ctorch_vocab *self, const int64_t *index);

/**
 * What stands for tokens that are not there.
 *
 * @param[out] out     the index; 0 if there is none.
 * @param[out] is_set  whether there is one.
 * @param self         borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_default_index(int64_t *out, bool *is_set, const ctorch_vocab *self);

/**
 * Begin to count.
 *
 * @param[out] out  owned.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_counter_new(ctorch_vocab_counter **out);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_vocab_counter_retain(const ctorch_vocab_counter *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_vocab_counter_release(ctorch_vocab_counter *self);

/**
 * Count tokens.
 *
 * @param self        exclusive. After OUT_OF_MEMORY some of them may be counted.
 * @param tokens      borrowed; UTF-8.
 * @param tokens_len  how many.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_counter_update(
    ctorch_vocab_counter *self, const char *const *tokens, size_t tokens_len);

/**
 * A vocabulary of the most frequent tokens, of equally frequent ones that whose characters come first, and of special
 * tokens, which are not counted.
 *
 * @param[out] out       owned; without a default index.
 * @param self           borrowed.
 * @param min_freq       how often a token must have been met, at least 1.
 * @param max_tokens     how many there are to be at most, special ones included; NULL for all.
 * @param specials       borrowed; UTF-8, each another one.
 * @param specials_len   how many; fewer than `max_tokens`.
 * @param special_first  whether they have the first indices, or else the last.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range, not UTF-8, a token twice), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vocab_counter_build(
    ctorch_vocab **out,
    const ctorch_vocab_counter *self,
    int64_t min_freq,
    const int64_t *max_tokens,
    const char *const *specials,
    size_t specials_len,
    bool special_first);

CTORCH_END_DECLS

#endif
