/**
 * Texts as numbers: words, characters and n-grams, of which equal ones have the same number.
 *
 * What runs out of memory is noted in the lexicon, and everything after it gives nothing: lexicon_end tells.
 */
#ifndef CTORCH_SHIM_METRICS_WORDS_H
#define CTORCH_SHIM_METRICS_WORDS_H

#include <ctorch.h>

struct lexicon_entry {
  size_t at, len; /* of the key, in `keys` */
  uint64_t hash;
};

/** Numbers of keys, from 0 in the order in which they are first met. */
struct lexicon {
  struct lexicon_entry *entries;
  int32_t *slots; /* numbers by hash, -1 for none; a power of two */
  char *keys;
  size_t len, entries_capacity, slots_len, keys_len, keys_capacity;
  bool has_failed;
};

struct words {
  int32_t *data; /* freed by words_end */
  size_t len, capacity;
};

int32_t lexicon_number(struct lexicon *self, const void *key, size_t len);
/** OUT_OF_MEMORY if anything ran out of memory. */
ctorch_error *lexicon_end(const char *function, struct lexicon *self) __attribute__((warn_unused_result));

/** At white space, as Python's str.split. */
struct words words_split(struct lexicon *self, const char *text, size_t len);
/** Lower case, at what is neither a letter a to z nor a digit, as ROUGE has it. */
struct words words_plain(struct lexicon *self, const char *text, size_t len);
/** Unicode's characters; their own numbers. */
struct words words_characters(struct lexicon *self, const char *text, size_t len);
/** Numbers of what stands at each place and the word `order` - 1 places on: of n-grams of `order` words, if `shorter`
 * are those of one word less. */
struct words words_extended(struct lexicon *self, const struct words *shorter, const struct words *words, size_t order);
void words_end(struct words *self);

/** The least number of insertions, deletions and substitutions that make one of the other. */
size_t words_edit_distance(struct lexicon *self, const struct words *a, const struct words *b);

/** How often each number is met; `len` is that of the lexicon. NULL is out of memory. */
int64_t *words_counts(struct lexicon *self, const struct words *words, size_t len);

#endif
