/**
 * Arithmetic with a number as Python's operators have it, where the number is a tensor that takes no part in the choice
 * of the dtype: `x.mul_(2.5)`. In place, that rounds half precision otherwise than the operators that take a number.
 */
#ifndef CTORCH_SHIM_BASE_NUMBER_H
#define CTORCH_SHIM_BASE_NUMBER_H

#include <ctorch.h>

/** A number of Python's, as operators take it. */
static inline ctorch_scalar whole(int64_t value) { return (ctorch_scalar){.kind = CTORCH_SCALAR_INT, .i = value}; }
static inline ctorch_scalar floating(double value) { return (ctorch_scalar){.kind = CTORCH_SCALAR_FLOAT, .re = value}; }

ctorch_error *number_times(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number)
    __attribute__((warn_unused_result));
ctorch_error *number_times_(ctorch_tensor *self, const ctorch_scalar *number) __attribute__((warn_unused_result));
ctorch_error *number_plus(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number)
    __attribute__((warn_unused_result));
ctorch_error *number_plus_(ctorch_tensor *self, const ctorch_scalar *number) __attribute__((warn_unused_result));
ctorch_error *number_over(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number)
    __attribute__((warn_unused_result));
ctorch_error *number_minus_(ctorch_tensor *self, const ctorch_scalar *number) __attribute__((warn_unused_result));
ctorch_error *number_over_(ctorch_tensor *self, const ctorch_scalar *number) __attribute__((warn_unused_result));

#endif
