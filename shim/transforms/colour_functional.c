/* torchvision.transforms.v2.functional: colours, blur, noise and erasing, of tensors, images and videos. */
#include <string.h>

#include "blur.h"
#include "colour.h"
#include "constructors/transforms_functional.h"
#include "erase.h"
#include "error.h"
#include "pixels.h"
#include "tv_tensor.h"

/* TYPE for a tensor that is marked as something else. */
static ctorch_error *check_kind(const char *function, const ctorch_tensor *inpt, bool takes_videos) {
  ctorch_tv_tensor_kind kind = ctorch_tv_tensor_kind_of(inpt);
  return kind == CTORCH_TV_TENSOR_NONE || kind == CTORCH_TV_TENSOR_IMAGE ||
                 (takes_videos && kind == CTORCH_TV_TENSOR_VIDEO)
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_TYPE, "inpt: this function supports tensors%s, but got %s",
                   takes_videos ? ", images and videos" : " and images", ctorch_tv_tensor_kind_name(kind));
}

#define FUNCTION(name)                        \
  ctorch_error *transforms_functional_##name( \
      const char *function, ctorch_tensor **out, const struct transforms_functional_##name##_options *options)

/* What `call` makes of a tensor, marked as that is. */
#define KERNEL(takes_videos, call)                                         \
  {                                                                        \
    ctorch_tensor *made = NULL;                                            \
    const ctorch_tensor *inpt = options->inpt;                             \
    CTORCH_TRY(check_kind(function, inpt, takes_videos));                  \
    ctorch_error *error = (call);                                          \
    return tv_tensor_give(function, out, made, tv_tensor_of(inpt), error); \
  }

FUNCTION(rgb_to_grayscale)
KERNEL(false, colour_to_grayscale(function, &made, inpt, options->num_output_channels))

FUNCTION(to_grayscale)
KERNEL(false, colour_to_grayscale(function, &made, inpt, options->num_output_channels))

FUNCTION(grayscale_to_rgb)
KERNEL(false, colour_to_rgb(function, &made, inpt))

FUNCTION(adjust_brightness)
KERNEL(true, colour_brightness(function, &made, inpt, options->brightness_factor))

FUNCTION(adjust_saturation)
KERNEL(true, colour_saturation(function, &made, inpt, options->saturation_factor))

FUNCTION(adjust_contrast)
KERNEL(true, colour_contrast(function, &made, inpt, options->contrast_factor))

FUNCTION(adjust_sharpness)
KERNEL(true, colour_sharpness(function, &made, inpt, options->sharpness_factor))

FUNCTION(adjust_hue)
KERNEL(true, colour_hue(function, &made, inpt, options->hue_factor))

FUNCTION(adjust_gamma)
KERNEL(true, colour_gamma(function, &made, inpt, options->gamma, options->gain))

FUNCTION(posterize)
KERNEL(true, colour_posterize(function, &made, inpt, options->bits))

FUNCTION(solarize)
KERNEL(true, colour_solarize(function, &made, inpt, options->threshold))

FUNCTION(autocontrast)
KERNEL(true, colour_autocontrast(function, &made, inpt))

FUNCTION(equalize)
KERNEL(true, colour_equalize(function, &made, inpt))

FUNCTION(invert)
KERNEL(true, colour_invert(function, &made, inpt))

FUNCTION(permute_channels)
KERNEL(true, colour_permute(function, &made, inpt, options->permutation, options->permutation_len))

FUNCTION(erase)
KERNEL(
    true,
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
KERNEL(true, blur(function, &made, inpt, options))

FUNCTION(gaussian_noise)
KERNEL(
    true,
    blur_noise(
        function, &made, inpt, &(const struct noise){options->mean, options->sigma, options->clip}, options->generator))
