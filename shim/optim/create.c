/* Making optimizers: from typed arguments, and by the name of their class from values. */
#include <stdlib.h>
#include <string.h>

#include "base/creation.h"
#include "base/option_values.h"
#include "base/sequence.h"
#include "constructors/optim.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "optim/group.h"

/* A new optimizer with these defaults, which are the caller's, and groups. `params` is as Python takes it. */
static ctorch_error *add_groups(const char *function, ctorch_optimizer *self, const ctorch_value *params) {
  ctorch_value_kind kind = ctorch_value_kind_of(params);
  ctorch_value *first = NULL;
  if (kind == CTORCH_VALUE_TENSOR) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "params: it should be a list of tensors or of dicts, but got a tensor");
  }
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return error_make(function, CTORCH_ERROR_TYPE, "params: expected a list, found %s", ctorch_value_kind_name(kind));
  }
  if (ctorch_value_len(params) == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "params: optimizer got an empty parameter list");
  }
  CTORCH_TRY(ctorch_value_get(&first, params, 0));
  bool has_groups = ctorch_value_kind_of(first) == CTORCH_VALUE_DICT;
  ctorch_value_release(first);
  ctorch_error *error = NULL;
  if (!has_groups) {
    ctorch_value *group = NULL;
    CTORCH_TRY(ctorch_value_from_dict(&group, NULL, 0, NULL, 0));
    error = ctorch_value_dict_put(group, "params", params);
    THEN(error, optimizer_add_group(function, self, group));
    ctorch_value_release(group);
    return error;
  }
  for (size_t i = 0; error == NULL && i < ctorch_value_len(params); i++) {
    ctorch_value *group = NULL;
    error = ctorch_value_get(&group, params, i);
    THEN(error, optimizer_add_group(function, self, group));
    ctorch_value_release(group);
  }
  return error;
}

/* What the constructor refuses of its arguments, read as a group's options are. */
static ctorch_error *check_defaults(const char *function, const optimizer_class *class, ctorch_value *defaults) {
  struct optimizer_group group = {.options = defaults, .read = calloc(1, class->options_size)};
  if (group.read == NULL) {
    return error_memory(function, class->options_size);
  }
  struct option_reader reader = {.function = function, .name = class->name, .options = defaults};
  option_reader_flags(&reader, &group);
  class->read(&reader, group.read);
  const struct optimizer_flags *flags = group.read;
  ctorch_error *error = reader.error;
  if (class->check != NULL) {
    THEN(error, class->check(function, group.read));
  }
  if (error == NULL && flags->fused != NULL && *flags->fused) {
    if (flags->differentiable) {
      error = error_make(function, CTORCH_ERROR_RUNTIME, "`fused` does not support `differentiable`");
    } else if (flags->foreach != NULL && *flags->foreach) {
      error = error_make(function, CTORCH_ERROR_RUNTIME, "`fused` and `foreach` cannot be `True` together.");
    }
  }
  free(group.read);
  return error;
}

/* Bring a dict of defaults into the order that Python's groups have: each goes to the end in its turn. */
static ctorch_error *bring_into_order(ctorch_value *defaults, const optimizer_class *class) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < OPTIMIZER_OPTIONS && class->order[i] != NULL; i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_from_string(&key, class->order[i]);
    THEN(error, ctorch_value_dict_get(&value, defaults, key));
    THEN(error, ctorch_value_dict_remove(defaults, key));
    THEN(error, ctorch_value_dict_set(defaults, key, value));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  return error;
}

static ctorch_error *make(
    const char *function,
    ctorch_optimizer **out,
    const optimizer_class *class,
    const ctorch_value *params,
    ctorch_value *defaults) {
  ctorch_error *error = class->defaults == NULL ? NULL : class->defaults(function, defaults);
  CTORCH_TRY(error != NULL ? error : check_defaults(function, class, defaults));
  ctorch_optimizer *self = object_new(&class->object);
  if (self == NULL) {
    return error_memory(function, class->object.size);
  }
  ctorch_value *own = NULL;
  error = ctorch_value_copy(&own, defaults);
  self->defaults = value_take(own);
  THEN(error, bring_into_order(self->defaults, class));
  THEN(error, add_groups(function, self, params));
  if (class->made != NULL) {
    THEN(error, class->made(function, self));
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

/* From typed arguments. */

void optimizer_record_begin(struct optimizer_record *self, const char *function) {
  *self = (struct optimizer_record){.function = function};
  self->error = ctorch_value_from_dict(&self->defaults, NULL, 0, NULL, 0);
}

/* One more; `value` is given up. */
static void record(struct optimizer_record *self, const char *name, ctorch_value *value) {
  THEN(self->error, ctorch_value_dict_put(self->defaults, name, value));
  ctorch_value_release(value);
}

static void record_none(struct optimizer_record *self, const char *name) {
  ctorch_value *value = NULL;
  THEN(self->error, ctorch_value_from_none(&value));
  record(self, name, value);
}

#define RECORD(maker, argument) \
  if ((argument) == NULL) {     \
    record_none(self, name);    \
    return;                     \
  }                             \
  ctorch_value *value = NULL;   \
  THEN(self->error, maker);     \
  record(self, name, value)

void optimizer_record_double(struct optimizer_record *self, const char *name, const double *number) {
  RECORD(ctorch_value_from_double(&value, *number), number);
}

void optimizer_record_int(struct optimizer_record *self, const char *name, const int64_t *number) {
  RECORD(ctorch_value_from_int(&value, *number), number);
}

void optimizer_record_bool(struct optimizer_record *self, const char *name, const bool *truth) {
  RECORD(ctorch_value_from_bool(&value, *truth), truth);
}

void optimizer_record_text(struct optimizer_record *self, const char *name, const char *text) {
  RECORD(ctorch_value_from_string(&value, text), text);
}

void optimizer_record_doubles(struct optimizer_record *self, const char *name, const double *numbers, size_t len) {
  ctorch_value *entries[4] = {NULL}, *value = NULL;
  for (size_t i = 0; self->error == NULL && i < len; i++) {
    self->error = ctorch_value_from_double(&entries[i], numbers[i]);
  }
  THEN(self->error, ctorch_value_from_tuple(&value, (const ctorch_value *const *)entries, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  record(self, name, value);
}

ctorch_error *optimizer_record_end(
    struct optimizer_record *self,
    ctorch_optimizer **out,
    const optimizer_class *class,
    ctorch_tensor *const *params,
    size_t params_len) {
  ctorch_value *list = NULL;
  ctorch_error *error = self->error;
  THEN(error, ctorch_value_from_tensors(&list, (const ctorch_tensor *const *)params, params_len));
  THEN(error, make(self->function, out, class, list, self->defaults));
  ctorch_value_release(list);
  ctorch_value_release(self->defaults);
  return error;
}

/* By name. */

static const struct optimizer_entry *find(const char *name) {
  for (const struct optimizer_entry *entry = optim_entries; entry->name != NULL; entry++) {
    if (strcmp(entry->name, name) == 0) {
      return entry;
    }
  }
  return NULL;
}

static ctorch_error *value_of_number(ctorch_value **out, double number, bool is_int) {
  return is_int ? ctorch_value_from_int(out, (int64_t)number) : ctorch_value_from_double(out, number);
}

/* A number or a tuple of them, as Python has the default. */
static void record_numbers(struct optimizer_record *to, const struct optimizer_argument *argument) {
  ctorch_value *entries[4] = {NULL}, *value = NULL;
  for (size_t i = 0; to->error == NULL && i < argument->numbers_len; i++) {
    to->error = value_of_number(&entries[i], argument->numbers[i], (argument->ints & (UINT32_C(1) << i)) != 0);
  }
  if (argument->kind == OPTIMIZER_NUMBER) {
    record(to, argument->name, entries[0]);
    return;
  }
  THEN(to->error, ctorch_value_from_tuple(&value, (const ctorch_value *const *)entries, argument->numbers_len));
  for (size_t i = 0; i < argument->numbers_len; i++) {
    ctorch_value_release(entries[i]);
  }
  record(to, argument->name, value);
}

static void record_default(struct optimizer_record *to, const struct optimizer_argument *argument) {
  const double *number = argument->numbers;
  if (argument->is_none) {
    record_none(to, argument->name);
    return;
  }
  switch (argument->kind) {
    case OPTIMIZER_INT:
      optimizer_record_int(to, argument->name, &(int64_t){(int64_t)*number});
      return;
    case OPTIMIZER_BOOL:
      optimizer_record_bool(to, argument->name, &(bool){*number != 0});
      return;
    case OPTIMIZER_TEXT:
      optimizer_record_text(to, argument->name, argument->text);
      return;
    case OPTIMIZER_NUMBER:
    case OPTIMIZER_NUMBERS:
      record_numbers(to, argument);
      return;
  }
}

/* The arguments of a class as Python has them: an option that is folded stands in the place of the first of its two,
 * and they follow all others. */
static bool is_folded(const struct optimizer_entry *entry, size_t i, size_t which) {
  const char *name = entry->class->folded[which];
  return name != NULL && strcmp(entry->arguments[i].name, name) == 0;
}

/* A class's parameters, and for each of its arguments the place of its value; returns how many there are. */
static size_t parameters_of(const struct optimizer_entry *entry, struct option_parameter *parameters, size_t *places) {
  size_t len = 0;
  parameters[len++] = (struct option_parameter){"params", true, false};
  for (size_t i = 0; i < entry->len; i++) {
    if (is_folded(entry, i, 1)) {
      parameters[len++] = (struct option_parameter){entry->class->folded[0], false, false};
    } else if (!is_folded(entry, i, 2)) {
      places[i] = len;
      parameters[len++] =
          (struct option_parameter){entry->arguments[i].name, false, entry->arguments[i].is_keyword_only};
    }
  }
  for (size_t i = 0; i < entry->len; i++) {
    if (is_folded(entry, i, 1) || is_folded(entry, i, 2)) {
      places[i] = len;
      parameters[len++] = (struct option_parameter){entry->arguments[i].name, false, true};
    }
  }
  return len;
}

/* The values become defaults. */
static void record_values(
    struct optimizer_record *to,
    const struct optimizer_entry *entry,
    const struct option_values *given,
    const size_t *places) {
  const char *pair = entry->class->folded[0];
  const ctorch_value *folded = NULL;
  for (size_t i = 0; pair != NULL && i < given->len; i++) {
    folded = strcmp(given->parameters[i].name, pair) == 0 ? given->values[i] : folded;
  }
  if (folded != NULL) {
    THEN(to->error, ctorch_value_dict_put(to->defaults, pair, folded));
  }
  for (size_t i = 0; to->error == NULL && i < entry->len; i++) {
    const ctorch_value *value = given->values[places[i]];
    bool is_part = is_folded(entry, i, 1) || is_folded(entry, i, 2);
    if (value != NULL && is_part && folded != NULL) {
      to->error = error_make(
          to->function, CTORCH_ERROR_TYPE, "%s() got both '%s' and '%s'", entry->name, pair, entry->arguments[i].name);
    } else if (value != NULL) {
      to->error = ctorch_value_dict_put(to->defaults, entry->arguments[i].name, value);
    } else if (!is_part || folded == NULL) {
      record_default(to, &entry->arguments[i]);
    }
  }
}

/* The arguments of a class, sorted as Python does, become its defaults. */
static ctorch_error *create(
    const char *function,
    ctorch_optimizer **out,
    const struct optimizer_entry *entry,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  size_t capacity = entry->len + 2;
  struct option_parameter *parameters = calloc(capacity, sizeof *parameters);
  ctorch_value **values = calloc(capacity, sizeof *values);
  size_t *places = calloc(capacity, sizeof *places);
  if (parameters == NULL || values == NULL || places == NULL) {
    free(parameters);
    free(values);
    free(places);
    return error_memory(function, capacity * sizeof *parameters);
  }
  struct option_values given = {
      .function = function,
      .called = entry->name,
      .parameters = parameters,
      .len = parameters_of(entry, parameters, places),
      .values = values};
  option_bind(&given, args, kwargs);
  struct optimizer_record to;
  optimizer_record_begin(&to, function);
  if (given.error == NULL) {
    record_values(&to, entry, &given, places);
  }
  if (given.error == NULL && to.error == NULL) {
    to.error = make(function, out, entry->class, values[0], to.defaults);
  }
  ctorch_value_release(to.defaults);
  ctorch_error *error = ctorch_error_first(option_end(&given), to.error);
  free(parameters);
  free(values);
  free(places);
  return error;
}

ctorch_error *ctorch_optim_create(
    ctorch_optimizer **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(creation_check(__func__, out, name, &args, &kwargs));
  const struct optimizer_entry *entry = find(name);
  if (entry == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "module 'torch.optim' has no attribute '%s'", name);
  }
  return create(__func__, out, entry, args, kwargs);
}
