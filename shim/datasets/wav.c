/* Reading and writing WAV files: <ctorch/datasets/wav.h>. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/wav_format.h"
#include "io/reader.h"
#include "io/writer.h"

static const uint8_t DATA[] = {'d', 'a', 't', 'a'};

enum { CHUNK_NBYTES = 64 << 10, HEADER_NBYTES = 44, MOST_CHANNELS = UINT16_MAX };

/* Reading ---------------------------------------------------------------------------------------------------------- */

/* Channel by channel in memory, frame by frame in the file: a piece of whole frames after another. */
static ctorch_error *read_frames(
    const char *function,
    void *data,
    const struct wav_format *format,
    const ctorch_reader *reader,
    uint64_t first,
    uint64_t frames,
    bool normalize) {
  const size_t frame_nbytes = format->channels * format->sample_nbytes;
  const size_t itemsize = normalize ? sizeof(float) : ctorch_dtype_itemsize(wav_stored_dtype(format));
  const size_t most = frame_nbytes < CHUNK_NBYTES ? CHUNK_NBYTES / frame_nbytes : 1;
  unsigned char *piece = malloc(most * frame_nbytes);
  if (piece == NULL) {
    return error_memory(function, most * frame_nbytes);
  }
  ctorch_error *error = NULL;
  for (uint64_t done = 0; error == NULL && done < frames; done += most) {
    const size_t len = frames - done < most ? (size_t)(frames - done) : most;
    const uint64_t at = format->data_at + (first + done) * frame_nbytes;
    error = reader_read(function, reader, at, piece, len * frame_nbytes);
    for (size_t channel = 0; error == NULL && channel < format->channels; channel++) {
      unsigned char *out = (unsigned char *)data + (channel * frames + done) * itemsize;
      wav_samples_read(format, out, piece + channel * format->sample_nbytes, len, normalize);
    }
  }
  free(piece);
  return error;
}

static ctorch_error *check_range(const char *function, int64_t frame_offset, int64_t num_frames) {
  if (frame_offset < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "frame_offset: expected at least 0, got %" PRId64, frame_offset);
  }
  if (num_frames == 0 || num_frames < -1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "num_frames: expected at least 1, or -1 for all, got %" PRId64, num_frames);
  }
  return NULL;
}

static ctorch_error *read_sound(
    const char *function,
    ctorch_tensor **out,
    int64_t *out_sample_rate,
    const ctorch_reader *reader,
    int64_t frame_offset,
    int64_t num_frames,
    bool normalize) {
  struct wav_format format = {.channels = 0};
  CTORCH_TRY(wav_format_read(function, &format, reader));
  const uint64_t first = (uint64_t)frame_offset < format.frames ? (uint64_t)frame_offset : format.frames;
  uint64_t frames = format.frames - first;
  frames = num_frames >= 0 && (uint64_t)num_frames < frames ? (uint64_t)num_frames : frames;
  const ctorch_dtype dtype = normalize ? CTORCH_DTYPE_FLOAT32 : wav_stored_dtype(&format);
  const int64_t sizes[] = {(int64_t)format.channels, (int64_t)frames};
  ctorch_storage *storage = NULL;
  void *data = NULL;
  /* All frames lie in the file: they become at most four times as many bytes. */
  CTORCH_TRY(ctorch_storage_new(&storage, (size_t)(format.channels * frames * ctorch_dtype_itemsize(dtype))));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  THEN(error, read_frames(function, data, &format, reader, first, frames, normalize));
  THEN(error, ctorch_tensor_from_storage(out, storage, 0, sizes, 2, NULL, 0, dtype));
  ctorch_storage_release(storage);
  if (error == NULL && out_sample_rate != NULL) {
    *out_sample_rate = format.sample_rate;
  }
  return error;
}

ctorch_error *ctorch_wav_read(
    ctorch_tensor **out,
    int64_t *out_sample_rate,
    const ctorch_reader *reader,
    int64_t frame_offset,
    int64_t num_frames,
    bool normalize) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  CTORCH_TRY(check_range(__func__, frame_offset, num_frames));
  return error_of(__func__, read_sound(__func__, out, out_sample_rate, reader, frame_offset, num_frames, normalize));
}

ctorch_error *ctorch_wav_read_file(
    ctorch_tensor **out,
    int64_t *out_sample_rate,
    const char *path,
    int64_t frame_offset,
    int64_t num_frames,
    bool normalize) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(check_range(__func__, frame_offset, num_frames));
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = read_sound(__func__, out, out_sample_rate, reader, frame_offset, num_frames, normalize);
  ctorch_reader_release(reader);
  return error_of(__func__, error);
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

struct sound {
  size_t channels, itemsize;
  uint64_t nbytes;
  bool is_float;
};

static ctorch_error *check_sound(
    const char *function, struct sound *out, const ctorch_tensor *sound, int64_t sample_rate) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(sound);
  const int64_t *sizes = ctorch_tensor_sizes(sound);
  out->is_float = dtype == CTORCH_DTYPE_FLOAT32 || dtype == CTORCH_DTYPE_FLOAT64;
  if (!out->is_float && dtype != CTORCH_DTYPE_UINT8 && dtype != CTORCH_DTYPE_INT16 && dtype != CTORCH_DTYPE_INT32) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "sound: expected uint8, int16, int32, float32 or float64, got %s",
        ctorch_dtype_name(dtype));
  }
  if (ctorch_tensor_ndim(sound) != 2 || sizes == NULL || sizes[0] < 1 || sizes[0] > MOST_CHANNELS) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "sound: expected (channels, frames), of 1 to %d channels", (int)MOST_CHANNELS);
  }
  if (sample_rate < 1 || sample_rate > UINT32_MAX) {
    return error_make(function, CTORCH_ERROR_VALUE, "sample_rate: expected 1 to 4294967295, got %" PRId64, sample_rate);
  }
  out->channels = (size_t)sizes[0];
  out->itemsize = ctorch_tensor_itemsize(sound);
  out->nbytes = ctorch_tensor_nbytes(sound);
  if (out->nbytes > UINT32_MAX - HEADER_NBYTES - 1 || out->channels * out->itemsize > UINT16_MAX) {
    return error_make(function, CTORCH_ERROR_VALUE, "sound: %" PRIu64 " bytes are too many", out->nbytes);
  }
  return NULL;
}

static void put(unsigned char *at, uint64_t value, size_t nbytes) {
  for (size_t i = 0; i < nbytes; i++) {
    at[i] = (unsigned char)(value >> 8 * i);
  }
}

static ctorch_error *write_header(
    const char *function, ctorch_writer *writer, const struct sound *sound, int64_t sample_rate) {
  unsigned char header[HEADER_NBYTES] = "RIFF....WAVEfmt ";
  const size_t frame_nbytes = sound->channels * sound->itemsize;
  put(header + 4, HEADER_NBYTES - 8 + sound->nbytes + sound->nbytes % 2, 4);
  put(header + 16, 16, 4);
  put(header + 20, sound->is_float ? WAV_FLOAT : WAV_PCM, 2);
  put(header + 22, sound->channels, 2);
  put(header + 24, (uint64_t)sample_rate, 4);
  put(header + 28, (uint64_t)sample_rate * frame_nbytes, 4);
  put(header + 32, frame_nbytes, 2);
  put(header + 34, 8 * sound->itemsize, 2);
  memcpy(header + 36, DATA, sizeof DATA);
  put(header + 40, sound->nbytes, 4);
  return writer_write(function, writer, header, sizeof header);
}

/* Numbers have their lowest byte first, whatever the machine has. */
static ctorch_error *write_samples(
    const char *function, ctorch_writer *writer, const struct sound *sound, const unsigned char *data) {
  unsigned char piece[1024];
  for (uint64_t done = 0; done < sound->nbytes;) {
    const size_t len = sound->nbytes - done < sizeof piece ? (size_t)(sound->nbytes - done) : sizeof piece;
    for (size_t i = 0; i < len; i += sound->itemsize) {
      uint64_t number = 0;
      uint32_t half = 0;
      uint16_t quarter = 0;
      switch (sound->itemsize) {
        case 8:
          memcpy(&number, data + done + i, 8);
          break;
        case 4:
          memcpy(&half, data + done + i, 4);
          number = half;
          break;
        case 2:
          memcpy(&quarter, data + done + i, 2);
          number = quarter;
          break;
        default:
          number = data[done + i];
      }
      put(piece + i, number, sound->itemsize);
    }
    CTORCH_TRY(writer_write(function, writer, piece, len));
    done += len;
  }
  return sound->nbytes % 2 == 0 ? NULL : writer_write(function, writer, "", 1);
}

static ctorch_error *write_sound(
    const char *function, ctorch_writer *writer, const ctorch_tensor *sound, int64_t sample_rate) {
  struct sound header = {0};
  const void *data = NULL;
  ctorch_tensor *turned = NULL, *frames = NULL;
  CTORCH_TRY(check_sound(function, &header, sound, sample_rate));
  CTORCH_TRY(ctorch_aten_transpose_int(&turned, sound, 0, 1));
  ctorch_error *error = ctorch_aten_contiguous(&frames, turned, CTORCH_MEMORY_FORMAT_CONTIGUOUS);
  THEN(error, ctorch_tensor_const_data(&data, frames));
  if (error == NULL && ctorch_tensor_device_type(frames) != CTORCH_DEVICE_TYPE_CPU) {
    error = error_make(function, CTORCH_ERROR_VALUE, "sound: expected a tensor on the CPU");
  }
  THEN(error, write_header(function, writer, &header, sample_rate));
  THEN(error, write_samples(function, writer, &header, data));
  ctorch_tensor_release(frames);
  ctorch_tensor_release(turned);
  return error;
}

ctorch_error *ctorch_wav_write(ctorch_writer *writer, const ctorch_tensor *sound, int64_t sample_rate) {
  CTORCH_TRY(error_refusal(__func__));
  if (writer == NULL || sound == NULL) {
    return error_null(__func__, writer == NULL ? "writer" : "sound");
  }
  return error_of(__func__, write_sound(__func__, writer, sound, sample_rate));
}

ctorch_error *ctorch_wav_write_file(const ctorch_tensor *sound, int64_t sample_rate, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (sound == NULL || path == NULL) {
    return error_null(__func__, sound == NULL ? "sound" : "path");
  }
  ctorch_writer *writer = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = write_sound(__func__, writer, sound, sample_rate);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
