/* Normalization by the mean and variance of channels: torch.nn.functional. */
#include <inttypes.h>

#include "base/text.h"
#include "constructors/functional.h"
#include "core/c/error.h"

/* What Python refuses to take statistics of: one value for each channel, or each channel of a sample. */
static ctorch_error *refuse_one(const char *function, const char *what, const ctorch_tensor *input) {
  struct text shape = {.function = function};
  text_ints(&shape, ctorch_tensor_sizes(input), (size_t)ctorch_tensor_ndim(input));
  ctorch_error *error = error_make(
      function, CTORCH_ERROR_VALUE, "Expected more than 1 %s when training, got input size %s", what,
      text_data(&shape));
  ctorch_error_release(text_end(&shape));
  return error;
}

static bool is_one(const ctorch_tensor *input, bool with_batch) {
  const int64_t *sizes = ctorch_tensor_sizes(input);
  bool is_one = !with_batch || sizes[0] == 1;
  for (int64_t i = 2; i < ctorch_tensor_ndim(input); i++) {
    is_one = is_one && sizes[i] == 1;
  }
  return is_one;
}

ctorch_error *functional_batch_norm(
    const char *function, ctorch_tensor **out, const struct functional_batch_norm_options *options) {
  const ctorch_tensor *input = options->input;
  if (options->training && ctorch_tensor_ndim(input) == 0) {
    return error_make(function, CTORCH_ERROR_INDEX, "input: expected at least 1D input (got 0D input)");
  }
  if (options->training && is_one(input, true)) {
    return refuse_one(function, "value per channel", input);
  }
  if (options->training ? options->eps <= 0 : options->eps < 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "batch_norm eps must be %s, but got %g",
        options->training ? "positive during training" : "non-negative", options->eps);
  }
  return ctorch_aten_batch_norm(
      out, input, options->weight, options->bias, options->running_mean, options->running_var, options->training,
      options->momentum, options->eps, ctorch_settings_cudnn_enabled());
}

ctorch_error *functional_instance_norm(
    const char *function, ctorch_tensor **out, const struct functional_instance_norm_options *options) {
  if (options->use_input_stats && is_one(options->input, false)) {
    return refuse_one(function, "spatial element", options->input);
  }
  return ctorch_aten_instance_norm(
      out, options->input, options->weight, options->bias, options->running_mean, options->running_var,
      options->use_input_stats, options->momentum, options->eps, ctorch_settings_cudnn_enabled());
}

ctorch_error *functional_group_norm(
    const char *function, ctorch_tensor **out, const struct functional_group_norm_options *options) {
  const ctorch_tensor *input = options->input;
  int64_t ndim = ctorch_tensor_ndim(input), values = 0;
  if (ndim < 2) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "Expected at least 2 dimensions for input tensor but received %" PRId64, ndim);
  }
  if (options->num_groups == 0) { /* Python's ZeroDivisionError */
    return error_make(function, CTORCH_ERROR_VALUE, "num_groups must not be 0");
  }
  const int64_t *sizes = ctorch_tensor_sizes(input);
  /* As many values for a group as one sample and its channels have: (N * C / groups, groups, *). */
  if (!__builtin_mul_overflow(sizes[0], sizes[1], &values) && options->num_groups > 0 &&
      values / options->num_groups == 1 && is_one(input, false)) {
    return refuse_one(function, "value per channel", input);
  }
  return ctorch_aten_group_norm(
      out, input, options->num_groups, options->weight, options->bias, options->eps, ctorch_settings_cudnn_enabled());
}
