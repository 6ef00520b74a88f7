/* Sounds in summaries: one channel of 16 bits, as Python's wave module writes it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "tensorboard/tensor.h"
#include "tensorboard/writer.h"

/* The one dimension that is not 1, and how long it is. */
static ctorch_error *check_sound(
    const char *function, const ctorch_tensor *sound, int64_t sample_rate, int64_t *frames) {
  int dimensions = 0;
  if (sound == NULL) {
    return error_null(function, "snd_tensor");
  }
  if (sample_rate < 1 || sample_rate > UINT32_MAX / 2) {
    return error_argument(function, "sample_rate", "expected a rate from 1 to 2147483647, got %" PRId64, sample_rate);
  }
  const int64_t *sizes = ctorch_tensor_sizes(sound); /* a nested tensor has none */
  for (int64_t i = 0; sizes != NULL && i < ctorch_tensor_ndim(sound); i++) {
    dimensions += sizes[i] != 1;
  }
  *frames = ctorch_tensor_numel(sound);
  return dimensions == 1 && *frames > 0
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "snd_tensor: expected samples in one dimension");
}

/* Python multiplies in the dtype that the tensor has. */
static int16_t sample(double value, bool is_single) {
  const double clipped = value > 1 ? 1 : value < -1 ? -1 : value;
  return isnan(value) ? 0 : (int16_t)(is_single ? (double)((float)clipped * 32767.0F) : clipped * 32767);
}

static ctorch_error *write_sound(
    const char *function,
    const double *values,
    int64_t frames,
    bool is_single,
    int64_t sample_rate,
    ctorch_writer *wav) {
  int16_t *samples = malloc(frames == 0 ? 1 : (size_t)frames * sizeof *samples);
  ctorch_tensor *sound = NULL;
  if (samples == NULL) {
    return error_memory(function, (uint64_t)frames * sizeof *samples);
  }
  for (int64_t i = 0; i < frames; i++) {
    samples[i] = sample(values[i], is_single);
  }
  ctorch_error *error = ctorch_tensor_from_data(
      &sound, samples, (size_t)frames * sizeof *samples, (int64_t[]){1, frames}, 2, CTORCH_DTYPE_INT16);
  THEN(error, ctorch_wav_write(wav, sound, sample_rate));
  ctorch_tensor_release(sound);
  free(samples);
  return error_of(function, error);
}

ctorch_error *ctorch_summary_writer_add_audio(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *snd_tensor,
    int64_t global_step,
    int64_t sample_rate,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  int64_t frames = 0;
  ctorch_tensor *plain = NULL;
  ctorch_writer *wav = NULL;
  const void *data = NULL;
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(check_sound(__func__, snd_tensor, sample_rate, &frames));
  const bool is_single = ctorch_tensor_dtype(snd_tensor) != CTORCH_DTYPE_FLOAT64;
  CTORCH_TRY(summary_plain(__func__, &plain, snd_tensor, CTORCH_DTYPE_FLOAT64));
  ctorch_error *error = ctorch_tensor_const_data(&data, plain);
  error = error_of(__func__, error != NULL ? error : ctorch_writer_new(&wav));
  THEN(error, write_sound(__func__, data, frames, is_single, sample_rate, wav));
  if (error == NULL) {
    const struct summary_value value = {
        .tag = tag,
        .what = SUMMARY_AUDIO,
        .sample_rate = (float)sample_rate,
        .channels = 1,
        .frames = frames,
        .encoded = {ctorch_writer_data(wav), ctorch_writer_nbytes(wav)}};
    error = summary_add(__func__, self, &value, 1, global_step, walltime);
  }
  ctorch_writer_release(wav);
  ctorch_tensor_release(plain);
  return error;
}
