/* The chunks of a WAV file ("Multimedia Programming Interface and Data Specifications 1.0", 1991; RF64: EBU Tech
 * 3306). */
#include "datasets/wav_format.h"

#include <ctorch.h>
#include <inttypes.h>
#include <string.h>

#include "core/c/error.h"
#include "io/reader.h"

enum { RIFF_NBYTES = 12, CHUNK_NBYTES = 8, FORMAT_NBYTES = 16, EXTENSIBLE_NBYTES = 40, DS64_NBYTES = 16 };
enum { TAG_EXTENSIBLE = 0xfffe, SUBFORMAT_AT = 24, MOST_CHUNKS = 10000 };

/* How long the samples are where nobody knew when they were written: to the end of the file. */
static const uint32_t UNKNOWN = 0xffffffff;

static uint64_t number(const unsigned char *at, size_t nbytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < nbytes; i++) {
    value |= (uint64_t)at[i] << 8 * i;
  }
  return value;
}

struct chunks {
  const char *function;
  const ctorch_reader *reader;
  uint64_t at; /* of the next chunk */
  bool is_rf64, has_format;
  uint64_t data_nbytes64; /* RF64's */
  uint64_t tag, bits, block_nbytes;
};

static ctorch_error *check_encoding(const struct chunks *self, const struct wav_format *format) {
  const size_t nbytes = format->sample_nbytes;
  const bool is_known = self->tag == WAV_PCM     ? nbytes >= 1 && nbytes <= 4
                        : self->tag == WAV_FLOAT ? self->bits == 32 || self->bits == 64
                                                 : (self->tag == WAV_ALAW || self->tag == WAV_MULAW) && nbytes == 1;
  return is_known ? NULL
                  : error_make(
                        self->function, CTORCH_ERROR_UNSUPPORTED,
                        "%.1000s: wav: samples of encoding 0x%04" PRIx64 " with %" PRIu64
                        " bits; known are PCM with 8, 16, 24 and 32, float with 32 and 64, A-law and mu-law",
                        reader_name(self->reader), self->tag, self->bits);
}

static ctorch_error *read_format(struct chunks *self, struct wav_format *out, uint64_t at, uint64_t nbytes) {
  /* Behind the number of the encoding a subformat has these bytes. */
  static const unsigned char GUID[] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
  unsigned char data[EXTENSIBLE_NBYTES] = {0};
  if (nbytes < FORMAT_NBYTES) {
    return reader_error(self->function, self->reader, "wav: a format of %" PRIu64 " bytes, expected 16", nbytes);
  }
  CTORCH_TRY(reader_read(self->function, self->reader, at, data, nbytes < sizeof data ? nbytes : sizeof data));
  self->tag = number(data, 2);
  out->channels = (size_t)number(data + 2, 2);
  out->sample_rate = (uint32_t)number(data + 4, 4);
  self->block_nbytes = number(data + 12, 2);
  self->bits = number(data + 14, 2);
  out->sample_nbytes = (size_t)(self->bits + 7) / 8;
  if (self->tag == TAG_EXTENSIBLE && nbytes >= EXTENSIBLE_NBYTES) {
    if (memcmp(data + SUBFORMAT_AT + 2, GUID, sizeof GUID) == 0) {
      self->tag = number(data + SUBFORMAT_AT, 2);
    }
  }
  CTORCH_TRY(check_encoding(self, out));
  if (out->channels == 0 || self->block_nbytes != out->channels * out->sample_nbytes) {
    return reader_error(
        self->function, self->reader, "wav: frames of %" PRIu64 " bytes for %zu channels of %zu bytes",
        self->block_nbytes, out->channels, out->sample_nbytes);
  }
  out->encoding = (uint32_t)self->tag;
  self->has_format = true;
  return NULL;
}

static ctorch_error *read_data(struct chunks *self, struct wav_format *out, uint64_t at, uint64_t nbytes) {
  const uint64_t rest = ctorch_reader_nbytes(self->reader) - at;
  if (!self->has_format) {
    return reader_error(self->function, self->reader, "wav: samples in front of their format");
  }
  if (nbytes == UNKNOWN) {
    nbytes = self->is_rf64 ? self->data_nbytes64 : rest;
  }
  if (nbytes > rest) {
    return reader_error(
        self->function, self->reader, "wav: ends early: %" PRIu64 " bytes of samples, of which %" PRIu64 " are there",
        nbytes, rest);
  }
  out->data_at = at;
  out->frames = nbytes / self->block_nbytes;
  return NULL;
}

static ctorch_error *read_chunks(struct chunks *self, struct wav_format *out) {
  for (int i = 0; i < MOST_CHUNKS; i++) {
    unsigned char head[CHUNK_NBYTES], ds64[DS64_NBYTES];
    CTORCH_TRY(reader_read(self->function, self->reader, self->at, head, sizeof head));
    const uint64_t at = self->at + sizeof head, nbytes = number(head + 4, 4);
    if (memcmp(head, "data", 4) == 0) {
      return read_data(self, out, at, nbytes);
    }
    if (memcmp(head, "fmt ", 4) == 0) {
      CTORCH_TRY(read_format(self, out, at, nbytes));
    } else if (memcmp(head, "ds64", 4) == 0 && nbytes >= sizeof ds64) {
      CTORCH_TRY(reader_read(self->function, self->reader, at, ds64, sizeof ds64));
      self->data_nbytes64 = number(ds64 + 8, 8);
    }
    self->at = at + nbytes + nbytes % 2;
  }
  return reader_error(self->function, self->reader, "wav: more than %d chunks", (int)MOST_CHUNKS);
}

ctorch_error *wav_format_read(const char *function, struct wav_format *out, const ctorch_reader *reader) {
  unsigned char head[RIFF_NBYTES];
  struct chunks chunks = {.function = function, .reader = reader, .at = RIFF_NBYTES};
  if (ctorch_reader_nbytes(reader) < sizeof head) {
    return reader_error(function, reader, "is no WAV file");
  }
  CTORCH_TRY(reader_read(function, reader, 0, head, sizeof head));
  chunks.is_rf64 = memcmp(head, "RF64", 4) == 0 || memcmp(head, "BW64", 4) == 0;
  if ((!chunks.is_rf64 && memcmp(head, "RIFF", 4) != 0) || memcmp(head + 8, "WAVE", 4) != 0) {
    return reader_error(function, reader, "is no WAV file");
  }
  *out = (struct wav_format){.encoding = WAV_PCM};
  return read_chunks(&chunks, out);
}

ctorch_dtype wav_stored_dtype(const struct wav_format *self) {
  switch (self->encoding) {
    case WAV_FLOAT:
      return self->sample_nbytes == 8 ? CTORCH_DTYPE_FLOAT64 : CTORCH_DTYPE_FLOAT32;
    case WAV_PCM:
      return self->sample_nbytes == 1   ? CTORCH_DTYPE_UINT8
             : self->sample_nbytes == 2 ? CTORCH_DTYPE_INT16
                                        : CTORCH_DTYPE_INT32;
    default:
      return CTORCH_DTYPE_INT16;
  }
}
