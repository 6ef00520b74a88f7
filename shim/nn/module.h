/**
 * Modules written in C: a struct that begins with a ctorch_module, and a class that says what it does.
 *
 *     struct linear { ctorch_module module; };
 *
 *     static ctorch_error *forward(const ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) { … }
 *     static const module_class linear_class = {{"module", sizeof(struct linear), module_finalize}, "Linear", forward};
 *
 *     ctorch_error *nn_Linear(const char *function, ctorch_module **out, const struct nn_Linear_options *options) {
 *       struct linear *self = object_new(&linear_class.object);
 *       …
 *       error = module_add_parameter(function, &self->module, "weight", weight);
 *       return module_give(function, out, &self->module, error);
 *     }
 */
#ifndef CTORCH_NN_MODULE_H
#define CTORCH_NN_MODULE_H

#include <ctorch.h>

#include "object.h"

typedef struct module_class {
  object_class object;
  /** As Python prints it: "Conv2d". */
  const char *name;
  /** `*out` is the caller's; every intermediate is released at once. */
  ctorch_error *(*forward)(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input);
} module_class;

struct module_parameter {
  const char *name; /* static text */
  ctorch_tensor *tensor;
};

struct ctorch_module {
  struct module_parameter *parameters;
  size_t parameters_len;
};

/** Gives up what every module has: the last thing that a class's own does, or all of it. */
void module_finalize(void *self);

/** Register a tensor, which requires gradients from now on. Consumed, also on failure; NULL is left. */
ctorch_error *module_add_parameter(const char *function, ctorch_module *self, const char *name, ctorch_tensor *tensor);

/** A registered parameter, borrowed; NULL without one of this name. */
ctorch_tensor *module_parameter(const ctorch_module *self, const char *name);

/** Hand a new module out, or give it up if there is an error. NULL is out of memory. */
ctorch_error *module_give(const char *function, ctorch_module **out, ctorch_module *self, ctorch_error *error);

#endif
