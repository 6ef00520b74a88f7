/* Pairs of tokens next to each other in words. */
#include "tokenizers/bpe_pairs.h"

#include <string.h>

#include "tokenizers/vocabulary.h"

static size_t slot_of(const struct pair_counts *self, uint64_t pair) {
  size_t slot = hash_number(pair) & (self->slots_len - 1);
  while (self->slots[slot] != 0 && self->data[self->slots[slot] - 1].pair != pair) {
    slot = (slot + 1) & (self->slots_len - 1);
  }
  return slot;
}

const struct pair_count *pair_counts_find(const struct pair_counts *self, uint64_t pair) {
  const uint32_t number = self->slots_len == 0 ? 0 : self->slots[slot_of(self, pair)];
  return number == 0 ? NULL : &self->data[number - 1];
}

static void make_slots(struct workspace *workspace, struct pair_counts *self) {
  if (2 * self->len + 2 <= self->slots_len) {
    return;
  }
  self->slots_len = self->slots_len == 0 ? 1024 : self->slots_len * 2;
  self->slots = workspace_take(workspace, self->slots_len * sizeof *self->slots);
  memset(self->slots, 0, self->slots_len * sizeof *self->slots);
  for (size_t i = 0; i < self->len; i++) {
    self->slots[slot_of(self, self->data[i].pair)] = (uint32_t)i + 1;
  }
}

void pair_counts_add(
    struct workspace *workspace,
    struct pair_counts *self,
    uint64_t pair,
    int64_t count,
    uint32_t word,
    bool is_in_word) {
  make_slots(workspace, self);
  const size_t slot = slot_of(self, pair);
  if (self->slots[slot] == 0) {
    WORKSPACE_PUSH(workspace, self, ((struct pair_count){.pair = pair}));
    self->slots[slot] = (uint32_t)self->len;
  }
  struct pair_count *entry = &self->data[self->slots[slot] - 1];
  entry->count += count;
  if (!is_in_word) {
    return;
  }
  if (entry->words.len == 0) {
    WORKSPACE_PUSH(workspace, &self->touched, self->slots[slot] - 1);
  }
  if (entry->words.len == 0 || entry->words.data[entry->words.len - 1] != word) {
    WORKSPACE_PUSH(workspace, &entry->words, word);
  }
}

static bool is_before(const struct pair_candidate *a, const struct pair_candidate *b) {
  return a->count != b->count ? a->count > b->count : a->pair < b->pair;
}

void pair_queue_push(struct workspace *workspace, struct pair_queue *self, struct pair_candidate candidate) {
  WORKSPACE_PUSH(workspace, self, candidate);
  size_t at = self->len - 1;
  for (; at > 0 && is_before(&candidate, &self->data[(at - 1) / 2]); at = (at - 1) / 2) {
    self->data[at] = self->data[(at - 1) / 2];
  }
  self->data[at] = candidate;
}

struct pair_candidate pair_queue_pop(struct pair_queue *self) {
  const struct pair_candidate top = self->data[0], last = self->data[--self->len];
  size_t at = 0;
  for (size_t child = 1; child < self->len; child = 2 * at + 1) {
    child += child + 1 < self->len && is_before(&self->data[child + 1], &self->data[child]);
    if (!is_before(&self->data[child], &last)) {
      break;
    }
    self->data[at] = self->data[child];
    at = child;
  }
  self->data[at] = last;
  return top;
}

void pair_queue_take(struct workspace *workspace, struct pair_queue *self, struct pair_counts *counts) {
  for (size_t i = 0; i < counts->touched.len; i++) {
    struct pair_count *entry = &counts->data[counts->touched.data[i]];
    if (entry->count > 0) {
      pair_queue_push(workspace, self, (struct pair_candidate){entry->pair, entry->count, entry->words});
    }
    entry->words = (struct positions){.data = NULL};
  }
  counts->touched.len = 0;
}
