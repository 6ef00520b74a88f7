/* Samples: tuples, lists and dicts with tensors in them, taken apart and put together again, and what they agree on. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "transforms/element_type.h"
#include "transforms/transform.h"

ctorch_error *transform_pass(ctorch_value **out, const ctorch_value *input) {
  ctorch_value_retain(input);
  *out = (ctorch_value *)input;
  return NULL;
}

enum { MOST_LEVELS = 500 };

static bool is_container(const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  return kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE || kind == CTORCH_VALUE_DICT;
}

static ctorch_error *too_deep(const char *function) {
  return error_make(
      function, CTORCH_ERROR_RUNTIME, "input: the sample is nested more than %d levels deep", MOST_LEVELS);
}

/* What is in a container, as a list or tuple; owned. */
static ctorch_error *entries_of(ctorch_value **out, const ctorch_value *container) {
  return ctorch_value_kind_of(container) == CTORCH_VALUE_DICT ? ctorch_value_dict_values(out, container)
                                                              : transform_pass(out, container);
}

/* Taking apart. */

/* The lists grow together; what could not grow is as it was. */
static ctorch_error *make_room(const char *function, struct transform_leaves *self) {
  if (self->len < self->capacity) {
    return NULL;
  }
  size_t capacity = 2 * self->capacity + 8;
  ctorch_value **values = realloc(self->values, capacity * sizeof *values);
  self->values = values != NULL ? values : self->values;
  ctorch_tensor **tensors = realloc(self->tensors, capacity * sizeof *tensors);
  self->tensors = tensors != NULL ? tensors : self->tensors;
  bool *is_transformed = realloc(self->is_transformed, capacity * sizeof *is_transformed);
  self->is_transformed = is_transformed != NULL ? is_transformed : self->is_transformed;
  if (values == NULL || tensors == NULL || is_transformed == NULL) {
    return error_memory(function, capacity * sizeof *values);
  }
  self->capacity = capacity;
  return NULL;
}

static ctorch_error *add_leaf(const char *function, struct transform_leaves *self, const ctorch_value *value) {
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(make_room(function, self));
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR) {
    CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  }
  self->tensors[self->len] = tensor;
  self->is_transformed[self->len] = false;
  CTORCH_TRY(transform_pass(&self->values[self->len], value));
  self->len++;
  return NULL;
}

static ctorch_error *add_leaves(
    const char *function, struct transform_leaves *self, const ctorch_value *value, int level) {
  if (!is_container(value)) {
    return add_leaf(function, self, value);
  }
  if (level == MOST_LEVELS) {
    return too_deep(function);
  }
  ctorch_value *entries = NULL;
  CTORCH_TRY(entries_of(&entries, value));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(entries); i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, entries, i);
    THEN(error, add_leaves(function, self, entry, level + 1));
    ctorch_value_release(entry);
  }
  ctorch_value_release(entries);
  return error;
}

/* Of tensors without a mark the first alone counts as an image, and that only where there is no other. */
static void choose(struct transform_leaves *self, unsigned types) {
  bool takes_pure = !transform_has(self, TRANSFORM_IMAGE | TRANSFORM_VIDEO);
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tv_tensor_kind kind = ctorch_tv_tensor_kind_of(self->tensors[i]);
    if (self->tensors[i] == NULL || (types & 1u << kind) == 0) {
      continue;
    }
    self->is_transformed[i] = kind != CTORCH_TV_TENSOR_NONE || takes_pure;
    takes_pure = takes_pure && kind != CTORCH_TV_TENSOR_NONE;
  }
}

ctorch_error *transform_flatten(
    const char *function, struct transform_leaves *out, const ctorch_value *sample, unsigned types) {
  CTORCH_TRY(add_leaves(function, out, sample, 0));
  choose(out, types);
  return NULL;
}

void transform_leaves_end(struct transform_leaves *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_value_release(self->values[i]);
    ctorch_tensor_release(self->tensors[i]);
  }
  free(self->values);
  free(self->tensors);
  free(self->is_transformed);
  *self = (struct transform_leaves){0};
}

/* Putting together. */

struct assembly {
  const char *function;
  const struct transform_leaves *leaves;
  size_t next;
};

static ctorch_error *assemble(struct assembly *self, ctorch_value **out, const ctorch_value *like);

/* A container of the kind of `like` with these entries, which are as many. */
static ctorch_error *contain(ctorch_value **out, const ctorch_value *like, ctorch_value *const *entries, size_t len) {
  const ctorch_value *const *values = (const ctorch_value *const *)entries;
  if (ctorch_value_kind_of(like) == CTORCH_VALUE_TUPLE) {
    return ctorch_value_from_tuple(out, values, len);
  }
  if (ctorch_value_kind_of(like) == CTORCH_VALUE_LIST) {
    return ctorch_value_from_list(out, values, len);
  }
  ctorch_value *keys = NULL, *dict = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, like));
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *key = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_dict_set(dict, key, entries[i]));
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *assemble_container(struct assembly *self, ctorch_value **out, const ctorch_value *like) {
  ctorch_value *entries = NULL;
  CTORCH_TRY(entries_of(&entries, like));
  size_t len = ctorch_value_len(entries), made_len = 0;
  ctorch_value **made = calloc(len + 1, sizeof *made);
  ctorch_error *error = made == NULL ? error_memory(self->function, (len + 1) * sizeof *made) : NULL;
  for (; error == NULL && made_len < len; made_len++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, entries, made_len);
    THEN(error, assemble(self, &made[made_len], entry));
    ctorch_value_release(entry);
  }
  THEN(error, contain(out, like, made, len));
  for (size_t i = 0; i < made_len; i++) {
    ctorch_value_release(made[i]);
  }
  free(made);
  ctorch_value_release(entries);
  return error;
}

/* It was taken apart, so it is not nested too deep. */
static ctorch_error *assemble(struct assembly *self, ctorch_value **out, const ctorch_value *like) {
  if (is_container(like)) {
    return assemble_container(self, out, like);
  }
  if (self->next >= self->leaves->len) {
    return error_make(self->function, CTORCH_ERROR_RUNTIME, "input: the sample grew while it was transformed");
  }
  return transform_pass(out, self->leaves->values[self->next++]);
}

ctorch_error *transform_unflatten(
    const char *function, ctorch_value **out, const ctorch_value *sample, const struct transform_leaves *leaves) {
  struct assembly assembly = {function, leaves, 0};
  return assemble(&assembly, out, sample);
}

/* Asking. */

const ctorch_tensor *transform_find(const struct transform_leaves *leaves, ctorch_tv_tensor_kind kind) {
  for (size_t i = 0; i < leaves->len; i++) {
    if (leaves->tensors[i] != NULL && ctorch_tv_tensor_kind_of(leaves->tensors[i]) == kind) {
      return leaves->tensors[i];
    }
  }
  return NULL;
}

bool transform_has(const struct transform_leaves *leaves, unsigned kinds) {
  for (int kind = CTORCH_TV_TENSOR_NONE; kind <= CTORCH_TV_TENSOR_KEY_POINTS; kind++) {
    if ((kinds & 1u << kind) != 0 && transform_find(leaves, kind) != NULL) {
      return true;
    }
  }
  return false;
}

static ctorch_error *too_few_dimensions(const struct transform_call *call, const ctorch_tensor *input) {
  return error_make(
      call->function, CTORCH_ERROR_TYPE, "Input tensor should have at least two dimensions, but got %" PRId64,
      ctorch_tensor_ndim(input));
}

ctorch_error *transform_query_size(
    const struct transform_call *call, int64_t *height, int64_t *width, const struct transform_inputs *inputs) {
  for (size_t i = 0; i < inputs->len; i++) {
    const ctorch_tensor *input = inputs->data[i];
    const struct tv_tensor *mark = tv_tensor_of(input);
    bool has_canvas =
        mark != NULL && (mark->kind == CTORCH_TV_TENSOR_BOUNDING_BOXES || mark->kind == CTORCH_TV_TENSOR_KEY_POINTS);
    if (!has_canvas && ctorch_tensor_ndim(input) < 2) {
      return too_few_dimensions(call, input);
    }
    int64_t here[2] = {
        has_canvas ? mark->canvas_size[0] : size_from_end(input, -2),
        has_canvas ? mark->canvas_size[1] : size_from_end(input, -1)};
    if (i > 0 && (here[0] != *height || here[1] != *width)) {
      return error_make(
          call->function, CTORCH_ERROR_VALUE,
          "Found multiple HxW dimensions in the sample: (%" PRId64 ", %" PRId64 ") and (%" PRId64 ", %" PRId64 ")",
          *height, *width, here[0], here[1]);
    }
    *height = here[0];
    *width = here[1];
  }
  return inputs->len > 0 ? NULL
                         : error_make(
                               call->function, CTORCH_ERROR_TYPE,
                               "No image, video, mask, bounding box of keypoint was found in the sample");
}

ctorch_error *transform_query_chw(
    const struct transform_call *call, int64_t chw[3], const struct transform_inputs *inputs) {
  bool found = false;
  for (size_t i = 0; i < inputs->len; i++) {
    const ctorch_tensor *input = inputs->data[i];
    if ((TRANSFORM_PICTURES & 1u << ctorch_tv_tensor_kind_of(input)) == 0) {
      continue;
    }
    if (ctorch_tensor_ndim(input) < 2) {
      return too_few_dimensions(call, input);
    }
    int64_t here[3] = {size_from_end(input, -3), size_from_end(input, -2), size_from_end(input, -1)};
    if (found && (here[0] != chw[0] || here[1] != chw[1] || here[2] != chw[2])) {
      return error_make(
          call->function, CTORCH_ERROR_VALUE,
          "Found multiple CxHxW dimensions in the sample: (%" PRId64 ", %" PRId64 ", %" PRId64 ") and (%" PRId64
          ", %" PRId64 ", %" PRId64 ")",
          chw[0], chw[1], chw[2], here[0], here[1], here[2]);
    }
    found = true;
    for (int j = 0; j < 3; j++) {
      chw[j] = here[j];
    }
  }
  return found ? NULL : error_make(call->function, CTORCH_ERROR_TYPE, "No image or video was found in the sample");
}
