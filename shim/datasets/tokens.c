/* Windows of a file of tokens, which is mapped. */
#include <inttypes.h>
#include <string.h>

#include "constructors/datasets.h"
#include "elements.h"
#include "error.h"
#include "reader.h"
#include "sample.h"
#include "tensor.h"

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

static ctorch_error *copy_part(const struct tokens *self, ctorch_value **out, int64_t begin) {
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ctorch_tensor *part = NULL, *copy = NULL;
  CTORCH_TRY(ctorch_aten_narrow(&part, self->all, 0, begin, self->block_size));
  ctorch_error *error = ctorch_tensor_to(&copy, part, &int64, NULL, false, true, NULL);
  error = error != NULL ? error : ctorch_value_from_tensor(out, copy);
  ctorch_tensor_release(copy);
  ctorch_tensor_release(part);
  return error;
}

static ctorch_error *get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct tokens *tokens = (const struct tokens *)self;
  ctorch_value *parts[2] = {NULL, NULL};
  ctorch_error *error = copy_part(tokens, &parts[0], index * tokens->stride);
  error = error != NULL ? error : copy_part(tokens, &parts[1], index * tokens->stride + 1);
  error = error != NULL ? error : ctorch_value_from_tuple(out, (const ctorch_value *const *)parts, 2);
  ctorch_value_release(parts[0]);
  ctorch_value_release(parts[1]);
  return error_of(fetch->function, error);
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
