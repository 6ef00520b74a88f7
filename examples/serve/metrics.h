/** What a server counts, in the text form of Prometheus. Any thread may count and read. */
#ifndef EXAMPLES_SERVE_METRICS_H
#define EXAMPLES_SERVE_METRICS_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum {
  HISTOGRAM_STEPS = 16,   /* buckets for each doubling: a quantile is at most a sixteenth too large */
  HISTOGRAM_OCTAVES = 40, /* from 1 to 2^40 */
};

/** How often whole numbers were seen, in buckets that widen with the numbers. */
typedef struct histogram {
  atomic_uint_fast64_t counts[(HISTOGRAM_OCTAVES + 1) * HISTOGRAM_STEPS];
  atomic_uint_fast64_t len, sum;
} histogram;

/** The status codes that are counted each by itself; the rest is 0. */
enum { METRICS_CODES = 16 };

typedef struct metrics {
  histogram duration, wait, compute; /* microseconds: of whole requests, in the queue, of a batch in the model */
  histogram rows;                    /* of a batch */
  atomic_uint_fast64_t responses[METRICS_CODES];
  atomic_uint_fast64_t vanished;
} metrics;

/** What is read when the text is written. */
typedef struct gauges {
  size_t queue_len, queue_capacity, requests, connections;
} gauges;

/** Count a number. */
void histogram_add(histogram *self, uint64_t number);

/**
 * The least number, as far as buckets tell, that so many of those counted do not exceed.
 *
 * @param self      borrowed.
 * @param quantile  from 0 to 1.
 * @return 0 if nothing was counted.
 */
uint64_t histogram_quantile(const histogram *self, double quantile);

/** Count a response by its status code. */
void metrics_add_response(metrics *self, unsigned code);

/**
 * Write all of it.
 *
 * @param self    borrowed.
 * @param gauges  borrowed.
 * @param file    gets the text.
 */
void metrics_write(const metrics *self, const gauges *gauges, FILE *file);

#endif
