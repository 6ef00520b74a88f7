/** Workers: threads that make batches of steps, and hand them over with the numbers of the steps. */
#ifndef CTORCH_SHIM_DATA_WORKER_POOL_H
#define CTORCH_SHIM_DATA_WORKER_POOL_H

#include "data/loader.h"

/** A step that was made, or failed. */
struct made {
  int64_t number;
  int worker;
  ctorch_value *batch; /* in a tuple, taken; NULL if it failed, or the worker's samples have ended */
  ctorch_error *error;
};

/** Start the threads; they wait. */
ctorch_error *worker_pool_new(const char *function, struct worker_pool **out, ctorch_loader *loader)
    __attribute__((warn_unused_result));
/** End them, after what they are doing, and free all. NULL is allowed. */
void worker_pool_free(struct worker_pool *self);

/** Wait until no worker is at work. If an interrupt comes meanwhile, or ended the last wait for them: leave those that
 * are, to end after that by themselves and free all then, with a reference on the loader. False if the pool is still
 * there. */
bool worker_pool_leave(struct worker_pool *self);

/** Forget all steps, and begin an iteration. Steps are numbered from `first` on. */
void worker_pool_begin(struct worker_pool *self, uint64_t base_seed, int64_t epoch, int64_t first);

/** Whether a step may be given out: there is room, and a worker whose samples have not ended. */
bool worker_pool_has_room(struct worker_pool *self);
/** Give a step out; its indices are taken over, and `step` is empty afterwards. */
void worker_pool_put(struct worker_pool *self, struct indices *step);
/** Leave a number out, as if its step had been handed out. */
void worker_pool_skip(struct worker_pool *self);

/** Wait for the next step in order, or for any that is made, serving calls meanwhile. False if none is given out.
 * RUNTIME after the timeout, after an interrupt, or in a child of fork(). */
ctorch_error *worker_pool_take(const char *function, struct worker_pool *self, struct made *out, bool *more)
    __attribute__((warn_unused_result));

#endif
