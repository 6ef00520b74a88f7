/**
 * What pixels are: types of elements and their ranges.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_ELEMENT_TYPE_H
#define CTORCH_SHIM_TRANSFORMS_ELEMENT_TYPE_H

#include <ctorch.h>

/** Python's dtype.is_floating_point. */
static inline bool dtype_is_floating_point(ctorch_dtype dtype) {
  return (dtype >= CTORCH_DTYPE_FLOAT16 && dtype <= CTORCH_DTYPE_FLOAT64) || dtype == CTORCH_DTYPE_BFLOAT16 ||
         (dtype >= CTORCH_DTYPE_FLOAT8_E5M2 && dtype <= CTORCH_DTYPE_FLOAT8_E4M3FNUZ) ||
         dtype == CTORCH_DTYPE_FLOAT8_E8M0FNU || dtype == CTORCH_DTYPE_FLOAT4_E2M1FN_X2;
}

/** Bits of an integer type beside its sign; 0 for other types. */
static inline int dtype_value_bits(ctorch_dtype dtype) {
  switch (dtype) {
    case CTORCH_DTYPE_UINT8:
      return 8;
    case CTORCH_DTYPE_INT8:
      return 7;
    case CTORCH_DTYPE_INT16:
      return 15;
    case CTORCH_DTYPE_UINT16:
      return 16;
    case CTORCH_DTYPE_INT32:
      return 31;
    case CTORCH_DTYPE_INT64:
      return 63;
    default:
      return 0;
  }
}

/** The number that is white: of integer types the largest, otherwise 1. */
static inline int64_t dtype_max_value(ctorch_dtype dtype) {
  int bits = dtype_value_bits(dtype);
  return bits == 0 ? 1 : bits == 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

/** Height, or width, or another size counted from the end: size_from_end(image, -2). 1 beyond the first. */
static inline int64_t size_from_end(const ctorch_tensor *self, int64_t index) {
  int64_t ndim = ctorch_tensor_ndim(self);
  return ndim + index >= 0 ? ctorch_tensor_sizes(self)[ndim + index] : 1;
}

static inline bool tensor_is_floating_point(const ctorch_tensor *self) {
  return dtype_is_floating_point(ctorch_tensor_dtype(self));
}

#endif
