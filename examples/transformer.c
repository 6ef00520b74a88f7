/* A Transformer (Vaswani et al. 2017) of modules that learns to turn a row of digits around: `3 1 4 1` becomes `1 4 1 3`.
 * Embeddings of digits and of places go through an encoder; a linear layer gives each place a score for every digit. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>

enum { DIGITS = 10, PLACES = 6, WIDTH = 32, HEADS = 4, LAYERS = 2, BATCH = 64, STEPS = 60, REPORT = 20 };

typedef struct network {
  ctorch_module *all, *digits, *places, *encoder, *scores;
  ctorch_tensor_list *params;
  ctorch_optimizer *optimizer;
} network;

static ctorch_error *embedding(ctorch_module **out, int64_t count) {
  return ctorch_nn_Embedding(out, count, WIDTH, NULL, NULL, 2.0, false, false, NULL, false, NULL, NULL);
}

/* The encoder makes copies of the layer, so that each has parameters of its own. */
static ctorch_error *encoder(ctorch_module **out) {
  ctorch_module *layer;
  CTORCH_TRY(ctorch_nn_TransformerEncoderLayer(
      &layer, WIDTH, HEADS, 4 * WIDTH, 0.0, "gelu", 1e-5, true, true, true, NULL, NULL));
  return ctorch_nn_TransformerEncoder(out, layer, LAYERS, NULL, false, true);
}

static ctorch_error *network_new(network *out) {
  CTORCH_TRY(embedding(&out->digits, DIGITS));
  CTORCH_TRY(embedding(&out->places, PLACES));
  CTORCH_TRY(encoder(&out->encoder));
  CTORCH_TRY(ctorch_nn_Linear(&out->scores, WIDTH, DIGITS, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_ModuleDict(&out->all)); /* what is trained, printed and saved together */
  CTORCH_TRY(ctorch_module_register_module(out->all, "digits", out->digits));
  CTORCH_TRY(ctorch_module_register_module(out->all, "places", out->places));
  CTORCH_TRY(ctorch_module_register_module(out->all, "encoder", out->encoder));
  CTORCH_TRY(ctorch_module_register_module(out->all, "scores", out->scores));
  CTORCH_TRY(ctorch_module_parameters(&out->params, out->all, true));
  return ctorch_optim_AdamW(
      &out->optimizer, CTORCH_LIST(out->params), 3e-3, CTORCH_DOUBLES(0.9, 0.98), 1e-8, 0.01, false, false, NULL, false,
      false, NULL);
}

/* Rows of digits, (batch, PLACES), to scores, (batch, DIGITS, PLACES). */
static ctorch_error *forward(ctorch_tensor **out, const network *net, const ctorch_tensor *rows) {
  ctorch_tensor *x, *places;
  CTORCH_TRY(ctorch_arange(&places, CTORCH_INT(PLACES)));
  CTORCH_REPLACE(&places, ctorch_module_forward(&places, net->places, places));
  CTORCH_TRY(ctorch_module_forward(&x, net->digits, rows));
  CTORCH_REPLACE(&x, ctorch_aten_add_Tensor(&x, x, places, NULL));
  CTORCH_REPLACE(&x, ctorch_nn_TransformerEncoder_forward(&x, net->encoder, x, NULL, NULL, NULL));
  CTORCH_REPLACE(&x, ctorch_module_forward(&x, net->scores, x));
  return ctorch_aten_transpose_int(out, x, 1, 2);
}

static ctorch_error *train_step(double *out, network *net) {
  ctorch_tensor *rows, *turned, *scores, *loss;
  CTORCH_TRY(ctorch_randint(&rows, DIGITS, CTORCH_INTS(BATCH, PLACES)));
  CTORCH_TRY(ctorch_aten_flip(&turned, rows, CTORCH_INTS(1)));
  CTORCH_TRY(forward(&scores, net, rows));
  CTORCH_TRY(ctorch_cross_entropy_loss(&loss, scores, turned, NULL));
  CTORCH_TRY(ctorch_optimizer_zero_grad(net->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(net->optimizer));
  return ctorch_tensor_item_double(out, loss);
}

static ctorch_error *show(network *net) {
  int64_t row[PLACES], turned[PLACES];
  ctorch_tensor *rows, *scores, *best;
  CTORCH_TRY(ctorch_module_train(net->all, false)); /* without gradients it takes PyTorch's fast path */
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(ctorch_randint(&rows, DIGITS, CTORCH_INTS(1, PLACES)));
  CTORCH_TRY(forward(&scores, net, rows));
  CTORCH_TRY(ctorch_aten_argmax(&best, scores, CTORCH_SOME(int64_t, 1), false));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(rows, row, sizeof row, CTORCH_DTYPE_INT64));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(best, turned, sizeof turned, CTORCH_DTYPE_INT64));
  for (int i = 0; i < PLACES; i++) {
    printf("%" PRId64 " ", row[i]);
  }
  printf("becomes");
  for (int i = 0; i < PLACES; i++) {
    printf(" %" PRId64, turned[i]);
  }
  puts("");
  return ctorch_grad_mode_pop();
}

static ctorch_error *run(void) {
  network net;
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(network_new(&net));
  printf("%zu parameters\n", ctorch_tensor_list_len(net.params));
  for (int step = 1; step <= STEPS; step++) {
    double loss = 0;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = train_step(&loss, &net);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (step % REPORT == 0) {
      printf("step %d: loss %.2f\n", step, loss);
    }
  }
  return show(&net);
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
