/* The graph of an exported program for people. */
#include "program.h"

#if CTORCH_HAS_JANSSON

#include <stdlib.h>
#include <string.h>

#include "tensor.h"
#include "text.h"

enum { DEEPEST = 64 };

static void add_graph(struct text *text, const json_t *graph, int depth);

static void add_argument(struct text *text, const json_t *json, int depth);

static void add_list(struct text *text, const json_t *list, int depth) {
  text_add(text, "[");
  for (size_t i = 0; i < json_array_size(list); i++) {
    text_add(text, i == 0 ? "" : ", ");
    add_argument(text, json_array_get(list, i), depth + 1);
  }
  text_add(text, "]");
}

/* What a union holds, whichever it is: names as they are, the rest as JSON. */
static void add_argument(struct text *text, const json_t *json, int depth) {
  const char *name = json_string_value(json_object_get(json, "name"));
  if (depth > DEEPEST) {
    text_add(text, "…");
  } else if (json_is_array(json)) {
    add_list(text, json, depth);
  } else if (json_object_get(json, "graph") != NULL) {
    text_add(text, "%s", name == NULL ? "graph" : name);
  } else if (name != NULL) {
    text_add(text, "%s", name);
  } else if (json_is_object(json) && json_object_size(json) == 1) {
    void *member = json_object_iter((json_t *)json);
    const char *key = json_object_iter_key(member);
    const json_t *value = json_object_iter_value(member);
    if (strcmp(key, "as_none") == 0) {
      text_add(text, "None");
    } else if (strcmp(key, "as_name") == 0 && json_is_string(value)) {
      text_add(text, "%s", json_string_value(value));
    } else {
      add_argument(text, value, depth + 1);
    }
  } else {
    char *dumped = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT);
    text_add(text, "%s", dumped == NULL ? "…" : dumped);
    free(dumped);
  }
}

static void indent(struct text *text, int depth) {
  for (int i = 0; i < depth; i++) {
    text_add(text, "    ");
  }
}

static void add_names(struct text *text, const json_t *arguments, int depth) {
  for (size_t i = 0; i < json_array_size(arguments); i++) {
    text_add(text, i == 0 ? "" : ", ");
    add_argument(text, json_array_get(arguments, i), depth);
  }
}

static void add_node(struct text *text, const json_t *node, int depth) {
  const json_t *inputs = json_object_get(node, "inputs");
  const char *target = json_string_value(json_object_get(node, "target"));
  for (size_t i = 0; i < json_array_size(inputs); i++) { /* graphs that it runs come first */
    const json_t *inner = json_object_get(json_object_get(json_array_get(inputs, i), "arg"), "as_graph");
    if (inner != NULL && depth < DEEPEST) {
      indent(text, depth);
      text_add(text, "def %s", json_string_value(json_object_get(inner, "name")));
      add_graph(text, json_object_get(inner, "graph"), depth);
    }
  }
  indent(text, depth);
  add_names(text, json_object_get(node, "outputs"), depth);
  text_add(text, "%s%s(", json_array_size(json_object_get(node, "outputs")) > 0 ? " = " : "", target ? target : "?");
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    const json_t *input = json_array_get(inputs, i);
    const char *name = json_string_value(json_object_get(input, "name"));
    text_add(text, "%s%s%s", i == 0 ? "" : ", ", name ? name : "", name && *name ? "=" : "");
    add_argument(text, json_object_get(input, "arg"), depth);
  }
  text_add(text, ")\n");
}

/* From the parameters on. */
static void add_graph(struct text *text, const json_t *graph, int depth) {
  const json_t *nodes = json_object_get(graph, "nodes");
  text_add(text, "(");
  add_names(text, json_object_get(graph, "inputs"), depth);
  text_add(text, "):\n");
  for (size_t i = 0; i < json_array_size(nodes); i++) {
    add_node(text, json_array_get(nodes, i), depth + 1);
  }
  indent(text, depth + 1);
  text_add(text, "return ");
  add_names(text, json_object_get(graph, "outputs"), depth);
  text_add(text, "\n");
}

ctorch_error *program_text(const char *function, ctorch_string **out, const ctorch_exported_program *self) {
  struct text text = {.function = function};
  text_add(&text, "def forward");
  add_graph(&text, program_graph(self), 0);
  ctorch_error *error = text.error == NULL ? string_give(function, out, text_data(&text), text.len) : NULL;
  ctorch_error *failed = text_end(&text);
  return failed != NULL ? failed : error;
}

#endif
