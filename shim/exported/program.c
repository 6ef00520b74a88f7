/* exported_program.h: programs of torch.export, loaded and called. */
#include "program.h"

#include <stdlib.h>

#include "ctorch/exported_program.h"
#include "error.h"
#include "held.h"
#include "object.h"
#include "pytree.h"
#include "reader.h"
#include "tensor.h"

#if CTORCH_HAS_JANSSON

static void finalize(void *object) {
  ctorch_exported_program *self = object;
  graph_free(self->graph);
  free(self->missing);
  for (size_t i = 0; i < self->inputs_len; i++) {
    value_unref(self->inputs[i].value);
  }
  free(self->inputs);
  free(self->outputs);
  value_unref(self->state_dict);
  value_unref(self->constants);
  value_unref(self->example_inputs);
  json_decref(self->arguments);
  json_decref(self->results);
  json_decref(self->document);
}

static const object_class program_class = {"exported_program", sizeof(ctorch_exported_program), finalize};

/* Loading ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *read_trees(const char *function, ctorch_exported_program *self) {
  const json_t *calls = json_object_get(program_graph_module(self), "module_call_graph");
  const json_t *signature = json_object_get(json_array_get(calls, 0), "signature"); /* of the whole */
  const char *arguments = json_string_value(json_object_get(signature, "in_spec"));
  const char *results = json_string_value(json_object_get(signature, "out_spec"));
  self->arguments = arguments == NULL ? NULL : pytree_read(arguments);
  self->results = results == NULL ? NULL : pytree_read(results);
  return pytree_is_of_arguments(self->arguments) && self->results != NULL
             ? NULL
             : error_make(function, CTORCH_ERROR_FORMAT, "it does not say what its arguments and results are");
}

static ctorch_error *read_program(const char *function, ctorch_exported_program *self, struct pt2_archive *archive) {
  const struct pt_record *document = pt2_archive_find(archive, "models/model.json");
  document = document != NULL ? document : pt2_archive_find(archive, "serialized_exported_program.json");
  if (document == NULL) {
    return error_make(
        function, CTORCH_ERROR_FORMAT, "there is no exported program in it%s",
        pt2_archive_find(archive, "data/aotinductor/model/metadata.json") != NULL ? ", but a compiled one" : "");
  }
  CTORCH_TRY(pt2_archive_json(function, archive, &self->document, document));
  CTORCH_TRY(program_read_weights(function, self, archive));
  CTORCH_TRY(read_trees(function, self));
  return program_read_signature(function, self);
}

static ctorch_error *load(const char *function, ctorch_exported_program **out, const ctorch_reader *reader) {
  struct pt2_archive archive = {.reader = reader};
  ctorch_exported_program *self = object_new(&program_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  ctorch_error *error = pt2_archive_open(function, &archive, reader);
  error = error != NULL ? error : error_at(read_program(function, self, &archive), "%s", reader_name(reader));
  pt2_archive_end(&archive);
  if (error != NULL) {
    object_unref(self);
    return error_of(function, error);
  }
  return object_give(function, out, self);
}

/* Calls -------------------------------------------------------------------------------------------------------------- */

/* What the graph is given: the program's own tensors, and leaves of the caller's in their order. */
static ctorch_error *inputs_of(
    const char *function,
    const ctorch_value **out,
    const ctorch_exported_program *self,
    const struct pytree_leaves *leaves,
    const ctorch_value *none) {
  size_t next = 0;
  for (size_t i = 0; i < self->inputs_len; i++) {
    out[i] = self->inputs[i].value;
    if (out[i] == NULL && next < leaves->len) {
      out[i] = leaves->data[next] != NULL ? leaves->data[next] : none;
      next++;
    } else if (out[i] == NULL) {
      next = leaves->len + 1;
    }
  }
  return next == leaves->len
             ? NULL
             : error_make(function, CTORCH_ERROR_FORMAT, "its signature takes other arguments than its call does");
}

/* Copy what the graph gives for a tensor that the model writes. */
static ctorch_error *write_back(const ctorch_value *place, const ctorch_value *value) {
  ctorch_tensor *to = NULL, *from = NULL;
  ctorch_error *error = ctorch_value_to_tensor(&to, place);
  error = error != NULL ? error : ctorch_value_to_tensor(&from, value);
  error = error != NULL ? error : ctorch_grad_mode_push(false);
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
    const char *function,
    struct pytree_leaves *out,
    const ctorch_exported_program *self,
    const ctorch_value *const *inputs,
    ctorch_value **outputs) {
  out->data = calloc(self->outputs_len + 1, sizeof *out->data);
  if (out->data == NULL) {
    return error_memory(function, (self->outputs_len + 1) * sizeof *out->data);
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
    const char *function,
    ctorch_value **out,
    const ctorch_exported_program *self,
    const ctorch_value **inputs,
    ctorch_value **outputs) {
  struct pytree_leaves results = {0};
  CTORCH_TRY(program_check(function, self, inputs));
  CTORCH_TRY(graph_run(function, outputs, self->graph, inputs, self->inputs_len));
  ctorch_error *error = results_of(function, &results, self, inputs, outputs);
  error = error != NULL ? error : pytree_unflatten(function, out, self->results, &results);
  pytree_end(&results);
  return error;
}

static ctorch_error *call(
    const char *function, ctorch_value **out, const ctorch_exported_program *self, const struct pytree_leaves *leaves) {
  const ctorch_value **inputs = calloc(self->inputs_len + 1, sizeof *inputs);
  ctorch_value **outputs = calloc(self->outputs_len + 1, sizeof *outputs), *none = NULL;
  ctorch_error *error = inputs == NULL || outputs == NULL ? error_memory(function, 0) : ctorch_value_from_none(&none);
  error = error != NULL ? error : inputs_of(function, inputs, self, leaves, none);
  error = error != NULL ? error : run(function, out, self, inputs, outputs);
  for (size_t i = 0; outputs != NULL && i < self->outputs_len; i++) {
    ctorch_value_release(outputs[i]);
  }
  ctorch_value_release(none);
  free(outputs);
  free(inputs);
  return error;
}

static ctorch_error *call_with(
    const char *function,
    ctorch_value **out,
    const ctorch_exported_program *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  struct pytree_leaves leaves = {0};
  if (self->graph == NULL) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "it cannot be run here: %s", self->missing);
  }
  ctorch_error *error = pytree_flatten(function, &leaves, self->arguments, args, args_len, kwargs);
  error = error != NULL ? error : call(function, out, self, &leaves);
  pytree_end(&leaves);
  return error_of(function, error);
}

/* What it says of itself --------------------------------------------------------------------------------------------- */

static ctorch_error *operators_of(ctorch_value **out, const ctorch_exported_program *self) {
  ctorch_value *made = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&made, NULL, 0, NULL, 0));
  ctorch_error *error = self->graph == NULL ? NULL : graph_list_operators(self->graph, made);
  if (error != NULL) {
    ctorch_value_release(made);
    return error;
  }
  *out = made;
  return NULL;
}

static ctorch_error *append_text(ctorch_value *list, const char *text) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_string(&value, text));
  ctorch_error *error = ctorch_value_list_append(list, value);
  ctorch_value_release(value);
  return error;
}

/* Append the names of those operators that are not here. */
static ctorch_error *append_missing(ctorch_value *list, const ctorch_value *operators) {
  ctorch_value *names = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&names, operators));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(names); i++) {
    ctorch_value *name = NULL, *is_here = NULL;
    bool truth = true;
    error = ctorch_value_get(&name, names, i);
    error = error != NULL ? error : ctorch_value_dict_get(&is_here, operators, name);
    error = error != NULL ? error : ctorch_value_to_bool(&truth, is_here);
    error = error != NULL || truth ? error : ctorch_value_list_append(list, name);
    ctorch_value_release(is_here);
    ctorch_value_release(name);
  }
  ctorch_value_release(names);
  return error;
}

static ctorch_error *missing_of(ctorch_value **out, const ctorch_exported_program *self) {
  ctorch_value *made = NULL, *operators = NULL;
  ctorch_error *error = ctorch_value_from_list(&made, NULL, 0);
  error = error != NULL || self->missing == NULL ? error : append_text(made, self->missing);
  error = error != NULL ? error : operators_of(&operators, self);
  error = error != NULL ? error : append_missing(made, operators);
  ctorch_value_release(operators);
  if (error != NULL) {
    ctorch_value_release(made);
    return error;
  }
  *out = made;
  return NULL;
}

/* The document without the graph, with its signature. */
static ctorch_error *metadata_of(const char *function, ctorch_value **out, const ctorch_exported_program *self) {
  json_t *shown = json_copy(self->document);
  json_t *signature = json_object_get(program_graph_module(self), "signature");
  ctorch_error *error = shown == NULL ? error_memory(function, 0) : NULL;
  if (error == NULL) {
    json_object_del(shown, "graph_module");
    error = signature != NULL && json_object_set(shown, "signature", signature) != 0
                ? error_memory(function, 0)
                : json_value(function, out, shown, NULL);
  }
  json_decref(shown);
  return error;
}

#define GIVEN(self)                                             \
  do {                                                          \
    CTORCH_TRY(error_refusal(__func__));                        \
    if (out == NULL || (self) == NULL) {                        \
      return error_null(__func__, out == NULL ? "out" : #self); \
    }                                                           \
  } while (0)

ctorch_error *ctorch_exported_program_load(ctorch_exported_program **out, const ctorch_reader *reader) {
  GIVEN(reader);
  return load(__func__, out, reader);
}

ctorch_error *ctorch_exported_program_load_file(ctorch_exported_program **out, const char *path) {
  GIVEN(path);
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_unless_text(__func__, "path", path));
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, true)));
  ctorch_error *error = load(__func__, out, reader);
  ctorch_reader_release(reader);
  return error;
}

ctorch_error *ctorch_exported_program_call(
    ctorch_value **out,
    const ctorch_exported_program *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  GIVEN(self);
  return args == NULL && args_len > 0 ? error_null(__func__, "args")
                                      : call_with(__func__, out, self, args, args_len, kwargs);
}

ctorch_error *ctorch_exported_program_missing(ctorch_value **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, missing_of(out, self));
}

ctorch_error *ctorch_exported_program_state_dict(ctorch_value **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, ctorch_value_copy(out, self->state_dict));
}

ctorch_error *ctorch_exported_program_constants(ctorch_value **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, ctorch_value_copy(out, self->constants));
}

ctorch_error *ctorch_exported_program_example_inputs(ctorch_value **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, ctorch_value_copy(out, self->example_inputs));
}

ctorch_error *ctorch_exported_program_metadata(ctorch_value **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, metadata_of(__func__, out, self));
}

ctorch_error *ctorch_exported_program_operators(ctorch_value **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, operators_of(out, self));
}

ctorch_error *ctorch_exported_program_text(ctorch_string **out, const ctorch_exported_program *self) {
  GIVEN(self);
  return error_of(__func__, program_text(__func__, out, self));
}

#else

/* Without jansson nothing is ever loaded. */
#define REFUSE                                                                                                \
  do {                                                                                                        \
    CTORCH_TRY(error_refusal(__func__));                                                                      \
    return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "exported programs: jansson is not in this build"); \
  } while (0)

ctorch_error *ctorch_exported_program_load(ctorch_exported_program **out, const ctorch_reader *reader) {
  (void)out, (void)reader;
  REFUSE;
}

ctorch_error *ctorch_exported_program_load_file(ctorch_exported_program **out, const char *path) {
  (void)out, (void)path;
  REFUSE;
}

ctorch_error *ctorch_exported_program_call(
    ctorch_value **out,
    const ctorch_exported_program *self,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  (void)out, (void)self, (void)args, (void)args_len, (void)kwargs;
  REFUSE;
}

ctorch_error *ctorch_exported_program_missing(ctorch_value **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

ctorch_error *ctorch_exported_program_state_dict(ctorch_value **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

ctorch_error *ctorch_exported_program_constants(ctorch_value **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

ctorch_error *ctorch_exported_program_example_inputs(ctorch_value **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

ctorch_error *ctorch_exported_program_metadata(ctorch_value **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

ctorch_error *ctorch_exported_program_operators(ctorch_value **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

ctorch_error *ctorch_exported_program_text(ctorch_string **out, const ctorch_exported_program *self) {
  (void)out, (void)self;
  REFUSE;
}

#endif

void ctorch_exported_program_retain(const ctorch_exported_program *self) { object_retain(self); }
void ctorch_exported_program_release(ctorch_exported_program *self) { object_release(self); }
