/* Dropout. */
#include <inttypes.h>

#include "base/text.h"
#include "constructors/functional.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/options.h"

/* torch.nn.functional. */

struct drop {
  const ctorch_tensor *input;
  double p;
  bool training, inplace;
};

#define DROP_OF(options) ((const struct drop){(options)->input, (options)->p, (options)->training, (options)->inplace})

typedef ctorch_error *drop_new(ctorch_tensor **out, const ctorch_tensor *input, double p, bool train);
typedef ctorch_error *drop_here(ctorch_tensor *self, double p, bool train);

static ctorch_error *check_p(const char *function, double p) {
  return p >= 0 && p <= 1
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "dropout probability has to be between 0 and 1, but got %g", p);
}

static ctorch_error *drop(ctorch_tensor **out, const struct drop *how, drop_new *made, drop_here *here) {
  return how->inplace ? layer_itself(out, how->input, here((ctorch_tensor *)how->input, how->p, how->training))
                      : made(out, how->input, how->p, how->training);
}

/* Whole channels. */
static ctorch_error *drop_features(ctorch_tensor **out, const struct drop *how) {
  return drop(out, how, ctorch_aten_feature_dropout, ctorch_aten_feature_dropout_);
}

/* The same of one sample, which is a batch of one meanwhile. */
static ctorch_error *drop_features_of_one(ctorch_tensor **out, const struct drop *how) {
  struct drop batch = *how;
  if (how->inplace) {
    ctorch_tensor *one = (ctorch_tensor *)how->input, *same = NULL;
    CTORCH_TRY(ctorch_aten_unsqueeze_(one, 0));
    ctorch_error *error = drop_features(&same, &batch);
    ctorch_tensor_release(same);
    return layer_itself(out, one, ctorch_error_first(error, ctorch_aten_squeeze__dim(one, 0)));
  }
  struct steps s = {0};
  STEP(&s, ctorch_aten_unsqueeze(&s.next, how->input, 0));
  batch.input = s.at;
  STEP(&s, drop_features(&s.next, &batch));
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, 0));
  return steps_end(&s, out);
}

#define FUNCTION(name)             \
  ctorch_error *functional_##name( \
      const char *function, ctorch_tensor **out, const struct functional_##name##_options *options)

FUNCTION(dropout) {
  CTORCH_TRY(check_p(function, options->p));
  return drop(out, &DROP_OF(options), ctorch_aten_dropout, ctorch_aten_dropout_);
}

FUNCTION(alpha_dropout) {
  CTORCH_TRY(check_p(function, options->p));
  return drop(out, &DROP_OF(options), ctorch_aten_alpha_dropout, ctorch_aten_alpha_dropout_);
}

FUNCTION(feature_alpha_dropout) {
  CTORCH_TRY(check_p(function, options->p));
  return drop(out, &DROP_OF(options), ctorch_aten_feature_alpha_dropout, ctorch_aten_feature_alpha_dropout_);
}

FUNCTION(dropout1d) {
  int64_t ndim = ctorch_tensor_ndim(options->input);
  CTORCH_TRY(check_p(function, options->p));
  if (ndim != 2 && ndim != 3) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "dropout1d: Expected 2D or 3D input, but received a %" PRId64 "D input", ndim);
  }
  return (ndim == 3 ? drop_features : drop_features_of_one)(out, &DROP_OF(options));
}

FUNCTION(dropout2d) {
  int64_t ndim = ctorch_tensor_ndim(options->input);
  CTORCH_TRY(check_p(function, options->p));
  if (ndim == 3) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "dropout2d: a 3D input is taken as (N, C, L), without a second dimension of images"));
  } else if (ndim != 4) {
    CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "dropout2d: the input is neither 3D nor 4D"));
  }
  return drop_features(out, &DROP_OF(options));
}

FUNCTION(dropout3d) {
  int64_t ndim = ctorch_tensor_ndim(options->input);
  CTORCH_TRY(check_p(function, options->p));
  if (ndim != 4 && ndim != 5) {
    CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "dropout3d: the input is neither 4D nor 5D"));
  }
  return (ndim == 5 ? drop_features : drop_features_of_one)(out, &DROP_OF(options));
}

/* The modules. Those of alpha dropout take no notice of `inplace`, as in Python. */

struct dropout {
  ctorch_module module;
  double p;
  bool inplace;
};

static void dropout_repr(const ctorch_module *module, struct text *text) {
  const struct dropout *self = (const struct dropout *)module;
  text_add(text, "p=");
  text_option(text, module, "p", self->p);
  text_add(text, ", inplace=");
  text_bool(text, self->inplace);
}

static ctorch_error *make(
    const char *function, ctorch_module **out, const module_class *class, double p, bool inplace) {
  CTORCH_TRY(check_p(function, p));
  struct dropout *self = module_new(class);
  if (self != NULL) {
    self->p = p;
    self->inplace = inplace;
  }
  return module_give(function, out, &self->module, NULL);
}

#define FORWARD_BY(name, is_inplace)                                                                            \
  static ctorch_error *name##_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) { \
    const struct dropout *self = (const struct dropout *)module;                                                \
    return functional_##name(                                                                                   \
        FORWARD, out,                                                                                           \
        &(const struct functional_##name##_options){                                                            \
            .input = input, .p = self->p, .training = module_is_training(module), .inplace = (is_inplace)});    \
  }

FORWARD_BY(dropout, self->inplace)
FORWARD_BY(dropout1d, self->inplace)
FORWARD_BY(dropout2d, self->inplace)
FORWARD_BY(dropout3d, self->inplace)
FORWARD_BY(alpha_dropout, false)
FORWARD_BY(feature_alpha_dropout, false)

#define CLASS(named, does)                                                                                          \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    static const module_class class = {                                                                             \
        .object = MODULE_OBJECT(struct dropout), .name = #named, .forward = does, .extra_repr = dropout_repr};      \
    return make(function, out, &class, options->p, options->inplace);                                               \
  }

CLASS(Dropout, dropout_forward)
CLASS(Dropout1d, dropout1d_forward)
CLASS(Dropout2d, dropout2d_forward)
CLASS(Dropout3d, dropout3d_forward)
CLASS(AlphaDropout, alpha_dropout_forward)
CLASS(FeatureAlphaDropout, feature_alpha_dropout_forward)
