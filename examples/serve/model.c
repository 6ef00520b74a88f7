#include "model.h"

#include <string.h>

/* Whether a file holds compiled code; also where that cannot be told, so that loading says why. */
static bool is_compiled(const char *path) {
  ctorch_value *names = NULL;
  ctorch_error *error = ctorch_package_model_names(&names, path);
  const bool is = error != NULL || ctorch_value_len(names) > 0;
  ctorch_error_release(error);
  ctorch_value_release(names);
  return is;
}

static const model_kind *kind_of(const char *path) {
  const char *ending = strrchr(path, '.');
  if (ending != NULL && strcmp(ending, ".json") == 0) {
    return &model_module;
  }
  if (ending != NULL && strcmp(ending, ".pt2") == 0) {
    return is_compiled(path) ? &model_package : &model_exported;
  }
  return &model_jit;
}

bool model_form_of(array_form *out, const ctorch_tensor *tensor) {
  const int64_t ndim = ctorch_tensor_ndim(tensor);
  if (ndim > ARRAY_MAX_DIMS || ctorch_tensor_sizes(tensor) == NULL) {
    return false;
  }
  *out = (array_form){.dtype = ctorch_tensor_dtype(tensor), .ndim = (size_t)ndim};
  memcpy(out->sizes, ctorch_tensor_sizes(tensor), (size_t)ndim * sizeof *out->sizes);
  return true;
}

ctorch_error *model_run(ctorch_tensor_list **out, const model *self, const ctorch_tensor *batch) {
  ctorch_tensor_list *given;
  ctorch_tensor *outputs[MODEL_MAX_OUTPUTS];
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  CTORCH_TRY(self->kind->run(&given, self->state, batch));
  const size_t len = ctorch_tensor_list_len(given);
  if (len > MODEL_MAX_OUTPUTS) {
    return ctorch_error_format(CTORCH_ERROR_UNSUPPORTED, "a model of more than %d outputs", MODEL_MAX_OUTPUTS);
  }
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(ctorch_tensor_to(&outputs[i], ctorch_tensor_list_data(given)[i], NULL, &cpu, false, false, NULL));
    CTORCH_TRY(ctorch_aten_contiguous(&outputs[i], outputs[i], CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  }
  return ctorch_tensor_list_new(out, (const ctorch_tensor *const *)outputs, len);
}

/* The first run also makes whatever a model makes once. */
static ctorch_error *learn_outputs(model *self) {
  array_form one = self->input;
  ctorch_tensor *batch;
  ctorch_tensor_list *outputs;
  size_t nbytes;
  one.sizes[0] = 1;
  if (!array_form_nbytes(&nbytes, &one)) {
    return NULL;
  }
  CTORCH_TRY(ctorch_inference_mode_push(true)); /* until the scope ends */
  CTORCH_TRY(ctorch_aten_zeros(&batch, one.sizes, one.ndim, &one.dtype, NULL, NULL, NULL));
  CTORCH_TRY(model_run(&outputs, self, batch));
  self->outputs_len = ctorch_tensor_list_len(outputs);
  for (size_t i = 0; i < self->outputs_len; i++) {
    if (!model_form_of(&self->outputs[i], ctorch_tensor_list_data(outputs)[i]) ||
        array_datatype(self->outputs[i].dtype) == NULL) {
      return ctorch_error_format(CTORCH_ERROR_UNSUPPORTED, "the protocol has no name for the type of output %zu", i);
    }
    if (self->outputs[i].ndim > 0 && self->outputs[i].sizes[0] == 1) {
      self->outputs[i].sizes[0] = -1;
    }
  }
  return NULL;
}

ctorch_error *model_open(
    model *out, const char *name, const char *path, const char *weights, const array_form *input, int32_t workers) {
  ctorch_scope *scope = NULL;
  *out = (model){.name = name, .kind = kind_of(path), .input = *input};
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = out->kind->load(&out->state, path, weights, workers);
  error = error != NULL ? error : learn_outputs(out);
  ctorch_scope_end(scope);
  return error;
}

void model_close(model *self) {
  if (self->state != NULL) {
    self->kind->release(self->state);
    self->state = NULL;
  }
}
