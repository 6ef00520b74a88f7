/* Adamax: Adam by the infinity norm (Kingma & Ba 2015, arXiv:1412.6980, section 7.1). */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, EXP_AVG, EXP_INF };

struct adamax_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double betas[2], eps, weight_decay;
};

static void adamax_read(struct option_reader *reader, void *to) {
  struct adamax_options *self = to;
  self->lr = read_number(reader, "lr");
  read_doubles(reader, "betas", self->betas, 2);
  self->eps = read_double(reader, "eps");
  self->weight_decay = read_double(reader, "weight_decay");
}

static ctorch_error *adamax_check(const char *function, const void *options) {
  const struct adamax_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "eps", NUMBER(self->eps)));
  CTORCH_TRY(check_below_one(function, "betas[0]", NUMBER(self->betas[0])));
  CTORCH_TRY(check_below_one(function, "betas[1]", NUMBER(self->betas[1])));
  return check_not_negative(function, "weight_decay", NUMBER(self->weight_decay));
}

static uint32_t adamax_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << EXP_AVG | 1u << EXP_INF;
}

static ctorch_error *adamax_begin(const struct optimizer_list *list, size_t i) {
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_zeros(list, EXP_AVG, i));
  return list_begin_zeros(list, EXP_INF, i);
}

/* One after another. */

/* exp_inf = max(beta2 * exp_inf, |grad| + eps) */
static void grow_norm(ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *grad) {
  const struct adamax_options *options = list->options;
  ctorch_tensor *norm = list->states[EXP_INF][i], *size = NULL;
  THEN(*error, number_times_(norm, CTORCH_FLOAT(options->betas[1])));
  THEN(*error, ctorch_aten_abs(&size, grad));
  THEN(*error, ctorch_aten_add__Scalar(size, CTORCH_FLOAT(options->eps), NULL));
  if (!list->flags->differentiable) {
    THEN(*error, ctorch_aten_maximum_out(norm, size, norm));
  } else { /* the larger of two that are equal gets half the gradient */
    const int64_t first = 0;
    ctorch_tensor *rows[2] = {NULL}, *both = NULL, *larger = NULL;
    THEN(*error, ctorch_aten_unsqueeze(&rows[0], norm, 0));
    THEN(*error, ctorch_aten_unsqueeze(&rows[1], size, 0));
    THEN(*error, ctorch_aten_cat(&both, (const ctorch_tensor *const *)rows, 2, 0));
    THEN(*error, ctorch_aten_amax(&larger, both, &first, 1, false));
    THEN(*error, ctorch_aten_copy_(norm, larger, false));
    ctorch_tensor_release(rows[0]);
    ctorch_tensor_release(rows[1]);
    ctorch_tensor_release(both);
    ctorch_tensor_release(larger);
  }
  ctorch_tensor_release(size);
}

/* param -= lr / (1 - beta1^step) * exp_avg / exp_inf */
static void change(ctorch_error **error, const struct optimizer_list *list, size_t i) {
  const struct adamax_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr), size = {0};
  double step = 0;
  THEN(*error, list_number(list, STEP, i, &step));
  quantity_divide(error, &size, &lr, 1 - pow(options->betas[0], step));
  double value = quantity_value(error, &size);
  THEN(
      *error,
      ctorch_aten_addcdiv_(list->params[i], list->states[EXP_AVG][i], list->states[EXP_INF][i], CTORCH_FLOAT(-value)));
  quantity_end(&size);
  quantity_end(&lr);
}

/* The same with tensors: the rate is part of the denominator. */
static void change_by_tensors(ctorch_error **error, const struct optimizer_list *list, size_t i) {
  const struct adamax_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr), step = quantity_of_tensor(list->states[STEP][i]);
  struct quantity beta1 = quantity_of_number(options->betas[0]), one = quantity_of_number(1), part = {0};
  ctorch_tensor *denominator = NULL;
  quantity_power(error, &part, &beta1, &step);
  quantity_difference(error, &part, &part, &one);
  quantity_quotient(error, &part, &part, &lr);
  quantity_multiply_tensor(error, &denominator, list->states[EXP_INF][i], &part);
  THEN(*error, ctorch_aten_addcdiv_(list->params[i], list->states[EXP_AVG][i], denominator, NULL));
  ctorch_tensor_release(denominator);
  quantity_end(&part);
  quantity_end(&lr);
}

static ctorch_error *adamax_loop(struct optimizer_list *list, size_t i) {
  const struct adamax_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  ctorch_tensor *grad = NULL, *own = NULL;
  THEN(error, list_decay_one(list, i, options->weight_decay, &grad, &own));
  THEN(error, ctorch_aten_lerp__Scalar(list->states[EXP_AVG][i], grad, CTORCH_FLOAT(1 - options->betas[0])));
  grow_norm(&error, list, i, grad);
  if (list->flags->capturable) {
    change_by_tensors(&error, list, i);
  } else {
    change(&error, list, i);
  }
  ctorch_tensor_release(own);
  return error;
}

/* All of them. */

static ctorch_error *grow_norms(struct optimizer_list *list) {
  const struct adamax_options *options = list->options;
  ctorch_tensor **norms = list->states[EXP_INF];
  CTORCH_TRY(ctorch_aten__foreach_mul__Scalar(LIST(norms, list), CTORCH_FLOAT(options->betas[1])));
  if (list->own_grads == NULL) {
    ctorch_tensor_list *sizes = NULL;
    CTORCH_TRY(ctorch_aten__foreach_abs(&sizes, CONST_LIST(list->grads, list)));
    list_replace_grads(list, sizes);
  } else {
    CTORCH_TRY(ctorch_aten__foreach_abs_(LIST(list->grads, list)));
  }
  CTORCH_TRY(ctorch_aten__foreach_add__Scalar(LIST(list->grads, list), CTORCH_FLOAT(options->eps)));
  CTORCH_TRY(ctorch_aten__foreach_maximum__List(LIST(norms, list), CONST_LIST(list->grads, list)));
  list_drop_grads(list);
  return NULL;
}

static ctorch_error *change_all(struct optimizer_list *list) {
  const struct adamax_options *options = list->options;
  double lr = 0;
  CTORCH_TRY(number_value(&lr, &options->lr));
  ctorch_scalar *sizes = list_scalars(list);
  ctorch_error *error = sizes == NULL ? error_memory(list->function, list->len * sizeof *sizes) : NULL;
  for (size_t i = 0; error == NULL && i < list->len; i++) {
    double step = 0;
    error = list_number(list, STEP, i, &step);
    sizes[i].re = -(lr / (1 - pow(options->betas[0], step)));
  }
  THEN(
      error, ctorch_aten__foreach_addcdiv__ScalarList(
                 LIST(list->params, list), CONST_LIST(list->states[EXP_AVG], list),
                 CONST_LIST(list->states[EXP_INF], list), sizes, list->len));
  free(sizes);
  return error;
}

static ctorch_error *change_captured(struct optimizer_list *list) {
  const struct adamax_options *options = list->options;
  ctorch_error *error = NULL;
  struct quantity lr = quantity_of(&error, &options->lr);
  ctorch_tensor_list *powers = NULL, *denominators = NULL;
  THEN(
      error, ctorch_aten__foreach_pow_ScalarAndTensor(
                 &powers, CTORCH_FLOAT(options->betas[0]), CONST_LIST(list->states[STEP], list)));
  if (error == NULL) {
    ctorch_tensor **parts = list_data(powers);
    THEN(error, ctorch_aten__foreach_sub__Scalar(LIST(parts, list), CTORCH_INT(1)));
    quantities_divide_all_to(&error, list, parts, &lr);
    THEN(
        error,
        ctorch_aten__foreach_mul_List(&denominators, CONST_LIST(list->states[EXP_INF], list), CONST_LIST(parts, list)));
  }
  THEN(
      error, ctorch_aten__foreach_addcdiv__Scalar(
                 LIST(list->params, list), CONST_LIST(list->states[EXP_AVG], list),
                 CONST_LIST(list_data(denominators), list), CTORCH_FLOAT(1)));
  ctorch_tensor_list_release(powers);
  ctorch_tensor_list_release(denominators);
  quantity_end(&lr);
  return error;
}

static ctorch_error *adamax_foreach(struct optimizer_list *list) {
  const struct adamax_options *options = list->options;
  CTORCH_TRY(list_count(list, STEP));
  CTORCH_TRY(list_decay(list, options->weight_decay));
  CTORCH_TRY(ctorch_aten__foreach_lerp__Scalar(
      LIST(list->states[EXP_AVG], list), CONST_LIST(list->grads, list), CTORCH_FLOAT(1 - options->betas[0])));
  CTORCH_TRY(grow_norms(list));
  return list->flags->capturable ? change_captured(list) : change_all(list);
}

const optimizer_class optim_Adamax_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Adamax",
    .states = {"step", "exp_avg", "exp_inf"},
    .options_size = sizeof(struct adamax_options),
    .read = adamax_read,
    .check = adamax_check,
    .needs = adamax_needs,
    .begin = adamax_begin,
    .foreach = adamax_foreach,
    .loop = adamax_loop,
    .views_complex_as_real = true};
