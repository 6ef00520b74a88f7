/** What initial values and modules share. */
#ifndef CTORCH_SHIM_MODULE_INIT_H
#define CTORCH_SHIM_MODULE_INIT_H

#include <ctorch.h>

/** Draw numbers uniformly from ±bound, which no graph records. `generator` NULL is the device's default one. */
ctorch_error *init_uniform(ctorch_tensor *tensor, double bound, ctorch_generator *generator);

#endif
