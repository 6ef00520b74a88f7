/**
 * Tensors and texts on their way between C and its callers: how the layers above the operators keep and hand them out.
 *
 * What an operator hands out (`T **out`) is in the book of leaks, and in the scope that is open, from which
 * ctorch_tensor_release takes it again. That is right for an intermediate. It is wrong for what an object keeps: the
 * scope may have a reference of its own to the same tensor, and would lose that one. So what is kept is taken over,
 *
 *     CTORCH_TRY(ctorch_aten_empty_memory_format(&weight, …));
 *     self->weight = tensor_take(weight);
 *
 * and given up by tensor_unref.
 */
#ifndef CTORCH_SHIM_CORE_C_TENSOR_H
#define CTORCH_SHIM_CORE_C_TENSOR_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** A reference of one's own, in no scope and no book. Returns `self`; NULL is allowed. */
ctorch_tensor *tensor_ref(const ctorch_tensor *self);
void tensor_unref(ctorch_tensor *self);

/** Take over a reference that a function handed out: no scope owns it any more. Returns `self`; NULL is allowed. */
ctorch_tensor *tensor_take(ctorch_tensor *self);

/** Hand a reference out, a new one, which becomes the caller's or its scope's: `*out = self`; NULL is allowed. */
ctorch_error *tensor_give(const char *function, ctorch_tensor **out, const ctorch_tensor *self)
    __attribute__((warn_unused_result));

/** Hand a text out: a copy of these bytes, which are UTF-8. */
ctorch_error *string_give(const char *function, ctorch_string **out, const char *data, size_t len)
    __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
