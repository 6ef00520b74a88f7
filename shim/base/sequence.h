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

#include <ctorch.h>

/** Do the next call, whose result is an error or NULL, unless a call before it failed. */
#define THEN(error, call)  \
  do {                     \
    if ((error) == NULL) { \
      (error) = (call);    \
    }                      \
  } while (0)

/**
 * Put what an operator makes in the place of what it was made of, which is released, unless a call before it failed:
 *
 *     REPLACE(error, weight, ctorch_aten_abs(&next, weight));
 */
#define REPLACE(error, place, call)   \
  do {                                \
    if ((error) == NULL) {            \
      ctorch_tensor *next = NULL;     \
      (error) = (call);               \
      if ((error) == NULL) {          \
        ctorch_tensor_release(place); \
        (place) = next;               \
      }                               \
    }                                 \
  } while (0)

/**
 * Tensors that are made one of another. Each result takes the place of what it was made of, which is released at once:
 *
 *     struct steps s = {0};
 *     STEP(&s, ctorch_aten_abs(&s.next, input));
 *     STEP(&s, ctorch_aten_add_Scalar(&s.next, s.at, &one, NULL));
 *     return steps_end(&s, out);
 *
 * After an error nothing more is done.
 */
struct steps {
  ctorch_tensor *at, *next;
  ctorch_error *error;
};

#define STEP(self, call)         \
  do {                           \
    if ((self)->error == NULL) { \
      steps_take(self, call);    \
    }                            \
  } while (0)

void steps_take(struct steps *self, ctorch_error *error);

/** The last result is the caller's. */
ctorch_error *steps_end(struct steps *self, ctorch_tensor **out) __attribute__((warn_unused_result));

#endif
