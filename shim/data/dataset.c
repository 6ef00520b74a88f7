/* Datasets: what all have in common, and how samples are fetched. */
#include "data/dataset.h"

#include <inttypes.h>

#include "core/c/error.h"
#include "core/c/generator.h"
#include "data/iterator.h"

enum { MAX_DEPTH = 1000 };

void *dataset_new(const dataset_class *class) { return object_new(&class->object); }

const dataset_class *dataset_class_of(const ctorch_dataset *self) {
  return (const dataset_class *)(const void *)object_class_of(self);
}

bool dataset_is_iterable(const ctorch_dataset *self) { return dataset_class_of(self)->iterate != NULL; }

ctorch_error *dataset_hold(const char *function, ctorch_dataset *self, ctorch_dataset **at, ctorch_dataset *inner) {
  if (inner->depth >= MAX_DEPTH) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "datasets inside each other more than %d deep", MAX_DEPTH);
  }
  self->depth = inner->depth >= self->depth ? inner->depth + 1 : self->depth;
  *at = object_ref(inner);
  return NULL;
}

ctorch_error *dataset_check_by_index(const char *function, const char *argument, const ctorch_dataset *dataset) {
  if (dataset_is_iterable(dataset)) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s: the samples of %s come one after another, not by index", argument,
        dataset_class_of(dataset)->name);
  }
  return NULL;
}

ctorch_error *dataset_len(const char *function, const ctorch_dataset *self, int64_t *out) {
  const dataset_class *class = dataset_class_of(self);
  if (class->len == NULL) {
    return error_make(function, CTORCH_ERROR_TYPE, "%s does not know its length", class->name);
  }
  return class->len(function, self, out);
}

/* Fetching --------------------------------------------------------------------------------------------------------- */

void fetch_seed(struct fetch *self, uint64_t seed) {
  self->is_seeded = true;
  self->seed = seed;
  self->has_drawn = false;
}

ctorch_error *fetch_generator(struct fetch *self, ctorch_generator **out) {
  if (!self->is_seeded) {
    *out = NULL;
    return NULL;
  }
  if (self->generator == NULL) {
    const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
    CTORCH_TRY(ctorch_generator_new(&self->generator, &cpu));
    generator_take(self->generator);
  }
  if (!self->has_drawn) {
    CTORCH_TRY(ctorch_generator_manual_seed(self->generator, self->seed));
    self->has_drawn = true;
  }
  *out = self->generator;
  return NULL;
}

void fetch_end(struct fetch *self) {
  generator_unref(self->generator);
  self->generator = NULL;
}

ctorch_error *fetch_get(struct fetch *fetch, const ctorch_dataset *dataset, ctorch_value **out, int64_t index) {
  int64_t len = 0;
  CTORCH_TRY(dataset_check_by_index(fetch->function, "dataset", dataset));
  CTORCH_TRY(dataset_len(fetch->function, dataset, &len));
  if (index >= len || index < -len) {
    return error_make(
        fetch->function, CTORCH_ERROR_INDEX, "index %" PRId64 " is out of range of %s with %" PRId64 " samples", index,
        dataset_class_of(dataset)->name, len);
  }
  return dataset_class_of(dataset)->get(fetch, dataset, out, index < 0 ? index + len : index);
}

ctorch_error *fetch_get_batch(
    struct fetch *fetch, const ctorch_dataset *dataset, ctorch_value **out, const int64_t *indices, size_t len) {
  const dataset_class *class = dataset_class_of(dataset);
  int64_t samples = 0;
  if (class->get_batch == NULL || len == 0) {
    return NULL;
  }
  CTORCH_TRY(dataset_len(fetch->function, dataset, &samples));
  for (size_t i = 0; i < len; i++) {
    if (indices[i] < 0 || indices[i] >= samples) {
      return NULL; /* one by one, which finds the one that is wrong */
    }
  }
  return class->get_batch(fetch, dataset, out, indices, len);
}

ctorch_error *fetch_iterate(struct fetch *fetch, const ctorch_dataset *dataset, ctorch_iterator **out) {
  return dataset_class_of(dataset)->iterate(fetch, dataset, out);
}

/* By index, one after another -------------------------------------------------------------------------------------- */

struct counted {
  ctorch_iterator iterator;
  const ctorch_dataset *dataset; /* a reference */
  int64_t index;
};

static void counted_finalize(void *self) { object_unref((void *)((struct counted *)self)->dataset); }

static ctorch_error *counted_next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct counted *counted = (struct counted *)self;
  struct fetch fetch = FETCH(function);
  int64_t len = 0;
  CTORCH_TRY(dataset_len(function, counted->dataset, &len));
  return counted->index < len ? fetch_get(&fetch, counted->dataset, out, counted->index++) : NULL;
}

static ctorch_error *counted_state(const char *function, const ctorch_iterator *self, ctorch_value **out) {
  ctorch_value *state = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_dict(&state, NULL, 0, NULL, 0)));
  ctorch_error *error = NULL;
  state_put_int(&error, state, "yielded", ((const struct counted *)self)->index);
  if (error != NULL) {
    ctorch_value_release(state);
    return error_of(function, error);
  }
  *out = state;
  return NULL;
}

static ctorch_error *counted_load_state(const char *function, ctorch_iterator *self, const ctorch_value *state) {
  return state_get_int(function, state, "yielded", 0, &((struct counted *)self)->index);
}

static const iterator_class counted_class = {
    .object = ITERATOR_OBJECT(struct counted, counted_finalize),
    .next = counted_next,
    .state = counted_state,
    .load_state = counted_load_state};

/* The public functions --------------------------------------------------------------------------------------------- */

void ctorch_dataset_retain(const ctorch_dataset *self) { object_retain(self); }

void ctorch_dataset_release(ctorch_dataset *self) { object_release(self); }

const char *ctorch_dataset_name(const ctorch_dataset *self) {
  return self == NULL ? NULL : dataset_class_of(self)->name;
}

bool ctorch_dataset_is_iterable(const ctorch_dataset *self) { return self != NULL && dataset_is_iterable(self); }

ctorch_error *ctorch_dataset_len(int64_t *out, const ctorch_dataset *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  int64_t len = 0;
  CTORCH_TRY(dataset_len(__func__, self, &len));
  *out = len;
  return NULL;
}

ctorch_error *ctorch_dataset_get(ctorch_value **out, const ctorch_dataset *self, int64_t index) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct fetch fetch = FETCH(__func__);
  return fetch_get(&fetch, self, out, index);
}

ctorch_error *ctorch_dataset_iterate(ctorch_iterator **out, const ctorch_dataset *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct fetch fetch = FETCH(__func__);
  if (dataset_is_iterable(self)) {
    return fetch_iterate(&fetch, self, out);
  }
  struct counted *counted = object_new(&counted_class.object);
  if (counted != NULL) {
    counted->dataset = object_ref(self);
  }
  return object_give(__func__, out, counted);
}

ctorch_error *ctorch_dataset_attribute(ctorch_value **out, const ctorch_dataset *self, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  const dataset_class *class = dataset_class_of(self);
  ctorch_value *value = NULL;
  if (class->attribute != NULL) {
    CTORCH_TRY(class->attribute(__func__, self, name, &value));
  }
  if (value == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no attribute '%.200s'", class->name, name);
  }
  *out = value;
  return NULL;
}
