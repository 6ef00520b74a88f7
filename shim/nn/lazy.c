/* Parameters whose sizes the first input tells. */
#include "lazy.h"

#include "error.h"
#include "layer.h"

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

bool lazy_is_any(const ctorch_module *self) {
  bool found = false;
  for (size_t i = 0; i < self->parameters.len; i++) {
    found = found || self->parameters.data[i].is_lazy;
  }
  return found;
}

ctorch_error *lazy_check(const char *function, const ctorch_module *self) {
  for (size_t i = 0; i < self->parameters.len; i++) {
    const struct module_tensor *entry = &self->parameters.data[i];
    if (entry->tensor != NULL && !entry->is_lazy) {
      return error_make(
          function, CTORCH_ERROR_RUNTIME, "module %s has not been fully initialized: '%s' has values, others have none",
          module_name(self), entry->name);
    }
  }
  return NULL;
}

static ctorch_error *materialize(const char *function, struct module_tensor *entry, const int64_t *shape, size_t ndim) {
  ctorch_tensor *sized = NULL;
  CTORCH_TRY(layer_sizes(function, entry->name, shape, ndim));
  CTORCH_TRY(ctorch_aten_new_empty(&sized, entry->tensor, shape, ndim, NULL, NULL, NULL, NULL));
  ctorch_error *error = ctorch_aten_set_data(entry->tensor, sized);
  ctorch_tensor_release(sized);
  entry->is_lazy = error != NULL;
  return error;
}

ctorch_error *lazy_materialize(
    const char *function, struct module_tensors *tensors, size_t index, const int64_t *shape, size_t ndim) {
  bool is_wanted = index < tensors->len && tensors->data[index].is_lazy;
  return is_wanted ? materialize(function, &tensors->data[index], shape, ndim) : NULL;
}

/* An entry takes its sizes from the state dict, if that has a tensor with any. */
static ctorch_error *load_sizes(struct module_tensor *entry, const struct module_loading *loading, const char *name) {
  ctorch_value *key = NULL, *value = NULL;
  ctorch_tensor *tensor = NULL;
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
  bool is_empty = tensor != NULL && ctorch_tensor_ndim(tensor) == 1 && ctorch_tensor_numel(tensor) == 0;
  if (error == NULL && tensor != NULL && !is_empty) { /* an empty one was saved without sizes */
    const int64_t *sizes = ctorch_tensor_sizes(tensor);
    if (sizes != NULL) {
      error = materialize(loading->function, entry, sizes, (size_t)ctorch_tensor_ndim(tensor));
    }
  }
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *lazy_loading(ctorch_module *self, struct module_loading *loading) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->parameters.len; i++) {
    struct module_tensor *entry = &self->parameters.data[i];
    if (entry->is_lazy) {
      struct text key = {.function = loading->function};
      text_add(&key, "%s%s", loading->prefix, entry->name);
      error = key.error == NULL ? load_sizes(entry, loading, text_data(&key)) : NULL;
      error = ctorch_error_first(error, text_end(&key));
    }
  }
  return error;
}
