/* Byte pair encoding by ranks. Of the neighbours in a word, those whose bytes together have the lowest rank are merged,
 * the leftmost of equal ones. Short words are searched again after each merge, long ones have a heap. */
#include <ctorch.h>
#include <string.h>

#include "tokenizers/character.h"
#include "tokenizers/tiktoken.h"

enum { SHORT_PIECE = 100 };

static uint32_t rank_of(const ctorch_tiktoken *self, const char *data, size_t begin, size_t end) {
  const struct vocabulary_token *found = vocabulary_find(&self->ranks, data + begin, end - begin);
  return found == NULL ? UINT32_MAX : found->id;
}

/* A part of a piece: where it begins, its own rank, and the rank that it would have with the next one. */
struct part {
  uint32_t begin, id, rank;
};

static void merge_short(
    struct workspace *workspace,
    const ctorch_tiktoken *self,
    const char *data,
    size_t nbytes,
    struct tiktoken_ids *out) {
  struct part parts[SHORT_PIECE + 1];
  size_t len = nbytes;
  for (size_t i = 0; i < nbytes; i++) {
    const unsigned char byte = (unsigned char)data[i];
    const bool has_next = i + 1 < nbytes;
    parts[i] = (struct part){
        (uint32_t)i, self->byte_ranks[byte],
        has_next ? self->pair_ranks[(size_t)byte << 8 | (unsigned char)data[i + 1]] : UINT32_MAX};
  }
  parts[len] = (struct part){(uint32_t)nbytes, 0, UINT32_MAX};
  for (;;) {
    size_t best = 0;
    for (size_t i = 1; i < len; i++) {
      best = parts[i].rank < parts[best].rank ? i : best;
    }
    if (parts[best].rank == UINT32_MAX) {
      break;
    }
    parts[best].id = parts[best].rank;
    memmove(parts + best + 1, parts + best + 2, (len - best - 1) * sizeof *parts);
    len--;
    parts[best].rank = best + 1 < len ? rank_of(self, data, parts[best].begin, parts[best + 2].begin) : UINT32_MAX;
    if (best > 0) {
      parts[best - 1].rank = rank_of(self, data, parts[best - 1].begin, parts[best + 1].begin);
    }
  }
  for (size_t i = 0; i < len; i++) {
    WORKSPACE_PUSH(workspace, out, parts[i].id);
  }
}

struct candidate {
  uint32_t rank, begin;
};
struct heap {
  struct candidate *data;
  size_t len, capacity;
};

static bool is_before(struct candidate a, struct candidate b) {
  return a.rank != b.rank ? a.rank < b.rank : a.begin < b.begin;
}

static void heap_push(struct workspace *workspace, struct heap *self, struct candidate candidate) {
  WORKSPACE_PUSH(workspace, self, candidate);
  size_t at = self->len - 1;
  for (; at > 0 && is_before(candidate, self->data[(at - 1) / 2]); at = (at - 1) / 2) {
    self->data[at] = self->data[(at - 1) / 2];
  }
  self->data[at] = candidate;
}

static struct candidate heap_pop(struct heap *self) {
  const struct candidate top = self->data[0], last = self->data[--self->len];
  size_t at = 0;
  for (size_t child = 1; child < self->len; child = 2 * at + 1) {
    child += child + 1 < self->len && is_before(self->data[child + 1], self->data[child]);
    if (!is_before(self->data[child], last)) {
      break;
    }
    self->data[at] = self->data[child];
    at = child;
  }
  self->data[at] = last;
  return top;
}

/* A part by its first byte: where it ends, where the one before begins, its rank, and that with the next one. */
struct linked {
  uint32_t end, previous, id, rank;
};

/* Look for the rank of what begins at `begin` together with what is behind it. */
static void look(
    struct workspace *workspace,
    const ctorch_tiktoken *self,
    struct heap *heap,
    struct linked *parts,
    const char *data,
    size_t nbytes,
    uint32_t begin) {
  const uint32_t middle = parts[begin].end;
  parts[begin].rank = middle < nbytes ? rank_of(self, data, begin, parts[middle].end) : UINT32_MAX;
  if (parts[begin].rank != UINT32_MAX) {
    heap_push(workspace, heap, (struct candidate){parts[begin].rank, begin});
  }
}

static void merge_long(
    struct workspace *workspace,
    const ctorch_tiktoken *self,
    const char *data,
    size_t nbytes,
    struct tiktoken_ids *out) {
  struct linked *parts = workspace_take(workspace, (nbytes + 1) * sizeof *parts);
  struct heap heap = {.data = NULL};
  for (uint32_t i = 0; i < nbytes; i++) {
    parts[i] =
        (struct linked){i + 1, i == 0 ? UINT32_MAX : i - 1, self->byte_ranks[(unsigned char)data[i]], UINT32_MAX};
  }
  for (uint32_t i = 0; i + 1 < nbytes; i++) {
    look(workspace, self, &heap, parts, data, nbytes, i);
  }
  while (heap.len > 0) {
    const struct candidate top = heap_pop(&heap);
    struct linked *left = &parts[top.begin];
    if (left->rank != top.rank) {
      continue; /* one of the two was merged meanwhile */
    }
    const uint32_t middle = left->end;
    left->id = top.rank;
    left->end = parts[middle].end;
    parts[middle].rank = UINT32_MAX;
    if (left->end < nbytes) {
      parts[left->end].previous = top.begin;
    }
    look(workspace, self, &heap, parts, data, nbytes, top.begin);
    if (left->previous != UINT32_MAX) {
      look(workspace, self, &heap, parts, data, nbytes, left->previous);
    }
  }
  for (uint32_t at = 0; at < nbytes; at = parts[at].end) {
    WORKSPACE_PUSH(workspace, out, parts[at].id);
  }
}

static void encode_piece(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *data, size_t len, struct tiktoken_ids *out) {
  const struct vocabulary_token *whole = vocabulary_find(&self->ranks, data, len);
  if (whole != NULL) {
    WORKSPACE_PUSH(workspace, out, whole->id);
  } else if (len < SHORT_PIECE) {
    merge_short(workspace, self, data, len, out);
  } else {
    merge_long(workspace, self, data, len, out);
  }
}

void tiktoken_encode_text(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *text, size_t len, struct tiktoken_ids *out) {
  struct span span;
  for (size_t at = 0; at <= len && pattern_find(workspace, &span, self->pattern, text, len, at);) {
    if (span.end > span.begin) {
      encode_piece(workspace, self, text + span.begin, span.end - span.begin, out);
      at = span.end;
    } else {
      at = span.end < len ? span.end + utf8_len_from(text[span.end]) : len + 1;
    }
  }
}
