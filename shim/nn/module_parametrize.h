/** Registering parametrizations for what is built on them. */
#ifndef CTORCH_NN_MODULE_PARAMETRIZE_H
#define CTORCH_NN_MODULE_PARAMETRIZE_H

#include "module.h"

/** ctorch_module_register_parametrization for `function`, whose arguments were checked. */
ctorch_error *module_register_parametrization(
    const char *function, ctorch_module *self, const char *name, ctorch_module *parametrization, bool unsafe)
    __attribute__((warn_unused_result));

#endif
