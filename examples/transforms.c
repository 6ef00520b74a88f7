/* Transforms of functions: the gradient of each sample, Jacobians and Hessians (torch.func).
 *
 * A transform is given a function from tensors to tensors, and calls it once with wrapped tensors. Transforms nest,
 * because a function may itself use one: the map of a gradient is the gradient of each sample. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

/* loss(weight, x, y) = (weight . x - y)^2, for one sample. */
static ctorch_error *compute_loss(
    ctorch_tensor_list **out, const ctorch_tensor *weight, const ctorch_tensor *x, const ctorch_tensor *y) {
  ctorch_tensor *prediction, *difference, *square;
  CTORCH_TRY(ctorch_aten_dot(&prediction, weight, x));
  CTORCH_TRY(ctorch_aten_sub_Tensor(&difference, prediction, y, NULL));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&square, difference, difference));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(square));
}

/* curve(x) = (x0 x1, sin x0) */
static ctorch_error *compute_curve(ctorch_tensor_list **out, const ctorch_tensor *x) {
  ctorch_tensor *first, *second, *product, *sine, *both;
  CTORCH_TRY(ctorch_aten_select_int(&first, x, 0, 0));
  CTORCH_TRY(ctorch_aten_select_int(&second, x, 0, 1));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&product, first, second));
  CTORCH_TRY(ctorch_aten_sin(&sine, first));
  CTORCH_TRY(ctorch_aten_stack(&both, CTORCH_TENSORS(product, sine), 0));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(both));
}

/* The same as callbacks: a scope around the work, the list kept. */

static ctorch_callback_status loss(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)inputs_len, (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = compute_loss(out, inputs[0], inputs[1], inputs[2]);
  }
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_callback_status curve(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)inputs_len, (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = compute_curve(out, inputs[0]);
  }
  return ctorch_callback_finish(error, scope, *out);
}

/* The gradient of the loss by the weight, the first input: a function of the same inputs. */
static ctorch_callback_status loss_gradient(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  *error = ctorch_func_grad(out, NULL, loss, payload, inputs, inputs_len, CTORCH_DEFAULT_LIST, 0);
  return ctorch_callback_finish(error, NULL, NULL);
}

static ctorch_error *print(const char *name, const ctorch_tensor_list *list) {
  printf("%s\n", name);
  return ctorch_tensor_print(ctorch_tensor_list_data(list)[0], NULL);
}

static ctorch_error *run(void) {
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  ctorch_tensor *weight, *x, *y, *point;
  ctorch_tensor_list *each, *gradients, *jacobian, *forward_jacobian, *hessian;
  bool same = false;
  CTORCH_TRY(ctorch_tensor_from_data(&weight, numbers, 2 * sizeof *numbers, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_tensor_from_data(&x, numbers, sizeof numbers, CTORCH_INTS(3, 2), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_tensor_from_data(&y, numbers, 3 * sizeof *numbers, CTORCH_INTS(3), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_tensor_from_data(&point, numbers, 2 * sizeof *numbers, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT32));

  /* One weight for all samples, x and y mapped over their rows. */
  CTORCH_TRY(ctorch_func_vmap(
      &each, loss, NULL, CTORCH_TENSORS(weight, x, y), CTORCH_INTS(CTORCH_VMAP_UNMAPPED, 0, 0), CTORCH_DEFAULT_LIST,
      CTORCH_RANDOMNESS_ERROR, NULL));
  CTORCH_TRY(print("loss of each sample", each));
  CTORCH_TRY(ctorch_func_vmap(
      &gradients, loss_gradient, NULL, CTORCH_TENSORS(weight, x, y), CTORCH_INTS(CTORCH_VMAP_UNMAPPED, 0, 0),
      CTORCH_DEFAULT_LIST, CTORCH_RANDOMNESS_ERROR, NULL));
  CTORCH_TRY(print("gradient of each sample", gradients));

  CTORCH_TRY(ctorch_func_jacrev(&jacobian, NULL, curve, NULL, CTORCH_TENSORS(point), CTORCH_DEFAULT_LIST, 0, NULL));
  CTORCH_TRY(print("Jacobian", jacobian));
  CTORCH_TRY(ctorch_func_jacfwd(
      &forward_jacobian, NULL, curve, NULL, CTORCH_TENSORS(point), CTORCH_DEFAULT_LIST, 0, CTORCH_RANDOMNESS_ERROR,
      NULL));
  CTORCH_TRY(ctorch_aten_allclose(
      &same, ctorch_tensor_list_data(jacobian)[0], ctorch_tensor_list_data(forward_jacobian)[0], 1e-5, 1e-8, false));
  printf("the same by forward mode: %s\n", same ? "true" : "false");
  CTORCH_TRY(ctorch_func_hessian(&hessian, curve, NULL, CTORCH_TENSORS(point), CTORCH_DEFAULT_LIST));
  return print("Hessian", hessian);
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
