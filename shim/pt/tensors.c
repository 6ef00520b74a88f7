/* Strided tensors, parameters and what goes with them: torch._utils._rebuild_tensor and its like. */
#include "pt/tensors.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "pickle/values.h"

static struct pt_file *file_of(struct unpickler *self) { return (struct pt_file *)self; }

/* Arguments -------------------------------------------------------------------------------------------------------- */

ctorch_error *pt_dtype_arg(const struct pt_file *self, ctorch_dtype *out, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pickle_arg(&self->pickle, &value, args, index));
  ctorch_error *error = ctorch_value_kind_of(value) == CTORCH_VALUE_DTYPE
                            ? ctorch_value_to_dtype(out, value)
                            : pickle_error(&self->pickle, "argument %zu: expected a dtype", index);
  ctorch_value_release(value);
  return error;
}

ctorch_error *pt_strided_args(struct pt_file *self, struct pt_strided *out, const ctorch_value *args) {
  size_t strides_len = 0;
  *out = (struct pt_strided){0};
  ctorch_error *error = pt_storage_arg(self, &out->storage, args, 0);
  THEN(error, pickle_int_arg(&self->pickle, &out->offset, args, 1));
  THEN(error, pickle_ints_arg(&self->pickle, &out->sizes, &out->sizes_len, args, 2));
  THEN(error, pickle_ints_arg(&self->pickle, &out->strides, &strides_len, args, 3));
  if (error == NULL && strides_len != out->sizes_len) {
    error = pickle_error(&self->pickle, "%zu strides for %zu sizes", strides_len, out->sizes_len);
  }
  if (error != NULL) {
    pt_strided_end(out);
    return error;
  }
  out->dtype = self->storages[out->storage].dtype;
  return NULL;
}

void pt_strided_end(struct pt_strided *self) {
  free(self->sizes);
  free(self->strides);
  self->sizes = self->strides = NULL;
}

/* How many elements of a dtype fit into an item: several of those with less than a byte. */
static uint64_t elements_in_item(ctorch_dtype dtype) {
  return dtype == CTORCH_DTYPE_QUINT4X2 ? 2 : dtype == CTORCH_DTYPE_QUINT2X4 ? 4 : 1;
}

bool pt_strided_span(const struct pt_strided *strided, uint64_t most, uint64_t *out) {
  const uint64_t itemsize = ctorch_dtype_itemsize(strided->dtype);
  uint64_t last = 0, numel = 1;
  bool is_empty = false;
  for (size_t i = 0; i < strided->sizes_len; i++) {
    if (strided->sizes[i] < 0 || strided->strides[i] < 0) {
      return false;
    }
    is_empty |= strided->sizes[i] == 0;
  }
  *out = 0;
  if (is_empty || strided->offset < 0) {
    return strided->offset >= 0;
  }
  if ((uint64_t)strided->offset >= most) {
    return false;
  }
  most -= (uint64_t)strided->offset;
  for (size_t i = 0; i < strided->sizes_len; i++) {
    const uint64_t size = (uint64_t)strided->sizes[i], stride = (uint64_t)strided->strides[i];
    if (numel > INT64_MAX / itemsize / size || (size > 1 && stride > (most - 1 - last) / (size - 1))) {
      return false; /* strides of 0 make more elements than there are */
    }
    numel *= size;
    last += (size - 1) * stride;
  }
  *out = last + 1;
  return true;
}

ctorch_error *pt_strided_extent(
    const struct pt_file *self, const struct pt_strided *strided, uint64_t *out_offset, uint64_t *out_nbytes) {
  const struct pt_storage *storage = &self->storages[strided->storage];
  const uint64_t itemsize = ctorch_dtype_itemsize(strided->dtype), elements = elements_in_item(strided->dtype);
  uint64_t span = 0;
  if (!pt_strided_span(strided, storage->nbytes / itemsize * elements, &span)) {
    return pickle_error(
        &self->pickle, "a tensor that does not lie in its storage, which has %" PRIu64 " bytes", storage->nbytes);
  }
  *out_offset = *out_nbytes = 0;
  if (span > 0) {
    const uint64_t first = (uint64_t)strided->offset, last = first + span - 1;
    *out_offset = first / elements * itemsize;
    *out_nbytes = (last / elements - first / elements + 1) * itemsize;
  }
  return NULL;
}

ctorch_error *pt_strided_make(struct pt_file *self, ctorch_tensor **out, const struct pt_strided *strided) {
  uint64_t offset = 0, nbytes = 0;
  CTORCH_TRY(pt_strided_extent(self, strided, &offset, &nbytes));
  const struct pt_storage *storage = &self->storages[strided->storage];
  if (storage->memory != NULL) {
    return pickle_refuse(
        &self->pickle, ctorch_tensor_from_storage(
                           out, storage->memory, strided->offset, strided->sizes, strided->sizes_len, strided->strides,
                           strided->sizes_len, strided->dtype));
  }
  /* What was only described: no more is read than the tensor looks at. */
  ctorch_storage *memory = NULL;
  CTORCH_TRY(pt_storage_read(self, &memory, strided->storage, offset, nbytes));
  ctorch_error *error = pickle_refuse(
      &self->pickle,
      ctorch_tensor_from_storage(
          out, memory, 0, strided->sizes, strided->sizes_len, strided->strides, strided->sizes_len, strided->dtype));
  ctorch_storage_release(memory);
  return error;
}

ctorch_error *pt_tensor_value(ctorch_value **out, ctorch_tensor *tensor, ctorch_error *error) {
  THEN(error, ctorch_value_from_tensor(out, tensor));
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *pt_set_requires_grad(
    struct pt_file *self, ctorch_tensor *tensor, const ctorch_value *args, size_t index) {
  bool requires_grad = false;
  CTORCH_TRY(pickle_bool_arg(&self->pickle, &requires_grad, args, index));
  return requires_grad ? pickle_refuse(&self->pickle, ctorch_tensor_set_requires_grad(tensor, true)) : NULL;
}

ctorch_error *pt_follow(struct pt_file *self, ctorch_value **out, const ctorch_value *description) {
  struct pickle_global global = {.dtype = -1};
  ctorch_value *args = NULL, *state = NULL, *made = NULL, *instead = NULL;
  if (!pickle_global_of(&self->pickle, &global, description) || global.call == NULL) {
    return pickle_error(&self->pickle, "what is no tensor");
  }
  if (self->depth >= PT_DEEPEST) {
    return pickle_error(&self->pickle, "a tensor of tensors that are nested too deep");
  }
  const bool is_described = self->pickle.is_described;
  self->pickle.is_described = false;
  self->depth++;
  ctorch_error *error = ctorch_value_python_args(&args, description);
  THEN(error, ctorch_value_python_state(&state, description));
  THEN(error, global.call(&self->pickle, &made, &global, args));
  if (state != NULL) {
    THEN(error, pickle_build(&self->pickle, &instead, made, state));
  }
  self->depth--;
  self->pickle.is_described = is_described;
  ctorch_value_release(args);
  ctorch_value_release(state);
  if (error == NULL) {
    *out = instead != NULL ? instead : made;
    made = instead != NULL ? made : NULL;
  }
  ctorch_value_release(made);
  return error;
}

ctorch_error *pt_tensor_arg(struct pt_file *self, ctorch_tensor **out, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL, *made = NULL;
  CTORCH_TRY(pickle_arg(&self->pickle, &value, args, index));
  ctorch_error *error = pickle_is_description(&self->pickle, value) ? pt_follow(self, &made, value) : NULL;
  const ctorch_value *found = made == NULL ? value : made;
  if (error == NULL && ctorch_value_kind_of(found) != CTORCH_VALUE_TENSOR) {
    error = pickle_error(
        &self->pickle, "argument %zu: expected a tensor, found %s", index,
        ctorch_value_kind_name(ctorch_value_kind_of(found)));
  }
  THEN(error, ctorch_value_to_tensor(out, found));
  ctorch_value_release(made);
  ctorch_value_release(value);
  return error;
}

/* Strided tensors -------------------------------------------------------------------------------------------------- */

/* A flag of the dict that _rebuild_tensor_v2 has for its last argument. */
static ctorch_error *flag_of(const struct pt_file *self, bool *out, const ctorch_value *metadata, const char *name) {
  ctorch_value *value = NULL;
  *out = false;
  ctorch_error *error = ctorch_value_dict_at(&value, metadata, name);
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_INDEX) {
    ctorch_error_release(error);
    return NULL;
  }
  THEN(error, ctorch_value_to_bool(out, value));
  ctorch_value_release(value);
  return pickle_refuse(&self->pickle, error);
}

/* The bits of lazy conjugation and negation. */
static ctorch_error *set_metadata(
    const struct pt_file *self, ctorch_tensor *tensor, const ctorch_value *args, size_t index) {
  ctorch_value *metadata = NULL;
  bool is_conj = false, is_neg = false;
  if (ctorch_value_len(args) <= index) {
    return NULL;
  }
  CTORCH_TRY(pickle_arg(&self->pickle, &metadata, args, index));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(metadata) != CTORCH_VALUE_NONE) {
    error = flag_of(self, &is_conj, metadata, "conj");
    THEN(error, flag_of(self, &is_neg, metadata, "neg"));
  }
  ctorch_value_release(metadata);
  CTORCH_TRY(error);
  return is_conj || is_neg
             ? pickle_refuse(&self->pickle, tensor_set_bits(self->pickle.function, tensor, is_conj, is_neg))
             : NULL;
}

/* (storage, offset, sizes, strides[, requires_grad, hooks[, dtype]][, metadata]); hooks are left out. */
static ctorch_error *make_strided(
    struct unpickler *pickle, ctorch_value **out, const ctorch_value *args, bool has_grad, bool has_dtype) {
  struct pt_file *self = file_of(pickle);
  struct pt_strided strided = {.offset = 0};
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(pt_strided_args(self, &strided, args));
  ctorch_error *error = has_dtype ? pt_dtype_arg(self, &strided.dtype, args, 6) : NULL;
  THEN(error, pt_strided_make(self, &tensor, &strided));
  pt_strided_end(&strided);
  if (error == NULL && has_grad) {
    error = set_metadata(self, tensor, args, has_dtype ? 7 : 6);
    THEN(error, pt_set_requires_grad(self, tensor, args, 4));
  }
  return pt_tensor_value(out, tensor, error);
}

ctorch_error *pt_call_tensor(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  (void)global;
  return make_strided(self, out, args, false, false);
}

ctorch_error *pt_call_tensor_v2(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  (void)global;
  return make_strided(self, out, args, true, false);
}

ctorch_error *pt_call_tensor_v3(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  (void)global;
  return make_strided(self, out, args, true, true);
}

/* Parameters ------------------------------------------------------------------------------------------------------- */

static ctorch_error *make_parameter(
    struct pt_file *self, ctorch_value **out, const ctorch_value *args, bool is_parameter, bool requires_grad) {
  ctorch_tensor *data = NULL, *parameter = NULL;
  CTORCH_TRY(pt_tensor_arg(self, &data, args, 0));
  if (ctorch_value_len(args) > 1) {
    ctorch_error *error = pickle_bool_arg(&self->pickle, &requires_grad, args, 1);
    if (error != NULL) {
      ctorch_tensor_release(data);
      return error;
    }
  }
  ctorch_error *error = pickle_refuse(&self->pickle, ctorch_aten_detach(&parameter, data));
  if (error == NULL && requires_grad) {
    error = pickle_refuse(&self->pickle, ctorch_tensor_set_requires_grad(parameter, true));
  }
  if (error == NULL && is_parameter) {
    error = tensor_set_parameter(self->pickle.function, parameter);
  }
  ctorch_tensor_release(data);
  return pt_tensor_value(out, parameter, error);
}

/* (data, requires_grad, hooks[, state]); what Python keeps beside is left out. */
ctorch_error *pt_call_parameter(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  (void)global;
  return make_parameter(file_of(self), out, args, true, true);
}

/* Files before 0.4: Parameter(data), Variable(data), which pt_tensor_set_state completes. */
ctorch_error *pt_call_parameter_class(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  const bool is_parameter = global->name[0] == 'P';
  return make_parameter(file_of(self), out, args, is_parameter, is_parameter);
}

ctorch_error *pt_tensor_set_state(struct unpickler *pickle, const ctorch_value *value, const ctorch_value *state) {
  struct pt_file *self = file_of(pickle);
  const size_t len = ctorch_value_len(state);
  ctorch_tensor *tensor = NULL, *data = NULL;
  if (ctorch_value_kind_of(state) != CTORCH_VALUE_TUPLE || len < 3 || len > 5) {
    return pickle_error(pickle, "a state that tensors do not have");
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = NULL;
  if (len == 3) { /* requires_grad, volatile, hooks */
    error = pt_set_requires_grad(self, tensor, state, 0);
  } else if (len == 5) { /* data, grad, hooks, requires_grad, volatile */
    error = pt_tensor_arg(self, &data, state, 0);
    THEN(error, pickle_refuse(pickle, ctorch_aten_set_data(tensor, data)));
    THEN(error, pt_set_requires_grad(self, tensor, state, 3));
  } else { /* storage, offset, sizes, strides */
    struct pt_strided strided = {0};
    error = pt_strided_args(self, &strided, state);
    THEN(error, pt_strided_make(self, &data, &strided));
    THEN(error, pickle_refuse(pickle, ctorch_aten_set_data(tensor, data)));
    pt_strided_end(&strided);
  }
  ctorch_tensor_release(data);
  ctorch_tensor_release(tensor);
  return error;
}

/* (function, class, arguments of the function, state): what a subclass of Tensor, or a tensor with attributes, is made
 * of. Of torch.Tensor itself, and parameters, the attributes are left out; an object of another class has the tensor
 * for its argument. */
ctorch_error *pt_call_from_type(
    struct unpickler *pickle, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct pt_file *self = file_of(pickle);
  struct pickle_global function = {.dtype = -1};
  ctorch_value *callee = NULL, *class = NULL, *inner = NULL, *state = NULL, *made = NULL, *only = NULL;
  (void)global;
  ctorch_error *error = pickle_arg(pickle, &callee, args, 0);
  THEN(error, pickle_arg(pickle, &class, args, 1));
  THEN(error, pickle_arg(pickle, &inner, args, 2));
  THEN(error, pickle_arg(pickle, &state, args, 3));
  if (error == NULL && (!pickle_is_class(class) || !pickle_global_of(&self->pickle, &function, callee) ||
                        !function.makes_tensor || function.call == NULL || function.call == pt_call_from_type ||
                        !pickle_is_class(callee) || ctorch_value_kind_of(inner) != CTORCH_VALUE_TUPLE)) {
    error = pickle_error(pickle, "a tensor of a class, made by what makes no tensors");
  } else if (error == NULL) {
    error = function.call(pickle, &made, &function, inner);
  }
  const bool is_tensor = pickle_is(class, "torch", "Tensor") || pickle_is(class, "torch.nn.parameter", "Buffer");
  const bool is_parameter = pickle_is(class, "torch.nn.parameter", "Parameter");
  if (error == NULL && is_parameter && ctorch_value_kind_of(made) == CTORCH_VALUE_TENSOR) {
    ctorch_tensor *tensor = NULL;
    error = ctorch_value_to_tensor(&tensor, made);
    THEN(error, tensor_set_parameter(self->pickle.function, tensor));
    ctorch_tensor_release(tensor);
  } else if (error == NULL && !is_tensor) {
    const ctorch_value *values[] = {made};
    const bool has_state = ctorch_value_kind_of(state) != CTORCH_VALUE_NONE;
    error = ctorch_value_from_tuple(&only, values, 1);
    ctorch_value_release(made);
    made = NULL;
    THEN(
        error, ctorch_value_from_python_object(
                   &made, ctorch_value_python_module(class), ctorch_value_python_name(class), only, NULL,
                   has_state ? state : NULL));
  }
  ctorch_value_release(callee);
  ctorch_value_release(class);
  ctorch_value_release(inner);
  ctorch_value_release(state);
  ctorch_value_release(only);
  if (error != NULL) {
    ctorch_value_release(made);
    return error;
  }
  *out = made;
  return NULL;
}
