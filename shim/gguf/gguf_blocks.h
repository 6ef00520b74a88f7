/* Numbers in blocks of quantized elements. */
#ifndef CTORCH_SHIM_GGUF_GGUF_BLOCKS_H
#define CTORCH_SHIM_GGUF_GGUF_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What 4 bits stand for in IQ4_NL and IQ4_XS. */
extern const int8_t gguf_unequal_steps[16];

static inline uint16_t gguf_bits16(const unsigned char *at, bool is_big_endian) {
  return (uint16_t)(is_big_endian ? at[0] << 8 | at[1] : at[1] << 8 | at[0]);
}

static inline uint32_t gguf_bits32(const unsigned char *at, bool is_big_endian) {
  uint32_t low = gguf_bits16(at + (is_big_endian ? 2 : 0), is_big_endian);
  uint32_t high = gguf_bits16(at + (is_big_endian ? 0 : 2), is_big_endian);
  return high << 16 | low;
}

static inline float gguf_float_of(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* A number of 16 bits (IEEE 754 binary16). */
static inline float gguf_half(const unsigned char *at, bool is_big_endian) {
  uint32_t bits = gguf_bits16(at, is_big_endian);
  uint32_t sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0x1f) {
    return gguf_float_of(sign | 0x7f800000 | fraction << 13);
  }
  if (exponent != 0) {
    return gguf_float_of(sign | (exponent + 112) << 23 | fraction << 13);
  }
  float number = (float)fraction * 0x1p-24F;
  return sign != 0 ? -number : number;
}

#endif
