/**
 * Tokenizers: texts to ids and back, by the `tokenizer.json` of Hugging Face's tokenizers.
 *
 *     ctorch_tokenizer *tokenizer = NULL;
 *     ctorch_tensor *ids = NULL;
 *     CTORCH_TRY(ctorch_tokenizer_open_file(&tokenizer, "tokenizer.json"));
 *     CTORCH_TRY(ctorch_tokenizer_encode_tensor(&ids, tokenizer, text, strlen(text), true));
 *
 * Models are BPE, WordPiece, Unigram and WordLevel; normalizers, pre-tokenizers, post-processors and decoders all that
 * tokenizers 0.23 has. A component that is not known is refused by its name, never left out. Ids, offsets and decoded
 * texts are those of the tokenizers package for Python.
 *
 * Regular expressions are written for Oniguruma there, and matched by PCRE2 here: what it would understand otherwise is
 * translated (`\h`, `\s`, `\w`, `(?m)`), or UNSUPPORTED (sets within sets, calls, conditions). A search that takes
 * unreasonably long fails with RUNTIME. Unicode is that of utf8proc and PCRE2.
 *
 * A tokenizer is not changed by encoding and decoding, and several threads may do so at once. What sets something
 * needs it for itself. Without jansson, utf8proc and PCRE2 tokenizers are UNSUPPORTED.
 */
#ifndef CTORCH_TOKENIZER_H
#define CTORCH_TOKENIZER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/string.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/tokenizers/encoding.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A model with its vocabulary, and what is done to texts before and after it. */
typedef struct ctorch_tokenizer ctorch_tokenizer;

/** Texts of tokens that come one by one. */
typedef struct ctorch_decode_stream ctorch_decode_stream;

/**
 * Read a tokenizer.
 *
 * @param[out] out  owned.
 * @param reader    borrowed; of a `tokenizer.json`, which may lie in memory (ctorch_reader_from_data).
 * @return NULL, or NULL_ARGUMENT, FORMAT (no JSON, a member that lacks or is of another type, a merge that is not in
 *         the vocabulary, a token with NUL in it), UNSUPPORTED (a component by its name; a library that lacks), IO,
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_open(ctorch_tokenizer **out, const ctorch_reader *reader);

/**
 * Read a tokenizer from a file.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8. A `tokenizer.json`.
 * @return NULL, or what ctorch_reader_open and ctorch_tokenizer_open answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_open_file(ctorch_tokenizer **out, const char *path);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tokenizer_retain(const ctorch_tokenizer *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tokenizer_release(ctorch_tokenizer *self);

/**
 * The tokenizer as a `tokenizer.json`, with what was set since it was read.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param pretty    indented, a member a line.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_to_json(ctorch_string **out, const ctorch_tokenizer *self, bool pretty);

/**
 * Write the tokenizer to a file that ctorch_tokenizer_open_file reads: it is there as a whole, or what was there before
 * (writer.h).
 *
 * @param self    borrowed.
 * @param path    borrowed; UTF-8.
 * @param pretty  indented, a member a line.
 * @return NULL, or what ctorch_tokenizer_to_json and ctorch_writer_open, _write and _finish answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_save(const ctorch_tokenizer *self, const char *path, bool pretty);

/**
 * Encode a text, or a pair of texts.
 *
 * @param[out] out            owned.
 * @param self                borrowed.
 * @param text                borrowed; UTF-8.
 * @param text_len            bytes.
 * @param pair                borrowed; UTF-8. NULL for no second text, which is another thing than an empty one.
 * @param pair_len            bytes.
 * @param add_special_tokens  whether the post-processor adds them.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, more than 2 GiB), VALUE (a truncation that leaves
 *         nothing), RUNTIME (a word that is not in the vocabulary, without a token for such; a search that takes too
 *         long), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_encode(
    ctorch_encoding **out,
    const ctorch_tokenizer *self,
    const char *text,
    size_t text_len,
    const char *pair,
    size_t pair_len,
    bool add_special_tokens);

/**
 * Encode a text that was divided into words. Offsets are those in each word.
 *
 * @param[out] out            owned.
 * @param self                borrowed.
 * @param words               borrowed; UTF-8.
 * @param words_len           how many.
 * @param pair                borrowed; the words of a second text. NULL for none.
 * @param pair_len            how many.
 * @param add_special_tokens  whether the post-processor adds them.
 * @return NULL, or what ctorch_tokenizer_encode answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_encode_words(
    ctorch_encoding **out,
    const ctorch_tokenizer *self,
    const char *const *words,
    size_t words_len,
    const char *const *pair,
    size_t pair_len,
    bool add_special_tokens);

/**
 * Encode a text to its ids alone.
 *
 * @param[out] out            owned; int64, one dimension, on the CPU.
 * @param self                borrowed.
 * @param text                borrowed; UTF-8.
 * @param text_len            bytes.
 * @param add_special_tokens  whether the post-processor adds them.
 * @return NULL, or what ctorch_tokenizer_encode answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_encode_tensor(
    ctorch_tensor **out, const ctorch_tokenizer *self, const char *text, size_t text_len, bool add_special_tokens);

/**
 * Encode several texts, or pairs, on several threads. With padding enabled, all become as long as the longest one.
 *
 * @param[out] out            owned.
 * @param self                borrowed.
 * @param texts               borrowed; UTF-8.
 * @param texts_len           how many.
 * @param lens                bytes of each text; NULL if each ends with NUL.
 * @param lens_len            `texts_len`; 0 for none.
 * @param pairs               borrowed; the second texts, each of which ends with NUL, or NULL for a text alone. NULL
 *                            for none at all.
 * @param pairs_len           `texts_len`; 0 for none.
 * @param add_special_tokens  whether the post-processor adds them.
 * @param num_threads         this one and others; 0 for as many as the machine has processors.
 * @return NULL, or what ctorch_tokenizer_encode answers of one of them, which the message names; INVALID_ARGUMENT for
 *         another number of lengths or pairs than of texts.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_encode_batch(
    ctorch_encoding_batch **out,
    const ctorch_tokenizer *self,
    const char *const *texts,
    size_t texts_len,
    const int64_t *lens,
    size_t lens_len,
    const char *const *pairs,
    size_t pairs_len,
    bool add_special_tokens,
    int64_t num_threads);

/**
 * The text of tokens. Ids that are not in the vocabulary are left out.
 *
 * @param[out] out             owned.
 * @param self                 borrowed.
 * @param ids                  borrowed.
 * @param ids_len              how many.
 * @param skip_special_tokens  leave special tokens out.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_decode(
    ctorch_string **out, const ctorch_tokenizer *self, const int64_t *ids, size_t ids_len, bool skip_special_tokens);

/**
 * The texts of rows of tokens.
 *
 * @param[out] out             owned; a list of texts.
 * @param self                 borrowed.
 * @param ids                  borrowed; int64, [texts, tokens], on the CPU.
 * @param skip_special_tokens  leave special tokens out, such as padding.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`ids`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_decode_batch(
    ctorch_value **out, const ctorch_tokenizer *self, const ctorch_tensor *ids, bool skip_special_tokens);

/**
 * The id of a token, be it added or the model's.
 *
 * @param[out] out   the id.
 * @param self       borrowed.
 * @param token      borrowed; UTF-8.
 * @param token_len  bytes.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_token_to_id(
    int64_t *out, const ctorch_tokenizer *self, const char *token, size_t token_len);

/**
 * The token of an id.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param id        the id.
 * @return NULL, or NULL_ARGUMENT, INDEX (there is none), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_id_to_token(ctorch_string **out, const ctorch_tokenizer *self, int64_t id);

/**
 * How many tokens there are.
 *
 * @param self               borrowed; may be NULL.
 * @param with_added_tokens  count those that were added to the model's.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_tokenizer_vocab_size(const ctorch_tokenizer *self, bool with_added_tokens);

/**
 * All tokens.
 *
 * @param[out] out           owned; a dict from texts to ids.
 * @param self               borrowed.
 * @param with_added_tokens  and those that were added to the model's.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_vocab(
    ctorch_value **out, const ctorch_tokenizer *self, bool with_added_tokens);

/**
 * Add tokens, which are found in texts before these are divided: special ones as they stand, others in the normalized
 * text. One that the model has keeps its id.
 *
 * @param[out] out    how many are new; may be NULL.
 * @param self        exclusive.
 * @param tokens      borrowed; UTF-8.
 * @param tokens_len  how many.
 * @param special     whether they are special, and so may be left out when decoding.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_add_tokens(
    size_t *out, ctorch_tokenizer *self, const char *const *tokens, size_t tokens_len, bool special);

/**
 * Add a token, with all that can be said of it.
 *
 * @param self         exclusive.
 * @param content      borrowed; UTF-8.
 * @param single_word  only where no letters or digits stand next to it.
 * @param lstrip       with the spaces before it.
 * @param rstrip       with the spaces behind it.
 * @param normalized   look for it in the normalized text.
 * @param special      whether it may be left out when decoding.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_add_token(
    ctorch_tokenizer *self,
    const char *content,
    bool single_word,
    bool lstrip,
    bool rstrip,
    bool normalized,
    bool special);

/**
 * Treat special tokens in texts like any other text.
 *
 * @param self   exclusive.
 * @param value  whether they are divided like others.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_set_encode_special_tokens(ctorch_tokenizer *self, bool value);

/**
 * Whether special tokens in texts are treated like any other text.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_tokenizer_encode_special_tokens(const ctorch_tokenizer *self);

/**
 * Leave merges of BPE out by chance, so that a text is divided another way each time (Provilkov et al. 2020,
 * arXiv:1910.13267). Each text that is encoded has a number, from 0 on since this was called, those of a batch in their
 * order; seed and number determine its tokens, whatever the threads do.
 *
 * @param self     exclusive.
 * @param dropout  with which probability a merge is left out, from 0 to 1.
 * @param seed     any number. A tokenizer that was read has 0.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`dropout`), UNSUPPORTED (another model than BPE).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_set_dropout(ctorch_tokenizer *self, double dropout, int64_t seed);

/**
 * With which probability a merge of BPE is left out.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL, and for another model.
 */
CTORCH_API double ctorch_tokenizer_dropout(const ctorch_tokenizer *self);

/**
 * Cut encodings off that are longer, special tokens included. What is cut off is "overflowing".
 *
 * @param self        exclusive.
 * @param max_length  in tokens.
 * @param stride      how many tokens each part that is cut off has in common with the one before it.
 * @param strategy    borrowed; "longest_first", "only_first" or "only_second". NULL for "longest_first".
 * @param direction   borrowed; "right" or "left", the end that is cut off. NULL for "right".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range, a stride that leaves nothing, an unknown
 *         word).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_enable_truncation(
    ctorch_tokenizer *self, int64_t max_length, int64_t stride, const char *strategy, const char *direction);

/**
 * Leave encodings as long as they are.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_no_truncation(ctorch_tokenizer *self);

/**
 * How encodings are cut off.
 *
 * @param[out] out  owned; a dict of "max_length", "stride", "strategy" and "direction", as
 *                  ctorch_tokenizer_enable_truncation takes them; None if they are not.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_truncation(ctorch_value **out, const ctorch_tokenizer *self);

/**
 * Fill shorter encodings up.
 *
 * @param self                exclusive.
 * @param pad_id              what they are filled up with.
 * @param pad_type_id         its type id.
 * @param pad_token           borrowed; UTF-8. Its text.
 * @param length              in tokens; -1 for the longest one of a batch.
 * @param pad_to_multiple_of  and up to a multiple of this; 0 for any length.
 * @param direction           borrowed; "right" or "left", the end that is filled up. NULL for "right".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range, an unknown word), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_enable_padding(
    ctorch_tokenizer *self,
    int64_t pad_id,
    int64_t pad_type_id,
    const char *pad_token,
    int64_t length,
    int64_t pad_to_multiple_of,
    const char *direction);

/**
 * Leave encodings as short as they are.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_no_padding(ctorch_tokenizer *self);

/**
 * Limit the memory in which texts are encoded and decoded: a file may have rules that double a text again and again, or
 * pad it to millions of tokens.
 *
 * @param self   exclusive.
 * @param limit  bytes that a call may take for a text beyond 1,024 for each of the text's bytes, or for each token that
 *               is decoded, and for the padding of a batch; 2^30 at first. Encoding and decoding are VALUE beyond.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative number).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_set_limit(ctorch_tokenizer *self, int64_t limit);

/**
 * How encodings are filled up.
 *
 * @param[out] out  owned; a dict of "length" and "pad_to_multiple_of", each None for any, "pad_id", "pad_token",
 *                  "pad_type_id" and "direction"; None if they are not.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_padding(ctorch_value **out, const ctorch_tokenizer *self);

/**
 * Decode tokens that come one by one, as a model generates them: text comes out when its last character is complete.
 *
 * @param[out] out             owned.
 * @param tokenizer            borrowed, gets a reference; it must not be changed meanwhile.
 * @param skip_special_tokens  leave special tokens out.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_decode_stream_new(
    ctorch_decode_stream **out, const ctorch_tokenizer *tokenizer, bool skip_special_tokens);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_decode_stream_retain(const ctorch_decode_stream *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_decode_stream_release(ctorch_decode_stream *self);

/**
 * The next token.
 *
 * @param[out] out  owned; what the text has grown by. NULL if nothing comes out yet.
 * @param self      exclusive.
 * @param id        the token.
 * @return NULL, or NULL_ARGUMENT, VALUE (the token changes text that is out already), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_decode_stream_step(ctorch_string **out, ctorch_decode_stream *self, int64_t id);

CTORCH_END_DECLS

#endif
