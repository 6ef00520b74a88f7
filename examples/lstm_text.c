/* A recurrent network that learns a text byte by byte (`lstm_text TEXT`, or some sonnets), and then writes one. Two
 * layers of LSTM (Hochreiter & Schmidhuber 1997) read the bytes one after another; a linear layer scores what comes next.
 * Gradients are clipped (Pascanu et al. 2013), and the learning rate falls along a cosine. */
#include <ctorch.h>
#include <stdio.h>

#include "text.h"

enum {
  BYTES = 256,
  WIDTH = 32,
  HIDDEN = 128,
  LAYERS = 2,
  BATCH = 16,
  LEN = 64,
  STEPS = 200,
  REPORT = 50,
  SAMPLE = 200
};

typedef struct network {
  ctorch_module *all, *embedding, *lstm, *scores;
  ctorch_tensor_list *params;
  ctorch_optimizer *optimizer;
  ctorch_lr_scheduler *scheduler;
} network;

static ctorch_error *network_new(network *out) {
  CTORCH_TRY(
      ctorch_nn_Embedding(&out->embedding, BYTES, WIDTH, NULL, NULL, 2.0, false, false, NULL, false, NULL, NULL));
  CTORCH_TRY(ctorch_nn_LSTM(&out->lstm, WIDTH, HIDDEN, LAYERS, true, true, 0, false, 0, NULL, NULL));
  CTORCH_TRY(ctorch_nn_Linear(&out->scores, HIDDEN, BYTES, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_ModuleDict(&out->all));
  CTORCH_TRY(ctorch_module_register_module(out->all, "embedding", out->embedding));
  CTORCH_TRY(ctorch_module_register_module(out->all, "lstm", out->lstm));
  CTORCH_TRY(ctorch_module_register_module(out->all, "scores", out->scores));
  CTORCH_TRY(ctorch_module_parameters(&out->params, out->all, true));
  CTORCH_TRY(ctorch_optim_AdamW(
      &out->optimizer, CTORCH_LIST(out->params), 1e-2, NULL, 0, 1e-8, 0.01, false, false, NULL, false, false, NULL));
  return ctorch_lr_scheduler_CosineAnnealingLR(&out->scheduler, out->optimizer, STEPS, 1e-3, -1);
}

/* Bytes, (batch, len), to scores of the next ones, (batch, len, BYTES); `state` is h and c, changed. */
static ctorch_error *forward(
    ctorch_tensor **out, const network *self, const ctorch_tensor *bytes, ctorch_tensor *state[2]) {
  ctorch_tensor *x, *h, *c;
  CTORCH_TRY(ctorch_module_forward(&x, self->embedding, bytes));
  CTORCH_TRY(ctorch_nn_LSTM_forward(
      &x, &h, &c, self->lstm, x, state[0] == NULL ? NULL : ctorch_const_tensors(state), state[0] == NULL ? 0 : 2));
  state[0] = h;
  state[1] = c;
  return ctorch_module_forward(out, self->scores, x);
}

static ctorch_error *train_step(double *loss, const network *self, const ctorch_tensor *text) {
  ctorch_tensor *bytes, *targets, *scores, *mean, *norm, *state[2] = {NULL};
  CTORCH_TRY(text_sample(&bytes, text, BATCH, LEN + 1));
  CTORCH_TRY(ctorch_aten_narrow(&targets, bytes, 1, 1, LEN));
  CTORCH_TRY(ctorch_aten_narrow(&bytes, bytes, 1, 0, LEN));
  CTORCH_TRY(forward(&scores, self, bytes, state));
  CTORCH_TRY(ctorch_aten_transpose_int(&scores, scores, 1, 2)); /* the classes come second */
  CTORCH_TRY(ctorch_cross_entropy_loss(&mean, scores, targets, NULL));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(mean, NULL, NULL, false));
  CTORCH_TRY(ctorch_utils_clip_grad_norm_(&norm, CTORCH_LIST(self->params), 1, 2, false, NULL));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  CTORCH_TRY(ctorch_lr_scheduler_step(self->scheduler));
  return ctorch_tensor_item_double(loss, mean);
}

/* Let it go on after "\n": it remembers what it has read, so that it is given one byte at a time. */
static ctorch_error *write_on(const network *self) {
  ctorch_tensor *byte, *scores, *state[2] = {NULL};
  int64_t value = '\n';
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(ctorch_tensor_from_data(&byte, &value, sizeof value, CTORCH_INTS(1, 1), CTORCH_DTYPE_INT64));
  for (int i = 0; i < SAMPLE; i++) {
    CTORCH_TRY(forward(&scores, self, byte, state));
    CTORCH_TRY(ctorch_aten_select_int(&scores, scores, 1, 0));
    CTORCH_TRY(text_draw(&byte, scores, 0.8, 40));
    CTORCH_TRY(ctorch_tensor_item_int64(&value, byte));
    putchar((int)value);
  }
  return ctorch_grad_mode_pop();
}

static ctorch_error *run(const char *path) {
  network net;
  ctorch_tensor *text;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(text_read(&text, path));
  CTORCH_TRY(network_new(&net));
  for (int step = 1; step <= STEPS; step++) {
    double loss;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = train_step(&loss, &net, text);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (step % REPORT == 0) {
      printf("step %d: loss %.3f\n", step, loss);
    }
  }
  return write_on(&net);
}

int main(int argc, char **argv) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argc > 1 ? argv[1] : "examples/data/sonnets.txt");
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
