/* Models: what makes tokens of words. One is an object that tokenizers and encodings share, and does not change. */
#ifndef CTORCH_SHIM_TOKENIZERS_MODEL_H
#define CTORCH_SHIM_TOKENIZERS_MODEL_H

#include "core/c/object.h"
#include "tokenizers/aligned.h"
#include "tokenizers/component.h"
#include "tokenizers/trie.h"
#include "tokenizers/vocabulary.h"

/* What a model makes of a piece: bytes of the piece. */
struct token {
  uint32_t id;
  uint32_t begin, end;
  const char *text; /* NULL: the vocabulary's, by the id */
  uint32_t text_len;
};
struct tokens {
  struct token *data;
  size_t len, capacity;
};

enum model_kind { MODEL_BPE, MODEL_WORDPIECE, MODEL_UNIGRAM, MODEL_WORDLEVEL, MODELS_LEN };

/* A merge of BPE: two ids next to each other become another. */
struct merge {
  uint64_t pair; /* the left id above the right one */
  uint32_t rank, id;
};

struct token_model {
  enum model_kind kind;
  struct vocabulary vocabulary;
  char *unk_token;
  size_t unk_len;
  bool has_unk, is_unk_known;
  uint32_t unk_id;
  /* BPE and WordPiece. */
  char *prefix, *suffix;
  size_t prefix_len, suffix_len;
  uint32_t max_input_chars_per_word;
  bool fuse_unk, byte_fallback, ignore_merges;
  double dropout;       /* as it was read; the tokenizer's counts */
  struct merge *merges; /* hash table; `pair` is UINT64_MAX where it is empty */
  size_t merges_slots, merges_len;
  uint64_t *merges_in_order; /* pairs, for the file that is written */
  size_t merges_noted;       /* bytes that memory pressure knows of */
  bool has_bytes;            /* every byte has a token of its own, by its character of byte_level.h */
  uint32_t byte_ids[256];
  uint32_t fallback_ids[256];    /* of "<0x00>" …; UINT32_MAX for none */
  struct vocabulary byte_tokens; /* tokens as the bytes that they stand for, with ignore_merges */
  /* Unigram. */
  double *scores;
  double unk_score;
  struct trie trie;
};

#if CTORCH_HAS_JANSSON
ctorch_error *model_new(struct token_model **out, const struct description *description)
    __attribute__((warn_unused_result));
ctorch_error *model_read_bpe(struct token_model *self, const struct description *description)
    __attribute__((warn_unused_result));
ctorch_error *model_read_unigram(struct token_model *self, const struct description *description)
    __attribute__((warn_unused_result));
#endif
void model_run(
    struct workspace *workspace,
    const struct token_model *self,
    const struct piece *piece,
    bool is_bytes,
    struct tokens *out);

void model_run_bpe(
    struct workspace *workspace,
    const struct token_model *self,
    const struct piece *piece,
    bool is_bytes,
    struct tokens *out);
void model_run_unigram(
    struct workspace *workspace, const struct token_model *self, const struct piece *piece, struct tokens *out);
void model_free_bpe(struct token_model *self);
void model_free_unigram(struct token_model *self);

/* "<0x00>" … of a vocabulary. */
void model_find_fallback(struct token_model *self);
/* Whether all bytes have one; their tokens come in their order. */
bool model_put_fallback(
    struct workspace *workspace,
    const struct token_model *self,
    const char *data,
    size_t len,
    struct token base,
    struct tokens *out);

#endif
