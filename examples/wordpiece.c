/* WordPiece: a text is folded (letters.h), cut into words, and each word into the longest pieces that the vocabulary has,
 * from left to right. A word with a part that it has not is unknown as a whole. */
#include "wordpiece.h"

#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "lines.h"

enum { LONGEST_WORD = 100 }; /* characters; a longer one is unknown */

typedef struct piece {
  const char *text;
  size_t len;
  int64_t number;
} piece;

struct wordpiece {
  lines vocabulary;
  piece *pieces; /* sorted by text; those that go on with a word behind the others, without their "##" */
  size_t words_len;
  int64_t unknown, begin, end;
};

/* Numbers that are written until there is no more room. */
typedef struct sequence {
  int64_t *numbers;
  size_t len, max_len;
} sequence;

static void append(sequence *to, int64_t number) {
  if (to->len < to->max_len) {
    to->numbers[to->len++] = number;
  }
}

static int order(const void *a, const void *b) {
  const piece *left = a, *right = b;
  const int order = memcmp(left->text, right->text, left->len < right->len ? left->len : right->len);
  return order != 0 ? order : (left->len > right->len) - (left->len < right->len);
}

/* The number of the piece with this text; -1 if there is none. */
static int64_t find(const wordpiece *self, const char *text, size_t len, bool goes_on) {
  const piece key = {text, len, 0}, *first = self->pieces + (goes_on ? self->words_len : 0);
  const size_t count = goes_on ? self->vocabulary.len - self->words_len : self->words_len;
  const piece *found = bsearch(&key, first, count, sizeof key, order);
  return found == NULL ? -1 : found->number;
}

ctorch_error *wordpiece_open(wordpiece **out, const char *path) {
  wordpiece *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "%s: no memory", path);
  }
  ctorch_error *error = lines_read(&self->vocabulary, path);
  const size_t len = self->vocabulary.len;
  if (error == NULL && (self->pieces = malloc((len + 1) * sizeof *self->pieces)) == NULL) {
    error = ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu pieces", path, len);
  }
  if (error == NULL) {
    size_t behind = len;
    for (size_t i = 0; i < len; i++) {
      const char *text = self->vocabulary.texts[i];
      const bool goes_on = strncmp(text, "##", 2) == 0 && text[2] != '\0';
      const piece made = {goes_on ? text + 2 : text, strlen(text) - (goes_on ? 2 : 0), (int64_t)i};
      self->pieces[goes_on ? --behind : self->words_len++] = made;
    }
    qsort(self->pieces, self->words_len, sizeof *self->pieces, order);
    qsort(self->pieces + self->words_len, len - self->words_len, sizeof *self->pieces, order);
    self->unknown = find(self, "[UNK]", 5, false);
    self->begin = find(self, "[CLS]", 5, false);
    self->end = find(self, "[SEP]", 5, false);
    if (self->unknown < 0 || self->begin < 0 || self->end < 0) {
      error = ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: no vocabulary: [UNK], [CLS] or [SEP] is missing", path);
    }
  }
  if (error != NULL) {
    wordpiece_close(self);
    return error;
  }
  *out = self;
  return NULL;
}

void wordpiece_close(wordpiece *self) {
  if (self != NULL) {
    free(self->pieces);
    lines_free(&self->vocabulary);
    free(self);
  }
}

/* The pieces of a word. */
static void encode_word(sequence *to, const wordpiece *self, const char *word, size_t len) {
  const size_t before = to->len;
  size_t characters = 0;
  for (size_t i = 0; i < len; i++) {
    characters += (word[i] & 0xc0) != 0x80;
  }
  for (size_t begin = 0; begin < len;) {
    int64_t number = -1;
    size_t end = characters > LONGEST_WORD ? begin : len;
    while (end > begin && (number = find(self, word + begin, end - begin, begin > 0)) < 0) {
      end--;
    }
    if (number < 0) {
      to->len = before;
      append(to, self->unknown);
      return;
    }
    append(to, number);
    begin = end;
  }
}

/* The pieces of a folded text: words end at spaces, and punctuation is a word by itself. */
static void encode_folded(sequence *to, const wordpiece *self, const char *text) {
  const char *word = text;
  while (*text != '\0' && to->len < to->max_len) {
    uint32_t character;
    const size_t len = letters_next(&character, text);
    const bool is_punctuation = letters_is_punctuation(character);
    if (is_punctuation || character == ' ') {
      encode_word(to, self, word, (size_t)(text - word));
      if (is_punctuation) {
        encode_word(to, self, text, len);
      }
      word = text + len;
    }
    text += len;
  }
  encode_word(to, self, word, (size_t)(text - word));
}

/* The number of a piece that stands for more than text, if the text begins with its name; otherwise -1. */
static int64_t find_special(size_t *len, const wordpiece *self, const char *text) {
  static const char *const names[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    *len = strlen(names[i]);
    if (strncmp(text, names[i], *len) == 0) {
      return find(self, names[i], *len, false);
    }
  }
  return -1;
}

ctorch_error *wordpiece_encode(int64_t *out, size_t *out_len, const wordpiece *self, const char *text, size_t max_len) {
  sequence to = {out, 0, max_len - 1};
  char *folded = malloc(strlen(text) * LETTERS_GROWTH + 1), *at = folded;
  if (folded == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for a text of %zu bytes", strlen(text));
  }
  *at = '\0';
  append(&to, self->begin);
  while (*text != '\0') {
    size_t len;
    const int64_t special = find_special(&len, self, text);
    if (special >= 0) {
      encode_folded(&to, self, folded);
      append(&to, special);
      *(at = folded) = '\0';
    } else {
      uint32_t character;
      len = letters_next(&character, text);
      letters_fold(at, character);
      at += strlen(at);
    }
    text += len;
  }
  encode_folded(&to, self, folded);
  free(folded);
  out[to.len++] = self->end;
  *out_len = to.len;
  return NULL;
}
