/* Base64 (RFC 4648). */
#include "tokenizers/base64.h"

#include <stdint.h>

static int value(char c) {
  if (c >= 'A' && c <= 'Z') {
    return c - 'A';
  }
  if (c >= 'a' && c <= 'z') {
    return c - 'a' + 26;
  }
  if (c >= '0' && c <= '9') {
    return c - '0' + 52;
  }
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode(unsigned char *out, size_t *out_len, const char *text, size_t len) {
  uint32_t bits = 0;
  size_t written = 0, bits_len = 0;
  while (len > 0 && text[len - 1] == '=') {
    len--;
  }
  for (size_t i = 0; i < len; i++) {
    const int next = value(text[i]);
    if (next < 0) {
      return false;
    }
    bits = (bits << 6 | (uint32_t)next) & 0xffffff;
    bits_len += 6;
    if (bits_len >= 8) {
      bits_len -= 8;
      out[written++] = (unsigned char)(bits >> bits_len);
    }
  }
  *out_len = written;
  return bits_len < 6;
}
