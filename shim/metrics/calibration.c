/* Calibration error (Naeini et al. 2015; Kumar et al. 2019, arXiv:1909.10155): confidence against accuracy, by bins. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/classification.h"

enum { CONFIDENCES, ACCURACIES };
enum norm { NORM_L1, NORM_L2, NORM_MAX };

static const char *const NORMS[] = {"l1", "l2", "max", NULL};

struct calibration {
  ctorch_metric metric;
  struct counting counting;
  int64_t bins;
  enum norm norm;
};

static void update_binary(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  ctorch_tensor *preds = calc_flatten(c, batch->preds), *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, counting, &preds, &target);
  batch->counts[CONFIDENCES] = metric_probabilities(c, preds, false);
  batch->counts[ACCURACIES] = target;
}

static void update_multiclass(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  ctorch_tensor *preds = rows_of_classes(c, batch->preds, counting->classes), *highest = NULL, *predicted = NULL;
  ctorch_tensor *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, counting, &preds, &target);
  preds = metric_probabilities(c, preds, true);
  THEN(c->error, ctorch_aten_max_dim(&highest, &predicted, preds, 1, false));
  batch->counts[CONFIDENCES] = calc_to(c, highest, CTORCH_DTYPE_FLOAT32);
  batch->counts[ACCURACIES] = calc_to(c, calc_eq(c, predicted, target), CTORCH_DTYPE_FLOAT32);
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct counting *counting = &((const struct calibration *)metric)->counting;
  struct calculation *c = &batch->c;
  bool is_binary = counting->task == TASK_BINARY;
  (is_binary ? check_binary : check_multiclass)(c, counting, batch->preds, batch->target);
  if (c->error == NULL && !calc_is_floating(batch->preds)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Expected argument `preds` to be floating tensor with probabilities/logits but got"
        " tensor with dtype %s",
        ctorch_dtype_name(ctorch_tensor_dtype(batch->preds)));
  }
  if (c->error == NULL && !is_binary && ctorch_tensor_ndim(batch->preds) == ctorch_tensor_ndim(batch->target)) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Expected `preds` to have one more dimension than `target`");
  }
  if (c->error == NULL) {
    (is_binary ? update_binary : update_multiclass)(counting, batch);
  }
}

/* Sums of values in each bin. */
static ctorch_tensor *binned(
    struct calculation *c, const ctorch_tensor *zeros, const ctorch_tensor *at, const ctorch_tensor *values) {
  ctorch_tensor *sums = NULL;
  if (calc_goes_on(c, zeros, at) && values != NULL) {
    calc_fail_with(c, ctorch_aten_scatter_add(&sums, zeros, 0, at, values));
  }
  return sums;
}

static ctorch_tensor *error_over_bins(
    struct calculation *c, const struct calibration *self, ctorch_tensor *differences, ctorch_tensor *shares) {
  if (self->norm == NORM_L1) {
    return calc_sum(c, calc_mul(c, calc_abs(c, differences), shares));
  }
  if (self->norm == NORM_MAX) {
    return calc_max(c, calc_abs(c, differences));
  }
  ctorch_tensor *sum = calc_sum(c, calc_mul(c, calc_pow(c, differences, whole(2)), shares));
  return calc_number(c, sum) > 0 ? calc_sqrt(c, sum) : calc_int(c, 0, sum);
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct calibration *self = (const struct calibration *)metric;
  ctorch_tensor *confidences = metric_state(c, metric, CONFIDENCES), *at = NULL;
  ctorch_tensor *accuracies = metric_state(c, metric, ACCURACIES);
  if (c->error != NULL) {
    return NULL;
  }
  const ctorch_dtype dtype = ctorch_tensor_dtype(confidences);
  ctorch_tensor *ends = calc_linspace(c, self->bins + 1, dtype, confidences);
  accuracies = calc_to(c, accuracies, dtype);
  THEN(c->error, ctorch_aten_bucketize_Tensor(&at, confidences, ends, false, true));
  at = calc_sub_number(c, at, whole(1));
  ctorch_tensor *zeros = calc_zeros_like(c, ends);
  ctorch_tensor *counts = binned(c, zeros, at, calc_ones_like(c, confidences));
  ctorch_tensor *confidence = calc_nan_to_num(c, calc_div(c, binned(c, zeros, at, confidences), counts));
  ctorch_tensor *accuracy = calc_nan_to_num(c, calc_div(c, binned(c, zeros, at, accuracies), counts));
  ctorch_tensor *shares = calc_div(c, counts, calc_sum(c, counts));
  return metric_result(c, error_over_bins(c, self, calc_sub(c, accuracy, confidence), shares));
}

static ctorch_error *make(
    const char *function,
    ctorch_metric **out,
    const metric_class *class,
    const struct counting *given,
    int64_t bins,
    const char *norm) {
  ctorch_error *error = NULL;
  if (given->task == TASK_MULTICLASS) {
    check_classes(&error, function, "num_classes", given->classes);
  }
  if (error == NULL && bins < 1) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `n_bins` to be an integer larger than 0, but got %" PRId64,
        bins);
  }
  int norm_number = metric_choice(&error, function, "norm", norm, NORMS);
  struct calibration *self = error == NULL ? metric_new(class) : NULL;
  if (error != NULL || self == NULL) {
    return metric_give(function, out, NULL, error);
  }
  self->counting.task = given->task;
  self->counting.classes = given->classes;
  self->counting.top_k = 1;
  self->counting.has_ignore = given->has_ignore;
  self->counting.ignore_index = given->ignore_index;
  self->counting.validates = given->validates;
  self->bins = bins;
  self->norm = (enum norm)norm_number;
  metric_add_list(&error, &self->metric, "confidences");
  metric_add_list(&error, &self->metric, "accuracies");
  return metric_give(function, out, &self->metric, error);
}

#define CALIBRATION(Name, task_, classes_)                                                         \
  ctorch_error *metrics_##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_##Name##_options *options) { \
    static const metric_class class = {                                                            \
        .object = METRIC_OBJECT(struct calibration),                                               \
        .name = #Name,                                                                             \
        .update = update,                                                                          \
        .compute = compute,                                                                        \
        .shared_size = sizeof(struct counting)};                                                   \
    return make(                                                                                   \
        function, out, &class,                                                                     \
        &(const struct counting){                                                                  \
            .task = task_,                                                                         \
            .classes = classes_,                                                                   \
            .has_ignore = options->ignore_index != NULL,                                           \
            .ignore_index = options->ignore_index == NULL ? 0 : *options->ignore_index,            \
            .validates = options->validate_args},                                                  \
        options->n_bins, options->norm);                                                           \
  }

CALIBRATION(BinaryCalibrationError, TASK_BINARY, 2)
CALIBRATION(MulticlassCalibrationError, TASK_MULTICLASS, options->num_classes)
