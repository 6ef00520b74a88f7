/* Vocabularies: tokens and their ids, found by either. Tokens are bytes, and each has a NUL behind it. */
#ifndef CTORCH_SHIM_TOKENIZERS_VOCABULARY_H
#define CTORCH_SHIM_TOKENIZERS_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ctorch/abi/error.h"

struct vocabulary_token {
  uint32_t id;
  uint32_t len;
  size_t at; /* in `text` */
};

struct vocabulary {
  struct vocabulary_token *tokens; /* in the order in which they were put */
  size_t len, capacity;
  char *text;
  size_t text_len, text_capacity;
  uint32_t *by_token; /* hash table of numbers of tokens + 1 */
  uint32_t *by_id;    /* the same, by the ids; the last one with an id counts */
  uint32_t *checks;   /* of by_token: bits of the hash */
  size_t slots;       /* a power of two, of both */
  size_t noted;       /* bytes that memory pressure knows of */
};

static inline uint64_t hash_bytes(const char *data, size_t len) {
  uint64_t hash = len * UINT64_C(0x9e3779b97f4a7c15), word = 0;
  size_t at = 0;
  for (; at + 8 <= len; at += 8) {
    memcpy(&word, data + at, 8);
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 32;
  }
  word = 0;
  for (size_t shift = 0; at < len; at++, shift += 8) {
    word |= (uint64_t)(unsigned char)data[at] << shift;
  }
  hash = (hash ^ word) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ hash >> 29;
}

static inline uint64_t hash_number(uint64_t number) {
  number *= UINT64_C(0x9e3779b97f4a7c15);
  return number ^ number >> 29;
}

/* Put a token in. Of one that is put in again, the last id counts; all its ids lead to it. */
ctorch_error *vocabulary_put(const char *function, struct vocabulary *self, const char *token, size_t len, uint32_t id)
    __attribute__((warn_unused_result));
void vocabulary_free(struct vocabulary *self);

/* NULL if there is none. */
const struct vocabulary_token *vocabulary_find(const struct vocabulary *self, const char *token, size_t len);
const struct vocabulary_token *vocabulary_find_hashed(
    const struct vocabulary *self, const char *token, size_t len, uint64_t hash);
const struct vocabulary_token *vocabulary_of_id(const struct vocabulary *self, uint32_t id);

static inline const char *vocabulary_text(const struct vocabulary *self, const struct vocabulary_token *token) {
  return self->text + token->at;
}

#endif
