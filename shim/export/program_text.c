/* exported_program.h: what the graph of an exported program calls, as lists and as text. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "export/exported_graph.h"
#include "export/exported_tensors.h"
#include "export/graph.h"

#if CTORCH_HAS_JANSSON

/* Names of operators ----------------------------------------------------------------------------------------------- */

struct targets {
  const char **data; /* as the JSON has them; sorted, each once */
  size_t len;
  size_t nodes;
};

static ctorch_error *add_target(const char *function, const json_t *node, void *payload) {
  struct targets *self = payload;
  const char *target = json_string_value(json_object_get(node, "target"));
  self->nodes++;
  if (target == NULL) {
    return NULL;
  }
  CTORCH_TRY(array_grow(function, &self->data, self->len, sizeof *self->data));
  self->data[self->len++] = target;
  return NULL;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* free() their data, also after a failure. */
static ctorch_error *read_targets(const char *function, struct targets *out, const ctorch_exported_program *self) {
  *out = (struct targets){NULL, 0, 0};
  CTORCH_TRY(exported_visit_nodes(function, exported_graph_of(self), add_target, out));
  if (out->len > 1) {
    qsort(out->data, out->len, sizeof *out->data, by_text);
  }
  size_t len = 0;
  for (size_t i = 0; i < out->len; i++) {
    if (len == 0 || strcmp(out->data[len - 1], out->data[i]) != 0) {
      out->data[len++] = out->data[i];
    }
  }
  out->len = len;
  return NULL;
}

/* Whether the process has it. */
static bool is_known(const char *name) {
  ctorch_op *op = NULL;
  const char *dot = strrchr(name, '.');
  ctorch_error *error = ctorch_op_find(&op, name, dot == NULL ? "default" : NULL);
  const bool is_there = error == NULL;
  ctorch_error_release(error);
  ctorch_op_release(op);
  return is_there;
}

/* Whether a graph that calls it cannot be run. */
static bool is_missing(const char *target, const char *name) {
  if (graph_function_of(target) != NULL || graph_control_of(target) != NULL) {
    return false;
  }
  return !exported_is_operator(target) || !is_known(name);
}

static ctorch_error *append_names(
    const char *function, ctorch_value *list, const struct targets *targets, bool missing_alone) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < targets->len; i++) {
    struct text name = {.function = function};
    ctorch_value *value = NULL;
    exported_add_target(&name, targets->data[i]);
    if (!missing_alone || is_missing(targets->data[i], text_data(&name))) {
      error = ctorch_value_from_string(&value, text_data(&name));
      THEN(error, ctorch_value_list_append(list, value));
    }
    ctorch_value_release(value);
    ctorch_error *other = text_end(&name);
    if (error == NULL) {
      error = other;
    } else {
      ctorch_error_release(other);
    }
  }
  return error;
}

static ctorch_error *list_operators(
    const char *function, ctorch_value **out, const ctorch_exported_program *self, bool missing_alone) {
  struct targets targets;
  ctorch_value *list = NULL;
  CTORCH_TRY(exported_program_check(function, out, self));
  ctorch_error *error = read_targets(function, &targets, self);
  THEN(error, ctorch_value_from_list(&list, NULL, 0));
  THEN(error, append_names(function, list, &targets, missing_alone));
  free(targets.data);
  if (error != NULL) {
    ctorch_value_release(list);
    return error_of(function, error);
  }
  *out = list;
  return NULL;
}

ctorch_error *ctorch_exported_program_operators(ctorch_value **out, const ctorch_exported_program *self) {
  return list_operators(__func__, out, self, false);
}

ctorch_error *ctorch_exported_program_missing_operators(ctorch_value **out, const ctorch_exported_program *self) {
  return list_operators(__func__, out, self, true);
}

/* The graph as text ------------------------------------------------------------------------------------------------ */

enum { DEEPEST = 50 };

static void add_argument(struct text *text, const json_t *json, int depth);

static void add_list(struct text *text, const json_t *list, int depth) {
  text_add(text, "[");
  for (size_t i = 0; i < json_array_size(list); i++) {
    text_add(text, "%s", i == 0 ? "" : ", ");
    add_argument(text, json_array_get(list, i), depth + 1);
  }
  text_add(text, "]");
}

/* What stands under one key, "as_tensor" and the like. */
static void add_union(struct text *text, const json_t *json, int depth) {
  json_t *object = (json_t *)(uintptr_t)json; /* iterators want it so, and change nothing */
  void *at = json_object_iter(object);
  const char *key = at == NULL ? "" : json_object_iter_key(at);
  const json_t *inner = at == NULL ? NULL : json_object_iter_value(at);
  const char *name = json_string_value(json_object_get(json, "name"));
  if (name != NULL) {
    text_add(text, "%s", name);
  } else if (strcmp(key, "as_none") == 0 || inner == NULL) {
    text_add(text, "None");
  } else if (strcmp(key, "as_scalar_type") == 0 && exported_dtype(json_integer_value(inner)) >= 0) {
    text_add(text, "torch.%s", ctorch_dtype_name(exported_dtype(json_integer_value(inner))));
  } else if ((strcmp(key, "as_name") == 0 || strcmp(key, "type") == 0) && json_is_string(inner)) {
    text_add(text, "%s", json_string_value(inner));
  } else {
    add_argument(text, inner, depth + 1);
  }
}

static void add_argument(struct text *text, const json_t *json, int depth) {
  if (depth > DEEPEST) {
    text_add(text, "...");
  } else if (json_is_object(json)) {
    add_union(text, json, depth);
  } else if (json_is_array(json)) {
    add_list(text, json, depth);
  } else if (json_is_string(json)) {
    text_quoted(text, json_string_value(json));
  } else if (json_is_integer(json)) {
    text_add(text, "%lld", (long long)json_integer_value(json));
  } else if (json_is_real(json)) {
    text_double(text, json_real_value(json));
  } else if (json_is_boolean(json)) {
    text_bool(text, json_is_true(json));
  } else {
    text_add(text, "None");
  }
}

/* "x: float32[s77, 4]", the type where it is a tensor's. */
static void add_value(struct text *text, const json_t *graph, const json_t *argument) {
  const char *name = json_string_value(json_object_get(json_object_get(argument, "as_tensor"), "name"));
  const json_t *meta = name == NULL ? NULL : json_object_get(json_object_get(graph, "tensor_values"), name);
  const ctorch_dtype dtype = exported_dtype(json_integer_value(json_object_get(meta, "dtype")));
  const json_t *sizes = json_object_get(meta, "sizes");
  add_argument(text, argument, 0);
  if (!json_is_object(meta)) {
    return;
  }
  text_add(text, ": %s[", dtype < 0 ? "?" : ctorch_dtype_name(dtype));
  for (size_t i = 0; i < json_array_size(sizes); i++) {
    text_add(text, "%s", i == 0 ? "" : ", ");
    exported_add_size(text, json_array_get(sizes, i));
  }
  text_add(text, "]");
}

static void add_values(struct text *text, const json_t *graph, const json_t *arguments) {
  for (size_t i = 0; i < json_array_size(arguments); i++) {
    text_add(text, "%s", i == 0 ? "" : ", ");
    add_value(text, graph, json_array_get(arguments, i));
  }
}

static void add_graph(struct text *text, const json_t *graph, const char *name, int depth);

static void add_node(struct text *text, const json_t *graph, const json_t *node, int depth) {
  enum { KEYWORD = 2 };
  const char *target = json_string_value(json_object_get(node, "target"));
  const json_t *inputs = json_object_get(node, "inputs"), *outputs = json_object_get(node, "outputs");
  text_add(text, "%*s", 2 * depth, "");
  add_values(text, graph, outputs);
  text_add(text, "%s", json_array_size(outputs) == 0 ? "" : " = ");
  exported_add_target(text, target == NULL ? "?" : target);
  text_add(text, "(");
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    const json_t *input = json_array_get(inputs, i);
    const char *name = json_string_value(json_object_get(input, "name"));
    const bool is_keyword = json_integer_value(json_object_get(input, "kind")) == KEYWORD && name != NULL;
    text_add(text, "%s%s%s", i == 0 ? "" : ", ", is_keyword ? name : "", is_keyword ? "=" : "");
    add_argument(text, json_object_get(input, "arg"), 0);
  }
  text_add(text, ")\n");
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    const json_t *inner = json_object_get(json_object_get(json_array_get(inputs, i), "arg"), "as_graph");
    const char *name = json_string_value(json_object_get(inner, "name"));
    if (json_is_object(json_object_get(inner, "graph"))) {
      add_graph(text, json_object_get(inner, "graph"), name == NULL ? "graph" : name, depth + 1);
    }
  }
}

static void add_graph(struct text *text, const json_t *graph, const char *name, int depth) {
  const json_t *nodes = json_object_get(graph, "nodes"), *outputs = json_object_get(graph, "outputs");
  if (depth > DEEPEST) {
    text_add(text, "%*s...\n", 2 * DEEPEST, "");
    return;
  }
  text_add(text, "%*s%s(", 2 * depth, "", name);
  add_values(text, graph, json_object_get(graph, "inputs"));
  text_add(text, "):\n");
  for (size_t i = 0; i < json_array_size(nodes); i++) {
    add_node(text, graph, json_array_get(nodes, i), depth + 1);
  }
  text_add(text, "%*sreturn ", 2 * depth + 2, "");
  add_list(text, outputs, 0);
  text_add(text, "\n");
}

/* Text that is done, handed out. */
static ctorch_error *give(const char *function, ctorch_string **out, struct text *text, ctorch_error *error) {
  const char *data = text_data(text);
  if (error == NULL && text->error == NULL) {
    error = error_unless_text(function, "text", data);
  }
  if (error == NULL && text->error == NULL) {
    error = string_give(function, out, data, strlen(data));
  }
  ctorch_error *other = text_end(text);
  if (error != NULL) {
    ctorch_error_release(other);
    return error_of(function, error);
  }
  return other;
}

ctorch_error *ctorch_exported_program_text(ctorch_string **out, const ctorch_exported_program *self) {
  CTORCH_TRY(exported_program_check(__func__, out, self));
  struct text text = {.function = __func__};
  add_graph(&text, exported_graph_of(self), "graph", 0);
  return give(__func__, out, &text, NULL);
}

/* What running it takes -------------------------------------------------------------------------------------------- */

/* "  aten::add.Tensor" for those operators that are wanted; how many there were. */
typedef bool (*wanted)(const char *target, const char *name);

static bool is_missing_operator(const char *target, const char *name) {
  return is_missing(target, name) && strncmp(name, "higher_order::", strlen("higher_order::")) != 0;
}
static bool is_higher_order(const char *target, const char *name) {
  return is_missing(target, name) && strncmp(name, "higher_order::", strlen("higher_order::")) == 0;
}

static void add_names(struct text *text, const struct targets *targets, wanted is_wanted, const char *heading) {
  size_t count = 0;
  for (size_t i = 0; i < targets->len; i++) {
    struct text name = {.function = text->function};
    exported_add_target(&name, targets->data[i]);
    if (is_wanted(targets->data[i], text_data(&name))) {
      text_add(text, "%s%s", count++ == 0 ? heading : ", ", text_data(&name));
    }
    ctorch_error_release(text_end(&name));
  }
  text_add(text, "%s", count == 0 ? "" : "\n");
}

static void add_requirements(struct text *text, const ctorch_exported_program *self, const struct targets *targets) {
  const char *version = json_string_value(json_object_get(self->program, "torch_version"));
  const json_t *schema = json_object_get(self->program, "schema_version");
  text_add(
      text, "Exported by torch %s, schema %lld.%lld: %zu calls of %zu operators.\n",
      version == NULL ? "of an unknown version" : version,
      (long long)json_integer_value(json_object_get(schema, "major")),
      (long long)json_integer_value(json_object_get(schema, "minor")), targets->nodes, targets->len);
  text_add(
      text,
      "As a module it runs operator by operator (ctorch_exported_program_module). To compile it, in Python:\n"
      "  torch._inductor.aoti_compile_and_package(torch.export.load(\"%s\"), package_path=\"compiled.pt2\")\n"
      "which `ctorch run` runs, and programs as a package (ctorch_package_load).\n",
      ctorch_reader_path(self->reader) == NULL ? "model.pt2" : ctorch_reader_path(self->reader));
  add_names(
      text, targets, is_missing_operator, "Operators that this process has not, of a newer LibTorch or an extension: ");
  add_names(text, targets, is_higher_order, "Higher-order operators that Python's torch alone has: ");
  text_add(
      text, "%s",
      pt2_archive_has(&self->archive, "data/constants/custom_obj_")
          ? "Objects of custom classes, whose library the process that compiles and the one that runs have to load.\n"
          : "");
}

ctorch_error *ctorch_exported_program_requirements(ctorch_string **out, const ctorch_exported_program *self) {
  struct targets targets;
  CTORCH_TRY(exported_program_check(__func__, out, self));
  struct text text = {.function = __func__};
  ctorch_error *error = read_targets(__func__, &targets, self);
  if (error == NULL) {
    add_requirements(&text, self, &targets);
  }
  free(targets.data);
  return give(__func__, out, &text, error);
}

#else

#define WITHOUT(name, type)                                                                       \
  ctorch_error *ctorch_exported_program_##name(type **out, const ctorch_exported_program *self) { \
    CTORCH_TRY(exported_program_check(__func__, out, self));                                      \
    return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "this build has no jansson");           \
  }
WITHOUT(operators, ctorch_value)
WITHOUT(missing_operators, ctorch_value)
WITHOUT(text, ctorch_string)
WITHOUT(requirements, ctorch_string)

#endif
