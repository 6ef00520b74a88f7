/** Pieces of the text of a module. */
#ifndef CTORCH_SHIM_MODULE_REPR_H
#define CTORCH_SHIM_MODULE_REPR_H

#include "module/module.h"

/** The whole text of a module. */
void repr_write(struct text *text, const ctorch_module *module);

/** The text of a list: equal modules that stand together are counted. Always true. */
bool repr_list(const ctorch_module *self, struct text *text);

/** A text with all lines but the first one two spaces further in; blank ones stay empty. */
void repr_indented(struct text *text, const char *lines);

/** Add the text that a callback gives, which is called `name` in errors. */
void repr_ask(
    struct text *text,
    const char *name,
    const ctorch_module *module,
    ctorch_module_value_callback callback,
    void *payload);

#endif
