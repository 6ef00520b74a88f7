/** Texts cut into pieces of words that a BERT model knows (WordPiece, Wu et al. 2016, arXiv:1609.08144), as its uncased
 * models want them. */
#ifndef EXAMPLES_WORDPIECE_H
#define EXAMPLES_WORDPIECE_H

#include <ctorch.h>

typedef struct wordpiece wordpiece;

/**
 * Read a vocabulary: a piece a line, "##" before those that go on with a word.
 *
 * @param[out] out  owned.
 * @param path      borrowed; "vocab.txt".
 * @return NULL, or IO, FORMAT ([CLS], [SEP] or [UNK] is missing), OUT_OF_MEMORY.
 */
ctorch_error *wordpiece_open(wordpiece **out, const char *path);

/** Give it back; NULL is allowed. */
void wordpiece_close(wordpiece *self);

/**
 * The numbers of a text's pieces, between those of [CLS] and [SEP].
 *
 * @param[out] out      the numbers; room for `max_len`.
 * @param[out] out_len  how many.
 * @param text          borrowed; UTF-8.
 * @param max_len       at least 2; what goes beyond is cut off.
 * @return NULL, or OUT_OF_MEMORY.
 */
ctorch_error *wordpiece_encode(int64_t *out, size_t *out_len, const wordpiece *self, const char *text, size_t max_len);

#endif
