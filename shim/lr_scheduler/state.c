/* The states of schedulers, as dicts of their attributes. */
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"
#include "optim/group.h"

#define SCHEDULERS "_schedulers"

/* Saving. */

static ctorch_error *state_of(ctorch_value **out, const ctorch_lr_scheduler *self);

static ctorch_error *put(ctorch_value *dict, const char *name, ctorch_error *error, ctorch_value *value) {
  THEN(error, ctorch_value_dict_put(dict, name, value));
  ctorch_value_release(value);
  return error;
}

/* What stands for callbacks, which cannot be saved. */
static ctorch_error *put_callbacks(ctorch_value *dict, const ctorch_lr_scheduler *self) {
  const lr_scheduler_class *class = lr_scheduler_class_of(self);
  ctorch_value *none = NULL, *list = NULL;
  CTORCH_TRY(ctorch_value_from_none(&none));
  ctorch_error *error = NULL;
  if (class->callbacks_name != NULL) {
    error = ctorch_value_from_list(&list, NULL, 0);
    for (size_t i = 0; error == NULL && i < self->lambdas; i++) {
      error = ctorch_value_list_append(list, none);
    }
    error = put(dict, class->callbacks_name, error, list);
  }
  if (error == NULL && class->callback_name != NULL) {
    error = ctorch_value_dict_put(dict, class->callback_name, none);
  }
  ctorch_value_release(none);
  return error;
}

static ctorch_error *put_schedulers(ctorch_value *dict, const ctorch_lr_scheduler *self) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    ctorch_value *state = NULL;
    error = state_of(&state, self->schedulers[i]);
    THEN(error, ctorch_value_list_append(list, state));
    ctorch_value_release(state);
  }
  return put(dict, SCHEDULERS, error, list);
}

static ctorch_error *state_of(ctorch_value **out, const ctorch_lr_scheduler *self) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = dict_merge(dict, self->attributes, NULL, NULL);
  THEN(error, put_callbacks(dict, self));
  if (error == NULL && self->len > 0) {
    error = put_schedulers(dict, self);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

ctorch_error *ctorch_lr_scheduler_state_dict(ctorch_value **out, const ctorch_lr_scheduler *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return state_of(out, self);
}

/* Loading. */

/* An entry that has to be there, owned. */
static ctorch_value *needed(struct schedule *s, const ctorch_value *state, const char *name) {
  ctorch_value *value = dict_value(s, state, name);
  if (value == NULL && s->a.error == NULL) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_INDEX, "state_dict: that of %s has no entry '%s'",
        ctorch_lr_scheduler_name(s->self), name);
  }
  return value;
}

static void check_keys(struct schedule *s, const ctorch_value *state) {
  ctorch_value *keys = NULL;
  if (s->a.error == NULL && ctorch_value_kind_of(state) != CTORCH_VALUE_DICT) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_TYPE, "state_dict: expected a dict, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(state)));
  }
  THEN(s->a.error, ctorch_value_dict_keys(&keys, state));
  for (size_t i = 0; s->a.error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    s->a.error = ctorch_value_get(&key, keys, i);
    if (s->a.error == NULL && ctorch_value_kind_of(key) != CTORCH_VALUE_STRING) {
      s->a.error = error_make(
          s->a.function, CTORCH_ERROR_TYPE, "state_dict: a key is %s, expected a text",
          ctorch_value_kind_name(ctorch_value_kind_of(key)));
    }
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
}

/* The states of the schedulers that this one steps, each of which is checked, or loaded, by a function. */
static void for_schedulers(
    struct schedule *s, const ctorch_value *state, void (*act)(struct schedule *, const ctorch_value *)) {
  ctorch_value *list = needed(s, state, SCHEDULERS);
  size_t len = s->a.error == NULL ? ctorch_value_len(list) : 0;
  if (len > s->self->len) {
    s->a.error =
        error_make(s->a.function, CTORCH_ERROR_INDEX, "state_dict: %zu states for %zu schedulers", len, s->self->len);
  }
  for (size_t i = 0; s->a.error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    s->a.error = ctorch_value_get(&entry, list, i);
    struct schedule other = schedule_of(s, s->self->schedulers[i]);
    act(&other, entry);
    schedule_end(s, &other);
    ctorch_value_release(entry);
  }
  ctorch_value_release(list);
}

/* Everything that may be wrong, without a change. */
static void check(struct schedule *s, const ctorch_value *state) {
  const lr_scheduler_class *class = lr_scheduler_class_of(s->self);
  const char *callback = class->callbacks_name != NULL ? class->callbacks_name : class->callback_name;
  check_keys(s, state);
  if (callback != NULL) {
    ctorch_value_release(needed(s, state, callback));
  }
  if (s->a.error == NULL && class->check_state != NULL) {
    class->check_state(s, state);
  }
  if (s->a.error == NULL && s->self->len > 0) {
    for_schedulers(s, state, check);
  }
}

/* Whether an entry is none of the attributes. */
static bool is_apart(const struct schedule *s, const lr_scheduler_class *class, const char *key) {
  return (class->callbacks_name != NULL && strcmp(key, class->callbacks_name) == 0) ||
         (class->callback_name != NULL && strcmp(key, class->callback_name) == 0) ||
         (s->self->len > 0 && strcmp(key, SCHEDULERS) == 0);
}

static void load_entry(struct schedule *s, ctorch_value *to, const ctorch_value *state, const ctorch_value *key) {
  const char *text = NULL;
  ctorch_value *value = NULL;
  s->a.error = ctorch_value_to_string(&text, NULL, key);
  if (s->a.error != NULL || is_apart(s, lr_scheduler_class_of(s->self), text)) {
    return;
  }
  s->a.error = ctorch_value_dict_get(&value, state, key);
  THEN(s->a.error, ctorch_value_dict_set(to, key, value));
  ctorch_value_release(value);
}

static void load(struct schedule *s, const ctorch_value *state) {
  ctorch_value *attributes = NULL, *keys = NULL;
  THEN(s->a.error, ctorch_value_copy(&attributes, s->self->attributes));
  THEN(s->a.error, ctorch_value_dict_keys(&keys, state));
  for (size_t i = 0; s->a.error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    s->a.error = ctorch_value_get(&key, keys, i);
    if (s->a.error == NULL) {
      load_entry(s, attributes, state, key);
    }
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  if (s->a.error != NULL) {
    ctorch_value_release(attributes);
    return;
  }
  value_unref(s->self->attributes);
  s->self->attributes = value_take(attributes);
  if (lr_scheduler_class_of(s->self)->loaded != NULL) {
    lr_scheduler_class_of(s->self)->loaded(s);
  }
  if (s->self->len > 0) {
    for_schedulers(s, state, load);
  }
}

ctorch_error *ctorch_lr_scheduler_load_state_dict(ctorch_lr_scheduler *self, const ctorch_value *state_dict) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || state_dict == NULL) {
    return error_null(__func__, self == NULL ? "self" : "state_dict");
  }
  struct schedule s = SCHEDULE(self);
  check(&s, state_dict);
  load(&s, state_dict);
  return arithmetic_end(&s.a);
}
