/**
 * Parameters and buffers whose sizes the first input tells: an empty tensor (0) stands for each until then.
 *
 * A class of such modules is one of its own beside the class that they become, with the same struct:
 *
 *     static ctorch_error *lazy_infer(const char *function, ctorch_module *self, const ctorch_tensor *input) { … }
 *     static const module_class lazy_class = {
 *         .object = MODULE_OBJECT(struct linear), .name = "LazyLinear", .infer = lazy_infer, .becomes = &linear_class,
 *         .loading = lazy_loading, …};
 */
#ifndef CTORCH_SHIM_MODULE_LAZY_H
#define CTORCH_SHIM_MODULE_LAZY_H

#include "module/module.h"

/** Register a parameter, or a persistent buffer, without sizes; None unless `is_there`. */
ctorch_error *lazy_parameter(
    const char *function,
    ctorch_module *self,
    const char *name,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool is_there) __attribute__((warn_unused_result));
ctorch_error *lazy_buffer(
    const char *function,
    ctorch_module *self,
    const char *name,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool is_there) __attribute__((warn_unused_result));

/** Whether an entry has no sizes yet. */
bool lazy_is(const struct module_tensor *entry);
/** Whether a parameter or buffer of the module has none (Python's has_uninitialized_params). */
bool lazy_is_any(const ctorch_module *self);

/** What a class is to give sizes: a parameter, or a buffer, by its number. None, and what is not there, stays so. */
struct lazy_size {
  size_t index;
  bool is_buffer;
  const int64_t *shape;
  size_t ndim;
};

/**
 * Give sizes to all or none. The tensors themselves change, so that whoever holds them goes on with them.
 *
 * RUNTIME for negative sizes, and if some of them have sizes: drawing would overwrite what was loaded.
 */
ctorch_error *lazy_materialize(const char *function, ctorch_module *self, const struct lazy_size *sizes, size_t len)
    __attribute__((warn_unused_result));

/** Before a call: infer what is missing, and become the other class. Nothing for other modules. */
ctorch_error *lazy_begin(
    const char *function, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));
/** The same where the input is known. */
ctorch_error *lazy_begin_with(const char *function, ctorch_module *self, const ctorch_tensor *input)
    __attribute__((warn_unused_result));

/** VALUE if a parameter of the module, or of one inside it, has no sizes; NULL is left. */
ctorch_error *lazy_refuse(const char *function, const ctorch_module *self) __attribute__((warn_unused_result));

/** module_class.loading: what is loaded tells the sizes. */
ctorch_error *lazy_loading(ctorch_module *self, struct module_loading *loading);

#endif
