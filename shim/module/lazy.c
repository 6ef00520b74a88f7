/* Parameters and buffers whose sizes the first input tells. */
#include "module/lazy.h"

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/walk.h"

ctorch_error *lazy_parameter(
    const char *function,
    ctorch_module *self,
    const char *name,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool is_there) {
  const struct layer_tensor how = {(const int64_t[]){0}, 1, device, dtype};
  CTORCH_TRY(layer_parameter(function, self, name, &how, is_there));
  module_find_tensor(&self->parameters, name)->is_lazy = is_there;
  return NULL;
}

ctorch_error *lazy_buffer(
    const char *function,
    ctorch_module *self,
    const char *name,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool is_there) {
  ctorch_tensor *tensor = NULL;
  if (is_there) {
    CTORCH_TRY(ctorch_aten_empty_memory_format(&tensor, (const int64_t[]){0}, 1, dtype, NULL, device, NULL, NULL));
  }
  CTORCH_TRY(module_add_buffer(function, self, name, tensor, true));
  module_find_tensor(&self->buffers, name)->is_lazy = is_there;
  return NULL;
}

/* A caller may have put another tensor in its place, which has sizes. */
static bool is_empty(const ctorch_tensor *tensor) {
  return tensor != NULL && ctorch_tensor_ndim(tensor) == 1 && ctorch_tensor_numel(tensor) == 0;
}

bool lazy_is(const struct module_tensor *entry) { return entry->is_lazy && is_empty(entry->tensor); }

static const struct module_tensor *lazy_of(const struct module_tensors *tensors) {
  for (size_t i = 0; i < tensors->len; i++) {
    if (lazy_is(&tensors->data[i])) {
      return &tensors->data[i];
    }
  }
  return NULL;
}

bool lazy_is_any(const ctorch_module *self) {
  return lazy_of(&self->parameters) != NULL || lazy_of(&self->buffers) != NULL;
}

bool ctorch_module_has_uninitialized_params(const ctorch_module *self) { return self != NULL && lazy_is_any(self); }

ctorch_error *lazy_refuse(const char *function, const ctorch_module *self) {
  ctorch_named_modules *all = NULL;
  if (self == NULL) {
    return NULL;
  }
  CTORCH_TRY(module_walk(function, &all, self, NULL, true, true));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    const struct module_tensor *entry = lazy_of(&all->data[i].module->parameters);
    if (entry != NULL) {
      error = error_make(
          function, CTORCH_ERROR_VALUE,
          "Attempted to use an uninitialized parameter, '%s%s%s'. Call forward with a dummy batch first",
          all->data[i].name, all->data[i].name[0] == '\0' ? "" : ".", entry->name);
    }
  }
  object_unref(all);
  return error;
}

/* Sizes. */

/* A tensor of the same type and device, in *out. */
static ctorch_error *sized(
    const char *function, ctorch_tensor **out, const struct module_tensor *entry, const int64_t *shape, size_t ndim) {
  CTORCH_TRY(layer_sizes(function, entry->name, shape, ndim));
  return ctorch_aten_new_empty(out, entry->tensor, shape, ndim, NULL, NULL, NULL, NULL);
}

static ctorch_error *take(struct module_tensor *entry, const ctorch_tensor *tensor) {
  CTORCH_TRY(ctorch_aten_set_data(entry->tensor, tensor));
  entry->is_lazy = false;
  return NULL;
}

/* The entry that a size is for; NULL where there is none. */
static struct module_tensor *entry_of(ctorch_module *self, const struct lazy_size *size) {
  struct module_tensors *tensors = size->is_buffer ? &self->buffers : &self->parameters;
  bool is_there = size->index < tensors->len && tensors->data[size->index].tensor != NULL;
  return is_there ? &tensors->data[size->index] : NULL;
}

enum { MOST = 4 };

ctorch_error *lazy_materialize(const char *function, ctorch_module *self, const struct lazy_size *sizes, size_t len) {
  ctorch_tensor *made[MOST] = {NULL};
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    const struct module_tensor *entry = entry_of(self, &sizes[i]);
    if (entry != NULL && !lazy_is(entry)) {
      error = error_make(
          function, CTORCH_ERROR_RUNTIME, "module %s has not been fully initialized: '%s' has values, others have none",
          module_name(self), entry->name);
    } else if (entry != NULL) {
      error = sized(function, &made[i], entry, sizes[i].shape, sizes[i].ndim);
    }
  }
  for (size_t i = 0; i < len; i++) {
    if (error == NULL && made[i] != NULL) {
      error = take(entry_of(self, &sizes[i]), made[i]);
    }
    ctorch_tensor_release(made[i]);
  }
  return error;
}

/* The first call. */

ctorch_error *lazy_begin_with(const char *function, ctorch_module *self, const ctorch_tensor *input) {
  const module_class *type = module_class_of(self);
  if (type->infer == NULL) {
    return NULL;
  }
  CTORCH_TRY(type->infer(function, self, input));
  object_become(self, &type->becomes->object);
  return NULL;
}

ctorch_error *lazy_begin(
    const char *function, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs) {
  ctorch_value *value = NULL;
  ctorch_tensor *input = NULL;
  if (module_class_of(self)->infer == NULL) {
    return NULL;
  }
  ctorch_error *error = NULL;
  if (ctorch_value_len(args) > 0) {
    error = ctorch_value_get(&value, args, 0);
  } else if (ctorch_value_len(kwargs) > 0) {
    ctorch_error_release(ctorch_value_dict_at(&value, kwargs, "input")); /* it is missing */
  }
  if (error == NULL && value == NULL) {
    error = error_make(function, CTORCH_ERROR_TYPE, "forward() missing 1 required positional argument: 'input'");
  } else if (error == NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        function, CTORCH_ERROR_TYPE, "forward(): argument 'input' must be Tensor, not %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  THEN(error, ctorch_value_to_tensor(&input, value));
  THEN(error, lazy_begin_with(function, self, input));
  ctorch_tensor_release(input);
  ctorch_value_release(value);
  return error;
}

/* Loading. */

/* An entry takes its sizes from the state dict, if that has a tensor with any. */
static ctorch_error *load_sizes(struct module_tensor *entry, const struct module_loading *loading, const char *name) {
  ctorch_value *key = NULL, *value = NULL;
  ctorch_tensor *tensor = NULL, *made = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, loading->state_dict, key);
  if (error == NULL && is_there) {
    error = ctorch_value_dict_get(&value, loading->state_dict, key);
  }
  ctorch_value_release(key);
  if (error == NULL && is_there && ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR) {
    error = ctorch_value_to_tensor(&tensor, value);
  }
  ctorch_value_release(value);
  const int64_t *sizes = tensor == NULL || is_empty(tensor) ? NULL : ctorch_tensor_sizes(tensor);
  if (error == NULL && sizes != NULL) { /* an empty one was saved without sizes, a nested one has none */
    error = sized(loading->function, &made, entry, sizes, (size_t)ctorch_tensor_ndim(tensor));
    THEN(error, take(entry, made));
  }
  ctorch_tensor_release(made);
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *load_all(struct module_tensors *tensors, const struct module_loading *loading) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < tensors->len; i++) {
    if (lazy_is(&tensors->data[i])) {
      struct text key = {.function = loading->function};
      text_add(&key, "%s%s", loading->prefix, tensors->data[i].name);
      error = key.error == NULL ? load_sizes(&tensors->data[i], loading, text_data(&key)) : NULL;
      error = ctorch_error_first(error, text_end(&key));
    }
  }
  return error;
}

ctorch_error *lazy_loading(ctorch_module *self, struct module_loading *loading) {
  CTORCH_TRY(load_all(&self->parameters, loading));
  return load_all(&self->buffers, loading);
}
