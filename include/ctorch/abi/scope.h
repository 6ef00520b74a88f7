/**
 * Scopes: release everything a piece of code made, without a release per line.
 *
 *     ctorch_scope *scope = NULL;
 *     CTORCH_TRY(ctorch_scope_begin(&scope));
 *     ctorch_error *error = train_step(model, batch);   // makes dozens of tensors, returns at the first error
 *     ctorch_scope_end(scope);                          // they are gone, whether it failed or not
 *     return error;
 *
 * While a scope is open, every reference to a handle that this thread obtains (`T **out`, `_retain`) belongs to the
 * innermost scope, except errors and scopes. Ending the scope gives back what belongs to it, the latest first, and
 * takes back the modes that were pushed in it. Release what was made outside after ctorch_scope_end, and hand a handle
 * to another thread after ctorch_scope_keep.
 *
 * docs/handles.md has the rules: several references to one handle, destroy callbacks, modes, costs.
 */
#ifndef CTORCH_SCOPE_H
#define CTORCH_SCOPE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/error.h"

CTORCH_BEGIN_DECLS

/**
 * Open a scope on this thread, inside the one that is open.
 *
 * @param[out] out  owned; end it on the same thread.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_scope_begin(ctorch_scope **out);

/**
 * Close a scope: take back the modes that were pushed in it, and release what belongs to it. Scopes opened inside it
 * and not ended yet are ended first.
 *
 * @param self  owned; NULL is allowed. On another thread than the one that opened it this does nothing.
 */
CTORCH_EXPORT void ctorch_scope_end(ctorch_scope *self);

/**
 * Keep a handle beyond a scope: it then belongs to the scope around it, or to you if there is none.
 *
 * Keep the result of a function that works in a scope of its own, so that it belongs to the caller's. Keep what
 * outlives every scope, such as a parameter, with `self` NULL.
 *
 * @param self    borrowed; an open scope of this thread, or NULL for beyond every scope.
 * @param handle  any handle but a scope. NULL, and a handle that does not belong to `self` or a
 *                scope inside it, are left as they are.
 * @return NULL, or INVALID_ARGUMENT (`self` is not open on this thread), INVALID_HANDLE (debug.h).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_scope_keep(ctorch_scope *self, const void *handle);

/**
 * Give back a reference that the innermost scope of this thread has, before its end.
 *
 * Where `_release` ends whichever reference there is, this one is for what may or may not be the scope's: a chain of
 * operators may begin with a borrowed argument, and only what comes after it is to go.
 *
 * @param handle  as for ctorch_scope_keep. Nothing happens if no scope is open, or if the innermost has no reference to
 *                it; also for NULL.
 * @since 0.1
 */
CTORCH_EXPORT void ctorch_scope_discard(const void *handle);

/**
 * Whether the innermost scope of this thread has a reference to a handle.
 *
 * @param handle  as for ctorch_scope_keep; NULL is allowed.
 * @return false if no scope is open, or the innermost has none.
 * @since 0.1
 */
CTORCH_API bool ctorch_scope_owns(const void *handle);

/**
 * Let a variable have a new handle in place of its old one, which the scope then need not hold any longer:
 *
 *     CTORCH_REPLACE(&x, ctorch_aten_relu(&x, x));
 *
 * Without it, each of the tensors that `x` stood for is kept until the scope ends: memory grows, and each operator
 * writes to memory that is not in a cache. Twenty relu on a million floats take 70 us each with it and 156 without
 * (72 in Python's loop); on ten thousand floats it makes no difference.
 *
 * The old handle goes through ctorch_scope_discard: it stays if it is not the innermost scope's, as an argument that
 * the chain started from. If the call answers the very handle that it was given, one of the scope's two references to
 * it goes. If the call fails, its error is returned as by CTORCH_TRY, and the variable is as it was.
 */
#define CTORCH_REPLACE(variable, expression)                                  \
  do {                                                                        \
    const void *const ctorch_replaced = *(variable);                          \
    const bool ctorch_replaced_is_owned = ctorch_scope_owns(ctorch_replaced); \
    CTORCH_TRY(expression);                                                   \
    if (ctorch_replaced_is_owned) {                                           \
      ctorch_scope_discard(ctorch_replaced);                                  \
    }                                                                         \
  } while (0)

CTORCH_END_DECLS

#endif
