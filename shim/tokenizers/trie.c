/* Tries: which texts begin at a place. */
#include "tokenizers/trie.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "core/c/footprint.h"

/* Texts from one to another, in the order of their bytes, that have `depth` bytes in common: what a node stands for. */
struct range {
  uint32_t begin, end, depth;
};

static int compare(const void *a, const void *b) {
  const struct trie_text *x = a, *y = b;
  const int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
  return order != 0 ? order : x->len != y->len ? (x->len < y->len ? -1 : 1) : (x->number < y->number ? -1 : 1);
}

static void make_nodes(struct trie *self, const struct trie_text *texts, struct range *ranges) {
  uint32_t len = 1;
  for (uint32_t at = 0; at < len; at++) {
    struct range range = ranges[at];
    struct trie_node *node = &self->nodes[at];
    *node = (struct trie_node){.first = len};
    for (; range.begin < range.end && texts[range.begin].len == range.depth; range.begin++) {
      node->text = texts[range.begin].number + 1;
    }
    for (uint32_t i = range.begin; i < range.end; len++, node->len++) {
      const unsigned char label = (unsigned char)texts[i].text[range.depth];
      const uint32_t begin = i;
      while (i < range.end && (unsigned char)texts[i].text[range.depth] == label) {
        i++;
      }
      self->labels[len] = label;
      ranges[len] = (struct range){begin, i, range.depth + 1};
    }
  }
}

ctorch_error *trie_make(const char *function, struct trie *self, struct trie_text *texts, size_t texts_len) {
  size_t most = 2;
  for (size_t i = 0; i < texts_len; i++) {
    most += texts[i].len;
  }
  if (most > UINT32_MAX / 2) {
    return error_memory(function, most);
  }
  struct range *ranges = malloc(most * sizeof *ranges);
  self->nodes = malloc(most * sizeof *self->nodes);
  self->labels = malloc(most);
  const bool is_there = ranges != NULL && self->nodes != NULL && self->labels != NULL;
  if (is_there) {
    qsort(texts, texts_len, sizeof *texts, compare);
    ranges[0] = (struct range){0, (uint32_t)texts_len, 0};
    make_nodes(self, texts, ranges);
    self->noted = most * (sizeof *self->nodes + 1);
    footprint_note((ptrdiff_t)self->noted);
  }
  free(ranges);
  return is_there ? NULL : error_memory(function, most * sizeof *ranges);
}

void trie_free(struct trie *self) {
  footprint_note(-(ptrdiff_t)self->noted);
  free(self->nodes);
  free(self->labels);
  *self = (struct trie){0};
}

const struct trie_node *trie_child(const struct trie *self, const struct trie_node *node, unsigned char label) {
  const unsigned char *labels = self->labels + node->first;
  size_t low = 0, high = node->len;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (labels[middle] < label) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < node->len && labels[low] == label ? &self->nodes[node->first + low] : NULL;
}
