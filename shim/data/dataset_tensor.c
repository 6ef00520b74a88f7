/* data.TensorDataset: samples that are rows of tensors. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/data.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "data/dataset.h"

struct rows {
  ctorch_dataset dataset;
  ctorch_tensor **tensors; /* references */
  size_t tensors_len;
  bool has_batches; /* whether rows taken at once are what stacked rows are */
};

static void finalize(void *self) {
  struct rows *rows = self;
  for (size_t i = 0; i < rows->tensors_len; i++) {
    tensor_unref(rows->tensors[i]);
  }
  free(rows->tensors);
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  return error_of(function, ctorch_tensor_size(out, ((const struct rows *)self)->tensors[0], 0));
}

/* A tuple or list of tensors, which are given up. */
static ctorch_error *collect(ctorch_value **out, ctorch_tensor **tensors, size_t tensors_len, bool is_tuple) {
  ctorch_value **values = calloc(tensors_len, sizeof(*values));
  ctorch_error *error = values == NULL ? error_memory("ctorch_dataset_get", tensors_len * sizeof(*values)) : NULL;
  for (size_t i = 0; error == NULL && i < tensors_len; i++) {
    error = ctorch_value_from_tensor(&values[i], tensors[i]);
  }
  THEN(
      error, is_tuple ? ctorch_value_from_tuple(out, (const ctorch_value *const *)values, tensors_len)
                      : ctorch_value_from_list(out, (const ctorch_value *const *)values, tensors_len));
  for (size_t i = 0; i < tensors_len; i++) {
    if (values != NULL) {
      ctorch_value_release(values[i]);
    }
    ctorch_tensor_release(tensors[i]);
  }
  free(values);
  return error;
}

typedef ctorch_error *(*take_rows)(ctorch_tensor **out, const ctorch_tensor *tensor, const void *which);

/* Something of each tensor. */
static ctorch_error *take(
    struct fetch *fetch,
    const struct rows *rows,
    ctorch_value **out,
    take_rows from,
    const void *which,
    bool is_tuple) {
  ctorch_tensor **taken = calloc(rows->tensors_len, sizeof(*taken));
  if (taken == NULL) {
    return error_memory(fetch->function, rows->tensors_len * sizeof(*taken));
  }
  ctorch_error *error = NULL;
  size_t i = 0;
  while (error == NULL && i < rows->tensors_len) {
    error = from(&taken[i], rows->tensors[i], which);
    i += error == NULL;
  }
  if (error == NULL) {
    error = collect(out, taken, rows->tensors_len, is_tuple);
    i = 0;
  }
  while (i > 0) {
    ctorch_tensor_release(taken[--i]);
  }
  free(taken);
  return error_of(fetch->function, error);
}

static ctorch_error *row(ctorch_tensor **out, const ctorch_tensor *tensor, const void *index) {
  return ctorch_aten_select_int(out, tensor, 0, *(const int64_t *)index);
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  return take(fetch, (const struct rows *)self, out, row, &index, true);
}

/* Rows that follow each other are copied in one piece. */
struct run {
  int64_t first, len;
};

static ctorch_error *run_of_rows(ctorch_tensor **out, const ctorch_tensor *tensor, const void *which) {
  const struct run *run = which;
  ctorch_tensor *view = NULL;
  CTORCH_TRY(ctorch_aten_narrow(&view, tensor, 0, run->first, run->len));
  ctorch_error *error = ctorch_aten_clone(out, view, NULL);
  ctorch_tensor_release(view);
  return error;
}

static ctorch_error *rows_at(ctorch_tensor **out, const ctorch_tensor *tensor, const void *indices) {
  return ctorch_aten_index_select(out, tensor, 0, indices);
}

static bool is_run(const int64_t *indices, size_t indices_len) {
  for (size_t i = 1; i < indices_len; i++) {
    if (indices[i] != indices[0] + (int64_t)i) {
      return false;
    }
  }
  return true;
}

static ctorch_error *get_batch(
    struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, const int64_t *indices, size_t indices_len) {
  const struct rows *rows = (const struct rows *)self;
  if (!rows->has_batches) {
    return NULL;
  }
  if (is_run(indices, indices_len)) {
    const struct run run = {indices[0], (int64_t)indices_len};
    return take(fetch, rows, out, run_of_rows, &run, false);
  }
  ctorch_tensor *at = NULL;
  const int64_t sizes[] = {(int64_t)indices_len};
  CTORCH_TRY(error_of(
      fetch->function,
      ctorch_tensor_from_data(&at, indices, indices_len * sizeof(*indices), sizes, 1, CTORCH_DTYPE_INT64)));
  ctorch_error *error = take(fetch, rows, out, rows_at, at, false);
  ctorch_tensor_release(at);
  return error;
}

static const dataset_class rows_class = {
    .object = DATASET_OBJECT(struct rows, finalize),
    .name = "TensorDataset",
    .len = len,
    .get = get,
    .get_batch = get_batch};

/* Whether taking rows at once gives what stacking them would, memory format included. */
static bool has_batches(const ctorch_tensor *tensor) {
  return ctorch_tensor_layout(tensor) == CTORCH_LAYOUT_STRIDED && ctorch_tensor_is_contiguous(tensor);
}

static ctorch_error *check(const char *function, ctorch_tensor *const *tensors, size_t tensors_len) {
  int64_t first = 0, other = 0;
  if (tensors_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "tensors: expected at least one");
  }
  for (size_t i = 0; i < tensors_len; i++) {
    CTORCH_TRY(error_at(error_of(function, ctorch_tensor_size(&other, tensors[i], 0)), "tensors[%zu]", i));
    if (i == 0) {
      first = other;
    } else if (other != first) {
      return error_make(function, CTORCH_ERROR_VALUE, "tensors[%zu]: Size mismatch between tensors", i);
    }
  }
  return NULL;
}

ctorch_error *data_TensorDataset(
    const char *function, ctorch_dataset **out, const struct data_TensorDataset_options *options) {
  CTORCH_TRY(check(function, (ctorch_tensor *const *)options->tensors, options->tensors_len));
  struct rows *self = dataset_new(&rows_class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  self->tensors = calloc(options->tensors_len, sizeof(*self->tensors));
  if (self->tensors == NULL) {
    object_unref(self);
    return error_memory(function, options->tensors_len * sizeof(*self->tensors));
  }
  self->has_batches = true;
  for (; self->tensors_len < options->tensors_len; self->tensors_len++) {
    const ctorch_tensor *tensor = options->tensors[self->tensors_len];
    self->tensors[self->tensors_len] = tensor_ref(tensor);
    self->has_batches = self->has_batches && has_batches(tensor);
  }
  return object_give(function, out, self);
}
