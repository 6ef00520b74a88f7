/* Tensors that share memory, as the Python package `safetensors` finds and drops them (safetensors.torch: save_file,
 * save_model). Those of one storage are sorted by where they begin, and one that begins before the one in front of it
 * has ended is in its group. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "safetensors.h"
#include "text.h"

struct area {
  size_t index;
  const char *name;
  ctorch_device device;
  uintptr_t storage, begin, end;
  size_t storage_nbytes, nbytes;
};

/* False for what has no memory. */
static ctorch_error *read_area(bool *is_there, struct area *out, const ctorch_tensor *tensor) {
  ctorch_storage *storage = NULL;
  void *memory = NULL;
  const void *data = NULL;
  *is_there = false;
  CTORCH_TRY(ctorch_tensor_device(&out->device, tensor));
  if (out->device.type == CTORCH_DEVICE_TYPE_META) {
    return NULL;
  }
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
  *is_there = memory != NULL && out->storage_nbytes != 0;
  return NULL;
}

#define ORDER(field)                          \
  if (one->field != other->field) {           \
    return one->field < other->field ? -1 : 1; \
  }

static int compare_storages(const struct area *one, const struct area *other) {
  ORDER(device.type)
  ORDER(device.index)
  ORDER(storage)
  ORDER(storage_nbytes)
  return 0;
}

static int compare_areas(const void *a, const void *b) {
  const struct area *one = a, *other = b;
  int storages = compare_storages(one, other);
  if (storages != 0) {
    return storages;
  }
  ORDER(begin)
  ORDER(end)
  return strcmp(one->name, other->name);
}

static void group(struct shared *out, const struct area *areas, size_t len) {
  for (size_t i = 0; i < len; i++) {
    bool is_new = i == 0 || compare_storages(&areas[i - 1], &areas[i]) != 0 || areas[i].begin >= areas[i - 1].end;
    out->data[i] = (struct shared_entry){
        .index = areas[i].index,
        .group = i == 0 ? 0 : out->data[i - 1].group + is_new,
        .name = areas[i].name,
        .is_complete = areas[i].begin == areas[i].storage && areas[i].nbytes == areas[i].storage_nbytes,
    };
  }
  out->len = len;
}

ctorch_error *shared_find(const char *function, struct shared *out, const struct named *tensors) {
  struct area *areas = calloc(tensors->len + 1, sizeof *areas);
  struct shared shared = {calloc(tensors->len + 1, sizeof *shared.data), 0};
  ctorch_error *error = NULL;
  size_t len = 0;
  if (areas == NULL || shared.data == NULL) {
    error = error_memory(function, (tensors->len + 1) * (sizeof *areas + sizeof *shared.data));
  }
  for (size_t i = 0; error == NULL && i < tensors->len; i++) {
    bool is_there = false;
    areas[len] = (struct area){.index = i, .name = tensors->data[i].name};
    error = read_area(&is_there, &areas[len], tensors->data[i].tensor);
    len += is_there;
  }
  if (error == NULL) {
    qsort(areas, len, sizeof *areas, compare_areas);
    group(&shared, areas, len);
    *out = shared;
  } else {
    free(shared.data);
  }
  free(areas);
  return error;
}

void shared_end(struct shared *self) { free(self->data); }

size_t shared_group_end(const struct shared *self, size_t first) {
  size_t last = first;
  while (last < self->len && self->data[last].group == self->data[first].group) {
    last++;
  }
  return last;
}

static bool is_before(
    const struct shared_entry *one,
    const struct shared_entry *other,
    bool (*is_preferred)(const char *name, const void *context),
    const void *context) {
  bool first = is_preferred != NULL && is_preferred(one->name, context);
  bool second = is_preferred != NULL && is_preferred(other->name, context);
  return first != second ? first : strcmp(one->name, other->name) < 0;
}

ctorch_error *shared_keep(
    const char *function,
    size_t *out,
    const struct shared *self,
    size_t first,
    bool (*is_preferred)(const char *name, const void *context),
    const void *context) {
  size_t end = shared_group_end(self, first), kept = end;
  for (size_t i = first; i < end; i++) {
    if (self->data[i].is_complete &&
        (kept == end || is_before(&self->data[i], &self->data[kept], is_preferred, context))) {
      kept = i;
    }
  }
  if (kept == end) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "\"%.256s\" is a part of a storage of which no tensor is the whole%s%.256s%s",
        self->data[first].name, end - first > 1 ? ", and so is \"" : "", end - first > 1 ? self->data[first + 1].name : "",
        end - first > 1 ? "\"" : "");
  }
  *out = kept;
  return NULL;
}

static ctorch_error *note(ctorch_value *metadata, const char *dropped, const char *kept) {
  ctorch_value *key = NULL, *value = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, dropped));
  ctorch_error *error = ctorch_value_from_string(&value, kept);
  error = error != NULL ? error : ctorch_value_dict_contains(&is_there, metadata, key);
  error = error != NULL || is_there ? error : ctorch_value_dict_set(metadata, key, value);
  ctorch_value_release(key);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *mark_dropped(
    const char *function, bool *dropped, const struct shared *shared, ctorch_value *metadata) {
  for (size_t first = 0, end; first < shared->len; first = end) {
    size_t kept = 0;
    end = shared_group_end(shared, first);
    CTORCH_TRY(shared_keep(function, &kept, shared, first, NULL, NULL));
    for (size_t i = first; i < end; i++) {
      if (i != kept) {
        dropped[shared->data[i].index] = true;
        CTORCH_TRY(note(metadata, shared->data[i].name, shared->data[kept].name));
      }
    }
  }
  return NULL;
}

ctorch_error *shared_drop(const char *function, struct named *tensors, ctorch_value *metadata) {
  struct shared shared = {0};
  bool *dropped = calloc(tensors->len + 1, sizeof *dropped);
  if (dropped == NULL) {
    return error_memory(function, tensors->len + 1);
  }
  ctorch_error *error = shared_find(function, &shared, tensors);
  error = error != NULL ? error : mark_dropped(function, dropped, &shared, metadata);
  for (size_t i = tensors->len; error == NULL && i-- > 0;) {
    if (dropped[i]) {
      named_remove(tensors, i);
    }
  }
  shared_end(&shared);
  free(dropped);
  return error;
}
