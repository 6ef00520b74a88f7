/* ElasticTransform: pixels that are moved at random, by what a blur leaves of noise. */
#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/blur.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

struct elastic {
  ctorch_transform transform;
  enum interpolation interpolation;
  struct fills fills;
  double alpha[2], sigma[2]; /* of x and y */
};

static void finalize(void *object) { fills_end(&((struct elastic *)object)->fills); }

/* What is drawn: a displacement for each pixel, (1, H, W, 2). */
static void drawn_end(void *drawn) { ctorch_tensor_release(*(ctorch_tensor **)drawn); }

/* The size of the kernel that a deviation fills, which is odd. */
static int64_t kernel_size(double sigma) {
  int64_t size = (int64_t)(8 * sigma + 1);
  return size % 2 == 0 ? size + 1 : size;
}

static ctorch_error *blurred(
    const struct elastic *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *noise,
    int axis) {
  if (!(self->sigma[axis] > 0)) {
    return tensor_give(call->function, out, noise);
  }
  const int64_t size = kernel_size(self->sigma[axis]);
  return blur_gaussian(call->function, out, noise, (const int64_t[]){size, size}, self->sigma);
}

/* Noise from -1 to 1. */
static ctorch_error *draw_noise(struct transform_call *call, ctorch_tensor **out, struct size size) {
  const ctorch_dtype float32 = CTORCH_DTYPE_FLOAT32;
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  const int64_t sizes[] = {1, 1, size.height, size.width};
  ctorch_tensor *drawn = NULL;
  CTORCH_TRY(ctorch_aten_rand_generator(&drawn, sizes, 4, call->generator, &float32, NULL, &cpu, NULL));
  struct calculation c;
  calculation_begin(&c, call->function);
  ctorch_error *error =
      tv_tensor_end(&c, out, calc_sub_number(&c, calc_mul_number(&c, drawn, whole(2)), whole(1)), NULL);
  ctorch_tensor_release(drawn);
  return error;
}

/* How far pixels move along an axis, in parts of half a side. */
static ctorch_error *draw_axis(
    const struct elastic *self, struct transform_call *call, ctorch_tensor **out, struct size size, int axis) {
  ctorch_tensor *noise = NULL, *smooth = NULL;
  CTORCH_TRY(draw_noise(call, &noise, size));
  ctorch_error *error = blurred(self, call, &smooth, noise, axis);
  ctorch_tensor_release(noise);
  CTORCH_TRY(error);
  struct calculation c;
  calculation_begin(&c, call->function);
  ctorch_tensor *scaled = calc_mul_number(&c, smooth, floating(self->alpha[axis]));
  error = tv_tensor_end(&c, out, calc_div_number(&c, scaled, whole(axis == 0 ? size.width : size.height)), NULL);
  ctorch_tensor_release(smooth);
  return error;
}

static ctorch_error *join(struct transform_call *call, ctorch_tensor **out, ctorch_tensor *x, ctorch_tensor *y) {
  ctorch_tensor *both = NULL;
  const ctorch_tensor *const parts[] = {x, y};
  CTORCH_TRY(error_of(call->function, ctorch_aten_cat(&both, parts, 2, 1)));
  ctorch_error *error = ctorch_aten_permute(out, both, (const int64_t[]){0, 2, 3, 1}, 4);
  ctorch_tensor_release(both);
  return error_of(call->function, error);
}

static ctorch_error *draw(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct elastic *self = (const struct elastic *)object;
  struct size size = {0};
  ctorch_tensor *x = NULL, *y = NULL;
  CTORCH_TRY(transform_query_size(call, &size.height, &size.width, inputs));
  if (size.height == 0 || size.width == 0) {
    return error_make(call->function, CTORCH_ERROR_VALUE, "input: a side of 0 pixels (division by zero)");
  }
  CTORCH_TRY(draw_axis(self, call, &x, size, 0));
  ctorch_error *error = draw_axis(self, call, &y, size, 1);
  THEN(error, join(call, drawn, x, y));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return error;
}

static ctorch_error *apply(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct elastic *self = (const struct elastic *)object;
  return vision_elastic(
      call->function, out, input, *(ctorch_tensor *const *)drawn, interpolation_name(self->interpolation),
      fills_for(&self->fills, input));
}

static void extra_repr(const ctorch_transform *object, struct text *text) {
  const struct elastic *self = (const struct elastic *)object;
  transform_repr_doubles(text, "alpha", "[", self->alpha, 2);
  transform_repr_doubles(text, "sigma", "[", self->sigma, 2);
  transform_repr_text(text, "interpolation", interpolation_name(self->interpolation));
  transform_repr_fill(text, &self->fills);
}

static const transform_class elastic_class = {
    .object = TRANSFORM_OBJECT_WITH(struct elastic, finalize),
    .name = "ElasticTransform",
    .drawn_size = sizeof(ctorch_tensor *),
    .drawn_end = drawn_end,
    .draw = draw,
    .apply = apply,
    .extra_repr = extra_repr,
};

/* One number for both axes, or one for each; as the default both. */
static ctorch_error *read_pair(
    const char *function, const char *name, double out[2], double otherwise, const double *given, size_t len) {
  if (given != NULL && len != 1 && len != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s should be a number or a sequence of length 1 or 2, got %zu numbers", name,
        len);
  }
  out[0] = given == NULL ? otherwise : given[0];
  out[1] = given == NULL ? otherwise : given[len - 1];
  return NULL;
}

ctorch_error *transforms_ElasticTransform(
    const char *function, ctorch_transform **out, const struct transforms_ElasticTransform_options *options) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  double alpha[2] = {0}, sigma[2] = {0};
  CTORCH_TRY(read_pair(function, "alpha", alpha, 50, options->alpha, options->alpha_len));
  CTORCH_TRY(read_pair(function, "sigma", sigma, 5, options->sigma, options->sigma_len));
  CTORCH_TRY(interpolation_read(function, &mode, options->interpolation));
  struct elastic *self = transform_new(&elastic_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->interpolation = mode;
  for (int i = 0; i < 2; i++) {
    self->alpha[i] = alpha[i];
    self->sigma[i] = sigma[i];
  }
  return transform_give(function, out, &self->transform, fills_begin(function, &self->fills, options->fill));
}
