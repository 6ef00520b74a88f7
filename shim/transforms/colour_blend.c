/* Grey pictures, and what is mixed of a picture and its greys. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/colour.h"
#include "transforms/picture.h"

static ctorch_error *refuse_negative(const char *function, const char *name, double factor) {
  return factor < 0 ? error_make(function, CTORCH_ERROR_VALUE, "%s (%g) is not non-negative", name, factor) : NULL;
}

/* Greys. */

/* One channel three times. */
static ctorch_error *repeat_channel(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  size_t ndim = (size_t)ctorch_tensor_ndim(image);
  int64_t *repeats = malloc(ndim * sizeof *repeats);
  if (repeats == NULL) {
    return error_memory(function, ndim * sizeof *repeats);
  }
  for (size_t i = 0; i < ndim; i++) {
    repeats[i] = i == ndim - 3 ? 3 : 1;
  }
  ctorch_error *error = ctorch_aten_repeat(out, image, repeats, ndim);
  free(repeats);
  return error;
}

/* The luma of red, green and blue (ITU-R 601-2), in one channel; of integers it is a float. */
static ctorch_error *luma(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  ctorch_tensor_list *planes = NULL;
  ctorch_tensor *sum = NULL;
  CTORCH_TRY(ctorch_aten_unbind_int(&planes, image, -3));
  const ctorch_tensor *const *rgb = ctorch_tensor_list_data(planes);
  ctorch_error *error = ctorch_tensor_list_len(planes) == 3
                            ? NULL
                            : error_make(
                                  function, CTORCH_ERROR_VALUE, "expected 3 channels to make greys of, got %zu",
                                  ctorch_tensor_list_len(planes));
  THEN(error, number_times(&sum, rgb[0], CTORCH_FLOAT(0.2989)));
  THEN(error, ctorch_aten_add__Tensor(sum, rgb[1], CTORCH_FLOAT(0.587)));
  THEN(error, ctorch_aten_add__Tensor(sum, rgb[2], CTORCH_FLOAT(0.114)));
  ctorch_tensor_list_release(planes);
  THEN(error, ctorch_aten_unsqueeze(out, sum, -3));
  ctorch_tensor_release(sum);
  return error;
}

/* Of 1 or 3 channels, in the dtype of the picture. */
static ctorch_error *greys(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t num_output_channels) {
  int64_t channels = 0;
  CTORCH_TRY(picture_channels(function, &channels, image));
  if (channels == 1) {
    return num_output_channels == 1 ? ctorch_aten_clone(out, image, NULL) : repeat_channel(function, out, image);
  }
  enum { FLOAT, GREY, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype dtype = ctorch_tensor_dtype(image);
  ctorch_error *error = luma(function, &t[FLOAT], image);
  THEN(error, ctorch_tensor_to(&t[GREY], t[FLOAT], &dtype, NULL, false, false, NULL));
  THEN(
      error,
      num_output_channels == 3
          ? ctorch_aten_expand(out, t[GREY], ctorch_tensor_sizes(image), (size_t)ctorch_tensor_ndim(image), false)
          : tensor_give(function, out, t[GREY]));
  return picture_end(t, TENSORS, error);
}

ctorch_error *colour_to_grayscale(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t num_output_channels) {
  if (num_output_channels != 1 && num_output_channels != 3) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "num_output_channels must be 1 or 3, got %" PRId64, num_output_channels);
  }
  return greys(function, out, image, num_output_channels);
}

ctorch_error *colour_to_rgb(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  int64_t channels = 0;
  CTORCH_TRY(picture_channels(function, &channels, image));
  return channels >= 3 ? tensor_give(function, out, image) : greys(function, out, image, 3);
}

/* Mixing. */

/* ratio * image + (1 - ratio) * other, within the range of the image. */
static ctorch_error *blend(ctorch_tensor **out, const ctorch_tensor *image, const ctorch_tensor *other, double ratio) {
  ctorch_tensor *mixed = NULL;
  ctorch_error *error = number_times(&mixed, image, CTORCH_FLOAT(ratio));
  THEN(error, ctorch_aten_add__Tensor(mixed, other, CTORCH_FLOAT(1.0 - ratio)));
  THEN(error, picture_clamped(out, mixed, ctorch_tensor_dtype(image)));
  ctorch_tensor_release(mixed);
  return error;
}

/* What the picture is mixed with: its greys, rounded down where it has integers. */
static ctorch_error *greys_to_blend(const char *function, ctorch_tensor **out, const ctorch_tensor *image) {
  ctorch_tensor *made = NULL;
  ctorch_error *error = luma(function, &made, image);
  if (!tensor_is_floating_point(image)) {
    THEN(error, ctorch_aten_floor_(made));
  }
  if (error != NULL) {
    ctorch_tensor_release(made);
    return error;
  }
  *out = made;
  return NULL;
}

ctorch_error *colour_brightness(const char *function, ctorch_tensor **out, const ctorch_tensor *image, double factor) {
  int64_t channels = 0;
  CTORCH_TRY(refuse_negative(function, "brightness_factor", factor));
  CTORCH_TRY(picture_one_or_three(function, &channels, image));
  ctorch_tensor *brighter = NULL;
  ctorch_error *error = number_times(&brighter, image, CTORCH_FLOAT(factor));
  THEN(error, picture_clamped(out, brighter, ctorch_tensor_dtype(image)));
  ctorch_tensor_release(brighter);
  return error;
}

ctorch_error *colour_saturation(const char *function, ctorch_tensor **out, const ctorch_tensor *image, double factor) {
  int64_t channels = 0;
  CTORCH_TRY(refuse_negative(function, "saturation_factor", factor));
  CTORCH_TRY(picture_one_or_three(function, &channels, image));
  if (channels == 1) {
    return tensor_give(function, out, image);
  }
  ctorch_tensor *grey = NULL;
  ctorch_error *error = greys_to_blend(function, &grey, image);
  THEN(error, blend(out, image, grey, factor));
  ctorch_tensor_release(grey);
  return error;
}

ctorch_error *colour_contrast(const char *function, ctorch_tensor **out, const ctorch_tensor *image, double factor) {
  enum { GREY, MEAN, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  int64_t channels = 0;
  CTORCH_TRY(refuse_negative(function, "contrast_factor", factor));
  CTORCH_TRY(picture_one_or_three(function, &channels, image));
  ctorch_dtype dtype = tensor_is_floating_point(image) ? ctorch_tensor_dtype(image) : CTORCH_DTYPE_FLOAT32;
  ctorch_error *error = channels == 3 ? greys_to_blend(function, &t[GREY], image)
                                      : ctorch_tensor_to(&t[GREY], image, &dtype, NULL, false, false, NULL);
  THEN(error, ctorch_aten_mean_dim(&t[MEAN], t[GREY], CTORCH_INTS(-3, -2, -1), true, NULL));
  THEN(error, blend(out, image, t[MEAN], factor));
  return picture_end(t, TENSORS, error);
}
