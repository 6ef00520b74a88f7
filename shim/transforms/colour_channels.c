/* The order of channels. */
#include <inttypes.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/colour.h"
#include "transforms/picture.h"

static ctorch_error *index_channels(
    ctorch_tensor **out, const ctorch_tensor *batch, const int64_t *permutation, size_t permutation_len) {
  ctorch_index *index = NULL;
  CTORCH_TRY(ctorch_index_from_text(&index, ":", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
  ctorch_error *error = ctorch_index_push_ints(index, permutation, permutation_len);
  THEN(error, ctorch_tensor_index(out, batch, index));
  ctorch_index_release(index);
  return error;
}

ctorch_error *colour_permute(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const int64_t *permutation,
    size_t permutation_len) {
  size_t ndim = (size_t)ctorch_tensor_ndim(image);
  if (ndim < 3) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "expected an image of shape (..., C, H, W), got a tensor of %zu dimensions",
        ndim);
  }
  const int64_t *sizes = ctorch_tensor_sizes(image), *last = sizes + ndim - 3;
  if (permutation_len != (uint64_t)last[0]) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Length of permutation does not match number of channels: %zu != %" PRId64,
        permutation_len, last[0]);
  }
  if (ctorch_tensor_numel(image) == 0) {
    return tensor_give(function, out, image);
  }
  enum { BATCH, PERMUTED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_reshape(&t[BATCH], image, CTORCH_INTS(-1, last[0], last[1], last[2]));
  THEN(error, index_channels(&t[PERMUTED], t[BATCH], permutation, permutation_len));
  THEN(error, ctorch_aten_reshape(out, t[PERMUTED], sizes, ndim));
  return picture_end(t, TENSORS, error);
}
