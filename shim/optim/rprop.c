/* Rprop: a step of its own for each element, which grows while the sign of its gradient stays (Riedmiller & Braun 1993,
 * "A direct adaptive method for faster backpropagation learning"). After a change of sign an element rests. */
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, PREV, STEP_SIZE };

struct rprop_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double etas[2], step_sizes[2];
};

static void rprop_read(struct option_reader *reader, void *to) {
  struct rprop_options *self = to;
  self->lr = read_number(reader, "lr");
  read_doubles(reader, "etas", self->etas, 2);
  read_doubles(reader, "step_sizes", self->step_sizes, 2);
}

static ctorch_error *rprop_check(const char *function, const void *options) {
  const struct rprop_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  if (!(0 < self->etas[0] && self->etas[0] < 1 && 1 < self->etas[1])) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "etas: invalid values %g and %g, expected one within (0, 1) and one above 1",
        self->etas[0], self->etas[1]);
  }
  return NULL;
}

static uint32_t rprop_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << PREV | 1u << STEP_SIZE;
}

static ctorch_error *rprop_begin(const struct optimizer_list *list, size_t i) {
  const struct rprop_options *options = list->options;
  ctorch_tensor *sizes = NULL;
  ctorch_scalar size = {.kind = CTORCH_SCALAR_FLOAT};
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_zeros(list, PREV, i));
  CTORCH_TRY(number_value(&size.re, &options->lr));
  if (tensor_is_complex(list->entries[i]->tensor)) { /* both parts */
    size.kind = CTORCH_SCALAR_COMPLEX;
    size.im = size.re;
  }
  CTORCH_TRY(ctorch_aten_full_like(&sizes, list->grads[i], &size, NULL, NULL, NULL, NULL, NULL));
  list_set_state(list, STEP_SIZE, i, sizes);
  return NULL;
}

/* The tensor's elements for which the comparison holds become a number, without a choice by the host where the step may
 * be captured. */
typedef ctorch_error *comparison(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *other);

static void put_where(
    ctorch_error **error, ctorch_tensor *tensor, const ctorch_tensor *condition, double number, bool is_captured) {
  if (!is_captured) {
    THEN(*error, ctorch_aten_masked_fill__Scalar(tensor, condition, CTORCH_FLOAT(number)));
    return;
  }
  ctorch_tensor *chosen = NULL;
  THEN(*error, ctorch_aten_where_ScalarSelf(&chosen, condition, CTORCH_FLOAT(number), tensor));
  THEN(*error, ctorch_aten_copy_(tensor, chosen, false));
  ctorch_tensor_release(chosen);
}

static void put_where_is(
    ctorch_error **error, ctorch_tensor *tensor, comparison *compare, double number, bool is_captured) {
  ctorch_tensor *condition = NULL;
  THEN(*error, compare(&condition, tensor, CTORCH_FLOAT(0)));
  put_where(error, tensor, condition, number, is_captured);
  ctorch_tensor_release(condition);
}

/* Signs become the factors of the step's sizes. */
static void factors(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor *sign) {
  const struct rprop_options *options = list->options;
  put_where_is(error, sign, ctorch_aten_gt_Scalar, options->etas[1], list->flags->capturable);
  put_where_is(error, sign, ctorch_aten_lt_Scalar, options->etas[0], list->flags->capturable);
  put_where_is(error, sign, ctorch_aten_eq_Scalar, 1, list->flags->capturable);
}

/* A gradient whose sign changed does not count. */
static void rest(
    ctorch_error **error,
    const struct optimizer_list *list,
    ctorch_tensor *grad,
    const ctorch_tensor *factor,
    bool by_where) {
  const struct rprop_options *options = list->options;
  ctorch_tensor *has_changed = NULL;
  THEN(*error, ctorch_aten_eq_Scalar(&has_changed, factor, CTORCH_FLOAT(options->etas[0])));
  put_where(error, grad, has_changed, 0, by_where);
  ctorch_tensor_release(has_changed);
}

static void clamp(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor *size) {
  const struct rprop_options *options = list->options;
  THEN(*error, ctorch_aten_clamp_(size, CTORCH_FLOAT(options->step_sizes[0]), CTORCH_FLOAT(options->step_sizes[1])));
}

static ctorch_error *rprop_loop(struct optimizer_list *list, size_t i) {
  ctorch_error *error = list_count_one(list, STEP, i);
  ctorch_tensor *prev = list->states[PREV][i], *size = list->states[STEP_SIZE][i];
  ctorch_tensor *before = NULL, *product = NULL, *sign = NULL, *grad = NULL, *direction = NULL;
  if (list->flags->differentiable) { /* it is changed below */
    THEN(error, ctorch_aten_clone(&before, prev, NULL));
  }
  THEN(error, ctorch_aten_mul_Tensor(&product, list->grads[i], before != NULL ? before : prev));
  THEN(error, ctorch_aten_sign(&sign, product));
  factors(&error, list, sign);
  THEN(error, ctorch_aten_mul__Tensor(size, sign));
  clamp(&error, list, size);
  THEN(error, ctorch_aten_clone(&grad, list->grads[i], &(ctorch_memory_format){CTORCH_MEMORY_FORMAT_PRESERVE}));
  rest(&error, list, grad, sign, list->flags->capturable);
  THEN(error, ctorch_aten_sign(&direction, grad));
  THEN(error, ctorch_aten_addcmul_(list->params[i], direction, size, CTORCH_FLOAT(-1)));
  THEN(error, ctorch_aten_copy_(prev, grad, false));
  ctorch_tensor_release(before);
  ctorch_tensor_release(product);
  ctorch_tensor_release(sign);
  ctorch_tensor_release(grad);
  ctorch_tensor_release(direction);
  return error;
}

/* All of them. The gradients before are no longer needed once there are signs, and hold those of now. */
static void change_all(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **signs) {
  ctorch_tensor **prevs = list->states[PREV], **sizes = list->states[STEP_SIZE];
  ctorch_tensor_list *directions = NULL;
  THEN(*error, ctorch_aten__foreach_copy_(LIST(prevs, list), CONST_LIST(list->grads, list), false));
  if (list->flags->maximize) {
    THEN(*error, ctorch_aten__foreach_neg_(LIST(signs, list)));
    THEN(*error, ctorch_aten__foreach_neg_(LIST(prevs, list)));
  }
  THEN(*error, ctorch_aten__foreach_sign_(LIST(signs, list)));
  for (size_t i = 0; i < list->len; i++) {
    factors(error, list, signs[i]);
  }
  THEN(*error, ctorch_aten__foreach_mul__List(LIST(sizes, list), CONST_LIST(signs, list)));
  for (size_t i = 0; i < list->len; i++) {
    clamp(error, list, sizes[i]);
    rest(error, list, prevs[i], signs[i], true);
  }
  THEN(*error, ctorch_aten__foreach_sign(&directions, CONST_LIST(prevs, list)));
  THEN(
      *error, ctorch_aten__foreach_addcmul__Scalar(
                  LIST(list->params, list), CONST_LIST(list_data(directions), list), CONST_LIST(sizes, list),
                  CTORCH_FLOAT(-1)));
  ctorch_tensor_list_release(directions);
}

static ctorch_error *rprop_foreach(struct optimizer_list *list) {
  ctorch_error *error = list_count(list, STEP);
  ctorch_tensor_list *signs = NULL;
  THEN(
      error,
      ctorch_aten__foreach_mul_List(&signs, CONST_LIST(list->grads, list), CONST_LIST(list->states[PREV], list)));
  if (error == NULL) {
    change_all(&error, list, list_data(signs));
  }
  ctorch_tensor_list_release(signs);
  return error;
}

const optimizer_class optim_Rprop_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Rprop",
    .order = {"lr", "etas", "step_sizes", "foreach", "maximize", "differentiable", "capturable"},
    .states = {"step", "prev", "step_size"},
    .options_size = sizeof(struct rprop_options),
    .read = rprop_read,
    .check = rprop_check,
    .needs = rprop_needs,
    .begin = rprop_begin,
    .foreach = rprop_foreach,
    .loop = rprop_loop,
    .views_complex_as_real = true,
    .maximizes_itself = true};
