/* Pixels in memory, and what their channels become. The arithmetic is Pillow's (Convert.c). */
#include "datasets/image_pixels.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/sequence.h"
#include "core/c/error.h"

/* Twice PIL.Image.MAX_IMAGE_PIXELS, from where on Pillow refuses. */
static const uint64_t MOST_PIXELS = 178956970;

ctorch_error *image_error(const struct image_source *source, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_make(source->function, CTORCH_ERROR_FORMAT, "%.1000s: %s", source->name, text);
}

ctorch_error *image_check_size(const struct image_source *source, uint64_t height, uint64_t width) {
  if (height == 0 || width == 0) {
    return image_error(source, "an image of %" PRIu64 " x %" PRIu64 " pixels", width, height);
  }
  const bool is_limited = (source->flags & CTORCH_IMAGE_ANY_SIZE) == 0;
  if (width > INT32_MAX || height > INT32_MAX || (is_limited && height > MOST_PIXELS / width)) {
    return image_error(
        source, "%" PRIu64 " x %" PRIu64 " pixels, more than %" PRIu64 "%s", width, height, MOST_PIXELS,
        is_limited ? ": a flag allows any size (CTORCH_IMAGE_ANY_SIZE)" : "");
  }
  return NULL;
}

static uint64_t pixels_nbytes(const struct image_pixels *self) {
  return (uint64_t)self->height * (uint64_t)self->width * (uint64_t)self->channels * (self->is_uint16 ? 2 : 1);
}

ctorch_error *image_allocate(const char *function, struct image_pixels *self) {
  const uint64_t nbytes = pixels_nbytes(self); /* the sides are below 2**31, the rest at most 8 */
  if (nbytes > INT64_MAX) {
    return error_memory(function, nbytes);
  }
  CTORCH_TRY(ctorch_storage_new(&self->storage, (size_t)nbytes));
  return ctorch_storage_data(&self->data, self->storage);
}

/* Channels --------------------------------------------------------------------------------------------------------- */

/* What a row of pixels is made of, and into; `wide` is known where this is called, so that it becomes two loops. */
static inline uint32_t sample(const void *data, size_t index, bool wide) {
  return wide ? ((const uint16_t *)data)[index] : ((const uint8_t *)data)[index];
}

static inline void put(void *data, size_t index, uint32_t value, bool wide) {
  if (wide) {
    ((uint16_t *)data)[index] = (uint16_t)value;
  } else {
    ((uint8_t *)data)[index] = (uint8_t)value;
  }
}

/* Of the light that the black ink leaves, what another ink leaves. */
static inline uint32_t light(uint32_t ink, uint32_t black) {
  const uint32_t rest = 255 - black, product = ink * rest + 128;
  return rest - ((product + (product >> 8)) >> 8);
}

struct colour {
  uint32_t red, green, blue, alpha;
};

static inline struct colour colour_at(const struct image_pixels *self, size_t pixel, bool wide) {
  const size_t at = pixel * (size_t)self->channels;
  const uint32_t most = wide ? UINT16_MAX : UINT8_MAX, first = sample(self->data, at, wide);
  struct colour colour = {first, first, first, most};
  if (self->is_cmyk) {
    const uint32_t black = sample(self->data, at + 3, wide);
    colour.red = light(first, black);
    colour.green = light(sample(self->data, at + 1, wide), black);
    colour.blue = light(sample(self->data, at + 2, wide), black);
    return colour;
  }
  if (self->channels >= 3) {
    colour.green = sample(self->data, at + 1, wide);
    colour.blue = sample(self->data, at + 2, wide);
  }
  if (self->channels % 2 == 0) {
    colour.alpha = sample(self->data, at + (size_t)self->channels - 1, wide);
  }
  return colour;
}

static inline void put_colour(struct image_pixels *self, size_t pixel, const struct colour *colour, bool wide) {
  const size_t at = pixel * (size_t)self->channels;
  if (self->channels >= 3) {
    put(self->data, at, colour->red, wide);
    put(self->data, at + 1, colour->green, wide);
    put(self->data, at + 2, colour->blue, wide);
  } else {
    const uint32_t grey = (colour->red * 19595 + colour->green * 38470 + colour->blue * 7471 + 0x8000) >> 16;
    put(self->data, at, grey, wide);
  }
  if (self->channels % 2 == 0) {
    put(self->data, at + (size_t)self->channels - 1, colour->alpha, wide);
  }
}

static inline void convert_all(struct image_pixels *to, const struct image_pixels *from, bool wide) {
  const size_t pixels = (size_t)(from->height * from->width);
  for (size_t i = 0; i < pixels; i++) {
    const struct colour colour = colour_at(from, i, wide);
    put_colour(to, i, &colour, wide);
  }
}

ctorch_error *image_convert(const char *function, struct image_pixels *self, ctorch_image_mode mode) {
  if (mode == CTORCH_IMAGE_MODE_UNCHANGED || (mode == self->channels && !self->is_cmyk)) {
    return NULL;
  }
  struct image_pixels to = *self;
  to.storage = NULL;
  to.channels = mode; /* the modes are numbers of channels */
  to.is_cmyk = false;
  ctorch_error *error = image_allocate(function, &to);
  if (error != NULL) {
    ctorch_storage_release(to.storage);
    return error;
  }
  if (self->is_uint16) {
    convert_all(&to, self, true);
  } else {
    convert_all(&to, self, false);
  }
  ctorch_storage_release(self->storage);
  *self = to;
  return NULL;
}

/* Images to be written --------------------------------------------------------------------------------------------- */

static ctorch_error *check_image(
    const char *function, const ctorch_tensor *image, bool allow_uint16, unsigned channels) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(image);
  if (ctorch_tensor_device_type(image) != CTORCH_DEVICE_TYPE_CPU) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "image: expected a tensor on the CPU, got one on %s",
        ctorch_device_type_name(ctorch_tensor_device_type(image)));
  }
  if (dtype != CTORCH_DTYPE_UINT8 && !(allow_uint16 && dtype == CTORCH_DTYPE_UINT16)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "image: expected uint8%s, got %s", allow_uint16 ? " or uint16" : "",
        ctorch_dtype_name(dtype));
  }
  const int64_t *sizes = ctorch_tensor_sizes(image);
  if (sizes == NULL || ctorch_tensor_ndim(image) != 3) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "image: expected 3 dimensions, (channels, height, width), got %" PRId64,
        ctorch_tensor_ndim(image));
  }
  if (sizes[0] < 1 || sizes[0] > 4 || (channels >> sizes[0] & 1) == 0) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "image: expected %s channels, got %" PRId64,
        channels == (1U << 1 | 1U << 3) ? "1 or 3" : "1 to 4", sizes[0]);
  }
  return NULL;
}

ctorch_error *image_rows_read(
    const char *function, struct image_rows *out, const ctorch_tensor *image, bool allow_uint16, unsigned channels) {
  CTORCH_TRY(check_image(function, image, allow_uint16, channels));
  const int64_t *sizes = ctorch_tensor_sizes(image);
  const void *data = NULL;
  ctorch_tensor *turned = NULL, *rows = NULL;
  CTORCH_TRY(ctorch_aten_permute(&turned, image, CTORCH_INTS(1, 2, 0)));
  ctorch_error *error = ctorch_aten_contiguous(&rows, turned, CTORCH_MEMORY_FORMAT_CONTIGUOUS);
  THEN(error, ctorch_tensor_const_data(&data, rows));
  ctorch_tensor_release(turned);
  if (error != NULL) {
    ctorch_tensor_release(rows);
    return error;
  }
  const size_t height = (size_t)sizes[1], width = (size_t)sizes[2], planes = (size_t)sizes[0];
  const bool is_uint16 = ctorch_tensor_dtype(image) == CTORCH_DTYPE_UINT16;
  *out = (struct image_rows){rows, data, height, width, planes, width * planes * (is_uint16 ? 2 : 1), is_uint16};
  return NULL;
}
