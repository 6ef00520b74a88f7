/* Characters and their UTF-8: classes, lower case, decompositions, as the tokenizers library has them. Unicode's tables
 * are utf8proc's. */
#ifndef CTORCH_SHIM_TOKENIZERS_CHARACTER_H
#define CTORCH_SHIM_TOKENIZERS_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this build knows Unicode: without utf8proc, none of the functions below but those of UTF-8 may be called. */
bool character_is_supported(void);

bool utf8_is_valid(const char *data, size_t len);
/* How many of the bytes are ASCII from the first on. */
size_t utf8_ascii_len(const char *data, size_t len);
/* Of how many bytes the character is that begins with this one; the text is valid. */
static inline size_t utf8_len_from(char first) {
  const unsigned char byte = (unsigned char)first;
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}
static inline bool utf8_continues(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }
/* The character at `data`, which is valid. */
static inline uint32_t utf8_decode(const char *data) {
  const unsigned char *at = (const unsigned char *)data;
  switch (utf8_len_from(*data)) {
    case 1:
      return at[0];
    case 2:
      return (at[0] & 0x1fU) << 6 | (at[1] & 0x3fU);
    case 3:
      return (at[0] & 0xfU) << 12 | (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU);
    default:
      return (at[0] & 7U) << 18 | (at[1] & 0x3fU) << 12 | (at[2] & 0x3fU) << 6 | (at[3] & 0x3fU);
  }
}
/* The bytes of a character, 4 at most. */
size_t utf8_encode(char *out, uint32_t character);
size_t utf8_count(const char *data, size_t len);

/* Rust's str::from_utf8_lossy: bytes that are no UTF-8 become U+FFFD, one for each part that could have begun a
 * character. `out` has room for three times the bytes. Returns how many were written. */
size_t utf8_from_bytes(char *out, const char *data, size_t len);

/* White_Space. */
bool character_is_space(uint32_t character);
/* Cc, Cf, Co, Cs and Cn but for what is not assigned. */
bool character_is_other(uint32_t character);
/* P. */
bool character_is_punctuation(uint32_t character);
bool character_is_ascii_punctuation(uint32_t character);
/* N. */
bool character_is_number(uint32_t character);
bool character_is_mark(uint32_t character);
bool character_is_nonspacing_mark(uint32_t character);
/* What `\w` matches: Alphabetic, M, Nd, Pc and Join_Control. */
bool character_is_word(uint32_t character);
/* Whether no grapheme cluster ends between two characters; `state` is 0 at first. */
bool character_joins(uint32_t first, uint32_t second, int32_t *state);

/* 1 or 2 characters. */
size_t character_lower(uint32_t out[2], uint32_t character);

enum { CHARACTER_MOST_DECOMPOSED = 18 };
size_t character_decompose(uint32_t out[CHARACTER_MOST_DECOMPOSED], uint32_t character, bool compatibility);
uint8_t character_combining_class(uint32_t character);
/* What two characters compose to; 0 for nothing. */
uint32_t character_compose(uint32_t first, uint32_t second);

#endif
