/* Where one is in an order: what it is drawn from, and how to come back to it. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/generator.h"
#include "core/c/tensor.h"
#include "data/iterator.h"
#include "data/sampler.h"

static const ctorch_device CPU = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};

/* Steps. */

void indices_free(struct indices *self) {
  free(self->data);
  *self = (struct indices){0};
}

ctorch_error *indices_add(const char *function, struct indices *self, int64_t index) {
  if (self->len == self->capacity) {
    size_t capacity = self->capacity > 0 ? 2 * self->capacity : 16;
    int64_t *data = realloc(self->data, capacity * sizeof(*data));
    if (data == NULL) {
      return error_memory(function, capacity * sizeof(*data));
    }
    self->data = data;
    self->capacity = capacity;
  }
  self->data[self->len++] = index;
  return NULL;
}

const sampler_class *sampler_class_of(const ctorch_sampler *self) {
  return (const sampler_class *)(const void *)object_class_of(self);
}

/* Generators that belong to no scope. */

static ctorch_error *default_generator(ctorch_generator **out) {
  CTORCH_TRY(ctorch_generator_default(out, &CPU));
  generator_take(*out);
  return NULL;
}

static ctorch_error *own_generator(ctorch_generator **out) {
  CTORCH_TRY(ctorch_generator_new(out, &CPU));
  generator_take(*out);
  return NULL;
}

static ctorch_error *state_of(ctorch_tensor **out, const ctorch_generator *generator) {
  CTORCH_TRY(ctorch_generator_get_state(out, generator));
  tensor_take(*out);
  return NULL;
}

ctorch_error *draw_seed(const char *function, ctorch_generator *generator, uint64_t *out) {
  ctorch_tensor *number = NULL;
  ctorch_scalar value = {0};
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  CTORCH_TRY(error_of(function, ctorch_aten_empty_memory_format(&number, NULL, 0, &int64, NULL, NULL, NULL, NULL)));
  ctorch_error *error = ctorch_aten_random_(number, generator);
  THEN(error, ctorch_aten_item(&value, number));
  ctorch_tensor_release(number);
  if (error == NULL) {
    *out = (uint64_t)value.i;
  }
  return error_of(function, error);
}

ctorch_error *cursor_draw_from(const char *function, struct sampler_cursor *self, ctorch_generator *generator) {
  if (self->generator != NULL) {
    return NULL; /* a state was loaded */
  }
  if (generator != NULL) {
    self->generator = generator_ref(generator);
  } else {
    CTORCH_TRY(error_of(function, default_generator(&self->generator)));
  }
  return error_of(function, state_of(&self->began, self->generator));
}

ctorch_error *cursor_draw_from_own(const char *function, struct sampler_cursor *self) {
  uint64_t seed = 0;
  if (self->generator != NULL) {
    return NULL;
  }
  CTORCH_TRY(draw_seed(function, NULL, &seed));
  CTORCH_TRY(error_of(function, own_generator(&self->generator)));
  CTORCH_TRY(error_of(function, ctorch_generator_manual_seed(self->generator, seed)));
  return error_of(function, state_of(&self->began, self->generator));
}

/* Beginning, going on, ending. */

ctorch_error *cursor_begin(const char *function, struct sampler_cursor *self, const ctorch_sampler *sampler) {
  size_t size = sampler_class_of(sampler)->place_size;
  *self = (struct sampler_cursor){.place = calloc(1, size > 0 ? size : 1)};
  if (self->place == NULL) {
    return error_memory(function, size);
  }
  self->sampler = object_ref(sampler);
  return NULL;
}

static void forget(struct sampler_cursor *self) {
  generator_unref(self->generator);
  generator_unref(self->replaced);
  tensor_unref(self->began);
  self->generator = self->replaced = NULL;
  self->began = NULL;
}

void cursor_end(struct sampler_cursor *self) {
  if (self->sampler != NULL) {
    const sampler_class *class = sampler_class_of(self->sampler);
    if (class->end != NULL) {
      class->end(self->place);
    }
  }
  forget(self);
  free(self->place);
  object_unref((void *)self->sampler);
  *self = (struct sampler_cursor){0};
}

/* The user's generator is where it would be without the interruption. */
static ctorch_error *hand_back(struct sampler_cursor *self) {
  ctorch_tensor *state = NULL;
  if (self->replaced == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_generator_get_state(&state, self->generator));
  ctorch_error *error = ctorch_generator_set_state(self->replaced, state);
  ctorch_tensor_release(state);
  return error;
}

ctorch_error *cursor_next(const char *function, struct sampler_cursor *self, struct indices *out, bool *more) {
  out->len = 0;
  *more = false;
  if (self->has_ended) {
    return NULL;
  }
  out->is_batch = sampler_class_of(self->sampler)->makes_batches;
  self->has_begun = true;
  CTORCH_TRY(sampler_class_of(self->sampler)->next(function, self, out, more));
  self->yielded += *more;
  self->has_ended = !*more;
  return self->has_ended ? error_of(function, hand_back(self)) : NULL;
}

/* States. */

ctorch_error *cursor_state(const char *function, const struct sampler_cursor *self, ctorch_value **out) {
  ctorch_value *state = NULL, *began = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_dict(&state, NULL, 0, NULL, 0)));
  ctorch_error *error =
      self->began != NULL ? ctorch_value_from_tensor(&began, self->began) : ctorch_value_from_none(&began);
  state_put(&error, state, "generator", began);
  if (error == NULL && sampler_class_of(self->sampler)->state != NULL) {
    error = sampler_class_of(self->sampler)->state(function, self, state);
  }
  if (error != NULL) {
    ctorch_value_release(state);
    return error_of(function, error);
  }
  *out = state;
  return NULL;
}

/* Draw from a generator that is where the other's was when it began. */
static ctorch_error *replay_generator(struct sampler_cursor *self, const ctorch_value *state) {
  const sampler_class *class = sampler_class_of(self->sampler);
  ctorch_generator *users = class->generator == NULL ? NULL : class->generator(self->sampler);
  ctorch_tensor *began = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&began, state));
  self->began = tensor_ref(began);
  ctorch_tensor_release(began);
  CTORCH_TRY(own_generator(&self->generator));
  CTORCH_TRY(ctorch_generator_set_state(self->generator, self->began));
  self->replaced = generator_ref(users);
  return NULL;
}

static ctorch_error *skip(const char *function, struct sampler_cursor *self, int64_t steps) {
  struct indices indices = {0};
  ctorch_error *error = NULL;
  bool more = true;
  for (int64_t i = 0; error == NULL && more && i < steps; i++) {
    error = cursor_next(function, self, &indices, &more);
  }
  indices_free(&indices);
  if (error == NULL && !more) {
    error = error_make(function, CTORCH_ERROR_VALUE, "state: yielded is more than the sampler gives");
  }
  return error;
}

ctorch_error *cursor_load_state(
    const char *function, struct sampler_cursor *self, const ctorch_value *state, int64_t yielded) {
  const sampler_class *class = sampler_class_of(self->sampler);
  ctorch_value *began = NULL;
  CTORCH_TRY(state_get(function, state, "generator", &began));
  forget(self);
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(began) != CTORCH_VALUE_NONE) {
    error = error_at(error_of(function, replay_generator(self, began)), "state: generator");
  }
  ctorch_value_release(began);
  if (error == NULL && class->load_state != NULL) {
    error = class->load_state(function, self, state);
  }
  return error != NULL ? error : skip(function, self, yielded);
}
