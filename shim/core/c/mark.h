/**
 * Tensors that carry an object of C (object.h), which says what they are: how an image is told from a mask.
 *
 *     CTORCH_TRY(tensor_mark(__func__, &image, tensor, kind));
 *     const struct kind *kind = tensor_marked(image, &kind_class);
 *
 * The mark is on that one tensor object: what operators make of it, views and copies among them, has none.
 */
#ifndef CTORCH_SHIM_CORE_C_MARK_H
#define CTORCH_SHIM_CORE_C_MARK_H

#include "core/c/object.h"
#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** A new tensor object over the memory of another, as views have it, that carries `object`, which gets a reference. */
ctorch_error *tensor_mark(const char *function, ctorch_tensor **out, const ctorch_tensor *tensor, const void *object)
    __attribute__((warn_unused_result));

/** The object of this class that a tensor carries, borrowed from it; NULL if it carries none, and for NULL. */
const void *tensor_marked(const ctorch_tensor *self, const object_class *type);

CTORCH_END_DECLS

#endif
