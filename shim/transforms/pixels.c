/* Types and values of pixels, and what a tensor is about. */
#include "transforms/pixels.h"

#include <inttypes.h>

#include "base/calculation.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/element_type.h"
#include "transforms/transform.h"
#include "transforms/tv_tensor.h"

/* Types. */

static ctorch_tensor *shifted(struct calculation *c, const ctorch_tensor *x, int bits, bool to_right) {
  const ctorch_scalar by = whole(bits);
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(
        c, to_right ? ctorch_aten_bitwise_right_shift_Tensor_Scalar(&made, x, &by)
                    : ctorch_aten_bitwise_left_shift_Tensor_Scalar(&made, x, &by));
  }
  return made;
}

/* Integers in the range of other integers, by as many bits as that has more or less. */
static const ctorch_tensor *int_to_int(struct calculation *c, const ctorch_tensor *x, ctorch_dtype dtype) {
  ctorch_dtype old = ctorch_tensor_dtype(x);
  int old_bits = dtype_value_bits(old), bits = dtype_value_bits(dtype);
  if (old_bits == 0 || bits == 0) {
    calc_fail(
        c, CTORCH_ERROR_TYPE, "Number of value bits is only defined for integer dtypes, but got torch.%s.",
        ctorch_dtype_name(old_bits == 0 ? old : dtype));
    return NULL;
  }
  if (old_bits > bits) {
    return calc_to(
        c,
        old == CTORCH_DTYPE_UINT16 ? calc_div_number(c, x, whole(INT64_C(1) << (old_bits - bits)))
                                   : shifted(c, x, old_bits - bits, true),
        dtype);
  }
  ctorch_tensor *wide = calc_to(c, x, dtype);
  return dtype == CTORCH_DTYPE_UINT16 ? calc_mul_number(c, wide, whole(INT64_C(1) << (bits - old_bits)))
                                      : shifted(c, wide, bits - old_bits, false);
}

static const ctorch_tensor *float_to_int(struct calculation *c, const ctorch_tensor *x, ctorch_dtype dtype) {
  ctorch_dtype old = ctorch_tensor_dtype(x);
  bool is_wide = dtype == CTORCH_DTYPE_INT32 || dtype == CTORCH_DTYPE_INT64;
  if ((old == CTORCH_DTYPE_FLOAT32 && is_wide) || (old == CTORCH_DTYPE_FLOAT64 && dtype == CTORCH_DTYPE_INT64)) {
    calc_fail(
        c, CTORCH_ERROR_RUNTIME, "The conversion from torch.%s to torch.%s cannot be performed safely.",
        ctorch_dtype_name(old), ctorch_dtype_name(dtype));
    return NULL;
  }
  /* So that each number has an interval of the same length, the last one too. */
  return calc_to(c, calc_mul_number(c, x, floating((double)dtype_max_value(dtype) + 1.0 - 1e-3)), dtype);
}

static const ctorch_tensor *scaled(struct calculation *c, const ctorch_tensor *x, ctorch_dtype dtype) {
  bool is_float = tensor_is_floating_point(x), to_float = dtype_is_floating_point(dtype);
  if (is_float) {
    return to_float ? calc_to(c, x, dtype) : float_to_int(c, x, dtype);
  }
  if (!to_float) {
    return int_to_int(c, x, dtype);
  }
  ctorch_tensor *made = calc_to(c, x, dtype);
  calc_mul_number_(c, made, floating(1.0 / (double)dtype_max_value(ctorch_tensor_dtype(x))));
  return made;
}

ctorch_error *vision_to_dtype(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, ctorch_dtype dtype, bool scale) {
  bool is_scaled = scale && (TRANSFORM_PICTURES & 1u << ctorch_tv_tensor_kind_of(input)) != 0;
  const ctorch_tensor *made = input;
  struct calculation c;
  calculation_begin(&c, function);
  if (ctorch_tensor_dtype(input) != dtype) {
    made = is_scaled ? scaled(&c, input, dtype) : calc_to(&c, input, dtype);
  }
  return tv_tensor_end(&c, out, made, tv_tensor_of(input));
}

static ctorch_dtype or_float32(const ctorch_dtype *dtype) { return dtype == NULL ? CTORCH_DTYPE_FLOAT32 : *dtype; }

ctorch_error *transforms_functional_to_dtype(
    const char *function, ctorch_tensor **out, const struct transforms_functional_to_dtype_options *options) {
  return vision_to_dtype(function, out, options->inpt, or_float32(options->dtype), options->scale);
}

ctorch_error *transforms_functional_convert_image_dtype(
    const char *function,
    ctorch_tensor **out,
    const struct transforms_functional_convert_image_dtype_options *options) {
  ctorch_dtype dtype = or_float32(options->dtype);
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *made =
      ctorch_tensor_dtype(options->image) == dtype ? options->image : scaled(&c, options->image, dtype);
  return tv_tensor_end(&c, out, made, NULL);
}

/* Normalization. */

/* One for each channel, or one for all: (C, 1, 1). */
static ctorch_tensor *by_channel(struct calculation *c, const double *values, size_t len, const ctorch_tensor *image) {
  ctorch_tensor *numbers = calc_doubles(c, values, len, ctorch_tensor_dtype(image), image);
  return calc_reshape(c, numbers, (const int64_t[]){-1, 1, 1}, 3);
}

static ctorch_error *check_normalization(
    const char *function, const ctorch_tensor *input, const struct normalization *how) {
  if ((TRANSFORM_PICTURES & 1u << ctorch_tv_tensor_kind_of(input)) == 0) {
    return functional_refuses(function, input, TRANSFORM_PICTURES);
  }
  if (!tensor_is_floating_point(input)) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "Input tensor should be a float tensor. Got torch.%s.",
        ctorch_dtype_name(ctorch_tensor_dtype(input)));
  }
  if (ctorch_tensor_ndim(input) < 3) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Expected tensor to be a tensor image of size (..., C, H, W). Got %" PRId64 " dimensions.",
        ctorch_tensor_ndim(input));
  }
  for (size_t i = 0; i < how->std_len; i++) {
    if (how->std[i] == 0) {
      return error_make(function, CTORCH_ERROR_VALUE, "std evaluated to zero, leading to division by zero.");
    }
  }
  return NULL;
}

ctorch_error *vision_normalize(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct normalization *how) {
  CTORCH_TRY(check_normalization(function, input, how));
  struct calculation c;
  calculation_begin(&c, function);
  ctorch_tensor *mean = by_channel(&c, how->mean, how->mean_len, input);
  ctorch_tensor *std = by_channel(&c, how->std, how->std_len, input);
  ctorch_tensor *made = (ctorch_tensor *)input;
  if (how->inplace) {
    calc_sub_(&c, made, mean);
  } else {
    made = calc_sub(&c, input, mean);
  }
  calc_div_(&c, made, std);
  return tv_tensor_end(&c, out, made, tv_tensor_of(input));
}

ctorch_error *transforms_functional_normalize(
    const char *function, ctorch_tensor **out, const struct transforms_functional_normalize_options *options) {
  const struct normalization how = {options->mean, options->mean_len, options->std, options->std_len, options->inplace};
  return vision_normalize(function, out, options->inpt, &how);
}

/* Frames. */

ctorch_error *vision_uniform_temporal_subsample(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, int64_t num_samples) {
  const unsigned kernels = TRANSFORM_PURE | TRANSFORM_VIDEO;
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT32;
  if ((kernels & 1u << ctorch_tv_tensor_kind_of(input)) == 0) {
    return functional_refuses(function, input, kernels);
  }
  if (ctorch_tensor_ndim(input) < 4) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "inpt: a video has at least four dimensions, got %" PRId64,
        ctorch_tensor_ndim(input));
  }
  const ctorch_scalar first = whole(0), last = whole(size_from_end(input, -4) - 1);
  ctorch_device device;
  ctorch_tensor *places = NULL, *made = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  calc_fail_with(&c, ctorch_tensor_device(&device, input));
  if (c.error == NULL) {
    calc_fail_with(&c, ctorch_aten_linspace(&places, &first, &last, num_samples, &dtype, NULL, &device, NULL));
  }
  ctorch_tensor *frames = calc_to(&c, places, CTORCH_DTYPE_INT64);
  if (calc_goes_on(&c, frames, frames)) {
    calc_fail_with(&c, ctorch_aten_index_select(&made, input, -4, frames));
  }
  return tv_tensor_end(&c, out, made, tv_tensor_of(input));
}

ctorch_error *transforms_functional_uniform_temporal_subsample(
    const char *function,
    ctorch_tensor **out,
    const struct transforms_functional_uniform_temporal_subsample_options *options) {
  return vision_uniform_temporal_subsample(function, out, options->inpt, options->num_samples);
}

/* Marks. */

ctorch_error *transforms_functional_to_image(
    const char *function, ctorch_tensor **out, const struct transforms_functional_to_image_options *options) {
  return error_of(function, ctorch_tv_tensors_Image(out, options->inpt, NULL, NULL, NULL));
}

ctorch_error *transforms_functional_is_pure_tensor(
    const char *function, bool *out, const struct transforms_functional_is_pure_tensor_options *options) {
  (void)function;
  *out = tv_tensor_of(options->inpt) == NULL;
  return NULL;
}

/* Sizes. */

static ctorch_error *check_sizes(const char *function, const ctorch_tensor *input, unsigned kernels) {
  if ((kernels & 1u << ctorch_tv_tensor_kind_of(input)) == 0) {
    return functional_refuses(function, input, kernels);
  }
  return ctorch_tensor_ndim(input) >= 2
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_TYPE, "Input tensor should have at least two dimensions, but got %" PRId64,
                   ctorch_tensor_ndim(input));
}

ctorch_error *transforms_functional_get_dimensions(
    const char *function,
    int64_t *out_channels,
    int64_t *out_height,
    int64_t *out_width,
    const struct transforms_functional_get_dimensions_options *options) {
  CTORCH_TRY(check_sizes(function, options->inpt, TRANSFORM_PICTURES));
  *out_channels = size_from_end(options->inpt, -3);
  *out_height = size_from_end(options->inpt, -2);
  *out_width = size_from_end(options->inpt, -1);
  return NULL;
}

ctorch_error *transforms_functional_get_num_channels(
    const char *function, int64_t *out, const struct transforms_functional_get_num_channels_options *options) {
  CTORCH_TRY(check_sizes(function, options->inpt, TRANSFORM_PICTURES));
  *out = size_from_end(options->inpt, -3);
  return NULL;
}

ctorch_error *transforms_functional_get_size(
    const char *function,
    int64_t *out_height,
    int64_t *out_width,
    const struct transforms_functional_get_size_options *options) {
  const struct tv_tensor *mark = tv_tensor_of(options->inpt);
  if (mark != NULL && (mark->kind == CTORCH_TV_TENSOR_BOUNDING_BOXES || mark->kind == CTORCH_TV_TENSOR_KEY_POINTS)) {
    *out_height = mark->canvas_size[0];
    *out_width = mark->canvas_size[1];
    return NULL;
  }
  CTORCH_TRY(check_sizes(function, options->inpt, TRANSFORM_TENSORS));
  *out_height = size_from_end(options->inpt, -2);
  *out_width = size_from_end(options->inpt, -1);
  return NULL;
}

ctorch_error *transforms_functional_get_num_frames(
    const char *function, int64_t *out, const struct transforms_functional_get_num_frames_options *options) {
  const unsigned kernels = TRANSFORM_PURE | TRANSFORM_VIDEO;
  if ((kernels & 1u << ctorch_tv_tensor_kind_of(options->inpt)) == 0) {
    return functional_refuses(function, options->inpt, kernels);
  }
  if (ctorch_tensor_ndim(options->inpt) < 4) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "inpt: a video has at least four dimensions, got %" PRId64,
        ctorch_tensor_ndim(options->inpt));
  }
  *out = size_from_end(options->inpt, -4);
  return NULL;
}
