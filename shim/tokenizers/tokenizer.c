/* Tokenizers: from a file, and to one: <ctorch/tokenizers/tokenizer.h>. */
#include "tokenizers/tokenizer.h"

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

static void finalize(void *object) {
  ctorch_tokenizer *self = object;
  normalizer_free(self->normalizer);
  pre_tokenizer_free(self->pre_tokenizer);
  post_processor_free(self->post_processor);
  decoder_free(self->decoder);
  added_tokens_free(&self->added);
  free(self->padding.token);
  workspaces_free(&self->workspaces);
#if CTORCH_HAS_JANSSON
  json_decref(self->description);
#endif
  object_unref(self->model);
}

static const object_class tokenizer_class = {"tokenizer", sizeof(ctorch_tokenizer), finalize};

void ctorch_tokenizer_retain(const ctorch_tokenizer *self) { object_retain(self); }
void ctorch_tokenizer_release(ctorch_tokenizer *self) { object_release(self); }

#if CTORCH_HAS_JANSSON
static ctorch_error *check_libraries(const char *function) {
  if (!character_is_supported()) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "tokenizers: ctorch was built without utf8proc");
  }
  if (!pattern_is_supported()) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "tokenizers: ctorch was built without PCRE2");
  }
  return NULL;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

static struct description part_of(const char *function, const json_t *json, const char *key) {
  return (struct description){function, key, json_object_get(json, key)};
}

static bool is_there(const struct description *part) { return part->json != NULL && !json_is_null(part->json); }

static ctorch_error *read_components(const char *function, ctorch_tokenizer *self, const json_t *json) {
  const struct description model = part_of(function, json, "model");
  const struct description normalizer = part_of(function, json, "normalizer");
  const struct description pre_tokenizer = part_of(function, json, "pre_tokenizer");
  const struct description post_processor = part_of(function, json, "post_processor");
  const struct description decoder = part_of(function, json, "decoder");
  CTORCH_TRY(model_new(&self->model, &model));
  CTORCH_TRY(is_there(&normalizer) ? normalizer_new(&self->normalizer, &normalizer) : NULL);
  CTORCH_TRY(is_there(&pre_tokenizer) ? pre_tokenizer_new(&self->pre_tokenizer, &pre_tokenizer) : NULL);
  CTORCH_TRY(is_there(&post_processor) ? post_processor_new(&self->post_processor, &post_processor) : NULL);
  CTORCH_TRY(is_there(&decoder) ? decoder_new(&self->decoder, &decoder) : NULL);
  self->dropout = self->model->dropout;
  self->leaves_bytes =
      self->model->kind == MODEL_BPE && self->model->has_bytes && pre_tokenizer_is_byte_level(self->pre_tokenizer);
  return NULL;
}

static ctorch_error *read_choice(
    const struct description *part,
    int *out,
    const char *key,
    const char *const *names,
    int names_len,
    bool is_needed) {
  const char *name = NULL;
  size_t len = 0;
  CTORCH_TRY(description_text(part, &name, &len, key, is_needed));
  for (int i = 0; name != NULL && i < names_len; i++) {
    if (strcmp(names[i], name) == 0) {
      *out = i;
      return NULL;
    }
  }
  return name == NULL ? NULL : description_error(part, "\"%.40s\" is not known as \"%s\"", name, key);
}

static const char *const DIRECTIONS[] = {"Right", "Left"};
static const char *const STRATEGIES[] = {"LongestFirst", "OnlyFirst", "OnlySecond"};

static ctorch_error *read_truncation(const char *function, ctorch_tokenizer *self, const json_t *json) {
  const struct description part = part_of(function, json, "truncation");
  struct truncation *truncation = &self->truncation;
  int direction = 0, strategy = 0;
  if (!is_there(&part)) {
    return NULL;
  }
  CTORCH_TRY(read_choice(&part, &direction, "direction", DIRECTIONS, 2, false));
  CTORCH_TRY(read_choice(&part, &strategy, "strategy", STRATEGIES, 3, true));
  CTORCH_TRY(description_number(&part, &truncation->max_length, "max_length", true));
  CTORCH_TRY(description_number(&part, &truncation->stride, "stride", true));
  truncation->is_on = true;
  truncation->is_left = direction == 1;
  truncation->strategy = strategy;
  return NULL;
}

static ctorch_error *read_padding(const char *function, ctorch_tokenizer *self, const json_t *json) {
  const struct description part = part_of(function, json, "padding");
  struct padding *padding = &self->padding;
  const char *token = "";
  size_t len = 0;
  int direction = 0;
  if (!is_there(&part)) {
    return NULL;
  }
  const json_t *strategy = json_object_get(part.json, "strategy");
  if (json_is_object(strategy)) {
    const struct description fixed = {function, "padding", strategy};
    padding->is_fixed = true;
    CTORCH_TRY(description_number(&fixed, &padding->length, "Fixed", true));
  } else if (!json_is_string(strategy) || strcmp(json_string_value(strategy), "BatchLongest") != 0) {
    return description_error(&part, "expected BatchLongest or {\"Fixed\": a length} as \"strategy\"");
  }
  CTORCH_TRY(read_choice(&part, &direction, "direction", DIRECTIONS, 2, true));
  CTORCH_TRY(description_number(&part, &padding->multiple_of, "pad_to_multiple_of", false));
  CTORCH_TRY(description_number(&part, &padding->id, "pad_id", true));
  CTORCH_TRY(description_number(&part, &padding->type_id, "pad_type_id", true));
  CTORCH_TRY(description_text(&part, &token, &len, "pad_token", true));
  padding->token = malloc(len + 1);
  if (padding->token == NULL) {
    return error_memory(function, len);
  }
  memcpy(padding->token, token, len + 1);
  padding->token_len = (uint32_t)len;
  padding->is_left = direction == 1;
  padding->is_on = true;
  return NULL;
}

static ctorch_error *read_added_token(const char *function, ctorch_tokenizer *self, const json_t *json) {
  const struct description part = {function, "added_tokens", json};
  struct added_token token = {.normalized = true};
  const char *content = "";
  CTORCH_TRY(description_text(&part, &content, &token.content_len, "content", true));
  CTORCH_TRY(description_bool(&part, &token.single_word, "single_word", true));
  CTORCH_TRY(description_bool(&part, &token.lstrip, "lstrip", true));
  CTORCH_TRY(description_bool(&part, &token.rstrip, "rstrip", true));
  CTORCH_TRY(description_bool(&part, &token.normalized, "normalized", true));
  CTORCH_TRY(description_bool(&part, &token.special, "special", true));
  return tokenizer_put_added(function, self, content, token, NULL);
}

static ctorch_error *read_added_tokens(const char *function, ctorch_tokenizer *self, const json_t *json) {
  const struct description part = part_of(function, json, "added_tokens");
  if (is_there(&part) && !json_is_array(part.json)) {
    return description_error(&part, "expected a list");
  }
  for (size_t i = 0; i < json_array_size(part.json); i++) {
    CTORCH_TRY(read_added_token(function, self, json_array_get(part.json, i)));
  }
  return added_tokens_refresh(function, &self->added);
}

/* What is kept for the file that is written again. */
static ctorch_error *keep_description(const char *function, ctorch_tokenizer *self, const json_t *json) {
  static const char *const KEPT[] = {"normalizer", "pre_tokenizer", "post_processor", "decoder"};
  json_t *kept = json_object(), *model = json_object();
  bool is_kept = kept != NULL && model != NULL;
  self->description = kept;
  for (size_t i = 0; is_kept && i < sizeof KEPT / sizeof *KEPT; i++) {
    json_t *part = json_object_get(json, KEPT[i]);
    is_kept = json_object_set_new(kept, KEPT[i], part == NULL ? json_null() : json_deep_copy(part)) == 0;
  }
  json_t *parts = json_object_get(json, "model");
  for (void *at = json_object_iter(parts); is_kept && at != NULL; at = json_object_iter_next(parts, at)) {
    const char *key = json_object_iter_key(at);
    if (strcmp(key, "vocab") != 0 && strcmp(key, "merges") != 0) {
      is_kept = json_object_setn(model, key, json_object_iter_key_len(at), json_object_iter_value(at)) == 0;
    }
  }
  is_kept = json_object_set_new(kept, "model", model) == 0 && is_kept;
  return is_kept ? NULL : error_memory(function, 0);
}

static ctorch_error *read(const char *function, ctorch_tokenizer *self, const json_t *json) {
  const char *version = json_string_value(json_object_get(json, "version"));
  if (version != NULL && strcmp(version, "1.0") != 0) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "a tokenizer of version \"%.40s\"", version);
  }
  CTORCH_TRY(read_components(function, self, json));
  CTORCH_TRY(read_truncation(function, self, json));
  CTORCH_TRY(read_padding(function, self, json));
  CTORCH_TRY(read_added_tokens(function, self, json));
  return keep_description(function, self, json);
}

/* Bytes: ctorch_tokenizer_set_limit. */
static const size_t FIRST_LIMIT = (size_t)1 << 30;

ctorch_error *tokenizer_new(const char *function, ctorch_tokenizer **out, json_t *description) {
  CTORCH_TRY(check_libraries(function));
  ctorch_tokenizer *self = object_new(&tokenizer_class);
  ctorch_error *error = self == NULL ? error_memory(function, sizeof *self) : read(function, self, description);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  self->limit = FIRST_LIMIT;
  *out = self;
  return NULL;
}

static ctorch_error *open_json(const char *function, ctorch_tokenizer **out, const ctorch_reader *reader) {
  json_t *json = NULL;
  ctorch_tokenizer *self = NULL;
  CTORCH_TRY(check_libraries(function));
  CTORCH_TRY(json_read(function, &json, reader, 0, ctorch_reader_nbytes(reader)));
  ctorch_error *error = tokenizer_new(function, &self, json);
  json_decref(json);
  return error != NULL ? error_at(error, "%s", reader_name(reader)) : object_give(function, out, self);
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

static bool set(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) == 0; }

static json_t *describe_added(const ctorch_tokenizer *self) {
  json_t *list = json_array();
  /* In the order of their ids. */
  for (uint64_t last = 0, next = 0; list != NULL; last = next + 1) {
    const struct added_token *found = NULL;
    for (size_t i = 0; i < self->added.len; i++) {
      const struct added_token *token = &self->added.data[i];
      if (!token->is_replaced && token->id >= last && (found == NULL || token->id < found->id)) {
        found = token;
      }
    }
    if (found == NULL) {
      break;
    }
    next = found->id;
    json_t *token = json_object();
    const bool is_set = set(token, "id", json_integer(found->id)) &&
                        set(token, "content", json_stringn(found->content, found->content_len)) &&
                        set(token, "single_word", json_boolean(found->single_word)) &&
                        set(token, "lstrip", json_boolean(found->lstrip)) &&
                        set(token, "rstrip", json_boolean(found->rstrip)) &&
                        set(token, "normalized", json_boolean(found->normalized)) &&
                        set(token, "special", json_boolean(found->special));
    if (json_array_append_new(list, token) != 0 || !is_set) {
      json_decref(list);
      return NULL;
    }
  }
  return list;
}

static json_t *describe_truncation(const ctorch_tokenizer *self) {
  const struct truncation *truncation = &self->truncation;
  json_t *json = truncation->is_on ? json_object() : json_null();
  if (truncation->is_on && !(set(json, "direction", json_string(DIRECTIONS[truncation->is_left])) &&
                             set(json, "max_length", json_integer(truncation->max_length)) &&
                             set(json, "strategy", json_string(STRATEGIES[truncation->strategy])) &&
                             set(json, "stride", json_integer(truncation->stride)))) {
    json_decref(json);
    return NULL;
  }
  return json;
}

static json_t *describe_padding(const ctorch_tokenizer *self) {
  const struct padding *padding = &self->padding;
  json_t *json = padding->is_on ? json_object() : json_null();
  if (!padding->is_on) {
    return json;
  }
  json_t *strategy = padding->is_fixed ? json_object() : json_string("BatchLongest");
  if (!(padding->is_fixed ? set(strategy, "Fixed", json_integer(padding->length)) : strategy != NULL) ||
      !(set(json, "strategy", strategy) && set(json, "direction", json_string(DIRECTIONS[padding->is_left])) &&
        set(json, "pad_to_multiple_of", padding->multiple_of == 0 ? json_null() : json_integer(padding->multiple_of)) &&
        set(json, "pad_id", json_integer(padding->id)) && set(json, "pad_type_id", json_integer(padding->type_id)) &&
        set(json, "pad_token", json_stringn(padding->token, padding->token_len)))) {
    json_decref(json);
    return NULL;
  }
  return json;
}

static json_t *text_of(const struct vocabulary *vocabulary, const struct vocabulary_token *token) {
  return token == NULL ? NULL : json_stringn(vocabulary_text(vocabulary, token), token->len);
}

static int compare_ids(const void *a, const void *b) {
  const struct vocabulary_token *x = *(const struct vocabulary_token *const *)a;
  const struct vocabulary_token *y = *(const struct vocabulary_token *const *)b;
  return x->id != y->id ? (x->id < y->id ? -1 : 1) : (x->at < y->at ? -1 : x->at > y->at);
}

static json_t *describe_vocabulary(const struct token_model *model) {
  const struct vocabulary *vocabulary = &model->vocabulary;
  const struct vocabulary_token **tokens = malloc((vocabulary->len + 1) * sizeof *tokens);
  json_t *json = tokens == NULL ? NULL : model->kind == MODEL_UNIGRAM ? json_array() : json_object();
  for (size_t i = 0; json != NULL && i < vocabulary->len; i++) {
    tokens[i] = &vocabulary->tokens[i];
  }
  if (json != NULL) {
    qsort(tokens, vocabulary->len, sizeof *tokens, compare_ids);
  }
  bool is_set = json != NULL;
  for (size_t i = 0; is_set && i < vocabulary->len; i++) {
    const struct vocabulary_token *token = tokens[i];
    is_set =
        model->kind == MODEL_UNIGRAM
            ? json_array_append_new(
                  json, json_pack("[oo]", text_of(vocabulary, token), json_real(model->scores[token->id]))) == 0
            : json_object_setn_new(json, vocabulary_text(vocabulary, token), token->len, json_integer(token->id)) == 0;
  }
  free(tokens);
  if (!is_set) {
    json_decref(json);
    return NULL;
  }
  return json;
}

static json_t *describe_merges(const struct token_model *model) {
  const struct vocabulary *vocabulary = &model->vocabulary;
  json_t *json = json_array();
  for (size_t i = 0; json != NULL && i < model->merges_len; i++) {
    const uint64_t pair = model->merges_in_order[i];
    json_t *left = text_of(vocabulary, vocabulary_of_id(vocabulary, (uint32_t)(pair >> 32)));
    json_t *right = text_of(vocabulary, vocabulary_of_id(vocabulary, (uint32_t)pair));
    if (json_array_append_new(json, json_pack("[oo]", left, right)) != 0) {
      json_decref(json);
      return NULL;
    }
  }
  return json;
}

json_t *tokenizer_describe(const ctorch_tokenizer *self) {
  static const char *const PARTS[] = {"normalizer", "pre_tokenizer", "post_processor", "decoder"};
  json_t *json = json_object(), *model = json_deep_copy(json_object_get(self->description, "model"));
  bool is_set = model != NULL && set(json, "version", json_string("1.0")) &&
                set(json, "truncation", describe_truncation(self)) && set(json, "padding", describe_padding(self)) &&
                set(json, "added_tokens", describe_added(self));
  for (size_t i = 0; is_set && i < sizeof PARTS / sizeof *PARTS; i++) {
    is_set = set(json, PARTS[i], json_deep_copy(json_object_get(self->description, PARTS[i])));
  }
  is_set = is_set && set(model, "vocab", describe_vocabulary(self->model)) &&
           (self->model->kind != MODEL_BPE || set(model, "merges", describe_merges(self->model)));
  if (json_object_set_new(json, "model", model) != 0 || !is_set) {
    json_decref(json);
    return NULL;
  }
  return json;
}

/* The caller frees the text. */
static ctorch_error *write_json(const char *function, char **out, const ctorch_tokenizer *self, bool pretty) {
  json_t *json = tokenizer_describe(self);
  const size_t flags = (pretty ? JSON_INDENT(2) : JSON_COMPACT) | JSON_REAL_PRECISION(17);
  *out = json == NULL ? NULL : json_dumps(json, flags);
  json_decref(json);
  return *out == NULL ? error_memory(function, 0) : NULL;
}
#else
static ctorch_error *refuse(const char *function) {
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "tokenizers: ctorch was built without jansson");
}

static ctorch_error *open_json(const char *function, ctorch_tokenizer **out, const ctorch_reader *reader) {
  (void)out;
  (void)reader;
  return refuse(function);
}

static ctorch_error *write_json(const char *function, char **out, const ctorch_tokenizer *self, bool pretty) {
  (void)out;
  (void)self;
  (void)pretty;
  return refuse(function);
}
#endif

ctorch_error *ctorch_tokenizer_to_json(ctorch_string **out, const ctorch_tokenizer *self, bool pretty) {
  CTORCH_TRY(error_refusal(__func__));
  char *text = NULL;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(write_json(__func__, &text, self, pretty));
  ctorch_error *error = string_give(__func__, out, text, strlen(text));
  free(text);
  return error;
}

ctorch_error *ctorch_tokenizer_save(const ctorch_tokenizer *self, const char *path, bool pretty) {
  CTORCH_TRY(error_refusal(__func__));
  char *text = NULL;
  ctorch_writer *writer = NULL;
  if (self == NULL || path == NULL) {
    return error_null(__func__, self == NULL ? "self" : "path");
  }
  CTORCH_TRY(write_json(__func__, &text, self, pretty));
  ctorch_error *error = ctorch_writer_open(&writer, path);
  THEN(error, ctorch_writer_write(writer, text, strlen(text)));
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  free(text);
  return error_of(__func__, error);
}

ctorch_error *ctorch_tokenizer_open(ctorch_tokenizer **out, const ctorch_reader *reader) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  return open_json(__func__, out, reader);
}

ctorch_error *ctorch_tokenizer_open_file(ctorch_tokenizer **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_reader *reader = NULL;
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = open_json(__func__, out, reader);
  ctorch_reader_release(reader);
  return error;
}
