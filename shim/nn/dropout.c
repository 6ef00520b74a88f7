/* Dropout. */
#include <inttypes.h>

#include "constructors/nn.h"
#include "error.h"
#include "layer.h"

struct dropout {
  ctorch_module module;
  double p;
  bool inplace;
};

static void dropout_repr(const ctorch_module *module, struct text *text) {
  const struct dropout *self = (const struct dropout *)module;
  text_add(text, "p=");
  text_double(text, self->p);
  text_add(text, ", inplace=");
  text_bool(text, self->inplace);
}

static ctorch_error *make(
    const char *function, ctorch_module **out, const module_class *class, double p, bool inplace) {
  if (!(p >= 0 && p <= 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "dropout probability has to be between 0 and 1, but got %g", p);
  }
  struct dropout *self = module_new(class);
  if (self != NULL) {
    self->p = p;
    self->inplace = inplace;
  }
  return module_give(function, out, &self->module, NULL);
}

static ctorch_error *dropout_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct dropout *self = (const struct dropout *)module;
  bool training = module_is_training(module);
  return self->inplace ? layer_itself(out, input, ctorch_aten_dropout_((ctorch_tensor *)input, self->p, training))
                       : ctorch_aten_dropout(out, input, self->p, training);
}

static ctorch_error *alpha_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_alpha_dropout(out, input, ((const struct dropout *)module)->p, module_is_training(module));
}

static ctorch_error *feature_alpha_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_feature_alpha_dropout(out, input, ((const struct dropout *)module)->p, module_is_training(module));
}

/* Whole channels. */
static ctorch_error *features(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct dropout *self = (const struct dropout *)module;
  bool training = module_is_training(module);
  return self->inplace
             ? layer_itself(out, input, ctorch_aten_feature_dropout_((ctorch_tensor *)input, self->p, training))
             : ctorch_aten_feature_dropout(out, input, self->p, training);
}

/* The same of one sample, which is a batch of one meanwhile. */
static ctorch_error *features_of_one(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  if (((const struct dropout *)module)->inplace) {
    ctorch_tensor *one = (ctorch_tensor *)input, *same = NULL;
    CTORCH_TRY(ctorch_aten_unsqueeze_(one, 0));
    ctorch_error *error = features(module, &same, one);
    ctorch_tensor_release(same);
    return layer_itself(out, input, ctorch_error_first(error, ctorch_aten_squeeze__dim(one, 0)));
  }
  struct steps s = {0};
  STEP(&s, ctorch_aten_unsqueeze(&s.next, input, 0));
  STEP(&s, features(module, &s.next, s.at));
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, 0));
  return steps_end(&s, out);
}

static ctorch_error *forward_1d(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  int64_t ndim = ctorch_tensor_ndim(input);
  if (ndim != 2 && ndim != 3) {
    return error_make(
        FORWARD, CTORCH_ERROR_RUNTIME, "dropout1d: Expected 2D or 3D input, but received a %" PRId64 "D input", ndim);
  }
  return ndim == 3 ? features(module, out, input) : features_of_one(module, out, input);
}

static ctorch_error *forward_2d(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  int64_t ndim = ctorch_tensor_ndim(input);
  if (ndim == 3) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "dropout2d: a 3D input is taken as (N, C, L), without a second dimension of images"));
  } else if (ndim != 4) {
    CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "dropout2d: the input is neither 3D nor 4D"));
  }
  return features(module, out, input);
}

static ctorch_error *forward_3d(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  int64_t ndim = ctorch_tensor_ndim(input);
  if (ndim != 4 && ndim != 5) {
    CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "dropout3d: the input is neither 4D nor 5D"));
  }
  return ndim == 5 ? features(module, out, input) : features_of_one(module, out, input);
}

#define CLASS(named, does)                                                                                          \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    static const module_class class = {                                                                             \
        .object = MODULE_OBJECT(struct dropout), .name = #named, .forward = does, .extra_repr = dropout_repr};      \
    return make(function, out, &class, options->p, options->inplace);                                               \
  }

CLASS(Dropout, dropout_forward)
CLASS(Dropout1d, forward_1d)
CLASS(Dropout2d, forward_2d)
CLASS(Dropout3d, forward_3d)
CLASS(AlphaDropout, alpha_forward)
CLASS(FeatureAlphaDropout, feature_alpha_forward)
