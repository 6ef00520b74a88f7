/* The JSON of exported programs, as torch/_export/serde/schema.py defines it. What is not as it says reads as
 * nothing. */
#include "export/exported_graph.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/c/error.h"

#if CTORCH_HAS_JANSSON

const json_t *exported_graph_of(const ctorch_exported_program *self) {
  const json_t *graph = json_object_get(json_object_get(self->program, "graph_module"), "graph");
  return json_is_object(graph) ? graph : NULL;
}

/* Operators -------------------------------------------------------------------------------------------------------- */

static const char OPERATORS[] = "torch.ops.";

bool exported_is_operator(const char *target) { return strncmp(target, OPERATORS, strlen(OPERATORS)) == 0; }

void exported_add_target(struct text *text, const char *target) {
  if (!exported_is_operator(target)) {
    text_add(text, "%s", target);
    return;
  }
  const char *name = target + strlen(OPERATORS), *dot = strchr(name, '.');
  if (dot == NULL) {
    text_add(text, "%s", name);
    return;
  }
  const char *last = strrchr(dot + 1, '.');
  const bool is_default = last != NULL && strcmp(last, ".default") == 0;
  const size_t len = is_default ? (size_t)(last - dot - 1) : strlen(dot + 1);
  text_add(text, "%.*s::%.*s", (int)(dot - name), name, (int)len, dot + 1);
}

/* Sizes ------------------------------------------------------------------------------------------------------------ */

struct sympy {
  struct text *text;
  const char *at;
  int depth;
};

static void add_sympy(struct sympy *self);

static size_t name_len(const char *at) {
  size_t len = 0;
  while (isalnum((unsigned char)at[len]) || at[len] == '_' || at[len] == '.') {
    len++;
  }
  return len;
}

/* To behind the parenthesis that closes what is open. */
static void skip_to_end(struct sympy *self) {
  for (int depth = 1; *self->at != '\0' && depth > 0; self->at++) {
    depth += (*self->at == '(') - (*self->at == ')');
  }
}

/* What stands between two parentheses, apart by `between`. */
static void add_entries(struct sympy *self, const char *between) {
  for (bool is_first = true; *self->at != ')' && *self->at != '\0'; is_first = false) {
    text_add(self->text, "%s", is_first ? "" : between);
    add_sympy(self);
    if (*self->at != ',' && *self->at != ')') {
      break;
    }
    self->at += strspn(self->at, ", ");
  }
  self->at += *self->at == ')';
}

static void add_sympy(struct sympy *self) {
  enum { DEEPEST = 50 };
  const char *name = self->at;
  const size_t len = name_len(name);
  self->at += len;
  if (len == 0 || *self->at != '(' || ++self->depth > DEEPEST) {
    text_add(self->text, "%s", name); /* in another form: all of it */
    self->at += strlen(self->at);
    return;
  }
  self->at++;
  if (len == 6 && memcmp(name, "Symbol", len) == 0 && *self->at == '\'') {
    text_bytes(self->text, self->at + 1, strcspn(self->at + 1, "'"));
    skip_to_end(self);
  } else if (len == 7 && memcmp(name, "Integer", len) == 0) {
    text_bytes(self->text, self->at, strcspn(self->at, ")"));
    skip_to_end(self);
  } else if (len == 3 && (memcmp(name, "Mul", len) == 0 || memcmp(name, "Add", len) == 0)) {
    const bool is_sum = *name == 'A', is_inside = self->depth > 1;
    text_add(self->text, "%s", is_sum && is_inside ? "(" : "");
    add_entries(self, is_sum ? " + " : "*");
    text_add(self->text, "%s", is_sum && is_inside ? ")" : "");
  } else {
    text_add(self->text, "%.*s(", (int)len, name);
    add_entries(self, ", ");
    text_add(self->text, ")");
  }
  self->depth--;
}

void exported_add_expression(struct text *text, const char *expression) {
  struct sympy sympy = {text, expression, 0};
  add_sympy(&sympy);
}

void exported_add_size(struct text *text, const json_t *size) {
  const json_t *number = json_object_get(size, "as_int");
  const char *expression = json_string_value(json_object_get(json_object_get(size, "as_expr"), "expr_str"));
  if (json_is_integer(number)) {
    text_add(text, "%lld", (long long)json_integer_value(number));
  } else if (expression != NULL) {
    exported_add_expression(text, expression);
  } else {
    text_add(text, "?");
  }
}

/* Nodes ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *visit_nodes(
    const char *function, const json_t *graph, exported_visit visit, void *payload, int depth) {
  enum { DEEPEST = 50 };
  const json_t *nodes = json_object_get(graph, "nodes");
  if (depth > DEEPEST) {
    return error_make(function, CTORCH_ERROR_FORMAT, "graphs are nested more than %d deep", (int)DEEPEST);
  }
  for (size_t i = 0; i < json_array_size(nodes); i++) {
    const json_t *node = json_array_get(nodes, i), *inputs = json_object_get(node, "inputs");
    CTORCH_TRY(visit(function, node, payload));
    for (size_t k = 0; k < json_array_size(inputs); k++) {
      const json_t *inner =
          json_object_get(json_object_get(json_object_get(json_array_get(inputs, k), "arg"), "as_graph"), "graph");
      if (inner != NULL) {
        CTORCH_TRY(visit_nodes(function, inner, visit, payload, depth + 1));
      }
    }
  }
  return NULL;
}

ctorch_error *exported_visit_nodes(const char *function, const json_t *graph, exported_visit visit, void *payload) {
  return visit_nodes(function, graph, visit, payload, 0);
}

#endif
