/* Modules as values. */
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "module/module.h"

static ctorch_error *repr(ctorch_string **out, const void *self) { return ctorch_module_repr(out, self); }

static ctorch_error *copy(void **out, const void *self) {
  ctorch_module *made = NULL;
  CTORCH_TRY(ctorch_module_copy(&made, self));
  *out = made;
  return NULL;
}

static const value_held_class module_in_value = {CTORCH_VALUE_MODULE, "torch.nn.Module", repr, copy};

ctorch_error *ctorch_value_from_module(ctorch_value **out, const ctorch_module *module) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || module == NULL) {
    return error_null(__func__, out == NULL ? "out" : "module");
  }
  return value_hold(__func__, out, &module_in_value, module);
}

ctorch_error *ctorch_value_to_module(ctorch_module **out, const ctorch_value *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_module *module = value_held(self, &module_in_value);
  if (module == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "expected Module, found %s", ctorch_value_kind_name(ctorch_value_kind_of(self)));
  }
  return object_give(__func__, out, object_ref(module));
}
