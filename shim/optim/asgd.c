/* ASGD: gradient descent that keeps an average of the parameters (Polyak & Juditsky 1992, "Acceleration of stochastic
 * approximation by averaging"), with the rates of Xu 2011, arXiv:1107.2490. */
#include <math.h>

#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, ETA, MU, AX };

struct asgd_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double lambd, alpha, t0, weight_decay;
};

static void asgd_read(struct option_reader *reader, void *to) {
  struct asgd_options *self = to;
  self->lr = read_number(reader, "lr");
  self->lambd = read_double(reader, "lambd");
  self->alpha = read_double(reader, "alpha");
  self->t0 = read_double(reader, "t0");
  self->weight_decay = read_double(reader, "weight_decay");
}

static ctorch_error *asgd_check(const char *function, const void *options) {
  const struct asgd_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  return check_not_negative(function, "weight_decay", NUMBER(self->weight_decay));
}

static uint32_t asgd_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << ETA | 1u << MU | 1u << AX;
}

static ctorch_error *asgd_begin(const struct optimizer_list *list, size_t i) {
  const struct asgd_options *options = list->options;
  double rate = 0;
  CTORCH_TRY(number_value(&rate, &options->lr));
  CTORCH_TRY(list_begin_number_there(list, STEP, i, 0));
  CTORCH_TRY(list_begin_number_there(list, ETA, i, rate));
  CTORCH_TRY(list_begin_number_there(list, MU, i, 1));
  return list_begin_zeros(list, AX, i);
}

/* The next rate, lr / (1 + lambd * lr * step)^alpha. */
static void next_rate(
    ctorch_error **error, struct quantity *out, const struct optimizer_list *list, const struct quantity *step) {
  const struct asgd_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr), part = {0};
  struct quantity one = quantity_of_number(1), alpha = quantity_of_number(options->alpha);
  quantity_multiply(error, &part, &lr, options->lambd);
  quantity_product(error, &part, &part, step);
  quantity_sum(error, &part, &part, &one);
  quantity_power(error, &part, &part, &alpha);
  quantity_quotient(error, out, &lr, &part);
  quantity_end(&part);
  quantity_end(&lr);
}

/* A state becomes a number: one of the default dtype first, which rounds it. */
static void put(ctorch_error **error, ctorch_tensor *state, const struct quantity *number) {
  ctorch_tensor *rounded = NULL;
  if (number->tensor == NULL) {
    THEN(*error, ctorch_aten_full(&rounded, NULL, 0, CTORCH_FLOAT(number->value), NULL, NULL, NULL, NULL));
  }
  THEN(*error, ctorch_aten_copy_(state, rounded != NULL ? rounded : number->tensor, false));
  ctorch_tensor_release(rounded);
}

static double next_weight(const struct optimizer_list *list, double step) {
  const struct asgd_options *options = list->options;
  double after = step - options->t0;
  return 1 / (after > 1 ? after : 1);
}

/* One after another. */

/* param = (1 - lambd * eta) * param - eta * grad, then the average. */
static void change(ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *grad) {
  const struct asgd_options *options = list->options;
  ctorch_tensor *param = list->params[i], *ax = list->states[AX][i], *apart = NULL;
  double eta = 0, mu = 0;
  struct quantity step = {0}, rate = {0};
  THEN(*error, list_number(list, ETA, i, &eta));
  THEN(*error, list_number(list, MU, i, &mu));
  THEN(*error, list_number(list, STEP, i, &step.value));
  THEN(*error, number_times_(param, CTORCH_FLOAT(1 - options->lambd * eta)));
  THEN(*error, ctorch_aten_add__Tensor(param, grad, CTORCH_FLOAT(-eta)));
  if (mu != 1) {
    THEN(*error, ctorch_aten_sub_Tensor(&apart, param, ax, NULL));
    THEN(*error, ctorch_aten_mul__Tensor(apart, list->states[MU][i]));
    THEN(*error, ctorch_aten_add__Tensor(ax, apart, NULL));
  } else {
    THEN(*error, ctorch_aten_copy_(ax, param, false));
  }
  next_rate(error, &rate, list, &step);
  put(error, list->states[ETA][i], &rate);
  struct quantity weight = quantity_of_number(next_weight(list, step.value));
  put(error, list->states[MU][i], &weight);
  quantity_end(&rate);
  ctorch_tensor_release(apart);
}

static void change_by_tensors(
    ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *grad) {
  const struct asgd_options *options = list->options;
  ctorch_tensor *param = list->params[i], *ax = list->states[AX][i], *apart = NULL, *after = NULL, *ones = NULL;
  struct quantity eta = quantity_of_tensor(list->states[ETA][i]), step = quantity_of_tensor(list->states[STEP][i]);
  struct quantity part = {0}, weight = {0};
  quantity_multiply(error, &part, &eta, options->lambd);
  quantity_subtract_from(error, &part, 1, &part);
  quantity_multiply_to(error, param, &part);
  THEN(*error, ctorch_aten_addcmul_(param, grad, eta.tensor, CTORCH_FLOAT(-1)));
  THEN(*error, ctorch_aten_sub_Tensor(&apart, param, ax, NULL));
  THEN(*error, ctorch_aten_mul__Tensor(apart, list->states[MU][i]));
  THEN(*error, ctorch_aten_add__Tensor(ax, apart, NULL));
  next_rate(error, &part, list, &step);
  THEN(*error, ctorch_aten_copy_(eta.tensor, part.tensor, false));
  THEN(*error, ctorch_aten_sub_Scalar(&after, step.tensor, CTORCH_FLOAT(options->t0), NULL));
  THEN(*error, ctorch_aten_ones_like(&ones, step.tensor, NULL, NULL, NULL, NULL, NULL));
  weight.is_own = true;
  THEN(*error, ctorch_aten_maximum(&weight.tensor, after, ones));
  quantity_divide_number(error, &weight, 1, &weight);
  THEN(*error, ctorch_aten_copy_(list->states[MU][i], weight.tensor, false));
  quantity_end(&weight);
  quantity_end(&part);
  ctorch_tensor_release(apart);
  ctorch_tensor_release(after);
  ctorch_tensor_release(ones);
}

static ctorch_error *asgd_loop(struct optimizer_list *list, size_t i) {
  const struct asgd_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  ctorch_tensor *grad = NULL, *own = NULL;
  THEN(error, list_decay_view(list, i, options->weight_decay, &grad, &own));
  if (list->flags->capturable) {
    change_by_tensors(&error, list, i, grad);
  } else {
    change(&error, list, i, grad);
  }
  ctorch_tensor_release(own);
  return error;
}

/* All of them. */

/* params -= eta * (grads + lambd * params), then the averages. */
static void change_all(ctorch_error **error, struct optimizer_list *list) {
  const struct asgd_options *options = list->options;
  ctorch_tensor_list *apart = NULL;
  THEN(*error, list_decay(list, options->weight_decay));
  if (options->weight_decay != 0) {
    THEN(
        *error, ctorch_aten__foreach_add__List(
                    LIST(list->grads, list), CONST_LIST(list->params, list), CTORCH_FLOAT(options->lambd)));
  } else {
    ctorch_tensor_list *along = NULL;
    THEN(
        *error,
        ctorch_aten__foreach_add_List(
            &along, CONST_LIST(list->grads, list), CONST_LIST(list->params, list), CTORCH_FLOAT(options->lambd)));
    if (*error == NULL) {
      list_replace_grads(list, along);
    }
  }
  THEN(
      *error, ctorch_aten__foreach_addcmul__Scalar(
                  LIST(list->params, list), CONST_LIST(list->grads, list), CONST_LIST(list->states[ETA], list),
                  CTORCH_FLOAT(-1)));
  THEN(
      *error,
      ctorch_aten__foreach_sub_List(&apart, CONST_LIST(list->params, list), CONST_LIST(list->states[AX], list), NULL));
  THEN(
      *error, ctorch_aten__foreach_addcmul__Scalar(
                  LIST(list->states[AX], list), CONST_LIST(list_data(apart), list), CONST_LIST(list->states[MU], list),
                  CTORCH_FLOAT(1)));
  ctorch_tensor_list_release(apart);
}

/* The next rates and weights; the steps are tensors in what makes rates. */
static void advance(ctorch_error **error, const struct optimizer_list *list) {
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    struct quantity step = quantity_of_tensor(list->states[STEP][i]), rate = {0};
    double number = 0;
    next_rate(error, &rate, list, &step);
    put(error, list->states[ETA][i], &rate);
    THEN(*error, list_number(list, STEP, i, &number));
    struct quantity weight = quantity_of_number(next_weight(list, number));
    put(error, list->states[MU][i], &weight);
    quantity_end(&rate);
  }
}

static void advance_captured(ctorch_error **error, const struct optimizer_list *list) {
  const struct asgd_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr);
  ctorch_tensor **steps = list->states[STEP];
  ctorch_tensor_list *weights = NULL, *rates = NULL;
  THEN(*error, ctorch_aten__foreach_sub_Scalar(&weights, CONST_LIST(steps, list), CTORCH_FLOAT(options->t0)));
  THEN(*error, ctorch_aten__foreach_maximum__Scalar(LIST(list_data(weights), list), CTORCH_FLOAT(1)));
  THEN(*error, ctorch_aten__foreach_reciprocal_(LIST(list_data(weights), list)));
  THEN(*error, ctorch_aten__foreach_copy_(LIST(list->states[MU], list), CONST_LIST(list_data(weights), list), false));
  THEN(*error, ctorch_aten__foreach_mul_Scalar(&rates, CONST_LIST(steps, list), CTORCH_FLOAT(options->lambd)));
  if (*error == NULL) {
    ctorch_tensor **rate = list_data(rates);
    quantities_multiply_all_to(error, list, rate, &lr);
    THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(rate, list), CTORCH_INT(1)));
    THEN(*error, ctorch_aten__foreach_pow__Scalar(LIST(rate, list), CTORCH_FLOAT(options->alpha)));
    THEN(*error, ctorch_aten__foreach_reciprocal_(LIST(rate, list)));
    quantities_multiply_all_to(error, list, rate, &lr);
    THEN(*error, ctorch_aten__foreach_copy_(LIST(list->states[ETA], list), CONST_LIST(rate, list), false));
  }
  ctorch_tensor_list_release(weights);
  ctorch_tensor_list_release(rates);
  quantity_end(&lr);
}

static ctorch_error *asgd_foreach(struct optimizer_list *list) {
  ctorch_error *error = list_count(list, STEP);
  change_all(&error, list);
  if (list->flags->capturable) {
    advance_captured(&error, list);
  } else {
    advance(&error, list);
  }
  return error;
}

const optimizer_class optim_ASGD_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "ASGD",
    .states = {"step", "eta", "mu", "ax"},
    .options_size = sizeof(struct asgd_options),
    .read = asgd_read,
    .check = asgd_check,
    .needs = asgd_needs,
    .begin = asgd_begin,
    .foreach = asgd_foreach,
    .loop = asgd_loop,
    .views_complex_as_real = true};
