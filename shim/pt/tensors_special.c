/* Tensors that are not strided memory alone: quantized, sparse, nested, without memory, from elsewhere; and those of
 * PyTorch before 0.4. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/values.h"
#include "pt/tensors.h"

static struct pt_file *file_of(struct unpickler *self) { return (struct pt_file *)self; }

/* Quantized -------------------------------------------------------------------------------------------------------- */

/* A tensor of an argument that is one, or a list of numbers. */
static ctorch_error *numbers_arg(
    struct pt_file *self, ctorch_tensor **out, const ctorch_value *args, size_t index, ctorch_dtype dtype) {
  ctorch_value *list = NULL;
  double *numbers = NULL;
  CTORCH_TRY(pickle_arg(&self->pickle, &list, args, index));
  if (ctorch_value_kind_of(list) != CTORCH_VALUE_LIST) {
    ctorch_value_release(list);
    return pt_tensor_arg(self, out, args, index);
  }
  const size_t len = ctorch_value_len(list);
  const int64_t size = (int64_t)len;
  ctorch_tensor *doubles = NULL;
  ctorch_error *error = pickle_charge(&self->pickle, 2 * len * sizeof *numbers);
  if (error == NULL) {
    numbers = malloc(len == 0 ? 1 : len * sizeof *numbers);
    error = numbers == NULL ? error_memory(self->pickle.function, len * sizeof *numbers) : NULL;
  }
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = pickle_double_arg(&self->pickle, &numbers[i], list, i);
  }
  THEN(error, ctorch_tensor_from_data(&doubles, numbers, len * sizeof *numbers, &size, 1, CTORCH_DTYPE_FLOAT64));
  THEN(error, ctorch_tensor_to(out, doubles, &dtype, NULL, false, false, NULL));
  ctorch_tensor_release(doubles);
  free(numbers);
  ctorch_value_release(list);
  return error;
}

/* A tensor without elements that is quantized as `params` says: its memory comes afterwards. */
static ctorch_error *empty_quantized(
    struct pt_file *self,
    ctorch_tensor **out,
    const struct pt_strided *strided,
    const ctorch_device *device,
    const ctorch_value *params) {
  ctorch_value *scheme = NULL;
  const int64_t none = 0;
  CTORCH_TRY(pickle_arg(&self->pickle, &scheme, params, 0));
  const bool is_tensor = pickle_is(scheme, "torch", "per_tensor_affine");
  const bool is_float = pickle_is(scheme, "torch", "per_channel_affine_float_qparams");
  const bool is_channel = is_float || pickle_is(scheme, "torch", "per_channel_affine");
  ctorch_value_release(scheme);
  if (is_tensor) {
    double scale = 0;
    int64_t zero_point = 0;
    CTORCH_TRY(pickle_double_arg(&self->pickle, &scale, params, 1));
    CTORCH_TRY(pickle_int_arg(&self->pickle, &zero_point, params, 2));
    return pickle_refuse(
        &self->pickle, ctorch_aten__empty_affine_quantized(
                           out, &none, 1, &strided->dtype, NULL, device, NULL, scale, zero_point, NULL));
  }
  int64_t axis = 0;
  if (!is_channel) {
    return pickle_error(&self->pickle, "a tensor that is quantized in an unknown way");
  }
  CTORCH_TRY(pickle_int_arg(&self->pickle, &axis, params, 3));
  if (axis < 0 || (uint64_t)axis >= strided->sizes_len) {
    return pickle_error(
        &self->pickle, "a tensor that is quantized along dimension %" PRId64 ", which it has not", axis);
  }
  ctorch_tensor *scales = NULL, *zero_points = NULL;
  ctorch_error *error = numbers_arg(self, &scales, params, 1, is_float ? CTORCH_DTYPE_FLOAT32 : CTORCH_DTYPE_FLOAT64);
  THEN(error, numbers_arg(self, &zero_points, params, 2, is_float ? CTORCH_DTYPE_FLOAT32 : CTORCH_DTYPE_INT64));
  const int64_t expected = strided->sizes[axis];
  if (error == NULL && (ctorch_tensor_numel(scales) != expected || ctorch_tensor_numel(zero_points) != expected ||
                        ctorch_tensor_ndim(scales) != 1 || ctorch_tensor_ndim(zero_points) != 1)) {
    error = pickle_error(&self->pickle, "other than %" PRId64 " scales and zero points", expected);
  }
  int64_t *sizes = error == NULL ? calloc(strided->sizes_len, sizeof *sizes) : NULL;
  THEN(
      error, sizes == NULL ? error_memory(self->pickle.function, strided->sizes_len * sizeof *sizes)
                           : pickle_refuse(
                                 &self->pickle, ctorch_aten__empty_per_channel_affine_quantized(
                                                    out, sizes, strided->sizes_len, scales, zero_points, axis,
                                                    &strided->dtype, NULL, device, NULL, NULL)));
  free(sizes);
  ctorch_tensor_release(scales);
  ctorch_tensor_release(zero_points);
  return error;
}

static bool is_quantized(ctorch_dtype dtype) {
  return dtype == CTORCH_DTYPE_QINT8 || dtype == CTORCH_DTYPE_QUINT8 || dtype == CTORCH_DTYPE_QINT32 ||
         dtype == CTORCH_DTYPE_QUINT4X2 || dtype == CTORCH_DTYPE_QUINT2X4;
}

/* (storage, offset, sizes, strides, how, requires_grad, hooks) */
ctorch_error *pt_call_qtensor(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct pt_file *self = file_of(pickle);
  struct pt_strided strided = {.offset = 0};
  uint64_t offset = 0, nbytes = 0;
  ctorch_value *params = NULL;
  ctorch_tensor *tensor = NULL;
  ctorch_storage *read = NULL;
  (void)global;
  CTORCH_TRY(pt_strided_args(self, &strided, args));
  ctorch_error *error = pt_strided_extent(self, &strided, &offset, &nbytes);
  THEN(error, pickle_arg(pickle, &params, args, 4));
  if (error == NULL && (!is_quantized(strided.dtype) || ctorch_value_kind_of(params) != CTORCH_VALUE_TUPLE)) {
    error = pickle_error(pickle, "a quantized tensor of numbers that are not");
  }
  const struct pt_storage *storage = &self->storages[strided.storage];
  THEN(error, empty_quantized(self, &tensor, &strided, &storage->device, params));
  ctorch_storage *memory = storage->memory;
  if (error == NULL && memory == NULL) { /* the whole: elements may be less than a byte */
    error = pt_storage_read(self, &read, strided.storage, 0, storage->nbytes);
    memory = read;
  }
  THEN(
      error, pickle_refuse(
                 pickle, ctorch_aten_set__source_Storage_storage_offset(
                             tensor, memory, strided.offset, strided.sizes, strided.sizes_len, strided.strides,
                             strided.sizes_len)));
  THEN(error, pt_set_requires_grad(self, tensor, args, 5));
  ctorch_storage_release(read);
  pt_strided_end(&strided);
  ctorch_value_release(params);
  return pt_tensor_value(out, tensor, error);
}

/* Sparse ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *make_coo(struct pt_file *self, ctorch_tensor **out, const ctorch_value *data) {
  ctorch_tensor *indices = NULL, *values = NULL;
  int64_t *sizes = NULL;
  size_t sizes_len = 0;
  bool is_coalesced = false;
  const bool knows = ctorch_value_len(data) > 3;
  ctorch_error *error = pt_tensor_arg(self, &indices, data, 0);
  THEN(error, pt_tensor_arg(self, &values, data, 1));
  THEN(error, pickle_ints_arg(&self->pickle, &sizes, &sizes_len, data, 2));
  if (knows) {
    THEN(error, pickle_bool_arg(&self->pickle, &is_coalesced, data, 3));
  }
  THEN(
      error, pickle_refuse(
                 &self->pickle, ctorch_tensor_sparse_coo(
                                    out, indices, values, sizes == NULL ? (const int64_t[]){0} : sizes, sizes_len, NULL,
                                    NULL, knows ? &is_coalesced : NULL)));
  free(sizes);
  ctorch_tensor_release(indices);
  ctorch_tensor_release(values);
  return error;
}

static ctorch_error *make_compressed(
    struct pt_file *self, ctorch_tensor **out, const ctorch_value *data, ctorch_layout layout) {
  ctorch_tensor *compressed = NULL, *plain = NULL, *values = NULL;
  int64_t *sizes = NULL;
  size_t sizes_len = 0;
  ctorch_error *error = pt_tensor_arg(self, &compressed, data, 0);
  THEN(error, pt_tensor_arg(self, &plain, data, 1));
  THEN(error, pt_tensor_arg(self, &values, data, 2));
  THEN(error, pickle_ints_arg(&self->pickle, &sizes, &sizes_len, data, 3));
  THEN(
      error, pickle_refuse(
                 &self->pickle, ctorch_tensor_sparse_compressed(
                                    out, compressed, plain, values, sizes, sizes_len, layout, NULL, NULL)));
  free(sizes);
  ctorch_tensor_release(compressed);
  ctorch_tensor_release(plain);
  ctorch_tensor_release(values);
  return error;
}

/* (layout, parts): the indices are checked, which Python leaves out. */
ctorch_error *pt_call_sparse(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct pt_file *self = file_of(pickle);
  ctorch_value *which = NULL, *data = NULL;
  ctorch_layout layout = -1;
  ctorch_tensor *tensor = NULL;
  (void)global;
  ctorch_error *error = pickle_arg(pickle, &which, args, 0);
  THEN(error, pickle_arg(pickle, &data, args, 1));
  if (error == NULL && ctorch_value_kind_of(which) == CTORCH_VALUE_LAYOUT) {
    error = ctorch_value_to_layout(&layout, which);
  }
  if (error == NULL && layout == CTORCH_LAYOUT_SPARSE_COO) {
    error = make_coo(self, &tensor, data);
  } else if (
      error == NULL && (layout == CTORCH_LAYOUT_SPARSE_CSR || layout == CTORCH_LAYOUT_SPARSE_CSC ||
                        layout == CTORCH_LAYOUT_SPARSE_BSR || layout == CTORCH_LAYOUT_SPARSE_BSC)) {
    error = make_compressed(self, &tensor, data, layout);
  } else if (error == NULL) {
    error = pickle_error(pickle, "a sparse tensor of an unknown layout");
  }
  ctorch_value_release(which);
  ctorch_value_release(data);
  return pt_tensor_value(out, tensor, error);
}

/* torch.sparse.FloatTensor(indices, values, sizes) */
ctorch_error *pt_call_legacy_sparse(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  ctorch_tensor *tensor = NULL;
  (void)global;
  ctorch_error *error = make_coo(file_of(pickle), &tensor, args);
  return pt_tensor_value(out, tensor, error);
}

/* Without memory, and from elsewhere ------------------------------------------------------------------------------- */

/* (dtype, sizes, strides, requires_grad) */
ctorch_error *pt_call_meta(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct pt_file *self = file_of(pickle);
  const ctorch_device meta = {.type = CTORCH_DEVICE_TYPE_META, .index = -1};
  struct pt_strided strided = {0};
  size_t strides_len = 0;
  uint64_t span = 0;
  ctorch_tensor *tensor = NULL;
  (void)global;
  ctorch_error *error = pt_dtype_arg(self, &strided.dtype, args, 0);
  THEN(error, pickle_ints_arg(pickle, &strided.sizes, &strided.sizes_len, args, 1));
  THEN(error, pickle_ints_arg(pickle, &strided.strides, &strides_len, args, 2));
  if (error == NULL && (strides_len != strided.sizes_len ||
                        !pt_strided_span(&strided, INT64_MAX / ctorch_dtype_itemsize(strided.dtype), &span))) {
    error = pickle_error(pickle, "a tensor of impossible sizes");
  }
  THEN(
      error, pickle_refuse(
                 pickle, ctorch_aten_empty_strided(
                             &tensor, strided.sizes, strided.sizes_len, strided.strides, strides_len, &strided.dtype,
                             NULL, &meta, NULL)));
  THEN(error, pt_set_requires_grad(self, tensor, args, 3));
  pt_strided_end(&strided);
  return pt_tensor_value(out, tensor, error);
}

/* (tensor or array, dtype, device, requires_grad) */
ctorch_error *pt_call_device_tensor(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct pt_file *self = file_of(pickle);
  ctorch_tensor *data = NULL, *tensor = NULL;
  ctorch_dtype dtype = 0;
  ctorch_device device = {0};
  char *location = NULL;
  (void)global;
  ctorch_error *error = pt_tensor_arg(self, &data, args, 0);
  THEN(error, pt_dtype_arg(self, &dtype, args, 1));
  THEN(error, pickle_text_arg(pickle, &location, args, 2));
  THEN(error, pt_place(self, &device, location));
  if (error == NULL) { /* it may be far larger than its memory */
    const uint64_t numel = (uint64_t)ctorch_tensor_numel(data);
    error = pickle_charge(pickle, numel > UINT64_MAX / 16 ? UINT64_MAX : 16 * numel);
  }
  THEN(error, pickle_refuse(pickle, ctorch_tensor_to(&tensor, data, &dtype, &device, false, false, NULL)));
  THEN(error, pt_set_requires_grad(self, tensor, args, 3));
  free(location);
  ctorch_tensor_release(data);
  return pt_tensor_value(out, tensor, error);
}

/* torch.FloatTensor(): its memory comes with its state. */
ctorch_error *pt_call_legacy_tensor(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  const ctorch_dtype dtype = global->dtype < 0 ? CTORCH_DTYPE_FLOAT32 : global->dtype;
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  const int64_t none = 0;
  ctorch_tensor *tensor = NULL;
  if (ctorch_value_len(args) != 0) {
    return pickle_error(pickle, "a call of %s.%s with arguments", global->module, global->name);
  }
  ctorch_error *error = ctorch_aten_empty_memory_format(&tensor, &none, 1, &dtype, NULL, &cpu, NULL, NULL);
  return pt_tensor_value(out, tensor, error);
}

/* Nested ----------------------------------------------------------------------------------------------------------- */

/* The int64 numbers of a tensor of so many dimensions, owned by it. */
static ctorch_error *numbers_in(
    const struct pt_file *self, const int64_t **out, const ctorch_tensor *tensor, int64_t ndim) {
  const void *data = NULL;
  if (ctorch_tensor_dtype(tensor) != CTORCH_DTYPE_INT64 || (int64_t)ctorch_tensor_ndim(tensor) != ndim ||
      ctorch_tensor_device_type(tensor) != CTORCH_DEVICE_TYPE_CPU || ctorch_tensor_sizes(tensor) == NULL ||
      !ctorch_tensor_is_contiguous(tensor)) {
    return pickle_error(&self->pickle, "a nested tensor whose sizes are no table of numbers");
  }
  CTORCH_TRY(pickle_refuse(&self->pickle, ctorch_tensor_const_data(&data, tensor)));
  *out = data;
  return NULL;
}

/* That each tensor of a nested one lies in its memory, of `numel` elements. */
static ctorch_error *check_nested(
    const struct pt_file *self,
    const ctorch_tensor *sizes,
    const ctorch_tensor *strides,
    const ctorch_tensor *offsets,
    int64_t numel) {
  const int64_t *size = NULL, *stride = NULL, *offset = NULL;
  CTORCH_TRY(numbers_in(self, &size, sizes, 2));
  CTORCH_TRY(numbers_in(self, &stride, strides, 2));
  CTORCH_TRY(numbers_in(self, &offset, offsets, 1));
  const int64_t *shape = ctorch_tensor_sizes(sizes);
  const int64_t len = shape[0], ndim = shape[1];
  if (ctorch_tensor_numel(strides) != len * ndim || ctorch_tensor_sizes(strides)[0] != len ||
      ctorch_tensor_numel(offsets) != len) {
    return pickle_error(&self->pickle, "a nested tensor of other sizes than strides");
  }
  bool is_wrong = false;
  for (int64_t i = 0; i < len; i++) {
    int64_t left = offset[i] < 0 ? -1 : numel - 1 - offset[i];
    bool is_empty = false;
    is_wrong |= offset[i] < 0;
    for (int64_t k = 0; k < ndim; k++) {
      is_empty |= size[i * ndim + k] == 0;
      is_wrong |= size[i * ndim + k] < 0 || stride[i * ndim + k] < 0;
    }
    for (int64_t k = 0; !is_wrong && !is_empty && k < ndim; k++) {
      const int64_t steps = size[i * ndim + k] - 1, step = stride[i * ndim + k];
      is_wrong |= left < 0 || (steps > 0 && step > left / steps);
      left -= is_wrong ? 0 : steps * step;
    }
    is_wrong |= !is_empty && left < 0;
  }
  return is_wrong ? pickle_error(&self->pickle, "a nested tensor that does not lie in its memory") : NULL;
}

/* (buffer, sizes, strides, offsets) */
ctorch_error *pt_call_nested(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct pt_file *self = file_of(pickle);
  ctorch_tensor *parts[4] = {NULL, NULL, NULL, NULL}, *tensor = NULL;
  ctorch_error *error = NULL;
  (void)global;
  for (size_t i = 0; error == NULL && i < 4; i++) {
    error = pt_tensor_arg(self, &parts[i], args, i);
  }
  if (error == NULL && (ctorch_tensor_ndim(parts[0]) != 1 || !ctorch_tensor_is_contiguous(parts[0]))) {
    error = pickle_error(pickle, "a nested tensor whose memory is no row of numbers");
  }
  THEN(error, check_nested(self, parts[1], parts[2], parts[3], ctorch_tensor_numel(parts[0])));
  THEN(
      error,
      pickle_refuse(pickle, ctorch_aten__nested_view_from_buffer(&tensor, parts[0], parts[1], parts[2], parts[3])));
  for (size_t i = 0; i < 4; i++) {
    ctorch_tensor_release(parts[i]);
  }
  return pt_tensor_value(out, tensor, error);
}
