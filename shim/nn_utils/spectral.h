/** Spectral norms by power iteration, which both kinds of spectral normalization share. */
#ifndef CTORCH_SHIM_NN_UTILS_SPECTRAL_H
#define CTORCH_SHIM_NN_UTILS_SPECTRAL_H

#include "module/module.h"

/** The weight as a matrix, whose rows are the entries of a dimension, one that it has. */
ctorch_error *spectral_matrix(ctorch_tensor **out, const ctorch_tensor *weight, int64_t dim)
    __attribute__((warn_unused_result));

/** A vector of normal draws, of length 1; for the rows of a matrix, or for its columns. */
ctorch_error *spectral_draw(ctorch_tensor **out, const ctorch_tensor *matrix, bool for_columns, double eps)
    __attribute__((warn_unused_result));

/** Let a vector be matrix · other, with length 1. */
ctorch_error *spectral_iterate(
    ctorch_tensor *vector, const ctorch_tensor *matrix, const ctorch_tensor *other, double eps)
    __attribute__((warn_unused_result));

/** VALUE for a number of iterations that is not positive, or that no one could wait for. */
ctorch_error *spectral_check_iterations(const char *function, int64_t n_power_iterations)
    __attribute__((warn_unused_result));

/** The dimension of a weight's outputs, where it is not given. */
int64_t spectral_dim(const ctorch_module *module, const int64_t *dim);

#endif
