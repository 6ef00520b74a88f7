/* Iterations with workers. */
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/loader.h"
#include "data/worker_pool.h"

struct parallel {
  struct iteration iteration;
  struct worker_pool *pool; /* its own, or that of a loader with persistent workers, which it then borrows */
  struct indices step;
  int64_t given_out; /* number of the next step to be given out */
  bool has_all;      /* there is none */
  int64_t behind;    /* steps of an iterable dataset to go over, of a state that was loaded */
};

static bool owns_pool(const struct parallel *self) {
  return !self->iteration.loader->is_persistent || self->iteration.loader->owner == &self->iteration.iterator;
}

static void finalize(void *self) {
  struct parallel *parallel = self;
  ctorch_loader *loader = parallel->iteration.loader;
  if (loader != NULL && !loader->is_persistent) {
    if (!worker_pool_leave(parallel->pool)) {
      worker_pool_free(parallel->pool);
    }
  } else if (loader != NULL && owns_pool(parallel) && parallel->pool != NULL) {
    if (worker_pool_leave(parallel->pool)) {
      loader->pool = NULL;
    } else {
      worker_pool_begin(parallel->pool, 0, 0, 0); /* its steps are nobody's now */
    }
    loader->owner = NULL;
  }
  indices_free(&parallel->step);
  iteration_end(&parallel->iteration);
}

/* Give as many steps out as there is room for. */
static ctorch_error *give_out(const char *function, struct parallel *self) {
  struct iteration *it = &self->iteration;
  while (!self->has_all && worker_pool_has_room(self->pool)) {
    bool more = false;
    CTORCH_TRY(iteration_step(function, it, &self->step, &more));
    self->has_all = !more;
    if (!more) {
      break;
    }
    int64_t step = self->given_out++;
    if (it->loader->index_sampler != NULL && iteration_was_yielded(it, step)) {
      worker_pool_skip(self->pool);
    } else {
      worker_pool_put(self->pool, &self->step);
    }
  }
  return NULL;
}

/* The next batch that workers have made; `*step` is its number, and -1 at the end. */
static ctorch_error *take(const char *function, struct parallel *self, ctorch_value **out, int64_t *step) {
  struct made made = {0};
  bool more = true;
  *step = -1;
  do {
    CTORCH_TRY(give_out(function, self));
    CTORCH_TRY(worker_pool_take(function, self->pool, &made, &more));
  } while (more && made.batch == NULL && made.error == NULL);
  if (!more) {
    return NULL;
  }
  *step = made.number;
  ctorch_error *error = made.error;
  THEN(error, give_out(function, self));
  THEN(error, error_of(function, ctorch_value_get(out, made.batch, 0)));
  value_unref(made.batch);
  return error;
}

static ctorch_error *go_over(const char *function, struct parallel *self) {
  int64_t step = 0;
  for (; self->behind > 0 && step >= 0; self->behind--) {
    ctorch_value *batch = NULL;
    CTORCH_TRY(take(function, self, &batch, &step));
    ctorch_value_release(batch);
  }
  return NULL;
}

static ctorch_error *next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct parallel *parallel = (struct parallel *)self;
  int64_t step = -1;
  if (!owns_pool(parallel)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "the persistent workers of the loader have begun another iteration");
  }
  CTORCH_TRY(go_over(function, parallel));
  ctorch_error *error = take(function, parallel, out, &step);
  if (step < 0) {
    return error;
  }
  atomic_fetch_add(&parallel->iteration.loader->batches, error == NULL);
  ctorch_error *failure = iteration_yield(function, &parallel->iteration, step);
  if (error == NULL && failure != NULL) {
    ctorch_value_release(*out);
    *out = NULL;
    return failure;
  }
  ctorch_error_release(failure);
  return error;
}

/* Let the pool begin, and give the first steps out. */
static ctorch_error *start(const char *function, struct parallel *self) {
  struct iteration *it = &self->iteration;
  bool is_iterable = it->loader->index_sampler == NULL;
  self->has_all = false;
  self->behind = is_iterable ? it->yielded : 0;
  self->given_out = is_iterable ? 0 : it->yielded;
  worker_pool_begin(self->pool, it->base_seed, it->epoch, self->given_out);
  return give_out(function, self);
}

static ctorch_error *load_state(const char *function, ctorch_iterator *self, const ctorch_value *state) {
  struct parallel *parallel = (struct parallel *)self;
  CTORCH_TRY(iteration_load_state(function, &parallel->iteration, state));
  return start(function, parallel);
}

static const iterator_class parallel_class = {
    .object = ITERATOR_OBJECT(struct parallel, finalize),
    .next = next,
    .state = iteration_state,
    .load_state = load_state};

static ctorch_error *begin(
    const char *function, struct parallel *self, ctorch_loader *loader, const ctorch_value *state) {
  CTORCH_TRY(iteration_begin(function, &self->iteration, loader, state));
  if (!loader->is_persistent) {
    CTORCH_TRY(worker_pool_new(function, &self->pool, loader));
  } else {
    if (loader->pool == NULL || worker_pool_leave(loader->pool)) {
      loader->pool = NULL;
      CTORCH_TRY(worker_pool_new(function, &loader->pool, loader));
    }
    self->pool = loader->pool;
    loader->owner = &self->iteration.iterator;
  }
  return start(function, self);
}

ctorch_error *workers_iterate(
    const char *function, ctorch_iterator **out, ctorch_loader *loader, const ctorch_value *state) {
  struct parallel *self = object_new(&parallel_class.object);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = begin(function, self, loader, state);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}
