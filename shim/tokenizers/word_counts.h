/* Words of texts, with how often each was met. */
#ifndef CTORCH_SHIM_TOKENIZERS_WORD_COUNTS_H
#define CTORCH_SHIM_TOKENIZERS_WORD_COUNTS_H

#include "tokenizers/vocabulary.h"

struct word_counts {
  struct vocabulary words; /* ids are their numbers, in the order in which they were met first */
  uint64_t *counts;
};

struct word_count {
  const char *text; /* ends with NUL; the words' */
  size_t len;
  uint64_t count;
};

ctorch_error *word_counts_add(const char *function, struct word_counts *self, const char *word, size_t len)
    __attribute__((warn_unused_result));
/* The most frequent one first, of equally frequent ones in the order of their bytes, which is that of their characters.
 * The caller frees them. */
ctorch_error *word_counts_sort(const char *function, const struct word_counts *self, struct word_count **out)
    __attribute__((warn_unused_result));
void word_counts_free(struct word_counts *self);

#endif
