/* Weights: <ctorch/weights/weights.h>. The formats fill the table of contents (weights.h); here is what they have in
 * common: names, and slices as Python counts them. weights_open.c tells the formats apart.
 *
 * Names are found in a sorted list, which no choice of names makes slow. */
#include "weights/weights.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "io/reader.h"

static void finalize(void *object) {
  ctorch_weights *self = object;
  if (self->format != NULL && self->format->close != NULL) {
    self->format->close(self);
  } else {
    free(self->content);
  }
  for (size_t i = 0; i < self->len; i++) {
    free(self->entries[i].name);
    free(self->entries[i].shape);
  }
  for (size_t i = 0; i < self->objects_len; i++) {
    free(self->objects[i].name);
    free(self->objects[i].class);
  }
  free(self->objects);
  free(self->entries);
  free(self->by_name);
  object_unref(self->reader);
}

static const object_class weights_class = {"weights", sizeof(ctorch_weights), finalize};

ctorch_weights *weights_new(void) { return object_new(&weights_class); }

void ctorch_weights_retain(const ctorch_weights *self) { object_retain(self); }
void ctorch_weights_release(ctorch_weights *self) { object_release(self); }

static int compare_names(const void *a, const void *b) {
  const struct weights_entry *const *one = a, *const *other = b;
  return strcmp((*one)->name, (*other)->name);
}

ctorch_error *weights_sort_names(const char *function, ctorch_weights *self) {
  const struct weights_entry **sorted = calloc(self->len + 1, sizeof *sorted);
  if (sorted == NULL) {
    return error_memory(function, (self->len + 1) * sizeof *sorted);
  }
  for (size_t i = 0; i < self->len; i++) {
    sorted[i] = &self->entries[i];
  }
  self->by_name = sorted;
  qsort(sorted, self->len, sizeof *sorted, compare_names);
  for (size_t i = 1; i < self->len; i++) {
    if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
      return reader_error(function, self->reader, "two tensors are called \"%.256s\"", sorted[i]->name);
    }
  }
  return NULL;
}

/* The table of contents as callers see it. */

const char *ctorch_weights_format(const ctorch_weights *self) { return self == NULL ? NULL : self->format->name; }

size_t ctorch_weights_len(const ctorch_weights *self) { return self == NULL ? 0 : self->len; }

const char *ctorch_weights_name(const ctorch_weights *self, size_t index) {
  return self == NULL || index >= self->len ? NULL : self->entries[index].name;
}

size_t ctorch_weights_objects_len(const ctorch_weights *self) { return self == NULL ? 0 : self->objects_len; }

const char *ctorch_weights_object_name(const ctorch_weights *self, size_t index) {
  return self == NULL || index >= self->objects_len ? NULL : self->objects[index].name;
}

const char *ctorch_weights_object_class(const ctorch_weights *self, size_t index) {
  return self == NULL || index >= self->objects_len ? NULL : self->objects[index].class;
}

static ctorch_error *find(
    const char *function,
    const struct weights_entry **out,
    const void *result,
    const ctorch_weights *self,
    const char *name) {
  if (result == NULL || self == NULL || name == NULL) {
    return error_null(function, result == NULL ? "out" : self == NULL ? "self" : "name");
  }
  CTORCH_TRY(error_unless_text(function, "name", name));
  *out = weights_entry_of(self, name);
  return *out != NULL ? NULL
                      : error_make(
                            function, CTORCH_ERROR_INDEX, "name: %.1000s has no tensor \"%.256s\"",
                            reader_name(self->reader), name);
}

ctorch_error *ctorch_weights_find(size_t *out, const ctorch_weights *self, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  const struct weights_entry *entry = NULL;
  CTORCH_TRY(find(__func__, &entry, out, self, name));
  *out = (size_t)(entry - self->entries); /* NOLINT(clang-analyzer-core.NullPointerArithm): it was found */
  return NULL;
}

/* An entry where it is complete. */
struct place {
  const ctorch_weights *weights;
  const struct weights_entry *entry;
};

static ctorch_error *resolve(
    const char *function, struct place *out, const ctorch_weights *self, const struct weights_entry *entry) {
  *out = (struct place){self, entry};
  return self->format->resolve == NULL
             ? NULL
             : error_of(function, self->format->resolve(function, &out->weights, &out->entry, self, entry));
}

static ctorch_error *place_at(
    const char *function, struct place *out, const void *result, const ctorch_weights *self, size_t index) {
  if (result == NULL || self == NULL) {
    return error_null(function, result == NULL ? "out" : "self");
  }
  if (index >= self->len) {
    return error_make(function, CTORCH_ERROR_INDEX, "index: %zu, of %zu tensors", index, self->len);
  }
  return resolve(function, out, self, &self->entries[index]);
}

ctorch_error *ctorch_weights_dtype(ctorch_dtype *out, const ctorch_weights *self, size_t index) {
  CTORCH_TRY(error_refusal(__func__));
  struct place place;
  CTORCH_TRY(place_at(__func__, &place, out, self, index));
  if (place.entry->dtype == WEIGHTS_NO_DTYPE) {
    return weights_no_dtype(__func__, place.weights, place.entry, "which PyTorch has not");
  }
  *out = place.entry->dtype;
  return NULL;
}

ctorch_error *ctorch_weights_shape(const int64_t **out, size_t *out_len, const ctorch_weights *self, size_t index) {
  CTORCH_TRY(error_refusal(__func__));
  struct place place;
  if (out_len == NULL) {
    return error_null(__func__, "out_len");
  }
  CTORCH_TRY(place_at(__func__, &place, out, self, index));
  *out = place.entry->shape;
  *out_len = place.entry->shape_len;
  return NULL;
}

/* For accessors that cannot fail: NULL where it cannot be read. */
static const struct weights_entry *entry_at(const ctorch_weights *self, size_t index) {
  struct place place;
  if (self == NULL || index >= self->len) {
    return NULL;
  }
  ctorch_error *error = resolve(__func__, &place, self, &self->entries[index]);
  ctorch_error_release(error);
  return error == NULL ? place.entry : NULL;
}

const char *ctorch_weights_type(const ctorch_weights *self, size_t index) {
  const struct weights_entry *entry = entry_at(self, index);
  return entry == NULL ? NULL : entry->type;
}

size_t ctorch_weights_nbytes(const ctorch_weights *self, size_t index) {
  const struct weights_entry *entry = entry_at(self, index);
  return entry == NULL ? 0 : (size_t)entry->nbytes;
}

static ctorch_error *read_tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  struct place place;
  CTORCH_TRY(resolve(function, &place, self, entry));
  ctorch_error *error = place.weights->format->tensor(function, out, place.weights, place.entry);
  return weights_at_tensor(error_of(function, error), entry->name);
}

ctorch_error *ctorch_weights_tensor(ctorch_tensor **out, const ctorch_weights *self, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  const struct weights_entry *entry = NULL;
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(find(__func__, &entry, out, self, name));
  CTORCH_TRY(read_tensor(__func__, &tensor, self, entry));
  *out = tensor;
  return NULL;
}

/* A bound as Python's slices count it. */
static int64_t clamp(int64_t bound, int64_t size) {
  if (bound < 0) {
    bound = bound < -size ? 0 : bound + size;
  }
  return bound > size ? size : bound;
}

static ctorch_error *read_slice(
    const char *function, ctorch_tensor **out, const struct place *place, const int64_t *begin, const int64_t *end) {
  const weights_format *format = place->weights->format;
  ctorch_tensor *tensor = NULL;
  if (format->slice != NULL) {
    return format->slice(function, out, place->weights, place->entry, begin, end);
  }
  CTORCH_TRY(format->tensor(function, &tensor, place->weights, place->entry));
  ctorch_error *error = weights_cut(out, tensor, begin, end);
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *ctorch_weights_slice(
    ctorch_tensor **out,
    const ctorch_weights *self,
    const char *name,
    const int64_t *begin,
    size_t begin_len,
    const int64_t *end,
    size_t end_len) {
  CTORCH_TRY(error_refusal(__func__));
  const struct weights_entry *entry = NULL;
  struct place place;
  CTORCH_TRY(find(__func__, &entry, out, self, name));
  if ((begin == NULL && begin_len > 0) || (end == NULL && end_len > 0)) {
    return error_null(__func__, begin == NULL && begin_len > 0 ? "begin" : "end");
  }
  if (begin_len != end_len) {
    return error_argument(__func__, "end", "expected as many as begin, %zu, got %zu", begin_len, end_len);
  }
  CTORCH_TRY(resolve(__func__, &place, self, entry));
  size_t len = place.entry->shape_len;
  if (begin_len > len) {
    return error_argument(__func__, "begin", "%zu bounds for %zu dimensions", begin_len, len);
  }
  int64_t *bounds = calloc(2 * len + 1, sizeof *bounds);
  if (bounds == NULL) {
    return error_memory(__func__, (2 * len + 1) * sizeof *bounds);
  }
  for (size_t i = 0; i < len; i++) {
    int64_t size = place.entry->shape[i];
    bounds[i] = i < begin_len ? clamp(begin[i], size) : 0;
    bounds[len + i] = i < begin_len ? clamp(end[i], size) : size;
    if (bounds[len + i] < bounds[i]) {
      bounds[len + i] = bounds[i];
    }
  }
  ctorch_tensor *tensor = NULL;
  ctorch_error *error = read_slice(__func__, &tensor, &place, bounds, bounds + len);
  free(bounds);
  CTORCH_TRY(weights_at_tensor(error_of(__func__, error), name));
  *out = tensor;
  return NULL;
}

ctorch_error *ctorch_weights_metadata(ctorch_value **out, const ctorch_weights *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_value *metadata = NULL;
  ctorch_error *error = self->format->metadata != NULL ? self->format->metadata(__func__, &metadata, self)
                                                       : ctorch_value_from_dict(&metadata, NULL, 0, NULL, 0);
  CTORCH_TRY(error_of(__func__, error));
  *out = metadata;
  return NULL;
}

static ctorch_error *load_entry(
    const char *function,
    ctorch_value *dict,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const ctorch_device *device) {
  ctorch_tensor *tensor = NULL, *moved = NULL;
  ctorch_value *value = NULL;
  CTORCH_TRY(read_tensor(function, &tensor, self, entry));
  ctorch_error *error = device == NULL ? NULL : ctorch_tensor_to(&moved, tensor, NULL, device, false, false, NULL);
  THEN(error, ctorch_value_from_tensor(&value, device == NULL ? tensor : moved));
  THEN(error, ctorch_value_dict_put(dict, entry->name, value));
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(moved);
  ctorch_value_release(value);
  return error_of(function, error);
}

ctorch_error *ctorch_weights_load(ctorch_value **out, const ctorch_weights *self, const ctorch_device *device) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (device != NULL) {
    CTORCH_TRY(error_unless_device(__func__, "device", device));
  }
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  for (size_t i = 0; i < self->len; i++) {
    ctorch_error *error = load_entry(__func__, dict, self, &self->entries[i], device);
    if (error != NULL) {
      ctorch_value_release(dict);
      return error;
    }
  }
  *out = dict;
  return NULL;
}
