/* Samplers: what all have in common, and their public functions. */
#include "data/sampler.h"

#include <stdlib.h>

#include "core/c/error.h"
#include "data/iterator.h"

ctorch_error *sampler_len(const char *function, const ctorch_sampler *self, int64_t *out) {
  const sampler_class *class = sampler_class_of(self);
  if (class->len == NULL) {
    return error_make(function, CTORCH_ERROR_TYPE, "%s does not know its length", class->name);
  }
  return class->len(function, self, out);
}

/* Iterators -------------------------------------------------------------------------------------------------------- */

struct order {
  ctorch_iterator iterator;
  struct sampler_cursor cursor;
  struct indices indices;
};

static void order_finalize(void *self) {
  struct order *order = self;
  cursor_end(&order->cursor);
  indices_free(&order->indices);
}

static ctorch_error *order_next(const char *function, ctorch_iterator *self, ctorch_value **out) {
  struct order *order = (struct order *)self;
  bool more = false;
  CTORCH_TRY(cursor_next(function, &order->cursor, &order->indices, &more));
  if (!more) {
    return NULL;
  }
  const struct indices *indices = &order->indices;
  return error_of(
      function, indices->is_batch ? ctorch_value_from_ints(out, indices->data, indices->len)
                                  : ctorch_value_from_int(out, indices->data[0]));
}

static ctorch_error *order_state(const char *function, const ctorch_iterator *self, ctorch_value **out) {
  const struct order *order = (const struct order *)self;
  ctorch_value *state = NULL;
  CTORCH_TRY(cursor_state(function, &order->cursor, &state));
  ctorch_error *error = NULL;
  state_put_int(&error, state, "yielded", order->cursor.yielded);
  if (error != NULL) {
    ctorch_value_release(state);
    return error_of(function, error);
  }
  *out = state;
  return NULL;
}

static ctorch_error *order_load_state(const char *function, ctorch_iterator *self, const ctorch_value *state) {
  int64_t yielded = 0;
  CTORCH_TRY(state_get_int(function, state, "yielded", 0, &yielded));
  return cursor_load_state(function, &((struct order *)self)->cursor, state, yielded);
}

static const iterator_class order_class = {
    .object = ITERATOR_OBJECT(struct order, order_finalize),
    .next = order_next,
    .state = order_state,
    .load_state = order_load_state};

/* The public functions --------------------------------------------------------------------------------------------- */

void ctorch_sampler_retain(const ctorch_sampler *self) { object_retain(self); }

void ctorch_sampler_release(ctorch_sampler *self) { object_release(self); }

const char *ctorch_sampler_name(const ctorch_sampler *self) {
  return self == NULL ? NULL : sampler_class_of(self)->name;
}

ctorch_error *ctorch_sampler_len(int64_t *out, const ctorch_sampler *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  int64_t len = 0;
  CTORCH_TRY(sampler_len(__func__, self, &len));
  *out = len;
  return NULL;
}

ctorch_error *ctorch_sampler_iterate(ctorch_iterator **out, const ctorch_sampler *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct order *order = object_new(&order_class.object);
  if (order != NULL) {
    ctorch_error *error = cursor_begin(__func__, &order->cursor, self);
    if (error != NULL) {
      object_unref(order);
      return error;
    }
  }
  return object_give(__func__, out, order);
}

ctorch_error *ctorch_sampler_set_epoch(ctorch_sampler *self, int64_t epoch) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  const sampler_class *class = sampler_class_of(self);
  if (class->set_epoch == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no attribute 'set_epoch'", class->name);
  }
  return class->set_epoch(__func__, self, epoch);
}
