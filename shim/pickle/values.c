/* What the parts of a pickle are: arguments of calls, keys, states. */
#include "pickle/values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pickle/globals.h"

#define LEAST_VISITS UINT64_C(65536)

ctorch_error *pickle_error(const struct unpickler *self, const char *format, ...) {
  char text[768];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return self->place == NULL
             ? reader_error(self->function, self->reader, "%s", text)
             : reader_error(
                   self->function, self->reader, "%.128s, byte %" PRIu64 ": %s", self->place, self->offset, text);
}

ctorch_error *pickle_refuse(const struct unpickler *self, ctorch_error *error) {
  if (error == NULL || ctorch_error_kind_of(error) == CTORCH_ERROR_OUT_OF_MEMORY) {
    return error;
  }
  ctorch_error *format = pickle_error(self, "%s", ctorch_error_message(error));
  ctorch_error_release(error);
  return format;
}

ctorch_error *pickle_charge(struct unpickler *self, uint64_t nbytes) {
  if (nbytes > self->budget) {
    return pickle_error(self, "what is made of this takes far more memory than the file");
  }
  self->budget -= nbytes;
  return NULL;
}

ctorch_error *pickle_visit(struct unpickler *self) {
  /* A part takes at least a byte of the pickle, unless it is shared. */
  return ++self->visits <= LEAST_VISITS + 2 * self->offset
             ? NULL
             : pickle_error(
                   self, "parts that are shared so often that to name each would take far more memory than the file");
}

bool pickle_is(const ctorch_value *value, const char *module, const char *name) {
  const char *found = ctorch_value_python_name(value);
  return found != NULL && strcmp(found, name) == 0 && strcmp(ctorch_value_python_module(value), module) == 0;
}

bool pickle_is_class(const ctorch_value *value) {
  ctorch_value *args = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_PYTHON_OBJECT) {
    return false;
  }
  ctorch_error *error = ctorch_value_python_args(&args, value);
  const bool is_class = error == NULL && args == NULL;
  ctorch_error_release(error);
  ctorch_value_release(args);
  return is_class;
}

bool pickle_global_of(const struct unpickler *self, struct pickle_global *out, const ctorch_value *value) {
  const char *module = ctorch_value_python_module(value), *name = ctorch_value_python_name(value);
  return ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT && self->find(out, module, name);
}

bool pickle_is_description(const struct unpickler *self, const ctorch_value *value) {
  struct pickle_global global;
  return pickle_global_of(self, &global, value) && global.makes_tensor && !pickle_is_class(value);
}

ctorch_error *pickle_arg(const struct unpickler *self, ctorch_value **out, const ctorch_value *args, size_t index) {
  const size_t len = ctorch_value_len(args);
  return index < len ? pickle_refuse(self, ctorch_value_get(out, args, index))
                     : pickle_error(self, "%zu arguments, of which argument %zu is needed", len, index);
}

static ctorch_error *expected(const struct unpickler *self, const char *what, size_t index, const ctorch_value *found) {
  return pickle_error(
      self, "argument %zu: expected %s, found %s", index, what, ctorch_value_kind_name(ctorch_value_kind_of(found)));
}

/* An int, or a bool, which is one in Python. */
static bool is_int(int64_t *out, const ctorch_value *value) {
  bool flag = false;
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_BOOL) {
    error = ctorch_value_to_bool(&flag, value);
    *out = flag;
  } else if (ctorch_value_kind_of(value) == CTORCH_VALUE_INT) {
    error = ctorch_value_to_int(out, value);
  } else {
    return false;
  }
  ctorch_error_release(error);
  return error == NULL;
}

ctorch_error *pickle_int_arg(const struct unpickler *self, int64_t *out, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pickle_arg(self, &value, args, index));
  ctorch_error *error = is_int(out, value) ? NULL : expected(self, "an int of 64 bits", index, value);
  ctorch_value_release(value);
  return error;
}

ctorch_error *pickle_bool_arg(const struct unpickler *self, bool *out, const ctorch_value *args, size_t index) {
  int64_t number = 0;
  CTORCH_TRY(pickle_int_arg(self, &number, args, index));
  *out = number != 0;
  return NULL;
}

ctorch_error *pickle_double_arg(const struct unpickler *self, double *out, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pickle_arg(self, &value, args, index));
  ctorch_error *error = pickle_refuse(self, ctorch_value_to_double(out, value));
  ctorch_value_release(value);
  return error;
}

static ctorch_error *text_of(const struct unpickler *self, char **out, const ctorch_value *value, size_t index) {
  const bool is_bytes = ctorch_value_kind_of(value) == CTORCH_VALUE_BYTES;
  const size_t len = ctorch_value_len(value);
  if (!is_bytes && ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
    return expected(self, "a str", index, value);
  }
  char *text = malloc(len + 1);
  if (text == NULL) {
    return error_memory(self->function, len + 1);
  }
  ctorch_error *error = NULL;
  if (is_bytes) {
    error = pickle_refuse(self, ctorch_value_read_bytes(value, text, len));
  } else {
    const char *data = NULL;
    error = pickle_refuse(self, ctorch_value_to_string(&data, NULL, value));
    if (error == NULL) {
      memcpy(text, data, len);
    }
  }
  text[len] = '\0';
  if (error == NULL && strlen(text) != len) {
    error = pickle_error(self, "argument %zu: a text with NUL inside", index);
  }
  if (error != NULL) {
    free(text);
    return error;
  }
  *out = text;
  return NULL;
}

ctorch_error *pickle_text_arg(const struct unpickler *self, char **out, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pickle_arg(self, &value, args, index));
  ctorch_error *error = text_of(self, out, value, index);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *ints_of(
    struct unpickler *self, int64_t **out, size_t *out_len, const ctorch_value *value, size_t index) {
  const size_t len = ctorch_value_len(value);
  const ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_PYTHON_OBJECT && pickle_is(value, "torch", "Size") && !pickle_is_class(value)) {
    ctorch_value *args = NULL;
    CTORCH_TRY(pickle_refuse(self, ctorch_value_python_args(&args, value)));
    ctorch_value *sizes = NULL;
    ctorch_error *error = pickle_arg(self, &sizes, args, 0);
    if (error == NULL && ctorch_value_kind_of(sizes) == CTORCH_VALUE_PYTHON_OBJECT) {
      error = expected(self, "ints", index, sizes);
    }
    THEN(error, ints_of(self, out, out_len, sizes, index));
    ctorch_value_release(sizes);
    ctorch_value_release(args);
    return error;
  }
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return expected(self, "a tuple of ints", index, value);
  }
  CTORCH_TRY(pickle_charge(self, len * sizeof **out));
  int64_t *ints = malloc(len == 0 ? 1 : len * sizeof *ints);
  if (ints == NULL) {
    return error_memory(self->function, len * sizeof *ints);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = pickle_refuse(self, ctorch_value_get(&entry, value, i));
    if (error == NULL && !is_int(&ints[i], entry)) {
      error = expected(self, "a tuple of ints of 64 bits", index, entry);
    }
    ctorch_value_release(entry);
  }
  if (error != NULL) {
    free(ints);
    return error;
  }
  *out = ints;
  *out_len = len;
  return NULL;
}

ctorch_error *pickle_ints_arg(
    struct unpickler *self, int64_t **out, size_t *out_len, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pickle_arg(self, &value, args, index));
  ctorch_error *error = ints_of(self, out, out_len, value, index);
  ctorch_value_release(value);
  return error;
}

/* An int beyond 64 bits is as long as it likes. */
static ctorch_error *charge_int(struct unpickler *self, const ctorch_value *key) {
  int64_t number = 0;
  ctorch_value *bytes = NULL;
  if (is_int(&number, key)) {
    return NULL;
  }
  CTORCH_TRY(pickle_refuse(self, ctorch_value_to_int_bytes(&bytes, key)));
  const size_t len = ctorch_value_len(bytes);
  ctorch_value_release(bytes);
  return pickle_charge(self, len);
}

/* Count what a key takes, which is filed with everything that is in it: tuples of tuples that share their parts would
 * become long. `depth` is bounded where keys are. */
static ctorch_error *charge_key(struct unpickler *self, const ctorch_value *key, int depth) {
  const ctorch_value_kind kind = ctorch_value_kind_of(key);
  const bool is_text = kind == CTORCH_VALUE_STRING || kind == CTORCH_VALUE_BYTES;
  const bool is_object = kind == CTORCH_VALUE_PYTHON_OBJECT;
  ctorch_value *args = NULL;
  if (depth > 32) {
    return pickle_error(self, "a key that is nested too deep");
  }
  if (depth > 0) {
    CTORCH_TRY(pickle_visit(self));
  }
  if (kind == CTORCH_VALUE_INT) {
    CTORCH_TRY(charge_int(self, key));
  } else if (depth > 0 || kind != CTORCH_VALUE_STRING) {
    CTORCH_TRY(pickle_charge(self, 16 + (is_text ? ctorch_value_len(key) : 0)));
  }
  if (is_object) {
    CTORCH_TRY(pickle_refuse(self, ctorch_value_python_args(&args, key)));
  }
  const ctorch_value *entries = is_object ? args : key;
  const size_t len = is_object || kind == CTORCH_VALUE_TUPLE ? ctorch_value_len(entries) : 0;
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = pickle_refuse(self, ctorch_value_get(&entry, entries, i));
    THEN(error, charge_key(self, entry, depth + 1));
    ctorch_value_release(entry);
  }
  ctorch_value_release(args);
  return error;
}

ctorch_error *pickle_set_item(
    struct unpickler *self, ctorch_value *dict, const ctorch_value *key, const ctorch_value *value) {
  if (self->is_described && pickle_is_description(self, key)) {
    return NULL; /* a tensor can be a key, and its description not */
  }
  CTORCH_TRY(charge_key(self, key, 0));
  return pickle_refuse(self, ctorch_value_dict_set(dict, key, value));
}

ctorch_error *pickle_add_to_set(struct unpickler *self, ctorch_value *set, const ctorch_value *value) {
  if (self->is_described && pickle_is_description(self, value)) {
    return NULL;
  }
  CTORCH_TRY(charge_key(self, value, 0));
  return pickle_refuse(self, ctorch_value_set_add(set, value));
}

ctorch_error *pickle_ensure_items(const struct unpickler *self, ctorch_value *object, ctorch_value_kind kind) {
  ctorch_value *items = NULL;
  if (ctorch_value_kind_of(object) != CTORCH_VALUE_PYTHON_OBJECT || pickle_is_class(object)) {
    return NULL;
  }
  CTORCH_TRY(pickle_refuse(self, ctorch_value_python_items(&items, object)));
  if (items != NULL) {
    ctorch_value_release(items);
    return NULL;
  }
  CTORCH_TRY(pickle_empty(&items, kind));
  ctorch_error *error = python_set_items(self->function, object, items);
  ctorch_value_release(items);
  return pickle_refuse(self, error);
}

ctorch_error *pickle_empty(ctorch_value **out, ctorch_value_kind kind) {
  switch (kind) {
    case CTORCH_VALUE_TUPLE:
      return ctorch_value_from_tuple(out, NULL, 0);
    case CTORCH_VALUE_DICT:
      return ctorch_value_from_dict(out, NULL, 0, NULL, 0);
    case CTORCH_VALUE_SET:
      return ctorch_value_from_set(out, NULL, 0);
    default:
      return ctorch_value_from_list(out, NULL, 0);
  }
}
