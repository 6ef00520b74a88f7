/* What a BPE model made of words that one thread has met: a table of fixed size, in which a word takes another's
 * place. */
#ifndef CTORCH_SHIM_TOKENIZERS_WORD_CACHE_H
#define CTORCH_SHIM_TOKENIZERS_WORD_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct word_cache;

/* A part of a word. */
struct word_part {
  uint32_t id;
  uint32_t len; /* in bytes of the word */
};

enum { WORD_MOST_NBYTES = 48, WORD_MOST_PARTS = 16 };

/* NULL is out of memory, which is no failure: nothing is remembered then. */
struct word_cache *word_cache_new(void);
void word_cache_free(struct word_cache *self);
/* The parts of a word; NULL if it is not known. */
const struct word_part *word_cache_find(
    const struct word_cache *self, const char *word, size_t word_len, uint64_t hash, size_t *parts_len);
void word_cache_put(
    struct word_cache *self,
    const char *word,
    size_t word_len,
    uint64_t hash,
    const struct word_part *parts,
    size_t parts_len);

#endif
