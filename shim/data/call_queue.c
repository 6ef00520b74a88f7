/* Calls from workers to the consumer's thread. */
#define _POSIX_C_SOURCE 200809L
#include "data/call_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/c/error.h"
#include "core/c/object.h"

static _Thread_local const struct worker_info *now;

const struct worker_info *worker_now(void) { return now; }

const struct worker_info *worker_become(const struct worker_info *info) {
  const struct worker_info *before = now;
  now = info;
  return before;
}

struct queued_call {
  ctorch_error *(*run)(void *argument);
  void *argument;
  const struct worker_info *worker;
  ctorch_error *error;
  bool is_done, is_refused;
  pthread_cond_t done;
  pthread_mutex_t lock;
  struct queued_call *next;
};

static void finish(struct queued_call *call) {
  pthread_mutex_lock(&call->lock);
  call->is_done = true;
  pthread_cond_signal(&call->done);
  pthread_mutex_unlock(&call->lock);
}

static void wait_for(struct queued_call *call) {
  pthread_mutex_lock(&call->lock);
  while (!call->is_done) {
    pthread_cond_wait(&call->done, &call->lock);
  }
  pthread_mutex_unlock(&call->lock);
}

ctorch_error *call_queue_run(
    struct call_queue *self, const char *function, ctorch_error *(*run)(void *argument), void *argument) {
  if (self == NULL) {
    return run(argument);
  }
  struct queued_call call = {.run = run, .argument = argument, .worker = now};
  pthread_mutex_init(&call.lock, NULL);
  pthread_cond_init(&call.done, NULL);
  self->lock(self->pool);
  bool is_refused = self->is_closed;
  if (!is_refused) {
    *(self->first == NULL ? &self->first : &self->last->next) = &call;
    self->last = &call;
    self->ring(self->pool);
  }
  self->unlock(self->pool);
  if (!is_refused) {
    wait_for(&call);
    is_refused = call.is_refused;
  }
  pthread_cond_destroy(&call.done);
  pthread_mutex_destroy(&call.lock);
  if (is_refused) {
    call.error = error_make(function, CTORCH_ERROR_RUNTIME, "the iterator ended while a callback was waited for");
  }
  return call.error; /* NOLINT(clang-analyzer-core.StackAddressEscape): who served the call has taken it out */
}

/* References ------------------------------------------------------------------------------------------------------- */

static ctorch_error *call_unref(void *argument) {
  struct queued_release *rest = argument;
  object_unref(rest->object);
  free(rest);
  return NULL;
}

void call_queue_leave(struct call_queue *self, struct queued_release *rest) {
  ctorch_error *closed = call_queue_run(self, "ctorch_iterator_release", call_unref, rest);
  if (closed != NULL) {
    ctorch_error_release(closed);
    self->lock(self->pool);
    rest->next = self->rest;
    self->rest = rest;
    self->unlock(self->pool);
  }
}

void call_queue_clear(struct call_queue *self) {
  self->lock(self->pool);
  struct queued_release *rest = self->rest;
  self->rest = NULL;
  self->unlock(self->pool);
  for (struct queued_release *next = NULL; rest != NULL; rest = next) {
    next = rest->next;
    (void)call_unref(rest);
  }
}

/* The consumer ----------------------------------------------------------------------------------------------------- */

static struct queued_call *take(struct call_queue *self) {
  struct queued_call *call = self->first;
  if (call != NULL) {
    self->first = call->next;
  }
  return call;
}

bool call_queue_serve(struct call_queue *self) {
  struct queued_call *call = take(self);
  if (call == NULL) {
    return false;
  }
  self->unlock(self->pool);
  const struct worker_info *before = worker_become(call->worker);
  call->error = call->run(call->argument);
  worker_become(before);
  finish(call);
  self->lock(self->pool);
  return true;
}

void call_queue_close(struct call_queue *self) {
  self->is_closed = true;
  for (struct queued_call *call = take(self); call != NULL; call = take(self)) {
    call->is_refused = true;
    finish(call);
  }
}

void call_queue_open(struct call_queue *self) { self->is_closed = false; }
