/* One list of jobs in the order of their arrival. A worker that is free takes the oldest and all that stack with it, as
 * many as fit; a thread of its own answers those whose deadline has passed while the workers are busy. */
#include "batcher.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { SWEEP_INTERVAL = CLOCK_SECOND / 100 };

struct batcher {
  const model *model;
  metrics *metrics;
  batcher_options options;
  pthread_mutex_t mutex;
  pthread_cond_t work, deadlines; /* there is work; there is an earlier deadline */
  job *first, **end;
  size_t len;
  uint64_t next_deadline, swept;
  bool is_stopping;
  pthread_t *threads; /* the workers, and the one for deadlines */
  int32_t threads_len;
};

/* Jobs that were taken out of the queue, the oldest first. */
typedef struct job_list {
  job *first, **end;
} job_list;

static void job_list_append(job_list *self, job *one) {
  one->next = NULL;
  *(self->first == NULL ? &self->first : self->end) = one;
  self->end = &one->next;
}

/* The queue -------------------------------------------------------------------------------------------------------- */

static void unlink_job(batcher *self, job **at) {
  job *one = *at;
  *at = one->next;
  if (self->end == &one->next) {
    self->end = at;
  }
  self->len--;
}

static int64_t rows_of(const job *one) { return one->input.form.sizes[0]; }

/* Whether as many rows wait as make a batch with the oldest job. */
static bool has_whole_batch(const batcher *self) {
  int64_t rows = 0;
  for (const job *one = self->first; one != NULL && rows < self->options.rows; one = one->next) {
    rows += array_form_stacks(&one->input.form, &self->first->input.form) ? rows_of(one) : 0;
  }
  return rows >= self->options.rows;
}

static bool is_ready(const batcher *self) {
  return self->first != NULL && (self->options.delay == 0 || self->is_stopping ||
                                 clock_now() >= self->first->received + self->options.delay || has_whole_batch(self));
}

/* The oldest job, and what stacks with it. */
static job *take_batch(batcher *self) {
  job_list batch = {NULL, NULL};
  int64_t rows = 0;
  for (job **at = &self->first; *at != NULL && rows < self->options.rows;) {
    job *one = *at;
    const bool fits = batch.first == NULL || (array_form_stacks(&one->input.form, &batch.first->input.form) &&
                                              rows + rows_of(one) <= self->options.rows);
    if (fits) {
      unlink_job(self, at);
      job_list_append(&batch, one);
      rows += rows_of(one);
    } else {
      at = &one->next;
    }
  }
  return batch.first;
}

/* The next batch; NULL if there will be none. */
static job *next_batch(batcher *self) {
  pthread_mutex_lock(&self->mutex);
  while (!is_ready(self) && !(self->is_stopping && self->first == NULL)) {
    if (self->first == NULL) {
      pthread_cond_wait(&self->work, &self->mutex);
    } else {
      const struct timespec until = clock_timespec(self->first->received + self->options.delay);
      pthread_cond_timedwait(&self->work, &self->mutex, &until);
    }
  }
  job *batch = take_batch(self);
  if (self->first != NULL) {
    pthread_cond_signal(&self->work); /* somebody else may go on with the rest */
  }
  pthread_mutex_unlock(&self->mutex);
  return batch;
}

static void finish_all(const job_list *list, job_status status) {
  const job_result result = {.status = status};
  for (job *one = list->first, *next; one != NULL; one = next) {
    next = one->next;
    one->finish(one, &result);
  }
}

/* Make room of jobs that nobody waits for, not too often, as it takes a system call for each job. */
static void sweep(batcher *self, job_list *vanished) {
  const uint64_t now = clock_now();
  if (now - self->swept < SWEEP_INTERVAL) {
    return;
  }
  self->swept = now;
  for (job **at = &self->first; *at != NULL;) {
    job *one = *at;
    if (one->is_vanished(one)) {
      unlink_job(self, at);
      job_list_append(vanished, one);
    } else {
      at = &one->next;
    }
  }
}

batcher_answer batcher_submit(batcher *self, job *job) {
  job_list vanished = {NULL, NULL};
  pthread_mutex_lock(&self->mutex);
  if (self->len == self->options.capacity) {
    sweep(self, &vanished);
  }
  const batcher_answer answer = self->is_stopping                     ? BATCHER_STOPPING
                                : self->len == self->options.capacity ? BATCHER_FULL
                                                                      : BATCHER_QUEUED;
  if (answer == BATCHER_QUEUED) {
    job->next = NULL;
    *self->end = job;
    self->end = &job->next;
    self->len++;
    pthread_cond_signal(&self->work);
    if (job->deadline < self->next_deadline) {
      pthread_cond_signal(&self->deadlines);
    }
  }
  pthread_mutex_unlock(&self->mutex);
  finish_all(&vanished, JOB_VANISHED);
  return answer;
}

size_t batcher_len(batcher *self) {
  pthread_mutex_lock(&self->mutex);
  const size_t len = self->len;
  pthread_mutex_unlock(&self->mutex);
  return len;
}

size_t batcher_capacity(const batcher *self) { return self->options.capacity; }

/* Deadlines -------------------------------------------------------------------------------------------------------- */

static void take_expired(batcher *self, job_list *expired) {
  const uint64_t now = clock_now();
  self->next_deadline = UINT64_MAX;
  for (job **at = &self->first; *at != NULL;) {
    job *one = *at;
    if (one->deadline <= now) {
      unlink_job(self, at);
      job_list_append(expired, one);
    } else {
      self->next_deadline = one->deadline < self->next_deadline ? one->deadline : self->next_deadline;
      at = &one->next;
    }
  }
}

static void *watch_deadlines(void *argument) {
  batcher *self = argument;
  pthread_mutex_lock(&self->mutex);
  while (!self->is_stopping) {
    job_list expired = {NULL, NULL};
    take_expired(self, &expired);
    if (expired.first != NULL) {
      pthread_mutex_unlock(&self->mutex);
      finish_all(&expired, JOB_EXPIRED);
      pthread_mutex_lock(&self->mutex);
    } else if (self->next_deadline == UINT64_MAX) {
      pthread_cond_wait(&self->deadlines, &self->mutex);
    } else {
      const struct timespec until = clock_timespec(self->next_deadline);
      pthread_cond_timedwait(&self->deadlines, &self->mutex, &until);
    }
  }
  pthread_mutex_unlock(&self->mutex);
  return NULL;
}

/* Workers ---------------------------------------------------------------------------------------------------------- */

static int64_t rows_of_batch(const job *batch) {
  int64_t rows = 0;
  for (; batch != NULL; batch = batch->next) {
    rows += rows_of(batch);
  }
  return rows;
}

static ctorch_error *stack(ctorch_tensor **out, const job *batch) {
  array_form form = batch->input.form;
  void *data;
  form.sizes[0] = rows_of_batch(batch);
  CTORCH_TRY(ctorch_aten_empty_memory_format(out, form.sizes, form.ndim, &form.dtype, NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_tensor_data(&data, *out));
  for (char *at = data; batch != NULL; batch = batch->next) {
    if (batch->input.nbytes > 0) {
      memcpy(at, batch->input.data, batch->input.nbytes);
      at += batch->input.nbytes;
    }
  }
  return NULL;
}

/* The memory of the outputs; of several jobs each gives its rows. */
static ctorch_error *look_at(
    array outputs[MODEL_MAX_OUTPUTS], const ctorch_tensor_list *given, int64_t rows, bool is_alone) {
  for (size_t i = 0; i < ctorch_tensor_list_len(given); i++) {
    const ctorch_tensor *tensor = ctorch_tensor_list_data(given)[i];
    const void *data;
    if (!model_form_of(&outputs[i].form, tensor) || array_datatype(outputs[i].form.dtype) == NULL) {
      return ctorch_error_format(CTORCH_ERROR_UNSUPPORTED, "output %zu is of a type or rank that cannot be sent", i);
    }
    if (!is_alone && (outputs[i].form.ndim == 0 || outputs[i].form.sizes[0] != rows)) {
      return ctorch_error_format(CTORCH_ERROR_UNSUPPORTED, "output %zu has not a row for each of the input", i);
    }
    CTORCH_TRY(ctorch_tensor_const_data(&data, tensor));
    outputs[i].data = (void *)data; /* only read */
    outputs[i].nbytes = ctorch_tensor_nbytes(tensor);
  }
  return NULL;
}

static ctorch_error *run_batch(array outputs[MODEL_MAX_OUTPUTS], size_t *len, batcher *self, const job *batch) {
  ctorch_tensor *input;
  ctorch_tensor_list *given;
  const int64_t rows = rows_of_batch(batch);
  const uint64_t begin = clock_now();
  CTORCH_TRY(ctorch_inference_mode_push(true)); /* until the scope ends */
  CTORCH_TRY(stack(&input, batch));
  CTORCH_TRY(model_run(&given, self->model, input));
  histogram_add(&self->metrics->compute, (clock_now() - begin) / 1000);
  histogram_add(&self->metrics->rows, (uint64_t)rows);
  *len = ctorch_tensor_list_len(given);
  return look_at(outputs, given, rows, batch->next == NULL);
}

static void hand_out(job *batch, const array *outputs, size_t len) {
  const int64_t rows = rows_of_batch(batch);
  const bool is_alone = batch->next == NULL;
  int64_t before = 0;
  for (job *one = batch, *next; one != NULL; one = next) {
    array its[MODEL_MAX_OUTPUTS];
    for (size_t i = 0; i < len; i++) {
      its[i] = outputs[i];
      if (!is_alone) {
        const size_t row = outputs[i].nbytes / (size_t)rows;
        its[i].form.sizes[0] = rows_of(one);
        its[i].nbytes = row * (size_t)rows_of(one);
        its[i].data = (char *)outputs[i].data + row * (size_t)before;
      }
    }
    next = one->next;
    before += rows_of(one);
    one->finish(one, &(job_result){.status = JOB_COMPUTED, .outputs = its, .outputs_len = len});
  }
}

/* Compute a batch in a scope. If it fails, and there are several in it, nobody is told. */
static bool try_batch(batcher *self, job *batch) {
  array outputs[MODEL_MAX_OUTPUTS];
  size_t len = 0;
  ctorch_scope *scope = NULL;
  const bool is_alone = batch->next == NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  error = error != NULL ? error : run_batch(outputs, &len, self, batch);
  const bool is_computed = error == NULL;
  if (is_computed) {
    hand_out(batch, outputs, len);
  } else if (is_alone) {
    batch->finish(batch, &(job_result){.status = JOB_FAILED, .error = error});
  }
  ctorch_error_release(error);
  ctorch_scope_end(scope);
  return is_computed || is_alone;
}

/* What has not expired and is waited for. */
static job *wanted(batcher *self, job *batch) {
  job_list left = {NULL, NULL}, expired = {NULL, NULL}, vanished = {NULL, NULL};
  const uint64_t now = clock_now();
  for (job *one = batch, *next; one != NULL; one = next) {
    next = one->next;
    histogram_add(&self->metrics->wait, (now - one->received) / 1000);
    job_list_append(one->deadline <= now ? &expired : one->is_vanished(one) ? &vanished : &left, one);
  }
  finish_all(&expired, JOB_EXPIRED);
  finish_all(&vanished, JOB_VANISHED);
  return left.first;
}

static void *work(void *argument) {
  batcher *self = argument;
  ctorch_error_release(ctorch_threads_set_num(1)); /* OpenMP and MKL count threads for each thread that calls them */
  for (job *batch; (batch = next_batch(self)) != NULL;) {
    batch = wanted(self, batch);
    if (batch == NULL || try_batch(self, batch)) {
      continue;
    }
    for (job *next; batch != NULL; batch = next) {
      next = batch->next;
      batch->next = NULL;
      try_batch(self, batch);
    }
  }
  return NULL;
}

/* Its life --------------------------------------------------------------------------------------------------------- */

static void batcher_init(batcher *self, const model *model, metrics *metrics, const batcher_options *options) {
  pthread_condattr_t attributes;
  *self = (batcher){.model = model, .metrics = metrics, .options = *options, .next_deadline = UINT64_MAX};
  self->end = &self->first;
  pthread_mutex_init(&self->mutex, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&self->work, &attributes);
  pthread_cond_init(&self->deadlines, &attributes);
  pthread_condattr_destroy(&attributes);
}

ctorch_error *batcher_start(batcher **out, const model *model, metrics *metrics, const batcher_options *options) {
  batcher *self = malloc(sizeof *self);
  pthread_t *threads = calloc((size_t)options->workers + 1, sizeof *threads);
  if (self == NULL || threads == NULL) {
    free(self);
    free(threads);
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for the queue");
  }
  batcher_init(self, model, metrics, options);
  self->threads = threads;
  for (int32_t i = 0; i <= options->workers; i++) {
    if (pthread_create(&threads[i], NULL, i < options->workers ? work : watch_deadlines, self) != 0) {
      batcher_stop(self);
      return ctorch_error_format(CTORCH_ERROR_STD, "a thread could not be started");
    }
    self->threads_len++;
  }
  *out = self;
  return NULL;
}

void batcher_drain(batcher *self) {
  pthread_mutex_lock(&self->mutex);
  self->is_stopping = true;
  pthread_cond_broadcast(&self->work);
  pthread_cond_broadcast(&self->deadlines);
  pthread_mutex_unlock(&self->mutex);
  for (; self->threads_len > 0; self->threads_len--) {
    pthread_join(self->threads[self->threads_len - 1], NULL);
  }
}

void batcher_stop(batcher *self) {
  if (self == NULL) {
    return;
  }
  batcher_drain(self);
  pthread_cond_destroy(&self->deadlines);
  pthread_cond_destroy(&self->work);
  pthread_mutex_destroy(&self->mutex);
  free(self->threads);
  free(self);
}
