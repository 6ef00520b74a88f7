/* Calling a package as its Python model is called: by the trees that the compiled code has as JSON. */
#include <stdlib.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "export/package.h"
#include "export/pytree.h"

#if CTORCH_HAS_JANSSON

ctorch_error *package_read_call_spec(const char *function, ctorch_package *self) {
  ctorch_string *arguments = NULL, *results = NULL;
  ctorch_error *error = compiled_model_call_spec(function, &arguments, &results, self->model);
  if (error == NULL) {
    self->arguments = pytree_read(ctorch_string_data(arguments));
    self->results = pytree_read(ctorch_string_data(results));
  }
  ctorch_string_release(arguments);
  ctorch_string_release(results);
  return error;
}

/* The call --------------------------------------------------------------------------------------------------------- */

struct tensors {
  ctorch_tensor **data; /* handles to release */
  size_t len;
};

/* Compiled code is given the tensors alone: what else there was, was compiled into it. */
static ctorch_error *tensors_among(const char *function, struct tensors *out, const struct pytree_leaves *leaves) {
  for (size_t i = 0; i < leaves->len; i++) {
    if (leaves->data[i] != NULL && ctorch_value_kind_of(leaves->data[i]) == CTORCH_VALUE_TENSOR) {
      CTORCH_TRY(array_grow(function, &out->data, out->len, sizeof *out->data));
      CTORCH_TRY(ctorch_value_to_tensor(&out->data[out->len], leaves->data[i]));
      out->len++;
    }
  }
  return NULL;
}

static ctorch_error *values_of(const char *function, struct pytree_leaves *out, const ctorch_tensor_list *tensors) {
  for (size_t i = 0; i < ctorch_tensor_list_len(tensors); i++) {
    CTORCH_TRY(array_grow(function, &out->data, out->len, sizeof *out->data));
    CTORCH_TRY(ctorch_value_from_tensor(&out->data[out->len], ctorch_tensor_list_data(tensors)[i]));
    out->len++;
  }
  return NULL;
}

ctorch_error *ctorch_package_call(
    ctorch_value **out,
    const ctorch_package *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || (args == NULL && args_len > 0)) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "args");
  }
  if (!pytree_is_of_arguments(self->arguments) || self->results == NULL) {
    return error_make(__func__, CTORCH_ERROR_FORMAT, "the package has no call spec that can be read");
  }
  struct pytree_leaves given, made = {0};
  struct tensors tensors = {0};
  ctorch_tensor_list *results = NULL;
  ctorch_error *error = pytree_flatten(__func__, &given, self->arguments, args, args_len, kwargs);
  THEN(error, tensors_among(__func__, &tensors, &given));
  THEN(error, ctorch_package_run(&results, self, (const ctorch_tensor *const *)tensors.data, tensors.len));
  THEN(error, values_of(__func__, &made, results));
  THEN(error, pytree_unflatten(__func__, out, self->results, &made));
  ctorch_tensor_list_release(results);
  for (size_t i = 0; i < tensors.len; i++) {
    ctorch_tensor_release(tensors.data[i]);
  }
  free(tensors.data);
  pytree_end(&made);
  pytree_end(&given);
  return error_of(__func__, error);
}

#else

ctorch_error *package_read_call_spec(const char *function, ctorch_package *self) {
  (void)function, (void)self;
  return NULL;
}

ctorch_error *ctorch_package_call(
    ctorch_value **out,
    const ctorch_package *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  (void)args, (void)args_len, (void)kwargs;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return error_make(
      __func__, CTORCH_ERROR_UNSUPPORTED, "call specs cannot be read by this build, which has no jansson");
}

#endif
