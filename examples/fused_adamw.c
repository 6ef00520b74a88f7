/* An optimizer of one's own: AdamW over the operator that torch.optim.AdamW(fused=True) calls. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARAMETERS = 2, STEPS = 3 };

/* What AdamW keeps, for each parameter a tensor in each list. */
typedef struct {
  ctorch_tensor *parameters[PARAMETERS], *grads[PARAMETERS];
  ctorch_tensor *exp_avgs[PARAMETERS], *exp_avg_sqs[PARAMETERS]; /* begin as zeros like the parameters */
  ctorch_tensor *steps[PARAMETERS];                              /* begin as zeros: float32, no dimensions */
} adamw;

/* One step: the operator divides by 1 - beta^step and does not count, so the steps are counted first. */
static ctorch_error *adamw_step(adamw *self) {
  CTORCH_TRY(ctorch_aten__foreach_add__Scalar(self->steps, PARAMETERS, CTORCH_INT(1)));
  return ctorch_aten__fused_adamw_(
      self->parameters, PARAMETERS, self->grads, PARAMETERS, self->exp_avgs, PARAMETERS, self->exp_avg_sqs, PARAMETERS,
      NULL, 0, /* max_exp_avg_sqs, with amsgrad alone */
      ctorch_const_tensors(self->steps), PARAMETERS, 0.1 /* lr */, 0.9, 0.999 /* betas */, 0.01 /* weight_decay */,
      1e-8 /* eps */, false /* amsgrad */, false /* maximize */, NULL /* grad_scale */, NULL /* found_inf */);
}

static ctorch_error *begin(adamw *self) {
  CTORCH_TRY(ctorch_tensor_from_data(
      &self->parameters[0], (float[]){1, 2, 3}, 3 * sizeof(float), CTORCH_INTS(3), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_ones(&self->parameters[1], CTORCH_INTS(2, 2)));
  for (size_t i = 0; i < PARAMETERS; i++) {
    CTORCH_TRY(ctorch_tensor_set_requires_grad(self->parameters[i], true));
    CTORCH_TRY(ctorch_zeros_like(&self->exp_avgs[i], self->parameters[i]));
    CTORCH_TRY(ctorch_zeros_like(&self->exp_avg_sqs[i], self->parameters[i]));
    CTORCH_TRY(ctorch_zeros(&self->steps[i], NULL, 0));
  }
  return NULL;
}

/* The loss is the sum of the cubes of all parameters. */
static ctorch_error *backward(adamw *self) {
  for (size_t i = 0; i < PARAMETERS; i++) {
    ctorch_tensor *cubes, *loss;
    CTORCH_TRY(ctorch_aten_pow_Tensor_Scalar(&cubes, self->parameters[i], CTORCH_INT(3)));
    CTORCH_TRY(ctorch_sum(&loss, cubes));
    CTORCH_TRY(ctorch_tensor_set_grad(self->parameters[i], NULL)); /* zero_grad */
    CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
    CTORCH_TRY(ctorch_tensor_grad(&self->grads[i], self->parameters[i]));
  }
  return adamw_step(self);
}

static ctorch_error *run(void) {
  adamw self = {0};
  CTORCH_TRY(begin(&self));
  for (int step = 0; step < STEPS; step++) {
    ctorch_scope *scope = NULL; /* what a step makes is gone after it */
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = backward(&self);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
  }
  for (size_t i = 0; i < PARAMETERS; i++) {
    CTORCH_TRY(ctorch_tensor_print(self.parameters[i], NULL));
  }
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
