/**
 * The models that are measured, each written four times over the same parameters: of ctorch's modules, by hand on its
 * operators, of LibTorch's C++ modules (libtorch.cpp), and of Python's (python_models.py).
 */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include <ctorch.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MLP_WIDTH = 128,
  CLASSES = 10,
  LSTM_INPUT = 64,
  LSTM_HIDDEN = 128,
  LSTM_LAYERS = 2,
  LSTM_STEPS = 32,
  GPT_WORDS = 65,
  GPT_WIDTH = 384,
  GPT_HEADS = 6,
  GPT_LAYERS = 6,
  GPT_STEPS = 32
};

/** Parameters and buffers of a model, in the order of `Module.parameters` and `Module.buffers`; and the next to use. */
typedef struct held {
  ctorch_tensor *const *parameters, *const *buffers;
  size_t next_parameter, next_buffer;
} held;

typedef struct model {
  const char *name;
  ctorch_error *(*build)(ctorch_module **out);
  ctorch_error *(*input)(ctorch_tensor **out, int64_t batch);
  ctorch_error *(*by_hand)(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training);
} model;

/** One without a name ends them. */
extern const model models[];

ctorch_error *mlp_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training);
ctorch_error *lenet_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training);
ctorch_error *resnet_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training);
ctorch_error *lstm_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training);
ctorch_error *gpt_by_hand(ctorch_tensor **out, held *weights, const ctorch_tensor *input, bool training);

/** LibTorch's own, with a copy of these parameters and buffers. */
struct libtorch_model;
struct libtorch_model *libtorch_model_new(const char *name, const held *weights);
void libtorch_model_train(struct libtorch_model *self, bool training);
/** Forward, and backward of the sum; forward alone, without gradients, if not `training`. */
void libtorch_model_run(struct libtorch_model *self, const ctorch_tensor *input, bool training);
/** A whole training step with AdamW and cross entropy, whose loss it gives if `reads`. */
double libtorch_model_step(
    struct libtorch_model *self, const ctorch_tensor *input, const ctorch_tensor *target, bool reads);
/** Greatest difference between the last output and this one. */
double libtorch_model_difference(const struct libtorch_model *self, const ctorch_tensor *output);
void libtorch_model_delete(struct libtorch_model *self);

#ifdef __cplusplus
}
#endif

#endif
