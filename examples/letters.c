/* Characters folded: UTF-8, tables of what BERT's normalizer does (letters_table.h), and the arithmetic by which Hangul
 * syllables come apart (The Unicode Standard, 3.12). */
#include "letters.h"

#include <stdlib.h>
#include <string.h>

typedef struct range {
  uint32_t first, last;
} range;

typedef struct change {
  uint32_t from;
  char to[LETTERS_FOLDED + 1];
} change;

#include "letters_table.h"

static int order(const void *key, const void *element) {
  const uint32_t character = *(const uint32_t *)key;
  const range *of = element;
  return character < of->first ? -1 : character > of->last;
}
#define IS_IN(table, character) \
  (bsearch(&(character), table, sizeof(table) / sizeof *(table), sizeof *(table), order) != NULL)

static int order_of_changes(const void *key, const void *element) {
  const uint32_t character = *(const uint32_t *)key, from = ((const change *)element)->from;
  return character < from ? -1 : character > from;
}

size_t letters_next(uint32_t *out, const char *text) {
  const unsigned char *bytes = (const unsigned char *)text;
  const size_t len = bytes[0] < 0x80       ? 1
                     : bytes[0] >> 5 == 6  ? 2
                     : bytes[0] >> 4 == 14 ? 3
                     : bytes[0] >> 3 == 30 ? 4
                                           : 0;
  const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t character = len < 2 ? bytes[0] : bytes[0] & (0x7fu >> len);
  for (size_t i = 1; i < len; i++) {
    if (bytes[i] >> 6 != 2) { /* the end of the text, too */
      *out = 0xfffd;
      return 1;
    }
    character = character << 6 | (bytes[i] & 0x3f);
  }
  if (len == 0 || character < least[len] || character > 0x10ffff || character >> 11 == 0x1b) {
    *out = 0xfffd;
    return 1;
  }
  *out = character;
  return len;
}

static char *put(char *at, uint32_t character) {
  if (character < 0x80) {
    *at++ = (char)character;
    return at;
  }
  const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  *at++ = (char)((0xff00u >> (more + 1) & 0xff) | character >> 6 * more);
  for (int i = more - 1; i >= 0; i--) {
    *at++ = (char)(0x80 | (character >> 6 * i & 0x3f));
  }
  return at;
}

/* A syllable is made of a first consonant, a vowel, and perhaps a last consonant. */
static char *put_syllable(char *at, uint32_t syllable) {
  enum { VOWELS = 21, LASTS = 28 };
  at = put(at, 0x1100 + syllable / (VOWELS * LASTS));
  at = put(at, 0x1161 + syllable / LASTS % VOWELS);
  return syllable % LASTS == 0 ? at : put(at, 0x11a7 + syllable % LASTS);
}

void letters_fold(char out[LETTERS_FOLDED + 1], uint32_t character) {
  char *at = out;
  if (character >= 0xac00 && character <= 0xd7a3) {
    at = put_syllable(at, character - 0xac00);
  } else if (IS_IN(spaces, character)) {
    at = put(at, ' ');
  } else if (character != 0 && !IS_IN(dropped, character)) {
    const bool is_ideograph = IS_IN(ideographs, character);
    const change *found =
        bsearch(&character, changes, sizeof changes / sizeof *changes, sizeof *changes, order_of_changes);
    at = is_ideograph ? put(at, ' ') : at;
    if (found != NULL) {
      memcpy(at, found->to, strlen(found->to));
      at += strlen(found->to);
    } else {
      at = put(at, character);
    }
    at = is_ideograph ? put(at, ' ') : at;
  }
  *at = '\0';
}

bool letters_is_punctuation(uint32_t character) { return IS_IN(punctuation, character); }
