/* torchvision.transforms.v2.functional: colours, blur, noise and erasing, of tensors, images and videos. */
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/blur.h"
#include "transforms/colour.h"
#include "transforms/erase.h"
#include "transforms/transform.h"

enum { IMAGES = TRANSFORM_PURE | TRANSFORM_IMAGE };

static bool takes(const ctorch_tensor *inpt, unsigned kernels) {
  return (kernels & 1u << ctorch_tv_tensor_kind_of(inpt)) != 0;
}

#define FUNCTION(name)                        \
  ctorch_error *transforms_functional_##name( \
      const char *function, ctorch_tensor **out, const struct transforms_functional_##name##_options *options)

/* What `call` makes of a tensor, marked as that is. */
#define KERNEL(kernels, call)                                              \
  {                                                                        \
    ctorch_tensor *made = NULL;                                            \
    const ctorch_tensor *inpt = options->inpt;                             \
    if (!takes(inpt, kernels)) {                                           \
      return functional_refuses(function, inpt, kernels);                  \
    }                                                                      \
    ctorch_error *error = (call);                                          \
    return tv_tensor_give(function, out, made, tv_tensor_of(inpt), error); \
  }

FUNCTION(rgb_to_grayscale)
KERNEL(IMAGES, colour_to_grayscale(function, &made, inpt, options->num_output_channels))

FUNCTION(to_grayscale)
KERNEL(IMAGES, colour_to_grayscale(function, &made, inpt, options->num_output_channels))

FUNCTION(grayscale_to_rgb)
KERNEL(IMAGES, colour_to_rgb(function, &made, inpt))

FUNCTION(adjust_brightness)
KERNEL(TRANSFORM_PICTURES, colour_brightness(function, &made, inpt, options->brightness_factor))

FUNCTION(adjust_saturation)
KERNEL(TRANSFORM_PICTURES, colour_saturation(function, &made, inpt, options->saturation_factor))

FUNCTION(adjust_contrast)
KERNEL(TRANSFORM_PICTURES, colour_contrast(function, &made, inpt, options->contrast_factor))

FUNCTION(adjust_sharpness)
KERNEL(TRANSFORM_PICTURES, colour_sharpness(function, &made, inpt, options->sharpness_factor))

FUNCTION(adjust_hue)
KERNEL(TRANSFORM_PICTURES, colour_hue(function, &made, inpt, options->hue_factor))

FUNCTION(adjust_gamma)
KERNEL(TRANSFORM_PICTURES, colour_gamma(function, &made, inpt, options->gamma, options->gain))

FUNCTION(posterize)
KERNEL(TRANSFORM_PICTURES, colour_posterize(function, &made, inpt, options->bits))

FUNCTION(solarize)
KERNEL(TRANSFORM_PICTURES, colour_solarize(function, &made, inpt, options->threshold))

FUNCTION(autocontrast)
KERNEL(TRANSFORM_PICTURES, colour_autocontrast(function, &made, inpt))

FUNCTION(equalize)
KERNEL(TRANSFORM_PICTURES, colour_equalize(function, &made, inpt))

FUNCTION(invert)
KERNEL(TRANSFORM_PICTURES, colour_invert(function, &made, inpt))

FUNCTION(permute_channels)
KERNEL(TRANSFORM_PICTURES, colour_permute(function, &made, inpt, options->permutation, options->permutation_len))

FUNCTION(erase)
KERNEL(
    TRANSFORM_PICTURES,
    erase_rectangle(
        function,
        &made,
        inpt,
        &(const struct rectangle){options->i, options->j, options->h, options->w},
        options->v,
        options->inplace))

/* Numbers of x and y, of which one stands for both. */
static ctorch_error *check_pair(const char *function, const char *name, size_t len) {
  return len == 1 || len == 2
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "If %s is a sequence its length should be 2. Got %zu", name, len);
}

static ctorch_error *blur(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const struct transforms_functional_gaussian_blur_options *options) {
  bool has_sigma = options->sigma != NULL;
  CTORCH_TRY(check_pair(function, "kernel_size", options->kernel_size_len));
  if (has_sigma) {
    CTORCH_TRY(check_pair(function, "sigma", options->sigma_len));
  }
  const int64_t kernel_size[] = {options->kernel_size[0], options->kernel_size[options->kernel_size_len - 1]};
  double sigma[] = {0, 0};
  if (has_sigma) {
    sigma[0] = options->sigma[0];
    sigma[1] = options->sigma[options->sigma_len - 1];
  }
  return blur_gaussian(function, out, image, kernel_size, has_sigma ? sigma : NULL);
}

FUNCTION(gaussian_blur)
KERNEL(TRANSFORM_PICTURES, blur(function, &made, inpt, options))

FUNCTION(gaussian_noise)
KERNEL(
    TRANSFORM_PICTURES,
    blur_noise(
        function, &made, inpt, &(const struct noise){options->mean, options->sigma, options->clip}, options->generator))
