/* What a WAV file says of itself, and how its samples become numbers. */
#ifndef CTORCH_SHIM_DATASETS_WAV_FORMAT_H
#define CTORCH_SHIM_DATASETS_WAV_FORMAT_H

#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"

enum wav_encoding { WAV_PCM = 1, WAV_FLOAT = 3, WAV_ALAW = 6, WAV_MULAW = 7 };

struct wav_format {
  uint32_t encoding; /* of wav_encoding */
  uint32_t sample_rate;
  size_t channels, sample_nbytes;
  uint64_t data_at, frames;
};

/* Read the chunks up to the samples, all of which lie in the reader. */
ctorch_error *wav_format_read(const char *function, struct wav_format *out, const ctorch_reader *reader)
    __attribute__((warn_unused_result));

/* With what dtype samples are read as they are stored. */
ctorch_dtype wav_stored_dtype(const struct wav_format *self);

/* The samples of one channel, the first of which is given, of `len` frames: into an array of that dtype, or of
 * float32. */
void wav_samples_read(
    const struct wav_format *self, void *out, const unsigned char *samples, size_t len, bool normalize);

#endif
