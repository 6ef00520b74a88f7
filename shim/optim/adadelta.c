/* Adadelta (Zeiler 2012, arXiv:1212.5701): steps as large as those before, relative to the gradients. */
#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, SQUARE_AVG, ACC_DELTA };

struct adadelta_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double rho, eps, weight_decay;
};

static void adadelta_read(struct option_reader *reader, void *to) {
  struct adadelta_options *self = to;
  self->lr = read_number(reader, "lr");
  self->rho = read_double(reader, "rho");
  self->eps = read_double(reader, "eps");
  self->weight_decay = read_double(reader, "weight_decay");
}

static ctorch_error *adadelta_check(const char *function, const void *options) {
  const struct adadelta_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_up_to_one(function, "rho", NUMBER(self->rho)));
  CTORCH_TRY(check_not_negative(function, "eps", NUMBER(self->eps)));
  return check_not_negative(function, "weight_decay", NUMBER(self->weight_decay));
}

static uint32_t adadelta_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << SQUARE_AVG | 1u << ACC_DELTA;
}

static ctorch_error *adadelta_begin(const struct optimizer_list *list, size_t i) {
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  CTORCH_TRY(list_begin_zeros(list, SQUARE_AVG, i));
  return list_begin_zeros(list, ACC_DELTA, i);
}

/* One after another. */

/* average = rho * average + (1 - rho) * tensor^2 */
static void average(ctorch_error **error, ctorch_tensor *average, const ctorch_tensor *tensor, double rho) {
  THEN(*error, number_times_(average, CTORCH_FLOAT(rho)));
  THEN(*error, ctorch_aten_addcmul_(average, tensor, tensor, CTORCH_FLOAT(1 - rho)));
}

/* sqrt(tensor + eps) */
static void root(ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor, double eps) {
  THEN(*error, ctorch_aten_add_Scalar(out, tensor, CTORCH_FLOAT(eps), NULL));
  THEN(*error, ctorch_aten_sqrt_(*out));
}

/* param -= lr * delta. A complex parameter, of which the list has a view, is changed as a whole. */
static void change(ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *delta) {
  const struct adadelta_options *options = list->options;
  ctorch_tensor *param = list->entries[i]->tensor, *whole = NULL;
  double rate = 0;
  THEN(*error, number_value(&rate, &options->lr));
  if (ctorch_tensor_dtype(param) != ctorch_tensor_dtype(list->params[i])) {
    THEN(*error, ctorch_aten_view_as_complex(&whole, delta));
    delta = whole;
  }
  THEN(*error, ctorch_aten_add__Tensor(param, delta, CTORCH_FLOAT(-rate)));
  ctorch_tensor_release(whole);
}

static ctorch_error *adadelta_loop(struct optimizer_list *list, size_t i) {
  const struct adadelta_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  ctorch_tensor *grad = NULL, *own = NULL, *std = NULL, *delta = NULL, *copy = NULL;
  THEN(error, list_decay_one(list, i, options->weight_decay, &grad, &own));
  average(&error, list->states[SQUARE_AVG][i], grad, options->rho);
  root(&error, &std, list->states[SQUARE_AVG][i], options->eps);
  root(&error, &delta, list->states[ACC_DELTA][i], options->eps);
  if (list->flags->differentiable) { /* the root's own result is needed for its gradient */
    THEN(error, ctorch_aten_clone(&copy, delta, NULL));
  }
  ctorch_tensor *step = copy != NULL ? copy : delta;
  THEN(error, ctorch_aten_div__Tensor(step, std));
  THEN(error, ctorch_aten_mul__Tensor(step, grad));
  average(&error, list->states[ACC_DELTA][i], step, options->rho);
  change(&error, list, i, step);
  ctorch_tensor_release(copy);
  ctorch_tensor_release(delta);
  ctorch_tensor_release(std);
  ctorch_tensor_release(own);
  return error;
}

/* All of them. */

static void average_all(
    ctorch_error **error, const struct optimizer_list *list, size_t state, ctorch_tensor **tensors) {
  double rho = ((const struct adadelta_options *)list->options)->rho;
  THEN(*error, ctorch_aten__foreach_mul__Scalar(LIST(list->states[state], list), CTORCH_FLOAT(rho)));
  THEN(
      *error, ctorch_aten__foreach_addcmul__Scalar(
                  LIST(list->states[state], list), CONST_LIST(tensors, list), CONST_LIST(tensors, list),
                  CTORCH_FLOAT(1 - rho)));
}

static void roots(ctorch_error **error, ctorch_tensor_list **out, const struct optimizer_list *list, size_t state) {
  double eps = ((const struct adadelta_options *)list->options)->eps;
  THEN(*error, ctorch_aten__foreach_add_Scalar(out, CONST_LIST(list->states[state], list), CTORCH_FLOAT(eps)));
  THEN(*error, ctorch_aten__foreach_sqrt_(LIST(list_data(*out), list)));
}

/* params -= lr * deltas, with a rate that is captured if it is a tensor. */
static void change_all(ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **deltas) {
  const struct adadelta_options *options = list->options;
  if (list->flags->capturable && options->lr.tensor != NULL) {
    struct quantity lr = quantity_of(error, &options->lr);
    quantity_negate(error, &lr, &lr);
    quantities_multiply_all_to(error, list, deltas, &lr);
    THEN(*error, ctorch_aten__foreach_add__List(LIST(list->params, list), CONST_LIST(deltas, list), NULL));
    quantity_end(&lr);
    return;
  }
  double rate = 0;
  THEN(*error, number_value(&rate, &options->lr));
  THEN(*error, ctorch_aten__foreach_add__List(LIST(list->params, list), CONST_LIST(deltas, list), CTORCH_FLOAT(-rate)));
}

static ctorch_error *adadelta_foreach(struct optimizer_list *list) {
  const struct adadelta_options *options = list->options;
  ctorch_error *error = list_count(list, STEP);
  ctorch_tensor_list *stds = NULL, *deltas = NULL;
  THEN(error, list_decay(list, options->weight_decay));
  average_all(&error, list, SQUARE_AVG, list->grads);
  roots(&error, &stds, list, SQUARE_AVG);
  roots(&error, &deltas, list, ACC_DELTA);
  if (error == NULL) {
    ctorch_tensor **delta = list_data(deltas);
    THEN(error, ctorch_aten__foreach_div__List(LIST(delta, list), CONST_LIST(list_data(stds), list)));
    THEN(error, ctorch_aten__foreach_mul__List(LIST(delta, list), CONST_LIST(list->grads, list)));
    average_all(&error, list, ACC_DELTA, delta);
    change_all(&error, list, delta);
  }
  ctorch_tensor_list_release(stds);
  ctorch_tensor_list_release(deltas);
  return error;
}

const optimizer_class optim_Adadelta_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Adadelta",
    .order = {"lr", "rho", "eps", "weight_decay", "maximize", "capturable", "foreach", "differentiable"},
    .states = {"step", "square_avg", "acc_delta"},
    .options_size = sizeof(struct adadelta_options),
    .read = adadelta_read,
    .check = adadelta_check,
    .needs = adadelta_needs,
    .begin = adadelta_begin,
    .foreach = adadelta_foreach,
    .loop = adadelta_loop,
    .views_complex_as_real = true};
