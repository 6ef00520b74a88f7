/* The trainer of BPE and WordPiece. The merges are those of the tokenizers library's BpeTrainer: the most frequent pair
 * is merged, of equally frequent ones that of the lowest ids. WordPiece has the tokens without the merges. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/bpe_pairs.h"
#include "tokenizers/character.h"
#include "tokenizers/trainer.h"

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
  struct vocabulary *tokens; /* ids are their numbers */
  struct training_word *words;
  struct pair_counts counts;
  struct pair_queue queue;
  json_t *merges;
};

static uint32_t token_of(struct training *self, const char *text, size_t len) {
  const struct vocabulary_token *known = vocabulary_find(self->tokens, text, len);
  if (known != NULL) {
    return known->id;
  }
  const uint32_t id = (uint32_t)self->tokens->len;
  trainer_take_error(self->workspace, vocabulary_put(self->workspace->function, self->tokens, text, len, id));
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
  const struct vocabulary *words = &self->trainer->counts.words, *initial = &self->trainer->alphabet;
  for (size_t i = 0; i < words->len; i++) {
    const char *text = vocabulary_text(words, &words->tokens[i]);
    for (size_t at = 0; at < words->tokens[i].len; at += utf8_len_from(text[at])) {
      WORKSPACE_PUSH(
          self->workspace, out, ((struct character_count){utf8_decode(text + at), self->trainer->counts.counts[i]}));
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
  const struct vocabulary *words = &self->trainer->counts.words;
  self->words = workspace_take(self->workspace, (words->len + 1) * sizeof *self->words);
  for (size_t i = 0; i < words->len; i++) {
    divide_word(self, &self->words[i], vocabulary_text(words, &words->tokens[i]), words->tokens[i].len);
  }
  for (size_t i = 0; i < words->len; i++) {
    const struct training_word *word = &self->words[i];
    for (size_t j = 0; j + 1 < word->len; j++) {
      pair_counts_add(
          self->workspace, &self->counts, pair_of(word->symbols[j].id, word->symbols[j + 1].id),
          (int64_t)self->trainer->counts.counts[i], (uint32_t)i, true);
    }
  }
  pair_queue_take(self->workspace, &self->queue, &self->counts);
}

static void change(struct training *self, uint32_t left, uint32_t right, uint32_t word, bool is_new) {
  const int64_t count = (int64_t)self->trainer->counts.counts[word];
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

static json_t *describe_vocabulary(const struct vocabulary *tokens) {
  json_t *vocab = json_object();
  for (size_t i = 0; vocab != NULL && i < tokens->len; i++) {
    const struct vocabulary_token *token = &tokens->tokens[i];
    if (json_object_setn_new(vocab, vocabulary_text(tokens, token), token->len, json_integer(token->id)) != 0) {
      json_decref(vocab);
      return NULL;
    }
  }
  return vocab;
}

void trainer_learn_bpe(struct workspace *workspace, const ctorch_tokenizer_trainer *trainer, struct learnt *out) {
  out->merges = json_array();
  struct training self = {.trainer = trainer, .workspace = workspace, .tokens = &out->tokens, .merges = out->merges};
  const struct vocabulary *specials = &trainer->specials;
  for (size_t i = 0; i < specials->len; i++) {
    token_of(&self, vocabulary_text(specials, &specials->tokens[i]), specials->tokens[i].len);
  }
  learn_alphabet(&self);
  divide_words(&self);
  learn_merges(&self);
  out->vocab = describe_vocabulary(&out->tokens);
}
#endif
