/* The cross entropy of a linear layer's output: as one of the two after the other, or in chunks. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/functional.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"
#include "module/options.h"
#include "nn/chunked_cross_entropy.h"
#include "nn/loss.h"

/* How chunks are wished for, as Python's LinearCrossEntropyOptions says it. */
struct wish {
  bool is_there;
  const char *policy; /* "auto" or one of policies, static */
  enum { BY_NUMBER, BY_AUTO, BY_ASPECT } method;
  int64_t factor;    /* of BY_ASPECT; 0 stands for 1 that was not written */
  int64_t rows;      /* of a chunk; 0 for None */
  int32_t acc_dtype; /* -1 for None */
  bool allow_retain_graph;
};

static const char *const policies[] = {"accurate", "balanced", "compact", "auto"};
enum { POLICY_AUTO = 3, POLICIES };

static bool is_digits(const char *text) {
  size_t len = strspn(text, "0123456789");
  return len > 0 && len < 19 && text[len] == '\0';
}

static ctorch_error *read_method(const char *function, struct wish *out, const char *text) {
  static const char aspect[] = "aspect_ratio";
  const size_t len = sizeof aspect - 1;
  if (strcmp(text, "none") == 0 || strcmp(text, "auto") == 0) {
    out->method = text[0] == 'n' ? BY_NUMBER : BY_AUTO;
    return NULL;
  }
  out->method = BY_ASPECT;
  if (strcmp(text, aspect) == 0) {
    return NULL;
  }
  if (strncmp(text, aspect, len) == 0 && text[len] == ':' && is_digits(text + len + 1)) {
    out->factor = strtoll(text + len + 1, NULL, 10);
  }
  return out->factor > 0
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "chunking_method: invalid chunking_method: '%s'", text);
}

static ctorch_error *read_wish(
    const char *function,
    struct wish *out,
    const char *policy,
    const char *method,
    const int64_t *rows,
    const ctorch_dtype *acc_dtype,
    bool allow_retain_graph) {
  *out = (struct wish){
      .is_there = true,
      .rows = rows == NULL ? 0 : *rows,
      .acc_dtype = acc_dtype == NULL ? -1 : *acc_dtype,
      .allow_retain_graph = allow_retain_graph};
  for (size_t i = 0; i < POLICIES; i++) {
    out->policy = strcmp(policies[i], policy) == 0 ? policies[i] : out->policy;
  }
  if (out->policy == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "acc_policy: invalid acc_policy: '%s'", policy);
  }
  CTORCH_TRY(read_method(function, out, method));
  if (rows != NULL && *rows <= 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "batch_chunk_size must be positive int or None, got %" PRId64, *rows);
  }
  if (acc_dtype != NULL && *acc_dtype != CTORCH_DTYPE_FLOAT16 && *acc_dtype != CTORCH_DTYPE_BFLOAT16 &&
      *acc_dtype != CTORCH_DTYPE_FLOAT32 && *acc_dtype != CTORCH_DTYPE_FLOAT64) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "acc_dtype must be one of {None, float16, bfloat16, float32, float64}, got %s. Pass None to let the op pick "
        "automatically.",
        ctorch_dtype_name(*acc_dtype));
  }
  return NULL;
}

/* How many rows an aspect ratio gives: as many logits as the whole input has numbers, a power of two of them. */
static int64_t rows_by_aspect(int64_t factor, int64_t len, int64_t features, int64_t classes) {
  if (features == 0 || classes == 0 || len == 0) {
    return len;
  }
  int64_t wider = (classes + features - 1) / features, target = (len + wider - 1) / wider, rows = 1;
  while (rows < target) {
    rows *= 2;
  }
  rows /= factor;
  return rows < len ? rows : len;
}

/* What is chosen for a call: Python's picks for what is left to it. */
static ctorch_error *choose(
    const char *function,
    struct chunked_how *out,
    const struct wish *wish,
    const ctorch_tensor *input,
    int64_t classes) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(input);
  const int64_t *sizes = ctorch_tensor_sizes(input), len = sizes[0];
  const bool is_half = dtype == CTORCH_DTYPE_FLOAT16 || dtype == CTORCH_DTYPE_BFLOAT16;
  ctorch_device device;
  CTORCH_TRY(ctorch_tensor_device(&device, input));
  const bool is_slow = is_half && device.type == CTORCH_DEVICE_TYPE_CPU,
             is_auto = wish->policy == policies[POLICY_AUTO];
  int64_t factor = wish->factor == 0 ? 1 : wish->factor, rows = wish->rows == 0 || wish->rows > len ? len : wish->rows;
  bool by_aspect = wish->method == BY_ASPECT;
  if (wish->method == BY_AUTO && wish->rows == 0) {
    by_aspect = true;
    factor = is_slow ? 1 : 2;
  }
  if (by_aspect) {
    rows = rows_by_aspect(factor, len, sizes[1], classes);
    if (wish->rows != 0 && wish->rows != rows) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "batch_chunk_size (=%" PRId64 ") and chunking_method give different chunk sizes (%" PRId64 " vs %" PRId64
          "); pass only one.",
          wish->rows, wish->rows, rows);
    }
  }
  out->rows = rows < 1 ? 1 : rows;
  out->policy = is_auto ? (is_slow ? CHUNKED_ACCURATE : CHUNKED_COMPACT) : CHUNKED_ACCURATE;
  for (size_t i = 0; i < POLICY_AUTO; i++) {
    out->policy = wish->policy == policies[i] ? (enum chunked_policy)i : out->policy;
  }
  out->acc_dtype = wish->acc_dtype != -1 ? wish->acc_dtype : is_auto && is_half ? CTORCH_DTYPE_FLOAT32 : dtype;
  if (out->acc_dtype != dtype && !(is_half && out->acc_dtype == CTORCH_DTYPE_FLOAT32)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got %s acc_dtype and %s "
        "inputs.",
        ctorch_dtype_name(out->acc_dtype), ctorch_dtype_name(dtype));
  }
  return NULL;
}

/* The differentiable function. */

enum { INPUT, WEIGHT, TARGET, BIAS, CLASS_WEIGHT, INPUTS };
static const size_t place_of[CHUNKED_GRADS] = {INPUT, WEIGHT, BIAS}; /* among the inputs */

/* One call. Of a mean or sum the gradients are there after forward, and backward uses them up. */
struct call {
  struct chunked_how how;
  bool allow_retain_graph;
  _Atomic(ctorch_tensor *) grads[CHUNKED_GRADS];
};

static void call_destroy(void *payload) {
  struct call *self = payload;
  for (int i = 0; i < CHUNKED_GRADS; i++) {
    tensor_unref(atomic_load(&self->grads[i]));
  }
  free(self);
}

static struct chunked_given given_of(const ctorch_tensor *const *inputs) {
  return (struct chunked_given){inputs[INPUT], inputs[WEIGHT], inputs[TARGET], inputs[BIAS], inputs[CLASS_WEIGHT]};
}

static ctorch_error *forward(
    ctorch_tensor_list **out, ctorch_autograd_context *context, const ctorch_tensor *const *inputs) {
  struct call *self = ctorch_autograd_context_payload(context);
  const struct chunked_given given = given_of(inputs);
  ctorch_tensor *loss, *grads[CHUNKED_GRADS];
  if (self->how.reduction == CHUNKED_NONE) {
    CTORCH_TRY(ctorch_autograd_context_save_for_backward(context, inputs, INPUTS));
    CTORCH_TRY(chunked_losses(&loss, &given, &self->how));
  } else {
    CTORCH_TRY(chunked_loss(&loss, grads, &given, &self->how, NULL));
    for (int i = 0; i < CHUNKED_GRADS; i++) {
      atomic_store(&self->grads[i], tensor_ref(grads[i]));
    }
  }
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(loss));
}

static ctorch_callback_status forward_callback(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)inputs_len, (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  THEN(*error, forward(out, context, inputs));
  return ctorch_callback_finish(error, scope, *out);
}

/* A gradient that forward made, times that of the loss. */
static ctorch_error *scale(ctorch_tensor **out, struct call *self, int which, const ctorch_tensor *grad) {
  if (self->allow_retain_graph) {
    return ctorch_aten_mul_Tensor(out, atomic_load(&self->grads[which]), grad);
  }
  ctorch_tensor *own = atomic_exchange(&self->grads[which], NULL);
  if (own == NULL) {
    return error_make(
        "ctorch_tensor_backward", CTORCH_ERROR_RUNTIME,
        "linear_cross_entropy chunked backward called twice; retain_graph=True / double backward are not supported.");
  }
  ctorch_error *error = ctorch_aten_mul__Tensor(own, grad);
  THEN(error, ctorch_aten_alias(out, own));
  tensor_unref(own);
  return error;
}

static ctorch_error *backward(
    ctorch_tensor_list **out, const ctorch_autograd_context *context, const ctorch_tensor *grad) {
  struct call *self = ctorch_autograd_context_payload(context);
  ctorch_tensor *grads[CHUNKED_GRADS] = {NULL}, *loss;
  const ctorch_tensor *all[INPUTS] = {NULL};
  if (self->how.reduction == CHUNKED_NONE) {
    ctorch_tensor_list *saved;
    CTORCH_TRY(ctorch_autograd_context_saved_tensors(&saved, context));
    const struct chunked_given given = given_of(ctorch_tensor_list_data(saved));
    CTORCH_TRY(chunked_loss(&loss, grads, &given, &self->how, grad));
  } else {
    for (int i = 0; i < CHUNKED_GRADS; i++) {
      if (self->how.needs[i]) {
        CTORCH_TRY(scale(&grads[i], self, i, grad));
      }
    }
  }
  for (int i = 0; i < CHUNKED_GRADS; i++) {
    all[place_of[i]] = grads[i];
  }
  return ctorch_tensor_list_new(out, all, INPUTS);
}

static ctorch_callback_status backward_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs_len, (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  THEN(*error, backward(out, context, grad_outputs[0]));
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *apply_chunked(
    const char *function, ctorch_tensor **out, const ctorch_tensor *const inputs[INPUTS], struct call *call) {
  ctorch_autograd_function *self = NULL;
  ctorch_tensor_list *outputs = NULL;
  ctorch_error *error = ctorch_autograd_function_new(
      &self, "LinearCrossEntropyChunked", forward_callback, backward_callback, NULL, true, NULL, NULL);
  if (error != NULL) {
    free(call);
    return error;
  }
  error = ctorch_autograd_function_apply(&outputs, self, inputs, INPUTS, call_destroy, call);
  ctorch_autograd_function_release(self);
  THEN(error, ctorch_tensor_list_get(out, outputs, 0));
  ctorch_tensor_list_release(outputs);
  (void)function;
  return error;
}

/* The functional form. */

typedef struct functional_linear_cross_entropy_options linear_options;

static ctorch_error *check_linear(const char *function, const linear_options *options) {
  const ctorch_tensor *input = options->input, *weight = options->linear_weight, *bias = options->linear_bias;
  int64_t ndim = ctorch_tensor_ndim(input), weight_ndim = ctorch_tensor_ndim(weight);
  if (ndim < 1 || ndim > 2) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "expected input with dimensionality 1 or 2, got %lld", (long long)ndim);
  }
  if (weight_ndim < 2) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "expected linear_weight with dimensionality at least 2, got %lld",
        (long long)weight_ndim);
  }
  const int64_t *sizes = ctorch_tensor_sizes(weight);
  if (ctorch_tensor_sizes(input)[ndim - 1] != sizes[weight_ndim - 1]) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "expected equal input and linear_weight last dimensions (in_features), got %lld and %lld",
        (long long)ctorch_tensor_sizes(input)[ndim - 1], (long long)sizes[weight_ndim - 1]);
  }
  if (bias != NULL && (ctorch_tensor_ndim(bias) != weight_ndim - 1 ||
                       memcmp(ctorch_tensor_sizes(bias), sizes, (size_t)(weight_ndim - 1) * sizeof *sizes) != 0)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "expected linear_bias to have the shape of linear_weight but in_features");
  }
  return weight_ndim == 2 || ndim == 2
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_RUNTIME, "a K-dimensional loss requires batched input, (N, in_features)");
}

enum { MOST_DIMS = 64 }; /* of a tensor */

/* One row of input is a batch of one, whose loss is that of the row. */
static ctorch_error *in_chunks(
    const char *function, ctorch_tensor **out, const linear_options *options, const struct wish *wish) {
  const bool is_one = ctorch_tensor_ndim(options->input) == 1;
  ctorch_tensor *input = NULL, *target = NULL;
  const ctorch_tensor *inputs[INPUTS] = {
      options->input, options->linear_weight, options->target, options->linear_bias, options->weight};
  struct call *call = calloc(1, sizeof *call);
  if (call == NULL) {
    return error_memory(function, sizeof *call);
  }
  ctorch_error *error = NULL;
  if (is_one) {
    error = ctorch_aten_unsqueeze(&input, options->input, 0);
    THEN(error, ctorch_aten_unsqueeze(&target, options->target, 0));
    inputs[INPUT] = input;
    inputs[TARGET] = target;
  }
  THEN(error, choose(function, &call->how, wish, inputs[INPUT], ctorch_tensor_sizes(options->linear_weight)[0]));
  if (error != NULL) {
    free(call);
  } else {
    const char reduction = options->reduction[0];
    call->how.reduction = reduction == 'm' ? CHUNKED_MEAN : reduction == 's' ? CHUNKED_SUM : CHUNKED_NONE;
    call->how.ignore_index = options->ignore_index == NULL ? -100 : *options->ignore_index;
    call->allow_retain_graph = wish->allow_retain_graph;
    for (int i = 0; i < CHUNKED_GRADS; i++) {
      const ctorch_tensor *tensor = inputs[place_of[i]];
      call->how.needs[i] = tensor != NULL && ctorch_grad_mode_enabled() && ctorch_tensor_requires_grad(tensor);
    }
    struct steps s = {0};
    STEP(&s, apply_chunked(function, &s.next, inputs, call));
    if (is_one) {
      STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, 0));
    }
    error = steps_end(&s, out);
  }
  ctorch_tensor_release(input);
  ctorch_tensor_release(target);
  return error;
}

static ctorch_error *one_after_the_other(
    const char *function, ctorch_tensor **out, const linear_options *options, const int64_t *shape, size_t len) {
  const size_t inner = (size_t)ctorch_tensor_ndim(options->linear_weight) - 1;
  const int64_t in_features = ctorch_tensor_sizes(options->linear_weight)[inner];
  ctorch_tensor *weight = NULL, *bias = NULL;
  struct steps s = {0};
  THEN(s.error, ctorch_aten_reshape(&weight, options->linear_weight, CTORCH_INTS(-1, in_features)));
  if (options->linear_bias != NULL) {
    THEN(s.error, ctorch_aten_reshape(&bias, options->linear_bias, CTORCH_INTS(-1)));
  }
  STEP(&s, ctorch_aten_linear(&s.next, options->input, weight, bias));
  ctorch_tensor_release(weight);
  ctorch_tensor_release(bias);
  STEP(&s, ctorch_aten_reshape(&s.next, s.at, shape, len));
  STEP(
      &s, functional_cross_entropy(
              function, &s.next,
              &(const struct functional_cross_entropy_options){
                  .input = s.at,
                  .target = options->target,
                  .weight = options->weight,
                  .ignore_index = options->ignore_index == NULL ? -100 : *options->ignore_index,
                  .reduction = options->reduction,
                  .label_smoothing = options->label_smoothing}));
  return steps_end(&s, out);
}

static ctorch_error *linear_cross_entropy(
    const char *function, ctorch_tensor **out, const linear_options *options, const struct wish *wish) {
  CTORCH_TRY(check_linear(function, options));
  const ctorch_tensor *target = options->target;
  size_t batch = ctorch_tensor_ndim(options->input) == 2 ? 1 : 0;
  size_t inner = (size_t)ctorch_tensor_ndim(options->linear_weight) - 1, len = batch + inner;
  int64_t shape[1 + MOST_DIMS];
  if (inner > MOST_DIMS) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "linear_weight has too many dimensions");
  }
  shape[0] = ctorch_tensor_sizes(options->input)[0];
  memcpy(shape + batch, ctorch_tensor_sizes(options->linear_weight), inner * sizeof *shape);
  bool has_probabilities =
      (size_t)ctorch_tensor_ndim(target) == len && memcmp(ctorch_tensor_sizes(target), shape, len * sizeof *shape) == 0;
  if (has_probabilities && options->ignore_index != NULL) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "ignore_index cannot be specified when target contains probabilities");
  }
  const char *reduction = NULL;
  CTORCH_TRY(loss_reduction(function, &reduction, options->reduction, false));
  if (wish->is_there) {
    if (inner == 1 && options->label_smoothing == 0 && ctorch_tensor_dtype(target) == CTORCH_DTYPE_INT64) {
      return in_chunks(function, out, options, wish);
    }
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "linear_cross_entropy: ``options`` ignored; chunked path needs label_smoothing == 0, target.dtype == int64, "
        "out_features == ()"));
  }
  return one_after_the_other(function, out, options, shape, len);
}

ctorch_error *functional_linear_cross_entropy(
    const char *function, ctorch_tensor **out, const linear_options *options) {
  return linear_cross_entropy(function, out, options, &(const struct wish){0});
}

ctorch_error *functional_linear_cross_entropy_chunked(
    const char *function, ctorch_tensor **out, const struct functional_linear_cross_entropy_chunked_options *options) {
  struct wish wish;
  CTORCH_TRY(read_wish(
      function, &wish, options->acc_policy, options->chunking_method, options->batch_chunk_size, options->acc_dtype,
      options->allow_retain_graph));
  return linear_cross_entropy(
      function, out,
      &(const linear_options){
          .input = options->input,
          .linear_weight = options->linear_weight,
          .target = options->target,
          .linear_bias = options->linear_bias,
          .weight = options->weight,
          .reduction = options->reduction,
          .ignore_index = options->ignore_index,
          .label_smoothing = options->label_smoothing},
      &wish);
}

/* The module. */

enum { CLASS_WEIGHTS }; /* its buffer */

struct linear_loss {
  ctorch_module module;
  const char *reduction;
  double label_smoothing;
  int64_t in_features, *sizes; /* allocated: num_classes, out_features, in_features */
  size_t len;
  int64_t ignore_index;
  bool has_index;
  struct wish wish;
};

static void linear_finalize(void *object) {
  free(((struct linear_loss *)object)->sizes);
  module_finalize(object);
}

static ctorch_error *linear_copied(const char *function, ctorch_module *module) {
  struct linear_loss *self = (struct linear_loss *)module;
  const int64_t *sizes = self->sizes;
  self->sizes = NULL;
  return layer_copy_ints(function, &self->sizes, sizes, self->len);
}

static const ctorch_tensor *linear_parameter(const ctorch_module *self, const char *name) {
  const ctorch_module *linear = module_child_at(self, 0);
  return linear == NULL ? NULL : module_parameter(linear, name);
}

ctorch_error *nn_LinearCrossEntropyLoss_forward(
    const char *function, ctorch_tensor **out, const struct nn_LinearCrossEntropyLoss_forward_options *options) {
  const struct linear_loss *self = (const struct linear_loss *)options->self;
  const ctorch_tensor *given = linear_parameter(options->self, "weight");
  const ctorch_tensor *given_bias = linear_parameter(options->self, "bias");
  ctorch_tensor *weight = NULL, *bias = NULL;
  CTORCH_TRY(layer_needs(function, given, "linear.weight"));
  CTORCH_TRY(ctorch_aten_reshape(&weight, given, self->sizes, self->len));
  ctorch_error *error = given_bias == NULL ? NULL : ctorch_aten_reshape(&bias, given_bias, self->sizes, self->len - 1);
  THEN(
      error, linear_cross_entropy(
                 function, out,
                 &(const linear_options){
                     .input = options->input,
                     .linear_weight = weight,
                     .target = options->target,
                     .linear_bias = bias,
                     .weight = module_buffer_at(options->self, CLASS_WEIGHTS),
                     .reduction = self->reduction,
                     .ignore_index = self->has_index ? &self->ignore_index : NULL,
                     .label_smoothing = self->label_smoothing},
                 &self->wish));
  ctorch_tensor_release(weight);
  ctorch_tensor_release(bias);
  return error;
}

/* As Python prints LinearCrossEntropyOptions. */
static void wish_repr(const struct wish *self, struct text *text) {
  text_add(text, "LinearCrossEntropyOptions(allow_retain_graph=");
  text_bool(text, self->allow_retain_graph);
  text_add(text, ", batch_chunk_size=");
  if (self->rows == 0) {
    text_add(text, "None");
  } else {
    text_add(text, "%" PRId64, self->rows);
  }
  text_add(text, ", chunking_method=");
  if (self->method == BY_ASPECT && self->factor != 0) {
    text_add(text, "'aspect_ratio:%" PRId64 "'", self->factor);
  } else {
    text_add(text, self->method == BY_ASPECT ? "'aspect_ratio'" : self->method == BY_AUTO ? "'auto'" : "None");
  }
  text_add(text, ", acc_policy='%s', acc_dtype=", self->policy);
  if (self->acc_dtype == -1) {
    text_add(text, "None)");
  } else {
    text_add(text, "torch.%s)", ctorch_dtype_name(self->acc_dtype));
  }
}

static void linear_repr(const ctorch_module *module, struct text *text) {
  const struct linear_loss *self = (const struct linear_loss *)module;
  text_add(text, "in_features=%" PRId64 ", num_classes=%" PRId64 ", out_features=", self->in_features, self->sizes[0]);
  text_ints(text, self->sizes + 1, self->len - 2);
  text_add(text, ", bias=");
  text_bool(text, linear_parameter(module, "bias") != NULL);
  text_add(text, ", reduction=%s, ignore_index=", self->reduction);
  if (self->has_index) {
    text_add(text, "%" PRId64, self->ignore_index);
  } else {
    text_add(text, "None");
  }
  text_add(text, ", label_smoothing=");
  text_option(text, module, "label_smoothing", self->label_smoothing);
  text_add(text, ", options=");
  if (self->wish.is_there) {
    wish_repr(&self->wish, text);
  } else {
    text_add(text, "None");
  }
}

/* The sizes of the weight: num_classes, out_features, in_features; and how many outputs that are. */
static ctorch_error *sizes_of_weight(
    const char *function,
    struct linear_loss *self,
    int64_t *outputs,
    const struct nn_LinearCrossEntropyLoss_options *options) {
  size_t len = options->out_features_len;
  self->in_features = options->in_features;
  self->sizes = malloc((len + 2) * sizeof *self->sizes);
  if (self->sizes == NULL) {
    return error_memory(function, (len + 2) * sizeof *self->sizes);
  }
  self->len = len + 2;
  self->sizes[0] = *outputs = options->num_classes;
  self->sizes[len + 1] = options->in_features;
  for (size_t i = 0; i < len; i++) {
    self->sizes[i + 1] = options->out_features[i];
    if (__builtin_mul_overflow(*outputs, options->out_features[i], outputs)) {
      return error_make(function, CTORCH_ERROR_RUNTIME, "out_features: more outputs than 64 bits count");
    }
  }
  return NULL;
}

static const module_class linear_class = {
    .object = {"module", sizeof(struct linear_loss), linear_finalize},
    .name = "LinearCrossEntropyLoss",
    .call = nn_LinearCrossEntropyLoss_call,
    .extra_repr = linear_repr,
    .copied = linear_copied};

static ctorch_error *fill(
    const char *function, struct linear_loss *self, const struct nn_LinearCrossEntropyLoss_options *options) {
  int64_t outputs = 0;
  ctorch_module *linear = NULL;
  ctorch_tensor *own = NULL;
  CTORCH_TRY(loss_reduction(function, &self->reduction, options->reduction, false));
  self->label_smoothing = options->label_smoothing;
  self->has_index = options->ignore_index != NULL;
  self->ignore_index = self->has_index ? *options->ignore_index : 0;
  CTORCH_TRY(sizes_of_weight(function, self, &outputs, options));
  if (options->weight != NULL) {
    CTORCH_TRY(tensor_give(function, &own, options->weight));
  }
  CTORCH_TRY(module_add_buffer(function, &self->module, "weight", own, true));
  CTORCH_TRY(nn_Linear_new(
      function, &linear,
      &(const struct nn_Linear_options){
          .in_features = options->in_features,
          .out_features = outputs,
          .bias = options->bias,
          .device = options->device,
          .dtype = options->dtype}));
  ctorch_error *error = module_add_child(function, &self->module, "linear", linear);
  ctorch_module_release(linear);
  return error;
}

static ctorch_error *make(
    const char *function,
    ctorch_module **out,
    const struct nn_LinearCrossEntropyLoss_options *options,
    const struct wish *wish) {
  if (options->weight != NULL &&
      (ctorch_tensor_ndim(options->weight) != 1 || ctorch_tensor_sizes(options->weight)[0] != options->num_classes)) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "expected weight to have the shape (num_classes)");
  }
  if (!(options->label_smoothing >= 0 && options->label_smoothing <= 1)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "expected label_smoothing to be in range [0, 1], got %g",
        options->label_smoothing);
  }
  struct linear_loss *self = module_new(&linear_class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->wish = *wish;
  return module_give(function, out, &self->module, fill(function, self, options));
}

ctorch_error *nn_LinearCrossEntropyLoss(
    const char *function, ctorch_module **out, const struct nn_LinearCrossEntropyLoss_options *options) {
  return make(function, out, options, &(const struct wish){0});
}

ctorch_error *nn_LinearCrossEntropyLoss_chunked(
    const char *function, ctorch_module **out, const struct nn_LinearCrossEntropyLoss_chunked_options *options) {
  struct wish wish;
  CTORCH_TRY(read_wish(
      function, &wish, options->acc_policy, options->chunking_method, options->batch_chunk_size, options->acc_dtype,
      options->allow_retain_graph));
  return make(
      function, out,
      &(const struct nn_LinearCrossEntropyLoss_options){
          .in_features = options->in_features,
          .num_classes = options->num_classes,
          .out_features = options->out_features,
          .out_features_len = options->out_features_len,
          .bias = options->bias,
          .device = options->device,
          .dtype = options->dtype,
          .reduction = options->reduction,
          .weight = options->weight,
          .ignore_index = options->ignore_index,
          .label_smoothing = options->label_smoothing},
      &wish);
}
