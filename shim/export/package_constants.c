/* The constants of packages. Compiled code copies as many bytes as the given tensor's storage has, and reads what it
 * shares by the strides that it was compiled with: tensors are looked at, and laid out anew, before it sees them. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "export/package.h"
#include "io/reader.h"

/* What a constant is to be --------------------------------------------------------------------------------------- */

struct expected {
  ctorch_dtype dtype;
  const int64_t *sizes, *strides;
  size_t len;
  ctorch_tensor *current; /* which has them; NULL, or a handle to release */
};

/* As the code has it now; else as its source says. */
static ctorch_error *expect(
    const char *function,
    struct expected *out,
    const ctorch_package *self,
    const ctorch_value *current,
    const ctorch_value *name) {
  const char *text = NULL;
  size_t len = 0;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_to_string(&text, &len, name));
  if (current != NULL) {
    CTORCH_TRY(ctorch_value_dict_contains(&is_there, current, name));
  }
  if (is_there) {
    ctorch_value *value = NULL;
    CTORCH_TRY(ctorch_value_dict_get(&value, current, name));
    ctorch_error *error = ctorch_value_to_tensor(&out->current, value);
    ctorch_value_release(value);
    out->dtype = ctorch_tensor_dtype(out->current);
    out->sizes = ctorch_tensor_sizes(out->current);
    out->strides = ctorch_tensor_strides(out->current);
    out->len = (size_t)ctorch_tensor_ndim(out->current);
    return error;
  }
  const struct source_constant *constant = compiled_source_constant(&self->source, text);
  if (constant == NULL) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "the package does not tell the sizes of this constant");
  }
  *out = (struct expected){constant->dtype, constant->sizes, constant->strides, constant->sizes_len, NULL};
  return NULL;
}

ctorch_error *package_constants_dict(const char *function, ctorch_value **out, const ctorch_value *constants) {
  ctorch_value *items = NULL;
  const ctorch_value_kind kind = ctorch_value_kind_of(constants);
  if (kind == CTORCH_VALUE_DICT) {
    ctorch_value_retain(constants);
    *out = (ctorch_value *)(uintptr_t)constants;
    return NULL;
  }
  if (kind == CTORCH_VALUE_PYTHON_OBJECT) {
    CTORCH_TRY(ctorch_value_python_items(&items, constants));
  }
  if (ctorch_value_kind_of(items) != CTORCH_VALUE_DICT) {
    ctorch_value_release(items);
    return error_make(function, CTORCH_ERROR_TYPE, "constants: expected a dict, got %s", ctorch_value_kind_name(kind));
  }
  *out = items;
  return NULL;
}

static ctorch_error *check(const char *function, const struct expected *expected, const ctorch_tensor *tensor) {
  const size_t len = (size_t)ctorch_tensor_ndim(tensor);
  const ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  if (expected->dtype != dtype) {
    return error_dtype(
        function, expected->dtype, dtype, "the model has %s, got %s", ctorch_dtype_name(expected->dtype),
        ctorch_dtype_name(dtype));
  }
  if (expected->len != len ||
      (len > 0 && memcmp(expected->sizes, ctorch_tensor_sizes(tensor), len * sizeof *expected->sizes) != 0)) {
    return error_shape(
        function, expected->sizes, expected->len, ctorch_tensor_sizes(tensor), len,
        "the model has a tensor of other sizes");
  }
  return NULL;
}

static bool lies_as_expected(const struct expected *expected, const ctorch_tensor *tensor) {
  for (size_t i = 0; ctorch_tensor_numel(tensor) > 0 && i < expected->len; i++) {
    if (expected->sizes[i] > 1 && ctorch_tensor_strides(tensor)[i] != expected->strides[i]) {
      return false;
    }
  }
  return true;
}

/* A copy on the CPU or where it is, in a storage of its own. */
static ctorch_error *laid_out(ctorch_tensor **out, const struct expected *expected, const ctorch_tensor *tensor) {
  ctorch_tensor *copy = NULL, *plain = NULL;
  ctorch_device device = {0, 0};
  CTORCH_TRY(ctorch_tensor_device(&device, tensor));
  CTORCH_TRY(ctorch_aten_detach(&plain, tensor));
  ctorch_error *error = ctorch_aten_empty_strided(
      &copy, expected->sizes, expected->len, expected->strides, expected->len, &expected->dtype, NULL, &device, NULL);
  THEN(error, ctorch_aten_copy_(copy, plain, false));
  ctorch_tensor_release(plain);
  if (error != NULL) {
    ctorch_tensor_release(copy);
    return error;
  }
  *out = copy;
  return NULL;
}

/* Updating --------------------------------------------------------------------------------------------------------- */

struct update {
  const char *function;
  const ctorch_package *package;
  ctorch_value *current; /* the constants now, NULL if LibTorch does not tell them */
  ctorch_value *made;    /* a dict of the tensors that the code is given */
  bool is_user_managed;
};

static ctorch_error *fit(
    const struct update *self, ctorch_tensor **out, const ctorch_value *name, const ctorch_tensor *tensor) {
  struct expected expected = {.current = NULL};
  ctorch_error *error = expect(self->function, &expected, self->package, self->current, name);
  THEN(error, check(self->function, &expected, tensor));
  if (error == NULL && !self->is_user_managed) {
    error = laid_out(out, &expected, tensor);
  } else if (error == NULL && !lies_as_expected(&expected, tensor)) {
    error = error_make(
        self->function, CTORCH_ERROR_INVALID_ARGUMENT,
        "its memory cannot be shared: it is laid out otherwise than the code has it");
  } else if (error == NULL) {
    error = ctorch_aten_detach(out, tensor);
  }
  ctorch_tensor_release(expected.current);
  return error;
}

static ctorch_error *add(const struct update *self, const ctorch_value *name, const ctorch_value *value) {
  ctorch_tensor *tensor = NULL, *fitted = NULL;
  ctorch_value *entry = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return error_make(
        self->function, CTORCH_ERROR_TYPE, "expected a tensor, got %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = fit(self, &fitted, name, tensor);
  THEN(error, ctorch_value_from_tensor(&entry, fitted));
  THEN(error, ctorch_value_dict_set(self->made, name, entry));
  ctorch_value_release(entry);
  ctorch_tensor_release(fitted);
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *add_named(
    const struct update *self, const ctorch_value *constants, const ctorch_value *known, const ctorch_value *name) {
  const char *text = NULL;
  size_t len = 0;
  bool is_known = false;
  ctorch_value *value = NULL;
  if (ctorch_value_kind_of(name) != CTORCH_VALUE_STRING) {
    return error_make(self->function, CTORCH_ERROR_TYPE, "constants: a name that is no text");
  }
  CTORCH_TRY(ctorch_value_to_string(&text, &len, name));
  CTORCH_TRY(ctorch_value_dict_contains(&is_known, known, name));
  if (!is_known) {
    return error_argument(self->function, "constants", "the package has no constant '%.200s'", text);
  }
  CTORCH_TRY(ctorch_value_dict_get(&value, constants, name));
  ctorch_error *error = add(self, name, value);
  ctorch_value_release(value);
  return error == NULL ? NULL : error_at(error, "constants: '%.200s'", text);
}

/* A dict from the names of all constants, to look them up. */
static ctorch_error *known_names(const char *function, ctorch_value **out, const compiled_model *model) {
  ctorch_value *names = NULL, *known = NULL;
  CTORCH_TRY(compiled_model_constant_names(function, &names, model));
  ctorch_error *error = ctorch_value_from_dict(&known, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(names); i++) {
    ctorch_value *name = NULL;
    error = ctorch_value_get(&name, names, i);
    THEN(error, ctorch_value_dict_set(known, name, name));
    ctorch_value_release(name);
  }
  ctorch_value_release(names);
  if (error != NULL) {
    ctorch_value_release(known);
    return error;
  }
  *out = known;
  return NULL;
}

static ctorch_error *add_all(const struct update *self, const ctorch_value *constants) {
  ctorch_value *keys = NULL, *known = NULL;
  CTORCH_TRY(known_names(self->function, &known, self->package->model));
  ctorch_error *error = ctorch_value_dict_keys(&keys, constants);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *name = NULL;
    error = ctorch_value_get(&name, keys, i);
    THEN(error, add_named(self, constants, known, name));
    ctorch_value_release(name);
  }
  ctorch_value_release(keys);
  ctorch_value_release(known);
  return error;
}

ctorch_error *package_update(
    const char *function,
    ctorch_package *self,
    const ctorch_value *constants,
    bool is_inactive,
    bool is_full,
    bool is_user_managed) {
  struct update update = {.function = function, .package = self, .is_user_managed = is_user_managed};
  ctorch_error_release(compiled_model_constants(function, &update.current, self->model, false));
  ctorch_error *error = ctorch_value_from_dict(&update.made, NULL, 0, NULL, 0);
  THEN(error, add_all(&update, constants));
  THEN(error, compiled_model_update(function, self->model, update.made, is_inactive, is_full, is_user_managed));
  ctorch_value_release(update.made);
  ctorch_value_release(update.current);
  return error;
}

/* Weights beside the library --------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON

/* [file, sizes, strides, offset], a view of the tensor that a file holds. */
static ctorch_error *read_weight(
    const char *function, ctorch_tensor **out, struct pt2_archive *archive, const json_t *place) {
  enum { MOST = SOURCE_MOST_DIMS };
  const char *file = json_string_value(json_array_get(place, 0));
  const json_t *lists[] = {json_array_get(place, 1), json_array_get(place, 2)};
  const size_t len = json_array_size(lists[0]);
  int64_t numbers[2][MOST], offset = 0;
  const struct pt_record *record = file == NULL ? NULL : pt2_archive_find(archive, "data/weights/%s", file);
  bool is_whole = record != NULL && len == json_array_size(lists[1]) && len <= MOST &&
                  json_natural(&offset, json_array_get(place, 3));
  for (size_t i = 0; is_whole && i < 2 * len; i++) {
    is_whole = json_natural(&numbers[i / len][i % len], json_array_get(lists[i / len], i % len));
  }
  if (!is_whole) {
    return reader_error(function, archive->reader, "its place in the archive is damaged");
  }
  ctorch_reader *reader = NULL;
  ctorch_value *value = NULL;
  ctorch_tensor *whole = NULL;
  CTORCH_TRY(pt2_archive_reader(function, archive, &reader, record));
  ctorch_error *error = ctorch_serialization_load(&value, reader, NULL);
  THEN(error, ctorch_value_to_tensor(&whole, value));
  THEN(error, ctorch_aten_as_strided(out, whole, numbers[0], len, numbers[1], len, &offset));
  ctorch_tensor_release(whole);
  ctorch_value_release(value);
  object_unref(reader);
  return error;
}

static ctorch_error *put_weight(
    const char *function, ctorch_value *weights, struct pt2_archive *archive, const char *name, const json_t *place) {
  ctorch_tensor *weight = NULL;
  ctorch_value *value = NULL;
  CTORCH_TRY(read_weight(function, &weight, archive, place));
  ctorch_error *error = ctorch_value_from_tensor(&value, weight);
  THEN(error, ctorch_value_dict_put(weights, name, value));
  ctorch_value_release(value);
  ctorch_tensor_release(weight);
  return error;
}

ctorch_error *package_load_weights(
    const char *function, ctorch_package *self, struct pt2_archive *archive, const struct package_files *files) {
  json_t *config = NULL;
  ctorch_value *weights = NULL;
  CTORCH_TRY(pt2_archive_json(function, archive, &config, files->weights));
  ctorch_error *error = ctorch_value_from_dict(&weights, NULL, 0, NULL, 0);
  for (void *at = json_object_iter(config); error == NULL && at != NULL; at = json_object_iter_next(config, at)) {
    const char *name = json_object_iter_key(at);
    error = put_weight(function, weights, archive, name, json_object_iter_value(at));
    error = error == NULL ? NULL : error_at(error, "weight '%.200s'", name);
  }
  if (error == NULL && ctorch_value_len(weights) > 0) {
    error = package_update(function, self, weights, false, true, false);
  }
  ctorch_value_release(weights);
  json_decref(config);
  return error;
}

#else

ctorch_error *package_load_weights(
    const char *function, ctorch_package *self, struct pt2_archive *archive, const struct package_files *files) {
  (void)self, (void)files;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED,
      "%.1000s: weights beside the library cannot be read by this build, which has no jansson",
      reader_name(archive->reader));
}

#endif
