/* Gradients: backward, second derivatives, code that is not recorded, and hooks.
 *
 * The function is y = sum(x^3), whose derivatives are 3 x^2 and 6 x. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

static ctorch_error *leaf(ctorch_tensor **out) {
  const float numbers[] = {1, 2, 3};
  CTORCH_TRY(ctorch_tensor_from_data(out, numbers, sizeof numbers, CTORCH_INTS(3), CTORCH_DTYPE_FLOAT32));
  return ctorch_tensor_set_requires_grad(*out, true);
}

static ctorch_error *sum_of_cubes(ctorch_tensor **out, const ctorch_tensor *x) {
  ctorch_tensor *cubes;
  CTORCH_TRY(ctorch_aten_pow_Tensor_Scalar(&cubes, x, CTORCH_INT(3)));
  return ctorch_aten_sum(out, cubes, NULL);
}

static ctorch_error *print(const char *name, const ctorch_tensor *x) {
  printf("%s ", name);
  return ctorch_tensor_print(x, NULL);
}

/* Backward accumulates: a second one adds to the gradient, which is forgotten before the next step. */
static ctorch_error *accumulate(void) {
  ctorch_tensor *x, *y, *grad;
  CTORCH_TRY(leaf(&x));
  for (int step = 1; step <= 2; step++) {
    CTORCH_TRY(sum_of_cubes(&y, x));
    CTORCH_TRY(ctorch_tensor_backward(y, NULL, NULL, false));
    CTORCH_TRY(ctorch_tensor_grad(&grad, x));
    CTORCH_TRY(print(step == 1 ? "after one backward:" : "after two:", grad));
  }
  CTORCH_TRY(ctorch_tensor_set_grad(x, NULL));
  CTORCH_TRY(ctorch_tensor_grad(&grad, x));
  printf("forgotten: %s\n", grad == NULL ? "None" : "still there");
  return NULL;
}

/* ctorch_autograd_grad hands gradients over. With `create_graph` it records them, so that they can be differentiated. */
static ctorch_error *differentiate_twice(void) {
  ctorch_tensor *x, *y, *total;
  ctorch_tensor_list *first, *second;
  CTORCH_TRY(leaf(&x));
  CTORCH_TRY(sum_of_cubes(&y, x));
  const bool create_graph = true;
  CTORCH_TRY(ctorch_autograd_grad(
      &first, CTORCH_TENSORS(y), CTORCH_TENSORS(x), CTORCH_DEFAULT_LIST, NULL, create_graph, NULL, false, false));
  const ctorch_tensor *slope = ctorch_tensor_list_data(first)[0];
  CTORCH_TRY(print("first derivative:", slope));
  CTORCH_TRY(ctorch_aten_sum(&total, slope, NULL));
  CTORCH_TRY(ctorch_autograd_grad(
      &second, CTORCH_TENSORS(total), CTORCH_TENSORS(x), CTORCH_DEFAULT_LIST, NULL, false, NULL, false, false));
  return print("second derivative:", ctorch_tensor_list_data(second)[0]);
}

/* A mode belongs to its thread, and is popped whether the code inside succeeded or not. */
static ctorch_error *without_recording(void) {
  ctorch_tensor *x, *y;
  CTORCH_TRY(leaf(&x));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = sum_of_cubes(&y, x);
  ctorch_error *unmatched = ctorch_grad_mode_pop();
  if (error != NULL) {
    ctorch_error_release(unmatched);
    return error;
  }
  printf("recorded: %s\n", ctorch_tensor_requires_grad(y) ? "true" : "false");
  return unmatched;
}

/* A hook sees a gradient on its way, and may put another in its place: here none is above 10. */
static ctorch_callback_status clip(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  if ((*error = print("the hook sees", grad)) == NULL) {
    *error = ctorch_aten_clamp(out, grad, NULL, CTORCH_INT(*(const int64_t *)payload));
  }
  return ctorch_callback_finish(error, NULL, NULL);
}

static ctorch_error *clip_by_a_hook(void) {
  int64_t largest = 10;
  ctorch_tensor *x, *y, *grad;
  ctorch_hook *hook;
  CTORCH_TRY(leaf(&x));
  CTORCH_TRY(sum_of_cubes(&y, x));
  CTORCH_TRY(ctorch_tensor_register_hook(&hook, x, clip, NULL, &largest));
  CTORCH_TRY(ctorch_tensor_backward(y, NULL, NULL, false));
  CTORCH_TRY(ctorch_tensor_grad(&grad, x));
  ctorch_hook_remove(hook);
  return print("clipped:", grad);
}

static ctorch_error *run(void) {
  CTORCH_TRY(accumulate());
  CTORCH_TRY(differentiate_twice());
  CTORCH_TRY(without_recording());
  return clip_by_a_hook();
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
