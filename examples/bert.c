/* BERT (Devlin et al. 2019, arXiv:1810.04805), small: an encoder that sees the bytes on both sides learns to fill gaps in
 * a text (`bert TEXT`, or some sonnets). Of each row 15 % of the bytes are hidden behind a mask, of the loss only those
 * count. The learning rate rises for some steps and then falls linearly. At last it fills the gaps of a line. */
#include <ctorch.h>
#include <stdio.h>

#include "text.h"

enum { BYTES = 256, MASK = BYTES, LEN = 32, WIDTH = 64, HEADS = 4, LAYERS = 2, BATCH = 32, STEPS = 600, REPORT = 200 };

typedef struct network {
  ctorch_module *all, *bytes, *places, *encoder, *scores;
  ctorch_optimizer *optimizer;
  ctorch_lr_scheduler *scheduler;
} network;

static ctorch_error *embedding(ctorch_module **out, int64_t count) {
  ctorch_tensor *weight;
  CTORCH_TRY(ctorch_nn_Embedding(out, count, WIDTH, NULL, NULL, 2.0, false, false, NULL, false, NULL, NULL));
  CTORCH_TRY(ctorch_module_get_parameter(&weight, *out, "weight"));
  return ctorch_init_normal_(weight, 0, 0.03, NULL); /* small at first, as BERT's */
}

static ctorch_error *encoder(ctorch_module **out) {
  ctorch_module *layer, *norm;
  CTORCH_TRY(ctorch_nn_TransformerEncoderLayer(
      &layer, WIDTH, HEADS, 4 * WIDTH, 0.0, "gelu", 1e-5, true, true, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_LayerNorm(&norm, CTORCH_INTS(WIDTH), 1e-5, true, true, NULL, NULL));
  return ctorch_nn_TransformerEncoder(out, layer, LAYERS, norm, false, true);
}

static ctorch_error *network_new(network *out) {
  ctorch_tensor_list *params;
  CTORCH_TRY(embedding(&out->bytes, BYTES + 1));
  CTORCH_TRY(embedding(&out->places, LEN));
  CTORCH_TRY(encoder(&out->encoder));
  CTORCH_TRY(ctorch_nn_Linear(&out->scores, WIDTH, BYTES, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_ModuleDict(&out->all));
  CTORCH_TRY(ctorch_module_register_module(out->all, "bytes", out->bytes));
  CTORCH_TRY(ctorch_module_register_module(out->all, "places", out->places));
  CTORCH_TRY(ctorch_module_register_module(out->all, "encoder", out->encoder));
  CTORCH_TRY(ctorch_module_register_module(out->all, "scores", out->scores));
  CTORCH_TRY(ctorch_module_parameters(&params, out->all, true));
  CTORCH_TRY(ctorch_optim_AdamW(
      &out->optimizer, CTORCH_LIST(params), 3e-3, NULL, 0, 1e-8, 0.01, false, false, NULL, false, false, NULL));
  return ctorch_lr_scheduler_OneCycleLR(
      &out->scheduler, out->optimizer, 3e-3, &(int64_t){STEPS}, NULL, NULL, 0.1, "linear", false, 0.85, 0.95, 25, 1e4,
      false, -1);
}

/* Rows of bytes, (batch, LEN), to scores for each place, (batch, BYTES, LEN). */
static ctorch_error *forward(ctorch_tensor **out, const network *self, const ctorch_tensor *rows) {
  ctorch_tensor *x, *places;
  CTORCH_TRY(ctorch_arange(&places, CTORCH_INT(LEN)));
  CTORCH_TRY(ctorch_module_forward(&places, self->places, places));
  CTORCH_TRY(ctorch_module_forward(&x, self->bytes, rows));
  CTORCH_TRY(ctorch_add_Tensor(&x, x, places));
  CTORCH_TRY(ctorch_nn_TransformerEncoder_forward(&x, self->encoder, x, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_module_forward(&x, self->scores, x));
  return ctorch_aten_transpose_int(out, x, 1, 2);
}

static ctorch_error *train_step(double *loss, const network *self, const ctorch_tensor *text) {
  ctorch_tensor *rows, *chance, *hidden, *seen, *targets, *scores, *mean;
  CTORCH_TRY(text_sample(&rows, text, BATCH, LEN));
  CTORCH_TRY(ctorch_rand(&chance, CTORCH_INTS(BATCH, LEN)));
  CTORCH_TRY(ctorch_aten_lt_Scalar(&hidden, chance, CTORCH_FLOAT(0.15)));
  CTORCH_TRY(ctorch_aten_masked_fill_Scalar(&seen, rows, hidden, CTORCH_INT(MASK)));
  CTORCH_TRY(ctorch_aten_bitwise_not(&hidden, hidden));
  CTORCH_TRY(ctorch_aten_masked_fill_Scalar(&targets, rows, hidden, CTORCH_INT(-100))); /* which the loss ignores */
  CTORCH_TRY(forward(&scores, self, seen));
  CTORCH_TRY(ctorch_cross_entropy_loss(&mean, scores, targets, NULL));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(mean, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  CTORCH_TRY(ctorch_lr_scheduler_step(self->scheduler));
  return ctorch_tensor_item_double(loss, mean);
}

/* The beginning of the text, every seventh byte of it hidden, and what the model puts there. */
static ctorch_error *fill(const network *self, const ctorch_tensor *text) {
  ctorch_tensor *row, *scores, *best;
  int64_t before[LEN], bytes[LEN], found[LEN];
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(ctorch_aten_narrow(&row, text, 0, 0, LEN));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(row, before, sizeof before, CTORCH_DTYPE_INT64));
  for (int i = 0; i < LEN; i++) {
    bytes[i] = i % 7 == 3 ? MASK : before[i];
  }
  CTORCH_TRY(ctorch_tensor_from_data(&row, bytes, sizeof bytes, CTORCH_INTS(1, LEN), CTORCH_DTYPE_INT64));
  CTORCH_TRY(forward(&scores, self, row));
  CTORCH_TRY(ctorch_aten_argmax(&best, scores, &(int64_t){1}, false));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(best, found, sizeof found, CTORCH_DTYPE_INT64));
  for (int line = 0; line < 2; line++) {
    for (int i = 0; i < LEN; i++) {
      int64_t byte = bytes[i] != MASK ? bytes[i] : line == 0 ? '_' : found[i];
      putchar(byte == '\n' ? '/' : (int)byte);
    }
    putchar('\n');
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
  return fill(&net, text);
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
