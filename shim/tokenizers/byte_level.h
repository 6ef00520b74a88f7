/* GPT-2's characters for bytes: those that print stand for themselves, the others are numbered from U+0100 on. */
#ifndef CTORCH_SHIM_TOKENIZERS_BYTE_LEVEL_H
#define CTORCH_SHIM_TOKENIZERS_BYTE_LEVEL_H

#include <stdint.h>

enum { BYTE_LEVEL_NONE = -1 };

static inline int byte_level_is_plain(uint32_t c) {
  return (c >= '!' && c <= '~') || (c >= 0xa1 && c <= 0xac) || (c >= 0xae && c <= 0xff);
}

/* 0 … 32, 127 … 160 and 173 become 256 and so on. */
static inline uint32_t byte_level_character(unsigned char byte) {
  if (byte_level_is_plain(byte)) {
    return byte;
  }
  return byte <= 32 ? 256U + byte : byte <= 160 ? 256U + 33 + (byte - 127U) : 256U + 67;
}

/* The byte of a character, or BYTE_LEVEL_NONE. */
static inline int byte_level_byte(uint32_t c) {
  if (c < 256) {
    return byte_level_is_plain(c) ? (int)c : BYTE_LEVEL_NONE;
  }
  const uint32_t number = c - 256;
  return number <= 32 ? (int)number : number <= 66 ? (int)(number - 33 + 127) : number == 67 ? 173 : BYTE_LEVEL_NONE;
}

#endif
