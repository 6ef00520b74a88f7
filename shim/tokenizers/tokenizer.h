/* Tokenizers as they are kept. */
#ifndef CTORCH_SHIM_TOKENIZERS_TOKENIZER_H
#define CTORCH_SHIM_TOKENIZERS_TOKENIZER_H

#include "ctorch/tokenizers/encoding.h"
#include "ctorch/tokenizers/tokenizer.h"
#include "tokenizers/added_tokens.h"
#include "tokenizers/draft.h"
#include "tokenizers/encoding.h"
#include "tokenizers/model.h"
#include "tokenizers/workspace.h"

struct ctorch_tokenizer {
  struct token_model *model;
  struct normalizer *normalizer;
  struct pre_tokenizer *pre_tokenizer;
  struct post_processor *post_processor;
  struct decoder *decoder;
  struct added_tokens added;
  struct truncation truncation;
  struct padding padding;
  double dropout; /* of BPE's merges; the numbers of a text come from the seed and from how many were encoded before */
  uint64_t seed;
  _Atomic uint64_t encoded;
  size_t limit;      /* ctorch_tokenizer_set_limit */
  bool leaves_bytes; /* the model gets bytes where the pre-tokenizer would make characters of them */
  void *description; /* json_t: the file, but for the vocabulary, the merges, and what may be set */
  struct workspaces workspaces;
};

/* The memory that so many bytes of texts, or tokens, may become. */
size_t tokenizer_limit(const ctorch_tokenizer *self, size_t len);

/* A text of at most 2^32 bytes that is UTF-8; else INVALID_ARGUMENT. */
ctorch_error *tokenizer_check_text(const char *function, const char *argument, const char *text, size_t len)
    __attribute__((warn_unused_result));
/* A list of such, none of which is NULL. */
ctorch_error *tokenizer_check_texts(
    const char *function, const char *argument, const char *const *texts, size_t texts_len)
    __attribute__((warn_unused_result));

/* Add a token with these flags, whose content is copied; `token` has no texts yet. added_tokens_refresh is due
 * afterwards. `out_added` may be NULL. */
ctorch_error *tokenizer_put_added(
    const char *function, ctorch_tokenizer *self, const char *content, struct added_token token, size_t *out_added)
    __attribute__((warn_unused_result));

#if CTORCH_HAS_JANSSON
/* A tokenizer from its description, which is borrowed; an object, no handle yet. */
ctorch_error *tokenizer_new(const char *function, ctorch_tokenizer **out, json_t *description)
    __attribute__((warn_unused_result));
/* All of it, as a file has it. NULL is out of memory. */
json_t *tokenizer_describe(const ctorch_tokenizer *self);
#endif

/* One text, before truncation and special tokens. `word` is what all tokens belong to, or -1 for the pieces. */
struct draft *tokenizer_encode_text(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    const char *text,
    size_t len,
    uint32_t type_id,
    int64_t word);
/* What is done to one or two of them; padding but where a batch is padded later. */
struct draft *tokenizer_finish(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    struct draft *draft,
    struct draft *pair,
    bool add_special_tokens);
/* The text of tokens; it lasts as long as what is in the workspace. */
struct token_text tokenizer_decode_ids(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    const int64_t *ids,
    size_t len,
    bool skip_special_tokens);

#endif
