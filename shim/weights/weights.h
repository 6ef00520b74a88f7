/* Weights as they are opened: new tables, and the order of their names. */
#ifndef CTORCH_SHIM_WEIGHTS_WEIGHTS_H
#define CTORCH_SHIM_WEIGHTS_WEIGHTS_H

#include "io/weights_table.h"

/* A new object without contents; NULL is out of memory. */
ctorch_weights *weights_new(void);

/* Sort the names of all entries, of which no two are alike: FORMAT. */
ctorch_error *weights_sort_names(const char *function, ctorch_weights *self) __attribute__((warn_unused_result));

/* The formats of this room: what is read by way of another reader. */
extern const weights_format weights_pt, weights_pt2;

#endif
