/* Histograms in summaries, counted as numpy.histogram does. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "tensorboard/tensor.h"
#include "tensorboard/writer.h"

enum { TENSORFLOW_EDGES = 2 * 774 + 1, MOST_BINS = 1 << 24 };

/* What was counted: `len` bins between `len + 1` edges. */
struct bins {
  double *edges, *counts;
  size_t len;
  bool owns_edges;
};

static void end(struct bins *self) {
  if (self->owns_edges) {
    free(self->edges);
  }
  free(self->counts);
}

static double tensorflow_edges[TENSORFLOW_EDGES];

static void make_tensorflow_edges(void) {
  enum { HALF = TENSORFLOW_EDGES / 2 };
  double edge = 1e-12;
  for (int i = 0; i < HALF; i++, edge *= 1.1) {
    tensorflow_edges[HALF + 1 + i] = edge;
    tensorflow_edges[HALF - 1 - i] = -edge;
  }
}

/* Counting --------------------------------------------------------------------------------------------------------- */

/* The bin of a value, which is `edges[bin] <= value < edges[bin + 1]`, and the last edge too; len for none. Without a
 * branch on the value: that would be mispredicted half the time. */
static size_t find(const struct bins *self, double value) {
  size_t bin = 0;
  if (!(value >= self->edges[0] && value <= self->edges[self->len])) {
    return self->len;
  }
  for (size_t left = self->len; left > 1;) {
    const size_t half = left / 2;
    bin += half & -(size_t)(self->edges[bin + half] <= value);
    left -= half;
  }
  return bin;
}

static ctorch_error *count(const char *function, struct bins *self, const double *values, size_t len) {
  self->counts = calloc(self->len + 1, sizeof *self->counts);
  if (self->counts == NULL) {
    return error_memory(function, (self->len + 1) * sizeof *self->counts);
  }
  for (size_t i = 0; i < len; i++) {
    self->counts[find(self, values[i])]++; /* the one behind the last is nobody's */
  }
  return NULL;
}

/* Rules ------------------------------------------------------------------------------------------------------------ */

struct facts {
  const double *values;
  size_t len;
  double min, max, mean, deviation;
};

static struct facts facts_of(const double *values, size_t len) {
  struct facts self = {values, len, values[0], values[0], 0, 0};
  for (size_t i = 0; i < len; i++) {
    self.min = values[i] < self.min || isnan(values[i]) ? values[i] : self.min;
    self.max = values[i] > self.max || isnan(values[i]) ? values[i] : self.max;
    self.mean += values[i];
  }
  self.mean /= (double)len;
  for (size_t i = 0; i < len; i++) {
    self.deviation += (values[i] - self.mean) * (values[i] - self.mean);
  }
  self.deviation = sqrt(self.deviation / (double)len);
  return self;
}

static int by_size(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* NULL if memory has run out. */
static double *sorted_values(const struct facts *facts) {
  double *sorted = malloc(facts->len * sizeof *sorted);
  if (sorted != NULL) {
    memcpy(sorted, facts->values, facts->len * sizeof *sorted);
    qsort(sorted, facts->len, sizeof *sorted, by_size);
  }
  return sorted;
}

/* How many values are less than an edge. */
static size_t count_below(const double *sorted, size_t len, double edge) {
  size_t below = 0;
  while (below < len) {
    const size_t middle = below + (len - below) / 2;
    if (sorted[middle] < edge) {
      below = middle + 1;
    } else {
      len = middle;
    }
  }
  return below;
}

static double percentile(const double *sorted, size_t len, double share) {
  const double place = share * (double)(len - 1);
  const size_t below = (size_t)place;
  const double part = place - (double)below, low = sorted[below], high = sorted[below + 1 < len ? below + 1 : below];
  return part >= 0.5 ? high - (high - low) * (1 - part) : low + (high - low) * part;
}

static bool width_fd(const struct facts *facts, double *out) {
  double *sorted = sorted_values(facts);
  if (sorted == NULL) {
    return false;
  }
  const double range = percentile(sorted, facts->len, 0.75) - percentile(sorted, facts->len, 0.25);
  *out = 2 * range * pow((double)facts->len, -1.0 / 3.0);
  free(sorted);
  return true;
}

static bool width_sqrt(const struct facts *facts, double *out) {
  *out = (facts->max - facts->min) / sqrt((double)facts->len);
  return true;
}

static bool width_sturges(const struct facts *facts, double *out) {
  *out = (facts->max - facts->min) / (log2((double)facts->len) + 1);
  return true;
}

static bool width_rice(const struct facts *facts, double *out) {
  *out = (facts->max - facts->min) / (2 * pow((double)facts->len, 1.0 / 3.0));
  return true;
}

static bool width_scott(const struct facts *facts, double *out) {
  const double pi = 3.14159265358979323846;
  *out = pow(24.0 * sqrt(pi) / (double)facts->len, 1.0 / 3.0) * facts->deviation;
  return true;
}

static bool width_doane(const struct facts *facts, double *out) {
  const double n = (double)facts->len;
  *out = 0;
  if (facts->len > 2 && facts->deviation > 0) {
    double skew = 0;
    for (size_t i = 0; i < facts->len; i++) {
      skew += pow((facts->values[i] - facts->mean) / facts->deviation, 3);
    }
    skew = fabs(skew / n) / sqrt(6 * (n - 2) / ((n + 1) * (n + 3)));
    *out = (facts->max - facts->min) / (1 + log2(n) + log2(1 + skew));
  }
  return true;
}

/* How far bins of one width would be from what the values were drawn from, as each value says of the others (Stone
 * 1984). `sorted` ascends. */
static double estimated_error(const struct facts *facts, const double *sorted, size_t bins) {
  const double n = (double)facts->len, step = (facts->max - facts->min) / (double)bins;
  double squares = 0;
  for (size_t bin = 0, begin = 0; bin < bins; bin++) {
    const double edge = (double)(bin + 1) * step + facts->min;
    const size_t end = bin + 1 < bins ? begin + count_below(sorted + begin, facts->len - begin, edge) : facts->len;
    const double share = (double)(end - begin) / n;
    squares += share * share;
    begin = end;
  }
  return (2 - (n + 1) * squares) / step;
}

static bool width_stone(const struct facts *facts, double *out) {
  const double range = facts->max - facts->min, root = sqrt((double)facts->len);
  const size_t most = root > 100 ? (size_t)root : 100;
  size_t best = 1;
  *out = 0;
  if (facts->len <= 1 || range == 0) {
    return true;
  }
  double *sorted = sorted_values(facts);
  if (sorted == NULL) {
    return false;
  }
  double least = estimated_error(facts, sorted, 1);
  for (size_t bins = 2; bins <= most; bins++) {
    const double error = estimated_error(facts, sorted, bins);
    best = error < least ? bins : best;
    least = error < least ? error : least;
  }
  free(sorted);
  *out = range / (double)best;
  return true;
}

static bool width_auto(const struct facts *facts, double *out) {
  double fd = 0, sturges = 0, root = 0;
  if (!width_fd(facts, &fd) || !width_sturges(facts, &sturges) || !width_sqrt(facts, &root)) {
    return false;
  }
  *out = fmin(fmax(fd, root / 2), sturges);
  return true;
}

static const struct {
  const char *name;
  bool (*width)(const struct facts *facts, double *out); /* of a bin; false if memory has run out */
} RULES[] = {
    {"auto", width_auto},   {"doane", width_doane}, {"fd", width_fd},       {"rice", width_rice},
    {"scott", width_scott}, {"sqrt", width_sqrt},   {"stone", width_stone}, {"sturges", width_sturges},
};

/* How many bins a text says. */
static ctorch_error *number_of_bins(const char *function, const char *bins, const struct facts *facts, size_t *out) {
  double width = 0;
  char *rest = NULL;
  const long long number = strtoll(bins, &rest, 10);
  if (bins[0] >= '0' && bins[0] <= '9' && *rest == '\0' && number >= 1 && number <= MOST_BINS) {
    *out = (size_t)number;
    return NULL;
  }
  for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
    if (strcmp(RULES[i].name, bins) != 0) {
      continue;
    }
    if (!RULES[i].width(facts, &width)) {
      return error_memory(function, facts->len * sizeof(double));
    }
    const double wanted = width > 0 ? ceil((facts->max - facts->min) / width) : 1;
    if (!(wanted <= MOST_BINS)) {
      return error_make(function, CTORCH_ERROR_VALUE, "bins: '%s' asks for more than %d bins", bins, MOST_BINS);
    }
    *out = wanted < 1 ? 1 : (size_t)wanted;
    return NULL;
  }
  return error_make(function, CTORCH_ERROR_VALUE, "bins: '%s' is neither a number of bins nor a known rule", bins);
}

/* As numpy.linspace from the least to the greatest value. */
static ctorch_error *even_edges(const char *function, struct bins *self, const struct facts *facts) {
  const bool is_one = facts->min == facts->max;
  const double first = is_one ? facts->min - 0.5 : facts->min, last = is_one ? facts->max + 0.5 : facts->max;
  const double step = (last - first) / (double)self->len;
  self->owns_edges = true;
  self->edges = malloc((self->len + 1) * sizeof *self->edges);
  if (self->edges == NULL) {
    return error_memory(function, (self->len + 1) * sizeof *self->edges);
  }
  for (size_t i = 0; i < self->len; i++) {
    self->edges[i] = (double)i * step + first;
  }
  self->edges[self->len] = last;
  return NULL;
}

static ctorch_error *choose_edges(
    const char *function, struct bins *self, const char *bins, const double *values, size_t len) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (bins == NULL || strcmp(bins, "tensorflow") == 0) {
    pthread_once(&once, make_tensorflow_edges);
    self->edges = tensorflow_edges;
    self->len = TENSORFLOW_EDGES - 1;
    return NULL;
  }
  const struct facts facts = facts_of(values, len);
  if (!isfinite(facts.min) || !isfinite(facts.max)) {
    return error_make(function, CTORCH_ERROR_VALUE, "values: the range of the values is not finite");
  }
  CTORCH_TRY(number_of_bins(function, bins, &facts, &self->len));
  return even_edges(function, self, &facts);
}

/* What is shown ---------------------------------------------------------------------------------------------------- */

/* Put neighbours together until there are at most so many: as Python's make_histogram, in place. */
static void subsample(struct bins *self, double *edges, size_t max_bins) {
  if (max_bins == 0 || self->len <= max_bins) {
    return;
  }
  const size_t step = self->len / max_bins, len = (self->len + step - 1) / step;
  for (size_t i = 0; i < len; i++) {
    double sum = 0;
    for (size_t j = i * step; j < (i + 1) * step && j < self->len; j++) {
      sum += self->counts[j];
    }
    self->counts[i] = sum;
    edges[i] = edges[i * step];
  }
  edges[len] = edges[self->len];
  self->len = len;
}

static ctorch_error *add_bins(
    const char *function,
    ctorch_summary_writer *self,
    struct summary_value *value,
    const struct bins *bins,
    const double *edges,
    int64_t global_step,
    const double *walltime) {
  size_t first = 0, last = bins->len;
  while (first < bins->len && bins->counts[first] == 0) {
    first++;
  }
  while (last > first && bins->counts[last - 1] == 0) {
    last--;
  }
  if (first == last) {
    return error_make(function, CTORCH_ERROR_VALUE, "values: none of them is within the bins");
  }
  /* With the empty bin before the first, of which only the upper edge counts. */
  double *counts = calloc(last - first + 1, sizeof *counts);
  if (counts == NULL) {
    return error_memory(function, (last - first + 1) * sizeof *counts);
  }
  memcpy(counts + 1, bins->counts + first, (last - first) * sizeof *counts);
  value->histogram.limits = edges + first;
  value->histogram.counts = counts;
  value->histogram.len = last - first + 1;
  ctorch_error *error = summary_add(function, self, value, 1, global_step, walltime);
  free(counts);
  return error;
}

static void put_sums(struct summary_histogram *self, const double *values, size_t len) {
  double min = values[0], max = values[0], sum = 0, sum_squares = 0;
  for (size_t i = 0; i < len; i++) {
    const double value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
    sum += value;
    sum_squares += value * value;
  }
  const bool has_nan = isnan(sum_squares); /* infinities alone make none of squares */
  self->min = has_nan ? NAN : min;
  self->max = has_nan ? NAN : max;
  self->num = (double)len;
  self->sum = sum;
  self->sum_squares = sum_squares;
}

static ctorch_error *add_values(
    const char *function,
    ctorch_summary_writer *self,
    const char *tag,
    struct bins *bins,
    const double *values,
    size_t len,
    int64_t global_step,
    const double *walltime,
    int64_t max_bins) {
  struct summary_value value = {.tag = tag, .what = SUMMARY_HISTOGRAM};
  CTORCH_TRY(count(function, bins, values, len));
  double *edges = malloc((bins->len + 1) * sizeof *edges);
  if (edges == NULL) {
    return error_memory(function, (bins->len + 1) * sizeof *edges);
  }
  memcpy(edges, bins->edges, (bins->len + 1) * sizeof *edges);
  subsample(bins, edges, (size_t)max_bins);
  put_sums(&value.histogram, values, len);
  ctorch_error *error = add_bins(function, self, &value, bins, edges, global_step, walltime);
  free(edges);
  return error;
}

static bool is_complex(ctorch_dtype dtype) {
  return dtype == CTORCH_DTYPE_COMPLEX32 || dtype == CTORCH_DTYPE_COMPLEX64 || dtype == CTORCH_DTYPE_COMPLEX128;
}

static ctorch_error *check_values(const char *function, const ctorch_tensor *values, int64_t max_bins) {
  if (values == NULL) {
    return error_null(function, "values");
  }
  if (max_bins < 0) {
    return error_argument(function, "max_bins", "expected at least 0, got %" PRId64, max_bins);
  }
  if (is_complex(ctorch_tensor_dtype(values))) {
    return error_make(function, CTORCH_ERROR_TYPE, "values: expected real numbers");
  }
  return ctorch_tensor_numel(values) > 0 ? NULL
                                         : error_make(function, CTORCH_ERROR_VALUE, "values: the input has no element");
}

ctorch_error *ctorch_summary_writer_add_histogram(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *values,
    int64_t global_step,
    const char *bins,
    const double *walltime,
    int64_t max_bins) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(check_values(__func__, values, max_bins));
  CTORCH_TRY(bins == NULL ? NULL : error_unless_text(__func__, "bins", bins));
  ctorch_tensor *plain = NULL;
  const void *data = NULL;
  struct bins counted = {NULL, NULL, 0, false};
  CTORCH_TRY(summary_plain(__func__, &plain, values, CTORCH_DTYPE_FLOAT64));
  const size_t len = (size_t)ctorch_tensor_numel(plain);
  ctorch_error *error = error_of(__func__, ctorch_tensor_const_data(&data, plain));
  THEN(error, choose_edges(__func__, &counted, bins, data, len));
  THEN(error, add_values(__func__, self, tag, &counted, data, len, global_step, walltime, max_bins));
  end(&counted);
  ctorch_tensor_release(plain);
  return error;
}

ctorch_error *ctorch_summary_writer_add_histogram_edges(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *values,
    int64_t global_step,
    const double *edges,
    size_t edges_len,
    const double *walltime,
    int64_t max_bins) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(check_values(__func__, values, max_bins));
  if (edges == NULL) {
    return error_null(__func__, "edges");
  }
  bool ascends = edges_len >= 2;
  for (size_t i = 0; ascends && i + 1 < edges_len; i++) {
    ascends = edges[i] <= edges[i + 1];
  }
  if (!ascends) {
    return error_argument(__func__, "edges", "expected at least two edges that ascend");
  }
  ctorch_tensor *plain = NULL;
  const void *data = NULL;
  struct bins counted = {(double *)edges, NULL, edges_len - 1, false};
  CTORCH_TRY(summary_plain(__func__, &plain, values, CTORCH_DTYPE_FLOAT64));
  const size_t len = (size_t)ctorch_tensor_numel(plain);
  ctorch_error *error = error_of(__func__, ctorch_tensor_const_data(&data, plain));
  THEN(error, add_values(__func__, self, tag, &counted, data, len, global_step, walltime, max_bins));
  end(&counted);
  ctorch_tensor_release(plain);
  return error;
}

ctorch_error *ctorch_summary_writer_add_histogram_raw(
    ctorch_summary_writer *self,
    const char *tag,
    double min,
    double max,
    double num,
    double sum,
    double sum_squares,
    const double *bucket_limits,
    size_t bucket_limits_len,
    const double *bucket_counts,
    size_t bucket_counts_len,
    int64_t global_step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  CTORCH_TRY(error_unless_list(__func__, "bucket_limits", bucket_limits, bucket_limits_len));
  CTORCH_TRY(error_unless_list(__func__, "bucket_counts", bucket_counts, bucket_counts_len));
  if (bucket_limits_len != bucket_counts_len) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE, "bucket_counts: expected as many as there are limits, %zu, got %zu",
        bucket_limits_len, bucket_counts_len);
  }
  const struct summary_value value = {
      .tag = tag,
      .what = SUMMARY_HISTOGRAM,
      .histogram = {min, max, num, sum, sum_squares, bucket_limits, bucket_counts, bucket_limits_len}};
  return summary_add(__func__, self, &value, 1, global_step, walltime);
}
