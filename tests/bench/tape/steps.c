/* The steps by hand, on operators. */
#include "models.h"

/* Shapes ------------------------------------------------------------------------------------------------------------ */

static void weight(shapes *out, double scale, size_t ndim, const int64_t *sizes) {
  shape *next = &out->weights[out->weights_len++];
  *next = (shape){.ndim = ndim, .scale = scale};
  for (size_t i = 0; i < ndim; i++) {
    next->sizes[i] = sizes[i];
  }
}

static void linear_shape(shapes *out, int64_t from, int64_t to) {
  weight(out, 0.09, 2, (const int64_t[]){to, from});
  weight(out, 1, 1, &to);
}

static void input(shapes *out, int64_t below, size_t ndim, const int64_t *sizes) {
  shape *next = &out->inputs[out->inputs_len++];
  *next = (shape){.ndim = ndim, .scale = 1, .below = below};
  for (size_t i = 0; i < ndim; i++) {
    next->sizes[i] = sizes[i];
  }
}

static void mlp_shapes(shapes *out, const model *self) {
  (void)self;
  for (int i = 0; i < 3; i++) {
    linear_shape(out, 128, 128);
  }
  input(out, 0, 2, (const int64_t[]){1, 128});
}

static void gru_shapes(shapes *out, const model *self) {
  (void)self;
  weight(out, 0.09, 2, (const int64_t[]){384, 128});
  weight(out, 0.09, 2, (const int64_t[]){384, 128});
  weight(out, 1, 1, (const int64_t[]){384});
  weight(out, 1, 1, (const int64_t[]){384});
  input(out, 0, 2, (const int64_t[]){1, 128});
  input(out, 0, 2, (const int64_t[]){1, 128});
}

static void gpt_shapes(shapes *out, const model *self) {
  const int64_t blocks = self->sizes[0], width = self->sizes[1], steps = self->sizes[2];
  for (int64_t i = 0; i < blocks; i++) {
    weight(out, 1, 1, &width);
    weight(out, 1, 1, &width);
    linear_shape(out, width, 3 * width);
    linear_shape(out, width, width);
    weight(out, 1, 1, &width);
    weight(out, 1, 1, &width);
    linear_shape(out, width, 4 * width);
    linear_shape(out, 4 * width, width);
    weight(out, 1, 4, (const int64_t[]){1, width / GPT_HEAD, steps, GPT_HEAD}); /* the cache */
    weight(out, 1, 4, (const int64_t[]){1, width / GPT_HEAD, steps, GPT_HEAD});
  }
  weight(out, 1, 2, (const int64_t[]){GPT_WORDS, width});
  weight(out, 1, 2, (const int64_t[]){steps, width});
  weight(out, 1, 1, &width);
  weight(out, 1, 1, &width);
  linear_shape(out, width, GPT_WORDS);
  weight(out, 1, 2, (const int64_t[]){steps, steps});
  out->weights[out->weights_len - 1].is_mask = true;
  input(out, GPT_WORDS, 1, (const int64_t[]){1});
  input(out, steps, 1, (const int64_t[]){1});
}

static void lenet_shapes(shapes *out, const model *self) {
  weight(out, 0.3, 4, (const int64_t[]){6, 1, 3, 3});
  weight(out, 1, 1, (const int64_t[]){6});
  weight(out, 0.2, 4, (const int64_t[]){16, 6, 3, 3});
  weight(out, 1, 1, (const int64_t[]){16});
  linear_shape(out, 64, 64);
  linear_shape(out, 64, 10);
  input(out, 0, 4, (const int64_t[]){self->sizes[0], 1, 8, 8});
}

static void classes(shapes *out, const model *self) {
  out->trained_len = out->weights_len;
  input(out, 10, 1, &self->sizes[0]);
}

static void train_mlp_shapes(shapes *out, const model *self) {
  linear_shape(out, 128, 128);
  linear_shape(out, 128, 128);
  linear_shape(out, 128, 10);
  input(out, 0, 2, (const int64_t[]){self->sizes[0], 128});
  classes(out, self);
}

static void train_lenet_shapes(shapes *out, const model *self) {
  lenet_shapes(out, self);
  classes(out, self);
}

/* A batch of what was seen, done and got, what was seen then, and whether it went on. */
static void dqn_shapes(shapes *out, const model *self) {
  const int64_t batch = self->sizes[0];
  for (int i = 0; i < 2; i++) {
    linear_shape(out, 8, 64);
    linear_shape(out, 64, 64);
    linear_shape(out, 64, 4);
    out->trained_len = i == 0 ? out->weights_len : out->trained_len;
  }
  input(out, 0, 2, (const int64_t[]){batch, 8});
  input(out, 4, 2, (const int64_t[]){batch, 1});
  input(out, 0, 1, &batch);
  input(out, 0, 2, (const int64_t[]){batch, 8});
  input(out, 0, 1, &batch);
}

/* Inference --------------------------------------------------------------------------------------------------------- */

static ctorch_error *linear(ctorch_tensor **out, const ctorch_tensor *x, ctorch_tensor *const *w) {
  return ctorch_aten_linear(out, x, w[0], w[1]);
}

/* Three layers, whose weights and biases begin at `w`. */
static ctorch_error *perceptron(ctorch_tensor **out, const ctorch_tensor *x, ctorch_tensor *const *w) {
  ctorch_tensor *h;
  CTORCH_TRY(linear(&h, x, w));
  CTORCH_TRY(ctorch_aten_relu(&h, h));
  CTORCH_TRY(linear(&h, h, w + 2));
  CTORCH_TRY(ctorch_aten_relu(&h, h));
  return linear(out, h, w + 4);
}

static ctorch_error *mlp(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  (void)self;
  return perceptron(out, inputs[0], held->weights);
}

static ctorch_error *gru(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  (void)self;
  ctorch_tensor *const *w = held->weights;
  return ctorch_aten_gru_cell(out, inputs[0], inputs[1], w[0], w[1], w[2], w[3]);
}

static ctorch_error *norm(ctorch_tensor **out, const ctorch_tensor *x, ctorch_tensor *const *w, const model *self) {
  return ctorch_aten_layer_norm(out, x, CTORCH_INTS(self->sizes[1]), w[0], w[1], 1e-5, true);
}

/* x + what a block makes of it: its weights, and its cache, begin at `w`. */
static ctorch_error *block(
    ctorch_tensor **x,
    ctorch_tensor *const *w,
    const ctorch_tensor *position,
    const ctorch_tensor *mask,
    const model *self) {
  const int64_t width = self->sizes[1], heads = width / GPT_HEAD;
  ctorch_tensor *h, *query, *key, *value, *attended;
  ctorch_tensor_list *parts;
  CTORCH_TRY(norm(&h, *x, w, self));
  CTORCH_TRY(linear(&h, h, w + 2));
  CTORCH_TRY(ctorch_aten_split_Tensor(&parts, h, width, -1));
  const ctorch_tensor *const *part = ctorch_tensor_list_data(parts);
  CTORCH_TRY(ctorch_aten_view(&query, part[0], CTORCH_INTS(1, heads, 1, GPT_HEAD)));
  CTORCH_TRY(ctorch_aten_view(&key, part[1], CTORCH_INTS(1, heads, 1, GPT_HEAD)));
  CTORCH_TRY(ctorch_aten_view(&value, part[2], CTORCH_INTS(1, heads, 1, GPT_HEAD)));
  CTORCH_TRY(ctorch_aten_index_copy_(w[12], 2, position, key));
  CTORCH_TRY(ctorch_aten_index_copy_(w[13], 2, position, value));
  CTORCH_TRY(ctorch_aten_scaled_dot_product_attention(&attended, query, w[12], w[13], mask, 0, false, NULL, false));
  CTORCH_TRY(ctorch_aten_view(&attended, attended, CTORCH_INTS(1, width)));
  CTORCH_TRY(linear(&h, attended, w + 4));
  CTORCH_TRY(ctorch_aten_add_Tensor(x, *x, h, NULL));
  CTORCH_TRY(norm(&h, *x, w + 6, self));
  CTORCH_TRY(linear(&h, h, w + 8));
  CTORCH_TRY(ctorch_aten_gelu(&h, h, "none"));
  CTORCH_TRY(linear(&h, h, w + 10));
  return ctorch_aten_add_Tensor(x, *x, h, NULL);
}

static ctorch_error *gpt(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  ctorch_tensor *const *w = held->weights + 14 * self->sizes[0];
  ctorch_tensor *x, *place, *mask;
  CTORCH_TRY(ctorch_aten_embedding(&x, w[0], inputs[0], -1, false, false));
  CTORCH_TRY(ctorch_aten_embedding(&place, w[1], inputs[1], -1, false, false));
  CTORCH_TRY(ctorch_aten_add_Tensor(&x, x, place, NULL));
  CTORCH_TRY(ctorch_aten_index_select(&mask, w[6], 0, inputs[1]));
  CTORCH_TRY(ctorch_aten_view(&mask, mask, CTORCH_INTS(1, 1, 1, self->sizes[2])));
  for (int64_t i = 0; i < self->sizes[0]; i++) {
    CTORCH_TRY(block(&x, held->weights + 14 * i, inputs[1], mask, self));
  }
  CTORCH_TRY(norm(&x, x, w + 2, self));
  return linear(out, x, w + 4);
}

static ctorch_error *convolved(ctorch_tensor **out, const ctorch_tensor *x, ctorch_tensor *const *w) {
  ctorch_tensor *h;
  CTORCH_TRY(ctorch_aten_conv2d(&h, x, w[0], w[1], CTORCH_INTS(1, 1), CTORCH_INTS(1, 1), CTORCH_INTS(1, 1), 1));
  CTORCH_TRY(ctorch_aten_relu(&h, h));
  return ctorch_aten_max_pool2d(
      out, h, CTORCH_INTS(2, 2), CTORCH_INTS(2, 2), CTORCH_INTS(0, 0), CTORCH_INTS(1, 1), false);
}

static ctorch_error *lenet(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  (void)self;
  ctorch_tensor *h;
  CTORCH_TRY(convolved(&h, inputs[0], held->weights));
  CTORCH_TRY(convolved(&h, h, held->weights + 2));
  CTORCH_TRY(ctorch_aten_flatten_using_ints(&h, h, 1, -1));
  CTORCH_TRY(linear(&h, h, held->weights + 4));
  CTORCH_TRY(ctorch_aten_relu(&h, h));
  return linear(out, h, held->weights + 6);
}

/* Training ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *gradients(ctorch_tensor **out, const held *held) {
  for (size_t i = 0; i < held->trained_len; i++) {
    CTORCH_TRY(ctorch_tensor_grad(&out[i], held->weights[i]));
  }
  return NULL;
}

static ctorch_error *forget(const held *held) {
  for (size_t i = 0; i < held->trained_len; i++) {
    CTORCH_TRY(ctorch_tensor_set_grad(held->weights[i], NULL));
  }
  return NULL;
}

/* AdamW, or Adam, whose weights do not decay. */
static ctorch_error *update(held *held, bool decays) {
  ctorch_tensor *grads[MOST_TENSORS];
  const size_t len = held->trained_len;
  CTORCH_TRY(gradients(grads, held));
  CTORCH_TRY(ctorch_aten__foreach_add__Scalar(held->steps, len, CTORCH_INT(1)));
  const ctorch_tensor *const *steps = (const ctorch_tensor *const *)held->steps;
  return decays ? ctorch_aten__fused_adamw__tensor_lr(
                      held->weights, len, grads, len, held->exp_avgs, len, held->exp_avg_sqs, len, NULL, 0, steps, len,
                      held->lr, 0.9, 0.999, 0.01, 1e-8, false, false, NULL, NULL)
                : ctorch_aten__fused_adam__tensor_lr(
                      held->weights, len, grads, len, held->exp_avgs, len, held->exp_avg_sqs, len, NULL, 0, steps, len,
                      held->lr, 0.9, 0.999, 0, 1e-8, false, false, NULL, NULL);
}

static ctorch_error *learn(ctorch_tensor **out, held *held, const ctorch_tensor *scores, const ctorch_tensor *target) {
  ctorch_tensor *loss;
  CTORCH_TRY(ctorch_aten_cross_entropy_loss(&loss, scores, target, NULL, CTORCH_REDUCTION_MEAN, -100, 0));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(update(held, true));
  CTORCH_TRY(ctorch_grad_mode_pop());
  return ctorch_aten_detach(out, loss);
}

static ctorch_error *train_mlp(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  ctorch_tensor *scores;
  CTORCH_TRY(forget(held));
  CTORCH_TRY(mlp(&scores, held, inputs, self));
  return learn(out, held, scores, inputs[1]);
}

static ctorch_error *train_lenet(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  ctorch_tensor *scores;
  CTORCH_TRY(forget(held));
  CTORCH_TRY(lenet(&scores, held, inputs, self));
  return learn(out, held, scores, inputs[1]);
}

/* Of what was got and the best that may follow. */
static ctorch_error *goal(ctorch_tensor **out, const held *held, ctorch_tensor *const *inputs) {
  ctorch_tensor *values, *best, *indices;
  CTORCH_TRY(perceptron(&values, inputs[3], held->weights + held->trained_len));
  CTORCH_TRY(ctorch_aten_max_dim(&best, &indices, values, 1, false));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&best, best, inputs[4]));
  return ctorch_aten_add_Tensor(out, inputs[2], best, CTORCH_FLOAT(0.99));
}

static ctorch_error *dqn(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const model *self) {
  (void)self;
  ctorch_tensor *target, *values, *loss;
  CTORCH_TRY(forget(held));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(goal(&target, held, inputs));
  CTORCH_TRY(ctorch_grad_mode_pop());
  CTORCH_TRY(perceptron(&values, inputs[0], held->weights));
  CTORCH_TRY(ctorch_aten_gather(&values, values, 1, inputs[1], false));
  CTORCH_TRY(ctorch_aten_squeeze_dim(&values, values, 1));
  CTORCH_TRY(ctorch_aten_smooth_l1_loss(&loss, values, target, CTORCH_REDUCTION_MEAN, 1));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(update(held, false));
  CTORCH_TRY(ctorch_aten__foreach_lerp__Scalar(
      held->weights + held->trained_len, held->trained_len, (const ctorch_tensor *const *)held->weights,
      held->trained_len, CTORCH_FLOAT(0.005)));
  CTORCH_TRY(ctorch_grad_mode_pop());
  return ctorch_aten_detach(out, loss);
}

const model models[] = {
    {"mlp", {1}, mlp_shapes, mlp},
    {"gru", {1}, gru_shapes, gru},
    {"gpt", {2, 64, 64}, gpt_shapes, gpt},
    {"lenet", {1}, lenet_shapes, lenet},
    {"large gpt", {6, 384, 128}, gpt_shapes, gpt},
    {"train mlp 1", {1}, train_mlp_shapes, train_mlp},
    {"train mlp 32", {32}, train_mlp_shapes, train_mlp},
    {"train lenet 1", {1}, train_lenet_shapes, train_lenet},
    {"train lenet 32", {32}, train_lenet_shapes, train_lenet},
    {"dqn 1", {1}, dqn_shapes, dqn},
    {"dqn 32", {32}, dqn_shapes, dqn},
    {NULL, {0}, NULL, NULL},
};
