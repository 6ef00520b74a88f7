/* data.ConcatDataset, data.ChainDataset and data.StackDataset: several datasets as one. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/data.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/dataset.h"
#include "data/iterator.h"

struct joined {
  ctorch_dataset dataset;
  ctorch_dataset **datasets; /* references */
  size_t datasets_len;
  ctorch_value **names; /* of a stack that gives dicts, taken; NULL otherwise */
};

static void finalize(void *self) {
  struct joined *joined = self;
  for (size_t i = 0; i < joined->datasets_len; i++) {
    object_unref(joined->datasets[i]);
    if (joined->names != NULL) {
      value_unref(joined->names[i]);
    }
  }
  free(joined->datasets);
  free(joined->names);
}

static ctorch_error *join(
    const char *function,
    struct joined **out,
    const dataset_class *class,
    ctorch_dataset *const *datasets,
    size_t datasets_len) {
  struct joined *self = dataset_new(class);
  if (self == NULL) {
    return error_memory(function, sizeof(*self));
  }
  ctorch_error *error = NULL;
  self->datasets = calloc(datasets_len > 0 ? datasets_len : 1, sizeof(*self->datasets));
  if (self->datasets == NULL) {
    error = error_memory(function, datasets_len * sizeof(*self->datasets));
  }
  for (size_t i = 0; error == NULL && i < datasets_len; i++) {
    error = dataset_hold(function, &self->dataset, &self->datasets[i], datasets[i]);
    self->datasets_len += error == NULL;
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = self;
  return NULL;
}

/* One after another ------------------------------------------------------------------------------------------------ */

static ctorch_error *concat_len(const char *function, const ctorch_dataset *self, int64_t *out) {
  const struct joined *joined = (const struct joined *)self;
  int64_t sum = 0;
  for (size_t i = 0; i < joined->datasets_len; i++) {
    int64_t len = 0;
    CTORCH_TRY(dataset_len(function, joined->datasets[i], &len));
    if (len > INT64_MAX - sum) {
      return error_make(function, CTORCH_ERROR_VALUE, "the lengths of the datasets add up to more than 2^63");
    }
    sum += len;
  }
  *out = sum;
  return NULL;
}

static ctorch_error *concat_get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct joined *joined = (const struct joined *)self;
  for (size_t i = 0; i < joined->datasets_len; i++) {
    int64_t len = 0;
    CTORCH_TRY(dataset_len(fetch->function, joined->datasets[i], &len));
    if (index < len) {
      return fetch_get(fetch, joined->datasets[i], out, index);
    }
    index -= len;
  }
  return error_make(fetch->function, CTORCH_ERROR_INDEX, "the datasets have become shorter");
}

static const dataset_class concat_class = {
    .object = DATASET_OBJECT(struct joined, finalize), .name = "ConcatDataset", .len = concat_len, .get = concat_get};

ctorch_error *data_ConcatDataset(
    const char *function, ctorch_dataset **out, const struct data_ConcatDataset_options *options) {
  if (options->datasets_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "datasets should not be an empty iterable");
  }
  for (size_t i = 0; i < options->datasets_len; i++) {
    if (dataset_is_iterable(options->datasets[i])) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "datasets[%zu]: ConcatDataset does not support IterableDataset", i);
    }
  }
  struct joined *self = NULL;
  CTORCH_TRY(join(function, &self, &concat_class, options->datasets, options->datasets_len));
  return object_give(function, out, self);
}

struct chain {
  ctorch_iterator iterator;
  struct joined *joined; /* a reference */
  struct call_queue *queue;
  ctorch_iterator *current; /* of the dataset before `next`, taken; NULL between two */
  size_t next;
};

static void chain_finalize(void *self) {
  struct chain *chain = self;
  object_unref(chain->current);
  object_unref(chain->joined);
}

static ctorch_error *chain_next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct chain *chain = (struct chain *)self;
  for (;;) {
    if (chain->current == NULL) {
      if (chain->next == chain->joined->datasets_len) {
        return NULL;
      }
      struct fetch fetch = {.function = function, .queue = chain->queue};
      CTORCH_TRY(fetch_iterate(&fetch, chain->joined->datasets[chain->next], &chain->current));
      object_take(chain->current);
      chain->next++;
    }
    ctorch_value *value = NULL;
    CTORCH_TRY(iterator_next(function, chain->current, &value));
    if (value != NULL) {
      *out = value;
      return NULL;
    }
    object_unref(chain->current);
    chain->current = NULL;
  }
}

static const iterator_class chain_iterator_class = {
    .object = ITERATOR_OBJECT(struct chain, chain_finalize), .next = chain_next};

static ctorch_error *chain_iterate(struct fetch *fetch, const ctorch_dataset *self, ctorch_iterator **out) {
  struct chain *chain = object_new(&chain_iterator_class.object);
  if (chain != NULL) {
    chain->joined = object_ref(self);
    chain->queue = fetch->queue;
  }
  return object_give(fetch->function, out, chain);
}

static const dataset_class chain_class = {
    .object = DATASET_OBJECT(struct joined, finalize),
    .name = "ChainDataset",
    .len = concat_len,
    .iterate = chain_iterate};

ctorch_error *data_ChainDataset(
    const char *function, ctorch_dataset **out, const struct data_ChainDataset_options *options) {
  for (size_t i = 0; i < options->datasets_len; i++) {
    if (!dataset_is_iterable(options->datasets[i])) {
      return error_make(function, CTORCH_ERROR_VALUE, "datasets[%zu]: ChainDataset only supports IterableDataset", i);
    }
  }
  struct joined *self = NULL;
  CTORCH_TRY(join(function, &self, &chain_class, options->datasets, options->datasets_len));
  return object_give(function, out, self);
}

/* Side by side ----------------------------------------------------------------------------------------------------- */

static ctorch_error *stack_len(const char *function, const ctorch_dataset *self, int64_t *out) {
  return dataset_len(function, ((const struct joined *)self)->datasets[0], out);
}

static ctorch_error *pack(const struct joined *joined, ctorch_value **out, ctorch_value *const *samples) {
  const ctorch_value *const *values = (const ctorch_value *const *)samples;
  if (joined->names == NULL) {
    return ctorch_value_from_tuple(out, values, joined->datasets_len);
  }
  return ctorch_value_from_dict(
      out, (const ctorch_value *const *)joined->names, joined->datasets_len, values, joined->datasets_len);
}

static ctorch_error *stack_get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct joined *joined = (const struct joined *)self;
  ctorch_value **samples = calloc(joined->datasets_len, sizeof(*samples));
  if (samples == NULL) {
    return error_memory(fetch->function, joined->datasets_len * sizeof(*samples));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < joined->datasets_len; i++) {
    error = fetch_get(fetch, joined->datasets[i], &samples[i], index);
  }
  THEN(error, error_of(fetch->function, pack(joined, out, samples)));
  for (size_t i = 0; i < joined->datasets_len; i++) {
    ctorch_value_release(samples[i]);
  }
  free(samples);
  return error;
}

static const dataset_class stack_class = {
    .object = DATASET_OBJECT(struct joined, finalize), .name = "StackDataset", .len = stack_len, .get = stack_get};

static ctorch_error *stack(
    const char *function, struct joined **out, ctorch_dataset *const *datasets, size_t datasets_len) {
  int64_t first = 0, other = 0;
  if (datasets_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "At least one dataset should be passed");
  }
  for (size_t i = 0; i < datasets_len; i++) {
    CTORCH_TRY(dataset_check_by_index(function, "datasets", datasets[i]));
    CTORCH_TRY(dataset_len(function, datasets[i], &other));
    if (i == 0) {
      first = other;
    } else if (other != first) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "datasets[%zu]: Size mismatch between datasets: %" PRId64 " samples, the first has %" PRId64, i, other,
          first);
    }
  }
  return join(function, out, &stack_class, datasets, datasets_len);
}

ctorch_error *data_StackDataset(
    const char *function, ctorch_dataset **out, const struct data_StackDataset_options *options) {
  struct joined *self = NULL;
  CTORCH_TRY(stack(function, &self, options->datasets, options->datasets_len));
  return object_give(function, out, self);
}

static ctorch_error *take_names(const char *function, struct joined *self, const ctorch_value *names) {
  self->names = calloc(self->datasets_len, sizeof(*self->names));
  if (self->names == NULL) {
    return error_memory(function, self->datasets_len * sizeof(*self->names));
  }
  for (size_t i = 0; i < self->datasets_len; i++) {
    CTORCH_TRY(error_of(function, ctorch_value_get(&self->names[i], names, i)));
    value_take(self->names[i]);
    ctorch_value_kind kind = ctorch_value_kind_of(self->names[i]);
    if (kind != CTORCH_VALUE_STRING) {
      return error_make(
          function, CTORCH_ERROR_TYPE, "names[%zu]: expected a text, got %s", i, ctorch_value_kind_name(kind));
    }
  }
  return NULL;
}

ctorch_error *data_StackDataset_named(
    const char *function, ctorch_dataset **out, const struct data_StackDataset_named_options *options) {
  ctorch_value_kind kind = ctorch_value_kind_of(options->names);
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "names: expected a list of texts, got %s", ctorch_value_kind_name(kind));
  }
  if (ctorch_value_len(options->names) != options->datasets_len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "names: %zu names for %zu datasets", ctorch_value_len(options->names),
        options->datasets_len);
  }
  struct joined *self = NULL;
  CTORCH_TRY(stack(function, &self, options->datasets, options->datasets_len));
  ctorch_error *error = take_names(function, self, options->names);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}
