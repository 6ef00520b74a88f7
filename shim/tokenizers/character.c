/* Characters and their UTF-8. */
#include "tokenizers/character.h"

#include <string.h>

#include "tokenizers/character_history.h"

#if CTORCH_HAS_LIBUTF8PROC
#include <utf8proc.h>
#endif

/* UTF-8 ------------------------------------------------------------------------------------------------------------ */

size_t utf8_ascii_len(const char *data, size_t len) {
  size_t at = 0;
  for (uint64_t word = 0; at + 8 <= len; at += 8) {
    memcpy(&word, data + at, 8);
    if ((word & UINT64_C(0x8080808080808080)) != 0) {
      break;
    }
  }
  while (at < len && (unsigned char)data[at] < 0x80) {
    at++;
  }
  return at;
}

/* Of how many bytes the character at `data` is, or, if it is none, minus how many could have begun one. */
static int character_len(const unsigned char *data, size_t len) {
  const unsigned char first = data[0];
  if (first < 0x80) {
    return 1;
  }
  const int all = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (all == 0 || len < 2 || data[1] < least || data[1] > most) {
    return -1;
  }
  for (int i = 2; i < all; i++) {
    if ((size_t)i >= len || (data[i] & 0xc0) != 0x80) {
      return -i;
    }
  }
  return all;
}

bool utf8_is_valid(const char *data, size_t len) {
  for (size_t at = 0; at < len;) {
    at += utf8_ascii_len(data + at, len - at);
    if (at < len) {
      const int used = character_len((const unsigned char *)data + at, len - at);
      if (used < 0) {
        return false;
      }
      at += (size_t)used;
    }
  }
  return true;
}

size_t utf8_encode(char *out, uint32_t character) {
  if (character < 0x80) {
    out[0] = (char)character;
    return 1;
  }
  const size_t len = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = len - 1; i > 0; i--) {
    out[i] = (char)(0x80 | (character & 0x3f));
    character >>= 6;
  }
  out[0] = (char)((0xf00U >> len & 0xff) | character);
  return len;
}

size_t utf8_count(const char *data, size_t len) {
  size_t count = 0;
  for (size_t i = 0; i < len; i++) {
    count += !utf8_continues(data[i]);
  }
  return count;
}

static const char REPLACEMENT[3] = {'\xef', '\xbf', '\xbd'}; /* U+FFFD in UTF-8 */

size_t utf8_from_bytes(char *out, const char *data, size_t len) {
  size_t written = 0;
  for (size_t at = 0; at < len;) {
    const int used = character_len((const unsigned char *)data + at, len - at);
    if (used > 0) {
      memcpy(out + written, data + at, (size_t)used);
      written += (size_t)used;
      at += (size_t)used;
    } else {
      memcpy(out + written, REPLACEMENT, sizeof REPLACEMENT);
      written += 3;
      at += (size_t)-used;
    }
  }
  return written;
}

/* Classes ---------------------------------------------------------------------------------------------------------- */

bool character_is_space(uint32_t c) {
  if (c < 0x80) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
         c == 0x202f || c == 0x205f || c == 0x3000;
}

bool character_is_ascii_punctuation(uint32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

#if CTORCH_HAS_LIBUTF8PROC
bool character_is_supported(void) { return true; }

static utf8proc_category_t category(uint32_t character) { return utf8proc_category((utf8proc_int32_t)character); }

bool character_is_other(uint32_t c) {
  if (c < 0x80) {
    return c < ' ' || c == 0x7f;
  }
  const utf8proc_category_t of = category(c);
  return (of == UTF8PROC_CATEGORY_CC || of == UTF8PROC_CATEGORY_CF || of == UTF8PROC_CATEGORY_CO) &&
         !character_is_later_other(c);
}

bool character_is_punctuation(uint32_t c) {
  const utf8proc_category_t of = category(c);
  const bool was_once = c == 0x166d || c == 0x111c9;
  return was_once || (of >= UTF8PROC_CATEGORY_PC && of <= UTF8PROC_CATEGORY_PO && !character_is_later_punctuation(c));
}

bool character_is_number(uint32_t c) {
  if (c < 0x80) {
    return c >= '0' && c <= '9';
  }
  const utf8proc_category_t of = category(c);
  return of >= UTF8PROC_CATEGORY_ND && of <= UTF8PROC_CATEGORY_NO;
}

bool character_is_mark(uint32_t c) {
  if (c < 0x300) {
    return false;
  }
  const utf8proc_category_t of = category(c);
  const bool was_once = (c >= 0x1cf2 && c <= 0x1cf3);
  return was_once || (of >= UTF8PROC_CATEGORY_MN && of <= UTF8PROC_CATEGORY_ME && !character_is_later_mark(c));
}

bool character_is_nonspacing_mark(uint32_t c) {
  return c >= 0x300 && category(c) == UTF8PROC_CATEGORY_MN && !character_is_later_nonspacing_mark(c);
}

bool character_is_word(uint32_t c) {
  if (c < 0x80) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  const utf8proc_category_t of = category(c);
  const bool is_circled = (c >= 0x24b6 && c <= 0x24e9) || (c >= 0x1f130 && c <= 0x1f149) ||
                          (c >= 0x1f150 && c <= 0x1f169) || (c >= 0x1f170 && c <= 0x1f189);
  return (of >= UTF8PROC_CATEGORY_LU && of <= UTF8PROC_CATEGORY_NL) || of == UTF8PROC_CATEGORY_PC || is_circled ||
         c == 0x200c || c == 0x200d;
}

bool character_joins(uint32_t first, uint32_t second, int32_t *state) {
  return !utf8proc_grapheme_break_stateful((utf8proc_int32_t)first, (utf8proc_int32_t)second, state);
}

size_t character_lower(uint32_t out[2], uint32_t character) {
  if (character < 0x80) {
    out[0] = character >= 'A' && character <= 'Z' ? character + 32 : character;
    return 1;
  }
  if (character == 0x130) {
    out[0] = 'i';
    out[1] = 0x307;
    return 2;
  }
  out[0] = (uint32_t)utf8proc_tolower((utf8proc_int32_t)character);
  return 1;
}

size_t character_decompose(uint32_t out[CHARACTER_MOST_DECOMPOSED], uint32_t character, bool compatibility) {
  utf8proc_int32_t parts[CHARACTER_MOST_DECOMPOSED];
  int boundary = 0;
  const utf8proc_option_t options = /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): flags */
      (utf8proc_option_t)(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | (compatibility ? UTF8PROC_COMPAT : 0));
  const utf8proc_ssize_t len =
      character < 0xa0
          ? 0
          : utf8proc_decompose_char((utf8proc_int32_t)character, parts, CHARACTER_MOST_DECOMPOSED, options, &boundary);
  if (len <= 0 || len > CHARACTER_MOST_DECOMPOSED) {
    out[0] = character;
    return 1;
  }
  for (utf8proc_ssize_t i = 0; i < len; i++) {
    out[i] = (uint32_t)parts[i];
  }
  return (size_t)len;
}

uint8_t character_combining_class(uint32_t character) {
  return character < 0x300 ? 0 : (uint8_t)utf8proc_get_property((utf8proc_int32_t)character)->combining_class;
}

uint32_t character_compose(uint32_t first, uint32_t second) {
  if (second < 0x300 || second == 0x11a7) { /* which is no trailing consonant, though utf8proc 2.8 takes it for one */
    return 0;
  }
  utf8proc_int32_t pair[] = {(utf8proc_int32_t)first, (utf8proc_int32_t)second};
  /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): flags */
  const utf8proc_option_t options = (utf8proc_option_t)(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  const utf8proc_ssize_t len = utf8proc_normalize_utf32(pair, 2, options);
  return len == 1 ? (uint32_t)pair[0] : 0;
}
#else
bool character_is_supported(void) { return false; }
bool character_is_other(uint32_t c) { return c < ' ' || c == 0x7f; }
bool character_is_punctuation(uint32_t c) { return character_is_ascii_punctuation(c); }
bool character_is_number(uint32_t c) { return c >= '0' && c <= '9'; }
bool character_is_mark(uint32_t c) { return c >= 0x300 && c < 0x370; }
bool character_is_nonspacing_mark(uint32_t c) { return character_is_mark(c); }
bool character_is_word(uint32_t c) { return c >= 0x80 || character_is_number(c) || c == '_'; }
bool character_joins(uint32_t first, uint32_t second, int32_t *state) { return first + second + (uint32_t)*state == 0; }
size_t character_lower(uint32_t out[2], uint32_t character) { return (out[0] = character, 1); }
size_t character_decompose(uint32_t out[CHARACTER_MOST_DECOMPOSED], uint32_t character, bool compatibility) {
  return (out[0] = character, compatibility ? 1 : 1);
}
uint8_t character_combining_class(uint32_t character) { return character == 0; }
uint32_t character_compose(uint32_t first, uint32_t second) { return first + second == 0; }
#endif
