/**
 * The way of workers to the consumer's thread: callbacks that must not run on other threads are called there, while it
 * waits for a batch.
 */
#ifndef CTORCH_DATA_GATE_H
#define CTORCH_DATA_GATE_H

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

struct gate_call;

/** A reference that ends on the consumer's thread; room for it is made before, so that ending it cannot fail. */
struct gate_rest {
  void *object;
  struct gate_rest *next;
};

/** Its functions are called by one who holds the team's lock, but for gate_run, gate_leave and gate_clear. */
struct gate {
  void *team; /* whose lock and bell it uses */
  void (*lock)(void *team);
  void (*unlock)(void *team);
  void (*ring)(void *team); /* wake the consumer */
  struct gate_call *first, *last;
  struct gate_rest *rest;
  bool is_closed;
};

/** Run something on the consumer's thread, and wait for it; at once if there is no gate. RUNTIME once it is closed. */
ctorch_error *gate_run(struct gate *self, const char *function, ctorch_error *(*run)(void *argument), void *argument)
    __attribute__((warn_unused_result));

/** Let the consumer's thread end a reference: at once, or once it has waited for this one. At once if there is no gate. */
void gate_leave(struct gate *self, struct gate_rest *rest);
/** On the consumer's thread: end what was left. */
void gate_clear(struct gate *self);

/** Serve a waiting call, with the lock given up meanwhile; false if none waits. */
bool gate_serve(struct gate *self);

/** Refuse the calls that wait, and all later ones until gate_open. */
void gate_close(struct gate *self);
void gate_open(struct gate *self);

#endif
