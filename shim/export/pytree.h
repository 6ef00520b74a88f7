/* The trees of `torch.utils._pytree`, as torch.export writes them in JSON: how arguments are taken apart into leaves,
 * and results are put together. */
#ifndef CTORCH_SHIM_EXPORT_PYTREE_H
#define CTORCH_SHIM_EXPORT_PYTREE_H

#include <ctorch.h>

#include "io/json_read.h"

#if CTORCH_HAS_JANSSON

/* Values one after the other: handles that pytree_end releases, NULL for None. */
struct pytree_leaves {
  ctorch_value **data;
  size_t len;
};

/* A tree in the text that `treespec_dumps` makes, for json_decref; NULL if it is none. */
json_t *pytree_read(const char *text);

/* That it is the tree of arguments: a tuple of the positional ones and a dict of those by name. */
bool pytree_is_of_arguments(const json_t *tree);

/* The leaves of arguments, in their order; to be ended also after an error, TYPE, that says where they are unfit. */
ctorch_error *pytree_flatten(
    const char *function,
    struct pytree_leaves *out,
    const json_t *tree,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) __attribute__((warn_unused_result));
void pytree_end(struct pytree_leaves *self);

/* The value that a tree makes of leaves: FORMAT if it takes more. */
ctorch_error *pytree_unflatten(
    const char *function, ctorch_value **out, const json_t *tree, const struct pytree_leaves *leaves)
    __attribute__((warn_unused_result));

#endif
#endif
