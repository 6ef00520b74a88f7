/* Edits that make targets of predictions, by their length: error rates of words and characters, and what of the
 * information of words is lost or kept (Morris et al. 2004). */
#include "constructors/metrics.h"
#include "metrics/text_inputs.h"
#include "metrics/words.h"

enum measure { WORD_ERRORS, CHAR_ERRORS, MATCH_ERRORS, INFO_LOST, INFO_PRESERVED };

struct error_rate {
  ctorch_metric metric;
  enum measure measure;
};

/* Sums over texts. */
struct sums {
  double edits, preds, target, longer;
};

static void count_pair(
    struct lexicon *lexicon,
    enum measure measure,
    struct sums *sums,
    const struct input_text *pred,
    const struct input_text *target) {
  bool has_characters = measure == CHAR_ERRORS;
  struct words a =
      has_characters ? words_characters(lexicon, pred->data, pred->len) : words_split(lexicon, pred->data, pred->len);
  struct words b = has_characters ? words_characters(lexicon, target->data, target->len)
                                  : words_split(lexicon, target->data, target->len);
  sums->edits += (double)words_edit_distance(lexicon, &a, &b);
  sums->preds += (double)a.len;
  sums->target += (double)b.len;
  sums->longer += (double)(a.len > b.len ? a.len : b.len);
  words_end(&a);
  words_end(&b);
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct error_rate *self = (const struct error_rate *)metric;
  struct calculation *c = &batch->c;
  struct input_texts preds = {0}, target = {0};
  struct lexicon lexicon = {0};
  struct sums sums = {0};
  if (input_pairs_read(batch, metric, &preds, &target)) {
    for (size_t i = 0; i < preds.len; i++) {
      count_pair(&lexicon, self->measure, &sums, &preds.data[i], &target.data[i]);
    }
  }
  calc_fail_with(c, lexicon_end(c->function, &lexicon));
  input_texts_end(&preds);
  input_texts_end(&target);
  if (c->error != NULL) {
    return;
  }
  const ctorch_tensor *like = metric->states[0].value;
  if (self->measure >= INFO_LOST) {
    batch->counts[0] = calc_float(c, sums.edits - sums.longer, metric->dtype, like);
    batch->counts[1] = calc_float(c, sums.target, metric->dtype, like);
    batch->counts[2] = calc_float(c, sums.preds, metric->dtype, like);
  } else {
    double total = self->measure == MATCH_ERRORS ? sums.longer : sums.target;
    batch->counts[0] = calc_float(c, sums.edits, metric->dtype, like);
    batch->counts[1] = calc_float(c, total, metric->dtype, like);
  }
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const enum measure measure = ((const struct error_rate *)metric)->measure;
  ctorch_tensor *errors = metric_state(c, metric, 0), *share = calc_div(c, errors, metric_state(c, metric, 1));
  if (measure < INFO_LOST) {
    return metric_result(c, share);
  }
  ctorch_tensor *kept = calc_mul(c, share, calc_div(c, errors, metric_state(c, metric, 2)));
  return metric_result(c, measure == INFO_LOST ? calc_number_sub(c, whole(1), kept) : kept);
}

static ctorch_error *make(const char *function, ctorch_metric **out, const metric_class *class, enum measure measure) {
  static const char *const rates[] = {"errors", "total", NULL};
  static const char *const infos[] = {"errors", "target_total", "preds_total", NULL};
  const char *const *names = measure >= INFO_LOST ? infos : rates;
  ctorch_error *error = NULL;
  struct error_rate *self = metric_new(class);
  if (self != NULL) {
    self->measure = measure;
    for (size_t i = 0; names[i] != NULL; i++) {
      metric_add_state(&error, &self->metric, names[i], METRIC_SUM, self->metric.dtype, 0, NULL, 0);
    }
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}

#define ERROR_RATE(Name, measure)                                                                  \
  ctorch_error *metrics_##Name(                                                                    \
      const char *function, ctorch_metric **out, const struct metrics_##Name##_options *options) { \
    static const metric_class class = {                                                            \
        .object = METRIC_OBJECT(struct error_rate),                                                \
        .name = #Name,                                                                             \
        .update = update,                                                                          \
        .compute = compute,                                                                        \
        .takes_values = true};                                                                     \
    (void)options;                                                                                 \
    return make(function, out, &class, measure);                                                   \
  }

ERROR_RATE(WordErrorRate, WORD_ERRORS)
ERROR_RATE(CharErrorRate, CHAR_ERRORS)
ERROR_RATE(MatchErrorRate, MATCH_ERRORS)
ERROR_RATE(WordInfoLost, INFO_LOST)
ERROR_RATE(WordInfoPreserved, INFO_PRESERVED)
