/* A program of someone who uses an installed ctorch: 1 + 2 * 3 with tensors. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

static ctorch_error *compute(double *out) {
  ctorch_tensor *one, *two, *sum;
  CTORCH_TRY(ctorch_tensor_from_scalar(&one, CTORCH_FLOAT(1), NULL));
  CTORCH_TRY(ctorch_tensor_from_scalar(&two, CTORCH_FLOAT(2), NULL));
  CTORCH_TRY(ctorch_aten_add_Tensor(&sum, one, two, CTORCH_INT(3))); /* one + 3 * two */
  return ctorch_tensor_item_double(out, sum);
}

int main(void) {
  double result = 0;
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = compute(&result);
  }
  ctorch_scope_end(scope); /* the tensors that compute() made are released here */
  if (error != NULL) {
    fprintf(stderr, "%s: %s\n", ctorch_error_function(error), ctorch_error_message(error));
    ctorch_error_release(error);
    return EXIT_FAILURE;
  }
  printf("ctorch %s, LibTorch %s, 1 + 2 * 3 = %g\n", ctorch_version(), ctorch_version_torch(), result);
  return EXIT_SUCCESS;
}
