/* data.CachedDataset: samples that are kept. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>

#include "constructors/data.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/dataset.h"

struct cached {
  ctorch_dataset dataset;
  ctorch_dataset *inner; /* a reference */
  pthread_mutex_t lock;
  bool has_lock;
  ctorch_value **samples; /* each in a tuple of its own, taken; NULL for what nobody asked for yet */
  size_t samples_len;
};

static void finalize(void *self) {
  struct cached *cached = self;
  for (size_t i = 0; i < cached->samples_len; i++) {
    value_unref(cached->samples[i]);
  }
  free(cached->samples);
  if (cached->has_lock) {
    pthread_mutex_destroy(&cached->lock);
  }
  object_unref(cached->inner);
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  return dataset_len(function, ((const struct cached *)self)->inner, out);
}

/* What is kept never changes, nor goes before the dataset does. */
static const ctorch_value *kept_at(struct cached *cached, size_t index) {
  pthread_mutex_lock(&cached->lock);
  const ctorch_value *kept = cached->samples[index];
  pthread_mutex_unlock(&cached->lock);
  return kept;
}

/* Keep a sample, unless another thread was faster: that one's is kept. */
static ctorch_error *keep(struct cached *cached, size_t index, const ctorch_value *sample) {
  ctorch_value *tuple = NULL;
  CTORCH_TRY(ctorch_value_from_tuple(&tuple, &sample, 1));
  value_take(tuple);
  pthread_mutex_lock(&cached->lock);
  if (cached->samples[index] == NULL) {
    cached->samples[index] = tuple;
    tuple = NULL;
  }
  pthread_mutex_unlock(&cached->lock);
  value_unref(tuple);
  return NULL;
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  struct cached *cached = (struct cached *)self;
  if ((size_t)index >= cached->samples_len) {
    return fetch_get(fetch, cached->inner, out, index); /* it has become longer */
  }
  if (kept_at(cached, (size_t)index) == NULL) {
    ctorch_value *sample = NULL;
    CTORCH_TRY(fetch_get(fetch, cached->inner, &sample, index));
    ctorch_error *error = keep(cached, (size_t)index, sample);
    ctorch_value_release(sample);
    CTORCH_TRY(error_of(fetch->function, error));
  }
  return error_of(fetch->function, ctorch_value_get(out, kept_at(cached, (size_t)index), 0));
}

static ctorch_error *attribute(const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out) {
  const ctorch_dataset *inner = ((const struct cached *)self)->inner;
  const dataset_class *class = dataset_class_of(inner);
  return class->attribute == NULL ? NULL : class->attribute(function, inner, name, out);
}

static const dataset_class cached_class = {
    .object = DATASET_OBJECT(struct cached, finalize),
    .name = "CachedDataset",
    .len = len,
    .get = get,
    .attribute = attribute};

ctorch_error *data_CachedDataset(
    const char *function, ctorch_dataset **out, const struct data_CachedDataset_options *options) {
  int64_t samples = 0;
  CTORCH_TRY(dataset_check_by_index(function, "dataset", options->dataset));
  CTORCH_TRY(dataset_len(function, options->dataset, &samples));
  struct cached *self = dataset_new(&cached_class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = dataset_hold(function, &self->dataset, &self->inner, options->dataset);
  if (error == NULL) {
    self->samples = calloc(samples > 0 ? (size_t)samples : 1, sizeof(*self->samples));
    self->has_lock = self->samples != NULL && pthread_mutex_init(&self->lock, NULL) == 0;
    if (!self->has_lock) {
      error = error_memory(function, (uint64_t)samples * sizeof(*self->samples));
    }
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  self->samples_len = (size_t)samples;
  return object_give(function, out, self);
}
