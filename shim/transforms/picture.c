/* What transforms of images have in common. */
#include "transforms/picture.h"

#include <inttypes.h>

#include "constructors/transforms_functional.h"
#include "core/c/error.h"

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

ctorch_error *picture_bits(const char *function, int64_t *out, ctorch_dtype dtype) {
  *out = dtype_value_bits(dtype);
  return *out > 0 ? NULL
                  : error_make(
                        function, CTORCH_ERROR_TYPE,
                        "Number of value bits is only defined for integer dtypes, but got torch.%s",
                        ctorch_dtype_name(dtype));
}

ctorch_error *picture_scaled(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype) {
  return transforms_functional_convert_image_dtype(
      function, out,
      &(const struct transforms_functional_convert_image_dtype_options){.image = image, .dtype = &dtype});
}

ctorch_error *picture_clamped(ctorch_tensor **out, ctorch_tensor *computed, ctorch_dtype dtype) {
  CTORCH_TRY(ctorch_aten_clamp_(computed, CTORCH_INT(0), CTORCH_INT(dtype_max_value(dtype))));
  if (dtype_is_floating_point(dtype)) {
    dtype = ctorch_tensor_dtype(computed);
  }
  return ctorch_tensor_to(out, computed, &dtype, NULL, false, false, NULL);
}
