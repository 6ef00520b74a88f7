/** Characters as BERT's uncased models want them: which are dropped, how the others are folded, where words end. */
#ifndef EXAMPLES_LETTERS_H
#define EXAMPLES_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What letters_fold makes of a character is at most three times as long as the character, and so long in bytes. */
enum { LETTERS_GROWTH = 3, LETTERS_FOLDED = 12 };

/** Read the character at the beginning of a text in UTF-8, which is not empty; U+FFFD for a byte that begins none.
 * Answers how many bytes it takes. */
size_t letters_next(uint32_t *out, const char *text);

/** What is left of a character: lower case, without accents, a space for whatever separates words, spaces around Chinese
 * characters; nothing of controls and of accents that stand alone. In UTF-8. */
void letters_fold(char out[LETTERS_FOLDED + 1], uint32_t character);

/** Whether a character is a word by itself. */
bool letters_is_punctuation(uint32_t character);

#endif
