/* SGD: gradient descent with momentum (Sutskever et al. 2013, "On the importance of initialization and momentum in deep
 * learning"; the momentum is not scaled by the rate). */
#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { MOMENTUM_BUFFER };

struct sgd_options {
  struct optimizer_flags flags;
  struct optimizer_number lr, weight_decay;
  double momentum, dampening;
  bool nesterov;
};

static void sgd_read(struct option_reader *reader, void *to) {
  struct sgd_options *self = to;
  self->lr = read_number(reader, "lr");
  self->weight_decay = read_number(reader, "weight_decay");
  self->momentum = read_double(reader, "momentum");
  self->dampening = read_double(reader, "dampening");
  self->nesterov = read_bool(reader, "nesterov");
}

static ctorch_error *sgd_check(const char *function, const void *options) {
  const struct sgd_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "momentum", NUMBER(self->momentum)));
  CTORCH_TRY(check_not_negative(function, "weight_decay", &self->weight_decay));
  if (self->nesterov && (self->momentum <= 0 || self->dampening != 0)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "nesterov: Nesterov momentum requires a momentum and zero dampening");
  }
  return NULL;
}

/* The gradient with the decay of weights; `*own` is to be released. */
static void decayed(
    ctorch_error **error, const struct optimizer_list *list, size_t i, ctorch_tensor **grad, ctorch_tensor **own) {
  const struct sgd_options *options = list->options;
  struct quantity decay = quantity_of(error, &options->weight_decay);
  *grad = list->grads[i];
  *own = NULL;
  if (quantity_wants_gradient(&decay)) {
    ctorch_tensor *copy = NULL;
    THEN(*error, ctorch_aten_clone(&copy, list->params[i], NULL));
    THEN(*error, ctorch_aten_addcmul(own, *grad, copy, decay.tensor, NULL));
    ctorch_tensor_release(copy);
  } else {
    double value = quantity_value(error, &decay);
    THEN(*error, list_decay_one(list, i, value, grad, own));
  }
  *grad = *own != NULL ? *own : *grad;
  quantity_end(&decay);
}

/* The momentum of a parameter whose gradient it gets; `*grad` becomes what to go along, and `*sum` is to be
 * released. */
static ctorch_error *gather_momentum(struct optimizer_list *list, size_t i, ctorch_tensor **grad, ctorch_tensor **sum) {
  const struct sgd_options *options = list->options;
  ctorch_tensor *buffer = list->states[MOMENTUM_BUFFER][i];
  if (buffer == NULL) {
    ctorch_tensor *detached = NULL;
    CTORCH_TRY(ctorch_aten_detach(&detached, *grad));
    ctorch_error *error = ctorch_aten_clone(&buffer, detached, NULL);
    ctorch_tensor_release(detached);
    CTORCH_TRY(error);
    list_set_state(list, MOMENTUM_BUFFER, i, buffer);
  } else {
    CTORCH_TRY(number_times_(buffer, CTORCH_FLOAT(options->momentum)));
    CTORCH_TRY(ctorch_aten_add__Tensor(buffer, *grad, CTORCH_FLOAT(1 - options->dampening)));
  }
  if (!options->nesterov) {
    *grad = buffer;
    return NULL;
  }
  CTORCH_TRY(ctorch_aten_add_Tensor(sum, *grad, buffer, CTORCH_FLOAT(options->momentum)));
  *grad = *sum;
  return NULL;
}

static ctorch_error *sgd_loop(struct optimizer_list *list, size_t i) {
  const struct sgd_options *options = list->options;
  ctorch_error *error = NULL;
  struct quantity lr = quantity_of(&error, &options->lr);
  ctorch_tensor *grad = NULL, *own = NULL, *sum = NULL;
  decayed(&error, list, i, &grad, &own);
  if (error == NULL && options->momentum != 0) {
    error = gather_momentum(list, i, &grad, &sum);
  }
  if (quantity_wants_gradient(&lr)) {
    THEN(error, ctorch_aten_addcmul_(list->params[i], grad, lr.tensor, CTORCH_FLOAT(-1)));
  } else {
    double rate = quantity_value(&error, &lr);
    THEN(error, ctorch_aten_add__Tensor(list->params[i], grad, CTORCH_FLOAT(-rate)));
  }
  ctorch_tensor_release(own);
  ctorch_tensor_release(sum);
  quantity_end(&lr);
  return error;
}

/* The momenta of all, which exist or are made of the gradients. */
static ctorch_error *gather_momenta(struct optimizer_list *list) {
  const struct sgd_options *options = list->options;
  bool has_all = true;
  for (size_t i = 0; i < list->len; i++) {
    has_all = has_all && list->states[MOMENTUM_BUFFER][i] != NULL;
  }
  if (has_all) {
    CTORCH_TRY(
        ctorch_aten__foreach_mul__Scalar(LIST(list->states[MOMENTUM_BUFFER], list), CTORCH_FLOAT(options->momentum)));
    return ctorch_aten__foreach_add__List(
        LIST(list->states[MOMENTUM_BUFFER], list), CONST_LIST(list->grads, list), CTORCH_FLOAT(1 - options->dampening));
  }
  for (size_t i = 0; i < list->len; i++) {
    ctorch_tensor *buffer = list->states[MOMENTUM_BUFFER][i];
    if (buffer == NULL) {
      CTORCH_TRY(ctorch_aten_clone(&buffer, list->grads[i], NULL));
      list_set_state(list, MOMENTUM_BUFFER, i, buffer);
    } else {
      CTORCH_TRY(number_times_(buffer, CTORCH_FLOAT(options->momentum)));
      CTORCH_TRY(ctorch_aten_add__Tensor(buffer, list->grads[i], CTORCH_FLOAT(1 - options->dampening)));
    }
  }
  return NULL;
}

static ctorch_error *sgd_foreach(struct optimizer_list *list) {
  const struct sgd_options *options = list->options;
  double rate = 0, decay = 0;
  CTORCH_TRY(number_value(&rate, &options->lr));
  CTORCH_TRY(number_value(&decay, &options->weight_decay));
  CTORCH_TRY(list_decay(list, decay));
  ctorch_tensor **along = list->grads;
  if (options->momentum != 0) {
    CTORCH_TRY(gather_momenta(list));
    if (!options->nesterov) {
      along = list->states[MOMENTUM_BUFFER];
    } else {
      ctorch_tensor_list *sums = NULL;
      CTORCH_TRY(ctorch_aten__foreach_add_List(
          &sums, CONST_LIST(list->grads, list), CONST_LIST(list->states[MOMENTUM_BUFFER], list),
          CTORCH_FLOAT(options->momentum)));
      list_replace_grads(list, sums);
      along = list->grads;
    }
  }
  return ctorch_aten__foreach_add__List(LIST(list->params, list), CONST_LIST(along, list), CTORCH_FLOAT(-rate));
}

static ctorch_error *sgd_kernel(const struct optimizer_list *list, bool is_first) {
  const struct sgd_options *options = list->options;
  const ctorch_optimizer *self = list->optimizer;
  size_t buffers = options->momentum == 0 ? 0 : list->len;
  double decay = 0;
  CTORCH_TRY(number_value(&decay, &options->weight_decay));
  ctorch_tensor *const *momenta = list->states[MOMENTUM_BUFFER];
  return options->lr.tensor == NULL ? ctorch_aten__fused_sgd_(
                                          LIST(list->params, list), LIST(list->grads, list), momenta, buffers, decay,
                                          options->momentum, options->lr.value, options->dampening, options->nesterov,
                                          options->flags.maximize, is_first, self->grad_scale, self->found_inf)
                                    : ctorch_aten__fused_sgd__tensor_lr(
                                          LIST(list->params, list), LIST(list->grads, list), momenta, buffers, decay,
                                          options->momentum, options->lr.tensor, options->dampening, options->nesterov,
                                          options->flags.maximize, is_first, self->grad_scale, self->found_inf);
}

/* On the CPU the kernel computes wrong momenta, from memory that it has not written, for numbers of 16 bits. */
static bool sgd_can_fuse(const void *options, const ctorch_tensor *param) {
  ctorch_dtype dtype = ctorch_tensor_dtype(param);
  return ((const struct sgd_options *)options)->momentum == 0 ||
         ctorch_tensor_device_type(param) != CTORCH_DEVICE_TYPE_CPU ||
         (dtype != CTORCH_DTYPE_BFLOAT16 && dtype != CTORCH_DTYPE_FLOAT16);
}

/* Those that have a momentum go first to the front; the kernel is told of the others that it is their first step. */
static ctorch_error *sgd_fused(struct optimizer_list *list) {
  const struct sgd_options *options = list->options;
  size_t old = 0;
  if (options->momentum == 0) {
    return sgd_kernel(list, false);
  }
  for (size_t i = 0; i < list->len; i++) {
    if (list->states[MOMENTUM_BUFFER][i] != NULL) {
      list_swap(list, i, old++);
    }
  }
  struct optimizer_list first = *list;
  first.len = old;
  if (old > 0) {
    CTORCH_TRY(sgd_kernel(&first, false));
  }
  if (old == list->len) {
    return NULL;
  }
  for (size_t i = old; i < list->len; i++) {
    ctorch_tensor *buffer = NULL;
    CTORCH_TRY(ctorch_aten_empty_like(&buffer, list->grads[i], NULL, NULL, NULL, NULL, NULL));
    list_set_state(list, MOMENTUM_BUFFER, i, buffer);
  }
  first = list_from(list, old);
  return sgd_kernel(&first, true);
}

const optimizer_class optim_SGD_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "SGD",
    .states = {"momentum_buffer"},
    .options_size = sizeof(struct sgd_options),
    .read = sgd_read,
    .check = sgd_check,
    .fused = sgd_fused,
    .lr = offsetof(struct sgd_options, lr),
    .foreach = sgd_foreach,
    .loop = sgd_loop,
    .can_fuse = sgd_can_fuse,
    .foreach_differentiable = true,
    .sparse = SPARSE_BY_LOOP,
    .late = {"nesterov", "fused"}};
