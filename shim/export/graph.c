/* Reading of graphs: graph.h. */
#include "export/graph.h"

#if CTORCH_HAS_JANSSON

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/device_name.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "export/exported_tensors.h"

enum { DEEPEST = 64 }; /* graphs in graphs */

/* A graph while it is read. */
struct reading {
  const char *function;
  struct graph *graph;
  json_t *slots; /* from names to numbers */
  int depth;
};

static ctorch_error *wrong(const struct reading *self, const char *what) {
  return error_make(self->function, CTORCH_ERROR_FORMAT, "%s", what);
}

/* Room for as many entries as an array has, filled with zeros. */
static ctorch_error *room_for(const struct reading *self, void *out, size_t *len, const json_t *array, size_t size) {
  if (!json_is_array(array)) {
    return wrong(self, "expected a list");
  }
  *len = json_array_size(array);
  *(void **)out = calloc(*len + 1, size);
  return *(void **)out != NULL ? NULL : error_memory(self->function, (*len + 1) * size);
}

static ctorch_error *copy_text(const struct reading *self, char **out, const json_t *json, const char *what) {
  const char *text = json_string_value(json);
  if (text == NULL) {
    return error_make(self->function, CTORCH_ERROR_FORMAT, "%s: expected a text", what);
  }
  const size_t nbytes = strlen(text) + 1;
  *out = malloc(nbytes);
  if (*out == NULL) {
    return error_memory(self->function, nbytes);
  }
  memcpy(*out, text, nbytes);
  return NULL;
}

/* Slots ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *find_slot(struct reading *self, struct graph_argument *out, const char *name) {
  const json_t *slot = name == NULL ? NULL : json_object_get(self->slots, name);
  if (slot == NULL) {
    return error_make(
        self->function, CTORCH_ERROR_FORMAT, "%s is used, and no node before gives it",
        name == NULL ? "a value" : name);
  }
  out->kind = GRAPH_SLOT;
  out->slot = (size_t)json_integer_value(slot);
  return NULL;
}

static ctorch_error *make_slot(struct reading *self, struct graph_argument *out, const char *name) {
  if (name == NULL) {
    return wrong(self, "a result has no name");
  }
  if (json_object_get(self->slots, name) != NULL) {
    return error_make(self->function, CTORCH_ERROR_FORMAT, "%s is given twice", name);
  }
  out->kind = GRAPH_SLOT;
  out->slot = self->graph->slots_len++;
  return json_object_set_new(self->slots, name, json_integer((json_int_t)out->slot)) == 0
             ? NULL
             : error_memory(self->function, strlen(name));
}

/* Arguments -------------------------------------------------------------------------------------------------------- */

typedef ctorch_error *argument_reader(struct reading *self, struct graph_argument *out, const json_t *json);

static ctorch_error *read_argument(struct reading *self, struct graph_argument *out, const json_t *json);

/* A value that the graph keeps, from what makes it. */
static ctorch_error *constant(struct graph_argument *out, ctorch_error *error, ctorch_value *value) {
  if (error == NULL) {
    out->kind = GRAPH_CONSTANT;
    out->constant = value_take(value);
  }
  return error;
}

#define CONSTANT(out, constructor, ...)                     \
  do {                                                      \
    ctorch_value *made = NULL;                              \
    ctorch_error *failed = constructor(&made, __VA_ARGS__); \
    return constant(out, failed, made);                     \
  } while (0)

static ctorch_error *read_none(struct reading *self, struct graph_argument *out, const json_t *json) {
  (void)self, (void)json;
  ctorch_value *made = NULL;
  ctorch_error *error = ctorch_value_from_none(&made);
  return constant(out, error, made);
}

static ctorch_error *read_int(struct reading *self, struct graph_argument *out, const json_t *json) {
  if (!json_is_integer(json)) {
    return wrong(self, "expected an int");
  }
  CONSTANT(out, ctorch_value_from_int, json_integer_value(json));
}

/* JSON has no infinities: the writer puts them as texts. */
bool graph_float(double *out, const json_t *json) {
  const char *text = json_string_value(json);
  if (text == NULL) {
    *out = json_number_value(json);
    return json_is_number(json);
  }
  *out = strcmp(text, "Infinity") == 0 ? (double)INFINITY : strcmp(text, "-Infinity") == 0 ? -(double)INFINITY : NAN;
  return !isnan(*out) || strcmp(text, "NaN") == 0;
}

static ctorch_error *read_float(struct reading *self, struct graph_argument *out, const json_t *json) {
  double number = 0;
  if (!graph_float(&number, json)) {
    return wrong(self, "expected a float");
  }
  CONSTANT(out, ctorch_value_from_double, number);
}

static ctorch_error *read_bool(struct reading *self, struct graph_argument *out, const json_t *json) {
  if (!json_is_boolean(json)) {
    return wrong(self, "expected a bool");
  }
  CONSTANT(out, ctorch_value_from_bool, json_is_true(json));
}

static ctorch_error *read_string(struct reading *self, struct graph_argument *out, const json_t *json) {
  if (!json_is_string(json)) {
    return wrong(self, "expected a text");
  }
  CONSTANT(out, ctorch_value_from_string_data, json_string_value(json), json_string_length(json));
}

static ctorch_error *read_complex(struct reading *self, struct graph_argument *out, const json_t *json) {
  const json_t *real = json_object_get(json, "real"), *imaginary = json_object_get(json, "imag");
  if (!json_is_number(real) || !json_is_number(imaginary)) {
    return wrong(self, "expected a complex number");
  }
  CONSTANT(out, ctorch_value_from_complex, json_number_value(real), json_number_value(imaginary));
}

/* Numbers of the schema's own. */
static int64_t numbered(const int8_t *table, size_t len, const json_t *json) {
  int64_t number = json_is_integer(json) ? json_integer_value(json) : -1;
  return number > 0 && number < (int64_t)len ? table[number] - 1 : -1;
}

static ctorch_error *read_dtype(struct reading *self, struct graph_argument *out, const json_t *json) {
  ctorch_dtype dtype = json_is_integer(json) ? exported_dtype(json_integer_value(json)) : -1;
  if (dtype < 0) {
    return wrong(self, "an unknown dtype");
  }
  CONSTANT(out, ctorch_value_from_dtype, dtype);
}

static ctorch_error *read_layout(struct reading *self, struct graph_argument *out, const json_t *json) {
  static const int8_t table[] = {
      [1] = CTORCH_LAYOUT_SPARSE_COO + 1, [2] = CTORCH_LAYOUT_SPARSE_CSR + 1, [3] = CTORCH_LAYOUT_SPARSE_CSC + 1,
      [4] = CTORCH_LAYOUT_SPARSE_BSR + 1, [5] = CTORCH_LAYOUT_SPARSE_BSC + 1, [6] = CTORCH_LAYOUT_MKLDNN + 1,
      [7] = CTORCH_LAYOUT_STRIDED + 1,
  };
  int64_t layout = numbered(table, sizeof table, json);
  if (layout < 0) {
    return wrong(self, "an unknown layout");
  }
  CONSTANT(out, ctorch_value_from_layout, (ctorch_layout)layout);
}

static ctorch_error *read_memory_format(struct reading *self, struct graph_argument *out, const json_t *json) {
  static const int8_t table[] = {
      [1] = CTORCH_MEMORY_FORMAT_CONTIGUOUS + 1,
      [2] = CTORCH_MEMORY_FORMAT_CHANNELS_LAST + 1,
      [3] = CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D + 1,
      [4] = CTORCH_MEMORY_FORMAT_PRESERVE + 1,
  };
  int64_t memory_format = numbered(table, sizeof table, json);
  if (memory_format < 0) {
    return wrong(self, "an unknown memory format");
  }
  CONSTANT(out, ctorch_value_from_memory_format, (ctorch_memory_format)memory_format);
}

bool graph_device(ctorch_device *out, const json_t *json) {
  const char *type = json_string_value(json_object_get(json, "type"));
  const json_t *index = json_object_get(json, "index");
  char text[64];
  if (type == NULL || strlen(type) > 32) {
    return false;
  }
  if (json_is_integer(index)) {
    snprintf(text, sizeof text, "%s:%" JSON_INTEGER_FORMAT, type, json_integer_value(index));
  } else {
    snprintf(text, sizeof text, "%s", type);
  }
  return device_name_parse(out, text);
}

static ctorch_error *read_device(struct reading *self, struct graph_argument *out, const json_t *json) {
  ctorch_device device = {0};
  if (!graph_device(&device, json)) {
    return wrong(self, "an unknown device");
  }
  CONSTANT(out, ctorch_value_from_device, &device);
}

static ctorch_error *read_slot(struct reading *self, struct graph_argument *out, const json_t *json) {
  return find_slot(self, out, json_string_value(json_object_get(json, "name")));
}

static ctorch_error *read_symbol(struct reading *self, struct graph_argument *out, const json_t *json) {
  const json_t *name = json_object_get(json, "as_name");
  return name != NULL ? find_slot(self, out, json_string_value(name)) : read_argument(self, out, json);
}

/* Lists of one kind. Each call makes them anew, for what is called may keep them. */
static ctorch_error *read_list_of(
    struct reading *self, struct graph_argument *out, const json_t *json, argument_reader *read) {
  out->kind = GRAPH_LIST;
  CTORCH_TRY(room_for(self, &out->items, &out->len, json, sizeof *out->items));
  for (size_t i = 0; i < out->len; i++) {
    CTORCH_TRY(read(self, &out->items[i], json_array_get(json, i)));
  }
  return NULL;
}

#define LISTS(name, entry)                                                                          \
  static ctorch_error *name(struct reading *self, struct graph_argument *out, const json_t *json) { \
    return read_list_of(self, out, json, entry);                                                    \
  }
LISTS(read_slots, read_slot)
LISTS(read_symbols, read_symbol)
LISTS(read_options, read_argument)
LISTS(read_ints, read_int)
LISTS(read_floats, read_float)
LISTS(read_bools, read_bool)
LISTS(read_strings, read_string)
LISTS(read_nested, read_slots)
LISTS(read_int_lists, read_ints)
LISTS(read_float_lists, read_floats)

static ctorch_error *read_inner(struct reading *outer, struct graph_argument *out, const json_t *json);

static ctorch_error *refuse_object(struct reading *self, struct graph_argument *out, const json_t *json) {
  (void)out, (void)json;
  return error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "it is given an object of a class of one's own");
}

static ctorch_error *refuse_mapping(struct reading *self, struct graph_argument *out, const json_t *json) {
  (void)out, (void)json;
  return error_make(
      self->function, CTORCH_ERROR_UNSUPPORTED, "it is given a mapping, which only kernels of Triton take");
}

static const struct argument_kind {
  const char *name;
  argument_reader *read;
} KINDS[] = {
    {"as_none", read_none},
    {"as_tensor", read_slot},
    {"as_tensors", read_slots},
    {"as_optional_tensor", read_argument},
    {"as_optional_tensors", read_options},
    {"as_nested_tensors", read_nested},
    {"as_int", read_int},
    {"as_ints", read_ints},
    {"as_int_lists", read_int_lists},
    {"as_float", read_float},
    {"as_floats", read_floats},
    {"as_float_lists", read_float_lists},
    {"as_bool", read_bool},
    {"as_bools", read_bools},
    {"as_string", read_string},
    {"as_strings", read_strings},
    {"as_complex", read_complex},
    {"as_sym_int", read_symbol},
    {"as_sym_ints", read_symbols},
    {"as_sym_float", read_symbol},
    {"as_sym_floats", read_symbols},
    {"as_sym_bool", read_symbol},
    {"as_sym_bools", read_symbols},
    {"as_scalar_type", read_dtype},
    {"as_layout", read_layout},
    {"as_memory_format", read_memory_format},
    {"as_device", read_device},
    {"as_operator", read_string},
    {"as_graph", read_inner},
    {"as_custom_obj", refuse_object},
    {"as_string_to_argument", refuse_mapping},
};

/* The one member of a union, and what is to be done with it. */
static const struct argument_kind *kind_of(const json_t **out, const json_t *json) {
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
    *out = json_object_get(json, KINDS[i].name);
    if (*out != NULL && !json_is_null(*out)) {
      return &KINDS[i];
    }
  }
  return NULL;
}

/* A union in a union, as in an optional tensor, is never deeper than that: the writer has no others. */
static ctorch_error *read_argument(struct reading *self, struct graph_argument *out, const json_t *json) {
  const json_t *member = NULL;
  const struct argument_kind *kind = kind_of(&member, json);
  if (kind == NULL) {
    return wrong(self, "an argument of an unknown kind");
  }
  if (++self->depth > DEEPEST) {
    return wrong(self, "nested too deep");
  }
  ctorch_error *error = kind->read(self, out, member);
  self->depth--;
  return error;
}

/* Results are slots, lists of slots, or nothing. */
static ctorch_error *read_result(struct reading *self, struct graph_argument *out, const json_t *json) {
  const json_t *member = NULL;
  const struct argument_kind *kind = kind_of(&member, json);
  argument_reader *read = kind == NULL ? NULL : kind->read;
  if (read == read_slot) {
    return make_slot(self, out, json_string_value(json_object_get(member, "name")));
  }
  if (read == read_symbol && json_object_get(member, "as_name") != NULL) {
    return make_slot(self, out, json_string_value(json_object_get(member, "as_name")));
  }
  if (read == read_argument) { /* an optional tensor */
    const json_t *tensor = json_object_get(member, "as_tensor");
    return tensor == NULL ? read_none(self, out, NULL)
                          : make_slot(self, out, json_string_value(json_object_get(tensor, "name")));
  }
  if (read == read_slots || read == read_options || read == read_symbols) {
    out->kind = GRAPH_LIST;
    CTORCH_TRY(room_for(self, &out->items, &out->len, member, sizeof *out->items));
    for (size_t i = 0; i < out->len; i++) {
      const json_t *entry = json_array_get(member, i);
      const json_t *tensor = json_object_get(entry, "as_tensor"), *name = json_object_get(entry, "as_name");
      name = name != NULL ? name : json_object_get(tensor != NULL ? tensor : entry, "name");
      CTORCH_TRY(
          name == NULL ? read_none(self, &out->items[i], NULL)
                       : make_slot(self, &out->items[i], json_string_value(name)));
    }
    return NULL;
  }
  return read == NULL ? wrong(self, "a result of an unknown kind") : read_none(self, out, NULL);
}

static ctorch_error *read_results(
    struct reading *self, struct graph_argument **out, size_t *len, const json_t *json, argument_reader *read) {
  CTORCH_TRY(room_for(self, out, len, json, sizeof **out));
  for (size_t i = 0; i < *len; i++) {
    CTORCH_TRY(error_at(read(self, &(*out)[i], json_array_get(json, i)), "%zu", i));
  }
  return NULL;
}

/* Nodes ------------------------------------------------------------------------------------------------------------ */

/* "torch.ops.aten.add.Tensor" is aten::add.Tensor. */
static ctorch_error *find_operator(ctorch_op **out, const char *target) {
  static const char before[] = "torch.ops.";
  if (strncmp(target, before, sizeof before - 1) != 0) {
    return NULL;
  }
  const char *space = target + sizeof before - 1, *name = strchr(space, '.');
  const char *overload = name == NULL ? NULL : strchr(name + 1, '.');
  char text[256];
  if (overload == NULL || (size_t)(overload - space) + 2 > sizeof text) {
    return NULL;
  }
  snprintf(text, sizeof text, "%.*s::%.*s", (int)(name - space), space, (int)(overload - name - 1), name + 1);
  ctorch_op *op = NULL;
  ctorch_error *error = ctorch_op_find(&op, text, strcmp(overload + 1, "default") == 0 ? "" : overload + 1);
  ctorch_error_kind code = ctorch_error_kind_of(error);
  if (error != NULL && code != CTORCH_ERROR_OUT_OF_MEMORY) { /* said when it is to run */
    ctorch_error_release(error);
    return NULL;
  }
  THEN(error, ctorch_scope_keep(NULL, op));
  *out = error == NULL ? op : NULL;
  return error;
}

/* The number of an operator's argument; its count if it has none of that name. */
static size_t argument_number(const ctorch_op *op, const char *name) {
  size_t len = ctorch_op_num_arguments(op), i = 0;
  while (i < len && strcmp(ctorch_op_argument_name(op, i), name) != 0) {
    i++;
  }
  return i;
}

/* Arguments by name become arguments by position: what is not given stays NULL, the default. */
static ctorch_error *read_named(struct reading *self, struct node *node, const json_t *inputs) {
  size_t len = ctorch_op_num_arguments(node->op);
  node->args = calloc(len + 1, sizeof *node->args);
  if (node->args == NULL) {
    return error_memory(self->function, (len + 1) * sizeof *node->args);
  }
  node->args_len = len;
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    const json_t *input = json_array_get(inputs, i);
    const char *name = json_string_value(json_object_get(input, "name"));
    size_t at = name == NULL ? len : argument_number(node->op, name);
    if (at == len || node->args[at].kind != GRAPH_CONSTANT || node->args[at].constant != NULL) {
      return error_make(
          self->function, CTORCH_ERROR_FORMAT, "argument %s is %s", name == NULL ? "?" : name,
          at == len ? "unknown" : "given twice");
    }
    CTORCH_TRY(error_at(read_argument(self, &node->args[at], json_object_get(input, "arg")), "argument %s", name));
  }
  return NULL;
}

static ctorch_error *read_positional(struct reading *self, struct node *node, const json_t *inputs) {
  CTORCH_TRY(room_for(self, &node->args, &node->args_len, inputs, sizeof *node->args));
  for (size_t i = 0; i < node->args_len; i++) {
    const json_t *arg = json_object_get(json_array_get(inputs, i), "arg");
    CTORCH_TRY(error_at(read_argument(self, &node->args[i], arg), "argument %zu", i));
  }
  return NULL;
}

/* The first frame of the trace that the writer keeps: a line of the model's. */
static ctorch_error *read_source(struct reading *self, struct node *node, const json_t *metadata) {
  const char *trace = json_string_value(json_object_get(metadata, "stack_trace"));
  if (trace == NULL) {
    return NULL;
  }
  const char *second = strstr(trace, "\n  File ");
  size_t len = second == NULL ? strlen(trace) : (size_t)(second - trace), at = 0;
  node->source = malloc(len + 1);
  if (node->source == NULL) {
    return error_memory(self->function, len + 1);
  }
  while (len > 0 && (*trace == ' ' || *trace == '\n')) {
    trace++;
    len--;
  }
  for (size_t i = 0; i < len; i++) { /* one line */
    bool is_space = trace[i] == '\n' || trace[i] == ' ';
    if (!is_space || (at > 0 && node->source[at - 1] != ' ')) {
      node->source[at++] = is_space ? ' ' : trace[i];
    }
  }
  node->source[at] = '\0';
  return NULL;
}

static ctorch_error *read_node(struct reading *self, struct node *node, const json_t *json) {
  const json_t *inputs = json_object_get(json, "inputs"), *name = json_object_get(json, "name");
  CTORCH_TRY(copy_text(self, &node->target, json_object_get(json, "target"), "target"));
  CTORCH_TRY(copy_text(self, &node->name, json_is_string(name) ? name : json_object_get(json, "target"), "name"));
  CTORCH_TRY(read_source(self, node, json_object_get(json, "metadata")));
  node->call = graph_function_of(node->target);
  node->control = node->call == NULL ? graph_control_of(node->target) : NULL;
  if (node->call == NULL && node->control == NULL) {
    CTORCH_TRY(find_operator(&node->op, node->target));
  }
  CTORCH_TRY(node->op != NULL ? read_named(self, node, inputs) : read_positional(self, node, inputs));
  return read_results(self, &node->outputs, &node->outputs_len, json_object_get(json, "outputs"), read_result);
}

/* When slots end --------------------------------------------------------------------------------------------------- */

static void note_use(size_t *last, const struct graph_argument *argument, size_t user) {
  if (argument->kind == GRAPH_SLOT) {
    last[argument->slot] = user;
  }
  for (size_t i = 0; i < argument->len; i++) {
    note_use(last, &argument->items[i], user);
  }
}

static void note_uses(size_t *last, const struct graph_argument *arguments, size_t len, size_t user) {
  for (size_t i = 0; i < len; i++) {
    note_use(last, &arguments[i], user);
  }
}

static ctorch_error *find_last_uses(const char *function, struct graph *self) {
  size_t *last = calloc(self->slots_len + 1, sizeof *last);
  ctorch_error *error = last == NULL ? error_memory(function, (self->slots_len + 1) * sizeof *last) : NULL;
  for (size_t i = 0; error == NULL && i < self->nodes_len; i++) {
    note_uses(last, self->nodes[i].outputs, self->nodes[i].outputs_len, i);
    note_uses(last, self->nodes[i].args, self->nodes[i].args_len, i);
  }
  if (error == NULL) {
    note_uses(last, self->outputs, self->outputs_len, self->nodes_len);
  }
  for (size_t slot = 0; error == NULL && slot < self->slots_len; slot++) {
    struct node *node = last[slot] < self->nodes_len ? &self->nodes[last[slot]] : NULL;
    if (node != NULL) {
      error = array_grow(function, &node->last, node->last_len, sizeof *node->last);
      if (error == NULL) {
        node->last[node->last_len++] = slot;
      }
    }
  }
  free(last);
  return error;
}

/* Graphs ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_graph(struct reading *self, const json_t *json) {
  struct graph *graph = self->graph;
  const json_t *nodes = json_object_get(json, "nodes");
  CTORCH_TRY(error_at(
      read_results(self, &graph->inputs, &graph->inputs_len, json_object_get(json, "inputs"), read_result), "inputs"));
  CTORCH_TRY(error_at(room_for(self, &graph->nodes, &graph->nodes_len, nodes, sizeof *graph->nodes), "nodes"));
  for (size_t i = 0; i < graph->nodes_len; i++) {
    struct node *node = &graph->nodes[i];
    ctorch_error *error = read_node(self, node, json_array_get(nodes, i));
    CTORCH_TRY(error_at(error, "node %s (%s)", node->name ? node->name : "?", node->target ? node->target : "?"));
  }
  CTORCH_TRY(error_at(
      read_results(self, &graph->outputs, &graph->outputs_len, json_object_get(json, "outputs"), read_argument),
      "outputs"));
  return find_last_uses(self->function, graph);
}

static ctorch_error *read_at(const char *function, struct graph **out, const json_t *json, int depth) {
  struct reading self = {.function = function, .depth = depth};
  self.graph = calloc(1, sizeof *self.graph);
  self.slots = json_object();
  ctorch_error *error = self.graph == NULL || self.slots == NULL ? error_memory(function, sizeof *self.graph) : NULL;
  THEN(error, read_graph(&self, json));
  json_decref(self.slots);
  if (error != NULL) {
    graph_free(self.graph);
    return error;
  }
  *out = self.graph;
  return NULL;
}

static ctorch_error *read_inner(struct reading *outer, struct graph_argument *out, const json_t *json) {
  out->kind = GRAPH_GRAPH;
  return read_at(outer->function, &out->graph, json_object_get(json, "graph"), outer->depth);
}

ctorch_error *graph_read(const char *function, struct graph **out, const json_t *json) {
  return error_of(function, read_at(function, out, json, 0));
}

static void free_arguments(struct graph_argument *arguments, size_t len) {
  for (size_t i = 0; i < len; i++) {
    value_unref(arguments[i].constant);
    free_arguments(arguments[i].items, arguments[i].items == NULL ? 0 : arguments[i].len);
    graph_free(arguments[i].graph);
  }
  free(arguments);
}

void graph_free(struct graph *self) {
  if (self == NULL) {
    return;
  }
  for (size_t i = 0; self->nodes != NULL && i < self->nodes_len; i++) {
    struct node *node = &self->nodes[i];
    ctorch_op_release(node->op);
    free_arguments(node->args, node->args == NULL ? 0 : node->args_len);
    free_arguments(node->outputs, node->outputs == NULL ? 0 : node->outputs_len);
    free(node->name);
    free(node->target);
    free(node->source);
    free(node->last);
  }
  free(self->nodes);
  free_arguments(self->inputs, self->inputs == NULL ? 0 : self->inputs_len);
  free_arguments(self->outputs, self->outputs == NULL ? 0 : self->outputs_len);
  free(self);
}

const char *graph_argument_name(const json_t *argument) {
  const json_t *member = NULL;
  kind_of(&member, argument);
  const char *name = json_string_value(json_object_get(member, "name"));
  return name != NULL ? name : json_string_value(json_object_get(member, "as_name"));
}

#endif
