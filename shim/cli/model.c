/* Models that the tool runs. */
#define _POSIX_C_SOURCE 200809L
#include "cli/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"

/* "cuda:1" */
static ctorch_error *read_device(ctorch_device *out, const char *text) {
  enum { MOST_TYPES = 64 };
  const size_t len = strcspn(text, ":");
  char *end = NULL;
  for (ctorch_device_type type = 0; type < MOST_TYPES; type++) {
    const char *name = ctorch_device_type_name(type);
    if (name != NULL && strlen(name) == len && memcmp(name, text, len) == 0) {
      const long index = text[len] == '\0' ? -1 : strtol(text + len + 1, &end, 10);
      if (text[len] == '\0' || (end != text + len + 1 && *end == '\0' && index >= 0 && index < 1 << 15)) {
        *out = (ctorch_device){type, (int32_t)index};
        return NULL;
      }
    }
  }
  return cli_error(
      CTORCH_ERROR_INVALID_ARGUMENT, "--device: expected a device such as cpu or cuda:1, got '%.100s'", text);
}

/* Opening ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *open_package(
    struct cli_model *self, const struct cli_model_options *options, const ctorch_device *device) {
  self->kind = "package";
  return ctorch_package_load(&self->package, options->path, options->name, false, 1, device);
}

/* An exported program becomes a module. */
static ctorch_error *open_program(
    struct cli_model *self, const struct cli_model_options *options, const ctorch_device *device) {
  ctorch_exported_program *program = NULL;
  self->kind = "exported program";
  CTORCH_TRY(ctorch_exported_program_open_file(&program, options->path, options->name));
  ctorch_error *error = ctorch_exported_program_module(&self->module, program);
  ctorch_exported_program_release(program);
  return error == NULL && device != NULL ? ctorch_module_to(self->module, device, NULL, false, NULL) : error;
}

static ctorch_error *open_script(
    struct cli_model *self, const struct cli_model_options *options, const ctorch_device *device) {
  self->kind = "TorchScript";
  CTORCH_TRY(ctorch_jit_load_file(&self->script, options->path, device));
  return ctorch_jit_module_train(self->script, false);
}

static bool is_of_another_format(const ctorch_error *error) {
  return ctorch_error_kind_of(error) == CTORCH_ERROR_FORMAT;
}

/* Whether a file holds packages. What cannot be read as one is none. */
static ctorch_error *has_packages(bool *out, const char *path) {
  ctorch_value *names = NULL;
  ctorch_error *error = ctorch_package_model_names(&names, path);
  *out = ctorch_value_len(names) > 0;
  ctorch_value_release(names);
  if (is_of_another_format(error)) {
    ctorch_error_release(error);
    return NULL;
  }
  return error;
}

/* Whether a file is of TorchScript, though something is wrong with it. */
static bool has_record_of_script(const ctorch_error *error) {
  return strstr(ctorch_error_message(error), "none of torch.jit.save") == NULL;
}

static bool has_weights_alone(const char *path) {
  ctorch_weights *weights = NULL;
  ctorch_error *error = ctorch_weights_open_file(&weights, path, true);
  const bool is_known =
      error == NULL && ctorch_weights_len(weights) > 0 && strcmp(ctorch_weights_format(weights), "pt2") != 0;
  ctorch_error_release(error);
  ctorch_weights_release(weights);
  return is_known;
}

/* What a file is, it says itself: whatever it is called. */
static ctorch_error *open_any(
    struct cli_model *self, const struct cli_model_options *options, const ctorch_device *device) {
  bool is_package = false;
  CTORCH_TRY(has_packages(&is_package, options->path));
  if (is_package) {
    return open_package(self, options, device);
  }
  ctorch_error *error = open_program(self, options, device);
  if (!is_of_another_format(error)) {
    return error;
  }
  ctorch_error *of_script = open_script(self, options, device);
  if (!is_of_another_format(of_script) || has_record_of_script(of_script)) {
    ctorch_error_release(error);
    return of_script;
  }
  ctorch_error_release(of_script);
  if (has_weights_alone(options->path)) {
    ctorch_error_release(error);
    return cli_error(
        CTORCH_ERROR_FORMAT,
        "%.500s: the file has weights, and no model that computes with them: 'ctorch inspect' lists them; "
        "torch.export.save and torch.jit.save write models",
        options->path);
  }
  return error;
}

ctorch_error *cli_model_open(struct cli_model *self, const struct cli_model_options *options) {
  ctorch_device device = {0, -1};
  if (options->threads > 0) {
    CTORCH_TRY(ctorch_threads_set_num((int32_t)options->threads));
  }
  if (options->device != NULL) {
    CTORCH_TRY(read_device(&device, options->device));
  }
  return open_any(self, options, options->device == NULL ? NULL : &device);
}

void cli_model_close(struct cli_model *self) {
  ctorch_package_release(self->package);
  ctorch_module_release(self->module);
  ctorch_jit_module_release(self->script);
}

/* Running ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *flatten_entries(struct cli_tensors *out, const ctorch_value *value);

static ctorch_error *flatten(struct cli_tensors *out, const ctorch_value *value) {
  ctorch_value *values = NULL;
  ctorch_tensor *tensor = NULL;
  ctorch_error *error = NULL;
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_TENSOR:
      CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
      cli_tensors_add(out, tensor);
      return NULL;
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      return flatten_entries(out, value);
    case CTORCH_VALUE_DICT:
      error = ctorch_value_dict_values(&values, value);
      THEN(error, flatten_entries(out, values));
      ctorch_value_release(values);
      return error;
    default:
      return NULL;
  }
}

static ctorch_error *flatten_entries(struct cli_tensors *out, const ctorch_value *value) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(value); i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, value, i);
    THEN(error, flatten(out, entry));
    ctorch_value_release(entry);
  }
  return error;
}

ctorch_error *cli_flatten(ctorch_tensor_list **out, const ctorch_value *value) {
  struct cli_tensors tensors = {NULL, 0};
  ctorch_error *error = flatten(&tensors, value);
  THEN(error, ctorch_tensor_list_new(out, (const ctorch_tensor *const *)tensors.data, tensors.len));
  cli_tensors_free(&tensors);
  return error;
}

/* Nothing is recorded for automatic differentiation, whatever kind of model it is. */
static ctorch_error *call(
    const struct cli_model *self,
    ctorch_value **out,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  if (self->package != NULL) {
    return ctorch_package_call(out, self->package, args, args_len, kwargs);
  }
  if (self->script != NULL) {
    return ctorch_jit_module_call(out, self->script, NULL, args, args_len, kwargs);
  }
  ctorch_value *tuple = NULL;
  CTORCH_TRY(ctorch_value_from_tuple(&tuple, args, args_len));
  ctorch_error *error = ctorch_module_call(out, self->module, tuple, kwargs);
  ctorch_value_release(tuple);
  return error;
}

/* Argument number `index`: of args, or the tensor in its row. */
static ctorch_error *argument_of(ctorch_value **out, const struct cli_inputs *inputs, size_t index) {
  return cli_inputs_has_arguments(inputs) ? ctorch_value_get(out, inputs->args, index)
                                          : ctorch_value_from_tensor(out, inputs->tensors.data[index]);
}

ctorch_error *cli_model_call(const struct cli_model *self, ctorch_value **out, const struct cli_inputs *inputs) {
  const size_t len = cli_inputs_has_arguments(inputs) ? ctorch_value_len(inputs->args) : inputs->tensors.len;
  ctorch_value **args = calloc(len + 1, sizeof *args);
  if (args == NULL) {
    abort();
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = argument_of(&args[i], inputs, i);
  }
  THEN(error, ctorch_inference_mode_push(true));
  if (error == NULL) {
    error = call(self, out, (const ctorch_value *const *)args, len, inputs->kwargs);
    ctorch_error_release(ctorch_inference_mode_pop());
  }
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(args[i]);
  }
  free(args);
  return error;
}

ctorch_error *cli_model_run(const struct cli_model *self, ctorch_tensor_list **out, const struct cli_inputs *inputs) {
  const struct cli_tensors *tensors = &inputs->tensors;
  if (self->package != NULL && !cli_inputs_has_arguments(inputs)) {
    return ctorch_package_run(out, self->package, (const ctorch_tensor *const *)tensors->data, tensors->len);
  }
  ctorch_value *result = NULL;
  CTORCH_TRY(cli_model_call(self, &result, inputs));
  ctorch_error *error = cli_flatten(out, result);
  ctorch_value_release(result);
  return error;
}
