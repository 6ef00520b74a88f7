/* What Unigram's trainer works with: pieces of words with scores, those that it begins with, and lattices of all ways
 * to divide a word into pieces. What is computed, and in which order, is as in the tokenizers library's
 * UnigramTrainer. */
#ifndef CTORCH_SHIM_TOKENIZERS_UNIGRAM_H
#define CTORCH_SHIM_TOKENIZERS_UNIGRAM_H

#include "tokenizers/trie.h"
#include "tokenizers/word_counts.h"
#include "tokenizers/workspace.h"

struct unigram_piece {
  const char *text;
  uint32_t len;
  double score; /* the logarithm of its probability */
};
/* The first one stands for what is unknown, and has no number for a score. */
struct unigram_pieces {
  struct unigram_piece *data;
  size_t len, capacity;
};

/* Put the characters of words behind what is there, the most frequent one first, and then the parts that words have in
 * common, of 2 to `max_len` characters: those that other characters follow each time. */
void unigram_put_seeds(
    struct workspace *workspace, struct unigram_pieces *out, const struct word_counts *counts, size_t max_len);

/* A piece that stands at a place of a word. */
struct lattice_node {
  uint32_t id; /* number of the piece */
  uint32_t begin, len;
  uint32_t next_end; /* the next node that ends where this one ends; 0 for none */
  uint32_t previous; /* the node before it on the best way */
  double score, best;
  double alpha, beta;
};

enum { LATTICE_BEGIN = 0, LATTICE_END = 1 }; /* nodes without a piece */

/* Nodes that begin at a byte stand in a row; those that end there are linked, in the order in which they begin. */
struct lattice_place {
  uint32_t first, len;
  uint32_t end_first, end_last; /* UINT32_MAX for none */
};

/* The end of a way: a node, the one behind it, and the score of the best way that ends so. */
struct hypothesis {
  uint32_t node, next; /* of the hypotheses; UINT32_MAX for none */
  double best, score;
};
struct hypotheses {
  struct hypothesis *data;
  size_t len, capacity;
};
/* Numbers of hypotheses, in a heap. */
struct agenda {
  uint32_t *data;
  size_t len, capacity;
};

struct lattice {
  struct lattice_node *data;
  size_t len, capacity;
  struct lattice_place *places; /* one more than there are bytes */
  size_t places_capacity, nbytes;
  struct hypotheses hypotheses; /* of lattice_second */
  struct agenda agenda;
};

/* All pieces that stand in a word. A character that is none itself is unknown. */
void lattice_make(
    struct workspace *workspace,
    struct lattice *self,
    const struct trie *trie,
    const struct unigram_pieces *pieces,
    double unk_score,
    const char *word,
    size_t len);

/* Nodes of a way. */
struct lattice_way {
  uint32_t *data;
  size_t len, capacity;
};
/* The best way, the last node first, which also fills in the scores of the best ways to all nodes. */
void lattice_best(struct workspace *workspace, struct lattice *self, struct lattice_way *out);
/* The second best one, the first node first, after lattice_best; false if there is but one. */
bool lattice_second(struct workspace *workspace, struct lattice *self, struct lattice_way *out);
/* Add how often each piece is expected in a word that was met `count` times. */
void lattice_expect(struct lattice *self, double count, double *expected);

#endif
