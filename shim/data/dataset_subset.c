/* data.Subset and data.random_split: some samples of a dataset. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/data.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "data/dataset.h"

struct subset {
  ctorch_dataset dataset;
  ctorch_dataset *inner; /* a reference */
  int64_t *indices;
  size_t indices_len;
};

static void finalize(void *self) {
  struct subset *subset = self;
  object_unref(subset->inner);
  free(subset->indices);
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  (void)function;
  *out = (int64_t)((const struct subset *)self)->indices_len;
  return NULL;
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct subset *subset = (const struct subset *)self;
  return fetch_get(fetch, subset->inner, out, subset->indices[index]);
}

static ctorch_error *get_batch(
    struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, const int64_t *indices, size_t indices_len) {
  const struct subset *subset = (const struct subset *)self;
  if (dataset_class_of(subset->inner)->get_batch == NULL) {
    return NULL;
  }
  int64_t *inner = calloc(indices_len, sizeof(*inner));
  if (inner == NULL) {
    return error_memory(fetch->function, indices_len * sizeof(*inner));
  }
  for (size_t i = 0; i < indices_len; i++) {
    inner[i] = subset->indices[indices[i]];
  }
  ctorch_error *error = fetch_get_batch(fetch, subset->inner, out, inner, indices_len);
  free(inner);
  return error;
}

static const dataset_class subset_class = {
    .object = DATASET_OBJECT(struct subset, finalize),
    .name = "Subset",
    .len = len,
    .get = get,
    .get_batch = get_batch};

static ctorch_error *make(
    const char *function, ctorch_dataset **out, ctorch_dataset *dataset, const int64_t *indices, size_t indices_len) {
  CTORCH_TRY(dataset_check_by_index(function, "dataset", dataset));
  struct subset *self = dataset_new(&subset_class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = dataset_hold(function, &self->dataset, &self->inner, dataset);
  if (error == NULL) {
    self->indices = malloc(indices_len > 0 ? indices_len * sizeof(*indices) : 1);
    error = self->indices == NULL ? error_memory(function, indices_len * sizeof(*indices)) : NULL;
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  if (indices_len > 0) {
    memcpy(self->indices, indices, indices_len * sizeof(*indices));
  }
  self->indices_len = indices_len;
  return object_give(function, out, self);
}

ctorch_error *data_Subset(const char *function, ctorch_dataset **out, const struct data_Subset_options *options) {
  return make(function, out, options->dataset, options->indices, options->indices_len);
}

ctorch_error *data_Subset_tensor(
    const char *function, ctorch_dataset **out, const struct data_Subset_tensor_options *options) {
  ctorch_tensor *indices = NULL;
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  ctorch_dtype dtype = ctorch_tensor_dtype(options->indices);
  if (dtype != CTORCH_DTYPE_INT64 && dtype != CTORCH_DTYPE_INT32) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "indices: expected int64 or int32, got %s", ctorch_dtype_name(dtype));
  }
  if (ctorch_tensor_ndim(options->indices) != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "indices: expected one dimension, got %" PRId64,
        ctorch_tensor_ndim(options->indices));
  }
  CTORCH_TRY(error_of(
      function,
      ctorch_tensor_to(&indices, options->indices, &(ctorch_dtype){CTORCH_DTYPE_INT64}, &cpu, false, false, NULL)));
  ctorch_tensor *flat = NULL;
  const void *data = NULL;
  ctorch_error *error = ctorch_aten_contiguous(&flat, indices, CTORCH_MEMORY_FORMAT_CONTIGUOUS);
  THEN(error, ctorch_tensor_const_data(&data, flat));
  error = error == NULL ? make(function, out, options->dataset, data, (size_t)ctorch_tensor_numel(flat))
                        : error_of(function, error);
  ctorch_tensor_release(flat);
  ctorch_tensor_release(indices);
  return error;
}

/* Splitting -------------------------------------------------------------------------------------------------------- */

static ctorch_error *split(
    const char *function,
    ctorch_tensor_list **out,
    int64_t total,
    const int64_t *lengths,
    size_t lengths_len,
    ctorch_generator *generator) {
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ctorch_tensor *order = NULL;
  CTORCH_TRY(ctorch_aten_randperm_generator(&order, total, generator, &int64, NULL, NULL, NULL));
  ctorch_error *error = ctorch_aten_split_with_sizes(out, order, lengths, lengths_len, 0);
  ctorch_tensor_release(order);
  return error_of(function, error);
}

ctorch_error *data_random_split(
    const char *function, ctorch_tensor_list **out, const struct data_random_split_options *options) {
  int64_t total = 0, sum = 0;
  CTORCH_TRY(dataset_len(function, options->dataset, &total));
  for (size_t i = 0; i < options->lengths_len; i++) {
    if (options->lengths[i] < 0 || options->lengths[i] > total - sum) {
      sum = -1;
      break;
    }
    sum += options->lengths[i];
  }
  if (sum != total) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "lengths: Sum of input lengths does not equal the length of the input dataset, which is %" PRId64, total);
  }
  return split(function, out, total, options->lengths, options->lengths_len, options->generator);
}

ctorch_error *data_random_split_fractions(
    const char *function, ctorch_tensor_list **out, const struct data_random_split_fractions_options *options) {
  int64_t total = 0, rest = 0;
  double sum = 0;
  CTORCH_TRY(dataset_len(function, options->dataset, &total));
  if (options->lengths_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "lengths: expected at least one");
  }
  for (size_t i = 0; i < options->lengths_len; i++) {
    if (!(options->lengths[i] >= 0 && options->lengths[i] <= 1)) {
      return error_make(function, CTORCH_ERROR_VALUE, "lengths: Fraction at index %zu is not between 0 and 1", i);
    }
    sum += options->lengths[i];
  }
  if (!(fabs(sum - 1) <= 1e-9)) {
    return error_make(function, CTORCH_ERROR_VALUE, "lengths: expected fractions that add up to 1, got %g", sum);
  }
  int64_t *lengths = calloc(options->lengths_len, sizeof(*lengths));
  if (lengths == NULL) {
    return error_memory(function, options->lengths_len * sizeof(*lengths));
  }
  rest = total;
  for (size_t i = 0; i < options->lengths_len; i++) {
    lengths[i] = (int64_t)floor((double)total * options->lengths[i]);
    rest -= lengths[i];
  }
  for (int64_t i = 0; i < rest; i++) {
    lengths[i % (int64_t)options->lengths_len] += 1;
  }
  ctorch_error *error = split(function, out, total, lengths, options->lengths_len, options->generator);
  free(lengths);
  return error;
}
