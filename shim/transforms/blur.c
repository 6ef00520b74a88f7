/* Blurred and noisy pictures. */
#include "transforms/blur.h"

#include <inttypes.h>
#include <math.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/picture.h"

/* Blurring. */

enum { X, Y };

static ctorch_error *check(const char *function, const int64_t *kernel_size, const double *sigma) {
  for (size_t i = X; i <= Y; i++) {
    if (kernel_size[i] % 2 == 0 || kernel_size[i] < 0) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "kernel_size should have odd and positive integers. Got [%" PRId64 ", %" PRId64 "]", kernel_size[X],
          kernel_size[Y]);
    }
  }
  if (sigma[X] <= 0.0 || sigma[Y] <= 0.0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "sigma should have positive values. Got [%g, %g]", sigma[X], sigma[Y]);
  }
  return NULL;
}

/* The bell curve at as many places, with the sum 1. */
static ctorch_error *bell(
    ctorch_tensor **out, int64_t size, double sigma, ctorch_dtype dtype, const ctorch_device *device) {
  enum { PLACES, SCALED, SQUARES, NEGATIVE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  double most = (double)(size - 1) / (2.0 * sqrt(2.0));
  ctorch_error *error =
      ctorch_aten_linspace(&t[PLACES], CTORCH_FLOAT(-most), CTORCH_FLOAT(most), size, &dtype, NULL, device, NULL);
  THEN(error, number_over(&t[SCALED], t[PLACES], CTORCH_FLOAT(sigma)));
  THEN(error, ctorch_aten_pow_Tensor_Scalar(&t[SQUARES], t[SCALED], CTORCH_INT(2)));
  THEN(error, ctorch_aten_neg(&t[NEGATIVE], t[SQUARES]));
  THEN(error, ctorch_aten_softmax_int(out, t[NEGATIVE], 0, NULL));
  return picture_end(t, TENSORS, error);
}

/* One kernel for each channel. */
static ctorch_error *kernels(
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const int64_t *kernel_size,
    const double *sigma,
    int64_t channels) {
  enum { ALONG_X, ALONG_Y, COLUMN, KERNEL, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_device device = {0};
  ctorch_dtype dtype = tensor_is_floating_point(image) ? ctorch_tensor_dtype(image) : CTORCH_DTYPE_FLOAT32;
  CTORCH_TRY(ctorch_tensor_device(&device, image));
  ctorch_error *error = bell(&t[ALONG_X], kernel_size[X], sigma[X], dtype, &device);
  THEN(error, bell(&t[ALONG_Y], kernel_size[Y], sigma[Y], dtype, &device));
  THEN(error, ctorch_aten_unsqueeze(&t[COLUMN], t[ALONG_Y], -1));
  THEN(error, ctorch_aten_mul_Tensor(&t[KERNEL], t[COLUMN], t[ALONG_X]));
  THEN(error, ctorch_aten_expand(out, t[KERNEL], CTORCH_INTS(channels, 1, kernel_size[Y], kernel_size[X]), false));
  return picture_end(t, TENSORS, error);
}

/* A batch (N, C, H, W), of floats. */
static ctorch_error *convolve(
    ctorch_tensor **out, const ctorch_tensor *batch, const ctorch_tensor *kernel, const int64_t *kernel_size) {
  ctorch_tensor *padded = NULL;
  int64_t x = kernel_size[X] / 2, y = kernel_size[Y] / 2;
  CTORCH_TRY(ctorch_aten_pad(&padded, batch, CTORCH_INTS(x, x, y, y), "reflect", NULL));
  ctorch_error *error = ctorch_aten_conv2d(
      out, padded, kernel, NULL, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST,
      ctorch_tensor_sizes(kernel)[0]);
  ctorch_tensor_release(padded);
  return error;
}

/* A batch of the picture, or pictures: a view where that is possible. */
static ctorch_error *batch_of(ctorch_tensor **out, const ctorch_tensor *image) {
  int64_t ndim = ctorch_tensor_ndim(image);
  const int64_t *last = ctorch_tensor_sizes(image) + ndim - 3;
  return ndim == 3 ? ctorch_aten_unsqueeze(out, image, 0)
                   : ctorch_aten_reshape(out, image, CTORCH_INTS(-1, last[0], last[1], last[2]));
}

static ctorch_error *blur(
    ctorch_tensor **out, const ctorch_tensor *image, const int64_t *kernel_size, const double *sigma) {
  enum { BATCH, KERNEL, FLOAT, BLURRED, SHAPED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  size_t ndim = (size_t)ctorch_tensor_ndim(image);
  const int64_t *sizes = ctorch_tensor_sizes(image);
  ctorch_dtype dtype = ctorch_tensor_dtype(image), as = dtype_is_floating_point(dtype) ? dtype : CTORCH_DTYPE_FLOAT32;
  ctorch_error *error = batch_of(&t[BATCH], image);
  THEN(error, kernels(&t[KERNEL], image, kernel_size, sigma, sizes[ndim - 3]));
  THEN(error, ctorch_tensor_to(&t[FLOAT], t[BATCH], &as, NULL, false, false, NULL));
  THEN(error, convolve(&t[BLURRED], t[FLOAT], t[KERNEL], kernel_size));
  THEN(error, ctorch_aten_reshape(&t[SHAPED], t[BLURRED], sizes, ndim));
  if (!dtype_is_floating_point(dtype)) {
    THEN(error, ctorch_aten_round_(t[SHAPED]));
  }
  THEN(error, ctorch_tensor_to(out, t[SHAPED], &dtype, NULL, false, false, NULL));
  return picture_end(t, TENSORS, error);
}

ctorch_error *blur_gaussian(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const int64_t *kernel_size,
    const double *sigma) {
  const double fitting[] = {(double)kernel_size[X] * 0.15 + 0.35, (double)kernel_size[Y] * 0.15 + 0.35};
  int64_t channels = 0;
  CTORCH_TRY(check(function, kernel_size, sigma == NULL ? fitting : sigma));
  if (ctorch_tensor_numel(image) == 0) {
    return tensor_give(function, out, image);
  }
  CTORCH_TRY(picture_channels(function, &channels, image));
  return blur(out, image, kernel_size, sigma == NULL ? fitting : sigma);
}

/* Noise. */

/* mean + draws * sigma. */
static ctorch_error *draw(
    ctorch_tensor **out,
    const ctorch_tensor *image,
    ctorch_dtype dtype,
    double mean,
    double sigma,
    ctorch_generator *generator) {
  enum { DRAWS, SCALED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error =
      generator == NULL ? ctorch_aten_randn_like(&t[DRAWS], image, &dtype, NULL, NULL, NULL, NULL)
                        : ctorch_aten_randn_like_generator(&t[DRAWS], image, generator, &dtype, NULL, NULL, NULL, NULL);
  THEN(error, number_times(&t[SCALED], t[DRAWS], CTORCH_FLOAT(sigma)));
  THEN(error, number_plus(out, t[SCALED], CTORCH_FLOAT(mean)));
  return picture_end(t, TENSORS, error);
}

static ctorch_error *add(
    ctorch_tensor **out, const ctorch_tensor *image, const ctorch_tensor *noise, bool clip, int64_t most) {
  ctorch_tensor *sum = NULL;
  CTORCH_TRY(ctorch_aten_add_Tensor(&sum, image, noise, NULL));
  if (!clip) {
    *out = sum;
    return NULL;
  }
  ctorch_error *error = ctorch_aten_clamp(out, sum, CTORCH_INT(0), CTORCH_INT(most));
  ctorch_tensor_release(sum);
  return error;
}

/* Of bytes the noise is rounded towards 0, and what is not clipped overflows. */
static ctorch_error *add_to_bytes(
    ctorch_tensor **out, const ctorch_tensor *image, const struct noise *noise, ctorch_generator *generator) {
  enum { NOISE, WHOLE, NOISY, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_dtype int16 = CTORCH_DTYPE_INT16, byte = CTORCH_DTYPE_UINT8;
  ctorch_error *error = draw(&t[NOISE], image, CTORCH_DTYPE_FLOAT32, noise->mean * 255, noise->sigma * 255, generator);
  THEN(error, ctorch_tensor_to(&t[WHOLE], t[NOISE], &int16, NULL, false, false, NULL));
  THEN(error, add(&t[NOISY], image, t[WHOLE], noise->clip, UINT8_MAX));
  THEN(error, ctorch_tensor_to(out, t[NOISY], &byte, NULL, false, false, NULL));
  return picture_end(t, TENSORS, error);
}

ctorch_error *blur_noise(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const struct noise *noise,
    ctorch_generator *generator) {
  ctorch_dtype dtype = ctorch_tensor_dtype(image);
  if (noise->sigma < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "sigma shouldn't be negative. Got %g", noise->sigma);
  }
  if (dtype == CTORCH_DTYPE_UINT8) {
    return add_to_bytes(out, image, noise, generator);
  }
  if (!dtype_is_floating_point(dtype)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Input tensor is expected to be in uint8 or float dtype, got dtype=torch.%s",
        ctorch_dtype_name(dtype));
  }
  ctorch_tensor *added = NULL;
  CTORCH_TRY(draw(&added, image, dtype, noise->mean, noise->sigma, generator));
  ctorch_error *error = add(out, image, added, noise->clip, 1);
  ctorch_tensor_release(added);
  return error;
}
