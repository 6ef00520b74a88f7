/** Hooks of modules, and the call that runs them. */
#ifndef CTORCH_NN_MODULE_HOOKS_H
#define CTORCH_NN_MODULE_HOOKS_H

#include "module.h"

/** Whether a call of this module has to run hooks, its own or global ones. */
bool module_has_hooks(const ctorch_module *self);

void module_hooks_free(struct module_hooks *self);

/** What a copy of a module has: the same hooks. */
ctorch_error *module_hooks_copy(const char *function, struct module_hooks **out, struct module_hooks *self)
    __attribute__((warn_unused_result));

/** The class's own call, from values to a value, without hooks. */
ctorch_error *module_run(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

/** The same between the hooks. */
ctorch_error *module_run_hooked(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

/** ctorch_module_forward for what has hooks, or is not made for one tensor alone. */
ctorch_error *module_forward_by_call(
    const char *function, ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input)
    __attribute__((warn_unused_result));

#endif
