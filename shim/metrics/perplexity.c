/* Perplexity: the exponential of the mean negative logarithm of the probabilities of what came. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/metric.h"

enum { TOTAL_LOG_PROBS, COUNT };

struct perplexity {
  ctorch_metric metric;
  int64_t ignore_index;
  bool has_ignore;
};

static void check(struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target) {
  if (ctorch_tensor_ndim(preds) != 3 || ctorch_tensor_ndim(target) != 2) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "Input tensor `preds` is expected to have 3 dimensions, [batch_size, seq_len, "
        "vocab_size], and `target` 2, but got %" PRId64 " and %" PRId64,
        ctorch_tensor_ndim(preds), ctorch_tensor_ndim(target));
  } else if (calc_size(preds, 0) != calc_size(target, 0) || calc_size(preds, 1) != calc_size(target, 1)) {
    calc_fail_with(
        c, error_shape(
               c->function, ctorch_tensor_sizes(preds), 2, ctorch_tensor_sizes(target), 2,
               "target: expected the first two sizes of `preds`, [batch_size, seq_len]"));
  } else if (!calc_is_floating(preds)) {
    calc_fail(
        c, CTORCH_ERROR_TYPE, "Input tensor `preds` is expected to be of floating point type but got %s.",
        ctorch_dtype_name(ctorch_tensor_dtype(preds)));
  } else if (ctorch_tensor_dtype(target) != CTORCH_DTYPE_INT64) {
    calc_fail(
        c, CTORCH_ERROR_TYPE, "Input tensor `target` is expected to be of a type torch.int64 but got %s.",
        ctorch_dtype_name(ctorch_tensor_dtype(target)));
  }
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct perplexity *self = (const struct perplexity *)metric;
  struct calculation *c = &batch->c;
  check(c, batch->preds, batch->target);
  if (c->error != NULL) {
    return;
  }
  ctorch_tensor *rows = calc_rows(c, batch->preds, calc_size(batch->preds, 2)), *picked = NULL, *counts = NULL;
  ctorch_tensor *target = calc_flatten(c, batch->target);
  ctorch_tensor *probabilities = calc_softmax(c, rows, 1);
  if (self->has_ignore) {
    counts = calc_differs(c, target, whole(self->ignore_index));
    target = calc_where_number(c, counts, target, whole(0));
  }
  if (c->error != NULL) {
    return;
  }
  const int64_t all = ctorch_tensor_numel(target);
  const ctorch_tensor *const at[] = {calc_arange(c, all, target), target};
  THEN(c->error, ctorch_aten_index_Tensor(&picked, probabilities, at, 2));
  picked = self->has_ignore ? calc_index(c, picked, counts) : picked;
  batch->counts[TOTAL_LOG_PROBS] = calc_neg(c, calc_sum(c, calc_log(c, picked)));
  batch->counts[COUNT] = self->has_ignore ? calc_sum(c, counts) : calc_int(c, all, target);
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  return metric_result(
      c, calc_exp(c, calc_div(c, metric_state(c, metric, TOTAL_LOG_PROBS), metric_state(c, metric, COUNT))));
}

ctorch_error *metrics_Perplexity(
    const char *function, ctorch_metric **out, const struct metrics_Perplexity_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct perplexity), .name = "Perplexity", .update = update, .compute = compute};
  ctorch_error *error = NULL;
  struct perplexity *self = metric_new(&class);
  if (self != NULL) {
    self->has_ignore = options->ignore_index != NULL;
    self->ignore_index = options->ignore_index == NULL ? 0 : *options->ignore_index;
    metric_add_state(&error, &self->metric, "total_log_probs", METRIC_SUM, self->metric.dtype, 0, NULL, 0);
    metric_add_state(&error, &self->metric, "count", METRIC_SUM, self->metric.dtype, 0, NULL, 0);
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}
