/* Curves over thresholds: batches, and points. */
#include "metrics/curve.h"

#include "base/sequence.h"

/* A count of 2 by 2 for each threshold and class takes so many numbers at a time. */
enum { NUMBERS_AT_A_TIME = 1 << 20 };

/* Counting --------------------------------------------------------------------------------------------------------- */

/* Counts (T, K, 2, 2) of rows of K probabilities and labels; `counts` is what counts of them, NULL for all. */
static ctorch_tensor *count_rows(
    struct calculation *c,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    const ctorch_tensor *counts,
    const ctorch_tensor *thresholds) {
  const int64_t classes = calc_size(preds, 1), len = calc_size(thresholds, 0);
  ctorch_tensor *is_above = calc_ge(c, calc_unsqueeze(c, preds, -1), thresholds);
  ctorch_tensor *cell = calc_unsqueeze(c, calc_mul_number(c, target, whole(2)), -1);
  ctorch_tensor *row = calc_mul_number(c, calc_unsqueeze(c, calc_arange(c, classes, preds), -1), whole(4));
  ctorch_tensor *block = calc_mul_number(c, calc_arange(c, len, preds), whole(4 * classes));
  ctorch_tensor *at = calc_add(c, calc_add(c, calc_add(c, calc_to(c, is_above, CTORCH_DTYPE_INT64), cell), row), block);
  if (counts != NULL) {
    at = calc_index(c, at, counts);
  }
  at = calc_bincount(c, calc_flatten(c, at), 4 * classes * len);
  return calc_reshape(c, at, CTORCH_INTS(len, classes, 2, 2));
}

/* The same of any number of rows, some at a time. */
static ctorch_tensor *count_thresholds(
    struct calculation *c,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    const ctorch_tensor *counts,
    const ctorch_tensor *thresholds) {
  if (!calc_goes_on(c, preds, target)) {
    return NULL;
  }
  const int64_t rows = calc_size(preds, 0), each = calc_size(preds, 1) * calc_size(thresholds, 0);
  const int64_t at_a_time = each > NUMBERS_AT_A_TIME ? 1 : NUMBERS_AT_A_TIME / (each > 0 ? each : 1);
  if (rows <= at_a_time) {
    return count_rows(c, preds, target, counts, thresholds);
  }
  ctorch_tensor *all = NULL;
  for (int64_t first = 0; c->error == NULL && first < rows; first += at_a_time) {
    const int64_t end = first + at_a_time;
    ctorch_tensor *some = count_rows(
        c, calc_slice(c, preds, 0, first, end), calc_slice(c, target, 0, first, end),
        counts == NULL ? NULL : calc_slice(c, counts, 0, first, end), thresholds);
    all = all == NULL ? some : calc_add(c, all, some);
  }
  return all;
}

static void update_binary(const struct curve *self, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  ctorch_tensor *thresholds = self->metric.constant;
  metric_check_shapes(c, batch->preds, batch->target);
  if (self->counting.validates && c->error == NULL) {
    check_scores(c, batch->preds, batch->target);
    check_labels(c, &self->counting, batch->target, "target");
  }
  ctorch_tensor *preds = calc_flatten(c, batch->preds), *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, &self->counting, &preds, &target);
  preds = metric_probabilities(c, preds, false);
  if (thresholds == NULL) {
    batch->counts[0] = preds;
    batch->counts[1] = target;
    return;
  }
  target = calc_to(c, calc_unsqueeze(c, target, 1), CTORCH_DTYPE_INT64);
  ctorch_tensor *counts = count_thresholds(c, calc_unsqueeze(c, preds, 1), target, NULL, thresholds);
  batch->counts[0] = calc_squeeze(c, counts, 1);
}

/* (N, C, …) as (N …, C). */
static ctorch_tensor *rows_of(struct calculation *c, const ctorch_tensor *x, int64_t classes) {
  ctorch_tensor *columns = calc_reshape(c, calc_transpose(c, x, 0, 1), (const int64_t[]){classes, -1}, 2);
  return calc_transpose(c, columns, 0, 1);
}

static void update_multiclass(const struct curve *self, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  const int64_t classes = self->counting.classes;
  ctorch_tensor *thresholds = self->metric.constant;
  if (ctorch_tensor_ndim(batch->preds) != ctorch_tensor_ndim(batch->target) + 1) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Expected `preds` to have one more dimension than `target`");
    return;
  }
  check_scores(c, batch->preds, batch->target);
  if (c->error == NULL) {
    check_multiclass(c, &self->counting, batch->preds, batch->target);
  }
  ctorch_tensor *preds = rows_of(c, batch->preds, classes), *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, &self->counting, &preds, &target);
  preds = metric_probabilities(c, preds, true);
  if (thresholds == NULL) {
    batch->counts[0] = preds;
    batch->counts[1] = target;
  } else {
    batch->counts[0] = count_thresholds(c, preds, calc_one_hot(c, target, classes), NULL, thresholds);
  }
}

static void update_multilabel(const struct curve *self, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  const int64_t labels = self->counting.classes;
  ctorch_tensor *thresholds = self->metric.constant, *counts = NULL;
  check_multilabel(c, &self->counting, batch->preds, batch->target);
  if (c->error == NULL) {
    check_scores(c, batch->preds, batch->target);
  }
  ctorch_tensor *preds = rows_of(c, batch->preds, labels), *target = rows_of(c, batch->target, labels);
  preds = metric_probabilities(c, preds, false);
  if (thresholds == NULL) {
    batch->counts[0] = preds;
    batch->counts[1] = target;
    return;
  }
  target = calc_to(c, target, CTORCH_DTYPE_INT64);
  if (self->counting.has_ignore) {
    counts = calc_differs(c, target, whole(self->counting.ignore_index));
  }
  batch->counts[0] = count_thresholds(c, preds, target, counts, thresholds);
}

void curve_update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct curve *self = (const struct curve *)metric;
  switch (self->counting.task) {
    case TASK_BINARY:
      update_binary(self, batch);
      break;
    case TASK_MULTICLASS:
      update_multiclass(self, batch);
      break;
    case TASK_MULTILABEL:
      update_multilabel(self, batch);
      break;
  }
}

/* Exact curves ----------------------------------------------------------------------------------------------------- */

/* Numbers of false and true positives at each threshold that makes a difference, the highest first. */
static void positives(
    struct calculation *c,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    int64_t positive,
    ctorch_tensor **fps,
    ctorch_tensor **tps,
    ctorch_tensor **thresholds) {
  ctorch_tensor *order = NULL, *changes = NULL, *sums = NULL;
  if (c->error != NULL) {
    return;
  }
  const int64_t len = calc_size(target, 0);
  calc_fail_with(c, ctorch_aten_argsort(&order, preds, -1, true));
  ctorch_tensor *sorted = calc_index(c, preds, order), *labels = calc_index(c, target, order);
  ctorch_tensor *steps = calc_sub(c, calc_slice(c, sorted, 0, 1, len), calc_slice(c, sorted, 0, 0, len - 1));
  THEN(c->error, ctorch_aten_nonzero(&changes, steps));
  const ctorch_tensor *const last = calc_full(c, CTORCH_INTS(1), whole(len - 1), CTORCH_DTYPE_INT64, preds);
  ctorch_tensor *ends[] = {calc_select(c, changes, 1, 0), (ctorch_tensor *)last};
  ctorch_tensor *at = calc_cat_all(c, ends, 2);
  ctorch_tensor *is_positive = calc_to(c, calc_equals(c, labels, whole(positive)), CTORCH_DTYPE_INT64);
  THEN(c->error, ctorch_aten_cumsum(&sums, is_positive, 0, NULL));
  *tps = calc_index(c, sums, at);
  *fps = calc_sub(c, calc_add_number(c, at, whole(1)), *tps);
  *thresholds = calc_index(c, sorted, at);
}

/* A curve with one point more: a number in front of it, or behind. */
static ctorch_tensor *with_end(struct calculation *c, ctorch_tensor *curve, double number, bool is_first) {
  if (c->error != NULL) {
    return NULL;
  }
  ctorch_tensor *end = calc_full(c, CTORCH_INTS(1), floating(number), ctorch_tensor_dtype(curve), curve);
  ctorch_tensor *parts[] = {is_first ? end : curve, is_first ? curve : end};
  return calc_cat_all(c, parts, 2);
}

static struct points precision_recall(
    struct calculation *c,
    const ctorch_tensor *target,
    ctorch_tensor *fps,
    ctorch_tensor *tps,
    ctorch_tensor *thresholds) {
  ctorch_tensor *precision = calc_div(c, tps, calc_add(c, tps, fps));
  ctorch_tensor *recall = calc_div(c, tps, calc_select(c, tps, 0, -1));
  bool has_some = calc_any(c, calc_differs(c, target, whole(0)));
  recall = c->error == NULL && !has_some ? calc_ones_like(c, recall) : recall;
  return (struct points){
      .x = with_end(c, calc_flip(c, recall), 0, false),
      .y = with_end(c, calc_flip(c, precision), 1, false),
      .thresholds = calc_flip(c, thresholds)};
}

/* Shares of the last one; zeros if that is none. */
static ctorch_tensor *rates(struct calculation *c, ctorch_tensor *sums, ctorch_tensor *thresholds) {
  ctorch_tensor *last = calc_select(c, sums, 0, -1);
  return calc_number(c, last) <= 0 ? calc_zeros_like(c, thresholds) : calc_div(c, sums, last);
}

struct points curve_exact(
    struct calculation *c,
    enum curve_measure measure,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    int64_t positive) {
  ctorch_tensor *fps = NULL, *tps = NULL, *thresholds = NULL;
  if (c->error == NULL && ctorch_tensor_numel(target) == 0) {
    calc_fail(c, CTORCH_ERROR_VALUE, "there is no curve of no samples");
  }
  positives(c, preds, target, positive, &fps, &tps, &thresholds);
  if (measure == CURVE_PRECISION_RECALL || measure == CURVE_AVERAGE_PRECISION) {
    return precision_recall(c, target, fps, tps, thresholds);
  }
  tps = with_end(c, tps, 0, true);
  fps = with_end(c, fps, 0, true);
  thresholds = with_end(c, thresholds, 1, true);
  return (struct points){.x = rates(c, fps, thresholds), .y = rates(c, tps, thresholds), .thresholds = thresholds};
}

void curve_column(
    struct calculation *c, const struct curve *self, int64_t index, ctorch_tensor **preds, ctorch_tensor **target) {
  *preds = calc_select(c, *preds, 1, index);
  if (self->counting.task == TASK_MULTILABEL) {
    *target = calc_select(c, *target, 1, index);
    leave_out_ignored(c, &self->counting, preds, target);
  }
}

/* Curves of counts ------------------------------------------------------------------------------------------------- */

static ctorch_tensor *quotient(struct calculation *c, ctorch_tensor *above, ctorch_tensor *below) {
  return calc_div(c, calc_floating(c, above), calc_floating(c, below));
}

/* A row of numbers behind (T, …). */
static ctorch_tensor *with_row(struct calculation *c, ctorch_tensor *curves, double number) {
  if (c->error != NULL) {
    return NULL;
  }
  ctorch_tensor *first = calc_slice(c, curves, 0, 0, 1);
  ctorch_tensor *row = number == 0 ? calc_zeros_like(c, first) : calc_ones_like(c, first);
  ctorch_tensor *parts[] = {curves, row};
  return calc_cat_all(c, parts, 2);
}

/* A row for each class. */
static ctorch_tensor *turned(struct calculation *c, ctorch_tensor *curves) {
  return c->error == NULL && ctorch_tensor_ndim(curves) > 1 ? calc_transpose(c, curves, 0, 1) : curves;
}

struct points curve_binned(
    struct calculation *c, enum curve_measure measure, ctorch_tensor *counts, ctorch_tensor *thresholds) {
  ctorch_tensor *of_zeros = calc_select(c, counts, -2, 0), *of_ones = calc_select(c, counts, -2, 1);
  ctorch_tensor *tns = calc_select(c, of_zeros, -1, 0), *fps = calc_select(c, of_zeros, -1, 1);
  ctorch_tensor *fns = calc_select(c, of_ones, -1, 0), *tps = calc_select(c, of_ones, -1, 1);
  if (measure == CURVE_PRECISION_RECALL || measure == CURVE_AVERAGE_PRECISION) {
    ctorch_tensor *precision = quotient(c, tps, calc_add(c, tps, fps));
    ctorch_tensor *recall = quotient(c, tps, calc_add(c, tps, fns));
    return (struct points){
        .x = turned(c, with_row(c, recall, 0)), .y = turned(c, with_row(c, precision, 1)), .thresholds = thresholds};
  }
  return (struct points){
      .x = turned(c, calc_flip(c, metric_safe_divide(c, fps, calc_add(c, fps, tns), 0))),
      .y = turned(c, calc_flip(c, metric_safe_divide(c, tps, calc_add(c, tps, fns), 0))),
      .thresholds = calc_flip(c, thresholds)};
}
