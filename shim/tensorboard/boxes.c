/* Images with boxes in summaries: lines two pixels wide, at the places where Pillow draws them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "tensorboard/image.h"
#include "tensorboard/resample.h"
#include "tensorboard/tensor.h"
#include "tensorboard/writer.h"

enum { MOST_SIDE = 32767 };

/* Edges, each within the rectangle. */
struct rectangle {
  int64_t left, top, right, bottom;
};

static int64_t within(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

static int64_t least_of(int64_t a, int64_t b, int64_t c) {
  const int64_t least = a < b ? a : b;
  return least < c ? least : c;
}

/* Red, in as many channels as there are. */
static void fill(struct pixels *pixels, struct rectangle at) {
  static const uint8_t colors[][4] = {{76, 255}, {255, 0, 0}, {255, 0, 0, 255}};
  const int64_t left = within(at.left, 0, pixels->width), right = within(at.right + 1, left, pixels->width);
  const int64_t top = within(at.top, 0, pixels->height), bottom = within(at.bottom + 1, top, pixels->height);
  for (int64_t c = 0; c < pixels->channels; c++) {
    for (int64_t y = top; y < bottom; y++) {
      memset(
          pixels->data + (c * pixels->height + y) * pixels->width + left, colors[pixels->channels - 2][c],
          (size_t)(right - left));
    }
  }
}

/* A line along an axis; its second row or column lies on the side to which it turns. One point is a point. */
static void line(struct pixels *pixels, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
  const int64_t x2 = x0 + (y1 > y0) - (y1 < y0), y2 = y0 + (x1 > x0) - (x1 < x0);
  fill(
      pixels, (struct rectangle){
                  least_of(x0, x1, x2), least_of(y0, y1, y2), -least_of(-x0, -x1, -x2), -least_of(-y0, -y1, -y2)});
}

/* Round the box by way of its lower left corner. */
static void draw_box(struct pixels *pixels, const double *box) {
  int64_t at[4];
  for (int i = 0; i < 4; i++) {
    at[i] = (int64_t)fmin(fmax(box[i], -(double)(1 << 28)), (double)(1 << 28));
  }
  const int64_t left = at[0], top = at[1], right = at[2], bottom = at[3];
  line(pixels, left, top, left, bottom);
  line(pixels, left, bottom, right, bottom);
  line(pixels, right, bottom, right, top);
  line(pixels, right, top, left, top);
}

static ctorch_error *draw_boxes(const char *function, struct pixels *pixels, const double *boxes, int64_t len) {
  for (int64_t i = 0; i < len * 4; i++) {
    if (!isfinite(boxes[i])) {
      return error_make(function, CTORCH_ERROR_VALUE, "box_tensor: box %" PRId64 " is not finite", i / 4);
    }
  }
  for (int64_t i = 0; i < len; i++) {
    draw_box(pixels, boxes + 4 * i);
  }
  return NULL;
}

static ctorch_error *draw_tensor(const char *function, struct pixels *pixels, const ctorch_tensor *box_tensor) {
  ctorch_tensor *plain = NULL;
  const void *data = NULL;
  CTORCH_TRY(summary_plain(function, &plain, box_tensor, CTORCH_DTYPE_FLOAT64));
  ctorch_error *error = error_of(function, ctorch_tensor_const_data(&data, plain));
  THEN(error, draw_boxes(function, pixels, data, ctorch_tensor_sizes(box_tensor)[0]));
  ctorch_tensor_release(plain);
  return error;
}

static ctorch_error *check_boxes(const char *function, const ctorch_tensor *box_tensor) {
  if (box_tensor == NULL) {
    return error_null(function, "box_tensor");
  }
  const int64_t *sizes = ctorch_tensor_sizes(box_tensor); /* a nested tensor has none */
  return sizes != NULL && ctorch_tensor_ndim(box_tensor) == 2 && sizes[1] == 4
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "box_tensor: expected four numbers for each box, a shape of (N, 4)");
}

static ctorch_error *rescale_pixels(const char *function, struct pixels *pixels, double rescale) {
  const double height = (double)pixels->height * rescale, width = (double)pixels->width * rescale;
  if (!(height >= 1 && height <= MOST_SIDE && width >= 1 && width <= MOST_SIDE)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "rescale: %g makes an image of %g x %g, expected sides from 1 to %d", rescale,
        height, width, MOST_SIDE);
  }
  const int64_t rows = (int64_t)height, columns = (int64_t)width;
  if ((rows != pixels->height || columns != pixels->width) && pixels->channels != 3) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "rescale: of images with transparency only 1 is supported");
  }
  return resample_lanczos(function, pixels, rows, columns);
}

ctorch_error *ctorch_summary_writer_add_image_with_boxes(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *img_tensor,
    const ctorch_tensor *box_tensor,
    int64_t global_step,
    const double *walltime,
    double rescale,
    const char *dataformats) {
  CTORCH_TRY(error_refusal(__func__));
  struct pixels pixels = {0};
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(check_boxes(__func__, box_tensor));
  CTORCH_TRY(summary_draw(__func__, &pixels, img_tensor, dataformats));
  const int64_t height = pixels.height, width = pixels.width;
  ctorch_error *error = draw_tensor(__func__, &pixels, box_tensor);
  THEN(error, rescale_pixels(__func__, &pixels, rescale));
  error =
      error != NULL ? error : summary_add_pixels(__func__, self, tag, &pixels, height, width, global_step, walltime);
  free(pixels.data);
  return error;
}
