// Adam, AdamW and SGD over many small tensors.
#include <math.h>

#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

/// Whether they lie alike and densely, so that each is a row of floats.
bool lie_alike(const at::Tensor &first, std::initializer_list<const at::Tensor *> others) {
  bool good = is_float(first) && first.is_non_overlapping_and_dense();
  for (const at::Tensor *t : others) {
    good = good && is_float(*t) && t->sizes() == first.sizes() && t->strides() == first.strides();
  }
  return good;
}

/// A number of the schema, or a tensor that is read at each step.
struct Rate {
  static std::optional<Rate> of(const c10::IValue &value) {
    if (!value.isTensor()) {
      return Rate{value.toDouble(), nullptr};
    }
    const at::Tensor &t = value.toTensor();
    return is_float(t) && t.numel() == 1 ? std::optional(Rate{0, floats(t)}) : std::nullopt;
  }
  double operator()() const { return tensor == nullptr ? number : static_cast<double>(*tensor); }

  double number;
  const float *tensor;
};

// Adam ----------------------------------------------------------------------------------------------------------------

/// The numbers are LibTorch's, in double (aten/src/ATen/native/cpu/FusedAdamKernel.cpp).
struct Adam {
  struct Parameter {
    float *param, *grad, *exp_avg, *exp_avg_sq, *max_exp_avg_sq;
    const float *step;
    int64_t len;
  };

  void operator()() const {
    const double lr = rate();
    double correction1 = 0, root = 0;
    float at = NAN;
    AdamNumbers numbers{
        static_cast<float>(beta1),
        static_cast<float>(beta2),
        static_cast<float>(1 - beta1),
        static_cast<float>(1 - beta2),
        static_cast<float>(decoupled ? 1 - lr * weight_decay : 1),
        static_cast<float>(decoupled ? 0 : weight_decay),
        0,
        0,
        static_cast<float>(eps),
        maximize};
    for (const Parameter &p : parameters) {
      if (*p.step != at) {  // all have made as many steps, most often
        at = *p.step;
        correction1 = 1 - pow(beta1, at);
        root = sqrt(1 - pow(beta2, at));
        numbers.step_size = static_cast<float>(lr / correction1);
        numbers.root_of_correction = static_cast<float>(root);
      }
      loop(p.param, p.grad, p.exp_avg, p.exp_avg_sq, p.max_exp_avg_sq, numbers, p.len);
    }
  }

  std::vector<Parameter> parameters;
  Rate rate;
  double beta1, beta2, weight_decay, eps;
  bool maximize, decoupled;
  decltype(Loops::adam) loop;
};

/// self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr, beta1, beta2, weight_decay, eps, amsgrad,
/// maximize, grad_scale, found_inf
std::unique_ptr<Step> adam(const Record &record, bool decoupled) {
  const auto &args = record.args;
  auto rate = Rate::of(args[6]);
  if (!rate || !args[13].isNone() || !args[14].isNone()) {
    return nullptr;
  }
  auto params = args[0].toTensorVector(), grads = args[1].toTensorVector(), exp_avgs = args[2].toTensorVector(),
       exp_avg_sqs = args[3].toTensorVector(), max_exp_avg_sqs = args[4].toTensorVector(),
       steps = args[5].toTensorVector();
  const bool amsgrad = args[11].toBool();
  Adam made{
      {},
      *rate,
      args[7].toDouble(),
      args[8].toDouble(),
      args[9].toDouble(),
      args[10].toDouble(),
      args[12].toBool(),
      decoupled,
      loops().adam};
  for (size_t i = 0; i < params.size(); i++) {
    if (!lie_alike(params[i], {&grads[i], &exp_avgs[i], &exp_avg_sqs[i]}) || !is_small(params[i].numel()) ||
        (amsgrad && !lie_alike(params[i], {&max_exp_avg_sqs[i]})) || !is_float(steps[i]) || steps[i].numel() != 1) {
      return nullptr;
    }
    made.parameters.push_back(
        {floats(params[i]), floats(grads[i]), floats(exp_avgs[i]), floats(exp_avg_sqs[i]),
         amsgrad ? floats(max_exp_avg_sqs[i]) : nullptr, floats(steps[i]), params[i].numel()});
  }
  return step(std::move(made));
}
std::unique_ptr<Step> coupled_adam(const Record &record) { return adam(record, false); }
std::unique_ptr<Step> decoupled_adam(const Record &record) { return adam(record, true); }

// SGD -----------------------------------------------------------------------------------------------------------------

struct Sgd {
  struct Parameter {
    float *param, *grad, *momentum;
    int64_t len;
  };

  void operator()() const {
    SgdNumbers with = numbers;
    with.lr = static_cast<float>(rate());
    for (const Parameter &p : parameters) {
      loop(p.param, p.grad, p.momentum, with, p.len);
    }
  }

  std::vector<Parameter> parameters;
  Rate rate;
  SgdNumbers numbers;
  decltype(Loops::sgd) loop;
};

/// self, grads, momentum_buffers, weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step, grad_scale,
/// found_inf
std::unique_ptr<Step> sgd(const Record &record) {
  const auto &args = record.args;
  auto rate = Rate::of(args[5]);
  if (!rate || !args[10].isNone() || !args[11].isNone()) {
    return nullptr;
  }
  auto params = args[0].toTensorVector(), grads = args[1].toTensorVector(), momenta = args[2].toTensorVector();
  const double momentum = args[4].toDouble();
  Sgd made{
      {},
      *rate,
      {0, static_cast<float>(momentum), static_cast<float>(1 - args[6].toDouble()),
       static_cast<float>(args[3].toDouble()), args[7].toBool(), args[8].toBool(), args[9].toBool()},
      loops().sgd};
  for (size_t i = 0; i < params.size(); i++) {
    if (!lie_alike(params[i], {&grads[i]}) || !is_small(params[i].numel()) ||
        (momentum != 0 && !lie_alike(params[i], {&momenta[i]}))) {
      return nullptr;
    }
    made.parameters.push_back(
        {floats(params[i]), floats(grads[i]), momentum != 0 ? floats(momenta[i]) : nullptr, params[i].numel()});
  }
  return step(std::move(made));
}

}  // namespace

Makers optimizer_makers() {
  static const Maker all[] = {
      {"aten::_fused_adam_", 15, coupled_adam},
      {"aten::_fused_adam_.tensor_lr", 15, coupled_adam},
      {"aten::_fused_adamw_", 15, decoupled_adam},
      {"aten::_fused_adamw_.tensor_lr", 15, decoupled_adam},
      {"aten::_fused_sgd_", 12, sgd},
      {"aten::_fused_sgd_.tensor_lr", 12, sgd},
  };
  return all;
}

}  // namespace ctorch::tape
