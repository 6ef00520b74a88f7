/* Adam (Kingma & Ba 2015, arXiv:1412.6980) with AMSGrad (Reddi et al. 2018), and AdamW, whose decay of weights is apart
 * from the gradient (Loshchilov & Hutter 2019, arXiv:1711.05101). */
#include <math.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/group.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, EXP_AVG, EXP_AVG_SQ, MAX_EXP_AVG_SQ };

struct adam_options {
  struct optimizer_flags flags;
  struct optimizer_number lr, weight_decay, betas[2];
  double eps;
  bool amsgrad, decoupled_weight_decay;
};

static void adam_read(struct option_reader *reader, void *to) {
  struct adam_options *self = to;
  self->lr = read_number(reader, "lr");
  read_numbers(reader, "betas", self->betas, 2);
  self->eps = read_double(reader, "eps");
  self->weight_decay = read_number(reader, "weight_decay");
  self->amsgrad = read_bool(reader, "amsgrad");
  self->decoupled_weight_decay = read_bool(reader, "decoupled_weight_decay");
}

/* Operators on lists take tensors as numbers only where they may be captured. */
static bool has_tensor(const struct adam_options *self) {
  return self->lr.tensor != NULL || self->betas[0].tensor != NULL || self->betas[1].tensor != NULL;
}

static ctorch_error *adam_check(const char *function, const void *options) {
  const struct adam_options *self = options;
  if (has_tensor(self) && self->flags.foreach != NULL && *self->flags.foreach && !self->flags.capturable) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "lr: a learning rate or beta that is a tensor is not supported for capturable=False and foreach=True");
  }
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "eps", NUMBER(self->eps)));
  CTORCH_TRY(check_below_one(function, "betas[0]", &self->betas[0]));
  CTORCH_TRY(check_below_one(function, "betas[1]", &self->betas[1]));
  CTORCH_TRY(check_not_negative(function, "weight_decay", &self->weight_decay));
  if ((self->betas[0].tensor == NULL) != (self->betas[1].tensor == NULL)) {
    return error_make(function, CTORCH_ERROR_VALUE, "betas: both must be numbers, or both tensors");
  }
  return NULL;
}

static uint32_t adam_needs(const void *options) {
  bool amsgrad = ((const struct adam_options *)options)->amsgrad;
  return 1u << STEP | 1u << EXP_AVG | 1u << EXP_AVG_SQ | (amsgrad ? 1u << MAX_EXP_AVG_SQ : 0);
}

static ctorch_error *adam_begin(const struct optimizer_list *list, size_t i) {
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_zeros(list, EXP_AVG, i));
  CTORCH_TRY(list_begin_zeros(list, EXP_AVG_SQ, i));
  bool amsgrad = ((const struct adam_options *)list->options)->amsgrad;
  return amsgrad ? list_begin_zeros(list, MAX_EXP_AVG_SQ, i) : NULL;
}

/* One after another. */

/* param *= 1 - lr * weight_decay, or the gradient with the decay; `*own` is to be released. */
static void decay(
    ctorch_error **error, const struct optimizer_list *list, size_t i, ctorch_tensor **grad, ctorch_tensor **own) {
  const struct adam_options *options = list->options;
  struct quantity weight_decay, lr, rest = {0};
  if (options->weight_decay.tensor == NULL && options->weight_decay.value == 0) {
    return;
  }
  weight_decay = quantity_of(error, &options->weight_decay);
  lr = quantity_of(error, &options->lr);
  if (options->decoupled_weight_decay) {
    quantity_product(error, &rest, &lr, &weight_decay);
    quantity_subtract_from(error, &rest, 1, &rest);
    quantity_multiply_to(
        error, list->entries[i]->tensor, &rest); /* complex as a whole: rounding is another one there */
    quantity_end(&rest);
  } else if (list->flags->differentiable && quantity_wants_gradient(&weight_decay)) {
    ctorch_tensor *copy = NULL;
    THEN(*error, ctorch_aten_clone(&copy, list->params[i], NULL));
    THEN(*error, ctorch_aten_addcmul(own, *grad, copy, weight_decay.tensor, NULL));
    ctorch_tensor_release(copy);
    *grad = *own != NULL ? *own : *grad;
  } else {
    double value = quantity_value(error, &weight_decay);
    THEN(*error, list_decay_one(list, i, value, grad, own));
  }
  quantity_end(&weight_decay);
  quantity_end(&lr);
}

/* The averages of the gradient and of its square. */
static void average(ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *grad) {
  const struct adam_options *options = list->options;
  ctorch_tensor *exp_avg = list->states[EXP_AVG][i], *exp_avg_sq = list->states[EXP_AVG_SQ][i], *moved = NULL;
  struct quantity beta1 = quantity_of(error, &options->betas[0]), beta2 = quantity_of(error, &options->betas[1]),
                  weight = {0};
  if (beta1.tensor != NULL) {
    ctorch_device device = {0};
    ctorch_dtype dtype = ctorch_tensor_dtype(list->params[i]);
    THEN(*error, ctorch_tensor_device(&device, list->params[i]));
    THEN(*error, ctorch_tensor_to(&moved, beta1.tensor, &dtype, &device, true, false, NULL));
    quantity_end(&beta1);
    beta1 = quantity_of_tensor(moved);
  }
  quantity_subtract_from(error, &weight, 1, &beta1);
  quantity_lerp_to(error, exp_avg, grad, &weight);
  quantity_subtract_from(error, &weight, 1, &beta2);
  if (list->flags->differentiable && quantity_wants_gradient(&beta2)) {
    ctorch_tensor *square = NULL;
    THEN(*error, ctorch_aten_square(&square, grad));
    quantity_lerp_to(error, exp_avg_sq, square, &weight);
    ctorch_tensor_release(square);
  } else {
    quantity_multiply_to(error, exp_avg_sq, &beta2);
    double value = quantity_value(error, &weight);
    THEN(*error, ctorch_aten_addcmul_(exp_avg_sq, grad, grad, CTORCH_FLOAT(value)));
  }
  quantity_end(&weight);
  quantity_end(&beta1);
  quantity_end(&beta2);
  ctorch_tensor_release(moved);
}

/* 1 - beta^step */
static void correction(
    ctorch_error **error, struct quantity *out, const struct optimizer_number *beta, const struct quantity *step) {
  struct quantity base = quantity_of(error, beta);
  quantity_power(error, out, &base, step);
  quantity_end(&base);
  quantity_subtract_from(error, out, 1, out);
}

/* The square of the gradient that the step is divided by: the average, or the largest there was; borrowed. */
static const ctorch_tensor *largest(ctorch_error **error, const struct optimizer_list *list, size_t i) {
  const struct adam_options *options = list->options;
  ctorch_tensor *average = list->states[EXP_AVG_SQ][i], *most = list->states[MAX_EXP_AVG_SQ][i];
  if (!options->amsgrad) {
    return average;
  }
  if (*error == NULL && !list->flags->differentiable) {
    *error = ctorch_aten_maximum_out(most, average, most);
  } else if (*error == NULL) {
    ctorch_tensor *copy = NULL, *larger = NULL;
    *error = ctorch_aten_clone(&copy, most, NULL);
    THEN(*error, ctorch_aten_maximum(&larger, copy, average));
    THEN(*error, ctorch_aten_copy_(most, larger, false));
    ctorch_tensor_release(copy);
    ctorch_tensor_release(larger);
  }
  return most;
}

/* The step with numbers: param += -step_size * exp_avg / (sqrt(exp_avg_sq) / root + eps). */
static void change(ctorch_error **error, const struct optimizer_list *list, size_t i) {
  const struct adam_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr), step = {0}, size = {0}, root = {0};
  ctorch_tensor *denominator = NULL, *square_root = NULL;
  THEN(*error, list_number(list, STEP, i, &step.value));
  correction(error, &size, &options->betas[0], &step);
  correction(error, &root, &options->betas[1], &step);
  quantity_quotient(error, &size, &lr, &size);
  quantity_root(error, &root, &root);
  const ctorch_tensor *square = largest(error, list, i);
  THEN(*error, ctorch_aten_sqrt(&square_root, square));
  quantity_divide_tensor(error, &denominator, square_root, &root);
  THEN(*error, ctorch_aten_add__Scalar(denominator, CTORCH_FLOAT(options->eps), NULL));
  quantity_negate(error, &size, &size);
  double value = quantity_value(error, &size);
  THEN(*error, ctorch_aten_addcdiv_(list->params[i], list->states[EXP_AVG][i], denominator, CTORCH_FLOAT(value)));
  ctorch_tensor_release(square_root);
  ctorch_tensor_release(denominator);
  quantity_end(&lr);
  quantity_end(&size);
  quantity_end(&root);
}

/* The step with tensors, which may be captured, and through which gradients flow: the step's size is part of the
 * denominator. */
static void change_by_tensors(ctorch_error **error, const struct optimizer_list *list, size_t i) {
  const struct adam_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr), step = quantity_of_tensor(list->states[STEP][i]);
  struct quantity size = {0}, root = {0}, eps = {0};
  ctorch_tensor *denominator = NULL, *square_root = NULL, *exp_avg = list->states[EXP_AVG][i], *copy = NULL;
  correction(error, &size, &options->betas[0], &step);
  correction(error, &root, &options->betas[1], &step);
  quantity_quotient(error, &size, &lr, &size);
  quantity_negate(error, &size, &size);
  quantity_root(error, &root, &root);
  const ctorch_tensor *square = largest(error, list, i);
  THEN(*error, ctorch_aten_sqrt(&square_root, square));
  quantity_product(error, &root, &root, &size);
  quantity_divide_tensor(error, &denominator, square_root, &root);
  quantity_divide_number(error, &eps, options->eps, &size);
  quantity_add_to(error, denominator, &eps);
  if (*error == NULL && list->flags->differentiable) {
    *error = ctorch_aten_clone(&copy, exp_avg, NULL);
  }
  THEN(*error, ctorch_aten_addcdiv_(list->params[i], copy != NULL ? copy : exp_avg, denominator, NULL));
  ctorch_tensor_release(copy);
  ctorch_tensor_release(square_root);
  ctorch_tensor_release(denominator);
  quantity_end(&lr);
  quantity_end(&size);
  quantity_end(&root);
  quantity_end(&eps);
}

static ctorch_error *adam_loop(struct optimizer_list *list, size_t i) {
  ctorch_error *error = list_count_one(list, STEP, i);
  ctorch_tensor *grad = list->grads[i], *own = NULL;
  if (error == NULL) {
    decay(&error, list, i, &grad, &own);
  }
  average(&error, list, i, grad);
  if (list->flags->capturable || list->flags->differentiable) {
    change_by_tensors(&error, list, i);
  } else {
    change(&error, list, i);
  }
  ctorch_tensor_release(own);
  return error;
}

/* All of them. */

static bool adam_can_foreach(const void *options) {
  const struct adam_options *self = options;
  return !has_tensor(self) || self->flags.capturable;
}

/* -(1 - beta^step) for each step, as tensors. */
static ctorch_error *corrections(
    ctorch_tensor_list **out, const struct optimizer_list *list, const struct optimizer_number *beta) {
  double value = 0;
  CTORCH_TRY(number_value(&value, beta));
  ctorch_tensor_list *powers = NULL;
  CTORCH_TRY(
      ctorch_aten__foreach_pow_ScalarAndTensor(&powers, CTORCH_FLOAT(value), CONST_LIST(list->states[STEP], list)));
  ctorch_error *error = ctorch_aten__foreach_sub__Scalar(list_data(powers), list->len, CTORCH_INT(1));
  if (error != NULL) {
    ctorch_tensor_list_release(powers);
    return error;
  }
  *out = powers;
  return NULL;
}

/* The step with tensors; `roots_of` holds the square roots of the squares, which become what it is divided by. */
static ctorch_error *change_captured(struct optimizer_list *list, ctorch_tensor_list *roots_of) {
  const struct adam_options *options = list->options;
  ctorch_tensor **root = list_data(roots_of);
  ctorch_tensor_list *sizes = NULL, *corrections2 = NULL;
  ctorch_error *error = corrections(&sizes, list, &options->betas[0]);
  THEN(error, corrections(&corrections2, list, &options->betas[1]));
  if (error == NULL) {
    ctorch_tensor **size = list_data(sizes), **correction2 = list_data(corrections2);
    const ctorch_tensor *const *const_size = ctorch_const_tensors(size);
    error = ctorch_aten__foreach_neg_(LIST(correction2, list));
    struct quantity lr = quantity_of(&error, &options->lr);
    quantities_divide_all_to(&error, list, size, &lr);
    quantity_end(&lr);
    THEN(error, ctorch_aten__foreach_reciprocal_(LIST(size, list)));
    THEN(error, ctorch_aten__foreach_sqrt_(LIST(correction2, list)));
    THEN(error, ctorch_aten__foreach_div__List(LIST(root, list), CONST_LIST(correction2, list)));
    THEN(error, ctorch_aten__foreach_add__Scalar(LIST(root, list), CTORCH_FLOAT(options->eps)));
    THEN(error, ctorch_aten__foreach_div__List(LIST(root, list), const_size, list->len));
    THEN(
        error, ctorch_aten__foreach_addcdiv__Scalar(
                   LIST(list->params, list), CONST_LIST(list->states[EXP_AVG], list), CONST_LIST(root, list),
                   CTORCH_FLOAT(1)));
  }
  ctorch_tensor_list_release(sizes);
  ctorch_tensor_list_release(corrections2);
  return error;
}

/* The step with numbers. */
static ctorch_error *change_all(struct optimizer_list *list, ctorch_tensor_list *roots_of) {
  const struct adam_options *options = list->options;
  ctorch_tensor **root = list_data(roots_of);
  ctorch_scalar *sizes = list_scalars(list), *roots = list_scalars(list);
  ctorch_error *error = sizes == NULL || roots == NULL ? error_memory(list->function, list->len * sizeof *sizes) : NULL;
  for (size_t i = 0; error == NULL && i < list->len; i++) {
    double step = 0;
    error = list_number(list, STEP, i, &step);
    sizes[i].re = -(options->lr.value / (1 - pow(options->betas[0].value, step)));
    roots[i].re = pow(1 - pow(options->betas[1].value, step), 0.5);
  }
  THEN(error, ctorch_aten__foreach_div__ScalarList(LIST(root, list), roots, list->len));
  THEN(error, ctorch_aten__foreach_add__Scalar(LIST(root, list), CTORCH_FLOAT(options->eps)));
  THEN(
      error,
      ctorch_aten__foreach_addcdiv__ScalarList(
          LIST(list->params, list), CONST_LIST(list->states[EXP_AVG], list), CONST_LIST(root, list), sizes, list->len));
  free(sizes);
  free(roots);
  return error;
}

static ctorch_error *average_all(struct optimizer_list *list) {
  const struct adam_options *options = list->options;
  double beta1 = 0, beta2 = 0;
  CTORCH_TRY(number_value(&beta1, &options->betas[0]));
  CTORCH_TRY(number_value(&beta2, &options->betas[1]));
  CTORCH_TRY(ctorch_aten__foreach_lerp__Scalar(
      LIST(list->states[EXP_AVG], list), CONST_LIST(list->grads, list), CTORCH_FLOAT(1 - beta1)));
  CTORCH_TRY(ctorch_aten__foreach_mul__Scalar(LIST(list->states[EXP_AVG_SQ], list), CTORCH_FLOAT(beta2)));
  CTORCH_TRY(ctorch_aten__foreach_addcmul__Scalar(
      LIST(list->states[EXP_AVG_SQ], list), CONST_LIST(list->grads, list), CONST_LIST(list->grads, list),
      CTORCH_FLOAT(1 - beta2)));
  list_drop_grads(list);
  return NULL;
}

static ctorch_error *adam_foreach(struct optimizer_list *list) {
  const struct adam_options *options = list->options;
  double weight_decay = 0;
  CTORCH_TRY(list_count(list, STEP));
  CTORCH_TRY(number_value(&weight_decay, &options->weight_decay));
  if (weight_decay != 0 && options->decoupled_weight_decay) {
    ctorch_error *error = NULL;
    list_shrink(&error, list, &options->lr, weight_decay);
    CTORCH_TRY(error);
  } else {
    CTORCH_TRY(list_decay(list, weight_decay));
  }
  CTORCH_TRY(average_all(list));
  ctorch_tensor **squares = list->states[EXP_AVG_SQ];
  if (options->amsgrad) {
    squares = list->states[MAX_EXP_AVG_SQ];
    CTORCH_TRY(ctorch_aten__foreach_maximum__List(LIST(squares, list), CONST_LIST(list->states[EXP_AVG_SQ], list)));
  }
  ctorch_tensor_list *roots = NULL;
  CTORCH_TRY(ctorch_aten__foreach_sqrt(&roots, CONST_LIST(squares, list)));
  ctorch_error *error = list->flags->capturable ? change_captured(list, roots) : change_all(list, roots);
  ctorch_tensor_list_release(roots);
  return error;
}

/* By one kernel. */

#define ADAM_KERNEL(kernel, lr)                                                                               \
  kernel(                                                                                                     \
      LIST(list->params, list), LIST(list->grads, list), LIST(list->states[EXP_AVG], list),                   \
      LIST(list->states[EXP_AVG_SQ], list), list->states[MAX_EXP_AVG_SQ], options->amsgrad ? list->len : 0,   \
      CONST_LIST(list->states[STEP], list), (lr), beta1, beta2, weight_decay, options->eps, options->amsgrad, \
      options->flags.maximize, self->grad_scale, self->found_inf)

static ctorch_error *adam_kernel(const struct optimizer_list *list) {
  const struct adam_options *options = list->options;
  const ctorch_optimizer *self = list->optimizer;
  double beta1 = 0, beta2 = 0, weight_decay = 0;
  CTORCH_TRY(number_value(&beta1, &options->betas[0]));
  CTORCH_TRY(number_value(&beta2, &options->betas[1]));
  CTORCH_TRY(number_value(&weight_decay, &options->weight_decay));
  if (options->lr.tensor != NULL) {
    return options->decoupled_weight_decay ? ADAM_KERNEL(ctorch_aten__fused_adamw__tensor_lr, options->lr.tensor)
                                           : ADAM_KERNEL(ctorch_aten__fused_adam__tensor_lr, options->lr.tensor);
  }
  return options->decoupled_weight_decay ? ADAM_KERNEL(ctorch_aten__fused_adamw_, options->lr.value)
                                         : ADAM_KERNEL(ctorch_aten__fused_adam_, options->lr.value);
}

static ctorch_error *adam_fused(struct optimizer_list *list) {
  CTORCH_TRY(list_count(list, STEP));
  CTORCH_TRY(adam_kernel(list));
  return list_uncount(list, STEP);
}

/* Classes. */

const optimizer_class optim_Adam_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Adam",
    .order =
        {"lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "foreach", "capturable", "differentiable",
         "fused", "decoupled_weight_decay"},
    .states = {"step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
    .options_size = sizeof(struct adam_options),
    .read = adam_read,
    .check = adam_check,
    .needs = adam_needs,
    .begin = adam_begin,
    .fused = adam_fused,
    .lr = offsetof(struct adam_options, lr),
    .foreach = adam_foreach,
    .loop = adam_loop,
    .can_foreach = adam_can_foreach,
    .views_complex_as_real = true,
    .sparse_message = "Adam does not support sparse gradients, please consider SparseAdam instead",
    .late = {"amsgrad", "decoupled_weight_decay"}};

/* What is not AdamW's argument, but an option of its groups. */
static ctorch_error *adamw_defaults(const char *function, ctorch_value *defaults) {
  ctorch_value *yes = NULL;
  (void)function;
  CTORCH_TRY(ctorch_value_from_bool(&yes, true));
  ctorch_error *error = ctorch_value_dict_put(defaults, "decoupled_weight_decay", yes);
  ctorch_value_release(yes);
  return error;
}

/* A state of Adam's, or of a version without the option, is AdamW's from now on. */
static ctorch_error *adamw_loaded(const char *function, ctorch_optimizer *self) {
  for (size_t i = 0; i < self->len; i++) {
    CTORCH_TRY(adamw_defaults(function, self->groups[i].options));
    self->groups[i].is_read = false;
  }
  return NULL;
}

const optimizer_class optim_AdamW_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "AdamW",
    .states = {"step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
    .options_size = sizeof(struct adam_options),
    .read = adam_read,
    .check = adam_check,
    .defaults = adamw_defaults,
    .needs = adam_needs,
    .begin = adam_begin,
    .fused = adam_fused,
    .lr = offsetof(struct adam_options, lr),
    .foreach = adam_foreach,
    .loop = adam_loop,
    .can_foreach = adam_can_foreach,
    .views_complex_as_real = true,
    .sparse_message = "AdamW does not support sparse gradients, please consider SparseAdam instead",
    .late = {"amsgrad"},
    .loaded = adamw_loaded};
