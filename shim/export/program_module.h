/* A module that runs an exported program: what its graph is given and gives. */
#ifndef CTORCH_SHIM_EXPORT_PROGRAM_MODULE_H
#define CTORCH_SHIM_EXPORT_PROGRAM_MODULE_H

#include <ctorch.h>

#include "export/exported_program.h"
#include "export/graph.h"

#if CTORCH_HAS_JANSSON

/* An input of the graph. All texts and JSON are the program's. */
struct exported_input {
  enum { INPUT_USER, INPUT_PARAMETER, INPUT_BUFFER } kind;
  const char *name;    /* in the graph; NULL for a constant */
  const char *target;  /* of a tensor of the module's: "layer.weight" */
  bool persistent;     /* whether state dicts have it */
  const json_t *meta;  /* what the graph says of a tensor; NULL */
  const json_t *equal; /* what a user's value has to be; NULL */
};

/* An output of the graph. */
struct exported_output {
  enum { OUTPUT_RESULT, OUTPUT_WRITTEN } kind;
  size_t written; /* the input whose tensor gets it */
};

/* What modules of one program share: an object (object.h), which does not change. */
struct exported_model {
  ctorch_exported_program *program; /* object_ref */
  struct graph *graph;
  json_t *arguments, *results; /* trees */
  struct exported_input *inputs;
  struct exported_output *outputs;
  size_t inputs_len, outputs_len;
};

/* Read the signature and the graph of its program. */
ctorch_error *exported_model_read(const char *function, struct exported_model *self)
    __attribute__((warn_unused_result));

/* That inputs are what it was exported for: of those sizes, and equal where they have to be. */
ctorch_error *exported_model_check(
    const char *function, const struct exported_model *self, const ctorch_value *const *inputs)
    __attribute__((warn_unused_result));

#endif
#endif
