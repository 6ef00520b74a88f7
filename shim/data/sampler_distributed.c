/* data.DistributedSampler: the part of one process. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/data.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "data/dataset.h"
#include "data/iterator.h"
#include "data/sampler.h"

struct distributed {
  ctorch_sampler sampler;
  ctorch_dataset *dataset; /* a reference */
  int64_t num_replicas, rank, seed, epoch;
  int64_t num_samples; /* of each process */
  bool shuffle, drop_last;
};

struct place {
  bool has_begun;
  int64_t epoch, len;
  ctorch_tensor *order; /* int64, taken; NULL without shuffling */
  const int64_t *data;
};

static void finalize(void *self) { object_unref(((struct distributed *)self)->dataset); }

static void end(void *place) { tensor_unref(((struct place *)place)->order); }

static ctorch_error *len(const char *function, const ctorch_sampler *self, int64_t *out) {
  (void)function;
  *out = ((const struct distributed *)self)->num_samples;
  return NULL;
}

static ctorch_error *shuffled(const struct distributed *self, int64_t epoch, int64_t n, ctorch_tensor **out) {
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ctorch_generator *generator = NULL;
  CTORCH_TRY(ctorch_generator_new(&generator, &cpu));
  ctorch_error *error = ctorch_generator_manual_seed(generator, (uint64_t)self->seed + (uint64_t)epoch);
  THEN(error, ctorch_aten_randperm_generator(out, n, generator, &int64, NULL, NULL, NULL));
  ctorch_generator_release(generator);
  return error;
}

static ctorch_error *begin(const char *function, const struct distributed *self, struct place *place) {
  const void *data = NULL;
  if (!place->has_begun) {
    place->epoch = self->epoch;
    place->has_begun = true;
  }
  CTORCH_TRY(dataset_len(function, self->dataset, &place->len));
  if (self->shuffle) {
    CTORCH_TRY(error_of(function, shuffled(self, place->epoch, place->len, &place->order)));
    tensor_take(place->order);
    CTORCH_TRY(error_of(function, ctorch_tensor_const_data(&data, place->order)));
    place->data = data;
  }
  return NULL;
}

/* All processes take turns over the order, which begins anew where it is too short. */
static ctorch_error *next(const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more) {
  const struct distributed *self = (const struct distributed *)cursor->sampler;
  struct place *place = cursor->place;
  if (cursor->yielded == self->num_samples) {
    return NULL;
  }
  if (place->len == 0) {
    CTORCH_TRY(begin(function, self, place));
  }
  if (place->len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "the dataset has become empty");
  }
  int64_t at = (self->rank + cursor->yielded * self->num_replicas) % place->len;
  *more = true;
  return indices_add(function, out, place->data != NULL ? place->data[at] : at);
}

static ctorch_error *state(const char *function, const struct sampler_cursor *cursor, ctorch_value *state) {
  const struct place *place = cursor->place;
  const struct distributed *self = (const struct distributed *)cursor->sampler;
  ctorch_error *error = NULL;
  state_put_int(&error, state, "epoch", place->has_begun ? place->epoch : self->epoch);
  return error_of(function, error);
}

static ctorch_error *load_state(const char *function, struct sampler_cursor *cursor, const ctorch_value *state) {
  struct place *place = cursor->place;
  CTORCH_TRY(state_get_int(function, state, "epoch", INT64_MIN, &place->epoch));
  place->has_begun = true;
  return NULL;
}

static ctorch_error *set_epoch(const char *function, ctorch_sampler *self, int64_t epoch) {
  (void)function;
  ((struct distributed *)self)->epoch = epoch;
  return NULL;
}

static const sampler_class distributed_class = {
    .object = SAMPLER_OBJECT(struct distributed, finalize),
    .name = "DistributedSampler",
    .place_size = sizeof(struct place),
    .len = len,
    .next = next,
    .end = end,
    .state = state,
    .load_state = load_state,
    .set_epoch = set_epoch};

ctorch_error *data_DistributedSampler(
    const char *function, ctorch_sampler **out, const struct data_DistributedSampler_options *options) {
  int64_t n = 0, replicas = options->num_replicas;
  if (replicas < 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "num_replicas: expected at least 1, got %" PRId64, options->num_replicas);
  }
  if (options->rank < 0 || options->rank >= replicas) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Invalid rank %" PRId64 ", rank should be in the interval [0, %" PRId64 "]",
        options->rank, replicas - 1);
  }
  CTORCH_TRY(dataset_len(function, options->dataset, &n));
  struct distributed *self = object_new(&distributed_class.object);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  self->dataset = object_ref(options->dataset);
  self->num_replicas = replicas;
  self->rank = options->rank;
  self->seed = options->seed;
  self->shuffle = options->shuffle;
  self->drop_last = options->drop_last;
  self->num_samples = options->drop_last ? n / replicas : n / replicas + (n % replicas != 0);
  return object_give(function, out, self);
}
