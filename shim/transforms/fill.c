/* What pixels get that come from outside of an image. */
#include "transforms/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "transforms/transform.h"

enum { KINDS = CTORCH_TV_TENSOR_KEY_POINTS + 1 };

static bool is_sequence(ctorch_value_kind kind) { return kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE; }

static bool is_number(ctorch_value_kind kind) {
  return kind == CTORCH_VALUE_INT || kind == CTORCH_VALUE_DOUBLE || kind == CTORCH_VALUE_BOOL;
}

static ctorch_error *refuse(const char *function, const ctorch_value *value) {
  return error_make(
      function, CTORCH_ERROR_TYPE, "fill: only numbers, tuples, lists and dicts are allowed, found %s",
      ctorch_value_kind_name(ctorch_value_kind_of(value)));
}

static ctorch_error *read_number(const char *function, double *out, const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  bool truth = false;
  if (!is_number(kind)) {
    return refuse(function, value);
  }
  if (kind != CTORCH_VALUE_BOOL) {
    return ctorch_value_to_double(out, value);
  }
  CTORCH_TRY(ctorch_value_to_bool(&truth, value));
  *out = truth;
  return NULL;
}

/* Numbers that a fill has. */
static size_t count(const ctorch_value *value) {
  return is_sequence(ctorch_value_kind_of(value)) ? ctorch_value_len(value) : 1;
}

/* One fill, whose numbers are written to `*next`. */
static ctorch_error *read_fill(const char *function, struct fill *out, const ctorch_value *value, double **next) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_NONE) {
    *out = (struct fill){0};
    return NULL;
  }
  *out = (struct fill){.is_given = true, .is_number = !is_sequence(kind), .values = *next, .len = count(value)};
  for (size_t i = 0; i < out->len; i++) {
    ctorch_value *entry = NULL;
    if (is_sequence(kind)) {
      CTORCH_TRY(ctorch_value_get(&entry, value, i));
    }
    ctorch_error *error = read_number(function, (*next)++, is_sequence(kind) ? entry : value);
    ctorch_value_release(entry);
    if (error != NULL) {
      return error;
    }
  }
  return NULL;
}

/* The kind of a key, KINDS for "others", -1 for what is no name of one. */
static ctorch_error *read_kind(int *out, const ctorch_value *key) {
  const char *name = ctorch_value_python_name(key);
  *out = -1;
  if (ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(ctorch_value_to_string(&name, NULL, key));
  }
  for (int kind = 0; name != NULL && kind < KINDS; kind++) {
    *out = strcmp(name, ctorch_tv_tensor_kind_name(kind)) == 0 ? kind : *out;
  }
  *out = name != NULL && strcmp(name, "others") == 0 ? KINDS : *out;
  return NULL;
}

/* One entry of a dict; `said` tells which kinds have been named. */
static ctorch_error *read_entry(
    const char *function,
    struct fills *self,
    const ctorch_value *key,
    const ctorch_value *value,
    double **next,
    bool said[KINDS]) {
  int kind = -1;
  struct fill fill;
  CTORCH_TRY(read_fill(function, &fill, value, next));
  CTORCH_TRY(read_kind(&kind, key));
  for (int i = 0; kind == KINDS && i < KINDS; i++) {
    self->kinds[i] = said[i] ? self->kinds[i] : fill;
  }
  if (kind >= 0 && kind < KINDS) {
    self->kinds[kind] = fill;
    said[kind] = true;
  }
  return NULL;
}

static ctorch_error *read_dict(const char *function, struct fills *self, const ctorch_value *dict) {
  ctorch_value *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, dict));
  ctorch_error *error = ctorch_value_dict_values(&values, dict);
  size_t total = 0;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(values); i++) {
    ctorch_value *value = NULL;
    error = ctorch_value_get(&value, values, i);
    total += error == NULL ? count(value) : 0;
    ctorch_value_release(value);
  }
  self->numbers = error == NULL ? malloc((total + 1) * sizeof *self->numbers) : NULL;
  if (error == NULL && self->numbers == NULL) {
    error = error_memory(function, (total + 1) * sizeof *self->numbers);
  }
  double *next = self->numbers;
  bool said[KINDS] = {false};
  for (size_t i = 0; error == NULL && i < ctorch_value_len(values); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, read_entry(function, self, key, value, &next, said));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

/* One fill for all kinds. */
static ctorch_error *read_all(const char *function, struct fills *self, const ctorch_value *value) {
  struct fill fill;
  size_t len = count(value);
  self->numbers = malloc((len + 1) * sizeof *self->numbers);
  if (self->numbers == NULL) {
    return error_memory(function, (len + 1) * sizeof *self->numbers);
  }
  double *next = self->numbers;
  CTORCH_TRY(read_fill(function, &fill, value, &next));
  for (int i = 0; i < KINDS; i++) {
    self->kinds[i] = fill;
  }
  return NULL;
}

ctorch_error *fills_begin(const char *function, struct fills *self, const ctorch_value *fill) {
  static const double zero = 0;
  for (int i = 0; fill == NULL && i < KINDS; i++) {
    self->kinds[i] = fill_of(&zero, 1);
  }
  if (fill == NULL) {
    return NULL;
  }
  ctorch_value *copy = NULL;
  CTORCH_TRY(ctorch_value_copy(&copy, fill));
  self->given = value_take(copy);
  return ctorch_value_kind_of(fill) == CTORCH_VALUE_DICT ? read_dict(function, self, fill)
                                                         : read_all(function, self, fill);
}

void fills_end(struct fills *self) {
  value_unref(self->given);
  free(self->numbers);
  *self = (struct fills){0};
}

const struct fill *fills_for(const struct fills *self, const ctorch_tensor *input) {
  return &self->kinds[ctorch_tv_tensor_kind_of(input)];
}

void transform_repr_fill(struct text *text, const struct fills *fills) {
  if (fills->given == NULL) {
    transform_repr_int(text, "fill", 0);
  } else {
    transform_repr_value(text, "fill", fills->given);
  }
}
