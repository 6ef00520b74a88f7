/* The module object: its parameters, and the functions of <ctorch/module.h>. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

void module_finalize(void *object) {
  ctorch_module *self = object;
  for (size_t i = 0; i < self->parameters_len; i++) {
    ctorch_tensor_release(self->parameters[i].tensor);
  }
  free(self->parameters);
}

ctorch_error *module_add_parameter(const char *function, ctorch_module *self, const char *name, ctorch_tensor *tensor) {
  if (tensor == NULL) {
    return NULL;
  }
  size_t len = self->parameters_len + 1;
  struct module_parameter *parameters = realloc(self->parameters, len * sizeof *parameters);
  ctorch_error *error = parameters == NULL ? error_memory(function, len * sizeof *parameters) : NULL;
  if (parameters != NULL) {
    self->parameters = parameters;
    error = ctorch_tensor_set_requires_grad(tensor, true);
  }
  if (error == NULL) {
    error = ctorch_scope_keep(NULL, tensor);
  }
  if (error != NULL) {
    ctorch_tensor_release(tensor);
    return error;
  }
  parameters[self->parameters_len++] = (struct module_parameter){name, tensor};
  return NULL;
}

ctorch_tensor *module_parameter(const ctorch_module *self, const char *name) {
  for (size_t i = 0; i < self->parameters_len; i++) {
    if (strcmp(self->parameters[i].name, name) == 0) {
      return self->parameters[i].tensor;
    }
  }
  return NULL;
}

ctorch_error *module_give(const char *function, ctorch_module **out, ctorch_module *self, ctorch_error *error) {
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

void ctorch_module_retain(const ctorch_module *self) { object_retain(self); }

void ctorch_module_release(ctorch_module *self) { object_release(self); }

ctorch_error *ctorch_module_forward(ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input) {
  ctorch_error *error = error_refusal(__func__);
  if (error != NULL) {
    return error;
  }
  if (out == NULL || self == NULL || input == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "input");
  }
  return ((const module_class *)object_class_of(self))->forward(self, out, input);
}

ctorch_error *ctorch_module_parameters(ctorch_tensor_list **out, const ctorch_module *self, bool recurse) {
  (void)recurse; /* no module has others inside yet */
  ctorch_error *error = error_refusal(__func__);
  if (error != NULL) {
    return error;
  }
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  const ctorch_tensor **tensors = calloc(self->parameters_len + 1, sizeof *tensors);
  if (tensors == NULL) {
    return error_memory(__func__, (self->parameters_len + 1) * sizeof *tensors);
  }
  for (size_t i = 0; i < self->parameters_len; i++) {
    tensors[i] = self->parameters[i].tensor;
  }
  error = ctorch_tensor_list_new(out, tensors, self->parameters_len);
  free(tensors);
  return error;
}
