/**
 * Weights with a spectral norm of 1 (`torch.nn.utils.spectral_norm`). The weight is computed anew before each call of
 * its module, so that a module with such a weight is exclusive in evaluation mode too.
 *
 * ctorch_module_parametrize_spectral_norm is its newer form.
 */
#ifndef CTORCH_MODULE_SPECTRAL_NORM_H
#define CTORCH_MODULE_SPECTRAL_NORM_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * Divide a weight by its largest singular value before each call (`torch.nn.utils.spectral_norm`).
 *
 * In the place of the parameter stand another, `<name>_orig`, and the buffers `<name>_u` and `<name>_v`: the singular
 * vectors, normal draws at first, which each call in training mode improves by power iteration. The state dict says its
 * version, "spectral_norm": {"<name>.version": 1}, in the metadata; one of version 0 is loaded too.
 *
 * @param self                exclusive.
 * @param name                borrowed; of a parameter of the module itself. NULL for "weight".
 * @param n_power_iterations  at each call in training mode; from 1 to 1,000,000.
 * @param eps                 the least length that is divided by (Python's default is 1e-12).
 * @param dim                 borrowed; the dimension of the outputs, along which the matrix has its rows. NULL for 1 in
 *                            a ConvTranspose, and 0 otherwise.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such parameter, or one of the new names
 *         stands for something else; Python's KeyError), VALUE (the parameter is None; another number of iterations),
 *         RUNTIME (it is computed already; no such dimension), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_spectral_norm(
    ctorch_module *self, const char *name, int64_t n_power_iterations, double eps, const int64_t *dim);

/**
 * Put the weight itself in the place of what it is computed from again (`torch.nn.utils.remove_spectral_norm`).
 *
 * @param self  exclusive.
 * @param name  borrowed; as it was given to ctorch_module_spectral_norm. NULL for "weight".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (no such weight), OUT_OF_MEMORY, or what an
 *         operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_remove_spectral_norm(ctorch_module *self, const char *name);

CTORCH_END_DECLS

#endif
