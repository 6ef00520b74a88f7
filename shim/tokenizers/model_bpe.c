/* Byte pair encoding (Sennrich et al. 2016, arXiv:1508.07909): of the pairs next to each other in a word, the one of
 * the lowest rank is merged, the leftmost of equal ones, until no merge is left. Short words are searched again after
 * each merge, long ones have a heap. With dropout (Provilkov et al. 2020, arXiv:1910.13267) a merge is left
 * out by chance, until another one was made. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "core/c/footprint.h"
#include "tokenizers/byte_level.h"
#include "tokenizers/character.h"
#include "tokenizers/model.h"
#include "tokenizers/word_cache.h"

enum { SHORT_WORD = 48 };

void model_free_bpe(struct token_model *self) {
  footprint_note(-(ptrdiff_t)self->merges_noted);
  free(self->merges);
  free(self->merges_in_order);
  vocabulary_free(&self->byte_tokens);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

static struct merge *merge_slot(const struct token_model *self, uint64_t pair) {
  size_t slot = hash_number(pair) & (self->merges_slots - 1);
  while (self->merges[slot].pair != UINT64_MAX && self->merges[slot].pair != pair) {
    slot = (slot + 1) & (self->merges_slots - 1);
  }
  return &self->merges[slot];
}

static const struct merge *find_merge(const struct token_model *self, uint32_t left, uint32_t right) {
  const struct merge *found = merge_slot(self, (uint64_t)left << 32 | right);
  return found->pair == UINT64_MAX ? NULL : found;
}

#if CTORCH_HAS_JANSSON
struct half {
  const char *text;
  size_t len;
};

/* ["a", "b"] or "a b"; false for what is neither. */
static bool read_halves(const json_t *json, struct half out[2]) {
  if (json_is_array(json)) {
    for (size_t i = 0; i < 2; i++) {
      const json_t *half = json_array_get(json, i);
      out[i] = (struct half){json_string_value(half), json_string_length(half)};
    }
    return json_array_size(json) == 2 && out[0].text != NULL && out[1].text != NULL;
  }
  const char *text = json_string_value(json);
  const size_t len = json_string_length(json);
  const char *space = text == NULL ? NULL : memchr(text, ' ', len);
  if (space == NULL || memchr(space + 1, ' ', len - (size_t)(space + 1 - text)) != NULL) {
    return false;
  }
  out[0] = (struct half){text, (size_t)(space - text)};
  out[1] = (struct half){space + 1, len - (size_t)(space + 1 - text)};
  return true;
}

static ctorch_error *put_merge(
    struct token_model *self, const struct description *description, const struct half halves[2], uint32_t rank) {
  const struct vocabulary_token *left = vocabulary_find(&self->vocabulary, halves[0].text, halves[0].len);
  const struct vocabulary_token *right = vocabulary_find(&self->vocabulary, halves[1].text, halves[1].len);
  const struct vocabulary_token *whole = NULL;
  if (left != NULL && right != NULL && halves[1].len >= self->prefix_len) {
    const size_t rest = halves[1].len - self->prefix_len;
    char *text = malloc(halves[0].len + rest + 1);
    if (text == NULL) {
      return error_memory(description->function, halves[0].len + rest);
    }
    memcpy(text, halves[0].text, halves[0].len);
    memcpy(text + halves[0].len, halves[1].text + self->prefix_len, rest);
    whole = vocabulary_find(&self->vocabulary, text, halves[0].len + rest);
    free(text);
  }
  if (whole == NULL) {
    return description_error(
        description, "BPE: merge %" PRIu32 ", of \"%.40s\" and \"%.40s\", is not in the vocabulary", rank,
        halves[0].text, halves[1].text);
  }
  const uint64_t pair = (uint64_t)left->id << 32 | right->id;
  *merge_slot(self, pair) = (struct merge){pair, rank, whole->id};
  self->merges_in_order[self->merges_len++] = pair;
  return NULL;
}

static ctorch_error *read_merges(struct token_model *self, const struct description *description) {
  const json_t *list = json_object_get(description->json, "merges");
  const size_t len = json_array_size(list);
  if (!json_is_array(list)) {
    return description_error(description, "BPE: expected a list as \"merges\"");
  }
  self->merges_slots = 16;
  while (self->merges_slots < 2 * len + 2) {
    self->merges_slots *= 2;
  }
  self->merges = malloc(self->merges_slots * sizeof *self->merges);
  self->merges_in_order = malloc((len + 1) * sizeof *self->merges_in_order);
  if (self->merges == NULL || self->merges_in_order == NULL) {
    return error_memory(description->function, self->merges_slots * sizeof *self->merges);
  }
  memset(self->merges, 0xff, self->merges_slots * sizeof *self->merges);
  self->merges_noted = self->merges_slots * sizeof *self->merges + len * sizeof *self->merges_in_order;
  footprint_note((ptrdiff_t)self->merges_noted);
  uint32_t rank = 0;
  for (size_t i = 0; i < len; i++) {
    const json_t *json = json_array_get(list, i);
    struct half halves[2];
    if (json_is_string(json) && strncmp(json_string_value(json), "#version", 8) == 0) {
      continue;
    }
    if (!read_halves(json, halves)) {
      return description_error(description, "BPE: merge %zu is no pair of texts", i);
    }
    CTORCH_TRY(put_merge(self, description, halves, rank++));
  }
  return NULL;
}

/* Tokens as bytes, for whole words. */
static ctorch_error *read_byte_tokens(struct token_model *self, const struct description *description) {
  for (size_t i = 0; i < self->vocabulary.len; i++) {
    const struct vocabulary_token *token = &self->vocabulary.tokens[i];
    const char *text = vocabulary_text(&self->vocabulary, token);
    char *bytes = malloc(token->len + 1);
    size_t len = 0;
    bool is_bytes = bytes != NULL;
    for (size_t at = 0; is_bytes && at < token->len; at += utf8_len_from(text[at])) {
      const int byte = byte_level_byte(utf8_decode(text + at));
      is_bytes = byte != BYTE_LEVEL_NONE;
      bytes[len++] = (char)byte;
    }
    ctorch_error *error = bytes == NULL ? error_memory(description->function, token->len)
                          : is_bytes ? vocabulary_put(description->function, &self->byte_tokens, bytes, len, token->id)
                                     : NULL;
    free(bytes);
    CTORCH_TRY(error);
  }
  return NULL;
}

ctorch_error *model_read_bpe(struct token_model *self, const struct description *description) {
  const json_t *dropout = json_object_get(description->json, "dropout");
  self->dropout = json_number_value(dropout);
  if ((dropout != NULL && !json_is_null(dropout) && !json_is_number(dropout)) ||
      !(self->dropout >= 0 && self->dropout <= 1)) {
    return description_error(description, "BPE: expected a number from 0 to 1 as \"dropout\"");
  }
  CTORCH_TRY(description_bool(description, &self->fuse_unk, "fuse_unk", false));
  CTORCH_TRY(description_bool(description, &self->byte_fallback, "byte_fallback", false));
  CTORCH_TRY(description_bool(description, &self->ignore_merges, "ignore_merges", false));
  CTORCH_TRY(read_merges(self, description));
  model_find_fallback(self);
  self->has_bytes = self->prefix_len == 0 && self->suffix_len == 0;
  for (unsigned i = 0; i < 256; i++) {
    char text[4];
    const size_t len = utf8_encode(text, byte_level_character((unsigned char)i));
    const struct vocabulary_token *token = vocabulary_find(&self->vocabulary, text, len);
    self->has_bytes = self->has_bytes && token != NULL;
    self->byte_ids[i] = token == NULL ? 0 : token->id;
  }
  return self->has_bytes && self->ignore_merges ? read_byte_tokens(self, description) : NULL;
}
#endif

/* Merging ---------------------------------------------------------------------------------------------------------- */

struct word {
  struct word_part *data;
  size_t len, capacity;
};

static void merge_short(const struct token_model *self, struct word *word) {
  const struct merge *merges[SHORT_WORD];
  struct word_part *parts = word->data;
  size_t len = word->len;
  for (size_t i = 0; i + 1 < len; i++) {
    merges[i] = find_merge(self, parts[i].id, parts[i + 1].id);
  }
  while (len > 1) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i + 1 < len; i++) {
      if (merges[i] != NULL && (best == SIZE_MAX || merges[i]->rank < merges[best]->rank)) {
        best = i;
      }
    }
    if (best == SIZE_MAX) {
      break;
    }
    parts[best] = (struct word_part){merges[best]->id, parts[best].len + parts[best + 1].len};
    memmove(parts + best + 1, parts + best + 2, (len - best - 2) * sizeof *parts);
    if (len > best + 2) {
      memmove(merges + best, merges + best + 1, (len - best - 2) * sizeof *merges);
    }
    len--;
    if (best + 1 < len) {
      merges[best] = find_merge(self, parts[best].id, parts[best + 1].id);
    }
    if (best > 0) {
      merges[best - 1] = find_merge(self, parts[best - 1].id, parts[best].id);
    }
  }
  word->len = len;
}

struct candidate {
  uint32_t rank, at, id;
};
struct heap {
  struct candidate *data;
  size_t len, capacity;
};

static bool is_before(const struct candidate *a, const struct candidate *b) {
  return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void heap_push(struct workspace *workspace, struct heap *self, struct candidate candidate) {
  WORKSPACE_PUSH(workspace, self, candidate);
  size_t at = self->len - 1;
  while (at > 0 && is_before(&candidate, &self->data[(at - 1) / 2])) {
    self->data[at] = self->data[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  self->data[at] = candidate;
}

static struct candidate heap_pop(struct heap *self) {
  const struct candidate top = self->data[0], last = self->data[--self->len];
  size_t at = 0;
  for (size_t child = 1; child < self->len; child = 2 * at + 1) {
    child += child + 1 < self->len && is_before(&self->data[child + 1], &self->data[child]);
    if (!is_before(&self->data[child], &last)) {
      break;
    }
    self->data[at] = self->data[child];
    at = child;
  }
  self->data[at] = last;
  return top;
}

/* Neighbours of a part that may have been merged away: then its length is 0. */
struct links {
  uint32_t previous, next;
};

static void push_pair(
    struct workspace *workspace,
    const struct token_model *self,
    struct heap *heap,
    const struct word *word,
    uint32_t left,
    uint32_t right) {
  const struct merge *merge = find_merge(self, word->data[left].id, word->data[right].id);
  if (merge != NULL) {
    heap_push(workspace, heap, (struct candidate){merge->rank, left, merge->id});
  }
}

static void merge_long(struct workspace *workspace, const struct token_model *self, struct word *word) {
  const uint32_t none = UINT32_MAX;
  struct word_part *parts = word->data;
  struct links *links = workspace_take(workspace, word->len * sizeof *links);
  struct heap heap = {.data = NULL}, skipped = {.data = NULL};
  for (uint32_t i = 0; i < word->len; i++) {
    links[i] = (struct links){i == 0 ? none : i - 1, i + 1 == word->len ? none : i + 1};
  }
  for (uint32_t i = 0; i + 1 < word->len; i++) {
    push_pair(workspace, self, &heap, word, i, i + 1);
  }
  while (heap.len > 0) {
    const struct candidate top = heap_pop(&heap);
    if (workspace->dropout > 0) {
      if (workspace_random(workspace) < workspace->dropout) {
        WORKSPACE_PUSH(workspace, &skipped, top);
        continue;
      }
      while (skipped.len > 0) {
        heap_push(workspace, &heap, skipped.data[--skipped.len]);
      }
    }
    const uint32_t next = links[top.at].next;
    if (parts[top.at].len == 0 || next == none) {
      continue;
    }
    const struct merge *merge = find_merge(self, parts[top.at].id, parts[next].id);
    if (merge == NULL || merge->id != top.id) {
      continue;
    }
    parts[top.at] = (struct word_part){top.id, parts[top.at].len + parts[next].len};
    parts[next].len = 0;
    links[top.at].next = links[next].next;
    if (links[top.at].next != none) {
      links[links[top.at].next].previous = top.at;
      push_pair(workspace, self, &heap, word, top.at, links[top.at].next);
    }
    if (links[top.at].previous != none) {
      push_pair(workspace, self, &heap, word, links[top.at].previous, top.at);
    }
  }
  size_t len = 0;
  for (size_t i = 0; i < word->len; i++) {
    if (parts[i].len > 0) {
      parts[len++] = parts[i];
    }
  }
  word->len = len;
}

/* Words ------------------------------------------------------------------------------------------------------------ */

static void put_part(struct workspace *workspace, struct word *word, uint32_t id, size_t len) {
  WORKSPACE_PUSH(workspace, word, ((struct word_part){id, (uint32_t)len}));
}

/* A run of characters that are not in the vocabulary, which is put when the next known one comes. */
struct unknown {
  size_t len;
  bool is_there;
};

static void put_unknown(
    struct workspace *workspace, const struct token_model *self, struct word *word, struct unknown *unknown) {
  if (unknown->is_there) {
    put_part(workspace, word, self->unk_id, unknown->len);
    unknown->is_there = false;
  }
}

static void add_unknown(
    struct workspace *workspace,
    const struct token_model *self,
    struct word *word,
    struct unknown *unknown,
    size_t len) {
  if (!self->has_unk) {
    return;
  }
  if (!self->is_unk_known) {
    workspace_fail(
        workspace, error_make(
                       workspace->function, CTORCH_ERROR_RUNTIME,
                       "the text has characters that are not in the vocabulary, nor is the token for such"));
  }
  if (unknown->is_there && self->fuse_unk) {
    unknown->len += len;
    return;
  }
  put_unknown(workspace, self, word, unknown);
  *unknown = (struct unknown){len, true};
}

static bool put_character_bytes(
    struct workspace *workspace, const struct token_model *self, struct word *word, const char *data, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (self->fallback_ids[(unsigned char)data[i]] == UINT32_MAX) {
      return false;
    }
  }
  for (size_t i = 0; i < len; i++) {
    put_part(workspace, word, self->fallback_ids[(unsigned char)data[i]], 1);
  }
  return true;
}

static void put_characters(
    struct workspace *workspace, const struct token_model *self, struct word *word, const struct piece *piece) {
  struct unknown unknown = {0, false};
  char *buffer = workspace_take(workspace, self->prefix_len + 4 + self->suffix_len);
  for (size_t at = 0, len = 0; at < piece->len; at += len) {
    len = utf8_len_from(piece->data[at]);
    const size_t prefix_len = at > 0 ? self->prefix_len : 0;
    const size_t suffix_len = at + len == piece->len ? self->suffix_len : 0;
    const char *text = piece->data + at;
    const size_t text_len = prefix_len + len + suffix_len;
    if (text_len > len) {
      memcpy(buffer, prefix_len > 0 ? self->prefix : text, prefix_len);
      memcpy(buffer + prefix_len, piece->data + at, len);
      memcpy(buffer + prefix_len + len, suffix_len > 0 ? self->suffix : text, suffix_len);
      text = buffer;
    }
    const struct vocabulary_token *found = vocabulary_find(&self->vocabulary, text, text_len);
    if (found != NULL) {
      put_unknown(workspace, self, word, &unknown);
      put_part(workspace, word, found->id, len);
    } else if (!self->byte_fallback || !put_character_bytes(workspace, self, word, text, text_len)) {
      add_unknown(workspace, self, word, &unknown, len);
    }
  }
  put_unknown(workspace, self, word, &unknown);
}

static void put_tokens(struct workspace *workspace, struct tokens *out, const struct word_part *parts, size_t len) {
  uint32_t begin = 0;
  for (size_t i = 0; i < len; i++) {
    WORKSPACE_PUSH(workspace, out, ((struct token){.id = parts[i].id, .begin = begin, .end = begin + parts[i].len}));
    begin += parts[i].len;
  }
}

void model_run_bpe(
    struct workspace *workspace,
    const struct token_model *self,
    const struct piece *piece,
    bool is_bytes,
    struct tokens *out) {
  const uint64_t hash = hash_bytes(piece->data, piece->len);
  const bool has_dropout = workspace->dropout > 0;
  size_t known_len = 0;
  const struct word_part *known =
      has_dropout ? NULL : word_cache_find(workspace->words, piece->data, piece->len, hash, &known_len);
  if (known != NULL) {
    put_tokens(workspace, out, known, known_len);
    return;
  }
  if (self->ignore_merges && !has_dropout) {
    const struct vocabulary_token *whole =
        vocabulary_find_hashed(is_bytes ? &self->byte_tokens : &self->vocabulary, piece->data, piece->len, hash);
    if (whole != NULL) {
      const struct word_part part = {whole->id, (uint32_t)piece->len};
      put_tokens(workspace, out, &part, 1);
      return;
    }
  }
  struct word word = {.data = NULL};
  for (size_t i = 0; is_bytes && i < piece->len; i++) {
    put_part(workspace, &word, self->byte_ids[(unsigned char)piece->data[i]], 1);
  }
  if (!is_bytes) {
    put_characters(workspace, self, &word, piece);
  }
  if (word.len <= SHORT_WORD && !has_dropout) {
    merge_short(self, &word);
  } else {
    merge_long(workspace, self, &word);
  }
  if (!has_dropout) {
    word_cache_put(workspace->words, piece->data, piece->len, hash, word.data, word.len);
  }
  put_tokens(workspace, out, word.data, word.len);
}
