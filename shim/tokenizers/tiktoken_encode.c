/* Texts to tokens by ranks: special tokens, and the calls. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/encoding.h"
#include "tokenizers/tiktoken.h"

/* Special tokens --------------------------------------------------------------------------------------------------- */

/* Those that a call allows or forbids. */
struct choice {
  const char *const *tokens;
  size_t len;
  bool is_all;
};

static bool has(const struct choice *choice, const char *token) {
  for (size_t i = 0; i < choice->len; i++) {
    if (strcmp(choice->tokens[i], token) == 0) {
      return true;
    }
  }
  return choice->is_all;
}

struct special_call {
  const char *text;
  size_t text_len;
  struct choice allowed, disallowed;
};

/* The longest special token at a place that is no longer than `most`. */
static const struct vocabulary_token *special_at(
    const ctorch_tiktoken *self, const struct special_call *call, size_t at, size_t most) {
  const struct vocabulary_token *found = NULL;
  for (size_t i = 0; i < self->special_lens_len && found == NULL; i++) {
    const size_t len = self->special_lens[i];
    found = len > most || len > call->text_len - at ? NULL : vocabulary_find(&self->specials, call->text + at, len);
  }
  return found;
}

/* By which bytes special tokens begin. */
static void find_beginnings(const ctorch_tiktoken *self, bool begins[256]) {
  memset(begins, 0, 256 * sizeof *begins);
  for (size_t i = 0; i < self->specials.len; i++) {
    begins[(unsigned char)*vocabulary_text(&self->specials, &self->specials.tokens[i])] = true;
  }
}

static bool is_disallowed(const struct special_call *call, const char *token) {
  return has(&call->disallowed, token) && !(call->disallowed.is_all && has(&call->allowed, token));
}

static ctorch_error *check_disallowed(
    const char *function, const ctorch_tiktoken *self, const struct special_call *call) {
  bool begins[256];
  find_beginnings(self, begins);
  for (size_t at = 0; call->disallowed.len > 0 && at < call->text_len; at++) {
    const struct vocabulary_token *token =
        begins[(unsigned char)call->text[at]] ? special_at(self, call, at, SIZE_MAX) : NULL;
    for (; token != NULL; token = special_at(self, call, at, token->len - 1)) {
      if (is_disallowed(call, vocabulary_text(&self->specials, token))) {
        return error_make(
            function, CTORCH_ERROR_VALUE, "the text has the special token \"%.64s\", which is disallowed",
            vocabulary_text(&self->specials, token));
      }
    }
  }
  return NULL;
}

static void encode_special(
    struct workspace *workspace,
    const ctorch_tiktoken *self,
    const struct special_call *call,
    struct tiktoken_ids *out) {
  bool begins[256];
  find_beginnings(self, begins);
  size_t done = 0;
  for (size_t at = 0; at < call->text_len; at++) {
    const struct vocabulary_token *token =
        begins[(unsigned char)call->text[at]] ? special_at(self, call, at, SIZE_MAX) : NULL;
    if (token != NULL && has(&call->allowed, vocabulary_text(&self->specials, token))) {
      tiktoken_encode_text(workspace, self, call->text + done, at - done, out);
      WORKSPACE_PUSH(workspace, out, token->id);
      done = at + token->len;
      at = done - 1;
    }
  }
  tiktoken_encode_text(workspace, self, call->text + done, call->text_len - done, out);
}

/* Calls ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *encode(
    const char *function, ctorch_tensor **out, const ctorch_tiktoken *self, const struct special_call *call) {
  struct workspaces *workspaces = (struct workspaces *)(uintptr_t)&self->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, function);
  if (workspace == NULL) {
    return error_memory(function, sizeof *workspace);
  }
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    struct tiktoken_ids ids = {.data = NULL};
    int64_t *data = NULL;
    encode_special(workspace, self, call, &ids);
    const int64_t size = (int64_t)ids.len;
    error = encoding_new_tensor(function, out, &data, &size, 1);
    if (error == NULL && ids.len > 0) {
      memcpy(data, ids.data, ids.len * sizeof *data);
    }
  } else {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  return error;
}

ctorch_error *ctorch_tiktoken_encode_ordinary(
    ctorch_tensor **out, const ctorch_tiktoken *self, const char *text, size_t text_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  const struct special_call call = {.text = text == NULL ? "" : text, .text_len = text_len};
  return encode(__func__, out, self, &call);
}

static ctorch_error *read_choice(
    const char *function, struct choice *out, const char *argument, const char *const *tokens, size_t len) {
  CTORCH_TRY(tokenizer_check_texts(function, argument, tokens, len));
  *out = (struct choice){tokens, len, len == 1 && strcmp(tokens[0], "all") == 0};
  return NULL;
}

ctorch_error *ctorch_tiktoken_encode(
    ctorch_tensor **out,
    const ctorch_tiktoken *self,
    const char *text,
    size_t text_len,
    const char *const *allowed,
    size_t allowed_len,
    const char *const *disallowed,
    size_t disallowed_len) {
  CTORCH_TRY(error_refusal(__func__));
  struct special_call call = {.text = text == NULL ? "" : text, .text_len = text_len};
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  CTORCH_TRY(read_choice(__func__, &call.allowed, "allowed", allowed, allowed_len));
  CTORCH_TRY(read_choice(__func__, &call.disallowed, "disallowed", disallowed, disallowed_len));
  CTORCH_TRY(check_disallowed(__func__, self, &call));
  return encode(__func__, out, self, &call);
}
