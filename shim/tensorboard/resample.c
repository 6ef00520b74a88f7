/* Pixels of another size by Lanczos' filter over three lobes, which grows with the pixels where these become fewer.
 * Rows first, then columns; weights have 22 bits behind the point and pixels 8 in between, so the bytes are
 * Pillow's. */
#include "tensorboard/resample.h"

#include <math.h>
#include <stdlib.h>

#include "core/c/error.h"

enum { WEIGHT_BITS = 22, LOBES = 3 };

/* What each new pixel is made of: `counts[i]` old ones from `firsts[i]` on, and their weights. */
struct filter {
  int64_t *firsts, *counts;
  int32_t *weights; /* `most` for each */
  int64_t most;
};

static void filter_end(struct filter *self) {
  free(self->firsts);
  free(self->counts);
  free(self->weights);
}

static double sinc(double x) {
  const double pi = 3.14159265358979323846;
  return x == 0 ? 1 : sin(x * pi) / (x * pi);
}

static double lanczos(double x) { return x >= -LOBES && x < LOBES ? sinc(x) * sinc(x / LOBES) : 0; }

/* The weights of one pixel add up to 1 before they are rounded. */
static void weigh(struct filter *self, int64_t i, double center, double scale, double *wanted) {
  int32_t *weights = self->weights + i * self->most;
  double sum = 0;
  for (int64_t j = 0; j < self->counts[i]; j++) {
    wanted[j] = lanczos(((double)(j + self->firsts[i]) - center + 0.5) * (1 / scale));
    sum += wanted[j];
  }
  for (int64_t j = 0; j < self->counts[i]; j++) {
    const double weight = (sum != 0 ? wanted[j] / sum : wanted[j]) * (1 << WEIGHT_BITS);
    weights[j] = (int32_t)(weight < 0 ? weight - 0.5 : weight + 0.5);
  }
}

static bool filter_make(struct filter *self, int64_t from, int64_t to) {
  const double step = (double)from / (double)to, scale = step < 1 ? 1 : step, support = LOBES * scale;
  self->most = (int64_t)ceil(support) * 2 + 1;
  self->firsts = calloc((size_t)to, sizeof *self->firsts);
  self->counts = calloc((size_t)to, sizeof *self->counts);
  self->weights = calloc((size_t)(to * self->most), sizeof *self->weights);
  double *wanted = calloc((size_t)self->most, sizeof *wanted);
  bool is_made = self->firsts != NULL && self->counts != NULL && self->weights != NULL && wanted != NULL;
  for (int64_t i = 0; is_made && i < to; i++) {
    const double center = ((double)i + 0.5) * step;
    const int64_t first = (int64_t)(center - support + 0.5), last = (int64_t)(center + support + 0.5);
    self->firsts[i] = first < 0 ? 0 : first;
    self->counts[i] = (last > from ? from : last) - self->firsts[i];
    weigh(self, i, center, scale, wanted);
  }
  free(wanted);
  return is_made;
}

static uint8_t shade(int64_t sum) {
  const int64_t value = sum >> WEIGHT_BITS;
  return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

/* `lines` lines of `from` pixels that are `stride` apart become lines of `to`. */
struct lines {
  int64_t len, old_distance, new_distance, stride;
};

static void apply(
    const struct filter *filter, const uint8_t *old, uint8_t *new, int64_t to, const struct lines *lines) {
  for (int64_t line = 0; line < lines->len; line++) {
    /* Lines lie one after another, or side by side within a channel. */
    const uint8_t *from = old + line / lines->stride * lines->old_distance + line % lines->stride;
    uint8_t *at = new + line / lines->stride * lines->new_distance + line % lines->stride;
    for (int64_t i = 0; i < to; i++) {
      int64_t sum = 1 << (WEIGHT_BITS - 1);
      for (int64_t j = 0; j < filter->counts[i]; j++) {
        sum += (int64_t)from[(filter->firsts[i] + j) * lines->stride] * filter->weights[i * filter->most + j];
      }
      at[i * lines->stride] = shade(sum);
    }
  }
}

/* One pass: lines of `from` pixels become lines of `to`. */
static ctorch_error *pass(
    const char *function, struct pixels *pixels, int64_t from, int64_t to, int64_t lines_len, int64_t stride) {
  struct filter filter = {0};
  const struct lines lines = {lines_len, from * stride, to * stride, stride};
  uint8_t *made = malloc((size_t)(lines_len * to));
  bool fits = filter_make(&filter, from, to) && made != NULL;
  if (fits) {
    apply(&filter, pixels->data, made, to, &lines);
    free(pixels->data);
    pixels->data = made;
  } else {
    free(made);
  }
  filter_end(&filter);
  return fits ? NULL : error_memory(function, (uint64_t)(lines_len * to));
}

ctorch_error *resample_lanczos(const char *function, struct pixels *pixels, int64_t height, int64_t width) {
  if (width != pixels->width) {
    CTORCH_TRY(pass(function, pixels, pixels->width, width, pixels->channels * pixels->height, 1));
    pixels->width = width;
  }
  if (height != pixels->height) {
    CTORCH_TRY(pass(function, pixels, pixels->height, height, pixels->channels * width, width));
    pixels->height = height;
  }
  return NULL;
}
