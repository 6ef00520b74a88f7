/* How far an iteration of a loader is, and iterations without workers. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "data/loader.h"

int64_t clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool by_index(const struct iteration *self) { return self->loader->index_sampler != NULL; }

/* Draw the base seed; persistent workers keep theirs. */
static ctorch_error *draw_base_seed(const char *function, struct iteration *self) {
  ctorch_loader *loader = self->loader;
  if (!loader->is_persistent || !loader->has_base_seed) {
    CTORCH_TRY(draw_seed(function, loader->generator, &loader->base_seed));
    loader->has_base_seed = true;
  }
  self->base_seed = loader->base_seed;
  return NULL;
}

ctorch_error *iteration_begin(
    const char *function, struct iteration *self, ctorch_loader *loader, const ctorch_value *state) {
  self->loader = object_ref(loader);
  atomic_fetch_add(&loader->iterators, 1);
  if (by_index(self)) {
    CTORCH_TRY(cursor_begin(function, &self->cursor, loader->index_sampler));
  }
  if (state != NULL) {
    return iteration_load_state(function, self, state);
  }
  CTORCH_TRY(draw_base_seed(function, self));
  self->epoch = loader->epochs++;
  return NULL;
}

void iteration_end(struct iteration *self) {
  cursor_end(&self->cursor);
  free(self->ahead);
  if (self->loader != NULL) {
    atomic_fetch_sub(&self->loader->iterators, 1);
    object_unref(self->loader);
  }
}

ctorch_error *iteration_step(const char *function, struct iteration *self, struct indices *out, bool *more) {
  if (by_index(self)) {
    return cursor_next(function, &self->cursor, out, more);
  }
  out->len = 0;
  out->is_batch = self->loader->makes_batches;
  *more = true;
  return NULL;
}

/* Steps that were handed out --------------------------------------------------------------------------------------- */

bool iteration_was_yielded(const struct iteration *self, int64_t step) {
  for (size_t i = 0; i < self->ahead_len; i++) {
    if (self->ahead[i] == step) {
      return true;
    }
  }
  return step < self->yielded;
}

static ctorch_error *add_ahead(const char *function, struct iteration *self, int64_t step) {
  int64_t *ahead = realloc(self->ahead, (self->ahead_len + 1) * sizeof(*ahead));
  if (ahead == NULL) {
    return error_memory(function, (self->ahead_len + 1) * sizeof(*ahead));
  }
  self->ahead = ahead;
  self->ahead[self->ahead_len++] = step;
  return NULL;
}

static bool remove_ahead(struct iteration *self, int64_t step) {
  for (size_t i = 0; i < self->ahead_len; i++) {
    if (self->ahead[i] == step) {
      self->ahead[i] = self->ahead[--self->ahead_len];
      return true;
    }
  }
  return false;
}

/* Of an iterable dataset batches alone count, as some of its workers end before others. */
ctorch_error *iteration_yield(const char *function, struct iteration *self, int64_t step) {
  if (by_index(self) && step != self->yielded) {
    return add_ahead(function, self, step);
  }
  do {
    self->yielded++;
  } while (remove_ahead(self, self->yielded));
  return NULL;
}

/* States ----------------------------------------------------------------------------------------------------------- */

ctorch_error *iteration_state(const char *function, const ctorch_iterator *self, ctorch_value **out) {
  const struct iteration *it = (const struct iteration *)self;
  ctorch_value *state = NULL, *sampler = NULL, *ahead = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_dict(&state, NULL, 0, NULL, 0)));
  ctorch_error *error = NULL;
  state_put_int(&error, state, "base_seed", (int64_t)it->base_seed);
  state_put_int(&error, state, "epoch", it->epoch);
  state_put_int(&error, state, "yielded", it->yielded);
  if (error == NULL) {
    error = ctorch_value_from_ints(&ahead, it->ahead, it->ahead_len);
    state_put(&error, state, "ahead", ahead);
  }
  if (error == NULL) {
    error = by_index(it) ? cursor_state(function, &it->cursor, &sampler) : ctorch_value_from_none(&sampler);
    state_put(&error, state, "sampler", sampler);
  }
  if (error != NULL) {
    ctorch_value_release(state);
    return error_of(function, error);
  }
  *out = state;
  return NULL;
}

static ctorch_error *load_ahead(const char *function, struct iteration *self, const ctorch_value *state) {
  ctorch_value *ahead = NULL;
  CTORCH_TRY(state_get(function, state, "ahead", &ahead));
  ctorch_error *error = NULL;
  self->ahead_len = 0;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(ahead); i++) {
    ctorch_value *item = NULL;
    int64_t step = 0;
    error = ctorch_value_get(&item, ahead, i);
    THEN(error, ctorch_value_to_int(&step, item));
    ctorch_value_release(item);
    THEN(error, add_ahead(function, self, step));
  }
  ctorch_value_release(ahead);
  return error_at(error_of(function, error), "state: ahead");
}

ctorch_error *iteration_load_state(const char *function, struct iteration *self, const ctorch_value *state) {
  int64_t base_seed = 0, epoch = 0, yielded = 0;
  ctorch_value *sampler = NULL;
  CTORCH_TRY(state_get_int(function, state, "base_seed", INT64_MIN, &base_seed));
  CTORCH_TRY(state_get_int(function, state, "epoch", 0, &epoch));
  CTORCH_TRY(state_get_int(function, state, "yielded", 0, &yielded));
  CTORCH_TRY(load_ahead(function, self, state));
  if (by_index(self)) {
    CTORCH_TRY(state_get(function, state, "sampler", &sampler));
    cursor_end(&self->cursor);
    ctorch_error *error = cursor_begin(function, &self->cursor, self->loader->index_sampler);
    THEN(error, cursor_load_state(function, &self->cursor, sampler, yielded));
    ctorch_value_release(sampler);
    CTORCH_TRY(error);
  }
  self->base_seed = self->loader->base_seed = (uint64_t)base_seed;
  self->loader->has_base_seed = true;
  self->epoch = epoch;
  self->loader->epochs = epoch == INT64_MAX ? epoch : epoch + 1;
  self->yielded = yielded;
  return NULL;
}

/* What a loader remembers from one iteration to the next. */

ctorch_error *loader_state(const char *function, const ctorch_loader *self, ctorch_value **out) {
  ctorch_value *state = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_dict(&state, NULL, 0, NULL, 0)));
  ctorch_error *error = NULL;
  state_put_int(&error, state, "epochs", self->epochs);
  state_put_int(&error, state, "has_base_seed", self->has_base_seed);
  state_put_int(&error, state, "base_seed", (int64_t)self->base_seed);
  if (error != NULL) {
    ctorch_value_release(state);
    return error_of(function, error);
  }
  *out = state;
  return NULL;
}

ctorch_error *loader_load_state(const char *function, ctorch_loader *self, const ctorch_value *state) {
  int64_t epochs = 0, has_base_seed = 0, base_seed = 0;
  CTORCH_TRY(state_get_int(function, state, "epochs", 0, &epochs));
  CTORCH_TRY(state_get_int(function, state, "has_base_seed", 0, &has_base_seed));
  CTORCH_TRY(state_get_int(function, state, "base_seed", INT64_MIN, &base_seed));
  self->epochs = epochs;
  self->has_base_seed = has_base_seed != 0;
  self->base_seed = (uint64_t)base_seed;
  return NULL;
}

/* Without workers -------------------------------------------------------------------------------------------------- */

struct plain {
  struct iteration iteration;
  struct indices step;
  struct fetcher fetcher;
  int64_t behind; /* steps of an iterable dataset to go over, of a state that was loaded */
};

static void finalize(void *self) {
  struct plain *plain = self;
  fetcher_end(&plain->fetcher);
  indices_free(&plain->step);
  iteration_end(&plain->iteration);
}

static ctorch_error *make(const char *function, struct plain *self, ctorch_value **out, bool *more) {
  CTORCH_TRY(iteration_step(function, &self->iteration, &self->step, more));
  return *more ? fetcher_make(&self->fetcher, function, &self->step, out) : NULL;
}

static ctorch_error *go_over(const char *function, struct plain *self) {
  for (bool more = true; more && self->behind > 0; self->behind--) {
    ctorch_value *batch = NULL;
    CTORCH_TRY(make(function, self, &batch, &more));
    more = more && batch != NULL;
    ctorch_value_release(batch);
  }
  return NULL;
}

static ctorch_error *next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct plain *plain = (struct plain *)self;
  ctorch_loader *loader = plain->iteration.loader;
  int64_t begin = clock_now(), step = plain->iteration.yielded;
  bool more = false;
  CTORCH_TRY(go_over(function, plain));
  ctorch_error *error = make(function, plain, out, &more);
  atomic_fetch_add(&loader->consumer_waited, clock_now() - begin);
  atomic_fetch_add(&loader->batches, *out != NULL);
  if (!more || (error == NULL && *out == NULL)) {
    return error;
  }
  ctorch_error *failure = iteration_yield(function, &plain->iteration, step);
  if (error != NULL) {
    ctorch_error_release(failure);
    return error;
  }
  return failure;
}

static void start(struct plain *self) {
  struct iteration *it = &self->iteration;
  fetcher_begin(&self->fetcher, it->loader, it->base_seed, it->epoch);
  self->behind = by_index(it) ? 0 : it->yielded;
}

static ctorch_error *load_state(const char *function, ctorch_iterator *self, const ctorch_value *state) {
  struct plain *plain = (struct plain *)self;
  CTORCH_TRY(iteration_load_state(function, &plain->iteration, state));
  start(plain);
  return NULL;
}

static const iterator_class plain_class = {
    .object = ITERATOR_OBJECT(struct plain, finalize),
    .next = next,
    .state = iteration_state,
    .load_state = load_state};

ctorch_error *plain_iterate(
    const char *function, ctorch_iterator **out, ctorch_loader *loader, const ctorch_value *state) {
  struct plain *self = object_new(&plain_class.object);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = iteration_begin(function, &self->iteration, loader, state);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  start(self);
  return object_give(function, out, self);
}
