// Putting layers on functorch's stack, wrapping and unwrapping.
#include "core/func/func_layers.hpp"

#include <ATen/WrapDimUtils.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/TensorWrapper.h>
#include <ATen/ops/expand_ops.h>
#include <ATen/ops/permute_ops.h>
#include <ATen/ops/unsqueeze_ops.h>
#include <ATen/ops/zeros_like_ops.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>

#include "core/abi/error.hpp"
#include "core/abi/fork.hpp"
#include "core/torch/autograd.hpp"

namespace ctorch::func {

using at::functorch::TransformType;

namespace {

void set_inference_mode(bool enabled) {
  c10::AutogradState state = c10::AutogradState::get_tls_state();
  state.set_inference_mode(enabled);
  c10::AutogradState::set_tls_state(state);
}

static_assert(static_cast<int>(Randomness::Error) == static_cast<int>(at::functorch::RandomnessType::Error));
static_assert(static_cast<int>(Randomness::Same) == static_cast<int>(at::functorch::RandomnessType::Same));
static_assert(static_cast<int>(Randomness::Different) == static_cast<int>(at::functorch::RandomnessType::Different));

bool inside_jvp() {
  const auto &layers = at::functorch::getDynamicLayerStack();
  return std::any_of(layers.begin(), layers.end(), [](const auto &layer) { return layer.key() == TransformType::Jvp; });
}

Mutex &dual_level_mutex = *new Mutex(LockOrder::DualLevels);
size_t dual_level_users = 0;

}  // namespace

// Modes and layers ----------------------------------------------------------------------------------------------------

NoInferenceMode::NoInferenceMode() : was_enabled_(c10::InferenceMode::is_enabled()) {
  if (was_enabled_) {
    set_inference_mode(false);
  }
}

NoInferenceMode::~NoInferenceMode() {
  if (was_enabled_) {
    set_inference_mode(true);
  }
}

NoSavedTensorHooks::NoSavedTensorHooks() : before_(at::SavedTensorDefaultHooks::get_disabled_error_message()) {
  const char *const refusal =
      "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. "
      "Please open an issue with your use case.";
  try {
    at::SavedTensorDefaultHooks::disable(refusal);  // fails if there are some, but only after it has disabled them
  } catch (...) {
    restore();
    throw;
  }
}

NoSavedTensorHooks::~NoSavedTensorHooks() { restore(); }

void NoSavedTensorHooks::restore() {
  if (before_) {
    libtorch::disable_saved_tensor_hooks(*before_);
  } else {
    at::SavedTensorDefaultHooks::enable();
  }
}

Layer Layer::vmap(int64_t batch_size, Randomness randomness) {
  return Layer(at::functorch::initAndPushDynamicLayer(
      TransformType::Vmap, c10::SymInt(batch_size), static_cast<at::functorch::RandomnessType>(randomness)));
}

Layer Layer::grad() {
  return Layer(at::functorch::initAndPushDynamicLayer(
      TransformType::Grad, std::nullopt, std::nullopt, /*prev_grad_mode=*/c10::GradMode::is_enabled()));
}

Layer Layer::jvp() {
  return Layer(at::functorch::initAndPushDynamicLayer(
      TransformType::Jvp, std::nullopt, std::nullopt, std::nullopt,
      /*prev_fwd_grad_mode=*/c10::AutogradState::get_tls_state().get_fw_grad_mode()));
}

Layer::~Layer() {
  while (static_cast<int64_t>(depth()) >= level_) {
    at::functorch::popDynamicLayerAndDeleteMetadata();
  }
}

DualLevel::DualLevel() {
  const std::lock_guard lock(dual_level_mutex);
  if (dual_level_users == 0) {
    torch::autograd::forward_ad::enter_dual_level();
  }
  dual_level_users++;
}

DualLevel::~DualLevel() {
  const std::lock_guard lock(dual_level_mutex);
  dual_level_users--;
  if (dual_level_users == 0) {
    try {
      torch::autograd::forward_ad::exit_dual_level(number);
    } catch (...) {  // the function has closed a level that is not its own
    }
  }
}

JvpLayer::JvpLayer() : outermost_(!inside_jvp()) {
  if (outermost_) {
    dual_level_.emplace();
  }
}

size_t depth() { return at::functorch::getDynamicLayerStack().size(); }

// Wrapping ------------------------------------------------------------------------------------------------------------

at::Tensor wrap_batched(const at::Tensor &tensor, const std::optional<int64_t> &dim, int64_t level) {
  return dim ? at::functorch::addBatchDim(tensor, *dim, level) : tensor;
}

Tensors wrap_grad(const Tensors &tensors, int64_t level) {
  Tensors wrapped;
  for (const at::Tensor &tensor : tensors) {
    wrapped.push_back(tensor.defined() ? at::functorch::makeTensorWrapper(tensor, level) : tensor);
  }
  return wrapped;
}

Tensors unwrap_grad(const Tensors &tensors, int64_t level) {
  Tensors unwrapped;
  for (const at::Tensor &tensor : tensors) {
    const auto *wrapper = at::functorch::maybeGetTensorWrapper(tensor);
    unwrapped.push_back(wrapper != nullptr && wrapper->level() == level ? wrapper->value() : tensor);
  }
  return unwrapped;
}

std::optional<GradWrapped> grad_wrapped(const at::Tensor &tensor) {
  const auto *wrapper = at::functorch::maybeGetTensorWrapper(tensor);
  if (wrapper == nullptr) {
    return std::nullopt;
  }
  return GradWrapped{wrapper->value(), wrapper->level().value_or(-2)};
}

at::Tensor unwrap_batched(const at::Tensor &tensor, int64_t level, int64_t batch_size, int64_t dim) {
  const auto *batched = at::functorch::maybeGetBatchedImpl(tensor);
  if (batched == nullptr || batched->level() < level) {
    const int64_t to = at::maybe_wrap_dim(dim, tensor.dim() + 1);
    std::vector<c10::SymInt> sizes = tensor.sym_sizes().vec();
    sizes.insert(sizes.begin() + to, batch_size);
    // Python leaves out the first step, and fails or repeats along another dimension where `dim` is not 0.
    return at::_ops::expand::call(at::_ops::unsqueeze::call(tensor, to), sizes, false);
  }
  if (batched->level() > level) {
    fail(CTORCH_ERROR_RUNTIME, "vmap: an output belongs to a transform inside the function, which has ended");
  }
  const at::Tensor &value = batched->value();
  const int64_t from = batched->bdim();
  const int64_t to = at::maybe_wrap_dim(dim, value.dim());
  if (from == to) {
    return value;
  }
  std::vector<int64_t> order;
  for (int64_t i = 0; i < value.dim(); i++) {
    if (i != from) {
      order.push_back(i);
    }
  }
  order.insert(order.begin() + to, from);
  return at::_ops::permute::call(value, order);
}

bool is_batched(const at::Tensor &tensor) { return at::functorch::isBatchedTensor(tensor); }

bool has_escaped(const at::Tensor &tensor) {
  const auto *batched = at::functorch::maybeGetBatchedImpl(tensor);
  return batched != nullptr && batched->level() > static_cast<int64_t>(depth());
}

std::optional<at::Tensor> unwrapped(const at::Tensor &tensor) {
  if (const auto *batched = at::functorch::maybeGetBatchedImpl(tensor)) {
    return batched->value();
  }
  if (const auto *wrapper = at::functorch::maybeGetTensorWrapper(tensor)) {
    return wrapper->value();
  }
  return std::nullopt;
}

at::Tensor unwrap_ended(const at::Tensor &tensor) {
  at::Tensor unwrapped = tensor;
  while (unwrapped.defined() && at::functorch::isDeadTensorWrapper(unwrapped)) {
    unwrapped = at::functorch::unwrapIfDead(unwrapped);
  }
  return unwrapped;
}

// Inputs and outputs of functions -------------------------------------------------------------------------------------

Argnums all(const Tensors &inputs) {
  Argnums argnums(inputs.size());
  std::iota(argnums.begin(), argnums.end(), 0);
  return argnums;
}

Argnums check_argnums(const Argnums &argnums, size_t inputs_len) {
  if (argnums.empty()) {
    fail(CTORCH_ERROR_RUNTIME, "argnums must be non-empty: there is nothing to differentiate by");
  }
  const auto count = static_cast<int64_t>(inputs_len);
  Argnums checked;
  for (int64_t argnum : argnums) {
    if (argnum < -count || argnum >= count) {
      fail(
          CTORCH_ERROR_RUNTIME,
          "Got argnum=" + std::to_string(argnum) + ", but only " + std::to_string(count) + " inputs");
    }
    argnum += argnum < 0 ? count : 0;
    if (std::find(checked.begin(), checked.end(), argnum) != checked.end()) {
      fail(CTORCH_ERROR_RUNTIME, "argnums elements must be unique, got " + std::to_string(argnum) + " twice");
    }
    checked.push_back(argnum);
  }
  return checked;
}

Tensors select(const Tensors &tensors, const Argnums &checked_argnums) {
  Tensors selected;
  for (const int64_t argnum : checked_argnums) {
    selected.push_back(tensors[static_cast<size_t>(argnum)]);
  }
  return selected;
}

Tensors take_aux(Tensors &outputs, size_t aux_count) {
  if (outputs.size() <= aux_count) {
    fail(
        CTORCH_ERROR_RUNTIME, "Expected a function that has non-empty output beside " + std::to_string(aux_count) +
                                  " auxiliary ones, got " + std::to_string(outputs.size()) + " outputs");
  }
  const auto first = outputs.end() - static_cast<int64_t>(aux_count);
  Tensors aux(std::make_move_iterator(first), std::make_move_iterator(outputs.end()));
  outputs.erase(first, outputs.end());
  return aux;
}

void require_grad(const Tensors &wrapped) {
  for (const at::Tensor &tensor : wrapped) {
    if (!tensor.defined()) {
      fail(CTORCH_ERROR_VALUE, "an input that is NULL cannot be differentiated by");
    }
    // Not the operator of this name, which refuses to run inside a transform.
    tensor.set_requires_grad(true);
  }
}

Tensors gradients(const Graph &graph, const Tensors &cotangents, bool retain_graph, bool create_graph) {
  Tensors outputs;
  Tensors grad_outputs;
  for (size_t i = 0; i < graph.outputs.size(); i++) {
    if (graph.outputs[i].requires_grad()) {
      outputs.push_back(graph.outputs[i]);
      grad_outputs.push_back(cotangents.empty() ? at::Tensor() : cotangents[i]);
    }
  }
  Tensors grads(graph.inputs.size());
  if (!outputs.empty()) {
    grads =
        torch::autograd::grad(outputs, graph.inputs, grad_outputs, retain_graph, create_graph, /*allow_unused=*/true);
  }
  for (size_t i = 0; i < grads.size(); i++) {
    if (!grads[i].defined()) {
      grads[i] = at::_ops::zeros_like::call(
          graph.inputs[i], std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
    }
  }
  return grads;
}

}  // namespace ctorch::func
