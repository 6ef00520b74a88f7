/* data.BatchSampler, and samplers of callbacks. */
#include <inttypes.h>

#include "base/callback.h"
#include "constructors/data.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "data/iterator.h"
#include "data/sampler.h"

/* Batches ---------------------------------------------------------------------------------------------------------- */

struct batches {
  ctorch_sampler sampler;
  ctorch_sampler *inner; /* a reference */
  int64_t batch_size;
  bool drop_last;
};

struct batches_place {
  struct sampler_cursor inner;
  struct indices index;
};

static void batches_finalize(void *self) { object_unref(((struct batches *)self)->inner); }

static void batches_end(void *place) {
  cursor_end(&((struct batches_place *)place)->inner);
  indices_free(&((struct batches_place *)place)->index);
}

static ctorch_error *batches_len(const char *function, const ctorch_sampler *self, int64_t *out) {
  const struct batches *batches = (const struct batches *)self;
  int64_t len = 0;
  CTORCH_TRY(sampler_len(function, batches->inner, &len));
  *out = len / batches->batch_size + (!batches->drop_last && len % batches->batch_size != 0);
  return NULL;
}

static ctorch_error *batches_begin(const char *function, const struct batches *self, struct batches_place *place) {
  return place->inner.sampler != NULL ? NULL : cursor_begin(function, &place->inner, self->inner);
}

static ctorch_error *batches_next(
    const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more) {
  const struct batches *batches = (const struct batches *)cursor->sampler;
  struct batches_place *place = cursor->place;
  bool inner_more = true;
  CTORCH_TRY(batches_begin(function, batches, place));
  while ((int64_t)out->len < batches->batch_size) {
    CTORCH_TRY(cursor_next(function, &place->inner, &place->index, &inner_more));
    if (!inner_more) {
      break;
    }
    if (place->index.is_batch) {
      return error_make(function, CTORCH_ERROR_TYPE, "sampler: expected ints, got lists of ints");
    }
    CTORCH_TRY(indices_add(function, out, place->index.data[0]));
  }
  *more = inner_more || (out->len > 0 && !batches->drop_last);
  return NULL;
}

static ctorch_error *batches_state(const char *function, const struct sampler_cursor *cursor, ctorch_value *state) {
  const struct batches *batches = (const struct batches *)cursor->sampler;
  struct batches_place *place = cursor->place;
  ctorch_value *inner = NULL;
  CTORCH_TRY(batches_begin(function, batches, place));
  CTORCH_TRY(cursor_state(function, &place->inner, &inner));
  ctorch_error *error = NULL;
  state_put(&error, state, "sampler", inner);
  return error_of(function, error);
}

static ctorch_error *batches_load_state(
    const char *function, struct sampler_cursor *cursor, const ctorch_value *state) {
  const struct batches *batches = (const struct batches *)cursor->sampler;
  struct batches_place *place = cursor->place;
  ctorch_value *inner = NULL;
  CTORCH_TRY(batches_begin(function, batches, place));
  CTORCH_TRY(state_get(function, state, "sampler", &inner));
  ctorch_error *error = cursor_load_state(function, &place->inner, inner, 0);
  ctorch_value_release(inner);
  return error;
}

static ctorch_error *batches_set_epoch(const char *function, ctorch_sampler *self, int64_t epoch) {
  ctorch_sampler *inner = ((struct batches *)self)->inner;
  const sampler_class *class = sampler_class_of(inner);
  if (class->set_epoch == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "%s has no attribute 'set_epoch'", class->name);
  }
  return class->set_epoch(function, inner, epoch);
}

static const sampler_class batches_class = {
    .object = SAMPLER_OBJECT(struct batches, batches_finalize),
    .name = "BatchSampler",
    .place_size = sizeof(struct batches_place),
    .len = batches_len,
    .next = batches_next,
    .end = batches_end,
    .state = batches_state,
    .load_state = batches_load_state,
    .set_epoch = batches_set_epoch,
    .makes_batches = true};

ctorch_error *data_BatchSampler(
    const char *function, ctorch_sampler **out, const struct data_BatchSampler_options *options) {
  if (options->batch_size < 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "batch_size should be a positive integer value, but got batch_size=%" PRId64,
        options->batch_size);
  }
  if (sampler_class_of(options->sampler)->makes_batches) {
    return error_make(function, CTORCH_ERROR_TYPE, "sampler: expected one of ints, got one of batches");
  }
  struct batches *self = object_new(&batches_class.object);
  if (self != NULL) {
    self->inner = object_ref(options->sampler);
    self->batch_size = options->batch_size;
    self->drop_last = options->drop_last;
  }
  return object_give(function, out, self);
}

/* Of callbacks ----------------------------------------------------------------------------------------------------- */

struct called {
  ctorch_sampler sampler;
  int64_t len; /* -1 is not known */
  ctorch_sampler_iterate_callback iterate;
  void (*destroy)(void *payload);
  void *payload;
};

struct called_place {
  ctorch_iterator *iterator; /* taken */
};

static void called_finalize(void *self) {
  struct called *called = self;
  payload_destroy(called->destroy, called->payload);
}

static void called_end(void *place) { object_unref(((struct called_place *)place)->iterator); }

static ctorch_error *called_len(const char *function, const ctorch_sampler *self, int64_t *out) {
  const struct called *called = (const struct called *)self;
  if (called->len < 0) {
    return error_make(function, CTORCH_ERROR_TYPE, "Sampler does not know its length");
  }
  *out = called->len;
  return NULL;
}

static ctorch_error *called_begin(const char *function, const struct called *self, struct called_place *place) {
  if (place->iterator != NULL) {
    return NULL;
  }
  ctorch_error *error = NULL;
  ctorch_iterator *iterator = NULL;
  ctorch_callback_status status = self->iterate(&iterator, &error, self->payload);
  error = callback_error(function, "iterate", status, error);
  if (error == NULL && iterator == NULL) {
    error = error_make(function, CTORCH_ERROR_CALLBACK, "iterate gave no iterator");
  }
  if (iterator != NULL) {
    object_take(iterator);
  }
  if (error != NULL) {
    object_unref(iterator);
    return error;
  }
  place->iterator = iterator;
  return NULL;
}

static ctorch_error *add(const char *function, struct indices *out, const ctorch_value *value) {
  int64_t index = 0;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_INT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "a sampler gives ints or lists of ints, got %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(error_of(function, ctorch_value_to_int(&index, value)));
  return indices_add(function, out, index);
}

static ctorch_error *read_step(const char *function, struct indices *out, const ctorch_value *step) {
  ctorch_value_kind kind = ctorch_value_kind_of(step);
  out->is_batch = kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE;
  if (!out->is_batch) {
    return add(function, out, step);
  }
  for (size_t i = 0; i < ctorch_value_len(step); i++) {
    ctorch_value *index = NULL;
    CTORCH_TRY(error_of(function, ctorch_value_get(&index, step, i)));
    ctorch_error *error = add(function, out, index);
    ctorch_value_release(index);
    CTORCH_TRY(error);
  }
  return NULL;
}

static ctorch_error *called_next(const char *function, struct sampler_cursor *cursor, struct indices *out, bool *more) {
  struct called_place *place = cursor->place;
  ctorch_value *step = NULL;
  CTORCH_TRY(called_begin(function, (const struct called *)cursor->sampler, place));
  CTORCH_TRY(iterator_next(function, place->iterator, &step));
  *more = step != NULL;
  ctorch_error *error = step != NULL ? read_step(function, out, step) : NULL;
  ctorch_value_release(step);
  return error;
}

/* Its own state is that of an iterator that was asked for nothing yet, so nothing is kept: going over it does. */
static const sampler_class called_class = {
    .object = SAMPLER_OBJECT(struct called, called_finalize),
    .name = "Sampler",
    .place_size = sizeof(struct called_place),
    .len = called_len,
    .next = called_next,
    .end = called_end};

ctorch_error *ctorch_sampler_from_callback(
    ctorch_sampler **out,
    const int64_t *len,
    ctorch_sampler_iterate_callback iterate,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || iterate == NULL) {
    return error_null(__func__, out == NULL ? "out" : "iterate");
  }
  if (len != NULL && *len < 0) {
    return error_argument(__func__, "len", "expected at least 0, got %" PRId64, *len);
  }
  struct called *self = object_new(&called_class.object);
  if (self != NULL) {
    self->len = len == NULL ? -1 : *len;
    self->iterate = iterate;
    self->destroy = destroy;
    self->payload = payload;
  }
  return object_give(__func__, out, self);
}
