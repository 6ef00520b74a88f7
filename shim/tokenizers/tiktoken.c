/* Byte pair encoding by ranks: <ctorch/tokenizers/tiktoken.h>. What is read, and tokens back to texts. */
#include "tokenizers/tiktoken.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "io/reader.h"
#include "tokenizers/base64.h"
#include "tokenizers/character.h"
#include "tokenizers/tiktoken_published.h"

enum { RANKS_MOST_NBYTES = 200000000 };

static void finalize(void *object) {
  ctorch_tiktoken *self = object;
  vocabulary_free(&self->ranks);
  vocabulary_free(&self->specials);
  pattern_free(self->pattern);
  free(self->pair_ranks);
  free(self->special_lens);
  workspaces_free(&self->workspaces);
}

static const object_class tiktoken_class = {"tiktoken", sizeof(ctorch_tiktoken), finalize};

void ctorch_tiktoken_retain(const ctorch_tiktoken *self) { object_retain(self); }
void ctorch_tiktoken_release(ctorch_tiktoken *self) { object_release(self); }
size_t ctorch_tiktoken_vocab_size(const ctorch_tiktoken *self) { return self == NULL ? 0 : self->vocab_size; }

/* Reading ---------------------------------------------------------------------------------------------------------- */

static void count_id(ctorch_tiktoken *self, uint32_t id) {
  self->vocab_size = id >= self->vocab_size ? (size_t)id + 1 : self->vocab_size;
}

/* "aGk= 12". */
static ctorch_error *read_line(
    const char *function, ctorch_tiktoken *self, const ctorch_reader *reader, char *line, size_t len, size_t number) {
  const char *space = memchr(line, ' ', len);
  uint64_t rank = 0;
  size_t token_len = 0, at = space == NULL ? len : (size_t)(space + 1 - line);
  const size_t digits = at;
  for (; at < len && line[at] >= '0' && line[at] <= '9' && rank < UINT32_MAX; at++) {
    rank = rank * 10 + (uint64_t)(line[at] - '0');
  }
  if (space == NULL || at != len || at == digits || rank >= UINT32_MAX ||
      !base64_decode((unsigned char *)line, &token_len, line, (size_t)(space - line))) {
    return reader_error(function, reader, "line %zu is no token in base64 with its rank", number);
  }
  count_id(self, (uint32_t)rank);
  return vocabulary_put(function, &self->ranks, line, token_len, (uint32_t)rank);
}

static ctorch_error *read_lines(
    const char *function, ctorch_tiktoken *self, const ctorch_reader *reader, char *data, size_t nbytes) {
  size_t number = 1;
  for (char *at = data, *end = data + nbytes; at < end; number++) {
    char *line_end = memchr(at, '\n', (size_t)(end - at));
    line_end = line_end == NULL ? end : line_end;
    size_t len = (size_t)(line_end - at);
    len -= len > 0 && at[len - 1] == '\r';
    if (len > 0) {
      CTORCH_TRY(read_line(function, self, reader, at, len, number));
    }
    at = line_end + 1;
  }
  return NULL;
}

/* What is asked for most: ranks of single bytes, which all texts need, and of pairs. */
static ctorch_error *make_tables(const char *function, ctorch_tiktoken *self, const ctorch_reader *reader) {
  self->pair_ranks = malloc((size_t)65536 * sizeof *self->pair_ranks);
  if (self->pair_ranks == NULL) {
    return error_memory(function, (size_t)65536 * sizeof *self->pair_ranks);
  }
  for (unsigned i = 0; i < 65536; i++) {
    const char bytes[] = {(char)(i >> 8), (char)(i & 0xff)};
    const struct vocabulary_token *pair = vocabulary_find(&self->ranks, bytes, 2);
    self->pair_ranks[i] = pair == NULL ? UINT32_MAX : pair->id;
  }
  for (unsigned i = 0; i < 256; i++) {
    const char byte = (char)i;
    const struct vocabulary_token *token = vocabulary_find(&self->ranks, &byte, 1);
    if (token == NULL) {
      return reader_error(function, reader, "the byte %u has no rank", i);
    }
    self->byte_ranks[i] = token->id;
  }
  return NULL;
}

static ctorch_error *read_ranks(const char *function, ctorch_tiktoken *self, const ctorch_reader *reader) {
  const size_t nbytes = ctorch_reader_nbytes(reader);
  if (nbytes > RANKS_MOST_NBYTES) {
    return reader_error(function, reader, "%zu bytes of ranks, more than %d", nbytes, (int)RANKS_MOST_NBYTES);
  }
  char *data = malloc(nbytes + 1);
  if (data == NULL) {
    return error_memory(function, nbytes);
  }
  ctorch_error *error = reader_read(function, reader, 0, data, nbytes);
  THEN(error, read_lines(function, self, reader, data, nbytes));
  free(data);
  return error != NULL ? error : make_tables(function, self, reader);
}

static ctorch_error *put_special(const char *function, ctorch_tiktoken *self, const char *token, int64_t id) {
  const size_t len = strlen(token);
  size_t at = 0;
  CTORCH_TRY(vocabulary_put(function, &self->specials, token, len, (uint32_t)id));
  CTORCH_TRY(array_grow(function, &self->special_lens, self->special_lens_len, sizeof *self->special_lens));
  count_id(self, (uint32_t)id);
  while (at < self->special_lens_len && self->special_lens[at] > len) {
    at++;
  }
  if (at == self->special_lens_len || self->special_lens[at] != len) {
    memmove(
        self->special_lens + at + 1, self->special_lens + at,
        (self->special_lens_len++ - at) * sizeof *self->special_lens);
    self->special_lens[at] = len;
  }
  return NULL;
}

static ctorch_error *read_specials(
    const char *function, ctorch_tiktoken *self, const struct tiktoken_published *published) {
  for (size_t i = 0; i < published->len; i++) {
    const int64_t id = published->ids[i];
    if (published->tokens[i][0] == '\0') {
      return error_argument(function, "special_tokens", "entry %zu is empty", i);
    }
    if (id < 0 || id >= UINT32_MAX) {
      return error_argument(function, "special_ids", "expected numbers of 32 bits, got %" PRId64, id);
    }
    CTORCH_TRY(put_special(function, self, published->tokens[i], id));
  }
  for (int64_t id = published->reserved_begin; id < published->reserved_end; id++) {
    char token[48];
    snprintf(token, sizeof token, "<|reserved_%" PRId64 "|>", id);
    CTORCH_TRY(put_special(function, self, token, id));
  }
  return NULL;
}

static ctorch_error *open_ranks(
    const char *function,
    ctorch_tiktoken **out,
    const ctorch_reader *ranks,
    const struct tiktoken_published *published) {
  if (!pattern_is_supported()) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "tiktoken: ctorch was built without PCRE2");
  }
  ctorch_tiktoken *self = object_new(&tiktoken_class);
  ctorch_error *error = self == NULL ? error_memory(function, sizeof *self) : NULL;
  THEN(error, pattern_new(function, &self->pattern, published->pattern, strlen(published->pattern), PATTERN_RUST));
  THEN(error, read_ranks(function, self, ranks));
  THEN(error, read_specials(function, self, published));
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

ctorch_error *ctorch_tiktoken_open(
    ctorch_tiktoken **out,
    const ctorch_reader *ranks,
    const char *pattern,
    const char *const *special_tokens,
    size_t special_tokens_len,
    const int64_t *special_ids,
    size_t special_ids_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || ranks == NULL || pattern == NULL) {
    return error_null(__func__, out == NULL ? "out" : ranks == NULL ? "ranks" : "pattern");
  }
  if (special_ids_len != special_tokens_len) {
    return error_argument(
        __func__, "special_ids", "expected one for each of %zu tokens, got %zu", special_tokens_len, special_ids_len);
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "special_tokens", special_tokens, special_tokens_len));
  CTORCH_TRY(error_unless_list(__func__, "special_ids", special_ids, special_ids_len));
  CTORCH_TRY(tokenizer_check_text(__func__, "pattern", pattern, strlen(pattern)));
  const struct tiktoken_published own = {pattern, special_tokens, special_ids, special_tokens_len, 0, 0};
  return open_ranks(__func__, out, ranks, &own);
}

ctorch_error *ctorch_tiktoken_open_named(ctorch_tiktoken **out, const ctorch_reader *ranks, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || ranks == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : ranks == NULL ? "ranks" : "name");
  }
  struct tiktoken_published published;
  if (!tiktoken_find_published(&published, name)) {
    return error_argument(__func__, "name", "expected gpt2, cl100k_base, o200k_base, …, got \"%.40s\"", name);
  }
  return open_ranks(__func__, out, ranks, &published);
}

/* Decoding --------------------------------------------------------------------------------------------------------- */

static ctorch_error *find_token(
    const char *function, const ctorch_tiktoken *self, int64_t id, const char **out, size_t *out_len) {
  const bool is_id = id >= 0 && id < UINT32_MAX;
  const struct vocabulary *vocabulary = &self->ranks;
  const struct vocabulary_token *token = is_id ? vocabulary_of_id(vocabulary, (uint32_t)id) : NULL;
  if (token == NULL && is_id) {
    vocabulary = &self->specials;
    token = vocabulary_of_id(vocabulary, (uint32_t)id);
  }
  if (token == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "no token has the id %" PRId64, id);
  }
  *out = vocabulary_text(vocabulary, token);
  *out_len = token->len;
  return NULL;
}

/* All bytes; free them. */
static ctorch_error *decode(
    const char *function, const ctorch_tiktoken *self, const int64_t *ids, size_t len, char **out, size_t *out_len) {
  const char *text = NULL;
  size_t text_len = 0, nbytes = 0;
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(find_token(function, self, ids[i], &text, &text_len));
    nbytes += text_len;
  }
  char *data = malloc(nbytes + 1);
  if (data == NULL) {
    return error_memory(function, nbytes);
  }
  *out = data;
  *out_len = nbytes;
  for (size_t i = 0; i < len; i++) {
    ctorch_error_release(find_token(function, self, ids[i], &text, &text_len)); /* was found above */
    memcpy(data, text, text_len);
    data += text_len;
  }
  return NULL;
}

ctorch_error *ctorch_tiktoken_decode_bytes(
    ctorch_tensor **out, const ctorch_tiktoken *self, const int64_t *ids, size_t ids_len) {
  CTORCH_TRY(error_refusal(__func__));
  char *data = NULL;
  size_t len = 0;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "ids", ids, ids_len));
  CTORCH_TRY(decode(__func__, self, ids, ids_len, &data, &len));
  const int64_t size = (int64_t)len;
  ctorch_error *error = ctorch_tensor_from_data(out, data, len, &size, 1, CTORCH_DTYPE_UINT8);
  free(data);
  return error_of(__func__, error);
}

ctorch_error *ctorch_tiktoken_decode(
    ctorch_string **out, const ctorch_tiktoken *self, const int64_t *ids, size_t ids_len) {
  CTORCH_TRY(error_refusal(__func__));
  char *data = NULL;
  size_t len = 0;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "ids", ids, ids_len));
  CTORCH_TRY(decode(__func__, self, ids, ids_len, &data, &len));
  char *text = malloc(3 * len + 1);
  ctorch_error *error = text == NULL ? error_memory(__func__, 3 * len) : NULL;
  THEN(error, string_give(__func__, out, text, utf8_from_bytes(text, data, len)));
  free(text);
  free(data);
  return error;
}
