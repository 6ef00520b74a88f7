/* What may be set of a tokenizer, and what is asked of its vocabulary: <ctorch/tokenizer.h>. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "character.h"
#include "error.h"
#include "tensor.h"
#include "tokenizer.h"

/* Added tokens ------------------------------------------------------------------------------------------------------ */

/* What the normalizer makes of a token's content, if that is another text. */
static ctorch_error *normalize(const char *function, ctorch_tokenizer *self, struct added_token *token) {
  struct workspace *workspace = workspaces_take(&self->workspaces, function);
  if (workspace == NULL) {
    return error_memory(function, sizeof *workspace);
  }
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
  if (self == NULL || (tokens == NULL && tokens_len > 0)) {
    return error_null(__func__, self == NULL ? "self" : "tokens");
  }
  if (tokens_len > PTRDIFF_MAX / sizeof *tokens) {
    return error_argument(__func__, "tokens", "absurd length %zu", tokens_len);
  }
  for (size_t i = 0; i < tokens_len; i++) {
    if (tokens[i] == NULL) {
      return error_make(__func__, CTORCH_ERROR_NULL_ARGUMENT, "tokens[%zu] must not be NULL", i);
    }
    CTORCH_TRY(tokenizer_check_text(__func__, "tokens", tokens[i], strlen(tokens[i])));
  }
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

/* Vocabulary -------------------------------------------------------------------------------------------------------- */

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
  error = error != NULL ? error : ctorch_value_from_int(&value, id);
  error = error != NULL ? error : ctorch_value_dict_set(dict, key, value);
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

/* Truncation and padding -------------------------------------------------------------------------------------------- */

static ctorch_error *read_choice(
    const char *function, const char *argument, const char *text, const char *const *names, int names_len, int *out) {
  for (int i = 0; text != NULL && i < names_len; i++) {
    if (strcmp(names[i], text) == 0) {
      *out = i;
      return NULL;
    }
  }
  return text == NULL ? NULL : error_argument(function, argument, "\"%.40s\" is none of those there are", text);
}

static const char *const DIRECTIONS[] = {"right", "left"};

static ctorch_error *check_number(const char *function, const char *argument, int64_t value) {
  return value >= 0 && value < UINT32_MAX / 2
             ? NULL
             : error_argument(function, argument, "expected a number from 0 to 2^31, got %" PRId64, value);
}

ctorch_error *ctorch_tokenizer_enable_truncation(
    ctorch_tokenizer *self, int64_t max_length, int64_t stride, const char *strategy, const char *direction) {
  CTORCH_TRY(error_refusal(__func__));
  static const char *const STRATEGIES[] = {"longest_first", "only_first", "only_second"};
  int strategy_number = 0, direction_number = 0;
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_number(__func__, "max_length", max_length));
  CTORCH_TRY(check_number(__func__, "stride", stride));
  CTORCH_TRY(read_choice(__func__, "strategy", strategy, STRATEGIES, 3, &strategy_number));
  CTORCH_TRY(read_choice(__func__, "direction", direction, DIRECTIONS, 2, &direction_number));
  const int64_t left = max_length - post_processor_added(self->post_processor, false);
  if (left < stride) {
    return error_argument(
        __func__, "stride", "expected at most the %" PRId64 " tokens that are left for the text, got %" PRId64, left,
        stride);
  }
  self->truncation = (struct truncation){
      .is_on = true,
      .is_left = direction_number == 1,
      .strategy = strategy_number,
      .max_length = (uint32_t)max_length,
      .stride = (uint32_t)stride,
  };
  return NULL;
}

ctorch_error *ctorch_tokenizer_no_truncation(ctorch_tokenizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->truncation.is_on = false;
  return NULL;
}

ctorch_error *ctorch_tokenizer_enable_padding(
    ctorch_tokenizer *self,
    int64_t pad_id,
    int64_t pad_type_id,
    const char *pad_token,
    int64_t length,
    int64_t pad_to_multiple_of,
    const char *direction) {
  CTORCH_TRY(error_refusal(__func__));
  int direction_number = 0;
  if (self == NULL || pad_token == NULL) {
    return error_null(__func__, self == NULL ? "self" : "pad_token");
  }
  CTORCH_TRY(check_number(__func__, "pad_id", pad_id));
  CTORCH_TRY(check_number(__func__, "pad_type_id", pad_type_id));
  CTORCH_TRY(length == -1 ? NULL : check_number(__func__, "length", length));
  CTORCH_TRY(check_number(__func__, "pad_to_multiple_of", pad_to_multiple_of));
  CTORCH_TRY(read_choice(__func__, "direction", direction, DIRECTIONS, 2, &direction_number));
  CTORCH_TRY(tokenizer_check_text(__func__, "pad_token", pad_token, strlen(pad_token)));
  const size_t len = strlen(pad_token);
  char *token = malloc(len + 1);
  if (token == NULL) {
    return error_memory(__func__, len);
  }
  memcpy(token, pad_token, len + 1);
  free(self->padding.token);
  self->padding = (struct padding){
      .is_on = true,
      .is_left = direction_number == 1,
      .is_fixed = length >= 0,
      .length = length < 0 ? 0 : (uint32_t)length,
      .multiple_of = (uint32_t)pad_to_multiple_of,
      .id = (uint32_t)pad_id,
      .type_id = (uint32_t)pad_type_id,
      .token = token,
      .token_len = (uint32_t)len,
  };
  return NULL;
}

ctorch_error *ctorch_tokenizer_no_padding(ctorch_tokenizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->padding.is_on = false;
  return NULL;
}
