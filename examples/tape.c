/* Tapes: a training step that runs once, and is replayed without dispatch, allocations and autograd. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEATURES = 4, HIDDEN = 8, BATCH = 16, STEPS = 200 };

struct training {
  ctorch_module *model;
  ctorch_optimizer *optimizer;
  ctorch_tensor *loss; /* of the last step */
};

/* Whatever a step calls is noted while it is captured: nothing here knows of that. */
static ctorch_error *step(struct training *self, const ctorch_tensor *x, const ctorch_tensor *y) {
  ctorch_tensor *guess, *loss;
  CTORCH_TRY(ctorch_module_forward(&guess, self->model, x));
  CTORCH_TRY(ctorch_aten_mse_loss(&loss, guess, y, 1));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  return ctorch_aten_detach(&self->loss, loss);
}

/* Points, and the sum of their squares. */
static ctorch_error *draw(ctorch_tensor **x, ctorch_tensor **y) {
  ctorch_tensor *squares;
  CTORCH_TRY(ctorch_aten_rand(x, CTORCH_INTS(BATCH, FEATURES), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_square(&squares, *x));
  return ctorch_aten_sum_dim_IntList(y, squares, CTORCH_INTS(1), true, NULL);
}

/* The first step makes the optimizer's state, the second is captured, and the others are replays. */
static ctorch_error *train(struct training *self) {
  ctorch_tensor *x, *y;
  ctorch_tape *tape;
  double loss = 0;
  CTORCH_TRY(draw(&x, &y));
  CTORCH_TRY(step(self, x, y));
  CTORCH_TRY(draw(&x, &y));
  CTORCH_TRY(ctorch_tape_begin(&tape, CTORCH_TENSORS(x, y), false, false));
  CTORCH_TRY(step(self, x, y));
  CTORCH_TRY(ctorch_tape_end(tape, CTORCH_TENSORS(self->loss)));
  for (int i = 2; i < STEPS; i++) {
    CTORCH_TRY(draw(&x, &y));
    CTORCH_TRY(ctorch_tape_replay(tape, CTORCH_TENSORS(x, y)));
    if (i % 50 == 49) {
      CTORCH_TRY(ctorch_tensor_item_double(&loss, self->loss)); /* the same tensor, with each step's loss */
      printf("step %d: loss %.6f\n", i + 1, loss);
    }
  }
  return NULL;
}

static ctorch_error *run(void) {
  struct training training;
  ctorch_module *layer;
  ctorch_tensor_list *parameters;
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(ctorch_nn_Sequential(&training.model));
  CTORCH_TRY(ctorch_nn_Linear(&layer, FEATURES, HIDDEN, true, NULL, NULL));
  CTORCH_TRY(ctorch_module_append(training.model, layer));
  CTORCH_TRY(ctorch_nn_Tanh(&layer));
  CTORCH_TRY(ctorch_module_append(training.model, layer));
  CTORCH_TRY(ctorch_nn_Linear(&layer, HIDDEN, 1, true, NULL, NULL));
  CTORCH_TRY(ctorch_module_append(training.model, layer));
  CTORCH_TRY(ctorch_module_parameters(&parameters, training.model, true));
  CTORCH_TRY(
      ctorch_optim_SGD(&training.optimizer, CTORCH_LIST(parameters), 0.05, 0.9, 0, 0, false, false, NULL, false, NULL));
  return train(&training);
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
