/* Running of graphs: graph.h. */
#include "base/sequence.h"
#include "export/graph.h"

#if CTORCH_HAS_JANSSON

#include <stdlib.h>

#include "core/c/boxed.h"
#include "core/c/error.h"

/* Lists are made for each call, for an operator may keep what it is given. */
static ctorch_error *list_of(ctorch_value **out, const struct frame *frame, const struct graph_argument *list) {
  const ctorch_value **entries = calloc(list->len + 1, sizeof *entries);
  if (entries == NULL) {
    return error_memory("ctorch_module_call", (list->len + 1) * sizeof *entries);
  }
  size_t made = 0;
  ctorch_error *error = NULL;
  while (error == NULL && made < list->len) {
    error = graph_value_of(&entries[made], frame, &list->items[made]);
    made += error == NULL ? 1 : 0;
  }
  THEN(error, ctorch_value_from_list(out, entries, made));
  while (made > 0) {
    made--;
    graph_release(entries[made], &list->items[made]);
  }
  free(entries);
  return error;
}

ctorch_error *graph_value_of(
    const ctorch_value **out, const struct frame *frame, const struct graph_argument *argument) {
  if (argument->kind == GRAPH_LIST) {
    ctorch_value *list = NULL;
    CTORCH_TRY(list_of(&list, frame, argument));
    *out = list;
    return NULL;
  }
  *out = argument->kind == GRAPH_SLOT ? frame->slots[argument->slot] : argument->constant;
  return NULL;
}

/* Results ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *bind_all(
    const char *function,
    struct frame *frame,
    const struct graph_argument *outputs,
    size_t outputs_len,
    const ctorch_value *results);

static ctorch_error *bind(
    const char *function, struct frame *frame, const struct graph_argument *output, const ctorch_value *result) {
  if (output->kind == GRAPH_LIST) {
    return bind_all(function, frame, output->items, output->len, result);
  }
  if (output->kind == GRAPH_SLOT) {
    ctorch_value_retain(result);
    frame->slots[output->slot] = (ctorch_value *)result;
  }
  return NULL;
}

static ctorch_error *bind_all(
    const char *function,
    struct frame *frame,
    const struct graph_argument *outputs,
    size_t outputs_len,
    const ctorch_value *results) {
  size_t len = value_is_sequence(results) ? ctorch_value_len(results) : 0;
  if (len != outputs_len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "it gives %zu results, and the program was exported for %zu", len, outputs_len);
  }
  for (size_t i = 0; i < outputs_len; i++) {
    ctorch_value *result = NULL;
    CTORCH_TRY(ctorch_value_get(&result, results, i));
    ctorch_error *error = bind(function, frame, &outputs[i], result);
    ctorch_value_release(result);
    CTORCH_TRY(error);
  }
  return NULL;
}

static ctorch_error *bind_results(
    const char *function, struct frame *frame, const struct node *node, const ctorch_value *result) {
  if (node->outputs_len == 0) {
    return NULL;
  }
  bool is_one = node->outputs_len == 1 && (node->control == NULL || node->outputs[0].kind == GRAPH_LIST);
  return is_one ? bind(function, frame, &node->outputs[0], result)
                : bind_all(function, frame, node->outputs, node->outputs_len, result);
}

/* Nodes ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *call(
    const char *function, ctorch_value **out, const struct node *node, const ctorch_value *const *args) {
  if (node->call != NULL) {
    return node->call(function, out, args, node->args_len);
  }
  return node->op != NULL ? ctorch_op_call(out, node->op, args, node->args_len)
                          : error_make(function, CTORCH_ERROR_UNSUPPORTED, "this LibTorch has no such operator");
}

static ctorch_error *call_with_arguments(
    const char *function, ctorch_value **out, const struct frame *frame, const struct node *node) {
  const ctorch_value *few[16], **args = few;
  if (node->args_len > sizeof few / sizeof *few) {
    args = calloc(node->args_len, sizeof *args);
    if (args == NULL) {
      return error_memory(function, node->args_len * sizeof *args);
    }
  }
  size_t made = 0;
  ctorch_error *error = NULL;
  while (error == NULL && made < node->args_len) {
    error = graph_value_of(&args[made], frame, &node->args[made]);
    made += error == NULL ? 1 : 0;
  }
  THEN(error, call(function, out, node, args));
  while (made > 0) {
    made--;
    graph_release(args[made], &node->args[made]);
  }
  if (args != few) {
    free(args);
  }
  return error;
}

static ctorch_error *run_node(const char *function, struct frame *frame, const struct node *node) {
  ctorch_value *result = NULL;
  ctorch_error *error = node->control != NULL ? node->control(function, &result, frame, node)
                                              : call_with_arguments(function, &result, frame, node);
  THEN(error, bind_results(function, frame, node, result));
  ctorch_value_release(result);
  for (size_t i = 0; i < node->last_len; i++) {
    ctorch_value_release(frame->slots[node->last[i]]);
    frame->slots[node->last[i]] = NULL;
  }
  return node->source != NULL ? error_at(error, "%s (%s), %s", node->name, node->target, node->source)
                              : error_at(error, "%s (%s)", node->name, node->target);
}

/* Graphs ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *give_outputs(ctorch_value **outputs, const struct graph *self, const struct frame *frame) {
  size_t made = 0;
  ctorch_error *error = NULL;
  while (error == NULL && made < self->outputs_len) {
    const ctorch_value *value = NULL;
    error = graph_value_of(&value, frame, &self->outputs[made]);
    if (error == NULL) {
      if (self->outputs[made].kind != GRAPH_LIST) {
        ctorch_value_retain(value);
      }
      outputs[made++] = (ctorch_value *)value;
    }
  }
  while (error != NULL && made > 0) {
    ctorch_value_release(outputs[--made]);
    outputs[made] = NULL;
  }
  return error;
}

ctorch_error *graph_run(
    const char *function,
    ctorch_value **outputs,
    const struct graph *self,
    const ctorch_value *const *inputs,
    size_t inputs_len) {
  if (inputs_len != self->inputs_len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "the graph takes %zu values, and is given %zu", self->inputs_len, inputs_len);
  }
  struct frame frame = {calloc(self->slots_len + 1, sizeof *frame.slots)};
  ctorch_error *error =
      frame.slots == NULL ? error_memory(function, (self->slots_len + 1) * sizeof *frame.slots) : NULL;
  for (size_t i = 0; error == NULL && i < inputs_len; i++) {
    error = bind(function, &frame, &self->inputs[i], inputs[i]);
  }
  for (size_t i = 0; error == NULL && i < self->nodes_len; i++) {
    error = run_node(function, &frame, &self->nodes[i]);
  }
  THEN(error, give_outputs(outputs, self, &frame));
  for (size_t i = 0; frame.slots != NULL && i < self->slots_len; i++) {
    ctorch_value_release(frame.slots[i]);
  }
  free(frame.slots);
  return error_of(function, error);
}

#endif
