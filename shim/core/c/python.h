/**
 * Values and tensors as Python's files have them, where the public functions do not reach: for what reads such files.
 */
#ifndef CTORCH_SHIM_CORE_C_PYTHON_H
#define CTORCH_SHIM_CORE_C_PYTHON_H

#include "ctorch/abi/base.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A reference of one's own, in no scope: value_unref gives it up. Returns `self`; NULL is allowed. */
ctorch_value *value_ref(const ctorch_value *self);

/** Give a Python object items, a list, dict or set: it was made before them. */
ctorch_error *python_set_items(const char *function, ctorch_value *self, const ctorch_value *items)
    __attribute__((warn_unused_result));

/**
 * What Python's collector of garbage does: of these values, empty those lists, dicts, sets and Python objects that the
 * root does not reach, because they may hold themselves, and references are counted.
 *
 * @param root  NULL: all of them.
 */
void value_collect(ctorch_value *const *values, size_t len, const ctorch_value *root);

/** Give up what was taken with everything in it, also what holds itself: nobody else has any of it. NULL is allowed. */
void value_dismantle(ctorch_value *self);

/** Let a tensor that nobody else knows yet show its memory conjugated or negated, as lazy views do. */
ctorch_error *tensor_set_bits(const char *function, ctorch_tensor *self, bool is_conj, bool is_neg)
    __attribute__((warn_unused_result));

/** Make a tensor a `torch.nn.Parameter`, which files tell apart. Neither views nor copies of it are parameters. */
ctorch_error *tensor_set_parameter(const char *function, ctorch_tensor *self) __attribute__((warn_unused_result));
bool tensor_is_parameter(const ctorch_tensor *self);

CTORCH_END_DECLS

#endif
