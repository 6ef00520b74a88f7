/** What a loader is, and how a batch is made. */
#ifndef CTORCH_SHIM_DATA_LOADER_H
#define CTORCH_SHIM_DATA_LOADER_H

#include <ctorch.h>
#include <stdatomic.h>

#include "data/dataset.h"
#include "data/iterator.h"
#include "data/sampler.h"

struct worker_pool;

struct loader_callback {
  ctorch_loader_collate_callback collate;
  ctorch_loader_worker_callback worker_init;
  bool may_thread;
  void (*destroy)(void *payload);
  void *payload;
};

struct ctorch_loader {
  ctorch_dataset *dataset;       /* a reference */
  ctorch_sampler *index_sampler; /* a reference; NULL of an iterable dataset */
  int64_t batch_size;            /* 0: samples come one by one, or as the sampler says */
  bool makes_batches;            /* what comes is collated, and not converted */
  bool drop_last, pins, is_persistent, in_order;
  int64_t num_workers, prefetch_factor;
  double timeout;              /* in seconds; 0 for none */
  ctorch_generator *generator; /* the user's, taken; NULL for the default one */
  struct loader_callback collate, worker_init;
  ctorch_dataset *source;   /* of a callback that gives batches itself: an iterable dataset of them; NULL for none */
  struct worker_pool *pool; /* of persistent workers, once there are */
  ctorch_iterator *owner;   /* whose batches they make, borrowed */
  bool has_base_seed;       /* persistent workers keep theirs */
  uint64_t base_seed;
  int64_t epochs;                                                        /* that have begun */
  atomic_int iterators;                                                  /* that are alive */
  atomic_llong batches, consumer_waited, workers_waited, workers_worked; /* in nanoseconds, but for the first */
};

/** Nanoseconds of a clock that nobody sets. */
int64_t clock_now(void);

/* Making batches --------------------------------------------------------------------------------------------------- */

/** What one thread makes batches with. */
struct fetcher {
  const ctorch_loader *loader;
  struct fetch fetch;
  uint64_t base_seed;
  int64_t epoch;
  ctorch_iterator *samples; /* of an iterable dataset, taken; NULL before the first, and at the end */
  bool has_ended;
};

void fetcher_begin(struct fetcher *self, const ctorch_loader *loader, uint64_t base_seed, int64_t epoch);
void fetcher_end(struct fetcher *self);
/** The batch of a step; `*out` is left alone at the end of an iterable dataset. */
ctorch_error *fetcher_make(struct fetcher *self, const char *function, const struct indices *step, ctorch_value **out)
    __attribute__((warn_unused_result));

/* Iterations ------------------------------------------------------------------------------------------------------- */

/** How far an iteration is, with workers or without; it begins an iterator. */
struct iteration {
  ctorch_iterator iterator;
  ctorch_loader *loader;        /* a reference */
  struct sampler_cursor cursor; /* unless the dataset is iterable */
  uint64_t base_seed;
  int64_t epoch;
  int64_t yielded; /* steps that were handed out: all of them up to here … */
  int64_t *ahead;  /* … and these, where they come out of order */
  size_t ahead_len;
};

/** Of a new object, with a base seed that is drawn, or that of a state if there is one. */
ctorch_error *iteration_begin(
    const char *function, struct iteration *self, ctorch_loader *loader, const ctorch_value *state)
    __attribute__((warn_unused_result));
void iteration_end(struct iteration *self);
/** The next step; what an iterable dataset is asked for does not end. */
ctorch_error *iteration_step(const char *function, struct iteration *self, struct indices *out, bool *more)
    __attribute__((warn_unused_result));
ctorch_error *iteration_state(const char *function, const ctorch_iterator *self, ctorch_value **out);
/** Go to where another was; of an iterable dataset its steps are still to be gone over. */
ctorch_error *iteration_load_state(const char *function, struct iteration *self, const ctorch_value *state)
    __attribute__((warn_unused_result));
/** A step was handed out. */
ctorch_error *iteration_yield(const char *function, struct iteration *self, int64_t step)
    __attribute__((warn_unused_result));
bool iteration_was_yielded(const struct iteration *self, int64_t step);

/** What a loader remembers from one iteration to the next, which decides what is drawn in the next one. */
ctorch_error *loader_state(const char *function, const ctorch_loader *self, ctorch_value **out)
    __attribute__((warn_unused_result));
ctorch_error *loader_load_state(const char *function, ctorch_loader *self, const ctorch_value *state)
    __attribute__((warn_unused_result));

/** Iterators without workers, and with them. `state` may be NULL. */
ctorch_error *plain_iterate(
    const char *function, ctorch_iterator **out, ctorch_loader *loader, const ctorch_value *state)
    __attribute__((warn_unused_result));
ctorch_error *workers_iterate(
    const char *function, ctorch_iterator **out, ctorch_loader *loader, const ctorch_value *state)
    __attribute__((warn_unused_result));

#endif
