/* What families of layers share. */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

#include "constructors/init.h"
#include "error.h"
#include "init.h"

ctorch_error *layer_parameter(
    const char *function, ctorch_module *self, const char *name, const struct layer_tensor *how, bool is_there) {
  ctorch_tensor *tensor = NULL;
  if (is_there) {
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

void steps_take(struct steps *self, ctorch_error *error) {
  self->error = error;
  if (error == NULL) {
    ctorch_tensor_release(self->at);
    self->at = self->next;
  }
  self->next = NULL;
}

ctorch_error *steps_end(struct steps *self, ctorch_tensor **out) {
  if (self->error != NULL) {
    ctorch_tensor_release(self->at);
    return self->error;
  }
  *out = self->at;
  return NULL;
}
