/* Spectral norms by power iteration. */
#include "nn_utils/spectral.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "module/layer.h"

ctorch_error *spectral_matrix(ctorch_tensor **out, const ctorch_tensor *weight, int64_t dim) {
  int64_t ndim = ctorch_tensor_ndim(weight);
  struct steps s = {0};
  if (dim != 0) {
    int64_t *dims = array_new((size_t)ndim, sizeof *dims);
    if (dims == NULL) {
      return error_memory(FORWARD, (uint64_t)ndim * sizeof *dims);
    }
    dims[0] = dim;
    for (int64_t from = 0, to = 1; from < ndim && to < ndim; from++) {
      if (from != dim) {
        dims[to++] = from;
      }
    }
    STEP(&s, ctorch_aten_permute(&s.next, weight, dims, (size_t)ndim));
    free(dims);
  }
  const ctorch_tensor *at = s.at == NULL ? weight : s.at;
  if (ndim > 1) {
    STEP(&s, ctorch_aten_flatten_using_ints(&s.next, at, 1, -1));
  } else {
    STEP(&s, ctorch_aten_reshape(&s.next, at, CTORCH_INTS(ctorch_tensor_numel(weight), -1)));
  }
  return steps_end(&s, out);
}

/* Their length, at least eps, as often as there are elements. */
static ctorch_error *length_of(ctorch_tensor **out, const ctorch_tensor *vector, double eps) {
  const ctorch_scalar two = floating(2), least = floating(eps);
  struct steps s = {0};
  STEP(&s, ctorch_aten_norm_ScalarOpt_dim(&s.next, vector, &two, CTORCH_INTS(0), true));
  THEN(s.error, ctorch_aten_clamp_min_(s.at, &least));
  STEP(&s, ctorch_aten_expand_as(&s.next, s.at, vector));
  return steps_end(&s, out);
}

ctorch_error *spectral_draw(ctorch_tensor **out, const ctorch_tensor *matrix, bool for_columns, double eps) {
  ctorch_tensor *length = NULL;
  struct steps s = {0};
  int64_t size = ctorch_tensor_sizes(matrix)[for_columns ? 1 : 0];
  STEP(&s, ctorch_aten_new_empty(&s.next, matrix, CTORCH_INTS(size), NULL, NULL, NULL, NULL));
  THEN(s.error, ctorch_aten_normal_(s.at, 0, 1, NULL));
  THEN(s.error, length_of(&length, s.at, eps));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, s.at, length));
  ctorch_tensor_release(length);
  return steps_end(&s, out);
}

ctorch_error *spectral_iterate(
    ctorch_tensor *vector, const ctorch_tensor *matrix, const ctorch_tensor *other, double eps) {
  ctorch_tensor *product = NULL, *length = NULL;
  CTORCH_TRY(ctorch_aten_mv(&product, matrix, other));
  ctorch_error *error = length_of(&length, product, eps);
  THEN(error, ctorch_aten_div_out(product, length, vector));
  ctorch_tensor_release(product);
  ctorch_tensor_release(length);
  return error;
}

ctorch_error *spectral_check_iterations(const char *function, int64_t n_power_iterations) {
  enum { MOST = 1000000 };
  if (n_power_iterations > MOST) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "n_power_iterations: expected at most %d, got %" PRId64, (int)MOST,
        n_power_iterations);
  }
  return n_power_iterations > 0 ? NULL
                                : error_make(
                                      function, CTORCH_ERROR_VALUE,
                                      "Expected n_power_iterations to be positive, but got n_power_iterations=%" PRId64,
                                      n_power_iterations);
}

int64_t spectral_dim(const ctorch_module *module, const int64_t *dim) {
  static const char transposed[] = "ConvTranspose";
  return dim != NULL ? *dim : strncmp(module_class_of(module)->name, transposed, sizeof transposed - 1) == 0 ? 1 : 0;
}
