/* Trainers of tokenizers: <ctorch/tokenizers/tokenizer_trainer.h>: what is set, words, and the tokenizer that is made
 * of what was learnt. */
#include "tokenizers/trainer.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "tokenizers/byte_level.h"
#include "tokenizers/character.h"

static void finalize(void *object) {
  ctorch_tokenizer_trainer *self = object;
  object_unref(self->tokenizer);
  vocabulary_free(&self->specials);
  vocabulary_free(&self->alphabet);
  word_counts_free(&self->counts);
  free(self->prefix);
  free(self->suffix);
  free(self->unk_token);
  workspaces_free(&self->workspaces);
}

static const object_class trainer_class = {"tokenizer_trainer", sizeof(ctorch_tokenizer_trainer), finalize};

void ctorch_tokenizer_trainer_retain(const ctorch_tokenizer_trainer *self) { object_retain(self); }
void ctorch_tokenizer_trainer_release(ctorch_tokenizer_trainer *self) { object_release(self); }

static ctorch_error *copy_text(const char *function, char **out, const char *text) {
  *out = text == NULL ? NULL : malloc(strlen(text) + 1);
  if (*out != NULL) {
    memcpy(*out, text, strlen(text) + 1);
  }
  return text != NULL && *out == NULL ? error_memory(function, strlen(text)) : NULL;
}

ctorch_error *ctorch_tokenizer_trainer_new(
    ctorch_tokenizer_trainer **out, const ctorch_tokenizer *tokenizer, int64_t vocab_size, int64_t min_frequency) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || tokenizer == NULL) {
    return error_null(__func__, out == NULL ? "out" : "tokenizer");
  }
  if (vocab_size < 0 || vocab_size > INT32_MAX) {
    return error_argument(__func__, "vocab_size", "expected a number from 0 to 2^31, got %" PRId64, vocab_size);
  }
  if (min_frequency < 0) {
    return error_argument(__func__, "min_frequency", "expected at least 0, got %" PRId64, min_frequency);
  }
  if (tokenizer->model->kind == MODEL_UNIGRAM && min_frequency != 0) {
    return error_argument(__func__, "min_frequency", "expected 0 for Unigram, got %" PRId64, min_frequency);
  }
  ctorch_tokenizer_trainer *self = object_new(&trainer_class);
  if (self == NULL) {
    return error_memory(__func__, sizeof *self);
  }
  self->tokenizer = object_ref(tokenizer);
  self->vocab_size = (size_t)vocab_size;
  self->min_frequency = min_frequency;
  self->limit_alphabet = -1;
  self->max_token_length = -1;
  self->shrinking_factor = 0.75;
  self->max_piece_length = 16;
  self->n_sub_iterations = 2;
  ctorch_error *error = tokenizer->model->kind == MODEL_WORDPIECE ? copy_text(__func__, &self->prefix, "##") : NULL;
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(__func__, out, self);
}

/* Settings --------------------------------------------------------------------------------------------------------- */

/* What a model of this kind does not have: UNSUPPORTED. */
static ctorch_error *check_kind(
    const char *function, const ctorch_tokenizer_trainer *self, unsigned kinds, const char *what) {
  static const char *const NAMES[MODELS_LEN] = {"BPE", "WordPiece", "Unigram", "WordLevel"};
  const enum model_kind kind = self->tokenizer->model->kind;
  return (kinds >> kind & 1) != 0 ? NULL
                                  : error_make(function, CTORCH_ERROR_UNSUPPORTED, "%s has no %s", NAMES[kind], what);
}
enum { MERGES = 1 << MODEL_BPE | 1 << MODEL_WORDPIECE, PIECES = 1 << MODEL_UNIGRAM };

ctorch_error *ctorch_tokenizer_trainer_add_special_tokens(
    ctorch_tokenizer_trainer *self, const char *const *tokens, size_t tokens_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "tokens", tokens, tokens_len));
  for (size_t i = 0; i < tokens_len; i++) {
    const size_t len = strlen(tokens[i]);
    if (vocabulary_find(&self->specials, tokens[i], len) == NULL) {
      CTORCH_TRY(vocabulary_put(__func__, &self->specials, tokens[i], len, (uint32_t)self->specials.len));
    }
  }
  return NULL;
}

static ctorch_error *put_character(const char *function, struct vocabulary *alphabet, const char *data, size_t len) {
  return vocabulary_find(alphabet, data, len) != NULL
             ? NULL
             : vocabulary_put(function, alphabet, data, len, utf8_decode(data));
}

ctorch_error *ctorch_tokenizer_trainer_set_initial_alphabet(
    ctorch_tokenizer_trainer *self, const char *alphabet, size_t alphabet_len, bool byte_level) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_kind(__func__, self, MERGES | PIECES, "alphabet"));
  CTORCH_TRY(tokenizer_check_text(__func__, "alphabet", alphabet, alphabet_len));
  struct vocabulary characters = {.len = 0};
  ctorch_error *error = NULL;
  for (size_t at = 0; error == NULL && at < alphabet_len; at += utf8_len_from(alphabet[at])) {
    error = put_character(__func__, &characters, alphabet + at, utf8_len_from(alphabet[at]));
  }
  for (unsigned i = 0; error == NULL && byte_level && i < 256; i++) {
    char text[4];
    const size_t len = utf8_encode(text, byte_level_character((unsigned char)i));
    error = put_character(__func__, &characters, text, len);
  }
  if (error != NULL) {
    vocabulary_free(&characters);
    return error;
  }
  vocabulary_free(&self->alphabet);
  self->alphabet = characters;
  return NULL;
}

ctorch_error *ctorch_tokenizer_trainer_set_limits(
    ctorch_tokenizer_trainer *self, int64_t limit_alphabet, int64_t max_token_length) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_kind(__func__, self, MERGES, "limits"));
  if (limit_alphabet < -1 || max_token_length < -1) {
    return error_argument(
        __func__, limit_alphabet < -1 ? "limit_alphabet" : "max_token_length", "expected at least -1, got %" PRId64,
        limit_alphabet < -1 ? limit_alphabet : max_token_length);
  }
  self->limit_alphabet = limit_alphabet;
  self->max_token_length = max_token_length;
  return NULL;
}

ctorch_error *ctorch_tokenizer_trainer_set_affixes(
    ctorch_tokenizer_trainer *self, const char *continuing_subword_prefix, const char *end_of_word_suffix) {
  CTORCH_TRY(error_refusal(__func__));
  const char *prefix = continuing_subword_prefix, *suffix = end_of_word_suffix;
  char *kept_prefix = NULL, *kept_suffix = NULL;
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_kind(__func__, self, MERGES, "affixes"));
  CTORCH_TRY(tokenizer_check_text(__func__, "continuing_subword_prefix", prefix, prefix == NULL ? 0 : strlen(prefix)));
  CTORCH_TRY(tokenizer_check_text(__func__, "end_of_word_suffix", suffix, suffix == NULL ? 0 : strlen(suffix)));
  CTORCH_TRY(copy_text(__func__, &kept_prefix, prefix));
  ctorch_error *error = copy_text(__func__, &kept_suffix, suffix);
  if (error != NULL) {
    free(kept_prefix);
    return error;
  }
  free(self->prefix);
  free(self->suffix);
  self->prefix = kept_prefix;
  self->suffix = kept_suffix;
  return NULL;
}

ctorch_error *ctorch_tokenizer_trainer_set_unigram(
    ctorch_tokenizer_trainer *self,
    const char *unk_token,
    double shrinking_factor,
    int64_t max_piece_length,
    int64_t n_sub_iterations) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(check_kind(__func__, self, PIECES, "pieces"));
  CTORCH_TRY(tokenizer_check_text(__func__, "unk_token", unk_token, unk_token == NULL ? 0 : strlen(unk_token)));
  if (!(shrinking_factor > 0 && shrinking_factor < 1)) {
    return error_argument(
        __func__, "shrinking_factor", "expected a number above 0 and below 1, got %g", shrinking_factor);
  }
  if (max_piece_length < 1 || max_piece_length > INT32_MAX) {
    return error_argument(
        __func__, "max_piece_length", "expected a number from 1 to 2^31, got %" PRId64, max_piece_length);
  }
  if (n_sub_iterations < 1) {
    return error_argument(__func__, "n_sub_iterations", "expected at least 1, got %" PRId64, n_sub_iterations);
  }
  char *kept = NULL;
  CTORCH_TRY(copy_text(__func__, &kept, unk_token));
  free(self->unk_token);
  self->unk_token = kept;
  self->shrinking_factor = shrinking_factor;
  self->max_piece_length = max_piece_length;
  self->n_sub_iterations = n_sub_iterations;
  return NULL;
}

/* Words ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *count_words(
    const char *function, ctorch_tokenizer_trainer *self, struct workspace *workspace, const char *text, size_t len) {
  const ctorch_tokenizer *tokenizer = self->tokenizer;
  struct pieces pieces = {.data = NULL};
  added_tokens_split(workspace, &tokenizer->added, tokenizer->normalizer, text, len, &pieces);
  if (tokenizer->pre_tokenizer != NULL) {
    pre_tokenizer_run(workspace, tokenizer->pre_tokenizer, &pieces, false);
  }
  for (size_t i = 0; i < pieces.len; i++) {
    CTORCH_TRY(word_counts_add(function, &self->counts, pieces.data[i].data, pieces.data[i].len));
  }
  return NULL;
}

ctorch_error *ctorch_tokenizer_trainer_feed(ctorch_tokenizer_trainer *self, const char *text, size_t text_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  struct workspace *workspace = workspaces_take(&self->workspaces, __func__);
  if (workspace == NULL) {
    return error_memory(__func__, sizeof *workspace);
  }
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    error = count_words(__func__, self, workspace, text == NULL ? "" : text, text_len);
  } else {
    error = workspace->error;
  }
  workspaces_give(&self->workspaces, workspace);
  return error;
}

/* Learning --------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static bool set(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) == 0; }
static json_t *text_or_null(const char *text) { return text == NULL ? json_null() : json_string(text); }

static bool describe_model(const ctorch_tokenizer_trainer *self, json_t *model, const struct learnt *learnt) {
  if (json_object_set(model, "vocab", learnt->vocab) != 0) {
    return false;
  }
  switch (self->tokenizer->model->kind) {
    case MODEL_BPE:
      return json_object_set(model, "merges", learnt->merges) == 0 &&
             set(model, "continuing_subword_prefix", text_or_null(self->prefix)) &&
             set(model, "end_of_word_suffix", text_or_null(self->suffix));
    case MODEL_WORDPIECE:
      return set(model, "continuing_subword_prefix", json_string(self->prefix == NULL ? "##" : self->prefix));
    case MODEL_UNIGRAM:
      return set(model, "unk_id", learnt->unk_id < 0 ? json_null() : json_integer(learnt->unk_id)) &&
             set(model, "byte_fallback", json_false());
    default:
      return true;
  }
}

/* The tokenizer that it began with, with what was learnt in place of its model's vocabulary. */
static json_t *describe(const ctorch_tokenizer_trainer *self, const struct learnt *learnt) {
  json_t *json = learnt->vocab == NULL ? NULL : tokenizer_describe(self->tokenizer);
  if (json != NULL && !describe_model(self, json_object_get(json, "model"), learnt)) {
    json_decref(json);
    return NULL;
  }
  return json;
}

static ctorch_error *make_tokenizer(
    const char *function, ctorch_tokenizer **out, const ctorch_tokenizer_trainer *self, const struct learnt *learnt) {
  json_t *json = describe(self, learnt);
  ctorch_tokenizer *made = NULL;
  ctorch_error *error = json == NULL ? error_memory(function, 0) : tokenizer_new(function, &made, json);
  json_decref(json);
  for (size_t i = 0; error == NULL && i < self->specials.len; i++) {
    const struct vocabulary_token *special = &self->specials.tokens[i];
    const struct added_token token = {.content_len = special->len, .special = true};
    error = tokenizer_put_added(function, made, vocabulary_text(&self->specials, special), token, NULL);
  }
  THEN(error, added_tokens_refresh(function, &made->added));
  if (error != NULL) {
    object_unref(made);
    return error;
  }
  return object_give(function, out, made);
}

static void learn(struct workspace *workspace, const ctorch_tokenizer_trainer *self, struct learnt *out) {
  switch (self->tokenizer->model->kind) {
    case MODEL_UNIGRAM:
      trainer_learn_unigram(workspace, self, out);
      break;
    case MODEL_WORDLEVEL:
      trainer_learn_wordlevel(workspace, self, out);
      break;
    default:
      trainer_learn_bpe(workspace, self, out);
  }
}

ctorch_error *ctorch_tokenizer_trainer_train(ctorch_tokenizer **out, const ctorch_tokenizer_trainer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct workspaces *workspaces = (struct workspaces *)(uintptr_t)&self->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, __func__);
  struct learnt learnt = {.unk_id = -1};
  ctorch_error *volatile error = workspace == NULL ? error_memory(__func__, 0) : NULL;
  if (error == NULL && setjmp(workspace->failed) == 0) {
    learn(workspace, self, &learnt);
  } else if (error == NULL) {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  THEN(error, make_tokenizer(__func__, out, self, &learnt));
  vocabulary_free(&learnt.tokens);
  trie_free(&learnt.trie);
  json_decref(learnt.vocab);
  json_decref(learnt.merges);
  return error;
}
#else
ctorch_error *ctorch_tokenizer_trainer_train(ctorch_tokenizer **out, const ctorch_tokenizer_trainer *self) {
  CTORCH_TRY(error_refusal(__func__));
  (void)out;
  (void)self;
  return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "tokenizers: ctorch was built without jansson");
}
#endif
