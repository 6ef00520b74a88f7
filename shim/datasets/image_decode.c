/* Reading images: <ctorch/datasets/image.h>. The format is found, its codec fills the pixels, and they become a
 * tensor. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/image_pixels.h"
#include "io/reader.h"

enum { HEAD_NBYTES = 16, WHOLE_SIZE = 8 };
enum { FLAGS = CTORCH_IMAGE_APPLY_EXIF_ORIENTATION | CTORCH_IMAGE_UINT16 | CTORCH_IMAGE_ANY_SIZE };

static const image_format *const FORMATS[] = {&image_png, &image_jpeg, &image_pnm};
enum { FORMATS_LEN = sizeof FORMATS / sizeof *FORMATS };

const char *ctorch_image_format_name(size_t index) { return index < FORMATS_LEN ? FORMATS[index]->name : NULL; }

bool ctorch_image_supports(const char *format) {
  for (size_t i = 0; format != NULL && i < FORMATS_LEN; i++) {
    if (strcmp(format, FORMATS[i]->name) == 0) {
      return FORMATS[i]->library == NULL;
    }
  }
  return false;
}

static ctorch_error *check_arguments(
    const char *function, ctorch_image_mode mode, ctorch_image_flags flags, int32_t scale_num) {
  if (mode < CTORCH_IMAGE_MODE_UNCHANGED || mode > CTORCH_IMAGE_MODE_RGB_ALPHA) {
    return error_argument(function, "mode", "expected a mode from 0 to 4 (CTORCH_IMAGE_MODE_…), got %d", (int)mode);
  }
  if ((flags & ~FLAGS) != 0) {
    return error_argument(function, "flags", "expected a sum of flags (CTORCH_IMAGE_…), got %d", (int)flags);
  }
  if (scale_num < 0 || scale_num > WHOLE_SIZE) {
    return error_argument(function, "scale_num", "expected 1 to 8, or 0 for the whole size, got %d", (int)scale_num);
  }
  return NULL;
}

/* The codec for a file that begins so. */
static ctorch_error *find_format(
    const struct image_source *source, const image_format **out, const unsigned char *head, size_t len) {
  for (size_t i = 0; i < FORMATS_LEN; i++) {
    if (FORMATS[i]->detect(head, len)) {
      *out = FORMATS[i];
      return FORMATS[i]->library == NULL ? NULL
                                         : error_make(
                                               source->function, CTORCH_ERROR_UNSUPPORTED,
                                               "%.1000s: %s cannot be read by this build, which has no %s",
                                               source->name, FORMATS[i]->name, FORMATS[i]->library);
    }
  }
  return len == 0 ? image_error(source, "is empty") : image_error(source, "is no PNG, JPEG, PBM, PGM or PPM");
}

static ctorch_error *make_tensor(ctorch_tensor **out, const struct image_pixels *pixels, bool upright) {
  const int64_t channels = pixels->channels;
  const int64_t sizes[] = {channels, pixels->height, pixels->width};
  const int64_t strides[] = {1, pixels->width * channels, channels};
  const ctorch_dtype dtype = pixels->is_uint16 ? CTORCH_DTYPE_UINT16 : CTORCH_DTYPE_UINT8;
  if (!upright || pixels->orientation <= 1) {
    return ctorch_tensor_from_storage(out, pixels->storage, 0, sizes, 3, strides, 3, dtype);
  }
  ctorch_tensor *image = NULL;
  CTORCH_TRY(ctorch_tensor_from_storage(&image, pixels->storage, 0, sizes, 3, strides, 3, dtype));
  ctorch_error *error = image_upright(out, image, pixels->orientation);
  ctorch_tensor_release(image);
  return error;
}

static ctorch_error *decode(ctorch_tensor **out, const struct image_source *source, const image_format *format) {
  struct image_pixels pixels = {0};
  ctorch_error *error = format->decode(&pixels, source);
  THEN(error, image_convert(source->function, &pixels, source->mode));
  THEN(error, make_tensor(out, &pixels, (source->flags & CTORCH_IMAGE_APPLY_EXIF_ORIENTATION) != 0));
  ctorch_storage_release(pixels.storage);
  return error;
}

/* What is no image is not read as a whole. */
static ctorch_error *decode_reader(ctorch_tensor **out, struct image_source *source, const ctorch_reader *reader) {
  unsigned char head[HEAD_NBYTES], *copy = NULL;
  const image_format *format = NULL;
  source->name = reader_name(reader);
  source->nbytes = ctorch_reader_nbytes(reader);
  const size_t len = source->nbytes < sizeof head ? source->nbytes : sizeof head;
  CTORCH_TRY(reader_read(source->function, reader, 0, head, len));
  CTORCH_TRY(find_format(source, &format, head, len));
  ctorch_error *error = NULL;
  source->data = reader_at(reader, 0, source->nbytes);
  if (source->data == NULL) {
    source->data = copy = malloc(source->nbytes);
    error = copy == NULL ? error_memory(source->function, source->nbytes)
                         : reader_read(source->function, reader, 0, copy, source->nbytes);
  }
  THEN(error, decode(out, source, format));
  free(copy);
  return error;
}

static struct image_source source_of(
    const char *function, ctorch_image_mode mode, ctorch_image_flags flags, int32_t scale_num) {
  return (struct image_source){
      .function = function, .mode = mode, .flags = flags, .scale_num = scale_num == 0 ? WHOLE_SIZE : scale_num};
}

ctorch_error *ctorch_image_decode(
    ctorch_tensor **out,
    const ctorch_reader *reader,
    ctorch_image_mode mode,
    ctorch_image_flags flags,
    int32_t scale_num) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  CTORCH_TRY(check_arguments(__func__, mode, flags, scale_num));
  struct image_source source = source_of(__func__, mode, flags, scale_num);
  return error_of(__func__, decode_reader(out, &source, reader));
}

ctorch_error *ctorch_image_decode_data(
    ctorch_tensor **out,
    const void *data,
    size_t data_nbytes,
    ctorch_image_mode mode,
    ctorch_image_flags flags,
    int32_t scale_num) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (data == NULL && data_nbytes > 0) {
    return error_null(__func__, "data");
  }
  CTORCH_TRY(check_arguments(__func__, mode, flags, scale_num));
  if (data_nbytes > INT64_MAX) {
    return error_argument(__func__, "data_nbytes", "expected at most INT64_MAX bytes");
  }
  struct image_source source = source_of(__func__, mode, flags, scale_num);
  const image_format *format = NULL;
  source.name = "data";
  source.data = data;
  source.nbytes = data_nbytes;
  CTORCH_TRY(find_format(&source, &format, data, data_nbytes < HEAD_NBYTES ? data_nbytes : HEAD_NBYTES));
  return error_of(__func__, decode(out, &source, format));
}

ctorch_error *ctorch_image_decode_file(
    ctorch_tensor **out, const char *path, ctorch_image_mode mode, ctorch_image_flags flags, int32_t scale_num) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(check_arguments(__func__, mode, flags, scale_num));
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  struct image_source source = source_of(__func__, mode, flags, scale_num);
  ctorch_error *error = decode_reader(out, &source, reader);
  ctorch_reader_release(reader);
  return error_of(__func__, error);
}
