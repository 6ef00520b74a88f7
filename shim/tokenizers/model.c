/* Models: WordLevel, WordPiece, and what all have. Facts from the tokenizers library's models. */
#include "tokenizers/model.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/word_cache.h"

static void finalize(void *object) {
  struct token_model *self = object;
  vocabulary_free(&self->vocabulary);
  free(self->unk_token);
  free(self->prefix);
  free(self->suffix);
  model_free_bpe(self);
  model_free_unigram(self);
}

static const object_class model_class = {"tokenizer", sizeof(struct token_model), finalize};

/* Reading ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static ctorch_error *read_copy(
    const struct description *description, char **out, size_t *out_len, const char *key, bool is_needed) {
  const char *text = NULL;
  CTORCH_TRY(description_text(description, &text, out_len, key, is_needed));
  if (text == NULL) {
    return NULL;
  }
  *out = malloc(*out_len + 1);
  if (*out == NULL) {
    return error_memory(description->function, *out_len);
  }
  memcpy(*out, text, *out_len + 1);
  return NULL;
}

static ctorch_error *read_vocabulary(struct token_model *self, const struct description *description) {
  json_t *vocab = json_object_get(description->json, "vocab");
  if (!json_is_object(vocab)) {
    return description_error(description, "expected an object as \"vocab\"");
  }
  for (void *at = json_object_iter(vocab); at != NULL; at = json_object_iter_next(vocab, at)) {
    const json_t *id = json_object_iter_value(at);
    if (!json_is_integer(id) || json_integer_value(id) < 0 || json_integer_value(id) >= UINT32_MAX) {
      return description_error(description, "\"vocab\": an id that is no number of 32 bits");
    }
    CTORCH_TRY(vocabulary_put(
        description->function, &self->vocabulary, json_object_iter_key(at), json_object_iter_key_len(at),
        (uint32_t)json_integer_value(id)));
  }
  return NULL;
}

static void find_unk(struct token_model *self) {
  self->has_unk = self->unk_token != NULL;
  const struct vocabulary_token *unk =
      self->has_unk ? vocabulary_find(&self->vocabulary, self->unk_token, self->unk_len) : NULL;
  self->is_unk_known = unk != NULL;
  self->unk_id = unk != NULL ? unk->id : 0;
}

static ctorch_error *read_members(struct token_model *self, const struct description *description) {
  const bool is_bpe = self->kind == MODEL_BPE, is_wordpiece = self->kind == MODEL_WORDPIECE;
  if (self->kind == MODEL_UNIGRAM) {
    return model_read_unigram(self, description);
  }
  CTORCH_TRY(read_vocabulary(self, description));
  CTORCH_TRY(read_copy(description, &self->unk_token, &self->unk_len, "unk_token", !is_bpe));
  find_unk(self);
  if (is_bpe || is_wordpiece) {
    CTORCH_TRY(read_copy(description, &self->prefix, &self->prefix_len, "continuing_subword_prefix", is_wordpiece));
  }
  if (is_wordpiece) {
    return description_number(description, &self->max_input_chars_per_word, "max_input_chars_per_word", true);
  }
  if (is_bpe) {
    CTORCH_TRY(read_copy(description, &self->suffix, &self->suffix_len, "end_of_word_suffix", false));
    return model_read_bpe(self, description);
  }
  return NULL;
}

/* What the members say where there is no "type", as old files have it. */
static int guess(const json_t *json) {
  if (json_object_get(json, "merges") != NULL) {
    return MODEL_BPE;
  }
  if (json_object_get(json, "max_input_chars_per_word") != NULL) {
    return MODEL_WORDPIECE;
  }
  return json_is_array(json_object_get(json, "vocab")) ? MODEL_UNIGRAM : MODEL_WORDLEVEL;
}

ctorch_error *model_new(struct token_model **out, const struct description *description) {
  static const char *const NAMES[MODELS_LEN] = {"BPE", "WordPiece", "Unigram", "WordLevel"};
  int kind = guess(description->json);
  if (!json_is_object(description->json)) {
    return description_error(description, "expected an object");
  }
  if (json_object_get(description->json, "type") != NULL) {
    CTORCH_TRY(description_kind(description, &kind, NAMES, MODELS_LEN));
  }
  struct token_model *self = object_new(&model_class);
  if (self == NULL) {
    return error_memory(description->function, sizeof *self);
  }
  self->kind = (enum model_kind)kind;
  ctorch_error *error = read_members(self, description);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = self;
  return NULL;
}
#endif

/* Words ------------------------------------------------------------------------------------------------------------ */

static struct token unk_of(struct workspace *workspace, const struct token_model *self, size_t len) {
  if (!self->is_unk_known) {
    workspace_fail(
        workspace, error_make(
                       workspace->function, CTORCH_ERROR_RUNTIME,
                       "the text has a word that is not in the vocabulary, and the vocabulary has no token for such"));
  }
  return (struct token){.id = self->unk_id, .begin = 0, .end = (uint32_t)len};
}

static void run_wordlevel(
    struct workspace *workspace, const struct token_model *self, const struct piece *piece, struct tokens *out) {
  const struct vocabulary_token *found = vocabulary_find(&self->vocabulary, piece->data, piece->len);
  struct token token = {.id = found == NULL ? 0 : found->id, .begin = 0, .end = (uint32_t)piece->len};
  WORKSPACE_PUSH(workspace, out, found == NULL ? unk_of(workspace, self, piece->len) : token);
}

static size_t last_character_len(const char *data, size_t end) {
  size_t len = 1;
  while (len < end && utf8_continues(data[end - len])) {
    len++;
  }
  return len;
}

/* The longest token that stands at `begin`, behind the prefix if that is not the beginning. */
static const struct vocabulary_token *longest(
    const struct token_model *self, const char *word, size_t begin, size_t len, char *buffer, size_t *out_end) {
  const size_t prefix_len = begin == 0 ? 0 : self->prefix_len;
  const char *data = word + begin;
  if (prefix_len > 0) {
    memcpy(buffer, self->prefix, prefix_len);
    memcpy(buffer + prefix_len, word + begin, len - begin);
    data = buffer;
  }
  for (size_t end = len; end > begin; end -= last_character_len(word, end)) {
    const struct vocabulary_token *found = vocabulary_find(&self->vocabulary, data, prefix_len + end - begin);
    if (found != NULL) {
      *out_end = end;
      return found;
    }
  }
  return NULL;
}

static void divide_word(
    struct workspace *workspace, const struct token_model *self, const struct piece *piece, struct tokens *out) {
  const size_t first = out->len;
  char *buffer = workspace_take(workspace, self->prefix_len + piece->len);
  const bool is_long = utf8_count(piece->data, piece->len) > self->max_input_chars_per_word;
  for (size_t begin = 0, end = 0; begin < piece->len; begin = end) {
    const struct vocabulary_token *found = is_long ? NULL : longest(self, piece->data, begin, piece->len, buffer, &end);
    if (found == NULL) {
      out->len = first;
      WORKSPACE_PUSH(workspace, out, unk_of(workspace, self, piece->len));
      return;
    }
    WORKSPACE_PUSH(workspace, out, ((struct token){.id = found->id, .begin = (uint32_t)begin, .end = (uint32_t)end}));
  }
}

static void run_wordpiece(
    struct workspace *workspace, const struct token_model *self, const struct piece *piece, struct tokens *out) {
  const uint64_t hash = hash_bytes(piece->data, piece->len);
  size_t parts_len = 0;
  const struct word_part *parts = word_cache_find(workspace->words, piece->data, piece->len, hash, &parts_len);
  if (parts != NULL) {
    uint32_t begin = 0;
    for (size_t i = 0; i < parts_len; begin += parts[i++].len) {
      WORKSPACE_PUSH(workspace, out, ((struct token){.id = parts[i].id, .begin = begin, .end = begin + parts[i].len}));
    }
    return;
  }
  const size_t first = out->len;
  divide_word(workspace, self, piece, out);
  struct word_part made[WORD_MOST_PARTS];
  for (size_t i = first; i < out->len && i - first < WORD_MOST_PARTS; i++) {
    made[i - first] = (struct word_part){out->data[i].id, out->data[i].end - out->data[i].begin};
  }
  if (out->len - first <= WORD_MOST_PARTS) {
    word_cache_put(workspace->words, piece->data, piece->len, hash, made, out->len - first);
  }
}

void model_run(
    struct workspace *workspace,
    const struct token_model *self,
    const struct piece *piece,
    bool is_bytes,
    struct tokens *out) {
  if (piece->len == 0) {
    return;
  }
  if (workspace->words == NULL) {
    workspace->words = word_cache_new();
  }
  switch (self->kind) {
    case MODEL_BPE:
      model_run_bpe(workspace, self, piece, is_bytes, out);
      break;
    case MODEL_WORDPIECE:
      run_wordpiece(workspace, self, piece, out);
      break;
    case MODEL_UNIGRAM:
      model_run_unigram(workspace, self, piece, out);
      break;
    default:
      run_wordlevel(workspace, self, piece, out);
  }
}
