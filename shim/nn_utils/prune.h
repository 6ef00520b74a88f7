/** Pruning methods: which elements of a tensor stay, as a mask of ones and zeros. */
#ifndef CTORCH_SHIM_NN_UTILS_PRUNE_H
#define CTORCH_SHIM_NN_UTILS_PRUNE_H

#include "module/module.h"

/** What of a tensor that was pruned before a method is given: the elements that are left, the channels that are left,
 * or all of it. */
enum prune_type { PRUNE_UNSTRUCTURED, PRUNE_STRUCTURED, PRUNE_GLOBAL };

/** A method with its arguments, all borrowed. */
struct prune_method {
  const char *function;
  ctorch_error *(*compute_mask)(
      const struct prune_method *self,
      ctorch_tensor **out,
      const ctorch_tensor *tensor,
      const ctorch_tensor *default_mask);
  enum prune_type type;
  const ctorch_scalar *amount; /* a number of elements or channels, or a fraction of them */
  const int64_t *dim;          /* that has the channels */
  double n;                    /* order of the norm, unless it has a name */
  const char *norm;
  const ctorch_tensor *mask;
  ctorch_tensors_callback callback; /* a method of the caller's */
  void *payload;
};

/** What compute_mask is, of the methods that there are. */
ctorch_error *prune_identity(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));
ctorch_error *prune_random_unstructured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));
ctorch_error *prune_l1_unstructured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));
ctorch_error *prune_random_structured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));
ctorch_error *prune_ln_structured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));
ctorch_error *prune_from_mask(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));
ctorch_error *prune_by_callback(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) __attribute__((warn_unused_result));

/** What Python refuses of an amount before it knows the tensor: NULL_ARGUMENT, INVALID_ARGUMENT, TYPE, VALUE. */
ctorch_error *prune_check_amount(const char *function, const ctorch_scalar *amount) __attribute__((warn_unused_result));

/** The mask of a tensor that was pruned before: the method decides about what `mask` left, which is changed. */
ctorch_error *prune_again(
    const struct prune_method *self, ctorch_tensor **out, const ctorch_tensor *tensor, ctorch_tensor *mask)
    __attribute__((warn_unused_result));

/** What cannot be pruned (module_prune.c). */
ctorch_error *prune_check_parameter(const char *function, const ctorch_module *self, const char *name)
    __attribute__((warn_unused_result));

/** What of a parameter was pruned before: all ones, or a copy of its mask. */
ctorch_error *prune_mask_so_far(
    const char *function, ctorch_tensor **out, const ctorch_module *self, const struct module_tensor *entry)
    __attribute__((warn_unused_result));

/** Prune a parameter, after all checks. The scores may be NULL, for its own values. */
ctorch_error *prune_parameter(
    const struct prune_method *method, ctorch_module *self, const char *name, const ctorch_tensor *scores)
    __attribute__((warn_unused_result));

#endif
