/** Calls of modules that capture themselves: what goes into their tapes, and comes out. */
#ifndef CTORCH_NN_MODULE_TAPE_H
#define CTORCH_NN_MODULE_TAPE_H

#include "module.h"
#include "tapes.h"

/** Whether a call of this module has to look for tapes. */
bool module_is_taped(const ctorch_module *self);

/** As tapes_begin. While gradients are recorded the module runs, for a tape records none. */
ctorch_error *module_tape_begin(
    const char *function,
    struct tapes_call *call,
    ctorch_module *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len) __attribute__((warn_unused_result));

/** Tensors of a tuple, list or tensor, which are owned. */
struct module_tensors_of {
  ctorch_tensor **data;
  size_t len;
  ctorch_value_kind kind; /* of the value */
};

/** `*is_plain` is whether there is nothing but tensors. */
ctorch_error *module_tensors_of(
    const char *function, struct module_tensors_of *out, bool *is_plain, const ctorch_value *value)
    __attribute__((warn_unused_result));
void module_tensors_end(struct module_tensors_of *self);

/** What a replay gave, as copies in a value like that of the capture. */
ctorch_error *module_tape_result(const char *function, ctorch_value **out, const struct tapes_call *call)
    __attribute__((warn_unused_result));

#endif
