/**
 * Arithmetic with a number as Python's operators have it, where the number is a tensor that takes no part in the choice
 * of the dtype: `x.mul_(2.5)`. In place, that rounds half precision otherwise than the operators that take a number.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_NUMBER_H
#define CTORCH_SHIM_TRANSFORMS_NUMBER_H

#include <ctorch.h>

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
