// The models, of LibTorch's C++ modules.
#include <torch/torch.h>

#include "models.h"

namespace {

namespace nn = torch::nn;

struct Model {
  virtual ~Model() = default;
  virtual at::Tensor forward(at::Tensor x) = 0;
  virtual nn::Module &module() = 0;
};

struct Plain : Model {
  explicit Plain(nn::Sequential layers) : layers(std::move(layers)) {}
  at::Tensor forward(at::Tensor x) override { return layers->forward(std::move(x)); }
  nn::Module &module() override { return *layers; }
  nn::Sequential layers;
};

nn::Conv2d convolution(int64_t from, int64_t to, int64_t kernel, int64_t stride, int64_t padding, bool bias) {
  return nn::Conv2d(nn::Conv2dOptions(from, to, kernel).stride(stride).padding(padding).bias(bias));
}

nn::Sequential mlp() {
  return nn::Sequential(
      nn::Linear(MLP_WIDTH, MLP_WIDTH), nn::ReLU(), nn::Linear(MLP_WIDTH, MLP_WIDTH), nn::ReLU(),
      nn::Linear(MLP_WIDTH, MLP_WIDTH));
}

nn::Sequential lenet() {
  return nn::Sequential(
      convolution(1, 6, 5, 1, 2, true), nn::ReLU(), nn::MaxPool2d(2), convolution(6, 16, 5, 1, 0, true), nn::ReLU(),
      nn::MaxPool2d(2), nn::Flatten(), nn::Linear(400, 120), nn::ReLU(), nn::Linear(120, 84), nn::ReLU(),
      nn::Linear(84, CLASSES));
}

struct BlockImpl : nn::Module {
  BlockImpl(int64_t from, int64_t to, int64_t stride)
      : conv1(register_module("conv1", convolution(from, to, 3, stride, 1, false))),
        bn1(register_module("bn1", nn::BatchNorm2d(to))),
        conv2(register_module("conv2", convolution(to, to, 3, 1, 1, false))),
        bn2(register_module("bn2", nn::BatchNorm2d(to))) {
    if (stride != 1 || from != to) {
      downsample = register_module(
          "downsample", nn::Sequential(convolution(from, to, 1, stride, 0, false), nn::BatchNorm2d(to)));
    }
  }
  at::Tensor forward(const at::Tensor &input) {
    at::Tensor x = torch::relu(bn1(conv1(input)));
    x = bn2(conv2(x));
    return torch::relu(x + (downsample.is_empty() ? input : downsample->forward(input)));
  }
  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Sequential downsample{nullptr};
};
TORCH_MODULE(Block);

nn::Sequential resnet() {
  nn::Sequential layers(convolution(3, 64, 3, 1, 1, false), nn::BatchNorm2d(64), nn::ReLU());
  int64_t from = 64;
  for (int64_t to : {64, 128, 256, 512}) {
    layers->push_back(Block(from, to, from == to ? 1 : 2));
    layers->push_back(Block(to, to, 1));
    from = to;
  }
  layers->push_back(nn::AdaptiveAvgPool2d(1));
  layers->push_back(nn::Flatten());
  layers->push_back(nn::Linear(512, CLASSES));
  return layers;
}

struct Classifier : nn::Module, Model {
  at::Tensor forward(at::Tensor x) override { return fc(std::get<0>(lstm(x)).select(1, -1)); }
  nn::Module &module() override { return *this; }
  nn::LSTM lstm = register_module(
      "lstm", nn::LSTM(nn::LSTMOptions(LSTM_INPUT, LSTM_HIDDEN).num_layers(LSTM_LAYERS).batch_first(true)));
  nn::Linear fc = register_module("fc", nn::Linear(LSTM_HIDDEN, CLASSES));
};

struct LayerImpl : nn::Module {
  at::Tensor attention(const at::Tensor &input) {
    auto batch = input.size(0), steps = input.size(1);
    auto parts = c_attn(input).split(GPT_WIDTH, 2);
    auto heads = [&](const at::Tensor &x) {
      return x.view({batch, steps, GPT_HEADS, GPT_WIDTH / GPT_HEADS}).transpose(1, 2);
    };
    auto x = at::scaled_dot_product_attention(heads(parts[0]), heads(parts[1]), heads(parts[2]), {}, 0.0, true);
    return c_proj(x.transpose(1, 2).reshape({batch, steps, GPT_WIDTH}));
  }
  at::Tensor forward(const at::Tensor &input) {
    auto x = input + attention(ln_1(input));
    return x + mlp->forward(ln_2(x));
  }
  nn::LayerNorm ln_1 = register_module("ln_1", nn::LayerNorm(nn::LayerNormOptions({GPT_WIDTH})));
  nn::Linear c_attn = register_module("c_attn", nn::Linear(GPT_WIDTH, 3 * GPT_WIDTH));
  nn::Linear c_proj = register_module("c_proj", nn::Linear(GPT_WIDTH, GPT_WIDTH));
  nn::LayerNorm ln_2 = register_module("ln_2", nn::LayerNorm(nn::LayerNormOptions({GPT_WIDTH})));
  nn::Sequential mlp = register_module(
      "mlp", nn::Sequential(nn::Linear(GPT_WIDTH, 4 * GPT_WIDTH), nn::GELU(), nn::Linear(4 * GPT_WIDTH, GPT_WIDTH)));
};
TORCH_MODULE(Layer);

struct Gpt : nn::Module, Model {
  Gpt() {
    for (int i = 0; i < GPT_LAYERS; i++) {
      layers->push_back(Layer());
    }
  }
  at::Tensor forward(at::Tensor x) override {
    return lm_head(ln_f(layers->forward(wte(x) + wpe(at::arange(x.size(1))))));
  }
  nn::Module &module() override { return *this; }
  nn::Embedding wte = register_module("wte", nn::Embedding(GPT_WORDS, GPT_WIDTH));
  nn::Embedding wpe = register_module("wpe", nn::Embedding(GPT_STEPS, GPT_WIDTH));
  nn::Sequential layers = register_module("h", nn::Sequential());
  nn::LayerNorm ln_f = register_module("ln_f", nn::LayerNorm(nn::LayerNormOptions({GPT_WIDTH})));
  nn::Linear lm_head = register_module("lm_head", nn::Linear(nn::LinearOptions(GPT_WIDTH, GPT_WORDS).bias(false)));
};

std::unique_ptr<Model> make(const std::string &name) {
  if (name == "mlp") {
    return std::make_unique<Plain>(mlp());
  }
  if (name == "lenet") {
    return std::make_unique<Plain>(lenet());
  }
  if (name == "resnet18") {
    return std::make_unique<Plain>(resnet());
  }
  if (name == "lstm") {
    return std::make_unique<Classifier>();
  }
  return std::make_unique<Gpt>();
}

/// The same memory, for as long as the handle lives.
at::Tensor view_of(const ctorch_tensor *handle) {
  void *data = nullptr;
  ctorch_error *error = ctorch_tensor_data(&data, const_cast<ctorch_tensor *>(handle));
  TORCH_CHECK(error == nullptr, ctorch_error_message(error));
  at::IntArrayRef sizes(ctorch_tensor_sizes(handle), static_cast<size_t>(ctorch_tensor_ndim(handle)));
  return at::from_blob(data, sizes, static_cast<at::ScalarType>(ctorch_tensor_dtype(handle)));
}

}  // namespace

struct libtorch_model {
  std::unique_ptr<Model> model;
  at::Tensor output;
  std::unique_ptr<torch::optim::AdamW> optimizer;
};

libtorch_model *libtorch_model_new(const char *name, const held *weights) {
  auto *self = new libtorch_model{make(name), {}, nullptr};
  at::NoGradGuard guard;
  size_t i = 0;
  for (at::Tensor &parameter : self->model->module().parameters()) {
    parameter.copy_(view_of(weights->parameters[i++]));
  }
  i = 0;
  for (at::Tensor &buffer : self->model->module().buffers()) {
    buffer.copy_(view_of(weights->buffers[i++]));
  }
  return self;
}

void libtorch_model_run(libtorch_model *self, const ctorch_tensor *input, bool training) {
  at::Tensor x = view_of(input);
  self->output = at::Tensor();  // not to have two at a time
  Model &model = *self->model;
  if (!training) {
    at::NoGradGuard guard;
    self->output = model.forward(std::move(x));
    return;
  }
  self->output = model.forward(std::move(x));
  self->output.sum().backward();
  self->output = self->output.detach();
  model.module().zero_grad();
}

double libtorch_model_step(libtorch_model *self, const ctorch_tensor *input, const ctorch_tensor *target, bool reads) {
  if (self->optimizer == nullptr) {
    self->optimizer = std::make_unique<torch::optim::AdamW>(
        self->model->module().parameters(), torch::optim::AdamWOptions(1e-3).weight_decay(1e-2));
  }
  self->optimizer->zero_grad();
  at::Tensor output = self->model->forward(view_of(input));
  at::Tensor loss = at::cross_entropy_loss(output.dim() == 2 ? output : output.flatten(0, -2), view_of(target));
  loss.backward();
  self->optimizer->step();
  return reads ? loss.item<double>() : 0;
}

double libtorch_model_difference(const libtorch_model *self, const ctorch_tensor *output) {
  return (self->output - view_of(output)).abs().max().item<double>();
}

void libtorch_model_train(libtorch_model *self, bool training) { self->model->module().train(training); }

void libtorch_model_delete(libtorch_model *self) { delete self; }
