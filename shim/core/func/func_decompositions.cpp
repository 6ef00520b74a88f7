// Batching rules of eight operators that LibTorch maps in a loop, with a warning, unless Python has been there: before
// its first vmap, Python registers decompositions of its own for them (torch/_functorch/predispatch.py). Without rules
// for the usual losses, gradients per sample would cost a loop over the samples.
//
// A rule need only be made of operators that have one. Inside, tensors have the shapes of one sample.
#include <ATen/OpMathType.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/addr_native.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include <initializer_list>
#include <mutex>
#include <tuple>

#include "core/func/func_layers.hpp"

namespace ctorch::func {
namespace {

using at::Tensor;

/// What a mean divides by.
double mean_divisor(const Tensor &self, int64_t reduction) {
  return reduction == at::Reduction::Mean ? static_cast<double>(self.numel()) : 1.0;
}

/// Half precision is computed in single precision, as the kernels of these operators do.
at::ScalarType computed_in(const Tensor &tensor) { return at::toOpMathType(tensor.scalar_type()); }

Tensor mse_loss_backward(const Tensor &grad_output, const Tensor &self, const Tensor &target, int64_t reduction) {
  const at::ScalarType dtype = computed_in(self);
  const double norm = 2.0 / mean_divisor(self, reduction);
  return (norm * (self.to(dtype) - target.to(dtype)) * grad_output.to(dtype)).to(self.scalar_type());
}

Tensor smooth_l1_loss_backward(
    const Tensor &grad_output, const Tensor &self, const Tensor &target, int64_t reduction, double beta) {
  const at::ScalarType dtype = computed_in(self);
  const Tensor difference = self.to(dtype) - target.to(dtype);
  const Tensor norm_grad = (1.0 / mean_divisor(self, reduction)) * grad_output.to(dtype);
  return at::where(at::abs(difference) < beta, norm_grad * difference / beta, norm_grad * at::sign(difference))
      .to(self.scalar_type());
}

Tensor huber_loss_backward(
    const Tensor &grad_output, const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  const at::ScalarType dtype = computed_in(self);
  const Tensor difference = self.to(dtype) - target.to(dtype);
  const Tensor norm_grad = (1.0 / mean_divisor(self, reduction)) * grad_output.to(dtype);
  return at::where(
             difference < -delta, -norm_grad * delta,
             at::where(difference > delta, norm_grad * delta, norm_grad * difference))
      .to(self.scalar_type());
}

/// Where the classes are: [C], [N, C] or [N, C, H, W].
int64_t class_dim(const Tensor &self) { return self.dim() < 2 ? 0 : 1; }

/// The weights of the classes in a shape that goes with `self`.
Tensor weight_like(const Tensor &weight, const Tensor &self) {
  std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
  shape[static_cast<size_t>(class_dim(self))] = weight.size(0);
  return weight.reshape(shape);
}

std::tuple<Tensor, Tensor> nll_loss_forward(
    const Tensor &self,
    const Tensor &target,
    const std::optional<Tensor> &weight,
    int64_t reduction,
    c10::SymInt ignore_index) {
  const int64_t dim = class_dim(self);
  const bool weighted = weight && weight->defined();
  const Tensor counted = at::ne(target, ignore_index.expect_int());
  const Tensor index = at::where(counted, target, 0).unsqueeze(dim);
  const auto of_target = [&](const Tensor &values) {
    return at::where(counted, at::gather(values, dim, index).squeeze(dim), 0);
  };
  Tensor loss = -of_target(weighted ? self * weight_like(*weight, self) : self);
  if (reduction == at::Reduction::None && self.dim() > 1) {
    return {loss, self.new_full({}, 0.0)};
  }
  const Tensor total_weight =
      weighted ? of_target(weight_like(*weight, self).expand_as(self)).sum() : counted.sum().to(self.scalar_type());
  if (reduction != at::Reduction::None) {
    loss = loss.sum();
  }
  return {reduction == at::Reduction::Mean ? loss / total_weight : loss, total_weight};
}

Tensor nll_loss_backward(
    const Tensor &grad_output,
    const Tensor &self,
    const Tensor &target,
    const std::optional<Tensor> &weight,
    int64_t reduction,
    c10::SymInt ignore_index,
    const Tensor &total_weight) {
  const int64_t dim = class_dim(self);
  const Tensor only_target = self.dim() == 1 && target.dim() > 0 ? target.select(0, 0) : target;
  const Tensor index = only_target.unsqueeze(dim);
  const Tensor counted = at::ne(index, ignore_index.expect_int());
  const Tensor chosen = at::scatter(at::zeros_like(self), dim, at::where(counted, index, 0), -1.0);
  Tensor grad = reduction == at::Reduction::Mean ? grad_output / total_weight : grad_output;
  if (self.dim() > grad.dim() && grad.dim() > 0) {
    grad = grad.unsqueeze(dim);
  }
  if (weight && weight->defined()) {
    grad = grad * weight_like(*weight, self);
  }
  return chosen * at::where(counted, grad, 0);
}

Tensor addr(
    const Tensor &self, const Tensor &vec1, const Tensor &vec2, const at::Scalar &beta, const at::Scalar &alpha) {
  return at::native::math_addr(self, vec1, vec2, beta, alpha);
}

/// An operator of Python's own, there from the moment on when its torch is imported.
bool python_is_here() { return c10::Dispatcher::singleton().findSchema({"prims::abs", ""}).has_value(); }

bool has_rule(const char *name) {
  const auto op = c10::Dispatcher::singleton().findSchema({std::string("aten::") + name, ""});
  return !op || op->hasKernelForDispatchKey(c10::DispatchKey::FuncTorchBatched);
}

template <class Rule>
void add(torch::Library &library, const char *name, Rule rule) {
  if (!has_rule(name)) {
    library.impl(name, rule);
  }
}

}  // namespace

void register_vmap_decompositions() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (python_is_here()) {  // it would warn that its registrations replace these
      return;
    }
    // Never destroyed: that would take the rules back, at a time when the dispatcher may be gone.
    static auto &library =
        *new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::FuncTorchBatched, __FILE__, __LINE__);
    add(library, "mse_loss_backward", TORCH_FN(mse_loss_backward));
    add(library, "smooth_l1_loss_backward", TORCH_FN(smooth_l1_loss_backward));
    add(library, "huber_loss_backward", TORCH_FN(huber_loss_backward));
    add(library, "nll_loss_forward", TORCH_FN(nll_loss_forward));
    add(library, "nll_loss2d_forward", TORCH_FN(nll_loss_forward));
    add(library, "nll_loss_backward", TORCH_FN(nll_loss_backward));
    add(library, "nll_loss2d_backward", TORCH_FN(nll_loss_backward));
    add(library, "addr", TORCH_FN(addr));
  });
}

}  // namespace ctorch::func
