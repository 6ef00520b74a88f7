/* A GPT, small: it learns a text byte by byte (`gpt TEXT STEPS`, or some sonnets), and then writes one: the 40 likeliest bytes
 * alone, at a temperature of 0.8. It has GPT-2's blocks (Radford et al. 2019), without parameters in the norms: causal
 * self-attention and a perceptron, each behind a layer norm and beside a shortcut, over embeddings of bytes and places.
 * The former read the answer too. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

enum {
  BYTES = 256,
  CONTEXT = 64,
  WIDTH = 64,
  HEADS = 4,
  BLOCKS = 2,
  BATCH = 16,
  STEPS = 200,
  SAMPLE = 200,
  TOP_K = 40
};

/* The parameters: those of each block, then the others. */
enum { QKV, PROJECTION, WIDEN, NARROW, BLOCK_LEN };
enum { EMBEDDING = BLOCKS * BLOCK_LEN, PLACES, PARAMETERS };

typedef struct gpt {
  ctorch_tensor *params[PARAMETERS];
  ctorch_optimizer *optimizer;
} gpt;

static ctorch_error *gpt_new(gpt *out) {
  const int64_t block_rows[BLOCK_LEN] = {3 * WIDTH, WIDTH, 4 * WIDTH, WIDTH};
  for (int i = 0; i < PARAMETERS; i++) {
    const int64_t rows = i == EMBEDDING ? BYTES : i == PLACES ? CONTEXT : block_rows[i % BLOCK_LEN];
    const int64_t columns = i < EMBEDDING && i % BLOCK_LEN == NARROW ? 4 * WIDTH : WIDTH;
    CTORCH_TRY(ctorch_randn(&out->params[i], CTORCH_INTS(rows, columns)));
    CTORCH_TRY(ctorch_aten_mul__Scalar(out->params[i], CTORCH_FLOAT(0.08)));
    CTORCH_TRY(ctorch_tensor_set_requires_grad(out->params[i], true));
  }
  return ctorch_optim_AdamW(
      &out->optimizer, out->params, PARAMETERS, 3e-3, CTORCH_DOUBLES(0.9, 0.95), 1e-8, 0.1, false, false, NULL, false,
      false, NULL);
}

/* Scores of the byte after each place: of a batch of texts, (batch, len, BYTES). */
static ctorch_error *forward(ctorch_tensor **out, const gpt *self, const ctorch_tensor *bytes) {
  const int64_t batch = ctorch_tensor_sizes(bytes)[0], len = ctorch_tensor_sizes(bytes)[1];
  ctorch_tensor *const *params = self->params, *x, *y;
  ctorch_tensor_list *parts;
  CTORCH_TRY(ctorch_embedding(&x, params[EMBEDDING], bytes));
  CTORCH_TRY(ctorch_aten_narrow(&y, params[PLACES], 0, 0, len));
  CTORCH_REPLACE(&x, ctorch_add_Tensor(&x, x, y));
  for (ctorch_tensor *const *block = params; block != params + EMBEDDING; block += BLOCK_LEN) {
    CTORCH_TRY(ctorch_layer_norm(&y, x, CTORCH_INTS(WIDTH), NULL, NULL));
    CTORCH_REPLACE(&y, ctorch_aten_linear(&y, y, block[QKV], NULL));
    CTORCH_REPLACE(&y, ctorch_aten_view(&y, y, CTORCH_INTS(batch, len, 3, HEADS, WIDTH / HEADS)));
    CTORCH_REPLACE(&y, ctorch_aten_permute(&y, y, CTORCH_INTS(2, 0, 3, 1, 4)));
    CTORCH_TRY(ctorch_unbind_int(&parts, y));
    const ctorch_tensor *const *qkv = ctorch_tensor_list_data(parts);
    CTORCH_TRY(ctorch_aten_scaled_dot_product_attention(&y, qkv[0], qkv[1], qkv[2], NULL, 0, true, NULL, false));
    CTORCH_REPLACE(&y, ctorch_aten_transpose_int(&y, y, 1, 2));
    CTORCH_REPLACE(&y, ctorch_aten_reshape(&y, y, CTORCH_INTS(batch, len, WIDTH)));
    CTORCH_REPLACE(&y, ctorch_aten_linear(&y, y, block[PROJECTION], NULL));
    CTORCH_REPLACE(&x, ctorch_add_Tensor(&x, x, y));
    CTORCH_REPLACE(&y, ctorch_layer_norm(&y, x, CTORCH_INTS(WIDTH), NULL, NULL));
    CTORCH_REPLACE(&y, ctorch_aten_linear(&y, y, block[WIDEN], NULL));
    CTORCH_REPLACE(&y, ctorch_gelu(&y, y));
    CTORCH_REPLACE(&y, ctorch_aten_linear(&y, y, block[NARROW], NULL));
    CTORCH_REPLACE(&x, ctorch_add_Tensor(&x, x, y));
  }
  CTORCH_REPLACE(&x, ctorch_layer_norm(&x, x, CTORCH_INTS(WIDTH), NULL, NULL));
  return ctorch_aten_linear(out, x, params[EMBEDDING], NULL);
}

static ctorch_error *train_step(double *loss, gpt *self, const ctorch_tensor *text) {
  ctorch_tensor *bytes, *targets, *scores, *mean;
  CTORCH_TRY(text_sample(&bytes, text, BATCH, CONTEXT + 1));
  CTORCH_TRY(ctorch_aten_narrow(&targets, bytes, 1, 1, CONTEXT));
  CTORCH_TRY(ctorch_aten_narrow(&bytes, bytes, 1, 0, CONTEXT));
  CTORCH_TRY(forward(&scores, self, bytes));
  CTORCH_TRY(ctorch_aten_transpose_int(&scores, scores, 1, 2)); /* the classes come second */
  CTORCH_TRY(ctorch_cross_entropy_loss(&mean, scores, targets, NULL));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(mean, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  return ctorch_tensor_item_double(loss, mean);
}

/* Let the model go on after "\n", a byte at a time. */
static ctorch_error *write_on(const gpt *self) {
  ctorch_tensor *text, *seen, *scores, *next;
  int64_t byte = '\n';
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(ctorch_tensor_from_data(&text, &byte, sizeof byte, CTORCH_INTS(1, 1), CTORCH_DTYPE_INT64));
  for (int i = 0; i < SAMPLE; i++) {
    CTORCH_TRY(ctorch_tensor_index_text(&seen, text, ":, -64:", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
    CTORCH_TRY(forward(&scores, self, seen));
    CTORCH_TRY(ctorch_aten_select_int(&scores, scores, 1, -1));
    CTORCH_TRY(text_draw(&next, scores, 0.8, TOP_K));
    CTORCH_TRY(ctorch_tensor_item_int64(&byte, next));
    CTORCH_REPLACE(&text, ctorch_aten_cat(&text, CTORCH_TENSORS(text, next), 1));
    putchar((int)byte);
  }
  return NULL;
}

static ctorch_error *run(const char *path, int steps) {
  gpt model;
  ctorch_tensor *text;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(text_read(&text, path));
  CTORCH_TRY(gpt_new(&model));
  for (int step = 1; step <= steps; step++) {
    double loss;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = train_step(&loss, &model, text);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (step % 50 == 0 || steps < 50) {
      printf("step %d: loss %.3f\n", step, loss);
    }
  }
  return write_on(&model);
}

int main(int argc, char **argv) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argc > 1 ? argv[1] : "examples/data/sonnets.txt", argc > 2 ? atoi(argv[2]) : STEPS);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
