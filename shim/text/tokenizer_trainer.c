/* Trainers of tokenizers: <ctorch/tokenizer_trainer.h>. The merges are those of the tokenizers library's BpeTrainer: the
 * most frequent pair is merged, of equally frequent ones that of the lowest ids. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "bpe_pairs.h"
#include "byte_level.h"
#include "character.h"
#include "error.h"
#include "object.h"
#include "tokenizer.h"
#include "vocabulary.h"

struct ctorch_tokenizer_trainer {
  ctorch_tokenizer *tokenizer;
  size_t vocab_size;
  int64_t min_frequency;
  struct vocabulary specials;
  struct vocabulary alphabet; /* that is there whatever the texts have */
  struct vocabulary words;    /* by numbers */
  uint64_t *counts;           /* of the words */
  int64_t limit_alphabet, max_token_length;
  char *prefix, *suffix;
  struct workspaces workspaces;
};

static void finalize(void *object) {
  ctorch_tokenizer_trainer *self = object;
  object_unref(self->tokenizer);
  vocabulary_free(&self->specials);
  vocabulary_free(&self->alphabet);
  vocabulary_free(&self->words);
  free(self->counts);
  free(self->prefix);
  free(self->suffix);
  workspaces_free(&self->workspaces);
}

static const object_class trainer_class = {"tokenizer_trainer", sizeof(ctorch_tokenizer_trainer), finalize};

void ctorch_tokenizer_trainer_retain(const ctorch_tokenizer_trainer *self) { object_retain(self); }
void ctorch_tokenizer_trainer_release(ctorch_tokenizer_trainer *self) { object_release(self); }

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
  if (tokenizer->model->kind != MODEL_BPE) {
    return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "a model that is not BPE is not trained here");
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
  return object_give(__func__, out, self);
}

/* Settings ---------------------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_tokenizer_trainer_add_special_tokens(
    ctorch_tokenizer_trainer *self, const char *const *tokens, size_t tokens_len) {
  CTORCH_TRY(error_refusal(__func__));
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
  if (limit_alphabet < -1 || max_token_length < -1) {
    return error_argument(
        __func__, limit_alphabet < -1 ? "limit_alphabet" : "max_token_length", "expected at least -1, got %" PRId64,
        limit_alphabet < -1 ? limit_alphabet : max_token_length);
  }
  self->limit_alphabet = limit_alphabet;
  self->max_token_length = max_token_length;
  return NULL;
}

static ctorch_error *copy_text(const char *function, char **out, const char *text) {
  *out = text == NULL ? NULL : malloc(strlen(text) + 1);
  if (*out != NULL) {
    memcpy(*out, text, strlen(text) + 1);
  }
  return text != NULL && *out == NULL ? error_memory(function, strlen(text)) : NULL;
}

ctorch_error *ctorch_tokenizer_trainer_set_affixes(
    ctorch_tokenizer_trainer *self, const char *continuing_subword_prefix, const char *end_of_word_suffix) {
  CTORCH_TRY(error_refusal(__func__));
  const char *prefix = continuing_subword_prefix, *suffix = end_of_word_suffix;
  char *kept_prefix = NULL, *kept_suffix = NULL;
  if (self == NULL) {
    return error_null(__func__, "self");
  }
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

/* Words ------------------------------------------------------------------------------------------------------------- */

static ctorch_error *count_word(
    const char *function, ctorch_tokenizer_trainer *self, const char *word, size_t len, uint64_t count) {
  const struct vocabulary_token *known = vocabulary_find(&self->words, word, len);
  if (known == NULL) {
    CTORCH_TRY(array_grow(function, &self->counts, self->words.len, sizeof *self->counts));
    self->counts[self->words.len] = 0;
    CTORCH_TRY(vocabulary_put(function, &self->words, word, len, (uint32_t)self->words.len));
    known = &self->words.tokens[self->words.len - 1];
  }
  self->counts[known->id] += count;
  return NULL;
}

static ctorch_error *count_words(
    const char *function, ctorch_tokenizer_trainer *self, struct workspace *workspace, const char *text, size_t len) {
  const ctorch_tokenizer *tokenizer = self->tokenizer;
  struct pieces pieces = {.data = NULL};
  added_tokens_split(workspace, &tokenizer->added, tokenizer->normalizer, text, len, &pieces);
  if (tokenizer->pre_tokenizer != NULL) {
    pre_tokenizer_run(workspace, tokenizer->pre_tokenizer, &pieces, false);
  }
  for (size_t i = 0; i < pieces.len; i++) {
    CTORCH_TRY(count_word(function, self, pieces.data[i].data, pieces.data[i].len, 1));
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

/* Learning ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
struct symbol {
  uint32_t id, len;
};

struct training_word {
  struct symbol *symbols;
  size_t len;
};

struct training {
  const ctorch_tokenizer_trainer *trainer;
  struct workspace *workspace;
  struct vocabulary *tokens; /* ids are their numbers; the caller frees it */
  struct training_word *words;
  struct pair_counts counts;
  struct pair_queue queue;
  json_t *merges;
};

static void take_error(struct training *self, ctorch_error *error) {
  if (error != NULL) {
    workspace_fail(self->workspace, error);
  }
}

static uint32_t token_of(struct training *self, const char *text, size_t len) {
  const struct vocabulary_token *known = vocabulary_find(self->tokens, text, len);
  if (known != NULL) {
    return known->id;
  }
  const uint32_t id = (uint32_t)self->tokens->len;
  take_error(self, vocabulary_put(self->workspace->function, self->tokens, text, len, id));
  return id;
}

struct character_count {
  uint32_t character;
  uint64_t count;
};
struct character_counts {
  struct character_count *data;
  size_t len, capacity;
};

static int compare_counts(const void *a, const void *b) {
  const struct character_count *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count ? -1 : 1) : (x->character > y->character ? -1 : 1);
}

static int compare_characters(const void *a, const void *b) {
  const struct character_count *x = a, *y = b;
  return x->character < y->character ? -1 : x->character > y->character;
}

static void count_characters(struct training *self, struct character_counts *out) {
  const struct vocabulary *words = &self->trainer->words, *initial = &self->trainer->alphabet;
  for (size_t i = 0; i < words->len; i++) {
    const char *text = vocabulary_text(words, &words->tokens[i]);
    for (size_t at = 0; at < words->tokens[i].len; at += utf8_len_from(text[at])) {
      WORKSPACE_PUSH(
          self->workspace, out, ((struct character_count){utf8_decode(text + at), self->trainer->counts[i]}));
    }
  }
  for (size_t i = 0; i < initial->len; i++) {
    WORKSPACE_PUSH(self->workspace, out, ((struct character_count){initial->tokens[i].id, UINT64_MAX / 2}));
  }
  qsort(out->data, out->len, sizeof *out->data, compare_characters);
  size_t len = 0;
  for (size_t i = 0; i < out->len; i++) {
    if (len > 0 && out->data[len - 1].character == out->data[i].character) {
      out->data[len - 1].count += out->data[i].count;
    } else {
      out->data[len++] = out->data[i];
    }
  }
  out->len = len;
}

static void learn_alphabet(struct training *self) {
  struct character_counts counts = {.data = NULL};
  count_characters(self, &counts);
  size_t first = 0;
  const int64_t limit = self->trainer->limit_alphabet;
  if (limit >= 0 && (uint64_t)limit < counts.len) {
    first = counts.len - (size_t)limit;
    qsort(counts.data, counts.len, sizeof *counts.data, compare_counts);
    qsort(counts.data + first, counts.len - first, sizeof *counts.data, compare_characters);
  }
  for (size_t i = first; i < counts.len; i++) {
    char text[4];
    token_of(self, text, utf8_encode(text, counts.data[i].character));
  }
}

/* A word as its characters that are in the alphabet, with what marks them. */
static void divide_word(struct training *self, struct training_word *out, const char *word, size_t len) {
  const char *prefix = self->trainer->prefix, *suffix = self->trainer->suffix;
  out->symbols = workspace_take(self->workspace, (len + 1) * sizeof *out->symbols);
  out->len = 0;
  for (size_t at = 0, one = 0; at < len; at += one) {
    one = utf8_len_from(word[at]);
    if (vocabulary_find(self->tokens, word + at, one) == NULL) {
      continue;
    }
    struct bytes text = {.data = NULL};
    if (at > 0 && prefix != NULL) {
      bytes_add(self->workspace, &text, prefix, strlen(prefix));
    }
    bytes_add(self->workspace, &text, word + at, one);
    if (at + one == len && suffix != NULL) {
      bytes_add(self->workspace, &text, suffix, strlen(suffix));
    }
    out->symbols[out->len++] = (struct symbol){token_of(self, text.data, text.len), 1};
  }
}

static uint64_t pair_of(uint32_t left, uint32_t right) { return (uint64_t)left << 32 | right; }

static void divide_words(struct training *self) {
  const struct vocabulary *words = &self->trainer->words;
  self->words = workspace_take(self->workspace, (words->len + 1) * sizeof *self->words);
  for (size_t i = 0; i < words->len; i++) {
    divide_word(self, &self->words[i], vocabulary_text(words, &words->tokens[i]), words->tokens[i].len);
  }
  for (size_t i = 0; i < words->len; i++) {
    const struct training_word *word = &self->words[i];
    for (size_t j = 0; j + 1 < word->len; j++) {
      pair_counts_add(
          self->workspace, &self->counts, pair_of(word->symbols[j].id, word->symbols[j + 1].id),
          (int64_t)self->trainer->counts[i], (uint32_t)i, true);
    }
  }
  pair_queue_take(self->workspace, &self->queue, &self->counts);
}

static void change(struct training *self, uint32_t left, uint32_t right, uint32_t word, bool is_new) {
  const int64_t count = (int64_t)self->trainer->counts[word];
  pair_counts_add(self->workspace, &self->counts, pair_of(left, right), is_new ? count : -count, word, is_new);
}

/* Merge a pair wherever it stands in a word. */
static void merge_in_word(struct training *self, uint32_t number, uint64_t pair, uint32_t merged) {
  struct training_word *word = &self->words[number];
  struct symbol *symbols = word->symbols;
  const uint64_t most = self->trainer->max_token_length < 0 ? UINT64_MAX : (uint64_t)self->trainer->max_token_length;
  const uint32_t left = (uint32_t)(pair >> 32), right = (uint32_t)pair;
  size_t written = 0;
  for (size_t i = 0; i < word->len; i++) {
    if (symbols[i].id != left || i + 1 == word->len || symbols[i + 1].id != right) {
      symbols[written++] = symbols[i];
      continue;
    }
    const struct symbol made = {merged, symbols[i].len + symbols[i + 1].len};
    if (written > 0) {
      change(self, symbols[written - 1].id, left, number, false);
      if ((uint64_t)symbols[written - 1].len + made.len < most) {
        change(self, symbols[written - 1].id, merged, number, true);
      }
    }
    if (i + 2 < word->len) {
      change(self, right, symbols[i + 2].id, number, false);
      if ((uint64_t)symbols[i + 2].len + made.len < most) {
        change(self, merged, symbols[i + 2].id, number, true);
      }
    }
    symbols[written++] = made;
    i++;
  }
  word->len = written;
}

static json_t *json_of(const struct training *self, uint32_t id) {
  return json_stringn(vocabulary_text(self->tokens, &self->tokens->tokens[id]), self->tokens->tokens[id].len);
}

static uint32_t merge_tokens(struct training *self, uint64_t pair) {
  const struct vocabulary *tokens = self->tokens;
  const struct vocabulary_token *left = &tokens->tokens[pair >> 32], *right = &tokens->tokens[(uint32_t)pair];
  const char *prefix = self->trainer->prefix, *rest = vocabulary_text(tokens, right);
  const size_t prefix_len = prefix == NULL ? 0 : strlen(prefix);
  const size_t skipped =
      right->len >= prefix_len && prefix_len > 0 && memcmp(rest, prefix, prefix_len) == 0 ? prefix_len : 0;
  struct bytes text = {.data = NULL};
  bytes_add(self->workspace, &text, vocabulary_text(tokens, left), left->len);
  bytes_add(self->workspace, &text, rest + skipped, right->len - skipped);
  json_t *merge = json_pack("[oo]", json_of(self, (uint32_t)(pair >> 32)), json_of(self, (uint32_t)pair));
  if (json_array_append_new(self->merges, merge) != 0) {
    workspace_fail(self->workspace, error_memory(self->workspace->function, 0));
  }
  return token_of(self, text.data, text.len);
}

static void learn_merges(struct training *self) {
  while (self->tokens->len < self->trainer->vocab_size && self->queue.len > 0) {
    struct pair_candidate top = pair_queue_pop(&self->queue);
    const int64_t count = pair_counts_find(&self->counts, top.pair)->count;
    if (top.count != count) {
      top.count = count;
      pair_queue_push(self->workspace, &self->queue, top);
      continue;
    }
    if (count < 1 || self->trainer->min_frequency > count) {
      break;
    }
    const uint32_t merged = merge_tokens(self, top.pair);
    for (size_t i = 0; i < top.words.len; i++) {
      merge_in_word(self, top.words.data[i], top.pair, merged);
    }
    pair_queue_take(self->workspace, &self->queue, &self->counts);
  }
}

static void learn(struct training *self) {
  const struct vocabulary *specials = &self->trainer->specials;
  for (size_t i = 0; i < specials->len; i++) {
    token_of(self, vocabulary_text(specials, &specials->tokens[i]), specials->tokens[i].len);
  }
  learn_alphabet(self);
  divide_words(self);
  learn_merges(self);
}

/* The tokenizer that it began with, with what was learnt in place of its model's vocabulary. */
static json_t *describe(const ctorch_tokenizer_trainer *self, const struct vocabulary *tokens, json_t *merges) {
  json_t *json = tokenizer_describe(self->tokenizer), *model = json_object_get(json, "model"), *vocab = json_object();
  bool is_set = model != NULL && vocab != NULL;
  for (size_t i = 0; is_set && i < tokens->len; i++) {
    const struct vocabulary_token *token = &tokens->tokens[i];
    is_set = json_object_setn_new(vocab, vocabulary_text(tokens, token), token->len, json_integer(token->id)) == 0;
  }
  is_set = json_object_set_new(model, "vocab", vocab) == 0 && is_set;
  is_set =
      is_set && json_object_set(model, "merges", merges) == 0 &&
      json_object_set_new(
          model, "continuing_subword_prefix", self->prefix == NULL ? json_null() : json_string(self->prefix)) == 0 &&
      json_object_set_new(
          model, "end_of_word_suffix", self->suffix == NULL ? json_null() : json_string(self->suffix)) == 0;
  if (!is_set) {
    json_decref(json);
    return NULL;
  }
  return json;
}

static ctorch_error *make_tokenizer(
    const char *function,
    ctorch_tokenizer **out,
    const ctorch_tokenizer_trainer *self,
    const struct vocabulary *tokens,
    json_t *merges) {
  json_t *json = describe(self, tokens, merges);
  ctorch_tokenizer *made = NULL;
  ctorch_error *error = json == NULL ? error_memory(function, 0) : tokenizer_new(function, &made, json);
  json_decref(json);
  for (size_t i = 0; error == NULL && i < self->specials.len; i++) {
    const struct vocabulary_token *special = &self->specials.tokens[i];
    const struct added_token token = {.content_len = special->len, .special = true};
    error = tokenizer_put_added(function, made, vocabulary_text(&self->specials, special), token, NULL);
  }
  error = error != NULL ? error : added_tokens_refresh(function, &made->added);
  if (error != NULL) {
    object_unref(made);
    return error;
  }
  return object_give(function, out, made);
}

ctorch_error *ctorch_tokenizer_trainer_train(ctorch_tokenizer **out, const ctorch_tokenizer_trainer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct workspaces *workspaces = (struct workspaces *)(uintptr_t)&self->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, __func__);
  struct vocabulary tokens = {.len = 0};
  json_t *merges = json_array();
  ctorch_error *volatile error = workspace == NULL || merges == NULL ? error_memory(__func__, 0) : NULL;
  if (error == NULL && setjmp(workspace->failed) == 0) {
    struct training training = {.trainer = self, .workspace = workspace, .tokens = &tokens, .merges = merges};
    learn(&training);
  } else if (error == NULL) {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  error = error != NULL ? error : make_tokenizer(__func__, out, self, &tokens, merges);
  vocabulary_free(&tokens);
  json_decref(merges);
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
