/* A differentiable function of one's own: forward, backward, what is kept between them, and how each may fail.
 *
 * The function is log2 for positive numbers: it refuses others, where PyTorch's answers NaN. Its backward needs x,
 * which forward therefore saves. As backward is made of recorded operators, it can be differentiated again. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

static ctorch_error *refuse(ctorch_error_kind code, const char *message) {
  ctorch_error *error = NULL, *refusal = ctorch_error_new(&error, code, message);
  return refusal != NULL ? refusal : error;
}

static ctorch_error *compute(ctorch_tensor_list **out, ctorch_autograd_context *context, const ctorch_tensor *x) {
  ctorch_tensor *smallest, *y;
  double number = 0;
  CTORCH_TRY(ctorch_aten_min(&smallest, x));
  CTORCH_TRY(ctorch_tensor_item_double(&number, smallest));
  if (!(number > 0)) {
    return refuse(CTORCH_ERROR_VALUE, "positive_log2: a number is not positive");
  }
  CTORCH_TRY(ctorch_autograd_context_save_for_backward(context, CTORCH_TENSORS(x)));
  CTORCH_TRY(ctorch_aten_log2(&y, x));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
}

/* grad / (x ln 2) */
static ctorch_error *differentiate(
    ctorch_tensor_list **out, const ctorch_autograd_context *context, const ctorch_tensor *grad, const bool *broken) {
  ctorch_tensor_list *saved;
  ctorch_tensor *scaled, *result;
  if (*broken) {
    return refuse(CTORCH_ERROR_NOT_IMPLEMENTED, "positive_log2: its backward is out of order today");
  }
  CTORCH_TRY(ctorch_autograd_context_saved_tensors(&saved, context));
  CTORCH_TRY(ctorch_aten_mul_Scalar(&scaled, ctorch_tensor_list_data(saved)[0], CTORCH_FLOAT(0.69314718055994531)));
  CTORCH_TRY(ctorch_aten_div_Tensor(&result, grad, scaled));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(result));
}

/* The callbacks themselves: a scope around the work, out of which only the list of results is kept. */

static ctorch_callback_status forward(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)inputs_len, (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = compute(out, context, inputs[0]);
  }
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_callback_status backward(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_error **error,
    void *payload) {
  (void)grads_len;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = differentiate(out, context, grads[0], payload);
  }
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *apply(ctorch_tensor **out, const ctorch_autograd_function *function, const ctorch_tensor *x) {
  ctorch_tensor_list *outputs;
  CTORCH_TRY(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), NULL, NULL));
  return ctorch_tensor_list_get(out, outputs, 0);
}

/* For gradcheck, which compares a derivative with finite differences. */
static ctorch_callback_status as_function_of_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  *error = ctorch_autograd_function_apply(out, payload, inputs, inputs_len, NULL, NULL);
  return ctorch_callback_finish(error, NULL, NULL);
}

static void show(const char *what, ctorch_error *error) {
  printf("%s: %s, %s\n", what, ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
  ctorch_error_release(error);
}

static void destroy(void *payload) { printf("no longer needed, broken: %d\n", *(const bool *)payload); }

static ctorch_error *run(void) {
  const double numbers[] = {1, 2, 8};
  ctorch_tensor *x, *y, *total, *grad, *negative;
  bool right = false, right_again = false;
  ctorch_autograd_function *function;
  static bool broken = false;
  CTORCH_TRY(ctorch_autograd_function_new(&function, "PositiveLog2", forward, backward, NULL, false, destroy, &broken));
  CTORCH_TRY(ctorch_tensor_from_data(&x, numbers, sizeof numbers, CTORCH_INTS(3), CTORCH_DTYPE_FLOAT64));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(x, true));
  CTORCH_TRY(apply(&y, function, x));
  CTORCH_TRY(ctorch_tensor_print(y, NULL));
  CTORCH_TRY(ctorch_aten_sum(&total, y, NULL));
  CTORCH_TRY(ctorch_tensor_backward(total, NULL, CTORCH_SOME(bool, true), false));
  CTORCH_TRY(ctorch_tensor_grad(&grad, x));
  CTORCH_TRY(ctorch_tensor_print(grad, NULL));

  CTORCH_TRY(ctorch_gradcheck(
      &right, NULL, as_function_of_tensors, function, CTORCH_TENSORS(x), NULL, NULL, NULL, 0, NULL, true, false, false,
      false, NULL, false, false));
  CTORCH_TRY(ctorch_gradcheck_double_backward(
      &right_again, NULL, as_function_of_tensors, function, CTORCH_TENSORS(x), NULL, 0, NULL, NULL, NULL, false, 0,
      NULL, true, false, false, NULL, false, false));
  printf("derivatives: first %s, second %s\n", right ? "right" : "WRONG", right_again ? "right" : "WRONG");

  /* What a callback fails with is what the outer call fails with. */
  CTORCH_TRY(ctorch_aten_neg(&negative, x));
  show("forward fails", apply(&y, function, negative));
  broken = true;
  show("backward fails", ctorch_tensor_backward(total, NULL, NULL, false));
  return NULL;
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
