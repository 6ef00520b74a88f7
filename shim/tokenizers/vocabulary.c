/* Vocabularies: tokens and their ids, in two hash tables with open addresses. */
#include "tokenizers/vocabulary.h"

#include <stdlib.h>

#include "base/array.h"
#include "core/c/error.h"
#include "core/c/footprint.h"

const struct vocabulary_token *vocabulary_find_hashed(
    const struct vocabulary *self, const char *token, size_t len, uint64_t hash) {
  if (self->slots == 0) {
    return NULL;
  }
  const uint32_t check = (uint32_t)(hash >> 32);
  for (size_t slot = hash & (self->slots - 1);; slot = (slot + 1) & (self->slots - 1)) {
    const uint32_t number = self->by_token[slot];
    if (number == 0) {
      return NULL;
    }
    const struct vocabulary_token *found = &self->tokens[number - 1];
    if (self->checks[slot] == check && found->len == len && memcmp(self->text + found->at, token, len) == 0) {
      return found;
    }
  }
}

const struct vocabulary_token *vocabulary_find(const struct vocabulary *self, const char *token, size_t len) {
  return vocabulary_find_hashed(self, token, len, hash_bytes(token, len));
}

const struct vocabulary_token *vocabulary_of_id(const struct vocabulary *self, uint32_t id) {
  if (self->slots == 0) {
    return NULL;
  }
  for (size_t slot = hash_number(id) & (self->slots - 1);; slot = (slot + 1) & (self->slots - 1)) {
    const uint32_t number = self->by_id[slot];
    if (number == 0) {
      return NULL;
    }
    if (self->tokens[number - 1].id == id) {
      return &self->tokens[number - 1];
    }
  }
}

static void enter(struct vocabulary *self, uint32_t number) {
  const struct vocabulary_token *token = &self->tokens[number - 1];
  const char *text = self->text + token->at;
  const uint64_t hash = hash_bytes(text, token->len);
  const uint32_t check = (uint32_t)(hash >> 32);
  size_t slot = hash & (self->slots - 1);
  for (; self->by_token[slot] != 0; slot = (slot + 1) & (self->slots - 1)) {
    const struct vocabulary_token *other = &self->tokens[self->by_token[slot] - 1];
    if (self->checks[slot] == check && other->len == token->len &&
        memcmp(self->text + other->at, text, token->len) == 0) {
      break;
    }
  }
  self->by_token[slot] = number;
  self->checks[slot] = check;
  slot = hash_number(token->id) & (self->slots - 1);
  while (self->by_id[slot] != 0 && self->tokens[self->by_id[slot] - 1].id != token->id) {
    slot = (slot + 1) & (self->slots - 1);
  }
  self->by_id[slot] = number;
}

static void enter_all(struct vocabulary *self) {
  memset(self->by_token, 0, self->slots * sizeof *self->by_token);
  memset(self->by_id, 0, self->slots * sizeof *self->by_id);
  for (size_t i = 0; i < self->len; i++) {
    enter(self, (uint32_t)i + 1);
  }
}

/* Tell memory pressure how large it is now. The tokens are at most half as many as the slots. */
static void note_size(struct vocabulary *self) {
  const size_t nbytes =
      self->text_capacity + self->slots * 3 * sizeof *self->by_token + self->slots / 2 * sizeof *self->tokens;
  footprint_note((ptrdiff_t)(nbytes - self->noted));
  self->noted = nbytes;
}

static ctorch_error *make_slots(const char *function, struct vocabulary *self) {
  if ((self->len + 1) * 2 <= self->slots) {
    return NULL;
  }
  const size_t slots = self->slots == 0 ? 64 : self->slots * 2;
  uint32_t *tables = slots > UINT32_MAX / 4 ? NULL : calloc(slots * 3, sizeof *tables);
  if (tables == NULL) {
    return error_memory(function, slots * 3 * sizeof *tables);
  }
  free(self->by_token);
  self->by_token = tables;
  self->by_id = tables + slots;
  self->checks = tables + 2 * slots;
  self->slots = slots;
  note_size(self);
  enter_all(self);
  return NULL;
}

static ctorch_error *make_text(const char *function, struct vocabulary *self, size_t len) {
  if (len + 1 <= self->text_capacity - self->text_len) {
    return NULL;
  }
  const size_t capacity = self->text_capacity * 2 + len + 1024;
  char *text = realloc(self->text, capacity);
  if (text == NULL) {
    return error_memory(function, capacity);
  }
  self->text = text;
  self->text_capacity = capacity;
  note_size(self);
  return NULL;
}

ctorch_error *vocabulary_put(
    const char *function, struct vocabulary *self, const char *token, size_t len, uint32_t id) {
  if (len >= UINT32_MAX) {
    return error_make(function, CTORCH_ERROR_FORMAT, "a token of %zu bytes", len);
  }
  CTORCH_TRY(make_text(function, self, len));
  CTORCH_TRY(make_slots(function, self));
  CTORCH_TRY(array_grow(function, &self->tokens, self->len, sizeof *self->tokens));
  memcpy(self->text + self->text_len, token, len);
  self->text[self->text_len + len] = '\0';
  self->tokens[self->len++] = (struct vocabulary_token){.id = id, .len = (uint32_t)len, .at = self->text_len};
  self->text_len += len + 1;
  enter(self, (uint32_t)self->len);
  return NULL;
}

void vocabulary_free(struct vocabulary *self) {
  footprint_note(-(ptrdiff_t)self->noted);
  free(self->tokens);
  free(self->text);
  free(self->by_token);
  memset(self, 0, sizeof *self);
}
