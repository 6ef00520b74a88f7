/* Reading JPEG files by libjpeg. The accurate integer DCT and smooth upsampling are its defaults, and Pillow's.
 *
 * The codec leaves a failure by longjmp: each of its calls lies in a step, whose frame keeps nothing that it
 * changes. */
#include <ctorch.h>
#include <stdio.h>

#include "core/c/error.h"
#include "datasets/image_pixels.h"

static bool detect(const unsigned char *head, size_t len) {
  return len >= 3 && head[0] == 0xff && head[1] == 0xd8 && head[2] == 0xff;
}

#if CTORCH_HAS_LIBJPEG
#include <jpeglib.h>
/* after it */
#include <jerror.h>
#include <setjmp.h>
#include <string.h>

/* A progressive file may have as many scans as it likes, each of which goes over the whole image. */
enum { MOST_SCANS = 500, MARKER_EXIF = JPEG_APP0 + 1, MOST_MARKER_NBYTES = 0xffff, MOST_PIXELS_A_BYTE = 8 * 64 };
static const char EXIF[] = "Exif\0"; /* with a second NUL */

struct decoder {
  struct jpeg_decompress_struct codec;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr bytes;
  struct jpeg_progress_mgr progress;
  jmp_buf back;
  const struct image_source *source;
  struct image_pixels *pixels;
  char message[JMSG_LENGTH_MAX];
};

static _Noreturn void leave(struct decoder *self, const char *message) {
  snprintf(self->message, sizeof self->message, "%s", message);
  longjmp(self->back, 1);
}

static _Noreturn void on_error(j_common_ptr codec) {
  struct decoder *self = codec->client_data;
  self->errors.format_message(codec, self->message);
  longjmp(self->back, 1);
}

/* Of damaged data the codec makes something, as Pillow has it. */
static void on_message(j_common_ptr codec, int level) {
  (void)codec;
  (void)level;
}

static void on_progress(j_common_ptr codec) {
  struct decoder *self = codec->client_data;
  if (self->codec.input_scan_number > MOST_SCANS) {
    leave(self, "more than 500 scans");
  }
}

static void nothing(j_decompress_ptr codec) { (void)codec; }

static boolean no_more(j_decompress_ptr codec) { leave(codec->client_data, "ends early"); }

static void skip(j_decompress_ptr codec, long nbytes) {
  struct jpeg_source_mgr *bytes = codec->src;
  if (nbytes <= 0) {
    return;
  }
  if ((unsigned long)nbytes > bytes->bytes_in_buffer) {
    leave(codec->client_data, "ends early");
  }
  bytes->next_input_byte += nbytes;
  bytes->bytes_in_buffer -= (size_t)nbytes;
}

/* Steps ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *step(struct decoder *self, void (*run)(struct decoder *self)) {
  if (setjmp(self->back) == 0) {
    run(self);
    return NULL;
  }
  return self->errors.msg_code == JERR_OUT_OF_MEMORY ? error_memory(self->source->function, self->source->nbytes)
                                                     : image_error(self->source, "jpeg: %s", self->message);
}

static void read_header(struct decoder *self) {
  jpeg_create_decompress(&self->codec);
  self->codec.src = &self->bytes;
  self->codec.progress = &self->progress;
  jpeg_save_markers(&self->codec, MARKER_EXIF, MOST_MARKER_NBYTES);
  jpeg_read_header(&self->codec, TRUE);
}

static void choose_output(struct decoder *self) {
  const int components = self->codec.num_components;
  self->codec.out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
  self->codec.scale_num = (unsigned)self->source->scale_num;
  self->codec.scale_denom = 8;
  jpeg_calc_output_dimensions(&self->codec);
}

static void read_pixels(struct decoder *self) {
  jpeg_start_decompress(&self->codec);
  const size_t row_nbytes = (size_t)self->pixels->width * (size_t)self->pixels->channels;
  while (self->codec.output_scanline < self->codec.output_height) {
    JSAMPROW row = (JSAMPROW)self->pixels->data + self->codec.output_scanline * row_nbytes;
    jpeg_read_scanlines(&self->codec, &row, 1);
  }
  jpeg_finish_decompress(&self->codec);
}

/* The first of the markers that are Exif data. */
static int orientation_of(const struct decoder *self) {
  for (jpeg_saved_marker_ptr marker = self->codec.marker_list; marker != NULL; marker = marker->next) {
    if (marker->data_length >= sizeof EXIF && memcmp(marker->data, EXIF, sizeof EXIF) == 0) {
      return image_exif_orientation(marker->data + sizeof EXIF, marker->data_length - sizeof EXIF);
    }
  }
  return 0;
}

/* Inks are stored as Adobe does it: 255 is none. */
static void invert(struct image_pixels *pixels) {
  unsigned char *data = pixels->data;
  const size_t nbytes = (size_t)(pixels->height * pixels->width) * 4;
  for (size_t i = 0; i < nbytes; i++) {
    data[i] = (unsigned char)(255 - data[i]);
  }
}

/* Of each 64 pixels Huffman's codes have at least one bit. */
static ctorch_error *check_size(const struct decoder *self) {
  const uint64_t height = self->codec.image_height, width = self->codec.image_width;
  CTORCH_TRY(image_check_size(self->source, height, width));
  if (!self->codec.arith_code && height * width / MOST_PIXELS_A_BYTE > self->source->nbytes) {
    return image_error(
        self->source, "jpeg: ends early: %lu x %lu pixels, which its %zu bytes cannot hold", (unsigned long)width,
        (unsigned long)height, self->source->nbytes);
  }
  return NULL;
}

static ctorch_error *decode_steps(struct decoder *self) {
  struct image_pixels *pixels = self->pixels;
  CTORCH_TRY(step(self, read_header));
  const int components = self->codec.num_components;
  if (components != 1 && components != 3 && components != 4) {
    return image_error(self->source, "jpeg: %d components, expected 1, 3 or 4", components);
  }
  CTORCH_TRY(check_size(self));
  pixels->orientation = orientation_of(self);
  CTORCH_TRY(step(self, choose_output));
  pixels->height = self->codec.output_height;
  pixels->width = self->codec.output_width;
  pixels->channels = components;
  pixels->is_cmyk = components == 4;
  CTORCH_TRY(image_allocate(self->source->function, pixels));
  CTORCH_TRY(step(self, read_pixels));
  if (pixels->is_cmyk) {
    invert(pixels);
  }
  return NULL;
}

static ctorch_error *decode(struct image_pixels *out, const struct image_source *source) {
  struct decoder self = {
      .bytes = {source->data, source->nbytes, nothing, no_more, skip, jpeg_resync_to_restart, nothing},
      .progress = {.progress_monitor = on_progress},
      .source = source,
      .pixels = out,
  };
  self.codec.err = jpeg_std_error(&self.errors);
  self.codec.client_data = &self;
  self.errors.error_exit = on_error;
  self.errors.emit_message = on_message;
  ctorch_error *error = decode_steps(&self);
  jpeg_destroy_decompress(&self.codec);
  return error;
}

const image_format image_jpeg = {.name = "jpeg", .detect = detect, .decode = decode};

#else

const image_format image_jpeg = {.name = "jpeg", .library = "libjpeg", .detect = detect};

#endif
