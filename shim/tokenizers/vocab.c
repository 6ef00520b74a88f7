/* Vocabularies of words: <ctorch/tokenizers/vocab.h>. What they do is what torchtext's Vocab does. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "io/reader.h"
#include "tokenizers/character.h"
#include "tokenizers/encoding.h"
#include "tokenizers/tokenizer.h"
#include "tokenizers/vocabulary.h"
#include "tokenizers/word_counts.h"

struct ctorch_vocab {
  struct vocabulary tokens; /* ids are their numbers */
  bool has_default;
  int64_t default_index;
};

static void finalize(void *object) { vocabulary_free(&((ctorch_vocab *)object)->tokens); }

static const object_class vocab_class = {"vocab", sizeof(ctorch_vocab), finalize};

void ctorch_vocab_retain(const ctorch_vocab *self) { object_retain(self); }
void ctorch_vocab_release(ctorch_vocab *self) { object_release(self); }

static ctorch_error *put(const char *function, struct vocabulary *tokens, const char *token, size_t len) {
  return vocabulary_put(function, tokens, token, len, (uint32_t)tokens->len);
}

/* A handle from tokens, which are taken over, also on failure. */
static ctorch_error *give(const char *function, ctorch_vocab **out, struct vocabulary *tokens, ctorch_error *error) {
  ctorch_vocab *self = error == NULL ? object_new(&vocab_class) : NULL;
  if (self == NULL) {
    vocabulary_free(tokens);
    return error != NULL ? error : error_memory(function, sizeof *self);
  }
  self->tokens = *tokens;
  return object_give(function, out, self);
}

static ctorch_error *put_all(
    const char *function, struct vocabulary *tokens, const char *argument, const char *const *texts, size_t texts_len) {
  for (size_t i = 0; i < texts_len; i++) {
    const size_t len = strlen(texts[i]);
    if (vocabulary_find(tokens, texts[i], len) != NULL) {
      return error_argument(function, argument, "entry %zu, \"%.40s\", is there before", i, texts[i]);
    }
    CTORCH_TRY(put(function, tokens, texts[i], len));
  }
  return NULL;
}

ctorch_error *ctorch_vocab_new(ctorch_vocab **out, const char *const *tokens, size_t tokens_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "tokens", tokens, tokens_len));
  struct vocabulary made = {.len = 0};
  return give(__func__, out, &made, put_all(__func__, &made, "tokens", tokens, tokens_len));
}

/* Files ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *read_lines(
    const char *function, struct vocabulary *tokens, const ctorch_reader *reader, const char *data, size_t nbytes) {
  if (!utf8_is_valid(data, nbytes) || memchr(data, '\0', nbytes) != NULL) {
    return reader_error(function, reader, "expected UTF-8, without NUL");
  }
  for (const char *at = data, *end = data + nbytes; at < end;) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    line_end = line_end == NULL ? end : line_end;
    size_t len = (size_t)(line_end - at);
    len -= len > 0 && line_end < end && at[len - 1] == '\r';
    if (vocabulary_find(tokens, at, len) != NULL) {
      return reader_error(function, reader, "line %zu has a token that is there before", tokens->len + 1);
    }
    CTORCH_TRY(put(function, tokens, at, len));
    at = line_end + 1;
  }
  return NULL;
}

static ctorch_error *read_tokens(const char *function, struct vocabulary *tokens, const ctorch_reader *reader) {
  const size_t nbytes = ctorch_reader_nbytes(reader);
  char *data = nbytes < PTRDIFF_MAX ? malloc(nbytes + 1) : NULL;
  ctorch_error *error = data == NULL ? error_memory(function, nbytes) : reader_read(function, reader, 0, data, nbytes);
  THEN(error, read_lines(function, tokens, reader, data, nbytes));
  free(data);
  return error;
}

static ctorch_error *open_text(const char *function, ctorch_vocab **out, const ctorch_reader *reader) {
  struct vocabulary tokens = {.len = 0};
  return give(function, out, &tokens, read_tokens(function, &tokens, reader));
}

ctorch_error *ctorch_vocab_open(ctorch_vocab **out, const ctorch_reader *reader) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  return open_text(__func__, out, reader);
}

ctorch_error *ctorch_vocab_open_file(ctorch_vocab **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_reader *reader = NULL;
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = open_text(__func__, out, reader);
  ctorch_reader_release(reader);
  return error;
}

static ctorch_error *check_line(const char *function, const char *token, size_t len, size_t number) {
  return memchr(token, '\n', len) == NULL && (len == 0 || token[len - 1] != '\r')
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "the token of the index %zu breaks the line", number);
}

static ctorch_error *write_tokens(const struct vocabulary *tokens, ctorch_writer *writer) {
  for (size_t i = 0; i < tokens->len; i++) {
    CTORCH_TRY(ctorch_writer_write(writer, vocabulary_text(tokens, &tokens->tokens[i]), tokens->tokens[i].len));
    CTORCH_TRY(ctorch_writer_write(writer, "\n", 1));
  }
  return ctorch_writer_finish(writer);
}

ctorch_error *ctorch_vocab_save(const ctorch_vocab *self, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || path == NULL) {
    return error_null(__func__, self == NULL ? "self" : "path");
  }
  for (size_t i = 0; i < self->tokens.len; i++) {
    const struct vocabulary_token *token = &self->tokens.tokens[i];
    CTORCH_TRY(check_line(__func__, vocabulary_text(&self->tokens, token), token->len, i));
  }
  ctorch_writer *writer = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = write_tokens(&self->tokens, writer);
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}

/* Lookups ---------------------------------------------------------------------------------------------------------- */

size_t ctorch_vocab_len(const ctorch_vocab *self) { return self == NULL ? 0 : self->tokens.len; }

bool ctorch_vocab_contains(const ctorch_vocab *self, const char *token, size_t token_len) {
  return self != NULL && token != NULL && vocabulary_find(&self->tokens, token, token_len) != NULL;
}

static ctorch_error *find_index(
    const char *function, const ctorch_vocab *self, int64_t *out, const char *token, size_t len) {
  const struct vocabulary_token *found = vocabulary_find(&self->tokens, token, len);
  if (found == NULL && !self->has_default) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "the token \"%.*s\" is not in the vocabulary, which has no default index",
        len < 40 ? (int)len : 40, token);
  }
  *out = found != NULL ? (int64_t)found->id : self->default_index;
  return NULL;
}

ctorch_error *ctorch_vocab_lookup_index(int64_t *out, const ctorch_vocab *self, const char *token, size_t token_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "token", token, token_len));
  return find_index(__func__, self, out, token == NULL ? "" : token, token_len);
}

ctorch_error *ctorch_vocab_lookup_indices(
    ctorch_tensor **out, const ctorch_vocab *self, const char *const *tokens, size_t tokens_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "tokens", tokens, tokens_len));
  ctorch_tensor *indices = NULL;
  int64_t *data = NULL;
  const int64_t size = (int64_t)tokens_len;
  CTORCH_TRY(encoding_new_tensor(__func__, &indices, &data, &size, 1));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < tokens_len; i++) {
    error = find_index(__func__, self, &data[i], tokens[i], strlen(tokens[i]));
  }
  if (error != NULL) {
    ctorch_tensor_release(indices);
    return error;
  }
  *out = indices;
  return NULL;
}

static ctorch_error *token_of(
    const char *function, const ctorch_vocab *self, int64_t index, const struct vocabulary_token **out) {
  if (index < 0 || (uint64_t)index >= self->tokens.len) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "no token has the index %" PRId64 ", of %zu tokens", index, self->tokens.len);
  }
  *out = &self->tokens.tokens[index];
  return NULL;
}

ctorch_error *ctorch_vocab_lookup_token(ctorch_string **out, const ctorch_vocab *self, int64_t index) {
  CTORCH_TRY(error_refusal(__func__));
  const struct vocabulary_token *token = NULL;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(token_of(__func__, self, index, &token));
  return string_give(__func__, out, vocabulary_text(&self->tokens, token), token->len);
}

static ctorch_error *append(ctorch_value *list, const struct vocabulary *tokens, const struct vocabulary_token *token) {
  ctorch_value *text = NULL;
  ctorch_error *error = ctorch_value_from_string_data(&text, vocabulary_text(tokens, token), token->len);
  THEN(error, ctorch_value_list_append(list, text));
  ctorch_value_release(text);
  return error;
}

/* The texts of these indices; of all tokens for NULL. */
static ctorch_error *list_tokens(
    const char *function, ctorch_value **out, const ctorch_vocab *self, const int64_t *indices, size_t len) {
  ctorch_value *list = NULL;
  const struct vocabulary_token *token = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_list(&list, NULL, 0)));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = token_of(function, self, indices == NULL ? (int64_t)i : indices[i], &token);
    THEN(error, append(list, &self->tokens, token));
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error_of(function, error);
  }
  *out = list;
  return NULL;
}

ctorch_error *ctorch_vocab_lookup_tokens(
    ctorch_value **out, const ctorch_vocab *self, const int64_t *indices, size_t indices_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "indices", indices, indices_len));
  return list_tokens(__func__, out, self, indices, indices_len);
}

ctorch_error *ctorch_vocab_itos(ctorch_value **out, const ctorch_vocab *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return list_tokens(__func__, out, self, NULL, self->tokens.len);
}

static ctorch_error *set_entry(
    ctorch_value *dict, const struct vocabulary *tokens, const struct vocabulary_token *token) {
  ctorch_value *key = NULL, *value = NULL;
  ctorch_error *error = ctorch_value_from_string_data(&key, vocabulary_text(tokens, token), token->len);
  THEN(error, ctorch_value_from_int(&value, token->id));
  THEN(error, ctorch_value_dict_set(dict, key, value));
  ctorch_value_release(key);
  ctorch_value_release(value);
  return error;
}

ctorch_error *ctorch_vocab_stoi(ctorch_value **out, const ctorch_vocab *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_value *dict = NULL;
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < self->tokens.len; i++) {
    error = set_entry(dict, &self->tokens, &self->tokens.tokens[i]);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error_of(__func__, error);
  }
  *out = dict;
  return NULL;
}

/* Changes ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *check_new(const char *function, const ctorch_vocab *self, const char *token, size_t len) {
  if (self == NULL || token == NULL) {
    return error_null(function, self == NULL ? "self" : "token");
  }
  CTORCH_TRY(tokenizer_check_text(function, "token", token, len));
  if (memchr(token, '\0', len) != NULL) {
    return error_argument(function, "token", "expected a text without NUL");
  }
  return vocabulary_find(&self->tokens, token, len) == NULL
             ? NULL
             : error_make(function, CTORCH_ERROR_RUNTIME, "the token is in the vocabulary");
}

ctorch_error *ctorch_vocab_append_token(ctorch_vocab *self, const char *token, size_t token_len) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_new(__func__, self, token, token_len));
  return put(__func__, &self->tokens, token, token_len);
}

ctorch_error *ctorch_vocab_insert_token(ctorch_vocab *self, const char *token, size_t token_len, int64_t index) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_new(__func__, self, token, token_len));
  const struct vocabulary *before = &self->tokens;
  if (index < 0 || (uint64_t)index > before->len) {
    return error_make(
        __func__, CTORCH_ERROR_INDEX, "expected an index from 0 to %zu, got %" PRId64, before->len, index);
  }
  struct vocabulary tokens = {.len = 0};
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i <= before->len; i++) {
    error = i == (size_t)index ? put(__func__, &tokens, token, token_len) : NULL;
    if (error == NULL && i < before->len) {
      error = put(__func__, &tokens, vocabulary_text(before, &before->tokens[i]), before->tokens[i].len);
    }
  }
  if (error != NULL) {
    vocabulary_free(&tokens);
    return error;
  }
  vocabulary_free(&self->tokens);
  self->tokens = tokens;
  return NULL;
}

ctorch_error *ctorch_vocab_set_default_index(ctorch_vocab *self, const int64_t *index) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->has_default = index != NULL;
  self->default_index = index == NULL ? 0 : *index;
  return NULL;
}

ctorch_error *ctorch_vocab_default_index(int64_t *out, bool *is_set, const ctorch_vocab *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || is_set == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : is_set == NULL ? "is_set" : "self");
  }
  *is_set = self->has_default;
  *out = self->default_index;
  return NULL;
}

/* Counting --------------------------------------------------------------------------------------------------------- */

struct ctorch_vocab_counter {
  struct word_counts counts;
};

static void finalize_counter(void *object) { word_counts_free(&((ctorch_vocab_counter *)object)->counts); }

static const object_class counter_class = {"vocab_counter", sizeof(ctorch_vocab_counter), finalize_counter};

void ctorch_vocab_counter_retain(const ctorch_vocab_counter *self) { object_retain(self); }
void ctorch_vocab_counter_release(ctorch_vocab_counter *self) { object_release(self); }

ctorch_error *ctorch_vocab_counter_new(ctorch_vocab_counter **out) {
  CTORCH_TRY(error_refusal(__func__));
  return out == NULL ? error_null(__func__, "out") : object_give(__func__, out, object_new(&counter_class));
}

ctorch_error *ctorch_vocab_counter_update(ctorch_vocab_counter *self, const char *const *tokens, size_t tokens_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "tokens", tokens, tokens_len));
  for (size_t i = 0; i < tokens_len; i++) {
    CTORCH_TRY(word_counts_add(__func__, &self->counts, tokens[i], strlen(tokens[i])));
  }
  return NULL;
}

/* Those of the first `len` that are frequent enough and no special tokens. */
static ctorch_error *put_frequent(
    const char *function,
    struct vocabulary *tokens,
    const struct vocabulary *specials,
    const struct word_count *sorted,
    size_t len,
    uint64_t min_freq) {
  for (size_t i = 0; i < len && sorted[i].count >= min_freq; i++) {
    if (vocabulary_find(specials, sorted[i].text, sorted[i].len) == NULL) {
      CTORCH_TRY(put(function, tokens, sorted[i].text, sorted[i].len));
    }
  }
  return NULL;
}

ctorch_error *ctorch_vocab_counter_build(
    ctorch_vocab **out,
    const ctorch_vocab_counter *self,
    int64_t min_freq,
    const int64_t *max_tokens,
    const char *const *specials,
    size_t specials_len,
    bool special_first) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (min_freq < 1) {
    return error_argument(__func__, "min_freq", "expected at least 1, got %" PRId64, min_freq);
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "specials", specials, specials_len));
  if (max_tokens != NULL && *max_tokens <= (int64_t)specials_len) {
    return error_argument(
        __func__, "max_tokens", "expected more than the %zu special tokens, got %" PRId64, specials_len, *max_tokens);
  }
  struct vocabulary special = {.len = 0}, tokens = {.len = 0};
  struct word_count *sorted = NULL;
  size_t len = self->counts.words.len;
  if (max_tokens != NULL && (uint64_t)*max_tokens - specials_len < len) {
    len = (size_t)*max_tokens - specials_len;
  }
  ctorch_error *error = put_all(__func__, &special, "specials", specials, specials_len);
  THEN(error, word_counts_sort(__func__, &self->counts, &sorted));
  if (special_first) {
    THEN(error, put_all(__func__, &tokens, "specials", specials, specials_len));
  }
  THEN(error, put_frequent(__func__, &tokens, &special, sorted, len, (uint64_t)min_freq));
  if (!special_first) {
    THEN(error, put_all(__func__, &tokens, "specials", specials, specials_len));
  }
  free(sorted);
  vocabulary_free(&special);
  return give(__func__, out, &tokens, error);
}
