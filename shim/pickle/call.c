/* Calling what a pickle names: Python's own types, as values. What is about tensors is in tensors.c. */
#include <stdlib.h>
#include <string.h>

#include "base/device_name.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "pickle/globals.h"
#include "pickle/values.h"

static ctorch_error *wrong_arguments(const struct unpickler *self, const struct pickle_global *global) {
  return pickle_error(self, "%s.%s is not called so", global->module, global->name);
}

static ctorch_error *object(
    const struct unpickler *self,
    ctorch_value **out,
    const struct pickle_global *global,
    const ctorch_value *args,
    const ctorch_value *items) {
  return pickle_refuse(self, ctorch_value_from_python_object(out, global->module, global->name, args, items, NULL));
}

/* The same with at most one argument. */
static ctorch_error *object_of(
    const struct unpickler *self,
    ctorch_value **out,
    const struct pickle_global *global,
    const ctorch_value *arg,
    const ctorch_value *items) {
  ctorch_value *args = NULL;
  const ctorch_value *only[] = {arg};
  CTORCH_TRY(ctorch_value_from_tuple(&args, only, arg == NULL ? 0 : 1));
  ctorch_error *error = object(self, out, global, args, items);
  ctorch_value_release(args);
  return error;
}

ctorch_error *pickle_call_described(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  return object(self, out, global, args, NULL);
}

/* Bytes ------------------------------------------------------------------------------------------------------------ */

/* Latin-1 from UTF-8, in place. */
static bool to_latin1(char *text, size_t *len) {
  size_t done = 0;
  for (size_t i = 0; i < *len; i++) {
    const unsigned char first = (unsigned char)text[i];
    if (first < 0x80) {
      text[done++] = text[i];
    } else if ((first == 0xc2 || first == 0xc3) && i + 1 < *len) {
      text[done++] = (char)((first & 3) << 6 | (text[++i] & 0x3f));
    } else {
      return false;
    }
  }
  *len = done;
  return true;
}

/* The bytes of a text in an encoding. */
static ctorch_error *encode(
    struct unpickler *self,
    ctorch_value **out,
    const ctorch_value *text,
    const ctorch_value *args,
    size_t encoding_at) {
  static const char *const latin1[] = {"latin1", "latin-1", "iso-8859-1"}, *const utf8[] = {"utf-8", "utf8", "UTF-8"};
  const char *data = NULL;
  size_t len = 0;
  char *encoding = NULL;
  bool is_latin1 = false, is_utf8 = ctorch_value_len(args) <= encoding_at;
  CTORCH_TRY(pickle_refuse(self, ctorch_value_to_string(&data, &len, text)));
  CTORCH_TRY(pickle_charge(self, len));
  if (!is_utf8) {
    CTORCH_TRY(pickle_text_arg(self, &encoding, args, encoding_at));
    for (size_t i = 0; i < 3; i++) {
      is_latin1 |= strcmp(encoding, latin1[i]) == 0;
      is_utf8 |= strcmp(encoding, utf8[i]) == 0;
    }
    free(encoding);
  }
  if (!is_latin1 && !is_utf8) {
    return pickle_error(self, "a text in an encoding that pickles do not use");
  }
  char *copy = malloc(len + 1);
  if (copy == NULL) {
    return error_memory(self->function, len + 1);
  }
  memcpy(copy, data, len);
  ctorch_error *error = is_utf8 || to_latin1(copy, &len) ? ctorch_value_from_bytes(out, copy, len)
                                                         : pickle_error(self, "a text that is not Latin-1");
  free(copy);
  return error;
}

ctorch_error *pickle_call_encode(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *text = NULL;
  (void)global;
  CTORCH_TRY(pickle_arg(self, &text, args, 0));
  ctorch_error *error = encode(self, out, text, args, 1);
  ctorch_value_release(text);
  return error;
}

/* What bytes() and bytearray() are made of: nothing, bytes, or a text and its encoding. */
ctorch_error *pickle_call_bytes(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *first = NULL;
  const size_t len = ctorch_value_len(args);
  if (len == 0) {
    return ctorch_value_from_bytes(out, NULL, 0);
  }
  CTORCH_TRY(pickle_arg(self, &first, args, 0));
  if (ctorch_value_kind_of(first) == CTORCH_VALUE_BYTES && len == 1) {
    *out = first;
    return NULL;
  }
  ctorch_error *error = len == 2 ? encode(self, out, first, args, 1) : wrong_arguments(self, global);
  ctorch_value_release(first);
  return error;
}

ctorch_error *pickle_call_bytearray(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *bytes = NULL;
  CTORCH_TRY(pickle_call_bytes(self, &bytes, global, args));
  ctorch_error *error = object_of(self, out, global, bytes, NULL);
  ctorch_value_release(bytes);
  return error;
}

ctorch_error *pickle_call_complex(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  double real = 0, imaginary = 0;
  if (ctorch_value_len(args) != 2) {
    return wrong_arguments(self, global);
  }
  CTORCH_TRY(pickle_double_arg(self, &real, args, 0));
  CTORCH_TRY(pickle_double_arg(self, &imaginary, args, 1));
  return ctorch_value_from_complex(out, real, imaginary);
}

/* Sets ------------------------------------------------------------------------------------------------------------- */

/* A set of the entries of the only argument, a list or tuple. */
ctorch_error *pickle_call_set(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *entries = NULL, *set = NULL;
  if (ctorch_value_len(args) > 1) {
    return wrong_arguments(self, global);
  }
  CTORCH_TRY(pickle_empty(&set, CTORCH_VALUE_SET));
  ctorch_error *error = NULL;
  if (ctorch_value_len(args) > 0) {
    error = pickle_arg(self, &entries, args, 0);
  }
  const ctorch_value_kind kind = ctorch_value_kind_of(entries);
  const size_t len = ctorch_value_len(entries);
  if (error == NULL && entries != NULL && kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    error = wrong_arguments(self, global);
  }
  THEN(error, pickle_charge(self, 64 * (uint64_t)len));
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = pickle_arg(self, &entry, entries, i);
    THEN(error, pickle_add_to_set(self, set, entry));
    ctorch_value_release(entry);
  }
  ctorch_value_release(entries);
  if (error != NULL) {
    ctorch_value_release(set);
    return error;
  }
  *out = set;
  return NULL;
}

/* An object that is described by its entries, as a list: those that count, and each once. */
ctorch_error *pickle_call_frozenset(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *set = NULL, *entries = NULL;
  CTORCH_TRY(pickle_call_set(self, &set, global, args));
  ctorch_error *error = ctorch_value_set_values(&entries, set);
  THEN(error, object_of(self, out, global, entries, NULL));
  ctorch_value_release(entries);
  ctorch_value_release(set);
  return error;
}

/* Dicts ------------------------------------------------------------------------------------------------------------ */

/* One entry of a list of pairs. */
static ctorch_error *set_pair(struct unpickler *self, ctorch_value *dict, const ctorch_value *pair) {
  ctorch_value *key = NULL, *value = NULL;
  if (ctorch_value_len(pair) != 2) {
    return pickle_error(self, "a key without a value");
  }
  ctorch_error *error = pickle_arg(self, &key, pair, 0);
  THEN(error, pickle_arg(self, &value, pair, 1));
  THEN(error, pickle_set_item(self, dict, key, value));
  ctorch_value_release(key);
  ctorch_value_release(value);
  return error;
}

/* Entries of a list of pairs, or of a dict, whose keys are `keys` and values are `values`. */
static ctorch_error *fill_dict(struct unpickler *self, ctorch_value *dict, const ctorch_value *from) {
  ctorch_value *keys = NULL, *values = NULL;
  const size_t len = ctorch_value_len(from);
  CTORCH_TRY(pickle_charge(self, 64 * (uint64_t)len));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(from) == CTORCH_VALUE_DICT) {
    error = ctorch_value_dict_keys(&keys, from);
    THEN(error, ctorch_value_dict_values(&values, from));
  }
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *key = NULL, *value = NULL;
    if (keys != NULL) {
      error = ctorch_value_get(&key, keys, i);
      THEN(error, ctorch_value_get(&value, values, i));
      error = error != NULL ? pickle_refuse(self, error) : pickle_set_item(self, dict, key, value);
    } else {
      error = pickle_arg(self, &value, from, i);
      THEN(error, set_pair(self, dict, value));
    }
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

/* An object with a dict for its items, filled from the only argument, if there is one: also a Counter. */
ctorch_error *pickle_call_ordered_dict(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *dict = NULL, *from = NULL;
  if (ctorch_value_len(args) > 1) {
    return wrong_arguments(self, global);
  }
  CTORCH_TRY(pickle_empty(&dict, CTORCH_VALUE_DICT));
  ctorch_error *error = NULL;
  if (ctorch_value_len(args) > 0) {
    error = pickle_arg(self, &from, args, 0);
    const ctorch_value_kind kind = ctorch_value_kind_of(from);
    if (error == NULL && kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_DICT) {
      error = wrong_arguments(self, global);
    }
    THEN(error, fill_dict(self, dict, from));
  }
  THEN(error, object_of(self, out, global, NULL, dict));
  ctorch_value_release(from);
  ctorch_value_release(dict);
  return error;
}

/* The argument is what makes its values, and is kept. */
ctorch_error *pickle_call_defaultdict(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *dict = NULL;
  if (ctorch_value_len(args) > 1) {
    return wrong_arguments(self, global);
  }
  CTORCH_TRY(pickle_empty(&dict, CTORCH_VALUE_DICT));
  ctorch_error *error = object(self, out, global, args, dict);
  ctorch_value_release(dict);
  return error;
}

/* What torch has beside tensors ------------------------------------------------------------------------------------ */

ctorch_error *pickle_call_device(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  char *name = NULL;
  int64_t index = 0;
  ctorch_device device = {0};
  CTORCH_TRY(pickle_text_arg(self, &name, args, 0));
  bool is_right = device_name_parse(&device, name);
  free(name);
  if (is_right && ctorch_value_len(args) > 1) {
    CTORCH_TRY(pickle_int_arg(self, &index, args, 1));
    is_right = device.index < 0 && index >= 0 && index <= 127;
    device.index = (int32_t)index;
  }
  return is_right ? pickle_refuse(self, ctorch_value_from_device(out, &device)) : wrong_arguments(self, global);
}

ctorch_error *pickle_call_layout(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  char *name = NULL;
  const char *known = NULL;
  CTORCH_TRY(pickle_text_arg(self, &name, args, 0));
  ctorch_layout layout = 0;
  const bool is_torch = strncmp(name, "torch.", 6) == 0;
  while (is_torch && (known = ctorch_layout_name(layout)) != NULL && strcmp(known, name + 6) != 0) {
    layout++;
  }
  free(name);
  return known != NULL ? ctorch_value_from_layout(out, layout) : wrong_arguments(self, global);
}

ctorch_error *pickle_call_size(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  int64_t *sizes = NULL;
  size_t len = 0;
  ctorch_value *first = NULL;
  if (ctorch_value_len(args) == 0) {
    CTORCH_TRY(pickle_empty(&first, CTORCH_VALUE_TUPLE));
  } else {
    CTORCH_TRY(pickle_ints_arg(self, &sizes, &len, args, 0));
    free(sizes);
    CTORCH_TRY(pickle_arg(self, &first, args, 0));
  }
  /* Always of a tuple. */
  ctorch_error *error = ctorch_value_kind_of(first) == CTORCH_VALUE_TUPLE ? object_of(self, out, global, first, NULL)
                                                                          : wrong_arguments(self, global);
  ctorch_value_release(first);
  return error;
}

/* Objects ---------------------------------------------------------------------------------------------------------- */

/* copyreg.__newobj__(class, *args) */
ctorch_error *pickle_call_newobj(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  const size_t len = ctorch_value_len(args);
  ctorch_value *class = NULL, *rest = NULL;
  (void)global;
  CTORCH_TRY(pickle_charge(self, len * sizeof(void *)));
  CTORCH_TRY(pickle_arg(self, &class, args, 0));
  ctorch_value **values = calloc(len, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(self->function, len * sizeof *values) : NULL;
  for (size_t i = 1; error == NULL && i < len; i++) {
    error = pickle_arg(self, &values[i], args, i);
  }
  if (error == NULL && values != NULL) {
    error = ctorch_value_from_tuple(&rest, (const ctorch_value *const *)values + 1, len - 1);
  }
  if (error == NULL && pickle_is(class, "copyreg", "__newobj__")) {
    error = pickle_error(self, "a call of copyreg.__newobj__ for itself");
  }
  THEN(error, pickle_reduce(self, out, class, rest));
  for (size_t i = 1; values != NULL && i < len; i++) {
    ctorch_value_release(values[i]);
  }
  free(values);
  ctorch_value_release(rest);
  ctorch_value_release(class);
  return error;
}

/* copyreg._reconstructor(class, object, None), how protocols 0 and 1 make an object */
ctorch_error *pickle_call_reconstructor(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *class = NULL, *base = NULL, *state = NULL, *none = NULL;
  ctorch_error *error = ctorch_value_len(args) == 3 ? NULL : wrong_arguments(self, global);
  THEN(error, pickle_arg(self, &class, args, 0));
  THEN(error, pickle_arg(self, &base, args, 1));
  THEN(error, pickle_arg(self, &state, args, 2));
  if (error == NULL && (!pickle_is(base, "builtins", "object") || ctorch_value_kind_of(state) != CTORCH_VALUE_NONE)) {
    error = wrong_arguments(self, global);
  }
  THEN(error, pickle_empty(&none, CTORCH_VALUE_TUPLE));
  THEN(error, pickle_reduce(self, out, class, none));
  ctorch_value_release(class);
  ctorch_value_release(base);
  ctorch_value_release(state);
  ctorch_value_release(none);
  return error;
}

static ctorch_error *describe(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_value *description = NULL;
  CTORCH_TRY(object(self, &description, global, args, NULL));
  ctorch_error *error = self->described == NULL ? NULL : self->described(self, description);
  if (error != NULL) {
    ctorch_value_release(description);
    return error;
  }
  *out = description;
  return NULL;
}

ctorch_error *pickle_reduce(
    struct unpickler *self, ctorch_value **out, const ctorch_value *function, const ctorch_value *args) {
  struct pickle_global global = {.dtype = -1};
  if (!pickle_is_class(function)) {
    return pickle_error(self, "a call of a value of type %s", ctorch_value_kind_name(ctorch_value_kind_of(function)));
  }
  if (!pickle_global_of(self, &global, function)) {
    /* The pickle could name it, so that it is allowed. */
    return pickle_refuse(
        self, ctorch_value_from_python_object(
                  out, ctorch_value_python_module(function), ctorch_value_python_name(function), args, NULL, NULL));
  }
  if (global.call == NULL) {
    return pickle_error(self, "a call of %s.%s, which files only name", global.module, global.name);
  }
  return global.makes_tensor && self->is_described ? describe(self, out, &global, args)
                                                   : global.call(self, out, &global, args);
}

/* Attributes of an object; a second dict of them adds to the first, which others may have too. */
static ctorch_error *set_state(struct unpickler *self, ctorch_value *object, const ctorch_value *state) {
  ctorch_value *before = NULL, *both = NULL;
  CTORCH_TRY(ctorch_value_python_state(&before, object));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(before) == CTORCH_VALUE_DICT && ctorch_value_kind_of(state) == CTORCH_VALUE_DICT) {
    error = pickle_empty(&both, CTORCH_VALUE_DICT);
    THEN(error, fill_dict(self, both, before));
    THEN(error, fill_dict(self, both, state));
  }
  const ctorch_value *all = both != NULL ? both : state;
  THEN(error, pickle_refuse(self, ctorch_value_set_python_state(object, all)));
  ctorch_value_release(both);
  ctorch_value_release(before);
  return error;
}

ctorch_error *pickle_build(
    struct unpickler *self, ctorch_value **out_instead, ctorch_value *object, const ctorch_value *state) {
  bool is_done = false;
  CTORCH_TRY(self->build(self, out_instead, &is_done, object, state));
  if (is_done) {
    return NULL;
  }
  if (ctorch_value_kind_of(object) != CTORCH_VALUE_PYTHON_OBJECT || pickle_is_class(object)) {
    return pickle_error(self, "a state for a value of type %s", ctorch_value_kind_name(ctorch_value_kind_of(object)));
  }
  if (pickle_is(object, "collections", "OrderedDict") && ctorch_value_kind_of(state) != CTORCH_VALUE_DICT) {
    return pickle_error(self, "attributes of an OrderedDict that are no dict");
  }
  return set_state(self, object, state);
}
