/* Tensors: make them of C data, look at them, compute, and get the numbers back.
 *
 * Reading guide for all examples: a call that can fail returns an error object, and CTORCH_TRY hands it on to the
 * caller. What comes through the first parameter is yours. `main` opens a scope, to which everything belongs that is
 * made inside it; that is why nothing is released here by hand (scopes.c shows both ways). */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void describe(const char *name, const ctorch_tensor *x) {
  printf("%s: %s, shape", name, ctorch_dtype_name(ctorch_tensor_dtype(x)));
  for (int64_t i = 0; i < ctorch_tensor_ndim(x); i++) {
    printf(" %" PRId64, ctorch_tensor_sizes(x)[i]);
  }
  printf(", strides");
  for (int64_t i = 0; i < ctorch_tensor_ndim(x); i++) {
    printf(" %" PRId64, ctorch_tensor_strides(x)[i]);
  }
  printf(", %s\n", ctorch_tensor_is_contiguous(x) ? "contiguous" : "not contiguous");
}

/* A copy of C data, and what operators make of it. An argument that is NULL has the default of PyTorch's schema. */
static ctorch_error *compute(ctorch_tensor **out) {
  const float rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  ctorch_tensor *x, *doubles, *mean, *centred;
  double number = 0;
  CTORCH_TRY(ctorch_tensor_from_data(&x, rows, sizeof rows, CTORCH_INTS(2, 3), CTORCH_DTYPE_FLOAT32));
  describe("x", x);
  CTORCH_TRY(ctorch_aten_mean(&mean, x, NULL));
  CTORCH_TRY(ctorch_tensor_item_double(&number, mean));
  printf("its mean is %g\n", number);
  CTORCH_TRY(ctorch_aten_sub_Tensor(&centred, x, mean, NULL)); /* alpha is 1 */
  CTORCH_TRY(ctorch_tensor_print(centred, NULL));
  CTORCH_TRY(ctorch_aten_add_Tensor(&centred, x, mean, CTORCH_INT(-2)));
  CTORCH_TRY(ctorch_tensor_print(centred, NULL));
  CTORCH_TRY(
      ctorch_aten_sum_dim_IntList(&doubles, x, CTORCH_INTS(0), true, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT64)));
  describe("sum over rows", doubles);
  CTORCH_TRY(ctorch_tensor_print(doubles, NULL));
  *out = x;
  return NULL;
}

/* A view shares the memory of what it is a view of. */
static ctorch_error *look_at_views(ctorch_tensor *x) {
  ctorch_tensor *columns;
  float numbers[6];
  CTORCH_TRY(ctorch_aten_t(&columns, x));
  describe("transposed", columns);
  CTORCH_TRY(ctorch_aten_mul__Scalar(columns, CTORCH_INT(10))); /* in place: no result, the argument is it */
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(x, numbers, sizeof numbers, CTORCH_DTYPE_FLOAT32));
  printf("x in row-major order:");
  for (int i = 0; i < 6; i++) {
    printf(" %g", numbers[i]);
  }
  printf("\n");
  return NULL;
}

static void say_released(void *payload) { printf("the %s are no longer needed\n", (const char *)payload); }

/* Memory of the program's own as a tensor, without a copy. */
static ctorch_error *wrap(void) {
  static double samples[4] = {1, 2, 3, 4};
  static char name[] = "samples";
  ctorch_tensor *x;
  CTORCH_TRY(ctorch_tensor_from_buffer(&x, samples, CTORCH_INTS(4), NULL, 0, CTORCH_DTYPE_FLOAT64, say_released, name));
  CTORCH_TRY(ctorch_aten_cumsum_(x, 0, NULL));
  printf("samples: %g %g %g %g\n", samples[0], samples[1], samples[2], samples[3]);
  return NULL;
}

static ctorch_error *run(void) {
  ctorch_tensor *x;
  CTORCH_TRY(compute(&x));
  CTORCH_TRY(look_at_views(x));
  return wrap();
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
