/* Modules by the name of their class. */
#include "module/create.h"

#include <string.h>

#include "base/creation.h"
#include "base/sequence.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/containers_of_values.h"

/* What both functions check; `*creator` is the first of the class's overloads. */
static ctorch_error *begin(
    const char *function,
    const struct option_creator **creator,
    ctorch_module **out,
    const char *name,
    const ctorch_value **args,
    const ctorch_value **kwargs) {
  CTORCH_TRY(creation_check(function, out, name, args, kwargs));
  for (*creator = nn_creators; (*creator)->name != NULL; (*creator)++) {
    if (strcmp((*creator)->name, name) == 0) {
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_INDEX, "module 'torch.nn' has no attribute '%s'", name);
}

/* By the overload that the values fit, or else what the first one says. */
static ctorch_error *create(
    const char *function,
    ctorch_module **out,
    const struct option_creator *creator,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  const char *name = creator->name;
  if (containers_know(name)) {
    return containers_create(function, out, creator, args, kwargs);
  }
  ctorch_error *first = NULL;
  for (; creator->name != NULL; creator++) {
    if (strcmp(creator->name, name) == 0) {
      bool fits = false;
      ctorch_error *error = creator->create(function, out, args, kwargs, &fits);
      if (fits) {
        ctorch_error_release(first);
        return error;
      }
      first = ctorch_error_first(first, error);
    }
  }
  return first;
}

ctorch_error *ctorch_nn_create(
    ctorch_module **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  const struct option_creator *creator = NULL;
  CTORCH_TRY(begin(__func__, &creator, out, name, &args, &kwargs));
  return create(__func__, out, creator, args, kwargs);
}

/* A dict's entries with the device "meta"; `*device` is the one that it had, or NULL. Both are owned. */
static ctorch_error *on_meta(ctorch_value **out, ctorch_value **device, const ctorch_value *kwargs) {
  static const ctorch_device meta = {.type = CTORCH_DEVICE_TYPE_META, .index = -1};
  ctorch_value *keys = NULL, *values = NULL, *dict = NULL, *place = NULL;
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  if (error == NULL && kwargs != NULL) {
    error = ctorch_value_dict_keys(&keys, kwargs);
    THEN(error, ctorch_value_dict_values(&values, kwargs));
  }
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, ctorch_value_dict_set(dict, key, value));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  bool is_given = false;
  if (error == NULL) {
    ctorch_value *key = NULL;
    error = ctorch_value_from_string(&key, "device");
    THEN(error, ctorch_value_dict_contains(&is_given, dict, key));
    ctorch_value_release(key);
  }
  if (error == NULL && is_given) {
    error = ctorch_value_dict_at(device, dict, "device");
  }
  THEN(error, ctorch_value_from_device(&place, &meta));
  THEN(error, ctorch_value_dict_put(dict, "device", place));
  ctorch_value_release(place);
  ctorch_value_release(keys);
  ctorch_value_release(values);
  if (error != NULL) {
    ctorch_value_release(dict);
    ctorch_value_release(*device);
    *device = NULL;
    return error;
  }
  *out = dict;
  return NULL;
}

ctorch_error *create_on_meta(const char *function, ctorch_module **out, const char *name, const ctorch_value *kwargs) {
  const struct option_creator *creator = NULL;
  ctorch_value *given = NULL, *device = NULL;
  const ctorch_value *args = NULL;
  CTORCH_TRY(begin(function, &creator, out, name, &args, &kwargs));
  if (!creator->takes_device) {
    return create(function, out, creator, NULL, kwargs);
  }
  CTORCH_TRY(on_meta(&given, &device, kwargs));
  ctorch_error *error = create(function, out, creator, NULL, given);
  ctorch_value_release(given);
  ctorch_value_release(device);
  return error;
}

ctorch_error *ctorch_nn_skip_init(
    ctorch_module **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs) {
  const struct option_creator *creator = NULL;
  ctorch_value *given = NULL, *device = NULL;
  ctorch_device place = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  ctorch_module *made = NULL;
  CTORCH_TRY(begin(__func__, &creator, out, name, &args, &kwargs));
  if (!creator->takes_device) {
    return error_make(
        __func__, CTORCH_ERROR_RUNTIME, "Module must support a 'device' arg to skip initialization, and %s does not",
        name);
  }
  CTORCH_TRY(on_meta(&given, &device, kwargs));
  bool stays = device != NULL && ctorch_value_kind_of(device) == CTORCH_VALUE_NONE; /* as in Python */
  ctorch_error *error = device == NULL || stays ? NULL : option_to_device(&place, device);
  if (error != NULL) {
    ctorch_error_release(error);
    error = error_make(
        __func__, CTORCH_ERROR_TYPE, "%s(): argument 'device' must be torch.device, not %s", name,
        ctorch_value_kind_name(ctorch_value_kind_of(device)));
  }
  THEN(error, create(__func__, &made, creator, args, given));
  if (error == NULL && !stays) {
    error = ctorch_module_to_empty(made, &place, true);
  }
  ctorch_value_release(given);
  ctorch_value_release(device);
  if (error != NULL) {
    ctorch_module_release(made);
    return error;
  }
  *out = made;
  return NULL;
}
