/* Adafactor (Shazeer & Stern 2018, arXiv:1804.04235): of a matrix's squared gradients only the means of rows and
 * columns are remembered. Steps are relative to the size of a parameter, and the first moment is left out. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/group.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { STEP, ROW_VAR, COL_VAR, VARIANCE };

struct adafactor_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double beta2_decay, eps1, eps2, d, weight_decay;
  bool has_eps1; /* else that of the dtype */
};

/* "eps" is a pair whose first may be None. */
static void read_eps(struct option_reader *reader, struct adafactor_options *to) {
  ctorch_value *eps = NULL, *first = NULL, *second = NULL;
  if (reader->error != NULL) {
    return;
  }
  reader->error = dict_find(&eps, reader->options, "eps");
  ctorch_value_kind kind = eps == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(eps);
  if (reader->error == NULL &&
      ((kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) || ctorch_value_len(eps) != 2)) {
    reader->error = error_make(
        reader->function, CTORCH_ERROR_TYPE, "option 'eps' of Adafactor: expected a tuple of two numbers, found %s",
        ctorch_value_kind_name(kind));
  }
  THEN(reader->error, ctorch_value_get(&first, eps, 0));
  THEN(reader->error, ctorch_value_get(&second, eps, 1));
  to->has_eps1 = first != NULL && ctorch_value_kind_of(first) != CTORCH_VALUE_NONE;
  if (reader->error == NULL && to->has_eps1) {
    reader->error = ctorch_value_to_double(&to->eps1, first);
  }
  THEN(reader->error, ctorch_value_to_double(&to->eps2, second));
  ctorch_value_release(eps);
  ctorch_value_release(first);
  ctorch_value_release(second);
}

static void adafactor_read(struct option_reader *reader, void *to) {
  struct adafactor_options *self = to;
  self->lr = read_number(reader, "lr");
  self->beta2_decay = read_double(reader, "beta2_decay");
  read_eps(reader, self);
  self->d = read_double(reader, "d");
  self->weight_decay = read_double(reader, "weight_decay");
}

static ctorch_error *adafactor_check(const char *function, const void *options) {
  const struct adafactor_options *self = options;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  if (!(self->beta2_decay <= 0)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "beta2_decay: invalid value %g, expected at most 0", self->beta2_decay);
  }
  if (self->has_eps1) {
    CTORCH_TRY(check_not_negative(function, "eps[0]", NUMBER(self->eps1)));
  }
  CTORCH_TRY(check_not_negative(function, "eps[1]", NUMBER(self->eps2)));
  if (!(self->d >= 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "d: invalid value %g, expected at least 1", self->d);
  }
  return check_not_negative(function, "weight_decay", NUMBER(self->weight_decay));
}

static uint32_t adafactor_needs(const void *options) {
  (void)options;
  return 1u << STEP; /* the others by the number of dimensions */
}

/* Zeros like the gradient, with 1 in the place of the size of the last dimension but `from_last`. */
static ctorch_error *begin_means(const struct optimizer_list *list, size_t state, size_t i, int64_t from_last) {
  const ctorch_tensor *grad = list->grads[i];
  size_t ndim = (size_t)ctorch_tensor_ndim(grad);
  int64_t *sizes = malloc(ndim * sizeof *sizes);
  ctorch_tensor *zeros = NULL;
  if (sizes == NULL) {
    return error_memory(list->function, ndim * sizeof *sizes);
  }
  for (size_t d = 0; d < ndim; d++) {
    sizes[d] = ctorch_tensor_sizes(grad)[d];
  }
  sizes[ndim - 1 - (size_t)from_last] = 1;
  ctorch_error *error = ctorch_aten_new_zeros(&zeros, grad, sizes, ndim, NULL, NULL, NULL, NULL);
  free(sizes);
  CTORCH_TRY(error);
  list_set_state(list, state, i, zeros);
  return NULL;
}

static ctorch_error *adafactor_begin(const struct optimizer_list *list, size_t i) {
  static const ctorch_memory_format preserve = CTORCH_MEMORY_FORMAT_PRESERVE;
  ctorch_tensor *zeros = NULL;
  CTORCH_TRY(list_begin_number(list, STEP, i, 0));
  if (ctorch_tensor_ndim(list->grads[i]) > 1) {
    CTORCH_TRY(begin_means(list, ROW_VAR, i, 0));
    return begin_means(list, COL_VAR, i, 1);
  }
  CTORCH_TRY(ctorch_aten_zeros_like(&zeros, list->grads[i], NULL, NULL, NULL, NULL, &preserve));
  list_set_state(list, VARIANCE, i, zeros);
  return NULL;
}

/* Numbers of a step. */

struct sizes {
  double eps1, forget; /* 1 - beta2 */
  struct quantity alpha;
};

static bool is_matrix(const struct optimizer_list *list, size_t i) { return ctorch_tensor_ndim(list->grads[i]) > 1; }

/* The first of different dtypes in a group gives its own to all, as in Python. */
static double smallest(const struct optimizer_list *list) {
  const struct adafactor_options *options = list->options;
  if (options->has_eps1) {
    return options->eps1;
  }
  switch (list->first_dtype) {
    case CTORCH_DTYPE_FLOAT64:
      return DBL_EPSILON;
    case CTORCH_DTYPE_FLOAT16:
      return 0x1p-10;
    case CTORCH_DTYPE_BFLOAT16:
      return 0x1p-7;
    default:
      return FLT_EPSILON;
  }
}

/* The root of the mean square of all elements; not a number for none. */
static double mean_size(ctorch_error **error, const ctorch_tensor *tensor) {
  ctorch_tensor *norm = NULL;
  double value = 0;
  THEN(*error, ctorch_aten_linalg_vector_norm(&norm, tensor, CTORCH_FLOAT(2), NULL, 0, false, NULL));
  THEN(*error, ctorch_tensor_item_double(&value, norm));
  ctorch_tensor_release(norm);
  return value / pow((double)ctorch_tensor_numel(tensor), 0.5);
}

/* The smaller of the rate and 1 / sqrt(step), which stays a tensor if it is the rate. */
static void relative_rate(ctorch_error **error, struct quantity *out, const struct optimizer_list *list, double step) {
  const struct adafactor_options *options = list->options;
  struct quantity lr = quantity_of(error, &options->lr);
  double bound = 1 / pow(step, 0.5);
  bool is_larger = lr.value > bound;
  if (lr.tensor != NULL) {
    ctorch_tensor *larger = NULL;
    THEN(*error, ctorch_aten_gt_Scalar(&larger, lr.tensor, CTORCH_FLOAT(bound)));
    THEN(*error, ctorch_tensor_item_bool(&is_larger, larger));
    ctorch_tensor_release(larger);
  }
  quantity_end(out);
  if (is_larger) {
    *out = quantity_of_number(bound);
    quantity_end(&lr);
  } else {
    *out = lr;
  }
}

static void sizes_of(ctorch_error **error, struct sizes *out, const struct optimizer_list *list, size_t i) {
  const struct adafactor_options *options = list->options;
  double step = 0, size = mean_size(error, list->params[i]);
  THEN(*error, list_number(list, STEP, i, &step));
  out->eps1 = smallest(list);
  out->forget = pow(step, options->beta2_decay);
  relative_rate(error, &out->alpha, list, step);
  quantity_multiply(error, &out->alpha, &out->alpha, size > options->eps2 ? size : options->eps2);
}

/* What an update is divided by: how much larger it is than `d`. */
static double excess(ctorch_error **error, const struct optimizer_list *list, const ctorch_tensor *update) {
  const struct adafactor_options *options = list->options;
  ctorch_tensor *norm = NULL;
  double value = 0;
  THEN(*error, ctorch_aten_linalg_vector_norm(&norm, update, CTORCH_FLOAT(2), NULL, 0, false, NULL));
  THEN(*error, ctorch_tensor_item_double(&value, norm));
  ctorch_tensor_release(norm);
  value /= pow((double)ctorch_tensor_numel(update), 0.5) * options->d;
  return value > 1 ? value : 1;
}

static ctorch_error *check_param(const struct optimizer_list *list, size_t i) {
  if (tensor_is_complex(list->params[i])) {
    return error_make(list->function, CTORCH_ERROR_RUNTIME, "Adafactor does not support complex parameters");
  }
  if (is_matrix(list, i) ? list->states[ROW_VAR][i] == NULL || list->states[COL_VAR][i] == NULL
                         : list->states[VARIANCE][i] == NULL) {
    return error_make(
        list->function, CTORCH_ERROR_VALUE, "the state of a parameter of Adafactor lacks %s",
        is_matrix(list, i) ? "'row_var' or 'col_var'" : "'variance'");
  }
  return NULL;
}

/* Norms along a dimension, counted from the last. */
static void norms(ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor, int64_t dim) {
  THEN(*error, ctorch_aten_linalg_vector_norm(out, tensor, CTORCH_FLOAT(2), &dim, 1, true, NULL));
}

static int64_t size_at(const ctorch_tensor *tensor, int64_t dim) {
  return ctorch_tensor_sizes(tensor)[ctorch_tensor_ndim(tensor) + dim];
}

/* The product of rows and columns, and the mean of the rows that it is divided by. */
static void outer(
    ctorch_error **error, ctorch_tensor **product, ctorch_tensor **mean, const struct optimizer_list *list, size_t i) {
  const int64_t rows = -2;
  THEN(*error, ctorch_aten_matmul(product, list->states[ROW_VAR][i], list->states[COL_VAR][i]));
  THEN(*error, ctorch_aten_mean_dim(mean, list->states[ROW_VAR][i], &rows, 1, true, NULL));
}

/* One after another. */

static void average_means(
    ctorch_error **error, const struct optimizer_list *list, size_t i, size_t state, int64_t dim, double forget) {
  ctorch_tensor *mean = NULL;
  norms(error, &mean, list->grads[i], dim);
  THEN(*error, ctorch_aten_square_(mean));
  THEN(*error, ctorch_aten_div__Scalar(mean, CTORCH_INT(size_at(list->grads[i], dim))));
  THEN(*error, ctorch_aten_lerp__Scalar(list->states[state][i], mean, CTORCH_FLOAT(forget)));
  ctorch_tensor_release(mean);
}

/* The estimate of the gradient's squares, a new tensor. */
static void estimate(
    ctorch_error **error, ctorch_tensor **out, const struct optimizer_list *list, size_t i, const struct sizes *sizes) {
  ctorch_tensor *mean = NULL, *square = NULL;
  if (is_matrix(list, i)) {
    average_means(error, list, i, ROW_VAR, -1, sizes->forget);
    average_means(error, list, i, COL_VAR, -2, sizes->forget);
    outer(error, out, &mean, list, i);
    THEN(*error, ctorch_aten_clamp_(mean, CTORCH_FLOAT(sizes->eps1), NULL));
    THEN(*error, ctorch_aten_div__Tensor(*out, mean));
  } else {
    THEN(*error, ctorch_aten_mul_Tensor(&square, list->grads[i], list->grads[i]));
    THEN(*error, ctorch_aten_lerp__Scalar(list->states[VARIANCE][i], square, CTORCH_FLOAT(sizes->forget)));
    THEN(*error, ctorch_aten_clone(out, list->states[VARIANCE][i], NULL));
  }
  ctorch_tensor_release(mean);
  ctorch_tensor_release(square);
}

static ctorch_error *adafactor_loop(struct optimizer_list *list, size_t i) {
  const struct adafactor_options *options = list->options;
  ctorch_error *error = check_param(list, i);
  struct sizes sizes = {0};
  ctorch_tensor *update = NULL;
  THEN(error, list_count_one(list, STEP, i));
  sizes_of(&error, &sizes, list, i);
  list_shrink_one(&error, list, i, &options->lr, options->weight_decay);
  estimate(&error, &update, list, i, &sizes);
  THEN(error, ctorch_aten_clamp_(update, CTORCH_FLOAT(sizes.eps1 * sizes.eps1), NULL));
  THEN(error, ctorch_aten_rsqrt_(update));
  THEN(error, ctorch_aten_mul__Tensor(update, list->grads[i]));
  if (error == NULL) {
    quantity_negate(&error, &sizes.alpha, &sizes.alpha);
    quantity_divide(&error, &sizes.alpha, &sizes.alpha, excess(&error, list, update));
  }
  double alpha = quantity_value(&error, &sizes.alpha);
  THEN(error, ctorch_aten_add__Tensor(list->params[i], update, CTORCH_FLOAT(alpha)));
  ctorch_tensor_release(update);
  quantity_end(&sizes.alpha);
  return error;
}

/* All of them: matrices first, then the others. Operators that LibTorch has not had for long are called one by one. */

static void average_all(
    ctorch_error **error, const struct optimizer_list *list, size_t state, ctorch_tensor **means, struct sizes *sizes) {
  for (size_t i = 0; i < list->len; i++) {
    THEN(*error, ctorch_aten_lerp__Scalar(list->states[state][i], means[i], CTORCH_FLOAT(sizes[i].forget)));
  }
}

/* The averages of rows or columns. */
static void average_all_means(
    ctorch_error **error, const struct optimizer_list *list, size_t state, int64_t dim, struct sizes *sizes) {
  ctorch_tensor **means = calloc(list->len + 1, sizeof *means);
  ctorch_scalar *lengths = list_scalars(list);
  if (means == NULL || lengths == NULL) {
    THEN(*error, error_memory(list->function, (list->len + 1) * sizeof *lengths));
  }
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    norms(error, &means[i], list->grads[i], dim);
    lengths[i].re = (double)size_at(list->grads[i], dim);
  }
  THEN(*error, ctorch_aten__foreach_mul__List(LIST(means, list), CONST_LIST(means, list)));
  THEN(*error, ctorch_aten__foreach_div__ScalarList(LIST(means, list), LIST(lengths, list)));
  if (*error == NULL) {
    average_all(error, list, state, means, sizes);
  }
  for (size_t i = 0; means != NULL && i < list->len; i++) {
    ctorch_tensor_release(means[i]);
  }
  free(means);
  free(lengths);
}

/* `updates` become estimates of the squares of matrices. */
static void estimate_matrices(
    ctorch_error **error, ctorch_tensor **updates, const struct optimizer_list *list, struct sizes *sizes) {
  ctorch_tensor **means = calloc(list->len + 1, sizeof *means);
  if (means == NULL) {
    THEN(*error, error_memory(list->function, (list->len + 1) * sizeof *means));
  }
  average_all_means(error, list, ROW_VAR, -1, sizes);
  average_all_means(error, list, COL_VAR, -2, sizes);
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    outer(error, &updates[i], &means[i], list, i);
  }
  THEN(*error, ctorch_aten__foreach_clamp_min__Scalar(LIST(means, list), CTORCH_FLOAT(smallest(list))));
  THEN(*error, ctorch_aten__foreach_div__List(LIST(updates, list), CONST_LIST(means, list)));
  for (size_t i = 0; means != NULL && i < list->len; i++) {
    ctorch_tensor_release(means[i]);
  }
  free(means);
}

static void estimate_vectors(
    ctorch_error **error, ctorch_tensor **updates, const struct optimizer_list *list, struct sizes *sizes) {
  ctorch_tensor_list *squares = NULL;
  THEN(*error, ctorch_aten__foreach_mul_List(&squares, CONST_LIST(list->grads, list), CONST_LIST(list->grads, list)));
  if (*error == NULL) {
    average_all(error, list, VARIANCE, list_data(squares), sizes);
  }
  for (size_t i = 0; i < list->len; i++) {
    THEN(*error, ctorch_aten_clone(&updates[i], list->states[VARIANCE][i], NULL));
  }
  ctorch_tensor_list_release(squares);
}

static void change_all(
    ctorch_error **error, ctorch_tensor **updates, const struct optimizer_list *list, struct sizes *sizes) {
  struct quantity *alphas = quantities_new(error, list);
  double eps1 = smallest(list);
  THEN(*error, ctorch_aten__foreach_clamp_min__Scalar(LIST(updates, list), CTORCH_FLOAT(eps1 * eps1)));
  for (size_t i = 0; i < list->len; i++) {
    THEN(*error, ctorch_aten_rsqrt_(updates[i]));
  }
  THEN(*error, ctorch_aten__foreach_mul__List(LIST(updates, list), CONST_LIST(list->grads, list)));
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    quantity_negate(error, &alphas[i], &sizes[i].alpha);
    quantity_divide(error, &alphas[i], &alphas[i], excess(error, list, updates[i]));
  }
  if (*error == NULL) {
    quantities_multiply_to(error, list, updates, alphas);
  }
  THEN(*error, ctorch_aten__foreach_add__List(LIST(list->params, list), CONST_LIST(updates, list), NULL));
  quantities_end(alphas, list);
}

/* A list of matrices alone, or of none. */
static ctorch_error *change_part(struct optimizer_list *list) {
  const struct adafactor_options *options = list->options;
  ctorch_error *error = list_count(list, STEP);
  struct sizes *sizes = calloc(list->len + 1, sizeof *sizes);
  ctorch_tensor **updates = calloc(list->len + 1, sizeof *updates);
  if (sizes == NULL || updates == NULL) {
    THEN(error, error_memory(list->function, (list->len + 1) * sizeof *sizes));
  }
  for (size_t i = 0; error == NULL && i < list->len; i++) {
    sizes_of(&error, &sizes[i], list, i);
  }
  list_shrink(&error, list, &options->lr, options->weight_decay);
  if (error == NULL && is_matrix(list, 0)) {
    estimate_matrices(&error, updates, list, sizes);
  } else if (error == NULL) {
    estimate_vectors(&error, updates, list, sizes);
  }
  if (error == NULL) {
    change_all(&error, updates, list, sizes);
  }
  for (size_t i = 0; sizes != NULL && updates != NULL && i < list->len; i++) {
    quantity_end(&sizes[i].alpha);
    ctorch_tensor_release(updates[i]);
  }
  free(sizes);
  free(updates);
  return error;
}

static ctorch_error *adafactor_foreach(struct optimizer_list *list) {
  size_t matrices = 0;
  for (size_t i = 0; i < list->len; i++) {
    CTORCH_TRY(check_param(list, i));
  }
  for (size_t i = 0; i < list->len; i++) {
    if (is_matrix(list, i)) {
      list_swap(list, i, matrices++);
    }
  }
  struct optimizer_list first = *list, rest = list_from(list, matrices);
  first.len = matrices;
  CTORCH_TRY(matrices == 0 ? NULL : change_part(&first));
  return rest.len == 0 ? NULL : change_part(&rest);
}

/* Python takes these kernels only when they are asked for. */
static bool adafactor_can_foreach(const void *options) {
  const struct adafactor_options *self = options;
  return self->flags.foreach != NULL && *self->flags.foreach;
}

/* Two arguments are one option, a tuple, as in Python. */
static ctorch_error *adafactor_defaults(const char *function, ctorch_value *defaults) {
  ctorch_value *entries[2] = {NULL}, *eps = NULL;
  static const char *const names[2] = {"eps1", "eps2"};
  (void)function;
  ctorch_error *error = dict_find(&eps, defaults, "eps");
  for (size_t i = 0; error == NULL && eps == NULL && i < 2; i++) {
    ctorch_value *key = NULL;
    error = ctorch_value_dict_at(&entries[i], defaults, names[i]);
    THEN(error, ctorch_value_from_string(&key, names[i]));
    THEN(error, ctorch_value_dict_remove(defaults, key));
    ctorch_value_release(key);
  }
  if (error == NULL && eps == NULL) {
    error = ctorch_value_from_tuple(&eps, (const ctorch_value *const *)entries, 2);
    THEN(error, ctorch_value_dict_put(defaults, "eps", eps));
  }
  ctorch_value_release(eps);
  ctorch_value_release(entries[0]);
  ctorch_value_release(entries[1]);
  return error;
}

const optimizer_class optim_Adafactor_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Adafactor",
    .order = {"lr", "beta2_decay", "eps", "d", "weight_decay", "foreach", "maximize"},
    .states = {"step", "row_var", "col_var", "variance"},
    .options_size = sizeof(struct adafactor_options),
    .read = adafactor_read,
    .check = adafactor_check,
    .defaults = adafactor_defaults,
    .folded = {"eps", "eps1", "eps2"},
    .needs = adafactor_needs,
    .begin = adafactor_begin,
    .foreach = adafactor_foreach,
    .loop = adafactor_loop,
    .can_foreach = adafactor_can_foreach};
