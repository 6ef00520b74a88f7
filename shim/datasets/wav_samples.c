/* Samples of WAV files as numbers. What mu-law and A-law stand for is ITU-T G.711's. */
#include <ctorch.h>
#include <string.h>

#include "datasets/wav_format.h"

static uint32_t bits(const unsigned char *at, size_t nbytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < nbytes; i++) {
    value |= (uint32_t)at[i] << 8 * i;
  }
  return value;
}

static int32_t as_int32(uint32_t value) {
  int32_t result;
  memcpy(&result, &value, sizeof result);
  return result;
}

static double as_double(const unsigned char *at, size_t nbytes) {
  const uint64_t low = bits(at, 4), all = nbytes == 8 ? low | (uint64_t)bits(at + 4, 4) << 32 : low;
  const uint32_t half = (uint32_t)all;
  double result;
  float narrow;
  if (nbytes == 8) {
    memcpy(&result, &all, sizeof result);
    return result;
  }
  memcpy(&narrow, &half, sizeof narrow);
  return narrow;
}

/* The bits are stored inverted: a sign, three of the exponent, four of the mantissa. */
static int16_t from_mulaw(unsigned char byte) {
  const int code = ~byte & 0xff, exponent = code >> 4 & 7, mantissa = code & 15;
  const int magnitude = (((mantissa << 3) + 132) << exponent) - 132;
  return (int16_t)((code & 0x80) != 0 ? -magnitude : magnitude);
}

/* Every other bit is stored inverted. */
static int16_t from_alaw(unsigned char byte) {
  const int code = byte ^ 0x55, exponent = code >> 4 & 7, mantissa = code & 15;
  const int magnitude = exponent == 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 264) << (exponent - 1);
  return (int16_t)((code & 0x80) != 0 ? magnitude : -magnitude);
}

/* PCM with its highest bit in the highest of 32: the files of 8 bits are those without a sign. */
static int32_t pcm(const unsigned char *at, size_t nbytes) {
  const uint32_t value = bits(at, nbytes) << 8 * (4 - nbytes);
  return as_int32(nbytes == 1 ? value ^ 0x80000000U : value);
}

static float normalized(const struct wav_format *self, const unsigned char *at) {
  switch (self->encoding) {
    case WAV_FLOAT:
      return (float)as_double(at, self->sample_nbytes);
    case WAV_MULAW:
      return (float)from_mulaw(*at) / 32768.0F;
    case WAV_ALAW:
      return (float)from_alaw(*at) / 32768.0F;
    default:
      return (float)pcm(at, self->sample_nbytes) / 2147483648.0F;
  }
}

static void put_stored(const struct wav_format *self, void *out, size_t index, const unsigned char *at) {
  switch (wav_stored_dtype(self)) {
    case CTORCH_DTYPE_FLOAT64:
      ((double *)out)[index] = as_double(at, 8);
      break;
    case CTORCH_DTYPE_FLOAT32:
      ((float *)out)[index] = (float)as_double(at, 4);
      break;
    case CTORCH_DTYPE_INT32:
      ((int32_t *)out)[index] = pcm(at, self->sample_nbytes);
      break;
    case CTORCH_DTYPE_UINT8:
      ((uint8_t *)out)[index] = *at;
      break;
    default:
      ((int16_t *)out)[index] = self->encoding == WAV_MULAW  ? from_mulaw(*at)
                                : self->encoding == WAV_ALAW ? from_alaw(*at)
                                                             : (int16_t)(pcm(at, 2) / 65536);
  }
}

void wav_samples_read(
    const struct wav_format *self, void *out, const unsigned char *samples, size_t len, bool normalize) {
  const size_t frame_nbytes = self->channels * self->sample_nbytes;
  for (size_t i = 0; i < len; i++, samples += frame_nbytes) {
    if (normalize) {
      ((float *)out)[i] = normalized(self, samples);
    } else {
      put_stored(self, out, i, samples);
    }
  }
}
