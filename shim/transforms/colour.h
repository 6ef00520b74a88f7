/**
 * The colours of pictures: what the functionals do with a tensor (..., C, H, W), whatever it is a picture of.
 *
 * Each gives a new tensor, or the picture itself where nothing changes.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_COLOUR_H
#define CTORCH_SHIM_TRANSFORMS_COLOUR_H

#include <ctorch.h>

#define KERNEL __attribute__((warn_unused_result))

typedef ctorch_error *colour_plain(const char *function, ctorch_tensor **out, const ctorch_tensor *image);
typedef ctorch_error *colour_by_factor(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, double factor);

/* colour_blend.c */
ctorch_error *colour_to_grayscale(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t num_output_channels) KERNEL;
colour_plain colour_to_rgb KERNEL;
colour_by_factor colour_brightness KERNEL, colour_saturation KERNEL, colour_contrast KERNEL;

/* colour_sharpness.c */
colour_by_factor colour_sharpness KERNEL;

/* colour_hue.c */
colour_by_factor colour_hue KERNEL;

/* colour_levels.c */
ctorch_error *colour_gamma(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, double gamma, double gain) KERNEL;
ctorch_error *colour_posterize(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t bits) KERNEL;
colour_by_factor colour_solarize KERNEL;
colour_plain colour_invert KERNEL, colour_autocontrast KERNEL;

/* colour_equalize.c */
colour_plain colour_equalize KERNEL;

/* colour_channels.c: channel i of the result is the picture's channel permutation[i]. */
ctorch_error *colour_permute(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const int64_t *permutation,
    size_t permutation_len) KERNEL;

#undef KERNEL

#endif
