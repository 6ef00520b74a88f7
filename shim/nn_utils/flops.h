/** Floating point operations of one call of a module: include/ctorch/nn_utils/module_summary.h has the formulas. */
#ifndef CTORCH_SHIM_NN_UTILS_FLOPS_H
#define CTORCH_SHIM_NN_UTILS_FLOPS_H

#include "module/module.h"

/** Their number, without what other modules inside do; INT64_MAX if it is larger. 0 for what nothing is known of. */
ctorch_error *module_flops(
    int64_t *out,
    const ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output) __attribute__((warn_unused_result));

/** Of numbers that are not negative: INT64_MAX where 64 bits are not enough. */
int64_t flops_times(int64_t a, int64_t b);
int64_t flops_plus(int64_t a, int64_t b);

#endif
