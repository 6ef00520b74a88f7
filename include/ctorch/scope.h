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
 * innermost scope, except errors and scopes. Ending the scope gives the references back. `_release` inside it still
 * works: it gives the reference back early. A handle made inside a scope stays on its thread until it is kept: hand it
 * to another thread after ctorch_scope_keep.
 *
 * With no scope open nothing is recorded, and a call pays for one test.
 */
#ifndef CTORCH_SCOPE_H
#define CTORCH_SCOPE_H

#include "ctorch/base.h"

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
 * Close a scope and release what belongs to it. Scopes opened inside it and not ended yet are ended first.
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
 * @param handle  a tensor, list, storage, generator or string. NULL, and a handle that does not belong to `self` or a
 *                scope inside it, are left as they are.
 * @return NULL, or INVALID_ARGUMENT (`self` is not open on this thread).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_scope_keep(ctorch_scope *self, const void *handle);

CTORCH_END_DECLS

#endif
