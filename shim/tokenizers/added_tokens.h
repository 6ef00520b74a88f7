/* Tokens that were added to a model's: they are found in a text before it is divided, and are never divided. */
#ifndef CTORCH_SHIM_TOKENIZERS_ADDED_TOKENS_H
#define CTORCH_SHIM_TOKENIZERS_ADDED_TOKENS_H

#include "tokenizers/aligned.h"
#include "tokenizers/component.h"
#include "tokenizers/model.h"

struct added_token {
  uint32_t id;
  char *content;
  size_t content_len;
  char *normalized_content; /* what the normalizer makes of it, if that is another text */
  size_t normalized_len;
  bool single_word, lstrip, rstrip, normalized, special;
  bool is_replaced; /* by another one with its id */
};

/* A text to look for, and the token that it is of. */
struct needle {
  const char *text;
  size_t len;
  size_t token;
};
struct needles {
  struct needle *data; /* by their first bytes, the longest ones first */
  size_t len;
  size_t begin[257];
};

struct added_tokens {
  struct added_token *data;
  size_t len;
  struct vocabulary contents, ids, specials; /* numbers in `data`, by contents and by ids as bytes; contents */
  uint32_t most_id;
  struct needles plain, normalized;
  bool encode_special_tokens;
};

void added_tokens_free(struct added_tokens *self);

/* Add one, whose texts are taken over, also on failure; `out_is_new` says whether it changed anything.
 * added_tokens_refresh is due afterwards. */
ctorch_error *added_tokens_put(
    const char *function,
    struct added_tokens *self,
    const struct token_model *model,
    struct added_token *token,
    bool *out_is_new) __attribute__((warn_unused_result));
ctorch_error *added_tokens_refresh(const char *function, struct added_tokens *self) __attribute__((warn_unused_result));

const struct added_token *added_tokens_find(const struct added_tokens *self, const char *content, size_t len);
const struct added_token *added_tokens_of_id(const struct added_tokens *self, uint32_t id);
bool added_tokens_is_special(const struct added_tokens *self, const char *text, size_t len);

/* Divide a text into pieces that are added tokens and normalized pieces between them. `normalizer` may be NULL. */
void added_tokens_split(
    struct workspace *workspace,
    const struct added_tokens *self,
    const struct normalizer *normalizer,
    const char *text,
    size_t len,
    struct pieces *out);

#endif
