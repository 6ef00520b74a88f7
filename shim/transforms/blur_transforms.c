/* Transforms that blur, and that add noise. */
#include <inttypes.h>

#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/blur.h"
#include "transforms/transform.h"

/* GaussianBlur. */

struct gaussian_blur {
  ctorch_transform transform;
  int64_t kernel_size[2];
  double sigma[2];
};

static ctorch_error *draw_sigma(
    const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const double *sigma = ((const struct gaussian_blur *)self)->sigma;
  (void)inputs;
  return draw_uniform(call, drawn, sigma[0], sigma[1]);
}

static ctorch_error *apply_blur(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  return transforms_functional_gaussian_blur(
      call->function, out,
      &(const struct transforms_functional_gaussian_blur_options){
          .inpt = input,
          .kernel_size = ((const struct gaussian_blur *)self)->kernel_size,
          .kernel_size_len = 2,
          .sigma = drawn,
          .sigma_len = 1});
}

static void repr_blur(const ctorch_transform *self, struct text *text) {
  const struct gaussian_blur *blur = (const struct gaussian_blur *)self;
  transform_repr_ints(text, "kernel_size", "(", blur->kernel_size, 2);
  transform_repr_doubles(text, "sigma", "[", blur->sigma, 2);
}

static ctorch_error *check_kernel_size(const char *function, const int64_t *kernel_size, size_t len) {
  if (len != 1 && len != 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "Kernel size should be a tuple/list of two integers, got %zu", len);
  }
  for (size_t i = 0; i < len; i++) {
    if (kernel_size[i] <= 0 || kernel_size[i] % 2 == 0) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "Kernel size value should be an odd and positive number, got %" PRId64,
          kernel_size[i]);
    }
  }
  return NULL;
}

static ctorch_error *check_sigma(const char *function, const double *sigma, size_t len) {
  if (len != 1 && len != 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "If sigma is a sequence its length should be 1 or 2. Got %zu", len);
  }
  double low = sigma[0], high = sigma[len - 1];
  return 0.0 < low && low <= high
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE,
                   "sigma values should be positive and of the form (min, max). Got [%g, %g]", low, high);
}

ctorch_error *transforms_GaussianBlur(
    const char *function, ctorch_transform **out, const struct transforms_GaussianBlur_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT(struct gaussian_blur),
      .name = "GaussianBlur",
      .kernels = TRANSFORM_PICTURES,
      .drawn_size = sizeof(double),
      .draw = draw_sigma,
      .apply = apply_blur,
      .extra_repr = repr_blur};
  static const double usual[] = {0.1, 2.0};
  const double *sigma = options->sigma == NULL ? usual : options->sigma;
  size_t sigma_len = options->sigma == NULL ? 2 : options->sigma_len;
  CTORCH_TRY(check_kernel_size(function, options->kernel_size, options->kernel_size_len));
  CTORCH_TRY(check_sigma(function, sigma, sigma_len));
  struct gaussian_blur *self = transform_new(&class);
  if (self != NULL) {
    self->kernel_size[0] = options->kernel_size[0];
    self->kernel_size[1] = options->kernel_size[options->kernel_size_len - 1];
    self->sigma[0] = sigma[0];
    self->sigma[1] = sigma[sigma_len - 1];
  }
  return transform_give(function, out, (ctorch_transform *)self, NULL);
}

/* GaussianNoise. */

struct gaussian_noise {
  ctorch_transform transform;
  struct noise noise;
};

static ctorch_error *apply_noise(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct noise *noise = &((const struct gaussian_noise *)self)->noise;
  (void)drawn;
  return transforms_functional_gaussian_noise(
      call->function, out,
      &(const struct transforms_functional_gaussian_noise_options){
          .inpt = input,
          .mean = noise->mean,
          .sigma = noise->sigma,
          .clip = noise->clip,
          .generator = call->generator});
}

static void repr_noise(const ctorch_transform *self, struct text *text) {
  const struct noise *noise = &((const struct gaussian_noise *)self)->noise;
  transform_repr_double(text, "mean", noise->mean);
  transform_repr_double(text, "sigma", noise->sigma);
  transform_repr_bool(text, "clip", noise->clip);
}

ctorch_error *transforms_GaussianNoise(
    const char *function, ctorch_transform **out, const struct transforms_GaussianNoise_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT(struct gaussian_noise),
      .name = "GaussianNoise",
      .kernels = TRANSFORM_PICTURES,
      .apply = apply_noise,
      .extra_repr = repr_noise};
  struct gaussian_noise *self = transform_new(&class);
  if (self != NULL) {
    self->noise = (struct noise){options->mean, options->sigma, options->clip};
  }
  return transform_give(function, out, (ctorch_transform *)self, NULL);
}
