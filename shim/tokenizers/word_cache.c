/* What a BPE model made of words: a table in which a word has two places. */
#include "tokenizers/word_cache.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_LEN = 1 << 14, PARTS_MOST = 6 };

/* Few words have more parts; those that do are made anew. */
struct word {
  uint64_t hash;
  uint8_t word_len, parts_len; /* 0 parts: the place is free */
  char word[WORD_MOST_NBYTES];
  struct word_part parts[PARTS_MOST];
};

struct word_cache {
  struct word words[WORDS_LEN];
};

struct word_cache *word_cache_new(void) { return calloc(1, sizeof(struct word_cache)); }
void word_cache_free(struct word_cache *self) { free(self); }

const struct word_part *word_cache_find(
    const struct word_cache *self, const char *word, size_t word_len, uint64_t hash, size_t *parts_len) {
  if (self == NULL || word_len > WORD_MOST_NBYTES) {
    return NULL;
  }
  for (size_t i = 0; i < 2; i++) {
    const struct word *at = &self->words[(hash & (WORDS_LEN - 1)) ^ i];
    if (at->hash == hash && at->word_len == word_len && at->parts_len > 0 && memcmp(at->word, word, word_len) == 0) {
      *parts_len = at->parts_len;
      return at->parts;
    }
  }
  return NULL;
}

void word_cache_put(
    struct word_cache *self,
    const char *word,
    size_t word_len,
    uint64_t hash,
    const struct word_part *parts,
    size_t parts_len) {
  if (self == NULL || word_len > WORD_MOST_NBYTES || parts_len == 0 || parts_len > PARTS_MOST) {
    return;
  }
  struct word *first = &self->words[hash & (WORDS_LEN - 1)];
  struct word *second = &self->words[(hash & (WORDS_LEN - 1)) ^ 1];
  struct word *at = first->parts_len == 0 || second->parts_len != 0 ? first : second;
  if (at->parts_len != 0) {
    *second = *first;
  }
  at->hash = hash;
  at->word_len = (uint8_t)word_len;
  at->parts_len = (uint8_t)parts_len;
  memcpy(at->word, word, word_len);
  memcpy(at->parts, parts, parts_len * sizeof *parts);
}
