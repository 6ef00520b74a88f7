/** Pieces of the text of a module. */
#ifndef CTORCH_NN_MODULE_REPR_H
#define CTORCH_NN_MODULE_REPR_H

#include "module.h"

/** The whole text of a module. */
void repr_write(struct text *text, const ctorch_module *module);

/** A text with all lines but the first one two spaces further in; blank ones stay empty. */
void repr_indented(struct text *text, const char *lines);

#endif
