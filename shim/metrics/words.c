/* Words, characters and n-grams as numbers, and distances between them. */
#include "metrics/words.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"

/* Numbers ---------------------------------------------------------------------------------------------------------- */

/* FNV-1a. */
static uint64_t hash_of(const void *key, size_t len) {
  const unsigned char *bytes = key;
  uint64_t hash = 14695981039346656037U;
  for (size_t i = 0; i < len; i++) {
    hash = (hash ^ bytes[i]) * 1099511628211U; /* NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
  }
  return hash;
}

/* Room for `len` entries of `size`; false is out of memory. */
static bool reserve(struct lexicon *self, void **array, size_t *capacity, size_t len, size_t size) {
  if (self->has_failed || len <= *capacity) {
    return !self->has_failed;
  }
  size_t grown = *capacity < 16 ? 16 : *capacity;
  while (grown < len) {
    grown *= 2;
  }
  void *moved = realloc(*array, grown * size);
  if (moved == NULL) {
    self->has_failed = true;
    return false;
  }
  *array = moved;
  *capacity = grown;
  return true;
}

static void place(struct lexicon *self, size_t number) {
  size_t slot = (size_t)self->entries[number].hash & (self->slots_len - 1);
  while (self->slots[slot] >= 0) {
    slot = (slot + 1) & (self->slots_len - 1);
  }
  self->slots[slot] = (int32_t)number;
}

static bool spread(struct lexicon *self) {
  if (self->len * 2 < self->slots_len) {
    return true;
  }
  size_t len = self->slots_len == 0 ? 64 : self->slots_len * 2;
  int32_t *slots = malloc(len * sizeof *slots);
  if (slots == NULL) {
    self->has_failed = true;
    return false;
  }
  for (size_t i = 0; i < len; i++) {
    slots[i] = -1;
  }
  free(self->slots);
  self->slots = slots;
  self->slots_len = len;
  for (size_t i = 0; i < self->len; i++) {
    place(self, i);
  }
  return true;
}

static int32_t find(const struct lexicon *self, const void *key, size_t len, uint64_t hash) {
  size_t slot = (size_t)hash & (self->slots_len - 1);
  for (; self->slots[slot] >= 0; slot = (slot + 1) & (self->slots_len - 1)) {
    const struct lexicon_entry *entry = &self->entries[self->slots[slot]];
    if (entry->hash == hash && entry->len == len && memcmp(self->keys + entry->at, key, len) == 0) {
      return self->slots[slot];
    }
  }
  return -1;
}

int32_t lexicon_number(struct lexicon *self, const void *key, size_t len) {
  const uint64_t hash = hash_of(key, len);
  if (self->has_failed || !spread(self)) {
    return 0;
  }
  int32_t found = find(self, key, len, hash);
  if (found >= 0) {
    return found;
  }
  if (!reserve(self, (void **)&self->entries, &self->entries_capacity, self->len + 1, sizeof *self->entries) ||
      !reserve(self, (void **)&self->keys, &self->keys_capacity, self->keys_len + len + 1, 1)) {
    return 0;
  }
  memcpy(self->keys + self->keys_len, key, len);
  self->entries[self->len] = (struct lexicon_entry){.at = self->keys_len, .len = len, .hash = hash};
  self->keys_len += len;
  place(self, self->len);
  return (int32_t)self->len++;
}

ctorch_error *lexicon_end(const char *function, struct lexicon *self) {
  bool has_failed = self->has_failed;
  size_t nbytes = self->keys_len;
  free(self->entries);
  free(self->slots);
  free(self->keys);
  *self = (struct lexicon){0};
  return has_failed ? error_memory(function, nbytes) : NULL;
}

static void add(struct lexicon *self, struct words *words, int32_t number) {
  if (reserve(self, (void **)&words->data, &words->capacity, words->len + 1, sizeof *words->data)) {
    words->data[words->len++] = number;
  }
}

void words_end(struct words *self) {
  free(self->data);
  *self = (struct words){0};
}

/* Texts ------------------------------------------------------------------------------------------------------------ */

/* The character at `at`, which is behind it afterwards. The text is UTF-8. */
static uint32_t next(const char *text, size_t len, size_t *at) {
  const unsigned char *bytes = (const unsigned char *)text;
  unsigned char first = bytes[(*at)++];
  size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  uint32_t character = more == 0 ? first : first & (0x3FU >> more);
  for (; more > 0 && *at < len; more--) {
    character = character << 6 | (bytes[(*at)++] & 0x3FU);
  }
  return character;
}

/* Python's str.isspace. */
static bool is_space(uint32_t c) {
  return (c >= 0x9 && c <= 0xD) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

struct words words_split(struct lexicon *self, const char *text, size_t len) {
  struct words words = {0};
  size_t begin = 0;
  for (size_t at = 0; at < len;) {
    const size_t before = at;
    if (is_space(next(text, len, &at))) {
      if (before > begin) {
        add(self, &words, lexicon_number(self, text + begin, before - begin));
      }
      begin = at;
    }
  }
  if (len > begin) {
    add(self, &words, lexicon_number(self, text + begin, len - begin));
  }
  return words;
}

/* The letter or digit that a character is in lower case, 0 for none; two characters beyond ASCII are. */
static char plain(uint32_t c) {
  enum { CAPITAL_I_WITH_DOT = 0x130, KELVIN = 0x212A };
  if (c >= 'A' && c <= 'Z') {
    return (char)(c - 'A' + 'a');
  }
  bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return is_plain ? (char)c : c == CAPITAL_I_WITH_DOT ? 'i' : c == KELVIN ? 'k' : '\0';
}

struct words words_plain(struct lexicon *self, const char *text, size_t len) {
  struct words words = {0};
  char *word = malloc(len + 1);
  size_t word_len = 0;
  if (word == NULL) {
    self->has_failed = true;
    return words;
  }
  for (size_t at = 0; at < len;) {
    const uint32_t character = next(text, len, &at);
    const char letter = plain(character);
    if (letter != '\0') {
      word[word_len++] = letter;
    }
    /* "İ" becomes "i" and a dot above it, which parts words. */
    bool is_end = letter == '\0' || character == 0x130 || at >= len;
    if (is_end && word_len > 0) {
      add(self, &words, lexicon_number(self, word, word_len));
      word_len = 0;
    }
  }
  free(word);
  return words;
}

struct words words_characters(struct lexicon *self, const char *text, size_t len) {
  struct words words = {0};
  for (size_t at = 0; at < len && !self->has_failed;) {
    add(self, &words, (int32_t)next(text, len, &at));
  }
  return words;
}

struct words words_extended(
    struct lexicon *self, const struct words *shorter, const struct words *words, size_t order) {
  struct words longer = {0};
  for (size_t i = 0; i + order <= words->len && i < shorter->len && !self->has_failed; i++) {
    /* A key that no word is: with a NUL in it. */
    const int32_t key[] = {0, (int32_t)order, shorter->data[i], words->data[i + order - 1]};
    add(self, &longer, lexicon_number(self, key, sizeof key));
  }
  return longer;
}

/* Comparing -------------------------------------------------------------------------------------------------------- */

size_t words_edit_distance(struct lexicon *self, const struct words *a, const struct words *b) {
  size_t *row = self->has_failed ? NULL : malloc((b->len + 1) * sizeof *row);
  if (row == NULL) {
    self->has_failed = true;
    return 0;
  }
  for (size_t j = 0; j <= b->len; j++) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a->len; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b->len; j++) {
      const size_t above = row[j], left = row[j - 1];
      size_t least = above < left ? above : left;
      least = least < diagonal ? least : diagonal;
      row[j] = a->data[i - 1] == b->data[j - 1] ? diagonal : least + 1;
      diagonal = above;
    }
  }
  const size_t distance = row[b->len];
  free(row);
  return distance;
}

int64_t *words_counts(struct lexicon *self, const struct words *words, size_t len) {
  int64_t *counts = self->has_failed ? NULL : calloc(len + 1, sizeof *counts);
  if (counts == NULL) {
    self->has_failed = true;
    return NULL;
  }
  for (size_t i = 0; i < words->len; i++) {
    counts[words->data[i]]++;
  }
  return counts;
}
