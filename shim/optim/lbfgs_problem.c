/* L-BFGS: parameters and gradients as one vector each, and the loss. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/lbfgs.h"

static void flatten(ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor) {
  static const int64_t all = -1;
  ctorch_tensor *dense = NULL, *flat = NULL, *real = NULL;
  if (ctorch_tensor_layout(tensor) != CTORCH_LAYOUT_STRIDED) {
    THEN(*error, ctorch_aten_to_dense(&dense, tensor, NULL, NULL));
    tensor = dense;
  }
  THEN(*error, ctorch_aten_reshape(&flat, tensor, &all, 1));
  if (*error == NULL && tensor_is_complex(flat)) {
    THEN(*error, ctorch_aten_view_as_real(&real, flat));
    ctorch_tensor_release(flat);
    flat = NULL;
    THEN(*error, ctorch_aten_reshape(&flat, real, &all, 1));
  }
  ctorch_tensor_release(real);
  ctorch_tensor_release(dense);
  *out = flat;
}

static void flat_grad(ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *param) {
  ctorch_tensor *grad = NULL;
  THEN(*error, ctorch_tensor_grad(&grad, param));
  if (*error == NULL && grad == NULL) {
    THEN(*error, ctorch_aten_zeros_like(&grad, param, NULL, NULL, NULL, NULL, NULL));
  }
  if (*error == NULL) {
    flatten(error, out, grad);
  }
  ctorch_tensor_release(grad);
}

void lbfgs_gather(struct lbfgs_problem *problem, ctorch_tensor **out) {
  ctorch_error **error = problem->error;
  ctorch_tensor **parts = calloc(problem->len + 1, sizeof *parts);
  if (parts == NULL) {
    THEN(*error, error_memory(problem->evaluation->function, (problem->len + 1) * sizeof *parts));
  }
  for (size_t i = 0; *error == NULL && i < problem->len; i++) {
    flat_grad(error, &parts[i], problem->params[i].tensor);
  }
  THEN(*error, ctorch_aten_cat(out, ctorch_const_tensors(parts), problem->len, 0));
  for (size_t i = 0; parts != NULL && i < problem->len; i++) {
    ctorch_tensor_release(parts[i]);
  }
  free(parts);
}

void lbfgs_move(struct lbfgs_problem *problem, const struct quantity *t, const ctorch_tensor *direction) {
  ctorch_error **error = problem->error;
  double step = quantity_value(error, t);
  int64_t offset = 0;
  for (size_t i = 0; *error == NULL && i < problem->len; i++) {
    ctorch_tensor *param = problem->params[i].tensor, *real = NULL, *part = NULL, *shaped = NULL;
    if (tensor_is_complex(param)) {
      THEN(*error, ctorch_aten_view_as_real(&real, param));
      param = real != NULL ? real : param;
    }
    int64_t numel = ctorch_tensor_numel(param);
    THEN(*error, ctorch_aten_narrow(&part, direction, 0, offset, numel));
    THEN(*error, ctorch_aten_view(&shaped, part, ctorch_tensor_sizes(param), (size_t)ctorch_tensor_ndim(param)));
    THEN(*error, ctorch_aten_add__Tensor(param, shaped, CTORCH_FLOAT(step)));
    offset += numel;
    ctorch_tensor_release(shaped);
    ctorch_tensor_release(part);
    ctorch_tensor_release(real);
  }
}

double lbfgs_evaluate(struct lbfgs_problem *problem, ctorch_tensor **loss) {
  ctorch_error **error = problem->error;
  ctorch_tensor *given = NULL;
  double value = 0;
  THEN(*error, optimizer_evaluate(problem->evaluation, &given));
  if (*error == NULL && given == NULL) {
    THEN(
        *error,
        error_make(
            problem->evaluation->function, CTORCH_ERROR_TYPE, "closure: LBFGS needs the loss, but it gave none"));
  }
  THEN(*error, ctorch_tensor_item_double(&value, given));
  if (loss != NULL && *error == NULL) {
    *loss = given;
  } else {
    ctorch_tensor_release(given);
  }
  return value;
}

void lbfgs_dot(ctorch_error **error, struct quantity *out, const ctorch_tensor *a, const ctorch_tensor *b) {
  struct quantity product = {.is_own = true};
  THEN(*error, ctorch_aten_dot(&product.tensor, a, b));
  quantity_end(out);
  *out = product;
}

void lbfgs_largest(ctorch_error **error, struct quantity *out, const ctorch_tensor *vector) {
  struct quantity largest = {.is_own = true};
  ctorch_tensor *sizes = NULL;
  THEN(*error, ctorch_aten_abs(&sizes, vector));
  THEN(*error, ctorch_aten_max(&largest.tensor, sizes));
  ctorch_tensor_release(sizes);
  quantity_end(out);
  *out = largest;
}
