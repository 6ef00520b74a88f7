/* Metrics of numbers: squared, absolute and relative errors, R2, explained variance, cosine similarity. */
#include <inttypes.h>

#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/metric.h"

enum multioutput { RAW_VALUES, UNIFORM_AVERAGE, VARIANCE_WEIGHTED };

static const char *const MULTIOUTPUTS[] = {"raw_values", "uniform_average", "variance_weighted", NULL};

static int64_t rows_of(const ctorch_tensor *x) { return calc_size(x, 0); }

/* Means of errors -------------------------------------------------------------------------------------------------- */

struct mean_error {
  ctorch_metric metric;
  int64_t outputs;
  bool is_root;
};

enum { SUM, TOTAL };

/* Preds and target in one shape: flat if there is one output. */
static bool read_pair(
    struct metric_batch *batch, int64_t outputs, const ctorch_tensor **preds, const ctorch_tensor **target) {
  struct calculation *c = &batch->c;
  metric_check_shapes(c, batch->preds, batch->target);
  *preds = outputs == 1 ? calc_flatten(c, batch->preds) : batch->preds;
  *target = outputs == 1 ? calc_flatten(c, batch->target) : batch->target;
  if (c->error == NULL && (ctorch_tensor_ndim(*target) < 1 || (outputs > 1 && calc_size(*target, 1) != outputs))) {
    calc_fail(c, CTORCH_ERROR_VALUE, "preds: expected shape (N, %" PRId64 ")", outputs);
  }
  return c->error == NULL;
}

static void update_squared(const ctorch_metric *metric, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  const ctorch_tensor *preds = NULL, *target = NULL;
  if (read_pair(batch, ((const struct mean_error *)metric)->outputs, &preds, &target)) {
    ctorch_tensor *difference = calc_sub(c, preds, target);
    batch->counts[SUM] = calc_sum_dim(c, calc_mul(c, difference, difference), 0);
    batch->counts[TOTAL] = calc_int(c, rows_of(target), target);
  }
}

static void update_absolute(const ctorch_metric *metric, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  const ctorch_tensor *preds = NULL, *target = NULL;
  if (read_pair(batch, ((const struct mean_error *)metric)->outputs, &preds, &target)) {
    batch->counts[SUM] = calc_sum_dim(c, calc_abs(c, calc_sub(c, preds, target)), 0);
    batch->counts[TOTAL] = calc_int(c, rows_of(target), target);
  }
}

static void update_relative(const ctorch_metric *metric, struct metric_batch *batch) {
  static const double least = 1.17e-06;
  struct calculation *c = &batch->c;
  (void)metric;
  metric_check_shapes(c, batch->preds, batch->target);
  ctorch_tensor *difference = calc_abs(c, calc_sub(c, batch->preds, batch->target));
  ctorch_tensor *size = calc_clamp(c, calc_abs(c, batch->target), &least, NULL);
  batch->counts[SUM] = calc_sum(c, calc_div(c, difference, size));
  batch->counts[TOTAL] = calc_int(c, ctorch_tensor_numel(batch->target), batch->target);
}

static ctorch_value *compute_mean(const ctorch_metric *metric, struct calculation *c) {
  ctorch_tensor *mean = calc_div(c, metric_state(c, metric, SUM), metric_state(c, metric, TOTAL));
  return metric_result(c, ((const struct mean_error *)metric)->is_root ? calc_sqrt(c, mean) : mean);
}

static ctorch_error *make_mean(
    const char *function,
    ctorch_metric **out,
    const metric_class *class,
    const char *sum,
    int64_t outputs,
    bool is_root) {
  ctorch_error *error = NULL;
  if (outputs < 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Expected num_outputs to be a positive integer but got %" PRId64, outputs);
  }
  struct mean_error *self = metric_new(class);
  if (self != NULL) {
    self->outputs = outputs;
    self->is_root = is_root;
    metric_add_state(&error, &self->metric, sum, METRIC_SUM, self->metric.dtype, 0, &outputs, 1);
    metric_add_state(&error, &self->metric, "total", METRIC_SUM, CTORCH_DTYPE_INT64, 0, NULL, 0);
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}

#define MEAN_ERROR(name_, update_) \
  {.object = METRIC_OBJECT(struct mean_error), .name = name_, .update = update_, .compute = compute_mean}

ctorch_error *metrics_MeanSquaredError(
    const char *function, ctorch_metric **out, const struct metrics_MeanSquaredError_options *options) {
  static const metric_class class = MEAN_ERROR("MeanSquaredError", update_squared);
  return make_mean(function, out, &class, "sum_squared_error", options->num_outputs, !options->squared);
}

ctorch_error *metrics_MeanAbsoluteError(
    const char *function, ctorch_metric **out, const struct metrics_MeanAbsoluteError_options *options) {
  static const metric_class class = MEAN_ERROR("MeanAbsoluteError", update_absolute);
  return make_mean(function, out, &class, "sum_abs_error", options->num_outputs, false);
}

ctorch_error *metrics_MeanAbsolutePercentageError(
    const char *function, ctorch_metric **out, const struct metrics_MeanAbsolutePercentageError_options *options) {
  static const metric_class class = MEAN_ERROR("MeanAbsolutePercentageError", update_relative);
  (void)options;
  ctorch_error *error = NULL;
  struct mean_error *self = metric_new(&class);
  if (self != NULL) {
    metric_add_state(&error, &self->metric, "sum_abs_per_error", METRIC_SUM, self->metric.dtype, 0, NULL, 0);
    metric_add_state(&error, &self->metric, "total", METRIC_SUM, self->metric.dtype, 0, NULL, 0);
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}

/* Explained variance ----------------------------------------------------------------------------------------------- */

struct variance {
  ctorch_metric metric;
  enum multioutput multioutput;
  int64_t adjusted; /* of R2 */
};

/* 1 - above / below, 1 where `above` is nothing, and 0 where `below` alone is. */
static ctorch_tensor *score_of(
    struct calculation *c,
    ctorch_tensor *above,
    ctorch_tensor *below,
    ctorch_tensor *is_above,
    ctorch_tensor *is_below) {
  ctorch_tensor *quotient = calc_number_sub(c, whole(1), calc_div(c, above, below));
  ctorch_tensor *score = calc_where_number(c, calc_and(c, is_above, is_below), quotient, floating(1));
  return calc_masked_fill(c, score, calc_and(c, is_above, calc_not(c, is_below)), floating(0));
}

static ctorch_tensor *over_outputs(
    struct calculation *c, const struct variance *self, ctorch_tensor *scores, ctorch_tensor *variances) {
  switch (self->multioutput) {
    case RAW_VALUES:
      return scores;
    case UNIFORM_AVERAGE:
      return calc_mean(c, scores);
    default: {
      ctorch_tensor *share = calc_div(c, variances, calc_sum(c, variances));
      return calc_sum(c, calc_mul(c, share, scores));
    }
  }
}

enum { SQUARES, OBSERVED, RESIDUAL, SAMPLES };

static void update_r2(const ctorch_metric *metric, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  (void)metric;
  metric_check_shapes(c, batch->preds, batch->target);
  if (c->error == NULL && (ctorch_tensor_ndim(batch->preds) > 2 || ctorch_tensor_ndim(batch->preds) < 1)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Expected both prediction and target to be 1D or 2D tensors, but received tensors with %" PRId64 " dimensions",
        ctorch_tensor_ndim(batch->preds));
  }
  ctorch_tensor *residual = calc_sub(c, batch->target, batch->preds);
  batch->counts[OBSERVED] = c->error == NULL ? calc_sum_dim(c, batch->target, 0) : NULL;
  batch->counts[SQUARES] = calc_sum_dim(c, calc_mul(c, batch->target, batch->target), 0);
  batch->counts[RESIDUAL] = calc_sum_dim(c, calc_mul(c, residual, residual), 0);
  batch->counts[SAMPLES] = calc_int(c, rows_of(batch->target), batch->target);
}

/* Whether it differs from 0 by more than rounding. */
static ctorch_tensor *is_something(struct calculation *c, ctorch_tensor *x) {
  ctorch_tensor *zeros = calc_zeros_like(c, x), *is_close = NULL;
  if (calc_goes_on(c, zeros, x)) {
    calc_fail_with(c, ctorch_aten_isclose(&is_close, x, zeros, 1e-05, 0.0001, false));
  }
  return calc_not(c, is_close);
}

static ctorch_value *compute_r2(const ctorch_metric *metric, struct calculation *c) {
  const struct variance *self = (const struct variance *)metric;
  ctorch_tensor *total = metric_state(c, metric, SAMPLES), *observed = metric_state(c, metric, OBSERVED);
  ctorch_tensor *residual = metric_state(c, metric, RESIDUAL);
  const int64_t samples = (int64_t)calc_number(c, total);
  if (samples < 2) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Needs at least two samples to calculate r2 score.");
  }
  ctorch_tensor *mean = calc_div(c, observed, total);
  ctorch_tensor *variance = calc_sub(c, metric_state(c, metric, SQUARES), calc_mul(c, observed, mean));
  ctorch_tensor *scores = score_of(c, residual, variance, is_something(c, residual), is_something(c, variance));
  ctorch_tensor *r2 = over_outputs(c, self, scores, variance);
  if (self->adjusted != 0 && self->adjusted < samples - 1) {
    ctorch_tensor *rest = calc_mul(c, calc_number_sub(c, whole(1), r2), calc_int(c, samples - 1, total));
    r2 = calc_number_sub(c, whole(1), calc_div(c, rest, calc_int(c, samples - self->adjusted - 1, total)));
  }
  return metric_result(c, r2);
}

enum { ERRORS, SQUARED_ERRORS, TARGETS, SQUARED_TARGETS, OBSERVATIONS, VARIANCE_STATES };

static void update_variance(const ctorch_metric *metric, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  (void)metric;
  metric_check_shapes(c, batch->preds, batch->target);
  if (c->error == NULL && ctorch_tensor_ndim(batch->preds) < 1) {
    calc_fail(c, CTORCH_ERROR_VALUE, "preds: expected at least one dimension");
  }
  if (c->error != NULL) {
    return;
  }
  ctorch_tensor *difference = calc_sub(c, batch->target, batch->preds);
  batch->counts[ERRORS] = calc_sum_dim(c, difference, 0);
  batch->counts[SQUARED_ERRORS] = calc_sum_dim(c, calc_mul(c, difference, difference), 0);
  batch->counts[TARGETS] = calc_sum_dim(c, batch->target, 0);
  batch->counts[SQUARED_TARGETS] = calc_sum_dim(c, calc_mul(c, batch->target, batch->target), 0);
  batch->counts[OBSERVATIONS] = calc_int(c, rows_of(batch->preds), batch->preds);
}

/* The variance of what has this sum and sum of squares. */
static ctorch_tensor *variance_of(
    struct calculation *c, ctorch_tensor *sum, ctorch_tensor *squares, ctorch_tensor *len) {
  ctorch_tensor *mean = calc_div(c, sum, len);
  return calc_sub(c, calc_div(c, squares, len), calc_mul(c, mean, mean));
}

static ctorch_value *compute_variance(const ctorch_metric *metric, struct calculation *c) {
  ctorch_tensor *t[VARIANCE_STATES] = {NULL};
  for (size_t i = 0; i < VARIANCE_STATES; i++) {
    t[i] = metric_state(c, metric, i);
  }
  ctorch_tensor *above = variance_of(c, t[ERRORS], t[SQUARED_ERRORS], t[OBSERVATIONS]);
  ctorch_tensor *below = variance_of(c, t[TARGETS], t[SQUARED_TARGETS], t[OBSERVATIONS]);
  ctorch_tensor *scores = score_of(c, above, below, calc_differs(c, above, whole(0)), calc_differs(c, below, whole(0)));
  return metric_result(c, over_outputs(c, (const struct variance *)metric, scores, below));
}

static ctorch_error *make_variance(
    const char *function,
    ctorch_metric **out,
    const metric_class *class,
    const char *const *names,
    const char *multioutput,
    int64_t adjusted) {
  ctorch_error *error = NULL;
  int multioutput_number = metric_choice(&error, function, "multioutput", multioutput, MULTIOUTPUTS);
  if (error == NULL && adjusted < 0) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "`adjusted` parameter should be an integer larger or equal to 0, got %" PRId64,
        adjusted);
  }
  struct variance *self = error == NULL ? metric_new(class) : NULL;
  if (self != NULL) {
    self->multioutput = (enum multioutput)multioutput_number;
    self->adjusted = adjusted;
    for (size_t i = 0; names[i] != NULL; i++) {
      bool is_count = names[i][0] == 't' && names[i + 1] == NULL;
      metric_add_promoting(&error, &self->metric, names[i], is_count ? CTORCH_DTYPE_INT64 : self->metric.dtype);
    }
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}

ctorch_error *metrics_R2Score(
    const char *function, ctorch_metric **out, const struct metrics_R2Score_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct variance), .name = "R2Score", .update = update_r2, .compute = compute_r2};
  static const char *const names[] = {"sum_squared_error", "sum_error", "residual", "total", NULL};
  return make_variance(function, out, &class, names, options->multioutput, options->adjusted);
}

ctorch_error *metrics_ExplainedVariance(
    const char *function, ctorch_metric **out, const struct metrics_ExplainedVariance_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct variance),
      .name = "ExplainedVariance",
      .update = update_variance,
      .compute = compute_variance};
  static const char *const names[] = {"sum_error",          "sum_squared_error", "sum_target",
                                      "sum_squared_target", "num_obs",           NULL};
  return make_variance(function, out, &class, names, options->multioutput, 0);
}

/* Cosine similarity ------------------------------------------------------------------------------------------------ */

enum reduction { REDUCTION_SUM, REDUCTION_MEAN, REDUCTION_NONE };

struct cosine {
  ctorch_metric metric;
  enum reduction reduction;
};

static void update_cosine(const ctorch_metric *metric, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  (void)metric;
  metric_check_shapes(c, batch->preds, batch->target);
  if (c->error == NULL && ctorch_tensor_ndim(batch->preds) != 2) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Expected input to cosine similarity to be 2D tensors of shape `[N,D]`, but got %" PRId64 " dimensions",
        ctorch_tensor_ndim(batch->preds));
  }
  batch->counts[0] = c->error == NULL ? calc_to(c, batch->preds, CTORCH_DTYPE_FLOAT32) : NULL;
  batch->counts[1] = c->error == NULL ? calc_to(c, batch->target, CTORCH_DTYPE_FLOAT32) : NULL;
}

static ctorch_tensor *norms(struct calculation *c, const ctorch_tensor *rows) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, rows, rows)) {
    calc_fail_with(c, ctorch_aten_linalg_vector_norm(&made, rows, CTORCH_FLOAT(2), CTORCH_INTS(-1), false, NULL));
  }
  return made;
}

static ctorch_value *compute_cosine(const ctorch_metric *metric, struct calculation *c) {
  ctorch_tensor *preds = metric_state(c, metric, 0), *target = metric_state(c, metric, 1);
  ctorch_tensor *product = calc_sum_dim(c, calc_mul(c, preds, target), -1);
  ctorch_tensor *cosines = calc_div(c, product, calc_mul(c, norms(c, preds), norms(c, target)));
  switch (((const struct cosine *)metric)->reduction) {
    case REDUCTION_SUM:
      return metric_result(c, calc_sum(c, cosines));
    case REDUCTION_MEAN:
      return metric_result(c, calc_mean(c, cosines));
    default:
      return metric_result(c, cosines);
  }
}

ctorch_error *metrics_CosineSimilarity(
    const char *function, ctorch_metric **out, const struct metrics_CosineSimilarity_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct cosine),
      .name = "CosineSimilarity",
      .update = update_cosine,
      .compute = compute_cosine};
  static const char *const reductions[] = {"sum", "mean", "none", NULL};
  ctorch_error *error = NULL;
  int reduction = metric_choice(&error, function, "reduction", options->reduction, reductions);
  struct cosine *self = error == NULL ? metric_new(&class) : NULL;
  if (self != NULL) {
    self->reduction = (enum reduction)reduction;
    metric_add_list(&error, &self->metric, "preds");
    metric_add_list(&error, &self->metric, "target");
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}
