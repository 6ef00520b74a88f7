/* Losses with their reduction by name: torch.nn.functional. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sequence.h"
#include "constructors/functional.h"
#include "core/c/error.h"

/* As operators number them. */
enum reduction { REDUCTION_NONE, REDUCTION_MEAN, REDUCTION_SUM };

static ctorch_error *reduction_of(const char *function, int64_t *out, const char *name) {
  static const char *const names[] = {"none", "mean", "sum"};
  for (int64_t i = 0; i < 3; i++) {
    if (strcmp(name, names[i]) == 0) {
      *out = i;
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_VALUE, "reduction must be none, mean or sum, got '%s'", name);
}

static bool same_sizes(const ctorch_tensor *a, const ctorch_tensor *b) {
  int64_t ndim = ctorch_tensor_ndim(a);
  return ndim == ctorch_tensor_ndim(b) &&
         (ndim == 0 || memcmp(ctorch_tensor_sizes(a), ctorch_tensor_sizes(b), (size_t)ndim * sizeof(int64_t)) == 0);
}

/* Put a result in the place of what it was made from, which is given up; without a result the place stays. */
static void replace(ctorch_tensor **place, ctorch_tensor *result) {
  if (result != NULL) {
    ctorch_tensor_release(*place);
    *place = result;
  }
}

/* What a function gives: `loss`, or nothing if there was an error. `loss` is consumed. */
static ctorch_error *give(ctorch_tensor **out, ctorch_tensor *loss, ctorch_error *error) {
  if (error != NULL) {
    ctorch_tensor_release(loss);
    return error;
  }
  *out = loss;
  return NULL;
}

/* The losses of elements as one, or as they are; `error` is what came of making them. `loss` is consumed. */
static ctorch_error *reduce(ctorch_tensor **out, ctorch_tensor *loss, int64_t reduction, ctorch_error *error) {
  ctorch_tensor *reduced = NULL;
  if (error == NULL && reduction == REDUCTION_MEAN) {
    error = ctorch_aten_mean(&reduced, loss, NULL);
  }
  if (error == NULL && reduction == REDUCTION_SUM) {
    error = ctorch_aten_sum(&reduced, loss, NULL);
  }
  replace(&loss, reduced);
  return give(out, loss, error);
}

/* Two tensors of the same sizes, which are those of an operand of each. */
struct pair {
  ctorch_tensor *input, *target;
};

static void pair_release(struct pair *self) {
  ctorch_tensor_release(self->input);
  ctorch_tensor_release(self->target);
}

static ctorch_error *broadcast(struct pair *pair, const ctorch_tensor *input, const ctorch_tensor *target) {
  ctorch_tensor_list *list = NULL;
  CTORCH_TRY(ctorch_aten_broadcast_tensors(&list, (const ctorch_tensor *[]){input, target}, 2));
  ctorch_error *error = ctorch_tensor_list_get(&pair->input, list, 0);
  THEN(error, ctorch_tensor_list_get(&pair->target, list, 1));
  ctorch_tensor_list_release(list);
  return error;
}

/* Input and target of a loss that Python broadcasts, with a warning if that changes anything. */
static ctorch_error *broadcast_with_warning(
    struct pair *pair, const ctorch_tensor *input, const ctorch_tensor *target) {
  if (!same_sizes(input, target)) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "target has other sizes than input: the two are broadcast, which may not be what is meant"));
  }
  return broadcast(pair, input, target);
}

/* Differences, as they are (|x|) or squared. */
static ctorch_error *differences(ctorch_tensor **out, const struct pair *pair, bool squared) {
  const ctorch_scalar two = whole(2);
  ctorch_tensor *difference = NULL;
  CTORCH_TRY(ctorch_aten_sub_Tensor(&difference, pair->input, pair->target, NULL));
  ctorch_error *error =
      squared ? ctorch_aten_pow_Tensor_Scalar(out, difference, &two) : ctorch_aten_abs(out, difference);
  ctorch_tensor_release(difference);
  return error;
}

/* The losses of elements (consumed) times their weights; "mean" divides by the sum of these, or by their number. */
static ctorch_error *reduce_weighted(
    ctorch_tensor **out, ctorch_tensor *loss, const ctorch_tensor *weight, int64_t reduction, bool by_weight) {
  ctorch_tensor *weighted = NULL, *sum = NULL, *weights = NULL;
  ctorch_error *error = ctorch_aten_mul_Tensor(&weighted, loss, weight);
  ctorch_tensor_release(loss);
  if (!by_weight || reduction != REDUCTION_MEAN) {
    return reduce(out, weighted, reduction, error);
  }
  THEN(error, ctorch_aten_sum(&sum, weighted, NULL));
  ctorch_tensor_release(weighted);
  THEN(error, ctorch_aten_sum(&weights, weight, NULL));
  THEN(error, ctorch_aten_div_Tensor(out, sum, weights));
  ctorch_tensor_release(sum);
  ctorch_tensor_release(weights);
  return error;
}

static ctorch_error *check_weight(const char *function, const ctorch_tensor *weight, const ctorch_tensor *input) {
  return weight == NULL || same_sizes(weight, input)
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "weight must have the sizes of input");
}

/* l1_loss and mse_loss. */
static ctorch_error *difference_loss(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *target,
    const char *reduction_name,
    const ctorch_tensor *weight,
    bool squared) {
  int64_t reduction = 0;
  struct pair pair = {0};
  ctorch_tensor *loss = NULL;
  CTORCH_TRY(reduction_of(function, &reduction, reduction_name));
  CTORCH_TRY(check_weight(function, weight, input));
  ctorch_error *error = broadcast_with_warning(&pair, input, target);
  if (error == NULL && weight != NULL) {
    error = differences(&loss, &pair, squared);
  } else if (error == NULL) {
    error = squared ? ctorch_aten_mse_loss(&loss, pair.input, pair.target, reduction)
                    : ctorch_aten_l1_loss(&loss, pair.input, pair.target, reduction);
  }
  pair_release(&pair);
  if (error == NULL && weight != NULL) {
    return reduce_weighted(out, loss, weight, reduction, true);
  }
  return give(out, loss, error);
}

ctorch_error *functional_l1_loss(
    const char *function, ctorch_tensor **out, const struct functional_l1_loss_options *options) {
  return difference_loss(function, out, options->input, options->target, options->reduction, options->weight, false);
}

ctorch_error *functional_mse_loss(
    const char *function, ctorch_tensor **out, const struct functional_mse_loss_options *options) {
  return difference_loss(function, out, options->input, options->target, options->reduction, options->weight, true);
}

ctorch_error *functional_smooth_l1_loss(
    const char *function, ctorch_tensor **out, const struct functional_smooth_l1_loss_options *options) {
  int64_t reduction = 0;
  struct pair pair = {0};
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  ctorch_error *error = broadcast_with_warning(&pair, options->input, options->target);
  THEN(
      error, options->beta == 0 ? ctorch_aten_l1_loss(out, pair.input, pair.target, reduction)
                                : ctorch_aten_smooth_l1_loss(out, pair.input, pair.target, reduction, options->beta));
  pair_release(&pair);
  return error;
}

ctorch_error *functional_huber_loss(
    const char *function, ctorch_tensor **out, const struct functional_huber_loss_options *options) {
  int64_t reduction = 0;
  struct pair pair = {0};
  ctorch_tensor *loss = NULL;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  CTORCH_TRY(check_weight(function, options->weight, options->input));
  ctorch_error *error = broadcast_with_warning(&pair, options->input, options->target);
  THEN(
      error, ctorch_aten_huber_loss(
                 &loss, pair.input, pair.target, options->weight == NULL ? reduction : REDUCTION_NONE, options->delta));
  pair_release(&pair);
  if (error == NULL && options->weight != NULL) {
    return reduce_weighted(out, loss, options->weight, reduction, false);
  }
  return give(out, loss, error);
}

ctorch_error *functional_nll_loss(
    const char *function, ctorch_tensor **out, const struct functional_nll_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_nll_loss_nd(
      out, options->input, options->target, options->weight, reduction, options->ignore_index);
}

ctorch_error *functional_cross_entropy(
    const char *function, ctorch_tensor **out, const struct functional_cross_entropy_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_cross_entropy_loss(
      out, options->input, options->target, options->weight, reduction, options->ignore_index,
      options->label_smoothing);
}

ctorch_error *functional_kl_div(
    const char *function, ctorch_tensor **out, const struct functional_kl_div_options *options) {
  bool by_batch = strcmp(options->reduction, "batchmean") == 0;
  int64_t reduction = REDUCTION_SUM;
  if (!by_batch) {
    CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  }
  if (reduction == REDUCTION_MEAN) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "reduction 'mean' divides by the number of elements, and the definition by the size of the batch: "
        "'batchmean'"));
  }
  ctorch_tensor *loss = NULL, *divided = NULL;
  ctorch_error *error = ctorch_aten_kl_div(&loss, options->input, options->target, reduction, options->log_target);
  if (error == NULL && by_batch && ctorch_tensor_ndim(options->input) > 0) {
    const ctorch_scalar batch = whole(ctorch_tensor_sizes(options->input)[0]);
    error = ctorch_aten_div_Scalar(&divided, loss, &batch);
  }
  replace(&loss, divided);
  return give(out, loss, error);
}

ctorch_error *functional_poisson_nll_loss(
    const char *function, ctorch_tensor **out, const struct functional_poisson_nll_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_poisson_nll_loss(
      out, options->input, options->target, options->log_input, options->full, options->eps, reduction);
}

/* What gaussian_nll_loss wants to know but the variance. */
struct gaussian {
  const ctorch_tensor *input, *target;
  bool full;
  double eps;
  const char *reduction;
};

static ctorch_error *refuse_negative(const char *function) {
  return error_make(function, CTORCH_ERROR_VALUE, "var must not be negative");
}

static ctorch_error *check_variances(const char *function, const ctorch_tensor *var) {
  const ctorch_scalar zero = whole(0);
  ctorch_tensor *negative = NULL, *any = NULL;
  bool found = false;
  ctorch_error *error = ctorch_aten_lt_Scalar(&negative, var, &zero);
  THEN(error, ctorch_aten_any(&any, negative));
  THEN(error, ctorch_tensor_item_bool(&found, any));
  ctorch_tensor_release(negative);
  ctorch_tensor_release(any);
  return error == NULL && found ? refuse_negative(function) : error;
}

/* The variances as they go with the input: a view if its last dimension has one for all, NULL if they fit. */
static ctorch_error *fit_variances(
    const char *function, ctorch_tensor **out, const ctorch_tensor *var, const ctorch_tensor *input) {
  const int64_t *sizes = ctorch_tensor_sizes(input), *own = ctorch_tensor_sizes(var);
  int64_t ndim = ctorch_tensor_ndim(input), own_ndim = ctorch_tensor_ndim(var), differing = 0;
  int64_t shared = own_ndim < ndim ? own_ndim : ndim;
  bool differs = false;
  for (int64_t i = 0; i < shared; i++) {
    differing += own[i] == sizes[i] ? 0 : own[i];
    differs = differs || own[i] != sizes[i];
  }
  if (ndim == own_ndim + 1 && !differs) {
    return ctorch_aten_unsqueeze(out, var, -1);
  }
  if (ndim != own_ndim || (differs && differing != 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "var must have the sizes of input, or 1 for one, or no last one");
  }
  *out = NULL;
  return NULL;
}

/* A copy, `eps` at least, whose gradient is the whole one all the same. */
static ctorch_error *limit_variances(ctorch_tensor **out, const ctorch_tensor *var, double eps) {
  const ctorch_scalar least = floating(eps);
  CTORCH_TRY(ctorch_aten_clone(out, var, NULL));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_clamp_(*out, &least, NULL);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* 0.5 * (log(var) + (input - target)² / var). */
static ctorch_error *gaussian_terms(ctorch_tensor **out, const struct gaussian *terms, const ctorch_tensor *var) {
  const ctorch_scalar half = floating(0.5);
  ctorch_tensor *log = NULL, *square = NULL, *quotient = NULL, *sum = NULL;
  struct pair pair = {(ctorch_tensor *)terms->input, (ctorch_tensor *)terms->target};
  ctorch_error *error = ctorch_aten_log(&log, var);
  THEN(error, differences(&square, &pair, true));
  THEN(error, ctorch_aten_div_Tensor(&quotient, square, var));
  ctorch_tensor_release(square);
  THEN(error, ctorch_aten_add_Tensor(&sum, log, quotient, NULL));
  ctorch_tensor_release(log);
  ctorch_tensor_release(quotient);
  THEN(error, ctorch_aten_mul_Scalar(out, sum, &half));
  ctorch_tensor_release(sum);
  return error;
}

static ctorch_error *gaussian_nll_loss(
    const char *function, ctorch_tensor **out, const struct gaussian *terms, const ctorch_tensor *var) {
  const ctorch_scalar constant = floating(0.5 * log(2 * acos(-1)));
  int64_t reduction = 0;
  ctorch_tensor *fitting = NULL, *limited = NULL, *loss = NULL;
  CTORCH_TRY(reduction_of(function, &reduction, terms->reduction));
  CTORCH_TRY(fit_variances(function, &fitting, var, terms->input));
  ctorch_error *error = limit_variances(&limited, fitting == NULL ? var : fitting, terms->eps);
  ctorch_tensor_release(fitting);
  THEN(error, gaussian_terms(&loss, terms, limited));
  ctorch_tensor_release(limited);
  if (error == NULL && terms->full) {
    error = ctorch_aten_add__Scalar(loss, &constant, NULL);
  }
  return reduce(out, loss, reduction, error);
}

ctorch_error *functional_gaussian_nll_loss(
    const char *function, ctorch_tensor **out, const struct functional_gaussian_nll_loss_options *options) {
  const struct gaussian terms = {options->input, options->target, options->full, options->eps, options->reduction};
  CTORCH_TRY(check_variances(function, options->var));
  return gaussian_nll_loss(function, out, &terms, options->var);
}

ctorch_error *functional_gaussian_nll_loss_number(
    const char *function, ctorch_tensor **out, const struct functional_gaussian_nll_loss_number_options *options) {
  const struct gaussian terms = {options->input, options->target, options->full, options->eps, options->reduction};
  const ctorch_scalar var = floating(options->var);
  ctorch_tensor *ones = NULL, *all = NULL;
  if (options->var < 0) {
    return refuse_negative(function);
  }
  CTORCH_TRY(ctorch_aten_ones_like(&ones, options->input, NULL, NULL, NULL, NULL, NULL));
  ctorch_error *error = ctorch_aten_mul_Scalar(&all, ones, &var);
  ctorch_tensor_release(ones);
  THEN(error, gaussian_nll_loss(function, out, &terms, all));
  ctorch_tensor_release(all);
  return error;
}

static ctorch_error *check_same_sizes(const char *function, const ctorch_tensor *input, const ctorch_tensor *target) {
  return same_sizes(input, target) ? NULL
                                   : error_make(function, CTORCH_ERROR_VALUE, "target must have the sizes of input");
}

ctorch_error *functional_binary_cross_entropy(
    const char *function, ctorch_tensor **out, const struct functional_binary_cross_entropy_options *options) {
  int64_t reduction = 0;
  struct pair weights = {0};
  ctorch_error *error = NULL;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  CTORCH_TRY(check_same_sizes(function, options->input, options->target));
  if (options->weight != NULL) {
    error = broadcast(&weights, options->weight, options->target);
  }
  THEN(error, ctorch_aten_binary_cross_entropy(out, options->input, options->target, weights.input, reduction));
  pair_release(&weights);
  return error;
}

ctorch_error *functional_binary_cross_entropy_with_logits(
    const char *function,
    ctorch_tensor **out,
    const struct functional_binary_cross_entropy_with_logits_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  CTORCH_TRY(check_same_sizes(function, options->input, options->target));
  return ctorch_aten_binary_cross_entropy_with_logits(
      out, options->input, options->target, options->weight, options->pos_weight, reduction);
}

ctorch_error *functional_hinge_embedding_loss(
    const char *function, ctorch_tensor **out, const struct functional_hinge_embedding_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_hinge_embedding_loss(out, options->input, options->target, options->margin, reduction);
}

ctorch_error *functional_cosine_embedding_loss(
    const char *function, ctorch_tensor **out, const struct functional_cosine_embedding_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_cosine_embedding_loss(
      out, options->input1, options->input2, options->target, options->margin, reduction);
}

ctorch_error *functional_margin_ranking_loss(
    const char *function, ctorch_tensor **out, const struct functional_margin_ranking_loss_options *options) {
  int64_t reduction = 0, ndim = ctorch_tensor_ndim(options->input1);
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  if (ndim != ctorch_tensor_ndim(options->input2) || ndim != ctorch_tensor_ndim(options->target)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "input1, input2 and target must have as many dimensions, have %" PRId64 ", %" PRId64 " and %" PRId64, ndim,
        ctorch_tensor_ndim(options->input2), ctorch_tensor_ndim(options->target));
  }
  return ctorch_aten_margin_ranking_loss(
      out, options->input1, options->input2, options->target, options->margin, reduction);
}

ctorch_error *functional_soft_margin_loss(
    const char *function, ctorch_tensor **out, const struct functional_soft_margin_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_soft_margin_loss(out, options->input, options->target, reduction);
}

ctorch_error *functional_multilabel_margin_loss(
    const char *function, ctorch_tensor **out, const struct functional_multilabel_margin_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_multilabel_margin_loss(out, options->input, options->target, reduction);
}

/* factor * log(sigmoid(logits)). The logits are given up once they are not needed. */
static ctorch_error *log_likelihood(ctorch_tensor **out, const ctorch_tensor *factor, ctorch_tensor *logits) {
  ctorch_tensor *log = NULL;
  ctorch_error *error = ctorch_aten_log_sigmoid(&log, logits);
  ctorch_tensor_release(logits);
  THEN(error, ctorch_aten_mul_Tensor(out, factor, log));
  ctorch_tensor_release(log);
  return error;
}

/* -(target * log(sigmoid(input)) + (1 - target) * log(sigmoid(-input))). */
static ctorch_error *label_losses(ctorch_tensor **out, const ctorch_tensor *input, const ctorch_tensor *target) {
  const ctorch_scalar one = whole(1);
  ctorch_tensor *positive = NULL, *negative = NULL, *opposite = NULL, *rest = NULL, *sum = NULL;
  ctorch_tensor_retain(input);
  ctorch_error *error = log_likelihood(&positive, target, (ctorch_tensor *)input);
  THEN(error, ctorch_aten_rsub_Scalar(&rest, target, &one, NULL));
  THEN(error, ctorch_aten_neg(&opposite, input));
  THEN(error, log_likelihood(&negative, rest, opposite));
  ctorch_tensor_release(rest);
  THEN(error, ctorch_aten_add_Tensor(&sum, positive, negative, NULL));
  ctorch_tensor_release(positive);
  ctorch_tensor_release(negative);
  THEN(error, ctorch_aten_neg(out, sum));
  ctorch_tensor_release(sum);
  return error;
}

ctorch_error *functional_multilabel_soft_margin_loss(
    const char *function, ctorch_tensor **out, const struct functional_multilabel_soft_margin_loss_options *options) {
  int64_t reduction = 0, last = ctorch_tensor_ndim(options->input) - 1;
  ctorch_tensor *loss = NULL, *weighted = NULL, *sum = NULL, *mean = NULL;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  if (last < 0) {
    return error_make(function, CTORCH_ERROR_INDEX, "input needs a dimension of classes");
  }
  const ctorch_scalar classes = whole(ctorch_tensor_sizes(options->input)[last]);
  ctorch_error *error = label_losses(&loss, options->input, options->target);
  if (error == NULL && options->weight != NULL) {
    error = ctorch_aten_mul_Tensor(&weighted, loss, options->weight);
    replace(&loss, weighted);
  }
  THEN(error, ctorch_aten_sum_dim_IntList(&sum, loss, &last, 1, false, NULL));
  replace(&loss, sum);
  THEN(error, ctorch_aten_div_Scalar(&mean, loss, &classes));
  replace(&loss, mean);
  return reduce(out, loss, reduction, error);
}

ctorch_error *functional_multi_margin_loss(
    const char *function, ctorch_tensor **out, const struct functional_multi_margin_loss_options *options) {
  const ctorch_scalar p = whole(options->p), margin = floating(options->margin);
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  if (options->p != 1 && options->p != 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "p must be 1 or 2, got %" PRId64, options->p);
  }
  if (options->weight != NULL && ctorch_tensor_ndim(options->weight) != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "weight must have 1 dimension, has %" PRId64,
        ctorch_tensor_ndim(options->weight));
  }
  return ctorch_aten_multi_margin_loss(out, options->input, options->target, &p, &margin, options->weight, reduction);
}

ctorch_error *functional_triplet_margin_loss(
    const char *function, ctorch_tensor **out, const struct functional_triplet_margin_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  if (options->margin <= 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "margin must be positive, got %g", options->margin);
  }
  return ctorch_aten_triplet_margin_loss(
      out, options->anchor, options->positive, options->negative, options->margin, options->p, options->eps,
      options->swap, reduction);
}

ctorch_error *functional_ctc_loss(
    const char *function, ctorch_tensor **out, const struct functional_ctc_loss_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_ctc_loss_Tensor(
      out, options->log_probs, options->targets, options->input_lengths, options->target_lengths, options->blank,
      reduction, options->zero_infinity);
}

ctorch_error *functional_ctc_loss_lengths(
    const char *function, ctorch_tensor **out, const struct functional_ctc_loss_lengths_options *options) {
  int64_t reduction = 0;
  CTORCH_TRY(reduction_of(function, &reduction, options->reduction));
  return ctorch_aten_ctc_loss_IntList(
      out, options->log_probs, options->targets, options->input_lengths, options->input_lengths_len,
      options->target_lengths, options->target_lengths_len, options->blank, reduction, options->zero_infinity);
}
