/* Graphs of modules in summaries: traced with hooks that say which module is called, as Python does. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/jit_nodes.h"
#include "core/c/jit_tracing.h"
#include "tensorboard/writer.h"

static const char ADD_GRAPH[] = "ctorch_summary_writer_add_graph";

/* A module inside the one that is traced. */
struct traced_module {
  ctorch_module *module;
  ctorch_hook *enter, *leave; /* NULL for that one itself */
  bool was_training;
};

struct traced {
  ctorch_named_modules *names;
  struct traced_module *modules;
  size_t len;
};

static ctorch_callback_status on_enter(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  (void)out, (void)module, (void)args, (void)kwargs;
  *error = jit_scope_enter(ADD_GRAPH, payload);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status on_leave(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  (void)out, (void)module, (void)args, (void)kwargs, (void)output, (void)payload;
  *error = jit_scope_leave(ADD_GRAPH);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_error *watch(struct traced_module *self, const char *name) {
  static const char BEFORE[] = "__module.";
  if (name[0] == '\0') {
    return NULL;
  }
  const size_t size = sizeof BEFORE + strlen(name);
  char *scope = malloc(size);
  if (scope == NULL) {
    return error_memory(ADD_GRAPH, size);
  }
  snprintf(scope, size, "%s%s", BEFORE, name);
  ctorch_error *error =
      ctorch_module_register_forward_pre_hook(&self->enter, self->module, on_enter, false, true, free, scope);
  if (error != NULL) {
    free(scope);
    return error;
  }
  return ctorch_module_register_forward_hook(&self->leave, self->module, on_leave, false, false, NULL, NULL);
}

static ctorch_error *begin(struct traced *self, ctorch_module *model) {
  CTORCH_TRY(ctorch_module_named_modules(&self->names, model, NULL, true));
  const size_t len = ctorch_named_modules_len(self->names);
  self->modules = calloc(len + 1, sizeof *self->modules);
  if (self->modules == NULL) {
    return error_memory(ADD_GRAPH, (len + 1) * sizeof *self->modules);
  }
  for (size_t i = 0; i < len; i++) {
    struct traced_module *traced = &self->modules[i];
    CTORCH_TRY(ctorch_named_modules_get(&traced->module, self->names, i));
    traced->was_training = ctorch_module_training(traced->module);
    self->len++;
    CTORCH_TRY(watch(traced, ctorch_named_modules_name(self->names, i)));
  }
  return ctorch_module_train(model, false);
}

/* Undo it all, the innermost mode last, for `train` sets those inside as well. */
static ctorch_error *end(struct traced *self) {
  ctorch_error *error = NULL;
  for (size_t i = 0; i < self->len; i++) {
    struct traced_module *traced = &self->modules[i];
    if (traced->enter != NULL) {
      ctorch_hook_remove(traced->enter);
    }
    if (traced->leave != NULL) {
      ctorch_hook_remove(traced->leave);
    }
    ctorch_hook_release(traced->enter);
    ctorch_hook_release(traced->leave);
    ctorch_error *failure = ctorch_module_train(traced->module, traced->was_training);
    ctorch_error_release(error == NULL ? NULL : failure);
    THEN(error, failure);
    ctorch_module_release(traced->module);
  }
  free(self->modules);
  ctorch_named_modules_release(self->names);
  return error;
}

static ctorch_error *take_nodes(const char *function, const jit_node *nodes, size_t nodes_len, void *payload) {
  struct graph_node *drawn = calloc(nodes_len + 1, sizeof *drawn);
  if (drawn == NULL) {
    return error_memory(function, (nodes_len + 1) * sizeof *drawn);
  }
  for (size_t i = 0; i < nodes_len; i++) {
    const jit_node *node = &nodes[i];
    drawn[i] = (struct graph_node){node->name,       node->op,        node->attributes, node->inputs,
                                   node->inputs_len, node->has_shape, node->shape,      node->ndim};
  }
  ctorch_error *error = message_graph(function, drawn, nodes_len, payload);
  free(drawn);
  return error;
}

static ctorch_error *add_events(
    ctorch_summary_writer *self, const struct buffer *graph, const struct buffer *run, const double *walltime) {
  struct event event = {.what = EVENT_GRAPH, .data = {graph->data, graph->len}};
  CTORCH_TRY(summary_add_event(ADD_GRAPH, self, &event, walltime));
  event = (struct event){.what = EVENT_RUN_METADATA, .tag = "step1", .data = {run->data, run->len}};
  return summary_add_event(ADD_GRAPH, self, &event, walltime);
}

static ctorch_error *add_script(ctorch_summary_writer *self, const ctorch_jit_module *script, const double *walltime) {
  struct buffer graph = {NULL, 0, 0}, run = {NULL, 0, 0};
  ctorch_error *error = jit_nodes(ADD_GRAPH, script, take_nodes, &graph);
  THEN(error, message_run_metadata(ADD_GRAPH, &run));
  THEN(error, add_events(self, &graph, &run, walltime));
  free(graph.data);
  free(run.data);
  return error;
}

ctorch_error *ctorch_summary_writer_add_graph(
    ctorch_summary_writer *self,
    ctorch_module *model,
    const ctorch_value *const *inputs,
    size_t inputs_len,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  struct traced traced = {NULL, NULL, 0};
  ctorch_jit_module *script = NULL;
  CTORCH_TRY(summary_check_writer(__func__, self));
  if (model == NULL) {
    return error_null(__func__, "model");
  }
  ctorch_error *error = begin(&traced, model);
  THEN(error, ctorch_jit_trace_module(&script, model, inputs, inputs_len));
  ctorch_error *failure = end(&traced);
  if (error == NULL && failure == NULL) {
    error = add_script(self, script, walltime);
  }
  ctorch_jit_module_release(script);
  ctorch_error_release(error == NULL ? NULL : failure);
  return error_of(__func__, error != NULL ? error : failure);
}
