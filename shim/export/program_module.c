/* Exported programs as modules: ctorch_exported_program_module. The module holds the program's tensors under their
 * names, as any module does; its forward runs the graph on them and on what it is given. */
#include "export/program_module.h"

#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "ctorch/export/exported_program.h"
#include "export/pytree.h"
#include "io/reader.h"

#if CTORCH_HAS_JANSSON

static void finalize(void *object) {
  struct exported_model *self = object;
  graph_free(self->graph);
  json_decref(self->arguments);
  json_decref(self->results);
  free(self->inputs);
  free(self->outputs);
  object_unref(self->program);
}

static const object_class model_class = {"exported_model", sizeof(struct exported_model), finalize};

/* Calls ------------------------------------------------------------------------------------------------------------ */

static const char FUNCTION[] = "ctorch_module_call";

static ctorch_error *own_tensor(ctorch_value **out, const ctorch_module *module, const struct exported_input *input) {
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(
      input->kind == INPUT_PARAMETER ? ctorch_module_get_parameter(&tensor, module, input->target)
                                     : ctorch_module_get_buffer(&tensor, module, input->target));
  ctorch_error *error = ctorch_value_from_tensor(out, tensor);
  ctorch_tensor_release(tensor);
  return error;
}

/* What the graph is given: handles to release. The module's tensors, and leaves of the caller's in their order. */
static ctorch_error *inputs_of(
    ctorch_value **out,
    const struct exported_model *self,
    const ctorch_module *module,
    const struct pytree_leaves *leaves) {
  size_t next = 0;
  for (size_t i = 0; i < self->inputs_len; i++) {
    if (self->inputs[i].kind != INPUT_USER) {
      CTORCH_TRY(own_tensor(&out[i], module, &self->inputs[i]));
    } else if (next < leaves->len && leaves->data[next] != NULL) {
      ctorch_value_retain(leaves->data[next]);
      out[i] = leaves->data[next++];
    } else {
      CTORCH_TRY(ctorch_value_from_none(&out[i]));
      next++;
    }
  }
  return next == leaves->len
             ? NULL
             : error_make(FUNCTION, CTORCH_ERROR_FORMAT, "the signature takes other arguments than its call does");
}

/* Copy what the graph gives for a tensor that the model writes. */
static ctorch_error *write_back(const ctorch_value *place, const ctorch_value *value) {
  ctorch_tensor *to = NULL, *from = NULL;
  ctorch_error *error = ctorch_value_to_tensor(&to, place);
  THEN(error, ctorch_value_to_tensor(&from, value));
  THEN(error, ctorch_grad_mode_push(false));
  if (error == NULL) {
    error = ctorch_aten_copy_(to, from, false);
    ctorch_error_release(ctorch_grad_mode_pop());
  }
  ctorch_tensor_release(to);
  ctorch_tensor_release(from);
  return error;
}

/* Leaves of the result, which are moved out of the graph's outputs. */
static ctorch_error *results_of(
    struct pytree_leaves *out, const struct exported_model *self, ctorch_value *const *inputs, ctorch_value **outputs) {
  out->data = calloc(self->outputs_len + 1, sizeof *out->data);
  if (out->data == NULL) {
    return error_memory(FUNCTION, (self->outputs_len + 1) * sizeof *out->data);
  }
  for (size_t i = 0; i < self->outputs_len; i++) {
    if (self->outputs[i].kind == OUTPUT_WRITTEN) {
      CTORCH_TRY(write_back(inputs[self->outputs[i].written], outputs[i]));
    } else {
      out->data[out->len++] = outputs[i];
      outputs[i] = NULL;
    }
  }
  return NULL;
}

static ctorch_error *run(
    ctorch_value **out, const struct exported_model *self, ctorch_value *const *inputs, ctorch_value **outputs) {
  const ctorch_value *const *given = (const ctorch_value *const *)inputs;
  struct pytree_leaves results = {0};
  CTORCH_TRY(exported_model_check(FUNCTION, self, given));
  CTORCH_TRY(graph_run(FUNCTION, outputs, self->graph, given, self->inputs_len));
  ctorch_error *error = results_of(&results, self, inputs, outputs);
  THEN(error, pytree_unflatten(FUNCTION, out, self->results, &results));
  pytree_end(&results);
  return error;
}

static ctorch_error *call_with(
    ctorch_value **out,
    const struct exported_model *self,
    const ctorch_module *module,
    const struct pytree_leaves *leaves) {
  ctorch_value **values = calloc(self->inputs_len + self->outputs_len + 1, sizeof *values);
  if (values == NULL) {
    return error_memory(FUNCTION, (self->inputs_len + self->outputs_len + 1) * sizeof *values);
  }
  ctorch_error *error = inputs_of(values, self, module, leaves);
  THEN(error, run(out, self, values, values + self->inputs_len));
  for (size_t i = 0; i < self->inputs_len + self->outputs_len; i++) {
    ctorch_value_release(values[i]);
  }
  free(values);
  return error;
}

static ctorch_error *call(
    ctorch_value **out,
    const struct exported_model *self,
    const ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  size_t len = ctorch_value_len(args), got = 0;
  struct pytree_leaves leaves = {0};
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  ctorch_error *error = entries == NULL ? error_memory(FUNCTION, (len + 1) * sizeof *entries) : NULL;
  while (error == NULL && got < len) {
    error = ctorch_value_get(&entries[got], args, got);
    got += error == NULL ? 1 : 0;
  }
  THEN(
      error, pytree_flatten(
                 FUNCTION, &leaves, self->arguments, (const ctorch_value *const *)entries, len,
                 ctorch_value_len(kwargs) == 0 ? NULL : kwargs));
  THEN(error, call_with(out, self, module, &leaves));
  pytree_end(&leaves);
  while (got > 0) {
    ctorch_value_release(entries[--got]);
  }
  free(entries);
  return error;
}

static ctorch_callback_status forward(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  *error = call(out, payload, module, args, kwargs);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* Modules ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *new_module(ctorch_module **out, struct exported_model *model);

static ctorch_callback_status copy(ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)module;
  *error = new_module(out, payload);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* One without tensors, which refers to the model. */
static ctorch_error *new_module(ctorch_module **out, struct exported_model *model) {
  ctorch_module *module = NULL;
  ctorch_error *error =
      ctorch_module_new_of_values(&module, "ExportedProgram", forward, object_unref, object_ref(model));
  if (error != NULL) {
    object_unref(model);
    return error;
  }
  error = ctorch_module_set_copy(module, copy, object_unref, object_ref(model));
  if (error != NULL) {
    object_unref(model);
    ctorch_module_release(module);
    return error;
  }
  *out = module;
  return NULL;
}

/* The module inside of a name, made if it is not there. */
static ctorch_error *child_of(ctorch_module **out, ctorch_module *module, const char *name) {
  if (ctorch_module_member_kind_of(module, name) == CTORCH_MODULE_MEMBER_MODULE) {
    return ctorch_module_get_submodule(out, module, name);
  }
  ctorch_module *made = NULL;
  CTORCH_TRY(ctorch_module_new_of_values(&made, "Module", NULL, NULL, NULL));
  ctorch_error *error = ctorch_module_register_module(module, name, made);
  if (error != NULL) {
    ctorch_module_release(made);
    return error;
  }
  *out = made;
  return NULL;
}

static ctorch_error *put(
    ctorch_module *module, const char *name, const struct exported_input *input, ctorch_tensor *tensor) {
  if (ctorch_module_member_kind_of(module, name) != CTORCH_MODULE_MEMBER_NOTHING) {
    return NULL; /* it is an input twice */
  }
  return input->kind == INPUT_PARAMETER ? ctorch_module_register_parameter(module, name, tensor)
                                        : ctorch_module_register_buffer(module, name, tensor, input->persistent);
}

/* Put a tensor at its place, "features.0.weight". */
static ctorch_error *place(ctorch_module *module, const struct exported_input *input, ctorch_tensor *tensor) {
  const size_t nbytes = strlen(input->target) + 1;
  char *path = malloc(nbytes);
  if (path == NULL) {
    return error_memory(FUNCTION, nbytes);
  }
  memcpy(path, input->target, nbytes);
  char *name = path;
  ctorch_error *error = NULL;
  ctorch_module_retain(module);
  for (char *dot; error == NULL && (dot = strchr(name, '.')) != NULL; name = dot + 1) {
    ctorch_module *child = NULL;
    *dot = '\0';
    error = child_of(&child, module, name);
    if (error == NULL) {
      ctorch_module_release(module);
      module = child;
    }
  }
  THEN(error, put(module, name, input, tensor));
  ctorch_module_release(module);
  free(path);
  return error;
}

/* Where the graph has it, which is not the CPU for what was exported elsewhere. */
static ctorch_error *move(ctorch_tensor **tensor, const json_t *meta) {
  ctorch_device device = {0};
  ctorch_tensor *moved = NULL;
  if (!graph_device(&device, json_object_get(meta, "device")) || device.type == CTORCH_DEVICE_TYPE_CPU) {
    return NULL;
  }
  CTORCH_TRY(ctorch_aten_to_device(&moved, *tensor, &device, ctorch_tensor_dtype(*tensor), false, false, NULL));
  ctorch_tensor_release(*tensor);
  *tensor = moved;
  return NULL;
}

/* Among the state dict and the constants. */
static ctorch_error *find(ctorch_tensor **out, const ctorch_value *const tensors[2], const char *name) {
  ctorch_value *key = NULL;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && *out == NULL && i < 2; i++) {
    bool is_there = false;
    ctorch_value *found = NULL;
    error = ctorch_value_dict_contains(&is_there, tensors[i], key);
    if (is_there) {
      THEN(error, ctorch_value_dict_get(&found, tensors[i], key));
      THEN(error, ctorch_value_to_tensor(out, found));
    }
    ctorch_value_release(found);
  }
  ctorch_value_release(key);
  return error != NULL || *out != NULL ? error
                                       : error_make(FUNCTION, CTORCH_ERROR_FORMAT, "%s is not in the file", name);
}

static ctorch_error *add_tensor(
    ctorch_module *module, const struct exported_input *input, const ctorch_value *const tensors[2]) {
  ctorch_tensor *tensor = NULL;
  ctorch_error *error = find(&tensor, tensors, input->target);
  THEN(error, move(&tensor, input->meta));
  if (error == NULL && input->kind == INPUT_PARAMETER) {
    error = ctorch_tensor_set_requires_grad(tensor, json_is_true(json_object_get(input->meta, "requires_grad")));
  }
  THEN(error, place(module, input, tensor));
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *add_tensors(ctorch_module *module, const struct exported_model *model) {
  ctorch_value *state_dict = NULL, *constants = NULL;
  ctorch_error *error = ctorch_exported_program_state_dict(&state_dict, model->program);
  THEN(error, ctorch_exported_program_constants(&constants, model->program));
  for (size_t i = 0; error == NULL && i < model->inputs_len; i++) {
    if (model->inputs[i].kind != INPUT_USER) {
      const ctorch_value *const tensors[] = {state_dict, constants};
      error = error_at(add_tensor(module, &model->inputs[i], tensors), "%s", model->inputs[i].target);
    }
  }
  ctorch_value_release(state_dict);
  ctorch_value_release(constants);
  return error;
}

static ctorch_error *make(const char *function, ctorch_module **out, const ctorch_exported_program *program) {
  struct exported_model *model = object_new(&model_class);
  ctorch_module *module = NULL;
  if (model == NULL) {
    return error_memory(function, sizeof *model);
  }
  model->program = object_ref(program);
  ctorch_error *error = exported_model_read(function, model);
  THEN(error, new_module(&module, model));
  THEN(error, add_tensors(module, model));
  THEN(error, ctorch_module_train(module, false));
  object_unref(model);
  if (error != NULL) {
    ctorch_module_release(module);
    return error_at(error_of(function, error), "%s", reader_name(program->reader));
  }
  *out = module;
  return NULL;
}

ctorch_error *ctorch_exported_program_module(ctorch_module **out, const ctorch_exported_program *self) {
  CTORCH_TRY(exported_program_check(__func__, out, self));
  return make(__func__, out, self);
}

#else

ctorch_error *ctorch_exported_program_module(ctorch_module **out, const ctorch_exported_program *self) {
  CTORCH_TRY(exported_program_check(__func__, out, self));
  return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "this build has no jansson");
}

#endif
