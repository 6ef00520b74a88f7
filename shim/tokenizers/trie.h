/* Tries: which texts begin at a place. */
#ifndef CTORCH_SHIM_TOKENIZERS_TRIE_H
#define CTORCH_SHIM_TOKENIZERS_TRIE_H

#include <stddef.h>
#include <stdint.h>

#include "ctorch/abi/error.h"

struct trie_node {
  uint32_t first; /* child */
  uint32_t text;  /* number + 1; 0 for none */
  uint16_t len;   /* children */
};

/* Nodes one after another, the children of each in a row, by their labels. The first one is the root. */
struct trie {
  struct trie_node *nodes;
  unsigned char *labels; /* of the nodes */
  size_t noted;          /* bytes that memory pressure knows of */
};

struct trie_text {
  const char *text;
  uint32_t len, number;
};

/* Of these texts, which are put in order; of equal ones the highest number counts. */
ctorch_error *trie_make(const char *function, struct trie *self, struct trie_text *texts, size_t texts_len)
    __attribute__((warn_unused_result));
void trie_free(struct trie *self);
/* NULL if there is none. */
const struct trie_node *trie_child(const struct trie *self, const struct trie_node *node, unsigned char label);

#endif
