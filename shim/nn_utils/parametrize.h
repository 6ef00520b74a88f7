/** Registering parametrizations for what is built on them. */
#ifndef CTORCH_SHIM_NN_UTILS_PARAMETRIZE_H
#define CTORCH_SHIM_NN_UTILS_PARAMETRIZE_H

#include "module/module.h"

/** ctorch_module_register_parametrization for `function`, whose arguments were checked. */
ctorch_error *module_register_parametrization(
    const char *function, ctorch_module *self, const char *name, ctorch_module *parametrization, bool unsafe)
    __attribute__((warn_unused_result));

/** The weight that a parametrization is made for, the caller's; `*name` is "weight" if it is NULL. VALUE if there is
 * none. */
ctorch_error *module_parametrized_weight(
    const char *function, ctorch_tensor **out, ctorch_module *self, const char **name)
    __attribute__((warn_unused_result));

#endif
