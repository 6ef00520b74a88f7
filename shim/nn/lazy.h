/** Parameters whose sizes the first input tells: an empty tensor stands for each until then. */
#ifndef CTORCH_NN_LAZY_H
#define CTORCH_NN_LAZY_H

#include "module.h"

/** Register a parameter without sizes; None unless `is_there`. */
ctorch_error *lazy_parameter(
    const char *function,
    ctorch_module *self,
    const char *name,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool is_there) __attribute__((warn_unused_result));

/** Whether a parameter has no sizes yet. */
bool lazy_is_any(const ctorch_module *self);

/** RUNTIME if some parameters have sizes and others have none, for drawing would overwrite what was loaded. */
ctorch_error *lazy_check(const char *function, const ctorch_module *self) __attribute__((warn_unused_result));

/** Give an entry without sizes these: the tensor itself changes, so that an optimizer goes on with it. Others stay. */
ctorch_error *lazy_materialize(
    const char *function, struct module_tensors *tensors, size_t index, const int64_t *shape, size_t ndim)
    __attribute__((warn_unused_result));

/** module_class.loading: what is loaded tells the sizes. */
ctorch_error *lazy_loading(ctorch_module *self, struct module_loading *loading);

#endif
