/* Trainers of tokenizers as they are kept. The kind of the tokenizer's model says which of the functions below
 * learns. */
#ifndef CTORCH_SHIM_TOKENIZERS_TRAINER_H
#define CTORCH_SHIM_TOKENIZERS_TRAINER_H

#include "ctorch/tokenizers/tokenizer_trainer.h"
#include "io/json_read.h"
#include "tokenizers/tokenizer.h"
#include "tokenizers/trie.h"
#include "tokenizers/word_counts.h"

struct ctorch_tokenizer_trainer {
  ctorch_tokenizer *tokenizer;
  size_t vocab_size;
  int64_t min_frequency;
  struct vocabulary specials;
  struct vocabulary alphabet; /* that is there whatever the texts have; ids are the characters */
  struct word_counts counts;
  /* BPE and WordPiece. */
  int64_t limit_alphabet, max_token_length;
  char *prefix, *suffix;
  /* Unigram. */
  char *unk_token;
  double shrinking_factor;
  int64_t max_piece_length, n_sub_iterations;
  struct workspaces workspaces;
};

#if CTORCH_HAS_JANSSON
/* What was learnt, and what is freed when learning fails. */
struct learnt {
  json_t *vocab, *merges; /* as a model has them; merges NULL for none */
  int64_t unk_id;         /* Unigram: -1 for none */
  struct vocabulary tokens;
  struct trie trie;
};

/* They fail by workspace_fail. */
void trainer_learn_bpe(struct workspace *workspace, const ctorch_tokenizer_trainer *trainer, struct learnt *out);
void trainer_learn_wordlevel(struct workspace *workspace, const ctorch_tokenizer_trainer *trainer, struct learnt *out);
void trainer_learn_unigram(struct workspace *workspace, const ctorch_tokenizer_trainer *trainer, struct learnt *out);

/* Fail if there is an error. */
static inline void trainer_take_error(struct workspace *workspace, ctorch_error *error) {
  if (error != NULL) {
    workspace_fail(workspace, error);
  }
}
#endif

#endif
