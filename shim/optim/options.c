/* The options of a group: reading them from its dict. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/group.h"

/* Dicts. */

ctorch_error *dict_find(ctorch_value **out, const ctorch_value *dict, const char *name) {
  ctorch_value *key = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, dict, key);
  if (error == NULL && is_there) {
    error = ctorch_value_dict_get(out, dict, key);
  }
  ctorch_value_release(key);
  return error;
}

ctorch_error *dict_has(bool *out, const ctorch_value *dict, const char *name) {
  ctorch_value *key = NULL;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(out, dict, key);
  ctorch_value_release(key);
  return error;
}

ctorch_error *dict_find_bool(bool *out, const ctorch_value *dict, const char *name) {
  ctorch_value *value = NULL;
  *out = false;
  CTORCH_TRY(dict_find(&value, dict, name));
  ctorch_error *error = NULL;
  if (value != NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_NONE) {
    error = ctorch_value_to_bool(out, value);
  }
  ctorch_value_release(value);
  return error;
}

/* Whether a key is one of two names. */
static ctorch_error *is_one_of(bool *out, const ctorch_value *key, const char *but, const char *but_too) {
  const char *text = NULL;
  *out = false;
  if (ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(ctorch_value_to_string(&text, NULL, key));
    *out = (but != NULL && strcmp(text, but) == 0) || (but_too != NULL && strcmp(text, but_too) == 0);
  }
  return NULL;
}

ctorch_error *dict_merge(ctorch_value *self, const ctorch_value *other, const char *but, const char *but_too) {
  ctorch_value *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, other));
  ctorch_error *error = ctorch_value_dict_values(&values, other);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    bool is_there = false, is_left = false;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, is_one_of(&is_left, key, but, but_too));
    THEN(error, ctorch_value_dict_contains(&is_there, self, key));
    if (error == NULL && !is_there && !is_left) {
      error = ctorch_value_dict_set(self, key, value);
    }
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

ctorch_error *tuple_of_list(const char *function, ctorch_value **out, const ctorch_value *list) {
  size_t len = ctorch_value_len(list);
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  ctorch_error *error = entries == NULL ? error_memory(function, (len + 1) * sizeof *entries) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = ctorch_value_get(&entries[i], list, i);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)entries, len));
  for (size_t i = 0; entries != NULL && i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  free(entries);
  return error;
}

ctorch_error *list_of_values(ctorch_value **out, const ctorch_value *list) {
  ctorch_value *all = NULL;
  CTORCH_TRY(ctorch_value_from_list(&all, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(list); i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, list, i);
    THEN(error, ctorch_value_list_append(all, entry));
    ctorch_value_release(entry);
  }
  if (error != NULL) {
    ctorch_value_release(all);
    return error;
  }
  *out = all;
  return NULL;
}

/* Reading. */

/* The option, owned; NULL if there is none, which is an error if it has to be there. */
static ctorch_value *find(struct option_reader *self, const char *name, bool has_to_be) {
  ctorch_value *value = NULL;
  THEN(self->error, dict_find(&value, self->options, name));
  if (self->error == NULL && value == NULL && has_to_be) {
    self->error = error_make(self->function, CTORCH_ERROR_INDEX, "a group of %s has no option '%s'", self->name, name);
  }
  return value;
}

static void fail(struct option_reader *self, const char *name, const char *expected, const ctorch_value *found) {
  THEN(
      self->error, error_make(
                       self->function, CTORCH_ERROR_TYPE, "option '%s' of %s: expected %s, found %s", name, self->name,
                       expected, ctorch_value_kind_name(ctorch_value_kind_of(found))));
}

static bool is_number(ctorch_value_kind kind) {
  return kind == CTORCH_VALUE_INT || kind == CTORCH_VALUE_DOUBLE || kind == CTORCH_VALUE_BOOL;
}

/* A value as a number. A bool is an int to Python. */
static double to_double(struct option_reader *self, const ctorch_value *value) {
  double number = 0;
  bool truth = false;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_BOOL) {
    self->error = ctorch_value_to_bool(&truth, value);
    return truth;
  }
  self->error = ctorch_value_to_double(&number, value);
  return number;
}

static struct optimizer_number to_number(struct option_reader *self, const char *name, const ctorch_value *value) {
  struct optimizer_number number = {0};
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_TENSOR) {
    ctorch_tensor *tensor = NULL;
    self->error = ctorch_value_to_tensor(&tensor, value);
    if (self->error == NULL && ctorch_tensor_numel(tensor) != 1) {
      self->error = error_make(
          self->function, CTORCH_ERROR_VALUE, "option '%s' of %s: a tensor must be 1-element", name, self->name);
    }
    number.tensor = self->error == NULL ? tensor : NULL; /* the dict keeps it */
    ctorch_tensor_release(tensor);
  } else if (is_number(kind)) {
    number.value = to_double(self, value);
  } else {
    fail(self, name, "a number or a tensor", value);
  }
  return number;
}

struct optimizer_number read_number(struct option_reader *self, const char *name) {
  struct optimizer_number number = {0};
  ctorch_value *value = find(self, name, true);
  if (value != NULL) {
    number = to_number(self, name, value);
  }
  ctorch_value_release(value);
  return number;
}

double read_double(struct option_reader *self, const char *name) {
  struct optimizer_number number = read_number(self, name);
  if (number.tensor != NULL) {
    self->error = number_value(&number.value, &number);
  }
  return number.value;
}

int64_t read_int(struct option_reader *self, const char *name) {
  int64_t number = 0;
  ctorch_value *value = find(self, name, true);
  if (value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_INT) {
    self->error = ctorch_value_to_int(&number, value);
  } else if (value != NULL) {
    fail(self, name, "an int", value);
  }
  ctorch_value_release(value);
  return number;
}

bool read_bool(struct option_reader *self, const char *name) {
  bool truth = false;
  ctorch_value *value = find(self, name, true);
  if (value != NULL) {
    ctorch_value_kind kind = ctorch_value_kind_of(value);
    if (is_number(kind)) {
      truth = to_double(self, value) != 0;
    } else if (kind != CTORCH_VALUE_NONE) {
      fail(self, name, "True or False", value);
    }
  }
  ctorch_value_release(value);
  return truth;
}

void read_numbers(struct option_reader *self, const char *name, struct optimizer_number *to, size_t len) {
  ctorch_value *value = find(self, name, true);
  if (value != NULL) {
    ctorch_value_kind kind = ctorch_value_kind_of(value);
    if ((kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) || ctorch_value_len(value) != len) {
      fail(self, name, len == 2 ? "a tuple of two numbers" : "a tuple of three numbers", value);
    }
    for (size_t i = 0; self->error == NULL && i < len; i++) {
      ctorch_value *entry = NULL;
      self->error = ctorch_value_get(&entry, value, i);
      if (self->error == NULL) {
        to[i] = to_number(self, name, entry);
      }
      ctorch_value_release(entry);
    }
  }
  ctorch_value_release(value);
}

void read_doubles(struct option_reader *self, const char *name, double *to, size_t len) {
  struct optimizer_number numbers[4] = {{0}};
  read_numbers(self, name, numbers, len);
  for (size_t i = 0; self->error == NULL && i < len; i++) {
    self->error = number_value(&to[i], &numbers[i]);
  }
}

bool read_is_given(struct option_reader *self, const char *name) {
  ctorch_value *value = find(self, name, false);
  bool is_given = value != NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_NONE;
  ctorch_value_release(value);
  return is_given;
}

const char *read_text(struct option_reader *self, const char *name) {
  const char *text = NULL;
  ctorch_value *value = find(self, name, true);
  if (value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    self->error = ctorch_value_to_string(&text, NULL, value);
  } else if (value != NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_NONE) {
    fail(self, name, "a text or None", value);
  }
  ctorch_value_release(value); /* the dict has the same text */
  return text;
}

void option_reader_flags(struct option_reader *self, struct optimizer_group *group) {
  struct optimizer_flags *flags = group->read;
  *flags = (struct optimizer_flags){0};
  if (read_is_given(self, "foreach")) {
    group->foreach = read_bool(self, "foreach");
    flags->foreach = &group->foreach;
  }
  if (read_is_given(self, "fused")) {
    group->fused = read_bool(self, "fused");
    flags->fused = &group->fused;
  }
  flags->maximize = read_is_given(self, "maximize") && read_bool(self, "maximize");
  flags->capturable = read_is_given(self, "capturable") && read_bool(self, "capturable");
  flags->differentiable = read_is_given(self, "differentiable") && read_bool(self, "differentiable");
}

ctorch_error *number_value(double *out, const struct optimizer_number *number) {
  if (number->tensor == NULL) {
    *out = number->value;
    return NULL;
  }
  return ctorch_tensor_item_double(out, number->tensor);
}

/* Checking. */

static ctorch_error *refuse(const char *function, const char *name, double value, const char *range) {
  return error_make(function, CTORCH_ERROR_VALUE, "%s: invalid value %g, expected %s", name, value, range);
}

ctorch_error *check_not_negative(const char *function, const char *name, const struct optimizer_number *number) {
  double value = 0;
  CTORCH_TRY(number_value(&value, number));
  return value >= 0 ? NULL : refuse(function, name, value, "at least 0");
}

ctorch_error *check_below_one(const char *function, const char *name, const struct optimizer_number *number) {
  double value = 0;
  CTORCH_TRY(number_value(&value, number));
  return value >= 0 && value < 1 ? NULL : refuse(function, name, value, "within [0, 1)");
}

ctorch_error *check_up_to_one(const char *function, const char *name, const struct optimizer_number *number) {
  double value = 0;
  CTORCH_TRY(number_value(&value, number));
  return value >= 0 && value <= 1 ? NULL : refuse(function, name, value, "within [0, 1]");
}

ctorch_error *check_positive(const char *function, const char *name, const struct optimizer_number *number) {
  double value = 0;
  CTORCH_TRY(number_value(&value, number));
  return value > 0 ? NULL : refuse(function, name, value, "above 0");
}
