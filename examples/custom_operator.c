/* Define an operator (squareplus.c) and use it as any of PyTorch's: call it by name, differentiate it.
 *
 * The same code, as the shared library that the build makes beside this program, gives it to Python:
 *
 *     library = ctypes.CDLL("libsquareplus.so")
 *     library.define_squareplus(ctypes.byref(ctypes.c_void_p()))
 *     torch.ops.examples.squareplus(x)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "squareplus.h"

/* The operator and its gradient at one point, against the formula. */
static ctorch_error *show(double at, double b, bool *good) {
  ctorch_op *op = NULL;
  ctorch_tensor *x = NULL, *y = NULL, *grad = NULL;
  ctorch_value *args[2], *result = NULL;
  double value = 0, slope = 0;
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT64;
  CTORCH_TRY(ctorch_op_find(&op, "examples::squareplus", NULL));
  CTORCH_TRY(ctorch_tensor_from_scalar(&x, CTORCH_FLOAT(at), &dtype));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(x, true));
  CTORCH_TRY(ctorch_value_from_tensor(&args[0], x));
  CTORCH_TRY(ctorch_value_from_double(&args[1], b));
  CTORCH_TRY(ctorch_op_call(&result, op, (const ctorch_value *const *)args, 2));
  CTORCH_TRY(ctorch_value_to_tensor(&y, result));
  CTORCH_TRY(ctorch_tensor_backward(y, NULL, NULL, false));
  CTORCH_TRY(ctorch_tensor_grad(&grad, x));
  CTORCH_TRY(ctorch_tensor_item_double(&value, y));
  CTORCH_TRY(ctorch_tensor_item_double(&slope, grad));
  const double root = sqrt(at * at + b);
  *good = *good && fabs(value - (at + root) / 2) < 1e-12 && fabs(slope - (1 + at / root) / 2) < 1e-12;
  printf("squareplus(%5.2f, b=%g) = %.6f, slope %.6f\n", at, b, value, slope);
  return NULL;
}

static ctorch_error *run(bool *good) {
  ctorch_library *library = NULL;
  ctorch_op *op = NULL;
  CTORCH_TRY(define_squareplus(&library));
  ctorch_error *error = ctorch_op_find(&op, "examples::squareplus", NULL);
  if (error == NULL) {
    printf("%s\n", ctorch_op_schema(op));
  }
  for (double at = -2; error == NULL && at <= 2; at++) {
    ctorch_scope *scope = NULL;
    if ((error = ctorch_scope_begin(&scope)) == NULL) {
      error = show(at, 4, good);
    }
    ctorch_scope_end(scope);
  }
  ctorch_op_release(op);
  ctorch_library_release(library);
  return error;
}

int main(void) {
  bool good = true;
  ctorch_error *error = run(&good);
  if (error != NULL) {
    return ctorch_error_finish(error);
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
