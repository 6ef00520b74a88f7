/* Reading PNG files by libpng.
 *
 * The library leaves a failure by longjmp: each of its calls lies in a step, whose frame keeps nothing that it
 * changes. */
#include <ctorch.h>
#include <stdio.h>
#include <string.h>

#include "core/c/error.h"
#include "datasets/image_pixels.h"

static bool detect(const unsigned char *head, size_t len) {
  return len >= 8 && memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0;
}

#if CTORCH_HAS_LIBPNG
#include <png.h>
#include <setjmp.h>

/* Deflate makes at most 258 bytes of two bits. */
enum { MOST_INFLATED = 1032 };
enum { SIGNATURE_NBYTES = 8, CHUNK_NBYTES = 12 }; /* of a chunk without its data */

struct decoder {
  png_structp png;
  png_infop info;
  jmp_buf back;
  const struct image_source *source;
  struct image_pixels *pixels;
  size_t at; /* of the next byte */
  png_uint_32 height, width;
  png_size_t stored_row_nbytes, row_nbytes; /* in the file, and as it is read */
  char message[256];
};

static _Noreturn void on_error(png_structp png, png_const_charp message) {
  struct decoder *self = png_get_error_ptr(png);
  snprintf(self->message, sizeof self->message, "%s", message);
  longjmp(self->back, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void read_bytes(png_structp png, png_bytep data, png_size_t nbytes) {
  struct decoder *self = png_get_io_ptr(png);
  if (nbytes > self->source->nbytes - self->at) {
    png_error(png, "ends early");
  }
  memcpy(data, self->source->data + self->at, nbytes);
  self->at += nbytes;
}

/* Steps ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *step(struct decoder *self, void (*run)(struct decoder *self)) {
  if (setjmp(self->back) == 0) {
    run(self);
    return NULL;
  }
  return image_error(self->source, "png: %s", self->message);
}

static void begin(struct decoder *self) {
  self->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
  self->info = self->png == NULL ? NULL : png_create_info_struct(self->png);
}

static void read_header(struct decoder *self) {
  png_set_read_fn(self->png, self, read_bytes);
  png_set_user_limits(self->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(self->png, self->info);
  self->height = png_get_image_height(self->png, self->info);
  self->width = png_get_image_width(self->png, self->info);
  self->stored_row_nbytes = png_get_rowbytes(self->png, self->info);
}

static bool is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

/* Samples of 8 or 16 bits. Of a palette the colours, unless the numbers of them are wanted. */
static void choose_output(struct decoder *self) {
  const ctorch_image_mode mode = self->source->mode;
  const png_byte type = png_get_color_type(self->png, self->info), depth = png_get_bit_depth(self->png, self->info);
  const bool wants_alpha = mode == CTORCH_IMAGE_MODE_GRAY_ALPHA || mode == CTORCH_IMAGE_MODE_RGB_ALPHA;
  if (type == PNG_COLOR_TYPE_PALETTE && mode == CTORCH_IMAGE_MODE_UNCHANGED) {
    png_set_packing(self->png);
  } else if (type == PNG_COLOR_TYPE_PALETTE) {
    png_set_palette_to_rgb(self->png);
  } else if (type == PNG_COLOR_TYPE_GRAY && depth < 8) {
    png_set_expand_gray_1_2_4_to_8(self->png);
  }
  if (wants_alpha && png_get_valid(self->png, self->info, PNG_INFO_tRNS) != 0) {
    png_set_tRNS_to_alpha(self->png);
  }
  self->pixels->is_uint16 = depth == 16 && (self->source->flags & CTORCH_IMAGE_UINT16) != 0;
  if (depth == 16 && !self->pixels->is_uint16) {
    png_set_strip_16(self->png);
  } else if (depth == 16 && is_little_endian()) {
    png_set_swap(self->png);
  }
  png_set_interlace_handling(self->png);
  png_read_update_info(self->png, self->info);
  self->pixels->channels = png_get_channels(self->png, self->info);
  self->row_nbytes = png_get_rowbytes(self->png, self->info);
}

static void read_pixels(struct decoder *self) {
  const int passes =
      png_get_interlace_type(self->png, self->info) == PNG_INTERLACE_NONE ? 1 : PNG_INTERLACE_ADAM7_PASSES;
  for (int pass = 0; pass < passes; pass++) {
    for (png_uint_32 row = 0; row < self->height; row++) {
      png_read_row(self->png, (png_bytep)self->pixels->data + row * self->row_nbytes, NULL);
    }
  }
  png_read_end(self->png, self->info);
}

static void read_orientation(struct decoder *self) {
#ifdef PNG_eXIf_SUPPORTED
  png_uint_32 nbytes = 0;
  png_bytep data = NULL;
  if (png_get_eXIf_1(self->png, self->info, &nbytes, &data) != 0 && data != NULL) {
    self->pixels->orientation = image_exif_orientation(data, nbytes);
  }
#else
  (void)self;
#endif
}

static ctorch_error *check_size(const struct decoder *self) {
  CTORCH_TRY(image_check_size(self->source, self->height, self->width));
  if (self->stored_row_nbytes > (uint64_t)self->source->nbytes * MOST_INFLATED / self->height) {
    return image_error(
        self->source, "png: ends early: %lu x %lu pixels, which its %zu bytes cannot hold", (unsigned long)self->width,
        (unsigned long)self->height, self->source->nbytes);
  }
  return NULL;
}

/* The library allocates what a chunk says that it has: all have to lie in the file, up to the last one. */
static ctorch_error *check_chunks(const struct image_source *source) {
  for (size_t at = SIGNATURE_NBYTES; source->nbytes - at >= CHUNK_NBYTES;) {
    const unsigned char *chunk = source->data + at;
    const uint64_t nbytes = (uint64_t)chunk[0] << 24 | chunk[1] << 16 | chunk[2] << 8 | chunk[3];
    if (nbytes > source->nbytes - at - CHUNK_NBYTES) {
      break;
    }
    if (memcmp(chunk + 4, "IEND", 4) == 0) {
      return NULL;
    }
    at += CHUNK_NBYTES + (size_t)nbytes;
  }
  return image_error(source, "png: ends early");
}

static ctorch_error *decode_steps(struct decoder *self) {
  struct image_pixels *pixels = self->pixels;
  CTORCH_TRY(check_chunks(self->source));
  CTORCH_TRY(step(self, begin));
  if (self->info == NULL) {
    return error_memory(self->source->function, sizeof *self);
  }
  CTORCH_TRY(step(self, read_header));
  CTORCH_TRY(check_size(self));
  CTORCH_TRY(step(self, choose_output));
  pixels->height = self->height;
  pixels->width = self->width;
  if (self->row_nbytes != (size_t)self->width * (size_t)pixels->channels * (pixels->is_uint16 ? 2 : 1)) {
    return error_make(self->source->function, CTORCH_ERROR_INTERNAL, "png: rows of %zu bytes", self->row_nbytes);
  }
  CTORCH_TRY(image_allocate(self->source->function, pixels));
  CTORCH_TRY(step(self, read_pixels));
  return step(self, read_orientation);
}

static ctorch_error *decode(struct image_pixels *out, const struct image_source *source) {
  struct decoder self = {.source = source, .pixels = out};
  ctorch_error *error = decode_steps(&self);
  png_destroy_read_struct(&self.png, &self.info, NULL);
  return error;
}

const image_format image_png = {.name = "png", .detect = detect, .decode = decode};

#else

const image_format image_png = {.name = "png", .library = "libpng", .detect = detect};

#endif
