/* Every family of modules: nothing is left when one was made, copied, applied, differentiated and released, and when it
 * refuses its input; a scope keeps what it had. What the numbers are is compared with Python in tests/nn. */
#include "harness/check.h"

enum { MOST = 6 };

struct layer {
  const char *name;
  int64_t args[MOST]; /* of the constructor, all integers; 0 ends them */
  int64_t shape[MOST];
  int inputs;     /* of this shape */
  bool integers;  /* indices in place of numbers */
  int list_after; /* the arguments from here on are a list; 0 for none */
};

static const struct layer layers[] = {
    {"Linear", {3, 4}, {2, 3}, 1, false, 0},
    {"Bilinear", {3, 3, 4}, {2, 3}, 2, false, 0},
    {"Identity", {0}, {2, 3}, 1, false, 0},
    {"ReLU", {0}, {2, 3}, 1, false, 0},
    {"Tanhshrink", {0}, {2, 3}, 1, false, 0},
    {"Softsign", {0}, {2, 3}, 1, false, 0},
    {"Softmin", {1}, {2, 3}, 1, false, 0},
    {"PReLU", {3}, {2, 3}, 1, false, 0},
    {"Dropout1d", {0}, {2, 3}, 1, false, 0},
    {"BatchNorm1d", {3}, {2, 3}, 1, false, 0},
    {"InstanceNorm2d", {3}, {3, 4, 4}, 1, false, 0},
    {"LayerNorm", {4}, {2, 3, 4}, 1, false, 0},
    {"RMSNorm", {4}, {2, 3, 4}, 1, false, 0},
    {"GroupNorm", {3, 6}, {2, 6, 4}, 1, false, 0},
    {"LocalResponseNorm", {2}, {2, 3, 4, 4}, 1, false, 0},
    {"CrossMapLRN2d", {3}, {2, 5, 3, 3}, 1, false, 0},
    {"Conv1d", {3, 4, 2}, {2, 3, 5}, 1, false, 0},
    {"Conv3d", {3, 4, 2}, {3, 3, 3, 3}, 1, false, 0},
    {"ConvTranspose2d", {3, 4, 2}, {2, 3, 3, 3}, 1, false, 0},
    {"ReflectionPad2d", {1}, {2, 3, 3, 3}, 1, false, 0},
    {"MaxPool2d", {2}, {2, 3, 4, 4}, 1, false, 0},
    {"LPPool1d", {2, 2}, {2, 3, 4}, 1, false, 0},
    {"AdaptiveMaxPool2d", {2}, {2, 3, 4, 4}, 1, false, 0},
    {"FractionalMaxPool2d", {2, 2}, {2, 3, 6, 6}, 1, false, 0},
    {"Unflatten", {1, 3, 1}, {2, 3}, 1, false, 1},
    {"Fold", {4, 2}, {4, 9}, 1, false, 0},
    {"Upsample", {4}, {2, 3, 2}, 1, false, 0},
    {"Embedding", {5, 4}, {2, 3}, 1, true, 0},
    {"EmbeddingBag", {5, 4}, {2, 3}, 1, true, 0},
    {"MSELoss", {0}, {2, 3}, 2, false, 0},
    {"GaussianNLLLoss", {0}, {2, 3}, 3, false, 0},
    {"TripletMarginWithDistanceLoss", {0}, {2, 3}, 3, false, 0},
    {"LinearCrossEntropyLoss", {3, 3}, {3, 3}, 2, false, 0},
    {"PairwiseDistance", {0}, {2, 3}, 2, false, 0},
    {"RNN", {3, 4, 2}, {5, 2, 3}, 1, false, 0},
    {"LSTM", {3, 4, 2}, {5, 3}, 1, false, 0},
    {"GRU", {3, 4, 2}, {5, 2, 3}, 1, false, 0},
    {"LSTMCell", {3, 4}, {2, 3}, 1, false, 0},
    {"GRUCell", {3, 4}, {3}, 1, false, 0},
    {"MultiheadAttention", {4, 2}, {5, 2, 4}, 3, false, 0},
    {"MultiheadAttention", {4, 2}, {5, 4}, 3, false, 0},
    {"TransformerEncoderLayer", {4, 2, 8}, {5, 2, 4}, 1, false, 0},
    {"TransformerDecoderLayer", {4, 2, 8}, {5, 2, 4}, 2, false, 0},
    {"Transformer", {4, 2, 1, 1, 8}, {5, 2, 4}, 2, false, 0},
};

static ctorch_value *integer_value(int64_t number) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_value_from_int(&value, number));
  return value;
}

static ctorch_value *tuple_of(ctorch_value **values, size_t len) {
  ctorch_value *tuple = NULL;
  ck_ok(ctorch_value_from_tuple(&tuple, (const ctorch_value *const *)values, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(values[i]);
  }
  return tuple;
}

static ctorch_module *make(const struct layer *layer) {
  ctorch_value *values[MOST] = {NULL};
  size_t len = 0, given = 0;
  while (given < MOST && layer->args[given] != 0) {
    given++;
  }
  for (size_t i = 0; i < given; i++) {
    if (layer->list_after != 0 && i == (size_t)layer->list_after) {
      ck_ok(ctorch_value_from_ints(&values[len++], layer->args + i, given - i));
      break;
    }
    values[len++] = integer_value(layer->args[i]);
  }
  ctorch_value *args = tuple_of(values, len);
  ctorch_module *module = NULL;
  ck_ok(ctorch_nn_create(&module, layer->name, args, NULL));
  ctorch_value_release(args);
  return module;
}

static ctorch_tensor *input_of(const struct layer *layer, bool fits) {
  ctorch_tensor *tensor = NULL;
  size_t ndim = 0;
  while (ndim < MOST && layer->shape[ndim] != 0) {
    ndim++;
  }
  const int64_t *shape = fits ? layer->shape : (const int64_t[]){7, 7, 7, 7, 7, 7, 7};
  ndim = fits ? ndim : 7;
  if (layer->integers) {
    ck_ok(ctorch_aten_ones(&tensor, shape, ndim, (ctorch_dtype[]){CTORCH_DTYPE_INT64}, NULL, NULL, NULL));
  } else {
    ck_ok(ctorch_aten_rand(&tensor, shape, ndim, NULL, NULL, NULL, NULL));
    ck_ok(ctorch_tensor_set_requires_grad(tensor, true));
  }
  return tensor;
}

static ctorch_value *arguments_of(const struct layer *layer, bool fits) {
  ctorch_value *values[MOST] = {NULL};
  for (int i = 0; i < layer->inputs; i++) {
    ctorch_tensor *input = input_of(layer, fits);
    ck_ok(ctorch_value_from_tensor(&values[i], input));
    ctorch_tensor_release(input);
  }
  return tuple_of(values, (size_t)layer->inputs);
}

/* The first tensor of what a call gave. */
static ctorch_tensor *first_of(ctorch_value *value) {
  ctorch_tensor *tensor = NULL;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR) {
    ck_ok(ctorch_value_to_tensor(&tensor, value));
    return tensor;
  }
  ctorch_value *first = NULL;
  ck_ok(ctorch_value_get(&first, value, 0));
  tensor = first_of(first);
  ctorch_value_release(first);
  return tensor;
}

static void apply(const struct layer *layer, ctorch_module *module) {
  ctorch_value *args = arguments_of(layer, true), *result = NULL;
  ck_ok(ctorch_module_call(&result, module, args, NULL));
  ctorch_tensor *output = first_of(result), *sum = NULL;
  if (ctorch_tensor_requires_grad(output) && ctorch_grad_mode_enabled()) {
    ck_ok(ctorch_aten_sum(&sum, output, NULL));
    ck_ok(ctorch_tensor_backward(sum, NULL, false, false));
    ctorch_tensor_release(sum);
  }
  ctorch_tensor_release(output);
  ctorch_value_release(result);
  ctorch_value_release(args);
}

static void go_through(const struct layer *layer) {
  ctorch_module *module = make(layer), *copy = NULL;
  apply(layer, module);
  ck_ok(ctorch_module_copy(&copy, module));
  ctorch_module_release(module);
  ck_ok(ctorch_module_reset_parameters(copy));
  ck_ok(ctorch_module_train(copy, false));
  apply(layer, copy);
  ck_ok(ctorch_grad_mode_push(false));
  apply(layer, copy);
  ck_ok(ctorch_grad_mode_pop());
  ctorch_string *text = NULL;
  ck_ok(ctorch_module_repr(&text, copy));
  ctorch_string_release(text);
  ctorch_module_release(copy);
}

START_TEST(nothing_is_left) {
  const struct layer *layer = &layers[_i];
  int64_t before = ctorch_debug_live_handles();
  go_through(layer);
  ck_assert_msg(ctorch_debug_live_handles() == before, "%s leaves handles", layer->name);
}
END_TEST

START_TEST(a_scope_keeps_what_it_had) {
  const struct layer *layer = &layers[_i];
  ctorch_scope *scope = NULL;
  int64_t before = ctorch_debug_live_handles();
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *input = input_of(layer, true);
  go_through(layer);
  ck_assert_msg(ctorch_scope_owns(input), "%s takes its input out of the scope", layer->name);
  ctorch_scope_end(scope);
  ck_assert_msg(ctorch_debug_live_handles() == before, "%s leaves handles", layer->name);
}
END_TEST

START_TEST(nothing_is_left_of_a_failure) {
  const struct layer *layer = &layers[_i];
  int64_t before = ctorch_debug_live_handles();
  ctorch_module *module = make(layer);
  ctorch_value *args = arguments_of(layer, false), *result = NULL;
  ctorch_error *error = ctorch_module_call(&result, module, args, NULL); /* some take any shape */
  ctorch_error_release(error);
  ctorch_value_release(result);
  ctorch_value_release(args);
  ctorch_module_release(module);
  ck_assert_msg(ctorch_debug_live_handles() == before, "%s leaves handles", layer->name);
}
END_TEST

#define LOOP(suite, test)                                                       \
  do {                                                                          \
    TCase *tcase = tcase_create(#test);                                         \
    tcase_set_timeout(tcase, CK_TIMEOUT);                                       \
    tcase_add_loop_test(tcase, test, 0, (int)(sizeof layers / sizeof *layers)); \
    suite_add_tcase(suite, tcase);                                              \
  } while (false)

int main(void) {
  Suite *suite = suite_create("layers");
  LOOP(suite, nothing_is_left);
  LOOP(suite, a_scope_keeps_what_it_had);
  LOOP(suite, nothing_is_left_of_a_failure);
  return ck_main(suite);
}
