/* A generative adversarial network (Goodfellow et al. 2014, arXiv:1406.2661): a generator makes points of noise, a
 * discriminator tells them from points near a circle, and each learns from the other, until the generator's lie on the
 * circle too. It prints how far from it they are, and draws them. */
#include <ctorch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "perceptron.h"

enum { NOISE = 4, HIDDEN = 64, BATCH = 128, STEPS = 1500, REPORT = 500, ROWS = 13, COLUMNS = 26 };
static const double radius = 1, spread = 0.05;

typedef struct player {
  ctorch_module *net;
  ctorch_optimizer *optimizer;
} player;

static ctorch_error *player_new(player *out, int64_t from, int64_t to) {
  ctorch_tensor_list *params;
  CTORCH_TRY(perceptron_new(&out->net, "SiLU", CTORCH_INTS(from, HIDDEN, HIDDEN, to)));
  CTORCH_TRY(ctorch_module_parameters(&params, out->net, true));
  return ctorch_optim_Adam(
      &out->optimizer, CTORCH_LIST(params), 1e-3, CTORCH_DOUBLES(0.5, 0.999), 1e-8, 0, false, NULL, false, false, false,
      NULL, false);
}

/* Points near the circle, (BATCH, 2). */
static ctorch_error *real_points(ctorch_tensor **out) {
  ctorch_tensor *angle, *x, *y, *noise;
  CTORCH_TRY(ctorch_rand(&angle, CTORCH_INTS(BATCH)));
  CTORCH_TRY(ctorch_aten_mul__Scalar(angle, CTORCH_FLOAT(2 * 3.14159265358979)));
  CTORCH_TRY(ctorch_aten_cos(&x, angle));
  CTORCH_TRY(ctorch_aten_sin(&y, angle));
  CTORCH_TRY(ctorch_aten_stack(&x, CTORCH_TENSORS(x, y), 1));
  CTORCH_TRY(ctorch_randn_like(&noise, x));
  return ctorch_aten_add_Tensor(out, x, noise, CTORCH_FLOAT(spread));
}

static ctorch_error *made_points(ctorch_tensor **out, const player *generator) {
  ctorch_tensor *noise;
  CTORCH_TRY(ctorch_randn(&noise, CTORCH_INTS(BATCH, NOISE)));
  return ctorch_module_forward(out, generator->net, noise);
}

/* How wrong the discriminator is if it should take all of these points for real, or for made. */
static ctorch_error *mistake(ctorch_tensor **out, const player *discriminator, const ctorch_tensor *points, bool real) {
  ctorch_tensor *scores, *answers;
  CTORCH_TRY(ctorch_module_forward(&scores, discriminator->net, points));
  CTORCH_TRY(ctorch_aten_full_like(&answers, scores, CTORCH_FLOAT(real), NULL, NULL, NULL, NULL, NULL));
  return ctorch_aten_binary_cross_entropy_with_logits(out, scores, answers, NULL, NULL, CTORCH_REDUCTION_MEAN);
}

static ctorch_error *learn(const player *self, const ctorch_tensor *loss) {
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  return ctorch_optimizer_step(self->optimizer);
}

static ctorch_error *train_step(const player *generator, const player *discriminator) {
  ctorch_tensor *real, *made, *apart, *loss, *other;
  CTORCH_TRY(real_points(&real));
  CTORCH_TRY(made_points(&made, generator));
  CTORCH_TRY(ctorch_aten_detach(&apart, made)); /* the generator learns nothing here */
  CTORCH_TRY(mistake(&loss, discriminator, real, true));
  CTORCH_TRY(mistake(&other, discriminator, apart, false));
  CTORCH_TRY(ctorch_add_Tensor(&loss, loss, other));
  CTORCH_TRY(learn(discriminator, loss));
  CTORCH_TRY(mistake(&loss, discriminator, made, true)); /* what the generator wants it to say */
  return learn(generator, loss);
}

/* The mean distance of made points from the circle. */
static ctorch_error *distance(double *out, const player *generator) {
  ctorch_tensor *points, *x;
  CTORCH_TRY(made_points(&points, generator));
  CTORCH_TRY(ctorch_aten_linalg_vector_norm(&x, points, CTORCH_FLOAT(2), CTORCH_INTS(1), false, NULL));
  CTORCH_TRY(ctorch_aten_sub_Scalar(&x, x, CTORCH_FLOAT(radius), NULL));
  CTORCH_TRY(ctorch_aten_abs(&x, x));
  CTORCH_TRY(ctorch_aten_mean(&x, x, NULL));
  return ctorch_tensor_item_double(out, x);
}

static ctorch_error *print_made(const player *generator) {
  char rows[ROWS][COLUMNS];
  float points[BATCH][2];
  ctorch_tensor *x;
  memset(rows, ' ', sizeof rows);
  CTORCH_TRY(made_points(&x, generator));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(x, points, sizeof points, CTORCH_DTYPE_FLOAT32));
  for (int i = 0; i < BATCH; i++) {
    int row = (int)lround((points[i][1] + 1.5) / 3 * (ROWS - 1));
    int column = (int)lround((points[i][0] + 1.5) / 3 * (COLUMNS - 1));
    if (row >= 0 && row < ROWS && column >= 0 && column < COLUMNS) {
      rows[row][column] = 'o';
    }
  }
  for (int row = 0; row < ROWS; row++) {
    printf("%.*s\n", COLUMNS, rows[row]);
  }
  return NULL;
}

static ctorch_error *run(void) {
  player generator, discriminator;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(0));
  CTORCH_TRY(player_new(&generator, NOISE, 2));
  CTORCH_TRY(player_new(&discriminator, 2, 1));
  for (int step = 0; step <= STEPS; step++) {
    double far = 0;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = step % REPORT == 0 ? distance(&far, &generator) : NULL;
    error = error != NULL ? error : train_step(&generator, &discriminator);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (step % REPORT == 0) {
      printf("step %d: %.3f from the circle\n", step, far);
    }
  }
  return print_made(&generator);
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
