/* Graphs of operators as torch.export writes them, made ready to run.
 *
 * Each value has a slot in the frame of a run; each node fills those of its results, and empties those that nobody
 * reads any more. A graph does not change: several threads may run it at once.
 *
 * Source of the form: torch/_export/serde/schema.py of PyTorch. */
#ifndef CTORCH_SHIM_EXPORT_GRAPH_H
#define CTORCH_SHIM_EXPORT_GRAPH_H

#include <ctorch.h>

#include "io/json_read.h"

#if CTORCH_HAS_JANSSON

struct graph;
struct frame;
struct node;

/* What a node is given, and where its results go. */
struct graph_argument {
  enum { GRAPH_CONSTANT, GRAPH_SLOT, GRAPH_LIST, GRAPH_GRAPH } kind;
  ctorch_value *constant;       /* taken; None as a place for results is nowhere */
  size_t slot;                  /* in the frame */
  struct graph_argument *items; /* of a list */
  size_t len;
  struct graph *graph; /* of a node of control flow */
};

/* Functions of Python's on numbers, and control flow. */
typedef ctorch_error *graph_function(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len);
typedef ctorch_error *graph_control(
    const char *function, ctorch_value **out, const struct frame *frame, const struct node *node);

struct node {
  char *name, *target; /* as the file has them */
  char *source;        /* the line of Python that it comes from; NULL */
  ctorch_op *op;       /* one of these; NULL if this LibTorch does not have it */
  graph_function *call;
  graph_control *control; /* gives a tuple */
  struct graph_argument *args, *outputs;
  size_t args_len, outputs_len;
  size_t *last; /* slots that no later node reads */
  size_t last_len;
};

struct graph {
  struct graph_argument *inputs, *outputs; /* an input is a slot or, if the program was exported for one value, that */
  size_t inputs_len, outputs_len;
  struct node *nodes;
  size_t nodes_len;
  size_t slots_len;
};

/* The slots of a run. */
struct frame {
  ctorch_value **slots;
};

/* Make a graph of a "graph" of a file. FORMAT says what is wrong, UNSUPPORTED what cannot be run, with the node. */
ctorch_error *graph_read(const char *function, struct graph **out, const json_t *json)
    __attribute__((warn_unused_result));
void graph_free(struct graph *self);

/* A device and a float as the schema has them; false for what is none. */
bool graph_device(ctorch_device *out, const json_t *json);
bool graph_float(double *out, const json_t *json);

/* The name of an input or output; NULL for a constant. */
const char *graph_argument_name(const json_t *argument);

/* Run it. `outputs` has room for all; what they get is the caller's. What fails names the node and its line of
 * Python. */
ctorch_error *graph_run(
    const char *function,
    ctorch_value **outputs,
    const struct graph *self,
    const ctorch_value *const *inputs,
    size_t inputs_len) __attribute__((warn_unused_result));

/* What an argument is: borrowed, unless it is a list, which the caller releases. */
ctorch_error *graph_value_of(const ctorch_value **out, const struct frame *frame, const struct graph_argument *argument)
    __attribute__((warn_unused_result));
static inline void graph_release(const ctorch_value *value, const struct graph_argument *argument) {
  if (argument->kind == GRAPH_LIST) {
    ctorch_value_release((ctorch_value *)value);
  }
}

/* NULL if there is no such function. */
graph_function *graph_function_of(const char *target);
graph_control *graph_control_of(const char *target);

#endif
#endif
