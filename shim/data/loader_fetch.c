/* How a batch is made, on whichever thread. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/collate.h"
#include "data/loader.h"

void fetcher_begin(struct fetcher *self, const ctorch_loader *loader, uint64_t base_seed, int64_t epoch) {
  struct call_queue *queue = self->fetch.queue;
  fetcher_end(self);
  self->loader = loader;
  self->base_seed = base_seed;
  self->epoch = epoch;
  self->fetch.queue = queue;
}

void fetcher_end(struct fetcher *self) {
  object_unref(self->samples);
  fetch_end(&self->fetch);
  *self = (struct fetcher){0};
}

/* Seeds that have nothing to do with each other, for each sample of each epoch (the finalizer of SplitMix64). */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t seed_of(const struct fetcher *self, int64_t index) {
  return mix(mix(mix(self->base_seed) ^ (uint64_t)self->epoch) ^ (uint64_t)index);
}

/* Collation -------------------------------------------------------------------------------------------------------- */

struct call {
  const char *function;
  const struct loader_callback *callback;
  const ctorch_value *samples;
  bool is_distant;
  ctorch_value *batch;
};

static ctorch_error *call_collate(void *argument) {
  struct call *call = argument;
  ctorch_error *error = NULL;
  ctorch_callback_status status = call->callback->collate(&call->batch, call->samples, &error, call->callback->payload);
  error = callback_error(call->function, "collate", status, error);
  if (error == NULL && call->batch == NULL) {
    error = error_make(call->function, CTORCH_ERROR_CALLBACK, "collate gave no batch");
  }
  if (call->is_distant) {
    value_take(call->batch);
  }
  return error;
}

static ctorch_error *collate_by_callback(const struct fetcher *self, ctorch_value **out, const ctorch_value *samples) {
  const struct loader_callback *callback = &self->loader->collate;
  struct call_queue *queue = callback->may_thread ? NULL : self->fetch.queue;
  struct call call = {
      .function = self->fetch.function, .callback = callback, .samples = samples, .is_distant = queue != NULL};
  ctorch_error *error = call_queue_run(queue, self->fetch.function, call_collate, &call);
  if (error != NULL) {
    call.is_distant ? value_unref(call.batch) : ctorch_value_release(call.batch);
    return error;
  }
  if (call.is_distant) {
    return value_give(self->fetch.function, out, call.batch);
  }
  *out = call.batch;
  return NULL;
}

static ctorch_error *collate(
    const struct fetcher *self, ctorch_value **out, ctorch_value *const *samples, size_t samples_len) {
  if (self->loader->collate.collate == NULL) {
    return collate_samples(self->fetch.function, out, samples, samples_len);
  }
  ctorch_value *list = NULL;
  CTORCH_TRY(
      error_of(self->fetch.function, ctorch_value_from_list(&list, (const ctorch_value *const *)samples, samples_len)));
  ctorch_error *error = collate_by_callback(self, out, list);
  ctorch_value_release(list);
  return error;
}

static ctorch_error *convert(const struct fetcher *self, ctorch_value **out, ctorch_value *sample) {
  ctorch_error *error = self->loader->collate.collate == NULL ? convert_sample(self->fetch.function, out, sample)
                                                              : collate_by_callback(self, out, sample);
  ctorch_value_release(sample);
  return error;
}

/* By index --------------------------------------------------------------------------------------------------------- */

static ctorch_error *get(struct fetcher *self, ctorch_value **out, int64_t index) {
  fetch_seed(&self->fetch, seed_of(self, index));
  return error_at(fetch_get(&self->fetch, self->loader->dataset, out, index), "sample %" PRId64, index);
}

static ctorch_error *one_by_one(struct fetcher *self, const struct indices *step, ctorch_value **out) {
  ctorch_value **samples = calloc(step->len > 0 ? step->len : 1, sizeof(*samples));
  if (samples == NULL) {
    return error_memory(self->fetch.function, step->len * sizeof(*samples));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < step->len; i++) {
    error = get(self, &samples[i], step->data[i]);
  }
  if (error == NULL && step->len == 0 && self->loader->collate.collate == NULL) {
    error = error_make(self->fetch.function, CTORCH_ERROR_INDEX, "the sampler gave a batch without indices");
  }
  THEN(error, collate(self, out, samples, step->len));
  values_release(samples, step->len);
  return error;
}

static ctorch_error *make_by_index(struct fetcher *self, const struct indices *step, ctorch_value **out) {
  if (!self->loader->makes_batches) {
    ctorch_value *sample = NULL;
    if (step->is_batch) {
      return one_by_one(self, step, out); /* a sampler of one's own that makes batches */
    }
    CTORCH_TRY(get(self, &sample, step->data[0]));
    return convert(self, out, sample);
  }
  if (self->loader->collate.collate == NULL) {
    CTORCH_TRY(fetch_get_batch(&self->fetch, self->loader->dataset, out, step->data, step->len));
  }
  return *out != NULL ? NULL : one_by_one(self, step, out);
}

/* One after another ------------------------------------------------------------------------------------------------ */

static ctorch_error *next(struct fetcher *self, ctorch_value **out) {
  if (self->has_ended) {
    return NULL;
  }
  if (self->samples == NULL) {
    CTORCH_TRY(fetch_iterate(&self->fetch, self->loader->dataset, &self->samples));
    object_take(self->samples);
  }
  CTORCH_TRY(iterator_next(self->fetch.function, self->samples, out));
  self->has_ended = *out == NULL;
  return NULL;
}

static ctorch_error *make_of_next(struct fetcher *self, ctorch_value **out) {
  size_t wanted = (size_t)self->loader->batch_size, len = 0;
  ctorch_value *sample = NULL;
  if (!self->loader->makes_batches) {
    CTORCH_TRY(next(self, &sample));
    return sample == NULL ? NULL : convert(self, out, sample);
  }
  ctorch_value **samples = NULL;
  size_t capacity = 0;
  ctorch_error *error = NULL;
  while (error == NULL && len < wanted) {
    if (len == capacity) {
      capacity = capacity > 0 ? 2 * capacity : 16;
      ctorch_value **more = realloc(samples, capacity * sizeof(*samples));
      if (more == NULL) {
        error = error_memory(self->fetch.function, capacity * sizeof(*samples));
        break;
      }
      samples = more;
    }
    samples[len] = NULL;
    error = next(self, &samples[len]);
    if (error != NULL || samples[len] == NULL) {
      break;
    }
    len++;
  }
  if (error == NULL && len > 0 && !(self->loader->drop_last && len < wanted)) {
    error = collate(self, out, samples, len);
  }
  values_release(samples, len);
  return error;
}

ctorch_error *fetcher_make(struct fetcher *self, const char *function, const struct indices *step, ctorch_value **out) {
  ctorch_value *batch = NULL, *pinned = NULL;
  self->fetch.function = function;
  ctorch_error *error =
      dataset_is_iterable(self->loader->dataset) ? make_of_next(self, &batch) : make_by_index(self, step, &batch);
  if (error == NULL && batch != NULL && self->loader->pins) {
    error = pin_value(function, &pinned, batch);
    ctorch_value_release(batch);
    batch = pinned;
  }
  if (error == NULL) {
    *out = batch;
  }
  return error;
}
