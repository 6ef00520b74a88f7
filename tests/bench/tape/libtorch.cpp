// The steps in C++, by calls of `at::`.
#include <string.h>
#include <torch/torch.h>

#include <fstream>
#include <string>

#include "models.h"

#if __has_include(<torch/csrc/inductor/aoti_package/model_package_loader.h>)
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#define HAVE_PACKAGES 1
#else
#define HAVE_PACKAGES 0
#endif

namespace {

using at::Tensor;
using Tensors = std::vector<Tensor>;

/// The same memory, for as long as the handle lives.
Tensor view_of(const ctorch_tensor *handle) {
  void *data = nullptr;
  ctorch_error *error = ctorch_tensor_data(&data, const_cast<ctorch_tensor *>(handle));
  TORCH_CHECK(error == nullptr, ctorch_error_message(error));
  at::IntArrayRef sizes(ctorch_tensor_sizes(handle), static_cast<size_t>(ctorch_tensor_ndim(handle)));
  return at::from_blob(data, sizes, static_cast<at::ScalarType>(ctorch_tensor_dtype(handle)));
}

double difference(const Tensor &a, const Tensor &b) { return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>(); }

}  // namespace

struct libtorch_step {
  Tensor linear(const Tensor &x, size_t i) const { return at::linear(x, weights[i], weights[i + 1]); }
  Tensor norm(const Tensor &x, size_t i) const {
    return at::layer_norm(x, {model->sizes[1]}, weights[i], weights[i + 1]);
  }

  Tensor perceptron(const Tensor &x, size_t i) const {
    return linear(at::relu(linear(at::relu(linear(x, i)), i + 2)), i + 4);
  }
  Tensor gpt(const Tensors &in) const {
    const int64_t blocks = model->sizes[0], width = model->sizes[1], heads = width / GPT_HEAD;
    const auto last = static_cast<size_t>(14 * blocks);
    Tensor x = at::embedding(weights[last], in[0]) + at::embedding(weights[last + 1], in[1]);
    Tensor mask = weights[last + 6].index_select(0, in[1]).view({1, 1, 1, model->sizes[2]});
    for (size_t w = 0; w < last; w += 14) {
      auto part = linear(norm(x, w), w + 2).split(width, -1);
      Tensor keys = weights[w + 12], values = weights[w + 13];
      keys.index_copy_(2, in[1], part[1].view({1, heads, 1, GPT_HEAD}));
      values.index_copy_(2, in[1], part[2].view({1, heads, 1, GPT_HEAD}));
      Tensor h = at::scaled_dot_product_attention(part[0].view({1, heads, 1, GPT_HEAD}), keys, values, mask);
      x = x + linear(h.view({1, width}), w + 4);
      x = x + linear(at::gelu(linear(norm(x, w + 6), w + 8)), w + 10);
    }
    return linear(norm(x, last + 2), last + 4);
  }
  Tensor convolved(const Tensor &x, size_t i) const {
    return at::max_pool2d(at::relu(at::conv2d(x, weights[i], weights[i + 1], 1, 1)), 2);
  }
  Tensor lenet(const Tensor &x) const {
    return linear(at::relu(linear(convolved(convolved(x, 0), 2).flatten(1), 4)), 6);
  }

  void forget() {
    for (size_t i = 0; i < trained; i++) {
      weights[i].mutable_grad() = Tensor();
    }
  }
  void update(bool decays) {
    Tensors params(weights.begin(), weights.begin() + static_cast<ptrdiff_t>(trained)), grads;
    for (const Tensor &param : params) {
      grads.push_back(param.grad());
    }
    at::_foreach_add_(steps, 1);
    if (decays) {
      at::_fused_adamw_(params, grads, exp_avgs, exp_avg_sqs, {}, steps, lr, 0.9, 0.999, 0.01, 1e-8, false, false);
    } else {
      at::_fused_adam_(params, grads, exp_avgs, exp_avg_sqs, {}, steps, lr, 0.9, 0.999, 0, 1e-8, false, false);
    }
  }
  Tensor learn(const Tensor &scores, const Tensor &target) {
    Tensor loss = at::cross_entropy_loss(scores, target);
    loss.backward();
    at::NoGradGuard guard;
    update(true);
    return loss.detach();
  }
  Tensor dqn(const Tensors &in) {
    forget();
    Tensor target;
    {
      at::NoGradGuard guard;
      Tensor best = std::get<0>(perceptron(in[3], trained).max(1));
      target = at::add(in[2], best * in[4], 0.99);
    }
    Tensor loss = at::smooth_l1_loss(perceptron(in[0], 0).gather(1, in[1]).squeeze(1), target);
    loss.backward();
    at::NoGradGuard guard;
    update(false);
    at::_foreach_lerp_(
        at::TensorList(weights).slice(trained, trained), at::TensorList(weights).slice(0, trained), 0.005);
    return loss.detach();
  }

  Tensor run(const Tensors &in) {
    const std::string name = model->name;
    if (name.find("gpt") != std::string::npos) {
      return gpt(in);
    }
    if (name == "gru") {
      return at::gru_cell(in[0], in[1], weights[0], weights[1], weights[2], weights[3]);
    }
    if (name.find("dqn") == 0) {
      return dqn(in);
    }
    const bool images = name.find("lenet") != std::string::npos;
    if (name.find("train") == 0) {
      forget();
      return learn(images ? lenet(in[0]) : perceptron(in[0], 0), in[1]);
    }
    return images ? lenet(in[0]) : perceptron(in[0], 0);
  }

  const ::model *model;
  Tensors weights, exp_avgs, exp_avg_sqs, steps;
  size_t trained;
  Tensor lr, output;
};

libtorch_step *libtorch_step_new(const model *model, const held *held) {
  auto *self = new libtorch_step{model, {}, {}, {}, {}, held->trained_len, {}, {}};
  for (size_t i = 0; i < held->weights_len; i++) {
    self->weights.push_back(view_of(held->weights[i]).clone().requires_grad_(i < held->trained_len));
  }
  for (size_t i = 0; i < held->trained_len; i++) {
    self->exp_avgs.push_back(at::zeros_like(view_of(held->weights[i])));
    self->exp_avg_sqs.push_back(at::zeros_like(view_of(held->weights[i])));
    self->steps.push_back(at::zeros({}));
  }
  self->lr = at::full({}, 1e-3);
  return self;
}

void libtorch_step_run(libtorch_step *self, ctorch_tensor *const *inputs, size_t inputs_len) {
  Tensors given;
  given.reserve(inputs_len);
  for (size_t i = 0; i < inputs_len; i++) {  // a handle is a tensor's object
    given.push_back(Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim_copy(
        reinterpret_cast<at::TensorImpl *>(inputs[i]))));
  }
  self->output = self->run(given);
}

double libtorch_step_difference(const libtorch_step *self, const ctorch_tensor *output, const held *held) {
  at::NoGradGuard guard;
  double most = difference(self->output, view_of(output));
  for (size_t i = 0; i < held->trained_len; i++) {
    most = std::max(most, difference(self->weights[i], view_of(held->weights[i])));
  }
  return most;
}

void libtorch_step_delete(libtorch_step *self) { delete self; }

#if HAVE_PACKAGES
struct libtorch_package {
  explicit libtorch_package(const char *path) : loader(path) {}
  torch::inductor::AOTIModelPackageLoader loader;
  Tensors output;
};

libtorch_package *libtorch_package_open(const char *path) {
  if (!std::ifstream(path)) {
    return nullptr;
  }
  try {
    return new libtorch_package(path);
  } catch (const std::exception &exception) {
    fprintf(stderr, "%s: %s\n", path, exception.what());
    return nullptr;
  }
}

void libtorch_package_run(libtorch_package *self, ctorch_tensor *const *inputs, size_t inputs_len) {
  Tensors given;
  for (size_t i = 0; i < inputs_len; i++) {
    given.push_back(Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim_copy(
        reinterpret_cast<at::TensorImpl *>(inputs[i]))));
  }
  self->output = self->loader.run(given);
}

void libtorch_package_delete(libtorch_package *self) { delete self; }
#else
libtorch_package *libtorch_package_open(const char *) { return nullptr; }
void libtorch_package_run(libtorch_package *, ctorch_tensor *const *, size_t) {}
void libtorch_package_delete(libtorch_package *) {}
#endif
