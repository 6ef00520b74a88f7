/* Aggregation of numbers: mean, sum, least, greatest, all of them, and those of the last few updates. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/metric.h"

enum strategy { NAN_ERROR, NAN_WARN, NAN_IGNORE, NAN_DISABLE, NAN_NUMBER };
enum kind { KIND_SUM, KIND_MEAN, KIND_MIN, KIND_MAX, KIND_CAT };

static const char *const STRATEGIES[] = {"error", "warn", "ignore", "disable", NULL};

struct aggregation {
  ctorch_metric metric;
  enum kind kind;
  enum strategy strategy;
  double number;  /* that stands for NaN */
  int64_t window; /* 0 for all updates */
};

/* Inputs ----------------------------------------------------------------------------------------------------------- */

/* An input as a tensor; NULL if there is none. */
static const ctorch_tensor *read(
    struct metric_batch *batch, const ctorch_metric *self, size_t i, const ctorch_tensor *tensor) {
  struct calculation *c = &batch->c;
  const ctorch_value *value = batch->inputs->values[i];
  ctorch_value_kind kind = value == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(value);
  double number = 0;
  if (tensor != NULL || i >= batch->inputs->len || c->error != NULL) {
    return tensor;
  }
  if (kind != CTORCH_VALUE_DOUBLE && kind != CTORCH_VALUE_INT && kind != CTORCH_VALUE_BOOL) {
    calc_fail(
        c, CTORCH_ERROR_TYPE, "%s: expected a tensor or a number as `%s`, found %s", ctorch_metric_name(self),
        i == 0 ? "value" : "weight", ctorch_value_kind_name(kind));
    return NULL;
  }
  if (kind == CTORCH_VALUE_BOOL) {
    bool truth = false;
    calc_fail_with(c, ctorch_value_to_bool(&truth, value));
    number = truth;
  } else {
    calc_fail_with(c, ctorch_value_to_double(&number, value));
  }
  const ctorch_tensor *like = self->states_len > 0 ? self->states[0].value : NULL;
  ctorch_tensor *made = NULL;
  if (c->error == NULL && like == NULL) {
    calc_fail_with(c, ctorch_aten_full(&made, NULL, 0, CTORCH_FLOAT(number), &self->dtype, NULL, NULL, NULL));
    return made;
  }
  return calc_float(c, number, self->dtype, like);
}

/* Values and weights without NaN, as the strategy has it. */
static void settle(
    struct calculation *c, const struct aggregation *self, const ctorch_tensor **value, const ctorch_tensor **weight) {
  if (self->strategy == NAN_DISABLE) {
    *weight = calc_ones_like(c, *value);
    return;
  }
  ctorch_tensor *nans = calc_isnan(c, *value);
  if (*weight != NULL) {
    nans = calc_or(c, nans, calc_isnan(c, *weight));
  } else {
    *weight = calc_ones_like(c, *value);
  }
  if (!calc_any(c, nans)) {
    return;
  }
  if (self->strategy == NAN_ERROR) {
    calc_fail(c, CTORCH_ERROR_RUNTIME, "Encountered `nan` values in tensor");
  } else if (self->strategy == NAN_NUMBER) {
    *value = calc_masked_fill(c, *value, nans, floating(self->number));
    *weight = calc_masked_fill(c, *weight, nans, floating(1));
  } else {
    if (self->strategy == NAN_WARN) {
      calc_fail_with(
          c, ctorch_warning_emit(CTORCH_WARNING_USER, "Encountered `nan` values in tensor. Will be removed."));
    }
    ctorch_tensor *numbers = calc_not(c, nans);
    *value = calc_index(c, *value, numbers);
    *weight = calc_index(c, *weight, numbers);
  }
}

static const ctorch_tensor *broadcast(struct calculation *c, const ctorch_tensor *weight, const ctorch_tensor *value) {
  return c->error != NULL || weight == NULL
             ? NULL
             : calc_expand(c, weight, ctorch_tensor_sizes(value), (size_t)ctorch_tensor_ndim(value));
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct aggregation *self = (const struct aggregation *)metric;
  struct calculation *c = &batch->c;
  if (batch->inputs->len > 1 && self->kind != KIND_MEAN) {
    calc_fail(c, CTORCH_ERROR_TYPE, "%s: expected one input, got two", ctorch_metric_name(metric));
  }
  const ctorch_tensor *value = read(batch, metric, 0, batch->preds);
  const ctorch_tensor *weight = broadcast(c, read(batch, metric, 1, batch->target), value);
  if (c->error == NULL) {
    settle(c, self, &value, &weight);
  }
  value = calc_to(c, value, metric->dtype);
  weight = calc_to(c, weight, metric->dtype);
  if (c->error != NULL || (ctorch_tensor_numel(value) == 0 && self->window == 0)) {
    return;
  }
  switch (self->kind) {
    case KIND_MEAN:
      batch->counts[0] = calc_sum(c, calc_mul(c, value, weight));
      batch->counts[1] = calc_sum(c, weight);
      break;
    case KIND_SUM:
      batch->counts[0] = calc_sum(c, value);
      break;
    case KIND_MIN:
      batch->counts[0] = calc_min(c, value);
      break;
    case KIND_MAX:
      batch->counts[0] = calc_max(c, value);
      break;
    default:
      batch->counts[0] = (ctorch_tensor *)value;
      break;
  }
}

/* Computing -------------------------------------------------------------------------------------------------------- */

/* The sum of the entries of a window, in the order of the places that torchmetrics gives them. */
static ctorch_tensor *window_sum(struct calculation *c, const ctorch_metric *metric, size_t index) {
  const struct metric_state *state = &metric->states[index];
  const int64_t window = state->window, len = (int64_t)state->parts_len;
  ctorch_tensor *sum = NULL;
  if (len == 0) {
    calc_fail_with(c, ctorch_aten_full(&sum, NULL, 0, CTORCH_FLOAT(0), &metric->dtype, NULL, NULL, NULL));
    return sum;
  }
  const int64_t first = metric->updates < len ? 0 : (metric->updates - len) % window;
  for (int64_t place = 0; place < window; place++) {
    const int64_t at = (place - first + window) % window;
    if (at < len) {
      sum = sum == NULL ? state->parts[at] : calc_add(c, sum, state->parts[at]);
    }
  }
  return sum;
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct aggregation *self = (const struct aggregation *)metric;
  bool is_running = self->window > 0;
  if (self->kind == KIND_CAT && metric->states[0].parts_len == 0) {
    return metric_list(c, NULL, 0);
  }
  ctorch_tensor *value = is_running ? window_sum(c, metric, 0) : metric_state(c, metric, 0);
  if (self->kind == KIND_MEAN) {
    value = calc_div(c, value, is_running ? window_sum(c, metric, 1) : metric_state(c, metric, 1));
  }
  return metric_result(c, value);
}

/* Making ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_strategy(
    const char *function, enum strategy *strategy, double *number, const ctorch_value *value) {
  const char *text = "warn";
  ctorch_error *error = NULL;
  ctorch_value_kind kind = value == NULL ? CTORCH_VALUE_STRING : ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_DOUBLE || kind == CTORCH_VALUE_INT) {
    *strategy = NAN_NUMBER;
    return ctorch_value_to_double(number, value);
  }
  if (kind != CTORCH_VALUE_STRING) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Arg `nan_strategy` should either be a float or a text but got %s.",
        ctorch_value_kind_name(kind));
  }
  if (value != NULL) {
    CTORCH_TRY(ctorch_value_to_string(&text, NULL, value));
  }
  *strategy = (enum strategy)metric_choice(&error, function, "nan_strategy", text, STRATEGIES);
  return error;
}

static ctorch_error *make(
    const char *function,
    ctorch_metric **out,
    const metric_class *class,
    enum kind kind,
    const char *name,
    const ctorch_value *nan_strategy,
    int64_t window) {
  enum strategy strategy = NAN_WARN;
  double number = 0;
  ctorch_error *error = read_strategy(function, &strategy, &number, nan_strategy);
  struct aggregation *self = error == NULL ? metric_new(class) : NULL;
  if (error != NULL || self == NULL) {
    return metric_give(function, out, NULL, error);
  }
  ctorch_metric *metric = &self->metric;
  self->kind = kind;
  self->strategy = strategy;
  self->number = number;
  self->window = window;
  if (kind == KIND_CAT || window > 0) {
    metric_add_list(&error, metric, name);
  } else {
    enum metric_reduction reduction = kind == KIND_MIN ? METRIC_MIN : kind == KIND_MAX ? METRIC_MAX : METRIC_SUM;
    double first = kind == KIND_MIN ? INFINITY : kind == KIND_MAX ? -INFINITY : 0;
    metric_add_state(&error, metric, name, reduction, metric->dtype, first, NULL, 0);
  }
  if (kind == KIND_MEAN && window > 0) {
    metric_add_list(&error, metric, "weight");
  } else if (kind == KIND_MEAN) {
    metric_add_state(&error, metric, "weight", METRIC_SUM, metric->dtype, 0, NULL, 0);
  }
  for (size_t i = 0; i < metric->states_len; i++) {
    metric->states[i].window = window;
  }
  return metric_give(function, out, metric, error);
}

#define AGGREGATION(name_)                      \
  {.object = METRIC_OBJECT(struct aggregation), \
   .name = name_,                               \
   .update = update,                            \
   .compute = compute,                          \
   .takes_values = true}

#define PLAIN(Name, kind_, state)                                                                  \
  ctorch_error *metrics_##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_##Name##_options *options) { \
    static const metric_class class = AGGREGATION(#Name);                                          \
    return make(function, out, &class, kind_, state, options->nan_strategy, 0);                    \
  }

#define RUNNING(Name, kind_, state)                                                                             \
  ctorch_error *metrics_##Name(                                                                                 \
      const char *function, ctorch_metric **out, const struct metrics_##Name##_options *options) {              \
    static const metric_class class = AGGREGATION(#Name);                                                       \
    if (options->window < 1) {                                                                                  \
      return error_make(                                                                                        \
          function, CTORCH_ERROR_VALUE, "Expected argument `window` to be a positive integer but got %" PRId64, \
          options->window);                                                                                     \
    }                                                                                                           \
    return make(function, out, &class, kind_, state, options->nan_strategy, options->window);                   \
  }

PLAIN(MeanMetric, KIND_MEAN, "mean_value")
PLAIN(SumMetric, KIND_SUM, "sum_value")
PLAIN(MinMetric, KIND_MIN, "min_value")
PLAIN(MaxMetric, KIND_MAX, "max_value")
PLAIN(CatMetric, KIND_CAT, "value")
RUNNING(RunningMean, KIND_MEAN, "mean_value")
RUNNING(RunningSum, KIND_SUM, "sum_value")
