/* Losses as modules: functional.schema has each of them, and these keep its options. */
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/sequence.h"
#include "constructors/functional.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"
#include "nn/loss.h"

enum { WEIGHT, POS_WEIGHT };

struct loss {
  ctorch_module module;
  const char *reduction;
  double margin, p, eps; /* margin is also beta and delta */
  int64_t index;         /* to ignore, blank, p of multi-margin */
  bool first, second;
};

ctorch_error *loss_reduction(const char *function, const char **out, const char *name, bool batchmean) {
  static const char *const names[] = {"none", "mean", "sum", "batchmean"};
  for (size_t i = 0; i < (batchmean ? 4 : 3); i++) {
    if (strcmp(name, names[i]) == 0) {
      *out = names[i];
      return NULL;
    }
  }
  return error_make(function, CTORCH_ERROR_VALUE, "reduction must be none, mean or sum, got '%s'", name);
}

/* A buffer of the caller's, or None. */
static ctorch_error *add_given(
    const char *function, ctorch_module *self, const char *name, const ctorch_tensor *tensor) {
  ctorch_tensor *own = NULL;
  if (tensor != NULL) {
    CTORCH_TRY(tensor_give(function, &own, tensor));
  }
  return module_add_buffer(function, self, name, own, true);
}

/* A loss with these options, which are all but the module and the reduction. */
static ctorch_error *begin(
    const char *function,
    struct loss **out,
    const module_class *class,
    const char *reduction,
    const struct loss *values) {
  const char *name = NULL;
  CTORCH_TRY(loss_reduction(function, &name, reduction, strcmp(class->name, "KLDivLoss") == 0));
  struct loss *self = module_new(class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->reduction = name;
  self->margin = values->margin;
  self->p = values->p;
  self->eps = values->eps;
  self->index = values->index;
  self->first = values->first;
  self->second = values->second;
  *out = self;
  return NULL;
}

#define CONSTRUCTOR(named) \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options)

#define CLASS_OF_CALL(named, called) \
  static const module_class named##_class = {.object = MODULE_OBJECT(struct loss), .name = #named, .call = called}
#define CLASS(named) CLASS_OF_CALL(named, nn_##named##_call)

/* That of an input and a target. */
#define CLASS_OF_PAIR(named)                  \
  static const module_class named##_class = { \
      .object = MODULE_OBJECT(struct loss),   \
      .name = #named,                         \
      .call = nn_##named##_call,              \
      .of_pair = ctorch_nn_##named##_forward}

/* A loss without tensors of its own. */
#define LOSS_OF_CLASS(named, ...)                                                                              \
  CONSTRUCTOR(named) {                                                                                         \
    struct loss *self = NULL;                                                                                  \
    CTORCH_TRY(begin(function, &self, &named##_class, options->reduction, &(const struct loss){__VA_ARGS__})); \
    return module_give(function, out, &self->module, NULL);                                                    \
  }
#define LOSS(named, ...) \
  CLASS(named);          \
  LOSS_OF_CLASS(named, __VA_ARGS__)
#define LOSS_OF_CALL(named, called, ...) \
  CLASS_OF_CALL(named, called);          \
  LOSS_OF_CLASS(named, __VA_ARGS__)
#define LOSS_OF_PAIR(named, ...) \
  CLASS_OF_PAIR(named);          \
  LOSS_OF_CLASS(named, __VA_ARGS__)

/* The same with weights for classes. */
#define WEIGHTED_LOSS(named, ...)                                                                                    \
  CLASS_OF_PAIR(named);                                                                                              \
  CONSTRUCTOR(named) {                                                                                               \
    struct loss *self = NULL;                                                                                        \
    CTORCH_TRY(begin(function, &self, &named##_class, options->reduction, &(const struct loss){__VA_ARGS__}));       \
    return module_give(function, out, &self->module, add_given(function, &self->module, "weight", options->weight)); \
  }

/* What applies it: a function of functional.schema, with these options. */
#define APPLY(named, function_, ...)                                                                                 \
  ctorch_error *nn_##named##_forward(                                                                                \
      const char *function, ctorch_tensor **out, const struct nn_##named##_forward_options *options) {               \
    const struct loss *self = (const struct loss *)options->self;                                                    \
    return functional_##function_(                                                                                   \
        function, out, &(const struct functional_##function_##_options){.reduction = self->reduction, __VA_ARGS__}); \
  }

#define INPUT_AND_TARGET .input = options->input, .target = options->target
#define OWN_WEIGHT .weight = module_buffer_at(options->self, WEIGHT)

LOSS_OF_PAIR(L1Loss, .margin = 0)
APPLY(L1Loss, l1_loss, INPUT_AND_TARGET)
LOSS_OF_PAIR(MSELoss, .margin = 0)
APPLY(MSELoss, mse_loss, INPUT_AND_TARGET)
LOSS_OF_PAIR(SmoothL1Loss, .margin = options->beta)
APPLY(SmoothL1Loss, smooth_l1_loss, INPUT_AND_TARGET, .beta = self->margin)
LOSS_OF_PAIR(HuberLoss, .margin = options->delta)
APPLY(HuberLoss, huber_loss, INPUT_AND_TARGET, .delta = self->margin)
LOSS_OF_PAIR(SoftMarginLoss, .margin = 0)
APPLY(SoftMarginLoss, soft_margin_loss, INPUT_AND_TARGET)
LOSS_OF_PAIR(MultiLabelMarginLoss, .margin = 0)
APPLY(MultiLabelMarginLoss, multilabel_margin_loss, INPUT_AND_TARGET)
LOSS_OF_PAIR(HingeEmbeddingLoss, .margin = options->margin)
APPLY(HingeEmbeddingLoss, hinge_embedding_loss, INPUT_AND_TARGET, .margin = self->margin)
LOSS_OF_PAIR(KLDivLoss, .first = options->log_target)
APPLY(KLDivLoss, kl_div, INPUT_AND_TARGET, .log_target = self->first)
LOSS_OF_PAIR(PoissonNLLLoss, .first = options->log_input, .second = options->full, .eps = options->eps)
APPLY(
    PoissonNLLLoss,
    poisson_nll_loss,
    .input = options->log_input,
    .target = options->target,
    .log_input = self->first,
    .full = self->second,
    .eps = self->eps)
/* The variance may be a number. */
static ctorch_error *gaussian_call(
    ctorch_module *module, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  static const struct option_parameter parameters[] = {
      {"input", true, false}, {"target", true, false}, {"var", true, false}};
  const struct loss *self = (const struct loss *)module;
  ctorch_value *values[3] = {NULL};
  ctorch_tensor *loss = NULL;
  struct option_values given = {
      .function = "ctorch_module_call", .called = "forward", .parameters = parameters, .len = 3, .values = values};
  option_bind(&given, args, kwargs);
  if (given.error != NULL || ctorch_value_kind_of(values[2]) == CTORCH_VALUE_TENSOR) {
    ctorch_error_release(option_end(&given));
    return nn_GaussianNLLLoss_call(module, out, args, kwargs);
  }
  const struct functional_gaussian_nll_loss_number_options options = {
      .input = option_read_tensor(&given, 0),
      .target = option_read_tensor(&given, 1),
      .var = option_read_double(&given, 2, 0),
      .full = self->second,
      .eps = self->eps,
      .reduction = self->reduction};
  THEN(given.error, functional_gaussian_nll_loss_number(given.function, &loss, &options));
  THEN(given.error, ctorch_value_from_tensor(out, loss));
  ctorch_tensor_release(loss);
  return option_end(&given);
}

LOSS_OF_CALL(GaussianNLLLoss, gaussian_call, .second = options->full, .eps = options->eps)
APPLY(GaussianNLLLoss, gaussian_nll_loss, INPUT_AND_TARGET, .var = options->var, .full = self->second, .eps = self->eps)
LOSS(CosineEmbeddingLoss, .margin = options->margin)
APPLY(
    CosineEmbeddingLoss,
    cosine_embedding_loss,
    .input1 = options->input1,
    .input2 = options->input2,
    .target = options->target,
    .margin = self->margin)
LOSS(MarginRankingLoss, .margin = options->margin)
APPLY(
    MarginRankingLoss,
    margin_ranking_loss,
    .input1 = options->input1,
    .input2 = options->input2,
    .target = options->target,
    .margin = self->margin)
/* Lengths may be lists of numbers. */
static ctorch_error *ctc_call(
    ctorch_module *module, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  static const struct option_parameter parameters[] = {
      {"log_probs", true, false},
      {"targets", true, false},
      {"input_lengths", true, false},
      {"target_lengths", true, false}};
  const struct loss *self = (const struct loss *)module;
  ctorch_value *values[4] = {NULL};
  ctorch_tensor *loss = NULL;
  struct option_values given = {
      .function = "ctorch_module_call", .called = "forward", .parameters = parameters, .len = 4, .values = values};
  option_bind(&given, args, kwargs);
  if (given.error != NULL || ctorch_value_kind_of(values[2]) == CTORCH_VALUE_TENSOR) {
    ctorch_error_release(option_end(&given));
    return nn_CTCLoss_call(module, out, args, kwargs);
  }
  struct functional_ctc_loss_lengths_options options = {
      .log_probs = option_read_tensor(&given, 0),
      .targets = option_read_tensor(&given, 1),
      .blank = self->index,
      .reduction = self->reduction,
      .zero_infinity = self->first};
  options.input_lengths = option_read_ints(&given, 2, &options.input_lengths_len);
  options.target_lengths = option_read_ints(&given, 3, &options.target_lengths_len);
  THEN(given.error, functional_ctc_loss_lengths(given.function, &loss, &options));
  THEN(given.error, ctorch_value_from_tensor(out, loss));
  ctorch_tensor_release(loss);
  return option_end(&given);
}

LOSS_OF_CALL(CTCLoss, ctc_call, .index = options->blank, .first = options->zero_infinity)
APPLY(
    CTCLoss,
    ctc_loss,
    .log_probs = options->log_probs,
    .targets = options->targets,
    .input_lengths = options->input_lengths,
    .target_lengths = options->target_lengths,
    .blank = self->index,
    .zero_infinity = self->first)
WEIGHTED_LOSS(NLLLoss, .index = options->ignore_index)
APPLY(NLLLoss, nll_loss, INPUT_AND_TARGET, OWN_WEIGHT, .ignore_index = self->index)
WEIGHTED_LOSS(CrossEntropyLoss, .index = options->ignore_index, .margin = options->label_smoothing)
APPLY(
    CrossEntropyLoss,
    cross_entropy,
    INPUT_AND_TARGET,
    OWN_WEIGHT,
    .ignore_index = self->index,
    .label_smoothing = self->margin)
WEIGHTED_LOSS(BCELoss, .margin = 0)
APPLY(BCELoss, binary_cross_entropy, INPUT_AND_TARGET, OWN_WEIGHT)
WEIGHTED_LOSS(MultiLabelSoftMarginLoss, .margin = 0)
APPLY(MultiLabelSoftMarginLoss, multilabel_soft_margin_loss, INPUT_AND_TARGET, OWN_WEIGHT)

CLASS_OF_PAIR(BCEWithLogitsLoss);
CONSTRUCTOR(BCEWithLogitsLoss) {
  struct loss *self = NULL;
  CTORCH_TRY(begin(function, &self, &BCEWithLogitsLoss_class, options->reduction, &(const struct loss){.margin = 0}));
  ctorch_error *error = add_given(function, &self->module, "weight", options->weight);
  THEN(error, add_given(function, &self->module, "pos_weight", options->pos_weight));
  return module_give(function, out, &self->module, error);
}
APPLY(
    BCEWithLogitsLoss,
    binary_cross_entropy_with_logits,
    INPUT_AND_TARGET,
    OWN_WEIGHT,
    .pos_weight = module_buffer_at(options->self, POS_WEIGHT))

CLASS_OF_PAIR(MultiMarginLoss);
CONSTRUCTOR(MultiMarginLoss) {
  struct loss *self = NULL;
  if (options->p != 1 && options->p != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "only p == 1 and p == 2 supported, got %lld", (long long)options->p);
  }
  if (options->weight != NULL && ctorch_tensor_ndim(options->weight) != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "MultiMarginLoss: expected weight to be None or 1D tensor, got %lldD instead",
        (long long)ctorch_tensor_ndim(options->weight));
  }
  CTORCH_TRY(begin(
      function, &self, &MultiMarginLoss_class, options->reduction,
      &(const struct loss){.index = options->p, .margin = options->margin}));
  return module_give(function, out, &self->module, add_given(function, &self->module, "weight", options->weight));
}
APPLY(MultiMarginLoss, multi_margin_loss, INPUT_AND_TARGET, OWN_WEIGHT, .p = self->index, .margin = self->margin)

static ctorch_error *check_margin(const char *function, double margin) {
  return margin > 0
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "expected margin to be greater than 0, got %g instead", margin);
}

CLASS(TripletMarginLoss);
CONSTRUCTOR(TripletMarginLoss) {
  struct loss *self = NULL;
  CTORCH_TRY(check_margin(function, options->margin));
  CTORCH_TRY(begin(
      function, &self, &TripletMarginLoss_class, options->reduction,
      &(const struct loss){.margin = options->margin, .p = options->p, .eps = options->eps, .first = options->swap}));
  return module_give(function, out, &self->module, NULL);
}
APPLY(
    TripletMarginLoss,
    triplet_margin_loss,
    .anchor = options->anchor,
    .positive = options->positive,
    .negative = options->negative,
    .margin = self->margin,
    .p = self->p,
    .eps = self->eps,
    .swap = self->first)

/* Triplets with a distance of the caller's, which is a module of two tensors. */

static ctorch_error *distance_between(
    const char *function,
    ctorch_tensor **out,
    ctorch_module *distance,
    const ctorch_tensor *a,
    const ctorch_tensor *b) {
  ctorch_value *args = NULL, *result = NULL;
  if (distance == NULL) {
    return ctorch_aten_pairwise_distance(out, a, b, 2, 1e-6, false);
  }
  CTORCH_TRY(layer_tuple(&args, (const ctorch_tensor *const[]){a, b}, 2));
  ctorch_error *error = ctorch_module_call(&result, distance, args, NULL);
  ctorch_value_release(args);
  if (error != NULL && strcmp(ctorch_error_function(error), "ctorch_module_call") == 0) { /* this was called */
    ctorch_error *own =
        error_make(function, ctorch_error_kind_of(error), "distance_function: %s", ctorch_error_message(error));
    ctorch_error_release(error);
    error = own;
  }
  if (error == NULL && ctorch_value_kind_of(result) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        function, CTORCH_ERROR_TYPE, "distance_function must give a tensor, gave a %s",
        ctorch_value_kind_name(ctorch_value_kind_of(result)));
  }
  THEN(error, ctorch_value_to_tensor(out, result));
  ctorch_value_release(result);
  return error;
}

static ctorch_error *reduced(struct steps *s, ctorch_tensor **out, const char *reduction) {
  if (strcmp(reduction, "mean") == 0) {
    STEP(s, ctorch_aten_mean(&s->next, s->at, NULL));
  } else if (strcmp(reduction, "sum") == 0) {
    STEP(s, ctorch_aten_sum(&s->next, s->at, NULL));
  }
  return steps_end(s, out);
}

ctorch_error *functional_triplet_margin_with_distance_loss(
    const char *function,
    ctorch_tensor **out,
    const struct functional_triplet_margin_with_distance_loss_options *options) {
  const ctorch_scalar margin = floating(options->margin), zero = whole(0);
  const ctorch_tensor *anchor = options->anchor, *positive = options->positive, *negative = options->negative;
  const char *reduction = NULL;
  ctorch_tensor *far = NULL, *near = NULL;
  struct steps s = {0}, other = {0};
  CTORCH_TRY(loss_reduction(function, &reduction, options->reduction, false));
  CTORCH_TRY(check_margin(function, options->margin));
  if (ctorch_tensor_ndim(anchor) != ctorch_tensor_ndim(positive) ||
      ctorch_tensor_ndim(anchor) != ctorch_tensor_ndim(negative)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "anchor, positive and negative must have the same number of dimensions");
  }
  CTORCH_TRY(distance_between(function, &near, options->distance_function, anchor, positive));
  STEP(&other, distance_between(function, &other.next, options->distance_function, anchor, negative));
  if (options->swap) {
    THEN(other.error, distance_between(function, &far, options->distance_function, positive, negative));
    STEP(&other, ctorch_aten_minimum(&other.next, other.at, far));
    ctorch_tensor_release(far);
  }
  s.error = other.error;
  STEP(&s, ctorch_aten_add_Scalar(&s.next, near, &margin, NULL));
  ctorch_tensor_release(near);
  STEP(&s, ctorch_aten_sub_Tensor(&s.next, s.at, other.at, NULL));
  ctorch_tensor_release(other.at);
  STEP(&s, ctorch_aten_clamp_min(&s.next, s.at, &zero));
  return reduced(&s, out, reduction);
}

CLASS(TripletMarginWithDistanceLoss);
CONSTRUCTOR(TripletMarginWithDistanceLoss) {
  struct loss *self = NULL;
  ctorch_module *distance = NULL;
  CTORCH_TRY(check_margin(function, options->margin));
  CTORCH_TRY(begin(
      function, &self, &TripletMarginWithDistanceLoss_class, options->reduction,
      &(const struct loss){.margin = options->margin, .first = options->swap}));
  ctorch_error *error = NULL;
  if (options->distance_function == NULL) {
    error =
        nn_PairwiseDistance_new(function, &distance, &(const struct nn_PairwiseDistance_options){.p = 2, .eps = 1e-6});
  }
  THEN(
      error,
      module_add_child(
          function, &self->module, "distance_function", distance != NULL ? distance : options->distance_function));
  ctorch_module_release(distance);
  return module_give(function, out, &self->module, error);
}
APPLY(
    TripletMarginWithDistanceLoss,
    triplet_margin_with_distance_loss,
    .anchor = options->anchor,
    .positive = options->positive,
    .negative = options->negative,
    .distance_function = module_child_at(options->self, 0),
    .margin = self->margin,
    .swap = self->first)
