/* Iterators: what all have in common, those of callbacks, and dicts of states. */
#include "data/iterator.h"

#include <inttypes.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/payload.h"

void ctorch_iterator_retain(const ctorch_iterator *self) { object_retain(self); }

void ctorch_iterator_release(ctorch_iterator *self) { object_release(self); }

static const iterator_class *class_of(const ctorch_iterator *self) {
  return (const iterator_class *)(const void *)object_class_of(self);
}

ctorch_error *iterator_next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  if (self->has_ended) {
    return NULL;
  }
  if (self->is_busy) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "the iterator is asked for more while it makes a value");
  }
  object_ref(self); /* a callback may give the last reference up */
  self->has_begun = true;
  self->is_busy = true;
  ctorch_value *value = NULL;
  ctorch_error *error = class_of(self)->next(function, self, &value);
  self->is_busy = false;
  if (error == NULL) {
    self->has_ended = value == NULL;
    *out = value;
  }
  object_unref(self);
  return error;
}

ctorch_error *iterator_state(const char *function, const ctorch_iterator *self, ctorch_value **out) {
  const iterator_class *class = class_of(self);
  if (class->state == NULL) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "the iterator cannot tell where it is");
  }
  return class->state(function, self, out);
}

ctorch_error *iterator_load_state(const char *function, ctorch_iterator *self, const ctorch_value *state) {
  const iterator_class *class = class_of(self);
  if (class->load_state == NULL) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "the iterator cannot go to where another was");
  }
  if (self->has_begun || self->is_busy) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "values were taken from the iterator already");
  }
  return class->load_state(function, self, state);
}

ctorch_error *ctorch_iterator_next(ctorch_value **out, ctorch_iterator *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_value *value = NULL;
  CTORCH_TRY(iterator_next(__func__, self, &value));
  *out = value;
  return NULL;
}

ctorch_error *ctorch_iterator_state_dict(ctorch_value **out, const ctorch_iterator *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return iterator_state(__func__, self, out);
}

ctorch_error *ctorch_iterator_load_state_dict(ctorch_iterator *self, const ctorch_value *state) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || state == NULL) {
    return error_null(__func__, self == NULL ? "self" : "state");
  }
  return iterator_load_state(__func__, self, state);
}

/* Of callbacks ----------------------------------------------------------------------------------------------------- */

struct called {
  ctorch_iterator iterator;
  ctorch_iterator_next_callback next;
  ctorch_iterator_save_callback save;
  ctorch_iterator_load_callback load;
  void (*destroy)(void *payload);
  void *payload;
};

static void called_finalize(void *self) {
  struct called *called = self;
  payload_destroy(called->destroy, called->payload);
}

static ctorch_error *called_next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct called *called = (struct called *)self;
  ctorch_error *error = NULL;
  ctorch_value *value = NULL;
  ctorch_callback_status status = called->next(&value, &error, called->payload);
  error = callback_error(function, "next", status, error);
  if (error != NULL) {
    ctorch_value_release(value);
    return error;
  }
  *out = value;
  return NULL;
}

static ctorch_error *called_state(const char *function, const ctorch_iterator *self, ctorch_value **out) {
  const struct called *called = (const struct called *)self;
  if (called->save == NULL) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "the iterator's callback cannot tell where it is");
  }
  ctorch_error *error = NULL;
  ctorch_value *state = NULL;
  ctorch_callback_status status = called->save(&state, &error, called->payload);
  error = callback_error(function, "save", status, error);
  if (error == NULL && state == NULL) {
    error = error_make(function, CTORCH_ERROR_CALLBACK, "save gave no value");
  }
  if (error != NULL) {
    ctorch_value_release(state);
    return error;
  }
  *out = state;
  return NULL;
}

static ctorch_error *called_load_state(const char *function, ctorch_iterator *self, const ctorch_value *state) {
  struct called *called = (struct called *)self;
  if (called->load == NULL) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "the iterator's callback cannot go to where another was");
  }
  ctorch_error *error = NULL;
  ctorch_callback_status status = called->load(state, &error, called->payload);
  return callback_error(function, "load", status, error);
}

static const iterator_class called_class = {
    .object = ITERATOR_OBJECT(struct called, called_finalize),
    .next = called_next,
    .state = called_state,
    .load_state = called_load_state};

static ctorch_error *from_callbacks(const char *function, ctorch_iterator **out, const struct called *callbacks) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || callbacks->next == NULL) {
    return error_null(function, out == NULL ? "out" : "next");
  }
  struct called *self = object_new(&called_class.object);
  if (self != NULL) {
    *self = *callbacks;
  }
  return object_give(function, out, self);
}

ctorch_error *ctorch_iterator_from_callback(
    ctorch_iterator **out, ctorch_iterator_next_callback next, void (*destroy)(void *payload), void *payload) {
  return from_callbacks(__func__, out, &(const struct called){.next = next, .destroy = destroy, .payload = payload});
}

ctorch_error *ctorch_iterator_from_stateful_callback(
    ctorch_iterator **out,
    ctorch_iterator_next_callback next,
    ctorch_iterator_save_callback save,
    ctorch_iterator_load_callback load,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (save == NULL || load == NULL) {
    return error_null(__func__, save == NULL ? "save" : "load");
  }
  const struct called callbacks = {.next = next, .save = save, .load = load, .destroy = destroy, .payload = payload};
  return from_callbacks(__func__, out, &callbacks);
}

/* Dicts of states -------------------------------------------------------------------------------------------------- */

void state_put(ctorch_error **error, ctorch_value *dict, const char *name, ctorch_value *value) {
  THEN(*error, ctorch_value_dict_put(dict, name, value));
  ctorch_value_release(value);
}

void state_put_int(ctorch_error **error, ctorch_value *dict, const char *name, int64_t number) {
  ctorch_value *value = NULL;
  if (*error == NULL) {
    *error = ctorch_value_from_int(&value, number);
    state_put(error, dict, name, value);
  }
}

ctorch_error *state_get(const char *function, const ctorch_value *dict, const char *name, ctorch_value **out) {
  if (ctorch_value_kind_of(dict) != CTORCH_VALUE_DICT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "state: expected a dict, got %s",
        ctorch_value_kind_name(ctorch_value_kind_of(dict)));
  }
  return error_at(error_of(function, ctorch_value_dict_at(out, dict, name)), "state");
}

ctorch_error *state_get_int(
    const char *function, const ctorch_value *dict, const char *name, int64_t least, int64_t *out) {
  ctorch_value *value = NULL;
  int64_t number = 0;
  CTORCH_TRY(state_get(function, dict, name, &value));
  ctorch_error *error = ctorch_value_to_int(&number, value);
  ctorch_value_release(value);
  if (error == NULL && number < least) {
    error = error_make(function, CTORCH_ERROR_VALUE, "expected at least %" PRId64 ", got %" PRId64, least, number);
  }
  if (error != NULL) {
    return error_at(error_of(function, error), "state: %s", name);
  }
  *out = number;
  return NULL;
}
