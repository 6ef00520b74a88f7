/* Blocks of 256 quantized elements as float32, operation by operation as ggml does it, so that the results are the same
 * to the last bit. Each product and each sum is rounded by itself: it stands in a statement of its own. */
#include "gguf/gguf.h"
#include "gguf/gguf_blocks.h"

enum { LEN = 256 };

const int8_t gguf_unequal_steps[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

/* Two bits of each element: those of 32 elements lie in 32 bytes, four such rows in one another. */
static int two_bits(const unsigned char *packed, int i) {
  return packed[i / 128 * 32 + i % 32] >> 2 * (i / 32 % 4) & 3;
}

/* Four bits: two rows of 32 elements in one another. */
static int four_bits(const unsigned char *packed, int i) {
  return packed[i / 64 * 32 + i % 32] >> 4 * (i / 32 % 2) & 0xf;
}

void gguf_q2_k(float *out, const unsigned char *block, bool is_big_endian) {
  const unsigned char *scales = block, *packed = block + 16;
  float scale = gguf_half(block + 80, is_big_endian), least = gguf_half(block + 82, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    float own_scale = scale * (float)(scales[i / 16] & 0xf);
    float own_least = least * (float)(scales[i / 16] >> 4);
    float product = own_scale * (float)two_bits(packed, i);
    out[i] = product - own_least;
  }
}

void gguf_q3_k(float *out, const unsigned char *block, bool is_big_endian) {
  const unsigned char *mask = block, *packed = block + 32, *scales = block + 96;
  float scale = gguf_half(block + 108, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    int part = i / 16;
    int low = part < 8 ? scales[part] & 0xf : scales[part - 8] >> 4;
    int high = scales[8 + part % 4] >> 2 * (part / 4) & 3;
    float own_scale = scale * (float)((low | high << 4) - 32);
    int is_less = (mask[i % 32] >> i / 32 & 1) == 0;
    out[i] = own_scale * (float)(two_bits(packed, i) - 4 * is_less);
  }
}

/* A scale and a least value for each 32 elements, of 6 bits each: those of the first four lie in the lower bits of
 * bytes, those of the others in halves of bytes, with their upper bits where the first ones leave room. */
static void six_bits(int *scale, int *least, const unsigned char *packed, int part) {
  if (part < 4) {
    *scale = packed[part] & 0x3f;
    *least = packed[4 + part] & 0x3f;
  } else {
    *scale = (packed[4 + part] & 0xf) | (packed[part - 4] >> 6) << 4;
    *least = packed[4 + part] >> 4 | (packed[part] >> 6) << 4;
  }
}

void gguf_q4_k(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian), least = gguf_half(block + 2, is_big_endian);
  for (int part = 0; part < LEN / 32; part++) {
    int scale_bits, least_bits;
    six_bits(&scale_bits, &least_bits, block + 4, part);
    float own_scale = scale * (float)scale_bits, own_least = least * (float)least_bits;
    for (int i = part * 32; i < part * 32 + 32; i++) {
      float product = own_scale * (float)four_bits(block + 16, i);
      out[i] = product - own_least;
    }
  }
}

void gguf_q5_k(float *out, const unsigned char *block, bool is_big_endian) {
  const unsigned char *fifth = block + 16, *packed = block + 48;
  float scale = gguf_half(block, is_big_endian), least = gguf_half(block + 2, is_big_endian);
  for (int part = 0; part < LEN / 32; part++) {
    int scale_bits, least_bits;
    six_bits(&scale_bits, &least_bits, block + 4, part);
    float own_scale = scale * (float)scale_bits, own_least = least * (float)least_bits;
    for (int i = part * 32; i < part * 32 + 32; i++) {
      int bits = four_bits(packed, i) | (fifth[i % 32] >> part & 1) << 4;
      float product = own_scale * (float)bits;
      out[i] = product - own_least;
    }
  }
}

void gguf_q6_k(float *out, const unsigned char *block, bool is_big_endian) {
  const unsigned char *low = block, *high = block + 128, *scales = block + 192;
  float scale = gguf_half(block + 208, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    float own_scale = scale * (float)(int8_t)scales[i / 16];
    int four = low[i / 128 * 64 + i % 64] >> 4 * (i / 64 % 2) & 0xf;
    out[i] = own_scale * (float)((four | two_bits(high, i) << 4) - 32);
  }
}

void gguf_q8_k(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_float_of(gguf_bits32(block, is_big_endian));
  for (int i = 0; i < LEN; i++) {
    out[i] = scale * (float)(int8_t)block[4 + i];
  }
}

void gguf_iq4_xs(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block, is_big_endian);
  unsigned high = gguf_bits16(block + 2, is_big_endian);
  for (int part = 0; part < LEN / 32; part++) {
    int bits = (block[4 + part / 2] >> 4 * (part % 2) & 0xf) | (int)(high >> 2 * part & 3) << 4;
    float own_scale = scale * (float)(bits - 32);
    const unsigned char *packed = block + 8 + part * 16;
    for (int i = 0; i < 32; i++) {
      out[part * 32 + i] = own_scale * (float)gguf_unequal_steps[i < 16 ? packed[i] & 0xf : packed[i - 16] >> 4];
    }
  }
}

/* A byte has five elements, -1, 0 or 1, as the digits of a fraction to the base 3. */
static int ternary(unsigned char packed, int digit) {
  static const unsigned char powers[] = {1, 3, 9, 27, 81};
  unsigned char rest = (unsigned char)(packed * powers[digit]);
  return (rest * 3 >> 8) - 1;
}

void gguf_tq1_0(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block + 52, is_big_endian);
  for (int i = 0; i < 160; i++) {
    out[i] = scale * (float)ternary(block[i % 32], i / 32);
  }
  for (int i = 0; i < 80; i++) {
    out[160 + i] = scale * (float)ternary(block[32 + i % 16], i / 16);
  }
  for (int i = 0; i < 16; i++) {
    out[240 + i] = scale * (float)ternary(block[48 + i % 4], i / 4);
  }
}

void gguf_tq2_0(float *out, const unsigned char *block, bool is_big_endian) {
  float scale = gguf_half(block + 64, is_big_endian);
  for (int i = 0; i < LEN; i++) {
    out[i] = scale * (float)(two_bits(block, i) - 1);
  }
}
