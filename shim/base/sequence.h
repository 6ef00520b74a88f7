/**
 * Calls one after another, of which the first error ends the row:
 *
 *     ctorch_error *error = ctorch_aten_neg(&negative, input);
 *     THEN(error, ctorch_aten_exp(&power, negative));
 *     THEN(error, tensor_give(function, out, power));
 *     ctorch_tensor_release(power);
 *     ctorch_tensor_release(negative);
 *     return error;
 *
 * This is for functions that have something to give up at their end; the others return at once, by CTORCH_TRY. What
 * computes with tensors has calculation.h.
 */
#ifndef CTORCH_SHIM_BASE_SEQUENCE_H
#define CTORCH_SHIM_BASE_SEQUENCE_H

/** Do the next call, whose result is an error or NULL, unless a call before it failed. */
#define THEN(error, call)  \
  do {                     \
    if ((error) == NULL) { \
      (error) = (call);    \
    }                      \
  } while (0)

#endif
