/* Images in summaries: turned to rows of pixels as Python's convert_to_HWC does, and written as PNG. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "tensorboard/image.h"
#include "tensorboard/tensor.h"
#include "tensorboard/writer.h"

enum { COLUMNS = 8, MOST_PIXELS = 1 << 28 };

/* The numbers of an image, and where pixel (n, y, x), channel c of it stands. */
struct picture {
  const float *data;
  int64_t n, channels, height, width;
  int64_t strides[4]; /* of N, C, H, W */
};

static ctorch_error *wrong_format(const char *function, const ctorch_tensor *image, const char *format) {
  return error_make(
      function, CTORCH_ERROR_VALUE, "dataformats: '%s' does not fit a tensor of %" PRId64 " dimensions", format,
      ctorch_tensor_ndim(image));
}

/* Letter by letter what the dimensions are. */
static ctorch_error *find_dimensions(
    const char *function, const ctorch_tensor *image, const char *format, struct picture *out) {
  static const char LETTERS[] = "NCHW";
  const int64_t ndim = ctorch_tensor_ndim(image);
  const char *const usual = ndim == 2 ? "HW" : ndim == 3 ? "CHW" : "NCHW";
  const char *const letters = format == NULL ? usual : format;
  const int64_t *given = ctorch_tensor_sizes(image); /* a nested tensor has none */
  int64_t sizes[4] = {1, 1, 1, 1};
  bool seen[4] = {false};
  if (given == NULL || (int64_t)strlen(letters) != ndim || ndim < 2 || ndim > 4) {
    return wrong_format(function, image, letters);
  }
  memset(out->strides, 0, sizeof out->strides);
  for (int64_t i = ndim, stride = 1; i-- > 0; stride *= given[i]) {
    const char letter = letters[i] >= 'a' && letters[i] <= 'z' ? (char)(letters[i] - 'a' + 'A') : letters[i];
    const char *at = strchr(LETTERS, letter);
    if (at == NULL || letter == '\0' || seen[at - LETTERS]) {
      return wrong_format(function, image, letters);
    }
    seen[at - LETTERS] = true;
    sizes[at - LETTERS] = given[i];
    out->strides[at - LETTERS] = stride;
  }
  if (!seen[2] || !seen[3] || seen[0] != (ndim == 4) || seen[1] != (ndim >= 3)) {
    return wrong_format(function, image, letters);
  }
  out->n = sizes[0];
  out->channels = sizes[1];
  out->height = sizes[2];
  out->width = sizes[3];
  return NULL;
}

static ctorch_error *check_picture(const char *function, const struct picture *picture, bool is_grid) {
  if (picture->n < 1 || picture->height < 1 || picture->width < 1 ||
      picture->n > MOST_PIXELS / picture->height / picture->width / COLUMNS) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "img_tensor: expected pixels, and not too many, got %" PRId64 " images of %" PRId64 " x %" PRId64, picture->n,
        picture->height, picture->width);
  }
  if (picture->channels < 1 || picture->channels > 4 || (is_grid && picture->channels != 1 && picture->channels != 3)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "img_tensor: expected 1 or 3 channels, got %" PRId64, picture->channels);
  }
  return NULL;
}

static uint8_t shade(float value, float scale) {
  const float scaled = value * scale;
  return scaled >= 255 ? 255 : scaled > 0 ? (uint8_t)scaled : 0;
}

/* Put one image of several into its place in the grid. */
static void draw(const struct picture *picture, int64_t index, float scale, struct pixels *out) {
  const int64_t columns = picture->n < COLUMNS ? picture->n : COLUMNS;
  const int64_t top = index / columns * picture->height, left = index % columns * picture->width;
  for (int64_t c = 0; c < out->channels; c++) {
    const int64_t from = picture->channels == 1 ? 0 : c;
    for (int64_t y = 0; y < picture->height; y++) {
      const float *row =
          picture->data + index * picture->strides[0] + from * picture->strides[1] + y * picture->strides[2];
      uint8_t *to = out->data + (c * out->height + top + y) * out->width + left;
      for (int64_t x = 0; x < picture->width; x++) {
        to[x] = shade(row[x * picture->strides[3]], scale);
      }
    }
  }
}

ctorch_error *summary_encode(
    const char *function,
    const uint8_t *pixels,
    int64_t channels,
    int64_t height,
    int64_t width,
    ctorch_writer *writer) {
  ctorch_tensor *image = NULL;
  CTORCH_TRY(error_of(
      function, ctorch_tensor_from_data(
                    &image, pixels, (size_t)(channels * height * width), (int64_t[]){channels, height, width}, 3,
                    CTORCH_DTYPE_UINT8)));
  ctorch_error *error = ctorch_image_encode_png(writer, image, 6);
  ctorch_tensor_release(image);
  return error_of(function, error);
}

ctorch_error *summary_add_pixels(
    const char *function,
    ctorch_summary_writer *self,
    const char *tag,
    const struct pixels *pixels,
    int64_t height,
    int64_t width,
    int64_t global_step,
    const double *walltime) {
  struct summary_value value = {
      .tag = tag,
      .what = SUMMARY_IMAGE,
      .height = (int32_t)height,
      .width = (int32_t)width,
      .colorspace = (int32_t)pixels->channels};
  ctorch_writer *png = NULL;
  CTORCH_TRY(error_of(function, ctorch_writer_new(&png)));
  ctorch_error *error = summary_encode(function, pixels->data, pixels->channels, pixels->height, pixels->width, png);
  if (error == NULL) {
    value.encoded = (struct bytes){ctorch_writer_data(png), ctorch_writer_nbytes(png)};
    error = summary_add(function, self, &value, 1, global_step, walltime);
  }
  ctorch_writer_release(png);
  return error;
}

/* All images of a picture, eight in a row. */
static ctorch_error *draw_picture(
    const char *function, struct pixels *out, const struct picture *picture, float scale) {
  const int64_t columns = picture->n < COLUMNS ? picture->n : COLUMNS;
  const int64_t rows = (picture->n + columns - 1) / columns; /* NOLINT(clang-analyzer-core.DivideZero): there is one */
  struct pixels pixels = {
      NULL, picture->channels == 1 ? 3 : picture->channels, rows * picture->height, columns * picture->width};
  pixels.data = calloc((size_t)(pixels.channels * pixels.height), (size_t)pixels.width);
  if (pixels.data == NULL) {
    return error_memory(function, (uint64_t)(pixels.channels * pixels.height * pixels.width));
  }
  for (int64_t i = 0; i < picture->n; i++) {
    draw(picture, i, scale, &pixels);
  }
  *out = pixels;
  return NULL;
}

ctorch_error *summary_draw(
    const char *function, struct pixels *out, const ctorch_tensor *img_tensor, const char *dataformats) {
  struct picture picture = {0};
  if (img_tensor == NULL) {
    return error_null(function, "img_tensor");
  }
  CTORCH_TRY(dataformats == NULL ? NULL : error_unless_text(function, "dataformats", dataformats));
  CTORCH_TRY(find_dimensions(function, img_tensor, dataformats, &picture));
  CTORCH_TRY(check_picture(function, &picture, ctorch_tensor_ndim(img_tensor) == 4));
  ctorch_tensor *plain = NULL;
  const void *data = NULL;
  const float scale = ctorch_tensor_dtype(img_tensor) == CTORCH_DTYPE_UINT8 ? 1 : 255;
  CTORCH_TRY(summary_plain(function, &plain, img_tensor, CTORCH_DTYPE_FLOAT32));
  ctorch_error *error = error_of(function, ctorch_tensor_const_data(&data, plain));
  picture.data = data;
  THEN(error, draw_picture(function, out, &picture, scale));
  ctorch_tensor_release(plain);
  return error;
}

ctorch_error *ctorch_summary_writer_add_image(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *img_tensor,
    int64_t global_step,
    const double *walltime,
    const char *dataformats) {
  CTORCH_TRY(error_refusal(__func__));
  struct pixels pixels = {0};
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(summary_draw(__func__, &pixels, img_tensor, dataformats));
  ctorch_error *error =
      summary_add_pixels(__func__, self, tag, &pixels, pixels.height, pixels.width, global_step, walltime);
  free(pixels.data);
  return error;
}
