/* Writing PNG files by libpng. A failure comes by longjmp, as in image_png.c. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/image_pixels.h"
#include "io/writer.h"

#if CTORCH_HAS_LIBPNG
#include <png.h>
#include <setjmp.h>

struct encoder {
  png_structp png;
  png_infop info;
  jmp_buf back;
  const char *function;
  ctorch_writer *writer;
  ctorch_error *error; /* the writer's */
  struct image_rows rows;
  int compression_level;
  char message[256];
};

static _Noreturn void on_error(png_structp png, png_const_charp message) {
  struct encoder *self = png_get_error_ptr(png);
  snprintf(self->message, sizeof self->message, "%s", message);
  longjmp(self->back, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void write_bytes(png_structp png, png_bytep data, png_size_t nbytes) {
  struct encoder *self = png_get_io_ptr(png);
  self->error = writer_write(self->function, self->writer, data, nbytes);
  if (self->error != NULL) {
    png_error(png, "the writer failed");
  }
}

static void flush(png_structp png) { (void)png; }

static ctorch_error *step(struct encoder *self, void (*run)(struct encoder *self)) {
  if (setjmp(self->back) == 0) {
    run(self);
    return NULL;
  }
  return self->error != NULL ? self->error
                             : error_make(self->function, CTORCH_ERROR_RUNTIME, "image: png: %s", self->message);
}

static void begin(struct encoder *self) {
  self->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
  self->info = self->png == NULL ? NULL : png_create_info_struct(self->png);
}

static bool is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static void write_image(struct encoder *self) {
  static const int TYPES[] = {
      [1] = PNG_COLOR_TYPE_GRAY, [2] = PNG_COLOR_TYPE_GRAY_ALPHA, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGBA};
  const struct image_rows *rows = &self->rows;
  png_set_write_fn(self->png, self, write_bytes, flush);
  png_set_compression_level(self->png, self->compression_level);
  png_set_IHDR(
      self->png, self->info, (png_uint_32)rows->width, (png_uint_32)rows->height, rows->is_uint16 ? 16 : 8,
      TYPES[rows->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(self->png, self->info);
  if (rows->is_uint16 && is_little_endian()) {
    png_set_swap(self->png);
  }
  for (size_t row = 0; row < rows->height; row++) {
    png_write_row(self->png, rows->data + row * rows->row_nbytes);
  }
  png_write_end(self->png, self->info);
}

static ctorch_error *check_sides(const char *function, const struct image_rows *rows) {
  const size_t most = PNG_USER_WIDTH_MAX < PNG_USER_HEIGHT_MAX ? PNG_USER_WIDTH_MAX : PNG_USER_HEIGHT_MAX;
  const bool fits = rows->height >= 1 && rows->height <= most && rows->width >= 1 && rows->width <= most;
  return fits ? NULL
              : error_make(
                    function, CTORCH_ERROR_RUNTIME, "image: expected sides of 1 to %zu pixels, got %zu x %zu", most,
                    rows->height, rows->width);
}

static ctorch_error *encode(
    const char *function, ctorch_writer *writer, const ctorch_tensor *image, int64_t compression_level) {
  struct encoder self = {.function = function, .writer = writer, .compression_level = (int)compression_level};
  CTORCH_TRY(image_rows_read(function, &self.rows, image, true, 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4));
  ctorch_error *error = check_sides(function, &self.rows);
  THEN(error, step(&self, begin));
  if (error == NULL && self.info == NULL) {
    error = error_memory(function, sizeof self);
  }
  THEN(error, step(&self, write_image));
  png_destroy_write_struct(&self.png, &self.info);
  ctorch_tensor_release(self.rows.tensor);
  return error;
}

#else

static ctorch_error *encode(
    const char *function, ctorch_writer *writer, const ctorch_tensor *image, int64_t compression_level) {
  (void)image;
  (void)compression_level;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: png cannot be written by this build, which has no libpng",
      writer_name(writer));
}

#endif

static ctorch_error *check_level(const char *function, int64_t compression_level) {
  return compression_level >= 0 && compression_level <= 9
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "compression_level: expected 0 to 9, got %" PRId64, compression_level);
}

ctorch_error *ctorch_image_encode_png(ctorch_writer *writer, const ctorch_tensor *image, int64_t compression_level) {
  CTORCH_TRY(error_refusal(__func__));
  if (writer == NULL || image == NULL) {
    return error_null(__func__, writer == NULL ? "writer" : "image");
  }
  CTORCH_TRY(check_level(__func__, compression_level));
  return error_of(__func__, encode(__func__, writer, image, compression_level));
}

ctorch_error *ctorch_image_encode_png_file(const ctorch_tensor *image, int64_t compression_level, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (image == NULL || path == NULL) {
    return error_null(__func__, image == NULL ? "image" : "path");
  }
  CTORCH_TRY(check_level(__func__, compression_level));
  ctorch_writer *writer = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = encode(__func__, writer, image, compression_level);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
