/* Encodings of tiktoken as they are kept. */
#ifndef CTORCH_SHIM_TOKENIZERS_TIKTOKEN_H
#define CTORCH_SHIM_TOKENIZERS_TIKTOKEN_H

#include "ctorch/tokenizers/tiktoken.h"
#include "tokenizers/pattern.h"
#include "tokenizers/tokenizer.h"
#include "tokenizers/vocabulary.h"

struct ctorch_tiktoken {
  struct vocabulary ranks, specials;
  size_t *special_lens; /* in bytes, each once, the longest first */
  size_t special_lens_len;
  struct pattern *pattern;
  uint32_t byte_ranks[256];
  uint32_t *pair_ranks; /* of two bytes, [256 * first + second]; UINT32_MAX for none */
  size_t vocab_size;
  struct workspaces workspaces;
};

struct tiktoken_ids {
  int64_t *data;
  size_t len, capacity;
};

/* A text in which nothing is special. */
void tiktoken_encode_text(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *text, size_t len, struct tiktoken_ids *out);

#endif
