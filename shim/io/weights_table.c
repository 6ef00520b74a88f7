/* The table of contents of weights. */
#define _POSIX_C_SOURCE 200809L
#include "io/weights_table.h"

#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "io/reader.h"

ctorch_error *weights_add(
    const char *function,
    ctorch_weights *self,
    const char *name,
    const char *type,
    ctorch_dtype dtype,
    const int64_t *shape,
    size_t shape_len,
    uint64_t offset,
    uint64_t nbytes,
    uint64_t number) {
  CTORCH_TRY(array_grow(function, &self->entries, self->len, sizeof *self->entries));
  struct weights_entry entry = {
      .type = type, .dtype = dtype, .shape_len = shape_len, .offset = offset, .nbytes = nbytes, .number = number};
  entry.name = malloc(strlen(name) + 1);
  entry.shape = calloc(shape_len + 1, sizeof *entry.shape);
  if (entry.name == NULL || entry.shape == NULL) {
    free(entry.name);
    free(entry.shape);
    return error_memory(function, strlen(name) + 1 + (shape_len + 1) * sizeof *entry.shape);
  }
  memcpy(entry.name, name, strlen(name) + 1);
  if (shape_len > 0) {
    memcpy(entry.shape, shape, shape_len * sizeof *shape);
  }
  self->entries[self->len++] = entry;
  return NULL;
}

ctorch_error *weights_add_object(
    const char *function, ctorch_weights *self, const char *name, const char *module, const char *class) {
  const size_t len = strlen(module) + strlen(class) + 2;
  CTORCH_TRY(array_grow(function, &self->objects, self->objects_len, sizeof *self->objects));
  struct weights_object object = {strdup(name), malloc(len)};
  if (object.name == NULL || object.class == NULL) {
    free(object.name);
    free(object.class);
    return error_memory(function, strlen(name) + len);
  }
  snprintf(object.class, len, "%s.%s", module, class);
  self->objects[self->objects_len++] = object;
  return NULL;
}

const struct weights_entry *weights_entry_of(const ctorch_weights *self, const char *name) {
  const struct weights_entry *const *sorted = self->by_name;
  size_t first = 0, last = self->len;
  while (first < last) {
    size_t middle = first + (last - first) / 2;
    int order = strcmp(name, sorted[middle]->name);
    if (order == 0) {
      return sorted[middle];
    }
    if (order < 0) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return NULL;
}

ctorch_error *weights_no_dtype(
    const char *function, const ctorch_weights *self, const struct weights_entry *entry, const char *why) {
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: \"%.256s\" is of type %.64s, %s", reader_name(self->reader),
      entry->name, entry->type, why);
}

ctorch_error *weights_at_tensor(ctorch_error *error, const char *name) {
  bool is_of_file =
      error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_FORMAT && *ctorch_error_function(error) != '\0';
  return is_of_file ? error_at(error, "\"%.256s\"", name) : error;
}

ctorch_error *weights_cut(ctorch_tensor **out, const ctorch_tensor *tensor, const int64_t *begin, const int64_t *end) {
  ctorch_tensor *view = NULL;
  CTORCH_TRY(ctorch_aten_detach(&view, tensor));
  for (int64_t dim = 0; dim < ctorch_tensor_ndim(tensor); dim++) {
    ctorch_tensor *next = NULL;
    ctorch_error *error = ctorch_aten_slice_Tensor(&next, view, dim, &begin[dim], &end[dim], 1);
    ctorch_tensor_release(view);
    CTORCH_TRY(error);
    view = next;
  }
  ctorch_error *error =
      ctorch_aten_clone(out, view, CTORCH_SOME(ctorch_memory_format, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  ctorch_tensor_release(view);
  return error;
}
