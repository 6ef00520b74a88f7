/* Tensors in summaries: tensor.h.
 *
 * float16 and bfloat16 are written as their 16 bits, which is what TensorBoard reads; Python's SummaryWriter puts the
 * bits of a float32 there. */
#include "tensorboard/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "tensorboard/writer.h"

/* How the elements of a dtype are kept. */
struct tensor_kind {
  ctorch_dtype dtype;
  int32_t type;
  enum tensor_list list;
};

static const struct tensor_kind KINDS[] = {
    {CTORCH_DTYPE_FLOAT32, TENSOR_FLOAT, LIST_FLOAT},
    {CTORCH_DTYPE_FLOAT64, TENSOR_DOUBLE, LIST_DOUBLE},
    {CTORCH_DTYPE_INT32, TENSOR_INT32, LIST_INT},
    {CTORCH_DTYPE_INT16, TENSOR_INT16, LIST_INT},
    {CTORCH_DTYPE_INT8, TENSOR_INT8, LIST_INT},
    {CTORCH_DTYPE_INT64, TENSOR_INT64, LIST_INT64},
    {CTORCH_DTYPE_UINT8, TENSOR_UINT8, LIST_UINT32},
    {CTORCH_DTYPE_BOOL, TENSOR_BOOL, LIST_BOOL},
    {CTORCH_DTYPE_FLOAT16, TENSOR_HALF, LIST_HALF},
    {CTORCH_DTYPE_BFLOAT16, TENSOR_BFLOAT16, LIST_HALF},
    {CTORCH_DTYPE_COMPLEX64, TENSOR_COMPLEX64, LIST_SCOMPLEX},
    {CTORCH_DTYPE_COMPLEX128, TENSOR_COMPLEX128, LIST_DCOMPLEX},
    {CTORCH_DTYPE_UINT16, TENSOR_UINT16, LIST_INT},
    {CTORCH_DTYPE_UINT32, TENSOR_UINT32, LIST_UINT32},
    {CTORCH_DTYPE_UINT64, TENSOR_UINT64, LIST_UINT64},
};
enum { KINDS_LEN = sizeof KINDS / sizeof *KINDS, KINDS_WRITTEN = 12 };

ctorch_error *summary_plain(
    const char *function, ctorch_tensor **out, const ctorch_tensor *tensor, ctorch_dtype dtype) {
  static const ctorch_device CPU = {CTORCH_DEVICE_TYPE_CPU, -1};
  ctorch_tensor *detached = NULL, *here = NULL, *resolved = NULL;
  ctorch_error *error = ctorch_aten_detach(&detached, tensor);
  THEN(error, ctorch_aten_resolve_conj(&resolved, detached));
  THEN(error, ctorch_tensor_to(&here, resolved, &dtype, &CPU, false, false, NULL));
  THEN(error, ctorch_aten_contiguous(out, here, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  ctorch_tensor_release(here);
  ctorch_tensor_release(resolved);
  ctorch_tensor_release(detached);
  return error_of(function, error);
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

/* protobuf-c has integers of 32 bits where the tensor has fewer. */
static void *widen(ctorch_dtype dtype, const void *data, size_t len) {
  uint32_t *wide = malloc((len + 1) * sizeof *wide);
  for (size_t i = 0; wide != NULL && i < len; i++) {
    switch (dtype) {
      case CTORCH_DTYPE_INT16:
        wide[i] = (uint32_t)((const int16_t *)data)[i];
        break;
      case CTORCH_DTYPE_INT8:
        wide[i] = (uint32_t)((const int8_t *)data)[i];
        break;
      case CTORCH_DTYPE_BOOL:
      case CTORCH_DTYPE_UINT8:
        wide[i] = ((const uint8_t *)data)[i];
        break;
      default:
        wide[i] = ((const uint16_t *)data)[i];
    }
  }
  return wide;
}

static const struct tensor_kind *kind_of(const ctorch_tensor *tensor) {
  for (int i = 0; i < KINDS_WRITTEN; i++) {
    if (KINDS[i].dtype == ctorch_tensor_dtype(tensor)) {
      return &KINDS[i];
    }
  }
  return NULL;
}

static ctorch_error *add_plain(
    const char *function,
    ctorch_summary_writer *self,
    struct summary_value *value,
    const struct tensor_kind *kind,
    const ctorch_tensor *plain,
    int64_t global_step,
    const double *walltime) {
  const size_t len = (size_t)ctorch_tensor_numel(plain);
  const size_t itemsize = ctorch_tensor_itemsize(plain);
  const void *data = NULL;
  void *wide = NULL;
  CTORCH_TRY(error_of(function, ctorch_tensor_const_data(&data, plain)));
  if (itemsize < 4) {
    wide = widen(kind->dtype, data, len);
    if (wide == NULL) {
      return error_memory(function, len * sizeof(uint32_t));
    }
  }
  value->tensor = (struct summary_tensor){
      .type = kind->type,
      .shape = ctorch_tensor_sizes(plain),
      .ndim = (size_t)ctorch_tensor_ndim(plain),
      .list = kind->list,
      .values = wide != NULL ? wide : data,
      .values_len = kind->list == LIST_SCOMPLEX || kind->list == LIST_DCOMPLEX ? 2 * len : len};
  static const int64_t NO_SHAPE = 0;
  if (value->tensor.shape == NULL) {
    value->tensor.shape = &NO_SHAPE;
  }
  ctorch_error *error = summary_add(function, self, value, 1, global_step, walltime);
  free(wide);
  return error;
}

ctorch_error *ctorch_summary_writer_add_tensor(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *tensor,
    int64_t global_step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check(__func__, self, tag));
  if (tensor == NULL) {
    return error_null(__func__, "tensor");
  }
  const struct tensor_kind *kind = kind_of(tensor);
  if (kind == NULL || ctorch_tensor_nbytes(tensor) >= (size_t)1 << 31) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE,
        kind == NULL ? "tensor: it has unsupported tensor dtype %s" : "tensor: 2 GB or more",
        ctorch_dtype_name(ctorch_tensor_dtype(tensor)));
  }
  ctorch_tensor *plain = NULL;
  CTORCH_TRY(summary_plain(__func__, &plain, tensor, kind->dtype));
  struct summary_value value = {.tag = tag, .plugin = "tensor", .what = SUMMARY_TENSOR};
  ctorch_error *error = add_plain(__func__, self, &value, kind, plain, global_step, walltime);
  ctorch_tensor_release(plain);
  return error;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

double summary_tensor_number(const struct summary_tensor *tensor) {
  float single;
  double number;
  switch (tensor->list) {
    case LIST_FLOAT:
      return ((const float *)tensor->values)[0];
    case LIST_DOUBLE:
      return ((const double *)tensor->values)[0];
    case LIST_INT:
      return ((const int32_t *)tensor->values)[0];
    case LIST_INT64:
      return (double)((const int64_t *)tensor->values)[0];
    case LIST_CONTENT:
      if (tensor->type == TENSOR_FLOAT && tensor->values_len == sizeof single) {
        memcpy(&single, tensor->values, sizeof single);
        return single;
      }
      if (tensor->type == TENSOR_DOUBLE && tensor->values_len == sizeof number) {
        memcpy(&number, tensor->values, sizeof number);
        return number;
      }
      return NAN;
    default:
      return NAN;
  }
}

/* The dtype that a list has in memory, which is then converted; INT32 also stands for half floats and booleans. */
static ctorch_dtype listed(enum tensor_list list) {
  switch (list) {
    case LIST_FLOAT:
      return CTORCH_DTYPE_FLOAT32;
    case LIST_DOUBLE:
      return CTORCH_DTYPE_FLOAT64;
    case LIST_INT64:
    case LIST_UINT64:
      return CTORCH_DTYPE_INT64;
    case LIST_SCOMPLEX:
      return CTORCH_DTYPE_COMPLEX64;
    case LIST_DCOMPLEX:
      return CTORCH_DTYPE_COMPLEX128;
    default:
      return CTORCH_DTYPE_INT32;
  }
}

static ctorch_error *does_not_fit(const char *function) {
  return error_make(function, CTORCH_ERROR_FORMAT, "self: the shape and the values of the tensor do not fit");
}

/* How many elements a shape has; false for none that a tensor can have. */
static bool count(const struct summary_tensor *tensor, int64_t *out) {
  int64_t numel = 1;
  bool is_empty = false;
  for (size_t i = 0; i < tensor->ndim; i++) {
    const int64_t size = tensor->shape[i];
    if (size < 0) {
      return false;
    }
    is_empty = is_empty || size == 0;
    if (size != 0 && numel > (INT64_MAX >> 4) / size) {
      return false;
    }
    numel *= size == 0 ? 1 : size;
  }
  *out = is_empty ? 0 : numel;
  return true;
}

/* Bring what a list has to the dtype that the tensor is of. */
static ctorch_error *convert(ctorch_tensor **out, const ctorch_tensor *from, const struct tensor_kind *kind) {
  ctorch_tensor *narrow = NULL;
  const bool is_bits = kind->list == LIST_HALF;
  const ctorch_dtype dtype = is_bits ? CTORCH_DTYPE_INT16 : kind->dtype;
  CTORCH_TRY(ctorch_tensor_to(is_bits ? &narrow : out, from, &dtype, NULL, false, true, NULL));
  if (!is_bits) {
    return NULL;
  }
  ctorch_error *error = ctorch_aten_view_dtype(out, narrow, kind->dtype);
  ctorch_tensor_release(narrow);
  return error;
}

/* `numel` values in a shape of `all`: one alone stands for all, without memory for each. */
static ctorch_error *from_values(
    ctorch_tensor **out,
    const struct tensor_kind *kind,
    const struct summary_tensor *tensor,
    int64_t numel,
    int64_t all) {
  ctorch_tensor *flat = NULL, *right = NULL;
  const bool is_content = tensor->list == LIST_CONTENT;
  const ctorch_dtype dtype = is_content ? kind->dtype : listed(tensor->list);
  CTORCH_TRY(
      ctorch_tensor_from_data(&flat, tensor->values, (size_t)numel * ctorch_dtype_itemsize(dtype), &numel, 1, dtype));
  ctorch_error *error = is_content ? ctorch_aten_view(&right, flat, &numel, 1) : convert(&right, flat, kind);
  THEN(
      error, numel == all ? ctorch_aten_view(out, right, tensor->shape, tensor->ndim)
                          : ctorch_aten_expand(out, right, tensor->shape, tensor->ndim, false));
  ctorch_tensor_release(right);
  ctorch_tensor_release(flat);
  return error;
}

ctorch_error *summary_tensor_read(const char *function, ctorch_tensor **out, const struct summary_tensor *tensor) {
  const struct tensor_kind *kind = NULL;
  for (int i = 0; i < KINDS_LEN; i++) {
    kind = KINDS[i].type == tensor->type ? &KINDS[i] : kind;
  }
  if (kind == NULL) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "self: PyTorch has no tensors of TensorBoard's type %d", (int)tensor->type);
  }
  int64_t numel = 0;
  const bool is_complex = tensor->list == LIST_SCOMPLEX || tensor->list == LIST_DCOMPLEX;
  const size_t itemsize = ctorch_dtype_itemsize(kind->dtype);
  const int64_t len = tensor->list == LIST_CONTENT ? (int64_t)(tensor->values_len / itemsize)
                      : is_complex                 ? (int64_t)(tensor->values_len / 2)
                                                   : (int64_t)tensor->values_len;
  if (!count(tensor, &numel) || (tensor->list == LIST_CONTENT && tensor->values_len % itemsize != 0) ||
      (tensor->list == LIST_STRING) || (is_complex && tensor->values_len % 2 != 0)) {
    return does_not_fit(function);
  }
  if (len == numel || (len == 1 && numel > 0)) {
    return error_of(function, from_values(out, kind, tensor, len, numel));
  }
  return does_not_fit(function);
}
