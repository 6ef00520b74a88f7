/* Nodes that run graphs of their own: torch.ops.higher_order. */
#include "base/sequence.h"
#include "export/graph.h"

#if CTORCH_HAS_JANSSON

#include <stdlib.h>
#include <string.h>

#include "base/device_name.h"
#include "core/c/boxed.h"
#include "core/c/error.h"

static ctorch_error *unfit(const char *function) {
  return error_make(function, CTORCH_ERROR_FORMAT, "its arguments are not those of this node");
}

static const struct graph *graph_at(const struct node *node, size_t index) {
  return index < node->args_len && node->args[index].kind == GRAPH_GRAPH ? node->args[index].graph : NULL;
}

/* Values one after the other, which are owned. */
struct values {
  ctorch_value **data;
  size_t len;
};

static void end(struct values *self) {
  while (self->len > 0) {
    ctorch_value_release(self->data[--self->len]);
  }
  free(self->data);
  self->data = NULL;
}

static ctorch_error *begin(const char *function, struct values *self, size_t most) {
  *self = (struct values){calloc(most + 1, sizeof *self->data), 0};
  return self->data != NULL ? NULL : error_memory(function, (most + 1) * sizeof *self->data);
}

/* The entries of a node's lists, one list after the other. */
static ctorch_error *entries_of(
    const char *function,
    struct values *out,
    const struct frame *frame,
    const struct graph_argument *lists,
    size_t lists_len) {
  size_t len = 0;
  for (size_t i = 0; i < lists_len; i++) {
    len += lists[i].kind == GRAPH_LIST ? lists[i].len : 1;
  }
  CTORCH_TRY(begin(function, out, len));
  for (size_t i = 0; i < lists_len; i++) {
    const struct graph_argument *list = &lists[i], *items = list->kind == GRAPH_LIST ? list->items : list;
    for (size_t j = 0; j < (list->kind == GRAPH_LIST ? list->len : 1); j++) {
      const ctorch_value *value = NULL;
      CTORCH_TRY(graph_value_of(&value, frame, &items[j]));
      if (items[j].kind != GRAPH_LIST) {
        ctorch_value_retain(value);
      }
      out->data[out->len++] = (ctorch_value *)value;
    }
  }
  return NULL;
}

static ctorch_error *run(
    const char *function, struct values *out, const struct graph *graph, const struct values *inputs) {
  CTORCH_TRY(begin(function, out, graph->outputs_len));
  CTORCH_TRY(graph_run(function, out->data, graph, (const ctorch_value *const *)inputs->data, inputs->len));
  out->len = graph->outputs_len;
  return NULL;
}

static ctorch_error *as_tuple(ctorch_value **out, const struct values *values) {
  return ctorch_value_from_tuple(out, (const ctorch_value *const *)values->data, values->len);
}

/* Run a graph on what lists hold, and give a tuple. */
static ctorch_error *run_on(
    const char *function,
    ctorch_value **out,
    const struct graph *graph,
    const struct frame *frame,
    const struct graph_argument *lists,
    size_t lists_len) {
  struct values inputs = {0}, outputs = {0};
  ctorch_error *error = entries_of(function, &inputs, frame, lists, lists_len);
  THEN(error, run(function, &outputs, graph, &inputs));
  THEN(error, as_tuple(out, &outputs));
  end(&outputs);
  end(&inputs);
  return error;
}

/* A bool, or a tensor of one element. */
static ctorch_error *truth_of(const char *function, bool *out, const ctorch_value *value) {
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return error_of(function, ctorch_value_to_bool(out, value));
  }
  ctorch_tensor *tensor = NULL;
  ctorch_scalar scalar = {0};
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = ctorch_aten_item(&scalar, tensor);
  ctorch_tensor_release(tensor);
  *out = scalar.i != 0 || scalar.re != 0 || scalar.im != 0;
  return error;
}

/* cond(pred, true_graph, false_graph, operands) */
static ctorch_error *cond(
    const char *function, ctorch_value **out, const struct frame *frame, const struct node *node) {
  if (node->args_len < 3 || graph_at(node, 1) == NULL || graph_at(node, 2) == NULL) {
    return unfit(function);
  }
  bool truth = false;
  const ctorch_value *predicate = NULL;
  CTORCH_TRY(graph_value_of(&predicate, frame, &node->args[0]));
  ctorch_error *error = truth_of(function, &truth, predicate);
  graph_release(predicate, &node->args[0]);
  return error != NULL
             ? error
             : run_on(function, out, graph_at(node, truth ? 1 : 2), frame, node->args + 3, node->args_len - 3);
}

/* Whether a loop goes on. */
static ctorch_error *goes_on(const char *function, bool *out, const struct graph *graph, const struct values *inputs) {
  struct values outputs = {0};
  ctorch_error *error = run(function, &outputs, graph, inputs);
  THEN(error, outputs.len == 1 ? truth_of(function, out, outputs.data[0]) : unfit(function));
  end(&outputs);
  return error;
}

/* while_loop(cond_graph, body_graph, carried_inputs, additional_inputs) */
static ctorch_error *while_loop(
    const char *function, ctorch_value **out, const struct frame *frame, const struct node *node) {
  const struct graph *condition = graph_at(node, 0), *body = graph_at(node, 1);
  if (condition == NULL || body == NULL || node->args_len < 3 || node->args[2].kind != GRAPH_LIST) {
    return unfit(function);
  }
  size_t carried = node->args[2].len;
  if (body->outputs_len != carried) {
    return unfit(function);
  }
  struct values inputs = {0};
  bool is_on = true;
  ctorch_error *error = entries_of(function, &inputs, frame, node->args + 2, node->args_len - 2);
  while (error == NULL && (error = goes_on(function, &is_on, condition, &inputs)) == NULL && is_on) {
    struct values outputs = {0};
    error = run(function, &outputs, body, &inputs);
    for (size_t i = 0; error == NULL && i < carried; i++) {
      ctorch_value *before = inputs.data[i];
      inputs.data[i] = outputs.data[i];
      outputs.data[i] = before;
    }
    end(&outputs);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)inputs.data, carried));
  end(&inputs);
  return error;
}

/* wrap_with_set_grad_enabled(enabled, graph, *args) */
static ctorch_error *with_grad_mode(
    const char *function, ctorch_value **out, const struct frame *frame, const struct node *node) {
  bool enabled = false;
  if (graph_at(node, 1) == NULL || node->args[0].kind != GRAPH_CONSTANT) {
    return unfit(function);
  }
  CTORCH_TRY(ctorch_value_to_bool(&enabled, node->args[0].constant));
  CTORCH_TRY(ctorch_grad_mode_push(enabled));
  ctorch_error *error = run_on(function, out, graph_at(node, 1), frame, node->args + 2, node->args_len - 2);
  ctorch_error_release(ctorch_grad_mode_pop());
  return error;
}

/* wrap_with_autocast(device_type, dtype, enabled, cache_enabled, graph, *args) */
static ctorch_error *with_autocast(
    const char *function, ctorch_value **out, const struct frame *frame, const struct node *node) {
  const ctorch_value *given[4];
  if (graph_at(node, 4) == NULL) {
    return unfit(function);
  }
  for (size_t i = 0; i < 4; i++) {
    if (node->args[i].kind != GRAPH_CONSTANT) {
      return unfit(function);
    }
    given[i] = node->args[i].constant;
  }
  const char *type = NULL;
  size_t type_len = 0;
  bool enabled = false, cache_enabled = true;
  ctorch_dtype dtype = 0;
  ctorch_device device = {0};
  const bool has_dtype = ctorch_value_kind_of(given[1]) != CTORCH_VALUE_NONE;
  const bool has_cache = ctorch_value_kind_of(given[3]) != CTORCH_VALUE_NONE;
  CTORCH_TRY(ctorch_value_to_string(&type, &type_len, given[0]));
  if (!device_name_parse(&device, type)) {
    return unfit(function);
  }
  CTORCH_TRY(ctorch_value_to_bool(&enabled, given[2]));
  CTORCH_TRY(has_dtype ? ctorch_value_to_dtype(&dtype, given[1]) : NULL);
  CTORCH_TRY(has_cache ? ctorch_value_to_bool(&cache_enabled, given[3]) : NULL);
  CTORCH_TRY(ctorch_autocast_push(device.type, enabled, has_dtype ? &dtype : NULL, has_cache ? &cache_enabled : NULL));
  ctorch_error *error = run_on(function, out, graph_at(node, 4), frame, node->args + 5, node->args_len - 5);
  ctorch_error_release(ctorch_autocast_pop());
  return error;
}

graph_control *graph_control_of(const char *target) {
  static const struct {
    const char *target;
    graph_control *control;
  } CONTROLS[] = {
      {"torch.ops.higher_order.cond", cond},
      {"torch.ops.higher_order.while_loop", while_loop},
      {"torch.ops.higher_order.wrap_with_set_grad_enabled", with_grad_mode},
      {"torch.ops.higher_order.wrap_with_autocast", with_autocast},
  };
  for (size_t i = 0; i < sizeof CONTROLS / sizeof *CONTROLS; i++) {
    if (strcmp(CONTROLS[i].target, target) == 0) {
      return CONTROLS[i].control;
    }
  }
  return NULL;
}

#endif
