/* Initial values of parameters: torch.nn.init. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sequence.h"
#include "constructors/init.h"
#include "core/c/error.h"
#include "module/init.h"

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

/* Numbers of inputs that go into one output of a layer with this weight, and the other way round. */
static ctorch_error *fans_of(const char *function, int64_t *in, int64_t *out, const ctorch_tensor *weight) {
  int64_t ndim = ctorch_tensor_ndim(weight);
  if (ndim < 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "tensor needs at least 2 dimensions, has %" PRId64, ndim);
  }
  const int64_t *shape = ctorch_tensor_sizes(weight);
  *out = shape[0];
  *in = shape[1];
  for (int64_t i = 2; i < ndim; i++) {
    *out *= shape[i];
    *in *= shape[i];
  }
  return NULL;
}

/* That of the two which a mode names. */
static ctorch_error *fan_of(const char *function, int64_t *fan, const ctorch_tensor *weight, const char *mode) {
  bool is_in = is_word(mode, "fan_in");
  if (!is_in && !is_word(mode, "fan_out")) {
    return error_make(function, CTORCH_ERROR_VALUE, "mode must be fan_in or fan_out, got '%s'", mode);
  }
  int64_t in = 0, out = 0;
  CTORCH_TRY(fans_of(function, &in, &out, weight));
  *fan = is_in ? in : out;
  return NULL;
}

static ctorch_error *fill_normal(ctorch_tensor *tensor, double mean, double std, ctorch_generator *generator) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_normal_(tensor, mean, std, generator);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

static ctorch_error *fill(ctorch_tensor *tensor, const ctorch_scalar *value) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_fill__Scalar(tensor, value);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Whether a tensor has no memory: Python leaves those that it would have to look at. */
static ctorch_error *is_meta(bool *meta, const ctorch_tensor *tensor) {
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, tensor));
  *meta = device.type == CTORCH_DEVICE_TYPE_META;
  return NULL;
}

static ctorch_error *check_matrix(const char *function, const ctorch_tensor *tensor) {
  int64_t ndim = ctorch_tensor_ndim(tensor);
  return ndim == 2 ? NULL
                   : error_make(function, CTORCH_ERROR_VALUE, "tensor must have 2 dimensions, has %" PRId64, ndim);
}

ctorch_error *init_calculate_gain(
    const char *function, double *out, const struct init_calculate_gain_options *options) {
  return gain_of(function, out, options->nonlinearity, options->param == NULL ? 0.01 : *options->param);
}

ctorch_error *init_uniform_(const char *function, const struct init_uniform__options *options) {
  (void)function;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_uniform_(options->tensor, options->a, options->b, options->generator);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *init_normal_(const char *function, const struct init_normal__options *options) {
  (void)function;
  return fill_normal(options->tensor, options->mean, options->std, options->generator);
}

ctorch_error *init_constant_(const char *function, const struct init_constant__options *options) {
  (void)function;
  return fill(options->tensor, options->val);
}

ctorch_error *init_ones_(const char *function, const struct init_ones__options *options) {
  (void)function;
  const ctorch_scalar one = floating(1);
  return fill(options->tensor, &one);
}

ctorch_error *init_zeros_(const char *function, const struct init_zeros__options *options) {
  (void)function;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_zero_(options->tensor);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *init_eye_(const char *function, const struct init_eye__options *options) {
  CTORCH_TRY(check_matrix(function, options->tensor));
  const int64_t *shape = ctorch_tensor_sizes(options->tensor);
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_eye_m_out(shape[0], shape[1], options->tensor);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Whether any element is true. */
static ctorch_error *any(bool *out, const ctorch_tensor *mask) {
  ctorch_tensor *found = NULL;
  CTORCH_TRY(ctorch_aten_any(&found, mask));
  ctorch_error *error = ctorch_tensor_item_bool(out, found);
  ctorch_tensor_release(found);
  return error;
}

/* Put a tensor in the place of another, which is given up; what does not exist for an error is not put. */
static void replace(ctorch_tensor **place, ctorch_tensor *tensor) {
  if (tensor != NULL) {
    ctorch_tensor_release(*place);
    *place = tensor;
  }
}

/* A number as a tensor's dtype has it. */
static ctorch_error *rounded(ctorch_scalar *out, const ctorch_tensor *tensor, double value) {
  const ctorch_scalar exact = floating(value);
  const ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  const ctorch_device cpu = {CTORCH_DEVICE_TYPE_CPU, -1};
  ctorch_tensor *held = NULL;
  *out = exact;
  CTORCH_TRY(ctorch_aten_scalar_tensor(&held, &exact, &dtype, NULL, &cpu, NULL));
  ctorch_error *error = ctorch_tensor_item_double(&out->re, held);
  ctorch_tensor_release(held);
  return error;
}

/* Where elements are outside. */
static ctorch_error *outside(
    ctorch_tensor **out, const ctorch_tensor *tensor, const ctorch_scalar *low, const ctorch_scalar *high) {
  ctorch_tensor *below = NULL, *above = NULL;
  ctorch_error *error = ctorch_aten_lt_Scalar(&below, tensor, low);
  THEN(error, ctorch_aten_gt_Scalar(&above, tensor, high));
  THEN(error, ctorch_aten_bitwise_or_Tensor(out, below, above));
  ctorch_tensor_release(below);
  ctorch_tensor_release(above);
  return error;
}

typedef struct init_trunc_normal__options truncated;

/* Rounds of drawing again after which it is given up, where Python goes on for ever: those that need more would take
 * minutes, or have no number between `a` and `b` that the tensor's dtype knows. */
enum { MOST_ROUNDS = 100000 };

static ctorch_error *give_up(const char *function, const truncated *options) {
  return error_make(
      function, CTORCH_ERROR_VALUE, "after %d rounds there are numbers that were not drawn between %g and %g",
      (int)MOST_ROUNDS, options->a, options->b);
}

/* Draw all, then what is outside, again and again: for an interval that has much of the distribution. */
static ctorch_error *draw_inside(const char *function, const truncated *options) {
  ctorch_scalar low, high;
  CTORCH_TRY(rounded(&low, options->tensor, options->a));
  CTORCH_TRY(rounded(&high, options->tensor, options->b));
  CTORCH_TRY(ctorch_aten_normal_(options->tensor, options->mean, options->std, options->generator));
  bool again = false;
  ctorch_tensor *result = NULL; /* what was drawn once more; NULL while that is the tensor itself */
  ctorch_error *error = NULL;
  int rounds = 0;
  do {
    const ctorch_tensor *drawn = result == NULL ? options->tensor : result;
    ctorch_tensor *mask = NULL, *fresh = NULL, *mixed = NULL;
    error = outside(&mask, drawn, &low, &high);
    THEN(error, any(&again, mask));
    if (error == NULL && again) {
      error = ctorch_aten_empty_like(&fresh, drawn, NULL, NULL, NULL, NULL, NULL);
      THEN(error, ctorch_aten_normal_(fresh, options->mean, options->std, options->generator));
      THEN(error, ctorch_aten_where_self(&mixed, mask, fresh, drawn));
      replace(&result, mixed);
    }
    ctorch_tensor_release(mask);
    ctorch_tensor_release(fresh);
    if (error == NULL && again && ++rounds == MOST_ROUNDS) {
      error = give_up(function, options);
    }
  } while (error == NULL && again);
  if (error == NULL && result != NULL) {
    error = ctorch_aten_copy_(options->tensor, result, false);
  }
  ctorch_tensor_release(result);
  return error;
}

/* In place: how much less probable numbers are than the most probable one, as a logarithm. */
static ctorch_error *log_ratio_(ctorch_tensor *numbers, const truncated *options, double log_peak) {
  const ctorch_scalar mean = floating(options->mean), std = floating(options->std), peak = floating(log_peak);
  const ctorch_scalar two = {.kind = CTORCH_SCALAR_INT, .i = 2}, factor = floating(-0.5);
  CTORCH_TRY(ctorch_aten_sub__Scalar(numbers, &mean, NULL));
  CTORCH_TRY(ctorch_aten_div__Scalar(numbers, &std));
  CTORCH_TRY(ctorch_aten_pow__Scalar(numbers, &two));
  CTORCH_TRY(ctorch_aten_mul__Scalar(numbers, &factor));
  return ctorch_aten_sub__Scalar(numbers, &peak, NULL);
}

/* Where candidates, given by their log_ratio_, are refused by a number drawn for each. */
static ctorch_error *refused(
    ctorch_tensor **out, ctorch_tensor *buffer, const ctorch_tensor *ratio, ctorch_generator *generator) {
  CTORCH_TRY(ctorch_aten_uniform_(buffer, 0, 1, generator));
  CTORCH_TRY(ctorch_aten_log_(buffer));
  return ctorch_aten_gt_Tensor(out, buffer, ratio);
}

/* Draw uniformly and refuse by probability: for an interval that has little of the distribution. */
static ctorch_error *draw_by_rejection(const char *function, const truncated *options, double log_peak) {
  ctorch_tensor *candidates = NULL, *buffer = NULL, *pending = NULL;
  ctorch_tensor *result = NULL; /* what was drawn once more; NULL while that is the tensor itself */
  bool again = false;
  ctorch_error *error = ctorch_aten_empty_like(&candidates, options->tensor, NULL, NULL, NULL, NULL, NULL);
  THEN(error, ctorch_aten_empty_like(&buffer, options->tensor, NULL, NULL, NULL, NULL, NULL));
  THEN(error, ctorch_aten_uniform_(options->tensor, options->a, options->b, options->generator));
  THEN(error, ctorch_aten_copy_(candidates, options->tensor, false));
  THEN(error, log_ratio_(candidates, options, log_peak));
  THEN(error, refused(&pending, buffer, candidates, options->generator));
  THEN(error, any(&again, pending));
  for (int rounds = 0; error == NULL && again; rounds++) {
    ctorch_tensor *mixed = NULL, *fresh = NULL, *still = NULL;
    error = ctorch_aten_uniform_(candidates, options->a, options->b, options->generator);
    THEN(error, ctorch_aten_where_self(&mixed, pending, candidates, result == NULL ? options->tensor : result));
    replace(&result, mixed);
    THEN(error, log_ratio_(candidates, options, log_peak));
    THEN(error, refused(&fresh, buffer, candidates, options->generator));
    THEN(error, ctorch_aten_where_self(&still, pending, fresh, pending));
    replace(&pending, still);
    ctorch_tensor_release(fresh);
    THEN(error, rounds < MOST_ROUNDS ? any(&again, pending) : give_up(function, options));
  }
  if (error == NULL && result != NULL) {
    error = ctorch_aten_copy_(options->tensor, result, false);
  }
  ctorch_tensor_release(result);
  ctorch_tensor_release(candidates);
  ctorch_tensor_release(buffer);
  ctorch_tensor_release(pending);
  return error;
}

/* The normal distribution up to `x`. */
static double normal_cdf(double x) { return (1 + erf(x / sqrt(2))) / 2; }

ctorch_error *init_trunc_normal_(const char *function, const struct init_trunc_normal__options *options) {
  double mean = options->mean, std = options->std, a = options->a, b = options->b;
  bool meta = false;
  CTORCH_TRY(is_meta(&meta, options->tensor));
  if (meta) {
    return NULL;
  }
  if (mean < a - 2 * std || mean > b + 2 * std) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "mean is more than 2 std from [a, b]: the values may be distributed otherwise"));
  }
  if (std == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "std must not be 0");
  }
  bool inside = normal_cdf((b - mean) / std) - normal_cdf((a - mean) / std) > 0.3;
  double mode = b < mean ? b : mean;
  mode = mode > a ? mode : a;
  double distance = (mode - mean) / std, square = distance * distance;
  if (!inside && isinf(square) && isfinite(distance)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "mean %g is too far from [%g, %g] for a std of %g", mean, a, b, std);
  }
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = inside ? draw_inside(function, options) : draw_by_rejection(function, options, -0.5 * square);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Ones where the channels from `out` on meet the first ones that go in, in the middle of the kernel. */
static ctorch_error *set_identity(ctorch_tensor *tensor, int64_t out, int64_t channels) {
  ctorch_tensor *outputs = NULL, *view = NULL;
  const ctorch_scalar one = floating(1);
  CTORCH_TRY(ctorch_aten_narrow(&outputs, tensor, 0, out, channels));
  ctorch_error *error = ctorch_aten_narrow(&view, outputs, 1, 0, channels);
  ctorch_tensor_release(outputs);
  while (error == NULL && ctorch_tensor_ndim(view) > 2) {
    ctorch_tensor *middle = NULL;
    error = ctorch_aten_select_int(&middle, view, 2, ctorch_tensor_sizes(view)[2] / 2);
    replace(&view, middle);
  }
  ctorch_tensor *diagonal = NULL;
  THEN(error, ctorch_aten_diagonal(&diagonal, view, 0, 0, 1));
  THEN(error, ctorch_aten_fill__Scalar(diagonal, &one));
  ctorch_tensor_release(view);
  ctorch_tensor_release(diagonal);
  return error;
}

ctorch_error *init_dirac_(const char *function, const struct init_dirac__options *options) {
  int64_t ndim = ctorch_tensor_ndim(options->tensor), groups = options->groups;
  const int64_t *shape = ctorch_tensor_sizes(options->tensor);
  if (ndim < 3 || ndim > 5) {
    return error_make(function, CTORCH_ERROR_VALUE, "tensor must have 3, 4 or 5 dimensions, has %" PRId64, ndim);
  }
  if (groups < 1 || shape[0] % groups != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "groups must be positive and divide dimension 0, got %" PRId64 " and %" PRId64,
        groups, shape[0]);
  }
  bool meta = false;
  CTORCH_TRY(is_meta(&meta, options->tensor));
  if (meta) {
    return NULL;
  }
  int64_t outputs = shape[0] / groups, channels = outputs < shape[1] ? outputs : shape[1];
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_zero_(options->tensor);
  for (int64_t i = 0; error == NULL && channels > 0 && i < groups; i++) {
    error = set_identity(options->tensor, i * outputs, channels);
  }
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* The standard deviation of Glorot's initializations. */
static ctorch_error *glorot(const char *function, double *std, const ctorch_tensor *tensor, double gain) {
  int64_t in = 0, out = 0;
  CTORCH_TRY(fans_of(function, &in, &out, tensor));
  if (in + out == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "tensor has neither inputs nor outputs");
  }
  *std = gain * sqrt(2 / (double)(in + out));
  return NULL;
}

ctorch_error *init_xavier_uniform_(const char *function, const struct init_xavier_uniform__options *options) {
  double std = 0;
  CTORCH_TRY(glorot(function, &std, options->tensor, options->gain));
  return init_uniform(options->tensor, sqrt(3) * std, options->generator);
}

ctorch_error *init_xavier_normal_(const char *function, const struct init_xavier_normal__options *options) {
  double std = 0;
  CTORCH_TRY(glorot(function, &std, options->tensor, options->gain));
  return fill_normal(options->tensor, 0, std, options->generator);
}

/* The standard deviation of He's initializations. */
static ctorch_error *he(
    const char *function,
    double *std,
    const ctorch_tensor *tensor,
    double slope,
    const char *mode,
    const char *nonlinearity) {
  int64_t fan = 0;
  double gain = 0;
  CTORCH_TRY(fan_of(function, &fan, tensor, mode));
  CTORCH_TRY(gain_of(function, &gain, nonlinearity, slope));
  *std = gain / sqrt((double)fan);
  return NULL;
}

static ctorch_error *warn_of_no_elements(void) {
  return ctorch_warning_emit(CTORCH_WARNING_USER, "Initializing zero-element tensors is a no-op");
}

ctorch_error *init_kaiming_uniform_(const char *function, const struct init_kaiming_uniform__options *options) {
  if (ctorch_tensor_numel(options->tensor) == 0) {
    return warn_of_no_elements();
  }
  double std = 0;
  CTORCH_TRY(he(function, &std, options->tensor, options->a, options->mode, options->nonlinearity));
  return init_uniform(options->tensor, sqrt(3) * std, options->generator);
}

ctorch_error *init_kaiming_normal_(const char *function, const struct init_kaiming_normal__options *options) {
  if (ctorch_tensor_numel(options->tensor) == 0) {
    return warn_of_no_elements();
  }
  double std = 0;
  CTORCH_TRY(he(function, &std, options->tensor, options->a, options->mode, options->nonlinearity));
  return fill_normal(options->tensor, 0, std, options->generator);
}

/* The orthogonal matrix that the columns of `drawn` make, each with the sign of its part of R. */
static ctorch_error *orthogonal_of(ctorch_tensor **out, const ctorch_tensor *drawn) {
  ctorch_tensor *q = NULL, *r = NULL, *diagonal = NULL, *sign = NULL;
  ctorch_error *error = ctorch_aten_linalg_qr(&q, &r, drawn, "reduced");
  THEN(error, ctorch_aten_diag(&diagonal, r, 0));
  THEN(error, ctorch_aten_sign(&sign, diagonal));
  THEN(error, ctorch_aten_mul__Tensor(q, sign));
  ctorch_tensor_release(r);
  ctorch_tensor_release(diagonal);
  ctorch_tensor_release(sign);
  if (error != NULL) {
    ctorch_tensor_release(q);
    return error;
  }
  *out = q;
  return NULL;
}

static ctorch_error *fill_orthogonal(const struct init_orthogonal__options *options) {
  int64_t rows = ctorch_tensor_sizes(options->tensor)[0], columns = ctorch_tensor_numel(options->tensor) / rows;
  ctorch_tensor *drawn = NULL, *q = NULL, *view = NULL;
  const ctorch_scalar gain = floating(options->gain);
  ctorch_error *error =
      ctorch_aten_new_empty(&drawn, options->tensor, (int64_t[]){rows, columns}, 2, NULL, NULL, NULL, NULL);
  THEN(error, ctorch_aten_normal_(drawn, 0, 1, options->generator));
  if (error == NULL && rows < columns) {
    error = ctorch_aten_t_(drawn);
  }
  THEN(error, orthogonal_of(&q, drawn));
  ctorch_tensor_release(drawn);
  if (error == NULL && rows < columns) {
    error = ctorch_aten_t_(q);
  }
  THEN(error, ctorch_aten_view_as(&view, options->tensor, q));
  THEN(error, ctorch_aten_copy_(view, q, false));
  THEN(error, ctorch_aten_mul__Scalar(options->tensor, &gain));
  ctorch_tensor_release(q);
  ctorch_tensor_release(view);
  return error;
}

ctorch_error *init_orthogonal_(const char *function, const struct init_orthogonal__options *options) {
  int64_t ndim = ctorch_tensor_ndim(options->tensor);
  if (ndim < 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "tensor needs at least 2 dimensions, has %" PRId64, ndim);
  }
  bool meta = false;
  CTORCH_TRY(is_meta(&meta, options->tensor));
  if (meta || ctorch_tensor_numel(options->tensor) == 0) {
    return NULL;
  }
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = fill_orthogonal(options);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Zeros in one column of a matrix: where the first `zeros` of a permutation of its rows are. */
static ctorch_error *thin_column(ctorch_tensor *tensor, int64_t index, int64_t zeros, const ctorch_device *device) {
  ctorch_tensor *order = NULL, *first = NULL, *rows = NULL, *column = NULL;
  const ctorch_scalar zero = {.kind = CTORCH_SCALAR_INT};
  const int64_t begin = 0;
  ctorch_error *error = ctorch_aten_randperm(&order, ctorch_tensor_sizes(tensor)[0], NULL, NULL, NULL, NULL);
  THEN(error, ctorch_aten_slice_Tensor(&first, order, 0, &begin, &zeros, 1));
  THEN(error, ctorch_tensor_to(&rows, first, NULL, device, false, false, NULL));
  THEN(error, ctorch_aten_select_int(&column, tensor, 1, index));
  THEN(error, ctorch_aten_index_fill__int_Scalar(column, 0, rows, &zero));
  ctorch_tensor_release(order);
  ctorch_tensor_release(first);
  ctorch_tensor_release(rows);
  ctorch_tensor_release(column);
  return error;
}

ctorch_error *init_sparse_(const char *function, const struct init_sparse__options *options) {
  CTORCH_TRY(check_matrix(function, options->tensor));
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, options->tensor));
  if (device.type == CTORCH_DEVICE_TYPE_META) {
    return NULL;
  }
  const int64_t *shape = ctorch_tensor_sizes(options->tensor);
  if (!isfinite(options->sparsity)) {
    return error_make(function, CTORCH_ERROR_VALUE, "sparsity must be finite, got %g", options->sparsity);
  }
  /* More than all rows are all; a number below zero counts from the end, as in Python. */
  double zeros = fmax(-(double)shape[0], fmin((double)shape[0], ceil(options->sparsity * (double)shape[0])));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_normal_(options->tensor, 0, options->std, options->generator);
  for (int64_t i = 0; error == NULL && i < shape[1]; i++) {
    error = thin_column(options->tensor, i, (int64_t)zeros, &device);
  }
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}
