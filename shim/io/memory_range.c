/* Where in memory a tensor lies. */
#include "io/memory_range.h"

#include <ctorch.h>
#include <stdlib.h>

#include "core/c/error.h"

static ctorch_error *read_area(struct area *out, const ctorch_tensor *tensor) {
  ctorch_storage *storage = NULL;
  void *memory = NULL;
  const void *data = NULL;
  CTORCH_TRY(ctorch_storage_from_tensor(&storage, tensor));
  out->storage_nbytes = ctorch_storage_nbytes(storage);
  ctorch_error *error = ctorch_storage_data(&memory, storage);
  ctorch_storage_release(storage);
  CTORCH_TRY(error);
  CTORCH_TRY(ctorch_tensor_const_data(&data, tensor));
  out->storage = (uintptr_t)memory;
  out->begin = out->end = (uintptr_t)data;
  out->nbytes = ctorch_tensor_nbytes(tensor);
  if (data != NULL) {
    size_t last = 0;
    for (int64_t i = 0; i < ctorch_tensor_ndim(tensor); i++) {
      last += (size_t)(ctorch_tensor_sizes(tensor)[i] - 1) * (size_t)ctorch_tensor_strides(tensor)[i];
    }
    out->end += (last + 1) * ctorch_tensor_itemsize(tensor);
  }
  return NULL;
}

#define ORDER(field)                           \
  if (one->field != other->field) {            \
    return one->field < other->field ? -1 : 1; \
  }

static int compare_storages(const void *a, const void *b) {
  const struct area *one = a, *other = b;
  ORDER(device.type)
  ORDER(device.index)
  ORDER(storage)
  ORDER(storage_nbytes)
  return 0;
}

static int compare_addresses(const void *a, const void *b) {
  const struct area *one = a, *other = b;
  int storages = compare_storages(a, b);
  if (storages != 0) {
    return storages;
  }
  ORDER(index)
  return 0;
}

static int compare_firsts(const void *a, const void *b) {
  const struct area *one = a, *other = b;
  ORDER(first)
  ORDER(index)
  return 0;
}

static void sort(struct areas *self) {
  qsort(self->data, self->len, sizeof *self->data, compare_addresses);
  for (size_t i = 0; i < self->len; i++) {
    bool is_same = i > 0 && compare_storages(&self->data[i - 1], &self->data[i]) == 0;
    self->data[i].first = is_same ? self->data[i - 1].first : self->data[i].index;
  }
  qsort(self->data, self->len, sizeof *self->data, compare_firsts);
}

ctorch_error *areas_read(const char *function, struct areas *out, const struct named *tensors) {
  struct areas areas = {calloc(tensors->len + 1, sizeof *areas.data), 0};
  ctorch_error *error = NULL;
  if (areas.data == NULL) {
    return error_memory(function, (tensors->len + 1) * sizeof *areas.data);
  }
  for (size_t i = 0; error == NULL && i < tensors->len; i++) {
    struct area *area = &areas.data[areas.len];
    *area = (struct area){.index = i, .name = tensors->data[i].name};
    error = ctorch_tensor_device(&area->device, tensors->data[i].tensor);
    if (error == NULL && area->device.type != CTORCH_DEVICE_TYPE_META) {
      error = read_area(area, tensors->data[i].tensor);
      areas.len++;
    }
  }
  if (error != NULL) {
    areas_end(&areas);
    return error;
  }
  sort(&areas);
  *out = areas;
  return NULL;
}

void areas_end(struct areas *self) { free(self->data); }
