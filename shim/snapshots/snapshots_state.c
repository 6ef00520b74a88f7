/* What snapshots are taken of: states of parts and generators, and back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "ctorch.h"
#include "snapshots/snapshots.h"

static const char FORMAT[] = "ctorch.snapshot";
enum { VERSION = 1 };

/* Devices that have a default generator each. */
static const ctorch_device_type WITH_GENERATORS[] = {
    CTORCH_DEVICE_TYPE_CPU, CTORCH_DEVICE_TYPE_CUDA, CTORCH_DEVICE_TYPE_MPS, CTORCH_DEVICE_TYPE_XPU};
enum { TYPES = sizeof(WITH_GENERATORS) / sizeof(*WITH_GENERATORS) };

/* Put a value, which is given up, into a dict. */
static ctorch_error *put(ctorch_value *dict, const char *name, ctorch_value *value) {
  ctorch_error *error = ctorch_value_dict_put(dict, name, value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *put_int(ctorch_value *dict, const char *name, int64_t number) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_int(&value, number));
  return put(dict, name, value);
}

static ctorch_error *put_metric(ctorch_value *dict, const struct snapshot_entry *entry) {
  ctorch_value *value = NULL;
  CTORCH_TRY(entry->metric_known ? ctorch_value_from_double(&value, entry->metric) : ctorch_value_from_none(&value));
  return put(dict, "metric", value);
}

static ctorch_error *put_format(ctorch_value *dict) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_string(&value, FORMAT));
  CTORCH_TRY(put(dict, "format", value));
  return put_int(dict, "version", VERSION);
}

/* Generators ------------------------------------------------------------------------------------------------------- */

/* How many devices of a type have one; the CPU is one without an index. */
static int32_t generators_of(ctorch_device_type type) {
  return type == CTORCH_DEVICE_TYPE_CPU ? 1 : ctorch_device_count(type);
}

static ctorch_error *default_generator(
    ctorch_generator **out, char *name, size_t room, ctorch_device_type type, int32_t index) {
  const ctorch_device device = {.type = type, .index = type == CTORCH_DEVICE_TYPE_CPU ? -1 : index};
  if (type == CTORCH_DEVICE_TYPE_CPU) {
    snprintf(name, room, "cpu");
  } else {
    snprintf(name, room, "%s:%" PRId32, ctorch_device_type_name(type), index);
  }
  return ctorch_generator_default(out, &device);
}

static ctorch_error *save_generator(ctorch_value **out, void *generator) {
  ctorch_tensor *state = NULL;
  CTORCH_TRY(ctorch_generator_get_state(&state, generator));
  ctorch_error *error = ctorch_value_from_tensor(out, state);
  ctorch_tensor_release(state);
  return error;
}

static ctorch_error *load_generator(void *generator, const ctorch_value *value) {
  ctorch_tensor *state = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&state, value));
  ctorch_error *error = ctorch_generator_set_state(generator, state);
  ctorch_tensor_release(state);
  return error;
}

/* A generator that a value holds. */
static ctorch_error *save_held_generator(ctorch_value **out, void *object) {
  ctorch_generator *generator = NULL;
  CTORCH_TRY(ctorch_value_to_generator(&generator, object));
  ctorch_error *error = save_generator(out, generator);
  ctorch_generator_release(generator);
  return error;
}

static ctorch_error *load_held_generator(void *object, const ctorch_value *state) {
  ctorch_generator *generator = NULL;
  CTORCH_TRY(ctorch_value_to_generator(&generator, object));
  ctorch_error *error = load_generator(generator, state);
  ctorch_generator_release(generator);
  return error;
}

static ctorch_error *put_generators(ctorch_value *dict) {
  ctorch_value *states = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&states, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (int t = 0; error == NULL && t < TYPES; t++) {
    for (int32_t i = 0; error == NULL && i < generators_of(WITH_GENERATORS[t]); i++) {
      char name[32];
      ctorch_generator *generator = NULL;
      ctorch_value *state = NULL;
      error = default_generator(&generator, name, sizeof(name), WITH_GENERATORS[t], i);
      THEN(error, save_generator(&state, generator));
      THEN(error, put(states, name, state));
      ctorch_generator_release(generator);
    }
  }
  if (error != NULL) {
    ctorch_value_release(states);
    return error;
  }
  return put(dict, "generators", states);
}

/* The generators of the devices that are here and were there. */
static ctorch_error *take_generators(const ctorch_value *states) {
  for (int t = 0; t < TYPES; t++) {
    for (int32_t i = 0; i < generators_of(WITH_GENERATORS[t]); i++) {
      char name[32];
      ctorch_generator *generator = NULL;
      ctorch_value *key = NULL, *state = NULL;
      bool is_there = false;
      ctorch_error *error = default_generator(&generator, name, sizeof(name), WITH_GENERATORS[t], i);
      THEN(error, ctorch_value_from_string(&key, name));
      THEN(error, ctorch_value_dict_contains(&is_there, states, key));
      if (error == NULL && is_there) {
        error = ctorch_value_dict_get(&state, states, key);
      }
      if (error == NULL && is_there) {
        error = load_generator(generator, state);
      }
      ctorch_value_release(state);
      ctorch_value_release(key);
      ctorch_generator_release(generator);
      CTORCH_TRY(error);
    }
  }
  return NULL;
}

/* Parts ------------------------------------------------------------------------------------------------------------ */

/* The state dict as Python saves it: an OrderedDict that remembers the versions. */
static ctorch_error *save_module(ctorch_value **out, void *module) {
  ctorch_value *state = NULL, *metadata = NULL, *no_args = NULL, *ordered = NULL;
  CTORCH_TRY(ctorch_module_state_dict(&state, &metadata, module, NULL, false));
  ctorch_error *error = ctorch_value_from_tuple(&no_args, NULL, 0);
  THEN(error, ctorch_value_from_python_object(&ordered, "collections", "OrderedDict", no_args, state, NULL));
  THEN(error, ctorch_value_set_attribute(ordered, "_metadata", metadata));
  ctorch_value_release(no_args);
  ctorch_value_release(state);
  ctorch_value_release(metadata);
  if (error != NULL) {
    ctorch_value_release(ordered);
    return error;
  }
  *out = ordered;
  return NULL;
}

static ctorch_error *load_module(void *module, const ctorch_value *state) {
  return ctorch_module_load_state_dict(NULL, NULL, module, state, NULL, true, false);
}

static ctorch_error *save_optimizer(ctorch_value **out, void *object) {
  return ctorch_optimizer_state_dict(out, object);
}
static ctorch_error *load_optimizer(void *object, const ctorch_value *state) {
  return ctorch_optimizer_load_state_dict(object, state);
}
static ctorch_error *save_scheduler(ctorch_value **out, void *object) {
  return ctorch_lr_scheduler_state_dict(out, object);
}
static ctorch_error *load_scheduler(void *object, const ctorch_value *state) {
  return ctorch_lr_scheduler_load_state_dict(object, state);
}
static ctorch_error *save_scaler(ctorch_value **out, void *object) {
  return ctorch_grad_scaler_state_dict(out, object);
}
static ctorch_error *load_scaler(void *object, const ctorch_value *state) {
  return ctorch_grad_scaler_load_state_dict(object, state);
}
static ctorch_error *save_value(ctorch_value **out, void *object) {
  ctorch_value_retain(object);
  *out = object;
  return NULL;
}

/* The dict becomes what was saved, entry by entry. */
static ctorch_error *load_value(void *object, const ctorch_value *state) {
  ctorch_value *keys = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, state));
  ctorch_error *error = ctorch_value_clear(object);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_dict_get(&value, state, key));
    THEN(error, ctorch_value_dict_set(object, key, value));
    ctorch_value_release(value);
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  return error;
}

static void release_value(void *object) { value_unref(object); }

const struct snapshot_kind snapshot_module = {save_module, load_module, object_unref};
const struct snapshot_kind snapshot_optimizer = {save_optimizer, load_optimizer, object_unref};
const struct snapshot_kind snapshot_lr_scheduler = {save_scheduler, load_scheduler, object_unref};
const struct snapshot_kind snapshot_grad_scaler = {save_scaler, load_scaler, object_unref};
const struct snapshot_kind snapshot_generator = {save_held_generator, load_held_generator, release_value};
const struct snapshot_kind snapshot_value = {save_value, load_value, release_value};

/* All of it -------------------------------------------------------------------------------------------------------- */

/* Say which part an error is of. What a callback of the caller's says comes out as it is. */
static ctorch_error *of_part(ctorch_error *error, const struct snapshot_part *part) {
  return *ctorch_error_function(error) == '\0' ? error : error_at(error, "part %.200s", part->name);
}

static ctorch_error *put_parts(ctorch_value *dict, const ctorch_snapshots *self) {
  ctorch_value *parts = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&parts, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->parts_len; i++) {
    const struct snapshot_part *part = &self->parts[i];
    ctorch_value *state = NULL;
    error = part->kind->save(&state, part->object);
    THEN(error, put(parts, part->name, state));
    if (error != NULL) {
      error = of_part(error, part);
    }
  }
  if (error != NULL) {
    ctorch_value_release(parts);
    return error;
  }
  return put(dict, "parts", parts);
}

ctorch_error *snapshots_collect(
    ctorch_value **out, const ctorch_snapshots *self, int64_t epoch, const struct snapshot_entry *entry) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = put_format(dict);
  THEN(error, put_int(dict, "epoch", epoch));
  THEN(error, put_int(dict, "step", entry->step));
  THEN(error, put_metric(dict, entry));
  THEN(error, put_generators(dict));
  THEN(error, put_parts(dict, self));
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *no_snapshot(const char *function, ctorch_error *error, const char *path) {
  ctorch_error_release(error);
  return error_make(function, CTORCH_ERROR_FORMAT, "%.1000s: not a snapshot of a run", path);
}

static ctorch_error *read_int(int64_t *out, const ctorch_value *dict, const char *name) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_dict_at(&value, dict, name));
  ctorch_error *error = ctorch_value_to_int(out, value);
  ctorch_value_release(value);
  return error;
}

static bool has_format(const ctorch_value *state) {
  ctorch_value *value = NULL;
  const char *text = "";
  size_t len = 0;
  ctorch_error *error = ctorch_value_dict_at(&value, state, "format");
  THEN(error, ctorch_value_to_string(&text, &len, value));
  bool has = error == NULL && strcmp(text, FORMAT) == 0;
  ctorch_error_release(error);
  ctorch_value_release(value);
  return has;
}

/* The states of all parts, each owned by the caller; an error before any part has changed. */
static ctorch_error *find_states(
    const char *function,
    ctorch_value **states,
    const ctorch_snapshots *self,
    const ctorch_value *parts,
    const char *path) {
  for (size_t i = 0; i < self->parts_len; i++) {
    ctorch_error *error = ctorch_value_dict_at(&states[i], parts, self->parts[i].name);
    if (error != NULL) {
      ctorch_error_release(error);
      return error_make(function, CTORCH_ERROR_INDEX, "%.1000s: has no part %.200s", path, self->parts[i].name);
    }
  }
  return NULL;
}

static ctorch_error *take_parts(
    const char *function, const ctorch_snapshots *self, const ctorch_value *parts, const char *path) {
  ctorch_value **states = array_new(self->parts_len + 1, sizeof(*states));
  if (states == NULL) {
    return error_memory(function, self->parts_len * sizeof(*states));
  }
  ctorch_error *error = find_states(function, states, self, parts, path);
  for (size_t i = 0; error == NULL && i < self->parts_len; i++) {
    error = self->parts[i].kind->load(self->parts[i].object, states[i]);
    if (error != NULL) {
      error = of_part(error, &self->parts[i]);
    }
  }
  for (size_t i = 0; i < self->parts_len; i++) {
    ctorch_value_release(states[i]);
  }
  free(states);
  return error;
}

ctorch_error *snapshots_restore(
    const char *function,
    int64_t *out_epoch,
    int64_t *out_step,
    const ctorch_snapshots *self,
    const ctorch_value *state,
    const char *path) {
  int64_t epoch = 0, step = 0;
  ctorch_value *generators = NULL, *parts = NULL;
  if (!has_format(state)) {
    return no_snapshot(function, NULL, path);
  }
  ctorch_error *error = read_int(&epoch, state, "epoch");
  THEN(error, read_int(&step, state, "step"));
  THEN(error, ctorch_value_dict_at(&generators, state, "generators"));
  THEN(error, ctorch_value_dict_at(&parts, state, "parts"));
  if (error != NULL) {
    error = no_snapshot(function, error, path);
  } else {
    error = take_parts(function, self, parts, path);
  }
  THEN(error, take_generators(generators));
  ctorch_value_release(generators);
  ctorch_value_release(parts);
  if (error == NULL && out_epoch != NULL) {
    *out_epoch = epoch;
  }
  if (error == NULL && out_step != NULL) {
    *out_step = step;
  }
  return error;
}
