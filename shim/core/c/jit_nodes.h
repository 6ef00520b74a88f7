/** The nodes of a TorchScript graph, by names that say which module they are of: what a picture of it is drawn from. */
#ifndef CTORCH_SHIM_CORE_C_JIT_NODES_H
#define CTORCH_SHIM_CORE_C_JIT_NODES_H

#include "ctorch/abi/base.h"
#include "ctorch/jit/jit.h"

CTORCH_BEGIN_DECLS

/** Borrowed for the call that gets it. */
typedef struct jit_node {
  const char *name;       /* "Net/Sequential[body]/Linear[0]/input.1" */
  const char *op;         /* "aten::linear", "IO Node" */
  const char *attributes; /* "{ value : 1}" */
  const char *const *inputs;
  size_t inputs_len;
  bool has_shape;
  const int64_t *shape;
  size_t ndim;
} jit_node;

/** All nodes of the method "forward", with those of the methods that it calls in their places, handed over together. */
ctorch_error *jit_nodes(
    const char *function,
    const ctorch_jit_module *self,
    ctorch_error *(*take)(const char *function, const jit_node *nodes, size_t nodes_len, void *payload),
    void *payload) __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
