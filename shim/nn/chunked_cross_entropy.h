/**
 * The cross entropy of a linear layer's output without the whole of that output: rows of the input go through it in
 * chunks, and what their gradients need is added up on the way.
 *
 * With s = softmax(x W' + b) and w the weight of a row, its sign and its part in a mean included, the gradients are
 * those of a softmax: of a row of x, w (W[target] - s W); of W, the sum of w x at the target's row less (w s)' x; of b,
 * the sum of w at the target less w s.
 */
#ifndef CTORCH_SHIM_NN_CHUNKED_CROSS_ENTROPY_H
#define CTORCH_SHIM_NN_CHUNKED_CROSS_ENTROPY_H

#include <ctorch.h>

enum chunked_policy { CHUNKED_ACCURATE, CHUNKED_BALANCED, CHUNKED_COMPACT };
enum chunked_reduction { CHUNKED_MEAN, CHUNKED_SUM, CHUNKED_NONE };
enum { CHUNKED_INPUT, CHUNKED_WEIGHT, CHUNKED_BIAS, CHUNKED_GRADS };

/** How a loss is computed. */
struct chunked_how {
  enum chunked_policy policy;
  enum chunked_reduction reduction;
  ctorch_dtype acc_dtype; /* of sums: the input's, or float32 for half precision */
  int64_t rows;           /* of a chunk, at least 1 */
  int64_t ignore_index;
  bool needs[CHUNKED_GRADS];
};

/** input (N, D), weight (C, D), bias (C) or NULL, target (N) of int64, class_weight (C) or NULL. */
struct chunked_given {
  const ctorch_tensor *input, *weight, *target, *bias, *class_weight;
};

/**
 * The loss of each row, (N), for CHUNKED_NONE; no gradients.
 *
 * What is made belongs to the innermost scope.
 */
ctorch_error *chunked_losses(ctorch_tensor **out, const struct chunked_given *given, const struct chunked_how *how)
    __attribute__((warn_unused_result));

/**
 * The loss, a number, and the gradients that are needed; NULL for others.
 *
 * @param grad_losses  for CHUNKED_NONE, the gradient of each row's loss: the gradients are those of the weighted sum,
 * and
 *                     the loss says nothing. NULL otherwise.
 */
ctorch_error *chunked_loss(
    ctorch_tensor **out,
    ctorch_tensor *grads[CHUNKED_GRADS],
    const struct chunked_given *given,
    const struct chunked_how *how,
    const ctorch_tensor *grad_losses) __attribute__((warn_unused_result));

#endif
