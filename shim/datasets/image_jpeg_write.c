/* Writing JPEG files by libjpeg, with its defaults. A failure comes by longjmp, as in image_jpeg.c. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/image_pixels.h"
#include "io/writer.h"

#if CTORCH_HAS_LIBJPEG
#include <jpeglib.h>
/* after it */
#include <jerror.h>
#include <setjmp.h>

struct encoder {
  struct jpeg_compress_struct codec;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr bytes;
  jmp_buf back;
  const char *function;
  ctorch_writer *writer;
  ctorch_error *error; /* the writer's */
  struct image_rows rows;
  int quality;
  unsigned char buffer[4096];
  char message[JMSG_LENGTH_MAX];
};

static _Noreturn void on_error(j_common_ptr codec) {
  struct encoder *self = codec->client_data;
  self->errors.format_message(codec, self->message);
  longjmp(self->back, 1);
}

static void on_message(j_common_ptr codec, int level) {
  (void)codec;
  (void)level;
}

static void empty_buffer(struct encoder *self) {
  self->bytes.next_output_byte = self->buffer;
  self->bytes.free_in_buffer = sizeof self->buffer;
}

static void write_buffer(struct encoder *self, size_t nbytes) {
  self->error = writer_write(self->function, self->writer, self->buffer, nbytes);
  if (self->error != NULL) {
    longjmp(self->back, 1);
  }
}

static void on_begin(j_compress_ptr codec) { empty_buffer(codec->client_data); }

static boolean on_full(j_compress_ptr codec) {
  struct encoder *self = codec->client_data;
  write_buffer(self, sizeof self->buffer);
  empty_buffer(self);
  return TRUE;
}

static void on_end(j_compress_ptr codec) {
  struct encoder *self = codec->client_data;
  write_buffer(self, sizeof self->buffer - self->bytes.free_in_buffer);
}

static ctorch_error *step(struct encoder *self, void (*run)(struct encoder *self)) {
  if (setjmp(self->back) == 0) {
    run(self);
    return NULL;
  }
  if (self->error != NULL) {
    return self->error;
  }
  return self->errors.msg_code == JERR_OUT_OF_MEMORY
             ? error_memory(self->function, self->rows.height * self->rows.row_nbytes)
             : error_make(self->function, CTORCH_ERROR_RUNTIME, "image: jpeg: %s", self->message);
}

static void write_image(struct encoder *self) {
  jpeg_create_compress(&self->codec);
  self->codec.dest = &self->bytes;
  self->codec.image_height = (JDIMENSION)self->rows.height;
  self->codec.image_width = (JDIMENSION)self->rows.width;
  self->codec.input_components = (int)self->rows.channels;
  self->codec.in_color_space = self->rows.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&self->codec);
  jpeg_set_quality(&self->codec, self->quality, TRUE);
  jpeg_start_compress(&self->codec, TRUE);
  while (self->codec.next_scanline < self->codec.image_height) {
    JSAMPROW row = (JSAMPROW)(uintptr_t)(self->rows.data + self->codec.next_scanline * self->rows.row_nbytes);
    jpeg_write_scanlines(&self->codec, &row, 1);
  }
  jpeg_finish_compress(&self->codec);
}

static ctorch_error *encode(const char *function, ctorch_writer *writer, const ctorch_tensor *image, int64_t quality) {
  struct encoder self = {
      .bytes = {.init_destination = on_begin, .empty_output_buffer = on_full, .term_destination = on_end},
      .function = function,
      .writer = writer,
      .quality = (int)quality,
  };
  CTORCH_TRY(image_rows_read(function, &self.rows, image, false, 1U << 1 | 1U << 3));
  self.codec.err = jpeg_std_error(&self.errors);
  self.codec.client_data = &self;
  self.errors.error_exit = on_error;
  self.errors.emit_message = on_message;
  ctorch_error *error =
      self.rows.height > JPEG_MAX_DIMENSION || self.rows.width > JPEG_MAX_DIMENSION
          ? error_make(
                function, CTORCH_ERROR_RUNTIME, "image: expected sides of at most %ld pixels", (long)JPEG_MAX_DIMENSION)
          : step(&self, write_image);
  jpeg_destroy_compress(&self.codec);
  ctorch_tensor_release(self.rows.tensor);
  return error;
}

#else

static ctorch_error *encode(const char *function, ctorch_writer *writer, const ctorch_tensor *image, int64_t quality) {
  (void)image;
  (void)quality;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: jpeg cannot be written by this build, which has no libjpeg",
      writer_name(writer));
}

#endif

static ctorch_error *check_quality(const char *function, int64_t quality) {
  return quality >= 1 && quality <= 100
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "quality: expected 1 to 100, got %" PRId64, quality);
}

ctorch_error *ctorch_image_encode_jpeg(ctorch_writer *writer, const ctorch_tensor *image, int64_t quality) {
  CTORCH_TRY(error_refusal(__func__));
  if (writer == NULL || image == NULL) {
    return error_null(__func__, writer == NULL ? "writer" : "image");
  }
  CTORCH_TRY(check_quality(__func__, quality));
  return error_of(__func__, encode(__func__, writer, image, quality));
}

ctorch_error *ctorch_image_encode_jpeg_file(const ctorch_tensor *image, int64_t quality, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (image == NULL || path == NULL) {
    return error_null(__func__, image == NULL ? "image" : "path");
  }
  CTORCH_TRY(check_quality(__func__, quality));
  ctorch_writer *writer = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = encode(__func__, writer, image, quality);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
