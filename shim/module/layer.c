/* What families of layers share. */
#include "module/layer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/sequence.h"
#include "constructors/init.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/init.h"

ctorch_error *layer_sizes(const char *function, const char *name, const int64_t *shape, size_t ndim) {
  for (size_t i = 0; i < ndim; i++) {
    if (shape[i] < 0) {
      return error_make(
          function, CTORCH_ERROR_RUNTIME, "Trying to create tensor with negative dimension %" PRId64 ": %s", shape[i],
          name);
    }
  }
  return NULL;
}

ctorch_error *layer_parameter(
    const char *function, ctorch_module *self, const char *name, const struct layer_tensor *how, bool is_there) {
  ctorch_tensor *tensor = NULL;
  if (is_there) {
    CTORCH_TRY(layer_sizes(function, name, how->shape, how->ndim));
    CTORCH_TRY(
        ctorch_aten_empty_memory_format(&tensor, how->shape, how->ndim, how->dtype, NULL, how->device, NULL, NULL));
  }
  return module_add_parameter(function, self, name, tensor);
}

ctorch_error *layer_zeros(const char *function, ctorch_tensor *tensor) {
  return tensor == NULL ? NULL : init_zeros_(function, &(struct init_zeros__options){.tensor = tensor});
}

ctorch_error *layer_ones(const char *function, ctorch_tensor *tensor) {
  return tensor == NULL ? NULL : init_ones_(function, &(struct init_ones__options){.tensor = tensor});
}

bool layer_has_shape_of(const ctorch_tensor *one, const ctorch_tensor *other) {
  int64_t dims = ctorch_tensor_ndim(one);
  const int64_t *sizes = ctorch_tensor_sizes(one), *others = ctorch_tensor_sizes(other);
  return dims == ctorch_tensor_ndim(other) && sizes != NULL && others != NULL &&
         (dims == 0 || memcmp(sizes, others, (size_t)dims * sizeof *sizes) == 0);
}

ctorch_error *layer_needs(const char *function, const ctorch_tensor *tensor, const char *name) {
  return tensor != NULL ? NULL : error_make(function, CTORCH_ERROR_RUNTIME, "the module has no %s", name);
}

ctorch_error *layer_uniform(ctorch_tensor *tensor, double bound) {
  return tensor == NULL ? NULL : init_uniform(tensor, bound, NULL);
}

ctorch_error *layer_copy_ints(const char *function, int64_t **out, const int64_t *values, size_t len) {
  *out = malloc((len + 1) * sizeof **out);
  if (*out == NULL) {
    return error_memory(function, (len + 1) * sizeof **out);
  }
  if (len > 0) {
    memcpy(*out, values, len * sizeof *values);
  }
  return NULL;
}

ctorch_error *layer_itself(ctorch_tensor **out, const ctorch_tensor *self, ctorch_error *error) {
  return error != NULL ? error : tensor_give(FORWARD, out, self);
}

ctorch_error *layer_input(
    const char *function, ctorch_tensor **out, const ctorch_value *args, const ctorch_value *kwargs) {
  static const struct option_parameter parameters[] = {{"input", true, false}};
  ctorch_value *values[1] = {NULL};
  struct option_values given = {
      .function = function, .called = "forward", .parameters = parameters, .len = 1, .values = values};
  option_bind(&given, args, kwargs);
  const ctorch_tensor *input = option_read_tensor(&given, 0);
  THEN(given.error, tensor_give(function, out, input));
  return option_end(&given);
}

ctorch_error *layer_tuple(ctorch_value **out, const ctorch_tensor *const *tensors, size_t len) {
  ctorch_value *values[LAYER_TUPLE] = {NULL};
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = ctorch_value_from_tensor(&values[i], tensors[i]);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)values, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(values[i]);
  }
  return error;
}
