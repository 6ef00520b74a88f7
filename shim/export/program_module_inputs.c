/* What the inputs and outputs of an exported program's graph are, and what a call may be given: module.h. */
#include "export/program_module.h"

#if CTORCH_HAS_JANSSON

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "export/exported_graph.h"
#include "export/pytree.h"

static const json_t *graph_module_of(const struct exported_model *self) {
  return json_object_get(self->program->program, "graph_module");
}

static ctorch_error *damaged(const char *function, const char *what) {
  return error_make(function, CTORCH_ERROR_FORMAT, "the signature is damaged: %s", what);
}

static ctorch_error *lack(const char *function, const char *what) {
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "%s", what);
}

/* Inputs ----------------------------------------------------------------------------------------------------------- */

static const char *text_at(const json_t *json, const char *key) {
  return json_string_value(json_object_get(json, key));
}

static const json_t *meta_of(const struct exported_model *self, const char *name) {
  const json_t *values = json_object_get(exported_graph_of(self->program), "tensor_values");
  return name == NULL ? NULL : json_object_get(values, name);
}

/* A tensor of the module's. */
static ctorch_error *read_own(
    const char *function,
    struct exported_input *input,
    const struct exported_model *self,
    const json_t *spec,
    const char *target_key) {
  input->name = text_at(json_object_get(spec, "arg"), "name");
  input->target = text_at(spec, target_key);
  input->meta = meta_of(self, input->name);
  return input->target == NULL || *input->target == '\0' ? damaged(function, "a tensor has no name") : NULL;
}

static ctorch_error *read_input(
    const char *function, struct exported_input *input, const struct exported_model *self, const json_t *spec) {
  const json_t *parameter = json_object_get(spec, "parameter"), *buffer = json_object_get(spec, "buffer");
  const json_t *constant = json_object_get(spec, "tensor_constant"), *user = json_object_get(spec, "user_input");
  const json_t *fixed = json_object_get(spec, "constant_input");
  if (json_is_object(parameter)) {
    input->kind = INPUT_PARAMETER;
    return read_own(function, input, self, parameter, "parameter_name");
  }
  if (json_is_object(buffer)) {
    input->kind = INPUT_BUFFER;
    input->persistent = json_is_true(json_object_get(buffer, "persistent"));
    return read_own(function, input, self, buffer, "buffer_name");
  }
  if (json_is_object(constant)) {
    input->kind = INPUT_BUFFER;
    return read_own(function, input, self, constant, "tensor_constant_name");
  }
  if (json_is_object(user)) {
    input->name = graph_argument_name(json_object_get(user, "arg"));
    input->meta = meta_of(self, input->name);
    return NULL;
  }
  if (json_is_object(fixed)) {
    input->equal = json_object_get(fixed, "value");
    return json_is_object(input->equal) ? NULL : damaged(function, "a constant input has no value");
  }
  return lack(
      function, json_is_object(json_object_get(spec, "custom_obj")) ? "it takes an object of a class of one's own"
                                                                    : "it has an input of a kind that is not known");
}

static ctorch_error *read_inputs(const char *function, struct exported_model *self, const json_t *specs) {
  size_t len = json_array_size(specs);
  self->inputs = calloc(len + 1, sizeof *self->inputs);
  if (self->inputs == NULL) {
    return error_memory(function, (len + 1) * sizeof *self->inputs);
  }
  while (self->inputs_len < len) {
    const json_t *spec = json_array_get(specs, self->inputs_len);
    CTORCH_TRY(read_input(function, &self->inputs[self->inputs_len], self, spec));
    self->inputs_len++;
  }
  return NULL;
}

/* Outputs ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *written_input(
    const char *function, size_t *out, const struct exported_model *self, const char *name, bool by_target) {
  for (size_t i = 0; name != NULL && i < self->inputs_len; i++) {
    const char *own = by_target ? self->inputs[i].target : self->inputs[i].name;
    if (own != NULL && strcmp(own, name) == 0) {
      *out = i;
      return NULL;
    }
  }
  return damaged(function, "an output belongs to an input that is not there");
}

static ctorch_error *read_output(
    const char *function, struct exported_output *output, const struct exported_model *self, const json_t *spec) {
  static const struct {
    const char *kind, *name;
    bool by_target;
  } WRITTEN[] = {
      {"buffer_mutation", "buffer_name", true},
      {"parameter_mutation", "parameter_name", true},
      {"user_input_mutation", "user_input_name", false},
  };
  for (size_t i = 0; i < sizeof WRITTEN / sizeof *WRITTEN; i++) {
    const json_t *written = json_object_get(spec, WRITTEN[i].kind);
    if (json_is_object(written)) {
      output->kind = OUTPUT_WRITTEN;
      return written_input(function, &output->written, self, text_at(written, WRITTEN[i].name), WRITTEN[i].by_target);
    }
  }
  return json_is_object(json_object_get(spec, "user_output")) || json_is_object(json_object_get(spec, "loss_output"))
             ? NULL
             : lack(function, "it has an output of a kind that is not known");
}

static ctorch_error *read_outputs(const char *function, struct exported_model *self, const json_t *specs) {
  size_t len = json_array_size(specs);
  self->outputs = calloc(len + 1, sizeof *self->outputs);
  if (self->outputs == NULL) {
    return error_memory(function, (len + 1) * sizeof *self->outputs);
  }
  while (self->outputs_len < len) {
    const json_t *spec = json_array_get(specs, self->outputs_len);
    CTORCH_TRY(read_output(function, &self->outputs[self->outputs_len], self, spec));
    self->outputs_len++;
  }
  return NULL;
}

static ctorch_error *read_trees(const char *function, struct exported_model *self) {
  const json_t *calls = json_object_get(graph_module_of(self), "module_call_graph");
  const json_t *signature = json_object_get(json_array_get(calls, 0), "signature"); /* of the whole */
  const char *arguments = text_at(signature, "in_spec"), *results = text_at(signature, "out_spec");
  self->arguments = arguments == NULL ? NULL : pytree_read(arguments);
  self->results = results == NULL ? NULL : pytree_read(results);
  return pytree_is_of_arguments(self->arguments) && self->results != NULL
             ? NULL
             : damaged(function, "it does not say what its arguments and results are");
}

ctorch_error *exported_model_read(const char *function, struct exported_model *self) {
  const json_t *signature = json_object_get(graph_module_of(self), "signature");
  const json_t *inputs = json_object_get(signature, "input_specs"),
               *outputs = json_object_get(signature, "output_specs");
  if (!json_is_array(inputs) || !json_is_array(outputs)) {
    return damaged(function, "inputs and outputs are expected");
  }
  CTORCH_TRY(read_trees(function, self));
  CTORCH_TRY(read_inputs(function, self, inputs));
  CTORCH_TRY(read_outputs(function, self, outputs));
  CTORCH_TRY(error_at(graph_read(function, &self->graph, exported_graph_of(self->program)), "graph"));
  return self->graph->inputs_len == self->inputs_len && self->graph->outputs_len == self->outputs_len
             ? NULL
             : damaged(function, "the graph has other inputs or outputs");
}

/* Checks ----------------------------------------------------------------------------------------------------------- */

/* What the symbols of sizes are in a call. */
struct symbols {
  json_t *values; /* from names to numbers */
  const json_t *ranges;
};

/* "Symbol('s77', positive=True, integer=True)": its name; false for an expression. */
static bool is_symbol(const char *expression, char *name, size_t size) {
  static const char before[] = "Symbol('";
  if (expression == NULL || strncmp(expression, before, sizeof before - 1) != 0) {
    return false;
  }
  const char *begin = expression + sizeof before - 1, *end = strchr(begin, '\'');
  if (end == NULL || (size_t)(end - begin) >= size || strchr(end, ')') != end + strlen(end) - 1) {
    return false;
  }
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = '\0';
  return true;
}

/* In its range, of which 0 to 2 are no ends, and what it was before. */
static ctorch_error *check_symbol(const char *function, struct symbols *self, const char *name, int64_t size) {
  const json_t *range = json_object_get(self->ranges, name), *before = json_object_get(self->values, name);
  const json_t *least = json_object_get(range, "min_val"), *most = json_object_get(range, "max_val");
  if (before != NULL && json_integer_value(before) != size) {
    return error_make(
        function, CTORCH_ERROR_SHAPE_MISMATCH, "expected %" JSON_INTEGER_FORMAT ", as elsewhere, got %" PRId64,
        json_integer_value(before), size);
  }
  if (json_is_integer(least) && json_integer_value(least) > 2 && size < json_integer_value(least)) {
    return error_make(
        function, CTORCH_ERROR_SHAPE_MISMATCH, "expected at least %" JSON_INTEGER_FORMAT ", got %" PRId64,
        json_integer_value(least), size);
  }
  if (json_is_integer(most) && size > json_integer_value(most)) {
    return error_make(
        function, CTORCH_ERROR_SHAPE_MISMATCH, "expected at most %" JSON_INTEGER_FORMAT ", got %" PRId64,
        json_integer_value(most), size);
  }
  return json_object_set_new(self->values, name, json_integer(size)) == 0 ? NULL : error_memory(function, 0);
}

static ctorch_error *check_size(const char *function, struct symbols *self, const json_t *expected, int64_t size) {
  const json_t *number = json_object_get(expected, "as_int"), *expression = json_object_get(expected, "as_expr");
  char name[64];
  if (json_is_integer(number) && json_integer_value(number) != size) {
    return error_make(
        function, CTORCH_ERROR_SHAPE_MISMATCH, "expected %" JSON_INTEGER_FORMAT ", got %" PRId64,
        json_integer_value(number), size);
  }
  return is_symbol(text_at(expression, "expr_str"), name, sizeof name) ? check_symbol(function, self, name, size)
                                                                       : NULL;
}

static ctorch_error *check_tensor(
    const char *function, struct symbols *self, const json_t *meta, const ctorch_value *value) {
  ctorch_tensor *tensor = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "expected a tensor, got %s", ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  const json_t *sizes = json_object_get(meta, "sizes");
  const int64_t *given = ctorch_tensor_sizes(tensor);
  size_t len = (size_t)ctorch_tensor_ndim(tensor);
  ctorch_error *error = len == json_array_size(sizes)
                            ? NULL
                            : error_make(
                                  function, CTORCH_ERROR_SHAPE_MISMATCH, "expected a tensor of %zu dimensions, got %zu",
                                  json_array_size(sizes), len);
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = error_at(check_size(function, self, json_array_get(sizes, i), given[i]), "size %zu", i);
  }
  ctorch_tensor_release(tensor);
  return error;
}

/* Python's ==, and the same type. */
static bool equals(const json_t *expected, const ctorch_value *value) {
  const char *text = NULL;
  size_t len = 0;
  int64_t number = 0;
  double real = 0, expected_real = 0;
  bool truth = false;
  const json_t *as_int = json_object_get(expected, "as_int"), *as_float = json_object_get(expected, "as_float");
  const json_t *as_bool = json_object_get(expected, "as_bool"), *as_string = json_object_get(expected, "as_string");
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_NONE:
      return json_object_get(expected, "as_none") != NULL;
    case CTORCH_VALUE_INT:
      ctorch_error_release(ctorch_value_to_int(&number, value));
      return json_is_integer(as_int) && json_integer_value(as_int) == number;
    case CTORCH_VALUE_DOUBLE:
      ctorch_error_release(ctorch_value_to_double(&real, value));
      return graph_float(&expected_real, as_float) && (expected_real == real || (isnan(expected_real) && isnan(real)));
    case CTORCH_VALUE_BOOL:
      ctorch_error_release(ctorch_value_to_bool(&truth, value));
      return json_is_boolean(as_bool) && json_is_true(as_bool) == truth;
    case CTORCH_VALUE_STRING:
      ctorch_error_release(ctorch_value_to_string(&text, &len, value));
      return json_is_string(as_string) && json_string_length(as_string) == len &&
             memcmp(json_string_value(as_string), text, len) == 0;
    default:
      return false;
  }
}

static ctorch_error *check_equal(const char *function, const json_t *expected, const ctorch_value *value) {
  if (equals(expected, value)) {
    return NULL;
  }
  char *text = json_dumps(expected, JSON_COMPACT);
  ctorch_error *error =
      error_make(function, CTORCH_ERROR_VALUE, "it has to be what it was at the export: %.200s", text ? text : "?");
  free(text);
  return error;
}

ctorch_error *exported_model_check(
    const char *function, const struct exported_model *self, const ctorch_value *const *inputs) {
  struct symbols symbols = {json_object(), json_object_get(self->program->program, "range_constraints")};
  ctorch_error *error = symbols.values == NULL ? error_memory(function, 0) : NULL;
  for (size_t i = 0; error == NULL && i < self->inputs_len; i++) {
    const struct exported_input *input = &self->inputs[i];
    if (input->equal != NULL) {
      error = error_at(check_equal(function, input->equal, inputs[i]), "argument %zu of the graph", i);
    } else if (input->kind == INPUT_USER && input->meta != NULL) {
      error = error_at(check_tensor(function, &symbols, input->meta, inputs[i]), "argument %s", input->name);
    }
  }
  json_decref(symbols.values);
  return error;
}

#endif
