/* Where the labels of a sample are. */
#include "transforms/labels.h"

#include <string.h>

#include "core/c/error.h"

static ctorch_error *is_text(bool *out, const ctorch_value *value, const char *text) {
  const char *chars = NULL;
  *out = false;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(ctorch_value_to_string(&chars, NULL, value));
    *out = strcmp(chars, text) == 0;
  }
  return NULL;
}

ctorch_error *labels_begin(
    const char *function,
    struct labels_getter *self,
    ctorch_transform *owner,
    const ctorch_value *getter,
    bool is_default_otherwise) {
  bool is_default = getter == NULL && is_default_otherwise;
  if (getter != NULL) {
    CTORCH_TRY(is_text(&is_default, getter, "default"));
  }
  if (is_default || getter == NULL || ctorch_value_kind_of(getter) == CTORCH_VALUE_NONE) {
    self->how = is_default ? LABELS_DEFAULT : LABELS_NONE;
    return NULL;
  }
  if (ctorch_value_kind_of(getter) != CTORCH_VALUE_TRANSFORM) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "labels_getter should either be 'default', a transform that is called, or None, but got %s",
        ctorch_value_kind_name(ctorch_value_kind_of(getter)));
  }
  ctorch_transform *transform = NULL;
  CTORCH_TRY(ctorch_value_to_transform(&transform, getter));
  self->how = LABELS_CALL;
  ctorch_error *error =
      transform_parts_begin(function, &self->parts, owner, (const ctorch_transform *const[]){transform}, 1);
  ctorch_transform_release(transform);
  return error;
}

void labels_end(struct labels_getter *self) { transform_parts_end(&self->parts); }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Whether `name`, in small letters, is a text, or in it, whatever the case of its letters. */
static bool is_in(const char *text, const char *name, bool is_whole) {
  size_t len = strlen(name);
  for (const char *from = text; *from != '\0'; from++) {
    size_t i = 0;
    while (i < len && lower(from[i]) == name[i]) {
      i++;
    }
    if (i == len && (!is_whole || from[len] == '\0')) {
      return true;
    }
    if (is_whole) {
      return false;
    }
  }
  return false;
}

/* The entry of the first key that is `name`, or has it in it; NULL if there is none. */
static ctorch_error *find(ctorch_value **out, const ctorch_value *dict, const char *name, bool is_whole) {
  ctorch_value *keys = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, dict));
  ctorch_error *error = NULL;
  bool found = false;
  for (size_t i = 0; error == NULL && !found && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    const char *text = NULL;
    error = ctorch_value_get(&key, keys, i);
    if (error == NULL) {
      error = ctorch_value_to_string(&text, NULL, key); /* Python asks each key for its lower() */
    }
    found = error == NULL && is_in(text, name, is_whole);
    if (found) {
      error = ctorch_value_dict_get(out, dict, key);
    }
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  return error;
}

static ctorch_error *find_labels(const char *function, ctorch_value **out, const ctorch_value *sample) {
  ctorch_value_kind kind = ctorch_value_kind_of(sample);
  ctorch_value *part = NULL, *found = NULL;
  if (kind == CTORCH_VALUE_TUPLE || kind == CTORCH_VALUE_LIST) {
    CTORCH_TRY(ctorch_value_get(&part, sample, 1));
  } else {
    CTORCH_TRY(transform_pass(&part, sample));
  }
  ctorch_error *error = NULL;
  ctorch_tensor *labels = NULL;
  kind = ctorch_value_kind_of(part);
  if (kind == CTORCH_VALUE_TENSOR) {
    error = ctorch_value_to_tensor(&labels, part);
    if (error == NULL && tv_tensor_of(labels) == NULL) {
      error = transform_pass(&found, part);
    }
    ctorch_tensor_release(labels);
  }
  if (error == NULL && found == NULL && kind != CTORCH_VALUE_DICT) {
    error = error_make(
        function, CTORCH_ERROR_VALUE,
        "When using the default labels_getter, the input must be a dictionary or a two-tuple whose second item is a "
        "dictionary or a tensor, but got %s instead.",
        ctorch_value_kind_name(kind));
  }
  if (error == NULL && found == NULL) {
    error = find(&found, part, "labels", true);
  }
  if (error == NULL && found == NULL) {
    error = find(&found, part, "label", false);
  }
  if (error == NULL && found == NULL) {
    error = error_make(
        function, CTORCH_ERROR_VALUE,
        "Could not infer where the labels are in the sample. Try passing a transform as the labels_getter parameter? "
        "If there are no labels in the sample by design, pass None.");
  }
  ctorch_value_release(part);
  if (error != NULL) {
    ctorch_value_release(found);
    return error;
  }
  *out = found;
  return NULL;
}

ctorch_error *labels_get(
    const struct labels_getter *self, struct transform_call *call, ctorch_value **out, const ctorch_value *sample) {
  switch (self->how) {
    case LABELS_DEFAULT:
      return find_labels(call->function, out, sample);
    case LABELS_CALL:
      return transform_run(self->parts.data[0], call, out, sample);
    default:
      return ctorch_value_from_none(out);
  }
}

void transform_repr_labels(struct text *text, const struct labels_getter *self) {
  if (self->how == LABELS_DEFAULT) {
    transform_repr_text(text, "labels_getter", "default");
  }
}
