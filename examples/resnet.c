/* A ResNet-18 (He et al. 2016) of modules: what it says of images before and after one step of training. Its parameters
 * have torchvision's names. A block is a module of one's own: its forward adds what it was given to what it made. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>

enum { CLASSES = 10, IMAGES = 4, SIZE = 32 };

/* Parts of the network. */

static ctorch_error *convolution(ctorch_module **out, int64_t from, int64_t to, int64_t kernel, int64_t stride) {
  return ctorch_nn_Conv2d(
      out, from, to, CTORCH_INTS(kernel), CTORCH_INTS(stride), CTORCH_INTS(kernel / 2), CTORCH_DEFAULT_LIST, 1, false,
      NULL, NULL, NULL);
}

static ctorch_error *add(ctorch_module *self, const char *name, ctorch_error *error, const ctorch_module *const *made) {
  return error != NULL ? error : ctorch_module_register_module(self, name, *made);
}
#define ADD(self, name, make) CTORCH_TRY(add(self, name, make, (const ctorch_module *const *)&part))

static ctorch_error *norm(ctorch_module **out, int64_t channels) {
  return ctorch_nn_BatchNorm2d(out, channels, 1e-5, 0.1, true, true, NULL, NULL, true);
}

/* `*x` becomes what the module of this name makes of it. */
static ctorch_error *apply(ctorch_tensor **x, const ctorch_module *self, const char *name) {
  ctorch_module *part;
  CTORCH_TRY(ctorch_module_get_submodule(&part, self, name));
  CTORCH_REPLACE(x, ctorch_module_forward(x, part, *x));
  ctorch_module_release(part);
  return NULL;
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
  ADD(*out, "conv1", convolution(&part, from, to, 3, stride));
  ADD(*out, "bn1", norm(&part, to));
  ADD(*out, "conv2", convolution(&part, to, to, 3, 1));
  ADD(*out, "bn2", norm(&part, to));
  CTORCH_TRY(ctorch_nn_Sequential(&downsample)); /* gives its input back while it is empty */
  if (from != to || stride != 1) {
    ADD(downsample, "0", convolution(&part, from, to, 1, stride));
    ADD(downsample, "1", norm(&part, to));
  }
  return ctorch_module_register_module(*out, "downsample", downsample);
}

static ctorch_error *resnet_new(ctorch_module **out) {
  ctorch_module *part, *layer;
  CTORCH_TRY(ctorch_nn_Sequential(out));
  ADD(*out, "conv1", convolution(&part, 3, 64, 7, 2));
  ADD(*out, "bn1", norm(&part, 64));
  ADD(*out, "relu", ctorch_nn_ReLU(&part, true));
  ADD(*out, "maxpool",
      ctorch_nn_MaxPool2d(&part, CTORCH_INTS(3), CTORCH_INTS(2), CTORCH_INTS(1), CTORCH_INTS(1), false, false));
  for (int64_t i = 0, from = 64; i < 4; i++) {
    const char *names[] = {"layer1", "layer2", "layer3", "layer4"};
    const int64_t to = 64 << i;
    CTORCH_TRY(ctorch_nn_Sequential(&layer));
    ADD(layer, "0", block_new(&part, from, to, i == 0 ? 1 : 2));
    ADD(layer, "1", block_new(&part, to, to, 1));
    CTORCH_TRY(ctorch_module_register_module(*out, names[i], layer));
    from = to;
  }
  ADD(*out, "avgpool", ctorch_nn_AdaptiveAvgPool2d(&part, CTORCH_INTS(1)));
  ADD(*out, "flatten", ctorch_nn_Flatten(&part, 1, -1));
  ADD(*out, "fc", ctorch_nn_Linear(&part, 512, CLASSES, true, NULL, NULL));
  return NULL;
}

/* What is done with it. */

static ctorch_error *train_step(
    double *out,
    ctorch_module *net,
    ctorch_optimizer *optimizer,
    const ctorch_tensor *images,
    const ctorch_tensor *labels) {
  ctorch_tensor *scores, *loss;
  CTORCH_TRY(ctorch_module_forward(&scores, net, images));
  CTORCH_TRY(ctorch_cross_entropy_loss(&loss, scores, labels, NULL));
  CTORCH_TRY(ctorch_optimizer_zero_grad(optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(optimizer));
  return ctorch_tensor_item_double(out, loss);
}

static ctorch_error *run(void) {
  ctorch_module *net;
  ctorch_optimizer *optimizer;
  ctorch_tensor_list *parameters;
  ctorch_tensor *images, *labels, *scores, *best;
  int64_t count, found[IMAGES];
  double loss;
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(resnet_new(&net));
  CTORCH_TRY(ctorch_module_parameters(&parameters, net, true));
  CTORCH_TRY(ctorch_optim_SGD(&optimizer, CTORCH_LIST(parameters), 0.01, 0, 0, 0, false, false, NULL, false, NULL));
  CTORCH_TRY(ctorch_module_num_parameters(&count, net, false));
  printf("%" PRId64 " parameters\n", count);
  CTORCH_TRY(ctorch_randn(&images, CTORCH_INTS(IMAGES, 3, SIZE, SIZE)));
  CTORCH_TRY(ctorch_randint(&labels, CLASSES, CTORCH_INTS(IMAGES)));
  for (int step = 1; step <= 3; step++) {
    CTORCH_TRY(train_step(&loss, net, optimizer, images, labels));
    printf("step %d: loss %.3f\n", step, loss);
  }
  CTORCH_TRY(ctorch_module_train(net, false));
  CTORCH_TRY(ctorch_module_forward(&scores, net, images));
  CTORCH_TRY(ctorch_aten_argmax(&best, scores, CTORCH_SOME(int64_t, 1), false));
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(best, found, sizeof found, CTORCH_DTYPE_INT64));
  for (int i = 0; i < IMAGES; i++) {
    printf("image %d: class %" PRId64 "\n", i, found[i]);
  }
  return NULL;
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
