/* The models, of modules. */
#include "models.h"

static ctorch_error *add(ctorch_module *self, const char *name, ctorch_error *error, ctorch_module *const *made) {
  return error != NULL ? error : ctorch_module_register_module(self, name, *made);
}
#define ADD(self, name, make) CTORCH_TRY(add(self, name, make, &part))

/* `*x` becomes what the module of this name makes of it. */
static ctorch_error *apply(ctorch_tensor **x, const ctorch_module *self, const char *name) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_module_get_submodule(&part, self, name));
  CTORCH_REPLACE(x, ctorch_module_forward(x, part, *x));
  ctorch_module_release(part);
  return NULL;
}

static ctorch_error *linear(ctorch_module **out, int64_t from, int64_t to, bool bias) {
  return ctorch_nn_Linear(out, from, to, bias, NULL, NULL);
}

static ctorch_error *mlp(ctorch_module **out) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_nn_Sequential(out));
  ADD(*out, "0", linear(&part, MLP_WIDTH, MLP_WIDTH, true));
  ADD(*out, "1", ctorch_nn_ReLU(&part, false));
  ADD(*out, "2", linear(&part, MLP_WIDTH, MLP_WIDTH, true));
  ADD(*out, "3", ctorch_nn_ReLU(&part, false));
  ADD(*out, "4", linear(&part, MLP_WIDTH, MLP_WIDTH, true));
  return NULL;
}

static ctorch_error *mlp_input(ctorch_tensor **out, int64_t batch) {
  return ctorch_randn(out, CTORCH_INTS(batch, MLP_WIDTH));
}

/* LeNet. */

static ctorch_error *convolution(
    ctorch_module **out, int64_t from, int64_t to, int64_t kernel, int64_t stride, int64_t padding, bool bias) {
  return ctorch_nn_Conv2d(
      out, from, to, CTORCH_INTS(kernel), CTORCH_INTS(stride), CTORCH_INTS(padding), CTORCH_DEFAULT_LIST, 1, bias, NULL,
      NULL, NULL);
}

static ctorch_error *pool(ctorch_module **out) {
  return ctorch_nn_MaxPool2d(
      out, CTORCH_INTS(2), CTORCH_INTS(2), CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, false, false);
}

static ctorch_error *lenet(ctorch_module **out) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_nn_Sequential(out));
  ADD(*out, "conv1", convolution(&part, 1, 6, 5, 1, 2, true));
  ADD(*out, "relu1", ctorch_nn_ReLU(&part, false));
  ADD(*out, "pool1", pool(&part));
  ADD(*out, "conv2", convolution(&part, 6, 16, 5, 1, 0, true));
  ADD(*out, "relu2", ctorch_nn_ReLU(&part, false));
  ADD(*out, "pool2", pool(&part));
  ADD(*out, "flatten", ctorch_nn_Flatten(&part, 1, -1));
  ADD(*out, "fc1", linear(&part, 400, 120, true));
  ADD(*out, "relu3", ctorch_nn_ReLU(&part, false));
  ADD(*out, "fc2", linear(&part, 120, 84, true));
  ADD(*out, "relu4", ctorch_nn_ReLU(&part, false));
  ADD(*out, "fc3", linear(&part, 84, CLASSES, true));
  return NULL;
}

static ctorch_error *lenet_input(ctorch_tensor **out, int64_t batch) {
  return ctorch_randn(out, CTORCH_INTS(batch, 1, 28, 28));
}

/* ResNet-18 for images of 32 x 32: the first convolution is of 3 x 3, and no pool follows it. */

static ctorch_error *norm(ctorch_module **out, int64_t channels) {
  return ctorch_nn_BatchNorm2d(out, channels, 1e-5, 0.1, true, true, NULL, NULL, true);
}

static ctorch_error *block(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *input) {
  ctorch_tensor *x, *shortcut;
  CTORCH_TRY(ctorch_aten_alias(&x, input));
  CTORCH_TRY(apply(&x, self, "conv1"));
  CTORCH_TRY(apply(&x, self, "bn1"));
  CTORCH_REPLACE(&x, ctorch_aten_relu(&x, x));
  CTORCH_TRY(apply(&x, self, "conv2"));
  CTORCH_TRY(apply(&x, self, "bn2"));
  CTORCH_TRY(ctorch_aten_alias(&shortcut, input));
  CTORCH_TRY(apply(&shortcut, self, "downsample"));
  CTORCH_REPLACE(&x, ctorch_aten_add_Tensor(&x, x, shortcut, NULL));
  return ctorch_aten_relu(out, x);
}

static ctorch_callback_status block_forward(
    ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  *error = *error != NULL ? *error : block(out, self, input);
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *block_new(ctorch_module **out, int64_t from, int64_t to, int64_t stride) {
  ctorch_module *part, *downsample;
  CTORCH_TRY(ctorch_module_new(out, "BasicBlock", block_forward, NULL, NULL));
  ADD(*out, "conv1", convolution(&part, from, to, 3, stride, 1, false));
  ADD(*out, "bn1", norm(&part, to));
  ADD(*out, "conv2", convolution(&part, to, to, 3, 1, 1, false));
  ADD(*out, "bn2", norm(&part, to));
  CTORCH_TRY(ctorch_nn_Sequential(&downsample)); /* gives its input back while it is empty */
  if (from != to || stride != 1) {
    ADD(downsample, "0", convolution(&part, from, to, 1, stride, 0, false));
    ADD(downsample, "1", norm(&part, to));
  }
  return ctorch_module_register_module(*out, "downsample", downsample);
}

static ctorch_error *resnet(ctorch_module **out) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_nn_Sequential(out));
  ADD(*out, "conv1", convolution(&part, 3, 64, 3, 1, 1, false));
  ADD(*out, "bn1", norm(&part, 64));
  ADD(*out, "relu", ctorch_nn_ReLU(&part, false));
  for (int64_t i = 0, from = 64; i < 4; i++) {
    const int64_t to = 64 << i;
    CTORCH_TRY(block_new(&part, from, to, i == 0 ? 1 : 2));
    CTORCH_TRY(ctorch_module_append(*out, part));
    CTORCH_TRY(block_new(&part, to, to, 1));
    CTORCH_TRY(ctorch_module_append(*out, part));
    from = to;
  }
  ADD(*out, "avgpool", ctorch_nn_AdaptiveAvgPool2d(&part, CTORCH_INTS(1, 1)));
  ADD(*out, "flatten", ctorch_nn_Flatten(&part, 1, -1));
  ADD(*out, "fc", linear(&part, 512, CLASSES, true));
  return NULL;
}

static ctorch_error *resnet_input(ctorch_tensor **out, int64_t batch) {
  return ctorch_randn(out, CTORCH_INTS(batch, 3, 32, 32));
}

/* An LSTM, and a linear layer on its last output. */

static ctorch_error *classify(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *input) {
  ctorch_module *part;
  ctorch_tensor *x, *hidden, *cell;
  CTORCH_TRY(ctorch_module_get_submodule(&part, self, "lstm"));
  CTORCH_TRY(ctorch_nn_LSTM_forward(&x, &hidden, &cell, part, input, NULL, 0));
  CTORCH_REPLACE(&x, ctorch_aten_select_int(&x, x, 1, -1));
  CTORCH_TRY(ctorch_module_get_submodule(&part, self, "fc"));
  return ctorch_module_forward(out, part, x);
}

static ctorch_callback_status classify_forward(
    ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  *error = *error != NULL ? *error : classify(out, self, input);
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *lstm(ctorch_module **out) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_module_new(out, "Classifier", classify_forward, NULL, NULL));
  ADD(*out, "lstm", ctorch_nn_LSTM(&part, LSTM_INPUT, LSTM_HIDDEN, LSTM_LAYERS, true, true, 0.0, false, 0, NULL, NULL));
  ADD(*out, "fc", linear(&part, LSTM_HIDDEN, CLASSES, true));
  return NULL;
}

static ctorch_error *lstm_input(ctorch_tensor **out, int64_t batch) {
  return ctorch_randn(out, CTORCH_INTS(batch, LSTM_STEPS, LSTM_INPUT));
}

/* A GPT. */

static ctorch_error *heads(ctorch_tensor **out, const ctorch_tensor *part, int64_t batch, int64_t steps) {
  ctorch_tensor *x;
  CTORCH_TRY(ctorch_aten_view(&x, part, CTORCH_INTS(batch, steps, GPT_HEADS, GPT_WIDTH / GPT_HEADS)));
  return ctorch_aten_transpose_int(out, x, 1, 2);
}

static ctorch_error *attention(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *input) {
  ctorch_tensor *x, *query, *key, *value;
  ctorch_tensor_list *parts;
  int64_t batch, steps;
  CTORCH_TRY(ctorch_tensor_size(&batch, input, 0));
  CTORCH_TRY(ctorch_tensor_size(&steps, input, 1));
  CTORCH_TRY(ctorch_aten_alias(&x, input));
  CTORCH_TRY(apply(&x, self, "c_attn"));
  CTORCH_TRY(ctorch_aten_split_Tensor(&parts, x, GPT_WIDTH, 2));
  const ctorch_tensor *const *part = ctorch_tensor_list_data(parts);
  CTORCH_TRY(heads(&query, part[0], batch, steps));
  CTORCH_TRY(heads(&key, part[1], batch, steps));
  CTORCH_TRY(heads(&value, part[2], batch, steps));
  CTORCH_REPLACE(&x, ctorch_aten_scaled_dot_product_attention(&x, query, key, value, NULL, 0.0, true, NULL, false));
  CTORCH_REPLACE(&x, ctorch_aten_transpose_int(&x, x, 1, 2));
  CTORCH_REPLACE(&x, ctorch_aten_reshape(&x, x, CTORCH_INTS(batch, steps, GPT_WIDTH)));
  CTORCH_TRY(apply(&x, self, "c_proj"));
  return ctorch_aten_alias(out, x);
}

static ctorch_callback_status attention_forward(
    ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  *error = *error != NULL ? *error : attention(out, self, input);
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *layer(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *input) {
  ctorch_tensor *x, *inside;
  CTORCH_TRY(ctorch_aten_alias(&inside, input));
  CTORCH_TRY(apply(&inside, self, "ln_1"));
  CTORCH_TRY(apply(&inside, self, "attn"));
  CTORCH_TRY(ctorch_aten_add_Tensor(&x, input, inside, NULL));
  CTORCH_REPLACE(&inside, ctorch_aten_alias(&inside, x));
  CTORCH_TRY(apply(&inside, self, "ln_2"));
  CTORCH_TRY(apply(&inside, self, "mlp"));
  return ctorch_aten_add_Tensor(out, x, inside, NULL);
}

static ctorch_callback_status layer_forward(
    ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  *error = *error != NULL ? *error : layer(out, self, input);
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *layer_norm(ctorch_module **out) {
  return ctorch_nn_LayerNorm(out, CTORCH_INTS(GPT_WIDTH), 1e-5, true, true, NULL, NULL);
}

static ctorch_error *attention_new(ctorch_module **out) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_module_new(out, "Attention", attention_forward, NULL, NULL));
  ADD(*out, "c_attn", linear(&part, GPT_WIDTH, 3 * GPT_WIDTH, true));
  ADD(*out, "c_proj", linear(&part, GPT_WIDTH, GPT_WIDTH, true));
  return NULL;
}

static ctorch_error *layer_new(ctorch_module **out) {
  ctorch_module *part, *inside;
  CTORCH_TRY(ctorch_module_new(out, "Block", layer_forward, NULL, NULL));
  ADD(*out, "ln_1", layer_norm(&part));
  ADD(*out, "attn", attention_new(&part));
  ADD(*out, "ln_2", layer_norm(&part));
  CTORCH_TRY(ctorch_nn_Sequential(&inside));
  ADD(inside, "c_fc", linear(&part, GPT_WIDTH, 4 * GPT_WIDTH, true));
  ADD(inside, "gelu", ctorch_nn_GELU(&part, "none"));
  ADD(inside, "c_proj", linear(&part, 4 * GPT_WIDTH, GPT_WIDTH, true));
  return ctorch_module_register_module(*out, "mlp", inside);
}

static ctorch_error *words(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *input) {
  ctorch_tensor *x, *places;
  int64_t steps;
  CTORCH_TRY(ctorch_tensor_size(&steps, input, 1));
  CTORCH_TRY(ctorch_arange(&places, CTORCH_INT(steps)));
  CTORCH_TRY(apply(&places, self, "wpe"));
  CTORCH_TRY(ctorch_aten_alias(&x, input));
  CTORCH_TRY(apply(&x, self, "wte"));
  CTORCH_REPLACE(&x, ctorch_aten_add_Tensor(&x, x, places, NULL));
  CTORCH_TRY(apply(&x, self, "h"));
  CTORCH_TRY(apply(&x, self, "ln_f"));
  CTORCH_TRY(apply(&x, self, "lm_head"));
  return ctorch_aten_alias(out, x);
}

static ctorch_callback_status words_forward(
    ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  *error = ctorch_scope_begin(&scope);
  *error = *error != NULL ? *error : words(out, self, input);
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *embedding(ctorch_module **out, int64_t count) {
  return ctorch_nn_Embedding(out, count, GPT_WIDTH, NULL, NULL, 2.0, false, false, NULL, false, NULL, NULL);
}

static ctorch_error *gpt(ctorch_module **out) {
  static const char *const names[GPT_LAYERS] = {"0", "1", "2", "3", "4", "5"};
  ctorch_module *part, *layers;
  CTORCH_TRY(ctorch_module_new(out, "GPT", words_forward, NULL, NULL));
  ADD(*out, "wte", embedding(&part, GPT_WORDS));
  ADD(*out, "wpe", embedding(&part, GPT_STEPS));
  CTORCH_TRY(ctorch_nn_Sequential(&layers));
  for (int i = 0; i < GPT_LAYERS; i++) {
    ADD(layers, names[i], layer_new(&part));
  }
  CTORCH_TRY(ctorch_module_register_module(*out, "h", layers));
  ADD(*out, "ln_f", layer_norm(&part));
  ADD(*out, "lm_head", linear(&part, GPT_WIDTH, GPT_WORDS, false));
  return NULL;
}

static ctorch_error *gpt_input(ctorch_tensor **out, int64_t batch) {
  return ctorch_randint(out, GPT_WORDS, CTORCH_INTS(batch, GPT_STEPS));
}

const model models[] = {
    {"mlp", mlp, mlp_input, mlp_by_hand},
    {"lenet", lenet, lenet_input, lenet_by_hand},
    {"resnet18", resnet, resnet_input, resnet_by_hand},
    {"lstm", lstm, lstm_input, lstm_by_hand},
    {"gpt", gpt, gpt_input, gpt_by_hand},
    {NULL, NULL, NULL, NULL},
};
