/**
 * Trainers of tokenizers: a vocabulary from texts, as the tokenizers package's BpeTrainer, WordPieceTrainer,
 * WordLevelTrainer and UnigramTrainer find it.
 *
 *     ctorch_tokenizer_trainer *trainer = NULL;
 *     CTORCH_TRY(ctorch_tokenizer_trainer_new(&trainer, tokenizer, 30000, 2));
 *     CTORCH_TRY(ctorch_tokenizer_trainer_add_special_tokens(trainer, special, 3));
 *     CTORCH_TRY(ctorch_tokenizer_trainer_feed(trainer, text, strlen(text)));   // as often as there are texts
 *     CTORCH_TRY(ctorch_tokenizer_trainer_train(&trained, trainer));
 *
 * The tokenizer that it begins with says how texts are normalized and divided into words, and by its model, which may
 * be empty, what is learnt:
 *
 *     {"type": "BPE", "vocab": {}, "merges": []}
 *     {"type": "WordPiece", "vocab": {}, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
 *      "max_input_chars_per_word": 100}
 *     {"type": "WordLevel", "vocab": {}, "unk_token": "[UNK]"}
 *     {"type": "Unigram", "vocab": []}
 *
 * BPE and WordPiece merge the most frequent pair of neighbours, of equally frequent ones that of the lowest ids, until
 * there are enough tokens. WordLevel takes the most frequent words. Unigram (Kudo 2018, arXiv:1804.10959) begins with
 * all parts that words have in common, and in turns fits their probabilities and leaves out those of the smallest loss.
 * Where the package numbers or chooses by chance (WordPiece's marked characters, Unigram's characters without a piece),
 * here the order of the texts or of the characters decides; of the pieces that Unigram leaves out, a few are others.
 */
#ifndef CTORCH_TOKENIZER_TRAINER_H
#define CTORCH_TOKENIZER_TRAINER_H

#include "ctorch/abi/base.h"
#include "ctorch/tokenizers/tokenizer.h"

CTORCH_BEGIN_DECLS

/** Words of texts with how often they were met, and what is to be made of them. */
typedef struct ctorch_tokenizer_trainer ctorch_tokenizer_trainer;

/**
 * Begin with no texts.
 *
 * @param[out] out       owned.
 * @param tokenizer      borrowed, gets a reference; it must not be changed meanwhile.
 * @param vocab_size     how many tokens there are to be, special ones included.
 * @param min_frequency  how often a pair must stand in the texts to be merged, or with WordLevel a word; 0 for Unigram.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range), OUT_OF_MEMORY.
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
 * Special tokens, which get the first ids in this order; with Unigram behind its token for what is unknown, if that is
 * none of them.
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
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), UNSUPPORTED (WordLevel has none), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_initial_alphabet(
    ctorch_tokenizer_trainer *self, const char *alphabet, size_t alphabet_len, bool byte_level);

/**
 * Bounds of what is learnt by BPE and WordPiece.
 *
 * @param self              exclusive.
 * @param limit_alphabet    how many characters get tokens, the most frequent ones; -1 for all.
 * @param max_token_length  in characters; -1 for any.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a number out of range), UNSUPPORTED (another model).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_limits(
    ctorch_tokenizer_trainer *self, int64_t limit_alphabet, int64_t max_token_length);

/**
 * What marks the characters of words that are not the first, or the last, with BPE and WordPiece. WordPiece begins with
 * the prefix "##".
 *
 * @param self                       exclusive.
 * @param continuing_subword_prefix  borrowed; UTF-8. NULL for none.
 * @param end_of_word_suffix         borrowed; UTF-8. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), UNSUPPORTED (another model), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_affixes(
    ctorch_tokenizer_trainer *self, const char *continuing_subword_prefix, const char *end_of_word_suffix);

/**
 * How Unigram learns.
 *
 * @param self              exclusive.
 * @param unk_token         borrowed; UTF-8. The token for what is unknown; NULL for none.
 * @param shrinking_factor  which part of the tokens is kept each time, above 0 and below 1; 0.75 unless set.
 * @param max_piece_length  in characters, at least 1; 16 unless set.
 * @param n_sub_iterations  how often probabilities are fitted before tokens are left out, at least 1; 2 unless set.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a number out of range), UNSUPPORTED (another model),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_set_unigram(
    ctorch_tokenizer_trainer *self,
    const char *unk_token,
    double shrinking_factor,
    int64_t max_piece_length,
    int64_t n_sub_iterations);

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
 * @return NULL, or NULL_ARGUMENT, VALUE (Unigram: more characters than tokens), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tokenizer_trainer_train(ctorch_tokenizer **out, const ctorch_tokenizer_trainer *self);

CTORCH_END_DECLS

#endif
