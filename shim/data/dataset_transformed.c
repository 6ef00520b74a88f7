/* data.TransformedDataset: samples that transforms go over. */
#include <stdlib.h>

#include "constructors/data.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/dataset.h"

struct transformed {
  ctorch_dataset dataset;
  ctorch_dataset *inner; /* a reference */
  /* Of the first entry of a sample, of the second, and of all of it; references, NULL for what stays. */
  ctorch_transform *transform, *target_transform, *transforms;
};

static void finalize(void *self) {
  struct transformed *transformed = self;
  object_unref(transformed->transform);
  object_unref(transformed->target_transform);
  object_unref(transformed->transforms);
  object_unref(transformed->inner);
}

static const ctorch_transform *transform_of(const struct transformed *self, size_t part) {
  return part == 0 ? self->transform : part == 1 ? self->target_transform : NULL;
}

static ctorch_error *part_of(
    struct fetch *fetch, const struct transformed *self, ctorch_value **out, const ctorch_value *sample, size_t i) {
  const ctorch_transform *transform = transform_of(self, i);
  ctorch_value *part = NULL;
  CTORCH_TRY(error_of(fetch->function, ctorch_value_get(&part, sample, i)));
  if (transform == NULL) {
    *out = part;
    return NULL;
  }
  ctorch_error *error = fetch_transform(fetch, transform, out, part);
  ctorch_value_release(part);
  return error;
}

static ctorch_error *each_part(
    struct fetch *fetch, const struct transformed *self, ctorch_value **out, const ctorch_value *sample) {
  size_t len = ctorch_value_len(sample);
  ctorch_value **parts = calloc(len > 0 ? len : 1, sizeof(*parts));
  if (parts == NULL) {
    return error_memory(fetch->function, len * sizeof(*parts));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = part_of(fetch, self, &parts[i], sample, i);
  }
  if (error == NULL) {
    const ctorch_value *const *given = (const ctorch_value *const *)parts;
    error = error_of(
        fetch->function, ctorch_value_kind_of(sample) == CTORCH_VALUE_TUPLE ? ctorch_value_from_tuple(out, given, len)
                                                                            : ctorch_value_from_list(out, given, len));
  }
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(parts[i]);
  }
  free(parts);
  return error;
}

/* The transforms over a sample, which is given up. */
static ctorch_error *transform_sample(
    struct fetch *fetch, const struct transformed *self, ctorch_value **out, ctorch_value *sample) {
  ctorch_error *error = NULL;
  ctorch_value *made = NULL;
  if (self->transform != NULL || self->target_transform != NULL) {
    if (value_is_sequence(sample)) {
      error = each_part(fetch, self, &made, sample);
    } else if (self->transform != NULL) {
      error = fetch_transform(fetch, self->transform, &made, sample);
    }
    if (made != NULL) {
      ctorch_value_release(sample);
      sample = made;
    }
  }
  if (error == NULL && self->transforms != NULL) {
    error = fetch_transform(fetch, self->transforms, out, sample);
    ctorch_value_release(sample);
    return error;
  }
  if (error != NULL) {
    ctorch_value_release(sample);
    return error;
  }
  *out = sample;
  return NULL;
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  return dataset_len(function, ((const struct transformed *)self)->inner, out);
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct transformed *transformed = (const struct transformed *)self;
  ctorch_value *sample = NULL;
  CTORCH_TRY(fetch_get(fetch, transformed->inner, &sample, index));
  return transform_sample(fetch, transformed, out, sample);
}

static ctorch_error *attribute(const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out) {
  const ctorch_dataset *inner = ((const struct transformed *)self)->inner;
  const dataset_class *class = dataset_class_of(inner);
  return class->attribute == NULL ? NULL : class->attribute(function, inner, name, out);
}

static const dataset_class transformed_class = {
    .object = DATASET_OBJECT(struct transformed, finalize),
    .name = "TransformedDataset",
    .len = len,
    .get = get,
    .attribute = attribute};

ctorch_error *data_TransformedDataset(
    const char *function, ctorch_dataset **out, const struct data_TransformedDataset_options *options) {
  CTORCH_TRY(dataset_check_by_index(function, "dataset", options->dataset));
  struct transformed *self = dataset_new(&transformed_class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = dataset_hold(function, &self->dataset, &self->inner, options->dataset);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  self->transform = object_ref(options->transform);
  self->target_transform = object_ref(options->target_transform);
  self->transforms = object_ref(options->transforms);
  return object_give(function, out, self);
}
