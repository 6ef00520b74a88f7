/* Pairs of tokens next to each other in words: how often each stands there, and in which words. What BPE learns
 * from. */
#ifndef CTORCH_SHIM_TOKENIZERS_BPE_PAIRS_H
#define CTORCH_SHIM_TOKENIZERS_BPE_PAIRS_H

#include "tokenizers/workspace.h"

/* Numbers of words. */
struct positions {
  uint32_t *data;
  size_t len, capacity;
};

struct pair_count {
  uint64_t pair; /* the left id above the right one */
  int64_t count;
  struct positions words; /* that were met since the pair was taken last */
};

struct pair_counts {
  struct pair_count *data;
  size_t len, capacity;
  uint32_t *slots; /* numbers + 1 */
  size_t slots_len;
  struct positions touched; /* numbers of pairs with new words */
};

/* Add to a pair's count; with a word of its own if it was added to. */
void pair_counts_add(
    struct workspace *workspace,
    struct pair_counts *self,
    uint64_t pair,
    int64_t count,
    uint32_t word,
    bool is_in_word);
const struct pair_count *pair_counts_find(const struct pair_counts *self, uint64_t pair);

/* A pair that may be merged: the most frequent one comes first, of equal ones that of the lowest ids. */
struct pair_candidate {
  uint64_t pair;
  int64_t count;
  struct positions words;
};
struct pair_queue {
  struct pair_candidate *data;
  size_t len, capacity;
};
void pair_queue_push(struct workspace *workspace, struct pair_queue *self, struct pair_candidate candidate);
struct pair_candidate pair_queue_pop(struct pair_queue *self);
/* Take all pairs with new words, and queue those that there are. */
void pair_queue_take(struct workspace *workspace, struct pair_queue *self, struct pair_counts *counts);

#endif
