/** Workers: threads that make batches of steps, and hand them over with the numbers of the steps. */
#ifndef CTORCH_DATA_TEAM_H
#define CTORCH_DATA_TEAM_H

#include "loader.h"

/** A step that was made, or failed. */
struct made {
  int64_t number;
  int worker;
  ctorch_value *batch; /* in a tuple, taken; NULL if it failed, or the worker's samples have ended */
  ctorch_error *error;
};

/** Start the threads; they wait. */
ctorch_error *team_new(const char *function, struct team **out, ctorch_loader *loader)
    __attribute__((warn_unused_result));
/** End them, after what they are doing, and free all. NULL is allowed. */
void team_free(struct team *self);

/** Wait until no worker is at work. If an interrupt comes meanwhile, or ended the last wait for them: leave those that
 * are, to end after that by themselves and free all then, with a reference on the loader. False if the team is still
 * there. */
bool team_leave(struct team *self);

/** Forget all steps, and begin an iteration. Steps are numbered from `first` on. */
void team_begin(struct team *self, uint64_t base_seed, int64_t epoch, int64_t first);

/** Whether a step may be given out: there is room, and a worker whose samples have not ended. */
bool team_has_room(struct team *self);
/** Give a step out; its indices are taken over, and `step` is empty afterwards. */
void team_put(struct team *self, struct indices *step);
/** Leave a number out, as if its step had been handed out. */
void team_skip(struct team *self);

/** Wait for the next step in order, or for any that is made, serving calls meanwhile. False if none is given out.
 * RUNTIME after the timeout, after an interrupt, or in a child of fork(). */
ctorch_error *team_take(const char *function, struct team *self, struct made *out, bool *more)
    __attribute__((warn_unused_result));

#endif
