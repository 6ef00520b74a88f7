/** Calls of modules that capture themselves: what goes into their tapes, and comes out. */
#ifndef CTORCH_SHIM_MODULE_TAPE_H
#define CTORCH_SHIM_MODULE_TAPE_H

#include "module/module.h"
#include "module/tapes.h"

/** Whether a call of this module has to look for tapes. */
bool module_is_taped(const ctorch_module *self);

/** As tapes_begin. While gradients are recorded the module runs, for a tape records none. */
ctorch_error *module_tape_begin(
    const char *function,
    struct tapes_call *call,
    ctorch_module *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    uint64_t form) __attribute__((warn_unused_result));

/** The tensors of a value, which are owned, in their order. */
struct module_tensors_of {
  ctorch_tensor **data;
  size_t len;
  uint64_t form; /* a hash of how they are nested */
};

/** `*is_plain` is whether there is nothing but tensors, None, tuples and lists. */
ctorch_error *module_tensors_of(
    const char *function, struct module_tensors_of *out, bool *is_plain, const ctorch_value *value)
    __attribute__((warn_unused_result));

/** Leave each tensor once, as tapes want their inputs: attention is given one tensor three times. */
void module_tensors_unite(struct module_tensors_of *self);
void module_tensors_end(struct module_tensors_of *self);

/** The value with ints in place of its tensors: their numbers in the order of module_tensors_of. */
ctorch_error *module_outline_of(const char *function, ctorch_value **out, const ctorch_value *value)
    __attribute__((warn_unused_result));

/** What a replay gave, as copies, nested as its outline says. */
ctorch_error *module_tape_result(const char *function, ctorch_value **out, const struct tapes_call *call)
    __attribute__((warn_unused_result));

#endif
