/* From texts to tokens: <ctorch/tokenizers/tokenizer.h>. */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include <ctorch.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "tokenizers/character.h"
#include "tokenizers/tokenizer.h"

/* Offsets ---------------------------------------------------------------------------------------------------------- */

/* How many characters a text has before a byte, which is asked for mostly in their order. */
struct counter {
  const char *text;
  size_t len, at;
  uint32_t characters;
  bool is_ascii;
};

/* The number of the character that a byte belongs to. */
static uint32_t character_at(struct counter *self, size_t byte) {
  if (self->is_ascii) {
    return (uint32_t)byte;
  }
  while (byte < self->len && utf8_continues(self->text[byte])) {
    byte--;
  }
  for (; self->at < byte; self->at++) {
    self->characters += !utf8_continues(self->text[self->at]);
  }
  for (; self->at > byte; self->at--) {
    self->characters -= !utf8_continues(self->text[self->at - 1]);
  }
  return self->characters;
}

static struct offsets characters_of(struct counter *self, struct offsets bytes) {
  if (bytes.begin >= self->len) {
    return bytes;
  }
  const size_t end = bytes.end < self->len ? bytes.end : self->len;
  const uint32_t first = character_at(self, bytes.begin);
  return (struct offsets){first, character_at(self, end)};
}

static struct offsets bytes_of(const struct piece *piece, const struct token *token) {
  if (token->begin == token->end) {
    return (struct offsets){piece->shift + token->begin, piece->shift + token->end};
  }
  if (token->end > piece->len) {
    return (struct offsets){token->begin, token->end};
  }
  return (struct offsets){piece_from(piece, token->begin).begin, piece_from(piece, token->end - 1).end};
}

/* One text --------------------------------------------------------------------------------------------------------- */

static void tokenize_piece(
    struct workspace *workspace, const ctorch_tokenizer *self, const struct piece *piece, struct tokens *out) {
  out->len = 0;
  if (piece->token >= 0) {
    const struct token token = {
        .id = (uint32_t)piece->token,
        .end = (uint32_t)piece->len,
        .text = piece->data,
        .text_len = (uint32_t)piece->len,
    };
    WORKSPACE_PUSH(workspace, out, token);
  } else {
    model_run(workspace, self->model, piece, self->leaves_bytes, out);
  }
}

struct draft *tokenizer_encode_text(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    const char *text,
    size_t len,
    uint32_t type_id,
    int64_t word) {
  struct pieces pieces = {.data = NULL};
  added_tokens_split(workspace, &self->added, self->normalizer, text, len, &pieces);
  if (self->pre_tokenizer != NULL) {
    pre_tokenizer_run(workspace, self->pre_tokenizer, &pieces, self->leaves_bytes);
  }
  struct counter counter = {.text = text, .len = len, .is_ascii = utf8_ascii_len(text, len) == len};
  struct draft *draft = draft_new(workspace);
  struct tokens tokens = {.data = NULL};
  for (size_t i = 0; i < pieces.len; i++) {
    const struct piece *piece = &pieces.data[i];
    tokenize_piece(workspace, self, piece, &tokens);
    for (size_t j = 0; j < tokens.len; j++) {
      const struct token *token = &tokens.data[j];
      struct entry entry = {
          .id = token->id,
          .type_id = type_id,
          .word = word >= 0 ? word : (int64_t)i,
          .bytes = bytes_of(piece, token),
          .text = token->text,
          .text_len = token->text_len,
      };
      entry.characters = characters_of(&counter, entry.bytes);
      WORKSPACE_PUSH(workspace, draft, entry);
    }
  }
  return draft;
}

struct draft *tokenizer_finish(
    struct workspace *workspace,
    const ctorch_tokenizer *self,
    struct draft *draft,
    struct draft *pair,
    bool add_special_tokens) {
  if (self->truncation.is_on) {
    struct truncation truncation = self->truncation;
    const uint32_t added = add_special_tokens ? post_processor_added(self->post_processor, pair != NULL) : 0;
    if (added > truncation.max_length) {
      workspace_fail(
          workspace, error_make(
                         workspace->function, CTORCH_ERROR_VALUE,
                         "truncation: the special tokens alone are more than %" PRIu32, truncation.max_length));
    }
    truncation.max_length -= added;
    draft_truncate_pair(workspace, draft, pair, &truncation);
  }
  struct draft *out = post_processor_run(workspace, self->post_processor, self->model, draft, pair, add_special_tokens);
  if (self->padding.is_on) {
    draft_pad(workspace, out, padding_length(&self->padding, out->len), &self->padding);
  }
  return out;
}

/* Inputs ----------------------------------------------------------------------------------------------------------- */

/* A text, or words. */
struct sequence_input {
  const char *text;
  size_t text_len;
  const char *const *words;
  size_t words_len;
  bool is_words, is_there;
};

struct input {
  struct sequence_input sequence, pair;
  bool add_special_tokens;
  uint64_t number; /* of the text, for dropout */
};

static struct draft *encode_sequence(
    struct workspace *workspace, const ctorch_tokenizer *self, const struct sequence_input *input, uint32_t type_id) {
  if (!input->is_words) {
    return tokenizer_encode_text(workspace, self, input->text, input->text_len, type_id, -1);
  }
  struct draft *draft = draft_new(workspace);
  for (size_t i = 0; i < input->words_len; i++) {
    const char *word = input->words[i];
    draft_merge(workspace, draft, tokenizer_encode_text(workspace, self, word, strlen(word), type_id, (int64_t)i));
  }
  return draft;
}

static struct draft *encode_input(
    struct workspace *workspace, const ctorch_tokenizer *self, const struct input *input) {
  struct draft *draft = encode_sequence(workspace, self, &input->sequence, 0);
  struct draft *pair = input->pair.is_there ? encode_sequence(workspace, self, &input->pair, 1) : NULL;
  return tokenizer_finish(workspace, self, draft, pair, input->add_special_tokens);
}

static size_t input_len(const struct sequence_input *input) {
  size_t len = input->text_len;
  for (size_t i = 0; input->is_words && i < input->words_len; i++) {
    len += strlen(input->words[i]);
  }
  return len;
}

/* The number of the next text, of several ones that come now. */
static uint64_t next_number(const ctorch_tokenizer *self, size_t len) {
  _Atomic uint64_t *encoded = (_Atomic uint64_t *)(uintptr_t)&self->encoded;
  return self->dropout > 0 ? atomic_fetch_add(encoded, len) : 0;
}

/* Hand what becomes of an input to `take`, while it lies in the workspace. */
static ctorch_error *with_draft(
    const char *function,
    const ctorch_tokenizer *self,
    const struct input *input,
    ctorch_error *(*take)(const char *function, const struct draft *draft, const struct token_model *model, void *out),
    void *out) {
  struct workspaces *workspaces = (struct workspaces *)(uintptr_t)&self->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, function);
  if (workspace == NULL) {
    return error_memory(function, sizeof *workspace);
  }
  workspace->limit = tokenizer_limit(self, input_len(&input->sequence) + input_len(&input->pair));
  workspace->dropout = self->dropout;
  workspace->random = hash_number(hash_number(self->seed) ^ input->number);
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    error = take(function, encode_input(workspace, self, input), self->model, out);
  } else {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  return error;
}

static ctorch_error *take_encoding(
    const char *function, const struct draft *draft, const struct token_model *model, void *out) {
  return encoding_new(function, out, draft, model);
}

static ctorch_error *take_ids(
    const char *function, const struct draft *draft, const struct token_model *model, void *out) {
  (void)model;
  int64_t *data = NULL;
  const int64_t size = (int64_t)draft->len;
  CTORCH_TRY(encoding_new_tensor(function, out, &data, &size, 1));
  for (size_t i = 0; i < draft->len; i++) {
    data[i] = draft->data[i].id;
  }
  return NULL;
}

static ctorch_error *check(const char *function, const void *out, const ctorch_tokenizer *self) {
  return out == NULL ? error_null(function, "out") : self == NULL ? error_null(function, "self") : NULL;
}

ctorch_error *ctorch_tokenizer_encode(
    ctorch_encoding **out,
    const ctorch_tokenizer *self,
    const char *text,
    size_t text_len,
    const char *pair,
    size_t pair_len,
    bool add_special_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check(__func__, out, self));
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  CTORCH_TRY(tokenizer_check_text(__func__, "pair", pair, pair_len));
  const struct input input = {
      .sequence = {.text = text == NULL ? "" : text, .text_len = text_len},
      .pair = {.text = pair, .text_len = pair_len, .is_there = pair != NULL},
      .add_special_tokens = add_special_tokens,
      .number = next_number(self, 1),
  };
  ctorch_encoding *encoding = NULL;
  CTORCH_TRY(with_draft(__func__, self, &input, take_encoding, &encoding));
  return object_give(__func__, out, encoding);
}

ctorch_error *ctorch_tokenizer_encode_words(
    ctorch_encoding **out,
    const ctorch_tokenizer *self,
    const char *const *words,
    size_t words_len,
    const char *const *pair,
    size_t pair_len,
    bool add_special_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check(__func__, out, self));
  CTORCH_TRY(tokenizer_check_texts(__func__, "words", words, words_len));
  CTORCH_TRY(tokenizer_check_texts(__func__, "pair", pair, pair_len));
  const struct input input = {
      .sequence = {.words = words, .words_len = words_len, .is_words = true},
      .pair = {.words = pair, .words_len = pair_len, .is_words = true, .is_there = pair != NULL},
      .add_special_tokens = add_special_tokens,
      .number = next_number(self, 1),
  };
  ctorch_encoding *encoding = NULL;
  CTORCH_TRY(with_draft(__func__, self, &input, take_encoding, &encoding));
  return object_give(__func__, out, encoding);
}

ctorch_error *ctorch_tokenizer_encode_tensor(
    ctorch_tensor **out, const ctorch_tokenizer *self, const char *text, size_t text_len, bool add_special_tokens) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check(__func__, out, self));
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  const struct input input = {
      .sequence = {.text = text == NULL ? "" : text, .text_len = text_len},
      .add_special_tokens = add_special_tokens,
      .number = next_number(self, 1),
  };
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(with_draft(__func__, self, &input, take_ids, &tensor));
  *out = tensor;
  return NULL;
}

/* Batches ---------------------------------------------------------------------------------------------------------- */

struct batch {
  const char *function;
  const ctorch_tokenizer *self;
  const struct input *inputs;
  size_t len;
  ctorch_encoding **out;
  _Atomic size_t next;
  _Atomic(ctorch_error *) error;
};

enum { BATCH_CHUNK = 16, MOST_THREADS = 256 };

static void *work(void *argument) {
  struct batch *batch = argument;
  for (;;) {
    const size_t begin = atomic_fetch_add(&batch->next, BATCH_CHUNK);
    for (size_t i = begin; i < begin + BATCH_CHUNK && i < batch->len; i++) {
      ctorch_error *error = atomic_load(&batch->error);
      if (error != NULL) {
        return NULL;
      }
      error = with_draft(batch->function, batch->self, &batch->inputs[i], take_encoding, &batch->out[i]);
      error = error_at(error, "text %zu", i);
      ctorch_error *none = NULL;
      if (error != NULL && !atomic_compare_exchange_strong(&batch->error, &none, error)) {
        ctorch_error_release(error);
      }
    }
    if (begin >= batch->len) {
      return NULL;
    }
  }
}

static size_t threads_for(size_t len, int64_t num_threads) {
  const long machine = sysconf(_SC_NPROCESSORS_ONLN);
  size_t threads = num_threads > 0 ? (size_t)num_threads : machine > 0 ? (size_t)machine : 1;
  const size_t chunks = (len + BATCH_CHUNK - 1) / BATCH_CHUNK;
  threads = threads < chunks ? threads : chunks;
  return threads < MOST_THREADS ? threads : MOST_THREADS;
}

static ctorch_error *run_batch(struct batch *batch, int64_t num_threads) {
  pthread_t threads[MOST_THREADS];
  const size_t wanted = threads_for(batch->len, num_threads);
  size_t started = 0;
  while (started + 1 < wanted && pthread_create(&threads[started], NULL, work, batch) == 0) {
    started++;
  }
  work(batch);
  for (size_t i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
  }
  return atomic_load(&batch->error);
}

static ctorch_error *check_batch(
    const char *function,
    struct input *inputs,
    const char *argument,
    const char *const *texts,
    size_t texts_len,
    const int64_t *lens,
    size_t lens_len,
    bool is_pair) {
  if (lens != NULL && lens_len != texts_len) {
    return error_argument(
        function, is_pair ? "pairs_lens" : "lens", "expected %zu lengths, got %zu", texts_len, lens_len);
  }
  for (size_t i = 0; i < texts_len; i++) {
    if (texts[i] == NULL && is_pair) {
      continue; /* a text alone */
    }
    if (texts[i] == NULL) {
      return error_make(function, CTORCH_ERROR_NULL_ARGUMENT, "%s[%zu] must not be NULL", argument, i);
    }
    if (lens != NULL && lens[i] < 0) {
      return error_argument(function, "lens", "expected at least 0, got %" PRId64, lens[i]);
    }
    struct sequence_input *input = is_pair ? &inputs[i].pair : &inputs[i].sequence;
    *input = (struct sequence_input){
        .text = texts[i], .text_len = lens == NULL ? strlen(texts[i]) : (size_t)lens[i], .is_there = true};
    CTORCH_TRY(tokenizer_check_text(function, argument, input->text, input->text_len));
  }
  return NULL;
}

static ctorch_error *pad_batch(const char *function, const ctorch_tokenizer *self, ctorch_encoding **data, size_t len) {
  size_t longest = 0;
  for (size_t i = 0; i < len; i++) {
    const size_t one = ctorch_encoding_len(data[i]);
    longest = one > longest ? one : longest;
  }
  longest = padding_length(&self->padding, longest);
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(encoding_pad(function, data[i], longest, &self->padding));
  }
  return NULL;
}

/* What the tokenizer's own numbers add to each text, before any is encoded. */
static ctorch_error *check_padding(
    const char *function, const ctorch_tokenizer *self, const struct input *inputs, size_t len) {
  enum { TOKEN = 80 }; /* bytes in an encoding */
  const struct padding *padding = &self->padding;
  const size_t fixed = padding->is_fixed ? padding->length : 0;
  const size_t each = fixed > padding->multiple_of ? fixed : padding->multiple_of;
  size_t nbytes = 0, all = 0;
  for (size_t i = 0; i < len; i++) {
    nbytes += inputs[i].sequence.text_len + inputs[i].pair.text_len;
  }
  if (__builtin_mul_overflow(each * TOKEN, len, &all) || all > tokenizer_limit(self, nbytes)) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "padding %zu texts to %zu tokens takes more than %zu bytes; raise the tokenizer's limit "
        "(ctorch_tokenizer_set_limit)",
        len, each, tokenizer_limit(self, nbytes));
  }
  return NULL;
}

ctorch_error *ctorch_tokenizer_encode_batch(
    ctorch_encoding_batch **out,
    const ctorch_tokenizer *self,
    const char *const *texts,
    size_t texts_len,
    const int64_t *lens,
    size_t lens_len,
    const char *const *pairs,
    size_t pairs_len,
    bool add_special_tokens,
    int64_t num_threads) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check(__func__, out, self));
  if (num_threads < 0) {
    return error_argument(__func__, "num_threads", "expected at least 0, got %" PRId64, num_threads);
  }
  CTORCH_TRY(error_unless_list(__func__, "texts", texts, texts_len));
  CTORCH_TRY(error_unless_list(__func__, "lens", lens, lens_len));
  lens = lens_len > 0 ? lens : NULL; /* languages without NULL have empty lists */
  pairs = pairs_len > 0 ? pairs : NULL;
  if (pairs != NULL && pairs_len != texts_len) {
    return error_argument(__func__, "pairs", "expected %zu texts, got %zu", texts_len, pairs_len);
  }
  ctorch_encoding_batch *encodings = NULL;
  struct input *inputs = calloc(texts_len + 1, sizeof *inputs);
  ctorch_error *error = inputs == NULL ? error_memory(__func__, texts_len * sizeof *inputs) : NULL;
  THEN(error, check_batch(__func__, inputs, "texts", texts, texts_len, lens, lens_len, false));
  error =
      error != NULL || pairs == NULL ? error : check_batch(__func__, inputs, "pairs", pairs, pairs_len, NULL, 0, true);
  const uint64_t number = error == NULL ? next_number(self, texts_len) : 0;
  for (size_t i = 0; error == NULL && i < texts_len; i++) {
    inputs[i].add_special_tokens = add_special_tokens;
    inputs[i].number = number + i;
  }
  if (self->padding.is_on) {
    THEN(error, check_padding(__func__, self, inputs, texts_len));
  }
  THEN(error, encoding_batch_new(__func__, &encodings, texts_len));
  if (error == NULL) {
    struct batch batch = {
        .function = __func__, .self = self, .inputs = inputs, .len = texts_len, .out = encoding_batch_data(encodings)};
    error = run_batch(&batch, num_threads);
  }
  if (error == NULL && self->padding.is_on) {
    error = pad_batch(__func__, self, encoding_batch_data(encodings), texts_len);
  }
  free(inputs);
  if (error != NULL) {
    object_unref(encodings);
    return error;
  }
  return object_give(__func__, out, encodings);
}
