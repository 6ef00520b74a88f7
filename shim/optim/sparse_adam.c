/* SparseAdam: Adam (Kingma & Ba 2015, arXiv:1412.6980) for sparse gradients, of which only the elements that are there
 * change averages and parameters. */
#include <math.h>

#include "base/number.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "optim/group.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { EXP_AVG, EXP_AVG_SQ };

struct sparse_adam_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double betas[2], eps;
};

static void sparse_adam_read(struct option_reader *reader, void *to) {
  struct sparse_adam_options *self = to;
  self->lr = read_number(reader, "lr");
  read_doubles(reader, "betas", self->betas, 2);
  self->eps = read_double(reader, "eps");
}

static ctorch_error *sparse_adam_check(const char *function, const void *options) {
  const struct sparse_adam_options *self = options;
  CTORCH_TRY(check_positive(function, "lr", &self->lr));
  CTORCH_TRY(check_positive(function, "eps", NUMBER(self->eps)));
  CTORCH_TRY(check_below_one(function, "betas[0]", NUMBER(self->betas[0])));
  return check_below_one(function, "betas[1]", NUMBER(self->betas[1]));
}

static ctorch_error *sparse_adam_made(const char *function, ctorch_optimizer *self) {
  for (size_t g = 0; g < self->len; g++) {
    for (size_t i = 0; i < self->groups[g].len; i++) {
      const ctorch_tensor *param = self->groups[g].params[i].tensor;
      bool is_sparse = ctorch_tensor_layout(param) != CTORCH_LAYOUT_STRIDED;
      if (is_sparse || tensor_is_complex(param)) {
        return error_make(
            function, CTORCH_ERROR_VALUE,
            "params: SparseAdam requires dense parameters that are not complex, but entry %zu of group %zu is %s", i, g,
            is_sparse ? "sparse" : "complex");
      }
    }
  }
  return NULL;
}

/* The step, which is an int here, and no tensor. */

static ctorch_error *put_step(struct optimizer_param *param, int64_t step) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_int(&value, step));
  ctorch_error *error = ctorch_value_dict_put(param->others, "step", value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *count(const struct optimizer_list *list, size_t i, double *out) {
  struct optimizer_param *param = list->entries[i];
  ctorch_value *value = NULL;
  int64_t step = 0;
  if (param->others != NULL) {
    CTORCH_TRY(dict_find(&value, param->others, "step"));
  }
  if (value == NULL) {
    return error_make(list->function, CTORCH_ERROR_INDEX, "the state of a parameter of SparseAdam has no 'step'");
  }
  ctorch_error *error = ctorch_value_to_int(&step, value);
  ctorch_value_release(value);
  CTORCH_TRY(error);
  step = step == INT64_MAX ? step : step + 1;
  *out = (double)step;
  return put_step(param, step);
}

static ctorch_error *sparse_adam_begin(const struct optimizer_list *list, size_t i) {
  ctorch_value *others = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&others, NULL, 0, NULL, 0));
  list->entries[i]->others = value_take(others);
  CTORCH_TRY(put_step(list->entries[i], 0));
  CTORCH_TRY(list_begin_zeros(list, EXP_AVG, i));
  return list_begin_zeros(list, EXP_AVG_SQ, i);
}

static uint32_t sparse_adam_needs(const void *options) {
  (void)options;
  return 1u << EXP_AVG | 1u << EXP_AVG_SQ;
}

/* The step of one parameter. */

struct gradient {
  ctorch_tensor *coalesced, *indices, *values;
};

/* tensor += the values at the gradient's indices */
static void add_at(
    ctorch_error **error, ctorch_tensor *tensor, const struct gradient *grad, const ctorch_tensor *values) {
  ctorch_tensor *sparse = NULL;
  size_t ndim = (size_t)ctorch_tensor_ndim(grad->coalesced);
  THEN(
      *error,
      ctorch_aten_sparse_coo_tensor_indices_size(
          &sparse, grad->indices, values, ctorch_tensor_sizes(grad->coalesced), ndim, NULL, NULL, NULL, NULL, NULL));
  THEN(*error, ctorch_aten_add__Tensor(tensor, sparse, NULL));
  ctorch_tensor_release(sparse);
}

/* average += (1 - beta) * (value - average) where there are values; `*out` becomes the average there. */
static void average(
    ctorch_error **error,
    ctorch_tensor **out,
    ctorch_tensor *average,
    const struct gradient *grad,
    const ctorch_tensor *value,
    double beta) {
  ctorch_tensor *masked = NULL, *before = NULL, *change = NULL;
  THEN(*error, ctorch_aten_sparse_mask(&masked, average, grad->coalesced));
  THEN(*error, ctorch_aten__values(&before, masked));
  THEN(*error, ctorch_aten_sub_Tensor(&change, value, before, NULL));
  THEN(*error, number_times_(change, CTORCH_FLOAT(1 - beta)));
  add_at(error, average, grad, change);
  THEN(*error, ctorch_aten_add__Tensor(change, before, NULL));
  ctorch_tensor_release(masked);
  ctorch_tensor_release(before);
  *out = change;
}

static void change(
    ctorch_error **error, const struct optimizer_list *list, size_t i, const struct gradient *grad, double step) {
  const struct sparse_adam_options *options = list->options;
  struct quantity size = quantity_of(error, &options->lr);
  ctorch_tensor *square = NULL, *numerator = NULL, *denominator = NULL, *along = NULL;
  THEN(*error, ctorch_aten_pow_Tensor_Scalar(&square, grad->values, CTORCH_INT(2)));
  if (*error == NULL) {
    average(error, &numerator, list->states[EXP_AVG][i], grad, grad->values, options->betas[0]);
    average(error, &denominator, list->states[EXP_AVG_SQ][i], grad, square, options->betas[1]);
  }
  THEN(*error, ctorch_aten_sqrt_(denominator));
  THEN(*error, ctorch_aten_add__Scalar(denominator, CTORCH_FLOAT(options->eps), NULL));
  quantity_multiply(error, &size, &size, sqrt(1 - pow(options->betas[1], step)));
  quantity_divide(error, &size, &size, 1 - pow(options->betas[0], step));
  quantity_negate(error, &size, &size);
  THEN(*error, ctorch_aten_div__Tensor(numerator, denominator));
  quantity_multiply_tensor(error, &along, numerator, &size);
  if (*error == NULL) {
    add_at(error, list->params[i], grad, along);
  }
  ctorch_tensor_release(square);
  ctorch_tensor_release(numerator);
  ctorch_tensor_release(denominator);
  ctorch_tensor_release(along);
  quantity_end(&size);
}

static ctorch_error *sparse_adam_loop(struct optimizer_list *list, size_t i) {
  ctorch_error *error = NULL;
  struct gradient grad = {0};
  double step = 0;
  THEN(error, count(list, i, &step));
  THEN(error, ctorch_aten_coalesce(&grad.coalesced, list->grads[i]));
  THEN(error, ctorch_aten__indices(&grad.indices, grad.coalesced));
  THEN(error, ctorch_aten__values(&grad.values, grad.coalesced));
  if (error == NULL && ctorch_tensor_numel(grad.values) > 0) {
    change(&error, list, i, &grad, step);
  }
  ctorch_tensor_release(grad.coalesced);
  ctorch_tensor_release(grad.indices);
  ctorch_tensor_release(grad.values);
  return error;
}

const optimizer_class optim_SparseAdam_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "SparseAdam",
    .states = {"exp_avg", "exp_avg_sq"},
    .options_size = sizeof(struct sparse_adam_options),
    .read = sparse_adam_read,
    .check = sparse_adam_check,
    .made = sparse_adam_made,
    .needs = sparse_adam_needs,
    .begin = sparse_adam_begin,
    .loop = sparse_adam_loop,
    .sparse = SPARSE_ONLY,
    .sparse_message = "SparseAdam does not support dense gradients, please consider Adam instead"};
