/* PrecisionRecallCurve, ROC, AUROC and AveragePrecision: arguments and results. */
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/metrics.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "metrics/curve.h"

static const char *const AVERAGES_OF_LABELS[] = {"micro", "macro", "weighted", "none", NULL};
static const char *const AVERAGES_OF_CLASSES[] = {"macro", "weighted", "none", NULL};

/* Results ---------------------------------------------------------------------------------------------------------- */

/* As torchmetrics orders them: precision before recall. */
static ctorch_value *triple(
    struct calculation *c, const struct curve *self, ctorch_value *x, ctorch_value *y, ctorch_value *thresholds) {
  bool is_recall_first = self->measure == CURVE_ROC;
  ctorch_value *values[] = {is_recall_first ? x : y, is_recall_first ? y : x, thresholds};
  return metric_tuple(c, values, 3);
}

static ctorch_value *one_curve(struct calculation *c, const struct curve *self, struct points points) {
  return triple(c, self, metric_result(c, points.x), metric_result(c, points.y), metric_result(c, points.thresholds));
}

static ctorch_value *curve_of_each(
    struct calculation *c, const struct curve *self, ctorch_tensor *preds, ctorch_tensor *target) {
  const size_t classes = (size_t)self->counting.classes;
  ctorch_tensor **curves = calloc(3 * classes, sizeof *curves);
  if (curves == NULL) {
    calc_fail_with(c, error_memory(c->function, 3 * classes * sizeof *curves));
  }
  for (size_t i = 0; c->error == NULL && i < classes; i++) {
    ctorch_tensor *scores = preds, *labels = target;
    curve_column(c, self, (int64_t)i, &scores, &labels);
    const int64_t positive = self->counting.task == TASK_MULTILABEL ? 1 : (int64_t)i;
    struct points points = curve_exact(c, self->measure, scores, labels, positive);
    curves[i] = points.x;
    curves[classes + i] = points.y;
    curves[2 * classes + i] = points.thresholds;
  }
  ctorch_value *value = NULL;
  if (c->error == NULL) {
    value = triple(
        c, self, metric_list(c, curves, classes), metric_list(c, curves + classes, classes),
        metric_list(c, curves + 2 * classes, classes));
  }
  free(curves);
  return value;
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct curve *self = (const struct curve *)metric;
  if (self->measure == CURVE_AUROC || self->measure == CURVE_AVERAGE_PRECISION) {
    return curve_area(c, self);
  }
  ctorch_tensor *state = metric_state(c, metric, 0);
  if (metric->constant != NULL) {
    return one_curve(c, self, curve_binned(c, self->measure, state, metric->constant));
  }
  ctorch_tensor *target = metric_state(c, metric, 1);
  return self->counting.task == TASK_BINARY ? one_curve(c, self, curve_exact(c, self->measure, state, target, 1))
                                            : curve_of_each(c, self, state, target);
}

/* Thresholds ------------------------------------------------------------------------------------------------------- */

static ctorch_error *refuse_thresholds(const char *function, const char *why) {
  return error_make(function, CTORCH_ERROR_VALUE, "Expected argument `thresholds` to be %s", why);
}

static ctorch_error *thresholds_of_number(const char *function, ctorch_tensor **out, const ctorch_value *value) {
  int64_t len = 0;
  CTORCH_TRY(ctorch_value_to_int(&len, value));
  if (len < 2) {
    return refuse_thresholds(function, "larger than 1, as a number of them");
  }
  return ctorch_aten_linspace(
      out, CTORCH_FLOAT(0), CTORCH_FLOAT(1), len, &(const ctorch_dtype){CTORCH_DTYPE_FLOAT32}, NULL, NULL, NULL);
}

static ctorch_error *thresholds_of_list(const char *function, ctorch_tensor **out, const ctorch_value *value) {
  const size_t len = ctorch_value_len(value);
  double *numbers = calloc(len + 1, sizeof *numbers);
  ctorch_error *error = numbers == NULL ? error_memory(function, (len + 1) * sizeof *numbers) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, value, i);
    ctorch_value_kind kind = error == NULL ? ctorch_value_kind_of(entry) : CTORCH_VALUE_NONE;
    if (error == NULL && (kind == CTORCH_VALUE_DOUBLE || kind == CTORCH_VALUE_INT)) {
      error = ctorch_value_to_double(&numbers[i], entry);
    } else if (error == NULL) {
      numbers[i] = -1;
    }
    ctorch_value_release(entry);
    if (error == NULL && !(numbers[i] >= 0 && numbers[i] <= 1)) {
      error = refuse_thresholds(function, "floats in the [0,1] range, as a list");
    }
  }
  ctorch_tensor *exact = NULL;
  THEN(
      error,
      ctorch_tensor_from_data(&exact, numbers, len * sizeof *numbers, CTORCH_INTS((int64_t)len), CTORCH_DTYPE_FLOAT64));
  THEN(error, ctorch_aten_to_dtype(out, exact, CTORCH_DTYPE_FLOAT32, false, false, NULL));
  ctorch_tensor_release(exact);
  free(numbers);
  return error;
}

static ctorch_error *thresholds_of_tensor(const char *function, ctorch_tensor **out, const ctorch_value *value) {
  ctorch_tensor *given = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&given, value));
  ctorch_error *error = ctorch_tensor_is_nested(given) || ctorch_tensor_ndim(given) != 1
                            ? refuse_thresholds(function, "1d, as a tensor")
                            : ctorch_aten_clone(out, given, NULL);
  ctorch_tensor_release(given);
  return error;
}

/* *out is taken, NULL for the exact curve. */
static ctorch_error *read_thresholds(const char *function, ctorch_tensor **out, const ctorch_value *value) {
  ctorch_tensor *made = NULL;
  switch (value == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_NONE:
      return NULL;
    case CTORCH_VALUE_INT:
      CTORCH_TRY(thresholds_of_number(function, &made, value));
      break;
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      CTORCH_TRY(thresholds_of_list(function, &made, value));
      break;
    case CTORCH_VALUE_TENSOR:
      CTORCH_TRY(thresholds_of_tensor(function, &made, value));
      break;
    default:
      return refuse_thresholds(function, "an integer, list of floats or tensor of floats");
  }
  *out = tensor_take(made);
  return NULL;
}

/* Making ----------------------------------------------------------------------------------------------------------- */

/* What the entries of the schema file give. */
struct arguments {
  enum task task;
  enum curve_measure measure;
  int64_t classes;
  const ctorch_value *thresholds;
  const int64_t *ignore_index;
  bool validates;
  const char *average;   /* NULL for none */
  const double *max_fpr; /* NULL for none */
};

static enum average read_average(ctorch_error **error, const char *function, const struct arguments *given) {
  if (given->average == NULL) {
    return given->task == TASK_BINARY ? AVERAGE_BINARY : AVERAGE_NONE;
  }
  return given->task == TASK_MULTILABEL
             ? (enum average)metric_choice(error, function, "average", given->average, AVERAGES_OF_LABELS)
             : (enum average)(1 + metric_choice(error, function, "average", given->average, AVERAGES_OF_CLASSES));
}

static void add_states(ctorch_error **error, struct curve *self) {
  ctorch_metric *metric = &self->metric;
  if (metric->constant == NULL) {
    metric_add_list(error, metric, "preds");
    metric_add_list(error, metric, "target");
    return;
  }
  const int64_t len = ctorch_tensor_numel(metric->constant);
  bool is_binary = self->counting.task == TASK_BINARY;
  const int64_t sizes[] = {len, is_binary ? 2 : self->counting.classes, 2, 2};
  metric_add_state(error, metric, "confmat", METRIC_SUM, CTORCH_DTYPE_INT64, 0, sizes, is_binary ? 3 : 4);
}

static ctorch_error *make(
    const char *function, ctorch_metric **out, const metric_class *class, const struct arguments *given) {
  ctorch_error *error = NULL;
  ctorch_tensor *thresholds = NULL;
  if (given->task != TASK_BINARY) {
    check_classes(&error, function, given->task == TASK_MULTICLASS ? "num_classes" : "num_labels", given->classes);
  }
  enum average average = read_average(&error, function, given);
  if (error == NULL && given->max_fpr != NULL && !(*given->max_fpr > 0 && *given->max_fpr <= 1)) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "Arguments `max_fpr` should be a float in range (0, 1], but got: %g",
        *given->max_fpr);
  }
  THEN(error, read_thresholds(function, &thresholds, given->thresholds));
  struct curve *self = error == NULL ? metric_new(class) : NULL;
  if (error != NULL || self == NULL) {
    tensor_unref(thresholds);
    return metric_give(function, out, NULL, error);
  }
  self->metric.constant = thresholds;
  self->counting.task = given->task;
  self->counting.classes = given->classes;
  self->counting.top_k = 1;
  self->counting.has_ignore = given->ignore_index != NULL;
  self->counting.ignore_index = given->ignore_index == NULL ? 0 : *given->ignore_index;
  self->counting.validates = given->validates;
  self->measure = given->measure;
  self->average = average;
  self->max_fpr = given->max_fpr == NULL ? 1 : *given->max_fpr;
  add_states(&error, self);
  return metric_give(function, out, &self->metric, error);
}

/* A metric's constructor: `...` are the arguments beside those that all have. */
#define CURVE(Name, task_, measure_, ...)                                                          \
  ctorch_error *metrics_##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_##Name##_options *options) { \
    static const metric_class class = {                                                            \
        .object = METRIC_OBJECT(struct curve),                                                     \
        .name = #Name,                                                                             \
        .update = curve_update,                                                                    \
        .compute = compute,                                                                        \
        .shared_size = sizeof(struct counting)};                                                   \
    return make(                                                                                   \
        function, out, &class,                                                                     \
        &(const struct arguments){                                                                 \
            .task = task_,                                                                         \
            .measure = measure_,                                                                   \
            .thresholds = options->thresholds,                                                     \
            .ignore_index = options->ignore_index,                                                 \
            .validates = options->validate_args,                                                   \
            __VA_ARGS__});                                                                         \
  }

#define OF_CLASSES .classes = options->num_classes
#define OF_LABELS .classes = options->num_labels

CURVE(BinaryPrecisionRecallCurve, TASK_BINARY, CURVE_PRECISION_RECALL, .classes = 2)
CURVE(MulticlassPrecisionRecallCurve, TASK_MULTICLASS, CURVE_PRECISION_RECALL, OF_CLASSES)
CURVE(MultilabelPrecisionRecallCurve, TASK_MULTILABEL, CURVE_PRECISION_RECALL, OF_LABELS)
CURVE(BinaryROC, TASK_BINARY, CURVE_ROC, .classes = 2)
CURVE(MulticlassROC, TASK_MULTICLASS, CURVE_ROC, OF_CLASSES)
CURVE(MultilabelROC, TASK_MULTILABEL, CURVE_ROC, OF_LABELS)
CURVE(BinaryAUROC, TASK_BINARY, CURVE_AUROC, .classes = 2, .max_fpr = options->max_fpr)
CURVE(MulticlassAUROC, TASK_MULTICLASS, CURVE_AUROC, OF_CLASSES, .average = options->average)
CURVE(MultilabelAUROC, TASK_MULTILABEL, CURVE_AUROC, OF_LABELS, .average = options->average)
CURVE(BinaryAveragePrecision, TASK_BINARY, CURVE_AVERAGE_PRECISION, .classes = 2)
CURVE(MulticlassAveragePrecision, TASK_MULTICLASS, CURVE_AVERAGE_PRECISION, OF_CLASSES, .average = options->average)
CURVE(MultilabelAveragePrecision, TASK_MULTILABEL, CURVE_AVERAGE_PRECISION, OF_LABELS, .average = options->average)
