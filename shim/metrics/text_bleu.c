/* BLEU (Papineni et al. 2002): n-grams of texts that are those of references. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "constructors/metrics.h"
#include "core/c/error.h"
#include "metrics/text_inputs.h"
#include "metrics/words.h"

enum { PREDS_LEN, TARGET_LEN, NUMERATOR, DENOMINATOR };
enum { MOST_WORDS = 64 };

struct bleu {
  ctorch_metric metric;
  int64_t n_gram;
  bool smooth;
  double weights[MOST_WORDS];
};

/* Sums over texts, of n-grams by their length. */
struct sums {
  double preds, target, found[MOST_WORDS], all[MOST_WORDS];
};

/* Words of a text, and n-grams of the length that is looked at. */
struct sentence {
  struct words words, grams;
};

static void sentence_end(struct sentence *self) {
  words_end(&self->words);
  words_end(&self->grams);
}

static void lengthen(struct lexicon *lexicon, struct sentence *sentence, size_t order) {
  struct words longer =
      words_extended(lexicon, order == 1 ? &sentence->words : &sentence->grams, &sentence->words, order);
  words_end(&sentence->grams);
  sentence->grams = longer;
}

/* How many n-grams of the prediction are those of a reference: of each as many as any of these has. */
static double common(struct lexicon *lexicon, const struct sentence *sentences, size_t len) {
  double found = 0;
  int64_t *of_pred = words_counts(lexicon, &sentences[0].grams, lexicon->len);
  int64_t *most = calloc(lexicon->len + 1, sizeof *most);
  for (size_t i = 1; of_pred != NULL && most != NULL && i < len; i++) {
    int64_t *counts = words_counts(lexicon, &sentences[i].grams, lexicon->len);
    for (size_t j = 0; counts != NULL && j < lexicon->len; j++) {
      most[j] = counts[j] > most[j] ? counts[j] : most[j];
    }
    free(counts);
  }
  for (size_t j = 0; of_pred != NULL && most != NULL && j < lexicon->len; j++) {
    found += (double)(of_pred[j] < most[j] ? of_pred[j] : most[j]);
  }
  lexicon->has_failed = lexicon->has_failed || most == NULL;
  free(of_pred);
  free(most);
  return found;
}

/* The length of the reference that is closest to that of the prediction, the first of several. */
static size_t closest(const struct sentence *sentences, size_t len) {
  size_t found = 1, least = SIZE_MAX;
  for (size_t i = 1; i < len; i++) {
    const size_t a = sentences[0].words.len, b = sentences[i].words.len, difference = a > b ? a - b : b - a;
    if (difference < least) {
      least = difference;
      found = i;
    }
  }
  return sentences[found].words.len;
}

/* The prediction comes first, then the references; numbers of words and n-grams are those of this one comparison. */
static void count_sentences(
    struct calculation *c,
    const struct bleu *self,
    struct sums *sums,
    const struct input_text *pred,
    const struct input_texts *target) {
  const size_t len = target->len + 1;
  struct lexicon lexicon = {0};
  struct sentence *sentences = calloc(len, sizeof *sentences);
  lexicon.has_failed = sentences == NULL;
  for (size_t i = 0; sentences != NULL && i < len; i++) {
    const struct input_text *text = i == 0 ? pred : &target->data[i - 1];
    sentences[i].words = words_split(&lexicon, text->data, text->len);
  }
  for (size_t order = 1; !lexicon.has_failed && order <= (size_t)self->n_gram; order++) {
    for (size_t i = 0; i < len; i++) {
      lengthen(&lexicon, &sentences[i], order);
    }
    sums->found[order - 1] += common(&lexicon, sentences, len);
    sums->all[order - 1] += (double)sentences[0].grams.len;
  }
  if (!lexicon.has_failed) {
    sums->preds += (double)sentences[0].words.len;
    sums->target += (double)closest(sentences, len);
  }
  for (size_t i = 0; sentences != NULL && i < len; i++) {
    sentence_end(&sentences[i]);
  }
  free(sentences);
  calc_fail_with(c, lexicon_end(c->function, &lexicon));
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct bleu *self = (const struct bleu *)metric;
  struct calculation *c = &batch->c;
  struct input_texts preds = {0};
  struct input_references target = {0};
  struct sums sums = {0};
  input_referenced_read(batch, metric, &preds, &target);
  for (size_t i = 0; c->error == NULL && i < preds.len; i++) {
    count_sentences(c, self, &sums, &preds.data[i], &target.data[i]);
  }
  input_texts_end(&preds);
  input_references_end(&target);
  const ctorch_tensor *like = metric->states[0].value;
  batch->counts[PREDS_LEN] = calc_float(c, sums.preds, metric->dtype, like);
  batch->counts[TARGET_LEN] = calc_float(c, sums.target, metric->dtype, like);
  batch->counts[NUMERATOR] = calc_doubles(c, sums.found, (size_t)self->n_gram, metric->dtype, like);
  batch->counts[DENOMINATOR] = calc_doubles(c, sums.all, (size_t)self->n_gram, metric->dtype, like);
}

static ctorch_tensor *precisions(
    struct calculation *c, const struct bleu *self, ctorch_tensor *numerator, ctorch_tensor *denominator) {
  ctorch_tensor *plain = calc_div(c, numerator, denominator);
  if (!self->smooth) {
    return plain;
  }
  ctorch_tensor *smooth =
      calc_div(c, calc_add_number(c, numerator, whole(1)), calc_add_number(c, denominator, whole(1)));
  ctorch_tensor *parts[] = {calc_slice(c, plain, 0, 0, 1), calc_slice(c, smooth, 0, 1, self->n_gram)};
  return calc_cat_all(c, parts, 2);
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  const struct bleu *self = (const struct bleu *)metric;
  ctorch_tensor *preds = metric_state(c, metric, PREDS_LEN), *target = metric_state(c, metric, TARGET_LEN);
  ctorch_tensor *numerator = metric_state(c, metric, NUMERATOR);
  if (calc_number(c, calc_min(c, numerator)) == 0) {
    return metric_result(c, calc_float(c, 0, CTORCH_DTYPE_FLOAT32, numerator));
  }
  ctorch_tensor *logs = calc_log(c, precisions(c, self, numerator, metric_state(c, metric, DENOMINATOR)));
  ctorch_tensor *weights = calc_doubles(c, self->weights, (size_t)self->n_gram, CTORCH_DTYPE_FLOAT32, numerator);
  ctorch_tensor *mean = calc_exp(c, calc_sum(c, calc_mul(c, weights, logs)));
  if (calc_number(c, preds) > calc_number(c, target)) {
    return metric_result(c, mean);
  }
  ctorch_tensor *penalty = calc_exp(c, calc_number_sub(c, whole(1), calc_div(c, target, preds)));
  return metric_result(c, calc_mul(c, penalty, mean));
}

ctorch_error *metrics_BLEUScore(
    const char *function, ctorch_metric **out, const struct metrics_BLEUScore_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct bleu),
      .name = "BLEUScore",
      .update = update,
      .compute = compute,
      .takes_values = true};
  const int64_t n_gram = options->n_gram;
  ctorch_error *error = NULL;
  if (n_gram < 1 || n_gram > MOST_WORDS) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Expected argument `n_gram` to be 1 to %d, but got %" PRId64, MOST_WORDS, n_gram);
  }
  if (options->weights != NULL && options->weights_len != (uint64_t)n_gram) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "List of weights has different weights than `n_gram`: %zu != %" PRId64,
        options->weights_len, n_gram);
  }
  struct bleu *self = metric_new(&class);
  if (self != NULL) {
    self->n_gram = n_gram;
    self->smooth = options->smooth;
    for (int64_t i = 0; i < n_gram; i++) {
      self->weights[i] = options->weights != NULL ? options->weights[i] : 1.0 / (double)n_gram;
    }
    ctorch_metric *metric = &self->metric;
    metric_add_state(&error, metric, "preds_len", METRIC_SUM, metric->dtype, 0, NULL, 0);
    metric_add_state(&error, metric, "target_len", METRIC_SUM, metric->dtype, 0, NULL, 0);
    metric_add_state(&error, metric, "numerator", METRIC_SUM, metric->dtype, 0, &n_gram, 1);
    metric_add_state(&error, metric, "denominator", METRIC_SUM, metric->dtype, 0, &n_gram, 1);
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}
