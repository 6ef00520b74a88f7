/* Modules made faster: <ctorch/nn_utils/module_fuse.h>. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/utils.h"
#include "core/c/error.h"
#include "module/walk.h"
#include "nn/conv.h"
#include "nn/normalization.h"

static ctorch_error *check(
    const char *function, const void *out, const ctorch_module *layer, const char *argument, const ctorch_module *bn) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || layer == NULL || bn == NULL) {
    return error_null(function, out == NULL ? "out" : layer == NULL ? argument : "bn");
  }
  if (module_is_training(layer) || module_is_training(bn)) {
    return error_make(function, CTORCH_ERROR_VALUE, "Fusion only for eval!");
  }
  if (!norm_is_of_batches(bn)) {
    return error_make(function, CTORCH_ERROR_TYPE, "bn must be a batch norm, not %s", module_name(bn));
  }
  return NULL;
}

static ctorch_error *check_statistics(const char *function, const ctorch_module *bn) {
  if (module_buffer(bn, "running_mean") == NULL || module_buffer(bn, "running_var") == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "bn.running_mean and bn.running_var must not be None");
  }
  return NULL;
}

/* The weight and the bias of a layer, to be replaced. */
static ctorch_error *find(
    const char *function, const ctorch_module *self, struct module_tensor **weight, struct module_tensor **bias) {
  *weight = module_find_tensor(&self->parameters, "weight");
  *bias = module_find_tensor(&self->parameters, "bias");
  if (*weight == NULL || *bias == NULL) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "'%s' object has no attribute '%s'", module_name(self),
        *weight == NULL ? "weight" : "bias");
  }
  if ((*weight)->computed != NULL || (*bias)->computed != NULL) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "the %s of %s is computed from other parameters",
        (*weight)->computed != NULL ? "weight" : "bias", module_name(self));
  }
  return (*weight)->tensor != NULL
             ? NULL
             : error_make(function, CTORCH_ERROR_TYPE, "the weight of %s is None", module_name(self));
}

/* A copy of a layer with what a fusion gave. */
static ctorch_error *replaced(
    const char *function,
    ctorch_module **out,
    const ctorch_module *layer,
    ctorch_tensor *weight,
    ctorch_tensor *bias,
    ctorch_error *error) {
  ctorch_module *copy = NULL;
  struct module_tensor *old_weight = NULL, *old_bias = NULL;
  THEN(error, ctorch_module_copy(&copy, layer));
  THEN(error, find(function, copy, &old_weight, &old_bias));
  if (error == NULL) {
    module_replace(old_weight, weight);
    module_replace(old_bias, bias);
    *out = copy;
  } else {
    ctorch_module_release(copy);
  }
  ctorch_tensor_release(weight);
  ctorch_tensor_release(bias);
  return error;
}

ctorch_error *ctorch_module_fuse_conv_bn_eval(
    ctorch_module **out, const ctorch_module *conv, const ctorch_module *bn, bool transpose) {
  struct module_tensor *weight = NULL, *bias = NULL;
  CTORCH_TRY(check(__func__, out, conv, "conv", bn));
  CTORCH_TRY(check_statistics(__func__, bn));
  CTORCH_TRY(find(__func__, conv, &weight, &bias));
  const struct utils_fuse_conv_bn_weights_options options = {
      .conv_w = weight->tensor,
      .conv_b = bias->tensor,
      .bn_rm = module_buffer(bn, "running_mean"),
      .bn_rv = module_buffer(bn, "running_var"),
      .bn_eps = ((const struct norm *)bn)->eps,
      .bn_w = module_parameter(bn, "weight"),
      .bn_b = module_parameter(bn, "bias"),
      .transpose = transpose};
  ctorch_tensor *fused_weight = NULL, *fused_bias = NULL;
  ctorch_error *error = utils_fuse_conv_bn_weights(__func__, &fused_weight, &fused_bias, &options);
  return replaced(__func__, out, conv, fused_weight, fused_bias, error);
}

ctorch_error *ctorch_module_fuse_linear_bn_eval(
    ctorch_module **out, const ctorch_module *linear, const ctorch_module *bn) {
  struct module_tensor *weight = NULL, *bias = NULL;
  CTORCH_TRY(check(__func__, out, linear, "linear", bn));
  CTORCH_TRY(find(__func__, linear, &weight, &bias));
  int64_t got = ((const struct norm *)bn)->num_features;
  const int64_t *sizes = ctorch_tensor_sizes(weight->tensor);
  int64_t wanted = sizes == NULL || ctorch_tensor_ndim(weight->tensor) == 0 ? 0 : sizes[0];
  if (got != wanted && got != 1) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE,
        "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got linear.out_features=%" PRId64
        " and bn.num_features=%" PRId64,
        wanted, got);
  }
  CTORCH_TRY(check_statistics(__func__, bn));
  const struct utils_fuse_linear_bn_weights_options options = {
      .linear_w = weight->tensor,
      .linear_b = bias->tensor,
      .bn_rm = module_buffer(bn, "running_mean"),
      .bn_rv = module_buffer(bn, "running_var"),
      .bn_eps = ((const struct norm *)bn)->eps,
      .bn_w = module_parameter(bn, "weight"),
      .bn_b = module_parameter(bn, "bias")};
  if (options.bn_w == NULL || options.bn_b == NULL) {
    return error_make(__func__, CTORCH_ERROR_TYPE, "bn.weight and bn.bias must not be None");
  }
  ctorch_tensor *fused_weight = NULL, *fused_bias = NULL;
  ctorch_error *error = utils_fuse_linear_bn_weights(__func__, &fused_weight, &fused_bias, &options);
  return replaced(__func__, out, linear, fused_weight, fused_bias, error);
}

/* Memory formats. */

static ctorch_error *convert_weight(ctorch_tensor *weight, ctorch_memory_format memory_format) {
  ctorch_tensor *data = NULL;
  struct steps s = {0};
  STEP(&s, ctorch_aten_detach(&s.next, weight));
  STEP(&s, ctorch_aten_clone(&s.next, s.at, &memory_format));
  THEN(
      s.error,
      ctorch_aten_resize_(s.at, ctorch_tensor_sizes(weight), (size_t)ctorch_tensor_ndim(weight), &memory_format));
  CTORCH_TRY(steps_end(&s, &data));
  ctorch_error *error = ctorch_aten_set_data(weight, data);
  ctorch_tensor_release(data);
  return error;
}

static ctorch_error *convert(
    const char *function, ctorch_module *self, size_t dims, ctorch_memory_format memory_format) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  if (memory_format < 0 || memory_format > CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D) {
    return error_argument(function, "memory_format", "unknown memory format %d", (int)memory_format);
  }
  CTORCH_TRY(module_walk(function, &all, self, NULL, true, true));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    const ctorch_module *module = all->data[i].module;
    const struct module_tensor *weight = module_find_tensor(&module->parameters, "weight");
    if (conv_dims(module) == dims && weight != NULL && module_held(weight) != NULL) {
      error = convert_weight(weight->tensor, memory_format);
    }
  }
  object_unref(all);
  return error;
}

ctorch_error *ctorch_module_convert_conv2d_weight_memory_format(
    ctorch_module *self, ctorch_memory_format memory_format) {
  return convert(__func__, self, 2, memory_format);
}

ctorch_error *ctorch_module_convert_conv3d_weight_memory_format(
    ctorch_module *self, ctorch_memory_format memory_format) {
  return convert(__func__, self, 3, memory_format);
}
