/* Tracing modules of C: <ctorch/jit/jit.h>.
 *
 * A TorchScript module with the same modules, parameters and buffers is made first, without a method. LibTorch then
 * knows each of these tensors by its attribute while the module of C computes with them. */
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "module/walk.h"

/* The name of its class, as an identifier: "Conv2d", for a parametrized one "ParametrizedConv2d". */
static ctorch_error *new_script(ctorch_jit_module **out, const ctorch_module *module) {
  ctorch_error *error = ctorch_jit_module_new(out, module_class_name(module));
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_INVALID_ARGUMENT) {
    ctorch_error_release(error);
    error = ctorch_jit_module_new(out, NULL);
  }
  return error != NULL ? error : ctorch_jit_module_train(*out, module_is_training(module));
}

static ctorch_error *add_tensors(ctorch_jit_module *script, const struct module_tensors *tensors, bool parameters) {
  for (size_t i = 0; i < tensors->len; i++) {
    const ctorch_tensor *tensor = module_held(&tensors->data[i]);
    if (tensor != NULL) {
      CTORCH_TRY(
          parameters ? ctorch_jit_module_register_parameter(script, tensors->data[i].name, tensor)
                     : ctorch_jit_module_register_buffer(script, tensors->data[i].name, tensor));
    }
  }
  return NULL;
}

/* A TorchScript module like one of C, and those inside it. */
static ctorch_error *mirror(const char *function, ctorch_jit_module **out, const ctorch_module *module, int depth) {
  ctorch_jit_module *script = NULL;
  if (depth > 1000) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "modules are nested deeper than 1,000");
  }
  ctorch_error *error = new_script(&script, module);
  THEN(error, add_tensors(script, &module->parameters, true));
  THEN(error, add_tensors(script, &module->buffers, false));
  for (size_t i = 0; error == NULL && i < module->children.len; i++) {
    const struct module_child *child = &module->children.data[i];
    ctorch_jit_module *inner = NULL;
    if (child->module != NULL) {
      error = mirror(function, &inner, child->module, depth + 1);
      THEN(error, ctorch_jit_module_register_module(script, child->name, inner));
      ctorch_jit_module_release(inner);
    }
  }
  if (error != NULL) {
    ctorch_jit_module_release(script);
    return error;
  }
  *out = script;
  return NULL;
}

static ctorch_callback_status call(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  ctorch_value *tuple = NULL;
  (void)results_len;
  *error = ctorch_value_from_tuple(&tuple, args, args_len);
  THEN(*error, ctorch_module_call(results, payload, tuple, NULL));
  ctorch_value_release(tuple);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_error *ctorch_jit_trace_module(
    ctorch_jit_module **out, ctorch_module *module, const ctorch_value *const *inputs, size_t inputs_len) {
  ctorch_jit_module *script = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || module == NULL) {
    return error_null(__func__, out == NULL ? "out" : "module");
  }
  ctorch_error *error = mirror(__func__, &script, module, 0);
  THEN(error, ctorch_jit_module_trace(script, "forward", call, module, inputs, inputs_len));
  if (error != NULL) {
    ctorch_jit_module_release(script);
    return error_of(__func__, error);
  }
  *out = script;
  return NULL;
}

ctorch_error *ctorch_jit_check_trace_module(
    const ctorch_jit_module *self,
    ctorch_module *module,
    const ctorch_value *const *inputs,
    size_t inputs_len,
    double rtol,
    double atol) {
  CTORCH_TRY(error_refusal(__func__));
  if (module == NULL) {
    return error_null(__func__, "module");
  }
  return error_of(__func__, ctorch_jit_check_trace(self, "forward", call, module, inputs, inputs_len, rtol, atol));
}
