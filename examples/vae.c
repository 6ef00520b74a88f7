/* A variational autoencoder (Kingma & Welling 2014, arXiv:1312.6114) of handwritten digits (`vae FOLDER`): an encoder gives each
 * image a normal distribution in 4 dimensions, a decoder the image back from a point drawn of it. The loss is what the
 * image lost and how far the distribution is from the standard one. At last it draws digits that nobody wrote. */
#include <ctorch.h>
#include <stdio.h>

#include "perceptron.h"

enum { PIXELS = 64, HIDDEN = 128, LATENT = 4, BATCH = 64, EPOCHS = 20, DRAWN = 4, SIDE = 8 };

typedef struct vae {
  ctorch_module *all, *encoder, *decoder;
  ctorch_optimizer *optimizer;
} vae;

static ctorch_error *vae_new(vae *out) {
  ctorch_tensor_list *params;
  CTORCH_TRY(perceptron_new(&out->encoder, "SiLU", CTORCH_INTS(PIXELS, HIDDEN, 2 * LATENT)));
  CTORCH_TRY(perceptron_new(&out->decoder, "SiLU", CTORCH_INTS(LATENT, HIDDEN, PIXELS)));
  CTORCH_TRY(ctorch_nn_ModuleDict(&out->all));
  CTORCH_TRY(ctorch_module_register_module(out->all, "encoder", out->encoder));
  CTORCH_TRY(ctorch_module_register_module(out->all, "decoder", out->decoder));
  CTORCH_TRY(ctorch_module_parameters(&params, out->all, true));
  return ctorch_optim_Adam(
      &out->optimizer, CTORCH_LIST(params), 3e-3, NULL, 0, 1e-8, 0, false, NULL, false, false, false, NULL, false);
}

/* mean + exp(log_variance / 2) * noise, so that gradients reach both. */
static ctorch_error *draw(ctorch_tensor **out, const ctorch_tensor *mean, const ctorch_tensor *log_variance) {
  ctorch_tensor *deviation, *noise;
  CTORCH_TRY(ctorch_aten_div_Scalar(&deviation, log_variance, CTORCH_INT(2)));
  CTORCH_TRY(ctorch_aten_exp(&deviation, deviation));
  CTORCH_TRY(ctorch_randn_like(&noise, deviation));
  return ctorch_aten_addcmul(out, mean, deviation, noise, NULL);
}

/* The sum over the batch of -1/2 (1 + log_variance - mean^2 - exp(log_variance)). */
static ctorch_error *divergence(ctorch_tensor **out, const ctorch_tensor *mean, const ctorch_tensor *log_variance) {
  ctorch_tensor *x, *y;
  CTORCH_TRY(ctorch_aten_square(&x, mean));
  CTORCH_TRY(ctorch_aten_exp(&y, log_variance));
  CTORCH_TRY(ctorch_add_Tensor(&x, x, y));
  CTORCH_TRY(ctorch_aten_sub_Tensor(&x, x, log_variance, NULL));
  CTORCH_TRY(ctorch_aten_sub_Scalar(&x, x, CTORCH_INT(1), NULL));
  CTORCH_TRY(ctorch_sum(&x, x));
  return ctorch_aten_div_Scalar(out, x, CTORCH_INT(2));
}

static ctorch_error *train_step(double *loss, vae *self, const ctorch_tensor *images) {
  ctorch_tensor *code, *mean, *log_variance, *point, *scores, *lost, *apart, *sum;
  CTORCH_TRY(ctorch_module_forward(&code, self->encoder, images));
  CTORCH_TRY(ctorch_aten_narrow(&mean, code, 1, 0, LATENT));
  CTORCH_TRY(ctorch_aten_narrow(&log_variance, code, 1, LATENT, LATENT));
  CTORCH_TRY(draw(&point, mean, log_variance));
  CTORCH_TRY(ctorch_module_forward(&scores, self->decoder, point));
  CTORCH_TRY(ctorch_aten_binary_cross_entropy_with_logits(&lost, scores, images, NULL, NULL, CTORCH_REDUCTION_SUM));
  CTORCH_TRY(divergence(&apart, mean, log_variance));
  CTORCH_TRY(ctorch_add_Tensor(&sum, lost, apart));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(sum, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  return ctorch_tensor_item_double(loss, sum);
}

/* All images once, in a new order; the mean loss of one. */
static ctorch_error *train_epoch(double *loss, vae *self, const ctorch_tensor *images) {
  int64_t len = ctorch_tensor_sizes(images)[0];
  ctorch_tensor *order;
  *loss = 0;
  CTORCH_TRY(ctorch_randperm(&order, len));
  for (int64_t first = 0; first < len; first += BATCH) {
    ctorch_tensor *chosen, *batch;
    double sum;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = ctorch_aten_narrow(&chosen, order, 0, first, first + BATCH < len ? BATCH : len - first);
    error = error != NULL ? error : ctorch_aten_index_select(&batch, images, 0, chosen);
    error = error != NULL ? error : train_step(&sum, self, batch);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    *loss += sum / (double)len;
  }
  return NULL;
}

/* Digits of random points, beside each other. */
static ctorch_error *print_drawn(const vae *self) {
  ctorch_tensor *x;
  float pixels[DRAWN][SIDE][SIDE];
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(ctorch_randn(&x, CTORCH_INTS(DRAWN, LATENT)));
  CTORCH_TRY(ctorch_module_forward(&x, self->decoder, x));
  CTORCH_TRY(ctorch_aten_sigmoid(&x, x));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(x, pixels, sizeof pixels, CTORCH_DTYPE_FLOAT32));
  for (int row = 0; row < SIDE; row++) {
    for (int image = 0; image < DRAWN; image++) {
      for (int column = 0; column < SIDE; column++) {
        putchar(" .:oO@"[(int)(pixels[image][row][column] * 5.99F)]);
      }
      fputs(image + 1 < DRAWN ? "  " : "\n", stdout);
    }
  }
  return ctorch_grad_mode_pop();
}

/* Images (N, 64), from 0 (paper) to 1 (ink). */
static ctorch_error *read_images(ctorch_tensor **out, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/train-images-idx3-ubyte", folder);
  CTORCH_TRY(ctorch_idx_read_file(out, path));
  CTORCH_REPLACE(out, ctorch_aten_div_Scalar(out, *out, CTORCH_INT(16)));
  return ctorch_aten_flatten_using_ints(out, *out, 1, -1);
}

static ctorch_error *run(const char *folder) {
  vae model;
  ctorch_tensor *images;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(0));
  CTORCH_TRY(read_images(&images, folder));
  CTORCH_TRY(vae_new(&model));
  for (int epoch = 1; epoch <= EPOCHS; epoch++) {
    double loss;
    CTORCH_TRY(train_epoch(&loss, &model, images));
    if (epoch % 5 == 0) {
      printf("epoch %d: loss %.2f\n", epoch, loss);
    }
  }
  return print_drawn(&model);
}

int main(int argc, char **argv) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argc > 1 ? argv[1] : "examples/data");
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
