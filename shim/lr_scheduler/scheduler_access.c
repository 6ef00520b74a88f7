/* What schedulers read and write: their attributes, the groups of their optimizer, the arguments they are made of. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"
#include "optim/group.h"

const lr_scheduler_class *lr_scheduler_class_of(const ctorch_lr_scheduler *self) {
  return (const lr_scheduler_class *)object_class_of(self);
}

void refuse(struct schedule *s, const char *format, ...) {
  char message[512];
  va_list list;
  if (s->a.error != NULL) {
    return;
  }
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  s->a.error = error_make(s->a.function, CTORCH_ERROR_VALUE, "%s", message);
}

/* Dicts. */

ctorch_value *dict_value(struct schedule *s, const ctorch_value *dict, const char *name) {
  ctorch_value *value = NULL;
  THEN(s->a.error, dict_find(&value, dict, name));
  return value;
}

bool value_is_text(struct schedule *s, const ctorch_value *value, const char *text) {
  const char *found = NULL;
  if (s->a.error == NULL && value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    s->a.error = ctorch_value_to_string(&found, NULL, value);
  }
  return found != NULL && strcmp(found, text) == 0;
}

/* As Python asks a condition: None is false, and so is a number that is zero. */
static bool is_true(struct schedule *s, const ctorch_value *value, const char *name) {
  if (value == NULL || ctorch_value_kind_of(value) == CTORCH_VALUE_NONE) {
    return false;
  }
  return to_real(&s->a, number_of_value(&s->a, value, name)) != 0;
}

ctorch_value *numbers_as_list(struct schedule *s, const struct number *numbers, size_t len) {
  ctorch_value *list = NULL;
  ctorch_value **values = s->a.error == NULL ? calloc(len + 1, sizeof *values) : NULL;
  if (values == NULL) {
    THEN(s->a.error, error_memory(s->a.function, (len + 1) * sizeof *values));
    return NULL;
  }
  for (size_t i = 0; i < len; i++) {
    values[i] = value_of_number(&s->a, numbers[i]);
  }
  THEN(s->a.error, ctorch_value_from_list(&list, (const ctorch_value *const *)values, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(values[i]);
  }
  free(values);
  return list;
}

/* Attributes. */

bool has_attribute(struct schedule *s, const char *name) {
  ctorch_value *value = dict_value(s, s->self->attributes, name);
  ctorch_value_release(value);
  return value != NULL;
}

ctorch_value *attribute_value(struct schedule *s, const char *name) {
  ctorch_value *value = dict_value(s, s->self->attributes, name);
  if (value == NULL && s->a.error == NULL) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_INDEX, "a scheduler %s has no attribute '%s'", lr_scheduler_class_of(s->self)->name,
        name);
  }
  return value;
}

struct number attribute(struct schedule *s, const char *name) {
  ctorch_value *value = attribute_value(s, name);
  struct number number = number_of_value(&s->a, value, name);
  ctorch_value_release(value);
  return number;
}

bool attribute_is_true(struct schedule *s, const char *name) {
  ctorch_value *value = dict_value(s, s->self->attributes, name);
  bool truth = is_true(s, value, name);
  ctorch_value_release(value);
  return truth;
}

bool attribute_is(struct schedule *s, const char *name, const char *text) {
  ctorch_value *value = attribute_value(s, name);
  bool is = value_is_text(s, value, text);
  ctorch_value_release(value);
  return is;
}

/* An entry of a list or tuple with as many as there are groups. */
static struct number entry_of_group(struct schedule *s, const ctorch_value *list, const char *name, size_t group) {
  ctorch_value *entry = NULL;
  if (s->a.error != NULL) {
    return integer(0);
  }
  ctorch_value_kind kind = ctorch_value_kind_of(list);
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_TYPE, "%s: expected a list, found %s", name, ctorch_value_kind_name(kind));
  } else if (ctorch_value_len(list) != groups_of(s)) {
    refuse(s, "%s: %zu values for %zu groups of parameters", name, ctorch_value_len(list), groups_of(s));
  } else {
    s->a.error = ctorch_value_get(&entry, list, group);
  }
  struct number number = number_of_value(&s->a, entry, name);
  ctorch_value_release(entry);
  return number;
}

struct number attribute_of_group(struct schedule *s, const char *name, size_t group) {
  ctorch_value *list = attribute_value(s, name);
  struct number number = entry_of_group(s, list, name, group);
  ctorch_value_release(list);
  return number;
}

void set_attribute_value(struct schedule *s, const char *name, ctorch_value *value) {
  THEN(s->a.error, ctorch_value_dict_put(s->self->attributes, name, value));
  ctorch_value_release(value);
}

void set_attribute(struct schedule *s, const char *name, struct number value) {
  set_attribute_value(s, name, value_of_number(&s->a, value));
}

void set_attribute_bool(struct schedule *s, const char *name, bool truth) {
  ctorch_value *value = NULL;
  THEN(s->a.error, ctorch_value_from_bool(&value, truth));
  set_attribute_value(s, name, value);
}

void set_attribute_none(struct schedule *s, const char *name) {
  ctorch_value *value = NULL;
  THEN(s->a.error, ctorch_value_from_none(&value));
  set_attribute_value(s, name, value);
}

void set_attribute_text(struct schedule *s, const char *name, const char *text) {
  ctorch_value *value = NULL;
  THEN(s->a.error, ctorch_value_from_string(&value, text));
  set_attribute_value(s, name, value);
}

void set_attribute_list(struct schedule *s, const char *name, const struct number *values, size_t len) {
  set_attribute_value(s, name, numbers_as_list(s, values, len));
}

/* Groups. */

size_t groups_of(const struct schedule *s) { return s->groups; }

bool has_option(struct schedule *s, size_t group, const char *name) {
  ctorch_value *value = dict_value(s, s->self->optimizer->groups[group].options, name);
  ctorch_value_release(value);
  return value != NULL;
}

static ctorch_value *option_value(struct schedule *s, size_t group, const char *name) {
  ctorch_value *value = dict_value(s, s->self->optimizer->groups[group].options, name);
  if (value == NULL && s->a.error == NULL) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_INDEX, "group %zu of %s has no option '%s'", group,
        ctorch_optimizer_name(s->self->optimizer), name);
  }
  return value;
}

struct number option(struct schedule *s, size_t group, const char *name) {
  ctorch_value *value = option_value(s, group, name);
  struct number number = number_of_value(&s->a, value, name);
  ctorch_value_release(value);
  return number;
}

static void put_option(struct schedule *s, size_t group, const char *name, ctorch_value *value) {
  struct optimizer_group *to = &s->self->optimizer->groups[group];
  if (s->a.error == NULL) {
    to->is_read = false;
    s->a.error = ctorch_value_dict_put(to->options, name, value);
  }
  ctorch_value_release(value);
}

void set_option(struct schedule *s, size_t group, const char *name, struct number value) {
  put_option(s, group, name, value_of_number(&s->a, value));
}

void update_option(struct schedule *s, size_t group, const char *name, struct number value) {
  if (option(s, group, name).kind != NUMBER_TENSOR) {
    set_option(s, group, name, value);
    return;
  }
  double filled = to_real(&s->a, value);
  THEN(s->a.error, group_set_number(&s->self->optimizer->groups[group], name, filled));
}

struct number *numbers_of_groups(struct schedule *s) {
  if (s->a.error != NULL) {
    return NULL;
  }
  struct number *numbers = calloc(groups_of(s) + 1, sizeof *numbers);
  if (numbers == NULL) {
    s->a.error = error_memory(s->a.function, (groups_of(s) + 1) * sizeof *numbers);
  }
  return numbers;
}

void current_rates(struct schedule *s, struct number *lr) {
  for (size_t i = 0; i < groups_of(s); i++) {
    lr[i] = cloned(&s->a, option(s, i, "lr"));
  }
}

/* Arguments. */

static ctorch_value *argument_value(struct schedule *s, const char *name) { return dict_value(s, s->arguments, name); }

struct number argument(struct schedule *s, const char *name) {
  ctorch_value *value = argument_value(s, name);
  struct number number = number_of_value(&s->a, value, name);
  ctorch_value_release(value);
  return number;
}

ctorch_value_kind argument_kind(struct schedule *s, const char *name) {
  ctorch_value *value = argument_value(s, name);
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  ctorch_value_release(value);
  return kind;
}

bool argument_is_none(struct schedule *s, const char *name) { return argument_kind(s, name) == CTORCH_VALUE_NONE; }

bool argument_is_true(struct schedule *s, const char *name) {
  ctorch_value *value = argument_value(s, name);
  bool truth = is_true(s, value, name);
  ctorch_value_release(value);
  return truth;
}

bool argument_is(struct schedule *s, const char *name, const char *text) {
  ctorch_value *value = argument_value(s, name);
  bool is = value_is_text(s, value, text);
  ctorch_value_release(value);
  return is;
}

void keep_argument_as(struct schedule *s, const char *name, const char *attribute) {
  set_attribute_value(s, attribute, argument_value(s, name));
}

void keep_argument(struct schedule *s, const char *name) { keep_argument_as(s, name, name); }

void argument_of_groups(struct schedule *s, const char *name, struct number *to) {
  ctorch_value *value = argument_value(s, name);
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  bool is_list = kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE;
  if (is_list && s->a.error == NULL && ctorch_value_len(value) != groups_of(s)) {
    refuse(
        s, "%s: expected a value for each of %zu groups of parameters, found %zu", name, groups_of(s),
        ctorch_value_len(value));
  }
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number number = is_list ? entry_of_group(s, value, name, i) : number_of_value(&s->a, value, name);
    to[i] = cloned(&s->a, number);
  }
  ctorch_value_release(value);
}

/* Momentum. */

void begin_momentum(struct schedule *s) {
  ctorch_value *momentum = dict_value(s, s->self->optimizer->defaults, "momentum");
  ctorch_value *betas = dict_value(s, s->self->optimizer->defaults, "betas");
  if (momentum == NULL && betas == NULL) {
    refuse(
        s, "cycle_momentum: an optimizer %s has neither momentum nor betas", ctorch_optimizer_name(s->self->optimizer));
  }
  set_attribute_bool(s, "use_beta1", betas != NULL);
  ctorch_value_release(momentum);
  ctorch_value_release(betas);
}

void begin_momentum_of_groups(
    struct schedule *s, const struct number *smallest, const struct number *largest, bool first) {
  bool use_beta1 = attribute_is_true(s, "use_beta1");
  for (size_t i = 0; first && s->a.error == NULL && i < groups_of(s); i++) {
    set_momentum(s, i, use_beta1, largest[i]);
    set_option(s, i, "max_momentum", largest[i]);
    set_option(s, i, "base_momentum", smallest[i]);
  }
}

void set_momentum(struct schedule *s, size_t group, bool use_beta1, struct number momentum) {
  if (!use_beta1) {
    set_option(s, group, "momentum", momentum);
    return;
  }
  ctorch_value *betas = option_value(s, group, "betas"), *tuple = NULL;
  ctorch_value_kind kind = ctorch_value_kind_of(betas);
  size_t len = 0;
  ctorch_value *entries[8] = {NULL};
  if (s->a.error == NULL && kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_TYPE, "option 'betas': expected a tuple, found %s", ctorch_value_kind_name(kind));
  }
  if (s->a.error == NULL) {
    len = ctorch_value_len(betas);
    if (len == 0 || len > sizeof entries / sizeof *entries) {
      refuse(s, "option 'betas': expected a tuple of two numbers, found %zu", len);
      len = 0;
    }
  }
  for (size_t i = 0; s->a.error == NULL && i < len; i++) {
    if (i == 0) {
      entries[i] = value_of_number(&s->a, momentum);
    } else {
      s->a.error = ctorch_value_get(&entries[i], betas, i);
    }
  }
  THEN(s->a.error, ctorch_value_from_tuple(&tuple, (const ctorch_value *const *)entries, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  ctorch_value_release(betas);
  put_option(s, group, "betas", tuple);
}
