// What the transforms are made of: a layer on functorch's stack while a function runs, and the wrappers by which
// tensors belong to it.
//
// Every layer is taken off by a destructor, so a function that fails at any depth leaves the stack as it was.
#pragma once

#include <ATen/SavedTensorHooks.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/AutogradState.h>

#include <string>

#include "core/func/func.hpp"

namespace ctorch::func {

/// Inference mode off, the other modes untouched: c10::InferenceMode would set them too.
class NoInferenceMode {
 public:
  NoInferenceMode();
  NoInferenceMode(const NoInferenceMode &) = delete;
  NoInferenceMode &operator=(const NoInferenceMode &) = delete;
  ~NoInferenceMode();

 private:
  bool was_enabled_;
};

/// They would be given wrapped tensors and keep them for too long.
class NoSavedTensorHooks {
 public:
  NoSavedTensorHooks();
  NoSavedTensorHooks(const NoSavedTensorHooks &) = delete;
  NoSavedTensorHooks &operator=(const NoSavedTensorHooks &) = delete;
  ~NoSavedTensorHooks();

 private:
  void restore();

  std::optional<std::string> before_;
};

/// A layer on this thread's stack.
class Layer {
 public:
  static Layer vmap(int64_t batch_size, Randomness randomness);
  static Layer grad();
  static Layer jvp();
  Layer(const Layer &) = delete;
  Layer &operator=(const Layer &) = delete;
  ~Layer();

  int64_t level() const { return level_; }

 private:
  explicit Layer(int64_t level) : level_(level) {}

  int64_t level_;
};

/// What reverse mode runs in. The function is to see a gradient whatever the modes outside are; one that it sets itself
/// counts.
class GradLayer {
 public:
  int64_t level() const { return layer_.level(); }

 private:
  NoSavedTensorHooks no_saved_tensor_hooks_;
  NoInferenceMode no_inference_mode_;
  Layer layer_ = Layer::grad();
  c10::AutoGradMode grad_mode_{true};
};

/// The level of forward-mode AD, open while any thread is inside jvp. There is but one in the process, so threads share
/// it, and jvp inside jvp uses it a second time on wrappers of its own.
class DualLevel {
 public:
  DualLevel();
  DualLevel(const DualLevel &) = delete;
  DualLevel &operator=(const DualLevel &) = delete;
  ~DualLevel();

  /// What _make_dual and _unpack_dual want to hear.
  static constexpr int64_t number = 0;
};

/// What forward mode runs in.
class JvpLayer {
 public:
  JvpLayer();

  int64_t level() const { return layer_.level(); }

 private:
  NoInferenceMode no_inference_mode_;
  bool outermost_;
  Layer layer_ = Layer::jvp();
  c10::AutoFwGradMode forward_grad_mode_{true};
  std::optional<DualLevel> dual_level_;
};

// Wrapping ------------------------------------------------------------------------------------------------------------

/// An undefined tensor stays undefined.
at::Tensor wrap_batched(const at::Tensor &tensor, const std::optional<int64_t> &dim, int64_t level);
Tensors wrap_grad(const Tensors &tensors, int64_t level);
/// Tensors that `level` did not wrap stay as they are.
Tensors unwrap_grad(const Tensors &tensors, int64_t level);

/// The batch dimension of `level` becomes dimension `dim`; a tensor without is repeated.
at::Tensor unwrap_batched(const at::Tensor &tensor, int64_t level, int64_t batch_size, int64_t dim);
bool is_batched(const at::Tensor &tensor);
/// Whether a batched tensor belongs to a deeper layer than there is.
bool has_escaped(const at::Tensor &tensor);

/// What is in a wrapper of a derivative whose layer is gone; others stay as they are.
at::Tensor unwrap_ended(const at::Tensor &tensor);
/// What is in any wrapper.
std::optional<at::Tensor> unwrapped(const at::Tensor &tensor);

// Inputs and outputs of functions -------------------------------------------------------------------------------------

/// Positions from the start; fails unless they are of inputs, and each another.
Argnums check_argnums(const Argnums &argnums, size_t inputs_len);
Tensors select(const Tensors &tensors, const Argnums &checked_argnums);

/// Take the last outputs of a function away, which are not differentiated. RUNTIME if no others are left.
Tensors take_aux(Tensors &outputs, size_t aux_count);

/// Ask for gradients of what a layer wrapped.
void require_grad(const Tensors &wrapped);

/// Register what Python registers before its first vmap.
void register_vmap_decompositions();

/// Gradients, zeros where nothing depends on an input. Without cotangents the outputs are 0-dimensional.
Tensors gradients(const Graph &graph, const Tensors &cotangents, bool retain_graph, bool create_graph);

}  // namespace ctorch::func
