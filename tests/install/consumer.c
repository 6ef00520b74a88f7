/* A program of someone who uses an installed ctorch: 1 + 2 * 3 with tensors. */
#include <ctorch.h>
#include <stdio.h>

static ctorch_error *compute(double *out) {
  ctorch_tensor *one = NULL, *two = NULL, *sum = NULL;
  ctorch_error *error = NULL;
  CTORCH_TRY_GOTO(error, ctorch_tensor_from_scalar(&one, CTORCH_FLOAT(1), NULL), done);
  CTORCH_TRY_GOTO(error, ctorch_tensor_from_scalar(&two, CTORCH_FLOAT(2), NULL), done);
  CTORCH_TRY_GOTO(error, ctorch_aten_add_Tensor(&sum, one, two, CTORCH_INT(3)), done);
  CTORCH_TRY_GOTO(error, ctorch_tensor_item_double(out, sum), done);
done:
  ctorch_tensor_release(one);
  ctorch_tensor_release(two);
  ctorch_tensor_release(sum);
  return error;
}

int main(void) {
  double result = 0;
  ctorch_error *error = compute(&result);
  if (error != NULL) {
    fprintf(stderr, "%s\n", ctorch_error_message(error));
    ctorch_error_release(error);
    return 1;
  }
  printf("ctorch %s, LibTorch %s, 1 + 2 * 3 = %g\n", ctorch_version(), ctorch_torch_version(), result);
  return result == 7 ? 0 : 1;
}
