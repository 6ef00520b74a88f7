/* Muon: momentum whose matrix is made orthogonal by Newton and Schulz' iteration (Jordan 2024,
 * https://kellerjordan.github.io/posts/muon); rates adjusted by the shape as there, or as AdamW's (Liu et al. 2025,
 * arXiv:2502.16982). Matrices alone have it; all else is another optimizer's. */
#include <math.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/list.h"
#include "optim/quantity.h"

enum { MOMENTUM_BUFFER };

struct muon_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  double weight_decay, momentum, ns_coefficients[3], eps;
  bool nesterov;
  int64_t ns_steps;
  const char *adjust_lr_fn; /* NULL is "original" */
};

static void muon_read(struct option_reader *reader, void *to) {
  struct muon_options *self = to;
  self->lr = read_number(reader, "lr");
  self->weight_decay = read_double(reader, "weight_decay");
  self->momentum = read_double(reader, "momentum");
  self->nesterov = read_bool(reader, "nesterov");
  read_doubles(reader, "ns_coefficients", self->ns_coefficients, 3);
  self->eps = read_double(reader, "eps");
  self->ns_steps = read_int(reader, "ns_steps");
  self->adjust_lr_fn = read_text(reader, "adjust_lr_fn");
}

static ctorch_error *muon_check(const char *function, const void *options) {
  const struct muon_options *self = options;
  const char *adjustment = self->adjust_lr_fn;
  CTORCH_TRY(check_not_negative(function, "lr", &self->lr));
  CTORCH_TRY(check_not_negative(function, "momentum", NUMBER(self->momentum)));
  CTORCH_TRY(check_not_negative(function, "weight_decay", NUMBER(self->weight_decay)));
  if (adjustment != NULL && strcmp(adjustment, "original") != 0 && strcmp(adjustment, "match_rms_adamw") != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "adjust_lr_fn: '%s' is not supported, expected 'original' or 'match_rms_adamw'",
        adjustment);
  }
  return NULL;
}

static ctorch_error *muon_made(const char *function, ctorch_optimizer *self) {
  for (size_t g = 0; g < self->len; g++) {
    for (size_t i = 0; i < self->groups[g].len; i++) {
      int64_t ndim = ctorch_tensor_ndim(self->groups[g].params[i].tensor);
      if (ndim != 2) {
        return error_make(
            function, CTORCH_ERROR_VALUE, "params: Muon only supports 2D parameters, but entry %zu has %lld dimensions",
            i, (long long)ndim);
      }
    }
  }
  return NULL;
}

static ctorch_error *muon_begin(const struct optimizer_list *list, size_t i) {
  static const ctorch_memory_format preserve = CTORCH_MEMORY_FORMAT_PRESERVE;
  ctorch_tensor *zeros = NULL;
  CTORCH_TRY(ctorch_aten_zeros_like(&zeros, list->grads[i], NULL, NULL, NULL, NULL, &preserve));
  list_set_state(list, MOMENTUM_BUFFER, i, zeros);
  return NULL;
}

/* One iteration: `*matrix`, which is given up, becomes a * X + (b * G + c * G^2) X with G = X X'. */
static void iterate(ctorch_error **error, ctorch_tensor **matrix, const double *coefficients) {
  ctorch_tensor *transposed = NULL, *gram = NULL, *update = NULL, *next = NULL;
  THEN(*error, ctorch_aten_t(&transposed, *matrix));
  THEN(*error, ctorch_aten_matmul(&gram, *matrix, transposed));
  THEN(
      *error,
      ctorch_aten_addmm(&update, gram, gram, gram, CTORCH_FLOAT(coefficients[1]), CTORCH_FLOAT(coefficients[2])));
  THEN(*error, ctorch_aten_addmm(&next, *matrix, update, *matrix, CTORCH_FLOAT(coefficients[0]), NULL));
  ctorch_tensor_release(transposed);
  ctorch_tensor_release(gram);
  ctorch_tensor_release(update);
  if (*error == NULL) {
    ctorch_tensor_release(*matrix);
    *matrix = next;
  }
}

static void transpose(ctorch_error **error, ctorch_tensor **matrix) {
  ctorch_tensor *transposed = NULL;
  THEN(*error, ctorch_aten_t(&transposed, *matrix));
  if (*error == NULL) {
    ctorch_tensor_release(*matrix);
    *matrix = transposed;
  }
}

/* The nearest orthogonal matrix, nearly, in bfloat16. As in Python, a bfloat16 matrix is itself divided by its norm. */
static void orthogonalize(
    ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *matrix, const struct muon_options *options) {
  const ctorch_dtype bfloat16 = CTORCH_DTYPE_BFLOAT16;
  const int64_t *sizes = ctorch_tensor_sizes(matrix);
  bool is_tall = sizes[0] > sizes[1];
  ctorch_tensor *norm = NULL, *bounded = NULL;
  THEN(*error, ctorch_tensor_to(out, matrix, &bfloat16, NULL, false, false, NULL));
  if (is_tall) {
    transpose(error, out);
  }
  THEN(*error, ctorch_aten_linalg_vector_norm(&norm, *out, CTORCH_FLOAT(2), NULL, 0, false, NULL));
  THEN(*error, ctorch_aten_clamp(&bounded, norm, CTORCH_FLOAT(options->eps), NULL));
  THEN(*error, ctorch_aten_div__Tensor(*out, bounded));
  for (int64_t n = 0; *error == NULL && n < options->ns_steps; n++) {
    iterate(error, out, options->ns_coefficients);
  }
  if (is_tall) {
    transpose(error, out);
  }
  ctorch_tensor_release(norm);
  ctorch_tensor_release(bounded);
}

/* What the rate is multiplied by for a matrix of this shape. */
static double adjustment(const struct muon_options *options, const ctorch_tensor *param) {
  const int64_t *sizes = ctorch_tensor_sizes(param);
  double rows = (double)sizes[0], columns = (double)sizes[1];
  if (options->adjust_lr_fn == NULL || strcmp(options->adjust_lr_fn, "original") == 0) {
    return sqrt(rows > columns ? rows / columns : 1);
  }
  return 0.2 * sqrt(rows > columns ? rows : columns);
}

static ctorch_error *check_param(const struct optimizer_list *list, size_t i) {
  const struct muon_options *options = list->options;
  if (tensor_is_complex(list->params[i])) {
    return error_make(list->function, CTORCH_ERROR_RUNTIME, "Muon does not support complex parameters");
  }
  if (ctorch_tensor_ndim(list->grads[i]) != 2) {
    return error_make(list->function, CTORCH_ERROR_VALUE, "the gradient of a parameter of Muon must be a 2D matrix");
  }
  if (options->ns_steps >= 100) {
    return error_make(list->function, CTORCH_ERROR_VALUE, "ns_steps: the number of steps must be less than 100");
  }
  return NULL;
}

static ctorch_error *muon_loop(struct optimizer_list *list, size_t i) {
  const struct muon_options *options = list->options;
  ctorch_tensor *grad = list->grads[i], *ahead = NULL, *update = NULL;
  ctorch_error *error = check_param(list, i);
  if (list->states[MOMENTUM_BUFFER][i] == NULL) { /* a state that somebody set */
    THEN(error, muon_begin(list, i));
  }
  ctorch_tensor *buffer = list->states[MOMENTUM_BUFFER][i];
  THEN(error, ctorch_aten_lerp__Scalar(buffer, grad, CTORCH_FLOAT(1 - options->momentum)));
  if (options->nesterov) {
    THEN(error, ctorch_aten_lerp_Scalar(&ahead, grad, buffer, CTORCH_FLOAT(options->momentum)));
  }
  if (error == NULL) {
    orthogonalize(&error, &update, ahead != NULL ? ahead : buffer, options);
  }
  if (error == NULL) {
    struct quantity lr = quantity_of(&error, &options->lr);
    list_shrink_one(&error, list, i, &options->lr, options->weight_decay);
    quantity_multiply(&error, &lr, &lr, adjustment(options, list->params[i]));
    double rate = quantity_value(&error, &lr);
    THEN(error, ctorch_aten_add__Tensor(list->params[i], update, CTORCH_FLOAT(-rate)));
    quantity_end(&lr);
  }
  ctorch_tensor_release(ahead);
  ctorch_tensor_release(update);
  return error;
}

const optimizer_class optim_Muon_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "Muon",
    .states = {"momentum_buffer"},
    .options_size = sizeof(struct muon_options),
    .read = muon_read,
    .check = muon_check,
    .made = muon_made,
    .begin = muon_begin,
    .loop = muon_loop};
