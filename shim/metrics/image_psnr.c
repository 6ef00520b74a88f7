/* The peak signal to noise ratio of images: the square of their range by the mean squared error, as a logarithm. */
#include <string.h>

#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/image.h"

enum { SUM_SQUARED_ERROR, TOTAL };
enum { MOST_DIMS = 8 };

struct psnr {
  ctorch_metric metric;
  struct data_range range;
  double base;
  enum image_reduction reduction;
  int64_t dims[MOST_DIMS];
  size_t dims_len; /* 0 for all */
};

static ctorch_tensor *as_floating(struct calculation *c, const ctorch_tensor *image) {
  return c->error == NULL ? calc_floating(c, image) : NULL;
}

/* How many numbers each sum is of. */
static int64_t numel_of(const struct psnr *self, const ctorch_tensor *image) {
  const int64_t ndim = ctorch_tensor_ndim(image);
  int64_t numel = 1;
  for (size_t i = 0; i < self->dims_len; i++) {
    numel *= calc_size(image, self->dims[i] < 0 ? self->dims[i] + ndim : self->dims[i]);
  }
  return self->dims_len == 0 ? ctorch_tensor_numel(image) : numel;
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct psnr *self = (const struct psnr *)metric;
  struct calculation *c = &batch->c;
  metric_check_shapes(c, batch->preds, batch->target);
  ctorch_tensor *preds = as_floating(c, c->error == NULL ? image_clamped(c, &self->range, batch->preds) : NULL);
  ctorch_tensor *target = as_floating(c, c->error == NULL ? image_clamped(c, &self->range, batch->target) : NULL);
  ctorch_tensor *difference = calc_sub(c, preds, target);
  if (self->dims_len == 0) {
    batch->counts[SUM_SQUARED_ERROR] = calc_sum(c, calc_pow(c, difference, whole(2)));
    batch->counts[TOTAL] = calc_int(c, ctorch_tensor_numel(batch->target), batch->target);
    return;
  }
  ctorch_tensor *sums = calc_sum_dims(c, calc_mul(c, difference, difference), self->dims, self->dims_len, false);
  sums = calc_flatten(c, sums);
  batch->counts[SUM_SQUARED_ERROR] = sums;
  if (c->error == NULL) {
    batch->counts[TOTAL] = calc_full(
        c, CTORCH_INTS(ctorch_tensor_numel(sums)), whole(numel_of(self, batch->target)), CTORCH_DTYPE_INT64, sums);
  }
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct psnr *self = (const struct psnr *)metric;
  ctorch_tensor *sum = metric_state(c, metric, SUM_SQUARED_ERROR), *total = metric_state(c, metric, TOTAL);
  ctorch_tensor *range = calc_float(c, self->range.size, CTORCH_DTYPE_FLOAT32, sum);
  ctorch_tensor *base = calc_log(c, calc_float(c, self->base, CTORCH_DTYPE_FLOAT32, sum)), *scale = NULL;
  ctorch_tensor *signal = calc_mul_number(c, calc_log(c, range), whole(2));
  ctorch_tensor *ratio = calc_sub(c, signal, calc_log(c, calc_div(c, sum, total)));
  scale = calc_div(c, calc_float(c, 10, CTORCH_DTYPE_FLOAT32, sum), base);
  return metric_result(c, image_reduced(c, calc_mul(c, ratio, scale), self->reduction));
}

ctorch_error *metrics_PeakSignalNoiseRatio(
    const char *function, ctorch_metric **out, const struct metrics_PeakSignalNoiseRatio_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct psnr), .name = "PeakSignalNoiseRatio", .update = update, .compute = compute};
  ctorch_error *error = NULL;
  int reduction = metric_choice(&error, function, "reduction", options->reduction, IMAGE_REDUCTIONS);
  if (error == NULL && options->dim_len > MOST_DIMS) {
    error = error_make(function, CTORCH_ERROR_VALUE, "dim: expected at most 8 dimensions, got %zu", options->dim_len);
  }
  struct psnr *self = error == NULL ? metric_new(&class) : NULL;
  if (error != NULL || self == NULL) {
    return metric_give(function, out, NULL, error);
  }
  ctorch_metric *metric = &self->metric;
  self->base = options->base;
  self->reduction = (enum image_reduction)reduction;
  self->dims_len = options->dim == NULL ? 0 : options->dim_len;
  for (size_t i = 0; i < self->dims_len; i++) {
    self->dims[i] = options->dim[i];
  }
  error = image_data_range(function, &self->range, options->data_range);
  if (error == NULL && !self->range.has_size) {
    error = error_make(function, CTORCH_ERROR_VALUE, "data_range: expected a number or two ends, found None");
  }
  if (self->dims_len > 0) {
    metric_add_list(&error, metric, "sum_squared_error");
    metric_add_list(&error, metric, "total");
  } else {
    metric_add_state(&error, metric, "sum_squared_error", METRIC_SUM, metric->dtype, 0, NULL, 0);
    metric_add_state(&error, metric, "total", METRIC_SUM, CTORCH_DTYPE_INT64, 0, NULL, 0);
  }
  return metric_give(function, out, metric, error);
}
