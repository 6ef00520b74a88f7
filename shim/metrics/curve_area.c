/* What is below curves: AUROC and average precision. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "metrics/curve.h"

static ctorch_tensor *zero_for_nan(struct calculation *c, ctorch_tensor *x) {
  return calc_masked_fill(c, x, calc_isnan(c, x), floating(0));
}

/* The sum of the steps of recall by precision, along the last dimension. */
static ctorch_tensor *average_precision(struct calculation *c, struct points points) {
  if (c->error != NULL) {
    return NULL;
  }
  const int64_t ndim = ctorch_tensor_ndim(points.x), len = ctorch_tensor_sizes(points.x)[ndim - 1];
  ctorch_tensor *steps = calc_sub(c, calc_columns(c, points.x, 1, len, 1), calc_columns(c, points.x, 0, len - 1, 1));
  ctorch_tensor *parts = calc_mul(c, steps, calc_columns(c, points.y, 0, len - 1, 1));
  return calc_neg(c, ndim == 1 ? calc_sum(c, parts) : calc_sum_dim(c, parts, 1));
}

/* The area up to a rate of false positives, from 0.5 for chance to 1 (McClish 1989). */
static ctorch_tensor *partial_auroc(struct calculation *c, struct points points, double max_fpr) {
  ctorch_tensor *stop = NULL, *between = NULL;
  ctorch_tensor *most = calc_float(c, max_fpr, CTORCH_DTYPE_FLOAT32, points.x);
  THEN(c->error, ctorch_aten_bucketize_Tensor(&stop, most, points.x, true, true));
  const int64_t end = (int64_t)calc_number(c, stop);
  if (c->error != NULL) {
    return NULL;
  }
  ctorch_tensor *x = calc_select(c, points.x, 0, end - 1), *next = calc_select(c, points.x, 0, end);
  ctorch_tensor *weight = calc_div(c, calc_sub(c, most, x), calc_sub(c, next, x));
  ctorch_tensor *low = calc_select(c, points.y, 0, end - 1), *high = calc_select(c, points.y, 0, end);
  THEN(c->error, ctorch_aten_lerp_Tensor(&between, low, high, weight));
  ctorch_tensor *ys[] = {calc_slice(c, points.y, 0, 0, end), calc_unsqueeze(c, between, 0)};
  ctorch_tensor *xs[] = {calc_slice(c, points.x, 0, 0, end), calc_unsqueeze(c, most, 0)};
  ctorch_tensor *area = calc_trapezoid(c, calc_cat_all(c, ys, 2), calc_cat_all(c, xs, 2), -1);
  ctorch_tensor *least = calc_mul_number(c, calc_pow(c, most, whole(2)), floating(0.5));
  ctorch_tensor *share = calc_div(c, calc_sub(c, area, least), calc_sub(c, most, least));
  return calc_mul_number(c, calc_add_number(c, share, whole(1)), floating(0.5));
}

/* Of one curve. */
static ctorch_tensor *area_of(struct calculation *c, const struct curve *self, struct points points) {
  if (self->measure == CURVE_AVERAGE_PRECISION) {
    return average_precision(c, points);
  }
  if (self->max_fpr != 1 && calc_number(c, calc_sum(c, points.x)) != 0 && calc_number(c, calc_sum(c, points.y)) != 0) {
    return partial_auroc(c, points, self->max_fpr);
  }
  return calc_trapezoid(c, points.y, points.x, -1);
}

static struct points without_nan(struct calculation *c, const struct curve *self, struct points points) {
  if (self->measure == CURVE_AVERAGE_PRECISION) {
    points.x = zero_for_nan(c, points.x);
    points.y = zero_for_nan(c, points.y);
  }
  return points;
}

/* All labels as if they were one. */
static ctorch_tensor *area_of_all(struct calculation *c, const struct curve *self) {
  ctorch_tensor *state = metric_state(c, &self->metric, 0), *thresholds = self->metric.constant;
  bool is_multilabel = self->counting.task == TASK_MULTILABEL;
  if (thresholds != NULL) {
    state = is_multilabel ? calc_sum_dim(c, state, 1) : state;
    return area_of(c, self, without_nan(c, self, curve_binned(c, self->measure, state, thresholds)));
  }
  ctorch_tensor *target = metric_state(c, &self->metric, 1);
  if (is_multilabel) {
    state = calc_flatten(c, state);
    target = calc_flatten(c, target);
    leave_out_ignored(c, &self->counting, &state, &target);
  }
  return area_of(c, self, without_nan(c, self, curve_exact(c, self->measure, state, target, 1)));
}

/* One number for each class, of exact curves. */
static ctorch_tensor *exact_areas(
    struct calculation *c, const struct curve *self, const ctorch_tensor *preds, const ctorch_tensor *target) {
  const int64_t classes = self->counting.classes;
  const ctorch_tensor **areas = calloc((size_t)classes, sizeof *areas);
  if (areas == NULL) {
    calc_fail_with(c, error_memory(c->function, (uint64_t)classes * sizeof *areas));
  }
  for (int64_t i = 0; c->error == NULL && i < classes; i++) {
    ctorch_tensor *scores = (ctorch_tensor *)preds, *labels = (ctorch_tensor *)target;
    curve_column(c, self, i, &scores, &labels);
    const int64_t positive = self->counting.task == TASK_MULTILABEL ? 1 : i;
    areas[i] = area_of(c, self, curve_exact(c, self->measure, scores, labels, positive));
  }
  ctorch_tensor *stacked = c->error == NULL ? calc_stack(c, areas, (size_t)classes, 0) : NULL;
  free(areas);
  return stacked;
}

/* How many positives each class has. */
static ctorch_tensor *supports(
    struct calculation *c, const struct curve *self, ctorch_tensor *state, ctorch_tensor *target) {
  if (self->metric.constant != NULL) {
    return calc_sum_dim(c, calc_select(c, calc_select(c, state, 0, 0), 1, 1), -1);
  }
  ctorch_tensor *sums = self->counting.task == TASK_MULTILABEL ? calc_sum_dim(c, calc_equals(c, target, whole(1)), 0)
                                                               : calc_bincount(c, target, self->counting.classes);
  return calc_to(c, sums, CTORCH_DTYPE_FLOAT32);
}

/* One number of those of classes; what is not a number is left out. */
static ctorch_tensor *reduced(
    struct calculation *c, const struct curve *self, ctorch_tensor *areas, ctorch_tensor *weights) {
  if (self->average == AVERAGE_NONE) {
    return areas;
  }
  ctorch_tensor *counts = calc_not(c, calc_isnan(c, areas));
  areas = calc_index(c, areas, counts);
  if (self->average == AVERAGE_MACRO) {
    return calc_mean(c, areas);
  }
  weights = calc_index(c, weights, counts);
  return calc_sum(c, calc_mul(c, areas, metric_safe_divide(c, weights, calc_sum(c, weights), 0)));
}

ctorch_value *curve_area(struct calculation *c, const struct curve *self) {
  if (self->counting.task == TASK_BINARY || self->average == AVERAGE_MICRO) {
    return metric_result(c, area_of_all(c, self));
  }
  ctorch_tensor *thresholds = self->metric.constant, *state = metric_state(c, &self->metric, 0), *areas = NULL;
  ctorch_tensor *target = thresholds == NULL ? metric_state(c, &self->metric, 1) : NULL;
  if (thresholds != NULL) {
    struct points points = without_nan(c, self, curve_binned(c, self->measure, state, thresholds));
    areas = self->measure == CURVE_AUROC ? calc_trapezoid(c, points.y, points.x, 1) : average_precision(c, points);
  } else {
    areas = exact_areas(c, self, state, target);
  }
  return metric_result(c, reduced(c, self, areas, supports(c, self, state, target)));
}
