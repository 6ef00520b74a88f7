/* Sharpness: a picture, less or more of what a blur takes away from it. */
#include <inttypes.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/colour.h"
#include "transforms/picture.h"

/* A kernel of 1s around a 5, for each channel. */
static ctorch_error *make_kernel(
    ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype, int64_t channels) {
  static const double a = 1.0 / 13.0, b = 5.0 / 13.0;
  const double values[] = {a, a, a, a, b, a, a, a, a};
  enum { DOUBLES, KERNEL, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, image));
  ctorch_error *error =
      ctorch_tensor_from_data(&t[DOUBLES], values, sizeof values, CTORCH_INTS(3, 3), CTORCH_DTYPE_FLOAT64);
  THEN(error, ctorch_tensor_to(&t[KERNEL], t[DOUBLES], &dtype, &device, false, false, NULL));
  THEN(error, ctorch_aten_expand(out, t[KERNEL], CTORCH_INTS(channels, 1, 3, 3), false));
  return picture_end(t, TENSORS, error);
}

/* The picture, or pictures of one batch, with the inside of `output` mixed with its blur. */
static ctorch_error *mix(
    ctorch_tensor *output, const ctorch_tensor *kernel, int64_t channels, bool round, double factor) {
  enum { BLURRED, INSIDE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_conv2d(
      &t[BLURRED], output, kernel, NULL, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, channels);
  if (round) {
    THEN(error, ctorch_aten_round_(t[BLURRED]));
  }
  THEN(
      error, ctorch_tensor_index_text(&t[INSIDE], output, "..., 1:-1, 1:-1", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
  THEN(error, ctorch_aten_sub__Tensor(t[BLURRED], t[INSIDE], NULL));
  THEN(error, ctorch_aten_add__Tensor(t[INSIDE], t[BLURRED], CTORCH_FLOAT(1.0 - factor)));
  return picture_end(t, TENSORS, error);
}

static ctorch_error *sharpen(ctorch_tensor **out, const ctorch_tensor *image, int64_t channels, double factor) {
  enum { KERNEL, OUTPUT, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  bool is_float = tensor_is_floating_point(image);
  ctorch_dtype dtype = is_float ? ctorch_tensor_dtype(image) : CTORCH_DTYPE_FLOAT32;
  ctorch_error *error = make_kernel(&t[KERNEL], image, dtype, channels);
  THEN(error, ctorch_tensor_to(&t[OUTPUT], image, &dtype, NULL, false, true, NULL));
  THEN(error, mix(t[OUTPUT], t[KERNEL], channels, !is_float, factor));
  THEN(error, picture_clamped(out, t[OUTPUT], ctorch_tensor_dtype(image)));
  return picture_end(t, TENSORS, error);
}

ctorch_error *colour_sharpness(const char *function, ctorch_tensor **out, const ctorch_tensor *image, double factor) {
  size_t ndim = (size_t)ctorch_tensor_ndim(image);
  if (ndim < 3) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "expected an image of shape (..., C, H, W), got a tensor of %zu dimensions",
        ndim);
  }
  const int64_t *sizes = ctorch_tensor_sizes(image), *last = sizes + ndim - 3;
  if (last[0] != 1 && last[0] != 3) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "Input image tensor can have 1 or 3 channels, but found %" PRId64, last[0]);
  }
  if (factor < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "sharpness_factor (%g) is not non-negative", factor);
  }
  if (ctorch_tensor_numel(image) == 0 || last[1] <= 2 || last[2] <= 2) {
    return tensor_give(function, out, image);
  }
  if (ndim <= 4) {
    return sharpen(out, image, last[0], factor);
  }
  enum { BATCH, SHARP, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_reshape(&t[BATCH], image, CTORCH_INTS(-1, last[0], last[1], last[2]));
  THEN(error, sharpen(&t[SHARP], t[BATCH], last[0], factor));
  THEN(error, ctorch_aten_reshape(out, t[SHARP], sizes, ndim));
  return picture_end(t, TENSORS, error);
}
