/* A batch norm in evaluation as part of the layer before it: torch.nn.utils.fusion. */
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/utils.h"
#include "core/c/error.h"

/* Parameters and buffers of a layer and of the batch norm behind it; what may be absent is NULL. */
struct layers {
  const ctorch_tensor *weight, *bias, *mean, *var, *scale, *shift;
  double eps;
};

/* 1 / sqrt(var + eps). */
static ctorch_error *inverse_deviation(ctorch_tensor **out, const struct layers *given) {
  const ctorch_scalar eps = {.kind = CTORCH_SCALAR_FLOAT, .re = given->eps};
  ctorch_tensor *sum = NULL;
  CTORCH_TRY(ctorch_aten_add_Scalar(&sum, given->var, &eps, NULL));
  ctorch_error *error = ctorch_aten_rsqrt(out, sum);
  ctorch_tensor_release(sum);
  return error;
}

/* A tensor that is given, with a reference more, or one like `mean` full of `value`. */
static ctorch_error *given_or(ctorch_tensor **out, const ctorch_tensor *given, const ctorch_tensor *mean, int value) {
  if (given == NULL) {
    return (value == 0 ? ctorch_aten_zeros_like : ctorch_aten_ones_like)(out, mean, NULL, NULL, NULL, NULL, NULL);
  }
  ctorch_tensor_retain(given);
  *out = (ctorch_tensor *)given;
  return NULL;
}

/* A new leaf that requires gradients if `like` does. */
static ctorch_error *to_parameter(ctorch_tensor **tensor, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_error *error = NULL;
  REPLACE(error, *tensor, ctorch_tensor_to(&next, *tensor, &dtype, NULL, false, false, NULL));
  REPLACE(error, *tensor, ctorch_aten_detach(&next, *tensor));
  THEN(error, ctorch_tensor_set_requires_grad(*tensor, ctorch_tensor_requires_grad(like)));
  return error;
}

/* (bias - mean) * deviation * scale + shift, or with the last factor and the deviation as one. */
static ctorch_error *fuse_bias(
    ctorch_tensor **bias,
    const ctorch_tensor *mean,
    const ctorch_tensor *const *factors,
    size_t len,
    const ctorch_tensor *shift) {
  ctorch_error *error = NULL;
  REPLACE(error, *bias, ctorch_aten_sub_Tensor(&next, *bias, mean, NULL));
  for (size_t i = 0; i < len; i++) {
    REPLACE(error, *bias, ctorch_aten_mul_Tensor(&next, *bias, factors[i]));
  }
  REPLACE(error, *bias, ctorch_aten_add_Tensor(&next, *bias, shift, NULL));
  return error;
}

/* What both functions do in between, all owned. */
struct fusion {
  ctorch_tensor *weight, *bias, *scale, *shift, *deviation, *factor;
};

static ctorch_error *fuse_conv(struct fusion *self, const struct layers *given, bool transpose) {
  ctorch_dtype dtype = ctorch_tensor_dtype(given->weight);
  ctorch_dtype bias_dtype = given->bias != NULL ? ctorch_tensor_dtype(given->bias) : dtype;
  CTORCH_TRY(given_or(&self->bias, given->bias, given->mean, 0));
  CTORCH_TRY(given_or(&self->scale, given->scale, given->mean, 1));
  CTORCH_TRY(given_or(&self->shift, given->shift, given->mean, 0));
  CTORCH_TRY(inverse_deviation(&self->deviation, given));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&self->factor, self->scale, self->deviation));
  size_t ndim = (size_t)ctorch_tensor_ndim(given->weight);
  int64_t *shape = malloc((ndim + 2) * sizeof *shape);
  if (shape == NULL) {
    return error_memory("ctorch_utils_fuse_conv_bn_weights", (ndim + 2) * sizeof *shape);
  }
  for (size_t i = 0; i < ndim + 2; i++) {
    shape[i] = i == (transpose ? 1 : 0) ? -1 : 1;
  }
  ctorch_error *error = ctorch_aten_reshape(&self->weight, self->factor, shape, ndim < 2 ? 2 : ndim);
  free(shape);
  REPLACE(error, self->weight, ctorch_aten_mul_Tensor(&next, given->weight, self->weight));
  CTORCH_TRY(error);
  const ctorch_tensor *const factors[] = {self->deviation, self->scale};
  ctorch_tensor *bias = self->bias; /* whether it requires gradients is asked at the end */
  ctorch_tensor_retain(bias);
  error = fuse_bias(&self->bias, given->mean, factors, 2, self->shift);
  THEN(error, to_parameter(&self->bias, bias_dtype, bias));
  ctorch_tensor_release(bias);
  CTORCH_TRY(error);
  return to_parameter(&self->weight, dtype, given->weight);
}

static ctorch_error *fuse_linear(struct fusion *self, const struct layers *given) {
  ctorch_dtype dtype = ctorch_tensor_dtype(given->weight);
  ctorch_dtype bias_dtype = given->bias != NULL ? ctorch_tensor_dtype(given->bias) : dtype;
  CTORCH_TRY(given_or(&self->bias, given->bias, given->mean, 0));
  CTORCH_TRY(inverse_deviation(&self->deviation, given));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&self->factor, given->scale, self->deviation));
  CTORCH_TRY(ctorch_aten_unsqueeze(&self->weight, self->factor, -1));
  ctorch_error *error = NULL;
  REPLACE(error, self->weight, ctorch_tensor_to(&next, self->weight, &dtype, NULL, false, false, NULL));
  REPLACE(error, self->weight, ctorch_aten_mul_Tensor(&next, given->weight, self->weight));
  CTORCH_TRY(error);
  const ctorch_tensor *const factors[] = {self->factor};
  ctorch_tensor *bias = self->bias;
  ctorch_tensor_retain(bias);
  error = fuse_bias(&self->bias, given->mean, factors, 1, given->shift);
  THEN(error, to_parameter(&self->bias, bias_dtype, bias));
  ctorch_tensor_release(bias);
  CTORCH_TRY(error);
  return to_parameter(&self->weight, ctorch_tensor_dtype(self->weight), given->weight);
}

static ctorch_error *give(
    struct fusion *self, ctorch_error *error, ctorch_tensor **out_weight, ctorch_tensor **out_bias) {
  ctorch_tensor_release(self->scale);
  ctorch_tensor_release(self->shift);
  ctorch_tensor_release(self->deviation);
  ctorch_tensor_release(self->factor);
  if (error != NULL) {
    ctorch_tensor_release(self->weight);
    ctorch_tensor_release(self->bias);
    return error;
  }
  *out_weight = self->weight;
  *out_bias = self->bias;
  return NULL;
}

ctorch_error *utils_fuse_conv_bn_weights(
    const char *function,
    ctorch_tensor **out_weight,
    ctorch_tensor **out_bias,
    const struct utils_fuse_conv_bn_weights_options *o) {
  (void)function;
  struct fusion fusion = {0};
  const struct layers given = {o->conv_w, o->conv_b, o->bn_rm, o->bn_rv, o->bn_w, o->bn_b, o->bn_eps};
  return give(&fusion, fuse_conv(&fusion, &given, o->transpose), out_weight, out_bias);
}

ctorch_error *utils_fuse_linear_bn_weights(
    const char *function,
    ctorch_tensor **out_weight,
    ctorch_tensor **out_bias,
    const struct utils_fuse_linear_bn_weights_options *o) {
  (void)function;
  struct fusion fusion = {0};
  const struct layers given = {o->linear_w, o->linear_b, o->bn_rm, o->bn_rv, o->bn_w, o->bn_b, o->bn_eps};
  return give(&fusion, fuse_linear(&fusion, &given), out_weight, out_bias);
}
