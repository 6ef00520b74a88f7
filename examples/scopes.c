/* Scopes against explicit release: the same function both ways, and how many handles live meanwhile.
 *
 * The function is the distance of two vectors, sqrt(sum((a - b)^2)). The handles are counted if the environment has
 * CTORCH_DEBUG_HANDLES=1; the library then also reports at the end of the process which ones were forgotten. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* By hand: one place that releases whatever was made, which is NULL if it was not. In long loops each tensor goes as
 * soon as it is of no more use, and nothing is recorded anywhere. */
static ctorch_error *distance_by_hand(ctorch_tensor **out, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *difference = NULL, *square = NULL, *sum = NULL;
  ctorch_error *error = NULL;
  CTORCH_TRY_GOTO(error, ctorch_aten_sub_Tensor(&difference, a, b, NULL), done);
  CTORCH_TRY_GOTO(error, ctorch_aten_mul_Tensor(&square, difference, difference), done);
  CTORCH_TRY_GOTO(error, ctorch_aten_sum(&sum, square, NULL), done);
  error = ctorch_aten_sqrt(out, sum);
done:
  ctorch_tensor_release(difference);
  ctorch_tensor_release(square);
  ctorch_tensor_release(sum);
  return error;
}

/* By a scope: the work is a plain list of calls, and what it makes belongs to the scope that is open. */
static ctorch_error *distance(ctorch_tensor **out, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *difference, *square, *sum;
  CTORCH_TRY(ctorch_aten_sub_Tensor(&difference, a, b, NULL));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&square, difference, difference));
  CTORCH_TRY(ctorch_aten_sum(&sum, square, NULL));
  return ctorch_aten_sqrt(out, sum);
}

/* The scope around it ends whether the work succeeds or not; the result is kept beyond it. */
static ctorch_error *distance_in_scope(ctorch_tensor **out, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_scope *scope = NULL;
  ctorch_tensor *result = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = distance(&result, a, b);
  if (error == NULL) {
    error = ctorch_scope_keep(scope, result);
  }
  if (error == NULL) {
    *out = result;
  }
  ctorch_scope_end(scope);
  return error;
}

static void count(const char *when) { printf("%s: %" PRId64 " handles\n", when, ctorch_debug_live_handles()); }

static ctorch_error *call(
    const char *name,
    ctorch_error *(*function)(ctorch_tensor **, const ctorch_tensor *, const ctorch_tensor *),
    const ctorch_tensor *a,
    const ctorch_tensor *b,
    const ctorch_tensor *other) {
  ctorch_tensor *result = NULL;
  double number = 0;
  CTORCH_TRY(function(&result, a, b));
  ctorch_error *error = ctorch_tensor_item_double(&number, result);
  printf("%s: %g\n", name, number);
  count("  with its result");
  ctorch_tensor_release(result);
  count("  without");
  CTORCH_TRY(error);
  error = function(&result, a, other); /* shapes that do not fit */
  printf("  it fails with %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)));
  ctorch_error_release(error);
  count("  after that");
  return NULL;
}

static ctorch_error *run(void) {
  const double numbers[] = {1, 2, 3, 4, 5, 6, 7};
  ctorch_tensor *a, *b, *other, *inside;
  CTORCH_TRY(ctorch_tensor_from_data(&a, numbers, 2 * sizeof *numbers, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT64));
  CTORCH_TRY(ctorch_tensor_from_data(&b, numbers + 3, 2 * sizeof *numbers, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT64));
  CTORCH_TRY(ctorch_tensor_from_data(&other, numbers, 7 * sizeof *numbers, CTORCH_INTS(7), CTORCH_DTYPE_FLOAT64));
  count("a, b, another and the scope");
  CTORCH_TRY(call("by hand", distance_by_hand, a, b, other));
  CTORCH_TRY(call("in a scope", distance_in_scope, a, b, other));
  CTORCH_TRY(distance(&inside, a, b));
  count("its parts and its result belong to main's scope");
  return NULL;
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  if (error != NULL) {
    return ctorch_error_finish(error);
  }
  count("at the end");
  return ctorch_debug_live_handles() > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
