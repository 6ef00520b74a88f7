/* The tensors of a dict by their names. */
#include "io/tensor_dict.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"

void named_end(struct named *self) {
  for (size_t i = 0; i < self->len; i++) {
    tensor_unref(self->data[i].tensor);
    value_unref(self->data[i].key);
  }
  free(self->data);
  *self = (struct named){0};
}

void named_remove(struct named *self, size_t index) {
  tensor_unref(self->data[index].tensor);
  value_unref(self->data[index].key);
  self->len--;
  memmove(&self->data[index], &self->data[index + 1], (self->len - index) * sizeof *self->data);
}

/* A key that is a text without a NUL. */
static ctorch_error *read_key(const char *function, const char **out, const char *argument, const ctorch_value *key) {
  size_t len = 0;
  if (ctorch_value_kind_of(key) != CTORCH_VALUE_STRING) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s: expected names that are texts, found %s", argument,
        ctorch_value_kind_name(ctorch_value_kind_of(key)));
  }
  CTORCH_TRY(ctorch_value_to_string(out, &len, key));
  if (strlen(*out) != len) {
    return error_make(function, CTORCH_ERROR_VALUE, "%s: the name \"%.256s\" goes on behind a NUL", argument, *out);
  }
  return error_unless_text(function, argument, *out);
}

static ctorch_error *read_entry(
    const char *function, struct named_entry *out, const char *argument, ctorch_value *key, ctorch_value *value) {
  CTORCH_TRY(read_key(function, &out->name, argument, key));
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s: \"%.256s\" is no tensor but %s", argument, out->name,
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(ctorch_value_to_tensor(&out->tensor, value));
  tensor_take(out->tensor);
  return NULL;
}

/* Keys and values of a dict, or of an object with the items of one. */
static ctorch_error *read_dict(
    const char *function, ctorch_value **keys, ctorch_value **values, const char *argument, const ctorch_value *dict) {
  ctorch_value_kind kind = ctorch_value_kind_of(dict);
  if (kind != CTORCH_VALUE_DICT && kind != CTORCH_VALUE_PYTHON_OBJECT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s: expected a dict, got %s", argument, ctorch_value_kind_name(kind));
  }
  CTORCH_TRY(ctorch_value_dict_keys(keys, dict));
  return ctorch_value_dict_values(values, dict);
}

ctorch_error *named_read(const char *function, struct named *out, const char *argument, const ctorch_value *dict) {
  ctorch_value *keys = NULL, *values = NULL;
  if (dict == NULL) {
    return error_null(function, argument);
  }
  struct named named = {0};
  ctorch_error *error = read_dict(function, &keys, &values, argument, dict);
  for (size_t i = 0, len = ctorch_value_len(keys); error == NULL && i < len; i++) {
    ctorch_value *key = NULL, *value = NULL;
    struct named_entry entry = {0};
    error = array_grow(function, &named.data, named.len, sizeof *named.data);
    THEN(error, ctorch_value_get(&key, keys, i));
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, read_entry(function, &entry, argument, key, value));
    ctorch_value_release(value);
    if (error == NULL) {
      entry.key = value_take(key);
      named.data[named.len++] = entry;
    } else {
      ctorch_value_release(key);
      tensor_unref(entry.tensor);
    }
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  if (error != NULL) {
    named_end(&named);
    return error;
  }
  *out = named;
  return NULL;
}

/* A text that may have NULs in it. */
static ctorch_error *check_text(
    const char *function, const char *argument, const char *name, const ctorch_value *value) {
  const char *text = NULL;
  size_t len = 0;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s: \"%.256s\" is no text but %s", argument, name,
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(ctorch_value_to_string(&text, &len, value));
  for (const char *end = text + len; text <= end; text += strlen(text) + 1) {
    CTORCH_TRY(error_unless_text(function, argument, text));
  }
  return NULL;
}

ctorch_error *named_check_texts(const char *function, const char *argument, const ctorch_value *dict) {
  ctorch_value *keys = NULL, *values = NULL;
  if (dict == NULL) {
    return NULL;
  }
  ctorch_error *error = read_dict(function, &keys, &values, argument, dict);
  for (size_t i = 0, len = ctorch_value_len(keys); error == NULL && i < len; i++) {
    ctorch_value *key = NULL, *value = NULL;
    const char *name = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, read_key(function, &name, argument, key));
    THEN(error, check_text(function, argument, name, value));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

/* What an operator makes takes the place of what it was made of. */
static void become(ctorch_tensor **tensor, ctorch_tensor *next) {
  ctorch_tensor_release(*tensor);
  *tensor = next;
}

ctorch_error *named_dense(ctorch_tensor **out, const ctorch_tensor *tensor, bool is_contiguous) {
  const ctorch_device cpu = {CTORCH_DEVICE_TYPE_CPU, -1};
  ctorch_tensor *dense = NULL, *next = NULL;
  CTORCH_TRY(ctorch_aten_detach(&dense, tensor));
  ctorch_error *error = ctorch_aten_resolve_conj(&next, dense);
  if (error == NULL) {
    become(&dense, next);
    error = ctorch_aten_resolve_neg(&next, dense);
  }
  if (error == NULL) {
    become(&dense, next);
    error = ctorch_tensor_to(&next, dense, NULL, &cpu, false, false, NULL);
  }
  if (error == NULL) {
    become(&dense, next);
    error = is_contiguous ? ctorch_aten_contiguous(&next, dense, CTORCH_MEMORY_FORMAT_CONTIGUOUS) : NULL;
  }
  if (error == NULL && is_contiguous) {
    become(&dense, next);
  }
  if (error != NULL) {
    ctorch_tensor_release(dense);
    return error;
  }
  *out = dense;
  return NULL;
}

ctorch_error *named_check_strided(const char *function, const char *argument, const struct named_entry *entry) {
  ctorch_layout layout = ctorch_tensor_layout(entry->tensor);
  bool is_nested = ctorch_tensor_is_nested(entry->tensor);
  if (layout == CTORCH_LAYOUT_STRIDED && !is_nested) {
    return NULL;
  }
  const char *what = is_nested ? "nested" : ctorch_layout_name(layout);
  return entry->name == NULL
             ? error_make(
                   function, CTORCH_ERROR_VALUE, "%s: it is %s; only dense tensors can be written", argument, what)
             : error_make(
                   function, CTORCH_ERROR_VALUE, "%s: \"%.256s\" is %s; only dense tensors can be written", argument,
                   entry->name, what);
}
