/** Linear layers that other layers are made of. */
#ifndef CTORCH_SHIM_NN_LINEAR_H
#define CTORCH_SHIM_NN_LINEAR_H

#include "constructors/nn.h"

/** What attention projects its output with, which Python names NonDynamicallyQuantizableLinear. */
ctorch_error *linear_of_attention(const char *function, ctorch_module **out, const struct nn_Linear_options *options)
    __attribute__((warn_unused_result));

#endif
