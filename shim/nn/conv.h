/** What other files ask of convolutions. */
#ifndef CTORCH_SHIM_NN_CONV_H
#define CTORCH_SHIM_NN_CONV_H

#include "module/module.h"

/** How many dimensions a convolution, transposed or not, goes over; 0 for any other module. */
size_t conv_dims(const ctorch_module *module);

#endif
