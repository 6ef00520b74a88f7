/* Errors: what a failed call hands over, how a program goes on, and errors of its own.
 *
 * A call that can fail returns NULL, or an error object that is yours to release. It left its outputs as they were, so
 * nothing else needs cleaning up. On its way up through CTORCH_TRY the error notes each place that it comes by. No error is kept aside for later: what you do not look at is not there. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_shape(const char *name, const int64_t *dims, size_t len) {
  printf("  %s shape:", name);
  for (size_t i = 0; i < len; i++) {
    printf(" %" PRId64, dims[i]);
  }
  printf("\n");
}

/* Everything that an error tells, and its end. */
static void show(ctorch_error *error) {
  const int64_t *dims = NULL;
  size_t len = 0;
  ctorch_dtype dtype = 0;
  uint64_t bytes = 0;
  printf("%s in %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_function(error));
  printf("  %s\n", ctorch_error_message(error));
  if (ctorch_error_expected_shape(error, &dims, &len)) {
    print_shape("expected", dims, len);
  }
  if (ctorch_error_got_shape(error, &dims, &len)) {
    print_shape("got", dims, len);
  }
  if (ctorch_error_expected_dtype(error, &dtype)) {
    printf("  expected dtype: %s\n", ctorch_dtype_name(dtype));
  }
  if (ctorch_error_got_dtype(error, &dtype)) {
    printf("  got dtype: %s\n", ctorch_dtype_name(dtype));
  }
  if (ctorch_error_requested_bytes(error, &bytes)) {
    printf("  requested bytes: %" PRIu64 "\n", bytes);
  }
  ctorch_error_release(error);
}

static ctorch_error *fail_in_many_ways(void) {
  ctorch_tensor *x, *y, *doubles, *untouched = NULL;
  CTORCH_TRY(ctorch_aten_ones(&x, CTORCH_INTS(2, 3), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_ones(&y, CTORCH_INTS(4, 5), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_tensor_to(&doubles, x, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT64), NULL, false, false, NULL));
  show(ctorch_aten_mm(&untouched, x, y));
  show(ctorch_aten_dot(&untouched, x, x));
  CTORCH_REPLACE(&doubles, ctorch_aten_t(&doubles, doubles));
  show(ctorch_aten_mm(&untouched, x, doubles));
  show(ctorch_tensor_index_text(&untouched, x, "2, 0", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
  show(ctorch_aten_mm(&untouched, x, NULL));
  show(ctorch_aten_empty_memory_format(&untouched, CTORCH_INTS(INT64_C(1) << 50), NULL, NULL, NULL, NULL, NULL));
  printf("no output was touched: %s\n", untouched == NULL ? "true" : "false");
  return NULL;
}

/* Go on after an error that one has an answer to, and hand on every other. The Cholesky factor of a matrix exists only
 * if it is positive definite: more on the diagonal makes it so. */
static ctorch_error *factorise(ctorch_tensor **out, const ctorch_tensor *matrix) {
  for (double jitter = 0; jitter <= 4; jitter++) {
    ctorch_tensor *identity, *raised;
    CTORCH_TRY(ctorch_aten_eye(&identity, ctorch_tensor_sizes(matrix)[0], NULL, NULL, NULL, NULL));
    CTORCH_TRY(ctorch_aten_add_Tensor(&raised, matrix, identity, CTORCH_FLOAT(jitter)));
    ctorch_error *error = ctorch_aten_linalg_cholesky(out, raised, false);
    if (ctorch_error_kind_of(error) != CTORCH_ERROR_LINALG) { /* 0 is success */
      printf("factorised with %g more on the diagonal\n", jitter);
      return error;
    }
    ctorch_error_release(error);
  }
  /* An error of the program's own travels like any other. */
  return ctorch_error_format(CTORCH_ERROR_VALUE, "not positive definite with %g more either", 4.0);
}

static ctorch_error *run(void) {
  const float near[2][2] = {{1, 2.5}, {2.5, 1}}, far[2][2] = {{-9, 0}, {0, -9}};
  ctorch_tensor *matrix, *factor;
  CTORCH_TRY(fail_in_many_ways());
  CTORCH_TRY(ctorch_tensor_from_data(&matrix, near, sizeof near, CTORCH_INTS(2, 2), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(factorise(&factor, matrix));
  CTORCH_TRY(ctorch_tensor_print(factor, NULL));
  CTORCH_TRY(ctorch_tensor_from_data(&matrix, far, sizeof far, CTORCH_INTS(2, 2), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(factorise(&factor, matrix)); /* notes this line in the error */
  return NULL;
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope); /* errors do not belong to scopes: this one is still there */
  const bool expected = ctorch_error_kind_of(error) == CTORCH_ERROR_VALUE;
  printf("main got: %s\nby way of %s", ctorch_error_message(error), ctorch_error_trace(error));
  ctorch_error_release(error);
  return expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
