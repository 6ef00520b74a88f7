/* Arithmetic with a number as Python has it. */
#include "base/number.h"

typedef ctorch_error *combine(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other);
typedef ctorch_error *combine_here(ctorch_tensor *self, const ctorch_tensor *other);

static ctorch_error *with_number(
    ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number, combine *how) {
  ctorch_tensor *other = NULL;
  CTORCH_TRY(ctorch_tensor_wrapped_number(&other, number));
  ctorch_error *error = how(out, self, other);
  ctorch_tensor_release(other);
  return error;
}

static ctorch_error *with_number_here(ctorch_tensor *self, const ctorch_scalar *number, combine_here *how) {
  ctorch_tensor *other = NULL;
  CTORCH_TRY(ctorch_tensor_wrapped_number(&other, number));
  ctorch_error *error = how(self, other);
  ctorch_tensor_release(other);
  return error;
}

static ctorch_error *add(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_add_Tensor(out, self, other, NULL);
}

static ctorch_error *subtract_here(ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_sub__Tensor(self, other, NULL);
}

static ctorch_error *add_here(ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_add__Tensor(self, other, NULL);
}

ctorch_error *number_times(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number(out, self, number, ctorch_aten_mul_Tensor);
}

ctorch_error *number_times_(ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number_here(self, number, ctorch_aten_mul__Tensor);
}

ctorch_error *number_plus(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number(out, self, number, add);
}

ctorch_error *number_plus_(ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number_here(self, number, add_here);
}

ctorch_error *number_over(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number(out, self, number, ctorch_aten_div_Tensor);
}

ctorch_error *number_minus_(ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number_here(self, number, subtract_here);
}

ctorch_error *number_over_(ctorch_tensor *self, const ctorch_scalar *number) {
  return with_number_here(self, number, ctorch_aten_div__Tensor);
}
