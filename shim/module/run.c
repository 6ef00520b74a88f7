/* What a class computes, from values to a value, without what surrounds it. */
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "module/hooks.h"
#include "module/lazy.h"

/* The one tensor that `forward` takes, from a tuple and a dict of values; owned. */
static ctorch_error *only_tensor(
    const char *function, ctorch_tensor **out, const ctorch_value *args, const ctorch_value *kwargs) {
  size_t given = ctorch_value_len(args), named = ctorch_value_len(kwargs);
  ctorch_value *value = NULL;
  if (given > 1) {
    return error_make(function, CTORCH_ERROR_TYPE, "forward() takes 1 positional argument but %zu were given", given);
  }
  if (named > 0) {
    ctorch_value *keys = NULL, *key = NULL;
    const char *name = "";
    CTORCH_TRY(ctorch_value_dict_keys(&keys, kwargs));
    ctorch_error *error = NULL;
    for (size_t i = 0; error == NULL && i < named; i++) {
      error = ctorch_value_get(&key, keys, i);
      THEN(error, ctorch_value_to_string(&name, NULL, key));
      if (error == NULL && strcmp(name, "input") != 0) {
        error = error_make(function, CTORCH_ERROR_TYPE, "forward() got an unexpected keyword argument '%s'", name);
      } else if (error == NULL && given > 0) {
        error = error_make(function, CTORCH_ERROR_TYPE, "forward() got multiple values for argument 'input'");
      }
      ctorch_value_release(key);
      key = NULL;
    }
    ctorch_value_release(keys);
    CTORCH_TRY(error);
    CTORCH_TRY(ctorch_value_dict_at(&value, kwargs, "input"));
  } else if (given == 0) {
    return error_make(function, CTORCH_ERROR_TYPE, "forward() missing 1 required positional argument: 'input'");
  } else {
    CTORCH_TRY(ctorch_value_get(&value, args, 0));
  }
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        function, CTORCH_ERROR_TYPE, "forward(): argument 'input' must be Tensor, not %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  } else {
    error = ctorch_value_to_tensor(out, value);
  }
  ctorch_value_release(value);
  return error;
}

ctorch_error *module_run_class(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  CTORCH_TRY(lazy_begin(function, self, args, kwargs));
  const module_class *type = module_class_of(self);
  if (type->call != NULL) {
    return type->call(self, out, args, kwargs);
  }
  if (type->forward == NULL) {
    return error_make(
        function, CTORCH_ERROR_NOT_IMPLEMENTED, "Module [%s] is missing the required \"forward\" function",
        module_name(self));
  }
  ctorch_tensor *input = NULL, *output = NULL;
  CTORCH_TRY(only_tensor(function, &input, args, kwargs));
  ctorch_error *error = type->forward(self, &output, input);
  ctorch_tensor_release(input);
  if (error == NULL) {
    error = ctorch_value_from_tensor(out, output);
    ctorch_tensor_release(output);
  }
  return error;
}

/* A user's callback in the place of the class's forward. */
static ctorch_error *run_own(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    struct module_own *own,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  ctorch_value *result = NULL, *none = NULL;
  ctorch_error *failure = NULL;
  if (kwargs == NULL) {
    CTORCH_TRY(ctorch_value_from_dict(&none, NULL, 0, NULL, 0));
    kwargs = none;
  }
  object_ref(own); /* it may put another in its place */
  ctorch_callback_status status = own->forward(&result, self, args, kwargs, &failure, own->payload);
  object_unref(own);
  ctorch_value_release(none);
  ctorch_error *error = callback_error(function, "forward", status, failure);
  if (error == NULL && result == NULL) {
    error = error_make(function, CTORCH_ERROR_CALLBACK, "the callback forward answered success, but gave no result");
  }
  if (error != NULL) {
    ctorch_value_release(result);
    return error;
  }
  *out = result;
  return NULL;
}

ctorch_error *module_run(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  struct module_own *own = module_hooks_forward(self->hooks);
  return own != NULL ? run_own(function, out, self, own, args, kwargs)
                     : module_run_class(function, out, self, args, kwargs);
}
