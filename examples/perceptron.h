/** Perceptrons of two or three linear layers, as several examples train them. */
#ifndef EXAMPLES_PERCEPTRON_H
#define EXAMPLES_PERCEPTRON_H

#include <ctorch.h>

/** Linear layers of these sizes, `len` - 1 of them, with a module of the class `activation` ("ReLU") between each two. */
ctorch_error *perceptron_new(ctorch_module **out, const char *activation, const int64_t *sizes, size_t len);

#endif
