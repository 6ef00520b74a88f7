/* A histogram has, for each doubling of the numbers, HISTOGRAM_STEPS buckets of the same width; below HISTOGRAM_STEPS
 * each number has its own. Prometheus gets the sums up to each doubling, and the quantiles, which it could not compute
 * of those as well. */
#include "metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <unistd.h>

static const unsigned codes[METRICS_CODES] = {0,   200, 400, 404, 405, 408, 411, 413,
                                              415, 431, 499, 500, 501, 503, 504, 505};

enum { STEP_BITS = 4 };

/* Bucket i has the numbers up to and including bucket_end(i), and above that of the bucket before. */
static size_t bucket_of(uint64_t number) {
  const uint64_t before = number > 0 ? number - 1 : 0;
  if (before < HISTOGRAM_STEPS) {
    return (size_t)before;
  }
  const unsigned shift = 63 - (unsigned)__builtin_clzll(before) - STEP_BITS;
  const size_t bucket = ((size_t)shift + 1) * HISTOGRAM_STEPS + (size_t)((before >> shift) - HISTOGRAM_STEPS);
  const size_t last = (HISTOGRAM_OCTAVES + 1) * HISTOGRAM_STEPS - 1;
  return bucket < last ? bucket : last;
}

static uint64_t bucket_end(size_t bucket) {
  if (bucket < HISTOGRAM_STEPS) {
    return bucket + 1;
  }
  const unsigned shift = (unsigned)(bucket / HISTOGRAM_STEPS) - 1;
  return ((uint64_t)(bucket % HISTOGRAM_STEPS) + HISTOGRAM_STEPS + 1) << shift;
}

void histogram_add(histogram *self, uint64_t number) {
  atomic_fetch_add_explicit(&self->counts[bucket_of(number)], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&self->sum, number, memory_order_relaxed);
  atomic_fetch_add_explicit(&self->len, 1, memory_order_relaxed);
}

uint64_t histogram_quantile(const histogram *self, double quantile) {
  const uint64_t len = atomic_load(&self->len), rank = (uint64_t)ceil(quantile * (double)len);
  uint64_t below = 0;
  for (size_t i = 0; len > 0 && i < sizeof self->counts / sizeof *self->counts; i++) {
    below += atomic_load_explicit(&self->counts[i], memory_order_relaxed);
    if (below >= rank && below > 0) {
      return bucket_end(i);
    }
  }
  return 0;
}

void metrics_add_response(metrics *self, unsigned code) {
  size_t place = METRICS_CODES - 1;
  while (place > 0 && codes[place] != code) {
    place--;
  }
  atomic_fetch_add_explicit(&self->responses[place], 1, memory_order_relaxed);
}

static void write_head(FILE *file, const char *name, const char *type, const char *help) {
  fprintf(file, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* The buckets up to each doubling from 2^`first` to 2^`last`; numbers are written times `unit`. */
static void write_histogram(
    FILE *file, const char *name, const char *help, const histogram *self, double unit, unsigned first, unsigned last) {
  uint64_t below = 0;
  size_t bucket = 0;
  write_head(file, name, "histogram", help);
  for (unsigned octave = first; octave <= last; octave++) {
    for (; bucket_end(bucket) <= (uint64_t)1 << octave; bucket++) {
      below += atomic_load_explicit(&self->counts[bucket], memory_order_relaxed);
    }
    fprintf(file, "%s_bucket{le=\"%.9g\"} %" PRIu64 "\n", name, ldexp(unit, (int)octave), below);
  }
  for (; bucket < sizeof self->counts / sizeof *self->counts; bucket++) {
    below += atomic_load_explicit(&self->counts[bucket], memory_order_relaxed);
  }
  fprintf(file, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, below);
  fprintf(file, "%s_sum %.9g\n", name, unit * (double)atomic_load(&self->sum));
  fprintf(file, "%s_count %" PRIu64 "\n", name, below);
}

static void write_quantiles(FILE *file, const char *name, const char *help, const histogram *self) {
  static const double quantiles[] = {0.5, 0.9, 0.95, 0.99, 0.999};
  write_head(file, name, "summary", help);
  for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
    const uint64_t microseconds = histogram_quantile(self, quantiles[i]);
    fprintf(file, "%s{quantile=\"%g\"} ", name, quantiles[i]);
    if (microseconds > 0) {
      fprintf(file, "%.9g\n", (double)microseconds / 1e6);
    } else {
      fputs("NaN\n", file);
    }
  }
  fprintf(file, "%s_sum %.9g\n", name, (double)atomic_load(&self->sum) / 1e6);
  fprintf(file, "%s_count %" PRIu64 "\n", name, (uint64_t)atomic_load(&self->len));
}

static void write_number(FILE *file, const char *name, const char *type, const char *help, uint64_t number) {
  write_head(file, name, type, help);
  fprintf(file, "%s %" PRIu64 "\n", name, number);
}

static uint64_t resident_bytes(void) {
  uint64_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file != NULL) {
    if (fscanf(file, "%*u %" SCNu64, &pages) != 1) {
      pages = 0;
    }
    fclose(file);
  }
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void metrics_write(const metrics *self, const gauges *gauges, FILE *file) {
  write_head(file, "serve_responses_total", "counter", "Responses by status code.");
  for (int i = 0; i < METRICS_CODES; i++) {
    const uint64_t count = atomic_load(&self->responses[i]);
    if (count > 0) {
      fprintf(file, "serve_responses_total{code=\"%u\"} %" PRIu64 "\n", codes[i], count);
    }
  }
  write_number(
      file, "serve_vanished_total", "counter", "Requests dropped because their client had gone.",
      atomic_load(&self->vanished));
  write_histogram(
      file, "serve_request_duration_seconds", "From a whole request to its answer.", &self->duration, 1e-6, 4, 26);
  write_quantiles(
      file, "serve_request_duration_quantiles_seconds", "From a whole request to its answer, since the start.",
      &self->duration);
  write_histogram(
      file, "serve_queue_duration_seconds", "What requests waited to be computed.", &self->wait, 1e-6, 4, 26);
  write_histogram(
      file, "serve_batch_duration_seconds", "What the model took for a batch.", &self->compute, 1e-6, 4, 26);
  write_histogram(file, "serve_batch_rows", "Rows of a batch.", &self->rows, 1, 0, 12);
  write_number(file, "serve_queue_length", "gauge", "Requests that wait.", gauges->queue_len);
  write_number(file, "serve_queue_capacity", "gauge", "Requests that may wait.", gauges->queue_capacity);
  write_number(
      file, "serve_requests", "gauge", "Requests that are read, wait, are computed or answered.", gauges->requests);
  write_number(file, "serve_connections", "gauge", "Open connections.", gauges->connections);
  write_number(file, "process_resident_memory_bytes", "gauge", "Memory that the process has.", resident_bytes());
}
