/* The keys of a GGUF file and their values: numbers, texts, and lists of these or of lists. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "gguf/gguf.h"
#include "io/reader.h"

enum { MOST_NESTED = 8 }; /* lists in lists */

size_t gguf_value_nbytes(uint64_t type) {
  static const size_t nbytes[] = {
      [GGUF_UINT8] = 1,   [GGUF_INT8] = 1, [GGUF_UINT16] = 2, [GGUF_INT16] = 2, [GGUF_UINT32] = 4,  [GGUF_INT32] = 4,
      [GGUF_FLOAT32] = 4, [GGUF_BOOL] = 1, [GGUF_UINT64] = 8, [GGUF_INT64] = 8, [GGUF_FLOAT64] = 8,
  };
  return type < sizeof nbytes / sizeof *nbytes ? nbytes[type] : 0;
}

static ctorch_error *unknown(const struct gguf_cursor *self, uint64_t type) {
  return reader_error(
      self->function, self->reader, "a value before byte %" PRIu64 " is of an unknown type %" PRIu64, self->at, type);
}

/* The type and the length of a list, which has room for that. */
static ctorch_error *begin_list(struct gguf_cursor *self, uint64_t *type, uint64_t *len, int depth) {
  if (depth >= MOST_NESTED) {
    return reader_error(self->function, self->reader, "lists at byte %" PRIu64 " are nested too deep", self->at);
  }
  CTORCH_TRY(gguf_number(self, type, 4));
  CTORCH_TRY(gguf_length(self, len));
  size_t nbytes = gguf_value_nbytes(*type);
  if (nbytes == 0 && *type != GGUF_STRING && *type != GGUF_ARRAY) {
    return unknown(self, *type);
  }
  if (*len > gguf_rest(self) / (nbytes > 0 ? nbytes : 4)) {
    return reader_error(self->function, self->reader, "ends early");
  }
  return NULL;
}

static ctorch_error *skip_value(struct gguf_cursor *self, uint64_t type, int depth) {
  if (gguf_value_nbytes(type) > 0) {
    return gguf_skip(self, gguf_value_nbytes(type));
  }
  if (type == GGUF_STRING) {
    return gguf_skip_string(self);
  }
  if (type != GGUF_ARRAY) {
    return unknown(self, type);
  }
  uint64_t len = 0, inner = 0;
  CTORCH_TRY(begin_list(self, &inner, &len, depth));
  if (gguf_value_nbytes(inner) > 0) {
    return gguf_skip(self, len * gguf_value_nbytes(inner));
  }
  for (uint64_t i = 0; i < len; i++) {
    CTORCH_TRY(skip_value(self, inner, depth + 1));
  }
  return NULL;
}

ctorch_error *gguf_skip_value(struct gguf_cursor *self, uint64_t type) { return skip_value(self, type, 0); }

static int64_t signed_of(uint64_t bits, size_t nbytes) {
  uint64_t sign = UINT64_C(1) << (8 * nbytes - 1);
  return (bits & sign) != 0 ? -(int64_t)(sign - 1 - (bits & (sign - 1))) - 1 : (int64_t)bits;
}

static double float_of(uint64_t bits, size_t nbytes) {
  if (nbytes == 8) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
  }
  uint32_t half = (uint32_t)bits;
  float number;
  memcpy(&number, &half, sizeof number);
  return (double)number;
}

static bool is_float(uint64_t type) { return type == GGUF_FLOAT32 || type == GGUF_FLOAT64; }
static bool is_signed(uint64_t type) {
  return type == GGUF_INT8 || type == GGUF_INT16 || type == GGUF_INT32 || type == GGUF_INT64;
}

static ctorch_error *read_bool(struct gguf_cursor *self, bool *out) {
  uint64_t number = 0;
  CTORCH_TRY(gguf_number(self, &number, 1));
  *out = number == 1;
  return number <= 1
             ? NULL
             : reader_error(
                   self->function, self->reader, "a bool before byte %" PRIu64 " is %" PRIu64, self->at, number);
}

static ctorch_error *read_scalar(struct gguf_cursor *self, ctorch_value **out, uint64_t type) {
  size_t nbytes = gguf_value_nbytes(type);
  uint64_t bits = 0;
  if (type == GGUF_BOOL) {
    bool truth = false;
    CTORCH_TRY(read_bool(self, &truth));
    return ctorch_value_from_bool(out, truth);
  }
  CTORCH_TRY(gguf_number(self, &bits, nbytes));
  if (is_float(type)) {
    return ctorch_value_from_double(out, float_of(bits, nbytes));
  }
  if (is_signed(type) || bits <= INT64_MAX) {
    return ctorch_value_from_int(out, is_signed(type) ? signed_of(bits, nbytes) : (int64_t)bits);
  }
  ctorch_scalar scalar = {.kind = CTORCH_SCALAR_UINT};
  memcpy(&scalar.i, &bits, sizeof bits);
  return ctorch_value_from_scalar(out, &scalar);
}

static ctorch_error *read_text(struct gguf_cursor *self, ctorch_value **out) {
  char *text = NULL;
  size_t len = 0;
  CTORCH_TRY(gguf_string(self, &text, &len));
  ctorch_error *error = ctorch_value_from_string_data(out, text, len);
  free(text);
  return error;
}

/* Lists of numbers, which have 8 bytes each in memory. */

static ctorch_error *read_bools(struct gguf_cursor *self, ctorch_value **out, size_t len) {
  bool *values = calloc(len + 1, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(self->function, len) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = read_bool(self, &values[i]);
  }
  THEN(error, ctorch_value_from_bools(out, values, len));
  free(values);
  return error;
}

static ctorch_error *read_floats(struct gguf_cursor *self, ctorch_value **out, uint64_t type, size_t len) {
  double *values = calloc(len + 1, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(self->function, len * sizeof *values) : NULL;
  size_t nbytes = gguf_value_nbytes(type);
  for (size_t i = 0; error == NULL && i < len; i++) {
    uint64_t bits = 0;
    error = gguf_number(self, &bits, nbytes);
    values[i] = float_of(bits, nbytes);
  }
  THEN(error, ctorch_value_from_doubles(out, values, len));
  free(values);
  return error;
}

/* `fits` is false, and nothing is read, if a number does not fit into 64 bits with a sign. */
static ctorch_error *read_ints(struct gguf_cursor *self, ctorch_value **out, bool *fits, uint64_t type, size_t len) {
  int64_t *values = calloc(len + 1, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(self->function, len * sizeof *values) : NULL;
  size_t nbytes = gguf_value_nbytes(type);
  uint64_t at = self->at;
  *fits = true;
  for (size_t i = 0; error == NULL && i < len && *fits; i++) {
    uint64_t bits = 0;
    error = gguf_number(self, &bits, nbytes);
    *fits = is_signed(type) || bits <= INT64_MAX;
    values[i] = is_signed(type) ? signed_of(bits, nbytes) : (int64_t)(bits & INT64_MAX);
  }
  if (error == NULL && *fits) {
    error = ctorch_value_from_ints(out, values, len);
  } else {
    self->at = at;
  }
  free(values);
  return error;
}

static ctorch_error *read_value(struct gguf_cursor *self, ctorch_value **out, uint64_t type, int depth);

static ctorch_error *read_values(struct gguf_cursor *self, ctorch_value **out, uint64_t type, uint64_t len, int depth) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (uint64_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = read_value(self, &entry, type, depth + 1);
    THEN(error, ctorch_value_list_append(list, entry));
    ctorch_value_release(entry);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *read_list(struct gguf_cursor *self, ctorch_value **out, int depth) {
  uint64_t type = 0, len = 0;
  bool fits = false;
  CTORCH_TRY(begin_list(self, &type, &len, depth));
  if (type == GGUF_BOOL) {
    return read_bools(self, out, (size_t)len);
  }
  if (is_float(type)) {
    return read_floats(self, out, type, (size_t)len);
  }
  if (gguf_value_nbytes(type) > 0) {
    CTORCH_TRY(read_ints(self, out, &fits, type, (size_t)len));
  }
  return fits ? NULL : read_values(self, out, type, len, depth);
}

static ctorch_error *read_value(struct gguf_cursor *self, ctorch_value **out, uint64_t type, int depth) {
  if (gguf_value_nbytes(type) > 0) {
    return read_scalar(self, out, type);
  }
  if (type == GGUF_STRING) {
    return read_text(self, out);
  }
  return type == GGUF_ARRAY ? read_list(self, out, depth) : unknown(self, type);
}

ctorch_error *gguf_read_value(struct gguf_cursor *self, ctorch_value **out, uint64_t type) {
  return read_value(self, out, type, 0);
}

/* A key and its value. */
static ctorch_error *read_entry(struct gguf_cursor *self, ctorch_value *dict) {
  char *key = NULL;
  uint64_t type = 0;
  ctorch_value *value = NULL;
  size_t before = ctorch_value_len(dict);
  CTORCH_TRY(gguf_text(self, &key, "key"));
  ctorch_error *error = gguf_number(self, &type, 4);
  THEN(error, gguf_read_value(self, &value, type));
  THEN(error, ctorch_value_dict_put(dict, key, value));
  if (error == NULL && ctorch_value_len(dict) == before) {
    error = reader_error(self->function, self->reader, "the key \"%.256s\" stands twice", key);
  }
  ctorch_value_release(value);
  free(key);
  return error;
}

ctorch_error *gguf_metadata(const char *function, ctorch_value **out, const ctorch_weights *self) {
  const struct gguf *file = self->content;
  struct gguf_cursor cursor;
  ctorch_value *dict = NULL;
  gguf_cursor_begin(&cursor, function, self->reader, file, file->keys_at);
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (uint64_t i = 0; error == NULL && i < file->keys; i++) {
    error = read_entry(&cursor, dict);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}
