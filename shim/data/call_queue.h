/**
 * The way of workers to the consumer's thread: callbacks that must not run on other threads are called there, while it
 * waits for a batch.
 */
#ifndef CTORCH_SHIM_DATA_CALL_QUEUE_H
#define CTORCH_SHIM_DATA_CALL_QUEUE_H

#include <ctorch.h>

/** A worker of a loader. */
struct worker_info {
  int64_t number, count;
  uint64_t seed;
};

/** That which this thread is, or calls back for; NULL for none. */
const struct worker_info *worker_now(void);
/** Set it; what it was before. */
const struct worker_info *worker_become(const struct worker_info *info);

struct queued_call;

/** A reference that ends on the consumer's thread; room for it is made before, so that ending it cannot fail. */
struct queued_release {
  void *object;
  struct queued_release *next;
};

/** Its functions are called by one who holds the pool's lock, but for call_queue_run, call_queue_leave and
 * call_queue_clear. */
struct call_queue {
  void *pool; /* whose lock and condition it uses */
  void (*lock)(void *pool);
  void (*unlock)(void *pool);
  void (*ring)(void *pool); /* wake the consumer */
  struct queued_call *first, *last;
  struct queued_release *rest;
  bool is_closed;
};

/** Run something on the consumer's thread, and wait for it; at once if there is no queue. RUNTIME once it is closed. */
ctorch_error *call_queue_run(
    struct call_queue *self, const char *function, ctorch_error *(*run)(void *argument), void *argument)
    __attribute__((warn_unused_result));

/** Let the consumer's thread end a reference: at once, or once it has waited for this one. At once if there is no
 * queue. */
void call_queue_leave(struct call_queue *self, struct queued_release *rest);
/** On the consumer's thread: end what was left. */
void call_queue_clear(struct call_queue *self);

/** Serve a waiting call, with the lock given up meanwhile; false if none waits. */
bool call_queue_serve(struct call_queue *self);

/** Refuse the calls that wait, and all later ones until call_queue_open. */
void call_queue_close(struct call_queue *self);
void call_queue_open(struct call_queue *self);

#endif
