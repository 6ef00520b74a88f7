/* The models by hand, on operators: each handle is released as soon as nothing needs it. */
#include "models.h"

static const ctorch_tensor *parameter(held *weights) { return weights->parameters[weights->next_parameter++]; }

static ctorch_error *linear(ctorch_tensor **x, held *weights) {
  const ctorch_tensor *weight = parameter(weights), *bias = parameter(weights);
  CTORCH_REPLACE(x, ctorch_aten_linear(x, *x, weight, bias));
  return NULL;
}

static ctorch_error *relu(ctorch_tensor **x) {
  CTORCH_REPLACE(x, ctorch_aten_relu(x, *x));
  return NULL;
}

ctorch_error *mlp_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training) {
  (void)training;
  const ctorch_tensor *weight = parameter(weights), *bias = parameter(weights);
  CTORCH_TRY(ctorch_aten_linear(out, input, weight, bias));
  CTORCH_TRY(relu(out));
  CTORCH_TRY(linear(out, weights));
  CTORCH_TRY(relu(out));
  return linear(out, weights);
}

/* LeNet. */

static ctorch_error *pool(ctorch_tensor **x) {
  CTORCH_REPLACE(
      x, ctorch_aten_max_pool2d(x, *x, CTORCH_INTS(2), CTORCH_INTS(2), CTORCH_INTS(0), CTORCH_INTS(1), false));
  return NULL;
}

static ctorch_error *flatten(ctorch_tensor **x) {
  CTORCH_REPLACE(x, ctorch_aten_flatten_using_ints(x, *x, 1, -1));
  return NULL;
}

ctorch_error *lenet_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training) {
  (void)training;
  const ctorch_tensor *weight = parameter(weights), *bias = parameter(weights);
  CTORCH_TRY(ctorch_aten_conv2d(out, input, weight, bias, CTORCH_INTS(1, 1), CTORCH_INTS(2, 2), CTORCH_INTS(1, 1), 1));
  CTORCH_TRY(relu(out));
  CTORCH_TRY(pool(out));
  weight = parameter(weights), bias = parameter(weights);
  CTORCH_REPLACE(
      out, ctorch_aten_conv2d(out, *out, weight, bias, CTORCH_INTS(1, 1), CTORCH_INTS(0, 0), CTORCH_INTS(1, 1), 1));
  CTORCH_TRY(relu(out));
  CTORCH_TRY(pool(out));
  CTORCH_TRY(flatten(out));
  CTORCH_TRY(linear(out, weights));
  CTORCH_TRY(relu(out));
  CTORCH_TRY(linear(out, weights));
  CTORCH_TRY(relu(out));
  return linear(out, weights);
}

/* ResNet-18. */

static ctorch_error *norm(ctorch_tensor **x, held *weights, bool training) {
  const ctorch_tensor *weight = parameter(weights), *bias = parameter(weights);
  ctorch_tensor *const *buffers = weights->buffers + weights->next_buffer;
  weights->next_buffer += 3;
  if (training) {
    CTORCH_TRY(ctorch_aten_add__Scalar(buffers[2], CTORCH_INT(1), NULL));
  }
  CTORCH_REPLACE(x, ctorch_aten_batch_norm(x, *x, weight, bias, buffers[0], buffers[1], training, 0.1, 1e-5, true));
  return NULL;
}

static ctorch_error *convolution_norm(
    ctorch_tensor **out, held *weights, const ctorch_tensor *input, int64_t stride, int64_t padding, bool training) {
  CTORCH_TRY(ctorch_aten_conv2d(
      out, input, parameter(weights), NULL, CTORCH_INTS(stride, stride), CTORCH_INTS(padding, padding),
      CTORCH_INTS(1, 1), 1));
  return norm(out, weights, training);
}

static ctorch_error *block(ctorch_tensor **x, held *weights, int64_t stride, bool training) {
  ctorch_tensor *inside, *shortcut = NULL;
  CTORCH_TRY(convolution_norm(&inside, weights, *x, stride, 1, training));
  CTORCH_TRY(relu(&inside));
  ctorch_tensor *first = inside;
  CTORCH_TRY(convolution_norm(&inside, weights, first, 1, 1, training));
  ctorch_scope_discard(first);
  if (stride != 1) {
    CTORCH_TRY(convolution_norm(&shortcut, weights, *x, stride, 0, training));
  }
  CTORCH_REPLACE(&inside, ctorch_aten_add_Tensor(&inside, inside, shortcut != NULL ? shortcut : *x, NULL));
  if (shortcut != NULL) {
    ctorch_scope_discard(shortcut);
  }
  ctorch_scope_discard(*x);
  *x = inside;
  return relu(x);
}

ctorch_error *resnet_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training) {
  CTORCH_TRY(convolution_norm(out, weights, input, 1, 1, training));
  CTORCH_TRY(relu(out));
  for (int i = 0; i < 4; i++) {
    CTORCH_TRY(block(out, weights, i == 0 ? 1 : 2, training));
    CTORCH_TRY(block(out, weights, 1, training));
  }
  CTORCH_REPLACE(out, ctorch_aten_adaptive_avg_pool2d(out, *out, CTORCH_INTS(1, 1)));
  CTORCH_TRY(flatten(out));
  return linear(out, weights);
}

/* An LSTM. */

ctorch_error *lstm_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training) {
  ctorch_tensor *zeros, *hidden, *cell;
  int64_t batch;
  const size_t count = 4 * LSTM_LAYERS;
  CTORCH_TRY(ctorch_tensor_size(&batch, input, 0));
  CTORCH_TRY(ctorch_zeros(&zeros, CTORCH_INTS(LSTM_LAYERS, batch, LSTM_HIDDEN)));
  CTORCH_TRY(ctorch_aten_lstm_input(
      out, &hidden, &cell, input, CTORCH_TENSORS(zeros, zeros), ctorch_const_tensors(weights->parameters), count, true,
      LSTM_LAYERS, 0.0, training, false, true));
  weights->next_parameter += count;
  ctorch_scope_discard(zeros);
  ctorch_scope_discard(hidden);
  ctorch_scope_discard(cell);
  CTORCH_REPLACE(out, ctorch_aten_select_int(out, *out, 1, -1));
  return linear(out, weights);
}

/* A GPT. */

static ctorch_error *layer_norm(ctorch_tensor **out, held *weights, const ctorch_tensor *input) {
  const ctorch_tensor *weight = parameter(weights), *bias = parameter(weights);
  return ctorch_aten_layer_norm(out, input, CTORCH_INTS(GPT_WIDTH), weight, bias, 1e-5, true);
}

static ctorch_error *heads(ctorch_tensor **out, const ctorch_tensor *part, int64_t batch) {
  CTORCH_TRY(ctorch_aten_view(out, part, CTORCH_INTS(batch, GPT_STEPS, GPT_HEADS, GPT_WIDTH / GPT_HEADS)));
  CTORCH_REPLACE(out, ctorch_aten_transpose_int(out, *out, 1, 2));
  return NULL;
}

static ctorch_error *attention(ctorch_tensor **x, held *weights, int64_t batch) {
  ctorch_tensor *query, *key, *value;
  ctorch_tensor_list *parts;
  CTORCH_TRY(linear(x, weights));
  CTORCH_TRY(ctorch_aten_split_Tensor(&parts, *x, GPT_WIDTH, 2));
  const ctorch_tensor *const *part = ctorch_tensor_list_data(parts);
  CTORCH_TRY(heads(&query, part[0], batch));
  CTORCH_TRY(heads(&key, part[1], batch));
  CTORCH_TRY(heads(&value, part[2], batch));
  ctorch_scope_discard(parts);
  CTORCH_REPLACE(x, ctorch_aten_scaled_dot_product_attention(x, query, key, value, NULL, 0.0, true, NULL, false));
  ctorch_scope_discard(query);
  ctorch_scope_discard(key);
  ctorch_scope_discard(value);
  CTORCH_REPLACE(x, ctorch_aten_transpose_int(x, *x, 1, 2));
  CTORCH_REPLACE(x, ctorch_aten_reshape(x, *x, CTORCH_INTS(batch, GPT_STEPS, GPT_WIDTH)));
  return linear(x, weights);
}

static ctorch_error *layer(ctorch_tensor **x, held *weights, int64_t batch) {
  ctorch_tensor *inside;
  CTORCH_TRY(layer_norm(&inside, weights, *x));
  CTORCH_TRY(attention(&inside, weights, batch));
  CTORCH_REPLACE(x, ctorch_aten_add_Tensor(x, *x, inside, NULL));
  ctorch_scope_discard(inside);
  CTORCH_TRY(layer_norm(&inside, weights, *x));
  CTORCH_TRY(linear(&inside, weights));
  CTORCH_REPLACE(&inside, ctorch_aten_gelu(&inside, inside, "none"));
  CTORCH_TRY(linear(&inside, weights));
  CTORCH_REPLACE(x, ctorch_aten_add_Tensor(x, *x, inside, NULL));
  ctorch_scope_discard(inside);
  return NULL;
}

ctorch_error *gpt_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training) {
  (void)training;
  ctorch_tensor *places, *numbers;
  int64_t batch;
  CTORCH_TRY(ctorch_tensor_size(&batch, input, 0));
  const ctorch_tensor *words = parameter(weights);
  CTORCH_TRY(ctorch_arange(&numbers, CTORCH_INT(GPT_STEPS)));
  CTORCH_TRY(ctorch_aten_embedding(&places, parameter(weights), numbers, -1, false, false));
  ctorch_scope_discard(numbers);
  CTORCH_TRY(ctorch_aten_embedding(out, words, input, -1, false, false));
  CTORCH_REPLACE(out, ctorch_aten_add_Tensor(out, *out, places, NULL));
  ctorch_scope_discard(places);
  for (int i = 0; i < GPT_LAYERS; i++) {
    CTORCH_TRY(layer(out, weights, batch));
  }
  CTORCH_REPLACE(out, layer_norm(out, weights, *out));
  CTORCH_REPLACE(out, ctorch_aten_linear(out, *out, parameter(weights), NULL));
  return NULL;
}
