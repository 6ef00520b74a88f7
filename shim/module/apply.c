/* What is done to all that a module holds. */
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "module/lazy.h"
#include "module/module.h"
#include "module/walk.h"

/* All modules inside, each once; an object of C. */
static ctorch_error *all_of(const char *function, ctorch_named_modules **out, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(function));
  return self == NULL ? error_null(function, "self") : module_walk(function, out, self, NULL, true, true);
}

ctorch_error *ctorch_module_train(ctorch_module *self, bool training) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(all_of(__func__, &all, self));
  for (size_t i = 0; i < all->len; i++) {
    ctorch_module *module = all->data[i].module;
    module->is_evaluating = !training;
    if (module_class_of(module)->trained != NULL) {
      module_class_of(module)->trained(module);
    }
  }
  object_unref(all);
  return NULL;
}

/* `each` for every parameter that is there. */
static ctorch_error *for_parameters(
    const char *function, const ctorch_module *self, ctorch_error *(*each)(ctorch_tensor *, void *), void *payload) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(all_of(function, &all, self));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    const struct module_tensors *parameters = &all->data[i].module->parameters;
    for (size_t j = 0; error == NULL && j < parameters->len; j++) {
      if (module_held(&parameters->data[j]) != NULL) {
        error = each(parameters->data[j].tensor, payload);
        if (error != NULL && all->data[i].name[0] != '\0') {
          error = error_at(error, "%s.%s", all->data[i].name, parameters->data[j].name);
        }
      }
    }
  }
  object_unref(all);
  return error;
}

static ctorch_error *require_grad(ctorch_tensor *parameter, void *requires_grad) {
  return ctorch_tensor_set_requires_grad(parameter, *(bool *)requires_grad);
}

ctorch_error *ctorch_module_requires_grad_(ctorch_module *self, bool requires_grad) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(lazy_refuse(__func__, self));
  return for_parameters(__func__, self, require_grad, &requires_grad);
}

static ctorch_error *zero_grad(ctorch_tensor *parameter, void *set_to_none) {
  ctorch_tensor *grad = NULL;
  if (*(bool *)set_to_none) {
    return ctorch_tensor_set_grad(parameter, NULL);
  }
  CTORCH_TRY(ctorch_tensor_grad(&grad, parameter));
  ctorch_error *error = NULL;
  if (grad != NULL) {
    /* As Python: a gradient that is itself part of a graph leaves it. */
    error = ctorch_tensor_is_leaf(grad) ? ctorch_tensor_set_requires_grad(grad, false) : ctorch_aten_detach_(grad);
    THEN(error, ctorch_aten_zero_(grad));
  }
  ctorch_tensor_release(grad);
  return error;
}

ctorch_error *ctorch_module_zero_grad(ctorch_module *self, bool set_to_none) {
  return for_parameters(__func__, self, zero_grad, &set_to_none);
}

ctorch_error *ctorch_module_num_parameters(int64_t *out, const ctorch_module *self, bool trainable) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(lazy_refuse(__func__, self));
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(all_of(__func__, &all, self));
  struct pointer_set seen = {0};
  ctorch_error *error = NULL;
  int64_t sum = 0;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    const struct module_tensors *parameters = &all->data[i].module->parameters;
    for (size_t j = 0; error == NULL && j < parameters->len; j++) {
      const ctorch_tensor *tensor = module_held(&parameters->data[j]);
      if (tensor != NULL && pointer_set_add(&seen, __func__, tensor, &error) &&
          (!trainable || ctorch_tensor_requires_grad(tensor))) {
        sum += ctorch_tensor_numel(tensor);
      }
    }
  }
  pointer_set_free(&seen);
  object_unref(all);
  if (error == NULL) {
    *out = sum;
  }
  return error;
}

ctorch_error *ctorch_module_reset_parameters(ctorch_module *self) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(all_of(__func__, &all, self));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    ctorch_module *module = all->data[i].module;
    if (module_class_of(module)->reset_parameters != NULL) {
      error = module_class_of(module)->reset_parameters(__func__, module);
    }
  }
  object_unref(all);
  return error;
}

static ctorch_error *apply(
    const char *function, ctorch_module *self, ctorch_module_callback callback, void *payload, int depth) {
  struct pointer_set seen = {0};
  ctorch_error *error = NULL;
  object_ref(self); /* the callback may take it out of where it is */
  for (size_t i = 0; error == NULL && i < self->children.len; i++) {
    ctorch_module *child = self->children.data[i].module;
    if (child != NULL && pointer_set_add(&seen, function, child, &error)) {
      error = apply(function, child, callback, payload, depth + 1);
    }
  }
  pointer_set_free(&seen);
  if (error == NULL) {
    ctorch_error *failure = NULL;
    ctorch_callback_status status = callback(self, &failure, payload);
    error = callback_error(function, "callback", status, failure);
  }
  object_unref(self);
  return error;
}

ctorch_error *ctorch_module_apply(ctorch_module *self, ctorch_module_callback callback, void *payload) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(all_of(__func__, &all, self)); /* refuses what is nested too deep */
  object_unref(all);
  return callback == NULL ? error_null(__func__, "callback") : apply(__func__, self, callback, payload, 0);
}

/* Conversion. */

/* What every tensor of a module becomes. */
struct conversion {
  const ctorch_device *device;
  const ctorch_dtype *dtype;
  const ctorch_memory_format *memory_format;
  bool non_blocking, is_empty;
};

static bool is_number_of_fractions(ctorch_dtype dtype) {
  bool is_complex = dtype == CTORCH_DTYPE_COMPLEX32 || dtype == CTORCH_DTYPE_COMPLEX64 ||
                    dtype == CTORCH_DTYPE_COMPLEX128 || dtype == CTORCH_DTYPE_BCOMPLEX32;
  bool is_small = dtype >= CTORCH_DTYPE_FLOAT8_E5M2 && dtype <= CTORCH_DTYPE_FLOAT8_E4M3FNUZ;
  return is_complex || is_small || dtype == CTORCH_DTYPE_FLOAT16 || dtype == CTORCH_DTYPE_FLOAT32 ||
         dtype == CTORCH_DTYPE_FLOAT64 || dtype == CTORCH_DTYPE_BFLOAT16 || dtype == CTORCH_DTYPE_FLOAT8_E8M0FNU ||
         dtype == CTORCH_DTYPE_FLOAT4_E2M1FN_X2;
}

/* The result may be the tensor itself; owned. */
static ctorch_error *convert(const struct conversion *to, ctorch_tensor **out, const ctorch_tensor *tensor) {
  if (to->is_empty) {
    return ctorch_aten_empty_like(out, tensor, NULL, NULL, to->device, NULL, NULL);
  }
  int64_t dims = ctorch_tensor_ndim(tensor);
  return ctorch_tensor_to(
      out, tensor, is_number_of_fractions(ctorch_tensor_dtype(tensor)) ? to->dtype : NULL, to->device, to->non_blocking,
      false, dims == 4 || dims == 5 ? to->memory_format : NULL);
}

/* A parameter keeps its identity where LibTorch can put other data behind it, and so does its gradient. */
static ctorch_error *convert_parameter(const struct conversion *to, struct module_tensor *entry) {
  ctorch_tensor *parameter = entry->tensor, *grad = NULL, *converted = NULL, *converted_grad = NULL;
  bool is_compatible = false, is_grad_compatible = false;
  ctorch_error *error = ctorch_tensor_grad(&grad, parameter);
  THEN(error, convert(to, &converted, parameter));
  if (error == NULL && grad != NULL) {
    error = convert(to, &converted_grad, grad);
  }
  THEN(error, ctorch_aten__has_compatible_shallow_copy_type(&is_compatible, parameter, converted));
  if (error == NULL && grad != NULL) {
    error = ctorch_aten__has_compatible_shallow_copy_type(&is_grad_compatible, grad, converted_grad);
  }
  if (error == NULL && is_compatible) {
    error = ctorch_aten_set_data(parameter, converted);
  } else if (error == NULL) {
    error = ctorch_tensor_set_requires_grad(converted, ctorch_tensor_requires_grad(parameter));
    if (error == NULL) {
      module_replace(entry, converted);
    }
  }
  if (error == NULL && grad != NULL) {
    error = is_grad_compatible && is_compatible ? ctorch_aten_set_data(grad, converted_grad)
                                                : ctorch_tensor_set_grad(entry->tensor, converted_grad);
  }
  ctorch_tensor_release(converted_grad);
  ctorch_tensor_release(converted);
  ctorch_tensor_release(grad);
  return error;
}

static ctorch_error *convert_buffer(const struct conversion *to, struct module_tensor *entry) {
  ctorch_tensor *converted = NULL;
  CTORCH_TRY(convert(to, &converted, entry->tensor));
  module_replace(entry, converted);
  ctorch_tensor_release(converted);
  return NULL;
}

static ctorch_error *convert_all(
    const struct conversion *to,
    const struct named_module *module,
    struct module_tensors *tensors,
    ctorch_error *(*one)(const struct conversion *, struct module_tensor *)) {
  for (size_t i = 0; i < tensors->len; i++) {
    ctorch_error *error = module_held(&tensors->data[i]) == NULL ? NULL : one(to, &tensors->data[i]);
    if (error != NULL) {
      const char *dot = module->name[0] == '\0' ? "" : ".";
      return error_at(error, "%s%s%s", module->name, dot, tensors->data[i].name);
    }
  }
  return NULL;
}

static ctorch_error *convert_modules(
    const char *function, ctorch_module *self, const struct conversion *to, bool recurse) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(module_walk(function, &all, self, NULL, recurse, true));
  ctorch_error *error = ctorch_grad_mode_push(false);
  if (error == NULL) {
    for (size_t i = 0; error == NULL && i < all->len; i++) {
      struct named_module *module = &all->data[i];
      error = convert_all(to, module, &module->module->parameters, convert_parameter);
      THEN(error, convert_all(to, module, &module->module->buffers, convert_buffer));
    }
    error = ctorch_error_first(error, ctorch_grad_mode_pop());
  }
  object_unref(all);
  return error;
}

ctorch_error *ctorch_module_to(
    ctorch_module *self,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool non_blocking,
    const ctorch_memory_format *memory_format) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(error_unless_device(__func__, "device", device));
  CTORCH_TRY(error_unless_dtype(__func__, "dtype", dtype));
  if (dtype != NULL && !is_number_of_fractions(*dtype)) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "a module takes floating point or complex dtypes alone, got %s",
        ctorch_dtype_name(*dtype));
  }
  if (memory_format != NULL && (*memory_format < 0 || *memory_format > CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D)) {
    return error_argument(__func__, "memory_format", "unknown memory format %d", (int)*memory_format);
  }
  const struct conversion to = {device, dtype, memory_format, non_blocking, false};
  return convert_modules(__func__, self, &to, true);
}

ctorch_error *ctorch_module_to_empty(ctorch_module *self, const ctorch_device *device, bool recurse) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || device == NULL) {
    return error_null(__func__, self == NULL ? "self" : "device");
  }
  CTORCH_TRY(error_unless_device(__func__, "device", device));
  const struct conversion to = {.device = device, .is_empty = true};
  return convert_modules(__func__, self, &to, recurse);
}
