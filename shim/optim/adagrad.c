/* Adagrad (Duchi, Hazan & Singer 2011, "Adaptive subgradient methods for online learning and stochastic optimization"):
 * gradients divided by the root of the sum of all squares so far, sparse gradients included. */
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, SUM };

struct adagrad_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double lr_decay, weight_decay, initial_accumulator_value, eps;
};

static void adagrad_read(struct option_reader *reader, void *to) {
  struct adagrad_options *self = to;
  self->lr = read_number(reader, "lr");
  self->lr_decay = read_double(reader, "lr_decay");
  self->weight_decay = read_double(reader, "weight_decay");
  self->initial_accumulator_value = read_double(reader, "initial_accumulator_value");
  self->eps = read_double(reader, "eps");
}

static ctorch_error *adagrad_check(const char *function, const void *options) {
  const struct adagrad_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "lr_decay", NUMBER(self->lr_decay)));
  CTORCH_TRY(check_not_negative(function, "weight_decay", NUMBER(self->weight_decay)));
  CTORCH_TRY(check_not_negative(function, "initial_accumulator_value", NUMBER(self->initial_accumulator_value)));
  return check_not_negative(function, "eps", NUMBER(self->eps));
}

static uint32_t adagrad_needs(const void *options) {
  (void)options;
  return 1u << STEP | 1u << SUM;
}

/* What is remembered of a parameter before its first step: the sum begins with a value that is the whole
 * optimizer's. */
static ctorch_error *adagrad_begin(const struct optimizer_list *list, size_t i) {
  struct option_reader reader = {.function = list->function, .name = "Adagrad", .options = list->optimizer->defaults};
  ctorch_scalar value = {.kind = CTORCH_SCALAR_FLOAT, .re = read_double(&reader, "initial_accumulator_value")};
  ctorch_tensor *sum = NULL;
  CTORCH_TRY(reader.error);
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  if (tensor_is_complex(list->entries[i]->tensor)) { /* both parts */
    value.kind = CTORCH_SCALAR_COMPLEX;
    value.im = value.re;
  }
  CTORCH_TRY(ctorch_aten_full_like(&sum, list->entries[i]->tensor, &value, NULL, NULL, NULL, NULL, NULL));
  list_set_state(list, SUM, i, sum);
  return NULL;
}

/* Unlike other optimizers it has its states from the beginning. */
static ctorch_error *adagrad_made(const char *function, ctorch_optimizer *self) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = optimizer_begin_all(function, self);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* lr / (1 + (step - 1) * lr_decay) */
static void rate_at(ctorch_error **error, struct quantity *out, const struct optimizer_list *list, size_t i) {
  const struct adagrad_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr);
  double step = 0;
  THEN(*error, list_number(list, STEP, i, &step));
  quantity_divide(error, out, &lr, 1 + (step - 1) * options->lr_decay);
  quantity_end(&lr);
}

/* One after another. */

static void sparse_like(
    ctorch_error **error,
    ctorch_tensor **out,
    const ctorch_tensor *like,
    const ctorch_tensor *indices,
    const ctorch_tensor *values) {
  THEN(
      *error, ctorch_aten_sparse_coo_tensor_indices_size(
                  out, indices, values, ctorch_tensor_sizes(like), (size_t)ctorch_tensor_ndim(like), NULL, NULL, NULL,
                  NULL, NULL));
}

static void change_sparse(
    ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *given, double rate) {
  const struct adagrad_options *options = list->options;
  ctorch_tensor *sum = list->states[SUM][i], *grad = NULL, *indices = NULL, *values = NULL, *squares = NULL;
  ctorch_tensor *more = NULL, *masked = NULL, *std = NULL, *along = NULL, *step = NULL;
  THEN(*error, ctorch_aten_coalesce(&grad, given));
  THEN(*error, ctorch_aten__indices(&indices, grad));
  THEN(*error, ctorch_aten__values(&values, grad));
  THEN(*error, ctorch_aten_pow_Tensor_Scalar(&squares, values, CTORCH_INT(2)));
  sparse_like(error, &more, grad, indices, squares);
  THEN(*error, ctorch_aten_add__Tensor(sum, more, NULL));
  THEN(*error, ctorch_aten_sparse_mask(&masked, sum, grad));
  THEN(*error, ctorch_aten__values(&std, masked));
  THEN(*error, ctorch_aten_sqrt_(std));
  THEN(*error, ctorch_aten_add__Scalar(std, CTORCH_FLOAT(options->eps), NULL));
  THEN(*error, ctorch_aten_div_Tensor(&along, values, std));
  sparse_like(error, &step, grad, indices, along);
  THEN(*error, ctorch_aten_add__Tensor(list->params[i], step, CTORCH_FLOAT(-rate)));
  ctorch_tensor *const all[] = {grad, indices, values, squares, more, masked, std, along, step};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    ctorch_tensor_release(all[k]);
  }
}

static void change(
    ctorch_error **error, const struct optimizer_list *list, size_t i, const ctorch_tensor *grad, double rate) {
  const struct adagrad_options *options = list->options;
  ctorch_tensor *sum = list->states[SUM][i], *root = NULL, *std = NULL;
  THEN(*error, ctorch_aten_addcmul_(sum, grad, grad, NULL));
  THEN(*error, ctorch_aten_sqrt(&root, sum));
  if (list->flags->differentiable) {
    THEN(*error, ctorch_aten_add_Scalar(&std, root, CTORCH_FLOAT(options->eps), NULL));
  } else {
    THEN(*error, ctorch_aten_add__Scalar(root, CTORCH_FLOAT(options->eps), NULL));
  }
  THEN(*error, ctorch_aten_addcdiv_(list->params[i], grad, std != NULL ? std : root, CTORCH_FLOAT(-rate)));
  ctorch_tensor_release(root);
  ctorch_tensor_release(std);
}

static ctorch_error *adagrad_loop(struct optimizer_list *list, size_t i) {
  const struct adagrad_options *options = list->options;
  ctorch_error *error = list_count_one(list, STEP, i);
  struct quantity rate = {0};
  ctorch_tensor *grad = list->grads[i], *own = NULL;
  bool is_sparse = ctorch_tensor_layout(grad) != CTORCH_LAYOUT_STRIDED;
  if (is_sparse && options->weight_decay != 0) {
    THEN(
        error,
        error_make(
            list->function, CTORCH_ERROR_RUNTIME, "weight_decay option is not compatible with sparse gradients"));
  }
  THEN(error, list_decay_one(list, i, options->weight_decay, &grad, &own));
  rate_at(&error, &rate, list, i);
  double value = quantity_value(&error, &rate);
  if (is_sparse) {
    change_sparse(&error, list, i, grad, value);
  } else {
    change(&error, list, i, grad, value);
  }
  quantity_end(&rate);
  ctorch_tensor_release(own);
  return error;
}

/* All of them. */

static ctorch_error *adagrad_foreach(struct optimizer_list *list) {
  const struct adagrad_options *options = list->options;
  ctorch_error *error = list_count(list, STEP);
  struct quantity *rates = quantities_new(&error, list);
  ctorch_tensor_list *stds = NULL;
  THEN(error, list_decay(list, options->weight_decay));
  for (size_t i = 0; error == NULL && i < list->len; i++) {
    rate_at(&error, &rates[i], list, i);
    quantity_negate(&error, &rates[i], &rates[i]);
  }
  THEN(
      error, ctorch_aten__foreach_addcmul__Scalar(
                 LIST(list->states[SUM], list), CONST_LIST(list->grads, list), CONST_LIST(list->grads, list),
                 CTORCH_FLOAT(1)));
  THEN(error, ctorch_aten__foreach_sqrt(&stds, CONST_LIST(list->states[SUM], list)));
  THEN(error, ctorch_aten__foreach_add__Scalar(LIST(list_data(stds), list), CTORCH_FLOAT(options->eps)));
  quantities_multiply_grads(&error, list, rates);
  THEN(
      error,
      ctorch_aten__foreach_addcdiv__Scalar(
          LIST(list->params, list), CONST_LIST(list->grads, list), CONST_LIST(list_data(stds), list), CTORCH_FLOAT(1)));
  quantities_end(rates, list);
  ctorch_tensor_list_release(stds);
  return error;
}

/* By one kernel. One that takes a tensor for its rate is not in every LibTorch, and reads it on the CPU. */
static ctorch_error *adagrad_fused(struct optimizer_list *list) {
  const struct adagrad_options *options = list->options;
  const ctorch_optimizer *self = list->optimizer;
  const ctorch_tensor *lr = options->lr.tensor;
  CTORCH_TRY(list_count(list, STEP));
  if (lr != NULL && ctorch_tensor_device_type(lr) != CTORCH_DEVICE_TYPE_CPU) {
    CTORCH_TRY(ctorch_aten__fused_adagrad__tensor_lr(
        LIST(list->params, list), LIST(list->grads, list), LIST(list->states[SUM], list),
        CONST_LIST(list->states[STEP], list), lr, options->lr_decay, options->weight_decay, options->eps,
        options->flags.maximize, self->grad_scale, self->found_inf));
  } else {
    double rate = 0;
    CTORCH_TRY(number_value(&rate, &options->lr));
    CTORCH_TRY(ctorch_aten__fused_adagrad_(
        LIST(list->params, list), LIST(list->grads, list), LIST(list->states[SUM], list),
        LIST(list->states[STEP], list), rate, options->lr_decay, options->weight_decay, options->eps,
        options->flags.maximize, self->grad_scale, self->found_inf));
  }
  return list_uncount(list, STEP);
}

const optimizer_class optim_Adagrad_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Adagrad",
    .order =
        {"lr", "lr_decay", "eps", "weight_decay", "initial_accumulator_value", "foreach", "maximize", "differentiable",
         "fused"},
    .states = {"step", "sum"},
    .options_size = sizeof(struct adagrad_options),
    .read = adagrad_read,
    .check = adagrad_check,
    .made = adagrad_made,
    .needs = adagrad_needs,
    .begin = adagrad_begin,
    .fused = adagrad_fused,
    .foreach = adagrad_foreach,
    .loop = adagrad_loop,
    .views_complex_as_real = true,
    .sparse = SPARSE_BY_LOOP};
