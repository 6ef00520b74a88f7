/* x ** 3 with a backward of its own, as a library that a program of Simple opens. */
#include <ctorch.h>

#define CUBE __attribute__((visibility("default"))) ctorch_callback_status

CUBE cube_forward(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)inputs_len;
  (void)payload;
  ctorch_tensor *y = NULL;
  if ((*error = ctorch_autograd_context_save_for_backward(context, inputs, 1)) == NULL &&
      (*error = ctorch_aten_pow_Tensor_Scalar(&y, inputs[0], CTORCH_INT(3))) == NULL) {
    *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
  }
  ctorch_tensor_release(y);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* 3 x^2, times the double at `payload` if there is one. */
CUBE cube_backward(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *gradients,
    size_t gradients_len,
    ctorch_error **error,
    void *payload) {
  (void)gradients_len;
  ctorch_tensor_list *saved = NULL;
  ctorch_tensor *x = NULL, *square = NULL, *scaled = NULL, *gradient = NULL;
  const double factor = payload == NULL ? 3 : 3 * *(const double *)payload;
  if ((*error = ctorch_autograd_context_saved_tensors(&saved, context)) == NULL &&
      (*error = ctorch_tensor_list_get(&x, saved, 0)) == NULL &&
      (*error = ctorch_aten_pow_Tensor_Scalar(&square, x, CTORCH_INT(2))) == NULL &&
      (*error = ctorch_aten_mul_Scalar(&scaled, square, CTORCH_FLOAT(factor))) == NULL &&
      (*error = ctorch_aten_mul_Tensor(&gradient, scaled, gradients[0])) == NULL) {
    *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(gradient));
  }
  ctorch_tensor_release(gradient);
  ctorch_tensor_release(scaled);
  ctorch_tensor_release(square);
  ctorch_tensor_release(x);
  ctorch_tensor_list_release(saved);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}
