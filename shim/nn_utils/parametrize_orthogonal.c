/* Matrices with orthonormal columns or rows: exponentials and Cayley transforms of skew-symmetric matrices, or products
 * of Householder reflectors, around a base that is orthogonal itself (Lezcano-Casado 2019, arXiv:1909.09501). */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "nn_utils/parametrize.h"

enum map { MATRIX_EXP, CAYLEY, HOUSEHOLDER, MAPS };

static const char *const map_names[MAPS] = {"matrix_exp", "cayley", "householder"};

struct orthogonal {
  ctorch_module module;
  enum map map;
  bool has_base; /* the buffer 0 */
  int64_t *sizes;
  size_t ndim;
};

static void finalize(void *object) {
  free(((struct orthogonal *)object)->sizes);
  module_finalize(object);
}

static ctorch_error *copied(const char *function, ctorch_module *module) {
  struct orthogonal *self = (struct orthogonal *)module;
  const int64_t *sizes = self->sizes;
  self->sizes = NULL;
  return layer_copy_ints(function, &self->sizes, sizes, self->ndim);
}

static int64_t size_from_end(const ctorch_tensor *tensor, int64_t dim) {
  return ctorch_tensor_sizes(tensor)[ctorch_tensor_ndim(tensor) - dim];
}

/* The batch dimensions of a matrix with other rows and columns; to be freed, NULL is out of memory. */
static int64_t *with_size(const ctorch_tensor *like, int64_t rows, int64_t columns) {
  size_t ndim = (size_t)ctorch_tensor_ndim(like);
  int64_t *sizes = array_new(ndim, sizeof *sizes);
  for (size_t i = 0; sizes != NULL && i < ndim; i++) {
    sizes[i] = i + 2 < ndim ? ctorch_tensor_sizes(like)[i] : i + 2 == ndim ? rows : columns;
  }
  return sizes;
}

/* Forward. */

/* A matrix (…, n, k) with zeros behind it, (…, n, n). */
static ctorch_error *widen(ctorch_tensor **out, const ctorch_tensor *matrix, int64_t n, int64_t k) {
  ctorch_tensor *zeros = NULL, *expanded = NULL;
  int64_t *sizes = with_size(matrix, n, n - k);
  if (sizes == NULL) {
    return error_memory(FORWARD, (uint64_t)ctorch_tensor_ndim(matrix) * sizeof *sizes);
  }
  ctorch_error *error = ctorch_aten_new_zeros(&zeros, matrix, CTORCH_INTS(n, n - k), NULL, NULL, NULL, NULL);
  error =
      error != NULL ? error : ctorch_aten_expand(&expanded, zeros, sizes, (size_t)ctorch_tensor_ndim(matrix), false);
  free(sizes);
  THEN(error, ctorch_aten_cat(out, (const ctorch_tensor *const[]){matrix, expanded}, 2, -1));
  ctorch_tensor_release(zeros);
  ctorch_tensor_release(expanded);
  return error;
}

/* (I + A/2) (I - A/2)⁻¹ of a skew-symmetric matrix. */
static ctorch_error *cayley(ctorch_tensor **out, const ctorch_tensor *skew, int64_t n) {
  const ctorch_scalar minus = floating(-0.5), plus = floating(0.5);
  const ctorch_dtype dtype = ctorch_tensor_dtype(skew);
  ctorch_device device = {0};
  ctorch_tensor *identity = NULL, *left = NULL, *right = NULL;
  CTORCH_TRY(ctorch_tensor_device(&device, skew));
  ctorch_error *error = ctorch_aten_eye(&identity, n, &dtype, NULL, &device, NULL);
  THEN(error, ctorch_aten_add_Tensor(&left, identity, skew, &minus));
  THEN(error, ctorch_aten_add_Tensor(&right, identity, skew, &plus));
  THEN(error, ctorch_aten_linalg_solve(out, left, right, true));
  ctorch_tensor_release(identity);
  ctorch_tensor_release(left);
  ctorch_tensor_release(right);
  return error;
}

/* The orthonormal columns that the part of a tall matrix on and below its diagonal stands for. */
static ctorch_error *map_skew(ctorch_tensor **out, const ctorch_tensor *tall, enum map map, int64_t n, int64_t k) {
  struct steps s = {0};
  ctorch_tensor *adjoint = NULL;
  STEP(&s, ctorch_aten_tril(&s.next, tall, 0));
  if (n != k) {
    STEP(&s, widen(&s.next, s.at, n, k));
  }
  THEN(s.error, ctorch_aten_mH(&adjoint, s.at));
  STEP(&s, ctorch_aten_sub_Tensor(&s.next, s.at, adjoint, NULL));
  ctorch_tensor_release(adjoint);
  if (map == MATRIX_EXP) {
    STEP(&s, ctorch_aten_matrix_exp(&s.next, s.at));
  } else {
    STEP(&s, cayley(&s.next, s.at, n));
  }
  if (n != k) {
    STEP(&s, ctorch_aten_slice_Tensor(&s.next, s.at, -1, NULL, &k, 1));
  }
  return steps_end(&s, out);
}

/* The diagonal of a tall matrix as a row, as integers if `as_int`. */
static ctorch_error *diagonal_row(ctorch_tensor **out, const ctorch_tensor *tall, bool as_int) {
  struct steps s = {0};
  STEP(&s, ctorch_aten_diagonal(&s.next, tall, 0, -2, -1));
  if (as_int) {
    STEP(&s, ctorch_aten_to_dtype(&s.next, s.at, CTORCH_DTYPE_INT32, false, false, NULL));
  } else {
    STEP(&s, ctorch_aten_sgn(&s.next, s.at));
  }
  STEP(&s, ctorch_aten_unsqueeze(&s.next, s.at, -2));
  return steps_end(&s, out);
}

/* The product of the reflectors below the diagonal, each with the sign on it. */
static ctorch_error *map_householder(ctorch_tensor **out, const ctorch_tensor *tall) {
  const ctorch_scalar one = floating(1), two = floating(2);
  ctorch_tensor *below = NULL, *signs = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_tril(&below, tall, -1));
  STEP(&s, ctorch_aten_mul_Tensor(&s.next, below, below));
  STEP(&s, ctorch_aten_sum_dim_IntList(&s.next, s.at, CTORCH_INTS(-2), false, NULL));
  STEP(&s, ctorch_aten_add_Scalar(&s.next, s.at, &one, NULL));
  STEP(&s, ctorch_aten_reciprocal(&s.next, s.at));
  STEP(&s, ctorch_aten_mul_Scalar(&s.next, s.at, &two));
  STEP(&s, ctorch_aten_linalg_householder_product(&s.next, below, s.at));
  THEN(s.error, diagonal_row(&signs, tall, true));
  STEP(&s, ctorch_aten_mul_Tensor(&s.next, s.at, signs));
  ctorch_tensor_release(below);
  ctorch_tensor_release(signs);
  return steps_end(&s, out);
}

static ctorch_error *refuse_vector(const char *function, const ctorch_tensor *tensor) {
  return ctorch_tensor_ndim(tensor) >= 2 ? NULL
                                         : error_make(
                                               function, CTORCH_ERROR_VALUE,
                                               "Expected a matrix or batch of matrices. Got a tensor of %d dimensions.",
                                               (int)ctorch_tensor_ndim(tensor));
}

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct orthogonal *self = (const struct orthogonal *)module;
  CTORCH_TRY(refuse_vector(FORWARD, input));
  const ctorch_tensor *base = module_buffer(module, "base");
  if (self->has_base && base == NULL) {
    return error_make(FORWARD, CTORCH_ERROR_TYPE, "unsupported operand type(s) for @: 'NoneType' and 'Tensor'");
  }
  int64_t n = size_from_end(input, 2), k = size_from_end(input, 1);
  bool is_transposed = n < k;
  ctorch_tensor *tall = NULL;
  struct steps s = {0};
  if (is_transposed) {
    CTORCH_TRY(ctorch_aten_mT(&tall, input));
    int64_t rows = k;
    k = n;
    n = rows;
  }
  const ctorch_tensor *matrix = is_transposed ? tall : input;
  STEP(&s, self->map == HOUSEHOLDER ? map_householder(&s.next, matrix) : map_skew(&s.next, matrix, self->map, n, k));
  ctorch_tensor_release(tall);
  if (self->has_base) {
    STEP(&s, ctorch_aten_matmul(&s.next, base, s.at));
  }
  if (is_transposed) {
    STEP(&s, ctorch_aten_mT(&s.next, s.at));
  }
  return steps_end(&s, out);
}

/* Right inverse. */

static double epsilon_of(const ctorch_tensor *tensor) {
  switch (ctorch_tensor_dtype(tensor)) {
    case CTORCH_DTYPE_FLOAT64:
    case CTORCH_DTYPE_COMPLEX128:
      return 0x1p-52;
    case CTORCH_DTYPE_FLOAT16:
      return 0x1p-10;
    case CTORCH_DTYPE_BFLOAT16:
      return 0x1p-7;
    default:
      return 0x1p-23;
  }
}

static ctorch_error *is_orthogonal(bool *out, const ctorch_tensor *square) {
  int64_t n = size_from_end(square, 1);
  const ctorch_dtype dtype = ctorch_tensor_dtype(square);
  ctorch_device device = {0};
  ctorch_tensor *identity = NULL;
  CTORCH_TRY(ctorch_tensor_device(&device, square));
  CTORCH_TRY(ctorch_aten_eye(&identity, n, &dtype, NULL, &device, NULL));
  struct steps s = {0};
  STEP(&s, ctorch_aten_mH(&s.next, square));
  STEP(&s, ctorch_aten_matmul(&s.next, s.at, square));
  THEN(s.error, ctorch_aten_allclose(out, s.at, identity, 1e-5, 10.0 * (double)n * epsilon_of(square), false));
  ctorch_tensor_release(identity);
  ctorch_tensor *product = NULL;
  CTORCH_TRY(steps_end(&s, &product));
  ctorch_tensor_release(product);
  return NULL;
}

/* Q of A = Q·R where the diagonal of R is not negative. */
static ctorch_error *make_orthogonal(ctorch_tensor **out, const ctorch_tensor *matrix) {
  ctorch_tensor *reflectors = NULL, *tau = NULL, *product = NULL, *signs = NULL;
  CTORCH_TRY(ctorch_aten_geqrf(&reflectors, &tau, matrix));
  ctorch_error *error = ctorch_aten_linalg_householder_product(&product, reflectors, tau);
  THEN(error, diagonal_row(&signs, reflectors, false));
  THEN(error, ctorch_aten_mul__Tensor(product, signs));
  ctorch_tensor_release(reflectors);
  ctorch_tensor_release(tau);
  ctorch_tensor_release(signs);
  if (error != NULL) {
    ctorch_tensor_release(product);
    return error;
  }
  *out = product;
  return NULL;
}

/* The orthogonal matrix that the columns of a tall one begin, the others being random. */
static ctorch_error *complete(ctorch_tensor **out, const ctorch_tensor *tall, int64_t n, int64_t k) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(tall);
  ctorch_device device = {0};
  ctorch_tensor *others = NULL;
  CTORCH_TRY(ctorch_tensor_device(&device, tall));
  int64_t *sizes = with_size(tall, n, n - k);
  if (sizes == NULL) {
    return error_memory(FORWARD, (uint64_t)ctorch_tensor_ndim(tall) * sizeof *sizes);
  }
  ctorch_error *error =
      ctorch_aten_randn(&others, sizes, (size_t)ctorch_tensor_ndim(tall), &dtype, NULL, &device, NULL);
  free(sizes);
  CTORCH_TRY(error);
  struct steps s = {0};
  STEP(&s, ctorch_aten_cat(&s.next, (const ctorch_tensor *const[]){tall, others}, 2, -1));
  STEP(&s, make_orthogonal(&s.next, s.at));
  ctorch_tensor_release(others);
  return steps_end(&s, out);
}

static ctorch_error *base_of(ctorch_tensor **out, const ctorch_tensor *tall) {
  int64_t n = size_from_end(tall, 2), k = size_from_end(tall, 1);
  bool is_one = false;
  if (n != k) {
    return complete(out, tall, n, k);
  }
  CTORCH_TRY(is_orthogonal(&is_one, tall));
  return is_one ? ctorch_aten_clone(out, tall, NULL) : make_orthogonal(out, tall);
}

/* -I, which is the base itself. */
static ctorch_error *minus_identity(ctorch_tensor **out, const ctorch_tensor *like) {
  const ctorch_scalar minus = floating(-1);
  ctorch_tensor *zeros = NULL, *diagonal = NULL;
  CTORCH_TRY(ctorch_aten_zeros_like(&zeros, like, NULL, NULL, NULL, NULL, NULL));
  ctorch_error *error = ctorch_aten_diagonal(&diagonal, zeros, 0, -2, -1);
  THEN(error, ctorch_aten_fill__Scalar(diagonal, &minus));
  ctorch_tensor_release(diagonal);
  if (error != NULL) {
    ctorch_tensor_release(zeros);
    return error;
  }
  *out = zeros;
  return NULL;
}

/* The reflectors of a QR decomposition, and ±1 on the diagonal: the sign of R's, and the other one where LAPACK does
 * without a reflection. */
static ctorch_error *reflectors_of(ctorch_tensor **out, const ctorch_tensor *tall) {
  const ctorch_scalar zero = floating(0), minus = floating(-1);
  ctorch_tensor *reflectors = NULL, *tau = NULL, *diagonal = NULL, *ones = NULL, *mask = NULL, *signs = NULL;
  CTORCH_TRY(ctorch_aten_geqrf(&reflectors, &tau, tall));
  ctorch_error *error = ctorch_aten_diagonal(&diagonal, reflectors, 0, -2, -1);
  THEN(error, ctorch_aten_sign_(diagonal));
  THEN(error, ctorch_aten_eq_Scalar(&mask, tau, &zero));
  THEN(error, ctorch_aten_ones_like(&ones, tau, NULL, NULL, NULL, NULL, NULL));
  THEN(error, ctorch_aten_masked_fill_Scalar(&signs, ones, mask, &minus));
  THEN(error, ctorch_aten_mul__Tensor(diagonal, signs));
  ctorch_tensor_release(tau);
  ctorch_tensor_release(diagonal);
  ctorch_tensor_release(ones);
  ctorch_tensor_release(mask);
  ctorch_tensor_release(signs);
  if (error != NULL) {
    ctorch_tensor_release(reflectors);
    return error;
  }
  *out = reflectors;
  return NULL;
}

static ctorch_error *check_value(const struct orthogonal *self, const ctorch_tensor *value) {
  const char *function = "ctorch_module_register_parametrization";
  const int64_t *sizes = ctorch_tensor_sizes(value);
  if ((size_t)ctorch_tensor_ndim(value) == self->ndim && memcmp(sizes, self->sizes, self->ndim * sizeof *sizes) == 0) {
    if (self->has_base || self->map == HOUSEHOLDER) {
      return NULL;
    }
    return error_make(
        function, CTORCH_ERROR_NOT_IMPLEMENTED,
        "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
        "use_trivialization=False.");
  }
  struct text text = {.function = function};
  for (size_t i = 0; i < self->ndim; i++) {
    text_add(&text, "%s%lld", i > 0 ? ", " : "", (long long)self->sizes[i]);
  }
  text_add(&text, "]). Got a tensor of shape ");
  text_size(&text, value);
  ctorch_error *error = error_make(
      function, CTORCH_ERROR_VALUE, "Expected a matrix or batch of matrices of shape torch.Size([%s.",
      text_data(&text));
  return ctorch_error_first(error, text_end(&text));
}

/* What the weight is computed from, so that it is `value`, or the orthogonal matrix of its QR decomposition. */
static ctorch_error *invert(struct orthogonal *self, ctorch_tensor **out, const ctorch_tensor *value) {
  CTORCH_TRY(check_value(self, value));
  bool is_transposed = size_from_end(value, 2) < size_from_end(value, 1);
  ctorch_tensor *transposed = NULL;
  if (is_transposed) {
    CTORCH_TRY(ctorch_aten_mT(&transposed, value));
  }
  const ctorch_tensor *tall = is_transposed ? transposed : value;
  struct steps s = {0};
  if (self->has_base) {
    STEP(&s, base_of(&s.next, tall));
    THEN(s.error, ctorch_module_register_buffer(&self->module, "base", s.at, true));
    STEP(&s, minus_identity(&s.next, value));
  } else {
    STEP(&s, reflectors_of(&s.next, tall));
    if (is_transposed) {
      STEP(&s, ctorch_aten_mT(&s.next, s.at));
    }
  }
  ctorch_tensor_release(transposed);
  return steps_end(&s, out);
}

static ctorch_error *right_inverse(ctorch_module *self, ctorch_value **out, const ctorch_value *value) {
  ctorch_tensor *tensor = NULL, *result = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = ctorch_grad_mode_push(false);
  if (error == NULL) {
    error = invert((struct orthogonal *)self, &result, tensor);
    error = ctorch_error_first(error, ctorch_grad_mode_pop());
  }
  THEN(error, ctorch_value_from_tensor(out, result));
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(result);
  return error;
}

static const module_class orthogonal_class = {
    .object = {"module", sizeof(struct orthogonal), finalize},
    .name = "_Orthogonal",
    .forward = forward,
    .copied = copied,
    .right_inverse = right_inverse};

/* Making one. */

static ctorch_error *choose(const char *function, enum map *out, const char *name, const ctorch_tensor *weight) {
  bool is_complex = false;
  CTORCH_TRY(ctorch_aten_is_complex(&is_complex, weight));
  CTORCH_TRY(refuse_vector(function, weight));
  if (name == NULL) {
    *out = is_complex || size_from_end(weight, 2) == size_from_end(weight, 1) ? MATRIX_EXP : HOUSEHOLDER;
    return NULL;
  }
  CTORCH_TRY(error_unless_text(function, "orthogonal_map", name));
  enum map map = 0;
  while (map < MAPS && strcmp(name, map_names[map]) != 0) {
    map++;
  }
  if (map == MAPS) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "orthogonal_map has to be one of \"matrix_exp\", \"cayley\", \"householder\". Got: %s", name);
  }
  if (map == HOUSEHOLDER && is_complex) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "The householder parametrization does not support complex tensors.");
  }
  *out = map;
  return NULL;
}

static ctorch_error *make(
    const char *function, struct orthogonal **out, const ctorch_tensor *weight, enum map map, bool has_base) {
  struct orthogonal *self = module_new(&orthogonal_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->map = map;
  self->has_base = has_base;
  self->ndim = (size_t)ctorch_tensor_ndim(weight);
  ctorch_error *error = layer_copy_ints(function, &self->sizes, ctorch_tensor_sizes(weight), self->ndim);
  if (error == NULL && has_base) {
    error = module_add_buffer(function, &self->module, "base", NULL, true);
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = self;
  return NULL;
}

ctorch_error *ctorch_module_parametrize_orthogonal(
    ctorch_module *self, const char *name, const char *orthogonal_map, bool use_trivialization) {
  ctorch_tensor *weight = NULL;
  struct orthogonal *made = NULL;
  enum map map = MATRIX_EXP;
  CTORCH_TRY(module_parametrized_weight(__func__, &weight, self, &name));
  ctorch_error *error = choose(__func__, &map, orthogonal_map, weight);
  THEN(error, make(__func__, &made, weight, map, use_trivialization));
  ctorch_tensor_release(weight);
  THEN(error, module_register_parametrization(__func__, self, name, &made->module, true));
  object_unref(made);
  return error;
}
