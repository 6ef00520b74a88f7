/* The parts of samples: sample.h. */
#include "datasets/sample.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"

void sample_transforms_begin(
    struct sample_transforms *self, const ctorch_transform *input, const ctorch_transform *target) {
  self->input = object_ref(input);
  self->target = object_ref(target);
}

void sample_transforms_end(struct sample_transforms *self) {
  object_unref(self->input);
  object_unref(self->target);
}

ctorch_error *sample_transform(struct fetch *fetch, const ctorch_transform *transform, ctorch_value **value) {
  ctorch_value *result = NULL;
  if (transform != NULL) {
    CTORCH_TRY(fetch_transform(fetch, transform, &result, *value));
    ctorch_value_release(*value);
    *value = result;
  }
  return NULL;
}

static ctorch_error *make_tuple(
    struct fetch *fetch, const struct sample_transforms *transforms, ctorch_value **out, ctorch_value **parts) {
  CTORCH_TRY(sample_transform(fetch, transforms->input, &parts[0]));
  CTORCH_TRY(sample_transform(fetch, transforms->target, &parts[1]));
  return error_of(fetch->function, ctorch_value_from_tuple(out, (const ctorch_value *const *)parts, 2));
}

ctorch_error *sample_make(
    struct fetch *fetch,
    const struct sample_transforms *transforms,
    ctorch_value **out,
    const ctorch_tensor *input,
    int64_t target) {
  ctorch_value *parts[2] = {NULL, NULL};
  ctorch_error *error = ctorch_value_from_tensor(&parts[0], input);
  THEN(error, ctorch_value_from_int(&parts[1], target));
  error = error != NULL ? error_of(fetch->function, error) : make_tuple(fetch, transforms, out, parts);
  ctorch_value_release(parts[0]);
  ctorch_value_release(parts[1]);
  return error;
}

/* Classes ---------------------------------------------------------------------------------------------------------- */

ctorch_error *class_names_add(const char *function, struct class_names *self, const char *name, size_t len) {
  CTORCH_TRY(array_grow(function, &self->data, self->len, sizeof *self->data));
  self->data[self->len] = malloc(len + 1);
  if (self->data[self->len] == NULL) {
    return error_memory(function, len + 1);
  }
  memcpy(self->data[self->len], name, len);
  self->data[self->len++][len] = '\0';
  return NULL;
}

void class_names_end(struct class_names *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i]);
  }
  free(self->data);
}

static ctorch_error *put_number(ctorch_value *dict, const char *name, size_t number) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_int(&value, (int64_t)number));
  ctorch_error *error = ctorch_value_dict_put(dict, name, value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *numbers_of(const struct class_names *self, ctorch_value **out) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    error = put_number(dict, self->data[i], i);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

ctorch_error *class_names_attribute(const struct class_names *self, const char *name, ctorch_value **out) {
  if (strcmp(name, "classes") == 0) {
    return ctorch_value_from_strings(out, (const char *const *)self->data, self->len);
  }
  return strcmp(name, "class_to_idx") == 0 ? numbers_of(self, out) : NULL;
}

char *path_format(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int len = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *path = len < 0 ? NULL : malloc((size_t)len + 1);
  if (path != NULL) {
    va_start(arguments, format);
    vsnprintf(path, (size_t)len + 1, format, arguments);
    va_end(arguments);
  }
  return path;
}
