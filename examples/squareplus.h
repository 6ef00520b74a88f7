/* squareplus, an operator that PyTorch lacks: (x + sqrt(x^2 + b)) / 2, a softplus without exp and log (Barron 2021,
 * arXiv:2112.11687). */
#ifndef CTORCH_EXAMPLES_SQUAREPLUS_H
#define CTORCH_EXAMPLES_SQUAREPLUS_H

#include <ctorch.h>

/** Define `examples::squareplus(Tensor x, float b=4.) -> Tensor` for this process: for the CPU, for shapes alone
 * (Meta), with gradients of any order. It stays until the library is released. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
ctorch_error *
define_squareplus(ctorch_library **out);

#endif
