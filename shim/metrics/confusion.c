/* Confusion matrices, and what is made of them: Cohen's kappa, Matthews' correlation, the Jaccard index. */
#include <float.h>
#include <stdlib.h>

#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/classification.h"

enum measure { CONFUSION_MATRIX, COHEN_KAPPA, MATTHEWS, JACCARD };
enum normalization { OF_TARGETS, OF_PREDICTIONS, OF_ALL, OF_NOTHING };
enum weights { WEIGHTS_LINEAR, WEIGHTS_QUADRATIC, WEIGHTS_NONE };

static const char *const NORMALIZATIONS[] = {"true", "pred", "all", "none", NULL};
static const char *const WEIGHTS[] = {"linear", "quadratic", "none", NULL};

/* `kind` is a normalization or kind of weights. */
struct confusion {
  struct classification classes;
  int kind;
};

/* Counting --------------------------------------------------------------------------------------------------------- */

/* How often each of `len` cells is met. */
static ctorch_tensor *cells(
    struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target, int64_t classes) {
  ctorch_tensor *row = calc_mul_number(c, calc_to(c, target, CTORCH_DTYPE_INT64), whole(classes));
  ctorch_tensor *at = calc_add(c, row, calc_to(c, preds, CTORCH_DTYPE_INT64));
  return calc_reshape(c, calc_bincount(c, at, classes * classes), CTORCH_INTS(classes, classes));
}

static void update_binary(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  check_binary(c, counting, batch->preds, batch->target);
  ctorch_tensor *preds = calc_flatten(c, batch->preds), *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, counting, &preds, &target);
  preds = c->error == NULL ? above_threshold(c, counting, preds) : NULL;
  batch->counts[0] = cells(c, preds, target, 2);
}

static void update_multiclass(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  check_multiclass(c, counting, batch->preds, batch->target);
  if (c->error != NULL) {
    return;
  }
  bool has_scores = ctorch_tensor_ndim(batch->preds) == ctorch_tensor_ndim(batch->target) + 1;
  ctorch_tensor *preds = calc_flatten(c, has_scores ? calc_argmax(c, batch->preds, 1) : batch->preds);
  ctorch_tensor *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, counting, &preds, &target);
  batch->counts[0] = cells(c, preds, target, counting->classes);
}

static void update_multilabel(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  const int64_t labels = counting->classes;
  check_multilabel(c, counting, batch->preds, batch->target);
  ctorch_tensor *preds = c->error == NULL ? above_threshold(c, counting, batch->preds) : NULL;
  preds = calc_to(c, rows_of_classes(c, preds, labels), CTORCH_DTYPE_INT64);
  ctorch_tensor *target = calc_to(c, rows_of_classes(c, batch->target, labels), CTORCH_DTYPE_INT64);
  ctorch_tensor *at = calc_add(c, calc_mul_number(c, target, whole(2)), preds);
  at = calc_add(c, at, calc_mul_number(c, calc_arange(c, labels, batch->preds), whole(4)));
  if (counting->has_ignore) {
    ctorch_tensor *counts = calc_flatten(c, calc_differs(c, target, whole(counting->ignore_index)));
    at = calc_index(c, calc_flatten(c, at), counts);
  }
  batch->counts[0] = calc_reshape(c, calc_bincount(c, calc_flatten(c, at), 4 * labels), CTORCH_INTS(labels, 2, 2));
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct counting *counting = &((const struct classification *)metric)->counting;
  if (counting->task == TASK_BINARY) {
    update_binary(counting, batch);
  } else if (counting->task == TASK_MULTICLASS) {
    update_multiclass(counting, batch);
  } else {
    update_multilabel(counting, batch);
  }
}

/* Computing -------------------------------------------------------------------------------------------------------- */

static ctorch_tensor *normalized(struct calculation *c, ctorch_tensor *table, enum normalization normalization) {
  const int64_t rows[] = {-1}, columns[] = {-2}, all[] = {-2, -1};
  if (normalization == OF_NOTHING) {
    return table;
  }
  table = calc_to(c, table, CTORCH_DTYPE_FLOAT32);
  ctorch_tensor *sum = normalization == OF_TARGETS       ? calc_sum_dims(c, table, rows, 1, true)
                       : normalization == OF_PREDICTIONS ? calc_sum_dims(c, table, columns, 1, true)
                                                         : calc_sum_dims(c, table, all, 2, true);
  table = calc_div(c, table, sum);
  return calc_masked_fill(c, table, calc_isnan(c, table), floating(0));
}

static ctorch_tensor *weights_between(
    struct calculation *c, ctorch_tensor *table, int64_t classes, enum weights weights) {
  if (weights == WEIGHTS_NONE) {
    ctorch_tensor *numbers = calc_arange(c, classes, table);
    return calc_to(c, calc_ne(c, calc_unsqueeze(c, numbers, 0), calc_unsqueeze(c, numbers, 1)), CTORCH_DTYPE_FLOAT32);
  }
  ctorch_tensor *numbers = calc_to(c, calc_arange(c, classes, table), CTORCH_DTYPE_FLOAT32);
  ctorch_tensor *rows = calc_add(c, calc_zeros_like(c, table), numbers);
  ctorch_tensor *distance = calc_sub(c, rows, calc_transpose(c, rows, 0, 1));
  return weights == WEIGHTS_LINEAR ? calc_abs(c, distance) : calc_pow(c, distance, floating(2));
}

static ctorch_tensor *cohen_kappa(struct calculation *c, ctorch_tensor *counts, int64_t classes, enum weights weights) {
  const int64_t first = 0, second = 1;
  ctorch_tensor *table = calc_to(c, counts, CTORCH_DTYPE_FLOAT32);
  ctorch_tensor *predicted = calc_sum_dims(c, table, &first, 1, true);
  ctorch_tensor *actual = calc_sum_dims(c, table, &second, 1, true);
  ctorch_tensor *expected = calc_div(c, calc_matmul(c, actual, predicted), calc_sum(c, predicted));
  ctorch_tensor *weight = weights_between(c, table, classes, weights);
  ctorch_tensor *above = calc_sum(c, calc_mul(c, weight, table)), *below = calc_sum(c, calc_mul(c, weight, expected));
  return calc_number_sub(c, whole(1), calc_div(c, above, below));
}

static ctorch_tensor *jaccard(struct calculation *c, const struct classification *self, ctorch_tensor *counts) {
  const double zero = self->zero_division;
  const int64_t ignored = self->counting.ignore_index;
  bool is_multilabel = self->counting.task == TASK_MULTILABEL, is_ignored = counting_ignores_class(&self->counting);
  ctorch_tensor *table = calc_to(c, counts, CTORCH_DTYPE_FLOAT32), *common = NULL, *all = NULL, *actual = NULL;
  if (self->counting.task != TASK_MULTICLASS) {
    ctorch_tensor *of_zeros = calc_select(c, table, -2, 0), *of_ones = calc_select(c, table, -2, 1);
    ctorch_tensor *fp = calc_select(c, of_zeros, -1, 1), *fn = calc_select(c, of_ones, -1, 0);
    common = calc_select(c, of_ones, -1, 1);
    all = is_multilabel ? calc_add(c, calc_add(c, common, fp), fn) : calc_add(c, calc_add(c, fp, fn), common);
    actual = calc_add(c, common, fn);
  } else {
    common = calc_diagonal(c, table);
    actual = calc_sum_dim(c, table, 1);
    all = calc_sub(c, calc_add(c, calc_sum_dim(c, table, 0), actual), common);
  }
  is_ignored = is_ignored && !is_multilabel;
  if (self->average == AVERAGE_MICRO) {
    ctorch_tensor *left_out = is_ignored ? calc_select(c, all, 0, ignored) : NULL;
    common = calc_sum(c, common);
    all = calc_sum(c, all);
    all = is_ignored ? calc_sub(c, all, left_out) : all;
  }
  ctorch_tensor *score = metric_safe_divide(c, common, all, zero), *weights = actual;
  if (self->average != AVERAGE_MACRO && self->average != AVERAGE_WEIGHTED) {
    return score;
  }
  if (self->average == AVERAGE_MACRO) {
    weights = calc_ones_like(c, score);
    if (is_ignored) {
      ctorch_tensor *numbers = calc_arange(c, self->counting.classes, table);
      weights = calc_masked_fill(c, weights, calc_equals(c, numbers, whole(ignored)), floating(0));
    }
    if (!is_multilabel) {
      ctorch_tensor *met = calc_add(c, calc_sum_dim(c, table, 1), calc_sum_dim(c, table, 0));
      weights = calc_masked_fill(c, weights, calc_equals(c, met, whole(0)), floating(0));
    }
  }
  return calc_sum(c, calc_div(c, calc_mul(c, weights, score), calc_sum(c, weights)));
}

/* Matthews' correlation -------------------------------------------------------------------------------------------- */

/* A quotient by a root: a number by the root of `below`, times that of FLT_EPSILON if `is_small`. */
struct quotient {
  float above, below;
  bool is_small, is_undefined;
};

/* For two classes of which one is missing, the limit for few others, as torchmetrics has it. */
static struct quotient limit(int64_t tp, int64_t fp, int64_t tn, int64_t fn) {
  const float eps = FLT_EPSILON;
  struct quotient found = {
      .below =
          ((float)(tp + fp) + eps) * ((float)(tp + fn) + eps) * ((float)(tn + fp) + eps) * ((float)(tn + fn) + eps)};
  if (fn == 0 && tn == 0) {
    found.is_small = true;
    found.above = (float)(tp - fp);
  } else if (fp == 0 && tn == 0) {
    found.is_small = true;
    found.above = (float)(tp - fn);
  } else if (tp == 0 && fn == 0) {
    found.is_small = true;
    found.above = (float)(tn - fp);
  } else if (tp == 0 && fp == 0) {
    found.is_small = true;
    found.above = (float)(tn - fn);
  } else if (tp == 0) {
    found.above = (float)(tn - fp * fn);
  } else if (tn == 0) {
    found.above = (float)(tp - fp * fn);
  } else if (fp == 0 || fn == 0) {
    found.above = (float)(tp * tn);
  } else {
    found.is_undefined = true;
  }
  return found;
}

/* The correlation of a table of `len` classes. */
static struct quotient correlation(const int64_t *table, int64_t len) {
  float correct = 0, all = 0, of_both = 0, of_predicted = 0, of_actual = 0;
  for (int64_t i = 0; i < len; i++) {
    float actual = 0, predicted = 0;
    for (int64_t j = 0; j < len; j++) {
      actual += (float)table[i * len + j];
      predicted += (float)table[j * len + i];
    }
    correct += (float)table[i * len + i];
    all += actual;
    of_both += actual * predicted;
    of_predicted += predicted * predicted;
    of_actual += actual * actual;
  }
  const float below = (all * all - of_predicted) * (all * all - of_actual);
  if (below != 0) {
    return (struct quotient){.above = correct * all - of_both, .below = below};
  }
  return len == 2 ? limit(table[3], table[1], table[0], table[2]) : (struct quotient){.is_undefined = true};
}

/* By the operators, whose root is not always rounded as C's is. */
static ctorch_tensor *value_of(struct calculation *c, const struct quotient *quotient, const ctorch_tensor *like) {
  if (quotient->is_undefined) {
    return calc_int(c, 0, like);
  }
  ctorch_tensor *above = calc_float(c, (double)quotient->above, CTORCH_DTYPE_FLOAT32, like);
  ctorch_tensor *below = calc_float(c, (double)quotient->below, CTORCH_DTYPE_FLOAT32, like);
  if (quotient->is_small) {
    above = calc_mul(c, calc_sqrt(c, calc_float(c, (double)FLT_EPSILON, CTORCH_DTYPE_FLOAT32, like)), above);
  }
  return calc_div(c, above, calc_sqrt(c, below));
}

static ctorch_tensor *matthews(struct calculation *c, const struct classification *self, ctorch_tensor *counts) {
  const int64_t len = self->counting.task == TASK_MULTICLASS ? self->counting.classes : 2;
  ctorch_tensor *table = self->counting.task == TASK_MULTILABEL ? calc_sum_dim(c, counts, 0) : counts;
  int64_t *numbers = calloc((size_t)(len * len), sizeof *numbers);
  if (numbers == NULL) {
    calc_fail_with(c, error_memory(c->function, (uint64_t)(len * len) * sizeof *numbers));
  }
  if (c->error == NULL) {
    calc_fail_with(
        c, ctorch_tensor_copy_to_buffer(table, numbers, (size_t)(len * len) * sizeof *numbers, CTORCH_DTYPE_INT64));
  }
  ctorch_tensor *result = NULL;
  if (c->error == NULL) {
    const int64_t right = numbers[0] + numbers[len * len - 1], wrong = len == 2 ? numbers[1] + numbers[2] : 0;
    const struct quotient quotient = correlation(numbers, len);
    bool is_one = len == 2 && (right == 0) != (wrong == 0);
    result = is_one ? calc_int(c, right != 0 ? 1 : -1, counts) : value_of(c, &quotient, counts);
  }
  free(numbers);
  return result;
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct confusion *self = (const struct confusion *)metric;
  ctorch_tensor *counts = metric_state(c, metric, 0);
  switch ((enum measure)self->classes.measure) {
    case COHEN_KAPPA:
      return metric_result(c, cohen_kappa(c, counts, self->classes.counting.classes, (enum weights)self->kind));
    case MATTHEWS:
      return metric_result(c, matthews(c, &self->classes, counts));
    case JACCARD:
      return metric_result(c, jaccard(c, &self->classes, counts));
    default:
      return metric_result(c, normalized(c, counts, (enum normalization)self->kind));
  }
}

/* Making ----------------------------------------------------------------------------------------------------------- */

/* What the entries of the schema file give. */
struct arguments {
  enum task task;
  enum measure measure;
  int64_t classes;
  double threshold, zero_division;
  const int64_t *ignore_index;
  bool validates;
  const char *average, *normalize, *weights; /* NULL for none */
};

static ctorch_error *make(
    const char *function, ctorch_metric **out, const metric_class *class, const struct arguments *given) {
  ctorch_error *error = NULL;
  check_threshold(&error, function, given->threshold);
  if (given->task != TASK_BINARY) {
    check_classes(&error, function, given->task == TASK_MULTICLASS ? "num_classes" : "num_labels", given->classes);
  }
  int average =
      given->average == NULL ? AVERAGE_BINARY : metric_choice(&error, function, "average", given->average, AVERAGES);
  int kind =
      given->measure == COHEN_KAPPA
          ? metric_choice(&error, function, "weights", given->weights == NULL ? "none" : given->weights, WEIGHTS)
          : metric_choice(
                &error, function, "normalize", given->normalize == NULL ? "none" : given->normalize, NORMALIZATIONS);
  struct confusion *self = error == NULL ? metric_new(class) : NULL;
  if (error != NULL || self == NULL) {
    return metric_give(function, out, NULL, error);
  }
  struct counting *counting = &self->classes.counting;
  ctorch_metric *metric = &self->classes.metric;
  counting->task = given->task;
  counting->classes = given->classes;
  counting->top_k = 1;
  counting->threshold = given->threshold;
  counting->has_ignore = given->ignore_index != NULL;
  counting->ignore_index = given->ignore_index == NULL ? 0 : *given->ignore_index;
  counting->validates = given->validates;
  self->classes.measure = (int)given->measure;
  self->classes.average = (enum average)average;
  self->classes.zero_division = given->zero_division;
  self->kind = kind;
  bool is_multilabel = given->task == TASK_MULTILABEL;
  const int64_t size = is_multilabel ? 2 : given->classes, sizes[] = {given->classes, size, size};
  metric_add_state(
      &error, metric, "confmat", METRIC_SUM, CTORCH_DTYPE_INT64, 0, is_multilabel ? sizes : sizes + 1,
      is_multilabel ? 3 : 2);
  return metric_give(function, out, metric, error);
}

/* A metric's constructor: `...` are the arguments beside those that all have. */
#define CONFUSION(Name, task_, measure_, ...)                                                      \
  ctorch_error *metrics_##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_##Name##_options *options) { \
    static const metric_class class = {                                                            \
        .object = METRIC_OBJECT(struct confusion),                                                 \
        .name = #Name,                                                                             \
        .update = update,                                                                          \
        .compute = compute,                                                                        \
        .shared_size = sizeof(struct counting)};                                                   \
    return make(                                                                                   \
        function, out, &class,                                                                     \
        &(const struct arguments){                                                                 \
            .task = task_,                                                                         \
            .measure = measure_,                                                                   \
            .ignore_index = options->ignore_index,                                                 \
            .validates = options->validate_args,                                                   \
            __VA_ARGS__});                                                                         \
  }

#define OF_TWO .classes = 2, .threshold = options->threshold
#define OF_CLASSES .classes = options->num_classes
#define OF_LABELS .classes = options->num_labels, .threshold = options->threshold

CONFUSION(BinaryConfusionMatrix, TASK_BINARY, CONFUSION_MATRIX, OF_TWO, .normalize = options->normalize)
CONFUSION(MulticlassConfusionMatrix, TASK_MULTICLASS, CONFUSION_MATRIX, OF_CLASSES, .normalize = options->normalize)
CONFUSION(MultilabelConfusionMatrix, TASK_MULTILABEL, CONFUSION_MATRIX, OF_LABELS, .normalize = options->normalize)
CONFUSION(BinaryCohenKappa, TASK_BINARY, COHEN_KAPPA, OF_TWO, .weights = options->weights)
CONFUSION(MulticlassCohenKappa, TASK_MULTICLASS, COHEN_KAPPA, OF_CLASSES, .weights = options->weights)
CONFUSION(BinaryMatthewsCorrCoef, TASK_BINARY, MATTHEWS, OF_TWO)
CONFUSION(MulticlassMatthewsCorrCoef, TASK_MULTICLASS, MATTHEWS, OF_CLASSES)
CONFUSION(MultilabelMatthewsCorrCoef, TASK_MULTILABEL, MATTHEWS, OF_LABELS)
CONFUSION(BinaryJaccardIndex, TASK_BINARY, JACCARD, OF_TWO, .zero_division = options->zero_division)
CONFUSION(
    MulticlassJaccardIndex,
    TASK_MULTICLASS,
    JACCARD,
    OF_CLASSES,
    .zero_division = options->zero_division,
    .average = options->average)
CONFUSION(
    MultilabelJaccardIndex,
    TASK_MULTILABEL,
    JACCARD,
    OF_LABELS,
    .zero_division = options->zero_division,
    .average = options->average)
