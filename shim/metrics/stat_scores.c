/* True and false positives and negatives, and what is made of them: accuracy, precision, recall, F-beta,
 * specificity. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/classification.h"

enum { TP, FP, TN, FN, STATES };
enum measure { STAT_SCORES, ACCURACY, PRECISION, RECALL, SPECIFICITY, F_BETA };

static const char *const NAMES[] = {"tp", "fp", "tn", "fn"};

/* Counting --------------------------------------------------------------------------------------------------------- */

/* Counts of where predicted and true labels are 0 and 1, over some dimensions. */
static void count_pairs(
    struct metric_batch *batch,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    const int64_t *dims,
    size_t len) {
  struct calculation *c = &batch->c;
  ctorch_tensor *is_right = calc_eq(c, target, preds), *is_wrong = calc_ne(c, target, preds);
  ctorch_tensor *is_one = calc_equals(c, target, whole(1)), *is_zero = calc_equals(c, target, whole(0));
  batch->counts[TP] = calc_sum_dims(c, calc_and(c, is_right, is_one), dims, len, false);
  batch->counts[FN] = calc_sum_dims(c, calc_and(c, is_wrong, is_one), dims, len, false);
  batch->counts[FP] = calc_sum_dims(c, calc_and(c, is_wrong, is_zero), dims, len, false);
  batch->counts[TN] = calc_sum_dims(c, calc_and(c, is_right, is_zero), dims, len, false);
}

static void squeeze_counts(struct metric_batch *batch) {
  for (int i = 0; i < STATES; i++) {
    batch->counts[i] = calc_squeeze_all(&batch->c, batch->counts[i]);
  }
}

static ctorch_tensor *without_ignored(struct calculation *c, const struct counting *counting, ctorch_tensor *target) {
  return counting->has_ignore
             ? calc_masked_fill(c, target, calc_equals(c, target, whole(counting->ignore_index)), whole(-1))
             : target;
}

static void update_binary(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  check_binary(c, counting, batch->preds, batch->target);
  ctorch_tensor *preds = flat_behind(c, above_threshold(c, counting, batch->preds), 1);
  ctorch_tensor *target = without_ignored(c, counting, flat_behind(c, batch->target, 1));
  const int64_t dims[] = {1, 0};
  count_pairs(batch, preds, target, dims, counting->samplewise ? 1 : 2);
  squeeze_counts(batch);
}

static void update_multilabel(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  check_multilabel(c, counting, batch->preds, batch->target);
  ctorch_tensor *preds = flat_behind(c, above_threshold(c, counting, batch->preds), 2);
  ctorch_tensor *target = without_ignored(c, counting, flat_behind(c, batch->target, 2));
  const int64_t dims[] = {-1, 0};
  count_pairs(batch, preds, target, dims, counting->samplewise ? 1 : 2);
  squeeze_counts(batch);
}

/* Whether each target is among the highest scores: one-hot rows of the target where it is, of the highest where not. */
static ctorch_tensor *one_hot_of_scores(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target) {
  ctorch_tensor *values = NULL, *indices = NULL, *found = NULL, *chosen = NULL, *made = NULL;
  THEN(c->error, ctorch_aten_topk(&values, &indices, preds, counting->top_k, 1, true, true));
  found = calc_any_dim(c, calc_eq(c, indices, calc_unsqueeze(c, target, 1)), 1);
  chosen = calc_where(c, found, target, calc_select(c, indices, 1, 0));
  if (c->error != NULL) {
    return NULL;
  }
  const int64_t sizes[] = {calc_size(target, 0), calc_size(target, 1), calc_size(preds, 1)};
  ctorch_tensor *zeros = calc_full(c, sizes, 3, whole(0), CTORCH_DTYPE_INT32, preds);
  ctorch_tensor *index = calc_unsqueeze(c, chosen, -1);
  THEN(c->error, ctorch_aten_scatter_value(&made, zeros, -1, index, CTORCH_INT(1)));
  return made;
}

/* By one-hot rows, for each sample or with several predictions of one. */
static void count_rows(
    const struct counting *counting, struct metric_batch *batch, ctorch_tensor *preds, ctorch_tensor *target) {
  struct calculation *c = &batch->c;
  const int64_t classes = counting->classes;
  bool is_class = counting_ignores_class(counting), is_beside = counting->has_ignore && !is_class;
  ctorch_tensor *ignored = counting->has_ignore ? calc_equals(c, target, whole(counting->ignore_index)) : NULL;
  if (is_beside) {
    bool has_scores = c->error == NULL && ctorch_tensor_ndim(preds) > ctorch_tensor_ndim(target);
    target = calc_masked_fill(c, target, ignored, whole(classes));
    preds = calc_masked_fill(c, preds, has_scores ? calc_unsqueeze(c, ignored, 1) : ignored, whole(classes));
  }
  ctorch_tensor *rows =
      counting->top_k > 1 ? one_hot_of_scores(c, counting, preds, target) : calc_one_hot(c, preds, classes + is_beside);
  ctorch_tensor *target_rows = calc_one_hot(c, target, classes + is_beside);
  if (is_beside) {
    rows = counting->top_k > 1 ? rows : calc_columns(c, rows, 0, classes, 1);
    target_rows = calc_columns(c, target_rows, 0, classes, 1);
  }
  if (counting->has_ignore) {
    target_rows = calc_masked_fill(c, target_rows, calc_unsqueeze(c, ignored, -1), whole(-1));
  }
  const int64_t dims[] = {1, 0};
  count_pairs(batch, rows, target_rows, dims, counting->samplewise ? 1 : 2);
}

static void count_all(
    const struct counting *counting, struct metric_batch *batch, ctorch_tensor *preds, ctorch_tensor *target) {
  struct calculation *c = &batch->c;
  ctorch_tensor *wrong = calc_sum(c, calc_ne(c, preds, target));
  batch->counts[TP] = calc_sum(c, calc_eq(c, preds, target));
  batch->counts[FP] = wrong;
  batch->counts[FN] = wrong;
  if (c->error == NULL) {
    int64_t all = (counting->classes > 0 ? counting->classes : 1) * ctorch_tensor_numel(preds);
    ctorch_tensor *others = calc_add(c, calc_add(c, wrong, wrong), batch->counts[TP]);
    batch->counts[TN] = calc_number_sub(c, whole(all), others);
  }
}

static void count_classes(
    const struct counting *counting, struct metric_batch *batch, ctorch_tensor *preds, ctorch_tensor *target) {
  struct calculation *c = &batch->c;
  const int64_t classes = counting->classes;
  ctorch_tensor *cells = calc_add(
      c, calc_mul_number(c, calc_to(c, target, CTORCH_DTYPE_INT64), whole(classes)),
      calc_to(c, preds, CTORCH_DTYPE_INT64));
  ctorch_tensor *table = calc_reshape(c, calc_bincount(c, cells, classes * classes), CTORCH_INTS(classes, classes));
  ctorch_tensor *tp = calc_diagonal(c, table);
  batch->counts[TP] = tp;
  batch->counts[FP] = calc_sub(c, calc_sum_dim(c, table, 0), tp);
  batch->counts[FN] = calc_sub(c, calc_sum_dim(c, table, 1), tp);
  batch->counts[TN] =
      calc_sub(c, calc_sum(c, table), calc_add(c, calc_add(c, batch->counts[FP], batch->counts[FN]), tp));
}

static void update_multiclass(const struct counting *counting, struct metric_batch *batch) {
  struct calculation *c = &batch->c;
  check_multiclass(c, counting, batch->preds, batch->target);
  if (c->error != NULL) {
    return;
  }
  bool has_scores = ctorch_tensor_ndim(batch->preds) == ctorch_tensor_ndim(batch->target) + 1;
  const ctorch_tensor *preds = has_scores && counting->top_k == 1 ? calc_argmax(c, batch->preds, 1) : batch->preds;
  if (counting->samplewise || counting->top_k != 1) {
    count_rows(counting, batch, flat_behind(c, preds, counting->top_k != 1 ? 2 : 1), flat_behind(c, batch->target, 1));
    return;
  }
  ctorch_tensor *flat = calc_flatten(c, preds), *target = calc_flatten(c, batch->target);
  leave_out_ignored(c, counting, &flat, &target);
  (counting->micro ? count_all : count_classes)(counting, batch, flat, target);
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct counting *counting = &((const struct classification *)metric)->counting;
  switch (counting->task) {
    case TASK_BINARY:
      update_binary(counting, batch);
      break;
    case TASK_MULTICLASS:
      update_multiclass(counting, batch);
      break;
    case TASK_MULTILABEL:
      update_multilabel(counting, batch);
      break;
  }
}

/* Computing -------------------------------------------------------------------------------------------------------- */

/* Scores of classes as one number; classes that neither are nor were predicted count for nothing. */
static ctorch_tensor *averaged(
    struct calculation *c, const struct classification *self, ctorch_tensor *score, ctorch_tensor *const *t) {
  bool looks_at_fp = self->counting.top_k == 1 || self->measure == F_BETA || self->measure == SPECIFICITY;
  ctorch_tensor *weights = NULL;
  if (self->average == AVERAGE_NONE) {
    return score;
  }
  if (self->average == AVERAGE_WEIGHTED) {
    weights = calc_add(c, t[TP], t[FN]);
  } else {
    weights = calc_ones_like(c, score);
    if (self->counting.task != TASK_MULTILABEL) {
      ctorch_tensor *all = looks_at_fp ? calc_add(c, calc_add(c, t[TP], t[FP]), t[FN]) : calc_add(c, t[TP], t[FN]);
      weights = calc_masked_fill(c, weights, calc_equals(c, all, whole(0)), floating(0));
    }
  }
  const int64_t last = -1;
  ctorch_tensor *sum = calc_sum_dims(c, weights, &last, 1, true);
  return calc_sum_dim(c, metric_safe_divide(c, calc_mul(c, weights, score), sum, 0), -1);
}

/* The quotient that a measure is. */
static ctorch_tensor *score_of(struct calculation *c, const struct classification *self, ctorch_tensor *const *t) {
  const double beta2 = self->beta * self->beta, zero = self->zero_division;
  switch ((enum measure)self->measure) {
    case ACCURACY: {
      if (self->counting.task == TASK_MULTICLASS) {
        return metric_safe_divide(c, t[TP], calc_add(c, t[TP], t[FN]), 0);
      }
      ctorch_tensor *right = calc_add(c, t[TP], t[TN]);
      return metric_safe_divide(c, right, calc_add(c, calc_add(c, right, t[FP]), t[FN]), 0);
    }
    case PRECISION:
      return metric_safe_divide(c, t[TP], calc_add(c, t[TP], t[FP]), zero);
    case RECALL:
      return metric_safe_divide(c, t[TP], calc_add(c, t[TP], t[FN]), zero);
    case SPECIFICITY:
      return metric_safe_divide(c, t[TN], calc_add(c, t[TN], t[FP]), 0);
    default: {
      ctorch_tensor *above = calc_mul_number(c, t[TP], floating(1 + beta2));
      ctorch_tensor *below = calc_add(c, calc_add(c, above, calc_mul_number(c, t[FN], floating(beta2))), t[FP]);
      return metric_safe_divide(c, above, below, zero);
    }
  }
}

static ctorch_tensor *weighted_scores(
    struct calculation *c,
    const struct classification *self,
    ctorch_tensor *all,
    ctorch_tensor *const *t,
    int64_t dim) {
  const int64_t last = -1;
  ctorch_tensor *weight = calc_add(c, t[TP], t[FN]);
  bool for_each = self->counting.samplewise && self->counting.task == TASK_MULTICLASS;
  ctorch_tensor *sum = for_each ? calc_sum_dims(c, weight, &last, 1, true) : calc_sum(c, weight);
  ctorch_tensor *share = calc_unsqueeze(c, calc_div(c, weight, sum), -1);
  return calc_sum_dim(c, calc_mul(c, all, share), dim);
}

static ctorch_tensor *stat_scores(struct calculation *c, const struct classification *self, ctorch_tensor *const *t) {
  const int64_t dim = self->counting.samplewise ? 1 : 0;
  const ctorch_tensor *const five[] = {t[TP], t[FP], t[TN], t[FN], calc_add(c, t[TP], t[FN])};
  if (c->error != NULL) {
    return NULL;
  }
  ctorch_tensor *all = calc_stack(c, five, 5, self->counting.task == TASK_BINARY ? dim : -1);
  if (self->counting.task == TASK_BINARY) {
    return calc_squeeze_all(c, all);
  }
  switch (self->average) {
    case AVERAGE_MICRO:
      return calc_sum_dim(c, all, dim);
    case AVERAGE_MACRO:
      return calc_mean_dim(c, calc_to(c, all, CTORCH_DTYPE_FLOAT32), dim);
    case AVERAGE_WEIGHTED:
      return weighted_scores(c, self, all, t, dim);
    default:
      return all;
  }
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct classification *self = (const struct classification *)metric;
  ctorch_tensor *t[STATES] = {NULL};
  for (size_t i = 0; i < STATES; i++) {
    t[i] = metric_state(c, metric, i);
  }
  if (self->measure == STAT_SCORES) {
    return metric_result(c, stat_scores(c, self, t));
  }
  if (self->average == AVERAGE_MICRO) {
    for (size_t i = 0; i < STATES; i++) {
      t[i] = calc_sum_dim(c, t[i], self->counting.samplewise ? 1 : 0);
    }
  }
  ctorch_tensor *score = score_of(c, self, t);
  bool is_one = self->average == AVERAGE_BINARY || self->average == AVERAGE_MICRO;
  return metric_result(c, is_one ? score : averaged(c, self, score, t));
}

/* Making ----------------------------------------------------------------------------------------------------------- */

static void check_arguments(ctorch_error **error, const char *function, const struct classification *given) {
  const struct counting *counting = &given->counting;
  const bool is_multiclass = counting->task == TASK_MULTICLASS;
  if (is_multiclass && counting->classes == 0) {
    if (*error == NULL && given->average != AVERAGE_MICRO) {
      *error =
          error_make(function, CTORCH_ERROR_VALUE, "Argument `num_classes` can only be `None` for `average='micro'`.");
    }
  } else if (counting->task != TASK_BINARY) {
    check_classes(error, function, is_multiclass ? "num_classes" : "num_labels", counting->classes);
  }
  if (*error == NULL && is_multiclass && counting->top_k < 1) {
    *error = error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `top_k` to be at least 1, but got %" PRId64, counting->top_k);
  }
  if (*error == NULL && is_multiclass && counting->top_k > (counting->classes > 0 ? counting->classes : 1)) {
    *error = error_make(
        function, CTORCH_ERROR_VALUE,
        "Expected argument `top_k` to be smaller or equal to `num_classes` but got %" PRId64 " and %" PRId64,
        counting->top_k, counting->classes);
  }
  check_threshold(error, function, counting->threshold);
  check_zero_division(error, function, given->zero_division);
  if (*error == NULL && !(given->beta > 0)) {
    *error = error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `beta` to be a float larger than 0, but got %g.", given->beta);
  }
}

static ctorch_error *make(
    const char *function,
    ctorch_metric **out,
    const metric_class *class,
    const struct classification *given,
    const char *multidim_average,
    const char *average) {
  ctorch_error *error = NULL;
  struct classification checked = *given;
  checked.counting.samplewise =
      metric_choice(&error, function, "multidim_average", multidim_average, MULTIDIM_AVERAGES) == 1;
  checked.average =
      average == NULL ? AVERAGE_BINARY : (enum average)metric_choice(&error, function, "average", average, AVERAGES);
  check_arguments(&error, function, &checked);
  struct classification *self = error == NULL ? metric_new(class) : NULL;
  if (error != NULL || self == NULL) {
    return metric_give(function, out, NULL, error);
  }
  struct counting *counting = &self->counting;
  counting->task = given->counting.task;
  counting->classes = given->counting.classes;
  counting->top_k = given->counting.top_k;
  counting->threshold = given->counting.threshold;
  counting->ignore_index = given->counting.ignore_index;
  counting->has_ignore = given->counting.has_ignore;
  counting->validates = given->counting.validates;
  counting->samplewise = checked.counting.samplewise;
  counting->micro = counting->task == TASK_MULTICLASS && checked.average == AVERAGE_MICRO;
  self->measure = given->measure;
  self->average = checked.average;
  self->beta = given->beta;
  self->zero_division = given->zero_division;
  bool is_one = counting->task == TASK_BINARY || (counting->micro && counting->top_k == 1);
  for (int i = 0; i < STATES; i++) {
    if (counting->samplewise) {
      metric_add_list(&error, &self->metric, NAMES[i]);
    } else {
      metric_add_state(
          &error, &self->metric, NAMES[i], METRIC_SUM, CTORCH_DTYPE_INT64, 0,
          CTORCH_INTS(is_one ? 1 : counting->classes));
    }
  }
  return metric_give(function, out, &self->metric, error);
}

#define IGNORED                                                               \
  .ignore_index = options->ignore_index == NULL ? 0 : *options->ignore_index, \
  .has_ignore = options->ignore_index != NULL, .validates = options->validate_args

#define CLASS_OF(name_)                               \
  static const metric_class class = {                 \
      .object = METRIC_OBJECT(struct classification), \
      .name = name_,                                  \
      .update = update,                               \
      .compute = compute,                             \
      .shared_size = sizeof(struct counting)}

/* The three metrics of a measure: `classes` is the expression for the number of classes, the others for arguments. */
#define STAT_SCORES_OF(Name, which, classes_, beta_, zero_)                                                  \
  ctorch_error *metrics_Binary##Name(                                                                        \
      const char *function, ctorch_metric **out, const struct metrics_Binary##Name##_options *options) {     \
    CLASS_OF("Binary" #Name);                                                                                \
    return make(                                                                                             \
        function, out, &class,                                                                               \
        &(const struct classification){                                                                      \
            .counting = {.task = TASK_BINARY, .top_k = 1, .threshold = options->threshold, IGNORED},         \
            .measure = which,                                                                                \
            .beta = beta_,                                                                                   \
            .zero_division = zero_},                                                                         \
        options->multidim_average, NULL);                                                                    \
  }                                                                                                          \
  ctorch_error *metrics_Multiclass##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_Multiclass##Name##_options *options) { \
    CLASS_OF("Multiclass" #Name);                                                                            \
    return make(                                                                                             \
        function, out, &class,                                                                               \
        &(const struct classification){                                                                      \
            .counting = {.task = TASK_MULTICLASS, .classes = classes_, .top_k = options->top_k, IGNORED},    \
            .measure = which,                                                                                \
            .beta = beta_,                                                                                   \
            .zero_division = zero_},                                                                         \
        options->multidim_average, options->average);                                                        \
  }                                                                                                          \
  ctorch_error *metrics_Multilabel##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_Multilabel##Name##_options *options) { \
    CLASS_OF("Multilabel" #Name);                                                                            \
    return make(                                                                                             \
        function, out, &class,                                                                               \
        &(const struct classification){                                                                      \
            .counting =                                                                                      \
                {.task = TASK_MULTILABEL,                                                                    \
                 .classes = options->num_labels,                                                             \
                 .top_k = 1,                                                                                 \
                 .threshold = options->threshold,                                                            \
                 IGNORED},                                                                                   \
            .measure = which,                                                                                \
            .beta = beta_,                                                                                   \
            .zero_division = zero_},                                                                         \
        options->multidim_average, options->average);                                                        \
  }

/* What is below 1 is refused, 0 stands for none. */
static int64_t or_none(const int64_t *classes) { return classes == NULL ? 0 : *classes == 0 ? -1 : *classes; }

STAT_SCORES_OF(StatScores, STAT_SCORES, or_none(options->num_classes), 1, 0)
STAT_SCORES_OF(Accuracy, ACCURACY, or_none(options->num_classes), 1, 0)
STAT_SCORES_OF(Specificity, SPECIFICITY, or_none(options->num_classes), 1, 0)
STAT_SCORES_OF(Precision, PRECISION, or_none(options->num_classes), 1, options->zero_division)
STAT_SCORES_OF(Recall, RECALL, or_none(options->num_classes), 1, options->zero_division)
STAT_SCORES_OF(F1Score, F_BETA, or_none(&options->num_classes), 1, options->zero_division)
STAT_SCORES_OF(FBetaScore, F_BETA, or_none(&options->num_classes), options->beta, options->zero_division)
