/* CrossMapLRN2d: normalisation by neighbouring channels as Caffe had it, with Python's own backward.
 *
 * Sums of squares over a window of channels are made one from the other, by adding the channel that enters and taking
 * the one that leaves away. As in Python, the first channel is never taken away, and backward does not know of that. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"
#include "module/options.h"

struct cross_map {
  ctorch_module module;
  int64_t size;
  double alpha, beta, k;
};

/* What a call keeps for its backward. */
struct options {
  int64_t size;
  double alpha, beta, k;
};

/* target[at] += alpha * source[from], where both are numbered along a dimension; `at` below 0 is all of target. */
static ctorch_error *add_slice(
    ctorch_tensor *target, int64_t at, const ctorch_tensor *source, int64_t from, int64_t dim, int64_t alpha) {
  const ctorch_scalar factor = whole(alpha);
  ctorch_tensor *place = NULL, *slice = NULL;
  ctorch_error *error = at < 0 ? tensor_give(FORWARD, &place, target) : ctorch_aten_select_int(&place, target, dim, at);
  THEN(error, ctorch_aten_select_int(&slice, source, dim, from));
  THEN(error, ctorch_aten_add__Tensor(place, slice, &factor));
  ctorch_tensor_release(place);
  ctorch_tensor_release(slice);
  return error;
}

/* The sums of squares over windows of channels. */
static ctorch_error *sum_windows(ctorch_tensor *sums, const ctorch_tensor *squares, int64_t size) {
  int64_t channels = ctorch_tensor_sizes(squares)[1], reach = (int64_t)(((double)size - 1) / 2 + 1);
  ctorch_error *error = NULL;
  for (int64_t c = 0; error == NULL && c < reach && c < channels; c++) {
    error = add_slice(sums, 0, squares, c, 1, 1);
  }
  for (int64_t c = 1; error == NULL && c < channels; c++) {
    error = add_slice(sums, c, sums, c - 1, 1, 1); /* it is zero so far */
    if (c < channels - reach + 1) {
      THEN(error, add_slice(sums, c, squares, c + reach - 1, 1, 1));
    }
    if (c > reach) {
      THEN(error, add_slice(sums, c, squares, c - reach, 1, -1));
    }
  }
  return error;
}

static ctorch_error *compute(
    ctorch_tensor **out, ctorch_tensor **out_scale, const ctorch_tensor *input, const struct options *o) {
  const ctorch_scalar two = whole(2), ratio = floating(o->alpha / (double)o->size), k = floating(o->k);
  const ctorch_scalar power = floating(-o->beta);
  ctorch_tensor *squares = NULL, *scale = NULL;
  struct steps s = {0};
  ctorch_error *error = ctorch_aten_pow_Tensor_Scalar(&squares, input, &two);
  THEN(error, ctorch_aten_new_zeros(&scale, input, ctorch_tensor_sizes(input), 4, NULL, NULL, NULL, NULL));
  THEN(error, sum_windows(scale, squares, o->size));
  ctorch_tensor_release(squares);
  THEN(error, ctorch_aten_mul__Scalar(scale, &ratio));
  THEN(error, ctorch_aten_add__Scalar(scale, &k, NULL));
  s.error = error;
  STEP(&s, ctorch_aten_pow_Tensor_Scalar(&s.next, scale, &power));
  THEN(s.error, ctorch_aten_mul__Tensor(s.at, input));
  error = steps_end(&s, out);
  if (error != NULL) {
    ctorch_tensor_release(scale);
    return error;
  }
  *out_scale = scale;
  return NULL;
}

static ctorch_callback_status forward_callback(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  const struct options *o = ctorch_autograd_context_payload(context);
  ctorch_tensor *output = NULL, *scale = NULL;
  (void)payload, (void)inputs_len;
  *error = compute(&output, &scale, inputs[0], o);
  THEN(
      *error,
      ctorch_autograd_context_save_for_backward(context, (const ctorch_tensor *const[]){inputs[0], output, scale}, 3));
  THEN(*error, ctorch_tensor_list_new(out, (const ctorch_tensor *const[]){output}, 1));
  ctorch_tensor_release(output);
  ctorch_tensor_release(scale);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* The part of a gradient that comes by way of the sums, of one sample. */
static ctorch_error *go_back_one(
    ctorch_tensor *grad_input,
    ctorch_tensor *padded,
    const ctorch_tensor *grad,
    const ctorch_tensor *input,
    const ctorch_tensor *output,
    const ctorch_tensor *scale,
    const struct options *o) {
  const ctorch_scalar factor = floating(-(2 * o->alpha * o->beta / (double)o->size));
  int64_t channels = ctorch_tensor_sizes(input)[0], before = (int64_t)((double)o->size - ((double)o->size - 1) / 2);
  const int64_t first = 0;
  ctorch_tensor *center = NULL, *ratio = NULL, *start = NULL, *sums = NULL;
  ctorch_error *error = ctorch_aten_mul_Tensor(&ratio, grad, output);
  THEN(error, ctorch_aten_div__Tensor(ratio, scale));
  THEN(error, ctorch_aten_narrow(&center, padded, 0, before, channels));
  THEN(error, ctorch_aten_copy_(center, ratio, false));
  THEN(error, ctorch_aten_narrow(&start, padded, 0, 0, o->size - 1));
  THEN(error, ctorch_aten_sum_dim_IntList(&sums, start, &first, 1, false, NULL));
  for (int64_t c = 0; error == NULL && c < channels; c++) {
    ctorch_tensor *place = NULL, *own = NULL;
    error = add_slice(sums, -1, padded, c + o->size - 1, 0, 1);
    THEN(error, ctorch_aten_select_int(&place, grad_input, 0, c));
    THEN(error, ctorch_aten_select_int(&own, input, 0, c));
    THEN(error, ctorch_aten_addcmul_(place, own, sums, &factor));
    THEN(error, add_slice(sums, -1, padded, c, 0, -1));
    ctorch_tensor_release(place);
    ctorch_tensor_release(own);
  }
  ctorch_tensor_release(center);
  ctorch_tensor_release(ratio);
  ctorch_tensor_release(start);
  ctorch_tensor_release(sums);
  return error;
}

static ctorch_error *go_back(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_tensor *const *saved, const struct options *o) {
  const ctorch_tensor *input = saved[0], *scale = saved[2];
  const ctorch_scalar power = floating(-o->beta);
  const int64_t *sizes = ctorch_tensor_sizes(input);
  ctorch_tensor *padded = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_new_zeros(
      &padded, input, CTORCH_INTS(sizes[1] + o->size - 1, sizes[2], sizes[3]), NULL, NULL, NULL, NULL));
  STEP(&s, ctorch_aten_pow_Tensor_Scalar(&s.next, scale, &power));
  THEN(s.error, ctorch_aten_mul__Tensor(s.at, grad));
  for (int64_t n = 0; s.error == NULL && n < sizes[0]; n++) {
    const ctorch_tensor *const whole[] = {s.at, grad, input, saved[1], scale};
    ctorch_tensor *own[5] = {NULL};
    for (size_t i = 0; i < 5; i++) {
      THEN(s.error, ctorch_aten_select_int(&own[i], whole[i], 0, n));
    }
    THEN(s.error, go_back_one(own[0], padded, own[1], own[2], own[3], own[4], o));
    for (size_t i = 0; i < 5; i++) {
      ctorch_tensor_release(own[i]);
    }
  }
  ctorch_tensor_release(padded);
  return steps_end(&s, out);
}

static ctorch_callback_status backward_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  const struct options *o = ctorch_autograd_context_payload(context);
  ctorch_tensor_list *saved = NULL;
  ctorch_tensor *grad_input = NULL;
  (void)payload, (void)grad_outputs_len;
  *error = ctorch_autograd_context_saved_tensors(&saved, context);
  THEN(*error, go_back(&grad_input, grad_outputs[0], ctorch_tensor_list_mutable_data(saved), o));
  THEN(*error, ctorch_tensor_list_new(out, (const ctorch_tensor *const[]){grad_input}, 1));
  ctorch_tensor_list_release(saved);
  ctorch_tensor_release(grad_input);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct cross_map *self = (const struct cross_map *)module;
  ctorch_autograd_function *function = NULL;
  ctorch_tensor_list *outputs = NULL;
  if (ctorch_tensor_ndim(input) != 4) {
    return error_make(
        FORWARD, CTORCH_ERROR_VALUE, "CrossMapLRN2d: Expected input to be 4D, got %" PRId64 "D instead.",
        ctorch_tensor_ndim(input));
  }
  if (self->size <= 0 || self->size > INT64_MAX / 4) {
    return error_make(FORWARD, CTORCH_ERROR_VALUE, "CrossMapLRN2d: size must be positive, got %" PRId64, self->size);
  }
  struct options *options = malloc(sizeof *options);
  if (options == NULL) {
    return error_memory(FORWARD, sizeof *options);
  }
  *options = (struct options){self->size, self->alpha, self->beta, self->k};
  ctorch_error *error = ctorch_autograd_function_new(
      &function, "CrossMapLRN2d", forward_callback, backward_callback, NULL, true, NULL, NULL);
  if (error != NULL) {
    free(options);
    return error;
  }
  error = ctorch_autograd_function_apply(&outputs, function, &input, 1, free, options);
  THEN(error, ctorch_tensor_list_get(out, outputs, 0));
  ctorch_tensor_list_release(outputs);
  ctorch_autograd_function_release(function);
  return error;
}

static void repr(const ctorch_module *module, struct text *text) {
  const struct cross_map *self = (const struct cross_map *)module;
  text_add(text, "%" PRId64 ", alpha=", self->size);
  text_option(text, module, "alpha", self->alpha);
  text_add(text, ", beta=");
  text_option(text, module, "beta", self->beta);
  text_add(text, ", k=");
  text_option(text, module, "k", self->k);
}

ctorch_error *nn_CrossMapLRN2d(
    const char *function, ctorch_module **out, const struct nn_CrossMapLRN2d_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct cross_map), .name = "CrossMapLRN2d", .forward = forward, .extra_repr = repr};
  struct cross_map *self = module_new(&class);
  if (self != NULL) {
    self->size = options->size;
    self->alpha = options->alpha;
    self->beta = options->beta;
    self->k = options->k;
  }
  return module_give(function, out, &self->module, NULL);
}
