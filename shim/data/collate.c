/* data.default_collate and data.default_convert. */
#include "data/collate.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/data.h"
#include "core/c/boxed.h"
#include "core/c/error.h"

enum { MAX_DEPTH = 1000 };

static ctorch_error *too_deep(const char *function) {
  return error_make(function, CTORCH_ERROR_RUNTIME, "values nested more than %d deep", MAX_DEPTH);
}

void values_release(ctorch_value **values, size_t len) {
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(values[i]);
  }
  free(values);
}

static ctorch_error *new_values(const char *function, ctorch_value ***out, size_t len) {
  *out = calloc(len > 0 ? len : 1, sizeof(**out));
  return *out == NULL ? error_memory(function, len * sizeof(**out)) : NULL;
}

/* A batch of what stands in the same place of all samples. */
struct batch {
  const char *function;
  ctorch_value *const *samples;
  size_t len;
  int depth;
  bool is_tuple; /* Python's zip makes tuples of the parts of lists, and texts stay in them */
};

static ctorch_error *collate(const struct batch *batch, ctorch_value **out);

static ctorch_error *other_kind(const struct batch *batch, size_t i, const char *expected) {
  return error_make(
      batch->function, CTORCH_ERROR_TYPE, "sample %zu of the batch: expected %s as in the first, got %s", i, expected,
      ctorch_value_kind_name(ctorch_value_kind_of(batch->samples[i])));
}

/* Tensors ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *check_tensor(const struct batch *batch, const ctorch_tensor *tensor) {
  const char *kind = ctorch_tensor_is_nested(tensor)                         ? "nested"
                     : ctorch_tensor_layout(tensor) != CTORCH_LAYOUT_STRIDED ? "sparse"
                                                                             : NULL;
  if (kind == NULL) {
    return NULL;
  }
  return error_make(
      batch->function, CTORCH_ERROR_RUNTIME,
      "Batches of %s tensors are not currently supported by the default collate; give the loader one of your own",
      kind);
}

static ctorch_error *stack(const struct batch *batch, ctorch_value **out) {
  ctorch_tensor **tensors = calloc(batch->len, sizeof(*tensors));
  if (tensors == NULL) {
    return error_memory(batch->function, batch->len * sizeof(*tensors));
  }
  ctorch_error *error = NULL;
  ctorch_tensor *stacked = NULL;
  for (size_t i = 0; error == NULL && i < batch->len; i++) {
    error = ctorch_value_kind_of(batch->samples[i]) == CTORCH_VALUE_TENSOR
                ? ctorch_value_to_tensor(&tensors[i], batch->samples[i])
                : other_kind(batch, i, "a tensor");
    if (error == NULL && i == 0) {
      error = check_tensor(batch, tensors[0]);
    }
  }
  THEN(error, ctorch_aten_stack(&stacked, (const ctorch_tensor *const *)tensors, batch->len, 0));
  THEN(error, ctorch_value_from_tensor(out, stacked));
  ctorch_tensor_release(stacked);
  for (size_t i = 0; i < batch->len; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  free(tensors);
  return error;
}

/* Numbers ---------------------------------------------------------------------------------------------------------- */

static bool is_number(ctorch_value_kind kind) {
  return kind == CTORCH_VALUE_BOOL || kind == CTORCH_VALUE_INT || kind == CTORCH_VALUE_DOUBLE;
}

/* A tensor of numbers in C, which becomes a value. */
static ctorch_error *give_numbers(
    const struct batch *batch, ctorch_value **out, const void *data, size_t size, ctorch_dtype from, ctorch_dtype to) {
  ctorch_tensor *tensor = NULL, *converted = NULL;
  const int64_t sizes[] = {(int64_t)batch->len};
  CTORCH_TRY(ctorch_tensor_from_data(&tensor, data, batch->len * size, sizes, 1, from));
  ctorch_error *error = ctorch_tensor_to(&converted, tensor, &to, NULL, false, false, NULL);
  THEN(error, ctorch_value_from_tensor(out, converted));
  ctorch_tensor_release(converted);
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *read_double(const struct batch *batch, size_t i, double *out) {
  bool is_true = false;
  switch (ctorch_value_kind_of(batch->samples[i])) {
    case CTORCH_VALUE_BOOL:
      CTORCH_TRY(ctorch_value_to_bool(&is_true, batch->samples[i]));
      *out = is_true;
      return NULL;
    case CTORCH_VALUE_INT:
    case CTORCH_VALUE_DOUBLE:
      return ctorch_value_to_double(out, batch->samples[i]);
    default:
      return other_kind(batch, i, "a number");
  }
}

static ctorch_error *doubles(const struct batch *batch, ctorch_value **out, ctorch_dtype dtype) {
  double *data = calloc(batch->len, sizeof(*data));
  if (data == NULL) {
    return error_memory(batch->function, batch->len * sizeof(*data));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < batch->len; i++) {
    error = read_double(batch, i, &data[i]);
  }
  THEN(error, give_numbers(batch, out, data, sizeof(*data), CTORCH_DTYPE_FLOAT64, dtype));
  free(data);
  return error;
}

static ctorch_error *ints(const struct batch *batch, ctorch_value **out, ctorch_dtype dtype) {
  int64_t *data = calloc(batch->len, sizeof(*data));
  if (data == NULL) {
    return error_memory(batch->function, batch->len * sizeof(*data));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < batch->len; i++) {
    bool is_true = false;
    if (ctorch_value_kind_of(batch->samples[i]) == CTORCH_VALUE_BOOL) {
      error = ctorch_value_to_bool(&is_true, batch->samples[i]);
      data[i] = is_true;
    } else {
      error = ctorch_value_to_int(&data[i], batch->samples[i]);
    }
  }
  THEN(error, give_numbers(batch, out, data, sizeof(*data), CTORCH_DTYPE_INT64, dtype));
  free(data);
  return error;
}

/* `torch.tensor(batch)`: the type that holds all of them. */
static ctorch_error *numbers(const struct batch *batch, ctorch_value **out) {
  ctorch_value_kind first = ctorch_value_kind_of(batch->samples[0]), highest = first;
  if (first == CTORCH_VALUE_DOUBLE) {
    return doubles(batch, out, CTORCH_DTYPE_FLOAT64);
  }
  for (size_t i = 0; i < batch->len; i++) {
    ctorch_value_kind kind = ctorch_value_kind_of(batch->samples[i]);
    if (!is_number(kind)) {
      return other_kind(batch, i, "a number");
    }
    if (kind == CTORCH_VALUE_DOUBLE || (kind == CTORCH_VALUE_INT && highest == CTORCH_VALUE_BOOL)) {
      highest = kind;
    }
  }
  if (highest == CTORCH_VALUE_DOUBLE) {
    return doubles(batch, out, ctorch_defaults_dtype());
  }
  return ints(batch, out, highest == CTORCH_VALUE_INT ? CTORCH_DTYPE_INT64 : CTORCH_DTYPE_BOOL);
}

/* Containers ------------------------------------------------------------------------------------------------------- */

typedef ctorch_error *(*pick_part)(ctorch_value **out, const ctorch_value *sample, const void *which);

/* A batch of one part of each sample. */
static ctorch_error *collate_part(
    const struct batch *batch, ctorch_value **out, pick_part pick, const void *which, bool is_tuple) {
  ctorch_value **parts = NULL;
  CTORCH_TRY(new_values(batch->function, &parts, batch->len));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < batch->len; i++) {
    error = pick(&parts[i], batch->samples[i], which);
  }
  THEN(error, collate(&(const struct batch){batch->function, parts, batch->len, batch->depth + 1, is_tuple}, out));
  values_release(parts, batch->len);
  return error;
}

static ctorch_error *pick_item(ctorch_value **out, const ctorch_value *sample, const void *index) {
  return ctorch_value_get(out, sample, *(const size_t *)index);
}

static ctorch_error *pick_entry(ctorch_value **out, const ctorch_value *sample, const void *key) {
  return ctorch_value_dict_get(out, sample, key);
}

static ctorch_error *check_lens(const struct batch *batch) {
  size_t len = ctorch_value_len(batch->samples[0]);
  for (size_t i = 0; i < batch->len; i++) {
    if (!value_is_sequence(batch->samples[i])) {
      return other_kind(batch, i, "a list or tuple");
    }
    if (ctorch_value_len(batch->samples[i]) != len) {
      return error_make(batch->function, CTORCH_ERROR_RUNTIME, "each element in list of batch should be of equal size");
    }
  }
  return NULL;
}

static ctorch_error *sequence(const struct batch *batch, ctorch_value **out) {
  size_t len = ctorch_value_len(batch->samples[0]);
  ctorch_value **items = NULL;
  CTORCH_TRY(check_lens(batch));
  CTORCH_TRY(new_values(batch->function, &items, len));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = collate_part(batch, &items[i], pick_item, &i, true);
  }
  THEN(error, ctorch_value_from_list(out, (const ctorch_value *const *)items, len));
  values_release(items, len);
  return error;
}

static ctorch_error *put_entry(const struct batch *batch, ctorch_value *dict, const ctorch_value *keys, size_t i) {
  ctorch_value *key = NULL, *entry = NULL;
  CTORCH_TRY(ctorch_value_get(&key, keys, i));
  ctorch_error *error = collate_part(batch, &entry, pick_entry, key, false);
  THEN(error, ctorch_value_dict_set(dict, key, entry));
  ctorch_value_release(entry);
  ctorch_value_release(key);
  return error;
}

static ctorch_error *dict(const struct batch *batch, ctorch_value **out) {
  ctorch_value *keys = NULL, *dict = NULL;
  for (size_t i = 0; i < batch->len; i++) {
    if (ctorch_value_kind_of(batch->samples[i]) != CTORCH_VALUE_DICT) {
      return other_kind(batch, i, "a dict");
    }
  }
  CTORCH_TRY(ctorch_value_dict_keys(&keys, batch->samples[0]));
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    error = put_entry(batch, dict, keys, i);
  }
  ctorch_value_release(keys);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *texts(const struct batch *batch, ctorch_value **out) {
  const ctorch_value *const *samples = (const ctorch_value *const *)batch->samples;
  return batch->is_tuple ? ctorch_value_from_tuple(out, samples, batch->len)
                         : ctorch_value_from_list(out, samples, batch->len);
}

static ctorch_error *collate(const struct batch *batch, ctorch_value **out) {
  if (batch->depth > MAX_DEPTH) {
    return too_deep(batch->function);
  }
  ctorch_value_kind kind = ctorch_value_kind_of(batch->samples[0]);
  switch (kind) {
    case CTORCH_VALUE_TENSOR:
      return stack(batch, out);
    case CTORCH_VALUE_DOUBLE:
    case CTORCH_VALUE_INT:
    case CTORCH_VALUE_BOOL:
      return numbers(batch, out);
    case CTORCH_VALUE_STRING:
    case CTORCH_VALUE_BYTES:
      return texts(batch, out);
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      return sequence(batch, out);
    case CTORCH_VALUE_DICT:
      return dict(batch, out);
    default:
      return error_make(
          batch->function, CTORCH_ERROR_TYPE,
          "a batch must contain tensors, numbers, texts, bytes, dicts or lists; found %s",
          ctorch_value_kind_name(kind));
  }
}

static ctorch_error *collate_of(
    const char *function, ctorch_value **out, ctorch_value *const *samples, size_t samples_len, bool is_tuple) {
  return error_of(function, collate(&(const struct batch){function, samples, samples_len, 0, is_tuple}, out));
}

ctorch_error *collate_samples(
    const char *function, ctorch_value **out, ctorch_value *const *samples, size_t samples_len) {
  return collate_of(function, out, samples, samples_len, false);
}

ctorch_error *data_default_collate(
    const char *function, ctorch_value **out, const struct data_default_collate_options *options) {
  size_t len = ctorch_value_len(options->batch);
  ctorch_value **samples = NULL;
  if (!value_is_sequence(options->batch)) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "batch: expected a list or tuple of samples, got %s",
        ctorch_value_kind_name(ctorch_value_kind_of(options->batch)));
  }
  if (len == 0) {
    return error_make(function, CTORCH_ERROR_INDEX, "batch: expected at least one sample");
  }
  CTORCH_TRY(new_values(function, &samples, len));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = error_of(function, ctorch_value_get(&samples[i], options->batch, i));
  }
  if (error == NULL) {
    bool is_tuple = ctorch_value_kind_of(options->batch) == CTORCH_VALUE_TUPLE;
    error = collate_of(function, out, samples, len, is_tuple);
  }
  values_release(samples, len);
  return error;
}

/* One sample ------------------------------------------------------------------------------------------------------- */

/* Something done to the leaves of a value; tuples become lists. */
struct walk {
  const char *function;
  bool keeps_tuples;
  ctorch_error *(*leaf)(ctorch_value **out, const ctorch_value *value);
};

static ctorch_error *walk(const struct walk *w, ctorch_value **out, const ctorch_value *value, int depth);

static ctorch_error *walk_sequence(const struct walk *w, ctorch_value **out, const ctorch_value *value, int depth) {
  size_t len = ctorch_value_len(value);
  ctorch_value **items = NULL;
  CTORCH_TRY(new_values(w->function, &items, len));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *item = NULL;
    error = ctorch_value_get(&item, value, i);
    THEN(error, walk(w, &items[i], item, depth + 1));
    ctorch_value_release(item);
  }
  if (error == NULL) {
    const ctorch_value *const *given = (const ctorch_value *const *)items;
    error = w->keeps_tuples && ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE
                ? ctorch_value_from_tuple(out, given, len)
                : ctorch_value_from_list(out, given, len);
  }
  values_release(items, len);
  return error;
}

static ctorch_error *walk_entry(
    const struct walk *w,
    ctorch_value *dict,
    const ctorch_value *value,
    const ctorch_value *keys,
    size_t i,
    int depth) {
  ctorch_value *key = NULL, *entry = NULL, *walked = NULL;
  CTORCH_TRY(ctorch_value_get(&key, keys, i));
  ctorch_error *error = ctorch_value_dict_get(&entry, value, key);
  THEN(error, walk(w, &walked, entry, depth + 1));
  THEN(error, ctorch_value_dict_set(dict, key, walked));
  ctorch_value_release(walked);
  ctorch_value_release(entry);
  ctorch_value_release(key);
  return error;
}

static ctorch_error *walk_dict(const struct walk *w, ctorch_value **out, const ctorch_value *value, int depth) {
  ctorch_value *keys = NULL, *dict = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, value));
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    error = walk_entry(w, dict, value, keys, i, depth);
  }
  ctorch_value_release(keys);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *walk(const struct walk *w, ctorch_value **out, const ctorch_value *value, int depth) {
  if (depth > MAX_DEPTH) {
    return too_deep(w->function);
  }
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_DICT) {
    return walk_dict(w, out, value, depth);
  }
  return value_is_sequence(value) ? walk_sequence(w, out, value, depth) : w->leaf(out, value);
}

/* The same value in a box of its own. */
static ctorch_error *same(ctorch_value **out, const ctorch_value *value) {
  ctorch_value_retain(value);
  *out = (ctorch_value *)value;
  return NULL;
}

ctorch_error *convert_sample(const char *function, ctorch_value **out, const ctorch_value *sample) {
  return error_of(function, walk(&(const struct walk){.function = function, .leaf = same}, out, sample, 0));
}

ctorch_error *data_default_convert(
    const char *function, ctorch_value **out, const struct data_default_convert_options *options) {
  return convert_sample(function, out, options->data);
}

static ctorch_error *pin(ctorch_value **out, const ctorch_value *value) {
  ctorch_tensor *tensor = NULL, *pinned = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return same(out, value);
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = ctorch_aten_pin_memory(&pinned, tensor, NULL);
  THEN(error, ctorch_value_from_tensor(out, pinned));
  ctorch_tensor_release(pinned);
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *pin_value(const char *function, ctorch_value **out, const ctorch_value *value) {
  return error_of(
      function, walk(&(const struct walk){.function = function, .keeps_tuples = true, .leaf = pin}, out, value, 0));
}
