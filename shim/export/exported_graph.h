/* The JSON of exported programs: nodes and the names of what they call. */
#ifndef CTORCH_SHIM_EXPORT_EXPORTED_GRAPH_H
#define CTORCH_SHIM_EXPORT_EXPORTED_GRAPH_H

#include "export/exported_program.h"

struct text; /* text.h */

#if CTORCH_HAS_JANSSON

/* The graph of a program; NULL if it has none. */
const json_t *exported_graph_of(const ctorch_exported_program *self);

/* "aten::add.Tensor" for "torch.ops.aten.add.Tensor", which is what a node calls; what is no operator stays. */
void exported_add_target(struct text *text, const char *target);
/* Whether it is an operator, of any kind, and no function of Python's. */
bool exported_is_operator(const char *target);

/* A size as people write it: 3, "s77", "2*s77". */
void exported_add_size(struct text *text, const json_t *size);
/* The same of SymPy's own form of an expression, "Mul(Integer(2), Symbol('s77', positive=True))". */
void exported_add_expression(struct text *text, const char *expression);

/* Call `visit` for each node of the graph, and of graphs inside it, until it answers an error. */
typedef ctorch_error *(*exported_visit)(const char *function, const json_t *node, void *payload);
ctorch_error *exported_visit_nodes(const char *function, const json_t *graph, exported_visit visit, void *payload)
    __attribute__((warn_unused_result));

#endif

#endif
