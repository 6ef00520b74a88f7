/* Making schedulers: from typed arguments, by the name of their class from values, and with callbacks. */
#include <stdlib.h>
#include <string.h>

#include "base/creation.h"
#include "base/sequence.h"
#include "constructors/lr_scheduler.h"
#include "core/c/boxed.h"
#include "core/c/error.h"

/* From typed arguments, of which optimizer.h has the records of single ones. */

static void record(struct optimizer_record *self, const char *name, ctorch_value *value) {
  THEN(self->error, ctorch_value_dict_put(self->defaults, name, value));
  ctorch_value_release(value);
}

void lr_scheduler_record_doubles(struct optimizer_record *self, const char *name, const double *values, size_t len) {
  ctorch_value *list = NULL;
  THEN(self->error, ctorch_value_from_doubles(&list, values, len));
  record(self, name, list);
}

void lr_scheduler_record_ints(struct optimizer_record *self, const char *name, const int64_t *values, size_t len) {
  ctorch_value *list = NULL;
  THEN(self->error, ctorch_value_from_ints(&list, values, len));
  record(self, name, list);
}

ctorch_error *lr_scheduler_record_give(
    struct optimizer_record *self, ctorch_lr_scheduler **out, ctorch_lr_scheduler *scheduler) {
  ctorch_error *error = self->error;
  if (error != NULL) {
    if (scheduler != NULL) {
      scheduler->destroy = NULL; /* the payload stays the caller's */
    }
    object_unref(scheduler);
  } else {
    error = lr_scheduler_give(self->function, out, scheduler, self->defaults);
  }
  ctorch_value_release(self->defaults);
  return error;
}

ctorch_error *lr_scheduler_record_end(
    struct optimizer_record *self,
    ctorch_lr_scheduler **out,
    const lr_scheduler_class *class,
    ctorch_optimizer *optimizer) {
  return lr_scheduler_record_give(self, out, self->error == NULL ? lr_scheduler_new(class, optimizer) : NULL);
}

/* By name. */

static const struct lr_scheduler_entry *find(const char *name) {
  for (const struct lr_scheduler_entry *entry = lr_scheduler_entries; entry->name != NULL; entry++) {
    if (strcmp(entry->name, name) == 0) {
      return entry;
    }
  }
  return NULL;
}

static void record_default(struct optimizer_record *to, const struct lr_scheduler_argument *argument) {
  const char *name = argument->name;
  switch (argument->kind) {
    case LR_SCHEDULER_REQUIRED: /* option_bind has refused that */
      return;
    case LR_SCHEDULER_NONE:
      optimizer_record_double(to, name, NULL);
      return;
    case LR_SCHEDULER_INT:
      optimizer_record_int(to, name, &(int64_t){(int64_t)argument->number});
      return;
    case LR_SCHEDULER_DOUBLE:
      optimizer_record_double(to, name, &argument->number);
      return;
    case LR_SCHEDULER_BOOL:
      optimizer_record_bool(to, name, &(bool){argument->number != 0});
      return;
    case LR_SCHEDULER_TEXT:
      optimizer_record_text(to, name, argument->text);
      return;
  }
}

/* The values of the arguments, sorted as Python does, in a dict under their names. */
static ctorch_error *create(
    const char *function,
    ctorch_lr_scheduler **out,
    const struct lr_scheduler_entry *entry,
    ctorch_optimizer *optimizer,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  struct option_parameter *parameters = calloc(entry->len + 1, sizeof *parameters);
  ctorch_value **values = calloc(entry->len + 1, sizeof *values);
  if (parameters == NULL || values == NULL) {
    free(parameters);
    free(values);
    return error_memory(function, (entry->len + 1) * sizeof *parameters);
  }
  for (size_t i = 0; i < entry->len; i++) {
    const struct lr_scheduler_argument *argument = &entry->arguments[i];
    parameters[i] =
        (struct option_parameter){argument->name, argument->kind == LR_SCHEDULER_REQUIRED, argument->is_keyword_only};
  }
  struct option_values given = {
      .function = function, .called = entry->name, .parameters = parameters, .len = entry->len, .values = values};
  option_bind(&given, args, kwargs);
  struct optimizer_record to;
  optimizer_record_begin(&to, function);
  to.error = ctorch_error_first(given.error, to.error);
  given.error = NULL;
  for (size_t i = 0; to.error == NULL && i < entry->len; i++) {
    if (values[i] == NULL) {
      record_default(&to, &entry->arguments[i]);
    } else {
      to.error = ctorch_value_dict_put(to.defaults, entry->arguments[i].name, values[i]);
    }
  }
  ctorch_error *error = lr_scheduler_record_end(&to, out, entry->class, optimizer);
  error = ctorch_error_first(error, option_end(&given));
  free(parameters);
  free(values);
  return error;
}

ctorch_error *ctorch_lr_scheduler_create(
    ctorch_lr_scheduler **out,
    const char *name,
    ctorch_optimizer *optimizer,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  CTORCH_TRY(creation_check(__func__, out, name, &args, &kwargs));
  if (optimizer == NULL) {
    return error_null(__func__, "optimizer");
  }
  const struct lr_scheduler_entry *entry = find(name);
  if (entry == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_INDEX, "name: torch.optim.lr_scheduler has no '%s' that values can make", name);
  }
  return create(__func__, out, entry, optimizer, args, kwargs);
}
