/* Parameters as one vector: torch.nn.utils.convert_parameters. */
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/utils.h"
#include "core/c/error.h"

/* Python counts all devices but CUDA's and those of other backends as one. */
static ctorch_error *check_devices(const char *function, const ctorch_tensor *const *parameters, size_t len) {
  ctorch_device first = {0}, device = {0};
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(ctorch_tensor_device(&device, parameters[i]));
    if (device.type != CTORCH_DEVICE_TYPE_CUDA && device.type != CTORCH_DEVICE_TYPE_PRIVATEUSE1) {
      device = (ctorch_device){CTORCH_DEVICE_TYPE_CPU, -1};
    }
    if (i == 0) {
      first = device;
    }
    if (device.type != first.type || device.index != first.index) {
      return error_make(function, CTORCH_ERROR_TYPE, "parameters: [%zu] is on another device than [0]", i);
    }
  }
  return NULL;
}

ctorch_error *utils_parameters_to_vector(
    const char *function, ctorch_tensor **out, const struct utils_parameters_to_vector_options *options) {
  size_t len = options->parameters_len, views_len = 0;
  CTORCH_TRY(check_devices(function, options->parameters, len));
  ctorch_tensor **views = calloc(len + 1, sizeof *views);
  if (views == NULL) {
    return error_memory(function, (len + 1) * sizeof *views);
  }
  ctorch_error *error = NULL;
  while (error == NULL && views_len < len) {
    error = ctorch_aten_view(&views[views_len], options->parameters[views_len], (int64_t[]){-1}, 1);
    views_len += error == NULL;
  }
  THEN(error, ctorch_aten_cat(out, ctorch_const_tensors(views), len, 0));
  for (size_t i = 0; i < views_len; i++) {
    ctorch_tensor_release(views[i]);
  }
  free(views);
  return error;
}

/* Make a parameter a view of `vec` from element `begin` on. */
static ctorch_error *set_part(ctorch_tensor *parameter, const ctorch_tensor *vec, int64_t begin) {
  ctorch_tensor *part = NULL, *shaped = NULL, *data = NULL;
  int64_t end = begin + ctorch_tensor_numel(parameter);
  ctorch_error *error = ctorch_aten_slice_Tensor(&part, vec, 0, &begin, &end, 1);
  THEN(error, ctorch_aten_view_as(&shaped, part, parameter));
  THEN(error, ctorch_aten_detach(&data, shaped));
  THEN(error, ctorch_aten_set_data(parameter, data));
  ctorch_tensor_release(part);
  ctorch_tensor_release(shaped);
  ctorch_tensor_release(data);
  return error;
}

ctorch_error *utils_vector_to_parameters(
    const char *function, const struct utils_vector_to_parameters_options *options) {
  int64_t begin = 0;
  CTORCH_TRY(check_devices(function, ctorch_const_tensors(options->parameters), options->parameters_len));
  for (size_t i = 0; i < options->parameters_len; i++) {
    CTORCH_TRY(set_part(options->parameters[i], options->vec, begin));
    begin += ctorch_tensor_numel(options->parameters[i]);
  }
  return NULL;
}
