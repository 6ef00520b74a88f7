/**
 * L-BFGS: parameters and gradients as one vector each (lbfgs_problem.c), the search along a direction (lbfgs_search.c).
 *
 * Numbers of the search are quantities, since Python computes them from numbers and tensors of one element alike, and
 * both round otherwise.
 */
#ifndef CTORCH_SHIM_OPTIM_LBFGS_H
#define CTORCH_SHIM_OPTIM_LBFGS_H

#include "optim/quantity.h"

/** What a step computes with. */
struct lbfgs_problem {
  ctorch_error **error;
  const struct optimizer_evaluation *evaluation;
  struct optimizer_param *params;
  size_t len;
};

/** The loss at a place on the line, its gradient there (a reference), and the derivative along the line. */
struct lbfgs_point {
  struct quantity t, slope;
  double loss;
  ctorch_tensor *grad;
};

void lbfgs_point_end(struct lbfgs_point *self);

/** The loss, computed anew; the tensor as well if `loss` is not NULL. */
double lbfgs_evaluate(struct lbfgs_problem *problem, ctorch_tensor **loss);
/** The gradients of all parameters in one vector, a new one; complex ones as real numbers. */
void lbfgs_gather(struct lbfgs_problem *problem, ctorch_tensor **out);
/** params += t * direction */
void lbfgs_move(struct lbfgs_problem *problem, const struct quantity *t, const ctorch_tensor *direction);

/** The scalar product, which is a tensor. */
void lbfgs_dot(ctorch_error **error, struct quantity *out, const ctorch_tensor *a, const ctorch_tensor *b);
/** The largest absolute value of a vector, a tensor. */
void lbfgs_largest(ctorch_error **error, struct quantity *out, const ctorch_tensor *vector);

/** a < b, a <= b, as tensors compare where one is a tensor. */
bool quantity_less(ctorch_error **error, const struct quantity *a, const struct quantity *b);
bool quantity_at_most(ctorch_error **error, const struct quantity *a, const struct quantity *b);

/** What Python's line search does: a point that meets the strong Wolfe conditions, from `point`, which is where the
 * parameters are, with the first step that `point->t` has. Returns how often the loss was computed. */
int64_t lbfgs_strong_wolfe(
    struct lbfgs_problem *problem,
    struct lbfgs_point *point,
    const ctorch_tensor *direction,
    double tolerance_change,
    int64_t max_evaluations);

/* What is remembered from step to step, under Python's names in the state of the first parameter: lbfgs_state.c. */

struct lbfgs_memory {
  int64_t func_evals, n_iter;
  ctorch_tensor *d, *prev_flat_grad;
  struct quantity t, h_diag;
  double prev_loss;
  /* Changes of gradients and of parameters, and 1 / of their products, the oldest first; `len` of them. */
  ctorch_tensor **old_dirs, **old_stps, **ro;
  size_t len, capacity;
  ctorch_tensor **al; /* what the last step had for factors; NULL is None */
  size_t al_len;
  bool has_al;
};

void lbfgs_memory_read(
    ctorch_error **error, struct lbfgs_memory *self, const char *function, const ctorch_value *state);
/** The counts alone, or all. */
void lbfgs_memory_write(ctorch_error **error, const struct lbfgs_memory *self, ctorch_value *state, bool is_whole);
void lbfgs_memory_end(struct lbfgs_memory *self);
/** One more change, which is taken over, in the place of the oldest if there are `most`. */
void lbfgs_memory_push(
    ctorch_error **error,
    struct lbfgs_memory *self,
    const char *function,
    size_t most,
    ctorch_tensor *dir,
    ctorch_tensor *stp,
    ctorch_tensor *ro);
/** Forget the changes. */
void lbfgs_memory_forget(struct lbfgs_memory *self);

#endif
