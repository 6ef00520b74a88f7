/* Images by the places of their pixels: grids and sliding windows of torch.nn.functional. */
#include <inttypes.h>
#include <string.h>

#include "constructors/functional.h"
#include "core/c/error.h"

/* What Python still takes for granted, and warns of. */
static ctorch_error *corners(bool *align, const bool *given) {
  *align = given != NULL && *given;
  return given != NULL ? NULL
                       : ctorch_warning_emit(
                             CTORCH_WARNING_USER,
                             "Default grid_sample and affine_grid behavior has changed to align_corners=False since "
                             "1.3.0. Please specify align_corners=True if the old behavior is desired.");
}

static ctorch_error *check_theta(const char *function, const struct functional_affine_grid_options *options) {
  const ctorch_tensor *theta = options->theta;
  const ctorch_dtype dtype = ctorch_tensor_dtype(theta);
  bool is_floating = false;
  CTORCH_TRY(ctorch_aten_is_floating_point(&is_floating, theta));
  if (!is_floating) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Expected theta to have floating point type, but got %s",
        ctorch_dtype_name(dtype));
  }
  if (options->size_len != 4 && options->size_len != 5) {
    return error_make(
        function, CTORCH_ERROR_NOT_IMPLEMENTED,
        "size: affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, but got %zu numbers",
        options->size_len);
  }
  int64_t dims = (int64_t)options->size_len - 2;
  const int64_t *sizes = ctorch_tensor_sizes(theta);
  if (ctorch_tensor_ndim(theta) != 3 || sizes[1] != dims || sizes[2] != dims + 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "theta: expected a batch of %" PRId64 "D affine matrices of shape Nx%" PRId64 "x%" PRId64, dims, dims,
        dims + 1);
  }
  return NULL;
}

ctorch_error *functional_affine_grid(
    const char *function, ctorch_tensor **out, const struct functional_affine_grid_options *options) {
  bool align = false;
  int64_t least = INT64_MAX, least_of_image = INT64_MAX;
  CTORCH_TRY(corners(&align, options->align_corners));
  CTORCH_TRY(check_theta(function, options));
  for (size_t i = 0; i < options->size_len; i++) {
    int64_t size = options->size[i];
    least = size < least ? size : least;
    least_of_image = i >= 2 && size < least_of_image ? size : least_of_image;
  }
  if (align && least_of_image == 1) { /* Python looks no further at the other sizes then */
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "affine_grid: a grid of size 1 with align_corners=True is not an intended use"));
  } else if (least <= 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "size: expected non-zero, positive output size, but got %" PRId64, least);
  }
  return ctorch_aten_affine_grid_generator(out, options->theta, options->size, options->size_len, align);
}

/* The number of a name, which operators take. */
static ctorch_error *mode_of(
    const char *function, int64_t *out, const char *argument, const char *const *names, const char *name) {
  for (int64_t i = 0; i < 3; i++) {
    if (strcmp(name, names[i]) == 0) {
      *out = i;
      return NULL;
    }
  }
  return error_make(
      function, CTORCH_ERROR_VALUE, "expected %s to be '%s', '%s' or '%s', but got: '%s'", argument, names[0], names[1],
      names[2], name);
}

ctorch_error *functional_grid_sample(
    const char *function, ctorch_tensor **out, const struct functional_grid_sample_options *options) {
  static const char *const modes[] = {"bilinear", "nearest", "bicubic"};
  static const char *const padding_modes[] = {"zeros", "border", "reflection"};
  int64_t mode = 0, padding = 0;
  bool align = false;
  CTORCH_TRY(mode_of(function, &mode, "mode", modes, options->mode));
  CTORCH_TRY(mode_of(function, &padding, "padding_mode", padding_modes, options->padding_mode));
  CTORCH_TRY(corners(&align, options->align_corners));
  return ctorch_aten_grid_sampler(out, options->input, options->grid, mode, padding, align);
}

ctorch_error *functional_unfold(
    const char *function, ctorch_tensor **out, const struct functional_unfold_options *options) {
  (void)function;
  return ctorch_aten_im2col(
      out, options->input, options->kernel_size, 2, options->dilation, 2, options->padding, 2, options->stride, 2);
}

ctorch_error *functional_fold(
    const char *function, ctorch_tensor **out, const struct functional_fold_options *options) {
  (void)function;
  return ctorch_aten_col2im(
      out, options->input, options->output_size, 2, options->kernel_size, 2, options->dilation, 2, options->padding, 2,
      options->stride, 2);
}
