/* What is done to each value by itself, or by the darkest and brightest of its plane. */
#include <inttypes.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/colour.h"
#include "transforms/picture.h"

ctorch_error *colour_gamma(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, double gamma, double gain) {
  enum { FLOAT, POWER, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  if (gamma < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "gamma should be a non-negative real number, got %g", gamma);
  }
  ctorch_error *error = NULL;
  if (tensor_is_floating_point(image)) {
    error = ctorch_aten_pow_Tensor_Scalar(&t[POWER], image, CTORCH_FLOAT(gamma));
  } else {
    error = picture_scaled(function, &t[POWER], image, CTORCH_DTYPE_FLOAT32);
    THEN(error, ctorch_aten_pow__Scalar(t[POWER], CTORCH_FLOAT(gamma)));
  }
  if (gain != 1.0) {
    THEN(error, number_times_(t[POWER], CTORCH_FLOAT(gain)));
    THEN(error, ctorch_aten_clamp_(t[POWER], CTORCH_FLOAT(0.0), CTORCH_FLOAT(1.0)));
  }
  THEN(error, picture_scaled(function, out, t[POWER], ctorch_tensor_dtype(image)));
  return picture_end(t, TENSORS, error);
}

ctorch_error *colour_invert(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  ctorch_dtype dtype = ctorch_tensor_dtype(image);
  int64_t bits = 0;
  if (dtype_is_floating_point(dtype)) {
    return ctorch_aten_rsub_Scalar(out, image, CTORCH_FLOAT(1.0), NULL);
  }
  if (dtype == CTORCH_DTYPE_UINT8) {
    return ctorch_aten_bitwise_not(out, image);
  }
  CTORCH_TRY(picture_bits(function, &bits, dtype)); /* without the bit of the sign */
  return ctorch_aten_bitwise_xor_Scalar(out, image, CTORCH_INT(dtype_max_value(dtype)));
}

static ctorch_error *posterize_floats(ctorch_tensor **out, const ctorch_tensor *image, int64_t bits) {
  int64_t levels = INT64_C(1) << bits;
  ctorch_tensor *made = NULL;
  ctorch_error *error = number_times(&made, image, CTORCH_INT(levels));
  THEN(error, ctorch_aten_floor_(made));
  THEN(error, ctorch_aten_clamp_(made, CTORCH_INT(0), CTORCH_INT(levels - 1)));
  THEN(error, number_times_(made, CTORCH_FLOAT(1.0 / (double)levels)));
  if (error != NULL) {
    ctorch_tensor_release(made);
    return error;
  }
  *out = made;
  return NULL;
}

ctorch_error *colour_posterize(const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t bits) {
  int64_t all = 0;
  if (bits < 0 || bits > 8) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "bits must be a positive integer in the range [0, 8], got %" PRId64, bits);
  }
  if (tensor_is_floating_point(image)) {
    return posterize_floats(out, image, bits);
  }
  CTORCH_TRY(picture_bits(function, &all, ctorch_tensor_dtype(image)));
  return bits >= all ? tensor_give(function, out, image)
                     : ctorch_aten___and___Scalar(out, image, CTORCH_INT(((INT64_C(1) << bits) - 1) << (all - bits)));
}

ctorch_error *colour_solarize(const char *function, ctorch_tensor **out, const ctorch_tensor *image, double threshold) {
  int64_t most = dtype_max_value(ctorch_tensor_dtype(image));
  /* No double is the largest int64: the nearest is above it. */
  if (threshold > (double)most || (most == INT64_MAX && threshold == (double)most)) {
    return error_make(
        function, CTORCH_ERROR_TYPE,
        "threshold should be less or equal the maximum value of the dtype, which is %" PRId64 ", but got %g", most,
        threshold);
  }
  enum { ABOVE, INVERTED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_ge_Scalar(&t[ABOVE], image, CTORCH_FLOAT(threshold));
  THEN(error, colour_invert(function, &t[INVERTED], image));
  THEN(error, ctorch_aten_where_self(out, t[ABOVE], t[INVERTED], image));
  return picture_end(t, TENSORS, error);
}

/* What is subtracted from each plane, and what it is divided by; where all of it is one value, 0 and 1. */
static ctorch_error *spread(ctorch_tensor **least, ctorch_tensor **scale, const ctorch_tensor *image, int64_t most) {
  ctorch_tensor *same = NULL;
  ctorch_error *error = ctorch_aten_amin(least, image, CTORCH_INTS(-2, -1), true);
  THEN(error, ctorch_aten_amax(scale, image, CTORCH_INTS(-2, -1), true));
  THEN(error, ctorch_aten_eq_Tensor(&same, *scale, *least));
  THEN(error, ctorch_aten_sub__Tensor(*scale, *least, NULL));
  THEN(error, number_times_(*scale, CTORCH_FLOAT(1.0 / (double)most)));
  THEN(error, ctorch_aten_masked_fill__Scalar(*least, same, CTORCH_FLOAT(0.0)));
  THEN(error, ctorch_aten_masked_fill__Scalar(*scale, same, CTORCH_FLOAT(1.0)));
  ctorch_tensor_release(same);
  return error;
}

ctorch_error *colour_autocontrast(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  int64_t channels = 0;
  CTORCH_TRY(picture_one_or_three(function, &channels, image));
  if (ctorch_tensor_numel(image) == 0) {
    return tensor_give(function, out, image);
  }
  enum { FLOAT, LEAST, SCALE, DIFFERENCE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype dtype = ctorch_tensor_dtype(image), as = dtype_is_floating_point(dtype) ? dtype : CTORCH_DTYPE_FLOAT32;
  ctorch_error *error = ctorch_tensor_to(&t[FLOAT], image, &as, NULL, false, false, NULL);
  THEN(error, spread(&t[LEAST], &t[SCALE], t[FLOAT], dtype_max_value(dtype)));
  THEN(error, ctorch_aten_sub_Tensor(&t[DIFFERENCE], t[FLOAT], t[LEAST], NULL));
  THEN(error, ctorch_aten_div__Tensor(t[DIFFERENCE], t[SCALE]));
  THEN(error, picture_clamped(out, t[DIFFERENCE], dtype));
  return picture_end(t, TENSORS, error);
}
