/* Workers: threads, their queues, and what they have made. */
#define _POSIX_C_SOURCE 200809L
#include "data/worker_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/interrupt.h"
#include "core/c/object.h"
#include "core/c/single_thread.h"

enum state { FREE, WAITING, WORKED_ON, MADE };

struct task {
  enum state state;
  struct indices step;
  struct made made;
  struct task *next;  /* behind it in its worker's queue, or among those that are free */
  struct task *later; /* to be taken behind it */
  struct task *known; /* one more of all that there are */
};

struct worker {
  struct worker_pool *pool;
  pthread_t thread;
  bool has_thread;
  struct worker_info info;
  pthread_cond_t condition;
  bool has_condition;
  struct task *first, *last; /* its queue */
  size_t out;                /* steps that it was given and that were not taken */
  bool has_ended;            /* its samples have */
  int64_t iteration;         /* that it has prepared for */
  struct fetcher fetcher;
};

struct worker_pool {
  ctorch_loader *loader; /* borrowed: it, or its iterator, ends the pool */
  pid_t process;
  pthread_mutex_t lock;
  pthread_cond_t condition; /* the consumer's */
  bool has_lock, has_condition;
  struct call_queue queue;
  struct worker *workers;
  size_t workers_len, turn;         /* whose turn it is to get a step */
  struct task *tasks, *free;        /* all that there are, and those that are free */
  size_t tasks_len, tasks_max, out; /* how many there are, may be, and are given out */
  struct task *first, *last;        /* to be taken: in order those given out, otherwise those that are made */
  int64_t next;                     /* number of the step to be given out */
  size_t busy;                      /* workers that work on a step */
  size_t alive;                     /* threads that have not ended */
  bool is_stopping;
  bool is_interrupted; /* the last wait for them was */
  bool is_left;        /* the last of them frees all */
  int64_t iteration;   /* counts them */
  uint64_t base_seed;
  int64_t epoch;
};

/* The queue's way to the lock. */

static void lock(void *pool) { pthread_mutex_lock(&((struct worker_pool *)pool)->lock); }

static void unlock(void *pool) { pthread_mutex_unlock(&((struct worker_pool *)pool)->lock); }

static void ring(void *pool) { pthread_cond_signal(&((struct worker_pool *)pool)->condition); }

/* A worker --------------------------------------------------------------------------------------------------------- */

struct init_call {
  const struct loader_callback *callback;
  int64_t worker;
};

static ctorch_error *call_init(void *argument) {
  const struct init_call *call = argument;
  ctorch_error *error = NULL;
  ctorch_callback_status status = call->callback->worker_init(call->worker, &error, call->callback->payload);
  return callback_error("ctorch_iterator_next", "worker_init", status, error);
}

/* Before the first step of an iteration; the callback is asked again after it has failed. */
static ctorch_error *prepare(struct worker *self, int64_t iteration, uint64_t base_seed, int64_t epoch) {
  const struct loader_callback *callback = &self->pool->loader->worker_init;
  if (self->iteration == iteration) {
    return NULL;
  }
  if (callback->worker_init != NULL && (self->iteration == 0 || !self->pool->loader->is_persistent)) {
    const struct init_call call = {callback, self->info.number};
    struct call_queue *queue = callback->may_thread ? NULL : &self->pool->queue;
    CTORCH_TRY(call_queue_run(queue, "ctorch_iterator_next", call_init, (void *)&call));
  }
  fetcher_begin(&self->fetcher, self->pool->loader, base_seed, epoch);
  self->fetcher.fetch.queue = &self->pool->queue;
  self->iteration = iteration;
  return NULL;
}

/* A batch that goes to another thread lies in a tuple, which no scope owns. */
static ctorch_error *wrap(ctorch_value **out, ctorch_value *batch) {
  ctorch_value *tuple = NULL;
  ctorch_error *error = ctorch_value_from_tuple(&tuple, (const ctorch_value *const *)&batch, 1);
  ctorch_value_release(batch);
  *out = value_take(tuple);
  return error;
}

static void make(struct worker *self, struct task *task, int64_t iteration, uint64_t base_seed, int64_t epoch) {
  ctorch_value *batch = NULL;
  struct made *made = &task->made;
  made->error = prepare(self, iteration, base_seed, epoch);
  THEN(made->error, fetcher_make(&self->fetcher, "ctorch_iterator_next", &task->step, &batch));
  if (made->error == NULL && batch != NULL) {
    made->error = wrap(&made->batch, batch);
  }
}

static struct task *take_task(struct worker *self) {
  struct task *task = self->first;
  if (task != NULL) {
    self->first = task->next;
  }
  return task;
}

static void line_up(struct worker_pool *self, struct task *task) {
  task->later = NULL;
  *(self->first == NULL ? &self->first : &self->last->later) = task;
  self->last = task;
}

static void work(struct worker *self, struct task *task) {
  struct worker_pool *pool = self->pool;
  int64_t iteration = pool->iteration, epoch = pool->epoch, begin = clock_now();
  uint64_t base_seed = pool->base_seed;
  self->info.seed = base_seed + (uint64_t)self->info.number;
  task->state = WORKED_ON;
  pool->busy++;
  pthread_mutex_unlock(&pool->lock);
  make(self, task, iteration, base_seed, epoch);
  atomic_fetch_add(&pool->loader->workers_worked, clock_now() - begin);
  pthread_mutex_lock(&pool->lock);
  pool->busy--;
  task->state = MADE;
  if (!pool->loader->in_order) {
    line_up(pool, task);
  }
  pthread_cond_signal(&pool->condition);
}

static void worker_pool_end(struct worker_pool *self);

/* A thread has done its last; the last one of a pool that was left frees it. */
static void leave(struct worker_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  bool is_last = --pool->alive == 0 && pool->is_left;
  pthread_mutex_unlock(&pool->lock);
  if (is_last) {
    ctorch_loader *loader = pool->loader;
    worker_pool_end(pool);
    object_unref(loader);
  }
}

static void *run(void *argument) {
  struct worker *self = argument;
  struct worker_pool *pool = self->pool;
  thread_compute_alone();
  worker_become(&self->info);
  pthread_mutex_lock(&pool->lock);
  while (!pool->is_stopping) {
    struct task *task = take_task(self);
    if (task != NULL) {
      work(self, task);
      continue;
    }
    int64_t begin = clock_now();
    pthread_cond_wait(&self->condition, &pool->lock);
    atomic_fetch_add(&pool->loader->workers_waited, clock_now() - begin);
  }
  pthread_mutex_unlock(&pool->lock);
  fetcher_end(&self->fetcher);
  leave(pool);
  return NULL;
}

/* Beginning and ending --------------------------------------------------------------------------------------------- */

static void task_forget(struct worker_pool *pool, struct task *task) {
  value_unref(task->made.batch);
  ctorch_error_release(task->made.error);
  task->made = (struct made){0};
  task->step.len = 0;
  task->state = FREE;
  task->next = pool->free;
  pool->free = task;
}

/* A task that is free, a new one if there may be more; NULL is neither. */
static struct task *free_task(struct worker_pool *self) {
  if (self->free == NULL && self->tasks_len < self->tasks_max) {
    struct task *task = calloc(1, sizeof(*task));
    if (task != NULL) {
      task->known = self->tasks;
      self->tasks = self->free = task;
      self->tasks_len++;
    }
  }
  return self->free;
}

static void *new_array(ctorch_error **error, const char *function, size_t len, size_t size) {
  void *array = *error == NULL ? calloc(len, size) : NULL;
  if (*error == NULL && array == NULL) {
    *error = error_memory(function, len * size);
  }
  return array;
}

/* A condition whose timeouts follow the clock that nobody sets. */
static bool condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0) {
    return false;
  }
  bool is_made =
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(condition, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  return is_made;
}

static ctorch_error *worker_start(const char *function, struct worker_pool *pool, size_t number) {
  struct worker *self = &pool->workers[number];
  self->pool = pool;
  self->info = (struct worker_info){.number = (int64_t)number, .count = (int64_t)pool->workers_len};
  self->has_condition = condition_init(&self->condition);
  pthread_mutex_lock(&pool->lock);
  int status = self->has_condition ? pthread_create(&self->thread, NULL, run, self) : ENOMEM;
  pool->alive += status == 0;
  pthread_mutex_unlock(&pool->lock);
  if (status != 0) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "worker %zu of %zu cannot be started: %s", number, pool->workers_len,
        strerror(status));
  }
  self->has_thread = true;
  return NULL;
}

ctorch_error *worker_pool_new(const char *function, struct worker_pool **out, ctorch_loader *loader) {
  struct worker_pool *self = calloc(1, sizeof(*self));
  if (self == NULL) {
    return error_memory(function, sizeof(*self));
  }
  ctorch_error *error = NULL;
  self->loader = loader;
  self->process = getpid();
  self->tasks_max = (size_t)(loader->num_workers * loader->prefetch_factor);
  self->queue = (struct call_queue){.pool = self, .lock = lock, .unlock = unlock, .ring = ring};
  self->has_lock = pthread_mutex_init(&self->lock, NULL) == 0;
  self->has_condition = condition_init(&self->condition);
  self->workers = new_array(&error, function, (size_t)loader->num_workers, sizeof(*self->workers));
  self->workers_len = self->workers == NULL ? 0 : (size_t)loader->num_workers;
  /* One task at least, so that an iteration goes on whatever memory there is. */
  if (error == NULL && (!self->has_lock || !self->has_condition || free_task(self) == NULL)) {
    error = error_memory(function, sizeof(*self));
  }
  for (size_t i = 0; error == NULL && i < self->workers_len; i++) {
    error = worker_start(function, self, i);
  }
  if (error != NULL) {
    worker_pool_free(self);
    return error;
  }
  *out = self;
  return NULL;
}

/* Tell the workers to end; the lock is held. */
static void tell_to_stop(struct worker_pool *self) {
  self->is_stopping = true;
  call_queue_close(&self->queue);
  for (size_t i = 0; i < self->workers_len; i++) {
    if (self->workers[i].has_condition) {
      pthread_cond_signal(&self->workers[i].condition);
    }
  }
}

static void stop(struct worker_pool *self) {
  pthread_mutex_lock(&self->lock);
  tell_to_stop(self);
  pthread_mutex_unlock(&self->lock);
  for (size_t i = 0; i < self->workers_len; i++) {
    if (self->workers[i].has_thread) {
      pthread_join(self->workers[i].thread, NULL);
    }
  }
}

static struct timespec deadline_of(double seconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  seconds = seconds < 1e9 ? seconds : 1e9;
  int64_t whole = (int64_t)seconds;
  int64_t nanoseconds = deadline.tv_nsec + (int64_t)((seconds - (double)whole) * 1e9);
  deadline.tv_sec += (time_t)(whole + nanoseconds / 1000000000);
  deadline.tv_nsec = (long)(nanoseconds % 1000000000);
  return deadline;
}

/* Wait until no worker is at work, or an interrupt comes; the lock is held. */
static void wait_for_workers(struct worker_pool *self) {
  const uint64_t begin = interrupt_count();
  call_queue_close(&self->queue);
  while (self->busy > 0 && !self->is_interrupted) {
    struct timespec look = deadline_of(0.1);
    if (pthread_cond_timedwait(&self->condition, &self->lock, &look) == ETIMEDOUT) {
      pthread_mutex_unlock(&self->lock);
      ctorch_error *error = interrupt_check("ctorch_iterator_release", begin);
      pthread_mutex_lock(&self->lock);
      self->is_interrupted = error != NULL;
      ctorch_error_release(error);
    }
  }
}

bool worker_pool_leave(struct worker_pool *self) {
  if (self == NULL || self->process != getpid()) {
    return false;
  }
  pthread_mutex_lock(&self->lock);
  wait_for_workers(self);
  bool is_left = self->busy > 0;
  if (is_left) {
    object_ref(self->loader);
    self->is_left = true;
    tell_to_stop(self);
    for (size_t i = 0; i < self->workers_len; i++) {
      pthread_detach(self->workers[i].thread);
    }
  }
  pthread_mutex_unlock(&self->lock);
  return is_left;
}

void worker_pool_free(struct worker_pool *self) {
  if (self == NULL || self->process != getpid()) {
    return; /* in a child of fork() there are no workers, and their lock may be held for ever */
  }
  if (self->has_lock && self->has_condition) {
    stop(self);
  }
  worker_pool_end(self);
}

/* Free what no thread uses any more. */
static void worker_pool_end(struct worker_pool *self) {
  call_queue_clear(&self->queue);
  for (size_t i = 0; i < self->workers_len; i++) {
    if (self->workers[i].has_condition) {
      pthread_cond_destroy(&self->workers[i].condition);
    }
  }
  for (struct task *task = self->tasks, *next = NULL; task != NULL; task = next) {
    next = task->known;
    task_forget(self, task);
    indices_free(&task->step);
    free(task);
  }
  if (self->has_condition) {
    pthread_cond_destroy(&self->condition);
  }
  if (self->has_lock) {
    pthread_mutex_destroy(&self->lock);
  }
  free(self->workers);
  free(self);
}

void worker_pool_begin(struct worker_pool *self, uint64_t base_seed, int64_t epoch, int64_t first) {
  pthread_mutex_lock(&self->lock);
  for (size_t i = 0; i < self->workers_len; i++) {
    self->workers[i].first = NULL;
    self->workers[i].has_ended = false;
    self->workers[i].out = 0;
  }
  call_queue_close(&self->queue);
  while (self->busy > 0) {
    pthread_cond_wait(&self->condition, &self->lock);
  }
  call_queue_open(&self->queue);
  self->free = self->first = NULL;
  self->out = 0;
  for (struct task *task = self->tasks; task != NULL; task = task->known) {
    task_forget(self, task);
  }
  self->iteration++;
  self->base_seed = base_seed;
  self->epoch = epoch;
  self->next = first;
  self->turn = 0;
  pthread_mutex_unlock(&self->lock);
  call_queue_clear(&self->queue);
}

/* Giving steps out ------------------------------------------------------------------------------------------------- */

/* The worker whose turn it is: in order each of them, otherwise each that has not got as many as it may have. */
static struct worker *next_worker(struct worker_pool *self) {
  size_t most = self->tasks_max / self->workers_len;
  for (size_t i = 0; i < self->workers_len; i++) {
    size_t at = (self->turn + i) % self->workers_len;
    if (!self->workers[at].has_ended && (self->loader->in_order || self->workers[at].out < most)) {
      self->turn = at;
      return &self->workers[at];
    }
  }
  return NULL;
}

bool worker_pool_has_room(struct worker_pool *self) {
  pthread_mutex_lock(&self->lock);
  bool has_room = free_task(self) != NULL && next_worker(self) != NULL;
  pthread_mutex_unlock(&self->lock);
  return has_room;
}

void worker_pool_put(struct worker_pool *self, struct indices *step) {
  pthread_mutex_lock(&self->lock);
  struct task *task = self->free; /* which worker_pool_has_room has found */
  struct worker *worker = next_worker(self);
  self->free = task->next;
  struct indices unused = task->step;
  task->step = *step;
  *step = unused;
  task->made = (struct made){.number = self->next++, .worker = (int)(worker - self->workers)};
  task->state = WAITING;
  task->next = NULL;
  *(worker->first == NULL ? &worker->first : &worker->last->next) = task;
  worker->last = task;
  worker->out++;
  self->out++;
  if (self->loader->in_order) {
    line_up(self, task);
  }
  self->turn = (self->turn + 1) % self->workers_len;
  pthread_cond_signal(&worker->condition);
  pthread_mutex_unlock(&self->lock);
}

void worker_pool_skip(struct worker_pool *self) {
  pthread_mutex_lock(&self->lock);
  self->next++;
  pthread_mutex_unlock(&self->lock);
}

/* Taking them ------------------------------------------------------------------------------------------------------ */

static void take(struct worker_pool *self, struct made *out) {
  struct task *task = self->first;
  self->first = task->later;
  *out = task->made;
  struct worker *worker = &self->workers[out->worker];
  worker->has_ended = worker->has_ended || (out->batch == NULL && out->error == NULL);
  worker->out--;
  self->out--;
  task->made = (struct made){0};
  task_forget(self, task);
}

static bool is_before(const struct timespec *one, const struct timespec *other) {
  return one->tv_sec != other->tv_sec ? one->tv_sec < other->tv_sec : one->tv_nsec < other->tv_nsec;
}

/* Wait until something rings, looking for interrupts ten times a second; false in `in_time` after the timeout. */
static ctorch_error *wait_for_condition(
    const char *function, struct worker_pool *self, const struct timespec *deadline, uint64_t begin, bool *in_time) {
  struct timespec look = deadline_of(0.1);
  bool is_last = self->loader->timeout > 0 && !is_before(&look, deadline);
  if (pthread_cond_timedwait(&self->condition, &self->lock, is_last ? deadline : &look) != ETIMEDOUT) {
    return NULL;
  }
  *in_time = !is_last;
  pthread_mutex_unlock(&self->lock);
  ctorch_error *error = interrupt_check(function, begin);
  pthread_mutex_lock(&self->lock);
  self->is_interrupted = error != NULL;
  return error;
}

/* Wait until the first in the line is made, or there is none. */
static ctorch_error *wait_for_task(const char *function, struct worker_pool *self) {
  struct timespec deadline = deadline_of(self->loader->timeout);
  const uint64_t begin = interrupt_count();
  bool in_time = true;
  self->is_interrupted = false;
  for (;;) {
    if (self->out == 0 || (self->first != NULL && self->first->state == MADE)) {
      return NULL;
    }
    if (call_queue_serve(&self->queue)) {
      continue;
    }
    if (!in_time) {
      return error_make(function, CTORCH_ERROR_RUNTIME, "DataLoader timed out after %g seconds", self->loader->timeout);
    }
    CTORCH_TRY(wait_for_condition(function, self, &deadline, begin, &in_time));
  }
}

ctorch_error *worker_pool_take(const char *function, struct worker_pool *self, struct made *out, bool *more) {
  if (self->process != getpid()) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "the loader's workers are threads, which a child of fork() has not got");
  }
  int64_t begin = clock_now();
  pthread_mutex_lock(&self->lock);
  ctorch_error *error = wait_for_task(function, self);
  *more = error == NULL && self->out > 0;
  if (*more) {
    take(self, out);
  }
  pthread_mutex_unlock(&self->lock);
  atomic_fetch_add(&self->loader->consumer_waited, clock_now() - begin);
  return error;
}
