/** The parametrizations of one tensor, one after another, and the tensors that the first one is given. */
#ifndef CTORCH_SHIM_MODULE_PARAMETRIZE_LIST_H
#define CTORCH_SHIM_MODULE_PARAMETRIZE_LIST_H

#include "module/module.h"

/** A list of one parametrization. What its right inverse makes of `whole` are the originals: `whole` itself with the
 * memory of that one tensor, or several others. An object of C; on failure `whole` is what it was. */
ctorch_error *parametrize_list_new(
    const char *function,
    ctorch_module **out,
    ctorch_module *parametrization,
    ctorch_tensor *whole,
    bool is_parameter,
    bool unsafe) __attribute__((warn_unused_result));

/** One more parametrization of the tensor of this name, which is `now`. */
ctorch_error *parametrize_list_append(
    const char *function,
    ctorch_module *self,
    const char *name,
    const ctorch_tensor *now,
    ctorch_module *parametrization,
    bool unsafe) __attribute__((warn_unused_result));

/** The list of a module's tensor, borrowed; NULL for none. */
ctorch_module *parametrize_list_of(const ctorch_module *module, const char *name);

/** What is computed now, owned by the caller. */
ctorch_error *parametrize_list_compute(const char *function, ctorch_tensor **out, ctorch_module *self)
    __attribute__((warn_unused_result));

/** Let the originals be those that a value is computed from. */
ctorch_error *parametrize_list_assign(const char *function, ctorch_module *self, const ctorch_tensor *value)
    __attribute__((warn_unused_result));

/** Whether there is one original, "original"; it, borrowed. */
bool parametrize_list_is_tensor(const ctorch_module *self);
ctorch_tensor *parametrize_list_original(const ctorch_module *self);

/** Put the originals of another list, which has as many, in the place of one's own. */
ctorch_error *parametrize_list_share(ctorch_module *self, const ctorch_module *other)
    __attribute__((warn_unused_result));

/** Let a tensor have the memory of another, its sizes included; no graph records it. */
ctorch_error *parametrize_set(ctorch_tensor *self, const ctorch_tensor *other) __attribute__((warn_unused_result));

#endif
