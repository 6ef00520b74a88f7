/* An exported program as its parts see it: what the file said, the graph made ready, and the values that fill its inputs
 * beside those of a call. */
#ifndef CTORCH_EXPORTED_PROGRAM_PARTS_H
#define CTORCH_EXPORTED_PROGRAM_PARTS_H

#include <ctorch.h>

#include "graph.h"
#include "pt2_archive.h"

#if CTORCH_HAS_JANSSON

/* An input of the graph. */
struct program_input {
  const char *name;    /* in the graph; borrowed from the document, NULL for a constant */
  const char *target;  /* of the program's own tensor: "layer.weight"; NULL for a user's */
  ctorch_value *value; /* that tensor, taken; NULL for a user's */
  const json_t *meta;  /* what the graph says of a user's tensor; borrowed, NULL */
  const json_t *equal; /* what a user's value has to be; borrowed, NULL */
};

/* An output of the graph. */
struct program_output {
  enum { OUTPUT_RESULT, OUTPUT_WRITTEN } kind;
  size_t written; /* the input whose tensor gets it */
};

struct ctorch_exported_program {
  json_t *document;
  struct graph *graph;
  char *missing; /* why there is no graph; NULL */
  json_t *arguments, *results;
  struct program_input *inputs;
  struct program_output *outputs;
  size_t inputs_len, outputs_len;
  ctorch_value *state_dict, *constants, *example_inputs; /* taken */
};

/* Read the weights, constants and example inputs of an archive into a program whose document is there. */
ctorch_error *program_read_weights(const char *function, ctorch_exported_program *self, struct pt2_archive *archive)
    __attribute__((warn_unused_result));

/* Read the signature, whose tensors are there, and the graph. */
ctorch_error *program_read_signature(const char *function, ctorch_exported_program *self)
    __attribute__((warn_unused_result));

/* That leaves are what it was exported for: as many, and of those sizes. */
ctorch_error *program_check(
    const char *function, const ctorch_exported_program *self, const ctorch_value *const *inputs)
    __attribute__((warn_unused_result));

/* The graph as text. */
ctorch_error *program_text(const char *function, ctorch_string **out, const ctorch_exported_program *self)
    __attribute__((warn_unused_result));

/* The parts of the document, borrowed. */
const json_t *program_graph_module(const ctorch_exported_program *self);
const json_t *program_graph(const ctorch_exported_program *self);

#endif
#endif
