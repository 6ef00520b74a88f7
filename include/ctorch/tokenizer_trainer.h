/**
 * Trainers of tokenizers: a BPE vocabulary from texts, with the merges that the tokenizers package's BpeTrainer finds.
 *
 *     ctorch_tokenizer_trainer *trainer = NULL;
 *     CTORCH_TRY(ctorch_tokenizer_trainer_new(&trainer, tokenizer, 30000, 2));
 *     CTORCH_TRY(ctorch_tokenizer_trainer_add_special_tokens(trainer, special, 3));
 *     CTORCH_TRY(ctorch_tokenizer_trainer_feed(trainer, text, strlen(text)));   // as often as there are texts
 *     CTORCH_TRY(ctorch_tokenizer_trainer_train(&trained, trainer));
 *
 * The tokenizer that it begins with says how texts are normalized and divided into words; its model is a BPE one, which
 * may be empty: `{"type": "BPE", "vocab": {}, "merges": []}`.
 */
#ifndef CTORCH_TOKENIZER_TRAINER_H
#define CTORCH_TOKENIZER_TRAINER_H

#include "ctorch/base.h"
#include "ctorch/tokenizer.h"

CTORCH_BEGIN_DECLS

/** Words of texts with how often they were met, and what is to be made of them. */
typedef struct ctorch_tokenizer_trainer ctorch_tokenizer_trainer;

/**
 * Begin with no texts.
 *
 * @param[out] out       owned.
 * @param tokenizer      borrowed, gets a reference; it must not be changed meanwhile.
 * @param vocab_size     how many tokens there are to be, special ones included.
 * @param min_frequency  how often a pair must stand in the texts to be merged.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range), UNSUPPORTED (another model than BPE),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_new(
    ctorch_tokenizer_trainer **out, const ctorch_tokenizer *tokenizer, int64_t vocab_size, int64_t min_frequency);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tokenizer_trainer_retain(const ctorch_tokenizer_trainer *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tokenizer_trainer_release(ctorch_tokenizer_trainer *self);

/**
 * Special tokens, which get the first ids in this order.
 *
 * @param self        exclusive.
 * @param tokens      borrowed; UTF-8.
 * @param tokens_len  how many.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_add_special_tokens(
    ctorch_tokenizer_trainer *self, const char *const *tokens, size_t tokens_len);

/**
 * Characters that get tokens whether or not the texts have them.
 *
 * @param self          exclusive.
 * @param alphabet      borrowed; UTF-8, one after another.
 * @param alphabet_len  bytes.
 * @param byte_level    and all characters that stand for bytes in ByteLevel.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_initial_alphabet(
    ctorch_tokenizer_trainer *self, const char *alphabet, size_t alphabet_len, bool byte_level);

/**
 * Bounds of what is learnt.
 *
 * @param self              exclusive.
 * @param limit_alphabet    how many characters get tokens, the most frequent ones; -1 for all.
 * @param max_token_length  in characters; -1 for any.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_limits(
    ctorch_tokenizer_trainer *self, int64_t limit_alphabet, int64_t max_token_length);

/**
 * What marks the characters of words that are not the first, or the last.
 *
 * @param self                       exclusive.
 * @param continuing_subword_prefix  borrowed; UTF-8. NULL for none.
 * @param end_of_word_suffix         borrowed; UTF-8. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_affixes(
    ctorch_tokenizer_trainer *self, const char *continuing_subword_prefix, const char *end_of_word_suffix);

/**
 * Count the words of a text.
 *
 * @param self      exclusive.
 * @param text      borrowed; UTF-8.
 * @param text_len  bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (a search that takes too long), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_feed(
    ctorch_tokenizer_trainer *self, const char *text, size_t text_len);

/**
 * Learn.
 *
 * @param[out] out  owned; the tokenizer that it began with, with a new vocabulary and the special tokens added.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_train(ctorch_tokenizer **out, const ctorch_tokenizer_trainer *self);

CTORCH_END_DECLS

#endif
