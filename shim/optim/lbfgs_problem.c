/* L-BFGS: parameters and gradients as one vector each, and the loss. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/lbfgs.h"

static void flatten(struct quantities *q, ctorch_tensor **out, const ctorch_tensor *tensor) {
  static const int64_t all = -1;
  ctorch_tensor *dense = NULL, *flat = NULL, *real = NULL;
  if (ctorch_tensor_layout(tensor) != CTORCH_LAYOUT_STRIDED) {
    THEN(q->error, ctorch_aten_to_dense(&dense, tensor, NULL, NULL));
    tensor = dense;
  }
  THEN(q->error, ctorch_aten_reshape(&flat, tensor, &all, 1));
  if (q->error == NULL && tensor_is_complex(flat)) {
    THEN(q->error, ctorch_aten_view_as_real(&real, flat));
    ctorch_tensor_release(flat);
    flat = NULL;
    THEN(q->error, ctorch_aten_reshape(&flat, real, &all, 1));
  }
  ctorch_tensor_release(real);
  ctorch_tensor_release(dense);
  *out = flat;
}

static void flat_grad(struct quantities *q, ctorch_tensor **out, const ctorch_tensor *param) {
  ctorch_tensor *grad = NULL;
  THEN(q->error, ctorch_tensor_grad(&grad, param));
  if (q->error == NULL && grad == NULL) {
    THEN(q->error, ctorch_aten_zeros_like(&grad, param, NULL, NULL, NULL, NULL, NULL));
  }
  if (q->error == NULL) {
    flatten(q, out, grad);
  }
  ctorch_tensor_release(grad);
}

void lbfgs_gather(struct lbfgs_problem *problem, ctorch_tensor **out) {
  struct quantities *q = problem->q;
  ctorch_tensor **parts = calloc(problem->len + 1, sizeof *parts);
  if (parts == NULL) {
    THEN(q->error, error_memory(problem->evaluation->function, (problem->len + 1) * sizeof *parts));
  }
  for (size_t i = 0; q->error == NULL && i < problem->len; i++) {
    flat_grad(q, &parts[i], problem->params[i].tensor);
  }
  THEN(q->error, ctorch_aten_cat(out, ctorch_const_tensors(parts), problem->len, 0));
  for (size_t i = 0; parts != NULL && i < problem->len; i++) {
    ctorch_tensor_release(parts[i]);
  }
  free(parts);
}

void lbfgs_move(struct lbfgs_problem *problem, const struct quantity *t, const ctorch_tensor *direction) {
  struct quantities *q = problem->q;
  double step = quantity_value(q, t);
  int64_t offset = 0;
  for (size_t i = 0; q->error == NULL && i < problem->len; i++) {
    ctorch_tensor *param = problem->params[i].tensor, *real = NULL, *part = NULL, *shaped = NULL;
    if (tensor_is_complex(param)) {
      THEN(q->error, ctorch_aten_view_as_real(&real, param));
      param = real != NULL ? real : param;
    }
    int64_t numel = ctorch_tensor_numel(param);
    THEN(q->error, ctorch_aten_narrow(&part, direction, 0, offset, numel));
    THEN(q->error, ctorch_aten_view(&shaped, part, ctorch_tensor_sizes(param), (size_t)ctorch_tensor_ndim(param)));
    THEN(q->error, ctorch_aten_add__Tensor(param, shaped, CTORCH_FLOAT(step)));
    offset += numel;
    ctorch_tensor_release(shaped);
    ctorch_tensor_release(part);
    ctorch_tensor_release(real);
  }
}

double lbfgs_evaluate(struct lbfgs_problem *problem, ctorch_tensor **loss) {
  struct quantities *q = problem->q;
  ctorch_tensor *given = NULL;
  double value = 0;
  THEN(q->error, optimizer_evaluate(problem->evaluation, &given));
  if (q->error == NULL && given == NULL) {
    THEN(
        q->error,
        error_make(
            problem->evaluation->function, CTORCH_ERROR_TYPE, "closure: LBFGS needs the loss, but it gave none"));
  }
  THEN(q->error, ctorch_tensor_item_double(&value, given));
  if (loss != NULL && q->error == NULL) {
    *loss = given;
  } else {
    ctorch_tensor_release(given);
  }
  return value;
}

void lbfgs_dot(struct quantities *q, struct quantity *out, const ctorch_tensor *a, const ctorch_tensor *b) {
  struct quantity product = {.is_own = true};
  THEN(q->error, ctorch_aten_dot(&product.tensor, a, b));
  quantity_end(out);
  *out = product;
}

void lbfgs_largest(struct quantities *q, struct quantity *out, const ctorch_tensor *vector) {
  struct quantity largest = {.is_own = true};
  ctorch_tensor *sizes = NULL;
  THEN(q->error, ctorch_aten_abs(&sizes, vector));
  THEN(q->error, ctorch_aten_max(&largest.tensor, sizes));
  ctorch_tensor_release(sizes);
  quantity_end(out);
  *out = largest;
}
