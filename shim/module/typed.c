/* Typed forwards by way of values, where a module has hooks. */
#include "module/typed.h"

#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"

/* A lazy class becomes the one that its name ends with, and has its forward. */
static const char *without_lazy(const char *name) { return strncmp(name, "Lazy", 4) == 0 ? name + 4 : name; }

void option_class(ctorch_error **error, const char *function, const ctorch_module *self, const char *name) {
  if (*error != NULL) {
    return;
  }
  if (self == NULL) {
    *error = error_null(function, "self");
  } else if (
      module_class_of(self)->name_of != NULL ||
      strcmp(without_lazy(module_class_of(self)->name), without_lazy(name)) != 0) {
    *error = error_make(function, CTORCH_ERROR_TYPE, "self must be a module %s, not %s", name, module_name(self));
  }
}

/* An argument, which is given up. */
static void give(struct option_results *self, const char *name, ctorch_value *value, ctorch_error *error) {
  self->error = ctorch_error_first(self->error, error);
  if (self->error == NULL && self->kwargs == NULL) {
    self->error = ctorch_value_from_dict(&self->kwargs, NULL, 0, NULL, 0);
  }
  THEN(self->error, ctorch_value_dict_put(self->kwargs, name, value));
  ctorch_value_release(value);
}

void option_give_tensor(struct option_results *self, const char *name, const ctorch_tensor *tensor) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_tensor(&value, tensor);
  give(self, name, value, error);
}

void option_give_tensors(
    struct option_results *self, const char *name, const ctorch_tensor *const *tensors, size_t len, bool or_none) {
  ctorch_value *value = NULL;
  ctorch_error *error = or_none && tensors == NULL && len == 0 ? ctorch_value_from_none(&value)
                                                               : ctorch_value_from_tensors(&value, tensors, len);
  give(self, name, value, error);
}

void option_give_ints(struct option_results *self, const char *name, const int64_t *numbers, size_t len) {
  if (numbers == NULL && len == 0) {
    return; /* the default */
  }
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_ints(&value, numbers, len);
  give(self, name, value, error);
}

void option_give_int(struct option_results *self, const char *name, int64_t number) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_int(&value, number);
  give(self, name, value, error);
}

void option_give_double(struct option_results *self, const char *name, double number) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_double(&value, number);
  give(self, name, value, error);
}

void option_give_bool(struct option_results *self, const char *name, bool truth) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_bool(&value, truth);
  give(self, name, value, error);
}

void option_give_text(struct option_results *self, const char *name, const char *text) {
  if (text != NULL) {
    ctorch_value *value = NULL;
    ctorch_error *error = ctorch_value_from_string(&value, text);
    give(self, name, value, error);
  }
}

void option_give_optional_int(struct option_results *self, const char *name, const int64_t *number) {
  if (number != NULL) {
    option_give_int(self, name, *number);
  }
}

void option_give_optional_double(struct option_results *self, const char *name, const double *number) {
  if (number != NULL) {
    option_give_double(self, name, *number);
  }
}

void option_give_optional_bool(struct option_results *self, const char *name, const bool *truth) {
  if (truth != NULL) {
    option_give_bool(self, name, *truth);
  }
}

void option_results_call(struct option_results *self, ctorch_module *module) {
  THEN(self->error, ctorch_module_call(&self->result, module, NULL, self->kwargs));
}

/* A result, owned. */
static ctorch_value *result_at(struct option_results *self, int at, int inner) {
  ctorch_value *value = NULL, *deeper = NULL;
  if (self->error != NULL) {
    return NULL;
  }
  if (at < 0) {
    ctorch_value_retain(self->result);
    return self->result;
  }
  self->error = ctorch_value_get(&value, self->result, (size_t)at);
  if (self->error == NULL && inner >= 0) {
    self->error = ctorch_value_get(&deeper, value, (size_t)inner);
    ctorch_value_release(value);
    value = deeper;
  }
  return value;
}

void option_take_tensor(struct option_results *self, ctorch_tensor **out, int at, int inner) {
  ctorch_value *value = result_at(self, at, inner);
  if (self->error == NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_NONE) {
    self->error = ctorch_value_to_tensor(out, value);
  }
  ctorch_value_release(value);
}

void option_take_tensors(struct option_results *self, ctorch_tensor_list **out, int at, int inner) {
  ctorch_value *value = result_at(self, at, inner);
  THEN(self->error, ctorch_value_to_tensors(out, value));
  ctorch_value_release(value);
}

ctorch_error *option_results_end(struct option_results *self) {
  ctorch_value_release(self->kwargs);
  ctorch_value_release(self->result);
  return self->error;
}
