// The transforms of torch.func, over C++ functions from tensors to tensors. func.cpp puts the C functions on top.
//
// They follow torch/_functorch step by step, because the steps can be seen: in which operators run under which
// transform, and so in what nests, what is random and what fails how. func_layers.hpp has what they are made of.
//
//     func_vmap.cpp       vmap
//     func_grad.cpp       grad, vjp and linearize: reverse mode
//     func_jvp.cpp        jvp: forward mode
//     func_jacobian.cpp   jacrev, jacfwd and hessian, which are vmap over the above
#pragma once

#include <ATen/core/Tensor.h>

#include <ATen/ops/lift_fresh_ops.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ctorch::func {

using Tensors = std::vector<at::Tensor>;
using Function = std::function<Tensors(const Tensors &inputs)>;

/// A mapped dimension of each tensor, or none.
using Dims = std::vector<std::optional<int64_t>>;

/// Positions of inputs, counted from the end if negative. They are checked where they are used.
using Argnums = std::vector<int64_t>;
Argnums all(const Tensors &inputs);

/// at::functorch::RandomnessType, whose header not everyone can include.
enum class Randomness { Error, Same, Different };

struct Vmap {
  /// Without, 0 everywhere.
  std::optional<Dims> in_dims;
  std::optional<Dims> out_dims;
  Randomness randomness = Randomness::Error;
  std::optional<int64_t> chunk_size;
};
Tensors vmap(const Function &function, const Tensors &inputs, const Vmap &options);

// Of the outputs of a function, the last `aux_count` are not differentiated: they are handed through as `aux`.

struct Gradient {
  Tensors grads;
  at::Tensor value;
  Tensors aux;
};
Gradient grad(const Function &function, const Tensors &inputs, const Argnums &argnums, size_t aux_count);

/// What a derivative at a point is kept as: the graph between these tensors.
struct Graph {
  Tensors outputs;
  Tensors inputs;
};
struct Vjp {
  Tensors outputs;
  Graph graph;
  Tensors aux;
};
Vjp vjp(const Function &function, const Tensors &inputs, const Argnums &argnums, size_t aux_count);
Tensors vjp_call(const Graph &graph, const Tensors &cotangents, bool retain_graph, bool create_graph);

struct Linearized {
  Tensors outputs;
  /// From cotangents to their product with the derivative. Its own derivative is the transpose: a product with
  /// tangents.
  Graph transposed;
};
Linearized linearize(const Function &function, const Tensors &primals);
Tensors linearize_call(const Graph &transposed, const Tensors &tangents);

struct Jvp {
  Tensors outputs;
  Tensors tangents;
  Tensors aux;
};
/// `tangents` has one for each of `argnums`.
Jvp jvp(
    const Function &function,
    const Tensors &inputs,
    const Tensors &tangents,
    const Argnums &argnums,
    size_t aux_count,
    bool strict);

struct Jacobian {
  /// Row by row: for each output, one for each of `argnums`.
  Tensors blocks;
  Tensors aux;
};
Jacobian jacrev(
    const Function &function,
    const Tensors &inputs,
    const Argnums &argnums,
    size_t aux_count,
    std::optional<int64_t> chunk_size);
Jacobian jacfwd(
    const Function &function,
    const Tensors &inputs,
    const Argnums &argnums,
    size_t aux_count,
    Randomness randomness,
    std::optional<int64_t> chunk_size);
Tensors hessian(const Function &function, const Tensors &inputs, const Argnums &argnums);

/// How many transforms this thread is inside of.
size_t depth();
inline bool inside_transform() {
  return c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::FuncTorchDynamicLayerFrontMode);
}

/// The dispatch keys through which every operator passes inside a transform. Without them it runs as outside.
constexpr c10::DispatchKeySet transform_keys(
    {c10::DispatchKey::FuncTorchDynamicLayerFrontMode, c10::DispatchKey::FuncTorchDynamicLayerBackMode});

/// A tensor made of caller memory: inside a transform, the result of an operator is wrapped and has none. So it is made
/// as outside, and let in once it is filled.
template <class Make>
at::Tensor filled(Make &&make) {
  if (!inside_transform()) {
    return std::forward<Make>(make)();
  }
  at::Tensor tensor;
  {
    const c10::impl::ExcludeDispatchKeyGuard outside(transform_keys);
    tensor = std::forward<Make>(make)();
  }
  return at::_ops::lift_fresh::call(tensor);
}

/// What grad, vjp or jvp wrapped, and at which depth: -2 once that transform has ended, as Python prints it.
struct GradWrapped {
  at::Tensor value;
  int64_t level;
};
std::optional<GradWrapped> grad_wrapped(const at::Tensor &tensor);

}  // namespace ctorch::func
