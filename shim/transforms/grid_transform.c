/* Pixels of an image where a grid says: what rotations, affine, perspective and elastic transforms have in common. */
#include <inttypes.h>

#include "core/c/error.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"

ctorch_dtype grid_dtype(const ctorch_tensor *image) {
  return tensor_is_floating_point(image) ? ctorch_tensor_dtype(image) : CTORCH_DTYPE_FLOAT32;
}

ctorch_error *grid_transform_check(
    const char *function, const ctorch_tensor *image, enum interpolation mode, const struct fill *fill) {
  int64_t ndim = ctorch_tensor_ndim(image), channels = size_from_end(image, -3);
  if (ndim < 3) {
    return error_make(function, CTORCH_ERROR_VALUE, "inpt: expected [..., C, H, W], got %" PRId64 " dimensions", ndim);
  }
  if (fill->is_given && !fill->is_number && fill->len > 1 && (int64_t)fill->len != channels) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "The number of elements in 'fill' cannot broadcast to match the number of channels of the image (%zu != "
        "%" PRId64 ")",
        fill->len, channels);
  }
  if (mode != INTERPOLATION_NEAREST && mode != INTERPOLATION_BILINEAR) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Interpolation mode '%s' is unsupported with Tensor input",
        interpolation_name(mode));
  }
  return NULL;
}

static ctorch_tensor *sample(
    struct calculation *c, const ctorch_tensor *images, const ctorch_tensor *grid, enum interpolation mode) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, images, grid)) {
    calc_fail_with(
        c, ctorch_aten_grid_sampler(
               &made, images, grid,
               mode == INTERPOLATION_NEAREST    ? CTORCH_GRID_SAMPLER_INTERPOLATION_NEAREST
               : mode == INTERPOLATION_BILINEAR ? CTORCH_GRID_SAMPLER_INTERPOLATION_BILINEAR
                                                : CTORCH_GRID_SAMPLER_INTERPOLATION_BICUBIC,
               CTORCH_GRID_SAMPLER_PADDING_ZEROS, false));
  }
  return made;
}

/* Where the last channel, which was all ones, is no more. */
static ctorch_tensor *fill_outside(
    struct calculation *c, ctorch_tensor *with_mask, enum interpolation mode, const struct fill *fill) {
  if (!calc_goes_on(c, with_mask, with_mask)) {
    return NULL;
  }
  ctorch_tensor *pixels = calc_slice(c, with_mask, -3, 0, -1), *mask = calc_slice(c, with_mask, -3, -1, INT64_MAX);
  ctorch_tensor *colour = calc_doubles(c, fill->values, fill->len, ctorch_tensor_dtype(with_mask), with_mask);
  colour = calc_reshape(c, colour, (const int64_t[]){1, -1, 1, 1}, 4);
  if (!calc_goes_on(c, pixels, colour)) {
    return NULL;
  }
  mask = calc_expand(c, mask, ctorch_tensor_sizes(pixels), 4);
  if (mode == INTERPOLATION_NEAREST) {
    colour = calc_expand(c, colour, ctorch_tensor_sizes(pixels), 4);
    return calc_where(c, calc_less(c, mask, floating(0.5)), colour, pixels);
  }
  calc_sub_(c, pixels, colour);
  calc_mul_(c, pixels, mask);
  calc_add_(c, pixels, colour);
  return pixels;
}

/* Sizes of an image with another height and width. */
static ctorch_tensor *in_size(
    struct calculation *c, const ctorch_tensor *x, const ctorch_tensor *image, int64_t height, int64_t width) {
  int64_t ndim = ctorch_tensor_ndim(image), sizes[64];
  for (int64_t i = 0; i < ndim - 2 && i < 62; i++) {
    sizes[i] = ctorch_tensor_sizes(image)[i];
  }
  sizes[ndim - 2] = height;
  sizes[ndim - 1] = width;
  return calc_reshape(c, x, sizes, (size_t)ndim);
}

const ctorch_tensor *grid_transform(
    struct calculation *c,
    const ctorch_tensor *image,
    const ctorch_tensor *grid,
    enum interpolation mode,
    const struct fill *fill) {
  if (!calc_goes_on(c, image, grid)) {
    return NULL;
  }
  int64_t height = ctorch_tensor_sizes(grid)[1], width = ctorch_tensor_sizes(grid)[2];
  if (ctorch_tensor_numel(image) == 0) {
    return in_size(c, image, image, height, width);
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(image);
  bool is_cast = dtype != ctorch_tensor_dtype(grid);
  int64_t sizes[] = {-1, size_from_end(image, -3), size_from_end(image, -2), size_from_end(image, -1)};
  ctorch_tensor *images = calc_to(c, calc_reshape(c, image, sizes, 4), ctorch_tensor_dtype(grid));
  int64_t batch = calc_goes_on(c, images, images) ? ctorch_tensor_sizes(images)[0] : 0;
  if (batch > 1) {
    grid = calc_expand(c, grid, (const int64_t[]){batch, -1, -1, -1}, 4);
  }
  if (fill->is_given) {
    const int64_t one_channel[] = {batch, 1, sizes[2], sizes[3]};
    ctorch_tensor *ones = calc_ones(c, one_channel, 4, ctorch_tensor_dtype(grid), image);
    ctorch_tensor *with_mask = calc_cat(c, images, ones, 1);
    calc_drop(c, ones);
    calc_drop(c, images);
    images = with_mask;
  }
  ctorch_tensor *made = sample(c, images, grid, mode);
  calc_drop(c, images);
  if (fill->is_given) {
    made = fill_outside(c, made, mode, fill);
  }
  if (is_cast) {
    calc_round_(c, made);
    made = calc_to(c, made, dtype);
  }
  return in_size(c, made, image, height, width);
}
