/* From tokens to texts: <ctorch/tokenizers/tokenizer.h>. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "tokenizers/tokenizer.h"

static void put_token(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    struct token_texts *out,
    uint32_t id,
    bool skip_special_tokens) {
  const struct vocabulary *vocabulary = &self->model->vocabulary;
  const struct added_token *added = self->added.len == 0 ? NULL : added_tokens_of_id(&self->added, id);
  const struct vocabulary_token *token = added == NULL ? vocabulary_of_id(vocabulary, id) : NULL;
  struct token_text text;
  if (added != NULL) {
    const bool has_other = added->normalized_content != NULL;
    text = (struct token_text){
        has_other ? added->normalized_content : added->content, has_other ? added->normalized_len : added->content_len};
  } else if (token != NULL) {
    text = (struct token_text){vocabulary_text(vocabulary, token), token->len};
  } else {
    return;
  }
  if (!skip_special_tokens || !added_tokens_is_special(&self->added, text.data, text.len)) {
    WORKSPACE_PUSH(workspace, out, text);
  }
}

struct token_text tokenizer_decode_ids(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    const int64_t *ids,
    size_t len,
    bool skip_special_tokens) {
  struct token_texts tokens = {.data = NULL};
  struct bytes text = {.data = NULL};
  for (size_t i = 0; i < len; i++) {
    if (ids[i] >= 0 && ids[i] < UINT32_MAX) {
      put_token(workspace, self, &tokens, (uint32_t)ids[i], skip_special_tokens);
    }
  }
  if (self->decoder != NULL && tokens.len > 0) {
    decoder_run(workspace, self->decoder, &tokens);
  }
  for (size_t i = 0; i < tokens.len; i++) {
    if (self->decoder == NULL && i > 0) {
      bytes_add(workspace, &text, " ", 1);
    }
    bytes_add(workspace, &text, tokens.data[i].data, tokens.data[i].len);
  }
  return (struct token_text){text.len == 0 ? "" : text.data, text.len};
}

static ctorch_error *take_string(const char *function, struct token_text text, void *out) {
  return string_give(function, out, text.data, text.len);
}

static ctorch_error *take_value(const char *function, struct token_text text, void *out) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_string_data(&value, text.data, text.len);
  THEN(error, ctorch_value_list_append(out, value));
  ctorch_value_release(value);
  return error_of(function, error);
}

/* Hand the text of tokens to `take`, while it lies in the workspace. */
static ctorch_error *with_text(
    const char *function,
    const ctorch_tokenizer *self,
    const int64_t *ids,
    size_t len,
    bool skip_special_tokens,
    ctorch_error *(*take)(const char *function, struct token_text text, void *out),
    void *out) {
  struct workspaces *workspaces = (struct workspaces *)(uintptr_t)&self->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, function);
  if (workspace == NULL) {
    return error_memory(function, sizeof *workspace);
  }
  workspace->limit = tokenizer_limit(self, len);
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    error = take(function, tokenizer_decode_ids(workspace, self, ids, len, skip_special_tokens), out);
  } else {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  return error;
}

ctorch_error *ctorch_tokenizer_decode(
    ctorch_string **out, const ctorch_tokenizer *self, const int64_t *ids, size_t ids_len, bool skip_special_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "ids", ids, ids_len));
  return with_text(__func__, self, ids, ids_len, skip_special_tokens, take_string, out);
}

static ctorch_error *decode_rows(
    const char *function,
    ctorch_value *list,
    const ctorch_tokenizer *self,
    const ctorch_tensor *ids,
    bool skip_special_tokens) {
  const int64_t *sizes = ctorch_tensor_sizes(ids);
  const void *data = NULL;
  CTORCH_TRY(error_of(function, ctorch_tensor_const_data(&data, ids)));
  for (int64_t i = 0; i < sizes[0]; i++) {
    CTORCH_TRY(with_text(
        function, self, (const int64_t *)data + i * sizes[1], (size_t)sizes[1], skip_special_tokens, take_value, list));
  }
  return NULL;
}

ctorch_error *ctorch_tokenizer_decode_batch(
    ctorch_value **out, const ctorch_tokenizer *self, const ctorch_tensor *ids, bool skip_special_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || ids == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "ids");
  }
  if (ctorch_tensor_dtype(ids) != CTORCH_DTYPE_INT64 || ctorch_tensor_ndim(ids) != 2) {
    return error_argument(__func__, "ids", "expected a tensor of int64 with two dimensions");
  }
  ctorch_tensor *contiguous = NULL;
  ctorch_value *list = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_aten_contiguous(&contiguous, ids, CTORCH_MEMORY_FORMAT_CONTIGUOUS)));
  ctorch_error *error = error_of(__func__, ctorch_value_from_list(&list, NULL, 0));
  THEN(error, decode_rows(__func__, list, self, contiguous, skip_special_tokens));
  ctorch_tensor_release(contiguous);
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

/* Streams ---------------------------------------------------------------------------------------------------------- */

struct ctorch_decode_stream {
  ctorch_tokenizer *tokenizer;
  bool skip_special_tokens;
  int64_t *ids; /* those whose text is not out yet, and before them those that it depends on */
  size_t ids_len, ids_capacity;
  char *prefix; /* their text that is out already */
  size_t prefix_len, prefix_index;
};

static void finalize_stream(void *object) {
  ctorch_decode_stream *self = object;
  object_unref(self->tokenizer);
  free(self->ids);
  free(self->prefix);
}

static const object_class stream_class = {"decode_stream", sizeof(ctorch_decode_stream), finalize_stream};

void ctorch_decode_stream_retain(const ctorch_decode_stream *self) { object_retain(self); }
void ctorch_decode_stream_release(ctorch_decode_stream *self) { object_release(self); }

ctorch_error *ctorch_decode_stream_new(
    ctorch_decode_stream **out, const ctorch_tokenizer *tokenizer, bool skip_special_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || tokenizer == NULL) {
    return error_null(__func__, out == NULL ? "out" : "tokenizer");
  }
  ctorch_decode_stream *self = object_new(&stream_class);
  if (self == NULL) {
    return error_memory(__func__, sizeof *self);
  }
  self->tokenizer = object_ref(tokenizer);
  self->skip_special_tokens = skip_special_tokens;
  return object_give(__func__, out, self);
}

static struct token_text text_of(struct workspace *workspace, const ctorch_decode_stream *self, size_t first) {
  return tokenizer_decode_ids(
      workspace, self->tokenizer, self->ids + first, self->ids_len - first, self->skip_special_tokens);
}

static bool is_complete(struct token_text text) {
  return text.len < 3 || memcmp(text.data + text.len - 3, "\xef\xbf\xbd", 3) != 0;
}

static ctorch_error *set_prefix(const char *function, ctorch_decode_stream *self, struct token_text text) {
  char *prefix = realloc(self->prefix, text.len + 1);
  if (prefix == NULL) {
    return error_memory(function, text.len);
  }
  self->prefix = prefix;
  memcpy(prefix, text.data, text.len);
  self->prefix_len = text.len;
  return NULL;
}

/* The tokens so far, and with the next one: what the text has grown by, once its last character is complete. */
static ctorch_error *step(
    const char *function, ctorch_decode_stream *self, struct workspace *workspace, ctorch_string **out, int64_t id) {
  if (self->prefix_len == 0 && self->ids_len > 0) {
    const struct token_text so_far = text_of(workspace, self, 0);
    if (is_complete(so_far)) {
      CTORCH_TRY(set_prefix(function, self, so_far));
      self->prefix_index = self->ids_len;
    }
  }
  self->ids[self->ids_len++] = id;
  const struct token_text text = text_of(workspace, self, 0);
  if (text.len <= self->prefix_len || !is_complete(text)) {
    *out = NULL;
    return NULL;
  }
  if (memcmp(text.data, self->prefix_len == 0 ? "" : self->prefix, self->prefix_len) != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "the text changed that was handed out already, by the token %" PRId64, id);
  }
  ctorch_string *grown = NULL;
  const size_t index = self->ids_len - self->prefix_index;
  CTORCH_TRY(string_give(function, &grown, text.data + self->prefix_len, text.len - self->prefix_len));
  memmove(self->ids, self->ids + self->prefix_index, index * sizeof *self->ids);
  self->ids_len = index;
  self->prefix_index = index;
  ctorch_error *error = set_prefix(function, self, text_of(workspace, self, 0));
  if (error != NULL) {
    ctorch_string_release(grown);
    return error;
  }
  *out = grown;
  return NULL;
}

static ctorch_error *make_room(const char *function, ctorch_decode_stream *self) {
  if (self->ids_len < self->ids_capacity) {
    return NULL;
  }
  const size_t capacity = self->ids_capacity * 2 + 16;
  int64_t *ids = realloc(self->ids, capacity * sizeof *ids);
  if (ids == NULL) {
    return error_memory(function, capacity * sizeof *ids);
  }
  self->ids = ids;
  self->ids_capacity = capacity;
  return NULL;
}

ctorch_error *ctorch_decode_stream_step(ctorch_string **out, ctorch_decode_stream *self, int64_t id) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(make_room(__func__, self));
  struct workspaces *workspaces = &self->tokenizer->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, __func__);
  if (workspace == NULL) {
    return error_memory(__func__, sizeof *workspace);
  }
  workspace->limit = tokenizer_limit(self->tokenizer, self->ids_len);
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    error = step(__func__, self, workspace, out, id);
  } else {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  return error;
}
