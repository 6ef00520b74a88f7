/* Blocks of 32 and 64 quantized elements as float32, operation by operation as ggml does it, so that the results are
 * the same to the last bit. Each product and each sum is rounded by itself: it stands in a statement of its own. */
#include "gguf/gguf_blocks.h"
#include "gguf/gguf.h"

enum { LEN = 32, HALF = LEN / 2 };

/* The lower halves of the bytes are the first elements, the upper ones the others. */
static int nibble(const unsigned char *packed, int i) { return i < HALF ? packed[i] & 0xf : packed[i - HALF] >> 4; }

/* A fifth bit for each element. */
static int with_bit(uint32_t bits, const unsigned char *packed, int i) {
  return nibble(packed, i) | (int)(bits >> i & 1) << 4;
}

void gguf_q4_0(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    out[i] = scale * (float)(nibble(block + 2, i) - 8);
  }
}

void gguf_q4_1(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian), least = gguf_half(block + 2, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    float product = scale * (float)nibble(block + 4, i);
    out[i] = product + least;
  }
}

void gguf_q5_0(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian);
  uint32_t bits = gguf_bits32(block + 2, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    out[i] = scale * (float)(with_bit(bits, block + 6, i) - 16);
  }
}

void gguf_q5_1(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian), least = gguf_half(block + 2, is_big_endian);
  uint32_t bits = gguf_bits32(block + 4, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    float product = scale * (float)with_bit(bits, block + 8, i);
    out[i] = product + least;
  }
}

void gguf_q8_0(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    out[i] = (float)(int8_t)block[2 + i] * scale;
  }
}

void gguf_iq4_nl(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    out[i] = scale * (float)gguf_unequal_steps[nibble(block + 2, i)];
  }
}

/* Twice the numbers of 4 bits of the OCP Microscaling Formats (MX) Specification 1.0: a sign, two bits of exponent, one
 * of fraction. */
static const int8_t twice_e2m1[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

void gguf_mxfp4(float *out, const unsigned char *block, bool is_big_endian) {
  (void)is_big_endian; /* all are bytes */
  uint32_t exponent = block[0];
  float scale = gguf_float_of(exponent < 2 ? UINT32_C(0x00200000) << exponent : (exponent - 1) << 23); /* half of it */
  for (int i = 0; i < LEN; i++) {
    out[i] = scale * (float)twice_e2m1[nibble(block + 1, i)];
  }
}

/* Half of a number without a sign: four bits of exponent, three of fraction. */
static float half_e4m3(unsigned bits) {
  unsigned exponent = bits >> 3 & 0xf, fraction = bits & 7;
  if (bits == 0 || bits == 0x7f) {
    return 0;
  }
  if (exponent == 0) {
    return (float)fraction * 0x1p-10F;
  }
  return (1 + (float)fraction / 8) * gguf_float_of((exponent + 127 - 8) << 23);
}

void gguf_nvfp4(float *out, const unsigned char *block, bool is_big_endian) {
  enum { PARTS = 4, PART = 16 };
  (void)is_big_endian; /* all are bytes */
  for (int part = 0; part < PARTS; part++) {
    float scale = half_e4m3(block[part]);
    const unsigned char *packed = block + PARTS + part * PART / 2;
    for (int i = 0; i < PART; i++) {
      int at = i < PART / 2 ? packed[i] & 0xf : packed[i - PART / 2] >> 4;
      out[part * PART + i] = scale * (float)twice_e2m1[at];
    }
  }
}
