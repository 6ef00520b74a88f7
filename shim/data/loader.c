/* data.DataLoader and the public functions of loaders. */
#include "data/loader.h"

#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/data.h"
#include "core/c/error.h"
#include "core/c/generator.h"
#include "core/c/payload.h"
#include "data/worker_pool.h"

enum { MAX_WORKERS = 4096, MAX_STEPS = 1 << 20 };

static void drop(struct loader_callback *callback) {
  payload_destroy(callback->destroy, callback->payload);
  *callback = (struct loader_callback){0};
}

static void finalize(void *self) {
  ctorch_loader *loader = self;
  worker_pool_free(loader->pool);
  object_unref(loader->source);
  object_unref(loader->index_sampler);
  object_unref(loader->dataset);
  generator_unref(loader->generator);
  drop(&loader->collate);
  drop(&loader->worker_init);
}

static const object_class loader_class = {"loader", sizeof(ctorch_loader), finalize};

/* Making ----------------------------------------------------------------------------------------------------------- */

#define REFUSE(condition, ...)                                      \
  do {                                                              \
    if (condition) {                                                \
      return error_make(function, CTORCH_ERROR_VALUE, __VA_ARGS__); \
    }                                                               \
  } while (0)

static ctorch_error *check_workers(const char *function, const struct data_DataLoader_options *options) {
  int64_t workers = options->num_workers;
  int64_t prefetch = options->prefetch_factor != NULL ? *options->prefetch_factor : 2;
  REFUSE(workers < 0, "num_workers option should be non-negative; use num_workers=0 to load on this thread");
  REFUSE(workers > MAX_WORKERS, "num_workers: expected at most %d, got %" PRId64, MAX_WORKERS, workers);
  REFUSE(!(options->timeout >= 0), "timeout option should be non-negative");
  REFUSE(
      workers == 0 && options->prefetch_factor != NULL,
      "prefetch_factor option could only be specified with workers; let num_workers > 0");
  REFUSE(prefetch < 1, "prefetch_factor: expected at least 1, got %" PRId64, prefetch);
  REFUSE(
      workers > 0 && prefetch > MAX_STEPS / workers,
      "prefetch_factor: expected at most %" PRId64 " for %" PRId64 " workers, got %" PRId64,
      MAX_STEPS / (workers > 0 ? workers : 1), workers, prefetch);
  REFUSE(options->persistent_workers && workers == 0, "persistent_workers option needs num_workers > 0");
  REFUSE(options->timeout > 0 && workers == 0, "timeout: expected 0 without workers, got %g", options->timeout);
  return NULL;
}

static ctorch_error *check_order(
    const char *function, const struct data_DataLoader_options *options, int64_t batch_size) {
  if (dataset_is_iterable(options->dataset)) {
    REFUSE(options->shuffle, "DataLoader with IterableDataset: expected unspecified shuffle option");
    REFUSE(options->sampler != NULL, "DataLoader with IterableDataset: expected unspecified sampler option");
    REFUSE(
        options->batch_sampler != NULL, "DataLoader with IterableDataset: expected unspecified batch_sampler option");
  }
  REFUSE(options->sampler != NULL && options->shuffle, "sampler option is mutually exclusive with shuffle");
  REFUSE(
      options->batch_sampler != NULL &&
          (batch_size != 1 || options->shuffle || options->sampler != NULL || options->drop_last),
      "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last");
  REFUSE(batch_size < 0, "batch_size should be a positive integer value, but got batch_size=%" PRId64, batch_size);
  REFUSE(
      batch_size == 0 && options->drop_last,
      "batch_size=None (0) disables auto-batching and is mutually exclusive with drop_last");
  return NULL;
}

#undef REFUSE

/* The order of single samples; the caller's. */
static ctorch_error *single_sampler(ctorch_sampler **out, const struct data_DataLoader_options *options) {
  if (options->sampler != NULL) {
    *out = options->sampler;
    ctorch_sampler_retain(*out);
    return NULL;
  }
  return options->shuffle ? ctorch_data_RandomSampler(out, options->dataset, false, NULL, options->generator)
                          : ctorch_data_SequentialSampler(out, options->dataset);
}

static ctorch_error *set_sampler(
    const char *function, ctorch_loader *self, const struct data_DataLoader_options *options) {
  ctorch_sampler *single = NULL, *batches = NULL;
  if (dataset_is_iterable(options->dataset)) {
    return NULL;
  }
  if (options->batch_sampler != NULL) {
    self->index_sampler = object_ref(options->batch_sampler);
    return NULL;
  }
  CTORCH_TRY(error_of(function, single_sampler(&single, options)));
  ctorch_error *error = NULL;
  if (self->batch_size > 0) {
    error = ctorch_data_BatchSampler(&batches, single, self->batch_size, options->drop_last);
  }
  if (error == NULL) {
    self->index_sampler = object_ref(batches != NULL ? batches : single);
  }
  ctorch_sampler_release(batches);
  ctorch_sampler_release(single);
  return error_of(function, error);
}

/* As Python does: a warning, and no pinning, where nothing could use it. */
static ctorch_error *set_pinning(ctorch_loader *self, bool wanted) {
  ctorch_device_type accelerator = ctorch_device_accelerator_type();
  self->pins = wanted && accelerator != CTORCH_DEVICE_TYPE_CPU && ctorch_device_count(accelerator) > 0;
  if (wanted && !self->pins) {
    return ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.");
  }
  return NULL;
}

ctorch_error *data_DataLoader(
    const char *function, ctorch_loader **out, const struct data_DataLoader_options *options) {
  int64_t batch_size = *options->batch_size;
  CTORCH_TRY(check_workers(function, options));
  CTORCH_TRY(check_order(function, options, batch_size));
  ctorch_loader *self = object_new(&loader_class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  self->dataset = object_ref(options->dataset);
  self->batch_size = options->batch_sampler != NULL ? 0 : batch_size;
  self->makes_batches = options->batch_sampler != NULL || batch_size > 0;
  self->drop_last = options->drop_last;
  self->num_workers = options->num_workers;
  self->prefetch_factor = options->prefetch_factor != NULL ? *options->prefetch_factor : 2;
  self->timeout = options->timeout;
  self->is_persistent = options->persistent_workers;
  self->in_order = options->in_order;
  self->generator = generator_ref(options->generator);
  ctorch_error *error = set_sampler(function, self, options);
  THEN(error, error_of(function, set_pinning(self, options->pin_memory)));
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

/* The public functions --------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_loader_from_callback(
    ctorch_loader **out,
    const int64_t *len,
    ctorch_loader_iterate_callback iterate,
    void (*destroy)(void *payload),
    void *payload) {
  ctorch_dataset *source = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || iterate == NULL) {
    return error_null(__func__, out == NULL ? "out" : "iterate");
  }
  ctorch_loader *self = object_new(&loader_class);
  if (self == NULL) {
    return object_give(__func__, out, NULL);
  }
  ctorch_error *error = ctorch_dataset_from_iterable(&source, len, iterate, false, destroy, payload);
  if (error != NULL) {
    object_unref(self);
    return error_of(__func__, error);
  }
  self->source = object_ref(source);
  ctorch_dataset_release(source);
  return object_give(__func__, out, self);
}

void ctorch_loader_retain(const ctorch_loader *self) { object_retain(self); }

void ctorch_loader_release(ctorch_loader *self) { object_release(self); }

static ctorch_error *set_callback(
    const char *function, ctorch_loader *self, struct loader_callback *at, const struct loader_callback *callback) {
  if (self->source != NULL) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "a loader of a callback makes its batches itself");
  }
  if (atomic_load(&self->iterators) > 0) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "an iterator of the loader is alive");
  }
  if (self->pool != NULL) { /* workers that had begun with the other */
    worker_pool_free(self->pool);
    self->pool = NULL;
  }
  struct loader_callback before = *at;
  *at = *callback;
  drop(&before);
  return NULL;
}

ctorch_error *ctorch_loader_set_collate(
    ctorch_loader *self,
    ctorch_loader_collate_callback collate,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  const struct loader_callback callback = {
      .collate = collate, .may_thread = may_thread, .destroy = destroy, .payload = payload};
  return set_callback(__func__, self, &self->collate, &callback);
}

ctorch_error *ctorch_loader_set_worker_init(
    ctorch_loader *self,
    ctorch_loader_worker_callback worker_init,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  const struct loader_callback callback = {
      .worker_init = worker_init, .may_thread = may_thread, .destroy = destroy, .payload = payload};
  return set_callback(__func__, self, &self->worker_init, &callback);
}

ctorch_error *ctorch_loader_len(int64_t *out, const ctorch_loader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  int64_t len = 0, size = self->batch_size;
  if (self->source != NULL) {
    CTORCH_TRY(dataset_len(__func__, self->source, &len));
  } else if (self->index_sampler != NULL) {
    CTORCH_TRY(sampler_len(__func__, self->index_sampler, &len));
  } else {
    CTORCH_TRY(dataset_len(__func__, self->dataset, &len));
    if (size > 0) {
      len = len / size + (!self->drop_last && len % size != 0);
    }
  }
  *out = len;
  return NULL;
}

static ctorch_error *iterate_source(
    const char *function, ctorch_iterator **out, const ctorch_loader *self, const ctorch_value *state) {
  struct fetch fetch = FETCH(function);
  ctorch_iterator *batches = NULL;
  CTORCH_TRY(fetch_iterate(&fetch, self->source, &batches));
  ctorch_error *error = state != NULL ? iterator_load_state(function, batches, state) : NULL;
  if (error != NULL) {
    ctorch_iterator_release(batches);
    return error;
  }
  *out = batches;
  return NULL;
}

static ctorch_error *iterate(
    const char *function, ctorch_iterator **out, ctorch_loader *self, const ctorch_value *state) {
  if (self->source != NULL) {
    return iterate_source(function, out, self, state);
  }
  return self->num_workers > 0 ? workers_iterate(function, out, self, state)
                               : plain_iterate(function, out, self, state);
}

ctorch_error *ctorch_loader_iterate(ctorch_iterator **out, ctorch_loader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return iterate(__func__, out, self, NULL);
}

ctorch_error *ctorch_loader_iterate_from(ctorch_iterator **out, ctorch_loader *self, const ctorch_value *state) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || state == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "state");
  }
  return iterate(__func__, out, self, state);
}

ctorch_error *ctorch_loader_worker_info(int64_t *out_worker, int64_t *out_num_workers, uint64_t *out_seed) {
  CTORCH_TRY(error_refusal(__func__));
  if (out_worker == NULL || out_num_workers == NULL || out_seed == NULL) {
    return error_null(
        __func__, out_worker == NULL        ? "out_worker"
                  : out_num_workers == NULL ? "out_num_workers"
                                            : "out_seed");
  }
  const struct worker_info *info = worker_now();
  *out_worker = info == NULL ? -1 : info->number;
  *out_num_workers = info == NULL ? 0 : info->count;
  *out_seed = info == NULL ? 0 : info->seed;
  return NULL;
}

ctorch_error *ctorch_loader_statistics(
    int64_t *out_batches,
    double *out_consumer_waited,
    double *out_workers_waited,
    double *out_workers_worked,
    const ctorch_loader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out_batches == NULL || out_consumer_waited == NULL || out_workers_waited == NULL || out_workers_worked == NULL ||
      self == NULL) {
    return error_null(
        __func__, out_batches == NULL           ? "out_batches"
                  : out_consumer_waited == NULL ? "out_consumer_waited"
                  : out_workers_waited == NULL  ? "out_workers_waited"
                  : out_workers_worked == NULL  ? "out_workers_worked"
                                                : "self");
  }
  *out_batches = atomic_load(&self->batches);
  *out_consumer_waited = (double)atomic_load(&self->consumer_waited) / 1e9;
  *out_workers_waited = (double)atomic_load(&self->workers_waited) / 1e9;
  *out_workers_worked = (double)atomic_load(&self->workers_worked) / 1e9;
  return NULL;
}
