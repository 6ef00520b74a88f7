/* Equalizing histograms, as Pillow does: each value becomes its share of the pixels that are darker. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/colour.h"
#include "transforms/picture.h"

enum { LEVELS = 256 };

/* A tensor of one value, seen as many. */
static ctorch_error *constant(
    ctorch_tensor **out,
    const ctorch_tensor *like,
    const ctorch_scalar *value,
    ctorch_dtype dtype,
    const int64_t *sizes,
    size_t sizes_len) {
  ctorch_tensor *one = NULL;
  CTORCH_TRY(ctorch_aten_new_full(&one, like, CTORCH_INTS(1), value, &dtype, NULL, NULL, NULL));
  ctorch_error *error = ctorch_aten_expand(out, one, sizes, sizes_len, false);
  ctorch_tensor_release(one);
  return error;
}

/* How many pixels of each plane have each value; `flat` are planes of values, as indices. */
static ctorch_error *histograms(
    ctorch_tensor **out, const ctorch_tensor *flat, const int64_t *sizes, size_t sizes_len) {
  enum { COUNTS, ONES, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype int32 = CTORCH_DTYPE_INT32;
  ctorch_error *error = ctorch_aten_new_zeros(&t[COUNTS], flat, sizes, sizes_len, &int32, NULL, NULL, NULL);
  THEN(
      error,
      constant(&t[ONES], flat, CTORCH_INT(1), int32, ctorch_tensor_sizes(flat), (size_t)ctorch_tensor_ndim(flat)));
  THEN(error, ctorch_aten_scatter_add_(t[COUNTS], -1, flat, t[ONES]));
  if (error == NULL) {
    *out = t[COUNTS];
    t[COUNTS] = NULL;
  }
  return picture_end(t, TENSORS, error);
}

/* The pixels for one step of brightness: those that are not of the brightest value that there is, by 255. */
static ctorch_error *steps_of(
    ctorch_tensor **out, const ctorch_tensor *counts, const ctorch_tensor *sums, int64_t pixels) {
  enum { BRIGHTEST, THEIRS, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_argmax(&t[BRIGHTEST], sums, CTORCH_SOME(int64_t, -1), false);
  THEN(error, ctorch_aten_unsqueeze_(t[BRIGHTEST], -1));
  THEN(error, ctorch_aten_gather(&t[THEIRS], counts, -1, t[BRIGHTEST], false));
  THEN(error, ctorch_aten_rsub_Scalar(out, t[THEIRS], CTORCH_INT(pixels), NULL));
  THEN(error, ctorch_aten_div__Scalar_mode(*out, CTORCH_INT(LEVELS - 1), "floor"));
  return picture_end(t, TENSORS, error);
}

/* What each value becomes: the pixels below it in steps, rounded. `sizes` are those of a batch, `sums` may be
 * changed. */
static ctorch_error *table_of(
    ctorch_tensor **out, ctorch_tensor *sums, ctorch_tensor *step, int64_t *sizes, size_t sizes_len) {
  enum { BELOW, HALF, BYTES, ZERO, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype byte = CTORCH_DTYPE_UINT8;
  ctorch_error *error = ctorch_aten_slice_Tensor(&t[BELOW], sums, -1, NULL, CTORCH_SOME(int64_t, -1), 1);
  THEN(error, ctorch_aten_floor_divide_Scalar(&t[HALF], step, CTORCH_INT(2)));
  THEN(error, ctorch_aten_add__Tensor(t[BELOW], t[HALF], NULL));
  THEN(error, ctorch_aten_clamp_(step, CTORCH_INT(1), NULL));
  THEN(error, ctorch_aten_div__Tensor_mode(t[BELOW], step, "floor"));
  THEN(error, ctorch_aten_clamp_(t[BELOW], CTORCH_INT(0), CTORCH_INT(LEVELS - 1)));
  THEN(error, ctorch_tensor_to(&t[BYTES], t[BELOW], &byte, NULL, false, false, NULL));
  sizes[sizes_len - 1] = 1;
  THEN(error, constant(&t[ZERO], t[BYTES], CTORCH_INT(0), byte, sizes, sizes_len));
  THEN(error, ctorch_aten_cat(out, CTORCH_TENSORS(t[ZERO], t[BYTES]), -1));
  return picture_end(t, TENSORS, error);
}

/* `image` is of bytes; sizes are those of its histograms. Planes of less than a step stay what they are. */
static ctorch_error *equalize_bytes(ctorch_tensor **out, const ctorch_tensor *image, int64_t *sizes, size_t sizes_len) {
  enum { FLAT, INDEX, COUNTS, SUMS, STEP, IS_VALID, TABLE, FOUND, EQUALIZED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ctorch_error *error = ctorch_aten_flatten_using_ints(&t[FLAT], image, -2, -1);
  THEN(error, ctorch_tensor_to(&t[INDEX], t[FLAT], &int64, NULL, false, false, NULL));
  THEN(error, histograms(&t[COUNTS], t[INDEX], sizes, sizes_len));
  THEN(error, ctorch_aten_cumsum(&t[SUMS], t[COUNTS], -1, NULL));
  if (error == NULL) {
    int64_t pixels = ctorch_tensor_sizes(t[INDEX])[ctorch_tensor_ndim(t[INDEX]) - 1];
    error = steps_of(&t[STEP], t[COUNTS], t[SUMS], pixels);
  }
  THEN(error, ctorch_aten_ne_Scalar(&t[IS_VALID], t[STEP], CTORCH_INT(0)));
  THEN(error, ctorch_aten_unsqueeze_(t[IS_VALID], -1));
  THEN(error, table_of(&t[TABLE], t[SUMS], t[STEP], sizes, sizes_len));
  THEN(error, ctorch_aten_gather(&t[FOUND], t[TABLE], -1, t[INDEX], false));
  THEN(error, ctorch_aten_view_as(&t[EQUALIZED], t[FOUND], image));
  THEN(error, ctorch_aten_where_self(out, t[IS_VALID], t[EQUALIZED], image));
  return picture_end(t, TENSORS, error);
}

ctorch_error *colour_equalize(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  if (ctorch_tensor_numel(image) == 0) {
    return tensor_give(function, out, image);
  }
  size_t ndim = (size_t)ctorch_tensor_ndim(image);
  if (ndim < 2) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "expected an image of shape (..., H, W), got a tensor of %zu dimensions", ndim);
  }
  int64_t *sizes = malloc((ndim - 1) * sizeof *sizes);
  if (sizes == NULL) {
    return error_memory(function, (ndim - 1) * sizeof *sizes);
  }
  for (size_t i = 0; i < ndim - 2; i++) {
    sizes[i] = ctorch_tensor_sizes(image)[i];
  }
  sizes[ndim - 2] = LEVELS;
  enum { BYTES, EQUALIZED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = picture_scaled(function, &t[BYTES], image, CTORCH_DTYPE_UINT8);
  THEN(error, equalize_bytes(&t[EQUALIZED], t[BYTES], sizes, ndim - 1));
  free(sizes);
  THEN(error, picture_scaled(function, out, t[EQUALIZED], ctorch_tensor_dtype(image)));
  return picture_end(t, TENSORS, error);
}
