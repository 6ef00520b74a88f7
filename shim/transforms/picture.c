/* What transforms of images have in common. */
#include "picture.h"

#include <inttypes.h>
#include <stdlib.h>

#include "error.h"
#include "tensor.h"

ctorch_error *picture_end(ctorch_tensor **tensors, size_t len, ctorch_error *error) {
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  return error;
}

void picture_take(ctorch_tensor **at, ctorch_tensor **made) {
  ctorch_tensor_release(*at);
  *at = *made;
  *made = NULL;
}

ctorch_error *picture_channels(const char *function, int64_t *out, const ctorch_tensor *image) {
  int64_t ndim = ctorch_tensor_ndim(image);
  if (ndim < 3) {
    return error_make(
        function, CTORCH_ERROR_INDEX,
        "expected an image of shape (..., C, H, W), got a tensor of %" PRId64 " dimensions", ndim);
  }
  *out = ctorch_tensor_sizes(image)[ndim - 3];
  return NULL;
}

ctorch_error *picture_one_or_three(const char *function, int64_t *out, const ctorch_tensor *image) {
  CTORCH_TRY(picture_channels(function, out, image));
  return *out == 1 || *out == 3
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_TYPE,
                   "Input image tensor permitted channel values are 1 or 3, but found %" PRId64, *out);
}

/* Integers of which Python knows how they scale. */
struct range {
  ctorch_dtype dtype;
  int64_t bits, most;
};

static const struct range ranges[] = {
    {CTORCH_DTYPE_UINT8, 8, UINT8_MAX},    {CTORCH_DTYPE_INT8, 7, INT8_MAX},    {CTORCH_DTYPE_INT16, 15, INT16_MAX},
    {CTORCH_DTYPE_UINT16, 16, UINT16_MAX}, {CTORCH_DTYPE_INT32, 31, INT32_MAX}, {CTORCH_DTYPE_INT64, 63, INT64_MAX},
};

static const struct range *find_range(ctorch_dtype dtype) {
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    if (ranges[i].dtype == dtype) {
      return &ranges[i];
    }
  }
  return NULL;
}

bool picture_dtype_is_float(ctorch_dtype dtype) {
  switch (dtype) {
    case CTORCH_DTYPE_FLOAT16:
    case CTORCH_DTYPE_FLOAT32:
    case CTORCH_DTYPE_FLOAT64:
    case CTORCH_DTYPE_BFLOAT16:
    case CTORCH_DTYPE_FLOAT8_E5M2:
    case CTORCH_DTYPE_FLOAT8_E4M3FN:
    case CTORCH_DTYPE_FLOAT8_E5M2FNUZ:
    case CTORCH_DTYPE_FLOAT8_E4M3FNUZ:
    case CTORCH_DTYPE_FLOAT8_E8M0FNU:
    case CTORCH_DTYPE_FLOAT4_E2M1FN_X2:
      return true;
    default:
      return false;
  }
}

int64_t picture_most(ctorch_dtype dtype) {
  const struct range *range = find_range(dtype);
  return range == NULL ? 1 : range->most;
}

ctorch_error *picture_bits(const char *function, int64_t *out, ctorch_dtype dtype) {
  const struct range *range = find_range(dtype);
  if (range == NULL) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "Number of value bits is only defined for integer dtypes, but got torch.%s",
        ctorch_dtype_name(dtype));
  }
  *out = range->bits;
  return NULL;
}

/* Converting. */

static ctorch_error *to(ctorch_tensor **out, const ctorch_tensor *self, ctorch_dtype dtype) {
  return ctorch_tensor_to(out, self, &dtype, NULL, false, false, NULL);
}

static ctorch_error *float_to_integer(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype) {
  ctorch_dtype from = ctorch_tensor_dtype(image);
  if ((from == CTORCH_DTYPE_FLOAT32 && (dtype == CTORCH_DTYPE_INT32 || dtype == CTORCH_DTYPE_INT64)) ||
      (from == CTORCH_DTYPE_FLOAT64 && dtype == CTORCH_DTYPE_INT64)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "The conversion from torch.%s to torch.%s cannot be performed safely",
        ctorch_dtype_name(from), ctorch_dtype_name(dtype));
  }
  ctorch_tensor *scaled = NULL;
  /* Almost 1 more than the brightest value: each integer has as much of the floats as another. */
  CTORCH_TRY(picture_times(&scaled, image, CTORCH_FLOAT((double)picture_most(dtype) + 1.0 - 1e-3)));
  ctorch_error *error = to(out, scaled, dtype);
  ctorch_tensor_release(scaled);
  return error;
}

static ctorch_error *integer_to_float(ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype) {
  ctorch_tensor *scaled = NULL;
  CTORCH_TRY(to(&scaled, image, dtype));
  ctorch_error *error = picture_times_(scaled, CTORCH_FLOAT(1.0 / (double)picture_most(ctorch_tensor_dtype(image))));
  if (error != NULL) {
    ctorch_tensor_release(scaled);
    return error;
  }
  *out = scaled;
  return NULL;
}

/* There are no shifts of uint16, which is divided and multiplied. */
static ctorch_error *integer_to_integer(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype) {
  int64_t from = 0, bits = 0;
  CTORCH_TRY(picture_bits(function, &from, ctorch_tensor_dtype(image)));
  CTORCH_TRY(picture_bits(function, &bits, dtype));
  ctorch_tensor *made = NULL;
  ctorch_error *error = NULL;
  if (from > bits) {
    error = ctorch_tensor_dtype(image) == CTORCH_DTYPE_UINT16
                ? picture_over(&made, image, CTORCH_INT(INT64_C(1) << (from - bits)))
                : ctorch_aten_bitwise_right_shift_Tensor_Scalar(&made, image, CTORCH_INT(from - bits));
    THEN(error, to(out, made, dtype));
  } else {
    error = to(&made, image, dtype);
    THEN(
        error, dtype == CTORCH_DTYPE_UINT16
                   ? picture_times(out, made, CTORCH_INT(INT64_C(1) << (bits - from)))
                   : ctorch_aten_bitwise_left_shift_Tensor_Scalar(out, made, CTORCH_INT(bits - from)));
  }
  ctorch_tensor_release(made);
  return error;
}

ctorch_error *picture_scaled(const char *function, ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype) {
  ctorch_dtype from = ctorch_tensor_dtype(image);
  if (from == dtype) {
    return tensor_give(function, out, image);
  }
  if (picture_dtype_is_float(from)) {
    return picture_dtype_is_float(dtype) ? to(out, image, dtype) : float_to_integer(function, out, image, dtype);
  }
  return picture_dtype_is_float(dtype) ? integer_to_float(out, image, dtype)
                                 : integer_to_integer(function, out, image, dtype);
}

ctorch_error *picture_clamped(ctorch_tensor **out, ctorch_tensor *computed, ctorch_dtype dtype) {
  CTORCH_TRY(ctorch_aten_clamp_(computed, CTORCH_INT(0), CTORCH_INT(picture_most(dtype))));
  return to(out, computed, picture_dtype_is_float(dtype) ? ctorch_tensor_dtype(computed) : dtype);
}

/* Numbers. */

typedef ctorch_error *combine(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other);
typedef ctorch_error *combine_here(ctorch_tensor *self, const ctorch_tensor *other);

static ctorch_error *with_number(
    ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number, combine *how) {
  ctorch_tensor *other = NULL;
  CTORCH_TRY(ctorch_tensor_wrapped_number(&other, number));
  ctorch_error *error = how(out, self, other);
  ctorch_tensor_release(other);
  return error;
}

static ctorch_error *with_number_here(ctorch_tensor *self, const ctorch_scalar *number, combine_here *how) {
  ctorch_tensor *other = NULL;
  CTORCH_TRY(ctorch_tensor_wrapped_number(&other, number));
  ctorch_error *error = how(self, other);
  ctorch_tensor_release(other);
  return error;
}

static ctorch_error *add(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_add_Tensor(out, self, other, NULL);
}

static ctorch_error *add_here(ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_add__Tensor(self, other, NULL);
}

ctorch_error *picture_times(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number(out, self, number, ctorch_aten_mul_Tensor);
}

ctorch_error *picture_times_(ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number_here(self, number, ctorch_aten_mul__Tensor);
}

ctorch_error *picture_plus(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number(out, self, number, add);
}

ctorch_error *picture_plus_(ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number_here(self, number, add_here);
}

ctorch_error *picture_over(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number(out, self, number, ctorch_aten_div_Tensor);
}
