/* ROUGE (Lin 2004): n-grams, or longest common subsequences, of texts that are those of references. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/metrics.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "metrics/text_inputs.h"
#include "metrics/words.h"

enum { KEY_L = 10, KEY_LSUM = 11, MOST_KEYS = 11, SCORES = 3 };
enum { F_MEASURE, PRECISION, RECALL };

static const char *const KEYS[] = {"",       "rouge1", "rouge2", "rouge3", "rouge4", "rouge5",
                                   "rouge6", "rouge7", "rouge8", "rouge9", "rougeL", "rougeLsum"};
static const char *const SCORE_NAMES[] = {"fmeasure", "precision", "recall"};

struct rouge {
  ctorch_metric metric;
  int keys[MOST_KEYS]; /* numbers of words, KEY_L or KEY_LSUM */
  size_t keys_len;
  bool is_best;
};

struct scores {
  double of[SCORES];
};

/* The lines of a text, and all of its words. */
struct document {
  struct words words, *lines;
  size_t lines_len;
};

static struct scores scores_of(double found, double pred_len, double target_len) {
  const double precision = found / pred_len, recall = found / target_len;
  if (pred_len == 0 || target_len == 0 || (precision == 0 && recall == 0)) {
    return (struct scores){{0}};
  }
  return (struct scores){{2 * precision * recall / (precision + recall), precision, recall}};
}

/* n-grams ---------------------------------------------------------------------------------------------------------- */

static struct words grams_of(struct lexicon *lexicon, const struct words *words, size_t order) {
  struct words grams = words_extended(lexicon, words, words, 1);
  for (size_t i = 2; i <= order; i++) {
    struct words longer = words_extended(lexicon, &grams, words, i);
    words_end(&grams);
    grams = longer;
  }
  return grams;
}

static struct scores score_grams(
    struct lexicon *lexicon, const struct document *pred, const struct document *target, size_t order) {
  struct words a = grams_of(lexicon, &pred->words, order), b = grams_of(lexicon, &target->words, order);
  int64_t *of_pred = words_counts(lexicon, &a, lexicon->len), *of_target = words_counts(lexicon, &b, lexicon->len);
  int64_t found = 0;
  for (size_t i = 0; of_pred != NULL && of_target != NULL && i < lexicon->len; i++) {
    found += of_pred[i] < of_target[i] ? of_pred[i] : of_target[i];
  }
  struct scores scores = scores_of((double)found, (double)a.len, (double)b.len);
  free(of_pred);
  free(of_target);
  words_end(&a);
  words_end(&b);
  return scores;
}

/* Longest common subsequences -------------------------------------------------------------------------------------- */

/* The table of lengths, a row for each word of the target and one more; NULL is out of memory. */
static int32_t *subsequences(struct lexicon *lexicon, const struct words *pred, const struct words *target) {
  const size_t width = pred->len + 1;
  int32_t *table = lexicon->has_failed ? NULL : calloc((target->len + 1) * width, sizeof *table);
  if (table == NULL) {
    lexicon->has_failed = true;
    return NULL;
  }
  for (size_t i = 1; i <= target->len; i++) {
    for (size_t j = 1; j <= pred->len; j++) {
      const int32_t above = table[(i - 1) * width + j], left = table[i * width + j - 1];
      table[i * width + j] = target->data[i - 1] == pred->data[j - 1] ? table[(i - 1) * width + j - 1] + 1
                             : above > left                           ? above
                                                                      : left;
    }
  }
  return table;
}

static struct scores score_subsequence(
    struct lexicon *lexicon, const struct document *pred, const struct document *target) {
  const size_t a = pred->words.len, b = target->words.len;
  int32_t *table = subsequences(lexicon, &pred->words, &target->words);
  const double found = table == NULL ? 0 : (double)table[b * (a + 1) + a];
  free(table);
  return scores_of(found, (double)a, (double)b);
}

/* Mark which words of the target's line are in the longest common subsequence with a line of the prediction. */
static void mark_common(
    struct lexicon *lexicon, const struct words *pred, const struct words *target, bool *is_common) {
  const size_t width = pred->len + 1;
  int32_t *table = subsequences(lexicon, pred, target);
  size_t i = pred->len, j = target->len;
  while (table != NULL && i > 0 && j > 0) {
    if (pred->data[i - 1] == target->data[j - 1]) {
      is_common[j - 1] = true;
      i--;
      j--;
    } else if (table[j * width + i - 1] > table[(j - 1) * width + i]) {
      i--;
    } else {
      j--;
    }
  }
  free(table);
}

/* How many words of a line are common to the prediction; each counts as often as both have it. */
static double count_line(
    struct lexicon *lexicon,
    const struct document *pred,
    const struct words *line,
    int64_t *of_pred,
    int64_t *of_target) {
  bool *is_common = calloc(line->len + 1, sizeof *is_common);
  double found = 0;
  for (size_t i = 0; is_common != NULL && i < pred->lines_len; i++) {
    mark_common(lexicon, &pred->lines[i], line, is_common);
  }
  for (size_t i = 0; is_common != NULL && i < line->len; i++) {
    const int32_t word = line->data[i];
    if (is_common[i] && of_pred[word] > 0 && of_target[word] > 0) {
      found += 1;
      of_pred[word]--;
      of_target[word]--;
    }
  }
  lexicon->has_failed = lexicon->has_failed || is_common == NULL;
  free(is_common);
  return found;
}

static struct scores score_lines(struct lexicon *lexicon, const struct document *pred, const struct document *target) {
  int64_t *of_pred = words_counts(lexicon, &pred->words, lexicon->len);
  int64_t *of_target = words_counts(lexicon, &target->words, lexicon->len);
  double found = 0;
  for (size_t i = 0; of_pred != NULL && of_target != NULL && i < target->lines_len; i++) {
    found += count_line(lexicon, pred, &target->lines[i], of_pred, of_target);
  }
  free(of_pred);
  free(of_target);
  return scores_of(found, (double)pred->words.len, (double)target->words.len);
}

/* Documents -------------------------------------------------------------------------------------------------------- */

static size_t lines_in(const struct input_text *text) {
  size_t lines = 1;
  for (size_t i = 0; i < text->len; i++) {
    lines += text->data[i] == '\n';
  }
  return lines;
}

static struct document document_of(struct lexicon *lexicon, const struct input_text *text) {
  struct document document = {.words = words_plain(lexicon, text->data, text->len)};
  document.lines = calloc(lines_in(text), sizeof *document.lines);
  lexicon->has_failed = lexicon->has_failed || document.lines == NULL;
  for (size_t begin = 0; document.lines != NULL && begin <= text->len;) {
    const char *line = text->data + begin, *end = memchr(line, '\n', text->len - begin);
    const size_t len = end == NULL ? text->len - begin : (size_t)(end - line);
    document.lines[document.lines_len++] = words_plain(lexicon, line, len);
    begin += len + 1;
  }
  return document;
}

static void document_end(struct document *self) {
  for (size_t i = 0; i < self->lines_len; i++) {
    words_end(&self->lines[i]);
  }
  free(self->lines);
  words_end(&self->words);
}

static struct scores score(
    struct lexicon *lexicon, int key, const struct document *pred, const struct document *target) {
  return key == KEY_L      ? score_subsequence(lexicon, pred, target)
         : key == KEY_LSUM ? score_lines(lexicon, pred, target)
                           : score_grams(lexicon, pred, target, (size_t)key);
}

/* Of several references ------------------------------------------------------------------------------------------- */

static struct scores best_of(const struct scores *scores, size_t len) {
  size_t best = 0;
  for (size_t i = 1; i < len; i++) {
    best = (float)scores[i].of[F_MEASURE] > (float)scores[best].of[F_MEASURE] ? i : best;
  }
  return scores[best];
}

/* By the operator, as Python's float32 tensors have it. */
static struct scores mean_of(
    struct calculation *c, const struct scores *scores, size_t len, const ctorch_tensor *like) {
  struct scores mean = {{0}};
  double *numbers = calloc(len + 1, sizeof *numbers);
  if (numbers == NULL) {
    calc_fail_with(c, error_memory(c->function, len * sizeof *numbers));
  }
  for (int i = 0; numbers != NULL && i < SCORES; i++) {
    for (size_t j = 0; j < len; j++) {
      numbers[j] = scores[j].of[i];
    }
    mean.of[i] = calc_number(c, calc_mean(c, calc_doubles(c, numbers, len, CTORCH_DTYPE_FLOAT32, like)));
  }
  free(numbers);
  return mean;
}

/* The scores of one text, one struct for each key. */
static void score_text(
    struct calculation *c,
    const struct rouge *self,
    struct scores *out,
    const struct input_text *pred,
    const struct input_texts *references,
    const ctorch_tensor *like) {
  struct lexicon lexicon = {0};
  struct document document = document_of(&lexicon, pred);
  struct scores *all = calloc(references->len * self->keys_len + 1, sizeof *all);
  lexicon.has_failed = lexicon.has_failed || all == NULL;
  for (size_t i = 0; !lexicon.has_failed && i < references->len; i++) {
    struct document reference = document_of(&lexicon, &references->data[i]);
    for (size_t key = 0; !lexicon.has_failed && key < self->keys_len; key++) {
      all[key * references->len + i] = score(&lexicon, self->keys[key], &document, &reference);
    }
    document_end(&reference);
  }
  document_end(&document);
  calc_fail_with(c, lexicon_end(c->function, &lexicon));
  for (size_t key = 0; c->error == NULL && key < self->keys_len; key++) {
    const struct scores *of_key = &all[key * references->len];
    out[key] = self->is_best ? best_of(of_key, references->len) : mean_of(c, of_key, references->len, like);
  }
  free(all);
}

/* Updates ---------------------------------------------------------------------------------------------------------- */

/* Counts of the batch: a number for each text. */
static void give(
    struct metric_batch *batch,
    const struct rouge *self,
    const struct scores *scores,
    size_t len,
    const ctorch_tensor *like) {
  struct calculation *c = &batch->c;
  double *numbers = calloc(len + 1, sizeof *numbers);
  if (numbers == NULL) {
    calc_fail_with(c, error_memory(c->function, len * sizeof *numbers));
  }
  for (size_t i = 0; c->error == NULL && i < self->keys_len * SCORES; i++) {
    for (size_t j = 0; j < len; j++) {
      numbers[j] = scores[j * self->keys_len + i / SCORES].of[i % SCORES];
    }
    batch->counts[i] = calc_doubles(c, numbers, len, CTORCH_DTYPE_FLOAT32, like);
  }
  free(numbers);
}

static void update(const ctorch_metric *metric, struct metric_batch *batch) {
  const struct rouge *self = (const struct rouge *)metric;
  struct calculation *c = &batch->c;
  struct input_texts preds = {0};
  struct input_references target = {0};
  input_referenced_read(batch, metric, &preds, &target);
  struct scores *scores = calloc(preds.len * self->keys_len + 1, sizeof *scores);
  if (scores == NULL && c->error == NULL) {
    calc_fail_with(c, error_memory(c->function, preds.len * self->keys_len * sizeof *scores));
  }
  ctorch_tensor *like = NULL;
  THEN(c->error, ctorch_aten_zeros(&like, NULL, 0, NULL, NULL, NULL, NULL));
  for (size_t i = 0; c->error == NULL && i < preds.len; i++) {
    score_text(c, self, &scores[i * self->keys_len], &preds.data[i], &target.data[i], like);
  }
  if (c->error == NULL) {
    give(batch, self, scores, preds.len, like);
  }
  free(scores);
  input_texts_end(&preds);
  input_references_end(&target);
}

static ctorch_value *compute(const ctorch_metric *metric, struct calculation *c) {
  ctorch_value *dict = NULL;
  calc_fail_with(c, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  for (size_t i = 0; c->error == NULL && i < metric->states_len; i++) {
    ctorch_value *mean = metric_result(c, calc_mean(c, metric_state(c, metric, i)));
    THEN(c->error, ctorch_value_dict_put(dict, metric->states[i].name, mean));
  }
  return dict;
}

/* Making ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *add_key(const char *function, struct rouge *self, const char *name) {
  int key = MOST_KEYS;
  while (key > 0 && strcmp(KEYS[key], name) != 0) {
    key--;
  }
  for (size_t i = 0; i < self->keys_len; i++) {
    if (self->keys[i] == key) {
      return NULL;
    }
  }
  if (key == 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Got unknown rouge key %.40s. Expected to be one of rouge1 to rouge9, rougeL, rougeLsum", name);
  }
  self->keys[self->keys_len++] = key;
  return NULL;
}

static ctorch_error *add_key_of(const char *function, struct rouge *self, const ctorch_value *value) {
  const char *name = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "rouge_keys: expected texts, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(ctorch_value_to_string(&name, NULL, value));
  return add_key(function, self, name);
}

static ctorch_error *read_keys(const char *function, struct rouge *self, const ctorch_value *keys) {
  if (keys == NULL || ctorch_value_kind_of(keys) == CTORCH_VALUE_NONE) {
    CTORCH_TRY(add_key(function, self, "rouge1"));
    CTORCH_TRY(add_key(function, self, "rouge2"));
    CTORCH_TRY(add_key(function, self, "rougeL"));
    return add_key(function, self, "rougeLsum");
  }
  if (!value_is_sequence(keys)) {
    return add_key_of(function, self, keys);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, add_key_of(function, self, key));
    ctorch_value_release(key);
  }
  return error;
}

ctorch_error *metrics_ROUGEScore(
    const char *function, ctorch_metric **out, const struct metrics_ROUGEScore_options *options) {
  static const metric_class class = {
      .object = METRIC_OBJECT(struct rouge),
      .name = "ROUGEScore",
      .update = update,
      .compute = compute,
      .takes_values = true};
  static const char *const accumulations[] = {"best", "avg", NULL};
  ctorch_error *error = NULL;
  int accumulation = metric_choice(&error, function, "accumulate", options->accumulate, accumulations);
  if (error == NULL && options->use_stemmer) {
    error = error_make(function, CTORCH_ERROR_UNSUPPORTED, "use_stemmer: there is no stemmer here");
  }
  struct rouge *self = error == NULL ? metric_new(&class) : NULL;
  if (self != NULL) {
    self->is_best = accumulation == 0;
    error = read_keys(function, self, options->rouge_keys);
    for (size_t i = 0; error == NULL && i < self->keys_len * SCORES; i++) {
      char name[32];
      snprintf(name, sizeof name, "%s_%s", KEYS[self->keys[i / SCORES]], SCORE_NAMES[i % SCORES]);
      metric_add_list(&error, &self->metric, name);
    }
  }
  return metric_give(function, out, self == NULL ? NULL : &self->metric, error);
}
