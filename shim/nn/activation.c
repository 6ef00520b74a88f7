/* Activations. */
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/functional.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/options.h"

/* What they know: up to two numbers, and whether they change their input. */
struct activation {
  ctorch_module module;
  double first, second;
  int64_t dim;
  bool has_dim, inplace;
  const char *approximate;
};

static const struct activation *activation_of(const ctorch_module *module) { return (const struct activation *)module; }

static ctorch_error *make(
    const char *function, ctorch_module **out, const module_class *class, const struct activation *values) {
  struct activation *self = module_new(class);
  if (self != NULL) {
    memcpy(
        (char *)self + sizeof self->module, (const char *)values + sizeof self->module,
        sizeof *self - sizeof self->module);
  }
  return module_give(function, out, &self->module, NULL);
}

/* Text: "inplace=True", alone or after others. */

static void inplace_repr(const ctorch_module *module, struct text *text) {
  text_add(text, "%s", activation_of(module)->inplace ? "inplace=True" : "");
}

static void named_repr(const ctorch_module *module, struct text *text, const char *first, const char *second) {
  const struct activation *self = activation_of(module);
  text_add(text, "%s=", first);
  text_option(text, module, first, self->first);
  if (second != NULL) {
    text_add(text, ", %s=", second);
    text_option(text, module, second, self->second);
  }
  text_add(text, "%s", self->inplace ? ", inplace=True" : "");
}

/* One operator, in place or not. `input` is the input, `a` and `b` the two numbers. */
#define FORWARD_OF(named, ...)                                                                                   \
  static ctorch_error *named##_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *given) { \
    const struct activation *self = activation_of(module);                                                       \
    const ctorch_scalar a = floating(self->first), b = floating(self->second);                                   \
    ctorch_tensor *input = (ctorch_tensor *)given; /* changed only where the user asks for it */                 \
    (void)a, (void)b;                                                                                            \
    return self->inplace ? layer_itself(out, input, ctorch_aten_##named##_(__VA_ARGS__))                         \
                         : ctorch_aten_##named(out, __VA_ARGS__);                                                \
  }

/* One operator that never changes its input. */
#define PURE_FORWARD_OF(named, ...)                                                                              \
  static ctorch_error *named##_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) { \
    const struct activation *self = activation_of(module);                                                       \
    const ctorch_scalar a = floating(self->first), b = floating(self->second);                                   \
    (void)a, (void)b;                                                                                            \
    return ctorch_aten_##named(out, __VA_ARGS__);                                                                \
  }

FORWARD_OF(relu, input)
FORWARD_OF(relu6, input)
FORWARD_OF(rrelu, input, &a, &b, module_is_training(module), NULL)
FORWARD_OF(hardtanh, input, &a, &b)
FORWARD_OF(threshold, input, &a, &b)
FORWARD_OF(hardsigmoid, input)
FORWARD_OF(silu, input)
FORWARD_OF(mish, input)
FORWARD_OF(hardswish, input)
FORWARD_OF(elu, input, &a, NULL, NULL)
FORWARD_OF(celu, input, &a)
FORWARD_OF(selu, input)
FORWARD_OF(leaky_relu, input, &a)
PURE_FORWARD_OF(sigmoid, input)
PURE_FORWARD_OF(tanh, input)
PURE_FORWARD_OF(log_sigmoid, input)
PURE_FORWARD_OF(gelu, input, self->approximate)
PURE_FORWARD_OF(hardshrink, input, &a)
PURE_FORWARD_OF(softshrink, input, &a)
PURE_FORWARD_OF(softplus, input, &a, &b)

/* A class whose constructor's `values` are fields of a struct activation. */
#define CLASS(named, does, says, ...)                                                                               \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    static const module_class class = {                                                                             \
        .object = MODULE_OBJECT(struct activation), .name = #named, .forward = does, .extra_repr = says};           \
    (void)options;                                                                                                  \
    return make(function, out, &class, &(const struct activation){__VA_ARGS__});                                    \
  }

#define REPR(named, first, second) \
  static void named(const ctorch_module *module, struct text *text) { named_repr(module, text, first, second); }

REPR(threshold_repr, "threshold", "value")
REPR(rrelu_repr, "lower", "upper")
REPR(hardtanh_repr, "min_val", "max_val")
REPR(alpha_repr, "alpha", NULL)
REPR(negative_slope_repr, "negative_slope", NULL)
REPR(softplus_repr, "beta", "threshold")

static void bare_repr(const ctorch_module *module, struct text *text) {
  text_option(text, module, "lambd", activation_of(module)->first);
}

CLASS(ReLU, relu_forward, inplace_repr, .inplace = options->inplace)
CLASS(ReLU6, relu6_forward, inplace_repr, .inplace = options->inplace)
CLASS(SiLU, silu_forward, inplace_repr, .inplace = options->inplace)
CLASS(Mish, mish_forward, inplace_repr, .inplace = options->inplace)
CLASS(SELU, selu_forward, inplace_repr, .inplace = options->inplace)
CLASS(Hardsigmoid, hardsigmoid_forward, NULL, .inplace = options->inplace)
CLASS(Hardswish, hardswish_forward, NULL, .inplace = options->inplace)
CLASS(ELU, elu_forward, alpha_repr, .first = options->alpha, .inplace = options->inplace)
CLASS(CELU, celu_forward, alpha_repr, .first = options->alpha, .inplace = options->inplace)
CLASS(LeakyReLU, leaky_relu_forward, negative_slope_repr, .first = options->negative_slope, .inplace = options->inplace)
CLASS(
    Threshold,
    threshold_forward,
    threshold_repr,
    .first = options->threshold,
    .second = options->value,
    .inplace = options->inplace)
CLASS(RReLU, rrelu_forward, rrelu_repr, .first = options->lower, .second = options->upper, .inplace = options->inplace)
CLASS(Sigmoid, sigmoid_forward, NULL, .inplace = false)
CLASS(Tanh, tanh_forward, NULL, .inplace = false)
CLASS(LogSigmoid, log_sigmoid_forward, NULL, .inplace = false)
CLASS(Hardshrink, hardshrink_forward, bare_repr, .first = options->lambd)
CLASS(Softshrink, softshrink_forward, bare_repr, .first = options->lambd)
CLASS(Softplus, softplus_forward, softplus_repr, .first = options->beta, .second = options->threshold)

ctorch_error *nn_Hardtanh(const char *function, ctorch_module **out, const struct nn_Hardtanh_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct activation),
      .name = "Hardtanh",
      .forward = hardtanh_forward,
      .extra_repr = hardtanh_repr};
  if (options->max_val <= options->min_val) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "max_val (%g) must be greater than min_val (%g)", options->max_val,
        options->min_val);
  }
  return make(
      function, out, &class,
      &(const struct activation){.first = options->min_val, .second = options->max_val, .inplace = options->inplace});
}

static void gelu_repr(const ctorch_module *module, struct text *text) {
  text_add(text, "approximate=");
  text_quoted(text, activation_of(module)->approximate);
}

ctorch_error *nn_GELU(const char *function, ctorch_module **out, const struct nn_GELU_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct activation), .name = "GELU", .forward = gelu_forward, .extra_repr = gelu_repr};
  bool is_tanh = strcmp(options->approximate, "tanh") == 0;
  if (!is_tanh && strcmp(options->approximate, "none") != 0) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "approximate must be none or tanh, got '%s'", options->approximate);
  }
  return make(function, out, &class, &(const struct activation){.approximate = is_tanh ? "tanh" : "none"});
}

#define FUNCTION(name)             \
  ctorch_error *functional_##name( \
      const char *function, ctorch_tensor **out, const struct functional_##name##_options *options)

FUNCTION(tanhshrink) {
  struct steps s = {0};
  (void)function;
  STEP(&s, ctorch_aten_tanh(&s.next, options->input));
  STEP(&s, ctorch_aten_sub_Tensor(&s.next, options->input, s.at, NULL));
  return steps_end(&s, out);
}

FUNCTION(softsign) {
  const ctorch_scalar one = whole(1);
  struct steps s = {0};
  (void)function;
  STEP(&s, ctorch_aten_abs(&s.next, options->input));
  STEP(&s, ctorch_aten_add_Scalar(&s.next, s.at, &one, NULL));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, options->input, s.at));
  return steps_end(&s, out);
}

static ctorch_error *tanhshrink_forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  (void)self;
  return functional_tanhshrink(FORWARD, out, &(const struct functional_tanhshrink_options){.input = input});
}

static ctorch_error *softsign_forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  (void)self;
  return functional_softsign(FORWARD, out, &(const struct functional_softsign_options){.input = input});
}

CLASS(Tanhshrink, tanhshrink_forward, NULL, .inplace = false)
CLASS(Softsign, softsign_forward, NULL, .inplace = false)

/* Along a dimension. */

static ctorch_error *glu_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  if (ctorch_tensor_ndim(input) == 0) {
    return error_make(FORWARD, CTORCH_ERROR_RUNTIME, "glu does not support scalars because halving size must be even");
  }
  return ctorch_aten_glu(out, input, activation_of(module)->dim);
}

static void dim_repr(const ctorch_module *module, struct text *text) {
  const struct activation *self = activation_of(module);
  text_add(text, self->has_dim ? "dim=%lld" : "dim=None", (long long)self->dim);
}

CLASS(GLU, glu_forward, dim_repr, .dim = options->dim, .has_dim = true)

/* Softmax and its like. */

/* The dimension; without one, what Python still guesses, and warns of. */
static ctorch_error *softmax_dim(int64_t *dim, const int64_t *given, const ctorch_tensor *input) {
  int64_t ndim = ctorch_tensor_ndim(input);
  *dim = given != NULL ? *given : ndim == 0 || ndim == 1 || ndim == 3 ? 0 : 1;
  return given != NULL ? NULL
                       : ctorch_warning_emit(
                             CTORCH_WARNING_USER,
                             "Implicit dimension choice for softmax has been deprecated. Change the call to include "
                             "dim=X as an argument.");
}

FUNCTION(softmax) {
  int64_t dim = 0;
  (void)function;
  CTORCH_TRY(softmax_dim(&dim, options->dim, options->input));
  return ctorch_aten_softmax_int(out, options->input, dim, options->dtype);
}

FUNCTION(log_softmax) {
  int64_t dim = 0;
  (void)function;
  CTORCH_TRY(softmax_dim(&dim, options->dim, options->input));
  return ctorch_aten_log_softmax_int(out, options->input, dim, options->dtype);
}

FUNCTION(softmin) {
  int64_t dim = 0;
  struct steps s = {0};
  (void)function;
  CTORCH_TRY(softmax_dim(&dim, options->dim, options->input));
  STEP(&s, ctorch_aten_neg(&s.next, options->input));
  STEP(&s, ctorch_aten_softmax_int(&s.next, s.at, dim, options->dtype));
  return steps_end(&s, out);
}

#define FORWARD_BY(name)                                                                                        \
  static ctorch_error *name##_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) { \
    const struct activation *self = activation_of(module);                                                      \
    return functional_##name(                                                                                   \
        FORWARD, out,                                                                                           \
        &(const struct functional_##name##_options){.input = input, .dim = self->has_dim ? &self->dim : NULL}); \
  }

FORWARD_BY(softmax)
FORWARD_BY(log_softmax)
FORWARD_BY(softmin)

#define OF_DIM .has_dim = options->dim != NULL, .dim = options->dim == NULL ? 0 : *options->dim
CLASS(Softmax, softmax_forward, dim_repr, OF_DIM)
CLASS(LogSoftmax, log_softmax_forward, dim_repr, OF_DIM)
CLASS(Softmin, softmin_forward, dim_repr, OF_DIM)

static ctorch_error *softmax2d_forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  (void)self;
  if (ctorch_tensor_ndim(input) != 3 && ctorch_tensor_ndim(input) != 4) {
    return error_make(
        FORWARD, CTORCH_ERROR_VALUE, "Softmax2d: expected input to be 3D or 4D, got %lldD instead",
        (long long)ctorch_tensor_ndim(input));
  }
  return ctorch_aten_softmax_int(out, input, -3, NULL);
}

CLASS(Softmax2d, softmax2d_forward, NULL, .inplace = false)

/* PReLU, whose slope is learnt. */

static ctorch_error *prelu_forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_prelu(out, input, module_parameter_at(self, 0));
}

static void prelu_repr(const ctorch_module *module, struct text *text) {
  text_add(text, "num_parameters=%lld", (long long)activation_of(module)->dim);
}

static ctorch_error *prelu_reset(const char *function, ctorch_module *module) {
  const ctorch_scalar init = floating(activation_of(module)->first);
  CTORCH_TRY(layer_needs(function, module_parameter_at(module, 0), "weight"));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_fill__Scalar(module_parameter_at(module, 0), &init);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *nn_PReLU(const char *function, ctorch_module **out, const struct nn_PReLU_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct activation),
      .name = "PReLU",
      .forward = prelu_forward,
      .extra_repr = prelu_repr,
      .reset_parameters = prelu_reset};
  struct activation *self = module_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->dim = options->num_parameters;
    self->first = options->init;
    error = layer_parameter(function, &self->module, "weight", &LAYER_TENSOR(options, options->num_parameters), true);
    THEN(error, prelu_reset(function, &self->module));
  }
  return module_give(function, out, &self->module, error);
}

/* gumbel_softmax. */

/* Samples of the Gumbel distribution, as many as `like` has elements. */
static ctorch_error *gumbels(struct steps *s, const ctorch_tensor *like) {
  ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  STEP(s, ctorch_aten_empty_like(&s->next, like, NULL, NULL, NULL, NULL, &contiguous));
  THEN(s->error, ctorch_aten_exponential_(s->at, 1, NULL));
  STEP(s, ctorch_aten_log(&s->next, s->at));
  STEP(s, ctorch_aten_neg(&s->next, s->at));
  return s->error;
}

/* One where `soft` is greatest and 0 elsewhere, with the gradient of `soft`. */
static ctorch_error *harden(ctorch_tensor **out, const ctorch_tensor *soft, int64_t dim) {
  ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  const ctorch_scalar one = floating(1);
  ctorch_tensor *most = NULL, *index = NULL, *constant = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_max_dim(&most, &index, soft, dim, true));
  ctorch_tensor_release(most);
  STEP(&s, ctorch_aten_zeros_like(&s.next, soft, NULL, NULL, NULL, NULL, &contiguous));
  THEN(s.error, ctorch_aten_scatter__value(s.at, dim, index, &one));
  ctorch_tensor_release(index);
  THEN(s.error, ctorch_aten_detach(&constant, soft));
  STEP(&s, ctorch_aten_sub_Tensor(&s.next, s.at, constant, NULL));
  ctorch_tensor_release(constant);
  STEP(&s, ctorch_aten_add_Tensor(&s.next, s.at, soft, NULL));
  return steps_end(&s, out);
}

ctorch_error *functional_gumbel_softmax(
    const char *function, ctorch_tensor **out, const struct functional_gumbel_softmax_options *options) {
  const ctorch_scalar tau = floating(options->tau);
  ctorch_tensor *hard = NULL;
  struct steps s = {0};
  (void)function;
  s.error = gumbels(&s, options->logits);
  STEP(&s, ctorch_aten_add_Tensor(&s.next, options->logits, s.at, NULL));
  STEP(&s, ctorch_aten_div_Scalar(&s.next, s.at, &tau));
  STEP(&s, ctorch_aten_softmax_int(&s.next, s.at, options->dim, NULL));
  if (!options->hard) {
    return steps_end(&s, out);
  }
  THEN(s.error, harden(&hard, s.at, options->dim));
  ctorch_tensor_release(s.at);
  *out = s.error == NULL ? hard : *out;
  return s.error;
}
