/* NAdam: Adam with Nesterov's momentum (Dozat 2016, "Incorporating Nesterov momentum into Adam"); the decay of weights
 * may be apart from the gradient (Loshchilov & Hutter 2019, arXiv:1711.05101). */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, MU_PRODUCT, EXP_AVG, EXP_AVG_SQ };

struct nadam_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double betas[2], eps, weight_decay, momentum_decay;
  bool decoupled_weight_decay;
};

static void nadam_read(struct option_reader *reader, void *to) {
  struct nadam_options *self = to;
  self->lr = read_number(reader, "lr");
  read_doubles(reader, "betas", self->betas, 2);
  self->eps = read_double(reader, "eps");
  self->weight_decay = read_double(reader, "weight_decay");
  self->momentum_decay = read_double(reader, "momentum_decay");
  self->decoupled_weight_decay = read_bool(reader, "decoupled_weight_decay");
}

static ctorch_error *nadam_check(const char *function, const void *options) {
  const struct nadam_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "eps", NUMBER(self->eps)));
  CTORCH_TRY(check_below_one(function, "betas[0]", NUMBER(self->betas[0])));
  CTORCH_TRY(check_below_one(function, "betas[1]", NUMBER(self->betas[1])));
  CTORCH_TRY(check_not_negative(function, "weight_decay", NUMBER(self->weight_decay)));
  return check_not_negative(function, "momentum_decay", NUMBER(self->momentum_decay));
}

static uint32_t nadam_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << MU_PRODUCT | 1u << EXP_AVG | 1u << EXP_AVG_SQ;
}

static ctorch_error *nadam_begin(const struct optimizer_list *list, size_t i) {
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_number(list, MU_PRODUCT, i, 1));
  CTORCH_TRY(list_begin_zeros(list, EXP_AVG, i));
  return list_begin_zeros(list, EXP_AVG_SQ, i);
}

/* The momentum of a step: beta1 * (1 - 0.96^(step * momentum_decay) / 2). */
static void momentum_at(
    ctorch_error **error, struct quantity *out, const struct nadam_options *options, const struct quantity *step) {
  struct quantity base = quantity_of_number(0.96);
  quantity_multiply(error, out, step, options->momentum_decay);
  quantity_power(error, out, &base, out);
  quantity_multiply(error, out, out, 0.5);
  quantity_subtract_from(error, out, 1, out);
  quantity_multiply(error, out, out, options->betas[0]);
}

/* One after another. */

/* Numbers of a step. */
struct momenta {
  struct quantity now, next, product;
};

static void momenta_end(struct momenta *self) {
  quantity_end(&self->now);
  quantity_end(&self->next);
  quantity_end(&self->product);
}

/* Those of this step and the next, of which the product of all so far is counted on. */
static void momenta_of(
    ctorch_error **error, struct momenta *out, const struct optimizer_list *list, size_t i, struct quantity *step) {
  struct quantity one = quantity_of_number(1), after = {0};
  momentum_at(error, &out->now, list->options, step);
  quantity_sum(error, &after, step, &one);
  momentum_at(error, &out->next, list->options, &after);
  quantity_multiply_to(error, list->states[MU_PRODUCT][i], &out->now);
  quantity_end(&after);
}

/* out = sign * lr * part / (1 - product) */
static void step_size(
    ctorch_error **error,
    struct quantity *out,
    const struct quantity *lr,
    const struct quantity *part,
    const struct quantity *product) {
  struct quantity rest = {0};
  quantity_negate(error, out, lr);
  quantity_product(error, out, out, part);
  quantity_subtract_from(error, &rest, 1, product);
  quantity_quotient(error, out, out, &rest);
  quantity_end(&rest);
}

/* param += size_of_grad * grad / denominator + size_of_average * exp_avg / denominator */
static void change(
    ctorch_error **error,
    const struct optimizer_list *list,
    size_t i,
    const ctorch_tensor *grad,
    ctorch_tensor *root,
    struct momenta *momenta) {
  const struct nadam_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr), rest = {0}, of_grad = {0}, of_average = {0}, product = {0};
  ctorch_tensor *param = list->params[i], *exp_avg = list->states[EXP_AVG][i];
  bool by_tensors = list->flags->differentiable || list->flags->capturable;
  momenta->product = quantity_of_tensor(list->states[MU_PRODUCT][i]);
  if (!by_tensors) {
    momenta->product = (struct quantity){0};
    THEN(*error, list_number(list, MU_PRODUCT, i, &momenta->product.value));
  }
  quantity_subtract_from(error, &rest, 1, &momenta->now);
  quantity_product(error, &product, &momenta->product, &momenta->next);
  step_size(error, &of_grad, &lr, &rest, &momenta->product);
  step_size(error, &of_average, &lr, &momenta->next, &product);
  if (by_tensors) {
    ctorch_tensor *denominator = NULL, *along_grad = NULL, *along_average = NULL;
    THEN(*error, ctorch_aten_add_Scalar(&denominator, root, CTORCH_FLOAT(options->eps), NULL));
    quantity_multiply_tensor(error, &along_grad, grad, &of_grad);
    quantity_multiply_tensor(error, &along_average, exp_avg, &of_average);
    THEN(*error, ctorch_aten_addcdiv_(param, along_grad, denominator, NULL));
    THEN(*error, ctorch_aten_addcdiv_(param, along_average, denominator, NULL));
    ctorch_tensor_release(denominator);
    ctorch_tensor_release(along_grad);
    ctorch_tensor_release(along_average);
  } else {
    double first = quantity_value(error, &of_grad), second = quantity_value(error, &of_average);
    THEN(*error, ctorch_aten_add__Scalar(root, CTORCH_FLOAT(options->eps), NULL));
    THEN(*error, ctorch_aten_addcdiv_(param, grad, root, CTORCH_FLOAT(first)));
    THEN(*error, ctorch_aten_addcdiv_(param, exp_avg, root, CTORCH_FLOAT(second)));
  }
  quantity_end(&lr);
  quantity_end(&rest);
  quantity_end(&of_grad);
  quantity_end(&of_average);
  quantity_end(&product);
}

static ctorch_error *nadam_loop(struct optimizer_list *list, size_t i) {
  const struct nadam_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  struct quantity step = {0}, correction = {0}, beta2 = quantity_of_number(options->betas[1]);
  struct momenta momenta = {.now = {0}};
  ctorch_tensor *grad = list->grads[i], *own = NULL, *corrected = NULL, *root = NULL;
  ctorch_tensor *square = list->states[EXP_AVG_SQ][i];
  if (list->flags->capturable) {
    step = quantity_of_tensor(list->states[STEP][i]);
  } else {
    THEN(error, list_number(list, STEP, i, &step.value));
  }
  quantity_power(&error, &correction, &beta2, &step);
  quantity_subtract_from(&error, &correction, 1, &correction);
  if (options->weight_decay != 0 && options->decoupled_weight_decay) {
    list_shrink_one(&error, list, i, &options->lr, options->weight_decay);
  } else {
    THEN(error, list_decay_view(list, i, options->weight_decay, &grad, &own));
  }
  momenta_of(&error, &momenta, list, i, &step);
  THEN(error, ctorch_aten_lerp__Scalar(list->states[EXP_AVG][i], grad, CTORCH_FLOAT(1 - options->betas[0])));
  THEN(error, number_times_(square, CTORCH_FLOAT(options->betas[1])));
  THEN(error, ctorch_aten_addcmul_(square, grad, grad, CTORCH_FLOAT(1 - options->betas[1])));
  quantity_divide_tensor(&error, &corrected, square, &correction);
  THEN(error, ctorch_aten_sqrt(&root, corrected));
  change(&error, list, i, grad, root, &momenta);
  momenta_end(&momenta);
  quantity_end(&correction);
  ctorch_tensor_release(own);
  ctorch_tensor_release(corrected);
  ctorch_tensor_release(root);
  return error;
}

/* All of them. */

/* The step with numbers: each parameter's are computed in turn. */
static void change_all(ctorch_error **error, struct optimizer_list *list, ctorch_tensor **roots) {
  const struct nadam_options *options = list->options;
  double lr = 0;
  THEN(*error, number_value(&lr, &options->lr));
  ctorch_scalar *corrections = list_scalars(list), *nows = list_scalars(list), *nexts = list_scalars(list);
  if (corrections == NULL || nows == NULL || nexts == NULL) {
    THEN(*error, error_memory(list->function, list->len * sizeof *nows));
  }
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    struct quantity step = {0}, now = {0}, after = {0}, next = {0};
    THEN(*error, list_number(list, STEP, i, &step.value));
    after.value = step.value + 1;
    momentum_at(error, &now, options, &step);
    momentum_at(error, &next, options, &after);
    nows[i].re = now.value;
    nexts[i].re = next.value;
    corrections[i].re = pow(1 - pow(options->betas[1], step.value), 0.5);
  }
  THEN(*error, ctorch_aten__foreach_mul__ScalarList(LIST(list->states[MU_PRODUCT], list), nows, list->len));
  THEN(*error, ctorch_aten__foreach_div__ScalarList(LIST(roots, list), corrections, list->len));
  THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(roots, list), CTORCH_FLOAT(options->eps)));
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    double product = 0;
    THEN(*error, list_number(list, MU_PRODUCT, i, &product));
    nows[i].re = -(lr * (1 - nows[i].re) / (1 - product));
    nexts[i].re = -(lr * nexts[i].re / (1 - product * nexts[i].re));
  }
  THEN(
      *error, ctorch_aten__foreach_addcdiv__ScalarList(
                  LIST(list->params, list), CONST_LIST(list->grads, list), CONST_LIST(roots, list), nows, list->len));
  THEN(
      *error, ctorch_aten__foreach_addcdiv__ScalarList(
                  LIST(list->params, list), CONST_LIST(list->states[EXP_AVG], list), CONST_LIST(roots, list), nexts,
                  list->len));
  free(corrections);
  free(nows);
  free(nexts);
}

/* beta1 * (1 - 0.96^exponent / 2), as tensors. */
static void captured_momenta(
    ctorch_error **error, ctorch_tensor_list **out, const struct optimizer_list *list, ctorch_tensor **exponents) {
  const struct nadam_options *options = list->options;
  THEN(*error, ctorch_aten__foreach_pow_ScalarAndTensor(out, CTORCH_FLOAT(0.96), CONST_LIST(exponents, list)));
  THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(list_data(*out), list), CTORCH_FLOAT(-0.5)));
  THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(list_data(*out), list), CTORCH_FLOAT(1)));
  THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(list_data(*out), list), CTORCH_FLOAT(options->betas[0])));
}

/* The roots are divided by sqrt(1 - beta2^step), and eps is added. */
static void correct_captured(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **roots) {
  const struct nadam_options *options = list->options;
  ctorch_tensor_list *corrections = NULL;
  THEN(
      *error, ctorch_aten__foreach_pow_ScalarAndTensor(
                  &corrections, CTORCH_FLOAT(options->betas[1]), CONST_LIST(list->states[STEP], list)));
  THEN(*error, ctorch_aten__foreach_sub__Scalar(LIST(list_data(corrections), list), CTORCH_FLOAT(1)));
  THEN(*error, ctorch_aten__foreach_neg_(LIST(list_data(corrections), list)));
  THEN(*error, ctorch_aten__foreach_sqrt_(LIST(list_data(corrections), list)));
  THEN(*error, ctorch_aten__foreach_div__List(LIST(roots, list), CONST_LIST(list_data(corrections), list)));
  THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(roots, list), CTORCH_FLOAT(options->eps)));
  ctorch_tensor_list_release(corrections);
}

/* What gradients and averages are multiplied by: `nows` and `nexts` become it. */
static void captured_sizes(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **nows, ctorch_tensor **nexts) {
  const struct nadam_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr);
  ctorch_tensor **products = list->states[MU_PRODUCT];
  ctorch_tensor_list *rests = NULL, *next_rests = NULL;
  THEN(*error, ctorch_aten__foreach_sub__Scalar(LIST(nows, list), CTORCH_FLOAT(1)));
  quantities_multiply_all_to(error, list, nows, &lr);
  THEN(*error, ctorch_aten__foreach_sub_Scalar(&rests, CONST_LIST(products, list), CTORCH_FLOAT(1)));
  THEN(*error, ctorch_aten__foreach_neg_(LIST(list_data(rests), list)));
  THEN(*error, ctorch_aten__foreach_div__List(LIST(nows, list), CONST_LIST(list_data(rests), list)));
  THEN(*error, ctorch_aten__foreach_mul_List(&next_rests, CONST_LIST(products, list), CONST_LIST(nexts, list)));
  quantities_multiply_all_to(error, list, nexts, &lr);
  THEN(*error, ctorch_aten__foreach_sub__Scalar(LIST(list_data(next_rests), list), CTORCH_FLOAT(1)));
  THEN(*error, ctorch_aten__foreach_div__List(LIST(nexts, list), CONST_LIST(list_data(next_rests), list)));
  ctorch_tensor_list_release(rests);
  ctorch_tensor_list_release(next_rests);
  quantity_end(&lr);
}

static void change_captured(ctorch_error **error, struct optimizer_list *list, ctorch_tensor **roots) {
  const struct nadam_options *options = list->options;
  ctorch_tensor_list *exponents = NULL, *nows = NULL, *nexts = NULL, *along = NULL;
  THEN(
      *error, ctorch_aten__foreach_mul_Scalar(
                  &exponents, CONST_LIST(list->states[STEP], list), CTORCH_FLOAT(options->momentum_decay)));
  if (*error == NULL) {
    captured_momenta(error, &nows, list, list_data(exponents));
    THEN(
        *error,
        ctorch_aten__foreach_add__Scalar(LIST(list_data(exponents), list), CTORCH_FLOAT(options->momentum_decay)));
    captured_momenta(error, &nexts, list, list_data(exponents));
  }
  THEN(*error, ctorch_aten__foreach_mul__List(LIST(list->states[MU_PRODUCT], list), CONST_LIST(list_data(nows), list)));
  correct_captured(error, list, roots);
  if (*error == NULL) {
    captured_sizes(error, list, list_data(nows), list_data(nexts));
  }
  THEN(*error, ctorch_aten__foreach_mul_List(&along, CONST_LIST(list_data(nows), list), CONST_LIST(list->grads, list)));
  THEN(
      *error, ctorch_aten__foreach_addcmul__Scalar(
                  LIST(list_data(along), list), CONST_LIST(list_data(nexts), list),
                  CONST_LIST(list->states[EXP_AVG], list), CTORCH_FLOAT(1)));
  THEN(
      *error,
      ctorch_aten__foreach_addcdiv__Scalar(
          LIST(list->params, list), CONST_LIST(list_data(along), list), CONST_LIST(roots, list), CTORCH_FLOAT(1)));
  ctorch_tensor_list_release(exponents);
  ctorch_tensor_list_release(nows);
  ctorch_tensor_list_release(nexts);
  ctorch_tensor_list_release(along);
}

static ctorch_error *nadam_foreach(struct optimizer_list *list) {
  const struct nadam_options *options = list->options;
  ctorch_error *error = list_count(list, STEP);
  ctorch_tensor **squares = list->states[EXP_AVG_SQ];
  ctorch_tensor_list *roots = NULL;
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
  THEN(error, ctorch_aten__foreach_sqrt(&roots, CONST_LIST(squares, list)));
  if (error == NULL && list->flags->capturable) {
    change_captured(&error, list, list_data(roots));
  } else if (error == NULL) {
    change_all(&error, list, list_data(roots));
  }
  ctorch_tensor_list_release(roots);
  return error;
}

const optimizer_class optim_NAdam_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "NAdam",
    .order =
        {"lr", "betas", "eps", "weight_decay", "momentum_decay", "decoupled_weight_decay", "maximize", "foreach",
         "capturable", "differentiable"},
    .states = {"step", "mu_product", "exp_avg", "exp_avg_sq"},
    .options_size = sizeof(struct nadam_options),
    .read = nadam_read,
    .check = nadam_check,
    .needs = nadam_needs,
    .begin = nadam_begin,
    .foreach = nadam_foreach,
    .loop = nadam_loop,
    .views_complex_as_real = true,
    .late = {"decoupled_weight_decay"}};
