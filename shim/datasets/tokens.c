/* Windows of a file of tokens, which is mapped. */
#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/datasets.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "datasets/sample.h"
#include "io/elements.h"
#include "io/reader.h"

struct tokens {
  ctorch_dataset dataset;
  ctorch_tensor *all; /* a reference; one-dimensional */
  int64_t block_size, stride;
};

static void finalize(void *self) { tensor_unref(((struct tokens *)self)->all); }

/* A window takes one token more than it has, for the last to be followed by. */
static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  const struct tokens *tokens = (const struct tokens *)self;
  const int64_t all = ctorch_tensor_numel(tokens->all);
  (void)function;
  *out = all <= tokens->block_size ? 0 : (all - 1 - tokens->block_size) / tokens->stride + 1;
  return NULL;
}

/* As int64, from a tensor's memory. */
#define WIDEN(type)                                    \
  for (int64_t i = 0; i < len; i++) {                  \
    out[i] = (int64_t)((const type *)data)[begin + i]; \
  }                                                    \
  break

static void widen(int64_t *out, const void *data, ctorch_dtype dtype, int64_t begin, int64_t len) {
  switch (dtype) {
    case CTORCH_DTYPE_UINT8:
      WIDEN(uint8_t);
    case CTORCH_DTYPE_INT8:
      WIDEN(int8_t);
    case CTORCH_DTYPE_UINT16:
      WIDEN(uint16_t);
    case CTORCH_DTYPE_INT16:
      WIDEN(int16_t);
    case CTORCH_DTYPE_UINT32:
      WIDEN(uint32_t);
    case CTORCH_DTYPE_INT32:
      WIDEN(int32_t);
    case CTORCH_DTYPE_UINT64:
      WIDEN(uint64_t);
    default:
      memcpy(out, (const int64_t *)data + begin, (size_t)len * sizeof *out);
  }
}

#undef WIDEN

/* The tokens of windows, or those that follow them (`ahead` is 1), in a tensor of these sizes. */
static ctorch_error *copy_tokens(
    const struct tokens *self,
    ctorch_value **out,
    const int64_t *indices,
    size_t len,
    int64_t ahead,
    const int64_t *sizes,
    size_t ndim) {
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ctorch_tensor *made = NULL;
  const void *from = NULL;
  void *to = NULL;
  CTORCH_TRY(ctorch_tensor_const_data(&from, self->all));
  CTORCH_TRY(ctorch_aten_empty_memory_format(&made, sizes, ndim, &int64, NULL, NULL, NULL, NULL));
  ctorch_error *error = ctorch_tensor_data(&to, made);
  for (size_t i = 0; error == NULL && i < len; i++) {
    widen(
        (int64_t *)to + (int64_t)i * self->block_size, from, ctorch_tensor_dtype(self->all),
        indices[i] * self->stride + ahead, self->block_size);
  }
  THEN(error, ctorch_value_from_tensor(out, made));
  ctorch_tensor_release(made);
  return error;
}

static ctorch_error *get_windows(
    struct fetch *fetch,
    const ctorch_dataset *self,
    ctorch_value **out,
    const int64_t *indices,
    size_t len,
    bool is_batch) {
  const struct tokens *tokens = (const struct tokens *)self;
  const int64_t sizes[] = {(int64_t)len, tokens->block_size};
  ctorch_value *parts[2] = {NULL, NULL};
  ctorch_error *error = NULL;
  for (int64_t i = 0; error == NULL && i < 2; i++) {
    error = copy_tokens(tokens, &parts[i], indices, len, i, is_batch ? sizes : sizes + 1, is_batch ? 2 : 1);
  }
  THEN(
      error, (is_batch ? ctorch_value_from_list : ctorch_value_from_tuple)(out, (const ctorch_value *const *)parts, 2));
  ctorch_value_release(parts[0]);
  ctorch_value_release(parts[1]);
  return error_of(fetch->function, error);
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  return get_windows(fetch, self, out, &index, 1, false);
}

static ctorch_error *get_batch(
    struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, const int64_t *indices, size_t len) {
  return get_windows(fetch, self, out, indices, len, true);
}

static ctorch_error *attribute(const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out) {
  return strcmp(name, "tokens") == 0
             ? error_of(function, ctorch_value_from_tensor(out, ((const struct tokens *)self)->all))
             : NULL;
}

static const dataset_class tokens_class = {
    .object = DATASET_OBJECT(struct tokens, finalize),
    .name = "TokenFile",
    .len = len,
    .get = get,
    .get_batch = get_batch,
    .attribute = attribute};

static ctorch_error *check_dtype(const char *function, ctorch_dtype dtype) {
  switch (dtype) {
    case CTORCH_DTYPE_UINT8:
    case CTORCH_DTYPE_INT8:
    case CTORCH_DTYPE_UINT16:
    case CTORCH_DTYPE_INT16:
    case CTORCH_DTYPE_UINT32:
    case CTORCH_DTYPE_INT32:
    case CTORCH_DTYPE_UINT64:
    case CTORCH_DTYPE_INT64:
      return NULL;
    default:
      return error_make(
          function, CTORCH_ERROR_TYPE, "dtype: expected one of whole numbers, got %s", ctorch_dtype_name(dtype));
  }
}

static ctorch_error *check_sizes(const char *function, int64_t block_size, int64_t stride) {
  return block_size >= 1 && stride >= 1
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "%s: expected at least 1, got %" PRId64,
                   block_size < 1 ? "block_size" : "stride", block_size < 1 ? block_size : stride);
}

static ctorch_error *read_all(const char *function, ctorch_tensor **out, const char *path, ctorch_dtype dtype) {
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, true)));
  const size_t nbytes = ctorch_reader_nbytes(reader), itemsize = ctorch_dtype_itemsize(dtype);
  const int64_t sizes[] = {(int64_t)(nbytes / itemsize)};
  const struct elements elements = {reader, 0, dtype, sizes, 1, false, false};
  ctorch_error *error =
      nbytes % itemsize == 0
          ? elements_read(function, out, &elements)
          : reader_error(function, reader, "%zu bytes are no whole number of %s", nbytes, ctorch_dtype_name(dtype));
  ctorch_reader_release(reader);
  return error_of(function, error);
}

ctorch_error *datasets_TokenFile(
    const char *function, ctorch_dataset **out, const struct datasets_TokenFile_options *options) {
  const ctorch_dtype dtype = options->dtype == NULL ? CTORCH_DTYPE_UINT16 : *options->dtype;
  const int64_t stride = options->stride == NULL ? options->block_size : *options->stride;
  ctorch_tensor *all = NULL;
  CTORCH_TRY(check_sizes(function, options->block_size, stride));
  CTORCH_TRY(check_dtype(function, dtype));
  CTORCH_TRY(read_all(function, &all, options->path, dtype));
  struct tokens *self = dataset_new(&tokens_class);
  if (self == NULL) {
    ctorch_tensor_release(all);
    return object_give(function, out, NULL);
  }
  self->all = tensor_take(all);
  self->block_size = options->block_size;
  self->stride = stride;
  return object_give(function, out, self);
}
