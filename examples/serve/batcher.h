/** A bounded queue of jobs, and threads that compute them in batches: jobs of the same form are stacked, up to a number
 * of rows, or until the oldest has waited long enough. What fails in a batch is computed alone, so that a job fails by
 * its own fault only. */
#ifndef EXAMPLES_SERVE_BATCHER_H
#define EXAMPLES_SERVE_BATCHER_H

#include "array.h"
#include "metrics.h"
#include "model.h"

typedef enum job_status { JOB_COMPUTED, JOB_FAILED, JOB_EXPIRED, JOB_VANISHED } job_status;

/** What became of a job. */
typedef struct job_result {
  job_status status;
  const array *outputs; /* of JOB_COMPUTED: the rows of this job, borrowed for the call */
  size_t outputs_len;
  const ctorch_error *error; /* of JOB_FAILED: borrowed for the call */
} job_result;

typedef struct job job;
struct job {
  array input;                 /* its memory stays until `finish` */
  uint64_t received, deadline; /* clock_now */

  /* Whether nobody waits for it any longer. Any thread asks. */
  bool (*is_vanished)(const job *self);

  /* Called once, on any thread, for what was queued; the job is the caller's again. */
  void (*finish)(job *self, const job_result *result);

  job *next;
};

typedef struct batcher_options {
  int32_t workers;
  int64_t rows;    /* of a batch; a job that has more is one by itself */
  uint64_t delay;  /* nanoseconds that a job may wait for others */
  size_t capacity; /* jobs in the queue */
} batcher_options;

typedef struct batcher batcher;

typedef enum batcher_answer { BATCHER_QUEUED, BATCHER_FULL, BATCHER_STOPPING } batcher_answer;

/**
 * Start the threads.
 *
 * @param[out] out  owned; give it back with batcher_stop.
 * @param model     borrowed until then.
 * @param metrics   borrowed until then.
 * @param options   borrowed.
 * @return NULL, or OUT_OF_MEMORY, STD (a thread that cannot be started).
 */
ctorch_error *batcher_start(batcher **out, const model *model, metrics *metrics, const batcher_options *options);

/** Queue a job. Nothing happens to it if the answer is not BATCHER_QUEUED. */
batcher_answer batcher_submit(batcher *self, job *job);

/** Jobs that wait. */
size_t batcher_len(batcher *self);

/** Jobs that may wait. */
size_t batcher_capacity(const batcher *self);

/** Take no more jobs, finish those that are queued, and end the threads; batcher_submit may still be called. */
void batcher_drain(batcher *self);

/** Drain, and give the memory back. NULL is allowed. */
void batcher_stop(batcher *self);

#endif
