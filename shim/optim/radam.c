/* RAdam: Adam that takes plain momentum steps until the variance of its rate is bounded (Liu et al. 2020,
 * arXiv:1908.03265); the decay of weights may be apart from the gradient (Loshchilov & Hutter 2019,
 * arXiv:1711.05101). */
#include <math.h>

#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, EXP_AVG, EXP_AVG_SQ };

struct radam_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double betas[2], eps, weight_decay;
  bool decoupled_weight_decay;
};

static void radam_read(struct option_reader *reader, void *to) {
  struct radam_options *self = to;
  self->lr = read_number(reader, "lr");
  read_doubles(reader, "betas", self->betas, 2);
  self->eps = read_double(reader, "eps");
  self->weight_decay = read_double(reader, "weight_decay");
  self->decoupled_weight_decay = read_bool(reader, "decoupled_weight_decay");
}

static ctorch_error *radam_check(const char *function, const void *options) {
  const struct radam_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "eps", NUMBER(self->eps)));
  CTORCH_TRY(check_below_one(function, "betas[0]", NUMBER(self->betas[0])));
  CTORCH_TRY(check_below_one(function, "betas[1]", NUMBER(self->betas[1])));
  return check_not_negative(function, "weight_decay", NUMBER(self->weight_decay));
}

static uint32_t radam_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << EXP_AVG | 1u << EXP_AVG_SQ;
}

static ctorch_error *radam_begin(const struct optimizer_list *list, size_t i) {
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_zeros(list, EXP_AVG, i));
  return list_begin_zeros(list, EXP_AVG_SQ, i);
}

/* rho_inf, the length of the average's tail, and the numbers of a step. */
static double tail(const struct radam_options *options) { return 2 / (1 - options->betas[1]) - 1; }

static double tail_at(const struct radam_options *options, double step) {
  double power = pow(options->betas[1], step);
  return tail(options) - 2 * step * power / (1 - power);
}

/* The factor that rectifies the variance, for a tail longer than 5. */
static double rectification(const struct radam_options *options, double rho) {
  double rho_inf = tail(options);
  return pow((rho - 4) * (rho - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho), 0.5);
}

/* One after another. */

/* sqrt(correction2) / (sqrt(exp_avg_sq) + eps) */
static void adaptive_rate(
    ctorch_error **error,
    ctorch_tensor **out,
    const struct optimizer_list *list,
    size_t i,
    const struct quantity *correction2) {
  const struct radam_options *options = list->options;
  ctorch_tensor *root = NULL, *raised = NULL, *inverse = NULL;
  struct quantity half = quantity_of_number(0.5), factor = {0};
  THEN(*error, ctorch_aten_sqrt(&root, list->states[EXP_AVG_SQ][i]));
  if (list->flags->differentiable) {
    THEN(*error, ctorch_aten_add_Scalar(&raised, root, CTORCH_FLOAT(options->eps), NULL));
  } else {
    THEN(*error, ctorch_aten_add__Scalar(root, CTORCH_FLOAT(options->eps), NULL));
  }
  const ctorch_tensor *by = raised != NULL ? raised : root;
  quantity_power(error, &factor, correction2, &half);
  if (factor.tensor != NULL) {
    THEN(*error, ctorch_aten_div_Tensor(out, factor.tensor, by));
  } else {
    THEN(*error, ctorch_aten_reciprocal(&inverse, by));
    THEN(*error, number_times(out, inverse, CTORCH_FLOAT(factor.value)));
  }
  quantity_end(&factor);
  ctorch_tensor_release(root);
  ctorch_tensor_release(raised);
  ctorch_tensor_release(inverse);
}

/* `along`, the corrected average times the rate, becomes the step's direction. */
static void change(
    ctorch_error **error,
    const struct optimizer_list *list,
    size_t i,
    ctorch_tensor *along,
    double step,
    const struct quantity *correction2) {
  const struct radam_options *options = list->options;
  double rho = tail_at(options, step);
  ctorch_tensor *rate = NULL, *adapted = NULL, *rectified = NULL;
  if (rho > 5) {
    adaptive_rate(error, &rate, list, i, correction2);
    THEN(*error, ctorch_aten_mul_Tensor(&adapted, along, rate));
    THEN(*error, number_times(&rectified, adapted, CTORCH_FLOAT(rectification(options, rho))));
  }
  THEN(*error, ctorch_aten_add__Tensor(list->params[i], rectified != NULL ? rectified : along, CTORCH_FLOAT(-1)));
  ctorch_tensor_release(rate);
  ctorch_tensor_release(adapted);
  ctorch_tensor_release(rectified);
}

/* rho as a tensor: rho_inf - 2 * step * beta2^step / correction2. */
static void captured_tail(
    ctorch_error **error,
    struct quantity *out,
    const struct radam_options *options,
    const struct quantity *step,
    const struct quantity *correction2) {
  struct quantity beta2 = quantity_of_number(options->betas[1]), power = {0};
  quantity_power(error, &power, &beta2, step);
  quantity_multiply(error, out, step, 2);
  quantity_product(error, out, out, &power);
  quantity_quotient(error, out, out, correction2);
  quantity_subtract_from(error, out, tail(options), out);
  quantity_end(&power);
}

static void captured_rectification(
    ctorch_error **error, struct quantity *out, const struct radam_options *options, const struct quantity *rho) {
  struct quantity four = quantity_of_number(4), two = quantity_of_number(2), half = quantity_of_number(0.5), part = {0};
  double rho_inf = tail(options);
  quantity_difference(error, out, rho, &four);
  quantity_difference(error, &part, rho, &two);
  quantity_product(error, out, out, &part);
  quantity_multiply(error, out, out, rho_inf);
  quantity_multiply(error, &part, rho, (rho_inf - 4) * (rho_inf - 2));
  quantity_quotient(error, out, out, &part);
  quantity_power(error, out, out, &half);
  quantity_end(&part);
}

static void change_by_tensors(
    ctorch_error **error,
    const struct optimizer_list *list,
    size_t i,
    ctorch_tensor *along,
    const struct quantity *correction2) {
  struct quantity step = quantity_of_tensor(list->states[STEP][i]), rho = {0}, factor = {0};
  ctorch_tensor *rate = NULL, *rectified = NULL, *is_bounded = NULL, *update = NULL, *direction = NULL;
  captured_tail(error, &rho, list->options, &step, correction2);
  captured_rectification(error, &factor, list->options, &rho);
  adaptive_rate(error, &rate, list, i, correction2);
  THEN(*error, ctorch_aten_mul_Tensor(&rectified, factor.tensor, rate));
  THEN(*error, ctorch_aten_gt_Scalar(&is_bounded, rho.tensor, CTORCH_FLOAT(5)));
  THEN(*error, ctorch_aten_where_ScalarOther(&update, is_bounded, rectified, CTORCH_FLOAT(1)));
  THEN(*error, ctorch_aten_mul_Tensor(&direction, along, update));
  THEN(*error, ctorch_aten_add__Tensor(list->params[i], direction, CTORCH_FLOAT(-1)));
  ctorch_tensor_release(rate);
  ctorch_tensor_release(rectified);
  ctorch_tensor_release(is_bounded);
  ctorch_tensor_release(update);
  ctorch_tensor_release(direction);
  quantity_end(&rho);
  quantity_end(&factor);
}

/* 1 - beta^step */
static void correction(ctorch_error **error, struct quantity *out, double beta, const struct quantity *step) {
  struct quantity base = quantity_of_number(beta);
  quantity_power(error, out, &base, step);
  quantity_subtract_from(error, out, 1, out);
}

static ctorch_error *radam_loop(struct optimizer_list *list, size_t i) {
  const struct radam_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  struct quantity lr = quantity_of(&error, &options->lr), step = {0}, correction1 = {0}, correction2 = {0};
  ctorch_tensor *grad = list->grads[i], *own = NULL, *corrected = NULL, *along = NULL;
  ctorch_tensor *square = list->states[EXP_AVG_SQ][i];
  if (list->flags->capturable) {
    step = quantity_of_tensor(list->states[STEP][i]);
  } else {
    THEN(error, list_number(list, STEP, i, &step.value));
  }
  if (options->weight_decay != 0 && options->decoupled_weight_decay) {
    list_shrink_one(&error, list, i, &options->lr, options->weight_decay);
  } else {
    THEN(error, list_decay_view(list, i, options->weight_decay, &grad, &own));
  }
  THEN(error, ctorch_aten_lerp__Scalar(list->states[EXP_AVG][i], grad, CTORCH_FLOAT(1 - options->betas[0])));
  THEN(error, number_times_(square, CTORCH_FLOAT(options->betas[1])));
  THEN(error, ctorch_aten_addcmul_(square, grad, grad, CTORCH_FLOAT(1 - options->betas[1])));
  correction(&error, &correction1, options->betas[0], &step);
  correction(&error, &correction2, options->betas[1], &step);
  quantity_divide_tensor(&error, &corrected, list->states[EXP_AVG][i], &correction1);
  quantity_multiply_tensor(&error, &along, corrected, &lr);
  if (list->flags->capturable) {
    change_by_tensors(&error, list, i, along, &correction2);
  } else {
    change(&error, list, i, along, step.value, &correction2);
  }
  ctorch_tensor_release(own);
  ctorch_tensor_release(corrected);
  ctorch_tensor_release(along);
  quantity_end(&lr);
  quantity_end(&correction1);
  quantity_end(&correction2);
  return error;
}

/* All of them: params += exp_avg * (correction / (sqrt(exp_avg_sq) + eps) + plain), where one of both is 0. */
static void change_all(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **by) {
  const struct radam_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr);
  struct quantity *plain = quantities_new(error, list), *adapted = quantities_new(error, list);
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    double step = 0;
    THEN(*error, list_number(list, STEP, i, &step));
    double rho = tail_at(options, step), rect = rho > 5 ? rectification(options, rho) : 0;
    double correction1 = 1 - pow(options->betas[0], step), correction2 = 1 - pow(options->betas[1], step);
    quantity_multiply(error, &plain[i], &lr, rect > 0 ? 0 : 1);
    quantity_divide(error, &plain[i], &plain[i], correction1);
    quantity_negate(error, &plain[i], &plain[i]);
    quantity_multiply(error, &adapted[i], &lr, rect);
    quantity_divide(error, &adapted[i], &adapted[i], correction1);
    quantity_multiply(error, &adapted[i], &adapted[i], pow(correction2, 0.5));
    quantity_negate(error, &adapted[i], &adapted[i]);
  }
  if (*error == NULL) {
    quantities_divide_to(error, list, by, adapted);
    THEN(*error, ctorch_aten__foreach_reciprocal_(LIST(by, list)));
    quantities_add_to(error, list, by, plain);
  }
  quantities_end(plain, list);
  quantities_end(adapted, list);
  quantity_end(&lr);
}

/* 1 - beta^step for each step, as tensors. */
static void captured_corrections(
    ctorch_error **error, ctorch_tensor_list **out, const struct optimizer_list *list, double beta) {
  THEN(*error, ctorch_aten__foreach_pow_ScalarAndTensor(out, CTORCH_FLOAT(beta), CONST_LIST(list->states[STEP], list)));
  THEN(*error, ctorch_aten__foreach_neg_(LIST(list_data(*out), list)));
  THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(list_data(*out), list), CTORCH_INT(1)));
}

/* rho for each step. */
static void captured_tails(ctorch_error **error, ctorch_tensor_list **out, const struct optimizer_list *list) {
  const struct radam_options *options = list->options;
  ctorch_tensor_list *corrections = NULL;
  captured_corrections(error, &corrections, list, options->betas[1]);
  THEN(
      *error, ctorch_aten__foreach_pow_ScalarAndTensor(
                  out, CTORCH_FLOAT(options->betas[1]), CONST_LIST(list->states[STEP], list)));
  if (*error == NULL) {
    ctorch_tensor **tails = list_data(*out);
    THEN(*error, ctorch_aten__foreach_mul__List(LIST(tails, list), CONST_LIST(list->states[STEP], list)));
    THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(tails, list), CTORCH_INT(2)));
    THEN(*error, ctorch_aten__foreach_div__List(LIST(tails, list), CONST_LIST(list_data(corrections), list)));
    THEN(*error, ctorch_aten__foreach_neg_(LIST(tails, list)));
    THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(tails, list), CTORCH_FLOAT(tail(options))));
  }
  ctorch_tensor_list_release(corrections);
}

/* The factors that rectify, 0 where rho is too small; `*plain` becomes 1 there, 0 elsewhere. */
static void captured_rectifications(
    ctorch_error **error, ctorch_tensor_list **out, ctorch_tensor_list **plain, const struct optimizer_list *list) {
  double rho_inf = tail(list->options);
  ctorch_tensor_list *tails = NULL, *parts = NULL, *by = NULL;
  captured_tails(error, &tails, list);
  THEN(*error, ctorch_aten__foreach_sub_Scalar(out, CONST_LIST(list_data(tails), list), CTORCH_INT(4)));
  THEN(*error, ctorch_aten__foreach_sub_Scalar(&parts, CONST_LIST(list_data(tails), list), CTORCH_INT(2)));
  THEN(*error, ctorch_aten__foreach_mul__List(LIST(list_data(*out), list), CONST_LIST(list_data(parts), list)));
  THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(list_data(*out), list), CTORCH_FLOAT(rho_inf)));
  THEN(
      *error, ctorch_aten__foreach_mul_Scalar(
                  &by, CONST_LIST(list_data(tails), list), CTORCH_FLOAT((rho_inf - 4) * (rho_inf - 2))));
  THEN(*error, ctorch_aten__foreach_div__List(LIST(list_data(*out), list), CONST_LIST(list_data(by), list)));
  THEN(*error, ctorch_aten__foreach_sqrt_(LIST(list_data(*out), list)));
  THEN(*error, ctorch_aten__foreach_mul_Scalar(plain, CONST_LIST(list_data(tails), list), CTORCH_FLOAT(1)));
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    ctorch_tensor *is_small = NULL, *is_plain = NULL;
    THEN(*error, ctorch_aten_gt_Scalar(&is_small, list_data(tails)[i], CTORCH_FLOAT(5)));
    THEN(*error, ctorch_aten_logical_not_(is_small));
    THEN(*error, ctorch_aten_masked_fill__Scalar(list_data(*out)[i], is_small, CTORCH_FLOAT(0)));
    THEN(*error, ctorch_aten_gt_Scalar(&is_plain, list_data(*out)[i], CTORCH_FLOAT(0)));
    THEN(*error, ctorch_aten_logical_not_(is_plain));
    THEN(*error, ctorch_aten_copy_(list_data(*plain)[i], is_plain, false));
    ctorch_tensor_release(is_small);
    ctorch_tensor_release(is_plain);
  }
  ctorch_tensor_list_release(tails);
  ctorch_tensor_list_release(parts);
  ctorch_tensor_list_release(by);
}

static void change_captured(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **by) {
  const struct radam_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr);
  ctorch_tensor_list *rects = NULL, *plains = NULL, *corrections1 = NULL, *adapted = NULL;
  captured_rectifications(error, &rects, &plains, list);
  captured_corrections(error, &corrections1, list, options->betas[0]);
  captured_corrections(error, &adapted, list, options->betas[1]);
  if (*error == NULL) {
    ctorch_tensor **plain = list_data(plains), **size = list_data(adapted), **correction1 = list_data(corrections1);
    quantities_multiply_all_to(error, list, plain, &lr);
    THEN(*error, ctorch_aten__foreach_div__List(LIST(plain, list), CONST_LIST(correction1, list)));
    THEN(*error, ctorch_aten__foreach_neg_(LIST(plain, list)));
    THEN(*error, ctorch_aten__foreach_sqrt_(LIST(size, list)));
    quantities_multiply_all_to(error, list, size, &lr);
    THEN(*error, ctorch_aten__foreach_mul__List(LIST(size, list), CONST_LIST(list_data(rects), list)));
    THEN(*error, ctorch_aten__foreach_neg_(LIST(size, list)));
    THEN(*error, ctorch_aten__foreach_div__List(LIST(size, list), CONST_LIST(correction1, list)));
    THEN(*error, ctorch_aten__foreach_div__List(LIST(by, list), CONST_LIST(size, list)));
    THEN(*error, ctorch_aten__foreach_reciprocal_(LIST(by, list)));
    THEN(*error, ctorch_aten__foreach_add__List(LIST(by, list), CONST_LIST(plain, list), NULL));
  }
  ctorch_tensor_list_release(rects);
  ctorch_tensor_list_release(plains);
  ctorch_tensor_list_release(corrections1);
  ctorch_tensor_list_release(adapted);
  quantity_end(&lr);
}

static ctorch_error *radam_foreach(struct optimizer_list *list) {
  const struct radam_options *options = list->options;
  ctorch_error *error = list_count(list, STEP);
  ctorch_tensor **squares = list->states[EXP_AVG_SQ];
  ctorch_tensor_list *by = NULL;
  if (options->weight_decay != 0 && options->decoupled_weight_decay) {
    list_shrink(&error, list, &options->lr, options->weight_decay);
  } else {
    THEN(error, list_decay(list, options->weight_decay));
  }
  THEN(
      error,
      ctorch_aten__foreach_lerp__Scalar(
          LIST(list->states[EXP_AVG], list), CONST_LIST(list->grads, list), CTORCH_FLOAT(1 - options->betas[0])));
  THEN(error, ctorch_aten__foreach_mul__Scalar(LIST(squares, list), CTORCH_FLOAT(options->betas[1])));
  THEN(
      error, ctorch_aten__foreach_addcmul__Scalar(
                 LIST(squares, list), CONST_LIST(list->grads, list), CONST_LIST(list->grads, list),
                 CTORCH_FLOAT(1 - options->betas[1])));
  list_drop_grads(list);
  THEN(error, ctorch_aten__foreach_sqrt(&by, CONST_LIST(squares, list)));
  THEN(error, ctorch_aten__foreach_add__Scalar(LIST(list_data(by), list), CTORCH_FLOAT(options->eps)));
  if (error == NULL && list->flags->capturable) {
    change_captured(&error, list, list_data(by));
  } else if (error == NULL) {
    change_all(&error, list, list_data(by));
  }
  THEN(
      error, ctorch_aten__foreach_addcmul__Scalar(
                 LIST(list->params, list), CONST_LIST(list->states[EXP_AVG], list), CONST_LIST(list_data(by), list),
                 CTORCH_FLOAT(1)));
  ctorch_tensor_list_release(by);
  return error;
}

const optimizer_class optim_RAdam_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "RAdam",
    .order =
        {"lr", "betas", "eps", "weight_decay", "maximize", "foreach", "capturable", "decoupled_weight_decay",
         "differentiable"},
    .states = {"step", "exp_avg", "exp_avg_sq"},
    .options_size = sizeof(struct radam_options),
    .read = radam_read,
    .check = radam_check,
    .needs = radam_needs,
    .begin = radam_begin,
    .foreach = radam_foreach,
    .loop = radam_loop,
    .views_complex_as_real = true,
    .late = {"decoupled_weight_decay"}};
