/* Initial values of parameters: torch.nn.init. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "constructors/init.h"
#include "error.h"
#include "init.h"

ctorch_error *init_uniform(ctorch_tensor *tensor, double bound, ctorch_generator *generator) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_uniform_(tensor, -bound, bound, generator);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Whether a text is one of a list that ends with NULL. */
static bool is_one_of(const char *text, const char *const *names) {
  while (*names != NULL && strcmp(text, *names) != 0) {
    names++;
  }
  return *names != NULL;
}

/* Whether a text is a word in lower case, whatever its own case. */
static bool is_word(const char *text, const char *word) {
  while (*word != '\0' && tolower((unsigned char)*text) == *word) {
    text++;
    word++;
  }
  return *text == *word;
}

/* What a nonlinearity does to the standard deviation, and the recommended correction. */
static ctorch_error *gain_of(const char *function, double *gain, const char *nonlinearity, double slope) {
  static const char *const linear[] = {"linear",           "conv1d",           "conv2d",  "conv3d", "conv_transpose1d",
                                       "conv_transpose2d", "conv_transpose3d", "sigmoid", NULL};
  if (is_one_of(nonlinearity, linear)) {
    *gain = 1;
  } else if (strcmp(nonlinearity, "tanh") == 0) {
    *gain = 5.0 / 3;
  } else if (strcmp(nonlinearity, "relu") == 0) {
    *gain = sqrt(2);
  } else if (strcmp(nonlinearity, "leaky_relu") == 0) {
    *gain = sqrt(2 / (1 + pow(slope, 2)));
  } else if (strcmp(nonlinearity, "selu") == 0) {
    *gain = 3.0 / 4;
  } else {
    return error_make(function, CTORCH_ERROR_VALUE, "unsupported nonlinearity '%s'", nonlinearity);
  }
  return NULL;
}

/* Number of inputs that go into one output of a layer with this weight, or the other way round. */
static ctorch_error *fan_of(const char *function, int64_t *fan, const ctorch_tensor *weight, const char *mode) {
  bool in = is_word(mode, "fan_in");
  if (!in && !is_word(mode, "fan_out")) {
    return error_make(function, CTORCH_ERROR_VALUE, "mode must be fan_in or fan_out, got '%s'", mode);
  }
  int64_t ndim = ctorch_tensor_ndim(weight);
  if (ndim < 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "tensor needs at least 2 dimensions, has %" PRId64, ndim);
  }
  const int64_t *shape = ctorch_tensor_sizes(weight);
  *fan = shape[in ? 1 : 0];
  for (int64_t i = 2; i < ndim; i++) {
    *fan *= shape[i];
  }
  return NULL;
}

ctorch_error *init_kaiming_uniform_(const char *function, const struct init_kaiming_uniform__options *options) {
  if (ctorch_tensor_numel(options->tensor) == 0) {
    return ctorch_warning_emit(CTORCH_WARNING_USER, "Initializing zero-element tensors is a no-op");
  }
  int64_t fan = 0;
  double gain = 0;
  CTORCH_TRY(fan_of(function, &fan, options->tensor, options->mode));
  CTORCH_TRY(gain_of(function, &gain, options->nonlinearity, options->a));
  double bound = sqrt(3) * (gain / sqrt((double)fan));
  return init_uniform(options->tensor, bound, options->generator);
}
