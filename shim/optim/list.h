/**
 * The parameters that a step changes together: those of a group that have gradients, of one device and dtype, with what
 * is remembered of them. A class's fused, foreach and loop get one; `states[STEP][i]` is the step of `params[i]`.
 */
#ifndef CTORCH_SHIM_OPTIM_LIST_H
#define CTORCH_SHIM_OPTIM_LIST_H

#include "optim/optimizer.h"

enum optimizer_way { OPTIMIZER_LOOP, OPTIMIZER_FOREACH, OPTIMIZER_FUSED };

struct optimizer_list {
  const char *function;
  ctorch_optimizer *optimizer;
  const void *options;                 /* the class's struct */
  const struct optimizer_flags *flags; /* its beginning */
  enum optimizer_way way;
  size_t len;
  struct optimizer_param **entries;
  /* Borrowed. Complex ones are views as real numbers where the class wants that, and gradients are negated where
   * `maximize` says so: then they may be changed, otherwise they are the parameters' own. */
  ctorch_tensor **params, **grads, **states[OPTIMIZER_STATES];
  ctorch_dtype first_dtype; /* of the first parameter that the whole step changes */
  /* Of the gradients, where they are no longer the parameters' own; NULL otherwise. */
  ctorch_tensor_list *own_grads;
};

/** Put a new tensor, which is taken over as an operator gave it, in the place of a state. */
void list_set_state(const struct optimizer_list *self, size_t state, size_t i, ctorch_tensor *tensor);

/* Which kernels: kernels.c. */

/** Set `way`, by what the options ask for and what the parameters allow. */
ctorch_error *list_choose(struct optimizer_list *self, const optimizer_class *class, bool has_sparse)
    __attribute__((warn_unused_result));
/** What is captured has to be on a device that captures, numbers included. */
ctorch_error *list_check_capturable(const struct optimizer_list *self) __attribute__((warn_unused_result));

/* What classes begin with. */

/** Zeros of the form of the parameter, in its memory format; or of another dtype. */
ctorch_error *list_begin_zeros(const struct optimizer_list *self, size_t state, size_t i)
    __attribute__((warn_unused_result));

/** A number that is counted up, as Python keeps it: of the default dtype or float32, on the CPU or where the parameter
 * is if it is captured in graphs or read by fused kernels. */
ctorch_error *list_begin_number(const struct optimizer_list *self, size_t state, size_t i, double value)
    __attribute__((warn_unused_result));

/** The same, always where the parameter is. */
ctorch_error *list_begin_number_there(const struct optimizer_list *self, size_t state, size_t i, double value)
    __attribute__((warn_unused_result));

bool tensor_is_complex(const ctorch_tensor *self);

/* Steps. */

/** Add 1 to each step. */
ctorch_error *list_count(const struct optimizer_list *self, size_t state) __attribute__((warn_unused_result));
ctorch_error *list_count_one(const struct optimizer_list *self, size_t state, size_t i)
    __attribute__((warn_unused_result));
/** The value of a state that is one number. */
ctorch_error *list_number(const struct optimizer_list *self, size_t state, size_t i, double *out)
    __attribute__((warn_unused_result));

/** Take back the step where a scaler found gradients that are not finite, for which kernels did nothing. */
ctorch_error *list_uncount(const struct optimizer_list *self, size_t state) __attribute__((warn_unused_result));

/** Room for a number for each parameter, zeros of kind FLOAT, to be freed; NULL is out of memory. */
ctorch_scalar *list_scalars(const struct optimizer_list *self);

/* Gradients. */

/** Give up the list's own gradients, if it has any, which nobody reads any more. */
void list_drop_grads(struct optimizer_list *self);

/** Let a list of tensors, which is taken over, stand for the gradients; the one before is given up. */
void list_replace_grads(struct optimizer_list *self, ctorch_tensor_list *grads);
/** grads += weight_decay * params: in place where they are the list's own. */
ctorch_error *list_decay(struct optimizer_list *self, double weight_decay) __attribute__((warn_unused_result));
/** The same for one, for a loop: `*grad` is what to compute with, which `*own` keeps alive and is to be released. */
ctorch_error *list_decay_one(
    const struct optimizer_list *self, size_t i, double weight_decay, ctorch_tensor **grad, ctorch_tensor **own)
    __attribute__((warn_unused_result));
/** The same where Python decays complex parameters after it views them as real ones, which rounds otherwise. */
ctorch_error *list_decay_view(
    const struct optimizer_list *self, size_t i, double weight_decay, ctorch_tensor **grad, ctorch_tensor **own)
    __attribute__((warn_unused_result));

/* Parts: those that a kernel treats otherwise go to one end. */

void list_swap(struct optimizer_list *self, size_t i, size_t j);
/** The rest of a list, which it borrows. */
struct optimizer_list list_from(const struct optimizer_list *self, size_t first);

/** The list's tensors as operators on lists take them. */
#define LIST(tensors, list) (tensors), (list)->len
#define CONST_LIST(tensors, list) (const ctorch_tensor *const *)(tensors), (list)->len
/** The entries of a list that an operator gave. */
static inline ctorch_tensor **list_data(ctorch_tensor_list *list) {
  return (ctorch_tensor **)ctorch_tensor_list_mutable_data(list);
}

#endif
