/* What may be set of a tokenizer, and what is asked of its vocabulary: <ctorch/tokenizers/tokenizer.h>. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "tokenizers/character.h"
#include "tokenizers/tokenizer.h"

/* Added tokens ----------------------------------------------------------------------------------------------------- */

/* What a normalizer may make of a token, which is kept, beyond what it may of each byte of a text. */
enum { TOKEN_NBYTES = 1 << 20, EACH_NBYTES = 1024 };

/* What the normalizer makes of a token's content, if that is another text. */
static ctorch_error *normalize(const char *function, ctorch_tokenizer *self, struct added_token *token) {
  struct workspace *workspace = workspaces_take(&self->workspaces, function);
  if (workspace == NULL) {
    return error_memory(function, sizeof *workspace);
  }
  workspace->limit = TOKEN_NBYTES + EACH_NBYTES * token->content_len;
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    struct piece piece = {.data = token->content, .len = token->content_len, .token = -1};
    normalizer_run(workspace, self->normalizer, &piece);
    if (piece.len != token->content_len || memcmp(piece.data, token->content, piece.len) != 0) {
      token->normalized_content = malloc(piece.len + 1);
      token->normalized_len = piece.len;
      if (token->normalized_content == NULL) {
        error = error_memory(function, piece.len);
      } else if (piece.len > 0) {
        memcpy(token->normalized_content, piece.data, piece.len);
      }
    }
  } else {
    error = workspace->error;
  }
  workspaces_give(&self->workspaces, workspace);
  if (ctorch_error_kind_of(error) == CTORCH_ERROR_VALUE) { /* of the limit, which nobody has set */
    ctorch_error_release(error);
    error = error_make(
        function, CTORCH_ERROR_FORMAT, "the normalizer makes more than %zu bytes of the added token \"%.40s\"",
        TOKEN_NBYTES + EACH_NBYTES * token->content_len, token->content);
  }
  return error;
}

ctorch_error *tokenizer_put_added(
    const char *function, ctorch_tokenizer *self, const char *content, struct added_token token, size_t *out_added) {
  token.content = malloc(token.content_len + 1);
  if (token.content == NULL) {
    return error_memory(function, token.content_len);
  }
  if (token.content_len > 0) {
    memcpy(token.content, content, token.content_len);
  }
  token.content[token.content_len] = '\0';
  ctorch_error *error =
      token.normalized && self->normalizer != NULL && token.content_len > 0 ? normalize(function, self, &token) : NULL;
  if (error != NULL) {
    free(token.content);
    return error;
  }
  bool is_new = false;
  CTORCH_TRY(added_tokens_put(function, &self->added, self->model, &token, &is_new));
  if (out_added != NULL) {
    *out_added += is_new;
  }
  return NULL;
}

ctorch_error *ctorch_tokenizer_add_tokens(
    size_t *out, ctorch_tokenizer *self, const char *const *tokens, size_t tokens_len, bool special) {
  CTORCH_TRY(error_refusal(__func__));
  size_t added = 0;
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "tokens", tokens, tokens_len));
  for (size_t i = 0; i < tokens_len; i++) {
    const struct added_token token = {.content_len = strlen(tokens[i]), .normalized = !special, .special = special};
    CTORCH_TRY(tokenizer_put_added(__func__, self, tokens[i], token, &added));
  }
  CTORCH_TRY(added_tokens_refresh(__func__, &self->added));
  if (out != NULL) {
    *out = added;
  }
  return NULL;
}

ctorch_error *ctorch_tokenizer_add_token(
    ctorch_tokenizer *self,
    const char *content,
    bool single_word,
    bool lstrip,
    bool rstrip,
    bool normalized,
    bool special) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || content == NULL) {
    return error_null(__func__, self == NULL ? "self" : "content");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "content", content, strlen(content)));
  const struct added_token token = {
      .content_len = strlen(content),
      .single_word = single_word,
      .lstrip = lstrip,
      .rstrip = rstrip,
      .normalized = normalized,
      .special = special,
  };
  CTORCH_TRY(tokenizer_put_added(__func__, self, content, token, NULL));
  return added_tokens_refresh(__func__, &self->added);
}

ctorch_error *ctorch_tokenizer_set_encode_special_tokens(ctorch_tokenizer *self, bool value) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->added.encode_special_tokens = value;
  return NULL;
}

bool ctorch_tokenizer_encode_special_tokens(const ctorch_tokenizer *self) {
  return self != NULL && self->added.encode_special_tokens;
}

/* Dropout ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *describe_dropout(const char *function, ctorch_tokenizer *self, double dropout) {
#if CTORCH_HAS_JANSSON
  json_t *value = dropout == 0 ? json_null() : json_real(dropout);
  if (json_object_set_new(json_object_get(self->description, "model"), "dropout", value) != 0) {
    return error_memory(function, 0);
  }
#else
  (void)function;
  (void)self;
  (void)dropout;
#endif
  return NULL;
}

ctorch_error *ctorch_tokenizer_set_dropout(ctorch_tokenizer *self, double dropout, int64_t seed) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (!(dropout >= 0 && dropout <= 1)) {
    return error_argument(__func__, "dropout", "expected a number from 0 to 1, got %g", dropout);
  }
  if (self->model->kind != MODEL_BPE) {
    return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "a model that is not BPE has no dropout");
  }
  CTORCH_TRY(describe_dropout(__func__, self, dropout));
  self->dropout = dropout;
  self->seed = (uint64_t)seed;
  atomic_store(&self->encoded, 0);
  return NULL;
}

double ctorch_tokenizer_dropout(const ctorch_tokenizer *self) { return self == NULL ? 0 : self->dropout; }

/* Vocabulary ------------------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_tokenizer_token_to_id(
    int64_t *out, const ctorch_tokenizer *self, const char *token, size_t token_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || (token == NULL && token_len > 0)) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "token");
  }
  const char *text = token == NULL ? "" : token;
  const struct added_token *added = added_tokens_find(&self->added, text, token_len);
  const struct vocabulary_token *found =
      added == NULL ? vocabulary_find(&self->model->vocabulary, text, token_len) : NULL;
  if (added == NULL && found == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "the token is not in the vocabulary");
  }
  *out = added != NULL ? added->id : found->id;
  return NULL;
}

ctorch_error *ctorch_tokenizer_id_to_token(ctorch_string **out, const ctorch_tokenizer *self, int64_t id) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  const bool is_id = id >= 0 && id < UINT32_MAX;
  const struct vocabulary *vocabulary = &self->model->vocabulary;
  const struct added_token *added = is_id ? added_tokens_of_id(&self->added, (uint32_t)id) : NULL;
  const struct vocabulary_token *found = is_id && added == NULL ? vocabulary_of_id(vocabulary, (uint32_t)id) : NULL;
  if (added != NULL) {
    const bool has_other = added->normalized_content != NULL;
    return string_give(
        __func__, out, has_other ? added->normalized_content : added->content,
        has_other ? added->normalized_len : added->content_len);
  }
  if (found == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "no token has the id %" PRId64, id);
  }
  return string_give(__func__, out, vocabulary_text(vocabulary, found), found->len);
}

size_t ctorch_tokenizer_vocab_size(const ctorch_tokenizer *self, bool with_added_tokens) {
  if (self == NULL) {
    return 0;
  }
  size_t size = self->model->vocabulary.len;
  for (size_t i = 0; with_added_tokens && i < self->added.len; i++) {
    const struct added_token *token = &self->added.data[i];
    const bool is_last = added_tokens_find(&self->added, token->content, token->content_len) == token;
    size += is_last && vocabulary_find(&self->model->vocabulary, token->content, token->content_len) == NULL;
  }
  return size;
}

static ctorch_error *put(ctorch_value *dict, const char *token, size_t len, int64_t id) {
  ctorch_value *key = NULL, *value = NULL;
  ctorch_error *error = ctorch_value_from_string_data(&key, token, len);
  THEN(error, ctorch_value_from_int(&value, id));
  THEN(error, ctorch_value_dict_set(dict, key, value));
  ctorch_value_release(key);
  ctorch_value_release(value);
  return error;
}

ctorch_error *ctorch_tokenizer_vocab(ctorch_value **out, const ctorch_tokenizer *self, bool with_added_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  ctorch_error *error = NULL;
  const struct vocabulary *vocabulary = &self->model->vocabulary;
  for (size_t i = 0; error == NULL && i < vocabulary->len; i++) {
    const struct vocabulary_token *token = &vocabulary->tokens[i];
    error = put(dict, vocabulary_text(vocabulary, token), token->len, token->id);
  }
  for (size_t i = 0; error == NULL && with_added_tokens && i < self->added.len; i++) {
    const struct added_token *token = &self->added.data[i];
    error = put(dict, token->content, token->content_len, token->id);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error_of(__func__, error);
  }
  *out = dict;
  return NULL;
}
