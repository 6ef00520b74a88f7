/* JSON as text. */
#include "base/json.h"

#include <ctorch.h>
#include <string.h>

#include "base/text.h"

bool json_is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The character at `data`, which is UTF-8, and how many bytes it has. */
static uint32_t decode(const unsigned char *data, size_t len, size_t *used) {
  size_t more = data[0] < 0x80 ? 0 : data[0] < 0xe0 ? 1 : data[0] < 0xf0 ? 2 : 3;
  uint32_t character = data[0] < 0x80 ? data[0] : data[0] & (0x3fU >> more);
  for (size_t i = 1; i <= more && i < len; i++) {
    character = character << 6 | (data[i] & 0x3fU);
  }
  *used = more < len ? more + 1 : len;
  return character;
}

static void add_ascii(struct text *text, uint32_t character) {
  if (character >= 0x10000) {
    text_add(text, "\\u%04x", (unsigned)(0xd800 + ((character - 0x10000) >> 10)));
    character = 0xdc00 + ((character - 0x10000) & 0x3ff);
  }
  text_add(text, "\\u%04x", (unsigned)character);
}

void json_quote(struct text *text, const char *data, size_t len, bool is_ascii) {
  static const char control[] = "\b\f\n\r\t", letters[] = "bfnrt";
  text_bytes(text, "\"", 1);
  for (size_t at = 0, used; at < len; at += used) {
    uint32_t character = decode((const unsigned char *)data + at, len - at, &used);
    const char *known = character != 0 && character < 0x20 ? strchr(control, (int)character) : NULL;
    if (character == '"' || character == '\\') {
      text_add(text, "\\%c", (char)character);
    } else if (known != NULL) {
      text_add(text, "\\%c", letters[known - control]);
    } else if (character < 0x20 || (is_ascii && character >= 0x7f)) {
      add_ascii(text, character);
    } else {
      text_bytes(text, data + at, used);
    }
  }
  text_bytes(text, "\"", 1);
}
