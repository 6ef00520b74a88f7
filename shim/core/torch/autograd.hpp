// What autograd of LibTorch has in some versions only.
#pragma once

#include <ATen/SavedTensorHooks.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/custom_function.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "core/torch/fail.hpp"
#include "core/torch/node.hpp"
#include "core/torch/version.hpp"

namespace ctorch::libtorch {

// The dtype of gradients: that of the tensor, until 2.10 let it be another.
#if TORCH_VERSION_AT_LEAST(2, 10)
inline std::optional<at::ScalarType> grad_dtype(const at::Tensor &self) { return self.grad_dtype(); }
inline void set_grad_dtype(const at::Tensor &self, std::optional<at::ScalarType> dtype) { self.set_grad_dtype(dtype); }
#else
inline std::optional<at::ScalarType> grad_dtype(const at::Tensor &self) { return self.scalar_type(); }
inline void set_grad_dtype(const at::Tensor &self, std::optional<at::ScalarType> dtype) {
  if (dtype != self.scalar_type()) {
    fail_older("a gradient of another dtype than its tensor", "2.10");
  }
}
#endif

// Whether AccumulateGrad keeps to the layout of the parameter.
constexpr bool HAS_GRAD_LAYOUT_POLICY = TORCH_VERSION_AT_LEAST(2, 13);
#if TORCH_VERSION_AT_LEAST(2, 13)
inline bool grad_layout_enforced() { return c10::AutogradState::get_tls_state().get_grad_layout_enforcement_enabled(); }
inline void enforce_grad_layout(bool enforced) {
  c10::AutogradState::get_tls_state().set_grad_layout_enforcement_enabled(enforced);
}
#else
inline bool grad_layout_enforced() { return true; }
inline void enforce_grad_layout(bool) {}
#endif

/// Make results of a function that was written by hand part of the graph.
inline std::vector<std::optional<at::Tensor>> wrap_outputs(
    const torch::autograd::variable_list &inputs,
    const std::unordered_set<at::TensorImpl *> &non_differentiable,
    const std::unordered_set<at::TensorImpl *> &dirty,
    at::ArrayRef<std::optional<at::Tensor>> raw,
    const NodePtr<Node> &node,
    const torch::autograd::_jvp_fn_t &jvp,
    const torch::autograd::_view_as_self_fn_t &view_as_self) {
#if TORCH_VERSION_AT_LEAST(2, 14)
  NodePtr<Node> attached_node = node;
#endif
  return torch::autograd::_wrap_outputs(
      inputs, non_differentiable, dirty, raw, node, jvp, /*to_save_if_setup_context=*/{}, view_as_self
#if TORCH_VERSION_AT_LEAST(2, 10)
      ,
      /*pure_view=*/false
#endif
#if TORCH_VERSION_AT_LEAST(2, 14)
      ,
      attached_node
#endif
  );
}

/// Refuse hooks on saved tensors with this message, though there be some. Before 2.8 LibTorch does so, then fails.
inline void disable_saved_tensor_hooks(const std::string &message) {
#if TORCH_VERSION_AT_LEAST(2, 8)
  at::SavedTensorDefaultHooks::disable(message, /*fail_if_non_empty=*/false);
#else
  try {
    at::SavedTensorDefaultHooks::disable(message);
  } catch (const c10::Error &) {
    if (at::SavedTensorDefaultHooks::is_enabled()) {
      throw;
    }
  }
#endif
}

}  // namespace ctorch::libtorch
