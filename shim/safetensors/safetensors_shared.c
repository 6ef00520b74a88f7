/* Tensors that share memory, as the Python package `safetensors` finds and drops them (safetensors.torch: save_file,
 * save_model). Those of one storage are sorted by where they begin, and one that begins before the one in front of it
 * has ended is in its group. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "io/memory_range.h"
#include "safetensors/safetensors.h"

#define ORDER(field)                           \
  if (one->field != other->field) {            \
    return one->field < other->field ? -1 : 1; \
  }

static int compare_areas(const void *a, const void *b) {
  const struct area *one = a, *other = b;
  ORDER(first)
  ORDER(begin)
  ORDER(end)
  return strcmp(one->name, other->name);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const struct shared_entry *)a)->name, ((const struct shared_entry *)b)->name);
}

static void group(struct shared *out, const struct areas *areas) {
  const struct area *last = NULL;
  for (size_t i = 0; i < areas->len; i++) {
    const struct area *area = &areas->data[i];
    if (area->storage == 0 || area->storage_nbytes == 0) {
      continue;
    }
    bool is_new = last == NULL || last->first != area->first || area->begin >= last->end;
    out->data[out->len] = (struct shared_entry){
        .index = area->index,
        .group = last == NULL ? 0 : out->data[out->len - 1].group + is_new,
        .name = area->name,
        .is_complete = area->begin == area->storage && area->nbytes == area->storage_nbytes,
    };
    out->len++;
    last = area;
  }
  for (size_t first = 0, end; first < out->len; first = end) {
    end = shared_group_end(out, first);
    qsort(&out->data[first], end - first, sizeof *out->data, compare_names);
  }
}

ctorch_error *shared_find(const char *function, struct shared *out, const struct named *tensors) {
  struct shared shared = {calloc(tensors->len + 1, sizeof *shared.data), 0};
  struct areas areas = {0};
  if (shared.data == NULL) {
    return error_memory(function, (tensors->len + 1) * sizeof *shared.data);
  }
  ctorch_error *error = areas_read(function, &areas, tensors);
  if (error != NULL) {
    shared_end(&shared);
    return error;
  }
  qsort(areas.data, areas.len, sizeof *areas.data, compare_areas);
  group(&shared, &areas);
  areas_end(&areas);
  *out = shared;
  return NULL;
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
        self->data[first].name, end - first > 1 ? ", and so is \"" : "",
        end - first > 1 ? self->data[first + 1].name : "", end - first > 1 ? "\"" : "");
  }
  *out = kept;
  return NULL;
}

static ctorch_error *note(ctorch_value *metadata, const char *dropped, const char *kept) {
  ctorch_value *key = NULL, *value = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, dropped));
  ctorch_error *error = ctorch_value_from_string(&value, kept);
  THEN(error, ctorch_value_dict_contains(&is_there, metadata, key));
  if (!is_there) {
    THEN(error, ctorch_value_dict_set(metadata, key, value));
  }
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
  THEN(error, mark_dropped(function, dropped, &shared, metadata));
  for (size_t i = tensors->len; error == NULL && i-- > 0;) {
    if (dropped[i]) {
      named_remove(tensors, i);
    }
  }
  shared_end(&shared);
  free(dropped);
  return error;
}
