/* What a description tells of a tensor without reading it: the arguments of the calls in tensors.c. */
#include "pt/describe.h"

#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/values.h"

/* A call: of what, with what, and the state that came afterwards. */
struct call {
  struct pickle_global function;
  const ctorch_value *args, *state; /* NULL: no state */
};

static ctorch_error *describe(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *value);
static ctorch_error *describe_call(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const struct call *call);

static bool is_row_major(const struct pt_strided *strided) {
  int64_t expected = 1;
  for (size_t i = strided->sizes_len; i-- > 0;) {
    if (strided->sizes[i] != 1 && strided->strides[i] != expected) {
      return false;
    }
    expected *= strided->sizes[i] == 0 ? 1 : strided->sizes[i];
  }
  return true;
}

/* Elements in a storage. `dtype` is an argument of its own, if that is not 0. */
static ctorch_error *describe_strided(
    struct pt_file *self, struct pt_description *out, const ctorch_value *args, size_t dtype_at) {
  struct pt_strided strided = {.offset = 0};
  CTORCH_TRY(pt_strided_args(self, &strided, args));
  ctorch_error *error = dtype_at == 0 ? NULL : pt_dtype_arg(self, &strided.dtype, args, dtype_at);
  THEN(error, pt_strided_extent(self, &strided, &out->offset, &out->nbytes));
  if (error == NULL) {
    out->dtype = strided.dtype;
    out->storage = strided.storage;
    out->sizes = strided.sizes;
    out->sizes_len = strided.sizes_len;
    out->is_row_major = is_row_major(&strided);
    strided.sizes = NULL;
  }
  pt_strided_end(&strided);
  return error;
}

/* An argument that is a tensor. */
static ctorch_error *describe_arg(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pickle_arg(&self->pickle, &value, args, index));
  ctorch_error *error = describe(self, out, out_is_known, value);
  ctorch_value_release(value);
  return error;
}

/* Parts of a sparse tensor, of which the one at `values_at` has its dtype; its sizes are behind them. */
static ctorch_error *describe_parts(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *args, size_t values_at) {
  uint64_t nbytes = 0;
  *out_is_known = true;
  for (size_t i = 0; *out_is_known && i <= values_at; i++) {
    struct pt_description part = {0};
    ctorch_error *error = describe_arg(self, &part, out_is_known, args, i);
    free(part.sizes);
    CTORCH_TRY(error);
    out->dtype = part.dtype;
    nbytes += part.nbytes;
  }
  out->nbytes = nbytes;
  return *out_is_known ? pickle_ints_arg(&self->pickle, &out->sizes, &out->sizes_len, args, values_at + 1) : NULL;
}

static ctorch_error *describe_sparse(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *args) {
  ctorch_value *layout = NULL, *parts = NULL;
  ctorch_layout number = -1;
  ctorch_error *error = pickle_arg(&self->pickle, &layout, args, 0);
  THEN(error, pickle_arg(&self->pickle, &parts, args, 1));
  if (error == NULL && ctorch_value_kind_of(layout) == CTORCH_VALUE_LAYOUT) {
    error = ctorch_value_to_layout(&number, layout);
  }
  THEN(error, describe_parts(self, out, out_is_known, parts, number == CTORCH_LAYOUT_SPARSE_COO ? 1 : 2));
  ctorch_value_release(layout);
  ctorch_value_release(parts);
  return error;
}

/* Files before 0.4: what the state says, if it says anything of the elements. */
static ctorch_error *describe_state(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const struct call *call, bool *out_is_done) {
  const size_t len = ctorch_value_kind_of(call->state) == CTORCH_VALUE_TUPLE ? ctorch_value_len(call->state) : 0;
  *out_is_done = len == 4 || len == 5;
  if (len == 4) {
    *out_is_known = out->is_strided = true;
    return describe_strided(self, out, call->state, 0);
  }
  return len == 5 ? describe_arg(self, out, out_is_known, call->state, 0) : NULL;
}

/* (function, class, arguments, state) */
static ctorch_error *describe_from_type(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *args) {
  struct call inner = {0};
  ctorch_value *function = NULL, *arguments = NULL;
  ctorch_error *error = pickle_arg(&self->pickle, &function, args, 0);
  THEN(error, pickle_arg(&self->pickle, &arguments, args, 2));
  inner.args = arguments;
  if (error == NULL && pickle_global_of(&self->pickle, &inner.function, function) &&
      inner.function.call != pt_call_from_type) {
    error = describe_call(self, out, out_is_known, &inner);
  }
  ctorch_value_release(function);
  ctorch_value_release(arguments);
  return error;
}

/* NumPy's arrays are in the pickle. */
static void describe_bytes(struct pt_description *out) {
  uint64_t numel = 1;
  for (size_t i = 0; i < out->sizes_len; i++) {
    const uint64_t size = out->sizes[i] < 0 ? 0 : (uint64_t)out->sizes[i];
    numel = size != 0 && numel > UINT32_MAX / size ? 0 : numel * size;
  }
  out->nbytes = numel * ctorch_dtype_itemsize(out->dtype);
}

static ctorch_error *describe_call(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const struct call *call) {
  pickle_call *const function = call->function.call;
  const ctorch_value *args = call->args;
  const size_t len = ctorch_value_len(args);
  bool is_done = false;
  *out_is_known = false;
  if (call->state != NULL && (function == pt_call_legacy_tensor || function == pt_call_parameter_class)) {
    CTORCH_TRY(describe_state(self, out, out_is_known, call, &is_done));
    if (is_done) {
      return NULL;
    }
  }
  if (function == pt_call_tensor || function == pt_call_tensor_v2 || function == pt_call_tensor_v3) {
    *out_is_known = true;
    out->is_strided = function == pt_call_tensor || len <= (function == pt_call_tensor_v2 ? 6 : 7);
    return describe_strided(self, out, args, function == pt_call_tensor_v3 ? 6 : 0);
  }
  if (function == pt_call_qtensor) {
    *out_is_known = true;
    return describe_strided(self, out, args, 0);
  }
  if (function == pt_call_parameter || function == pt_call_parameter_class) {
    return describe_arg(self, out, out_is_known, args, 0);
  }
  if (function == pt_call_from_type) {
    return describe_from_type(self, out, out_is_known, args);
  }
  if (function == pt_call_sparse) {
    return describe_sparse(self, out, out_is_known, args);
  }
  if (function == pt_call_legacy_sparse) {
    return describe_parts(self, out, out_is_known, args, 1);
  }
  if (function == pt_call_meta) {
    *out_is_known = true;
    CTORCH_TRY(pt_dtype_arg(self, &out->dtype, args, 0));
    return pickle_ints_arg(&self->pickle, &out->sizes, &out->sizes_len, args, 1);
  }
  if (function == pt_call_device_tensor) {
    CTORCH_TRY(describe_arg(self, out, out_is_known, args, 0));
    out->is_strided = false;
    return pt_dtype_arg(self, &out->dtype, args, 1);
  }
  return NULL;
}

static ctorch_error *describe(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *value) {
  struct call call = {0};
  ctorch_value *args = NULL, *state = NULL;
  *out_is_known = false;
  if (!pickle_is_description(&self->pickle, value) || !pickle_global_of(&self->pickle, &call.function, value)) {
    return NULL;
  }
  if (pt_is_numpy_array(value)) {
    CTORCH_TRY(pt_numpy_shape(&self->pickle, &out->dtype, &out->sizes, &out->sizes_len, out_is_known, value));
    if (*out_is_known) {
      describe_bytes(out);
    }
    return NULL;
  }
  if (self->depth >= PT_DEEPEST) {
    return pickle_error(&self->pickle, "a tensor of tensors that are nested too deep");
  }
  self->depth++;
  ctorch_error *error = ctorch_value_python_args(&args, value);
  THEN(error, ctorch_value_python_state(&state, value));
  call.args = args;
  call.state = state;
  THEN(error, describe_call(self, out, out_is_known, &call));
  self->depth--;
  ctorch_value_release(args);
  ctorch_value_release(state);
  return error;
}

ctorch_error *pt_describe(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *description) {
  *out = (struct pt_description){0};
  ctorch_error *error = describe(self, out, out_is_known, description);
  if (error != NULL || !*out_is_known) {
    free(out->sizes);
    out->sizes = NULL;
  }
  return error;
}
