/* RMSprop: gradients divided by a running average of their size (Hinton, lecture 6e of "Neural Networks for Machine
 * Learning"); `centered` as in Graves 2013, arXiv:1308.0850. eps is added after the square root. */
#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/group.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, SQUARE_AVG, MOMENTUM_BUFFER, GRAD_AVG };

struct rmsprop_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double alpha, eps, weight_decay, momentum;
  bool centered;
};

static void rmsprop_read(struct option_reader *reader, void *to) {
  struct rmsprop_options *self = to;
  self->lr = read_number(reader, "lr");
  self->alpha = read_double(reader, "alpha");
  self->eps = read_double(reader, "eps");
  self->weight_decay = read_double(reader, "weight_decay");
  self->momentum = read_double(reader, "momentum");
  self->centered = read_bool(reader, "centered");
}

static ctorch_error *rmsprop_check(const char *function, const void *options) {
  const struct rmsprop_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "eps", NUMBER(self->eps)));
  CTORCH_TRY(check_not_negative(function, "momentum", NUMBER(self->momentum)));
  CTORCH_TRY(check_not_negative(function, "weight_decay", NUMBER(self->weight_decay)));
  return check_not_negative(function, "alpha", NUMBER(self->alpha));
}

static uint32_t rmsprop_needs(const void *options) {
  const struct rmsprop_options *self = options;
  return 1u << STEP | 1u << SQUARE_AVG | (self->momentum > 0 ? 1u << MOMENTUM_BUFFER : 0) |
         (self->centered ? 1u << GRAD_AVG : 0);
}

static ctorch_error *rmsprop_begin(const struct optimizer_list *list, size_t i) {
  const struct rmsprop_options *options = list->options;
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_zeros(list, SQUARE_AVG, i));
  if (options->momentum > 0) {
    CTORCH_TRY(list_begin_zeros(list, MOMENTUM_BUFFER, i));
  }
  return options->centered ? list_begin_zeros(list, GRAD_AVG, i) : NULL;
}

/* One after another. */

/* What the gradient is divided by, in `*out`: the root of the average square, or of the variance, and eps. */
static void divisor(
    ctorch_error **error, ctorch_tensor **out, const struct optimizer_list *list, size_t i, const ctorch_tensor *grad) {
  const struct rmsprop_options *options = list->options;
  ctorch_tensor *square = list->states[SQUARE_AVG][i], *mean = list->states[GRAD_AVG][i], *root = NULL;
  THEN(*error, number_times_(square, CTORCH_FLOAT(options->alpha)));
  THEN(*error, ctorch_aten_addcmul_(square, grad, grad, CTORCH_FLOAT(1 - options->alpha)));
  if (options->centered) {
    THEN(*error, ctorch_aten_lerp__Scalar(mean, grad, CTORCH_FLOAT(1 - options->alpha)));
    THEN(*error, ctorch_aten_addcmul(&root, square, mean, mean, CTORCH_FLOAT(-1)));
    THEN(*error, ctorch_aten_sqrt_(root));
  } else {
    THEN(*error, ctorch_aten_sqrt(&root, square));
  }
  if (list->flags->differentiable) {
    THEN(*error, ctorch_aten_add_Scalar(out, root, CTORCH_FLOAT(options->eps), NULL));
    ctorch_tensor_release(root);
    return;
  }
  THEN(*error, ctorch_aten_add__Scalar(root, CTORCH_FLOAT(options->eps), NULL));
  *out = root;
}

static ctorch_error *rmsprop_loop(struct optimizer_list *list, size_t i) {
  const struct rmsprop_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  ctorch_tensor *grad = NULL, *own = NULL, *by = NULL, *buffer = list->states[MOMENTUM_BUFFER][i];
  double rate = 0;
  THEN(error, number_value(&rate, &options->lr));
  THEN(error, list_decay_one(list, i, options->weight_decay, &grad, &own));
  divisor(&error, &by, list, i, grad);
  if (options->momentum > 0) {
    THEN(error, number_times_(buffer, CTORCH_FLOAT(options->momentum)));
    THEN(error, ctorch_aten_addcdiv_(buffer, grad, by, NULL));
    THEN(error, ctorch_aten_add__Tensor(list->params[i], buffer, CTORCH_FLOAT(-rate)));
  } else {
    THEN(error, ctorch_aten_addcdiv_(list->params[i], grad, by, CTORCH_FLOAT(-rate)));
  }
  ctorch_tensor_release(by);
  ctorch_tensor_release(own);
  return error;
}

/* All of them. */

static void divisors(ctorch_error **error, ctorch_tensor_list **out, const struct optimizer_list *list) {
  const struct rmsprop_options *options = list->options;
  ctorch_tensor **squares = list->states[SQUARE_AVG], **means = list->states[GRAD_AVG];
  THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(squares, list), CTORCH_FLOAT(options->alpha)));
  THEN(
      *error, ctorch_aten__foreach_addcmul__Scalar(
                  LIST(squares, list), CONST_LIST(list->grads, list), CONST_LIST(list->grads, list),
                  CTORCH_FLOAT(1 - options->alpha)));
  if (options->centered) {
    THEN(
        *error, ctorch_aten__foreach_lerp__Scalar(
                    LIST(means, list), CONST_LIST(list->grads, list), CTORCH_FLOAT(1 - options->alpha)));
    THEN(
        *error,
        ctorch_aten__foreach_addcmul_Scalar(
            out, CONST_LIST(squares, list), CONST_LIST(means, list), CONST_LIST(means, list), CTORCH_FLOAT(-1)));
    THEN(*error, ctorch_aten__foreach_sqrt_(LIST(list_data(*out), list)));
  } else {
    THEN(*error, ctorch_aten__foreach_sqrt(out, CONST_LIST(squares, list)));
  }
  THEN(*error, ctorch_aten__foreach_add__Scalar(LIST(list_data(*out), list), CTORCH_FLOAT(options->eps)));
}

static void change_by_momenta(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **by) {
  const struct rmsprop_options *options = list->options;
  ctorch_tensor **buffers = list->states[MOMENTUM_BUFFER];
  THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(buffers, list), CTORCH_FLOAT(options->momentum)));
  THEN(
      *error, ctorch_aten__foreach_addcdiv__Scalar(
                  LIST(buffers, list), CONST_LIST(list->grads, list), CONST_LIST(by, list), CTORCH_FLOAT(1)));
  if (list->flags->capturable && options->lr.tensor != NULL) {
    struct quantity lr = quantity_of(error, &options->lr);
    ctorch_tensor_list *steps = NULL;
    quantity_negate(error, &lr, &lr);
    THEN(*error, ctorch_aten__foreach_mul_Tensor(&steps, CONST_LIST(buffers, list), lr.tensor));
    THEN(*error, ctorch_aten__foreach_add__List(LIST(list->params, list), CONST_LIST(list_data(steps), list), NULL));
    ctorch_tensor_list_release(steps);
    quantity_end(&lr);
    return;
  }
  double rate = 0;
  THEN(*error, number_value(&rate, &options->lr));
  THEN(
      *error, ctorch_aten__foreach_add__List(LIST(list->params, list), CONST_LIST(buffers, list), CTORCH_FLOAT(-rate)));
}

static void change_all(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **by) {
  const struct rmsprop_options *options = list->options;
  double factor = 1;
  if (list->flags->capturable && options->lr.tensor != NULL) {
    struct quantity lr = quantity_of(error, &options->lr);
    quantity_negate(error, &lr, &lr);
    quantities_divide_all_to(error, list, by, &lr);
    quantity_end(&lr);
  } else {
    THEN(*error, number_value(&factor, &options->lr));
    factor = -factor;
  }
  THEN(
      *error, ctorch_aten__foreach_addcdiv__Scalar(
                  LIST(list->params, list), CONST_LIST(list->grads, list), CONST_LIST(by, list), CTORCH_FLOAT(factor)));
}

static ctorch_error *rmsprop_foreach(struct optimizer_list *list) {
  const struct rmsprop_options *options = list->options;
  ctorch_error *error = list_count(list, STEP);
  ctorch_tensor_list *by = NULL;
  THEN(error, list_decay(list, options->weight_decay));
  divisors(&error, &by, list);
  if (error == NULL && options->momentum > 0) {
    change_by_momenta(&error, list, list_data(by));
  } else if (error == NULL) {
    change_all(&error, list, list_data(by));
  }
  ctorch_tensor_list_release(by);
  return error;
}

/* State dicts of old versions know of no momentum. */
static ctorch_error *rmsprop_loaded(const char *function, ctorch_optimizer *self) {
  ctorch_value *none = NULL;
  (void)function;
  CTORCH_TRY(ctorch_value_from_int(&none, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    bool is_there = false;
    error = dict_has(&is_there, self->groups[i].options, "momentum");
    if (error == NULL && !is_there) {
      error = ctorch_value_dict_put(self->groups[i].options, "momentum", none);
    }
  }
  ctorch_value_release(none);
  return error;
}

const optimizer_class optim_RMSprop_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "RMSprop",
    .order =
        {"lr", "momentum", "alpha", "eps", "centered", "weight_decay", "capturable", "foreach", "maximize",
         "differentiable"},
    .states = {"step", "square_avg", "momentum_buffer", "grad_avg"},
    .options_size = sizeof(struct rmsprop_options),
    .read = rmsprop_read,
    .check = rmsprop_check,
    .needs = rmsprop_needs,
    .begin = rmsprop_begin,
    .foreach = rmsprop_foreach,
    .loop = rmsprop_loop,
    .views_complex_as_real = true,
    .late = {"centered"},
    .loaded = rmsprop_loaded};
